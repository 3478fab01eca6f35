"""Chapter 7: encode, decode and stream with pre-tokenized rules, and hand them to other libraries (rule set R2)."""

import contextlib
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from autograder.checks import figures
from autograder.checks.api import (
    Counterexample,
    Failed,
    WrongType,
    agree,
    as_lists,
    at_work,
    check,
    difference,
    fail,
    refuses,
    right_answers,
    run_trusted,
    same,
    type_name,
    unchanged,
)
from autograder.checks.ch07_inputs import (
    BBB,
    EOT,
    MIXED,
    NASTY,
    as_files,
    by_joined_bytes,
    chunked,
    cuts,
    double,
    learnt,
    letters_at_random,
    ranks_of,
    rule_lists,
    small_texts,
    vocab_of,
)
from autograder.checks.inputs import NASTY_TEXTS, random_text
from autograder.checks.outcomes import Died, Outcome, Raised, Returned, TimedOut
from autograder.checks.session import NotWritten, Session, StudentFunction, StudentObject, StudentRaised
from autograder.checks.show import show_outcome, show_pair
from autograder.reference import tokenizer as reference
from autograder.reference import tokenizer_exports as exports
from autograder.reference.token_speed import speeds
from autograder.reference.tokenizer import Pair
from autograder.sandbox.inside import wire

# --- bpe_encode ----------------------------------------------------------------------------------------------------


def pieces(letters: str, longest: int) -> list[bytes]:
    return [text.encode() for text in small_texts(letters, longest)]


def agree_on_pieces(bpe_encode: StudentFunction, rules: Iterable[Sequence[Pair]], texts: Sequence[bytes]) -> None:
    agree(bpe_encode, reference.bpe_encode, [(piece, ranks_of(one)) for one in rules for piece in texts])


@check("test_bpe_encode", points=1)
def one_rule(bpe_encode):
    """With one rule, its pair is merged from left to right, wherever it stands, each byte used once."""
    agree_on_pieces(bpe_encode, rule_lists(1), pieces("ab", 5)[1:])


@check("test_bpe_encode", points=1.5)
def lowest_rank_first(bpe_encode):
    """With several rules the pair of lowest rank is merged first, again and again, until no pair is a rule."""
    texts = [piece for piece in pieces("ab", 5) if len(piece) > 3]
    two = [rules for rules in rule_lists(2) if len(rules) == 2 and readings_agree(rules, texts)]
    three = [[(b"b", b"c"), (b"a", b"b"), (b"bc", b"a")], [(b"a", b"b"), (b"ab", b"c"), (b"c", b"a")]]
    more = [piece for piece in pieces("abc", 4) if b"c" in piece]
    # The dict's order is not the order of ranks: it need not be.
    cases = [(piece, dict(reversed(ranks_of(rules).items()))) for rules in two for piece in texts]
    cases += [(piece, dict(reversed(ranks_of(rules).items()))) for rules in three for piece in more]
    agree(bpe_encode, reference.bpe_encode, cases)


def readings_agree(rules: Sequence[Pair], texts: Sequence[bytes]) -> bool:
    """Whether merging by pair and by joined bytes give the same: the difference has a check of its own."""
    return all(by_joined_bytes(piece, rules) == reference.bpe_encode(piece, ranks_of(rules)) for piece in texts)


@check("test_bpe_encode", points=1)
def pairs_not_joined_bytes(bpe_encode):
    """A pair is merged when the pair itself is a rule, not when its joined bytes are a token."""
    rules = [BBB, [(b"a", b"a"), (b"a", b"aa")], [(b"a", b"b"), (b"b", b"a"), (b"a", b"ba")]]
    agree_on_pieces(bpe_encode, rules, [piece for piece in pieces("ab", 6) if piece])


@check("test_bpe_encode", points=0.5)
def nothing_to_merge(bpe_encode):
    """An empty piece has no tokens; without rules each byte is one, whether it is ASCII or not."""
    agree_on_pieces(bpe_encode, [[], [(b"x", b"y")]], [b"", b"a", b"ab", "é漢".encode(), b"\xff\x80\x00"])


@check("test_bpe_encode", points=1, secret=True)
def learnt_rules(bpe_encode, seeded):
    """Rules learnt from text, on other text."""
    for _ in range(4):
        text = [random_text(seeded, 25, "etaoin shr").encode() for _ in range(12)]
        agree_on_pieces(bpe_encode, [learnt(seeded, letters="etaoin shr")], text)


LETTERS = [bytes([letter]) for letter in b"abcdefgh"]
GROWS = "Each merge seems to look at the whole piece again, so the work grows with the square of the length."


