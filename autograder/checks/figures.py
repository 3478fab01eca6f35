"""Checks of a figure exercise's answer: a DataFrame and the Matplotlib figure that shows it."""

import itertools
import math
from collections.abc import Collection, Iterable, Iterator, Sequence

from autograder.checks.api import Failed, fail, unchanged
from autograder.checks.outcomes import Outcome, Returned
from autograder.checks.session import StudentFunction, StudentRaised
from autograder.checks.show import show
from autograder.checks.tables import ordered
from autograder.sandbox.inside.wire import Figure, Frame

__all__ = [
    "answer", "arguments_stay", "ask", "column", "labelled", "names_stand_at", "plots", "scaled", "several", "shown",
    "shows", "split",
]

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


def ask(exercise: StudentFunction, args: tuple) -> object:
    """What a figure exercise returns. It is asked just as `arguments_stay` asks, which then need not draw again."""
    (got,) = exercise.outcomes([args], options={"arguments": True})
    return returned(exercise, args, got)


def returned(exercise: StudentFunction, args: tuple, got: Outcome) -> object:
    if not isinstance(got, Returned):
        raise StudentRaised(exercise.text(args), got)
    return got.value


def arguments_stay(exercise: StudentFunction, cases: Sequence[tuple], columns: Sequence[str] = ()) -> None:
    """Drawing leaves its arguments as they were, and gives a DataFrame with these columns and a figure."""
    failed: Failed | None = None
    for args in cases:
        try:
            (got,) = unchanged(exercise, [args])
        except Failed as error:
            failed = failed or error
            continue
        _, figure = split(returned(exercise, args, got), exercise.text(args), columns)
        not_empty(figure, exercise.text(args))
    if failed is not None:
        raise failed


def not_empty(figure: Figure, call: str) -> None:
    if not figure.axes:
        fail("The figure is empty.", call=call, expected="at least one plot", got="no axes")


def labelled(figure: Figure, call: str, *, legend: bool = True) -> None:
    """Every axes has a title, both axis labels and, with several series, a legend; the figure may give them for all."""
    not_empty(figure, call)
    for axes in figure.axes:
        wanted = {"title": axes["title"], "x label": axes["xlabel"], "y label": axes["ylabel"]}
        for what, text in wanted.items():
            if not text.strip():
                fail(f"The plot has no {what}.", call=call, expected=f"a {what} that says what is shown", got=text)
    if legend and not any(axes["legend"] for axes in figure.axes):
        fail("The plot shows several series and has no legend.", call=call, expected="a legend", got="none")


def plots(
    figure: Figure, call: str, x: Sequence | None, y: Sequence, what: str, *, counts: bool = False
) -> None:
    """Some series of the figure shows `y` over `x`, as `shown` reads it."""
    if not shown(figure, x, y, counts=counts):
        fail(f"No series of the plot shows {what} as the DataFrame has it.",
             call=call, expected=list(y), got=drawn(figure))


def drawn(figure: Figure) -> str:
    """The values of all series, for messages."""
    given = [series["y"] for axes in figure.axes for kind in ("lines", "bars", "points") for series in axes[kind]]
    return f"series {show(given)}"


def close(left: Sequence, right: Sequence, apart: float = 0.0) -> bool:
    """Equal lengths, and numbers equal up to rounding, or at most so far apart; other values equal.

    >>> close([1, 2.0], [1.0, 2]), close([1], [1, 2]), close(["a"], ["a"]), close([1.2], [1], 0.5)
    (True, False, True, True)
    >>> close([math.inf], [1])
    False
    """
    return len(left) == len(right) and all(
        math.isclose(a, b, rel_tol=TOLERANCE, abs_tol=max(apart, TOLERANCE))
        if isinstance(a, int | float) and isinstance(b, int | float) else a == b
        for a, b in zip(left, right, strict=True)
    )


def shows(figure: Figure, call: str, what: str, x: Sequence | None, y: Sequence) -> None:
    """Some series of the figure shows `y` over `x`, as `shown` reads it."""
    if not shown(figure, x, y):
        fail(f"No series of the plot shows {what} as its rows have it.", call=call, expected=list(y), got=drawn(figure))


def shown(figure: Figure, x: Sequence | None, y: Sequence, *, counts: bool = False) -> bool:
    """Whether a line runs through these points in this order, or bars or markers stand at them in any order.

    A bar may stand beside its place, as bars of several series do, and a place may be given by its label. With `x=None`
    only the values count, and they may lie along either axis, as for names along the other one. With `counts` a point
    of height 0 may be left out.
    """
    return any(
        matches(series, kind, x, y, names, counts)
        for axes in figure.axes for names in [names_of_places(axes)]  # once for all series: there may be many of each
        for kind in ("lines", "points", "bars") for series in several(axes[kind])
    )


def names_of_places(axes: dict) -> list[dict]:
    """What stands at the ticks of each axis."""
    return [dict(zip(axes[f"{axis}ticks"], axes[f"{axis}ticklabels"], strict=False)) for axis in ("x", "y")]


def several(drawings: Sequence[dict]) -> list[dict]:
    """Each series, and where each is a single point or bar, as a loop draws them, all of them as one."""
    if len(drawings) > 1 and all(len(one["y"]) == 1 for one in drawings):
        return [*drawings, {axis: [one[axis][0] for one in drawings] for axis in ("x", "y")}]
    return list(drawings)


