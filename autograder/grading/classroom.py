"""Grade a class: fill the store in parallel, then record in nbgrader's gradebook in one place.

Filling the store is the slow part and needs no order; recording is nbgrader's own autograde, which finds every verdict
in the store. Killed at any moment, the next call goes on where this one was.
"""

import concurrent.futures
import concurrent.futures.process
import dataclasses
import multiprocessing
import os
import pathlib
import sys
import warnings
from collections.abc import Callable, Sequence

from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config, PyFileConfigLoader

from autograder.grading.chapter import Chapter, Course, CourseError
from autograder.grading.nbgrader_glue import shared_sandbox
from autograder.grading.store import Store, key_of, write_atomically
from autograder.grading.submission import grade_hand_in
from autograder.grading.submitted import hand_in
from autograder.grading.verdict import Verdict
from autograder.sandbox.kernels import SandboxError

__all__ = ["Outcome", "fill_store", "record", "submissions"]

TRIES = 2  # a sandbox that failed once gets a second chance before the submission is left for a person


@dataclasses.dataclass(frozen=True)
class Outcome:
    """One student's: a verdict, or the reason why the grader itself could not give one."""

    student: str
    verdict: Verdict | None
    stored: bool = False
    trouble: str = ""


def submissions(course: Course, chapter: Chapter, student: str | None = None) -> dict[str, pathlib.Path]:
    """The file that should be there, by student in order of name, for all whose folder holds anything for the chapter.

    Which file it is in fact, if any, says `hand_in`.
    """
    pattern = f"{chapter.name}/{chapter.notebook}.ipynb"
    folders = sorted((course.root / "submitted").glob(f"*/{chapter.name}"))
    found = {
        folder.parent.name: folder / f"{chapter.notebook}.ipynb"
        for folder in folders if folder.is_dir() and any(path.name != "timestamp.txt" for path in folder.iterdir())
    }
    if student is not None:
        found = {name: path for name, path in found.items() if name == student}
    if not found:
        whose = f" of {student}" if student else ""
        raise CourseError(f"no submissions{whose} for {chapter.name}: expected submitted/<student>/{pattern}")
    return found


def grade_file(root: str, chapter_name: str, path: str) -> tuple[Verdict | None, bool, str]:
    """What one worker does: verdict, whether it was stored, and what went wrong with the grader."""
    course = Course(pathlib.Path(root))
    chapter = course.chapter(chapter_name)
    trouble = ""
    for _ in range(TRIES):
        try:
            graded = grade_hand_in(
                hand_in(pathlib.Path(path).parent, chapter.notebook), chapter, course, shared_sandbox(course.root),
                Store(course.private / "store"),
            )
            return graded.verdict, graded.stored, ""
        except SandboxError as error:
            trouble = str(error)
            shared_sandbox(course.root).close()
            shared_sandbox.cache_clear()
        except Exception as error:  # a fault of the grader's own: left to a person, the class goes on
            trouble = f"{type(error).__name__}: {error}"[:500]
    return None, False, trouble


def fill_store(
    course: Course, chapter: Chapter, paths: dict[str, pathlib.Path], jobs: int,
    progress: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """A verdict for every submission, `jobs` at a time; `progress` is called as each is done."""
    outcomes: dict[str, Outcome] = {}
    waiting = dict(paths)
    for _ in range(TRIES):
        workers = max(1, min(jobs, len(waiting) or 1))
        # Spawned, not forked: a fork would share this process's sandbox, its pipes and its numbering of kernels.
        with concurrent.futures.ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
            tasks = {
                pool.submit(grade_file, str(course.root), chapter.name, str(path)): student
                for student, path in waiting.items()
            }
            for task in concurrent.futures.as_completed(tasks):
                student = tasks[task]
                try:
                    verdict, stored, trouble = task.result()
                except concurrent.futures.process.BrokenProcessPool:
                    continue  # a worker was killed: whatever it had not finished is tried again
                outcomes[student] = Outcome(student, verdict, stored, trouble)
                progress(outcomes[student])
                del waiting[student]
        if not waiting:
            break
    for student in waiting:
        outcomes[student] = Outcome(student, None, trouble="the grading process was killed twice")
        progress(outcomes[student])
    return [outcomes[student] for student in paths]


# --- nbgrader ------------------------------------------------------------------------------------------------------


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


def must(command: Callable[..., dict], what: str, *args: object, **kwargs: object) -> None:
    """Run one command of nbgrader's API; raises `CourseError` with nbgrader's own log when it failed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # nbgrader's own, of its database layer; its errors are in the result
        result = command(*args, **kwargs)
    if not result["success"]:
        raise CourseError(f"nbgrader could not {what}:\n{result.get('error') or result.get('log', '')}")


def put_in_gradebook(course: Course, chapter: Chapter, scratch: str) -> None:
    """Tell the gradebook of the chapter's cells and points; the release that nbgrader writes goes to `scratch`."""
    api = nbgrader_api(course, release_directory=scratch)
    must(api.generate_assignment, f"read solutions/{chapter.name}", chapter.name, force=True, create=True)


def record(
    course: Course, chapter: Chapter, outcomes: Sequence[Outcome], scratch: str,
    progress: Callable[[str], None] = lambda student: None,
) -> list[str]:
    """Record verdicts in the gradebook, and write the feedback pages; returns the students that were recorded anew.

    nbgrader does both; its preprocessors find the verdicts in the store. What is recorded already is left alone, so
    that marks given by hand since then are not sent to review again.
    """
    done: list[str] = []
    failed: list[str] = []
    new = [outcome for outcome in outcomes if outcome.verdict and not is_recorded(course, chapter, outcome)]
    if new:
        put_in_gradebook(course, chapter, scratch)
    api = nbgrader_api(course)
    for outcome in new:
        assert outcome.verdict is not None
        try:
            if nbgrader_sees(course, chapter, outcome.student):
                must(api.autograde, f"record {outcome.student}", chapter.name, outcome.student)
                must(api.generate_feedback, f"write the feedback of {outcome.student}", chapter.name, outcome.student)
            else:
                leave_to_person(api, chapter, outcome.student)
        except CourseError as error:  # the others are recorded all the same
            failed.append(str(error))
            continue
        write_atomically(mark_of(course, chapter, outcome.student), key_of(outcome.verdict.provenance) + "\n")
        done.append(outcome.student)
        progress(outcome.student)
    if failed:
        raise CourseError("\n".join(failed))
    return done


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


def is_recorded(course: Course, chapter: Chapter, outcome: Outcome) -> bool:
    """Do gradebook and feedback hold this very verdict?"""
    assert outcome.verdict is not None
    try:
        mark = mark_of(course, chapter, outcome.student).read_text().strip()
    except OSError:
        return False
    feedback = course.root / "feedback" / outcome.student / chapter.name / f"{chapter.notebook}.html"
    if mark != key_of(outcome.verdict.provenance) or not feedback.is_file():
        return False
    with nbgrader_api(course).gradebook as gradebook:
        return any(
            submission.student_id == outcome.student for submission in gradebook.assignment_submissions(chapter.name)
        )
