"""Submissions that use up time, memory, disk, processes or the grader's patience."""

from hostile.corpus import Book, attack

WIRE = '''
import gc, json, os, socket, struct
def own_wire():
    """The worker's socket to the grader, found in memory."""
    for thing in gc.get_objects():
        if isinstance(thing, socket.socket) and thing.fileno() >= 0 and thing.family == socket.AF_UNIX:
            try:
                if thing.getpeername().endswith("/wire"):
                    return thing
            except OSError:
                pass
def frame(body):
    return struct.pack(">I", len(body)) + body
'''


@attack("exhausting", count_pairs=0)
def integer_too_long_to_print(book: Book) -> None:
    """A list that holds an integer of 100,000 digits, which Python refuses to print. It is a wrong answer, shown in few
    words; it must not stop the grader when the counterexample is written.
    """
    book.answer("count_pairs", "def count_pairs(sequences):\n    return [1 << 400_000]")


@attack("exhausting", count_pairs=0)
def keys_that_collide(book: Book) -> None:
    """Sends a dict with 60,000 keys of equal hash, straight over the wire: building it would keep the grader for
    minutes (a longer message: for hours) in one step that no signal ends. The reply is refused, and the exercise
    scores nothing.
    """
    book.answer("count_pairs", WIRE + """
keys = ",".join('[{"i":"%x"},1]' % (number * (2**61 - 1)) for number in range(10, 60_000))
def count_pairs(sequences):
    own_wire().sendall(frame(b'[["returned",{"d":[' + keys.encode() + b']},null,0]]'))
    os._exit(0)
""")


@attack("exhausting", best_pair=0)
def keys_that_collide_elsewhere(book: Book) -> None:
    """The same where a look at the average does not see it (beside keys of other hashes), in the short form of tables,
    and in a DataFrame's columns. Each is refused.
    """
    book.cell(WIRE + """
prime = 2**61 - 1
keys = ['{"i":"%x"}' % (number * prime) for number in range(10, 30_000)]
MIXED = '{"d":[' + ",".join(f"[{key},1]" for key in [*keys, *range(2_000)]) + "]}"
SHORT = '{"m":[[' + ",".join(keys) + "],[" + ",".join("0" for _ in keys) + '],""]}'
COLUMNS = '{"r":"Frame","v":[{"t":[' + ",".join(keys) + ']},{"d":[]},[]]}'
def say(value):
    own_wire().sendall(frame(b'[["returned",' + value.encode() + b',null,0]]'))
    os._exit(0)
""", after="setup_imports")
    book.answer("best_pair", "def best_pair(counts):\n    say((MIXED, SHORT, COLUMNS)[len(counts) % 3])")


@attack("exhausting", count_pairs=0)
def small_text_large_memory(book: Book) -> None:
    """Sends 16 MB of empty objects, which would take 1 GB once parsed, straight over the wire. The reply is refused
    before it is parsed.
    """
    book.answer("count_pairs", WIRE + """
def count_pairs(sequences):
    own_wire().sendall(frame(b"[[" + b'{"":0},' * 2_300_000 + b"0]]"))
    os._exit(0)
""")


@attack("exhausting", count_pairs=0)
def huge_answer_to_each_call(book: Book) -> None:
    """Every call returns 7 MB, each a legal answer; thousands of calls would fill the grader's memory. All answers of a
    batch share one limit, beyond which they are refused.
    """
    book.answer("count_pairs", "def count_pairs(sequences):\n    return b'x' * 7_000_000")


