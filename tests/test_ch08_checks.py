"""Chapter 8's checks: odd answers, predictions of any kind, and points that agree with the text."""

import nbformat
import pytest
from inprocess import failing, grade
from test_catalogue import ROOT, solution_cells, source_with

from autograder.checks import ch08_inputs
from autograder.checks.runner import chapter_checks

CHAPTER = "08_experiments"
ODD = {
    "none": "None", "number": "-3", "nested": "[None, [[]], {1: [b'']}]", "object": "object()",
    "generator": "(i for i in range(3))", "pair": "(pd.DataFrame({'language': [None]}), plt.figure())",
    "empty": "pd.DataFrame()", "nan": "float('nan')", "error": "1 / 0", "self": "(lambda a: a.append(a) or a)([])",
    "surrogate": "'\\ud800'",
}


@pytest.fixture(autouse=True)
def chapter_folder(monkeypatch):
    monkeypatch.chdir(ROOT / "solutions" / CHAPTER)


@pytest.mark.parametrize("odd", ODD)
def test_odd_answers_fail_and_break_nothing(odd, tmp_path):
    source = solution_cells(CHAPTER)[""]
    for cell, checks in chapter_checks(CHAPTER).items():
        name = cell.removeprefix("test_")
        is_value = name.startswith("predict") and odd != "error"
        body = f"{name} = {ODD[odd]}" if is_value else f"def {name}(*a, **k): return {ODD[odd]}"
        results, _ = grade(CHAPTER, cell, f"{source}\n{body}\n", str(tmp_path))
        assert len(results) == len(checks)
        assert [result.name for result in results if result.status == "passed"] == []
        assert [result.message for result in results if "could not judge" in result.message] == []


@pytest.mark.parametrize("answer", ["0", "100", "33.3", "50"])
@pytest.mark.parametrize("name", ["predict_gap", "predict_budget"])
def test_any_percentage_is_a_prediction(name, answer, tmp_path):
    results, _ = grade(CHAPTER, f"test_{name}", source_with(CHAPTER, name, f"{name} = {answer}"), str(tmp_path))
    assert failing(results) == set()


def test_the_names_in_the_checks_are_those_of_the_notebook():
    """Languages, windowed languages and recipes stand in both places."""
    namespace: dict = {}
    exec(solution_cells(CHAPTER)[""], namespace)
    assert tuple(namespace["LANGUAGES"]) == ch08_inputs.LANGUAGES
    assert tuple(namespace["RECIPES"]) == ch08_inputs.RECIPES
    notebook = nbformat.read(ROOT / "solutions" / CHAPTER / "experiments.ipynb", as_version=4)
    assert any(f"WINDOWED = {ch08_inputs.WINDOWED!r}".replace("'", '"') in cell.source for cell in notebook.cells)


def test_points_in_cells_and_text_are_those_of_the_checks():
    checks = chapter_checks(CHAPTER)
    total = 0
    notebook = nbformat.read(ROOT / "solutions" / CHAPTER / "experiments.ipynb", as_version=4)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    for cell in notebook.cells:
        grading = cell.metadata.get("nbgrader", {})
        if grading.get("grade"):
            total += grading["points"]
            if cell.cell_type == "code":
                assert grading["points"] == sum(one.points for one in checks[grading["grade_id"]]), grading["grade_id"]
                name = grading["grade_id"].removeprefix("test_")
                assert f"`{name}` ({grading['points']:g} point" in " ".join(text.split()), name
    assert total == 44
    assert "**Points:** 38 for exercises, 6 for written answers." in " ".join(text.split())
