"""Rules and texts for chapter 4: all small ones in order of size, and larger ones drawn from the course secret."""

import itertools
import json
import math
import random
from collections.abc import Iterator

from autograder.reference.byte_bpe import BOS, EOS, FIRST_RULE, Merges, digest, fit_merges
from autograder.sandbox.inside import wire

__all__ = [
    "file_of", "flipped_bits", "learnt", "random_log_probs", "random_text", "rule_lists", "saved", "small_cases",
    "small_ids", "small_paths", "splits_of", "texts",
]

A, B = 97, 98
SOME_TEXT = ["abacab ", "ba é", "the cat and the hat ", "漢字", "😀", "\n", "naïve ", "ราชา"]


def rule_lists(most: int) -> list[Merges]:
    """All valid lists of at most `most` rules over the bytes a and b in which no pair comes twice, shorter ones first.

    >>> len(rule_lists(1)), len(rule_lists(2))
    (5, 37)
    """
    found: list[Merges] = [[]]
    level: list[Merges] = [[]]
    for rank in range(most):
        symbols = [A, B, *range(FIRST_RULE, FIRST_RULE + rank)]
        level = [
            [*rules, (pair, FIRST_RULE + rank)]
            for rules in level for pair in itertools.product(symbols, repeat=2) if pair not in dict(rules)
        ]
        found += level
    return found


def texts(most: int, letters: str = "ab") -> list[str]:
    """All strings over `letters` of at most `most` characters, shorter ones first.

    >>> texts(1)
    ['', 'a', 'b']
    """
    return ["".join(t) for size in range(most + 1) for t in itertools.product(letters, repeat=size)]


def small_cases(rules: list[Merges], most: int) -> list[tuple[str, Merges]]:
    """Every small text with every list of rules, smallest together first."""
    cases = [(text, merges) for merges in rules for text in texts(most)]
    return sorted(cases, key=lambda case: len(case[0]) + 2 * len(case[1]))


def small_paths() -> list[tuple[list[int], Merges]]:
    """Short lists of ids between BOS and EOS with small lists of rules, smallest together first."""
    cases = [(ids, rules) for rules in rule_lists(2) for ids in small_ids(rules, 4 - len(rules))]
    return [([BOS, *ids, EOS], rules) for ids, rules in sorted(cases, key=lambda case: len(case[0]) + 2 * len(case[1]))]


def small_ids(merges: Merges, most: int, marks: bool = False) -> list[list[int]]:
    """All lists of at most `most` ids among a, b and the rules; with `marks` also BOS and EOS among them."""
    symbols = [A, B, *(new_id for _, new_id in merges), *((BOS, EOS) if marks else ())]
    return [list(ids) for size in range(most + 1) for ids in itertools.product(symbols, repeat=size)]


def random_text(rng: random.Random, pieces: int) -> str:
    return "".join(rng.choice(SOME_TEXT) for _ in range(pieces))


def learnt(rng: random.Random, most: int = 30) -> Merges:
    """Rules as training finds them in a little random text; long enough to cut characters of several bytes in two."""
    return fit_merges([random_text(rng, 20), random_text(rng, 20)], rng.randint(most // 2, most))


def splits_of(rng: random.Random, documents: int = 3) -> dict[str, list[str]]:
    """Three splits without a text in common."""
    return {
        name: [f"{name[0]}{number} {random_text(rng, 6)}" for number in range(documents)]
        for name in ("train", "validation", "test")
    }


def random_log_probs(rng: random.Random, size: int) -> list[float]:
    return [math.log(rng.uniform(0.001, 1.0)) for _ in range(size)]


def saved(merges: object, /, **changes: object) -> dict:
    """What a saved tokenizer's file holds, with some of its keys changed, or left out by `...`."""
    found = {"version": 1, "merges": merges, "digest": digest(merges), **changes}
    return {key: value for key, value in found.items() if value is not ...}


def file_of(data: object, **style: object) -> wire.File:
    """A file with this JSON in it."""
    return wire.File("rules.json", json.dumps(data, **style).encode())


def flipped_bits(content: bytes) -> Iterator[bytes]:
    """The content with one bit changed, for every bit whose change alters what the JSON says."""
    meaning = json.loads(content)
    for place in range(8 * len(content)):
        changed = bytearray(content)
        changed[place // 8] ^= 1 << place % 8
        try:
            if json.loads(changed) == meaning:
                continue
        except ValueError:
            pass
        yield bytes(changed)
