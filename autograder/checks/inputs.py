"""Inputs for checks: all small ones in order of size, and large ones from a seeded source.

Small ones come first in a check, and all of them, so that the first wrong answer is the smallest there is. Large ones
are drawn from the `random.Random` that the course secret seeds; ties and runs are put in on purpose.
"""

import itertools
import random
from collections.abc import Iterator, Sequence

__all__ = [
    "NASTY_TEXTS", "document_lists", "has_runs", "random_documents", "random_ids", "random_text", "sequences",
    "texts", "tied_counts", "tied_documents",
]

# Named by what is hard about them; each is valid text, none holds a lone surrogate.
NASTY_TEXTS = (
    "",
    "\0",
    "\r\n\r\n",
    "é",
    "안녕하세요",
    "नमस्ते",
    "👩‍👩‍👧‍👦👩‍👩‍👧‍👦",
    "e\u0301e\u0301",
    "\ufeffab",
    "\U0010ffff\U0010ffff",
    "a" * 40,
    " " * 33 + "x",
)


def sequences(alphabet: Sequence, longest: int, shortest: int = 0) -> Iterator[list]:
    """Every list over the alphabet, shorter ones first.

    >>> list(sequences([1, 2], 1)), sum(1 for _ in sequences([1, 2], 4))
    ([[], [1], [2]], 31)
    """
    for length in range(shortest, longest + 1):
        yield from map(list, itertools.product(alphabet, repeat=length))


def texts(letters: str, longest: int, shortest: int = 0) -> Iterator[str]:
    """Every string over the letters, shorter ones first.

    >>> list(texts("ab", 2))
    ['', 'a', 'b', 'aa', 'ab', 'ba', 'bb']
    """
    yield from map("".join, sequences(letters, longest, shortest))


def document_lists(letters: str, longest: int, most: int = 3) -> Iterator[list[str]]:
    """Every list of two to `most` non-empty texts with at most `longest` letters in all, shorter ones first.

    >>> list(itertools.islice(document_lists("ab", 3), 5))
    [['a', 'a'], ['a', 'b'], ['b', 'a'], ['b', 'b'], ['a', 'aa']]
    """
    for total in range(2, longest + 1):
        for number in range(2, min(most, total) + 1):
            for cuts in itertools.combinations(range(1, total), number - 1):
                edges = [0, *cuts, total]
                for text in texts(letters, total, total):
                    yield [text[i:j] for i, j in itertools.pairwise(edges)]


def has_runs(sequence: Sequence) -> bool:
    """Whether two neighbours are equal.

    >>> has_runs("abba"), has_runs("abab"), has_runs("")
    (True, False, False)
    """
    return any(a == b for a, b in itertools.pairwise(sequence))


def random_ids(seeded: random.Random, length: int, alphabet: Sequence[int]) -> list[int]:
    """Ids in runs of one to five equal ones, so that overlaps are frequent."""
    ids: list[int] = []
    while len(ids) < length:
        ids += [seeded.choice(alphabet)] * seeded.choice((1, 1, 1, 2, 3, 4, 5))
    return ids[:length]


def random_text(seeded: random.Random, length: int, letters: str) -> str:
    """Letters drawn with unequal weights, as in language, with runs in between."""
    weights = [1 / rank for rank in range(1, len(letters) + 1)]
    drawn: list[str] = []
    while len(drawn) < length:
        drawn += seeded.choices(letters, weights) * seeded.choice((1, 1, 1, 1, 2, 3))
    return "".join(drawn[:length])


def random_documents(seeded: random.Random, number: int, length: int, letters: str) -> list[str]:
    """Texts of unequal lengths, about `length` letters each; the first is empty."""
    return ["", *(random_text(seeded, seeded.randint(1, 2 * length), letters) for _ in range(number - 1))]


def tied_counts(seeded: random.Random, size: int, count: int = 7) -> dict[tuple[int, int], int]:
    """Counts of `size` pairs, some of lower count, in which the wrong ways to break the tie all miss the smallest pair.

    The smallest of the most frequent pairs is not the first seen, not the last seen, not the greatest, not the first as
    text ("(1000, 5)" is below "(99, 7)"), and shares its first id with another.

    >>> counts = tied_counts(random.Random(1), 12)
    >>> best = [pair for pair in counts if counts[pair] == 7]
    >>> min(best) in (best[0], best[-1], max(best), min(best, key=str))
    False
    """
    first, low = seeded.randint(20, 99), seeded.randint(20, 98)
    smallest, sibling = (first, low), (first, seeded.randint(low + 1, 99))
    rarer = {(seeded.randint(1, first - 1), seeded.randint(0, 2_000)) for _ in range(size // 3)}
    others = {(1000, seeded.randint(0, 9))}
    while len(others) < max(size - len(rarer) - 2, 3):
        others.add((seeded.randint(100, 999), seeded.randint(0, 2_000)))
    start, *middle, end = seeded.sample(sorted(others), len(others))
    middle += [smallest, *sorted(rarer)]
    seeded.shuffle(middle)
    order = [start, sibling, *middle, end]  # the sibling comes first: comparing first ids alone fails
    return {pair: seeded.randint(1, count - 1) if pair in rarer else count for pair in order}


def tied_documents(seeded: random.Random, copies: int = 3) -> list[str]:
    """Two-letter documents whose pairs all tie, `copies` times each, so that the tie rule alone decides every round.

    The smallest pair is neither the first nor the last seen, nor the greatest, nor the first as text: its letters are
    below "d" (byte 100), the others' are not, and "(100" is below "(99".

    >>> documents = tied_documents(random.Random(1))
    >>> min(documents) in (documents[0], documents[-1], max(documents))
    False
    """
    low = seeded.sample("PQRSTUVWXYZ", 4)
    high = seeded.sample("defghijklmnopqrstuvwxyz", 10)
    pairs = ["".join(high[i : i + 2]) for i in range(0, 10, 2)]
    small = ["".join(low[:2]), "".join(low[2:])]
    middle = [*small, *pairs[2:]]
    seeded.shuffle(middle)
    return [pairs[0], *middle, pairs[1]] * copies
