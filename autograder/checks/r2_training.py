"""Checks of `train_bpe` under rule set R2, for every chapter that has one: functions that take the student's function.

A chapter makes checks of them with its own points: `ties = check("test_train_bpe", points=0.5)(r2_training.ties)`.
Each is about one idea: the small inputs are chosen by what happens when the reference trains on them (ties, runs,
counts of 1, stopping), so that a mistake costs the checks of its own idea. Merges are compared apart from the
vocabulary, and the vocabulary's entries apart from their numbers. Lists and tuples count alike.
"""

import functools
import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from autograder.checks.api import (
    Counterexample,
    Failed,
    WrongType,
    difference,
    failure,
    refuses,
    run_trusted,
    type_name,
    unchanged,
)
from autograder.checks.inputs import texts
from autograder.checks.outcomes import Outcome, Raised, Returned
from autograder.checks.session import StudentFunction
from autograder.checks.show import show, show_outcome
from autograder.reference import pretokenized_bpe as reference
from autograder.sandbox.inside.wire import File

__all__ = [
    "SEVERAL", "boundaries", "bytes_not_characters", "corpus", "empty_files", "entries", "invalid_utf8",
    "largest_count", "later_rounds", "line_ends_kept", "longest_special", "merges_agree", "merges_of",
    "no_special_tokens", "numbering", "pairs_run_out", "parts_apart", "pretoken_numbers", "random_corpus",
    "regex_characters", "runs", "single_places", "small_words", "special_tokens_refused", "special_tokens_unchanged",
    "specials_left_out", "ties", "ties_among_bytes", "ties_among_merged", "vocab_size_refused",
    "white_space_beside_specials", "whole_files",
]

END = "<|endoftext|>"
MOST = 24  # small inputs of one check: each answer carries a vocabulary of over 256 entries

Args = tuple[File, int, list[str]]
Judge = Callable[[Sequence[str], dict[int, bytes], list[list[bytes]]], tuple[str, str] | None]


def corpus(text: str | bytes, merges: int, special_tokens: Sequence[str] = ()) -> Args:
    """Arguments of `train_bpe`: a file that holds `text`, room for so many merges, the special tokens."""
    content = text if isinstance(text, bytes) else text.encode("utf-8")
    return File("corpus.txt", content), 256 + len(special_tokens) + merges, list(special_tokens)


# --- reading answers -----------------------------------------------------------------------------------------------


def parts_of(value: object) -> tuple[dict[int, bytes], list[list[bytes]]]:
    """The vocabulary and the merges of an answer, pairs as lists; `WrongType` says what else came."""
    if not (isinstance(value, list | tuple) and len(value) == 2):
        raise WrongType(f"The answer must be the pair (vocab, merges), not a {type_name(value)}.")
    vocab, merges = value
    if not isinstance(vocab, dict):
        raise WrongType(f"The vocabulary must be a dict from id to bytes, not a {type_name(vocab)}.")
    if not isinstance(merges, list | tuple):
        raise WrongType(f"The merges must be a list of pairs, not a {type_name(merges)}.")
    for key, piece in vocab.items():
        if type(key) is not int or type(piece) is not bytes:
            raise WrongType(f"The vocabulary must map int to bytes; it holds {show(key)}: {show(piece)}.")
    for rank, pair in enumerate(merges):
        if not (isinstance(pair, list | tuple) and len(pair) == 2 and all(type(part) is bytes for part in pair)):
            raise WrongType(f"Merge {rank} must be a pair of bytes, not {show(pair)}.")
    return vocab, [list(pair) for pair in merges]


def merges_of(value: object) -> list[list[bytes]]:
    """The merges of an answer; the vocabulary has checks of its own."""
    return parts_of(value)[1]


def right_outcome(file: File, vocab_size: int, special_tokens: Sequence[str]) -> Outcome:
    """What the reference answers; it is asked once for each call, as the same small inputs come for every student."""
    return known_outcome(file, vocab_size, tuple(special_tokens))


@functools.lru_cache(4_096)
def known_outcome(file: File, vocab_size: int, special_tokens: tuple[str, ...]) -> Outcome:
    return run_trusted(reference.train_bpe, (file, vocab_size, list(special_tokens)))


def in_words(outcome: Outcome) -> str:
    """The merges of an outcome as text, or what else came."""
    if isinstance(outcome, Returned):
        try:
            return f"merges {show([tuple(pair) for pair in merges_of(outcome.value)])}"
        except WrongType:
            pass
    return show_outcome(outcome)


