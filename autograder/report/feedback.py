"""nbgrader's feedback page as one complete file: no network, no script, a language, no markup of a student's that acts.

Mathematics stays as its source, `$x^2$`: the page that typesets it would have to load MathJax. Formgrader's own pages
are nbgrader's, and stay as they are.
"""

import functools
import pathlib

import nbgrader
from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter, TemplateExporter
from nbconvert.filters import Highlight2HTML
from nbgrader.preprocessors import GetGrades, NbGraderPreprocessor
from traitlets.config import Config

from autograder.report.sanitize import harmless, is_students
from autograder.report.written import is_graders

__all__ = ["FeedbackExporter", "ForStudents", "Marks", "configure_feedback"]

TEMPLATES = pathlib.Path(__file__).parent / "templates"
NBGRADERS = pathlib.Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"


NO_ALT = "A figure that this cell drew; the student gave it no description"
MOST_SOURCES = 2_000  # code cells whose colours are kept: most of a class's are the chapter's own


@functools.lru_cache(MOST_SOURCES)
def highlighted(source: str, language: str | None) -> str:
    """A code cell's source as HTML with colours."""
    return Highlight2HTML(pygments_lexer="ipython3")(source, language)


class FeedbackExporter(HTMLExporter):
    """Makes the page; Markdown that is not the chapter's own is cleaned once it has become HTML.

    What is the same on every student's page is made once.
    """

    def __init__(self, *args, **kwargs):
        self._made: dict[str, str] = {}  # the chapter's own Markdown, which holds no student's attachments
        super().__init__(*args, **kwargs)

    def default_filters(self):
        yield from super().default_filters()
        yield "highlight_code", lambda source, language=None, metadata=None: highlighted(
            source, (metadata or {}).get("magics_language", language)
        )

    def from_notebook_node(self, nb, resources=None, **kwargs):
        """nbconvert's own, without parsing the finished page once more, a third of the cost.

        What that adds, a text for each picture, `ForStudents` has put there.
        """
        return TemplateExporter.from_notebook_node(self, nb, self._init_resources(resources), **kwargs)

    @pass_context
    def markdown2html(self, context, source):
        cell = context.get("cell", {})
        if cell.get("cell_type") != "markdown" or is_students(cell):
            return harmless(super().markdown2html(context, source))
        if source not in self._made:
            self._made[source] = super().markdown2html(context, source)
        return self._made[source]


class ForStudents(NbGraderPreprocessor):
    """Takes out what only graders see: model answers, and the bare number that hands points to nbgrader.

    Figures get an alternative text where they have none.
    """

    def preprocess(self, nb, resources):
        nb.cells = [cell for cell in nb.cells if not is_graders(cell)]
        for cell in nb.cells:
            if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade"):
                cell.outputs = [output for output in cell.outputs if output.output_type != "execute_result"]
            for output in cell.get("outputs", ()):
                if not {"image/png", "image/jpeg"}.isdisjoint(output.get("data", {})):
                    output.metadata.setdefault("alt", NO_ALT)
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
