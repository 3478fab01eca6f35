"""What a hidden check is written with.

    @check("test_merge_pair", points=1)
    def overlapping_runs(merge_pair):
        \"\"\"In a run of equal ids only the left pair of each overlap is replaced.\"\"\"
        agree(merge_pair, reference.merge_pair, small_merges())

The docstring is the line that the student reads. Parameters are the student's names, as pytest fixtures are; the name
`seeded` gets a `random.Random` drawn from the course secret, `session` the `Session` itself. A check tests one idea.
It passes when it returns, and fails by raising `Failed`, most often through one of the helpers here.
"""

import collections
import contextlib
import dataclasses
import hashlib
import inspect
import itertools
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType

from autograder.checks.outcomes import Died, Outcome, Raised, Returned, TimedOut, Unreadable
from autograder.checks.session import MAP_SECONDS, NotWritten, StudentFunction, StudentRaised
from autograder.checks.show import show, show_outcome, show_pair, type_name
from autograder.checks.values import WrongType, as_lists, copied, exactly, like, same
from autograder.sandbox.inside import wire
from autograder.sandbox.inside.snapshot import Server

__all__ = [
    "LEFT_BEHIND", "Check", "Counterexample", "Failed", "WrongType", "agree", "agree_on_each", "as_lists", "check",
    "checks_in", "exactly", "fail", "failure", "refuses", "same", "unchanged",
]


@dataclasses.dataclass(frozen=True)
class Counterexample:
    """One call with the right and the given answer, as text."""

    call: str
    expected: str
    got: str


class Failed(Exception):
    """The check's idea does not hold. `message` adds to the docstring; `counterexample` shows one case."""

    def __init__(self, message: str = "", counterexample: Counterexample | None = None):
        super().__init__(message)
        self.message = message
        self.counterexample = counterexample


@dataclasses.dataclass(frozen=True)
class Check:
    """One check of one test cell; `needs` names checks of the same cell without which this one is not run."""

    cell: str
    name: str
    points: float
    sentence: str
    function: Callable
    needs: tuple[str, ...] = ()
    secret: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters: the student's names, and `seeded` or `session`."""
        return tuple(inspect.signature(self.function).parameters)


def check(cell: str, *, points: float, needs: Sequence[str] = (), secret: bool = False) -> Callable[[Callable], Check]:
    """Make a function a check of the test cell with grade id `cell`, worth `points`.

    `secret=True` marks inputs drawn from the course secret: feedback then names the idea only, never the inputs.
    """

    def decorate(function: Callable) -> Check:
        sentence = " ".join((function.__doc__ or "").split())
        if not sentence:
            raise TypeError(f"check {function.__name__} needs a docstring: it is what the student reads")
        return Check(cell, function.__name__, points, sentence, function, tuple(needs), secret)

    return decorate


def checks_in(module: ModuleType) -> list[Check]:
    """The checks of a module, in the order written."""
    return [value for value in vars(module).values() if isinstance(value, Check)]


# --- helpers: the shapes that nearly every check has ---------------------------------------------------------------

MEMORY = "/dev/shm"


def scratch_folder() -> tempfile.TemporaryDirectory:
    """A folder for the files of one call, in memory where there is room for that: on a disk it costs milliseconds."""
    return tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None)


def run_trusted(
    function: Callable, args: Sequence, kwargs: dict | None = None, *, arguments: bool = False, take: int | None = None
) -> Outcome:
    """What a function of ours does with these arguments, as an outcome; its own copies, so nothing is shared.

    With `take`, only so many items of its result are drawn, as for a student's function with that option.
    """
    names: tuple[str, ...]
    needs_folder = any(isinstance(arg, wire.File) for arg in args)
    with scratch_folder() if needs_folder else contextlib.nullcontext(".") as folder:
        server = Server({}, folder)  # it makes iterators and files here just as in the snapshot
        made = [server.make(copied(arg)) for arg in args]
        try:
            value = function(*[real for real, _ in made], **copied(kwargs or {}))
            if take is not None:
                value = list(itertools.islice(iter(value), take))
            if not isinstance(value, wire.Frame | wire.Figure):  # an expected one may be given as what it is reduced to
                value = wire.reduce(value)
        except Exception as error:
            names = tuple(cls.__name__ for cls in type(error).__mro__ if issubclass(cls, BaseException))
            return Raised(names, str(error), server.after(made, {"arguments": arguments}))
        return Returned(value, server.after(made, {"arguments": arguments}))


# Right answers by function and calls: every submission is asked mostly the same, and they are for ever the same.
_RIGHT: collections.OrderedDict[tuple, list[Outcome]] = collections.OrderedDict()
MOST_RIGHT = 200  # batches kept


