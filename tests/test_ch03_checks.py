"""Chapter 3's checks find state kept between calls, and answers that the next call overwrites."""

import pytest
from inprocess import grade
from test_catalogue import ROOT, source_with

from autograder.sandbox.inside import wire

CHAPTER = "03_naive_bpe"


@pytest.fixture(autouse=True)
def chapter_folder(monkeypatch):
    monkeypatch.chdir(ROOT / "solutions" / CHAPTER)


# What a first correct call must not lend to the next one.
STATEFUL = {
    "count_pairs": """
def count_pairs(sequences, counts={}):
    for ids in sequences:
        for pair in zip(ids, ids[1:]):
            counts[pair] = counts.get(pair, 0) + 1
    return counts
""",
    "fit_merges": """
rows = []
def fit_merges(documents, max_merges):
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges")
    rows.extend(list(text.encode("utf-8")) for text in documents)
    current, merges = rows, []
    for new_id in range(258, 258 + max_merges):
        counts = count_pairs(current)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, new_id))
        current = [merge_pair(ids, pair, new_id) for ids in current]
    return merges
""",
}


@pytest.mark.parametrize("name", STATEFUL)
def test_state_kept_between_calls_is_found(name):
    results, _ = grade(CHAPTER, f"test_{name}", source_with(CHAPTER, name, STATEFUL[name]))
    assert sum(result.status == "failed" for result in results) >= 3


# Right each time, and wrong for whoever keeps an answer: the next call overwrites it.
OVERWRITTEN = {
    "count_pairs": """
counts = {}
def count_pairs(sequences):
    counts.clear()
    for ids in sequences:
        for pair in zip(ids, ids[1:]):
            counts[pair] = counts.get(pair, 0) + 1
    return counts
""",
    "merge_pair": """
merged = []
def merge_pair(ids, pair, new_id):
    merged.clear()
    for one in ids:
        if merged and merged[-1] == (pair[0],) and one == pair[1]:
            merged[-1] = new_id
        else:
            merged.append((one,) if one == pair[0] else one)
    merged[:] = [one[0] if isinstance(one, tuple) else one for one in merged]
    return merged
""",
}


@pytest.mark.parametrize(("name", "check"), [("count_pairs", "sequences_unchanged"), ("merge_pair", "ids_unchanged")])
def test_a_list_or_dict_that_every_call_returns_anew_is_found(name, check):
    results, _ = grade(CHAPTER, f"test_{name}", source_with(CHAPTER, name, OVERWRITTEN[name]))
    assert [result.name for result in results if result.status == "failed"] == [check]
    assert any(wire.OVERWRITTEN in result.counterexample.got for result in results if result.counterexample)
