"""Chapter 2's reference against CPython's codecs, `tokenizers`' word-level model, and examples worked out by hand."""

import re
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.reference.simple_tokenizers import UNK, ByteTokenizer, CharacterTokenizer, WordTokenizer, split_words

ANY_TEXT = st.text(st.characters(exclude_categories=[]))  # surrogates included
VALID_TEXT = st.text()
HARD = ["", "한국어", "👩\u200d👩\u200d👧", "e\u0301", "a" * 1000, "a\r\nb\n", "\u2028\x85\x0b", "कि ना"]


@given(ANY_TEXT)
def test_characters_come_back(text):
    tokenizer = CharacterTokenizer()
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert tokenizer.encode(text) == list(memoryview(text.encode("utf-32-le", "surrogatepass")).cast("I"))


@given(VALID_TEXT)
def test_bytes_come_back(text):
    tokenizer = ByteTokenizer()
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert bytes(tokenizer.encode(text)) == text.encode()


@given(st.binary(max_size=8))
def test_bytes_are_decoded_as_cpython_does(data):
    try:
        expected = data.decode()
    except UnicodeDecodeError:
        with pytest.raises(UnicodeDecodeError):
            ByteTokenizer().decode(list(data))
    else:
        assert ByteTokenizer().decode(list(data)) == expected


@pytest.mark.parametrize("index", [-1, 0x110000, 2**31, 2**64, -(2**64)])
def test_an_id_that_is_no_code_point_is_refused(index):
    with pytest.raises(ValueError, match="indices"):
        CharacterTokenizer().decode([97, index])


@pytest.mark.parametrize("index", [-1, 256, 2**64])
def test_an_id_that_is_no_byte_is_refused(index):
    with pytest.raises(ValueError, match="range") as caught:
        ByteTokenizer().decode([index])
    assert not isinstance(caught.value, UnicodeDecodeError)


def test_a_surrogate_has_no_bytes():
    with pytest.raises(UnicodeEncodeError):
        ByteTokenizer().encode("\ud800")


def test_sizes():
    assert CharacterTokenizer.vocab_size == sys.maxunicode + 1
    assert ByteTokenizer.vocab_size == 2**8


@given(ANY_TEXT)
def test_pieces_lose_nothing(text):
    pieces = split_words(text)
    assert "".join(pieces) == text
    assert all(len(piece) == 1 or re.fullmatch(r"\w", piece[0]) or not piece.isascii() for piece in pieces)


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_pieces_are_those_of_the_standard_library(text):
    assert split_words(text) == re.findall(r"[A-Za-z0-9_]+|[\s\S]", text)


def test_to_be_or_not_to_be_by_hand():
    """The space five times, to and be twice with to first, or before not: ids 1 to 4; no room for not."""
    tokenizer = WordTokenizer(["to be or not to be"], 5)
    assert tokenizer.texts == [UNK, " ", "to", "be", "or"]
    assert tokenizer.encode("to be, or not") == [2, 1, 3, 0, 1, 4, 1, 0]
    assert tokenizer.decode([2, 1, 0]) == "to UNK"
    assert tokenizer.unknown_rate("to see or not") == 2 / 7


@given(st.lists(st.text("ab ,\n", max_size=12), max_size=4), st.integers(1, 12))
def test_words_by_the_rules(texts, vocab_size):
    tokenizer = WordTokenizer(iter(texts), vocab_size)
    pieces = [piece for text in texts for piece in split_words(text)]
    counts = Counter(pieces)
    kept = tokenizer.texts[1:]
    assert tokenizer.vocab_size == min(vocab_size, len(counts) + 1) == len(kept) + 1
    keys = [(-counts[piece], pieces.index(piece)) for piece in kept]
    assert keys == sorted((-counts[piece], pieces.index(piece)) for piece in counts)[: len(kept)]
    for text in filter(None, texts):
        known = [piece in kept for piece in split_words(text)]
        assert tokenizer.unknown_rate(text) == known.count(False) / len(known)
        if all(known):
            assert tokenizer.decode(tokenizer.encode(text)) == text


@pytest.mark.parametrize("text", [*HARD, "to see: or\nnot to see?"])
def test_ids_are_those_of_a_word_level_model(text):
    tokenizers = pytest.importorskip("tokenizers")
    ours = WordTokenizer(["to be or not to be\n", *HARD[1:4]], 30)
    vocabulary = {"\0unknown": 0, **ours.ids}
    model = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="\0unknown"))
    pieces = split_words(text)
    assert model.encode(pieces, is_pretokenized=True).ids == ours.encode(text)


def test_the_letters_unk_are_a_word():
    assert WordTokenizer(["UNK"], 2).encode("UNK x") == [1, 0, 0]


@pytest.mark.parametrize("vocab_size", [0, -1, True, 2.0, "3", None])
def test_a_bad_size_is_refused(vocab_size):
    with pytest.raises(ValueError, match="vocab_size"):
        WordTokenizer(["a"], vocab_size)


@pytest.mark.parametrize("index", [-1, 2, 10**20])
def test_an_id_outside_the_vocabulary_is_refused(index):
    with pytest.raises(ValueError, match="indices"):
        WordTokenizer(["a"], 2).decode([index])


def test_no_text_has_no_rate():
    with pytest.raises(ValueError, match="text"):
        WordTokenizer(["a"], 2).unknown_rate("")
