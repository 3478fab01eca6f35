"""Hidden checks of chapter 1: code points, escapes, UTF-8.

`utf8_encode` and `visible` are checked on every code point there is, divided among the checks by the rule that applies
to it; `utf8_decode` on every string of one or two bytes and on longer ones around every limit, divided by what is wrong
with them. So a mistake in one rule fails the check of that rule.
"""

import ast
import functools
import itertools
import random
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Sequence

from autograder.checks import figures
from autograder.checks.api import WrongType, agree, agree_on_each, at_work, check, difference, exactly, fail, refuses
from autograder.checks.outcomes import Raised, Returned
from autograder.checks.session import MAP_SECONDS, StudentFunction
from autograder.checks.show import show, show_outcome
from autograder.reference import encoding_sizes as sizes_reference
from autograder.reference import escapes, utf8
from autograder.sandbox.inside import wire

SURROGATES = range(0xD800, 0xE000)
ALL = range(0x110000)
BEYOND = range(0x10000, 0x110000)


# --- code_points ---------------------------------------------------------------------------------------------------


@check("test_code_points", points=0.5)
def one_number_for_each_character(code_points):
    """Letters, signs and accented letters give one number each, in order; an empty text gives an empty list."""
    texts = ["", "a", "é", "\0", "ab", "ба", "ñandú", "漢字かな", "한글", "a\r\n\tb", "ÿĀ", "\ufeffa", "x" * 5_000]
    agree(code_points, escapes.code_points, [(text,) for text in texts])


@check("test_code_points", points=0.5)
def beyond_sixteen_bits(code_points):
    """Characters above U+FFFF give one number each; a flag or a family is drawn as one sign but is several numbers."""
    texts = ["😀", "𝒳y", "🇮🇸", "a😀b", "👩‍💻", "👨‍👩‍👧‍👦", "\U0010ffff\U00010000", "🏴\U000e0067\U000e007f"]
    agree(code_points, escapes.code_points, [(text,) for text in texts])


@check("test_code_points", points=0.5)
def combining_marks_stay(code_points):
    """A letter followed by a combining mark stays two numbers, and nothing is composed, decomposed or left out."""
    texts = ["e\u0301", "a\u030a", "\u212b", "x\u0323\u0307", "\u1100\u1161", "क्षि", "\ufb01n", "\u00bd"]
    agree(code_points, escapes.code_points, [(text,) for text in texts])


@check("test_code_points", points=0.5)
def lone_surrogates_are_numbers_too(code_points):
    """A lone surrogate in a text is a number like any other, also when two of them stand side by side."""
    agree(code_points, escapes.code_points, [(text,) for text in ["\ud800", "a\udfffb", "\ud83d\ude00", "\udcff\n"]])


# --- echo ----------------------------------------------------------------------------------------------------------


@check("test_echo", points=1)
def the_repr_and_a_line_break(echo):
    """Every value but `None` is written as its `repr`, followed by a line break."""
    values = [7, -1, 2.5, True, "a", "\0", "a\nb", "\\n", "'", '"', b"\xff", [1, "a"], (1,), {"a": None}, [None]]
    agree(echo, escapes.echo, [(value,) for value in values])


@check("test_echo", points=0.5)
def none_is_silent(echo):
    """For `None` nothing at all is written, not even a line break."""
    agree(echo, escapes.echo, [(None,), (None,)])  # twice: one answer alone names no misconception
    at_work(echo, [(7,), ("a",)], escapes.echo)


@check("test_echo", points=0.5)
def empty_values_are_written(echo):
    """Zero, `False` and empty values are not `None`: they are written like others."""
    agree(echo, escapes.echo, [(value,) for value in [0, False, 0.0, "", b"", [], (), {}]])


# --- visible: the classes below are disjoint, and together they are all code points ---------------------------------

OLD_EMOJI = range(0x1F600, 0x1F650)  # printable since Unicode 8, so in every Python that runs this


def settled(character: str) -> bool:
    """Whether every version of Unicode from 3.2 on agrees on the character's category.

    Python's own table changes with its version: what is unassigned in one may be a letter in the next.
    """
    if ord(character) in OLD_EMOJI or ord(character) & 0xFFFE == 0xFFFE or "\ufdd0" <= character <= "\ufdef":
        return True
    category = unicodedata.category(character)
    return category != "Cn" and category == unicodedata.ucd_3_2_0.category(character)


