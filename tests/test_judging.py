"""How a verdict comes about: at the test cells, else in another run, and always the same one."""

import dataclasses
import pathlib

import pytest
from hostile.corpus import CHAPTER, Book
from test_sandbox import notebook, printed

from autograder.checks.outcomes import Returned
from autograder.checks.session import Session
from autograder.grading import submission
from autograder.sandbox.run import run_notebook
from autograder.sandbox.snapshots import Unsettled

pytestmark = pytest.mark.xdist_group("sandbox")


def test_whoever_judges_meets_the_notebook_as_it_waits_at_the_cell(sandbox):
    """The first copy is a child of the kernel, the second one of a snapshot: both are as the notebook was then."""
    source = "state = [1]\ndef add():\n    state.append(2)\n    return list(state)"
    book = notebook(source, "test_a", "state.append(9)\nprint(state)", "test_b", "print('end')")
    seen = []

    def judge(name, snapshot):
        answers = []
        session = Session(snapshot.connect)
        for _ in range(3):
            answers += session.function("add").outcomes([()])
            session.close()
        seen.append((name, answers, [printed(cell) for cell in book.cells]))

    with run_notebook(book, {"test_a", "test_b"}, sandbox, judge=judge):
        pass
    assert seen == [
        ("test_a", [Returned([1, 2])] * 3, ["", "", "", "", ""]),
        ("test_b", [Returned([1, 9, 2])] * 3, ["", "", "[1, 9]\n", "", ""]),
    ]
    assert printed(book.cells[4]) == "end\n"


def test_one_copy_of_each_cell_is_left_when_the_notebook_has_run(sandbox):
    book = notebook("x = 1\ndef f():\n    return x", "test_a", "x = 2", "test_b")
    with run_notebook(book, {"test_a", "test_b"}, sandbox, judge=lambda name, snapshot: None) as run:
        for name, expected in (("test_a", 1), ("test_b", 2)):
            session = Session(run.snapshots[name].connect)
            assert session.function("f").outcomes([(), ()]) == [Returned(expected)] * 2
            session.close()
            with pytest.raises(Unsettled):
                session.function("f").outcomes([()])


def test_a_kernel_that_ends_leaves_nothing_settled(sandbox):
    book = notebook("test_a", "import os\nos._exit(1)", "test_b")
    names = []
    with (
        pytest.raises(Unsettled),
        run_notebook(book, {"test_a", "test_b"}, sandbox, judge=lambda name, snapshot: names.append(name)),
    ):
        pass
    assert names == ["test_a"]
    with run_notebook(book, {"test_a", "test_b"}, sandbox) as run:
        assert list(run.snapshots) == ["test_a", "test_b"]


@pytest.fixture
def runs(monkeypatch) -> list[bool]:
    """For each run of a notebook, whether it was judged at its test cells."""
    noted = []

    def run(*args, **kwargs):
        noted.append("judge" in kwargs)
        return run_notebook(*args, **kwargs)

    monkeypatch.setattr(submission, "run_notebook", run)
    return noted


IN_SECRET = "any(10_000 in ids for ids in sequences)"  # no public check asks for so large a number
ANSWERS = {  # what `count_pairs` does before it gives the right answer, and the runs that its verdict takes
    "right": ("pass", [True]),
    "wrong": ("return {}", [True]),
    "wrong for secret inputs": (f"if {IN_SECRET}: return {{}}", [True, False]),
    "ends for secret inputs": (f"if {IN_SECRET}: os._exit(1)", [True, False]),
    "ends for all inputs": ("os._exit(1)", [True]),
}


def book_with(tmp_path: pathlib.Path, line: str) -> Book:
    book = Book(tmp_path)
    right = book.answers["count_pairs"].replace("def count_pairs", "def my_count_pairs")
    book.answer("count_pairs", f"""
import os
{right}
def count_pairs(sequences):
    sequences = [list(ids) for ids in sequences]
    {line}
    return my_count_pairs(sequences)
""")
    return book


@pytest.mark.parametrize("kind", ANSWERS)
def test_the_verdict_is_that_of_a_run_which_keeps_everything(kind, sandbox, course, runs, monkeypatch, tmp_path):
    line, expected = ANSWERS[kind]
    data, chapter = book_with(tmp_path, line).submitted(), course.chapter(CHAPTER)
    early = submission.grade(data, chapter, course, sandbox)
    assert runs == expected
    score = next(cell.score for cell in early.verdict.cells if cell.grade_id == "test_count_pairs")
    assert score == {"right": 4, "wrong for secret inputs": 3.5, "ends for secret inputs": 3.5}.get(kind, 0)

    def keeping(*args, **kwargs):
        if "judge" in kwargs:
            raise Unsettled
        return run_notebook(*args, **kwargs)

    monkeypatch.setattr(submission, "run_notebook", keeping)
    late = submission.grade(data, chapter, course, sandbox)
    assert dataclasses.replace(early.verdict, seconds=0.0) == dataclasses.replace(late.verdict, seconds=0.0)
    assert early.notebook == late.notebook


def test_a_notebook_that_ends_its_kernel_is_judged_by_a_run_of_its_own(sandbox, course, runs, tmp_path):
    book = book_with(tmp_path, "pass")
    book.cell("os._exit(1)")
    graded = submission.grade(book.submitted(), course.chapter(CHAPTER), course, sandbox)
    assert runs == [True, False]
    asked = {cell.grade_id for cell in graded.verdict.cells if cell.score == cell.max_score}
    assert {"test_count_pairs", "test_merge_pair", "test_plot_merges"} <= asked
    assert "os._exit" in "".join(graded.verdict.notes)
