"""Wrong versions of chapter 3's exercises, each with the sentence that helps whoever wrote it.

As in a learner's notebook, a version may call the chapter's other functions. There they are the notebook's; here, where
answers are compared, they are the reference's, imported below under the same names.
"""

# ruff: noqa: B905, C420, RUF005, RUF007  (written as learners write)

from autograder.misconceptions.api import wrong
from autograder.reference.naive_bpe import best_pair, count_pairs, fit_merges, merge_pair

# --- count_pairs ---------------------------------------------------------------------------------------------------


@wrong("count_pairs", caught_by="overlapping_places", also=["long_sequences"])
def count_pairs_without_overlaps(sequences):
    """You seem to skip a place that shares an id with the one counted before: by hand, 1 1 1 has the windows 1 1
    and 1 1. Counting looks at every window; only replacing must not use an id twice."""
    counts = {}
    for ids in sequences:
        i = 0
        while i < len(ids) - 1:
            pair = (ids[i], ids[i + 1])
            counts[pair] = counts.get(pair, 0) + 1
            if ids[i] == ids[i + 1]:
                i += 2
            else:
                i += 1
    return counts


@wrong(
    "count_pairs", caught_by="every_place",
    also=["overlapping_places", "each_sequence_for_itself", "sequences_read_once", "long_sequences"],
)
def counts_disjoint_windows(sequences):
    """You seem to cut the sequence into blocks of two: by hand, 1 2 3 has the windows 1 2 and 2 3, and the second
    starts inside the first. Look at the step of your loop."""
    counts = {}
    for ids in sequences:
        for i in range(0, len(ids) - 1, 2):
            pair = (ids[i], ids[i + 1])
            counts[pair] = counts.get(pair, 0) + 1
    return counts


@wrong(
    "count_pairs", caught_by="every_place", also=["overlapping_places", "long_sequences"],
)
def counts_once_a_sequence(sequences):
    """You seem to count in how many sequences a pair occurs, as with a set: by hand, 1 2 1 2 has the pair (1, 2) at
    two places. Count places."""
    counts = {}
    for ids in sequences:
        for pair in set(zip(ids, ids[1:])):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


@wrong(
    "count_pairs", caught_by="every_place",
    also=["overlapping_places", "each_sequence_for_itself", "sequences_read_once", "long_sequences"],
)
def count_misses_the_last_place(sequences):
    """Your loop seems to end one place too early: by hand, 1 2 has one place, at position 0. With n ids, how many
    positions have a right neighbour?"""
    counts = {}
    for ids in sequences:
        for i in range(len(ids) - 2):
            pair = (ids[i], ids[i + 1])
            counts[pair] = counts.get(pair, 0) + 1
    return counts


@wrong("count_pairs", caught_by="every_place")
def count_takes_zero_for_nothing(sequences):
    """You seem to leave out pairs that hold the id 0. It is an id like others, the byte of chr(0), but Python takes 0
    for false: ask whether there is a neighbour, not whether it is true."""
    counts = {}
    for ids in sequences:
        for left, right in zip(ids, ids[1:]):
            if left and right:
                counts[left, right] = counts.get((left, right), 0) + 1
    return counts


