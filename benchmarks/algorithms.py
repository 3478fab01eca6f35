"""Our training and encoding beside the peers', in one run: `make bench` writes docs/benchmarks.md and a figure.

    python -m benchmarks.algorithms [--sizes 1 4 10 64] [--ids 500 8000 32000] [--output docs]

Each measurement has a process of its own (`benchmarks.contestants`); times are CPU seconds without imports, memory is
the most that the process had, imports included. Peers that are not installed are left out and named.
"""

import argparse
import importlib.metadata
import importlib.util
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.reference.growth import fitted_slope
from benchmarks.corpora import ROOT, course_texts, write

PEERS = ("tokenizers", "tiktoken", "rustbpe", "bpeasy", "numpy", "regex")
R2 = ["ours, R2", "tokenizers", "rustbpe", "bpeasy"]
R1 = ["ours, R1, NumPy", "ours, R1"]
BEGIN, END = "<!-- algorithms: begin -->", "<!-- algorithms: end -->"
PATIENCE = 900  # seconds for one measurement
TURNS = 3
STYLES = {"ours, R2": ("#0072B2", "o", "-"), "tokenizers": ("#D55E00", "s", "--"), "rustbpe": ("#009E73", "^", "-."),
          "bpeasy": ("#CC79A7", "D", ":"), "ours, R1, NumPy": ("#000000", "v", "-"), "ours, R1": ("#56B4E9", "x", "--")}


def measure(kind: str, name: str, path: Path, ids: int) -> dict | None:
    """One measurement in its own process, None where it could not be done in time or at all."""
    call = [sys.executable, "-m", "benchmarks.contestants", kind, name, path, ids]
    print("…", kind, name, path.name, ids, file=sys.stderr)
    try:
        done = subprocess.run(list(map(str, call)), capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        return None
    return json.loads(done.stdout)


def table(header: list[str], rows: list[list]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines) + "\n"


def shown(figures: dict | None) -> str:
    return f"{figures['cpu']:.2f} s / {figures['peak_mb']:.0f} MB" if figures else "–"


def present(names: list[str]) -> list[str]:
    """Those that are written here, or by a peer that is installed."""
    here = ("ours", "plain", "naive")
    return [name for name in names if name.startswith(here) or importlib.util.find_spec(name.split(",")[0])]


def by_turns(names: list[str], path: Path, ids: int) -> dict[str, dict | None]:
    """The figures of each trainer's fastest of `TURNS`: one after the other, as a machine's speed drifts."""
    found: dict[str, list[dict]] = {name: [] for name in names}
    for _ in range(TURNS):
        for name in names:
            if figures := measure("train", name, path, ids):
                found[name].append(figures)
    return {name: min(turns, key=lambda one: one["cpu"], default=None) for name, turns in found.items()}


def by_size(names: list[str], files: dict[int, Path], ids: int) -> dict[str, dict[int, dict | None]]:
    sizes = {size: by_turns(names, path, ids) for size, path in files.items()}
    return {name: {size: found[name] for size, found in sizes.items()} for name in names}


def with_slopes(found: dict[str, dict[int, dict | None]]) -> list[list[str]]:
    rows = []
    for name, figures in found.items():
        there = {size: one["cpu"] for size, one in figures.items() if one}
        slope = f"{fitted_slope(list(there), list(there.values())):.2f}" if len(there) > 1 else "–"
        rows.append([name, *map(shown, figures.values()), slope])
    return rows


def draw(found: dict[str, dict[int, dict | None]], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "benchmarks"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    for name, figures in found.items():
        color, marker, line = STYLES[name]
        there = [(size, one["cpu"], one["peak_mb"]) for size, one in figures.items() if one]
        for axis, column in zip(axes, (1, 2), strict=True):
            across, up = [one[0] for one in there], [one[column] for one in there]
            axis.plot(across, up, color=color, marker=marker, ls=line, label=name)
    for axis, title, unit in zip(axes, ("CPU time", "Peak memory"), ("seconds", "MB"), strict=True):
        axis.set(xscale="log", yscale="log", xlabel="Python source (MB)", ylabel=f"{title} ({unit})")
        axis.set_title(f"{title} of training, 8,000 ids")
    axes[0].legend(fontsize="small")
    figure.savefig(path, metadata={"Date": None})


def machine() -> str:
    try:
        model = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())[1]
    except (OSError, TypeError):
        model = platform.machine()
    versions = [f"{name} {importlib.metadata.version(name)}" for name in PEERS if importlib.util.find_spec(name)]
    missing = [name for name in PEERS if not importlib.util.find_spec(name)]
    return (
        f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}; "
        + ", ".join(versions) + (f"; not installed: {', '.join(missing)}" if missing else "")
    )


