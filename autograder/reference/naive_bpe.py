"""Byte-pair training, step by step and from scratch in every round (rule set R1, as in the chapter on reversible BPE).

Documents are lists of UTF-8 bytes; ids 0 to 255 are the bytes, 256 and 257 mark a document's start and end, rule r gets
id 258 + r. Every adjacent pair counts, overlapping ones too, and none reaches across a document's end. The highest
count wins, a tie goes to the smallest `(a, b)`, and training stops when the best count is below 2. Replacement goes
left to right over the old sequence only, without overlaps.

Left out: speed (every round reads everything again), encoding and decoding, and other tie rules.
"""

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

__all__ = [
    "FIRST_RULE", "LEAST_COUNT", "Merges", "Pair", "Round", "best_pair", "count_pairs", "fit_merges", "merge_pair",
    "rounds", "training_sequences",
]

Pair = tuple[int, int]
Merges = list[tuple[Pair, int]]

FIRST_RULE = 258  # 256 bytes, then the marks for start and end
LEAST_COUNT = 2  # a pair that stands at one place only saves nothing worth a new id


def count_pairs(sequences: Iterable[Sequence[int]]) -> dict[Pair, int]:
    """How often each adjacent pair stands in the sequences; overlapping places count, ends do not join.

    >>> count_pairs([[1, 1, 1], [1, 2]])
    {(1, 1): 2, (1, 2): 1}
    """
    counts: Counter[Pair] = Counter()
    for ids in sequences:
        counts.update(pairwise(ids))
    return dict(counts)


def merge_pair(ids: Sequence[int], pair: Sequence[int], new_id: int) -> list[int]:
    """A new list in which `new_id` stands for `pair`, from left to right, each id used once.

    >>> merge_pair([1, 1, 1], (1, 1), 9)
    [9, 1]
    """
    first, second = pair
    merged: list[int] = []
    i, last = 0, len(ids) - 1
    while i <= last:
        if ids[i] == first and i < last and ids[i + 1] == second:
            merged.append(new_id)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged


def best_pair(counts: Mapping[Pair, int]) -> Pair:
    """The pair with the highest count; among equals the smallest. No counts: `ValueError`.

    >>> best_pair({(2, 1): 3, (1, 2): 3, (0, 0): 1})
    (1, 2)
    """
    if not counts:
        raise ValueError("counts is empty: there is no pair to choose")
    return min(counts, key=lambda pair: (-counts[pair], pair))


def training_sequences(documents: Iterable[str]) -> list[list[int]]:
    """Each document as the list of its UTF-8 bytes.

    >>> training_sequences(["ab", "é"])
    [[97, 98], [195, 169]]
    """
    return [list(text.encode("utf-8")) for text in documents]


@dataclasses.dataclass(frozen=True)
class Round:
    """One round of training: what was chosen, what it means, and the sequences before and after."""

    rank: int
    pair: Pair
    piece: bytes
    count: int
    tied: int  # pairs that share the highest count, the chosen one included
    before: list[list[int]]
    after: list[list[int]]

    @property
    def new_id(self) -> int:
        return FIRST_RULE + self.rank

    @property
    def tokens_before(self) -> int:
        return sum(map(len, self.before))

    @property
    def tokens_after(self) -> int:
        return sum(map(len, self.after))


def rounds(documents: Iterable[str], max_merges: int) -> list[Round]:
    """Train and keep what happened in each round; `max_merges` is an int of at least 0, else `ValueError`.

    >>> [(r.pair, r.new_id, r.count, r.tied) for r in rounds(["abab", "acac"], 32)]
    [((97, 98), 258, 2, 2), ((97, 99), 259, 2, 1)]
    """
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    sequences = training_sequences(documents)
    pieces = {byte: bytes([byte]) for byte in range(256)}
    history: list[Round] = []
    for rank in range(max_merges):
        counts = count_pairs(sequences)
        if not counts:
            break
        pair = best_pair(counts)
        count = counts[pair]
        if count < LEAST_COUNT:
            break
        new_id = FIRST_RULE + rank
        pieces[new_id] = pieces[pair[0]] + pieces[pair[1]]
        merged = [merge_pair(ids, pair, new_id) for ids in sequences]
        tied = list(counts.values()).count(count)
        history.append(Round(rank, pair, pieces[new_id], count, tied, sequences, merged))
        sequences = merged
    return history


def fit_merges(documents: Iterable[str], max_merges: int) -> Merges:
    """At most `max_merges` rules `((a, b), new_id)` in the order learnt; fewer when no pair stands at two places.

    >>> fit_merges(["abab", "acac"], 32)
    [((97, 98), 258), ((97, 99), 259)]
    >>> fit_merges(["aa"], 1), fit_merges(["aaa"], 1)
    ([], [((97, 97), 258)])
    """
    return [(one.pair, one.new_id) for one in rounds(documents, max_merges)]
