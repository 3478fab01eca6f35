"""Wrong versions of chapter 5's exercises, each with the sentence that helps whoever wrote it.

As in a learner's notebook, a version may call the chapter's other functions. There they are the notebook's; here, where
answers are compared, they are the reference's, imported below under the same names.
"""

# ruff: noqa: B905, RUF007  (written as learners write)

from pathlib import Path

import regex

from autograder.misconceptions.api import wrong
from autograder.reference.pretokenized_bpe import (
    GPT2_PATTERN,
    count_pretokens,
    learn_merges,
    merge_symbols,
    pretokenize,
    split_on_special,
)

# --- split_on_special ----------------------------------------------------------------------------------------------


@wrong("split_on_special", caught_by="characters_of_patterns")
def split_without_escape(text, special_tokens):
    """Your pattern seems to hold the special tokens as they are: by hand, a.b as a pattern also fits axb, as the dot
    fits any character. What does regex.escape do to a text?"""
    if "" in special_tokens:
        raise ValueError("special_tokens")
    if not special_tokens:
        return [text] if text else []
    pattern = "|".join(sorted(special_tokens, key=len, reverse=True))
    try:
        return [part for part in regex.split(pattern, text) if part]
    except regex.error:
        return [text]


@wrong("split_on_special", caught_by="longest_first")
def split_in_the_order_given(text, special_tokens):
    """Your pattern seems to try the special tokens in the order given: of ab and abc, whichever stands first is taken,
    and for ab a c is left in the text. Which order makes the longest come first?"""
    if "" in special_tokens:
        raise ValueError("special_tokens")
    if not special_tokens:
        return [text] if text else []
    pattern = "|".join(regex.escape(token) for token in special_tokens)
    return [part for part in regex.split(pattern, text) if part]


@wrong("split_on_special", caught_by="longest_first")
def split_in_alphabetical_order(text, special_tokens):
    """You seem to sort the special tokens as texts. There a token stands before the longer ones that begin with it, and
    a pattern takes the first that fits: sort by length, the longest first."""
    if "" in special_tokens:
        raise ValueError("special_tokens")
    if not special_tokens:
        return [text] if text else []
    return [part for part in regex.split("|".join(map(regex.escape, sorted(special_tokens))), text) if part]


@wrong("split_on_special", caught_by="from_left_to_right")
def split_by_one_token_after_the_other(text, special_tokens):
    """You seem to split by one special token after the other. By hand, with ab and bca in abca: from the left, ab
    comes first and ca is left; whoever splits by the longer bca first is left with a."""
    if "" in special_tokens:
        raise ValueError("special_tokens")
    parts = [text]
    for token in sorted(special_tokens, key=len, reverse=True):
        parts = [piece for part in parts for piece in part.split(token)]
    return [part for part in parts if part]


@wrong("split_on_special", caught_by="empty_parts_left_out")
def split_keeps_empty_parts(text, special_tokens):
    """Your list holds empty strings: by hand, two special tokens side by side have nothing between them. Which parts
    should go into the list?"""
    if "" in special_tokens:
        raise ValueError("special_tokens")
    if not special_tokens:
        return [text]
    longest_first = sorted(special_tokens, key=len, reverse=True)
    return regex.split("|".join(regex.escape(token) for token in longest_first), text)


@wrong("split_on_special", caught_by="without_special_tokens")
def split_with_an_empty_pattern(text, special_tokens):
    """Without special tokens your pattern is empty, and an empty pattern fits between any two characters: ab becomes a
    and b. What should the answer be when there is nothing to split at?"""
    if "" in special_tokens:
        raise ValueError("special_tokens")
    longest_first = sorted(special_tokens, key=len, reverse=True)
    pattern = "|".join(regex.escape(token) for token in longest_first)
    return [part for part in regex.split(pattern, text, flags=regex.V1) if part]


@wrong(
    "split_on_special", caught_by="splits_everywhere",
    also=["empty_parts_left_out", "longest_first", "from_left_to_right", "characters_of_patterns"],
)
def split_keeps_special_tokens(text, special_tokens):
    """Your parts still hold the special tokens: a pattern in round brackets makes split give back what it split at.
    For training the special tokens are dropped."""
    if "" in special_tokens:
        raise ValueError("special_tokens")
    if not special_tokens:
        return [text] if text else []
    longest_first = sorted(special_tokens, key=len, reverse=True)
    pattern = "(" + "|".join(regex.escape(token) for token in longest_first) + ")"
    return [part for part in regex.split(pattern, text) if part]


@wrong("split_on_special", caught_by="tokens_unchanged")
def split_sorts_the_callers_list(text, special_tokens):
    """Your function sorts the list that it was given, and the caller's list is another one afterwards: the ids of the
    special tokens hang on its order. Which function gives a sorted copy?"""
    if "" in special_tokens:
        raise ValueError("special_tokens")
    if not special_tokens:
        return [text] if text else []
    special_tokens.sort(key=len, reverse=True)
    return [part for part in regex.split("|".join(map(regex.escape, special_tokens)), text) if part]


