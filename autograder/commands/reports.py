"""Commands that tell what a class did: report and export."""

import enum
import json
import pathlib
from typing import Annotated

import typer

from autograder.commands.console import err, find_course, named_chapter, out, stop
from autograder.grading.chapter import Chapter, Course, CourseError

__all__ = ["export", "report", "write_class_report"]

Format = enum.StrEnum("Format", ["canvas", "moodle", "gradescope", "csv"])
ChapterArgument = Annotated[str, typer.Argument(help="The chapter, like 03_naive_bpe.")]
FORMGRADER = "http://localhost:8888"


def report(
    chapter: ChapterArgument,
    output: Annotated[pathlib.Path | None, typer.Option(help="Else report/CHAPTER/.", file_okay=False)] = None,
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Numbers instead of names.")] = False,
    formgrader: Annotated[str, typer.Option(help="Where Jupyter runs, for links into formgrader.")] = FORMGRADER,
) -> None:
    """The class report: one HTML file with figures, and every table as CSV beside it."""
    course = find_course()
    try:
        page = write_class_report(course, named_chapter(course, chapter), output, anonymous, formgrader)
    except CourseError as error:
        stop(str(error))
    out.print(f"Class report: {page}", highlight=False, markup=False, soft_wrap=True)


def write_class_report(
    course: Course, chapter: Chapter, folder: pathlib.Path | None = None, anonymous: bool = False,
    formgrader: str = FORMGRADER,
) -> pathlib.Path:
    """Write the report of what is graded; returns the page, as a path from here where it is below."""
    from autograder.grading.marks import class_entries
    from autograder.report import class_data
    from autograder.report.class_report import write_report

    entries = class_entries(course, chapter, formgrader)
    if anonymous:
        entries = class_data.anonymous(entries, course.secret())
    page = write_report(class_data.class_data(chapter.name, entries), folder or course.root / "report" / chapter.name)
    here = pathlib.Path.cwd()
    return page.relative_to(here) if page.is_relative_to(here) else page


def export(
    chapter: ChapterArgument,
    form: Annotated[Format, typer.Option("--format", help="For which system.")],
    output: Annotated[
        pathlib.Path | None, typer.Option(help="The file, for gradescope the folder; else in report/CHAPTER/.")
    ] = None,
) -> None:
    """Marks for a learning platform, and for Gradescope the autograder bundle too."""
    course = find_course()
    belongs = named_chapter(course, chapter)
    try:
        if form is Format.gradescope:
            export_gradescope(course, belongs, output or course.root / "report" / chapter / "gradescope")
        else:
            export_table(course, belongs, form, output or course.root / "report" / chapter / f"{form}.csv")
    except CourseError as error:
        stop(str(error))


def export_table(course: Course, chapter: Chapter, form: Format, path: pathlib.Path) -> None:
    from nbgrader.api import MissingEntry

    from autograder.grading.recording import nbgrader_api
    from autograder.report.exports import FORMATS

    with nbgrader_api(course).gradebook as gradebook:
        try:
            gradebook.find_assignment(chapter.name)
        except MissingEntry:
            stop(f"the gradebook knows nothing of {chapter.name}; run: autograder grade {chapter.name}")
        waiting = sum(submission.needs_manual_grade for submission in gradebook.assignment_submissions(chapter.name))
        FORMATS[form](to=str(path), assignment=[chapter.name]).export(gradebook)
    out.print(f"Marks: {path}", highlight=False, markup=False, soft_wrap=True)
    if waiting:
        err.print(f"{waiting} submissions wait for a person: these marks can still change.", highlight=False)


def export_gradescope(course: Course, chapter: Chapter, folder: pathlib.Path) -> None:
    from autograder.grading.marks import class_entries
    from autograder.grading.store import write_atomically
    from autograder.report.gradescope import bundle, results

    entries = class_entries(course, chapter, FORMGRADER)
    for entry in entries:
        text = json.dumps(results(entry.verdict), ensure_ascii=False, indent=1)
        write_atomically(folder / entry.student / "results.json", text)
    path = folder / "autograder.zip"
    path.write_bytes(bundle(course, chapter))
    path.chmod(0o600)
    out.print(f"results.json of {len(entries)} students: {folder}", highlight=False, markup=False, soft_wrap=True)
    out.print(f"Autograder bundle, solutions and secret in it: {path}", highlight=False, markup=False, soft_wrap=True)
