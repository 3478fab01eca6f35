"""Encode, decode and stream with trained pre-tokenized rules (rule set R2), and hand them to two other libraries.

Training is not here. A vocabulary maps ids 0, 1, 2 … to bytes, all different; rules are pairs of bytes in the order in
which they were learnt, and the parts of a rule are single bytes or were made by earlier rules.
"""

import heapq
import itertools
import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import regex
import tiktoken
import tokenizers

__all__ = [
    "GPT2_PATTERN", "Tokenizer", "bpe_encode", "byte_letters", "pretokenize", "split_special", "to_huggingface",
    "to_tiktoken",
]

Pair = tuple[bytes, bytes]

# https://github.com/openai/tiktoken/blob/main/tiktoken_ext/openai_public.py, as first published with GPT-2.
GPT2_PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
PRETOKEN = regex.compile(GPT2_PATTERN)
SHORT = 40  # bytes up to which looking at every pair is faster than a heap
CACHED = 1 << 16  # pre-tokens that the cache may hold


def bpe_encode(piece: bytes, ranks: dict[Pair, int]) -> list[bytes]:
    """The tokens of one pre-token: always the pair of lowest rank is merged, the leftmost of several equal ones.

    >>> bpe_encode(b"ababc", {(b"b", b"c"): 0, (b"a", b"b"): 1})
    [b'ab', b'a', b'bc']
    """
    tokens = [piece[i : i + 1] for i in range(len(piece))]
    if len(tokens) > SHORT:
        return merge_with_heap(tokens, ranks)
    while len(tokens) > 1:
        rank, i = min((ranks.get(pair, math.inf), i) for i, pair in enumerate(itertools.pairwise(tokens)))
        if rank == math.inf:
            break
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
    return tokens


def merge_with_heap(tokens: list[bytes], ranks: dict[Pair, int]) -> list[bytes]:
    """The same in n·log n: candidates in a heap, tokens linked to their neighbours by position.

    A candidate is stale when the tokens at its place are no longer those that it was made for.
    """
    end = len(tokens)
    after, before = list(range(1, end + 1)), list(range(-1, end - 1))
    heap = [(ranks[pair], i, *pair) for i, pair in enumerate(itertools.pairwise(tokens)) if pair in ranks]
    heapq.heapify(heap)
    while heap:
        _, i, left, right = heapq.heappop(heap)
        j = after[i]
        # A swallowed place holds b"", which is no part of any rule.
        if tokens[i] != left or j == end or tokens[j] != right:
            continue
        tokens[i], tokens[j] = left + right, b""
        after[i] = after[j]
        if after[i] < end:
            before[after[i]] = i
        for k in (before[i], i):
            if k >= 0 and after[k] < end and (pair := (tokens[k], tokens[after[k]])) in ranks:
                heapq.heappush(heap, (ranks[pair], k, *pair))
    return [token for token in tokens if token]


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


def pretokenize(text: str) -> Iterator[str]:
    """The pieces of GPT-2's pattern; joined they are the text.

    >>> list(pretokenize("it's  ok"))
    ['it', "'s", ' ', ' ok']
    """
    return (match.group() for match in PRETOKEN.finditer(text))


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
        self._cache: dict[str, list[int]] = {}

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
                ids += self._encode_ordinary(pretokenize(part))
        return ids

    def _encode_ordinary(self, pieces: Iterable[str]) -> list[int]:
        ids: list[int] = []
        for piece in pieces:
            found = self._cache.get(piece)
            if found is None:
                found = [self._ids[token] for token in bpe_encode(piece.encode("utf-8"), self._ranks)]
                if len(self._cache) >= CACHED:
                    self._cache.clear()
                self._cache[piece] = found
            ids += found
        return ids

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
                ids += self._encode_ordinary(pretokenize(held[start:place]))
                ids.append(self._special[part])
                start = place + len(part)
            place += len(part)
        pieces = list(pretokenize(held[start : max(start, end)]))[:-2]
        return ids + self._encode_ordinary(pieces), held[start + sum(map(len, pieces)) :]

    def decode(self, ids: Iterable[int]) -> str:
        """The text of some ids; malformed bytes become U+FFFD. An unknown id raises ValueError."""
        pieces = []
        for number in ids:
            if number not in self.vocab:
                raise ValueError(f"ids holds {number!r}, which is not in the vocabulary")
            pieces.append(self.vocab[number])
        return b"".join(pieces).decode("utf-8", errors="replace")


def to_tiktoken(tokenizer: Tokenizer) -> tiktoken.Encoding:
    """The same rules for `tiktoken`, which merges whatever joined bytes have the lowest id.

    So the ids of learnt tokens must grow with the rank of their rules, else ValueError; and entries of the vocabulary
    that no rule makes must stay out. Its special tokens are tried in no promised order: none may begin another.
    """
    number = {piece: one for one, piece in tokenizer.vocab.items()}
    pieces = [bytes([byte]) for byte in range(256)] + [left + right for left, right in tokenizer.merges]
    learnt = [number[piece] for piece in pieces[256:]]
    if learnt != sorted(learnt):
        raise ValueError("merges: tiktoken merges by id, and these ids do not grow with the rank of their rules")
    return tiktoken.Encoding(
        "workbook", pat_str=GPT2_PATTERN, mergeable_ranks={piece: number[piece] for piece in pieces},
        special_tokens={token: number[token.encode()] for token in tokenizer.special_tokens},
    )


def byte_letters() -> dict[int, str]:
    """The letter that stands for each byte where a library keeps tokens as text: GPT-2's table.

    >>> byte_letters()[97], byte_letters()[32], len(set(byte_letters().values()))
    ('a', 'Ġ', 256)
    """
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {byte: chr(byte) for byte in plain} | {byte: chr(256 + i) for i, byte in enumerate(others)}


def to_huggingface(tokenizer: Tokenizer) -> tokenizers.Tokenizer:
    """The same rules for `tokenizers`, which keeps tokens as text: a letter for each byte."""
    letter = byte_letters()

    def letters(piece: bytes) -> str:
        return "".join(letter[byte] for byte in piece)

    special = {token.encode(): token for token in tokenizer.special_tokens}
    vocab = {special.get(piece) or letters(piece): number for number, piece in tokenizer.vocab.items()}
    merges = [(letters(left), letters(right)) for left, right in tokenizer.merges]
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocab, merges=merges))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    made.add_special_tokens([tokenizers.AddedToken(token, normalized=False) for token in tokenizer.special_tokens])
    return made
