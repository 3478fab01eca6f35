"""What grading costs: this project, plain `nbgrader autograde`, and the limit, on the same submissions, in one run.

    python benchmarks/grading.py [--chapter 03_naive_bpe] [--count 10] [--growth 10 100 1000] [--gradebook 1 10000]
                                 [--jobs 1 2] [--exercises 3]

The submissions are right and all distinct. The limit is a bare `exec` of the same cells and the same calls that the
checks make, in one warm process. Plain nbgrader runs the visible tests only, with no sandbox. CPU is that of all
processes of a part: by a control group of its own where one can be made, else of the whole machine, which then must be
idle. One process at a time is compared with one, several with as many: processors that share a core take more time for
the same work. Nothing is written outside a temporary folder.
"""

import argparse
import collections
import contextlib
import copy
import importlib.metadata
import importlib.util
import io
import itertools
import json
import os
import pathlib
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import nbformat  # noqa: E402

from autograder.checks import outcomes, runner, session  # noqa: E402
from autograder.grading import chapter as chapter_module  # noqa: E402
from autograder.sandbox import watch  # noqa: E402
from autograder.sandbox.inside import wire  # noqa: E402

GROUPS = pathlib.Path("/sys/fs/cgroup/cpuacct")
MIB = 1024 * 1024


class Meter:
    """CPU and wall seconds of this process and all that it starts, and the peak memory of what it started."""

    def __init__(self) -> None:
        self.group = GROUPS / f"grading-benchmark-{os.getpid()}"
        self.exact = True
        try:
            self.group.mkdir()
            (self.group / "tasks").write_text(str(os.getpid()))
        except OSError:
            self.exact = False
        self.start()

    def start(self) -> None:
        self._cpu, self._wall = self.cpu(), time.monotonic()

    def used(self) -> tuple[float, float]:
        return self.cpu() - self._cpu, time.monotonic() - self._wall

    def cpu(self) -> float:
        if self.exact:
            return int((self.group / "cpuacct.usage").read_text()) / 1e9
        user, nice, system, *_ = map(int, pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:])
        return (user + nice + system) / os.sysconf("SC_CLK_TCK")


