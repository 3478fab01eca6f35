"""Build the sample class: what invented students hand in for each chapter, made from its release and its solution.

    python examples/build.py

Each student goes another way: right, right in a style of their own, half done, wrong in ways from the catalogue of
misconceptions, blank, crashing, hanging, forging, with cells copied or split, with a damaged file. The notebooks are
committed, and a test builds them anew and compares.
"""

import copy
import json
import pathlib
import re
import sys

import nbformat
from nbformat import NotebookNode

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from autograder.grading.chapter import Course  # noqa: E402
from autograder.misconceptions.api import Misconception, catalogue, source_of  # noqa: E402

REGION = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE)
FORGERY = '''
class Right:
    """Equal to everything."""
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __hash__(self): return 0
    def __len__(self): return 1
    def __iter__(self): return iter([self])
'''


def answers(chapter: str) -> dict[str, str]:
    """The solution's answers by grade id, as a student would have typed them."""
    (path,) = (ROOT / "solutions" / chapter).glob("*.ipynb")
    return {
        cell.metadata.nbgrader["grade_id"]: REGION.sub("", cell.source).rstrip()
        for cell in nbformat.read(path, as_version=4).cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }


class Class:
    """One chapter's submissions; every recipe below gives a notebook, or the bytes of a file that is none."""

    def __init__(self, chapter: str):
        self.release = Course(ROOT).chapter(chapter).release()
        self.answers = answers(chapter)
        self.wrong: dict[str, list[Misconception]] = {}
        for entry in catalogue(chapter):
            self.wrong.setdefault(entry.exercise, []).append(entry)
        self.functions = [
            name for name, source in self.answers.items() if re.search(rf"^(def|class) {name}\b", source, re.MULTILINE)
        ]

    def filled(self, **changes: str) -> NotebookNode:
        """The release with the solution's answers, but for `changes`; a written answer in a student's words."""
        notebook = copy.deepcopy(self.release)
        for cell in notebook.cells:
            grading = cell.metadata.get("nbgrader", {})
            if grading.get("solution"):
                name = grading["grade_id"]
                written = "In my own words: I tried it on a small example, and saw what the chapter says."
                answer = self.answers[name] if cell.cell_type == "code" else written
                cell.source = changes.get(name, answer)
        return notebook

    def with_wrong(self, turn: int) -> NotebookNode:
        """Two exercises answered as the catalogue's entry number `turn` of each, the rest right."""
        exercises = sorted(self.wrong, key=lambda name: -len(self.wrong[name]))
        picked = [exercises[(turn + step) % len(exercises)] for step in range(min(2, len(exercises)))]
        changes = {
            name: source_of(self.wrong[name][turn % len(self.wrong[name])].function, name) for name in picked
        }
        return self.filled(**changes)

    def half_done(self) -> NotebookNode:
        """The second half is still the stub."""
        released = {
            cell.metadata.nbgrader["grade_id"]: cell.source
            for cell in self.release.cells if cell.metadata.get("nbgrader", {}).get("solution")
        }
        names = list(self.answers)
        return self.filled(**{name: released[name] for name in names[len(names) // 2 :]})

    def crash(self) -> NotebookNode:
        """An extra cell that ends Python, between right answers."""
        notebook = self.filled()
        notebook.cells.insert(middle(notebook), code("import os\nos._exit(1)", "my-experiment"))
        return notebook

    def endless(self) -> NotebookNode:
        """One function never comes back."""
        name = self.functions[-1]  # few cells call it, so the sample class does not wait long
        header = self.answers[name].split(":\n", 1)[0]
        if header.startswith("class"):
            body = "\n    def __init__(self, *args):\n        while True:\n            pass"
        else:
            body = "\n    while True:\n        pass"
        return self.filled(**{name: f"{header}:{body}"})

    def forged(self) -> NotebookNode:
        """An answer that claims to be equal to anything, and test cells that print full marks and are to be skipped."""
        name = self.lonely()
        lie = f"{FORGERY}\ndef {name}(*args, **kwargs):\n    return Right()"
        notebook = self.filled(**{name: lie})
        for cell in notebook.cells:
            if cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code":
                cell.metadata.tags = ["skip-execution"]
                cell.source = "100"
        return notebook

    def lonely(self) -> str:
        """A function on which no other answer builds, so that only its own points are at stake."""
        return next(name for name in self.functions if not any(
            re.search(rf"\b{name}\b", source) for other, source in self.answers.items() if other != name
        ))

    def copied(self) -> NotebookNode:
        """A solution cell copied with its grade id, and a test cell deleted."""
        notebook = self.filled()
        places = [i for i, cell in enumerate(notebook.cells) if cell.metadata.get("nbgrader", {}).get("solution")]
        twin = copy.deepcopy(notebook.cells[places[0]])
        twin.id = f"{twin.id}-copy"
        notebook.cells.insert(places[0] + 1, twin)
        tests = [i for i, cell in enumerate(notebook.cells) if cell.metadata.get("nbgrader", {}).get("grade")]
        del notebook.cells[tests[-1]]
        return notebook

    def split(self) -> NotebookNode:
        """An answer split in two cells: a helper of the student's own, and the exercise that calls it."""
        name = self.functions[0]
        helper = re.sub(rf"\b{name}\b", f"my_{name}", self.answers[name])
        notebook = self.filled(**{name: f"{name} = my_{name}"})
        place = next(i for i, cell in enumerate(notebook.cells)
                     if cell.metadata.get("nbgrader", {}).get("grade_id") == name)
        notebook.cells.insert(place, code(helper, "my-helper"))
        return notebook

    def noisy(self) -> NotebookNode:
        """Right answers that print to standard error and warn."""
        notebook = self.filled()
        noise = "import sys, warnings\nprint('debug', file=sys.stderr)\nwarnings.warn('just a warning')"
        notebook.cells.insert(middle(notebook), code(noise, "my-noise"))
        return notebook

    def damaged(self) -> bytes:
        """The file broke off in the middle."""
        data = nbformat.writes(self.filled()).encode()
        return data[: len(data) // 2]

    def stripped(self) -> NotebookNode:
        """Saved by a tool that drops all metadata and cell ids."""
        notebook = self.filled()
        for cell in notebook.cells:
            cell.metadata = {}
            cell.pop("id", None)
        notebook.nbformat_minor = 4
        return notebook

    def everybody(self) -> dict[str, NotebookNode | bytes]:
        """The class list."""
        recipes = [
            self.filled, lambda: self.with_wrong(0), lambda: self.with_wrong(1), lambda: self.with_wrong(2),
            lambda: self.with_wrong(3), self.half_done, lambda: self.release, self.crash, self.endless, self.forged,
            self.copied, self.split, self.noisy, self.damaged, self.stripped, lambda: self.with_wrong(4),
        ]
        return {f"student-{number:02}": recipe() for number, recipe in enumerate(recipes, start=1)}


def middle(notebook: NotebookNode) -> int:
    """A place behind the first half of the test cells."""
    tests = [i for i, cell in enumerate(notebook.cells) if cell.metadata.get("nbgrader", {}).get("grade")]
    return tests[len(tests) // 2] + 1


def code(source: str, cell_id: str) -> NotebookNode:
    return nbformat.v4.new_code_cell(source, id=cell_id)


def as_bytes(notebook: NotebookNode | bytes) -> bytes:
    if isinstance(notebook, bytes):
        return notebook
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def build(target: pathlib.Path) -> list[pathlib.Path]:
    """Write every submission below `target`; returns the files."""
    written = []
    course = Course(ROOT)
    for chapter in course.chapters():
        for student, notebook in Class(chapter).everybody().items():
            path = target / student / chapter / f"{course.chapter(chapter).notebook}.ipynb"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(as_bytes(notebook))
            written.append(path)
    return written


if __name__ == "__main__":
    for path in build(ROOT / "examples"):
        print(path.relative_to(ROOT))
