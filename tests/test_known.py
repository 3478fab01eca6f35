"""Answers that are known to pass, and answers that checks share: fewer questions, and the same verdicts."""

import socket
import threading
import time

import pytest
from inprocess import SECRET, Connector, grade

from autograder.checks import known
from autograder.checks.api import agree, check, fail
from autograder.checks.exchange import Exchange, Line, Shared
from autograder.checks.runner import CellRun
from autograder.sandbox.inside import wire

RIGHT = "def double(n): return 2 * n"
ALSO_RIGHT = "def double(n): return n + n"
# The right answers, but each frame of them in two, the first of which ends inside an answer.
CUT = """
import autograder.sandbox.inside.snapshot as snapshot
def send_in_two(connection, answers):
    frame = snapshot.wire.written(answers)
    place = frame.index(b'",') + 1
    snapshot.wire.send_bytes(connection, frame[:place] + b"]")
    snapshot.wire.send_bytes(connection, b"[" + frame[place + 1 :])
snapshot.send_answers = send_in_two
def double(n): return 2 * n
"""
heard = []


@check("test_double", points=1)
def doubles(double):
    """Each number is doubled."""
    heard.append("doubles")
    agree(double, lambda n: 2 * n, [(n,) for n in range(60)])


@check("test_double", points=1)
def asks_on(double):
    """What it asks next depends on the answer."""
    heard.append("asks_on")
    first = double(3)
    if double(first) != 12:
        fail("Twice is four times.")


@check("test_double", points=1)
def doubles_three(double):
    """Three is doubled."""
    agree(double, lambda n: 2 * n, [(3,)])


class Counted:
    """A connector that counts the copies it was asked for."""

    def __init__(self, source: str):
        self.inner = Connector(source)
        self.copies = 0

    def __call__(self):
        self.copies += 1
        return self.inner()


def run(source: str, *checks) -> tuple[CellRun, Counted]:
    heard.clear()
    copies = Counted(source)
    cell = CellRun(checks, copies, SECRET)
    cell.public()
    cell.secret(copies)  # there is none: the copies end
    return cell, copies


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch):
    monkeypatch.setattr(known, "_ROOTS", {})


@pytest.mark.parametrize("second", [RIGHT, ALSO_RIGHT])
def test_the_second_right_submission_is_judged_by_its_bytes(second):
    first, _ = run(RIGHT, doubles, asks_on)
    assert heard == ["doubles", "asks_on"]
    again, _ = run(second, doubles, asks_on)
    assert heard == []
    assert again.results() == first.results()
    assert {result.status for result in again.results()} == {"passed"}
    assert again.answers() == first.answers() != {}  # told when a misconception has to be named


@pytest.mark.parametrize("wrong", [
    "def double(n): return 2 * n if n < 59 else 7",
    "def double(n): return float(2 * n)",
    "def double(n): return True if n == 3 else 2 * n",
    "def double(n): return [2 * n]",
    "def double(n): raise ValueError('no')",
    "import os\ndef double(n): return 2 * n if n < 40 else os._exit(1)",
    "def double(n): raise NotImplementedError",
    "other = 1",
    CUT,
])
def test_any_other_answer_is_judged_as_if_nothing_were_known(wrong):
    alone, _ = run(wrong, doubles, asks_on)
    known._ROOTS.clear()
    run(RIGHT, doubles, asks_on)
    after, _ = run(wrong, doubles, asks_on)
    assert after.results() == alone.results()
    assert after.answers() == alone.answers()
    assert after.results()[0].status != "passed"


def test_an_answer_that_did_not_pass_is_never_known():
    run("def double(n): return 0", doubles)
    again, _ = run("def double(n): return 0", doubles)
    assert heard == ["doubles"]
    assert again.results()[0].status == "failed"


COUNTS = "calls = []\ndef count(): calls.append(1); return len(calls)"


@check("test_count", points=1)
def counts_once(count):
    """The first call gives 1."""
    agree(count, lambda: 1, [()])


@check("test_count", points=1)
def counts_twice(count, session):
    """A copy of the notebook goes on where it was; a fresh one begins anew."""
    told = [count(), count()]
    session.close()
    told += [count(), count(), count()]
    if told != [1, 2, 1, 2, 3]:
        fail(call="count()", expected=[1, 2, 1, 2, 3], got=told)


def test_what_fresh_copies_were_asked_is_not_asked_again():
    cell, copies = run(COUNTS, counts_once, counts_once, counts_once)
    assert {result.status for result in cell.results()} == {"passed"}
    assert copies.copies == 1


def test_a_check_that_goes_on_from_shared_answers_meets_the_copy_as_it_would_be():
    cell, _ = run(COUNTS, counts_once, counts_twice)
    assert [result.status for result in cell.results()] == ["passed", "passed"]
    again, _ = run(COUNTS, counts_once, counts_twice)
    assert again.results() == cell.results()


@check("test_count", points=1)
def counts_to_three(count):
    """Three calls in a row."""
    told = [count(), count(), count()]
    if told != [1, 2, 3]:
        fail(call="count()", expected=[1, 2, 3], got=told)


