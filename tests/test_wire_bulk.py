"""Many small values at once: lists of bytes and texts on the wire, and a hundred thousand calls in one request."""

import json

import pytest
from inprocess import Connector

from autograder.checks.api import Failed, agree_on_each
from autograder.checks.outcomes import TimedOut
from autograder.checks.session import NotWritten, Session
from autograder.sandbox.inside import wire

SOURCE = """
def double(n):
    return 2 * n
def wrong_late(n):
    return 2 * n if n != 9_000 else True
def raises(n):
    raise ValueError(f"offset {n % 3}")
def dies(n):
    import os
    if n == 5_000:
        os._exit(1)
    return 2 * n
def big(n):
    return b"x" * (9_000_000 if n == 5_000 else 1)
def stub(n):
    raise NotImplementedError
def hangs(n):
    while n == 3_000:
        pass
    return 2 * n
"""


@pytest.fixture
def session():
    made = Session(Connector(SOURCE), seconds=3)
    yield made
    made.close()


@pytest.mark.parametrize(
    "value",
    [
        "\ud83d\ude00", "😀", ["\ud83d\ude00", "a"], ["\ud83d", "\ude00"], {"\ud83d\ude00": 1}, ("\ud83d\ude00",),
        [b"a" * n for n in range(40)], [b""] * 40, [[b"a"] * 20, b"b"], [True, "x"],
    ],
)  # fmt: skip
def test_what_arrives_is_what_was_sent(value):
    assert wire.decode(wire.encode(value)) == value


@pytest.mark.parametrize("data", [b'{"j":[[1],"6162"]}', b'{"j":[[-1,3],"6162"]}', b'{"j":[[true,1],"6162"]}',
                                  b'{"j":[[],""]}', b'{"j":3}', b'{"u":[-1]}', b'{"u":[1e3]}', b'{"u":[1114112]}'])
def test_nonsense_is_refused(data):
    with pytest.raises(wire.WireError):
        wire.decode(data)


def test_many_calls_agree(session):
    agree_on_each(session.function("double"), lambda n: 2 * n, range(100_000))
    assert 0 < len(session.transcript) < 1_000


def test_the_first_difference_is_found_with_its_type(session):
    with pytest.raises(Failed) as caught:
        agree_on_each(session.function("wrong_late"), lambda n: 2 * n, range(10_000))
    assert caught.value.counterexample.call == "wrong_late(9000)"


def test_equal_errors_are_sent_once(session):
    blocks = list(session.function("raises").map(range(10_000)))
    assert sum(map(len, blocks)) == 10_000
    assert all(len(block.errors) <= 3 for block in blocks)
    assert [outcome.message for outcome in blocks[0].outcomes()[:4]] == ["offset 0", "offset 1", "offset 2", "offset 0"]


@pytest.mark.parametrize(("name", "place"), [("dies", 5_000), ("hangs", 3_000)])
def test_the_call_at_fault_is_named(session, name, place):
    with pytest.raises(Failed) as caught:
        agree_on_each(session.function(name), lambda n: 2 * n, range(10_000), seconds=1)
    assert caught.value.counterexample.call == f"{name}({place})"


def test_one_answer_that_is_too_large_costs_only_itself(session):
    outcomes = [outcome for block in session.function("big").map(range(10_000)) for outcome in block.outcomes()]
    assert len(outcomes) == 10_000
    assert [n for n, outcome in enumerate(outcomes) if not hasattr(outcome, "value")] == [5_000]


@pytest.mark.parametrize("name", ["stub", "absent"])
def test_a_stub_is_not_written(session, name):
    with pytest.raises(NotWritten):
        list(session.function(name).map(range(10)))


def test_the_limit_is_for_all_calls_together(session):
    blocks = list(session.function("double").map(range(200_000), seconds=0.001))
    assert sum(map(len, blocks)) == 200_000
    assert TimedOut(0.001) in blocks[-1].errors


def test_vocabularies_cross_in_one_step():
    numbers = range(256)
    for vocabulary in ({i: bytes([i]) for i in numbers}, {str(i): b"" for i in numbers}, {(i,): b"x" for i in numbers}):
        assert wire.decode(wire.encode(vocabulary)) == vocabulary
    for body in ([[1], [1], "ff00"], [[1, 2], [1], "ff"], [[[1]], [1], "ff"], [[1], [-1], ""]):
        with pytest.raises(wire.WireError):
            wire.decode(json.dumps({"m": body}).encode())