# What becomes of a character under each rule, said so that a million answers are quickly made.
FORMS: dict[str, Callable[[str], str]] = {
    "stays": lambda character: character,
    "two": lambda character: f"\\x{ord(character):02x}",
    "four": lambda character: f"\\u{ord(character):04x}",
    "eight": lambda character: f"\\U{ord(character):08x}",
}


@functools.cache
def visible_classes() -> dict[tuple[str, bool], list[str]]:
    """All characters but the five with short forms, by their rule and by whether it is the same in every Python."""
    classes: dict[tuple[str, bool], list[str]] = {(rule, sure): [] for rule in FORMS for sure in (True, False)}
    for character in map(chr, ALL):
        if character not in escapes.SHORT:
            rule = "stays" if character.isprintable() else "two" if character < "\u0100" else "four"
            if rule == "four" and character > "\uffff":
                rule = "eight"
            classes[rule, settled(character)].append(character)
    return classes


def unescaped(value: object) -> object:
    """The character that one numeric escape stands for, so that both forms of a character compare equal."""
    if type(value) is str and re.fullmatch(r"\\u[0-9a-f]{4}|\\U[0-9a-f]{8}", value):
        code_point = int(value[2:], 16)
        if code_point in ALL and escapes.escape(code_point) == value:
            return chr(code_point)
    return value


def characters_agree(visible: StudentFunction, rule: str) -> None:
    """The student's form of every character under this rule.

    The first thousand are asked one by one, the others as long texts: that is one answer for many characters, and where
    it is wrong they are asked one by one as well.
    """
    for sure, normal in ((True, exactly), (False, unescaped)):
        characters = visible_classes()[rule, sure]
        agree_on_each(visible, FORMS[rule], characters[:ONE_BY_ONE], normal=normal)
        texts = long_texts(rule, sure)
        blocks = visible.map([text for text, _ in texts], seconds=MAP_SECONDS)
        given = [outcome for block in blocks for outcome in block.outcomes()]
        for (text, right), outcome in zip(texts, given, strict=True):
            if outcome != Returned(right):
                agree_on_each(visible, FORMS[rule], list(text), normal=normal)


ONE_BY_ONE, TOGETHER = 1_000, 4_000  # texts short enough for answers that take the square of the length


@functools.cache
def long_texts(rule: str, sure: bool) -> list[tuple[str, str]]:
    """The characters from the thousandth on, joined to long texts, and these in their right form."""
    characters = visible_classes()[rule, sure]
    parts = [characters[start : start + TOGETHER] for start in range(ONE_BY_ONE, len(characters), TOGETHER)]
    return [("".join(part), "".join(map(FORMS[rule], part))) for part in parts]


def bare(value: object) -> object:
    """A normaliser: the backslashes before a double quote left out, which have a check of their own."""
    return re.sub(r'\\+"', '"', value) if type(value) is str else value


@check("test_visible", points=1)
def printable_characters_stay(visible):
    """Printable characters of every script stay as they are, the single quote among them."""
    texts = ["'", "''", "it's", "'\"", "\"'", "\"it's\""]  # where both are, repr escapes the single one
    agree(visible, escapes.visible, [(text,) for text in texts], normal=bare)
    characters_agree(visible, "stays")
    at_work(visible, [("\n",), ("a\t",)], escapes.visible)


@check("test_visible", points=1)
def backslash_and_double_quote(visible):
    """A backslash and a double quote get one backslash before them, and no more."""
    texts = ["\\", '"', '\\"', '"\\', "\\\\", "\\n", "\\x41", 'a"b', '"" ""', "C:\\new"]
    agree(visible, escapes.visible, [(text,) for text in texts])


@check("test_visible", points=0.5)
def line_breaks_and_tabs(visible):
    r"""Line feed, carriage return and tab become \n, \r and \t."""
    agree(visible, escapes.visible, [(text,) for text in ["\n", "\r", "\t", "a\nb", "\r\n", "\t\t"]])


@check("test_visible", points=0.5)
def two_digits(visible):
    r"""Other unprintable characters below U+0100 become \x and two digits."""
    characters_agree(visible, "two")


@check("test_visible", points=1)
def four_digits(visible):
    r"""Unprintable characters from U+0100 to U+FFFF, surrogates among them, become \u and four digits."""
    characters_agree(visible, "four")


@check("test_visible", points=1)
def eight_digits(visible):
    r"""Unprintable characters above U+FFFF become \U and eight digits."""
    characters_agree(visible, "eight")


