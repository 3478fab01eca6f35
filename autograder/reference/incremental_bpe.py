"""Byte-pair training that looks only at what a merge changes: the naive answers in a fraction of the time.

`fit_merges` follows rule set R1 (ids, smallest pair in a tie, stops below a count of 2) and equals
`naive_bpe.fit_merges`; `learn_merges` follows R2 (bytes, greatest pair in a tie, down to a count of 1) and equals
`pretokenized_bpe.learn_merges`.

All tokens stand in one flat list. A token of length n that starts at place i is written at i and at i + n - 1, and a
start that a merge has swallowed becomes `GAP`; so the left neighbour of place i is `ids[i - 1]` and the right one is
`ids[i + n]`, without links. Sequences are parted by `GAP` too.

A pair with the newest token is born in that token's own round only. So its list of places is written once, ascending,
and afterwards its count only falls: a heap's entry is an upper bound, and comparing it with the count is exact.

Left out: cutting text into pre-tokens (`pretokenized_bpe` does).
"""

import heapq
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from autograder.reference.naive_bpe import FIRST_RULE, LEAST_COUNT, Merges, Pair

__all__ = ["fit_merges", "learn_merges"]

GAP = -1
END = 256  # above every complemented byte, so that among equal starts the longer token is the greater


class Line:
    """The tokens of all sequences in one line, with what every pair counts and where it was seen.

    `rank(pair)` orders pairs of equal count, least first; `lengths` holds the length of each token in bytes.
    """

    def __init__(self, sequences: Iterable[tuple[bytes, int]], lengths: list[int], rank: Callable[[Pair], object]):
        self.ids, self.weights = [GAP], [0]
        for data, weight in sequences:
            self.ids += [*data, GAP]
            self.weights += [weight] * (len(data) + 1)
        self.lengths, self.rank = lengths, rank
        self.counts: dict[Pair, int] = {}
        self.places: dict[Pair, list[int]] = {}
        self.heap: list[tuple[int, object, Pair]] = []
        for place, pair in enumerate(pairwise(self.ids)):
            if GAP not in pair:
                self.record(pair, place)
        self.enter(self.counts)

    def record(self, pair: Pair, place: int) -> None:
        self.counts[pair] = self.counts.get(pair, 0) + self.weights[place]
        self.places.setdefault(pair, []).append(place)

    def enter(self, pairs: Iterable[Pair]) -> None:
        """Put pairs into the heap with their present counts."""
        for pair in pairs:
            if self.counts[pair]:
                heapq.heappush(self.heap, (-self.counts[pair], self.rank(pair), pair))

    def best(self, least: int) -> Pair | None:
        """The pair that counts most, at least `least`; its entry leaves the heap."""
        while self.heap:
            count, _, pair = heapq.heappop(self.heap)
            now = self.counts.get(pair, 0)
            if now == -count:
                return pair if now >= least else None
            if now:  # the entry was an upper bound: put the pair back where it belongs
                self.enter([pair])
        return None

    def merge(self, pair: Pair, new_id: int) -> None:
        """Write `new_id` for `pair`, left to right, and bring the counts of the neighbours up to date."""
        ids, counts, lengths = self.ids, self.counts, self.lengths
        a, b = pair
        whole = lengths[a] + lengths[b]
        lengths.append(whole)
        born: set[Pair] = set()
        for place in self.places.pop(pair):
            middle, end = place + lengths[a], place + whole
            if ids[place] != a or ids[middle] != b:
                continue  # gone since it was recorded, perhaps in this very pass: the places of a run overlap
            left, right = ids[place - 1], ids[end]
            ids[middle] = GAP
            ids[place] = ids[end - 1] = new_id
            if left != GAP:
                counts[left, a] -= self.weights[place]
                self.record((left, new_id), place - lengths[left])
                born.add((left, new_id))
            if right != GAP:
                counts[b, right] -= self.weights[place]
                self.record((new_id, right), place)
                born.add((new_id, right))
        del counts[pair]
        self.enter(born)


def fit_merges(documents: Iterable[str], max_merges: int) -> Merges:
    """At most `max_merges` rules `((a, b), new_id)` in the order learnt; fewer when no pair stands at two places.

    `max_merges` is an int of at least 0, else `ValueError`.

    >>> fit_merges(["abab", "acac"], 32)
    [((97, 98), 258), ((97, 99), 259)]
    >>> fit_merges(["aaaaaa"], 9)
    [((97, 97), 258), ((258, 258), 259)]
    """
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    line = Line(((text.encode("utf-8"), 1) for text in documents), [1] * FIRST_RULE, lambda pair: pair)
    merges: Merges = []
    while len(merges) < max_merges and (pair := line.best(LEAST_COUNT)) is not None:
        merges.append((pair, FIRST_RULE + len(merges)))
        line.merge(*merges[-1])
    return merges


def learn_merges(counts: Mapping[tuple[bytes, ...], int], num_merges: int) -> list[tuple[bytes, bytes]]:
    """At most `num_merges` pairs in the order merged, from pre-tokens as single bytes with their numbers.

    >>> learn_merges({(b"a", b"a", b"b"): 1}, 9)
    [(b'a', b'b'), (b'a', b'ab')]
    """
    pieces = [bytes([byte]) for byte in range(256)]
    keys = [descending(piece) for piece in pieces]
    words = ((b"".join(symbols), number) for symbols, number in counts.items())
    line = Line(words, [1] * len(pieces), lambda pair: (keys[pair[0]], keys[pair[1]]))
    merges: list[tuple[bytes, bytes]] = []
    while len(merges) < num_merges and (pair := line.best(1)) is not None:
        a, b = pair
        merges.append((pieces[a], pieces[b]))
        pieces.append(pieces[a] + pieces[b])
        keys.append(descending(pieces[-1]))
        line.merge(pair, len(pieces) - 1)
    return merges


def descending(piece: bytes) -> tuple[int, ...]:
    """A key that is least for the greatest bytes.

    >>> sorted([b"a", b"ab", b"b", b""], key=descending)
    [b'b', b'ab', b'a', b'']
    """
    return (*(255 - byte for byte in piece), END)
