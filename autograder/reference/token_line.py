"""The flat line of tokens on which merges are quick: what `incremental_bpe` trains with, whatever the tie rule.

All tokens stand in one flat array. A token of length n that starts at place i is written at i and at i + n - 1, and a
start that a merge has swallowed becomes `GAP`; so the left neighbour of place i is `ids[i - 1]` and the right one is
`ids[i + n]`, without links. Sequences are parted by `GAP` too.

A pair with the newest token is born in that token's own round only. So its list of places is written once, ascending,
and afterwards its count only falls: a heap's entry is an upper bound, and comparing it with the count is exact. For the
same reason a pair born below `floor` need not be kept: it never rises. When no pair at or above the floor is left, the
array is read again with a lower one; there are few such readings, and most pairs are never stored at all.

Left out: how ids and ties are chosen (`incremental_bpe`), and NumPy (`array_bpe`).
"""

import heapq
from array import array
from collections.abc import Callable, Iterable, Sequence

from autograder.reference.naive_bpe import Pair

__all__ = ["GAP", "Line"]

GAP = -1
STEP = 256  # each floor is this many times below the highest count at the time of reading


class Line:
    """The tokens of all sequences in one line, with what the frequent pairs count and where they were seen.

    `sequences` are bytes with the number of times they count; without `weighted` all numbers are 1 and not stored.
    `rank(pair)` orders pairs of equal count, least first; pairs that count less than `least` are never wanted.
    """

    def __init__(
        self, sequences: Iterable[tuple[bytes, int]], first_id: int, rank: Callable[[Pair], object],
        *, least: int, weighted: bool,
    ):
        self.ids, self.weights = array("i", [GAP]), array("q", [0] if weighted else [])
        for data, weight in sequences:
            self.ids.extend(data)
            self.ids.append(GAP)
            if weighted:
                self.weights.extend([weight] * (len(data) + 1))
        self.lengths = [1] * first_id  # in bytes, by id
        self.rank, self.least = rank, least
        self.gather()

    def total(self, places: Sequence[int]) -> int:
        """What a pair at these places counts."""
        if not self.weights:
            return len(places)
        weights = self.weights
        return sum([weights[place] for place in places])

    def gather(self) -> None:
        """Count all pairs, set the floor by the highest count, and record the places of the pairs above it."""
        ids, lengths = self.ids, self.lengths
        places: dict[Pair, array] = {}
        left, before, place, end = GAP, 0, 0, len(ids)
        while place < end:
            token = ids[place]
            if token == GAP:
                left, place = GAP, place + 1
                continue
            if left != GAP:
                try:
                    places[left, token].append(before)
                except KeyError:
                    places[left, token] = array("i", [before])
            left, before = token, place
            place += lengths[token]
        counts = {pair: self.total(seen) for pair, seen in places.items()}
        self.floor = max(self.least, max(counts.values(), default=0) // STEP)
        self.counts = {pair: count for pair, count in counts.items() if count >= self.floor}
        self.places = {pair: places[pair] for pair in self.counts}
        self.heap = [(-count, self.rank(pair), pair) for pair, count in self.counts.items()]
        heapq.heapify(self.heap)

    def best(self) -> Pair | None:
        """The pair that counts most, at least `least`; its entry leaves the heap."""
        while True:
            while self.heap:
                count, rank, pair = heapq.heappop(self.heap)
                now = self.counts[pair]
                if now == -count:
                    return pair
                if now >= self.floor:  # the entry was an upper bound: put the pair back where it belongs
                    heapq.heappush(self.heap, (-now, rank, pair))
                else:
                    del self.counts[pair], self.places[pair]
            if self.floor == self.least:
                return None
            self.gather()

    def merge(self, pair: Pair, new_id: int) -> None:
        """Write `new_id` for `pair`, left to right, and bring the neighbours' counts up to date."""
        ids, lengths = self.ids, self.lengths
        a, b = pair
        whole = lengths[a] + lengths[b]
        lengths.append(whole)
        before: dict[int, list[int]] = {}  # places of the new token by its left neighbour,
        behind: dict[int, list[int]] = {}  # and by its right one
        for place in self.places.pop(pair):
            middle, end = place + lengths[a], place + whole
            if ids[place] != a or ids[middle] != b:
                continue  # gone since it was recorded, perhaps in this very pass: the places of a run overlap
            before.setdefault(ids[place - 1], []).append(place)
            behind.setdefault(ids[end], []).append(place)
            ids[middle] = GAP
            ids[place] = ids[end - 1] = new_id
        del self.counts[pair]
        before.pop(GAP, None), behind.pop(GAP, None)
        # Right before left: where two new tokens meet, (new, a) is born first and then taken back by (new, new).
        for right, places in behind.items():
            self.replace((b, right), (new_id, right), places, 0)
        for left, places in before.items():
            self.replace((left, a), (left, new_id), places, lengths[left])

    def replace(self, old: Pair, new: Pair, places: list[int], back: int) -> None:
        """The pair `old` became `new` around these places of the new token; `new` starts `back` bytes before them."""
        count = self.total(places)
        if old in self.counts:
            self.counts[old] -= count
        if count >= self.floor:
            self.counts[new] = count
            self.places[new] = array("i", [place - back for place in places])
            heapq.heappush(self.heap, (-count, self.rank(new), new))
