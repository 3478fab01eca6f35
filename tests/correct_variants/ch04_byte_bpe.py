"""Chapter 4's answers in other styles; the names that they use are the notebook's own."""

import hashlib
import itertools
import json
import math
import os
import tempfile
from collections import Counter
from pathlib import Path

from autograder.reference.byte_bpe import BOS, EOS, FIRST_RULE, decode, digest, encode, token_table
from autograder.reference.naive_bpe import fit_merges, merge_pair
from correct_variants import right

# --- token_table ---------------------------------------------------------------------------------------------------


@right("token_table")
def table_from_a_list(merges):
    pieces = [bytes((byte,)) for byte in range(256)] + [b"", b""]
    for (left, right_), new_id in merges:
        for part in (left, right_, new_id):
            if isinstance(part, bool) or not isinstance(part, int):
                raise ValueError(f"merges holds {part!r}, which is no id")
        if new_id != len(pieces):
            raise ValueError(f"merges: {new_id} comes where {len(pieces)} should")
        if any(part in (256, 257) or not -1 < part < new_id for part in (left, right_)):
            raise ValueError("merges: a part is no byte and no earlier rule")
        pieces.append(b"".join([pieces[left], pieces[right_]]))
    return dict(enumerate(pieces))


@right("token_table")
def table_by_recursion(merges):
    """Each piece from its parts' parts; validation first, in a pass of its own."""
    rules = {}
    for rank, (pair, new_id) in enumerate(merges):
        known = [*range(256), *rules]
        if type(new_id) is not int or new_id != 258 + rank:
            raise ValueError("merges: bad number")
        if not all(type(part) is int and part in known for part in pair):
            raise ValueError("merges: bad part")
        rules[new_id] = pair

    def piece(one):
        return bytes([one]) if one < 256 else piece(rules[one][0]) + piece(rules[one][1])

    return {**{one: piece(one) for one in range(256)}, 256: b"", 257: b"", **{one: piece(one) for one in rules}}


@right("token_table")
def table_with_an_error_class(merges):
    class BadRule(ValueError):
        pass

    table = dict(zip(range(256), (bytes([b]) for b in range(256)), strict=True))
    usable = set(table)
    for i in range(len(merges)):
        (a, b), c = merges[i]
        if type(c) is not int or c - i != 258:
            raise BadRule("merges")
        if {type(a), type(b)} != {int} or a not in usable or b not in usable:
            raise BadRule("merges")
        table[c] = table[a] + table[b]
        usable.add(c)
    table.update({256: b"", 257: b""})
    return table


# --- encode --------------------------------------------------------------------------------------------------------


@right("encode")
def lowest_rank_first(text, merges):
    """As later tokenizers do it: always the pair with the lowest rank, until no pair is a rule."""
    ranks = {tuple(pair): new_id for pair, new_id in merges}
    ids = list(text.encode())
    while True:
        found = [(ranks[pair], i) for i, pair in enumerate(itertools.pairwise(ids)) if pair in ranks]
        if not found:
            return [BOS, *ids, EOS]
        new_id, i = min(found)
        ids[i : i + 2] = [new_id]


@right("encode")
def with_a_stack(text, merges):
    ids = [*bytearray(text, "utf-8")]
    for (left, right_), new_id in merges:
        stack, free = [], False  # `free`: the last id of the stack may still be used
        for one in ids:
            if free and stack[-1] == left and one == right_:
                stack[-1], free = new_id, False
            else:
                stack.append(one)
                free = True
        ids = stack
    return [256, *ids, 257]


@right("encode")
def by_recursion(text, merges):
    def apply(ids, rules):
        if not rules:
            return ids
        (pair, new_id), *rest = rules
        return apply(merge_pair(ids, pair, new_id), rest)

    return [BOS, *apply(list(text.encode("utf-8")), list(merges)), EOS]


@right("encode")
def replacing_in_a_string(text, merges):
    """Ids as private code points, so that `str.replace` does the left-to-right work."""
    shift = 0xF0000
    ids = "".join(chr(shift + byte) for byte in text.encode())
    for (left, right_), new_id in merges:
        ids = ids.replace(chr(shift + left) + chr(shift + right_), chr(shift + new_id))
    return [BOS, *(ord(letter) - shift for letter in ids), EOS]


