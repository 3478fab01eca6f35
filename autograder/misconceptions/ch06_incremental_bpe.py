"""Wrong versions of chapter 6's exercises, each with the sentence that helps whoever wrote it.

As in a learner's notebook, a version may call the chapter's other classes and functions. There they are the notebook's;
here, where answers are compared, they are the reference's under the same names.
"""

# ruff: noqa: B905, F841, UP034  (written as learners write)

from autograder.misconceptions.api import wrong
from autograder.reference import pretokenized_bpe
from autograder.reference.growth import fitted_slope
from autograder.reference.naive_bpe import merge_pair
from autograder.reference.pair_index import PairIndex, Tape
from autograder.reference.pretokenized_bpe import number_vocabulary


def count_pretokens(input_path, special_tokens):
    return pretokenized_bpe.count_pretokens(pretokenized_bpe.read_text(input_path), special_tokens)


# --- formula_fails ----------------------------------------------------------------------------------------------------


@wrong("formula_fails", caught_by="table_is_wrong_on_it")
def a_run_is_no_answer():
    """A run like aaa is the example that was shown. Look for a text without equal neighbours: what if two places of
    the pair touch?"""
    return "aaa"


# --- PairIndex --------------------------------------------------------------------------------------------------------


class Plain:
    """The index as it should be, without any order: each wrong version below changes one thing of it."""

    def __init__(self):
        self.weights, self.counts = {}, {}

    def add(self, pair, place, weight=1):
        places = self.weights.setdefault(pair, {})
        if place not in places:
            places[place] = weight
            self.counts[pair] = self.count(pair) + weight

    def remove(self, pair, place):
        weight = self.weights.get(pair, {}).pop(place, 0)
        if weight:
            self.counts[pair] -= weight

    def count(self, pair):
        return self.counts.get(pair, 0)

    def places(self, pair):
        return sorted(self.weights.get(pair, {}))

    def most_frequent(self, tie):
        if tie not in ("smallest", "greatest"):
            raise ValueError(f"tie must be smallest or greatest, not {tie!r}")
        best = max(self.counts.values(), default=0)
        tied = [pair for pair in self.counts if self.counts[pair] == best]
        return None if best == 0 else min(tied) if tie == "smallest" else max(tied)


@wrong("PairIndex", caught_by="added_again", also=["first_weight_stays", "long_edits", "long_edits_with_questions"])
class adds_twice(Plain):
    """You seem to count a place again when it is added a second time: by hand, adding place 0 twice leaves one place.
    A trainer may come by the same place twice; look whether it is there first."""

    def add(self, pair, place, weight=1):
        self.weights.setdefault(pair, {})[place] = weight
        self.counts[pair] = self.count(pair) + weight


@wrong("PairIndex", caught_by="removing_what_is_absent", also=["long_edits", "long_edits_with_questions"])
class removes_what_is_absent(Plain):
    """You seem to lower the count even when the place is not recorded, so counts fall below the truth: by hand,
    removing place 4 from places 3 leaves a count of 1. First see whether there is something to remove."""

    def remove(self, pair, place):
        self.counts[pair] = self.count(pair) - self.weights.get(pair, {}).pop(place, 1)


@wrong("PairIndex", caught_by="removing_what_is_absent", also=["long_edits", "long_edits_with_questions"])
class absent_raises(Plain):
    """Removing a place that is not there raises an error in your class. In a run a place may be gone before its turn
    comes; the rules say that nothing happens then."""

    def remove(self, pair, place):
        self.counts[pair] -= self.weights[pair].pop(place)


@wrong("PairIndex", caught_by="weights", also=["first_weight_stays", "long_edits", "long_edits_with_questions"])
class counts_places_not_weights(Plain):
    """You seem to count places, not their weights: by hand, one place of weight 5 counts 5, as a pre-token that stands
    five times in the file is stored once."""

    def add(self, pair, place, weight=1):
        super().add(pair, place, 1)


