"""Chapter 8's answers in other styles; the names that they use are the notebook's own."""

import itertools
import os
import statistics
import subprocess
import sys
from collections import Counter

import matplotlib.pyplot as plt
import pandas as pd

from autograder.reference.experiments import LearntBPE, embedding_share
from correct_variants import right

# --- predictions: any will do that has the form --------------------------------------------------------------------


@right("predict_gap")
def nothing_at_all():
    return 0


@right("predict_gap")
def with_a_fraction():
    return 12.5


@right("predict_tax")
def as_a_tuple():
    return ("Chinese (simplified)", "Swahili", "German")


@right("predict_ties")
def all_of_them():
    return 400


@right("predict_digests")
def none_of_them():
    return {
        "JSON of a sorted list": False, "repr of a dict": False, "repr of a set": False, "hash() of a text": False,
    }


@right("predict_windows")
def wrong_order_is_fine():
    return ("Russian", "Hindi", "Japanese", "German", "English")


@right("predict_budget")
def a_hundred():
    return 100.0


# --- sweep ---------------------------------------------------------------------------------------------------------


@right("sweep")
def groups_of_a_frame(splits, vocab_sizes):
    frames = []
    for size in vocab_sizes:
        tokenizer = LearntBPE(splits["train"], size)
        measured = {
            name: (sum(len(t.encode("utf-8")) for t in texts), sum(len(tokenizer.encode(t)) for t in texts))
            for name, texts in splits.items()
        }
        frame = pd.DataFrame.from_dict(measured, orient="index", columns=["bytes", "tokens"])
        frame = frame.rename_axis("split").reset_index()
        frames.append(frame.assign(asked=size, vocab_size=tokenizer.vocab_size))
    table = pd.concat(frames, ignore_index=True)
    table["ratio"] = table["bytes"] / table["tokens"]
    return table[["asked", "vocab_size", "split", "bytes", "tokens", "ratio"]]


@right("sweep")
def dictionaries(splits, vocab_sizes):
    learnt = {size: LearntBPE(splits["train"], size) for size in set(vocab_sizes)}
    out = []
    for size, (name, texts) in itertools.product(vocab_sizes, splits.items()):
        row = {"asked": size, "vocab_size": learnt[size].vocab_size, "split": name, "bytes": 0, "tokens": 0}
        for text in texts:
            row["bytes"] += len(bytes(text, "utf8"))
            row["tokens"] += len(learnt[size].encode(text))
        out.append(row | {"ratio": row["bytes"] / row["tokens"]})
    return pd.DataFrame(out)


@right("sweep")
def encode_in_a_batch(splits, vocab_sizes):
    rows = []
    for size in vocab_sizes:
        learnt = LearntBPE(list(splits["train"]), size)
        for name in splits:
            ids = [learnt.encode(text) for text in splits[name]]
            counts = [len(text.encode()) for text in splits[name]]
            tokens = len(list(itertools.chain.from_iterable(ids)))
            rows.append([size, learnt.vocab_size, name, sum(counts), tokens, sum(counts) / tokens])
    return pd.DataFrame(rows, columns=["asked", "vocab_size", "split", "bytes", "tokens", "ratio"])


@right("sweep")
def pieces_of_bytes(splits, vocab_sizes):
    columns = {name: [] for name in ("asked", "vocab_size", "split", "bytes", "tokens", "ratio")}
    for size in vocab_sizes:
        learnt = LearntBPE(splits["train"], size)
        for name, texts in splits.items():
            lengths = [learnt.encode(text) for text in texts]
            total, tokens = sum(len("".join(texts).encode()) for _ in (0,)), sum(map(len, lengths))
            values = (size, learnt.vocab_size, name, total, tokens, total / tokens)
            for column, value in zip(columns.values(), values, strict=True):
                column.append(value)
    return pd.DataFrame(columns)


@right("sweep")
def one_function_inside(splits, vocab_sizes):
    def measure(learnt, texts):
        size, tokens = map(sum, zip(*((len(t.encode()), len(learnt.encode(t))) for t in texts), strict=True))
        return {"bytes": size, "tokens": tokens, "ratio": size / tokens}

    return pd.DataFrame([
        {"asked": asked, "vocab_size": learnt.vocab_size, "split": split, **measure(learnt, texts)}
        for asked in vocab_sizes for learnt in [LearntBPE(splits["train"], asked)] for split, texts in splits.items()
    ])


