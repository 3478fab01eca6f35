"""Plausible wrong answers in chapter 2, each with the sentence that helps."""

from autograder.misconceptions.api import wrong

# --- the compression ratio -----------------------------------------------------------------------------------------


@wrong("get_compression_ratio", caught_by="counts_bytes_not_characters")
def counts_characters(string, indices):
    """You seem to count characters: len("é") is 1, but its UTF-8 form has two bytes. What does str.encode give?"""
    if not string:
        raise ValueError("string is empty")
    if not indices:
        raise ValueError("indices is empty")
    return len(string) / len(indices)


@wrong(
    "get_compression_ratio", caught_by="counts_bytes_not_characters",
    also=["divides_bytes_by_tokens", "leaves_the_list_as_it_was"],
)
def counts_utf16(string, indices):
    """Your bytes look like UTF-16, which takes two for an "a": the ratio counts the bytes of UTF-8."""
    if not string:
        raise ValueError("string is empty")
    if not indices:
        raise ValueError("indices is empty")
    return len(string.encode("utf-16-le")) / len(indices)


@wrong(
    "get_compression_ratio", caught_by="divides_bytes_by_tokens",
    also=["counts_bytes_not_characters", "leaves_the_list_as_it_was"],
)
def divides_the_other_way(string, indices):
    """You seem to divide tokens by bytes: "abcd" in 2 tokens would get 0.5, and better compression a lower ratio."""
    if not string:
        raise ValueError("string is empty")
    if not indices:
        raise ValueError("indices is empty")
    return len(indices) / len(string.encode())


