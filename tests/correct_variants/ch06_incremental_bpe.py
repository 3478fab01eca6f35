"""Right answers to chapter 6 in other designs; like the notebook's, they may call the chapter's other names."""

# ruff: noqa: F821, RUF007, SIM  (written as learners write; names of the notebook)

from autograder.reference.pair_index import PairPlaces
from correct_variants import right

# --- PairPlaces ----------------------------------------------------------------------------------------------------


@right("PairPlaces")
class SetsAndWeights:
    def __init__(self):
        from collections import defaultdict

        self.sets, self.weight_of, self.totals = defaultdict(set), {}, defaultdict(int)

    def add(self, pair, place, weight=1):
        if place in self.sets[pair]:
            return False
        self.sets[pair].add(place)
        self.weight_of[pair, place] = weight
        self.totals[pair] += weight
        return True

    def remove(self, pair, place):
        if (pair, place) in self.weight_of:
            self.sets[pair].discard(place)
            self.totals[pair] -= self.weight_of.pop((pair, place))

    def count(self, pair):
        return self.totals[pair]

    def places(self, pair):
        return sorted(self.sets[pair])


@right("PairPlaces")
class SortedDictionaries:
    def __init__(self):
        from collections import Counter

        self.where, self.totals = {}, Counter()

    def add(self, pair, place, weight=1):
        from sortedcontainers import SortedDict

        places = self.where.setdefault(pair, SortedDict())
        if place not in places:
            places[place] = weight
            self.totals[pair] += weight

    def remove(self, pair, place):
        if pair in self.where and place in self.where[pair]:
            self.totals[pair] -= self.where[pair].pop(place)
            if not self.where[pair]:
                del self.where[pair]

    def count(self, pair):
        return self.totals[pair]

    def places(self, pair):
        return list(self.where.get(pair, []))


# --- PairIndex -----------------------------------------------------------------------------------------------------


@right("PairIndex")
class SortedAtOnce(PairPlaces):
    def __init__(self):
        super().__init__()
        self.ranked = SortedList()

    def add(self, pair, place, weight=1):
        self.ranked.discard((self.count(pair), pair))
        super().add(pair, place, weight)
        self.ranked.add((self.count(pair), pair))

    def remove(self, pair, place):
        self.ranked.discard((self.count(pair), pair))
        super().remove(pair, place)
        if self.count(pair) > 0:
            self.ranked.add((self.count(pair), pair))

    def most_frequent(self, tie):
        if tie != "smallest" and tie != "greatest":
            raise ValueError("tie must be smallest or greatest")
        if len(self.ranked) == 0:
            return None
        if tie == "greatest":
            return self.ranked[-1][1]
        return self.ranked[self.ranked.bisect_left((self.ranked[-1][0],))][1]


@right("PairIndex")
class PlainMaximum:
    def __init__(self):
        self.found = {}

    def add(self, pair, place, weight=1):
        self.found.setdefault(pair, {}).setdefault(place, weight)

    def remove(self, pair, place):
        if place in self.found.get(pair, {}):
            del self.found[pair][place]
            if not self.found[pair]:
                del self.found[pair]

    def count(self, pair):
        return sum(self.found.get(pair, {}).values())

    def places(self, pair):
        return sorted(self.found.get(pair, {}))

    def most_frequent(self, tie):
        if tie not in ("smallest", "greatest"):
            raise ValueError(f"tie {tie!r}")
        if not self.found:
            return None
        best = max(map(self.count, self.found))
        return {"smallest": min, "greatest": max}[tie](p for p in self.found if self.count(p) == best)


# --- fit_merges ----------------------------------------------------------------------------------------------------


@right("fit_merges")
def heap_with_stale_entries(documents, max_merges):
    import heapq

    if not isinstance(max_merges, int) or isinstance(max_merges, bool) or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    tape = Tape(text.encode() for text in documents)
    counts, where = {}, {}
    for place, pair in tape.pairs():
        counts[pair] = counts.get(pair, 0) + 1
        where.setdefault(pair, []).append(place)
    heap = [(-count, pair) for pair, count in counts.items()]
    heapq.heapify(heap)
    merges = []
    while heap and len(merges) < max_merges:
        promised, pair = heapq.heappop(heap)
        if counts[pair] != -promised:
            heapq.heappush(heap, (-counts[pair], pair))
            continue
        if counts[pair] < 2:
            break
        new_id, touched = 258 + len(merges), set()
        merges.append((pair, new_id))
        for place in sorted(where.pop(pair)):
            if tape.pair_at(place) != pair:
                continue
            around = tape.left[place], place, tape.right[place]
            for at in around:
                if tape.pair_at(at):
                    counts[tape.pair_at(at)] -= 1
            tape.join(place, new_id)
            for at in around[:2]:
                new = tape.pair_at(at)
                if new:
                    counts[new] = counts.get(new, 0) + 1
                    where.setdefault(new, []).append(at)
                    touched.add(new)
        for new in touched:
            heapq.heappush(heap, (-counts[new], new))
    return merges