class Memory(threading.Thread):
    """The most that sandboxes (what runs below `bwrap`) and the graders above them had at one time, in bytes."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.sandboxed = self.trusted = 0
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.25):
            graders, inside = 0, 0
            for pid in watch.descendants(os.getpid()):
                with contextlib.suppress(OSError):
                    name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
                    status = pathlib.Path(f"/proc/{pid}/status").read_text()
                    walled = "NSpid:" in status and len(status.split("NSpid:")[1].split("\n")[0].split()) > 1
                    if walled or name == "bwrap":
                        inside += watch.shared_out_bytes(pid)
                    else:
                        graders += watch.shared_out_bytes(pid)
            self.sandboxed, self.trusted = max(self.sandboxed, inside), max(self.trusted, graders)


def shortened(notebook: nbformat.NotebookNode, exercises: int) -> nbformat.NotebookNode:
    """The notebook as far as the last of its first `exercises`; all of it with 0."""
    tests = [i for i, cell in enumerate(notebook.cells) if cell.metadata.get("nbgrader", {}).get("grade")]
    short = copy.copy(notebook)
    short.cells = notebook.cells[: tests[exercises - 1] + 1] if exercises else notebook.cells
    return short


def new_course(folder: pathlib.Path, name: str, count: int, exercises: int = 0) -> chapter_module.Course:
    """A course folder with `count` right submissions, each with a cell of its own.

    With `exercises`, the chapter ends with the last of its first ones.
    """
    spec = importlib.util.spec_from_file_location("build", ROOT / "examples" / "build.py")
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    for part in ("solutions", "notebooks"):
        shutil.copytree(ROOT / part / name, folder / part / name)
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    course = chapter_module.Course(folder)
    stem = course.chapter(name).notebook
    for part in ("solutions", "notebooks"):
        path = folder / part / name / f"{stem}.ipynb"
        nbformat.write(shortened(nbformat.read(path, as_version=4), exercises), path)
    notebook = shortened(build.Class(name).filled(), exercises)
    for number in range(count):
        own = copy.copy(notebook)
        own.cells = [*notebook.cells, nbformat.v4.new_code_cell(f"mine = {number}", id="mine")]
        path = folder / "submitted" / f"student-{number:05}" / name / f"{stem}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(build.as_bytes(own))
    return course


def ours(course: chapter_module.Course, name: str, jobs: int) -> dict:
    """Grading, recording with feedback pages, and the same again with nothing changed.

    `drift` is the CPU time of the last tenth of the submissions over that of the second tenth.
    """
    from autograder.grading import classroom, recording

    chapter, meter, memory = course.chapter(name), Meter(), Memory()
    paths = classroom.submissions(course, chapter)
    asked = {cell.metadata.get("nbgrader", {}).get("grade_id") for cell in chapter.release().cells}
    ends: list[float] = []
    memory.start()
    meter.start()
    for outcome in classroom.graded(course, chapter, paths, jobs):
        assert outcome.verdict
        assert all(cell.score == cell.max_score for cell in outcome.verdict.cells if cell.grade_id in asked)
        ends.append(meter.cpu())
    told = {"grading": meter.used()}
    memory.over.set()
    meter.start()
    with tempfile.TemporaryDirectory() as scratch:
        recording.record(course, chapter, classroom.graded(course, chapter, paths, jobs), scratch)
    told["recording"] = meter.used()
    meter.start()
    recording.record(course, chapter, classroom.graded(course, chapter, paths, jobs), "unused")
    told["again"] = meter.used()
    tenth = max(1, len(ends) // 10)
    told["drift"] = (ends[-1] - ends[-1 - tenth]) / (ends[2 * tenth] - ends[tenth]) if len(ends) >= 30 else None
    told["trusted_mib"], told["sandboxed_mib"] = memory.trusted / MIB, memory.sandboxed / MIB
    return {**told, "exact": meter.exact}


def filling(course: chapter_module.Course, name: str, jobs: int, sizes: list[int]) -> dict:
    """What recording one submission costs in a gradebook that holds so many students' marks on the chapter."""
    from autograder.grading import classroom, recording

    chapter, meter = course.chapter(name), Meter()
    outcomes = list(classroom.graded(course, chapter, classroom.submissions(course, chapter), jobs))
    each, held, told = (len(outcomes) - 1) // len(sizes), 1, {}
    with tempfile.TemporaryDirectory() as scratch:
        recording.record(course, chapter, outcomes[:1], scratch)
        for part, size in enumerate(sizes):
            with recording.nbgrader_api(course).gradebook as gradebook:
                copy_submissions(gradebook, outcomes[0].student, range(held, size))
            meter.start()
            recording.record(course, chapter, outcomes[1 + part * each : 1 + (part + 1) * each], scratch)
            told[size] = [seconds / each for seconds in meter.used()]
            held = max(held, size)
    return told


def copy_submissions(gradebook, student: str, numbers: range) -> None:
    """Give new students what `student` has in the gradebook: rows of nbgrader's tables, with ids of their own."""
    from nbgrader import api
    from sqlalchemy import insert, select

    def rows(table, **where):
        wanted = [getattr(table.c, column) == value for column, value in where.items()]
        return [dict(row._mapping) for row in gradebook.db.execute(select(table).where(*wanted))]

    (submission,) = rows(api.SubmittedAssignment.__table__, student_id=student)
    (notebook,) = rows(api.SubmittedNotebook.__table__, assignment_id=submission["id"])
    cells = [(table, rows(table, notebook_id=notebook["id"])) for table in (api.Grade.__table__, api.Comment.__table__)]
    new = collections.defaultdict(list)
    for number in numbers:
        name, own = f"copy-{number}", f"{number:032x}"
        new[api.Student.__table__].append({"id": name})
        new[api.SubmittedAssignment.__table__].append({**submission, "id": own, "student_id": name})
        new[api.SubmittedNotebook.__table__].append({**notebook, "id": own, "assignment_id": own})
        for table, of_cells in cells:
            new[table] += [
                {**row, "id": f"{number:016x}{place:016x}", "notebook_id": own}
                for place, row in enumerate(of_cells)
            ]
    for table, values in new.items():
        gradebook.db.execute(insert(table), values)
    gradebook.db.commit()


