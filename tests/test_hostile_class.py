"""A class with attackers and unlucky people in it, graded by both commands: nothing of anybody else's changes."""

import hashlib
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import time

import nbformat
import pytest
from hostile.corpus import CHAPTER, ROOT, Book
from hostile.corpus import everything as corpus
from nbgrader.api import Gradebook

from autograder.grading.verdict import Verdict

pytestmark = pytest.mark.xdist_group("hostile class")
NOTEBOOK, HONEST = "naive_bpe", ("honest-1", "honest-2")
NBGRADER = str(pathlib.Path(sys.executable).parent / "nbgrader")
TRUSTED_BYTES = 500_000_000
RISKY = (  # attacks that fit into one notebook
    "equal_to_everything", "network", "writes_everywhere", "links_out_of_the_scratch_folder", "daemon", "leftovers",
    "environment_variables", "malformed_messages", "asserts_removed", "cell_that_exits", "full_disk",
)
# A check that breaks on one answer, as a check of ours some day will: put into the grader by the course's own file.
BROKEN_CHECK = """
import dataclasses, autograder.checks.ch03_naive_bpe as checks
sound = checks.rules_part_on_a_tie
def breaks(tie_example):
    if tie_example.value() == "odd":
        raise ZeroDivisionError
    sound.function(tie_example)
breaks.__signature__ = __import__("inspect").signature(sound.function)
checks.rules_part_on_a_tie = dataclasses.replace(sound, function=breaks)
"""


def run(course: pathlib.Path, *words: str) -> int:
    """Run a command in the course as an instructor would; gives the most memory that it had resident, in bytes."""
    scripts = pathlib.Path(sys.executable).parent
    environment = {
        **os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "HOME": str(course / "home"),
        "JUPYTER_CONFIG_DIR": str(course / "home"), "PYTHONPATH": str(ROOT),
    }
    log = course / "log"
    with log.open("w") as file:
        process = subprocess.Popen([sys.executable, *words], cwd=course, env=environment, stdout=file, stderr=file)
        most = 0
        while process.poll() is None:
            time.sleep(0.05)
            try:
                status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                most = max(most, int(status.split("VmHWM:")[1].split()[0]) * 1024)
            except (OSError, IndexError):
                pass
    assert process.returncode in (0, 1), log.read_text()
    return most


def hand_in(course: pathlib.Path, student: str, data: bytes, name: str = f"{NOTEBOOK}.ipynb") -> pathlib.Path:
    folder = course / "submitted" / student / CHAPTER
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)
    return folder


def rows(course: pathlib.Path, student: str) -> list[tuple]:
    """What the gradebook says about a student, but for the identifiers that it draws anew."""
    with sqlite3.connect(course / "gradebook.db") as database:
        return database.execute(
            "select base_cell.name, auto_score, manual_score, extra_credit, needs_manual_grade from grade "
            "join base_cell on base_cell.id = cell_id "
            "join submitted_notebook on submitted_notebook.id = grade.notebook_id "
            "join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id "
            "where student_id = ? order by base_cell.name", [student]
        ).fetchall()


def files(course: pathlib.Path, student: str) -> dict[str, str]:
    return {
        str(path.relative_to(course)): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in ("submitted", "autograded", "feedback") for path in sorted((course / folder / student).rglob("*"))
        if path.is_file()
    }


