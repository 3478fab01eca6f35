"""Hidden checks of chapter 6: an index of places, and training that reads only what a merge changes (R1 and R2).

Small inputs are sorted by what can go wrong on them (places that touch, runs, ties, ends). Cost is judged by counting
steps, and by times that are compared with each other only (`ch06_cost`), so that every incremental design has room:
sorted list, heap, plain `max` over counts that are kept, linked list, arrays.
"""

import functools
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from autograder.checks import ch06_cost as cost
from autograder.checks import figures, r2_training
from autograder.checks.api import (
    LEFT_BEHIND,
    Counterexample,
    Failed,
    WrongType,
    agree,
    check,
    difference,
    fail,
    refuses,
    same,
    type_name,
    unchanged,
)
from autograder.checks.inputs import (
    NASTY_TEXTS,
    document_lists,
    has_runs,
    random_documents,
    random_text,
    texts,
    tied_documents,
)
from autograder.checks.outcomes import Missing, Outcome, Raised, Returned
from autograder.checks.session import Answer, NotWritten, Session, StudentFunction
from autograder.checks.show import show_call, show_outcome
from autograder.reference import growth, incremental_bpe, naive_bpe, pair_index
from autograder.sandbox.inside.wire import BIG_INT, Counted, Figure, Frame, Handle, Stream

LETTERS = "abcdefghij klmn"
NOT_COUNTS = (True, False, -1, -258, 1.0, 2.5, "3", None, [1])

# --- formula_fails -------------------------------------------------------------------------------------------------


def recorded_changes(ids: Sequence[int], pair: tuple[int, int], new_id: int = 258) -> dict:
    """The notebook's `formula_changes`: the table of changes at every place recorded before the merge."""
    change: Counter = Counter()
    a, b = pair
    for place in [i for i, p in enumerate(pairwise(ids)) if p == pair]:
        change[pair] -= 1
        if place > 0:
            change[ids[place - 1], a] -= 1
            change[ids[place - 1], new_id] += 1
        if place + 2 < len(ids):
            change[b, ids[place + 2]] -= 1
            change[new_id, ids[place + 2]] += 1
    return {p: n for p, n in change.items() if n}


def true_changes(ids: Sequence[int], pair: tuple[int, int], new_id: int = 258) -> dict:
    """What the merge does to the counts."""
    change = Counter(pairwise(naive_bpe.merge_pair(ids, pair, new_id)))
    change.subtract(Counter(pairwise(ids)))
    return {p: n for p, n in change.items() if n}


@check("test_formula_fails", points=1)
def table_is_wrong_on_it(formula_fails):
    """The text has no equal neighbours, and the table of changes is wrong on it for its first pair."""
    text = formula_fails.value()
    allowed = isinstance(text, str) and text.isascii() and 3 <= len(text) <= 8 and not has_runs(text)
    ids = list(text.encode()) if allowed else []
    right = allowed and recorded_changes(ids, (ids[0], ids[1])) != true_changes(ids, (ids[0], ids[1]))
    formula_fails.note((), {}, Returned(text if right else "abab"), Returned(text))
    if not allowed:
        fail(call="formula_fails", expected="3 to 8 ASCII characters without equal neighbours", got=text)
    if not right:
        fail("The table gives the true changes here.", call=f"formula_fails = {text!r}",
             expected="different changes", got="the same changes from formula_changes and true_changes")


# --- PairIndex: scripts of edits and questions, made on one object -------------------------------------------------

Step = tuple[str, tuple]  # a method and its arguments
QUESTIONS = ("count", "places", "most_frequent")


def play(session: Session, cls: StudentFunction, scripts: Iterable[Sequence[Step]]) -> None:
    """Each script's steps, made on a new object, answer every question as the reference's object does."""
    scripts = list(scripts)
    objects = [made_object(cls, outcome) for outcome in cls.outcomes([()] * len(scripts), options={"keep": True})]
    steps = [(number, *step) for number, script in zip(objects, scripts, strict=True) for step in script]
    outcomes = iter(session.batch([[[number, method], list(args), {}, {}] for number, method, args in steps]))
    failed: Failed | None = None
    wrong: Sequence[Step] = ()
    for script in scripts:
        trusted = getattr(pair_index, cls.name)()
        for position, (method, args) in enumerate(script):
            got = next(outcomes)
            written(got, f"{cls.name}.{method}")
            right = trusted_outcome(trusted, method, args)
            before = tuple(script[:position])
            asked = method in QUESTIONS
            if asked or not isinstance(got, Returned):
                session.transcript.append(Answer(f"{cls.name}.{method}", args, {}, right, got, ((), {}), before))
            if failed is None and (asked or not isinstance(got, Returned)):
                reason = difference(right, got)
                if reason is not None:
                    wrong = script
                    failed = Failed(reason, Counterexample(in_words(cls.name, before, method, args),
                                                           show_outcome(right), show_outcome(got)))
    if failed is None:
        return
    if len(scripts) > 1 and plays_alone(session, cls, wrong):
        failed = Failed(LEFT_BEHIND, failed.counterexample)
    raise failed


