"""A class at scale: recorded as nbgrader records it, on both databases, regraded in two steps, stored and pruned.

Verdicts are made up here, since what kernels and checks do has tests of its own; gradebooks are real.
"""

import dataclasses
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.checks.runner import CheckResult, chapter_checks
from autograder.grading import chapter as chapter_module
from autograder.grading import classroom, recording, regrade
from autograder.grading.chapter import Chapter, Course, CourseError
from autograder.grading.classroom import Outcome
from autograder.grading.notebook import read, rebuild
from autograder.grading.store import Store, key_of
from autograder.grading.submitted import HandIn
from autograder.grading.verdict import CellVerdict, Verdict

pytestmark = pytest.mark.xdist_group("class")
ROOT = pathlib.Path(__file__).resolve().parent.parent
CHAPTER, NOTEBOOK = "03_naive_bpe", "naive_bpe"
STUDENTS = ("student-01", "student-02", "student-07")
LOST = {"student-01": (), "student-02": ("overlapping_places", "ties"), "student-07": None}


def new_course(folder: pathlib.Path) -> Course:
    """A course folder with one chapter and three submissions."""
    for part in ("solutions", "notebooks"):
        shutil.copytree(ROOT / part / CHAPTER, folder / part / CHAPTER)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    for student in STUDENTS:
        shutil.copytree(ROOT / "examples" / student / CHAPTER, folder / "submitted" / student / CHAPTER)
    return Course(folder)


def made_up(course: Course, student: str, lost: tuple[str, ...] | None) -> Outcome:
    """A stored verdict of the course as it is: all checks passed but `lost`; `None`, nothing is written."""
    chapter = course.chapter(CHAPTER)
    data = (course.root / "submitted" / student / CHAPTER / f"{NOTEBOOK}.ipynb").read_bytes()
    cells = []
    for grade_id, checks in chapter_checks(CHAPTER).items():
        results = []
        for one in checks:
            status = "not_written" if lost is None else "failed" if one.name in lost else "passed"
            worth = one.points if status == "passed" else 0.0
            results.append(CheckResult(one.name, status, worth, one.points, one.sentence))
        cells.append(CellVerdict(grade_id, tuple(results)))
    best = sum(cell.max_score for cell in cells)
    verdict = Verdict(CHAPTER, "graded", best, tuple(cells), provenance=course.provenance(chapter, data, walled=True))
    Store(course.private / "store").put(key_of(verdict.provenance), verdict, rebuild(read(data), chapter.release())[0])
    return Outcome(student, verdict)


def outcomes_of(course: Course, **lost: tuple[str, ...] | None) -> list[Outcome]:
    return [made_up(course, student, {**LOST, **lost}[student]) for student in STUDENTS]


def rows(url: str) -> dict[str, list[tuple]]:
    """All that the gradebook says of the class, without what each run numbers and dates anew."""
    with Gradebook(url) as book:
        grades, comments = [], []
        for submission in book.assignment_submissions(CHAPTER):
            for notebook in submission.notebooks:
                who = (submission.student_id, submission.timestamp, notebook.name, notebook.late_submission_penalty)
                grades += [(
                    *who, grade.name, grade.auto_score, grade.manual_score, grade.extra_credit,
                    grade.needs_manual_grade, grade.max_score,
                ) for grade in notebook.grades]
                comments += [(*who, comment.name, comment.auto_comment, comment.manual_comment)
                             for comment in notebook.comments]
        students = [(one.id, one.first_name, one.last_name, one.email) for one in book.students]
        return {"students": sorted(students, key=repr), "grades": sorted(grades, key=repr),
                "comments": sorted(comments, key=repr)}


def url_of(course: Course) -> str:
    return f"sqlite:///{course.root}/gradebook.db"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory) -> Course:
    """The class recorded by this project."""
    folder = tmp_path_factory.mktemp("recorded")
    course = new_course(folder)
    recording.record(course, course.chapter(CHAPTER), outcomes_of(course), str(folder / "scratch"))
    return course


def test_the_rows_are_those_of_nbgraders_own_run(recorded, tmp_path):
    """The same verdicts through nbgrader's own functions, student by student, leave the same rows and files."""
    course = new_course(tmp_path)
    shutil.copytree(recorded.private, course.private)
    chapter = course.chapter(CHAPTER)
    recording.put_in_gradebook(course, chapter, str(tmp_path / "scratch"))
    api = recording.nbgrader_api(course)
    for student in STUDENTS:
        recording.must(api.autograde, "autograde", CHAPTER, student)
        recording.must(api.generate_feedback, "write feedback", CHAPTER, student)
    assert rows(url_of(course)) == rows(url_of(recorded))
    for kind, name in (("autograded", f"{NOTEBOOK}.ipynb"), ("feedback", f"{NOTEBOOK}.html")):
        for student in STUDENTS:
            place = pathlib.Path(kind, student, CHAPTER, name)
            assert (course.root / place).read_bytes() == (recorded.root / place).read_bytes(), place


