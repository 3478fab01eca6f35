"""Chapter 7's answers in other styles; the names that they use are the notebook's own."""

import dataclasses
import functools
import heapq
import itertools
import json
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import regex
import tiktoken
import tokenizers

from autograder.reference.tokenizer import GPT2_PATTERN, bpe_encode, byte_letters, pretokenize, split_special
from correct_variants import right

# --- bpe_encode ----------------------------------------------------------------------------------------------------


@right("bpe_encode")
def rule_after_rule(piece, ranks):
    """As in chapter 4: every rule once, in the order of ranks."""
    tokens = [bytes([byte]) for byte in piece]
    for left, right_ in sorted(ranks, key=ranks.get):
        merged = []
        for token in tokens:
            if token == right_ and merged and merged[-1] == left:
                merged[-1] = left + right_
                # What was just made is no left part of this rule, as it is longer than `left`.
            else:
                merged.append(token)
        tokens = merged
    return tokens


@right("bpe_encode")
def all_places_of_the_lowest(piece, ranks):
    tokens = [piece[i : i + 1] for i in range(len(piece))]
    while len(tokens) > 1:
        best = min(set(itertools.pairwise(tokens)), key=lambda pair: ranks.get(pair, float("inf")))
        if best not in ranks:
            break
        merged, i = [], 0
        while i < len(tokens):
            if i + 1 < len(tokens) and (tokens[i], tokens[i + 1]) == best:
                merged.append(tokens[i] + tokens[i + 1])
                i += 2
            else:
                merged.append(tokens[i])
                i += 1
        tokens = merged
    return tokens


@right("bpe_encode")
def recursion_on_the_set(piece, ranks):
    from collections import deque

    def merge(tokens):
        found = set(itertools.pairwise(tokens)) & set(ranks)
        if not found:
            return tokens
        left, right_ = min(found, key=ranks.__getitem__)
        queue, out = deque(tokens), []
        while queue:
            token = queue.popleft()
            if token == left and queue and queue[0] == right_:
                token += queue.popleft()
            out.append(token)
        return merge(out)

    return merge([bytes((byte,)) for byte in piece])


@right("bpe_encode")
def nodes_of_a_list(piece, ranks):
    """A doubly linked list of nodes, and a heap with a counter that parts equal entries."""
    class Node:
        __slots__ = ("after", "before", "dead", "place", "token")

    nodes = []
    for place in range(len(piece)):
        node = Node()
        node.token, node.place, node.dead = piece[place : place + 1], place, False
        node.before, node.after = (nodes[-1] if nodes else None), None
        if nodes:
            nodes[-1].after = node
        nodes.append(node)
    heap, counter = [], itertools.count()

    def offer(node):
        if node is not None and node.after is not None and (node.token, node.after.token) in ranks:
            pair = (node.token, node.after.token)
            heapq.heappush(heap, (ranks[pair], node.place, next(counter), node, pair))

    for node in nodes:
        offer(node)
    while heap:
        *_, node, pair = heapq.heappop(heap)
        if node.dead or node.after is None or (node.token, node.after.token) != pair:
            continue
        gone = node.after
        node.token, node.after, gone.dead = node.token + gone.token, gone.after, True
        if node.after is not None:
            node.after.before = node
        offer(node.before)
        offer(node)
    for node in nodes:
        node.before = node.after = None  # so that nothing is freed by deep recursion
    return [node.token for node in nodes if not node.dead]


@right("bpe_encode")
def places_by_rank(piece, ranks):
    """Buckets of places instead of one heap of pairs; spans are kept as ends."""
    ends = {i: i + 1 for i in range(len(piece))}
    starts = {i + 1: i for i in range(len(piece))}
    buckets, order = {}, []

    def offer(start):
        middle = ends.get(start)
        if middle in ends:
            rank = ranks.get((piece[start:middle], piece[middle : ends[middle]]))
            if rank is not None:
                if rank not in buckets:
                    buckets[rank] = []
                    heapq.heappush(order, rank)
                heapq.heappush(buckets[rank], start)

    for i in range(len(piece)):
        offer(i)
    while order:
        rank = order[0]
        if not buckets[rank]:
            del buckets[heapq.heappop(order)]
            continue
        start = heapq.heappop(buckets[rank])
        middle = ends.get(start)
        if middle not in ends or ranks.get((piece[start:middle], piece[middle : ends[middle]])) != rank:
            continue
        end = ends.pop(middle)
        ends[start], starts[end] = end, start
        starts.pop(middle)
        offer(start)
        if start in starts:
            offer(starts[start])
    return [piece[start:ends[start]] for start in sorted(ends)]


@right("bpe_encode")
def replaced_in_a_text(piece, ranks):
    """A character for each token, so that `str.replace` applies a rule at all its places."""
    letter = {bytes([byte]): chr(byte) for byte in range(256)}
    text = piece.decode("latin-1")
    for pair in sorted(ranks, key=ranks.__getitem__):
        letter[pair[0] + pair[1]] = chr(0x10000 + len(letter))
        text = text.replace(letter[pair[0]] + letter[pair[1]], letter[pair[0] + pair[1]])
    token = {letter: token for token, letter in letter.items()}
    return [token[one] for one in text]


class Chain:
    """Tokens that know their neighbours by place, in arrays; -1 is nobody."""

    def __init__(self, piece):
        from array import array

        self.tokens = [piece[i : i + 1] for i in range(len(piece))]
        self.before = array("l", range(-1, len(piece) - 1))
        self.after = array("l", [*range(1, len(piece)), -1])

    def pair(self, place):
        if place < 0 or self.tokens[place] is None or self.after[place] < 0:
            return None
        return self.tokens[place], self.tokens[self.after[place]]

    def merge(self, place):
        gone = self.after[place]
        self.tokens[place] += self.tokens[gone]
        self.tokens[gone] = None
        self.after[place] = self.after[gone]
        if (behind := self.after[gone]) >= 0:
            self.before[behind] = place


