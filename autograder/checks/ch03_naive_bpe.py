"""Hidden checks of chapter 3: counting, merging, choosing and fitting from scratch (R1), and the lecture's rules (R3).

The small inputs are sorted by what can go wrong on them (runs, ties, ends, stopping), so that a mistake costs the
checks of its own idea. Rules are compared by rank in all checks but one: whoever numbers them otherwise loses that one.
"""

import functools
import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Sequence

from autograder.checks import figures
from autograder.checks.api import WrongType, agree, as_lists, check, fail, refuses, type_name, unchanged
from autograder.checks.inputs import (
    NASTY_TEXTS,
    document_lists,
    has_runs,
    random_documents,
    random_ids,
    random_text,
    sequences,
    texts,
    tied_counts,
    tied_documents,
)
from autograder.checks.outcomes import Returned
from autograder.checks.session import StudentFunction
from autograder.reference import lecture_bpe, naive_bpe
from autograder.sandbox.inside.wire import BIG_INT, Figure, Frame, Stream

LETTERS = "abcdefghij klmn"
NOT_COUNTS = (True, False, -1, -258, 1.0, 2.5, "3", None, [1])

# --- count_pairs ---------------------------------------------------------------------------------------------------


@check("test_count_pairs", points=0.5)
def every_place(count_pairs):
    """Each pair of neighbours in a sequence counts once for each place where it stands."""
    agree(count_pairs, naive_bpe.count_pairs, (([ids],) for ids in sequences([0, 1, 2], 6) if not has_runs(ids)))


@check("test_count_pairs", points=1)
def overlapping_places(count_pairs):
    """In a run of equal ids the places overlap, and each of them counts."""
    agree(count_pairs, naive_bpe.count_pairs, (([ids],) for ids in sequences([1, 2], 7) if has_runs(ids)))


@check("test_count_pairs", points=1)
def each_sequence_for_itself(count_pairs):
    """Counts of several sequences add up, and no pair reaches from the end of one into the next."""
    small = [ids for ids in sequences([1, 2], 3) if not has_runs(ids)]
    several = [[], *(list(map(list, group)) for size in (2, 3) for group in itertools.product(small, repeat=size))]
    several.sort(key=lambda group: sum(map(len, group)))
    agree(count_pairs, naive_bpe.count_pairs, ((group,) for group in several))


@check("test_count_pairs", points=0.5)
def sequences_unchanged(count_pairs):
    """The sequences are left as they were."""
    unchanged(count_pairs, [([ids],) for ids in sequences([1, 2], 3) if len(ids) > 1] + [([[1, 2], [2, 1]],)],
              naive_bpe.count_pairs)


@check("test_count_pairs", points=0.5)
def sequences_read_once(count_pairs):
    """The sequences may come from an iterator, which can be read only once."""
    agree(count_pairs, naive_bpe.count_pairs, [
        (Stream(([1, 2],)),), (Stream(([1, 2], [2, 3])),), (Stream(([1, 2], [], [1, 2, 3])),),
    ])


@check("test_count_pairs", points=0.5, secret=True)
def long_sequences(count_pairs, seeded: random.Random):
    """Counts are right for long sequences with large ids and runs."""
    agree(count_pairs, naive_bpe.count_pairs, [
        ([random_ids(seeded, seeded.randint(0, 400), [97, 98, 256, 258, 300, 10_000]) for _ in range(6)],)
        for _ in range(10)
    ])


# --- merge_pair ----------------------------------------------------------------------------------------------------


@check("test_merge_pair", points=1)
def replaces_every_place(merge_pair):
    """Each place of the pair becomes the new id, and every other id stays where it is."""
    alphabets = [([0, 1, 2], 5), ([1, 11, 21], 3)]  # in the second, one id's digits end another's
    agree(merge_pair, naive_bpe.merge_pair, (
        (ids, (alphabet[0], second), 9)
        for alphabet, longest in alphabets for ids in sequences(alphabet, longest) for second in alphabet[1:]
    ))


@check("test_merge_pair", points=1)
def left_to_right(merge_pair):
    """In a run of equal ids the places overlap: they are replaced from the left, and each id is used once."""
    agree(merge_pair, naive_bpe.merge_pair, ((ids, (1, 1), 9) for ids in sequences([1, 2], 8) if has_runs(ids)))


