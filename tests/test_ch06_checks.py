"""Chapter 6's checks find what is slow or shared, and a busy machine fails no right answer."""

import inspect
import random
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import pytest
from inprocess import failing, grade
from test_catalogue import ROOT, solution_cells, source_with

from autograder.checks import ch06_cost as cost
from autograder.checks.api import Failed
from autograder.checks.outcomes import Returned
from autograder.reference import pair_index
from autograder.sandbox.inside.snapshot import Server
from autograder.sandbox.inside.wire import Counted

CHAPTER = "06_incremental_bpe"
# Right answers at the wrong cost, or from state that is shared: no single answer tells them, so no misconception can
# be named; each must fail the check that is meant for it.
UNNAMED = [
    ("PairIndex", "added_places_count", """
class PairIndex:
    w = {}

    def add(self, pair, place, weight=1):
        self.w.setdefault(pair, {}).setdefault(place, weight)

    def remove(self, pair, place):
        self.w.get(pair, {}).pop(place, None)

    def count(self, pair):
        return sum(self.w.get(pair, {}).values())

    def places(self, pair):
        return sorted(self.w.get(pair, {}))
"""),
    ("PairIndex", "many_places", """
class PairIndex:
    def __init__(self):
        self.w, self.n = {}, {}

    def add(self, pair, place, weight=1):
        places = self.w.setdefault(pair, [])
        if place not in places:
            places.append(place)
            self.n[pair, place] = weight

    def remove(self, pair, place):
        if place in self.w.get(pair, []):
            self.w[pair].remove(place)

    def count(self, pair):
        return sum(self.n[pair, place] for place in self.w.get(pair, []))

    def places(self, pair):
        return sorted(self.w.get(pair, []))
"""),
    ("PairIndex", "many_places", """
class PairIndex:
    def __init__(self):
        self.w = {}

    def add(self, pair, place, weight=1):
        self.w.setdefault(pair, {}).setdefault(place, weight)

    def remove(self, pair, place):
        self.w.get(pair, {}).pop(place, None)

    def count(self, pair):
        return sum(self.w.get(pair, {}).values())

    def places(self, pair):
        return sorted(self.w.get(pair, {}))
"""),
    ("PairIndex", "places_are_a_copy", """
class PairIndex:
    def __init__(self):
        self.w, self.n = {}, {}

    def add(self, pair, place, weight=1):
        import bisect
        places = self.w.setdefault(pair, [])
        at = bisect.bisect_left(places, place)
        if places[at : at + 1] != [place]:
            places.insert(at, place)
            self.n[pair, place] = weight

    def remove(self, pair, place):
        import bisect
        places = self.w.get(pair, [])
        at = bisect.bisect_left(places, place)
        if places[at : at + 1] == [place]:
            del places[at]

    def count(self, pair):
        return sum(self.n[pair, place] for place in self.w.get(pair, []))

    def places(self, pair):
        return self.w.setdefault(pair, [])
"""),
    ("fit_merges", "work_follows_the_changes", """
def fit_merges(documents, max_merges):
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    rows, merges = [list(text.encode("utf-8")) for text in documents], []
    for new_id in range(258, 258 + max_merges):
        counts = {}
        for ids in rows:
            for pair in pairwise(ids):
                counts[pair] = counts.get(pair, 0) + 1
        pair = min(counts, key=lambda p: (-counts[p], p), default=None)
        if pair is None or counts[pair] < 2:
            break
        merges.append((pair, new_id))
        rows = [merge_pair(ids, pair, new_id) for ids in rows]
    return merges
"""),
    ("fit_merges", "work_follows_the_changes", """
def fit_merges(documents, max_merges):
    # all in C, no line of Python for a letter: only the time tells
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    text, merges = "\\U0010ffff".join(text.encode().decode("latin-1") for text in documents), []
    for new_id in range(258, 258 + max_merges):
        counts = Counter(pairwise(text))
        counts = {p: n for p, n in counts.items() if "\\U0010ffff" not in p}
        pair = min(counts, key=lambda p: (-counts[p], p), default=None)
        if pair is None or counts[pair] < 2:
            break
        merges.append(((ord(pair[0]), ord(pair[1])), new_id))
        text = text.replace(pair[0] + pair[1], chr(new_id))
    return merges
"""),
    ("train_bpe", "work_follows_the_changes_r2", """
def train_bpe(input_path, vocab_size, special_tokens):
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size is too small")
    words, merges = count_pretokens(input_path, special_tokens), []
    while len(merges) < room:
        counts = {}
        for word, number in words.items():
            for pair in pairwise(word):
                counts[pair] = counts.get(pair, 0) + number
        if not counts:
            break
        pair = max(counts, key=lambda p: (counts[p], p))
        merges.append(pair)
        words = {tuple(merge_pair(word, pair, pair[0] + pair[1])): number for word, number in words.items()}
    return number_vocabulary(special_tokens, merges), merges
"""),
    ("train_bpe", "work_follows_the_changes_r2", """
def train_bpe(input_path, vocab_size, special_tokens):
    # counts are kept, but each merge looks for its pair in every pre-token
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size is too small")
    numbers = count_pretokens(input_path, special_tokens)
    words, counts, merges = {key: list(key) for key in numbers}, Counter(), []
    for key, word in words.items():
        for pair in pairwise(word):
            counts[pair] += numbers[key]
    while len(merges) < room and (counts := +counts):
        best = max(counts, key=lambda p: (counts[p], p))
        merges.append(best)
        for key, word in words.items():
            if best in pairwise(word):
                for pair in pairwise(word):
                    counts[pair] -= numbers[key]
                words[key] = merge_pair(word, best, best[0] + best[1])
                for pair in pairwise(words[key]):
                    counts[pair] += numbers[key]
    return number_vocabulary(special_tokens, merges), merges
"""),
]


