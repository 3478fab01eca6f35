"""The hostile corpus, graded for real: each submission's verdict to the point, and nobody else harmed.

Here all but the slow ones, and of each the exercises that it touches and two that it does not. `make attack` runs all,
on all exercises, and prints a table: kind, attempts, held, time.
"""

import dataclasses
import hashlib
import json
import pathlib
import time
from collections.abc import Iterator

import pytest
from hostile.corpus import CHAPTER, ROOT, Attack, Book, everything

from autograder.grading import submission
from autograder.grading.chapter import Course
from autograder.grading.submission import Graded, grade
from autograder.report.cell import verdict_text
from autograder.sandbox import watch
from autograder.sandbox.kernels import Sandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.run import AFTER_INTERRUPT, JUDGE_SETTLE, MAX_RUNS, SETTLE
from autograder.sandbox.watch import descendants

# Judged beside what an attack touches, as they take little time; the second where cells themselves are in disorder.
BYSTANDERS = {"predict_abab_acac", "tie_example"}
PLACED = {"count_pairs", "merge_pair", "best_pair"}
LIMITS = Limits(cell_seconds=6, later_cell_seconds=3, run_seconds=30, judge_seconds=150)
TRUSTED_BYTES = 500_000_000


@pytest.fixture(scope="module")
def canary(tmp_path_factory) -> pathlib.Path:
    """A folder that looks like a course, with things worth stealing."""
    folder = tmp_path_factory.mktemp("course")
    for name in ("gradebook.db", ".autograder/secret", f"submitted/student-02/{CHAPTER}/naive_bpe.ipynb",
                 ".autograder/store/00/verdict.json"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("canary 4711\n")
    return folder


@pytest.fixture(scope="module")
def sandbox(canary) -> Iterator[Sandbox]:
    with Sandbox(LIMITS, hidden=[ROOT, canary]) as shared:
        yield shared


@pytest.fixture
def judge_only(monkeypatch, request):
    """Judge only some exercises, unless all are wanted; gives the names of those that are judged."""

    def restrict(wanted: set[str]) -> tuple[str, ...]:
        checks = submission.chapter_checks(CHAPTER)
        if "not slow" in request.config.getoption("-m"):
            monkeypatch.setattr(watch, "IDLE_AFTER", 2.0)
            checks = {name: of_cell if name[len("test_"):] in wanted else [] for name, of_cell in checks.items()}
            monkeypatch.setattr(submission, "chapter_checks", lambda chapter: checks)
        return tuple(name.removeprefix("test_") for name in checks)

    return restrict


def hashes(folder: pathlib.Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*")) if path.is_file()
    }


def peak_bytes() -> int:
    """The most memory that this process has had resident since the last reset."""
    status = pathlib.Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024


def most_seconds(limits: Limits) -> float:
    """What a submission may take: every run with a last cell that hangs, and the time for judging, which a first run
    that settles nothing may use up as well.
    """
    run = limits.run_seconds + limits.cell_seconds + SETTLE + AFTER_INTERRUPT
    return limits.start_seconds + (1 + MAX_RUNS + 1) * run + 2 * (limits.judge_seconds + JUDGE_SETTLE)


def texts(graded: Graded) -> str:
    """All that anybody reads; hashes and seconds, which are in the JSON, may hold any digits."""
    return verdict_text(graded.verdict) + json.dumps(graded.notebook, ensure_ascii=False)


def stdout_of(graded: Graded, source: str) -> str:
    cell = next(cell for cell in graded.notebook.cells if cell.source == source)
    return "".join(out.text for out in cell.outputs if out.output_type == "stream" and out.name == "stdout").strip()


def scores(graded: Graded) -> dict[str, float]:
    return {cell.grade_id.removeprefix("test_"): cell.score for cell in graded.verdict.cells}


def full(exercises: tuple[str, ...], **left: float) -> dict[str, float]:
    checks = submission.chapter_checks(CHAPTER)
    points = {name: float(sum(check.points for check in checks[f"test_{name}"])) for name in exercises}
    return points | {name: float(value) for name, value in left.items() if name in exercises}


@pytest.mark.parametrize(
    "attack", [pytest.param(one, marks=pytest.mark.slow if one.slow else (), id=str(one)) for one in everything()]
)
def test_attack(attack: Attack, sandbox: Sandbox, canary: pathlib.Path, judge_only):
    book = Book(canary)
    attack.make(book)
    placed = PLACED if attack.kind == "unlucky" else set()
    exercises = judge_only(BYSTANDERS | placed | attack.left.keys() | book.touched())
    course = Course(ROOT)
    before, started = hashes(canary), time.monotonic()
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # the peak of memory counts from here
    resident = peak_bytes()  # what other tests left in this process
    graded = grade(book.submitted(), course.chapter(CHAPTER), course, sandbox)
    seconds = time.monotonic() - started

    if attack.ungradable:
        assert graded.verdict.status == "ungradable"
        assert attack.ungradable in graded.verdict.reason
    elif attack.may_lose:
        assert all(score <= full(exercises)[name] for name, score in scores(graded).items())
    else:
        assert scores(graded) == full(exercises, **attack.left)
    for source, prints in book.prints:
        assert stdout_of(graded, source) == prints
    said = texts(graded)
    assert [word for word in book.words if word not in said] == []
    assert [needle for needle in [*book.absent, "canary 4711"] if needle in said] == []
    if book.second is not None:
        after = grade(book.second.submitted(), course.chapter(CHAPTER), course, sandbox)
        assert scores(after) == full(exercises)
        for source, prints in book.second.prints:
            assert stdout_of(after, source) == prints

    assert hashes(canary) == before
    assert seconds < most_seconds(LIMITS) + 5
    deadline = time.monotonic() + 5
    assert sandbox.process_id or sandbox.alone or attack.ungradable
    while sandbox.process_id and len(descendants(sandbox.process_id)) > 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    # bubblewrap, its first process and the pre-loaded parent: nothing of the student's is left
    assert not sandbox.process_id or len(descendants(sandbox.process_id)) == 3
    assert peak_bytes() - resident < TRUSTED_BYTES


def test_the_corpus_is_as_large_as_promised():
    corpus = everything()
    assert len(corpus) >= 45
    assert {attack.kind for attack in corpus} == {
        "forging", "peeking", "sniffing", "breaking out", "exhausting", "unlucky"
    }
    assert len({attack.name for attack in corpus}) == len(corpus)
    assert all(dataclasses.is_dataclass(attack) and attack.make.__doc__ for attack in corpus)
