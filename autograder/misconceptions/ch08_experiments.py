"""Wrong versions of chapter 8's answers, each with the sentence that helps whoever wrote it.

The names that the bodies use (`LearntBPE`, `embedding_share`) are the ones that the notebook defines.
"""

import itertools
import os
import statistics
import subprocess
import sys

import matplotlib.pyplot as plt
import pandas as pd

from autograder.misconceptions.api import wrong
from autograder.reference.experiments import LearntBPE, embedding_share

STYLES = [{"linestyle": "-", "marker": "o"}]  # as the notebook calls its own, which have colours too


def draw(axes, frame, by, x, y, **texts):
    """The notebook's helper: a line for each group of rows, y over x from the smallest x on."""
    for (name, part), style in zip(frame.groupby(by, sort=False), itertools.cycle(STYLES), strict=False):
        part = part.sort_values(x, kind="stable")
        axes.plot(part[x], part[y], label=name, **style)
    axes.set(**texts)


# --- predictions ---------------------------------------------------------------------------------------------------


@wrong("predict_gap", caught_by="gap_in_percent")
def a_text_for_a_number():
    """Your prediction is a text. Write the number alone, without quotes and without the sign %."""
    return "20 %"


@wrong("predict_tax", caught_by="three_languages")
def english_pays_itself():
    """The tax is relative to English, so English itself always pays 1. Name three others."""
    return ["English", "Tamil", "Thai"]


@wrong("predict_ties", caught_by="number_of_rules")
def a_share_for_a_number():
    """Your prediction is a share. Write how many of the 400 rules it is, as a whole number."""
    return 0.75


@wrong("predict_digests", caught_by="yes_or_no_for_each_recipe")
def names_of_the_good_ones():
    """Say True or False for each of the four recipes, in a dictionary: those that you leave out are predictions too."""
    return ["repr of a dict", "JSON of a sorted list"]


@wrong("predict_windows", caught_by="five_languages_in_order")
def the_largest_only():
    """Put all five languages in order, and not just the one that you expect at the end."""
    return ["Russian"]


@wrong("predict_budget", caught_by="share_in_percent")
def more_than_everything():
    """Tables are a part of all weights, so their share is 100 percent at most."""
    return 250


# --- sweep ---------------------------------------------------------------------------------------------------------


@wrong("sweep", caught_by="learns_from_train_only", also=["longer_texts"])
def learns_from_everything(splits, vocab_sizes):
    """Your tokenizer learns from all splits. A text that was learnt from is not held out: what you measure on it says
    nothing about new texts. Give LearntBPE the split "train" only."""
    rows = []
    for asked in vocab_sizes:
        learnt = LearntBPE([text for texts in splits.values() for text in texts], asked)
        for split, texts in splits.items():
            size = sum(len(text.encode()) for text in texts)
            tokens = sum(len(learnt.encode(text)) for text in texts)
            rows.append((asked, learnt.vocab_size, split, size, tokens, size / tokens))
    return pd.DataFrame(rows, columns=["asked", "vocab_size", "split", "bytes", "tokens", "ratio"])


@wrong("sweep", caught_by="learns_from_train_only")
def learns_from_the_first_split(splits, vocab_sizes):
    """Your tokenizer learns from whichever split comes first. The one to learn from is called "train", wherever it
    stands: splits["train"]."""
    rows = []
    for asked in vocab_sizes:
        learnt = LearntBPE(next(iter(splits.values())), asked)
        for split, texts in splits.items():
            size = sum(len(text.encode()) for text in texts)
            tokens = sum(len(learnt.encode(text)) for text in texts)
            rows.append((asked, learnt.vocab_size, split, size, tokens, size / tokens))
    return pd.DataFrame(rows, columns=["asked", "vocab_size", "split", "bytes", "tokens", "ratio"])


@wrong("sweep", caught_by="learns_from_train_only", also=["each_text_by_itself", "longer_texts"])
def learns_each_split_anew(splits, vocab_sizes):
    """Your function learns a tokenizer for each split from that split, so no text is ever held out. Learn once for each
    size, from the split "train", and encode all splits with it."""
    rows = []
    for asked in vocab_sizes:
        for split, texts in splits.items():
            learnt = LearntBPE(texts, asked)
            size = sum(len(text.encode()) for text in texts)
            tokens = sum(len(learnt.encode(text)) for text in texts)
            rows.append((asked, learnt.vocab_size, split, size, tokens, size / tokens))
    return pd.DataFrame(rows, columns=["asked", "vocab_size", "split", "bytes", "tokens", "ratio"])


@wrong("sweep", caught_by="counts_bytes_not_characters", also=["longer_texts"])
def sweep_counts_characters(splits, vocab_sizes):
    """Your ratio counts characters. The text's size is its UTF-8 bytes: `len(text.encode())`, or texts in different
    scripts cannot be compared."""
    rows = []
    for asked in vocab_sizes:
        learnt = LearntBPE(splits["train"], asked)
        for split, texts in splits.items():
            size = sum(map(len, texts))
            tokens = sum(len(learnt.encode(text)) for text in texts)
            rows.append((asked, learnt.vocab_size, split, size, tokens, size / tokens))
    return pd.DataFrame(rows, columns=["asked", "vocab_size", "split", "bytes", "tokens", "ratio"])


@wrong("sweep", caught_by="ratio_of_sums", also=["longer_texts"])
def mean_of_ratios(splits, vocab_sizes):
    """Your ratio is the mean of the texts' ratios: there a text of one letter counts for as much as a chapter. Divide
    the sum of the bytes by the sum of the tokens."""
    rows = []
    for asked in vocab_sizes:
        learnt = LearntBPE(splits["train"], asked)
        for split, texts in splits.items():
            sizes = [len(text.encode()) for text in texts]
            tokens = [len(learnt.encode(text)) for text in texts]
            ratio = statistics.mean(size / number for size, number in zip(sizes, tokens, strict=True))
            rows.append((asked, learnt.vocab_size, split, sum(sizes), sum(tokens), ratio))
    return pd.DataFrame(rows, columns=["asked", "vocab_size", "split", "bytes", "tokens", "ratio"])


@wrong("sweep", caught_by="ratio_of_sums", also=["longer_texts"])
def tokens_per_byte(splits, vocab_sizes):
    """Your ratio is tokens divided by bytes. The compression ratio is the other way round, bytes per token: more is
    better."""
    rows = []
    for asked in vocab_sizes:
        learnt = LearntBPE(splits["train"], asked)
        for split, texts in splits.items():
            size = sum(len(text.encode()) for text in texts)
            tokens = sum(len(learnt.encode(text)) for text in texts)
            rows.append((asked, learnt.vocab_size, split, size, tokens, tokens / size))
    return pd.DataFrame(rows, columns=["asked", "vocab_size", "split", "bytes", "tokens", "ratio"])


