"""What a text costs in UTF-8, UTF-16 and UTF-32, in bytes and per character; drawing is left to the notebook."""

from collections.abc import Mapping

__all__ = ["ENCODINGS", "bytes_per_character", "encoding_sizes"]

ENCODINGS = ("utf-8", "utf-16", "utf-32")


def encoding_sizes(text: str) -> dict[str, int]:
    """Bytes of `text` in each encoding, without byte order marks; `ValueError` for lone surrogates.

    >>> encoding_sizes("a€😀")
    {'utf-8': 8, 'utf-16': 8, 'utf-32': 12}
    """
    # The names that end in -le write no byte order mark.
    return {
        "utf-8": len(text.encode("utf-8")),
        "utf-16": len(text.encode("utf-16-le")),
        "utf-32": len(text.encode("utf-32-le")),
    }


def bytes_per_character(texts: Mapping[str, str]) -> list[tuple[str, float, float, float]]:
    """`(language, utf-8, utf-16, utf-32)` per code point, smallest UTF-8 first; equal ones in the order of `texts`.

    Raises `ValueError` naming `texts` when there are none or one is empty.

    >>> bytes_per_character({"Greek": "αβ", "English": "ab"})
    [('English', 1.0, 2.0, 4.0), ('Greek', 2.0, 2.0, 4.0)]
    """
    if not texts or not all(texts.values()):
        raise ValueError("texts must hold at least one text, and no empty one")
    rows = []
    for language, text in texts.items():
        sizes = encoding_sizes(text)
        rows.append((language, *(sizes[name] / len(text) for name in ENCODINGS)))
    return sorted(rows, key=lambda row: row[1])
