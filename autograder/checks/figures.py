"""Checks of a figure exercise's answer: a DataFrame and the Matplotlib figure that shows it."""

import itertools
import math
from collections.abc import Sequence

from autograder.checks.api import fail
from autograder.checks.session import Returned, StudentFunction
from autograder.checks.show import show
from autograder.checks.tables import ordered
from autograder.sandbox.inside.wire import Figure, Frame

__all__ = ["answer", "column", "labelled", "plots", "scaled", "shows", "split"]

TOLERANCE = 1e-9  # relative, and absolute below 1; plotted numbers pass through float


def split(result: object, call: str, columns: Sequence[str] = ()) -> tuple[Frame, Figure]:
    """The pair `(DataFrame, Figure)` that every figure exercise returns, with at least these columns."""
    if not (isinstance(result, tuple | list) and len(result) == 2):
        message = "Return the DataFrame and the figure, in this order."
        fail(message, call=call, expected="(DataFrame, Figure)", got=result)
    frame, figure = result
    if not isinstance(frame, Frame):
        fail("The first of the two must be the DataFrame.", call=call, expected="a DataFrame", got=frame)
    if not isinstance(figure, Figure):
        fail("The second of the two must be the Matplotlib figure.", call=call, expected="a Figure", got=figure)
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        fail(
            f"The DataFrame has no column {missing[0]!r}.",
            call=call, expected=f"columns {list(columns)}", got=f"columns {list(frame.columns)}",
        )
    return frame, figure


def labelled(figure: Figure, call: str, *, legend: bool = True) -> None:
    """Every axes has a title (or the figure has one), both axis labels and, with several series, a legend."""
    if not figure.axes:
        fail("The figure is empty.", call=call, expected="at least one plot", got="no axes")
    for axes in figure.axes:
        wanted = {"title": axes["title"] or figure.title, "x label": axes["xlabel"], "y label": axes["ylabel"]}
        for what, text in wanted.items():
            if not text.strip():
                fail(f"The plot has no {what}.", call=call, expected=f"a {what} that says what is shown", got=text)
    if legend and not any(axes["legend"] for axes in figure.axes):
        fail("The plot shows several series and has no legend.", call=call, expected="a legend", got="none")


def plots(figure: Figure, call: str, x: Sequence | None, y: Sequence, what: str) -> None:
    """Some line, bar or scatter series of the figure shows exactly `y` (over `x`, unless that is `None`)."""
    for axes in figure.axes:
        for series in (*axes["lines"], *axes["bars"], *axes["points"]):
            if close(series["y"], y) and (x is None or close(series["x"], x)):
                return
    fail(f"No series of the plot shows {what} as the DataFrame has it.", call=call, expected=list(y), got=drawn(figure))


def drawn(figure: Figure) -> str:
    """The values of all series, for messages."""
    given = [series["y"] for axes in figure.axes for kind in ("lines", "bars", "points") for series in axes[kind]]
    return f"series {show(given)}"


def close(left: Sequence, right: Sequence) -> bool:
    """Equal lengths, and numbers equal up to rounding; other values equal.

    >>> close([1, 2.0], [1.0, 2]), close([1], [1, 2]), close(["a"], ["a"]), close([math.inf], [1])
    (True, False, True, False)
    """
    return len(left) == len(right) and all(
        math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
        if isinstance(a, int | float) and isinstance(b, int | float) else a == b
        for a, b in zip(left, right, strict=True)
    )


def shows(figure: Figure, call: str, what: str, x: Sequence | None, y: Sequence) -> None:
    """A line runs through these points in this order, or bars or markers stand at them in any order.

    With `x=None` only the values count, and they may lie along either axis, as for names along the other one.
    """
    for axes in figure.axes:
        for kind in ("lines", "points", "bars"):
            for series in axes[kind]:
                if matches(series, kind, x, y):
                    return
    fail(f"No series of the plot shows {what} as its rows have it.", call=call, expected=list(y), got=drawn(figure))


def matches(series: dict, kind: str, x: Sequence | None, y: Sequence) -> bool:
    if x is None:
        return any(close(ordered(series[axis]), ordered(y)) for axis in ("x", "y"))
    pairs, wanted = list(zip(series["x"], series["y"], strict=True)), list(zip(x, y, strict=True))
    if kind != "lines":
        pairs, wanted = ordered(pairs), ordered(wanted)
    flat, wanted_flat = (list(itertools.chain(*points)) for points in (pairs, wanted))
    return close(flat, wanted_flat)


def scaled(figure: Figure, call: str, axes_names: Sequence[str]) -> None:
    """These axes are logarithmic."""
    for axes in figure.axes:
        for name in axes_names:
            if axes[f"{name}scale"] not in ("log", "symlog"):
                fail(f"The {name} axis must be logarithmic.", call=call, expected="log", got=axes[f"{name}scale"])


def answer(exercise: StudentFunction, args: tuple, right: dict[str, list]) -> tuple[Frame, Figure, str]:
    """The table and the figure of a figure exercise, and the call's text."""
    call = exercise.text(args)
    result = exercise(*args)
    exercise.note(args, {}, Returned(right), Returned(result))
    frame, figure = split(result, call, tuple(right))
    return frame, figure, call


def column(frame: Frame, call: str, name: str, right: list) -> None:
    """The table's column holds these values, in this order."""
    if not close(frame.data[name], right):
        fail(f"Column {name!r} differs.", call=call, expected=right, got=frame.data[name])
