"""Counting the pre-tokens of files that are larger than memory, exactly as `pretokenized_bpe.count_pretokens` does.

Running GPT-2's pattern over everything costs most of the time of training. So there are two stages: cut the text
cheaply (`safe_cuts`) and count the chunks, then run the pattern once for each different chunk and add up. Stretches of
ASCII go straight through a pattern that `re` runs fast enough for one stage. What is held is one slice of the file, a
bounded number of different chunks, and the different pre-tokens.

Left out: learning merges (`incremental_bpe`), several machines (`cluster_counts`).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from autograder.reference.pretokenized_bpe import COMPILED, split_on_special
from autograder.reference.safe_cuts import WHITES, Part, chunks, parts, slices

__all__ = ["PART", "add_up", "count_file", "count_part", "emptied", "pieces"]

PART = 1 << 26  # bytes that one process counts at a time, at most
CHUNKS = 1 << 17  # different chunks kept before they go through the pattern
JOINED = 1 << 12  # different chunks that go through it in one text

# GPT-2's pattern for text that is ASCII: the same pre-tokens, and `re` takes half the time of `regex`.
ASCII_PATTERN = re.compile(r"'(?:[sdmt]|ll|ve|re)| ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+", re.ASCII)


def pieces(text: str) -> list[str]:
    """`pretokenized_bpe.pretokenize` as a list, faster where the text is ASCII.

    >>> pieces("It's ½")
    ['It', "'s", ' ½']
    """
    return (ASCII_PATTERN if text.isascii() else COMPILED).findall(text)


def decoded(data: bytes, place: int) -> str:
    """The text of bytes that stand at `place` in a file; `UnicodeDecodeError` tells the offset in the file."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        reason = f"{error.reason} (0x{data[error.start]:02x})"  # the slice alone cannot show it at the file's offset
        raise UnicodeDecodeError("utf-8", data, place + error.start, place + error.end, reason) from None


def settle(found: Counter[str], totals: dict[str, int]) -> None:
    """Cut each different chunk by the pattern and add its pre-tokens, as often as it was found, to the totals."""
    alike: dict[tuple, list[str]] = {}
    for chunk, number in found.items():
        # White space, then something else: such chunks may be joined, as the place between them is a safe cut.
        joins = chunk[0] in WHITES and chunk[-1] not in WHITES
        alike.setdefault((number, chunk.isascii(), None if joins else chunk), []).append(chunk)
    for (number, *_), group in alike.items():
        for start in range(0, len(group), JOINED):
            for piece, times in Counter(pieces("".join(group[start : start + JOINED]))).items():
                totals[piece] = totals.get(piece, 0) + times * number
    found.clear()


def add_up(totals: dict[str, int], more: Mapping[str, int]) -> dict[str, int]:
    """The totals, with more numbers added in place."""
    for piece, number in more.items():
        totals[piece] = totals.get(piece, 0) + number
    return totals


def emptied(counts: dict[str, int]) -> Iterator[tuple[bytes, int]]:
    """Each pre-token's bytes with its number; it leaves `counts`, so that learning takes the place of counting."""
    while counts:
        piece, number = counts.popitem()
        yield piece.encode("utf-8"), number


def count_part(
    part: Part, special_tokens: Sequence[str], advance: Callable[[int], object] = lambda size: None
) -> dict[str, int]:
    """Each different pre-token of a part with its number; `advance` hears how many bytes were done, slice by slice."""
    totals: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for place, data in slices(part, [token.encode("utf-8") for token in special_tokens]):
        for text in split_on_special(decoded(data, place), special_tokens):
            if text.isascii():
                totals.update(pieces(text))
            else:
                found.update(chunks(text))
        if len(found) > CHUNKS:
            settle(found, totals)
        advance(len(data))
    settle(found, totals)
    return totals


def count_file(
    path: str | Path, special_tokens: Sequence[str], jobs: int = 1, advance: Callable[[int], object] = lambda size: None
) -> dict[str, int]:
    """Each different pre-token of a UTF-8 file with its number, counted by `jobs` processes.

    Raises `ValueError` for an empty special token and `UnicodeDecodeError` with the offset of the first wrong byte.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "text").write_bytes(b"a a<s> a")
    ...     sorted(count_file(Path(folder, "text"), ["<s>"]).items())
    [(' a', 2), ('a', 1)]
    """
    size = Path(path).stat().st_size
    if jobs == 1:
        return count_part(Part(str(path), 0, size), special_tokens, advance)
    todo = parts(path, special_tokens, max(1, min(PART, -(-size // jobs))))
    totals: dict[str, int] = {}
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        counted = pool.map(partial(count_part, special_tokens=list(special_tokens)), todo)
        for part, found in zip(todo, counted, strict=True):
            add_up(totals, found)
            advance(part.end - part.start)
    return totals
