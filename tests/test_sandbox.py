"""The walls, each tried from inside by code that a student could write; real kernels, no doubles."""

import json
import os
import pathlib
import socket

import nbformat
import pytest

from autograder.sandbox.kernels import Sandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.run import run_notebook

pytestmark = pytest.mark.xdist_group("sandbox")  # what these tests share is dear to set up: one process runs them
ROOT = pathlib.Path(__file__).resolve().parent.parent


def notebook(*sources: str) -> nbformat.NotebookNode:
    """Code cells; one whose source starts with `test_` is a test cell of that grade id."""
    cells = []
    for source in sources:
        cell = nbformat.v4.new_code_cell(source)
        if source.startswith("test_"):
            cell.metadata.nbgrader = {"grade_id": source}
        cells.append(cell)
    return nbformat.v4.new_notebook(cells=cells)


def printed(cell: nbformat.NotebookNode) -> str:
    return "".join(output.get("text", "") for output in cell.outputs)


def errors(cell: nbformat.NotebookNode) -> list[str]:
    return [output.ename for output in cell.outputs if output.output_type == "error"]


def run_one(sandbox: Sandbox, source: str, files: pathlib.Path | None = None) -> nbformat.NotebookNode:
    book = notebook(source)
    with run_notebook(book, (), sandbox, files):
        return book.cells[0]


# --- what must not be reached ---------------------------------------------------------------------------------------

FORBIDDEN_FILES = {
    "reference": ROOT / "autograder" / "reference" / "naive_bpe.py",
    "checks": ROOT / "autograder" / "checks" / "ch03_naive_bpe.py",
    "solutions": ROOT / "solutions" / "03_naive_bpe" / "naive_bpe.ipynb",
    "sample class": ROOT / "examples" / "student-01" / "03_naive_bpe" / "naive_bpe.ipynb",
    "configuration": ROOT / "nbgrader_config.py",
    "users": pathlib.Path("/etc/passwd"),
}


@pytest.mark.parametrize("path", FORBIDDEN_FILES.values(), ids=FORBIDDEN_FILES)
def test_files_of_the_course_and_the_machine_cannot_be_opened(sandbox, path):
    assert path.exists()  # else the test would prove nothing
    cell = run_one(sandbox, f"print(open({str(path)!r}).read())")
    assert errors(cell) == ["FileNotFoundError"]


def test_gradebook_secret_and_submissions_cannot_be_opened(tmp_path):
    """A course folder inside a mounted folder is covered, so that even then nothing of it is seen."""
    secrets = ("gradebook.db", ".autograder/secret", "submitted/student-02/03_naive_bpe/naive_bpe.ipynb")
    for name in secrets:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("secret")
    attempts = "\n".join(
        f"try: print(open({str(tmp_path / name)!r}).read())\nexcept OSError as error: print(type(error).__name__)"
        for name in secrets
    )
    with Sandbox(hidden=[tmp_path]) as own:
        assert printed(run_one(own, attempts)).split() == ["FileNotFoundError"] * 3


def test_the_package_is_not_importable(sandbox):
    assert errors(run_one(sandbox, "import autograder")) == ["ModuleNotFoundError"]


def test_there_is_no_network(sandbox):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        cell = run_one(sandbox, f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 2)")
        assert errors(cell) in (["OSError"], ["ConnectionRefusedError"])
        server.settimeout(0.1)
        with pytest.raises(TimeoutError):
            server.accept()


def test_the_host_name_is_not_resolved(sandbox):
    assert errors(run_one(sandbox, "import socket\nsocket.gethostbyname('localhost.example')")) == ["gaierror"]


def test_the_environment_holds_nothing_of_the_grader(sandbox, monkeypatch):
    monkeypatch.setenv("AUTOGRADER_SECRET", "not for students")
    monkeypatch.setenv("NBGRADER_DB_URL", "not for students either")
    with Sandbox(hidden=[ROOT]) as own:
        text = printed(run_one(own, "import os, json; print(json.dumps(dict(os.environ)))"))
    assert not [name for name in json.loads(text) if "GRADER" in name or name in ("USER", "SSH_AUTH_SOCK")]


