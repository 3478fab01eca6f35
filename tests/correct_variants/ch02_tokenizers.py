"""Correct answers of chapter 2 in many styles."""

import importlib

from correct_variants import right

# Children are forked from the test process: what it has imported they need not import again, hundreds of times.
for package in ("IPython.display", "matplotlib.pyplot", "pandas", "regex"):
    importlib.import_module(package)

# --- the compression ratio -----------------------------------------------------------------------------------------


@right("get_compression_ratio")
def ratio_by_bytes_object(string, indices):
    if len(string) == 0:
        raise ValueError("string must not be empty")
    if len(indices) == 0:
        raise ValueError("indices must not be empty")
    return len(bytes(string, "utf8")) / len(indices)


@right("get_compression_ratio")
def ratio_by_counting(string, indices):
    if string == "":
        raise ValueError("empty string")
    tokens = sum(1 for _ in indices)
    if not tokens:
        raise ValueError("empty indices")
    return sum(1 + (c > "\x7f") + (c > "\u07ff") + (c > "\uffff") for c in string) / tokens


@right("get_compression_ratio")
def ratio_with_numpy(string, indices):
    import numpy as np

    if not string:
        raise ValueError("string")
    if not len(indices):
        raise ValueError("indices")
    return np.float64(len(string.encode())) / np.array(indices).size


@right("get_compression_ratio")
def ratio_with_fractions(string, indices):
    from fractions import Fraction

    class Empty(ValueError):
        pass

    for name, value in (("string", string), ("indices", indices)):
        if not value:
            raise Empty(f"{name} is empty")
    return float(Fraction(len(string.encode()), len(indices)))


@right("get_compression_ratio")
def ratio_as_a_mean(string, indices):
    import statistics

    if not string:
        raise ValueError("no string")
    if not indices:
        raise ValueError("no indices")
    return statistics.fmean([len(string.encode("utf-8"))] + [0] * (len(indices) - 1))


@right("get_compression_ratio")
def ratio_by_catching(string, indices):
    try:
        ratio = len(string.encode("utf-8")) / len(indices)
    except ZeroDivisionError:
        raise ValueError("indices is empty" if string else "string is empty") from None
    if ratio == 0:
        raise ValueError("string is empty")
    return ratio


# --- characters ----------------------------------------------------------------------------------------------------


@right("CharacterTokenizer")
class ByMap:
    def encode(self, string):
        return list(map(ord, string))

    def decode(self, indices):
        try:
            return "".join(map(chr, indices))
        except OverflowError:
            raise ValueError("indices") from None


@right("CharacterTokenizer")
class ByUtf32:
    def encode(self, string):
        data = string.encode("utf-32-le", "surrogatepass")
        return [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]

    def decode(self, indices):
        if any(index < 0 or index > 0x10FFFF for index in indices):
            raise ValueError("indices")
        return b"".join(i.to_bytes(4, "little") for i in indices).decode("utf-32-le", "surrogatepass")


@right("CharacterTokenizer")
class ByLoop:
    vocab_size = 1_114_112

    def encode(self, string):
        indices = []
        for character in string:
            indices += [ord(character)]
        return indices

    def decode(self, indices):
        text = ""
        for index in indices:
            if index not in range(self.vocab_size):
                raise ValueError("indices")
            text += chr(index)
        return text


@right("CharacterTokenizer")
class ByStaticMethods:
    @staticmethod
    def encode(string):
        return [*map(ord, string)]

    @staticmethod
    def decode(indices):
        import io

        out = io.StringIO()
        for index in indices:
            if index < 0 or index >= 0x110000:
                raise ValueError("indices")
            out.write(chr(index))
        return out.getvalue()


@right("CharacterTokenizer")
class ByNumpy:
    def encode(self, string):
        import numpy as np

        return np.frombuffer(string.encode("utf-32-le", "surrogatepass"), dtype="<u4").tolist()

    def decode(self, indices):
        if indices and not 0 <= min(indices) <= max(indices) < 0x110000:
            raise ValueError("indices")
        return "".join(chr(i) for i in indices)


