"""Right answers to chapter 6 in other designs; like the notebook's, they may call the chapter's other names."""

# ruff: noqa: F821, RUF007, SIM  (written as learners write; names of the notebook)

from correct_variants import right

# --- PairIndex -----------------------------------------------------------------------------------------------------


@right("PairIndex")
class PlainMaximum:
    def __init__(self):
        self.found, self.total = {}, {}

    def add(self, pair, place, weight=1):
        if place in self.found.setdefault(pair, {}):
            return
        self.found[pair][place] = weight
        self.total[pair] = self.total.get(pair, 0) + weight

    def remove(self, pair, place):
        if place in self.found.get(pair, {}):
            self.total[pair] -= self.found[pair].pop(place)
            if not self.found[pair]:
                del self.found[pair], self.total[pair]

    def count(self, pair):
        return self.total.get(pair, 0)

    def places(self, pair):
        return sorted(self.found.get(pair, {}))

    def most_frequent(self, tie):
        if tie not in ("smallest", "greatest"):
            raise ValueError(f"tie {tie!r}")
        if not self.total:
            return None
        best = max(self.total.values())
        return {"smallest": min, "greatest": max}[tie](p for p in self.total if self.total[p] == best)


@right("PairIndex")
class SetsOfPositions:
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

    def most_frequent(self, tie):
        standing = [(count, pair) for pair, count in self.totals.items() if count]
        if tie == "greatest":
            return max(standing)[1] if standing else None
        if tie == "smallest":
            return min(standing, key=lambda entry: (-entry[0], entry[1]))[1] if standing else None
        raise ValueError("tie is smallest or greatest")


@right("PairIndex")
class SortedAtOnce:
    def __init__(self):
        from collections import Counter

        from sortedcontainers import SortedDict, SortedList

        self.new = SortedDict
        self.where, self.totals, self.ranked = {}, Counter(), SortedList()

    def add(self, pair, place, weight=1):
        places = self.where.setdefault(pair, self.new())
        if place not in places:
            places[place] = weight
            self.change(pair, weight)

    def remove(self, pair, place):
        if pair in self.where and place in self.where[pair]:
            self.change(pair, -self.where[pair].pop(place))
            if not self.where[pair]:
                del self.where[pair]

    def change(self, pair, weight):
        self.ranked.discard((self.totals[pair], pair))
        self.totals[pair] += weight
        if self.totals[pair]:
            self.ranked.add((self.totals[pair], pair))

    def count(self, pair):
        return self.totals[pair]

    def places(self, pair):
        return list(self.where.get(pair, []))

    def most_frequent(self, tie):
        if tie != "smallest" and tie != "greatest":
            raise ValueError("tie must be smallest or greatest")
        if len(self.ranked) == 0:
            return None
        if tie == "greatest":
            return self.ranked[-1][1]
        return self.ranked[self.ranked.bisect_left((self.ranked[-1][0],))][1]


@right("PairIndex")
class TwoHeapsWithStaleEntries:
    def __init__(self):
        class Turned:
            def __init__(self, pair):
                self.pair = pair

            def __lt__(self, other):
                return other.pair < self.pair

        self.turned, self.weights, self.n = Turned, {}, {}
        self.heaps = {"smallest": [], "greatest": []}

    def push(self, pair):
        import heapq

        if self.n[pair]:
            heapq.heappush(self.heaps["smallest"], (-self.n[pair], pair))
            heapq.heappush(self.heaps["greatest"], (-self.n[pair], self.turned(pair)))

    def add(self, pair, place, weight=1):
        places = self.weights.setdefault(pair, {})
        if place not in places:
            places[place] = weight
            self.n[pair] = self.n.get(pair, 0) + weight
            self.push(pair)

    def remove(self, pair, place):
        weight = self.weights.get(pair, {}).pop(place, None)
        if weight is not None:
            self.n[pair] -= weight
            self.push(pair)

    def count(self, pair):
        return self.n.get(pair, 0)

    def places(self, pair):
        return sorted(self.weights.get(pair, ()))

    def most_frequent(self, tie):
        import heapq

        if tie not in ("smallest", "greatest"):
            raise ValueError("unknown tie")
        heap = self.heaps[tie]
        while heap:
            promised, entry = heap[0]
            pair = entry.pair if tie == "greatest" else entry
            if self.n[pair] == -promised:
                return pair
            heapq.heappop(heap)
        return None


