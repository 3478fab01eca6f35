"""Is the course itself sound? What instructors run after changing an exercise, and what the tests demand.

Stubs fail and solutions pass, the release is what nbgrader makes of the solutions, points in the text are those of the
cells and of the checks, hints are there, and no answer, output or hidden test has slipped into what students get.
"""

import ast
import contextlib
import pathlib
import re
import tempfile

import nbformat
from nbformat import NotebookNode

from autograder.checks.runner import CHAPTERS, chapter_checks
from autograder.grading.chapter import Course, CourseError
from autograder.grading.recording import must, nbgrader_api
from autograder.grading.submission import grade
from autograder.sandbox import bubblewrap
from autograder.sandbox.kernels import Sandbox

__all__ = ["HINT", "problems", "release"]

MARKERS = ("### BEGIN SOLUTION", "### END SOLUTION", "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS")
MAX_CODE_LINES = 25
HINT = re.compile(r"<details>\s*<summary>([^<]*)</summary>(.*?)</details>", re.DOTALL)  # title and text


def release(course: Course) -> list[str]:
    """Write notebooks/ anew from solutions/; returns the chapters. The gradebook is not touched."""
    names = [name for name in CHAPTERS if list((course.root / "solutions" / name).glob("*.ipynb"))]
    for name in names:
        generate(course, name, course.root / "notebooks")
    return names


def generate(course: Course, name: str, target: pathlib.Path) -> None:
    """nbgrader's generate_assignment of one chapter into the folder `target`, with a gradebook of its own."""
    with tempfile.TemporaryDirectory() as scratch:
        api = nbgrader_api(course, release_directory=str(target), db_url=f"sqlite:///{scratch}/release.db")
        must(api.generate_assignment, f"release {name}", name, force=True, create=True)


def problems(course: Course, name: str, sandbox: Sandbox | None = None) -> list[str]:
    """What is wrong with one chapter, in words; nothing for a sound one. Without `sandbox` it starts one of its own."""
    (path,) = (course.root / "solutions" / name).glob("*.ipynb")
    solution = nbformat.read(path, as_version=4)
    return [
        *release_problems(course, name),
        *leaks(course.chapter(name).release()),
        *points_problems(name, solution),
        *text_problems(solution),
        *verdict_problems(course, name, path, sandbox),
    ]


def release_problems(course: Course, name: str) -> list[str]:
    """Files under notebooks/ that differ from what nbgrader makes of solutions/ now."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            generate(course, name, pathlib.Path(scratch))
        except CourseError as error:
            return [str(error)]
        fresh, now = files_in(pathlib.Path(scratch, name)), files_in(course.root / "notebooks" / name)
    different = sorted(path for path in fresh.keys() | now.keys() if fresh.get(path) != now.get(path))
    return [f"notebooks/{name}/{path} is not current; run: autograder course release" for path in different]


def files_in(folder: pathlib.Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def leaks(released: NotebookNode) -> list[str]:
    """Outputs, answers and hidden tests in a released notebook."""
    found = []
    for cell in released.cells:
        if cell.get("outputs"):
            found.append(f"released cell {cell.id} carries outputs")
        found += [f"released cell {cell.id} holds {marker!r}" for marker in MARKERS if marker in cell.source]
        if "sealed checks" in cell.source:
            found.append(f"released cell {cell.id} holds the line of its sealed checks")
        if "Model answer" in cell.source:
            found.append(f"released cell {cell.id} holds a model answer")
    return found


def points_problems(name: str, solution: NotebookNode) -> list[str]:
    """Disagreements between points in the text, in the cells' metadata and in the checks."""
    found = []
    checks = chapter_checks(name)
    graded = [cell for cell in solution.cells if cell.metadata.get("nbgrader", {}).get("grade")]
    cells = {cell.metadata.nbgrader["grade_id"]: cell for cell in graded}
    texts = [float(number) for cell in solution.cells if cell.cell_type == "markdown"
             for number in re.findall(r"\((\d+(?:\.\d+)?) points?[),]", cell.source)]
    for grade_id, cell in cells.items():
        worth = float(cell.metadata.nbgrader["points"])
        if grade_id.startswith("test_"):
            if grade_id not in checks:
                found.append(f"{grade_id} has no checks")
            elif worth != (total := sum(one.points for one in checks[grade_id])):
                found.append(f"{grade_id} is worth {worth:g} points, its checks {total:g}")
            if f"::{grade_id}:" not in cell.source:
                found.append(f"{grade_id} does not name its sealed checks")
    found += [f"checks for {grade_id}, which is no cell" for grade_id in checks if grade_id not in cells]
    worths = sorted(float(cell.metadata.nbgrader["points"]) for cell in graded)
    if sorted(texts) != worths:
        found.append(f"points told in the text {sorted(texts)} are not those of the cells {worths}")
    return found


