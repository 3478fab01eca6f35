"""Arbitrary bytes and data at the two places where a submission meets the trusted process: the file and the wire.

`FUZZ` in the environment is a number of examples, for a longer search than `make test` has time for.
"""

import contextlib
import itertools
import json
import os
import pathlib
import socket
import struct
import threading

import nbformat
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from autograder.checks import ch02_tokenizers, ch03_naive_bpe, ch06_incremental_bpe, figures
from autograder.checks.api import WrongType
from autograder.checks.outcomes import Outcome, block_of, outcome_of
from autograder.checks.runner import PASSED, chapter_checks, run_cell
from autograder.checks.session import Session
from autograder.checks.show import show, show_outcome
from autograder.grading.chapter import Course
from autograder.grading.notebook import Submitted, Unreadable, read, rebuild
from autograder.sandbox.inside import wire

CORPUS = pathlib.Path(__file__).parent / "fuzz_corpus"  # what once broke something; add what fuzzing finds
ROOT = pathlib.Path(__file__).resolve().parent.parent
RELEASE = Course(ROOT).chapter("03_naive_bpe").release()
EXAMPLES = int(os.environ.get("FUZZ", "150"))
FEW = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])

whole = st.integers() | st.integers(60, 80_000).map(lambda bits: 1 << bits)
numbers = whole | st.floats()
scalars = st.none() | st.booleans() | numbers | st.text(max_size=20) | st.text(st.characters(), max_size=5)
trees = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)
tags = st.sampled_from(["i", "f", "b", "B", "c", "d", "m", "u", "j", "t", "s", "z", "r"])
records = st.sampled_from(
    ["Stream", "Endless", "File", "Double", "Counted", "Handle", "Array", "Frame", "Figure", "Opaque", "x"]
)
messages = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(tags, inner, min_size=1, max_size=1)
    | st.fixed_dictionaries({"r": records, "v": st.lists(inner, max_size=5)}),
    max_leaves=15,
)


# --- the submitted file ---------------------------------------------------------------------------------------------

names = st.sampled_from(["count_pairs", "test_count_pairs", "merge_pair", "", "no such"]) | trees
cells = st.fixed_dictionaries(
    {}, optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw", "heading"]) | trees, "source": trees, "input": trees,
        "id": names, "outputs": trees, "level": trees, "prompt_number": trees, "language": trees,
        "attachments": trees | st.dictionaries(st.text(max_size=4), st.fixed_dictionaries({"image/png": trees})),
        "metadata": trees | st.fixed_dictionaries({"nbgrader": trees | st.fixed_dictionaries({"grade_id": names})}),
    },
)
notebooks = st.fixed_dictionaries(
    {}, optional={
        "nbformat": st.sampled_from([1, 2, 3, 4, 5, -1, True]) | trees, "nbformat_minor": trees, "metadata": trees,
        "cells": st.lists(cells | trees, max_size=6) | trees,
        "worksheets": trees
        | st.lists(st.fixed_dictionaries({"cells": st.lists(cells | trees, max_size=3) | trees}) | trees, max_size=2),
    },
)


def reads_or_says_why(data: bytes) -> None:
    """The file is rebuilt as a notebook that can be written, or refused in words."""
    try:
        submitted = read(data)
    except Unreadable:
        return
    assert isinstance(submitted, Submitted)
    rebuilt, _ = rebuild(submitted, RELEASE)
    nbformat.validate(rebuilt)
    nbformat.writes(rebuilt).encode()
    locked = [cell.source for cell in RELEASE.cells if cell.metadata.get("nbgrader", {}).get("locked")]
    assert [cell.source for cell in rebuilt.cells if cell.metadata.get("nbgrader", {}).get("locked")] == locked


@pytest.mark.parametrize("path", sorted(CORPUS.glob("file/*")), ids=lambda path: path.name)
def test_files_that_once_broke_the_reader(path):
    reads_or_says_why(path.read_bytes())


@FEW
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    reads_or_says_why(data)


@FEW
@given(notebooks | trees)
def test_any_json_is_read_or_refused(tree):
    reads_or_says_why(packed(tree))


def packed(tree: object) -> bytes:
    """Data as JSON; integers that Python will not print in the form that the wire has for them."""
    return json.dumps(printable(tree)).encode()


def printable(tree: object) -> object:
    if isinstance(tree, int) and tree.bit_length() > 4000:
        return {"i": hex(tree)}
    if isinstance(tree, list):
        return [printable(item) for item in tree]
    return {key: printable(item) for key, item in tree.items()} if isinstance(tree, dict) else tree


# --- the wire -------------------------------------------------------------------------------------------------------

plain = st.recursive(
    st.none() | st.booleans() | numbers | st.text() | st.text(st.characters()) | st.binary(max_size=30),
    lambda inner: st.lists(inner, max_size=20) | st.tuples(inner, inner)
    | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=15,
)


