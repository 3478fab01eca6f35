"""A class graded by a Dask cluster on this machine, of which one worker is killed and one added while it runs."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import nbformat
import pytest

from autograder.grading import classroom
from autograder.grading.chapter import Course, CourseError

distributed = pytest.importorskip("distributed", reason="the extra [cluster] is not installed")

pytestmark = pytest.mark.xdist_group("cluster")
ROOT = pathlib.Path(__file__).resolve().parent.parent
CHAPTER, NOTEBOOK = "01_unicode", "unicode"


@pytest.fixture
def cluster(tmp_path):
    """A scheduler's address, a function that starts one more worker process, and the scheduler's process."""
    processes = []

    def start(*words: str) -> subprocess.Popen:
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        log = (tmp_path / f"{len(processes)}.log").open("w")
        process = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:], "--no-dashboard"],
            cwd=tmp_path, env=env, stdout=log, stderr=log,
        )
        log.close()
        processes.append(process)
        return process

    told = str(tmp_path / "scheduler.json")
    scheduler = start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", told)
    deadline = time.monotonic() + 60
    while not (tmp_path / "scheduler.json").exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    address = json.loads((tmp_path / "scheduler.json").read_text())["address"]
    yield address, lambda: start("worker", address, "--nthreads", "1", "--no-nanny"), scheduler
    for process in processes:
        process.kill()
        process.wait()


def new_course(folder: pathlib.Path, count: int) -> Course:
    """A course in which so many students answered with the empty release, each in a file of their own."""
    for part in ("solutions", "notebooks"):
        shutil.copytree(ROOT / part / CHAPTER, folder / part / CHAPTER)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    notebook = nbformat.read(ROOT / "notebooks" / CHAPTER / f"{NOTEBOOK}.ipynb", as_version=4)
    for number in range(count):
        own = nbformat.v4.new_code_cell(f"mine = {number}", id="mine")
        target = folder / "submitted" / f"student-{number:02}" / CHAPTER / f"{NOTEBOOK}.ipynb"
        target.parent.mkdir(parents=True)
        nbformat.write(nbformat.v4.new_notebook(cells=[own, *notebook.cells], metadata=notebook.metadata), target)
    return Course(folder)


def test_results_that_died_with_their_worker_are_graded_again(cluster, tmp_path, monkeypatch):
    monkeypatch.setenv("AUTOGRADER_SECRET", "a secret for tests")
    address, start_worker, _ = cluster
    course = new_course(tmp_path / "course", 4)
    chapter = course.chapter(CHAPTER)
    worker = start_worker()
    paths = classroom.submissions(course, chapter)
    outcomes = classroom.graded(course, chapter, paths, 1, scheduler=address)
    first = next(outcomes)
    with distributed.Client(address) as client:
        deadline = time.monotonic() + 120
        while sum(key.startswith("grade-") for key in client.who_has()) < 3 and time.monotonic() < deadline:
            time.sleep(0.1)  # done, told to the grader, and kept by the worker alone
    worker.kill()
    worker.wait()
    start_worker()
    rest = list(outcomes)
    assert sorted(outcome.student for outcome in (first, *rest)) == list(paths)
    assert [outcome.trouble for outcome in rest] == [""] * 3


def test_without_its_scheduler_a_run_ends_and_says_so(cluster, tmp_path, monkeypatch):
    monkeypatch.setenv("AUTOGRADER_SECRET", "a secret for tests")
    address, start_worker, scheduler = cluster
    course = new_course(tmp_path / "course", 3)
    chapter = course.chapter(CHAPTER)
    start_worker()
    outcomes = classroom.graded(course, chapter, classroom.submissions(course, chapter), 1, scheduler=address)
    assert next(outcomes).trouble == ""
    scheduler.kill()
    with pytest.raises(CourseError, match="the same command goes on from there"):
        list(outcomes)
    assert sum(outcome.stored for outcome in classroom.graded(
        course, chapter, dict(list(classroom.submissions(course, chapter).items())[:1]), 1
    )) == 1  # what had come back is kept


def test_a_worker_killed_and_one_added_change_no_verdict(cluster, tmp_path, monkeypatch):
    monkeypatch.setenv("AUTOGRADER_SECRET", "a secret for tests")
    address, start_worker, _ = cluster
    course = new_course(tmp_path / "course", 8)
    chapter = course.chapter(CHAPTER)
    workers = [start_worker(), start_worker()]
    paths = classroom.submissions(course, chapter)
    outcomes = []
    for outcome in classroom.graded(course, chapter, paths, 1, scheduler=address):
        if not outcomes:
            workers[0].send_signal(signal.SIGKILL)
            workers.append(start_worker())
        outcomes.append(outcome)
    assert sorted(outcome.student for outcome in outcomes) == list(paths)
    assert [outcome.trouble for outcome in outcomes] == [""] * 8
    assert workers[0].wait() == -signal.SIGKILL

    shutil.rmtree(course.private / "store")
    some = dict(list(paths.items())[-2:])  # local processes, in another order
    local = list(classroom.graded(course, chapter, dict(reversed(some.items())), 2))
    # Verdicts are equal whatever time they took.
    far = {outcome.student: outcome.verdict for outcome in outcomes}
    assert [outcome.verdict for outcome in local] == [far[outcome.student] for outcome in local]