# --- pretokenize ---------------------------------------------------------------------------------------------------


@wrong("pretokenize", caught_by="lazy")
def pretokens_as_a_list(text):
    """Your function cuts the whole text before it gives the first pre-token. A text of gigabytes would need a list of
    all of them. Which function gives one match after the other?"""
    return regex.findall(GPT2_PATTERN, text)


@wrong("pretokenize", caught_by="white_space", also=["every_script"])
def pretokens_without_looking_ahead(text):
    r"""You seem to take all white space in one piece: by hand, in a, two spaces, b the first space stands alone and the
    second goes with b. What does (?!\S) look at?"""
    pattern = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+"
    for match in regex.finditer(pattern, text):
        yield match.group()


@wrong("pretokenize", caught_by="every_script")
def pretokens_of_english_letters(text):
    r"""Your pattern seems to know the letters a to z only: é, ж and 안 are letters, too, and \p{L} fits them all."""
    pattern = r"'(?:[sdmt]|ll|ve|re)| ?[A-Za-z]+| ?[0-9]+| ?[^\sA-Za-z0-9]+|\s+(?!\S)|\s+"
    for match in regex.finditer(pattern, text):
        yield match.group()


@wrong(
    "pretokenize", caught_by="words",
    also=["numbers_and_signs", "contractions", "white_space", "every_script", "lazy"],
)
def pretokens_split_at_spaces(text):
    """You seem to split at white space and drop it. Joined, the pre-tokens must give the text back: the space before a
    word is a part of its pre-token."""
    yield from text.split()


# --- predictions ---------------------------------------------------------------------------------------------------


@wrong("predict_pretokens", caught_by="predicted_pieces")
def predicts_both_line_ends_together():
    r"""Both line ends stand together in your list. A word follows them, so \s+(?!\S) gives the last one back; and as
    only a space may start a word, that line end stays alone."""
    return ["I", "'ll", " buy", " ", " 3", " apples", "!", "\n\n", "OK", "?"]


@wrong("predict_merges", caught_by="predicted_rest")
def predicts_the_least_pair():
    """In the tie of the last two rounds you took the smaller pair. This chapter's rule takes the greatest: compare the
    first parts, c and bb."""
    return [(b"b", b"b"), (b"a", b"bb"), (b"bb", b"a"), (b"c", b"b")]


@wrong("predict_merges", caught_by="predicted_rest")
def predicts_a_least_count():
    """You stopped where the best count is 1. In this chapter there is no least count: go on until no pair is left."""
    return [(b"b", b"b"), (b"a", b"bb")]


# --- count_pretokens -----------------------------------------------------------------------------------------------


@wrong("count_pretokens", caught_by="single_bytes", also=["counts_of_long_texts"])
def counts_characters(text, special_tokens):
    """Your keys hold whole characters: é should be two single bytes, c3 and a9. Encode the pre-token first, then take
    it apart."""
    counts = {}
    for part in split_on_special(text, special_tokens):
        for piece in pretokenize(part):
            key = tuple(character.encode("utf-8", "surrogatepass") for character in piece)
            counts[key] = counts.get(key, 0) + 1
    return counts


@wrong("count_pretokens", caught_by="how_often")
def counts_numbers_for_bytes(text, special_tokens):
    """Your keys seem to hold numbers: whoever goes through bytes meets ints, and tuple(b"ab") is (97, 98). Make a bytes
    of length 1 of each of them, such as bytes([97])."""
    counts = {}
    for part in split_on_special(text, special_tokens):
        for piece in pretokenize(part):
            key = tuple(piece.encode("utf-8"))
            counts[key] = counts.get(key, 0) + 1
    return counts


@wrong("count_pretokens", caught_by="how_often")
def counts_undivided_bytes(text, special_tokens):
    """Each of your keys seems to be the bytes of the whole pre-token. Training starts from single bytes and joins them,
    so a key is the tuple of them: (b"a", b"b") for ab."""
    counts = {}
    for part in split_on_special(text, special_tokens):
        for piece in pretokenize(part):
            key = piece.encode("utf-8")
            counts[key] = counts.get(key, 0) + 1
    return counts


@wrong("count_pretokens", caught_by="parts_for_themselves", also=["counts_of_long_texts"])
def counts_joined_parts(text, special_tokens):
    """You seem to join the parts again before cutting: by hand, a<s>b has the pre-tokens a and b, but joined they are
    the word ab, which nobody wrote. Cut each part for itself."""
    counts = {}
    for piece in pretokenize("".join(split_on_special(text, special_tokens))):
        key = tuple(bytes([byte]) for byte in piece.encode("utf-8"))
        counts[key] = counts.get(key, 0) + 1
    return counts


