"""Right answers to chapter 5 in other styles; like the notebook's, they may call the chapter's other functions."""

# ruff: noqa: B905, C417, F821, RUF007, SIM115  (written as learners write; names of the notebook)

import concurrent.futures
import multiprocessing

from correct_variants import right

# --- split_on_special ----------------------------------------------------------------------------------------------


@right("split_on_special")
def split_with_re(text, special_tokens):
    import re

    if not all(special_tokens):
        raise ValueError("special_tokens: one is empty")
    if not special_tokens:
        return list(filter(None, [text]))
    ordered = sorted(special_tokens, key=lambda token: -len(token))
    return list(filter(None, re.split("|".join(re.escape(token) for token in ordered), text)))


@right("split_on_special")
def split_by_walking(text, special_tokens):
    if "" in special_tokens:
        raise ValueError("special_tokens must not hold ''")
    parts, part, i = [], "", 0
    while i < len(text):
        here = [token for token in special_tokens if text.startswith(token, i)]
        if here:
            if part:
                parts.append(part)
            part = ""
            i += len(max(here, key=len))
        else:
            part += text[i]
            i += 1
    if part:
        parts.append(part)
    return parts


@right("split_on_special")
def split_with_finditer(text, special_tokens):
    if any(token == "" for token in special_tokens):
        raise ValueError("an empty special token in special_tokens")
    parts, end = [], 0
    if special_tokens:
        pattern = regex.compile("|".join(map(regex.escape, sorted(set(special_tokens), reverse=True))))
        for match in pattern.finditer(text):
            parts.append(text[end : match.start()])
            end = match.end()
    parts.append(text[end:])
    return [part for part in parts if part != ""]


@right("split_on_special")
def split_and_every_second_dropped(text, special_tokens):
    """The pattern's group keeps the special tokens, which stand at the odd places."""
    import re

    for token in special_tokens:
        if token == "":
            raise ValueError(f"special_tokens={special_tokens!r}")
    if special_tokens:
        pieces = re.split(f"({'|'.join(re.escape(t) for t in sorted(special_tokens, key=len)[::-1])})", text)[::2]
    else:
        pieces = [text]
    return [piece for piece in pieces if piece]


@right("split_on_special")
def split_recursively(text, special_tokens):
    if "" in special_tokens:
        raise ValueError("'' is in special_tokens")
    found = [(text.find(token), -len(token)) for token in special_tokens if token in text]
    if not found:
        return [text] * bool(text)
    start, length = min(found)
    return [text[:start]] * (start > 0) + split_on_special(text[start - length :], special_tokens)


@right("split_on_special")
def split_leftmost_and_longest(text, special_tokens):
    """The rules of POSIX take the longest alternative by themselves."""
    if min(map(len, special_tokens), default=1) == 0:
        raise ValueError("special_tokens must hold no empty text")
    if not special_tokens:
        return [*filter(None, (text,))]
    pattern = regex.compile("|".join(map(regex.escape, special_tokens)), flags=regex.POSIX)
    return [*filter(None, pattern.splititer(text))]


@right("split_on_special")
def split_by_a_generator(text: str, special_tokens: list[str]) -> list[str]:
    tokens = tuple(sorted({*special_tokens}, key=lambda token: (len(token), token), reverse=True))

    def parts():
        start = here = 0
        while here < len(text):
            if text.startswith(tokens, here):
                yield text[start:here]
                here += len(next(filter(text[here:].startswith, tokens)))
                start = here
            else:
                here += 1
        yield text[start:]

    if tokens and not tokens[-1]:
        raise ValueError("special_tokens")
    return list(filter(len, parts()))


# --- pretokenize ---------------------------------------------------------------------------------------------------


@right("pretokenize")
def pretokens_with_map(text):
    return map(lambda match: match.group(0), regex.finditer(GPT2_PATTERN, text))


@right("pretokenize")
def pretokens_one_match_at_a_time(text):
    pattern = regex.compile(GPT2_PATTERN)
    position = 0
    while position < len(text):
        match = pattern.match(text, position)
        yield match[0]
        position = match.end()