@check("test_bpe_encode", points=1.5)
def long_runs(bpe_encode):
    """A run of one letter that is 8 times as long takes about 8 times as long to encode, not 64 times."""
    rules = [(letter * 2**i, letter * 2**i) for letter in LETTERS for i in range(6)]
    near_linear(bpe_encode, ranks_of(rules), lambda size, turn: LETTERS[turn % 8] * size)


@check("test_bpe_encode", points=1)
def long_pieces_without_pattern(bpe_encode):
    """The same for a long piece of letters at random, in which many different rules apply."""
    rules = [pair for pair in itertools.product(LETTERS, repeat=2) if pair[0] < pair[1]]
    near_linear(bpe_encode, ranks_of(rules + [(a + b, a) for a, b in rules]), letters_at_random)


@check("test_bpe_encode", points=0.5)
def ranks_unchanged(bpe_encode):
    """The dict of ranks stays as it was."""
    texts = (b"", b"ab", b"xyz", b"abab'll")
    unchanged(bpe_encode, [(piece, ranks_of(MIXED)) for piece in texts], reference.bpe_encode)


TIMES = 8  # so much longer is the long one of two pieces that are compared
SHORT = 128  # letters; steps are counted for this length and for the long one
MOST_STEPS = 24.0  # times: 7 to 12 when near-linear, 50 to 64 when quadratic
SIZES = [2**power for power in range(8, 15)]  # time is taken for these lengths
MOST_TIME = 26.0  # times: 8 to 11 when near-linear, 43 to 76 when quadratic
NO_TIME = 0.1  # seconds: what takes no more does no harm, whatever its growth
ENOUGH = 1.0  # seconds, in which growth shows; longer pieces would tell no more


def near_linear(bpe_encode: StudentFunction, ranks: dict, make: Callable[[int, int], bytes]) -> None:
    """Work grows little faster than the length: first steps of Python, which load and machine do not change.

    What C code does within one line is no step, as when `min` and `list.index` go through a list. So CPU time is
    compared as well, and taken again where it seems to tell against a version.
    """
    turns: Counter[int] = Counter()  # of each length: no piece comes twice, as its answer may have been kept

    def cost(size: int, kind: str) -> float:
        calls = [(make(size, turns[size] + i), ranks) for i in range(2)]
        turns[size] += 2
        outcomes = bpe_encode.outcomes(calls, options={kind: True})
        if any(isinstance(got, TimedOut | Died) for got in outcomes):
            fail(GROWS, call=f"bpe_encode(<{size:,} letters>, ranks)",
                 expected="work about in proportion to the length", got=show_outcome(outcomes[-1]))
        rights = right_answers(reference.bpe_encode, calls, {})
        for args, right, got in zip(calls, rights, outcomes, strict=True):
            if (reason := difference(right, got)) is not None:
                if size == SHORT:
                    bpe_encode.note(args, {}, right, got)
                raise Failed(reason, Counterexample(bpe_encode.text(args), *show_pair(right, got)))
        return min(getattr(got, kind) or 0.0 for got in outcomes)

    def compare(size: int, kind: str, short: float, long: float, most: float) -> None:
        if long > most * short:
            fail(GROWS, call=f"bpe_encode(<{size:,} letters>, ranks)",
                 expected=f"at most {most:g} times the {kind} for {size // TIMES:,} letters",
                 got=f"{long / max(short, 1e-9):.0f} times")

    compare(TIMES * SHORT, "steps", cost(SHORT, "steps"), cost(TIMES * SHORT, "steps"), MOST_STEPS)
    seconds: dict[int, float] = {}
    for size in SIZES:
        seconds[size] = cost(size, "seconds")
        short = size // TIMES
        if short not in seconds or seconds[size] <= NO_TIME:
            continue
        if seconds[size] > MOST_TIME * seconds[short]:
            for one in (short, size, short, size):
                seconds[one] = min(seconds[one], cost(one, "seconds"))
            compare(size, "time", seconds[short], seconds[size], MOST_TIME)
        if seconds[size] > ENOUGH:
            return


# --- joined_bytes_example and line_example: any right value is accepted --------------------------------------------


def judge(session: Session, name: str, good: object, reason: Callable[[object], str]) -> None:
    """`reason` says what is wrong with a value, and nothing when it is right."""
    value = session.value(name)
    message = reason(value)
    session.function(name).note((), {}, Returned(good if message else value), Returned(value))
    if message:
        fail(message)


