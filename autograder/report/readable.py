"""What a reader may not see at once in a counterexample: where two values part, and what bytes, ids and invisible
characters stand for.

Works on the texts alone, which `checks/show.py` has made; judges nothing.
"""

import ast
import re
import unicodedata
from collections.abc import Iterator, Sequence

from autograder.checks.show import common, readable

__all__ = ["Difference", "explained", "first_difference"]

TOKEN = re.compile(r"\\x..|\\u....|\\U.{8}|\d+(?:\.\d+)?|\w+|\s+|.")
CONTEXT = 20  # characters shown before the first difference
MOST = 6  # things explained for one counterexample
CLOSING, ENDS = set(")]}'\""), "the end"
BYTE_IDS = {*range(65, 91), *range(97, 123)}  # ids that are letters of ASCII in every rule set of the course


class Difference(tuple):
    """`(start, expected_end, got_end)` of the first differing token in two texts, and `words` that say it."""

    words: str

    def __new__(cls, start: int, expected_end: int, got_end: int, words: str):
        made = super().__new__(cls, (start, expected_end, got_end))
        made.words = words
        return made


def first_difference(expected: str, got: str) -> Difference | None:
    """Where two values part, or `None` where they have not even their beginning in common.

    >>> first_difference("[9, 1]", "[9, 9]").words
    '9 instead of 1, after “[9, ”'
    >>> first_difference("[9, 1]", "[9]").words
    'the end instead of “, 1]”, after “[9”'
    >>> first_difference("12", "[1]") is None
    True
    """
    left, right = TOKEN.findall(expected), TOKEN.findall(got)
    same = common(left, right)
    start = sum(map(len, left[:same]))
    if not 0 < same < min(len(left), len(right)):
        return None
    wanted, came = left[same], right[same]
    before = expected[:start]
    context = f"…{before[-CONTEXT:]}" if len(before) > CONTEXT else before
    words = f"{named(came, right[same + 1 :])} instead of {named(wanted, left[same + 1 :])}, after “{context}”"
    return Difference(start, start + len(wanted), start + len(came), words)


def named(token: str, rest: Sequence[str]) -> str:
    if token in CLOSING:
        return ENDS
    if token == ",":
        token += "".join(rest)
    token = token if len(token) <= CONTEXT else f"{token[:CONTEXT]}…"
    return token if token.isalnum() else f"“{token}”"


def explained(texts: Sequence[str]) -> list[str]:
    r"""What bytes, ids and invisible characters in values as text stand for; at most a few.

    >>> explained([r"f('a\u202e', b'\xed\x95\x9c')", "[97, 98]"])
    ['\\u202e is RIGHT-TO-LEFT OVERRIDE', "b'\\xed\\x95\\x9c' is 한 in UTF-8", '97 is a', '98 is b']
    >>> explained([r"b'\xed\x95'"])
    ["b'\\xed\\x95' is not UTF-8"]
    """
    found: dict[str, None] = {}
    for text in texts:
        try:
            tree = ast.parse(text, mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # cut, or no value: nothing sure can be said
        for node in ast.walk(tree):
            found |= dict.fromkeys(explain(node))
    return sorted(found, key=order)[:MOST]


def order(line: str) -> tuple:
    """Characters, then bytes, then ids by number."""
    first = line.split()[0]
    return (2, int(first)) if first.isdigit() else (line.startswith("b"), 0)


def explain(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(value=str() as text):
            for character in text:
                if not character.isprintable():
                    yield f"{readable(character)} is {name_of(character)}"
        case ast.Constant(value=bytes() as data) if not data.isascii():
            try:
                yield f"{data!r} is {readable(data.decode())} in UTF-8"
            except UnicodeDecodeError:
                yield f"{data!r} is not UTF-8"
        case ast.List(elts=items) | ast.Tuple(elts=items):
            for item in items:
                if isinstance(item, ast.Constant) and type(item.value) is int and item.value in BYTE_IDS:
                    yield f"{item.value} is {chr(item.value)}"


def name_of(character: str) -> str:
    """The name of a character without a visible form.

    >>> name_of("\\u200d"), name_of("\\n"), name_of("\\ud800")
    ('ZERO WIDTH JOINER', 'a line break', 'a lone surrogate')
    """
    common = {"\n": "a line break", "\r": "a carriage return", "\t": "a tab", "\0": "the character 0"}
    if "\ud800" <= character <= "\udfff":
        return "a lone surrogate"
    return common.get(character) or unicodedata.name(character, "a character without a name")
