"""What is measured of tokenizers, by other ways of computing it."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.reference.simple_tokenizers import ByteTokenizer, CharacterTokenizer
from autograder.reference.token_statistics import (
    attention_cost,
    get_compression_ratio,
    rank_frequency,
    ratio_by_language,
    sparsity,
    vocabulary_use,
)


@given(st.text(min_size=1), st.lists(st.integers(), min_size=1))
def test_the_ratio_counts_bytes_by_their_lead(text, indices):
    size = sum(1 if c < "\x80" else 2 if c < "\u0800" else 3 if c < "\U00010000" else 4 for c in text)
    assert Fraction(get_compression_ratio(text, indices)).limit_denominator(10**6) == Fraction(size, len(indices))


@given(st.text(min_size=1))
def test_bytes_have_ratio_one_and_characters_at_least_one(text):
    assert get_compression_ratio(text, ByteTokenizer().encode(text)) == 1
    assert 1 <= get_compression_ratio(text, CharacterTokenizer().encode(text)) <= 4


@pytest.mark.parametrize(
    ("string", "indices", "named"), [("", [], "string"), ("", [1], "string"), ("a", [], "indices")]
)
def test_nothing_has_no_ratio(string, indices, named):
    with pytest.raises(ValueError, match=named):
        get_compression_ratio(string, indices)


@given(st.integers(0, 300))
def test_the_cost_is_the_size_of_the_table(num_tokens):
    assert attention_cost(num_tokens) == np.ones((num_tokens, num_tokens)).size


def test_the_cost_is_exact_and_particular():
    assert attention_cost(10**20) == 10**40
    for wrong in (True, 1.0, "1", None):
        with pytest.raises(TypeError, match="num_tokens"):
            attention_cost(wrong)
    with pytest.raises(ValueError, match="num_tokens"):
        attention_cost(-1)


@given(st.lists(st.integers(97, 100), max_size=30))
def test_use_of_the_bytes_as_numpy_counts_it(data):
    use = vocabulary_use(ByteTokenizer(), bytes(data).decode())
    assert use.set_index("id")["count"].sort_index().tolist() == np.bincount(data or [0], minlength=256).tolist() or (
        not data and not use["count"].any()
    )
    assert use.sort_values(["count", "id"], ascending=[False, True]).equals(use)


@given(st.lists(st.integers(0, 3), min_size=1))
def test_shares(counts):
    array = np.array(counts)
    assert sparsity(counts) == {"never": (array == 0).mean(), "once": (array == 1).mean()}


def test_no_counts_have_no_shares():
    with pytest.raises(ValueError, match="counts"):
        sparsity([])


def test_languages_by_the_first_tokenizer():
    table = ratio_by_language({"a": {"x": 2.0, "y": 1.0, "z": 1.5}, "b": {"x": 1.0, "y": 2.0, "z": 3.0}})
    assert table.index.tolist() == ["y", "z", "x"]
    assert table["b"].tolist() == [2.0, 3.0, 1.0]


@given(st.lists(st.integers(0, 5), min_size=1))
def test_ranks(indices):
    frame = rank_frequency({"any": indices})
    assert frame["rank"].tolist() == list(range(1, len(set(indices)) + 1))
    assert frame["count"].sum() == len(indices)
    assert frame["count"].is_monotonic_decreasing