def plays_alone(session: Session, cls: StudentFunction, script: Sequence[Step]) -> bool:
    """Whether the script comes out right in a fresh copy of the snapshot."""
    session.close()
    try:
        play(session, cls, [script])
    except Failed:
        return False
    return True


def made_object(cls: StudentFunction, outcome: Outcome) -> int:
    """The number of the object that was made; anything else fails the check."""
    if not (isinstance(outcome, Returned) and isinstance(outcome.value, Handle)):
        fail(call=f"{cls.name}()", expected="an object of the class", got=show_outcome(outcome))
    return outcome.value.number  # type: ignore[union-attr]


def written(outcome: Outcome, name: str) -> None:
    if isinstance(outcome, Missing) or (isinstance(outcome, Raised) and "NotImplementedError" in outcome.names):
        raise NotWritten(name)


def trusted_outcome(trusted: object, method: str, args: tuple) -> Outcome:
    try:
        return Returned(getattr(trusted, method)(*args))
    except ValueError as error:
        return Raised(("ValueError", "Exception", "BaseException"), str(error))


def in_words(name: str, before: Sequence[Step], method: str, args: tuple) -> str:
    """The script as one would type it."""
    lines = [f"index = {name}()", *(show_call(f"index.{m}", a) for m, a in before if m not in QUESTIONS)]
    return "; ".join([*lines, show_call(f"index.{method}", args)])


P, Q, R = (1, 2), (2, 1), (2, 2)
SMALLEST, GREATEST = ("most_frequent", ("smallest",)), ("most_frequent", ("greatest",))
ASK = [("count", (P,)), ("places", (P,)), ("count", (Q,)), ("places", (Q,))]


def edits(lengths: Iterable[int], steps: Sequence[Step], wanted: Callable[[Sequence[Step]], bool]) -> Iterator[list]:
    """All scripts of so many of the steps that are `wanted`, each followed by questions."""
    for length in lengths:
        for script in itertools.product(steps, repeat=length):
            if wanted(script):
                yield [*script, *ASK]


ADDS = [("add", (pair, place)) for pair in (P, Q) for place in (3, 0)]
REMOVES = [("remove", (pair, place)) for pair in (P, Q) for place in (3, 0)]


def kinds(script: Sequence[Step]) -> set[str]:
    """What a script of edits does: adds again what is there, removes what is there, or what is not."""
    there: set[tuple] = set()
    found = set()
    for method, args in script:
        known = args[:2] in there
        found.add(("again" if known else "") if method == "add" else ("gone" if known else "absent"))
        (there.add if method == "add" else there.discard)(args[:2])
    return found - {""}


@check("test_PairIndex", points=1)
def added_places_count(PairIndex, session):
    """Each place that is added counts 1 for its own pair, and an unknown pair counts 0."""
    scripts = edits(range(4), ADDS, lambda script: not kinds(script))
    play(session, PairIndex, [[step for step in script if step[0] != "places"] for script in scripts])


@check("test_PairIndex", points=0.5)
def places_ascending(PairIndex, session):
    """`places` gives a list of the pair's places in ascending order, whatever the order in which they came."""
    orders = itertools.permutations((10, 9, 1_000, 33_000, 2))
    play(session, PairIndex, [[("add", (P, at)) for at in order] + [("places", (P,)), ("places", (Q,))]
                               for order in orders])


@check("test_PairIndex", points=1)
def added_again(PairIndex, session):
    """Adding a place that is recorded for the pair already changes nothing."""
    play(session, PairIndex, edits((2, 3), ADDS, lambda s: "again" in kinds(s)))


@check("test_PairIndex", points=1)
def removed_places(PairIndex, session):
    """A place that is removed is gone for that pair only, and may be added again."""
    play(session, PairIndex, edits((2, 3), ADDS + REMOVES, lambda s: kinds(s) == {"gone"}))


@check("test_PairIndex", points=1)
def removing_what_is_absent(PairIndex, session):
    """Removing a place that is not recorded for the pair changes nothing and is no error."""
    play(session, PairIndex, edits((1, 2), ADDS + REMOVES, lambda s: "absent" in kinds(s)))
    play(session, PairIndex, [[("add", (P, 5)), ("remove", (None, 5)), ("remove", (P, 4)), *ASK]])


