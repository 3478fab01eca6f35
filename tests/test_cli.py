"""The command line as its users type it: exit codes, JSON, errors that say what to change, a class graded twice."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import pytest
from nbgrader.api import Gradebook
from typer.testing import CliRunner

from autograder.checks.runner import chapter_checks
from autograder.cli import app
from autograder.grading import recording
from autograder.grading.chapter import Course
from autograder.grading.verdict import Verdict

pytestmark = pytest.mark.xdist_group("command_line")  # what these tests share is dear to set up: one process runs them
ROOT = pathlib.Path(__file__).resolve().parent.parent
CHAPTER, NOTEBOOK = "03_naive_bpe", "naive_bpe"
# Half of the sample class, and each kind of trouble: all sixteen take as long as all other tests of this file.
STUDENTS = [f"student-{number:02}" for number in (1, 2, 4, 6, 7, 8, 11, 14)]


def autograder(*words: object, cwd: pathlib.Path = ROOT) -> subprocess.CompletedProcess:
    env = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
    return subprocess.run(
        [sys.executable, "-m", "autograder.cli", *map(str, words)], cwd=cwd, env=env, capture_output=True, text=True,
        timeout=570, check=False,
    )


def test_the_solution_gets_full_marks_as_json():
    run = autograder("check", f"solutions/{CHAPTER}/{NOTEBOOK}.ipynb", "--json")
    verdict = json.loads(run.stdout)
    assert run.returncode == 0
    assert (verdict["schema"], verdict["chapter"], verdict["status"], verdict["reason"]) == (1, CHAPTER, "graded", None)
    assert verdict["score"] == verdict["max_score"] > 0
    cells = {cell["grade_id"]: [check["name"] for check in cell["checks"]] for cell in verdict["cells"]}
    assert cells == {name: [one.name for one in checks] for name, checks in chapter_checks(CHAPTER).items()}
    for cell in verdict["cells"]:
        assert cell["score"] == sum(check["points"] for check in cell["checks"])
        assert set(cell["checks"][0]) >= {
            "name", "status", "points", "max_points", "message", "counterexample", "misconception",
        }
    assert set(verdict["provenance"]) >= {"submission", "checks", "secret", "versions"}


def test_the_untouched_release_gets_nothing_and_says_so():
    run = autograder("check", f"notebooks/{CHAPTER}/{NOTEBOOK}.ipynb", "--json")
    verdict = json.loads(run.stdout)
    assert run.returncode == 1
    assert verdict["score"] == 0
    assert {check["status"] for cell in verdict["cells"] for check in cell["checks"]} == {"not_written"}


def test_a_damaged_file_is_no_zero():
    run = autograder("check", f"examples/student-14/{CHAPTER}/{NOTEBOOK}.ipynb", "--json")
    verdict = json.loads(run.stdout)
    assert run.returncode == 2
    assert verdict["status"] == "ungradable"
    assert "not JSON" in verdict["reason"]
    assert verdict["cells"] == []


@pytest.mark.parametrize(("words", "say"), [
    (["check", "no-such.ipynb"], "there is no file no-such.ipynb"),
    (["check", "README.md"], "which chapter is README.md?"),
    (["check", "README.md", "--chapter", "99_none"], "no chapter '99_none'; there are: 01_unicode"),
    (["grade"], "name one chapter, or say --all"),
    (["grade", "99_none"], "no chapter '99_none'"),
    (["grade", CHAPTER, "--student", "nobody-at-all"], "no submissions of nobody-at-all"),
])
def test_errors_say_what_to_change(words, say):
    run = CliRunner().invoke(app, words)
    assert run.exit_code == 2
    assert say in " ".join(run.stderr.split())


def test_every_command_has_help():
    for words in ([], ["check"], ["grade"], ["course"], ["course", "check"], ["course", "release"]):
        run = CliRunner().invoke(app, [*words, "--help"])
        assert run.exit_code == 0
        assert "Usage" in run.stdout


@pytest.fixture(scope="module")
def graded_class(tmp_path_factory):
    """The sample class of one chapter, graded in a course folder of its own; the run is given with the folder."""
    folder = tmp_path_factory.mktemp("class")
    for part in ("solutions", "notebooks"):
        shutil.copytree(ROOT / part / CHAPTER, folder / part / CHAPTER)
    for student in STUDENTS:
        shutil.copytree(ROOT / "examples" / student / CHAPTER, folder / "examples" / student / CHAPTER)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    return folder, autograder("grade", "--all", "--sample", cwd=folder)


def scores(folder: pathlib.Path) -> dict[str, dict[str, tuple]]:
    with Gradebook(f"sqlite:///{folder}/gradebook.db") as book:
        return {
            submission.student.id: {
                grade.name: (grade.auto_score, grade.needs_manual_grade)
                for notebook in submission.notebooks for grade in notebook.grades
            }
            for submission in book.assignment_submissions(CHAPTER)
        }


def test_the_sample_class_is_graded_recorded_and_told(graded_class):
    folder, run = graded_class
    assert run.returncode == 0, run.stderr
    recorded = scores(folder)
    assert sorted(recorded) == STUDENTS
    for student in STUDENTS:
        assert student in run.stdout
        assert (folder / "feedback" / student / CHAPTER / f"{NOTEBOOK}.html").is_file()
    report = (folder / "report" / CHAPTER / "index.html").read_text(encoding="utf-8")
    assert f"report/{CHAPTER}/index.html" in "".join(run.stdout.split())
    assert all(student in report for student in STUDENTS)
    best = sum(one.points for checks in chapter_checks(CHAPTER).values() for one in checks)
    totals = {
        student: sum(score or 0 for name, (score, _) in cells.items() if name.startswith("test_"))
        for student, cells in recorded.items()
    }
    for student in ("student-01", "student-08", "student-11"):  # right; with a crash; copied and deleted cells
        assert totals[student] == best, student
    assert totals["student-07"] == 0
    for student in ("student-02", "student-04", "student-06"):
        assert 0 < totals[student] < best, student
    assert {score for name, (score, _) in recorded["student-14"].items()} == {None}
    assert all(by_hand for _, by_hand in recorded["student-14"].values())


def test_misconceptions_are_named_in_the_table(graded_class):
    """The students who answer as the catalogue's entries do are told so."""
    _, run = graded_class
    for student in ("student-02", "student-04"):
        (line,) = [line for line in run.stdout.splitlines() if student in line]
        assert line.split("│")[4].strip() if "│" in line else line.split()[-1] != "graded"


