"""Chapter 7's checks: odd answers of methods, and slow versions."""

import pytest
from inprocess import failing, grade
from test_catalogue import ROOT, solution_cells, source_with

CHAPTER = "07_tokenizer"
ODD = {
    "none": "None", "number": "3", "nested": "[None, [[]], {1: [b'']}]", "object": "object()",
    "generator": "(i for i in range(3))", "pair": "(pd.DataFrame({'encoder': [None]}), plt.figure())",
    "error": "1 / 0", "self": "(lambda a: a.append(a) or a)([])", "surrogate": "'\\ud800'",
}
CHANGES_NOTHING = {"ranks_unchanged", "tokens_unchanged", "arguments_unchanged"}  # of a result of the right type
METHODS = ("encode", "decode", "encode_iterable", "from_files")


@pytest.fixture(autouse=True)
def chapter_folder(monkeypatch):
    monkeypatch.chdir(ROOT / "solutions" / CHAPTER)


@pytest.mark.parametrize("odd", ODD)
def test_odd_answers_of_methods_fail_and_break_nothing(odd):
    methods = "\n".join(f"    def {name}(self, *a, **k): return {ODD[odd]}" for name in METHODS)
    body = f"class Tokenizer:\n    def __init__(self, *a): pass\n{methods}\n"
    results, _ = grade(CHAPTER, "test_Tokenizer", f"{solution_cells(CHAPTER)['']}\n{body}")
    assert {result.name for result in results if result.status == "passed"} <= CHANGES_NOTHING


QUADRATIC = """
def bpe_encode(piece, ranks):
    tokens = [piece[i : i + 1] for i in range(len(piece))]
    while True:
        found = [(ranks[pair], i) for i, pair in enumerate(zip(tokens, tokens[1:])) if pair in ranks]
        if not found:
            return tokens
        i = min(found)[1]
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
"""


def test_the_plain_version_loses_the_points_for_long_pieces_only():
    results, _ = grade(CHAPTER, "test_bpe_encode", source_with(CHAPTER, "bpe_encode", QUADRATIC))
    assert failing(results) == {"long_runs", "long_pieces_without_pattern"}
