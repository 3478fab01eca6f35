"""Correct answers in many styles, one module per chapter: each must pass every check."""

import inspect


def right(exercise, *, beside=()):
    """Mark a function or class (standing alone, imports inside) as a correct answer to `exercise`.

    `beside` is what stands above it in the student's cell: functions and classes of the same module, modules that are
    imported, and lines as text.
    """

    def source(one):
        if isinstance(one, str):
            return f"{one}\n"
        return f"import {one.__name__}\n" if inspect.ismodule(one) else f"{inspect.getsource(one)}\n\n"

    def mark(variant):
        variant.exercise = exercise
        variant.beside = "".join(map(source, beside))
        return variant

    return mark