def test_a_second_run_takes_every_verdict_from_the_store(graded_class):
    folder, _ = graded_class
    before = scores(folder)
    run = autograder("grade", CHAPTER, cwd=folder)
    assert run.returncode == 0, run.stderr
    count = len(before)
    assert f"{count} of {count} verdicts from the store" in run.stdout
    assert scores(folder) == before


def verdicts(folder: pathlib.Path) -> dict[str, Verdict]:
    """All verdicts in the store, by submission; they are equal but for the times that they took."""
    found = [Verdict.from_json(path.read_text()) for path in (folder / ".autograder" / "store").rglob("*.verdict.json")]
    return {verdict.provenance["submission"]: verdict for verdict in found}


def living(group: int) -> list[str]:
    """The command lines of a process group's members; without those that have ended and wait to be asked for."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # ended just now
            state, _, its_group = stat.read_text().rpartition(")")[2].split()[:3]
            if int(its_group) == group and state != "Z":
                found.append(stat.with_name("cmdline").read_text())
    return found


@pytest.mark.parametrize("before", [signal.default_int_handler, signal.SIG_IGN], ids=["raised", "ignored"])
def test_an_interrupt_waits_and_then_does_what_it_would_have_done(before):
    old, steps = signal.signal(signal.SIGINT, before), []
    try:
        with pytest.raises(KeyboardInterrupt) if callable(before) else contextlib.nullcontext():
            with recording.interrupts_held():
                os.kill(os.getpid(), signal.SIGINT)
                steps.append("held")
            steps.append("ignored")
        assert steps == (["held"] if callable(before) else ["held", "ignored"])
        assert signal.getsignal(signal.SIGINT) == before
    finally:
        signal.signal(signal.SIGINT, old)


def test_an_interrupt_ends_cleanly_and_one_job_gives_the_same_verdicts(graded_class, tmp_path):
    """Ctrl-C after the first verdict of a run with one job; a run with two jobs then goes on from there.

    That may be in the middle of recording the first verdict.
    """
    whole, _ = graded_class
    some = STUDENTS[:4]
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns(
        "store", "recorded", "gradebook.db", "autograded", "feedback", "report", "student-*"
    ))
    for student in some:
        shutil.copytree(whole / "submitted" / student, tmp_path / "submitted" / student)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "autograder.cli", "grade", CHAPTER, "--jobs", "1"]
    run = subprocess.Popen(
        command, cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True, start_new_session=True,
        # What a shell runs in the background ignores interrupts: these tests, perhaps, and all that they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    with run:
        while not verdicts(tmp_path) and run.poll() is None:
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does: the whole group gets it
        said = run.communicate(timeout=60)[1]
    assert run.returncode == 2
    assert "the same command goes on from there" in " ".join(said.split())
    assert "Traceback" not in said
    until = time.monotonic() + 30
    while living(run.pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert living(run.pid) == []
    kept = verdicts(tmp_path)
    assert 0 < len(kept) < len(some)

    run = autograder("grade", CHAPTER, "--jobs", 2, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert f"{len(kept)} of {len(some)} verdicts from the store" in run.stdout
    found, expected = verdicts(tmp_path), verdicts(whole)
    assert len(found) == len(some)
    assert found == {submission: expected[submission] for submission in found}
    assert scores(tmp_path) == {student: scores(whole)[student] for student in some}


def test_the_sample_class_is_what_its_script_builds(tmp_path):
    import importlib.util

    spec = importlib.util.spec_from_file_location("build", ROOT / "examples" / "build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    built = {path.relative_to(tmp_path): path.read_bytes() for path in build.build(tmp_path)}
    folder = ROOT / "examples"
    kept = {path.relative_to(folder): path.read_bytes() for path in folder.glob("student-*/*/*.ipynb")}
    assert built == kept
    assert Course(ROOT).chapters() == sorted({path.parts[1] for path in built})