@wrong(
    "get_compression_ratio", caught_by="divides_bytes_by_tokens",
    also=["counts_bytes_not_characters", "leaves_the_list_as_it_was"],
)
def whole_numbers_only(string, indices):
    """Your division drops the fraction: 3 bytes in 2 tokens make 1.5, not 1. Compare the operators / and //."""
    if not string:
        raise ValueError("string is empty")
    if not indices:
        raise ValueError("indices is empty")
    return float(len(string.encode()) // len(indices))


@wrong("get_compression_ratio", caught_by="divides_bytes_by_tokens", also=["leaves_the_list_as_it_was"])
def counts_different_tokens(string, indices):
    """You seem to count different ids only: [7, 7] is two tokens, however equal they are. A set forgets repetitions."""
    if not string:
        raise ValueError("string is empty")
    if not indices:
        raise ValueError("indices is empty")
    return len(string.encode()) / len(set(indices))


@wrong("get_compression_ratio", caught_by="refuses_no_tokens", also=["refuses_an_empty_string"])
def zero_for_nothing(string, indices):
    """You return a number where there is no ratio: nothing divided by nothing is undefined, so raise ValueError."""
    if not string or not indices:
        return 0.0
    return len(string.encode()) / len(indices)


@wrong("get_compression_ratio", caught_by="refuses_no_tokens", also=["refuses_an_empty_string"])
def divides_without_looking(string, indices):
    """You divide without looking: an empty list ends in ZeroDivisionError, and an empty string passes as ratio 0."""
    return len(string.encode()) / len(indices)


@wrong("get_compression_ratio", caught_by="leaves_the_list_as_it_was")
def empties_the_list(string, indices):
    """You count the tokens by taking them out of the caller's list; afterwards it is empty. len leaves it alone."""
    if not string:
        raise ValueError("string is empty")
    if not indices:
        raise ValueError("indices is empty")
    tokens = 0
    while indices:
        indices.pop()
        tokens += 1
    return len(string.encode()) / tokens


# --- characters ----------------------------------------------------------------------------------------------------


@wrong("CharacterTokenizer", caught_by="encode_gives_code_points", also=["characters_come_back"])
class CharactersAsBytes:
    """Your encode gives bytes, several for an "é"; here one character is one id. The next exercise is about bytes."""

    def encode(self, string):
        return list(string.encode())

    def decode(self, indices):
        if any(not 0 <= index <= 0x10FFFF for index in indices):
            raise ValueError("indices")
        return "".join(map(chr, indices))


@wrong("CharacterTokenizer", caught_by="encode_gives_code_points", also=["characters_come_back"])
class NormalisesFirst:
    """You seem to normalise the text: an "e" with a combining accent becomes one character and never comes back."""

    def encode(self, string):
        import unicodedata

        return [ord(c) for c in unicodedata.normalize("NFC", string)]

    def decode(self, indices):
        if any(not 0 <= index <= 0x10FFFF for index in indices):
            raise ValueError("indices")
        return "".join(map(chr, indices))


@wrong("CharacterTokenizer", caught_by="encode_gives_code_points", also=["characters_come_back"])
class SixteenBits:
    """Your ids are 16-bit units, as in some other languages: 🌍 becomes two of them. In Python it is one character."""

    def encode(self, string):
        data = string.encode("utf-16-le", "surrogatepass")
        return [data[i] | data[i + 1] << 8 for i in range(0, len(data), 2)]

    def decode(self, indices):
        if any(not 0 <= index <= 0x10FFFF for index in indices):
            raise ValueError("indices")
        return "".join(map(chr, indices))


@wrong(
    "CharacterTokenizer", caught_by="decode_gives_characters",
    also=["characters_come_back", "decode_leaves_its_list"],
)
class ListOfCharacters:
    """Your decode returns a list of characters; join them into one str."""

    def encode(self, string):
        return list(map(ord, string))

    def decode(self, indices):
        if any(not 0 <= index <= 0x10FFFF for index in indices):
            raise ValueError("indices")
        return [chr(index) for index in indices]


@wrong(
    "CharacterTokenizer", caught_by="decode_gives_characters",
    also=["characters_come_back", "decode_leaves_its_list"],
)
class SpacesBetween:
    """Your decode puts a space between the characters, which the ids do not hold: [97, 98] is "ab"."""

    def encode(self, string):
        return list(map(ord, string))

    def decode(self, indices):
        if any(not 0 <= index <= 0x10FFFF for index in indices):
            raise ValueError("indices")
        return " ".join(map(chr, indices))


@wrong("CharacterTokenizer", caught_by="refuses_very_large_ids")
class LeavesItToChr:
    """chr raises OverflowError, not ValueError, from 2**31 on: look at the range of an id before chr does."""

    def encode(self, string):
        return list(map(ord, string))

    def decode(self, indices):
        return "".join(map(chr, indices))


@wrong("CharacterTokenizer", caught_by="refuses_ids_beyond_unicode", also=["refuses_very_large_ids"])
class SkipsBadIds:
    """Your decode leaves out ids that are no code points; then nobody sees the error. Raise it."""

    def encode(self, string):
        return list(map(ord, string))

    def decode(self, indices):
        return "".join(chr(index) for index in indices if 0 <= index <= 0x10FFFF)


@wrong("CharacterTokenizer", caught_by="decode_leaves_its_list")
class TakesTheListApart:
    """Your decode takes the ids out of the caller's list; go through it with for instead."""

    def encode(self, string):
        return list(map(ord, string))

    def decode(self, indices):
        text = ""
        while indices:
            index = indices.pop(0)
            if not 0 <= index <= 0x10FFFF:
                raise ValueError("indices")
            text += chr(index)
        return text


# --- bytes ---------------------------------------------------------------------------------------------------------


@wrong("ByteTokenizer", caught_by="decode_joins_bytes_first", also=["refuses_broken_utf8", "decode_leaves_its_bytes"])
class EachByteACharacter:
    """Your decode makes a character of each byte: [195, 169] becomes "Ã©", not "é". Join all bytes, then decode
    once.
    """

    def encode(self, string):
        return list(string.encode())

    def decode(self, indices):
        return bytes(indices).decode("latin-1")


@wrong("ByteTokenizer", caught_by="decode_joins_bytes_first", also=["decode_leaves_its_bytes"])
class DecodesByteByByte:
    """Your decode reads each byte by itself, and fails at the first half of an "é". Join all bytes, then decode
    once.
    """

    def encode(self, string):
        return list(string.encode())

    def decode(self, indices):
        return "".join(bytes([index]).decode() for index in indices)


@wrong("ByteTokenizer", caught_by="refuses_broken_utf8")
class ReplacesBroken:
    """Your decode puts U+FFFD where bytes are broken, so wrong ids pass unseen. Here they must raise
    UnicodeDecodeError.
    """

    def encode(self, string):
        return list(string.encode())

    def decode(self, indices):
        return bytes(indices).decode("utf-8", errors="replace")


@wrong("ByteTokenizer", caught_by="refuses_broken_utf8")
class DropsBroken:
    """Your decode drops broken bytes without a word. Here they must raise UnicodeDecodeError."""

    def encode(self, string):
        return list(string.encode())

    def decode(self, indices):
        return bytes(indices).decode("utf-8", errors="ignore")


@wrong("ByteTokenizer", caught_by="refuses_what_is_no_byte")
class WrapsAround:
    """Your decode takes ids modulo 256, so 353 passes as 97: an id outside 0 to 255 must raise ValueError."""

    def encode(self, string):
        return list(string.encode())

    def decode(self, indices):
        return bytes(index % 256 for index in indices).decode()


@wrong("ByteTokenizer", caught_by="encode_gives_utf8_bytes")
class BytesObject:
    """Your encode returns a bytes object; the task asks for a list of ints, as the other tokenizers give."""

    def encode(self, string):
        return string.encode()

    def decode(self, indices):
        return bytes(indices).decode()


@wrong("ByteTokenizer", caught_by="encode_gives_utf8_bytes", also=["refuses_surrogates"])
class CodePointsInstead:
    """Your encode gives code points: "é" is 233 there, but two bytes in UTF-8, 195 and 169."""

    def encode(self, string):
        return [ord(c) for c in string]

    def decode(self, indices):
        return bytes(indices).decode()


@wrong("ByteTokenizer", caught_by="refuses_surrogates")
class LetsSurrogatesPass:
    """Your encode writes bytes for a surrogate, which UTF-8 forbids: no other program will read them. Let encode
    raise.
    """

    def encode(self, string):
        return list(string.encode("utf-8", "surrogatepass"))

    def decode(self, indices):
        return bytes(indices).decode()


@wrong("ByteTokenizer", caught_by="refuses_surrogates")
class QuestionMarks:
    """Your encode writes a question mark for what UTF-8 cannot hold; then it is lost without an error."""

    def encode(self, string):
        return list(string.encode("utf-8", "replace"))

    def decode(self, indices):
        return bytes(indices).decode()


@wrong("ByteTokenizer", caught_by="decode_leaves_its_bytes")
class TakesTheBytesApart:
    """Your decode takes the ids out of the caller's list; bytes(indices) reads them all and leaves the list alone."""

    def encode(self, string):
        return list(string.encode())

    def decode(self, indices):
        data = b""
        while indices:
            data += bytes([indices.pop(0)])
        return data.decode()


# --- the lost character --------------------------------------------------------------------------------------------


@wrong("lost_character", caught_by="names_what_is_lost")
def the_space():
    """The space is found: the dot matches it. Compare the counts of each character before and after."""
    return " "


@wrong("lost_character", caught_by="names_what_is_lost")
def both_line_end_characters():
    """Nearly: of these two characters the dot matches the first one. Only one is lost."""
    return "\r\n"


@wrong("lost_character", caught_by="names_what_is_lost")
def carriage_return():
    """The dot matches a carriage return. Print Counter(training) - Counter(joined) and look at the escape."""
    return "\r"


@wrong("lost_character", caught_by="names_what_is_lost")
def backslash_and_letter():
    """These are two characters, a backslash and a letter. In source code a backslash before n, unescaped, means one."""
    return "\\n"


# --- words ---------------------------------------------------------------------------------------------------------


@wrong("WordTokenizer", caught_by="nothing_is_lost", also=["long_texts"])
class LosesLineBreaks:
    r"""The dot of your pattern does not match a line break, so "a\nb" comes back as "ab". Which flag changes that?"""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong(
    "WordTokenizer", caught_by="words_and_single_characters",
    also=[
        "most_frequent_pieces_first", "ties_by_first_appearance", "nothing_is_lost", "unknown_pieces_are_id_0",
        "vocabulary_size", "decodes_ids", "unknown_rate_is_a_share_of_pieces", "the_word_unk_is_a_word", "long_texts",
    ],
)
class SplitsAtSpaces:
    """You seem to cut at white space: the spaces are lost and "Hi!" stays whole. Look at the rule for pieces once
    more.
    """

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        return text.split()

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong(
    "WordTokenizer", caught_by="words_and_single_characters",
    also=["nothing_is_lost", "unknown_rate_is_a_share_of_pieces", "long_texts"],
)
class DropsSpaces:
    """You seem to leave out white space: "a b" comes back as "ab". A space is a piece like any other."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return [p for p in regex.findall(r"\w+|.", text, regex.DOTALL) if not p.isspace()]

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="words_and_single_characters")
class LowersCase:
    """You seem to turn all text into small letters; "Hi" can then never come back. Keep the pieces as they are."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text.lower(), regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong(
    "WordTokenizer", caught_by="words_and_single_characters",
    also=["unknown_rate_is_a_share_of_pieces", "long_texts"],
)
class RunsOfOthers:
    """Your pattern joins punctuation into runs; "!!" is two pieces, as only word characters form runs."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|\W+", text)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="words_and_single_characters")
class UsesRe:
    """Your pieces break at combining marks, as the module re has it: in "कि" it cuts off the vowel sign. regex keeps
    it.
    """

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import re

        return re.findall(r"\w+|.", text, re.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="words_and_single_characters")
class AsciiLetters:
    r"""Your pattern knows only the letters a to z, so "é" and other scripts fall apart. The class \w knows them all."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"[A-Za-z0-9_]+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="ties_by_first_appearance", also=["long_texts"])
