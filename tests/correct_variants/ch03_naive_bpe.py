"""Right answers to chapter 3 in other styles; like the notebook's, they may call the chapter's other functions."""

# ruff: noqa: B905, F821, RUF005, RUF007, SIM  (written as learners write; names of the notebook)

from correct_variants import right

# --- count_pairs ---------------------------------------------------------------------------------------------------


@right("count_pairs")
def count_with_counter(sequences):
    from collections import Counter
    from itertools import pairwise

    return Counter(pair for ids in sequences for pair in pairwise(ids))


@right("count_pairs")
def count_with_defaultdict(sequences):
    from collections import defaultdict

    counts = defaultdict(int)
    for ids in sequences:
        for i in range(1, len(ids)):
            counts[ids[i - 1], ids[i]] += 1
    return counts


@right("count_pairs")
def count_with_previous(sequences):
    counts = {}
    for ids in sequences:
        previous = None
        for current in ids:
            if previous is not None:
                counts.setdefault((previous, current), 0)
                counts[previous, current] += 1
            previous = current
    return counts


@right("count_pairs")
def count_recursively(sequences):
    def add(counts, remaining):
        for ids in remaining:
            for pair in zip(ids, ids[1:]):
                counts[pair] = counts.get(pair, 0) + 1
            return add(counts, remaining)
        return counts

    return add({}, iter(sequences))


@right("count_pairs")
def count_sorted_groups(sequences):
    from itertools import groupby

    pairs = sorted(pair for ids in sequences for pair in zip(ids[:-1], ids[1:]))
    return {pair: len(list(group)) for pair, group in groupby(pairs)}


@right("count_pairs")
def count_with_numpy(sequences):
    import numpy as np

    found = [np.column_stack([ids[:-1], ids[1:]]) for ids in sequences if len(ids) > 1]
    if not found:
        return {}
    pairs, counts = np.unique(np.concatenate(found), axis=0, return_counts=True)
    return {(int(a), int(b)): int(n) for (a, b), n in zip(pairs, counts)}


# --- merge_pair ----------------------------------------------------------------------------------------------------


@right("merge_pair")
def merge_with_iterator(ids, pair, new_id):
    first, second = pair
    merged = []
    iterator = iter(ids)
    waiting = []
    for current in iterator:
        if waiting and current == second:
            merged.append(new_id)
            waiting = []
        else:
            merged += waiting
            waiting = [current] if current == first else []
            if not waiting:
                merged.append(current)
    return merged + waiting


@right("merge_pair")
def merge_recursively(ids, pair, new_id):
    def merge(start, end):
        # Halving keeps the depth small; a run across the middle moves the cut.
        if end - start < 2:
            return list(ids[start:end])
        if end - start == 2:
            return [new_id] if list(ids[start:end]) == list(pair) else list(ids[start:end])
        middle = (start + end) // 2
        while middle < end and ids[middle - 1] == pair[0] and (ids[middle] == pair[1] or ids[middle] == pair[0]):
            middle += 1
        if middle == end:
            out, i = [], start
            while i < end:
                if i + 1 < end and list(ids[i : i + 2]) == list(pair):
                    out.append(new_id)
                    i += 2
                else:
                    out.append(ids[i])
                    i += 1
            return out
        return merge(start, middle) + merge(middle, end)

    return merge(0, len(ids))


@right("merge_pair")
def merge_with_flag(ids, pair, new_id):
    merged = []
    skip = False
    for i, current in enumerate(ids):
        if skip:
            skip = False
            continue
        if i + 1 < len(ids) and current == pair[0] and ids[i + 1] == pair[1]:
            merged.append(new_id)
            skip = True
        else:
            merged.append(current)
    return merged


@right("merge_pair")
def merge_with_stack(ids, pair, new_id):
    merged = []
    open_first = False  # whether the last id written is an old one that may start the pair
    for current in ids:
        if open_first and current == pair[1]:
            merged[-1] = new_id
            open_first = False
        else:
            merged.append(current)
            open_first = current == pair[0]
    return merged


@right("merge_pair")
def merge_with_deque(ids, pair, new_id):
    from collections import deque

    waiting = deque(ids)
    merged = []
    while waiting:
        first = waiting.popleft()
        if waiting and first == pair[0] and waiting[0] == pair[1]:
            waiting.popleft()
            first = new_id
        merged.append(first)
    return merged