@right("PairIndex")
class BucketsByCount:
    def __init__(self):
        self.weights, self.counts, self.buckets = {}, {}, {}

    def _move(self, pair, to):
        old = self.counts.get(pair, 0)
        if old:
            self.buckets[old].remove(pair)
            if not self.buckets[old]:
                del self.buckets[old]
        self.counts[pair] = to
        if to:
            self.buckets.setdefault(to, set()).add(pair)

    def add(self, pair, place, weight=1):
        if place not in self.weights.setdefault(pair, {}):
            self.weights[pair][place] = weight
            self._move(pair, self.count(pair) + weight)

    def remove(self, pair, place):
        if place in self.weights.get(pair, {}):
            self._move(pair, self.count(pair) - self.weights[pair].pop(place))

    def count(self, pair):
        return self.counts.get(pair, 0)

    def places(self, pair):
        return sorted(self.weights.get(pair, {}).keys())

    def most_frequent(self, tie):
        if tie not in ("smallest", "greatest"):
            raise ValueError("a tie goes to the smallest or the greatest")
        if not self.buckets:
            return None
        best = self.buckets[max(self.buckets)]
        return min(best) if tie == "smallest" else max(best)


@right("PairIndex")
class SortedListsOfPlaces:
    def __init__(self):
        self.lists, self.sums = {}, {}

    def find(self, pair, place):
        from bisect import bisect_left

        places = self.lists.setdefault(pair, [])
        at = bisect_left(places, (place,))
        return places, at, at < len(places) and places[at][0] == place

    def add(self, pair, place, weight=1):
        places, at, found = self.find(pair, place)
        if not found:
            places.insert(at, (place, weight))
            self.sums[pair] = self.sums.get(pair, 0) + weight

    def remove(self, pair, place):
        places, at, found = self.find(pair, place)
        if found:
            self.sums[pair] -= places.pop(at)[1]

    def count(self, pair):
        return self.sums.get(pair, 0)

    def places(self, pair):
        return [place for place, _ in self.lists.get(pair, [])]

    def most_frequent(self, tie):
        if tie not in ("smallest", "greatest"):
            raise ValueError(f"tie is {tie!r}, not smallest or greatest")
        standing = sorted((-count, pair) for pair, count in self.sums.items() if count > 0)
        if not standing:
            return None
        equal = [pair for count, pair in standing if count == standing[0][0]]
        return equal[0] if tie == "smallest" else equal[-1]


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


@right("fit_merges")
def sorted_list_over_flat_places(documents, max_merges):
    from sortedcontainers import SortedList

    if isinstance(max_merges, bool) or not isinstance(max_merges, int) or max_merges < 0:
        raise ValueError("max_merges must be a number of merges")
    ids, size = [-1], dict.fromkeys(range(256), 1)  # a token stands at its first and its last place, -1 is a gap
    for text in documents:
        ids.extend(text.encode())
        ids.append(-1)
    where, counts = {}, {}
    for place in range(len(ids) - 1):
        pair = ids[place], ids[place + 1]
        if -1 not in pair:
            counts[pair] = counts.get(pair, 0) + 1
            where.setdefault(pair, []).append(place)
    order = SortedList((-count, pair) for pair, count in counts.items())
    merges = []
    while order and len(merges) < max_merges and order[0][0] <= -2:
        a, b = pair = order[0][1]
        new = 258 + len(merges)
        merges.append((pair, new))
        size[new] = size[a] + size[b]
        change = {pair: -counts[pair]}
        for place in where.pop(pair):
            second, end = place + size[a], place + size[new]
            if ids[place] != a or ids[second] != b:
                continue
            left, right = ids[place - 1], ids[end]
            ids[second] = -1
            ids[place] = ids[end - 1] = new
            news = []
            if left >= 0:
                change[left, a] = change.get((left, a), 0) - 1
                news.append(((left, new), place - size[left]))
            if right >= 0:
                change[b, right] = change.get((b, right), 0) - 1
                news.append(((new, right), place))
            for other, at in news:
                change[other] = change.get(other, 0) + 1
                where.setdefault(other, []).append(at)
        change[pair] = -counts[pair]
        for other, by in change.items():
            order.discard((-counts.get(other, 0), other))
            counts[other] = counts.get(other, 0) + by
            if counts[other] > 0:
                order.add((-counts[other], other))
    return merges