@wrong("count_pairs", caught_by="each_sequence_for_itself", also=["sequences_read_once", "long_sequences"])
def counts_across_ends(sequences):
    """You seem to join the sequences before you count: by hand, [1] and [2] have no pair, as 1 and 2 were never
    neighbours. Slide the window over each sequence for itself."""
    counts = {}
    joined = []
    for ids in sequences:
        joined.extend(ids)
    for pair in zip(joined, joined[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    return counts


@wrong("count_pairs", caught_by="each_sequence_for_itself", also=["sequences_read_once", "long_sequences"])
def counts_the_last_sequence_only(sequences):
    """You seem to start with a new dictionary for every sequence, so only the last one is counted: by hand, [1, 2]
    and [3, 4] have two pairs in all. Where is your dictionary made?"""
    counts = {}
    for ids in sequences:
        counts = {}
        for pair in zip(ids, ids[1:]):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


@wrong(
    "count_pairs", caught_by="every_place", also=["overlapping_places", "each_sequence_for_itself", "long_sequences"],
)
def counts_pairs_in_either_order(sequences):
    """You seem to take (2, 1) for (1, 2): by hand, 2 1 has the pair (2, 1) only. The order of two ids is the order
    of the text; keep it."""
    counts = {}
    for ids in sequences:
        for a, b in zip(ids, ids[1:]):
            pair = (min(a, b), max(a, b))
            counts[pair] = counts.get(pair, 0) + 1
    return counts


@wrong("count_pairs", caught_by="sequences_unchanged")
def count_empties_the_sequences(sequences):
    """Your function takes the ids out of the caller's lists while it counts: after counting, [1, 2] is no longer
    [1, 2]. Read with an index or with zip, and leave the lists alone."""
    counts = {}
    for ids in sequences:
        while len(ids) > 1:
            first = ids.pop(0)
            pair = (first, ids[0])
            counts[pair] = counts.get(pair, 0) + 1
    return counts


@wrong("count_pairs", caught_by="sequences_read_once")
def count_reads_the_sequences_twice(sequences):
    """You seem to go through the sequences twice: an iterator is empty after the first time, so the second finds
    nothing. Do all the work in one loop, or make a list of them first."""
    pairs = set()
    for ids in sequences:
        pairs.update(zip(ids, ids[1:]))
    counts = {pair: 0 for pair in pairs}
    for ids in sequences:
        for pair in zip(ids, ids[1:]):
            counts[pair] += 1
    return counts


# --- merge_pair ----------------------------------------------------------------------------------------------------


@wrong("merge_pair", caught_by="left_to_right", also=["long_lists"])
def merges_right_to_left(ids, pair, new_id):
    """You seem to replace from the right end: by hand, 1 1 1 becomes 9 1, as the walk starts at the left. A text
    must be cut in the same way by everybody, so the direction is a part of the rule."""
    merged = []
    i = len(ids) - 1
    while i >= 0:
        if i > 0 and (ids[i - 1], ids[i]) == tuple(pair):
            merged.append(new_id)
            i -= 2
        else:
            merged.append(ids[i])
            i -= 1
    return merged[::-1]


@wrong("merge_pair", caught_by="left_to_right", also=["new_ids_are_not_matched_again", "long_lists"])
def merges_overlapping_places(ids, pair, new_id):
    """You seem to write the new id for every place that was counted, also for places that share an id: by hand, 1 1
    1 becomes 9 1 and not 9 9, which would stand for four ids. After a replacement, where does the next place
    begin?"""
    pair = tuple(pair)
    merged = []
    for i in range(len(ids)):
        if tuple(ids[i : i + 2]) == pair:
            merged.append(new_id)
        elif i > 0 and (ids[i - 1], ids[i]) == pair:
            continue
        else:
            merged.append(ids[i])
    return merged


@wrong(
    "merge_pair", caught_by="replaces_every_place",
    also=["left_to_right", "new_ids_are_not_matched_again", "pair_as_list", "long_lists"],
)
def merge_drops_the_last_id(ids, pair, new_id):
    """The last id is lost when it is not part of a place: by hand, [5] stays [5] whatever the pair. Look at the
    condition that ends your loop: the last position has no right neighbour, yet it has to be written."""
    merged = []
    i = 0
    while i < len(ids) - 1:
        if (ids[i], ids[i + 1]) == tuple(pair):
            merged.append(new_id)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged


@wrong(
    "merge_pair", caught_by="replaces_every_place",
    also=["left_to_right", "new_ids_are_not_matched_again", "pair_as_list", "long_lists"],
)
def merges_the_first_place_only(ids, pair, new_id):
    """You seem to stop after one replacement: by hand, 1 2 1 2 becomes 9 9. Go on to the end of the list."""
    for i in range(len(ids) - 1):
        if (ids[i], ids[i + 1]) == tuple(pair):
            return ids[:i] + [new_id] + ids[i + 2 :]
    return list(ids)


@wrong("merge_pair", caught_by="new_ids_are_not_matched_again")
def merge_matches_new_ids(ids, pair, new_id):
    """You seem to search again in what was replaced, until the pair is gone: by hand, 1 2 2 with (1, 2) replaced by
    1 becomes 1 2, and the 1 just written must not meet the next 2. Compare with the old list only."""
    merged = list(ids)
    i = 0
    while i < len(merged) - 1:
        if (merged[i], merged[i + 1]) == tuple(pair):
            merged[i : i + 2] = [new_id]
        else:
            i += 1
    return merged


@wrong(
    "merge_pair", caught_by="replaces_every_place",
    also=["left_to_right", "new_ids_are_not_matched_again", "pair_as_list", "long_lists"],
)
def merge_keeps_the_second_id(ids, pair, new_id):
    """After a replacement you seem to go on with the second id of the pair: by hand, 1 2 becomes 9 and not 9 2. A
    replacement uses up two ids, so the position moves by two."""
    merged = []
    i = 0
    while i < len(ids):
        if tuple(ids[i : i + 2]) == tuple(pair):
            merged.append(new_id)
        else:
            merged.append(ids[i])
        i += 1
    return merged


@wrong(
    "merge_pair", caught_by="replaces_every_place",
    also=["new_ids_are_not_matched_again", "pair_as_list", "long_lists"],
)
def merges_either_order(ids, pair, new_id):
    """You seem to take the two ids in either order: by hand, 2 1 is no place of (1, 2). Compare the first with the
    first and the second with the second."""
    merged = []
    i = 0
    while i < len(ids):
        if sorted(ids[i : i + 2]) == sorted(pair):
            merged.append(new_id)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged


@wrong("merge_pair", caught_by="ids_unchanged")
def merge_changes_its_input(ids, pair, new_id):
    """Your function changes the caller's list: after merge_pair(ids, (1, 2), 9) the list ids must still be what it
    was. Write into a new list."""
    pair = tuple(pair)
    i = 0
    while i < len(ids) - 1:
        if (ids[i], ids[i + 1]) == pair:
            ids[i] = new_id
            del ids[i + 1]
        i += 1
    return ids


@wrong("merge_pair", caught_by="pair_as_list")
def merge_wants_a_tuple(ids, pair, new_id):
    """You seem to compare a tuple with the pair as it comes: (1, 2) == [1, 2] is False in Python. Make both the
    same type before you compare, or compare id by id."""
    merged = []
    i = 0
    while i < len(ids):
        if i + 1 < len(ids) and (ids[i], ids[i + 1]) == pair:
            merged.append(new_id)
            i += 2
        else:
            merged.append(ids[i])
            i += 1
    return merged


@wrong("merge_pair", caught_by="replaces_every_place")
def merges_in_text(ids, pair, new_id):
    """You seem to write the ids as text and replace in it: by hand, "11 2" holds "1 2", although 11 is not 1.
    Compare whole ids."""
    text = " ".join(map(str, ids))
    return [int(word) for word in text.replace(" ".join(map(str, pair)), str(new_id)).split()]


# --- best_pair -----------------------------------------------------------------------------------------------------


@wrong("best_pair", caught_by="smallest_in_a_tie", also=["many_tied_pairs", "nothing_to_choose"])
def best_is_first_seen(counts):
    """In a tie you seem to take the pair that was counted first, as max(counts, key=counts.get) does: by hand, (2,
    1) and (1, 2) with equal counts give (1, 2) in either order. Let the pair itself take part in the comparison."""
    return max(counts, key=counts.get)


@wrong("best_pair", caught_by="smallest_in_a_tie", also=["many_tied_pairs"])
def best_is_greatest(counts):
    """In a tie you seem to take the greatest pair: by hand, (1, 2) and (2, 1) with equal counts give (1, 2). You
    want the highest count and the *lowest* pair; one max over (count, pair) turns both the same way."""
    if not counts:
        raise ValueError("counts is empty")
    return max(counts, key=lambda pair: (counts[pair], pair))


@wrong("best_pair", caught_by="smallest_in_a_tie", also=["many_tied_pairs"])
def best_is_last_seen(counts):
    """In a tie you seem to take the pair that was counted last: look at >= in your comparison. By hand, (1, 2) and
    then (2, 1) with equal counts give (1, 2), and so they do in the other order."""
    if not counts:
        raise ValueError("counts is empty")
    best = None
    for pair in counts:
        if best is None or counts[pair] >= counts[best]:
            best = pair
    return best


@wrong("best_pair", caught_by="smallest_in_a_tie", also=["many_tied_pairs"])
def best_in_string_order(counts):
    """In a tie you seem to compare the pairs as text: "(10, 9)" is below "(9, 10)", because the character 1 is
    below 9. As numbers 9 is below 10. Compare the tuples themselves."""
    if not counts:
        raise ValueError("counts is empty")
    return min(counts, key=lambda pair: (-counts[pair], str(pair)))


@wrong("best_pair", caught_by="smallest_in_a_tie", also=["many_tied_pairs"])
def best_by_sum(counts):
    """In a tie you seem to compare the sums of the two ids: (2, 1) has a smaller sum than (1, 20), but 1 is below 2.
    Tuples are compared first ids first; compare the pairs themselves."""
    if not counts:
        raise ValueError("counts is empty")
    return min(counts, key=lambda pair: (-counts[pair], sum(pair), pair))


@wrong("best_pair", caught_by="smallest_in_a_tie", also=["many_tied_pairs"])
def best_by_first_id(counts):
    """In a tie you seem to compare the first ids only: (2, 2) and (2, 1) with equal counts give (2, 1). When the
    first ids are equal, the second ones decide."""
    if not counts:
        raise ValueError("counts is empty")
    return min(counts, key=lambda pair: (-counts[pair], pair[0]))


@wrong("best_pair", caught_by="highest_count", also=["smallest_in_a_tie", "many_tied_pairs"])
def best_ignores_the_counts(counts):
    """You seem to choose among all pairs and not only among the most frequent ones: by hand, (1, 2) once and (2, 1)
    three times give (2, 1). The count comes first; the pair decides in a tie only."""
    if not counts:
        raise ValueError("counts is empty")
    return min(counts)


@wrong("best_pair", caught_by="highest_count", also=["smallest_in_a_tie", "many_tied_pairs"])
def best_is_the_rarest(counts):
    """You seem to take the lowest count: by hand, (1, 2) once and (2, 1) three times give (2, 1). With min, a count
    that should be high needs a minus sign."""
    if not counts:
        raise ValueError("counts is empty")
    return min(counts, key=lambda pair: (counts[pair], pair))


@wrong("best_pair", caught_by="counts_unchanged")
def best_takes_the_pair_out(counts):
    """Your function removes pairs from the caller's dictionary while it chooses. Look at them without pop or del:
    the caller still needs the counts."""
    if not counts:
        raise ValueError("counts is empty")
    highest = max(counts.values())
    for pair in list(counts):
        if counts[pair] < highest:
            del counts[pair]
    return min(counts)


# --- predict_abab_acac ---------------------------------------------------------------------------------------------


@wrong("predict_abab_acac", caught_by="predicted_rules", also=["predicted_sequences"])
def predict_greatest_in_a_tie():
    """You chose (97, 99) in round 1. Both pairs have two places; compare them as tuples of numbers: which is
    smaller?"""
    return {
        "rules": [(97, 99), (97, 98)], "sequences": [[259, 259], [258, 258]], "tokens": 4, "vocabulary": 260,
    }


@wrong("predict_abab_acac", caught_by="predicted_rules", also=["predicted_sequences", "predicted_sizes"])
def predict_without_stopping():
    """You went on after round 2. Count again: at how many places does (258, 258) stand, and what is the stop
    rule?"""
    return {
        "rules": [(97, 98), (97, 99), (258, 258), (259, 259)], "sequences": [[260], [261]], "tokens": 2,
        "vocabulary": 262,
    }


@wrong("predict_abab_acac", caught_by="predicted_sequences", also=["predicted_sizes"])
def predict_ids_from_256():
    """Your new ids start at 256. The ids 256 and 257 are kept for the start and the end of a text: what is the
    first free id?"""
    return {
        "rules": [(97, 98), (97, 99)], "sequences": [[256, 256], [257, 257]], "tokens": 4, "vocabulary": 258,
    }


@wrong("predict_abab_acac", caught_by="predicted_sizes")
def predict_vocabulary_as_asked():
    """You counted the 32 merges that were asked for. How many rules were learnt before training stopped?"""
    return {
        "rules": [(97, 98), (97, 99)], "sequences": [[258, 258], [259, 259]], "tokens": 4, "vocabulary": 290,
    }


# --- fit_merges ------------------------------------------------------------------------------------------------------


@wrong("fit_merges", caught_by="overlaps_count", also=["ties_among_new_ids", "later_rounds", "whole_texts"])
def fit_counts_without_overlaps(documents, max_merges):
    """You seem to skip a place that shares an id with the one counted before: by hand, aaa has the pair (a, a) at
    two places, so it is worth a rule. Count every window; only replacing must not overlap."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = {}
        for row in rows:
            i = 0
            while i < len(row) - 1:
                pair = (row[i], row[i + 1])
                counts[pair] = counts.get(pair, 0) + 1
                i += 2 if row[i] == row[i + 1] else 1
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong(
    "fit_merges", caught_by="most_frequent_first",
    also=[
        "form_of_the_rules", "ties", "ties_among_new_ids", "overlaps_count", "later_rounds", "stops_early",
        "documents_apart", "bytes_not_characters", "documents_read_once", "whole_texts",
    ],
)
def fit_counts_once_a_document(documents, max_merges):
    """You seem to count in how many documents a pair occurs: by hand, the one document abab has (a, b) at two
    places. Count places, not documents."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = {}
        for row in rows:
            for pair in set(zip(row, row[1:])):
                counts[pair] = counts.get(pair, 0) + 1
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="ties", also=["ties_among_new_ids", "whole_texts"])
def fit_tie_first_seen(documents, max_merges):
    """In a tie you seem to take the pair seen first: by hand, in babab both (b, a) and (a, b) stand at two places,
    and the smaller one, (a, b), wins. An answer must not depend on the order of a dictionary."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = max(counts, key=counts.get)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="ties", also=["ties_among_new_ids", "whole_texts"])
def fit_tie_greatest(documents, max_merges):
    """In a tie you seem to take the greatest pair: by hand, in ababa both pairs stand at two places, and the
    smaller one, (a, b), wins. Highest count and lowest pair pull in opposite directions; look at your key."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="ties", also=["whole_texts"])
def fit_tie_last_seen(documents, max_merges):
    """In a tie you seem to take the pair seen last: look at >= in your comparison. By hand, in ababa the smaller
    pair, (a, b), wins over (b, a)."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = None
        for other in counts:
            if pair is None or counts[other] >= counts[pair]:
                pair = other
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="ties", also=["ties_among_new_ids", "whole_texts"])
def fit_tie_in_string_order(documents, max_merges):
    """In a tie you seem to compare the pairs as text: for the bytes of c and d, (100, 99) is below (99, 100) as
    text, because the character 1 is below 9, but as numbers 99 is below 100. Compare the tuples of ints."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = min(counts, key=lambda pair: (-counts[pair], str(pair)))
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="ties_among_new_ids", also=["whole_texts"])
def fit_tie_by_bytes(documents, max_merges):
    """In a tie you seem to compare the bytes of the tokens and not their ids: after aa got 258 in baabaab, (b, 258)
    and (258, b) tie, and 98 is below 258, though aa is below b as bytes. Here ids are compared; a later chapter has
    another rule."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    pieces = {byte: bytes([byte]) for byte in range(256)}
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = min(counts, key=lambda pair: (-counts[pair], pieces[pair[0]], pieces[pair[1]]))
        merges.append((pair, 258 + rank))
        pieces[258 + rank] = pieces[pair[0]] + pieces[pair[1]]
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="ties_among_new_ids", also=["whole_texts"])
def fit_tie_by_joined_bytes(documents, max_merges):
    """In a tie you seem to compare the bytes that both parts make together: after aa got 258 in baabaab, (258, b)
    makes aab and (b, 258) makes baa, but the smaller pair of ids is (98, 258). Two pairs can even make the same
    bytes."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    pieces = {byte: bytes([byte]) for byte in range(256)}
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = min(counts, key=lambda pair: (-counts[pair], pieces[pair[0]] + pieces[pair[1]]))
        merges.append((pair, 258 + rank))
        pieces[258 + rank] = pieces[pair[0]] + pieces[pair[1]]
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="stops_early", also=["whole_texts"])
def fit_without_least_count(documents, max_merges):
    """You seem to go on as long as there is any pair: by hand, in aa the pair (a, a) stands at one place only, so
    no rule is learnt. Stop when the best count is below 2."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="stops_early", also=["whole_texts"])
def fit_never_stops(documents, max_merges):
    """Your training runs into the end of its pairs: an empty text has nothing to choose from, and choosing from
    nothing is an error. Look at the counts before you choose, and stop when the best one is below 2."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong(
    "fit_merges", caught_by="stops_early",
    also=[
        "most_frequent_first", "ties", "ties_among_new_ids", "overlaps_count", "later_rounds",
        "documents_apart", "bytes_not_characters", "whole_texts",
    ],
)
def fit_stops_below_three(documents, max_merges):
    """You seem to stop one count too early: by hand, abab has (a, b) at two places, and two are enough for a rule.
    Compare your condition with the stop rule: below 2."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) <= 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="ties", also=["ties_among_new_ids", "whole_texts"])
def fit_stops_at_a_tie(documents, max_merges):
    """You seem to stop when several pairs share the highest count: by hand, babab has two such pairs, and the
    smaller one becomes a rule. A tie is decided, not an end."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        if list(counts.values()).count(max(counts.values())) > 1:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="later_rounds", also=["whole_texts"])