@right("CharacterTokenizer")
class BySlots:
    __slots__ = ()

    def encode(self, text):
        return list(self.ids(text))

    def ids(self, text):
        yield from (ord(c) for c in text)

    def decode(self, ids):
        class NoCodePoint(ValueError):
            pass

        if not all(0 <= i < 0x110000 for i in ids):
            raise NoCodePoint("ids")
        return str.join("", [chr(i) for i in ids])


# --- bytes ---------------------------------------------------------------------------------------------------------


@right("ByteTokenizer")
class ByListOfBytes:
    def encode(self, string):
        return list(bytes(string, "utf-8"))

    def decode(self, indices):
        return str(bytes(indices), "utf-8")


@right("ByteTokenizer")
class ByLecture:
    def encode(self, string):
        return list(map(int, string.encode("utf-8")))

    def decode(self, indices):
        return bytes(indices).decode("utf-8")


@right("ByteTokenizer")
class ByBytearray:
    def encode(self, string):
        return [byte for byte in string.encode()]  # noqa: C416

    def decode(self, indices):
        data = bytearray()
        for index in indices:
            data.append(index)
        return data.decode()


@right("ByteTokenizer")
class ByHex:
    def encode(self, string):
        digits = string.encode().hex()
        return [int(digits[i : i + 2], 16) for i in range(0, len(digits), 2)]

    def decode(self, indices):
        if any(index < 0 or index > 255 for index in indices):
            raise ValueError("indices")
        return bytes.fromhex("".join(f"{index:02x}" for index in indices)).decode()


@right("ByteTokenizer")
class ByNumpyBytes:
    def encode(self, string):
        import numpy as np

        return np.frombuffer(string.encode(), dtype=np.uint8).tolist()

    def decode(self, indices):
        return b"".join(bytes((index,)) for index in indices).decode("utf-8", "strict")


@right("ByteTokenizer")
class ByIncrementalDecoder:
    def encode(self, string):
        return [*memoryview(string.encode())]

    def decode(self, indices):
        import codecs

        decoder = codecs.getincrementaldecoder("utf-8")()
        return "".join(decoder.decode(bytes([index])) for index in indices) + decoder.decode(b"", final=True)


# --- the lost character --------------------------------------------------------------------------------------------


@right("lost_character")
def line_feed():
    return chr(10)


@right("lost_character")
def as_numpy_finds_it():
    import numpy as np

    return np.str_("\n")


# --- words ---------------------------------------------------------------------------------------------------------


@right("WordTokenizer")
class BySorting:
    def __init__(self, training_texts, vocab_size):
        if isinstance(vocab_size, bool) or not isinstance(vocab_size, int) or vocab_size < 1:
            raise ValueError("vocab_size must be a positive int")
        counts = {}
        for text in training_texts:
            for piece in self.cut(text):
                counts[piece] = counts.get(piece, 0) + 1
        ranked = sorted(counts, key=counts.get, reverse=True)
        self.words = ranked[: vocab_size - 1]
        self.vocab_size = 1 + len(self.words)

    def cut(self, text):
        import regex

        return regex.findall(r"\w+|[\s\S]", text)

    def encode(self, string):
        return [self.words.index(piece) + 1 if piece in self.words else 0 for piece in self.cut(string)]

    def decode(self, indices):
        out = []
        for index in indices:
            if index < 0 or index > len(self.words):
                raise ValueError(f"unknown id {index}")
            out.append(self.words[index - 1] if index else "UNK")
        return "".join(out)

    def unknown_rate(self, text):
        pieces = self.cut(text)
        if not pieces:
            raise ValueError("text is empty")
        return sum(piece not in self.words for piece in pieces) / len(pieces)


