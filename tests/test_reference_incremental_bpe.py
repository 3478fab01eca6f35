"""Incremental training, with NumPy and without, gives what the plain versions give, and reads far less for it."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.checks.inputs import NASTY_TEXTS, document_lists, random_documents, texts, tied_documents
from autograder.reference import array_bpe, incremental_bpe, naive_bpe, pretokenized_bpe, token_line
from autograder.reference.pair_index import PairIndex, Tape

RUNS = st.lists(st.tuples(st.sampled_from("ab "), st.integers(1, 6)), max_size=25).map(
    lambda parts: "".join(letter * times for letter, times in parts)
)
# The smallest inputs on which known mistakes show, and public bug reports, each with the right answer's tokens.
KNOWN = {
    ("aaa", 1): ["aa"], ("ababa", 2): ["ab"], ("aaaababab", 2): ["aa", "ab"], ("aaabab", 2): ["aa", "ab"],
    ("aaaaaa", 2): ["aa", "aaaa"], ("baabaab", 2): ["aa", "baa"], ("aa", 9): [],
    ("aaabdaaabac", 3): ["aa", "ab", "aaab"],
    ("aaaaa", 2): ["aa"], ("babab", 1): ["ab"],
}


def symbols(word: str) -> tuple[bytes, ...]:
    return tuple(bytes([byte]) for byte in word.encode("utf-8"))


FAST = [incremental_bpe.fit_merges, array_bpe.fit_merges]
both = pytest.mark.parametrize("fit_merges", FAST, ids=["loop", "numpy"])


@pytest.fixture(params=[1, 2, 256])
def step(request, monkeypatch):
    """Small steps between the floors, so that small inputs are read again and again, and the step that is used."""
    monkeypatch.setattr(token_line, "STEP", request.param)


@both
def test_r1_on_every_small_text(fit_merges):
    for text in itertools.chain(texts("ab", 9), texts("abc", 6)):
        assert fit_merges([text], 9) == naive_bpe.fit_merges([text], 9), text


@both
def test_r1_on_every_small_list_of_documents(fit_merges):
    for documents in document_lists("ab", 7):
        assert fit_merges(documents, 9) == naive_bpe.fit_merges(documents, 9), documents


@both
@pytest.mark.parametrize(("text", "most"), KNOWN)
def test_r1_on_known_traps(text, most, fit_merges):
    pieces = {byte: bytes([byte]) for byte in range(256)}
    for (a, b), new_id in fit_merges([text], most):
        pieces[new_id] = pieces[a] + pieces[b]
    assert [pieces[new_id].decode() for new_id in sorted(pieces) if new_id > 255] == KNOWN[text, most]


@given(st.lists(RUNS, max_size=4), st.integers(0, 60))
def test_r1_on_runs(documents, most):
    right = naive_bpe.fit_merges(documents, most)
    assert [fit_merges(documents, most) for fit_merges in FAST] == [right, right]


@both
def test_r1_on_large_documents(fit_merges, monkeypatch):
    monkeypatch.setattr(array_bpe, "SLICE", 1000)
    seeded = random.Random(6)
    for documents in (
        random_documents(seeded, 6, 800, "abcdefgh ij"), tied_documents(seeded, 5), list(NASTY_TEXTS) * 3,
        ["a" * 3_000 + "b" * 700], ["ab" * 900 + "a" * 800],
    ):
        assert fit_merges(documents, 300) == naive_bpe.fit_merges(documents, 300)


@both
@pytest.mark.parametrize("value", [True, -1, 2.0, "3", None])
def test_r1_refuses_what_is_no_number_of_merges(value, fit_merges):
    with pytest.raises(ValueError, match="max_merges"):
        fit_merges(["abab"], value)


def test_r2_on_every_small_word(step):
    for word in itertools.chain(texts("ab", 9), texts("abc", 5)):
        counts = {symbols(word): 1}
        assert incremental_bpe.learn_merges(counts, 20) == pretokenized_bpe.learn_merges(counts, 20), word


@given(st.dictionaries(RUNS.map(symbols), st.integers(1, 5), max_size=8), st.integers(0, 80))
def test_r2_on_runs_with_numbers(counts, most):
    assert incremental_bpe.learn_merges(counts, most) == pretokenized_bpe.learn_merges(counts, most)


@given(st.dictionaries(st.text("aéжñ~\0 ", max_size=8).map(symbols), st.integers(1, 3), max_size=8))
def test_r2_on_ties_among_all_bytes(counts):
    assert incremental_bpe.learn_merges(counts, 99) == pretokenized_bpe.learn_merges(counts, 99)


def test_each_changed_place_is_recorded_once_or_twice():
    """A merge records at most two places, so what is recorded does not grow with the number of rounds."""
    text = "".join(random.Random(1).choices("abcdefgh", k=4_000))
    line = token_line.Line([(text.encode(), 1)], 258, lambda pair: pair, least=2, weighted=False)
    recorded = []
    line_replace = line.replace
    line.replace = lambda old, new, places, back: (recorded.extend(places), line_replace(old, new, places, back))
    for new_id in range(258, 458):
        line.merge(line.best(), new_id)
    assert 0 < len(recorded) <= 2 * len(text)


def test_the_array_is_read_again_only_when_no_frequent_pair_is_left():
    text = "ab" * 3_000 + "".join(random.Random(2).choices("cdefgh", k=900))
    line = token_line.Line([(text.encode(), 1)], 258, lambda pair: pair, least=2, weighted=False)
    floors, merges = [line.floor], []
    while (pair := line.best()) is not None:
        floors.append(line.floor)
        merges.append((pair, 258 + len(merges)))
        line.merge(*merges[-1])
    assert floors == sorted(floors, reverse=True)
    assert len(set(floors)) == 2
    assert merges == naive_bpe.fit_merges([text], 10**6)


@given(RUNS)
def test_the_plain_index_on_the_tape_trains_as_the_naive_version(text):
    """What the notebook teaches, with the oracle's index: places stay where they are, and each is looked at again."""
    tape, index, merges = Tape([text.encode()]), PairIndex(), []
    for place, pair in tape.pairs():
        index.add(pair, place)
    while index.count(pair := index.most_frequent("smallest")) >= 2:
        merges.append((pair, 258 + len(merges)))
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, merges[-1][1])
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at)
    assert merges == naive_bpe.fit_merges([text], 99)