def fit_replaces_right_to_left(documents, max_merges):
    """You seem to replace from the right end: by hand, aaabab becomes 258 a b a b after (a, a), and then (a, b)
    stands at two places. Walk from the left, whatever looks handier."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row[::-1], pair[::-1], 258 + rank)[::-1] for row in rows]
    return merges


@wrong("fit_merges", caught_by="later_rounds", also=["whole_texts"])
def fit_drops_the_last_id(documents, max_merges):
    """Your replacement seems to lose a document's last id when it is not part of a place: the loop ends where no
    right neighbour exists, but that id has to be written too. Work out aaabab by hand."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        merged_rows = []
        for row in rows:
            merged = []
            i = 0
            while i < len(row) - 1:
                if (row[i], row[i + 1]) == pair:
                    merged.append(258 + rank)
                    i += 2
                else:
                    merged.append(row[i])
                    i += 1
            merged_rows.append(merged)
        rows = merged_rows
    return merges


@wrong("fit_merges", caught_by="later_rounds", also=["ties_among_new_ids", "whole_texts"])
def fit_replaces_the_first_place_only(documents, max_merges):
    """You seem to replace one place in each document and leave the others: by hand, aaaaa becomes 258 258 a, and
    then no pair stands at two places. Replace everywhere before you count again."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        for row in rows:
            for i in range(len(row) - 1):
                if (row[i], row[i + 1]) == pair:
                    row[i : i + 2] = [258 + rank]
                    break
    return merges


@wrong("fit_merges", caught_by="later_rounds", also=["whole_texts"])
def fit_replaces_overlapping_places(documents, max_merges):
    """You seem to write the new id for every place that was counted, also for places that share an id: by hand, aaa
    becomes 258 a, because 258 258 would stand for four letters. After a replacement go on behind both ids."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        merged_rows = []
        for row in rows:
            merged = []
            for i in range(len(row)):
                if tuple(row[i : i + 2]) == pair:
                    merged.append(258 + rank)
                elif i == 0 or (row[i - 1], row[i]) != pair:
                    merged.append(row[i])
            merged_rows.append(merged)
        rows = merged_rows
    return merges


