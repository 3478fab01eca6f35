"""A chapter's whole way through nbgrader's own commands, in a course folder of its own, with sealed verdicts."""

import html
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.checks.runner import chapter_checks

pytestmark = pytest.mark.xdist_group("nbgrader")  # what these tests share is dear to set up: one process runs them
ROOT = pathlib.Path(__file__).resolve().parent.parent
CHAPTER, NOTEBOOK = "03_naive_bpe", "naive_bpe"
STUDENTS = ("student-01", "student-07", "student-10", "student-14")
MARKUP = "student-markup"  # wrong answers, and markup wherever a student can put some


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A course with one chapter and an exchange of its own."""
    root = tmp_path_factory.mktemp("course")
    shutil.copytree(ROOT / "solutions" / CHAPTER, root / "solutions" / CHAPTER)
    exchange = root / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    config = (ROOT / "nbgrader_config.py").read_text()
    (root / "nbgrader_config.py").write_text(f"{config}\nget_config().Exchange.root = {str(exchange)!r}\n")
    return root


def nbgrader(folder: pathlib.Path, *words: str, cwd: pathlib.Path | None = None) -> str:
    """Run an nbgrader command as an instructor or student would type it."""
    scripts = pathlib.Path(sys.executable).parent
    env = {
        **os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder / "home"),
        "JUPYTER_CONFIG_DIR": str(folder / "home" / "jupyter"), "PYTHONPATH": str(ROOT),
    }
    run = subprocess.run(
        [scripts / "nbgrader", *words], cwd=cwd or folder, env=env, capture_output=True, text=True, timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stderr


@pytest.fixture(scope="module")
def collected(folder):
    """Released, fetched, answered, submitted and collected, all by nbgrader."""
    nbgrader(folder, "generate_assignment", CHAPTER)
    nbgrader(folder, "release_assignment", CHAPTER)
    desk = folder / "desk"  # one student's own folder
    desk.mkdir()
    shutil.copy(folder / "nbgrader_config.py", desk)
    nbgrader(folder, "fetch_assignment", CHAPTER, cwd=desk)
    fetched = desk / CHAPTER / f"{NOTEBOOK}.ipynb"
    assert fetched.read_bytes() == (ROOT / "notebooks" / CHAPTER / f"{NOTEBOOK}.ipynb").read_bytes()
    shutil.copy(ROOT / "examples" / "student-01" / CHAPTER / f"{NOTEBOOK}.ipynb", fetched)
    nbgrader(folder, "submit", CHAPTER, cwd=desk)
    nbgrader(folder, "collect", CHAPTER)
    (submitted,) = (folder / "submitted").glob(f"*/{CHAPTER}")
    assert (submitted / f"{NOTEBOOK}.ipynb").read_bytes() == fetched.read_bytes()
    for student in STUDENTS:
        target = folder / "submitted" / student / CHAPTER
        target.mkdir(parents=True)
        shutil.copy(ROOT / "examples" / student / CHAPTER / f"{NOTEBOOK}.ipynb", target)
    target = folder / "submitted" / MARKUP / CHAPTER
    target.mkdir(parents=True)
    nbformat.write(with_markup(), target / f"{NOTEBOOK}.ipynb")
    return folder


def with_markup() -> nbformat.NotebookNode:
    """The wrong answers of one sample student, with a page's worth of mischief in Markdown, outputs and values."""
    notebook = nbformat.read(ROOT / "examples" / "student-03" / CHAPTER / f"{NOTEBOOK}.ipynb", as_version=4)
    for cell in notebook.cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if grade_id == "written_duplicated_documents":
            cell.source = (
                "Counts **double** and 2 < 3. <script>steal()</script> "
                "<img src='https://evil.example/a.png' onerror='x()'>"
                "\n\n![seen](https://evil.example/b.png) [link](javascript:steal()) [ok](https://example.org/)\n\n$x^2$"
                "\n\n![pasted](attachment:a.png)"
            )
            cell.attachments = {"a.png": {"image/png": "iVBORw0KGgo="}}
        if grade_id == "best_pair":
            cell.source = "def best_pair(counts):\n    return '</code></table><script>steal()</script>\\u202e\\x1b[31m'"
    notebook.cells.insert(0, nbformat.v4.new_code_cell(
        "from IPython.display import HTML, Javascript, Markdown, display\n"
        "display(HTML('<b>bold</b><script>steal()</script><iframe src=\"https://evil.example\"></iframe>'))\n"
        "display(Markdown('<script>steal()</script> ![seen](https://evil.example/c.png)'), Javascript('steal()'))\n"
        "display({'image/png': 'AAAA'}, raw=True, metadata={'image/png': {'width': '1 onload=steal()'}})"
    ))
    notebook.cells.append(nbformat.v4.new_markdown_cell("See ![gone](attachment:gone.png)"))
    notebook.cells.insert(1, nbformat.v4.new_code_cell(  # the grader's note on it quotes the first line
        "'<img src=x onerror=steal()> [x](javascript:x)'\nimport os\nos._exit(1)"
    ))
    return notebook