@check("test_joined_bytes_example", points=1)
def the_two_readings_differ(session):
    """With the rules (b, b) and (b, bb), merging by pair and merging by joined bytes give different tokens."""

    def reason(value: object) -> str:
        if type(value) is not bytes or len(value) > 100:
            return "It must be a short bytes value, such as b'ab'."
        given = reference.bpe_encode(value, ranks_of(BBB))
        return "" if given != by_joined_bytes(value, BBB) else f"Both give {given}."

    judge(session, "joined_bytes_example", b"abbb", reason)


@check("test_line_example", points=1)
def lines_differ_from_the_whole(session):
    """The pre-tokens of the text's lines, taken one by one, are not those of the whole text."""

    def reason(value: object) -> str:
        if type(value) is not str or len(value) > 1000:
            return "It must be a text of at most 1,000 characters."
        lines = re.findall(r"[^\n]*\n|[^\n]+", value)
        one_by_one = [piece for line in lines for piece in reference.pretokenize(line)]
        return "" if one_by_one != list(reference.pretokenize(value)) else f"Both give {one_by_one}."

    judge(session, "line_example", "a\n\n\nb", reason)


# --- split_special -------------------------------------------------------------------------------------------------


@check("test_split_special", points=0.5)
def cuts_at_specials(split_special):
    """The text is cut at each special token; the tokens are kept, empty parts are left out."""
    texts = ["".join(parts) for size in range(4) for parts in itertools.product(("a", " ", "<s>", "<"), repeat=size)]
    agree(split_special, reference.split_special, [(text, ["<s>"]) for text in (*texts, "a<S>b", "a<S><s>")])
    longer = "1. é\r\n<s>漢字 <e><s>\n\n" * 20
    texts = ["<s>a<e>", "<e><s>", "<se>", "a\n<s>\nb", longer]
    agree(split_special, reference.split_special, [(text, ["<s>", "<e>"]) for text in texts])


@check("test_split_special", points=0.5)
def longest_first(split_special):
    """Where several special tokens begin at one place the longest is taken, whatever their order in the list."""
    texts = ["<s><s>", "<s><s><s>", "a<s>b<s><s>c", "<s> <s>"]
    for tokens in (["<s>", "<s><s>"], ["<s><s>", "<s>"], ["<s>", "s>", "<s>x"]):
        agree(split_special, reference.split_special, [(text, tokens) for text in (*texts, "<s>x", "s><s>")])


@check("test_split_special", points=0.5)
def from_left_to_right(split_special):
    """Where special tokens overlap, the one that begins first is taken, even if a longer one begins inside it."""
    texts = [text for text in small_texts("abc", 5) if "abc" in text]
    for tokens in (["ab", "bca"], ["bcb", "ab"]):
        agree(split_special, reference.split_special, [(text, tokens) for text in texts])


@check("test_split_special", points=0.5)
def taken_literally(split_special):
    """Characters that mean something in a pattern mean themselves."""
    tokens = ["a.b", "(x", "|", "+*", "[^]", "\\"]
    texts = ["axb a.b", "(x|(y", "a||b", "+*+", "^[^]", "a\\b", "x", ""]
    agree(split_special, reference.split_special, [(text, [token]) for token in tokens for text in texts])


@check("test_split_special", points=0.5)
def none_at_all(split_special):
    """Without special tokens a text is one part, and an empty text none."""
    agree(split_special, reference.split_special, [(text, []) for text in ("a", "", "ab", "<s>", " a\n")])


@check("test_split_special", points=0.5)
def tokens_unchanged(split_special):
    """The list of special tokens stays as it was."""
    lists = (["<s>", "<s><s>"], ["<s><s>", "<s>"], ["b", "<s>"], [])
    unchanged(split_special, [("a<s><s>b", tokens) for tokens in lists], reference.split_special)


# --- Tokenizer -----------------------------------------------------------------------------------------------------

ABC = [(b"a", b"b"), (b"ab", b"c"), (b" ", b"ab")]
SPECIAL = (vocab_of(ABC, "<s>"), ABC, ["<s>"])
OVERLAPPING = ["<s>", "<s><s>", "s>"]
PLAIN = (vocab_of(MIXED), MIXED)


def made(student: StudentFunction, *args: object, gives: str = "Tokenizer") -> StudentObject:
    """The student's object; an error on the way goes into the transcript."""
    try:
        return student.make(*args)
    except StudentRaised as error:
        if isinstance(error.outcome, Raised):
            student.note(args, {}, Returned(wire.Opaque(gives)), error.outcome)
        raise


def agree_on(
    student: StudentFunction, args: tuple, method: str, items: Iterable, normal: Callable = lambda value: value
) -> None:
    """The method of a tokenizer made from `args` gives what the reference's gives, on every item."""
    right = getattr(reference.Tokenizer(*args), method)
    agree(getattr(made(student, *args), method), right, [(item,) for item in items], normal=normal)


