"""Known mistakes as another person would make them: other algorithms, not the catalogue's code written differently.

The name of a function starts with the id of the entry that it must be recognised as.
"""

# ruff: noqa: RUF005, RUF007  (written as learners write)


def counts_disjoint_windows__by_slices(sequences):
    found = {}
    for one in sequences:
        left, right = one[0::2], one[1::2]
        for place in range(len(right)):
            pair = (left[place], right[place])
            found[pair] = found.setdefault(pair, 0) + 1
    return found


def count_misses_the_last_place__by_zip(sequences):
    from collections import Counter

    total = Counter()
    for one in sequences:
        total.update(zip(one[:-2], one[1:-1], strict=True))
    return dict(total)


def counts_across_ends__by_memory(sequences):
    found, before = {}, None
    for one in sequences:
        for token in one:
            if before is not None:
                found[(before, token)] = found.get((before, token), 0) + 1
            before = token
    return found


def counts_once_a_sequence__by_membership(sequences):
    found = {}
    for one in sequences:
        seen = []
        for place in range(1, len(one)):
            pair = (one[place - 1], one[place])
            if pair not in seen:
                seen.append(pair)
                found[pair] = found[pair] + 1 if pair in found else 1
    return found


def counts_pairs_in_either_order__by_sorting(sequences):
    found = {}
    for one in sequences:
        for place in range(len(one) - 1):
            pair = tuple(sorted(one[place : place + 2]))
            found[pair] = found.get(pair, 0) + 1
    return found


def merges_right_to_left__by_reversing(ids, pair, new_id):
    rest, done = list(reversed(ids)), []
    while rest:
        if len(rest) > 1 and rest[1] == pair[0] and rest[0] == pair[1]:
            done, rest = [new_id] + done, rest[2:]
        else:
            done, rest = [rest[0]] + done, rest[1:]
    return done


def best_in_string_order__by_sorting(counts):
    if len(counts) == 0:
        raise ValueError("counts must not be empty")
    top = max(counts.values())
    return sorted((pair for pair in counts if counts[pair] == top), key=lambda pair: f"{pair}")[0]


def best_is_last_seen__by_reversing(counts):
    if not counts:
        raise ValueError("no pair in counts")
    top, winner = max(counts.values()), None
    for pair, count in counts.items():
        winner = pair if count == top else winner
    return winner
