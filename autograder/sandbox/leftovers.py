"""A sandbox's folder for sockets, and an end to those that killed graders left behind."""

import contextlib
import os
import pathlib
import shutil
import stat
import tempfile

try:
    import fcntl
except ImportError:  # Windows: nothing is locked there, so nothing of others is removed
    fcntl = None

__all__ = ["new_folder", "remove_leftovers"]

# In memory where that can be had: on a disk, making sockets takes longer. Their paths end at 107 bytes, so the folder
# has to be short.
PLACES = ("/dev/shm", "/tmp")
PLACE = pathlib.Path(next((path for path in PLACES if os.access(path, os.W_OK)), tempfile.gettempdir()))
PREFIX, LOCK = "bw", ".lock-of-bpe-workbook"


def new_folder() -> tuple[str, int | None]:
    """A new folder, and the descriptor of its lock, if there is one, which ends with this process in whatever way."""
    if fcntl is None:
        return tempfile.mkdtemp(prefix=PREFIX, dir=PLACE), None
    remove_leftovers()
    folder = tempfile.mkdtemp(prefix=PREFIX, dir=PLACE)
    new = os.path.join(folder, "new")
    lock = os.open(new, os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.rename(new, os.path.join(folder, LOCK))  # it never stands there without being held
    return folder, lock


def remove_leftovers() -> None:
    """Remove the folders of this user's graders that have ended without doing so: nobody holds their locks."""
    for folder in PLACE.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # held by a grader that runs, or no sandbox's folder
            found = folder.lstat()
            if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid():
                with open(folder / LOCK) as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder)