@wrong("sweep", caught_by="each_text_by_itself", also=["longer_texts"])
def texts_joined(splits, vocab_sizes):
    """You join the texts of a split before you encode them, so the end of one and the start of the next can melt into
    one token. Encode each text by itself and add up."""
    rows = []
    for asked in vocab_sizes:
        learnt = LearntBPE(splits["train"], asked)
        for split, texts in splits.items():
            whole = "".join(texts)
            size, tokens = len(whole.encode()), len(learnt.encode(whole))
            rows.append((asked, learnt.vocab_size, split, size, tokens, size / tokens))
    return pd.DataFrame(rows, columns=["asked", "vocab_size", "split", "bytes", "tokens", "ratio"])


@wrong("sweep", caught_by="size_really_reached")
def size_asked_for(splits, vocab_sizes):
    """Your column vocab_size repeats the size asked for. When no pair is left that stands at two places, learning ends
    earlier; the size reached is `learnt.vocab_size`."""
    rows = []
    for asked in vocab_sizes:
        learnt = LearntBPE(splits["train"], asked)
        for split, texts in splits.items():
            size = sum(len(text.encode()) for text in texts)
            tokens = sum(len(learnt.encode(text)) for text in texts)
            rows.append((asked, asked, split, size, tokens, size / tokens))
    return pd.DataFrame(rows, columns=["asked", "vocab_size", "split", "bytes", "tokens", "ratio"])


@wrong("sweep", caught_by="rows_in_order", also=["longer_texts"])
def splits_outside(splits, vocab_sizes):
    """Your table goes through the splits first and through the sizes inside. All splits of the first size come first,
    then those of the next."""
    rows = []
    for split, texts in splits.items():
        for asked in vocab_sizes:
            learnt = LearntBPE(splits["train"], asked)
            size = sum(len(text.encode()) for text in texts)
            tokens = sum(len(learnt.encode(text)) for text in texts)
            rows.append((asked, learnt.vocab_size, split, size, tokens, size / tokens))
    return pd.DataFrame(rows, columns=["asked", "vocab_size", "split", "bytes", "tokens", "ratio"])


@wrong("sweep", caught_by="splits_and_sizes_stay")
def sizes_used_up(splits, vocab_sizes):
    """You take the sizes out of the caller's list; a second sweep has none. Go through the list with for."""
    rows = []
    while vocab_sizes:
        asked = vocab_sizes.pop(0)
        learnt = LearntBPE(splits["train"], asked)
        for split, texts in splits.items():
            size = sum(len(text.encode()) for text in texts)
            tokens = sum(len(learnt.encode(text)) for text in texts)
            rows.append((asked, learnt.vocab_size, split, size, tokens, size / tokens))
    return pd.DataFrame(rows, columns=["asked", "vocab_size", "split", "bytes", "tokens", "ratio"])


# --- plot_sweep ----------------------------------------------------------------------------------------------------


@wrong("plot_sweep", caught_by="gap_to_train", also=["ratio_and_gap_are_drawn"])
def gap_as_a_difference(rows):
    """Your gap is the difference of the ratios in bytes per token. As a share of the ratio on train, gaps at different
    sizes can be compared: 1 - ratio / train."""
    frame = pd.DataFrame(rows)
    train = frame[frame["split"] == "train"].set_index("vocab_size")["ratio"]
    frame["gap"] = frame["vocab_size"].map(train) - frame["ratio"]
    figure = plt.Figure()
    panels = figure.subplots(1, 2)
    for axes, y in zip(panels, ("ratio", "gap"), strict=True):
        draw(axes, frame, "split", "vocab_size", y, title=y, xlabel="vocabulary size", ylabel=y)
        axes.legend()
    return frame, figure


@wrong("plot_sweep", caught_by="gap_to_train", also=["ratio_and_gap_are_drawn"])
def gap_to_the_best(rows):
    """Your gap compares every row with the one highest ratio of all. Compare at the same vocabulary size, or the gap of
    a small vocabulary only says that it is small."""
    frame = pd.DataFrame(rows)
    frame["gap"] = 1 - frame["ratio"] / frame[frame["split"] == "train"]["ratio"].max()
    figure = plt.Figure()
    panels = figure.subplots(1, 2)
    for axes, y in zip(panels, ("ratio", "gap"), strict=True):
        draw(axes, frame, "split", "vocab_size", y, title=y, xlabel="vocabulary size", ylabel=y)
        axes.legend()
    return frame, figure


@wrong("plot_sweep", caught_by="gap_to_train", also=["ratio_and_gap_are_drawn"])
def gap_to_the_best_of_the_size(rows):
    """Your gap compares every row with the highest ratio at its vocabulary size. That need not be train: a text may be
    encoded better than what was learnt from, and then its gap is below 0."""
    frame = pd.DataFrame(rows)
    frame["gap"] = 1 - frame["ratio"] / frame.groupby("vocab_size")["ratio"].transform("max")
    figure = plt.Figure()
    panels = figure.subplots(1, 2)
    for axes, y in zip(panels, ("ratio", "gap"), strict=True):
        draw(axes, frame, "split", "vocab_size", y, title=y, xlabel="vocabulary size", ylabel=y)
        axes.legend()
    return frame, figure


@wrong("plot_sweep", caught_by="ratio_and_gap_are_drawn")
def lines_to_and_fro(rows):
    """Your lines follow the order of the rows and may run to and fro. Sort each split by its vocabulary size first."""
    frame = pd.DataFrame(rows)
    train = frame[frame["split"] == "train"].set_index("vocab_size")["ratio"]
    frame["gap"] = 1 - frame["ratio"] / frame["vocab_size"].map(train)
    figure = plt.Figure()
    panels = figure.subplots(1, 2)
    for axes, y in zip(panels, ("ratio", "gap"), strict=True):
        for split, part in frame.groupby("split", sort=False):
            axes.plot(part["vocab_size"], part[y], label=split)
        axes.set(title=y, xlabel="vocabulary size", ylabel=y)
        axes.legend()
    return frame, figure


@wrong("plot_sweep", caught_by="sweep_is_labelled")
def sweep_without_legend(rows):
    """Your figure has no legend, so nobody knows which line is which text: call axes.legend()."""
    frame = pd.DataFrame(rows)
    train = frame[frame["split"] == "train"].set_index("vocab_size")["ratio"]
    frame["gap"] = 1 - frame["ratio"] / frame["vocab_size"].map(train)
    figure = plt.Figure()
    panels = figure.subplots(1, 2)
    for axes, y in zip(panels, ("ratio", "gap"), strict=True):
        draw(axes, frame, "split", "vocab_size", y, title=y, xlabel="vocabulary size", ylabel=y)
    return frame, figure


