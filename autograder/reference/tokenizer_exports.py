"""Trained rules handed to two other libraries, which give the same ids: `tiktoken` and `tokenizers`.

Left out: tokenizing itself (`tokenizer`), whose `Tokenizer` is passed in.
"""

from typing import TYPE_CHECKING

import tiktoken
import tokenizers

from autograder.reference.pretokenized_bpe import GPT2_PATTERN

if TYPE_CHECKING:  # it offers these functions under its own name too
    from autograder.reference.tokenizer import Tokenizer

__all__ = ["byte_letters", "to_huggingface", "to_tiktoken"]


def to_tiktoken(tokenizer: "Tokenizer") -> tiktoken.Encoding:
    """The same rules for `tiktoken`, which merges whatever joined bytes have the lowest id.

    So the ids of learnt tokens must grow with the rank of their rules, else ValueError; and entries of the vocabulary
    that no rule makes must stay out. Its special tokens are tried in no promised order: none may begin another.
    """
    number = {piece: one for one, piece in tokenizer.vocab.items()}
    pieces = [bytes([byte]) for byte in range(256)] + [left + right for left, right in tokenizer.merges]
    learnt = [number[piece] for piece in pieces[256:]]
    if learnt != sorted(learnt):
        raise ValueError("merges: tiktoken merges by id, and these ids do not grow with the rank of their rules")
    return tiktoken.Encoding(
        "workbook", pat_str=GPT2_PATTERN, mergeable_ranks={piece: number[piece] for piece in pieces},
        special_tokens={token: number[token.encode()] for token in tokenizer.special_tokens},
    )


def byte_letters() -> dict[int, str]:
    """The letter that stands for each byte where a library keeps tokens as text: GPT-2's table.

    >>> byte_letters()[97], byte_letters()[32], len(set(byte_letters().values()))
    ('a', 'Ġ', 256)
    """
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {byte: chr(byte) for byte in plain} | {byte: chr(256 + i) for i, byte in enumerate(others)}


def to_huggingface(tokenizer: "Tokenizer") -> tokenizers.Tokenizer:
    """The same rules for `tokenizers`, which keeps tokens as text: a letter for each byte."""
    letter = byte_letters()

    def letters(piece: bytes) -> str:
        return "".join(letter[byte] for byte in piece)

    special = {token.encode(): token for token in tokenizer.special_tokens}
    vocab = {special.get(piece) or letters(piece): number for number, piece in tokenizer.vocab.items()}
    merges = [(letters(left), letters(right)) for left, right in tokenizer.merges]
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocab, merges=merges))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    made.add_special_tokens([tokenizers.AddedToken(token, normalized=False) for token in tokenizer.special_tokens])
    return made
