"""Right answers to chapter 5 in other styles; like the notebook's, they may call the chapter's other functions."""

# ruff: noqa: B905, C417, F821, RUF007, SIM115  (written as learners write; names of the notebook)

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