@right("merge_pair")
def merge_by_places(ids, pair, new_id):
    a, b = pair
    places = []
    for i in range(len(ids) - 1):
        if ids[i] == a and ids[i + 1] == b and (not places or places[-1] < i - 1):
            places.append(i)
    merged, start = [], 0
    for place in places:
        merged += ids[start:place] + [new_id]
        start = place + 2
    return merged + ids[start:]


@right("merge_pair")
def merge_with_regex(ids, pair, new_id):
    import re

    a, b = (f" {part};" for part in pair)
    text = "".join(f" {current};" for current in ids)
    return [int(word) for word in re.sub(re.escape(a + b), f" {new_id};", text).replace(";", "").split()]


@right("merge_pair")
def merge_a_copy_in_place(ids, pair, new_id):
    copy = list(ids)
    i = 0
    while i + 1 < len(copy):
        if copy[i] == pair[0] and copy[i + 1] == pair[1]:
            copy[i] = new_id
            del copy[i + 1]
        i += 1
    return copy


# --- best_pair -----------------------------------------------------------------------------------------------------


@right("best_pair")
def best_with_sort(counts):
    if len(counts) == 0:
        raise ValueError("there are no counts")
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))[0][0]


@right("best_pair")
def best_in_two_steps(counts):
    if not counts:
        raise ValueError("counts must hold at least one pair")
    highest = max(counts.values())
    return min(pair for pair, count in counts.items() if count == highest)


@right("best_pair")
def best_with_loop(counts):
    best = None
    for pair, count in counts.items():
        if best is None or count > counts[best] or (count == counts[best] and pair < best):
            best = pair
    if best is None:
        raise ValueError("counts: empty")
    return best


@right("best_pair")
def best_with_heap(counts):
    import heapq

    heap = [(-count, pair) for pair, count in counts.items()]
    if not heap:
        raise ValueError("counts is empty")
    heapq.heapify(heap)
    return heap[0][1]


@right("best_pair")
def best_with_negative_pair(counts):
    if not counts:
        raise ValueError("counts is empty")
    return max(counts, key=lambda pair: (counts[pair], -pair[0], -pair[1]))


@right("best_pair")
def best_of_sorted_keys(counts):
    try:
        return max(sorted(counts), key=counts.get)
    except ValueError:
        raise ValueError("counts holds no pair") from None


# --- fit_merges ----------------------------------------------------------------------------------------------------


@right("fit_merges")
def fit_recursively(documents, max_merges):
    if isinstance(max_merges, bool) or not isinstance(max_merges, int):
        raise ValueError("max_merges has to be an int")
    if max_merges < 0:
        raise ValueError("max_merges has to be 0 or more")

    def learn(rows, rank):
        counts = count_pairs(rows)
        if rank == max_merges or max(counts.values(), default=0) < 2:
            return []
        pair = best_pair(counts)
        return [(pair, 258 + rank)] + learn([merge_pair(row, pair, 258 + rank) for row in rows], rank + 1)

    return learn([list(text.encode()) for text in documents], 0)


@right("fit_merges")
def fit_on_its_own(documents, max_merges):
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges")
    from collections import Counter

    rows = [tuple(text.encode("utf-8")) for text in documents]
    merges = []
    while len(merges) < max_merges:
        counts = Counter()
        for row in rows:
            counts.update(zip(row, row[1:]))
        if not counts:
            return merges
        count, a, b = max((n, -a, -b) for (a, b), n in counts.items())
        if count == 1:
            return merges
        pair, new_id = (-a, -b), 258 + len(merges)
        merges.append((pair, new_id))
        rows = [tuple(merge_pair(list(row), pair, new_id)) for row in rows]
    return merges


@right("fit_merges")
def fit_with_break_marks(documents, max_merges):
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be a whole number of at least 0")
    flat = []
    for text in documents:
        flat += [*text.encode("utf-8"), -1]  # a mark between documents that is in no pair
    merges = []
    for new_id in range(258, 258 + max_merges):
        counts = {}
        for pair in zip(flat, flat[1:]):
            if -1 not in pair:
                counts[pair] = counts.get(pair, 0) + 1
        ranked = sorted(counts, key=lambda pair: (-counts[pair], pair))
        if not ranked or counts[ranked[0]] < 2:
            break
        merges.append((ranked[0], new_id))
        flat = merge_pair(flat, ranked[0], new_id)
    return merges