@wrong("plot_sweep", caught_by="swept_rows_stay")
def gaps_written_into_the_rows(rows):
    """You write the gap into the caller's own rows. What was measured stays as it was: add the column to the
    DataFrame."""
    train = {row["vocab_size"]: row["ratio"] for row in rows if row["split"] == "train"}
    for row in rows:
        row["gap"] = 1 - row["ratio"] / train[row["vocab_size"]]
    frame = pd.DataFrame(rows)
    figure = plt.Figure()
    panels = figure.subplots(1, 2)
    for axes, y in zip(panels, ("ratio", "gap"), strict=True):
        draw(axes, frame, "split", "vocab_size", y, title=y, xlabel="vocabulary size", ylabel=y)
        axes.legend()
    return frame, figure


# --- token_tax -----------------------------------------------------------------------------------------------------


@wrong("token_tax", caught_by="bytes_and_tokens", also=["drawn_texts"])
def scripts_by_place(texts, scripts, tokenizer, base="English"):
    """You take the scripts in the order of their own dictionary, as if it were that of the texts. Look each one up by
    its language."""
    if base not in texts:
        raise ValueError("base")
    tokens = {language: len(tokenizer.encode(text)) for language, text in texts.items()}
    rows = [
        (language, script, len(texts[language].encode()), tokens[language], tokens[language] / tokens[base])
        for language, script in zip(texts, scripts.values(), strict=True)
    ]
    frame = pd.DataFrame(rows, columns=["language", "script", "bytes", "tokens", "tax"])
    return frame.sort_values("tax", kind="stable", ignore_index=True)


@wrong("token_tax", caught_by="bytes_and_tokens", also=["relative_to_english", "drawn_texts"])
def different_ids_counted(texts, scripts, tokenizer, base="English"):
    """You count the different ids of a text. Each token is paid for, also one that came before: count all of them."""
    if base not in texts:
        raise ValueError("base")
    tokens = {language: len(set(tokenizer.encode(text))) for language, text in texts.items()}
    rows = [
        (language, scripts[language], len(text.encode()), tokens[language], tokens[language] / tokens[base])
        for language, text in texts.items()
    ]
    frame = pd.DataFrame(rows, columns=["language", "script", "bytes", "tokens", "tax"])
    return frame.sort_values("tax", kind="stable", ignore_index=True)


@wrong("token_tax", caught_by="bytes_and_tokens")
def ends_taken_off(texts, scripts, tokenizer, base="English"):
    """You take white space off the ends of each text. The texts are compared as they are: a line end costs a token,
    too."""
    if base not in texts:
        raise ValueError("base")
    rows = []
    for language, text in texts.items():
        tokens = len(tokenizer.encode(text.strip()))
        tax = tokens / len(tokenizer.encode(texts[base].strip()))
        rows.append((language, scripts[language], len(text.encode()), tokens, tax))
    rows.sort(key=lambda row: row[-1])
    return pd.DataFrame(rows, columns=["language", "script", "bytes", "tokens", "tax"])


@wrong("token_tax", caught_by="relative_to_english", also=["relative_to_another_base", "lowest_tax_first",
                                                           "drawn_texts"])
def tokens_per_character(texts, scripts, tokenizer, base="English"):
    """Your tax is tokens per character. Scripts say different amounts in one character, so that is no price for the
    same content. Divide by the tokens of the base language's text, which says the same."""
    if base not in texts:
        raise ValueError("base")
    rows = []
    for language, text in texts.items():
        tokens = len(tokenizer.encode(text))
        rows.append((language, scripts[language], len(text.encode()), tokens, tokens / len(text)))
    columns = ["language", "script", "bytes", "tokens", "tax"]
    return pd.DataFrame(sorted(rows, key=lambda row: row[-1]), columns=columns)


@wrong("token_tax", caught_by="relative_to_english", also=["relative_to_another_base", "lowest_tax_first",
                                                           "drawn_texts"])
def tokens_per_byte_tax(texts, scripts, tokenizer, base="English"):
    """Your tax is tokens per byte, the compression ratio upside down. A script with many bytes for each letter then
    looks cheap. Divide by the tokens of the base language's text, which says the same."""
    if base not in texts:
        raise ValueError("base")
    rows = []
    for language, text in texts.items():
        tokens = len(tokenizer.encode(text))
        rows.append((language, scripts[language], len(text.encode()), tokens, tokens / len(text.encode())))
    columns = ["language", "script", "bytes", "tokens", "tax"]
    return pd.DataFrame(sorted(rows, key=lambda row: row[-1]), columns=columns)


@wrong("token_tax", caught_by="relative_to_english", also=["relative_to_another_base", "drawn_texts"])
def share_more_than_base(texts, scripts, tokenizer, base="English"):
    """Your tax says how much more a language costs, 0 for the base. It is the plain quotient: 1 for the base, 2 for
    twice as many tokens."""
    if base not in texts:
        raise ValueError("base")
    own = len(tokenizer.encode(texts[base]))
    rows = []
    for language, text in texts.items():
        tokens = len(tokenizer.encode(text))
        rows.append((language, scripts[language], len(text.encode()), tokens, tokens / own - 1))
    columns = ["language", "script", "bytes", "tokens", "tax"]
    return pd.DataFrame(sorted(rows, key=lambda row: row[-1]), columns=columns)


@wrong("token_tax", caught_by="relative_to_another_base", also=["drawn_texts"])
def always_english(texts, scripts, tokenizer, base="English"):
    """Your function divides by the English tokens whatever base is. The base is an argument: use texts[base]."""
    if base not in texts:
        raise ValueError("base")
    own = len(tokenizer.encode(texts["English"])) if "English" in texts else 1
    rows = []
    for language, text in texts.items():
        tokens = len(tokenizer.encode(text))
        rows.append((language, scripts[language], len(text.encode()), tokens, tokens / own))
    columns = ["language", "script", "bytes", "tokens", "tax"]
    return pd.DataFrame(sorted(rows, key=lambda row: row[-1]), columns=columns)


@wrong("token_tax", caught_by="bytes_and_tokens", also=["drawn_texts"])
def tax_counts_characters(texts, scripts, tokenizer, base="English"):
    """Your column bytes holds characters: write `len(text.encode("utf-8"))`."""
    if base not in texts:
        raise ValueError("base")
    own = len(tokenizer.encode(texts[base]))
    rows = []
    for language, text in texts.items():
        tokens = len(tokenizer.encode(text))
        rows.append((language, scripts[language], len(text), tokens, tokens / own))
    columns = ["language", "script", "bytes", "tokens", "tax"]
    return pd.DataFrame(sorted(rows, key=lambda row: row[-1]), columns=columns)


