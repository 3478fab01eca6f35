"""What the catalogue of wrong versions is written with, and how a wrong answer is matched with it.

    @wrong("merge_pair", caught_by="overlapping_runs")
    def matches_every_overlap(ids, pair, new_id):
        \"\"\"Your function replaces a pair that shares an id with the pair replaced just before it: …\"\"\"
        …

The docstring is the sentence that helps whoever wrote it. The body must stand alone (imports inside), because tests
put it into a notebook as a student would. For an exercise that is a value, the function takes nothing and returns the
value.
"""

import ast
import collections
import contextlib
import dataclasses
import functools
import hashlib
import importlib
import inspect
import math
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType

from autograder.checks.api import run_trusted, same, scratch_folder
from autograder.checks.outcomes import Outcome, Raised, Returned
from autograder.checks.runner import CHAPTERS
from autograder.checks.session import Answer
from autograder.checks.values import copied
from autograder.sandbox.inside import wire
from autograder.sandbox.inside.snapshot import Server
from autograder.sandbox.inside.wire import File, Opaque

__all__ = ["Misconception", "catalogue", "entries_in", "recognise", "source_of", "wrong"]

ENOUGH = 2  # inputs on which an entry must differ from the right answer and equal the student's before it is named
MOST = 60  # wrong answers of each check, and as many right ones, compared for each entry
KEPT_BYTES = 8 * 1024 * 1024  # of what entries answered; in memory it can be ten times that


@dataclasses.dataclass(frozen=True)
class Misconception:
    """A plausible wrong version of `exercise`; `caught_by` is the check meant for it, `also` what else it fails."""

    id: str
    exercise: str
    sentence: str
    caught_by: str
    also: tuple[str, ...]
    function: Callable
    is_value: bool

    @property
    def fails(self) -> set[str]:
        return {self.caught_by, *self.also}


def wrong(exercise: str, *, caught_by: str, also: Sequence[str] = ()) -> Callable[[Callable], Misconception]:
    """Make a function or class a catalogue entry for `exercise`; its own name is the entry's id."""

    def decorate(function: Callable) -> Misconception:
        sentence = " ".join((function.__doc__ or "").split())
        if not sentence:
            raise TypeError(f"misconception {function.__name__} needs a docstring: the sentence that helps")
        is_value = inspect.isfunction(function) and not inspect.signature(function).parameters
        return Misconception(function.__name__, exercise, sentence, caught_by, tuple(also), function, is_value)

    return decorate


def entries_in(module: ModuleType) -> list[Misconception]:
    """The entries of a module, in the order written."""
    return [value for value in vars(module).values() if isinstance(value, Misconception)]


def catalogue(chapter: str) -> list[Misconception]:
    """The chapter's entries; none where the chapter has no catalogue."""
    try:
        module = importlib.import_module(f"autograder.misconceptions.{CHAPTERS[chapter]}")
    except ModuleNotFoundError:
        return []
    return entries_in(module)


def source_of(function: Callable, name: str) -> str:
    """The source of a function or class as a student would have typed it, called `name`, without its sentence.

    The outermost decorator is the mark that it stands under here, others are the student's. A function without
    parameters stands for a value: its source becomes `name = …`. In front of a class stand the classes of its own
    module that it is derived from.
    """
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)
    if isinstance(node, ast.FunctionDef) and not inspect.signature(function).parameters:
        return f"{name} = {function()!r}"
    own = node.name
    ancestors = inspect.getmro(function)[:0:-1] if inspect.isclass(function) else ()
    bases = [base for base in ancestors if base.__module__ == function.__module__]
    del node.decorator_list[:1]
    if ast.get_docstring(node) is not None:
        node.body = node.body[1:] or [ast.Pass()]
    node.name = name
    for child in ast.walk(node):  # a recursive call
        if isinstance(child, ast.Name) and child.id == own:
            child.id = name
    return "\n\n".join([*map(inspect.getsource, bases), ast.unparse(node)])


def recognise(entries: Sequence[Misconception], answers: Mapping[str, Sequence[Answer]]) -> list[Misconception]:
    """The entries that gave the `answers` that the student gave to each check, and are wrong often enough.

    More than one may be returned: then the answers seen cannot tell them apart.
    """
    told: dict[str, tuple[list[Call], list[Call]]] = {}
    for to_one_check in answers.values():
        by_exercise: dict[str, list[Answer]] = {}
        for answer in to_one_check:
            by_exercise.setdefault(answer.function.partition(".")[0], []).append(answer)
        for exercise, own in by_exercise.items():
            for calls, more in zip(told.setdefault(exercise, ([], [])), telling(own), strict=True):
                calls += more
    found = []
    for entry in entries:
        wrong, right = told.get(entry.exercise, ([], []))
        wanted = 1 if entry.is_value else ENOUGH
        if len(wrong) >= wanted and count_discriminating(entry, wrong, right) >= wanted:
            found.append(entry)
    return found