@wrong("fit_merges", caught_by="later_rounds", also=["ties_among_new_ids", "whole_texts"])
def fit_keeps_the_first_counts(documents, max_merges):
    """You seem to count once, before the first round, and take the best pairs of that list one after another: by
    hand, ababa has (b, a) at two places, but none is left after (a, b) was replaced. Count anew in each round."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    counts = count_pairs([list(text.encode("utf-8")) for text in documents])
    frequent = sorted((pair for pair in counts if counts[pair] >= 2), key=lambda pair: (-counts[pair], pair))
    return [(pair, 258 + rank) for rank, pair in enumerate(frequent[:max_merges])]


@wrong("fit_merges", caught_by="later_rounds", also=["ties_among_new_ids", "whole_texts"])
def fit_keeps_old_neighbours(documents, max_merges):
    """You seem to add the counts of new pairs but to keep those of the neighbours that the replacement broke up: by
    hand, ababa loses its (b, a) when (a, b) is replaced. Count the new sequences from scratch; being clever comes
    later."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    counts = count_pairs(rows)
    for rank in range(max_merges):
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
        del counts[pair]
        for other, count in count_pairs(rows).items():
            counts[other] = max(count, counts.get(other, 0))
    return merges


@wrong("fit_merges", caught_by="later_rounds", also=["whole_texts"])
def fit_forgets_pairs_of_new_ids(documents, max_merges):
    """You seem to miss pairs of two new ids: by hand, aaaaaa becomes 258 258 258, which has the pair (258, 258) at
    two places. New ids are ordinary ids in the next round."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        counts = {pair: count for pair, count in counts.items() if min(pair) < 258}
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="later_rounds", also=["ties_among_new_ids", "whole_texts"])
def fit_merges_bytes_only(documents, max_merges):
    """You seem to leave pairs with a new id out: by hand, abcabc becomes 258 c 258 c, which has (258, c) at two
    places. New ids are ordinary ids in the next round."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        counts = {pair: count for pair, count in counts.items() if max(pair) < 258}
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="documents_apart", also=["whole_texts"])
def fit_joins_the_documents(documents, max_merges):
    """You seem to join the documents before you count: by hand, the documents a and aa have (a, a) at one place
    only, as the end of one and the start of the next are no neighbours. Keep a list of sequences."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list("".join(documents).encode("utf-8"))]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="documents_apart", also=["whole_texts"])
def fit_learns_from_one_document(documents, max_merges):
    """You seem to learn from one document only: by hand, ab and ab together have (a, b) at two places. Add up the
    counts of all documents."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows[:1])
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="most_frequent_first")
def fit_learns_one_rule_too_many(documents, max_merges):
    """You seem to learn one rule more than asked for: with max_merges 0 there is none. Count the rules that are there
    before each round; is the last number of your range still one of them?"""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges + 1):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="bytes_not_characters", also=["whole_texts"])
