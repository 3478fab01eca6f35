"""`kill -9` at random moments of a class run: what was done stays done, and the end is as if nothing had happened."""

import json
import pathlib
import subprocess
import sys

import pytest

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
