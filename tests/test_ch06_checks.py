"""Chapter 6's checks meet odd answers without a fault of their own, find what is slow or shared, and add up."""

import inspect

import nbformat
import pytest
from inprocess import failing, grade
from test_catalogue import ROOT, solution_cells, source_with

from autograder.checks.runner import chapter_checks
from autograder.reference import pair_index

CHAPTER = "06_incremental_bpe"
ODD = {
    "none": "None", "number": "3", "text": "'x'", "nested": "[None]", "rules": "[((97, None), 258), 3, ((1, 2), [])]",
    "dictionary": "{}", "generator": "(i for i in range(3))", "object": "object()", "error": "1 / 0",
    "parts": "({1: None, 'x': b''}, [(b'a', 3), None])", "surrogate": "'\\ud800' * 3", "nan": "float('nan')",
}
HARMLESS = {"documents_are_only_read", "places_are_a_copy", "nothing_recorded"}

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
]


@pytest.fixture(autouse=True)
def chapter_folder(monkeypatch):
    monkeypatch.chdir(ROOT / "solutions" / CHAPTER)


@pytest.mark.parametrize("odd", ODD)
def test_odd_answers_fail_and_break_nothing(odd, tmp_path):
    source = solution_cells(CHAPTER)[""]
    for cell, checks in chapter_checks(CHAPTER).items():
        name = cell.removeprefix("test_")
        body = f"def {name}(*a, **k): return {ODD[odd]}"
        if name == "PairIndex":
            methods = ("add", "remove", "count", "places", "most_frequent")
            body = f"class {name}:\n" + "".join(f"    def {m}(self, *a): return {ODD[odd]}\n" for m in methods)
        elif name == "formula_fails" and odd != "error":
            body = f"{name} = {ODD[odd]}"
        results, _ = grade(CHAPTER, cell, f"{source}\n{body}\n", str(tmp_path))
        assert len(results) == len(checks)
        assert {result.name for result in results if result.status == "passed"} <= HARMLESS


@pytest.mark.parametrize(("exercise", "caught_by", "answer"), UNNAMED, ids=range(len(UNNAMED)))
def test_what_is_slow_or_shared_is_found(exercise, caught_by, answer, tmp_path):
    results, _ = grade(CHAPTER, f"test_{exercise}", source_with(CHAPTER, exercise, answer), str(tmp_path))
    assert caught_by in failing(results)


def test_the_tape_of_the_notebook_is_the_reference():
    given = solution_cells(CHAPTER)[""]
    for name in ("pair_at", "pairs", "join"):
        assert inspect.getsource(getattr(pair_index.Tape, name)) in given


def test_points_in_cells_and_text_are_those_of_the_checks():
    checks = chapter_checks(CHAPTER)
    total = 0
    notebook = nbformat.read(ROOT / "solutions" / CHAPTER / "incremental_bpe.ipynb", as_version=4)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    for cell in notebook.cells:
        grading = cell.metadata.get("nbgrader", {})
        if grading.get("grade"):
            total += grading["points"]
            if cell.cell_type == "code":
                assert grading["points"] == sum(one.points for one in checks[grading["grade_id"]]), grading["grade_id"]
                name = grading["grade_id"].removeprefix("test_")
                assert f"`{name}` ({grading['points']} point" in text, name
    assert total == 40
