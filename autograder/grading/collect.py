"""Collecting from nbgrader's exchange, where students write: files are taken, links and devices are not.

nbgrader follows links when it copies. A link in a student's hand-in to the gradebook, the course secret or another
student's work would put a copy beside the submission, and feedback hands the files beside a submission back.
"""

import os
import shutil

from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import ignore_patterns

__all__ = ["CarefulCollect"]


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
