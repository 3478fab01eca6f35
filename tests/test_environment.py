"""The three lists of packages agree: pyproject.toml asks, requirements.txt locks, environment.yml is conda's way in."""

import pathlib
import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement

ROOT = pathlib.Path(__file__).resolve().parent.parent
ASKED = ("jupyter", "nbgrader", "regex", "matplotlib", "pandas", "pytest", "nbval")


def locked() -> dict[str, set[str]]:
    """Every locked package with its versions; there are two where one Python needs another than the next."""
    versions: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "requirements.txt").read_text(), re.MULTILINE):
        versions.setdefault(name, set()).add(version)
    return versions


def conda() -> dict[str, str]:
    """environment.yml's packages with their version, empty where any will do."""
    lines = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    return dict(line.partition(" ")[::2] for line in lines if isinstance(line, str))


def project() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.mark.parametrize("name", [name for name in conda() if name not in ("python", "pip")])
def test_conda_has_the_locked_version(name):
    assert conda()[name].removeprefix("=") in locked()[name]


def test_conda_has_what_the_project_depends_on():
    asked = {Requirement(one).name for one in project()["dependencies"]}
    assert asked | {*ASKED} <= set(conda())


def test_conda_asks_for_the_same_python():
    assert conda()["python"] == project()["requires-python"]


def test_the_lock_has_what_the_project_and_its_tests_depend_on():
    extras = project()["optional-dependencies"]
    wanted = [*project()["dependencies"], *extras["test"], *extras["site"], *extras["cluster"], *extras["bench"]]
    for requirement in map(Requirement, wanted):
        assert all(map(requirement.specifier.contains, locked()[requirement.name])), requirement


def test_each_locked_package_has_hashes():
    blocks = re.split(r"^(?=[\w.-]+==)", (ROOT / "requirements.txt").read_text(), flags=re.MULTILINE)[1:]
    assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []
