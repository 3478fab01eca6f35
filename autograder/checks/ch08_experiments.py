"""Hidden checks of chapter 8: what is measured in six experiments, and how it is shown.

Measuring and drawing are asked for apart: functions that draw get small measurements made up here, so that a mistake in
one exercise does not show in the next.
"""

import functools
import itertools
import os
from collections.abc import Callable, Sequence

from autograder.checks import ch08_inputs as inputs
from autograder.checks import figures
from autograder.checks.api import Failed, agree, check, fail, refuses, unchanged
from autograder.checks.outcomes import Returned
from autograder.checks.session import StudentFunction
from autograder.checks.show import show_outcome
from autograder.checks.tables import agree_in, plain_number
from autograder.reference import experiments as reference

# As in the sandbox: catalogued versions are asked here what they print of it.
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

# --- predictions ---------------------------------------------------------------------------------------------------

FORM = "a prediction in this form"  # any counts: it is made before the result is known


def predicted(exercise: StudentFunction, asked: str, has_form: Callable[[object], bool]) -> None:
    value = exercise.value()
    exercise.note((), {}, Returned(FORM), Returned(value))
    if not has_form(value):
        fail(f"The prediction must be {asked}.", call=exercise.name, expected=asked, got=value)


def is_percentage(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value <= 100


def names_of(number: int, allowed: Sequence[str]) -> Callable[[object], bool]:
    """So many different names out of those allowed, as a list or a tuple."""
    return lambda value: (
        isinstance(value, list | tuple) and len(value) == number and all(name in allowed for name in value)
        and len(set(value)) == number
    )


@check("test_predict_gap", points=0.5)
def gap_in_percent(predict_gap):
    """The prediction is a number of percent from 0 to 100."""
    predicted(predict_gap, "a number from 0 to 100", is_percentage)


@check("test_predict_tax", points=0.5)
def three_languages(predict_tax):
    """The prediction names three different languages of LANGUAGES; English is what the others are compared with."""
    others = [language for language in inputs.LANGUAGES if language != "English"]
    predicted(predict_tax, "a list of three different names from LANGUAGES, without English", names_of(3, others))


@check("test_predict_ties", points=0.5)
def number_of_rules(predict_ties):
    """The prediction is a whole number of rules from 0 to 400."""
    predicted(predict_ties, "an int from 0 to 400", lambda value: type(value) is int and 0 <= value <= 400)


@check("test_predict_digests", points=0.5)
def yes_or_no_for_each_recipe(predict_digests):
    """The prediction says True or False for each of the four recipes."""
    predicted(
        predict_digests, f"a dict with the keys {list(inputs.RECIPES)} and the values True or False",
        lambda value: isinstance(value, dict) and set(value) == set(inputs.RECIPES)
        and set(map(type, value.values())) == {bool},
    )


@check("test_predict_windows", points=0.5)
def five_languages_in_order(predict_windows):
    """The prediction puts the five languages in order, each once."""
    predicted(predict_windows, f"a list of {list(inputs.WINDOWED)} in your order", names_of(5, inputs.WINDOWED))


@check("test_predict_budget", points=0.5)
def share_in_percent(predict_budget):
    """The prediction is a number of percent from 0 to 100."""
    predicted(predict_budget, "a number from 0 to 100", is_percentage)


# --- sweep ---------------------------------------------------------------------------------------------------------

SPLITS = [
    ({"train": ["abab abab"], "new": ["abab", "ab"]}, [256, 257, 258]),
    ({"new": ["xyz"], "train": ["xyxy xyxy xy"], "third": ["xy xy"]}, [258, 256]),
]


@check("test_sweep", points=0.5)
def rows_in_order(sweep):
    """There is a row for each size in the order given, and in it for each split in its order."""
    agree_in(["asked", "split"], sweep, reference.sweep, SPLITS)


@check("test_sweep", points=1)
def learns_from_train_only(sweep):
    """The tokenizer learns from the split train only: other splits leave the tokens of train as they are."""
    train = ["abab abab cdcd"]
    others = (["cdcd cdcd cdcd cd"], ["cd\n"] * 9)
    agree_in(["split", "tokens"], sweep, reference.sweep, [
        (splits, [size]) for other in others for size in (257, 258)
        for splits in ({"train": train, "new": other}, {"new": other, "train": train})
    ])


@check("test_sweep", points=0.5)
def counts_bytes_not_characters(sweep):
    """The column bytes holds UTF-8 bytes, and not characters."""
    agree_in(["bytes"], sweep, reference.sweep, [
        ({"train": ["é", "漢字", "a"], "new": [text, "b"]}, [256]) for text in ("é", "漢", "😀", "ab")
    ])


@check("test_sweep", points=0.5)
def each_text_by_itself(sweep):
    """Each text is encoded by itself, and the tokens are added up: no token reaches from one text into the next."""
    agree_in(["tokens"], sweep, reference.sweep, [
        ({"train": ["abab abab abab"], "new": ["a", "b", text]}, [258]) for text in ("a", "ab", "bab")
    ])


@check("test_sweep", points=0.5)
def ratio_of_sums(sweep):
    """The ratio is all bytes of the split divided by all its tokens, so that long texts count for more."""
    agree_in(["ratio"], sweep, reference.sweep, [
        ({"train": ["abababab\n", "c\n", "abab\n"], "new": ["c\n", text]}, [257]) for text in ("abab\n", "ababab\n")
    ])


@check("test_sweep", points=0.5)
def size_really_reached(sweep):
    """The column vocab_size holds the size that was reached, also where no pair was left before."""
    agree_in(["asked", "vocab_size"], sweep, reference.sweep, [
        ({"train": [text]}, [256, 257, 300]) for text in ("ab", "abab", "abab abab", "aaaa aaaa")
    ])


@check("test_sweep", points=0.5, secret=True)
def longer_texts(sweep, seeded):
    """On longer texts bytes, tokens and ratio are right for every size and split."""
    agree_in(["bytes", "tokens", "ratio"], sweep, reference.sweep, [
        (inputs.random_splits(seeded), [256, 280, 340]) for _ in range(2)
    ])


@check("test_sweep", points=0.5)
def splits_and_sizes_stay(sweep):
    """The splits, their lists of texts and the list of sizes are the same after the call."""
    unchanged(sweep, SPLITS, reference.sweep)


# --- plot_sweep ----------------------------------------------------------------------------------------------------


def swept(*rows: tuple[int, str, float]) -> tuple[list[dict]]:
    return ([{"vocab_size": size, "split": split, "ratio": ratio} for size, split, ratio in rows],)


SWEPT = [
    swept((512, "train", 2.0), (512, "new", 1.5), (1024, "train", 4.0), (1024, "new", 2.0)),
    swept(
        (300, "other", 1.5), (300, "train", 2.5), (300, "new", 2.0), (2000, "other", 1.75), (2000, "train", 4.0),
        (2000, "new", 3.0), (900, "other", 3.75), (900, "train", 3.0), (900, "new", 2.25),
    ),
]


def lines(exercise: StudentFunction, args: tuple, right: dict[str, list], by: str, x: str, y: str) -> None:
    """Each group of rows has a series of its own: column y over column x, from the smallest x to the largest."""
    _, figure, call = figures.answer(exercise, args, right)
    for name in dict.fromkeys(right[by]):
        points = sorted((a, b) for group, a, b in zip(right[by], right[x], right[y], strict=True) if group == name)
        figures.shows(figure, call, f"{y} of {name}", [a for a, _ in points], [b for _, b in points])


def tables(
    exercise: StudentFunction, cases: Sequence[tuple], right: Callable[..., dict[str, list]], names: Sequence[str] = ()
) -> None:
    """The DataFrame has these columns of the right table, or all of them, row by row."""
    for args in cases:
        wanted = right(*args)
        frame, _, call = figures.answer(exercise, args, wanted)
        for name in names or wanted:
            figures.column(frame, call, name, wanted[name])


def all_labelled(exercise: StudentFunction, args: tuple, right: dict[str, list]) -> None:
    _, figure, call = figures.answer(exercise, args, right)
    figures.labelled(figure, call)


@check("test_plot_sweep", points=1)
def gap_to_train(plot_sweep):
    """The column gap says by what share the ratio lies below that of train at the same vocabulary size."""
    tables(plot_sweep, SWEPT, reference.gaps, ["split", "gap"])


@check("test_plot_sweep", points=1)
def ratio_and_gap_are_drawn(plot_sweep):
    """One line for each split shows the ratio over the vocabulary size, and another one the gap."""
    for args, y in itertools.product(SWEPT, ("ratio", "gap")):
        lines(plot_sweep, args, reference.gaps(*args), "split", "vocab_size", y)


@check("test_plot_sweep", points=0.5)
def sweep_is_labelled(plot_sweep):
    """Each panel has a title and both axis labels, and the figure a legend."""
    all_labelled(plot_sweep, SWEPT[0], reference.gaps(*SWEPT[0]))


@check("test_plot_sweep", points=0.5)
def swept_rows_stay(plot_sweep):
    """The list of rows and each row in it are the same after the call."""
    figures.arguments_stay(plot_sweep, SWEPT, ("vocab_size", "split", "ratio", "gap"))


# --- token_tax -----------------------------------------------------------------------------------------------------

PARALLEL = [
    inputs.parallel(("English", "Latin", "peace", 2), ("Greek", "Greek", "ειρήνη", 6)),
    inputs.parallel(("Hindi", "Devanagari", "शान्ति", 9), ("English", "Latin", "peace", 3),
                    ("German", "Latin", "Frieden", 4)),
    inputs.parallel(("Polish", "Latin", "pokój", 4), ("English", "Latin", "peace\nfor all", 5),
                    ("Thai", "Thai", "สันติภาพ", 14), ("Spanish", "Latin", "paz", 1)),
]


@check("test_token_tax", points=1)
def bytes_and_tokens(token_tax):
    """The columns bytes and tokens hold the UTF-8 bytes of each text, and the ids of the text encoded as a whole."""
    ends = [inputs.parallel(("English", "Latin", f"peace{end}", 3), ("Greek", "Greek", "ειρήνη", 7)) for end in " \n"]
    agree_in(["language", "script", "bytes", "tokens"], token_tax, reference.token_tax, PARALLEL + ends, sort=True)


@check("test_token_tax", points=1)
def relative_to_english(token_tax):
    """The tax is the language's tokens divided by those of the English text, which says the same."""
    agree_in(["language", "tax"], token_tax, reference.token_tax, PARALLEL, sort=True)


@check("test_token_tax", points=0.5)
def relative_to_another_base(token_tax):
    """With another base its tokens take the place of the English ones."""
    rows = [("Greek", "Greek", "ειρήνη", 6), ("English", "Latin", "peace", 2), ("Thai", "Thai", "สันติภาพ", 12)]
    agree_in(["language", "tax"], token_tax, reference.token_tax, [
        inputs.parallel(*rows[:number], base=base) for number, base in ((2, "Greek"), (3, "Greek"), (3, "Thai"))
    ], sort=True)


@check("test_token_tax", points=0.5)
def lowest_tax_first(token_tax):
    """The rows go from the lowest tax to the highest, equal ones in the order of texts."""
    orders = itertools.permutations([("English", 4), ("German", 5), ("Hindi", 9), ("Thai", 9)])
    agree_in(["language"], token_tax, reference.token_tax, [
        inputs.parallel(*((language, "script", language.lower(), size) for language, size in order)) for order in orders
    ])


@check("test_token_tax", points=0.5)
def refuses_an_unknown_base(token_tax):
    """A base that is none of the languages raises ValueError naming base."""
    refuses(token_tax, PARALLEL[0], [(*args[:3], base) for args in PARALLEL for base in ("Klingon", "")], naming="base")


@check("test_token_tax", points=0.5, secret=True)
def drawn_texts(token_tax, seeded):
    """The whole table is right for other texts."""
    drawn = []
    for _ in range(8):
        names = seeded.sample(inputs.LANGUAGES, 6)
        texts = ["".join(seeded.choices("aé漢😀", k=seeded.randint(3, 12))) + str(place) for place in range(6)]
        rows = [
            (name, seeded.choice("XYZ"), text, seeded.randint(1, 40)) for name, text in zip(names, texts, strict=True)
        ]
        drawn.append(inputs.parallel(*rows, base=seeded.choice(names)))
    agree_in(["language", "script", "bytes", "tokens", "tax"], token_tax, reference.token_tax, drawn)


@check("test_token_tax", points=0.5)
def parallel_texts_stay(token_tax):
    """The dictionaries of texts and scripts, and the tokenizer, are the same after the call."""
    unchanged(token_tax, PARALLEL, reference.token_tax)


# --- tax_by_script -------------------------------------------------------------------------------------------------

TAXES = [
    inputs.taxes(("Latin", [1.0, 1.75, 1.25])),
    inputs.taxes(("Latin", [1.0, 4.0]), ("Greek", [2.25])),
    inputs.taxes(("Arabic", [3.0, 3.5]), ("Latin", [2.5, 1.0, 1.25, 1.5]), ("Han", [0.75, 0.875])),
    inputs.taxes(("X", [9.0, 1.0, 2.0]), ("Y", [3.0])),
]


@check("test_tax_by_script", points=0.5)
def numbers_and_ends(tax_by_script):
    """The columns languages, lowest and highest hold how many taxes the script has, its smallest and its largest."""
    agree_in(["script", "languages", "lowest", "highest"], tax_by_script, reference.tax_by_script, TAXES[:2])


@check("test_tax_by_script", points=0.5)
def median_of_the_script(tax_by_script):
    """The column median holds the middle tax, and of an even number the mean of the two in the middle."""
    agree_in(["script", "median"], tax_by_script, reference.tax_by_script, TAXES[:3])


@check("test_tax_by_script", points=0.5)
def lowest_median_first(tax_by_script):
    """The scripts go from the lowest median to the highest, equal ones in the order in which they first come."""
    tied = [inputs.taxes(*((script, [2.0]) for script in order)) for order in itertools.permutations("XYZ")]
    agree_in(["script"], tax_by_script, reference.tax_by_script, [*TAXES, *tied])


@check("test_tax_by_script", points=0.5, secret=True)
def drawn_taxes(tax_by_script, seeded):
    """The whole table is right for other taxes."""
    columns = ["script", "languages", "lowest", "median", "highest"]
    agree_in(columns, tax_by_script, reference.tax_by_script, [
        inputs.taxes(*(
            (script, [seeded.randint(8, 80) / 8 for _ in range(seeded.randint(1, 7))]) for script in "UVWXYZ"
        ))
        for _ in range(10)
    ])


@check("test_tax_by_script", points=0.5)
def grouped_rows_stay(tax_by_script):
    """The list of rows and each row in it are the same after the call."""
    unchanged(tax_by_script, TAXES, reference.tax_by_script)


# --- plot_tax ------------------------------------------------------------------------------------------------------


def taxed(taxes: dict[str, dict[str, float]]) -> tuple[list[dict]]:
    """The argument of `plot_tax`: the rows of one tokenizer after the other."""
    return ([
        {"language": language, "tokenizer": tokenizer, "tax": tax}
        for tokenizer, own in taxes.items() for language, tax in own.items()
    ],)


TAXED = [
    {"bytes": {"Thai": 2.5, "English": 1.0, "Greek": 2.25}, "BPE": {"Thai": 8.0, "English": 1.0, "Greek": 6.5}},
    {
        "a": {"Tamil": 3.5, "English": 1.0, "Han": 0.75, "Polish": 1.125},
        "b": {"Tamil": 3.0, "English": 1.0, "Han": 0.875, "Polish": 1.25},
        "c": {"Tamil": 11.0, "English": 1.0, "Han": 2.5, "Polish": 2.25},
    },
]
TAX_COLUMNS: dict[str, list] = {"language": [], "tokenizer": [], "tax": []}


@check("test_plot_tax", points=0.5)
def every_row_is_there(plot_tax):
    """The DataFrame holds all rows with the columns language, tokenizer and tax."""
    for taxes in TAXED:
        args = taxed(taxes)
        frame, _, call = figures.answer(plot_tax, args, TAX_COLUMNS)
        given = zip(*(map(plain_number, frame.data[name]) for name in TAX_COLUMNS), strict=True)
        wanted = [tuple(map(plain_number, row.values())) for row in args[0]]
        if sorted(map(repr, given)) != sorted(map(repr, wanted)):
            fail(call=call, expected=f"the {len(wanted)} rows given", got=frame)


@check("test_plot_tax", points=0.5)
def languages_by_tax(plot_tax):
    """The languages go from the lowest to the highest tax of the tokenizer that comes first."""
    for taxes in TAXED:
        frame, _, call = figures.answer(plot_tax, taxed(taxes), TAX_COLUMNS)
        first = next(iter(taxes.values()))
        wanted, given = sorted(first, key=first.__getitem__), list(dict.fromkeys(map(str, frame.data["language"])))
        if given != wanted:
            fail(call=call, expected=f"languages in the order {wanted}", got=given)


@check("test_plot_tax", points=0.5)
def one_series_a_tokenizer(plot_tax):
    """One series for each tokenizer shows its taxes, each at its language, on an axis that is logarithmic."""
    for taxes in TAXED:
        _, figure, call = figures.answer(plot_tax, taxed(taxes), TAX_COLUMNS)
        for tokenizer, own in taxes.items():
            figures.names_stand_at(figure, call, f"the taxes under {tokenizer}", own, list(own.values()))
        if not any(axes[scale] in ("log", "symlog") for axes in figure.axes for scale in ("xscale", "yscale")):
            fail("The axis of the tax must be logarithmic.", call=call, expected="log", got="linear")


@check("test_plot_tax", points=0.5)
def taxes_are_labelled(plot_tax):
    """The figure has a title, both axis labels and a legend."""
    all_labelled(plot_tax, taxed(TAXED[0]), TAX_COLUMNS)


@check("test_plot_tax", points=0.5)
def taxed_rows_stay(plot_tax):
    """The list of rows and each row in it are the same after the call."""
    figures.arguments_stay(plot_tax, [taxed(taxes) for taxes in TAXED], tuple(TAX_COLUMNS))


# --- break_tie -----------------------------------------------------------------------------------------------------


def breaks(break_tie: StudentFunction, rule: str, ties: Sequence[tuple] = inputs.TIES) -> None:
    agree(break_tie, reference.break_tie, [(*tie, rule) for tie in ties])


@check("test_break_tie", points=0.5)
def smallest_ids(break_tie):
    """R1 takes the smallest pair of ids."""
    breaks(break_tie, "R1")


@check("test_break_tie", points=0.5)
def greatest_bytes(break_tie):
    """R2 takes the greatest pair of bytes: the first parts are compared, and if they are equal the second parts."""
    breaks(break_tie, "R2")


@check("test_break_tie", points=0.5)
def first_seen(break_tie):
    """R3 takes the pair that was seen first."""
    breaks(break_tie, "R3")


@check("test_break_tie", points=0.5, secret=True)
def drawn_ties(break_tie, seeded):
    """All three rules hold for other ties."""
    agree(break_tie, reference.break_tie, [
        (*inputs.random_ties(seeded), rule) for _ in range(60) for rule in ("R1", "R2", "R3")
    ])


@check("test_break_tie", points=0.5)
def tied_pairs_stay(break_tie):
    """The list of tied pairs and the dictionary of pieces are the same after the call."""
    tied = [(258, 97), (98, 97), (97, 98)]
    unchanged(break_tie, [(tied, inputs.PIECES, rule) for rule in ("R1", "R2", "R3")], reference.break_tie)


# --- divergence ----------------------------------------------------------------------------------------------------

RULES = [
    ({"x": inputs.pairs_of("abc"), "y": inputs.pairs_of("".join(order))}, "x", [1, 2, 3])
    for order in itertools.permutations("abc")
]
RULES += [
    ({"R1": inputs.pairs_of("abcd"), "R2": inputs.pairs_of("acbe"), "R3": inputs.pairs_of("ab")}, base, steps)
    for base in ("R1", "R2", "R3") for steps in ([2], [1, 4], [4, 3, 9])
]
# The same bytes made from other parts are another rule.
RULES += [({"x": [(b"a", b"b"), (b"ab", b"c")], "y": [(b"b", b"c"), (b"a", b"bc")]}, "x", [1, 2])]
RULES += [({"x": [(b"a", b"b"), (b"c", b"d")], "y": [(b"b", b"a"), (b"c", b"d")]}, "x", [1, 2])]


@check("test_divergence", points=0.5)
def a_row_for_each_set_and_step(divergence):
    """There is a row for each rule set, the base too, and in it for each step, in the orders given."""
    agree_in(["rule_set", "merges"], divergence, reference.divergence, RULES)


@check("test_divergence", points=1)
def at_the_same_place(divergence):
    """The column same_place counts the places among the first rules at which both have the same rule."""
    agree_in(["same_place"], divergence, reference.divergence, RULES)


@check("test_divergence", points=0.5)
def at_any_place(divergence):
    """The column same_rules counts the rules that both have among their first ones, wherever they stand."""
    agree_in(["same_rules"], divergence, reference.divergence, RULES)


@check("test_divergence", points=0.5)
def refuses_a_base_without_rules(divergence):
    """A base that is none of the rule sets raises ValueError naming base."""
    refuses(divergence, RULES[0],
            [(rules, base, steps) for rules, _, steps in RULES[:4] for base in ("R4", "")], naming="base")


@check("test_divergence", points=0.5, secret=True)
def drawn_rules(divergence, seeded):
    """Places and rules are counted right in longer lists."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    lists = [{name: inputs.pairs_of("".join(seeded.sample(letters, 20))) for name in "xyz"} for _ in range(8)]
    agree_in(["rule_set", "merges", "same_place", "same_rules"], divergence, reference.divergence, [
        (rules, seeded.choice("xyz"), [5, 12, 20]) for rules in lists
    ])


@check("test_divergence", points=0.5)
def compared_rules_stay(divergence):
    """The dictionary, the lists of rules in it and the list of steps are the same after the call."""
    rules = {"y": inputs.pairs_of("ba"), "x": inputs.pairs_of("cab"), "z": inputs.pairs_of("abc")}
    unchanged(divergence, [(rules, "x", steps) for steps in ([2], [3, 1], [9, 1, 2])], reference.divergence)


# --- plot_ties -----------------------------------------------------------------------------------------------------


def diverged(*rows: tuple[str, int, int, int, float]) -> tuple[list[dict]]:
    names = ("rule_set", "merges", "same_place", "same_rules", "ratio")
    return ([dict(zip(names, row, strict=True)) for row in rows],)


TIED = [
    diverged(("R2", 4, 1, 3, 1.5), ("R2", 8, 2, 4, 2.25), ("R3", 4, 2, 4, 1.25), ("R3", 8, 3, 7, 2.5)),
    diverged(("x", 10, 8, 9, 1.5), ("y", 10, 3, 5, 1.375), ("x", 50, 12, 30, 2.75), ("y", 50, 40, 45, 2.5),
             ("x", 20, 9, 16, 2.0), ("y", 20, 11, 14, 2.125)),
]


def shared(rows: list[dict]) -> dict[str, list]:
    """The columns of the table that `plot_ties` returns."""
    columns = {name: [row[name] for row in rows] for name in ("rule_set", "merges", "ratio")}
    shares = {new: [row[old] / row["merges"] for row in rows] for new, old in SHARES.items()}
    return {**columns, **shares}


SHARES = {"in_place": "same_place", "shared": "same_rules"}


@check("test_plot_ties", points=0.5)
def shares_of_the_rules(plot_ties):
    """The columns in_place and shared hold same_place and same_rules, each divided by merges."""
    tables(plot_ties, TIED, shared, ["rule_set", *SHARES])


@check("test_plot_ties", points=1)
def shares_and_ratio_are_drawn(plot_ties):
    """For each rule set a line shows in_place over the merges, another one shared, and a third one the ratio."""
    for args, y in itertools.product(TIED, (*SHARES, "ratio")):
        lines(plot_ties, args, shared(*args), "rule_set", "merges", y)


@check("test_plot_ties", points=0.5)
def ties_are_labelled(plot_ties):
    """Each panel has a title and both axis labels, and the figure a legend."""
    all_labelled(plot_ties, TIED[0], shared(*TIED[0]))


@check("test_plot_ties", points=0.5)
def diverged_rows_stay(plot_ties):
    """The list of rows and each row in it are the same after the call."""
    figures.arguments_stay(plot_ties, TIED, ("rule_set", "merges", "ratio", *SHARES))


# --- run_with_seed -------------------------------------------------------------------------------------------------


def runs(run_with_seed: StudentFunction, programs: Sequence[str]) -> None:
    agree(run_with_seed, reference.run_with_seed, [(program, 0) for program in programs])


@check("test_run_with_seed", points=0.5)
def what_was_printed(run_with_seed):
    """The answer is what the program prints, without white space at its ends; quotes and lines come through."""
    runs(run_with_seed, inputs.PROGRAMS["printed"])


@check("test_run_with_seed", points=1)
def seed_takes_effect(run_with_seed):
    """The seed holds from the start of the process: hashes follow from it."""
    calls = [
        # The program compares: what it printed of a hash without the seed would be another text in each process.
        (f"print({value} == {seeded_value(value, seed)})", seed) for seed in (0, 1) for value in inputs.HASHED
    ] + [("import sys; print(sys.flags.hash_randomization)", seed) for seed in (0, 1)]
    agree(run_with_seed, reference.run_with_seed, calls)


@functools.cache
def seeded_value(value: str, seed: int) -> str:
    return reference.run_with_seed(f"print({value})", seed)


@check("test_run_with_seed", points=0.5)
def process_of_its_own(run_with_seed):
    """The program runs in a new Python process, in which nothing of the notebook is loaded."""
    runs(run_with_seed, inputs.PROGRAMS["fresh"])


@check("test_run_with_seed", points=0.5)
def other_variables_stay(run_with_seed, session):
    """All other environment variables reach the program too, and the notebook's own environment stays as it was."""
    runs(run_with_seed, inputs.PROGRAMS["others"])
    own = "import os; print(os.environ.get('TOKENIZERS_PARALLELISM'))"  # which the notebook's first cell sets
    agree(run_with_seed, lambda program, seed: "false", [(own, seed) for seed in (0, 1)])
    own = [[["os", "getenv"], ["PYTHONHASHSEED"], {}, {}]]
    (before,) = session.batch(own)
    run_with_seed("print(1)", 12_345)
    (after,) = session.batch(own)
    if after != before:
        fail("The program's environment is a copy; this process keeps its own.", call="os.environ['PYTHONHASHSEED']",
             expected="what it was before the call", got=show_outcome(after))


@check("test_run_with_seed", points=0.5)
def failing_programs_raise(run_with_seed):
    """A program that fails raises CalledProcessError, so that no empty answer is taken for a digest."""
    refuses(run_with_seed, ("print(1)", 0), [(program, 0) for program in inputs.FAILING], error="CalledProcessError")


# --- plot_digests --------------------------------------------------------------------------------------------------


def digested(**recipes: str) -> tuple[list[dict]]:
    """The argument of `plot_digests`: a letter for each process and recipe, the processes one after the other."""
    return ([
        {"seed": 7 + 2 * place, "recipe": recipe, "digest": own[place]}
        for place in range(max(map(len, recipes.values()))) for recipe, own in recipes.items() if place < len(own)
    ],)


DIGESTED = [digested(set="xyx", json="kkk"), digested(hash="abcde", set="pqqpr", dict="ddddd")]


@check("test_plot_digests", points=1)
def different_so_far(plot_digests):
    """The column distinct counts the different digests among the recipe's first 1, 2, 3 … processes."""
    tables(plot_digests, DIGESTED, reference.distinct_digests)


@check("test_plot_digests", points=0.5)
def one_line_a_recipe(plot_digests):
    """One line for each recipe shows the different digests over the number of processes."""
    for args in DIGESTED:
        lines(plot_digests, args, reference.distinct_digests(*args), "recipe", "processes", "distinct")


@check("test_plot_digests", points=0.5)
def digests_are_labelled(plot_digests):
    """The figure has a title, both axis labels and a legend."""
    all_labelled(plot_digests, DIGESTED[0], reference.distinct_digests(*DIGESTED[0]))


@check("test_plot_digests", points=0.5)
def digested_rows_stay(plot_digests):
    """The list of rows and each row in it are the same after the call."""
    figures.arguments_stay(plot_digests, DIGESTED, ("recipe", "processes", "distinct"))


# --- window_bytes --------------------------------------------------------------------------------------------------


@check("test_window_bytes", points=0.5)
def side_by_side(window_bytes):
    """Windows lie side by side, from the first token on, and none overlaps the next."""
    agree(window_bytes, reference.window_bytes, [
        (pieces, window) for pieces in inputs.small_pieces(4) for window in (1, 2, 3, 4) if len(pieces) % window == 0
    ])


@check("test_window_bytes", points=0.5)
def whole_windows_only(window_bytes):
    """Tokens at the end that fill no whole window are left out."""
    agree(window_bytes, reference.window_bytes, [
        (pieces, window) for pieces in inputs.small_pieces(4) for window in (2, 3, 4, 9) if len(pieces) % window
    ])


@check("test_window_bytes", points=0.5)
def refuses_no_window(window_bytes):
    """A window that is no int of 1 or more raises ValueError naming window."""
    refuses(window_bytes, ([b"ab"], 1),
            [([b"ab", b"c"], window) for window in (0, -1, True, 1.0, "2", None)], naming="window")


@check("test_window_bytes", points=0.5)
def pieces_stay(window_bytes):
    """The list of pieces is the same after the call."""
    calls = [([b"ab", b"c", b"d"], 1), ([b"a", b"b", b"c"], 2), ([b"ab"] * 5, 2)]
    unchanged(window_bytes, calls, reference.window_bytes)


@check("test_window_bytes", points=0.5, secret=True)
def many_pieces(window_bytes, seeded):
    """Bytes are right in long lists of tokens."""
    agree(window_bytes, reference.window_bytes, [
        ([bytes(seeded.randint(1, 9)) for _ in range(seeded.randint(50, 200))], seeded.randint(2, 20))
        for _ in range(10)
    ])


# --- plot_coverage -------------------------------------------------------------------------------------------------

COVERED = [({"English": [9, 7, 8, 10], "Thai": [5, 3]},), ({"b": [4, 4, 2, 6, 4], "a": [1], "c": [12, 3, 7]},)]


@check("test_plot_coverage", points=1)
def share_of_windows(plot_coverage):
    """Each text has its windows from the smallest to the largest, with the share of windows up to and with each."""
    tables(plot_coverage, COVERED, reference.coverage)


@check("test_plot_coverage", points=0.5)
def one_line_a_text(plot_coverage):
    """One line for each text shows the share over the bytes."""
    for args in COVERED:
        right = reference.coverage(*args)
        try:
            lines(plot_coverage, args, right, "text", "bytes", "share")
        except Failed:  # Matplotlib's own `ecdf` draws a first point more: share 0 at the smallest
            starts = {"text": list(args[0]), "bytes": list(map(min, args[0].values())), "share": [0.0] * len(args[0])}
            lines(plot_coverage, args, {name: starts[name] + right[name] for name in right}, "text", "bytes", "share")


@check("test_plot_coverage", points=0.5)
def coverage_is_labelled(plot_coverage):
    """The figure has a title, both axis labels and a legend."""
    all_labelled(plot_coverage, COVERED[0], reference.coverage(*COVERED[0]))


@check("test_plot_coverage", points=0.5)
def covered_sizes_stay(plot_coverage):
    """The dictionary and the lists of sizes in it are the same after the call."""
    figures.arguments_stay(plot_coverage, COVERED, ("text", "bytes", "share"))


# --- embedding_share and plot_budget -------------------------------------------------------------------------------


def share(value: object) -> object:
    return round(value, 12) if isinstance(value, float) else value


def shares(embedding_share: StudentFunction, calls: Sequence[tuple]) -> None:
    agree(embedding_share, reference.embedding_share, calls, normal=share)


SHAPES = [(v, d, n) for v in (1, 24, 300) for d in (1, 2, 64) for n in (1, 2, 12)]


@check("test_embedding_share", points=0.5)
def two_tables_when_untied(embedding_share):
    """An untied model has two tables of vocab_size times d_model weights."""
    shares(embedding_share, [(*shape, False) for shape in SHAPES])


@check("test_embedding_share", points=0.5)
def one_table_when_tied(embedding_share):
    """A tied model has one such table, counted once."""
    shares(embedding_share, [(*shape, True) for shape in SHAPES])


@check("test_embedding_share", points=0.5)
def refuses_what_is_no_size(embedding_share):
    """A vocab_size, d_model or layers that is no int of 1 or more raises ValueError naming it."""
    for place, name in enumerate(("vocab_size", "d_model", "layers")):
        wrong = [(*[24, 2, 1][:place], value, *[24, 2, 1][place + 1 :], True) for value in (0, -3, True, 2.0, "2")]
        refuses(embedding_share, (24, 2, 1, True), wrong, naming=name)


@check("test_embedding_share", points=0.5, secret=True)
def drawn_shapes(embedding_share, seeded):
    """Shares are right for models of other shapes."""
    shares(embedding_share, [
        (seeded.randint(300, 200_000), 64 * seeded.randint(1, 64), seeded.randint(1, 96), seeded.random() < 0.5)
        for _ in range(50)
    ])


BUDGETS = [
    (inputs.SIZES, inputs.MODELS),
    (inputs.SIZES[::-1], {name: inputs.MODELS[name] for name in ("large", "small")}),
]


@check("test_plot_budget", points=1)
def share_of_each_model(plot_budget):
    """There is a row for each model and size in the orders given, with the share of its tables and the ratio."""
    tables(plot_budget, BUDGETS, reference.budget)


@check("test_plot_budget", points=0.5)
def one_line_a_model(plot_budget):
    """One line for each model shows the ratio over the share, from the smallest share to the largest."""
    for args in BUDGETS:
        lines(plot_budget, args, reference.budget(*args), "model", "share", "ratio")


@check("test_plot_budget", points=0.5)
def budget_is_labelled(plot_budget):
    """The figure has a title, both axis labels and a legend."""
    all_labelled(plot_budget, BUDGETS[0], reference.budget(*BUDGETS[0]))


@check("test_plot_budget", points=0.5)
def budget_arguments_stay(plot_budget):
    """The list of sizes, the dictionary of models, and the rows in both are the same after the call."""
    figures.arguments_stay(plot_budget, BUDGETS, ("model", "vocab_size", "share", "ratio"))
