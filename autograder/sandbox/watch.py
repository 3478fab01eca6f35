"""A watch beside each running kernel, for what no limit inside can bound.

A thread looks many times a second at some things: the deadline of the present step, the memory of the kernel's
processes together (limits of the operating system are per process), how much this process has grown (what a kernel's
messages make the grader hold), and the number of files, where no wall limits it. Above a limit it kills the kernel,
with everything that belongs to it; whoever waits for the kernel then finds it ended, and `why` says the reason. A
kernel with many busy threads is not killed, but has to stand behind all others: submissions that are graded beside it
must not run out of time.
"""

import contextlib
import os
import pathlib
import threading
import time
from collections.abc import Iterator

from autograder.sandbox.kernels import Sandbox, SandboxError

__all__ = ["Idle", "Watch"]

LOOK_EVERY = 0.03
GROWTH_BYTES = 120 * 1024 * 1024  # of the grader itself, while cells run
IDLE_AFTER = 5.0  # seconds of wall time without work after which nobody is taken to work on an answer
IDLE_SHARE = 0.01  # of one processor; on a busy machine a call that runs still gets more than that
PARENTS = 3  # bubblewrap, its first process and the pre-loaded parent, if there is one, above all kernels of a sandbox
PLACES = ("/scratch", "/tmp", "/dev/shm")  # where a kernel can write
BUSY_THREADS = 4  # of one kernel that may want a processor at the same time; NumPy and others have one here
PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")


class Watch:
    """Watches kernel `number` of `sandbox` while the context is open."""

    def __init__(self, sandbox: Sandbox, number: int):
        self.sandbox = sandbox
        self.number = number
        self.why = ""
        self._deadline = float("inf")
        self._late = ""
        self._most_own = float("inf")
        self._was_busy = self._calmed = False
        self._begun = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> "Watch":
        self._most_own = own_bytes() + GROWTH_BYTES
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def begin(self) -> None:
        """The kernel runs: what there was before it is gone, and what there is from now on is its own."""
        try:
            self._files_made()
        except (OSError, IndexError) as error:
            raise SandboxError(f"the files of a kernel alone in its sandbox cannot be counted: {error}") from None
        self._begun = True

    def expect(self, seconds: float, why: str) -> None:
        """The present step ends within `seconds`, or the kernel is killed because `why`."""
        self._late = why
        self._deadline = time.monotonic() + seconds

    @contextlib.contextmanager
    def growing(self, seconds: float, why: str) -> Iterator[None]:
        """A step in which this process may grow; what it has grown by then does not count in those that follow."""
        before, most = own_bytes(), self._most_own
        self.expect(seconds, why)
        self._most_own = float("inf")
        yield
        self._most_own = most + max(0, own_bytes() - before)

    def _look(self) -> None:
        turn = 0
        while not self._stop.wait(LOOK_EVERY):
            turn += 1
            if time.monotonic() > self._deadline:
                self.why = self._late
            elif own_bytes() > self._most_own:
                self.why = "it sent more than the grader can hold"
            elif not self._begun:
                continue
            elif turn % 10 == 0 and self._over_memory():
                self.why = "its processes used too much memory together"
            elif turn % 10 == 0 and self._over_files():
                self.why = "it made too many files"
            elif turn % 30 == 0:
                self._calm()
            if self.why:
                self.sandbox.kill(self.number)
                return

    def _calm(self) -> None:
        """Give the kernel's threads the lowest priority while many of them want a processor, two looks in a row."""
        top = self.sandbox.process_id
        if top is None:
            return
        parents = PARENTS - self.sandbox.alone
        threads = [thread for pid in descendants(top)[parents:] for thread in threads_of(pid)]
        busy = sum(state_of(thread) == "R" for thread in threads) > BUSY_THREADS
        if busy == self._was_busy != self._calmed:
            for thread in threads:
                with contextlib.suppress(OSError):  # gone; or an ordinary user, who may not take it back
                    # What they start inherits it.
                    os.setpriority(os.PRIO_PROCESS, thread, 19 if busy else os.getpriority(os.PRIO_PROCESS, 0))
            self._calmed = busy
        self._was_busy = busy

    def _over_files(self) -> bool:
        with contextlib.suppress(OSError, IndexError):  # the kernel has ended
            return self._files_made() > self.sandbox.limits.files
        return False

    def _files_made(self) -> int:
        """The most files in one place of a kernel's that bubblewrap has made; 0 where an inner wall limits them.

        Their names take memory of the machine's own, which no limit counts.
        """
        top = self.sandbox.process_id
        if top is None or not self.sandbox.alone:
            return 0
        first = descendants(top)[1]
        held = [os.statvfs(f"/proc/{first}/root{place}") for place in PLACES]
        return max(one.f_files - one.f_ffree for one in held)

    def _over_memory(self) -> bool:
        parent = self.sandbox.process_id
        if parent is None:
            return False
        limit = self.sandbox.limits.total_bytes
        processes = descendants(parent)
        # Quickly read, and never too little: pages that several have in common count in each.
        if sum(map(private_bytes, processes)) < limit:
            return False
        return sum(map(shared_out_bytes, processes)) > limit