@wrong("token_tax", caught_by="lowest_tax_first", also=["drawn_texts"])
def highest_tax_first(texts, scripts, tokenizer, base="English"):
    """Your rows go from the highest tax to the lowest; the lowest comes first."""
    if base not in texts:
        raise ValueError("base")
    own = len(tokenizer.encode(texts[base]))
    rows = []
    for language, text in texts.items():
        tokens = len(tokenizer.encode(text))
        rows.append((language, scripts[language], len(text.encode()), tokens, tokens / own))
    columns = ["language", "script", "bytes", "tokens", "tax"]
    return pd.DataFrame(sorted(rows, key=lambda row: -row[-1]), columns=columns)


@wrong("token_tax", caught_by="refuses_an_unknown_base")
def unknown_base_is_one(texts, scripts, tokenizer, base="English"):
    """A base that is not among the texts passes unnoticed, and the taxes are then relative to nothing. Raise ValueError
    that names base."""
    own = len(tokenizer.encode(texts[base])) if base in texts else 1
    rows = []
    for language, text in texts.items():
        tokens = len(tokenizer.encode(text))
        rows.append((language, scripts[language], len(text.encode()), tokens, tokens / own))
    columns = ["language", "script", "bytes", "tokens", "tax"]
    return pd.DataFrame(sorted(rows, key=lambda row: row[-1]), columns=columns)


@wrong("token_tax", caught_by="parallel_texts_stay")
def scripts_taken_out(texts, scripts, tokenizer, base="English"):
    """You take the scripts out of the caller's dictionary with pop: for the next tokenizer there are none. Square
    brackets look up and leave alone."""
    if base not in texts:
        raise ValueError("base")
    own = len(tokenizer.encode(texts[base]))
    rows = []
    for language, text in texts.items():
        tokens = len(tokenizer.encode(text))
        rows.append((language, scripts.pop(language), len(text.encode()), tokens, tokens / own))
    columns = ["language", "script", "bytes", "tokens", "tax"]
    return pd.DataFrame(sorted(rows, key=lambda row: row[-1]), columns=columns)


# --- tax_by_script -------------------------------------------------------------------------------------------------


@wrong("tax_by_script", caught_by="median_of_the_script", also=["lowest_median_first", "drawn_taxes"])
def mean_for_median(rows):
    """Your column median holds the mean, which one odd language moves far. The median is the middle of the sorted
    taxes."""
    groups = pd.DataFrame(rows).groupby("script", sort=False)["tax"]
    table = groups.agg(languages="count", lowest="min", median="mean", highest="max").reset_index()
    return table.sort_values("median", kind="stable", ignore_index=True)


@wrong("tax_by_script", caught_by="median_of_the_script", also=["drawn_taxes"])
def upper_middle(rows):
    """Of an even number of taxes you take the upper one of the two in the middle. The median is their mean."""
    taxes: dict = {}
    for row in rows:
        taxes.setdefault(row["script"], []).append(row["tax"])
    table = [(s, len(own), min(own), statistics.median_high(own), max(own)) for s, own in taxes.items()]
    table.sort(key=lambda row: statistics.median(taxes[row[0]]))
    return pd.DataFrame(table, columns=["script", "languages", "lowest", "median", "highest"])


@wrong("tax_by_script", caught_by="lowest_median_first", also=["median_of_the_script", "drawn_taxes"])
def scripts_by_name(rows):
    """Your scripts are in the order of their names: groupby sorts by the group. Sort by the median, so that the eye
    finds a pattern."""
    groups = pd.DataFrame(rows).groupby("script")["tax"]
    return groups.agg(languages="count", lowest="min", median="median", highest="max").reset_index()


@wrong("tax_by_script", caught_by="grouped_rows_stay")
def rows_sorted_for_the_median(rows):
    """You sort the caller's own list of rows to find the median. `sorted` gives a new list, and statistics.median needs
    no order."""
    taxes: dict = {row["script"]: [] for row in rows}
    rows.sort(key=lambda row: row["tax"])
    for row in rows:
        taxes[row["script"]].append(row["tax"])
    table = [(s, len(own), own[0], statistics.median(own), own[-1]) for s, own in taxes.items()]
    table.sort(key=lambda row: row[3])
    return pd.DataFrame(table, columns=["script", "languages", "lowest", "median", "highest"])


# --- plot_tax ------------------------------------------------------------------------------------------------------


@wrong("plot_tax", caught_by="languages_by_tax")
def languages_as_given(rows):
    """Your languages stand in the order given; sort them by the first tokenizer's tax, so that the eye finds a
    pattern."""
    frame = pd.DataFrame(rows)
    figure = plt.Figure()
    axes = figure.subplots()
    for name, part in frame.groupby("tokenizer", sort=False):
        axes.plot(part["tax"], part["language"], "o", label=name)
    axes.set(xscale="log", title="Token tax", xlabel="tax", ylabel="language")
    axes.legend()
    return frame, figure


@wrong("plot_tax", caught_by="one_series_a_tokenizer")
def taxes_on_a_plain_axis(rows):
    """A tax of 8 lies as far from 4 as 4 from 2: as factors they are equal steps, which only a logarithmic axis
    shows. Set xscale="log"."""
    frame = pd.DataFrame(rows)
    first = frame[frame["tokenizer"] == frame["tokenizer"][0]].sort_values("tax")
    frame = pd.concat([frame[frame["language"] == language] for language in first["language"]])
    figure = plt.Figure()
    axes = figure.subplots()
    for name, part in frame.groupby("tokenizer", sort=False):
        axes.plot(part["tax"], part["language"], "o", label=name)
    axes.set(title="Token tax", xlabel="tax", ylabel="language")
    axes.legend()
    return frame, figure


@wrong("plot_tax", caught_by="one_series_a_tokenizer")
def names_in_another_order(rows):
    """The names at the ticks follow one order and the points another, so taxes stand at languages that are not theirs.
    Take both from the same sorted table."""
    frame = pd.DataFrame(rows)
    first = frame[frame["tokenizer"] == frame["tokenizer"][0]].sort_values("tax")
    figure = plt.Figure()
    axes = figure.subplots()
    for name, part in frame.groupby("tokenizer", sort=False):
        axes.plot(part["tax"], range(len(part)), "o", label=name)
    axes.set_yticks(range(len(first)), first["language"])
    axes.set(xscale="log", title="Token tax", xlabel="tax", ylabel="language")
    axes.legend()
    return pd.concat([frame[frame["language"] == language] for language in first["language"]]), figure