@check("test_merge_pair", points=1)
def new_ids_are_not_matched_again(merge_pair):
    """Only the old ids are matched: a new id written in this pass is no part of a place, even if it is in the pair."""
    agree(merge_pair, naive_bpe.merge_pair, (
        (ids, pair, new_id)
        for ids in sequences([1, 2], 7)
        for pair, new_id in (((1, 2), 1), ((1, 2), 2), ((1, 1), 1))
        # where matching pair (1, 1) again would be seen in no other way than by the run's end
        if pair != (1, 1) or ids.count(1) % 2 == 0
    ))


@check("test_merge_pair", points=0.5)
def pair_as_list(merge_pair):
    """The pair may be a list as well as a tuple."""
    agree(merge_pair, naive_bpe.merge_pair, (
        (ids, list(pair), 9) for ids in sequences([1, 2], 4) for pair in ((1, 2), (2, 1)) if not has_runs(ids)
    ))


@check("test_merge_pair", points=0.5)
def ids_unchanged(merge_pair):
    """The list of ids is left as it was, and so is a pair that is a list."""
    calls = [(ids, pair, 9) for ids in sequences([1, 2], 4) if ids for pair in ((1, 2), [1, 2])]
    unchanged(merge_pair, calls, naive_bpe.merge_pair)


@check("test_merge_pair", points=1, secret=True)
def long_lists(merge_pair, seeded: random.Random):
    """Replacement is right in long lists with large ids and runs."""
    pairs = [(97, 97), (97, 98), (258, 97), (258, 258)]
    agree(merge_pair, naive_bpe.merge_pair, [
        (random_ids(seeded, seeded.randint(50, 800), [97, 98, 258]), pair, seeded.choice((259, 1_000_000)))
        for pair in pairs for _ in range(5)
    ])


# --- best_pair -----------------------------------------------------------------------------------------------------


def small_counts(tied: bool) -> Iterator[tuple[dict]]:
    """All counts of one to three of a few pairs, in every order, whose best count is shared or is not."""
    pairs = [(1, 2), (2, 1), (2, 2), (9, 10), (10, 9), (1, 20)]
    for size, possible in ((1, (1, 2, 3)), (2, (1, 2, 3)), (3, (1, 2))):
        for chosen in itertools.permutations(pairs, size):
            for numbers in itertools.product(possible, repeat=size):
                if (numbers.count(max(numbers)) > 1) is tied:
                    yield (dict(zip(chosen, numbers, strict=True)),)


@check("test_best_pair", points=0.5)
def highest_count(best_pair):
    """The pair with the highest count is chosen where no other has it."""
    agree(best_pair, naive_bpe.best_pair, small_counts(tied=False))


@check("test_best_pair", points=1)
def smallest_in_a_tie(best_pair):
    """Among the pairs with the highest count the smallest is chosen, compared as numbers, first ids first."""
    agree(best_pair, naive_bpe.best_pair, small_counts(tied=True))


@check("test_best_pair", points=0.5)
def nothing_to_choose(best_pair):
    """Empty counts are refused with a ValueError that names counts."""
    refuses(best_pair, ({(97, 98): 1},), [({},)], naming="counts")


@check("test_best_pair", points=0.5)
def counts_unchanged(best_pair):
    """The dictionary of counts is left as it was."""
    unchanged(best_pair, [({(1, 2): 1},), ({(1, 2): 1, (2, 1): 3},), ({(5, 6): 2, (1, 3): 2, (2, 1): 1},)],
              naive_bpe.best_pair)


@check("test_best_pair", points=0.5, secret=True)
def many_tied_pairs(best_pair, seeded: random.Random):
    """The smallest pair wins among many, whatever the order in which they were counted."""
    agree(best_pair, naive_bpe.best_pair, [(tied_counts(seeded, size, size),) for size in (8, 12, 20, 40, 80) * 4])


# --- predict_abab_acac ---------------------------------------------------------------------------------------------

PREDICTION = {
    "rules": [(97, 98), (97, 99)], "sequences": [[258, 258], [259, 259]], "tokens": 4, "vocabulary": 260,
}


