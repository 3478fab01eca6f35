"""Grade a class: fill the store in parallel, then record in nbgrader's gradebook in one place.

Grading is the slow part and needs no order; recording is nbgrader's own autograde, which finds every verdict in the
store, and goes on beside the grading. Killed at any moment, the next call goes on where this one was.
"""

import concurrent.futures
import concurrent.futures.process
import contextlib
import dataclasses
import hashlib
import itertools
import multiprocessing
import os
import pathlib
import signal
import threading
import time
from collections.abc import Callable, Iterator

import nbformat

from autograder.grading.chapter import Chapter, Course, CourseError
from autograder.grading.store import Store, key_of
from autograder.grading.submission import Graded, grade_hand_in, ungradable
from autograder.grading.submitted import HandIn, hand_in
from autograder.grading.verdict import Verdict
from autograder.sandbox.kernels import SandboxError
from autograder.sandbox.shared import NO_SANDBOX, shared_sandbox

__all__ = ["Outcome", "graded", "submissions", "wanted_keys"]

AHEAD = 2  # submissions for each process that are read and handed over; a whole class of them would fill the memory
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


def graded(
    course: Course, chapter: Chapter, paths: dict[str, pathlib.Path], jobs: int, scheduler: str = ""
) -> Iterator[Outcome]:
    """Each submission's outcome as soon as it is known: first those from the store, then `jobs` at a time.

    With `scheduler`, a Dask cluster's address, its workers grade instead of processes here. Whoever stops asking closes
    the iterator, which ends the work that is under way. What this holds in memory does not grow with the class.
    """
    missing: dict[str, pathlib.Path] = {}
    store = Store(course.private / "store")
    like = course.provenance(chapter, b"", walled=not os.environ.get(NO_SANDBOX))
    for student, path in paths.items():
        handed = hand_in(path.parent, chapter.notebook)
        verdict = store.verdict(key_of({**like, "submission": hashlib.sha256(handed.data).hexdigest()}))
        if handed.trouble:
            walled = like["sandbox"] != "none"
            yield Outcome(student, ungradable(handed.data, chapter, course, walled, handed.trouble).verdict)
        elif verdict is not None:
            noted = dataclasses.replace(verdict, notes=(*handed.notes, *verdict.notes))
            yield Outcome(student, noted, stored=True)
        else:
            missing[student] = path
    if scheduler:
        yield from graded_on_cluster(course, chapter, missing, scheduler)
    elif missing:
        yield from graded_here(course, chapter, missing, jobs)


def graded_on_cluster(
    course: Course, chapter: Chapter, missing: dict[str, pathlib.Path], address: str
) -> Iterator[Outcome]:
    from autograder.grading import cluster

    store = Store(course.private / "store")
    sent: dict[str, HandIn] = {}

    def texts() -> Iterator[tuple[str, bytes]]:
        for student, path in missing.items():
            sent[student] = hand_in(path.parent, chapter.notebook)
            yield student, sent[student].data

    for student, result in cluster.run_on(address, course, chapter, texts()):
        verdict_text, notebook, trouble = result
        verdict, handed = None, sent.pop(student)
        if not trouble:
            verdict = Verdict.from_json(verdict_text)
            if verdict.provenance != course.provenance(chapter, handed.data, walled=True):
                verdict, trouble = None, "a worker has other versions of the project, of Python or of its libraries"
        if verdict is not None:
            store.put(key_of(verdict.provenance), verdict, nbformat.reads(notebook, as_version=4))
            verdict = dataclasses.replace(verdict, notes=(*handed.notes, *verdict.notes))
        yield Outcome(student, verdict, trouble=trouble)


def graded_here(course: Course, chapter: Chapter, missing: dict[str, pathlib.Path], jobs: int) -> Iterator[Outcome]:
    waiting = dict(missing)
    while waiting:
        yield from graded_together(course, chapter, waiting, jobs)
        # If a worker was killed, what it was grading is among the first that are left. Each of these is graded by
        # itself: one that ends whoever grades it takes no other along.
        for student in list(waiting)[: AHEAD * jobs]:
            alone = {student: waiting.pop(student)}
            yield from graded_together(course, chapter, alone, 1)
            if alone:
                yield Outcome(student, None, trouble="the grading process was killed twice")


def graded_together(
    course: Course, chapter: Chapter, waiting: dict[str, pathlib.Path], jobs: int
) -> Iterator[Outcome]:
    """Grade those who wait and take off who is done; when a worker is killed, whoever was not done goes on waiting."""
    # Spawned, not forked: a fork would share this process's sandbox, its pipes and its numbering of kernels.
    spawn = multiprocessing.get_context("spawn")
    pool = concurrent.futures.ProcessPoolExecutor(min(jobs, len(waiting)), spawn, begin_worker, (os.getpid(),))
    with pool:
        tasks: dict[concurrent.futures.Future, str] = {}
        following = iter(list(waiting.items()))
        try:
            with contextlib.suppress(concurrent.futures.process.BrokenProcessPool):
                while True:
                    for student, path in itertools.islice(following, AHEAD * jobs - len(tasks)):
                        handed = hand_in(path.parent, chapter.notebook)
                        tasks[pool.submit(grade_one, str(course.root), chapter.name, handed)] = student
                    if not tasks:
                        break
                    for task in concurrent.futures.wait(tasks, return_when=concurrent.futures.FIRST_COMPLETED).done:
                        verdict, trouble = task.result()
                        student = tasks.pop(task)
                        del waiting[student]
                        yield Outcome(student, verdict, trouble=trouble)
        except BaseException:  # an interrupt, or nobody asks for more
            for worker in multiprocessing.active_children():
                worker.kill()  # nobody waits for what is under way: the store is whole at any moment
            pool.shutdown(cancel_futures=True)
            raise


def grade_one(root: str, chapter_name: str, handed: HandIn) -> tuple[Verdict | None, str]:
    """What one process does: the verdict, or what went wrong with the grader."""
    course = Course(pathlib.Path(root))
    chapter = course.chapter(chapter_name)
    store = Store(course.private / "store")
    graded, trouble = with_retries(
        lambda: grade_hand_in(handed, chapter, course, shared_sandbox(course.root), store), course.root
    )
    return (graded.verdict if graded else None), trouble


def with_retries(grade: Callable[[], Graded], root: pathlib.Path) -> tuple[Graded | None, str]:
    """What `grade` gives, with a fresh sandbox when the first one failed; or what went wrong with the grader."""
    trouble = ""
    for _ in range(TRIES):
        try:
            return grade(), ""
        except SandboxError as error:
            trouble = str(error)
            shared_sandbox(root).close()
            shared_sandbox.cache_clear()
        except Exception as error:  # a fault of the grader's own: left to a person, the class goes on
            trouble = f"{type(error).__name__}: {error}"[:500]
    return None, trouble


def begin_worker(parent: int) -> None:
    """Leave the keyboard's interrupts to the process that started this worker, and end soon after it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(parent)


def end_with_parent(parent: int) -> None:
    """Let this worker end soon after the process that started it, which may have been killed without a word.

    Workers would otherwise wait for work for ever, each with a sandbox.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)  # the sandbox dies with its parent

    threading.Thread(target=watch, daemon=True).start()


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
