"""Wrong versions of chapter 7's answers, each with the sentence that helps whoever wrote it.

The names that the bodies use (`split_special`, `pretokenize`, `bpe_encode` …) are the ones that the notebook defines.
"""

import itertools
import json
from pathlib import Path

import regex
import tiktoken
import tokenizers

from autograder.misconceptions.api import wrong
from autograder.reference.tokenizer import GPT2_PATTERN, bpe_encode, byte_letters, pretokenize, split_special

# --- bpe_encode ----------------------------------------------------------------------------------------------------


@wrong("bpe_encode", caught_by="lowest_rank_first", also=["pairs_not_joined_bytes", "learnt_rules",
                                                          "long_pieces_without_pattern"])
def longest_piece_first(piece, ranks):
    """Your function takes the longest token that fits at each place. The order of learning decides: with bc (rank 0)
    and ab (rank 1), `abc` is a, bc. Look at the ranks of the pairs, not at lengths."""
    made = {b"".join(pair) for pair in ranks}
    longest = max(map(len, made), default=1)
    tokens, place = [], 0
    while place < len(piece):
        size = next((n for n in range(longest, 1, -1) if piece[place : place + n] in made), 1)
        tokens.append(piece[place : place + size])
        place += len(tokens[-1])
    return tokens


@wrong("bpe_encode", caught_by="pairs_not_joined_bytes")
def joined_bytes_are_enough(piece, ranks):
    """Your function merges two tokens when their joined bytes are a token. The pair itself must be a rule: with (b, b)
    and (b, bb), `bbb` is bb, b, since (bb, b) is no rule."""
    numbers = {b"".join(pair): rank for pair, rank in ranks.items()}
    tokens = [bytes([byte]) for byte in piece]
    while True:
        found = {left + right for left, right in itertools.pairwise(tokens)} & numbers.keys()
        if not found:
            return tokens
        best, merged, i = min(found, key=numbers.get), [], 0
        while i < len(tokens):
            if b"".join(tokens[i : i + 2]) == best and i + 1 < len(tokens):
                merged.append(best)
                i += 2
            else:
                merged.append(tokens[i])
                i += 1
        tokens = merged


@wrong("bpe_encode", caught_by="one_rule", also=["lowest_rank_first", "pairs_not_joined_bytes", "learnt_rules",
                                                 "long_runs", "long_pieces_without_pattern"])
def each_rule_once(piece, ranks):
    """Your function uses each rule at one place only. `abab` with the rule ab is ab, ab: ask again after each merge,
    also for the same rule."""
    tokens = [bytes([byte]) for byte in piece]
    for pair in sorted(ranks, key=ranks.get):
        for i in range(len(tokens) - 1):
            if (tokens[i], tokens[i + 1]) == pair:
                tokens[i : i + 2] = [b"".join(pair)]
                break
    return tokens


@wrong("bpe_encode", caught_by="one_rule", also=["lowest_rank_first", "pairs_not_joined_bytes", "learnt_rules"])
def from_the_right(piece, ranks):
    """Your function takes the rightmost of several equal pairs. `aaa` with the rule aa is aa, a: the leftmost first."""
    tokens = [bytes([byte]) for byte in piece]
    for pair in sorted(ranks, key=ranks.get):
        merged, i = [], len(tokens)
        while i > 0:
            if i > 1 and (tokens[i - 2], tokens[i - 1]) == pair:
                merged.append(b"".join(pair))
                i -= 2
            else:
                merged.append(tokens[i - 1])
                i -= 1
        tokens = merged[::-1]
    return tokens


@wrong("bpe_encode", caught_by="lowest_rank_first")
def order_of_the_dict(piece, ranks):
    """Your function goes through the rules as the dict lists them. The rank is the value, not the place: a dict may
    list rank 1 before rank 0. Sort by value, or ask for the smallest."""
    tokens = [bytes([byte]) for byte in piece]
    for pair in ranks:
        merged = []
        for token in tokens:
            if merged and (merged[-1], token) == pair:
                merged[-1] += token
            else:
                merged.append(token)
        tokens = merged
    return tokens


@wrong("bpe_encode", caught_by="nothing_to_merge")
def characters_for_bytes(piece, ranks):
    """Your function starts from characters. A pre-token starts as single bytes, two for `é`: a piece may also hold
    bytes that are no text at all. Slice the bytes themselves."""
    tokens = [letter.encode() for letter in piece.decode()]
    while True:
        found = set(itertools.pairwise(tokens)) & ranks.keys()
        if not found:
            return tokens
        best, merged, i = min(found, key=ranks.get), [], 0
        while i < len(tokens):
            if tuple(tokens[i : i + 2]) == best:
                merged.append(b"".join(best))
                i += 2
            else:
                merged.append(tokens[i])
                i += 1
        tokens = merged