def predicted(exercise: StudentFunction, *keys: str) -> None:
    """The student's dictionary holds the right values under these keys, lists and tuples alike."""
    value = exercise.value()
    exercise.note((), {}, Returned(PREDICTION), Returned(value))
    if not isinstance(value, dict):
        fail("The prediction is a dictionary.", call=exercise.name, expected="a dict", got=type_name(value))
    for key in keys:
        if key not in value:
            fail(f"The dictionary has no key {key!r}.", call=exercise.name, expected=f"key {key!r}", got=list(value))
        if type(value[key]) is bool or as_lists(value[key]) != as_lists(PREDICTION[key]):
            fail(call=f"{exercise.name}[{key!r}]", expected="what the rules of the game give", got=value[key])


@check("test_predict_abab_acac", points=1)
def predicted_rules(predict_abab_acac):
    """The rules of the example are predicted, in order, up to where training stops."""
    predicted(predict_abab_acac, "rules")


@check("test_predict_abab_acac", points=1)
def predicted_sequences(predict_abab_acac):
    """Both documents are written with the new ids as training leaves them."""
    predicted(predict_abab_acac, "sequences")


@check("test_predict_abab_acac", points=1)
def predicted_sizes(predict_abab_acac):
    """The number of tokens is right, and the vocabulary has the rules that were learnt, not those asked for."""
    predicted(predict_abab_acac, "tokens", "vocabulary")


# --- fit_merges ----------------------------------------------------------------------------------------------------


def by_rank(value: object) -> list:
    """The rules' pairs, every rule's id replaced by 258 + its rank; other forms of the same rules are taken so too."""
    if isinstance(value, dict):
        value = list(value.items())
    if not isinstance(value, list | tuple):
        raise WrongType(f"The answer must be a list of rules, not a {type_name(value)}.")
    ranks: dict[int, int] = {}
    pairs = []
    for rank, rule in enumerate(value):
        match rule:
            case [[int(a), int(b)], int(new_id)]:
                pass
            case [int(a), int(b)]:
                new_id = naive_bpe.FIRST_RULE + rank
            case _:
                raise WrongType(f"Rule {rank} must be ((a, b), new_id), three ints.")
        if max(map(abs, (a, b, new_id))) >= BIG_INT:  # many may share a hash, and a table of them take hours
            raise WrongType(f"Rule {rank} holds an id that is too large for any vocabulary.")
        pairs.append((ranks.get(a, a), ranks.get(b, b)))
        ranks[new_id] = naive_bpe.FIRST_RULE + rank
    return pairs


def run_in(history: Sequence[naive_bpe.Round]) -> bool:
    """Whether equal ids stand side by side before any of these rounds, so that places may overlap."""
    return any(has_runs(ids) for one in history for ids in one.before)


def overlap_in(history: Sequence[naive_bpe.Round]) -> bool:
    """Whether three equal ids stand side by side before any of these rounds, so that places do overlap."""
    return any(
        a == b == c for one in history for ids in one.before for a, b, c in zip(ids, ids[1:], ids[2:], strict=False)
    )


def tie_in(history: Sequence[naive_bpe.Round]) -> bool:
    return any(one.tied > 1 for one in history)


@functools.cache
def small_trainings() -> tuple[tuple[str, list[naive_bpe.Round]], ...]:
    """All small texts, shorter ones first, with what happens when they are trained on."""
    small = sorted({*texts("ab", 9), *texts("abc", 6)}, key=lambda text: (len(text), text))
    return tuple((text, naive_bpe.rounds([text], 3)) for text in small)


def trainings(rounds: int, wanted: Callable[[list[naive_bpe.Round]], bool], most: int = 300) -> list[tuple]:
    """The first small texts with so many rounds in which what happens is `wanted`, as arguments of `fit_merges`."""
    found = (
        ([text], rounds) for text, history in small_trainings() if len(history) >= rounds and wanted(history[:rounds])
    )
    return list(itertools.islice(found, most))


def fits(fit_merges: StudentFunction, inputs: Iterable[tuple]) -> None:
    """The right pairs are learnt, in the right order, whatever their ids; more than asked for cost their check only."""
    agree(fit_merges, naive_bpe.fit_merges, inputs, normal_for=lambda args: first_by_rank(args[1]))


