"""A submission as formgrader shows it, inside the instructor's own session: nothing of it acts there."""

import html.parser

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader import handlers
from traitlets.config import Config

from autograder.grading.nbgrader_glue import configure
from autograder.grading.submission import as_typed
from autograder.report import sanitize

ACT = "<script>act(4711)</script><img src=x onerror=act(4711)>"
LINK = "[x](javascript:act(4711)) [y][1] <javascript:act(4711)>\n\n[1]: javascript:act(4711)"
WRITTEN = {"nbgrader": {
    "grade_id": "written_x", "grade": True, "solution": True, "locked": False, "points": 1, "schema_version": 3,
    "task": False, "cell_type": "markdown",
}}


@pytest.fixture
def show():
    """The exporter as formgrader makes it, with this course's configuration."""
    config = Config()
    configure(config)
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    exporter = HTMLExporter(config=config)
    resources = dict.fromkeys(
        ("assignment_id", "notebook_id", "submission_id", "base_url", "student", "last_name", "first_name"), "x"
    ) | {"index": 0, "total": 1, "notebook_path": "x"}

    def page(cell) -> str:
        return exporter.from_notebook_node(nbformat.v4.new_notebook(cells=[cell]), resources=dict(resources))[0]

    return page


def output(kind: str, text: str, **metadata: object) -> nbformat.NotebookNode:
    return nbformat.v4.new_output("display_data", data={kind: text}, metadata=metadata)


def shown(kind: str, text: str, **metadata: object) -> nbformat.NotebookNode:
    return nbformat.v4.new_code_cell("x", outputs=[output(kind, text, **metadata)])


def answer(text: str, **fields: object) -> nbformat.NotebookNode:
    """A written answer."""
    return nbformat.v4.new_markdown_cell(text, metadata=WRITTEN, **fields)


@pytest.mark.parametrize(
    "cell",
    [
        nbformat.v4.new_markdown_cell(f"An answer {ACT}", id="extra-1"),
        answer(f"`code` {ACT}"), answer(LINK), answer(f"```mermaid\n{ACT}\n```"), answer(f"${ACT}$ $$\n{ACT}\n$$"),
        answer(as_typed(f"{ACT} {LINK}")),
        nbformat.v4.new_raw_cell(ACT, id="extra-2"),
        *(
            shown(kind, text) for kind, text in (
                ("text/html", ACT), ("text/markdown", ACT), ("image/svg+xml", f"<svg>{ACT}</svg>"),
                ("text/markdown", LINK), ("text/html", '<a href="java&#10;script:act(4711)">x</a>'),
                ("application/javascript", "act(4711)"), ("text/latex", ACT), ("image/png", f'">{ACT}'),
                ("text/vnd.mermaid", ACT), ("application/vnd.jupyter.widget-view+json", f'{{"model_id": "{ACT}"}}'),
            )
        ),
        *(shown("image/png", "AAAA", **{"image/png": {name: f"1 onerror=act(4711) {ACT}"}})
          for name in ("width", "height", "alt")),
        shown("text/html", "x", **{"text/html": {"isolated": True}}),
        nbformat.v4.new_code_cell("x", outputs=[nbformat.v4.new_output("stream", text=ACT)]),
        nbformat.v4.new_code_cell(
            "x", outputs=[nbformat.v4.new_output("error", ename=ACT, evalue=ACT, traceback=[ACT])]
        ),
        nbformat.v4.new_code_cell(f"x = '{ACT}'"),
    ],
    ids=lambda cell: f"{cell.cell_type} {cell.get('outputs') or ''}"[:60],
)
def test_nothing_of_a_submission_acts(show, cell):
    page = Page(show(cell))
    assert "act(4711)" not in page.scripts
    for tag, attributes in page.elements:
        assert tag != "iframe"
        assert [name for name, value in attributes.items() if name.startswith("on") and "act(4711)" in value] == []
        assert "script:act" not in "".join((attributes.get("href") or "").split())


class Page(html.parser.HTMLParser):
    """A page's elements with their attributes, and the text of its scripts."""

    def __init__(self, page: str):
        super().__init__()
        self.elements: list[tuple[str, dict]] = []
        self.scripts = ""
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.scripts += data if self.cdata_elem == "script" else ""