def fit_reads_line_by_line(documents, max_merges):
    """You seem to cut the documents into lines. A line end is a byte like others, 10, and has neighbours: a document is
    one sequence, whatever it holds."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(line.encode("utf-8")) for text in documents for line in text.split("\n")]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="bytes_not_characters", also=["ties", "whole_texts"])
def fit_splits_into_words(documents, max_merges):
    """You seem to cut the documents into words. Under R1 a document is one sequence: spaces and line ends are bytes,
    too, and pairs reach over them."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(word.encode("utf-8")) for text in documents for word in text.split()]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="bytes_not_characters", also=["whole_texts"])
def fit_takes_the_ends_off(documents, max_merges):
    """You seem to take white space off the ends of each document, as with strip. It belongs to the text and is counted
    like everything else: read documents as they are."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.strip().encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="bytes_not_characters", also=["whole_texts"])
def fit_lowers_the_text(documents, max_merges):
    """You seem to turn the documents into small letters first. A and a are different bytes; nothing is changed before
    training, or the text could not come back."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.lower().encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="form_of_the_rules")
def fit_ids_from_256(documents, max_merges):
    """Your new ids start at 256. In this chapter 256 and 257 are kept for the start and the end of a text, so the
    first rule gets 258."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 256 + rank))
        rows = [merge_pair(row, pair, 256 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="form_of_the_rules")
def fit_ids_from_259(documents, max_merges):
    """Your new ids start at 259: the first rule has rank 0 and gets 258. Count rules from zero."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 259 + rank))
        rows = [merge_pair(row, pair, 259 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="form_of_the_rules")
def fit_returns_pairs_only(documents, max_merges):
    """Your answer lists the pairs without their ids. A rule is ((a, b), new_id): whoever reads it should not have
    to count."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append(pair)
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="form_of_the_rules", also=["documents_unchanged"])
def fit_returns_a_dict(documents, max_merges):
    """Your answer is a dictionary. The task asks for a list of rules ((a, b), new_id), whose order is part of the
    answer."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return dict(merges)


@wrong("fit_merges", caught_by="max_merges_refused")
def fit_accepts_true(documents, max_merges):
    """Your check lets True through: isinstance(True, int) is true, because bool is a kind of int. Compare the type
    itself."""
    if not isinstance(max_merges, int) or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="max_merges_refused")
def fit_accepts_negatives(documents, max_merges):
    """Your function takes a negative max_merges for zero, as range(-1) is just empty. Refuse it: whoever asks for
    -1 merges has made a mistake and should hear of it."""
    if type(max_merges) is not int:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="max_merges_refused")
def fit_checks_nothing(documents, max_merges):
    """Your function does not look at max_merges: -1 gives no rules and True gives one. The task asks for a
    ValueError that names max_merges."""
    rows = [list(text.encode("utf-8")) for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="bytes_not_characters", also=["whole_texts"])
def fit_reads_characters(documents, max_merges):
    """You seem to use the characters' numbers and not their bytes: by hand, ééé has the bytes 195 and 169 three
    times, so the first rule is (195, 169). Encode the text first."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [[ord(letter) for letter in text] for text in documents]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="documents_read_once")
def fit_reads_the_documents_again(documents, max_merges):
    """You seem to go through the documents again in every round: an iterator is empty after the first time. Turn
    the documents into lists of bytes once, before the loop."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    merges = []
    for rank in range(max_merges):
        rows = [list(text.encode("utf-8")) for text in documents]
        for pair, new_id in merges:
            rows = [merge_pair(row, pair, new_id) for row in rows]
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
    return merges


@wrong("fit_merges", caught_by="documents_read_once")
def fit_wants_a_list(documents, max_merges):
    """You seem to need a list of documents, by its length or by an index: an iterator has neither. Take the
    documents one after another."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in (documents[i] for i in range(len(documents)))]
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


@wrong("fit_merges", caught_by="documents_unchanged")
def fit_changes_the_documents(documents, max_merges):
    """Your function puts the bytes into the caller's list of documents. Build a list of your own, and leave the
    caller's as it is."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = documents if isinstance(documents, list) else list(documents)
    for i, text in enumerate(rows):
        rows[i] = list(text.encode("utf-8"))
    merges = []
    for rank in range(max_merges):
        counts = count_pairs(rows)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
    return merges


# --- trace -----------------------------------------------------------------------------------------------------------


@wrong("trace", caught_by="lengths_around")
def trace_subtracts_the_count(documents, max_merges):
    """You seem to compute after as before minus count: by hand, aaaa has (a, a) at three places, but only two can
    be replaced. Count the ids of the new sequences."""
    import pandas as pd

    rows = [list(text.encode("utf-8")) for text in documents]
    pieces = {byte: bytes([byte]) for byte in range(256)}
    lines = []
    for rank, (pair, new_id) in enumerate(fit_merges(documents, max_merges)):
        counts = count_pairs(rows)
        tied = list(counts.values()).count(counts[pair])
        before = sum(map(len, rows))
        rows = [merge_pair(row, pair, new_id) for row in rows]
        after = before - counts[pair]
        pieces[new_id] = pieces[pair[0]] + pieces[pair[1]]
        lines.append((rank, pair, pieces[new_id].hex(), counts[pair], tied, before, after))
    return pd.DataFrame(lines, columns=["rank", "pair", "hex", "count", "tied", "before", "after"])


