"""A test cell's report: no value can disturb page or terminal, nothing is cut silently, all is told in words."""

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.checks.api import Counterexample
from autograder.checks.outcomes import Returned
from autograder.checks.runner import CheckResult
from autograder.checks.show import show_pair
from autograder.grading.verdict import CellVerdict
from autograder.report.cell import cell_html, cell_text
from autograder.report.readable import first_difference

NASTY = [
    "\u202e\u2066abc", "\x1b[2Jgone\r\n", "<script>alert(1)</script>", "&lt;", "שלום \u200f", "\ud800", "a\0b",
    "</li></ul>",
]


def cell(*checks: CheckResult) -> CellVerdict:
    return CellVerdict("test_merge_pair", checks)


def failed(call="f(1)", expected="1", got="2", advice="", name="overlapping_runs") -> CheckResult:
    return CheckResult(
        name, "failed", 0.0, 1.0, "Only the left pair is replaced.", Counterexample(call, expected, got), advice=advice
    )


@pytest.mark.parametrize("text", NASTY)
def test_nothing_in_a_value_disturbs_the_report(text):
    verdict = cell(failed(call=text, expected=text, got=text + "x", advice=text))
    page, plain = cell_html(verdict), cell_text(verdict)
    tags = "div|p|ul|li|strong|span|table|tr|th|td|code|bdi|mark"
    outside = re.sub(rf'</?(?:{tags})(?: [a-z-]+="[^"<>]*")*>', "", page)
    assert "<" not in outside
    assert ">" not in outside
    assert all(character.isprintable() for character in page)
    assert all(character.isprintable() for line in plain.split("\n") for character in line)
    assert page.count("<bdi>") == page.count("</bdi>")


@given(st.lists(st.integers(0, 999), max_size=400), st.integers(0, 400))
def test_long_values_are_cut_with_a_count_and_keep_their_first_difference(items, place):
    """What is shown and what is counted add up to the whole, and the two texts still differ."""
    other = [*items[:place], 1000, *items[place:]]
    whole = [repr(items), repr(other)]
    shown = show_pair(Returned(items), Returned(other))
    assert shown[0] != shown[1]
    for text, full in zip(shown, whole, strict=True):
        pieces = re.split(r" … ([\d,]+) more … ", text)
        kept, cut = pieces[::2], sum(int(count.replace(",", "")) for count in pieces[1::2])
        assert sum(map(len, kept)) + cut == len(full)
        assert full.startswith(kept[0])
        assert full.endswith(kept[-1])
        assert len(text) < 300


@pytest.mark.parametrize(("expected", "got", "words"), [
    ("[1, 2, 3]", "[1, 5, 3]", "5 instead of 2, after “[1, ”"),
    ("[1]", "[1, 2]", "“, 2]” instead of the end, after “[1”"),
    ("{(1, 2): 3}", "{}", "the end instead of “(”, after “{”"),
    (r"'a\u202eb'", r"'a\u202db'", r"“\u202d” instead of “\u202e”, after “'a”"),
])
def test_the_first_difference_in_words(expected, got, words):
    assert first_difference(expected, got).words == words
    assert words in cell_text(cell(failed(expected=expected, got=got)))
    assert html.escape(words) in cell_html(cell(failed(expected=expected, got=got)))


def test_the_marked_parts_are_the_differing_ones():
    page = cell_html(cell(failed(expected="[9, 1]", got="[9, 12]")))
    assert re.findall(r"<mark[^>]*>(.*?)</mark>", page) == ["1", "12"]


def test_a_misconception_is_explained_once_and_every_status_is_a_word():
    verdict = cell(
        CheckResult("every_place", "passed", 1.0, 1.0, "Each place is replaced."),
        failed(advice="You replace twice."), failed(advice="You replace twice.", name="long_lists"),
        CheckResult("types", "not_run", 0.0, 1.0, "Lists are fine."),
        CheckResult("stub", "not_written", 0.0, 0.5, "It is written."),
    )
    for report in (cell_text(verdict), re.sub(r"<[^>]+>", "", cell_html(verdict))):
        assert report.count("You replace twice.") == 1
        assert "The same cause as at “overlapping runs”." in report
        for word in ("passed", "failed", "not run", "not written"):
            assert word in report
        assert report.count("Next:") == 1


def test_invisible_characters_bytes_and_ids_are_named():
    report = cell_text(cell(failed(call=r"f('a\u200d', b'\xed\x95\x9c')", expected="[97, 98]", got="[]")))
    for words in (r"\u200d is ZERO WIDTH JOINER", r"b'\xed\x95\x9c' is 한 in UTF-8", "97 is a"):
        assert words in report