def test_a_second_run_starts_no_kernel_and_records_nothing(recorded, monkeypatch):
    monkeypatch.setattr(classroom, "graded_here", lambda *_: pytest.fail("a stored verdict was made again"))
    chapter = recorded.chapter(CHAPTER)
    outcomes = list(classroom.graded(recorded, chapter, classroom.submissions(recorded, chapter), 2))
    assert [outcome.stored for outcome in outcomes] == [True] * 3
    assert recording.record(recorded, chapter, outcomes, "unused") == []


def test_a_name_that_nbgrader_takes_for_a_pattern_is_told_and_the_others_are_recorded(tmp_path):
    course = new_course(tmp_path)
    (course.root / "submitted" / "student-01").rename(course.root / "submitted" / "odd[1]")
    outcomes = [made_up(course, student, ()) for student in ("odd[1]", "student-02")]
    with pytest.raises(CourseError, match=r"rename the folder submitted/odd\[1\]"):
        recording.record(course, course.chapter(CHAPTER), outcomes, str(tmp_path / "scratch"))
    assert {row[0] for row in rows(url_of(course))["grades"]} == {"student-02"}


def set_by_hand(course: Course, student: str, cell: str, score: float, comment: str) -> None:
    with Gradebook(url_of(course)) as book:
        grade = book.find_grade(cell, NOTEBOOK, CHAPTER, student)
        grade.manual_score, grade.needs_manual_grade = score, False
        book.find_comment("merge_pair", NOTEBOOK, CHAPTER, student).manual_comment = comment
        book.db.commit()


def test_regrading_is_shown_applied_and_undone(tmp_path, monkeypatch):
    course = new_course(tmp_path)
    chapter = course.chapter(CHAPTER)
    recording.record(course, chapter, outcomes_of(course), str(tmp_path / "scratch"))
    set_by_hand(course, "student-02", "test_count_pairs", 2.5, "Look at runs.")
    before = rows(url_of(course))
    page = tmp_path / "feedback" / "student-02" / CHAPTER / f"{NOTEBOOK}.html"
    told = page.read_bytes()

    # The checks are changed: one that failed is mended, another fails where it passed.
    monkeypatch.setattr(chapter_module, "judging_code", lambda name: "changed")
    new = outcomes_of(course, **{"student-02": ("overlapping_places", "stops_early")})
    found = regrade.changes(course, chapter, new)
    assert [change.outcome.student for change in found] == ["student-02"]
    assert [reason.split(" was")[0] for reason in found[0].reasons] == [
        "test_fit_merges ties", "test_fit_merges stops_early",
    ]
    assert found[0].gain == 0

    # A class graded anew is left as it is until somebody says so.
    assert recording.record(course, chapter, new, "unused") == []
    assert rows(url_of(course)) == before

    regrade.apply(course, chapter, found, str(tmp_path / "scratch"))
    after = rows(url_of(course))
    assert after["comments"] == before["comments"]
    assert [row for row in after["grades"] if row[4] == "test_count_pairs"] == [
        row for row in before["grades"] if row[4] == "test_count_pairs"
    ]
    assert page.read_bytes() != told
    assert regrade.changes(course, chapter, new) == []

    set_by_hand(course, "student-02", "test_merge_pair", 1.5, "Better.")
    assert regrade.undo(course, chapter) == ["student-02"]
    assert page.read_bytes() == told
    undone = rows(url_of(course))
    assert {row[:6] for row in undone["grades"]} == {row[:6] for row in before["grades"]}
    with Gradebook(url_of(course)) as book:
        assert book.find_grade("test_merge_pair", NOTEBOOK, CHAPTER, "student-02").manual_score == 1.5
        assert book.find_comment("merge_pair", NOTEBOOK, CHAPTER, "student-02").manual_comment == "Better."
    assert len(regrade.changes(course, chapter, new)) == 1
    with pytest.raises(CourseError, match="could be undone"):
        regrade.undo(course, chapter)