@right("bpe_encode", beside=[Chain])
def kept_in_order(piece, ranks):
    """Candidates in a sorted set, from which those that a merge spoils are taken out."""
    from sortedcontainers import SortedSet

    chain = Chain(piece)

    def candidate(place):
        rank = ranks.get(chain.pair(place))
        return [] if rank is None else [(rank, place)]

    waiting = SortedSet(one for place in range(len(piece)) for one in candidate(place))
    while waiting:
        _, place = waiting.pop(0)
        touched = [chain.before[place], place, chain.after[place]]
        for other in touched:
            waiting.difference_update(candidate(other))
        chain.merge(place)
        for other in touched:
            waiting.update(candidate(other))
    return [token for token in chain.tokens if token is not None]


# --- joined_bytes_example and line_example -------------------------------------------------------------------------


@right("joined_bytes_example")
def the_shortest():
    return b"bbb"


@right("line_example")
def indented_code():
    return "if x:\n\n\n    y\n"


@right("joined_bytes_example")
def an_odd_run():
    return b"x" + b"b" * 7 + b"y"


@right("line_example")
def an_indented_paragraph():
    return "first\n  second"


# --- split_special -------------------------------------------------------------------------------------------------


@right("split_special")
def with_re_and_finditer(text, special_tokens):
    import re

    pattern = "|".join(re.escape(token) for token in sorted(special_tokens, key=lambda token: -len(token)))
    parts, start = [], 0
    for match in re.finditer(pattern, text) if pattern else ():
        parts += [text[start : match.start()], match.group()]
        start = match.end()
    return [part for part in [*parts, text[start:]] if part]


@right("split_special")
def by_hand(text, special_tokens):
    parts, plain, i = [], "", 0
    while i < len(text):
        token = max((t for t in special_tokens if text.startswith(t, i)), key=len, default=None)
        if token is None:
            plain += text[i]
            i += 1
            continue
        if plain:
            parts.append(plain)
        parts.append(token)
        plain, i = "", i + len(token)
    return [*parts, plain] if plain else parts


@right("split_special")
def without_pattern_only_that_never_fits(text, special_tokens):
    import re

    alternatives = "|".join(map(re.escape, sorted(special_tokens, key=len, reverse=True))) or "(?!)"
    return [part for part in re.split(f"({alternatives})", text) if part != ""]


@right("split_special")
def leftmost_and_longest(text, special_tokens):
    if not special_tokens:
        return [part for part in [text] if part]
    pattern = regex.compile("(?p)(" + "|".join(map(regex.escape, special_tokens)) + ")")
    return list(filter(None, pattern.split(text)))


@right("split_special")
def part_after_part(text, special_tokens):
    def parts(rest):
        places = [(rest.index(token), -len(token), token) for token in special_tokens if token in rest]
        while places:
            start, _, token = min(places)
            if start:
                yield rest[:start]
            yield token
            rest = rest[start + len(token) :]
            places = [(rest.index(token), -len(token), token) for token in special_tokens if token in rest]
        if rest:
            yield rest

    return [*parts(text)]


@right("split_special")
def between_marked_places(text, special_tokens):
    """Where parts begin is marked first; the parts lie between the marks."""
    marks, place = {0, len(text)}, 0
    longest_first = sorted(set(special_tokens), key=lambda token: (-len(token), token))
    while place < len(text):
        for token in longest_first:
            if text[place : place + len(token)] == token:
                marks |= {place, place + len(token)}
                place += len(token)
                break
        else:
            place += 1
    return [text[start:end] for start, end in itertools.pairwise(sorted(marks))]


# --- Tokenizer -----------------------------------------------------------------------------------------------------


class Common:
    """What the answers below share."""

    def __init__(self, vocab, merges, special_tokens=None):
        self.special_tokens = []
        for token in special_tokens or ():
            if not token:
                raise ValueError("special_tokens must not hold ''")
            if token not in self.special_tokens:
                self.special_tokens.append(token)
        self.vocab = {**vocab}
        self.merges = merges[:] if isinstance(merges, list) else [*merges]
        known = {*self.vocab.values()}
        missing = [token.encode() for token in self.special_tokens if token.encode() not in known]
        self.vocab |= dict(enumerate(missing, start=len(vocab)))
        self.number = {piece: one for one, piece in self.vocab.items()}
        self.ranks = dict(zip(self.merges, itertools.count()))

    @classmethod
    def from_files(cls, vocab_path, merges_path, special_tokens=None):
        with open(vocab_path, encoding="utf-8") as file:
            vocab = {int(one): bytes.fromhex(piece) for one, piece in json.load(file).items()}
        with open(merges_path, encoding="utf-8") as file:
            merges = [tuple(map(bytes.fromhex, pair)) for pair in json.load(file)]
        return cls(vocab, merges, special_tokens)

    def encode(self, text):
        return [one for part in split_special(text, self.special_tokens) for one in self.encode_part(part)]

    def encode_part(self, part):
        if part in self.special_tokens:
            return [self.number[part.encode()]]
        return [self.number[token] for piece in pretokenize(part) for token in bpe_encode(piece.encode(), self.ranks)]

    def decode(self, ids):
        try:
            return b"".join([self.vocab[one] for one in ids]).decode("utf-8", "replace")
        except KeyError as error:
            raise ValueError(f"ids: {error} is unknown") from None


@right("Tokenizer")
class TwoPiecesBack(Common):
    """All pre-tokens but the last two are settled; characters that may begin a special token wait."""

    def encode_iterable(self, iterable):
        longest = max([len(token) for token in self.special_tokens], default=1)
        held = ""
        for chunk in iterable:
            held += chunk
            while True:
                parts = split_special(held, self.special_tokens)
                start = 0
                for part in parts:
                    if part in self.special_tokens:
                        break
                    start += len(part)
                if start < len(held) and start + longest <= len(held):  # a special token, certainly this one
                    size = len(split_special(held[start:], self.special_tokens)[0])
                    yield from self.encode(held[:start])
                    yield from self.encode(held[start : start + size])
                    held = held[start + size :]
                    continue
                pieces = list(pretokenize(held[: max(0, min(start, len(held) - longest + 1))]))[:-2]
                for piece in pieces:
                    yield from self.encode_part(piece) if piece not in self.special_tokens else [
                        self.number[token] for token in bpe_encode(piece.encode(), self.ranks)]
                held = held[sum(map(len, pieces)) :]
                break
        yield from self.encode(held)


