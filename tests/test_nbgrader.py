"""A chapter's whole way through nbgrader's own commands, in a course folder of its own, with sealed verdicts."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import nbformat
import pytest
from nbgrader.api import Gradebook

pytestmark = pytest.mark.xdist_group("nbgrader")  # what these tests share is dear to set up: one process runs them
ROOT = pathlib.Path(__file__).resolve().parent.parent
CHAPTER, NOTEBOOK = "03_naive_bpe", "naive_bpe"
STUDENTS = {"student-01": 1.0, "student-07": 0.0, "student-10": None, "student-14": None}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A course with one chapter and an exchange of its own."""
    root = tmp_path_factory.mktemp("course")
    shutil.copytree(ROOT / "solutions" / CHAPTER, root / "solutions" / CHAPTER)
    exchange = root / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    config = (ROOT / "nbgrader_config.py").read_text()
    (root / "nbgrader_config.py").write_text(f"{config}\nget_config().Exchange.root = {str(exchange)!r}\n")
    return root


def nbgrader(folder: pathlib.Path, *words: str, cwd: pathlib.Path | None = None) -> str:
    """Run an nbgrader command as an instructor or student would type it."""
    scripts = pathlib.Path(sys.executable).parent
    env = {
        **os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder / "home"),
        "JUPYTER_CONFIG_DIR": str(folder / "home" / "jupyter"), "PYTHONPATH": str(ROOT),
    }
    run = subprocess.run(
        [scripts / "nbgrader", *words], cwd=cwd or folder, env=env, capture_output=True, text=True, timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stderr


@pytest.fixture(scope="module")
def collected(folder):
    """Released, fetched, answered, submitted and collected, all by nbgrader."""
    nbgrader(folder, "generate_assignment", CHAPTER)
    nbgrader(folder, "release_assignment", CHAPTER)
    desk = folder / "desk"  # one student's own folder
    desk.mkdir()
    shutil.copy(folder / "nbgrader_config.py", desk)
    nbgrader(folder, "fetch_assignment", CHAPTER, cwd=desk)
    fetched = desk / CHAPTER / f"{NOTEBOOK}.ipynb"
    assert fetched.read_bytes() == (ROOT / "notebooks" / CHAPTER / f"{NOTEBOOK}.ipynb").read_bytes()
    shutil.copy(ROOT / "examples" / "student-01" / CHAPTER / f"{NOTEBOOK}.ipynb", fetched)
    nbgrader(folder, "submit", CHAPTER, cwd=desk)
    nbgrader(folder, "collect", CHAPTER)
    (submitted,) = (folder / "submitted").glob(f"*/{CHAPTER}")
    assert (submitted / f"{NOTEBOOK}.ipynb").read_bytes() == fetched.read_bytes()
    for student in STUDENTS:
        target = folder / "submitted" / student / CHAPTER
        target.mkdir(parents=True)
        shutil.copy(ROOT / "examples" / student / CHAPTER / f"{NOTEBOOK}.ipynb", target)
    return folder


@pytest.fixture(scope="module")
def autograded(collected):
    nbgrader(collected, "autograde", CHAPTER)
    nbgrader(collected, "generate_feedback", CHAPTER)
    return collected


@pytest.fixture
def gradebook(autograded):
    with Gradebook(f"sqlite:///{autograded}/gradebook.db") as book:
        yield book


def test_scores_come_from_sealed_verdicts(gradebook):
    """Full marks for the right one, none for the blank one, partial credit where a forger's other answers are right."""
    scores = {
        student: gradebook.find_submission_notebook(NOTEBOOK, CHAPTER, student) for student in STUDENTS
    }
    tests = {student: [g for g in found.grades if g.name.startswith("test_")] for student, found in scores.items()}
    assert all(grade.auto_score == grade.max_score for grade in tests["student-01"])
    assert all(grade.auto_score == 0 for grade in tests["student-07"])
    forged = {grade.name: grade.auto_score for grade in tests["student-10"]}
    right = {grade.name: grade.max_score for grade in tests["student-10"]}
    (lost,) = [name for name in forged if forged[name] != right[name]]
    assert forged[lost] == 0
    assert "Right()" in (ROOT / "examples" / "student-10" / CHAPTER / f"{NOTEBOOK}.ipynb").read_text()


def test_a_damaged_file_waits_for_a_person(gradebook):
    """No score and a mark that it needs grading by hand, not a silent zero; and the others are graded all the same."""
    grades = gradebook.find_submission_notebook(NOTEBOOK, CHAPTER, "student-14").grades
    assert grades
    for grade in grades:
        assert grade.auto_score is None
        assert grade.needs_manual_grade


def test_written_answers_wait_for_a_person(gradebook):
    grades = gradebook.find_submission_notebook(NOTEBOOK, CHAPTER, "student-01").grades
    written = [grade for grade in grades if grade.name.startswith("written_")]
    assert written
    assert all(grade.needs_manual_grade and grade.auto_score is None for grade in written)


def test_the_collected_submission_is_graded_like_the_copy(gradebook):
    names = [submission.student.id for submission in gradebook.assignment_submissions(CHAPTER)]
    (collector,) = set(names) - set(STUDENTS)
    scores = [
        gradebook.find_submission(CHAPTER, name).score for name in (collector, "student-01")
    ]
    assert scores[0] == scores[1]


@pytest.mark.parametrize("student", STUDENTS)
def test_feedback_tells_the_checks_and_hides_the_sealed_line(autograded, student):
    page = (autograded / "feedback" / student / CHAPTER / f"{NOTEBOOK}.html").read_text(encoding="utf-8")
    assert "sealed checks" not in page
    assert "BEGIN HIDDEN TESTS" not in page
    if student == "student-14":
        assert "could not be read" in page
    else:
        assert "In a run of equal ids" in page


def test_the_sealed_line_raises_in_plain_nbgrader(collected, tmp_path):
    """Without this course's preprocessors a right answer gets no points at all, rather than points for silence."""
    course = tmp_path / "plain"
    shutil.copytree(ROOT / "solutions" / CHAPTER, course / "source" / CHAPTER)
    target = course / "submitted" / "student-01" / CHAPTER
    target.mkdir(parents=True)
    shutil.copy(ROOT / "examples" / "student-01" / CHAPTER / f"{NOTEBOOK}.ipynb", target)
    (course / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.course_id = 'plain'\n")
    nbgrader(collected, "generate_assignment", CHAPTER, cwd=course)
    nbgrader(collected, "autograde", CHAPTER, cwd=course)
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        grades = book.find_submission_notebook(NOTEBOOK, CHAPTER, "student-01").grades
        assert {grade.auto_score for grade in grades if grade.name.startswith("test_")} == {0}


def test_an_assignment_of_the_instructors_own_is_left_to_nbgrader(collected):
    """A notebook that is no chapter runs as nbgrader runs it."""
    cell = nbformat.v4.new_code_cell("assert 1 + 1 == 2", metadata={"nbgrader": {
        "grade": True, "grade_id": "sum", "locked": True, "points": 1, "schema_version": 3, "solution": False,
        "task": False,
    }})
    source = collected / "solutions" / "own"
    source.mkdir()
    kernelspec = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata=kernelspec), source / "own.ipynb")
    nbgrader(collected, "generate_assignment", "own")
    target = collected / "submitted" / "student-01" / "own"
    target.mkdir(parents=True)
    shutil.copy(collected / "notebooks" / "own" / "own.ipynb", target)
    nbgrader(collected, "autograde", "own")
    with Gradebook(f"sqlite:///{collected}/gradebook.db") as book:
        assert book.find_submission("own", "student-01").score == 1


def test_stored_verdicts_are_whole(autograded):
    verdicts = list((autograded / ".autograder" / "store").rglob("*.verdict.json"))
    files = {(ROOT / "examples" / name / CHAPTER / f"{NOTEBOOK}.ipynb").read_bytes() for name in STUDENTS}
    assert len(verdicts) == len(files)
    for path in verdicts:
        assert json.loads(path.read_text())["schema"] == 1
