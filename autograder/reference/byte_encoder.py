"""Encoding long texts with many rules (rule set R1): each rule looks only at the places where its pair stands.

`byte_bpe.encode` reads the whole text once for every rule. Here each pair's places are kept in that rule's bucket, in
the flat array of `incremental_bpe`; a merge puts the two pairs that it makes into the buckets of their rules. A rule
that makes one of them comes later, as its pair holds the newest id, so one way through the buckets is enough.

Left out: checking the rules (`byte_bpe.token_table` does) and decoding.
"""

from itertools import pairwise

from autograder.reference.byte_bpe import BOS, EOS
from autograder.reference.naive_bpe import FIRST_RULE, Merges

__all__ = ["encode"]

GAP = -1


def encode(text: str, merges: Merges) -> list[int]:
    """BOS, the text's tokens, EOS: the ids of `byte_bpe.encode` for all rules that `byte_bpe.token_table` accepts.

    A lone surrogate has no UTF-8: `UnicodeEncodeError`.

    >>> encode("abac", [((97, 98), 258), ((97, 99), 259)])
    [256, 258, 259, 257]
    """
    ids = [GAP, *text.encode("utf-8"), GAP]
    ranks: dict[tuple[int, int], int] = {}
    for rank, ((a, b), _) in enumerate(merges):
        ranks.setdefault((a, b), rank)
    lengths = [1] * FIRST_RULE  # in bytes, by id
    buckets: list[list[int]] = [[] for _ in merges]
    for place, pair in enumerate(pairwise(ids)):
        if (rank := ranks.get(pair)) is not None:
            buckets[rank].append(place)
    for rank, ((a, b), new_id) in enumerate(merges):
        first, whole = lengths[a], lengths[a] + lengths[b]
        lengths.append(whole)
        for place in buckets[rank]:
            if ids[place] != a or ids[place + first] != b:
                continue  # taken by an earlier rule, or by this one: the places of a run overlap
            left, right = ids[place - 1], ids[place + whole]
            ids[place + first] = GAP
            ids[place] = ids[place + whole - 1] = new_id
            if (later := ranks.get((left, new_id))) is not None:
                buckets[later].append(place - lengths[left])
            if (later := ranks.get((new_id, right))) is not None:
                buckets[later].append(place)
        buckets[rank] = []
    found, place = [BOS], 1
    while place < len(ids) - 1:
        found.append(ids[place])
        place += lengths[ids[place]]
    return [*found, EOS]