@pytest.fixture(scope="module")
def autograded(collected):
    nbgrader(collected, "autograde", CHAPTER)
    nbgrader(collected, "generate_feedback", CHAPTER)
    return collected


@pytest.fixture
def gradebook(autograded):
    with Gradebook(f"sqlite:///{autograded}/gradebook.db") as book:
        yield book


def test_scores_come_from_sealed_verdicts(gradebook):
    """Full marks for the right one, none for the blank one, partial credit where a forger's other answers are right."""
    scores = {
        student: gradebook.find_submission_notebook(NOTEBOOK, CHAPTER, student) for student in STUDENTS
    }
    tests = {student: [g for g in found.grades if g.name.startswith("test_")] for student, found in scores.items()}
    assert all(grade.auto_score == grade.max_score for grade in tests["student-01"])
    assert all(grade.auto_score == 0 for grade in tests["student-07"])
    forged = {grade.name: grade.auto_score for grade in tests["student-10"]}
    right = {grade.name: grade.max_score for grade in tests["student-10"]}
    (lost,) = [name for name in forged if forged[name] != right[name]]
    assert forged[lost] == 0
    assert "Right()" in (ROOT / "examples" / "student-10" / CHAPTER / f"{NOTEBOOK}.ipynb").read_text()


def test_a_damaged_file_waits_for_a_person(gradebook):
    """No score and a mark that it needs grading by hand, not a silent zero; and the others are graded all the same."""
    grades = gradebook.find_submission_notebook(NOTEBOOK, CHAPTER, "student-14").grades
    assert grades
    for grade in grades:
        assert grade.auto_score is None
        assert grade.needs_manual_grade


def test_written_answers_wait_for_a_person(gradebook):
    grades = gradebook.find_submission_notebook(NOTEBOOK, CHAPTER, "student-01").grades
    written = [grade for grade in grades if grade.name.startswith("written_")]
    assert written
    assert all(grade.needs_manual_grade and grade.auto_score is None for grade in written)


def test_the_collected_submission_is_graded_like_the_copy(gradebook):
    names = [submission.student.id for submission in gradebook.assignment_submissions(CHAPTER)]
    (collector,) = set(names) - {*STUDENTS, MARKUP}
    scores = [
        gradebook.find_submission(CHAPTER, name).score for name in (collector, "student-01")
    ]
    assert scores[0] == scores[1]


@pytest.mark.parametrize("student", STUDENTS)
def test_feedback_tells_the_checks_and_hides_the_sealed_line(autograded, student):
    page = (autograded / "feedback" / student / CHAPTER / f"{NOTEBOOK}.html").read_text(encoding="utf-8")
    assert "sealed checks" not in page
    assert "BEGIN HIDDEN TESTS" not in page
    if student == "student-14":
        assert "could not be read" in page
    else:
        assert "In a run of equal ids" in page


def page_of(course: pathlib.Path, student: str) -> str:
    return (course / "feedback" / student / CHAPTER / f"{NOTEBOOK}.html").read_text(encoding="utf-8")


class Elements(html.parser.HTMLParser):
    """Every element of a page with its attributes."""

    def __init__(self, page: str):
        super().__init__()
        self.found: list[tuple[str, dict]] = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


def test_a_feedback_page_loads_nothing_and_runs_nothing(autograded):
    """Nothing in it is fetched, nothing acts, and what a student wrote as markup stays text or harmless."""
    page = page_of(autograded, MARKUP)
    elements = Elements(page).found
    tags = {tag for tag, _ in elements}
    assert tags.isdisjoint({"script", "iframe", "link", "object", "embed", "form", "base", "svg", "math"})
    for tag, attributes in elements:
        assert not [name for name in attributes if name.startswith("on")]
        assert attributes.get("src", "data:image/").startswith("data:image/")
        if tag == "a" and "href" in attributes:
            assert attributes["href"].startswith(("#", "https://example.org/"))
    assert not re.search(r"@import|url\((?!data:)", page)
    assert "<strong>double</strong>" in page
    assert "<b>bold</b>" in page
    assert 'src="data:image/png;base64,iVBORw0KGgo="' in page
    assert "See ![gone](attachment:gone.png)" in page
    outside = re.sub(r"<pre>.*?</pre>", "", page, flags=re.DOTALL)  # a block of its own: direction ends with it
    assert "\u202e" not in outside
    assert "\x1b" not in outside


def test_a_feedback_page_can_be_read_by_everybody(autograded):
    """A language, a title, one main part, links that lead somewhere, rows with headings; no meaning in colour alone."""
    page = page_of(autograded, MARKUP)
    elements = Elements(page).found
    assert ("html", {"lang": "en"}) in elements
    assert [tag for tag, _ in elements].count("main") == 1
    anchors = {value for _, attributes in elements for name, value in attributes.items() if name in ("id", "name")}
    targets = {attributes["href"][1:] for tag, attributes in elements if attributes.get("href", "").startswith("#")}
    assert targets <= anchors | {""}
    assert all("scope" in attributes for tag, attributes in elements if tag == "th" and "style" in attributes)
    assert "prefers-color-scheme: dark" in page
    assert page.count("<mark") == page.count("text-decoration: underline")
    assert "</span> failed</strong>" in page