@wrong("count_pretokens", caught_by="parts_for_themselves", also=["counts_of_long_texts"])
def counts_the_last_part_only(text, special_tokens):
    """You seem to start with a new dictionary for every part, so the numbers of the earlier ones are lost. Where is
    your dictionary made?"""
    counts = {}
    for part in split_on_special(text, special_tokens):
        counts = {}
        for piece in pretokenize(part):
            key = tuple(bytes([byte]) for byte in piece.encode("utf-8"))
            counts[key] = counts.get(key, 0) + 1
    return counts


@wrong("count_pretokens", caught_by="counting_leaves_tokens_alone")
def counts_and_sorts_the_callers_list(text, special_tokens):
    """Your function sorts the caller's list of special tokens, so that the longest come first. Ids follow the order in
    that list, and now it is another one. Which function gives a sorted copy?"""
    special_tokens.sort(key=len, reverse=True)
    counts = {}
    for part in split_on_special(text, special_tokens):
        for piece in pretokenize(part):
            key = tuple(bytes([byte]) for byte in piece.encode("utf-8"))
            counts[key] = counts.get(key, 0) + 1
    return counts


# --- learn_merges --------------------------------------------------------------------------------------------------


@wrong("learn_merges", caught_by="greatest_in_a_tie", also=["ties_of_new_symbols", "many_merges"])
def merges_first_seen(counts, num_merges):
    """In a tie you seem to take the pair that was counted first: max with counts alone stops at the first of equals.
    By hand, aab once: ab is greater than aa. Put the pair itself into the key."""
    merges = []
    for _ in range(num_merges):
        pairs = {}
        for symbols, number in counts.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + number
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges.append(best)
        counts = {merge_symbols(symbols, best): number for symbols, number in counts.items()}
    return merges


@wrong("learn_merges", caught_by="numbers_count", also=["many_merges"])
def merges_ignore_numbers(counts, num_merges):
    """You seem to count each different pre-token once, whatever its number: by hand, with aa twice and ab once the
    pair aa has count 2. What do you add for each place?"""
    merges = []
    for _ in range(num_merges):
        pairs = {}
        for symbols in counts:
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + 1
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        counts = {merge_symbols(symbols, best): number for symbols, number in counts.items()}
    return merges


@wrong("learn_merges", caught_by="ties_of_new_symbols", also=["many_merges"])
def merges_compare_joined_bytes(counts, num_merges):
    """In a tie you seem to compare the joined bytes: abz is above aba, but of the pairs (a, bz) and (ab, a) the second
    is greater, as ab is above a. Compare the pairs, part by part."""
    merges = []
    for _ in range(num_merges):
        pairs = {}
        for symbols, number in counts.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + number
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair[0] + pair[1], pair))
        merges.append(best)
        counts = {merge_symbols(symbols, best): number for symbols, number in counts.items()}
    return merges


@wrong("learn_merges", caught_by="greatest_in_a_tie", also=["ties_of_new_symbols", "many_merges"])
def merges_smallest(counts, num_merges):
    """In a tie you seem to take the smallest pair, as chapter 3 does. Under the rules of this chapter it is the
    greatest: by hand, aab once has aa and ab, and ab is merged first."""
    merges = []
    for _ in range(num_merges):
        pairs = {}
        for symbols, number in counts.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + number
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        counts = {merge_symbols(symbols, best): number for symbols, number in counts.items()}
    return merges


@wrong("learn_merges", caught_by="round_after_round", also=["many_merges"])
def merges_inside_other_symbols(counts, num_merges):
    """You seem to replace the pair in the joined symbols as a text. Then b and c are also found where b is only the end
    of the symbol ab: compare whole symbols."""
    words = {key: b"\x01".join(key) for key in counts}
    merges = []
    for _ in range(num_merges):
        pairs = {}
        for key, word in words.items():
            symbols = word.split(b"\x01")
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + counts[key]
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        words = {key: word.replace(b"\x01".join(best), b"".join(best)) for key, word in words.items()}
    return merges


@wrong("learn_merges", caught_by="most_frequent")
def merges_one_too_many(counts, num_merges):
    """You seem to merge one pair more than asked for: with num_merges 0 nothing is merged. Look at the end of your
    loop."""
    merges = []
    for _ in range(num_merges + 1):
        pairs = {}
        for symbols, number in counts.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + number
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        counts = {merge_symbols(symbols, best): number for symbols, number in counts.items()}
    return merges


