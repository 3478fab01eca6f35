"""Record a class in nbgrader's gradebook, in one place: nbgrader's own autograde and feedback, with stored verdicts.

What nbgrader sets up anew for every submission (its applications, its exporters with their compiled templates) is kept
for the whole class; the rows are those of its own run.
"""

import contextlib
import functools
import glob
import os
import pathlib
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator

import nbgrader.api
import sqlalchemy
from nbgrader.apps.api import NbGraderAPI
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import capture_log, temp_attrs
from traitlets.config import Config, PyFileConfigLoader

from autograder.grading.chapter import Chapter, Course, CourseError
from autograder.grading.classroom import Outcome
from autograder.grading.store import key_of, write_atomically
from autograder.grading.verdict import Verdict

__all__ = ["mark_of", "nbgrader_api", "record", "recorded_key"]

STATISTICS_EVERY = 100  # recordings


def nbgrader_api(course: Course, **directories: str) -> NbGraderAPI:
    """nbgrader's own API on this course, with its configuration file."""
    scripts = os.path.dirname(sys.executable)
    if scripts not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([scripts, os.environ["PATH"]])  # nbgrader starts alembic through it
    config: Config = PyFileConfigLoader("nbgrader_config.py", path=str(course.root)).load_config()
    config.CourseDirectory.root = str(course.root)
    for name, folder in directories.items():
        config.CourseDirectory[name] = folder
    return NbGraderAPI(CourseDirectory(config=config), config=config)


@contextlib.contextmanager
def interrupts_held() -> Iterator[None]:
    """Let the keyboard's interrupt wait for the end of this context: nbgrader takes one for a failed submission."""
    came: list[int] = []
    if threading.current_thread() is not threading.main_thread():  # interrupts go to the main thread anyway
        yield
        return
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if came and callable(before):  # else it is ignored, as for what a shell runs in the background
        before(came[0], None)


