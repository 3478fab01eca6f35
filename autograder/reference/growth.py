"""How fast something grows: the exponent of the power law that fits best. Left out: measuring and drawing."""

import math
from collections.abc import Sequence

__all__ = ["fitted_slope"]


def fitted_slope(x: Sequence[float], y: Sequence[float]) -> float:
    """The slope of the line that fits log y over log x best (least squares); `ValueError` where there is none.

    >>> round(fitted_slope([10, 20, 40], [3, 12, 48]), 9)
    2.0
    """
    if len(x) < 2 or min(*x, *y) <= 0:
        raise ValueError("x and y need at least two points, all above 0")
    u, v = [math.log(value) for value in x], [math.log(value) for value in y]
    middle_u, middle_v = sum(u) / len(u), sum(v) / len(v)
    return sum((a - middle_u) * (b - middle_v) for a, b in zip(u, v, strict=True)) / sum((a - middle_u) ** 2 for a in u)