@wrong("PairIndex", caught_by="weights", also=["long_edits_with_questions"])
class most_places_win(Plain):
    """most_frequent seems to compare how many places the pairs have. A place of weight 5 counts as much as five others:
    compare what count gives."""

    def most_frequent(self, tie):
        self.counts, counts = {pair: len(places) for pair, places in self.weights.items()}, self.counts
        found = super().most_frequent(tie)
        self.counts = counts
        return found


@wrong("PairIndex", caught_by="first_weight_stays", also=["long_edits", "long_edits_with_questions"])
class weight_overwritten(Plain):
    """You seem to take over the new weight when a recorded place is added again; by the rules nothing changes then,
    and the first weight stays."""

    def add(self, pair, place, weight=1):
        self.remove(pair, place)
        super().add(pair, place, weight)


@wrong("PairIndex", caught_by="places_ascending", also=["added_again", "long_edits", "long_edits_with_questions"])
class places_in_order_of_arrival(Plain):
    """Your places come in the order in which they were added, or in a set's order, which looks sorted for small
    numbers only. Merging goes from left to right, so sort them."""

    def places(self, pair):
        return list(self.weights.get(pair, {}))


@wrong("PairIndex", caught_by="smallest_in_a_tie", also=["greatest_in_a_tie", "long_edits_with_questions"])
class first_seen_wins(Plain):
    """In a tie your answer seems to be the pair that was added first, as `max` stops at the first of equals. The
    answer must not depend on the order: compare the pairs, too."""

    def most_frequent(self, tie):
        if tie not in ("smallest", "greatest"):
            raise ValueError("tie")
        best = max(self.counts, key=self.count, default=None)
        return best if best is not None and self.count(best) else None


@wrong("PairIndex", caught_by="after_counts_fall", also=["long_edits_with_questions"])
class believes_stale_entries(Plain):
    """You seem to believe an old entry: when places are removed the count falls, but the entry in your heap still
    promises the old one. Compare it with `count` when it comes up."""

    def __init__(self):
        super().__init__()
        self.heap = []

    def add(self, pair, place, weight=1):
        import heapq

        super().add(pair, place, weight)
        heapq.heappush(self.heap, (-self.count(pair), pair))

    def most_frequent(self, tie):
        import heapq

        if tie not in ("smallest", "greatest"):
            raise ValueError("tie")
        while self.heap and not self.count(self.heap[0][1]):
            heapq.heappop(self.heap)
        if not self.heap:
            return None
        pairs = [pair for count, pair in self.heap if count == self.heap[0][0]]
        return min(pairs) if tie == "smallest" else max(pairs)


@wrong("PairIndex", caught_by="after_counts_fall", also=["weights", "long_edits_with_questions"])
class drops_stale_entries(Plain):
    """You seem to throw an entry away when its count is no longer true, so the pair is lost although it still counts
    for something. Put it back with its true count."""

    def __init__(self):
        super().__init__()
        self.entries = {}

    def add(self, pair, place, weight=1):
        super().add(pair, place, weight)
        self.entries[pair] = self.count(pair)

    def most_frequent(self, tie):
        if tie not in ("smallest", "greatest"):
            raise ValueError("tie")
        while self.entries:
            best = max(self.entries.values())
            stale = [pair for pair in self.entries if self.entries[pair] == best != self.count(pair)]
            if not stale:
                pairs = [pair for pair in self.entries if self.entries[pair] == best]
                return min(pairs) if tie == "smallest" else max(pairs)
            for pair in stale:
                del self.entries[pair]
        return None


@wrong("PairIndex", caught_by="nothing_recorded")
class pairs_without_places(Plain):
    """A pair whose last place was removed still wins, with a count of 0. When nothing is recorded the answer is
    None."""

    def most_frequent(self, tie):
        if tie not in ("smallest", "greatest"):
            raise ValueError("tie")
        best = max(self.counts.values(), default=0)
        pairs = [pair for pair in self.counts if self.counts[pair] == best]
        if not pairs:
            return None
        return min(pairs) if tie == "smallest" else max(pairs)


