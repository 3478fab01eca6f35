"""The verdict on one submission: read, rebuild, run, check, recognise."""

import contextlib
import copy
import dataclasses
import time
from collections.abc import Callable, Iterator

import nbformat
from nbformat import NotebookNode

from autograder.checks.api import Check
from autograder.checks.runner import FAILED, NOT_RUN, CellRun, CheckResult, Room, chapter_checks
from autograder.checks.session import Answer
from autograder.grading.chapter import Chapter, Course
from autograder.grading.notebook import Unreadable, answers_any, read, rebuild
from autograder.grading.store import Store, key_of
from autograder.grading.submitted import HandIn
from autograder.grading.verdict import CellVerdict, Verdict
from autograder.misconceptions.api import Misconception, catalogue, recognise
from autograder.sandbox.kernels import Sandbox
from autograder.sandbox.run import Run, run_notebook
from autograder.sandbox.snapshots import Snapshot, Unsettled

__all__ = ["Graded", "as_typed", "grade", "grade_hand_in", "grade_stored"]

GRADED, UNGRADABLE = "graded", "ungradable"


@dataclasses.dataclass(frozen=True)
class Graded:
    """A verdict and the executed notebook that goes with it; `stored` tells whether it was there already."""

    verdict: Verdict
    notebook: NotebookNode
    stored: bool = False


def grade_stored(data: bytes, chapter: Chapter, course: Course, sandbox: Sandbox, store: Store) -> Graded:
    """The verdict from the store, or else a new one, which is then kept."""
    provenance = course.provenance(chapter, data, sandbox.walled)
    key = key_of(provenance)
    found = store.get(key)
    if found is not None:
        return Graded(*found, stored=True)
    graded = grade(data, chapter, course, sandbox, provenance)
    store.put(key, graded.verdict, graded.notebook)
    return graded


def grade_hand_in(handed: HandIn, chapter: Chapter, course: Course, sandbox: Sandbox, store: Store) -> Graded:
    """The verdict on what a student handed in, with notes on how it was found; none of it is in the store."""
    if handed.trouble:
        return ungradable(handed.data, chapter, course, sandbox.walled, handed.trouble)
    graded = grade_stored(handed.data, chapter, course, sandbox, store)
    verdict = dataclasses.replace(graded.verdict, notes=(*handed.notes, *graded.verdict.notes))
    return dataclasses.replace(graded, verdict=verdict)


def ungradable(data: bytes, chapter: Chapter, course: Course, walled: bool, why: str) -> Graded:
    """The verdict that a person has to look, and the release with the reason on top."""
    max_score = float(sum(one.points for cell in chapter_checks(chapter.name).values() for one in cell))
    provenance = course.provenance(chapter, data, walled)
    verdict = Verdict(chapter.name, UNGRADABLE, max_score, reason=why, provenance=provenance)
    return Graded(verdict, with_notice(chapter.release(), f"This submission could not be read: {why}."))


def grade(
    data: bytes, chapter: Chapter, course: Course, sandbox: Sandbox, provenance: dict | None = None
) -> Graded:
    """The verdict on the notebook file `data`; `provenance` is the course's for it, where that is known already.

    Raises `SandboxError` when the sandbox fails, which is no verdict. Anything wrong with the submission is one.
    """
    start = time.monotonic()
    provenance = provenance or course.provenance(chapter, data, sandbox.walled)
    checks = chapter_checks(chapter.name)
    max_score = float(sum(one.points for cell in checks.values() for one in cell))
    release = chapter.release()
    try:
        submitted = read(data)
        notebook, notes = rebuild(submitted, release)
    except Unreadable as error:
        return ungradable(data, chapter, course, sandbox.walled, str(error))
    run, judge = judged(notebook, chapter, checks, course.secret(), sandbox)
    notes += [trouble_note(notebook.cells[index], why) for index, why in sorted(run.troubles.items())]
    cells = judge.verdicts(run, catalogue(chapter.name))
    if not any(cell.score for cell in cells) and not answers_any(submitted, release):
        why = "none of this chapter's cells for answers is in the file; is it another chapter's notebook?"
        return ungradable(data, chapter, course, sandbox.walled, why)
    seconds = time.monotonic() - start
    clean_outputs(notebook)
    verdict = Verdict(
        chapter.name, GRADED, max_score, cells, notes=tuple(notes), provenance=provenance, seconds=seconds
    )
    return Graded(verdict, notebook)


