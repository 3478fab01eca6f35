"""The parts of the kernel that stand in for ipykernel's and IPython's own, without a sandbox around them."""

import os
import pathlib
import signal

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from autograder.sandbox.inside import kernel

ROOT = pathlib.Path(__file__).resolve().parent.parent

MAGICS = (
    "%time x = 1\ny", "x\n  %cd ..\ny", "x = %pwd\ny", "x = \\\n%pwd\ny", "files = !ls\ny", "!ls\ny", "%%time\nx",
    "x\nlen?", "?len\ny", "len??\n\n", "def f():\n    !ls\n    x = !ls\n", ",f a b\ny", ";f a b\ny", "/f a\ny",
    ">>> x = 1\n>>> y", "In [1]: x\n   ...: y", "\n\n  x\n  y", "x = 5 % 3\ny = 'what?'  # is it?\n",
    "x != y\nf(a\n  % b)", "(x\n, y)", 'x = """\n%a\n"""',
)


@pytest.mark.parametrize("source", MAGICS)
def test_a_cell_with_magics_becomes_what_ipython_makes_of_it(source):
    assert kernel.WorkbookTransformer().transform_cell(source) == TransformerManager().transform_cell(source)


@pytest.mark.parametrize("chapter", sorted(ROOT.glob("solutions/*/*.ipynb")), ids=lambda path: path.stem)
def test_the_cells_of_a_chapter_become_what_ipython_makes_of_them(chapter):
    cells = nbformat.read(chapter, as_version=4).cells
    ours, plain = kernel.WorkbookTransformer(), TransformerManager()
    for source in [cell.source for cell in cells if cell.cell_type == "code"]:
        assert ours.transform_cell(source) == plain.transform_cell(source)


def test_an_interrupt_waits_until_an_output_is_sent():
    """Messages have parts; an endless loop of outputs is interrupted between two of them sooner or later."""
    sent = []

    def send():
        for part in range(3):
            os.kill(os.getpid(), signal.SIGINT)
            sent.append(part)

    publisher = kernel.Publisher(None)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started us without one
    try:
        with pytest.raises(KeyboardInterrupt):
            publisher.schedule(send)
        assert sent == [0, 1, 2]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