@right("Tokenizer")
class PlainClassWithCache:
    """No regular expression for special tokens, a cache from functools, and an iterator class for the stream."""

    def __init__(self, vocab, merges, special_tokens=None):
        from functools import lru_cache

        tokens = [] if special_tokens is None else list(special_tokens)
        if any(len(token) == 0 for token in tokens):
            raise ValueError("special_tokens: empty")
        self.vocab, self.merges, self.special_tokens = vocab.copy(), list(merges), sorted(set(tokens), key=tokens.index)
        for token in self.special_tokens:
            if not any(piece == token.encode() for piece in self.vocab.values()):
                self.vocab[max(self.vocab) + 1] = token.encode()
        ids = {piece: one for one, piece in self.vocab.items()}
        ranks = {pair: i for i, pair in enumerate(self.merges)}
        self.special = {token: ids[token.encode()] for token in self.special_tokens}
        self.piece_ids = lru_cache(10_000)(lambda piece: [ids[token] for token in bpe_encode(piece.encode(), ranks)])

    @staticmethod
    def from_files(vocab_path, merges_path, special_tokens=None):
        vocab = json.loads(Path(vocab_path).read_bytes())
        merges = json.loads(Path(merges_path).read_bytes())
        return Tokenizer({int(k): bytes.fromhex(v) for k, v in vocab.items()},  # noqa: F821
                         [(bytes.fromhex(a), bytes.fromhex(b)) for a, b in merges], special_tokens)

    def special_at(self, text, i):
        return max((token for token in self.special_tokens if text.startswith(token, i)), key=len, default="")

    def encode(self, text):
        out, start, i = [], 0, 0
        while i <= len(text):
            token = self.special_at(text, i) if i < len(text) else ""
            if token or i == len(text):
                for piece in pretokenize(text[start:i]):
                    out.extend(self.piece_ids(piece))
                if token:
                    out.append(self.special[token])
                start = i + len(token)
            i += len(token) or 1
        return out

    def encode_iterable(self, iterable):
        from collections import deque

        tokenizer = self

        class Stream:
            def __init__(self):
                self.chunks, self.ready, self.held, self.over = iter(iterable), deque(), "", False

            def __iter__(self):
                return self

            def __next__(self):
                while not self.ready:
                    if self.over:
                        raise StopIteration
                    try:
                        self.held += next(self.chunks)
                        cut = tokenizer.safe(self.held)
                    except StopIteration:
                        cut, self.over = len(self.held), True
                    self.ready.extend(tokenizer.encode(self.held[:cut]))
                    self.held = self.held[cut:]
                return self.ready.popleft()

        return Stream()

    def safe(self, text):
        """The last place before white space where no special token can lie across."""
        for cut in range(len(text) - 1, 0, -1):
            if regex.match(r"\s", text[cut]) and regex.match(r"\S", text[cut - 1]) and not any(
                token.startswith(text[i : i + len(token)]) and i + len(token) > cut
                for token in self.special_tokens for i in range(max(0, cut - len(token) + 1), cut)
            ):
                return cut
        return 0

    def decode(self, ids):
        data = bytearray()
        for one in ids:
            if self.vocab.get(one) is None:
                raise ValueError("ids")
            data.extend(self.vocab[one])
        return str(data, "utf-8", "replace")


@right("Tokenizer")
class ReadsBlocks(Common):
    """Collects about four thousand characters before it looks for a place to cut."""

    def __init__(self, vocab, merges, special_tokens=None):
        super().__init__(vocab, merges, special_tokens)
        self.special_tokens.sort(reverse=True)  # of two that begin alike the longer comes first

    def encode_iterable(self, iterable):
        buffer, size = [], 0
        for chunk in iterable:
            buffer.append(chunk)
            size += len(chunk)
            if size >= 4096:
                text = "".join(buffer)
                cut = self.cut(text)
                yield from self.encode(text[:cut])
                buffer, size = [text[cut:]], len(text) - cut
        yield from self.encode("".join(buffer))

    def cut(self, text):
        for match in reversed([*regex.finditer(r"(?<=\S)(?=\s)", text)]):
            cut = match.start()
            near = [(t, i) for t in self.special_tokens for i in range(max(0, cut - len(t) + 1), cut)]
            if not any(token.startswith(text[i : i + len(token)]) for token, i in near):
                return cut
        return 0


class AsInTheCourse:
    """Merging as most write it first: the pair of lowest rank, looked for anew after each merge."""

    def get_pairs(self, word):
        return {(word[i], word[i + 1]) for i in range(len(word) - 1)}

    def merge_word(self, word):
        word = [bytes([b]) for b in word]
        while len(word) >= 2:
            pair = min(self.get_pairs(word), key=lambda p: self.bpe_ranks.get(p, float("inf")))
            if pair not in self.bpe_ranks:
                break
            new_word = []
            i = 0
            while i < len(word):
                if i < len(word) - 1 and word[i] == pair[0] and word[i + 1] == pair[1]:
                    new_word.append(word[i] + word[i + 1])
                    i += 2
                else:
                    new_word.append(word[i])
                    i += 1
            word = new_word
        return word


