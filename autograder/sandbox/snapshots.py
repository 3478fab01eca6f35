"""The grader's end of snapshots: accepts their connections and asks them for fresh copies."""

import socket
import time
from collections.abc import Callable

from autograder.sandbox.inside import wire
from autograder.sandbox.watch import Idle

__all__ = ["Snapshot", "accept"]

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


class Snapshot:
    """One frozen copy of the kernel, named by the grade id of its test cell.

    `kernels` is the process that all kernels descend from, if it is known: `idle` then tells whether they do nothing.
    """

    def __init__(self, listener: socket.socket, name: str, seconds: float = HELLO_SECONDS, kernels: int | None = None):
        self.listener = listener
        self.name = name
        self.kernels = kernels
        self.missed = 0
        self.control = accept(listener, ["snapshot", name], seconds)
        self.control.settimeout(HELLO_SECONDS)

    def connect(self) -> socket.socket:
        """A socket to a fresh worker forked from the snapshot; raises `OSError` when the snapshot is gone."""
        if self.missed >= MISSED:
            raise ConnectionError("this snapshot gives no copies")
        self.control.sendall(b"+")
        try:
            return accept(self.listener, ["worker", self.name])
        except TimeoutError:
            self.missed += 1
            raise

    def idle(self) -> Callable[[], bool]:
        """A question to ask again and again while waiting for an answer: does nobody work on one?"""
        return Idle(self.kernels) if self.kernels is not None else lambda: False

    def close(self) -> None:
        """End the snapshot and its worker."""
        self.control.close()