@wrong("bpe_encode", caught_by="ranks_unchanged")
def pairs_put_into_the_ranks(piece, ranks):
    """Your function puts each pair that it looks up into the caller's dict: `setdefault` writes. `ranks.get` looks up
    and leaves the dict alone."""
    import heapq

    none = float("inf")
    tokens = [piece[i : i + 1] for i in range(len(piece))]
    end = len(tokens)
    after, before = list(range(1, end + 1)), list(range(-1, end - 1))
    waiting = [(ranks.setdefault(pair, none), i, *pair) for i, pair in enumerate(itertools.pairwise(tokens))]
    heapq.heapify(waiting)
    while waiting:
        rank, i, left, right = heapq.heappop(waiting)
        j = after[i]
        if rank == none:
            break
        if tokens[i] != left or j == end or tokens[j] != right:
            continue
        tokens[i], tokens[j] = left + right, b""
        after[i] = after[j]
        if after[i] < end:
            before[after[i]] = i
        for k in (before[i], i):
            if k >= 0 and after[k] < end:
                pair = tokens[k], tokens[after[k]]
                heapq.heappush(waiting, (ranks.setdefault(pair, none), k, *pair))
    return [token for token in tokens if token]


# --- joined_bytes_example and line_example -------------------------------------------------------------------------


@wrong("joined_bytes_example", caught_by="the_two_readings_differ")
def a_text_on_which_they_agree():
    """On `abb` both readings give a, bb. Look for a `b` to the right of a finished bb: joined they are bbb."""
    return b"abb"


@wrong("line_example", caught_by="lines_differ_from_the_whole")
def two_line_ends_are_not_enough():
    """Between `a` and `b` two line ends are two pre-tokens either way, as the pattern leaves the last one of a run for
    what follows. Try a longer run."""
    return "a\n\nb"


# --- split_special -------------------------------------------------------------------------------------------------


@wrong("split_special", caught_by="longest_first")
def in_the_order_given(text, special_tokens):
    """Your pattern tries the special tokens in the order of the list. With `<s>` before `<s><s>` the longer one is
    never found: sort by length first, the longest in front."""
    if not special_tokens:
        return [text] if text else []
    return [part for part in regex.split("(" + "|".join(map(regex.escape, special_tokens)) + ")", text) if part]


@wrong("split_special", caught_by="taken_literally")
def not_escaped(text, special_tokens):
    """Your pattern reads special tokens as patterns: `a.b` then also finds `axb`, and `(x` is an error. Escape them."""
    if not special_tokens:
        return [text] if text else []
    pattern = "(" + "|".join(sorted(special_tokens, key=len, reverse=True)) + ")"
    return [part for part in regex.split(pattern, text) if part]


@wrong("split_special", caught_by="cuts_at_specials")
def in_any_case(text, special_tokens):
    """Your pattern pays no attention to capitals, so it also cuts at `<S>`, which is ordinary text where `<s>` is
    special. Leave out the flag that ignores case."""
    if not special_tokens:
        return [text] if text else []
    longest = sorted(special_tokens, key=len, reverse=True)
    pattern = regex.compile("(" + "|".join(map(regex.escape, longest)) + ")", regex.IGNORECASE)
    return [part for part in pattern.split(text) if part]


@wrong("split_special", caught_by="none_at_all")
def empty_pattern(text, special_tokens):
    """Without special tokens your pattern is empty and matches everywhere. Return the text as one part then, and no
    part for an empty text."""
    if not special_tokens:
        return list(text)
    longest = sorted(special_tokens, key=len, reverse=True)
    return [part for part in regex.split("(" + "|".join(map(regex.escape, longest)) + ")", text) if part]


@wrong("split_special", caught_by="from_left_to_right")
def one_token_after_the_other(text, special_tokens):
    """You seem to split by one special token after the other, the longest first. By hand, with `ab` and `bca` in
    `abca`: from the left `ab` comes first and `ca` is left; who splits by the longer `bca` first is left with `a`."""
    parts = [text]
    for token in sorted(special_tokens, key=len, reverse=True):
        cut = []
        for part in parts:
            pieces = [part] if part in special_tokens else part.split(token)
            cut += [one for piece in pieces for one in (piece, token)][:-1]
        parts = cut
    return [part for part in parts if part]


@wrong("split_special", caught_by="cuts_at_specials", also=["longest_first", "from_left_to_right", "taken_literally"])
def dropped_as_in_training(text, special_tokens):
    """Your function drops the special tokens, as training does. Here they become ids: put a group around the pattern so
    that the split keeps them."""
    if not special_tokens:
        return [text] if text else []
    longest = sorted(special_tokens, key=len, reverse=True)
    return [part for part in regex.split("|".join(map(regex.escape, longest)), text) if part]