def test_other_processes_cannot_be_seen_or_signalled(sandbox):
    """A kernel signals every process that it can name; another kernel and the pre-loaded parent live on."""
    source = """
import os, signal
print(os.listdir('/proc'), os.getpid())
for pid in (-1, *range(2, 1000)):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass
print('alive')
"""
    victim = notebook("x = 1", "test_x", "print(x)")
    with run_notebook(victim, {"test_x"}, sandbox) as run:
        # The first process behind a wall cannot be killed from there; the second one kills itself.
        assert printed(run_one(sandbox, source)) == ("" if sandbox.alone else "[] 1\nalive\n")
        with run.snapshots["test_x"].connect():
            pass  # the victim's snapshot still answers
    assert printed(run_one(sandbox, "print('next')")) == "next\n"


def test_the_kernel_has_no_capability_and_cannot_mount(sandbox):
    source = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
print(libc.mount(b'tmpfs', b'/proc', b'tmpfs', 0, None), libc.umount2(b'/exchange', 2), libc.umount2(b'/proc', 2))
print(libc.setuid(0) if os.getuid() else 'root')
"""
    assert printed(run_one(sandbox, source)).split() == ["-1", "-1", "-1", "-1"]


def test_sockets_of_other_kernels_are_out_of_sight(sandbox):
    cell = run_one(sandbox, "import os\nprint(os.listdir('/exchange'), sorted(os.listdir('/kernel')))")
    assert printed(cell).strip() == "[] ['s-1', 's-2', 's-3', 's-5', 'wire']"


@pytest.mark.parametrize("path", ["/kernel/x", "/exchange/x", "/usr/x", "/sandbox/x", "/x", "/proc/x"])
def test_only_the_scratch_folder_and_its_like_can_be_written(sandbox, path):
    assert errors(run_one(sandbox, f"open({path!r}, 'w').write('x')")) in (["OSError"], ["PermissionError"])


def test_nothing_is_left_for_the_next_submission(sandbox):
    places = ["/tmp/left", "/dev/shm/left", "left"]
    assert errors(run_one(sandbox, f"[open(place, 'w').write('x') for place in {places}];")) == []
    cell = run_one(sandbox, f"import os\nprint([os.path.exists(place) for place in {places}])")
    assert printed(cell).strip() == "[False, False, False]"


# --- what must be bounded -------------------------------------------------------------------------------------------


def test_memory_is_bounded(sandbox):
    assert errors(run_one(sandbox, "x = bytearray(8 * 2**30)")) == ["MemoryError"]


def test_file_size_and_scratch_are_bounded(sandbox):
    assert errors(run_one(sandbox, "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
                                   "open('big', 'wb').write(bytes(200 * 2**20))")) == ["OSError"]
    filling = "for i in range(20):\n    open(f'part{i}', 'wb').write(bytes(32 * 2**20))"
    assert errors(run_one(sandbox, filling)) == ["OSError"]


def test_files_are_bounded_in_number(sandbox):
    cell = run_one(sandbox, "for i in range(1_000_000):\n    open(f'file{i}', 'w').close()")
    assert errors(cell) == ["OSError"] or "it made too many files" in str(cell.outputs)


def test_processes_are_bounded(sandbox):
    source = "import os, time\nfor i in range(1000):\n    if not os.fork():\n        time.sleep(60)"
    assert errors(run_one(sandbox, source)) == ["BlockingIOError"]


def test_printing_is_cut_at_the_source(sandbox):
    cell = run_one(sandbox, "print('x' * 50_000_000)")
    assert len(printed(cell)) < 200_000
    assert "cut here" in printed(cell)


def test_an_endless_cell_is_stopped_and_the_rest_runs(sandbox):
    book = notebook("while True: pass", "print('still here')")
    with run_notebook(book, (), sandbox) as run:
        assert "CellTimeout" in errors(book.cells[0])
        assert printed(book.cells[1]) == "still here\n"
        assert run.troubles == {}


@pytest.mark.parametrize("source", [
    "import os; os._exit(3)",
    "import ctypes; ctypes.string_at(0)",
    "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
])
def test_a_cell_that_ends_the_kernel_is_skipped_and_the_rest_runs(sandbox, source):
    book = notebook("x = 1", source, "test_x", "print(x)")
    with run_notebook(book, {"test_x"}, sandbox) as run:
        assert list(run.troubles) == [1]
        assert list(run.snapshots) == ["test_x"]
        assert errors(book.cells[1]) == ["CellStopped"]
        assert printed(book.cells[3]) == "1\n"


# --- what must work -------------------------------------------------------------------------------------------------


def test_data_files_stand_beside_the_notebook(sandbox, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "text.txt").write_text("héllo", encoding="utf-8")
    cell = run_one(sandbox, "print(open('data/text.txt', encoding='utf-8').read())", tmp_path)
    assert printed(cell) == "héllo\n"


def test_a_module_beside_the_notebook_can_be_imported(sandbox, tmp_path):
    (tmp_path / "beside.py").write_text("answer = 42")
    assert printed(run_one(sandbox, "import beside\nprint(beside.answer)", tmp_path)) == "42\n"


def test_figures_are_drawn(sandbox):
    cell = run_one(sandbox, "import matplotlib.pyplot as plt\nplt.plot([1, 2]);")
    assert [sorted(output.data) for output in cell.outputs] == [["image/png", "text/plain"]]


def test_a_kernel_that_was_half_made_before_the_fork_is_like_any_other(sandbox):
    """Names, history, places and settings are its own; the parent, and kernels before it, left nothing in it."""
    cells = [
        "40 + 2", "print(_, In[1], Out[1], get_ipython().execution_count)",
        "import sys\nprint(sys.modules['__main__'].__dict__ is get_ipython().user_ns, __name__)",
        "ip = get_ipython()\nprint(ip.parent is ip.kernel, ip.colors, ip.history_manager.enabled)",
        "from pathlib import Path\nprint(Path(ip.profile_dir.location).is_relative_to(Path.home()), ip.ipython_dir)",
        "1 / 0", "import gc\nprint(gc.isenabled())", "%who_ls",
    ]
    for _ in range(2):
        book = notebook(*cells)
        with run_notebook(book, set(), sandbox):
            pass
        assert book.cells[0].outputs[0].data["text/plain"] == "42"
        assert printed(book.cells[1]) == "42 40 + 2 42 3\n"  # as any IPython kernel counts
        assert printed(book.cells[2]) == "True __main__\n"
        assert printed(book.cells[3]) == "True nocolor False\n"
        assert printed(book.cells[4]) == "True /scratch/.ipython\n"
        assert book.cells[5].outputs[0].ename == "ZeroDivisionError"
        assert printed(book.cells[6]) == "True\n"
        assert book.cells[7].outputs[0].data["text/plain"] == "['Path', 'gc', 'ip', 'sys']"


def test_outputs_of_threads_arrive_and_those_of_forked_processes_do_not(sandbox):
    """All share two sockets; a forked process that used them would put an end to the kernel."""
    book = notebook(
        "import threading\nfrom IPython.display import display\n"
        "def speak(name):\n    for number in range(50):\n"
        "        print(f'{name} {number}\\n', end='', flush=number % 7 == 0)\n"
        "    display(name)\n"
        "threads = [threading.Thread(target=speak, args=(name,)) for name in 'abcd']\n"
        "for thread in threads: thread.start()\nfor thread in threads: thread.join()",
        "import os\nchild = os.fork()\nif not child:\n    print('in the child', flush=True)\n    display('there')\n"
        "    os._exit(0)\nprint(os.waitpid(child, 0)[1])",
        "print('last')",
    )
    with run_notebook(book, set(), sandbox):
        said = "".join(out.text for out in book.cells[0].outputs if out.output_type == "stream")
        shown = [out.data["text/plain"] for out in book.cells[0].outputs if out.output_type == "display_data"]
        lines = [f"{name} {number}" for name in "abcd" for number in range(50)]
        assert sorted(said.splitlines()) == sorted(lines)
        assert sorted(shown) == ["'a'", "'b'", "'c'", "'d'"]
        assert printed(book.cells[1]) == "0\n"
        assert printed(book.cells[2]) == "last\n"


def test_an_output_that_nobody_can_keep_is_not_sent(sandbox):
    """Else the grader's memory grows until the watch sees it, however much that is by then."""
    book = notebook("'x' * 200_000_000", "print('after')")
    with run_notebook(book, set(), sandbox) as run:
        assert not run.troubles
        assert book.cells[0].outputs == []
        assert printed(book.cells[1]) == "after\n"


