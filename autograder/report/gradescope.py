"""Gradescope: a `results.json` of a verdict, and the autograder bundle that makes one.

The bundle carries the course, solutions and secret: it is the instructor's, as on Gradescope's own servers.
Run as a module, with the verdict's JSON on standard input, it prints the results.
"""

import io
import json
import pathlib
import sys
import zipfile

from autograder.grading.chapter import Chapter, Course
from autograder.grading.verdict import CellVerdict, Verdict
from autograder.report.cell import cell_text

__all__ = ["bundle", "results"]

FILES = ("nbgrader_config.py", "pyproject.toml", "requirements.txt", "README.md", "LICENSE")
FOLDERS = ("autograder", "solutions/{}", "notebooks/{}")
SKIPPED = ("__pycache__", ".ipynb_checkpoints")

SETUP = """#!/usr/bin/env bash
# Gradescope runs this once, when it builds the image.
set -euo pipefail
apt-get update
apt-get install -y --no-install-recommends bubblewrap python3 python3-venv
cd "${AUTOGRADER_HOME:-/autograder}/source"
python3 -m venv .venv
.venv/bin/python -m pip install --require-hashes -r requirements.txt
"""

RUN = """#!/usr/bin/env bash
# Gradescope runs this for each submission: the notebook in, results.json out.
set -uo pipefail
home="${{AUTOGRADER_HOME:-/autograder}}"
python="${{PYTHON:-$home/source/.venv/bin/python}}"
cd "$home/source"
export PYTHONPATH="$PWD" PATH="$(dirname "$python"):$PATH"
mkdir -p "$home/results"
# A file, not a link: a link may lead to the solution that lies in this bundle.
notebook="$(find "$home/submission" -type f -name '*.ipynb' -not -path '*/.*' | sort | head -n 1)"
verdict="$(mktemp)"
if [ -n "$notebook" ]; then
    "$python" -m autograder.cli check "$notebook" --chapter {chapter} --json > "$verdict" 2> "$verdict.log"
fi
"$python" -m autograder.report.gradescope < "$verdict" > "$home/results/results.json"
cat "$verdict.log" 2> /dev/null
exit 0
"""


def results(verdict: Verdict | None) -> dict:
    """The object of a `results.json`; without a verdict no score, so that a person looks at it."""
    if verdict is None:
        return {"output": "No notebook could be checked. A person will look at it.", "tests": []}
    if verdict.status != "graded":
        return {"output": f"Cannot be graded: {verdict.reason}.", "tests": []}
    sealed = verdict.provenance.get("sandbox") == "bubblewrap"
    return {
        "score": verdict.score,
        "execution_time": round(verdict.seconds, 1),
        "output": "\n".join(verdict.notes),
        "output_format": "text",
        "tests": [test(number, cell) for number, cell in enumerate(verdict.cells, start=1)] + [{
            "name": "Was the sandbox there?", "visibility": "hidden", "output_format": "text",
            "output": "Yes." if sealed else "No: this image does not allow bubblewrap, so this score could be forged.",
        }],
    }


def test(number: int, cell: CellVerdict) -> dict:
    return {
        "name": cell.grade_id.removeprefix("test_"),
        "number": str(number),
        "score": cell.score,
        "max_score": cell.max_score,
        "status": "passed" if cell.score == cell.max_score else "failed",
        "output": cell_text(cell),
        "output_format": "text",
        "visibility": "visible",
    }


def bundle(course: Course, chapter: Chapter) -> bytes:
    """The zip file to upload as the assignment's autograder."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        add(archive, "setup.sh", SETUP.encode(), executable=True)
        add(archive, "run_autograder", RUN.format(chapter=chapter.name).encode(), executable=True)
        add(archive, ".autograder/secret", course.secret() + b"\n")
        for path in files(course.root, chapter.name):
            add(archive, path.relative_to(course.root).as_posix(), path.read_bytes())
    return buffer.getvalue()


def files(root: pathlib.Path, chapter: str) -> list[pathlib.Path]:
    found = [root / name for name in FILES if (root / name).is_file()]
    for folder in FOLDERS:
        found += [
            path for path in sorted((root / folder.format(chapter)).rglob("*"))
            if path.is_file() and not set(SKIPPED) & set(path.parts)
        ]
    return found


def add(archive: zipfile.ZipFile, name: str, data: bytes, executable: bool = False) -> None:
    """One file, with a fixed date, so that the same course makes the same bundle."""
    info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    info.external_attr = (0o100755 if executable else 0o100644) << 16
    archive.writestr(info, data, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    text = sys.stdin.read()
    print(json.dumps(results(Verdict.from_json(text) if text.strip() else None), ensure_ascii=False, indent=1))