def text_problems(solution: NotebookNode) -> list[str]:
    """Hints that are missing or empty, cells that are too long, ids that say nothing."""
    found = []
    markdown = "\n".join(cell.source for cell in solution.cells if cell.cell_type == "markdown")
    hints = HINT.findall(markdown)
    exercises = [
        cell.metadata.nbgrader["grade_id"] for cell in solution.cells
        if cell.metadata.get("nbgrader", {}).get("solution") and not cell.metadata.nbgrader.get("grade")
    ]
    if len(hints) < len(exercises):
        found.append(f"{len(hints)} hints for {len(exercises)} exercises")
    found += [f"the hint {title!r} is empty" for title, text in hints if not text.strip()]
    for cell in solution.cells:
        if cell.cell_type == "code" and (longest := longest_part(cell.source)) > MAX_CODE_LINES:
            found.append(f"cell {cell.id} has a part of {longest} lines of code")
        if re.fullmatch(r"(cell-)?[0-9a-f]{8,}", cell.metadata.get("nbgrader", {}).get("grade_id", "")):
            found.append(f"cell {cell.id} has a grade id that says nothing")
    return found


def longest_part(source: str) -> int:
    """Lines of the longest function or method of a cell, or of the cell itself where it defines none.

    Docstrings, comments and the line that names sealed checks are not code.

    >>> longest_part("def f(x):\\n    # why\\n    return 2 * x\\n")
    2
    """
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return max(code_lines(source, node) for node in functions or [tree])


def code_lines(source: str, node: ast.AST) -> int:
    first, last = getattr(node, "lineno", 1), getattr(node, "end_lineno", len(source.splitlines()))
    has_text = isinstance(node, ast.FunctionDef | ast.Module) and ast.get_docstring(node) is not None
    text = node.body[0] if has_text else None
    skipped = range(text.lineno, text.end_lineno + 1) if text else range(0)
    return sum(
        bool(line.strip()) and not line.strip().startswith("#") and "sealed checks" not in line
        for number, line in enumerate(source.splitlines(), start=1) if first <= number <= last and number not in skipped
    )


def verdict_problems(course: Course, name: str, solution: pathlib.Path, sandbox: Sandbox | None = None) -> list[str]:
    """The solution must get full marks without an error, the untouched release none, with all checks `not_written`."""
    chapter = course.chapter(name)
    own = Sandbox(hidden=[course.root], walled=bubblewrap.available())
    with contextlib.nullcontext(sandbox) if sandbox else own as started:
        graded = grade(solution.read_bytes(), chapter, course, started)
        none = grade(chapter.path.read_bytes(), chapter, course, started).verdict
    best = graded.verdict
    found = [
        f"the solution fails {cell.grade_id}/{check.name}: {check.message} {check.counterexample or ''}"
        for cell in best.cells for check in cell.checks if check.status != "passed"
    ]
    found += [
        f"the untouched release gets {check.status} at {cell.grade_id}/{check.name}"
        for cell in none.cells for check in cell.checks if check.status != "not_written"
    ]
    found += unexpected_errors(nbformat.read(solution, as_version=4), graded.notebook)
    return found + [f"the solution: {note}" for note in best.notes]


def unexpected_errors(solution: NotebookNode, executed: NotebookNode) -> list[str]:
    """Cells that end in an error when graded, and not in the solution's own outputs."""

    def errors(notebook: NotebookNode) -> dict[str, str]:
        return {
            cell.id: f"{output.ename}: {output.evalue}"
            for cell in notebook.cells for output in cell.get("outputs", ()) if output.output_type == "error"
        }

    expected = errors(solution)
    found = errors(executed).items()
    return [f"the solution's cell {cell} ends in {error}" for cell, error in found if cell not in expected]