@right("WordTokenizer")
class ByFinditer:
    def __init__(self, training_texts, vocab_size):
        from collections import Counter, defaultdict

        import regex

        if type(vocab_size) is not int:
            raise ValueError("vocab_size: an int, please")
        if vocab_size <= 0:
            raise ValueError("vocab_size: at least 1, please")
        self.pattern = regex.compile(r"(?s)\w+|.")
        counts = Counter()
        for text in training_texts:
            counts.update(match.group() for match in self.pattern.finditer(text))
        self.ids = defaultdict(int)
        for word, _ in counts.most_common(vocab_size - 1):
            self.ids[word] = len(self.ids) + 1
        self.pieces = {index: word for word, index in self.ids.items()}
        self.pieces[0] = "UNK"
        self.vocab_size = len(self.pieces)

    def encode(self, string):
        return [self.ids.get(p, 0) for p in self.pattern.findall(string)]

    def decode(self, indices):
        try:
            return "".join([self.pieces[index] for index in indices])
        except KeyError as error:
            raise ValueError(f"unknown id {error}") from error

    def unknown_rate(self, text):
        import numpy as np

        if text == "":
            raise ValueError("text")
        return float(np.mean(np.array(self.encode(text)) == 0))


@right("WordTokenizer")
class ByHeap:
    def __init__(self, training_texts, vocab_size):
        import heapq

        import regex

        if vocab_size is True or not isinstance(vocab_size, int) or vocab_size < 1:
            raise ValueError("vocab_size")
        self.cut = regex.compile(r"\w+|\W").findall
        first, counts = {}, {}
        for text in training_texts:
            for piece in self.cut(text):
                first.setdefault(piece, len(first))
                counts[piece] = counts.get(piece, 0) + 1
        best = heapq.nsmallest(vocab_size - 1, counts, key=lambda piece: (-counts[piece], first[piece]))
        self.table = dict(zip(best, range(1, len(best) + 1), strict=True))
        self.back = [None, *best]

    @property
    def vocab_size(self):
        return len(self.back)

    def encode(self, string):
        return [self.table.get(piece) or 0 for piece in self.cut(string)]

    def decode(self, indices):
        if not set(indices) <= set(range(len(self.back))):
            raise ValueError("indices")
        return "".join(self.back[index] or "UNK" for index in indices)

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        ids = self.encode(text)
        return 1 - sum(map(bool, ids)) / len(ids)


@right("WordTokenizer")
class ByPandas:
    def __init__(self, training_texts, vocab_size):
        import pandas as pd
        import regex

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        self.regex = regex
        pieces = [piece for text in training_texts for piece in self.pieces(text)]
        counts = pd.Series(pieces, dtype=object).groupby(pieces, sort=False).size() if pieces else pd.Series(dtype=int)
        self.known = list(counts.sort_values(ascending=False, kind="stable").index[: vocab_size - 1])
        self.vocab_size = len(self.known) + 1

    def pieces(self, text):
        return [match[0] for match in self.regex.finditer(r"\w+|.", text, flags=self.regex.S)]

    def encode(self, string):
        lookup = {piece: index for index, piece in enumerate(self.known, 1)}
        return [lookup.get(piece, 0) for piece in self.pieces(string)]

    def decode(self, indices):
        text = ""
        for index in indices:
            if index == 0:
                text += "UNK"
            elif 1 <= index < self.vocab_size:
                text += self.known[index - 1]
            else:
                raise ValueError("indices")
        return text

    def unknown_rate(self, text):
        ids = self.encode(text)
        if len(ids) == 0:
            raise ValueError("empty text")
        return len([index for index in ids if index == 0]) / len(ids)


@right("WordTokenizer")
class ByScanning:
    def __init__(self, training_texts, vocab_size):
        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        counts = {}
        for text in training_texts:
            for piece in self.scan(text):
                counts[piece] = counts.get(piece, 0) + 1
        by_count = {}
        for piece, count in counts.items():
            by_count.setdefault(count, []).append(piece)
        ordered = [piece for count in sorted(by_count, reverse=True) for piece in by_count[count]]
        self.words = ["UNK", *ordered[: vocab_size - 1]]
        self.vocab_size = len(self.words)

    @staticmethod
    def scan(text):
        import regex

        word = ""
        for character in text:
            if regex.fullmatch(r"\w", character):
                word += character
                continue
            if word:
                yield word
                word = ""
            yield character
        if word:
            yield word

    def encode(self, string):
        return [self.words.index(piece, 1) if piece in self.words[1:] else 0 for piece in self.scan(string)]

    def decode(self, indices):
        for index in indices:
            if not 0 <= index < len(self.words):
                raise ValueError("indices")
        return "".join(map(self.words.__getitem__, indices))

    def unknown_rate(self, text):
        if not text:
            raise ValueError("text")
        total = unknown = 0
        for index in self.encode(text):
            total += 1
            unknown += index == 0
        return unknown / total


