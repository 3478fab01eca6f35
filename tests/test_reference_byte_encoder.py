"""Encoding rule by rule at the places where its pair stands gives what one pass for each rule gives."""

import random

from hypothesis import given
from hypothesis import strategies as st

from autograder.checks.inputs import NASTY_TEXTS, texts
from autograder.reference import array_bpe, byte_bpe, byte_encoder

# Rules of which later ones are made of earlier ones, with and without runs.
RULES = [
    [],
    [((97, 97), 258), ((258, 258), 259), ((259, 97), 260)],
    [((97, 98), 258), ((258, 97), 259), ((98, 258), 260), ((97, 97), 261)],
    [((98, 98), 258), ((98, 258), 259)],
    [((97, 98), 258), ((97, 98), 259), ((258, 258), 260)],  # a rule twice: the second finds nothing
]


def test_every_small_text():
    for rules in RULES:
        for text in texts("ab", 9):
            assert byte_encoder.encode(text, rules) == byte_bpe.encode(text, rules), (text, rules)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=12), st.text("abc", max_size=60))
def test_any_valid_rules(picks, text):
    """Each rule takes two of the ids there are, learnt or not."""
    ids, rules = [97, 98, 99], []
    for left, right in picks:
        new_id = 258 + len(rules)
        rules.append(((ids[left % len(ids)], ids[right % len(ids)]), new_id))
        ids.append(new_id)
    byte_bpe.token_table(rules)
    assert byte_encoder.encode(text, rules) == byte_bpe.encode(text, rules)


def test_learnt_rules_on_other_texts():
    seeded = random.Random(8)
    letters = "".join(seeded.choices("abcdefgh  é", k=4_000))
    rules = array_bpe.fit_merges([letters], 300)
    for text in (letters[::-1], "a" * 5_000, "", *NASTY_TEXTS):
        assert byte_encoder.encode(text, rules) == byte_bpe.encode(text, rules)
