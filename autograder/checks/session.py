"""The student's functions as a check sees them: calls go over the wire, plain data comes back.

A `Session` holds one connection to one snapshot at a time. When the student's code crashes, hangs or answers nonsense,
that batch gets an outcome that says so and the next batch gets a fresh copy of the snapshot. Every call whose right
answer was known is kept in the transcript, from which misconceptions are recognised.
"""

import copy
import dataclasses
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from autograder.checks.exchange import PATIENCE, TROUBLES, Line
from autograder.checks.outcomes import (
    Block,
    Died,
    Missing,
    Outcome,
    Raised,
    Returned,
    TimedOut,
    Unreadable,
    as_block,
    block_of,
    outcome_of,
    request_for,
)
from autograder.checks.show import show_call
from autograder.sandbox.inside import wire
from autograder.sandbox.inside.wire import Handle

__all__ = ["Answer", "NotWritten", "Session", "StudentFunction", "StudentObject", "StudentRaised"]

BATCH = 2_000  # calls in one message
MAP = 65_536  # calls in one `map` message
MAP_SECONDS = 20.0  # CPU time that all calls of one `map` may take together
SECONDS = 10.0  # CPU time that one batch may take; a check may ask for another limit


class NotWritten(Exception):
    """The stub is still there: the function raises `NotImplementedError`, or the value is `None` or `...`."""


class StudentRaised(Exception):
    """A direct call did not return; `outcome` says what happened instead and `call` is the text of the call."""

    def __init__(self, call: str, outcome: Outcome):
        super().__init__(call, outcome)
        self.call = call
        self.outcome = outcome


@dataclasses.dataclass(frozen=True)
class Answer:
    """One call whose right answer was known: the transcript's entry.

    `function` is the exercise's function, or `Class.method` with `made_with` the class's arguments and, where the
    object changes, `before`: the calls (method, arguments) made on it since.
    """

    function: str
    args: tuple
    kwargs: dict
    expected: Outcome
    got: Outcome
    made_with: tuple | None = None
    before: tuple = ()