def plain(course: chapter_module.Course, name: str) -> dict:
    """`nbgrader autograde` as it comes."""
    folder = course.root.parent / "plain"
    shutil.copytree(course.root / "solutions", folder / "source")
    shutil.copytree(course.root / "submitted", folder / "submitted")
    (folder / "nbgrader_config.py").write_text("get_config().CourseDirectory.course_id = 'plain'\n")
    scripts = pathlib.Path(sys.executable).parent
    env = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}

    def nbgrader(*words: str) -> None:
        subprocess.run([scripts / "nbgrader", *words], cwd=folder, env=env, check=True, capture_output=True)

    meter = Meter()
    nbgrader("generate_assignment", name)
    meter.start()
    nbgrader("autograde", name)
    return {"grading": meter.used()}


def bare(course: chapter_module.Course, name: str, jobs: int) -> dict:
    """The cells and the checks' calls of each submission in this process, which is warm.

    `together`: by as many processes at a time as there are jobs, which may share caches and parts of a core.
    """
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt
    import pandas  # noqa: F401

    from autograder.grading.notebook import read, rebuild
    from autograder.grading.submission import grade
    from autograder.sandbox.inside.snapshot import Server
    from autograder.sandbox.kernels import Sandbox

    chapter, checks = course.chapter(name), runner.chapter_checks(name)
    files = sorted((course.root / "submitted").glob("*/*/*.ipynb"))
    asked = recorded_requests(lambda: grade_alone(Sandbox, grade, files[0].read_bytes(), chapter, course))
    os.chdir(chapter.folder)

    def run(path: pathlib.Path) -> None:
        names: dict = {"__name__": "__main__"}
        for cell in rebuild(read(path.read_bytes()), chapter.release())[0].cells:
            grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
            if cell.cell_type == "code" and grade_id not in checks:
                with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
                    exec(cell.source, names)
            for request in asked.get(grade_id, ()):
                server = Server(names, ".")
                collections.deque(server.answers(request) if request[0] == "batch" else server.mapped(*request[1:]), 0)
            plt.close("all")

    run(files[0])
    meter = Meter()
    for path in files:
        run(path)
    told = {"grading": meter.used()}
    meter.start()
    for job in range(jobs):
        if not os.fork():
            for path in files[job::jobs]:
                run(path)
            os._exit(0)
    for _ in range(jobs):
        assert os.wait()[1] == 0
    return {**told, "together": meter.used()}


def grade_alone(sandbox_class: type, grade, data: bytes, chapter, course) -> None:
    with sandbox_class(hidden=[course.root]) as sandbox:
        grade(data, chapter, course, sandbox)


def recorded_requests(action) -> dict[str, list]:
    """What the checks of each test cell ask of the student's code while `action` runs, each request once."""
    asked: dict[str, list] = collections.defaultdict(list)
    now = [""]
    attempt, mapped, check = session.Session._attempt, session.Session.map, runner.CellRun._run

    def noting_attempt(self, calls, limit, one_by_one):
        request = wire.decode_request(outcomes.request_for(calls, one_by_one, limit))
        if request not in asked[now[0]]:
            asked[now[0]].append(request)
        return attempt(self, calls, limit, one_by_one)

    def noting_map(self, target, items, seconds):
        asked[now[0]].append(["map", target, items, seconds])
        return mapped(self, target, items, seconds)

    def noting_check(self, one):
        now[0] = one.cell
        return check(self, one)

    session.Session._attempt, session.Session.map, runner.CellRun._run = noting_attempt, noting_map, noting_check
    try:
        action()
    finally:
        session.Session._attempt, session.Session.map, runner.CellRun._run = attempt, mapped, check
    return asked


def in_a_process(part: str, args: argparse.Namespace, folder: pathlib.Path, jobs: int) -> dict:
    """Run one part in a process of its own, so that none warms up another."""
    command = [sys.executable, __file__, "--part", part, "--folder", folder, "--chapter", args.chapter]
    command += ["--jobs", jobs, "--gradebook", *args.gradebook]
    run = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(run.stdout.splitlines()[-1])