@right("encode")
def linked_list(text, merges):
    data = list(text.encode())
    after = [*range(1, len(data)), None] if data else []
    for (left, right_), new_id in merges:
        here = 0 if data else None
        while here is not None and after[here] is not None:
            if data[here] == left and data[after[here]] == right_:
                data[here] = new_id
                after[here] = after[after[here]]
            here = after[here]
    ids, here = [], 0 if data else None
    while here is not None:
        ids.append(data[here])
        here = after[here]
    return [BOS, *ids, EOS]


@right("encode")
def with_numpy(text, merges):
    import numpy as np

    ids = np.frombuffer(text.encode(), dtype=np.uint8).astype(np.int64)
    for (left, right_), new_id in merges:
        i = 0
        places = set(np.flatnonzero((ids[:-1] == left) & (ids[1:] == right_)).tolist())
        out = []
        while i < len(ids):
            out.append(new_id if i in places else int(ids[i]))
            i += 2 if i in places else 1
        ids = np.array(out, dtype=np.int64)
    return [BOS, *ids.tolist(), EOS]


# --- decode --------------------------------------------------------------------------------------------------------


@right("decode")
def into_a_bytearray(ids, merges):
    table, data = token_table(merges), bytearray()
    for one in ids:
        try:
            data += table[one]
        except KeyError:
            raise ValueError(f"ids holds {one}") from None
    return str(data, "utf-8")


@right("decode")
def from_a_list_of_pieces(ids, merges):
    table = token_table(merges)
    pieces = [table[one] for one in range(FIRST_RULE + len(merges))]
    if any(not 0 <= one < len(pieces) for one in ids):
        raise ValueError("unknown ids")
    return b"".join(map(pieces.__getitem__, ids)).decode()


@right("decode")
def undoing_the_rules(ids, merges):
    ids = [one for one in ids if one not in (BOS, EOS)]
    for pair, new_id in reversed(merges):
        ids = [part for one in ids for part in (pair if one == new_id else [one])]
    try:
        return bytes(ids).decode("utf-8")
    except UnicodeDecodeError:
        raise
    except ValueError:
        raise ValueError("ids are not all in the vocabulary") from None


@right("decode")
def incremental_decoder(ids, merges):
    import codecs

    table = token_table(merges)
    if not set(ids) <= table.keys():
        raise ValueError("ids")
    decoder = codecs.getincrementaldecoder("utf-8")()
    return "".join(decoder.decode(table[one]) for one in ids) + decoder.decode(b"", final=True)


# --- fragment_label ------------------------------------------------------------------------------------------------


@right("fragment_label")
def label_by_round_trip(piece):
    text = piece.decode("utf-8", errors="surrogateescape")
    if any("\udc80" <= letter <= "\udcff" for letter in text):
        return "0x" + "".join(f"{byte:02x}" for byte in piece)
    return f"{text!r}"


@right("fragment_label")
def label_with_replacement_compared(piece):
    text = piece.decode("utf-8", errors="replace")
    return repr(text) if text.encode("utf-8") == piece else "0x" + bytes.hex(piece)


# --- digest --------------------------------------------------------------------------------------------------------


@right("digest")
def updated_line_by_line(merges):
    found = hashlib.sha256(b"byte-bpe 1\n")
    for (left, right_), new_id in merges:
        found.update(b"%d %d %d\n" % (left, right_, new_id))
    return found.digest().hex()


@right("digest")
def joined_with_print(merges):
    import io

    out = io.StringIO()
    print("byte-bpe 1", file=out)
    for pair, new_id in merges:
        print(*pair, new_id, file=out)
    return hashlib.new("sha256", out.getvalue().encode()).hexdigest().lower()


# --- save_tokenizer and load_tokenizer -----------------------------------------------------------------------------


@right("save_tokenizer")
def with_a_named_temporary_file(path, merges):
    token_table(merges)
    text = json.dumps({"merges": merges, "digest": digest(merges), "version": 1}, indent=2, sort_keys=True)
    with tempfile.NamedTemporaryFile("w", dir=os.path.dirname(path) or ".", delete=False) as file:
        file.write(text)
    os.replace(file.name, path)


@right("save_tokenizer")
def cleaned_up_in_the_end(path, merges):
    path = Path(path)
    other = path.with_name(path.name + ".new")
    try:
        with other.open("w", encoding="utf-8", newline="\n") as file:
            token_table(merges)
            rules = [[list(pair), new_id] for pair, new_id in merges]
            json.dump({"version": 1, "digest": digest(merges), "merges": rules}, file, separators=(",", ":"))
        other.replace(path)
    finally:
        other.unlink(missing_ok=True)


