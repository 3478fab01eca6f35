"""Saving and loading: the file is put in place in one step, and nothing that was changed is believed."""

import json
import os

import pytest

from autograder.checks.ch04_inputs import flipped_bits
from autograder.reference.byte_bpe import digest
from autograder.reference.naive_bpe import fit_merges
from autograder.reference.saved_bpe import load_tokenizer, save_tokenizer

AB_AC = [((97, 98), 258), ((97, 99), 259)]


def test_what_is_saved_is_loaded(tmp_path):
    for merges in ([], AB_AC, fit_merges(["漢字漢字 漢字", "aaaa"], 20)):
        save_tokenizer(tmp_path / "rules.json", merges)
        assert load_tokenizer(tmp_path / "rules.json") == merges
    assert os.listdir(tmp_path) == ["rules.json"]


def test_the_old_file_is_never_written_to(tmp_path):
    path = tmp_path / "rules.json"
    save_tokenizer(path, AB_AC)
    with open(path, "rb") as reader:
        old = path.read_bytes()
        save_tokenizer(path, [])
        assert reader.read() == old != path.read_bytes()


@pytest.mark.parametrize("merges", [[((97, 258), 258)], [((97, object()), 258)], [((97, b"b"), 258)]])
def test_a_failing_save_leaves_everything(tmp_path, merges):
    path = tmp_path / "rules.json"
    save_tokenizer(path, AB_AC)
    with pytest.raises(ValueError, match="merges"):
        save_tokenizer(path, merges)
    assert load_tokenizer(path) == AB_AC
    assert os.listdir(tmp_path) == ["rules.json"]


def test_a_crash_in_between_leaves_everything(tmp_path, monkeypatch):
    path = tmp_path / "rules.json"
    save_tokenizer(path, AB_AC)

    def no_disk(_):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", no_disk)
    with pytest.raises(OSError, match="no space"):
        save_tokenizer(path, [])
    assert load_tokenizer(path) == AB_AC
    assert os.listdir(tmp_path) == ["rules.json"]


def test_every_flipped_bit_is_refused(tmp_path):
    path = tmp_path / "rules.json"
    save_tokenizer(path, AB_AC)
    count = 0
    for content in flipped_bits(path.read_bytes()):
        path.write_bytes(content)
        with pytest.raises(ValueError):  # noqa: PT011  which message depends on the place
            load_tokenizer(path)
        count += 1
    assert count > 1_000


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"version": 2}, "version"), ({"version": True}, "version"), ({"version": "1"}, "version"),
        ({"merges": [[[97, 258], 258]]}, "merges"), ({"merges": None}, "merges"), ({"merges": [[97, 98]]}, "merges"),
        ({"merges": [[[97, 99], 258], [[97, 98], 259]]}, "digest"), ({"digest": digest(AB_AC).upper()}, "digest"),
        ({"digest": None}, "digest"), ({"merges": [[[97, 98], 258]]}, "digest"),
    ],
)
def test_each_fault_has_its_name(tmp_path, change, word):
    path = tmp_path / "rules.json"
    path.write_text(json.dumps({"version": 1, "merges": AB_AC, "digest": digest(AB_AC), **change}))
    with pytest.raises(ValueError, match=word):
        load_tokenizer(path)


@pytest.mark.parametrize("content", ["", "[]", "null", "{}", '{"version": 1}', "{", "3"])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "rules.json").write_text(content)
    with pytest.raises(ValueError):  # noqa: PT011  JSON's own messages, and ours
        load_tokenizer(tmp_path / "rules.json")
    with pytest.raises(FileNotFoundError):
        load_tokenizer(tmp_path / "missing.json")