def report(sizes: list[int], r1_sizes: list[int], vocabularies: list[int], folder: Path, output: Path) -> str:
    files = {size: folder / f"python_{size}MB.txt" for size in sorted({*sizes, *r1_sizes, 1})}
    for size, path in files.items():
        write(path, size * 1_000_000)
    course = folder / "course_texts.txt"
    course.write_text(course_texts(), encoding="utf-8", newline="")
    r2 = by_size(present(R2), {size: files[size] for size in sizes}, 8000)
    r1 = by_size(R1, {size: files[size] for size in r1_sizes}, 8000)
    draw(r2 | r1, output / "benchmarks.svg")
    text = ["\nMachine: " + machine() + ". Standard library's Python source unless said; peers limited to one thread; "
            "CPU seconds without imports / peak memory with them; by size of text or vocabulary, the fastest "
            f"of {TURNS} turns. Written by `make bench`.\n",
            '![CPU time and peak memory of training with 8,000 ids against megabytes of '
            'Python source, ours beside the peers; the table below has the same figures](benchmarks.svg)\n',
            "### Training with pre-tokens (R2), 8,000 ids\n",
            table(["", *(f"{size} MB" for size in sizes), "growth exponent"], with_slopes(r2)),
            "### Training on one text without pre-tokens (R1), 8,000 ids\n",
            table(["", *(f"{size} MB" for size in r1_sizes), "growth exponent"], with_slopes(r1))]
    naive = measure("naive", "-", files[1], 8000)
    if naive:
        text.append("The plain version of chapter 3 on 1 MB, from 12 of its rounds measured and the rest interpolated: "
                    f"{naive['cpu']:.0f} s of CPU for {naive['rounds']} rounds.")
        largest = max(r1_sizes)
        ours = r1[R1[0]][largest]
        if ours:
            times = naive["cpu"] * largest / ours["cpu"]
            text[-1] += f" Taken to {largest} MB in proportion, that is {times:.0f} times ours with NumPy."
        text[-1] += "\n"
    middle = sizes[len(sizes) // 2]
    learnt = {ids: by_turns(present(R2), files[middle], ids) for ids in vocabularies}
    rows = [[name, *(shown(learnt[ids][name]) for ids in vocabularies)] for name in present(R2)]
    header = ["", *(f"{ids:,} ids" for ids in vocabularies)]
    text += [f"### Size of the vocabulary (R2, {middle} MB)\n", table(header, rows)]
    names = [*present(R2), "plain R2 (chapter 5)", "naive lists"]
    small = {name: measure("train", name, course, 300) for name in names}
    text += ["### The course's own texts, 300 ids, with the naive versions\n",
             table(["", f"{course.stat().st_size / 1e6:.1f} MB"], [[name, shown(one)] for name, one in small.items()])]
    names = [*R1, "plain R1 (chapter 3)", *present(["rustbpe, whole text"])]
    whole = {name: measure("train", name, course, 300) for name in names}
    text += ["### Equal merges where rules agree\n", table(["rule set", "equal"], [
        ["R2, course texts, 300 ids: ours, plain", same(small, "ours, R2", "plain R2 (chapter 5)")],
        ["smallest pair of ids, course texts, 300 ids: rustbpe, bpeasy", same(small, "rustbpe", "bpeasy")],
        [f"R1, course texts, 300 ids: {', '.join(whole)}", same(whole, *whole)],
    ])]
    found = measure("encode", "-", files[max(r1_sizes)], 8000)
    if found:
        rows = [[name, f"{speed:.3g}"] for name, speed in found["speeds"].items()]
        text += ["### Encoding 1 MB of Python source, 8,000 ids\n", table(["", "MB per CPU second"], rows),
                 f"The same ids from all three for R2: {'yes' if found['agree'] else 'NO'}; "
                 f"from both for R1: {'yes' if found['agree_r1'] else 'NO'}.\n"]
        lengths = list(map(int, found["runs"]))
        rows = [[name, *(f"{one[column]:.2f} s" for one in found["runs"].values()),
                 f"{fitted_slope(lengths, [one[column] for one in found['runs'].values()]):.2f}"]
                for column, name in enumerate(("one letter again and again", "random letters"))]
        header = ["", *(f"{length:,}" for length in lengths), "growth exponent"]
        text += ["### One pre-token of many letters\n", table(header, rows)]
    return "\n".join(text)


def same(found: dict[str, dict | None], *names: str) -> str:
    digests = [one.get("digest") for name in names if (one := found.get(name))]
    return "not measured" if len(digests) < 2 else ("yes" if len(set(digests)) == 1 else "NO")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 4, 10, 64], help="megabytes, R2")
    parser.add_argument("--r1-sizes", type=int, nargs="+", default=[1, 4, 10], help="megabytes, R1")
    parser.add_argument("--ids", type=int, nargs="+", default=[500, 8000, 32000])
    parser.add_argument("--output", type=Path, default=ROOT / "docs")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        text = report(asked.sizes, asked.r1_sizes, asked.ids, Path(folder), asked.output)
    path = asked.output / "benchmarks.md"
    old = path.read_text(encoding="utf-8") if path.exists() else f"# Benchmarks\n\n## Algorithms\n\n{BEGIN}\n{END}\n"
    if BEGIN not in old:
        old += f"\n## Algorithms\n\n{BEGIN}\n{END}\n"
    before, after = old.partition(BEGIN)[0], old.partition(END)[2]
    path.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