@wrong("trace", caught_by="one_row_a_rule")
def trace_ranks_from_one(documents, max_merges):
    """Your ranks start at 1. Rules are counted from zero: the rule of rank r has the id 258 + r."""
    import pandas as pd

    rows = [list(text.encode("utf-8")) for text in documents]
    pieces = {byte: bytes([byte]) for byte in range(256)}
    lines = []
    for rank, (pair, new_id) in enumerate(fit_merges(documents, max_merges)):
        counts = count_pairs(rows)
        tied = list(counts.values()).count(counts[pair])
        before = sum(map(len, rows))
        rows = [merge_pair(row, pair, new_id) for row in rows]
        after = sum(map(len, rows))
        pieces[new_id] = pieces[pair[0]] + pieces[pair[1]]
        lines.append((rank + 1, pair, pieces[new_id].hex(), counts[pair], tied, before, after))
    return pd.DataFrame(lines, columns=["rank", "pair", "hex", "count", "tied", "before", "after"])


@wrong("trace", caught_by="ties_of_the_best")
def trace_counts_other_ties(documents, max_merges):
    """You seem to leave the chosen pair out of tied: by hand, in aaaa one pair has the highest count, so tied is 1.
    Count all pairs with that count."""
    import pandas as pd

    rows = [list(text.encode("utf-8")) for text in documents]
    pieces = {byte: bytes([byte]) for byte in range(256)}
    lines = []
    for rank, (pair, new_id) in enumerate(fit_merges(documents, max_merges)):
        counts = count_pairs(rows)
        tied = list(counts.values()).count(counts[pair]) - 1
        before = sum(map(len, rows))
        rows = [merge_pair(row, pair, new_id) for row in rows]
        after = sum(map(len, rows))
        pieces[new_id] = pieces[pair[0]] + pieces[pair[1]]
        lines.append((rank, pair, pieces[new_id].hex(), counts[pair], tied, before, after))
    return pd.DataFrame(lines, columns=["rank", "pair", "hex", "count", "tied", "before", "after"])


@wrong("trace", caught_by="pieces_in_hexadecimal")
def trace_spells_ids(documents, max_merges):
    """You seem to write the two ids in hexadecimal: from the second rule on, an id above 255 is no byte. Keep the
    bytes of every token beside you, and join those of both parts."""
    import pandas as pd

    rows = [list(text.encode("utf-8")) for text in documents]
    pieces = {byte: bytes([byte]) for byte in range(256)}
    lines = []
    for rank, (pair, new_id) in enumerate(fit_merges(documents, max_merges)):
        counts = count_pairs(rows)
        tied = list(counts.values()).count(counts[pair])
        before = sum(map(len, rows))
        rows = [merge_pair(row, pair, new_id) for row in rows]
        after = sum(map(len, rows))
        pieces[new_id] = pieces[pair[0]] + pieces[pair[1]]
        lines.append((rank, pair, "".join(f"{part:02x}" for part in pair), counts[pair], tied, before, after))
    return pd.DataFrame(lines, columns=["rank", "pair", "hex", "count", "tied", "before", "after"])


@wrong("trace", caught_by="counts_of_places")
def trace_counts_replacements(documents, max_merges):
    """Your count seems to be the number of replacements: by hand, aaaa has (a, a) at three places, of which two are
    replaced. The column asks for the places that were counted."""
    import pandas as pd

    rows = [list(text.encode("utf-8")) for text in documents]
    pieces = {byte: bytes([byte]) for byte in range(256)}
    lines = []
    for rank, (pair, new_id) in enumerate(fit_merges(documents, max_merges)):
        counts = count_pairs(rows)
        tied = list(counts.values()).count(counts[pair])
        before = sum(map(len, rows))
        rows = [merge_pair(row, pair, new_id) for row in rows]
        after = sum(map(len, rows))
        pieces[new_id] = pieces[pair[0]] + pieces[pair[1]]
        lines.append((rank, pair, pieces[new_id].hex(), before - after, tied, before, after))
    return pd.DataFrame(lines, columns=["rank", "pair", "hex", "count", "tied", "before", "after"])


@wrong("trace", caught_by="lengths_around")
def trace_counts_after_the_round(documents, max_merges):
    """Your column before holds what is left after the round. Take the length before you replace."""
    import pandas as pd

    rows = [list(text.encode("utf-8")) for text in documents]
    pieces = {byte: bytes([byte]) for byte in range(256)}
    lines = []
    for rank, (pair, new_id) in enumerate(fit_merges(documents, max_merges)):
        counts = count_pairs(rows)
        tied = list(counts.values()).count(counts[pair])
        rows = [merge_pair(row, pair, new_id) for row in rows]
        before = after = sum(map(len, rows))
        pieces[new_id] = pieces[pair[0]] + pieces[pair[1]]
        lines.append((rank, pair, pieces[new_id].hex(), counts[pair], tied, before, after))
    return pd.DataFrame(lines, columns=["rank", "pair", "hex", "count", "tied", "before", "after"])


@wrong("trace", caught_by="columns_in_order", also=["one_row_a_rule"])
def trace_without_columns_when_empty(documents, max_merges):
    """When no rule is learnt, your table has no columns. Give their names when you make the DataFrame, so that an
    empty one has them too."""
    import pandas as pd

    rows = [list(text.encode("utf-8")) for text in documents]
    pieces = {byte: bytes([byte]) for byte in range(256)}
    lines = []
    for rank, (pair, new_id) in enumerate(fit_merges(documents, max_merges)):
        counts = count_pairs(rows)
        tied = list(counts.values()).count(counts[pair])
        before = sum(map(len, rows))
        rows = [merge_pair(row, pair, new_id) for row in rows]
        after = sum(map(len, rows))
        pieces[new_id] = pieces[pair[0]] + pieces[pair[1]]
        lines.append((rank, pair, pieces[new_id].hex(), counts[pair], tied, before, after))
    if not lines:
        return pd.DataFrame()
    return pd.DataFrame(lines, columns=["rank", "pair", "hex", "count", "tied", "before", "after"])


@wrong("trace", caught_by="traced_documents_unchanged")
def trace_writes_into_the_documents(documents, max_merges):
    """Your function puts ids in the place of the caller's texts: after the call the list holds no text any more.
    Which list of your own could hold the ids?"""
    import pandas as pd

    rules = fit_merges(documents, max_merges)
    for i in range(len(documents)):
        documents[i] = list(documents[i].encode("utf-8"))
    pieces = {byte: bytes([byte]) for byte in range(256)}
    lines = []
    for rank, (pair, new_id) in enumerate(rules):
        counts = count_pairs(documents)
        tied = list(counts.values()).count(counts[pair])
        before = sum(map(len, documents))
        for i in range(len(documents)):
            documents[i] = merge_pair(documents[i], pair, new_id)
        after = sum(map(len, documents))
        pieces[new_id] = pieces[pair[0]] + pieces[pair[1]]
        lines.append((rank, pair, pieces[new_id].hex(), counts[pair], tied, before, after))
    return pd.DataFrame(lines, columns=["rank", "pair", "hex", "count", "tied", "before", "after"])


