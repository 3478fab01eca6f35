"""The course folder: where it is, its chapters, its secret, and the hashes that a verdict depends on."""

import contextlib
import dataclasses
import functools
import hashlib
import importlib.metadata
import os
import pathlib
import platform
import re
import secrets
import sys
import tempfile

import nbformat
from nbformat import NotebookNode

from autograder.checks.runner import CHAPTERS

__all__ = ["Chapter", "Course", "CourseError"]

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
LIBRARIES = ("ipykernel", "ipython", "matplotlib", "numpy", "pandas", "regex", "tiktoken", "tokenizers")


class CourseError(RuntimeError):
    """Something about the course folder is not as it must be; the message says what to change."""


@dataclasses.dataclass(frozen=True)
class Chapter:
    """One chapter as released: `name` like `03_naive_bpe`, its notebook and the folder with its data files."""

    name: str
    path: pathlib.Path

    @property
    def folder(self) -> pathlib.Path:
        return self.path.parent

    @property
    def notebook(self) -> str:
        """The notebook's name without its ending, as nbgrader calls it."""
        return self.path.stem

    def release(self) -> NotebookNode:
        return nbformat.read(self.path, as_version=4)


@dataclasses.dataclass(frozen=True)
class Course:
    """The course in the folder `root`."""

    root: pathlib.Path

    @classmethod
    def find(cls, start: str | os.PathLike = ".") -> "Course":
        """The course that holds `start`, or else the checkout that this package runs from."""
        here = pathlib.Path(start).resolve()
        for folder in (here, *here.parents, PACKAGE.parent):
            if (folder / "nbgrader_config.py").is_file() and (folder / "solutions").is_dir():
                return cls(folder)
        raise CourseError("no course folder here: go to the folder that holds nbgrader_config.py and solutions/")

    @property
    def private(self) -> pathlib.Path:
        """The folder for the secret and the store, which git ignores."""
        return self.root / ".autograder"

    def chapters(self) -> list[str]:
        """The chapters that are released, in order."""
        return [name for name in CHAPTERS if list((self.root / "notebooks" / name).glob("*.ipynb"))]

    def chapter(self, name: str) -> Chapter:
        """The released chapter; raises `CourseError` with the names there are."""
        found = sorted((self.root / "notebooks" / name).glob("*.ipynb")) if name in CHAPTERS else []
        if len(found) != 1:
            raise CourseError(f"no chapter {name!r}; there are: {', '.join(self.chapters()) or 'none'}")
        return Chapter(name, found[0])

    def solution(self, chapter: Chapter) -> NotebookNode:
        """The chapter with its answers."""
        return nbformat.read(self.root / "solutions" / chapter.name / chapter.path.name, as_version=4)

    def secret(self) -> bytes:
        """The course secret, which seeds hidden inputs: `AUTOGRADER_SECRET`, or a file made on first use, mode 600."""
        given = os.environ.get("AUTOGRADER_SECRET")
        if given:
            return given.encode()
        path = self.private / "secret"
        if not path.exists():
            self.private.mkdir(mode=0o700, exist_ok=True)
            descriptor, temporary = tempfile.mkstemp(dir=self.private)  # mode 600
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_hex(32) + "\n")
            # Whole or not at all, and never over another's: several processes may be first.
            with contextlib.suppress(FileExistsError):
                os.link(temporary, path)
            os.unlink(temporary)
        text = path.read_text().strip()
        if len(text) < 16:
            raise CourseError(f"the course secret in {path} is damaged; remove it to get a new one")
        return text.encode()

    def provenance(self, chapter: Chapter, submission: bytes, walled: bool) -> dict:
        """All that a verdict depends on, as hashes and versions; equal provenance means an equal verdict."""
        return {
            "submission": hashlib.sha256(submission).hexdigest(),
            "chapter": hash_files(sorted(path for path in chapter.folder.rglob("*") if path.is_file())),
            "checks": judging_code(chapter.name),
            "secret": hashlib.sha256(b"fingerprint" + self.secret()).hexdigest()[:16],
            "sandbox": "bubblewrap" if walled else "none",
            "versions": versions(),
        }


def hash_files(paths: list[pathlib.Path]) -> str:
    """A hash over the names and contents of files."""
    digest = hashlib.sha256()
    for path in paths:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.name}\0{content}\n".encode())
    return digest.hexdigest()


@functools.cache
def judging_code(chapter: str) -> str:
    """A hash over the code that verdicts on a chapter depend on: other chapters' checks may change without effect."""
    own = [f"autograder.{room}.{CHAPTERS[chapter]}" for room in ("checks", "misconceptions")]
    inside = [f"autograder.sandbox.inside.{path.stem}" for path in (PACKAGE / "sandbox" / "inside").glob("*.py")]
    waiting = ["autograder.grading.submission", *own, *inside]
    files: dict[str, pathlib.Path] = {}
    while waiting:
        name = waiting.pop()
        path = PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".py")
        if name not in files and path.is_file():
            files[name] = path
            waiting += imports_of(path)
    return hash_files(sorted(files.values()))


def imports_of(path: pathlib.Path) -> list[str]:
    """The names of this project's modules that a file may import, and of what it imports from them."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(r"^ *import (autograder[\w.]*)", text, re.MULTILINE)
    for module, names in re.findall(r"^ *from (autograder[\w.]*) import (\([^)]*|.*)", text, re.MULTILINE):
        found += [module, *(f"{module}.{name}" for name in re.findall(r"\w+", names))]
    return found


@functools.cache
def versions() -> dict[str, str]:
    found = {"python": platform.python_version(), "platform": sys.platform}
    for name in LIBRARIES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "none"
    return found
