"""Submissions that nobody meant badly."""

import copy
import json

import nbformat

from hostile.corpus import Book, attack


@attack("unlucky", ungradable="the file is empty")
def empty_file(book: Book) -> None:
    """The upload has no byte; a person gets a reason in words."""
    book.data = b""


@attack("unlucky", ungradable="is not JSON")
def not_json(book: Book) -> None:
    """A text document with the notebook's name."""
    book.data = b"def count_pairs(sequences):\n    ...\n"


@attack("unlucky", ungradable="is not JSON")
def cut_off(book: Book) -> None:
    """The upload broke off in the middle."""
    book.data = book.submitted()[:5000]


@attack("unlucky", ungradable="NUL characters")
def nul_bytes(book: Book) -> None:
    """A disk error left NUL bytes in the middle."""
    data = book.submitted()
    book.data = data[:1000] + bytes(100) + data[1100:]


@attack("unlucky", ungradable="not a notebook")
def other_json(book: Book) -> None:
    """JSON, but not a notebook."""
    book.data = b'["a list"]'


@attack("unlucky", ungradable="no list of cells")
def no_cells(book: Book) -> None:
    """A notebook without cells in it."""
    book.data = b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}}'


@attack("unlucky", ungradable="while reading it")
def nested_too_deep(book: Book) -> None:
    """JSON nested a hundred thousand levels deep."""
    book.data = b"[" * 100_000 + b"]" * 100_000


@attack("unlucky")
def byte_order_mark(book: Book) -> None:
    """Saved by an editor that puts a byte order mark first; read all the same."""
    book.write(book.notebook, "utf-8-sig")
    book.says("byte order mark")


@attack("unlucky")
def utf_16(book: Book) -> None:
    """Saved as UTF-16; read all the same."""
    book.write(book.notebook, "utf-16")
    book.says("UTF-16")


@attack("unlucky")
def latin_1(book: Book) -> None:
    """Saved as Latin-1 with an accent in a cell; read all the same."""
    book.cell("# café")
    tree = json.dumps(book.notebook, ensure_ascii=False)
    book.data = tree.encode("latin-1", "ignore")
    book.says("Latin-1")


@attack("unlucky")
def lone_surrogate(book: Book) -> None:
    """Half a character in a comment, as some editors leave it: replaced, and graded."""
    book.cell("# half: X")
    book.data = json.dumps(book.notebook).replace("half: X", "half: \\ud83d").encode()
    book.says("lone surrogate")


@attack("unlucky")
def old_formats(book: Book) -> None:
    """Saved by a tool of 2014 in format 3: converted, and graded."""
    book.write(nbformat.convert(book.tree(), 3))
    book.says("old format 3")


@attack("unlucky")
def format_to_come(book: Book) -> None:
    """Claims format 5 with unknown fields, and cells without ids; what counts is there, so it is graded."""
    tree = json.loads(json.dumps(book.notebook))
    tree |= {"nbformat": 5, "nbformat_minor": 99, "unknown": [1]}
    for cell in tree["cells"]:
        cell.pop("id", None)
        cell["unknown"] = {}
    book.write(tree)


@attack("unlucky")
def cells_in_disorder(book: Book) -> None:
    """Cells copied with their ids, test cells deleted and retyped, metadata of the kernel wrong: rebuilt from the
    release, and graded in full.
    """
    cells = book.notebook.cells
    twin = copy.deepcopy(cells[book.place("merge_pair")])
    cells.insert(book.place("test_merge_pair"), twin)
    del cells[book.place("test_tie_example")]
    cells[book.place("test_best_pair")].cell_type = "markdown"
    book.notebook.metadata.kernelspec = {"name": "julia-1.9", "display_name": "Julia", "language": "julia"}


@attack("unlucky")
def stripped_metadata(book: Book) -> None:
    """All metadata and ids dropped by a tool: locked cells are known by their text, so the answers between them stay in
    their order and are graded in full.
    """
    for cell in book.notebook.cells:
        cell.metadata = {}
        cell.pop("id", None)


@attack("unlucky")
def windows_line_ends(book: Book) -> None:
    """CRLF in every cell."""
    for cell in book.notebook.cells:
        cell.source = cell.source.replace("\n", "\r\n")


@attack("unlucky")
def noise_in_right_answers(book: Book) -> None:
    """Right answers that print, write to standard error, warn and log: no points lost."""
    right = book.answers["count_pairs"].replace("def count_pairs", "def quiet")
    book.answer("count_pairs", f"""
import logging, sys, warnings
{right}
def count_pairs(sequences):
    print('here'); print('there', file=sys.stderr); warnings.warn('hm')
    logging.warning('so')
    return quiet(sequences)
""")


@attack("unlucky")
def own_names_and_globals(book: Book) -> None:
    """Renamed arguments, a default argument, a `global` counter: right answers in a style of their own."""
    book.answer("best_pair", """
turns = 0
def best_pair(table, *, verbose=False):
    global turns
    turns += 1
    if not table:
        raise ValueError("counts is empty")
    return min(table, key=lambda pair: (-table[pair], pair))
""")


