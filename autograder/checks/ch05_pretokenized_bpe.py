"""Hidden checks of chapter 5: special tokens, GPT-2's pattern, and plain training on counted pre-tokens (R2).

What `train_bpe` is checked for stands in `r2_training`; here are the points.
"""

import functools
import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Sequence

from autograder.checks import figures, r2_training
from autograder.checks.api import Check, WrongType, agree, as_lists, check, fail, refuses, type_name, unchanged
from autograder.checks.inputs import NASTY_TEXTS, sequences, texts
from autograder.checks.outcomes import Outcome, Returned
from autograder.checks.session import StudentFunction
from autograder.checks.show import common
from autograder.checks.tables import ordered
from autograder.reference import pretokenized_bpe as reference
from autograder.sandbox.inside.wire import Stream

LABELS = ("xticklabels", "yticklabels", "texts")

# --- split_on_special ----------------------------------------------------------------------------------------------


def parts(value: object) -> list:
    """The parts of an answer without empty ones, which have a check of their own."""
    if not isinstance(value, list):
        raise WrongType(f"The answer must be a list of str, not a {type_name(value)}.")
    return [part for part in value if part != ""]


def splits(split_on_special: StudentFunction, inputs: Iterable[tuple]) -> None:
    agree(split_on_special, reference.split_on_special, inputs, normal=parts)


def joined(pieces: Sequence[str], longest: int) -> Iterator[str]:
    """All texts of so many pieces, shorter ones first."""
    return ("".join(chosen) for chosen in sequences(pieces, longest))


@check("test_split_on_special", points=0.5)
def splits_everywhere(split_on_special):
    """The text is cut at each place of each special token, and the special tokens themselves are left out."""
    splits(split_on_special, [
        *((text, ["<s>"]) for text in joined(["a", "b ", "<s>"], 4)),
        *((text, ["<s>", "</s>"]) for text in joined(["a", "<s>", "</s>", "\n"], 4)),
        *((text, ["<s>", "</s>"]) for text in ("<s", "s>", "<S>", "< s>", "</s", "<<s>>")),
    ])


@check("test_split_on_special", points=0.5)
def empty_parts_left_out(split_on_special):
    """Special tokens side by side, at the start and at the end leave no empty parts; an empty text has no parts."""
    agree(split_on_special, reference.split_on_special, [
        ("", ["<s>"]), *((text, ["<s>"]) for text in joined(["a", "<s>"], 4) if "<s>" in text),
    ])


@check("test_split_on_special", points=0.5)
def longest_first(split_on_special):
    """Where several special tokens start at one place the longest is taken, in whatever order they are given."""
    splits(split_on_special, (
        (text, tokens)
        for text in joined(["a", "b"], 6)
        for tokens in (["a", "ab"], ["a", "aab"], ["ab", "abb"], ["a", "abb", "ab"], ["ab", "a"], ["aab", "a", "ab"])
    ))


@check("test_split_on_special", points=0.5)
def from_left_to_right(split_on_special):
    """Where special tokens overlap, the one that starts first is taken, even if a longer one starts inside it."""
    splits(split_on_special, (
        (text, tokens)
        for text in joined(["a", "b", "c"], 5) if "abc" in text
        for tokens in (["ab", "bca"], ["bcb", "ab"])
    ))


@check("test_split_on_special", points=0.5)
def characters_of_patterns(split_on_special):
    """Characters that mean something in a regular expression stand for themselves."""
    splits(split_on_special, (
        (text, [token])
        for token in ("a.b", "[a]", "a*", "a+", "(a", "a)", "a|b", "|", "^", "$", r"\d", "a?", "{2}", "<|end|>", "# x")
        for text in (f"1{token}2", "aab", "axb 12", "a", f"{token}{token}a end x", "<s>|")
    ))


@check("test_split_on_special", points=0.5)
def without_special_tokens(split_on_special):
    """Without special tokens the whole text is one part."""
    splits(split_on_special, [(text, []) for text in ("", "a", "ab", "<|endoftext|>", "a\n\nb", *NASTY_TEXTS)])