@wrong("plot_tax", caught_by="every_row_is_there", also=["one_series_a_tokenizer"])
def mean_of_tokenizers(rows):
    """You average the taxes of all tokenizers. They are to be compared, so each keeps its own series."""
    frame = pd.DataFrame(rows)
    first = frame[frame["tokenizer"] == frame["tokenizer"][0]].sort_values("tax")
    mean = frame.groupby("language")["tax"].mean()
    frame = first.assign(tax=first["language"].map(mean))
    figure = plt.Figure()
    axes = figure.subplots()
    axes.plot(frame["tax"], frame["language"], "o", label="mean")
    axes.set(xscale="log", title="Token tax", xlabel="tax", ylabel="language")
    axes.legend()
    return frame, figure


@wrong("plot_tax", caught_by="taxed_rows_stay")
def rows_sorted_for_the_figure(rows):
    """You sort the caller's own list of rows. `sorted` gives a new list, and a DataFrame has sort_values."""
    first = {row["language"]: row["tax"] for row in rows if row["tokenizer"] == rows[0]["tokenizer"]}
    rows.sort(key=lambda row: first[row["language"]])
    frame = pd.DataFrame(rows)
    figure = plt.Figure()
    axes = figure.subplots()
    for name, part in frame.groupby("tokenizer", sort=False):
        axes.plot(part["tax"], part["language"], "o", label=name)
    axes.set(xscale="log", title="Token tax", xlabel="tax", ylabel="language")
    axes.legend()
    return frame, figure


# --- break_tie -----------------------------------------------------------------------------------------------------


@wrong("break_tie", caught_by="greatest_bytes", also=["drawn_ties"])
def greatest_ids(tied, pieces, rule):
    """For R2 you compare ids. A new token has a great id whatever its bytes are: look up the bytes in pieces first."""
    if rule == "R1":
        return min(tied)
    return max(tied) if rule == "R2" else tied[0]


@wrong("break_tie", caught_by="greatest_bytes", also=["drawn_ties"])
def greatest_joined_bytes(tied, pieces, rule):
    """For R2 you compare the joined bytes. The first parts are compared, and only if they are equal the second parts:
    (aa, a) is greater than (a, aa), though joined both are aaa."""
    if rule == "R1":
        return min(tied)
    if rule == "R2":
        return max(tied, key=lambda pair: pieces[pair[0]] + pieces[pair[1]])
    return tied[0]


@wrong("break_tie", caught_by="greatest_bytes", also=["drawn_ties"])
def least_bytes(tied, pieces, rule):
    """For R2 you take the smallest pair of bytes. R2 takes the greatest: max instead of min."""
    if rule == "R1":
        return min(tied)
    if rule == "R2":
        return min(tied, key=lambda pair: (pieces[pair[0]], pieces[pair[1]]))
    return tied[0]


@wrong("break_tie", caught_by="greatest_bytes")
def greatest_text(tied, pieces, rule):
    """For R2 you compare pieces as text. Half a character is no text: with errors="replace" all such bytes become the
    same sign, though a9 and c3 are different numbers. Compare the bytes."""
    if rule == "R1":
        return min(tied)
    if rule == "R2":
        return max(tied, key=lambda pair: [pieces[part].decode("utf-8", errors="replace") for part in pair])
    return tied[0]


@wrong("break_tie", caught_by="smallest_ids", also=["drawn_ties"])
def smallest_bytes_for_ids(tied, pieces, rule):
    """For R1 you compare bytes. R1 compares the ids themselves, as numbers: min(tied)."""
    if rule == "R1":
        return min(tied, key=lambda pair: (pieces[pair[0]], pieces[pair[1]]))
    if rule == "R2":
        return max(tied, key=lambda pair: (pieces[pair[0]], pieces[pair[1]]))
    return tied[0]


@wrong("break_tie", caught_by="first_seen", also=["drawn_ties"])
def last_seen(tied, pieces, rule):
    """For R3 you take the pair seen last. The list is in the order of first sight: the answer is tied[0]."""
    if rule == "R1":
        return min(tied)
    if rule == "R2":
        return max(tied, key=lambda pair: (pieces[pair[0]], pieces[pair[1]]))
    return tied[-1]


@wrong("break_tie", caught_by="tied_pairs_stay")
def ties_sorted_in_place(tied, pieces, rule):
    """You sort the caller's own list of pairs. Its order is that of first sight, which R3 needs: min and max find the
    pair and leave the list alone."""
    if rule == "R1":
        tied.sort()
    if rule == "R2":
        tied.sort(key=lambda pair: (pieces[pair[0]], pieces[pair[1]]), reverse=True)
    return tied[0]


# --- divergence ----------------------------------------------------------------------------------------------------


@wrong("divergence", caught_by="at_the_same_place", also=["drawn_rules"])
def order_ignored(rules, base, steps):
    """Your same_place counts common rules wherever they stand. Order matters there: compare place by place."""
    if base not in rules:
        raise ValueError("base")
    rows = []
    for name, own in rules.items():
        for step in steps:
            common = len(set(rules[base][:step]) & set(own[:step]))
            rows.append((name, step, common, common))
    return pd.DataFrame(rows, columns=["rule_set", "merges", "same_place", "same_rules"])


@wrong("divergence", caught_by="at_the_same_place", also=["drawn_rules"])
def until_the_first_difference(rules, base, steps):
    """Your same_place stops at the first difference. Lists may meet again behind it: count all places."""
    if base not in rules:
        raise ValueError("base")
    rows = []
    for name, own in rules.items():
        for step in steps:
            left, right = rules[base][:step], own[:step]
            same = len(list(itertools.takewhile(lambda two: two[0] == two[1], zip(left, right, strict=False))))
            rows.append((name, step, same, len(set(left) & set(right))))
    return pd.DataFrame(rows, columns=["rule_set", "merges", "same_place", "same_rules"])


@wrong("divergence", caught_by="at_any_place", also=["drawn_rules"])
def whole_list_of_the_other(rules, base, steps):
    """You look for the first rules among all rules of the base. Take the first ones of both lists: what the base learns
    later is no rule of its first ones."""
    if base not in rules:
        raise ValueError("base")
    rows = []
    for name, own in rules.items():
        for step in steps:
            same = sum(a == b for a, b in zip(rules[base][:step], own[:step], strict=False))
            rows.append((name, step, same, len(set(rules[base]) & set(own[:step]))))
    return pd.DataFrame(rows, columns=["rule_set", "merges", "same_place", "same_rules"])


@wrong("divergence", caught_by="at_any_place", also=["drawn_rules"])
def counts_what_differs(rules, base, steps):
    """Your same_rules counts rules that only one of the two has. Intersect the sets: `&`, not `^`."""
    if base not in rules:
        raise ValueError("base")
    rows = []
    for name, own in rules.items():
        for step in steps:
            left, right = rules[base][:step], own[:step]
            same = sum(a == b for a, b in zip(left, right, strict=False))
            rows.append((name, step, same, len(set(left) ^ set(right))))
    return pd.DataFrame(rows, columns=["rule_set", "merges", "same_place", "same_rules"])


