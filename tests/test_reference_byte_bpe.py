"""The reference tokenizer against independent oracles: tiktoken, brute force, worked examples by hand."""

import itertools
import math

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from autograder.reference import byte_bpe
from autograder.reference.naive_bpe import fit_merges

AB_AC = [((97, 98), 258), ((97, 99), 259)]
TEXTS = ["", "abac", "aaaaaaa", "한국어 텍스트", "👩‍👩‍👧", "a\r\nb\n\n", "naïve café", "\u0000\u2028", "ab" * 300]
SOME = st.text(alphabet="ab é漢😀\n", max_size=30)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("documents", [["abab", "acac"], ["漢字漢字かな", "naïve naïve"], ["a" * 20]])
def test_every_text_comes_back(text, documents):
    merges = fit_merges(documents, 32)
    ids = byte_bpe.encode(text, merges)
    assert byte_bpe.decode(ids, merges) == text
    assert byte_bpe.is_canonical(ids, merges)


@given(documents=st.lists(SOME, min_size=1, max_size=4), text=SOME)
def test_round_trip_of_any_text(documents, text):
    merges = fit_merges(documents, 20)
    ids = byte_bpe.encode(text, merges)
    assert byte_bpe.decode(ids, merges) == text
    assert (ids[0], ids[-1]) == (256, 257)
    assert b"".join(byte_bpe.token_table(merges)[one] for one in ids) == text.encode()


@given(documents=st.lists(SOME, min_size=1, max_size=4), text=SOME)
def test_tiktoken_encodes_alike(documents, text):
    """For learnt rules "merge when the joined bytes are a token, lowest rank first" is the same as rule by rule."""
    merges = fit_merges(documents, 20)
    table = byte_bpe.token_table(merges)
    ranks = {piece: one for one, piece in table.items() if piece}
    if len(ranks) == len(table) - 2:  # tiktoken cannot hold two ids of equal bytes
        other = tiktoken.Encoding("test", pat_str=r"[\s\S]+", mergeable_ranks=ranks, special_tokens={})
        assert other.encode_ordinary(text) == byte_bpe.encode(text, merges)[1:-1]


def test_the_order_of_rules_by_hand():
    """bc, ab, (ab)c on `abc`: bc is replaced first, then no ab is left."""
    assert byte_bpe.encode("abc", [((98, 99), 258), ((97, 98), 259), ((259, 99), 260)]) == [256, 97, 258, 257]


def test_rules_by_parts_not_by_bytes():
    """Rules (b, b) and (b, bb) on `abbb`: bb is replaced from the left, then `bb b` is no pair of (b, bb)."""
    assert byte_bpe.encode("abbb", [((98, 98), 258), ((98, 258), 259)]) == [256, 97, 258, 98, 257]


@pytest.mark.parametrize(
    "merges",
    [
        [((258, 97), 258)], [((97, 258), 258)], [((259, 97), 258), ((97, 98), 259)], [((256, 97), 258)],
        [((97, 257), 258)], [((97, 98), 259)], [((True, 98), 258)], [((97.0, 98), 258)], [((-1, 98), 258)], AB_AC[::-1],
    ],
)
def test_impossible_rules_are_refused(merges):
    with pytest.raises(ValueError, match="merges"):
        byte_bpe.token_table(merges)


def test_decode_refuses():
    with pytest.raises(ValueError, match="ids"):
        byte_bpe.decode([260], AB_AC)
    with pytest.raises(UnicodeDecodeError):
        byte_bpe.decode([256, 195, 257], AB_AC)
    with pytest.raises(UnicodeEncodeError):
        byte_bpe.encode("\ud800", [])


def test_digest_as_coreutils_compute_it():
    r"""`printf 'byte-bpe 1\n97 98 258\n97 99 259\n' | sha256sum`."""
    assert byte_bpe.digest(AB_AC) == "d2182155791434e907de73a9c215c83e9331a801244aca623254a8b7957cc988"
    assert byte_bpe.digest(AB_AC) != byte_bpe.digest([((97, 99), 258), ((97, 98), 259)])


@given(st.binary(max_size=3), st.binary(max_size=3))
def test_labels_tell_pieces_apart(one, other):
    assert (byte_bpe.fragment_label(one) == byte_bpe.fragment_label(other)) == (one == other)


