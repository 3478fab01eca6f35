"""Grade on a Dask cluster: bytes go out, verdicts come back, and no disk is shared.

A worker needs this package, its requirements and bubblewrap; it gets the chapter when the work begins or when it comes
itself, and submissions and secret travel with the tasks. No task needs another one's result, which could die with its
worker. Dask gives the tasks of a lost worker to another one.
"""

import concurrent.futures
import functools
import itertools
import os
import pathlib
import tempfile
import threading
import uuid
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import nbformat

from autograder.grading.chapter import Chapter, Course, CourseError, hash_files

if TYPE_CHECKING:
    import distributed

__all__ = ["grade_bytes", "run_on"]

WAITING = 4  # tasks for each worker thread that are under way; more would only fill the scheduler's memory
RESULT_SECONDS = 60.0  # that a finished task's result may take to come; one that died with its worker is made anew
FILES: dict[str, dict[str, bytes]] = {}  # in a worker: chapters' files, by what names them in tasks
_ONE = threading.Lock()  # a worker's sandbox serves one submission at a time

Result = tuple[str, str, str]  # verdict and notebook as JSON, or else what went wrong with the grader


def run_on(
    address: str, course: Course, chapter: Chapter, submissions: Iterable[tuple[str, bytes]]
) -> Iterator[tuple[str, Result]]:
    """Student and result for each student's bytes, as they are done; raises `CourseError` without a cluster there.

    Of the submissions only so many are taken at a time as the workers have room for.
    """
    try:
        import distributed
    except ModuleNotFoundError:
        raise CourseError("a cluster needs Dask: pip install 'bpe-workbook[cluster]'") from None
    try:
        client = distributed.Client(address, timeout=20)
    except (OSError, TimeoutError, ValueError) as error:
        raise CourseError(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        paths = sorted(path for path in chapter.folder.rglob("*") if path.is_file())
        sent = hash_files(paths)  # the same chapter is one folder and one sandbox in a worker, whoever sends it
        files = {str(path.relative_to(chapter.folder)): path.read_bytes() for path in paths}
        client.register_plugin(bringing(sent, files))
        waiting = iter(submissions)
        under_way: dict[distributed.Future, tuple[str, bytes]] = {}

        def submit(student: str, data: bytes) -> None:
            task = client.submit(
                grade_bytes, data, chapter.name, sent, course.secret(), pure=False, retries=1,
                key=f"grade-{uuid.uuid4().hex}",
            )
            under_way[task] = student, data

        try:
            while True:
                room = WAITING * max(1, sum(client.nthreads().values())) - len(under_way)
                for student, data in itertools.islice(waiting, max(0, room)):
                    submit(student, data)
                if not under_way:
                    break
                for task in distributed.wait(list(under_way), return_when="FIRST_COMPLETED").done:
                    student, data = under_way.pop(task)
                    try:
                        result = task.result(timeout=RESULT_SECONDS)
                    except Exception as error:  # whatever a worker can raise
                        if isinstance(error, TimeoutError) and task.status != "error":  # it died with its worker
                            task.cancel()
                            submit(student, data)
                            continue
                        result = "", "", f"the cluster lost it: {error}"
                    yield student, result
        except (concurrent.futures.CancelledError, OSError):  # the client has tried for a while to reach it again
            raise CourseError(
                f"the Dask scheduler at {address} went away; with another one, the same command goes on from there"
            ) from None


def bringing(sent: str, files: dict[str, bytes]) -> "distributed.WorkerPlugin":
    """A plugin that brings the chapter's files to each worker there is, and to each that comes later.

    They stay, once for each version of a chapter: another run may be at work with the same.
    """
    import distributed

    class Brings(distributed.WorkerPlugin):
        name = sent

        def setup(self, worker: object) -> None:
            from autograder.grading import cluster  # the worker's own: this class travels by value

            cluster.FILES[sent] = files

    return Brings()


def grade_bytes(data: bytes, chapter_name: str, sent: str, secret: bytes) -> Result:
    """What a worker does with one submission."""
    from autograder.grading.classroom import with_retries
    from autograder.grading.submission import grade
    from autograder.sandbox.shared import shared_sandbox

    with _ONE:
        os.environ["AUTOGRADER_SECRET"] = secret.decode()
        course = Course(course_of(chapter_name, sent))
        chapter = course.chapter(chapter_name)
        graded, trouble = with_retries(
            lambda: grade(data, chapter, course, shared_sandbox(course.root)), course.root
        )
    return (graded.verdict.to_json(), nbformat.writes(graded.notebook), "") if graded else ("", "", trouble)


@functools.cache
def course_of(chapter_name: str, sent: str) -> pathlib.Path:
    """A course folder with the released chapter, made once for the life of the worker."""
    root = pathlib.Path(tempfile.mkdtemp(prefix="course"))
    for name, content in FILES[sent].items():
        path = root / "notebooks" / chapter_name / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root
