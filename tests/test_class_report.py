"""The class report: numbers checked against a class worked out by hand, a page that stands alone, names that can go."""

import csv
import html.parser
import math
import pathlib
import re
import shutil

import pytest

from autograder.checks.runner import CheckResult
from autograder.grading.chapter import Course
from autograder.grading.marks import NOT_YET, class_entries
from autograder.grading.verdict import CellVerdict, Verdict
from autograder.report.class_data import Entry, anonymous, class_data, point_biserial
from autograder.report.class_report import write_report

ROOT = pathlib.Path(__file__).resolve().parent.parent
NASTY = '=HYPERLINK("evil"), <script>x</script> שלום'


def verdict(*cells: tuple[str, ...], misconception: str | None = None) -> Verdict:
    """A verdict on cells `test_a`, `test_b` …, each a tuple of its checks' statuses, one point a check."""
    made = tuple(
        CellVerdict(f"test_{name}", tuple(
            CheckResult(
                f"check_{number}", status, float(status == "passed"), 1.0, "It holds.",
                misconception=misconception if status == "failed" else None, seconds=0.5,
            )
            for number, status in enumerate(statuses)
        ))
        for name, statuses in zip("abc", cells, strict=False)
    )
    most = float(sum(len(statuses) for statuses in cells))
    return Verdict("03_naive_bpe", "graded", most, made, seconds=2.0)


P, F, N = "passed", "failed", "not_written"
ENTRIES = [
    Entry("ada", verdict((P, P), (P,)), waiting=("written_x",), link="http://localhost:8888/formgrader/submissions/1"),
    Entry("ben", verdict((F, P), (F,), misconception="merges_right_to_left")),
    Entry("cem", verdict((F, P), (F,))),
    Entry("dia", verdict((N, N), (P,))),
    Entry("eva", Verdict("03_naive_bpe", "ungradable", 3.0, reason="the file is empty")),
    Entry(NASTY, None, "the grading process was killed twice"),
]


@pytest.fixture(scope="module")
def data():
    return class_data("03_naive_bpe", ENTRIES)


def test_the_numbers_are_those_worked_out_by_hand(data):
    """a: one of four has both points, two have one, one none. b: ada and dia have it; the rest scores are then
    2 and 0 against 1 and 1 of the others, so it discriminates not at all."""
    first, second = data.exercises.to_dict("records")
    counts = ("n", "whole", "in_part", "none", "not_written", "mean_share")
    assert [first[name] for name in counts] == [4, 1, 2, 1, 1, 0.5]
    assert [second[name] for name in counts] == [4, 2, 0, 2, 0, 0.5]
    assert second["discrimination"] == pytest.approx(0)
    assert first["discrimination"] == pytest.approx(1 / math.sqrt(3))  # rest 1, 0, 0, 1; right 1, 0, 0, 0
    assert data.misconceptions[["misconception", "students"]].values.tolist() == [["merges_right_to_left", 1]] * 2
    assert data.together.values.tolist() == [["a check_0", "b check_0", 2, 1.0]]


def test_an_exercise_that_all_or_none_have_discriminates_nothing():
    assert math.isnan(point_biserial([True, True], [1.0, 2.0]))
    assert math.isnan(point_biserial([True, False], [2.0, 2.0]))


class Page(html.parser.HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.tags: list[tuple[str, dict]] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.ids += [value for name, value in attributes if name == "id"]


def test_the_page_stands_alone_and_has_texts_for_its_figures(data, tmp_path):
    text = write_report(data, tmp_path).read_text(encoding="utf-8")
    page = Page(text)
    assert ("html", {"lang": "en"}) in page.tags
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "link", "img", "iframe", "image"})
    figures = [attributes for tag, attributes in page.tags if tag == "svg"]
    assert len(figures) == 3
    assert all(figure["role"] == "img" and len(figure["aria-label"]) > 60 for figure in figures)
    assert len(page.ids) == len(set(page.ids))
    for target in re.findall(r'url\(#([^)]+)\)|xlink:href="#([^"]+)"', text):
        assert set(target) - {""} <= set(page.ids)
    assert not re.search(r"@import|url\((?!#)", text)
    assert "n = 4, fewer than 30" in text
    assert "http://localhost:8888/formgrader/submissions/1" in text
    assert "the file is empty" in text
    assert "<script" not in text


def test_tables_come_as_csv_without_formulas(data, tmp_path):
    write_report(data, tmp_path)
    assert {path.stem for path in tmp_path.glob("*.csv")} == set(data.tables())
    with open(tmp_path / "students.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["student"] for row in rows] == [entry.student for entry in ENTRIES[:-1]] + [f"'{NASTY}"]
    assert [row["score"] for row in rows] == ["3.0", "1.0", "1.0", "1.0", "", ""]


def test_names_can_be_hidden(tmp_path):
    hidden = anonymous(ENTRIES, b"a secret for tests")
    write_report(class_data("03_naive_bpe", hidden), tmp_path)
    texts = [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()]
    for entry in ENTRIES:
        assert not any(re.search(rf"\b{re.escape(entry.student)}\b", text) for text in texts)
    assert not any("formgrader/submissions" in text for text in texts)
    assert sorted(entry.student for entry in hidden) == [f"student {number}" for number in range(1, 7)]
    order = [entry.verdict for entry in hidden]
    assert [entry.verdict for entry in anonymous(ENTRIES[::-1], b"a secret for tests")] == order


def test_a_file_of_another_name_and_a_folder_without_a_notebook_are_in_the_report(tmp_path):
    """Both have a verdict or a reason in the table, and so they have in the report."""
    for part in ("solutions", "notebooks"):
        shutil.copytree(ROOT / part / "03_naive_bpe", tmp_path / part / "03_naive_bpe")
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    for student, name in (("ada", "naive_bpe (1).ipynb"), ("ben", "notes.txt")):
        folder = tmp_path / "submitted" / student / "03_naive_bpe"
        folder.mkdir(parents=True)
        (folder / name).write_bytes(b"{}")
    course = Course(tmp_path)
    ada, ben = class_entries(course, course.chapter("03_naive_bpe"), "http://localhost:8888")
    assert (ada.verdict, ada.trouble) == (None, NOT_YET.format("03_naive_bpe"))
    assert ben.verdict.status == "ungradable"
    assert "no file that ends in .ipynb" in ben.verdict.reason