@attack("exhausting")
def malformed_messages(book: Book) -> None:
    """Signed messages on the kernel's sockets that lack what a front end expects: no text, no name, wrong types, JSON
    nested a thousand deep, an unsigned one. None of them stops the run or costs points.
    """
    book.cell("""
kernel = get_ipython().kernel
parent = kernel.get_parent("shell")
session, iopub = kernel.session, kernel.iopub_socket
for kind, content in (
    ("stream", {}), ("stream", {"name": 1, "text": 1}), ("status", {}), ("execute_result", {"data": 1}), ("error", {}),
    ("display_data", {"transient": 1}), ("display_data", {"data": [], "metadata": []}), ("clear_output", []),
    ("update_display_data", {"transient": {"display_id": []}}), ("stream", "text"), ("nonsense", None),
    ("display_data", {"data": {"text/plain": {"a": 1}}, "metadata": 7}), (7, {}),
    ("error", {"ename": 1, "evalue": 2, "traceback": 3}),
):
    session.send(iopub, kind, content, parent, ident=b"kernel")
deep = b"[" * 100_000 + b"]" * 100_000
iopub.send_multipart([b"kernel", b"<IDS|MSG>", b"no signature", b"{}", b"{}", b"{}", b"{}"])
iopub.send_multipart([b"kernel", b"<IDS|MSG>", session.sign([deep, deep, deep, deep]), deep, deep, deep, deep])
iopub.send_multipart([b"nothing"])
""")


@attack("exhausting", slow=True)
def endless_message_in_parts(book: Book) -> None:
    """One ZeroMQ message of 4,000 parts of 1 MB each, whose end never comes, so that no limit on whole messages
    applies: the grader would have to hold all of it. The watch ends the kernel, and the cell is skipped.
    """
    book.cell("""
import zmq, time
kernel = get_ipython().kernel
part = zmq.Frame(b"x" * 1_000_000)
socket = kernel.iopub_socket.io_thread.socket
for number in range(4_000):
    socket.send(part, zmq.SNDMORE, copy=False)
time.sleep(4)
""")
    book.says("Skipped the cell")


@attack("exhausting", count_pairs=0, slow=True)
def endless_loop(book: Book) -> None:
    """The answer never comes back and catches everything, also what the limit raises. Each check ends by its limit."""
    book.answer("count_pairs", """
def count_pairs(sequences):
    while True:
        try:
            while True: pass
        except BaseException: pass
""")


@attack("exhausting", count_pairs=0, slow=True)
def asleep_with_signals_blocked(book: Book) -> None:
    """The answer sleeps with all signals blocked, so that the alarm inside never comes; the wait outside has its own
    end, and the time of all checks together has one, too: what is not asked by then is lost with the kernel.
    """
    book.answer("count_pairs", """
import signal, time
def count_pairs(sequences):
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True: time.sleep(1000)
""")
    book.says("no answer within")


@attack("exhausting", slow=True)
def cell_that_cannot_be_interrupted(book: Book) -> None:
    """A cell of its own loops for ever and swallows KeyboardInterrupt. It is skipped in a second run, and the note says
    so; every exercise keeps its points.
    """
    book.cell("""
while True:
    try:
        while True: pass
    except BaseException: pass
""")
    book.says("this cell ran too long")


@attack("exhausting")
def cell_that_exits(book: Book) -> None:
    """`exit()`, `sys.exit`, `os._exit`, a segmentation fault and `SIGKILL` to itself, each in a cell: those that end
    the process are skipped one by one, and all exercises keep their points.
    """
    book.cell("exit()", after="test_count_pairs")
    book.cell("import sys\nsys.exit(3)", after="test_merge_pair")
    book.cell("import os\nos._exit(1)", after="test_best_pair")
    book.cell("import ctypes\nctypes.string_at(0)", after="test_predict_abab_acac")
    book.says("ended the Python process")


@attack("exhausting", slow=True, predict_abab_acac=0, fit_merges=0, trace=0, lecture_merges=0, tie_example=0,
        plot_merges=0)
def four_cells_that_exit(book: Book) -> None:
    """Four cells end the process: the notebook counts up to the fourth, and the report says where it stopped."""
    for name in ("test_count_pairs", "test_merge_pair", "count_pairs", "test_best_pair"):
        book.cell(f"import os\nos._exit(1)  # {name}", after=name)
    book.says("the notebook did not run as far as this cell")


