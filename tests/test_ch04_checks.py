"""Chapter 4's checks find state kept between calls."""

import pytest
from inprocess import failing, grade
from test_catalogue import ROOT, source_with

CHAPTER = "04_byte_bpe"


@pytest.fixture(autouse=True)
def chapter_folder(monkeypatch):
    monkeypatch.chdir(ROOT / "solutions" / CHAPTER)


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
def test_state_between_calls_is_found(source):
    results, _ = grade(CHAPTER, "test_fit_splits", source_with(CHAPTER, "fit_splits", source))
    refusals = {"refuses_a_text_in_two_splits", "refuses_other_keys"}  # left out above for brevity
    assert failing(results) == {"keeps_nothing"} | refusals