def matches(
    series: dict, kind: str, x: Sequence | None, y: Sequence, names: Sequence[dict], counts: bool
) -> bool:
    if x is None:
        return any(close(ordered(series[axis]), ordered(y)) for axis in ("x", "y"))

    def seen(places: Sequence, heights: Sequence) -> list[tuple]:
        points = list(zip(places, heights, strict=True))
        points = [(place, height) for place, height in points if height == height and (height or not counts)]
        return points if kind == "lines" else ordered(points)

    wanted = seen(x, y)
    beside = half_a_gap(x) if kind == "bars" else 0.0
    for places in readings(series["x"], names):
        points = seen(places, series["y"])
        if close([height for _, height in points], [height for _, height in wanted]) and close(
            [place for place, _ in points], [place for place, _ in wanted], beside
        ):
            return True
    return False


def names_stand_at(figure: Figure, call: str, what: str, names: Iterable, values: Sequence) -> None:
    """Some series shows these values, and where the plot names its places, each value stands at its name."""
    shows(figure, call, what, None, values)
    pairs = list(zip(map(str, names), values, strict=True))
    if not at_names(figure, pairs):
        fail(f"The plot shows {what}, but not each value at its name: do the ticks follow the order of what is drawn?",
             call=call, expected=dict(pairs), got=f"names {show(names_of(figure))}, {drawn(figure)}")


def at_names(figure: Figure, pairs: Sequence[tuple[str, float]]) -> bool:
    """Whether a series shows each value at its name, along either axis and in any order: the name at the nearest tick.

    Names may also be left out, or written elsewhere than at ticks.
    """
    if not {name for name, _ in pairs} & set(names_of(figure)):
        return True
    names, values = zip(*sorted(pairs), strict=True)
    for points in named_points(figure):
        given = list(zip(*sorted(points), strict=True))
        if len(points) == len(pairs) and close(given[0], names) and close(given[1], values):
            return True
    return False


def named_points(figure: Figure) -> Iterator[list[tuple[str, float]]]:
    """What each series may mean: names along either axis, or the texts at ticks, and the numbers along the other."""
    ticks = [tick for axes in figure.axes for tick in names_of_places(axes)]  # panels may share an axis and its names
    for axes, kind in itertools.product(figure.axes, ("lines", "points", "bars")):
        for series, (along, across) in itertools.product(several(axes[kind]), ("xy", "yx")):
            if all_numbers(series[across]):
                for named in ticks if all_numbers(series[along]) else [{}]:
                    yield list(zip(at_ticks(series[along], named), series[across], strict=True))


def names_of(figure: Figure) -> list[str]:
    """What stands at ticks, and names that were plotted as places."""
    at_ticks = (text for axes in figure.axes for ticks in names_of_places(axes) for text in ticks.values())
    plotted = (
        place for axes in figure.axes for kind in ("lines", "points") for series in axes[kind]
        for place in (*series["x"], *series["y"]) if isinstance(place, str)
    )
    return list(dict.fromkeys([*at_ticks, *plotted]))


def all_numbers(values: Sequence) -> bool:
    return all(isinstance(value, int | float) and math.isfinite(value) for value in values)


def at_ticks(places: Sequence, named: dict) -> list[str]:
    """The text at the tick nearest to each place; names stand for themselves."""
    return [
        place if isinstance(place, str) else named[min(named, key=lambda tick: abs(tick - place))] if named else ""
        for place in places
    ]


def half_a_gap(places: Sequence) -> float:
    """So far may a bar stand from its place, short of half the way to the next one."""
    numbers = sorted(place for place in places if isinstance(place, int | float))
    return 0.49 * min((b - a for a, b in itertools.pairwise(numbers)), default=1)


def readings(places: Sequence, names: Sequence[dict]) -> Iterator[list]:
    """What places along an axis may mean: themselves, or the labels of the nearest ticks, which are one unit apart."""
    yield list(map(number, places))
    if all(isinstance(place, int | float) and math.isfinite(place) for place in places):
        for along_axis in names:
            yield [number(along_axis.get(round(place))) for place in places]


def number(value: object) -> object:
    """The number that a text writes, also with a minus sign as Matplotlib sets it; anything else as it is.

    >>> number("2"), number("\u22120.5"), number("Thai"), number(3)
    (2.0, -0.5, 'Thai', 3)
    """
    try:
        return float(value.replace("\N{MINUS SIGN}", "-")) if isinstance(value, str) else value
    except ValueError:
        return value


def scaled(figure: Figure, call: str, axes_names: Sequence[str]) -> None:
    """These axes are logarithmic."""
    for axes in figure.axes:
        for name in axes_names:
            if axes[f"{name}scale"] not in ("log", "symlog"):
                fail(f"The {name} axis must be logarithmic.", call=call, expected="log", got=axes[f"{name}scale"])


def answer(exercise: StudentFunction, args: tuple, right: Collection[str]) -> tuple[Frame, Figure, str]:
    """The table and the figure of a figure exercise, and the call's text; `right` are the columns, or their names."""
    call = exercise.text(args)
    result = ask(exercise, args)
    exercise.note(args, {}, Returned(right), Returned(result))
    frame, figure = split(result, call, tuple(right))
    return frame, figure, call


def column(frame: Frame, call: str, name: str, right: list) -> None:
    """The table's column holds these values, in this order."""
    if not close(frame.data[name], right):
        fail(f"Column {name!r} differs.", call=call, expected=right, got=frame.data[name])