ALPHABET = "an'\"\\\n\r\t\0\x85é\u2028\ud800\udc00😀"


@check("test_visible", points=1)
def python_reads_it_back(visible):
    """Between double quotes the result is a literal that Python reads back as the same text."""
    texts = [
        "".join(letters)
        for length, alphabet in enumerate(["", ALPHABET, ALPHABET, 'n"\\\n\0'])
        for letters in itertools.product(alphabet, repeat=length)
    ]
    outcomes = visible.outcomes([(text,) for text in texts])
    wrong = None
    for text, got in zip(texts, outcomes, strict=True):
        right = Returned(escapes.visible(text))
        visible.note((text,), {}, right, got)
        if wrong is None and not (isinstance(got, Returned) and read_back(got.value, len(text)) == text):
            wrong = text, right, got
    if wrong is not None:
        text, right, got = wrong
        back = read_back(got.value, len(text)) if isinstance(got, Returned) else None
        reading = "Python cannot read it." if back is None else f"Python reads it as {show(back)}."
        fail(
            difference(right, got) or reading,
            call=visible.text((text,)), expected=show(right.value), got=show_outcome(got),
        )


def read_back(answer: object, length: int) -> str | None:
    """The text that Python makes of the answer between double quotes, or `None` when it makes none."""
    if type(answer) is not str or len(answer) > 10 * length + 10:  # the longest escape has ten characters
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # an unknown escape such as \q
        try:
            value = ast.literal_eval(f'"{answer}"')
        except Exception:
            return None
    return value if type(value) is str else None


# --- utf8_encode ---------------------------------------------------------------------------------------------------


def from_codec(code_point: int) -> bytes:
    """CPython's answer, which a million calls can wait for."""
    return chr(code_point).encode()


@check("test_utf8_encode", points=0.5)
def one_byte(utf8_encode):
    """U+0000 to U+007F become the one byte of the same value."""
    agree_on_each(utf8_encode, from_codec, range(0x80))


@check("test_utf8_encode", points=1)
def two_bytes(utf8_encode):
    """U+0080 to U+07FF become two bytes: 110xxxxx 10xxxxxx."""
    agree_on_each(utf8_encode, from_codec, range(0x80, 0x800))


@check("test_utf8_encode", points=1)
def three_bytes(utf8_encode):
    """U+0800 to U+FFFF, but for the surrogates, become three bytes: 1110xxxx 10xxxxxx 10xxxxxx."""
    agree_on_each(utf8_encode, from_codec, [*range(0x800, 0xD800), *range(0xE000, 0x10000)])


@check("test_utf8_encode", points=1)
def four_bytes(utf8_encode):
    """U+10000 to U+10FFFF become four bytes: 11110xxx 10xxxxxx 10xxxxxx 10xxxxxx."""
    agree_on_each(utf8_encode, from_codec, BEYOND)


@check("test_utf8_encode", points=1)
def surrogates_are_refused(utf8_encode):
    """U+D800 to U+DFFF are no characters: ValueError naming code_point."""
    refuses(utf8_encode, (65,), [(code_point,) for code_point in SURROGATES], naming="code_point")


@check("test_utf8_encode", points=1)
def out_of_range_is_refused(utf8_encode):
    """Numbers below 0 or above 0x10FFFF are refused: ValueError naming code_point."""
    numbers = [-1, -2, -65, -0x80, -0xD800, -(10**30), 0x110000, 0x110001, 0x1FFFFF, 0x200000, 1 << 32, 1 << 80]
    refuses(utf8_encode, (65,), [(number,) for number in numbers], naming="code_point")


@check("test_utf8_encode", points=0.5)
def only_int_is_taken(utf8_encode):
    """Anything but an int is refused, and True and False are none here: TypeError naming code_point."""
    values = [True, False, 65.0, "A", b"A", None, [65], (65,)]
    refuses(utf8_encode, (65,), [(value,) for value in values], error="TypeError", naming="code_point")


# --- utf8_decode: one pool of strings, divided by what is wrong with them --------------------------------------------