@right("fit_merges")
def fit_with_generator(documents, max_merges):
    if not isinstance(max_merges, int) or max_merges is True or max_merges is False or max_merges < 0:
        raise ValueError(f"bad max_merges: {max_merges!r}")

    def rules():
        rows = [list(bytes(text, "utf-8")) for text in documents]
        new_id = 258
        while True:
            counts = {pair: n for pair, n in count_pairs(rows).items() if n > 1}
            if not counts:
                return
            pair = best_pair(counts)
            yield pair, new_id
            rows = [merge_pair(row, pair, new_id) for row in rows]
            new_id += 1

    from itertools import islice

    return list(islice(rules(), max_merges))


@right("fit_merges")
def fit_weighted_documents(documents, max_merges):
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int >= 0")
    from collections import Counter

    rows = Counter(tuple(text.encode("utf-8")) for text in documents)  # equal documents are counted once, with weight
    merges = []
    for rank in range(max_merges):
        counts = Counter()
        for row, weight in rows.items():
            for pair in zip(row, row[1:]):
                counts[pair] += weight
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, 258 + rank))
        rows = Counter({tuple(merge_pair(list(row), pair, 258 + rank)): weight for row, weight in rows.items()})
    return merges


@right("fit_merges")
def fit_by_recounting_changed_rows(documents, max_merges):
    if type(max_merges) is not int or max_merges < 0:
        raise ValueError("max_merges must be an int of at least 0")
    rows = [list(text.encode("utf-8")) for text in documents]
    counts = count_pairs(rows)
    merges = []
    for new_id in range(258, 258 + max_merges):
        counts = {pair: n for pair, n in counts.items() if n > 0}
        if not counts or max(counts.values()) < 2:
            break
        pair = best_pair(counts)
        merges.append((pair, new_id))
        for k, row in enumerate(rows):
            merged = merge_pair(row, pair, new_id)
            if len(merged) < len(row):
                for gone, n in count_pairs([row]).items():
                    counts[gone] -= n
                for born, n in count_pairs([merged]).items():
                    counts[born] = counts.get(born, 0) + n
                rows[k] = merged
    return merges


# --- trace, lecture_merges, values, plot_merges --------------------------------------------------------------------


@right("trace")
def trace_round_by_round(documents, max_merges):
    columns = {name: [] for name in ("rank", "pair", "hex", "count", "tied", "before", "after")}
    rows = [list(text.encode("utf-8")) for text in documents]
    spelled = {byte: f"{byte:02x}" for byte in range(256)}
    for rank in range(max_merges):
        counts = count_pairs(rows)
        highest = max(counts.values(), default=0)
        if highest < 2:
            break
        best = [pair for pair in counts if counts[pair] == highest]
        pair = min(best)
        spelled[258 + rank] = spelled[pair[0]] + spelled[pair[1]]
        columns["rank"].append(rank)
        columns["pair"].append(pair)
        columns["hex"].append(spelled[258 + rank])
        columns["count"].append(highest)
        columns["tied"].append(len(best))
        columns["before"].append(sum(len(row) for row in rows))
        rows = [merge_pair(row, pair, 258 + rank) for row in rows]
        columns["after"].append(sum(len(row) for row in rows))
    return pd.DataFrame(columns)


@right("trace")
def trace_from_dictionaries(documents, max_merges):
    rows = [list(text.encode("utf-8")) for text in documents]
    pieces, lines = {}, []
    for rank, (pair, new_id) in enumerate(fit_merges(documents, max_merges)):
        counts = count_pairs(rows)
        piece = b"".join(pieces.get(part) or bytes([part]) for part in pair)
        merged = [merge_pair(row, pair, new_id) for row in rows]
        lines.append({
            "rank": rank, "pair": pair, "hex": piece.hex(), "count": counts[pair],
            "tied": sum(count == counts[pair] for count in counts.values()),
            "before": sum(len(row) for row in rows), "after": sum(len(row) for row in merged),
        })
        pieces[new_id], rows = piece, merged
    return pd.DataFrame(lines, columns=TRACE_COLUMNS).set_index(pd.Index(range(1, len(lines) + 1)))


