"""Regrade a class after checks, points or solutions changed: look first, then apply, and take back if it was wrong.

Only submissions whose recorded verdict came of something that has changed since run again. What would change is told
check by check. Applying leaves marks and comments given by hand as they are, and keeps what it overwrites, so that the
last application can be undone.
"""

import dataclasses
import json
import pathlib
import shutil
from collections.abc import Callable, Sequence

from nbgrader.api import Gradebook

from autograder.grading.chapter import Chapter, Course, CourseError
from autograder.grading.classroom import Outcome
from autograder.grading.recording import mark_of, nbgrader_api, record, recorded_key
from autograder.grading.store import Store, key_of, write_atomically
from autograder.grading.verdict import Verdict

__all__ = ["Change", "apply", "changes", "undo"]


@dataclasses.dataclass(frozen=True)
class Change:
    """One student's recorded and new verdict; `reasons` are sentences, one for each check that came out otherwise."""

    outcome: Outcome
    old: Verdict
    reasons: tuple[str, ...]

    @property
    def gain(self) -> float:
        """Points gained; below 0, lost."""
        assert self.outcome.verdict is not None
        return self.outcome.verdict.score - self.old.score


def changes(course: Course, chapter: Chapter, outcomes: Sequence[Outcome]) -> list[Change]:
    """What recording these outcomes would change for students whose submission is the one recorded already."""
    found = []
    for outcome in outcomes:
        new, key = outcome.verdict, recorded_key(course, chapter, outcome.student)
        if new is None or key == key_of(new.provenance):
            continue
        old = Store(course.private / "store").verdict(key)
        if old is None or old.provenance["submission"] != new.provenance["submission"]:
            continue
        if why := reasons(old, new):
            found.append(Change(outcome, old, tuple(why)))
    return found


def reasons(old: Verdict, new: Verdict) -> list[str]:
    """One sentence for each check whose outcome or worth differs between the two verdicts."""
    was = {(cell.grade_id, check.name): check for cell in old.cells for check in cell.checks}
    now = {(cell.grade_id, check.name): check for cell in new.cells for check in cell.checks}
    told = []
    if old.status != new.status:
        told.append(f"the submission was {old.status}, and is {new.status}")
    for place in {**was, **now}:
        before, after = was.get(place), now.get(place)
        name = " ".join(place)
        if before is None and after is not None:
            told.append(f"{name} is new: {after.status}, {after.points:g} of {after.max_points:g}")
        elif after is None and before is not None:
            told.append(f"{name} is gone: it was {before.status}, {before.points:g} of {before.max_points:g}")
        elif (before.status, before.points, before.max_points) != (after.status, after.points, after.max_points):
            told.append(
                f"{name} was {before.status} ({before.points:g} of {before.max_points:g}), and is {after.status} "
                f"({after.points:g} of {after.max_points:g}): {after.message}"
            )
    return told


def apply(
    course: Course, chapter: Chapter, found: Sequence[Change], scratch: str,
    progress: Callable[[str], None] = lambda student: None,
) -> None:
    """Record the changed verdicts, keeping what they overwrite for `undo`, and marks and comments given by hand."""
    students = [change.outcome.student for change in found]
    api = nbgrader_api(course)
    with api.gradebook as gradebook:
        before = {student: grades_of(gradebook, chapter, student) for student in students}
    keep(course, chapter, {
        student: {"mark": mark_of(course, chapter, student).read_text(), "grades": before[student]}
        for student in students
    })
    record(course, chapter, [change.outcome for change in found], scratch, progress, regrading=True)
    with api.gradebook as gradebook:
        for student in students:  # nbgrader asks for a second look at every mark given by hand
            restore(gradebook, chapter, student, {
                name: {"needs_manual_grade": grade["needs_manual_grade"]}
                for name, grade in before[student].items() if grade["manual_score"] is not None
            })
        gradebook.db.commit()


def undo(course: Course, chapter: Chapter) -> list[str]:
    """Take back the last application; marks and comments given by hand since then stay. Returns the students.

    Raises `CourseError` when there is nothing to undo.
    """
    kept = kept_folder(course, chapter)
    try:
        before = json.loads((kept / "grades.json").read_text())
    except OSError:
        raise CourseError(f"no regrading of {chapter.name} has been applied that could be undone") from None
    with nbgrader_api(course).gradebook as gradebook:
        for student, state in before.items():
            restore(gradebook, chapter, student, {
                name: {key: grade[key] for key in ("auto_score", "needs_manual_grade")}
                for name, grade in state["grades"].items()
            })
        gradebook.db.commit()
    for student, state in before.items():
        for folder, suffix in PAGES:
            path = kept / student / f"{chapter.notebook}{suffix}"
            if path.exists():
                target = course.root / folder / student / chapter.name / path.name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
        write_atomically(mark_of(course, chapter, student), state["mark"])
    shutil.rmtree(kept)
    return list(before)


PAGES = (("autograded", ".ipynb"), ("feedback", ".html"))


def kept_folder(course: Course, chapter: Chapter) -> pathlib.Path:
    """Where the last application keeps what it overwrote."""
    return course.private / "regraded" / chapter.name


def keep(course: Course, chapter: Chapter, before: dict) -> None:
    """Save the students' grades and pages; the list goes last, so that it never names what was not kept."""
    kept = kept_folder(course, chapter)
    shutil.rmtree(kept, ignore_errors=True)
    for student in before:
        for folder, suffix in PAGES:
            path = course.root / folder / student / chapter.name / f"{chapter.notebook}{suffix}"
            if path.exists():
                (kept / student).mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, kept / student / path.name)
    write_atomically(kept / "grades.json", json.dumps(before, indent=1))


def grades_of(gradebook: Gradebook, chapter: Chapter, student: str) -> dict[str, dict]:
    """A student's grades by cell, as plain data."""
    return {
        grade.name: {
            name: getattr(grade, name) for name in ("auto_score", "manual_score", "needs_manual_grade")
        }
        for grade in gradebook.find_submission_notebook(chapter.notebook, chapter.name, student).grades
    }


def restore(gradebook: Gradebook, chapter: Chapter, student: str, values: dict[str, dict]) -> None:
    """Set fields of a student's grades; a mark given by hand since then is not sent back to be looked at."""
    for grade in gradebook.find_submission_notebook(chapter.notebook, chapter.name, student).grades:
        for name, value in values.get(grade.name, {}).items():
            setattr(grade, name, value)
