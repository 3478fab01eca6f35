"""A test cell's verdict as the student reads it: HTML for pages, plain text for terminals.

Says everything in words, needs no colour and no script. Everything that came from a submission is escaped and isolated,
so that right-to-left text or markup in it cannot disturb the page.
"""

import html

from nbformat import NotebookNode

from autograder.checks.runner import CheckResult
from autograder.grading.verdict import CellVerdict, Verdict

__all__ = ["cell_html", "cell_outputs", "cell_text", "next_step", "points"]

WORDS = {"passed": "passed", "failed": "failed", "not_written": "not written", "not_run": "not run"}
PARTS = ("call", "expected", "got")
MARKS = {"passed": "✓", "failed": "✗", "not_written": "…", "not_run": "–"}


def points(number: float) -> str:
    """Points without a needless `.0`.

    >>> points(2.0), points(0.5)
    ('2', '0.5')
    """
    return f"{number:g}"


def next_step(cell: CellVerdict) -> str:
    """One thing to do next, or an empty text when all is passed."""
    for check in cell.checks:
        if check.status == "not_written":
            return f"Next: write {cell.grade_id.removeprefix('test_')}, and run the cell above."
        if check.status == "failed" and check.counterexample is not None:
            return f"Next: work {check.counterexample.call} out by hand, then run it in a cell of your own."
        if check.status == "failed":
            return f"Next: think of the smallest input to which “{check.name.replace('_', ' ')}” applies, and try it."
        if check.status == "not_run":
            return "Next: run all cells from the top in a fresh kernel, and see which cell stops it."
    return ""


def cell_text(cell: CellVerdict) -> str:
    """The verdict as plain text."""
    lines = [f"{cell.grade_id}: {points(cell.score)} of {points(cell.max_score)} points"]
    for check in cell.checks:
        worth = f"{points(check.points)}/{points(check.max_points)}"
        lines.append(f"  {MARKS[check.status]} {WORDS[check.status]:<11} {worth:>7}  {check.message}")
        if check.counterexample is not None:
            example = check.counterexample
            lines += [f"      {part:<10}{getattr(example, part)}" for part in PARTS]
    if step := next_step(cell):
        lines.append(f"  {step}")
    return "\n".join(lines)


def cell_html(cell: CellVerdict) -> str:
    """The verdict as a piece of HTML that stands in any page, light or dark."""
    items = "".join(check_html(check) for check in cell.checks)
    step = f"<p>{html.escape(next_step(cell))}</p>" if next_step(cell) else ""
    return (
        f'<div lang="en"><p><strong>{html.escape(cell.grade_id)}: {points(cell.score)} of {points(cell.max_score)} '
        f"points</strong></p><ul>{items}</ul>{step}</div>"
    )


def check_html(check: CheckResult) -> str:
    head = (
        f"<strong>{MARKS[check.status]} {WORDS[check.status]}</strong> "
        f"({points(check.points)} of {points(check.max_points)}): <bdi>{html.escape(check.message)}</bdi>"
    )
    if check.counterexample is None:
        return f"<li>{head}</li>"
    rows = "".join(
        f'<tr><th scope="row" style="text-align: left; padding-right: 1em">{name}</th>'
        f'<td style="text-align: left"><code><bdi>{html.escape(getattr(check.counterexample, name))}</bdi></code></td>'
        "</tr>"
        for name in PARTS
    )
    return f"<li>{head}<table>{rows}</table></li>"


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


def verdict_text(verdict: Verdict) -> str:
    """The whole verdict for a terminal."""
    if verdict.status == "ungradable":
        return f"{verdict.chapter}: cannot be graded: {verdict.reason}"
    lines = [f"Note: {note}" for note in verdict.notes]
    lines += [cell_text(cell) for cell in verdict.cells]
    lines.append(f"{verdict.chapter}: {points(verdict.score)} of {points(verdict.max_score)} points")
    return "\n\n".join(lines)
