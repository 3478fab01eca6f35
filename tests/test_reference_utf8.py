"""The references of chapter 1 against CPython's codecs and parser, and what a wrong offset costs."""

import ast
import itertools
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inprocess import Connector

from autograder.checks import ch01_unicode
from autograder.checks.api import Failed
from autograder.checks.session import Session
from autograder.reference import encoding_sizes, escapes, utf8

ANY_TEXT = st.text(st.characters())  # surrogates too
SCALARS = [*range(0xD800), *range(0xE000, 0x110000)]


def cpython(data: bytes) -> list[int] | int:
    """The code points, or where CPython's decoder finds the first fault."""
    try:
        return list(map(ord, data.decode()))
    except UnicodeDecodeError as error:
        return error.start


def ours(data: bytes) -> list[int] | int:
    fault = utf8.find_fault(data)
    if fault is None:
        return utf8.utf8_decode(data)
    with pytest.raises(ValueError, match=rf"offset {fault.offset}$"):
        utf8.utf8_decode(data)
    return fault.offset


def test_encode_equals_the_codec_on_every_scalar_value():
    assert len(SCALARS) == 1_112_064
    assert list(map(utf8.utf8_encode, SCALARS)) == [chr(n).encode() for n in SCALARS]


@pytest.mark.parametrize("n", [-1, 0xD800, 0xDFFF, 0x110000, 1 << 70])
def test_encode_refuses(n):
    with pytest.raises(ValueError, match="code_point"):
        utf8.utf8_encode(n)


def test_decode_equals_the_codec_on_every_string_of_one_or_two_bytes_and_around_the_limits():
    for fault, strings in ch01_unicode.pool().items():
        for data in strings:
            found = utf8.find_fault(data)
            assert ("" if found is None else found.reason) == fault
            assert (utf8.utf8_decode(data) if found is None else found.offset) == cpython(data)


@given(st.binary(max_size=12))
def test_decode_equals_the_codec_on_random_bytes(data):
    assert ours(data) == cpython(data)


@given(st.text(max_size=6).map(str.encode), st.data())
def test_decode_equals_the_codec_on_damaged_texts(data, draw):
    damaged = bytearray(data + b"z")
    damaged[draw.draw(st.integers(0, len(data)))] = draw.draw(st.integers(0, 255))
    assert ours(bytes(damaged)) == cpython(bytes(damaged))


def test_the_number_of_decodable_pairs_is_counted_out():
    pairs = map(bytes, itertools.product(range(256), repeat=2))
    assert sum(map(utf8.is_decodable, pairs)) == utf8.count_decodable_pairs() == 18_304


def test_visible_reads_back_for_every_character():
    for start in range(0, 0x110000, 4096):
        text = "".join(map(chr, range(start, start + 4096)))
        assert ast.literal_eval(f'"{escapes.visible(text)}"') == text


@given(ANY_TEXT)
def test_visible_reads_back(text):
    assert ast.literal_eval(f'"{escapes.visible(text)}"') == text
    assert escapes.visible(text).isprintable()


def test_the_classes_of_visible_are_all_characters_and_their_forms_are_the_reference():
    classes = ch01_unicode.visible_classes()
    assert sum(map(len, classes.values())) + len(escapes.SHORT) == sys.maxunicode + 1
    for (rule, _), characters in classes.items():
        assert all(ch01_unicode.FORMS[rule](c) == escapes.visible(c) for c in characters)
    assert len(classes["stays", True]) > 90_000  # so most printable characters are judged strictly
    assert "\ud800" in classes["four", True]


@pytest.mark.parametrize("value", ["a\n", "\0", 7, None, [], 0])
def test_echo_is_what_the_display_hook_writes(value, capsys):
    sys.__displayhook__(value)
    assert escapes.echo(value) == capsys.readouterr().out


@given(st.text(max_size=9))
def test_sizes_by_counting(text):
    sizes = encoding_sizes.encoding_sizes(text)
    assert sizes["utf-8"] == sum(len(utf8.utf8_encode(n)) for n in escapes.code_points(text))
    assert sizes["utf-16"] == 2 * len(text) + 2 * sum(c > "\uffff" for c in text)
    assert sizes["utf-32"] == 4 * len(text)


OFFSETS = {
    "no_offset": "raise ValueError('not valid UTF-8')",
    "counts_characters": "raise ValueError(f'offset {len(data[: error.start].decode())}')",
    "where_it_was_noticed": "raise ValueError(f'offset {error.end}')",
    "two_offsets": "raise ValueError(f'offset {error.start} or offset {error.end}')",
}


@pytest.mark.parametrize("name", OFFSETS)
def test_a_wrong_offset_fails_the_check_of_the_offset(name):
    source = f"""
def utf8_decode(data):
    try:
        return list(map(ord, data.decode()))
    except UnicodeDecodeError as error:
        {OFFSETS[name]}
"""
    session = Session(Connector(source))
    with pytest.raises(Failed) as caught:
        ch01_unicode.the_offset_is_told.function(session.function("utf8_decode"))
    assert caught.value.message
    session.close()
