"""What a submission puts into a page is made harmless: others open its feedback, and graders open it in formgrader,
inside their own Jupyter session, where a script would act as the instructor.

The chapter's own text and the reports of test cells come from the course and stay as they are. Long texts are cut: some
Markdown, HTML and code takes the square of its length to be made a page of.
"""

import functools
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
ROOM = {  # characters of one text, and of all of its kind, that come into a page
    "code": (20_000, 150_000), "text": (10_000, 150_000), "markup": (10_000, 150_000), "plain": (100_000, 1_000_000),
}
NO_ALT = "A figure that this cell drew; the page has no description of it"
MOST_KEPT = 2_000  # texts whose HTML is kept: most of what a class hands in is the chapter's own
DATA = re.compile(r"base64,[A-Za-z0-9+/=]+")  # of a picture: quickly read, however long
COLOUR = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z]?)?")  # of a terminal


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


def alternative(metadata: dict) -> str:
    """All that is kept of an output's metadata: a picture's description. Widths would stand in the page as they are.

    >>> alternative({"image/png": {"width": "1 onload=act()", "alt": "A line that rises."}})
    'A line that rises.'
    """
    places = [place for place in (*metadata.values(), metadata) if isinstance(place, dict)]
    return next((place["alt"] for place in places if isinstance(place.get("alt"), str)), NO_ALT)


def is_script(output: dict) -> bool:
    """Is there nothing to see, but only something to run, such as the half of the token viewer that moves?

    >>> is_script({"data": {"application/javascript": "move()", "text/plain": "<Javascript object>"}})
    True
    >>> is_script({"data": {"application/javascript": "move()", "text/html": "<b>x</b>"}})
    False
    """
    kinds = set(output.get("data", ()))
    return "application/javascript" in kinds <= {"application/javascript", "text/plain"}


class SanitizeSubmission(NbGraderPreprocessor):
    """Cleans what is the student's before a page is made of it; Markdown is cleaned when it has become HTML."""

    def preprocess(self, nb, resources):
        self.room = {kind: most for kind, (_, most) in ROOM.items()}
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell, resources, cell_index):
        if cell.cell_type == "code" and not utils.is_locked(cell):
            cell.source = self.cut("code", cell.source)
        elif is_students(cell):
            cell.source = self.cut("text", cell.source)
            if cell.cell_type == "raw":
                cell.source = harmless(cell.source)
        if cell.cell_type == "code" and not utils.is_grade(cell):
            cell.outputs = [output for output in cell.outputs if not is_script(output)]
            for output in cell.outputs:
                self.clean(output)
        return cell, resources

    def clean(self, output: NotebookNode) -> None:
        if "text" in output:
            output.text = self.plain(output.text)
        if "traceback" in output:
            output.traceback = [self.plain("\n".join(output.traceback))]
        if "data" in output:
            output.metadata = NotebookNode({"alt": alternative(output.metadata)})
            forms = {kind: self.form(kind, "".join(text)) for kind, text in output.data.items() if kind in KEPT}
            output.data = NotebookNode({kind: text for kind, text in forms.items() if text}) or NotebookNode(
                {"text/plain": "(an output of a kind or size that is not shown here)"}
            )

    def form(self, kind: str, text: str) -> str:
        """One form of an output, cleaned; empty if there is no room for it."""
        if kind.startswith("image/"):
            return text
        if kind == "text/markdown":
            return self.cut("markup", text)
        if kind == "text/html":
            return harmless(text) if self.takes("markup", len(DATA.sub("", text))) else ""
        return self.plain(text)

    def plain(self, text: str) -> str:
        return self.cut("plain", COLOUR.sub("", text))

    def cut(self, kind: str, text: str) -> str:
        """As much of the text as there is room for, and a word where it is cut."""
        if self.takes(kind, len(text)):
            return text
        kept = text[: min(ROOM[kind][0], self.room[kind])]
        self.takes(kind, len(kept))
        return f"{kept}\n… cut here, of {len(text):,} characters"

    def takes(self, kind: str, size: int) -> bool:
        """Is there room for so many characters? Then they are taken off it."""
        fits = size <= min(ROOM[kind][0], self.room[kind])
        self.room[kind] -= size if fits else 0
        return fits


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
    if cell.get("cell_type") == "markdown" and not is_students(cell) and not cell.get("attachments"):
        return own_html(source)
    try:
        return harmless(rendered(source, cell.get("attachments")))
    except InvalidNotebook:
        return f"<pre>{html.escape(source)}</pre>"


def rendered(source: str, attachments: dict | None = None) -> str:
    """Markdown as HTML."""
    return MarkdownWithMath(renderer=IPythonRenderer(escape=False, attachments=attachments)).render(source)


own_html = functools.lru_cache(MOST_KEPT)(rendered)


def code_html(source: str, language: str | None = None, metadata: dict | None = None) -> str:
    """Code in colours, as Python without IPython's magics: their lexer may take hours."""
    return coloured(source)


@functools.lru_cache(MOST_KEPT)
def coloured(source: str) -> str:
    """Python in colours. White space at the ends of lines would take the square of its length, so it goes."""
    lines = "\n".join(line.rstrip() for line in source.split("\n"))
    return Highlight2HTML(pygments_lexer="python3")(lines)


def configure_pages(c: Config) -> None:
    """Have formgrader, and all pages that nbgrader makes, use these."""
    c.HTMLExporter.preprocessors = [SanitizeForGraders]
    c.HTMLExporter.filters = {"markdown2html": markdown_html, "highlight_code": code_html}
