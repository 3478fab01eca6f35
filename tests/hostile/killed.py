"""Grade a class again and again, ended by `kill -9` at random moments, and compare with a class left alone.

    python tests/hostile/killed.py FOLDER SEED KILLS STUDENTS

Prints one JSON object: `alone` and `killed`, the two final states, and `kills`, how many hit a run that was not done.
Each run is a fork of this process, which has imported everything: what is killed is the grading, not the start-up.
"""

import hashlib
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from autograder.grading import classroom, recording, submission  # noqa: E402
from autograder.grading.chapter import Course  # noqa: E402
from autograder.grading.submitted import hand_in  # noqa: E402
from hostile.corpus import CHAPTER, Book  # noqa: E402

JUDGED = ("test_count_pairs", "test_predict_abab_acac", "test_tie_example")  # the other checks would only take time


def make_course(folder: pathlib.Path, students: int) -> Course:
    for name in ("solutions", "notebooks"):
        shutil.copytree(ROOT / name / CHAPTER, folder / name / CHAPTER)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    for number in range(students):
        book = Book(folder)
        if number % 3 == 1:
            book.answer("count_pairs", "def count_pairs(sequences):\n    return {}")
        target = folder / "submitted" / f"student-{number}" / CHAPTER
        target.mkdir(parents=True)
        data = book.submitted()
        (target / "naive_bpe.ipynb").write_bytes(data[:5000] if number % 3 == 2 else data)
    return Course(folder)


def grade_class(course: Course) -> None:
    """What `autograder grade` does, in this one process."""
    chapter = course.chapter(CHAPTER)
    outcomes = []
    for student, path in classroom.submissions(course, chapter).items():
        verdict, trouble = classroom.grade_one(str(course.root), CHAPTER, hand_in(path.parent, chapter.notebook))
        assert verdict, trouble
        outcomes.append(classroom.Outcome(student, verdict))
    with tempfile.TemporaryDirectory() as scratch:
        recording.record(course, chapter, outcomes, scratch)


def start(course: Course) -> int:
    """A child that grades the class and says by its exit code whether it got to the end."""
    child = os.fork()
    if child:
        return child
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 1)
        grade_class(course)
        os._exit(0)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(1)


def finish(child: int) -> None:
    _, status = os.waitpid(child, 0)
    assert status == 0, "grading failed; what it said is above"


def state(course: Course) -> dict:
    """All that a class run leaves, but for times and the identifiers that the gradebook draws."""
    root = course.root
    with sqlite3.connect(root / "gradebook.db") as database:
        grades = database.execute(
            "select student_id, base_cell.name, auto_score, manual_score, needs_manual_grade from grade "
            "join base_cell on base_cell.id = cell_id "
            "join submitted_notebook on submitted_notebook.id = grade.notebook_id "
            "join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id "
            "order by student_id, base_cell.name"
        ).fetchall()
    verdicts = {}
    for path in (root / ".autograder" / "store").rglob("*.verdict.json"):
        verdict = json.loads(path.read_text())
        verdicts[path.name] = [
            verdict["status"], verdict["reason"], verdict["notes"],
            [[check["name"], check["status"], check["points"], check["message"], check["counterexample"]]
             for cell in verdict["cells"] for check in cell["checks"]],
        ]
    files = {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for folder in ("submitted", "autograded", "feedback", ".autograder/recorded")
        for path in sorted((root / folder).rglob("*")) if path.is_file() and not path.name.startswith(".")
    }
    return {"grades": grades, "verdicts": verdicts, "files": files}


def main(folder: pathlib.Path, seed: int, kills: int, students: int) -> None:
    checks = submission.chapter_checks(CHAPTER)
    submission.chapter_checks = lambda _: {name: found if name in JUDGED else [] for name, found in checks.items()}
    os.environ["AUTOGRADER_SECRET"] = "the same secret for both classes"
    started = time.monotonic()
    alone = make_course(folder / "alone", students)
    finish(start(alone))
    seconds = time.monotonic() - started
    killed = make_course(folder / "killed", students)
    moments, hits = random.Random(seed), 0
    for _ in range(kills):
        child = start(killed)
        time.sleep(moments.uniform(0.0, 0.7 * seconds))
        (os.killpg if moments.random() < 0.5 else os.kill)(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        hits += os.WIFSIGNALED(status)
        assert os.WIFSIGNALED(status) or status == 0, "grading failed after a kill; what it said is above"
    finish(start(killed))
    print(json.dumps({"alone": state(alone), "killed": state(killed), "kills": hits}))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), *map(int, sys.argv[2:5]))
