"""Which file of a student's folder is the submission, whatever it came to be called on its way.

Browsers, learning platforms and students save `naive_bpe (1).ipynb`, `[copy] naive_bpe.ipynb` or `Übung 3.ipynb`, and
leave copies beside the original. The file with the chapter's name counts, else the only notebook there is, else the
only one whose name holds the chapter's. When that is still not one, a person has to say which.
"""

import dataclasses
import pathlib
import stat

from autograder.grading.notebook import MAX_BYTES

__all__ = ["HandIn", "hand_in"]


@dataclasses.dataclass(frozen=True)
class HandIn:
    """The bytes that were handed in, with notes on where they were found; or in `trouble` why there are none."""

    data: bytes
    notes: tuple[str, ...] = ()
    trouble: str = ""


def hand_in(folder: pathlib.Path, notebook: str) -> HandIn:
    """What a student handed in as `notebook` (a name without ending); `folder` is the student's for the chapter."""
    wanted = f"{notebook}.ipynb"
    shown = [path for path in sorted(folder.glob("*")) if not path.name.startswith(".")]  # `._x` is what a Mac leaves
    files = [path for path in shown if path.is_symlink() or not path.is_dir()]
    notebooks = [path for path in files if path.suffix == ".ipynb"]  # the ending that nbgrader looks for
    bearing = [path for path in notebooks if notebook.lower() in path.name.lower()]
    for found in ([path for path in notebooks if path.name == wanted], notebooks, bearing):
        if len(found) == 1:
            return read(found[0], wanted, [path for path in notebooks if path != found[0]])
    if notebooks:
        return refused(f"which of {named(notebooks)} is it? None of them is called {wanted}")
    if shown:
        return refused(f"there is no file that ends in .ipynb, but {named(shown)}; save it as {wanted}")
    return refused("the folder is empty")


def read(path: pathlib.Path, wanted: str, others: list[pathlib.Path]) -> HandIn:
    notes = []
    if path.name != wanted:
        notes.append(f"The file is called {named([path])}, not {wanted}; it was graded all the same.")
    if others:
        notes.append(f"Graded was {named([path])}; not looked at: {named(others)}.")
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):  # a link would show a file of the grader's, a pipe would never end
            return refused(f"{named([path])} is a link or device, not a file; hand in the notebook itself")
        with path.open("rb") as file:
            return HandIn(file.read(MAX_BYTES + 1), tuple(notes))  # one more, so that the reader sees it is too long
    except OSError as error:
        return refused(f"{named([path])} cannot be opened: {error.strerror}")


def refused(why: str) -> HandIn:
    """No bytes but a reason; the reason stands in for them where verdicts are told apart by their submission."""
    return HandIn(why.encode(), (), why)


def named(paths: list[pathlib.Path]) -> str:
    """The files' names for people, invisible characters and undecodable bytes escaped.

    >>> named([pathlib.Path("a/naive_bpe (1).ipynb"), pathlib.Path("b\\n\\udcff.ipynb")])
    "'naive_bpe (1).ipynb', 'b\\\\n\\\\udcff.ipynb'"
    """
    shown = [repr(path.name if len(path.name) < 100 else path.name[:97] + "…") for path in paths[:5]]
    return ", ".join([*shown, f"and {len(paths) - 5} more"] if len(paths) > 5 else shown)
