"""Grade a class: fill the store in parallel, then record in nbgrader's gradebook in one place.

Filling the store is the slow part and needs no order; recording is nbgrader's own autograde, which finds every verdict
in the store. Killed at any moment, the next call goes on where this one was.
"""

import concurrent.futures
import concurrent.futures.process
import contextlib
import dataclasses
import multiprocessing
import os
import pathlib
import threading
import time
from collections.abc import Callable

from autograder.grading.chapter import Chapter, Course, CourseError
from autograder.grading.nbgrader_glue import shared_sandbox
from autograder.grading.store import Store, key_of
from autograder.grading.submission import grade_hand_in
from autograder.grading.submitted import hand_in
from autograder.grading.verdict import Verdict
from autograder.sandbox.kernels import SandboxError

__all__ = ["Outcome", "fill_store", "submissions", "wanted_keys"]

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


def end_with_parent(parent: int) -> None:
    """Let this worker end soon after the process that started it, which may have been killed without a word.

    Workers would otherwise wait for work for ever, each with a sandbox.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)  # the sandbox dies with its parent

    threading.Thread(target=watch, daemon=True).start()


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
        spawn = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(workers, spawn, end_with_parent, (os.getpid(),)) as pool:
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


def wanted_keys(course: Course) -> set[str]:
    """The keys of all verdicts that the gradebook holds, or that grading the class now would ask for."""
    keys = {path.read_text().partition("\n")[0] for path in (course.private / "recorded").glob("*/*")}
    for name in course.chapters():
        chapter = course.chapter(name)
        with contextlib.suppress(CourseError):  # no submissions
            for path in submissions(course, chapter).values():
                data = hand_in(path.parent, chapter.notebook).data
                keys |= {key_of(course.provenance(chapter, data, walled)) for walled in (True, False)}
    return keys
