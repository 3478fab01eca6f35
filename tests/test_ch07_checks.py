"""Chapter 7's checks: odd answers, slow versions, and points that agree with the text."""

import nbformat
import pytest
from inprocess import failing, grade
from test_catalogue import ROOT, solution_cells, source_with

from autograder.checks.runner import chapter_checks

CHAPTER = "07_tokenizer"
VALUES = {"joined_bytes_example", "line_example"}
ODD = {
    "none": "None", "number": "3", "nested": "[None, [[]], {1: [b'']}]", "object": "object()",
    "generator": "(i for i in range(3))", "pair": "(pd.DataFrame({'encoder': [None]}), plt.figure())",
    "error": "1 / 0", "self": "(lambda a: a.append(a) or a)([])", "surrogate": "'\\ud800'",
}
CHANGES_NOTHING = {"ranks_unchanged", "tokens_unchanged", "arguments_unchanged"}  # of a result of the right type
METHODS = ("encode", "decode", "encode_iterable", "from_files")


@pytest.fixture(autouse=True)
def chapter_folder(monkeypatch):
    monkeypatch.chdir(ROOT / "solutions" / CHAPTER)


@pytest.mark.parametrize("odd", ODD)
def test_odd_answers_fail_and_break_nothing(odd, tmp_path):
    source = solution_cells(CHAPTER)[""]
    for cell, checks in chapter_checks(CHAPTER).items():
        name = cell.removeprefix("test_")
        is_value = name in VALUES and odd != "error"
        body = f"{name} = {ODD[odd]}" if is_value else f"def {name}(*a, **k): return {ODD[odd]}"
        results, _ = grade(CHAPTER, cell, f"{source}\n{body}\n", str(tmp_path))
        assert len(results) == len(checks)
        assert {result.name for result in results if result.status == "passed"} <= CHANGES_NOTHING


@pytest.mark.parametrize("odd", ODD)
def test_odd_answers_of_methods_fail_and_break_nothing(odd, tmp_path):
    methods = "\n".join(f"    def {name}(self, *a, **k): return {ODD[odd]}" for name in METHODS)
    body = f"class Tokenizer:\n    def __init__(self, *a): pass\n{methods}\n"
    results, _ = grade(CHAPTER, "test_Tokenizer", f"{solution_cells(CHAPTER)['']}\n{body}", str(tmp_path))
    assert {result.name for result in results if result.status == "passed"} <= CHANGES_NOTHING


QUADRATIC = """
def bpe_encode(piece, ranks):
    tokens = [piece[i : i + 1] for i in range(len(piece))]
    while True:
        found = [(ranks[pair], i) for i, pair in enumerate(zip(tokens, tokens[1:])) if pair in ranks]
        if not found:
            return tokens
        i = min(found)[1]
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
"""


def test_the_plain_version_loses_the_points_for_long_pieces_only(tmp_path):
    results, _ = grade(CHAPTER, "test_bpe_encode", source_with(CHAPTER, "bpe_encode", QUADRATIC), str(tmp_path))
    assert failing(results) == {"long_runs", "long_pieces_without_pattern"}


def test_points_in_cells_and_text_are_those_of_the_checks():
    checks = chapter_checks(CHAPTER)
    total = 0
    notebook = nbformat.read(ROOT / "solutions" / CHAPTER / "tokenizer.ipynb", as_version=4)
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
