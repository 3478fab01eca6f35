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


@attack("exhausting", count_pairs=0.5)
def integer_too_long_to_print(book: Book) -> None:
    """A list that holds an integer of 100,000 digits, which Python refuses to print. It is a wrong answer, shown in few
    words; it must not stop the grader when the counterexample is written.
    """
    book.answer("count_pairs", "def count_pairs(sequences):\n    return [1 << 400_000]")


@attack("exhausting", count_pairs=0)
def keys_that_collide(book: Book) -> None:
    """Sends a dict with 300,000 keys of equal hash, straight over the wire: building it would take the grader hours in
    one step that no signal ends. The reply is refused, and the exercise scores nothing.
    """
    book.answer("count_pairs", WIRE + """
def count_pairs(sequences):
    keys = ",".join('[{"i":"%x"},1]' % (number * (2**61 - 1)) for number in range(10, 300_000))
    own_wire().sendall(frame(b'[["returned",{"d":[' + keys.encode() + b']},null,0]]'))
    os._exit(0)
""")


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
    ("display_data", {"data": {"text/plain": {"a": 1}}, "metadata": 7}), (7, {}), ("error", {"ename": 1, "evalue": 2, "traceback": 3}),
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
import threading
socket = kernel.iopub_thread._iopub_socket if hasattr(kernel, "iopub_thread") else kernel.iopub_thread.socket
for number in range(4_000):
    socket.send(part, zmq.SNDMORE, copy=False)
time.sleep(4)
""")
    book.says("Skipped the cell")
