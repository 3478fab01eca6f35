"""The kernel that a submission runs in: ipykernel, plus messages on which it forks a copy or a snapshot of itself.

Runs inside the sandbox; imports nothing of the project but `copies` and `snapshot` beside it.
"""

import contextlib
import inspect
import json
import os
import re
import signal
import sys
import threading
import zlib

import zmq
from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.profiledir import ProfileDir
from traitlets import observe
from zmq.eventloop.zmqstream import ZMQStream

sys.modules["debugpy"] = None  # nobody debugs here, and starting it takes as long as the rest of a kernel's start
import ipykernel.debugger  # noqa: E402, F401
from ipykernel.compiler import XCachingCompiler, get_tmp_directory  # noqa: E402
from ipykernel.control import ControlThread  # noqa: E402
from ipykernel.iostream import BackgroundSocket, IOPubThread, OutStream  # noqa: E402
from ipykernel.ipkernel import IPythonKernel  # noqa: E402
from ipykernel.kernelapp import IPKernelApp  # noqa: E402
from ipykernel.zmqshell import ZMQInteractiveShell  # noqa: E402

del sys.modules["debugpy"]

try:
    from autograder.sandbox.inside import copies, snapshot
except ImportError:  # inside the sandbox, where the package does not exist
    import copies
    import snapshot

__all__ = ["WorkbookKernel", "prepare", "run"]

MAX_SENT = 8_000_000  # bytes of one output
MAX_PRINTED = 100_000  # characters that one cell may print; more is cut here, before it costs the grader memory


class Publisher(IOPubThread):
    """Sends outputs at once, in whichever thread they are made: a thread of its own takes longer to wake than to send.

    A process that the notebook has forked has no part in the sockets, so what it shows is left out.
    """

    def __init__(self, socket):
        self.socket = socket
        self.background_socket = BackgroundSocket(self)
        self.io_loop, self.thread = None, threading.Thread()  # which is never started
        self._master_pid, self._pipe_flag = os.getpid(), False
        self._sending = threading.RLock()

    def schedule(self, send):
        """Send now, or after the thread that is sending."""
        if self._is_master_process():
            with self._sending, uninterrupted():
                send()

    def _really_send(self, msg, *args, **kwargs):
        """Send a message, unless it is larger than what the grader keeps of outputs: it would only take its memory."""
        if sum(map(len, msg)) <= MAX_SENT:
            super()._really_send(msg, *args, **kwargs)


@contextlib.contextmanager
def uninterrupted():
    """An interrupt of the main thread waits until the context ends: half a message would spoil the next one."""
    if threading.current_thread() is not threading.main_thread():  # others are never interrupted
        yield
        return
    waiting = []
    before = signal.signal(signal.SIGINT, lambda *interrupt: waiting.append(interrupt))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if waiting and callable(before):
        before(*waiting[0])


class CappedStream(OutStream):
    """Standard output or error of one cell, cut visibly at `MAX_PRINTED` characters."""

    printed = 0

    def _schedule_flush(self):
        """Nobody looks on while a cell runs: what it has written goes when it ends."""

    def write(self, string):
        if not isinstance(string, str):
            return super().write(string)
        room = MAX_PRINTED - self.printed
        self.printed += len(string)
        if room >= len(string):
            return super().write(string)
        if room > 0:
            super().write(f"{string[:room]}\n… cut here: this cell printed more than {MAX_PRINTED:,} characters\n")
        return len(string)


class WorkbookCompiler(XCachingCompiler):
    """Names cells as ipykernel does, but for the hash, which is pure Python there: a millisecond for a long cell."""

    def get_code_name(self, raw_code, code, number):
        """The file that a cell is said to stand in."""
        return os.path.join(get_tmp_directory(), f"{zlib.crc32(raw_code.encode(errors='surrogatepass'))}.py")


class WorkbookTransformer(TransformerManager):
    """Looks for magics and the like word by word only where a character is found that one of them needs."""

    maybe = re.compile(r"[%!?]|^\s*[,;/]")

    def do_token_transforms(self, lines):
        """The lines of a cell without IPython's own syntax."""
        return super().do_token_transforms(lines) if any(map(self.maybe.search, lines)) else lines