@check("test_split_on_special", points=0.5)
def empty_token_refused(split_on_special):
    """An empty special token is refused with a ValueError that names special_tokens."""
    refuses(split_on_special, ("ab", ["<s>"]), [("ab", [""]), ("ab", ["<s>", ""]), ("", [""])], naming="special_tokens")


@check("test_split_on_special", points=0.5)
def tokens_unchanged(split_on_special):
    """The list of special tokens is left as it was."""
    unchanged(split_on_special, [
        ("a<s>b", tokens) for tokens in (
            ["<s>"], ["<s>", "<longer>"], ["<longer>", "<s>"], ["b", "a"], ["a", "<s>"], ["<s>", "a", "</s>"], [],
        )
    ], reference.split_on_special)


# --- pretokenize ---------------------------------------------------------------------------------------------------


def pieces(value: object) -> list:
    """The items of an iterator or a list; whether it is an iterator has a check of its own."""
    if isinstance(value, Stream):
        return list(value.items)
    if isinstance(value, list | tuple):
        return list(value)
    raise WrongType(f"The answer must be an iterator of str, not a {type_name(value)}.")


def cuts(pretokenize: StudentFunction, several: Iterable[str]) -> None:
    agree(pretokenize, reference.pretokenize, ((text,) for text in several), normal=pieces)


@check("test_pretokenize", points=0.5)
def words(pretokenize):
    """A word takes the space before it along."""
    cuts(pretokenize, (text for text in texts("ab ", 6) if "  " not in text))


@check("test_pretokenize", points=0.5)
def numbers_and_signs(pretokenize):
    """Letters, numbers and other signs never share a pre-token; each may start with one space."""
    small = (text for text in texts("a1.! ", 4) if not text.endswith(" ") and "  " not in text)
    cuts(pretokenize, [*small, "a_b", "a-1", "1,000.50", "$5 (a)"])


@check("test_pretokenize", points=0.5)
def contractions(pretokenize):
    """The ends 's, 't, 'll, 've, 're, 'd and 'm are cut off where they are written in small letters."""
    ends = ("'s", "'t", "'m", "'d", "'ll", "'ve", "'re", "'x", "'S", "'l", "''s")
    cuts(pretokenize, [f"it{end}{more}" for end in ends for more in ("", " a", "a", "'")])


@check("test_pretokenize", points=1)
def white_space(pretokenize):
    r"""Of white space before a word the last character is left apart (`\s+(?!\S)`); at the end all stays together."""
    small = (text for text in texts("a\n ", 6) if "  " in text or "\n" in text)
    cuts(pretokenize, [*small, "a\r\n\r\nb", "\t\t1", "a \t."])


@check("test_pretokenize", points=0.5)
def every_script(pretokenize):
    r"""Letters are `\p{L}` and numbers `\p{N}` of every script; no character is lost."""
    cuts(pretokenize, [
        *NASTY_TEXTS, "été Straße", "привет мир", "안녕 세상", "日本語 3月", "नमस्ते 12 १२", "x² Ⅷ ½", "a\u0301b",
        "a\u00a0b c", "\x1c\x1d a\x1f b", "a\u2003\u2003b", "naïve's", "don’t", "\ud800a", "_a_ 1_000",
    ])


ATTEMPTS = 3  # a busy machine may charge a call for what it does not


@check("test_pretokenize", points=1)
def lazy(pretokenize):
    """The answer is an iterator that cuts off a pre-token only when it is asked for one."""
    agree(pretokenize, reference.pretokenize, [(text,) for text in ("ab", "a b")], normal=is_iterator)
    # A list made beforehand costs nearly as much for three items as for all of them. `regex.findall` is one step, and
    # a loop that gives out a ready list takes one for each item: steps cannot tell, but CPU time can.
    for attempt in range(ATTEMPTS):
        text = f"{attempt}" + "It's 2024. " * 8_000  # another one each time, as an answer may have been kept
        call = pretokenize.text((text,))
        some, more = (
            pretokenize.outcomes([(text,)], options={"take": take, "seconds": True})[0] for take in (3, 50_000)
        )
        if not (items_of(some) == 3 and items_of(more) > 3):
            found = f"{items_of(some)} and {items_of(more)} of them"
            fail(call=call, expected="an iterator over all pre-tokens", got=found)
        if (some.seconds or 0.0) <= (more.seconds or 0.0) / 4:
            return
    fail("Three pre-tokens of a long text cost nearly as much as all of them.", call=f"itertools.islice({call}, 3)",
         expected="work for three pre-tokens", got="work for the whole text")


