"""Correct answers in many styles, one module per chapter: each must pass every check."""

import inspect


def right(exercise, *, beside=()):
    """Mark a function or class (standing alone, imports inside) as a correct answer to `exercise`.

    `beside` are functions and classes of the same module that stand above it in the student's cell, as helpers do, and
    modules that are imported there.
    """

    def source(one):
        return f"import {one.__name__}\n" if inspect.ismodule(one) else f"{inspect.getsource(one)}\n\n"

    def mark(variant):
        variant.exercise = exercise
        variant.beside = "".join(map(source, beside))
        return variant

    return mark