class AlphabeticTies:
    """Your ties go by the alphabet; among equal counts the piece seen first in training comes first. What does
    most_common do?
    """

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = sorted(counts, key=lambda word: (-counts[word], word))[: vocab_size - 1]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="ties_by_first_appearance", also=["long_texts"])
class LastSeenTies:
    """Your ties go to the piece seen last, perhaps as a sorted list was reversed; sorted(…, reverse=True) keeps
    ties.
    """

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in Counter(dict(reversed(counts.items()))).most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="most_frequent_pieces_first", also=["long_texts"])
class OrderOfAppearance:
    """Your ids follow the order of appearance and not the counts: in "b a a" the id 1 belongs to "a"."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = list(counts)[: vocab_size - 1]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="vocabulary_size", also=["long_texts"])
class OneWordTooMany:
    """You keep vocab_size words and UNK besides, one id too many: UNK is one of the vocab_size ids."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="vocabulary_size")
class SizeAsAsked:
    """Your attribute vocab_size repeats what was asked for; when the pieces run out, there are fewer ids than that."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = vocab_size

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < len(self.texts) for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="unknown_pieces_are_id_0", also=["long_texts"])
class SkipsUnknown:
    """You seem to leave out pieces that are not in the vocabulary; each of them must become id 0."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids[piece] for piece in self.split(string) if piece in self.ids]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        pieces = self.split(text)
        return sum(piece not in self.ids for piece in pieces) / len(pieces)


