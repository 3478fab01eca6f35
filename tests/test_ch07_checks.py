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
# These ask for no more than a result of the right type.
CHANGES_NOTHING = {"arguments_unchanged", "decode_leaves_its_list", "stream_leaves_its_list"}
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


# What looks at all pairs for each merge: in Python, in C code (`min`, `index`), and with answers kept for later calls.
QUADRATIC = {
    "plain": """
def bpe_encode(piece, ranks):
    tokens = [piece[i : i + 1] for i in range(len(piece))]
    while True:
        found = [(ranks[pair], i) for i, pair in enumerate(zip(tokens, tokens[1:])) if pair in ranks]
        if not found:
            return tokens
        i = min(found)[1]
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
""",
    "ranks kept": """
def bpe_encode(piece, ranks):
    tokens, none = [piece[i : i + 1] for i in range(len(piece))], float("inf")
    found = [ranks.get(pair, none) for pair in itertools.pairwise(tokens)]
    while found and (best := min(found)) < none:
        i = found.index(best)
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
        del found[i]
        for j in (i - 1, i):
            if 0 <= j < len(found):
                found[j] = ranks.get((tokens[j], tokens[j + 1]), none)
    return tokens
""",
    "answers kept": """
KNOWN = {}
def bpe_encode(piece, ranks):
    key = piece, tuple(ranks.items())
    if key not in KNOWN:
        tokens = [piece[i : i + 1] for i in range(len(piece))]
        while True:
            found = [(ranks[pair], i) for i, pair in enumerate(zip(tokens, tokens[1:])) if pair in ranks]
            if not found:
                break
            i = min(found)[1]
            tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
        KNOWN[key] = tokens
    return list(KNOWN[key])
""",
}


@pytest.mark.parametrize("source", QUADRATIC.values(), ids=QUADRATIC)
def test_a_quadratic_version_loses_the_points_for_long_pieces_only(source):
    results, _ = grade(CHAPTER, "test_bpe_encode", source_with(CHAPTER, "bpe_encode", source))
    assert failing(results) == {"long_runs", "long_pieces_without_pattern"}