@right("fit_merges")
def splits_in_sorted_dictionaries(documents, max_merges):
    from collections import defaultdict

    from sortedcontainers import SortedDict

    if type(max_merges) is not int or max_merges < 0:
        raise ValueError(f"{max_merges!r} is no max_merges")
    splits = [SortedDict(enumerate(text.encode())) for text in documents]
    occur = defaultdict(set)
    for group, split in enumerate(splits):
        items = list(split.items())
        for (place, one), (_, two) in zip(items, items[1:], strict=False):
            occur[one, two].add((group, place))
    merges = []
    while len(merges) < max_merges and occur:
        pair = min(occur, key=lambda p: (-len(occur[p]), p))
        if len(occur[pair]) < 2:
            break
        new = 258 + len(merges)
        merges.append((pair, new))
        for group, place in sorted(occur[pair]):
            split = splits[group]
            if (group, place) not in occur[pair]:
                continue
            at = split.bisect_left(place)
            keys = list(split.islice(max(at - 1, 0), at + 3))
            for one, two in zip(keys, keys[1:], strict=False):
                occur[split[one], split[two]].discard((group, one))
            second = keys.pop(keys.index(place) + 1)
            split[place] = new
            del split[second]
            for one, two in zip(keys, keys[1:], strict=False):
                occur[split[one], split[two]].add((group, one))
        for gone in [p for p, places in occur.items() if not places]:
            del occur[gone]
    return merges


@right("fit_merges")
def plain_maximum_over_kept_counts(documents, max_merges):
    from collections import Counter, defaultdict

    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges")
    tokens, before, after = [], [], []
    for text in documents:
        raw = text.encode("utf-8")
        start = len(tokens)
        tokens += raw
        before += [None, *range(start, start + len(raw) - 1)] if raw else []
        after += [*range(start + 1, start + len(raw)), None] if raw else []
    counts, where = Counter(), defaultdict(set)

    def edit(place, by):
        if place is None or after[place] is None:
            return
        pair = tokens[place], tokens[after[place]]
        counts[pair] += by
        if by > 0:
            where[pair].add(place)
        else:
            where[pair].discard(place)
        if not counts[pair]:
            del counts[pair]

    for place in range(len(tokens)):
        edit(place, 1)
    rules = []
    for new in range(258, 258 + max_merges):
        (a, b), most = max(counts.items(), key=lambda item: (item[1], [-one for one in item[0]]), default=((0, 0), 0))
        if most < 2:
            break
        rules.append(((a, b), new))
        for place in sorted(where[a, b]):
            second = after[place]
            if tokens[place] != a or second is None or tokens[second] != b:
                continue
            for at in (before[place], place, second):
                edit(at, -1)
            tokens[place], tokens[second] = new, None
            after[place], after[second] = after[second], None
            if after[place] is not None:
                before[after[place]] = place
            for at in (before[place], place):
                edit(at, 1)
    return rules


