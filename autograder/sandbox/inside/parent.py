"""The pre-loaded parent: imports the heavy libraries once, then forks one kernel per request behind an inner wall.

Runs as the first program inside bubblewrap (the outer wall: no network, read-only files). Requests and events are JSON
lines on standard input and output, spoken with the grader only:

    {"start": 3, "connection": {…}, "limits": {…}, "grader": PID}   → {"started": 3}, {"failed": 3, "why": "…"}, or
                                                       {"unwalled": 3, "why": "…"} where no wall can be raised
    {"kill": 3}                                      → {"exited": 3}, which also comes when a kernel ends by itself

The inner wall is that of `walls`. Some machines refuse a user namespace within another. There each kernel has a sandbox
of its own, in which this program, called with `alone`, becomes the kernel.
"""

import contextlib
import gc
import io
import json
import os
import selectors
import signal
import socket
import stat
import sys
import time

try:
    from autograder.sandbox.inside import walls
except ImportError:  # inside the sandbox, where the package does not exist, nor a path to what stands beside this file
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import walls

PORTS = ("shell_port", "iopub_port", "stdin_port", "control_port")  # that kernels bind; nobody asks for a heartbeat
FIRST_UID = 61_000  # kernels of a root grader run as this user and up: above ordinary users, below 16 bits
USERS, USERS_EACH = 3_968, 64  # limits count per user, so kernels of graders that run side by side must not share one
UNWALLED = b"no wall: "
END_SECONDS = 5.0  # that a killed kernel has to be gone

# What IPython imports late only: when a kernel starts, and at its first traceback.
LATE = (
    "IPython.core.completerlib", "IPython.core.debugger", "IPython.core.oinspect", "IPython.core.pylabtools",
    "IPython.extensions.storemagic", "faulthandler", "pygments.formatters.terminal256", "pygments.styles.default",
    "stack_data", "tornado.platform.asyncio",
)


def preload():
    """Import what chapters use, so that a forked kernel has it at once."""
    import matplotlib

    matplotlib.use("module://matplotlib_inline.backend_inline")
    import IPython  # noqa: F401
    import kernel
    import matplotlib.font_manager
    import matplotlib.pyplot
    import numpy  # noqa: F401
    import pandas  # noqa: F401
    import syscalls  # noqa: F401

    for name in ("regex", "sortedcontainers", "tiktoken", "tokenizers", *LATE):
        with contextlib.suppress(ImportError):
            __import__(name)
    warm()
    kernel.prepare()
    settle()


def settle():
    """What is here now stays: the garbage collector need not go through it, nor a fork copy pages that it writes on."""
    gc.collect()
    gc.freeze()
    # Most of what thousands of calls make is gone by then. All that is left is looked through about as often as ever.
    gc.set_threshold(20_000, 3, 2)


def warm():
    """Draw a figure and show a table once: what these load and cache is forked with the rest."""
    import pandas
    from matplotlib.figure import Figure

    figure = Figure()  # not by pyplot, which would load its backend here, where there is no shell for it to join
    axes = figure.subplots(1, 2)
    axes[0].plot([1, 2], [1, 10], label="a line")
    axes[0].set(title="Title", xlabel="x", ylabel="y", yscale="log")
    axes[1].bar(["a", "b"], [1, 2])
    figure.legend()
    figure.savefig(io.BytesIO(), format="png", bbox_inches="tight")
    frame = pandas.DataFrame({"a": [1, 2], "b": [0.5, 1.5], "c": ["x", "y"]})
    frame.to_html()
    repr(frame)