@wrong("split_special", caught_by="tokens_unchanged")
def tokens_sorted_in_place(text, special_tokens):
    """Your function sorts the caller's list. Ids follow the order in it, and now that is another one: `sorted` makes a
    new list."""
    if not special_tokens:
        return [text] if text else []
    special_tokens.sort(key=len, reverse=True)
    pattern = "(" + "|".join(map(regex.escape, special_tokens)) + ")"
    return [part for part in regex.split(pattern, text) if part]


# --- to_tiktoken ---------------------------------------------------------------------------------------------------


@wrong("to_tiktoken", caught_by="tiktoken_merges_rules_only")
def whole_vocabulary(tokenizer):
    """Your mergeable ranks hold the whole vocabulary but the special tokens. What no rule makes must stay out: an entry
    `PAD` that is no rule's result would be found in ordinary text."""
    ids = {piece: number for number, piece in tokenizer.vocab.items()}
    learnt = [ids[left + right] for left, right in tokenizer.merges]
    if learnt != sorted(learnt):
        raise ValueError("merges")
    special = {token: ids.pop(token.encode()) for token in tokenizer.special_tokens}
    return tiktoken.Encoding("mine", pat_str=GPT2_PATTERN, mergeable_ranks=ids, special_tokens=special)


@wrong("to_tiktoken", caught_by="tiktoken_specials")
def numbered_anew(tokenizer):
    """Your function numbers the learnt tokens anew, from 256 on. Ids are the vocabulary's: where a special token has id
    256, the first rule makes 257."""
    ids = {piece: number for number, piece in tokenizer.vocab.items()}
    learnt = [ids[left + right] for left, right in tokenizer.merges]
    if learnt != sorted(learnt):
        raise ValueError("merges")
    ranks = {bytes([byte]): byte for byte in range(256)}
    for left, right in tokenizer.merges:
        ranks[left + right] = len(ranks)
    special = {token: len(ranks) + i for i, token in enumerate(tokenizer.special_tokens)}
    return tiktoken.Encoding("mine", pat_str=GPT2_PATTERN, mergeable_ranks=ranks, special_tokens=special)


@wrong("to_tiktoken", caught_by="tiktoken_needs_ids_in_order")
def any_order_of_ids(tokenizer):
    """Your function takes ids in any order. To tiktoken the id is the rank: if ab has id 257 and abc 256, other tokens
    come out. Compare the ids of the rules' results with their sorted list."""
    ids = {piece: number for number, piece in tokenizer.vocab.items()}
    pieces = [bytes([byte]) for byte in range(256)] + [b"".join(pair) for pair in tokenizer.merges]
    special = {token: ids[token.encode()] for token in tokenizer.special_tokens}
    ranks = {piece: ids[piece] for piece in pieces}
    return tiktoken.Encoding("mine", pat_str=GPT2_PATTERN, mergeable_ranks=ranks, special_tokens=special)


@wrong("to_tiktoken", caught_by="tiktoken_leaves_the_tokenizer")
def specials_taken_out_of_the_vocabulary(tokenizer):
    """Your function takes the special tokens out of the tokenizer's own vocabulary, so that it cannot decode them any
    more. Leave them out of a dict that you make yourself."""
    ids = {piece: number for number, piece in tokenizer.vocab.items()}
    learnt = [ids[left + right] for left, right in tokenizer.merges]
    if learnt != sorted(learnt):
        raise ValueError("merges")
    special = {token: ids[token.encode()] for token in tokenizer.special_tokens}
    for number in special.values():
        tokenizer.vocab.pop(number)
    pieces = [bytes([byte]) for byte in range(256)] + [left + right for left, right in tokenizer.merges]
    ranks = {piece: ids[piece] for piece in pieces}
    return tiktoken.Encoding("mine", pat_str=GPT2_PATTERN, mergeable_ranks=ranks, special_tokens=special)


# --- to_huggingface ------------------------------------------------------------------------------------------------


@wrong("to_huggingface", caught_by="huggingface_adds_no_space")
def space_in_front(tokenizer):
    """Your ByteLevel puts a space in front of a text that begins with a word, as is its default. Give it
    `add_prefix_space=False`."""
    letter = byte_letters()
    special = {token.encode(): token for token in tokenizer.special_tokens}
    vocab = {special.get(p) or "".join(letter[b] for b in p): number for number, p in tokenizer.vocab.items()}
    merges = [tuple("".join(letter[b] for b in part) for part in pair) for pair in tokenizer.merges]
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocab, merges=merges))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel()
    made.decoder = tokenizers.decoders.ByteLevel()
    made.add_special_tokens(tokenizer.special_tokens)
    return made


