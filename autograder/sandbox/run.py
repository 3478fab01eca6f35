"""Run a notebook's cells in a sandboxed kernel, as nbclient runs them, and stop at each test cell.

There somebody may judge at once, with copies of the kernel, which waits; else a snapshot is taken for later. A cell
that ends the kernel, or hangs so that no interrupt reaches it, is skipped in a second run, so that the others still
count. Decides nothing about answers.
"""

import asyncio
import contextlib
import dataclasses
import functools
import json
import math
import os
import time
from collections.abc import Callable, Collection, Iterator

from jupyter_core.utils import run_sync
from nbclient import NotebookClient
from nbclient.client import CellExecutionComplete
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from autograder.sandbox.kernels import Sandbox, SandboxError, SandboxKernelManager
from autograder.sandbox.snapshots import HELLO_SECONDS, Snapshot, Unsettled
from autograder.sandbox.watch import Watch

__all__ = ["Run", "run_notebook"]

MAX_RUNS = 4  # the fourth cell that ends the kernel leaves itself and the rest of the notebook unrun
TIMEOUT = "CellTimeout"
AFTER_INTERRUPT = 3.0  # seconds that an interrupted kernel has to answer again
SHORT_HELLO_SECONDS = 2.0  # that a snapshot has to come after another one stayed away: the wire is flooded
JUDGE_SETTLE = 30.0  # seconds beyond `judge_seconds`, in which whoever judges should have stopped asking of itself
MAX_LEVELS = 60  # of nesting in an output; a plot's JSON has about ten
SETTLE = 8.0  # seconds that nbclient may take beyond a cell's limit: for the interrupt and the last outputs
FIELDS = {  # of the messages that become outputs
    "stream": ("name", "text"), "error": ("ename", "evalue", "traceback"), "display_data": ("data", "metadata"),
    "execute_result": ("data", "metadata", "execution_count"),
}


@dataclasses.dataclass
class Run:
    """A finished run: the notebook with outputs, the snapshots by grade id, and what went wrong by cell index."""

    notebook: NotebookNode
    snapshots: dict[str, Snapshot]
    troubles: dict[int, str]
    complete: bool
    hello_seconds: float = HELLO_SECONDS  # that the next snapshot has to come; once one stayed away, less


class KernelGone(Exception):
    """The kernel ended, or does not answer any more, at the cell with this index."""

    def __init__(self, index: int, why: str):
        super().__init__(why)
        self.index = index
        self.why = why


class BoundedClient(NotebookClient):
    """nbclient, with outputs bounded per cell and widget messages ignored; error tags change nothing here."""

    limits = None
    kept = 0  # bytes of outputs in the whole notebook

    def process_message(self, msg, cell, cell_index):
        if msg["msg_type"].startswith("comm"):
            return None
        try:
            return super().process_message(msg, cell, cell_index)
        except CellExecutionComplete:
            raise
        except Exception:  # a message that lacks what its kind needs: no kernel of itself sends one
            return None

    def output(self, outs, msg, display_id, cell_index):
        """Put a message's output among the cell's, but for one that is malformed or too much.

        nbformat makes the same of it, and then takes longer than the whole message to hold it against its schema.
        """
        used = sum(map(_size, outs))
        if len(outs) >= self.limits.outputs or used > self.limits.output_bytes or msg["msg_type"] not in FIELDS:
            return None
        out = NotebookNode(output_type=msg["msg_type"])
        out.update({field: msg["content"][field] for field in FIELDS[msg["msg_type"]]})
        if not _well_formed(out):
            return None
        if self.clear_before_next_output:
            outs.clear()
            self.clear_before_next_output = False
        self.kept += _size(out)
        if used + _size(out) > self.limits.output_bytes or self.kept > self.limits.notebook_bytes:
            out = NotebookNode(
                output_type="stream", name="stdout",
                text=f"… an output was left out here: more than {self.limits.output_bytes:,} bytes in one cell, or "
                     f"{self.limits.notebook_bytes:,} in the notebook\n",
            )
        outs.append(out)
        return out


def _well_formed(output: NotebookNode) -> bool:
    """Has an output the types that whoever reads the notebook counts on?"""
    match output:
        case {"output_type": "stream", "name": "stdout" | "stderr", "text": str()}:
            return True
        case {"output_type": "error", "ename": str(), "evalue": str(), "traceback": list() as lines}:
            return all(isinstance(line, str) for line in lines)
        case {"output_type": "display_data" | "execute_result", "data": dict() as data, "metadata": dict() as metadata}:
            count = output.get("execution_count")
            return _shallow(metadata) and count == _count(count) and all(
                isinstance(kind, str) and (isinstance(value, str) or (kind.endswith("json") and _shallow(value)))
                for kind, value in data.items()
            )
    return False


def _count(said: object) -> int | None:
    """A cell's number, or nothing for what cannot be one."""
    return said if type(said) is int and said >= 0 else None


def _shallow(value: object, levels: int = MAX_LEVELS) -> bool:
    """Is it not nested so deep that whoever copies or writes it may run out of stack?"""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels > 0 and all(_shallow(item, levels - 1) for item in items)


