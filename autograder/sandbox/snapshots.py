"""The grader's end of copies and snapshots of a kernel: has them made and accepts their connections."""

import socket
import time
from collections.abc import Callable

from autograder.sandbox.inside import wire
from autograder.sandbox.watch import Idle

__all__ = ["Snapshot", "Unsettled", "accept"]

HELLO_BYTES = 4096
HELLO_SECONDS = 10.0
MISSED = 2  # copies that may stay away before no other one is asked for: each costs the wait


def accept(listener: socket.socket, hello: list, seconds: float = HELLO_SECONDS) -> socket.socket:
    """The next connection that introduces itself with `hello`; others are closed. Raises `TimeoutError`.

    Whoever connects is the student's process: a false hello can only put one's own wrong answers in place of another's.
    """
    deadline = time.monotonic() + seconds
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"no {hello[0]} of {hello[1]} came")
        listener.settimeout(left)
        connection, _ = listener.accept()
        try:
            # A single silent caller must not use up the time of the right one.
            if wire.receive(connection, HELLO_BYTES, min(deadline, time.monotonic() + 2)) == hello:
                return connection
        except (EOFError, OSError, wire.WireError):
            pass
        connection.close()


class Unsettled(BaseException):
    """A copy of the kernel is needed that cannot be had any more. No check may take this for an answer."""


class Snapshot:
    """The kernel as it was at one test cell, named by that cell's grade id.

    As long as the notebook waits there, `fork` makes the kernel fork: a `"snapshot"`, which stays as it is and forks a
    copy whenever it is asked to; or a single `"copy"`, which costs half, and is all that right answers need. Without
    `at_once` it is the copy, and the snapshot is made when a second copy is wanted; once the notebook has gone on
    (`leave`), that is too late. Raises the `OSError` of `fork`, or `TimeoutError` where nothing connects in `seconds`.

    `kernels` is the process that all kernels descend from, if it is known: `idle` then tells whether they do nothing.
    """

    def __init__(
        self, listener: socket.socket, name: str, fork: Callable[[str], None], seconds: float = HELLO_SECONDS,
        kernels: int | None = None, at_once: bool = True,
    ):
        self.listener = listener
        self.name = name
        self.fork = fork
        self.seconds = seconds
        self.kernels = kernels
        self.missed = 0
        self.left = False
        self.copies: list[socket.socket] = []  # that were asked for, and the first one, which may still be
        self.fresh = not at_once  # nobody has the first one yet
        self.control: socket.socket | None = None
        if at_once:
            self.make()
        else:
            fork("copy")
            self.copies.append(accept(listener, ["worker", name], seconds))

    def make(self) -> socket.socket:
        """Have the kernel fork the snapshot itself."""
        self.fork("snapshot")
        self.control = accept(self.listener, ["snapshot", self.name], self.seconds)
        self.control.settimeout(HELLO_SECONDS)
        return self.control

    def make_late(self) -> socket.socket:
        """The same when a second copy is wanted."""
        if self.left:
            raise Unsettled
        try:
            return self.make()
        except OSError:
            raise Unsettled from None

    def connect(self) -> socket.socket:
        """A socket to a fresh copy; raises `OSError` when the snapshot is gone, and `Unsettled` when there is none."""
        if self.fresh:
            self.fresh = False
            return self.copies[0]
        control = self.control or self.make_late()
        if self.missed >= MISSED:
            raise ConnectionError("this snapshot gives no copies")
        control.sendall(b"+")
        try:
            self.copies.append(accept(self.listener, ["worker", self.name]))
        except TimeoutError:
            self.missed += 1
            raise
        return self.copies[-1]

    def leave(self) -> None:
        """The notebook goes on."""
        self.left = True

    def idle(self) -> Callable[[], bool]:
        """A question to ask again and again while waiting for an answer: does nobody work on one?"""
        return Idle(self.kernels) if self.kernels is not None else lambda: False

    def close(self) -> None:
        """End the snapshot and its copies."""
        for connection in (*self.copies, self.control):
            if connection is not None:
                connection.close()
