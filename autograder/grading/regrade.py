"""Regrade a class after checks, points or solutions changed: look first, then apply, and take back if it was wrong.

Only submissions whose recorded verdict came of something that has changed since run again. What would change is told
check by check. Applying leaves marks and comments given by hand as they are, and keeps what it overwrites, so that the
last application can be undone.
"""

import dataclasses
import json
import pathlib
import shutil
from collections.abc import Iterable, Sequence

from nbgrader.api import Gradebook

from autograder.grading.chapter import Chapter, Course, CourseError
from autograder.grading.classroom import Outcome
from autograder.grading.recording import mark_of, nbgrader_api, record, recorded_key
from autograder.grading.store import Store, key_of, write_atomically
from autograder.grading.verdict import Verdict

__all__ = ["Change", "apply", "changes", "stopped", "undo"]


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


def changes(course: Course, chapter: Chapter, outcomes: Iterable[Outcome]) -> list[Change]:
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


def apply(course: Course, chapter: Chapter, found: Sequence[Change], scratch: str) -> None:
    """Record the changed verdicts, keeping what they overwrite for `undo`, and marks and comments given by hand.

    Stopped at any moment, the same call goes on from there, and `undo` takes back what was done.
    """
    api = nbgrader_api(course)
    with api.gradebook as gradebook:
        now = {
            change.outcome.student: {
                "mark": mark_of(course, chapter, change.outcome.student).read_text(),
                "grades": grades_of(gradebook, chapter, change.outcome.student),
            }
            for change in found
        }
    before = keep(course, chapter, now)
    record(course, chapter, [change.outcome for change in found], scratch, regrading=True)
    with api.gradebook as gradebook:
        for student, state in before.items():  # nbgrader asks for a second look at every mark given by hand
            restore(gradebook, chapter, student, {
                name: {"needs_manual_grade": grade["needs_manual_grade"]}
                for name, grade in state["grades"].items() if grade["manual_score"] is not None
            })
        gradebook.db.commit()
    write_atomically(kept_folder(course, chapter) / DONE, "")


def undo(course: Course, chapter: Chapter) -> list[str]:
    """Take back the last application; marks and comments given by hand since then stay. Returns the students.

    Raises `CourseError` when there is nothing to undo.
    """
    kept = kept_folder(course, chapter)
    before = kept_states(course, chapter)
    if not before:
        raise CourseError(f"no regrading of {chapter.name} has been applied that could be undone")
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
    discard(kept)
    return sorted(before)


PAGES = (("autograded", ".ipynb"), ("feedback", ".html"))
STATES, DONE = "grades.json", "done"  # what is kept of all students; the application was not stopped


def kept_folder(course: Course, chapter: Chapter) -> pathlib.Path:
    """Where the last application keeps what it overwrote."""
    return course.private / "regraded" / chapter.name


def kept_states(course: Course, chapter: Chapter) -> dict[str, dict]:
    """Marks and grades by student as they were before the last application; empty where there was none."""
    try:
        return json.loads((kept_folder(course, chapter) / STATES).read_text())
    except OSError:
        return {}


def stopped(course: Course, chapter: Chapter) -> bool:
    """Was the last application stopped before its end?"""
    return bool(kept_states(course, chapter)) and not (kept_folder(course, chapter) / DONE).exists()


def discard(kept: pathlib.Path) -> None:
    """Remove what is kept, at one moment: a part of it would look like an application that was stopped."""
    away = kept.with_name(f".{kept.name}")
    shutil.rmtree(away, ignore_errors=True)
    kept.rename(away)
    shutil.rmtree(away)


def keep(course: Course, chapter: Chapter, now: dict[str, dict]) -> dict[str, dict]:
    """Save the students' present state and pages; the list goes last, so that it never names what was not kept.

    What an application that was stopped has kept is older, and stays. Returns all that is kept.
    """
    kept = kept_folder(course, chapter)
    if (kept / DONE).exists():
        discard(kept)
    before = kept_states(course, chapter)
    for student in now.keys() - before.keys():
        for folder, suffix in PAGES:
            path = course.root / folder / student / chapter.name / f"{chapter.notebook}{suffix}"
            if path.exists():
                (kept / student).mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, kept / student / path.name)
    before = {**now, **before}
    write_atomically(kept / STATES, json.dumps(before, indent=1))
    return before


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
