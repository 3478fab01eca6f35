"""The reference of chapter 8 against worked examples, and against other ways to the same numbers."""

import itertools
import statistics
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.reference import byte_bpe, experiments, incremental_bpe, lecture_bpe, pretokenized_bpe
from autograder.reference.experiments import LearntBPE

TEXTS = ["low low lower lowest", "the cat sat on the mat; the cat", "é é漢字 漢字", "aaaa aaa aa a", "it's  a\n\nb\n"]


class Known:
    """A tokenizer that gives each text so many ids."""

    def __init__(self, sizes):
        self.sizes = sizes

    def encode(self, text):
        return [0] * self.sizes[text]


@pytest.mark.parametrize("text", TEXTS)
def test_ids_of_the_library_stand_for_all_bytes(text):
    learnt = LearntBPE([text], 1000)
    pieces = [learnt.model.id_to_token(one) for one in learnt.encode(text)]
    assert sum(map(len, pieces)) == len(text.encode())  # one letter for each byte


def test_learning_stops_when_no_pair_stands_at_two_places():
    """`abab`: (a, b) stands at two places; then ab ab is left, whose one pair stands at one."""
    assert LearntBPE(["abab"], 1000).vocab_size == 257
    assert LearntBPE(["ab"], 1000).vocab_size == 256


def test_sweep_by_hand():
    """`abab abab` has (a, b) at 4 places: 9 bytes become ab ab _ ab ab, 5 tokens; `abé` becomes ab and two bytes."""
    frame = experiments.sweep({"train": ["abab abab"], "new": ["abé", "a"]}, [256, 257])
    assert frame["tokens"].tolist() == [9, 5, 5, 4]  # at 256 ids, then at 257
    assert frame["bytes"].tolist() == [9, 5, 9, 5]
    assert frame["ratio"].tolist() == [1.0, 1.0, 9 / 5, 5 / 4]


def test_sweep_learns_from_train_only():
    one = experiments.sweep({"train": TEXTS[:2], "new": TEXTS[2:]}, [260, 300])
    other = experiments.sweep({"new": ["zz zz zz"], "train": TEXTS[:2]}, [260, 300])
    for name in ("vocab_size", "tokens"):
        assert one[one["split"] == "train"][name].tolist() == other[other["split"] == "train"][name].tolist()


@given(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 99), min_size=1))
def test_taxes_multiply_back_to_tokens(table):
    """The base has tax 1; tax times the base's tokens are the tokens; rows rise."""
    texts = {language: f"a text in {language}" for language in table}
    sizes = {texts[language]: size for language, size in table.items()}
    base = next(iter(table))
    frame = experiments.token_tax(texts, dict.fromkeys(texts, "x"), Known(sizes), base)
    assert frame.set_index("language").loc[base, "tax"] == 1
    assert [Fraction(t).limit_denominator(200) * table[base] for t in frame["tax"]] == frame["tokens"].tolist()
    assert frame["tax"].is_monotonic_increasing


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.integers(8, 80).map(lambda n: n / 8)), min_size=1))
def test_medians_are_those_of_numpy(taxes):
    frame = experiments.tax_by_script([{"script": script, "tax": tax} for script, tax in taxes])
    for row in frame.itertuples():
        own = [tax for script, tax in taxes if script == row.script]
        assert (row.median, row.languages) == (np.median(own), len(own))


@pytest.mark.parametrize(("rule", "learn"), [
    ("R1", lambda text: [pair for pair, _ in incremental_bpe.fit_merges([text], 3)]),
    ("R3", lambda text: list(lecture_bpe.lecture_merges(text, 1))),
])
@pytest.mark.parametrize("text", ["babab", "ababa", "cabcab", "zazaz", "abcabc"])
def test_ties_break_as_in_the_chapters_before(rule, learn, text):
    """The first rule of the course's own trainers is the one that `break_tie` takes among the most frequent pairs."""
    ids = list(text.encode())
    counts = {}
    for pair in itertools.pairwise(ids):
        counts[pair] = counts.get(pair, 0) + 1
    tied = [pair for pair in counts if counts[pair] == max(counts.values())]
    pieces = {byte: bytes([byte]) for byte in range(256)}
    assert experiments.break_tie(tied, pieces, rule) == learn(text)[0]


