"""What grading one submission found: frozen dataclasses and the JSON that the contract in DESIGN fixes."""

import dataclasses
import json

from autograder.checks.api import Counterexample
from autograder.checks.runner import CheckResult

__all__ = ["SCHEMA", "CellVerdict", "Verdict"]

SCHEMA = 1


@dataclasses.dataclass(frozen=True)
class CellVerdict:
    """One test cell: its points are the sum of its checks'."""

    grade_id: str
    checks: tuple[CheckResult, ...]
    note: str = ""

    @property
    def score(self) -> float:
        return float(sum(check.points for check in self.checks))

    @property
    def max_score(self) -> float:
        return float(sum(check.max_points for check in self.checks))

    @property
    def needs_person(self) -> bool:
        """Has a person to look at this cell, since some check could not judge it?"""
        return any(check.needs_person for check in self.checks)


@dataclasses.dataclass(frozen=True)
class Verdict:
    """One submission. `status` is `graded`, or `ungradable` with the reason in words and no cells.

    `notes` tell the student what happened to the notebook as a whole (a cell that ended the kernel, a repaired file);
    `seconds` is wall time and, like the checks' own, not part of equality.
    """

    chapter: str
    status: str
    max_score: float
    cells: tuple[CellVerdict, ...] = ()
    reason: str | None = None
    notes: tuple[str, ...] = ()
    provenance: dict = dataclasses.field(default_factory=dict)
    seconds: float = dataclasses.field(default=0.0, compare=False)

    @property
    def score(self) -> float:
        return float(sum(cell.score for cell in self.cells))

    def as_dict(self) -> dict:
        """The object that `--json` prints."""
        return {
            "schema": SCHEMA,
            "chapter": self.chapter,
            "score": self.score,
            "max_score": self.max_score,
            "status": self.status,
            "reason": self.reason,
            "notes": list(self.notes),
            "cells": [
                {
                    "grade_id": cell.grade_id,
                    "score": cell.score,
                    "max_score": cell.max_score,
                    "note": cell.note,
                    "checks": [
                        {**vars(check), "counterexample": check.counterexample and {**vars(check.counterexample)}}
                        for check in cell.checks
                    ],
                }
                for cell in self.cells
            ],
            "provenance": self.provenance,
            "seconds": self.seconds,
        }

    def to_json(self) -> str:
        return json.dumps(self.as_dict(), ensure_ascii=True)

    @classmethod
    def from_json(cls, text: str) -> "Verdict":
        """The verdict that `to_json` wrote; raises `ValueError` for another schema or a damaged text."""
        try:
            data = json.loads(text)
            if data["schema"] != SCHEMA:
                raise ValueError(f"verdict schema {data['schema']}, not {SCHEMA}")
            cells = tuple(
                CellVerdict(
                    cell["grade_id"],
                    tuple(
                        CheckResult(**{**check, "counterexample": example and Counterexample(**example)})
                        for check in cell["checks"]
                        for example in [check["counterexample"]]
                    ),
                    cell["note"],
                )
                for cell in data["cells"]
            )
            return cls(
                data["chapter"], data["status"], data["max_score"], cells, data["reason"], tuple(data["notes"]),
                data["provenance"], data["seconds"],
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a verdict: {error!r}") from None
