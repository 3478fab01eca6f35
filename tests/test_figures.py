"""What a check sees of a figure: what a reader would miss is missing, and what is there counts wherever it stands."""

import matplotlib.pyplot as plt
import pytest

from autograder.checks.api import Failed
from autograder.checks.figures import labelled, names_stand_at, plots
from autograder.sandbox.inside import wire

X, Y = [2, 4, 8], [5, 3, 6]


def drawn(**grid):
    """A figure with a grid of panels, each with a line and a name for the legend."""
    figure, panels = plt.subplots(**grid)
    for axes in figure.axes:
        axes.plot(X, Y, label="a")
    return figure, panels


def complete(axes):
    axes.set(title="t", xlabel="x", ylabel="y")
    axes.legend()


def one_panel():
    figure, axes = drawn()
    complete(axes)
    return figure


def words_of_the_figure():
    figure, _ = drawn(ncols=2)
    figure.suptitle("t")
    figure.supxlabel("x")
    figure.supylabel("y")
    figure.legend()
    return figure


def a_shared_axis(**grid):
    figure, (first, last) = drawn(**grid)
    first.set(title="t", ylabel="y")
    complete(last)
    return figure


def two_scales():
    figure, axes = drawn()
    complete(axes)
    axes.twinx().plot(X, X)
    figure.axes[1].set_ylabel("other y")
    return figure


def a_spare_panel():
    figure, (axes, spare) = plt.subplots(ncols=2)
    axes.plot(X, Y, label="a")
    complete(axes)
    spare.axis("off")
    return figure


def without(figure, **words):
    figure.axes[-1].set(**words)
    return figure


FIGURES = {
    "one panel": (one_panel, ""),
    "words of the figure": (words_of_the_figure, ""),
    "panels one above the other": (lambda: a_shared_axis(nrows=2, sharex=True), ""),
    "two scales": (two_scales, ""),
    "a panel that stays empty": (a_spare_panel, ""),
    "no title": (lambda: without(one_panel(), title=" "), "no title"),
    "panels side by side, one without a label": (lambda: a_shared_axis(ncols=2, sharex=True), "no x label"),
    "panels that share nothing": (lambda: a_shared_axis(nrows=2), "no x label"),
    "a second scale without a label": (lambda: without(two_scales(), ylabel=""), "no y label"),
    "nothing drawn": (lambda: plt.subplots()[0], "empty"),
}


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.mark.parametrize(("make", "missing"), FIGURES.values(), ids=FIGURES)
def test_what_is_missing_is_found(make, missing):
    figure = wire.reduce(make())
    if not missing:
        labelled(figure, "call")
        return
    with pytest.raises(Failed, match=missing):
        labelled(figure, "call")


def bars_named_by_ticks(axes):
    axes.bar(range(3), Y)
    axes.set_xticks(range(3), X)


def one_by_one(axes):
    for x, y in zip(X, Y, strict=True):
        axes.bar(x, y)


SHOWN = {
    "a line": lambda axes: axes.plot(X, Y),
    "bars beside their places": lambda axes: axes.bar([x + 0.9 for x in X], Y),
    "bars in another order": lambda axes: axes.bar(X[::-1], Y[::-1]),
    "bars named by ticks": bars_named_by_ticks,
    "names for places": lambda axes: axes.plot(list(map(str, X)), Y),
    "points one by one": one_by_one,
    "nothing where nothing is": lambda axes: axes.plot([2, 3, 4, 8], [5, float("nan"), 3, 6]),
}
NOT_SHOWN = {
    "a line through them in another order": lambda axes: axes.plot([4, 2, 8], [3, 5, 6]),
    "bars at the next place": lambda axes: axes.bar([x + 2 for x in X], Y),
    "bars without names": lambda axes: axes.bar(range(3), Y),
    "points beside their places": lambda axes: axes.scatter([x + 0.9 for x in X], Y),
    "other values": lambda axes: axes.plot(X, [5, 3, 7]),
    "one point more": lambda axes: axes.plot([2, 4, 6, 8], [5, 3, 0, 6]),
}


@pytest.mark.parametrize("draw", SHOWN.values(), ids=SHOWN)
def test_values_are_found_however_they_are_drawn(draw):
    figure, axes = plt.subplots()
    draw(axes)
    plots(wire.reduce(figure), "call", X, Y, "y")


@pytest.mark.parametrize("draw", NOT_SHOWN.values(), ids=NOT_SHOWN)
def test_other_values_are_not_taken_for_them(draw):
    figure, axes = plt.subplots()
    draw(axes)
    with pytest.raises(Failed):
        plots(wire.reduce(figure), "call", X, Y, "y")


def test_a_count_of_0_may_be_drawn_or_not():
    figure, axes = plt.subplots()
    axes.plot([2, 4, 6, 8], [5, 3, 0, 6])
    plots(wire.reduce(figure), "call", X, Y, "y", counts=True)


NAMES = ["b", "c", "a"]


def named_by_ticks(draw, ticks, names=NAMES):
    draw(range(3), Y)
    ticks(range(3), names)


def beside_each_other(axes):
    axes.bar([place - 0.2 for place in range(3)], Y, 0.4)
    axes.set_xticks(range(3), NAMES)


def written_beside(axes, names=NAMES):
    axes.plot(Y, range(3), "o")
    for place, name in enumerate(names):
        axes.text(Y[place], place, name)


AT_NAMES = {
    "names for places": lambda axes: axes.plot(NAMES, Y),
    "names along the other axis": lambda axes: axes.scatter(Y, NAMES),
    "another order": lambda axes: axes.plot(NAMES[::-1], Y[::-1]),
    "ticks": lambda axes: named_by_ticks(axes.plot, axes.set_xticks),
    "lying bars": lambda axes: named_by_ticks(axes.barh, axes.set_yticks),
    "bars beside each other": beside_each_other,
    "texts": written_beside,
    "no names": lambda axes: axes.barh(range(3), Y),
}
NOT_AT_NAMES = {
    "names in another order": lambda axes: axes.plot(sorted(NAMES), Y),
    "ticks in another order": lambda axes: named_by_ticks(axes.bar, axes.set_xticks, sorted(NAMES)),
    "ticks of lying bars in another order": lambda axes: named_by_ticks(axes.barh, axes.set_yticks, sorted(NAMES)),
    "other values": lambda axes: axes.plot(NAMES, [5, 3, 7]),
}


@pytest.mark.parametrize("draw", AT_NAMES.values(), ids=AT_NAMES)
def test_values_are_found_at_their_names(draw):
    figure, axes = plt.subplots()
    draw(axes)
    names_stand_at(wire.reduce(figure), "call", "y", NAMES, Y)


@pytest.mark.parametrize("draw", NOT_AT_NAMES.values(), ids=NOT_AT_NAMES)
def test_values_at_other_names_are_told(draw):
    figure, axes = plt.subplots()
    draw(axes)
    with pytest.raises(Failed):
        names_stand_at(wire.reduce(figure), "call", "y", NAMES, Y)
