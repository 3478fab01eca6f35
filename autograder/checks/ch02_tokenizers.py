"""Hidden checks of chapter 2: characters, bytes, words, and the compression ratio."""

import itertools
import random
from collections.abc import Callable, Iterable, Iterator, Sequence

from autograder.checks import figures
from autograder.checks.api import Failed, WrongType, agree, at_work, check, fail, refuses, same, type_name, unchanged
from autograder.checks.outcomes import Returned
from autograder.checks.session import StudentFunction
from autograder.checks.show import show, show_outcome
from autograder.checks.tables import columns, ordered, plain_number
from autograder.reference import simple_tokenizers, token_statistics
from autograder.sandbox.inside.wire import Double, Figure, Frame

# --- inputs --------------------------------------------------------------------------------------------------------

CHARACTERS = ["a", "\0", "\n", "\x7f", "\x80", "é", "ß", "न", "한", "\u2028", "\ufffd", "🌍", "\U0010ffff"]
# One sign on paper, several characters.
CLUSTERS = ["e\u0301", "🇰🇷", "👩\u200d👩\u200d👧", "\u1112\u1161\u11ab", "नि", "\ufeffa"]
SURROGATES = ["\ud800", "\udfff", "a\udc80", "\udc00\ud800"]
LETTERS = "aé한🌍\n"
BROKEN = [[0x80], [0xC3], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [97, 0xE2, 0x82], [0xF0, 0x9F, 0x8C], [0xA9, 0xC3]]


def small_texts(letters: str = LETTERS, longest: int = 3) -> Iterator[tuple[str]]:
    """Every text over a few letters, one argument each, in order of length."""
    for length in range(longest + 1):
        for letters_of_one in itertools.product(letters, repeat=length):
            yield ("".join(letters_of_one),)


def random_text(source: random.Random, length: int) -> str:
    """Characters from every plane but no surrogates."""
    limits = (0x80, 0x800, 0xD800, 0x110000)
    codes = (source.randrange(source.choice(limits)) for _ in range(length))
    return "".join(chr(code) for code in codes if not 0xD800 <= code <= 0xDFFF)


def random_prose(source: random.Random, words: int) -> str:
    """Words of a small invented language with skewed counts, punctuation and line breaks."""
    lexicon = ["".join(source.choices("abdeiknost", k=source.randint(1, 7))) for _ in range(40)]
    weights = [1 / rank for rank in range(1, 41)]
    separators = source.choices([" ", ", ", ".\n", " — ", "\n\n"], weights=[12, 3, 2, 1, 1], k=words)
    return "".join(w + s for w, s in zip(source.choices(lexicon, weights, k=words), separators, strict=True))


def to_nine_digits(value: object) -> object:
    """Floats are compared up to rounding, so the order of operations does not matter."""
    return round(value, 9) if isinstance(value, float) else value


# --- the compression ratio -----------------------------------------------------------------------------------------


@check("test_get_compression_ratio", points=0.5)
def divides_bytes_by_tokens(get_compression_ratio):
    """The ratio is bytes divided by tokens: a text of 4 ASCII letters in 2 tokens has ratio 2.0."""
    inputs = [("a" * size, [7, 8, 7, 7, 300, 8][:tokens]) for size in range(1, 7) for tokens in range(1, 7)]
    agree(get_compression_ratio, token_statistics.get_compression_ratio, inputs, normal=to_nine_digits)


@check("test_get_compression_ratio", points=1)
def counts_bytes_not_characters(get_compression_ratio):
    """The length of the text is counted in UTF-8 bytes, so a letter with an accent counts as two."""
    texts = [*CHARACTERS, *CLUSTERS, *(text for (text,) in small_texts("é한🌍", 3) if text)]
    inputs = [(text, list(range(tokens))) for text in texts for tokens in (1, 2, 3)]
    agree(get_compression_ratio, token_statistics.get_compression_ratio, inputs, normal=to_nine_digits)


@check("test_get_compression_ratio", points=0.5)
def refuses_an_empty_string(get_compression_ratio):
    """The ratio of an empty string is undefined: a ValueError names string."""
    refuses(get_compression_ratio, ("a", [1]), [("", [1]), ("", [1, 2]), ("", [])], naming="string")


