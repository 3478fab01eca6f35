"""Chapter 8's checks: predictions of any size, and names that stand in checks and notebook alike."""

import nbformat
import pytest
from inprocess import failing, grade
from test_catalogue import ROOT, solution_cells, source_with

from autograder.checks import ch08_inputs

CHAPTER = "08_experiments"


@pytest.fixture(autouse=True)
def chapter_folder(monkeypatch):
    monkeypatch.chdir(ROOT / "solutions" / CHAPTER)


@pytest.mark.parametrize("answer", ["0", "100", "33.3", "50"])
@pytest.mark.parametrize("name", ["predict_gap", "predict_budget"])
def test_any_percentage_is_a_prediction(name, answer):
    results, _ = grade(CHAPTER, f"test_{name}", source_with(CHAPTER, name, f"{name} = {answer}"))
    assert failing(results) == set()


def test_a_seed_put_into_the_environment_of_the_notebook_itself_is_found():
    changes = """
def run_with_seed(program, seed):
    os.environ["PYTHONHASHSEED"] = str(seed)
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
"""
    results, _ = grade(CHAPTER, "test_run_with_seed", source_with(CHAPTER, "run_with_seed", changes))
    assert failing(results) == {"other_variables_stay"}


def test_the_names_in_the_checks_are_those_of_the_notebook():
    """Languages, windowed languages and recipes stand in both places."""
    namespace: dict = {}
    exec(solution_cells(CHAPTER)[""], namespace)
    assert tuple(namespace["LANGUAGES"]) == ch08_inputs.LANGUAGES
    assert tuple(namespace["RECIPES"]) == ch08_inputs.RECIPES
    notebook = nbformat.read(ROOT / "solutions" / CHAPTER / "experiments.ipynb", as_version=4)
    assert any(f"WINDOWED = {ch08_inputs.WINDOWED!r}".replace("'", '"') in cell.source for cell in notebook.cells)
