"""The plain trainers against worked examples, a second implementation of each rule set, and Hugging Face's trainer."""

import os
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, trainers

from autograder.checks.inputs import NASTY_TEXTS, texts
from autograder.reference import lecture_bpe, naive_bpe

EXAMPLES = int(os.environ.get("HYPOTHESIS_EXAMPLES", "60"))

ids = st.lists(st.integers(1, 3), max_size=30)
documents = st.lists(st.text(alphabet="abé ", max_size=20), max_size=4)


def spelled(pairs, first_id: int) -> list[str]:
    pieces = {byte: bytes([byte]) for byte in range(256)}
    for new_id, (a, b) in enumerate(pairs, first_id):
        pieces[new_id] = pieces[a] + pieces[b]
    return [pieces[new_id].decode() for new_id in range(first_id, len(pieces) + first_id - 256)]


def learnt(text: str | list[str], merges: int) -> list[str]:
    """The tokens that R1 learns, as text."""
    several = [text] if isinstance(text, str) else text
    return spelled([pair for pair, _ in naive_bpe.fit_merges(several, merges)], naive_bpe.FIRST_RULE)


def fit_by_replacing_bytes(text: str, max_merges: int) -> list[tuple[int, int]]:
    """R1 on one document in another way: ids as characters of a str, whose own replace works from left to right."""
    row = "".join(chr(0x4E00 + byte) for byte in text.encode())
    pairs = []
    for rank in range(max_merges):
        windows = [row[i : i + 2] for i in range(len(row) - 1)]
        ranked = sorted(set(windows), key=lambda window: (-windows.count(window), window))
        if not ranked or windows.count(ranked[0]) < 2:
            break
        pairs.append((ord(ranked[0][0]) - 0x4E00, ord(ranked[0][1]) - 0x4E00))
        row = row.replace(ranked[0], chr(0x4E00 + 258 + rank))
    return pairs


def fit_with_hugging_face(text: str, max_merges: int) -> list[str]:
    """The tokens that `tokenizers` learns from one word; it too counts overlaps and gives ties to the smallest ids."""
    tokenizer = Tokenizer(models.BPE())
    alphabet = sorted(set(text))
    trainer = trainers.BpeTrainer(
        vocab_size=len(alphabet) + max_merges, min_frequency=2, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator([text], trainer)
    vocabulary = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    return [token for token, _ in vocabulary[len(alphabet) :]]


@pytest.mark.parametrize(
    ("text", "merges", "expected"),
    [
        ("aaa", 1, ["aa"]),  # counts without overlaps would find one place
        ("babab", 1, ["ab"]),  # first seen: ba
        ("ababa", 1, ["ab"]),  # greatest: ba
        ("ababa", 2, ["ab"]),  # a stale count of (b, a) would be believed
        ("baabaab", 2, ["aa", "baa"]),  # by bytes: aab
        ("aa", 1, []),  # at one place only
        ("aaabab", 2, ["aa", "ab"]),  # right to left leaves ab at one place
        ("aaaaa", 2, ["aa"]),  # replacing the first place only leaves another
        (["a", "aa"], 1, []),  # pairs do not cross documents
        ("aaaababab", 2, ["aa", "ab"]),
        ("aaaaaa", 2, ["aa", "aaaa"]),  # pairs of two new ids
        ("aaabdaaabac", 3, ["aa", "ab", "aaab"]),  # the encyclopaedia's example
    ],
)
def test_smallest_inputs_on_which_mistakes_show(text, merges, expected):
    assert learnt(text, merges) == expected


def test_a_round_by_hand():
    """`aaaa`: (a, a) at places 0, 1 and 2; two replacements; then (258, 258) at one place, so training stops."""
    (only,) = naive_bpe.rounds(["aaaa"], 9)
    assert (only.rank, only.pair, only.piece, only.count, only.tied) == (0, (97, 97), b"aa", 3, 1)
    assert (only.tokens_before, only.tokens_after, only.after) == (4, 2, [[258, 258]])


def test_every_small_text_as_a_second_implementation_has_it():
    for text in texts("ab", 8):
        assert [pair for pair, _ in naive_bpe.fit_merges([text], 4)] == fit_by_replacing_bytes(text, 4), text


@pytest.mark.parametrize("text", NASTY_TEXTS)
def test_hard_texts_as_a_second_implementation_has_them(text):
    assert [pair for pair, _ in naive_bpe.fit_merges([text * 3], 20)] == fit_by_replacing_bytes(text * 3, 20)


@given(st.lists(st.sampled_from("abcde"), min_size=1, max_size=60).map("".join))
@settings(max_examples=EXAMPLES, deadline=None)
def test_first_rules_are_those_of_hugging_face(text):
    """Only the first rule: later ones differ on runs, where their counts are updated and ours are taken anew."""
    assert learnt(text, 1) == fit_with_hugging_face(text, 1)


@given(ids, st.tuples(st.integers(1, 3), st.integers(1, 3)))
@settings(max_examples=EXAMPLES, deadline=None)
def test_merging_keeps_the_bytes_and_leaves_no_place(sequence, pair):
    before = list(sequence)
    merged = naive_bpe.merge_pair(sequence, pair, 9)
    assert sequence == before
    assert [part for one in merged for part in (pair if one == 9 else (one,))] == sequence
    assert pair not in naive_bpe.count_pairs([merged])


@given(documents, st.integers(0, 12))
@settings(max_examples=EXAMPLES, deadline=None)
def test_doubled_documents_only_go_on_longer(several, merges):
    once, twice = naive_bpe.fit_merges(several, merges), naive_bpe.fit_merges(several * 2, merges)
    assert twice[: len(once)] == once


@given(documents, st.integers(0, 12))
@settings(max_examples=EXAMPLES, deadline=None)
def test_the_saving_is_the_count_unless_the_ids_are_equal(several, merges):
    for one in naive_bpe.rounds(several, merges):
        saved = one.tokens_before - one.tokens_after
        assert saved == one.count if one.pair[0] != one.pair[1] else 0 < saved <= one.count


@pytest.mark.parametrize("wrong", [True, False, -1, 1.0, "1", None])
def test_bad_max_merges_is_refused_by_name(wrong):
    with pytest.raises(ValueError, match="max_merges"):
        naive_bpe.fit_merges(["abab"], wrong)


def test_nothing_to_choose_is_refused_by_name():
    with pytest.raises(ValueError, match="counts"):
        naive_bpe.best_pair({})


def lecture_as_published(string: str, num_merges: int) -> dict:
    """The lecture's loop, with the one change that it ends when no pair is left."""
    indices = list(map(int, string.encode("utf-8")))
    merges = {}
    for i in range(num_merges):
        counts: dict = {}
        for pair in pairwise(indices):
            counts[pair] = counts.get(pair, 0) + 1
        if not counts:
            break
        pair = max(counts, key=counts.get)
        merges[pair] = 256 + i
        new, k = [], 0
        while k < len(indices):
            if k + 1 < len(indices) and (indices[k], indices[k + 1]) == pair:
                new.append(256 + i)
                k += 2
            else:
                new.append(indices[k])
                k += 1
        indices = new
    return merges


def test_the_lecture_trains_as_published():
    for text in [*texts("ab", 7), *NASTY_TEXTS, "the cat in the hat"]:
        assert lecture_bpe.lecture_merges(text, 5) == lecture_as_published(text, 5), text


def test_the_two_rule_sets_part_on_the_encyclopaedias_example():
    assert spelled(lecture_bpe.lecture_merges("aaabdaaabac", 3), 256) == ["aa", "aaa", "aaab"]
