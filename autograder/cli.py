"""The `autograder` command. Exit codes: 0 done, 1 done but something failed, 2 could not."""

import contextlib
import dataclasses
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from autograder.commands import learner, reports
from autograder.commands.console import err, find_course, out, stop
from autograder.grading.chapter import Chapter, Course, CourseError
from autograder.report.cell import points
from autograder.sandbox import bubblewrap
from autograder.sandbox.kernels import SandboxError

if TYPE_CHECKING:
    from autograder.grading import classroom

__all__ = ["app", "main"]

app = typer.Typer(help="Sealed grading of the byte-pair workbook.", no_args_is_help=True, add_completion=False,
                  pretty_exceptions_enable=False)
course_app = typer.Typer(help="The course itself: is it sound, and is its release current?", no_args_is_help=True)
app.add_typer(course_app, name="course")
app.command()(learner.check)
app.command()(learner.progress)
app.command()(learner.validate)
app.command()(learner.reset)
app.command()(reports.report)
app.command()(reports.export)
store_app = typer.Typer(help="Kept verdicts: nothing is graded twice.", no_args_is_help=True)
app.add_typer(store_app, name="store")


@app.command()
def grade(
    chapter: Annotated[str | None, typer.Argument(help="The chapter, like 03_naive_bpe.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every chapter that has submissions.")] = False,
    student: Annotated[str | None, typer.Option(help="Only this student.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="How many at a time.")] = os.cpu_count() or 1,
    sandbox: Annotated[bool, typer.Option("--sandbox/--no-sandbox", help="Run student code behind walls.")] = True,
    scheduler: Annotated[str, typer.Option(help="A Dask cluster's address, like tcp://host:8786.")] = "",
    sample: Annotated[bool, typer.Option("--sample", help="Put the sample class into submitted/ first.")] = False,
) -> None:
    """Grade submitted/ and record in the gradebook; writes feedback pages and the class report."""
    from autograder.grading.classroom import submissions

    if (chapter is None) == (not every):
        stop("name one chapter, or say --all")
    if sandbox and not bubblewrap.available():
        stop(
            "student code runs in bubblewrap, which is not installed; install it (sudo apt-get install bubblewrap), "
            "or say --no-sandbox if you trust every submission"
        )
    course = find_course()
    if sample:
        out.print(f"The sample class: {put_sample(course)} notebooks in submitted/.", highlight=False)
    worst = 0
    names = course.chapters() if every else [chapter]
    for name in names:
        try:
            belongs = course.chapter(str(name))
            paths = submissions(course, belongs, student)
        except CourseError as error:
            if every:
                continue
            stop(str(error))
        worst = max(worst, grade_chapter(course, belongs, paths, jobs, sandbox, scheduler))
    raise typer.Exit(worst)


def put_sample(course: Course) -> int:
    """Copy the sample class where nbgrader looks for submissions; what a student of that name submitted is kept."""
    count = 0
    for path in sorted((course.root / "examples").glob("student-*/*/*.ipynb")):
        target = course.root / "submitted" / path.relative_to(course.root / "examples")
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        count += 1
    return count


def grade_chapter(course: Course, chapter: Chapter, paths: dict, jobs: int, walled: bool, scheduler: str) -> int:
    from autograder.grading import classroom, recording, regrade
    from autograder.sandbox.shared import NO_SANDBOX

    if not walled:
        os.environ[NO_SANDBOX] = "1"
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), RateColumn(), TimeRemainingColumn())
    rows: dict[str, Row] = {}  # not the verdicts: those of a large class would fill the memory
    otherwise: list[classroom.Outcome] = []
    trouble = ""
    try:
        with Progress(*columns, console=err, transient=True) as progress, tempfile.TemporaryDirectory() as scratch:
            bar = progress.add_task(chapter.name, total=len(paths))

            def noted(outcomes: Iterable[classroom.Outcome]) -> Iterator[classroom.Outcome]:
                for outcome in outcomes:
                    rows[outcome.student] = row_of(outcome)
                    otherwise.extend(change.outcome for change in regrade.changes(course, chapter, [outcome]))
                    yield outcome
                    progress.advance(bar)

            with contextlib.closing(classroom.graded(course, chapter, paths, jobs, scheduler)) as outcomes:
                recording.record(course, chapter, noted(outcomes), scratch)
    except (CourseError, SandboxError) as error:
        trouble = str(error)
        if len(rows) < len(paths):
            stop(trouble)
    except KeyboardInterrupt:
        stop("stopped; what was done is kept, and the same command goes on from there")
    table = [rows[student] for student in paths]
    out.print(class_table(chapter, table))
    for row in table:
        for note in row.notes:
            out.print(f"{row.student}: {note}", highlight=False, markup=False)
    if count := len(regrade.changes(course, chapter, otherwise)):  # what was recorded just now is none any more
        out.print(f"{count} recorded by other checks would now be graded otherwise: "
                  f"see autograder regrade {chapter.name}", highlight=False, markup=False)
    stored = sum(row.stored for row in table)
    report = reports.write_class_report(course, chapter)
    where = f"Gradebook: gradebook.db; feedback pages: feedback/<student>/{chapter.name}/; class report: {report}"
    out.print(f"{stored} of {len(table)} verdicts from the store. {where}", highlight=False, markup=False)
    if trouble:  # of some, whom nbgrader could not record; the others are
        err.print(f"autograder: {trouble}", markup=False, highlight=False)
        return 2
    return 0 if all(row.judged for row in table) else 1


