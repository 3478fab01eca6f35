"""Training on long texts without pre-tokens, all places of a merge at once (rule set R1, with NumPy).

The same flat array as in `token_line`, and the same reasons; read that first. What a loop does there place by place is
done here for all places of a pair in a few array operations, which pays when a pair has many places. Counts are not
kept: a pair's count is the number of its recorded places where it still stands, looked up when its turn seems to come.
A pair born at one place only is dropped at once, since counts never rise and R1 stops below 2.

Left out: rule set R2, whose pre-tokens leave too few places for this to pay.
"""

import heapq
from collections.abc import Iterable, Iterator

import numpy as np

from autograder.reference.naive_bpe import FIRST_RULE, LEAST_COUNT, Merges, Pair

__all__ = ["fit_merges"]

GAP = -1
SLICE = 1 << 18  # places that are sorted at a time


class ArrayLine:
    """All tokens in one array, and where each pair was seen: ascending places, counted in bytes of the text."""

    def __init__(self, documents: Iterable[str], max_merges: int):
        data = bytearray()
        ends = []
        for text in documents:
            data += text.encode("utf-8")
            data.append(0)  # the place of a gap
            ends.append(len(data))
        self.ids = np.empty(len(data) + 1, np.int32)
        self.ids[1:] = np.frombuffer(data, np.uint8)
        self.ids[[0, *ends]] = GAP
        del data
        self.lengths = np.ones(FIRST_RULE + min(max_merges, len(self.ids)), np.int32)
        # int32 by the buffer protocol: of the many short ones, array objects would take three times as much as bytes.
        self.places: dict[Pair, bytes | np.ndarray] = {}
        self.heap: list[tuple[int, Pair]] = []
        counts = np.zeros(1 << 16, np.int64)
        for codes, _ in self.slices():
            counts += np.bincount(codes, minlength=1 << 16)
        arrays = {code: np.empty(count, np.int32) for code, count in enumerate(counts.tolist()) if count >= LEAST_COUNT}
        filled = dict.fromkeys(arrays, 0)
        for codes, places in self.slices():
            for code, group in grouped(codes, places):
                if code in arrays:
                    arrays[code][filled[code] : filled[code] + len(group)] = group
                    filled[code] += len(group)
        for code, places in arrays.items():
            pair = (code >> 8, code & 255)
            self.places[pair] = places
            heapq.heappush(self.heap, (-len(places), pair))

    def slices(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The pairs of bytes, as `256 * left + right`, with their places, a slice of the text at a time."""
        for start in range(0, len(self.ids) - 1, SLICE):
            right = self.ids[start + 1 : start + SLICE + 1]
            left = self.ids[start : start + len(right)]
            here = np.flatnonzero((left != GAP) & (right != GAP))
            yield left[here] << 8 | right[here], here + start

    def record(self, pair: Pair, places: np.ndarray) -> None:
        if len(places) >= LEAST_COUNT:
            self.places[pair] = places.tobytes()
            heapq.heappush(self.heap, (-len(places), pair))

    def best(self) -> Pair | None:
        """The pair that stands at most places, at least 2; they are brought up to date, its entry leaves the heap."""
        while self.heap:
            _, pair = heapq.heappop(self.heap)
            places = np.frombuffer(self.places[pair], np.int32)
            live = (self.ids[places] == pair[0]) & (self.ids[places + self.lengths[pair[0]]] == pair[1])
            if live.all():
                return pair
            del self.places[pair]
            self.record(pair, places[live])  # the entry was an upper bound
        return None

    def merge(self, pair: Pair, new_id: int) -> None:
        """Write `new_id` for `pair`, left to right, and record the pairs that are born."""
        ids, lengths = self.ids, self.lengths
        a, b = pair
        first, whole = lengths[a], lengths[a] + lengths[b]
        lengths[new_id] = whole
        places = np.frombuffer(self.places.pop(pair), np.int32)
        if a == b:
            places = every_second(places, first)
        ids[places + first] = GAP
        ids[places] = ids[places + whole - 1] = new_id
        left, right = ids[places - 1], ids[places + whole]
        # Where two new tokens meet, their pair is recorded from the right one's view only.
        there, here = left != GAP, (right != GAP) & (right != new_id)
        left, right = left[there], right[here]
        for neighbour, group in grouped(left, places[there] - lengths[left]):
            self.record((neighbour, new_id), group)
        for neighbour, group in grouped(right, places[here]):
            self.record((new_id, neighbour), group)


def grouped(keys: np.ndarray, places: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Each key with its places, in the order given, as int32; both arrays have shape (n,).

    >>> [(key, group.tolist()) for key, group in grouped(np.array([7, 3, 7]), np.array([0, 4, 9]))]
    [(3, [4]), (7, [0, 9])]
    """
    order = np.argsort(keys, kind="stable")
    keys, places = keys[order], places[order].astype(np.int32)
    starts = [0, *(np.flatnonzero(keys[1:] != keys[:-1]) + 1).tolist(), len(keys)]
    for key, start, end in zip(keys[starts[:-1]].tolist() if len(keys) else (), starts, starts[1:], strict=False):
        yield key, places[start:end]


def every_second(places: np.ndarray, length: int) -> np.ndarray:
    """Of each run of places that are `length` apart, the first, third, fifth …: the pairs that do not overlap.

    >>> every_second(np.array([0, 1, 2, 5, 6]), 1).tolist()
    [0, 2, 5]
    """
    index = np.arange(len(places))
    begins = np.ones(len(places), bool)
    begins[1:] = np.diff(places) != length
    return places[(index - np.maximum.accumulate(np.where(begins, index, 0))) % 2 == 0]


def fit_merges(documents: Iterable[str], max_merges: int) -> Merges:
    """The rules of `naive_bpe.fit_merges`; `max_merges` is an int of at least 0, else `ValueError`.

    All documents together must be below 2 GiB of UTF-8.

    >>> fit_merges(["abab", "acac"], 32)
    [((97, 98), 258), ((97, 99), 259)]
    """
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    line = ArrayLine(documents, max_merges)
    merges: Merges = []
    while len(merges) < max_merges and (pair := line.best()) is not None:
        merges.append((pair, FIRST_RULE + len(merges)))
        line.merge(*merges[-1])
    return merges
