"""What is taken from a student's folder in the exchange: files, nothing through a link, and no time that is none."""

import os

import pytest
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeFactory
from traitlets.config import Config

from autograder.grading.nbgrader_glue import configure


@pytest.fixture
def collect(tmp_path):
    """The collector that this course configures."""
    config = Config()
    configure(config)
    return ExchangeFactory(config=config).collect(coursedir=CourseDirectory(root=str(tmp_path)))


def test_links_and_pipes_stay_behind_and_files_come(tmp_path, collect):
    (tmp_path / "secret").write_text("canary")
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / "answers.txt").write_text("canary")
    inbound = tmp_path / "inbound"
    (inbound / "data").mkdir(parents=True)
    (inbound / "naive_bpe.ipynb").write_text("{}")
    (inbound / "data" / "mine.txt").write_text("mine")
    (inbound / "data.txt").symlink_to(tmp_path / "secret")
    (inbound / "folder").symlink_to(tmp_path / "others")
    (inbound / "dangling").symlink_to(tmp_path / "nowhere")
    os.mkfifo(inbound / "pipe")
    collect.do_copy(str(inbound), str(tmp_path / "got"))
    got = {str(path.relative_to(tmp_path / "got")) for path in (tmp_path / "got").rglob("*")}
    assert got == {"naive_bpe.ipynb", "data", "data/mine.txt"}


def test_what_is_too_large_stops_nobody(tmp_path, collect):
    inbound = tmp_path / "inbound"
    inbound.mkdir()
    with (inbound / "large").open("wb") as file:
        file.truncate(1000 * collect.coursedir.max_dir_size + 1)
    collect.do_copy(str(inbound), str(tmp_path / "got"))
    assert not (tmp_path / "got").exists()


@pytest.mark.parametrize(
    "text", [b"yesterday", b"\xff\xfe", b"9" * 400, b"2026-02-30 10:00:00 UTC", b"\0", b"", b"1 1 1"]
)
def test_a_time_that_cannot_be_read_is_left_out(tmp_path, collect, text):
    (tmp_path / "timestamp.txt").write_bytes(text)
    assert collect.coursedir.get_existing_timestamp(str(tmp_path)) is None


def test_a_time_that_is_no_file_is_not_waited_for(tmp_path, collect):
    os.mkfifo(tmp_path / "timestamp.txt")
    assert collect.coursedir.get_existing_timestamp(str(tmp_path)) is None
    (tmp_path / "timestamp.txt").unlink()
    (tmp_path / "timestamp.txt").symlink_to("/dev/zero")
    assert collect.coursedir.get_existing_timestamp(str(tmp_path)) is None


def test_a_time_to_come_is_read_like_any_other(tmp_path, collect):
    (tmp_path / "timestamp.txt").write_text("2999-12-31 23:59:59.000000 UTC")
    assert collect.coursedir.get_existing_timestamp(str(tmp_path)).year == 2999