@right("pretokenize")
def pretokens_from_a_scanner(text):
    scanner = regex.compile(GPT2_PATTERN).scanner(text)
    yield from (match[0] for match in iter(scanner.search, None))


@right("pretokenize")
def pretokens_cut_off_the_front(text):
    while text:
        piece = regex.match(GPT2_PATTERN, text).group()
        yield piece
        text = text[len(piece) :]


@right("pretokenize")
def pretokens_without_a_loop_of_our_own(text):
    import operator

    return map(operator.methodcaller("group"), regex.finditer(GPT2_PATTERN, text))


class Pieces:
    """An iterator written out."""

    __slots__ = ("matches",)
    pattern = None

    def __init__(self, text):
        self.matches = regex.finditer(GPT2_PATTERN, text)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.matches)[0]


@right("pretokenize", beside=[Pieces])
def pretokens_from_an_iterator_class(text):
    return Pieces(text)


@right("pretokenize")
def pretokens_between_nothing(text):
    """What stands between the pre-tokens is empty; what the pattern's group took is kept."""
    return filter(None, regex.splititer(f"({GPT2_PATTERN})", text))


# --- count_pretokens -----------------------------------------------------------------------------------------------


@right("count_pretokens")
def count_with_counter(text, special_tokens):
    counted = Counter()
    for part in split_on_special(text, special_tokens):
        counted.update(regex.findall(GPT2_PATTERN, part))
    return Counter({tuple(map(bytes, zip(piece.encode()))): number for piece, number in counted.items()})


@right("count_pretokens")
def count_with_defaultdict(text, special_tokens):
    from collections import defaultdict

    counts = defaultdict(int)
    for part in split_on_special(text, special_tokens):
        for piece in pretokenize(part):
            data = piece.encode("utf-8")
            counts[tuple(data[i : i + 1] for i in range(len(data)))] += 1
    return counts


@right("count_pretokens")
def count_sorted_runs(text, special_tokens):
    from itertools import chain, groupby

    pieces = sorted(chain.from_iterable(map(pretokenize, split_on_special(text, special_tokens))))
    return {
        tuple(memoryview(piece.encode()).cast("c")): sum(1 for _ in run) for piece, run in groupby(pieces)
    }


def single_bytes_of(piece):
    import struct

    return tuple(byte for (byte,) in struct.iter_unpack("c", piece.encode("utf-8")))


@right("count_pretokens", beside=[single_bytes_of])
def count_with_a_helper(text, special_tokens):
    counts = {}
    for part in split_on_special(text, special_tokens):
        for match in regex.finditer(GPT2_PATTERN, part):
            key = single_bytes_of(match.group())
            counts[key] = counts.setdefault(key, 0) + 1
    return counts


@right("count_pretokens")
def count_with_pandas(text, special_tokens):
    pieces = pd.Series([piece for part in split_on_special(text, special_tokens) for piece in pretokenize(part)],
                       dtype=object)
    return {tuple(letter.encode("latin-1") for letter in piece.encode().decode("latin-1")): number
            for piece, number in pieces.value_counts().items()}


@right("count_pretokens")
def count_added_up(text, special_tokens):
    from functools import reduce
    from operator import add

    parts = (Counter(tuple(b"%c" % byte for byte in piece.encode()) for piece in pretokenize(part))
             for part in split_on_special(text, special_tokens))
    return dict(reduce(add, parts, Counter()))


def counted_in_part(part):
    return Counter(tuple(bytes([byte]) for byte in piece.encode()) for piece in pretokenize(part))


THREE_PARTS = '["a b", "c d", "e"]'  # tried out at once, so that all workers of a pool have started


@right("count_pretokens", beside=[
    concurrent.futures, counted_in_part, "POOL = concurrent.futures.ThreadPoolExecutor(2)",
    f"list(POOL.map(counted_in_part, {THREE_PARTS}))",
])
def count_in_threads_that_wait(text, special_tokens):
    return sum(POOL.map(counted_in_part, split_on_special(text, special_tokens)), Counter())


