"""The talk of one check with copies of a snapshot: requests out, frames of answers in, and what need not be asked.

Three savings are made here. A check may go on with the copy that the ones before it have asked (`used`); whoever runs
the checks repeats in a fresh copy what did not pass there. What an earlier check of the cell asked, in the same order,
is not asked again (`Shared`); often no copy is forked at all. And exchanges may be made before the check asks for them
(`ask_ahead`), to see whether the answers are known to pass; where they are not, the check finds the frames here and
judges them as ever.
"""

import collections
import dataclasses
import hashlib
import json
import math
import os
import socket
import time
from collections.abc import Callable, Collection, Iterable, Iterator

from autograder.sandbox.inside import wire

__all__ = ["PATIENCE", "TROUBLES", "Exchange", "Line", "Shared", "joined", "replayed"]

ANSWER_BYTES = 24 * 1024 * 1024  # what all answers to one check may take together
TOLD_BYTES = 8 * 1024 * 1024  # the same for answers that are held all at once; in memory it can be ten times that
SHARED_BYTES = 4 * 1024 * 1024  # of answers that the checks of one cell have in common
PATIENCE = 10.0  # wall time per CPU time: a busy machine may be slow, and what sleeps ends itself much sooner
TROUBLES = (TimeoutError, EOFError, OSError, wire.WireError)  # where no answer comes


@dataclasses.dataclass
class Exchange:
    """One request that awaits `count` answers within `seconds` of CPU time; `afresh`: the first to its copy.

    `digest` is the request's, in which the same request is known again.
    """

    request: bytes
    count: int
    seconds: float
    afresh: bool
    frames: list[bytes] = dataclasses.field(default_factory=list)
    trouble: Exception | None = None
    digest: bytes = b""

    def __post_init__(self) -> None:
        self.digest = self.digest or hashlib.sha256(self.request).digest()


def joined(frames: list[bytes]) -> bytes | None:
    """The answers of several frames as one text: how they are spread over frames depends on the time they took.

    >>> joined([b"[1,2]", b"[3]"])
    b'1,2,3'
    """
    if not all(frame[:1] == b"[" and frame[-1:] == b"]" for frame in frames):
        return None
    return b",".join(frame[1:-1] for frame in frames)


def whole(frames: list[bytes]) -> bool:
    """Can each frame be read by itself? One that ends inside an answer no snapshot sends of itself.

    >>> whole([b"[[1,2]]"]), whole([b"[[1]", b"[2]]"])
    (True, False)
    """
    try:
        return len(frames) == 1 or all(type(json.loads(frame)) is list for frame in frames)
    except ValueError:
        return False


def answers_in(reply: object) -> int:
    """How many answers a frame holds; raises `WireError` for what no snapshot sends of itself."""
    if type(reply) is not list or not reply:
        raise wire.WireError("not one answer for each call")
    return len(reply)


class Shared:
    """What copies of one snapshot answered, by the requests that a check made so far: for all checks of the cell."""

    def __init__(self) -> None:
        self._frames: dict[bytes, list[bytes]] = {}
        self._size = 0

    def get(self, history: bytes) -> list[bytes] | None:
        return self._frames.get(history)

    def put(self, history: bytes, frames: list[bytes]) -> None:
        self._size += sum(map(len, frames))
        if self._size < SHARED_BYTES:
            self._frames[history] = frames