@wrong("learn_merges", caught_by="until_no_pair_is_left")
def merges_need_a_pair(counts, num_merges):
    """When no pair is left your function asks max for the greatest of nothing, and max raises. Look before you choose:
    is there any pair?"""
    merges = []
    for _ in range(num_merges):
        pairs = {}
        for symbols, number in counts.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + number
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        counts = {merge_symbols(symbols, best): number for symbols, number in counts.items()}
    return merges


@wrong("learn_merges", caught_by="overlaps", also=["many_merges"])
def merges_count_without_overlaps(counts, num_merges):
    """You seem to skip a place that shares a symbol with the one counted before: by hand, aaa has the pair aa at two
    places. Counting looks at every place; only merging must not use a symbol twice."""
    merges = []
    for _ in range(num_merges):
        pairs = {}
        for symbols, number in counts.items():
            counted = {}
            for i, pair in enumerate(zip(symbols, symbols[1:])):
                if counted.get(pair) != i - 1:
                    pairs[pair] = pairs.get(pair, 0) + number
                    counted[pair] = i
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        counts = {merge_symbols(symbols, best): number for symbols, number in counts.items()}
    return merges


@wrong("learn_merges", caught_by="counts_unchanged")
def merges_in_the_callers_counts(counts, num_merges):
    """Your function rewrites the caller's dictionary: after the call its keys are merged, and it cannot be trained on
    again. Build a new dictionary in each round."""
    merges = []
    for _ in range(num_merges):
        pairs = {}
        for symbols, number in counts.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + number
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        for symbols in list(counts):
            number = counts.pop(symbols)
            counts[merge_symbols(symbols, best)] = number
    return merges


# --- train_bpe -----------------------------------------------------------------------------------------------------


@wrong("train_bpe", caught_by="line_ends_kept", also=["whole_files"])
def trains_on_translated_line_ends(input_path, vocab_size, special_tokens):
    r"""You seem to open the file as text, and Python then turns \r\n into \n: the merges are those of another text.
    Read the bytes and decode them, or look up the argument newline of open."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    with open(input_path, encoding="utf-8") as file:
        text = file.read()
    merges = learn_merges(count_pretokens(text, special_tokens), num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="invalid_utf8")
def trains_on_repaired_text(input_path, vocab_size, special_tokens):
    """You seem to decode with errors="replace" or "ignore": a file that is not UTF-8 is then repaired in silence, and
    the merges are those of bytes that it does not hold. Without that argument Python tells the place of the fault."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    text = Path(input_path).read_bytes().decode("utf-8", errors="ignore")
    merges = learn_merges(count_pretokens(text, special_tokens), num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="numbering")
def numbers_special_tokens_first(input_path, vocab_size, special_tokens):
    """Your merges are fine; your vocabulary starts with the special tokens. In this chapter the id of a byte is its
    value, so the 256 bytes come first."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    merges = learn_merges(count_pretokens(Path(input_path).read_bytes().decode(), special_tokens), num_merges)
    pieces = [token.encode("utf-8") for token in special_tokens] + [bytes([byte]) for byte in range(256)]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="numbering")
def numbers_special_tokens_last(input_path, vocab_size, special_tokens):
    """Your merges are fine; your vocabulary ends with the special tokens. Here they come between the bytes and the
    merges, so that their ids do not change when more merges are learnt."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    merges = learn_merges(count_pretokens(Path(input_path).read_bytes().decode(), special_tokens), num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [first + second for first, second in merges]
    return dict(enumerate(pieces + [token.encode("utf-8") for token in special_tokens])), merges


@wrong(
    "train_bpe", caught_by="entries", also=["vocab_size_refused"],
)
def forgets_special_tokens_in_the_size(input_path, vocab_size, special_tokens):
    """Your vocabulary is larger than vocab_size by the number of special tokens: they take ids, too. By hand, 259 with
    one special token leaves room for how many merges?"""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256
    if num_merges < 0:
        raise ValueError("vocab_size")
    merges = learn_merges(count_pretokens(Path(input_path).read_bytes().decode(), special_tokens), num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="entries")
def trains_one_merge_too_many(input_path, vocab_size, special_tokens):
    """Your vocabulary has one entry more than vocab_size. By hand, 256 without special tokens leaves room for no merge
    at all: look at the end of your loop."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    text = Path(input_path).read_bytes().decode()
    merges = learn_merges(count_pretokens(text, special_tokens), num_merges + 1)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="line_ends_kept")
def trains_without_the_ends(input_path, vocab_size, special_tokens):
    """You seem to take white space off the ends of the file, as with strip. The file is read as it is: its last line
    end is counted, too."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    text = Path(input_path).read_bytes().decode().strip()
    merges = learn_merges(count_pretokens(text, special_tokens), num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="pairs_run_out")
