"""Every reference trainer on more than a megabyte of text: the same merges, and a peer's where the rules agree."""

import pathlib
import sysconfig

import pytest

from autograder.reference import array_bpe, corpus_counts, incremental_bpe, naive_bpe, pretokenized_bpe

SIZE = 1_000_000  # bytes at least


@pytest.fixture(scope="module")
def text() -> str:
    """Sources of Python's own library, as they lie on this machine, in the order of their names, up to the size."""
    parts, size = [], 0
    for path in sorted(pathlib.Path(sysconfig.get_path("stdlib")).glob("*.py")):
        parts.append(path.read_bytes().decode("utf-8"))
        size += len(parts[-1].encode("utf-8"))
        if size >= SIZE:
            return "".join(parts)
    pytest.skip("the standard library's sources are not here")


def test_r1(text):
    """The plain version needs seconds for a few rounds here; the others agree with it on those, and go on together."""
    by_loop, by_numpy = incremental_bpe.fit_merges([text], 200), array_bpe.fit_merges([text], 200)
    assert by_loop == by_numpy
    assert by_loop[:3] == naive_bpe.fit_merges([text], 3)
    assert len(by_loop) == 200


def test_r2(text, tmp_path):
    path = tmp_path / "text"
    path.write_bytes(text.encode())
    by_line = incremental_bpe.train_bpe(path, 2_257, ["import"])
    counts = pretokenized_bpe.count_pretokens(text, ["import"])
    found = corpus_counts.count_file(path, ["import"])
    assert {b"".join(symbols): number for symbols, number in counts.items()} == {
        piece.encode(): number for piece, number in found.items()
    }
    assert by_line[1][:30] == pretokenized_bpe.learn_merges(counts, 30)
    assert by_line[1] == incremental_bpe.learn_merges(counts, 2_000)
    assert len(by_line[1]) == 2_000


def test_r1_is_what_rustbpe_learns_from_one_piece(text):
    """rustbpe breaks ties as R1 does; with a pattern that takes everything it has no pre-tokens either."""
    rustbpe = pytest.importorskip("rustbpe")
    part = text[:200_000]
    made = rustbpe.Tokenizer()
    made.train_from_iterator(iter([part]), vocab_size=256 + 500, pattern=r"[\s\S]+")
    theirs = [bytes(token) for token, rank in sorted(made.get_mergeable_ranks(), key=lambda one: one[1]) if rank > 255]
    pieces = {byte: bytes([byte]) for byte in range(256)}
    for (a, b), new_id in array_bpe.fit_merges([part], 500):
        pieces[new_id] = pieces[a] + pieces[b]
    assert [piece for number, piece in pieces.items() if number > 255] == theirs
