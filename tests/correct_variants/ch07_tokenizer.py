"""Chapter 7's answers in other styles; the names that they use are the notebook's own."""

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


# --- joined_bytes_example and line_example -------------------------------------------------------------------------


@right("joined_bytes_example")
def the_shortest():
    return b"bbb"


@right("line_example")
def indented_code():
    return "if x:\n\n\n    y\n"


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
