"""Correct answers in many styles, one module per chapter: each must pass every check."""


def right(exercise):
    """Mark a function or class (standing alone, imports inside) as a correct answer to `exercise`."""

    def mark(variant):
        variant.exercise = exercise
        return variant

    return mark