@right("Tokenizer")
class SplitWithAGroup(AsInTheCourse):
    def __init__(self, vocab: dict[int, bytes], merges: list[tuple[bytes, bytes]], special_tokens=None):
        self.vocab = dict(vocab)
        self.merges = list(merges)
        self.special_tokens = []
        for token in special_tokens if special_tokens else []:
            if token == "":
                raise ValueError("Empty string in special_tokens")
            if token not in self.special_tokens:
                self.special_tokens.append(token)
            token_bytes = token.encode("utf-8")
            if token_bytes not in self.vocab.values():
                self.vocab[len(self.vocab)] = token_bytes
        self.inverse_vocab = {v: k for k, v in self.vocab.items()}
        self.bpe_ranks = {pair: i for i, pair in enumerate(self.merges)}
        self.cache = {}
        self.special_pattern = None
        if self.special_tokens:
            sorted_tokens = sorted(self.special_tokens, key=len, reverse=True)
            self.special_pattern = regex.compile("(" + "|".join(regex.escape(t) for t in sorted_tokens) + ")")

    @classmethod
    def from_files(cls, vocab_filepath, merges_filepath, special_tokens=None):
        with open(vocab_filepath) as f:
            vocab = {int(k): bytes.fromhex(v) for k, v in json.load(f).items()}
        with open(merges_filepath) as f:
            merges = [(bytes.fromhex(a), bytes.fromhex(b)) for a, b in json.load(f)]
        return cls(vocab, merges, special_tokens)

    def encode(self, text):
        if not text:
            return []
        parts = self.special_pattern.split(text) if self.special_pattern else [text]
        ids = []
        for part in parts:
            if not part:
                continue
            if part in self.special_tokens:
                ids.append(self.inverse_vocab[part.encode("utf-8")])
            else:
                for match in regex.finditer(GPT2_PATTERN, part):
                    ids.extend(self.encode_word(match.group(0).encode("utf-8")))
        return ids

    def encode_word(self, word):
        if word not in self.cache:
            self.cache[word] = [self.inverse_vocab[t] for t in self.merge_word(word)]
        return self.cache[word]

    def encode_iterable(self, iterable):
        """All but the last two pre-tokens of what is held, and never the beginning of a special token."""
        reserve = max(map(len, self.special_tokens), default=1) - 1
        buffer = ""
        for chunk in iterable:
            buffer += chunk
            while True:
                limit = len(buffer) - reserve
                match = self.special_pattern.search(buffer) if self.special_pattern else None
                if match and match.start() < limit:
                    yield from self.encode(buffer[: match.end()])
                    buffer = buffer[match.end() :]
                else:
                    break
            words = regex.findall(GPT2_PATTERN, buffer[: max(limit, 0)])[:-2]
            for word in words:
                yield from self.encode_word(word.encode("utf-8"))
            buffer = buffer[len("".join(words)) :]
        yield from self.encode(buffer)

    def decode(self, ids):
        tokens = []
        for i in ids:
            if i not in self.vocab:
                raise ValueError(f"ids contains {i}, which is not in the vocabulary")
            tokens.append(self.vocab[i])
        return b"".join(tokens).decode("utf-8", errors="replace")


@right("Tokenizer")
class MergesIds:
    """Pairs of ids in a heap, chained by dicts; bytes are looked at in the beginning only."""

    __slots__ = ("_ids", "_rules", "_special", "_vocab")

    def __init__(self, vocab, merges, special_tokens=()):
        special_tokens = special_tokens or ()
        if not all(special_tokens):
            raise ValueError("special_tokens: ''")
        ids = dict(zip(vocab.values(), vocab, strict=True))
        self._vocab = dict(vocab)
        for token in special_tokens:
            number = ids.setdefault(token.encode(), len(ids))
            self._vocab[number] = token.encode()
        self._ids = ids
        self._rules = {(ids[a], ids[b]): (rank, ids[a + b]) for rank, (a, b) in enumerate(merges)}
        self._special = {token: ids[token.encode()] for token in special_tokens}

    @property
    def vocab(self):
        return self._vocab

    @property
    def merges(self):
        return [(self._vocab[a], self._vocab[b]) for a, b in self._rules]

    @property
    def special_tokens(self):
        return list(self._special)

    @classmethod
    def from_files(cls, vocab_path, merges_path, special_tokens=None):
        def hexadecimal(pairs):
            return {int(key): bytes.fromhex(value) for key, value in pairs}

        vocab = json.loads(Path(vocab_path).read_text(), object_pairs_hook=hexadecimal)
        return cls(vocab, [[*map(bytes.fromhex, pair)] for pair in json.loads(Path(merges_path).read_text())],
                   special_tokens)

    def _merged(self, data):
        ids = [self._ids[data[i : i + 1]] for i in range(len(data))]
        after = dict(enumerate(range(1, len(ids)))) if ids else {}
        before = {b: a for a, b in after.items()}
        heap = []

        def push(i):
            if i in after and (rule := self._rules.get((ids[i], ids[after[i]]))):
                heapq.heappush(heap, (rule[0], i, ids[i], ids[after[i]]))

        for i in range(len(ids)):
            push(i)
        while heap:
            _, i, left, right_ = heapq.heappop(heap)
            j = after.get(i)
            if j is None or (ids[i], ids[j]) != (left, right_):
                continue
            ids[i], ids[j] = self._rules[left, right_][1], None
            if j in after:
                after[i] = after.pop(j)
                before[after[i]] = i
            else:
                del after[i]
            push(i)
            push(before.get(i))
        return [one for one in ids if one is not None]

    def _parts(self, text):
        return split_special(text, self.special_tokens)

    def encode(self, text):
        ids = []
        for part in self._parts(text):
            if (number := self._special.get(part)) is not None:
                ids.append(number)
            else:
                for piece in pretokenize(part):
                    ids += self._merged(piece.encode())
        return ids

    def encode_iterable(self, iterable):
        """A part is encoded when the next one has begun, and is not the beginning of a special token any more."""
        held = ""
        for chunk in itertools.chain(iterable, [None]):
            over = chunk is None
            held += chunk or ""
            cut = len(held) if over else self._settled(held)
            yield from self.encode(held[:cut])
            held = held[cut:]

    def _settled(self, text):
        longest = max(map(len, self._special), default=0)
        place, settled = 0, 0
        for part in self._parts(text):
            if part in self._special:
                place += len(part)
                settled = place if place - len(part) + longest <= len(text) else settled
                continue
            for match in regex.finditer(r"\S(?=\s)", part):
                if place + match.end() + longest <= len(text):
                    settled = place + match.end()
            place += len(part)
        return settled

    def decode(self, ids):
        try:
            pieces = [*map(self._vocab.__getitem__, ids)]
        except KeyError:
            raise ValueError(f"unknown ids in {ids}") from None
        return b"".join(pieces).decode("utf-8", "replace")