class WorkbookShell(ZMQInteractiveShell):
    """Looks at each cell once: ipykernel asks whether it has to be awaited, and IPython the same again to run it."""

    def __init__(self, *args, **kwargs):
        self.seen = {}  # what the present cell became
        super().__init__(*args, input_transformer_manager=WorkbookTransformer(), **kwargs)

    def transform_cell(self, raw_cell):
        """The cell as plain Python, or what IPython raises."""
        if raw_cell not in self.seen:
            self.seen[raw_cell] = super().transform_cell(raw_cell)
        return self.seen[raw_cell]

    def should_run_async(self, raw_cell, **transformed):
        """Whether something in the cell is awaited."""
        if "await" not in raw_cell and "async" not in raw_cell:
            return False
        key = raw_cell, transformed.get("transformed_cell")
        if key not in self.seen:
            self.seen[key] = super().should_run_async(raw_cell, **transformed)
        return self.seen[key]


class WorkbookKernel(IPythonKernel):
    """An IPython kernel with `copy_request` and `snapshot_request`, content `{"name": grade id}`, and `ping_request`.

    Messages of their own, not code to execute: what a student did to IPython's way of running cells cannot reach them
    by accident. Even `kernel_info_request` fails where a file of the student's is called like a module that IPython
    imports for its greeting.
    """

    own_messages = ("copy_request", "snapshot_request", "ping_request")
    msg_types = [*IPythonKernel.msg_types, *own_messages]  # noqa: RUF012  ipykernel's own way
    shell_class, compiler_class = WorkbookShell, WorkbookCompiler
    wire_path = ""
    scratch = "."
    copy = 0  # the process forked last, if it may still answer calls
    _execute_sleep = 0  # there is no thread to wait for that would send outputs
    _supports_kernel_subshells = False

    def _publish_status(self, status, channel, parent=None):
        """Say when the kernel is idle after a cell; at other times nobody listens, nor to whether it is busy."""
        asked = (parent or self.get_parent(channel)).get("header", {}).get("msg_type")
        if status != "busy" and asked not in self.own_messages:
            super()._publish_status(status, channel, parent)

    def _publish_execute_input(self, code, parent, execution_count):
        """Tell nobody what is run: the grader has sent it. The cell's number is in the reply."""

    async def copy_request(self, stream, ident, parent):
        """Fork a copy of the notebook's names that answers calls; the reply is `{"status": "ok"}` or says why not."""
        self.copy = self._fork("copy_reply", stream, ident, parent, copies.answer)

    async def snapshot_request(self, stream, ident, parent):
        """Fork a snapshot of the notebook's names, which ends the copy that there was; replies as `copy_request`."""
        if self.copy:
            copies.end(self.copy)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self.copy, 0)
            self.copy = 0
        self._fork("snapshot_reply", stream, ident, parent, copies.keep)

    def _fork(self, reply, stream, ident, parent, work):
        child, content = 0, {"status": "ok"}
        try:
            child = copies.fork(work, self.wire_path, str(parent["content"]["name"]), self.shell.user_ns, self.scratch)
        except OSError as error:
            content = {"status": "error", "why": str(error)}
        self.session.send(stream, reply, content, parent, ident)
        return child

    async def ping_request(self, stream, ident, parent):
        """Say that the kernel listens."""
        self.session.send(stream, "ping_reply", {"status": "ok"}, parent, ident)

    async def do_execute(self, *args, **kwargs):
        self.shell.seen.clear()
        for out in (sys.stdout, sys.stderr):
            if isinstance(out, CappedStream):
                out.printed = 0
        return await super().do_execute(*args, **kwargs)


class NoThread:
    """In place of ipykernel's thread for the shell channel: false, and with the attribute that is read all the same."""

    parent_thread = threading.main_thread()

    def __bool__(self):
        return False


class NoProfile(ProfileDir):
    """IPython's folder for settings and history, of which a graded kernel has none: it is named, and not made."""

    @observe("location")
    def _location_changed(self, change):
        """Make no folders."""


