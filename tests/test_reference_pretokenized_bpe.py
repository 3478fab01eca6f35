"""R2 against worked examples, tiktoken's and Hugging Face's cutting, and a second trainer that replaces in text."""

import os

import pytest
import regex
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import pre_tokenizers

from autograder.checks.inputs import NASTY_TEXTS
from autograder.reference.pretokenized_bpe import (
    count_pretokens,
    learn_merges,
    pretokenize,
    split_on_special,
    train_bpe,
)

EXAMPLES = int(os.environ.get("HYPOTHESIS_EXAMPLES", "60"))

# Text of characters that every table of Unicode knows; tokenizers and tiktoken use older tables than regex.
plain = st.text(alphabet="ab1' \n\té안.,sl", max_size=30)
words = st.dictionaries(st.text(alphabet="abc", min_size=1, max_size=7), st.integers(1, 3), max_size=5)


def symbols(word: str | bytes) -> tuple[bytes, ...]:
    data = word if isinstance(word, bytes) else word.encode()
    return tuple(bytes([byte]) for byte in data)


def learnt(counts: dict, merges: int) -> list[str]:
    pairs = learn_merges({symbols(word): number for word, number in counts.items()}, merges)
    return [f"{first.decode('latin-1')}+{second.decode('latin-1')}" for first, second in pairs]


def learn_by_replacing_text(counts: dict[str, int], merges: int) -> list[tuple[bytes, bytes]]:
    """R2 in another way: each symbol is a character of a str, whose own replace works from left to right."""
    pieces = {chr(0x4E00 + byte): bytes([byte]) for byte in range(256)}
    rows = [("".join(chr(0x4E00 + byte) for byte in word.encode()), number) for word, number in counts.items()]
    learnt = []
    for _ in range(merges):
        numbers: dict[str, int] = {}
        for row, number in rows:
            for i in range(len(row) - 1):
                numbers[row[i : i + 2]] = numbers.get(row[i : i + 2], 0) + number
        if not numbers:
            break
        most = max(numbers.values())
        _, best = max(((pieces[p[0]], pieces[p[1]]), p) for p in numbers if numbers[p] == most)
        new = chr(0x4E00 + len(pieces))
        pieces[new] = pieces[best[0]] + pieces[best[1]]
        learnt.append((pieces[best[0]], pieces[best[1]]))
        rows = [(row.replace(best, new), number) for row, number in rows]
    return learnt


@pytest.mark.parametrize(
    ("counts", "merges", "expected"),
    [
        # aab once: both pairs have one place, and (a, b) is greater than (a, a).
        ({"aab": 1}, 9, ["a+b", "a+ab"]),
        # baaa: aa at two places; then baa is b+aa and aa+a, both once, and b is above aa.
        ({"baaa": 1}, 9, ["a+a", "b+aa", "baa+a"]),
        ({"aaab": 1}, 9, ["a+a", "aa+a", "aaa+b"]),
        # A space is below all letters; bytes of é are above them.
        ({" a": 1, "bc": 1}, 1, ["b+c"]),
        ({"zy": 1, "ñ": 1}, 1, ["Ã+±"]),
        ({"aa": 2, "ab": 1}, 1, ["a+a"]),
        ({"aaabdaaabac": 1}, 3, ["a+a", "aa+a", "aaa+b"]),
        ({"abab": 1}, 9, ["a+b", "ab+ab"]),
        ({"aaaa": 1}, 9, ["a+a", "aa+aa"]),
        ({}, 3, []),
        ({"a": 5}, 3, []),
    ],
)
def test_worked_examples(counts, merges, expected):
    assert learnt(counts, merges) == expected


def test_ties_of_broken_bytes():
    assert learn_merges({symbols(b"\xa9\xc3\xc3"): 1}, 1) == [(b"\xc3", b"\xc3")]


@settings(max_examples=EXAMPLES, deadline=None)
@given(words, st.integers(0, 12))
def test_the_same_as_replacing_in_text(counts, merges):
    assert learn_merges({symbols(w): n for w, n in counts.items()}, merges) == learn_by_replacing_text(counts, merges)


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.text(max_size=40))
def test_pretokens_join_to_the_text(text):
    assert "".join(pretokenize(text)) == text


@settings(max_examples=EXAMPLES, deadline=None)
@given(plain)
def test_cuts_as_hugging_face_does(text):
    cutter = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    spans = [span for _, span in cutter.pre_tokenize_str(text)]
    assert list(pretokenize(text)) == [text[start:end] for start, end in spans]


def test_cuts_as_tiktoken_does():
    """An encoding of which each pre-token of the text is a token gives just the pre-tokens."""
    pattern = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
    for text in ("It's  12 o'clock!\n\n We'LL see.  ", "été 안녕  3月\t\tx", *NASTY_TEXTS):
        ours = list(pretokenize(text))
        whole = {piece.encode() for piece in ours if len(piece.encode()) > 1}
        ranks = {piece: i for i, piece in enumerate([*(bytes([b]) for b in range(256)), *sorted(whole)])}
        encoding = tiktoken.Encoding("cut", pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
        assert [encoding.decode_single_token_bytes(i).decode() for i in encoding.encode(text)] == ours


@pytest.mark.parametrize(
    ("text", "tokens", "expected"),
    [
        ("abcd", ["ab", "bcd"], ["cd"]),
        ("xabcx", ["ab", "abc"], ["x", "x"]),
        ("axb a.b", ["a.b"], ["axb "]),
        ("<s><s>a<s>", ["<s>"], ["a"]),
        ("", [], []),
        ("ab", [], ["ab"]),
    ],
)
def test_splitting(text, tokens, expected):
    assert split_on_special(text, tokens) == expected


def test_white_space_before_a_special_token_ends_its_part():
    assert count_pretokens("x  <s>x", ["<s>"]) == {symbols("x"): 2, symbols("  "): 1}
    assert count_pretokens("x  x", []) == {symbols("x"): 1, symbols(" "): 1, symbols(" x"): 1}


def trained(tmp_path, content: bytes, *args):
    path = tmp_path / "text"
    path.write_bytes(content)
    return train_bpe(path, *args)


def test_vocabulary_and_limits(tmp_path):
    vocab, merges = trained(tmp_path, b"ab", 1_000, [])
    assert (len(vocab), merges) == (257, [(b"a", b"b")])
    vocab, merges = trained(tmp_path, b"<t>ab<s>", 259, ["<t>", "<s>"])
    assert ([vocab[i] for i in (0, 255, 256, 257, 258)], merges) == (
        [b"\0", b"\xff", b"<t>", b"<s>", b"ab"], [(b"a", b"b")]
    )
    for size, tokens in ((255, []), (256, ["<s>"])):
        with pytest.raises(ValueError, match="vocab_size"):
            trained(tmp_path, b"ab", size, tokens)
    for tokens in ([""], ["<s>", "<s>"]):
        with pytest.raises(ValueError, match="special_tokens"):
            trained(tmp_path, b"ab", 300, tokens)


def test_the_file_is_read_as_it_is(tmp_path):
    assert trained(tmp_path, b"a\r\n", 300, [])[1] == [(b"\r", b"\n")]
    with pytest.raises(UnicodeDecodeError, match="position 2"):
        trained(tmp_path, b"ab\xff", 300, [])


def test_the_pattern_is_one_of_regex_not_re():
    assert regex.fullmatch(r"\p{L}", "안")
    assert list(pretokenize("\x1c a")) == ["\x1c", " a"]
