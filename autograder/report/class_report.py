"""A class's report: one HTML file that stands alone, figures inside as SVG with alternative texts; CSV beside it."""

import csv
import html
import io
import pathlib
import re
from collections.abc import Sequence

import matplotlib
import pandas as pd
from matplotlib.figure import Figure

from autograder.grading.store import write_atomically
from autograder.misconceptions.api import catalogue
from autograder.report.cell import points
from autograder.report.class_data import FEW, ClassData
from autograder.report.exports import safe

__all__ = ["class_html", "write_report"]

BLUE, ORANGE, GREY = "#0072B2", "#E69F00", "#999999"  # Okabe-Ito
MOST_ROWS = 15
STYLE = (pathlib.Path(__file__).parent / "templates" / "class_report.css")
SVG = {"svg.fonttype": "none", "svg.hashsalt": "class report", "font.size": 10}


def write_report(data: ClassData, folder: pathlib.Path) -> pathlib.Path:
    """Write `index.html` and a CSV file of each table into `folder`; returns the page's path."""
    for name, table in data.tables().items():
        rows = [list(table.columns), *table.astype(object).where(table.notna(), "").itertuples(index=False)]
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([safe(value) for value in row] for row in rows)
        write_atomically(folder / f"{name}.csv", text.getvalue())
    page = folder / "index.html"
    write_atomically(page, class_html(data))
    return page


def class_html(data: ClassData) -> str:
    """The page."""
    graded = data.students[data.students["score"].notna()]
    parts = [
        f"<h1>{esc(data.chapter)}: class report</h1>", summary(data, graded), attention(data),
        "<h2>Scores</h2>", score_figure(graded), "<h2>Exercises</h2>", exercise_figure(data.exercises),
        exercise_words(data.exercises), "<h2>Misconceptions</h2>", misconceptions(data),
        "<h2>Checks failed together</h2>", together(data.together), "<h2>Time</h2>", times(data, graded),
        "<h2>Students</h2>", students(data.students),
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(data.chapter)}: class report</title>\n<style>{STYLE.read_text()}</style>\n</head>\n"
        "<body>\n<main>\n" + "\n".join(parts) + "\n</main>\n</body>\n</html>\n"
    )


def esc(value: object) -> str:
    return f"<bdi>{html.escape(str(value))}</bdi>"


def summary(data: ClassData, graded: pd.DataFrame) -> str:
    count = f"<p>{len(data.students)} submissions, {len(graded)} graded"
    if graded.empty:
        return f"{count}.</p>"
    scores, most = graded["score"], graded["max_score"].max()
    return (
        f"{count}; points of the checked exercises, of {points(most)}: median {scores.median():g}, mean "
        f"{scores.mean():.1f}, from {points(scores.min())} to {points(scores.max())}. Written answers are not in these "
        "numbers.</p>"
    )


def table_html(head: Sequence[str], rows: Sequence[Sequence[object]], caption: str) -> str:
    """A table; what is HTML already comes as `Html`."""
    def cell(value: object) -> str:
        return value if isinstance(value, Html) else esc(value)

    body = "".join(
        f'<tr><th scope="row">{cell(row[0])}</th>' + "".join(f"<td>{cell(value)}</td>" for value in row[1:]) + "</tr>"
        for row in rows
    )
    heads = "".join(f'<th scope="col">{esc(name)}</th>' for name in head)
    return f"<table><caption>{esc(caption)}</caption><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


class Html(str):
    """Text that is HTML already."""


def linked(student: str, link: str) -> Html:
    return Html(f'<a href="{html.escape(link)}">{esc(student)}</a>' if link else esc(student))


def attention(data: ClassData) -> str:
    """Who needs a person: unreadable files, answers to mark, checks that the grader could not judge."""
    table = data.students
    lost = table[table["score"].isna()]
    waiting = table[table["score"].notna() & (table["waits_for_a_person"] != "")]
    parts = ["<h2>Needs a person</h2>"]
    if not lost.empty:
        rows = [(linked(r.student, r.link), r.status) for r in lost.itertuples()]
        parts.append(table_html(("student", "why"), rows, "Could not be graded"))
    if not waiting.empty:
        rows = [
            (cells, Html(", ".join(linked(r.student, r.link) for r in group.itertuples())))
            for cells, group in waiting.groupby("waits_for_a_person")
        ]
        parts.append(table_html(("cells", "students"), rows, "Answers that wait for a mark"))
    if len(parts) == 1:
        parts.append("<p>Nobody.</p>")
    return "".join(parts)


# --- figures -------------------------------------------------------------------------------------------------------


def inline(figure: Figure, alt: str) -> str:
    """A figure as SVG inside the page, its ids made its own, with `alt` for readers who cannot see it."""
    buffer = io.StringIO()
    with matplotlib.rc_context(SVG):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    own = re.sub(r"\W+", "-", alt[:30])
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{own}-", svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{html.escape(alt)}" ', 1)
    return f"<figure>{svg}<figcaption>{esc(alt)}</figcaption></figure>"


def axes_of(height: float):
    with matplotlib.rc_context(SVG):
        figure = Figure(figsize=(8, height), layout="constrained")
        return figure, figure.subplots()


