"""A submission as formgrader shows it, inside the instructor's own session: nothing of it acts there."""

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbgrader.server_extensions.formgrader import handlers
from traitlets.config import Config

from autograder.grading.nbgrader_glue import configure

ACT = "<script>act(4711)</script><img src=x onerror=act(4711)>"


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


def output(kind: str, text: str) -> nbformat.NotebookNode:
    return nbformat.v4.new_output("display_data", data={kind: text})


@pytest.mark.parametrize(
    "cell",
    [
        nbformat.v4.new_markdown_cell(f"An answer {ACT}", id="extra-1"),
        nbformat.v4.new_markdown_cell(f"`code` {ACT}", metadata={"nbgrader": {
            "grade_id": "written_x", "grade": True, "solution": True, "locked": False, "points": 1, "schema_version": 3,
            "task": False, "cell_type": "markdown",
        }}),
        nbformat.v4.new_raw_cell(ACT, id="extra-2"),
        *(
            nbformat.v4.new_code_cell("x", outputs=[output(kind, text)])
            for kind, text in (
                ("text/html", ACT), ("text/markdown", ACT), ("image/svg+xml", f"<svg>{ACT}</svg>"),
                ("application/javascript", "act(4711)"), ("text/latex", ACT), ("image/png", f'">{ACT}'),
                ("text/vnd.mermaid", ACT), ("application/vnd.jupyter.widget-view+json", f'{{"model_id": "{ACT}"}}'),
            )
        ),
        nbformat.v4.new_code_cell("x", outputs=[nbformat.v4.new_output("stream", text=ACT)]),
        nbformat.v4.new_code_cell(
            "x", outputs=[nbformat.v4.new_output("error", ename=ACT, evalue=ACT, traceback=[ACT])]
        ),
        nbformat.v4.new_code_cell(f"x = '{ACT}'"),
    ],
    ids=lambda cell: f"{cell.cell_type} {cell.get('outputs') or ''}"[:60],
)
def test_nothing_of_a_submission_acts(show, cell):
    page = show(cell)
    assert "<script>act" not in page
    assert "onerror=act" not in page.replace("&lt;img src=x onerror=act", "")
    assert "<script type=\"application/javascript\">act" not in page


def test_the_test_would_see_a_script(show):
    """A locked cell comes from the course: what stands in it stays."""
    locked = nbformat.v4.new_markdown_cell(ACT, metadata={"nbgrader": {
        "grade_id": "x", "grade": False, "solution": False, "locked": True, "schema_version": 3, "task": False,
    }})
    assert "<script>act" in show(locked)