@check("test_get_compression_ratio", points=0.5)
def refuses_no_tokens(get_compression_ratio):
    """No tokens cannot stand for a text: a ValueError names indices."""
    refuses(get_compression_ratio, ("a", [1]), [("a", []), ("é", []), ("ab\n", [])], naming="indices")


@check("test_get_compression_ratio", points=0.5, needs=["divides_bytes_by_tokens"])
def leaves_the_list_as_it_was(get_compression_ratio):
    """The list of ids is the same after the call."""
    unchanged(get_compression_ratio, [("ab", [3, 1]), ("ab", [1, 1, 1]), ("é", [2])])


# --- characters ----------------------------------------------------------------------------------------------------


@check("test_CharacterTokenizer", points=1)
def encode_gives_code_points(CharacterTokenizer):
    """encode gives one id for each character, its code point; nothing is normalised, joined or left out."""
    encode = CharacterTokenizer.make().encode
    inputs = [("",), *((text,) for text in (*CHARACTERS, *CLUSTERS, *SURROGATES)), *small_texts()]
    agree(encode, simple_tokenizers.CharacterTokenizer().encode, inputs)


@check("test_CharacterTokenizer", points=1)
def decode_gives_characters(CharacterTokenizer):
    """decode gives the characters with these code points as one str."""
    decode = CharacterTokenizer.make().decode
    texts = ["", *CHARACTERS, *CLUSTERS, *SURROGATES, *(text for (text,) in small_texts())]
    agree(decode, simple_tokenizers.CharacterTokenizer().decode, [(list(map(ord, text)),) for text in texts])


@check("test_CharacterTokenizer", points=0.5, secret=True)
def characters_come_back(CharacterTokenizer, seeded):
    """A long text of every script comes back unchanged from decode(encode(text))."""
    tokenizer = CharacterTokenizer.make()
    for text in (random_text(seeded, 400) for _ in range(20)):
        got = tokenizer.decode(tokenizer.encode(text))
        if not same(got, text):
            fail(call=f"decode(encode({show(text)}))", expected=text, got=got)
    at_work(tokenizer.encode, [("a",), ("bc",)], simple_tokenizers.CharacterTokenizer().encode)


@check("test_CharacterTokenizer", points=0.5)
def refuses_ids_beyond_unicode(CharacterTokenizer):
    """decode raises ValueError for an id that is no code point."""
    decode = CharacterTokenizer.make().decode
    refuses(decode, ([97],), [([-1],), ([0x110000],), ([97, 0x110000],), ([97, -5, 98],)])


@check("test_CharacterTokenizer", points=0.5)
def refuses_very_large_ids(CharacterTokenizer):
    """decode raises ValueError, and no other error, however large the id is."""
    decode = CharacterTokenizer.make().decode
    refuses(decode, ([97],), [([2**31],), ([97, 2**63],), ([-(2**40)],), ([10**30],)])


@check("test_CharacterTokenizer", points=0.5, needs=["decode_gives_characters"])
def decode_leaves_its_list(CharacterTokenizer):
    """decode leaves its list of ids as it was."""
    unchanged(CharacterTokenizer.make().decode, [([97],), ([97, 98],), ([128, 0x1F30D, 97],)])


# --- bytes ---------------------------------------------------------------------------------------------------------


@check("test_ByteTokenizer", points=1)
def encode_gives_utf8_bytes(ByteTokenizer):
    """encode gives the bytes of the UTF-8 form as a list of ints, so the compression ratio is always 1."""
    inputs = [("",), *((text,) for text in (*CHARACTERS, *CLUSTERS)), *small_texts()]
    agree(ByteTokenizer.make().encode, simple_tokenizers.ByteTokenizer().encode, inputs)


@check("test_ByteTokenizer", points=1)
def decode_joins_bytes_first(ByteTokenizer):
    """decode reads all bytes together: a character may take up to four of them."""
    texts = ["", *CHARACTERS, *CLUSTERS, *(text for (text,) in small_texts())]
    inputs = [(list(text.encode()),) for text in texts]
    agree(ByteTokenizer.make().decode, simple_tokenizers.ByteTokenizer().decode, inputs)


