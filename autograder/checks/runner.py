"""Runs a test cell's checks against snapshots and says what came of each."""

import dataclasses
import hashlib
import importlib
import math
import random
import socket
import time
from collections.abc import Callable, Sequence

from autograder.checks import known
from autograder.checks.api import Check, Counterexample, Failed, checks_in
from autograder.checks.exchange import Exchange, Line, Shared, replayed
from autograder.checks.session import SECONDS, Answer, NotWritten, Session, StudentRaised
from autograder.checks.show import show_outcome

__all__ = ["CHAPTERS", "CellRun", "CheckResult", "Room", "chapter_checks", "run_cell"]

# Chapter -> its module's name in `checks` and in `misconceptions`.
CHAPTERS = {
    "01_unicode": "ch01_unicode",
    "02_tokenizers": "ch02_tokenizers",
    "03_naive_bpe": "ch03_naive_bpe",
    "04_byte_bpe": "ch04_byte_bpe",
    "05_pretokenized_bpe": "ch05_pretokenized_bpe",
    "06_incremental_bpe": "ch06_incremental_bpe",
    "07_tokenizer": "ch07_tokenizer",
    "08_experiments": "ch08_experiments",
}

SHORT_SECONDS = 2.0  # CPU time of a batch once a check of the cell ran out of time: the next ones mostly do, too
# Of a notebook's answers kept for naming misconceptions, in bytes; in memory it can be ten times that. The answers of a
# whole chapter are about one million.
KEPT_BYTES = 8 * 1024 * 1024
MAX_SLOW = 3  # checks of one cell that may run out of time before the rest is not run

BROKE = "The grader could not judge this answer; a person should look at it"
PASSED, FAILED, NOT_WRITTEN, NOT_RUN = "passed", "failed", "not_written", "not_run"


@dataclasses.dataclass(frozen=True)
class CheckResult:
    """What came of one check.

    `message` and `advice`, a recognised misconception's, are what the student reads; `seconds` is wall time.
    `needs_person`: nobody has judged the answer, for a reason that need not be the student's fault.
    """

    name: str
    status: str
    points: float
    max_points: float
    message: str
    counterexample: Counterexample | None = None
    misconception: str | None = None
    needs_person: bool = False
    advice: str = ""
    seconds: float = dataclasses.field(default=0.0, compare=False)


def chapter_checks(chapter: str) -> dict[str, list[Check]]:
    """The chapter's checks by grade id of their test cell, in the order written."""
    module = importlib.import_module(f"autograder.checks.{CHAPTERS[chapter]}")
    cells: dict[str, list[Check]] = {}
    for one in checks_in(module):
        cells.setdefault(one.cell, []).append(one)
    return cells


def seeded(secret: bytes, cell: str, name: str) -> random.Random:
    """The random source of one check: the same for the same secret, unknown without it."""
    return random.Random(hashlib.sha256(b"\0".join([secret, cell.encode(), name.encode()])).digest())


@dataclasses.dataclass
class Room:
    """How many bytes of answers may still be kept."""

    bytes: int = KEPT_BYTES