def right_answers(function: Callable, calls: Sequence[Sequence], kwargs: dict) -> list[Outcome]:
    """What a function of ours gives for each call; kept for the next submission where the function is a module's own.

    A closure or an object's method may mean something else each time, so its answers are not kept.
    """
    try:
        asked = hashlib.sha256(wire.encode([[list(args) for args in calls], kwargs])).digest()
    except wire.WireError:
        asked = None
    own = inspect.isfunction(function) and function.__closure__ is None and "<" not in function.__qualname__
    if asked is None or not own:
        return [run_trusted(function, args, kwargs) for args in calls]
    key = (function.__module__, function.__qualname__, asked)
    if key not in _RIGHT:
        _RIGHT[key] = [run_trusted(function, args, kwargs) for args in calls]
        if len(_RIGHT) > MOST_RIGHT:
            _RIGHT.popitem(last=False)
    return _RIGHT[key]


def agree(
    student: StudentFunction,
    expected: Callable,
    inputs: Iterable[Sequence],
    *,
    normal: Callable[[object], object] = exactly,
    normal_for: Callable[[Sequence], Callable[[object], object]] | None = None,
    hint: str = "",
    seconds: float | None = None,
    **kwargs: object,
) -> None:
    """The student's function gives what `expected` gives, on every tuple of arguments in `inputs`.

    Inputs go from small to large, so the first difference is the smallest counterexample. Where `expected` raises, the
    student's must raise an error of that class too. `normal` is applied to both values before they are compared; where
    it depends on the arguments, `normal_for` makes it of them.
    """
    calls = list(inputs)
    outcomes = student.outcomes(calls, seconds=seconds, **kwargs)
    wrong: tuple | None = None
    for args, right, got in zip(calls, right_answers(expected, calls, kwargs), outcomes, strict=True):
        student.note(args, kwargs, right, got)
        own = normal_for(args) if normal_for is not None else normal
        if wrong is None and (reason := difference(right, got, own)) is not None:
            wrong = args, right, got, own, hint or reason
    if wrong is not None:
        raise failure(student, *wrong, kwargs=kwargs)


LEFT_BEHIND = (
    "Asked by itself, in a fresh copy of your notebook, this call is right: something stays from the calls before it."
)


def failure(
    student: StudentFunction, args: Sequence, right: Outcome, got: Outcome, normal: Callable[[object], object],
    reason: str, *, kwargs: dict | None = None, shown: Callable[[Outcome, Outcome], Sequence[str]] = show_pair,
) -> Failed:
    """What a call that went wrong tells: the reason, and the two outcomes as `shown` writes them.

    Where the call is right by itself, `LEFT_BEHIND` is the reason: whoever tries the call must see it fail.
    """
    named = kwargs or {}
    if isinstance(got, Returned | Raised):
        with contextlib.suppress(NotWritten, StudentRaised):
            (alone,) = student.afresh().outcomes([args], **named)
            if difference(right, alone, normal) is None:
                reason = LEFT_BEHIND
    return Failed(reason, Counterexample(student.text(args, named), *shown(right, got)))


def agree_on_each(
    student: StudentFunction,
    expected: Callable[[object], object],
    items: Sequence,
    *,
    normal: Callable[[object], object] = exactly,
    hint: str = "",
    seconds: float = MAP_SECONDS,
) -> None:
    """`student(item)` gives what `expected(item)` gives, for every item: `agree` for up to a million small calls.

    Only the first and the wrong answers go into the transcript, a few hundred of each.
    """
    first: tuple | None = None
    start, noted, wrong = 0, 0, 0
    for block in student.map(items, seconds=seconds):
        part = items[start : start + len(block)]
        if start > 0 and not block.errors and equal_plain(expected, part, block.values):
            start += len(block)
            continue
        for place, (item, got) in enumerate(zip(part, block.outcomes(), strict=True), start):
            right = run_plain(expected, item)
            reason = difference(right, got, normal)
            if (place < NOTED or reason is not None) and noted < 2 * NOTED:
                student.note((item,), {}, right, got)
                noted += 1
                wrong += reason is not None
            if first is None and reason is not None:
                first = (item,), right, got, normal, hint or reason
        start += len(block)
        if wrong >= ENOUGH_WRONG:
            break
    if first is not None:
        raise failure(student, *first)


NOTED = 100  # answers of `agree_on_each` that go into the transcript: the first ones, and as many wrong ones
ENOUGH_WRONG = 20  # wrong answers after which no more are looked for


def equal_plain(expected: Callable, items: Sequence, values: list) -> bool:
    """Whether all values are what is expected and of one plain type; `False` also means that it takes a closer look."""
    try:
        wanted = list(map(expected, items))
    except Exception:
        return False
    kinds = set(map(type, wanted)) | set(map(type, values))
    return kinds in ({int}, {str}, {bytes}) and wanted == values


def run_plain(function: Callable, item: object) -> Outcome:
    """`run_trusted` for one argument that cannot be changed."""
    try:
        return Returned(function(item))
    except Exception as error:
        return Raised(tuple(cls.__name__ for cls in type(error).__mro__ if issubclass(cls, BaseException)), str(error))