@FEW
@given(plain)
def test_what_is_encoded_is_decoded(value):
    from autograder.checks.api import same

    assert same(wire.decode(wire.encode(value)), value)


@FEW
@given(plain | st.dictionaries(st.lists(whole | st.text(), max_size=3).map(tuple), numbers))
def test_requests_and_answers_take_shorter_ways_to_the_same_value(value):
    from autograder.checks.api import same

    assert same(wire.decode_request(wire.encode_request(value)), value)
    assert wire.written(wire.pack_any(value)) == wire.encode(wire.reduce(value))


def test_in_a_request_nothing_becomes_one_that_was_apart():
    """Else a function that changes its argument would change the next call's."""
    shared, changing = [1, 2], bytearray(b"ab")
    first, second = wire.decode_request(wire.encode_request([shared, shared]))
    assert first == second == [1, 2]
    assert first is not second
    assert type(wire.decode_request(wire.encode_request([changing]))[0]) is bytearray  # `marshal` makes it bytes
    assert wire.decode_request(wire.encode_request([wire.Stream((1, b"2"))])) == [wire.Stream((1, b"2"))]


def test_what_an_iterator_gives_is_read_before_the_next_is_drawn():
    """As a group of `groupby` has to be, which is empty once the next one has begun."""
    groups = (group for _, group in itertools.groupby([1, 1, 2]))
    assert wire.reduce(groups) == wire.Stream((wire.Stream((1, 1)), wire.Stream((2,))))


@FEW
@given(st.binary(max_size=200))
def test_garbage_is_refused(data):
    with contextlib.suppress(wire.WireError):
        wire.decode(data)


@pytest.mark.parametrize("path", sorted(CORPUS.glob("wire/*")), ids=lambda path: path.name)
def test_messages_that_once_broke_the_wire(path):
    with contextlib.suppress(wire.WireError):
        is_an_outcome(wire.decode(path.read_bytes()))


@FEW
@given(messages)
def test_any_reply_is_an_outcome(message):
    try:
        replies = wire.decode(packed(message))
    except wire.WireError:
        replies = message
    is_an_outcome(replies)


def is_an_outcome(replies: object) -> None:
    """Whatever a reply is, it is an outcome that can be shown."""
    for reply in [replies, *(replies if isinstance(replies, list) else [])]:
        outcome = outcome_of(reply, [["f"], [], {}, {}], 1.0)
        assert isinstance(outcome, Outcome)
        assert show_outcome(outcome)
        show(reply)
        with contextlib.suppress(wire.WireError):
            block_of([reply], ["f"], 10, 1.0)


PRIME = 2**61 - 1  # the hash of an int is its remainder


@pytest.mark.parametrize("count", [100, 60_000])
@pytest.mark.parametrize("others", [0, 2_000])
def test_tables_of_colliding_keys_are_refused_at_once(count, others):
    """Also beside keys that do not collide, and whichever form the table has."""
    keys = [f'{{"i":"{number * PRIME:x}"}}' for number in range(10, 10 + count)] + list(map(str, range(others)))
    listed = ",".join(keys)
    for text in (
        f'{{"s":[{listed}]}}', '{"d":[' + ",".join(f"[{key},1]" for key in keys) + "]}",
        f'{{"m":[[{listed}],[{",".join("0" * len(keys))}],""]}}',
        f'{{"r":"Frame","v":[{{"t":[{listed}]}},{{"d":[]}},[]]}}',
    ):
        with pytest.raises(wire.WireError, match="collide"):
            wire.decode(text.encode())


@pytest.mark.parametrize(
    "normal", [ch03_naive_bpe.by_rank, ch06_incremental_bpe.by_rank, ch02_tokenizers.which_are_equal]
)
def test_what_checks_make_of_long_answers_takes_no_square_of_their_length(normal):
    """Else this does not end."""
    with contextlib.suppress(WrongType):
        normal([((1, 2), number * PRIME) for number in range(10, 200_000)])


def test_a_figure_of_very_many_series_and_ticks_is_looked_through_once():
    """Else this does not end."""
    many = range(100_000)
    axes = {
        "lines": [], "points": [], "bars": [{"label": "", "x": [1.0], "y": [2.0]} for _ in many],
        "xticks": list(many), "xticklabels": [""] * len(many), "yticks": list(many), "yticklabels": [""] * len(many),
    }
    assert not figures.shown(wire.Figure((axes,)), [1], [3])


def test_ticks_that_may_collide_are_refused():
    figure = wire.Figure(({
        **dict.fromkeys(("title", "xlabel", "ylabel", "xscale", "yscale"), ""),
        **{name: [] for name in ("legend", "xticklabels", "yticklabels", "texts", "lines", "bars", "points", "yticks")},
        "xticks": [0.5, 1, PRIME],
    },))
    assert wire.decode(wire.encode(figure)) == figure
    figure.axes[0]["xticks"].append(8 * PRIME)
    with pytest.raises(wire.WireError, match="malformed Figure"):
        wire.decode(wire.encode(figure))