LEADS = bytes.fromhex("7f 80 bf c0 c1 c2 df e0 e1 ec ed ee ef f0 f1 f3 f4 f5 f7 f8 fc ff")
SECONDS = bytes.fromhex("00 41 7f 80 8f 90 9f a0 bf c0 c2 e2 ff")
THIRDS = bytes.fromhex("7f 80 bf c2 ff")
FOURTHS = bytes.fromhex("7f 80 bf c0")
# The forms of five and six bytes that UTF-8 once had, characters as two surrogates, and the byte order mark.
LONGER = ["f8 88 80 80 80", "fb bf bf bf bf", "fc 84 80 80 80 80", "fd bf bf bf bf bf",
          "ed a0 80 ed b0 80", "ed a0 bd ed b8 80", "ed af bf ed bf bf",
          "ef bb bf", "ef bb bf 61", "61 ef bb bf", "ef bb bf ef bb bf"]  # fmt: skip
BEFORE = ["", "a", "é€😀", "ab" * 20]  # valid text before and behind a fault, so that offsets grow


@functools.cache
def pool() -> dict[str, list[bytes]]:
    """Every string of one or two bytes, and those of three or more at the limits, by their fault; "" when valid."""
    strings = [b""]
    strings += [(one + "abc"[:count]).encode() for one in "é€😀" for count in range(4)]  # the first are kept
    strings += [bytes([a]) for a in range(256)]
    strings += [bytes(pair) for pair in itertools.product(range(256), repeat=2)]
    strings += [bytes(three) for three in itertools.product(LEADS, SECONDS, THIRDS)]
    strings += [bytes(four) for four in itertools.product(LEADS, SECONDS, THIRDS, FOURTHS)]
    strings += map(bytes.fromhex, LONGER)
    found: dict[str, list[bytes]] = {}
    for data in strings:
        fault = utf8.find_fault(data)
        found.setdefault("" if fault is None else fault.reason, []).append(data)
    return found


def decoded(data: bytes) -> list[int]:
    """CPython's answer as code points; its error is a ValueError too."""
    try:
        return list(map(ord, data.decode("utf-8")))
    except UnicodeDecodeError as error:
        raise ValueError(f"offset {error.start}") from None


def among(utf8_decode: StudentFunction, fault: str) -> None:
    utf8_decode(b"a")
    agree_on_each(utf8_decode, decoded, pool()[fault])


@check("test_utf8_decode", points=1)
def short_valid_strings(utf8_decode):
    """Valid strings of up to two bytes, all 18,433 of them, and some longer ones give their code points."""
    among(utf8_decode, "")


@check("test_utf8_decode", points=1)
def characters_of_every_size(utf8_decode):
    """Characters of one to four bytes are decoded, in strings of many: 85,544 of the 1,112,064."""
    scalars = [*range(0xD800), *range(0xE000, 0x110000)][::-13][::-1]  # U+10FFFF is the last of them
    parts = [scalars[start : start + PART] for start in range(0, len(scalars), PART)]
    strings = ["".join(map(chr, part)).encode() for part in parts]
    outcomes = utf8_decode.outcomes([(data,) for data in strings])
    for part, data, got in zip(parts, strings, outcomes, strict=True):
        right = Returned(part)
        if (reason := difference(right, got)) is not None:
            utf8_decode.note((data,), {}, right, got)
            smallest_character(utf8_decode, part)
            fail(reason, call=utf8_decode.text((data,)), expected=right.value, got=show_outcome(got))


PART = 256  # characters of one string, so few that a decoder which calls itself for each comes back


def smallest_character(utf8_decode: StudentFunction, code_points: Sequence[int]) -> None:
    """Fail with the first of these characters that is decoded wrongly by itself, if there is one."""
    agree_on_each(utf8_decode, decoded, [chr(code_point).encode() for code_point in code_points])


@check("test_utf8_decode", points=1)
def stray_continuation_is_refused(utf8_decode):
    """A continuation byte (0x80 to 0xBF) where a character should begin is refused: ValueError."""
    among(utf8_decode, "stray")


@check("test_utf8_decode", points=0.5)
def impossible_bytes_are_refused(utf8_decode):
    """The bytes 0xF8 to 0xFF never begin a character: ValueError."""
    among(utf8_decode, "impossible")


@check("test_utf8_decode", points=1)
def truncation_is_refused(utf8_decode):
    """Data that end inside a character are refused: ValueError."""
    among(utf8_decode, "truncated")


@check("test_utf8_decode", points=1)
def interruption_is_refused(utf8_decode):
    """Another byte where a continuation byte is due is refused: ValueError."""
    among(utf8_decode, "interrupted")