def is_iterator(value: object) -> object:
    """A normaliser that tells iterators from lists and not one from the other: what they hold has its own checks."""
    if not isinstance(value, Stream):
        raise WrongType(f"The answer must be an iterator, not a {type_name(value)}.")
    return Stream(())


def items_of(outcome: Outcome) -> int:
    """How many items came of an iterator."""
    return len(outcome.value) if isinstance(outcome, Returned) and isinstance(outcome.value, list) else 0


# --- predict_pretokens ---------------------------------------------------------------------------------------------

PREDICTED_TEXT = "I'll buy  3 apples!\n\nOK?"


@check("test_predict_pretokens", points=1)
def predicted_pieces(predict_pretokens):
    """The pre-tokens of the example are predicted, with their white space."""
    value, right = predict_pretokens.value(), list(reference.pretokenize(PREDICTED_TEXT))
    predict_pretokens.note((), {}, Returned(right), Returned(value))
    if not isinstance(value, list | tuple) or not all(isinstance(piece, str) for piece in value):
        fail("The prediction is a list of str.", call="predict_pretokens", expected="a list", got=type_name(value))
    if "".join(value) != PREDICTED_TEXT:
        fail("Joined, the pre-tokens must give the text back.", call='"".join(predict_pretokens)',
             expected=PREDICTED_TEXT, got="".join(value))
    if list(value) != right:
        first = common(right, value)
        fail("Look again at the first pre-token that differs.", call=f"predict_pretokens[{first}]",
             expected="what the pattern gives there", got=value[first])


# --- count_pretokens -----------------------------------------------------------------------------------------------


def counts_agree(count_pretokens: StudentFunction, inputs: Iterable[tuple[str, list[str]]]) -> None:
    """All counts are right, whether a key is a tuple of single bytes or the same bytes in another form."""
    agree(count_pretokens, reference.count_pretokens, inputs, normal=in_single_bytes)


def in_single_bytes(value: object) -> object:
    """A normaliser: keys that are bytes, or tuples of their numbers, as tuples of single bytes."""
    return {single_bytes_of(key): number for key, number in value.items()} if isinstance(value, dict) else value


def single_bytes_of(key: object) -> object:
    if type(key) is tuple and all(type(item) is int and 0 <= item < 256 for item in key):
        key = bytes(key)
    return symbols(key) if type(key) is bytes else key


@check("test_count_pretokens", points=0.5)
def how_often(count_pretokens):
    """Each different pre-token is a key, a tuple of single bytes, and its value tells how often it stands."""
    agree(count_pretokens, reference.count_pretokens, [(text, []) for text in texts("ab ", 5)])


@check("test_count_pretokens", points=1)
def single_bytes(count_pretokens):
    """A character beyond ASCII is several single bytes of the key."""
    beyond = ("é", "éa", "aé é", "\u1100\u1161", "안녕 안", "🌍🌍 🌍", "ж\nж", *NASTY_TEXTS[3:])
    counts_agree(count_pretokens, [(text, []) for text in beyond])


@check("test_count_pretokens", points=1)
def parts_for_themselves(count_pretokens):
    """Special tokens are not counted, and the parts between them are cut for themselves and counted together."""
    counts_agree(count_pretokens, [
        *((text, ["<s>"]) for text in joined(["a", "b", " ", "<s>"], 4) if "<s>" in text),
        ("a\n\n<s>b", ["<s>"]), ("<s><e>", ["<s>", "<e>"]), ("1<s>2<e>3", ["<s>", "<e>"]),
    ])


