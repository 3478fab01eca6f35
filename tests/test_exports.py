"""Marks for other systems, read back by readers written from the formats' documentation (docs/exports.md names it)."""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import warnings
import zipfile

import pytest
from nbgrader.api import Gradebook
from nbgrader.plugins import CsvExportPlugin

from autograder.checks.api import Counterexample
from autograder.checks.runner import CheckResult
from autograder.grading.chapter import Course
from autograder.grading.verdict import CellVerdict, Verdict
from autograder.report.exports import CanvasExport, CsvExport, MoodleExport
from autograder.report.gradescope import bundle, results

CHAPTER = "03_naive_bpe"
NAMES = {  # id: last name, first name, e-mail, id in the learning platform, marks of the two cells
    "anna": ("Doe, Jr.", "Anna", "anna@example.org", "17", (2.0, 3.0)),
    "=1+1": ("@SUM(A1)", "+Eve", "=cmd|' /C calc'!A0", None, (1.5, 0.0)),
    "żółć": ('O"Neil', "김민수", "한@example.org", "18", (0.0, None)),
    "lost": ("Lost", "File", None, "19", (None, None)),
    "none": ("None", "Submitted", None, "20", None),
}


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory):
    """A gradebook of five students; `lost` handed in what nobody can read, `none` nothing."""
    path = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    with Gradebook(f"sqlite:///{path}") as book:
        book.add_assignment(CHAPTER)
        book.add_notebook("naive_bpe", CHAPTER)
        for name, kind in (("test_a", "code"), ("written_b", "markdown")):
            book.add_grade_cell(name, "naive_bpe", CHAPTER, max_score=3, cell_type=kind)
        for student, (last, first, email, number, marks) in NAMES.items():
            book.add_student(student, last_name=last, first_name=first, email=email, lms_user_id=number)
            if marks is None:
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # nbgrader's own, of its database layer
                book.add_submission(CHAPTER, student)
            for name, mark in zip(("test_a", "written_b"), marks, strict=True):
                grade = book.find_grade(name, "naive_bpe", CHAPTER, student)
                grade.auto_score, grade.needs_manual_grade = mark, mark is None
        book.db.commit()
        yield book


def exported(kind, gradebook, folder) -> str:
    path = folder / "marks.csv"
    kind(to=str(path), assignment=[CHAPTER]).export(gradebook)
    return path.read_text(encoding="utf-8")


def undone(field: str) -> str:
    """A text as it was before it was defused."""
    return field[1:] if field.startswith("'") else field