@right("sweep")
def more_columns_than_asked(splits, vocab_sizes):
    rows = []
    for asked in vocab_sizes:
        learnt = LearntBPE(splits["train"], asked)
        for split, texts in splits.items():
            size = sum(len(text.encode()) for text in texts)
            tokens = sum(len(learnt.encode(text)) for text in texts)
            rows.append({"split": split, "texts": len(texts), "asked": asked, "vocab_size": learnt.vocab_size,
                         "bytes": float(size), "tokens": tokens, "ratio": size / tokens})
    return pd.DataFrame(rows)


# --- figures of two or three panels --------------------------------------------------------------------------------


@right("plot_sweep")
def merged_and_scattered(rows):
    frame = pd.DataFrame(rows)
    best = frame.loc[frame["split"].eq("train"), ["vocab_size", "ratio"]].rename(columns={"ratio": "best"})
    frame = frame.merge(best, on="vocab_size", how="left")
    frame["gap"] = (frame["best"] - frame["ratio"]) / frame["best"]
    figure, (left, right_) = plt.subplots(2, 1)
    for split in frame["split"].unique():
        part = frame[frame["split"] == split]
        left.scatter(part["vocab_size"], part["ratio"], label=split)
        right_.scatter(part["vocab_size"], part["gap"], label=split)
    left.set(title="Ratio", xlabel="ids", ylabel="bytes per token")
    right_.set(title="Gap", xlabel="ids", ylabel="gap")
    left.legend()
    return frame, figure


@right("plot_sweep")
def one_title_for_both(rows):
    best = {row["vocab_size"]: row["ratio"] for row in rows if row["split"] == "train"}
    frame = pd.DataFrame([{**row, "gap": 1 - row["ratio"] / best[row["vocab_size"]]} for row in rows])
    figure, panels = plt.subplots(1, 2)
    for axes, column in zip(panels, ["ratio", "gap"], strict=True):
        for split, part in frame.sort_values("vocab_size").groupby("split"):
            axes.semilogx(part["vocab_size"], part[column], label=split)
        axes.set_xlabel("vocabulary size")
        axes.set_ylabel(column)
    figure.suptitle("Sweep")
    panels[1].legend()
    return frame, figure


@right("plot_ties")
def columns_by_pandas(rows):
    frame = pd.DataFrame(rows).assign(
        in_place=lambda table: table["same_place"] / table["merges"],
        shared=lambda table: table.same_rules / table.merges,
    )
    figure, panels = plt.subplots(3, 1)
    for axes, column in zip(panels, ["in_place", "shared", "ratio"], strict=True):
        frame.pivot(index="merges", columns="rule_set", values=column).plot(ax=axes, title=column, ylabel=column)
    return frame, figure


@right("plot_ties")
def loops_over_rows(rows):
    extra = [{**r, "in_place": r["same_place"] / r["merges"], "shared": r["same_rules"] / r["merges"]} for r in rows]
    figure, panels = plt.subplots(1, 3)
    for name in {row["rule_set"] for row in rows}:
        own = sorted((row for row in extra if row["rule_set"] == name), key=lambda row: row["merges"])
        for axes, column in zip(panels, ("ratio", "shared", "in_place"), strict=True):
            axes.plot([row["merges"] for row in own], [row[column] for row in own], "x-", label=name)
            axes.set(title=column, xlabel="merges", ylabel=column)
    panels[0].legend()
    return pd.DataFrame(extra), figure


# --- token_tax and tax_by_script -----------------------------------------------------------------------------------


@right("token_tax")
def rows_sorted(texts, scripts, tokenizer, base="English"):
    if base not in texts:
        raise ValueError("no text for base")
    own = len(tokenizer.encode(texts[base]))
    rows = []
    for language in texts:
        tokens = len(tokenizer.encode(texts[language]))
        rows.append([language, scripts[language], len(texts[language].encode()), tokens, tokens / own])
    rows.sort(key=lambda row: row[4])
    return pd.DataFrame(rows, columns=["language", "script", "bytes", "tokens", "tax"])