@check("test_count_pretokens", points=0.5, secret=True)
def counts_of_long_texts(count_pretokens, seeded: random.Random):
    """On longer texts all counts are right."""
    tokens = ["<|endoftext|>", "<|pad|>"]
    counts_agree(count_pretokens, [
        (r2_training.random_corpus(seeded, number, some), some) for number in (50, 300, 1_000) for some in ([], tokens)
    ])


@check("test_count_pretokens", points=0.5)
def counting_leaves_tokens_alone(count_pretokens):
    """The list of special tokens is left as it was."""
    lists = (["<s>", "<longer>"], ["<longer>", "<s>"], ["b", "<s>", "a"], [])
    unchanged(count_pretokens, [("a<s>ab<longer>b", tokens) for tokens in lists], reference.count_pretokens)


# --- predict_merges ------------------------------------------------------------------------------------------------

PREDICTED_COUNTS = {(b"a", b"b", b"b"): 2, (b"b", b"b", b"a"): 1, (b"c", b"b"): 1}
PREDICTED_MERGES = reference.learn_merges(PREDICTED_COUNTS, 9)


def predicted_pairs(exercise: StudentFunction, start: int, stop: int) -> None:
    value = exercise.value()
    exercise.note((), {}, Returned(PREDICTED_MERGES), Returned(value))
    if not isinstance(value, list | tuple):
        fail("The prediction is a list of pairs.", call="predict_merges", expected="a list", got=type_name(value))
    given, right = as_lists(list(value)), as_lists(PREDICTED_MERGES)
    assert isinstance(given, list)
    assert isinstance(right, list)
    if given[start:stop] != right[start:stop]:
        fail(call=f"predict_merges[{start}:{min(stop, len(right))}]", expected="what the three steps give",
             got=given[start:stop])


@check("test_predict_merges", points=1)
def predicted_first(predict_merges):
    """The first merge is the pair of the highest count, each pre-token counted with its number."""
    predicted_pairs(predict_merges, 0, 1)


@check("test_predict_merges", points=1)
def predicted_rest(predict_merges):
    """Ties go to the greatest pair of bytes, and merging goes on until no pair is left."""
    predicted_pairs(predict_merges, 1, 99)


# --- learn_merges --------------------------------------------------------------------------------------------------


def learns(learn_merges: StudentFunction, inputs: Iterable[tuple[dict, int]]) -> None:
    """The right pairs in the right order; a pair may be a list. More than were asked for have a check of their own."""
    agree(learn_merges, reference.learn_merges, inputs, normal_for=lambda args: up_to(args[1]))


def up_to(number: int) -> Callable[[object], object]:
    return lambda value: list_of_pairs(value)[:number]


def list_of_pairs(value: object) -> list:
    if not isinstance(value, list | tuple):
        raise WrongType(f"The answer must be a list of pairs, not a {type_name(value)}.")
    return list(map(as_lists, value))


def symbols(word: str | bytes) -> tuple[bytes, ...]:
    data = word if isinstance(word, bytes) else word.encode("utf-8")
    return tuple(data[i : i + 1] for i in range(len(data)))


def counts_of(words: Iterable[tuple[str, int]], number: int = 2) -> list[tuple[dict, int]]:
    return [({symbols(word): number}, merges) for word, merges in words]


SMALL = functools.partial(r2_training.small_words, most=200)
tie_in, overlap_in = r2_training.tie_in, r2_training.overlap_in


@check("test_learn_merges", points=0.5)
def most_frequent(learn_merges):
    """The pair with the highest count is merged first, and no more pairs are merged than asked for."""
    agree(learn_merges, reference.learn_merges, [
        ({symbols("ab"): 3}, 0), *counts_of(SMALL(1, lambda h: not tie_in(h) and not overlap_in(h))),
    ], normal=list_of_pairs)


@check("test_learn_merges", points=0.5)
def numbers_count(learn_merges):
    """A pair counts as often as its pre-tokens do, summed over all of them."""
    small = [word for word in texts("abc", 2, 2) if word[0] != word[1]]
    learns(learn_merges, [
        *(({symbols(a): number, symbols(b): 1}, 1) for number in (2, 5) for a, b in itertools.permutations(small, 2)),
        ({symbols("ababab"): 1, symbols("cd"): 4}, 1), ({symbols("xab"): 2, symbols("yab"): 2, symbols("zz"): 3}, 1),
    ])


