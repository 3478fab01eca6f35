"""A test cell's verdict as the student reads it: HTML for pages, plain text for terminals.

Says everything in words, needs no colour and no script. Everything that came from a submission is escaped and isolated,
so that right-to-left text or markup in it cannot disturb the page.
"""

import html
import textwrap
from collections.abc import Iterator

from nbformat import NotebookNode

from autograder.checks.api import Counterexample
from autograder.checks.runner import CheckResult
from autograder.checks.show import readable
from autograder.grading.verdict import CellVerdict, Verdict
from autograder.report.readable import explained, first_difference

__all__ = ["cell_html", "cell_outputs", "cell_text", "next_step", "points", "points_of", "verdict_text"]

WORDS = {"passed": "passed", "failed": "failed", "not_written": "not written", "not_run": "not run"}
MARKS = {"passed": "✓", "failed": "✗", "not_written": "…", "not_run": "–"}
WIDTH = 100  # characters of a line of text
INDENT = 6
LONG_CALL = 60  # characters; a longer call is pointed at, not repeated
CODE = "white-space: pre-wrap; overflow-wrap: anywhere"


def points(number: float) -> str:
    """Points without a needless `.0`.

    >>> points(2.0), points(0.5)
    ('2', '0.5')
    """
    return f"{number:g}"


def points_of(score: float, most: float) -> str:
    """A score in words.

    >>> points_of(0.5, 1), points_of(0, 2)
    ('0.5 of 1 point', '0 of 2 points')
    """
    return f"{points(score)} of {points(most)} point{'' if most == 1 else 's'}"


def next_step(cell: CellVerdict) -> str:
    """One thing to do next, or an empty text when all is passed."""
    exercise = cell.grade_id.removeprefix("test_")
    for check in cell.checks:
        if check.status == "not_written":
            return f"Next: write {exercise}, and run the cell above."
        if check.status == "failed" and check.counterexample is not None:
            call = check.counterexample.call
            what = call if len(call) <= LONG_CALL else f"the call shown at “{check.name.replace('_', ' ')}”"
            return f"Next: work {what} out by hand, then run it in a cell of your own and compare."
        if check.status == "failed":
            return f"Next: think of the smallest input to which “{check.name.replace('_', ' ')}” applies, and try it."
        if check.status == "not_run":
            return "Next: run all cells from the top in a fresh kernel, and see which cell stops it."
    return ""


def details(example: Counterexample) -> list[tuple[str, str]]:
    """The rows that explain a counterexample beyond its call and its two values."""
    rows = []
    if (parting := first_difference(example.expected, example.got)) is not None:
        rows.append(("differs", parting.words))
    if known := explained([example.call, example.expected, example.got]):
        rows.append(("reading", "; ".join(known)))
    return rows


SAME = "The same cause as at "


def advices(cell: CellVerdict) -> Iterator[str]:
    """For each check the misconception's sentence; where the same one stands above, a word that says so.

    Such a check needs no counterexample of its own: it goes when its cause goes.
    """
    above: dict[str, str] = {}
    for check in cell.checks:
        if not check.advice:
            yield ""
        elif check.advice in above:
            yield f"{SAME}“{above[check.advice]}”."
        else:
            above[check.advice] = check.name.replace("_", " ")
            yield f"What may be behind it: {check.advice}"


# --- plain text ----------------------------------------------------------------------------------------------------


def cell_text(cell: CellVerdict) -> str:
    """The verdict as plain text."""
    lines = [f"{cell.grade_id}: {points_of(cell.score, cell.max_score)}"]
    for check, advice in zip(cell.checks, advices(cell), strict=True):
        worth = f"{points(check.points)}/{points(check.max_points)}"
        head = f"  {MARKS[check.status]} {WORDS[check.status]:<11} {worth:>7}  "
        lines += wrapped(check.message, head, " " * len(head))
        if (example := check.counterexample) is not None and not advice.startswith(SAME):
            rows = [("call", example.call), ("expected", example.expected), ("got", example.got), *details(example)]
            lines += [f"{'':{INDENT}}{name:<10}{readable(value)}" for name, value in rows]
        lines += wrapped(advice, " " * INDENT, " " * INDENT)
    lines += wrapped(next_step(cell), "  ", "  ")
    return "\n".join(lines)