@right("WordTokenizer")
class ByClosures:
    def __init__(self, training_texts, vocab_size):
        from collections import Counter
        from itertools import chain, islice

        import regex

        if type(vocab_size) is not int or vocab_size < 1:
            raise ValueError("vocab_size")
        split = regex.compile(r"\w+|.", flags=regex.DOTALL).findall
        words = list(islice((w for w, _ in Counter(chain.from_iterable(map(split, training_texts))).most_common()),
                            vocab_size - 1))
        ids = {word: index + 1 for index, word in enumerate(words)}
        self.vocab_size = len(words) + 1
        self.encode = lambda string: [ids.get(piece, 0) for piece in split(string)]
        self.words = words

    def decode(self, indices):
        if [index for index in indices if index < 0 or index >= self.vocab_size]:
            raise ValueError("indices")
        return "".join(self.words[index - 1] if index > 0 else "UNK" for index in indices)

    def unknown_rate(self, text):
        import statistics

        if not text:
            raise ValueError("text")
        return statistics.fmean(index == 0 for index in self.encode(text))


@right("WordTokenizer")
class ByAlphabet:
    """Ids by way of a dict from id to piece; a mean of ints that is an int where it is whole."""

    UNK = 0

    def __init__(self, training_texts, vocab_size):
        from collections import Counter, OrderedDict

        match vocab_size:
            case bool():
                raise ValueError("vocab_size: True and False are no sizes")
            case int() if vocab_size > 0:
                counts = Counter()
            case _:
                raise ValueError(f"vocab_size: {vocab_size!r}")
        for text in training_texts:
            counts += Counter(OrderedDict(self.counted(text)))
        first = {piece: place for place, piece in enumerate(dict.fromkeys(self.pieces(*training_texts)))}
        ordered = sorted(counts, key=lambda piece: (counts[piece], -first[piece]))[::-1]
        self.by_id = {self.UNK: "UNK"} | dict(enumerate(ordered[: vocab_size - 1], start=1))

    @property
    def vocab_size(self):
        return len(self.by_id)

    @staticmethod
    def pieces(*texts):
        import regex

        for text in texts:
            yield from (match.group() for match in regex.finditer(r"\w+|(?s:.)", text))

    def counted(self, text):
        counts = {}
        for piece in self.pieces(text):
            counts[piece] = 1 + counts.get(piece, 0)
        return counts

    def encode(self, string):
        ids = {piece: index for index, piece in self.by_id.items() if index != self.UNK}
        return [ids.get(piece, self.UNK) for piece in self.pieces(string)]

    def decode(self, indices):
        if any(index not in self.by_id for index in indices):
            raise ValueError(f"{indices} are not all known")
        return "".join(self.by_id[index] for index in indices)

    def unknown_rate(self, text):
        import statistics

        if ids := self.encode(text):
            return statistics.mean(int(index == self.UNK) for index in ids)
        raise ValueError("text has no pieces")


# --- what tokens cost ----------------------------------------------------------------------------------------------


@right("attention_cost")
def cost_by_power(num_tokens):
    if isinstance(num_tokens, bool) or not isinstance(num_tokens, int):
        raise TypeError("num_tokens must be an int")
    if num_tokens < 0:
        raise ValueError("num_tokens must not be negative")
    return pow(num_tokens, 2)


@right("attention_cost")
def cost_by_operator(num_tokens):
    import operator

    if num_tokens is True or num_tokens is False:
        raise TypeError("num_tokens is a bool")
    try:
        length = operator.index(num_tokens)
    except TypeError:
        raise TypeError("num_tokens must be an int") from None
    if length < 0:
        raise ValueError("num_tokens is negative")
    return operator.mul(length, length)


