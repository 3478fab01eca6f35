"""nbgrader's feedback page as one complete file: no network, no script, a language, no markup of a student's that acts.

Mathematics stays as its source, `$x^2$`: the page that typesets it would have to load MathJax. Formgrader's own pages
are nbgrader's, and stay as they are.
"""

import pathlib

import nbgrader
from nbconvert.exporters import HTMLExporter, TemplateExporter
from nbgrader.preprocessors import GetGrades, NbGraderPreprocessor
from traitlets.config import Config

from autograder.report.written import is_graders

__all__ = ["FeedbackExporter", "ForStudents", "Marks", "configure_feedback"]

TEMPLATES = pathlib.Path(__file__).parent / "templates"
NBGRADERS = pathlib.Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"


class FeedbackExporter(HTMLExporter):
    """Makes the page: nbconvert's, with a template of its own."""

    def from_notebook_node(self, nb, resources=None, **kwargs):
        """nbconvert's own, without parsing the finished page once more, a third of the cost.

        What that adds, a text for each picture, `SanitizeSubmission` has put there.
        """
        return TemplateExporter.from_notebook_node(self, nb, self._init_resources(resources), **kwargs)


class ForStudents(NbGraderPreprocessor):
    """Takes out what only graders see: model answers, and the bare number that hands points to nbgrader."""

    def preprocess(self, nb, resources):
        nb.cells = [cell for cell in nb.cells if not is_graders(cell)]
        for cell in nb.cells:
            if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade"):
                cell.outputs = [output for output in cell.outputs if output.output_type != "execute_result"]
        return nb, resources


class Marks(GetGrades):
    """nbgrader's own, and whether a mark still waits for a person: else an answer not yet read would look wrong."""

    def _get_score(self, cell, resources):
        super()._get_score(cell, resources)
        names = (self.notebook_id, self.assignment_id, self.student_id)
        grade = self.gradebook.find_grade(cell.metadata["nbgrader"]["grade_id"], *names)
        cell.metadata.nbgrader["waiting"] = bool(grade.needs_manual_grade)


def configure_feedback(c: Config) -> None:
    """Have nbgrader use this page."""
    c.GenerateFeedback.exporter_class = FeedbackExporter
    c.FeedbackExporter.template_name = "feedback_page"
    c.FeedbackExporter.template_file = "page.html.j2"
    c.FeedbackExporter.extra_template_basedirs = [str(TEMPLATES)]
    c.FeedbackExporter.extra_template_paths = [str(NBGRADERS)]
