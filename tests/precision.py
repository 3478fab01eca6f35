"""How precise the naming of misconceptions is, in numbers: `make precision` for the whole catalogue.

Wrong versions in two other styles each must be named; a mutant of a solution must be named only what it equals, asked
again with other secret inputs.
"""

import ast
import collections
import os
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent)]

from inprocess import Answers, failing, grade, named  # noqa: E402
from restyle import STYLES, mutant, mutants, restyled  # noqa: E402
from test_catalogue import ROOT, present, solution_cells, source_with  # noqa: E402

from autograder.checks import runner  # noqa: E402
from autograder.misconceptions.api import alike, catalogue, source_of  # noqa: E402

__all__ = ["is_named", "mutated", "strangers", "styled"]

OTHER_SECRET = b"another secret for tests"
SECONDS = 2.0  # CPU time for a mutant that may never end


def answers_of(chapter: str, exercise: str, answer: str, **options) -> tuple[list, Answers]:
    """Results and answers of one exercise answered with `answer`, in the chapter's folder."""
    os.chdir(ROOT / "solutions" / chapter)
    return grade(chapter, f"test_{exercise}", source_with(chapter, exercise, answer), **options)


def styled(every: int = 1) -> list[tuple]:
    """Each `every`-th catalogued program in a style, where that changes it: (chapter, entry, style)."""
    some = [
        (chapter, entry, style)
        for chapter in present() for entry in catalogue(chapter) if not entry.is_value for style in STYLES
    ][::every]
    return [one for one in some if in_style(*one[1:]) != ast.unparse(ast.parse(own_source(one[1])))]


def own_source(entry) -> str:
    return source_of(entry.function, entry.exercise)


def in_style(entry, style: str) -> str:
    return restyled(own_source(entry), style)


def is_named(chapter: str, entry, style: str) -> bool:
    _, answers = answers_of(chapter, entry.exercise, in_style(entry, style))
    return entry.id in [found.id for found in named(chapter, answers)]


def mutated(every: int = 1) -> list[tuple[str, str, str]]:
    """Each `every`-th mutant of the solutions that draw nothing: (chapter, exercise, source)."""
    some = [
        (chapter, exercise, source, place)
        for chapter in present() for exercise, source in solution_cells(chapter).items()
        if f"test_{exercise}" in runner.chapter_checks(chapter) and not exercise.startswith("plot")
        for place in mutants(source)
    ][::every]
    return [(chapter, exercise, mutant(source, place)) for chapter, exercise, source, place in some]


def key(answer) -> str:
    return repr((answer.function, answer.args, sorted(answer.kwargs.items()), answer.made_with, answer.before))


def asked_again(chapter: str, exercise: str, source: str) -> dict:
    """What an answer gave to each call of checks with another secret."""
    _, told = answers_of(chapter, exercise, source, secret=OTHER_SECRET)
    return {key(answer): answer.got for answers in told().values() for answer in answers}


def strangers(chapter: str, exercise: str, source: str) -> tuple[bool, int, list[str]]:
    """Does the mutant fail, how many entries it is named, and those of them that it does not equal."""
    results, answers = answers_of(chapter, exercise, source)
    found = named(chapter, answers) if failing(results) else []
    mine = asked_again(chapter, exercise, source) if found else {}
    wrong = []
    for entry in found:
        theirs = asked_again(chapter, exercise, own_source(entry))
        if not all(alike(mine[asked], theirs[asked]) for asked in mine.keys() & theirs.keys()):
            wrong.append(entry.id)
    return bool(failing(results)), len(found), wrong


def main() -> int:
    runner.SECONDS = SECONDS
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    counts: collections.Counter = collections.Counter()
    for chapter, entry, style in styled(every):
        told = is_named(chapter, entry, style)
        counts[chapter, "versions"] += 1
        counts[chapter, "named"] += told
        if not told:
            print(f"{chapter}: {entry.id} in style {style} is not named")
    for chapter, exercise, source in mutated(every):
        fails, entries, wrong = strangers(chapter, exercise, source)
        counts[chapter, "mutants"] += 1
        counts[chapter, "failing"] += fails
        counts[chapter, "given a name"] += entries > 0
        counts[chapter, "wrongly"] += bool(wrong)
        if wrong:
            print(f"{chapter}: a mutant of {exercise} is named {wrong}, which it does not equal:\n{source}")
    columns = ("versions", "named", "mutants", "failing", "given a name", "wrongly")
    print(f"{'':20}" + "".join(f"{name:>14}" for name in columns))
    for chapter in present():
        print(f"{chapter:20}" + "".join(f"{counts[chapter, name]:>14}" for name in columns))
    return sum(counts[c, "versions"] - counts[c, "named"] + counts[c, "wrongly"] for c in present()) > 0


if __name__ == "__main__":
    sys.exit(main())
