"""What nbgrader takes of a student's files, when it collects and when it grades: files, no links and devices.

nbgrader follows links when it copies. A link in a student's hand-in to the gradebook, the course secret or another
student's work would put a copy beside the submission, and feedback hands the files beside a submission back.
"""

import functools
import os
import pathlib
import shutil
import stat
from collections.abc import Callable

from nbgrader.converters import base
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import ignore_patterns

__all__ = ["CarefulCollect", "read_carefully"]


def is_file(path: str | os.PathLike) -> bool:
    """Is it a file itself? Opening a pipe may never end."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def files(find: Callable) -> Callable:
    """nbgrader's way to find what stands beside a notebook; what is no file is left out."""

    @functools.wraps(find)
    def careful(*args, **kwargs):
        return [path for path in find(*args, **kwargs) if is_file(path)]

    return careful


def timestamp(read: Callable) -> Callable:
    """nbgrader's way to read when something was submitted; what is no time counts as not known.

    Students write that file, and nbgrader would not grade what stands beside one that it cannot read.
    """

    @functools.wraps(read)
    def careful(coursedir, folder):
        path = pathlib.Path(folder, "timestamp.txt")
        try:
            return read(coursedir, folder) if is_file(path) else None
        except (ValueError, OverflowError, OSError, AttributeError):  # the last is how nbgrader 0.9.6 says so
            coursedir.log.warning("The time in %s cannot be read; it is left out", path)
            return None

    return careful


def read_carefully() -> None:
    """Have nbgrader read in these ways, once; no option of its own reaches them."""
    if not hasattr(base.find_all_files, "__wrapped__"):
        base.find_all_files = files(base.find_all_files)
        CourseDirectory.get_existing_timestamp = timestamp(CourseDirectory.get_existing_timestamp)


class CarefulCollect(ExchangeCollect):
    """nbgrader's own, but for what it copies; what it cannot copy does not stop it from collecting from others."""

    def do_copy(self, src, dest, log=None):
        limit = 1000 * self.coursedir.max_dir_size
        if self.get_size(src) > limit:
            self.log.error("%s is larger than %s bytes and was not collected", src, limit)
            return
        skip = ignore_patterns(
            exclude=self.coursedir.ignore, include=self.coursedir.include, max_file_size=self.coursedir.max_file_size,
            log=self.log,
        )
        try:
            # Links as links, and away with them once they are ours: looked at before, they could still be exchanged.
            shutil.copytree(src, dest, symlinks=True, ignore=skip)
        except (OSError, shutil.Error) as error:
            self.log.error("Not all of %s could be collected: %s", src, error)
        for folder, folders, files in os.walk(dest):
            for name in (*folders, *files):
                path = os.path.join(folder, name)
                if os.path.islink(path):
                    self.log.warning("%s was a link and was not collected", path)
                    os.unlink(path)
                elif self.coursedir.groupshared:
                    os.chmod(path, os.stat(path).st_mode | (0o2770 if os.path.isdir(path) else 0o660))