class Line:
    """One check's exchanges; `connect` gives a fresh connected socket to a copy of the snapshot.

    `until` (in `time.monotonic` seconds) ends all waiting; what `idle` gives is asked while waiting for each answer
    whether the student's side has stopped working on it. `used` is the socket to a copy that earlier checks have asked;
    it is taken for the first copy. `made` are the exchanges that were answered in full; `whole` says that there were no
    others.
    """

    def __init__(
        self, connect: Callable[[], socket.socket], shared: Shared | None = None, until: float = math.inf,
        idle: Callable[[], Callable[[], bool]] = lambda: lambda: False, used: socket.socket | None = None,
    ):
        self.connect = connect
        self.used = used
        self.until = until
        self.idle = idle
        self.generation = 0  # which copy answers the check; one that need not be forked counts too
        self.received = 0  # bytes of all answers so far
        self.told = 0  # bytes of those that came by exchanges, which are held all at once
        self.made: list[Exchange] = []
        self.whole = True
        self.ahead: collections.deque[Exchange] = collections.deque()
        self._afresh = True  # no request yet since the check left the last copy
        self._first = True  # it has not left any
        self._connection: socket.socket | None = None
        self._past: list[Exchange] = []  # what the present copy has answered
        self._history = b""
        self._shared = shared if shared is not None else Shared()

    def ask(self, request: bytes, count: int, seconds: float) -> Iterator[bytes]:
        """The frames of `count` answers to `request`; raises one of `TROUBLES` where they do not come.

        Whoever asks takes no more frames once it has all answers, and then says so with `finish`.
        """
        if self.ahead and (self.ahead[0].request, self.ahead[0].afresh) != (request, self._afresh):
            self.ahead.clear()  # the check asks something else this time
            self.end()
        self.generation += self._afresh
        self._now = Exchange(request, count, seconds, self._afresh)
        self._afresh, self._advance = False, True
        deadline = self._deadline(seconds)
        if not self.ahead:
            yield from self._answers(self._now, deadline)
            return
        early = self.ahead.popleft()
        self._advance = not early.count  # else the copy has gone on already
        for frame in early.frames:
            self._now.frames.append(frame)
            yield frame
        if early.trouble is not None:
            raise early.trouble
        while True:
            yield self._receive(self._now, deadline)

    def finish(self) -> None:
        """All answers to what was asked last have come."""
        self.made.append(self._now)
        if self._advance:
            self._go_on(self._now)

    def ask_ahead(self, exchange: Exchange, known: Collection[bytes]) -> bytes | None:
        """Make an exchange before the check asks for it; the answers if they are among `known`, else `None`."""
        if exchange.afresh:
            self._first = not self.ahead
            self.end()
        early = dataclasses.replace(exchange, count=0, frames=[])
        self.ahead.append(early)
        try:
            for _ in self._answers(early, self._deadline(early.seconds)):
                text = joined(early.frames)
                if text is not None and text in known and whole(early.frames):
                    early.count = exchange.count
                    self._go_on(early)
                    return text
                if text is None or not any(one.startswith(text + b",") for one in known):
                    break
        except TROUBLES as error:
            early.trouble = error
        return None

    def open(self) -> socket.socket:
        """The socket to the present copy, in the state in which its answers so far left it."""
        if self._connection is None:
            if self.used is not None and self._first:
                self._connection, self.used = self.used, None
            else:
                self._connection = self.connect()
            for earlier in self._past:  # answered from what is shared; now the copy itself has to be there
                missing, deadline = earlier.count, self._deadline(earlier.seconds)
                self._send(earlier.request, deadline)
                while missing > 0:
                    missing -= answers_in(wire.receive(self._connection, deadline=deadline))
        return self._connection

    def receive(self, deadline: float, most: int = ANSWER_BYTES) -> bytes:
        """The next frame of at most `most` bytes; `TooLarge` also when the answers to this check are that in all."""
        assert self._connection is not None
        room = max(min(most, ANSWER_BYTES - self.received, wire.MAX_FRAME), 0)
        data = wire.receive_bytes(self._connection, room, deadline, self.idle())
        self.received += len(data)
        return data

    def close(self) -> None:
        """Leave this copy of the snapshot; the next request goes to a fresh one, without what earlier calls left."""
        self._afresh, self._first = True, False
        if not self.ahead:
            self.end()

    def end(self) -> None:
        """The copy ends."""
        if self._connection is not None:
            self._connection.close()
        self._connection, self._past, self._history = None, [], b""

    def leave(self) -> socket.socket | None:
        """The check is over: the socket to a copy that waits for the next request, if there is one."""
        if not all(early.count for early in self.ahead):  # the rest of an answer may still come
            self.end()
        if self._connection is None:
            return self.used
        if self.used is not None:
            self.used.close()
        try:
            wire.send(self._connection, ["new"])  # so that no file of its questions is left in the notebook's folder
        except OSError:
            self.end()
        return self._connection

    def stray(self) -> socket.socket:
        """The socket to the present copy, for talk that `ask` does not see: from here on nothing is shared."""
        connection = self.open()
        self.generation += self._afresh
        self._afresh, self.whole, self._history = False, False, os.urandom(32)
        return connection

    def fail(self) -> None:
        """The copy did not answer in full: what it would say next is nothing to build on."""
        self.whole = False
        self.ahead.clear()
        self.close()

    def _deadline(self, seconds: float) -> float:
        return min(time.monotonic() + PATIENCE * seconds, self.until)

    def _answers(self, exchange: Exchange, deadline: float) -> Iterator[bytes]:
        shared = self._shared.get(self._after(exchange))
        if shared is None:
            self.open()
            self._send(exchange.request, deadline)
            while True:
                yield self._receive(exchange, deadline)
        self.received += sum(map(len, shared))
        self.told += sum(map(len, shared))
        exchange.frames += shared
        yield from shared

    def _send(self, request: bytes, deadline: float) -> None:
        assert self._connection is not None
        self._connection.settimeout(max(deadline - time.monotonic(), 0.01))
        wire.send_bytes(self._connection, request)

    def _receive(self, exchange: Exchange, deadline: float) -> bytes:
        frame = self.receive(deadline, TOLD_BYTES - self.told)
        self.told += len(frame)
        exchange.frames.append(frame)
        return frame

    def _after(self, exchange: Exchange) -> bytes:
        return hashlib.sha256(self._history + exchange.digest).digest()

    def _go_on(self, exchange: Exchange) -> None:
        self._history = self._after(exchange)
        self._past.append(exchange)
        self._shared.put(self._history, exchange.frames)


def replayed(exchanges: Iterable[Exchange]) -> Line:
    """A line that gives the answers of exchanges made before, and asks nobody."""

    def nobody() -> socket.socket:
        raise OSError("there is no snapshot any more")

    line = Line(nobody)
    line.ahead.extend(exchanges)
    return line
