"""Counting the pre-tokens of a corpus on many machines, through Dask; the numbers are those of `corpus_counts`.

Tasks carry a path and two offsets, so workers must be able to read the files and import this package; each sends back
different pre-tokens with their numbers. Needs the extra `cluster`.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from pathlib import Path

from distributed import Client, as_completed

from autograder.reference.corpus_counts import PART, add_up, count_part
from autograder.reference.safe_cuts import parts

__all__ = ["count_on_cluster"]

JOINED = 16  # results that a worker adds up before they travel


def count_on_cluster(
    client: Client, paths: Iterable[str | Path], special_tokens: Sequence[str], *, part_size: int = PART,
    advance: Callable[[int], object] = lambda size: None,
) -> dict[str, int]:
    """Each different pre-token of all files with its number; no pre-token reaches from one file into the next.

    Parts have about `part_size` bytes; `advance` hears how many bytes were done. Raises what `count_file` raises.
    """
    special = list(special_tokens)
    split = client.map(parts, list(map(str, paths)), special_tokens=special, size=part_size, pure=False)
    todo = [part for found in client.gather(split) for part in found]
    totals: dict[str, int] = {}
    sizes = {}
    for start in range(0, len(todo), JOINED):
        group = todo[start : start + JOINED]
        counted = client.map(count_part, group, special_tokens=special, pure=False)
        sizes[client.submit(join, counted, pure=False)] = sum(part.end - part.start for part in group)
    for future, found in as_completed(list(sizes), with_results=True):
        add_up(totals, found)
        advance(sizes[future])
    return totals


def join(counted: list[dict[str, int]]) -> dict[str, int]:
    """The sum of several counts, in a new dict: Dask's own results must stay as they are."""
    return reduce(add_up, counted, {})