def merges_agree(train_bpe: StudentFunction, inputs: Iterable[Args], *, number: bool = False) -> None:
    """The right pairs are merged, in the right order; the smallest input of another answer becomes the example.

    More merges than there is room for count as wrong where it is about their `number` only.
    """
    normal_for = (lambda args: merges_of) if number else up_to_asked
    calls = list(inputs)
    wrong: tuple | None = None
    for args, got in zip(calls, train_bpe.outcomes(calls), strict=True):
        right = right_outcome(*args)
        train_bpe.note(args, {}, right, got)
        normal = normal_for(args)
        if wrong is None and (reason := difference(right, got, normal)) is not None:
            wrong = args, right, got, normal, reason
    if wrong is not None:
        raise failure(train_bpe, *wrong, shown=lambda right, got: (in_words(right), in_words(got)))


def up_to_asked(args: Args) -> Callable[[object], list]:
    """A normaliser: the merges of an answer without those for which there is no room."""
    _, vocab_size, special_tokens = args
    room = max(vocab_size - 256 - len(special_tokens), 0)
    return lambda value: merges_of(value)[:room]


def vocabularies_agree(train_bpe: StudentFunction, inputs: Iterable[Args], judge: Judge) -> None:
    """`judge(special_tokens, vocab, merges)` finds nothing wrong; it says what it expected and what it got.

    The merges are the student's own, so that a wrong merge costs nothing here.
    """
    calls = list(inputs)
    failed: Failed | None = None
    for args, got in zip(calls, train_bpe.outcomes(calls), strict=True):
        right = right_outcome(*args)
        train_bpe.note(args, {}, right, got)
        if failed is not None:
            continue
        call = train_bpe.text(args)
        if not isinstance(got, Returned):
            failed = Failed(difference(right, got) or "", Counterexample(call, "(vocab, merges)", show_outcome(got)))
            continue
        try:
            found = judge(args[2], *parts_of(got.value))
        except WrongType as error:
            failed = Failed(str(error), Counterexample(call, "(vocab, merges)", show_outcome(got)))
            continue
        if found is not None:
            failed = Failed("", Counterexample(call, *found))
    if failed is not None:
        raise failed


# --- small inputs, by what happens on them -------------------------------------------------------------------------


@functools.cache
def histories(number: int) -> tuple[tuple[str, list[reference.Round]], ...]:
    """All small words, shorter ones first, with what happens when so many copies of one are trained on."""
    small = sorted({*texts("ab", 8, 2), *texts("abc", 6, 2)}, key=lambda word: (len(word), word))
    return tuple(
        (word, reference.rounds({tuple(bytes([byte]) for byte in word.encode()): number}, 3)) for word in small
    )


def tie_in(history: Sequence[reference.Round]) -> bool:
    return any(len(one.tied) > 1 for one in history)


def overlap_in(history: Sequence[reference.Round]) -> bool:
    """Whether three equal symbols stand side by side before any of these rounds."""
    return any(
        a == b == c
        for one in history for symbols in one.before
        for a, b, c in zip(symbols, symbols[1:], symbols[2:], strict=False)
    )


def small_words(
    merges: int, wanted: Callable[[list[reference.Round]], bool], *, copies: int = 2, most: int = MOST
) -> list[tuple[str, int]]:
    """The first small words in whose training so many rounds happen and are as `wanted`, with the number of merges.

    With two copies every count is at least 2, so that nothing turns on where training stops.
    """
    found = (
        (word, merges) for word, history in histories(copies)
        if len(history) >= merges and wanted(history[:merges])
    )
    return list(itertools.islice(found, most))


def files(words: Iterable[tuple[str, int]], copies: int = 2) -> list[Args]:
    """Files that hold a word so many times, one a line: a single line end is a pre-token of its own without a pair."""
    return [corpus("\n".join([word] * copies), merges) for word, merges in words]


# --- which pair is merged ------------------------------------------------------------------------------------------


def largest_count(train_bpe: StudentFunction) -> None:
    """Without ties and runs the pair with the highest count is merged first."""
    merges_agree(train_bpe, [
        *files(small_words(1, lambda h: not tie_in(h) and not overlap_in(h))),
        corpus("slow slo lo", 1),
    ])


