"""Chapter 4's checks find state kept between calls, and a file's parts judged in another order."""

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


def test_a_version_that_is_judged_last_is_found():
    """No answer tells it from other refusals but its message, so no misconception can be named."""
    last = """
def load_tokenizer(path):
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or not {"version", "merges", "digest"} <= set(found):
        raise ValueError("a key is missing")
    try:
        merges = [((left, right), new_id) for (left, right), new_id in found["merges"]]
    except (TypeError, ValueError):
        raise ValueError("merges") from None
    token_table(merges)
    if found["digest"] != digest(merges):
        raise ValueError("digest")
    if type(found["version"]) is not int or found["version"] != 1:
        raise ValueError("version")
    return merges
"""
    results, _ = grade(CHAPTER, "test_load_tokenizer", source_with(CHAPTER, "load_tokenizer", last))
    assert failing(results) == {"unknown_version"}
