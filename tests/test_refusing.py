"""Whoever refuses everything has answered nothing: one line that raises the right error earns no point anywhere."""

import re

import pytest
from hostile.corpus import Class
from inprocess import grade

from autograder.checks.runner import CHAPTERS, chapter_checks

REFUSED = """
class Refused(UnicodeEncodeError, TypeError):  # a ValueError, too
    pass
"""


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_refusing_everything_earns_nothing(chapter):
    """The message holds all names of the exercise, so that none that is asked for is missing."""
    answers = Class(chapter).answers
    earned = {}
    for cell in chapter_checks(chapter):
        name = cell.removeprefix("test_")
        if re.search(rf"^def {name}\b", answers.get(name, ""), re.MULTILINE):
            words = " ".join(re.findall(r"\w+", answers[name]))
            body = f"def {name}(*_, **__):\n    raise Refused('utf-8', '', 0, 1, {words!r})"
            results, _ = grade(chapter, cell, REFUSED + body)
            earned |= {(name, result.name): result.points for result in results if result.points}
    assert earned == {}
