"""Sealed grading inside nbgrader: what `nbgrader_config.py` plugs in, so that every nbgrader command and button works.

`SubmissionExporter` reads submissions whatever happened to the file and rebuilds them on the release. `SealedExecute`
takes the place of nbgrader's `Execute`: outputs and points come from the verdict, never from what the student's process
says. `SaveSealedGrades` leaves a submission that could not be read to a person. Assignments that are no chapter of this
course are left to nbgrader as they are.
"""

import atexit
import functools
import os
import pathlib

import nbformat
from nbconvert.exporters import NotebookExporter
from nbgrader import utils
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearHiddenTests,
    ClearOutput,
    Execute,
    IgnorePattern,
    LimitOutput,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)
from traitlets.config import Config

from autograder.checks.runner import CHAPTERS
from autograder.grading.chapter import Course
from autograder.grading.notebook import Unreadable, read, rebuild
from autograder.grading.store import Store
from autograder.grading.submission import grade_stored, with_notice
from autograder.report.cell import cell_outputs
from autograder.report.feedback import ForStudents, Marks, configure_feedback
from autograder.report.sanitize import SanitizeSubmission
from autograder.report.written import add_rubrics
from autograder.sandbox import bubblewrap
from autograder.sandbox.kernels import Sandbox

__all__ = ["SaveSealedGrades", "SealedExecute", "SubmissionExporter", "configure"]

NO_SANDBOX = "AUTOGRADER_NO_SANDBOX"  # set by `autograder grade --no-sandbox` for what it starts


@functools.cache
def shared_sandbox(root: pathlib.Path) -> Sandbox:
    """One sandbox for all submissions that this process grades."""
    sandbox = Sandbox(hidden=[root], walled=not os.environ.get(NO_SANDBOX))
    if sandbox.walled and not bubblewrap.available():
        bubblewrap.command("", ())  # raises with what to do
    atexit.register(sandbox.close)
    return sandbox


def submitted_path(converter: object, resources: dict) -> pathlib.Path:
    """The file as the student submitted it."""
    names = resources["nbgrader"]
    folder = converter.coursedir.format_path(
        converter.coursedir.submitted_directory, names["student"], names["assignment"]
    )
    return pathlib.Path(folder, f"{names['notebook']}.ipynb")


class SubmissionExporter(NotebookExporter):
    """Reads a submission for nbgrader's first pass (sanitizing); the second pass reads what the first wrote."""

    def from_filename(self, filename, resources=None, **kwargs):
        converter = self.parent
        assignment = resources["nbgrader"]["assignment"]
        if not getattr(converter, "_sanitizing", False) or assignment not in CHAPTERS:
            return super().from_filename(filename, resources=resources, **kwargs)
        release = Course(pathlib.Path(converter.coursedir.root)).chapter(assignment).release()
        try:
            notebook, _ = rebuild(read(pathlib.Path(filename).read_bytes()), release)
        except Unreadable as error:
            notebook = with_notice(release, f"This submission could not be read: {error}.")
        return self.from_notebook_node(notebook, resources=resources, **kwargs)


class SealedExecute(Execute):
    """Puts the sealed verdict's outputs and points into the notebook; runs nothing in the notebook's own kernel."""

    def preprocess(self, nb, resources, km=None):
        assignment = resources["nbgrader"]["assignment"]
        if assignment not in CHAPTERS:
            return super().preprocess(nb, resources, km)
        converter = self.parent.parent
        course = Course(pathlib.Path(converter.coursedir.root))
        chapter = course.chapter(assignment)
        data = submitted_path(converter, resources).read_bytes()
        graded = grade_stored(data, chapter, course, shared_sandbox(course.root), Store(course.private / "store"))
        verdict = graded.verdict
        resources["nbgrader"]["sealed_status"] = verdict.status
        executed = {cell.id: cell for cell in graded.notebook.cells}
        by_grade_id = {cell.grade_id: cell for cell in verdict.cells}
        for cell in nb.cells:
            if cell.cell_type != "code":
                continue
            grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
            if utils.is_grade(cell):
                cell.outputs = cell_outputs(by_grade_id[grade_id]) if grade_id in by_grade_id else [unread()]
            elif cell.id in executed:
                cell.outputs = executed[cell.id].get("outputs", [])
        add_rubrics(nb, course.solution(chapter))
        for note in reversed(verdict.notes):
            nb.cells.insert(0, nbformat.v4.new_markdown_cell(f"**Grader's note.** {note}"))
        return nb, resources


def unread() -> nbformat.NotebookNode:
    """The output of a test cell of a submission that could not be read: no points, and a word why."""
    text = "Not graded: the submitted file could not be read. A person will look at it."
    return nbformat.NotebookNode(output_type="error", ename="NotGraded", evalue=text, traceback=[text])


class SaveSealedGrades(SaveAutoGrades):
    """nbgrader's own, but what could not be read gets no score and a mark that it needs a person."""

    def _add_score(self, cell, resources):
        super()._add_score(cell, resources)
        if resources["nbgrader"].get("sealed_status") == "ungradable":
            names = (self.notebook_id, self.assignment_id, self.student_id)
            grade = self.gradebook.find_grade(cell.metadata["nbgrader"]["grade_id"], *names)
            grade.auto_score, grade.needs_manual_grade = None, True
            self.gradebook.db.commit()


def configure(c: Config) -> None:
    """Everything that this course needs of nbgrader."""
    c.CourseDirectory.course_id = "bpe-workbook"
    c.CourseDirectory.source_directory = "solutions"
    c.CourseDirectory.release_directory = "notebooks"
    if os.environ.get("NBGRADER_DB_URL"):
        c.CourseDirectory.db_url = os.environ["NBGRADER_DB_URL"]
    c.Autograde.exporter_class = SubmissionExporter
    c.Autograde.sanitize_preprocessors = [ClearOutput, OverwriteKernelspec, OverwriteCells, CheckCellMetadata]
    c.Autograde.autograde_preprocessors = [
        SealedExecute, IgnorePattern, LimitOutput, SaveSealedGrades, AssignLatePenalties, CheckCellMetadata,
    ]
    c.OverwriteCells.add_missing_cells = True
    # Students see the checks' sentences, not the line that names where they live; and no script of another student's.
    c.GenerateFeedback.preprocessors = [ForStudents, ClearHiddenTests, SanitizeSubmission, Marks]
    configure_feedback(c)