def verdicts(course: pathlib.Path, student: str) -> list[Verdict]:
    """The student's stored verdicts; they are equal whatever time they took."""
    submitted = course / "submitted" / student / CHAPTER / f"{NOTEBOOK}.ipynb"
    submission = hashlib.sha256(submitted.read_bytes()).hexdigest()
    stored = (course / ".autograder" / "store").rglob("*.verdict.json")
    found = [Verdict.from_json(path.read_text()) for path in stored]
    return [verdict for verdict in found if verdict.provenance["submission"] == submission]


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The honest by `autograder grade`; then, anew, all by `nbgrader autograde`, and by ours whom that leaves out."""
    course = tmp_path_factory.mktemp("course")
    for folder in ("solutions", "notebooks"):
        shutil.copytree(ROOT / folder / CHAPTER, course / folder / CHAPTER)
    (course / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text() + BROKEN_CHECK)
    right = Book(course)
    hand_in(course, "honest-1", right.submitted())
    partly = Book(course)
    partly.answer("merge_pair", "def merge_pair(ids, pair, new_id):\n    return ids")
    hand_in(course, "honest-2", partly.submitted())
    most = [run(course, "-m", "autograder.cli", "grade", CHAPTER, "--jobs", "1")]
    before = {student: (rows(course, student), files(course, student), verdicts(course, student)) for student in HONEST}

    shutil.rmtree(course / ".autograder" / "store")
    shutil.rmtree(course / ".autograder" / "recorded")
    attacker = Book(course)
    for attack in corpus():
        if attack.name in RISKY:
            attack.make(attacker)
    hand_in(course, "attacker", attacker.submitted())
    odd = Book(course)
    odd.answer("tie_example", "tie_example = 'odd'")
    hand_in(course, "decorated", odd.submitted(), "[copy] naive_bpe (1) – été.ipynb")
    beside = hand_in(course, "decorated", b"yesterday", "timestamp.txt")
    (beside / "data.csv").symlink_to(course / "gradebook.db")
    (beside / "gone.csv").symlink_to("nowhere")
    os.mkfifo(beside / "pipe")
    hand_in(course, "undecided", b"{}", "naive_bpe (1).ipynb")
    hand_in(course, "undecided", b"{}", "naive_bpe (2).ipynb")
    hand_in(course, "damaged", right.submitted()[:5000])
    hand_in(course, "linking", b"", "notes.txt").joinpath(f"{NOTEBOOK}.ipynb").symlink_to(course / "gradebook.db")
    hand_in(course, "misled", right.submitted(), f"{NOTEBOOK}.ipynb.txt")
    most.append(run(course, NBGRADER, "autograde", CHAPTER, "--force"))
    most.append(run(course, NBGRADER, "generate_feedback", CHAPTER, "--force"))
    after = {student: (rows(course, student), files(course, student), verdicts(course, student)) for student in HONEST}
    most.append(run(course, "-m", "autograder.cli", "grade", CHAPTER, "--student", "misled", "--jobs", "1"))
    return course, before, after, most


@pytest.fixture
def grades(graded):
    """The test cells' grades of one student."""
    with Gradebook(f"sqlite:///{graded[0]}/gradebook.db") as book:
        yield lambda student: {
            grade.name.removeprefix("test_"): grade
            for grade in book.find_submission_notebook(NOTEBOOK, CHAPTER, student).grades
            if grade.name.startswith("test_")
        }


@pytest.mark.parametrize("student", HONEST)
def test_nothing_of_an_honest_student_changes(graded, student):
    _, before, after, _ = graded
    assert before[student][0] != []
    assert before[student][1] != {}
    assert len(before[student][2]) == 1
    assert after[student] == before[student]


def test_the_honest_have_the_points_that_they_earned(grades):
    assert all(grade.auto_score == grade.max_score for grade in grades("honest-1").values())
    lost = {name for name, grade in grades("honest-2").items() if grade.auto_score != grade.max_score}
    assert lost == {"merge_pair"}


def test_the_attacker_loses_what_is_wrong_and_keeps_what_is_right(grades):
    found = grades("attacker")
    assert {name for name, grade in found.items() if grade.auto_score != grade.max_score} == {"count_pairs"}
    assert found["count_pairs"].auto_score == 0


def test_a_decorated_file_is_graded_and_an_answer_on_which_a_check_breaks_waits_for_a_person(graded, grades):
    found = grades("decorated")
    assert {name for name, grade in found.items() if grade.needs_manual_grade} == {"tie_example"}
    assert found.pop("tie_example").auto_score == 0
    assert all(grade.auto_score == grade.max_score for grade in found.values())
    page = (graded[0] / "feedback" / "decorated" / CHAPTER / f"{NOTEBOOK}.html").read_text(encoding="utf-8")
    assert "The file is called" in page
    assert "a person should look at it" in page


@pytest.mark.parametrize("student", ["undecided", "damaged", "linking", "misled"])
def test_what_cannot_be_read_waits_for_a_person(grades, student):
    found = grades(student).values()
    assert found
    assert all(grade.auto_score is None and grade.needs_manual_grade for grade in found)


def test_nothing_is_read_through_a_link(graded):
    course = graded[0]
    database = (course / "gradebook.db").read_bytes()[:16]
    made = [
        path for folder in ("autograded", "feedback") for student in ("linking", "decorated")
        for path in (course / folder / student).rglob("*")
    ]
    assert {path.parts[-3] for path in made if path.suffix in (".ipynb", ".html")} == {"linking", "decorated"}
    assert [path for path in made if path.is_file() and database in path.read_bytes()] == []


def test_the_graders_stay_small(graded):
    assert min(graded[3]) > 0
    assert max(graded[3]) < TRUSTED_BYTES


def test_nothing_was_left_beside_the_course(graded):
    assert [path for path in graded[0].rglob("*") if path.name in ("bpe-was-here", "left", "sh")] == []
    assert nbformat.read(graded[0] / "notebooks" / CHAPTER / f"{NOTEBOOK}.ipynb", as_version=4)