def first_by_rank(number: int) -> Callable[[object], list]:
    return lambda value: by_rank(value)[:number]


# Two rounds without ties, runs or counts below 3: only what every version should do.
PLAIN = "xy1xy2xy3xy4ab5ab6ab7"


@check("test_fit_merges", points=0.5)
def most_frequent_first(fit_merges):
    """Without ties and runs the most frequent pair becomes the first rule, and no more rules come than asked for."""
    inputs = [([], 0), (["abab"], 0), *trainings(1, lambda h: not tie_in(h) and not run_in(h))]
    agree(fit_merges, naive_bpe.fit_merges, inputs, normal=by_rank)


@check("test_fit_merges", points=0.5)
def form_of_the_rules(fit_merges):
    """The answer is a list of rules ((a, b), new_id) in the order learnt, with the ids 258, 259 and so on."""
    agree(fit_merges, naive_bpe.fit_merges, [(["ab1ab2ab3"], 1), (["xy1xy2xy3"], 1), ([PLAIN], 2)])


@check("test_fit_merges", points=0.5)
def ties(fit_merges):
    """A tie goes to the pair of smallest ids."""
    fits(fit_merges, trainings(1, lambda h: tie_in(h) and not run_in(h)))
    fits(fit_merges, [(["dcdcd"], 1), (["dxdxcxc"], 1), (["\td\tdc\tdc"], 1), (["zazbzazb"], 1)])


@check("test_fit_merges", points=0.5)
def ties_among_new_ids(fit_merges):
    """In later rounds too a tie goes to the smallest ids, whatever bytes the tokens stand for."""
    fits(fit_merges, trainings(2, lambda h: not tie_in(h[:1]) and tie_in(h[1:]) and not overlap_in(h)))


@check("test_fit_merges", points=1)
def overlaps_count(fit_merges):
    """Overlapping places count: the pair (a, a) stands twice in aaa."""
    fits(fit_merges, trainings(1, lambda h: not tie_in(h) and run_in(h)))


@check("test_fit_merges", points=1)
def later_rounds(fit_merges):
    """Each round counts the sequences as the last one left them: replaced from left to right, and everywhere."""
    fits(fit_merges, trainings(2, lambda h: not tie_in(h)))


@check("test_fit_merges", points=0.5)
def stops_early(fit_merges):
    """Training stops when no pair stands at two places, however many merges were asked for."""
    stopping = (
        ([text], len(history) + 2) for text, history in small_trainings()
        if len(history) < 2 and not tie_in(history) and not run_in(history)
    )
    fits(fit_merges, [([], 3), ([""], 3), (["aa"], 1), (["", "a", "b"], 5), *itertools.islice(stopping, 300)])


@functools.cache
def several_documents(most: int = 300) -> list[tuple]:
    """The first small lists of documents whose first round has no ties and no runs, as arguments of `fit_merges`."""
    found = (
        (documents, 1) for documents in document_lists("ab", 7)
        if (history := naive_bpe.rounds(documents, 1)) and not tie_in(history) and not run_in(history)
    )
    return list(itertools.islice(found, most))


@check("test_fit_merges", points=1)
def documents_apart(fit_merges):
    """Counts of the documents add up, and no pair reaches from the end of one into the next."""
    fits(fit_merges, several_documents())


@check("test_fit_merges", points=0.5)
def bytes_not_characters(fit_merges):
    """Documents are read as UTF-8 bytes, all of them: é is two ids; spaces, line ends and capitals are ids, too."""
    fits(fit_merges, [
        (["ééé"], 1), (["é1é2é3"], 1), (["ж1ж2ж3ж4é5é6é7"], 2), (["🌍1🌹2💡3"], 1), (["1\u03402\u03403\u0340"], 1),
        *(([text], 1) for text in ("\0a1\0a2\0a", "a\n1a\n2a\n", "\na1\na2\na", "a 1a 2a ", " a1 a2 a", "AB1AB2AB")),
        *(([text], 1) for text in (" a1 a", "a 1a ", "\na1\na", "a\n1a\n", "Ab1Ab2ab")),
    ])


@check("test_fit_merges", points=0.5)
def max_merges_refused(fit_merges):
    """A max_merges that is no int of at least 0 is refused with a ValueError that names it; True is no int here."""
    refuses(fit_merges, (["abab"], 1), [(["abab"], value) for value in NOT_COUNTS], naming="max_merges")