@right("attention_cost")
def cost_by_cases(num_tokens: int) -> int:
    match num_tokens:
        case bool():
            raise TypeError("num_tokens: a bool is no number of tokens")
        case int() if num_tokens >= 0:
            return num_tokens**2
        case int():
            raise ValueError(f"num_tokens is below 0: {num_tokens}")
        case _:
            raise TypeError(f"num_tokens: {num_tokens!r}")


class NumTokensError(TypeError, ValueError):
    """What is wrong with num_tokens."""


@right("attention_cost", beside=[NumTokensError])
def cost_with_one_error_for_both(num_tokens):
    if type(num_tokens) is int and (size := range(num_tokens)).stop >= 0:
        return size.stop * num_tokens
    raise NumTokensError(f"num_tokens cannot be {num_tokens!r}")


# --- how the vocabulary is used ------------------------------------------------------------------------------------


@right("vocabulary_use")
def use_by_list(tokenizer, text):
    import pandas as pd

    counts = [0] * tokenizer.vocab_size
    for index in tokenizer.encode(text):
        counts[index] += 1
    order = sorted(range(len(counts)), key=lambda i: (-counts[i], i))
    return pd.DataFrame({"id": order, "count": [counts[i] for i in order]})


@right("vocabulary_use")
def use_by_numpy(tokenizer, text):
    import numpy as np
    import pandas as pd

    counts = np.bincount(np.array(tokenizer.encode(text), dtype=int), minlength=tokenizer.vocab_size)
    order = np.argsort(-counts, kind="stable")
    return pd.DataFrame({"count": counts[order], "id": order})


@right("vocabulary_use")
def use_by_value_counts(tokenizer, text):
    import pandas as pd

    counts = pd.Series(tokenizer.encode(text), dtype=int).value_counts()
    counts = counts.reindex(range(tokenizer.vocab_size)).fillna(0)
    frame = counts.rename_axis("id").reset_index(name="count")
    return frame.sort_values("count", ascending=False, kind="stable").reset_index(drop=True)


@right("vocabulary_use")
def use_by_named_argument(tokenizer, text):
    from collections import Counter

    import pandas as pd

    counts = Counter(tokenizer.encode(string=text))
    counts.update(dict.fromkeys(range(tokenizer.vocab_size), 0))
    rows = [{"id": index, "count": count, "used": count > 0} for index, count in counts.items()]
    return pd.DataFrame(rows).sort_values(["count", "id"], ascending=[False, True])


@right("vocabulary_use")
def use_of_pairs(tokenizer, text):
    import pandas as pd

    ids = tokenizer.encode(text)
    pairs = sorted((-ids.count(index), index) for index in range(tokenizer.vocab_size))
    frame = pd.DataFrame(pairs, columns=["count", "id"])
    frame["count"] = frame["count"].abs()
    return frame[["id", "count"]]


@right("vocabulary_use")
def use_by_grouping(tokenizer, text):
    import pandas as pd

    used = pd.DataFrame({"id": tokenizer.encode(text)}, dtype="int64").groupby("id").size().rename("count")
    every = pd.DataFrame({"id": range(tokenizer.vocab_size)}).merge(used, how="left", on="id").fillna({"count": 0})
    return every.astype({"count": "int32"}).sort_values(by=["count", "id"], ascending=[False, True])


@right("sparsity")
def sparsity_by_sums(counts):
    if len(counts) == 0:
        raise ValueError("counts is empty")
    size = len(counts)
    return {"once": sum(c == 1 for c in counts) / size, "never": sum(c == 0 for c in counts) / size}


@right("sparsity")
def sparsity_by_numpy(counts):
    import numpy as np

    array = np.asarray(counts)
    if array.size == 0:
        raise ValueError("counts is empty")
    return {"never": np.mean(array == 0), "once": (array == 1).mean()}


@right("sparsity")
def sparsity_by_counter(counts):
    from collections import Counter

    if not counts:
        raise ValueError("counts must not be empty")
    times = Counter(counts)
    return dict(never=times[0] / times.total(), once=times[1] / times.total())  # noqa: C408