@wrong("WordTokenizer", caught_by="unknown_pieces_are_id_0", also=["long_texts"])
class RaisesOnUnknown:
    """Your encode raises KeyError for a new piece; give it id 0. What does dict.get take as its second argument?"""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids[piece] for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        pieces = self.split(text)
        return sum(piece not in self.ids for piece in pieces) / len(pieces)


@wrong("WordTokenizer", caught_by="unknown_pieces_are_id_0", also=["vocabulary_size", "long_texts"])
class LearnsWhileEncoding:
    """Your encode gives new pieces ids of their own; the vocabulary is learnt from the training texts only."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        ids = []
        for piece in self.split(string):
            if piece not in self.ids:
                self.ids[piece] = len(self.ids) + 1
            ids.append(self.ids[piece])
        return ids

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        pieces = self.split(text)
        return sum(piece not in self.ids for piece in pieces) / len(pieces)


@wrong("WordTokenizer", caught_by="texts_stay_apart")
class JoinsTexts:
    """You seem to join the training texts before cutting them: ["a", "b"] then holds a word "ab" that nobody wrote."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(self.split("".join(training_texts)))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="texts_stay_apart")
class PutsSpacesBetween:
    """You seem to join the training texts with spaces before cutting them. These spaces are counted, too, though nobody
    wrote them, and may become the most frequent piece. Cut each text by itself."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(self.split(" ".join(training_texts)))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="refuses_unknown_ids")
class NegativeIdsPass:
    """Your list answers for -1 too, with its last piece. An id below 0 is as unknown as one that is too large."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(index >= self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="refuses_unknown_ids")
class UnknownIdsAsUnk:
    """Your decode writes UNK for ids that do not exist; they are mistakes of the caller and must raise ValueError."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        return "".join(self.texts[i] if 0 <= i < self.vocab_size else "UNK" for i in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="decodes_ids", also=["nothing_is_lost"])
class AddsSpaces:
    """Your decode puts spaces between the pieces; the spaces of the text are pieces already."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return " ".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="the_word_unk_is_a_word")
class UnkInTheDict:
    """You keep UNK as a word in your dict, so the letters UNK in a text get id 0. Id 0 is no word: let dict.get
    answer 0 instead.
    """

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in reversed(list(enumerate(self.texts)))}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="unknown_rate_is_a_share_of_pieces")
class ShareOfDifferentPieces:
    """Your rate counts each different piece once; "b b b a" has seven pieces, spaces included, and three of them are
    "b".
    """

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        pieces = set(self.split(text))
        return sum(piece not in self.ids for piece in pieces) / len(pieces)