class Session:
    """Calls into one exercise's snapshot. `connect` gives a fresh connected socket to a copy of the snapshot.

    `connect` may also be a `Line`, which holds what the checks of one cell need not ask twice.
    """

    def __init__(self, connect: Callable[[], socket.socket] | Line, seconds: float = SECONDS):
        self.line = connect if isinstance(connect, Line) else Line(connect)
        self.seconds = seconds
        self.transcript: list[Answer] = []
        self.timed_out = False
        self.gave_up = False  # asking: nobody works on an answer, time is over, or the answers are too large

    @property
    def generation(self) -> int:
        """Which copy of the snapshot answers."""
        return self.line.generation

    def function(self, name: str) -> "StudentFunction":
        """A function or class by its name, or by `Class.from_files` what a class has."""
        return StudentFunction(self, tuple(name.split(".")), name)

    def value(self, name: str) -> object:
        """A global's value as plain data; raises `NotWritten` for a missing name, `None` or `...`."""
        return self.value_at((name,), name)

    def value_at(self, target: tuple, name: str) -> object:
        """The same for an object's attribute; `name` is what messages call it."""
        (outcome,) = self.batch([[list(target), [], {}, {"value": True}]])
        match outcome:
            case Returned(None) | Missing() | Returned(wire.Opaque("ellipsis")):
                raise NotWritten(name)
            case Returned(value):
                return value
        raise StudentRaised(name, outcome)

    def batch(self, calls: list, seconds: float | None = None) -> list[Outcome]:
        """The outcome of each call, made in order in one copy of the snapshot.

        When the copy crashes or hangs, the unanswered calls are repeated one by one in a fresh copy to find the call
        at fault; the calls behind it get the same outcome without being made.
        """
        outcomes, failure = self._attempt(calls, seconds or self.seconds, one_by_one=False)
        if failure is not None and self.gave_up:  # a loop would have said so itself, and at which call
            outcomes += [failure] * (len(calls) - len(outcomes))
        elif failure is not None:
            rest = calls[len(outcomes) :]
            more, failure = self._attempt(rest, seconds or self.seconds, one_by_one=True)
            outcomes += more
            if failure is not None:
                outcomes += [failure] * (len(calls) - len(outcomes))
        self.timed_out |= any(isinstance(outcome, TimedOut) for outcome in outcomes)
        return outcomes

    def _attempt(self, calls: list, limit: float, one_by_one: bool) -> tuple[list[Outcome], Outcome | None]:
        """The outcomes that came back, and what stopped the rest, if anything did."""
        outcomes: list[Outcome] = []
        failure: Outcome
        try:
            frames = self.line.ask(request_for(calls, one_by_one, limit), len(calls), limit)
            while len(outcomes) < len(calls):
                replies = wire.decode(next(frames))
                if type(replies) is not list or not 0 < len(replies) <= len(calls) - len(outcomes):
                    raise wire.WireError("not one answer for each call")
                outcomes += [outcome_of(reply, call, limit) for reply, call in zip(replies, calls[len(outcomes) :])]  # noqa: B905
            self.line.finish()
            return outcomes, None
        except TimeoutError as error:
            failure = TimedOut(limit)
            self.gave_up |= isinstance(error, wire.NobodyAnswers) or time.monotonic() > self.line.until
        except (EOFError, OSError):
            failure = Died()
        except wire.WireError as error:
            failure = Unreadable(str(error))
            self.gave_up |= isinstance(error, wire.TooLarge)  # so would the next ones be
        self.line.fail()
        return outcomes, failure

    def map(self, target: list, items: list, seconds: float) -> Iterator[Block]:
        """The outcomes of one call for each item, in order, in blocks whose sizes add up to `len(items)`.

        A million calls cost about as much as their running time. `seconds` are CPU time for all calls together; those
        left when it is used up count as timed out. When the copy crashes, the calls that follow the last whole block
        are repeated as an ordinary batch to find the one at fault; those behind it share its fate.
        """
        done, left, deadline = 0, seconds, min(time.monotonic() + PATIENCE * seconds, self.line.until)
        while done < len(items):
            part = items[done : done + MAP]
            try:
                connection = self.line.stray()  # blocks end where time does, so their frames are never the same
                connection.settimeout(max(deadline - time.monotonic(), 0.01))
                wire.send(connection, ["map", target, part, left])
                end = done + len(part)
                while done < end:
                    block, used = block_of(wire.decode(self.line.receive(deadline)), target, end - done, seconds)
                    done += len(block)
                    left = max(left - used, 0.0)
                    self.timed_out |= any(isinstance(error, TimedOut) for error in block.errors)
                    yield block
                continue
            except TROUBLES as error:
                self.gave_up |= isinstance(error, wire.NobodyAnswers)
                self.close()
            except GeneratorExit:  # whoever asked has seen enough; the answers still under way go with the copy
                self.close()
                raise
            if self.gave_up:
                outcomes = [TimedOut(seconds)]
                self.timed_out = True
            else:
                outcomes = self.batch([[target, [item], {}, {}] for item in items[done : done + BATCH]])
            late = time.monotonic() > deadline
            if late or isinstance(outcomes[-1], TimedOut | Died):
                failure = outcomes[-1] if isinstance(outcomes[-1], TimedOut | Died) else TimedOut(seconds)
                outcomes += [failure] * (len(items) - done - len(outcomes))
            done += len(outcomes)
            yield as_block(outcomes)

    def close(self) -> None:
        """Leave this copy of the snapshot; the next call gets a fresh one, without what earlier calls left behind."""
        self.line.close()