def test_an_output_that_no_notebook_may_hold_is_left_out(sandbox):
    """The schema of notebooks knows no number below zero, nor text that is a list in a list."""
    source = """
kernel = get_ipython().kernel
for number, text in ((1, 'kept'), (-1, 'number'), (True, 'truth'), (2, [['text']])):
    content = {'data': {'text/plain': text}, 'metadata': {}, 'execution_count': number}
    kernel.session.send(kernel.iopub_socket, 'execute_result', content, parent=kernel.get_parent())
"""
    cell = run_one(sandbox, source)
    assert [output.data for output in cell.outputs] == [{"text/plain": "kept"}]
    nbformat.validate(nbformat.v4.new_notebook(cells=[cell]))


def test_an_endless_loop_of_outputs_is_interrupted_and_the_rest_runs():
    endless = "from IPython.display import display\nwhile True:\n    display(1)"
    book = notebook(*[endless] * 4, "print('after')")
    with Sandbox(Limits(cell_seconds=2, later_cell_seconds=1)) as sandbox, run_notebook(book, set(), sandbox) as run:
        assert [errors(cell) for cell in book.cells] == [*[["CellTimeout"]] * 4, []]
        assert printed(book.cells[-1]) == "after\n"
        assert not run.troubles


def test_the_kernel_runs_as_nobody_in_particular(sandbox):
    uid = int(printed(run_one(sandbox, "import os; print(os.getuid())")))
    assert uid != 0 if os.getuid() == 0 else uid == os.getuid()


