"""The catalogue tests the checks: every wrong version fails just where it should and is named, every right one passes.

Run for one chapter with `-k 03_naive_bpe`. Here the code runs in a forked child (see `inprocess`); the sample class and
the sandbox tests take whole notebooks through real kernels.
"""

import functools
import importlib
import pathlib
import types
from collections.abc import Mapping

import gallery
import nbformat
import pytest
from inprocess import failing, grade, named

from autograder.checks import ch01_unicode
from autograder.checks.runner import CHAPTERS, chapter_checks
from autograder.misconceptions.api import catalogue, source_of

ROOT = pathlib.Path(__file__).resolve().parent.parent


def present() -> list[str]:
    return [chapter for chapter in CHAPTERS if (ROOT / "solutions" / chapter).is_dir()]


@functools.cache
def solution_cells(chapter: str) -> Mapping[str, str]:
    """The solution notebook's answers by grade id, and its cells tagged `setup` under the empty name."""
    (path,) = (ROOT / "solutions" / chapter).glob("*.ipynb")
    cells: dict[str, str] = {"": ""}
    for cell in nbformat.read(path, as_version=4).cells:
        grading = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and grading.get("solution") and not grading.get("grade"):
            cells[grading["grade_id"]] = cell.source
        elif cell.cell_type == "code" and "setup" in cell.metadata.get("tags", ()):
            cells[""] += cell.source + "\n"
    return types.MappingProxyType(cells)


def source_with(chapter: str, exercise: str, answer: str) -> str:
    """The solution's code with one exercise answered otherwise."""
    return "\n".join({**solution_cells(chapter), exercise: answer}.values())


def variants(chapter: str) -> list:
    """The chapter's correct variants: functions marked `@right(exercise)` in `tests/correct_variants`."""
    try:
        module = importlib.import_module(f"correct_variants.{CHAPTERS[chapter]}")
    except ModuleNotFoundError:
        return []
    return [value for value in vars(module).values() if hasattr(value, "exercise")]


WRONG = [pytest.param(c, e, id=f"{c}-{e.exercise}-{e.id}") for c in present() for e in catalogue(c)]
RIGHT = [pytest.param(c, v, id=f"{c}-{v.exercise}-{v.__name__}") for c in present() for v in variants(c)]
CELLS = [pytest.param(c, cell, id=f"{c}-{cell}") for c in present() for cell in chapter_checks(c)]


@pytest.fixture(autouse=True)
def chapter_folder(request, monkeypatch):
    """Student code runs in its chapter's folder, where the data files are."""
    chapter = next((value for key, value in request.node.callspec.params.items() if key == "chapter"), None)
    monkeypatch.chdir(ROOT / "solutions" / chapter)
    # Of the million characters beyond U+FFFF every 257th: `test_course` asks the solution for all of them.
    monkeypatch.setattr(ch01_unicode, "BEYOND", [*range(0x10000, 0x110000, 257), 0x10FFFF])


@pytest.mark.parametrize(("chapter", "entry"), WRONG)
def test_a_wrong_version_fails_where_it_should_and_is_named(chapter, entry):
    source = source_with(chapter, entry.exercise, source_of(entry.function, entry.exercise))
    results, answers = grade(chapter, f"test_{entry.exercise}", source)
    assert failing(results) == entry.fails, [(r.name, r.message, r.counterexample) for r in results]
    assert entry.id in [found.id for found in named(chapter, answers)]
    if chapter in gallery.CHAPTERS:
        text = gallery.report(chapter, entry, results, answers)
        assert text == gallery.kept(chapter).get(entry.id), "docs/feedback/ is not current; run: make gallery"
        assert len(text.splitlines()) <= gallery.SCREEN


@pytest.mark.parametrize(("chapter", "variant"), RIGHT)
def test_a_correct_variant_passes_everything(chapter, variant):
    answer = variant.beside + source_of(variant, variant.exercise)
    results, answers = grade(chapter, f"test_{variant.exercise}", source_with(chapter, variant.exercise, answer))
    assert failing(results) == set(), [(r.name, r.message, r.counterexample) for r in results]
    assert named(chapter, answers) == []