def test_the_test_would_see_a_script(show):
    """A locked cell comes from the course: what stands in it stays."""
    locked = nbformat.v4.new_markdown_cell(ACT, metadata={"nbgrader": {
        "grade_id": "x", "grade": False, "solution": False, "locked": True, "schema_version": 3, "task": False,
    }})
    page = Page(show(locked))
    assert "act(4711)" in page.scripts
    assert any(attributes.get("onerror") == "act(4711)" for _, attributes in page.elements)


def test_nothing_is_loaded_from_elsewhere(show):
    """Who looks at a submission is not told to its author."""
    for cell in (
        answer("![seen](https://evil.example/a.png)"),
        shown("image/png", "AAAA", filenames={"image/png": "https://evil.example/b.png"}),
        shown("text/html", "<img src='//evil.example/c.png'>"),
    ):
        assert "evil.example" not in show(cell)


def test_nothing_looks_like_the_page_itself(show):
    """A heading has no id that is a score's, which formgrader would read the score of another cell from; and no class
    is one of Bootstrap's, which can cover the page.
    """
    for cell in (answer("# test_merge_pair"), shown("text/markdown", "# test_merge_pair")):
        assert 'id="test_merge_pair"' not in show(cell)
    assert "modal-backdrop" not in show(shown("text/html", "<div class='modal-backdrop'>Full credit</div>"))
    page = show(shown("text/html", "<table class='dataframe'><tr><td>1</td></tr></table>"))
    assert '<table class="dataframe">' in page


def test_a_pasted_picture_is_shown_and_a_missing_one_stops_nothing(show):
    pasted = answer("See ![a](attachment:a.png)", attachments={"a.png": {"image/png": "iVBO"}})
    assert 'src="data:image/png;base64,iVBO"' in show(pasted)
    for cell in (answer("See ![a](attachment:a.png)"), shown("text/markdown", "See ![a](attachment:a.png)")):
        assert "See ![a](attachment:a.png)" in show(cell)


def test_metadata_of_the_wrong_shape_stops_nothing(show):
    assert "x" in show(shown("text/html", "x", **{"text/html": 7, "image/png": []}))


@pytest.mark.parametrize(
    "cell",
    [
        answer(f"a{' ' * 1_000_000}b"), answer("\\(" * 300_000),
        nbformat.v4.new_raw_cell("<ul>" * 99_999, id="extra-1"),
        nbformat.v4.new_code_cell("\t\n" * 400_000), nbformat.v4.new_code_cell("a." * 400_000),
        shown("text/html", "<ul><li>" * 200_000), shown("text/markdown", "\\begin{a}\n" * 100_000),
        shown("text/plain", "\x1b[1m<a " * 300_000), shown("text/latex", "\x1b[" + "1;" * 900_000),
        nbformat.v4.new_code_cell("x", outputs=[nbformat.v4.new_output("stream", text="\x1b[" * 900_000)]),
        nbformat.v4.new_code_cell("x", outputs=[
            nbformat.v4.new_output("error", ename="", evalue="", traceback=["\x1b[1m<" * 40] * 10_000)
        ]),
    ],
    ids=range(11),
)
def test_what_takes_hours_to_read_is_cut(show, cell):
    """Each takes the square of its length, or more: without the cut this test does not end."""
    assert len(show(cell)) < 4_000_000


def test_what_is_cut_says_so(show):
    longest, most = sanitize.ROOM["text"]
    page = show(answer("word " * (longest // 5 + 1)))
    assert "… cut here, of 10,005 characters" in page
    several = nbformat.v4.new_code_cell("x", outputs=[output("text/html", "<b>x</b>" * 1_000) for _ in range(20)])
    assert show(several).count("not shown here") == 20 - most // 8_000
    assert "not shown here" in show(shown("text/html", "<b>" * longest))
    assert "not shown here" not in show(shown("text/html", f"<img src='data:image/png;base64,{'A' * 100_000}'>"))


def test_prints_do_not_cost_a_written_answer_its_room():
    prints = [nbformat.v4.new_output("stream", text="x" * 90_000) for _ in range(30)]
    loud = nbformat.v4.new_code_cell("x", outputs=prints)
    notebook = nbformat.v4.new_notebook(cells=[loud, answer("word " * 1_000)])
    sanitize.SanitizeSubmission().preprocess(notebook, {})
    assert notebook.cells[1].source == "word " * 1_000
    assert sum(len(output.text) for output in loud.outputs) < 1_010_000
