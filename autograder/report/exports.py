"""Marks for other systems, as nbgrader export plugins.

`nbgrader export --exporter=autograder.report.exports.CanvasExport` does what `autograder export … --format canvas`
does.
Every text is quoted as CSV wants it, and defused where a spreadsheet would take it for a formula. Who submitted
nothing, or something that no one has marked yet, gets no zero: an empty field in nbgrader's columns, and no row for
Canvas and Moodle, which take an empty field for "no grade" and clear what they hold. Sources of the formats are in
docs/exports.md.
"""

import csv
import dataclasses
import io
import pathlib
from collections.abc import Iterator

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin

from autograder.grading.store import write_atomically

__all__ = ["FORMATS", "CanvasExport", "CsvExport", "Mark", "MoodleExport", "safe"]

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")  # what spreadsheets start a formula with, or skip before one


def safe(value: object) -> object:
    """A value for a CSV field: a text that a spreadsheet would run as a formula gets an apostrophe in front.

    >>> safe("=1+1"), safe("student-01"), safe(-1.5)
    ("'=1+1", 'student-01', -1.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


@dataclasses.dataclass(frozen=True)
class Mark:
    """One student's in one assignment; `score` is after the penalty, and None where there is nothing to count yet."""

    assignment: str
    duedate: object
    timestamp: object
    student_id: str
    last_name: str | None
    first_name: str | None
    email: str | None
    lms_user_id: str | None
    raw_score: float | None
    late_submission_penalty: float | None
    score: float | None
    max_score: float

    @property
    def name(self) -> str:
        """`Last, First`, or the id where the gradebook has no name."""
        return ", ".join(part for part in (self.last_name, self.first_name) if part) or self.student_id


class SafeExport(ExportPlugin):
    """What the formats share: which marks, and how a file is written. `header` and `row` make the format."""

    filename = "grades.csv"

    def export(self, gradebook: Gradebook) -> None:
        rows = list(self.rows(list(self.marks(gradebook))))
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([safe("" if v is None else v) for v in row] for row in rows)
        target = pathlib.Path(self.to or self.filename)
        write_atomically(target, text.getvalue())
        self.log.info("Exported grades to %s", target)

    def marks(self, gradebook: Gradebook) -> Iterator[Mark]:
        """The marks asked for by `--assignment` and `--student`, else all."""
        for assignment in gradebook.assignments:
            if self.assignment and assignment.name not in map(str, self.assignment):
                continue
            for student in gradebook.students:
                if not self.student or student.id in map(str, self.student):
                    yield self.mark(gradebook, assignment, student)

    def mark(self, gradebook: Gradebook, assignment, student) -> Mark:
        known = (assignment.name, assignment.duedate)
        who = (student.id, student.last_name, student.first_name, student.email, student.lms_user_id)
        try:
            submission = gradebook.find_submission(assignment.name, student.id)
        except MissingEntry:
            return Mark(*known, None, *who, None, None, None, assignment.max_score)
        grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
        if grades and all(grade.auto_score is None and grade.manual_score is None for grade in grades):
            return Mark(*known, submission.timestamp, *who, None, None, None, assignment.max_score)
        penalty = submission.late_submission_penalty or 0.0
        score = max(0.0, submission.score - penalty)
        return Mark(*known, submission.timestamp, *who, submission.score, penalty, score, assignment.max_score)

    def rows(self, marks: list[Mark]) -> Iterator[list]:
        """The file's rows, the header first."""
        raise NotImplementedError


class CsvExport(SafeExport):
    """nbgrader's own columns, in its order."""

    COLUMNS = (
        "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score",
        "late_submission_penalty", "score", "max_score",
    )

    def rows(self, marks):
        yield list(self.COLUMNS)
        for mark in marks:
            yield [getattr(mark, column) for column in self.COLUMNS]


class ByStudent(SafeExport):
    """One row for each student, one column for each assignment."""

    def table(self, marks: list[Mark]) -> tuple[list[Mark], dict[str, dict[str, Mark]]]:
        """One mark of each assignment, for its name, and by student and assignment those of whoever has any."""
        by_student: dict[str, dict[str, Mark]] = {}
        for mark in marks:
            by_student.setdefault(mark.student_id, {})[mark.assignment] = mark
        assignments = {mark.assignment: mark for mark in marks}
        some = {
            student: own for student, own in by_student.items() if any(mark.score is not None for mark in own.values())
        }
        return list(assignments.values()), some


class CanvasExport(ByStudent):
    """Canvas's gradebook: names, three ids, section, a column for each assignment, the points possible below."""

    filename = "canvas.csv"

    def rows(self, marks):
        assignments, by_student = self.table(marks)
        yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *(one.assignment for one in assignments)]
        yield ["    Points Possible", "", "", "", "", *(one.max_score for one in assignments)]
        for student, own in by_student.items():
            any_mark = next(iter(own.values()))
            ids = [any_mark.lms_user_id, "", student, ""]
            yield [any_mark.name, *ids, *(own[one.assignment].score for one in assignments)]


class MoodleExport(ByStudent):
    """Moodle's grade import: the fields by which Moodle can know a student, a column for each assignment."""

    filename = "moodle.csv"

    def rows(self, marks):
        assignments, by_student = self.table(marks)
        yield ["username", "firstname", "lastname", "email", *(one.assignment for one in assignments)]
        for student, own in by_student.items():
            one = next(iter(own.values()))
            yield [student, one.first_name, one.last_name, one.email, *(own[a.assignment].score for a in assignments)]


FORMATS = {"csv": CsvExport, "canvas": CanvasExport, "moodle": MoodleExport}
