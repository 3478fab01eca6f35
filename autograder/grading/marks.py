"""What a class has now: the verdicts in the store, and what the gradebook says of marks that wait for a person."""

from nbgrader.api import Gradebook, MissingEntry

from autograder.grading.chapter import Chapter, Course
from autograder.grading.classroom import submissions
from autograder.grading.recording import nbgrader_api
from autograder.grading.store import Store, key_of
from autograder.grading.submission import ungradable
from autograder.grading.submitted import HandIn, hand_in
from autograder.grading.verdict import Verdict
from autograder.report.class_data import Entry

__all__ = ["class_entries"]

NOT_YET = "not graded since the file or the course changed; run: autograder grade {}"


def class_entries(course: Course, chapter: Chapter, formgrader: str) -> list[Entry]:
    """One entry for each submission, in order of name; raises `CourseError` where there is none."""
    store = Store(course.private / "store")
    paths = submissions(course, chapter)
    entries = []
    with nbgrader_api(course).gradebook as gradebook:
        for student, path in paths.items():
            handed = hand_in(path.parent, chapter.notebook)
            verdict = stored(store, course, chapter, handed)
            waiting, link = by_hand(gradebook, chapter, student, formgrader)
            trouble = "" if verdict else NOT_YET.format(chapter.name)
            entries.append(Entry(student, verdict, trouble, waiting, link))
    return entries


def stored(store: Store, course: Course, chapter: Chapter, handed: HandIn) -> Verdict | None:
    """The verdict on what was handed in, given behind walls or, where there is none, without."""
    if handed.trouble:
        return ungradable(handed.data, chapter, course, True, handed.trouble).verdict
    for walled in (True, False):
        found = store.verdict(key_of(course.provenance(chapter, handed.data, walled)))
        if found is not None:
            return found
    return None


def by_hand(gradebook: Gradebook, chapter: Chapter, student: str, formgrader: str) -> tuple[tuple[str, ...], str]:
    """The cells of a submission that wait for a person, and its page in formgrader."""
    try:
        notebook = gradebook.find_submission_notebook(chapter.notebook, chapter.name, student)
    except MissingEntry:
        return (), ""
    waiting = tuple(grade.name for grade in notebook.grades if grade.needs_manual_grade)
    return waiting, f"{formgrader.rstrip('/')}/formgrader/submissions/{notebook.id}"