@check("test_ByteTokenizer", points=0.5)
def refuses_broken_utf8(ByteTokenizer):
    """decode raises UnicodeDecodeError for bytes that are not UTF-8; it repairs and drops nothing."""
    decode = ByteTokenizer.make().decode
    refuses(decode, ([97],), [(data,) for data in BROKEN], error="UnicodeDecodeError")


@check("test_ByteTokenizer", points=0.5)
def refuses_what_is_no_byte(ByteTokenizer):
    """decode raises ValueError for an id outside 0 to 255."""
    decode = ByteTokenizer.make().decode
    refuses(decode, ([97],), [([256],), ([-1],), ([97, 353],), ([-159],), ([97, 2**70],)])


@check("test_ByteTokenizer", points=0.5)
def refuses_surrogates(ByteTokenizer):
    """encode raises UnicodeEncodeError for a surrogate, which UTF-8 cannot hold."""
    encode = ByteTokenizer.make().encode
    refuses(encode, ("a",), [(text,) for text in SURROGATES], error="UnicodeEncodeError")


@check("test_ByteTokenizer", points=0.5, needs=["decode_joins_bytes_first"])
def decode_leaves_its_bytes(ByteTokenizer):
    """decode leaves its list of ids as it was."""
    unchanged(ByteTokenizer.make().decode, [([97],), ([97, 98],), ([195, 169, 97],)])


# --- the lost character --------------------------------------------------------------------------------------------


@check("test_lost_character", points=1)
def names_what_is_lost(lost_character):
    r"""The pieces of \w+|. joined give back the whole text but for this one character."""
    value = lost_character.value()
    lost_character.note((), {}, Returned("\n"), Returned(value))
    if same(value, "\n"):
        return
    hint = "It is one character: set the name to a str of length 1."
    if isinstance(value, str) and len(value) == 1:
        hint = "The pattern finds this one. Which character does the text hold that no piece holds?"
    fail(hint, call="lost_character", expected="the character that no piece holds", got=value)


# --- words ---------------------------------------------------------------------------------------------------------

Training = tuple[list[str], int]


def agree_on_words(
    student: StudentFunction, method: str, cases: Iterable[tuple[Training, Sequence[tuple]]], **options: object
) -> None:
    """For each training the method of the student's tokenizer agrees with the reference's on all arguments given.

    All trainings are gone through, so that the transcript tells misconceptions apart; the first failure is reported.
    """
    failed: Exception | None = None
    for training, inputs in cases:
        expected = getattr(simple_tokenizers.WordTokenizer(*training), method)
        try:
            agree(getattr(student.make(*training), method), expected, inputs, **options)
        except Failed as error:
            failed = failed or error
    if failed is not None:
        raise failed


def alone(*texts: str) -> list[tuple[str]]:
    return [(text,) for text in texts]


def encodes(student: StudentFunction, training: Training, *texts: str) -> None:
    """The student's tokenizer for this training is `at_work` on the texts."""
    at_work(student.make(*training).encode, alone(*texts), simple_tokenizers.WordTokenizer(*training).encode)


def known_or_not(value: object) -> object:
    """A normaliser: which of the ids are above 0, and nothing of how they are numbered."""
    if not isinstance(value, list):
        return value
    return [index > 0 if type(index) is int and index >= 0 else repr(index) for index in value]


def which_are_equal(value: object) -> object:
    """A normaliser: ids renumbered by first appearance, so that only the cutting into pieces counts."""
    if not isinstance(value, list):
        return value
    first: dict[str, int] = {}
    return [first.setdefault(repr(index), place) for place, index in enumerate(value)]


@check("test_WordTokenizer", points=1)
def most_frequent_pieces_first(WordTokenizer):
    """The most frequent pieces get ids 1, 2, 3 and so on; id 0 is kept for what is unknown."""
    texts = ["!a!", "b,a,a,", "c.c.c.b.b.a.", "b,a,a,a,b,c,"]
    agree_on_words(WordTokenizer, "encode", [(([text], 9), alone(text)) for text in texts])