@check("test_fit_merges", points=0.5)
def documents_read_once(fit_merges):
    """The documents may come from an iterator, which can be read only once."""
    fits(fit_merges, [(Stream(("ab1ab2ab3",)), 1), *((Stream((PLAIN, *more)), 2) for more in ((), ("", "q")))])


@check("test_fit_merges", points=0.5)
def documents_unchanged(fit_merges):
    """The list of documents is left as it was."""
    unchanged(fit_merges, [(["ababab"], 2), (["cd", "ab", "ab"], 2), (["", "b", "a"], 1), (["é", "aaaa"], 3)],
              naive_bpe.fit_merges)


@check("test_fit_merges", points=0.5, secret=True)
def whole_texts(fit_merges, seeded: random.Random):
    """On longer texts, with runs, ties and several scripts, all rules are right."""
    known = ["aaa", "babab", "ababa", "baabaab", "aa", "aaabab", "aaaaa", "aaaababab", "aaaaaa", "aaabdaaabac"]
    fits(fit_merges, [
        *(([text], rounds) for text in known for rounds in (1, 2, 3)),
        (["a", "aa"], 1),
        *((tied_documents(seeded), 12) for _ in range(4)),
        *((random_documents(seeded, 5, 60, LETTERS), 30) for _ in range(4)),
        ([*NASTY_TEXTS, random_text(seeded, 80, "éаb안🌍")], 40),
        ([random_text(seeded, 2_000, LETTERS)], 50),
    ])


# --- trace ---------------------------------------------------------------------------------------------------------

TRACE_COLUMNS = ("rank", "pair", "hex", "count", "tied", "before", "after")


def trace_frame(documents: list[str], max_merges: int) -> Frame:
    """The table that `trace` must return."""
    rows = [
        (one.rank, one.pair, one.piece.hex(), one.count, one.tied, one.tokens_before, one.tokens_after)
        for one in naive_bpe.rounds(documents, max_merges)
    ]
    data = {name: [row[i] for row in rows] for i, name in enumerate(TRACE_COLUMNS)}
    return Frame(TRACE_COLUMNS, data, list(range(len(rows))))


def columns(*names: str) -> Callable[[object], dict]:
    """A normaliser that compares these columns of a DataFrame only."""

    def normal(value: object) -> dict:
        if not isinstance(value, Frame):
            raise WrongType(f"The answer must be a DataFrame, not a {type_name(value)}.")
        for name in names:
            if name not in value.columns:
                raise WrongType(f"The DataFrame has no column {name!r}.")
        return {name: value.data[name] for name in names}

    return normal


def column_names(value: object) -> list:
    """A normaliser that compares the names of a DataFrame's columns, in order."""
    columns()(value)
    return list(value.columns)  # type: ignore[attr-defined]


TRACED = [
    (["aaaa"], 9), (["abab"], 9), (["ababab"], 1), (["abab", "acac"], 9), (["aaaaa", "bb"], 9), (["babab"], 9),
    (["ééé", "é"], 9), (["aaabdaaabac"], 9), (["a" * 12], 9), (["안안", "안안"], 9), (["aabb" * 3, "", "abba"], 9),
]


@check("test_trace", points=0.5)
def columns_in_order(trace):
    """The result is a DataFrame with the seven columns in the order given, also when no rule is learnt."""
    agree(trace, trace_frame, [(["ab"], 9), ([], 9), *TRACED[:3]], normal=column_names)


@check("test_trace", points=1)
def one_row_a_rule(trace):
    """There is one row for each rule that fit_merges learns, with its rank from 0 and its pair."""
    agree(trace, trace_frame, [(["ab"], 9), *TRACED], normal=columns("rank", "pair"))


@check("test_trace", points=1)
def pieces_in_hexadecimal(trace):
    """Column hex holds the bytes of the new token, those of both parts joined, two digits each."""
    agree(trace, trace_frame, [*TRACED, (["\0\0\0", "\n\0\n\0"], 9)], normal=columns("hex"))


@check("test_trace", points=0.5)
def counts_of_places(trace):
    """Column count holds how many places the pair had, overlapping ones too."""
    agree(trace, trace_frame, TRACED, normal=columns("count"))