@right("token_tax")
def series_of_pandas(texts, scripts, tokenizer, base="English"):
    if base not in texts:
        raise ValueError(f"base {base} unknown")
    text = pd.Series(texts)
    tokens = text.map(lambda one: len(tokenizer.encode(one)))
    frame = pd.DataFrame({"script": pd.Series(scripts)[text.index], "bytes": text.str.encode("utf-8").str.len()})
    frame = frame.assign(tokens=tokens, tax=tokens / tokens[base]).rename_axis("language").reset_index()
    return frame.sort_values("tax", kind="mergesort")


@right("token_tax")
def stable_by_place(texts, scripts, tokenizer, base="English"):
    try:
        own = texts[base]
    except KeyError:
        raise ValueError("base") from None
    own = len(tokenizer.encode(own))
    table = {name: len(tokenizer.encode(text)) for name, text in texts.items()}
    order = sorted(enumerate(table), key=lambda item: (table[item[1]], item[0]))
    return pd.DataFrame([
        {"language": n, "script": scripts[n], "bytes": len(bytes(texts[n], "utf-8")), "tokens": table[n],
         "tax": table[n] / own}
        for _, n in order
    ])


@right("token_tax")
def sum_of_ones(texts, scripts, tokenizer, base="English"):
    if base not in list(texts):
        raise ValueError(f"unknown base: {base}")
    counted = [(name, sum(1 for _ in tokenizer.encode(text))) for name, text in texts.items()]
    by_name = dict(counted)
    rows = [(name, scripts[name], len(texts[name].encode("utf8")), n, n / by_name[base]) for name, n in counted]
    frame = pd.DataFrame(rows, columns=["language", "script", "bytes", "tokens", "tax"])
    return frame.iloc[frame["tax"].argsort(kind="stable")]


@right("token_tax")
def merged_frames(texts, scripts, tokenizer, base="English"):
    if base not in texts:
        raise ValueError("base is missing")
    left = pd.DataFrame({"language": texts.keys(), "text": texts.values()})
    right_ = pd.DataFrame({"language": scripts.keys(), "script": scripts.values()})
    frame = left.merge(right_, on="language")
    frame["bytes"] = [len(text.encode()) for text in frame["text"]]
    frame["tokens"] = [len(tokenizer.encode(text)) for text in frame["text"]]
    frame["tax"] = frame["tokens"] / frame.set_index("language").loc[base, "tokens"]
    return frame.drop(columns="text").sort_values(by="tax", kind="stable")


@right("token_tax")
def repeated_insertion(texts, scripts, tokenizer, base="English"):
    import bisect

    if base not in texts:
        raise ValueError("base")
    own, rows = len(tokenizer.encode(texts[base])), []
    for language, text in texts.items():
        ids = tokenizer.encode(text)
        row = (language, scripts[language], len(text.encode()), len(ids), len(ids) / own)
        rows.insert(bisect.bisect_right([other[4] for other in rows], row[4]), row)
    return pd.DataFrame(rows, columns=["language", "script", "bytes", "tokens", "tax"])


@right("tax_by_script")
def by_statistics(rows):
    found = {}
    for row in rows:
        found.setdefault(row["script"], []).append(row["tax"])
    out = [
        {"script": script, "languages": len(taxes), "lowest": min(taxes), "median": statistics.median(taxes),
         "highest": max(taxes)}
        for script, taxes in found.items()
    ]
    return pd.DataFrame(sorted(out, key=lambda row: row["median"]))