@pytest.fixture(autouse=True)
def chapter_folder(monkeypatch):
    monkeypatch.chdir(ROOT / "solutions" / CHAPTER)


@pytest.mark.parametrize(("exercise", "caught_by", "answer"), UNNAMED, ids=range(len(UNNAMED)))
def test_what_is_slow_or_shared_is_found(exercise, caught_by, answer):
    results, _ = grade(CHAPTER, f"test_{exercise}", source_with(CHAPTER, exercise, answer))
    assert caught_by in failing(results)


def test_the_tape_of_the_notebook_is_the_reference():
    given = solution_cells(CHAPTER)[""]
    for name in ("pair_at", "pairs", "join"):
        assert inspect.getsource(getattr(pair_index.Tape, name)) in given


# --- cost ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [cost.text_for_ids, cost.text_for_pretokens])
def test_the_words_of_a_text_stand_out_and_its_long_form_is_ten_times_as_long(make):
    """No tie and no order of equals matters: every other pair counts less than each of the words."""
    sizes = cost.IDS if make is cost.text_for_ids else cost.PRETOKENS
    seeded = random.Random(8)
    lengths = []
    for number, copies, rest in sizes:
        text, words = make(seeded, number, copies, rest)
        counts = Counter(a + b for line in text.split("\n") for a, b in pairwise(line))
        assert {counts.pop(word) for word in words} == {copies}
        assert len(words) == number
        assert max(counts.values()) < copies
        lengths.append(len(text))
    assert 9 < lengths[1] / lengths[0] < 11


def steps_of(function, *args):
    server = Server({"f": function})
    return server.call(["f"], list(args), {}, {"steps": True})[-1]


def test_steps_are_the_lines_that_run_and_what_c_code_does_with_counted_places():
    def loop(times):
        for _ in range(times):
            pass

    some = [steps_of(loop, times) for times in (10, 20, 30)]
    assert some[2] - some[1] == some[1] - some[0] >= 10
    assert some == [steps_of(loop, times) for times in (10, 20, 30)]
    plain = list(range(1_000))
    counted = [Server({}).make(Counted(place))[0] for place in plain]
    absent, known = Server({}).make(Counted(-1))[0], set(counted)
    assert steps_of(lambda: -1 in plain) < 100
    assert steps_of(lambda: absent in counted) > 1_000
    assert steps_of(lambda: absent in known) < 100


class Noisy:
    """A trainer with given CPU times by number of merges; load makes each measurement up to three times as long."""

    def __init__(self, name, seconds, seeded):
        self.name, self.seconds, self.seeded = name, seconds, seeded

    def outcomes(self, calls, **_):
        return [Returned("learnt", seconds=self.seconds[merges] * self.seeded.uniform(1, 3)) for (merges,) in calls]


# Times measured on an idle machine for 2 and for 130 merges: the naive trainer, the slowest of the right ones by each
# of the two measures, one that recounts all in C.
@pytest.mark.parametrize(("few", "many", "right"), [
    (0.05, 0.22, True), (0.016, 0.096, True), (0.69, 1.29, True), (0.16, 0.65, True),
    (0.035, 1.7, False), (0.015, 0.86, False),
])
def test_load_neither_fails_a_right_trainer_nor_passes_one_that_recounts(few, many, right):
    seeded = random.Random(6)
    naive = Noisy("naive", {2: 0.033}, seeded)
    for _ in range(300):
        student = Noisy("student", {2: few, 130: many}, seeded)
        try:
            cost.time_of_many(student, naive, lambda merges: (merges,), 2, 130)
            passed = True
        except Failed:
            passed = False
        assert passed is right


@pytest.mark.slow
@pytest.mark.parametrize("exercise", ["PairIndex", "fit_merges", "train_bpe"])
def test_right_answers_pass_while_the_machine_is_busy(exercise):
    source = source_with(CHAPTER, "", solution_cells(CHAPTER)[""])
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
    try:
        for _ in range(2):
            assert failing(grade(CHAPTER, f"test_{exercise}", source)[0]) == set()
    finally:
        for process in busy:
            process.kill()
            process.wait()
