"""Grade cells without a kernel: the code runs in a forked child behind the same wire, as a snapshot would.

For tests of checks and misconceptions, of which there are hundreds; the sandbox and real kernels have tests of their
own.
"""

import os
import signal
import socket

# Once here, as the sandbox's pre-loaded parent does it, and not anew in every child that is forked below.
import matplotlib.pyplot  # noqa: F401
import numpy  # noqa: F401
import pandas  # noqa: F401

from autograder.checks.runner import CheckResult, chapter_checks, run_cell
from autograder.checks.session import Answer
from autograder.misconceptions.api import Misconception, catalogue, recognise
from autograder.sandbox.inside import snapshot

SECRET = b"a secret for tests"


class Connector:
    """A `connect` for `run_cell`: a child runs `source` once, and forks a copy of itself for every connection."""

    def __init__(self, source: str, folder: str = "."):
        self.control, control = socket.socketpair()
        self.child = os.fork()
        if not self.child:
            try:
                self.control.close()
                snapshot.silence()
                serve_copies(control, source, folder)
            finally:
                os._exit(0)
        control.close()

    def __call__(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            socket.send_fds(self.control, [b"+"], [theirs.fileno()])
        return ours

    def close(self) -> None:
        """End the child; its copies end when their connections do."""
        if self.child:
            self.control.close()
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
            self.child = 0

    __del__ = close


def serve_copies(control: socket.socket, source: str, folder: str) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    namespace: dict = {"__name__": "__main__"}
    exec(compile(source, "<cell>", "exec"), namespace)
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            return
        if os.fork():
            os.close(descriptors[0])
            continue
        control.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        snapshot.serve(socket.socket(fileno=descriptors[0]), namespace, folder)
        return


def connector(source: str, folder: str = ".") -> Connector:
    return Connector(source, folder)


def grade(
    chapter: str, cell: str, source: str, folder: str = ".", secret: bytes = SECRET
) -> tuple[list[CheckResult], list[Answer]]:
    """The results of one test cell's checks on a student's `source`, and the answers seen."""
    connect = Connector(source, folder)
    try:
        return run_cell(chapter_checks(chapter)[cell], connect, secret)
    finally:
        connect.close()


def failing(results: list[CheckResult]) -> set[str]:
    return {result.name for result in results if result.status != "passed"}


def named(chapter: str, answers: list[Answer]) -> list[Misconception]:
    return recognise(catalogue(chapter), answers)