def telling(answers: Sequence[Answer]) -> tuple[list["Call"], list["Call"]]:
    """One check's calls to compare: of those answered wrongly, which decide most entries at once, and of the others.

    They are looked for all over what was asked, in an order that is the same for all students, so that most of their
    calls have been replayed before. Each check has its own: an entry may do on one kind of input what another mistake
    does everywhere, and the few calls of one check say what thousands of another do not.
    """
    wrong: list[Call] = []
    right: list[Call] = []
    for place in scattered(len(answers)):
        calls = right if alike(answers[place].expected, answers[place].got) else wrong
        if len(calls) < MOST:
            calls.append(Call(answers[place]))
        elif len(wrong) == len(right) == MOST:
            break
    return wrong, right


def scattered(length: int) -> Iterator[int]:
    """Each place below `length` once, such that the first ones lie all over: steps of the golden ratio, as an angle."""
    step = round(length * (math.sqrt(5) - 1) / 2)
    while math.gcd(step, length) > 1:
        step += 1
    return (number * step % length for number in range(length))


def count_discriminating(entry: Misconception, wrong: Sequence["Call"], right: Sequence["Call"]) -> int:
    """On how many of the student's wrong answers the entry is wrong like them; 0 if it ever differs from the student.

    An error may be of two classes, the right one and the entry's: then the student is not wrong.
    """
    count = 0
    for call in wrong:
        given = REPLAYS.outcome(entry, call)
        if not alike(given, call.answer.got):
            return 0
        count += not alike(given, call.answer.expected)
    for call in right:
        if not alike(REPLAYS.outcome(entry, call), call.answer.got):
            return 0
    return count


class Call:
    """What the student answered, and the hash of what was asked; none where that is no plain data."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        asked = [answer.function, answer.args, answer.kwargs, answer.made_with, answer.before]
        self.hash: bytes | None = None
        with contextlib.suppress(wire.WireError):
            self.hash = hashlib.sha256(wire.encode(asked)).digest()


class Replays:
    """What entries answered, by entry and call: a class is asked the same again and again. The oldest ones go first."""

    def __init__(self) -> None:
        self._kept: collections.OrderedDict[tuple[Misconception, bytes], tuple[Outcome, int]] = (
            collections.OrderedDict()
        )
        self._size = 0

    def outcome(self, entry: Misconception, call: Call) -> Outcome:
        """`replay`, or what it gave for the same call before."""
        if call.hash is None:
            return replay(entry, call.answer)
        key = entry, call.hash
        if key in self._kept:
            return self._kept[key][0]
        outcome = replay(entry, call.answer)
        with contextlib.suppress(wire.WireError):
            size = len(wire.encode([getattr(outcome, name, None) for name in ("value", "arguments")]))
            self._kept[key] = outcome, size
            self._size += size
            while self._size > KEPT_BYTES:
                self._size -= self._kept.popitem(last=False)[1][1]
        return outcome


REPLAYS = Replays()


def replay(entry: Misconception, answer: Answer) -> Outcome:
    """What the entry answers to the same call."""
    if entry.is_value:
        return Returned(entry.function())
    kwargs = dict(answer.kwargs)
    arguments = kwargs.pop("\0arguments", False)
    take = kwargs.pop("\0take", None)
    function = entry.function
    if answer.made_with is not None:
        made_args, made_kwargs = answer.made_with
        *path, method = answer.function.split(".")[1:]  # `Class.method`, or `Class.from_files.method`

        def function(*args: object, **named: object) -> object:
            needs_folder = any(isinstance(arg, File) for arg in made_args)
            with scratch_folder() if needs_folder else contextlib.nullcontext(".") as folder:
                server = Server({}, folder)  # it makes files and test doubles, as in the snapshot
                maker = functools.reduce(getattr, path, entry.function)
                owner = maker(*[server.make(copied(arg))[0] for arg in made_args], **made_kwargs)
                for name, earlier in answer.before:
                    with contextlib.suppress(Exception):  # as in the student's notebook, the object lives on
                        getattr(owner, name)(*copied(earlier))
                attribute = getattr(owner, method)
                return attribute(*args, **named) if callable(attribute) else attribute

    outcome = run_trusted(function, answer.args, kwargs, arguments=arguments, take=take)
    if inspect.isclass(function) and outcome == Returned(Opaque(function.__name__)):
        outcome = Returned(Opaque(entry.exercise))  # the student's class has the exercise's name
    if arguments:  # only what the arguments hold afterwards was judged
        return dataclasses.replace(outcome, value=None) if isinstance(outcome, Returned) else outcome
    return outcome


def alike(left: Outcome, right: Outcome) -> bool:
    """The same outcome, as far as both tell: values or the error's class, and what the arguments hold afterwards."""
    if isinstance(left, Returned) and isinstance(right, Returned):
        if left.arguments is not None or right.arguments is not None:
            return same(left.arguments, right.arguments)
        return same(left.value, right.value)
    if isinstance(left, Raised) and isinstance(right, Raised):
        if left.arguments is not None and right.arguments is not None and not same(left.arguments, right.arguments):
            return False
        return left.name in right.names or right.name in left.names
    return type(left) is type(right)
