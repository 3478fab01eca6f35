"""The sandbox that whatever one process grades has in common. Here, as workers need nothing of nbgrader's."""

import atexit
import functools
import os
import pathlib

from autograder.sandbox import bubblewrap
from autograder.sandbox.kernels import Sandbox

__all__ = ["NO_SANDBOX", "shared_sandbox"]

NO_SANDBOX = "AUTOGRADER_NO_SANDBOX"  # set by `autograder grade --no-sandbox` for what it starts


@functools.cache
def shared_sandbox(root: pathlib.Path) -> Sandbox:
    """One sandbox for all submissions that this process grades, in which the course in `root` is hidden."""
    sandbox = Sandbox(hidden=[root], walled=not os.environ.get(NO_SANDBOX))
    if sandbox.walled and not bubblewrap.available():
        bubblewrap.command("", ())  # raises with what to do
    atexit.register(sandbox.close)
    return sandbox
