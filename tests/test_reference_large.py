"""Every reference trainer learns the same merges from a megabyte: Python's own library, as it lies on this machine."""

import pathlib
import sysconfig

import pytest

from autograder.reference import incremental_bpe, naive_bpe, pretokenized_bpe

SIZE = 1_000_000  # bytes at least
FEW = {"R1": 3, "R2": 30}  # merges: the naive versions read everything again for each


@pytest.fixture(scope="module")
def library() -> str:
    """Sources of the standard library, in the order of their names, up to the size."""
    parts, size = [], 0
    for path in sorted(pathlib.Path(sysconfig.get_path("stdlib")).glob("*.py")):
        parts.append(path.read_bytes().decode("utf-8"))
        size += len(parts[-1].encode("utf-8"))
        if size >= SIZE:
            return "".join(parts)
    pytest.skip("the standard library's sources are not here")


def test_r1(library):
    learnt = incremental_bpe.fit_merges([library], 60)
    assert len(learnt) == 60
    assert learnt[: FEW["R1"]] == naive_bpe.fit_merges([library], FEW["R1"])


def test_r2(library):
    counts = pretokenized_bpe.count_pretokens(library, ["<|endoftext|>"])
    learnt = incremental_bpe.learn_merges(counts, 2_000)
    assert len(learnt) == 2_000
    assert learnt[: FEW["R2"]] == pretokenized_bpe.learn_merges(counts, FEW["R2"])
