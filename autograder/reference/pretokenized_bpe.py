"""Byte-pair training on pre-tokens, plainly (rule set R2, as in the assignment on training a BPE tokenizer).

The text is split at its special tokens, each part is cut into pre-tokens by GPT-2's pattern, and equal pre-tokens are
counted once with their number. In every round each adjacent pair of symbols counts as often as its pre-tokens do,
overlapping places too. The highest count wins, a tie goes to the lexicographically greatest `(bytes, bytes)`, and
training goes on down to count 1 until the vocabulary is full or no pair is left. Replacement is left to right.

Left out: speed (every round counts everything again), files too large for memory, encoding and decoding.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import regex

__all__ = [
    "GPT2_PATTERN", "BytePair", "Merges", "Round", "Symbols", "best_pair", "count_pairs", "count_pretokens",
    "learn_merges", "merge_symbols", "number_of_merges", "number_vocabulary", "pretokenize", "read_text",
    "rounds", "split_on_special", "train_bpe",
]

Symbols = tuple[bytes, ...]
BytePair = tuple[bytes, bytes]
Merges = list[BytePair]

# From GPT-2's published encoder: English contractions, letters, numbers and other signs, each with at most one space
# before them, and white space; `\s+(?!\S)` leaves the last space of a run to the word behind it.
GPT2_PATTERN = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
COMPILED = regex.compile(GPT2_PATTERN)


def split_on_special(text: str, special_tokens: Sequence[str]) -> list[str]:
    """The parts of `text` between special tokens, in order, empty ones left out.

    Where several special tokens start at one place the longest is taken. Raises `ValueError` for an empty special
    token.

    >>> split_on_special("ab<s><s>c", ["<s>"]), split_on_special("ab", []), split_on_special("", ["<s>"])
    (['ab', 'c'], ['ab'], [])
    """
    if "" in special_tokens:
        raise ValueError("special_tokens holds an empty text, which stands everywhere")
    if not special_tokens:
        return [text] if text else []
    longest_first = sorted(special_tokens, key=len, reverse=True)
    return [part for part in regex.split("|".join(map(regex.escape, longest_first)), text) if part]


def pretokenize(text: str) -> Iterator[str]:
    """The pre-tokens of `text` by GPT-2's pattern, one by one; joined they are the text.

    >>> list(pretokenize("It's  12 o'clock!\\n"))
    ['It', "'s", ' ', ' 12', ' o', "'", 'clock', '!', '\\n']
    """
    for match in COMPILED.finditer(text):
        yield match.group()


def count_pretokens(text: str, special_tokens: Sequence[str]) -> dict[Symbols, int]:
    """Each different pre-token, as single bytes, with its number; no pre-token reaches over a special token.

    >>> count_pretokens("a a<s> a", ["<s>"])
    {(b'a',): 1, (b' ', b'a'): 2}
    """
    numbers = Counter(piece for part in split_on_special(text, special_tokens) for piece in pretokenize(part))
    return {tuple(bytes([byte]) for byte in piece.encode("utf-8")): number for piece, number in numbers.items()}


def count_pairs(counts: Mapping[Symbols, int]) -> dict[BytePair, int]:
    """How often each adjacent pair stands in the pre-tokens, overlapping places too.

    >>> count_pairs({(b"a", b"a", b"a"): 5})
    {(b'a', b'a'): 10}
    """
    pairs: dict[BytePair, int] = {}
    for symbols, number in counts.items():
        for pair in pairwise(symbols):
            pairs[pair] = pairs.get(pair, 0) + number
    return pairs


def best_pair(pairs: Mapping[BytePair, int]) -> BytePair:
    """The pair with the highest count; among equals the greatest, compared as bytes, first parts first.

    >>> best_pair({(b"a", b"z"): 3, (b"ab", b"a"): 3})
    (b'ab', b'a')
    """
    return max(pairs, key=lambda pair: (pairs[pair], pair))


def merge_symbols(symbols: Symbols, pair: BytePair) -> Symbols:
    """The pre-token with `pair` joined at each place, from left to right, each symbol used once.

    >>> merge_symbols((b"a", b"a", b"a"), (b"a", b"a"))
    (b'aa', b'a')
    """
    merged: list[bytes] = []
    i = 0
    while i < len(symbols):
        if symbols[i : i + 2] == pair:
            merged.append(pair[0] + pair[1])
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return tuple(merged)


@dataclasses.dataclass(frozen=True)
class Round:
    """One round of training: the pair chosen, its count, the pairs that tie with it, and the pre-tokens before."""

    pair: BytePair
    count: int
    tied: tuple[BytePair, ...]
    before: dict[Symbols, int]


def rounds(counts: Mapping[Symbols, int], num_merges: int) -> list[Round]:
    """Train and keep what happened in each round, at most `num_merges` of them.

    >>> [(one.pair, one.count) for one in rounds({(b"a", b"a", b"b"): 1}, 9)]
    [((b'a', b'b'), 1), ((b'a', b'ab'), 1)]
    """
    current, history = dict(counts), []
    for _ in range(num_merges):
        pairs = count_pairs(current)
        if not pairs:
            break
        pair = best_pair(pairs)
        history.append(Round(pair, pairs[pair], tuple(p for p in pairs if pairs[p] == pairs[pair]), current))
        merged: dict[Symbols, int] = {}
        for symbols, number in current.items():
            key = merge_symbols(symbols, pair) if pair[0] in symbols else symbols
            merged[key] = merged.get(key, 0) + number
        current = merged
    return history


def learn_merges(counts: Mapping[Symbols, int], num_merges: int) -> Merges:
    """At most `num_merges` pairs in the order merged; fewer when no pair is left.

    >>> learn_merges({(b"a", b"b"): 1, (b"a", b"a"): 2}, 5)
    [(b'a', b'a'), (b'a', b'b')]
    """
    return [one.pair for one in rounds(counts, num_merges)]


def number_vocabulary(special_tokens: Sequence[str], merges: Sequence[BytePair]) -> dict[int, bytes]:
    """Id -> bytes: the 256 bytes by value, then the special tokens as given, then the merges in order.

    >>> list(number_vocabulary(["<s>"], [(b"a", b"b")]).items())[-2:]
    [(256, b'<s>'), (257, b'ab')]
    """
    pieces = [bytes([byte]) for byte in range(256)]
    pieces += [token.encode("utf-8") for token in special_tokens]
    pieces += [first + second for first, second in merges]
    return dict(enumerate(pieces))


def number_of_merges(vocab_size: int, special_tokens: Sequence[str]) -> int:
    """How many merges have room beside the bytes and the special tokens.

    Raises `ValueError` when `special_tokens` holds an empty or a repeated text, or when there is less than no room.

    >>> number_of_merges(300, ["<s>"])
    43
    """
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens must be different texts, none of them empty")
    if vocab_size < (least := 256 + len(special_tokens)):
        raise ValueError(f"vocab_size must be at least {least}, not {vocab_size}")
    return vocab_size - least


def read_text(path: str | Path) -> str:
    """The file as text, line ends as they are; `UnicodeDecodeError` tells the offset of the first wrong byte."""
    return Path(path).read_bytes().decode("utf-8")


def train_bpe(
    input_path: str | Path, vocab_size: int, special_tokens: Sequence[str]
) -> tuple[dict[int, bytes], Merges]:
    """The vocabulary and the merges learnt from a file of UTF-8 text.

    Raises `ValueError` as `number_of_merges` does.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "text").write_bytes(b"low<s>low lower")
    ...     vocab, merges = train_bpe(Path(folder, "text"), 259, ["<s>"])
    >>> merges, len(vocab), vocab[258]
    ([(b'o', b'w'), (b'l', b'ow')], 259, b'low')
    """
    num_merges = number_of_merges(vocab_size, special_tokens)
    merges = learn_merges(count_pretokens(read_text(input_path), special_tokens), num_merges)
    return number_vocabulary(special_tokens, merges), merges
