"""The grader's end of snapshots: accepts their connections and asks them for fresh copies."""

import socket
import time

from autograder.sandbox.inside import wire

__all__ = ["Snapshot", "accept"]

HELLO_BYTES = 4096
HELLO_SECONDS = 10.0


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
    """One frozen copy of the kernel, named by the grade id of its test cell."""

    def __init__(self, listener: socket.socket, name: str):
        self.listener = listener
        self.name = name
        self.control = accept(listener, ["snapshot", name])
        self.control.settimeout(HELLO_SECONDS)

    def connect(self) -> socket.socket:
        """A socket to a fresh worker forked from the snapshot; raises `OSError` when the snapshot is gone."""
        self.control.sendall(b"+")
        return accept(self.listener, ["worker", self.name])

    def close(self) -> None:
        """End the snapshot and its worker."""
        self.control.close()