@right("tax_by_script")
def by_hand(rows):
    table = []
    for script in dict.fromkeys(row["script"] for row in rows):
        taxes = sorted(row["tax"] for row in rows if row["script"] == script)
        n = len(taxes)
        middle = taxes[n // 2] if n % 2 else (taxes[n // 2 - 1] + taxes[n // 2]) / 2
        table.append((script, n, taxes[0], middle, taxes[-1]))
    frame = pd.DataFrame(table, columns=["script", "languages", "lowest", "median", "highest"])
    return frame.sort_values("median", kind="stable")


@right("plot_tax")
def bars_side_by_side(rows):
    frame = pd.DataFrame(rows)
    names = list(frame["tokenizer"].unique())
    wide = frame.pivot(index="language", columns="tokenizer", values="tax")[names].sort_values(names[0])
    axes = wide.plot.barh(title="Tax", xlabel="tax", ylabel="language", logx=True)
    long = wide.reset_index().melt("language", names, var_name="tokenizer", value_name="tax")
    return long, axes.figure


@right("plot_tax")
def upright_lines(rows):
    first = [row for row in rows if row["tokenizer"] == rows[0]["tokenizer"]]
    order = [row["language"] for row in sorted(first, key=lambda row: row["tax"])]
    frame = pd.DataFrame(sorted(rows, key=lambda row: order.index(row["language"])))
    figure, axes = plt.subplots()
    for name in frame["tokenizer"].unique():
        part = frame[frame["tokenizer"] == name]
        axes.semilogy(part["language"], part["tax"], "s-", label=name)
    axes.set(title="Tax", xlabel="language", ylabel="tax")
    axes.legend()
    return frame, figure


@right("plot_tax")
def a_panel_for_each(rows):
    """The panels share their languages, and only the first one shows the names."""
    frame = pd.DataFrame(rows)[["language", "tokenizer", "tax"]]
    own = {name: part.set_index("language")["tax"] for name, part in frame.groupby("tokenizer", sort=False)}
    order = next(iter(own.values())).sort_values().index
    figure, panels = plt.subplots(1, len(own), sharey=True)
    for axes, (name, taxes) in zip(panels, own.items(), strict=True):
        axes.barh(order, taxes[order], label=name)
        axes.set(xscale="log", title=name)
    figure.supxlabel("tax")
    figure.supylabel("language")
    figure.legend()
    return pd.concat([frame[frame["language"] == language] for language in order]), figure


@right("plot_tax")
def names_from_a_function(rows):
    """Upright, with room between the groups of bars, and ticks that a function writes."""
    taxes = {}
    for row in rows:
        taxes.setdefault(row["tokenizer"], {})[row["language"]] = row["tax"]
    order = sorted(next(iter(taxes.values())), key=next(iter(taxes.values())).get)
    figure, axes = plt.subplots()
    for shift, (name, own) in enumerate(taxes.items()):
        axes.bar([10 * place + 2 * shift for place in range(len(order))], [own[one] for one in order], 2, label=name)
    middle = len(taxes) - 1
    axes.set_xticks([10 * place + middle for place in range(len(order))])
    axes.xaxis.set_major_formatter(lambda at, _: order[int(at) // 10])
    axes.set(yscale="log", title="Taxes", xlabel="language", ylabel="tax")
    axes.legend()
    table = [(language, name, own[language]) for language in order for name, own in taxes.items()]
    return pd.DataFrame(table, columns=["language", "tokenizer", "tax"]), figure


# --- break_tie and divergence --------------------------------------------------------------------------------------


@right("break_tie")
def sorted_by_a_key(tied, pieces, rule):
    keys = {
        "R1": lambda item: item[1], "R3": lambda item: item[0],
        "R2": lambda item: [(*(255 - byte for byte in pieces[one]), 256) for one in item[1]],
    }
    return sorted(enumerate(tied), key=keys[rule])[0][1]


@right("break_tie")
def one_by_one(tied, pieces, rule):
    best = tied[0]
    for pair in tied[1:]:
        if rule == "R1" and pair < best:
            best = pair
        if rule == "R2" and [pieces[one] for one in pair] > [pieces[one] for one in best]:
            best = pair
    return best


@right("break_tie")
def a_match(tied, pieces, rule):
    match rule:
        case "R1":
            return sorted(tied)[0]
        case "R2":
            return max(tied, key=lambda pair: tuple(map(pieces.get, pair)))
        case "R3":
            return next(iter(tied))


@right("break_tie")
def bytes_first(tied, pieces, rule):
    as_bytes = {(pieces[a], pieces[b]): (a, b) for a, b in tied[::-1]}
    return {"R1": min(tied), "R2": as_bytes[max(as_bytes)], "R3": tied[0]}[rule]


@right("break_tie")
def two_steps(tied, pieces, rule):
    if rule == "R2":
        first = max(pieces[left] for left, _ in tied)
        rest = [pair for pair in tied if pieces[pair[0]] == first]
        second = max(pieces[pair[1]] for pair in rest)
        return next(pair for pair in rest if pieces[pair[1]] == second)
    return tied[0] if rule == "R3" else min(tied, key=lambda pair: (pair[0], pair[1]))


@right("break_tie")
def index_of(tied, pieces, rule):
    pairs = [(pieces[left], pieces[right_]) for left, right_ in tied]
    place = {"R1": tied.index(min(tied)), "R2": pairs.index(max(pairs)), "R3": 0}
    return tied[place[rule]]


@right("divergence")
def counters(rules, base, steps):
    if base not in rules:
        raise ValueError(f"no rules for base {base!r}")
    rows = []
    for name, step in itertools.product(rules, steps):
        left, right_ = rules[base][:step], rules[name][:step]
        rows.append({
            "rule_set": name, "merges": step, "same_place": list(map(lambda a, b: a == b, left, right_)).count(True),
            "same_rules": (Counter(left) & Counter(right_)).total(),
        })
    return pd.DataFrame(rows)


@right("divergence")
def places_in_a_dict(rules, base, steps):
    if base not in rules:
        raise ValueError("base")
    place = {rule: number for number, rule in enumerate(rules[base])}
    rows = []
    for name, own in rules.items():
        where = [place.get(rule, float("inf")) for rule in own]
        for step in steps:
            first = where[:step]
            rows.append((name, step, sum(n == i for i, n in enumerate(first)), sum(n < step for n in first)))
    return pd.DataFrame(rows, columns=["rule_set", "merges", "same_place", "same_rules"])


@right("divergence")
def indices(rules, base, steps):
    if base not in list(rules.keys()):
        raise ValueError("base must be a rule set")
    table = {"rule_set": [], "merges": [], "same_place": [], "same_rules": []}
    for name in rules:
        for step in steps:
            shorter = min(step, len(rules[base]), len(rules[name]))
            table["rule_set"].append(name)
            table["merges"].append(step)
            table["same_place"].append(len([i for i in range(shorter) if rules[base][i] == rules[name][i]]))
            table["same_rules"].append(len([rule for rule in rules[name][:step] if rule in rules[base][:step]]))
    return pd.DataFrame(table)


@right("divergence")
def running_sums(rules, base, steps):
    if base not in rules:
        raise ValueError(f"base: {base}")
    rows = []
    for name, own in rules.items():
        same = [a == b for a, b in zip(rules[base], own, strict=False)]
        for step in steps:
            common = set(rules[base][:step]).intersection(own[:step])
            rows.append([name, step, sum(same[:step]), len(common)])
    return pd.DataFrame(rows, columns=["rule_set", "merges", "same_place", "same_rules"])


@right("divergence")
def frames_joined(rules, base, steps):
    if base not in rules:
        raise ValueError("unknown base")
    frames = []
    for name, own in rules.items():
        frames.append(pd.DataFrame({
            "rule_set": name, "merges": steps,
            "same_place": [sum(p == q for p, q in zip(own[:n], rules[base][:n], strict=False)) for n in steps],
            "same_rules": [len({*own[:n]} & {*rules[base][:n]}) for n in steps],
        }))
    return pd.concat(frames)


@right("divergence")
def by_removal(rules, base, steps):
    try:
        reference = rules[base]
    except KeyError as error:
        raise ValueError("base") from error
    rows = []
    for name, own in rules.items():
        for step in steps:
            left = list(reference[:step])
            place = sum(1 for pair in zip(left, own[:step], strict=False) if pair[0] == pair[1])
            found = 0
            for rule in own[:step]:
                if rule in left:
                    left.remove(rule)
                    found += 1
            rows.append((name, step, place, found))
    return pd.DataFrame(rows, columns=["rule_set", "merges", "same_place", "same_rules"])


# --- run_with_seed and plot_digests --------------------------------------------------------------------------------


@right("run_with_seed")
def copy_of_the_environment(program, seed):
    environment = os.environ.copy()
    environment["PYTHONHASHSEED"] = f"{seed}"
    output = subprocess.check_output([sys.executable, "-c", program], env=environment, stderr=subprocess.DEVNULL)
    return output.decode("utf-8").strip()


@right("run_with_seed")
def through_standard_input(program, seed):
    done = subprocess.run(
        [sys.executable, "-"], input=program, env=os.environ | {"PYTHONHASHSEED": str(seed)}, text=True,
        capture_output=True, check=True,
    )
    return done.stdout.strip()


@right("run_with_seed")
def from_a_file(program, seed):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(program)
        environment = dict(os.environ, PYTHONHASHSEED=str(seed))
        done = subprocess.run([sys.executable, path], env=environment, capture_output=True, check=True)
    return done.stdout.decode().strip()


@right("run_with_seed")
def popen(program, seed):
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-c", program]
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, env=environment, stdout=pipe, stderr=null, text=True) as process:
        printed, _ = process.communicate()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return printed.strip()


@right("run_with_seed")
def checked_later(program, seed):
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run((sys.executable, "-c", program), env=environment, capture_output=True, encoding="utf-8")
    done.check_returncode()
    return done.stdout.strip()


@right("run_with_seed")
def isolated_from_the_folder(program, seed):
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-P", "-B", "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


@right("run_with_seed")
def set_here_for_a_while(program, seed):
    """The seed stands in this process's environment until the other one has ended."""
    before = os.environ.get("PYTHONHASHSEED")
    os.environ["PYTHONHASHSEED"] = str(seed)
    try:
        return subprocess.check_output([sys.executable, "-c", program], text=True, stderr=subprocess.PIPE).strip()
    finally:
        if before is None:
            del os.environ["PYTHONHASHSEED"]
        else:
            os.environ["PYTHONHASHSEED"] = before


@right("plot_digests")
def sets_of_prefixes(rows):
    table = []
    for recipe in dict.fromkeys(row["recipe"] for row in rows):
        digests = [row["digest"] for row in rows if row["recipe"] == recipe]
        table += [(recipe, n, len(set(digests[:n]))) for n in range(1, len(digests) + 1)]
    frame = pd.DataFrame(table, columns=["recipe", "processes", "distinct"])
    figure, axes = plt.subplots()
    for recipe in frame["recipe"].unique():
        part = frame[frame["recipe"] == recipe]
        axes.step(part["processes"], part["distinct"], where="post", label=recipe)
    axes.set(title="Digests", xlabel="processes", ylabel="different")
    axes.legend()
    return frame, figure


@right("plot_digests")
def new_ones_cumulated(rows):
    frame = pd.DataFrame(rows)
    frame["new"] = ~frame.duplicated(["recipe", "digest"])
    groups = frame.groupby("recipe", sort=False)
    frame["processes"], frame["distinct"] = groups.cumcount() + 1, groups["new"].cumsum()
    frame = pd.concat([part for _, part in frame.groupby("recipe", sort=False)])
    figure, axes = plt.subplots()
    wide = frame.pivot(index="processes", columns="recipe", values="distinct")
    wide.plot(ax=axes, title="Digests", ylabel="different")
    return frame[["recipe", "processes", "distinct"]], figure


# --- window_bytes and plot_coverage --------------------------------------------------------------------------------


@right("window_bytes")
def joined_windows(pieces, window):
    if isinstance(window, bool) or not isinstance(window, int) or window < 1:
        raise ValueError("window must be positive")
    return [len(b"".join(pieces[i * window : (i + 1) * window])) for i in range(len(pieces) // window)]


@right("window_bytes")
def differences_of_sums(pieces, window):
    if type(window) is not int or window <= 0:
        raise ValueError(f"bad window {window!r}")
    until = [0, *itertools.accumulate(map(len, pieces))][::window]
    return [end - start for start, end in itertools.pairwise(until)]


@right("window_bytes")
def a_running_count(pieces, window):
    if type(window) is not int or window < 1:
        raise ValueError("window")
    found, tokens, size = [], 0, 0
    for piece in pieces:
        tokens, size = tokens + 1, size + len(piece)
        if tokens == window:
            found.append(size)
            tokens = size = 0
    return found


@right("window_bytes")
def iterators_zipped(pieces, window):
    if type(window) is not int or window < 1:
        raise ValueError("window")
    return [sum(map(len, group)) for group in zip(*[iter(pieces)] * window, strict=False)]


@right("window_bytes")
def by_numpy(pieces, window):
    import numpy as np

    if type(window) is not int or window < 1:
        raise ValueError("window is not a positive int")
    whole = len(pieces) // window * window
    sizes = np.array([len(piece) for piece in pieces[:whole]], dtype=int)
    return sizes.reshape(-1, window).sum(axis=1).tolist()


@right("window_bytes")
def queue_on_a_copy(pieces, window):
    from collections import deque

    if type(window) is not int or window < 1:
        raise ValueError("window")
    queue, found = deque(pieces), []
    while len(queue) >= window:
        found.append(sum(len(queue.popleft()) for _ in range(window)))
    return found


@right("plot_coverage")
def coverage_by_matplotlib(sizes):
    rows = [
        (text, size, rank / len(own)) for text, own in sizes.items() for rank, size in enumerate(sorted(own), start=1)
    ]
    figure, axes = plt.subplots()
    for text, own in sizes.items():
        axes.ecdf(own, label=text)
    axes.set(title="Windows", xlabel="bytes", ylabel="share of windows")
    axes.legend()
    return pd.DataFrame(rows, columns=["text", "bytes", "share"]), figure


@right("plot_coverage")
def ecdf_by_rank(sizes):
    frames = []
    for text, own in sizes.items():
        part = pd.DataFrame({"text": text, "bytes": sorted(own)})
        part["share"] = part["bytes"].rank(method="first") / len(part)
        frames.append(part)
    frame = pd.concat(frames)
    figure, axes = plt.subplots()
    for text in sizes:
        part = frame[frame["text"] == text]
        axes.step(part["bytes"], part["share"], where="post", label=text)
    axes.set(title="Windows", xlabel="bytes", ylabel="share")
    axes.legend()
    return frame, figure


@right("plot_coverage")
def points_only(sizes):
    columns = {"text": [], "bytes": [], "share": []}
    figure, axes = plt.subplots()
    for text, own in sizes.items():
        ordered, shares = sorted(own), [(place + 1) / len(own) for place in range(len(own))]
        columns["text"] += [text] * len(own)
        columns["bytes"] += ordered
        columns["share"] += shares
        axes.scatter(ordered, shares, label=text)
    axes.set(title="Windows", xlabel="bytes", ylabel="share")
    figure.axes[0].legend()
    return pd.DataFrame(columns), figure


# --- embedding_share and plot_budget -------------------------------------------------------------------------------


@right("embedding_share")
def one_minus_the_rest(vocab_size, d_model, layers, tied):
    for name, value in {"vocab_size": vocab_size, "d_model": d_model, "layers": layers}.items():
        if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
            raise ValueError(f"{name} is {value!r}, not a positive int")
    body = 12 * layers * d_model * d_model
    total = body + vocab_size * d_model * (2 - bool(tied))
    return 1 - body / total


@right("embedding_share")
def width_cancelled(vocab_size, d_model, layers, tied):
    for name, value in zip(("vocab_size", "d_model", "layers"), (vocab_size, d_model, layers), strict=True):
        if type(value) is not int:
            raise ValueError(f"{name} must be an int")
        if value < 1:
            raise ValueError(f"{name} must be at least 1")
    rows = vocab_size if tied else vocab_size + vocab_size
    return rows / (rows + 12 * layers * d_model)


@right("plot_budget")
def frame_of_products(sizes, models):
    frame = pd.DataFrame([
        {"model": name, **row, "share": embedding_share(row["vocab_size"], d_model=shape["d_model"],
                                                        layers=shape["layers"], tied=shape["tied"])}
        for name, shape in models.items() for row in sizes
    ])
    figure, axes = plt.subplots()
    for name in models:
        part = frame[frame["model"] == name].sort_values("share")
        axes.semilogx(part["share"], part["ratio"], "o-", label=name)
    axes.set(title="Budget", xlabel="share", ylabel="ratio")
    axes.legend()
    return frame, figure


@right("plot_budget")
def scattered(sizes, models):
    columns = {"model": [], "vocab_size": [], "share": [], "ratio": []}
    figure, axes = plt.subplots()
    for name, shape in models.items():
        shares = [embedding_share(size["vocab_size"], **shape) for size in sizes]
        columns["model"] += [name] * len(sizes)
        columns["vocab_size"] += [size["vocab_size"] for size in sizes]
        columns["share"] += shares
        columns["ratio"] += [size["ratio"] for size in sizes]
        axes.scatter(shares, [size["ratio"] for size in sizes], label=name)
    axes.set(title="Budget", xlabel="share", ylabel="ratio")
    axes.legend()
    return pd.DataFrame(columns), figure
