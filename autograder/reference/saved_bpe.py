"""Rules of the byte-pair tokenizer in a file: written in one step, and believed only after they are verified.

The file is one JSON object: `version` (the number 1), `merges` (`[[[97, 98], 258], …]`, in order) and `digest`. The
digest finds accidents and edits of the rules alone; whoever writes a new digest too is not found: it is no signature.
"""

import contextlib
import json
import os
import tempfile
from pathlib import Path

from autograder.reference.byte_bpe import Merges, digest, token_table

__all__ = ["VERSION", "load_tokenizer", "save_tokenizer"]

VERSION = 1


def save_tokenizer(path: str | Path, merges: Merges) -> None:
    """Write the rules to `path`, so that at any moment it holds the old file or the whole new one.

    Rules that `token_table` refuses raise `ValueError` and leave everything as it was.
    """
    token_table(merges)
    text = json.dumps({"version": VERSION, "merges": merges, "digest": digest(merges)})
    # In the same folder: a rename from one file system to another would be a copy, and no single step.
    number, temporary = tempfile.mkstemp(dir=Path(path).parent, prefix=".", suffix=".tmp")
    try:
        with open(number, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())  # the bytes first, then the name: else a power cut may leave an empty file
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def load_tokenizer(path: str | Path) -> Merges:
    """The rules in a file that `save_tokenizer` wrote, as `fit_merges` gives them.

    Raises `ValueError` whose message names what is wrong: `version` (any but the int 1), `merges` (not rules that
    `token_table` takes), or `digest` (not that of the rules). A missing file raises `FileNotFoundError`.
    """
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise ValueError("the file holds no JSON object with version, merges and digest")
    for key in ("version", "merges", "digest"):
        if key not in found:
            raise ValueError(f"{key} is missing")
    if type(found["version"]) is not int or found["version"] != VERSION:
        raise ValueError(f"version must be {VERSION}, not {found['version']!r}")
    try:
        merges = [((left, right), new_id) for (left, right), new_id in found["merges"]]
    except (TypeError, ValueError):
        raise ValueError("merges must be a list of [[a, b], id]") from None
    token_table(merges)
    if found["digest"] != digest(merges):
        raise ValueError("digest is not that of the rules: the file was changed after it was saved")
    return merges