@wrong("WordTokenizer", caught_by="unknown_rate_is_a_share_of_pieces")
class WordsOnly:
    """Your rate leaves out spaces; every piece counts, whatever it holds."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        pieces = [piece for piece in self.split(text) if not piece.isspace()]
        return sum(piece not in self.ids for piece in pieces) / len(pieces)


@wrong("WordTokenizer", caught_by="refuses_bad_arguments")
class AnySize:
    """Your constructor takes any vocab_size; 0, True and "3" are no sizes. Look at its type and its value first."""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        try:
            vocab_size = max(int(vocab_size), 1)
        except TypeError:
            vocab_size = 1
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="refuses_bad_arguments")
class TrueIsOne:
    """isinstance(True, int) is true in Python, so True passes as a size of 1. What is type(True)?"""

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if not isinstance(vocab_size, int) or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter(piece for text in training_texts for piece in self.split(text))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


@wrong("WordTokenizer", caught_by="leaves_the_training_texts")
class TakesTheTextsAway:
    """You take the training texts out of the caller's list while you count; afterwards it is empty, and nobody can
    measure on them. Go through the list with for, which leaves it alone.
    """

    def __init__(self, training_texts, vocab_size):
        from collections import Counter

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = Counter()
        while training_texts:
            counts.update(self.split(training_texts.pop(0)))
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = ["UNK", *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def split(self, text):
        import regex

        return regex.findall(r"\w+|.", text, regex.DOTALL)

    def encode(self, string):
        return [self.ids.get(piece, 0) for piece in self.split(string)]

    def decode(self, indices):
        if any(not 0 <= index < self.vocab_size for index in indices):
            raise ValueError("indices")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        return self.encode(text).count(0) / len(self.split(text))


# --- what tokens cost ------------------------------------------------------------------------------------------------


@wrong("attention_cost", caught_by="every_token_with_every_token")
def pairs_without_itself(num_tokens):
    """You leave out the comparison of a token with itself: a table of 3 rows and 3 columns has 9 cells, not 6."""
    if type(num_tokens) is not int:
        raise TypeError("num_tokens")
    if num_tokens < 0:
        raise ValueError("num_tokens")
    return num_tokens * (num_tokens - 1)


@wrong("attention_cost", caught_by="every_token_with_every_token")
def each_pair_once(num_tokens):
    """You count each pair once: that is half of the table. Here every row has a cell for every column."""
    if type(num_tokens) is not int:
        raise TypeError("num_tokens")
    if num_tokens < 0:
        raise ValueError("num_tokens")
    return num_tokens * (num_tokens + 1) // 2


@wrong("attention_cost", caught_by="every_token_with_every_token")
def doubles(num_tokens):
    """You double the number of tokens; three tokens make a table of three rows of three, which is 9 and not 6."""
    if type(num_tokens) is not int:
        raise TypeError("num_tokens")
    if num_tokens < 0:
        raise ValueError("num_tokens")
    return 2 * num_tokens


@wrong("attention_cost", caught_by="every_token_with_every_token")
def squares_in_floats(num_tokens):
    """Your square goes through a float, which has 53 bits: for large numbers the last digits are wrong. Multiply
    ints.
    """
    if type(num_tokens) is not int:
        raise TypeError("num_tokens")
    if num_tokens < 0:
        raise ValueError("num_tokens")
    return int(float(num_tokens) ** 2)


@wrong("attention_cost", caught_by="refuses_negative_lengths")
def negative_lengths_pass(num_tokens):
    """The square hides the sign, so -3 tokens pass as 9. Look at the sign first."""
    if type(num_tokens) is not int:
        raise TypeError("num_tokens")
    return num_tokens**2


@wrong("attention_cost", caught_by="refuses_what_is_no_int")
def takes_any_number(num_tokens):
    """Your function squares floats and True as well; the number of tokens is an int. What is type(True)?"""
    if num_tokens < 0:
        raise ValueError("num_tokens")
    return num_tokens * num_tokens


# --- how the vocabulary is used --------------------------------------------------------------------------------------


@wrong("vocabulary_use", caught_by="lists_unused_ids_too")
def used_ids_only(tokenizer, text):
    """Your table holds only ids that occur; to see what is wasted it needs a row with count 0 for all the others."""
    from collections import Counter

    import pandas as pd

    rows = sorted(Counter(tokenizer.encode(text)).items(), key=lambda row: (-row[1], row[0]))
    return pd.DataFrame(rows, columns=["id", "count"])


@wrong("vocabulary_use", caught_by="lists_unused_ids_too")
def up_to_the_largest_id(tokenizer, text):
    """Your table ends at the largest id that occurs; the vocabulary goes on to tokenizer.vocab_size - 1."""
    from collections import Counter

    import pandas as pd

    counts = Counter(tokenizer.encode(text))
    rows = sorted(((i, counts[i]) for i in range(max(counts, default=-1) + 1)), key=lambda row: (-row[1], row[0]))
    return pd.DataFrame(rows, columns=["id", "count"])


@wrong("vocabulary_use", caught_by="sorts_by_use")
def order_of_ids(tokenizer, text):
    """Your rows are in the order of the ids; the most used comes first."""
    from collections import Counter

    import pandas as pd

    counts = Counter(tokenizer.encode(text))
    return pd.DataFrame([(i, counts[i]) for i in range(tokenizer.vocab_size)], columns=["id", "count"])


@wrong("vocabulary_use", caught_by="sorts_by_use")
def larger_id_first(tokenizer, text):
    """Among equal counts your larger id comes first: ascending=False for both columns turns the ids round, too."""
    from collections import Counter

    import pandas as pd

    counts = Counter(tokenizer.encode(text))
    frame = pd.DataFrame([(i, counts[i]) for i in range(tokenizer.vocab_size)], columns=["id", "count"])
    return frame.sort_values(["count", "id"], ascending=False)


@wrong("vocabulary_use", caught_by="counts_every_use", also=["sorts_by_use"])
def used_or_not(tokenizer, text):
    """Your count says only whether an id occurs; it should say how often. A set forgets repetitions."""
    import pandas as pd

    used = set(tokenizer.encode(text))
    rows = sorted(((i, int(i in used)) for i in range(tokenizer.vocab_size)), key=lambda row: (-row[1], row[0]))
    return pd.DataFrame(rows, columns=["id", "count"])


@wrong("vocabulary_use", caught_by="leaves_the_tokenizer")
def counts_kept_on_the_tokenizer(tokenizer, text):
    """You keep your counts in an attribute of the tokenizer. It belongs to the caller, who did not ask for that; a
    variable of your own is enough.
    """
    import pandas as pd

    tokenizer.counts = [0] * tokenizer.vocab_size
    for index in tokenizer.encode(text):
        tokenizer.counts[index] += 1
    rows = sorted(enumerate(tokenizer.counts), key=lambda row: (-row[1], row[0]))
    return pd.DataFrame(rows, columns=["id", "count"])


@wrong("sparsity", caught_by="share_used_once")
def share_of_the_used(counts):
    """You divide the ids used once by the ids used at all; both shares are of the whole vocabulary."""
    if not counts:
        raise ValueError("counts")
    used = len(counts) - counts.count(0)
    return {"never": counts.count(0) / len(counts), "once": counts.count(1) / max(used, 1)}


@wrong("sparsity", caught_by="share_used_once")
def once_at_most(counts):
    """Your "once" holds the ids that are never used, too: it is the share used exactly once."""
    if not counts:
        raise ValueError("counts")
    return {"never": counts.count(0) / len(counts), "once": sum(c <= 1 for c in counts) / len(counts)}


@wrong("sparsity", caught_by="share_never_used", also=["share_used_once", "leaves_the_counts"])
def numbers_and_not_shares(counts):
    """You return how many ids there are; divide by the size of the vocabulary to get shares."""
    if not counts:
        raise ValueError("counts")
    return {"never": float(counts.count(0)), "once": float(counts.count(1))}


@wrong("sparsity", caught_by="share_never_used", also=["share_used_once", "leaves_the_counts"])
def share_of_the_text(counts):
    """You divide by the number of tokens in the text, the sum of the counts; divide by the number of ids."""
    if not counts:
        raise ValueError("counts")
    total = max(sum(counts), 1)
    return {"never": counts.count(0) / total, "once": counts.count(1) / total}


@wrong("sparsity", caught_by="leaves_the_counts")
def sorts_the_counts(counts):
    """You sort the caller's list: afterwards the counts no longer belong to their ids. sorted() makes a new list."""
    if not counts:
        raise ValueError("counts")
    counts.sort()
    return {"never": counts.count(0) / len(counts), "once": counts.count(1) / len(counts)}


