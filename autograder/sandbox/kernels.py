"""Kernels in the sandbox, as jupyter_client sees them.

`Sandbox` holds one pre-loaded parent and starts kernels in it. `SandboxProvisioner` and `SandboxKernelManager` make
such a kernel an ordinary one for nbclient: ZeroMQ over `ipc` sockets in a folder of its own, signed messages,
interrupts by message. Knows nothing of notebooks or of what is graded.
"""

import asyncio
import contextlib
import functools
import itertools
import json
import math
import os
import pathlib
import queue
import selectors
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from typing import Any

import zmq
import zmq.asyncio
from jupyter_client import AsyncKernelClient, AsyncKernelManager
from jupyter_client.channels import AsyncZMQSocketChannel
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.provisioning import KernelProvisionerBase
from jupyter_client.session import Session, json_unpacker
from traitlets import Any as AnyTrait
from traitlets import Type

from autograder.sandbox import bubblewrap, leftovers
from autograder.sandbox.limits import Limits

__all__ = ["Sandbox", "SandboxError", "SandboxKernelManager"]


class SandboxError(RuntimeError):
    """The sandbox itself did not work: never the student's fault, so never a score."""


class Sandbox:
    """One pre-loaded parent behind the outer wall, and the kernels that it has forked, each behind an inner one.

    Where the machine lets nobody raise an inner wall, each kernel starts anew, in a sandbox of its own (`alone`): that
    takes seconds. With `walled=False` there is no wall at all: plain processes, for one's own work where bubblewrap
    does not exist. Use as a context manager.
    """

    def __init__(self, limits: Limits | None = None, hidden: Iterable[str | os.PathLike] = (), walled: bool = True):
        self.limits = limits or Limits()
        self.walled = walled
        self.hidden = tuple(hidden)
        self._numbers = itertools.count(1)
        self._exited: set[int] = set()
        self._events: queue.Queue[dict] = queue.Queue()
        self._parent: subprocess.Popen | None = None
        self._reader: threading.Thread | None = None
        self._alone: dict[int, subprocess.Popen] = {}  # kernels that no parent has forked
        self.alone = not walled
        self.exchange, self._lock = leftovers.new_folder()

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every kernel and remove the sandbox's folder."""
        self._end_parent()
        for process in self._alone.values():
            process.kill()
            process.wait()
        self._alone.clear()
        shutil.rmtree(self.exchange, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _end_parent(self) -> None:
        if self._parent is not None and self._reader is not None:
            self._parent.kill()
            self._parent.wait()
            self._reader.join()
            for pipe in (self._parent.stdin, self._parent.stdout, self._parent.stderr):
                if pipe:
                    with contextlib.suppress(BrokenPipeError):
                        pipe.close()
        self._parent = self._reader = None

    @property
    def process_id(self) -> int | None:
        """The process that all kernels descend from, once there is one."""
        tops = [self._parent, *(self._alone.values() if self.walled else ())]
        return next((top.pid for top in reversed(tops) if top is not None), None)

    # --- the parent -----------------------------------------------------------------------------------------------

    def _ready_parent(self) -> subprocess.Popen:
        if self._parent is not None and self._parent.poll() is None:
            return self._parent
        os.chmod(self.exchange, 0o711)
        self._parent = subprocess.Popen(
            bubblewrap.command(self.exchange, self.hidden),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True,  # an interrupt from the keyboard is for the grader
        )
        self._events = queue.Queue()
        self._reader = threading.Thread(target=self._read_events, args=(self._parent, self._events), daemon=True)
        self._reader.start()
        if not self._next_event("ready"):
            raise SandboxError("the sandbox did not start")
        return self._parent

    def _read_events(self, parent: subprocess.Popen, events: queue.Queue) -> None:
        assert parent.stdout is not None
        assert parent.stderr is not None
        for line in parent.stdout:
            event = json.loads(line)
            if "exited" in event:
                self._exited.add(event["exited"])
            else:
                events.put(event)
        with contextlib.suppress(ValueError):
            events.put({"ended": parent.stderr.read().decode(errors="replace").strip()[-2000:]})

    def _next_event(self, *wanted: str) -> dict:
        try:
            event = self._events.get(timeout=self.limits.start_seconds)
        except queue.Empty:
            raise SandboxError(f"the sandbox did not answer within {self.limits.start_seconds} s") from None
        if "ended" in event:
            raise SandboxError(f"the sandbox ended: {event['ended'] or 'without a word'}")
        if not any(key in event for key in wanted):
            raise SandboxError(f"the sandbox said {event}")
        return event

    # --- kernels --------------------------------------------------------------------------------------------------

    def new_folder(self, files: str | os.PathLike | None = None) -> tuple[int, pathlib.Path]:
        """A kernel's number and its folder for sockets; `files` is copied for its scratch folder."""
        number = next(self._numbers)
        folder = pathlib.Path(self.exchange, str(number))
        folder.mkdir(mode=0o700)
        if files is not None:
            shutil.copytree(files, folder / "files", ignore=shutil.ignore_patterns("*.ipynb", ".*", "__pycache__"))
        return number, folder

    def start(self, number: int, connection: dict) -> None:
        """Fork kernel `number`, whose folder holds the wire's socket and gets those that `connection` tells of."""
        if self.alone:
            return self._start_alone(number, connection) if self.walled else self._start_plain(number, connection)
        parent = self._ready_parent()
        assert parent.stdin is not None
        request = {"start": number, "connection": connection, "limits": self.limits.inside(), "grader": os.getpid()}
        parent.stdin.write(json.dumps(request).encode() + b"\n")
        parent.stdin.flush()
        event = self._next_event("started", "unwalled", "failed")
        if "unwalled" in event and os.getuid():
            self.alone = True
            self._end_parent()
            for bound in pathlib.Path(self.exchange, str(number)).glob("s-*"):
                bound.unlink()
            return self._start_alone(number, connection)
        if "started" not in event:
            raise SandboxError(f"no kernel could be started in the sandbox: {event['why']}")

    def _start_plain(self, number: int, connection: dict) -> None:
        folder = pathlib.Path(self.exchange, str(number))
        scratch = folder / "files"
        scratch.mkdir(exist_ok=True)
        program = [sys.executable, str(bubblewrap.INSIDE / "kernel.py")]
        process = subprocess.Popen(
            [*program, str(folder / "wire"), str(scratch)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        assert process.stdin is not None
        with process.stdin:
            process.stdin.write(json.dumps(connection).encode())
        self._alone[number] = process

    def _start_alone(self, number: int, connection: dict) -> None:
        from autograder.sandbox.inside import parent

        folder = os.path.join(self.exchange, str(number))
        listeners = parent.bound(connection, folder)
        process = subprocess.Popen(
            bubblewrap.command(folder, self.hidden, alone=self.limits.scratch_bytes),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True, pass_fds=[one.fileno() for one in listeners.values()], bufsize=0,
        )
        self._alone[number] = process
        numbers = {port: one.fileno() for port, one in listeners.items()}
        request = {"connection": connection, "limits": self.limits.inside(), "listeners": numbers}
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        with process.stdin, process.stdout, process.stderr, selectors.DefaultSelector() as selector:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(json.dumps(request).encode() + b"\n")
            for one in listeners.values():
                one.close()
            selector.register(process.stdout, selectors.EVENT_READ)
            said = process.stdout.read(500) if selector.select(self.limits.start_seconds) else b"no answer in time"
            if said != b"up":
                process.kill()
                why = (said or process.stderr.read()[-500:]).decode(errors="replace").strip()
                raise SandboxError(f"no kernel could be started in a sandbox of its own: {why or 'without a word'}")

    def alive(self, number: int) -> bool:
        """Has kernel `number` not ended yet?"""
        if self.alone:
            return number in self._alone and self._alone[number].poll() is None
        return number not in self._exited and self._parent is not None and self._parent.poll() is None

    def kill(self, number: int) -> None:
        """End kernel `number` with everything that it started, and remove its folder."""
        process = self._alone.pop(number, None)
        if process is not None:
            process.kill()
            process.wait()
        elif self._parent is not None and self._parent.poll() is None and number not in self._exited:
            assert self._parent.stdin is not None
            with contextlib.suppress(BrokenPipeError):
                self._parent.stdin.write(json.dumps({"kill": number}).encode() + b"\n")
                self._parent.stdin.flush()
        shutil.rmtree(pathlib.Path(self.exchange, str(number)), ignore_errors=True)


class CarefulChannel(AsyncZMQSocketChannel):
    """Drops what is no Jupyter message: whoever is behind the kernel's sockets has its key and may send anything."""

    async def get_msg(self, timeout: float | None = None) -> dict[str, Any]:
        """The next message that is one; raises `queue.Empty` where none comes in time.

        jupyter_client asks whether there is something to receive before it receives, which doubles the work.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise queue.Empty
            assert self.socket is not None
            coming = self.socket.recv_multipart()
            if coming.done():
                await asyncio.sleep(0)  # a flood of messages must not keep others from running
            try:
                parts = await (coming if left is None else asyncio.wait_for(coming, left))
            except TimeoutError:
                raise queue.Empty from None
            try:
                message = self.session.deserialize(self.session.feed_identities(parts)[1])
            except Exception:
                continue
            dicts = [message.get(part) for part in ("header", "parent_header", "metadata", "content")]
            if all(type(part) is dict for part in dicts) and type(message.get("msg_type")) is str:
                return message


class CarefulClient(AsyncKernelClient):
    """jupyter_client's, with careful channels where messages come from the kernel."""

    shell_channel_class = Type(CarefulChannel)
    iopub_channel_class = Type(CarefulChannel)
    control_channel_class = Type(CarefulChannel)

    def start_channels(self, *_: Any, **__: Any) -> None:
        """Those that are used: nobody types here, and whether the kernel lives is asked of the sandbox."""
        super().start_channels(stdin=False, hb=False)

    def stop_channels(self) -> None:
        """The same ones; asking for the others would open them."""
        for channel in (self.shell_channel, self.iopub_channel, self.control_channel):
            if channel.is_alive():
                channel.stop()

    async def _async_wait_for_ready(self, timeout: float | None = None) -> None:
        """Until the kernel has answered on both channels; `RuntimeError` where it does not.

        jupyter_client then waits until nothing has come for 0.2 s, a third of the time of a small notebook. nbclient
        leaves out of itself what answers another request than its own.
        """
        until = time.monotonic() + (math.inf if timeout is None else timeout)
        while True:
            self.kernel_info()
            with contextlib.suppress(queue.Empty):
                reply = await self.shell_channel.get_msg(timeout=1)
                if reply["msg_type"] == "kernel_info_reply":
                    await self.iopub_channel.get_msg(timeout=0.2)  # not connected yet, it would miss the first outputs
                    self._handle_kernel_info_reply(reply)
                    return
            if not await self._async_is_alive():
                raise RuntimeError("it ended before it was ready")
            if time.monotonic() > until:
                raise RuntimeError(f"not ready within {timeout} s")

    wait_for_ready = _async_wait_for_ready


class SandboxProvisioner(KernelProvisionerBase):
    """Starts, watches and ends one kernel of a `Sandbox` (jupyter_client's interface, so without more words here)."""

    sandbox = AnyTrait()
    number = AnyTrait(0)

    @property
    def has_process(self) -> bool:
        return bool(self.number)

    async def poll(self) -> int | None:
        return None if self.number and self.sandbox.alive(self.number) else 0

    async def wait(self) -> int | None:
        return 0

    async def send_signal(self, signum: int) -> None:
        """Interrupts go by message; any other signal is an end."""

    async def kill(self, restart: bool = False) -> None:
        self.sandbox.kill(self.number)

    async def terminate(self, restart: bool = False) -> None:
        self.sandbox.kill(self.number)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> dict:
        key = self.connection_info["key"].decode()
        self.sandbox.start(self.number, {**self.connection_info, "key": key})
        return self.connection_info

    async def cleanup(self, restart: bool = False) -> None:
        if self.number:
            self.sandbox.kill(self.number)
            self.number = 0

    async def pre_launch(self, **kwargs: Any) -> dict:
        manager = self.parent
        manager.transport, manager.ip = "ipc", os.path.join(self.sandbox.exchange, str(self.number), "s")
        for position, channel in enumerate(("shell", "iopub", "stdin", "hb", "control"), start=1):
            setattr(manager, f"{channel}_port", position)
        self.connection_info = manager.get_connection_info()
        return {"cmd": [], **kwargs}


def unpacked(data: bytes) -> Any:
    """A part of a message; a header without its date, which nobody asks for, and which takes longest to read."""
    part = json_unpacker(data)
    if type(part) is dict and "msg_id" in part:
        part.pop("date", None)
    return part


@functools.cache
def context() -> zmq.asyncio.Context:
    """The one of this process: each has threads, which take as long to start and to end as a kernel's sockets."""
    return zmq.asyncio.Context()


class SandboxKernelManager(AsyncKernelManager):
    """A kernel manager whose kernel runs in `sandbox`; `wire` is the socket to which its snapshots connect."""

    sandbox = AnyTrait()
    files = AnyTrait(None)
    client_class = f"{__name__}.CarefulClient"
    client_factory = Type(CarefulClient)

    def __init__(self, **kwargs: Any):
        super().__init__(session=Session(unpack=unpacked), context=context(), **kwargs)
        number, folder = self.sandbox.new_folder(self.files)
        self.wire = socket.socket(socket.AF_UNIX)
        self.wire.bind(str(folder / "wire"))
        os.chmod(folder / "wire", 0o777)  # the folder guards it; the kernel is another user
        self.wire.listen(16)
        self.provisioner = SandboxProvisioner(parent=self, sandbox=self.sandbox, number=number)

    @property
    def kernel_spec(self) -> KernelSpec:
        return KernelSpec(argv=[], display_name="Python 3", language="python", interrupt_mode="message")

    def client(self, **kwargs: Any) -> Any:
        """A client whose sockets are of the same context; whoever starts its channels stops them."""
        return super().client(context=self.context, **kwargs)

    def close(self) -> None:
        """End the kernel and close the manager's sockets."""
        self.wire.close()
        self._close_control_socket()
        self.sandbox.kill(self.provisioner.number)