# --- lecture_merges and tie_example ----------------------------------------------------------------------------------


@wrong("lecture_merges", caught_by="first_seen_in_a_tie")
def lecture_takes_the_smallest(string, num_merges):
    """In a tie you take the smallest pair, which is the rule of fit_merges. The lecture's version takes the pair
    seen first: by hand, babab gives (b, a)."""
    ids = list(string.encode("utf-8"))
    merges = {}
    for new_id in range(256, 256 + num_merges):
        counts = count_pairs([ids])
        if not counts:
            break
        pair = best_pair(counts)
        merges[pair] = new_id
        ids = merge_pair(ids, pair, new_id)
    return merges


@wrong("lecture_merges", caught_by="first_seen_in_a_tie")
def lecture_takes_the_last_seen(string, num_merges):
    """In a tie you take the pair seen last. The lecture's version keeps the first one that it meets: by hand, babab
    gives (b, a). Look at >= in your comparison."""
    ids = list(string.encode("utf-8"))
    merges = {}
    for new_id in range(256, 256 + num_merges):
        counts = count_pairs([ids])
        if not counts:
            break
        pair = max(reversed(list(counts)), key=counts.get)
        merges[pair] = new_id
        ids = merge_pair(ids, pair, new_id)
    return merges


@wrong("lecture_merges", caught_by="first_seen_in_a_tie")
def lecture_remembers_earlier_rounds(string, num_merges):
    """In a tie you seem to take the pair that was seen first in any round, perhaps since the dictionary of counts lives
    on. Each round reads the sequence anew, as it is now, and pairs stand in another order then."""
    ids = list(string.encode("utf-8"))
    merges, seen = {}, {}
    for new_id in range(256, 256 + num_merges):
        counts = count_pairs([ids])
        if not counts:
            break
        for pair in counts:
            seen.setdefault(pair, len(seen))
        best = max(counts.values())
        pair = min((pair for pair in counts if counts[pair] == best), key=seen.get)
        merges[pair] = new_id
        ids = merge_pair(ids, pair, new_id)
    return merges


@wrong("lecture_merges", caught_by="merges_single_places", also=["ends_without_pairs"])
def lecture_stops_below_two(string, num_merges):
    """You stop when the best count is below 2, which is the rule of fit_merges. The lecture's version has no least
    count: by hand, ab gives the one rule (a, b)."""
    ids = list(string.encode("utf-8"))
    merges = {}
    for new_id in range(256, 256 + num_merges):
        counts = count_pairs([ids])
        if not counts or max(counts.values()) < 2:
            break
        pair = max(counts, key=counts.get)
        merges[pair] = new_id
        ids = merge_pair(ids, pair, new_id)
    return merges


@wrong("lecture_merges", caught_by="ends_without_pairs")
def lecture_crashes_at_the_end(string, num_merges):
    """When no pair is left, max of nothing is an error, as in the lecture's own code. Look whether there is a pair
    before you choose one."""
    ids = list(string.encode("utf-8"))
    merges = {}
    for new_id in range(256, 256 + num_merges):
        counts = count_pairs([ids])
        pair = max(counts, key=counts.get)
        merges[pair] = new_id
        ids = merge_pair(ids, pair, new_id)
    return merges


@wrong(
    "lecture_merges", caught_by="lecture_rules",
    also=["first_seen_in_a_tie", "merges_single_places", "ends_without_pairs"],
)
def lecture_ids_from_258(string, num_merges):
    """Your ids start at 258. The lecture's version keeps no ids for the start and the end of a text: its first rule
    gets 256."""
    ids = list(string.encode("utf-8"))
    merges = {}
    for new_id in range(258, 258 + num_merges):
        counts = count_pairs([ids])
        if not counts:
            break
        pair = max(counts, key=counts.get)
        merges[pair] = new_id
        ids = merge_pair(ids, pair, new_id)
    return merges


@wrong("lecture_merges", caught_by="ends_without_pairs")
def lecture_reads_characters(string, num_merges):
    """You use the characters' numbers and not their bytes: by hand, é is two bytes, so it has one pair. Encode the
    string first."""
    ids = [ord(letter) for letter in string]
    merges = {}
    for new_id in range(256, 256 + num_merges):
        counts = count_pairs([ids])
        if not counts:
            break
        pair = max(counts, key=counts.get)
        merges[pair] = new_id
        ids = merge_pair(ids, pair, new_id)
    return merges


@wrong("tie_example", caught_by="rules_part_on_a_tie")
def tie_won_by_both_rules():
    """In your string the pair seen first is also the smallest of those that tie, so both rule sets choose it. Let the
    text begin with the greater of the two."""
    return "abab"


@wrong("tie_example", caught_by="rules_part_on_a_tie")
def tie_at_one_place():
    """In your string no pair stands at two places, so fit_merges learns nothing. Repeat something."""
    return "ba"


# --- plot_merges -----------------------------------------------------------------------------------------------------


@wrong("plot_merges", caught_by="ratio_of_bytes")
def plot_ratio_upside_down(documents, max_merges):
    """Your ratio is tokens per byte, which falls as the text gets shorter. The compression ratio is bytes per
    token: it starts at 1 and rises."""
    import pandas as pd
    from matplotlib.figure import Figure

    rows = [list(text.encode("utf-8")) for text in documents]
    lengths = [sum(map(len, rows))]
    for pair, new_id in fit_merges(documents, max_merges):
        rows = [merge_pair(row, pair, new_id) for row in rows]
        lengths.append(sum(map(len, rows)))
    frame = pd.DataFrame({"merges": range(len(lengths)), "tokens": lengths})
    frame["ratio"] = frame["tokens"] / lengths[0]
    frame["read"] = [sum(lengths[:m]) for m in range(len(lengths))]
    figure = Figure(figsize=(11, 3.6))
    for panel, name in zip(figure.subplots(1, 3), ["tokens", "ratio", "read"]):
        panel.plot(frame["merges"], frame[name], label=name)
        panel.set(title=name, xlabel="merges learnt", ylabel=name)
        panel.legend()
    return frame, figure