@right("load_tokenizer")
def from_bytes(path):
    with open(path, "rb") as file:
        data = json.loads(file.read().decode("utf-8"))
    match data:
        case {"version": version, "merges": list(rules), "digest": str(own)}:
            pass
        case dict():
            missing = [key for key in ("version", "merges", "digest") if key not in data]
            if not missing and (type(data["version"]) is not int or data["version"] != 1):
                missing = ["version"]
            elif not missing and not isinstance(data["merges"], list):
                missing = ["merges"]
            raise ValueError(f"wrong: {missing or 'digest'}")
        case _:
            raise ValueError("no object")
    if repr(version) != "1":
        raise ValueError(f"unknown version {version}")
    merges = []
    for rule in rules:
        match rule:
            case [[left, right_], new_id]:
                merges.append(((left, right_), new_id))
            case _:
                raise ValueError("merges holds no rule")
    token_table(merges)
    if own != digest(merges):
        raise ValueError("digest differs")
    return merges


@right("load_tokenizer")
def step_by_step(path):
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        version, rules, own = found["version"], found["merges"], found["digest"]
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a saved tokenizer: {error}") from error
    if (version, type(version)) != (1, int):
        raise ValueError("version")
    try:
        merges = [(tuple(pair), new_id) for pair, new_id in rules]
        token_table(merges)
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"merges: {error}") from error
    if not (isinstance(own, str) and own == digest(merges)):
        raise ValueError("digest")
    return list(merges)


# --- fit_splits and duplicate_example ------------------------------------------------------------------------------


@right("fit_splits")
def with_a_count_of_splits(splits, max_merges):
    if sorted(splits) != ["test", "train", "validation"]:
        raise ValueError("splits has the wrong keys")
    seen = Counter(text for texts in splits.values() for text in set(texts))
    if any(number > 1 for number in seen.values()):
        raise ValueError("splits share a text")
    merges = fit_merges(splits["train"], max_merges)
    found = {"encoded": {}, "digest": digest(merges), "merges": merges}
    for name, texts in splits.items():
        found["encoded"][name] = [encode(text, merges) for text in texts]
    return found


@right("fit_splits")
def with_a_dict_of_owners(splits, max_merges):
    names = {"train", "validation", "test"}
    if names ^ set(splits):
        raise ValueError("splits: keys")
    owner = {}
    for name, texts in splits.items():
        for text in texts:
            if owner.setdefault(text, name) != name:
                raise ValueError(f"splits: {text!r} twice")
    merges = fit_merges(iter(splits["train"]), max_merges)
    found = dict.fromkeys(("merges", "digest", "encoded"))
    found |= {"merges": merges, "digest": digest(merges)}
    found["encoded"] = {name: [encode(text, merges) for text in splits[name]] for name in names}
    return found


@right("duplicate_example")
def by_one_more():
    return ["xyxy", "ababab", "xyxy"]


@right("duplicate_example")
def inside_one_text():
    return ["zz zz", "aaa", "zz zz"]


# --- is_canonical and count_encodings ------------------------------------------------------------------------------


@right("is_canonical")
def from_the_bytes(ids, merges):
    table = token_table(merges)
    if ids[:1] != [BOS] or ids[-1:] != [EOS] or len(ids) < 2 or any(one not in table for one in ids):
        return False
    try:
        text = b"".join(table[one] for one in ids).decode()
    except UnicodeDecodeError:
        return False
    return encode(text, merges) == ids


@right("is_canonical")
def with_an_early_answer(ids, merges):
    try:
        text = decode(ids, merges)
    except (ValueError, KeyError):
        return False
    wanted = encode(text, merges)
    return len(wanted) == len(ids) and all(a == b for a, b in zip(wanted, ids, strict=True))


@right("count_encodings")
def from_the_front(text, merges):
    data, pieces = text.encode(), token_table(merges).values()
    ways = [1] + [0] * len(data)
    for start in range(len(data)):
        for piece in pieces:
            if piece and data.startswith(piece, start):
                ways[start + len(piece)] += ways[start]
    return ways[len(data)]