@wrong("to_huggingface", caught_by="huggingface_specials")
def specials_in_letters(tokenizer):
    """You wrote special tokens in the letters for bytes. They are looked up as they are: `<é>` is not found under its
    letters and gets a new id. Put them into the vocabulary as plain text."""
    letter = byte_letters()
    vocab = {"".join(letter[b] for b in piece): number for number, piece in tokenizer.vocab.items()}
    merges = [tuple("".join(letter[b] for b in part) for part in pair) for pair in tokenizer.merges]
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocab, merges=merges))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    made.add_special_tokens(tokenizer.special_tokens)
    return made


@wrong("to_huggingface", caught_by="huggingface_specials")
def specials_not_added(tokenizer):
    """Your special tokens are in the vocabulary only, so they are cut up like other text. Tell the tokenizer about them
    with `add_special_tokens`."""
    letter = byte_letters()
    special = {token.encode(): token for token in tokenizer.special_tokens}
    vocab = {special.get(p) or "".join(letter[b] for b in p): number for number, p in tokenizer.vocab.items()}
    merges = [tuple("".join(letter[b] for b in part) for part in pair) for pair in tokenizer.merges]
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocab, merges=merges))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    return made


@wrong("to_huggingface", caught_by="huggingface_decodes")
def no_decoder(tokenizer):
    """Your tokenizer has no decoder, so its texts come back as letters for bytes, `Ġ` for a space, with spaces between
    tokens. Set `decoder` too."""
    letter = byte_letters()
    special = {token.encode(): token for token in tokenizer.special_tokens}
    vocab = {special.get(p) or "".join(letter[b] for b in p): number for number, p in tokenizer.vocab.items()}
    merges = [tuple("".join(letter[b] for b in part) for part in pair) for pair in tokenizer.merges]
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocab, merges=merges))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.add_special_tokens(tokenizer.special_tokens)
    return made


@wrong("to_huggingface", caught_by="huggingface_leaves_the_tokenizer")
def letters_in_place_of_bytes(tokenizer):
    """Your function writes letters over the bytes in the tokenizer's own rules; it finds none of them in a text any
    more. Make a new list for the other library."""
    letter = byte_letters()
    special = {token.encode(): token for token in tokenizer.special_tokens}
    vocab = {special.get(p) or "".join(letter[b] for b in p): number for number, p in tokenizer.vocab.items()}
    for rank, pair in enumerate(tokenizer.merges):
        tokenizer.merges[rank] = tuple("".join(letter[b] for b in part) for part in pair)
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=vocab, merges=tokenizer.merges))
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    made.add_special_tokens(tokenizer.special_tokens)
    return made


# --- Tokenizer: each is `Sound` but for one method -----------------------------------------------------------------


class Sound:
    """A right answer, from which the wrong ones are derived."""

    def __init__(self, vocab, merges, special_tokens=None):
        self.vocab, self.merges = dict(vocab), list(merges)
        self.special_tokens = list(dict.fromkeys(special_tokens or []))
        if "" in self.special_tokens:
            raise ValueError("special_tokens holds an empty text")
        for token in self.special_tokens:
            if token.encode() not in self.vocab.values():
                self.vocab[len(self.vocab)] = token.encode()
        self.index()

    def index(self):
        self.ids = {piece: number for number, piece in self.vocab.items()}
        self.ranks = {pair: rank for rank, pair in enumerate(self.merges)}

    @classmethod
    def from_files(cls, vocab_path, merges_path, special_tokens=None):
        vocab, merges = (json.loads(Path(path).read_text(encoding="utf-8")) for path in (vocab_path, merges_path))
        vocab = {int(number): bytes.fromhex(piece) for number, piece in vocab.items()}
        return cls(vocab, [(bytes.fromhex(left), bytes.fromhex(right)) for left, right in merges], special_tokens)

    def encode(self, text):
        ids = []
        for part in self.split(text):
            ids += [self.ids[part.encode()]] if part in self.special_tokens else self.encode_ordinary(part)
        return ids

    def split(self, text):
        return split_special(text, self.special_tokens)

    def encode_ordinary(self, part):
        return [self.ids[token] for piece in pretokenize(part) for token in bpe_encode(piece.encode(), self.ranks)]

    def encode_iterable(self, iterable):
        held = ""
        for chunk in iterable:
            held += chunk
            places = [match.start() for match in regex.finditer(r"(?<=\S)(?=\s)", held)]
            cut = next((place for place in reversed(places) if not self.crossed(held, place)), 0)
            yield from self.encode(held[:cut])
            held = held[cut:]
        yield from self.encode(held)

    def crossed(self, text, place):
        starts = ((t, place - k) for t in self.special_tokens for k in range(1, min(len(t), place + 1)))
        return any(token.startswith(text[start : start + len(token)]) for token, start in starts)

    def decode(self, ids):
        return self.joined(ids).decode("utf-8", errors="replace")

    def joined(self, ids):
        if any(number not in self.vocab for number in ids):
            raise ValueError("ids holds an id that the vocabulary does not")
        return b"".join(self.vocab[number] for number in ids)