def pretoken_numbers(train_bpe: StudentFunction) -> None:
    """A pair counts as often as the pre-tokens that hold it stand in the file."""
    small = [word for word in texts("abc", 2, 2) if word[0] != word[1]]
    counted = [
        (first, second, number)
        for number in (2, 3) for first, second in itertools.permutations(small, 2)
    ]
    merges_agree(train_bpe, [
        corpus("aa\naa\nab", 1),
        *(corpus("\n".join([first] * number + [second]), 1) for first, second, number in counted[:MOST]),
        corpus("ababab\ncd\ncd\ncd\ncd", 1),
    ])


def ties(train_bpe: StudentFunction) -> None:
    """A tie goes to the greatest pair: first parts are compared, and second parts where those are equal."""
    merges_agree(train_bpe, [
        *files(small_words(1, lambda h: tie_in(h) and not overlap_in(h))),
        *(corpus(text * 2, 1) for text in ("ab\nac\n", "ac\nab\n", "bz\nca\n", "ca\nbz\n")),
    ])


def ties_among_merged(train_bpe: StudentFunction) -> None:
    """In later rounds, too, a tie is decided by the bytes of the two parts: not by ids, nor by the joined bytes."""
    merges_agree(train_bpe, files([
        *small_words(2, lambda h: not tie_in(h[:1]) and tie_in(h[1:]) and not overlap_in(h), most=12),
        *small_words(3, lambda h: not tie_in(h[:2]) and tie_in(h[2:]) and not overlap_in(h), most=12),
    ]))


def ties_among_bytes(train_bpe: StudentFunction) -> None:
    """Bytes are compared as numbers from 0 to 255, whatever they look like when shown: also spaces and parts of é."""
    tied = [" a\nbc\n", "bc\n a\n", "zy\nñ\n", "ñ\nzy\n", "é\nñ\n", "ñ\né\n", "à\né\n", "é\nà\n", "~!\n~\0\n"]
    merges_agree(train_bpe, [corpus(text * 2, 1) for text in tied])


def single_places(train_bpe: StudentFunction) -> None:
    """There is no least count: a pair that stands at one place only is merged too."""
    words = [
        *small_words(1, lambda h: h[-1].count == 1 and not tie_in(h) and not overlap_in(h), copies=1, most=12),
        *small_words(2, lambda h: h[-1].count == 1 and not tie_in(h) and not overlap_in(h), copies=1, most=12),
    ]
    merges_agree(train_bpe, [*files(words, copies=1), corpus("ab\nab\nabz", 2)])


def runs(train_bpe: StudentFunction) -> None:
    """In a run of equal symbols every overlapping place counts, and they are merged from the left, each used once."""
    merges_agree(train_bpe, files(
        (word, merges) for merges in (1, 2, 3)
        for word, _ in small_words(merges, lambda h: overlap_in(h) and not tie_in(h), most=12)
    ))


def later_rounds(train_bpe: StudentFunction) -> None:
    """After a merge the new symbol and its neighbours form new pairs, which later rounds count and merge."""
    small = [
        (word, merges) for merges in (2, 3)
        for word, _ in small_words(merges, lambda h: not overlap_in(h) and not tie_in(h), most=12)
    ]
    merges_agree(train_bpe, [*files(small), *(corpus(words.replace(" ", "\n"), merges) for words, merges in SEVERAL)])


# The second or third merge is of a pair whose count has fallen since, and whose bytes begin or end in other symbols; or
# each merge is of a symbol that the one before made.
SEVERAL = [
    ("abp abq abr abs abt bcu bcv bcw abcx abcy", 3), ("pbc qbc rbc sbc tbc uab vab wab xabc yabc", 3),
    ("abp abcq abcdr abcdes abcdet", 4), ("pde qcde rbcde sabcde tabcde", 4),
]


def boundaries(train_bpe: StudentFunction) -> None:
    """No pair reaches from one pre-token of GPT-2's pattern into the next; a space belongs to the word behind it."""
    merges_agree(train_bpe, [
        corpus("xa\nxa\nya\nza\nwa", 1), corpus("dx ax bx cx\ndx", 1), corpus("x a\ny a\nz a", 1),
        corpus("xa1\nya1\nza1\nxa", 1), corpus("a's b's c's", 1), corpus("xa.\nya.\nza.\nxa", 1),
        corpus("é1\ní1\né", 1), corpus("x  a\ny  a\nz  c", 1), corpus("a\n\n\nb\n\n\nc", 1),
    ])


