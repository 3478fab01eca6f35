"""What is measured, ours and the peers', each behind one function; run by itself, it measures one in its process.

    python -m benchmarks.contestants train|encode NAME FILE IDS

A trainer takes a path and a number of ids, and returns its tokens in the order learnt where it gives one. The naive
versions are written here in the style of teaching code: every round counts everything again. Single-threaded all.
"""

import json
import os
import random
import re
import sys
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path

from autograder.reference.pretokenized_bpe import GPT2_PATTERN

EVERYTHING = r"[\s\S]+"


def text_of(path: str) -> str:
    return Path(path).read_bytes().decode("utf-8")


def ours_r2(path: str, ids: int) -> list[bytes]:
    from autograder.reference.incremental_bpe import train_bpe

    return [a + b for a, b in train_bpe(path, ids, [])[1]]


def ours_r1(path: str, ids: int) -> list[bytes]:
    from autograder.reference.incremental_bpe import fit_merges

    return tokens_of(fit_merges([text_of(path)], ids - 258))


def ours_r1_numpy(path: str, ids: int) -> list[bytes]:
    from autograder.reference.array_bpe import fit_merges

    return tokens_of(fit_merges([text_of(path)], ids - 258))


def naive_r1(path: str, ids: int) -> list[bytes]:
    from autograder.reference.naive_bpe import fit_merges

    return tokens_of(fit_merges([text_of(path)], ids - 258))


def naive_r2(path: str, ids: int) -> list[bytes]:
    from autograder.reference.pretokenized_bpe import train_bpe

    return [a + b for a, b in train_bpe(path, ids, [])[1]]


def naive_lists(path: str, ids: int) -> list[bytes]:
    """Each pre-token of the text as a list of ids, equal ones not put together; the first pair seen wins a tie."""
    import regex

    words = [list(piece.encode()) for piece in regex.findall(GPT2_PATTERN, text_of(path))]
    pieces = [bytes([byte]) for byte in range(256)]
    for new_id in range(256, ids):
        counts: Counter[tuple[int, int]] = Counter()
        for word in words:
            counts.update(pairwise(word))
        if not counts:
            break
        first, second = max(counts, key=counts.__getitem__)
        pieces.append(pieces[first] + pieces[second])
        for number, word in enumerate(words):
            merged, place = [], 0
            while place < len(word):
                if word[place : place + 2] == [first, second]:
                    merged.append(new_id)
                    place += 2
                else:
                    merged.append(word[place])
                    place += 1
            words[number] = merged
    return pieces[256:]


def rustbpe(path: str, ids: int, pattern: str = GPT2_PATTERN) -> list[bytes]:
    import rustbpe

    made = rustbpe.Tokenizer()
    made.train_from_iterator(iter([text_of(path)]), vocab_size=ids, pattern=pattern)
    ranks = dict(map(reversed, made.get_mergeable_ranks())) if made.get_mergeable_ranks() else {}
    return [bytes(ranks[number]) for number in sorted(ranks)][256:]


def rustbpe_r1(path: str, ids: int) -> list[bytes]:
    return rustbpe(path, ids - 2, EVERYTHING)


def bpeasy(path: str, ids: int, pattern: str = GPT2_PATTERN) -> list[bytes]:
    import bpeasy

    made = bpeasy.train_bpe(iter([text_of(path)]), pattern, 1 << 30, ids)
    return sorted(made, key=made.__getitem__)[256:]


def bpeasy_r1(path: str, ids: int) -> list[bytes]:
    return bpeasy(path, ids - 2, EVERYTHING)


def tokenizers(path: str, ids: int) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    letters = pre_tokenizers.ByteLevel.alphabet()
    made.train([path], trainers.BpeTrainer(vocab_size=ids, initial_alphabet=letters, show_progress=False))


def tokens_of(merges: list) -> list[bytes]:
    pieces = {byte: bytes([byte]) for byte in range(256)}
    for (a, b), new_id in merges:
        pieces[new_id] = pieces[a] + pieces[b]
    return list(pieces.values())[256:]


TRAINERS = {
    "ours, R2": ours_r2, "tokenizers": tokenizers, "rustbpe": rustbpe, "bpeasy": bpeasy,
    "plain R2 (chapter 5)": naive_r2, "naive lists": naive_lists,
    "ours, R1": ours_r1, "ours, R1, NumPy": ours_r1_numpy, "plain R1 (chapter 3)": naive_r1,
    "rustbpe, whole text": rustbpe_r1, "bpeasy, whole text": bpeasy_r1,
}


