"""What several test files share: one real sandbox, and the chapters that exist."""

import gc
import pathlib

import pytest

from autograder.grading.chapter import Course
from autograder.sandbox import bubblewrap
from autograder.sandbox.inside.parent import settle
from autograder.sandbox.kernels import Sandbox
from autograder.sandbox.limits import Limits

ROOT = pathlib.Path(__file__).resolve().parent.parent
gc.disable()  # while tests are collected: nearly all that is made then stays, and looking through it took a third


def pytest_collection_finish():
    """From here on the garbage collector looks through what tests make, and not through all modules: a tenth less."""
    settle()
    gc.enable()


@pytest.fixture(scope="session")
def course() -> Course:
    return Course(ROOT)


@pytest.fixture(scope="session")
def sandbox():
    """One pre-loaded parent behind its walls for all tests of a process; short limits keep the suite short."""
    if not bubblewrap.available():
        pytest.fail("bubblewrap is not installed: make test installs it where it may, and says how where it may not")
    with Sandbox(Limits(cell_seconds=8, later_cell_seconds=2), hidden=[ROOT]) as shared:
        yield shared
