"""A class's verdicts as tables: one row for each student, check, exercise, misconception. Draws nothing.

Whoever sent something that could not be read is left out of the exercises' statistics: nothing is known of what they
understood.
"""

import dataclasses
import hashlib
import hmac
import itertools
from collections.abc import Mapping, Sequence

import pandas as pd

from autograder.grading.verdict import Verdict

__all__ = ["ClassData", "Entry", "anonymous", "class_data", "point_biserial"]

FEW = 30  # below so many students a discrimination says little


@dataclasses.dataclass(frozen=True)
class Entry:
    """One student's submission: its verdict, or why there is none; the cells that wait for a person; a link there."""

    student: str
    verdict: Verdict | None
    trouble: str = ""
    waiting: tuple[str, ...] = ()
    link: str = ""


@dataclasses.dataclass(frozen=True)
class ClassData:
    """The tables, under the names of their CSV files."""

    chapter: str
    students: pd.DataFrame
    checks: pd.DataFrame
    exercises: pd.DataFrame
    misconceptions: pd.DataFrame
    together: pd.DataFrame

    def tables(self) -> dict[str, pd.DataFrame]:
        return {
            field.name: getattr(self, field.name) for field in dataclasses.fields(self) if field.name != "chapter"
        }


def anonymous(entries: Sequence[Entry], secret: bytes) -> list[Entry]:
    """The entries with numbers for names, in an order that only the secret tells, and without links and notes."""
    def place(entry: Entry) -> bytes:
        return hmac.digest(secret, entry.student.encode(), hashlib.sha256)

    return [
        dataclasses.replace(
            entry, student=f"student {number}", link="", trouble="could not be graded" if entry.trouble else "",
            verdict=entry.verdict and dataclasses.replace(entry.verdict, notes=()),
        )
        for number, entry in enumerate(sorted(entries, key=place), start=1)
    ]


def point_biserial(right: Sequence[bool], rest: Sequence[float]) -> float:
    """The correlation of having an exercise right with the score on all others; NaN where either does not vary.

    From 0.3 on the exercise tells who knows the rest; near 0 it does not; below 0 those who know more fail it.

    >>> round(point_biserial([True, True, False, False], [9.0, 7.0, 3.0, 1.0]), 3)
    0.949
    """
    left, other = pd.Series(right, dtype=float), pd.Series(rest, dtype=float)
    if left.nunique() < 2 or other.nunique() < 2:
        return float("nan")
    return float(left.corr(other))


def class_data(chapter: str, entries: Sequence[Entry]) -> ClassData:
    """The tables of a class, in order of student and of cell."""
    students = pd.DataFrame([student_row(entry) for entry in entries], columns=[
        "student", "status", "score", "max_score", "seconds", "waits_for_a_person", "notes", "link",
    ])
    graded = {entry.student: entry.verdict for entry in entries if entry.verdict and entry.verdict.status == "graded"}
    checks = pd.DataFrame(
        [
            (student, cell.grade_id.removeprefix("test_"), check.name, check.status, check.points, check.max_points,
             check.misconception or "", check.seconds)
            for student, verdict in graded.items() for cell in verdict.cells for check in cell.checks
        ],
        columns=["student", "exercise", "check", "status", "points", "max_points", "misconception", "seconds"],
    )
    return ClassData(
        chapter, students, checks, exercise_table(graded), misconception_table(checks), together_table(checks)
    )


def student_row(entry: Entry) -> tuple:
    verdict = entry.verdict
    waits = ", ".join(entry.waiting)
    if verdict is None:
        return entry.student, f"not graded: {entry.trouble}", None, None, None, waits, "", entry.link
    graded = verdict.status == "graded"
    status = verdict.status if graded else f"{verdict.status}: {verdict.reason}"
    return (
        entry.student, status, verdict.score if graded else None, verdict.max_score, verdict.seconds, waits,
        " ".join(verdict.notes), entry.link,
    )


def exercise_table(graded: Mapping[str, Verdict]) -> pd.DataFrame:
    """For each exercise: n, how many have it whole, in part, not at all, mean share of points, discrimination."""
    rows = []
    for cells in zip(*(verdict.cells for verdict in graded.values()), strict=True):
        shares = [cell.score / cell.max_score for cell in cells]
        whole = [share == 1 for share in shares]
        rest = [verdict.score - cell.score for verdict, cell in zip(graded.values(), cells, strict=True)]
        unwritten = sum(all(check.status == "not_written" for check in cell.checks) for cell in cells)
        rows.append((
            cells[0].grade_id.removeprefix("test_"), len(cells), sum(whole), sum(0 < share < 1 for share in shares),
            sum(share == 0 for share in shares), unwritten, sum(shares) / len(shares), point_biserial(whole, rest),
        ))
    return pd.DataFrame(rows, columns=[
        "exercise", "n", "whole", "in_part", "none", "not_written", "mean_share", "discrimination",
    ])


def misconception_table(checks: pd.DataFrame) -> pd.DataFrame:
    """By number of students; one that cannot be told from another stands as `one|other`."""
    named = checks[checks["misconception"] != ""]
    table = named.groupby(["misconception", "exercise"], as_index=False).agg(
        students=("student", "nunique"), who=("student", lambda names: ", ".join(dict.fromkeys(names)))
    )
    return table.sort_values(["students", "misconception"], ascending=[False, True], ignore_index=True)


def together_table(checks: pd.DataFrame) -> pd.DataFrame:
    """Pairs of checks of different exercises that at least two students fail, and what share of those who fail either.

    Exercises not written are left out: they fail with everything.
    """
    wrong = checks[checks["status"] == "failed"]
    who: dict[tuple[str, str], set[str]] = {}
    for student, exercise, check in zip(wrong["student"], wrong["exercise"], wrong["check"], strict=True):
        who.setdefault((exercise, check), set()).add(student)
    rows = []
    for (one, first), (other, second) in itertools.combinations(who.items(), 2):
        both = len(first & second)
        if one[0] != other[0] and both >= 2:
            rows.append((" ".join(one), " ".join(other), both, both / len(first | second)))
    table = pd.DataFrame(rows, columns=["check", "other_check", "students", "share"])
    return table.sort_values(["students", "share", "check", "other_check"], ascending=[False, False, True, True],
                             ignore_index=True)