@right("count_encodings")
def with_a_memory(text, merges):
    import functools

    data = text.encode()
    pieces = [piece for piece in token_table(merges).values() if piece]

    @functools.cache
    def ways(start):
        if start == len(data):
            return 1
        return sum(ways(start + len(piece)) for piece in pieces if data.startswith(piece, start))

    return ways(0)


@right("count_encodings")
def with_a_trie(text, merges):
    data, root = text.encode(), {}
    for piece in token_table(merges).values():
        node = root
        for byte in piece:
            node = node.setdefault(byte, {})
        if piece:
            node["ends"] = node.get("ends", 0) + 1
    ways = [0] * len(data) + [1]
    for start in reversed(range(len(data))):
        node, place = root, start
        while place < len(data) and data[place] in node:
            node = node[data[place]]
            place += 1
            ways[start] += node.get("ends", 0) * ways[place]
    return ways[0]


# --- path_bits_per_byte, embedding_parameters, context_bytes ---------------------------------------------------------


@right("path_bits_per_byte")
def summed_plainly(log_probs, text):
    if len(text) == 0:
        raise ValueError("text has no byte")
    if len(log_probs) == 0 or any(value > 0 or math.isnan(value) for value in log_probs):
        raise ValueError("log_probs")
    return -sum(value / math.log(2) for value in log_probs) / len(text.encode())


@right("path_bits_per_byte")
def summed_with_numpy(log_probs, text):
    import numpy as np

    data = bytes(text, "utf-8")
    if not data:
        raise ValueError("text")
    values = np.asarray(log_probs, dtype=float)
    if values.size == 0 or not (values <= 0).all():
        raise ValueError("log_probs")
    return float(-(values * math.log2(math.e)).sum() / len(data))


@right("embedding_parameters")
def rows_times_width(vocab_size, d_model, tied):
    if isinstance(vocab_size, bool) or not isinstance(vocab_size, int) or vocab_size <= 0:
        raise ValueError("vocab_size")
    if isinstance(d_model, bool) or not isinstance(d_model, int) or d_model <= 0:
        raise ValueError("d_model")
    table = vocab_size * d_model
    return table if tied else table + table


@right("context_bytes")
def by_running_sums(text, merges, window):
    if type(window) is not int or window <= 0:
        raise ValueError("window")
    table = token_table(merges)
    ends = [0]
    for one in encode(text, merges)[1:-1]:
        ends.append(ends[-1] + len(table[one]))
    return [ends[i] - ends[i - window] for i in range(window, len(ends))]


@right("context_bytes")
def by_a_sliding_sum(text, merges, window):
    from collections import deque

    if isinstance(window, bool) or not isinstance(window, int) or window < 1:
        raise ValueError(f"window is {window!r}")
    table, held, found = token_table(merges), deque(), []
    for one in encode(text, merges):
        if one in (BOS, EOS):
            continue
        held.append(len(table[one]))
        if len(held) > window:
            held.popleft()
        if len(held) == window:
            found.append(sum(held))
    return found


# --- figures -------------------------------------------------------------------------------------------------------


@right("plot_held_out_ratio")
def with_pandas_plotting(splits, steps):
    import pandas as pd

    merges = fit_merges(splits["train"], max(steps))

    def ratio(texts, rules):
        return sum(len(t.encode()) for t in texts) / sum(len(encode(t, rules)) - 2 for t in texts)

    rows = [
        {"rules": len(merges[:n]), **{k: ratio(splits[k], merges[:n]) for k in ("train", "validation")}} for n in steps
    ]
    frame = pd.DataFrame(rows)
    axes = frame.plot(x="rules", y=["train", "validation"], title="Held out", xlabel="rules", ylabel="bytes per token")
    return frame, axes.figure


@right("plot_context_bytes")
def as_bars(text, rule_lists, window):
    import matplotlib.pyplot as plt
    import pandas as pd

    frames = []
    figure, axes = plt.subplots()
    for name, merges in rule_lists.items():
        counts = Counter(context_bytes(text, merges, window))  # noqa: F821
        sizes = sorted(counts)
        numbers = [counts[size] for size in sizes]
        axes.bar(sizes, numbers, label=name, alpha=0.5)
        frames.append(pd.DataFrame({"tokenizer": name, "bytes": sizes, "windows": numbers}))
    figure.suptitle("Windows")
    axes.set_xlabel("bytes")
    axes.set_ylabel("windows")
    axes.legend()
    return pd.concat(frames), figure
