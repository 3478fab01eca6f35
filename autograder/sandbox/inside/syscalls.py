"""A filter of system calls: kernels are refused those that no notebook needs and that reach far into the machine.

They are what makes memory that belongs to no process, so that no limit counts it and it does not end with whoever made
it (System V, anonymous files, keys), what opens large parts of the machine's kernel to anybody (user namespaces, BPF,
io_uring and the like), and sockets of kinds that no namespace holds back: one for virtual machines (`AF_VSOCK`) reaches
the machine around this one, and other submissions. Only calls are looked at, no paths: the walls do not rest on it,
but for those sockets.

Runs inside the sandbox; standard library only. On machines of another kind than the two known here there is no filter.
"""

import ctypes
import errno
import os
import struct

__all__ = ["install"]

# AUDIT_ARCH, the numbers of clone, clone3 and socket, and those that are refused, in the order of NAMES.
MACHINES = {
    "x86_64": (0xC000003E, 56, 435, 41, (29, 64, 68, 319, 447, 248, 249, 250, 272, 308, 321, 323, 298, 425)),
    "aarch64": (0xC00000B7, 220, 435, 198, (194, 190, 186, 279, 447, 217, 218, 219, 97, 268, 280, 282, 241, 425)),
}
NAMES = (
    "shmget", "semget", "msgget", "memfd_create", "memfd_secret", "add_key", "request_key", "keyctl", "unshare",
    "setns", "bpf", "userfaultfd", "perf_event_open", "io_uring_setup",
)
CLONE_NEWUSER = 0x10000000
FAMILIES = (1, 2, 10, 16)  # of sockets: Unix, the internet's two, and what tells of networks, where there are none
OTHER_NUMBERS = 0x40000000  # where x86's second set of numbers for the same calls begins
PR_SET_SECCOMP, FILTER = 22, 2
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # of classic BPF
NUMBER, ARCHITECTURE, FIRST = 0, 4, 16  # offsets in what the filter looks at; the last one is the first argument's
ALLOW, REFUSE = 0x7FFF0000, 0x00050000  # to the second an error number is added


def program(machine):
    """The filter as lines `(code, jump if true, jump if false, value)`; jumps skip so many lines."""
    architecture, clone, clone3, socket, refused = MACHINES[machine]
    refuse = (RETURN, 0, 0, REFUSE | errno.EPERM)
    lines = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, architecture), refuse, (LOAD, 0, 0, NUMBER)]
    lines += [(AT_LEAST, 0, 1, OTHER_NUMBERS), refuse]
    for number in refused:
        lines += [(EQUAL, 0, 1, number), refuse]
    # The flags of clone3 cannot be looked at. Who hears that there is no such call takes clone, as on older machines.
    lines += [(EQUAL, 0, 1, clone3), (RETURN, 0, 0, REFUSE | errno.ENOSYS)]
    allow = (RETURN, 0, 0, ALLOW)
    lines += [(EQUAL, 0, 4, clone), (LOAD, 0, 0, FIRST), (ANY_BIT, 0, 1, CLONE_NEWUSER), refuse, allow]
    families = [line for family in FAMILIES for line in ((EQUAL, 0, 1, family), allow)]
    other_family = (RETURN, 0, 0, REFUSE | errno.EAFNOSUPPORT)
    lines += [(EQUAL, 0, len(families) + 2, socket), (LOAD, 0, 0, FIRST), *families, other_family]
    return [*lines, allow]


def install(libc):
    """Put the filter on this process and all that it will start; needs `no_new_privs`. Raises `OSError`."""
    machine = os.uname().machine
    if machine not in MACHINES:
        return
    lines = program(machine)
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in lines))
    head = ctypes.create_string_buffer(struct.pack("@HP", len(lines), ctypes.addressof(code)))
    if libc.prctl(PR_SET_SECCOMP, FILTER, head, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"seccomp: {os.strerror(number)}")