@wrong("sparsity", caught_by="refuses_no_counts")
def zero_shares_of_nothing(counts):
    """You return shares of nothing; a share of no ids is undefined, so raise ValueError."""
    size = max(len(counts), 1)
    return {"never": counts.count(0) / size, "once": counts.count(1) / size}


# --- figures ---------------------------------------------------------------------------------------------------------


@wrong("plot_compression", caught_by="compression_series")
def one_line_for_all(rows):
    """You draw all families as one series; each family needs its own, with its own name in the legend."""
    import pandas as pd
    from matplotlib.figure import Figure

    frame = pd.DataFrame(rows)
    figure = Figure()
    axes = figure.subplots()
    axes.plot(frame["vocab_size"], frame["ratio"], label="ratio")
    axes.set(xscale="log", title="Compression", xlabel="vocabulary size", ylabel="bytes per token")
    axes.legend()
    return frame, figure


@wrong("plot_compression", caught_by="compression_series")
def zigzag(rows):
    """Your lines follow the order of the rows and run to and fro; sort each family by its vocabulary size first."""
    import pandas as pd
    from matplotlib.figure import Figure

    frame = pd.DataFrame(rows)
    figure = Figure()
    axes = figure.subplots()
    for family, part in frame.groupby("family"):
        axes.plot(part["vocab_size"], part["ratio"], label=family)
    axes.set(xscale="log", title="Compression", xlabel="vocabulary size", ylabel="bytes per token")
    axes.legend()
    return frame, figure


