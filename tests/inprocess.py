"""Grade cells without a kernel: the code runs in a forked child behind the same wire, as a snapshot would.

For tests of checks and misconceptions, of which there are hundreds; the sandbox and real kernels have tests of their
own.
"""

import atexit
import contextlib
import gc
import json
import os
import signal
import socket
import sys
import types

# Once here, as the sandbox's pre-loaded parent does it, and not anew in every child that is forked below.
import matplotlib.pyplot  # noqa: F401
import numpy  # noqa: F401
import pandas  # noqa: F401

from autograder.checks.api import scratch_folder
from autograder.checks.runner import CheckResult, chapter_checks, run_cell
from autograder.checks.session import Answer
from autograder.misconceptions.api import Misconception, catalogue, recognise
from autograder.sandbox.inside import pools, snapshot

SECRET = b"a secret for tests"


class Template:
    """A small process that forks the children: a fork costs by the parent's size, and pytest's grows with its tests."""

    def __init__(self):
        self.control, control = socket.socketpair()
        self.child = os.fork()
        if not self.child:
            try:
                self.control.close()
                serve_children(control)
            finally:
                os._exit(0)
        control.close()

    def start(self, source: str, folder: str) -> tuple[int, socket.socket]:
        """A child that has run `source` in the folder that we are in: its process id, and where to ask for copies."""
        ours, theirs = socket.socketpair()
        order = json.dumps([source, folder, os.getcwd()]).encode()
        with theirs:
            socket.send_fds(self.control, [len(order).to_bytes(8, "big")], [theirs.fileno()])
        self.control.sendall(order)
        return int.from_bytes(self.control.recv(8, socket.MSG_WAITALL), "big"), ours


def serve_children(control: socket.socket) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.collect()
    gc.freeze()  # or each child's first collection copies every page that holds an object
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 8, 1)
        if not message:
            return
        source, folder, place = json.loads(control.recv(int.from_bytes(message, "big"), socket.MSG_WAITALL))
        child = os.fork()
        if not child:
            control.close()
            os.chdir(place)
            snapshot.silence()
            serve_copies(socket.socket(fileno=descriptors[0]), source, folder)
            return
        os.setpgid(child, child)  # what it starts ends with it
        os.close(descriptors[0])
        control.sendall(child.to_bytes(8, "big"))


class Connector:
    """A `connect` for `run_cell`: a child runs `source` once, and forks a copy of itself for every connection."""

    def __init__(self, source: str, folder: str = "."):
        self.child, self.control = TEMPLATE.start(source, folder)

    def __call__(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self.control, [b"+"], [theirs.fileno()])
            except OSError:  # the source itself ended the child
                ours.close()
                raise
        return ours

    def close(self) -> None:
        """End the child, its copies, and what they have started."""
        if self.child:
            self.control.close()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.child, signal.SIGKILL)
            self.child = 0

    __del__ = close


def serve_copies(control: socket.socket, source: str, folder: str) -> None:
    main = sys.modules["__main__"] = types.ModuleType("__main__")  # as in a kernel: processes of a pool look there
    namespace = vars(main)
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
        pools.start_anew(namespace)
        snapshot.serve(socket.socket(fileno=descriptors[0]), namespace, folder)
        return


TEMPLATE = Template()  # now, while this process is small; it needs all of the above
atexit.register(TEMPLATE.control.close)


def grade(
    chapter: str, cell: str, source: str, secret: bytes = SECRET
) -> tuple[list[CheckResult], dict[str, list[Answer]]]:
    """The results of one cell's checks on a student's `source`, and the answers each saw."""
    with scratch_folder() as folder:
        connect = Connector(source, folder)
        try:
            return run_cell(chapter_checks(chapter)[cell], connect, secret)
        finally:
            connect.close()


def failing(results: list[CheckResult]) -> set[str]:
    return {result.name for result in results if result.status != "passed"}


def named(chapter: str, answers: dict[str, list[Answer]]) -> list[Misconception]:
    return recognise(catalogue(chapter), answers)
