"""Grade cells without a kernel: the code runs in a forked child behind the same wire, as a snapshot would.

For tests of checks and misconceptions, of which there are hundreds; the sandbox and real kernels have their own tests.
"""

import os
import socket

import matplotlib.pyplot  # noqa: F401  here, so that no forked child has to import it for its setup cells
import pandas  # noqa: F401  the same
from IPython.display import HTML  # noqa: F401  the same

from autograder.checks.runner import CheckResult, chapter_checks, run_cell
from autograder.checks.session import Answer
from autograder.misconceptions.api import Misconception, catalogue, recognise
from autograder.sandbox.inside import snapshot

SECRET = b"a secret for tests"


def connector(source: str, folder: str = "."):
    """A `connect` for `run_cell`: each call forks a child that runs `source` and then answers on a socket."""

    def connect() -> socket.socket:
        ours, theirs = socket.socketpair()
        if os.fork() == 0:
            try:
                ours.close()
                snapshot.silence()
                namespace: dict = {"__name__": "__main__"}
                exec(compile(source, "<cell>", "exec"), namespace)
                snapshot.serve(theirs, namespace, folder)
            finally:
                os._exit(0)
        theirs.close()
        return ours

    return connect


def grade(
    chapter: str, cell: str, source: str, folder: str = ".", secret: bytes = SECRET
) -> tuple[list[CheckResult], list[Answer]]:
    """The results of one test cell's checks on a student's `source`, and the answers seen."""
    return run_cell(chapter_checks(chapter)[cell], connector(source, folder), secret)


def failing(results: list[CheckResult]) -> set[str]:
    return {result.name for result in results if result.status != "passed"}


def named(chapter: str, answers: list[Answer]) -> list[Misconception]:
    return recognise(catalogue(chapter), answers)
