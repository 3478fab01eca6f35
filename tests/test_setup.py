"""What `tools/setup.sh` says and does on machines that lack something, played with a PATH of stand-ins."""

import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
REAL = ("sh", "dirname", "uname", "env", "true", "rm", "touch")

NO_SUDO = {"id": "echo 1000", "sudo": "exit 1", "apt-get": 'echo "$*" >>"$HOME/apt"'}
SUDO = {**NO_SUDO, "sudo": 'shift; exec "$@"'}
ADMINISTRATOR = {**NO_SUDO, "id": "echo 0"}
OLD_PYTHON = {"python3": '[ "$1" = --version ] && echo Python 3.10.12 || exit 1'}
NO_ENSUREPIP = {"python3": 'case "$2" in *ensurepip*) exit 1;; *print*) echo python3.12-venv;; esac'}


@pytest.fixture
def machine(tmp_path):
    """A checkout with nothing but the script, and a function that runs it on a machine with these commands."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "setup.sh", tmp_path / "tools")

    def run(words: str, commands: dict[str, str]) -> tuple[int, str, str]:
        binaries = tmp_path / "bin"
        binaries.mkdir()
        for name in REAL:
            (binaries / name).symlink_to(shutil.which(name))
        for name, body in commands.items():
            (binaries / name).write_text(f"#!{binaries}/sh\n{body}\n")
            (binaries / name).chmod(0o755)
        environment = {"PATH": str(binaries), "HOME": str(tmp_path)}
        call = [tmp_path / "tools" / "setup.sh", *words.split()]
        ended = subprocess.run(call, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        asked = tmp_path / "apt"
        return ended.returncode, ended.stderr, asked.read_text() if asked.exists() else ""

    return run


def test_without_rights_the_one_command_is_named(machine):
    code, said, asked = machine("sandbox", NO_SUDO)
    assert code == 1
    assert "\n    sudo apt-get install -y bubblewrap\n" in said
    assert asked == ""


@pytest.mark.parametrize("rights", [ADMINISTRATOR, SUDO], ids=["administrator", "sudo"])
def test_with_rights_it_is_installed(machine, rights):
    _, _, asked = machine("sandbox", rights)
    assert "install -y -qq --no-install-recommends bubblewrap\n" in asked


def test_a_working_sandbox_is_left_alone(machine):
    assert machine("sandbox", {**ADMINISTRATOR, "bwrap": "exit 0"}) == (0, "", "")


def test_a_forbidden_sandbox_is_explained(machine):
    code, said, _ = machine("sandbox", {**NO_SUDO, "bwrap": "echo bwrap: no permission >&2; exit 1"})
    assert code == 1
    assert "bwrap: no permission" in said
    assert "apparmor_restrict_unprivileged_userns" in said


def test_walls_that_cannot_be_made_within_others_are_told(machine):
    within = 'case "$*" in *" unshare "*) echo refused >&2; exit 1;; esac'
    code, said, _ = machine("sandbox", {**NO_SUDO, "bwrap": within})
    assert code == 0
    assert "graded in a sandbox of its own" in said
    assert "refused" not in said


def test_elsewhere_than_on_linux_the_way_on_is_named(machine):
    code, said, _ = machine("install bubblewrap", {})
    assert code == 1
    assert "conda env create -f environment.yml" in said


def test_an_old_python_is_named(machine):
    code, said, asked = machine("venv", {**ADMINISTRATOR, **OLD_PYTHON})
    assert code == 1
    assert "needs Python 3.11 or newer, and there is only Python 3.10.12" in said
    assert asked == ""


def test_no_python_at_all_is_installed(machine):
    _, _, asked = machine("venv", ADMINISTRATOR)
    assert "python3 python3-venv\n" in asked


def test_a_python_without_ensurepip_gets_its_own_package(machine):
    code, said, _ = machine("venv", {**NO_SUDO, **NO_ENSUREPIP})
    assert code == 1
    assert "\n    sudo apt-get install -y python3.12-venv\n" in said
