"""The inner wall around one kernel: namespaces, mounts, limits, and no privilege left.

Own PID, IPC and mount namespaces: a kernel sees no other process, its own folder of sockets only (read-only: they are
bound before), an empty /proc and a fresh scratch folder of limited size. As root it then becomes an unprivileged user
of its own; otherwise it gets a user namespace. It keeps no capability. Standard library only, as in all that is mounted
into the sandbox.
"""

import contextlib
import ctypes
import functools
import os
import resource
import shutil
import signal
import sys

__all__ = [
    "EXCHANGE", "OWN", "SCRATCH", "be_invisible", "die_with_parent", "drop_privileges", "fork_apart", "kept", "libc",
    "raise_wall", "set_limits", "take_files",
]

EXCHANGE = "/exchange"  # one folder per kernel, bound by the grader
OWN = "/kernel"  # where a kernel finds its own one
SCRATCH = "/scratch"
KEEP = "/keep"  # empty folders to bind things at for a moment
SHARED = ("/tmp", "/dev/shm")  # each kernel gets its own instead

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
    take_files()
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


def be_invisible():
    """Let no process of the same user, children either, read or trace this one."""
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def die_with_parent():
    """Be killed when the parent ends; a change of user makes this undone."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def take_files():
    """Copy the chapter's data files, if there are any, into the scratch folder."""
    if os.path.isdir(f"{OWN}/files"):
        shutil.copytree(f"{OWN}/files", SCRATCH, dirs_exist_ok=True)


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
