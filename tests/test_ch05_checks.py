"""Chapter 5's checks meet answers of every odd kind without a fault of their own, and are worth what the cells say."""

import nbformat
import pytest
from inprocess import grade
from test_catalogue import ROOT, solution_cells, source_with

from autograder.checks.runner import chapter_checks

CHAPTER = "05_pretokenized_bpe"
VALUES = {"predict_pretokens", "predict_merges"}
ODD = {
    "none": "None", "number": "3", "text": "'x'", "nested": "[None]", "pair": "({}, [])", "wrong_pair": "(3, 4)",
    "vocabulary": "({1: 'a', (2,): b'', None: [1]}, [(b'a', 3), 3, None])", "dictionary": "{(1, (2,)): None}",
    "merges": "({0: b'a'}, [(b'a', b'b', b'c')])", "generator": "(i for i in range(3))", "object": "object()",
    "error": "1 / 0", "self": "(lambda a: a.append(a) or a)([])", "surrogate": "['\\ud800']", "huge": "10 ** 5000",
    "frames": "(pd.DataFrame({n: [None] for n in ('pretoken', 'count', 'cut', 'vocab_size', 'ratio')}), plt.figure())",
}
CHANGES_NOTHING = {"tokens_unchanged", "counts_unchanged", "special_tokens_unchanged"}


@pytest.fixture(autouse=True)
def chapter_folder(monkeypatch):
    monkeypatch.chdir(ROOT / "solutions" / CHAPTER)


@pytest.mark.parametrize("odd", ODD)
def test_odd_answers_fail_and_break_nothing(odd, tmp_path):
    source = solution_cells(CHAPTER)[""]
    for cell, checks in chapter_checks(CHAPTER).items():
        name = cell.removeprefix("test_")
        is_value = name in VALUES and odd != "error"
        body = f"{name} = {ODD[odd]}" if is_value else f"def {name}(*a): return {ODD[odd]}"
        results, _ = grade(CHAPTER, cell, f"{source}\n{body}\n", str(tmp_path))
        assert len(results) == len(checks)
        # A function that does nothing changes nothing, and these checks ask for just that.
        assert {result.name for result in results if result.status == "passed"} <= CHANGES_NOTHING


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
def test_state_kept_between_calls_is_found(name, tmp_path):
    results, _ = grade(CHAPTER, f"test_{name}", source_with(CHAPTER, name, STATEFUL[name]), str(tmp_path))
    assert sum(result.status == "failed" for result in results) >= 3


def test_a_list_behind_an_iterator_is_not_lazy(tmp_path):
    hidden = "def pretokenize(text): return iter(regex.findall(GPT2_PATTERN, text))"
    results, _ = grade(CHAPTER, "test_pretokenize", source_with(CHAPTER, "pretokenize", hidden), str(tmp_path))
    assert [result.name for result in results if result.status != "passed"] == ["lazy"]


def test_points_in_cells_and_text_are_those_of_the_checks():
    checks = chapter_checks(CHAPTER)
    total = 0
    notebook = nbformat.read(ROOT / "solutions" / CHAPTER / "pretokenized_bpe.ipynb", as_version=4)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    for cell in notebook.cells:
        grading = cell.metadata.get("nbgrader", {})
        if grading.get("grade"):
            total += grading["points"]
            if cell.cell_type == "code":
                assert grading["points"] == sum(one.points for one in checks[grading["grade_id"]]), grading["grade_id"]
                name = grading["grade_id"].removeprefix("test_")
                assert f"`{name}` ({grading['points']} point" in text, name
    assert total == 40