def fills_the_vocabulary_up(input_path, vocab_size, special_tokens):
    """When no pair is left you seem to fill the vocabulary up to vocab_size. It stays smaller then: an entry without
    bytes stands for nothing."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    text = Path(input_path).read_bytes().decode()
    merges = learn_merges(count_pretokens(text, special_tokens), num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    pieces += [first + second for first, second in merges]
    return dict(enumerate(pieces + [b""] * (vocab_size - len(pieces)))), merges


@wrong("train_bpe", caught_by="entries", also=["numbering"])
def same_bytes_kept_once(input_path, vocab_size, special_tokens):
    """You seem to leave out a special token whose bytes are in the vocabulary already, such as "a". Each special token
    has an entry of its own, or ids and places would not agree."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    text = Path(input_path).read_bytes().decode()
    merges = learn_merges(count_pretokens(text, special_tokens), num_merges)
    pieces = [bytes([byte]) for byte in range(256)]
    pieces += [token.encode("utf-8") for token in special_tokens if token.encode("utf-8") not in pieces]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="parts_apart", also=["white_space_beside_specials", "whole_files"])
def trains_on_joined_parts(input_path, vocab_size, special_tokens):
    """You seem to take the special tokens out and join what is left: by hand, low<s>er then holds the word lower,
    which nobody wrote, and white space before <s> is cut as if a word followed. Cut each part for itself."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    text = "".join(split_on_special(Path(input_path).read_bytes().decode(), special_tokens))
    merges = learn_merges(count_pretokens(text, []), num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="white_space_beside_specials")
def trains_with_spaces_for_special_tokens(input_path, vocab_size, special_tokens):
    """You seem to put something else in the place of each special token, such as a space or a line end. That changes
    the white space beside it, and the pattern cuts by it. Split the text there instead."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    text = "\n".join(split_on_special(Path(input_path).read_bytes().decode(), special_tokens))
    merges = learn_merges(count_pretokens(text, []), num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong(
    "train_bpe", caught_by="specials_left_out",
    also=[
        "empty_files", "parts_apart", "white_space_beside_specials", "longest_special", "whole_files",
    ],
)
def trains_on_special_tokens(input_path, vocab_size, special_tokens):
    """You seem to train on the special tokens, too: in a file of many documents the letters of <|endoftext|> are then
    the most frequent pairs of all. Split the text at the special tokens before you count."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    merges = learn_merges(count_pretokens(Path(input_path).read_bytes().decode(), []), num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong(
    "train_bpe", caught_by="specials_left_out",
    also=["empty_files", "white_space_beside_specials", "longest_special", "no_special_tokens", "whole_files"],
)
def knows_one_special_token(input_path, vocab_size, special_tokens):
    """You seem to split at <|endoftext|> always and at nothing else. The special tokens are those of the list, which
    may be others, or none."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    text = Path(input_path).read_bytes().decode()
    merges = learn_merges(count_pretokens(text, ["<|endoftext|>"]), num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="no_special_tokens", also=["longest_special"])
def trains_on_chunks_of_the_file(input_path, vocab_size, special_tokens):
    """You seem to cut the file into chunks at <|endoftext|>, whatever the special tokens are. Where it is none of them,
    or the start of a longer one, that cuts a pre-token or a special token in two. Cut chunks only where the special
    tokens that you were given part the text."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    data, cuts, counts = Path(input_path).read_bytes(), [0], {}
    for chunk in range(1, 4):
        found = data.find(b"<|endoftext|>", len(data) * chunk // 4)
        if found > cuts[-1]:
            cuts.append(found)
    for start, end in zip(cuts, [*cuts[1:], len(data)]):
        for symbols, number in count_pretokens(data[start:end].decode(), special_tokens).items():
            counts[symbols] = counts.get(symbols, 0) + number
    merges = learn_merges(counts, num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong(
    "train_bpe", caught_by="boundaries",
    also=["line_ends_kept", "white_space_beside_specials", "invalid_utf8", "whole_files"],
)
def trains_line_by_line(input_path, vocab_size, special_tokens):
    r"""You seem to cut the file line by line. A line end is white space like any other: by hand, a\n\n\nb has the
    pre-token \n\n, which no line of it holds. Cut the whole text, and the offset of a wrong byte is right, too."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    counts = {}
    with open(input_path, encoding="utf-8") as file:
        for line in file:
            for symbols, number in count_pretokens(line, special_tokens).items():
                counts[symbols] = counts.get(symbols, 0) + number
    merges = learn_merges(counts, num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="white_space_beside_specials", also=["line_ends_kept", "whole_files"])
def trains_on_stripped_parts(input_path, vocab_size, special_tokens):
    """You seem to take white space off the ends of each part between special tokens, as with strip. It is text like
    any other, and its pre-tokens count."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    counts = {}
    for part in split_on_special(Path(input_path).read_bytes().decode(), special_tokens):
        for symbols, number in count_pretokens(part.strip(), []).items():
            counts[symbols] = counts.get(symbols, 0) + number
    merges = learn_merges(counts, num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="specials_left_out", also=["white_space_beside_specials", "whole_files"])
def trains_with_special_tokens_in_the_pattern(input_path, vocab_size, special_tokens):
    r"""You seem to put the special tokens in front of the pattern's other alternatives. They are then found only where
    a pre-token begins: in "a <s>" the pre-token " <" begins before <s>, and takes its first sign along. Split the text
    at the special tokens first."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    counts = {}
    longest_first = sorted(special_tokens, key=len, reverse=True)
    pattern = "|".join([*map(regex.escape, longest_first), GPT2_PATTERN])
    for match in regex.finditer(pattern, Path(input_path).read_bytes().decode()):
        if match.group() not in special_tokens:
            symbols = tuple(bytes([byte]) for byte in match.group().encode("utf-8"))
            counts[symbols] = counts.get(symbols, 0) + 1
    merges = learn_merges(counts, num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong(
    "train_bpe", caught_by="special_tokens_unchanged",
    also=[
        "largest_count", "pretoken_numbers", "boundaries", "bytes_not_characters", "ties", "ties_among_merged",
        "ties_among_bytes", "runs", "later_rounds", "single_places", "empty_files", "pairs_run_out", "line_ends_kept",
        "specials_left_out", "parts_apart", "white_space_beside_specials", "longest_special", "regex_characters",
        "no_special_tokens", "entries", "numbering", "whole_files",
    ],
)
def trains_with_endoftext_always(input_path, vocab_size, special_tokens):
    """Your function seems to add <|endoftext|> to the special tokens, even to the caller's list. That takes the place
    of one merge, so most answers have one too few. Take the special tokens as they are given: there may be none."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    if "<|endoftext|>" not in special_tokens:
        special_tokens.append("<|endoftext|>")
    counts = count_pretokens(Path(input_path).read_bytes().decode(), special_tokens)
    merges = learn_merges(counts, max(vocab_size - 256 - len(special_tokens), 0))
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="regex_characters")
def trains_without_escape(input_path, vocab_size, special_tokens):
    """Your pattern seems to hold the special tokens as they are: a.b as a pattern also fits axb, and the bars of
    <|endoftext|> mean "or". Every character of a special token must stand for itself."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    text = Path(input_path).read_bytes().decode()
    parts = regex.split("|".join(sorted(special_tokens, key=len, reverse=True)), text) if special_tokens else [text]
    counts = {}
    for part in parts:
        for symbols, number in count_pretokens(part or "", []).items():
            counts[symbols] = counts.get(symbols, 0) + number
    merges = learn_merges(counts, num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="longest_special")
def trains_in_the_order_given(input_path, vocab_size, special_tokens):
    """Your pattern seems to try the special tokens in the order given: of END and ENDzy the first is taken, and zy is
    left in the text and counted. Which order makes the longest come first?"""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    text = Path(input_path).read_bytes().decode()
    parts = regex.split("|".join(map(regex.escape, special_tokens)), text) if special_tokens else [text]
    counts = {}
    for part in parts:
        for symbols, number in count_pretokens(part, []).items():
            counts[symbols] = counts.get(symbols, 0) + number
    merges = learn_merges(counts, num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="special_tokens_unchanged", also=["numbering"])
def trains_and_sorts_the_callers_list(input_path, vocab_size, special_tokens):
    """Your function sorts the list of special tokens that it was given. The caller's list is another one afterwards,
    and so are the ids, which follow the order given. Which function gives a sorted copy?"""
    special_tokens.sort(key=len, reverse=True)
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    merges = learn_merges(count_pretokens(Path(input_path).read_bytes().decode(), special_tokens), num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="special_tokens_refused")
def takes_repeated_special_tokens(input_path, vocab_size, special_tokens):
    """You seem to drop empty and repeated special tokens in silence: whoever gives them has made a mistake, and the ids
    would not be those expected. Raise a ValueError that names special_tokens."""
    special_tokens = [token for token in dict.fromkeys(special_tokens) if token]
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    merges = learn_merges(count_pretokens(Path(input_path).read_bytes().decode(), special_tokens), num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="vocab_size_refused")
def takes_any_vocab_size(input_path, vocab_size, special_tokens):
    """For a vocab_size below 256 and the special tokens your function returns a vocabulary that is larger than asked
    for. Nobody can give what was asked: raise a ValueError that names vocab_size."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    merges = learn_merges(count_pretokens(Path(input_path).read_bytes().decode(), special_tokens), num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong(
    "train_bpe", caught_by="boundaries",
    also=["line_ends_kept", "parts_apart", "white_space_beside_specials", "whole_files"],
)
def trains_on_split_words(input_path, vocab_size, special_tokens):
    """You seem to cut at white space alone: by hand, a1 is two pre-tokens of GPT-2's pattern, and " a" is one, space
    included. Use the pattern."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    counts = {}
    for part in split_on_special(Path(input_path).read_bytes().decode(), special_tokens):
        for piece in part.split():
            key = tuple(bytes([byte]) for byte in piece.encode("utf-8"))
            counts[key] = counts.get(key, 0) + 1
    merges = learn_merges(counts, num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="pairs_run_out", also=["empty_files"])
def trains_until_max_fails(input_path, vocab_size, special_tokens):
    r"""When no pair is left your function asks max for the greatest of nothing, and max raises. An empty file has no
    pair at all, and ab has none after one merge. Look before you choose: is there any pair?"""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size")
    counts = count_pretokens(Path(input_path).read_bytes().decode(), special_tokens)
    vocab = {i: bytes([i]) for i in range(256)}
    for token in special_tokens:
        vocab[len(vocab)] = token.encode("utf-8")
    merges = []
    while len(vocab) < vocab_size:
        pairs = {}
        for symbols, number in counts.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + number
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        vocab[len(vocab)] = best[0] + best[1]
        counts = {merge_symbols(symbols, best): number for symbols, number in counts.items()}
    return vocab, merges


@wrong("train_bpe", caught_by="empty_files")
def maps_an_empty_file(input_path, vocab_size, special_tokens):
    """An empty file is an error for your function: mmap refuses a file without bytes. It teaches no merges, and that is
    all. Ask for the size first, or read the file."""
    import mmap

    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    num_merges = vocab_size - 256 - len(special_tokens)
    if num_merges < 0:
        raise ValueError("vocab_size")
    with open(input_path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        text = data[:].decode()
    merges = learn_merges(count_pretokens(text, special_tokens), num_merges)
    pieces = [bytes([byte]) for byte in range(256)] + [token.encode("utf-8") for token in special_tokens]
    return dict(enumerate(pieces + [first + second for first, second in merges])), merges


@wrong("train_bpe", caught_by="single_places", also=["whole_files"])
def trains_with_a_least_count(input_path, vocab_size, special_tokens):
    r"""You seem to stop when the best count is 1. That is the rule of the chapter on naive training; here merging goes
    on down to count 1, until the vocabulary is full or no pair is left."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size")
    counts = count_pretokens(Path(input_path).read_bytes().decode(), special_tokens)
    vocab = {i: bytes([i]) for i in range(256)}
    for token in special_tokens:
        vocab[len(vocab)] = token.encode("utf-8")
    merges = []
    while len(vocab) < vocab_size:
        pairs = {}
        for symbols, number in counts.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + number
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        if pairs[best] < 2:
            break
        merges.append(best)
        vocab[len(vocab)] = best[0] + best[1]
        counts = {merge_symbols(symbols, best): number for symbols, number in counts.items()}
    return vocab, merges


@wrong("train_bpe", caught_by="ties", also=["ties_among_bytes", "ties_among_merged", "whole_files"])
def trains_with_first_seen_in_ties(input_path, vocab_size, special_tokens):
    r"""In a tie you seem to take the pair that was counted first: by hand, aab once has aa and ab, and ab is greater.
    Put the pair itself into the key of max."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size")
    counts = count_pretokens(Path(input_path).read_bytes().decode(), special_tokens)
    vocab = {i: bytes([i]) for i in range(256)}
    for token in special_tokens:
        vocab[len(vocab)] = token.encode("utf-8")
    merges = []
    while len(vocab) < vocab_size:
        pairs = {}
        for symbols, number in counts.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + number
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merges.append(best)
        vocab[len(vocab)] = best[0] + best[1]
        counts = {merge_symbols(symbols, best): number for symbols, number in counts.items()}
    return vocab, merges


@wrong("train_bpe", caught_by="ties_among_merged", also=["whole_files"])
def trains_with_ids_in_ties(input_path, vocab_size, special_tokens):
    r"""In a tie you seem to compare ids: a merged symbol then is above all bytes. By hand, the pair (b, c) is greater
    than (aa, b), as b is above aa. Compare the bytes that the ids stand for."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size")
    counts = count_pretokens(Path(input_path).read_bytes().decode(), special_tokens)
    vocab = {i: bytes([i]) for i in range(256)}
    for token in special_tokens:
        vocab[len(vocab)] = token.encode("utf-8")
    merges = []
    while len(vocab) < vocab_size:
        pairs = {}
        for symbols, number in counts.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + number
        if not pairs:
            break
        order = {piece: i for i, piece in vocab.items()}
        best = max(pairs, key=lambda pair: (pairs[pair], order[pair[0]], order[pair[1]]))
        merges.append(best)
        vocab[len(vocab)] = best[0] + best[1]
        counts = {merge_symbols(symbols, best): number for symbols, number in counts.items()}
    return vocab, merges


@wrong("train_bpe", caught_by="ties_among_bytes", also=["whole_files"])
def trains_with_text_in_ties(input_path, vocab_size, special_tokens):
    r"""In a tie you seem to compare symbols as text. Half a character has no text: as an escape, or left out, it is
    no longer above the letters, as its byte is. Compare bytes."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size")
    counts = count_pretokens(Path(input_path).read_bytes().decode(), special_tokens)
    vocab = {i: bytes([i]) for i in range(256)}
    for token in special_tokens:
        vocab[len(vocab)] = token.encode("utf-8")
    merges = []
    while len(vocab) < vocab_size:
        pairs = {}
        for symbols, number in counts.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + number
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], [part.decode("utf-8", "ignore") for part in pair]))
        merges.append(best)
        vocab[len(vocab)] = best[0] + best[1]
        counts = {merge_symbols(symbols, best): number for symbols, number in counts.items()}
    return vocab, merges