@wrong("divergence", caught_by="at_any_place")
def joined_bytes_compared(rules, base, steps):
    """Your same_rules compares what the rules make. (a, bc) and (ab, c) make the same bytes and are two rules:
    compare the pairs."""
    if base not in rules:
        raise ValueError("base")
    rows = []
    for name, own in rules.items():
        for step in steps:
            left, right = rules[base][:step], own[:step]
            same = sum(a == b for a, b in zip(left, right, strict=False))
            rows.append((name, step, same, len(set(map(b"".join, left)) & set(map(b"".join, right)))))
    return pd.DataFrame(rows, columns=["rule_set", "merges", "same_place", "same_rules"])


@wrong("divergence", caught_by="compared_rules_stay")
def rules_taken_out(rules, base, steps):
    """You take the rule sets out of the caller's dictionary with pop, and leave it empty. Go through rules.items(),
    which only looks."""
    if base not in rules:
        raise ValueError("base")
    first, rows = rules[base], []
    for name in list(rules):
        own = rules.pop(name)
        for step in steps:
            left, right = first[:step], own[:step]
            same = sum(a == b for a, b in zip(left, right, strict=False))
            rows.append((name, step, same, len(set(left) & set(right))))
    return pd.DataFrame(rows, columns=["rule_set", "merges", "same_place", "same_rules"])


# --- plot_ties -----------------------------------------------------------------------------------------------------


@wrong("plot_ties", caught_by="shares_of_the_rules", also=["shares_and_ratio_are_drawn"])
def share_of_all_merges(rows):
    """You divide by the largest number of merges in the table. Each row has its own: divide by its merges."""
    frame = pd.DataFrame(rows)
    frame["in_place"] = frame["same_place"] / frame["merges"].max()
    frame["shared"] = frame["same_rules"] / frame["merges"].max()
    figure = plt.Figure()
    panels = figure.subplots(1, 3)
    for axes, y in zip(panels, ("in_place", "shared", "ratio"), strict=True):
        draw(axes, frame, "rule_set", "merges", y, title=y, xlabel="merges", ylabel=y)
        axes.legend()
    return frame, figure


@wrong("plot_ties", caught_by="shares_and_ratio_are_drawn")
def counts_drawn(rows):
    """Your panels show same_place and same_rules, not their shares: numbers after 25 and after 400 merges cannot be
    compared."""
    frame = pd.DataFrame(rows)
    frame["in_place"] = frame["same_place"] / frame["merges"]
    frame["shared"] = frame["same_rules"] / frame["merges"]
    figure = plt.Figure()
    panels = figure.subplots(1, 3)
    for axes, y in zip(panels, ("same_place", "same_rules", "ratio"), strict=True):
        draw(axes, frame, "rule_set", "merges", y, title=y, xlabel="merges", ylabel=y)
        axes.legend()
    return frame, figure


@wrong("plot_ties", caught_by="diverged_rows_stay")
def shares_written_into_the_rows(rows):
    """You write the shares into the caller's own rows, over and above what was measured. Add the columns to the
    DataFrame."""
    for row in rows:
        row["in_place"] = row["same_place"] / row["merges"]
        row["shared"] = row["same_rules"] / row["merges"]
    frame = pd.DataFrame(rows)
    figure = plt.Figure()
    panels = figure.subplots(1, 3)
    for axes, y in zip(panels, ("in_place", "shared", "ratio"), strict=True):
        draw(axes, frame, "rule_set", "merges", y, title=y, xlabel="merges", ylabel=y)
        axes.legend()
    return frame, figure


# --- run_with_seed -------------------------------------------------------------------------------------------------


@wrong("run_with_seed", caught_by="process_of_its_own", also=["seed_takes_effect"])
def runs_in_this_process(program, seed):
    """You run the program here with exec. The seed is read when Python starts, so setting it now changes nothing: start
    a process with subprocess.run."""
    import contextlib
    import io

    before, printed = os.environ.get("PYTHONHASHSEED"), io.StringIO()
    os.environ["PYTHONHASHSEED"] = str(seed)
    try:
        with contextlib.redirect_stdout(printed):
            exec(program, {"__name__": "__main__"})
    except BaseException as error:
        raise subprocess.CalledProcessError(1, program) from error
    finally:
        del os.environ["PYTHONHASHSEED"]
        if before is not None:
            os.environ["PYTHONHASHSEED"] = before
    return printed.getvalue().strip()


@wrong("run_with_seed", caught_by="seed_takes_effect")
def seed_always_zero(program, seed):
    """Your process gets the same seed every time, so nothing can ever differ. Pass on the argument: str(seed)."""
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


@wrong("run_with_seed", caught_by="other_variables_stay")
def nothing_but_the_seed(program, seed):
    """Your environment holds the seed and nothing else. Programs need the others too (on Windows Python does not even
    start): `{**os.environ, "PYTHONHASHSEED": str(seed)}`."""
    command = [sys.executable, "-c", program]
    environment = {"PYTHONHASHSEED": str(seed)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


@wrong("run_with_seed", caught_by="other_variables_stay")
def some_variables_copied(program, seed):
    """Your environment holds a few variables that you thought of. All others must reach the program too:
    `{**os.environ, "PYTHONHASHSEED": str(seed)}`."""
    command = [sys.executable, "-c", program]
    environment = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    environment["PYTHONHASHSEED"] = str(seed)
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


@wrong("run_with_seed", caught_by="what_was_printed")
def warnings_are_printed_too(program, seed):
    """What the program writes to standard error is in your answer as well. A warning there would change a digest: take
    standard output only."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, text=True, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.strip()


@wrong("run_with_seed", caught_by="what_was_printed")
def first_line_only(program, seed):
    """Your answer ends after the first line. A program may print several: all of them are asked for."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-c", program]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    return printed.strip().partition("\n")[0]


@wrong("run_with_seed", caught_by="failing_programs_raise")
def failures_are_empty(program, seed):
    """A program that fails gives an empty text here, which looks like a digest that is the same everywhere. Pass
    check=True."""
    command = [sys.executable, "-c", program]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    return subprocess.run(command, env=environment, capture_output=True, text=True).stdout.strip()


@wrong("run_with_seed", caught_by="what_was_printed")
def through_the_shell(program, seed):
    """You put the program into a line for the shell, which takes quotes, $ and line ends for its own. Pass a list: then
    the program arrives as it is."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    line = f'{sys.executable} -c "{program}"'
    return subprocess.run(line, shell=True, env=environment, capture_output=True, text=True, check=True).stdout.strip()


@wrong("run_with_seed", caught_by="what_was_printed", also=["seed_takes_effect", "process_of_its_own",
                                                            "other_variables_stay"])
def line_end_kept(program, seed):
    """Your answer still has the line end that print adds. Digests are compared as texts: strip it."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