@check("test_Tokenizer", points=1)
def ordinary_text(Tokenizer):
    """The ids of a text are those of its pre-tokens' tokens, one after the other."""
    texts = [*small_texts("ab ", 4), "'l", "'ll", "l'l", "a'lla", "aé", "\n\n\n", "\r\n"]
    agree_on(Tokenizer, PLAIN, "encode", [*texts, "ab" * 350, "l" + "ab" * 350])
    # Ids need not grow with the ranks, and it is the ranks that count: here the last rule has the smallest id.
    agree_on(Tokenizer, (vocab_of(MIXED[::-1]), MIXED), "encode", ["ab", "'ll", "a'lla"])


@check("test_Tokenizer", points=1)
def pretokens_stay_apart(Tokenizer):
    """No rule joins what the pattern puts into two pre-tokens."""
    rules = [(b"a", b" "), (b"a", b"\n"), (b"\n", b"a"), (b"a", b"1"), (b"!", b"a"), (b"'", b"a"), (b"'", b"S")]
    texts = ["a b", "a\nb", "\nab", "a1", "a1a!a", "'a a's", "a a a\na", "a'S", "'S'a"]
    agree_on(Tokenizer, (vocab_of(rules), rules), "encode", texts)


@check("test_Tokenizer", points=1, secret=True)
def many_scripts(Tokenizer, seeded):
    """Rules learnt from text, on other text in several scripts, and texts of hard kinds."""
    for letters in ("etaoin shré漢", "ab'stlre \n1.", "наи कि👩 "):
        rules = learnt(seeded, letters=letters)
        texts = [random_text(seeded, 40, letters + " \n") for _ in range(12)]
        agree_on(Tokenizer, (vocab_of(rules), rules), "encode", [*texts, *NASTY, *NASTY_TEXTS])


@check("test_Tokenizer", points=1)
def specials_are_one_id(Tokenizer):
    """A special token is one id wherever it stands, and no pre-token reaches over it."""
    parts = ("ab", " ", "<s>", "c")
    texts = ["".join(some) for size in range(1, 4) for some in itertools.product(parts, repeat=size) if "<s>" in some]
    agree_on(Tokenizer, SPECIAL, "encode", [*texts, "  <s>  ab", "a<s", "<s>>", "<S>", "ab<S>ab"])


@check("test_Tokenizer", points=1)
def longest_special_wins(Tokenizer):
    """Where several special tokens begin at one place the longest wins, whatever their order."""
    for tokens in (OVERLAPPING, OVERLAPPING[::-1]):
        args = (vocab_of(ABC, *OVERLAPPING), ABC, tokens)
        agree_on(Tokenizer, args, "encode", ["<s><s>", "<s><s><s>", "a<s>s>", "s><s><s>", "<s> <s>"])


@check("test_Tokenizer", points=0.5)
def specials_are_literal(Tokenizer):
    """A special token is the text that it is, not a pattern."""
    tokens = ["a.c", "(x", "[|"]
    agree_on(Tokenizer, (vocab_of(ABC, *tokens), ABC, tokens), "encode", ["abc a.c", "(xx(x", "|[|[", "a.c", "ab|c"])


@check("test_Tokenizer", points=1)
def without_specials(Tokenizer):
    """Without special tokens, text that looks like one is ordinary text, also where the vocabulary holds it."""
    rules = [(b"<", b"|"), (b"P", b"A")]
    texts = [EOT, f"a{EOT}b", "PAD", " PAD", "PADPAD", "PAD!", "<|", "a"]
    for vocab in (vocab_of(rules), vocab_of(rules, EOT, "PAD")):
        for more in ((), (None,), ([],)):
            agree_on(Tokenizer, (vocab, rules, *more), "encode", texts)


def in_no_order(value: object) -> object:
    """Lists and tuples alike, and texts sorted: who looks for the longest special token first may keep them so."""
    value = as_lists(value)
    return sorted(value) if isinstance(value, list) and all(isinstance(item, str) for item in value) else value


@check("test_Tokenizer", points=0.5)
def attributes_set(Tokenizer):
    """The attributes are there: vocab with the special tokens that it lacked, merges, and special_tokens, each once."""
    bare, wrong = vocab_of(ABC), []
    tokens = (), (None,), (["<e>", "<s>", "<e>"],), (["<é>", "<é>"],)
    for args in (SPECIAL, *((bare, ABC, *some) for some in tokens), (vocab_of(ABC, "<s>"), ABC, *tokens[2])):
        right, own = reference.Tokenizer(*args), made(Tokenizer, *args)
        for name in ("vocab", "merges", "special_tokens"):
            attribute, wanted = getattr(own, name), getattr(right, name)
            try:
                value = attribute.value()
            except NotWritten:  # for None, too
                value = None
            alike = same(in_no_order(value), in_no_order(wanted))
            attribute.note((), {}, Returned(value if alike else wanted), Returned(value))
            if not alike:
                wrong.append((attribute.text(()).removesuffix("()"), wanted, value))
    if wrong:
        call, wanted, value = wrong[0]
        fail(call=call, expected=wanted, got=value)


