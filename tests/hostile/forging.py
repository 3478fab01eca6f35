"""Submissions that claim points without the answer."""

import json

from hostile.corpus import Book, attack

LIAR = '''
class Right:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    def __hash__(self): return 0
    def __len__(self): return 1
    def __iter__(self): return iter([self])
    def __getattr__(self, name): return self
    def __call__(self, *args, **kwargs): return self
    def __repr__(self): return "{(1, 2): 1}"
    @property
    def __class__(self): return dict
'''
LIST_LIAR = '''
class Liar(list):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __iter__(self): return iter([9, 3, 9])
    def __len__(self): return 3
    def __getitem__(self, index): return 9
    def __reduce__(self): return (eval, ("True",))
    def __repr__(self): return "[9, 3, 9]"
'''


@attack("forging", count_pairs=0)
def equal_to_everything(book: Book) -> None:
    """Returns an object that says it is equal to anything, a dict by `__class__` and by `repr`. It crosses the wire as
    the name of its type only, so every comparison fails and nothing is earned.
    """
    book.answer("count_pairs", f"{LIAR}\ndef count_pairs(sequences):\n    return Right()")


@attack("forging", merge_pair=0)
def lying_list(book: Book) -> None:
    """Returns a list subclass whose methods claim the right items while it holds wrong ones. What it really holds
    crosses the wire, which is wrong everywhere.
    """
    book.answer("merge_pair", f"{LIST_LIAR}\ndef merge_pair(ids, pair, new_id):\n    return Liar([0, 0, 0, 0, 0, 0])")


@attack("forging")
def lying_list_of_right_items(book: Book) -> None:
    """The same subclass around the right items: its lies cost nothing either, and all points are earned."""
    right = book.answers["merge_pair"].replace("def merge_pair", "def my_merge_pair")
    book.answer("merge_pair", f"{LIST_LIAR}\n{right}\ndef merge_pair(ids, pair, new_id):\n"
                              "    return Liar(my_merge_pair(ids, pair, new_id))")


@attack("forging", best_pair=0)
def lying_integers(book: Book) -> None:
    """Returns a tuple of int subclasses that are equal to all ints and hash like them. Their true value crosses, so
    the choice is wrong.
    """
    book.answer("best_pair", """
class Any(int):
    def __eq__(self, other): return True
    def __hash__(self): return 1
    def __index__(self): return 97
    def __int__(self): return 97
    def __add__(self, other): return 97
def best_pair(counts):
    return (Any(-1), Any(-1))
""")


@attack("forging", count_pairs=0)
def patched_library(book: Book) -> None:
    """Patches what serialises and compares in its own process (`json.dumps`, `struct.pack`, `wire.reduce`,
    `wire.written`) to send `True` and full marks. Nothing of that decides: the exercise fails, and the patch is in its
    own copies of the snapshot only. That its answers are too few is noticed as soon as nobody works on the others.
    """
    book.answer("count_pairs", """
import sys
def count_pairs(sequences):
    wire = sys.modules.get("wire")
    wire.reduce = lambda value, take=0: True
    wire.written = lambda packed: b'[["returned", true, null, 0.0]]'
    return {"passed": True, "score": 4.0, "points": 4.0}
""")


@attack("forging", count_pairs=0, merge_pair=0)
def messages_of_a_passed_check(book: Book) -> None:
    """Returns and raises what might be taken for a verdict: a dict of a passed check, an exception called `Passed`
    with full points. They are wrong answers like others.
    """
    verdict = {"name": "every_place", "status": "passed", "points": 4.0, "max_points": 4.0, "message": ""}
    book.answer("count_pairs", f"def count_pairs(sequences):\n    return {verdict!r}")
    book.answer("merge_pair", "class Passed(BaseException):\n    points = 5.0\n"
                              "def merge_pair(ids, pair, new_id):\n    ids.clear()\n    raise Passed('full marks')")


