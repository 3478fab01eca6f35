"""Texts that anyone has, to measure on: Python's own standard library, the course's data files, and larger mixtures.

    python -m benchmarks.corpora FILE MEGABYTES      write that much of the mixture (seeded: the same bytes each time)
"""

import itertools
import random
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

MB = 1_000_000
ROOT = Path(__file__).resolve().parent.parent


def standard_library(size: int) -> str:
    """About `size` bytes of the standard library's Python source, files in order of their names, tests included."""
    folder = Path(sysconfig.get_path("stdlib"))
    sources, found = [], 0
    for path in sorted(folder.rglob("*.py")):
        if found >= size:
            break
        if "site-packages" in path.parts:
            continue
        try:
            sources.append(path.read_bytes().decode("utf-8"))
        except UnicodeDecodeError:  # a few of the tests are in other encodings on purpose
            continue
        found += len(sources[-1].encode())
    return "".join(sources).encode()[:size].decode("utf-8", errors="ignore")


def course_texts() -> str:
    """The text files of all chapters, many languages among them."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(ROOT.glob("solutions/*/data/**/*.txt")))


def varied(text: str, size: int, seed: int = 0) -> Iterator[str]:
    """At least `size` bytes: the text again and again, lines shuffled, with a new word in every tenth one."""
    seeded = random.Random(seed)
    lines = text.splitlines(keepends=True)
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    written = 0
    for number in itertools.count():
        if written >= size:
            return
        if number:
            seeded.shuffle(lines)
        block = list(lines)
        for place in range(0, len(block) if number else 0, 10):
            word = "".join(seeded.choices(letters, range(26, 0, -1), k=seeded.randint(2, 5)))
            block[place] = f"{word} {block[place]}"
        made = "".join(block)
        written += len(made.encode())
        yield made


def write(path: Path, size: int) -> None:
    """Write the corpus of `size` bytes: the standard library where that is enough, else 5 MB of it varied."""
    text = standard_library(size)
    if len(text.encode()) > size - 4:
        path.write_bytes(text.encode())
        return
    with path.open("wb") as file:
        left = size
        for block in varied(standard_library(5 * MB), size):
            data = block.encode()[:left].decode("utf-8", errors="ignore").encode()
            file.write(data)
            left -= len(data)


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(float(sys.argv[2]) * MB))