@check("test_Tokenizer", points=0.5)
def missing_specials_appended(Tokenizer):
    """Special tokens that the vocabulary lacks get the next ids, in the order given, each once."""
    texts = ["<s>", "<e>", "<s>ab<e>", "é<é>", "<s><s>"]
    for tokens in (["<s>"], ["<s>", "<e>"], ["<e>", "<s>"], ["<e>", "<é>", "<e>", "<s>"]):
        for vocab in (vocab_of(ABC), vocab_of(ABC, "<s>")):
            agree_on(Tokenizer, (vocab, ABC, tokens), "encode", texts)


@check("test_Tokenizer", points=1)
def arguments_unchanged(Tokenizer):
    """The caller's vocabulary, rules and list of special tokens stay as they were, and so do files that are read."""
    lists = (["<s>"], ["<s>", "<s><s>"], ["b", "<e>"])
    unchanged(Tokenizer, [(vocab_of(ABC), ABC, tokens) for tokens in lists], reference.Tokenizer)
    at_work(made(Tokenizer, *PLAIN).encode, [("ab",), ("b a",)], reference.Tokenizer(*PLAIN).encode)
    with contextlib.suppress(NotWritten):  # what `from_files` gives has a check of its own
        unchanged(made(Tokenizer, *PLAIN).from_files, [(*as_files(vocab_of(ABC), ABC), tokens) for tokens in lists])


@check("test_Tokenizer", points=0.5)
def refuses_an_empty_special(Tokenizer):
    """An empty special token raises ValueError that names special_tokens."""
    refuses(Tokenizer, (vocab_of(ABC), ABC, []),
            [(vocab_of(ABC), ABC, tokens) for tokens in ([""], ["<s>", ""])], naming="special_tokens")


@check("test_Tokenizer", points=1)
def decode_gives_text(Tokenizer):
    """The bytes of all ids are joined before they are decoded; special tokens are the text that they are."""
    right = reference.Tokenizer(*SPECIAL)
    texts = ["", "a", "abc", " ab", "é", "漢字", "😀a", "<s>", "a<s>é<s>", *NASTY_TEXTS]
    agree_on(Tokenizer, SPECIAL, "decode", map(right.encode, texts))


@check("test_Tokenizer", points=1)
def decode_replaces_malformed(Tokenizer):
    """Bytes that are no UTF-8 become U+FFFD; nothing is raised, nothing is left out."""
    ids = [[0xFF], [0x80, 97], [97, 0xC3], [0xE6, 0xBC], [0xE6, 97], [0xC3, 256, 0xA9], [0xF0, 0x9F, 0x98], [0xC0, 128]]
    agree_on(Tokenizer, SPECIAL, "decode", ids)


@check("test_Tokenizer", points=0.5)
def decode_unknown_ids(Tokenizer):
    """An id that the vocabulary does not hold raises ValueError that names ids."""
    refuses(made(Tokenizer, *SPECIAL).decode, ([97],),
            [([one],) for one in (1000, -1)] + [([97, 1000, 97],)], naming="ids")


@check("test_Tokenizer", points=0.5)
def decode_leaves_its_list(Tokenizer):
    """`decode` leaves its list of ids as it was."""
    lists = [([97, 257],), ([256, 98, 256],), ([0xFF, 97, 258, 259],)]
    unchanged(made(Tokenizer, *SPECIAL).decode, lists, reference.Tokenizer(*SPECIAL).decode)


@check("test_Tokenizer", points=1)
def reads_files(Tokenizer):
    """`from_files` makes the same tokenizer from the two files as the docstring describes them."""
    start = made(Tokenizer, *PLAIN)
    for vocab, rules, *tokens in (PLAIN, SPECIAL, (vocab_of(ABC, *OVERLAPPING), ABC, ["<s><s>", "<s>"])):
        files = as_files(vocab, rules)
        right = reference.Tokenizer(vocab, rules, *tokens)
        texts = ["", "ab abc", "it'll", "é\n\n\nx", "<s>ab<s><s>", "  ab"]
        try:
            read = start.from_files.make(*files, *tokens)
        except StudentRaised as error:
            if isinstance(error.outcome, Raised):
                start.from_files.note((*files, *tokens), {}, Returned(wire.Opaque("Tokenizer")), error.outcome)
            raise
        agree(read.encode, right.encode, [(text,) for text in texts])
        agree(read.decode, right.decode, [(right.encode(text),) for text in texts])