def wrapped(text: str, first: str, others: str) -> list[str]:
    """`text` in lines of at most `WIDTH` characters, unless one word is longer."""
    return textwrap.wrap(
        readable(text), WIDTH, initial_indent=first, subsequent_indent=others, break_long_words=False,
        break_on_hyphens=False,
    )


def verdict_text(verdict: Verdict) -> str:
    """The whole verdict for a terminal."""
    if verdict.status == "ungradable":
        return f"{verdict.chapter}: cannot be graded: {verdict.reason}"
    lines = [f"Note: {readable(note)}" for note in verdict.notes]
    lines += [cell_text(cell) for cell in verdict.cells]
    open_cells = [cell for cell in verdict.cells if cell.score < cell.max_score]
    first = f"; the first to look at: {open_cells[0].grade_id}" if len(open_cells) > 1 else ""
    lines.append(f"{verdict.chapter}: {points_of(verdict.score, verdict.max_score)}{first}")
    return "\n\n".join(lines)


# --- HTML ----------------------------------------------------------------------------------------------------------


def text_of(text: str) -> str:
    """Text in HTML: escaped, nothing invisible in it, and its writing direction kept to itself."""
    return f"<bdi>{html.escape(readable(text))}</bdi>"


def cell_html(cell: CellVerdict) -> str:
    """The verdict as a piece of HTML that stands in any page, light or dark."""
    items = "".join(check_html(*pair) for pair in zip(cell.checks, advices(cell), strict=True))
    step = f"<p>{text_of(next_step(cell))}</p>" if next_step(cell) else ""
    head = f"{html.escape(cell.grade_id)}: {points_of(cell.score, cell.max_score)}"
    return f'<div lang="en" dir="ltr"><p><strong>{head}</strong></p><ul>{items}</ul>{step}</div>'


def check_html(check: CheckResult, advice: str) -> str:
    worth = points_of(check.points, check.max_points)
    parts = [
        f'<strong><span aria-hidden="true">{MARKS[check.status]}</span> {WORDS[check.status]}</strong>, {worth}: '
        f"{text_of(check.message)}"
    ]
    if check.counterexample is not None and not advice.startswith(SAME):
        parts.append(example_html(check.counterexample))
    if advice:
        parts.append(f"<p>{text_of(advice)}</p>")
    return f"<li>{''.join(parts)}</li>"


def example_html(example: Counterexample) -> str:
    """A counterexample as a table; the first difference is marked in both values and told in words below."""
    expected, got = text_of(example.expected), text_of(example.got)
    if (parting := first_difference(example.expected, example.got)) is not None:
        start, expected_end, got_end = parting
        expected, got = marked(example.expected, start, expected_end), marked(example.got, start, got_end)
    rows = [("call", text_of(example.call)), ("expected", expected), ("got", got)]
    rows = [(name, f'<code style="{CODE}">{value}</code>') for name, value in rows]
    rows += [(name, text_of(value)) for name, value in details(example)]
    return "<table>" + "".join(
        f'<tr><th scope="row" style="text-align: left; vertical-align: top; padding-right: 1em">{name}</th>'
        f'<td style="text-align: left">{value}</td></tr>'
        for name, value in rows
    ) + "</table>"


def marked(text: str, start: int, end: int) -> str:
    """`text` with one part marked, by more than colour."""
    pieces = [html.escape(readable(piece)) for piece in (text[:start], text[start:end], text[end:])]
    mark = f'<mark style="font-weight: bold; text-decoration: underline">{pieces[1]}</mark>'
    return f"<bdi>{pieces[0]}{mark}{pieces[2]}</bdi>"


def cell_outputs(cell: CellVerdict) -> list[NotebookNode]:
    """A test cell's outputs: the report, then the points as the one number that nbgrader reads as partial credit."""
    return [
        NotebookNode(
            output_type="display_data", metadata={}, data={"text/html": cell_html(cell), "text/plain": cell_text(cell)}
        ),
        NotebookNode(
            output_type="execute_result", metadata={}, execution_count=None, data={"text/plain": points(cell.score)}
        ),
    ]