@wrong("plot_compression", caught_by="compression_labels")
def no_legend(rows):
    """Your figure has no legend: label each series and call axes.legend(), or nobody knows which line is which."""
    import pandas as pd
    from matplotlib.figure import Figure

    frame = pd.DataFrame(rows)
    figure = Figure()
    axes = figure.subplots()
    for family, part in frame.sort_values("vocab_size").groupby("family"):
        axes.plot(part["vocab_size"], part["ratio"], label=family)
    axes.set(xscale="log", title="Compression", xlabel="vocabulary size", ylabel="bytes per token")
    return frame, figure


@wrong("plot_compression", caught_by="compression_scale")
def plain_axis(rows):
    """On a plain axis the million ids of the characters press all else into a corner; make the x axis logarithmic."""
    import pandas as pd
    from matplotlib.figure import Figure

    frame = pd.DataFrame(rows)
    figure = Figure()
    axes = figure.subplots()
    for family, part in frame.sort_values("vocab_size").groupby("family"):
        axes.plot(part["vocab_size"], part["ratio"], label=family)
    axes.set(title="Compression", xlabel="vocabulary size", ylabel="bytes per token")
    axes.legend()
    return frame, figure


@wrong("plot_compression", caught_by="compression_rows_stay")
def rows_sorted_in_place(rows):
    """You sort the caller's own list of rows. sorted gives a new list, and a DataFrame has sort_values."""
    import pandas as pd
    from matplotlib.figure import Figure

    rows.sort(key=lambda row: row["vocab_size"])
    frame = pd.DataFrame(rows)
    figure = Figure()
    axes = figure.subplots()
    for family, part in frame.groupby("family"):
        axes.plot(part["vocab_size"], part["ratio"], label=family)
    axes.set(xscale="log", title="Compression", xlabel="vocabulary size", ylabel="bytes per token")
    axes.legend()
    return frame, figure


@wrong("plot_ratio_by_language", caught_by="language_order")
def languages_as_they_came(ratios):
    """Your languages stand in the order given; sort them by the first tokenizer's ratio, so that the eye finds a
    pattern.
    """
    import pandas as pd
    from matplotlib.figure import Figure

    table = pd.DataFrame(ratios)
    figure = Figure()
    axes = figure.subplots()
    for name in table.columns:
        axes.plot(table[name], table.index, "o", label=name)
    axes.set(title="Ratio by language", xlabel="bytes per token", ylabel="language")
    axes.legend()
    return table, figure


@wrong("plot_ratio_by_language", caught_by="language_table", also=["language_order"])
def tokenizers_down_the_side(ratios):
    """Your table lies on its side: the languages are its index, and the tokenizers its columns."""
    import pandas as pd
    from matplotlib.figure import Figure

    table = pd.DataFrame(ratios)
    table = table.sort_values(table.columns[0])
    figure = Figure()
    axes = figure.subplots()
    for name in table.columns:
        axes.plot(table[name], table.index, "o", label=name)
    axes.set(title="Ratio by language", xlabel="bytes per token", ylabel="language")
    axes.legend()
    return table.T, figure