@right("sparsity")
def sparsity_by_statistics(counts):
    """The module's mean of ints is an int where it is whole."""
    import statistics

    if not (counts := tuple(counts)):
        raise ValueError("Counts must not be empty.")
    return {name: statistics.mean(int(count == times) for count in counts)
            for name, times in (("never", 0), ("once", 1))}


@right("sparsity")
def sparsity_by_pandas(counts):
    import pandas as pd

    shares = pd.Series(counts, dtype=int).value_counts(normalize=True)
    if shares.empty:
        raise ValueError(f"counts is {counts}")
    return {"never": shares.get(0, 0.0), "once": shares.get(1, 0.0)}


@right("sparsity")
def sparsity_in_one_pass(counts):
    from collections import OrderedDict

    if counts == []:
        raise ValueError("the list of counts is empty")
    shares = OrderedDict(never=0.0, once=0.0)
    for count in counts:
        if count < 2:
            shares["once" if count else "never"] += 1
    for name in shares:
        shares[name] /= len(counts)
    return shares


# --- figures -------------------------------------------------------------------------------------------------------


@right("plot_compression")
def compression_by_scatter(rows):
    import matplotlib.pyplot as plt
    import pandas as pd

    table = pd.DataFrame(rows)[["ratio", "family", "vocab_size"]]
    figure = plt.figure()
    axes = figure.add_subplot()
    for family in sorted(set(table["family"])):
        part = table[table["family"] == family]
        axes.scatter(part["vocab_size"], part["ratio"], label=family)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("ids")
    axes.set_ylabel("bytes per token")
    figure.suptitle("Compression")
    axes.legend(loc="best")
    return table, figure


@right("plot_compression")
def compression_by_semilogx(rows):
    import matplotlib.pyplot as plt
    import pandas as pd

    frame = pd.DataFrame(rows).sort_values(["family", "vocab_size"], ignore_index=True)
    figure, axes = plt.subplots()
    for family, part in frame.groupby("family"):
        axes.semilogx(part.vocab_size.to_numpy(), part.ratio.to_numpy(), "o--", label=f"{family} tokens")
    plt.title("Ratio by size")
    plt.xlabel("vocabulary size")
    plt.ylabel("compression ratio")
    plt.legend()
    return frame, figure


@right("plot_compression")
def compression_by_pandas(rows):
    import matplotlib.pyplot as plt
    import pandas as pd

    frame = pd.DataFrame(rows)
    figure, axes = plt.subplots()
    for family, part in frame.sort_values("vocab_size").groupby("family"):
        part.plot(x="vocab_size", y="ratio", ax=axes, label=family, logx=True, marker="o")
    axes.set(title="Compression", xlabel="vocabulary size", ylabel="bytes per token")
    return [frame, figure]


@right("plot_ratio_by_language")
def languages_lying_bars(ratios):
    import matplotlib.pyplot as plt
    import pandas as pd

    frame = pd.DataFrame(ratios).sort_values(by=next(iter(ratios)))
    figure, axes = plt.subplots()
    frame.plot.barh(ax=axes)
    axes.set_title("Ratio")
    axes.set_xlabel("bytes per token")
    axes.set_ylabel("language")
    return frame, figure


@right("plot_ratio_by_language")
def languages_upright(ratios):
    import matplotlib.pyplot as plt
    import pandas as pd

    first = next(iter(ratios))
    order = sorted(ratios[first], key=ratios[first].get)
    frame = pd.DataFrame({name: [given[language] for language in order] for name, given in ratios.items()}, index=order)
    figure, axes = plt.subplots()
    for name in frame:
        axes.scatter(range(len(order)), frame[name], label=name)
    axes.set_xticks(range(len(order)), order, rotation=90)
    axes.set(title="Ratio", xlabel="language", ylabel="bytes per token")
    axes.legend()
    return frame, figure