@check("test_utf8_decode", points=1)
def overlong_forms_are_refused(utf8_decode):
    """A longer form than the character needs is refused (0xC0 and 0xC1 begin nothing else): ValueError."""
    among(utf8_decode, "overlong")


@check("test_utf8_decode", points=1)
def encoded_surrogates_are_refused(utf8_decode):
    """Three bytes that would be a surrogate are refused: ValueError."""
    among(utf8_decode, "surrogate")


@check("test_utf8_decode", points=0.5)
def too_large_is_refused(utf8_decode):
    """Four bytes that would be more than U+10FFFF are refused: ValueError."""
    among(utf8_decode, "too large")


@check("test_utf8_decode", points=1)
def the_offset_is_told(utf8_decode):
    """Where data are refused with a ValueError, its message says "offset N", N being where the bad sequence begins."""
    broken = [data for fault, strings in pool().items() if fault for data in strings if has_one_fault(data)]
    bad = ["80", "ff", "c2", "c2 41", "e2 82", "e2 82 41", "c0 80", "e0 80 80", "ed a0 80", "f4 90 80 80", "f0 9f 98"]
    for text, behind in itertools.product(BEFORE, ["", "zé"]):
        broken += [text.encode() + bytes.fromhex(one) + behind.encode() for one in bad]
    broken.sort(key=len)
    wrong, noted, start, refused = None, 0, 0, 0
    for block in utf8_decode.map(broken):
        told = [told_offset(error) for error in block.errors]
        for data, place in zip(broken[start:], block.places):  # noqa: B905  a block is a part
            if place < 0 or told[place] is None:
                continue  # accepting it, or another error, is for the checks above
            refused += 1
            offset = utf8.find_fault(data).offset
            right = set(told[place]) == {offset}
            if noted < 600 and (refused < 100 or not right):
                utf8_decode.note((data,), {}, Raised(("ValueError",), f"offset {offset}"), block.errors[place])
                noted += 1
            if wrong is None and not right:
                wrong = data, offset, told[place], block.errors[place]
        start += len(block)
        if not refused and start > 1_000:  # every kind of fault is among the short ones
            break
    if wrong is not None:
        data, offset, given, got = wrong
        if not given:
            reason = "The message must hold the word offset, a space and the number."
        elif given == [len(data[:offset].decode())]:
            reason = "This counts characters; the offset is a place in the bytes."
        else:
            reason = "The offset is where the bad sequence begins, not where it is noticed."
        fail(reason, call=utf8_decode.text((data,)), expected=f"ValueError: … offset {offset} …", got=show_outcome(got))
    if not refused:
        fail("No invalid data were refused with a ValueError.")


def has_one_fault(data: bytes) -> bool:
    """Whether what follows the first bad sequence is valid: then whoever accepts the first one finds no second."""
    start = utf8.find_fault(data).offset
    return utf8.find_fault(data[start + max(1, utf8.sequence_length(data[start])) :]) is None


def told_offset(error: object) -> list[int] | None:
    """The offsets that a ValueError's message tells; `None` for another outcome."""
    if not (isinstance(error, Raised) and "ValueError" in error.names):
        return None
    return [int(digits) for digits in re.findall(r"\boffset ([0-9]{1,9})\b", error.message)]


@check("test_utf8_decode", points=0.5, secret=True)
def damaged_texts(utf8_decode, seeded):
    """On texts in many scripts with a byte changed, lost or put in, it decodes or refuses as Python does."""
    agree_on_each(utf8_decode, decoded, list(damaged(seeded, 3_000)))


def damaged(seeded: random.Random, count: int) -> Iterator[bytes]:
    """Short valid strings, two of three damaged in one place."""
    for _ in range(count):
        points = [seeded.choice(RANGES)(seeded) for _ in range(seeded.randint(1, 8))]
        data = bytearray("".join(map(chr, points)).encode())
        place = seeded.randrange(len(data))
        match seeded.randrange(6):
            case 0:
                data[place] = seeded.randrange(256)
            case 1:
                del data[place]
            case 2:
                data.insert(place, seeded.randrange(256))
            case 3:
                data[place] ^= 1 << seeded.randrange(8)
        yield bytes(data)


RANGES: list[Callable[[random.Random], int]] = [
    lambda r: r.randrange(0x80),
    lambda r: r.randrange(0x80, 0x800),
    lambda r: r.randrange(0x800, 0xD800),
    lambda r: r.randrange(0xE000, 0x10000),
    lambda r: r.randrange(0x10000, 0x110000),
]


