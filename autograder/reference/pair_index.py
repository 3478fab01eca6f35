"""Where each pair of tokens stands, what it counts, and which pair counts most; and the line of tokens it is about.

`PairIndex` is the plainest version of what students write: the oracle that theirs are compared with. `Tape` is given
to them as it stands here. Left out: speed (`incremental_bpe` has the fast form) and training itself.
"""

from collections.abc import Hashable, Iterable

__all__ = ["PairIndex", "Tape"]


class PairIndex:
    """The places of each pair with their weights, and which pair counts most.

    >>> index = PairIndex()
    >>> index.add((1, 2), 5), index.add((1, 2), 3, 10), index.add((1, 2), 3, 7), index.remove((2, 2), 0)
    (None, None, None, None)
    >>> index.places((1, 2)), index.count((1, 2)), index.count((2, 2))
    ([3, 5], 11, 0)
    >>> index.add((3, 0), 8, 11), index.most_frequent("smallest"), index.most_frequent("greatest")
    (None, (1, 2), (3, 0))
    """

    def __init__(self) -> None:
        self.weights: dict[Hashable, dict[int, int]] = {}

    def add(self, pair: Hashable, place: int, weight: int = 1) -> None:
        """Record that `pair` stands at `place`; a place that is recorded already keeps its weight."""
        self.weights.setdefault(pair, {}).setdefault(place, weight)

    def remove(self, pair: Hashable, place: int) -> None:
        """Forget that `pair` stands at `place`; what is not recorded is left alone."""
        self.weights.get(pair, {}).pop(place, None)

    def count(self, pair: Hashable) -> int:
        """The sum of the weights of the recorded places; 0 where there is none."""
        return sum(self.weights.get(pair, {}).values())

    def places(self, pair: Hashable) -> list[int]:
        """A new list of the recorded places, ascending."""
        return sorted(self.weights.get(pair, {}))

    def most_frequent(self, tie: str) -> Hashable:
        """The pair with the highest count, in a tie the smallest or greatest; `None` when no place is recorded."""
        if tie not in ("smallest", "greatest"):
            raise ValueError(f"tie must be 'smallest' or 'greatest', not {tie!r}")
        best = max(map(self.count, self.weights), default=0)
        if best == 0:
            return None
        choose = min if tie == "smallest" else max
        return choose(pair for pair in self.weights if self.count(pair) == best)


class Tape:
    """Tokens side by side in numbered places; None stands between two sequences, and where a token was joined away."""

    def __init__(self, sequences: Iterable[Iterable]) -> None:
        self.tokens = [None]
        for tokens in sequences:
            self.tokens += [*tokens, None]
        self.left = list(range(-1, len(self.tokens) - 1))  # the place of the neighbour to the left
        self.right = list(range(1, len(self.tokens) + 1))

    def pair_at(self, place):
        """The token at place with its right neighbour, or None where there are no two tokens."""
        token = self.tokens[place]
        neighbour = None if token is None else self.tokens[self.right[place]]
        return None if neighbour is None else (token, neighbour)

    def pairs(self):
        """Every (place, pair), from left to right."""
        return [(place, pair) for place in range(len(self.tokens) - 1) if (pair := self.pair_at(place))]

    def join(self, place, token):
        """Write token at place for the two that stand there; the right one's place becomes empty."""
        gone = self.right[place]
        self.right[place] = self.right[gone]
        self.left[self.right[gone]] = place
        self.tokens[place], self.tokens[gone] = token, None