@check("test_WordTokenizer", points=0.5)
def ties_by_first_appearance(WordTokenizer):
    """Among pieces with equal counts the one seen first gets the smaller id."""
    texts = ["b,a", "a,b", "z.a", "b!a?c", "ba,ab", "c.b!a", "b.b,a"]
    agree_on_words(WordTokenizer, "encode", [(([text], 9), alone(text)) for text in texts])


@check("test_WordTokenizer", points=1)
def words_and_single_characters(WordTokenizer):
    r"""A piece is a run of word characters (letters and marks of any script, digits, _), or else one character."""
    texts = [
        "ab", "a b", "a  b", "a A", "Hi hi", "I'll", "a_b a", "x1 x", "Hi!!",
        "e\u0301t\u00e9", "कि ना", "co-op", "3.14", "a\tb", "한국 어",
    ]
    hint = "The ids are compared by which pieces are there and which are equal, not by their numbering."
    cases = [(([text], 20), alone(text)) for text in texts]
    agree_on_words(WordTokenizer, "encode", cases, normal=which_are_equal, hint=hint)


@check("test_WordTokenizer", points=1)
def nothing_is_lost(WordTokenizer):
    """decode(encode(text)) gives back every text whose pieces were all in training, whatever characters it holds."""
    texts = ["a\n", "\n", "a\nb", "a\n\nb c\n", "a\r\nb", "a\u2028b\x85c", "\x0b \x0c"]
    tokenizers = [WordTokenizer.make([text], 20) for text in texts]
    for tokenizer, text in zip(tokenizers, texts, strict=True):  # what misconceptions are looked for in
        right = simple_tokenizers.WordTokenizer([text], 20).encode(text)
        tokenizer.encode.note((text,), {}, Returned(right), tokenizer.encode.outcomes([(text,)])[0])
    for tokenizer, text in zip(tokenizers, texts, strict=True):
        got = tokenizer.decode(tokenizer.encode(text))
        if not same(got, text):
            fail(
                call=f"tokenizer = WordTokenizer([{text!r}], 20); tokenizer.decode(tokenizer.encode({text!r}))",
                expected=text, got=got,
            )
    encodes(WordTokenizer, (["a\nb"], 20), "a\nb", "b")


@check("test_WordTokenizer", points=1)
def unknown_pieces_are_id_0(WordTokenizer):
    """A piece that is not in the vocabulary gets id 0, each time it comes: encoding learns nothing."""
    trainings = (["a"], 9), (["a,"], 9), ([], 3)
    texts = ["b", "bb", "b,b", "a,b", "aa", "c,a,c", "", "to,be"]
    cases = [(training, [(text,)]) for training in trainings for text in texts]
    agree_on_words(WordTokenizer, "encode", cases, normal=known_or_not)


@check("test_WordTokenizer", points=0.5)
def texts_stay_apart(WordTokenizer):
    """Counts go over all training texts; no piece runs from the end of one into the next, and none is put between."""
    cases = [((["a", "b"], 9), alone("a", "b")), ((["ab", "", "c", "d"], 9), alone("ab", "c", "d"))]
    # Of what is put between there would be more than of the commonest piece.
    cases += [((["a", "b", "a", "c"], 2), alone("a")), ((["b", "a", "b", "c", "b"], 2), alone("b"))]
    agree_on_words(WordTokenizer, "encode", cases, normal=known_or_not)
    encodes(WordTokenizer, (["a", "b"], 9), "a", "b")


@check("test_WordTokenizer", points=0.5)
def vocabulary_size(WordTokenizer):
    """The ids are vocab_size many, UNK included, or fewer if the pieces run out; the attribute vocab_size tells."""
    training, pieces = [",to,to,to,be,be,or"], [",", "to", "be", "or"]  # from the most to the least frequent
    wrong: list[tuple] = []
    for size in range(1, 8):
        right = min(size, len(pieces) + 1)
        for piece in pieces:
            tokenizer = WordTokenizer.make(training, size)
            (got,) = tokenizer.encode.outcomes(alone(piece))
            expected = simple_tokenizers.WordTokenizer(training, size).encode(piece)
            tokenizer.encode.note((piece,), {}, Returned(expected), got)
            known = isinstance(got, Returned) and isinstance(got.value, list) and got.value not in ([0], [])
            if known != (expected != [0]):
                wrong.append((tokenizer.encode.text((piece,)), expected, show_outcome(got)))
        value = tokenizer.vocab_size.value()
        tokenizer.vocab_size.note((), {}, Returned(right), Returned(value))
        if not same(value, right):
            wrong.append((f"WordTokenizer({training!r}, {size}).vocab_size", right, value))
    if wrong:
        call, expected, got = wrong[0]
        fail(call=call, expected=expected, got=got)