@attack("forging", count_pairs=0)
def replies_of_every_wrong_shape(book: Book) -> None:
    """Takes over the snapshot's end of the wire and sends frames that are no answers: numbers that overflow as
    seconds, wrong lengths, unknown tags, nested lists. Each is one failed batch, no crash of the grader and no points.
    """
    replies = [
        '[["returned", 1, null, 1' + "0" * 400 + "]]", '[["returned", {"i": "0x' + "f" * 6000 + '"}, null, 0]]',
        "{}", "[[]]", "null", "NaN", '["returned"]',
        '[["returned", {"d": [[[], 1]]}, null, 0]]', '[["returned", {"r": "Frame", "v": [1, 2, 3]}, null, 0]]',
        "[" * 900 + "]" * 900, '[["returned", 1, null, 0], ["returned", 1, null, 0], ["returned", 1, null, 0]]',
        '[["raised", [1], "x", null, 0]]', '[["unreadable", []]]', '[["returned", {"t": {}}, null, true]]', '"\\ud800"',
    ]
    book.answer("count_pairs", f"""
import gc, random, socket, struct, os
REPLIES = {json.dumps(replies)}
def count_pairs(sequences):
    for thing in gc.get_objects():
        if isinstance(thing, socket.socket):
            body = random.choice(REPLIES).encode()
            try:
                thing.sendall(struct.pack(">I", len(body)) + body)
            except OSError:
                pass
    os._exit(0)
""")


@attack("forging")
def asserts_removed(book: Book) -> None:
    """IPython is told to drop every assert (an AST transformer), to blank each cell (an input transformer) and to hide
    errors (a custom handler). Checks run nowhere near it: all answers stand in cells before it or are plain functions,
    so all points stay, and what its asserts would have said is not asked.
    """
    book.cell("""
import ast
class Drop(ast.NodeTransformer):
    def visit_Assert(self, node): return ast.Pass()
shell = get_ipython()
shell.ast_transformers.append(Drop())
shell.set_custom_exc((BaseException,), lambda *args, **kwargs: None)
""", after="test_plot_merges")


@attack("forging", best_pair=0)
def skipped_test_cells(book: Book) -> None:
    """Every test cell is tagged `skip-execution`, replaced by a number that nbgrader would read as points, and carries
    an output that looks like full marks; `best_pair` is wrong. Locked cells come from the release, so it is found.
    """
    book.answer("best_pair", "def best_pair(counts):\n    return (0, 0)")
    for cell in book.notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade") and cell.cell_type == "code":
            cell.metadata.tags = ["skip-execution", "raises-exception"]
            cell.metadata.nbgrader["points"] = 1000
            cell.source = "1000"
            cell.outputs = [{"output_type": "execute_result", "data": {"text/plain": "1000"}, "metadata": {},
                             "execution_count": 1}]


@attack("forging", tie_example=0)
def messages_on_the_kernels_sockets(book: Book) -> None:
    """Signs messages with the kernel's own key: results for other cells, a reply and an idle state before the cell is
    done, a `snapshot_reply` that nobody asked for, a change of points as a comm. They are at most outputs of its own
    cell; `tie_example` is wrong and stays wrong.
    """
    book.answer("tie_example", "tie_example = 'aa'")
    book.cell("""
kernel = get_ipython().kernel
parent = kernel.get_parent("shell")
session, iopub, shell = kernel.session, kernel.iopub_socket, kernel.shell_stream
for kind, content in (
    ("execute_result", {"data": {"text/plain": "1000"}, "metadata": {}, "execution_count": 1}),
    ("comm_open", {"comm_id": "1", "target_name": "grades", "data": {"test_tie_example": 1}}),
    ("status", {"execution_state": "idle"}),
):
    session.send(iopub, kind, content, parent, ident=b"kernel")
session.send(shell, "execute_reply", {"status": "ok", "execution_count": 1, "payload": []}, parent, ident=None)
session.send(shell, "snapshot_reply", {"status": "ok"}, parent, ident=None)
""", after="tie_example")