@wrong("PairIndex", caught_by="greatest_in_a_tie")
class joined_in_a_tie(Plain):
    """Among equals you seem to compare the joined bytes (or the pair as text) and not the pair: by hand, (ab, a) is
    above (a, zz), as the first parts decide."""

    def most_frequent(self, tie):
        if tie not in ("smallest", "greatest"):
            raise ValueError("tie")
        best = max(self.counts.values(), default=0)
        pairs = [pair for pair in self.counts if self.counts[pair] == best]
        if not best:
            return None
        if isinstance(pairs[0][0], bytes):
            return max(pairs, key=lambda pair: pair[0] + pair[1])
        return min(pairs) if tie == "smallest" else max(pairs)


@wrong("PairIndex", caught_by="tie_refused")
class any_tie_is_greatest(Plain):
    """Every tie but "smallest" is taken for "greatest", so a typing error goes unnoticed. Refuse what is neither, with
    a ValueError that names tie."""

    def most_frequent(self, tie):
        return super().most_frequent("smallest" if tie == "smallest" else "greatest")


# --- fit_merges -------------------------------------------------------------------------------------------------------


@wrong("fit_merges", caught_by="neighbours_follow", also=["places_that_touch", "runs", "ties", "whole_texts"])
def neighbours_keep_their_counts(documents, max_merges):
    """You seem to add the new pairs but leave the old ones of the neighbours in the index: after xab has become x and
    one token, (x, a) is no longer there. Remove what starts at the left neighbour and at the right part."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    tape, index, merges = Tape((text.encode("utf-8") for text in documents)), PairIndex(), []
    for place, pair in tape.pairs():
        index.add(pair, place)
    for new_id in range(258, 258 + max_merges):
        pair = index.most_frequent("smallest")
        if pair is None or index.count(pair) < 2:
            break
        merges.append((pair, new_id))
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in (place,):
                    index.remove(tape.pair_at(at), at)
                tape.join(place, new_id)
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at)
    return merges


@wrong("fit_merges", caught_by="neighbours_follow", also=["places_that_touch", "runs", "ties", "whole_texts"])
def left_neighbour_forgotten(documents, max_merges):
    """You seem to bring only the right neighbour up to date: by hand, merging ab in xab makes the pair (x, new), which
    starts one token further left."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    tape, index, merges = Tape((text.encode("utf-8") for text in documents)), PairIndex(), []
    for place, pair in tape.pairs():
        index.add(pair, place)
    for new_id in range(258, 258 + max_merges):
        pair = index.most_frequent("smallest")
        if pair is None or index.count(pair) < 2:
            break
        merges.append((pair, new_id))
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in (place, around[2]):
                    index.remove(tape.pair_at(at), at)
                tape.join(place, new_id)
                for at in (place,):
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at)
    return merges


@wrong("fit_merges", caught_by="neighbours_follow", also=["places_that_touch", "runs", "ties", "whole_texts"])
def right_neighbour_forgotten(documents, max_merges):
    """You seem to bring only the left neighbour up to date: by hand, merging ab in abx makes the pair (new, x) and
    ends (b, x)."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    tape, index, merges = Tape((text.encode("utf-8") for text in documents)), PairIndex(), []
    for place, pair in tape.pairs():
        index.add(pair, place)
    for new_id in range(258, 258 + max_merges):
        pair = index.most_frequent("smallest")
        if pair is None or index.count(pair) < 2:
            break
        merges.append((pair, new_id))
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in (around[0], place):
                    index.remove(tape.pair_at(at), at)
                tape.join(place, new_id)
                for at in (around[0],):
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at)
    return merges


@wrong("fit_merges", caught_by="places_that_touch", also=["runs", "whole_texts"])
def new_beside_new_forgotten(documents, max_merges):
    """Where two merged places touch, as in abab, the left neighbour of the second is the new token itself. You seem to
    leave out the pair (new, new) there."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    tape, index, merges = Tape((text.encode("utf-8") for text in documents)), PairIndex(), []
    for place, pair in tape.pairs():
        index.add(pair, place)
    for new_id in range(258, 258 + max_merges):
        pair = index.most_frequent("smallest")
        if pair is None or index.count(pair) < 2:
            break
        merges.append((pair, new_id))
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, new_id)
                for at in [at for at in around if tape.tokens[at] != new_id or tape.pair_at(at) != (new_id, new_id)]:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at)
    return merges