@wrong("Tokenizer", caught_by="arguments_unchanged")
class WritesIntoTheVocabulary(Sound):
    """Your tokenizer puts missing special tokens into the caller's own dict. Whoever makes two tokenizers from one
    vocabulary then finds the first one's tokens in the second: change a copy, `dict(vocab)`."""

    def __init__(self, vocab, merges, special_tokens=None):
        super().__init__(vocab, merges, special_tokens)
        vocab.update(self.vocab)


@wrong("Tokenizer", caught_by="arguments_unchanged")
class SortsTheListInPlace(Sound):
    """Your tokenizer sorts the caller's list of special tokens. `list.sort` changes it; `sorted` makes a new one."""

    def __init__(self, vocab, merges, special_tokens=None):
        super().__init__(vocab, merges, special_tokens)
        if special_tokens:
            special_tokens.sort(key=len, reverse=True)


@wrong("Tokenizer", caught_by="missing_specials_appended", also=["attributes_set"])
class MissingSpecialsRaise(Sound):
    """A special token that the vocabulary lacks makes your tokenizer stop with KeyError. It gets the next free id, in a
    copy of the vocabulary."""

    def __init__(self, vocab, merges, special_tokens=None):
        super().__init__(vocab, merges, special_tokens)
        self.vocab = dict(vocab)
        self.index()


@wrong("Tokenizer", caught_by="attributes_set")
class KeepsRepeats(Sound):
    """Your attribute special_tokens holds a token twice that was given twice. Whoever counts them, as other libraries
    do, counts too many: keep each once, in the order of its first place."""

    def __init__(self, vocab, merges, special_tokens=None):
        super().__init__(vocab, merges, special_tokens)
        self.special_tokens = list(special_tokens or [])


@wrong("Tokenizer", caught_by="attributes_set")
class KeepsTheFullVocabularyToItself(Sound):
    """Your attribute vocab lacks the special tokens that were put in, or vocab, merges and special_tokens have other
    names. Part 5 and other libraries read these three attributes: set them as the docstring says."""

    def __init__(self, vocab, merges, special_tokens=None):
        super().__init__(vocab, merges, special_tokens)
        self.full, self.vocab = self.vocab, dict(vocab)

    def joined(self, ids):
        if any(number not in self.full for number in ids):
            raise ValueError("ids holds an id that the vocabulary does not")
        return b"".join(self.full[number] for number in ids)


@wrong("Tokenizer", caught_by="missing_specials_appended")
class SortsBeforeNumbering(Sound):
    """Your missing special tokens get ids in the order of their sorted list. Sort for the pattern only: ids follow the
    order given, so `<e>`, `<s>` and `<s>`, `<e>` differ."""

    def __init__(self, vocab, merges, special_tokens=None):
        super().__init__(vocab, merges, sorted(special_tokens or []))


@wrong("Tokenizer", caught_by="refuses_an_empty_special")
class DropsEmptySpecials(Sound):
    """Your tokenizer leaves out an empty special token in silence. It is a mistake of the caller, who should hear of
    it: raise ValueError that names special_tokens."""

    def __init__(self, vocab, merges, special_tokens=None):
        super().__init__(vocab, merges, [token for token in special_tokens or [] if token])


@wrong("Tokenizer", caught_by="without_specials")
class AlwaysKnowsEndOfText(Sound):
    """Your tokenizer takes `<|endoftext|>` for special though nobody asked for it. Without special tokens it is
    ordinary text, also where the vocabulary holds it."""

    def __init__(self, vocab, merges, special_tokens=None):
        known = b"<|endoftext|>" in vocab.values()
        super().__init__(vocab, merges, special_tokens or (["<|endoftext|>"] if known else []))


@wrong("Tokenizer", caught_by="without_specials")
class WholePiecesFirst(Sound):
    """Your tokenizer looks a whole pre-token up in the vocabulary before it merges. That finds entries that no rule
    makes: `PAD`, there for a special token that is not switched on, is P, A, D or what the rules make of them."""

    def encode_ordinary(self, part):
        ids = []
        for piece in pretokenize(part):
            whole = piece.encode()
            ids += [self.ids[token] for token in ([whole] if whole in self.ids else bpe_encode(whole, self.ranks))]
        return ids


