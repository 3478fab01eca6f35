"""The benchmark measures what it says, writes a whole report, and makes the same corpus each time."""

import pytest

from benchmarks import algorithms, contestants, corpora


def test_the_larger_corpus_is_the_same_each_time_and_not_just_repeated():
    first, again = ("".join(corpora.varied("one\ntwo\n" * 500, 20_000, seed)) for seed in (1, 1))
    assert first == again != "".join(corpora.varied("one\ntwo\n" * 500, 20_000, 2))
    assert len(first) >= 20_000
    assert len(set(first.split())) > 100


@pytest.mark.parametrize("name", [name for name in contestants.TRAINERS if name.startswith(("ours", "plain", "naive"))])
def test_each_trainer_of_ours_learns(name, tmp_path):
    path = tmp_path / "text"
    path.write_text("low lower lowest slow\n" * 20, encoding="utf-8")
    found = contestants.train(name, str(path), 265)
    assert (found["peak_mb"] > 1, found["cpu"] >= 0, len(found["digest"])) == (True, True, 12)


def test_the_report_has_every_table_and_tells_unequal_merges(tmp_path, monkeypatch):
    def here(kind, name, path, ids):
        if kind != "train":
            return None  # takes long; the tables of the others are written all the same
        digest = "other" if name == "plain R1 (chapter 3)" else "same"
        return {"cpu": float(path.stat().st_size), "wall": 1.0, "peak_mb": 7.0, "digest": digest}

    monkeypatch.setattr(algorithms, "measure", here)
    monkeypatch.setattr(algorithms, "write", lambda path, size: path.write_bytes(b"a" * (size // 1_000_000)))
    text = algorithms.report([1, 2], [1, 2], [500, 600], tmp_path, tmp_path)
    assert (tmp_path / "benchmarks.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert "| ours, R2 | 1.00 s / 7 MB | 2.00 s / 7 MB | 1.00 |" in text
    assert text.count("| yes |") >= 1
    assert text.count("| NO |") == 1


def test_contestants_take_turns_and_the_least_counts(monkeypatch, tmp_path):
    asked = []

    def slower_each_time(kind, name, path, ids):
        asked.append(name)
        return {"cpu": float(len(asked)), "peak_mb": 1.0} if name != "none" else None

    monkeypatch.setattr(algorithms, "measure", slower_each_time)
    found = algorithms.by_turns(["a", "none", "b"], tmp_path, 300)
    assert asked == ["a", "none", "b"] * 3
    assert {name: one and one["cpu"] for name, one in found.items()} == {"a": 1.0, "none": None, "b": 3.0}