@right("fit_merges")
def arrays_of_numpy(documents, max_merges):
    import numpy as np

    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges")
    raw = [text.encode() for text in documents]
    ids = np.full(sum(map(len, raw)) + len(raw) + 2, -1)  # a token stands at its first and its last place
    start = 1
    for data in raw:
        ids[start : start + len(data)] = list(data)
        start += len(data) + 1
    size = np.ones(259 + max_merges, int)
    counts, where = {}, {}

    def edit(places, sign):
        codes = ids[places] << 32 | ids[places + size[ids[places]]]
        found, which, numbers = np.unique(codes, return_inverse=True, return_counts=True)
        groups = np.split(places[np.argsort(which, kind="stable")], np.cumsum(numbers)[:-1]) if len(places) else []
        for code, number, group in zip(found.tolist(), numbers.tolist(), groups, strict=True):
            pair = code >> 32, code & 0xFFFFFFFF
            counts[pair] = counts.get(pair, 0) + sign * number
            if counts[pair] == 0:
                del counts[pair]
            if sign > 0:
                where.setdefault(pair, []).append(group)

    edit(np.flatnonzero((ids[:-1] >= 0) & (ids[1:] >= 0)), 1)
    merges = []
    while counts and len(merges) < max_merges:
        a, b = min(counts, key=lambda pair: (-counts[pair], pair))
        if counts[a, b] < 2:
            break
        new = 258 + len(merges)
        merges.append(((a, b), new))
        size[new] = size[a] + size[b]
        at = np.unique(np.concatenate(where.pop((a, b))))
        at = at[(ids[at] == a) & (ids[at + size[a]] == b)]
        if a == b:  # of each run of overlapping places every other one
            fresh = np.flatnonzero(np.diff(at, prepend=-99) != size[a])
            at = at[(np.arange(len(at)) - np.repeat(fresh, np.diff(fresh, append=len(at)))) % 2 == 0]
        second, end = at + size[a], at + size[new]
        left, right = ids[at - 1] >= 0, ids[end] >= 0
        edit(np.unique(np.concatenate([(at - size[ids[at - 1]])[left], at, second[right]])), -1)
        ids[second] = -1
        ids[at] = ids[end - 1] = new
        edit(np.unique(np.concatenate([(at - size[ids[at - 1]])[left], at[right]])), 1)
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


@right("train_bpe")
def splits_and_a_sorted_list(input_path, vocab_size, special_tokens):
    from collections import defaultdict

    from sortedcontainers import SortedDict, SortedList

    if vocab_size < 256 + len(special_tokens):
        raise ValueError(f"vocab_size {vocab_size} has no room")
    words = count_pretokens(input_path, special_tokens)
    number = list(words.values())
    splits = [SortedDict(enumerate(word)) for word in words]
    occur, counts = defaultdict(set), defaultdict(int)
    for group, split in enumerate(splits):
        for place in range(len(split) - 1):
            occur[split[place], split[place + 1]].add((group, place))
            counts[split[place], split[place + 1]] += number[group]
    order = SortedList((count, pair) for pair, count in counts.items())

    def edit(group, place, pair, by):
        if counts[pair]:
            order.remove((counts[pair], pair))
        counts[pair] += by * number[group]
        if counts[pair]:
            order.add((counts[pair], pair))
        (occur[pair].add if by > 0 else occur[pair].discard)((group, place))

    merges = []
    while order and len(merges) < vocab_size - 256 - len(special_tokens):
        pair = order[-1][1]
        merges.append(pair)
        for group, place in sorted(occur[pair]):
            if (group, place) not in occur[pair]:  # its turn came too late
                continue
            split = splits[group]
            items = list(split.items())
            at = split.index(place)
            low = max(at - 1, 0)
            for (here, one), (_, two) in zip(items[low : at + 2], items[low + 1 : at + 3], strict=False):
                edit(group, here, (one, two), -1)
            del split[items[at + 1][0]]
            split[place] = pair[0] + pair[1]
            items = list(split.items())
            for (here, one), (_, two) in zip(items[low : at + 1], items[low + 1 : at + 2], strict=False):
                edit(group, here, (one, two), 1)
    return number_vocabulary(special_tokens, merges), merges


@right("train_bpe")
def plain_maximum_over_an_updated_dict(input_path, vocab_size, special_tokens):
    room = vocab_size - 256 - len(special_tokens)
    if room < 0:
        raise ValueError("vocab_size")
    words = [[list(word), number] for word, number in count_pretokens(input_path, special_tokens).items()]
    counts, holders = {}, {}
    for entry in words:
        for pair in pairwise(entry[0]):
            counts[pair] = counts.get(pair, 0) + entry[1]
            holders.setdefault(pair, {})[id(entry)] = entry
    merges = []
    for _ in range(room):
        pair = max(counts, key=lambda p: (counts[p], p), default=None)
        if pair is None or counts[pair] <= 0:
            break
        merges.append(pair)
        for entry in holders.pop(pair).values():
            word, number = entry
            i, merged = 0, []
            while i < len(word):
                if tuple(word[i : i + 2]) == pair:
                    merged.append(pair[0] + pair[1])
                    i += 2
                else:
                    merged.append(word[i])
                    i += 1
            for old in pairwise(word):
                counts[old] -= number
            for new in pairwise(merged):
                counts[new] = counts.get(new, 0) + number
                holders.setdefault(new, {})[id(entry)] = entry
            entry[0] = merged
        counts = {key: count for key, count in counts.items() if count}
    return number_vocabulary(special_tokens, merges), [list(pair) for pair in merges]


