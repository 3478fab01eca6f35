"""What is asked of a snapshot, and what came of it: requests as bytes, and replies as outcomes.

A reply comes from the student's side, which may send anything: what no snapshot sends of itself becomes `Unreadable`.
"""

import dataclasses

from autograder.sandbox.inside import wire
from autograder.sandbox.inside.wire import Handle

__all__ = [
    "Block", "Died", "Missing", "Outcome", "Raised", "Returned", "TimedOut", "Unreadable", "as_block", "block_of",
    "outcome_of", "request_for",
]

LONGEST_TEXT, LONGEST_NAME, MOST_NAMES = 500, 200, 50  # of an error, in characters and classes


@dataclasses.dataclass(frozen=True)
class Returned:
    """The call returned `value`; `arguments` (held afterwards) and CPU `seconds` or `steps` where asked for."""

    value: object
    arguments: list | None = None
    seconds: float | None = dataclasses.field(default=None, compare=False)
    steps: float | None = dataclasses.field(default=None, compare=False)


@dataclasses.dataclass(frozen=True)
class Raised:
    """The call raised; `names` are the error's class names from its own up to `BaseException`."""

    names: tuple[str, ...]
    message: str = dataclasses.field(default="", compare=False)
    arguments: list | None = None
    seconds: float | None = dataclasses.field(default=None, compare=False)

    @property
    def name(self) -> str:
        return self.names[0] if self.names else "error"


@dataclasses.dataclass(frozen=True)
class TimedOut:
    """No answer within the limit, in seconds."""

    limit: float


@dataclasses.dataclass(frozen=True)
class Died:
    """The process ended during the call: a crash, an exit, or no memory left."""


@dataclasses.dataclass(frozen=True)
class Unreadable:
    """What came back is no plain data, or too much of it."""

    why: str


@dataclasses.dataclass(frozen=True)
class Missing:
    """The notebook defines no such name."""

    name: str


Outcome = Returned | Raised | TimedOut | Died | Unreadable | Missing


@dataclasses.dataclass(frozen=True)
class Block:
    """Outcomes of consecutive calls, kept compact: a `places` number per call, -1 for the next of `values`."""

    places: list[int]
    values: list
    errors: list[Outcome]

    def __len__(self) -> int:
        return len(self.places)

    def outcomes(self) -> list[Outcome]:
        """One outcome for each call."""
        values = iter(self.values)
        return [Returned(next(values)) if place < 0 else self.errors[place] for place in self.places]


def request_for(calls: list, one_by_one: bool, limit: float) -> bytes:
    """A request to make calls, with what many of them have in common written once."""
    heads: list[list] = []
    rows = []
    for target, args, kwargs, options in calls:
        head = [target, options]
        if head not in heads:
            heads.append(head)
        rows.append([heads.index(head), args, *([kwargs] if kwargs else [])])
    return wire.encode_request(["batch", heads, rows, one_by_one, limit])


def outcome_of(reply: object, call: list, limit: float) -> Outcome:
    """A reply as an outcome; anything that the student's side should not have sent is unreadable."""
    match reply:
        case ["returned", value] if not call[3].get("keep"):
            return Returned(value)
        case ["returned", value, (None | list()) as arguments, (None | int() | float()) as cost]:
            if call[3].get("keep") and type(value) is not Handle:
                return Unreadable("not a handle")
            kind = "steps" if call[3].get("steps") else "seconds"
            return Returned(value, arguments, **{kind: _cost(cost)})
        case [
            "raised", [*names], str() as message, (None | list()) as arguments, (None | int() | float()) as cost
        ] if all(type(name) is str for name in names):
            cut = tuple(name[:LONGEST_NAME] for name in names[:MOST_NAMES])
            return Raised(cut, message[:LONGEST_TEXT], arguments, _cost(cost))
        case ["unreadable", str() as why]:
            return Unreadable(why[:LONGEST_TEXT])
        case ["slow"]:
            return TimedOut(limit)
        case ["missing"]:
            return Missing(str(call[0][-1]))
    return Unreadable("an answer of the wrong shape")


def _cost(said: float | None) -> float | None:
    """CPU time or steps as the student's side says them, which may be any number."""
    return None if said is None else float(min(max(said, 0), 1e12))


def block_of(reply: object, target: list, most: int, limit: float) -> tuple[Block, float]:
    """A reply to `map` as a block of at most `most` calls and its CPU seconds; `WireError` for anything else."""
    match reply:
        case [[list() as places, list() as values, list() as errors, float() as used]]:
            kinds = [outcome_of(error, [target, [], {}, {}], limit) for error in errors]
            if (
                0 < len(places) <= most and set(map(type, places)) == {int}
                and min(places) >= -1 and max(places) < len(kinds)
                and places.count(-1) == len(values) and not any(isinstance(kind, Returned) for kind in kinds)
            ):
                return Block(places, values, kinds), max(0.0, used)
    raise wire.WireError("not a block of answers")


def as_block(outcomes: list[Outcome]) -> Block:
    """Outcomes of single calls as one block."""
    values = [outcome.value for outcome in outcomes if isinstance(outcome, Returned)]
    errors = [outcome for outcome in outcomes if not isinstance(outcome, Returned)]
    count = iter(range(len(errors)))
    return Block([-1 if isinstance(outcome, Returned) else next(count) for outcome in outcomes], values, errors)
