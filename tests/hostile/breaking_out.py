"""Submissions that reach for the machine, the network, or the next submission."""

from hostile.corpus import Book, attack


@attack("breaking out")
def network(book: Book) -> None:
    """Opens connections to a public address, to a name, to the loopback and by datagram, and an own server for others
    to find. Every one is refused: inside there is no interface and no name service.
    """
    book.cell("""
import socket
reached = []
for family, kind, address in ((2, 1, ("192.0.2.1", 80)), (2, 1, ("127.0.0.1", 22)), (2, 1, ("127.0.0.1", 8888)),
                              (10, 1, ("::1", 22)), (2, 2, ("192.0.2.1", 53))):
    try:
        with socket.socket(family, kind) as connection:
            connection.settimeout(1)
            connection.connect(address)
            reached.append(address)
    except OSError:
        pass
try:
    reached.append(socket.gethostbyname("example.org"))
except OSError:
    pass
print(reached)
""", prints="[]")


@attack("breaking out")
def signals_to_everybody(book: Book) -> None:
    """Sends SIGKILL and SIGSTOP to every process id and group that it can name. In its own namespace that is nobody but
    itself, and the kernel as first process ignores it.
    """
    book.cell("""
import os, signal
hit = []
for pid in (*range(2, 3000), *range(-3000, -1)):
    for number in (signal.SIGSTOP, signal.SIGKILL):
        try:
            os.kill(pid, number)
            hit.append(pid)
        except OSError:
            pass
print([pid for pid in hit if abs(pid) > 100])  # the small ones are its own threads
""", prints="[]")


@attack("breaking out")
def capabilities_and_mounts(book: Book) -> None:
    """Calls mount, umount, remount, chroot, setuid and sethostname, and the mount calls again inside a new user
    namespace, to uncover what is masked. No call changes what it can see.
    """
    book.cell("""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def attempts():
    return [
        libc.umount2(b"/exchange", 2), libc.umount2(b"/proc", 2), libc.umount2(b"/tmp", 2),
        libc.mount(None, b"/kernel", None, 32 | 4096, None), libc.mount(b"proc", b"/proc", b"proc", 0, None),
        libc.mount(None, b"/usr", None, 32 | 4096, None),
    ]
print(set(attempts()), libc.chroot(b"/scratch"), libc.setuid(0) if os.getuid() else -1, libc.sethostname(b"x", 1))
if os.fork() == 0:
    if libc.unshare(0x10000000 | 0x20000) == 0:
        attempts()
        if os.path.exists("/proc/1") or os.listdir("/exchange") != []:
            open("/scratch/broken", "w").close()
    os._exit(0)
os.wait()
print(os.path.exists("/scratch/broken"))
""", prints="{-1} -1 -1 -1\nFalse")


@attack("breaking out")
def writes_everywhere(book: Book) -> None:
    """Tries to create, change and replace files outside its scratch folder: the interpreter, the environment, the
    sandbox's own modules, its socket folder, the canary course. All are read-only or not there.
    """
    book.cell(f"""
import os, sys
done = []
for folder in ("/", "/usr", "/usr/lib", "/bin", "/etc", sys.prefix, os.path.dirname(os.__file__), "/sandbox", "/kernel",
               "/exchange", "/keep/0", "/keep/1", "/proc", "/dev", "/scratch/..", {str(book.canary)!r}):
    try:
        open(os.path.join(folder, "bpe-was-here"), "w").close()
        done.append(folder)
    except OSError:
        pass
for path in ("/sandbox/wire.py", "/kernel/wire", "/kernel/s-1", os.__file__, sys.executable):
    for act in (lambda: os.remove(path), lambda: os.rename(path, path + "x"), lambda: os.chmod(path, 0o777),
                lambda: open(path, "ab")):
        try:
            act()
            done.append(path)
        except OSError:
            pass
print(done)
""", prints="[]")


