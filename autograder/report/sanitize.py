"""What a submission puts into a page is made harmless: others open its feedback, and graders open it in formgrader,
inside their own Jupyter session, where a script would act as the instructor.

The chapter's own text and the reports of test cells come from the course and stay as they are. What takes the square
of its length to be read (some Markdown, HTML and code does) is cut, so that no page takes hours.
"""

import html
import re

import bleach
from jinja2 import pass_context
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.markdown_mistune import InvalidNotebook, IPythonRenderer, MarkdownWithMath
from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor
from pygments.token import STANDARD_TYPES
from traitlets.config import Config

__all__ = ["SanitizeForGraders", "SanitizeSubmission", "configure_pages", "harmless", "is_students"]

TAGS = frozenset((
    "a", "abbr", "b", "bdi", "blockquote", "br", "code", "dd", "details", "div", "dl", "dt", "em", "h1", "h2", "h3",
    "h4", "h5", "h6", "hr", "i", "img", "li", "ol", "p", "pre", "s", "small", "span", "strong", "sub", "summary", "sup",
    "table", "tbody", "td", "th", "thead", "tr", "ul",
))
KEPT = {"text/plain", "text/latex", "text/markdown", "text/html", "image/png", "image/jpeg"}  # kinds of output
PLAIN_ATTRIBUTES = {"alt", "colspan", "dir", "lang", "rowspan", "scope", "title", "width", "height"}
CLASSES = {*STANDARD_TYPES.values(), "anchor-link", "dataframe", "highlight"}  # others would look like the page itself
LONGEST, LONGEST_CODE, ALL = 10_000, 20_000, 150_000  # characters of one text, and of all, of which a page is made
DATA = re.compile(r"base64,[A-Za-z0-9+/=]+")  # of a picture: quickly read, however long


def allowed(tag: str, name: str, value: str) -> bool:
    """May this attribute stay? Pictures only as data within the page, links only where people can see them lead."""
    if tag == "img" and name == "src":
        return value.startswith(("data:image/png;base64,", "data:image/jpeg;base64,"))
    if tag == "a" and name == "href":
        return value.startswith(("https://", "http://", "mailto:", "#"))
    if name == "class":
        return set(value.split()) <= CLASSES
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
    """Cleans what is the student's before a page is made of it; Markdown is cleaned when it has become HTML."""

    def preprocess(self, nb, resources):
        self.room = ALL
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell, resources, cell_index):
        if is_students(cell) or (cell.cell_type == "code" and not utils.is_locked(cell)):
            cell.source = self.cut(cell.source, LONGEST_CODE if cell.cell_type == "code" else LONGEST)
        if cell.cell_type == "code" and not utils.is_grade(cell):
            for output in cell.outputs:
                if "data" in output:
                    output.metadata = NotebookNode()  # widths and names of files, written into the page as they are
                    output.data = self.kept(output.data)
        elif cell.cell_type == "raw" and is_students(cell):
            cell.source = harmless(cell.source)
        return cell, resources

    def kept(self, data: NotebookNode) -> NotebookNode:
        """Of an output's forms those that are shown, cleaned."""
        data = NotebookNode({kind: "".join(text) for kind, text in data.items() if kind in KEPT})
        if "text/markdown" in data:
            data["text/markdown"] = self.cut(data["text/markdown"], LONGEST)
        if "text/html" in data:
            size = len(DATA.sub("", data["text/html"]))
            if size <= min(LONGEST, self.room):
                self.room -= size
                data["text/html"] = harmless(data["text/html"])
            else:
                del data["text/html"]
        return data or NotebookNode({"text/plain": "(an output of a kind or size that is not shown here)"})

    def cut(self, text: str, longest: int) -> str:
        """As much of the text as there is room for, and a word where it is cut."""
        kept = text[: min(longest, self.room)]
        self.room -= len(kept)
        return kept if kept == text else f"{kept}\n… cut here, of {len(text):,} characters"


class SanitizeForGraders(SanitizeSubmission):
    """The same for formgrader, whose exporter is also the one that nbgrader's commands are derived from."""

    def preprocess(self, nb, resources):
        if "nbgrader" in resources:  # not formgrader but a command of nbgrader's, which has a preprocessor of its own
            return nb, resources
        return super().preprocess(nb, resources)


@pass_context
def markdown_html(context: dict, source: str) -> str:
    """Markdown as HTML, clean where it is not the chapter's own; as it was typed where a picture in it is missing."""
    cell = context.get("cell", {})
    try:
        renderer = IPythonRenderer(escape=False, attachments=cell.get("attachments"))
        made = MarkdownWithMath(renderer=renderer).render(source)
    except InvalidNotebook:
        made = f"<pre>{html.escape(source)}</pre>"
    return made if cell.get("cell_type") == "markdown" and not is_students(cell) else harmless(made)


def code_html(source: str, language: str | None = None, metadata: dict | None = None) -> str:
    """Code in colours, as Python without IPython's magics: their lexer may take hours.

    White space at the ends of lines would take the square of its length, so it goes.
    """
    lines = "\n".join(line.rstrip() for line in source.split("\n"))
    return Highlight2HTML(pygments_lexer="python3")(lines)


def configure_pages(c: Config) -> None:
    """Have formgrader, and all pages that nbgrader makes, use these."""
    c.HTMLExporter.preprocessors = [SanitizeForGraders]
    c.HTMLExporter.filters = {"markdown2html": markdown_html, "highlight_code": code_html}
