"""For people who learn alone: hints in order, progress that is kept, visible checks, stubs again."""

import pathlib
import shutil

import nbformat
import pytest
from typer.testing import CliRunner

from autograder.checks.runner import CheckResult, chapter_checks
from autograder.cli import app
from autograder.grading.chapter import Course
from autograder.grading.verdict import CellVerdict, Verdict
from autograder.learner import Progress, first_open, hints, reset, visible_checks

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHAPTER, NOTEBOOK = "03_naive_bpe", "naive_bpe.ipynb"


@pytest.fixture
def own(tmp_path, course):
    """A learner's own course folder: what is kept goes there."""
    for name in ("solutions", "notebooks"):
        shutil.copytree(course.root / name / CHAPTER, tmp_path / name / CHAPTER)
    shutil.copy(course.root / "nbgrader_config.py", tmp_path)
    return Course(tmp_path)


def verdict(done: int) -> Verdict:
    """A verdict on chapter 3 with the first `done` exercises right."""
    cells = tuple(
        CellVerdict(grade_id, tuple(
            CheckResult(one.name, "passed" if number < done else "failed", one.points * (number < done), one.points, "")
            for one in of_cell
        ))
        for number, (grade_id, of_cell) in enumerate(chapter_checks(CHAPTER).items())
    )
    return Verdict(CHAPTER, "graded", 36.0, cells)


@pytest.mark.parametrize("chapter", Course(ROOT).chapters())
def test_every_exercise_has_its_own_hints(course, chapter):
    found = hints(course.solution(course.chapter(chapter)))
    guesses = {name for name in chapter_checks(chapter) if chapter == "08_experiments" and "_predict_" in name}
    for grade_id in set(chapter_checks(chapter)) - guesses:  # a guess before a run wants no hint
        assert 1 <= len(found[grade_id]) <= 3, grade_id
        assert all(found[grade_id])


def test_hints_come_one_after_the_other_and_are_remembered(own):
    known = hints(own.solution(own.chapter(CHAPTER)))[first_open(verdict(1))]
    assert "the step" in known[0]  # merge_pair's nudge: which loop lets you choose the step
    told = [Progress(own).next_hint(CHAPTER, "test_merge_pair", known) for _ in range(4)]
    assert told == [(1, known[0]), (2, known[1]), (3, known[2]), (3, known[2])]


def test_progress_is_kept_and_says_what_comes_next(own):
    assert Progress(own).chapters()[0].next == "count_pairs"
    Progress(own).record(verdict(2))
    (line,) = Progress(own).chapters()
    assert (line.done, line.exercises, line.score, line.next) == (2, 9, 9.0, "best_pair")
    Progress(own).record(Verdict(CHAPTER, "ungradable", 36.0, reason="the file is empty"))
    assert Progress(own).chapters() == [line]
    Progress(own).record(verdict(9))
    assert Progress(own).chapters()[0].next is None
    (own.private / "progress.json").write_text("{damaged")
    assert Progress(own).chapters()[0].done == 0


def test_reset_restores_the_stubs_and_keeps_copies(own):
    """Also where the learner works in notebooks/ itself; no copy is ever overwritten."""
    path = own.root / "notebooks" / CHAPTER / NOTEBOOK
    released = path.read_bytes()
    for mine in (b"first try", b"second try"):
        path.write_bytes(mine)
        copy = reset(own, own.chapter(CHAPTER), path)
        assert copy.read_bytes() == mine
        assert path.read_bytes() == released


def test_visible_checks_say_what_is_wrong(course, sandbox):
    """A right answer, a wrong one with the check's own words, a stub, and one that raises."""
    notebook = nbformat.read(course.root / "examples" / "student-01" / CHAPTER / NOTEBOOK, as_version=4)
    sources = {
        "merge_pair": "def merge_pair(ids, pair, new_id):\n    return [new_id]",
        "best_pair": "def best_pair(counts):\n    raise NotImplementedError",
        "trace": "def trace(documents, max_merges):\n    return 1 / 0",
    }
    for cell in notebook.cells:
        cell.source = sources.get(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
    found = dict(visible_checks(nbformat.writes(notebook).encode(), course.chapter(CHAPTER), sandbox))
    assert found["test_count_pairs"] == ""
    assert found["test_merge_pair"] == "merge_pair([1, 2, 3, 1, 2], (1, 2), 9) gave [9]; expected [9, 3, 9]."
    assert found["test_best_pair"] == "not written yet"
    assert found["test_trace"].startswith("ZeroDivisionError")


def test_commands_say_what_to_do(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    for words, text in (
        (["check", "no.ipynb", "--hint"], "there is no file no.ipynb"),
        (["validate", "no.ipynb"], "there is no file no.ipynb"),
        (["reset", f"solutions/{CHAPTER}/{NOTEBOOK}"], "solutions/ holds the answers"),
        (["report", "99_none"], "no chapter '99_none'"),
        (["export", "99_none", "--format", "canvas"], "no chapter '99_none'"),
    ):
        run = CliRunner().invoke(app, words)
        assert run.exit_code == 2
        assert text in " ".join(run.output.split())
