"""Commands for one's own notebook: check, progress, validate, reset."""

import json
import pathlib
import re
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from autograder.commands.console import chapter_of, err, find_course, out, stop, walls
from autograder.grading.chapter import Chapter, Course, CourseError
from autograder.report.cell import points, points_of, verdict_text
from autograder.sandbox.kernels import Sandbox, SandboxError

__all__ = ["check", "progress", "reset", "validate"]

NotebookFile = Annotated[pathlib.Path, typer.Argument(help="The notebook file.", dir_okay=False)]
ChapterName = Annotated[str | None, typer.Option(help="The chapter, where the path does not tell it.")]


def check(
    notebook: NotebookFile,
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdict as one JSON object.")] = False,
    hint: Annotated[bool, typer.Option("--hint", help="The next hint of the first failing exercise.")] = False,
    chapter: ChapterName = None,
) -> None:
    """The sealed verdict on one notebook; no gradebook. Exit code 0: full marks, 1: not, 2: cannot be graded."""
    from autograder.grading.submission import grade
    from autograder.learner import Progress

    if as_json and hint:
        stop("say --json or --hint, not both")
    course = find_course()
    belongs = chapter_of(course, notebook, chapter)
    try:
        with Sandbox(hidden=[course.root], walled=walls()) as sandbox, err.status("Running the notebook …"):
            verdict = grade(notebook.read_bytes(), belongs, course, sandbox).verdict
    except (SandboxError, CourseError) as error:
        stop(str(error))
    learned = Progress(course)
    learned.record(verdict)
    if as_json:
        print(json.dumps(verdict.as_dict(), ensure_ascii=False))
    elif hint and verdict.status == "graded":
        tell_hint(course, belongs, verdict, learned)
    else:
        out.print(coloured(verdict_text(verdict)), soft_wrap=True)
    if verdict.status != "graded":
        raise typer.Exit(2)
    raise typer.Exit(0 if verdict.score == verdict.max_score else 1)


def coloured(report: str) -> Text:
    """The report with its marks in colour; rich prints none where there is no terminal, or NO_COLOR is set.

    >>> [(span.start, span.end, span.style) for span in coloured("  ✗ failed  0/1  In a run …").spans]
    [(2, 10, 'bold red')]
    """
    text = Text(report)
    for pattern, style in ((r"(?m)^  (?P<mark>✗ failed)", "bold red"), (r"(?m)^  (?P<mark>✓ passed)", "green"),
                           (r"(?m)^(?P<mark>\w+: [\d.]+ of [\d.]+ points?)$", "bold")):
        for found in re.finditer(pattern, report):
            text.stylize(style, *found.span("mark"))
    return text


def tell_hint(course: Course, chapter: Chapter, verdict, learned) -> None:
    from autograder.learner import first_open, hints

    grade_id = first_open(verdict)
    if grade_id is None:
        out.print(f"{chapter.name}: full marks; there is nothing left to hint at.", highlight=False)
        return
    (cell,) = [cell for cell in verdict.cells if cell.grade_id == grade_id]
    exercise = grade_id.removeprefix("test_")
    known = hints(course.solution(chapter)).get(grade_id, [])
    head = f"{exercise}: {points_of(cell.score, cell.max_score)}."
    if not known:
        out.print(f"{head} This exercise has no hints.", highlight=False)
        return
    number, text = learned.next_hint(chapter.name, grade_id, known)
    out.print(f"{head} Hint {number} of {len(known)}:\n\n{text}", markup=False, highlight=False)
    if number < len(known):
        out.print("\nThe same command gives the next one, when you have tried this one.", highlight=False)


def progress() -> None:
    """How far you are: chapters, exercises, points, and what comes next; by the last `autograder check` of each."""
    from autograder.learner import Progress

    course = find_course()
    lines = Progress(course).chapters()
    if not lines:
        stop("no chapter is released; run: autograder course release")
    table = Table("chapter", "exercises", "points", "next")
    for line in lines:
        table.add_row(
            line.chapter, f"{line.done} of {line.exercises}", f"{points(line.score)} of {points(line.max_score)}",
            line.next or "done",
        )
    out.print(table)
    upcoming = next((line for line in lines if line.next), None)
    if upcoming is None:
        out.print("Every exercise of the course is done.", highlight=False)
    else:
        path = course.chapter(upcoming.chapter).path.relative_to(course.root)
        out.print(f"Next: {upcoming.next} in {path}; then autograder check {path}", highlight=False, soft_wrap=True)


def validate(notebook: NotebookFile, chapter: ChapterName = None) -> None:
    """The visible checks only, as you see them in the notebook. Exit code 0: all pass, 1: not, 2: could not run."""
    from autograder.grading.notebook import Unreadable
    from autograder.learner import visible_checks

    course = find_course()
    belongs = chapter_of(course, notebook, chapter)
    try:
        with Sandbox(hidden=[course.root], walled=walls()) as sandbox, err.status("Running the notebook …"):
            results = visible_checks(notebook.read_bytes(), belongs, sandbox)
    except (SandboxError, CourseError, Unreadable) as error:
        stop(str(error))
    failed = [(grade_id, wrong) for grade_id, wrong in results if wrong]
    for grade_id, wrong in failed:
        out.print(f"✗ {grade_id}: {wrong}", markup=False, highlight=False, soft_wrap=True)
    count = len(results) - len(failed)
    out.print(f"{count} of {len(results)} exercises pass their visible checks.", highlight=False)
    if not failed:
        out.print("The hidden ones look closer: autograder check says what they say.", highlight=False)
    raise typer.Exit(1 if failed else 0)


def reset(notebook: NotebookFile, chapter: ChapterName = None) -> None:
    """Put the chapter's stubs back, all of them, and keep a copy of the notebook beside it."""
    from autograder.learner import reset as put_back

    course = find_course()
    belongs = chapter_of(course, notebook, chapter)
    if course.root / "solutions" in notebook.resolve().parents:
        stop("solutions/ holds the answers that stubs are made from; reset a notebook of a learner's")
    try:
        copy = put_back(course, belongs, notebook)
    except CourseError as error:
        stop(str(error))
    out.print(f"{notebook} is as released; what stood there is in {copy}", markup=False, soft_wrap=True)