@right("count_pretokens", beside=[
    multiprocessing, counted_in_part, "POOL = multiprocessing.Pool(2)", f"POOL.map(counted_in_part, {THREE_PARTS})",
])
def count_in_processes_that_wait(text, special_tokens):
    return sum(POOL.imap_unordered(counted_in_part, split_on_special(text, special_tokens)), Counter())


@right("count_pretokens", beside=[
    concurrent.futures, counted_in_part, "POOL = concurrent.futures.ProcessPoolExecutor(2)",
    f"list(POOL.map(counted_in_part, {THREE_PARTS}))",
])
def count_in_an_executor_that_waits(text, special_tokens):
    waiting = [POOL.submit(counted_in_part, part) for part in split_on_special(text, special_tokens)]
    return sum((one.result() for one in concurrent.futures.as_completed(waiting)), Counter())


# --- learn_merges --------------------------------------------------------------------------------------------------


@right("learn_merges")
def merges_on_lists(counts, num_merges):
    words = [(list(symbols), number) for symbols, number in counts.items()]
    merges = []
    while len(merges) < num_merges:
        pairs = Counter()
        for symbols, number in words:
            for i in range(len(symbols) - 1):
                pairs[symbols[i], symbols[i + 1]] += number
        if len(pairs) == 0:
            return merges
        highest = max(pairs.values())
        best = max(pair for pair in pairs if pairs[pair] == highest)
        merges.append(list(best))
        for symbols, _ in words:
            i = 0
            while i < len(symbols) - 1:
                if (symbols[i], symbols[i + 1]) == best:
                    symbols[i : i + 2] = [best[0] + best[1]]
                i += 1
    return tuple(merges)


@right("learn_merges")
def merges_recursively(counts, num_merges):
    pairs = {}
    for symbols, number in counts.items():
        for pair in zip(symbols, symbols[1:]):
            pairs[pair] = pairs.get(pair, 0) + number
    if num_merges == 0 or not pairs:
        return []
    best = sorted(pairs.items(), key=lambda item: (item[1], item[0]))[-1][0]
    return [best, *learn_merges({merge_symbols(key, best): n for key, n in counts.items()}, num_merges - 1)]


@right("learn_merges")
def merges_in_hexadecimal(counts, num_merges):
    """Words as text with a space between symbols, as the first program for words of text had them."""
    import re

    words = {" ".join(symbol.hex() for symbol in symbols): number for symbols, number in counts.items()}
    merges = []
    for _ in range(num_merges):
        pairs = Counter()
        for word, number in words.items():
            symbols = word.split()
            for i in range(len(symbols) - 1):
                pairs[symbols[i], symbols[i + 1]] += number
        if not pairs:
            break
        best = max(pairs, key=lambda pair: (pairs[pair], *map(bytes.fromhex, pair)))
        bigram = re.compile(rf"(?<!\S){best[0]} {best[1]}(?!\S)")
        words = {bigram.sub("".join(best), word): number for word, number in words.items()}
        merges.append(tuple(map(bytes.fromhex, best)))
    return merges


@right("learn_merges")
def merges_from_a_generator(counts, num_merges):
    from itertools import islice

    def rounds(words):
        while True:
            pairs = {}
            for word, number in words:
                for pair in pairwise(word):
                    pairs[pair] = pairs.get(pair, 0) + number
            if not pairs:
                return
            _, best = max((count, pair) for pair, count in pairs.items())
            yield best
            words = [(merge_symbols(word, best), number) for word, number in words]

    return list(islice(rounds([*counts.items()]), num_merges))


@right("learn_merges")
def merges_as_characters(counts, num_merges):
    """Each symbol is a character, so that merging is `str.replace`."""
    pieces = {chr(byte): bytes([byte]) for byte in range(256)}
    words = [("".join(chr(ord(symbol)) for symbol in symbols), number) for symbols, number in counts.items()]
    merges = []
    while len(merges) < num_merges:
        pairs = Counter()
        for word, number in words:
            for pair in map("".join, zip(word, word[1:])):
                pairs[pair] += number
        if not pairs:
            break
        top = max(pairs.values())
        left, right_ = max(([pieces[letter] for letter in pair] for pair, count in pairs.items() if count == top))
        pair = "".join(letter for piece in (left, right_) for letter in pieces if pieces[letter] == piece)
        new = chr(0x1000 + len(merges))
        pieces[new] = left + right_
        words = [(word.replace(pair, new), number) for word, number in words]
        merges.append((left, right_))
    return merges