def difference(right: Outcome, got: Outcome, normal: Callable[[object], object] = exactly) -> str | None:
    """Why `got` is not `right`, or `None` when it is; an empty text when the two values say it all."""
    if isinstance(right, Raised):
        if isinstance(got, Raised):
            return None if right.name in got.names else f"The right error here is {right.name}."
        return f"This call must raise {right.name}."
    assert isinstance(right, Returned)
    match got:
        case Returned(value):
            try:
                given = normal(value)
            except WrongType as error:
                return str(error)
            wanted = normal(right.value)
            if same(wanted, given):
                return None
            if type(wanted) is not type(given):
                return f"The answer must be a {type_name(wanted)}, not a {type_name(given)}."
            return ""
        case Raised():
            return "Your function raised an error where it should return."
        case TimedOut():
            return "Your function did not come back in time; is there a loop that never ends?"
        case Died():
            return "Python itself ended while your function ran."
        case Unreadable():
            return "The answer must be plain data as the docstring says."
    return ""


def refuses(
    student: StudentFunction, answered: Sequence, inputs: Iterable[Sequence], *,
    error: str | Sequence[str] = "ValueError", naming: str = "",
) -> None:
    """Each call raises one of the errors named, and where `naming` is given, its message names that argument.

    `answered` are the arguments of a call that is answered: whoever refuses everything does not pass. A sentence may
    begin with the name, so capitals count for nothing.
    """
    (first,) = student.outcomes([answered], options={"keep": True})  # whatever it is: it stays where it was made
    if not isinstance(first, Returned):
        raise StudentRaised(student.text(answered), first)
    errors = (error,) if isinstance(error, str) else tuple(error)
    calls = list(inputs)
    right = Raised((errors[0],), f"… {naming} …" if naming else "")
    failed: Failed | None = None
    for args, got in zip(calls, student.outcomes(calls), strict=True):
        student.note(args, {}, right, got)
        if failed is not None:
            continue
        wanted = " or ".join(errors)
        if not (isinstance(got, Raised) and set(errors) & set(got.names)):
            failed = Failed(
                f"This call must raise {wanted}.", Counterexample(student.text(args), wanted, show_outcome(got))
            )
        elif naming.lower() not in got.message.lower():
            failed = Failed(
                f"The error is right; its message must name the argument {naming}.",
                Counterexample(student.text(args), f"{got.name} whose message contains {naming!r}", show_outcome(got)),
            )
    if failed is not None:
        raise failed


def unchanged(
    student: StudentFunction, inputs: Iterable[Sequence], expected: Callable | None = None
) -> list[Outcome]:
    """The calls leave their arguments as they were, at every depth; gives their outcomes.

    With `expected`, the answers must be `worked_out`, too: leaving things alone by doing nothing earns nothing.
    """
    calls = list(inputs)
    outcomes = student.outcomes(calls, options={"arguments": True})
    failed: Failed | None = None
    for args, got in zip(calls, outcomes, strict=True):
        if not isinstance(got, Returned | Raised) or got.arguments is None:
            fail(call=student.text(args), expected="a value", got=show_outcome(got))
        student.note(args, {"\0arguments": True}, Returned(None, list(args)), got)
        if failed is None and not same(list(args), got.arguments):
            changed = next((i for i, a in enumerate(args) if not same([a], got.arguments[i : i + 1])), 0)
            after = got.arguments[changed] if changed < len(got.arguments) else None
            failed = Failed(
                "The call changed its argument; build a new value instead.",
                Counterexample(student.text(args), f"argument {changed + 1} stays {show(args[changed])}", show(after)),
            )
    if failed is not None:
        raise failed
    if expected is not None:
        worked_out(student, calls, outcomes, expected)
    return outcomes


def at_work(student: StudentFunction, inputs: Iterable[Sequence], expected: Callable) -> None:
    """Asked last, in a check that whoever does nothing would pass: the answers must be `worked_out`."""
    calls = list(inputs)
    worked_out(student, calls, student.outcomes(calls), expected)


def worked_out(
    student: StudentFunction, calls: Sequence[Sequence], outcomes: Sequence[Outcome], expected: Callable
) -> None:
    """The answers look like work, right or wrong: `Failed` for those of whoever does nothing.

    Of the right type, and not empty; not what came in; and not the same for all calls, unless the right one is.
    """
    given, wanted = [], []
    first: Counterexample | None = None
    for args, right, got in zip(calls, right_answers(expected, calls, {}), outcomes, strict=True):
        if isinstance(right, Returned) and isinstance(got, Returned) and like(right.value, got.value):
            right_value, value = as_lists(right.value), as_lists(got.value)
            if not any(same(as_lists(arg), value) for arg in args):
                given.append(value)
                wanted.append(right_value)
        if first is None and difference(right, got, as_lists) is not None:
            first = Counterexample(student.text(args), *show_pair(right, got))
    constant = all(same(one, given[0]) for one in given)
    if not given or (constant and not all(same(one, given[0]) for one in wanted)):
        raise Failed("Doing nothing leaves it so, too: this counts once such calls give what is asked for.", first)


def fail(message: str = "", *, call: str = "", expected: object = None, got: object = None) -> None:
    """Fail by hand; texts are shown as they are, other values as Python writes them."""
    if not call:
        raise Failed(message)
    if isinstance(expected, str) or isinstance(got, str):
        texts = tuple(value if isinstance(value, str) else show(value) for value in (expected, got))
    else:
        texts = show_pair(Returned(expected), Returned(got))
    raise Failed(message, Counterexample(call, *texts))