def to_bytes(text):
    return bytes.fromhex(text)


def waits_for_more(text, special_tokens):
    """Whether the end of the text may become a special token, or a longer one."""
    return any(
        token.startswith(text[-size:]) for token in special_tokens for size in range(1, min(len(token), len(text) + 1))
    )


@right("Tokenizer", beside=[functools, to_bytes, waits_for_more])
class CharacterByCharacter:
    """One character after the other; a small text is given up when white space begins."""

    def __init__(self, vocab, merges, special_tokens=None):
        import re

        unique = dict.fromkeys([] if special_tokens is None else special_tokens)
        if "" in unique:
            raise ValueError("special_tokens may not hold an empty string")
        self.vocab, self.merges, self.special_tokens = {}, [*map(tuple, merges)], [*unique]
        self.vocab.update(vocab)
        for token in unique:
            if token.encode("utf-8") not in {*self.vocab.values()}:
                self.vocab[1 + max(self.vocab)] = token.encode("utf-8")
        self.lookup = {token: number for number, token in self.vocab.items()}
        self.order = {pair: rank for rank, pair in enumerate(self.merges)}
        self.white = re.compile(r"[^\S\x1c-\x1f]")  # as the package regex has it

    @staticmethod
    def from_files(vocab_path, merges_path, special_tokens=None):
        with open(vocab_path, "rb") as one, open(merges_path, "rb") as other:
            vocab, merges = json.load(one), json.load(other)
        pairs = [(to_bytes(left), to_bytes(right_)) for left, right_ in merges]
        return Tokenizer({int(key): to_bytes(vocab[key]) for key in vocab}, pairs, special_tokens)  # noqa: F821

    @functools.lru_cache(maxsize=None)  # noqa: B019, UP033
    def of_piece(self, piece):
        return tuple(map(self.lookup.get, bpe_encode(piece.encode("utf-8"), self.order)))

    def encode(self, text):
        out = []
        for part in split_special(text, self.special_tokens):
            if part in self.special_tokens:
                out.append(self.lookup[part.encode("utf-8")])
                continue
            out.extend(itertools.chain.from_iterable(map(self.of_piece, pretokenize(part))))
        return out

    def encode_iterable(self, iterable):
        text = ""
        for character in itertools.chain.from_iterable(iterable):
            space = self.white.match(character) is not None
            if text and space and not self.white.match(text[-1]) and not waits_for_more(text, self.special_tokens):
                yield from self.encode(text)
                text = ""
            text += character
        yield from self.encode(text)

    def decode(self, ids):
        missing = set(ids) - set(self.vocab)
        if missing:
            raise ValueError(f"ids not in the vocabulary: {sorted(missing)}")
        return b"".join(self.vocab[one] for one in ids).decode("utf-8", errors="replace")


@right("Tokenizer")
class PlainFields:
    """Everything is a list: ids are places in it. Nothing is kept between calls but what the constructor made."""

    vocab = merges = special_tokens = None

    def __init__(self, vocab, merges, special_tokens=None):
        pieces = [vocab[i] for i in range(len(vocab))]
        self.special_tokens = []
        for token in special_tokens or ():
            if not len(token):
                raise ValueError("an empty text is in special_tokens")
            if token.encode() not in pieces:
                pieces.append(token.encode())
            if token not in self.special_tokens:
                self.special_tokens += [token]
        self.pieces, self.merges, self.vocab = pieces, list(merges), dict(enumerate(pieces))

    @classmethod
    def from_files(cls, vocab_path, merges_path, special_tokens=None):
        read = [json.loads(open(path).read()) for path in (vocab_path, merges_path)]  # noqa: SIM115
        vocab = {int(number): bytes.fromhex(read[0][number]) for number in read[0]}
        return cls(vocab, [tuple(bytes.fromhex(part) for part in pair) for pair in read[1]], special_tokens)

    def encode(self, text):
        return list(self.generate(text))

    def generate(self, text):
        rest = text
        while rest:
            starts = [(rest.find(token), -len(token)) for token in self.special_tokens if token in rest]
            start, length = min(starts, default=(len(rest), 0))
            for match in regex.finditer(GPT2_PATTERN, rest[:start]):
                yield from self.of_word(match[0].encode())
            if length:
                yield self.pieces.index(rest[start : start - length].encode())
            rest = rest[start - length :]

    def of_word(self, word):
        """As in chapter 4: each rule in its turn."""
        tokens = [bytes([byte]) for byte in word]
        for left, right_ in self.merges:
            if len(tokens) > 1 and left + right_ in word:
                merged = []
                for token in tokens:
                    if merged and token == right_ and merged[-1] == left:
                        merged[-1] = left + right_
                    else:
                        merged.append(token)
                tokens = merged
        return map(self.pieces.index, tokens)

    def encode_iterable(self, iterable):
        """Text is collected until a line has begun with something visible, which settles the lines before."""
        held = []
        for chunk in iterable:
            held.append(chunk)
            text = "".join(held)
            ends = [m.end() for m in regex.finditer(r"\S(?=\s)", text)]
            while ends and self.inside(text, ends[-1]):
                ends.pop()
            if ends:
                yield from self.generate(text[: ends[-1]])
                held = [text[ends[-1] :]]
        yield from self.generate("".join(held))

    def inside(self, text, cut):
        for token in self.special_tokens:
            for start in range(max(0, cut - len(token) + 1), cut):
                if token.startswith(text[start : start + len(token)]):
                    return True
        return False

    def decode(self, ids):
        data = []
        for one in ids:
            if not 0 <= one < len(self.pieces):
                raise ValueError(f"{one} among the ids")
            data.append(self.pieces[one])
        return b"".join(data).decode(errors="replace")


