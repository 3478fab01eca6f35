"""The pre-loaded parent: imports the heavy libraries once, then forks one kernel per request behind an inner wall.

Runs as the first program inside bubblewrap (the outer wall: no network, read-only files). Requests and events are JSON
lines on standard input and output, spoken with the grader only:

    {"start": 3, "connection": {…}, "limits": {…}, "grader": PID}   → {"started": 3}, {"failed": 3, "why": "…"}, or
                                                       {"unwalled": 3, "why": "…"} where no wall can be raised
    {"kill": 3}                                      → {"exited": 3}, which also comes when a kernel ends by itself

The inner wall gives every kernel its own PID, IPC and mount namespaces: it sees no other process, its own folder of
sockets only (read-only: they are bound before), an empty /proc and a fresh scratch folder of limited size. As root the
kernel then becomes an unprivileged user of its own; otherwise it gets a user namespace. It keeps no capability.

Some machines refuse a user namespace within another. There each kernel has a sandbox of its own, in which this program,
called with `alone`, becomes the kernel.
"""

import contextlib
import ctypes
import functools
import gc
import io
import json
import os
import resource
import selectors
import shutil
import signal
import socket
import stat
import sys
import time

EXCHANGE = "/exchange"  # one folder per kernel, bound by the grader
OWN = "/kernel"  # where a kernel finds its own one
SCRATCH = "/scratch"
PORTS = ("shell_port", "iopub_port", "stdin_port", "control_port")  # that kernels bind; nobody asks for a heartbeat
KEEP = "/keep"  # empty folders to bind things at for a moment
SHARED = ("/tmp", "/dev/shm")  # each kernel gets its own instead
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

libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 0x20000, 0x8000000, 0x10000000, 0x20000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 24, 38


def must(result, what):
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def mount(source, target, kind=None, flags=0, data=None):
    encoded = [text and text.encode() for text in (source, target, kind)]
    must(libc.mount(*encoded, flags, data and data.encode()), f"mount {target}")


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


def raise_wall(number, limits, own):
    """Own namespaces and mounts for kernel `number`.

    The caller is the first process of a PID namespace already (`fork_apart`), or a keeper, whose next child is that.
    """
    uid, gid = os.getuid(), os.getgid()
    scratch_bytes, files = limits["scratch_bytes"], limits["files"]
    spaces = CLONE_NEWNS | CLONE_NEWIPC | (CLONE_NEWPID if kept() else 0)
    if uid:
        libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # or the id maps below cannot be written
        must(libc.unshare(spaces | CLONE_NEWUSER), "unshare")
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
        libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    else:
        must(libc.unshare(spaces), "unshare")
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    mount(f"{EXCHANGE}/{number}", OWN, None, MS_BIND)
    mount("tmpfs", SCRATCH, "tmpfs", MS_NOSUID | MS_NODEV, f"size={scratch_bytes},nr_inodes={files},mode=0700")
    if os.path.isdir(f"{OWN}/files"):
        shutil.copytree(f"{OWN}/files", SCRATCH, dirs_exist_ok=True)
    if not uid:
        os.chown(OWN, own, own)
        for folder, _, names in os.walk(SCRATCH):
            for path in (folder, *(os.path.join(folder, name) for name in names)):
                os.chown(path, own, own)
    mount(None, OWN, None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)
    # An environment in a shared folder (a checkout under /tmp, say) has to stay visible when that is covered.
    covered = [path for path in {sys.prefix, sys.base_prefix} if path.startswith(SHARED)]
    for place, path in enumerate(covered):
        mount(path, f"{KEEP}/{place}", None, MS_BIND | MS_REC)
    for hidden in (*SHARED, EXCHANGE):
        sizes = f"size={scratch_bytes // 4},nr_inodes={files}"
        mount("tmpfs", hidden, "tmpfs", MS_NOSUID | MS_NODEV, f"{sizes},mode=1777")
    for place, path in enumerate(covered):
        os.makedirs(path, exist_ok=True)
        mount(f"{KEEP}/{place}", path, None, MS_BIND | MS_REC)
    mount("tmpfs", "/proc", "tmpfs", MS_NOSUID | MS_NODEV, "size=4096,mode=0555")
    mount(None, EXCHANGE, None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)