@pytest.mark.parametrize("recorded_before", [0, 1, 2])
def test_a_regrading_that_is_stopped_goes_on_and_can_be_undone(tmp_path, monkeypatch, recorded_before):
    """Ended before the first, between, and after the last student; then applied once more, then undone."""
    course = new_course(tmp_path)
    chapter = course.chapter(CHAPTER)
    scratch = str(tmp_path / "scratch")
    recording.record(course, chapter, outcomes_of(course), scratch)
    set_by_hand(course, "student-01", "test_count_pairs", 2.5, "Look at runs.")
    before = rows(url_of(course))
    monkeypatch.setattr(chapter_module, "judging_code", lambda name: "changed")
    new = outcomes_of(course, **dict.fromkeys(("student-01", "student-02"), ("ties", "stops_early")))

    class Killed(BaseException):
        pass

    def recorded_in_part(course, chapter, outcomes, *rest, **named):
        recording.record(course, chapter, outcomes[:recorded_before], *rest, **named)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(regrade, "record", recorded_in_part)
        with pytest.raises(Killed):
            regrade.apply(course, chapter, regrade.changes(course, chapter, new), scratch)
    assert regrade.stopped(course, chapter)
    left = regrade.changes(course, chapter, new)
    assert len(left) == 2 - recorded_before
    regrade.apply(course, chapter, left, scratch)
    assert not regrade.stopped(course, chapter)
    by_hand = [row for row in rows(url_of(course))["grades"] if row[6] is not None]
    assert by_hand == [row for row in before["grades"] if row[6] is not None]
    assert regrade.undo(course, chapter) == ["student-01", "student-02"]
    assert rows(url_of(course)) == before


def ends_its_worker(root: str, chapter: str, handed: HandIn) -> tuple[None, str]:
    """In place of `grade_one`: one submission ends whoever grades it."""
    if handed.data == b"deadly":
        os.kill(os.getpid(), signal.SIGKILL)
    return None, "graded"


def test_a_submission_that_ends_whoever_grades_it_takes_no_other_along(tmp_path, monkeypatch):
    monkeypatch.setattr(classroom, "grade_one", ends_its_worker)
    names = ["harmless-0", "deadly", *(f"harmless-{number}" for number in range(1, 6))]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "naive_bpe.ipynb").write_text(name.partition("-")[0])
    waiting = {name: tmp_path / name / "naive_bpe.ipynb" for name in names}
    chapter = Chapter(CHAPTER, tmp_path / "naive_bpe.ipynb")
    outcomes = classroom.graded_here(Course(tmp_path), chapter, waiting, jobs=1)
    assert {one.student: one.trouble for one in outcomes} == {
        **dict.fromkeys(names, "graded"), "deadly": "the grading process was killed twice",
    }


def test_only_as_many_submissions_are_read_as_are_graded_soon(tmp_path, monkeypatch):
    """Ten thousand notebooks in memory at once would be more than a machine has."""
    read = []
    monkeypatch.setattr(classroom, "grade_one", ends_its_worker)
    monkeypatch.setattr(classroom, "hand_in", lambda *_: read.append(1) or HandIn(b"harmless"))
    waiting = dict.fromkeys((f"student-{number:02}" for number in range(20)), tmp_path / "naive_bpe.ipynb")
    chapter = Chapter(CHAPTER, tmp_path / "naive_bpe.ipynb")
    outcomes = classroom.graded_here(Course(tmp_path), chapter, waiting, jobs=2)
    ahead = [len(read) - done for done, _ in enumerate(outcomes)]
    assert len(ahead) == len(read) == 20
    assert max(ahead) <= 2 * classroom.AHEAD


def test_a_worker_loads_nothing_of_nbgraders():
    """It only grades; importing nbgrader took two thirds of its start and half of its memory."""
    what = "import sys, autograder.cli, autograder.grading.classroom; print([*filter(sys.modules.get, sys.argv[1:])])"
    run = subprocess.run(
        [sys.executable, "-c", what, "nbformat", "nbgrader", "nbconvert", "sqlalchemy"], capture_output=True, text=True,
    )
    assert run.stdout == "['nbformat']\n", run.stderr


def test_points_that_change_are_told():
    check = CheckResult("ties", "passed", 1.0, 1.0, "Ties.")
    old = Verdict(CHAPTER, "graded", 1.0, (CellVerdict("test_fit_merges", (check,)),))
    dearer = dataclasses.replace(check, points=2.0, max_points=2.0)
    new = dataclasses.replace(old, cells=(CellVerdict("test_fit_merges", (dearer,)),))
    assert regrade.reasons(old, old) == []
    assert regrade.reasons(old, new) == [
        "test_fit_merges ties was passed (1 of 1), and is passed (2 of 2): Ties.",
    ]