# --- plot_digests --------------------------------------------------------------------------------------------------


@wrong("plot_digests", caught_by="different_so_far", also=["one_line_a_recipe"])
def counts_all_so_far(rows):
    """You count digests and not different ones: the line then climbs even when all are the same. Collect them in a
    set."""
    frame = pd.DataFrame(rows)
    frame["processes"] = frame.groupby("recipe").cumcount() + 1
    order = {recipe: place for place, recipe in enumerate(dict.fromkeys(frame["recipe"]))}
    frame = frame.sort_values("recipe", key=lambda recipes: recipes.map(order), kind="stable")
    frame["distinct"] = frame["processes"]
    figure = plt.Figure()
    axes = figure.subplots()
    draw(axes, frame, "recipe", "processes", "distinct", title="Digests", xlabel="processes", ylabel="digests")
    axes.legend()
    return frame[["recipe", "processes", "distinct"]], figure


@wrong("plot_digests", caught_by="different_so_far", also=["one_line_a_recipe"])
def seeds_for_processes(rows):
    """Your column processes holds numbers made of the seeds. Seeds may be any: count each recipe's rows, 1, 2, 3 …"""
    table = []
    for recipe in dict.fromkeys(row["recipe"] for row in rows):
        seen = set()
        for row in rows:
            if row["recipe"] == recipe:
                seen.add(row["digest"])
                table.append((recipe, row["seed"] + 1, len(seen)))
    frame = pd.DataFrame(table, columns=["recipe", "processes", "distinct"])
    figure = plt.Figure()
    axes = figure.subplots()
    draw(axes, frame, "recipe", "processes", "distinct", title="Digests", xlabel="processes", ylabel="digests")
    axes.legend()
    return frame, figure


@wrong("plot_digests", caught_by="different_so_far", also=["one_line_a_recipe"])
def changes_counted(rows):
    """You count how often the digest differs from the one before. When x, y, x come in turn, there are two different
    digests, and not three."""
    table = []
    for recipe in dict.fromkeys(row["recipe"] for row in rows):
        distinct, before = 0, None
        for n, digest in enumerate([row["digest"] for row in rows if row["recipe"] == recipe], start=1):
            distinct += digest != before
            before = digest
            table.append((recipe, n, distinct))
    frame = pd.DataFrame(table, columns=["recipe", "processes", "distinct"])
    figure = plt.Figure()
    axes = figure.subplots()
    draw(axes, frame, "recipe", "processes", "distinct", title="Digests", xlabel="processes", ylabel="digests")
    axes.legend()
    return frame, figure


@wrong("plot_digests", caught_by="digested_rows_stay")
def processes_sorted_in_place(rows):
    """You sort the caller's own list, so that the rows of each recipe stand together. `sorted` gives a new list, and
    groupby needs no order."""
    order = list(dict.fromkeys(row["recipe"] for row in rows))
    rows.sort(key=lambda row: order.index(row["recipe"]))
    table: list = []
    seen: dict = {}
    for row in rows:
        own = seen.setdefault(row["recipe"], [])
        own.append(row["digest"])
        table.append((row["recipe"], len(own), len(set(own))))
    frame = pd.DataFrame(table, columns=["recipe", "processes", "distinct"])
    figure = plt.Figure()
    axes = figure.subplots()
    draw(axes, frame, "recipe", "processes", "distinct", title="Digests", xlabel="processes", ylabel="digests")
    axes.legend()
    return frame, figure


# --- window_bytes --------------------------------------------------------------------------------------------------


@wrong("window_bytes", caught_by="side_by_side", also=["whole_windows_only", "many_pieces"])
def windows_overlap(pieces, window):
    """Your windows overlap, one for each place where a window can start, as in chapter 4. Here each starts where the
    one before ends: give range the step window."""
    if type(window) is not int or window < 1:
        raise ValueError("window")
    sizes = [len(piece) for piece in pieces]
    return [sum(sizes[start : start + window]) for start in range(len(sizes) - window + 1)]


@wrong("window_bytes", caught_by="whole_windows_only", also=["many_pieces"])
def rest_counted(pieces, window):
    """Your last window may hold fewer tokens than the others and so looks poor in text. Leave a rest out."""
    if type(window) is not int or window < 1:
        raise ValueError("window")
    sizes = [len(piece) for piece in pieces]
    return [sum(sizes[start : start + window]) for start in range(0, len(sizes), window)]


@wrong("window_bytes", caught_by="side_by_side", also=["whole_windows_only", "many_pieces"])
def tokens_in_a_window(pieces, window):
    """Your function counts tokens, and a window always has the same number of those. Add up the lengths of the
    pieces."""
    if type(window) is not int or window < 1:
        raise ValueError("window")
    starts = range(0, len(pieces) - window + 1, window)
    return [len(pieces[start : start + window]) for start in starts]


@wrong("window_bytes", caught_by="side_by_side", also=["whole_windows_only", "many_pieces"])
def windows_of_bytes(pieces, window):
    """Your function cuts the text into windows of so many bytes and counts the tokens in them. It is the other way
    round: so many tokens, and their bytes."""
    if type(window) is not int or window < 1:
        raise ValueError("window")
    counts, room = [], window
    for piece in pieces:
        if room == window:
            counts.append(0)
        counts[-1] += 1
        room = room - len(piece) if room > len(piece) else window
    return counts


@wrong("window_bytes", caught_by="pieces_stay")
def takes_pieces_away(pieces, window):
    """Your function removes the pieces from the list that it was given; whoever called it needs them again."""
    if type(window) is not int or window < 1:
        raise ValueError("window")
    found = []
    while len(pieces) >= window:
        found.append(sum(len(pieces.pop(0)) for _ in range(window)))
    return found


@wrong("window_bytes", caught_by="refuses_no_window")
def any_window(pieces, window):
    """A window of 0, or one that is no whole number, must raise ValueError that names window, at once and not by way of
    another error."""
    window = int(window or 1)
    sizes = [len(piece) for piece in pieces]
    step = max(window, 1)
    return [sum(sizes[start : start + step]) for start in range(0, len(sizes) - step + 1, step)]


# --- plot_coverage -------------------------------------------------------------------------------------------------


@wrong("plot_coverage", caught_by="share_of_windows", also=["one_line_a_text"])
def share_of_smaller(sizes):
    """Your share leaves out the window itself: the smallest one gets 0 and the largest never 1. It counts windows with
    *at most* so many bytes."""
    rows = [(text, size, rank / len(own)) for text, own in sizes.items() for rank, size in enumerate(sorted(own))]
    frame = pd.DataFrame(rows, columns=["text", "bytes", "share"])
    figure = plt.Figure()
    axes = figure.subplots()
    draw(axes, frame, "text", "bytes", "share", title="Windows", xlabel="bytes", ylabel="share of windows")
    axes.legend()
    return frame, figure