def must(command: Callable[..., dict], what: str, *args: object, **kwargs: object) -> None:
    """Run one command of nbgrader's API; raises `CourseError` with nbgrader's own log when it failed."""
    with interrupts_held(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nbgrader's own, of its database layer; its errors are in the result
        result = command(*args, **kwargs)
    if not result["success"]:
        raise CourseError(f"nbgrader could not {what}:\n{result.get('error') or result.get('log', '')}")


@contextlib.contextmanager
def one_engine() -> Iterator[None]:
    """Let all gradebooks that nbgrader opens in this context share one engine of SQLAlchemy's.

    nbgrader opens one some ten times for each submission, and a new engine compiles every statement anew.
    """
    create = nbgrader.api.create_engine
    nbgrader.api.create_engine = functools.cache(create)
    try:
        yield
    finally:
        nbgrader.api.create_engine = create


def put_in_gradebook(course: Course, chapter: Chapter, scratch: str) -> None:
    """Tell the gradebook of the chapter's cells and points; the release that nbgrader writes goes to `scratch`."""
    api = nbgrader_api(course, release_directory=scratch)
    must(api.generate_assignment, f"read solutions/{chapter.name}", chapter.name, force=True, create=True)


@one_engine()
def record(
    course: Course, chapter: Chapter, outcomes: Iterable[Outcome], scratch: str, regrading: bool = False
) -> list[str]:
    """Record verdicts in the gradebook as they come, and write the feedback pages; returns the students recorded anew.

    Another verdict on a submission that is recorded already is left to `regrade`, unless this is it.

    nbgrader does both; its preprocessors find the verdicts in the store. What is recorded already is left alone, so
    that marks given by hand since then are not sent to review again.
    """
    done: list[str] = []
    failed: list[str] = []
    in_book = recorded_students(course, chapter)
    api = nbgrader_api(course)
    converters = AutogradeMany(coursedir=api.coursedir, parent=api), FeedbackMany(coursedir=api.coursedir, parent=api)
    for outcome in outcomes:
        known = outcome.student in in_book and not regrading and is_recorded(course, chapter, outcome)
        if outcome.verdict is None or known:
            continue
        if not done and not failed:
            put_in_gradebook(course, chapter, scratch)
        if len(done) % STATISTICS_EVERY == 0:
            update_statistics(api)
        try:
            if glob.escape(outcome.student) != outcome.student:
                raise CourseError(
                    f"nbgrader takes a student's name with [, * or ? in it for a pattern: rename the folder "
                    f"submitted/{outcome.student}"
                )
            if nbgrader_sees(course, chapter, outcome.student):
                for converter, what in zip(converters, ("record", "write the feedback of"), strict=True):
                    must(converter.convert, f"{what} {outcome.student}", chapter.name, outcome.student)
            else:
                leave_to_person(api, chapter, outcome.student)
        except CourseError as error:  # the others are recorded all the same
            failed.append(str(error))
            continue
        write_atomically(mark_of(course, chapter, outcome.student), mark_text(outcome.verdict))
        done.append(outcome.student)
    if failed:
        raise CourseError("\n".join(failed))
    return done


def update_statistics(api: NbGraderAPI) -> None:
    """Let SQLite know how large its tables are; else it goes through the whole class to find one student's grade.

    PostgreSQL does this of itself.
    """
    with api.gradebook as gradebook:
        if gradebook.db.get_bind().dialect.name == "sqlite":
            for statement in ("PRAGMA analysis_limit = 1000", "ANALYZE"):  # a few milliseconds, however large
                gradebook.db.execute(sqlalchemy.text(statement))
            gradebook.db.commit()


def nbgrader_sees(course: Course, chapter: Chapter, student: str) -> bool:
    """Is there a file that nbgrader takes for a notebook?"""
    return any((course.root / "submitted" / student / chapter.name).glob("*.ipynb"))


def leave_to_person(api: NbGraderAPI, chapter: Chapter, student: str) -> None:
    """Mark in the gradebook that a hand-in without a notebook needs a person; nbgrader itself leaves it out."""
    with api.gradebook as gradebook:
        gradebook.update_or_create_student(student)
        gradebook.update_or_create_submission(chapter.name, student)
        for grade in gradebook.find_submission_notebook(chapter.notebook, chapter.name, student).grades:
            grade.needs_manual_grade = True
        gradebook.db.commit()


def mark_of(course: Course, chapter: Chapter, student: str) -> pathlib.Path:
    """The file that says which verdict the gradebook holds."""
    return course.private / "recorded" / chapter.name / student


def mark_text(verdict: Verdict) -> str:
    """The verdict's key in the store, and the hash of the submission."""
    return f"{key_of(verdict.provenance)}\n{verdict.provenance['submission']}\n"


def read_mark(course: Course, chapter: Chapter, student: str) -> list[str]:
    """What `mark_text` wrote for the verdict that the gradebook holds: key and submission; nothing for none."""
    try:
        return mark_of(course, chapter, student).read_text().split()
    except OSError:
        return []


def recorded_key(course: Course, chapter: Chapter, student: str) -> str:
    """The key of the verdict that the gradebook holds; empty for none."""
    return next(iter(read_mark(course, chapter, student)), "")


def is_recorded(course: Course, chapter: Chapter, outcome: Outcome) -> bool:
    """Do the last recording and the feedback page tell of this very submission?"""
    if outcome.verdict is None:
        return False
    mark = read_mark(course, chapter, outcome.student)
    feedback = course.root / "feedback" / outcome.student / chapter.name / f"{chapter.notebook}.html"
    own = [key_of(outcome.verdict.provenance), outcome.verdict.provenance["submission"]]
    return bool(set(mark) & set(own)) and feedback.is_file()


def recorded_students(course: Course, chapter: Chapter) -> set[str]:
    """The students whom the gradebook has a submission of."""
    if not any((course.private / "recorded" / chapter.name).glob("*")):
        return set()  # without opening, and so making, the gradebook
    with nbgrader_api(course).gradebook as gradebook:
        return {submission.student_id for submission in gradebook.assignment_submissions(chapter.name)}


class KeepsExporter:
    """A converter of nbgrader's for one student after the other, that sets up its exporter once."""

    force = True
    exporter = None

    def convert(self, assignment: str, student: str) -> dict:
        """Convert one student's submission; the result is that of `NbGraderAPI`'s functions."""
        with temp_attrs(self.coursedir, assignment_id=assignment, student_id=student):
            return capture_log(self)

    def start(self) -> None:
        if self.exporter is None:
            return super().start()
        self.init_notebooks()
        with contextlib.chdir(self.coursedir.root):
            self.convert_notebooks()


class AutogradeMany(KeepsExporter, Autograde):
    create_student = True


class FeedbackMany(KeepsExporter, GenerateFeedback):
    pass