@check("test_PairIndex", points=0.5)
def weights(PairIndex, session):
    """A place counts its weight; when it is removed, the weight that was recorded goes with it."""
    play(session, PairIndex, [
        [("add", (P, 0, 5)), *ASK], [("add", (P, 0, 5)), ("add", (P, 1)), ("add", (Q, 1, 7)), *ASK],
        [("add", (P, 0, 5)), ("add", (P, 3, 2)), ("remove", (P, 0)), *ASK],
        [("add", (P, 0, 5)), ("remove", (P, 0)), ("add", (P, 0, 3)), *ASK],
        # Fewer places count more; and the count falls to one that it did not have on its way up.
        [("add", (P, 0, 5)), ("add", (Q, 1)), ("add", (Q, 2)), SMALLEST, GREATEST],
        [("add", (Q, 0, 5)), ("add", (P, 1)), ("add", (P, 2)), SMALLEST, GREATEST],
        [("add", (P, 0, 5)), ("add", (P, 1)), ("remove", (P, 0)), SMALLEST, GREATEST],
        [("add", (P, 0, 5)), ("add", (P, 1)), SMALLEST, GREATEST, ("remove", (P, 0)), SMALLEST, GREATEST],
    ])


@check("test_PairIndex", points=0.5)
def first_weight_stays(PairIndex, session):
    """Adding a recorded place with another weight keeps the first one, also when the place is removed afterwards."""
    again = [("add", (P, 0, 5)), ("add", (P, 0, 2))]
    play(session, PairIndex, [[*again, *ASK], [*again, ("remove", (P, 0)), *ASK]])


@check("test_PairIndex", points=0.5)
def places_are_a_copy(PairIndex, session):
    """The list from `places` stays as it is while the index changes, and changing it leaves the index alone."""
    objects = [made_object(PairIndex, one) for one in PairIndex.outcomes([()], options={"keep": True})]
    index = objects[0]
    steps: list[Step] = [("add", (P, 1)), ("add", (P, 2)), ("add", (P, 3))]
    outcomes = session.batch([[[index, method], list(args), {}, {}] for method, args in steps])
    listed, *_ = session.batch([[[index, "places"], [P], {}, {"keep": True}]])
    for outcome in (*outcomes, listed):
        written(outcome, "PairIndex")
    number = made_object(PairIndex, listed)
    after = session.batch([
        [[index, "remove"], [P, 1], {}, {}], [[index, "add"], [P, 9], {}, {}], [[number, "copy"], [], {}, {}],
        [[number, "clear"], [], {}, {}], [[index, "places"], [P], {}, {}],
    ])
    for outcome, right, call in (
        (after[2], [1, 2, 3], "places = index.places((1, 2)); index.remove((1, 2), 1); places"),
        (after[4], [2, 3, 9], "index.places((1, 2)).clear(); index.places((1, 2))"),
    ):
        if not (isinstance(outcome, Returned) and same(outcome.value, right)):
            fail(call=call, expected=right, got=show_outcome(outcome))


@check("test_PairIndex", points=0.5, secret=True)
def long_edits(PairIndex, session, seeded: random.Random):
    """After long series of edits every count is the sum of the weights of its places."""
    play(session, PairIndex, [random_edits(seeded, 50, ("count", "places")) for _ in range(15)])


def random_edits(seeded: random.Random, length: int, questions: Sequence[str]) -> list[Step]:
    """Adds and removes of few pairs and places, so that all cases come up, with questions in between."""
    pairs = [P, Q, R, (258, 1), (1, 258)]
    script: list[Step] = []
    for _ in range(length):
        pair, place = seeded.choice(pairs), seeded.randint(0, 8)
        weight = seeded.choice(((), (1,), (4,)))
        script.append(seeded.choice([("add", (pair, place, *weight))] * 3 + [("remove", (pair, place))] * 2))
        if seeded.random() < 0.4:
            question = seeded.choice(questions)
            asked = seeded.choice(("smallest", "greatest")) if question == "most_frequent" else seeded.choice(pairs)
            script.append((question, (asked,)))
    return script


FEW, MANY = 40, 640
SLOWER = 3.0  # times; 16 for a list that is looked through, 2 for a sorted one, 1 for a set or dictionary


@check("test_PairIndex", points=0.5)
def many_places(PairIndex, session):
    """Adding, counting and removing cost the same however many places the pair has."""
    few, many = (steps_of_edits(session, PairIndex, size) for size in (FEW, MANY))
    if many > SLOWER * few:
        fail("An edit seems to look through the places that are there already.",
             call=f"edits of a pair with {MANY} places", expected=f"about as many steps as with {FEW} places",
             got=f"{many / few:.0f} times as many for each")