@wrong("Tokenizer", caught_by="longest_special_wins", also=["streams_any_cut", "streams_long_texts"])
class FirstSpecialOfTheList(Sound):
    """Your tokenizer takes the special token that is first in the list. In `<s><s>` with `<s>` in front, the longer
    `<s><s>` is never found: try the longest first."""

    def split(self, text):
        if not self.special_tokens:
            return [text] if text else []
        pattern = "(" + "|".join(map(regex.escape, self.special_tokens)) + ")"
        return [part for part in regex.split(pattern, text) if part]


@wrong("Tokenizer", caught_by="specials_are_literal")
class SpecialsAsPatterns(Sound):
    """Your tokenizer reads special tokens as patterns: `a.c` is then also found in `abc`. Escape their characters."""

    def split(self, text):
        if not self.special_tokens:
            return [text] if text else []
        pattern = "(" + "|".join(sorted(self.special_tokens, key=len, reverse=True)) + ")"
        return [part for part in regex.split(pattern, text) if part]


@wrong(
    "Tokenizer", caught_by="pretokens_stay_apart",
    also=["ordinary_text", "many_scripts", "reads_files", "streams_white_space", "streams_any_cut",
          "streams_long_texts"],
)
class NoPretokens(Sound):
    """Your tokenizer merges over the whole text. Rules stay inside pre-tokens: with the rule (a, space), `a b` is a,
    then space and b, as the space belongs to the next word. Cut with the pattern first."""

    def encode_ordinary(self, part):
        return [self.ids[token] for token in bpe_encode(part.encode(), self.ranks)]


@wrong(
    "Tokenizer", caught_by="ordinary_text",
    also=["pretokens_stay_apart", "many_scripts", "reads_files", "streams_any_cut", "streams_long_texts"],
)
class WordsAtSpaces(Sound):
    """Your tokenizer cuts pre-tokens at spaces only. The pattern also parts letters, digits, other signs and
    contractions: `a'll` is a, 'll."""

    def encode_ordinary(self, part):
        pieces = regex.findall(r" ?\S+|\s+(?!\S)|\s+", part)
        return [self.ids[token] for piece in pieces for token in bpe_encode(piece.encode(), self.ranks)]


@wrong("Tokenizer", caught_by="ordinary_text")
class IdsForRanks(Sound):
    """Your tokenizer takes the ids of the vocabulary for the ranks of the rules. They often grow together and need not:
    the place in merges decides which pair is merged first."""

    def index(self):
        super().index()
        self.ranks = {(left, right): self.ids[left + right] for left, right in self.merges}


@wrong("Tokenizer", caught_by="pretokens_stay_apart")
class ContractionsInAnyCase(Sound):
    """Your pattern takes `'S` for a contraction. GPT-2's pattern knows small letters only: `a'S` is a, ', S. Use the
    notebook's `pretokenize` as it is."""

    def encode_ordinary(self, part):
        pieces = (match[0] for match in regex.finditer(GPT2_PATTERN, part, regex.IGNORECASE))
        return [self.ids[token] for piece in pieces for token in bpe_encode(piece.encode(), self.ranks)]


@wrong("Tokenizer", caught_by="specials_are_one_id")
class SpecialsInAnyCase(Sound):
    """Your tokenizer finds special tokens whatever their case: `<S>` then counts as `<s>`, although it is ordinary
    text. Leave out the flag that ignores case."""

    def split(self, text):
        if not self.special_tokens:
            return [text] if text else []
        longest = sorted(self.special_tokens, key=len, reverse=True)
        parts = regex.split("(" + "|".join(map(regex.escape, longest)) + ")", text, flags=regex.IGNORECASE)
        known = {token.lower(): token for token in self.special_tokens}
        return [known.get(part.lower(), part) for part in parts if part]


@wrong("Tokenizer", caught_by="decode_gives_text", also=["decode_replaces_malformed", "reads_files"])
class DecodesEachToken(Sound):
    """Your `decode` makes text of each token by itself. A character may be spread over tokens: `é` without rules is two
    ids, and neither is text. Join all bytes first."""

    def decode(self, ids):
        self.joined(ids)
        return "".join(self.vocab[number].decode("utf-8", errors="replace") for number in ids)


@wrong("Tokenizer", caught_by="decode_replaces_malformed")
class DecodeRaises(Sound):
    """Your `decode` stops at bytes that are no UTF-8. A model may produce any ids: give `errors="replace"` to
    decode."""

    def decode(self, ids):
        return self.joined(ids).decode("utf-8")


@wrong("Tokenizer", caught_by="decode_replaces_malformed")
class DecodeDrops(Sound):
    """Your `decode` leaves malformed bytes out, so nobody sees that something was there. Each becomes U+FFFD:
    `errors="replace"`, not `"ignore"`."""

    def decode(self, ids):
        return self.joined(ids).decode("utf-8", errors="ignore")