@attack("breaking out")
def links_out_of_the_scratch_folder(book: Book) -> None:
    """Fills its scratch folder with symbolic links to the host's secrets and hard links to system files, hoping that
    the grader follows them or changes their modes when it cleans up. The folder is memory of the sandbox alone.
    """
    book.cell(f"""
import os
os.symlink({str(book.canary)!r}, "data-of-the-course")
os.symlink("/etc/shadow", "shadow")
linked = []
for path in ("/usr/bin/env", "/sandbox/wire.py", "/kernel/wire"):
    try:
        os.link(path, "hard" + os.path.basename(path))
        linked.append(path)
    except OSError:
        pass
print(linked, os.path.exists("shadow"), os.path.exists("data-of-the-course/gradebook.db"))
""", prints="[] False False")


@attack("breaking out")
def set_user_id(book: Book) -> None:
    """Makes a set-user-id copy of a shell and runs every set-user-id program of the system. Nothing gains a privilege:
    `no_new_privs` is set, and the file systems that can be written ignore the bit.
    """
    book.cell("""
import os, shutil, subprocess
shutil.copy("/bin/sh", "sh"); os.chmod("sh", 0o6755)
print(subprocess.run(["./sh", "-p", "-c", "id -u"], capture_output=True, text=True).stdout.strip() == str(os.getuid()))
gained = []
for path in ("/usr/bin/su", "/usr/bin/mount", "/usr/bin/passwd", "/usr/bin/newgrp", "/usr/bin/sudo"):
    if os.path.exists(path):
        out = subprocess.run([path, "--help"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        gained += [path] if "uid=0" in out.stdout else []
print(gained)
""", prints="True\n[]")


@attack("breaking out")
def daemon(book: Book) -> None:
    """Starts processes that leave session and process group, ignore every signal and spin, to go on when the kernel is
    gone. They are in its namespace and end with it; the test finds no process of the kernel's user afterwards.
    """
    book.cell("""
import os, signal, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        for number in range(1, 65):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        if os.fork():
            os._exit(0)
        while True:
            time.sleep(0.01)
""")


@attack("breaking out")
def leftovers(book: Book) -> None:
    """Leaves files in /tmp, /dev/shm and its folder, a System V segment, an abstract socket and a session keyring entry
    for the next submission, which looks for each. It finds nothing; segments and keys are refused to both.
    """
    book.cell("""
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
for path in ("/tmp/left", "/dev/shm/left", "/scratch/left", "/left", "/keep/0/left", "/sandbox/left.py", "/dev/left"):
    try:
        open(path, "w").write("answers")
    except OSError:
        pass
print(libc.shmget(4711, 4096, 0o1666) >= 0)
server = socket.socket(socket.AF_UNIX); server.bind("\\0left"); server.listen()
print(libc.syscall(248, b"user", b"left", b"answers", 7, -4) >= 0)
""", prints="False\nFalse")
    book.next_submission().cell("""
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
found = [path for path in ("/tmp/left", "/dev/shm/left", "/scratch/left", "/left", "/keep/0/left",
                              "/sandbox/left.py", "/dev/left") if os.path.exists(path)]
found += ["segment"] if libc.shmget(4711, 4096, 0) >= 0 else []
try:
    socket.socket(socket.AF_UNIX).connect("\\0left")
    found.append("socket")
except OSError:
    pass
found += ["keyring"] if libc.syscall(249, b"user", b"left", None, 0) > 0 else []
print(found)
""", prints="[]")


@attack("breaking out", count_pairs=0)
def descriptors_to_the_grader(book: Book) -> None:
    """Sends open descriptors over the wire, hundreds of them, so that the grader would run out of its own or read from
    them. It takes bytes only; the garbage is a failed batch.
    """
    book.answer("count_pairs", """
import array, gc, os, socket
def count_pairs(sequences):
    for thing in gc.get_objects():
        if isinstance(thing, socket.socket) and thing.fileno() >= 0 and thing.family == socket.AF_UNIX:
            try:
                for _ in range(20):
                    thing.sendmsg([b"[]"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0] * 100))])
            except OSError:
                pass
    os._exit(0)
""")


