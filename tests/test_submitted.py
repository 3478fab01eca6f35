"""Which file of a student's folder is graded, whatever it came to be called on its way."""

import io
import os
import pathlib

import pytest
from rich.console import Console

from autograder.cli import class_table, row_of
from autograder.grading.chapter import Chapter
from autograder.grading.classroom import Outcome
from autograder.grading.submitted import hand_in
from autograder.grading.verdict import Verdict

CHAPTER, NAME = "03_naive_bpe", "naive_bpe"
DECORATED = [
    "naive_bpe (1).ipynb", "[copy] naive_bpe.ipynb", "naive_bpe[1].ipynb", " naive bpe .ipynb", "Übung 3 – été.ipynb",
    "나의 과제.ipynb", "CON.ipynb", "aux.naive_bpe.ipynb", "naive_bpe.ipynb.ipynb", "NAIVE_BPE.ipynb", "-rf.ipynb",
    "naive_bpe\n(1).ipynb", "naive_bpe\udcff.ipynb", "*.ipynb", "x" * 240 + ".ipynb",
]


def put(folder: pathlib.Path, **files: bytes) -> None:
    for name, content in files.items():
        (folder / name).write_bytes(content)


@pytest.mark.parametrize("name", DECORATED)
def test_the_only_notebook_counts_whatever_its_name(tmp_path, name):
    put(tmp_path, **{name: b"it", "timestamp.txt": b"", "random.py": b"", "._naive_bpe.ipynb": b"a Mac's"})
    (tmp_path / ".ipynb_checkpoints").mkdir()
    handed = hand_in(tmp_path, NAME)
    assert (handed.data, handed.trouble) == (b"it", "")
    (note,) = handed.notes
    assert "graded all the same" in note
    assert note.isprintable()


def test_the_right_name_comes_first(tmp_path):
    put(tmp_path, **{"naive_bpe.ipynb": b"it", "naive_bpe (1).ipynb": b"older", "scratch.ipynb": b"other"})
    handed = hand_in(tmp_path, NAME)
    assert handed.data == b"it"
    assert handed.notes == ("Graded was 'naive_bpe.ipynb'; not looked at: 'naive_bpe (1).ipynb', 'scratch.ipynb'.",)


def test_among_several_the_one_that_bears_the_name(tmp_path):
    put(tmp_path, **{"Naive_BPE-final.ipynb": b"it", "scratch.ipynb": b"other"})
    assert hand_in(tmp_path, NAME).data == b"it"


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["naive_bpe (1).ipynb", "naive_bpe (2).ipynb"], "which of 'naive_bpe (1).ipynb', 'naive_bpe (2).ipynb'"),
        (["a.ipynb", "b.ipynb"], "None of them is called naive_bpe.ipynb"),
        (["naive_bpe.ipynb.txt"], "no file that ends in .ipynb, but 'naive_bpe.ipynb.txt'; save it as naive_bpe.ipynb"),
        ([], "the folder is empty"),
    ],
)
def test_what_only_a_person_can_decide_has_a_reason(tmp_path, names, reason):
    put(tmp_path, **dict.fromkeys(names, b"x"))
    assert reason in hand_in(tmp_path, NAME).trouble


def test_a_notebook_in_a_folder_of_its_own_is_named(tmp_path):
    (tmp_path / "unpacked").mkdir()
    put(tmp_path / "unpacked", **{"naive_bpe.ipynb": b"it"})
    assert "but 'unpacked'" in hand_in(tmp_path, NAME).trouble


def test_links_and_pipes_are_not_read(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("canary")
    folder = tmp_path / "hand-in"
    folder.mkdir()
    (folder / "naive_bpe.ipynb").symlink_to(secret)
    handed = hand_in(folder, NAME)
    assert "is a link" in handed.trouble
    assert b"canary" not in handed.data
    (folder / "naive_bpe.ipynb").unlink()
    os.mkfifo(folder / "naive_bpe.ipynb")
    assert "not a file" in hand_in(folder, NAME).trouble


def test_names_that_look_like_markup_are_shown_as_they_are():
    """A reason may hold a file's name, and `[/copy]` would end the table with an error."""
    reason = "which of '[/copy] a.ipynb', '[red]b.ipynb' is it?"
    verdict = Verdict(CHAPTER, "ungradable", 1.0, reason=reason)
    outcomes = [Outcome("[/student]", verdict), Outcome("b", None, trouble="[/trouble]")]
    console = Console(width=200, file=io.StringIO())
    console.print(class_table(Chapter(CHAPTER, pathlib.Path("x.ipynb")), map(row_of, outcomes)))
    said = console.file.getvalue()
    assert reason in said
    assert "[/student]" in said
    assert "[/trouble]" in said
