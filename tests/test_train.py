"""The command that trains on files: the plain version's merges, in the files that the tokenizer reads."""

import warnings

import pytest
from typer.testing import CliRunner

from autograder import train
from autograder.reference import pretokenized_bpe
from autograder.reference.tokenizer import Tokenizer

TEXT = "low lower<s>lowest  slow\r\nlow<s>" * 40


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_bytes(TEXT.encode())
    return path


def run(*args):
    return CliRunner().invoke(train.app, [str(one) for one in args])


@pytest.mark.parametrize("jobs", [1, 2])
def test_it_writes_what_the_tokenizer_reads(corpus, tmp_path, jobs):
    given = ["--vocab-size", 270, "--special", "<s>", "--jobs", jobs, "--output", tmp_path / "out"]
    ran = run(corpus, *given)
    assert ran.exit_code == 0, ran.output
    made = Tokenizer.from_files(tmp_path / "out" / "vocab.json", tmp_path / "out" / "merges.json", ["<s>"])
    assert (made.vocab, made.merges) == pretokenized_bpe.train_bpe(corpus, 270, ["<s>"])
    assert made.decode(made.encode(TEXT)) == TEXT


def test_files_are_counted_one_by_one(corpus, tmp_path):
    other = tmp_path / "other.txt"
    other.write_bytes(b"er slow")
    found = train.train([corpus, other], 280, ["<s>"])
    (tmp_path / "both").write_bytes(corpus.read_bytes() + b"<s>" + other.read_bytes())
    assert found == pretokenized_bpe.train_bpe(tmp_path / "both", 280, ["<s>"])


@pytest.mark.parametrize(("args", "word"), [(["--vocab-size", 9], "vocab_size"), (["--special", ""], "special_tokens")])
def test_what_cannot_be(corpus, args, word):
    ran = run(corpus, *args)
    assert (ran.exit_code, word in ran.output) == (2, True)


def test_wrong_bytes_are_named_with_their_offset(tmp_path):
    (tmp_path / "bad").write_bytes(b"ab \xff")
    ran = run(tmp_path / "bad")
    assert (ran.exit_code, "position 3" in ran.output) == (2, True)


def test_a_cluster_by_its_address(corpus):
    distributed = pytest.importorskip("distributed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the library's own
        with distributed.LocalCluster(1, processes=False, dashboard_address=":0", threads_per_worker=1) as cluster:
            found = train.train([corpus], 270, ["<s>"], scheduler=cluster.scheduler_address)
    assert found == pretokenized_bpe.train_bpe(corpus, 270, ["<s>"])
