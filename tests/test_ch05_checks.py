"""Chapter 5's checks find state kept between calls."""

import pytest
from inprocess import grade
from test_catalogue import ROOT, source_with

from autograder.checks.api import LEFT_BEHIND
from autograder.checks.ch05_pretokenized_bpe import PREDICTED_TEXT
from autograder.reference.pretokenized_bpe import pretokenize

CHAPTER = "05_pretokenized_bpe"


@pytest.fixture(autouse=True)
def chapter_folder(monkeypatch):
    monkeypatch.chdir(ROOT / "solutions" / CHAPTER)


# What a first correct call must not lend to the next one.
STATEFUL = {
    "count_pretokens": """
def count_pretokens(text, special_tokens, counts={}):
    for part in split_on_special(text, special_tokens):
        for piece in pretokenize(part):
            key = tuple(bytes([byte]) for byte in piece.encode("utf-8"))
            counts[key] = counts.get(key, 0) + 1
    return counts
""",
    "train_bpe": """
vocab = {i: bytes([i]) for i in range(256)}
def train_bpe(input_path, vocab_size, special_tokens):
    for token in special_tokens:
        vocab[len(vocab)] = token.encode("utf-8")
    counts = count_pretokens(Path(input_path).read_bytes().decode(), special_tokens)
    merges = learn_merges(counts, vocab_size - len(vocab))
    for first, second in merges:
        vocab[len(vocab)] = first + second
    return vocab, merges
""",
}


@pytest.mark.parametrize("name", STATEFUL)
def test_state_kept_between_calls_is_found(name):
    results, _ = grade(CHAPTER, f"test_{name}", source_with(CHAPTER, name, STATEFUL[name]))
    assert sum(result.status == "failed" for result in results) >= 3
    assert any(LEFT_BEHIND in result.message for result in results)


def test_what_is_wrong_by_itself_too_is_not_laid_to_earlier_calls():
    wrong = "def count_pretokens(text, special_tokens): return {}"
    results, _ = grade(CHAPTER, "test_count_pretokens", source_with(CHAPTER, "count_pretokens", wrong))
    assert [result.name for result in results if result.status == "passed"] == []
    assert not any(LEFT_BEHIND in result.message for result in results)


LISTS = {
    "iter": "def pretokenize(text): return iter(regex.findall(GPT2_PATTERN, text))",
    "yield from": "def pretokenize(text): yield from regex.findall(GPT2_PATTERN, text)",
    "loop": "def pretokenize(text):\n    for piece in regex.findall(GPT2_PATTERN, text):\n        yield piece",
    "kept": """
KNOWN = {}
def pretokenize(text):
    if text not in KNOWN:
        KNOWN[text] = regex.findall(GPT2_PATTERN, text)
    return iter(KNOWN[text])
""",
}


@pytest.mark.parametrize("hidden", LISTS.values(), ids=LISTS)
def test_a_list_behind_an_iterator_is_not_lazy(hidden):
    results, _ = grade(CHAPTER, "test_pretokenize", source_with(CHAPTER, "pretokenize", hidden))
    assert [result.name for result in results if result.status != "passed"] == ["lazy"]


def test_an_empty_pretoken_too_many_is_wrong(tmp_path):
    """Joined, the prediction still gives the text; the check finds the place where it goes on too long."""
    answer = f"predict_pretokens = {[*pretokenize(PREDICTED_TEXT), '']}"
    results, _ = grade(CHAPTER, "test_predict_pretokens", answer, str(tmp_path))
    assert [(result.status, result.needs_person) for result in results] == [("failed", False)]
