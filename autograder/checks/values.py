"""What counts as the same value: normalisers, and equality in value and type."""

import dataclasses
import pickle
from collections.abc import Sized
from typing import TypeVar

__all__ = ["WrongType", "as_lists", "copied", "exactly", "like", "same"]


class WrongType(Exception):
    """A normaliser met a value of a type that the exercise does not allow; the message names both types."""


Value = TypeVar("Value")


def copied(value: Value) -> Value:
    """A copy of plain data that shares nothing with it, in a third of the time that `copy.deepcopy` takes.

    >>> inner = [1]
    >>> copied([inner]), copied([inner])[0] is inner
    ([[1]], False)
    """
    return pickle.loads(pickle.dumps(value, pickle.HIGHEST_PROTOCOL))


def exactly(value: object) -> object:
    """No normalising: a tuple is not a list, `True` is not 1."""
    return value


def as_lists(value: object) -> object:
    """Lists and tuples alike, at every depth; for exercises whose docstring allows both."""
    if isinstance(value, list | tuple):
        return [as_lists(item) for item in value]
    if isinstance(value, dict):
        return {key: as_lists(item) for key, item in value.items()}
    return value


def same(left: object, right: object) -> bool:
    """Equal in value and in type at every depth: `1`, `1.0` and `True` differ, NaN equals NaN.

    >>> same([1, (2,)], [1, (2,)]), same([1], [True]), same((1,), [1])
    (True, False, False)
    """
    if type(left) is not type(right):
        return False
    if isinstance(left, list | tuple):
        kinds = set(map(type, left))
        if len(kinds) == 1 and kinds <= {int, str, bytes}:  # most of the data, in one step
            return set(map(type, right)) == kinds and left == right
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        if {*map(type, left), *map(type, right)} == {int} and {*map(type, left.values())} == {bytes}:
            return left == right and {*map(type, right.values())} == {bytes}  # a vocabulary, in one step
        # Keys of equal value and other type (1 and True) must not meet: look them up with their type.
        typed = {(type(key), key): value for key, value in right.items()}
        return len(left) == len(right) and all(
            (type(key), key) in typed and same(value, typed[type(key), key]) for key, value in left.items()
        )
    if isinstance(left, set | frozenset):
        return {(type(item), item) for item in left} == {(type(item), item) for item in right}
    if dataclasses.is_dataclass(left):
        return all(same(getattr(left, f.name), getattr(right, f.name)) for f in dataclasses.fields(left))
    return left == right or (left != left and right != right)


def like(right: object, given: object) -> bool:
    """The same type, lists and tuples alike, and neither of the two empty.

    >>> like([1], (2, 3)), like([1], []), like(1, 0), like(1, True)
    (True, False, True, False)
    """
    right, given = as_lists(right), as_lists(given)
    return type(right) is type(given) and not any(isinstance(one, Sized) and not len(one) for one in (right, given))