def steps_of_edits(session: Session, cls: StudentFunction, size: int) -> float:
    """Steps of one edit on average, while the pair has up to `size` places; comparing places is counted, too."""
    (number,) = (made_object(cls, one) for one in cls.outcomes([()], options={"keep": True}))
    order = random.Random(size).sample(range(size), size)
    edits = [
        *(("add", (P, Counted(place), Counted(1))) for place in order), *[("count", (P,))] * size,
        *(("remove", (P, Counted(place))) for place in reversed(order)), ("count", (P,)),
    ]
    outcomes = session.batch([[[number, method], list(args), {}, {"steps": True}] for method, args in edits])
    for outcome in outcomes:
        written(outcome, cls.name)
        if not isinstance(outcome, Returned):
            fail(call=f"{cls.name}: {size} places added and removed", expected="a value", got=show_outcome(outcome))
    for at, right in ((size, size), (-1, 0)):
        if (got := outcomes[at]) != Returned(right):
            edits_so_far = f"{size} places added" + " and removed" * (right == 0)
            fail(call=f"{cls.name}: {edits_so_far}; count", expected=right, got=show_outcome(got))
    return sum(outcome.steps or 0 for outcome in outcomes) / len(outcomes)  # type: ignore[union-attr]


def counted(counts: dict) -> list[Step]:
    """The steps that give each pair its count; the places are all different."""
    place = itertools.count()
    return [("add", (pair, next(place))) for pair, number in counts.items() for _ in range(number)]


def small_counts(tied: bool) -> list[dict]:
    """Counts of one to three of a few pairs, in every order, whose highest is shared or is not."""
    pairs = [P, Q, R, (9, 10), (10, 9)]
    return [
        dict(zip(chosen, numbers, strict=True))
        for size in (1, 2, 3) for chosen in itertools.permutations(pairs, size)
        for numbers in itertools.product((1, 2), repeat=size)
        if (numbers.count(max(numbers)) > 1) is tied
    ]


@check("test_PairIndex", points=1)
def highest_count(PairIndex, session):
    """The pair with the highest count is the answer where no other has it."""
    play(session, PairIndex, [[*counted(counts), SMALLEST, GREATEST] for counts in small_counts(tied=False)])


@check("test_PairIndex", points=1)
def smallest_in_a_tie(PairIndex, session):
    """With tie="smallest" the smallest of the most frequent pairs is the answer."""
    play(session, PairIndex, [[*counted(counts), SMALLEST] for counts in small_counts(tied=True)])


@check("test_PairIndex", points=1)
def greatest_in_a_tie(PairIndex, session):
    """With tie="greatest" the greatest of the most frequent pairs is the answer, also among pairs of bytes."""
    byte_pairs = [(b"a", b"z"), (b"ab", b"a"), (b"a", b"zz"), (b"\xc3", b"\xb1"), (b" ", b"a"), (b"aa", b"a")]
    scripts = [[*counted(counts), GREATEST] for counts in small_counts(tied=True)]
    scripts += [[*counted(dict.fromkeys(chosen, 1)), GREATEST] for chosen in itertools.permutations(byte_pairs, 2)]
    play(session, PairIndex, scripts)


@check("test_PairIndex", points=1.5)
def after_counts_fall(PairIndex, session):
    """When the best pair's places are removed, its new count decides: it may still be the best, or another one is."""
    scripts = []
    for high, other in itertools.product((2, 3, 4), (1, 2, 3)):
        for gone in range(1, high):
            if high > other and high - gone != other:
                removes = [("remove", (P, at)) for at in range(gone)]
                scripts.append([*counted({P: high, Q: other}), SMALLEST, *removes, SMALLEST, GREATEST])
                again = [("add", (P, 90 + at)) for at in range(other)]
                scripts.append([*counted({P: high, Q: other}), *removes, GREATEST, *again, GREATEST])
    play(session, PairIndex, sorted(scripts, key=len))


@check("test_PairIndex", points=0.5)
def nothing_recorded(PairIndex, session):
    """When no place is recorded the answer is None, also after everything was removed or only asked for."""
    there_and_gone: list[Step] = [("add", (P, 0)), ("remove", (P, 0))]
    play(session, PairIndex, [
        [SMALLEST], [GREATEST], [("count", (P,)), ("places", (P,)), SMALLEST],
        [*there_and_gone, SMALLEST], [*there_and_gone, GREATEST],
        [*there_and_gone[:1], SMALLEST, there_and_gone[1], SMALLEST],
    ])


@check("test_PairIndex", points=0.5)
def tie_refused(PairIndex, session):
    """Any other tie is refused with a ValueError that names tie."""
    wrong = ("first", "", "SMALLEST", None, 1)
    numbers = [made_object(PairIndex, one) for one in PairIndex.outcomes([()] * 2, options={"keep": True})]
    steps = [("add", (P, 0)), SMALLEST]
    _, known = session.batch([[[numbers[1], method], list(args), {}, {}] for method, args in steps])
    written(known, "PairIndex.most_frequent")
    if not isinstance(known, Returned):  # whoever refuses everything does not pass
        fail(call="PairIndex.most_frequent('smallest')", expected="a pair", got=show_outcome(known))
    calls = [(number, value) for number in numbers for value in wrong]
    outcomes = session.batch([[[number, "most_frequent"], [value], {}, {}] for number, value in calls])
    for (number, value), got in zip(calls, outcomes, strict=True):
        written(got, "PairIndex.most_frequent")
        before = (("add", (P, 0)),) if number == numbers[1] else ()
        right = Raised(("ValueError",), "tie")
        session.transcript.append(Answer("PairIndex.most_frequent", (value,), {}, right, got, ((), {}), before))
    for (_, value), got in zip(calls, outcomes, strict=True):
        if not (isinstance(got, Raised) and "ValueError" in got.names and "tie" in got.message.lower()):
            wanted = "ValueError whose message names tie"
            fail(call=f"index.most_frequent({value!r})", expected=wanted, got=show_outcome(got))


