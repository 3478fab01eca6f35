"""What all commands share: where they print, how they stop, and how they find course and chapter."""

import pathlib
from typing import NoReturn

import typer
from rich.console import Console

from autograder.grading.chapter import Chapter, Course, CourseError
from autograder.sandbox import bubblewrap

__all__ = ["chapter_of", "err", "find_course", "named_chapter", "out", "stop", "walls"]

out = Console()
err = Console(stderr=True)


def stop(message: str) -> NoReturn:
    """End with exit code 2 and a message that says what to change."""
    err.print(f"autograder: {message}", markup=False, highlight=False)
    raise typer.Exit(2)


def find_course(start: pathlib.Path | str = ".") -> Course:
    try:
        return Course.find(start)
    except CourseError as error:
        stop(str(error))


def named_chapter(course: Course, name: str) -> Chapter:
    try:
        return course.chapter(name)
    except CourseError as error:
        stop(str(error))


def chapter_of(course: Course, notebook: pathlib.Path, name: str | None) -> Chapter:
    """The chapter that a notebook belongs to: as told, else by its folder's name, else by its own."""
    if not notebook.is_file():
        stop(f"there is no file {notebook}")
    if name is not None:
        return named_chapter(course, name)
    for part in reversed(notebook.resolve().parent.parts):
        if part in course.chapters():
            return named_chapter(course, part)
    for known in course.chapters():
        if named_chapter(course, known).notebook == notebook.stem:
            return named_chapter(course, known)
    stop(f"which chapter is {notebook}? Say it with --chapter; there are: {', '.join(course.chapters())}")


def walls() -> bool:
    """Is there bubblewrap? If not, says that one's own work runs without."""
    walled = bubblewrap.available()
    if not walled:
        err.print("autograder: no bubblewrap here; running in plain processes, which is fine for your own work.")
    return walled