@check("test_double", points=1)
def doubles_a_thousand(double):
    """Another number is doubled."""
    agree(double, lambda n: 2 * n, [(1000,)])


def test_checks_that_pass_ask_one_copy():
    cell, copies = run(RIGHT, doubles, asks_on, doubles_a_thousand)
    assert {result.status for result in cell.results()} == {"passed"}
    assert copies.copies == 1
    again, copies = run(RIGHT, doubles, asks_on, doubles_a_thousand)
    assert again.results() == cell.results()
    assert copies.copies == 1


@check("test_double", points=1, secret=True)
def doubles_in_secret(double, seeded):
    """Numbers that nobody knows are doubled."""
    agree(double, lambda n: 2 * n, [(seeded.randrange(100, 10**9),) for _ in range(20)])


def test_secret_inputs_go_to_the_copy_that_passed_what_anybody_may_see():
    cell, copies = run(RIGHT, doubles_in_secret, doubles)
    assert [result.status for result in cell.results()] == ["passed", "passed"]
    assert copies.copies == 1
    for wrong, statuses in (("<", ["failed", "passed"]), (">=", ["passed", "failed"])):
        cell, copies = run(f"def double(n): return 2 * n if n {wrong} 100 else -1", doubles_in_secret, doubles)
        assert [result.status for result in cell.results()] == statuses
        assert copies.copies > 1


def test_what_earlier_checks_left_behind_costs_no_check():
    cell, copies = run(COUNTS, counts_once, counts_to_three, counts_twice)
    assert {result.status for result in cell.results()} == {"passed"}
    assert copies.copies == 2  # the second check failed in the first one's copy, and was repeated in a fresh one


def test_a_check_that_breaks_its_copy_costs_itself_only():
    ends = "import os\ndef double(n): return 2 * n if n < 59 else os._exit(1)"
    cell, _ = run(ends, doubles_a_thousand, asks_on, doubles)
    assert [result.status for result in cell.results()] == ["failed", "passed", "failed"]


@pytest.mark.parametrize("reply", [b"5", b"[]"])
def test_a_copy_that_answers_nonsense_when_asked_again_fails(reply):
    """`asks_on` begins as the check before it; when it asks on, a fresh copy has to hear the beginning once more."""
    lies = f"""
import mmap
import autograder.sandbox.inside.snapshot as snapshot
told, send = mmap.mmap(-1, 1), snapshot.send_answers  # all copies count in one
def send_or_lie(connection, answers):
    told[0] += answers[0][1] == 6
    snapshot.wire.send_bytes(connection, {reply!r}) if told[0] == 2 else send(connection, answers)
snapshot.send_answers = send_or_lie
def double(n): return 2 * n if n < 1000 else 0
"""
    cell, _ = run(lies, doubles_a_thousand, doubles_three, asks_on)
    assert [result.status for result in cell.results()] == ["failed", "passed", "failed"]


def test_a_copy_that_catches_up_has_the_time_of_what_it_was_asked():
    """Not what was left of a shorter wait: on a busy machine a long question may take more than that to be read."""
    ours, theirs = socket.socketpair()
    ours.settimeout(0.1)
    known_already, long = Shared(), wire.encode(["batch", ["x" * 5_000_000], False, 10.0])

    def read_late() -> None:
        time.sleep(0.5)
        for _ in range(2):
            wire.receive_bytes(theirs)
            wire.send(theirs, [["returned", 1, None, None]])

    Line(lambda: ours, known_already)._go_on(Exchange(long, 1, 10.0, True, [b"[1]"]))  # another check heard it
    later = Line(lambda: ours, known_already)
    assert next(later.ask(long, 1, 10.0)) == b"[1]"
    later.finish()
    threading.Thread(target=read_late, daemon=True).start()
    assert next(later.ask(b"[]", 1, 10.0)) == b'[["returned",1,null,null]]'
    ours.close()
    theirs.close()


STUB_AT_TIMES = """
def get_compression_ratio(text, ids):
    if (text, ids) not in (("ab", [3, 1]), ("ab", [1, 1, 1]), ("é", [2])):
        raise NotImplementedError
"""


def test_what_looks_like_a_stub_to_some_questions_only_earns_nothing():
    """Else a check that is easy to pass counts without the one that it needs."""
    results, _ = grade("02_tokenizers", "test_get_compression_ratio", STUB_AT_TIMES)
    assert sum(result.points for result in results) == 0
    stub = "def get_compression_ratio(text, ids):\n    raise NotImplementedError"
    results, _ = grade("02_tokenizers", "test_get_compression_ratio", stub)
    assert {result.status for result in results} == {"not_written"}


def test_what_is_kept_is_bounded(monkeypatch):
    run(COUNTS, counts_once)
    run(RIGHT, doubles)
    assert len(known._ROOTS) == 2
    known._ROOTS.clear()
    monkeypatch.setattr(known, "MOST_BYTES", 10)
    run(RIGHT, doubles)
    assert not known._ROOTS
    again, _ = run(RIGHT, doubles)
    assert heard == ["doubles"]
    assert again.results()[0].status == "passed"
