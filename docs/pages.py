"""Lay out the pages of the site: the chapters, made from the executed solutions, and the documents.

    python docs/pages.py build/site-pages

A chapter on the site reads as a student meets it: the stub, with a solution folded behind a click, the visible checks,
and model answers folded too. Sealed checks have no place on it. Nothing runs here; outputs are the stored ones.
"""

import pathlib
import re
import shutil
import sys

import nbformat
from nbformat import NotebookNode

ROOT = pathlib.Path(__file__).resolve().parent.parent
HIDDEN = re.compile(r"^### BEGIN HIDDEN TESTS\n.*?^### END HIDDEN TESTS\n?", re.MULTILINE | re.DOTALL)
MARKS = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE)
LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)")


def chapter_page(solution: NotebookNode, release: NotebookNode) -> NotebookNode:
    """The page of a chapter. `solution` is the executed notebook, `release` what students get; neither is changed."""
    stubs = {cell.metadata.nbgrader.grade_id: cell for cell in release.cells if "nbgrader" in cell.metadata}
    page = nbformat.v4.new_notebook(metadata={"kernelspec": solution.metadata.get("kernelspec", {})})
    for cell in solution.cells:
        role = cell.metadata.get("nbgrader", {})
        if role.get("solution") and cell.cell_type == "markdown":
            page.cells.append(folded_answer(cell))
        elif role.get("solution"):
            page.cells += [code(stubs[role.grade_id].source, f"{cell.id}-stub"), folded_solution(cell)]
        elif role.get("grade"):
            visible = HIDDEN.sub("", cell.source).strip()
            page.cells += [code(visible, cell.id)] if visible else []
        elif "setup" in cell.metadata.get("tags", []):
            page.cells.append(folded(cell, cell.source, "set-up code"))
        else:
            page.cells.append(code(cell.source, cell.id, cell.outputs) if cell.cell_type == "code" else cell)
    return page


def code(source: str, cell_id: str, outputs: list = (), **metadata) -> NotebookNode:
    return nbformat.v4.new_code_cell(source, id=cell_id, outputs=list(outputs), metadata=metadata)


def folded(cell: NotebookNode, source: str, what: str) -> NotebookNode:
    prompts = {"code_prompt_show": f"Show the {what}", "code_prompt_hide": f"Hide the {what}"}
    return code(source, cell.id, cell.outputs, tags=["hide-input"], mystnb=prompts)


def folded_solution(cell: NotebookNode) -> NotebookNode:
    return folded(cell, MARKS.sub("", cell.source), "solution")


def folded_answer(cell: NotebookNode) -> NotebookNode:
    text = cell.source.removeprefix("**Model answer.** ")
    return nbformat.v4.new_markdown_cell(
        f'<details class="answer"><summary>Show a model answer</summary>\n\n{text}\n\n</details>', id=cell.id
    )


def title_of(page: NotebookNode) -> str:
    """A chapter's title without the word and number before it.

    >>> title_of(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Chapter 2: bytes and words\\n…")]))
    'Bytes and words'
    """
    line = page.cells[0].source.splitlines()[0]
    title = re.sub(r"^# +(Chapter \d+: *)?", "", line)
    return title[0].upper() + title[1:]


def documents() -> list[str]:
    """The documents that become pages, in the order of the contents."""
    others = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md"))
    first = ["docs/instructor.md", "CONTRIBUTING.md"]
    return [*first, *(name for name in others if name not in (*first, "docs/index.md")), "CHANGELOG.md"]


def document_page(path: pathlib.Path, pages: list[str], target: pathlib.Path) -> str:
    """A document's text: its pictures copied beside it, and of links to files that are no pages only the words."""

    def link(found: re.Match) -> str:
        picture, words, place, _ = found.groups()
        name = str((path.parent / place).resolve().relative_to(ROOT))
        if picture:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, target / name)
        return found[0] if picture or name in pages else words

    return LINK.sub(link, path.read_text(encoding="utf-8"))


def lay_out(target: pathlib.Path) -> list[pathlib.Path]:
    """Write the pages into the folder `target`, which is emptied first; returns the files, contents page first."""
    shutil.rmtree(target, ignore_errors=True)
    (target / "chapters").mkdir(parents=True)
    (target / "docs").mkdir()
    entries, written = [], [target / "index.md"]
    for path in sorted((ROOT / "solutions").glob("*/*.ipynb")):
        name = path.parent.name
        (release,) = (ROOT / "notebooks" / name).glob("*.ipynb")
        page = chapter_page(nbformat.read(path, as_version=4), nbformat.read(release, as_version=4))
        page.cells[0].source = re.sub(r"^.*", f"# {int(name[:2])} · {title_of(page)}", page.cells[0].source, count=1)
        written.append(target / "chapters" / f"{name}.ipynb")
        nbformat.write(page, written[-1])
        entries.append(f"chapters/{name}")
    names = documents()
    for name in names:
        written.append(target / name)
        written[-1].parent.mkdir(exist_ok=True)
        written[-1].write_text(document_page(ROOT / name, names, target), encoding="utf-8")
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for place, lines in (("<!-- chapters -->", entries), ("<!-- documents -->", names)):
        index = index.replace(place, "\n".join(line.removesuffix(".md") for line in lines))
    written[0].write_text(index, encoding="utf-8")
    return written


if __name__ == "__main__":
    for made in lay_out(pathlib.Path(sys.argv[1])):
        print(made)
