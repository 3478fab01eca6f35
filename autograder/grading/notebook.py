"""Read a submitted notebook, whatever happened to the file, and rebuild it on the released chapter.

Locked cells come from the release, answers from the student, and the student's own extra cells stay where they stood:
behind the same neighbour; so does what was written into the chapter's own texts. Cells that were copied, deleted,
retyped, reordered or stripped of their metadata therefore do no harm. A file that cannot be read gets a reason in
words. Judges nothing.
"""

import copy
import dataclasses
import json
import re

import nbformat
from nbformat import NotebookNode

__all__ = ["Submitted", "Unreadable", "answers_any", "read", "rebuild"]

MAX_BYTES = 32 * 1024 * 1024  # one emoji makes four times as much of it in memory, and parsing as much again
MAX_PARSED = 4_000_000  # lists, objects and items in them: a small file can make very many
MAX_CELLS = 2_000
MAX_SOURCE = 1_000_000  # characters of one cell
SURROGATE = re.compile("[\ud800-\udfff]")
PICTURES = ("image/png", "image/jpeg")  # kinds of pictures that are kept of those pasted into a cell
DEFINED = re.compile(r"^(?:def|class) +(\w+)", re.MULTILINE)


class Unreadable(ValueError):
    """The file is no notebook that could be graded; the message says what it is and what to do."""


@dataclasses.dataclass(frozen=True)
class Cell:
    """What counts of a submitted cell; its outputs and other metadata do not.

    `pictures` are those pasted into a Markdown cell: the forms of each by name.
    """

    kind: str
    source: str
    grade_id: str | None
    id: str | None
    pictures: dict[str, dict[str, str]]


@dataclasses.dataclass(frozen=True)
class Submitted:
    """The cells of a submitted notebook, and notes on what had to be repaired to read it."""

    cells: tuple[Cell, ...]
    notes: tuple[str, ...] = ()


def read(data: bytes) -> Submitted:
    """The submitted notebook in `data`; raises `Unreadable` with a reason that a student understands."""
    if not data.strip():
        raise Unreadable("the file is empty; submit the notebook again")
    if len(data) > MAX_BYTES:
        raise Unreadable(
            f"the file has {len(data):,} bytes, more than {MAX_BYTES:,}; clear all outputs, save, and submit it again"
        )
    if sum(map(data.count, (b"[", b"{", b","))) > MAX_PARSED:
        why = f"the file holds more than {MAX_PARSED:,} values"
        raise Unreadable(f"{why}; clear all outputs, save, and submit it again")
    text, notes = decode(data)
    try:
        tree = json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(
            f"the file is not a notebook: line {error.lineno}, column {error.colno} is not JSON ({error.msg})"
        ) from None
    except (RecursionError, ValueError) as error:
        raise Unreadable(f"the file is not a notebook: {type(error).__name__} while reading it") from None
    return Submitted(tuple(cells_of(tree, notes)), tuple(notes))


