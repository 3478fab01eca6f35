"""Byte-pair training that looks only at what a merge changes: the naive answers in a fraction of the time.

`fit_merges` follows rule set R1 (ids, smallest pair in a tie, stops below a count of 2) and equals
`naive_bpe.fit_merges`; `learn_merges` follows R2 (bytes, greatest pair in a tie, down to a count of 1) and equals
`pretokenized_bpe.learn_merges`. How a merge finds its places and its neighbours is in `token_line`.

Left out: NumPy (`array_bpe` has R1 for long texts).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from autograder.reference.corpus_counts import count_file, emptied
from autograder.reference.naive_bpe import FIRST_RULE, LEAST_COUNT, Merges
from autograder.reference.pretokenized_bpe import number_of_merges, number_vocabulary
from autograder.reference.token_line import Line

__all__ = ["fit_merges", "learn_merges", "learn_words", "train_bpe"]

FLIP = bytes(255 - byte for byte in range(256))
END = "\u0100"  # above every flipped byte, so that among equal starts the longer token is the greater


def fit_merges(documents: Iterable[str], max_merges: int) -> Merges:
    """At most `max_merges` rules `((a, b), new_id)` in the order learnt; fewer when no pair stands at two places.

    `max_merges` is an int of at least 0, else `ValueError`.

    >>> fit_merges(["abab", "acac"], 32)
    [((97, 98), 258), ((97, 99), 259)]
    >>> fit_merges(["aaaaaa"], 9)
    [((97, 97), 258), ((258, 258), 259)]
    """
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"max_merges must be an int of at least 0, not {max_merges!r}")
    words = ((text.encode("utf-8"), 1) for text in documents)
    line = Line(words, FIRST_RULE, lambda pair: pair, least=LEAST_COUNT, weighted=False)
    merges: Merges = []
    while len(merges) < max_merges and (pair := line.best()) is not None:
        merges.append((pair, FIRST_RULE + len(merges)))
        line.merge(*merges[-1])
    return merges


def learn_merges(counts: Mapping[tuple[bytes, ...], int], num_merges: int) -> list[tuple[bytes, bytes]]:
    """At most `num_merges` pairs in the order merged, from pre-tokens as single bytes with their numbers.

    >>> learn_merges({(b"a", b"a", b"b"): 1}, 9)
    [(b'a', b'b'), (b'a', b'ab')]
    """
    return learn_words(((b"".join(symbols), number) for symbols, number in counts.items()), num_merges)


def learn_words(words: Iterable[tuple[bytes, int]], num_merges: int) -> list[tuple[bytes, bytes]]:
    """`learn_merges` for pre-tokens that come as bytes with their numbers, one after the other.

    >>> learn_words([(b"baaa", 1)], 2)
    [(b'a', b'a'), (b'b', b'aa')]
    """
    pieces = [bytes([byte]) for byte in range(256)]
    keys = [descending(piece) for piece in pieces]
    line = Line(words, len(pieces), lambda pair: (keys[pair[0]], keys[pair[1]]), least=1, weighted=True)
    merges: list[tuple[bytes, bytes]] = []
    while len(merges) < num_merges and (pair := line.best()) is not None:
        a, b = pair
        merges.append((pieces[a], pieces[b]))
        pieces.append(pieces[a] + pieces[b])
        keys.append(descending(pieces[-1]))
        line.merge(pair, len(pieces) - 1)
    return merges


def descending(piece: bytes) -> str:
    """A key that is least for the greatest bytes.

    >>> sorted([b"a", b"ab", b"b", b""], key=descending)
    [b'b', b'ab', b'a', b'']
    """
    return piece.translate(FLIP).decode("latin-1") + END


def train_bpe(
    input_path: str | Path, vocab_size: int, special_tokens: Sequence[str], *, jobs: int = 1,
    advance: Callable[[int], object] = lambda size: None,
) -> tuple[dict[int, bytes], list[tuple[bytes, bytes]]]:
    """`pretokenized_bpe.train_bpe` for files of any size: the same vocabulary, merges and errors.

    The file is counted in slices by `jobs` processes; `advance` hears how many bytes were done, again and again.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "text").write_bytes(b"low<s>low lower")
    ...     train_bpe(Path(folder, "text"), 259, ["<s>"])[1]
    [(b'o', b'w'), (b'l', b'ow')]
    """
    num_merges = number_of_merges(vocab_size, special_tokens)
    counts = count_file(input_path, special_tokens, jobs, advance)
    merges = learn_words(emptied(counts), num_merges)
    return number_vocabulary(special_tokens, merges), merges