@wrong("Tokenizer", caught_by="decode_unknown_ids")
class SkipsUnknownIds(Sound):
    """Your `decode` passes over ids that the vocabulary does not hold. Such an id comes from another tokenizer or a
    mistake: raise ValueError that names ids."""

    def joined(self, ids):
        return b"".join(self.vocab.get(number, b"") for number in ids)


@wrong("Tokenizer", caught_by="decode_leaves_its_list")
class DecodeTakesTheIds(Sound):
    """Your `decode` takes the ids out of the caller's list, and leaves it empty. Go through the list with `for`."""

    def joined(self, ids):
        data = b""
        while ids:
            number = ids.pop(0)
            if number not in self.vocab:
                raise ValueError("ids holds an id that the vocabulary does not")
            data += self.vocab[number]
        return data


@wrong("Tokenizer", caught_by="arguments_unchanged")
class FilesSortTheList(Sound):
    """Your `from_files` sorts the caller's list of special tokens. Their order gives the ids of those that are missing,
    also in the next tokenizer: `sorted` makes a new list."""

    @classmethod
    def from_files(cls, vocab_path, merges_path, special_tokens=None):
        vocab, merges = (json.loads(Path(path).read_text(encoding="utf-8")) for path in (vocab_path, merges_path))
        vocab = {int(number): bytes.fromhex(piece) for number, piece in vocab.items()}
        if special_tokens:
            special_tokens.sort(key=len, reverse=True)
        return cls(vocab, [(bytes.fromhex(left), bytes.fromhex(right)) for left, right in merges], special_tokens)


@wrong("Tokenizer", caught_by="reads_files")
class IdsStayText(Sound):
    """Your `from_files` keeps the ids as text. JSON's keys are always strings: make an int of each."""

    @classmethod
    def from_files(cls, vocab_path, merges_path, special_tokens=None):
        vocab, merges = (json.loads(Path(path).read_text(encoding="utf-8")) for path in (vocab_path, merges_path))
        vocab = {number: bytes.fromhex(piece) for number, piece in vocab.items()}
        return cls(vocab, [(bytes.fromhex(left), bytes.fromhex(right)) for left, right in merges], special_tokens)


@wrong("Tokenizer", caught_by="reads_files")
class PairsStayLists(Sound):
    """The pairs that your `from_files` reads stay what JSON makes of them, lists of text. Rules are tuples of bytes:
    with text in them no pair is ever found."""

    @classmethod
    def from_files(cls, vocab_path, merges_path, special_tokens=None):
        vocab, merges = (json.loads(Path(path).read_text(encoding="utf-8")) for path in (vocab_path, merges_path))
        return cls({int(n): bytes.fromhex(piece) for n, piece in vocab.items()}, map(tuple, merges), special_tokens)


@wrong("Tokenizer", caught_by="streams_white_space", also=["streams_any_cut", "streams_long_texts"])
class ChunkByChunk(Sound):
    """Your stream encodes each chunk by itself. The ids then depend on the cuts: `a` and `b` in two chunks are not
    `ab`. Hold back what later text may change."""

    def encode_iterable(self, iterable):
        for chunk in iterable:
            yield from self.encode(chunk)


@wrong("Tokenizer", caught_by="streams_white_space", also=["streams_long_texts"])
class LineByLine(Sound):
    """Your stream cuts after every line end. Line ends in a row belong to one pre-token: `a`, three line ends, `b`.
    Cut *before* white space that follows something else."""

    def encode_iterable(self, iterable):
        held = ""
        for chunk in iterable:
            held += chunk
            cut = held.rfind("\n") + 1
            for line in held[:cut].splitlines(keepends=True):
                yield from self.encode(line)
            held = held[cut:]
        yield from self.encode(held)


class HoldsPieces(Sound):
    """Another right answer: the last two pre-tokens wait, and as many characters as a special token may need."""

    back = 2

    def encode_iterable(self, iterable):
        held, margin = "", max(map(len, self.special_tokens), default=1) - 1
        for chunk in iterable:
            held += chunk
            done = place = 0
            for part in self.split(held):
                if part in self.special_tokens:
                    if place >= len(held) - margin:
                        break
                    done = place + len(part)
                place += len(part)
            pieces = list(pretokenize(held[done : max(done, len(held) - margin)]))[: -self.back]
            yield from self.encode(held[:done])
            yield from self.encode_pieces(pieces)
            held = held[done + sum(map(len, pieces)) :]
        yield from self.encode(held)

    def encode_pieces(self, pieces):
        return [self.ids[token] for piece in pieces for token in bpe_encode(piece.encode(), self.ranks)]