# --- Tokenizer.encode_iterable: a list passes here where an iterator should be, as laziness has a check of its own ---


def as_ids(value: object) -> list:
    if isinstance(value, wire.Stream):
        return list(value.items)
    if isinstance(value, list | tuple):
        return list(value)
    raise WrongType(f"The answer must be an iterator over the ids; what came is {type_name(value)}.")


@check("test_Tokenizer", points=0.5)
def streams_lines(Tokenizer):
    """`encode_iterable` gives the ids of ordinary lines, one after the other."""
    lines = [(), ("ab\n",), ("ab abc\n", "c ab\n"), ("abc\n", "ab\n", "last line"), ("", "ab", ""), "c c\n"]
    streams = [one if type(one) is str else wire.Stream(one) for one in lines]
    agree_on(Tokenizer, SPECIAL, "encode_iterable", streams, as_ids)


@check("test_Tokenizer", points=1)
def streams_white_space(Tokenizer):
    """Blank lines and runs of white space may be cut anywhere: the ids are those of the joined text."""
    texts = [text for text in small_texts("a \n", 4) if len(text) > 1 and text[0] == "a"]
    streams = [wire.Stream(chunks) for text in texts for chunks in cuts(text)]
    lines = [("a\n", "\n", "\n", "b\n"), ("a:\n", "    a\n", "\n", "\n", "    a\n"), ("a \n", " \n", "  a")]
    lines += [("a\n\na a",), ("a  \n\nab ab", " "), ("a  \n\nab\n a a", "a")]
    agree_on(Tokenizer, PLAIN, "encode_iterable", [*streams, *map(wire.Stream, lines)], as_ids)


@check("test_Tokenizer", points=1.5)
def streams_any_cut(Tokenizer):
    """Text may be cut inside words, contractions and special tokens: the ids are those of the joined text."""
    texts = ["ab", "'ll", "a'll", "é!", "<s>", "a<s>b", "<s><s>", "<s><s>a", "s>s", "<s", "!\x1c", "a b<", "<s>s>"]
    streams = [wire.Stream(chunks) for text in texts for chunks in cuts(text)]
    rules = [*MIXED, (b"!", b"\x1c")]
    agree_on(Tokenizer, (vocab_of(rules, *OVERLAPPING), rules, OVERLAPPING), "encode_iterable", streams, as_ids)
    streams = [wire.Stream(chunks) for text in ("'ll", "a'll", "it've", "''l", " 'll") for chunks in cuts(text)]
    agree_on(Tokenizer, (vocab_of(rules), rules), "encode_iterable", streams, as_ids)
    streams = [wire.Stream(chunks) for text in ("a b", "aa b b", "a ba b") for chunks in cuts(text)]
    for spaced in (["a b", " b"], ["a b"]):
        agree_on(Tokenizer, (vocab_of(rules, *spaced), rules, spaced), "encode_iterable", streams, as_ids)


@check("test_Tokenizer", points=0.5, secret=True)
def streams_long_texts(Tokenizer, seeded):
    """The same for longer texts in chunks of all sizes."""
    tokens = ["<s>", "<s><s>"]
    rules = learnt(seeded, letters="ab'st \n1.é")
    parts = [random_text(seeded, 300, "ab'st \n1.é") + seeded.choice(tokens) for _ in range(6)]
    streams = [wire.Stream(chunked(seeded, "".join(parts), most)) for most in (2, 3, 7, 50)]
    longer = [random_text(seeded, 300, " \na'l") + seeded.choice(tokens) for _ in range(30)]
    streams += [wire.Stream(chunked(seeded, "".join(longer), 90))]
    agree_on(Tokenizer, (vocab_of(rules, *tokens), rules, tokens), "encode_iterable", streams, as_ids)


@check("test_Tokenizer", points=0.5)
def stream_leaves_its_list(Tokenizer):
    """The chunks may be a list, and `encode_iterable` leaves it as it was."""
    lists = [(["ab\n", "c ab"],), (["abc", "<s>", " ab", ""],), (["a", "b"],)]
    unchanged(made(Tokenizer, *SPECIAL).encode_iterable, lists, reference.Tokenizer(*SPECIAL).encode_iterable)


AHEAD = 500  # lines that may be read ahead of the ids given; a few are enough