def judged(
    notebook: NotebookNode, chapter: Chapter, checks: dict[str, list[Check]], secret: bytes, sandbox: Sandbox
) -> tuple[Run, "Judge"]:
    """Run the notebook and ask all checks.

    At each test cell the public checks are asked at once, of a copy of the kernel, which waits; the secret ones when
    all cells have run, of the same copies. A check that fails is asked again in a fresh copy (`CellRun`). Public ones
    find the kernel still there to make it. For secret ones the notebook runs a second time, and nothing of that run is
    shown: what the first has said, it said before any secret input was there. Where anything else is out of the
    ordinary, a run that keeps a snapshot of each test cell decides alone.
    """
    where = set(checks), sandbox, chapter.folder
    judge, asked = Judge(checks, secret, sandbox.limits.judge_seconds), False
    try:
        with run_notebook(notebook, *where, judge=judge.public) as run:
            asked = True
            judge.secret(run)
            return run, judge
    except Unsettled:
        if asked:
            with run_notebook(copy.deepcopy(notebook), *where) as again:
                judge.secret(again)
            return run, judge
    judge = Judge(checks, secret, sandbox.limits.judge_seconds)
    with run_notebook(notebook, *where) as run:
        for grade_id, snapshot in run.snapshots.items():
            judge.public(grade_id, snapshot)
        judge.secret(run)
    return run, judge


class Judge:
    """Asks the checks of each test cell: no public one once secret inputs have been shown to the notebook.

    Each cell gets an equal share of the `seconds` that are left, so that one that takes long costs no other anything.
    """

    def __init__(self, checks: dict[str, list[Check]], secret: bytes, seconds: float):
        self.checks, self.key = checks, secret
        self.left = seconds
        self.parts = 2 * len(checks)  # that are still to come, at most
        self.room = Room()
        self.runs: dict[str, CellRun] = {}

    def public(self, grade_id: str, snapshot: Snapshot) -> None:
        """Ask the public checks of one cell."""
        cell = CellRun(self.checks[grade_id], snapshot.connect, self.key, snapshot.idle, self.room)
        self.runs[grade_id] = cell
        with self.share(cell):
            cell.public()

    def secret(self, run: Run) -> None:
        """Ask all secret checks, of the snapshots of `run`; those that were asked already keep their results."""
        self.parts = len(self.runs)
        for grade_id, cell in self.runs.items():
            snapshot = run.snapshots.get(grade_id)
            with self.share(cell):
                cell.secret(snapshot.connect if snapshot else None)
            if snapshot:
                snapshot.close()

    @contextlib.contextmanager
    def share(self, cell: CellRun) -> Iterator[None]:
        start = time.monotonic()
        cell.until = start + self.left / self.parts
        yield
        self.left -= time.monotonic() - start
        self.parts -= 1

    def verdicts(self, run: Run, entries: list[Misconception]) -> tuple[CellVerdict, ...]:
        """Every test cell's verdict."""
        return tuple(
            CellVerdict(grade_id, tuple(name_misconceptions(found.results(), found.answers, entries)))
            if (found := self.runs.get(grade_id)) else unjudged(grade_id, of_cell, run)
            for grade_id, of_cell in self.checks.items()
        )


def unjudged(grade_id: str, checks: list[Check], run: Run) -> CellVerdict:
    """The verdict on a test cell of which there is no snapshot; a person should see whether that was bad luck."""
    why = "the notebook did not run as far as this cell" if not run.complete else (
        "the state of the notebook at this cell could not be kept; it changed how the kernel works"
    )
    results = [
        CheckResult(one.name, NOT_RUN, 0.0, one.points, f"{one.sentence} (Not run: {why}.)", needs_person=True)
        for one in checks
    ]
    return CellVerdict(grade_id, tuple(results), why)


def name_misconceptions(
    results: list[CheckResult], answers: Callable[[], dict[str, list[Answer]]], entries: list[Misconception]
) -> list[CheckResult]:
    """The results, with the sentence of a recognised misconception at each failed check that it explains."""
    if not any(result.status == FAILED for result in results):
        return results
    found = recognise(entries, answers())
    named = []
    for result in results:
        fitting = [entry for entry in found if result.name in entry.fails]
        if result.status == FAILED and fitting:
            sentences = [entry.sentence for entry in fitting]
            advice = sentences[0] if len(fitting) == 1 else (
                f"Your answers fit {len(fitting)} known mistakes alike. Either: {' Or: '.join(sentences)}"
            )
            result = dataclasses.replace(
                result, advice=advice, misconception="|".join(entry.id for entry in fitting)
            )
        named.append(result)
    return named


def trouble_note(cell: NotebookNode, why: str) -> str:
    first = next((line for line in cell.source.splitlines() if line.strip()), "")
    return f"Skipped the cell that starts with {first[:60]!r}, and ran the others: {why}."


def with_notice(release: NotebookNode, text: str) -> NotebookNode:
    """The release with a notice on top, for submissions that cannot be shown."""
    notice = nbformat.v4.new_markdown_cell(f"**{as_typed(text)}**", id="notice")
    release.cells.insert(0, notice)
    return release


def as_typed(text: str) -> str:
    """Markdown that shows the text as it is: it may hold a file's name or a line of code.

    >>> as_typed("a [b](c)")
    'a &#91;b&#93;&#40;c&#41;'
    """
    return "".join(c if c.isalnum() or c == " " else f"&#{ord(c)};" for c in text)


def clean_outputs(notebook: NotebookNode) -> None:
    """Replace lone surrogates in outputs: no file could hold them."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [cleaned(output) for output in cell.outputs]


def cleaned(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return NotebookNode({cleaned(key): cleaned(item) for key, item in value.items()})
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    return value
