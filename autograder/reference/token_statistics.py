"""What is measured of a tokenizer: compression ratio, cost of attention, use of the vocabulary, ranks and counts.

The tables are DataFrames; nothing is drawn here.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Protocol

import pandas as pd

__all__ = [
    "Tokenizer", "attention_cost", "get_compression_ratio", "rank_frequency", "ratio_by_language", "sparsity",
    "vocabulary_use",
]


class Tokenizer(Protocol):
    """What every tokenizer has: the number of its ids, and a way from text to ids."""

    vocab_size: int

    def encode(self, string: str) -> list[int]: ...


def get_compression_ratio(string: str, indices: Sequence[int]) -> float:
    """UTF-8 bytes of `string` for each token; `ValueError` where either is empty.

    >>> get_compression_ratio("héllo", [7, 8, 9])
    2.0
    """
    if not string:
        raise ValueError("string is empty: there is nothing to compress")
    if len(indices) == 0:
        raise ValueError("indices is empty: no tokens cannot stand for a text")
    return len(string.encode("utf-8")) / len(indices)


def attention_cost(num_tokens: int) -> int:
    """Scores that one attention head computes for a sequence: each token with each, itself included.

    `TypeError` for anything but an int (a bool is none), `ValueError` for a negative one.

    >>> attention_cost(1000)
    1000000
    """
    if type(num_tokens) is not int:
        raise TypeError(f"num_tokens must be an int, not {type(num_tokens).__name__}")
    if num_tokens < 0:
        raise ValueError(f"num_tokens must not be negative, but is {num_tokens}")
    return num_tokens**2


def vocabulary_use(tokenizer: Tokenizer, text: str) -> pd.DataFrame:
    """How often each id of the vocabulary occurs in the encoded text, most used first, ties by id.

    >>> from autograder.reference.simple_tokenizers import WordTokenizer
    >>> vocabulary_use(WordTokenizer(["a b a c"], 5), "b b").values.tolist()
    [[3, 2], [1, 1], [0, 0], [2, 0], [4, 0]]
    """
    counts = Counter(tokenizer.encode(text))
    rows = sorted(((index, counts[index]) for index in range(tokenizer.vocab_size)), key=lambda row: (-row[1], row[0]))
    return pd.DataFrame(rows, columns=["id", "count"])


def sparsity(counts: Sequence[int]) -> dict[str, float]:
    """The shares of the vocabulary that are never used and used exactly once; `ValueError` for no counts.

    >>> sparsity([3, 1, 0, 0])
    {'never': 0.5, 'once': 0.25}
    """
    counts = list(counts)
    if not counts:
        raise ValueError("counts is empty: a share of no tokens means nothing")
    return {"never": counts.count(0) / len(counts), "once": counts.count(1) / len(counts)}


def ratio_by_language(ratios: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """Languages as index, one column for each tokenizer, from the lowest to the highest ratio of the first one.

    >>> ratio_by_language({"char": {"Thai": 2.8, "English": 1.0}}).index.tolist()
    ['English', 'Thai']
    """
    table = pd.DataFrame(ratios)
    return table.sort_values(table.columns[0], kind="stable")


def rank_frequency(encoded: Mapping[str, Sequence[int]]) -> pd.DataFrame:
    """For each named sequence of ids: rank 1 for the most frequent id, and how often it occurs.

    >>> rank_frequency({"x": [5, 9, 5]}).values.tolist()
    [['x', 1, 2], ['x', 2, 1]]
    """
    rows = [
        (name, rank, count)
        for name, indices in encoded.items()
        for rank, count in enumerate(sorted(Counter(indices).values(), reverse=True), start=1)
    ]
    return pd.DataFrame(rows, columns=["tokenizer", "rank", "count"])
