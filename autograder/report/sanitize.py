"""What a submission puts into its feedback page is made harmless: other people open that page.

The chapter's own text and the reports of test cells come from the course and stay as they are.
"""

import bleach
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor

__all__ = ["SanitizeSubmission", "harmless", "is_students"]

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
                if "text/html" in data:
                    data["text/html"] = harmless("".join(data["text/html"]))
        elif cell.cell_type == "raw" and is_students(cell):
            cell.source = harmless(cell.source)  # Markdown is cleaned when it has become HTML
        return cell, resources
