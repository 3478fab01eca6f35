"""Encoding one pre-token with trained rules (rule set R2): short ones by looking at every pair, long ones by a heap.

Left out: cutting text into pre-tokens and numbering tokens (`tokenizer` does).
"""

import heapq
import itertools
import math

__all__ = ["bpe_encode", "merge_with_heap"]

Pair = tuple[bytes, bytes]

SHORT = 40  # bytes up to which looking at every pair is faster than a heap


def bpe_encode(piece: bytes, ranks: dict[Pair, int]) -> list[bytes]:
    """The tokens of one pre-token: always the pair of lowest rank is merged, the leftmost of several equal ones.

    >>> bpe_encode(b"ababc", {(b"b", b"c"): 0, (b"a", b"b"): 1})
    [b'ab', b'a', b'bc']
    """
    tokens = [piece[i : i + 1] for i in range(len(piece))]
    if len(tokens) > SHORT:
        return merge_with_heap(tokens, ranks)
    found = [ranks.get(pair, math.inf) for pair in itertools.pairwise(tokens)]
    while found and (rank := min(found)) != math.inf:
        i = found.index(rank)
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
        del found[i]
        if i > 0:
            found[i - 1] = ranks.get((tokens[i - 1], tokens[i]), math.inf)
        if i < len(found):
            found[i] = ranks.get((tokens[i], tokens[i + 1]), math.inf)
    return tokens


def merge_with_heap(tokens: list[bytes], ranks: dict[Pair, int]) -> list[bytes]:
    """The same in n·log n: candidates in a heap, tokens linked to their neighbours by position.

    A candidate is one number, the rank above and the place below, so that the heap compares numbers only. It is stale
    when the pair at its place has another rank by now, or none.

    >>> merge_with_heap([b"a", b"a", b"a"], {(b"a", b"a"): 0})
    [b'aa', b'a']
    """
    end = len(tokens)
    shift = end.bit_length()
    after, before = list(range(1, end + 1)), list(range(-1, end - 1))
    heap = [ranks[pair] << shift | i for i, pair in enumerate(itertools.pairwise(tokens)) if pair in ranks]
    heapq.heapify(heap)
    while heap:
        candidate = heapq.heappop(heap)
        i = candidate & ((1 << shift) - 1)
        j = after[i]
        # A swallowed place holds b"", which is no part of any rule.
        if j == end or ranks.get((tokens[i], tokens[j])) != candidate >> shift:
            continue
        tokens[i], tokens[j] = tokens[i] + tokens[j], b""
        after[i] = after[j]
        if after[i] < end:
            before[after[i]] = i
        for k in (before[i], i):
            if k >= 0 and after[k] < end and (rank := ranks.get((tokens[k], tokens[after[k]]))) is not None:
                heapq.heappush(heap, rank << shift | k)
    return [token for token in tokens if token]