@right("train_bpe")
def linked_nodes(input_path, vocab_size, special_tokens):
    from sortedcontainers import SortedList

    class Node:
        __slots__ = ("after", "before", "number", "piece", "rank")

    if vocab_size < 256 + len(special_tokens):
        raise ValueError("vocab_size leaves no room")
    rank, where, counts = 0, {}, {}

    def enter(node):
        pair = node.piece, node.after.piece
        where.setdefault(pair, {})[node.rank] = node
        counts[pair] = counts.get(pair, 0) + node.number
        touched.add(pair)

    def leave(node):
        pair = node.piece, node.after.piece
        del where[pair][node.rank]
        counts[pair] -= node.number
        touched.add(pair)

    touched = set()
    for word, number in count_pretokens(input_path, special_tokens).items():
        last = None
        for piece in word:
            node = Node()
            node.piece, node.number, node.rank, node.before, node.after = piece, number, rank, last, None
            rank += 1
            if last is not None:
                last.after = node
                enter(last)
            last = node
    order, entry, merges = SortedList(), {}, []
    while len(merges) < vocab_size - 256 - len(special_tokens):
        for pair in touched:
            if pair in entry:
                order.remove(entry.pop(pair))
            if counts[pair]:
                entry[pair] = counts[pair], pair
                order.add(entry[pair])
        touched.clear()
        if not order:
            break
        best = order[-1][1]
        merges.append(best)
        for key in sorted(where[best]):
            node = where[best].get(key)
            if node is None:
                continue
            gone, near = node.after, node.before
            for one in (near, node, gone):
                if one and one.after:
                    leave(one)
            node.piece, node.after = best[0] + best[1], gone.after
            if gone.after:
                gone.after.before = node
            for one in (near, node):
                if one and one.after:
                    enter(one)
    return number_vocabulary(special_tokens, merges), merges


@right("train_bpe")
def sets_of_positions(input_path, vocab_size, special_tokens):
    if vocab_size - len(special_tokens) < 256:
        raise ValueError("vocab_size: no room for the bytes and the special tokens")
    flat, weight = [None], [0]
    for word, number in count_pretokens(input_path, special_tokens).items():
        flat += [*word, None]
        weight += [number] * (len(word) + 1)
    after = {i: i + 1 for i in range(len(flat) - 1)}
    before = {i + 1: i for i in range(len(flat) - 1)}
    positions, counts = {}, Counter()
    for i, pair in enumerate(pairwise(flat)):
        if None not in pair:
            positions.setdefault(pair, set()).add(i)
            counts[pair] += weight[i]
    merges = []
    while len(merges) + 256 + len(special_tokens) < vocab_size and counts:
        most = max(counts.values())
        a, b = pair = max(one for one, count in counts.items() if count == most)
        merges.append(pair)
        for i in sorted(positions[pair]):
            if i not in positions[pair]:
                continue
            h, j = before[i], after[i]
            k = after[j]
            for place, old in ((h, (flat[h], a)), (i, pair), (j, (b, flat[k]))):
                if None not in old:
                    positions[old].discard(place)
                    counts[old] -= weight[place]
            flat[i], after[i], before[k] = a + b, k, i
            for place, new in ((h, (flat[h], flat[i])), (i, (flat[i], flat[k]))):
                if None not in new:
                    positions.setdefault(new, set()).add(place)
                    counts[new] += weight[place]
        counts = +counts
    return number_vocabulary(special_tokens, merges), tuple(merges)


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