@check("test_WordTokenizer", points=0.5)
def decodes_ids(WordTokenizer):
    """decode joins the pieces without adding anything, writes UNK for id 0, and leaves its list as it was."""
    training = [",to,to,be,"], 9
    lists = [[], [1], [2], [1, 2], [2, 1, 3], [0], [1, 0, 1], [0, 0], [3, 1, 2, 1, 2]]
    agree_on_words(WordTokenizer, "decode", [(training, [(ids,) for ids in lists])])
    unchanged(WordTokenizer.make(*training).decode, [([1],), ([1, 2, 0],)])


@check("test_WordTokenizer", points=0.5)
def refuses_unknown_ids(WordTokenizer):
    """decode raises ValueError for an id that the vocabulary does not have, negative ones too."""
    decode = WordTokenizer.make(["a b"], 9).decode
    refuses(decode, ([1],), [([4],), ([-1],), ([1, 9],), ([2, -2, 1],), ([10**20],)])


@check("test_WordTokenizer", points=1)
def unknown_rate_is_a_share_of_pieces(WordTokenizer):
    """unknown_rate gives the share of the pieces of the text, spaces and punctuation included, that are unknown."""
    texts = alone("a", "x", "a b", "x y", "x x x a", "a long word", "x, b", "abcdefgh a", "!")
    agree_on_words(WordTokenizer, "unknown_rate", [((["a a b"], 9), texts), (([], 1), texts)], normal=plain_number)


@check("test_WordTokenizer", points=0.5)
def refuses_bad_arguments(WordTokenizer):
    """ValueError names vocab_size unless it is an int of at least 1 (a bool is none), and text if that is empty."""
    inputs = [(["a"], size) for size in (0, -1, 2.5, True, "3", None)]
    refuses(WordTokenizer, (["a"], 3), [*inputs, (["a b"], True), ([], True)], naming="vocab_size")
    unknown_rate = WordTokenizer.make(["a"], 2).unknown_rate
    refuses(unknown_rate, ("a",), [("",)], naming="text")


@check("test_WordTokenizer", points=0.5)
def the_word_unk_is_a_word(WordTokenizer):
    """The letters UNK in a training text are an ordinary word, with an id of their own."""
    cases = [((["UNK"], 2), alone("UNK")), ((["UNK,UNK,a"], 9), alone("UNK", "a,UNK"))]
    agree_on_words(WordTokenizer, "encode", cases, normal=known_or_not)


@check("test_WordTokenizer", points=0.5, secret=True)
def long_texts(WordTokenizer, seeded):
    """Long texts of invented words, punctuation and line breaks are encoded as the rules say."""
    cases = []
    for size in (1, 10, 30, 60):
        training = [random_prose(seeded, 300), random_prose(seeded, 100)]
        cases += [((training, size), alone(text)) for text in (training[1], random_prose(seeded, 200))]
    agree_on_words(WordTokenizer, "encode", cases)


@check("test_WordTokenizer", points=0.5)
def leaves_the_training_texts(WordTokenizer):
    """Learning leaves the list of training texts as it was."""
    trainings = [(["b a", "a"], 3), (["c c", "", "a"], 9), (["c", "b", "a"], 1)]
    unchanged(WordTokenizer, trainings, simple_tokenizers.WordTokenizer)
    encodes(WordTokenizer, (["b a", "a"], 3), "b a", "a")


# --- what tokens cost ----------------------------------------------------------------------------------------------


@check("test_attention_cost", points=1)
def every_token_with_every_token(attention_cost):
    """L tokens cost L times L scores, exactly, as an int, however many tokens."""
    agree(attention_cost, token_statistics.attention_cost, [(n,) for n in (*range(200), 4096, 10**9 + 7, 10**40 + 1)])