@wrong("plot_coverage", caught_by="share_of_windows", also=["one_line_a_text"])
def share_of_all_texts(sizes):
    """You divide by the windows of all texts together, so that a short text never reaches 1. Divide by the text's own
    number."""
    total = sum(map(len, sizes.values()))
    rows = [(text, size, rank / total) for text, own in sizes.items() for rank, size in enumerate(sorted(own), start=1)]
    frame = pd.DataFrame(rows, columns=["text", "bytes", "share"])
    figure = plt.Figure()
    axes = figure.subplots()
    draw(axes, frame, "text", "bytes", "share", title="Windows", xlabel="bytes", ylabel="share of windows")
    axes.legend()
    return frame, figure


@wrong("plot_coverage", caught_by="share_of_windows", also=["one_line_a_text"])
def windows_in_reading_order(sizes):
    """Your windows are in the order of the text. For a distribution they go from the smallest to the largest: sort
    them."""
    rows = [(text, size, rank / len(own)) for text, own in sizes.items() for rank, size in enumerate(own, start=1)]
    frame = pd.DataFrame(rows, columns=["text", "bytes", "share"])
    figure = plt.Figure()
    axes = figure.subplots()
    for text, part in frame.groupby("text", sort=False):
        axes.plot(part["bytes"], part["share"], label=text)
    axes.set(title="Windows", xlabel="bytes", ylabel="share of windows")
    axes.legend()
    return frame, figure


@wrong("plot_coverage", caught_by="covered_sizes_stay")
def windows_sorted_in_place(sizes):
    """You sort the caller's own lists. Their order is that in which the windows stand in the text: sorted gives a new
    list."""
    rows = []
    for text, own in sizes.items():
        own.sort()
        rows += [(text, size, rank / len(own)) for rank, size in enumerate(own, start=1)]
    frame = pd.DataFrame(rows, columns=["text", "bytes", "share"])
    figure = plt.Figure()
    axes = figure.subplots()
    draw(axes, frame, "text", "bytes", "share", title="Windows", xlabel="bytes", ylabel="share of windows")
    axes.legend()
    return frame, figure


# --- embedding_share and plot_budget -------------------------------------------------------------------------------


@wrong("embedding_share", caught_by="one_table_when_tied", also=["drawn_shapes"])
def tied_counted_twice(vocab_size, d_model, layers, tied):
    """You count two tables also when they are tied. Tied means one table that is used twice: its weights are there
    once."""
    for name, value in (("vocab_size", vocab_size), ("d_model", d_model), ("layers", layers)):
        if type(value) is not int or value < 1:
            raise ValueError(name)
    tables = 2 * vocab_size * d_model
    return tables / (tables + 12 * layers * d_model**2)


@wrong("embedding_share", caught_by="two_tables_when_untied", also=["drawn_shapes"])
def always_one_table(vocab_size, d_model, layers, tied):
    """You count one table also when the model is not tied. Without tying the output has a table of its own."""
    for name, value in (("vocab_size", vocab_size), ("d_model", d_model), ("layers", layers)):
        if type(value) is not int or value < 1:
            raise ValueError(name)
    tables = vocab_size * d_model
    return tables / (tables + 12 * layers * d_model**2)


@wrong("embedding_share", caught_by="two_tables_when_untied", also=["one_table_when_tied", "drawn_shapes"])
def relative_to_the_layers(vocab_size, d_model, layers, tied):
    """You divide by the weights of the layers alone, which can give more than 1. A share is of all weights: the tables
    belong to them."""
    for name, value in (("vocab_size", vocab_size), ("d_model", d_model), ("layers", layers)):
        if type(value) is not int or value < 1:
            raise ValueError(name)
    tables = (1 if tied else 2) * vocab_size * d_model
    return tables / (12 * layers * d_model**2)


@wrong("embedding_share", caught_by="refuses_what_is_no_size")
def any_numbers(vocab_size, d_model, layers, tied):
    """Sizes of 0, below 0 or of another type must raise ValueError that names the argument; a negative width passes
    unnoticed else."""
    tables = (1 if tied else 2) * int(vocab_size) * int(d_model)
    return tables / (tables + 12 * int(layers) * int(d_model) ** 2 or 1)


@wrong("plot_budget", caught_by="share_of_each_model", also=["one_line_a_model"])
def share_in_percent_points(sizes, models):
    """Your share is in percent. A share goes from 0 to 1; let the axis show it as percent."""
    rows = [
        (name, row["vocab_size"], 100 * embedding_share(row["vocab_size"], **model), row["ratio"])
        for name, model in models.items() for row in sizes
    ]
    frame = pd.DataFrame(rows, columns=["model", "vocab_size", "share", "ratio"])
    figure = plt.Figure()
    axes = figure.subplots()
    draw(axes, frame, "model", "share", "ratio", title="Budget", xlabel="share", ylabel="ratio")
    axes.legend()
    return frame, figure


@wrong("plot_budget", caught_by="one_line_a_model")
def ratio_over_size(sizes, models):
    """Your figure shows the ratio over the vocabulary size, which is one and the same line for all models. The question
    is what the ratio costs: put the share on the x axis."""
    rows = [
        (name, row["vocab_size"], embedding_share(row["vocab_size"], **model), row["ratio"])
        for name, model in models.items() for row in sizes
    ]
    frame = pd.DataFrame(rows, columns=["model", "vocab_size", "share", "ratio"])
    figure = plt.Figure()
    axes = figure.subplots()
    draw(axes, frame, "model", "vocab_size", "ratio", title="Budget", xlabel="vocabulary size", ylabel="ratio")
    axes.legend()
    return frame, figure


@wrong("plot_budget", caught_by="budget_arguments_stay")
def tied_taken_out(sizes, models):
    """You take tied out of the caller's models with pop, so that the next figure does not know it. Square brackets look
    up and leave alone."""
    rows = []
    for name, model in models.items():
        tied = model.pop("tied")
        for row in sizes:
            share = embedding_share(row["vocab_size"], model["d_model"], model["layers"], tied)
            rows.append((name, row["vocab_size"], share, row["ratio"]))
    frame = pd.DataFrame(rows, columns=["model", "vocab_size", "share", "ratio"])
    figure = plt.Figure()
    axes = figure.subplots()
    draw(axes, frame, "model", "share", "ratio", title="Budget", xlabel="share", ylabel="bytes per token")
    axes.legend()
    return frame, figure