@attack("breaking out")
def deaf_parent(book: Book) -> None:
    """Looks among its descriptors for what the pre-loaded parent waits on, and takes every pipe out of every epoll
    instance: the parent would never hear again that a kernel has ended, and the next submission be told another reason.
    Nothing of the parent's is there.
    """
    book.cell("""
import os, select, stat
pipes, reached = [], []
for number in range(512):
    try:
        if stat.S_ISFIFO(os.fstat(number).st_mode):
            pipes.append(number)
    except OSError:
        pass
for number in range(512) if pipes else ():
    try:
        copy = os.dup(number)
    except OSError:
        continue
    with select.epoll.fromfd(copy) as epoll:
        for pipe in pipes:
            try:
                epoll.unregister(pipe)
                reached.append(pipe)
            except OSError:
                pass
print(pipes, reached)
""", prints="[] []")


@attack("breaking out")
def namespaces_of_its_own(book: Book) -> None:
    """Makes a user namespace by every call there is, to have all capabilities in it: for mounts without a limit of
    size, and for large parts of the machine's kernel that are closed to others. All are refused, and so are a few calls
    that reach as far and that no notebook needs.
    """
    book.cell("""
import ctypes, os, subprocess
libc = ctypes.CDLL(None, use_errno=True)
numbers = {"x86_64": (56, 435, 272, 425, 321, 298, 323), "aarch64": (220, 435, 97, 425, 280, 241, 282)}
clone, clone3, unshare, *others = numbers[os.uname().machine]
arguments = ctypes.create_string_buffer(b"".join(n.to_bytes(8, "little") for n in (0x10000000, 0, 0, 0, 17, 0, 0, 0)))
print({libc.syscall(clone, 0x10000000 | 17, 0, 0, 0, 0), libc.syscall(clone3, arguments, 64), libc.unshare(0x10000000),
       libc.syscall(unshare, 0x10000000), libc.syscall(0x40000000 | unshare, 0x10000000),
       *(libc.syscall(number, 0, 0, 0, 0, 0) for number in others)})
print(subprocess.run(["unshare", "-Ur", "id", "-u"], capture_output=True, text=True).stdout == "")
""", prints="{-1}\nTrue")


@attack("breaking out")
def sockets_past_the_namespace(book: Book) -> None:
    """Opens a socket of every family. Most kinds stay within the namespace or do not exist, but the one for virtual
    machines belongs to no namespace: it reaches the machine around this one, and submissions graded beside. Only those
    that no network comes of are given.
    """
    book.cell("""
import socket
given = set()
for family in range(1, 64):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
        try:
            socket.socket(family, kind).close()
            given.add(family)
        except OSError:
            pass
print(given - {socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK})
""", prints="set()")


@attack("breaking out")
def places_in_inherited_files(book: Book) -> None:
    """Goes to a place in every file that the pre-loaded parent has left open, and locks it, to tell the next submission
    something: whoever inherits the same open file finds the place and the lock. Each kernel has opened them anew.
    """
    book.cell("""
import fcntl, os, stat
for number in range(512):
    try:
        if stat.S_ISREG(os.fstat(number).st_mode):
            os.lseek(number, 4711, os.SEEK_SET)
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        pass
""")
    book.next_submission().cell("""
import fcntl, matplotlib, os, stat
found = []
for number in range(512):
    try:
        if stat.S_ISREG(os.fstat(number).st_mode) and os.lseek(number, 0, os.SEEK_CUR) == 4711:
            found.append(number)
    except OSError:
        pass
for folder, _, names in os.walk(f"{matplotlib.get_data_path()}/fonts/ttf"):
    for name in names:
        try:
            with open(f"{folder}/{name}", "rb") as font:
                fcntl.flock(font, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            found.append(name)
print(found)
""", prints="[]")
