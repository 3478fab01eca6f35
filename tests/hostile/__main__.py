"""`make attack`: the whole corpus, slow ones too, every exercise judged; prints a table of what held.

    python tests/hostile [pytest's arguments]
"""

import collections
import pathlib
import sys

import pytest
from rich.console import Console
from rich.table import Table

TESTS = pathlib.Path(__file__).resolve().parent.parent


class Tally:
    """A pytest plugin that adds up attempts, what held, and seconds by kind."""

    def __init__(self) -> None:
        self.attempts: collections.Counter[str] = collections.Counter()
        self.held: collections.Counter[str] = collections.Counter()
        self.seconds: collections.Counter[str] = collections.Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and "test_attack[" in report.nodeid:
            kind = report.nodeid.split("[", 1)[1].split("-", 1)[0]
            self.attempts[kind] += 1
            self.held[kind] += report.passed
            self.seconds[kind] += report.duration

    def table(self) -> Table:
        table = Table(title="Attacks on the grader")
        for title in ("kind", "attempts", "held", "seconds"):
            table.add_column(title, justify="left" if title == "kind" else "right")
        rows = [(kind, self.attempts[kind], self.held[kind], self.seconds[kind]) for kind in self.attempts]
        rows.append(("all", self.attempts.total(), self.held.total(), sum(self.seconds.values())))
        for kind, attempts, held, seconds in rows:
            table.add_row(kind, str(attempts), str(held), f"{seconds:.0f}")
        return table


if __name__ == "__main__":
    tally = Tally()
    status = pytest.main([str(TESTS / "test_hostile.py"), "-m", "", "-n", "0", *sys.argv[1:]], plugins=[tally])
    Console().print(tally.table())
    sys.exit(status)