@wrong("Tokenizer", caught_by="streams_any_cut")
class OnePieceBack(HoldsPieces):
    """Your stream holds back the last pre-token only. The pattern looks two characters ahead: `'l` is two pre-tokens
    until a second l comes and makes `'ll` one. Hold back two."""

    back = 1


@wrong("Tokenizer", caught_by="streams_white_space", also=["streams_long_texts"])
class PiecesJoinedAgain(HoldsPieces):
    """Your stream finds the settled pre-tokens, joins them, and encodes that text: it is cut anew, without what
    follows. `a`, two line ends, `b` are four pre-tokens; without the b the line ends become one. Encode the pieces."""

    def encode_pieces(self, pieces):
        return self.encode_ordinary("".join(pieces))


@wrong("Tokenizer", caught_by="streams_any_cut")
class SpecialsWithSpacesAreCut(Sound):
    """Your stream cuts before white space without asking whether a special token lies across the place. `a b` may be
    one, and then the cut between a and the space breaks it."""

    def crossed(self, text, place):
        return False


@wrong("Tokenizer", caught_by="streams_any_cut")
class OtherWhiteSpace(Sound):
    """Your stream asks `str.isspace` where the pattern asks `\\s`. They differ on U+001C to U+001F: `!` and U+001C are
    one pre-token, which you cut in two."""

    def encode_iterable(self, iterable):
        held = ""
        for chunk in iterable:
            held += chunk
            places = [i for i in range(1, len(held)) if held[i].isspace() and not held[i - 1].isspace()]
            cut = next((place for place in reversed(places) if not self.crossed(held, place)), 0)
            yield from self.encode(held[:cut])
            held = held[cut:]
        yield from self.encode(held)


@wrong("Tokenizer", caught_by="streams_any_cut", also=["streams_lines", "streams_white_space", "streams_long_texts"])
class ForgetsTheEnd(Sound):
    """Your stream ends without the text that it still held. When no more chunks come, what is left is settled: encode
    it after the loop."""

    def encode_iterable(self, iterable):
        held = ""
        for chunk in iterable:
            held += chunk
            places = [match.start() for match in regex.finditer(r"(?<=\S)(?=\s)", held)]
            cut = next((place for place in reversed(places) if not self.crossed(held, place)), 0)
            yield from self.encode(held[:cut])
            held = held[cut:]


@wrong("Tokenizer", caught_by="streams_lazily")
class JoinsFirst(Sound):
    """Your stream joins all chunks before it gives the first id. From a stream without end nothing ever comes, and a
    large file must fit into memory. Give what is settled after each chunk."""

    def encode_iterable(self, iterable):
        yield from self.encode("".join(iterable))


@wrong("Tokenizer", caught_by="streams_lazily")
class WaitsForASpace(Sound):
    """Your stream cuts before spaces only. Lines of one word each hold none, so nothing comes until the end, and never
    from a stream without end. Any white space will do that follows something else."""

    def encode_iterable(self, iterable):
        held = ""
        for chunk in iterable:
            held += chunk
            places = [match.start() for match in regex.finditer(r"(?<=\S)(?= )", held)]
            cut = next((place for place in reversed(places) if not self.crossed(held, place)), 0)
            yield from self.encode(held[:cut])
            held = held[cut:]
        yield from self.encode(held)


@wrong("Tokenizer", caught_by="stream_leaves_its_list")
class StreamTakesTheChunks(Sound):
    """Your stream takes the chunks out of the caller's list; a second pass finds nothing. `for chunk in iterable` goes
    through lists and iterators alike, and takes away only from an iterator."""

    def encode_iterable(self, iterable):
        yield from super().encode_iterable(self.chunks(iterable))

    def chunks(self, iterable):
        if not isinstance(iterable, list):
            yield from iterable
            return
        while iterable:
            yield iterable.pop(0)


# --- plot_speed ----------------------------------------------------------------------------------------------------


@wrong("plot_speed", caught_by="measured_unchanged")
def speeds_written_into_the_measurements(measured):
    """Your function writes what it computes into the caller's dictionaries. Measurements stay what was measured: put
    the quotients into the DataFrame only."""
    import pandas as pd
    from matplotlib.figure import Figure

    for one in measured.values():
        one["tokens_per_second"] = one["tokens"] / one["seconds"]
        one["bytes_per_token"] = one["bytes"] / one["tokens"]
    frame = pd.DataFrame([{"encoder": name, **one} for name, one in measured.items()])
    figure = Figure()
    for axes, name in zip(figure.subplots(1, 2), ("tokens_per_second", "bytes_per_token"), strict=True):
        axes.bar(frame["encoder"], frame[name])
        axes.set(title=name, xlabel="encoder", ylabel=name)
    return frame, figure
