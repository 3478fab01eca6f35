"""Folders of sandboxes: made without locks where there are none, and removed after a grader was killed."""

import os
import pathlib
import signal
import subprocess
import sys

from autograder.sandbox import leftovers

ROOT = pathlib.Path(__file__).resolve().parent.parent


def test_without_locks_as_on_windows_the_command_line_loads_and_folders_are_made():
    program = (
        "import os, sys; sys.modules['fcntl'] = None\n"
        "import autograder.cli\nfrom autograder.sandbox import leftovers\n"
        "folder, lock = leftovers.new_folder()\nassert lock is None\nos.rmdir(folder)\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_the_folder_of_a_killed_grader_goes_when_the_next_one_starts(tmp_path, monkeypatch):
    """And neither that of one that runs, nor what only bears such a name."""
    monkeypatch.setattr(leftovers, "PLACE", tmp_path)
    alive, lock = leftovers.new_folder()
    (tmp_path / "bw-of-others").mkdir()
    child = os.fork()
    if not child:
        os.close(lock)
        leftovers.new_folder()
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    assert len(list(tmp_path.iterdir())) == 3
    later, other_lock = leftovers.new_folder()
    assert {str(path) for path in tmp_path.iterdir()} == {alive, later, str(tmp_path / "bw-of-others")}
    for descriptor in (lock, other_lock):
        os.close(descriptor)