class Word:
    """One pre-token on its way, and how often it stands."""

    __slots__ = ("number", "symbols")

    def __init__(self, symbols, number):
        self.symbols, self.number = list(symbols), number

    @property
    def pairs(self):
        return list(zip(self.symbols, self.symbols[1:]))

    def merge(self, pair):
        i = 0
        while i + 1 < len(self.symbols):
            if (self.symbols[i], self.symbols[i + 1]) == pair:
                self.symbols[i] += self.symbols.pop(i + 1)
            i += 1


@right("learn_merges", beside=[Word])
def merges_of_words_that_change(counts, num_merges):
    """Counts are kept from round to round, and only words with the pair are looked at."""
    from collections import defaultdict

    words = [Word(*item) for item in counts.items()]
    totals, places = defaultdict(int), defaultdict(set)

    def account(word, sign):
        for pair in word.pairs:
            totals[pair] += sign * word.number
            places[pair].add(word)
            if not totals[pair]:
                del totals[pair]

    for word in words:
        account(word, 1)
    merges = []
    while totals and len(merges) < num_merges:
        best = max(totals.items(), key=lambda item: (item[1], item[0]))[0]
        for word in places.pop(best):
            account(word, -1)
            word.merge(best)
            account(word, 1)
        merges.append(best)
    return merges


@right("learn_merges")
def merges_from_a_heap(counts, num_merges):
    """Bytes are turned round for the heap, with a mark behind the last that is above all of them."""
    import heapq

    def upside_down(symbol):
        return (*(255 - byte for byte in symbol), 256)

    words, merges = dict(counts), []
    for _ in range(num_merges):
        pairs = {}
        for symbols in words:
            for pair in pairwise(symbols):
                pairs[pair] = pairs.get(pair, 0) - words[symbols]
        heap = [(count, *map(upside_down, pair), pair) for pair, count in pairs.items()]
        heapq.heapify(heap)
        if not heap:
            return merges
        merges.append(heapq.heappop(heap)[-1])
        words = {merge_symbols(symbols, merges[-1]): number for symbols, number in words.items()}
    return merges


# --- train_bpe -----------------------------------------------------------------------------------------------------


@right("train_bpe")
def train_without_the_other_functions(input_path, vocab_size, special_tokens):
    import re

    if len(special_tokens) != len(set(special_tokens)) or "" in special_tokens:
        raise ValueError("special_tokens must be different and not empty")
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size is too small")
    with open(input_path, encoding="utf-8", newline="") as file:
        text = file.read()
    if special_tokens:
        tokens = sorted(special_tokens, key=len, reverse=True)
        documents = re.split("|".join(re.escape(token) for token in tokens), text)
    else:
        documents = [text]
    words = Counter(word for document in documents for word in regex.findall(GPT2_PATTERN, document))
    splits = {word: [bytes([b]) for b in word.encode("utf-8")] for word in words}
    vocab = {i: bytes([i]) for i in range(256)}
    for token in special_tokens:
        vocab[len(vocab)] = token.encode("utf-8")
    merges = []
    while len(vocab) < vocab_size:
        pairs = Counter()
        for word, split in splits.items():
            for pair in zip(split, split[1:]):
                pairs[pair] += words[word]
        if not pairs:
            break
        a, b = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append((a, b))
        vocab[len(vocab)] = a + b
        for split in splits.values():
            i = 0
            while i < len(split) - 1:
                if split[i] == a and split[i + 1] == b:
                    split[i : i + 2] = [a + b]
                i += 1
    return vocab, merges