@check("test_trace", points=1)
def ties_of_the_best(trace):
    """Column tied holds how many pairs shared the highest count, the chosen one included."""
    agree(trace, trace_frame, TRACED, normal=columns("tied"))


@check("test_trace", points=1)
def lengths_around(trace):
    """Columns before and after hold the ids in all documents around the replacement, counted and not guessed."""
    agree(trace, trace_frame, TRACED, normal=columns("before", "after"))


@check("test_trace", points=0.5)
def traced_documents_unchanged(trace):
    """The list of documents is left as it was."""
    unchanged(trace, [(["abab", "ab"], 2), (["cd", "", "abab"], 2), (["é", "aaaa"], 9)], trace_frame)


# --- lecture_merges and tie_example --------------------------------------------------------------------------------


def lecture_inputs(wanted: Callable[[list[dict], int], bool], most: int = 300) -> Iterable[tuple[str, int]]:
    """Small texts with a number of merges, by the pair counts that the lecture's training meets on the way."""
    found = []
    longer = ["aaabaaab", "aabaabbb", "abbaabba"]  # in the second round another pair comes first than in the first one
    for text in [*texts("ab", 6), *texts("abc", 5), *longer]:
        for merges in (1, 2, 3):
            history = lecture_history(text, merges)
            if wanted(history, merges):
                found.append((text, merges))
    drawn = [(random_text(random.Random(size), size, "etaoin \nEA1s"), size // 20) for size in range(100, 200, 25)]
    found = sorted(dict.fromkeys(found), key=lambda item: (len(item[0]), item[1]))[:most]
    return [*found, *(one for one in drawn if wanted(lecture_history(*one), one[1]))]


@functools.cache
def lecture_history(text: str, merges: int) -> list[dict]:
    """The counts before each round, for rounds in which there is a pair."""
    ids = list(text.encode())
    history = []
    for pair, new_id in lecture_bpe.lecture_merges(text, merges).items():
        history.append(naive_bpe.count_pairs([ids]))
        ids = naive_bpe.merge_pair(ids, pair, new_id)
    return history


def first_is_smallest(counts: dict) -> bool:
    """Whether first seen, smallest, greatest and last seen are the same pair, as one pair alone is best."""
    return list(counts.values()).count(max(counts.values())) == 1


@check("test_lecture_merges", points=1)
def lecture_rules(lecture_merges):
    """Without ties, the most frequent pair of each round gets the next id from 256 on, in as many rounds as asked."""
    agree(lecture_merges, lecture_bpe.lecture_merges, lecture_inputs(
        lambda history, merges: len(history) == merges
        and all(first_is_smallest(c) and max(c.values()) > 1 for c in history)
    ))


def first_rules(args: Sequence) -> Callable[[object], dict]:
    """A normaliser: the first rules, as many as were asked for; more of them cost their own check only."""

    def first(value: object) -> dict:
        if not isinstance(value, dict):
            raise WrongType(f"The answer must be a dict, not a {type_name(value)}.")
        return dict(itertools.islice(value.items(), args[1]))

    return first


@check("test_lecture_merges", points=1)
def first_seen_in_a_tie(lecture_merges):
    """A tie goes to the pair that is seen first in the current sequence, read from the left."""
    agree(lecture_merges, lecture_bpe.lecture_merges, lecture_inputs(
        lambda history, merges: len(history) == merges and all(max(c.values()) > 1 for c in history)
        and not all(map(first_is_smallest, history))
    ), normal_for=first_rules)


@check("test_lecture_merges", points=0.5)
def merges_single_places(lecture_merges):
    """There is no least count: a pair at a single place is merged too."""
    agree(lecture_merges, lecture_bpe.lecture_merges, lecture_inputs(
        lambda history, merges: len(history) == merges and all(map(first_is_smallest, history))
        and any(max(c.values()) == 1 for c in history)
    ), normal_for=first_rules)


@check("test_lecture_merges", points=0.5)
def ends_without_pairs(lecture_merges):
    """When no pair is left, the rules learnt so far are returned."""
    agree(lecture_merges, lecture_bpe.lecture_merges, [
        ("", 0), ("", 1), ("a", 2), ("é", 3), ("ababab", 8), ("aaaa", 5), ("aaaaaaaa", 9), ("ééé", 9),
    ])


@check("test_tie_example", points=1)
def rules_part_on_a_tie(tie_example):
    """The two rule sets learn one rule each from your string, and the pairs differ."""
    text = tie_example.value()
    if not isinstance(text, str):
        fail("The example must be a string.", call="tie_example", expected="a str", got=type_name(text))
    if len(text) > 12 or text == "babab":
        fail("The task asks for at most 12 characters and another string than ours.", call="tie_example",
             expected="a short string of your own", got=text)
    try:
        ours, lecture = naive_bpe.fit_merges([text], 1), lecture_bpe.lecture_merges(text, 1)
    except UnicodeEncodeError:
        fail("A lone surrogate has no UTF-8 bytes.", call="tie_example", expected="a text with UTF-8 bytes", got=text)
    if not ours:
        tie_example.note((), {}, Returned("yes yes"), Returned(text))
        fail("No pair stands at two places, so fit_merges learns nothing from it.", call=f"fit_merges([{text!r}], 1)",
             expected="one rule", got=ours)
    if ours[0][0] == next(iter(lecture)):
        tie_example.note((), {}, Returned("yes yes"), Returned(text))
        fail("Both choose the same pair.", call=f"tie_example = {text!r}", expected="different pairs",
             got=f"{ours[0][0]} from both")


# --- plot_merges ---------------------------------------------------------------------------------------------------

# Every check asks them in this order: what one asked, the next need not ask again.
PLOTTED = [(["aaaa", "abab"], 9), (["안녕 안녕"], 9), (["the cat in the hat", "", "that cat"], 5), (["ab"], 3)]


def plot_columns(documents: list[str], max_merges: int) -> dict[str, list]:
    """The columns that `plot_merges` must return."""
    history = naive_bpe.rounds(documents, max_merges)
    size = sum(map(len, naive_bpe.training_sequences(documents)))
    tokens = [size, *(one.tokens_after for one in history)]
    read = [0, *itertools.accumulate(one.tokens_before for one in history)]
    return {"merges": list(range(len(tokens))), "tokens": tokens, "ratio": [size / n for n in tokens], "read": read}


def plot_answer(plot_merges: StudentFunction, args: tuple, *names: str) -> tuple[Frame, Figure, str]:
    """The table and the figure; the call's text. The table's columns `names` are compared with the right ones."""
    right = plot_columns(*args)
    frame, figure, call = figures.answer(plot_merges, args, right)
    for name in names:
        figures.column(frame, call, name, right[name])
    return frame, figure, call


@check("test_plot_merges", points=1)
def tokens_after_merges(plot_merges):
    """The table has a row for 0, 1, 2 and so on up to the merges learnt, with the ids left after them."""
    for args in PLOTTED:
        plot_answer(plot_merges, args, "merges", "tokens")


@check("test_plot_merges", points=0.5)
def ratio_of_bytes(plot_merges):
    """The ratio is UTF-8 bytes per token."""
    for args in PLOTTED[:2]:
        plot_answer(plot_merges, args, "ratio")


@check("test_plot_merges", points=1)
def ids_read(plot_merges):
    """Column read adds up the lengths before each round: what counting had to read so far."""
    for args in PLOTTED:
        plot_answer(plot_merges, args, "read")


@check("test_plot_merges", points=1)
def figure_shows_the_table(plot_merges):
    """The figure shows tokens, ratio and read against merges, just as the table has them."""
    for args in PLOTTED[:3]:
        frame, figure, call = plot_answer(plot_merges, args)
        for name in ("tokens", "ratio", "read"):
            figures.plots(figure, call, frame.data["merges"], frame.data[name], name)


@check("test_plot_merges", points=0.5)
def figure_is_labelled(plot_merges):
    """Each panel has a title and both axis labels, and the figure has a legend."""
    _, figure, call = plot_answer(plot_merges, PLOTTED[0])
    figures.labelled(figure, call)


@check("test_plot_merges", points=0.5)
def plotted_documents_unchanged(plot_merges):
    """The list of documents is left as it was."""
    figures.arguments_stay(plot_merges, PLOTTED[:2], ("merges", "tokens", "ratio", "read"))