class Base:
    """What every tokenizer has; how text becomes ids is for those derived from it."""

    def __init__(self, *, vocab, special_tokens):
        self.vocab = dict(vocab)
        self.special_tokens = list({token: None for token in special_tokens})  # noqa: C420
        for token in self.special_tokens:
            if token.encode() not in self.vocab.values():
                self.vocab |= {len(self.vocab): token.encode()}

    @classmethod
    def from_files(cls, vocab_path, merges_path, special_tokens=None):
        vocab, merges = (json.loads(Path(path).read_bytes()) for path in (vocab_path, merges_path))
        vocab = dict((int(number), bytes.fromhex(piece)) for number, piece in vocab.items())  # noqa: C402
        merges = list(itertools.starmap(lambda *pair: tuple(bytes.fromhex(part) for part in pair), merges))
        return cls(vocab, merges, special_tokens=special_tokens)

    def decode(self, ids):
        class UnknownIdError(ValueError, KeyError):
            """Some of the ids are unknown."""

        try:
            return b"".join(self.vocab[one] for one in ids).decode("utf-8", "replace")
        except KeyError as error:
            raise UnknownIdError(f"ids: {error.args[0]}") from error


@right("Tokenizer")
class DerivedAndLazy(Base):
    """Generators all the way: parts, pieces, tokens, ids."""

    def __init__(self, vocab, merges, special_tokens=None):
        match special_tokens:
            case None:
                special_tokens = []
            case [*_] if "" in special_tokens:
                raise ValueError("special_tokens")
        super().__init__(vocab=vocab, special_tokens=special_tokens)
        self.merges = list(merges)

    def __getattr__(self, name):
        """What is derived from the rules is made when it is first asked for."""
        if name == "ranks":
            self.ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        elif name == "ids":
            self.ids = {piece: number for number, piece in self.vocab.items()}
        else:
            raise AttributeError(name)
        return self.__dict__[name]

    def tokens(self, parts):
        for part in parts:
            if part in self.special_tokens:
                yield part.encode()
            else:
                for piece in pretokenize(part):
                    yield from bpe_encode(piece.encode(), self.ranks)

    def encode(self, text):
        return [self.ids[token] for token in self.tokens(split_special(text, self.special_tokens))]

    def encode_iterable(self, iterable):
        return map(self.encode_token, self.tokens(self.parts(iter(iterable))))

    def encode_token(self, token):
        return self.ids[token]

    def parts(self, chunks):
        """Parts that no later text can change, special tokens or text."""
        longest, held = max([1, *map(len, self.special_tokens)]), ""
        for chunk in chunks:
            held += chunk
            while len(held) >= longest:
                first, *_ = split_special(held, self.special_tokens)
                if first in self.special_tokens:
                    yield first
                    held = held[len(first) :]
                    continue
                sure = len(first) if len(first) + longest <= len(held) else len(held) - longest + 1
                if sure == len(first) < len(held):  # a special token follows, so the part ends here
                    yield first
                    held = held[sure:]
                    continue
                cuts = [m.start() for m in regex.finditer(r"(?<=\S)\s", held) if m.start() <= sure]
                if not cuts:
                    break
                yield held[: cuts[-1]]
                held = held[cuts[-1] :]
        yield from split_special(held, self.special_tokens)


class Feed:
    """Text goes in piece by piece, the ids that are settled come out."""

    def __init__(self, tokenizer):
        self.tokenizer, self.held = tokenizer, ""
        self.longest = max(map(len, tokenizer.special_tokens), default=1)

    def take(self, text, last=False):
        self.held += text
        size = len(self.held) if last else self.settled()
        ids, self.held = self.tokenizer.encode(self.held[:size]), self.held[size:]
        return ids

    def settled(self):
        """The last place before white space that no special token can reach over."""
        place = best = 0
        for part in split_special(self.held, self.tokenizer.special_tokens):
            if part not in self.tokenizer.special_tokens:
                ends = (place + match.end() for match in regex.finditer(r"\S(?=\s)", part))
                best = max((end for end in ends if end + self.longest <= len(self.held)), default=best)
            place += len(part)
        return best


@right("Tokenizer", beside=[functools, Feed])
class NothingIsMutable:
    """Read-only attributes behind private names; the ids are NumPy's, and bytes are decoded as they come."""

    def __init__(self, vocab, merges, special_tokens=None):
        import collections
        import types

        import numpy

        tokens = tuple(collections.OrderedDict.fromkeys(special_tokens or ()))
        if not all(tokens):
            raise ValueError("special_tokens: one of them is empty")
        known = frozenset(vocab.values())
        missing = (token.encode() for token in tokens if token.encode() not in known)
        self.vocab = collections.OrderedDict([*vocab.items(), *enumerate(missing, start=len(vocab))])
        self.merges, self.special_tokens = tuple(merges), tokens
        self.__ids = types.MappingProxyType({piece: numpy.int64(one) for one, piece in self.vocab.items()})
        self.__ranks = types.MappingProxyType({pair: rank for rank, pair in enumerate(merges)})

    @staticmethod
    def from_files(vocab_path, merges_path, special_tokens=None):
        vocab, merges = (json.loads(Path(path).read_bytes()) for path in (vocab_path, merges_path))
        vocab = {int(one): bytes.fromhex(piece) for one, piece in vocab.items()}
        return Tokenizer(vocab, [tuple(map(bytes.fromhex, pair)) for pair in merges], special_tokens)  # noqa: F821

    @functools.lru_cache(maxsize=1_000)  # noqa: B019
    def __of_part(self, part):
        if part in self.special_tokens:
            return (self.__ids[part.encode()],)
        pieces = map(str.encode, pretokenize(part))
        return tuple(self.__ids[token] for piece in pieces for token in bpe_encode(piece, self.__ranks))

    def encode(self, text):
        return [*itertools.chain.from_iterable(map(self.__of_part, split_special(text, self.special_tokens)))]

    def encode_iterable(self, iterable):
        feed = Feed(self)
        blocks = itertools.chain(map(feed.take, iterable), (feed.take("", last=last) for last in (True,)))
        return itertools.chain.from_iterable(blocks)

    def decode(self, ids):
        import codecs

        if not self.vocab.keys() >= set(ids):
            raise ValueError(f"ids: {sorted(set(ids) - self.vocab.keys())}")
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        return "".join([*map(decoder.decode, map(self.vocab.get, ids)), decoder.decode(b"", final=True)])


