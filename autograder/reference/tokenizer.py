"""Encode, decode and stream with trained pre-tokenized rules (rule set R2), and hand them to two other libraries.

Training is not here. A vocabulary maps ids 0, 1, 2 … to bytes, all different; rules are pairs of bytes in the order in
which they were learnt, and the parts of a rule are single bytes or were made by earlier rules.
"""

import itertools
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import regex

from autograder.reference.bpe_encode import Pair, bpe_encode
from autograder.reference.corpus_counts import pieces
from autograder.reference.pretokenized_bpe import GPT2_PATTERN, pretokenize
from autograder.reference.safe_cuts import chunks
from autograder.reference.tokenizer_exports import byte_letters, to_huggingface, to_tiktoken

__all__ = [
    "GPT2_PATTERN", "Pair", "Tokenizer", "bpe_encode", "byte_letters", "pretokenize", "split_special", "to_huggingface",
    "to_tiktoken",
]

CACHED = 1 << 16  # texts that the cache may hold,
LONGEST = 64  # each of at most so many characters


def split_special(text: str, special_tokens: Iterable[str]) -> list[str]:
    """The text cut at special tokens, which are kept; where several begin at one place, the longest is taken.

    >>> split_special("a<s><s>b", ["<s>"]), split_special("<s><s>", ["<s>", "<s><s>"]), split_special("a", [])
    (['a', '<s>', '<s>', 'b'], ['<s><s>'], ['a'])
    """
    longest_first = sorted(special_tokens, key=len, reverse=True)
    if not longest_first:
        return [text] if text else []
    pattern = "(" + "|".join(map(regex.escape, longest_first)) + ")"
    return [part for part in regex.split(pattern, text) if part]


class Cache(dict):
    """Text -> ids, by `encode` where the text is new; emptied when full, so that memory stays bounded.

    >>> cache = Cache(lambda text: print("new") or [len(text)])
    >>> cache["ab"], cache["ab"]
    new
    ([2], [2])
    """

    def __init__(self, encode: Callable[[str], list[int]]):
        self.encode = encode

    def __missing__(self, text: str) -> list[int]:
        found = self.encode(text)
        if len(text) <= LONGEST:
            if len(self) >= CACHED:
                self.clear()
            self[text] = found
        return found


class Tokenizer:
    """Trained rules at work. `special_tokens` that the vocabulary lacks get the next ids, in a copy of it.

    >>> vocab = {**{b: bytes([b]) for b in range(256)}, 256: b"ab"}
    >>> tokenizer = Tokenizer(vocab, [(b"a", b"b")], ["<s>"])
    >>> tokenizer.encode("ab<s>"), tokenizer.decode([256, 255, 257]), len(vocab)
    ([256, 257], 'ab�<s>', 257)
    """

    def __init__(self, vocab: dict[int, bytes], merges: list[Pair], special_tokens: list[str] | None = None):
        self.vocab, self.merges = dict(vocab), list(merges)
        self.special_tokens = list(dict.fromkeys(special_tokens or ()))
        if "" in self.special_tokens:
            raise ValueError("special_tokens holds the empty string, which is everywhere in every text")
        known = set(vocab.values())
        for token in self.special_tokens:
            if token.encode() not in known:
                self.vocab[len(self.vocab)] = token.encode()
        self._ids = {piece: number for number, piece in self.vocab.items()}
        self._special = {token: self._ids[token.encode()] for token in self.special_tokens}
        self._ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        self._cache = Cache(self._encode_new)

    @classmethod
    def from_files(
        cls, vocab_path: str | Path, merges_path: str | Path, special_tokens: list[str] | None = None
    ) -> "Tokenizer":
        """Read `{"0": "00", …}` and `[["20", "74"], …]`, JSON whose bytes are written in hexadecimal."""
        vocab = json.loads(Path(vocab_path).read_text(encoding="utf-8"))
        merges = json.loads(Path(merges_path).read_text(encoding="utf-8"))
        return cls(
            {int(number): bytes.fromhex(piece) for number, piece in vocab.items()},
            [(bytes.fromhex(left), bytes.fromhex(right)) for left, right in merges],
            special_tokens,
        )

    def encode(self, text: str) -> list[int]:
        """The ids of a text: special tokens whole, the rest by pre-tokens."""
        ids: list[int] = []
        for part in split_special(text, self.special_tokens):
            if part in self._special:
                ids.append(self._special[part])
            else:
                ids += self._encode_ordinary(chunks(part))
        return ids

    def _encode_ordinary(self, texts: Iterable[str]) -> list[int]:
        """The ids of pre-tokens or of chunks, one after the other: most have been met before."""
        return list(itertools.chain.from_iterable(map(self._cache.__getitem__, texts)))

    def _encode_new(self, chunk: str) -> list[int]:
        found = pieces(chunk)
        if len(found) > 1:
            return self._encode_ordinary(found)
        return [self._ids[token] for token in bpe_encode(chunk.encode("utf-8"), self._ranks)]

    def encode_iterable(self, iterable: Iterable[str]) -> Iterator[int]:
        """The ids of all chunks joined, given as soon as no further text can change them.

        A special token may begin in the last characters, so those wait; and of ordinary text the last two pre-tokens
        wait, as the pattern looks at most two characters ahead (`'l` becomes `'ll`).
        """
        margin = max(map(len, self.special_tokens), default=1) - 1
        held, due = "", 1
        for chunk in iterable:
            held += chunk
            if len(held) < due:  # looking at a long pre-token again after each small chunk would take quadratic time
                continue
            ids, held = self._settle(held, len(held) - margin)
            due = 2 * len(held)
            yield from ids
        yield from self.encode(held)

    def _settle(self, held: str, end: int) -> tuple[list[int], str]:
        """Ids that are settled when any special token beginning before `end` is there in full; and the text left."""
        ids: list[int] = []
        start = place = 0
        for part in split_special(held, self.special_tokens):
            if part in self._special:
                if place >= end:
                    break
                ids += self._encode_ordinary(chunks(held[start:place]))
                ids.append(self._special[part])
                start = place + len(part)
            place += len(part)
        settled = pieces(held[start : max(start, end)])[:-2]
        return ids + self._encode_ordinary(settled), held[start + sum(map(len, settled)) :]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of some ids; malformed bytes become U+FFFD. An unknown id raises ValueError."""
        found = []
        for number in ids:
            if number not in self.vocab:
                raise ValueError(f"ids holds {number!r}, which is not in the vocabulary")
            found.append(self.vocab[number])
        return b"".join(found).decode("utf-8", errors="replace")
