"""Chapter 3's checks meet answers of every odd kind without a fault of their own, and are worth what the cells say."""

import nbformat
import pytest
from inprocess import grade
from test_catalogue import ROOT, solution_cells, source_with

from autograder.checks.runner import chapter_checks

CHAPTER = "03_naive_bpe"
VALUES = {"predict_abab_acac", "tie_example"}
ODD = {
    "none": "None", "number": "3", "text": "'x'", "nested": "[None]", "rules": "[((97, None), 258), 3, ((1, 2), [])]",
    "dictionary": "{}", "keys": "{'rules': None, 'sequences': 3, 'tokens': [], 'vocabulary': True, (1, 2): {}}",
    "generator": "(i for i in range(3))", "object": "object()", "error": "1 / 0",
    "self": "(lambda a: a.append(a) or a)([])",
    "frame": "pd.DataFrame({'rank': [None], 'pair': [object()], 'count': ['x'], 3: [1]})",
    "frames": "(pd.DataFrame({n: [None] for n in ('merges', 'tokens', 'ratio', 'read')}), plt.figure())",
    "surrogate": "'\\ud800' * 3", "huge": "10 ** 5000",
}
CHANGES_NOTHING = {"sequences_unchanged", "ids_unchanged", "counts_unchanged", "documents_unchanged"}


@pytest.fixture(autouse=True)
def chapter_folder(monkeypatch):
    monkeypatch.chdir(ROOT / "solutions" / CHAPTER)


@pytest.mark.parametrize("odd", ODD)
def test_odd_answers_fail_and_break_nothing(odd, tmp_path):
    source = solution_cells(CHAPTER)[""]
    for cell, checks in chapter_checks(CHAPTER).items():
        name = cell.removeprefix("test_")
        is_value = name in VALUES and odd != "error"
        body = f"{name} = {ODD[odd]}" if is_value else f"def {name}(*a): return {ODD[odd]}"
        results, _ = grade(CHAPTER, cell, f"{source}\n{body}\n", str(tmp_path))
        assert len(results) == len(checks)
        # A function that does nothing changes nothing, and these checks ask for just that.
        assert {result.name for result in results if result.status == "passed"} <= CHANGES_NOTHING


# What a first correct call must not lend to the next one.
STATEFUL = {
    "count_pairs": """
def count_pairs(sequences, counts={}):
    for ids in sequences:
        for pair in zip(ids, ids[1:]):
            counts[pair] = counts.get(pair, 0) + 1
    return counts
""",
    "fit_merges": """
rows = []
def fit_merges(documents, max_merges):
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges")
    rows.extend(list(text.encode("utf-8")) for text in documents)
    current, merges = rows, []
    for new_id in range(258, 258 + max_merges):
        counts = count_pairs(current)
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, new_id))
        current = [merge_pair(ids, pair, new_id) for ids in current]
    return merges
""",
}


@pytest.mark.parametrize("name", STATEFUL)
def test_state_kept_between_calls_is_found(name, tmp_path):
    results, _ = grade(CHAPTER, f"test_{name}", source_with(CHAPTER, name, STATEFUL[name]), str(tmp_path))
    assert sum(result.status == "failed" for result in results) >= 3


def test_points_in_cells_and_text_are_those_of_the_checks():
    checks = chapter_checks(CHAPTER)
    total = 0
    notebook = nbformat.read(ROOT / "solutions" / CHAPTER / "naive_bpe.ipynb", as_version=4)
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