def peak_megabytes() -> float:
    """The most memory that this process had at once: Linux's own figure where it is, as `ru_maxrss` outlives exec."""
    try:
        return int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) * 1024 / 1e6
    except OSError:
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def measured(work) -> tuple[object, dict[str, float]]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}


def train(name: str, path: str, ids: int) -> dict:
    import hashlib

    tokens, figures = measured(lambda: TRAINERS[name](path, ids))
    figures["peak_mb"] = peak_megabytes()
    if tokens is not None:
        # Peers go on below a count of 2 where R1 stops; equality is asked of these first tokens.
        figures["digest"] = hashlib.sha256(repr(tokens[:1500]).encode()).hexdigest()[:12]
    return figures


def encode(_: str, path: str, ids: int) -> dict:
    """All encoders in one process, on the last million bytes of the file, with the rules learnt from all of it."""
    from autograder.reference import byte_bpe, byte_encoder, incremental_bpe
    from autograder.reference.array_bpe import fit_merges
    from autograder.reference.bpe_encode import bpe_encode
    from autograder.reference.tokenizer import Tokenizer, to_huggingface, to_tiktoken

    text = text_of(path).encode()[-1_000_000:].decode("utf-8", errors="ignore")
    size = len(text.encode()) / 1e6
    ours = Tokenizer(*incremental_bpe.train_bpe(path, ids, []))
    speeds, found = {}, {}

    def measure(name: str, work, megabytes: float = size, times: int = 3) -> None:
        figures = []
        for _ in range(times):
            found[name], figure = measured(work)
            figures.append(figure["cpu"])
        speeds[name] = megabytes / min(figures)

    measure("ours, R2, first time", lambda: ours.encode(text), times=1)
    measure("ours, R2, again", lambda: ours.encode(text))
    rust, face = to_tiktoken(ours), to_huggingface(ours)
    measure("tiktoken", lambda: rust.encode_ordinary(text))
    measure("tokenizers, first time", lambda: face.encode(text).ids, times=1)
    measure("tokenizers, again", lambda: face.encode(text).ids)
    merges = fit_merges([text], 7742)
    measure("ours, R1, 7,742 rules", lambda: byte_encoder.encode(text, merges))
    part = text[:20_000]  # one pass for each rule is linear in the length
    measure("passes, R1, 7,742 rules", lambda: byte_bpe.encode(part, merges), len(part.encode()) / 1e6, times=1)
    agree = len({tuple(found[name]) for name in found if "R1" not in name}) == 1
    agree_r1 = byte_encoder.encode(part, merges) == found["passes, R1, 7,742 rules"]
    doubling = {(b"a" * 2**i, b"a" * 2**i): i for i in range(10)}
    letters = "".join(random.Random(0).choices("etaoin", k=10**6)).encode()
    ranks = {pair: rank for rank, pair in enumerate(ours.merges)}
    runs = {}
    for length in (10**4, 10**5, 10**6):
        runs[length] = [
            measured(lambda n=length: bpe_encode(b"a" * n, doubling))[1]["cpu"],
            measured(lambda n=length: bpe_encode(letters[:n], ranks))[1]["cpu"],
        ]
    return {"speeds": speeds, "agree": agree, "agree_r1": agree_r1, "runs": runs}


def naive_seconds(_: str, path: str, ids: int) -> dict:
    """The time of the plain R1 version for all rounds: 12 of them measured, the rest in between by trapezoids."""
    from autograder.reference import array_bpe, byte_encoder, naive_bpe

    text = text_of(path)
    merges = array_bpe.fit_merges([text], ids - 258)
    rounds = [round(i * (len(merges) - 1) / 11) for i in range(12)]
    seconds = []
    for number in rounds:
        tokens = [byte_encoder.encode(text, merges[:number])[1:-1]]
        _, figure = measured(
            lambda tokens=tokens: naive_bpe.merge_pair(tokens[0], naive_bpe.best_pair(naive_bpe.count_pairs(tokens)), 0)
        )
        seconds.append(figure["cpu"])
    total = sum((b - a) * (x + y) / 2 for (a, b), (x, y) in zip(pairwise(rounds), pairwise(seconds), strict=True))
    return {"cpu": total, "rounds": len(merges)}


if __name__ == "__main__":
    os.environ.update(RAYON_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false")
    kind, name, path, ids = sys.argv[1:]
    print(json.dumps({"train": train, "encode": encode, "naive": naive_seconds}[kind](name, path, int(ids))))
