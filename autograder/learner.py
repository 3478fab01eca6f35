"""For people who learn alone: hints one at a time, progress over the course, visible checks, stubs again.

Progress is one JSON file in the course's private folder; it never leaves the machine.
"""

import dataclasses
import json
import pathlib
import re
import shutil
import tempfile

from nbformat import NotebookNode

from autograder.checks.runner import chapter_checks
from autograder.course import HINT, generate
from autograder.grading.chapter import Chapter, Course
from autograder.grading.notebook import read, rebuild
from autograder.grading.store import write_atomically
from autograder.grading.verdict import Verdict
from autograder.sandbox.kernels import Sandbox
from autograder.sandbox.run import run_notebook

__all__ = ["Progress", "first_open", "hints", "reset", "visible_checks"]

HEADING = re.compile(r"^#+ Exercise[^`\n]*`(\w+)", re.MULTILINE)
STUB = "NotImplementedError"


def hints(notebook: NotebookNode) -> dict[str, list[str]]:
    """The hints by grade id of the test cell, from nudge to near-answer.

    They stand somewhere below the heading of their exercise's task: `### Exercise 2: `merge_pair` (5 points)`.
    """
    found: dict[str, list[str]] = {}
    exercise = ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            if heading := HEADING.search(cell.source):
                exercise = f"test_{heading[1]}"
            found.setdefault(exercise, []).extend(text.strip() for _, text in HINT.findall(cell.source))
    return found


def first_open(verdict: Verdict) -> str | None:
    """The grade id of the first test cell without full marks."""
    return next((cell.grade_id for cell in verdict.cells if cell.score < cell.max_score), None)


@dataclasses.dataclass(frozen=True)
class ChapterProgress:
    """Exercises done, exercises in all, and points, by the last verdict; `next` is the first open exercise."""

    chapter: str
    done: int
    exercises: int
    score: float
    max_score: float
    next: str | None


class Progress:
    """What the last verdict on each chapter was, and how many hints of each exercise were shown."""

    def __init__(self, course: Course):
        self.course = course
        self.path = course.private / "progress.json"
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            data = {}
        self.data = data if isinstance(data, dict) else {}

    def _chapter(self, name: str) -> dict:
        return self.data.setdefault(name, {"cells": {}, "hints": {}})

    def _save(self) -> None:
        write_atomically(self.path, json.dumps(self.data, indent=1, sort_keys=True))

    def record(self, verdict: Verdict) -> None:
        """Keep a verdict's points; that of a file that could not be read says nothing."""
        if verdict.status == "graded":
            self._chapter(verdict.chapter)["cells"] = {cell.grade_id: cell.score for cell in verdict.cells}
            self._save()

    def next_hint(self, chapter: str, grade_id: str, known: list[str]) -> tuple[int, str]:
        """The number and text of the next hint; after the last, the last again. `known` is not empty."""
        shown = self._chapter(chapter)["hints"]
        number = min(shown.get(grade_id, 0) + 1, len(known))
        shown[grade_id] = number
        self._save()
        return number, known[number - 1]

    def chapters(self) -> list[ChapterProgress]:
        """One line for each released chapter, in order; a chapter never checked has no points yet."""
        lines = []
        for name in self.course.chapters():
            worth = {grade_id: sum(one.points for one in of_cell) for grade_id, of_cell in chapter_checks(name).items()}
            scores = self.data.get(name, {}).get("cells", {})
            unfinished = [grade_id for grade_id, most in worth.items() if scores.get(grade_id, 0) < most]
            lines.append(ChapterProgress(
                name, len(worth) - len(unfinished), len(worth), sum(scores.get(grade_id, 0) for grade_id in worth),
                sum(worth.values()), unfinished[0].removeprefix("test_") if unfinished else None,
            ))
        return lines


def reset(course: Course, chapter: Chapter, path: pathlib.Path) -> pathlib.Path:
    """Put the chapter's stubs back into `path`; returns where the copy of what stood there is.

    Copies have a folder of their own beside the notebook: a chapter's folder holds one notebook.
    """
    folder = path.parent / "before-reset"
    folder.mkdir(exist_ok=True)
    number = 1
    while (copy := folder / f"{path.stem}-{number}.ipynb").exists():
        number += 1
    with tempfile.TemporaryDirectory() as scratch:
        generate(course, chapter.name, pathlib.Path(scratch))  # notebooks/ may be where the learner works
        fresh = pathlib.Path(scratch, chapter.name, chapter.path.name)
        shutil.copy2(path, copy)
        write_atomically(path, fresh.read_text(encoding="utf-8"))
    return copy


def visible_checks(data: bytes, chapter: Chapter, sandbox: Sandbox) -> list[tuple[str, str]]:
    """`(grade id, what is wrong)` for each test cell, an empty text where its visible checks pass.

    Raises `Unreadable` for a file that is no notebook.
    """
    notebook, _ = rebuild(read(data), chapter.release())
    found = []
    with run_notebook(notebook, set(), sandbox, chapter.folder) as run:
        for index, cell in enumerate(notebook.cells):
            grading = cell.metadata.get("nbgrader", {})
            if not (grading.get("grade") and cell.cell_type == "code"):
                continue
            errors = [output for output in cell.outputs if output.output_type == "error"]
            wrong = run.troubles.get(index, "" if run.complete else "the notebook did not run to its end")
            if errors:
                name, text = errors[0].ename, errors[0].evalue.strip()
                wrong = "not written yet" if name == STUB else text if name == "AssertionError" else f"{name}: {text}"
            found.append((grading["grade_id"], wrong))
    return found