@check("test_learn_merges", points=0.5)
def greatest_in_a_tie(learn_merges):
    """A tie goes to the greatest pair: first parts are compared as bytes, and second parts where those are equal."""
    learns(learn_merges, [
        *counts_of(SMALL(1, lambda h: tie_in(h) and not overlap_in(h))),
        ({symbols("  a"): 2}, 1), ({symbols(b"\xa9\xc3\xc3"): 2}, 1), ({symbols(b"\xa0\xff\x7f"): 2}, 1),
        ({symbols("zy"): 2, symbols("ñ"): 2}, 1), ({symbols("bc"): 2, symbols(" a"): 2}, 1),
    ])


@check("test_learn_merges", points=0.5)
def ties_of_new_symbols(learn_merges):
    """In later rounds, too, the two parts are compared as bytes: not their ids, nor the joined bytes."""
    learns(learn_merges, counts_of(
        word for merges in (2, 3)
        for word in SMALL(merges, lambda h: not tie_in(h[:-1]) and tie_in(h[-1:]) and not overlap_in(h))
    ))


@check("test_learn_merges", points=0.5)
def overlaps(learn_merges):
    """In a run of equal symbols each overlapping place counts, and they are merged from the left."""
    learns(learn_merges, counts_of(
        word for merges in (1, 2, 3)
        for word in SMALL(merges, lambda h: overlap_in(h) and not tie_in(h))
    ))


@check("test_learn_merges", points=0.5)
def round_after_round(learn_merges):
    """Each round counts the pre-tokens as the last one left them, and merges whole symbols only."""
    learns(learn_merges, [
        *counts_of(
            word for merges in (2, 3)
            for word in SMALL(merges, lambda h: not overlap_in(h) and not tie_in(h))
        ),
        *(({symbols(word): 2 for word in words.split()}, merges) for words, merges in r2_training.SEVERAL),
    ])


@check("test_learn_merges", points=0.5)
def down_to_one(learn_merges):
    """There is no least count: a pair that stands at one place only is merged too."""
    learns(learn_merges, [
        *counts_of((word for merges in (1, 2) for word in SMALL(merges, single_at_the_end, copies=1)), 1),
        ({symbols("ab"): 2, symbols("abz"): 1}, 2),
    ])


def single_at_the_end(history: list[reference.Round]) -> bool:
    return history[-1].count == 1 and not tie_in(history) and not overlap_in(history)


@check("test_learn_merges", points=0.5)
def until_no_pair_is_left(learn_merges):
    """Merging ends when no pair is left, however many merges were asked for."""
    learns(learn_merges, [
        ({}, 1), ({symbols("a"): 3}, 1), ({symbols("ab"): 2}, 2), ({symbols("ab"): 2, symbols("a"): 1}, 1_000),
        ({symbols("abab"): 2}, 3),
    ])


@check("test_learn_merges", points=0.5)
def counts_unchanged(learn_merges):
    """The dictionary of counts is left as it was."""
    calls = [({symbols("ab"): 2}, 1), ({symbols("aab"): 2, symbols("ba"): 5}, 3), ({}, 1)]
    unchanged(learn_merges, calls, reference.learn_merges)