@given(st.lists(st.tuples(st.sampled_from([b"a", b"ab", b"b"]), st.sampled_from([b"a", b"aa", b"c"])), min_size=1))
def test_r2_breaks_ties_as_pretokenized_training_does(pairs):
    pieces = [*dict.fromkeys(part for pair in pairs for part in pair)]
    tied = [(pieces.index(left), pieces.index(right)) for left, right in pairs]
    left, right = experiments.break_tie(tied, dict(enumerate(pieces)), "R2")
    assert (pieces[left], pieces[right]) == pretokenized_bpe.best_pair(dict.fromkeys(pairs, 1))


def test_divergence_by_hand():
    """x y z against x z w: one place in common; after three rules x and z are in both."""
    x, y, z, w = ((letter, letter) for letter in (b"x", b"y", b"z", b"w"))
    frame = experiments.divergence({"one": [x, y, z], "two": [x, z, w]}, "one", [2, 3])
    assert frame[frame["rule_set"] == "two"][["same_place", "same_rules"]].values.tolist() == [[1, 1], [1, 2]]
    assert frame[frame["rule_set"] == "one"][["same_place", "same_rules"]].values.tolist() == [[2, 2], [3, 3]]


def test_the_seed_decides_hashes():
    """The same seed gives the same hash, another seed another one, and seed 0 switches randomisation off."""
    same = {experiments.run_with_seed("print(hash('low'))", 1) for _ in range(2)}
    assert len(same) == 1
    assert experiments.run_with_seed("print(hash('low'))", 2) not in same
    assert experiments.run_with_seed("import sys; print(sys.flags.hash_randomization, sys.executable)", 0) == (
        f"0 {sys.executable}")
    with pytest.raises(subprocess.CalledProcessError):
        experiments.run_with_seed("1 / 0", 0)


@given(st.lists(st.binary(min_size=1, max_size=4), max_size=30), st.integers(1, 7))
def test_windows_are_every_nth_of_those_of_chapter_4(pieces, window):
    """Side by side they are the overlapping windows that start at 0, n, 2n …"""
    text = b"".join(pieces)
    starts = np.cumsum([0, *map(len, pieces)])
    overlapping = [int(end - start) for start, end in zip(starts, starts[window:], strict=False)]
    assert experiments.window_bytes(pieces, window) == overlapping[::window]
    assert sum(experiments.window_bytes(pieces, 1)) == len(text)


def test_windows_of_bytes_agree_with_chapter_4():
    assert experiments.window_bytes([b"a", b"b", b"c"], 3) == byte_bpe.context_bytes("abc", [], 3)


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("shape", [(300, 64, 2), (50_000, 768, 12), (7, 1, 1)])
def test_embedding_shares_are_exact_fractions(shape, tied):
    vocab_size, d_model, layers = shape
    tables = byte_bpe.embedding_parameters(vocab_size, d_model, tied)
    assert experiments.embedding_share(*shape, tied) == float(Fraction(tables, tables + 12 * layers * d_model**2))


@given(st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(1, 50), min_size=1), min_size=1))
def test_coverage_is_an_empirical_distribution(sizes):
    """At its last place among equals, the share is the share of windows that are not larger."""
    columns = experiments.coverage(sizes)
    rows = list(zip(*columns.values(), strict=True))
    for text, own in sizes.items():
        last = {size: share for name, size, share in rows if name == text}
        assert last == {size: sum(other <= size for other in own) / len(own) for size in own}
        assert statistics.median_low(own) == min(size for size, share in last.items() if share >= 0.5)