def bytes_not_characters(train_bpe: StudentFunction) -> None:
    """Symbols are single bytes at first: the two bytes of é are a pair that must be merged."""
    merges_agree(train_bpe, [
        corpus("é1é", 1), corpus("é1é1é1ab", 1), corpus("ж1ж2ж3é4é5", 2), corpus("안1안2았3", 2),
        corpus("🌍1🌍2💡3", 1),
    ])


# --- the file, and where training stops ----------------------------------------------------------------------------


def empty_files(train_bpe: StudentFunction) -> None:
    """A file that is empty or holds special tokens only teaches no merges and is no error."""
    merges_agree(train_bpe, [
        corpus("", 0), corpus("", 5), corpus("", 5, [END]), corpus(END, 5, [END]), corpus(END * 3, 5, [END]),
        corpus("<a><b><a>", 5, ["<a>", "<b>"]),
        corpus("ab\nab", 1),  # an answer without merges is no answer to every file
    ])
    vocabularies_agree(train_bpe, [corpus("", 0)], other_entries)


def pairs_run_out(train_bpe: StudentFunction) -> None:
    """Training stops when no pair is left, however large the vocabulary may be, which then stays smaller."""
    inputs = [corpus("a", 3), corpus("ab\nab", 744), corpus("ab\nab\nab", 5), corpus("abab\nabab", 9)]
    merges_agree(train_bpe, inputs)
    vocabularies_agree(train_bpe, inputs, other_entries)


def line_ends_kept(train_bpe: StudentFunction) -> None:
    r"""The file is read as it is: \r\n stays two bytes, \r alone stays \r, and the ends of the text stay."""
    merges_agree(train_bpe, [
        corpus("\n \n ", 1), corpus("\t \t ", 1),
        corpus("a\r\n b\r\n c", 1), corpus("b\r\n a\r\n a\r\n a\r\n c", 1), corpus("a\r\r\rb\r\r\rc", 1),
        corpus("ab\r\n\tab\r\n\tab", 2),
    ])


def invalid_utf8(train_bpe: StudentFunction) -> None:
    """A file that is not UTF-8 raises a UnicodeDecodeError with the offset of the first wrong byte in the file."""
    contents = [
        (b"\xff", 0), (b"ab\xffcd", 2), ("éé".encode() + b"\x80", 4), (b"a\r\nb\xc3\n", 4), (b"abc\xe2\x82", 3),
        (b"\xed\xa0\x80", 0), (b"ab\n" * 5_000 + b"\xff\n", 15_000),
    ]
    calls = [corpus(content, 3) for content, _ in contents]
    failed: Failed | None = None
    for args, got, (_, offset) in zip(calls, train_bpe.outcomes(calls), contents, strict=True):
        right = right_outcome(*args)
        train_bpe.note(args, {}, right, got)
        if failed is not None:
            continue
        example = Counterexample(train_bpe.text(args), show_outcome(right), in_words(got))
        if (reason := difference(right, got)) is not None:
            failed = Failed(reason, example)
        elif isinstance(got, Raised) and not re.search(rf"\b{offset}\b", got.message):
            failed = Failed(f"The first wrong byte stands at offset {offset} of the file.", example)
    if failed is not None:
        raise failed


# --- special tokens ------------------------------------------------------------------------------------------------


def specials_left_out(train_bpe: StudentFunction) -> None:
    """A special token is no part of the training text: nothing inside it is counted or merged."""
    merges_agree(train_bpe, [
        corpus(f"ab {END}{END}{END}ab", 1, [END]), corpus(f"{END}ab{END}ab{END}", 1, [END]),
        corpus("xy[PAD]xy[PAD][PAD][PAD]", 1, ["[PAD]"]), corpus("ab<s>ab<e>cd<e><e><e><s><s>", 1, ["<s>", "<e>"]),
        corpus("ab특수ab특수특수특수", 1, ["특수"]), corpus("ab an end an end an end ab", 1, [" an end"]),
    ])


def parts_apart(train_bpe: StudentFunction) -> None:
    """The text before a special token and the text behind it are apart: no pre-token reaches over it."""
    merges_agree(train_bpe, [
        corpus("\n".join([f"ab{END}c"] * 3), 1, [END]),
        corpus("a<s>b\na<s>b\na<s>b\ncd\ncd", 1, ["<s>"]),
        corpus("1<s>2 1<s>2 1<s>2 1<s>2\n34\n34", 1, ["<s>"]),
        corpus(f"{END}x{END}y{END}" * 4 + "zw\nzw", 1, [END]),
    ])