@contextlib.contextmanager
def submitted(args: argparse.Namespace, count: int) -> Iterator[pathlib.Path]:
    """The folder of a new course with so many submissions."""
    with tempfile.TemporaryDirectory() as scratch:
        new_course(folder := pathlib.Path(scratch, "course"), args.chapter, count, args.exercises)
        yield folder


def memory(told: dict) -> str:
    """The most that one part took, in words."""
    return f"peak memory: trusted {told['trusted_mib']:.0f} MiB, sandboxed {told['sandboxed_mib']:.0f} MiB"


def report(args: argparse.Namespace) -> None:
    libraries = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("nbgrader", "ipykernel", "pandas"))
    print(f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}, {libraries}")
    some = f", its first {args.exercises} exercises" if args.exercises else ""
    print(f"{args.chapter}{some}, {args.count} distinct right submissions; seconds per submission\n")
    most = max(args.jobs)
    with submitted(args, args.count) as folder:
        bare, plain = in_a_process("bare", args, folder, most), in_a_process("plain", args, folder, 1)
    ours = {}
    for jobs in args.jobs:
        with submitted(args, args.count) as folder:
            ours[jobs] = in_a_process("ours", args, folder, jobs)
    print(f"{'':34}{'CPU':>8}{'wall':>8}")
    for title, part, key in (
        ("limit: bare exec and calls", bare, "grading"), (f"the same in {most} processes", bare, "together"),
        ("plain nbgrader autograde", plain, "grading"),
        *((f"sealed grading, jobs {jobs}", ours[jobs], "grading") for jobs in args.jobs),
        ("recording and feedback", ours[most], "recording"), ("again, nothing changed", ours[most], "again"),
    ):
        cpu, wall = (seconds / args.count for seconds in part[key])
        print(f"{title:34}{cpu:8.3f}{wall:8.3f}")
    print()
    for jobs in args.jobs:
        limit, processes = (bare["grading"], 1) if jobs == 1 else (bare["together"], most)
        cpu, wall = ours[jobs]["grading"]
        print(f"jobs {jobs}: CPU {cpu / limit[0]:.2f} times the limit (processes: {processes}), "
              f"{plain['grading'][0] / cpu:.2f} times less than plain; "
              f"wall {plain['grading'][1] / wall:.2f} times faster than plain; {memory(ours[jobs])}")
    if not ours[most]["exact"]:
        print("CPU is that of the whole machine: no control group could be made")
    for count, jobs in itertools.product(args.growth, args.jobs):
        with submitted(args, count) as folder:
            told = in_a_process("ours", args, folder, jobs)
        cpu, wall = (seconds / count for seconds in told["grading"])
        drift = f", last tenth {told['drift']:.2f} times the second" if told["drift"] else ""
        print(f"{count} submissions, jobs {jobs}: grading {cpu:.3f} CPU {wall:.3f} wall, recording "
              f"{told['recording'][0] / count:.3f} CPU, again {told['again'][1]:.2f} s in all; {memory(told)}{drift}")
    if args.gradebook:
        with submitted(args, 1 + args.count * len(args.gradebook)) as folder:
            for size, (cpu, wall) in in_a_process("filling", args, folder, most).items():
                print(f"recording with {size} students in the gradebook: {cpu:.3f} CPU {wall:.3f} wall")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chapter", default="03_naive_bpe")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--growth", type=int, nargs="*", default=[])
    parser.add_argument("--gradebook", type=int, nargs="*", default=[])
    parser.add_argument("--exercises", type=int, default=0, help="the first so many only; without it all")
    parser.add_argument("--jobs", type=int, nargs="+", default=sorted({1, os.cpu_count() or 1}))
    parser.add_argument("--part", choices=("bare", "plain", "ours", "filling"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=pathlib.Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.part is None:
        return report(args)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    course = chapter_module.Course(args.folder)
    (jobs,) = args.jobs
    given = {"ours": (jobs,), "bare": (jobs,), "filling": (jobs, args.gradebook)}.get(args.part, ())
    parts = {"bare": bare, "plain": plain, "ours": ours, "filling": filling}
    print(json.dumps(parts[args.part](course, args.chapter, *given)))


if __name__ == "__main__":
    main()
