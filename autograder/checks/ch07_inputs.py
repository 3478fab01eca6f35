"""Inputs for chapter 7: small sets of rules, texts that are hard to cut, streams, and rules learnt from seeded text."""

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence

from autograder.checks.inputs import random_text, sequences
from autograder.reference.tokenizer import Pair, bpe_encode, pretokenize
from autograder.sandbox.inside import wire

__all__ = [
    "BBB", "EOT", "MIXED", "NASTY", "as_files", "by_joined_bytes", "chunked", "cuts", "double", "learnt",
    "letters_at_random", "ranks_of", "rule_lists", "small_texts", "vocab_of",
]

EOT = "<|endoftext|>"
MIXED = [(b"a", b"b"), (b" ", b"a"), (b"\n", b"\n"), (b" ", b" "), (b"'", b"l"), (b"'l", b"l"), (b"l", b"l"),
         (b"\xc3", b"\xa9"), (b"<", b"s")]
BBB = [(b"b", b"b"), (b"b", b"bb")]  # `bbb` is a token, and (bb, b) is no rule
NASTY = (
    "it's 'll l'll l'l 's I'LL", "a\r\n\r\n b", "\t\t x\n\n\n y  ", "a\u00a0b\u3000c", "\x1c!\x1d a",
    "e\u0301 \u200b\u200bx", "½ ² 12345 ٣٤", "naïve é 漢字 😀", "안녕하세요 नमस्ते", "👩\u200d👩\u200d👧",
    "\ufeff\ufffd\0", " " * 20 + "x", "a" * 50, "<|endoftext",
)


def ranks_of(merges: Sequence[Pair]) -> dict[Pair, int]:
    return {pair: rank for rank, pair in enumerate(merges)}


def vocab_of(merges: Sequence[Pair], *others: str) -> dict[int, bytes]:
    """The 256 bytes, then other entries, then what the rules make: the numbering of chapter 5."""
    pieces = [*(bytes([byte]) for byte in range(256)), *(text.encode() for text in others)]
    return dict(enumerate([*pieces, *(left + right for left, right in merges)]))


def rule_lists(most: int, letters: Sequence[bytes] = (b"a", b"b")) -> Iterator[list[Pair]]:
    """Every list of 1 to `most` rules over two letters in which each rule makes new bytes from what is there before."""
    for number in range(1, most + 1):
        waiting: list[tuple[list[Pair], list[bytes]]] = [([], list(letters))]
        for _ in range(number):
            waiting = [
                ([*rules, (left, right)], [*pieces, left + right])
                for rules, pieces in waiting
                for left, right in itertools.product(pieces, repeat=2) if left + right not in pieces
            ]
        yield from (rules for rules, _ in waiting)


def by_joined_bytes(piece: bytes, rules: Sequence[Pair]) -> list[bytes]:
    """What comes out when any two tokens merge whose joined bytes a rule makes."""
    made = [b"".join(pair) for pair in rules]
    parts = [*made, *(bytes([byte]) for byte in set(piece))]
    pairs = {(left, right): made.index(left + right) for left in parts for right in parts if left + right in made}
    return bpe_encode(piece, pairs)


def learnt(seeded: random.Random, merges: int = 40, letters: str = "etaoin shré漢") -> list[Pair]:
    """Rules learnt from random text, each making new bytes."""
    counts = Counter(pretokenize(random_text(seeded, 1_500, letters)))
    words = [([bytes([byte]) for byte in word.encode()], count) for word, count in counts.items()]
    rules: list[Pair] = []
    made: set[bytes] = set()
    while len(rules) < merges:
        pairs: Counter[Pair] = Counter()
        for word, count in words:
            for pair in itertools.pairwise(word):
                pairs[pair] += count
        best = max((pair for pair in pairs if b"".join(pair) not in made), key=lambda p: (pairs[p], p), default=None)
        if best is None:
            break
        rules.append(best)
        made.add(b"".join(best))
        for word, _ in words:
            i = 0
            while i < len(word) - 1:
                if (word[i], word[i + 1]) == best:
                    word[i : i + 2] = [b"".join(best)]
                i += 1
    return rules


def letters_at_random(size: int, turn: int) -> bytes:
    """`size` of the first eight letters, the same ones every time: one long pre-token without a pattern."""
    return bytes(random.Random(8 * size + turn).choices(b"abcdefgh", k=size))


def cuts(text: str) -> Iterator[tuple[str, ...]]:
    """The text whole, in single characters, and in two at every place."""
    yield from ((text,), tuple(text))
    yield from ((text[:i], text[i:]) for i in range(1, len(text)))


def chunked(seeded: random.Random, text: str, most: int) -> tuple[str, ...]:
    """The text in chunks of 0 to `most` characters."""
    chunks, place = [], 0
    while place < len(text):
        size = seeded.randint(0, most)
        chunks.append(text[place : place + size])
        place += size
    return tuple(chunks)


def as_files(vocab: dict[int, bytes], merges: Sequence[Pair]) -> tuple[wire.File, wire.File]:
    """The two files in the form that the notebook gives."""
    numbers = json.dumps({number: piece.hex() for number, piece in vocab.items()})
    rules = json.dumps([[left.hex(), right.hex()] for left, right in merges])
    return wire.File("vocab.json", numbers.encode()), wire.File("merges.json", rules.encode())


def double(vocab: dict[int, bytes], merges: Sequence[Pair], special_tokens: Sequence[str] = ()) -> wire.Double:
    """A stand-in for a tokenizer, with the three attributes that every `Tokenizer` has."""
    attributes = {"vocab": vocab, "merges": list(merges), "special_tokens": list(special_tokens)}
    return wire.Double(attributes, {})


def small_texts(letters: str, longest: int) -> list[str]:
    return list(map("".join, sequences(letters, longest)))