class CellRun:
    """One test cell's checks against copies of its snapshot; `connect` gives a socket to a fresh one.

    As long as checks pass, they ask one copy, one after the other: a fork costs more than most checks' calls. The first
    that does not pass is repeated in a fresh copy, and from there on each gets its own, so that what one call left
    behind or broke costs one check only.

    They end at `until` (in `time.monotonic` seconds, to be set before each part); `idle` is the `Session`'s; `room` is
    what all cells of a notebook may keep of answers.

    `public` runs the checks with inputs that anybody may see, then `secret` those seeded by the course secret. Whoever
    grades a notebook runs the public ones of all cells first: the student's processes share a folder, so what they
    have seen of secret inputs could otherwise show in a later cell's counterexample.
    """

    def __init__(
        self, checks: Sequence[Check], connect: Callable, secret: bytes, idle: Callable = lambda: lambda: False,
        room: "Room | None" = None,
    ):
        self.until = math.inf
        self._checks, self._connect, self._secret, self._idle = checks, connect, secret, idle
        self._done: dict[str, CheckResult] = {}
        self._slow = 0
        self._room = room or Room()
        self._shared = Shared()
        self._sharing = True
        self._used: socket.socket | None = None
        self._told: list[tuple[Check, float, list[Answer] | list[Exchange]]] = []

    def public(self) -> None:
        self._run_all([one for one in self._checks if not one.secret])

    def secret(self, connect: Callable | None) -> None:
        """Run the secret ones that have not been run yet; they are left to a person where there is nothing to ask."""
        rest = [one for one in self._checks if one.secret and one.name not in self._done]
        if connect is None:
            why = "the notebook came to another end when it was run again"
            self._done |= {one.name: dataclasses.replace(not_run(one, why), needs_person=True) for one in rest}
            return
        self._connect = connect
        self._run_all(rest)
        self._end()

    def results(self) -> list[CheckResult]:
        """What came of the checks, in the order written."""
        return [self._done[one.name] for one in self._checks]

    def _run_all(self, checks: Sequence[Check]) -> None:
        for one in checks:
            self._run(one)

    def _run(self, one: Check) -> None:
        met = (PASSED, NOT_WRITTEN)
        passed = {name for name, result in self._done.items() if result.status in met}
        missing = next((name for name in one.needs if name not in passed), None)
        why = f"it needs {missing} first" if missing else ""
        if self._slow >= MAX_SLOW:
            why = f"{MAX_SLOW} checks above did not come back in time"
        elif time.monotonic() > self.until:
            why = "the checks above took all of the time that there is for this exercise"
        if why:
            self._done[one.name] = not_run(one, why)
            return
        session, result = self._judged(one)
        if self._sharing and result.status not in met:
            self._sharing = False
            if self._done:  # else the copy was fresh
                self._leave(session.line)
                self._shared = Shared()
                session, result = self._judged(one)
        unwritten = next((name for name in one.needs if self._done[name].status == NOT_WRITTEN), None)
        if unwritten and result.status == PASSED:  # it says `NotImplementedError` to some questions only
            result = not_run(one, f"it needs {unwritten} first")
        self._done[one.name] = result
        self._leave(session.line)
        if session.line.told < self._room.bytes:
            self._room.bytes -= session.line.told
            self._told.append((one, session.seconds, session.transcript or list(session.line.ahead)))
        self._slow += session.timed_out

    def _leave(self, line: Line) -> None:
        """The check is over; the next one goes on with its copy, as long as checks pass."""
        self._used = line.leave()
        if not self._sharing:
            self._end()

    def _end(self) -> None:
        if self._used is not None:
            self._used.close()
            self._used = None

    def _judged(self, one: Check) -> tuple[Session, CheckResult]:
        line = Line(self._connect, self._shared, self.until, self._idle, self._used)
        self._used = None
        session = Session(line, SHORT_SECONDS if self._slow else SECONDS)
        return session, run_check(one, session, self._secret)

    def answers(self) -> dict[str, list[Answer]]:
        """By check, all answers whose right one was known; one that had passed unheard hears its answers now."""
        answers: dict[str, list[Answer]] = {}
        for one, seconds, told in self._told:
            if told and isinstance(told[0], Exchange):
                session = Session(replayed(told), seconds)
                one.function(**arguments(one, session, self._secret))
                told = session.transcript
            answers[one.name] = told
        return answers


def not_run(one: Check, why: str) -> CheckResult:
    """The result of a check that was not made, or that does not count."""
    return CheckResult(one.name, NOT_RUN, 0.0, one.points, f"{one.sentence} (Not run: {why}.)")


def run_cell(
    checks: Sequence[Check], connect: Callable, secret: bytes
) -> tuple[list[CheckResult], Callable[[], dict[str, list[Answer]]]]:
    """The results of one cell's checks, in the order written, and `CellRun.answers`, for naming misconceptions."""
    run = CellRun(checks, connect, secret)
    run.public()
    run.secret(connect)
    return run.results(), run.answers


def run_check(one: Check, session: Session, secret: bytes) -> CheckResult:
    """Run one check. An answer on which the check itself breaks earns nothing and asks for a person."""
    start = time.monotonic()

    def result(status: str, message: str = "", counterexample: Counterexample | None = None) -> CheckResult:
        points = one.points if status == PASSED else 0.0
        text = f"{one.sentence} {message}".strip()
        if one.secret:
            counterexample = None
        return CheckResult(
            one.name, status, points, one.points, text, counterexample, seconds=time.monotonic() - start
        )

    error: Exception | None = None
    try:
        if known.passes(one, secret, session):
            return result(PASSED)
        one.function(**arguments(one, session, secret))
    except Exception as caught:
        error = caught.with_traceback(None)  # its frames hold all answers, in a circle that would be kept for long
    match error:
        case None:
            known.learn(one, secret, session)
            return result(PASSED)
        case NotWritten():
            return result(NOT_WRITTEN, f"(Not written yet: {error}.)")
        case Failed():
            return result(FAILED, "" if one.secret else error.message, error.counterexample)
        case StudentRaised():
            return result(FAILED, "", Counterexample(error.call, "a value", show_outcome(error.outcome)))
    return dataclasses.replace(result(NOT_RUN, f"({BROKE}: {type(error).__name__}.)"), needs_person=True)


def arguments(one: Check, session: Session, secret: bytes) -> dict[str, object]:
    """What a check's function is called with."""
    return {
        name: seeded(secret, one.cell, one.name) if name == "seeded" else
        session if name == "session" else session.function(name)
        for name in one.names
    }