def test_a_small_text_of_very_many_objects_is_refused():
    with pytest.raises(wire.WireError, match="lists and objects"):
        wire.decode(b"[" + b"{}," * wire.MAX_PARSED + b"0]")


def nested(levels: int, inside: str = "0") -> bytes:
    return ("[" * levels + inside + "]" * levels).encode()


def test_how_deep_a_text_may_be_nested_does_not_depend_on_what_its_strings_hold():
    brackets = json.dumps(["[" * 1000, "\\\"[[{", '"' * 500, "]" * 1000, "}"])
    assert wire.decode(brackets.encode()) == json.loads(brackets)
    assert wire.decode(nested(3 * wire.MAX_DEPTH - 1, brackets)) is not None
    for inside in ("0", '"]"', brackets, '{"t":[]}'):
        with pytest.raises(wire.WireError, match="nested too deep"):
            wire.decode(nested(3 * wire.MAX_DEPTH + 1, inside))
    cancelling = '["]",' * 500 + "0" + ',"["]' * 500  # in number and order, its brackets and those in its strings match
    with pytest.raises(wire.WireError, match="nested too deep"):
        wire.decode(cancelling.encode())


@pytest.mark.parametrize("data", [
    b'["' + b'\\"' * 4_000_000, b'"' * 8_000_001, b"[" * 900_000 + b"]" * 8_000_000, b"[" * 500_000 + b"]" * 500_000,
])
def test_a_text_made_to_be_looked_through_for_long_is_refused(data):
    with pytest.raises(wire.WireError):
        wire.decode(data)


def test_honest_tables_are_not_refused():
    table = {(a, b): a * b for a in range(150) for b in range(150)}
    assert wire.decode(wire.encode(table)) == table
    assert wire.decode(wire.encode(set(range(-1000, 1000)))) == set(range(-1000, 1000))


# --- a snapshot that answers garbage --------------------------------------------------------------------------------


def answering(replies: list[bytes]):
    """A `connect` whose other end answers a request with these bodies, and then hangs up."""

    def connect() -> socket.socket:
        ours, theirs = socket.socketpair()

        def serve() -> None:
            with theirs, contextlib.suppress(EOFError, OSError, wire.WireError):
                wire.receive_bytes(theirs)
                for body in replies:
                    theirs.sendall(struct.pack(">I", len(body)) + body)

        threading.Thread(target=serve, daemon=True).start()
        return ours

    return connect


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(messages | st.lists(st.lists(messages, max_size=5), max_size=3), min_size=1, max_size=4))
@example([[["returned", {"i": "0x" + "f" * 9000}, None, 0.0]]])
@example([[["returned", [{"i": "0x" + "f" * 9000}], [], 0.0]]])
def test_garbage_from_a_snapshot_earns_nothing(replies):
    for cell in ("test_count_pairs", "test_best_pair", "test_predict_abab_acac", "test_plot_merges"):
        connect = answering([packed(reply) for reply in replies])
        results, _ = run_cell(chapter_checks("03_naive_bpe")[cell], connect, b"s" * 32)
        assert {result.status for result in results} & {PASSED} == set()
        json.dumps([result.message for result in results])


def test_all_answers_to_a_check_share_one_limit():
    body = json.dumps([["returned", "x" * 7_000_000, None, 0.0]]).encode()
    session = Session(answering([body]))
    calls = [[["f"], [], {}, {}] for _ in range(3)]
    outcomes = session.batch(calls)
    session.close()
    assert len(outcomes) == 3
    many = Session(lambda: flood(body))
    outcomes = many.batch([[["f"], [], {}, {}] for _ in range(50)])
    many.close()
    assert sum(getattr(outcome, "value", None) is not None for outcome in outcomes) <= 24 // 7


def flood(body: bytes) -> socket.socket:
    """A socket whose other end sends the body without end."""
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        ours.close()
        try:
            while True:
                theirs.sendall(struct.pack(">I", len(body)) + body)
        finally:
            os._exit(0)
    theirs.close()
    return ours


def test_long_lines_are_joined_in_no_time():
    from autograder.sandbox.run import coalesced

    texts = ("x" * 2_000_000, "y\r", "z\r\nnext")
    pieces = [nbformat.v4.new_output("stream", name="stdout", text=text) for text in texts]
    (one,) = coalesced(pieces)
    assert one.text == "z\nnext"


def test_what_an_error_says_is_bounded():
    call = [["f"], [], {}, {}]
    raised = outcome_of(["raised", ["\x1b[2J" * 10_000] * 10_000, "x" * 10_000_000, None, 0.0], call, 1.0)
    unreadable = outcome_of(["unreadable", "\x1b[2J" * 1_000_000], call, 1.0)
    for outcome in (raised, unreadable):
        assert len(repr(outcome)) < 50_000
        assert len(show_outcome(outcome)) < 5_000
        assert show_outcome(outcome).isprintable()