def all_encodings(data: bytes, table: dict[int, bytes]) -> list[list[int]]:
    """Every list of ids for the bytes, one by one."""
    if not data:
        return [[]]
    starts = [(one, piece) for one, piece in table.items() if piece and data.startswith(piece)]
    return [[one, *rest] for one, piece in starts for rest in all_encodings(data[len(piece) :], table)]


@given(documents=st.lists(st.text(alphabet="abé", max_size=12), min_size=1, max_size=3),
       text=st.text(alphabet="abé", max_size=7))
def test_count_encodings_by_listing_them(documents, text):
    merges = fit_merges(documents, 6)
    found = all_encodings(text.encode(), byte_bpe.token_table(merges))
    assert byte_bpe.count_encodings(text, merges) == len(found)
    canonical = [ids for ids in found if byte_bpe.is_canonical([256, *ids, 257], merges)]
    assert canonical == [byte_bpe.encode(text, merges)[1:-1]]


def test_count_encodings_is_fibonacci():
    numbers = [1, 1]
    for _ in range(99):
        numbers.append(numbers[-1] + numbers[-2])
    assert byte_bpe.count_encodings("a" * 100, [((97, 97), 258)]) == numbers[100] == 573147844013817084101


def test_equal_bytes_are_different_ids():
    assert byte_bpe.count_encodings("aaa", [((97, 97), 258), ((258, 97), 259), ((97, 258), 260)]) == 5


def test_path_bits_by_hand():
    """Probabilities 1/4 and 1/4 are 4 bits; over two bytes 2 bits each."""
    assert byte_bpe.path_bits_per_byte([math.log(1 / 4)] * 2, "ab") == pytest.approx(2.0)
    assert byte_bpe.path_bits_per_byte([math.log(1 / 4)] * 2, "é") == pytest.approx(2.0)
    assert byte_bpe.path_bits_per_byte([-math.inf], "a") == math.inf
    for log_probs, text in (([], "a"), ([0.1], "a"), ([math.nan], "a"), ([-1.0], "")):
        with pytest.raises(ValueError, match=r"log_probs|text"):
            byte_bpe.path_bits_per_byte(log_probs, text)


@given(SOME, st.integers(1, 6))
def test_context_bytes_against_slices(text, window):
    merges = fit_merges([text, text], 10)
    pieces = [byte_bpe.token_table(merges)[one] for one in byte_bpe.encode(text, merges)[1:-1]]
    runs = [pieces[start : start + window] for start in range(len(pieces))]
    assert byte_bpe.context_bytes(text, merges, window) == [len(b"".join(run)) for run in runs if len(run) == window]


def test_embedding_parameters():
    assert byte_bpe.embedding_parameters(260, 64, True) == 260 * 64
    assert byte_bpe.embedding_parameters(260, 64, False) == 2 * 260 * 64
    for arguments in ((0, 64, True), (True, 64, True), (260, 0, True), (260, 64.0, True)):
        with pytest.raises(ValueError, match=r"vocab_size|d_model"):
            byte_bpe.embedding_parameters(*arguments)


@given(st.lists(st.text(alphabet="cd", min_size=1, max_size=9), max_size=4, unique=True))
def test_held_out_texts_change_nothing(texts):
    base = byte_bpe.fit_splits({"train": ["abab", "abc"], "validation": [], "test": []}, 8)
    half = len(texts) // 2
    other = byte_bpe.fit_splits({"train": ["abab", "abc"], "validation": texts[:half], "test": texts[half:]}, 8)
    assert (base["merges"], base["digest"]) == (other["merges"], other["digest"])


def test_splits_are_guarded():
    splits = {"train": ["a", "b", "b"], "validation": ["c"], "test": ["d"]}
    byte_bpe.fit_splits(splits, 3)
    for one, other in itertools.permutations(splits, 2):
        with pytest.raises(ValueError, match="splits"):
            byte_bpe.fit_splits({**splits, one: [*splits[one], splits[other][0]]}, 3)
    with pytest.raises(ValueError, match="splits"):
        byte_bpe.fit_splits({"train": ["a"], "test": ["b"]}, 3)


def test_repeats_in_train_count():
    """ab and xy tie until one of the texts comes twice."""
    once = byte_bpe.fit_splits({"train": ["abab", "xyxy"], "validation": [], "test": []}, 1)["merges"]
    twice = byte_bpe.fit_splits({"train": ["abab", "xyxy", "xyxy"], "validation": [], "test": []}, 1)["merges"]
    assert (once, twice) == ([((97, 98), 258)], [((120, 121), 258)])