@attack("exhausting", count_pairs=0, merge_pair=0, best_pair=0)
def answers_that_end_the_process(book: Book) -> None:
    """Answers that exit, crash by ctypes and recurse without end in C. Each costs its exercise only."""
    book.answer("count_pairs", "import os\ndef count_pairs(sequences):\n    os._exit(0)")
    book.answer("merge_pair", "import ctypes\ndef merge_pair(ids, pair, new_id):\n    ctypes.string_at(0)")
    book.answer("best_pair", "import os, signal\ndef best_pair(counts):\n    os.kill(os.getpid(), signal.SIGKILL)")


@attack("exhausting", merge_pair=0, best_pair=0)
def recursion_and_input(book: Book) -> None:
    """One answer calls itself without end, another waits for input: both raise and earn nothing.
    """
    book.answer("merge_pair", "def merge_pair(ids, pair, new_id):\n    return merge_pair(ids, pair, new_id)")
    book.answer("best_pair", "def best_pair(counts):\n    return input('your answer, please: ')")


@attack("exhausting")
def input_in_a_cell(book: Book) -> None:
    """A cell asks for input: nobody is there, so it raises at once."""
    book.cell("name = input('name: ')")


@attack("exhausting", slow=True)
def fork_bomb(book: Book) -> None:
    """Forks without end. The limit of processes holds, the cell ends with an error or by its time, and the next
    submission in the same sandbox keeps all its points.
    """
    book.cell("""
import os, time
end = time.monotonic() + 3
while time.monotonic() < end:
    try:
        os.fork()
    except OSError:
        time.sleep(0.01)
import threading
if os.getpid() != 1: os._exit(0)
""")
    book.next_submission()


@attack("exhausting")
def thread_bomb(book: Book) -> None:
    """Starts threads until it may not any more; they end, and the rest runs on."""
    book.cell("""
import threading
stop, started = threading.Event(), []
try:
    for _ in range(10_000):
        thread = threading.Thread(target=stop.wait, daemon=True)
        thread.start()
        started.append(thread)
except RuntimeError:
    print(len(started) < 200)
stop.set()
""", prints="True")


@attack("exhausting")
def memory_bombs(book: Book) -> None:
    """A list, an array, an anonymous mapping and a bytearray, each of more than the limit: MemoryError or OSError, and
    the notebook goes on.
    """
    book.cell("""
import mmap, numpy
refused = 0
for bomb in (lambda: [0] * 10**12, lambda: numpy.ones(10**10), lambda: mmap.mmap(-1, 8 << 30),
             lambda: bytearray(8 << 30)):
    try:
        bomb()
    except (MemoryError, OSError):
        refused += 1
print(refused)
""", prints="4")


@attack("exhausting", slow=True)
def memory_in_many_processes(book: Book) -> None:
    """Twenty processes take 400 MB each: every one is below its own limit, together they are far above what a machine
    may spare. The watch adds up and ends the kernel; the cell is skipped, and the rest keeps its points.
    """
    book.cell("""
import os, time
for _ in range(20):
    if os.fork() == 0:
        held = b"x" * 400_000_000
        time.sleep(30)
        os._exit(0)
time.sleep(5)
""")
    book.says("too much memory together")


@attack("exhausting", slow=True)
def memory_in_new_programs(book: Book) -> None:
    """Sixty programs started afresh take 80 MB each. That is less than a forked process has in common with the
    pre-loaded parent, but here it is each one's own: the watch must not take it for what all share.
    """
    book.cell("""
import subprocess, sys, time
program = "held = bytearray(b'x') * 80_000_000; import time; time.sleep(30)"
for _ in range(60):
    subprocess.Popen([sys.executable, "-I", "-S", "-c", program])
time.sleep(4)
""")
    book.says("too much memory together")


