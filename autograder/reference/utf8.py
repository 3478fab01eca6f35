"""UTF-8 by bit arithmetic: one code point to bytes, and a strict decoder that says where the bytes go wrong.

The rules are those of RFC 3629: at most four bytes, no surrogates, nothing above U+10FFFF, always the shortest form.
"""

from typing import NamedTuple

__all__ = ["Fault", "count_decodable_pairs", "find_fault", "is_decodable", "utf8_decode", "utf8_encode"]

SMALLEST = {2: 0x80, 3: 0x800, 4: 0x10000}  # the smallest code point that needs so many bytes


def utf8_encode(code_point: int) -> bytes:
    """The one to four bytes of a Unicode scalar value.

    Raises `TypeError` for anything but an `int` (`bool` is none) and `ValueError` for surrogates and for numbers
    outside 0 to 0x10FFFF.

    >>> utf8_encode(0x20AC).hex(" ")
    'e2 82 ac'
    """
    if isinstance(code_point, bool) or not isinstance(code_point, int):
        raise TypeError(f"code_point must be an int, not {type(code_point).__name__}")
    if not 0 <= code_point <= 0x10FFFF:
        raise ValueError(f"code_point {code_point:#x} is outside 0 to 0x10FFFF")
    if 0xD800 <= code_point <= 0xDFFF:
        raise ValueError(f"code_point {code_point:#x} is a surrogate")
    if code_point < 0x80:
        return bytes([code_point])
    last = 0x80 | code_point & 0x3F
    if code_point < 0x800:
        return bytes([0xC0 | code_point >> 6, last])
    third = 0x80 | code_point >> 6 & 0x3F
    if code_point < 0x10000:
        return bytes([0xE0 | code_point >> 12, third, last])
    return bytes([0xF0 | code_point >> 18, 0x80 | code_point >> 12 & 0x3F, third, last])


class Fault(NamedTuple):
    """Where the first sequence that is no character begins, and what is wrong with it."""

    offset: int
    reason: str  # "stray", "impossible", "truncated", "interrupted", "overlong", "surrogate" or "too large"


def sequence_length(lead: int) -> int:
    """How many bytes the pattern of a first byte announces; 0 for a byte that announces none."""
    for length, mask, pattern in ((1, 0x80, 0x00), (2, 0xE0, 0xC0), (3, 0xF0, 0xE0), (4, 0xF8, 0xF0)):
        if lead & mask == pattern:
            return length
    return 0


def read_one(data: bytes, start: int) -> tuple[int, int] | Fault:
    """The code point at `start` and the place behind it, or what is wrong there.

    >>> read_one(b"\\xe2\\x82\\xac", 0), read_one(b"\\xe2\\x82", 0)
    ((8364, 3), Fault(offset=0, reason='truncated'))
    """
    lead = data[start]
    length = sequence_length(lead)
    if length == 0:
        return Fault(start, "stray" if lead < 0xC0 else "impossible")
    if length == 1:
        return lead, start + 1
    value = lead & (0x7F >> length)
    for byte in data[start + 1 : start + length]:
        if byte & 0xC0 != 0x80:
            return Fault(start, "interrupted")
        value = value << 6 | byte & 0x3F
    if start + length > len(data):
        return Fault(start, "truncated")
    if value < SMALLEST[length]:
        return Fault(start, "overlong")
    if 0xD800 <= value <= 0xDFFF:
        return Fault(start, "surrogate")
    if value > 0x10FFFF:
        return Fault(start, "too large")
    return value, start + length


def find_fault(data: bytes) -> Fault | None:
    """The first fault of `data`, or `None` when it is valid UTF-8.

    >>> find_fault(b"a\\xc0\\x80")
    Fault(offset=1, reason='overlong')
    """
    start = 0
    while start < len(data):
        one = read_one(data, start)
        if isinstance(one, Fault):
            return one
        start = one[1]
    return None


def utf8_decode(data: bytes) -> list[int]:
    """The code points of valid UTF-8.

    Raises `TypeError` for anything but `bytes`, and `ValueError` with "offset N" in its message for invalid data: N is
    where the first sequence that is no character begins (CPython's `UnicodeDecodeError.start`).

    >>> utf8_decode(b"h\\xc3\\xa9")
    [104, 233]
    >>> utf8_decode(b"a\\xed\\xa0\\x80")
    Traceback (most recent call last):
    ValueError: surrogate sequence at offset 1
    """
    if not isinstance(data, bytes):
        raise TypeError(f"data must be bytes, not {type(data).__name__}")
    found, start = [], 0
    while start < len(data):
        one = read_one(data, start)
        if isinstance(one, Fault):
            raise ValueError(f"{one.reason} sequence at offset {one.offset}")
        code_point, start = one
        found.append(code_point)
    return found


def is_decodable(data: bytes) -> bool:
    """Whether CPython's strict decoder takes `data`."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def count_decodable_pairs() -> int:
    """How many of the 65,536 two-byte strings are valid UTF-8: two ASCII characters, or one of two bytes.

    The leads of two-byte sequences are 0xC2 to 0xDF: 0xC0 and 0xC1 would be overlong.

    >>> count_decodable_pairs()
    18304
    """
    return 128 * 128 + (0xE0 - 0xC2) * 64