@wrong("train_bpe", caught_by="ties_among_merged", also=["whole_files"])
def trains_with_negated_bytes_in_ties(input_path, vocab_size, special_tokens):
    """In a tie you seem to compare bytes with their signs turned around, as for a heap that gives out its smallest.
    Then a comes before ab still, as a shorter list of numbers is smaller whatever its signs are, and ab is the greater
    one. Compare the pairs themselves: a small class may turn their order around."""
    if "" in special_tokens or len(set(special_tokens)) < len(special_tokens):
        raise ValueError("special_tokens")
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size")
    counts = count_pretokens(Path(input_path).read_bytes().decode(), special_tokens)
    vocab = {i: bytes([i]) for i in range(256)}
    for token in special_tokens:
        vocab[len(vocab)] = token.encode("utf-8")
    merges = []
    while len(vocab) < vocab_size:
        pairs = {}
        for symbols, number in counts.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] = pairs.get(pair, 0) + number
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], [[-byte for byte in part] for part in pair]))
        merges.append(best)
        vocab[len(vocab)] = best[0] + best[1]
        counts = {merge_symbols(symbols, best): number for symbols, number in counts.items()}
    return vocab, merges


# --- figures -------------------------------------------------------------------------------------------------------


@wrong("plot_pretokens", caught_by="bars_leave_tokens_alone")
def plots_and_uses_up_the_tokens(text, special_tokens, most):
    """Your function takes the special tokens out of the caller's list; the next call finds none. Go through the list
    with for: then it stays as it is."""
    import pandas as pd
    from matplotlib.figure import Figure

    parts = [text]
    while special_tokens:
        token = special_tokens.pop()
        parts = [piece for part in parts for piece in part.split(token)]
    counts = {}
    for part in parts:
        for piece in pretokenize(part):
            counts[piece] = counts.get(piece, 0) + 1
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0].encode("utf-8")))[:most]
    frame = pd.DataFrame({"pretoken": [repr(piece) for piece, _ in rows], "count": [number for _, number in rows]})
    figure = Figure()
    axes = figure.subplots()
    axes.barh(frame["pretoken"], frame["count"])
    axes.set(title="The commonest pre-tokens", xlabel="number", ylabel="pre-token")
    return frame, figure