@right("Tokenizer", beside=[dataclasses])
@dataclasses.dataclass(eq=False)
class FieldsOfADataclass:
    vocab: dict
    merges: list
    special_tokens: list | None = None

    def __post_init__(self):
        tokens = self.special_tokens or []
        if any(map("".__eq__, tokens)):
            raise ValueError(f"special_tokens={tokens}")
        self.special_tokens = sorted(set(tokens), key=tokens.index)
        known = set(self.vocab.values())
        new = [token.encode() for token in self.special_tokens if token.encode() not in known]
        self.vocab = self.vocab | dict(zip(range(len(self.vocab), len(self.vocab) + len(new)), new, strict=True))
        self.merges = [(left, right_) for left, right_ in self.merges]
        self.__id_of = {piece: one for one, piece in self.vocab.items()}
        self.__ranks = dict(zip(self.merges, range(len(self.merges)), strict=True))

    @classmethod
    def from_files(cls, vocab_path, merges_path, special_tokens=None):
        return cls(
            vocab={int(k): bytes.fromhex(v) for k, v in json.loads(Path(vocab_path).read_text("utf-8")).items()},
            merges=[(bytes.fromhex(a), bytes.fromhex(b)) for a, b in json.loads(Path(merges_path).read_text("utf-8"))],
            special_tokens=special_tokens,
        )

    def encode(self, text):
        import numpy as np

        ids = np.zeros(0, dtype=np.int64)
        for part in split_special(text, self.special_tokens):
            tokens = [part.encode()] if part in self.special_tokens else (
                token for piece in pretokenize(part) for token in bpe_encode(piece.encode(), self.__ranks))
            ids = np.append(ids, [self.__id_of[token] for token in tokens])
        return list(ids.astype(np.int64))

    def encode_iterable(self, iterable):
        text = ""
        for chunk in iterable:
            text += chunk
            if cut := self.last_cut(text):
                yield from self.encode(text[:cut])
                text = text[cut:]
        yield from self.encode(text)

    def last_cut(self, text):
        cuts = [m.start() + 1 for m in regex.finditer(r"\S\s", text)]
        return next((cut for cut in reversed(cuts) if not any(
            token.startswith(text[i : i + len(token)])
            for token in self.special_tokens for i in range(max(0, cut + 1 - len(token)), cut)
        )), 0)

    def decode(self, ids):
        text = bytearray()
        for one in ids:
            match self.vocab.get(one):
                case None:
                    raise ValueError(f"ids: {one}")
                case piece:
                    text += piece
        return text.decode("utf-8", errors="replace")


@right("Tokenizer")
class OneDecisionAtATime(Common):
    """At each place: a special token, a pre-token, or not yet to be said."""

    def encode_iterable(self, iterable):
        words = regex.compile(GPT2_PATTERN)
        longest = max(map(len, self.special_tokens), default=1)
        held, chunks, over = "", iter(iterable), False
        while not over:
            chunk = next(chunks, None)
            over = chunk is None
            held += chunk or ""
            known = len(held) if over else len(held) - longest + 1  # special tokens that begin before are all there
            place = 0
            while place < known:
                token = max((t for t in self.special_tokens if held.startswith(t, place)), key=len, default="")
                if token:
                    yield self.number[token.encode()]
                    place += len(token)
                    continue
                starts = [start for t in self.special_tokens if (start := held.find(t, place)) >= 0]
                stop = min([known, *starts])
                match = words.match(held, place, stop)
                if stop == known and not over and match.end() + 2 > stop:
                    break
                yield from (self.number[one] for one in bpe_encode(match[0].encode(), self.ranks))
                place = match.end()
            held = held[place:]


# --- to_tiktoken and to_huggingface --------------------------------------------------------------------------------


@right("to_tiktoken")
def one_loop(tokenizer):
    number = {piece: one for one, piece in sorted(tokenizer.vocab.items(), reverse=True)}
    ranks = {bytes([byte]): number[bytes([byte])] for byte in range(256)}
    last = -1
    for a, b in tokenizer.merges:
        if number[a + b] <= last:
            raise ValueError("the ids of merges are not in their order")
        last = ranks[a + b] = number[a + b]
    return tiktoken.Encoding(
        name="x", pat_str=GPT2_PATTERN, mergeable_ranks=ranks,
        special_tokens={t: number[t.encode()] for t in tokenizer.special_tokens})


@right("to_huggingface")
def with_added_tokens(tokenizer):
    table = byte_letters()
    text = {piece: "".join(map(table.get, piece)) for piece in tokenizer.vocab.values()}
    for token in tokenizer.special_tokens:
        text[token.encode()] = token
    vocab = {text[piece]: one for one, piece in tokenizer.vocab.items()}
    made = tokenizers.Tokenizer(tokenizers.models.BPE(vocab, [(text[a], text[b]) for a, b in tokenizer.merges]))
    level = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    cut = tokenizers.pre_tokenizers.Split(tokenizers.Regex(GPT2_PATTERN), "isolated")
    made.pre_tokenizer = tokenizers.pre_tokenizers.Sequence([cut, level])
    made.decoder = tokenizers.decoders.ByteLevel()
    added = [tokenizers.AddedToken(token, special=True, normalized=False) for token in tokenizer.special_tokens]
    made.add_special_tokens(added)
    return made


