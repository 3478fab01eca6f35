"""The outer wall: the bubblewrap command that the pre-loaded parent runs in, or a kernel that is alone in a sandbox.

Inside there is no network, nothing writable but memory, and of the machine's files only what Python needs: system
libraries, the interpreter, the environment's packages. The course folder, the gradebook, the secret and the project's
own package are not mounted, or are covered where a mounted folder holds them.
"""

import os
import pathlib
import shutil
import sys
from collections.abc import Iterable

__all__ = ["SandboxUnavailable", "available", "command"]

INSIDE = pathlib.Path(__file__).resolve().parent / "inside"
SYSTEM = (
    "/usr", "/lib", "/lib64", "/lib32", "/bin", "/etc/ld.so.cache", "/etc/fonts", "/etc/localtime", "/etc/alternatives",
)
INSIDE_TEXTS = (
    "parent.py", "walls.py", "syscalls.py", "kernel.py", "copies.py", "snapshot.py", "costs.py", "pools.py", "wire.py",
)


class SandboxUnavailable(RuntimeError):
    """There is no sandbox on this machine; the message says what to do."""


def available() -> bool:
    """Is bubblewrap installed?"""
    return sys.platform == "linux" and shutil.which("bwrap") is not None


def command(exchange: str, hidden: Iterable[str | os.PathLike] = (), alone: int | None = None) -> list[str]:
    """The command line of the pre-loaded parent, with `exchange` bound for sockets.

    `hidden` are folders that must not be seen even when a mounted folder holds them (the course). With `alone`, the
    bytes that its scratch folder may hold, it is that of a single kernel, whose folder `exchange` is then.
    """
    if not available():
        raise SandboxUnavailable(
            "Student code runs in bubblewrap, which is not installed. Install it (Debian, Ubuntu: "
            "sudo apt-get install bubblewrap), or pass --no-sandbox if you trust every submission."
        )
    walls = ["bwrap", "--die-with-parent", "--new-session", "--unshare-ipc", "--unshare-pid", "--unshare-net"]
    walls += ["--unshare-uts", "--unshare-cgroup-try", "--hostname", "sandbox"]
    if os.getuid() != 0:
        walls.append("--unshare-user")
    walls += ["--dev", "/dev", *(places_of_parent(exchange) if alone is None else places_of_kernel(exchange, alone))]
    packages = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix]
    mounted = sorted({*SYSTEM, *(os.path.realpath(path) for path in packages), *packages}, key=len)
    for path in ancestors([*mounted, "/sandbox/parent.py"]):
        walls += ["--dir", path]  # what bubblewrap makes by itself on the way, only root may enter
    for path in mounted:
        walls += ["--ro-bind-try", path, path]
    for path in masked(hidden, mounted):
        walls += ["--tmpfs", path]
    for path in mounted:  # an environment inside the hidden course comes back
        if any(inside(path, folder) for folder in masked(hidden, mounted)):
            walls += ["--ro-bind-try", path, path]
    for folder in own_packages():
        walls += ["--tmpfs", folder]
    for name in INSIDE_TEXTS:
        walls += ["--ro-bind", str(INSIDE / name), f"/sandbox/{name}"]
    # What bubblewrap made belongs to whoever runs it: an ordinary user's kernels could leave files there for the next.
    for path in ("/", "/dev", *masked(hidden, mounted), *own_packages()):
        walls += ["--remount-ro", path]
    walls += ["--chdir", "/tmp", "--clearenv"]
    for name, value in environment().items():
        walls += ["--setenv", name, value]
    return [*walls, sys.executable, "-I", "/sandbox/parent.py", *([] if alone is None else ["alone"])]


def places_of_parent(exchange: str) -> list[str]:
    """What the pre-loaded parent needs to raise the inner walls; each kernel gets places of its own over these."""
    made = [word for path in ("/scratch", "/kernel", "/keep/0", "/keep/1") for word in ("--dir", path)]
    return ["--proc", "/proc", "--tmpfs", "/tmp", *made, "--bind", exchange, "/exchange"]


def places_of_kernel(exchange: str, scratch_bytes: int) -> list[str]:
    """What the inner wall gives a kernel, where bubblewrap has to."""
    sizes = {"/scratch": scratch_bytes, "/tmp": scratch_bytes // 4, "/dev/shm": scratch_bytes // 4, "/proc": 4096}
    made = [word for path, size in sizes.items() for word in ("--size", str(size), "--tmpfs", path)]
    return [*made, "--remount-ro", "/proc", "--dir", "/exchange", "--ro-bind", exchange, "/kernel"]


def environment() -> dict[str, str]:
    """All environment variables that student code sees; nothing of the grader's own passes."""
    return {
        "PATH": f"{os.path.dirname(sys.executable)}:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": "/tmp",
        "MPLCONFIGDIR": "/tmp/matplotlib",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }


def ancestors(paths: Iterable[str]) -> list[str]:
    """The folders above the paths, outermost first, without the root.

    >>> ancestors(["/usr", "/opt/a/b"])
    ['/opt', '/opt/a']
    """
    found = {str(folder) for path in paths for folder in pathlib.PurePosixPath(path).parents}
    return sorted(found - {"/"}, key=len)


def masked(hidden: Iterable[str | os.PathLike], mounted: list[str]) -> list[str]:
    """The hidden folders that some mounted folder would show."""
    folders = [os.path.realpath(path) for path in hidden]
    return [path for path in folders if any(inside(path, shown) for shown in mounted)]


def own_packages() -> list[str]:
    """Where this project's own package is installed for real inside the environment that is mounted."""
    package = str(pathlib.Path(__file__).resolve().parents[1])
    return [package] if inside(package, sys.prefix) or inside(package, sys.base_prefix) else []


def inside(path: str, folder: str) -> bool:
    """Is `path` the folder or below it?

    >>> inside("/usr/lib", "/usr"), inside("/usrlib", "/usr")
    (True, False)
    """
    return path == folder or path.startswith(folder.rstrip("/") + "/")
