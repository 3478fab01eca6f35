"""The walls where the grader is an ordinary user: user namespaces in place of root's means, and the same verdicts."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest
from hostile.corpus import ROOT

USER = 60_900  # in no account file, and no user of the sandbox's
ALONE = (  # what also goes for a kernel that is not the first process behind its wall, and whose files the watch counts
    "capabilities or writes_everywhere or daemon or leftovers or deaf_parent or namespace or places_in or memory_in_new"
)
TELLING = f"{ALONE} or signals or processes_and_memory or nobody"


# In a mount namespace of its own, folders on the way to the interpreter that only root may enter are opened: each is
# covered by an empty one in which just the way on is shown.
OPEN = """
set -e
for way in "$@"; do
    [ "$way" = -- ] && break
    closed=${way%%:*}; path=${way#*:}
    mkdir -p "$HOLD/x"
    mount --rbind "$path" "$HOLD/x"
    mount -t tmpfs -o mode=755 tmpfs "$closed"
    mkdir -p "$path"
    mount --rbind "$HOLD/x" "$path"
    shift
done
shift
exec "$@"
"""


def closed_folder(path: str) -> str | None:
    """The outermost folder on the way to `path` that others may not enter."""
    for folder in (*reversed(pathlib.Path(path).parents), pathlib.Path(path)):
        if not folder.stat().st_mode & 0o001:
            return str(folder)
    return None


def why_not() -> str:
    if os.getuid() != 0:
        return "this test changes to an ordinary user, which only root can; the other tests ran as one already"
    missing = [name for name in ("setpriv", "unshare", "mount") if shutil.which(name) is None]
    if missing:
        return f"needs {' and '.join(missing)} of util-linux"
    become = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
    tried = subprocess.run([*become, "unshare", "--user", "true"], capture_output=True)
    return "" if tried.returncode == 0 else "ordinary users may not make user namespaces on this machine"


def as_ordinary_user(*command: str) -> None:
    """Pytest passes when an ordinary user calls it so."""
    if why := why_not():
        pytest.skip(why)
    ways = {}
    for path in (os.path.realpath(sys.base_prefix), sys.prefix, str(ROOT)):
        if closed := closed_folder(path):
            ways.setdefault(closed, path)
    with tempfile.TemporaryDirectory() as home:
        os.chown(home, USER, USER)
        arguments = [
            "unshare", "--mount", "sh", "-c", OPEN, "sh", *(f"{closed}:{path}" for closed, path in ways.items()), "--",
            "setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all",
            sys.executable, "-m", "pytest", *command, "-m", "slow or not slow", "-p", "no:cacheprovider",
            "-n", "0", f"--basetemp={home}/pytest",
        ]
        environment = {
            "PATH": os.environ["PATH"], "HOME": home, "AUTOGRADER_SECRET": "the secret of this test",
            "HOLD": f"{home}/hold", "PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8", "MPLCONFIGDIR": home,
            "PYTHONPATH": str(ROOT / "tests"),
        }
        done = subprocess.run(arguments, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    assert " passed" in done.stdout


@pytest.mark.slow  # with the corpus that it repeats, in `make attack`
def test_the_walls_hold_for_an_ordinary_user():
    as_ordinary_user("tests/test_hostile.py", "-k", TELLING)


@pytest.fixture
def forbidding():
    """Bubblewrap can play a machine that lets nobody make a user namespace within it."""
    helped = subprocess.run(["bwrap", "--help"], capture_output=True, text=True)
    if "--disable-userns" not in helped.stdout + helped.stderr:
        pytest.skip("needs bubblewrap 0.8 or newer, for --disable-userns")


@pytest.mark.slow
@pytest.mark.usefixtures("forbidding")
def test_the_walls_hold_where_no_inner_one_can_be_raised():
    as_ordinary_user("tests/test_hostile.py", "-k", ALONE, "-p", "no_inner_wall")
    as_ordinary_user("tests/test_sandbox.py", "-p", "no_inner_wall")


@pytest.mark.usefixtures("forbidding")
def test_where_no_inner_wall_can_be_raised_each_kernel_has_a_sandbox_of_its_own():
    telling = "capability or out_of_sight or in_number or keeps_the_state"
    as_ordinary_user("tests/test_sandbox.py", "-k", telling, "-p", "no_inner_wall")
