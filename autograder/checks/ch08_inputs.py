"""Inputs for chapter 8: splits, parallel texts with an encoder that knows them, rules, programs, measured rows."""

import itertools
import random
from collections.abc import Iterator, Sequence

from autograder.checks.inputs import random_text, sequences
from autograder.sandbox.inside.wire import Double

__all__ = [
    "FAILING", "HASHED", "LANGUAGES", "MODELS", "PROGRAMS", "RECIPES", "SIZES", "TIES", "WINDOWED", "encoder",
    "pairs_of", "parallel", "random_splits", "random_ties", "small_pieces", "taxes",
]

# The languages of the notebook's data, the five of its windows, and its recipes for a digest.
LANGUAGES = (
    "Amharic", "Arabic", "Armenian", "Bengali", "Burmese", "Chinese (simplified)", "Chinese (traditional)", "English",
    "French", "Georgian", "German", "Greek", "Hebrew", "Hindi", "Icelandic", "Japanese", "Korean", "Persian", "Polish",
    "Russian", "Spanish", "Swahili", "Tamil", "Thai", "Turkish", "Vietnamese",
)
WINDOWED = ("English", "German", "Russian", "Hindi", "Japanese")
RECIPES = ("hash() of a text", "repr of a set", "repr of a dict", "JSON of a sorted list")


def random_splits(seeded: random.Random) -> dict[str, list[str]]:
    """Three splits of texts of unequal length, with letters beyond ASCII."""
    letters = "etaoin é漢"
    return {
        split: [random_text(seeded, seeded.randint(1, most), letters) for _ in range(6)]
        for split, most in (("train", 300), ("held-out", 60), ("other", 150))
    }


def encoder(tokens: dict[str, int]) -> Double:
    """A tokenizer that knows these texts only, and gives each so many ids."""
    ids = {text: [place // 2 for place in range(size)] for text, size in tokens.items()}  # many ids come twice
    return Double({"vocab_size": 1000}, {"encode": [((text,), ids[text]) for text in ids]})


def parallel(*rows: tuple[str, str, str, int], base: str = "") -> tuple:
    """The arguments of `token_tax` for rows of language, script, text and number of tokens."""
    texts = {language: text for language, _, text, _ in rows}
    scripts = {language: script for language, script, _, _ in reversed(rows)}  # found by name, not by place
    args = (texts, scripts, encoder({text: size for _, _, text, size in rows}))
    return (*args, base) if base else args


def taxes(*groups: tuple[str, Sequence[float]]) -> tuple[list[dict]]:
    """The argument of `tax_by_script`: one row for each tax of each script, the scripts taken in turn."""
    columns = [[{"script": script, "tax": tax} for tax in own] for script, own in groups]
    return ([row for turn in itertools.zip_longest(*columns) for row in turn if row is not None],)


# Tied pairs in the order of first sight, with the bytes of each id, ids by age.
PIECES = {32: b" ", 97: b"a", 98: b"b", 99: b"c", 169: b"\xa9", 195: b"\xc3", 256: b"cc", 257: b"aa", 258: b"ab"}
PAIRS = [(97, 98), (98, 97), (32, 99), (195, 97), (169, 99), (256, 97), (258, 97), (97, 257), (257, 97)]
TIES = [([*tied], PIECES) for number in (1, 2, 3) for tied in itertools.permutations(PAIRS, number)]


def random_ties(seeded: random.Random) -> tuple[list[tuple[int, int]], dict[int, bytes]]:
    """Tied pairs of ids; ids and bytes have different orders, and some bytes are the beginning of others."""
    known = [bytes(piece) for piece in sequences(b"\x61\x7a\xc3", 4, 1)]
    pieces = dict(enumerate(seeded.sample(known, len(known))))
    return [tuple(seeded.choices(range(len(pieces)), k=2)) for _ in range(seeded.randint(2, 9))], pieces


def pairs_of(letters: str) -> list[tuple[bytes, bytes]]:
    """One rule for each letter: `x` stands for the rule (x, x).

    >>> pairs_of("ab")
    [(b'a', b'a'), (b'b', b'b')]
    """
    return [(letter.encode(), letter.encode()) for letter in letters]


# Programs for processes of their own, each with a few seeds; all print the same wherever they run.
PROGRAMS = {
    "printed": [
        "print('ab')", "print('  a\\n b ')", "print(1)\nprint(2)", "import sys\nprint('b', file=sys.stderr)",
        "import sys\nprint('a')\nprint('b', file=sys.stderr)", 'print("a", \'b\')',
        "x = 3\nif x > 2:\n    print(x)", "print('$HOME `x` \\\\')",
    ],
    "fresh": ["import sys; print('json' in sys.modules)", "import sys; print('socket' in sys.modules)"],
    "others": ["import os; print('PATH' in os.environ)", "import os; print('HOME' in os.environ)"],
}
HASHED = ["hash('low')", "hash(('a', b'b'))"]
FAILING = ["1 / 0", "import sys; print('half'); sys.exit(3)", "if"]


def small_pieces(longest: int) -> Iterator[list[bytes]]:
    """Every list of up to so many tokens of one, two or three bytes; some are no text."""
    yield from sequences([b"a", b"b\xc3", b"\xe6\xbc\xa2"], longest)


SIZES = [{"vocab_size": size, "ratio": ratio} for size, ratio in ((512, 2.0), (1024, 2.5), (4096, 3.25))]
MODELS = {
    "small": {"d_model": 64, "layers": 2, "tied": False},
    "tied": {"d_model": 64, "layers": 2, "tied": True},
    "large": {"d_model": 512, "layers": 8, "tied": False},
}