class RateColumn(ProgressColumn):
    """Submissions a minute."""

    def render(self, task: Task) -> Text:
        return Text(f"{60 * task.speed:.0f}/min" if task.speed else "–/min")


@dataclasses.dataclass(frozen=True)
class Row:
    """What the class's table says of one student, and the notes below it."""

    student: str
    score: str
    status: str
    misconceptions: str
    notes: tuple[str, ...] = ()
    stored: bool = False
    judged: bool = True


def row_of(outcome: "classroom.Outcome") -> Row:
    verdict = outcome.verdict
    if verdict is None:
        return Row(outcome.student, "–", f"not graded: {outcome.trouble}", "", judged=False)
    found = dict.fromkeys(check.misconception for cell in verdict.cells for check in cell.checks if check.misconception)
    score = f"{points(verdict.score)}/{points(verdict.max_score)}" if verdict.status == "graded" else "–"
    status = verdict.status if verdict.reason is None else f"{verdict.status}: {verdict.reason}"
    if verdict.notes:
        status += ", with a note"
    return Row(outcome.student, score, status, ", ".join(found), verdict.notes, outcome.stored)


def class_table(chapter: Chapter, rows: Iterable[Row]) -> Table:
    table = Table(title=chapter.name, title_justify="left")
    table.add_column("student", no_wrap=True)
    table.add_column("score", justify="right", no_wrap=True)
    table.add_column("status")
    table.add_column("misconceptions found", overflow="fold")
    for row in rows:
        table.add_row(escape(row.student), row.score, escape(row.status), row.misconceptions)
    return table


@app.command("regrade")
def regrade_command(
    chapter: Annotated[str, typer.Argument(help="The chapter, like 03_naive_bpe.")],
    apply: Annotated[bool, typer.Option("--apply", help="Record what would change.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take back the last --apply.")] = False,
    jobs: Annotated[int, typer.Option(min=1, help="How many at a time.")] = os.cpu_count() or 1,
) -> None:
    """Whose marks would change, and why, after checks, points or solutions have changed."""
    from autograder.grading import classroom, regrade

    course = find_course()
    try:
        belongs = course.chapter(chapter)
        if undo:
            taken = regrade.undo(course, belongs)
            out.print(f"Taken back for {len(taken)}: {', '.join(taken)}.", highlight=False, markup=False)
            return
        judged: list[bool] = []

        def counted(outcomes: Iterable[classroom.Outcome]) -> Iterator[classroom.Outcome]:
            for outcome in outcomes:
                judged.append(outcome.verdict is not None)
                yield outcome

        outcomes = classroom.graded(course, belongs, classroom.submissions(course, belongs), jobs)
        found = regrade.changes(course, belongs, counted(outcomes))
        found.sort(key=lambda change: change.outcome.student)
        for change in found:
            worth = points(abs(change.gain))
            what = f"gains {worth}" if change.gain > 0 else f"loses {worth}" if change.gain < 0 else "keeps the score"
            out.print(f"{change.outcome.student} {what}:", highlight=False, markup=False)
            for reason in change.reasons:
                out.print(f"  {reason}", highlight=False, markup=False, soft_wrap=True)
        if apply and (found or regrade.stopped(course, belongs)):
            with tempfile.TemporaryDirectory() as scratch:
                regrade.apply(course, belongs, found, scratch)
            out.print(f"Recorded for {len(found)}. To take it back: autograder regrade {chapter} --undo")
        else:
            then = f" To record it: autograder regrade {chapter} --apply" if found else ""
            out.print(f"{len(found)} of {len(judged)} would change.{then}", highlight=False)
    except (CourseError, SandboxError) as error:
        stop(str(error))
    raise typer.Exit(0 if all(judged) else 1)


@store_app.command("size")
def store_size() -> None:
    """How many bytes the kept verdicts and notebooks take."""
    from autograder.grading.store import Store

    out.print(f"{Store(find_course().private / 'store').size():,} bytes", highlight=False)


@store_app.command("prune")
def store_prune() -> None:
    """Remove verdicts that neither the gradebook nor the course as it stands can ask for again."""
    from autograder.grading.classroom import wanted_keys
    from autograder.grading.store import Store

    course = find_course()
    store = Store(course.private / "store")
    freed = store.prune(wanted_keys(course))
    out.print(f"{freed:,} bytes removed; {store.size():,} bytes kept", highlight=False)


@course_app.command("check")
def course_check() -> None:
    """Is the course sound: stubs fail, solutions pass, release current, points as told, hints there, nothing leaks?"""
    from autograder.course import problems

    course = find_course()
    found = 0
    for name in course.chapters():
        with err.status(f"{name} …"):
            faults = problems(course, name)
        found += len(faults)
        out.print(f"{name}: {'sound' if not faults else f'{len(faults)} problem(s)'}", highlight=False)
        for fault in faults:
            out.print(f"  {fault}", markup=False, highlight=False)
    if not course.chapters():
        stop("no chapter is released; run: autograder course release")
    raise typer.Exit(1 if found else 0)


@course_app.command("release")
def course_release() -> None:
    """Regenerate notebooks/ from solutions/ with nbgrader's own generate_assignment."""
    from autograder.course import release

    course = find_course()
    try:
        for name in release(course):
            out.print(f"released {name}", highlight=False)
    except CourseError as error:
        stop(str(error))


def main() -> None:
    """Run the command line."""
    app()


if __name__ == "__main__":
    main()
