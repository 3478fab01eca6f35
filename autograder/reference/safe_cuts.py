r"""Where text may be cut so that each piece has the pre-tokens of GPT-2's pattern that the whole has.

A pre-token never goes on from a sign into white space, so before white space that follows something else there is
always a border, and the pattern does not look beyond it. A run of white space moreover gives its last character to the
word behind it: that is what `\s+(?!\S)` does, so there is a border before that character too.

Files are cut at borders of the first kind only, before ASCII white space, and not inside a special token's text. So no
slice ends inside a character, and a slice's special tokens are the file's. A stretch of text without ASCII white space
is read whole.

Left out: counting what is between the cuts (`corpus_counts`).
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["WHITES", "Part", "chunks", "parts", "safe_cut", "slices"]

SLICE = 1 << 14  # bytes looked at together; small, so that the pieces are counted while they are in the cache

# What `\s` of `regex` matches; `re` counts U+001C to U+001F too.
WHITE = "\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
WHITES = frozenset(re.findall(f"[{WHITE}]", "".join(map(chr, range(0x3001)))))
OTHER_WHITE = tuple(white.encode() for white in WHITES if not white.isascii())
CHUNK = re.compile(f"[{WHITE}]?[^{WHITE}]+|[{WHITE}]+(?![^{WHITE}])")
ASCII_CHUNK = re.compile("[\t-\r ]?[^\t-\r ]+|[\t-\r ]+(?![^\t-\r ])")
LAST_CANDIDATE = re.compile(rb"(?s).*[^\t-\r ](?=[\t-\r ])")


class Part(NamedTuple):
    """A stretch of a file, in bytes, that can be counted by itself."""

    path: str
    start: int
    end: int


def chunks(text: str) -> list[str]:
    r"""The text between safe cuts; joined it is the text, and the pre-tokens of each are those of the whole.

    >>> chunks("if x:\n    return f(x)  ")
    ['if', ' x:', '\n   ', ' return', ' f(x)', '  ']
    """
    return (ASCII_CHUNK if text.isascii() else CHUNK).findall(text)


def safe_cut(data: bytes, special: Sequence[bytes], first: int, last: int) -> int | None:
    r"""The last place in `first` … `last` before white space that follows something else, in no special token's text.

    `data` must reach as far behind `last` as the longest special token does, unless the file ends there.

    >>> safe_cut(b"ab c  d", [], 0, 7), safe_cut(b"ab c  d", [b"c  d"], 0, 6), safe_cut(b"abcd", [], 0, 4)
    (4, 2, None)
    """
    while match := LAST_CANDIDATE.match(data[: max(0, last + 1)], first):
        cut = last = match.end()
        last -= 1
        around = [(data[max(0, cut - len(token) + 1) : cut + len(token) - 1], token) for token in special]
        if not data[max(0, cut - 3) : cut].endswith(OTHER_WHITE) and not any(token in near for near, token in around):
            return cut
    return None


def slices(part: Part, special: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
    """The part's bytes in slices of about `SLICE`, with the place of each in the file."""
    margin = max(map(len, special), default=0)
    with open(part.path, "rb") as file:
        file.seek(part.start)
        held, place = b"", part.start
        while block := file.read(min(max(SLICE, len(held)), part.end - place - len(held))):
            held += block
            cut = safe_cut(held, special, 0, len(held) - margin - 1)
            if cut:
                yield place, held[:cut]
                held, place = held[cut:], place + cut
        if held:
            yield place, held


def parts(path: str | Path, special_tokens: Sequence[str], size: int) -> list[Part]:
    """The file in parts of about `size` bytes that may be counted one by one."""
    special = [token.encode("utf-8") for token in special_tokens]
    margin = max([len("\u3000".encode()), *map(len, special)])  # what a cut looks at on either side
    cuts, end, window = [0], Path(path).stat().st_size, SLICE
    with open(path, "rb") as file:
        while (start := cuts[-1] + size) < end:
            begin = max(0, start - margin)
            file.seek(begin)
            data = file.read(start - begin + window + margin)
            all_read = begin + len(data) >= end
            cut = safe_cut(data, special, start - begin, len(data) - (0 if all_read else margin))
            if cut is not None:
                cuts.append(begin + cut)
                window = SLICE
            elif all_read:
                break
            else:
                window *= 2  # no white space here: look further
    return [Part(str(path), *ends) for ends in zip(cuts, [*cuts[1:], end], strict=True)]