def _size(output: NotebookNode) -> int:
    texts = [output.get("text", ""), *output.get("traceback", ()), output.get("ename", ""), output.get("evalue", "")]
    other = [output.get("data", {}), output.get("metadata", {})]
    return sum(map(len, texts)) + sum(len(json.dumps(value)) for value in other if value)


@contextlib.contextmanager
def run_notebook(
    notebook: NotebookNode, test_cells: Collection[str], sandbox: Sandbox, files: str | os.PathLike | None = None,
    judge: Callable[[str, Snapshot], None] | None = None,
) -> Iterator[Run]:
    """Run `notebook` in a fresh kernel; at cells whose grade id is in `test_cells`, take a snapshot instead of running.

    `judge` is called at each of them, while the notebook waits: snapshots then are only made where one copy of the
    kernel is not enough. `files` is the folder whose data files stand beside the notebook. Snapshots and copies live
    until the context ends.

    Raises `SandboxError` when the sandbox itself fails. With `judge` also `Unsettled`, when anything but the ordinary
    happens: the notebook is then to be run without.
    """
    skipped: dict[int, str] = {}
    end = len(notebook.cells)
    for attempt in range(MAX_RUNS + 1):
        manager = SandboxKernelManager(sandbox=sandbox, files=files)
        run = Run(notebook, {}, skipped, complete=True)
        with contextlib.ExitStack() as stack:
            stack.callback(close, run, manager)
            watch = stack.enter_context(Watch(sandbox, manager.provisioner.number))
            try:
                _run_cells(Walk(run, test_cells, manager, watch, end), judge)
            except KernelGone as gone:
                if judge is not None:  # what a copy has left behind may be to blame, and no cell
                    raise Unsettled from None
                skipped[gone.index] = watch.why or gone.why
                if attempt == MAX_RUNS - 1:
                    end = gone.index  # snapshots ended with the kernel: once more, up to here
                if attempt < MAX_RUNS:
                    continue
            run.complete &= attempt < MAX_RUNS
            with _judging(watch, sandbox):
                yield run
            return


def close(run: Run, manager: SandboxKernelManager) -> None:
    for snapshot in run.snapshots.values():
        snapshot.close()
    manager.close()


class Walk:
    """The way of one kernel through the notebook, from test cell to test cell."""

    def __init__(self, run: Run, test_cells: Collection[str], manager: SandboxKernelManager, watch: Watch, end: int):
        self.run, self.test_cells, self.manager, self.watch, self.end = run, test_cells, manager, watch, end
        self.client = _new_client(run.notebook, manager)
        self.next = 0  # the cell to run next
        self.last = 0  # the cell that ran last: it is to blame when the kernel is found gone between cells
        self.until = math.inf

    async def start(self) -> None:
        await self.manager._async_start_kernel()
        self.watch.begin()
        try:
            await self.client.async_start_new_kernel_client()
        except RuntimeError as error:
            raise SandboxError(f"the kernel did not answer: {error}") from None
        self.until = time.monotonic() + self.client.limits.run_seconds

    async def go_on(self) -> str | None:
        """Run the cells up to the next test cell and give its grade id, or all that are left."""
        for index in range(self.next, self.end):
            self.next = index + 1
            cell = self.run.notebook.cells[index]
            grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
            if cell.cell_type != "code":
                continue
            cell.outputs, cell.execution_count = [], None
            if time.monotonic() > self.until:
                self.run.complete = False
                cell.outputs = [_trouble_output("the cells above took all of the time that there is for a notebook")]
                continue
            self.expect_cell()
            if grade_id in self.test_cells:
                return grade_id
            if index not in self.run.troubles:
                self.last = index
                await _run_cell(self.client, cell, index)
            else:
                cell.outputs = [_trouble_output(self.run.troubles[index])]
        self.expect_cell()
        await _answers_again(self.client, self.last)
        return None

    def expect_cell(self) -> None:
        self.watch.expect(self.client.timeout + SETTLE, "it ran too long and could not be stopped")

    async def fork(self, kind: str, name: str) -> None:
        """Have the kernel fork a `"copy"` or a `"snapshot"` for a test cell; raises `OSError` where it does not."""
        message = self.client.kc.session.msg(f"{kind}_request", {"name": name})
        self.client.kc.shell_channel.send(message)
        reply = await _reply(self.client, message["header"]["msg_id"], self.client.limits.cell_seconds)
        if reply.get("status") != "ok":
            raise ConnectionError(f"the kernel could not fork a {kind}")


