"""Every chapter's checks meet answers of every odd kind: they fail, and no check breaks."""

import ast

import pytest
from inprocess import grade
from test_catalogue import CELLS, ROOT, solution_cells

from autograder.checks.runner import chapter_checks

# Answers of no exercise. Each cell meets a few of them, each of them meets many cells.
ODD = {
    "none": "None", "number": "3", "text": "'x'", "surrogate": "'\\ud800' * 3", "huge": "10 ** 5000",
    "nested": "[None, [[]], {1: [b'']}]", "self": "(lambda a: a.append(a) or a)([])", "object": "object()",
    "generator": "(i for i in range(3))", "pair": "(1, 2)", "dictionary": "{(1, (2,)): None, None: [1]}",
    "frame": "pd.DataFrame({'rank': [None], 'pair': [object()], 3: [1]})", "error": "1 / 0", "nan": "float('nan')",
    "figure": "(pd.DataFrame({'encoder': [None]}), plt.figure())",
}  # fmt: skip
# Answers that have a chapter's shapes and are wrong inside; every cell of it meets them, figures where it draws.
SHAPED = {
    "03_naive_bpe": [
        "[((97, None), 258), 3, ((1, 2), [])]",
        "{'rules': None, 'sequences': 3, 'tokens': [], 'vocabulary': True, (1, 2): {}}",
        "(pd.DataFrame({n: [None] for n in ('merges', 'tokens', 'ratio', 'read')}), plt.figure())",
    ],
    "04_byte_bpe": ["{'merges': 3, 'encoded': None, (1, 2): {}}"],
    "05_pretokenized_bpe": [
        "({1: 'a', (2,): b'', None: [1]}, [(b'a', 3), 3, None])", "({0: b'a'}, [(b'a', b'b', b'c')])",
        "(pd.DataFrame({n: [None] for n in ('pretoken', 'count', 'cut', 'vocab_size', 'ratio')}), plt.figure())",
    ],
    "06_incremental_bpe": [
        "[((97, None), 258), 3, ((1, 2), [])]", "({1: None, 'x': b''}, [(b'a', 3), None])",
        "type('Index', (), dict.fromkeys(('add', 'remove', 'count', 'places', 'most_frequent'), lambda *a: [None]))()",
    ],
    "08_experiments": [
        "pd.DataFrame({n: [None, 'x'] for n in ('asked', 'vocab_size', 'split', 'bytes', 'tokens', 'ratio', 'tax',"
        " 'language', 'script', 'languages', 'lowest', 'median', 'highest', 'rule_set', 'merges', 'same_place')})",
        "(pd.DataFrame({n: [None, 'x'] for n in ('vocab_size', 'split', 'ratio', 'gap', 'language', 'tokenizer', 'tax',"
        " 'rule_set', 'merges', 'in_place', 'shared', 'recipe', 'processes', 'distinct', 'text', 'bytes', 'share',"
        " 'model')}), plt.figure())",
    ],
}  # fmt: skip
# Any number is a prediction of a percentage, or of how many rules two lists share.
ANY_NUMBER = {"gap_in_percent", "number_of_rules", "share_in_percent"}
EACH = 2


def is_value(chapter: str, name: str) -> bool:
    tree = ast.parse(solution_cells(chapter)[name])
    return not any(isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name for node in tree.body)


def odd_answers(chapter: str, cell: str) -> list[str]:
    place = EACH * list(chapter_checks(chapter)).index(cell)
    names = list(ODD)
    shaped = [one for one in SHAPED.get(chapter, []) if "figure" not in one or "plot" in cell]
    return shaped + [ODD[names[(place + step) % len(names)]] for step in range(EACH)]


@pytest.mark.parametrize(("chapter", "cell"), CELLS)
def test_odd_answers_fail_and_break_nothing(chapter, cell, monkeypatch):
    monkeypatch.chdir(ROOT / "solutions" / chapter)
    name = cell.removeprefix("test_")
    for answer in odd_answers(chapter, cell):
        value = is_value(chapter, name) and "/" not in answer
        body = f"{name} = {answer}" if value else f"def {name}(*a, **k): return {answer}"
        source = f"import pandas as pd\nimport matplotlib.pyplot as plt\n{solution_cells(chapter)['']}\n{body}\n"
        results, _ = grade(chapter, cell, source)
        assert len(results) == len(chapter_checks(chapter)[cell])
        assert [result.message for result in results if result.needs_person] == [], answer
        assert {result.name for result in results if result.status == "passed"} <= ANY_NUMBER, answer