@attack("exhausting")
def memory_of_nobody(book: Book) -> None:
    """Asks for memory that belongs to no process, so that the watch does not see it and it stays when its process ends:
    segments, semaphores and queues of System V, anonymous files, keys, and names of very many empty files. All but the
    last are refused, and of those there is a number.
    """
    book.cell("""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
add_key = {"x86_64": 248, "aarch64": 217}[os.uname().machine]
print(libc.shmget(0, 1 << 20, 0o1600), libc.semget(0, 32_000, 0o1600), libc.msgget(0, 0o1600),
      libc.syscall(add_key, b"user", b"key", b"text", 4, -4))
try:
    os.memfd_create("nobody's")
except OSError as error:
    print(type(error).__name__)
for folder in ("/scratch", "/tmp", "/dev/shm"):
    made = []
    try:
        for number in range(30_000):
            os.mkdir(f"{folder}/empty{number}")
            made.append(number)
    except OSError:
        print(len(made) < 20_000)
    for number in made:
        os.rmdir(f"{folder}/empty{number}")
""", prints="-1 -1 -1 -1\nPermissionError\nTrue\nTrue\nTrue")


@attack("exhausting")
def full_disk(book: Book) -> None:
    """Writes to its folder, /tmp and /dev/shm until nothing fits: each is memory of limited size, and a full folder
    costs only what needs one.
    """
    book.cell("""
import os
total = 0
for folder in ("/scratch", "/tmp", "/dev/shm"):
    try:
        for number in range(100):
            with open(f"{folder}/fill{number}", "wb") as file:
                total += file.write(b"x" * 16_000_000)
    except OSError:
        pass
print(total < 800_000_000)
for folder in ("/scratch", "/tmp", "/dev/shm"):
    for name in os.listdir(folder):
        if name.startswith("fill"):
            os.remove(f"{folder}/{name}")
""", prints="True")


@attack("exhausting")
def a_line_of_200_megabytes(book: Book) -> None:
    """Prints 200 MB in one line, then a million lines. Both are cut where they are printed."""
    book.cell("print('x' * 200_000_000)")
    book.cell("for number in range(1_000_000):\n    print(number)")
    book.says("cut here")


@attack("exhausting", slow=True)
def a_million_displays(book: Book) -> None:
    """Displays objects until the cell's time is over, and sends 300,000 messages on the kernel's own socket. Outputs
    beyond the limit are dropped, and the grader's memory does not grow.
    """
    book.cell("""
kernel = get_ipython().kernel
parent = kernel.get_parent("shell")
for number in range(300_000):
    content = {"data": {"text/plain": "x" * 100}, "metadata": {}}
    kernel.session.send(kernel.iopub_socket, "display_data", content, parent)
""")


@attack("exhausting", slow=True)
def display_of_a_huge_value(book: Book) -> None:
    """A cell whose value is a text of 200 MB, and one whose value is a list of ten million items. IPython shows the
    list cut; the text is larger than any output that is kept, and is not sent.
    """
    book.cell("'x' * 200_000_000")
    book.cell("list(range(10_000_000))")


@attack("exhausting", count_pairs=0, merge_pair=0, best_pair=0)
def values_that_do_not_cross(book: Book) -> None:
    """Returns a list that holds itself, one nested ten thousand deep, and a module: each is a wrong answer with words
    why.
    """
    book.answer("count_pairs", "def count_pairs(sequences):\n    a = []\n    a.append(a)\n    return a")
    book.answer("merge_pair", "deep = []\nfor _ in range(10_000):\n    deep = [deep]\n"
                              "def merge_pair(ids, pair, new_id):\n    return deep")
    book.answer("best_pair", "import itertools\ndef best_pair(counts):\n    return itertools")


@attack("exhausting", count_pairs=0, slow=True)
def reply_that_drips(book: Book) -> None:
    """Sends one byte a second, so that a wait for the next byte never ends. The wait for a whole batch does, and the
    time of all checks together.
    """
    book.answer("count_pairs", WIRE + """
import time
def count_pairs(sequences):
    signal = __import__("signal"); signal.setitimer(signal.ITIMER_REAL, 0)
    wire = own_wire()
    wire.sendall(frame(b"x" * 1000)[:4])
    while True:
        wire.sendall(b"[")
        time.sleep(1)
""")


