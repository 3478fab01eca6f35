"""Counting in slices, stages, processes and on a cluster gives what the pattern gives on the whole text."""

import itertools
import sys
import warnings

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from autograder.checks.inputs import NASTY_TEXTS
from autograder.reference import corpus_counts, incremental_bpe, pretokenized_bpe, safe_cuts
from autograder.reference.corpus_counts import count_file, count_part

# One of each kind: letter, digit, sign, apostrophe and what may follow it, ASCII white space, other white space, and
# U+001C, which `re` takes for white space and `regex` does not.
KINDS = "a1.'s \n\r\u00a0é\u3000\x1c"
SPECIALS = [[], ["<s>"], ["a  b", " ", "\n\n"], ["<s><s>", "<s>", "s>a"], ["aa", "a'", "\r\n1"]]
MIXED = st.lists(st.sampled_from([*KINDS, "  ", "\r\n", "ll", "<s>", "a  b", "\u2003", "😀"]), max_size=14).map("".join)


def by_bytes(numbers: dict[str, int]) -> dict[tuple[bytes, ...], int]:
    return {tuple(bytes([byte]) for byte in piece.encode()): number for piece, number in numbers.items()}


def test_white_space_is_what_regex_takes_for_it():
    everything = "".join(map(chr, [*range(0xD800), *range(0xE000, sys.maxunicode + 1)]))
    assert set(regex.findall(r"\s", everything)) == safe_cuts.WHITES


def test_every_small_text_in_chunks_and_by_the_faster_pattern():
    for length in range(5):
        for signs in itertools.product(KINDS, repeat=length):
            text = "".join(signs)
            whole = list(pretokenized_bpe.pretokenize(text))
            assert [piece for chunk in safe_cuts.chunks(text) for piece in corpus_counts.pieces(chunk)] == whole
            assert corpus_counts.pieces(text) == whole


def test_every_ascii_text_of_two_signs():
    for signs in itertools.product(map(chr, range(128)), repeat=2):
        text = "".join(signs)
        assert corpus_counts.pieces(text) == list(pretokenized_bpe.pretokenize(text))


@given(MIXED, st.sampled_from(SPECIALS))
def test_each_safe_cut_is_safe(text, special):
    """The pre-tokens of both sides together are those of the whole, and no special token is lost or made."""
    data, tokens = text.encode(), [token.encode() for token in special]
    last, cuts = len(data), []
    while (cut := safe_cuts.safe_cut(data, tokens, 0, last)) is not None:
        last = cut - 1
        cuts.append(cut)
        sides = [pretokenized_bpe.count_pretokens(side.decode(), special) for side in (data[:cut], data[cut:])]
        both = {piece: sum(side.get(piece, 0) for side in sides) for piece in sides[0] | sides[1]}
        assert both == pretokenized_bpe.count_pretokens(text, special)
    assert cuts == sorted(set(cuts), reverse=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("corpus")


@given(MIXED, st.sampled_from(SPECIALS), st.integers(1, 9), st.integers(1, 5), st.integers(1, 12))
def test_slices_stages_and_parts(folder, text, special, size, kept, stretch):
    path = folder / "text"
    path.write_bytes(text.encode())
    whole = pretokenized_bpe.count_pretokens(text, special)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(safe_cuts, "SLICE", size)
        patch.setattr(corpus_counts, "CHUNKS", kept)
        patch.setattr(corpus_counts, "JOINED", 2)
        heard = []
        assert by_bytes(count_file(path, special, advance=heard.append)) == whole
        assert sum(heard) == len(text.encode())
        totals = {}
        parts = safe_cuts.parts(path, special, stretch)
        assert [0, *(part.end for part in parts)] == [*(part.start for part in parts), len(text.encode())]
        for part in parts:
            corpus_counts.add_up(totals, count_part(part, special))
        assert by_bytes(totals) == whole


@given(st.lists(st.sampled_from([b"a ", b"\n", b"\xc3\xa9", b"\xc3", b"\xa9", b"\xff", b"\xed\xa0\x80"]), max_size=12),
       st.integers(1, 6))
def test_wrong_bytes_are_reported_where_they_are_in_the_file(folder, parts, size):
    data = b"".join(parts)
    path = folder / "bytes"
    path.write_bytes(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(safe_cuts, "SLICE", size)
        if (start := first_wrong(data)) is not None:
            with pytest.raises(UnicodeDecodeError, match=rf"position {start}\b") as found:
                count_file(path, [])
            assert (found.value.start, found.value.encoding) == (start, "utf-8")
        else:
            assert by_bytes(count_file(path, [])) == pretokenized_bpe.count_pretokens(data.decode(), [])


def first_wrong(data: bytes) -> int | None:
    """Where CPython's decoder stops, or None."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None


@pytest.fixture
def long_file(tmp_path):
    path = tmp_path / "long"
    path.write_bytes("<s>".join([*NASTY_TEXTS, "It's  a\r\n\r\nrun " * 300, "x" * 3_000]).encode())
    return path


def test_several_processes(long_file):
    heard = []
    assert count_file(long_file, ["<s>"], jobs=2, advance=heard.append) == count_file(long_file, ["<s>"])
    assert sum(heard) == long_file.stat().st_size
    assert len(heard) > 1


def test_training_from_a_file_is_the_plain_training(long_file, tmp_path):
    plain = pretokenized_bpe.train_bpe(long_file, 320, ["<s>"])
    assert incremental_bpe.train_bpe(long_file, 320, ["<s>"]) == plain
    for size, special in ((255, []), (256, ["<s>"]), (300, [""]), (300, ["<s>", "<s>"])):
        with pytest.raises(ValueError, match=r"vocab_size|special_tokens"):
            incremental_bpe.train_bpe(long_file, size, special)
    for content, special in ((b"", []), (b"<s><s>", ["<s>"]), (b"a", []), (b"a\r\n", [])):
        (tmp_path / "small").write_bytes(content)
        for trainer in (pretokenized_bpe, incremental_bpe):
            vocab, merges = trainer.train_bpe(tmp_path / "small", 999, special)
            assert merges == ([(b"\r", b"\n")] if b"\r" in content else [])
            assert len(vocab) == 256 + len(special) + len(merges)


def test_a_cluster(long_file, tmp_path):
    distributed = pytest.importorskip("distributed")
    from autograder.reference.cluster_counts import count_on_cluster

    other = tmp_path / "other"
    other.write_bytes(b"an other  file\r\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the library's own
        with distributed.Client(processes=False, dashboard_address=":0", n_workers=2, threads_per_worker=1) as client:
            found = count_on_cluster(client, [long_file, other], ["<s>"], part_size=1_000)
    right = corpus_counts.add_up(count_file(long_file, ["<s>"]), count_file(other, ["<s>"]))
    assert found == right


