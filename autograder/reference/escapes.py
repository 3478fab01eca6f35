"""Text as code points, and as what `repr` and the interactive prompt make of it.

Knows nothing of bytes (that is `utf8`). Which characters count as printable is Python's own table of Unicode.
"""

__all__ = ["SHORT", "code_points", "echo", "escape", "visible"]

# A double quote is escaped because the result stands between double quotes.
SHORT = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def code_points(text: str) -> list[int]:
    """The code point of every element of `text`, lone surrogates included.

    >>> code_points("é"), code_points("e\\u0301"), code_points("🇮🇸")
    ([233], [101, 769], [127470, 127480])
    """
    return [ord(character) for character in text]


def echo(value: object) -> str:
    """What the interactive prompt writes after an expression of this value: its `repr` and a line break, or nothing.

    The rule is that of `sys.displayhook`: only `None` is left out.

    >>> echo(chr(0)), echo(0), echo(None)
    ("'\\\\x00'\\n", '0\\n', '')
    """
    return "" if value is None else f"{value!r}\n"


def escape(code_point: int) -> str:
    """The shortest numeric escape of a code point: `\\xhh`, `\\uhhhh` or `\\Uhhhhhhhh`, hexadecimal in lower case.

    >>> escape(0), escape(0x2028), escape(0xE0001)
    ('\\\\x00', '\\\\u2028', '\\\\U000e0001')
    """
    if code_point < 0x100:
        return f"\\x{code_point:02x}"
    return f"\\u{code_point:04x}" if code_point < 0x10000 else f"\\U{code_point:08x}"


def visible(text: str) -> str:
    """`text` with escapes as a double-quoted literal needs them; printable characters of every script stay.

    >>> print(visible('say "é"\\n'))
    say \\"é\\"\\n
    >>> print(visible(chr(0) + chr(0xD800) + chr(0x2028)))
    \\x00\\ud800\\u2028
    """
    return "".join(
        SHORT[character] if character in SHORT else character if character.isprintable() else escape(ord(character))
        for character in text
    )
