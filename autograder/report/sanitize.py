"""What a submission puts into a page is made harmless: others open its feedback, and graders open it in formgrader.

The chapter's own text and the reports of test cells come from the course and stay as they are.
"""

import bleach
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor

__all__ = ["SanitizeForGraders", "SanitizeSubmission", "harmless", "is_students"]

TAGS = frozenset((
    "a", "abbr", "b", "bdi", "blockquote", "br", "code", "dd", "details", "div", "dl", "dt", "em", "h1", "h2", "h3",
    "h4", "h5", "h6", "hr", "i", "img", "li", "ol", "p", "pre", "s", "small", "span", "strong", "sub", "summary", "sup",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
))
KEPT = {"text/plain", "text/latex", "text/markdown", "text/html", "image/png", "image/jpeg"}  # kinds of output
PLAIN_ATTRIBUTES = {"alt", "class", "colspan", "dir", "lang", "rowspan", "scope", "title", "width", "height"}


def allowed(tag: str, name: str, value: str) -> bool:
    """May this attribute stay? Pictures only as data within the page, links only where people can see them lead."""
    if tag == "img" and name == "src":
        return value.startswith(("data:image/png;base64,", "data:image/jpeg;base64,"))
    if tag == "a" and name == "href":
        return value.startswith(("https://", "http://", "mailto:", "#"))
    return name in PLAIN_ATTRIBUTES


def harmless(markup: str) -> str:
    """`markup` with everything escaped that could run, load or disguise.

    >>> harmless("<b>bold</b><script>alert(1)</script>")
    '<b>bold</b>&lt;script&gt;alert(1)&lt;/script&gt;'
    >>> harmless('<img src="https://example.org/x.png" onerror="alert(1)" alt="x">')
    '<img alt="x">'
    """
    return bleach.clean(markup, tags=TAGS, attributes=allowed, protocols={"http", "https", "mailto", "data"})


def is_students(cell: NotebookNode) -> bool:
    """A written answer, or a cell that the student added; the rest is the chapter's own text."""
    return not utils.is_locked(cell) and (utils.is_solution(cell) or str(cell.get("id", "")).startswith("extra-"))


class SanitizeSubmission(NbGraderPreprocessor):
    """Cleans outputs and raw cells of the student's before nbgrader makes a page of them."""

    def preprocess_cell(self, cell, resources, cell_index):
        if cell.cell_type == "code" and not utils.is_grade(cell):
            for output in cell.outputs:
                data = output.get("data", {})
                for kind in set(data) - KEPT:
                    del data[kind]
                if "data" in output and not data:
                    data["text/plain"] = "(an output of a kind that is not shown here)"
                if "text/html" in data:
                    data["text/html"] = harmless("".join(data["text/html"]))
        elif cell.cell_type == "raw" and is_students(cell):
            cell.source = harmless(cell.source)  # Markdown is cleaned when it has become HTML
        return cell, resources


class SanitizeForGraders(SanitizeSubmission):
    """The same for formgrader, which shows a submission inside the instructor's own Jupyter session.

    A script there would act as the instructor. Markdown is cleaned as it was written, since nobody cleans it later:
    what stands in it as `<` may show as an entity.
    """

    def preprocess(self, nb, resources):
        if "nbgrader" in resources:  # not formgrader but a command of nbgrader's, which cleans in its own way
            return nb, resources
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell, resources, cell_index):
        cell, resources = super().preprocess_cell(cell, resources, cell_index)
        if cell.cell_type == "markdown" and is_students(cell):
            cell.source = harmless(cell.source)
        for output in cell.get("outputs", ()) if not utils.is_grade(cell) else ():
            data = output.get("data", {})
            if "text/markdown" in data:
                data["text/markdown"] = harmless("".join(data["text/markdown"]))
        return cell, resources
