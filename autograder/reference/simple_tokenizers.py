"""Three tokenizers without training on pairs: characters, bytes, words.

Byte-pair encoding has modules of its own. The word tokenizer keeps case, does not stem, and knows nothing of languages
that write without spaces.
"""

import operator
from collections import Counter
from collections.abc import Iterable

import regex

__all__ = ["UNK", "ByteTokenizer", "CharacterTokenizer", "WordTokenizer", "split_words"]

UNK = "UNK"  # what id 0 of a word tokenizer decodes to
PIECES = regex.compile(r"\w+|.", regex.DOTALL)  # without DOTALL the dot leaves out "\n"


def split_words(text: str) -> list[str]:
    r"""Runs of word characters, and every other character by itself; joined, the pieces give `text` back.

    >>> split_words("I'll go.\n")
    ['I', "'", 'll', ' ', 'go', '.', '\n']
    """
    return PIECES.findall(text)


class CharacterTokenizer:
    """One id for each code point.

    >>> CharacterTokenizer().encode("a🌍"), CharacterTokenizer().decode([97, 127757])
    ([97, 127757], 'a🌍')
    """

    vocab_size = 0x110000  # surrogates included: a Python string may hold them

    def encode(self, string: str) -> list[int]:
        """The code points of `string`."""
        return [ord(character) for character in string]

    def decode(self, indices: list[int]) -> str:
        """The characters with these ids; `ValueError` for an id outside 0 to 0x10FFFF, however large."""
        for index in indices:
            if not 0 <= index < self.vocab_size:  # chr alone raises OverflowError from 2**31 on
                raise ValueError(f"indices holds {index}, which is no code point")
        return "".join(map(chr, indices))


class ByteTokenizer:
    """One id for each byte of the UTF-8 form.

    >>> ByteTokenizer().encode("é"), ByteTokenizer().decode([195, 169])
    ([195, 169], 'é')
    """

    vocab_size = 256

    def encode(self, string: str) -> list[int]:
        """The UTF-8 bytes; `UnicodeEncodeError` for a surrogate, which UTF-8 cannot hold."""
        return list(string.encode("utf-8"))

    def decode(self, indices: list[int]) -> str:
        """The text of these bytes; `ValueError` for values outside 0 to 255, `UnicodeDecodeError` for no UTF-8."""
        return bytes(indices).decode("utf-8")


class WordTokenizer:
    """The most frequent pieces of the training texts; id 0 stands for every other piece.

    Ties go to the piece seen first. Counts go over all texts, but no piece crosses from one text to the next.

    >>> tokenizer = WordTokenizer(["to be or not to be"], 4)
    >>> tokenizer.encode("to see"), tokenizer.decode([2, 1, 3])
    ([2, 1, 0], 'to be')
    """

    def __init__(self, training_texts: Iterable[str], vocab_size: int):
        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError(f"vocab_size must be an int of at least 1, not {vocab_size!r}")
        counts = Counter(piece for text in training_texts for piece in split_words(text))
        # most_common is stable: among equal counts the piece seen first stays first.
        words = [word for word, _ in counts.most_common(vocab_size - 1)]
        self.texts = [UNK, *words]
        self.ids = {word: index for index, word in enumerate(words, start=1)}
        self.vocab_size = len(self.texts)

    def encode(self, string: str) -> list[int]:
        """The id of each piece, 0 for an unknown one."""
        return [self.ids.get(piece, 0) for piece in split_words(string)]

    def decode(self, indices: list[int]) -> str:
        """The pieces joined, `UNK` for id 0; `ValueError` for an id that is not in the vocabulary."""
        for index in indices:
            if not 0 <= index < self.vocab_size:
                raise ValueError(f"indices holds {index}; the ids go from 0 to {self.vocab_size - 1}")
        return "".join(self.texts[index] for index in indices)

    def unknown_rate(self, text: str) -> float:
        """The share of the pieces of `text` that are unknown; `ValueError` for an empty text."""
        indices = self.encode(text)
        if not indices:
            raise ValueError("text is empty: it has no pieces to take a share of")
        return operator.countOf(indices, 0) / len(indices)