@check("test_PairIndex", points=0.5, secret=True)
def long_edits_with_questions(PairIndex, session, seeded: random.Random):
    """After long series of edits, with both ties asked for in between, every answer is right."""
    questions = ("most_frequent", "most_frequent", "count", "places")
    play(session, PairIndex, [random_edits(seeded, 50, questions) for _ in range(15)])


# --- fit_merges ----------------------------------------------------------------------------------------------------


def by_rank(value: object) -> list:
    """The rules' pairs, every rule's id replaced by 258 + its rank: ids have a check of their own."""
    if not isinstance(value, list | tuple):
        raise WrongType(f"The answer must be a list of rules, not a {type_name(value)}.")
    ranks: dict[int, int] = {}
    pairs = []
    for rank, rule in enumerate(value):
        match rule:
            case [[int(a), int(b)], int(new_id)] if max(map(abs, (a, b, new_id))) < BIG_INT:
                # Above, many ids may share a hash, and a table of them take hours.
                pairs.append((ranks.get(a, a), ranks.get(b, b)))
                ranks[new_id] = naive_bpe.FIRST_RULE + rank
            case _:
                raise WrongType(f"Rule {rank} must be ((a, b), new_id), three ints.")
    return pairs


@functools.cache
def trained(documents: tuple[str, ...], max_merges: object) -> list:
    return incremental_bpe.fit_merges(documents, max_merges)  # type: ignore[arg-type]


def right_rules(documents: Iterable[str], max_merges: object) -> list:
    """The reference's rules, kept, as the same small inputs come for every student."""
    return trained(tuple(documents), max_merges)


def fits(fit_merges: StudentFunction, inputs: Iterable[tuple]) -> None:
    """The right pairs are learnt, in the right order, whatever their ids; more than asked for cost their check only."""
    agree(fit_merges, right_rules, inputs, normal_for=lambda args: first_by_rank(args[1]))


def first_by_rank(number: int) -> Callable[[object], list]:
    return lambda value: by_rank(value)[:number]


def run_in(one: naive_bpe.Round) -> bool:
    """Whether three equal ids stand side by side, so that places overlap."""
    return any(a == b == c for ids in one.before for a, b, c in zip(ids, ids[1:], ids[2:], strict=False))


def touch_in(one: naive_bpe.Round) -> bool:
    """Whether two merged places touch, so that the new id is its own neighbour."""
    return any((one.new_id, one.new_id) in pairwise(ids) for ids in one.after)


Case = tuple[str, list[naive_bpe.Round]]


@functools.cache
def small_trainings() -> tuple[Case, ...]:
    """All small texts, shorter ones first, with what happens when they are trained on."""
    small = sorted({*texts("ab", 10), *texts("abc", 7)}, key=lambda text: (len(text), text))
    return tuple((text, naive_bpe.rounds([text], 3)) for text in small)


def trainings(rounds: int, wanted: Callable[[list[naive_bpe.Round]], bool], most: int = 150) -> list[tuple]:
    """The first small texts in whose training so many rounds happen and are as `wanted`, as arguments."""
    found = (
        ([text], rounds) for text, history in small_trainings() if len(history) >= rounds and wanted(history[:rounds])
    )
    return list(itertools.islice(found, most))


def tied_in(history: Sequence[naive_bpe.Round]) -> bool:
    return any(one.tied > 1 for one in history)


def plain(history: Sequence[naive_bpe.Round]) -> bool:
    """No runs, and no merged places that touch."""
    return not any(run_in(one) or touch_in(one) for one in history)


@check("test_fit_merges", points=1)
def first_rule(fit_merges):
    """Where nothing ties and nothing overlaps, the most frequent pair becomes the first rule, the only one asked."""
    inputs = [([], 0), (["abab"], 0), *trainings(1, lambda h: not tied_in(h) and not run_in(h[0]))]
    agree(fit_merges, right_rules, inputs, normal=by_rank)


@check("test_fit_merges", points=1.5)
def neighbours_follow(fit_merges):
    """After a merge the counts of its neighbours fall and those with the new id rise, so later rules are right."""
    longer = [one for one in LONGER if untied(*one)]
    fits(fit_merges, [*longer, *trainings(2, lambda h: not tied_in(h) and plain(h))])


