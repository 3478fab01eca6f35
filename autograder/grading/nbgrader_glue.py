"""Sealed grading inside nbgrader: what `nbgrader_config.py` plugs in, so that every nbgrader command and button works.

`SubmissionExporter` reads submissions whatever happened to the file and rebuilds them on the release. `SealedExecute`
takes the place of nbgrader's `Execute`: outputs and points come from the verdict, never from what the student's process
says. `SaveSealedGrades` leaves a submission that could not be read to a person. Assignments that are no chapter of this
course are left to nbgrader as they are.
"""

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
from autograder.grading.collect import CarefulCollect, read_carefully
from autograder.grading.notebook import Unreadable, read, rebuild
from autograder.grading.store import Store
from autograder.grading.submission import as_typed, grade_hand_in, with_notice
from autograder.grading.submitted import hand_in
from autograder.report.cell import cell_outputs
from autograder.report.feedback import ForStudents, Marks, configure_feedback
from autograder.report.sanitize import SanitizeSubmission, configure_pages
from autograder.report.written import add_rubrics
from autograder.sandbox.shared import shared_sandbox

__all__ = ["SaveSealedGrades", "SealedExecute", "SubmissionExporter", "configure", "one_notebook"]


def submitted_folder(converter: object, resources: dict) -> pathlib.Path:
    """Where the student's files of this chapter are."""
    names = resources["nbgrader"]
    return pathlib.Path(converter.coursedir.format_path(
        converter.coursedir.submitted_directory, names["student"], names["assignment"]
    ))


def one_notebook(assignment: str, student: str, notebooks: list[str]) -> None:
    """nbgrader's hook before it looks at a student's files: it is to ask for the chapter's notebook, and no other.

    Which file that is, and what when there is none, says `hand_in`. `student` is `*` when many are graded.
    """
    if assignment in CHAPTERS and notebooks:
        chapter = Course(pathlib.Path.cwd()).chapter(assignment)
        notebooks[:] = [os.path.join(os.path.dirname(notebooks[0]), f"{chapter.notebook}.ipynb")]


class SubmissionExporter(NotebookExporter):
    """Reads a submission for nbgrader's first pass (sanitizing); the second pass reads what the first wrote."""

    def from_filename(self, filename, resources=None, **kwargs):
        converter = self.parent
        assignment = resources["nbgrader"]["assignment"]
        if not getattr(converter, "_sanitizing", False) or assignment not in CHAPTERS:
            return super().from_filename(filename, resources=resources, **kwargs)
        chapter = Course(pathlib.Path(converter.coursedir.root)).chapter(assignment)
        release = chapter.release()
        handed = hand_in(pathlib.Path(filename).parent, chapter.notebook)
        try:
            if handed.trouble:
                raise Unreadable(handed.trouble)
            notebook, _ = rebuild(read(handed.data), release)
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
        handed = hand_in(submitted_folder(converter, resources), chapter.notebook)
        graded = grade_hand_in(handed, chapter, course, shared_sandbox(course.root), Store(course.private / "store"))
        verdict = graded.verdict
        resources["nbgrader"]["sealed"] = verdict
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
            nb.cells.insert(0, nbformat.v4.new_markdown_cell(f"**Grader's note.** {as_typed(note)}"))
        return nb, resources


def unread() -> nbformat.NotebookNode:
    """The output of a test cell of a submission that could not be read: no points, and a word why."""
    text = "Not graded: the submitted file could not be read. A person will look at it."
    return nbformat.NotebookNode(output_type="error", ename="NotGraded", evalue=text, traceback=[text])


class SaveSealedGrades(SaveAutoGrades):
    """nbgrader's own, with a mark where a person is needed.

    That is what could not be read, which gets no score, and cells some of whose checks could not judge, which keep the
    points of the others.
    """

    def _add_score(self, cell, resources):
        super()._add_score(cell, resources)
        verdict = resources["nbgrader"].get("sealed")
        if verdict is None:
            return
        grade_id = cell.metadata["nbgrader"]["grade_id"]
        ungradable = verdict.status == "ungradable"
        if ungradable or any(one.needs_person for one in verdict.cells if one.grade_id == grade_id):
            grade = self.gradebook.find_grade(grade_id, self.notebook_id, self.assignment_id, self.student_id)
            grade.needs_manual_grade = True
            if ungradable:
                grade.auto_score = None
            self.gradebook.db.commit()


class CheckOthersMetadata(CheckCellMetadata):
    """nbgrader's own. A chapter's cells come from its release, so that their metadata need no look."""

    def preprocess(self, nb, resources):
        if resources["nbgrader"]["assignment"] in CHAPTERS:
            return nb, resources
        return super().preprocess(nb, resources)


def configure(c: Config) -> None:
    """Everything that this course needs of nbgrader."""
    read_carefully()
    c.CourseDirectory.course_id = "bpe-workbook"
    c.CourseDirectory.source_directory = "solutions"
    c.CourseDirectory.release_directory = "notebooks"
    if os.environ.get("NBGRADER_DB_URL"):
        c.CourseDirectory.db_url = os.environ["NBGRADER_DB_URL"]
    c.ExchangeFactory.collect = CarefulCollect
    c.Autograde.pre_convert_hook = one_notebook
    c.Autograde.exporter_class = SubmissionExporter
    c.Exporter.optimistic_validation = True  # notebooks are validated once at the end, not after each preprocessor
    c.Autograde.sanitize_preprocessors = [ClearOutput, OverwriteKernelspec, OverwriteCells, CheckOthersMetadata]
    c.Autograde.autograde_preprocessors = [
        SealedExecute, IgnorePattern, LimitOutput, SaveSealedGrades, AssignLatePenalties, CheckOthersMetadata,
    ]
    c.OverwriteCells.add_missing_cells = True
    # Students see the checks' sentences, not the line that names where they live; and no script of another student's.
    c.GenerateFeedback.preprocessors = [ForStudents, ClearHiddenTests, SanitizeSubmission, Marks]
    configure_feedback(c)
    configure_pages(c)