@attack("exhausting", slow=True, may_lose=True)
def flood_of_the_wire(book: Book) -> None:
    """Forty processes connect to the wire without end and say nothing, so that hardly a right caller gets through. That
    may cost the submission its own points, in bounded time, and the next one nothing.
    """
    book.cell("""
import os, socket
for _ in range(40):
    if os.fork() == 0:
        held = []
        while True:
            try:
                caller = socket.socket(socket.AF_UNIX)
                caller.settimeout(1)
                caller.connect("/kernel/wire")
                held = held[-50:] + [caller]
            except OSError:
                pass
""", after="setup_imports")
    book.next_submission()


@attack("exhausting", best_pair=0, slow=True)
def generator_without_end(book: Book) -> None:
    """Returns a generator that never ends, to each of hundreds of calls: a bounded number of items is drawn, and the
    time of the batch ends it.
    """
    book.answer("best_pair", "import itertools\ndef best_pair(counts):\n    return itertools.count()")


@attack("exhausting", slow=True, best_pair=0, predict_abab_acac=0, fit_merges=0, trace=0, lecture_merges=0,
        tie_example=0, plot_merges=0)
def many_slow_cells(book: Book) -> None:
    """Forty cells sleep a little less than a cell may: each is within its limit, all together would hold up the class
    for hours. The run has a limit, too; what stands above those cells is judged, and the report says why the rest is
    not.
    """
    for number in range(40):
        book.cell(f"import time\ntime.sleep(4)  # {number}", after="test_merge_pair")
    book.says("took all of the time")


@attack("exhausting")
def outputs_in_many_cells(book: Book) -> None:
    """Twenty cells display almost as much as a cell may, 38 MB together, which everybody who handles the notebook would
    hold several times. What goes beyond the notebook's limit is left out, and says so.
    """
    for number in range(20):
        book.cell("from IPython.display import display\n"
                  f"display({{'text/plain': 'x' * {1_900_000 + number}}}, raw=True)")
    book.says("an output was left out here")


@attack("exhausting")
def deep_outputs(book: Book) -> None:
    """Outputs whose metadata or JSON is nested so deep that reading them works and copying or writing them may not."""
    book.cell("""
kernel = get_ipython().kernel
parent = kernel.get_parent("shell")
for depth in (50, 100, 200, 300, 400, 450, 500, 600, 700, 800, 900, 950):
    deep = []
    for _ in range(depth):
        deep = [deep]
    for content in ({"data": {"text/plain": "x"}, "metadata": {"a": deep}},
                    {"data": {"application/json": deep}, "metadata": {}}):
        kernel.session.send(kernel.iopub_socket, "display_data", content, parent, ident=b"kernel")
""")


@attack("exhausting", slow=True, count_pairs=0, merge_pair=0, best_pair=0, predict_abab_acac=0, fit_merges=0,
        trace=0, lecture_merges=0, tie_example=0, plot_merges=0)
def large_answers_everywhere(book: Book) -> None:
    """Every exercise answers each call with as many small objects as an answer may hold. What is kept of answers for
    naming mistakes is bounded for all exercises together, so that it does not add up.
    """
    book.cell("much = [300] * 1_200_000", after="setup_imports")
    for name in book.answers:
        book.answer(name, f"def {name}(*args):\n    return much" if "def " in book.answers[name] else f"{name} = much")


@attack("exhausting", ungradable="values; clear all outputs")
def small_file_large_memory(book: Book) -> None:
    """A file of 30 MB that holds ten million empty lists, which take 600 MB once read. It is refused before."""
    book.data = b'{"nbformat": 4, "cells": [' + b"[]," * 10_000_000 + b"[]]}"


@attack("exhausting")
def large_file(book: Book) -> None:
    """Outputs of 25 MB left in the file, one emoji among them, which makes four bytes of each character in memory."""
    book.notebook.cells[1].outputs = [
        {"output_type": "stream", "name": "stdout", "text": "x" * 25_000_000 + "\U0001f600"}
    ]