@right("train_bpe")
def train_with_updated_counts(input_path, vocab_size, special_tokens):
    from collections import OrderedDict, defaultdict

    if "" in special_tokens or len(set(special_tokens)) != len(special_tokens):
        raise ValueError("bad special_tokens")
    room = vocab_size - len(special_tokens) - 256
    if room < 0:
        raise ValueError(f"vocab_size {vocab_size} is too small")
    text = open(input_path, "rb").read().decode()
    words = [[list(key), number] for key, number in count_pretokens(text, special_tokens).items()]
    counts, places = defaultdict(int), defaultdict(set)

    def add(index, sign):
        symbols, number = words[index]
        for pair in zip(symbols, symbols[1:]):
            counts[pair] += sign * number
            places[pair].add(index)

    for index in range(len(words)):
        add(index, 1)
    merges = []
    while len(merges) < room:
        alive = {pair: count for pair, count in counts.items() if count > 0}
        if not alive:
            break
        best = max(alive, key=lambda pair: (alive[pair], pair))
        merges.append(best)
        for index in sorted(places[best]):
            add(index, -1)
            words[index][0] = list(merge_symbols(tuple(words[index][0]), best))
            add(index, 1)
    vocab = OrderedDict((i, bytes([i])) for i in range(256))
    for piece in [token.encode() for token in special_tokens] + [b"".join(pair) for pair in merges]:
        vocab[len(vocab)] = piece
    return vocab, merges


@right("train_bpe")
def train_with_ids_and_numpy_numbers(input_path, vocab_size, special_tokens):
    import numpy as np

    if "" in special_tokens or len(set(special_tokens)) != len(special_tokens):
        raise ValueError("special_tokens")
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size")
    text = Path(input_path).read_bytes().decode("utf-8")
    pieces = [bytes([i]) for i in range(256)] + [token.encode("utf-8") for token in special_tokens]
    counted = count_pretokens(text, special_tokens)
    words = [[symbol[0] for symbol in key] for key in counted]
    numbers = np.array(list(counted.values()))
    merges = []
    while len(pieces) < vocab_size:
        pairs = {}
        for word, number in zip(words, numbers):
            for pair in zip(word, word[1:]):
                pairs[pair] = pairs.get(pair, 0) + int(number)
        if not pairs:
            break
        a, b = max(pairs, key=lambda pair: (pairs[pair], pieces[pair[0]], pieces[pair[1]]))
        for place, word in enumerate(words):
            merged, i = [], 0
            while i < len(word):
                if word[i : i + 2] == [a, b]:
                    merged.append(len(pieces))
                    i += 2
                else:
                    merged.append(word[i])
                    i += 1
            words[place] = merged
        merges.append([pieces[a], pieces[b]])
        pieces.append(pieces[a] + pieces[b])
    return [{np.int64(i): piece for i, piece in enumerate(pieces)}, tuple(merges)]


@right("train_bpe")
def train_with_a_heap(input_path, vocab_size, special_tokens):
    import heapq

    class Key:
        def __init__(self, pair, count):
            self.pair, self.count = pair, count

        def __lt__(self, other):
            return (self.count, self.pair) > (other.count, other.pair)

    if "" in special_tokens or len(set(special_tokens)) != len(special_tokens):
        raise ValueError("special_tokens")
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size")
    counted = count_pretokens(Path(input_path).read_bytes().decode("utf-8"), special_tokens)
    merges = []
    while 256 + len(special_tokens) + len(merges) < vocab_size:
        pairs = Counter()
        for symbols, number in counted.items():
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] += number
        heap = [Key(pair, count) for pair, count in pairs.items()]
        heapq.heapify(heap)
        if not heap:
            break
        best = heapq.heappop(heap).pair
        merges.append(best)
        counted = {merge_symbols(symbols, best): number for symbols, number in counted.items()}
    vocab = dict(enumerate(bytes([i]) for i in range(256)))
    vocab.update(enumerate((token.encode() for token in special_tokens), 256))
    vocab.update(enumerate((a + b for a, b in merges), 256 + len(special_tokens)))
    return vocab, merges