def test_a_feedback_page_explains_and_hides(autograded):
    """Sentence, call, values, first difference in words, misconception, next step; and nothing of the graders'."""
    page = re.sub(r"<[^>]+>", "", page_of(autograded, MARKUP))
    for text in (
        "In a run of equal ids the places overlap", "merge_pair([1, 1, 1], (1, 1), 9)", "9 instead of 1, after “[9, ”",
        "What may be behind it: You seem to write the new id for every place", "Next: work ",
        "a person has yet to mark it",
    ):
        assert html.unescape(page).count(text) >= 1, text
    for hidden in ("Model answer", "Rubric", "sealed checks", "autograder/", "SystemError"):
        assert hidden not in page
    assert page.count("You seem to write the new id for every place") == 1


def test_a_written_answer_stands_with_its_question_and_rubric(autograded):
    """What formgrader shows is the autograded notebook: question, then rubric, then the student's own words."""
    path = autograded / "autograded" / MARKUP / CHAPTER / f"{NOTEBOOK}.ipynb"
    cells = nbformat.read(path, as_version=4).cells
    (place,) = [
        i for i, cell in enumerate(cells)
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "written_duplicated_documents"
    ]
    question, rubric, answer = (cell.source for cell in cells[place - 2 : place + 1])
    assert "All documents of a training set are put in twice" in question
    assert "**Rubric.**" in rubric
    assert "Counts **double**" in answer


def test_nbgraders_export_command_takes_our_formats(autograded, tmp_path):
    """Also in nbgrader's own command line; who handed in what could not be read has no row."""
    target = tmp_path / "marks.csv"
    exporter = "--exporter=autograder.report.exports.CanvasExport"
    nbgrader(autograded, "export", exporter, f"--to={target}", f"--assignment=['{CHAPTER}']")
    rows = [line.split(",") for line in target.read_text(encoding="utf-8").splitlines()]
    assert rows[0][-1] == CHAPTER
    marks = {row[3]: row[5] for row in rows[2:]}
    best = sum(one.points for checks in chapter_checks(CHAPTER).values() for one in checks)
    assert marks["student-01"] == str(best)
    assert "student-14" not in marks


def test_the_sealed_line_raises_in_plain_nbgrader(collected, tmp_path):
    """Without this course's preprocessors a right answer gets no points at all, rather than points for silence."""
    course = tmp_path / "plain"
    shutil.copytree(ROOT / "solutions" / CHAPTER, course / "source" / CHAPTER)
    target = course / "submitted" / "student-01" / CHAPTER
    target.mkdir(parents=True)
    shutil.copy(ROOT / "examples" / "student-01" / CHAPTER / f"{NOTEBOOK}.ipynb", target)
    (course / "nbgrader_config.py").write_text("c = get_config()\nc.CourseDirectory.course_id = 'plain'\n")
    nbgrader(collected, "generate_assignment", CHAPTER, cwd=course)
    nbgrader(collected, "autograde", CHAPTER, cwd=course)
    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        grades = book.find_submission_notebook(NOTEBOOK, CHAPTER, "student-01").grades
        assert {grade.auto_score for grade in grades if grade.name.startswith("test_")} == {0}


def test_an_assignment_of_the_instructors_own_is_left_to_nbgrader(collected):
    """A notebook that is no chapter runs as nbgrader runs it."""
    cell = nbformat.v4.new_code_cell("assert 1 + 1 == 2", metadata={"nbgrader": {
        "grade": True, "grade_id": "sum", "locked": True, "points": 1, "schema_version": 3, "solution": False,
        "task": False,
    }})
    source = collected / "solutions" / "own"
    source.mkdir()
    kernelspec = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata=kernelspec), source / "own.ipynb")
    nbgrader(collected, "generate_assignment", "own")
    target = collected / "submitted" / "student-01" / "own"
    target.mkdir(parents=True)
    shutil.copy(collected / "notebooks" / "own" / "own.ipynb", target)
    nbgrader(collected, "autograde", "own")
    with Gradebook(f"sqlite:///{collected}/gradebook.db") as book:
        assert book.find_submission("own", "student-01").score == 1


def test_stored_verdicts_are_whole(autograded):
    verdicts = list((autograded / ".autograder" / "store").rglob("*.verdict.json"))
    files = {path.read_bytes() for path in (autograded / "submitted").glob(f"*/{CHAPTER}/{NOTEBOOK}.ipynb")}
    assert len(verdicts) == len(files)
    for path in verdicts:
        assert json.loads(path.read_text())["schema"] == 1
