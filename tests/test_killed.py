"""`kill -9` at random moments of a class run: what was done stays done, and the end is as if nothing had happened."""

import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import time

import pytest

from autograder.grading.classroom import end_with_parent

SCRIPT = pathlib.Path(__file__).parent / "hostile" / "killed.py"


@pytest.mark.parametrize(
    ("seed", "kills", "students"), [(1, 4, 2), *(pytest.param(seed, 25, 4, marks=pytest.mark.slow) for seed in (2, 3))]
)
def test_a_killed_class_ends_like_one_left_alone(tmp_path, seed, kills, students):
    run = subprocess.run(
        [sys.executable, SCRIPT, tmp_path, *map(str, (seed, kills, students))], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr[-3000:]
    found = json.loads(run.stdout.splitlines()[-1])
    assert found["kills"] > 0
    assert len({student for student, *_ in found["alone"]["grades"]}) == students
    assert found["killed"]["verdicts"] == found["alone"]["verdicts"]
    assert found["killed"]["grades"] == found["alone"]["grades"]
    assert found["killed"]["files"] == found["alone"]["files"]


def test_workers_of_a_killed_run_do_not_stay():
    told, tell = os.pipe()
    run = os.fork()
    if not run:
        if not os.fork():  # the worker: what it holds open tells that it lives
            end_with_parent(os.getppid())
            os.write(tell, b"w")
            time.sleep(60)
        time.sleep(60)
    os.close(tell)
    assert os.read(told, 1) == b"w"
    os.kill(run, signal.SIGKILL)
    os.waitpid(run, 0)
    assert select.select([told], [], [], 30)[0]
    assert os.read(told, 1) == b""