@wrong("plot_ratio", caught_by="lines_leave_tokens_alone")
def plots_and_sorts_the_callers_list(text, special_tokens, num_merges):
    """Your function sorts the caller's list of special tokens. Whoever draws a figure wants to go on with the list as
    it was: sorted gives a copy, and split_on_special finds the longest by itself."""
    import pandas as pd
    from matplotlib.figure import Figure

    special_tokens.sort(key=len, reverse=True)
    whole = {}
    for part in split_on_special(text, special_tokens):
        symbols = tuple(bytes([byte]) for byte in part.encode("utf-8"))
        whole[symbols] = whole.get(symbols, 0) + 1
    rows = []
    for cut, counts in (("pre-tokens", count_pretokens(text, special_tokens)), ("whole parts", whole)):
        tokens = [sum(len(symbols) * number for symbols, number in counts.items())]
        for pair in learn_merges(counts, num_merges):
            counts = {merge_symbols(symbols, pair): number for symbols, number in counts.items()}
            tokens.append(sum(len(symbols) * number for symbols, number in counts.items()))
        rows += [(cut, 256 + len(special_tokens) + m, tokens[0] / left) for m, left in enumerate(tokens)]
    frame = pd.DataFrame(rows, columns=["cut", "vocab_size", "ratio"])
    figure = Figure()
    axes = figure.subplots()
    for cut, part in frame.groupby("cut"):
        axes.plot(part["vocab_size"], part["ratio"], label=cut)
    axes.set(title="Bytes per token", xlabel="vocabulary size", ylabel="bytes per token")
    axes.legend()
    return frame, figure