@pytest.mark.parametrize("kind", [CsvExport, CanvasExport, MoodleExport])
def test_no_field_is_a_formula(kind, gradebook, tmp_path):
    """Whatever a spreadsheet reads: no field starts with what it would run (RFC 4180 for the fields)."""
    for row in csv.reader(io.StringIO(exported(kind, gradebook, tmp_path)), strict=True):
        assert not [field for field in row if field.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_nbgraders_columns_and_marks(gradebook, tmp_path):
    """The same columns as nbgrader's own export; marks too, but for what nobody has marked: empty and no zero."""
    rows = list(csv.DictReader(io.StringIO(exported(CsvExport, gradebook, tmp_path)), strict=True))
    CsvExportPlugin(to=str(tmp_path / "nbgrader.csv")).export(gradebook)
    assert list(rows[0]) == (tmp_path / "nbgrader.csv").read_text().splitlines()[0].split(",")
    assert {undone(row["student_id"]) for row in rows} == set(NAMES)
    for row in rows:
        last, first, email, _, marks = NAMES[undone(row["student_id"])]
        assert (undone(row["last_name"]), undone(row["first_name"]), undone(row["email"])) == (last, first, email or "")
        known = [mark for mark in marks or () if mark is not None]
        assert row["score"] == (str(sum(known)) if known else "")
        assert row["max_score"] == "6.0"


def read_canvas(text: str) -> tuple[dict, dict]:
    """Points possible by assignment, and marks by login, as Canvas's import reads them (its `GradebookImporter`).

    The header tells the columns by their names and places, a row that says so tells points, all others are students.
    An empty field would clear the mark that Canvas holds.
    """
    header, points, *students = csv.reader(io.StringIO(text), strict=True)
    assert "Student" in header[0]
    assert "ID" in header[1]
    assert header[2:5] == ["SIS User ID", "SIS Login ID", "Section"]
    assert "Points Possible" in points[0]
    assert not [row for row in students if "" in row[5:]]
    possible = {name: float(value) for name, value in zip(header[5:], points[5:], strict=True)}
    return possible, {row[3]: dict(zip(header, row, strict=True)) for row in students}


def test_canvas_reads_it_back(gradebook, tmp_path):
    possible, students = read_canvas(exported(CanvasExport, gradebook, tmp_path))
    assert possible == {CHAPTER: 6.0}
    assert students["anna"]["Student"] == "Doe, Jr., Anna"
    assert {login: row[CHAPTER] for login, row in students.items()} == {"anna": "5.0", "'=1+1": "1.5", "żółć": "0.0"}
    assert students["żółć"]["ID"] == "18"


def test_moodle_reads_it_back(gradebook, tmp_path):
    """Moodle's import takes UTF-8 with one header line, and maps a column to a user and one to a grade item.

    An empty field means "no grade" to it; so who has no mark is not there.
    """
    rows = list(csv.DictReader(io.StringIO(exported(MoodleExport, gradebook, tmp_path)), strict=True))
    assert {undone(row["username"]) for row in rows} == {"anna", "=1+1", "żółć"}
    by_name = {row["username"]: row for row in rows}
    assert by_name["żółć"]["firstname"] == "김민수"
    assert by_name["anna"][CHAPTER] == "5.0"


def read_gradescope(found: dict) -> None:
    """The rules of Gradescope's autograder specification that concern us; raises where one is broken."""
    assert set(found) <= {
        "score", "execution_time", "output", "output_format", "test_output_format", "test_name_format", "visibility",
        "stdout_visibility", "extra_data", "tests", "leaderboard",
    }
    assert "score" in found or found["tests"] == []
    for test in found["tests"]:
        assert set(test) <= {
            "score", "max_score", "status", "name", "name_format", "number", "output", "output_format", "tags",
            "visibility", "extra_data",
        }
        assert test.get("status", "passed") in {"passed", "failed"}
        assert test.get("visibility", "visible") in {"hidden", "after_due_date", "after_published", "visible"}
        assert test.get("score", 0) <= test.get("max_score", 0)


def test_gradescope_results_follow_the_specification():
    checks = (
        CheckResult("places", "passed", 1.0, 1.0, "Each place counts."),
        CheckResult("runs", "failed", 0.0, 1.0, "Runs too.", Counterexample("f([1, 1, 1])", "2", "1")),
    )
    cells = (CellVerdict("test_count_pairs", checks),)
    verdict = Verdict(CHAPTER, "graded", 2.0, cells, provenance={"sandbox": "none"})
    found = json.loads(json.dumps(results(verdict)))
    read_gradescope(found)
    assert found["score"] == 1.0
    assert found["tests"][0]["max_score"] == 2.0
    assert "f([1, 1, 1])" in found["tests"][0]["output"]
    assert "could be forged" in found["tests"][-1]["output"]
    for lost in (results(None), results(Verdict(CHAPTER, "ungradable", 2.0, reason="the file is empty"))):
        read_gradescope(lost)
        assert "score" not in lost


def test_the_bundle_grades_a_submission_as_gradescope_runs_it(course, tmp_path, monkeypatch):
    """Unpacked where Gradescope unpacks it, with a submission put where Gradescope puts one."""
    monkeypatch.setenv("AUTOGRADER_SECRET", "a secret for this bundle")
    (tmp_path / "bundle.zip").write_bytes(bundle(course, course.chapter(CHAPTER)))
    source, submission = tmp_path / "source", tmp_path / "submission"
    with zipfile.ZipFile(tmp_path / "bundle.zip") as archive:
        archive.extractall(source)
        modes = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
    assert modes["setup.sh"] & modes["run_autograder"] & 0o111 == 0o111
    assert Course(source).chapters() == [CHAPTER]
    submission.mkdir()
    shutil.copy(course.root / "examples" / "student-06" / CHAPTER / "naive_bpe.ipynb", submission)
    env = {**os.environ, "AUTOGRADER_HOME": str(tmp_path), "PYTHON": sys.executable}
    del env["AUTOGRADER_SECRET"]
    subprocess.run(["bash", source / "run_autograder"], env=env, check=True, capture_output=True, timeout=300)
    found = json.loads((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))
    read_gradescope(found)
    assert found["score"] == 23
    assert found["tests"][-1]["output"] == "Yes."
    shutil.rmtree(submission)
    subprocess.run(["bash", source / "run_autograder"], env=env, check=True, capture_output=True, timeout=300)
    assert "score" not in json.loads((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))
    submission.mkdir()  # from a repository, say, which may hold links
    (submission / "naive_bpe.ipynb").symlink_to(source / "solutions" / CHAPTER / "naive_bpe.ipynb")
    subprocess.run(["bash", source / "run_autograder"], env=env, check=True, capture_output=True, timeout=300)
    assert "score" not in json.loads((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))
