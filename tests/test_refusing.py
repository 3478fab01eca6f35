"""Whoever refuses everything has answered nothing: one line that raises the right error earns no point anywhere."""

import re

import pytest
from hostile.corpus import Class
from inprocess import grade

from autograder.checks.runner import CHAPTERS, chapter_checks


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("error", ["UnicodeEncodeError('utf-8', '', 0, 1, {!r})", "TypeError({!r})"])
def test_refusing_everything_earns_nothing(chapter, error):
    """The first is a ValueError too. The message holds all names of the exercise, so that none that is asked for is
    missing.
    """
    answers = Class(chapter).answers
    earned = {}
    for cell in chapter_checks(chapter):
        name = cell.removeprefix("test_")
        if re.search(rf"^def {name}\b", answers.get(name, ""), re.MULTILINE):
            words = " ".join(re.findall(r"\w+", answers[name]))
            results, _ = grade(chapter, cell, f"def {name}(*_, **__):\n    raise {error.format(words)}")
            earned |= {(name, result.name): result.points for result in results if result.points}
    assert earned == {}