def white_space_beside_specials(train_bpe: StudentFunction) -> None:
    r"""White space before a special token ends its part of the text, so `\s+(?!\S)` keeps all of it together."""
    merges_agree(train_bpe, [
        corpus("x  <s>x  <s>x", 1, ["<s>"]), corpus("x \n<s>x \n<s>x\n\n", 1, ["<s>"]),
        corpus("\t\t<s>y\t\t<s>x", 1, ["<s>"]), corpus("x\t<s>\tx\t<s>\tx\t<s>\tab\nab", 1, ["<s>"]),
        corpus("x <s>\tx <s>\tx <s>\tcd\ncd", 1, ["<s>"]), corpus(f"a\n\n{END}b\n\n{END}c\n\n{END}", 1, [END]),
        corpus(f"one. \n{END}\ntwo. \n{END}\n", 1, [END]),
    ])


def longest_special(train_bpe: StudentFunction) -> None:
    """Where several special tokens start at one place the longest is taken, in whatever order they are given."""
    merges_agree(train_bpe, [
        corpus(text, 1, tokens)
        for text, short, long in (
            ("ab\nab\n<s>zzz\n<s>zzz", "<s>", "<s>zzz"), ("pq\npq\nENDzy\nENDzy", "END", "ENDzy"),
            (f"ab{END}{END}zzab{END}{END}zz", END, f"{END}{END}zz"),
        )
        for tokens in ([short, long], [long, short])
    ])


def regex_characters(train_bpe: StudentFunction) -> None:
    """Characters of a special token that mean something in a regular expression stand for themselves."""
    merges_agree(train_bpe, [
        corpus("az\naz\naz\nxy\nxy\na.", 1, ["a."]), corpus("xz\nxz\n[xyz]", 1, ["[xyz]"]),
        corpus("ab(ab(ab(", 1, ["("]),
        corpus("bb\nbb\nb+", 1, ["b+"]), corpus("<<\n<<\nab<|e|>", 1, ["<|e|>"]), corpus("12\n12\n\\d", 1, [r"\d"]),
        corpus("aab\nab\na*\nab", 1, ["a*"]), corpus("ab$\nab$", 1, ["$"]), corpus("ab^\nab^", 1, ["^"]),
    ])


def no_special_tokens(train_bpe: StudentFunction) -> None:
    """Without special tokens the whole file is text, also what looks like a special token."""
    merges_agree(train_bpe, [
        corpus("ab\nab", 1), corpus("ab ab cd", 1), corpus("abab\nabab", 2), corpus(f"{END}{END}nd\nxy\nxy", 1),
        corpus("ab\n\nab\n\nab", 1),
        # Cut at each of the three, as whoever counts in several processes may do, these have fewer pairs of > and <.
        corpus(f"{END * 3} >< ><", 1), corpus(f"{END * 3}\n><\n><", 1),
    ])


def special_tokens_refused(train_bpe: StudentFunction) -> None:
    """Special tokens that are empty or repeated are refused with a ValueError that names special_tokens."""
    calls = [[""], ["<s>", ""], ["<s>", "<s>"], [END, "<s>", END]]
    refuses(train_bpe, corpus("ab<s>ab", 1, ["<s>"]),
            [corpus("ab<s>ab", 9, tokens) for tokens in calls], naming="special_tokens")


def special_tokens_unchanged(train_bpe: StudentFunction) -> None:
    """The list of special tokens, and the file, are left as they were."""
    lists = (["<s>"], ["<s>", "<longer>"], ["<longer>", "<s>"], ["<b>", "<a>"], [])
    unchanged(train_bpe, [corpus("ab<s>ab<longer>cd", 2, tokens) for tokens in lists], reference.train_bpe)


# --- the vocabulary ------------------------------------------------------------------------------------------------

VOCABULARIES = [
    corpus("a", 0), corpus("ab\nab", 1), corpus("ab\nab\nabc\nabc", 2), corpus("ab\nab", 0, ["<s>"]),
    corpus("ab\nab", 1, ["<s>"]), corpus("xyaxy", 1, ["a"]),
    corpus("ab<z>ab<a>abc\nabc", 2, ["<z>", "<a>"]), corpus("ab\nab", 1, ["<short>", "<s>", "<the longest>"]),
    corpus("é1é2é3", 1, ["특수"]),
]