@wrong("plot_ratio_by_language", caught_by="language_ratios_stay")
def ratios_taken_out(ratios):
    """You take the ratios out of the caller's dictionaries with pop; afterwards these are empty. Square brackets look
    a value up and leave it there.
    """
    import pandas as pd
    from matplotlib.figure import Figure

    first = next(iter(ratios.values()))
    languages = sorted(first, key=first.get)
    columns = {name: [own.pop(language) for language in languages] for name, own in ratios.items()}
    table = pd.DataFrame(columns, index=languages)
    figure = Figure()
    axes = figure.subplots()
    for name in table.columns:
        axes.plot(table[name], table.index, "o", label=name)
    axes.set(title="Ratio by language", xlabel="bytes per token", ylabel="language")
    axes.legend()
    return table, figure


@wrong("plot_rank_frequency", caught_by="rank_table", also=["rank_series"])
def ranks_from_zero(encoded):
    """Your ranks start at 0, and a logarithmic axis cannot show that point: the commonest id has rank 1."""
    from collections import Counter

    import pandas as pd
    from matplotlib.figure import Figure

    rows = [
        (name, rank, count)
        for name, ids in encoded.items()
        for rank, count in enumerate(sorted(Counter(ids).values(), reverse=True))
    ]
    frame = pd.DataFrame(rows, columns=["tokenizer", "rank", "count"])
    figure = Figure()
    axes = figure.subplots()
    for name, part in frame.groupby("tokenizer"):
        axes.plot(part["rank"], part["count"], label=name)
    axes.set(xscale="log", yscale="log", title="Rank and count", xlabel="rank", ylabel="count")
    axes.legend()
    return frame, figure


@wrong("plot_rank_frequency", caught_by="rank_table", also=["rank_series"])
def rarest_gets_rank_1(encoded):
    """Your rank 1 belongs to the rarest id; sort the counts from high to low."""
    from collections import Counter

    import pandas as pd
    from matplotlib.figure import Figure

    rows = [
        (name, rank, count)
        for name, ids in encoded.items()
        for rank, count in enumerate(sorted(Counter(ids).values()), start=1)
    ]
    frame = pd.DataFrame(rows, columns=["tokenizer", "rank", "count"])
    figure = Figure()
    axes = figure.subplots()
    for name, part in frame.groupby("tokenizer"):
        axes.plot(part["rank"], part["count"], label=name)
    axes.set(xscale="log", yscale="log", title="Rank and count", xlabel="rank", ylabel="count")
    axes.legend()
    return frame, figure


@wrong("plot_rank_frequency", caught_by="rank_scales")
def one_logarithmic_axis(encoded):
    """Only one of your axes is logarithmic; Zipf's law is a straight line when both are."""
    from collections import Counter

    import pandas as pd
    from matplotlib.figure import Figure

    rows = [
        (name, rank, count)
        for name, ids in encoded.items()
        for rank, count in enumerate(sorted(Counter(ids).values(), reverse=True), start=1)
    ]
    frame = pd.DataFrame(rows, columns=["tokenizer", "rank", "count"])
    figure = Figure()
    axes = figure.subplots()
    for name, part in frame.groupby("tokenizer"):
        axes.plot(part["rank"], part["count"], label=name)
    axes.set(yscale="log", title="Rank and count", xlabel="rank", ylabel="count")
    axes.legend()
    return frame, figure


@wrong("plot_rank_frequency", caught_by="rank_ids_stay")
def ids_sorted_in_place(encoded):
    """You sort the caller's lists of ids, so that equal ids stand together. Their order was the text! sorted gives a
    new list, and a Counter needs no order at all.
    """
    from itertools import groupby

    import pandas as pd
    from matplotlib.figure import Figure

    rows = []
    for name, ids in encoded.items():
        ids.sort()
        counts = sorted((len(list(equal)) for _, equal in groupby(ids)), reverse=True)
        rows += [(name, rank, count) for rank, count in enumerate(counts, start=1)]
    frame = pd.DataFrame(rows, columns=["tokenizer", "rank", "count"])
    figure = Figure()
    axes = figure.subplots()
    for name, part in frame.groupby("tokenizer"):
        axes.plot(part["rank"], part["count"], label=name)
    axes.set(xscale="log", yscale="log", title="Rank and count", xlabel="rank", ylabel="count")
    axes.legend()
    return frame, figure
