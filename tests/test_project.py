"""The repository as a whole: what it names exists, it runs from any folder, and its modules stay readable."""

import pathlib
import re
import shutil
import subprocess
import sysconfig

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Put together here, so that this file does not itself name them.
REGISTRIES = [
    f"{name}.{end}"
    for name, end in (
        ("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("npmjs", "com"), ("deb.debian", "org"),
        ("archive.ubuntu", "com"), ("conda.anaconda", "org"),
    )
]
MACHINE_PATH = re.compile(r"(?:^|[^\w.])/(?:work|farm|root|home/\w+)/", re.MULTILINE)

# Which modules may have more than 400 lines, each with its reason.
LONG = {
    r"autograder/(checks|misconceptions)/ch\d\d_\w+\.py": "a chapter's catalogue: one short entry after the other",
    r"autograder/checks/r2_training\.py": "the checks of one exercise that two chapters have, one after the other",
    r"tests/correct_variants/ch\d\d_\w+\.py": "the same",
    r"tests/hostile/\w+\.py": "attacks, one after the other",
    r"autograder/sandbox/inside/wire\.py": "both sides of one format, mounted into the sandbox by itself",
}


def tracked() -> list[pathlib.Path]:
    """The files that git knows and that are still here."""
    git = ["git", "-c", "safe.directory=*", "-C", str(ROOT), "ls-files", "-z"]
    if not (ROOT / ".git").exists():
        pytest.skip("which files belong to the project is known to git alone")
    names = subprocess.run(git, capture_output=True, check=True, text=True).stdout.split("\0")[:-1]
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def texts() -> dict[str, str]:
    """Every tracked text file by its name."""
    read = {}
    for path in tracked():
        try:
            read[str(path.relative_to(ROOT))] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    return read


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):(?!=)", (ROOT / "Makefile").read_text(), re.MULTILINE)) - {"sandbox"}


def readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


def commands(program: str) -> set[str]:
    """What README.md and the instructors' guide call `program` with, up to the first argument that is no plain word."""
    text = readme() + (ROOT / "docs" / "instructor.md").read_text(encoding="utf-8")
    return set(re.findall(rf"(?:^ {{4,}}|`|/){program} ((?:[a-z]+ ?)+)(?=[\s`])", text, re.MULTILINE))


def test_no_path_of_one_machine_is_named():
    assert [name for name, text in texts().items() if MACHINE_PATH.search(text)] == []


def test_no_registry_is_named():
    assert [(name, host) for name, text in texts().items() for host in REGISTRIES if host in text] == []


def test_nothing_outside_the_checkout_is_read():
    outside = "../" + "shared"
    assert [name for name, text in texts().items() if outside in text] == []


@pytest.mark.parametrize("folder", re.findall(r"^\| `([^`]+/)` \|", readme(), re.MULTILINE))
def test_each_folder_on_the_map_exists(folder):
    assert (ROOT / folder).is_dir()


@pytest.mark.parametrize("chapter", re.findall(r"^\| `(\d\d_\w+)` \|", readme(), re.MULTILINE))
def test_each_chapter_in_the_table_is_released(chapter):
    assert list((ROOT / "notebooks" / chapter).glob("*.ipynb")) != []


def test_each_notebook_named_in_the_readme_exists():
    named = re.findall(r"\bnotebooks/[\w/]+\.ipynb", readme())
    assert named != []
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_each_link_between_documents_leads_somewhere():
    for document in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
        links = re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text(encoding="utf-8"))
        home = ROOT if document.name == "index.md" else document.parent  # the first page of the site stands at its root
        assert [link for link in links if not (home / link).exists()] == [], document.name


def test_the_readme_names_make_targets_that_exist():
    assert commands("make") != set()
    assert {words.split()[0] for words in commands("make")} <= make_targets()


@pytest.mark.parametrize("words", sorted(commands("autograder")))
def test_the_readme_names_autograder_commands_that_exist(words):
    program = pathlib.Path(sysconfig.get_path("scripts")) / "autograder"
    helped = subprocess.run([program, *words.split(), "--help"], capture_output=True, text=True)
    assert helped.returncode == 0, helped.stderr


def test_make_help_lists_each_target():
    if shutil.which("make") is None:
        pytest.skip("make is not here")
    call = ["make", "-C", ROOT, "--no-print-directory", "help"]
    helped = subprocess.run(call, capture_output=True, check=True, text=True)
    assert set(re.findall(r"^  make (\w+) +\S", helped.stdout, re.MULTILINE)) == make_targets()


def test_long_modules_have_a_reason():
    lengths = {name: text.count("\n") for name, text in texts().items() if name.endswith(".py")}
    long = [name for name, length in lengths.items() if length > 400]
    assert [name for name in long if not any(re.fullmatch(pattern, name) for pattern in LONG)] == []
