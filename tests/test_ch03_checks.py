"""Chapter 3's checks find state kept between calls."""

import pytest
from inprocess import grade
from test_catalogue import ROOT, source_with

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