@attack("forging", count_pairs=0, merge_pair=0)
def fake_snapshots(book: Book) -> None:
    """A background process introduces itself on the wire as copies of two exercises, and then as their snapshots, and
    answers each call with full marks; it wins the race, since it connects first. What it says is not the right answer,
    so both exercises score nothing; the others are untouched.
    """
    book.cell("""
import json, marshal, os, socket, struct, time
def send(connection, value):
    body = json.dumps(value).encode()
    connection.sendall(struct.pack(">I", len(body)) + body)
def receive(connection):
    start = connection.recv(4, socket.MSG_WAITALL)
    if start:
        body = connection.recv(struct.unpack(">I", start)[0], socket.MSG_WAITALL)
        return marshal.loads(body[1:]) if body[0] == 0 else json.loads(body)
def introduced(as_what, name):
    connection = socket.socket(socket.AF_UNIX)
    connection.connect("/kernel/wire")
    send(connection, [as_what, name])
    return connection
def lie(copy, request):
    send(copy, [["returned", {"t": ["passed", 4.0]}, [], 0.0] for _ in request[2]])
def fake(name):
    request = None
    while request is None:  # the grader hangs up on who introduces itself before its turn
        copy = introduced("worker", name)
        request = receive(copy)
    control = introduced("snapshot", name)
    lie(copy, request)
    while control.recv(1):
        copy = introduced("worker", name)
        if os.fork() == 0:
            while True:
                lie(copy, receive(copy))
for name in ("test_count_pairs", "test_merge_pair"):
    if os.fork() == 0:
        fake(name)
        os._exit(0)
time.sleep(0.5)
""")


@attack("forging", slow=True, merge_pair=0, best_pair=0, predict_abab_acac=0, fit_merges=0, trace=0, lecture_merges=0,
        tie_example=0, plot_merges=0)
def snapshots_refused(book: Book) -> None:
    """Replaces the kernel's handlers for copies and snapshots by some that say ok and fork nothing. The exercises
    behind it cannot be asked, so they score nothing and the report says why; the one before it keeps its points.
    """
    book.cell("""
kernel = get_ipython().kernel
def pretending(reply):
    async def pretend(stream, ident, parent):
        kernel.session.send(stream, reply, {"status": "ok"}, parent, ident)
    return pretend
kernel.shell_handlers["copy_request"] = pretending("copy_reply")
kernel.shell_handlers["snapshot_request"] = pretending("snapshot_reply")
""", after="test_count_pairs")


@attack("forging", slow=True, merge_pair=0)
def only_snapshots_refused(book: Book) -> None:
    """Lets the kernel fork copies and no snapshot, and answers wrongly from the 900th call on, so that a check fails in
    a copy that others have used. Without a snapshot it cannot be repeated: the exercise stays unjudged, for a person.
    """
    book.says("could not be kept")
    book.cell("""
kernel = get_ipython().kernel
async def pretend(stream, ident, parent):
    kernel.session.send(stream, "snapshot_reply", {"status": "ok"}, parent, ident)
refused, kernel.shell_handlers["snapshot_request"] = kernel.shell_handlers["snapshot_request"], pretend
""", after="test_count_pairs")
    right = book.answers["merge_pair"].replace("def merge_pair", "def my_merge_pair")
    book.answer("merge_pair", f"""{right}
asked = []
def merge_pair(ids, pair, new_id):
    asked.append(ids)
    return my_merge_pair(ids, pair, new_id) if len(asked) < 900 else [0]
""")
    book.cell("kernel.shell_handlers['snapshot_request'] = refused", after="test_merge_pair")


@attack("forging", predict_abab_acac=0)
def prediction_that_changes(book: Book) -> None:
    """The predicted dictionary is an object whose items differ at every look, in the hope that one comparison sees the
    right one. It is reduced once, by dict's own method, and judged outside.
    """
    book.answer("predict_abab_acac", """
class Shifting(dict):
    turn = 0
    def items(self): Shifting.turn += 1; return [("rules", Shifting.turn)]
    def __getitem__(self, key): Shifting.turn += 1; return Shifting.turn
    def __contains__(self, key): return True
    def keys(self): return ["rules", "sequences", "tokens", "vocabulary"]
predict_abab_acac = Shifting(rules=[], sequences=[], tokens=0, vocabulary=0)
""")


@attack("forging", plot_merges=2.0)
def infinite_numbers(book: Book) -> None:
    """Fills table and figure with infinities, which lie within any share of themselves from any number. They equal only
    themselves: what is left is for labels, for a figure that shows the table as it is, and for unchanged documents.
    """
    book.answer("plot_merges", f"""{book.answers["plot_merges"].replace("def plot_merges", "def my_plot_merges")}
def plot_merges(documents, max_merges):
    table, figure = my_plot_merges(documents, max_merges)
    for axes in figure.axes:
        for line in axes.get_lines():
            line.set_data([float("inf")] * len(table), [float("inf")] * len(table))
    return table * 0 + float("inf"), figure
""")