@wrong("fit_merges", caught_by="runs", also=["whole_texts"])
def right_to_left(documents, max_merges):
    """Your places are merged from the right: by hand, aaab becomes (aa) a b from the left, but a (aa) b from the
    right. Go through the places in ascending order."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    tape, index, merges = Tape((text.encode("utf-8") for text in documents)), PairIndex(), []
    for place, pair in tape.pairs():
        index.add(pair, place)
    for new_id in range(258, 258 + max_merges):
        pair = index.most_frequent("smallest")
        if pair is None or index.count(pair) < 2:
            break
        merges.append((pair, new_id))
        for place in reversed(index.places(pair)):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, new_id)
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at)
    return merges


@wrong("fit_merges", caught_by="runs", also=["whole_texts"])
def counts_what_can_be_replaced(documents, max_merges):
    """You seem to count the places that can be replaced, not those that can be seen: by hand, (a, a) stands in aaa
    twice, though only one is replaced. Every pair of neighbours counts."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    tape, index, merges = Tape((text.encode("utf-8") for text in documents)), PairIndex(), []
    last = {}
    for place, pair in tape.pairs():
        if last.get(pair) != place - 1 or pair[0] != pair[1]:
            index.add(pair, place)
            last[pair] = place
    for new_id in range(258, 258 + max_merges):
        pair = index.most_frequent("smallest")
        if pair is None or index.count(pair) < 2:
            break
        merges.append((pair, new_id))
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, new_id)
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at)
    return merges


@wrong("fit_merges", caught_by="ties", also=["whole_texts"])
def greatest_in_a_tie_r1(documents, max_merges):
    """In a tie you seem to take the greatest pair. That is the other rule book: under R1 the smallest wins."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    tape, index, merges = Tape((text.encode("utf-8") for text in documents)), PairIndex(), []
    for place, pair in tape.pairs():
        index.add(pair, place)
    for new_id in range(258, 258 + max_merges):
        pair = index.most_frequent("greatest")
        if pair is None or index.count(pair) < 2:
            break
        merges.append((pair, new_id))
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, new_id)
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at)
    return merges


@wrong("fit_merges", caught_by="stops_early", also=["runs", "whole_texts"])
def no_least_count(documents, max_merges):
    """You seem to go on until no pair is left: under R1 training stops when the best count is below 2, so aa alone
    teaches nothing."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    tape, index, merges = Tape((text.encode("utf-8") for text in documents)), PairIndex(), []
    for place, pair in tape.pairs():
        index.add(pair, place)
    for new_id in range(258, 258 + max_merges):
        pair = index.most_frequent("smallest")
        if pair is None or index.count(pair) < 1:
            break
        merges.append((pair, new_id))
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, new_id)
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at)
    return merges


@wrong("fit_merges", caught_by="first_rule")
def one_rule_too_many(documents, max_merges):
    """You seem to learn one rule more than asked for: with max_merges 0 there is none. Look at the end of your loop."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    tape, index, merges = Tape((text.encode("utf-8") for text in documents)), PairIndex(), []
    for place, pair in tape.pairs():
        index.add(pair, place)
    for new_id in range(258, 259 + max_merges):
        pair = index.most_frequent("smallest")
        if pair is None or index.count(pair) < 2:
            break
        merges.append((pair, new_id))
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, new_id)
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at)
    return merges


@wrong("fit_merges", caught_by="documents_apart", also=["whole_texts"])
def documents_joined(documents, max_merges):
    """You seem to put all documents into one sequence: by hand, a and aa have the pair (a, a) once, not twice. A tape
    with one sequence for each document has gaps between them."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    tape, index, merges = Tape(["".join(documents).encode("utf-8")]), PairIndex(), []
    for place, pair in tape.pairs():
        index.add(pair, place)
    for new_id in range(258, 258 + max_merges):
        pair = index.most_frequent("smallest")
        if pair is None or index.count(pair) < 2:
            break
        merges.append((pair, new_id))
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, new_id)
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at)
    return merges