# Two or three rounds without ties and runs, in which the second rule turns on counts that fell or rose in the first.
LONGER = [
    (["xabyxabzxabxdxdxd"], 2), (["abxabyabzbxbxbx"], 2), (["abcabdabccdcec"], 3), (["abcxabcyabczbcwbc"], 2),
    (["zabcyabcxabcwab"], 3), (["cab1cab2cab3ab"], 2), (["ab1ab2ab3cb4cb5c"], 2),
]


def untied(documents: list[str], rounds: int) -> bool:
    history = naive_bpe.rounds(documents, rounds)
    return len(history) == rounds and not tied_in(history)


@check("test_fit_merges", points=1.5)
def places_that_touch(fit_merges):
    """Where merged places touch, as in abab, the new id is its own neighbour and nothing else."""
    fits(fit_merges, [
        *trainings(2, lambda h: not tied_in(h) and touch_in(h[0]) and not any(map(run_in, h[:1]))),
        *trainings(3, lambda h: not tied_in(h) and touch_in(h[0]) and not run_in(h[0]), 80),
    ])


@check("test_fit_merges", points=1.5)
def runs(fit_merges):
    """In a run of equal ids all overlapping places count; they are merged from the left, used-up ones skipped."""
    fits(fit_merges, [
        *((["a" * length], rounds) for length in range(3, 20) for rounds in (1, 2, 3, 4)),
        *trainings(1, lambda h: not tied_in(h) and run_in(h[0]), 80),
        *trainings(2, lambda h: not tied_in(h) and run_in(h[0])),
        *trainings(3, lambda h: not tied_in(h) and any(map(run_in, h)), 80),
    ])


@check("test_fit_merges", points=0.5)
def ties(fit_merges):
    """A tie goes to the pair of smallest ids, in the first round and in later ones."""
    fits(fit_merges, trainings(1, lambda h: tied_in(h) and not run_in(h[0])))
    fits(fit_merges, [(["dcdcd"], 1), (["dxdxcxc"], 1), (["zazbzazb"], 1), (["baabaab"], 2)])


@check("test_fit_merges", points=0.5)
def stops_early(fit_merges):
    """Training stops when no pair counts 2, also when counts have fallen below that, as for ba in ababa."""
    stopping = (
        ([text], len(history) + 2) for text, history in small_trainings()
        if len(history) < 3 and plain(history[:1]) and not tied_in(history[1:])
    )
    fits(fit_merges, [([], 3), ([""], 3), (["aa"], 1), (["", "a", "b"], 5), *itertools.islice(stopping, 150)])


@functools.cache
def several_documents(most: int = 200) -> list[tuple]:
    """The first small lists of documents whose first round has no ties and no runs, as arguments of `fit_merges`."""
    found = (
        (documents, 1) for documents in document_lists("ab", 7)
        if (history := naive_bpe.rounds(documents, 1)) and not tied_in(history) and not run_in(history[0])
    )
    return list(itertools.islice(found, most))


@check("test_fit_merges", points=0.5)
def documents_apart(fit_merges):
    """Counts of the documents add up, and no pair reaches from the end of one into the next."""
    fits(fit_merges, several_documents())


@check("test_fit_merges", points=0.5)
def form_of_the_rules(fit_merges):
    """The answer is a list of rules ((a, b), new_id) in the order learnt, with the ids 258, 259 and so on."""
    agree(fit_merges, right_rules, [(["ab1ab2ab3"], 1), (["xy1xy2xy3xy4ab5ab6ab7"], 2)])


@check("test_fit_merges", points=0.5)
def max_merges_refused(fit_merges):
    """A max_merges that is no int of at least 0 is refused with a ValueError that names it; True is no int here."""
    refuses(fit_merges, (["abab"], 1), [(["abab"], value) for value in NOT_COUNTS], naming="max_merges")


@check("test_fit_merges", points=0.5)
def documents_are_only_read(fit_merges):
    """The documents may come from an iterator, which can be read only once; a list of them is left as it was."""
    fits(fit_merges, [(Stream(("ab1ab2ab3",)), 1), (Stream(("ab1", "ab2", "", "ab3")), 1)])
    unchanged(fit_merges, [(["ab1ab2ab"], 1), (["cd", "ab1", "ab"], 1), (["", "b", "a"], 1)])


@check("test_fit_merges", points=0.5, secret=True)
def whole_texts(fit_merges, seeded: random.Random):
    """On longer texts, with runs, ties and several scripts, all rules are those of the naive version."""
    known = ["ababa", "aaabab", "aaaababab", "aaaaaa", "baabaab", "aaabdaaabac", "bbbaaaddddcccc", "DCBBABCDCBABCD"]
    fits(fit_merges, [
        *(([text], rounds) for text in known for rounds in (1, 2, 3)),
        *((tied_documents(seeded), 12) for _ in range(3)),
        *((random_documents(seeded, 5, 120, LETTERS), 60) for _ in range(4)),
        ([random_text(seeded, 400, "ab")], 60), (["a" * 700 + "b" + "a" * 330], 12),
        ([*NASTY_TEXTS, random_text(seeded, 80, "éаb안🌍")], 40),
        ([random_text(seeded, 2_000, LETTERS)], 80),
    ])


