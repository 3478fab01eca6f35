"""A reversible byte-pair tokenizer (rule set R1): tables of pieces, encoding, decoding, and what can be measured.

A document is its UTF-8 bytes. Ids 0-255 are the bytes, 256 is BOS, 257 is EOS, and rule r has id 258 + r. Rules are
applied in the order of their creation, each in one pass from left to right. How rules are learnt is in `naive_bpe`;
how they are saved is in `saved_bpe`. There is no pre-tokenization here, and nothing is fast.
"""

import collections
import hashlib
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence

from autograder.reference.naive_bpe import FIRST_RULE, Merges, fit_merges, merge_pair

__all__ = [
    "BOS", "EOS", "FIRST_RULE", "FORMAT", "SPLITS", "Merges", "context_bytes", "count_encodings", "decode", "digest",
    "embedding_parameters", "encode", "fit_splits", "fragment_label", "held_out_ratios", "is_canonical",
    "path_bits_per_byte", "serialise", "token_table", "window_counts",
]

BOS, EOS = 256, 257
FORMAT = "byte-bpe 1"  # names the serialisation that `digest` hashes, with its version
SPLITS = ("train", "validation", "test")


def token_table(merges: Iterable) -> dict[int, bytes]:
    """The bytes of every id; BOS and EOS have none. The table's length is the vocabulary's size.

    Raises `ValueError` for a rule whose id is not 258 plus its rank, or whose pair names anything but bytes and
    earlier rules: itself, a later rule, BOS or EOS, or what is not an int at all (True is none).

    >>> table = token_table([((97, 98), 258), ((258, 99), 259)])
    >>> table[98], table[256], table[259], len(table)
    (b'b', b'', b'abc', 260)
    >>> token_table([((97, 258), 258)])
    Traceback (most recent call last):
    ValueError: merges: rule 0 refers to 258, which is neither a byte nor an earlier rule
    """
    table = {byte: bytes([byte]) for byte in range(256)} | {BOS: b"", EOS: b""}
    for rank, (pair, new_id) in enumerate(merges):
        if type(new_id) is not int or new_id != FIRST_RULE + rank:
            raise ValueError(f"merges: rule {rank} must have id {FIRST_RULE + rank}, not {new_id!r}")
        left, right = pair
        for part in (left, right):
            if type(part) is not int or part in (BOS, EOS) or part not in table:
                raise ValueError(f"merges: rule {rank} refers to {part!r}, which is neither a byte nor an earlier rule")
        table[new_id] = table[left] + table[right]
    return table


def encode(text: str, merges: Merges) -> list[int]:
    """BOS, the text's tokens, EOS: rules applied one after the other in the order of their creation.

    A lone surrogate has no UTF-8: `UnicodeEncodeError`.

    >>> encode("abac", [((97, 98), 258), ((97, 99), 259)])
    [256, 258, 259, 257]
    """
    ids = list(text.encode())
    for pair, new_id in merges:
        ids = merge_pair(ids, pair, new_id)
    return [BOS, *ids, EOS]


def decode(ids: Iterable[int], merges: Merges) -> str:
    """The text of any ids, canonical or not; BOS and EOS add nothing wherever they stand.

    Raises `ValueError` for an id that the table does not hold and `UnicodeDecodeError` for bytes that are no UTF-8.

    >>> decode([256, 97, 258, 257], [((97, 98), 258)])
    'aab'
    """
    table = token_table(merges)
    pieces = []
    for one in ids:
        if one not in table:
            raise ValueError(f"ids: {one!r} is not in the vocabulary of {len(table)}")
        pieces.append(table[one])
    return b"".join(pieces).decode()


def fragment_label(piece: bytes) -> str:
    """A piece shown without loss: `repr` of its text if it is whole UTF-8, else `0x` and its bytes in hexadecimal.

    >>> fragment_label(b"e4"), fragment_label(bytes([0xE4])), fragment_label("é".encode())
    ("'e4'", '0xe4', "'é'")
    """
    try:
        return repr(piece.decode())
    except UnicodeDecodeError:
        return "0x" + piece.hex()


def serialise(merges: Merges) -> bytes:
    r"""The one byte string that stands for these rules: the format's line, then a line `a b id` for each rule in order.

    >>> serialise([((97, 98), 258)])
    b'byte-bpe 1\n97 98 258\n'
    """
    lines = [FORMAT, *(f"{left} {right} {new_id}" for (left, right), new_id in merges)]
    return "".join(line + "\n" for line in lines).encode("ascii")


def digest(merges: Merges) -> str:
    """SHA-256 of `serialise(merges)` in lower-case hexadecimal. It judges nothing: invalid rules have a digest too.

    >>> digest([])[:16], digest([((97, 98), 258)])[:16]
    ('dd2536beab7d8287', '1a4d21f3c92cab36')
    """
    return hashlib.sha256(serialise(merges)).hexdigest()


def fit_splits(splits: Mapping[str, Sequence[str]], max_merges: int) -> dict:
    """Learn rules from `train` alone, then encode all three splits with them.

    Returns `{"merges": …, "digest": …, "encoded": {"train": [ids, …], "validation": …, "test": …}}`. Raises
    `ValueError` unless the keys of `splits` are just these three, and when a text stands in two splits; a text may be
    repeated inside one.

    >>> found = fit_splits({"train": ["abab"], "validation": ["ab"], "test": ["xyxy"]}, 9)
    >>> found["merges"], found["encoded"]["validation"]
    ([((97, 98), 258)], [[256, 258, 257]])
    """
    if set(splits) != set(SPLITS):
        raise ValueError(f"splits must have the keys {', '.join(SPLITS)}, not {sorted(map(str, splits))}")
    for one, other in itertools.combinations(SPLITS, 2):
        for text in splits[one]:
            if text in splits[other]:
                raise ValueError(f"splits: {text!r} is in {one} and in {other}")
    merges = fit_merges(splits["train"], max_merges)
    encoded = {name: [encode(text, merges) for text in splits[name]] for name in SPLITS}
    return {"merges": merges, "digest": digest(merges), "encoded": encoded}


