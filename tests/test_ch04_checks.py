"""Chapter 4's checks meet answers of every odd kind without a fault of their own, and find state kept between calls."""

import pytest
from inprocess import failing, grade
from test_catalogue import ROOT, solution_cells, source_with

from autograder.checks.runner import chapter_checks

CHAPTER = "04_byte_bpe"
ODD = {
    "none": "None", "number": "3", "nested": "[None, [[]], {1: [b'']}]", "object": "object()",
    "generator": "(i for i in range(3))", "pair": "(1, 2)", "keys": "{'merges': 3, 'encoded': None, (1, 2): {}}",
    "error": "1 / 0", "self": "(lambda a: a.append(a) or a)([])",
}
CHANGES_NOTHING = {"leaves_merges_alone", "encode_leaves_merges_alone", "leaves_splits_alone", "nothing_left_beside"}


@pytest.fixture(autouse=True)
def chapter_folder(monkeypatch):
    monkeypatch.chdir(ROOT / "solutions" / CHAPTER)


@pytest.mark.parametrize("odd", ODD)
def test_odd_answers_fail_and_break_nothing(odd, tmp_path):
    source = solution_cells(CHAPTER)[""]
    for cell, checks in chapter_checks(CHAPTER).items():
        name = cell.removeprefix("test_")
        is_value = name == "duplicate_example" and odd != "error"
        body = f"{name} = {ODD[odd]}" if is_value else f"def {name}(*a): return {ODD[odd]}"
        results, _ = grade(CHAPTER, cell, f"{source}\n{body}\n", str(tmp_path))
        assert len(results) == len(checks)
        # A function that does nothing changes nothing, and these checks ask for just that.
        assert {result.name for result in results if result.status == "passed"} <= CHANGES_NOTHING


STATEFUL = {
    "a mutable default": """
def fit_splits(splits, max_merges, _seen=[]):
    _seen += splits["train"]
    merges = fit_merges(_seen, max_merges)
    encoded = {name: [encode(text, merges) for text in splits[name]] for name in splits}
    return {"merges": merges, "digest": digest(merges), "encoded": encoded}
""",
    "a global cache that forgets what it was for": """
CACHE = {}
def fit_splits(splits, max_merges):
    if max_merges not in CACHE:
        CACHE[max_merges] = fit_merges(splits["train"], max_merges)
    merges = CACHE[max_merges]
    encoded = {name: [encode(text, merges) for text in splits[name]] for name in splits}
    return {"merges": merges, "digest": digest(merges), "encoded": encoded}
""",
    "a class attribute that also learns from what is encoded": """
class Store:
    texts = []
def remember(text, merges, own=encode):
    Store.texts.append(text)
    return own(text, merges)
encode = remember
def fit_splits(splits, max_merges):
    merges = fit_merges([*splits["train"], *Store.texts], max_merges)
    encoded = {name: [encode(text, merges) for text in splits[name]] for name in splits}
    return {"merges": merges, "digest": digest(merges), "encoded": encoded}
""",
}


@pytest.mark.parametrize("source", STATEFUL.values(), ids=STATEFUL)
def test_state_between_calls_is_found(source, tmp_path):
    results, _ = grade(CHAPTER, "test_fit_splits", source_with(CHAPTER, "fit_splits", source), str(tmp_path))
    refusals = {"refuses_a_text_in_two_splits", "refuses_other_keys"}  # left out above for brevity
    assert failing(results) == {"keeps_nothing"} | refusals
