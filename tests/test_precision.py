"""Precision of the naming of misconceptions, on a sample; `make precision` does the whole catalogue and prints a table.

A wrong version is recognised in another style than the catalogue's own, changed by rule or written by hand; a mutant of
a solution is given no name of an entry that it does not equal.
"""

import inspect

import by_hand
import pytest
from inprocess import failing, named
from precision import SECONDS, answers_of, is_named, mutated, strangers, styled
from test_catalogue import present

from autograder.checks import runner
from autograder.misconceptions.api import catalogue, source_of

STYLED = styled(every=59)
MUTATED = mutated(every=11)
HAND = [function for name, function in vars(by_hand).items() if inspect.isfunction(function)]


@pytest.fixture(autouse=True)
def place_and_time(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # what these tests call goes into the chapter's folder, and is back afterwards
    monkeypatch.setattr(runner, "SECONDS", SECONDS)


@pytest.mark.parametrize(("chapter", "entry", "style"), [
    pytest.param(*one, id=f"{one[0]}-{one[1].id}-{one[2]}") for one in STYLED
])
def test_a_wrong_version_in_another_style_is_named(chapter, entry, style):
    assert is_named(chapter, entry, style)


@pytest.mark.parametrize("function", HAND, ids=lambda function: function.__name__)
def test_a_wrong_version_in_another_hand_is_named(function):
    wanted = function.__name__.partition("__")[0]
    ((chapter, entry),) = [(c, e) for c in present() for e in catalogue(c) if e.id == wanted]
    results, answers = answers_of(chapter, entry.exercise, source_of(function, entry.exercise))
    assert failing(results) == entry.fails
    assert wanted in [found.id for found in named(chapter, answers)]


def test_a_mutant_is_named_nothing_that_it_does_not_equal():
    """At least thirty mutants that fail; of those given a name, each equals it on inputs of another secret, too."""
    outcomes = [(one, strangers(*one)) for one in MUTATED]
    failed = [outcome for _, outcome in outcomes if outcome[0]]
    assert len(failed) >= 30
    assert [(one, wrong) for one, (_, _, wrong) in outcomes if wrong] == []
    print(f"{len(MUTATED)} mutants, {len(failed)} fail, {sum(count > 0 for _, count, _ in failed)} are given a name")
