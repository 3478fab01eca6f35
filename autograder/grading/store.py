"""Verdicts on disk, keyed by their provenance: the same submission and course are never run twice.

One JSON file per verdict, and the executed notebook beside it, each written whole or not at all.
"""

import hashlib
import json
import os
import pathlib
import tempfile
from collections.abc import Collection

import nbformat
from nbformat import NotebookNode

from autograder.grading.verdict import Verdict

__all__ = ["Store", "key_of", "write_atomically"]


def key_of(provenance: dict) -> str:
    """The key of a verdict: a hash over everything that it depends on."""
    return hashlib.sha256(json.dumps(provenance, sort_keys=True).encode()).hexdigest()


def write_atomically(path: pathlib.Path, text: str) -> None:
    """Write `text` as UTF-8 so that a reader, or a crash at any moment, sees the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        pathlib.Path(temporary).unlink(missing_ok=True)
        raise


class Store:
    """The store in `folder`; a damaged entry counts as absent and is graded again."""

    def __init__(self, folder: str | os.PathLike):
        self.folder = pathlib.Path(folder)

    def _paths(self, key: str) -> tuple[pathlib.Path, pathlib.Path]:
        base = self.folder / key[:2]
        return base / f"{key}.verdict.json", base / f"{key}.ipynb"

    def get(self, key: str) -> tuple[Verdict, NotebookNode] | None:
        """The verdict and the executed notebook, if both are there and whole."""
        verdict_path, notebook_path = self._paths(key)
        try:
            verdict = Verdict.from_json(verdict_path.read_text(encoding="utf-8"))
            notebook = nbformat.read(notebook_path, as_version=4)
        except (OSError, ValueError):
            return None
        return (verdict, notebook) if key_of(verdict.provenance) == key else None

    def verdict(self, key: str) -> Verdict | None:
        """The verdict alone, if both are there: much faster than reading the notebook too."""
        verdict_path, notebook_path = self._paths(key)
        try:
            verdict = Verdict.from_json(verdict_path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return verdict if key_of(verdict.provenance) == key and notebook_path.is_file() else None

    def put(self, key: str, verdict: Verdict, notebook: NotebookNode) -> None:
        """Keep both; the verdict goes last, so that a verdict on disk always has its notebook."""
        verdict_path, notebook_path = self._paths(key)
        # Not by nbformat, which splits lines, indents and holds it against its schema: ten times as long.
        write_atomically(notebook_path, json.dumps(notebook, ensure_ascii=False))
        write_atomically(verdict_path, verdict.to_json())

    def prune(self, kept: Collection[str]) -> int:
        """Remove what belongs to no key in `kept`, and what crashes left half written; returns the bytes freed."""
        freed = 0
        for path in [path for path in self.folder.rglob("*") if path.is_file()]:
            if path.name.partition(".")[0] not in kept:
                freed += path.stat().st_size
                path.unlink()
        return freed

    def size(self) -> int:
        """Bytes on disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())
