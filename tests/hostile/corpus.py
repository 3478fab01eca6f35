"""What the corpus is written with.

    @attack("forging", count_pairs=0.5)
    def lying_equality(book: Book) -> None:
        \"\"\"What it tries, and what the right verdict is.\"\"\"
        book.answer("count_pairs", "def count_pairs(sequences): …")

The numbers are the points that the named exercises keep; every exercise that is not named keeps all of its points.
"""

import copy
import dataclasses
import json
import pathlib
import re
import sys
from collections.abc import Callable

import nbformat
from nbformat import NotebookNode

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "examples"))

from build import Class  # noqa: E402

__all__ = ["ATTACKS", "CHAPTER", "ROOT", "Attack", "Book", "attack", "everything"]

CHAPTER = "03_naive_bpe"


@dataclasses.dataclass(frozen=True)
class Attack:
    """One submission of the corpus; `left` are the points of exercises that do not keep all of theirs.

    With `may_lose`, points for right answers may get lost as well: it disturbs whoever asks for them.
    """

    kind: str
    name: str
    make: Callable[["Book"], None]
    left: dict[str, float]
    ungradable: str
    slow: bool
    may_lose: bool

    def __str__(self) -> str:
        return f"{self.kind}-{self.name}"


ATTACKS: list[Attack] = []


def attack(kind: str, *, ungradable: str = "", slow: bool = False, may_lose: bool = False, **left: float) -> Callable:
    """Put a function into the corpus. `ungradable`: words of the reason why the file cannot be graded at all."""

    def decorate(make: Callable[["Book"], None]) -> Callable[["Book"], None]:
        assert make.__doc__, f"{make.__name__} must say what it tries"
        ATTACKS.append(Attack(kind, make.__name__, make, left, ungradable, slow, may_lose))
        return make

    return decorate


def standing_alone(answers: dict[str, str]) -> dict[str, str]:
    """The answers, each with copies of its own of the others that it calls: a wrong one then costs its exercise only.

    >>> print(standing_alone({"f": "def f(): return 1", "g": "def g(): return f()"})["g"])
    def f_of_g(): return 1
    <BLANKLINE>
    def g(): return f_of_g()
    """
    alone: dict[str, str] = {}
    for name, source in answers.items():
        called = [other for other in alone if re.search(rf"\b{other}\b", source)]
        parts = [alone[other] for other in called] + [source]
        for other in called:
            parts = [re.sub(rf"\b{other}\b", f"{other}_of_{name}", part) for part in parts]
        alone[name] = "\n\n".join(parts)
    return alone


class Book:
    """A submission being made: chapter 3 with right answers, each standing alone, and no demonstrations.

    `canary` is a folder on the host that looks like a course; nothing of it may be read or changed.
    """

    original: Class | None = None

    def __init__(self, canary: pathlib.Path):
        Book.original = Book.original or Class(CHAPTER)
        self.canary = canary
        self.answers = standing_alone({
            name: source for name, source in self.original.answers.items() if not name.startswith("written_")
        })
        self.notebook = self.original.filled(**self.answers)
        self.notebook.cells = [
            cell for cell in self.notebook.cells if cell.metadata.get("nbgrader") or cell.id.startswith("setup")
        ]
        self.data: bytes | None = None
        self.prints: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.absent: list[str] = []
        self.second: Book | None = None

    def touched(self) -> set[str]:
        """The exercises whose right answers are not in the notebook any more as they were."""
        sources = {cell.source for cell in self.notebook.cells}
        return {name for name, source in self.answers.items() if source not in sources}

    def place(self, name: str) -> int:
        return next(
            i for i, cell in enumerate(self.notebook.cells) if cell.metadata.get("nbgrader", {}).get("grade_id") == name
        )

    def answer(self, name: str, source: str) -> None:
        """The student's answer to an exercise."""
        self.notebook.cells[self.place(name)].source = source

    def cell(self, source: str, *, after: str = "count_pairs", prints: str | None = None) -> None:
        """A cell of the student's own behind the cell `after`; `prints` is all that it may have printed when graded."""
        made = nbformat.v4.new_code_cell(source)
        self.notebook.cells.insert(self.place(after) + 1, made)
        if prints is not None:
            self.prints.append((source, prints))

    def says(self, *words: str) -> None:
        """The verdict must say each of these to the student."""
        self.words += words

    def hides(self, *needles: str) -> None:
        """The verdict and the outputs must not hold any of these."""
        self.absent += needles

    def next_submission(self) -> "Book":
        """Another student's, graded right after this one in the same sandbox; it must keep all of its points."""
        self.second = Book(self.canary)
        return self.second

    def tree(self) -> NotebookNode:
        return copy.deepcopy(self.notebook)

    def write(self, tree: object, encoding: str = "utf-8") -> None:
        """Hand in `tree` as JSON instead of the notebook."""
        self.data = json.dumps(tree, ensure_ascii=False).encode(encoding, "surrogatepass")

    def submitted(self) -> bytes:
        if self.data is None:
            self.write(self.notebook)
        assert self.data is not None
        return self.data


def everything() -> list[Attack]:
    """The whole corpus."""
    from hostile import breaking_out, exhausting, forging, peeking, sniffing, unlucky  # noqa: F401

    return ATTACKS
