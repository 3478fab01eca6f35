"""What the lab notebook measures of tokenizers: sweep, token tax, tie rules, digests, windows, budget.

Pure functions from small measurements to tables (columns as dicts of lists, or DataFrames); only `sweep` trains, with
the library `tokenizers`, and only `run_with_seed` starts a process. Left out: drawing, and reading the corpora.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Protocol

import pandas as pd

__all__ = [
    "BytePair", "Encoder", "LearntBPE", "break_tie", "budget", "coverage", "distinct_digests", "divergence",
    "embedding_share", "gaps", "run_with_seed", "sweep", "tax_by_script", "token_tax", "window_bytes",
]

BytePair = tuple[bytes, bytes]
Row = Mapping[str, object]


class Encoder(Protocol):
    """Whatever turns a text into ids."""

    def encode(self, text: str) -> list[int]: ...


class LearntBPE:
    """Byte-level BPE on GPT-2's pre-tokens, learnt by the library `tokenizers`; stops below a count of 2.

    >>> LearntBPE(["abab abab"], 300).encode("abab")
    [257]
    """

    def __init__(self, texts: Sequence[str], vocab_size: int):
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # its threads would not survive a fork
        import tokenizers  # here, so that whoever grades another chapter does not load it

        level = tokenizers.pre_tokenizers.ByteLevel
        self.model = tokenizers.Tokenizer(tokenizers.models.BPE())
        self.model.pre_tokenizer = level(add_prefix_space=False)
        trainer = tokenizers.trainers.BpeTrainer(
            vocab_size=vocab_size, min_frequency=2, initial_alphabet=sorted(level.alphabet()), show_progress=False
        )
        self.model.train_from_iterator(texts, trainer)
        self.vocab_size = self.model.get_vocab_size()

    def encode(self, text: str) -> list[int]:
        return self.model.encode(text).ids


def sweep(splits: Mapping[str, Sequence[str]], vocab_sizes: Sequence[int]) -> pd.DataFrame:
    """One row for each size asked for and each split, learnt from `splits["train"]` only.

    `vocab_size` is what the tokenizer really has; `bytes` and `tokens` are sums over the split's texts, each encoded by
    itself; `ratio` is bytes per token.

    >>> sweep({"train": ["abab abab"], "new": ["abé"]}, [257]).values.tolist()
    [[257, 257, 'train', 9, 5, 1.8], [257, 257, 'new', 4, 3, 1.3333333333333333]]
    """
    rows = []
    for asked in vocab_sizes:
        learnt = LearntBPE(splits["train"], asked)
        for split, texts in splits.items():
            size = sum(len(text.encode("utf-8")) for text in texts)
            tokens = sum(len(learnt.encode(text)) for text in texts)
            rows.append((asked, learnt.vocab_size, split, size, tokens, size / tokens))
    return pd.DataFrame(rows, columns=["asked", "vocab_size", "split", "bytes", "tokens", "ratio"])


def gaps(rows: Sequence[Row]) -> dict[str, list]:
    """The rows' columns and `gap`: how far the ratio lies below that of the split "train" at the same size, as a share.

    >>> gaps([{"vocab_size": 300, "split": s, "ratio": r} for s, r in (("train", 2.0), ("new", 1.5))])["gap"]
    [0.0, 0.25]
    """
    best = {row["vocab_size"]: row["ratio"] for row in rows if row["split"] == "train"}
    columns = {name: [row[name] for row in rows] for name in ("vocab_size", "split", "ratio")}
    return {**columns, "gap": [1 - row["ratio"] / best[row["vocab_size"]] for row in rows]}


def token_tax(
    texts: Mapping[str, str], scripts: Mapping[str, str], tokenizer: Encoder, base: str = "English"
) -> pd.DataFrame:
    """Tokens of each language's text relative to the base language's, from the lowest tax to the highest.

    Equal ones stay in the order of `texts`. `ValueError` where `base` is none of the languages.

    >>> class Bytes:
    ...     def encode(self, text): return list(text.encode())
    >>> token_tax({"Greek": "αβ", "English": "ab"}, {"Greek": "Greek", "English": "Latin"}, Bytes()).values.tolist()
    [['English', 'Latin', 2, 2, 1.0], ['Greek', 'Greek', 4, 4, 2.0]]
    """
    if base not in texts:
        raise ValueError(f"base must be one of the languages of texts, not {base!r}")
    tokens = {language: len(tokenizer.encode(text)) for language, text in texts.items()}
    rows = [
        (language, scripts[language], len(text.encode("utf-8")), tokens[language], tokens[language] / tokens[base])
        for language, text in texts.items()
    ]
    columns = ["language", "script", "bytes", "tokens", "tax"]
    return pd.DataFrame(sorted(rows, key=lambda row: row[-1]), columns=columns)


def tax_by_script(rows: Sequence[Row]) -> pd.DataFrame:
    """Number of languages, lowest, median and highest tax of each script, ordered by the median.

    >>> tax_by_script([{"script": "Latin", "tax": tax} for tax in (1.0, 4.0, 1.5)]).values.tolist()
    [['Latin', 3, 1.0, 1.5, 4.0]]
    """
    taxes: dict[str, list[float]] = {}
    for row in rows:
        taxes.setdefault(row["script"], []).append(row["tax"])
    table = [(script, len(all_), min(all_), statistics.median(all_), max(all_)) for script, all_ in taxes.items()]
    columns = ["script", "languages", "lowest", "median", "highest"]
    return pd.DataFrame(sorted(table, key=lambda row: row[3]), columns=columns)


def break_tie(tied: Sequence[tuple[int, int]], pieces: Mapping[int, bytes], rule: str) -> tuple[int, int]:
    """Which of several pairs of equal count is merged; `tied` is in the order of first sight, ids by age.

    R1: the smallest pair of ids. R2: the greatest pair of bytes. R3: the pair seen first. `ValueError` for other rules.

    >>> pieces = {1: b"z", 2: b"a", 3: b"b"}
    >>> [break_tie([(2, 3), (1, 2), (3, 3)], pieces, rule) for rule in ("R1", "R2", "R3")]
    [(1, 2), (1, 2), (2, 3)]
    """
    if rule == "R1":
        return min(tied)
    if rule == "R2":
        return max(tied, key=lambda pair: (pieces[pair[0]], pieces[pair[1]]))
    if rule == "R3":
        return tied[0]
    raise ValueError(f"rule must be R1, R2 or R3, not {rule!r}")


def divergence(rules: Mapping[str, Sequence[BytePair]], base: str, steps: Sequence[int]) -> pd.DataFrame:
    """How many of the first rules of each set are those of the base's: at the same place, and at any place.

    A row for each set, the base too, and each step; of a shorter list all rules count. Unknown base: `ValueError`.

    >>> ab, bc = (b"a", b"b"), (b"b", b"c")
    >>> divergence({"x": [ab, bc], "y": [bc, ab]}, "x", [1, 2]).values.tolist()
    [['x', 1, 1, 1], ['x', 2, 2, 2], ['y', 1, 0, 0], ['y', 2, 0, 2]]
    """
    if base not in rules:
        raise ValueError(f"base must be one of {list(rules)}, not {base!r}")
    rows = []
    for name, own in rules.items():
        for step in steps:
            left, right = list(rules[base][:step]), list(own[:step])
            same_place = sum(a == b for a, b in zip(left, right))  # noqa: B905  one may be shorter
            rows.append((name, step, same_place, len(set(left) & set(right))))
    return pd.DataFrame(rows, columns=["rule_set", "merges", "same_place", "same_rules"])


def run_with_seed(program: str, seed: int) -> str:
    """What a Python program prints in a process of its own whose hashes are seeded with `seed`, stripped.

    Raises `CalledProcessError` when the program fails.

    >>> run_with_seed("print(1 + 1)", 7)
    '2'
    """
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    call = [sys.executable, "-c", program]
    done = subprocess.run(call, env=environment, capture_output=True, text=True, encoding="utf-8", check=True)
    return done.stdout.strip()


def distinct_digests(rows: Sequence[Row]) -> dict[str, list]:
    """How many different digests each recipe gave in its first 1, 2, … processes; recipes in order of first sight.

    >>> distinct_digests([{"recipe": "a", "digest": d} for d in "xyx"])
    {'recipe': ['a', 'a', 'a'], 'processes': [1, 2, 3], 'distinct': [1, 2, 2]}
    """
    columns: dict[str, list] = {"recipe": [], "processes": [], "distinct": []}
    for recipe in dict.fromkeys(row["recipe"] for row in rows):
        digests = [row["digest"] for row in rows if row["recipe"] == recipe]
        for number in range(1, len(digests) + 1):
            columns["recipe"].append(recipe)
            columns["processes"].append(number)
            columns["distinct"].append(len(set(digests[:number])))
    return columns


def window_bytes(pieces: Sequence[bytes], window: int) -> list[int]:
    """Bytes of each whole window of so many tokens, side by side from the start; a rest is left out.

    Unlike `byte_bpe.context_bytes`, windows do not overlap: each byte counts once. `ValueError` unless `window` is an
    int of 1 or more.

    >>> window_bytes([b"ab", b"c", b"d", b"ef", b"g"], 2)
    [3, 3]
    """
    if type(window) is not int or window < 1:
        raise ValueError(f"window must be an int of 1 or more, not {window!r}")
    sizes = [len(piece) for piece in pieces]
    return [sum(sizes[start : start + window]) for start in range(0, len(sizes) - window + 1, window)]


def coverage(sizes: Mapping[str, Sequence[int]]) -> dict[str, list]:
    """For each text its windows' bytes from small to large, and the share of its windows up to and with that one.

    >>> coverage({"a": [5, 3]})
    {'text': ['a', 'a'], 'bytes': [3, 5], 'share': [0.5, 1.0]}
    """
    rows = [
        (text, size, rank / len(own)) for text, own in sizes.items() for rank, size in enumerate(sorted(own), start=1)
    ]
    return {name: [row[place] for row in rows] for place, name in enumerate(("text", "bytes", "share"))}


def embedding_share(vocab_size: int, d_model: int, layers: int, tied: bool) -> float:
    """The share of a transformer's weights that its token tables take.

    A layer has about 12 d² weights (four d·d for attention, eight for the feed-forward part that is four times as
    wide), as in Kaplan and others, "Scaling Laws for Neural Language Models" (2020); a table has vocab_size · d, and
    untied models have two. Raises `ValueError` that names a number which is no int of 1 or more.

    >>> embedding_share(24, 2, 1, True), embedding_share(24, 2, 1, False)
    (0.5, 0.6666666666666666)
    """
    for name, value in (("vocab_size", vocab_size), ("d_model", d_model), ("layers", layers)):
        if type(value) is not int or value < 1:
            raise ValueError(f"{name} must be an int of 1 or more, not {value!r}")
    tables = (1 if tied else 2) * vocab_size * d_model
    return tables / (tables + 12 * layers * d_model**2)


def budget(sizes: Sequence[Row], models: Mapping[str, Row]) -> dict[str, list]:
    """For each model and vocabulary size the share of weights in token tables, beside the ratio that it buys.

    >>> budget([{"vocab_size": 24, "ratio": 2.5}], {"m": {"d_model": 2, "layers": 1, "tied": True}})
    {'model': ['m'], 'vocab_size': [24], 'share': [0.5], 'ratio': [2.5]}
    """
    rows = [
        (name, row["vocab_size"], embedding_share(row["vocab_size"], **model), row["ratio"])
        for name, model in models.items() for row in sizes
    ]
    return {name: [row[place] for row in rows] for place, name in enumerate(("model", "vocab_size", "share", "ratio"))}