def set_limits(limits):
    for name, value in (
        ("RLIMIT_AS", limits["memory_bytes"]), ("RLIMIT_NPROC", limits["processes"]),
        ("RLIMIT_FSIZE", limits["file_bytes"]), ("RLIMIT_NOFILE", limits["open_files"]),
        ("RLIMIT_CPU", limits["cpu_seconds"]), ("RLIMIT_CORE", 0),
    ):
        resource.setrlimit(getattr(resource, name), (value, value))


def drop_privileges(own):
    """Give up root (or the namespace's capabilities) for good."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(own, own, own)
        os.setresuid(own, own, own)
    else:
        for capability in range(64):
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
        header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
        must(libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")
    must(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")


def start(number, connection, limits, own, private):
    """Fork kernel `number`; returns the PID of who ends it with all that it started, and "up" or what went wrong.

    `private` are the parent's own descriptors: through what a kernel inherits, it could make the parent deaf or busy.
    """
    up, tell = (os.fdopen(end, mode, buffering=0) for end, mode in zip(os.pipe(), ("rb", "wb"), strict=True))
    listeners = bound(connection, f"{EXCHANGE}/{number}")
    child = os.fork() if kept() else fork_apart()
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
            raise_wall(number, limits, own)
        except OSError as error:
            tell.write(UNWALLED + str(error).encode())
            return None
        if not kept() or not keep_next(tell):
            be_kernel(connection, listeners, limits, own, tell)
    except BaseException as error:
        if not tell.closed:
            tell.write(f"{type(error).__name__}: {error}"[:500].encode())
    finally:
        os._exit(1)


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


@functools.cache
def kept():
    """Whether each kernel has a keeper, a process between it and this one.

    Who makes namespaces has to be in them. Root can make one for the PIDs of children and come back, but not on all
    systems; an ordinary user has a user namespace to make first, from which nobody comes back.
    """
    if os.getuid():
        return True
    child = os.fork()
    if not child:
        with contextlib.suppress(OSError):
            fork_apart(lambda: -1)
            os._exit(0)
        os._exit(1)
    return os.waitpid(child, 0)[1] != 0


def fork_apart(fork=os.fork):
    """As `fork`; the child is the first process of a PID namespace of its own."""
    here = os.open("/proc/self/ns/pid", os.O_RDONLY)
    must(libc.unshare(CLONE_NEWPID), "unshare")
    child = -1
    try:
        child = fork()
    finally:
        if child:  # or the next one would be born in there, too
            must(libc.setns(here, CLONE_NEWPID), "setns")
        os.close(here)
    return child


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
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    os.umask(0o077)
    set_limits(limits)
    drop_privileges(user)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # changing user cleared it
    import syscalls

    syscalls.install(libc)
    import kernel

    def ready():
        tell.write(b"up")
        tell.close()

    kernel.run({**connection, "ip": f"{OWN}/s"}, listeners, f"{OWN}/wire", SCRATCH, ready)


def be_alone():
    """Become the only kernel of this sandbox: walls and scratch folder are bubblewrap's, its sockets come with it."""
    request = json.loads(sys.stdin.readline())
    with os.fdopen(os.dup(1), "wb", buffering=0) as tell:
        try:
            leave_streams()
            if os.path.isdir(f"{OWN}/files"):
                shutil.copytree(f"{OWN}/files", SCRATCH, dirs_exist_ok=True)
            listeners = {int(port): socket.socket(fileno=one) for port, one in request["listeners"].items()}
            for one in listeners.values():
                one.set_inheritable(False)
            be_kernel(request["connection"], listeners, request["limits"], os.getuid(), tell)
        except BaseException as error:
            if not tell.closed:
                tell.write(f"{type(error).__name__}: {error}"[:500].encode())


def say(**event):
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def main():
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # children may not read or trace us
    os.environ["HOME"] = "/tmp"
    preload()
    if sys.argv[1:] == ["alone"]:
        return be_alone()
    kept()  # while there is nothing that the answer could disturb
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
                os.kill(pid, signal.SIGTERM if kept() else signal.SIGKILL)
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
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    main()