def other_entries(special_tokens: Sequence[str], vocab: dict, merges: list) -> tuple[str, str] | None:
    """What the vocabulary should hold by its merges, and what is missing or too much; nothing where that is right."""
    wanted = Counter(reference.number_vocabulary(special_tokens, [tuple(pair) for pair in merges]).values())
    given = Counter(vocab.values())
    if wanted == given:
        return None
    missing, extra = list((wanted - given).elements()), list((given - wanted).elements())
    return (f"{wanted.total()} entries: bytes, special tokens, merges",
            f"{given.total()} entries; missing {show(missing)}, too many {show(extra)}")


def vocab_size_refused(train_bpe: StudentFunction) -> None:
    """A vocab_size without room for the 256 bytes and the special tokens is refused with a ValueError that names it."""
    calls = [(255, []), (0, []), (-1, []), (256, ["<s>"]), (257, ["<s>", "<t>"])]
    file = File("corpus.txt", b"ab ab")
    refuses(train_bpe, (file, 256, []), [(file, size, tokens) for size, tokens in calls], naming="vocab_size")


def entries(train_bpe: StudentFunction) -> None:
    """The vocabulary holds the 256 bytes, each special token and each merge's bytes, and no more than asked for."""

    vocabularies_agree(train_bpe, VOCABULARIES, other_entries)
    as_many_as_asked(train_bpe)


def as_many_as_asked(train_bpe: StudentFunction) -> None:
    """Merges end when the vocabulary has the size that was asked for."""
    text = "gh\n" * 5 + "ef\n" * 4 + "cd\n" * 3 + "ab\n" * 2
    lists = ([], ["<s>"], ["<s>", "<t>", "<u>"])
    asked = [corpus(text, merges, tokens) for tokens in lists for merges in (0, 1, 3)]
    merges_agree(train_bpe, asked, number=True)


def numbering(train_bpe: StudentFunction) -> None:
    """Ids are in order: the 256 bytes by value, the special tokens in the order given, then the merges as learnt."""

    def judge(special_tokens: Sequence[str], vocab: dict, merges: list) -> tuple[str, str] | None:
        wanted = reference.number_vocabulary(special_tokens, [tuple(pair) for pair in merges])
        for number in sorted({*wanted, *vocab}):
            if wanted.get(number) != vocab.get(number):
                return tuple(  # type: ignore[return-value]
                    f"vocab[{number}] is {show(some[number])}" if number in some else f"no id {number}"
                    for some in (wanted, vocab)
                )
        return None

    vocabularies_agree(train_bpe, VOCABULARIES, judge)


# --- large files ---------------------------------------------------------------------------------------------------


def random_corpus(seeded: random.Random, words: int, special_tokens: Sequence[str]) -> str:
    """Words of few letters and several scripts, runs, numbers, signs, white space of all kinds, and special tokens."""
    letters = [*seeded.sample("abcdefghijklmnop", 6), "é", "ж", "안"]
    likely = [9, 7, 5, 3, 2, 2, 1, 1, 1]
    stems = ["".join(seeded.choices(letters, likely, k=seeded.randint(1, 6))) for _ in range(words // 6 + 1)]
    stems += ["aaaa", "abab", "bbbbb", "ll", "can't", "we'll", "2024", "11", "...", "?!"]
    weights = [1 / rank for rank in range(1, len(stems) + 1)]
    between = [" "] * 12 + ["\n", "\n\n", "  ", " \n ", "\r\n ", "\t", ", ", ""]
    between += [space + token for token in special_tokens for space in ("", "  ", "\n")]
    return "".join(word + seeded.choice(between) for word in seeded.choices(stems, weights, k=words))


def whole_files(train_bpe: StudentFunction, seeded: random.Random) -> None:
    """On longer files, with runs, ties, several scripts and special tokens, all merges are right."""
    tokens = [END, "<|pad|>"]
    merges_agree(train_bpe, [
        *(corpus(random_corpus(seeded, words, tokens), words // 2, tokens) for words in (20, 60, 120)),
        corpus(random_corpus(seeded, 300, []), 40),
        corpus(random_corpus(seeded, 300, tokens), 40, tokens),
        corpus("\ufeff", 2),  # a mark at the start of a file is text, too
    ])
