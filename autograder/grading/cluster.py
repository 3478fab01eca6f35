"""Grade on a Dask cluster: bytes go out, verdicts come back, and no disk is shared.

A worker needs this package, its requirements and bubblewrap; chapter, submissions and secret travel with the tasks.
Dask gives the tasks of a lost worker to another one.
"""

import functools
import itertools
import os
import pathlib
import tempfile
import threading
import uuid
from collections.abc import Iterator, Mapping

import nbformat

from autograder.grading.chapter import Chapter, Course, CourseError

__all__ = ["grade_bytes", "run_on"]

WAITING = 4  # tasks for each worker thread that are under way; more would only fill the scheduler's memory
_ONE = threading.Lock()  # a worker's sandbox serves one submission at a time

Result = tuple[str, str, str]  # verdict and notebook as JSON, or else what went wrong with the grader


def run_on(address: str, course: Course, chapter: Chapter, submissions: Mapping[str, bytes]) -> Iterator[
    tuple[str, Result]
]:
    """Student and result for each submission, as they are done; raises `CourseError` without a cluster there."""
    try:
        import distributed
    except ModuleNotFoundError:
        raise CourseError("a cluster needs Dask: pip install 'bpe-workbook[cluster]'") from None
    try:
        client = distributed.Client(address, timeout=20)
    except (OSError, TimeoutError, ValueError) as error:
        raise CourseError(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        files = {
            str(path.relative_to(chapter.folder)): path.read_bytes()
            for path in sorted(chapter.folder.rglob("*")) if path.is_file()
        }
        # A task, not scattered data: what is scattered dies with its workers, and all that was made from it.
        sent = client.submit(dict, files, pure=False)
        waiting = iter(submissions.items())
        students: dict[str, str] = {}

        def next_task() -> Iterator[distributed.Future]:
            for student, data in waiting:
                task = client.submit(
                    grade_bytes, data, chapter.name, sent, course.secret(), pure=False, retries=1,
                    key=f"grade-{uuid.uuid4().hex}",
                )
                students[task.key] = student
                yield task

        tasks = next_task()
        threads = max(1, sum(client.nthreads().values()))
        done = distributed.as_completed(list(itertools.islice(tasks, WAITING * threads)))
        for task in done:
            try:
                result = task.result()  # waits for it once more where it died with its worker
            except Exception as error:  # whatever a worker can raise
                result = "", "", f"the cluster lost it: {error}"
            yield students.pop(task.key), result
            if (following := next(tasks, None)) is not None:
                done.add(following)


def grade_bytes(data: bytes, chapter_name: str, files: dict[str, bytes], secret: bytes) -> Result:
    """What a worker does with one submission."""
    from autograder.grading.classroom import with_retries
    from autograder.grading.nbgrader_glue import shared_sandbox
    from autograder.grading.submission import grade

    with _ONE:
        os.environ["AUTOGRADER_SECRET"] = secret.decode()
        course = Course(course_of(chapter_name, tuple(sorted(files.items()))))
        chapter = course.chapter(chapter_name)
        graded, trouble = with_retries(
            lambda: grade(data, chapter, course, shared_sandbox(course.root)), course.root
        )
    return (graded.verdict.to_json(), nbformat.writes(graded.notebook), "") if graded else ("", "", trouble)


@functools.cache
def course_of(chapter_name: str, files: tuple[tuple[str, bytes], ...]) -> pathlib.Path:
    """A course folder with the released chapter, made once for the life of the worker."""
    root = pathlib.Path(tempfile.mkdtemp(prefix="course"))
    for name, content in files:
        path = root / "notebooks" / chapter_name / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root