@check("test_attention_cost", points=0.5)
def refuses_negative_lengths(attention_cost):
    """A negative number of tokens is refused with ValueError naming num_tokens."""
    refuses(attention_cost, (1,), [(-1,), (-2,), (-(10**20),)], naming="num_tokens")


@check("test_attention_cost", points=0.5)
def refuses_what_is_no_int(attention_cost):
    """Anything but an int (a bool is none) is refused with TypeError naming num_tokens."""
    refuses(attention_cost, (1,), [(2.0,), (True,), ("3",), (None,), ([1, 2],)], error="TypeError", naming="num_tokens")


# --- how the vocabulary is used ------------------------------------------------------------------------------------


def double(text: str, indices: list[int], vocab_size: int) -> Double:
    """An object with `vocab_size` whose encode knows this one text."""
    return Double({"vocab_size": vocab_size}, {"encode": [((text,), indices)]})


def use_inputs(encoded: Iterable[Sequence[int]], vocab_size: int) -> list[tuple[Double, str]]:
    texts = ["".join(chr(97 + i) for i in indices) for indices in encoded]
    pairs = zip(texts, encoded, strict=True)
    return [(double(text, list(indices), vocab_size), text) for text, indices in pairs]


@check("test_vocabulary_use", points=1)
def counts_every_use(vocabulary_use):
    """The column count says how often the id occurs in the encoded text."""

    def used(value: object) -> object:
        return [row for row in columns("id", "count", sort=True)(value) if row[1] != 0]

    inputs = use_inputs([p for n in range(5) for p in itertools.product(range(3), repeat=n)], 3)
    agree(vocabulary_use, token_statistics.vocabulary_use, inputs, normal=used)


@check("test_vocabulary_use", points=1)
def lists_unused_ids_too(vocabulary_use):
    """Every id of the vocabulary has one row, also an id that the text never uses."""

    def ids(value: object) -> object:
        return ordered(row[0] for row in columns("id")(value))

    inputs = [pair for size in (1, 2, 4, 300) for pair in use_inputs([[], [0], [0, 0]], size)]
    inputs += use_inputs([[3], [1, 3], [2, 2, 0]], 5)
    agree(vocabulary_use, token_statistics.vocabulary_use, inputs, normal=ids)


@check("test_vocabulary_use", points=1)
def sorts_by_use(vocabulary_use):
    """The rows go from the most to the least used id, and equal counts from the smaller id to the larger."""

    def used(value: object) -> object:
        return [row for row in columns("id", "count")(value) if row[1] != 0]

    inputs = use_inputs([p for n in range(1, 5) for p in itertools.product(range(3), repeat=n)], 3)
    inputs += use_inputs([[9, 8, 7, 7], [5, 5, 1, 1, 3, 3, 3], list(range(12))], 12)
    agree(vocabulary_use, token_statistics.vocabulary_use, inputs, normal=used)


@check("test_vocabulary_use", points=0.5)
def leaves_the_tokenizer(vocabulary_use):
    """The tokenizer has the same attributes after the call, with the same values."""
    unchanged(vocabulary_use, use_inputs([[0], [1, 0, 1], [2, 2]], 3), token_statistics.vocabulary_use)


def share(name: str) -> Callable[[object], object]:
    """A normaliser: one entry of a dict of shares."""

    def normal(value: object) -> object:
        if not isinstance(value, dict):
            raise WrongType(f"The answer must be a dict, not a {type_name(value)}.")
        if name not in value:
            raise WrongType(f"The dict has no key {name!r}.")
        return plain_number(value[name])

    return normal


COUNTS = [([*counts],) for n in range(1, 5) for counts in itertools.product(range(3), repeat=n)]


@check("test_sparsity", points=0.5)
def share_never_used(sparsity):
    """never is the share of the ids with count 0."""
    agree(sparsity, token_statistics.sparsity, COUNTS, normal=share("never"))


@check("test_sparsity", points=0.5)
def share_used_once(sparsity):
    """once is the share of the ids with count 1, of the whole vocabulary and not of the used part."""
    agree(sparsity, token_statistics.sparsity, COUNTS, normal=share("once"))