class StudentFunction:
    """A function or method of the student's. Calling it gives the plain value, or raises `StudentRaised`."""

    def __init__(self, session: Session, target: tuple, name: str, made_with: tuple | None = None, generation: int = 0):
        self._session = session
        self._target = target
        self._made_with = made_with
        self._generation = generation
        self.name = name

    def __call__(self, *args: object, **kwargs: object) -> object:
        (outcome,) = self.outcomes([args], **kwargs)
        if isinstance(outcome, Returned):
            return outcome.value
        raise StudentRaised(self.text(args, kwargs), outcome)

    def make(self, *args: object, **kwargs: object) -> "StudentObject":
        """Call it and leave the result in the snapshot: for classes, and functions that give a library's objects."""
        (outcome,) = self.outcomes([args], options={"keep": True}, **kwargs)
        match outcome:
            case Returned(Handle() as handle):
                made_with = (args, copy.deepcopy(kwargs))
                return StudentObject(self._session, handle, self.name, made_with, self._session.generation)
        raise StudentRaised(self.text(args, kwargs), outcome)

    def outcomes(
        self, calls: Iterable[Sequence], *, options: dict | None = None, seconds: float | None = None, **kwargs: object
    ) -> list[Outcome]:
        """What each call with these arguments gave; raises `NotWritten` at the first answer of a stub.

        `options`: `arguments` (tell what the arguments hold afterwards), `take` (draw so many items of the result),
        `seconds` (tell the CPU time of each call), `steps` (count its lines and calls of Python instead).
        """
        if self._made_with is not None and self._generation != self._session.generation:
            # The object lived in a copy that is gone; whoever asks must make it again.
            return [Died() for _ in calls]
        requests = [[list(self._target), [_bare(a) for a in args], kwargs, options or {}] for args in calls]
        outcomes: list[Outcome] = []
        for start in range(0, len(requests), BATCH):
            outcomes += self._session.batch(requests[start : start + BATCH], seconds)
            if any(isinstance(outcome, TimedOut | Died) for outcome in outcomes):
                outcomes += [Died()] * (len(requests) - len(outcomes))
                break
        for outcome in outcomes:
            if isinstance(outcome, Missing) or (isinstance(outcome, Raised) and "NotImplementedError" in outcome.names):
                raise NotWritten(self.name)
        return outcomes

    def afresh(self) -> "StudentFunction":
        """The same in a fresh copy of the snapshot; the object of a method is made anew there."""
        self._session.close()
        if self._made_with is None:
            return self
        owner, _, method = self.name.rpartition(".")
        args, kwargs = self._made_with
        return getattr(self._session.function(owner).make(*args, **kwargs), method)

    def map(self, items: Sequence, *, seconds: float = MAP_SECONDS) -> Iterator[Block]:
        """What the call with each item as its one argument gave, in blocks; raises `NotWritten` for a stub."""
        for block in self._session.map(list(self._target), list(items), seconds):
            for error in block.errors:
                if isinstance(error, Missing) or (isinstance(error, Raised) and "NotImplementedError" in error.names):
                    raise NotWritten(self.name)
            yield block

    def value(self) -> object:
        """The value of an exercise or attribute that is no function; raises `NotWritten` for `None` and `...`."""
        return self._session.value_at(self._target, self.name)

    def note(self, args: tuple, kwargs: dict, expected: Outcome, got: Outcome) -> None:
        """Put one answered call into the transcript."""
        self._session.transcript.append(Answer(self.name, tuple(args), dict(kwargs), expected, got, self._made_with))

    def text(self, args: Sequence, kwargs: dict | None = None) -> str:
        """The call as the student would type it."""
        return show_call(self.name, args, kwargs or {}, self._made_with)


def _bare(arg: object) -> object:
    return arg._handle if isinstance(arg, StudentObject) else arg


class StudentObject:
    """An object that stays in the snapshot; its public attributes are `StudentFunction`s."""

    def __init__(self, session: Session, handle: Handle, name: str, made_with: tuple, generation: int):
        self._session = session
        self._handle = handle
        self._name = name
        self._made_with = made_with
        self._generation = generation

    def __getattr__(self, attribute: str) -> StudentFunction:
        if attribute.startswith("_"):
            raise AttributeError(attribute)
        target, name = (self._handle.number, attribute), f"{self._name}.{attribute}"
        return StudentFunction(self._session, target, name, self._made_with, self._generation)