def decode(data: bytes) -> tuple[str, list[str]]:
    """The file's text, and a note when it was not plain UTF-8."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding, name = "utf-16", "UTF-16"
    elif data.startswith(b"\xef\xbb\xbf"):
        encoding, name = "utf-8-sig", "UTF-8 with a byte order mark"
    else:
        encoding, name = "utf-8", ""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text, name = data.decode("latin-1"), "Latin-1"
    notes = [f"The file was saved as {name}; it was read all the same."] if name else []
    if "\0" in text:
        raise Unreadable("the file holds NUL characters: it was damaged on its way; submit the notebook again")
    return text, notes


def cells_of(tree: object, notes: list[str]) -> list[Cell]:
    """The cells of a parsed notebook, of any format version."""
    if not isinstance(tree, dict):
        raise Unreadable("the file is JSON, but not a notebook")
    version = tree.get("nbformat")
    if isinstance(version, int) and version < 4:
        try:
            for cell in (cell for sheet in tree.get("worksheets", ()) for cell in sheet["cells"] if "outputs" in cell):
                cell["outputs"] = []  # not looked at, and often most of the file
            tree = nbformat.convert(nbformat.reads(json.dumps(tree), as_version=nbformat.NO_CONVERT), 4)
        except Exception as error:
            why = type(error).__name__
            raise Unreadable(f"a notebook of format {version} that cannot be converted ({why})") from None
        notes.append(f"The notebook was of the old format {version}; it was converted.")
    cells = tree.get("cells")
    if not isinstance(cells, list):
        raise Unreadable("the file is JSON, but has no list of cells: not a notebook")
    if len(cells) > MAX_CELLS:
        raise Unreadable(f"the notebook has {len(cells):,} cells, more than {MAX_CELLS:,}")
    return [cell_of(cell, number, notes) for number, cell in enumerate(cells, start=1)]


def cell_of(cell: object, number: int, notes: list[str]) -> Cell:
    if not isinstance(cell, dict):
        raise Unreadable(f"cell {number} is not a notebook cell")
    source = cell.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise Unreadable(f"the text of cell {number} is not text")
    if len(source) > MAX_SOURCE:
        raise Unreadable(f"cell {number} has {len(source):,} characters, more than {MAX_SOURCE:,}")
    if SURROGATE.search(source):
        source = source.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        notes.append(f"Cell {number} held half a character (a lone surrogate); it was replaced by U+FFFD.")
    metadata = cell.get("metadata")
    grading = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    grade_id = grading.get("grade_id") if isinstance(grading, dict) else None
    cell_id = cell.get("id")
    kind = cell.get("cell_type")
    return Cell(
        kind if kind in ("code", "markdown", "raw") else "raw",
        source.replace("\r\n", "\n"),
        grade_id if isinstance(grade_id, str) else None,
        cell_id if isinstance(cell_id, str) else None,
        pictures_of(cell.get("attachments")) if kind == "markdown" else {},
    )


def pictures_of(attachments: object) -> dict[str, dict[str, str]]:
    """What is a picture among a cell's attachments.

    >>> pictures_of({"a.png": {"image/png": "iVBO"}, "b.svg": {"image/svg+xml": "<svg>"}})
    {'a.png': {'image/png': 'iVBO'}}
    """
    if not isinstance(attachments, dict):
        return {}
    found = {}
    for name, forms in attachments.items():
        if isinstance(forms, dict) and name.isprintable():
            kept = {kind: forms[kind] for kind in PICTURES if isinstance(forms.get(kind), str)}
            if kept and "".join(kept.values()).isascii():
                found[name] = kept
    return found


def rebuild(submitted: Submitted, release: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """The released notebook with the student's answers and extra cells in it, and notes on what was missing.

    An answer whose cell was deleted stays empty rather than a stub: the student may have written it in another cell.
    """
    places = match(submitted, release)
    answers: dict[int, Cell] = {}
    extras: dict[int, list[Cell]] = {}
    last = -1
    for cell, place in zip(submitted.cells, places, strict=True):
        if place is None:
            extras.setdefault(last, []).append(cell)
        else:
            answers[place] = cell
            last = place
    notes = list(submitted.notes)
    missing: list[str] = []
    changed: list[str] = []
    unheard: list[str] = []
    rebuilt = copy.copy(release)
    rebuilt.cells = [extra_cell(cell, number) for number, cell in enumerate(extras.get(-1, []))]
    for index, cell in enumerate(map(copy.copy, release.cells)):
        grading = cell.metadata.get("nbgrader", {})
        answer = answers.get(index)
        if grading.get("solution"):
            cell.source = answer.source if answer else ""
            if answer is None:
                missing.append(grading["grade_id"])
            elif answer.pictures and cell.cell_type == "markdown":
                cell.attachments = copy.deepcopy(answer.pictures)
        elif cell.cell_type == "code" and grading.get("grade"):
            if answer and set(DEFINED.findall(answer.source)) - set(DEFINED.findall(cell.source)):
                unheard.append(grading["grade_id"])
        elif cell.cell_type == "code" and grading.get("locked"):
            if answer and answer.source.strip() != cell.source.strip():
                changed.append(grading["grade_id"])
        elif cell.cell_type == "code" and not grading:
            cell.source = answer.source if answer else ""  # an example to play with: the student's own by now
        elif answer and (own := written_into(cell.source, answer.source)):
            extras.setdefault(index, []).insert(0, dataclasses.replace(answer, source=own))
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        rebuilt.cells.append(cell)
        rebuilt.cells += [
            extra_cell(extra, f"{index}-{number}") for number, extra in enumerate(extras.get(index, []))
        ]
    if changed:
        notes.append(f"Changed: the locked cell {', '.join(changed)}; as it was released, so it was run.")
    if unheard:
        notes.append(f"Not run: what {', '.join(unheard)} defines beside its tests; write it in a cell of its own.")
    if missing:
        notes.append(f"Missing: the cell of {', '.join(missing)}; what the other cells define was graded all the same.")
    return rebuilt, notes


def written_into(released: str, submitted: str) -> str:
    """What a student wrote into a text of the chapter: the lines that are not its own, if they say more than it loses.

    >>> written_into("What is it?", "What is it?\\n\\nA byte."), written_into("A word", "A wrd")
    ('A byte.', '')
    """
    ours, theirs = ({line.strip() for line in text.split("\n")} for text in (released, submitted))
    added = [line for line in submitted.split("\n") if line.strip() not in ours]
    return "\n".join(added).strip("\n") if sum(map(len, added)) > sum(map(len, ours - theirs)) else ""


def answers_any(submitted: Submitted, release: NotebookNode) -> bool:
    """Is any of the submitted cells an answer that the release asks for?"""
    return any(
        place is not None and release.cells[place].metadata.get("nbgrader", {}).get("solution")
        for place in match(submitted, release)
    )


def match(submitted: Submitted, release: NotebookNode) -> list[int | None]:
    """For each submitted cell the index of the released cell that it is, or `None` for one of the student's own.

    Told by grade id, else by cell id, else by equal text, else by standing alone between the same neighbours; a copy of
    a cell that is taken already is the student's own, and so is a text of the chapter that was made a cell of code.
    """
    by_grade_id = {
        cell.metadata.nbgrader["grade_id"]: i for i, cell in enumerate(release.cells) if "nbgrader" in cell.metadata
    }
    by_id = {cell.get("id"): i for i, cell in enumerate(release.cells)}
    by_source: dict[str, list[int]] = {}
    for i, cell in enumerate(release.cells):
        by_source.setdefault(cell.source, []).append(i)
    taken: set[int] = set()
    places: list[int | None] = [None] * len(submitted.cells)

    def take(number: int, place: int | None) -> None:
        if place is None or (submitted.cells[number].kind == "code" and not holds_code(release.cells[place])):
            return
        if place not in taken and places[number] is None:
            taken.add(place)
            places[number] = place

    for number, cell in enumerate(submitted.cells):
        take(number, by_grade_id.get(cell.grade_id) if cell.grade_id else None)
    for number, cell in enumerate(submitted.cells):
        if cell.grade_id is None:
            take(number, by_id.get(cell.id))
    for number, cell in enumerate(submitted.cells):
        for place in by_source.get(cell.source, ()):
            take(number, place)
    for numbers, gap in gaps(places, len(release.cells)):
        kinds = [submitted.cells[number].kind for number in numbers]
        if kinds == [release.cells[place].cell_type for place in gap]:
            for number, place in zip(numbers, gap, strict=True):
                take(number, place)
    return places


def holds_code(cell: NotebookNode) -> bool:
    """Is it a place for code, or for an answer in whatever form? In a text of the chapter, code would be lost."""
    return cell.cell_type == "code" or bool(cell.metadata.get("nbgrader", {}).get("solution"))


def gaps(places: list[int | None], length: int) -> list[tuple[list[int], list[int]]]:
    """Runs of submitted cells without a place, each with the free released cells between the same neighbours.

    >>> gaps([0, None, 2, None, None, 4], 6)
    [([1], [1]), ([3, 4], [3])]
    """
    found = []
    run: list[int] = []
    before = -1
    for number, place in enumerate([*places, length]):
        if place is None:
            run.append(number)
            continue
        if run and before < place:
            found.append((run, [free for free in range(before + 1, place) if free not in places]))
        run, before = [], place
    return found


def extra_cell(cell: Cell, number: int | str) -> NotebookNode:
    """One of the student's own cells, without metadata that could mean anything to a grader."""
    made = nbformat.from_dict({
        "cell_type": cell.kind, "id": f"extra-{number}", "metadata": {}, "source": cell.source,
        **({"execution_count": None, "outputs": []} if cell.kind == "code" else {}),
    })
    if cell.pictures:
        made.attachments = copy.deepcopy(cell.pictures)
    return made