def test_only_a_chapters_own_code_is_in_its_provenance():
    """What a chapter's checks import counts, other chapters' checks do not."""
    def code(name: str) -> set[str]:
        found, waiting = set(), [f"autograder.checks.{name}"]
        while waiting:
            one = waiting.pop()
            path = (ROOT / one.replace(".", "/")).with_suffix(".py")
            if one not in found and path.is_file():
                found.add(one)
                waiting += chapter_module.imports_of(path)
        return found

    assert {"autograder.reference.naive_bpe", "autograder.checks.api", "autograder.sandbox.inside.wire"} <= code(
        "ch03_naive_bpe"
    )
    assert not any("ch01" in name or "ch02" in name for name in code("ch03_naive_bpe"))
    assert chapter_module.judging_code("03_naive_bpe") != chapter_module.judging_code("01_unicode")


def test_pruning_keeps_what_may_be_asked_for(tmp_path, monkeypatch):
    course = new_course(tmp_path)
    chapter = course.chapter(CHAPTER)
    store = Store(course.private / "store")
    with monkeypatch.context() as earlier:
        earlier.setattr(chapter_module, "judging_code", lambda name: "earlier")
        recorded_once, dropped, _ = outcomes_of(course)
        mark = recording.mark_of(course, chapter, "student-01")
        mark.parent.mkdir(parents=True)
        mark.write_text(recording.mark_text(recorded_once.verdict))
    now = outcomes_of(course)
    (store.folder / "ab").mkdir(exist_ok=True)
    (store.folder / "ab" / ".half.ipynb.xyz").write_text("a crash left this")
    size = store.size()
    freed = store.prune(classroom.wanted_keys(course))
    assert freed > 0
    assert store.size() == size - freed
    assert store.get(key_of(dropped.verdict.provenance)) is None
    for outcome in (recorded_once, *now):
        assert store.get(key_of(outcome.verdict.provenance))[0] == outcome.verdict
    assert not list(store.folder.rglob(".half*"))


# --- PostgreSQL ----------------------------------------------------------------------------------------------------


@pytest.fixture
def postgresql(tmp_path):
    """The URL of an empty database in a cluster of this test's own, run by an ordinary user."""
    programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not programs:
        pytest.fail("PostgreSQL is not installed; Debian, Ubuntu: sudo apt-get install postgresql")
    folder, data = programs[-1].parent, tmp_path / "cluster"
    data.mkdir()
    run = []
    if os.getuid() == 0:  # the server refuses to be root; every machine has this user
        for path in (tmp_path, *tmp_path.parents):
            if path.stat().st_uid == 0 and path != pathlib.Path("/tmp") and not path.stat().st_mode & 0o001:
                path.chmod(path.stat().st_mode | 0o011)
        shutil.chown(data, "nobody")
        run = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    options = f"-c listen_addresses= -c unix_socket_directories={data} -c fsync=off"
    for words in (
        [folder / "initdb", "-D", data / "db", "-U", "grader", "-A", "trust", "-N"],
        [folder / "pg_ctl", "-D", data / "db", "-o", options, "-l", data / "log", "-w", "start"],
        [folder / "createdb", "-h", data, "-U", "grader", "gradebook"],
    ):
        subprocess.run([*run, *map(str, words)], check=True, cwd="/", stdout=subprocess.DEVNULL, timeout=120)
    yield f"postgresql://grader@/gradebook?host={data}"
    running = data / "db" / "postmaster.pid"  # by signal: another pytest run may have closed the folder above again
    os.kill(int(running.read_text().split()[0]), signal.SIGINT)
    deadline = time.monotonic() + 60
    while running.exists() and time.monotonic() < deadline:
        time.sleep(0.05)


def test_postgresql_holds_the_same_rows(recorded, postgresql, tmp_path, monkeypatch):
    monkeypatch.setenv("NBGRADER_DB_URL", postgresql)
    course = new_course(tmp_path / "course")
    shutil.copytree(recorded.private / "store", course.private / "store")
    shutil.copy(recorded.private / "secret", course.private / "secret")
    chapter = course.chapter(CHAPTER)
    outcomes = list(classroom.graded(course, chapter, classroom.submissions(course, chapter), 1))
    assert all(outcome.stored for outcome in outcomes)
    assert recording.record(course, chapter, outcomes, str(tmp_path / "scratch")) == list(STUDENTS)
    assert not (course.root / "gradebook.db").exists()
    assert rows(postgresql) == rows(url_of(recorded))
    assert recording.record(course, chapter, outcomes, "unused") == []
    assert nbformat.read(course.root / "autograded" / "student-01" / CHAPTER / f"{NOTEBOOK}.ipynb", as_version=4)