@check("test_utf8_decode", points=0.5)
def only_bytes_are_taken(utf8_decode):
    """A str, a list or a number is refused: TypeError naming data."""
    values = ["abc", "", [97], [], 97, None, (0xC3, 0xA9)]
    refuses(utf8_decode, (b"a",), [(value,) for value in values], error="TypeError", naming="data")


# --- values and counts ---------------------------------------------------------------------------------------------


def the_bytes(exercise: StudentFunction, example: bytes) -> bytes:
    """The exercise's value, which must be bytes; it goes into the transcript as it is."""
    value = exercise.value()
    exercise.note((), {}, Returned(example), Returned(value))
    if type(value) is not bytes:
        fail("The value must be bytes.", call=exercise.name, expected="b'…'", got=value)
    return value


@check("test_wrong_decoder_counterexample", points=1)
def valid_but_not_byte_by_byte(wrong_decoder_counterexample):
    """It is valid UTF-8, and decoding it one byte at a time fails."""
    value = the_bytes(wrong_decoder_counterexample, b"\xc3\xa9")
    if not utf8.is_decodable(value):
        fault = utf8.find_fault(value)
        fail(
            f"This is not valid UTF-8 at all ({fault.reason} at offset {fault.offset}), so every decoder refuses it.",
            call="wrong_decoder_counterexample", expected="valid UTF-8", got=value,
        )
    if value.isascii():
        fail(
            "Every byte here is a character by itself, so going byte by byte works.",
            call="wrong_decoder_counterexample", expected="at least one character of several bytes", got=value,
        )


@check("test_undecodable_pair", points=1)
def two_bytes_and_no_text(undecodable_pair):
    """It has two bytes, and they are not valid UTF-8."""
    value = the_bytes(undecodable_pair, b"\xff\xff")
    if len(value) != 2:
        fail("It must have exactly two bytes.", call="len(undecodable_pair)", expected=2, got=len(value))
    if utf8.is_decodable(value):
        text = value.decode()
        kind = "two ASCII characters" if len(text) == 2 else "one character of two bytes"
        fail(
            f"These are {kind}.", call="undecodable_pair.decode('utf-8')", expected="a UnicodeDecodeError", got=text
        )


@check("test_count_decodable_pairs", points=1)
def the_exact_number(count_decodable_pairs):
    """Of the 65,536 strings of two bytes, it counts exactly those that are valid UTF-8."""
    agree(count_decodable_pairs, utf8.count_decodable_pairs, [(), ()])  # twice, as above


# --- encoding_sizes ------------------------------------------------------------------------------------------------

TEXTS = ["", "a", "é", "€", "😀", "ab", "a€", "\ufeff", "\0", "नमस्ते", "漢字", "🇮🇸!", "\uffff\U00010000", "x" * 999]


def one_size(encoding: str) -> Callable[[object], object]:
    """A normaliser: what the answer says of one encoding."""

    def read(value: object) -> object:
        if not isinstance(value, dict):
            raise WrongType(f"The answer must be a dict with the key {encoding!r}.")
        if encoding not in value:
            raise WrongType(f"The dict has no key {encoding!r}.")
        return value[encoding]

    return read


def sizes_agree(encoding_sizes: StudentFunction, encoding: str) -> None:
    agree(encoding_sizes, sizes_reference.encoding_sizes, [(text,) for text in TEXTS], normal=one_size(encoding))


@check("test_encoding_sizes", points=0.5)
def three_keys(encoding_sizes):
    """The keys of the dict are exactly utf-8, utf-16 and utf-32."""

    def keys(value: object) -> object:
        if not isinstance(value, dict):
            raise WrongType("The answer must be a dict.")
        return sorted(map(repr, value))

    agree(encoding_sizes, sizes_reference.encoding_sizes, [(text,) for text in ("", "aé")], normal=keys)


@check("test_encoding_sizes", points=0.5)
def size_in_utf8(encoding_sizes):
    """UTF-8: one to four bytes for each code point."""
    sizes_agree(encoding_sizes, "utf-8")


@check("test_encoding_sizes", points=1)
def size_in_utf16(encoding_sizes):
    """UTF-16: two bytes for each code point up to U+FFFF and four above it, no byte order mark added."""
    sizes_agree(encoding_sizes, "utf-16")


@check("test_encoding_sizes", points=0.5)
def size_in_utf32(encoding_sizes):
    """UTF-32: four bytes for each code point, no byte order mark added."""
    sizes_agree(encoding_sizes, "utf-32")