@check("test_sparsity", points=0.5)
def refuses_no_counts(sparsity):
    """No counts at all have no shares: ValueError names counts."""
    refuses(sparsity, ([1],), [([],), ([],)], naming="counts")  # twice: one answer alone names no misconception


@check("test_sparsity", points=0.5, needs=["share_never_used"])
def leaves_the_counts(sparsity):
    """The list of counts is the same after the call."""
    unchanged(sparsity, [([2, 0, 1],), ([1, 1],), ([0, 3, 0, 1],)])


# --- figures -------------------------------------------------------------------------------------------------------


def draw(student: StudentFunction, argument: object, wanted: Sequence[str]) -> tuple[Frame, Figure, str]:
    """The student's table and figure for one argument, and the text of the call."""
    return figures.answer(student, (argument,), wanted)


def row(family: str, vocab_size: int, ratio: float) -> dict:
    return {"family": family, "vocab_size": vocab_size, "ratio": ratio}


MEASURED = [
    [row("byte", 256, 1.0), row("word", 500, 2.5), row("word", 50, 2.25)],
    [row("BPE", 300, 1.5), row("byte", 256, 1.0), row("BPE", 4000, 2.75), row("BPE", 1000, 2.0), row("word", 900, 2.5)],
]
RATIOS = [
    {"character": {"Thai": 2.75, "English": 1.0, "Greek": 1.75}, "BPE": {"Thai": 1.25, "English": 2.5, "Greek": 1.5}},
    {"byte": {"Tamil": 1.01, "Polish": 1.0}, "word": {"Tamil": 9.5, "Polish": 3.5}, "x": {"Tamil": 2.0, "Polish": 0.5}},
]
ENCODED = [
    {"character": [5, 9, 5, 5, 9, 2], "word": [1, 1, 7, 1, 1, 3, 3]},
    {"byte": [97, 97, 98], "BPE": [300, 2, 300, 2, 300, 11, 12], "word": [0, 0, 0, 0, 0, 4, 4, 4]},
]
FAMILY_COLUMNS = ("family", "vocab_size", "ratio")


@check("test_plot_compression", points=1)
def compression_table(plot_compression):
    """The DataFrame holds the measured rows with the columns family, vocab_size and ratio."""
    for rows in MEASURED:
        frame, _, call = draw(plot_compression, rows, FAMILY_COLUMNS)
        normal = columns(*FAMILY_COLUMNS, sort=True)
        wanted = ordered((r["family"], r["vocab_size"], plain_number(r["ratio"])) for r in rows)
        if not same(normal(frame), wanted):
            fail(call=call, expected=wanted, got=normal(frame))


@check("test_plot_compression", points=1)
def compression_series(plot_compression):
    """One series for each family shows the ratio over the vocabulary size, from the smallest to the largest."""
    for rows in MEASURED:
        _, figure, call = draw(plot_compression, rows, ())
        for family in dict.fromkeys(r["family"] for r in rows):
            points = sorted((r["vocab_size"], r["ratio"]) for r in rows if r["family"] == family)
            figures.shows(figure, call, f"the family {family}", [x for x, _ in points], [y for _, y in points])


@check("test_plot_compression", points=0.5)
def compression_scale(plot_compression):
    """The vocabulary size has a logarithmic axis: sizes go from hundreds to a million."""
    for rows in MEASURED:
        _, figure, call = draw(plot_compression, rows, ())
        figures.scaled(figure, call, "x")


@check("test_plot_compression", points=0.5)
def compression_labels(plot_compression):
    """The figure has a title, both axis labels and a legend."""
    for rows in MEASURED:
        _, figure, call = draw(plot_compression, rows, ())
        figures.labelled(figure, call)


@check("test_plot_compression", points=0.5)
def compression_rows_stay(plot_compression):
    """The list of rows and each row in it are the same after the call."""
    figures.arguments_stay(plot_compression, [(rows,) for rows in MEASURED], FAMILY_COLUMNS)