@wrong("fit_merges", caught_by="form_of_the_rules")
def ids_from_256(documents, max_merges):
    """Your ids seem to start at 256. Under R1 256 and 257 are kept for the start and the end of a text, so rules start
    at 258."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    tape, index, merges = Tape((text.encode("utf-8") for text in documents)), PairIndex(), []
    for place, pair in tape.pairs():
        index.add(pair, place)
    for new_id in range(256, 256 + max_merges):
        pair = index.most_frequent("smallest")
        if pair is None or index.count(pair) < 2:
            break
        merges.append((pair, new_id))
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, new_id)
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at)
    return merges


@wrong("fit_merges", caught_by="documents_are_only_read")
def bytes_in_place_of_documents(documents, max_merges):
    """You write the bytes over the texts in the caller's list; after the call there is no text left in it. Make a list
    of your own."""
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges")
    if not isinstance(documents, list):
        documents = list(documents)
    for i in range(len(documents)):
        documents[i] = documents[i].encode("utf-8")
    tape, index, merges = Tape(documents), PairIndex(), []
    for place, pair in tape.pairs():
        index.add(pair, place)
    for new_id in range(258, 258 + max_merges):
        if index.count(pair := index.most_frequent("smallest")) < 2:
            break
        merges.append((pair, new_id))
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, new_id)
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at)
    return merges


# --- train_bpe --------------------------------------------------------------------------------------------------------


@wrong("train_bpe", caught_by="pretoken_numbers", also=["numbers_in_later_rounds", "whole_files"])
def ignores_the_numbers(input_path, vocab_size, special_tokens):
    """You seem to count each different pre-token once: by hand, two aa and one ab give (a, a) 2 and (a, b) 1. Give
    each place the number of its pre-token as weight."""
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size is too small")
    words = count_pretokens(input_path, special_tokens)
    tape, index, merges = Tape(words), PairIndex(), []
    weights = [0, *(number for word, number in words.items() for _ in (*word, None))]
    for place, pair in tape.pairs():
        index.add(pair, place, 1)
    while len(merges) < room and (pair := index.most_frequent("greatest")):
        if index.count(pair) < 1:
            break
        merges.append(pair)
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, pair[0] + pair[1])
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at, 1)
    return number_vocabulary(special_tokens, merges), merges


@wrong("train_bpe", caught_by="numbers_in_later_rounds", also=["whole_files"])
def new_pairs_weigh_one(input_path, vocab_size, special_tokens):
    """Your first counts are weighted, but pairs that are born later seem to count 1 for each place. A place keeps the
    weight of its pre-token."""
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size is too small")
    words = count_pretokens(input_path, special_tokens)
    tape, index, merges = Tape(words), PairIndex(), []
    weights = [0, *(number for word, number in words.items() for _ in (*word, None))]
    for place, pair in tape.pairs():
        index.add(pair, place, weights[place])
    while len(merges) < room and (pair := index.most_frequent("greatest")):
        if index.count(pair) < 1:
            break
        merges.append(pair)
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, pair[0] + pair[1])
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at, 1)
    return number_vocabulary(special_tokens, merges), merges


@wrong("train_bpe", caught_by="ties", also=["ties_among_merged", "ties_among_bytes", "whole_files"])
def smallest_in_a_tie_r2(input_path, vocab_size, special_tokens):
    """In a tie you seem to take the smallest pair. That is the other rule book: under R2 the greatest wins."""
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size is too small")
    words = count_pretokens(input_path, special_tokens)
    tape, index, merges = Tape(words), PairIndex(), []
    weights = [0, *(number for word, number in words.items() for _ in (*word, None))]
    for place, pair in tape.pairs():
        index.add(pair, place, weights[place])
    while len(merges) < room and (pair := index.most_frequent("smallest")):
        if index.count(pair) < 1:
            break
        merges.append(pair)
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, pair[0] + pair[1])
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at, weights[at])
    return number_vocabulary(special_tokens, merges), merges


@wrong("train_bpe", caught_by="ties_among_merged", also=["whole_files"])
def negated_bytes_in_ties(input_path, vocab_size, special_tokens):
    """In a tie you seem to compare bytes with their signs turned around, as for a heap that gives out its smallest.
    Then a comes before ab still, as a shorter list of numbers is smaller whatever its signs are, and ab is the greater
    one. Compare the pairs themselves: a small class may turn their order around."""
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size is too small")
    words = count_pretokens(input_path, special_tokens)
    tape, index, merges = Tape(words), PairIndex(), []
    weights = [0, *(number for word, number in words.items() for _ in (*word, None))]
    pairs = {}
    for place, pair in tape.pairs():
        index.add(pair, place, weights[place])
        pairs[pair] = [[-byte for byte in part] for part in pair]
    while len(merges) < room:
        pair = min(pairs, key=lambda pair: (-index.count(pair), pairs[pair]), default=None)
        if pair is None or not index.count(pair):
            break
        merges.append(pair)
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, pair[0] + pair[1])
                for at in around:
                    if new := tape.pair_at(at):
                        index.add(new, at, weights[at])
                        pairs[new] = [[-byte for byte in part] for part in new]
    return number_vocabulary(special_tokens, merges), merges


@wrong("train_bpe", caught_by="numbering")
def merges_while_there_are_pairs(input_path, vocab_size, special_tokens):
    """Your training goes on while there is a pair, and the vocabulary grows beyond vocab_size. By hand, 257 without
    special tokens leaves room for how many merges? The loop ends there, too."""
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size is too small")
    words = count_pretokens(input_path, special_tokens)
    tape, index, merges = Tape(words), PairIndex(), []
    weights = [0, *(number for word, number in words.items() for _ in (*word, None))]
    for place, pair in tape.pairs():
        index.add(pair, place, weights[place])
    while pair := index.most_frequent("greatest"):
        merges.append(pair)
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, pair[0] + pair[1])
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at, weights[at])
    return number_vocabulary(special_tokens, merges), merges


@wrong("train_bpe", caught_by="single_places", also=["whole_files"])
def least_count_of_two(input_path, vocab_size, special_tokens):
    """You seem to stop below a count of 2. That is the other rule book: under R2 training goes on while there is a
    pair."""
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size is too small")
    words = count_pretokens(input_path, special_tokens)
    tape, index, merges = Tape(words), PairIndex(), []
    weights = [0, *(number for word, number in words.items() for _ in (*word, None))]
    for place, pair in tape.pairs():
        index.add(pair, place, weights[place])
    while len(merges) < room and (pair := index.most_frequent("greatest")):
        if index.count(pair) < 2:
            break
        merges.append(pair)
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, pair[0] + pair[1])
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at, weights[at])
    return number_vocabulary(special_tokens, merges), merges


@wrong("train_bpe", caught_by="runs", also=["whole_files"])
def right_to_left_r2(input_path, vocab_size, special_tokens):
    """Your places are merged from the right: by hand, aaa becomes (aa) a. Go through the places in ascending order."""
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size is too small")
    words = count_pretokens(input_path, special_tokens)
    tape, index, merges = Tape(words), PairIndex(), []
    weights = [0, *(number for word, number in words.items() for _ in (*word, None))]
    for place, pair in tape.pairs():
        index.add(pair, place, weights[place])
    while len(merges) < room and (pair := index.most_frequent("greatest")):
        if index.count(pair) < 1:
            break
        merges.append(pair)
        for place in reversed(index.places(pair)):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, pair[0] + pair[1])
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at, weights[at])
    return number_vocabulary(special_tokens, merges), merges


@wrong("train_bpe", caught_by="later_rounds", also=["whole_files"])
def fallen_counts_forgotten(input_path, vocab_size, special_tokens):
    """You throw entries away whose count is no longer right, and put in new ones only where a count has risen. A pair
    whose count has fallen is never found again: put it back with the count that it has now."""
    import bisect

    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size is too small")
    numbered = count_pretokens(input_path, special_tokens)
    words, numbers = list(map(list, numbered)), list(numbered.values())
    counts, holders, merges = {}, {}, []

    def count(i, sign, changed):
        for pair in zip(words[i], words[i][1:]):
            changed[pair] = changed.get(pair, 0) + sign * numbers[i]
            holders.setdefault(pair, set()).add(i)

    for i in range(len(words)):
        count(i, 1, counts)
    waiting = sorted((number, pair) for pair, number in counts.items())
    while waiting and len(merges) < room:
        number, best = waiting.pop()
        if number == 0 or counts[best] != number:
            continue
        merges.append(best)
        changed = {}
        for i in list(holders[best]):
            count(i, -1, changed)
            words[i] = merge_pair(words[i], best, best[0] + best[1])
            count(i, 1, changed)
        for pair, change in changed.items():
            counts[pair] = counts.get(pair, 0) + change
            if change > 0:
                bisect.insort(waiting, (counts[pair], pair))
    return number_vocabulary(special_tokens, merges), merges


@wrong(
    "train_bpe", caught_by="later_rounds",
    also=["ties_among_merged", "numbers_in_later_rounds", "runs", "single_places", "pairs_run_out",
    "whole_files"],
)
def old_neighbours_stay(input_path, vocab_size, special_tokens):
    """You seem to leave the neighbours' old pairs in the index: by hand, after ab is merged in abab, (b, a) is no
    longer there."""
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size is too small")
    words = count_pretokens(input_path, special_tokens)
    tape, index, merges = Tape(words), PairIndex(), []
    weights = [0, *(number for word, number in words.items() for _ in (*word, None))]
    for place, pair in tape.pairs():
        index.add(pair, place, weights[place])
    while len(merges) < room and (pair := index.most_frequent("greatest")):
        if index.count(pair) < 1:
            break
        merges.append(pair)
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in (place,):
                    index.remove(tape.pair_at(at), at)
                tape.join(place, pair[0] + pair[1])
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at, weights[at])
    return number_vocabulary(special_tokens, merges), merges


@wrong("train_bpe", caught_by="numbering")
def specials_first(input_path, vocab_size, special_tokens):
    """Your vocabulary starts with the special tokens. Here the 256 bytes come first, so that a byte's id is its
    value."""
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size is too small")
    words = count_pretokens(input_path, special_tokens)
    tape, index, merges = Tape(words), PairIndex(), []
    weights = [0, *(number for word, number in words.items() for _ in (*word, None))]
    for place, pair in tape.pairs():
        index.add(pair, place, weights[place])
    while len(merges) < room and (pair := index.most_frequent("greatest")):
        if index.count(pair) < 1:
            break
        merges.append(pair)
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, pair[0] + pair[1])
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at, weights[at])
    return dict(enumerate([t.encode() for t in special_tokens] + [*number_vocabulary([], merges).values()])), merges


@wrong("train_bpe", caught_by="vocab_size_refused")
def small_vocabulary_accepted(input_path, vocab_size, special_tokens):
    """A vocab_size without room for the bytes and the special tokens is an error of the caller. Refuse it with a
    ValueError that names vocab_size."""
    room = vocab_size - 256 - len(special_tokens)
    words = count_pretokens(input_path, special_tokens)
    tape, index, merges = Tape(words), PairIndex(), []
    weights = [0, *(number for word, number in words.items() for _ in (*word, None))]
    for place, pair in tape.pairs():
        index.add(pair, place, weights[place])
    while len(merges) < room and (pair := index.most_frequent("greatest")):
        if index.count(pair) < 1:
            break
        merges.append(pair)
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, pair[0] + pair[1])
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at, weights[at])
    return number_vocabulary(special_tokens, merges), merges


@wrong("train_bpe", caught_by="special_tokens_unchanged")
def numbers_and_uses_up_the_tokens(input_path, vocab_size, special_tokens):
    """You take the special tokens out of the caller's list when you number them; the next training has none. Go
    through the list with for, or leave the numbering to number_vocabulary."""
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size is too small")
    words = count_pretokens(input_path, special_tokens)
    tape, index, merges = Tape(words), PairIndex(), []
    weights = [0, *(number for word, number in words.items() for _ in (*word, None))]
    for place, pair in tape.pairs():
        index.add(pair, place, weights[place])
    while len(merges) < room and (pair := index.most_frequent("greatest")):
        merges.append(pair)
        for place in index.places(pair):
            if tape.pair_at(place) == pair:
                around = tape.left[place], place, tape.right[place]
                for at in around:
                    index.remove(tape.pair_at(at), at)
                tape.join(place, pair[0] + pair[1])
                for at in around:
                    if tape.pair_at(at):
                        index.add(tape.pair_at(at), at, weights[at])
    vocab = {byte: bytes([byte]) for byte in range(256)}
    while special_tokens:
        vocab[len(vocab)] = special_tokens.pop(0).encode("utf-8")
    for first, second in merges:
        vocab[len(vocab)] = first + second
    return vocab, merges


# --- fitted_slope -----------------------------------------------------------------------------------------------------


@wrong("fitted_slope", caught_by="powers", also=["noisy_points"])
def slope_without_logarithms(x, y):
    """You seem to fit a line through the values and not through their logarithms: by hand, 3, 12, 48 over 10, 20, 40
    has slope 2."""
    import numpy as np

    if len(x) < 2 or min(*x, *y) <= 0:
        raise ValueError("x and y")
    return float(np.polyfit(x, y, 1)[0])


@wrong("fitted_slope", caught_by="noisy_points")
def slope_of_the_ends(x, y):
    """You seem to use the first and the last point only. Least squares takes all points into account, so that one odd
    measurement matters less."""
    import math

    if len(x) < 2 or min(*x, *y) <= 0:
        raise ValueError("x and y")
    return math.log(y[-1] / y[0]) / math.log(x[-1] / x[0])


@wrong("fitted_slope", caught_by="points_unchanged")
def logarithms_in_place(x, y):
    """You write the logarithms over the caller's numbers: whoever draws them afterwards draws logarithms. Let np.log
    make new ones."""
    import math

    import numpy as np

    if len(x) < 2 or min(*x, *y) <= 0:
        raise ValueError("x and y need at least two points, all above 0")
    for i in range(len(x)):
        x[i], y[i] = math.log(x[i]), math.log(y[i])
    return float(np.polyfit(x, y, 1)[0])


# --- plot_growth ------------------------------------------------------------------------------------------------------


@wrong("plot_growth", caught_by="logarithmic_axes")
def axes_not_logarithmic(x, series, xlabel):
    """Your axes are not logarithmic, so a power law is a curve and not a straight line. Set both scales to log."""
    import matplotlib.pyplot as plt
    import pandas as pd

    figure, axes = plt.subplots()
    for name, seconds in series.items():
        axes.plot(x, seconds, marker="o", label=f"{name}, slope {fitted_slope(x, seconds):.2f}")
    axes.set(xlabel=xlabel, ylabel="seconds", title="Time")
    axes.legend()
    return pd.DataFrame({"x": x, **series}), figure


@wrong("plot_growth", caught_by="plotted_numbers_unchanged")
def series_taken_out(x, series, xlabel):
    """You take the series out of the caller's dictionary with pop, and leave it empty. Go through series.items(), which
    only looks."""
    import pandas as pd
    from matplotlib.figure import Figure

    frame = pd.DataFrame({"x": x})
    figure = Figure()
    axes = figure.subplots()
    for name in list(series):
        frame[name] = series.pop(name)
        axes.plot(x, frame[name], label=f"{name}, slope {fitted_slope(x, list(frame[name])):.2f}")
    axes.set(xscale="log", yscale="log", xlabel=xlabel, ylabel="seconds", title="Growth")
    axes.legend()
    return frame, figure