@right("lecture_merges")
def lecture_with_strict_comparison(string, num_merges):
    ids, merges = [*string.encode()], {}
    while len(merges) < num_merges:
        counts = count_pairs([ids])
        best = None
        for pair in zip(ids, ids[1:]):
            if best is None or counts[pair] > counts[best]:
                best = pair
        if best is None:
            break
        merges[best] = 256 + len(merges)
        ids = merge_pair(ids, best, merges[best])
    return merges


@right("lecture_merges")
def lecture_by_position(string, num_merges):
    ids = list(string.encode("utf-8"))
    merges = {}
    for i in range(num_merges):
        if len(ids) < 2:
            break
        pairs = list(zip(ids, ids[1:]))
        best = min(set(pairs), key=lambda pair: (-pairs.count(pair), pairs.index(pair)))
        merges[best] = 256 + i
        ids = merge_pair(ids, best, 256 + i)
    return merges


@right("lecture_merges")
def lecture_with_counter(string, num_merges):
    from collections import Counter

    ids = list(string.encode("utf-8"))
    merges = {}
    for i in range(num_merges):
        common = Counter(zip(ids, ids[1:])).most_common(1)
        if not common:
            return merges
        ((pair, _),) = common
        merges[pair] = 256 + i
        ids = merge_pair(ids, pair, 256 + i)
    return merges


@right("predict_abab_acac")
def predict_with_tuples():
    return {
        "sequences": ((258, 258), (259, 259)), "rules": [[97, 98], [97, 99]], "tokens": 4, "vocabulary": 260,
    }


@right("tie_example")
def tie_at_three_places():
    return "bababab"


@right("tie_example")
def tie_beyond_ascii():
    return "éaéa"


@right("plot_merges")
def plot_in_one_column(documents, max_merges):
    rows = [list(text.encode("utf-8")) for text in documents]
    lines, read, total = [], 0, sum(map(len, rows))
    rules = fit_merges(documents, max_merges)
    for merges in range(len(rules) + 1):
        tokens = sum(map(len, rows))
        lines.append({"merges": merges, "tokens": tokens, "ratio": total / tokens, "read": read})
        read += tokens
        if merges < len(rules):
            rows = [merge_pair(row, *rules[merges]) for row in rows]
    frame = pd.DataFrame(lines)
    figure, panels = plt.subplots(3, sharex=True)
    for panel, name in zip(panels, ("tokens", "ratio", "read")):
        frame.plot("merges", name, ax=panel, title=name, xlabel="merges", ylabel=name, marker="x")
    return frame, figure


@right("plot_merges")
def plot_on_two_scales(documents, max_merges):
    steps = trace(documents, max_merges)
    size = sum(len(text.encode()) for text in documents)
    tokens = [size, *steps["after"].tolist()]
    frame = pd.DataFrame({
        "merges": range(len(tokens)), "tokens": tokens, "ratio": [size / number for number in tokens],
        "read": [0, *steps["before"].cumsum().tolist()],
    })
    figure, left = plt.subplots()
    right_scale = left.twinx()
    left.plot(frame["merges"], frame["tokens"], label="ids")
    left.plot(frame["merges"], frame["read"], label="ids read")
    right_scale.plot(frame["merges"], frame["ratio"], "r--", label="bytes per id")
    left.set_title("Training", loc="left")
    left.set(xlabel="merges", ylabel="ids")
    right_scale.set_ylabel("bytes per id")
    figure.legend()
    return frame, figure


@right("plot_merges")
def plot_in_a_grid_with_an_empty_panel(documents, max_merges):
    steps = trace(documents, max_merges)
    size = sum(len(text.encode()) for text in documents)
    tokens = [size, *steps["after"]]
    frame = pd.DataFrame({"merges": range(len(tokens)), "tokens": tokens})
    frame["ratio"] = size / frame["tokens"]
    frame["read"] = frame["tokens"].shift(fill_value=0).cumsum()
    figure, panels = plt.subplots(2, 2)
    for panel, name in zip(panels.flat, ("tokens", "ratio", "read")):
        panel.step(frame["merges"], frame[name], label=name)
        panel.set(title=name, xlabel="merges", ylabel=name)
        panel.legend()
    panels[1, 1].axis("off")
    return frame, figure