@check("test_plot_ratio_by_language", points=1)
def language_table(plot_ratio_by_language):
    """The DataFrame has the languages as its index, one column for each tokenizer, and the ratios as given."""
    for ratios in RATIOS:
        frame, _, call = draw(plot_ratio_by_language, ratios, tuple(ratios))
        for name, given in ratios.items():
            got = dict(zip(map(str, frame.index), map(plain_number, frame.data[name]), strict=True))
            wanted = {language: plain_number(ratio) for language, ratio in given.items()}
            if not same(got, wanted):
                fail(call=call, expected=f"column {name!r}: {show(given)}", got=got)


@check("test_plot_ratio_by_language", points=0.5)
def language_order(plot_ratio_by_language):
    """The languages go from the lowest to the highest ratio of the first tokenizer given."""
    for ratios in RATIOS:
        frame, _, call = draw(plot_ratio_by_language, ratios, ())
        first = next(iter(ratios.values()))
        wanted = sorted(first, key=first.__getitem__)
        if not same(list(frame.index), wanted):
            fail(call=call, expected=f"index {wanted}", got=f"index {show(frame.index)}")


@check("test_plot_ratio_by_language", points=1)
def language_series(plot_ratio_by_language):
    """One series for each tokenizer shows its ratios, each at its language."""
    for ratios in RATIOS:
        _, figure, call = draw(plot_ratio_by_language, ratios, ())
        for name, given in ratios.items():
            figures.names_stand_at(figure, call, f"the tokenizer {name}", given, list(given.values()))


@check("test_plot_ratio_by_language", points=0.5)
def language_labels(plot_ratio_by_language):
    """The figure has a title, both axis labels and a legend."""
    for ratios in RATIOS:
        _, figure, call = draw(plot_ratio_by_language, ratios, ())
        figures.labelled(figure, call)


@check("test_plot_ratio_by_language", points=0.5)
def language_ratios_stay(plot_ratio_by_language):
    """The dictionary of ratios and each dictionary in it are the same after the call."""
    figures.arguments_stay(plot_ratio_by_language, [(ratios,) for ratios in RATIOS])


RANK_COLUMNS = ("tokenizer", "rank", "count")


def ranked(encoded: dict) -> list[tuple]:
    table = token_statistics.rank_frequency(encoded)
    return [(row["tokenizer"], int(row["rank"]), int(row["count"])) for row in table.to_dict("records")]


@check("test_plot_rank_frequency", points=1)
def rank_table(plot_rank_frequency):
    """For each tokenizer the most frequent id has rank 1, the next rank 2, each with its count."""
    for encoded in ENCODED:
        frame, _, call = draw(plot_rank_frequency, encoded, RANK_COLUMNS)
        got, wanted = columns(*RANK_COLUMNS, sort=True)(frame), ordered(ranked(encoded))
        if not same(got, wanted):
            fail(call=call, expected=wanted, got=got)


@check("test_plot_rank_frequency", points=1)
def rank_series(plot_rank_frequency):
    """One series for each tokenizer shows the count over the rank."""
    for encoded in ENCODED:
        _, figure, call = draw(plot_rank_frequency, encoded, ())
        for name in encoded:
            points = [(rank, count) for series, rank, count in ranked(encoded) if series == name]
            figures.shows(figure, call, f"the tokenizer {name}", [x for x, _ in points], [y for _, y in points])


@check("test_plot_rank_frequency", points=0.5)
def rank_scales(plot_rank_frequency):
    """Both axes are logarithmic."""
    for encoded in ENCODED:
        _, figure, call = draw(plot_rank_frequency, encoded, ())
        figures.scaled(figure, call, "xy")


@check("test_plot_rank_frequency", points=0.5)
def rank_labels(plot_rank_frequency):
    """The figure has a title, both axis labels and a legend."""
    for encoded in ENCODED:
        _, figure, call = draw(plot_rank_frequency, encoded, ())
        figures.labelled(figure, call)


@check("test_plot_rank_frequency", points=0.5)
def rank_ids_stay(plot_rank_frequency):
    """The dictionary and the lists of ids in it are the same after the call."""
    figures.arguments_stay(plot_rank_frequency, [(encoded,) for encoded in ENCODED], RANK_COLUMNS)