@check("test_learn_merges", points=0.5, secret=True)
def many_merges(learn_merges, seeded: random.Random):
    """On the pre-tokens of longer texts all merges are right."""
    learns(learn_merges, [
        (reference.count_pretokens(r2_training.random_corpus(seeded, number, []), []), min(number // 2, 50))
        for number in (10, 40, 100, 400)
    ])


# --- train_bpe -----------------------------------------------------------------------------------------------------


def half_a_point(function: Callable, *, secret: bool = False) -> Check:
    return check("test_train_bpe", points=0.5, secret=secret)(function)


train_largest_count = half_a_point(r2_training.largest_count)
train_pretoken_numbers = half_a_point(r2_training.pretoken_numbers)
train_boundaries = half_a_point(r2_training.boundaries)
train_bytes_not_characters = half_a_point(r2_training.bytes_not_characters)
train_ties = half_a_point(r2_training.ties)
train_ties_among_merged = half_a_point(r2_training.ties_among_merged)
train_ties_among_bytes = half_a_point(r2_training.ties_among_bytes)
train_runs = half_a_point(r2_training.runs)
train_later_rounds = half_a_point(r2_training.later_rounds)
train_single_places = half_a_point(r2_training.single_places)
train_empty_files = half_a_point(r2_training.empty_files)
train_pairs_run_out = half_a_point(r2_training.pairs_run_out)
train_line_ends_kept = half_a_point(r2_training.line_ends_kept)
train_invalid_utf8 = half_a_point(r2_training.invalid_utf8)
train_specials_left_out = half_a_point(r2_training.specials_left_out)
train_parts_apart = half_a_point(r2_training.parts_apart)
train_white_space = half_a_point(r2_training.white_space_beside_specials)
train_longest_special = half_a_point(r2_training.longest_special)
train_regex_characters = half_a_point(r2_training.regex_characters)
train_no_special_tokens = half_a_point(r2_training.no_special_tokens)
train_special_tokens_refused = half_a_point(r2_training.special_tokens_refused)
train_special_tokens_unchanged = half_a_point(r2_training.special_tokens_unchanged)
train_vocab_size_refused = half_a_point(r2_training.vocab_size_refused)
train_entries = half_a_point(r2_training.entries)
train_numbering = half_a_point(r2_training.numbering)
train_whole_files = half_a_point(r2_training.whole_files, secret=True)


# --- plot_pretokens ------------------------------------------------------------------------------------------------

COUNTED_TEXTS = [
    ("to be or not to be, to be", [], 5), ("a b a<s>b a<longer>", ["<s>", "<longer>"], 9),
    ("x  x\n\nx 1 2 1 2", [], 4), ("b a c", [], 2),
]


def commonest(text: str, special_tokens: list[str], most: int) -> dict[str, list]:
    """The columns that `plot_pretokens` must return."""
    counts = {b"".join(key).decode(): n for key, n in reference.count_pretokens(text, special_tokens).items()}
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0].encode()))[:most]
    return {"pretoken": [repr(piece) for piece, _ in rows], "count": [number for _, number in rows]}


@check("test_plot_pretokens", points=0.5)
def commonest_first(plot_pretokens):
    """The table has the commonest pre-tokens in order, as repr shows them, ties in the order of their bytes."""
    for args in COUNTED_TEXTS:
        right = commonest(*args)
        frame, _, call = figures.answer(plot_pretokens, args, right)
        figures.column(frame, call, "pretoken", right["pretoken"])


@check("test_plot_pretokens", points=0.5)
def their_counts(plot_pretokens):
    """Column count holds how often each of them stands in the text."""
    for args in COUNTED_TEXTS:
        right = commonest(*args)
        frame, _, call = figures.answer(plot_pretokens, args, right)
        if not figures.close(ordered(frame.data["count"]), ordered(right["count"])):
            fail("Column 'count' differs.", call=call, expected=right["count"], got=frame.data["count"])


@check("test_plot_pretokens", points=0.5)
def bars_show_counts(plot_pretokens):
    """One bar a row shows the count, and the bar's label is the pre-token; the largest first or last."""
    args = COUNTED_TEXTS[0]
    frame, figure, call = figures.answer(plot_pretokens, args, commonest(*args))
    counts, labels = list(frame.data["count"]), list(frame.data["pretoken"])
    shown = [series["y"] for axes in figure.axes for series in figures.several(axes["bars"])]
    if not any(figures.close(bars, way) for way in (counts, counts[::-1]) for bars in shown):
        fail("No bars show the column count.", call=call, expected=counts, got=shown)
    ticks = [axes[name] for axes in figure.axes for name in LABELS]
    if not any([label for label in row if label] == way for way in (labels, labels[::-1]) for row in ticks):
        fail("The bars are not labelled with the pre-tokens.", call=call, expected=labels, got=ticks)