def _run_cells(walk: Walk, judge: Callable[[str, Snapshot], None] | None) -> None:
    run, sandbox = walk.run, walk.manager.sandbox
    try:
        run_sync(walk.start)()
        while name := run_sync(walk.go_on)():
            fork = functools.partial(run_sync(walk.fork), name=name)
            wire, seconds = walk.manager.wire, run.hello_seconds
            try:
                snapshot = Snapshot(wire, name, fork, seconds, sandbox.process_id, at_once=judge is None)
            except OSError as error:
                if judge is not None:
                    raise Unsettled from None
                if isinstance(error, TimeoutError):
                    run.hello_seconds = SHORT_HELLO_SECONDS
                    if not sandbox.alive(walk.manager.provisioner.number):
                        raise KernelGone(walk.last, "this cell ended the Python process") from None
                continue
            run.snapshots[name] = snapshot
            if judge is not None:
                since = time.monotonic()
                with _judging(walk.watch, sandbox):
                    judge(name, snapshot)
                snapshot.leave()
                walk.until += time.monotonic() - since
    finally:
        if walk.client.kc is not None:
            walk.client.kc.stop_channels()


def _judging(watch: Watch, sandbox: Sandbox) -> contextlib.AbstractContextManager[None]:
    return watch.growing(sandbox.limits.judge_seconds + JUDGE_SETTLE, "its answers took too long")


def _new_client(notebook: NotebookNode, manager: SandboxKernelManager) -> BoundedClient:
    limits = manager.sandbox.limits
    client = BoundedClient(
        notebook, km=manager, timeout=limits.cell_seconds, startup_timeout=limits.start_seconds, allow_errors=True,
        interrupt_on_timeout=True, store_widget_state=False, record_timing=False, coalesce_streams=False,
        error_on_timeout={
            "ename": TIMEOUT, "evalue": "this cell ran too long",
            "traceback": [f"{TIMEOUT}: this cell ran too long and was stopped"],
        },
        extra_arguments=[], skip_cells_with_tag="no tag skips a cell when grading",
    )
    client.limits = limits
    client.log.disabled = True
    client.on_cell_executed = _keep_reply
    return client


async def _run_cell(client: BoundedClient, cell: NotebookNode, index: int) -> None:
    try:
        await client.async_execute_cell(cell, index)
    except DeadKernelError:
        raise KernelGone(index, "this cell ended the Python process") from None
    except (CellTimeoutError, TimeoutError) as error:  # no reply to the interrupt's aftermath either
        raise KernelGone(index, "this cell ran too long and could not be stopped") from error
    except SandboxError:
        raise
    except Exception:  # a reply that no kernel of itself sends; what the cell printed so far stays
        pass
    cell.outputs = coalesced(cell.outputs)
    cell.execution_count = _count(cell.execution_count)
    if any(out.output_type == "error" and out.ename == TIMEOUT for out in cell.outputs):
        client.timeout = client.limits.later_cell_seconds  # the next cells mostly call the same endless function
        await _answers_again(client, index)


def coalesced(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """The outputs with each stream's pieces joined, and what a carriage return overwrote left out.

    nbclient does this with a regular expression that takes the square of a line's length: hours, for 2 MB in one line.
    """
    joined: list[NotebookNode] = []
    pieces: dict[str, list[str]] = {}
    for output in outputs:
        if output.output_type != "stream":
            joined.append(output)
        elif output.name in pieces:
            pieces[output.name].append(output.text)
        else:
            joined.append(output)
            pieces[output.name] = [output.text]
    for output in joined:
        if output.output_type == "stream":
            lines = "".join(pieces[output.name]).split("\n")
            output.text = "\n".join(line.rstrip("\r").rsplit("\r", 1)[-1] for line in lines)
    return joined


def _keep_reply(cell: NotebookNode, cell_index: int, execute_reply: dict) -> None:
    """nbclient's hook: the cell's number and a missed deadline are in the reply only, so put them into the cell."""
    content = execute_reply["content"]
    cell.execution_count = content.get("execution_count")
    if content.get("ename") == TIMEOUT:
        cell.outputs.append(NotebookNode(
            output_type="error", ename=TIMEOUT, evalue="this cell ran too long",
            traceback=[f"{TIMEOUT}: this cell ran too long and was stopped"],
        ))


async def _answers_again(client: BoundedClient, index: int) -> None:
    """After an interrupt the kernel must answer, or the run starts anew without this cell."""
    message = client.kc.session.msg("ping_request")
    client.kc.shell_channel.send(message)
    try:
        await _reply(client, message["header"]["msg_id"], AFTER_INTERRUPT)
    except TimeoutError:
        if not await client.km.is_alive():
            raise KernelGone(index, "this cell ended the Python process") from None
        raise KernelGone(index, "this cell ran too long and could not be stopped") from None


async def _reply(client: BoundedClient, message_id: str, seconds: float) -> dict:
    """The content of the reply to `message_id`; raises `TimeoutError`, also when the kernel is gone."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while (left := deadline - loop.time()) > 0:
        try:
            message = await client.kc.shell_channel.get_msg(timeout=min(left, 1.0))
        except Exception:  # queue.Empty, or a message that is not signed
            if not await client.km.is_alive():
                break
            continue
        if message["parent_header"].get("msg_id") == message_id:
            return message["content"]
    raise TimeoutError


def _trouble_output(why: str) -> NotebookNode:
    return NotebookNode(
        output_type="error", ename="CellStopped", evalue=why,
        traceback=[f"CellStopped: {why}; it was skipped so that the other cells could be graded"],
    )