@check("test_fit_merges", points=1, secret=True)
def work_follows_the_changes(fit_merges, naive_fit_merges, seeded: random.Random):
    """A merge takes as long in a text ten times as long: work goes into the places that change, not into the rest."""

    def ask(text: str) -> Callable[[int], tuple]:
        return lambda merges: ([text], merges)

    (short, few), (long, _), (text, words) = (cost.text_for_ids(seeded, *size) for size in cost.IDS)
    cost.steps_in_long_text(fit_merges, ask(short), ask(long), 1, len(few), len(long))
    value = cost.time_of_many(fit_merges, naive_fit_merges, ask(text), 2, len(words))
    learnt = sorted(by_rank(value)[: len(words)]) if isinstance(value, list | tuple) and all_rules(value) else value
    if learnt != sorted(tuple(word.encode()) for word in words):
        fail(call="fit_merges on a long text", expected=f"the {len(words)} frequent pairs", got="other rules")


def all_rules(value: object) -> bool:
    try:
        by_rank(value)
    except WrongType:
        return False
    return True


# --- train_bpe -----------------------------------------------------------------------------------------------------

largest_count = check("test_train_bpe", points=0.5)(r2_training.largest_count)
pretoken_numbers = check("test_train_bpe", points=0.5)(r2_training.pretoken_numbers)
ties_to_the_greatest = check("test_train_bpe", points=0.5)(r2_training.ties)
ties_among_merged = check("test_train_bpe", points=0.5)(r2_training.ties_among_merged)
ties_among_bytes = check("test_train_bpe", points=0.5)(r2_training.ties_among_bytes)
later_rounds = check("test_train_bpe", points=1)(r2_training.later_rounds)


@check("test_train_bpe", points=0.5)
def numbers_in_later_rounds(train_bpe):
    """A pair that is born in a later round counts as often as the pre-tokens that hold it, too."""
    r2_training.merges_agree(train_bpe, [
        r2_training.corpus("abc\nabc\nabc\nab\nde\nde", 2), r2_training.corpus("cab\ncab\ncab\nab\nde\nde", 2),
        r2_training.corpus("abab\nabab\nabab\nde\nde", 2), r2_training.corpus("xyz\nxyz\nxyz\nxyw\npq\npq", 3),
    ])


runs_in_pretokens = check("test_train_bpe", points=1)(r2_training.runs)
single_places = check("test_train_bpe", points=0.5)(r2_training.single_places)
pairs_run_out = check("test_train_bpe", points=0.5)(r2_training.pairs_run_out)
special_tokens_unchanged = check("test_train_bpe", points=0.5)(r2_training.special_tokens_unchanged)
vocab_size_refused = check("test_train_bpe", points=0.5)(r2_training.vocab_size_refused)


@check("test_train_bpe", points=0.5)
def numbering(train_bpe):
    """Ids are in order: the 256 bytes by value, the special tokens in the order given, then as many merges as asked."""
    r2_training.numbering(train_bpe)
    r2_training.as_many_as_asked(train_bpe)


whole_files = check("test_train_bpe", points=0.5, secret=True)(r2_training.whole_files)


@check("test_train_bpe", points=0.5, secret=True)
def work_follows_the_changes_r2(train_bpe, naive_train_bpe, seeded: random.Random):
    """A merge takes as long among ten times as many pre-tokens: work goes into those that change, not into the rest."""

    def ask(text: str) -> Callable[[int], tuple]:
        return lambda merges: r2_training.corpus(text, merges)

    (short, few), (long, _), (text, words) = (cost.text_for_pretokens(seeded, *size) for size in cost.PRETOKENS)
    cost.steps_in_long_text(train_bpe, ask(short), ask(long), 1, len(few), len(long))
    value = cost.time_of_many(train_bpe, naive_train_bpe, ask(text), 2, len(words))
    try:
        merges = r2_training.merges_of(value)
    except WrongType as error:
        fail(str(error), call="train_bpe on a long file", expected="(vocab, merges)", got=type_name(value))
    if sorted(b"".join(pair).decode("latin-1") for pair in merges[: len(words)]) != sorted(words):
        fail(call="train_bpe on a long file", expected=f"the {len(words)} frequent pairs", got="other merges")


# --- fitted_slope --------------------------------------------------------------------------------------------------


def rounded(value: object) -> object:
    """A float up to rounding; an int is no float."""
    if type(value) is not float:
        raise WrongType(f"The answer must be a float, not a {type_name(value)}.")
    return round(value, 6) + 0.0