@right("fit_merges")
def linked_nodes_and_plain_min(documents, max_merges):
    class Node:
        def __init__(self, token, number):
            self.token, self.number, self.before, self.after = token, number, None, None

    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges")
    nodes, where = [], {}
    for text in documents:
        before = None
        for token in text.encode():
            node = Node(token, len(nodes))
            nodes.append(node)
            if before:
                before.after, node.before = node, before
                where.setdefault((before.token, token), set()).add(before.number)
            before = node
    merges = []

    def forget(node):
        if node and node.after:
            pair = node.token, node.after.token
            where[pair].discard(node.number)
            if not where[pair] and pair != best:
                del where[pair]

    def note(node):
        if node and node.after:
            where.setdefault((node.token, node.after.token), set()).add(node.number)

    for new_id in range(258, 258 + max_merges):
        if not where:
            break
        most = max(map(len, where.values()))
        if most < 2:
            break
        best = min(pair for pair, places in where.items() if len(places) == most)
        merges.append((best, new_id))
        for number in sorted(where[best]):
            node = nodes[number]
            if number not in where[best]:
                continue
            gone = node.after
            forget(node.before)
            forget(node)
            forget(gone)
            node.token, node.after, gone.token = new_id, gone.after, None
            if node.after:
                node.after.before = node
            gone.after = None
            note(node.before)
            note(node)
        del where[best]
    return merges


# --- train_bpe -----------------------------------------------------------------------------------------------------


@right("train_bpe")
def dictionary_of_word_tuples(input_path, vocab_size, special_tokens):
    from collections import Counter, defaultdict

    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size is too small")
    numbers = count_pretokens(input_path, special_tokens)
    words = [list(word) for word in numbers]
    weight = list(numbers.values())
    counts, holders = Counter(), defaultdict(set)
    for i, word in enumerate(words):
        for pair in zip(word, word[1:], strict=False):
            counts[pair] += weight[i]
            holders[pair].add(i)
    merges = []
    while len(merges) < vocab_size - 256 - len(special_tokens) and counts:
        best = max(counts.items(), key=lambda item: (item[1], item[0]))[0]
        merges.append(best)
        for i in holders.pop(best):
            old = words[i]
            new = merge_pair(old, best, best[0] + best[1])
            for pair in zip(old, old[1:], strict=False):
                counts[pair] -= weight[i]
                if counts[pair] == 0:
                    del counts[pair]
            for pair in zip(new, new[1:], strict=False):
                counts[pair] += weight[i]
                holders[pair].add(i)
            words[i] = new
    return number_vocabulary(special_tokens, merges), merges


@right("train_bpe")
def heap_with_turned_keys(input_path, vocab_size, special_tokens):
    import heapq

    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size must leave room for bytes and special tokens")

    def turned(piece):
        return (*(-byte for byte in piece), 1)

    tokens = count_pretokens(input_path, special_tokens)
    tape, counts, where = Tape(tokens), {}, {}
    weight = [0]
    for word, number in tokens.items():
        weight += [number] * (len(word) + 1)
    for place, pair in tape.pairs():
        counts[pair] = counts.get(pair, 0) + weight[place]
        where.setdefault(pair, set()).add(place)
    heap = [(-count, turned(a), turned(b), (a, b)) for (a, b), count in counts.items()]
    heapq.heapify(heap)
    merges = []
    while heap and len(merges) < room:
        promised, _, _, pair = heapq.heappop(heap)
        now = counts.get(pair, 0)
        if now != -promised:
            if now:
                heapq.heappush(heap, (-now, turned(pair[0]), turned(pair[1]), pair))
            continue
        merges.append(pair)
        born = set()
        for place in sorted(where.pop(pair)):
            if tape.pair_at(place) != pair:
                continue
            around = tape.left[place], place, tape.right[place]
            for at in around:
                if tape.pair_at(at):
                    counts[tape.pair_at(at)] -= weight[at]
            tape.join(place, pair[0] + pair[1])
            for at in around:
                new = tape.pair_at(at)
                if new:
                    counts[new] = counts.get(new, 0) + weight[at]
                    where.setdefault(new, set()).add(at)
                    born.add(new)
        del counts[pair]
        for a, b in (new for new in born if counts[new]):  # some are gone again
            heapq.heappush(heap, (-counts[a, b], turned(a), turned(b), (a, b)))
    return number_vocabulary(special_tokens, merges), merges


# --- fitted_slope --------------------------------------------------------------------------------------------------


@right("fitted_slope")
def slope_by_sums(x, y):
    import math

    if len(x) < 2 or any(value <= 0 for value in [*x, *y]):
        raise ValueError("x and y must be above 0, and at least two")
    u, v = list(map(math.log, x)), list(map(math.log, y))
    n = len(u)
    products = sum(a * b for a, b in zip(u, v, strict=True))
    return (n * products - sum(u) * sum(v)) / (n * sum(a * a for a in u) - sum(u) ** 2)


# --- plot_growth ---------------------------------------------------------------------------------------------------


@right("plot_growth")
def growth_with_loglog(x, series, xlabel):
    frame = pd.DataFrame(series)
    frame.insert(0, "x", x)
    figure = plt.figure()
    axes = figure.add_subplot()
    for name in series:
        axes.loglog(x, frame[name], "o-", label=f"{name}, slope {fitted_slope(x, series[name]):.2f}")
    axes.set_title("Growth")
    axes.set_xlabel(xlabel)
    axes.set_ylabel("seconds")
    axes.legend()
    return frame, figure