def is_canonical(ids: Sequence[int], merges: Merges) -> bool:
    """Whether `encode` of some text gives just these ids, BOS and EOS included; never raises for the wrong ids.

    >>> rules = [((97, 98), 258)]
    >>> is_canonical([256, 258, 257], rules), is_canonical([256, 97, 98, 257], rules), is_canonical([999], rules)
    (True, False, False)
    """
    try:
        return encode(decode(ids, merges), merges) == list(ids)
    except ValueError:  # an unknown id, or broken UTF-8
        return False


def count_encodings(text: str, merges: Merges) -> int:
    """How many id sequences without BOS and EOS decode to the text; the empty text has one, the empty sequence.

    Two ids with equal bytes make two sequences. By dynamic programming over prefixes.

    >>> count_encodings("ab", [((97, 98), 258)]), count_encodings("aaaa", [((97, 97), 258)])
    (2, 5)
    """
    data = text.encode()
    ids_with = collections.Counter(piece for piece in token_table(merges).values() if piece)
    longest = max(map(len, ids_with))
    ways = [1] + [0] * len(data)
    for end in range(1, len(data) + 1):
        for start in range(max(0, end - longest), end):
            if number := ids_with.get(data[start:end]):
                ways[end] += ways[start] * number
    return ways[-1]


def path_bits_per_byte(log_probs: Sequence[float], text: str) -> float:
    """Negative log2 probability of one path of ids, EOS included, per UTF-8 byte of the text.

    `log_probs` are natural logarithms, one for each id after BOS, each at most 0. Raises `ValueError` for an empty
    text, for no log probabilities (EOS has one), and for one that is above 0 or not a number.

    >>> path_bits_per_byte([math.log(1 / 4), math.log(1 / 2)], "abc")
    1.0
    """
    if not text:
        raise ValueError("text is empty: there is no byte to divide by")
    if not log_probs:
        raise ValueError("log_probs is empty: EOS has one too")
    for value in log_probs:
        if not value <= 0:
            raise ValueError(f"log_probs holds {value!r}, which is no logarithm of a probability")
    return -math.fsum(log_probs) / math.log(2) / len(text.encode())


def embedding_parameters(vocab_size: int, d_model: int, tied: bool) -> int:
    """Weights of the input table and the output head: one row of `d_model` an id in each, shared if `tied`.

    >>> embedding_parameters(259, 64, False) - embedding_parameters(258, 64, False)
    128
    """
    for name, value in (("vocab_size", vocab_size), ("d_model", d_model)):
        if type(value) is not int or value < 1:
            raise ValueError(f"{name} must be a positive int, not {value!r}")
    return (1 if tied else 2) * vocab_size * d_model


def context_bytes(text: str, merges: Merges, window: int) -> list[int]:
    """Bytes covered by each run of `window` neighbouring tokens of the text, one for each place where a run can start.

    BOS and EOS are left out; a text of fewer tokens has no run. Raises `ValueError` unless `window` is an int of 1 or
    more.

    >>> context_bytes("ababc", [((97, 98), 258)], 2)
    [4, 3]
    """
    if type(window) is not int or window < 1:
        raise ValueError(f"window must be a positive int, not {window!r}")
    table = token_table(merges)
    until = [0, *itertools.accumulate(len(table[one]) for one in encode(text, merges)[1:-1])]
    return [end - start for start, end in zip(until, until[window:])]  # noqa: B905  `until[window:]` is shorter


def held_out_ratios(splits: Mapping[str, Sequence[str]], steps: Sequence[int]) -> dict[str, list]:
    """Bytes per token (BOS and EOS left out) with the first `step` rules learnt from `train`, on two of the splits.

    Columns `rules` (how many there really are), `train` and `validation`. Rules are learnt once: fewer merges give a
    prefix of the same list.

    >>> held_out_ratios({"train": ["abab"], "validation": ["abc"], "test": []}, [0, 9])
    {'rules': [0, 1], 'train': [1.0, 2.0], 'validation': [1.0, 1.5]}
    """
    merges = fit_merges(splits["train"], max(steps))
    columns: dict[str, list] = {"rules": [min(step, len(merges)) for step in steps]}
    for name in SPLITS[:2]:
        size = sum(len(text.encode()) for text in splits[name])
        columns[name] = [
            size / sum(len(encode(text, merges[:step])) - 2 for text in splits[name]) for step in columns["rules"]
        ]
    return columns


def window_counts(text: str, rule_lists: Mapping[str, Merges], window: int) -> dict[str, list]:
    """How many runs of `window` tokens cover how many bytes, for each named list of rules, fewest bytes first.

    >>> window_counts("ababc", {"ab": [((97, 98), 258)]}, 2)
    {'tokenizer': ['ab', 'ab'], 'bytes': [3, 4], 'windows': [1, 1]}
    """
    columns: dict[str, list] = {"tokenizer": [], "bytes": [], "windows": []}
    for name, merges in rule_lists.items():
        for size, windows in sorted(collections.Counter(context_bytes(text, merges, window)).items()):
            for column, value in zip(columns.values(), (name, size, windows), strict=True):
                column.append(value)
    return columns