@attack("unlucky")
def redefined_later(book: Book) -> None:
    """A right answer is overwritten by an experiment below its test. The test saw the right one."""
    book.cell("def count_pairs(sequences):\n    return 'only trying'", after="test_plot_merges")


@attack("unlucky")
def stray_exit(book: Book) -> None:
    """`exit()` in the last cell: nothing after it is lost, since nothing is."""
    book.cell("exit()", after="test_plot_merges")


@attack("unlucky")
def shadowed_modules(book: Book) -> None:
    """Writes modules called `random.py` and `json.py` beside the notebook and imports them: its own affair."""
    book.cell("open('random.py', 'w').write('seed = 1')\nopen('json.py', 'w').write('x = 1')\nimport sys\n"
              "sys.path.insert(0, '')\nfor name in ('random', 'json'): sys.modules.pop(name, None)")


@attack("unlucky")
def outputs_of_another_run(book: Book) -> None:
    """Ten megabytes of outputs left over from another run, an error in a test cell among them. They are not read."""
    for cell in book.notebook.cells:
        if cell.cell_type == "code":
            long = ["x" * 400_000]
            cell.outputs = [{"output_type": "error", "ename": "AssertionError", "evalue": "no", "traceback": long}]


@attack("unlucky")
def locked_cell_changed(book: Book) -> None:
    """Added an import to a locked cell in an editor that lets one. The released cell runs, and a note says that the
    change does not count.
    """
    book.notebook.cells[book.place("setup_imports")].source += "\nimport collections"
    book.says("the locked cell setup_imports")


@attack("unlucky")
def warnings_made_errors(book: Book) -> None:
    """Turns all warnings into errors, as a careful student may; the grader's own forks warn in newer Pythons."""
    book.cell("import warnings\nwarnings.simplefilter('error')", after="setup_imports")


@attack("unlucky")
def habits(book: Book) -> None:
    """Magics, names of builtins taken for variables, standard output sent to a file, another working directory, a name
    that ends in an underscore: nothing of it costs points.
    """
    book.answer("count_pairs", "%%time\n" + book.answers["count_pairs"])
    book.cell("%matplotlib inline\nlist_ = [1]; input = 'text'; id = 7; print_ = print")
    book.cell("import os, sys\nos.makedirs('mine', exist_ok=True)\nos.chdir('mine')\nsys.stdout = open('log.txt', 'w')",
              after="test_merge_pair")


@attack("unlucky", slow=True)
def slow_top_level(book: Book) -> None:
    """Code at top level that takes nearly as long as a cell may, twice."""
    book.cell("import time\ntime.sleep(5)")
    book.cell("import time\ntime.sleep(5)", after="test_merge_pair")


@attack("unlucky", ungradable="of this chapter's")
def other_chapter(book: Book) -> None:
    """The notebook of another chapter under this one's name: not a silent zero, a person is asked."""
    tree = book.tree()
    tree.cells = [
        nbformat.v4.new_code_cell("def encode(text):\n    return text", metadata={"nbgrader": {"grade_id": "encode"}})
    ]
    book.write(tree)


@attack("unlucky")
def all_in_cells_of_their_own(book: Book) -> None:
    """Exported to a script and back: no cell of the release is left, but all that is asked for is defined."""
    cells = [cell for cell in book.notebook.cells if cell.cell_type == "code"]
    tree = book.tree()
    tree.cells = [nbformat.v4.new_code_cell("\n\n".join(cell.source for cell in cells if "test_" not in cell.source))]
    book.write(tree)


@attack("unlucky")
def answer_in_a_text_made_code(book: Book) -> None:
    """Made a text of the chapter a cell of code by a slip of the keyboard, and wrote the answer there. The text comes
    back from the release, and the code is run as the student's own.
    """
    book.answer("count_pairs", "# see above")
    cell = nbformat.v4.new_code_cell(book.answers["count_pairs"], id="count-pairs-task")
    book.notebook.cells.insert(book.place("count_pairs"), cell)


@attack("unlucky")
def answer_typed_into_the_question(book: Book) -> None:
    """Typed an answer below the question, in the question's own cell, which some editors let one change. The question
    comes from the release; what was added stands behind it, where whoever marks it sees it.
    """
    question = book.notebook.cells[book.place("question_count_is_not_saving")]
    question.source += "\n\nBecause places overlap, my own words."
    book.says("Because places overlap, my own words.")


@attack("unlucky", count_pairs=0)
def answer_beside_the_tests(book: Book) -> None:
    """Wrote the function into the cell of its tests, which is not run when graded. That costs the points, and the
    report says why instead of only that nothing is written.
    """
    book.answer("count_pairs", "")
    book.notebook.cells[book.place("test_count_pairs")].source += f"\n\n{book.answers['count_pairs']}"
    book.says("what test_count_pairs defines beside its tests")
