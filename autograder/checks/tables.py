"""Answers that are DataFrames: normalisers that compare some of the columns, whatever kind of number holds them."""

from collections.abc import Callable, Iterable, Sequence

from autograder.checks.api import Counterexample, Failed, WrongType, difference, right_answers, same, type_name
from autograder.checks.outcomes import Outcome, Returned
from autograder.checks.session import StudentFunction
from autograder.checks.show import show, show_pair
from autograder.sandbox.inside.wire import Frame

__all__ = ["agree_in", "columns", "ordered", "plain_number"]


def columns(*names: str, sort: bool = False) -> Callable[[object], object]:
    """A normaliser: a DataFrame as the list of its rows, these columns only; whole floats as ints."""

    def normal(value: object) -> object:
        if not isinstance(value, Frame):
            raise WrongType(f"The answer must be a DataFrame, not a {type_name(value)}.")
        missing = [name for name in names if name not in value.columns]
        if missing:
            raise WrongType(f"The DataFrame has no column {missing[0]!r}.")
        rows = [tuple(map(plain_number, row)) for row in zip(*(value.data[name] for name in names), strict=True)]
        return ordered(rows) if sort else rows

    return normal


def agree_in(
    names: Sequence[str],
    student: StudentFunction,
    expected: Callable,
    inputs: Iterable[Sequence],
    *,
    sort: bool = False,
) -> None:
    """The student's DataFrame has the same values in these columns as the one of `expected`, row by row.

    With `sort` the order of the rows does not matter. A counterexample shows the first row that differs, and not two
    whole tables.
    """
    calls, normal = list(inputs), columns(*names, sort=sort)
    failed: Failed | None = None
    outcomes = student.outcomes(calls)
    for args, right, got in zip(calls, right_answers(expected, calls, {}), outcomes, strict=True):
        student.note(args, {}, right, got)
        if failed is None and (reason := difference(right, got, normal)) is not None:
            failed = Failed(reason, Counterexample(student.text(args), *first_difference(names, right, got, sort)))
    if failed is not None:
        raise failed


def first_difference(names: Sequence[str], right: Outcome, got: Outcome, sort: bool) -> tuple[str, str]:
    """The first row in which two answers differ, each as text; for what is no such table, the answer itself."""
    try:
        assert isinstance(right, Returned)
        assert isinstance(got, Returned)
        wanted, given = (columns(*names, sort=sort)(one.value) for one in (right, got))
    except (AssertionError, WrongType):
        return show_pair(right, got)
    assert isinstance(wanted, list)
    assert isinstance(given, list)
    if len(wanted) != len(given):
        return f"{len(wanted)} rows", f"{len(given)} rows"
    place = next(place for place, rows in enumerate(zip(wanted, given, strict=True)) if not same(*rows))
    shown = (show(dict(zip(names, row, strict=True))) for row in (wanted[place], given[place]))
    expected, answer = (f"a row {row}" if sort else f"row {place}: {row}" for row in shown)
    return expected, answer


def plain_number(value: object) -> object:
    if isinstance(value, float):
        return int(value) if value.is_integer() else round(value, 9)
    return value


def ordered(values: Iterable) -> list:
    """Numbers by size, behind them anything else by its text; tuples part by part."""

    def part(value: object) -> tuple:
        return (0, value, "") if isinstance(value, int | float) else (1, 0, repr(value))

    return sorted(values, key=lambda value: tuple(map(part, value)) if type(value) is tuple else (part(value),))
