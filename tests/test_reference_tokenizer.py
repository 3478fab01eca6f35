"""Chapter 7's reference against `tiktoken`, `tokenizers`, a plain merge loop, and itself in one piece."""

import itertools
import pathlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.checks.ch07_inputs import BBB, MIXED, NASTY, by_joined_bytes, ranks_of, rule_lists, vocab_of
from autograder.checks.inputs import NASTY_TEXTS
from autograder.reference import tokenizer as reference
from autograder.reference.bpe_encode import merge_with_heap

DATA = pathlib.Path(__file__).resolve().parent.parent / "solutions" / "07_tokenizer" / "data"
EOT = "<|endoftext|>"
COURSE = reference.Tokenizer.from_files(DATA / "vocab.json", DATA / "merges.json", [EOT])


def plain(piece, ranks):
    """Lowest rank first, the leftmost of several, one merge at a time."""
    tokens = [bytes([byte]) for byte in piece]
    while found := [(ranks[p], i) for i, p in enumerate(itertools.pairwise(tokens)) if p in ranks]:
        i = min(found)[1]
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
    return tokens


@given(st.text("abc' \n", max_size=60), st.integers(0, 200))
def test_both_ways_to_merge_are_the_plain_one(text, number):
    rules = list(rule_lists(2))
    ranks = ranks_of(rules[number % len(rules)])
    piece = text.encode()
    tokens = [piece[i : i + 1] for i in range(len(piece))]
    assert reference.bpe_encode(piece, ranks) == merge_with_heap(tokens, ranks) == plain(piece, ranks)


def test_by_hand_the_two_readings():
    """(b, b) then (b, bb): in `abbb` the left bb is made first, and (bb, b) is no rule; joined, bbb is a token."""
    assert reference.bpe_encode(b"abbb", ranks_of(BBB)) == [b"a", b"bb", b"b"]
    assert by_joined_bytes(b"abbb", BBB) == [b"a", b"bbb"]


def test_the_shipped_rules_are_what_the_notebook_says():
    assert len(set(COURSE.vocab.values())) == len(COURSE.vocab) == 257 + len(COURSE.merges)
    made = {bytes([byte]) for byte in range(256)}
    for left, right in COURSE.merges:
        assert {left, right} <= made
        made.add(left + right)


def test_three_tokenizers_agree_on_the_corpus_and_nasty_texts():
    rust, face = reference.to_tiktoken(COURSE), reference.to_huggingface(COURSE)
    for text in [(DATA / "corpus.txt").read_text(encoding="utf-8"), *NASTY, *NASTY_TEXTS, EOT * 2, f" {EOT}\n\n"]:
        ids = COURSE.encode(text)
        assert ids == rust.encode(text, allowed_special="all") == face.encode(text).ids
        assert COURSE.decode(ids) == text == face.decode(ids, skip_special_tokens=False)


@settings(deadline=None)
@given(st.lists(st.text("ab'l<s> \n\x1c", max_size=4), max_size=12),
       st.sampled_from([[], ["<s>"], ["<s>", "<s><s>", "s>"], ["a b", " b", "  "], ["\n\n", "'l"]]))
def test_a_stream_is_the_joined_text(chunks, special):
    tokenizer = reference.Tokenizer(vocab_of(MIXED), MIXED, special)
    assert list(tokenizer.encode_iterable(iter(chunks))) == tokenizer.encode("".join(chunks))


@given(st.lists(st.integers(0, 255), max_size=12))
def test_decode_replaces_as_the_codec_does(ids):
    assert COURSE.decode(ids) == bytes(ids).decode("utf-8", errors="replace")


def test_errors():
    with pytest.raises(ValueError, match="special_tokens"):
        reference.Tokenizer({}, [], [""])
    with pytest.raises(ValueError, match="ids"):
        COURSE.decode([10**6])
    swapped = reference.Tokenizer(vocab_of([]) | {256: b"abc", 257: b"ab"}, [(b"a", b"b"), (b"ab", b"c")])
    with pytest.raises(ValueError, match="merges"):
        reference.to_tiktoken(swapped)


@given(st.lists(st.text("ab'l<s> \n\x1c\u00a0é", max_size=9), max_size=12))
def test_chunks_met_before_and_a_full_cache_change_nothing(texts):
    tokenizer = reference.Tokenizer(vocab_of(MIXED), MIXED, ["<s>"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "CACHED", 3)
        patch.setattr(reference, "LONGEST", 4)
        for text in texts:
            by_pretokens = [
                one for part in reference.split_special(text, ["<s>"])
                for one in ([tokenizer._special[part]] if part == "<s>" else
                            [tokenizer._ids[token] for piece in reference.pretokenize(part)
                             for token in plain(piece.encode(), ranks_of(MIXED))])
            ]
            assert tokenizer.encode(text) == by_pretokens
            assert len(tokenizer._cache) <= 3
            assert max(map(len, tokenizer._cache), default=0) <= 4


def test_a_run_of_many_letters():
    """Looking at each pair again after each merge would take hours; a function that calls itself would overflow."""
    doubled = [(b"a" * 2**i, b"a" * 2**i) for i in range(10)]
    tokenizer = reference.Tokenizer(vocab_of(doubled), doubled)
    assert tokenizer.encode("a" * (1 << 17)) == [256 + 9] * 128  # the longest token has 1,024 letters
    for text in (" " * 10**5 + "x", "^" * 10**5):
        assert COURSE.decode(COURSE.encode(text)) == text
