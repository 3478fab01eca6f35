"""What students read for each catalogued mistake: `make gallery` writes `docs/feedback/`, `test_catalogue` compares it.

Graded as the catalogue's tests grade, so that the secret, and with it every report, is always the same.
"""

import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent)]

from inprocess import Answers  # noqa: E402

from autograder.checks.runner import CheckResult  # noqa: E402
from autograder.grading.submission import name_misconceptions  # noqa: E402
from autograder.grading.verdict import CellVerdict  # noqa: E402
from autograder.misconceptions.api import Misconception, catalogue  # noqa: E402
from autograder.report.cell import cell_text  # noqa: E402

__all__ = ["CHAPTERS", "SCREEN", "kept", "report"]

CHAPTERS = ("03_naive_bpe", "04_byte_bpe", "06_incremental_bpe")
FOLDER = pathlib.Path(__file__).parent.parent / "docs" / "feedback"
SCREEN = 50  # lines


def report(chapter: str, entry: Misconception, results: list[CheckResult], answers: Answers) -> str:
    """The report on a test cell whose exercise was answered with a wrong version."""
    named = name_misconceptions(results, answers, catalogue(chapter))
    return cell_text(CellVerdict(f"test_{entry.exercise}", tuple(named)))


def kept(chapter: str) -> dict[str, str]:
    """The reports of a chapter in `docs/feedback/`, by the entry's id."""
    parts = (FOLDER / f"{chapter}.md").read_text(encoding="utf-8").split("\n## ")[1:]
    return {part.partition("\n")[0].strip("`"): part.split("```text\n")[1].rpartition("\n```")[0] for part in parts}


def page(chapter: str, reports: dict[str, str]) -> str:
    head = (
        f"# What students read: {chapter}\n\nFor each wrong version in the catalogue, the report on its test cell. "
        "`make gallery` writes this page.\n"
    )
    return head + "".join(f"\n## `{name}`\n\n```text\n{text}\n```\n" for name, text in reports.items())


def main() -> None:
    from precision import answers_of

    from autograder.misconceptions.api import source_of

    FOLDER.mkdir(exist_ok=True)
    for chapter in CHAPTERS:
        reports = {}
        for entry in catalogue(chapter):
            found = answers_of(chapter, entry.exercise, source_of(entry.function, entry.exercise))
            reports[entry.id] = report(chapter, entry, *found)
        (FOLDER / f"{chapter}.md").write_text(page(chapter, reports), encoding="utf-8")
        longest = max(len(text.splitlines()) for text in reports.values())
        print(f"docs/feedback/{chapter}.md: {len(reports)} reports, the longest of {longest} lines")


if __name__ == "__main__":
    main()