def score_figure(graded: pd.DataFrame) -> str:
    if graded.empty:
        return "<p>No scores yet.</p>"
    most = graded["max_score"].max()
    edges = [most * step / 10 for step in range(11)]
    figure, axes = axes_of(2.8)
    counts, _, _ = axes.hist(graded["score"], bins=edges, color=BLUE, edgecolor="white", label="students")
    axes.set(title="Distribution of scores", xlabel=f"points (of {points(most)})", ylabel="students")
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.legend()
    top = int(counts[-1])
    alt = (
        f"Histogram of the scores of {len(graded)} students in ten steps up to {points(most)} points: "
        f"{', '.join(str(int(count)) for count in counts)}; {top} in the highest step."
    )
    return inline(figure, alt)


def exercise_figure(table: pd.DataFrame) -> str:
    if table.empty:
        return "<p>No exercises graded yet.</p>"
    figure, axes = axes_of(0.8 + 0.34 * len(table))
    left = pd.Series(0, index=table.index)
    kinds = (("whole", "all points", BLUE, ""), ("in_part", "in part", ORANGE, "//"), ("none", "none", GREY, ".."))
    for column, label, colour, hatch in kinds:
        style = {"color": colour, "hatch": hatch, "edgecolor": "white", "label": label}
        axes.barh(table["exercise"], table[column], left=left, **style)
        left = left + table[column]
    axes.invert_yaxis()
    axes.set(title="Who has which exercise", xlabel="students", ylabel="exercise")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    hardest = table.loc[table["mean_share"].idxmin()]
    alt = (
        f"Bars for {len(table)} exercises, students with all points, a part, or none. The hardest is "
        f"{hardest['exercise']}, with {hardest['mean_share']:.0%} of its points on average."
    )
    return inline(figure, alt)


def exercise_words(table: pd.DataFrame) -> str:
    rows = [
        (row.exercise, row.n, row.whole, row.in_part, row.none, row.not_written, f"{row.mean_share:.0%}",
         "–" if pd.isna(row.discrimination) else f"{row.discrimination:+.2f}")
        for row in table.itertuples()
    ]
    head = ("exercise", "n", "all points", "in part", "none", "of these not written", "mean share of points",
            "discrimination")
    meaning = (
        "<p>The mean share of points is the exercise's difficulty: the lower, the harder. Discrimination is the "
        "point-biserial correlation of having all points here with the points on all other exercises: from 0.3 on the "
        "exercise tells who knows the rest, near 0 it does not, below 0 look at the exercise itself. A dash: everybody "
        "has it, or nobody."
    )
    if not table.empty and table["n"].max() < FEW:
        meaning += f" With n = {table['n'].max()}, fewer than {FEW}, it is a hint and no measurement."
    return table_html(head, rows, "Exercises") + meaning + "</p>"


def misconceptions(data: ClassData) -> str:
    table = data.misconceptions
    if table.empty:
        return "<p>None of the catalogue's was recognised.</p>"
    sentences = {entry.id: entry.sentence for entry in catalogue(data.chapter)}
    shown = table.head(MOST_ROWS)
    figure, axes = axes_of(0.8 + 0.34 * len(shown))
    axes.barh(shown["misconception"], shown["students"], color=BLUE, label="students")
    axes.invert_yaxis()
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set(title="Misconceptions recognised", xlabel="students", ylabel="misconception")
    first = shown.iloc[0]
    alt = (
        f"Bars of {len(shown)} misconceptions by number of students; the commonest is {first['misconception']} in "
        f"{first['exercise']}, {first['students']} of them."
    )
    rows = [
        (row.exercise, " or: ".join(sentences.get(one, one) for one in row.misconception.split("|")), row.students,
         row.who)
        for row in table.itertuples()
    ]
    head = ("exercise", "what the students read", "students", "who")
    return inline(figure, alt) + table_html(head, rows, "Misconceptions")


def together(table: pd.DataFrame) -> str:
    if table.empty:
        return "<p>No two checks of different exercises are failed by two students or more.</p>"
    rows = [(r.check, r.other_check, r.students, f"{r.share:.0%}") for r in table.head(MOST_ROWS).itertuples()]
    caption = f"The {len(rows)} most frequent of {len(table)} pairs; all of them are in together.csv"
    return table_html(("check", "other check", "students", "of those who fail either"), rows, caption)


def times(data: ClassData, graded: pd.DataFrame) -> str:
    """Grading time by student and by check; memory is limited by the sandbox, and not measured."""
    if graded.empty:
        return "<p>Nothing graded yet.</p>"
    seconds = graded["seconds"]
    slow = data.checks.groupby(["exercise", "check"], as_index=False)["seconds"].agg(["mean", "max"])
    slow = slow.sort_values("max", ascending=False).head(5)
    rows = [(f"{r.exercise} {r.check}", f"{r.mean:.2f}", f"{r.max:.2f}") for r in slow.itertuples()]
    return (
        f"<p>Running and judging a submission took {seconds.median():.1f} s at the median and {seconds.max():.1f} s at "
        f"most, {seconds.sum():.0f} s in all.</p>"
        + table_html(("check", "mean (s)", "longest (s)"), rows, "The slowest checks")
    )


def students(table: pd.DataFrame) -> str:
    rows = [
        (linked(r.student, r.link), "–" if pd.isna(r.score) else points(r.score), r.status, r.notes)
        for r in table.itertuples()
    ]
    return table_html(("student", "points", "status", "notes"), rows, "Students")