@right("plot_rank_frequency")
def ranks_by_value_counts(encoded):
    import matplotlib.pyplot as plt
    import pandas as pd

    parts = []
    figure, axes = plt.subplots()
    for name, indices in encoded.items():
        counts = pd.Series(indices).value_counts().to_numpy()
        part = pd.DataFrame({"tokenizer": name, "rank": range(1, len(counts) + 1), "count": counts})
        axes.loglog(part["rank"], part["count"], label=name)
        parts.append(part)
    axes.set_title("Zipf")
    axes.set_xlabel("rank")
    axes.set_ylabel("count")
    axes.legend()
    return pd.concat(parts), figure


@right("plot_rank_frequency")
def ranks_by_most_common(encoded):
    from collections import Counter

    import matplotlib.pyplot as plt
    import pandas as pd

    rows = []
    figure, axes = plt.subplots()
    for name in reversed(encoded):
        counts = [count for _, count in Counter(encoded[name]).most_common()]
        ranks = [rank + 1 for rank in range(len(counts))]
        rows += [{"count": c, "rank": r, "tokenizer": name, "share": c / sum(counts)} for r, c in zip(ranks, counts)]  # noqa: B905
        axes.scatter(ranks, counts, s=4, label=name)
    axes.set(xscale="log", yscale="log", title="Ranks", xlabel="rank", ylabel="count")
    axes.legend()
    return pd.DataFrame(rows), figure


@right("plot_compression")
def compression_with_a_legend_of_the_figure(rows):
    import matplotlib.pyplot as plt
    import pandas as pd

    frame = pd.DataFrame.from_records(rows)
    figure, axes = plt.subplots(subplot_kw={"xscale": "log"})
    for family in {row["family"]: None for row in rows}:
        same = [row for row in rows if row["family"] == family]
        axes.scatter([row["vocab_size"] for row in same], [row["ratio"] for row in same], label=family)
    axes.set_title("Compression", loc="right")
    figure.supxlabel("ids")
    figure.supylabel("bytes per token")
    figure.legend(title="tokenizer")
    return frame, figure


@right("plot_ratio_by_language")
def languages_in_panels(ratios):
    """One panel for each tokenizer; the languages are named once, at the left."""
    import matplotlib.pyplot as plt
    import pandas as pd

    table = pd.DataFrame(ratios)
    table = table.loc[table.iloc[:, 0].sort_values().index]
    figure, panels = plt.subplots(1, len(table.columns), sharey=True)
    for number, (axes, name) in enumerate(zip(panels, table, strict=True)):
        axes.barh(table.index, table[name], color=f"C{number}", label=name)
        axes.set(title=name, xlabel="bytes per token")
    panels[0].set_ylabel("language")
    figure.legend()
    return table, figure


@right("plot_rank_frequency")
def ranks_on_two_axes(encoded):
    import matplotlib.pyplot as plt
    import numpy as np
    import pandas as pd

    frames = {name: np.sort(np.unique(ids, return_counts=True)[1])[::-1] for name, ids in encoded.items()}
    figure, panels = plt.subplots(2, len(frames), sharex=True, sharey=True)  # the upper half stays empty
    for axes, (name, counts) in zip(panels[1], frames.items(), strict=True):
        axes.plot(np.arange(len(counts)) + 1, counts, drawstyle="steps-mid", label=name)
        axes.set(xscale="log", yscale="log", xlabel="rank")
    panels[1, 0].set_ylabel("count")
    for axes in panels[0]:
        axes.axis("off")
    figure.suptitle("Ranks")
    figure.legend()
    return pd.concat([
        pd.DataFrame({"tokenizer": name, "rank": np.arange(1, len(counts) + 1), "count": counts})
        for name, counts in frames.items()
    ]), figure


@right("plot_compression")
def compression_from_a_pivot_table(rows):
    import pandas as pd

    frame = pd.DataFrame(rows)
    wide = frame.pivot(index="vocab_size", columns="family", values="ratio")  # with holes, which markers pass over
    axes = wide.plot(marker="o", logx=True, title="Compression")
    axes.set(xlabel="vocabulary size", ylabel="bytes per token")
    return frame, axes.figure
