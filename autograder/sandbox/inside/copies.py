"""Copies and snapshots of a kernel: forked children that have its names as they were at one cell.

A copy answers calls. A snapshot waits, frozen as the notebook was at that cell, and forks a fresh copy whenever the
grader asks for one: a crash, a hang or tampering in one copy leaves the snapshot as it was. Both connect to the
grader's socket, never the other way round, so a path swapped by a student leads nowhere.

Runs inside the sandbox; imports nothing of the project but `pools`, `snapshot` and `wire` beside it.
"""

import asyncio
import contextlib
import gc
import os
import signal
import socket
import warnings

try:
    from autograder.sandbox.inside import pools, snapshot, wire
except ImportError:  # inside the sandbox, where the package does not exist
    import pools
    import snapshot
    import wire

__all__ = ["answer", "end", "fork", "keep"]


def fork(work, wire_path, name, namespace, scratch):
    """The process id of a new child that does `work`, with the rest; returns in the kernel, never in the child."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer Pythons warn of forks, and a student may have made warnings errors
        try:
            child = os.fork()
        except OSError:  # as many processes as there may be: those that have ended count until somebody asks for them
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            child = os.fork()
    if child:
        return child
    try:
        os.setpgid(0, 0)  # an interrupt of the kernel's process group is not for us
        asyncio.events._set_running_loop(None)
        os.chdir(scratch)
        gc.freeze()  # or the first collection would copy the memory that it looks through
        work(wire_path, name, namespace, scratch)
    finally:
        os._exit(0)


def keep(wire_path, name, namespace, scratch):
    """Fork a copy for each byte that the grader sends, ending the one before; end when the grader leaves."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # copies leave no zombies
    snapshot.silence()
    control = connect(wire_path, ["snapshot", name])
    copy = 0
    while control.recv(1):
        end(copy)
        copy = os.fork()
        if not copy:
            os.setpgid(0, 0)
            control.close()
            answer(wire_path, name, namespace, scratch)
            return
    end(copy)


def answer(wire_path, name, namespace, scratch):
    """Answer the grader's calls in this copy of the kernel, until the grader leaves."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pools.start_anew(namespace)
    snapshot.serve(connect(wire_path, ["worker", name]), namespace, scratch)


def end(copy):
    """End a copy with what it has started."""
    if copy:
        with contextlib.suppress(OSError):
            os.killpg(copy, signal.SIGKILL)


def connect(wire_path, hello):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(wire_path)
    wire.send(connection, hello)
    return connection