class Idle:
    """Whether the processes below `top` do nothing, to be asked again and again while waiting for them.

    What sleeps with its alarms blocked would otherwise cost the whole limit of time, as would a false snapshot that
    never answers.
    """

    def __init__(self, top: int):
        self.top = top
        self.since = time.monotonic()
        self.used: dict[int, float] | None = None

    def __call__(self) -> bool:
        passed = time.monotonic() - self.since
        if passed < (1.0 if self.used is None else IDLE_AFTER):  # most answers come before there is anything to look at
            return False
        before, (self.used, running) = self.used, processor_seconds(self.top)
        self.since = time.monotonic()
        if before is None or running:
            return False
        return sum(max(0.0, used - before.get(pid, 0.0)) for pid, used in self.used.items()) < IDLE_SHARE * passed


def processor_seconds(top: int) -> tuple[dict[int, float], bool]:
    """The processor time of `top` and each process below it, its ended children's included; and whether one runs."""
    used, running = {}, False
    for pid in descendants(top):
        with contextlib.suppress(OSError, IndexError, ValueError):
            # The name before the bracket may hold anything; behind it stand state, and as fields 12 to 15 the times.
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            used[pid] = sum(map(int, fields[11:15])) / TICKS
            running |= fields[0] in "RD"
    return used, running


def threads_of(pid: int) -> list[int]:
    """The process's threads by number; none when it is gone."""
    with contextlib.suppress(OSError):
        return [int(thread) for thread in os.listdir(f"/proc/{pid}/task")]
    return []


def state_of(thread: int) -> str:
    """The state of a thread as a letter, `R` when it runs or wants to; empty when it is gone."""
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{thread}/stat").read_text().rpartition(")")[2].split()[0]
    return ""


def own_bytes() -> int:
    """The memory that this process has resident."""
    try:
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * PAGE
    except (OSError, IndexError, ValueError):
        return 0


def descendants(pid: int) -> list[int]:
    """The process and all below it, from the top down; whoever loses its parent stays below the kernel."""
    found = [pid]
    for one in found:  # grows while it is read
        with contextlib.suppress(OSError):
            for thread in os.listdir(f"/proc/{one}/task"):
                with contextlib.suppress(OSError):
                    found += map(int, pathlib.Path(f"/proc/{one}/task/{thread}/children").read_text().split())
    return found


def private_bytes(pid: int) -> int:
    """Anonymous and shared memory of a process, each page counted in every process that has it."""
    return _kilobytes(f"/proc/{pid}/status", ("RssAnon:", "RssShmem:"))


def shared_out_bytes(pid: int) -> int:
    """Memory of a process, pages that several have in common divided among them; 0 where this may not be read."""
    return _kilobytes(f"/proc/{pid}/smaps_rollup", ("Pss_Anon:", "Pss_Shmem:"))


def _kilobytes(path: str, names: tuple[str, ...]) -> int:
    try:
        with open(path) as file:
            return sum(int(line.split()[1]) * 1024 for line in file if line.startswith(names))
    except (OSError, ValueError):
        return 0