def user_of(number, grader):
    """The user of kernel `number`: graders with process ids close together get users far apart."""
    return FIRST_UID + (grader % (USERS // USERS_EACH)) * USERS_EACH + number % USERS_EACH


def start(number, connection, limits, own, private):
    """Fork kernel `number`; returns the PID of who ends it with all that it started, and "up" or what went wrong.

    `private` are the parent's own descriptors: through what a kernel inherits, it could make the parent deaf or busy.
    """
    up, tell = (os.fdopen(end, mode, buffering=0) for end, mode in zip(os.pipe(), ("rb", "wb"), strict=True))
    listeners = bound(connection, f"{walls.EXCHANGE}/{number}")
    child = os.fork() if walls.kept() else walls.fork_apart()
    if child:
        for one in (tell, *listeners.values()):
            one.close()
        with up:
            return child, up.read(500)
    try:
        signal.set_wakeup_fd(-1)
        up.close()
        for descriptor in private:
            os.close(descriptor)
        open_anew()
        leave_streams()
        try:
            walls.raise_wall(number, limits, own)
        except OSError as error:
            tell.write(UNWALLED + str(error).encode())
            return None
        if not walls.kept() or not keep_next(tell):
            be_kernel(connection, listeners, limits, own, tell)
    except BaseException as error:
        tell_error(tell, error)
    finally:
        os._exit(1)


def tell_error(tell, error):
    """Say what went wrong, unless the kernel is up already."""
    if not tell.closed:
        tell.write(f"{type(error).__name__}: {error}"[:500].encode())


def leave_streams():
    """Let go of the streams on which this program and the grader talk."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    os.close(null)


def bound(connection, folder):
    """The sockets of a kernel's channels by port, bound in its folder; they listen, as ZeroMQ's own do."""
    made = {port: socket.socket(socket.AF_UNIX) for name, port in connection.items() if name in PORTS}
    for port, one in made.items():
        one.bind(f"{folder}/s-{port}")
        one.listen(8)
        one.setblocking(False)
    return made


def keep_next(tell):
    """Fork the kernel and, as its keeper, wait for its end; true in the keeper, false in the kernel."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    child = os.fork()
    if child:
        tell.close()
        signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    if child:
        os.waitpid(child, 0)
    return child


def open_anew():
    """Open each file again that a library keeps open (a font): where a kernel goes in it, the next would be told."""
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        with contextlib.suppress(OSError):  # the list's own
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                again = os.open(f"/proc/self/fd/{descriptor}", os.O_RDONLY | os.O_CLOEXEC)
                os.dup2(again, descriptor, inheritable=False)
                os.close(again)


def be_kernel(connection, listeners, limits, user, tell):
    walls.die_with_parent()
    os.umask(0o077)
    walls.set_limits(limits)
    walls.drop_privileges(user)
    walls.die_with_parent()
    import syscalls

    syscalls.install(walls.libc)
    import kernel

    def ready():
        tell.write(b"up")
        tell.close()

    kernel.run({**connection, "ip": f"{walls.OWN}/s"}, listeners, f"{walls.OWN}/wire", walls.SCRATCH, ready)


def be_alone():
    """Become the only kernel of this sandbox: walls and scratch folder are bubblewrap's, its sockets come with it."""
    request = json.loads(sys.stdin.readline())
    with os.fdopen(os.dup(1), "wb", buffering=0) as tell:
        try:
            leave_streams()
            walls.take_files()
            listeners = {int(port): socket.socket(fileno=one) for port, one in request["listeners"].items()}
            for one in listeners.values():
                one.set_inheritable(False)
            be_kernel(request["connection"], listeners, request["limits"], os.getuid(), tell)
        except BaseException as error:
            tell_error(tell, error)


def say(**event):
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def main():
    walls.be_invisible()
    os.environ["HOME"] = "/tmp"
    preload()
    if sys.argv[1:] == ["alone"]:
        return be_alone()
    walls.kept()  # while there is nothing that the answer could disturb
    running = {}  # PID of the kernel, or of its keeper -> its number
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    selector = selectors.DefaultSelector()
    selector.register(0, selectors.EVENT_READ)
    selector.register(ended, selectors.EVENT_READ)
    private = (ended, wake, selector.fileno())
    say(ready=True)
    buffer = b""
    while True:
        for key, _ in selector.select():
            if key.fd == ended:
                os.read(ended, 4096)
                for number in reap(running):
                    say(exited=number)
                continue
            data = os.read(0, 65536)
            if not data:
                return
            buffer += data
            *lines, buffer = buffer.split(b"\n")
            for line in lines:
                obey(json.loads(line), running, private)


def reap(running):
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            if pid in running:
                yield running.pop(pid)


def obey(request, running, private):
    if "kill" in request:
        for pid, number in running.items():
            if number == request["kill"]:
                # A keeper kills the kernel, and all behind the wall dies with that.
                os.kill(pid, signal.SIGTERM if walls.kept() else signal.SIGKILL)
                until = time.monotonic() + END_SECONDS  # the next kernel must not meet this one
                while not os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) and time.monotonic() < until:
                    time.sleep(0.002)
        return
    number, own = request["start"], user_of(request["start"], request["grader"])
    pid, said = start(number, request["connection"], request["limits"], own, private)
    running[pid] = number
    if said == b"up":
        say(started=number)
    elif said.startswith(UNWALLED):
        say(unwalled=number, why=said.removeprefix(UNWALLED).decode(errors="replace"))
    else:
        say(failed=number, why=said.decode(errors="replace") or "the kernel ended while starting")


if __name__ == "__main__":
    main()