@check("test_Tokenizer", points=1)
def streams_lazily(Tokenizer):
    """Ids come while text still comes in, also from a stream that never ends; only a little text is read ahead."""
    numbered = tuple(f"abc ab {number}\n" for number in range(3 * AHEAD))
    student = made(Tokenizer, *SPECIAL).encode_iterable
    right = reference.Tokenizer(*SPECIAL)
    failed: Failed | None = None
    one_word = (f"{'abc' * 4}\n", f"{'ab' * 6}\n", f"{'c' * 10}\n") * AHEAD
    for kind, lines, wanted in (
        ("lines", numbered, 10), ("lines", numbered, AHEAD // 2), ("lines", numbered, AHEAD),
        ("lines of one word", one_word, 10), ("lines of one word", one_word, AHEAD),
    ):
        take = len(right.encode("".join(lines[:wanted])))
        call = f"the first {take} ids of encode_iterable(<{len(lines)} {kind}>)"
        (got,) = student.outcomes([(wire.Stream(lines),)], options={"take": take, "arguments": True})
        given = run_trusted(right.encode_iterable, (wire.Stream(lines),), arguments=True, take=take)
        taken = lines_taken(got)
        if difference(given, got) is not None or taken is None:
            fail(call=call, expected=show_outcome(given), got=show_outcome(got))
        ahead = taken > wanted + AHEAD
        student.note((wire.Stream(lines),), {"\0arguments": True, "\0take": take}, given if ahead else got, got)
        if ahead and failed is None:
            failed = Failed("Give the ids that are settled before you ask for the next chunk.", Counterexample(
                call, f"at most {wanted + AHEAD} lines read", f"{taken} lines read"))
    if failed is not None:  # a stream without end is not for these
        raise failed
    endless, take = (wire.Endless(numbered[:50]),), 5_000
    (got,) = student.outcomes([endless], options={"take": take})
    given = run_trusted(right.encode_iterable, endless, take=take)
    if difference(given, got) is not None:
        fail(call=f"the first {take} ids of encode_iterable(<lines without end>)", expected=show_outcome(given),
             got=show_outcome(got))


def lines_taken(got: Outcome) -> int | None:
    """How many chunks the call took, as the snapshot tells."""
    after = getattr(got, "arguments", None)
    if isinstance(after, list) and after and isinstance(after[0], wire.Stream) and type(after[0].taken) is int:
        return after[0].taken
    return None


# --- to_tiktoken and to_huggingface --------------------------------------------------------------------------------

FOREIGN = [text for text in (*NASTY_TEXTS, *NASTY) if "\u200b" not in text]


def ids_agree(student: StudentFunction, args: tuple, texts: Iterable[str], kind: str, **kwargs: object) -> None:
    """The other library's object encodes every text as our tokenizer does."""
    right = reference.Tokenizer(*args)
    encode = made(student, double(right.vocab, right.merges, right.special_tokens), gives=kind).encode
    agree(encode, lambda text, **_: right.encode(text), [(text,) for text in texts], **kwargs)


@check("test_to_tiktoken", points=1)
def tiktoken_agrees(to_tiktoken):
    """The encoding gives your ids on ordinary text, short and nasty, and knows the bytes of each of them."""
    ids_agree(to_tiktoken, PLAIN, [*small_texts("ab ", 3), *FOREIGN, "a\n\n\nab"], "Encoding", allowed_special="all")
    bytes_of = made(to_tiktoken, double(*PLAIN), gives="Encoding").decode_single_token_bytes
    agree(bytes_of, PLAIN[0].__getitem__, [(number,) for number in PLAIN[0]])


@check("test_to_tiktoken", points=0.5)
def tiktoken_specials(to_tiktoken):
    """Special tokens have your ids, whether they lie among the learnt ones or behind them."""
    for vocab in (vocab_of(ABC, "<s>"), vocab_of(ABC), vocab_of(ABC, "<é>", "<s>")):
        texts = ["<s>", "ab<s>abc", "<é> ab<s><s>"]
        ids_agree(to_tiktoken, (vocab, ABC, ["<s>", "<é>"]), texts, "Encoding", allowed_special="all")


@check("test_to_tiktoken", points=0.5)
def tiktoken_merges_rules_only(to_tiktoken):
    """Entries of the vocabulary that no rule makes are no tokens for ordinary text."""
    texts = ["PAD", "PA", " PAD", "aPAD", "xy", "x y"]
    ids_agree(to_tiktoken, (vocab_of(ABC, "PAD", "xy"), ABC, []), texts, "Encoding", allowed_special="all")


@check("test_to_tiktoken", points=0.5)
def tiktoken_needs_ids_in_order(to_tiktoken):
    """Ids that do not grow with the rank of their rules raise ValueError that names merges."""
    swapped = vocab_of(ABC) | {256: b"abc", 257: b"ab"}
    last = vocab_of(ABC) | {256: b" ab", 258: b"ab"}
    refuses(to_tiktoken, (double(vocab_of(ABC), ABC),),
            [(double(vocab, ABC),) for vocab in (swapped, last)], naming="merges")


SHOWN = [double(vocab_of(ABC, *tokens), ABC, tokens) for tokens in ((), ("<s>",), ("<e>", "<s>"))]


@check("test_to_tiktoken", points=0.5)
def tiktoken_leaves_the_tokenizer(to_tiktoken):
    """Your tokenizer keeps its vocabulary, its rules and its special tokens as they were."""
    unchanged(to_tiktoken, [(tokenizer,) for tokenizer in SHOWN], exports.to_tiktoken)


@check("test_to_huggingface", points=1)
def huggingface_agrees(to_huggingface):
    """The tokenizer gives your ids on text that begins with a space, short and nasty."""
    ids_agree(to_huggingface, PLAIN, [" " + text for text in (*small_texts("ab ", 3), *FOREIGN)], "Tokenizer")


@check("test_to_huggingface", points=0.5)
def huggingface_adds_no_space(to_huggingface):
    """No space is put in front of a text that begins with a word."""
    ids_agree(to_huggingface, PLAIN, ["a", "ab", "'ll", "é ab", "ab\nab"], "Tokenizer")


@check("test_to_huggingface", points=0.5)
def huggingface_specials(to_huggingface):
    """Special tokens have your ids, whether they lie among the learnt ones or behind them; the longest wins."""
    for vocab in (vocab_of(ABC, "<s>"), vocab_of(ABC), vocab_of(ABC, "<s><s>", "<s>", "<é>")):
        args = (vocab, ABC, ["<s>", "<s><s>", "<é>"])
        ids_agree(to_huggingface, args, [" <s>", " ab<s> abc", " <s><s><s>", " <é> ab<s>", "<é>"], "Tokenizer")


@check("test_to_huggingface", points=0.5)
def huggingface_decodes(to_huggingface):
    """The tokenizer's `decode` gives the text back."""
    right = reference.Tokenizer(*PLAIN)
    decode = made(to_huggingface, double(*PLAIN), gives="Tokenizer").decode
    agree(decode, right.decode, [(right.encode(text),) for text in ("\nab", "\n ab  x", "\né漢\n\n", "\n😀 ab")])


@check("test_to_huggingface", points=0.5)
def huggingface_leaves_the_tokenizer(to_huggingface):
    """Your tokenizer keeps its vocabulary, its rules and its special tokens as they were."""
    unchanged(to_huggingface, [(tokenizer,) for tokenizer in SHOWN], exports.to_huggingface)


# --- plot_speed ----------------------------------------------------------------------------------------------------

MEASURED = [
    {"mine": {"bytes": 60, "tokens": 20, "seconds": 0.5}, "other": {"bytes": 60, "tokens": 30, "seconds": 0.25}},
    {name: {"bytes": 700, "tokens": size, "seconds": 2.0 / size} for name, size in (("c", 7), ("a", 5), ("b", 9))},
]


def drawn(plot_speed: StudentFunction, measured: dict) -> tuple[wire.Frame, wire.Figure, str]:
    call = plot_speed.text((measured,))
    frame, figure = figures.split(figures.ask(plot_speed, (measured,)), call, list(speeds(measured)))
    return frame, figure, call


@check("test_plot_speed", points=0.5)
def speed_table(plot_speed):
    """One row for each encoder in the order given, with its tokens per second and bytes per token."""
    for measured in MEASURED:
        frame, _, call = drawn(plot_speed, measured)
        for name, right in speeds(measured).items():
            if not figures.close(frame.data[name], right):
                fail(f"The column {name} is not right.", call=call, expected=right, got=frame.data[name])


@check("test_plot_speed", points=0.5)
def speed_figure(plot_speed):
    """The figure has titles and axis labels, and shows both columns as bars, lines or points, each at its encoder."""
    for measured in MEASURED:
        frame, figure, call = drawn(plot_speed, measured)
        figures.labelled(figure, call, legend=False)
        for name in ("tokens_per_second", "bytes_per_token"):
            if not all(type(value) in (int, float) for value in frame.data[name]):
                fail(f"The column {name} must hold numbers.", call=call, expected="numbers", got=frame.data[name])
            figures.names_stand_at(figure, call, name, frame.data["encoder"], frame.data[name])


@check("test_plot_speed", points=0.5)
def measured_unchanged(plot_speed):
    """The dictionary of measurements and each dictionary in it stay as they were."""
    figures.arguments_stay(plot_speed, [(measured,) for measured in MEASURED], list(speeds(MEASURED[0])))