@check("test_plot_pretokens", points=0.5)
def bars_are_labelled(plot_pretokens):
    """The figure has a title and both axis labels."""
    args = COUNTED_TEXTS[0]
    _, figure, call = figures.answer(plot_pretokens, args, commonest(*args))
    figures.labelled(figure, call, legend=False)


@check("test_plot_pretokens", points=0.5)
def bars_leave_tokens_alone(plot_pretokens):
    """The list of special tokens is left as it was."""
    figures.arguments_stay(plot_pretokens, COUNTED_TEXTS[:2], ("pretoken", "count"))


# --- plot_ratio ----------------------------------------------------------------------------------------------------

RATIO_TEXTS = [
    ("low low low lower", [], 4), ("ab<s>ab ab<longer>ab", ["<s>", "<longer>"], 3), ("a b a b a b", [], 9),
    ("안녕 안녕\n안녕", [], 5),
]


def ratio_columns(text: str, special_tokens: list[str], num_merges: int) -> dict[str, list]:
    """The columns that `plot_ratio` must return: first the rows of the pre-tokens, then those of the whole parts."""
    whole: dict[tuple[bytes, ...], int] = {}
    for part in reference.split_on_special(text, special_tokens):
        whole[symbols(part)] = whole.get(symbols(part), 0) + 1
    rows = []
    for cut, counts in (("pre-tokens", reference.count_pretokens(text, special_tokens)), ("whole parts", whole)):
        size = total(counts)
        sizes = [size]
        for one in reference.rounds(counts, num_merges):
            after = {reference.merge_symbols(key, one.pair): n for key, n in one.before.items()}
            sizes.append(total(after))
        rows += [(cut, 256 + len(special_tokens) + m, size / tokens) for m, tokens in enumerate(sizes)]
    return {name: [row[i] for row in rows] for i, name in enumerate(("cut", "vocab_size", "ratio"))}


def total(counts: dict[tuple[bytes, ...], int]) -> int:
    return sum(len(key) * number for key, number in counts.items())


@check("test_plot_ratio", points=0.5)
def sizes_of_vocabularies(plot_ratio):
    """The table has a row for each cut and each number of merges from 0 up to those learnt."""
    for args in RATIO_TEXTS:
        right = ratio_columns(*args)
        frame, _, call = figures.answer(plot_ratio, args, right)
        figures.column(frame, call, "cut", right["cut"])
        figures.column(frame, call, "vocab_size", right["vocab_size"])


@check("test_plot_ratio", points=1.5)
def ratios(plot_ratio):
    """The ratio is UTF-8 bytes of the text without special tokens, divided by tokens."""
    for args in RATIO_TEXTS:
        right = ratio_columns(*args)
        frame, _, call = figures.answer(plot_ratio, args, right)
        figures.column(frame, call, "ratio", right["ratio"])


@check("test_plot_ratio", points=0.5)
def both_cuts_are_drawn(plot_ratio):
    """The figure shows one line for each cut, ratio against vocabulary size, as the table has them."""
    args = RATIO_TEXTS[0]
    frame, figure, call = figures.answer(plot_ratio, args, ratio_columns(*args))
    rows = list(zip(frame.data["cut"], frame.data["vocab_size"], frame.data["ratio"], strict=True))
    for cut in ("pre-tokens", "whole parts"):
        mine = [row for row in rows if row[0] == cut]
        figures.plots(figure, call, [row[1] for row in mine], [row[2] for row in mine], f"the ratio of {cut}")


@check("test_plot_ratio", points=0.5)
def lines_are_labelled(plot_ratio):
    """The figure has a title, both axis labels and a legend."""
    args = RATIO_TEXTS[0]
    _, figure, call = figures.answer(plot_ratio, args, ratio_columns(*args))
    figures.labelled(figure, call)


@check("test_plot_ratio", points=0.5)
def lines_leave_tokens_alone(plot_ratio):
    """The list of special tokens is left as it was."""
    figures.arguments_stay(plot_ratio, RATIO_TEXTS[:2], ("cut", "vocab_size", "ratio"))
