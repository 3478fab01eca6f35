"""Grade cells without a kernel: the code runs in a forked child behind the same wire, as a snapshot would.

For tests of checks and misconceptions, of which there are hundreds; the sandbox and real kernels have tests of their
own. A fork costs by what its parent holds, so a function that draws nothing runs where the libraries for drawing are
not loaded: that is a third of the time of such tests. Run as a program, this file is one of the parents that fork.
"""

import atexit
import contextlib
import functools
import importlib
import marshal
import os
import pathlib
import signal
import socket
import subprocess
import sys
import types
from collections.abc import Callable, Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from autograder.checks.api import scratch_folder  # noqa: E402
from autograder.checks.runner import CheckResult, chapter_checks, run_cell  # noqa: E402
from autograder.checks.session import Answer  # noqa: E402
from autograder.misconceptions.api import Misconception, catalogue, recognise  # noqa: E402
from autograder.sandbox.inside import pools, snapshot  # noqa: E402
from autograder.sandbox.inside.parent import settle  # noqa: E402

Answers = Callable[[], dict[str, list[Answer]]]
SECRET = b"a secret for tests"
ALWAYS = ("regex", "sortedcontainers", "tiktoken", "tokenizers")  # what notebooks import and a fork hardly feels
LIBRARIES = ("IPython", "IPython.display", "matplotlib", "matplotlib.pyplot", "numpy", "pandas")
NAMES = {"HTML", "IPython", "display", "matplotlib", "np", "numpy", "pandas", "pd", "plt"}  # they have in notebooks


class Parent:
    """A small process that forks the children, with the `LIBRARIES` loaded or without them."""

    def __init__(self, drawing: bool):
        self.control, control = socket.socketpair()
        with control:
            words = [sys.executable, __file__, "drawing" if drawing else "small", str(control.fileno())]
            self.process = subprocess.Popen(words, pass_fds=[control.fileno()])
        atexit.register(self.control.close)

    def start(self, code: types.CodeType, folder: str) -> tuple[int, socket.socket]:
        """A child that runs `code` in the folder that we are in: its process id, and where to ask for copies."""
        ours, theirs = socket.socketpair()
        order = marshal.dumps((code, folder, os.getcwd()))
        with theirs:
            socket.send_fds(self.control, [len(order).to_bytes(8, "big")], [theirs.fileno()])
        self.control.sendall(order)
        return int.from_bytes(self.control.recv(8, socket.MSG_WAITALL), "big"), ours


parent = functools.cache(Parent)


def draws(code: types.CodeType, name: str) -> bool:
    """Whether the function or class `name`, or one of the module that it uses, uses the libraries; `True` for values.

    `code` is the module's. What is only in a value at its top level is not seen, and then stops the child.
    """
    named: dict[str, list[types.CodeType]] = {}
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            named.setdefault(one.co_name, []).append(one)
    if name not in named:
        return True
    reached, waiting = {name}, [name]
    while waiting:
        for definition in named.get(waiting.pop(), ()):
            used = set(names_in(definition))
            if used & NAMES:
                return True
            waiting += used - reached
            reached |= used
    return False


def names_in(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            yield from names_in(one)


class Connector:
    """A `connect` for `run_cell`: a child runs `source` once, and forks a copy of itself for every connection.

    `exercise`: the only name that copies are asked for, else anything may be.
    """

    def __init__(self, source: str, folder: str = ".", exercise: str = ""):
        code = compile(source, "<cell>", "exec")
        self.child, self.control = parent(draws(code, exercise)).start(code, folder)

    def __call__(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                socket.send_fds(self.control, [b"+"], [theirs.fileno()])
            except OSError:  # the source itself ended the child
                ours.close()
                raise
        return ours

    def close(self) -> None:
        """End the child, its copies, and what they have started."""
        if self.child:
            self.control.close()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.child, signal.SIGKILL)
            self.child = 0

    __del__ = close


def grade(
    chapter: str, cell: str, source: str, secret: bytes = SECRET
) -> tuple[list[CheckResult], Answers]:
    """The results of one cell's checks on a student's `source`, and what gives the answers that each saw."""
    with scratch_folder() as folder:
        connect = Connector(source, folder, cell.removeprefix("test_"))
        try:
            results, answers = run_cell(chapter_checks(chapter)[cell], connect, secret)
            return results, functools.cache(answers)
        finally:
            connect.close()


def failing(results: list[CheckResult]) -> set[str]:
    return {result.name for result in results if result.status != "passed"}


def named(chapter: str, answers: Answers) -> list[Misconception]:
    return recognise(catalogue(chapter), answers())


class Absent(types.ModuleType):
    """In place of a library that the code imports and sets up, and does not use."""

    __path__ = ()

    def __getattr__(self, name: str) -> "Absent":
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(name)

    def __call__(self, *args: object, **kwargs: object) -> "Absent":
        return self


def serve_children(control: socket.socket, absent: tuple[str, ...]) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    settle()  # or each child's first collection copies every page that holds an object
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 8, 1)
        if not message:
            return
        order = control.recv(int.from_bytes(message, "big"), socket.MSG_WAITALL)
        child = os.fork()
        if not child:
            control.close()
            code, folder, place = marshal.loads(order)
            os.chdir(place)
            snapshot.silence()
            serve_copies(socket.socket(fileno=descriptors[0]), code, folder, absent)
            return
        with contextlib.suppress(OSError):  # it has ended already
            os.setpgid(child, child)  # what it starts ends with it
        os.close(descriptors[0])
        control.sendall(child.to_bytes(8, "big"))


def serve_copies(control: socket.socket, code: types.CodeType, folder: str, absent: tuple[str, ...]) -> None:
    main = sys.modules["__main__"] = types.ModuleType("__main__")  # as in a kernel: processes of a pool look there
    namespace = vars(main)
    sys.modules.update({name: Absent(name) for name in absent})
    exec(code, namespace)
    for name in absent:
        del sys.modules[name]
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            return
        if os.fork():
            os.close(descriptors[0])
            continue
        control.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        pools.start_anew(namespace)
        snapshot.serve(socket.socket(fileno=descriptors[0]), namespace, folder)
        return


if __name__ == "__main__":
    kind, descriptor = sys.argv[1:]
    for library in (*ALWAYS, *LIBRARIES) if kind == "drawing" else ALWAYS:
        importlib.import_module(library)  # once, as the sandbox's pre-loaded parent does it, and not in every child
    try:
        serve_children(socket.socket(fileno=int(descriptor)), () if kind == "drawing" else LIBRARIES)
    finally:
        os._exit(0)