@check("test_fitted_slope", points=1)
def powers(fitted_slope):
    """For y = c * x**k the slope is k, whatever c is and however x is spaced."""
    xs = ([1, 2], [10, 20, 40], [1, 10, 100, 1000], [3, 5, 6, 50])
    agree(fitted_slope, growth.fitted_slope, (
        (x, [c * one**k for one in x]) for x in xs for k in (1, 2, 0, 0.5, -1) for c in (1, 3, 0.001)
    ), normal=rounded)


@check("test_fitted_slope", points=0.5, secret=True)
def noisy_points(fitted_slope, seeded: random.Random):
    """For points that lie on no line, the fit is that of least squares on the logarithms."""
    agree(fitted_slope, growth.fitted_slope, [
        (x, [one**seeded.uniform(0.5, 2) * seeded.uniform(0.5, 2) for one in x])
        for x in [sorted(seeded.sample(range(1, 10_000), size)) for size in (3, 4, 5, 8, 12)]
    ], normal=rounded)


@check("test_fitted_slope", points=0.5)
def no_slope(fitted_slope):
    """Fewer than two points, and values that are not above 0, are refused with a ValueError."""
    refuses(fitted_slope, ([1, 2], [1, 2]), [
        ([1], [1]), ([], []), ([1, 2], [0, 1]), ([0, 2], [1, 1]), ([1, 2], [1, -1]), ([-2, 2], [1, 1]),
    ])


@check("test_fitted_slope", points=0.5)
def points_unchanged(fitted_slope):
    """The lists x and y are left as they were."""
    calls = [([1, 2], [3, 12]), ([10, 20, 40], [3, 12, 48]), ([4, 1, 2], [2.0, 8.0, 4.0])]
    unchanged(fitted_slope, calls, growth.fitted_slope)


# --- plot_growth ---------------------------------------------------------------------------------------------------

MEASURED = {"naive": [0.1, 0.2, 0.4, 0.8], "incremental": [0.05, 0.07, 0.1, 0.14]}
PLOTTED = ([100, 200, 400, 800], MEASURED, "merges (number)")
MORE_PLOTTED = [PLOTTED, ([1, 2], {"only": [1.0, 4.0]}, "size (bytes)")]


def plot_answer(plot_growth: StudentFunction, args: tuple) -> tuple[Frame, Figure, str]:
    return figures.answer(plot_growth, args, {"x": args[0], **args[1]})


@check("test_plot_growth", points=0.5)
def table_of_seconds(plot_growth):
    """The table has the column x and one column for each series, in this order, with the numbers given."""
    for args in MORE_PLOTTED:
        frame, _, call = plot_answer(plot_growth, args)
        wanted = {"x": args[0], **args[1]}
        if list(frame.columns) != list(wanted):
            fail(call=call, expected=f"columns {list(wanted)}", got=f"columns {list(frame.columns)}")
        for name, values in wanted.items():
            figures.column(frame, call, name, values)


@check("test_plot_growth", points=0.5)
def figure_shows_the_table(plot_growth):
    """Each series is drawn over x, just as given."""
    for args in MORE_PLOTTED:
        _, figure, call = plot_answer(plot_growth, args)
        for name, values in args[1].items():
            figures.plots(figure, call, args[0], values, name)


@check("test_plot_growth", points=0.5)
def logarithmic_axes(plot_growth):
    """Both axes are logarithmic."""
    _, figure, call = plot_answer(plot_growth, PLOTTED)
    for axes in figure.axes:
        if (axes["xscale"], axes["yscale"]) != ("log", "log"):
            fail(call=call, expected="log and log", got=f"{axes['xscale']} and {axes['yscale']}")


@check("test_plot_growth", points=1)
def slopes_in_the_legend(plot_growth):
    """The legend names each series with its fitted slope, two decimals."""
    for args in MORE_PLOTTED:
        _, figure, call = plot_answer(plot_growth, args)
        wanted = [f"{name}, slope {growth.fitted_slope(args[0], values):.2f}" for name, values in args[1].items()]
        given = [text for axes in figure.axes for text in axes["legend"]]
        if given != wanted:
            fail(call=call, expected=wanted, got=given)


@check("test_plot_growth", points=0.5)
def figure_is_labelled(plot_growth):
    """The figure has a title, both axis labels (the x label as given) and a legend."""
    for args in MORE_PLOTTED:
        _, figure, call = plot_answer(plot_growth, args)
        figures.labelled(figure, call)
        if any(axes["xlabel"] != args[2] for axes in figure.axes):
            fail(call=call, expected=args[2], got=[axes["xlabel"] for axes in figure.axes])


@check("test_plot_growth", points=0.5)
def plotted_numbers_unchanged(plot_growth):
    """The list x, the dictionary of series and each list in it are left as they were."""
    for args in MORE_PLOTTED:
        figures.arguments_stay(plot_growth, [args], ("x", *args[1]))