@right("train_bpe")
def train_piece_by_piece(input_path, vocab_size, special_tokens):
    import mmap
    import os

    if not all(special_tokens) or len({*special_tokens}) < len(special_tokens):
        raise ValueError("special_tokens")
    if vocab_size - len(special_tokens) < 256:
        raise ValueError("vocab_size")
    if os.path.getsize(input_path) == 0:
        text = ""
    else:
        with open(input_path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            text = str(mapped[:], "utf-8")
    counts = Counter()
    for part in split_on_special(text, tuple(special_tokens)):
        counts += Counter(count_pretokens(part, []))
    merges = learn_merges(counts, vocab_size - len(special_tokens) - 256)
    entries = [*map(bytes, zip(range(256))), *map(str.encode, special_tokens), *map(b"".join, merges)]
    return {number: entry for number, entry in enumerate(entries)}, merges  # noqa: C416


class Trainer:
    """State of one training, as the larger solutions have it: words as ids, pairs counted anew in every step."""

    def __init__(self, special_tokens):
        self.pieces = [bytes([byte]) for byte in range(256)] + list(map(str.encode, special_tokens))
        self.words = Counter()
        self.merges = []

    def feed(self, document):
        for match in regex.finditer(GPT2_PATTERN, document):
            self.words[tuple(match.group().encode())] += 1

    def step(self):
        pairs = Counter()
        for word, number in self.words.items():
            for pair in zip(word, word[1:]):
                pairs[pair] += number
        if not pairs:
            return False
        left, right_ = max(pairs, key=lambda pair: (pairs[pair], [self.pieces[one] for one in pair]))
        self.merges.append((self.pieces[left], self.pieces[right_]))
        self.pieces.append(self.pieces[left] + self.pieces[right_])
        self.words = Counter({self.merged(word, left, right_): number for word, number in self.words.items()})
        return True

    def merged(self, word, left, right_):
        out = []
        for one in word:
            if out and one == right_ and out[-1] == left:
                out[-1] = len(self.pieces) - 1
            else:
                out.append(one)
        return tuple(out)


@right("train_bpe", beside=[Trainer])
def train_with_a_class(input_path, vocab_size, special_tokens):
    import re

    if any(not token for token in special_tokens):
        raise ValueError("special_tokens: one is empty")
    if sorted(set(special_tokens)) != sorted(special_tokens):
        raise ValueError("special_tokens: one stands twice")
    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size has no room for bytes and special tokens")
    with open(input_path, mode="rb") as file:
        text = file.read().decode("utf-8", errors="strict")
    trainer = Trainer(special_tokens)
    pattern = "|".join(map(re.escape, sorted(special_tokens, key=len, reverse=True))) or r"(?!)"
    for document in re.split(pattern, text):
        trainer.feed(document)
    while len(trainer.pieces) < vocab_size and trainer.step():
        pass
    return dict(zip(range(len(trainer.pieces)), trainer.pieces)), trainer.merges


@right("train_bpe", beside=[counted_in_part])
def train_in_processes(input_path, vocab_size, special_tokens):
    """Parts are counted side by side where there are several."""
    import multiprocessing

    for token in special_tokens:
        if token == "" or special_tokens.count(token) != 1:
            raise ValueError(f"Special_tokens must be different and not empty: {token!r}")
    size = 256 + len(special_tokens)
    if size > vocab_size:
        raise ValueError(f"Vocab_size must be at least {size}")
    with open(input_path, "rb") as file:
        parts = split_on_special(file.read().decode(), special_tokens)
    if len(parts) > 9:
        with multiprocessing.Pool(2) as pool:
            counts = sum(pool.imap_unordered(counted_in_part, parts), Counter())
    else:
        counts = sum(map(counted_in_part, parts), Counter())
    vocab = {i: i.to_bytes(1, "little") for i in range(256)}
    vocab |= {256 + i: token.encode("utf-8") for i, token in enumerate(special_tokens)}
    merges = learn_merges(counts, vocab_size - size)
    for i, (first, second) in enumerate(merges):
        vocab[size + i] = first + second
    return vocab, merges


@right("train_bpe")
def train_with_arrays(input_path, vocab_size, special_tokens):
    """All pre-tokens in one array of ids, parted by -1, with a weight beside each id."""
    import numpy as np

    match [token for token in special_tokens if not token or special_tokens.count(token) > 1]:
        case []:
            room = vocab_size - 256 - len(special_tokens)
        case bad:
            raise ValueError(f"special_tokens: {bad}")
    if room < 0:
        raise ValueError(f"vocab_size={vocab_size}")
    text = np.fromfile(input_path, dtype=np.uint8).tobytes().decode()
    pieces = [*map(bytes, zip(range(256))), *(token.encode() for token in special_tokens)]
    ids, weights = [], []
    for symbols, number in count_pretokens(text, special_tokens).items():
        ids += [*b"".join(symbols), -1]
        weights += [number] * (len(symbols) + 1)
    ids, weights, merges = np.array(ids, dtype=int), np.array(weights, dtype=int), []
    while room > len(merges):
        inside = (ids[:-1] >= 0) & (ids[1:] >= 0)
        if not inside.any():
            break
        pairs, back = np.unique(np.stack([ids[:-1][inside], ids[1:][inside]], axis=1), axis=0, return_inverse=True)
        totals = np.bincount(back.ravel(), weights=weights[:-1][inside])
        best = max(pairs[totals == totals.max()].tolist(), key=lambda pair: [pieces[one] for one in pair])
        keep, free = np.ones(len(ids), dtype=bool), 0
        for place in np.flatnonzero((ids[:-1] == best[0]) & (ids[1:] == best[1])):
            if place >= free:
                ids[place], keep[place + 1], free = len(pieces), False, place + 2
        ids, weights = ids[keep], weights[keep]
        merges.append(tuple(pieces[one] for one in best))
        pieces.append(b"".join(merges[-1]))
    return dict(enumerate(pieces)), merges


# --- figures -------------------------------------------------------------------------------------------------------


@right("plot_pretokens")
def plot_standing_bars(text, special_tokens, most):
    words = Counter(piece for part in split_on_special(text, special_tokens) for piece in pretokenize(part))
    frame = pd.DataFrame({"text": list(words), "count": list(words.values())})
    frame["key"] = frame["text"].map(str.encode)
    frame = frame.sort_values(["count", "key"], ascending=[False, True], ignore_index=True).head(most)
    frame["pretoken"] = frame["text"].map(repr)
    figure, axes = plt.subplots()
    axes.bar(range(len(frame)), frame["count"])
    axes.set_xticks(range(len(frame)), labels=frame["pretoken"], rotation=90)
    axes.set_title("Pre-tokens")
    axes.set_xlabel("pre-token")
    axes.set_ylabel("times")
    return frame, figure


@right("plot_ratio")
def plot_ratio_by_adding_rows(text, special_tokens, num_merges):
    rows = {"cut": [], "vocab_size": [], "ratio": []}
    figure = plt.figure()
    axes = figure.add_subplot()
    for cut in ("pre-tokens", "whole parts"):
        parts = split_on_special(text, special_tokens)
        pieces = [piece for part in parts for piece in pretokenize(part)] if cut == "pre-tokens" else parts
        words = [tuple(bytes([b]) for b in piece.encode()) for piece in pieces]
        size = sum(map(len, words))
        ratios = [1.0]
        for pair in learn_merges(dict(Counter(words)), num_merges):
            words = [merge_symbols(word, pair) for word in words]
            ratios.append(size / sum(map(len, words)))
        sizes = [256 + len(special_tokens) + i for i in range(len(ratios))]
        axes.plot(sizes, ratios, label=cut)
        rows["cut"] += [cut] * len(ratios)
        rows["vocab_size"] += sizes
        rows["ratio"] += ratios
    axes.set(title="Ratio", xlabel="vocabulary", ylabel="bytes per token")
    axes.legend()
    return pd.DataFrame(rows), figure


@right("plot_pretokens")
def plot_one_bar_after_the_other(text, special_tokens, most):
    """The counts are floats, as sums of numpy's may be."""
    counts = sorted((-float(number), b"".join(key)) for key, number in count_pretokens(text, special_tokens).items())
    figure, axes = plt.subplots()
    rows = []
    for place, (number, piece) in enumerate(counts[:most]):
        rows.append({"count": -number, "pretoken": repr(piece.decode())})
        axes.bar(place, -number, color=f"C{place % 2}")
    axes.set_xticks(range(len(rows)))
    axes.set_xticklabels([row["pretoken"] for row in rows])
    axes.set_title("Most common", loc="left")
    figure.supxlabel("pre-token")
    figure.supylabel("count")
    return pd.DataFrame(rows), figure


@right("plot_pretokens")
def plot_with_words_on_the_bars(text, special_tokens, most):
    import heapq

    counts = {b"".join(key): number for key, number in count_pretokens(text, special_tokens).items()}
    best = heapq.nsmallest(most, counts, key=lambda piece: (-counts[piece], piece))
    frame = pd.DataFrame({"count": {repr(piece.decode()): counts[piece] for piece in best}})
    frame = frame.rename_axis("pretoken").reset_index()
    figure, axes = plt.subplots()
    axes.bar_label(axes.barh(frame.index, frame["count"]), labels=frame["pretoken"], label_type="center")
    axes.set(title="Pre-tokens", xlabel="count", ylabel="pre-tokens, from the commonest", yticks=[])
    return frame, figure


@right("plot_pretokens")
def plot_with_pandas(text, special_tokens, most):
    counts = count_pretokens(text, special_tokens)
    order = sorted(counts, key=lambda key: (-counts[key], b"".join(key)))
    frame = pd.DataFrame({"pretoken": [repr(b"".join(key).decode("utf-8")) for key in order],
                          "count": [counts[key] for key in order]}).iloc[:most]
    axes = frame[::-1].plot.barh(x="pretoken", y="count", legend=False, title="Pre-tokens")
    axes.set(xlabel="occurrences", ylabel="text")
    axes.bar_label(axes.containers[0])
    return frame, axes.figure


@right("plot_ratio")
def plot_ratio_with_pandas(text, special_tokens, num_merges):
    parts = split_on_special(text, special_tokens)
    whole = Counter(tuple(bytes([byte]) for byte in part.encode()) for part in parts)

    def rows(cut, counts):
        size = tokens = sum(len(key) * n for key, n in counts.items())
        yield cut, 256 + len(special_tokens), 1.0
        for done, pair in enumerate(learn_merges(counts, num_merges), 1):
            counts = Counter({merge_symbols(key, pair): n for key, n in counts.items()})
            tokens = sum(len(key) * n for key, n in counts.items())
            yield cut, 256 + len(special_tokens) + done, size / tokens

    frame = pd.DataFrame([*rows("pre-tokens", count_pretokens(text, special_tokens)), *rows("whole parts", whole)],
                         columns=["cut", "vocab_size", "ratio"])
    axes = frame.pivot(index="vocab_size", columns="cut", values="ratio").plot(title="Ratio", ylabel="bytes per token")
    return frame, axes.get_figure()


@right("plot_ratio")
def plot_ratio_on_two_axes(text, special_tokens, num_merges):
    """Two panels, one above the other, which share the axis of sizes."""
    start = 256 + len(special_tokens)
    counted = {"pre-tokens": count_pretokens(text, special_tokens), "whole parts": {}}
    for part in split_on_special(text, special_tokens):
        key = tuple(part.encode()[i : i + 1] for i in range(len(part.encode())))
        counted["whole parts"][key] = counted["whole parts"].get(key, 0) + 1
    figure, panels = plt.subplots(2, 1, sharex="col", sharey="all")
    frames = []
    for (cut, counts), axes in zip(counted.items(), panels):
        words, sizes = list(counts.items()), []
        for pair in [(b"", b""), *learn_merges(counts, num_merges)]:
            words = [(merge_symbols(key, pair), number) for key, number in words]
            sizes.append(sum(len(key) * number for key, number in words))
        frame = pd.DataFrame({"vocab_size": range(start, start + len(sizes)), "ratio": sizes[0] / pd.Series(sizes)})
        axes.scatter(frame["vocab_size"], frame["ratio"], label=cut)
        axes.set(title=cut, ylabel="ratio")
        frames.append(frame.assign(cut=cut))
    panels[-1].set_xlabel("vocabulary")
    figure.legend()
    return pd.concat(frames), figure