class WorkbookApp(IPKernelApp):
    """ipykernel's application in two halves: `prepare` before the fork, `initialize` after it.

    Left out is what nobody asks a graded kernel for: settings of a profile, the debugger's sockets, the heartbeat (the
    grader sees the process itself), and the thread that hands requests to subshells.
    """

    def prepare(self):
        """What is the same for all kernels. Nothing here may start a thread or open a socket."""
        self.parse_command_line(["--HistoryManager.enabled=False", "--InteractiveShell.colors=nocolor"])
        self.init_pdb()
        self.configure_tornado_logger()
        self.log.disabled = True  # else each message makes some records, which no handler takes
        self.session.key = b"each kernel has its own"
        self.kernel = WorkbookKernel.instance(parent=self, user_ns={}, session=self.session, log=self.log)
        self.init_path()
        self.init_shell()
        self.init_gui_pylab()
        self.init_extensions()
        run = ZMQInteractiveShell.run_cell_async
        run.__signature__ = inspect.signature(run)  # which ipykernel works out at each cell
        self.shell.user_ns_hidden.update(self.shell.user_ns)  # all that `init_code` does where no code is given

    def init_path(self):
        """Modules beside the notebook can be imported, as anywhere: IPython leaves that out where Python is isolated,
        as the pre-loaded parent is. They come behind the standard library.
        """
        if "" not in sys.path:
            first = next((i for i, path in enumerate(sys.path) if path.endswith("-packages")), len(sys.path))
            sys.path.insert(first, "")

    def initialize(self, connection, listeners, scratch):
        """What is a kernel's own: `connection` as in a connection file, and the sockets that are bound, by port."""
        self.session.pid = os.getpid()
        self.load_connection_info(connection)
        self.listeners = listeners
        self.ipython_dir = os.path.join(scratch, ".ipython")
        self.profile_dir = NoProfile(location=os.path.join(self.ipython_dir, "profile_default"))
        self.init_sockets()
        self.init_io()
        self.init_signal()
        self.init_kernel()

    def _try_bind_socket(self, s, port):
        """Bind a socket, or take the one that somebody else has bound there: behind the wall none can be made."""
        if port in self.listeners:
            s.setsockopt(zmq.USE_FD, self.listeners[port].detach())
        return super()._try_bind_socket(s, port)

    def init_iopub(self, context):
        """Bind the channel of outputs."""
        socket = context.socket(zmq.PUB)
        socket.linger = 1000
        self.iopub_port = self._bind_socket(socket, self.iopub_port)
        self.iopub_thread = Publisher(socket)
        self.iopub_socket = self.iopub_thread.background_socket

    def init_control(self, context):
        """Bind the control channel's socket, and none for the debugger."""
        self.control_socket = context.socket(zmq.ROUTER)
        self.control_socket.linger = 1000
        self.control_port = self._bind_socket(self.control_socket, self.control_port)
        self.control_socket.router_handover = 1
        self.control_thread = ControlThread(daemon=True)

    def init_kernel(self):
        """Give the kernel its streams and start the control thread."""
        kernel = self.kernel
        kernel.profile_dir = self.profile_dir
        kernel.shell_stream = ZMQStream(self.shell_socket)
        kernel.control_stream = ZMQStream(self.control_socket, self.control_thread.io_loop)
        kernel.control_thread, kernel.shell_channel_thread = self.control_thread, NoThread()
        kernel.iopub_thread, kernel.iopub_socket = self.iopub_thread, self.iopub_socket
        kernel.stdin_socket = self.stdin_socket
        kernel._stdout, kernel._stderr = sys.stdout, sys.stderr
        shell = kernel.shell
        shell.profile_dir, shell.ipython_dir = self.profile_dir, self.ipython_dir
        for part in (shell.displayhook, shell.display_pub):
            part.session, part.pub_socket = self.session, self.iopub_socket
        self.displayhook.get_execution_count = lambda: kernel.execution_count
        self.control_thread.start()


def prepare():
    """Make application, kernel and shell, as far as they are the same for all kernels: done once, before the forks."""
    app = WorkbookApp.instance(
        kernel_class=WorkbookKernel, outstream_class=f"{__name__}.CappedStream", log_level="CRITICAL",
        capture_fd_output=False, no_stderr=False,
    )
    app.prepare()
    app.shell.ask_exit = lambda: None  # a stray `exit()` would take the snapshots with it, after its cell is done
    app.shell.transform_cell("0\n")  # what this loads and caches is forked with the rest, as with the next
    app.shell.display_formatter.format(0)
    snapshot.nowhere()


def run(connection, listeners, wire_path, scratch, ready=lambda: None):
    """Start the kernel and serve until it is shut down; `ready` is called once it listens.

    `connection` is what a connection file holds, `listeners` are the sockets that are bound already, by port.
    """
    os.chdir(scratch)
    os.environ.update(HOME=scratch, IPYTHONDIR=os.path.join(scratch, ".ipython"))
    WorkbookKernel.wire_path, WorkbookKernel.scratch = wire_path, scratch
    app = WorkbookApp.instance()
    app.initialize(connection, listeners, scratch)
    ready()
    app.start()


if __name__ == "__main__":  # plain processes, where bubblewrap does not exist
    import kernel  # by name: IPython puts the notebook in the place of `__main__`

    kernel.prepare()
    kernel.run(json.load(sys.stdin), {}, *sys.argv[1:3])
