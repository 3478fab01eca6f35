"""Written answers for the person who marks them: model answer and rubric stand between question and answer.

They are put into the autograded notebook, which only graders see; the feedback page leaves them out.
"""

import nbformat
from nbformat import NotebookNode

__all__ = ["add_rubrics", "is_graders"]

PREFIX = "rubric-"  # of the cell's id; a student's own cells have ids of another kind


def is_graders(cell: NotebookNode) -> bool:
    """Was this cell put there for graders only?"""
    return str(cell.get("id", "")).startswith(PREFIX) and "nbgrader" not in cell.metadata


def add_rubrics(notebook: NotebookNode, solution: NotebookNode) -> None:
    """Put the solution's model answer and rubric in front of each written answer of a rebuilt submission."""
    models = {
        cell.metadata.nbgrader["grade_id"]: cell.source for cell in solution.cells if is_written(cell)
    }
    cells = []
    for cell in notebook.cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        if is_written(cell) and grade_id in models:
            text = f"**For the grader only.**\n\n{models[grade_id]}"
            cells.append(nbformat.v4.new_markdown_cell(text, id=f"{PREFIX}{grade_id}"))
        cells.append(cell)
    notebook.cells = cells


def is_written(cell: NotebookNode) -> bool:
    grading = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "markdown" and bool(grading.get("grade") and grading.get("solution"))