@check("test_encoding_sizes", points=0.5)
def no_size_for_surrogates(encoding_sizes):
    """A text with a lone surrogate has no encoding: ValueError (UnicodeEncodeError is one)."""
    refuses(encoding_sizes, ("a",), [("\ud800",), ("a\udfff",), ("\ud83d\ude00",)])


# --- plot_encoding_sizes -------------------------------------------------------------------------------------------

SAMPLE = {"Thai": "ไทย ก", "English": "text", "Emoji": "😀😀a", "Greek": "αβγ, δ", "Han": "漢字", "German": "Grüße"}
TIED = {"Zulu": "sawubona", "Greek": "αβγ", "Dutch": "hallo", "Arabic": "سلام"}
CALL = "plot_encoding_sizes(texts)"
COLUMNS = ("language", *sizes_reference.ENCODINGS)


def plotted(plot: StudentFunction, texts: dict) -> tuple[wire.Frame, wire.Figure]:
    return figures.split(figures.ask(plot, (texts,)), CALL, COLUMNS)


def expected_columns(texts: dict) -> dict[str, list]:
    rows = sizes_reference.bytes_per_character(texts)
    return dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))


@check("test_plot_encoding_sizes", points=0.5)
def numbers_in_the_frame(plot_encoding_sizes):
    """The DataFrame has each language once, with its bytes per character in each encoding."""
    for texts in (SAMPLE, TIED):
        frame, _ = plotted(plot_encoding_sizes, texts)
        right = expected_columns(texts)
        given = {repr(language): place for place, language in enumerate(frame.data["language"])}
        if sorted(given) != sorted(map(repr, right["language"])) or len(frame) != len(given):
            fail(call=CALL, expected=f"languages {sorted(texts)}", got=f"languages {show(frame.data['language'])}")
        for place, language in enumerate(right["language"]):
            for name in sizes_reference.ENCODINGS:
                got = frame.data[name][given[repr(language)]]
                if not figures.close([right[name][place]], [got]):
                    what = f"{show(texts[language])} as {language}: {name} "
                    fail(call=CALL, expected=what + show(right[name][place]), got=what + show(got))


@check("test_plot_encoding_sizes", points=0.5)
def rows_in_order(plot_encoding_sizes):
    """The rows go from the fewest UTF-8 bytes per character to the most; equal ones keep the order of texts."""
    for texts in (SAMPLE, TIED):
        frame, _ = plotted(plot_encoding_sizes, texts)
        right = expected_columns(texts)["language"]
        if not figures.close(right, frame.data["language"]):
            fail(call=CALL, expected=f"languages {right}", got=f"languages {show(frame.data['language'])}")


@check("test_plot_encoding_sizes", points=0.5)
def title_labels_and_legend(plot_encoding_sizes):
    """The figure has a title, a label on both axes, one of them with the unit (bytes), and a legend."""
    _, figure = plotted(plot_encoding_sizes, SAMPLE)
    figures.labelled(figure, CALL)
    labels = [axes[name] for axes in figure.axes for name in ("xlabel", "ylabel")]
    if not any("byte" in label.lower() for label in labels):
        fail("No axis label names the unit.", call=CALL, expected="a label such as 'bytes per character'", got=labels)


@check("test_plot_encoding_sizes", points=0.5)
def the_figure_shows_the_frame(plot_encoding_sizes):
    """For each encoding one series of the figure shows the numbers of the DataFrame's column, each at its language."""
    frame, figure = plotted(plot_encoding_sizes, SAMPLE)
    for name in sizes_reference.ENCODINGS:
        figures.names_stand_at(figure, CALL, f"the column {name}", frame.data["language"], frame.data[name])


@check("test_plot_encoding_sizes", points=0.5)
def empty_texts_are_refused(plot_encoding_sizes):
    """No texts at all, or an empty one among them, is refused: ValueError naming texts."""
    refuses(plot_encoding_sizes, ({"English": "a"},),
            [({},), ({"Greek": ""},), ({"English": "a", "Greek": ""},)], naming="texts")


@check("test_plot_encoding_sizes", points=0.5)
def texts_stay_as_they_were(plot_encoding_sizes):
    """The dict that is given stays as it was."""
    figures.arguments_stay(plot_encoding_sizes, [(SAMPLE,), (TIED,)], COLUMNS)
