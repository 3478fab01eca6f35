"""The course is sound, and what would make it unsound is found."""

import copy
import pathlib

import nbformat
import pytest

from autograder import course as soundness
from autograder.grading.chapter import Course
from autograder.sandbox.kernels import Sandbox

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHAPTERS = Course(ROOT).chapters()


def solution(chapter: str) -> nbformat.NotebookNode:
    (path,) = (ROOT / "solutions" / chapter).glob("*.ipynb")
    return nbformat.read(path, as_version=4)


def test_every_solution_is_released():
    folders = sorted(path.name for path in (ROOT / "solutions").iterdir() if path.is_dir())
    assert folders == CHAPTERS


@pytest.fixture(scope="module")
def kernels():
    """One sandbox, with the limits that grading has."""
    with Sandbox(hidden=[ROOT]) as shared:
        yield shared


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_chapter_is_sound(chapter, kernels):
    """Release current, nothing leaked, points agree, hints there; in real kernels the solution passes, stubs do not."""
    assert soundness.problems(Course(ROOT), chapter, kernels) == []


def first(notebook: nbformat.NotebookNode, grade_id: str) -> nbformat.NotebookNode:
    return next(cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


def test_points_that_disagree_are_found():
    notebook = solution("03_naive_bpe")
    first(notebook, "test_merge_pair").metadata.nbgrader["points"] = 99
    found = soundness.points_problems("03_naive_bpe", notebook)
    assert any("test_merge_pair is worth 99 points" in fault for fault in found)


def test_a_test_cell_without_checks_is_found():
    notebook = solution("03_naive_bpe")
    first(notebook, "test_merge_pair").metadata.nbgrader["grade_id"] = "test_nothing"
    found = soundness.points_problems("03_naive_bpe", notebook)
    assert "test_nothing has no checks" in found
    assert "checks for test_merge_pair, which is no cell" in found


@pytest.mark.parametrize("leak", ["### BEGIN SOLUTION\nx = 1\n### END SOLUTION", "**Model answer.** Because.",
                                  'raise SystemError("sealed checks somewhere")'])
def test_what_students_must_not_get_is_found(leak):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(leak)])
    assert soundness.leaks(notebook)


def test_outputs_in_a_release_are_found():
    cell = nbformat.v4.new_code_cell("1", outputs=[nbformat.v4.new_output("stream", text="1")])
    assert soundness.leaks(nbformat.v4.new_notebook(cells=[cell]))


def test_empty_hints_and_long_cells_are_found():
    notebook = copy.deepcopy(solution("03_naive_bpe"))
    notebook.cells += [
        nbformat.v4.new_markdown_cell("<details><summary>Hint 1</summary> </details>"),
        nbformat.v4.new_code_cell("\n".join("pass" for _ in range(40))),
    ]
    found = soundness.text_problems(notebook)
    assert "the hint 'Hint 1' is empty" in found
    assert any("40 lines of code" in fault for fault in found)


def test_a_demonstration_that_fails_when_graded_is_found():
    shown, executed = solution("06_incremental_bpe"), solution("06_incremental_bpe")
    assert soundness.unexpected_errors(shown, executed) == []
    error = nbformat.v4.new_output("error", ename="ValueError", evalue="all above 0", traceback=[])
    next(cell for cell in executed.cells if cell.id == "measure-merges").outputs = [error]
    assert soundness.unexpected_errors(shown, executed) == [
        "the solution's cell measure-merges ends in ValueError: all above 0"
    ]


def test_an_old_release_is_found(tmp_path):
    """A solution edited after the release was made."""
    import shutil

    shutil.copytree(ROOT / "solutions" / "03_naive_bpe", tmp_path / "solutions" / "03_naive_bpe")
    shutil.copytree(ROOT / "notebooks" / "03_naive_bpe", tmp_path / "notebooks" / "03_naive_bpe")
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    released = tmp_path / "notebooks" / "03_naive_bpe" / "naive_bpe.ipynb"
    course = Course(tmp_path)
    assert soundness.release_problems(course, "03_naive_bpe") == []
    released.write_text(released.read_text().replace("merge", "m3rge", 1))
    (fault,) = soundness.release_problems(course, "03_naive_bpe")
    assert "is not current" in fault