def test_a_snapshot_keeps_the_state_of_its_cell(sandbox):
    """Later cells and other copies of the snapshot change nothing in it."""
    from autograder.checks.outcomes import Returned
    from autograder.checks.session import Session

    source = "state = [1]\ndef add():\n    state.append(2)\n    return list(state)"
    book = notebook(source, "test_add", "state.append(9)")
    with run_notebook(book, {"test_add"}, sandbox) as run:
        for _ in range(2):
            session = Session(run.snapshots["test_add"].connect)
            assert session.function("add").outcomes([()]) == [Returned([1, 2])]
            assert session.function("add").outcomes([()]) == [Returned([1, 2, 2])]
            session.close()


def test_a_crash_in_one_copy_leaves_the_snapshot_alone(sandbox):
    from autograder.checks.outcomes import Died, Returned
    from autograder.checks.session import Session

    book = notebook("import os\ndef f(x):\n    if x == 3: os._exit(1)\n    return x", "test_f")
    with run_notebook(book, {"test_f"}, sandbox) as run:
        session = Session(run.snapshots["test_f"].connect)
        assert session.function("f").outcomes([(1,), (3,), (5,)]) == [Returned(1), Died(), Died()]
        assert session.function("f").outcomes([(5,)]) == [Returned(5)]
        session.close()


# --- without walls, for one's own work where bubblewrap does not exist ------------------------------------------------


def test_plain_processes_run_and_answer_too(tmp_path):
    from autograder.checks.outcomes import Returned
    from autograder.checks.session import Session

    (tmp_path / "text.txt").write_text("x")
    source = "text = open('text.txt').read()\ndef f(n):\n    return text * n"
    book = notebook(source, "test_f", "import os; os._exit(1)")
    with (
        Sandbox(walled=False) as own,
        run_notebook(book, {"test_f"}, own, tmp_path) as run,
    ):
        session = Session(run.snapshots["test_f"].connect)
        assert session.function("f").outcomes([(3,)]) == [Returned("xxx")]
        session.close()
        assert list(run.troubles) == [2]
    assert not pathlib.Path(own.exchange).exists()


def test_a_kernel_with_many_busy_processes_stands_behind_others(sandbox):
    spin = "import os, time\nfor _ in range(6):\n    if os.fork() == 0:\n        while True: pass\ntime.sleep(4)"
    ask = "print(sorted({os.getpriority(os.PRIO_PROCESS, 0)}))"
    book = notebook(spin, ask)
    with run_notebook(book, (), sandbox) as run:
        assert run.troubles == {}
    assert printed(book.cells[1]) == "[19]\n"
    if os.getuid() == 0:  # an ordinary user may not take it back
        ends = notebook(spin, "import os, signal, time\nos.kill(-1, signal.SIGKILL)\ntime.sleep(4)", ask)
        with run_notebook(ends, (), sandbox):
            assert printed(ends.cells[2]) == f"[{os.getpriority(os.PRIO_PROCESS, 0)}]\n"
    calm = notebook("import os", ask)  # the next one is a kernel like any other
    with run_notebook(calm, (), sandbox):
        assert printed(calm.cells[1]) == f"[{os.getpriority(os.PRIO_PROCESS, 0)}]\n"


def test_cells_that_are_slow_together_end_the_run_and_leave_what_stands_above():
    slow = [f"import time; time.sleep(0.8)  # {number}" for number in range(8)]
    book = notebook("x = 1", "test_x", *slow, "test_y")
    with Sandbox(Limits(run_seconds=2), hidden=[ROOT]) as short, run_notebook(book, {"test_x", "test_y"}, short) as run:
        assert set(run.snapshots) == {"test_x"}
        assert not run.complete
    assert "took all of the time" in book.cells[-2].outputs[0].evalue