@right("to_tiktoken")
def sorted_by_id(tokenizer):
    learnt = [left + right_ for left, right_ in tokenizer.merges]
    by_id = sorted(tokenizer.vocab.items())
    in_order = [piece for _, piece in by_id if piece in set(learnt)]
    if in_order != learnt:
        raise ValueError("merges and ids are in different orders")
    special = {token.encode(): token for token in tokenizer.special_tokens}
    ranks = {piece: one for one, piece in by_id if len(piece) == 1 or piece in set(learnt)}
    return tiktoken.Encoding("sorted", mergeable_ranks=ranks, pat_str=GPT2_PATTERN,
                             special_tokens={special[piece]: one for one, piece in by_id if piece in special})


@right("to_tiktoken")
def with_a_compiled_pattern(tokenizer):
    """Another way to write the same pattern, possessive as tiktoken's own is."""
    class Number(dict):
        def __missing__(self, piece):
            raise LookupError(piece)

    number = Number(zip(tokenizer.vocab.values(), tokenizer.vocab.keys(), strict=True))
    ranks = {}
    for piece in itertools.chain((b"%c" % byte for byte in range(256)), map(b"".join, tokenizer.merges)):
        ranks[piece] = number[piece]
    ids = list(ranks.values())[256:]
    if any(a >= b for a, b in itertools.pairwise(ids)):
        raise ValueError("merges")
    pattern = r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"""
    special_tokens = {}
    for token in tokenizer.special_tokens:
        special_tokens[token] = number[token.encode()]
    return tiktoken.Encoding("own", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special_tokens)


@right("to_huggingface")
def from_its_own_json(tokenizer):
    letters = byte_letters()
    special = {token.encode(): token for token in tokenizer.special_tokens}

    def written(piece):
        return "".join(letters[byte] for byte in piece)

    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    return tokenizers.Tokenizer.from_str(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "normalizer": None, "pre_tokenizer": level,
        "post_processor": None, "decoder": level,
        "added_tokens": [
            {"id": one, "content": special[piece], "single_word": False, "lstrip": False, "rstrip": False,
             "normalized": False, "special": True}
            for one, piece in tokenizer.vocab.items() if piece in special
        ],
        "model": {
            "type": "BPE", "vocab": {special.get(p, written(p)): one for one, p in tokenizer.vocab.items()},
            "merges": [[written(left), written(right_)] for left, right_ in tokenizer.merges],
        },
    }))


@right("to_huggingface")
def through_its_files(tokenizer):
    """Written as the files that its model reads."""
    import tempfile

    table = str.maketrans({chr(byte): letter for byte, letter in byte_letters().items()})

    def name(piece):
        text = piece.decode("latin-1").translate(table)
        return next((token for token in tokenizer.special_tokens if token.encode() == piece), text)

    with tempfile.TemporaryDirectory() as folder:
        vocab, merges = Path(folder, "vocab.json"), Path(folder, "merges.txt")
        vocab.write_text(json.dumps({name(piece): one for one, piece in tokenizer.vocab.items()}), encoding="utf-8")
        lines = ["#version: 0.2", *(f"{name(left)} {name(right_)}" for left, right_ in tokenizer.merges)]
        merges.write_text("\n".join(lines) + "\n", encoding="utf-8")
        model = tokenizers.models.BPE.from_file(str(vocab), str(merges))
    made = tokenizers.Tokenizer(model)
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    for token in tokenizer.special_tokens:
        made.add_special_tokens([token])
    return made


# --- plot_speed ----------------------------------------------------------------------------------------------------


@right("plot_speed")
def horizontal_bars(measured):
    frame = pd.DataFrame(measured).T
    frame = pd.DataFrame({
        "encoder": frame.index, "tokens_per_second": (frame["tokens"] / frame["seconds"]).tolist(),
        "bytes_per_token": (frame["bytes"] / frame["tokens"]).tolist(),
    })
    figure, panels = plt.subplots(2, 1)
    figure.suptitle("Three encoders")
    for axes, column in zip(panels, frame.columns[1:], strict=True):
        axes.barh(range(len(frame)), frame[column])
        axes.set_xlabel(column)
        axes.set_ylabel("encoder")
    return frame, figure


@right("plot_speed")
def one_colour_for_each(measured):
    rows = []
    figure, panels = plt.subplots(2, 1, sharex=True)
    for i, (name, one) in enumerate(measured.items()):
        row = {"encoder": name, "tokens_per_second": one["tokens"] / one["seconds"],
               "bytes_per_token": one["bytes"] / one["tokens"]}
        for axes, column in zip(panels, ("tokens_per_second", "bytes_per_token"), strict=True):
            axes.bar(name, row[column], color=f"C{i}")
            axes.set_ylabel(column)
        rows.append(row)
    panels[0].set_title("Speed")
    panels[1].set(title="Coverage", xlabel="encoder")
    return pd.DataFrame(rows), figure


@right("plot_speed")
def both_scales_in_one(measured):
    """Two axes in one place, each with its own scale."""
    frame = pd.DataFrame(
        ((name, m["tokens"] / m["seconds"], m["bytes"] / m["tokens"]) for name, m in measured.items()),
        columns=["encoder", "tokens_per_second", "bytes_per_token"],
    )
    figure, left = plt.subplots()
    right_ = left.twinx()
    places = pd.RangeIndex(len(frame))
    left.bar(places - 0.2, frame["tokens_per_second"], width=0.4, color="C0", label="tokens per second")
    right_.bar(places + 0.2, frame["bytes_per_token"], width=0.4, color="C1", label="bytes per token")
    left.set_xticks(places, frame["encoder"])
    left.set(title="Encoders", xlabel="encoder", ylabel="tokens per second")
    right_.set_ylabel("bytes per token")
    figure.legend()
    return frame, figure


@right("plot_speed")
def panels_by_pandas(measured):
    frame = pd.DataFrame.from_dict(measured, orient="index").rename_axis("encoder").reset_index()
    frame = frame.assign(tokens_per_second=frame.tokens / frame.seconds, bytes_per_token=frame.bytes / frame.tokens)
    panels = frame.plot.bar(x="encoder", y=["tokens_per_second", "bytes_per_token"], subplots=True, layout=(1, 2),
                            legend=False, rot=0)
    for axes in panels.flat:
        axes.set_ylabel(axes.get_title())
    return frame, panels[0, 0].figure