@wrong("plot_merges", caught_by="ratio_of_bytes")
def plot_ratio_of_characters(documents, max_merges):
    """Your ratio counts characters and not bytes: by hand, 안 is one character and three bytes. The compression
    ratio is bytes per token."""
    import pandas as pd
    from matplotlib.figure import Figure

    rows = [list(text.encode("utf-8")) for text in documents]
    lengths = [sum(map(len, rows))]
    for pair, new_id in fit_merges(documents, max_merges):
        rows = [merge_pair(row, pair, new_id) for row in rows]
        lengths.append(sum(map(len, rows)))
    frame = pd.DataFrame({"merges": range(len(lengths)), "tokens": lengths})
    frame["ratio"] = sum(map(len, documents)) / frame["tokens"]
    frame["read"] = [sum(lengths[:m]) for m in range(len(lengths))]
    figure = Figure(figsize=(11, 3.6))
    for panel, name in zip(figure.subplots(1, 3), ["tokens", "ratio", "read"]):
        panel.plot(frame["merges"], frame[name], label=name)
        panel.set(title=name, xlabel="merges learnt", ylabel=name)
        panel.legend()
    return frame, figure


@wrong("plot_merges", caught_by="ids_read")
def plot_read_of_one_round(documents, max_merges):
    """Your column read holds the length read in one round. The task asks for all that has been read so far: by
    hand, 8, then 6 more make 14."""
    import pandas as pd
    from matplotlib.figure import Figure

    rows = [list(text.encode("utf-8")) for text in documents]
    lengths = [sum(map(len, rows))]
    for pair, new_id in fit_merges(documents, max_merges):
        rows = [merge_pair(row, pair, new_id) for row in rows]
        lengths.append(sum(map(len, rows)))
    frame = pd.DataFrame({"merges": range(len(lengths)), "tokens": lengths})
    frame["ratio"] = lengths[0] / frame["tokens"]
    frame["read"] = [0] + lengths[:-1]
    figure = Figure(figsize=(11, 3.6))
    for panel, name in zip(figure.subplots(1, 3), ["tokens", "ratio", "read"]):
        panel.plot(frame["merges"], frame[name], label=name)
        panel.set(title=name, xlabel="merges learnt", ylabel=name)
        panel.legend()
    return frame, figure


@wrong("plot_merges", caught_by="ids_read")
def plot_read_includes_the_present(documents, max_merges):
    """Your column read starts with the text's length. Before the first round nothing has been read: the row for 0
    merges holds 0, and each further row adds the length before its round."""
    import pandas as pd
    from matplotlib.figure import Figure

    rows = [list(text.encode("utf-8")) for text in documents]
    lengths = [sum(map(len, rows))]
    for pair, new_id in fit_merges(documents, max_merges):
        rows = [merge_pair(row, pair, new_id) for row in rows]
        lengths.append(sum(map(len, rows)))
    frame = pd.DataFrame({"merges": range(len(lengths)), "tokens": lengths})
    frame["ratio"] = lengths[0] / frame["tokens"]
    frame["read"] = [sum(lengths[: m + 1]) for m in range(len(lengths))]
    figure = Figure(figsize=(11, 3.6))
    for panel, name in zip(figure.subplots(1, 3), ["tokens", "ratio", "read"]):
        panel.plot(frame["merges"], frame[name], label=name)
        panel.set(title=name, xlabel="merges learnt", ylabel=name)
        panel.legend()
    return frame, figure


@wrong("plot_merges", caught_by="figure_is_labelled")
def plot_without_labels(documents, max_merges):
    """Your panels lack a title or an axis label. Whoever sees the figure alone must know what each axis counts."""
    import pandas as pd
    from matplotlib.figure import Figure

    rows = [list(text.encode("utf-8")) for text in documents]
    lengths = [sum(map(len, rows))]
    for pair, new_id in fit_merges(documents, max_merges):
        rows = [merge_pair(row, pair, new_id) for row in rows]
        lengths.append(sum(map(len, rows)))
    frame = pd.DataFrame({"merges": range(len(lengths)), "tokens": lengths})
    frame["ratio"] = lengths[0] / frame["tokens"]
    frame["read"] = [sum(lengths[:m]) for m in range(len(lengths))]
    figure = Figure(figsize=(11, 3.6))
    for panel, name in zip(figure.subplots(1, 3), ["tokens", "ratio", "read"]):
        panel.plot(frame["merges"], frame[name], label=name)
        panel.legend()
    return frame, figure


@wrong("plot_merges", caught_by="figure_shows_the_table")
def plot_leaves_out_the_start(documents, max_merges):
    """Your curves do not show what the table holds: the row for 0 merges is missing in the figure. Give whole
    columns to plot."""
    import pandas as pd
    from matplotlib.figure import Figure

    rows = [list(text.encode("utf-8")) for text in documents]
    lengths = [sum(map(len, rows))]
    for pair, new_id in fit_merges(documents, max_merges):
        rows = [merge_pair(row, pair, new_id) for row in rows]
        lengths.append(sum(map(len, rows)))
    frame = pd.DataFrame({"merges": range(len(lengths)), "tokens": lengths})
    frame["ratio"] = lengths[0] / frame["tokens"]
    frame["read"] = [sum(lengths[:m]) for m in range(len(lengths))]
    figure = Figure(figsize=(11, 3.6))
    for panel, name in zip(figure.subplots(1, 3), ["tokens", "ratio", "read"]):
        panel.plot(frame["merges"][1:], frame[name][1:], label=name)
        panel.set(title=name, xlabel="merges learnt", ylabel=name)
        panel.legend()
    return frame, figure


@wrong("plot_merges", caught_by="plotted_documents_unchanged")
def plot_uses_up_the_documents(documents, max_merges):
    """You take the documents out of the caller's list; the next call finds none. Go through the list with for: then
    it stays as it is."""
    import pandas as pd
    from matplotlib.figure import Figure

    rules = fit_merges(documents, max_merges)
    rows = []
    while documents:
        rows.append(list(documents.pop(0).encode("utf-8")))
    lengths = [sum(map(len, rows))]
    for pair, new_id in rules:
        rows = [merge_pair(row, pair, new_id) for row in rows]
        lengths.append(sum(map(len, rows)))
    frame = pd.DataFrame({"merges": range(len(lengths)), "tokens": lengths})
    frame["ratio"] = lengths[0] / frame["tokens"]
    frame["read"] = [sum(lengths[:m]) for m in range(len(lengths))]
    figure = Figure(figsize=(11, 3.6))
    for panel, name in zip(figure.subplots(1, 3), ["tokens", "ratio", "read"]):
        panel.plot(frame["merges"], frame[name], label=name)
        panel.set(title=name, xlabel="merges learnt", ylabel=name)
        panel.legend()
    return frame, figure
