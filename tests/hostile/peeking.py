"""Submissions that look for answers, checks, secrets or other people's work."""

from hostile.corpus import ROOT, Book, attack


@attack("peeking", count_pairs=0)
def course_files(book: Book) -> None:
    """Opens the reference, the checks, the solutions, the sample class, the gradebook and the secret by their paths on
    the host, and answers with the reference if it is there. Nothing of it exists inside, so the answer is empty.
    """
    paths = [
        ROOT / "autograder/reference/naive_bpe.py", ROOT / "autograder/checks/ch03_naive_bpe.py",
        ROOT / "solutions/03_naive_bpe/naive_bpe.ipynb", ROOT / ".autograder/secret", ROOT / "nbgrader_config.py",
        book.canary / "gradebook.db", book.canary / ".autograder/secret", "/etc/passwd", "/etc/shadow",
    ]
    book.cell(f"""
import os
FOUND = []
for path in {[str(path) for path in paths]!r}:
    try:
        FOUND.append(open(path).read() if not os.path.isdir(path) else os.listdir(path))
    except OSError:
        pass
print(FOUND)
""", prints="[]")
    book.answer("count_pairs", """
def count_pairs(sequences):
    names = {}
    exec(next(text for text in FOUND if "def count_pairs" in text) if FOUND else "count_pairs = dict", names)
    return names["count_pairs"]()
""")


@attack("peeking", merge_pair=0)
def package_import(book: Book) -> None:
    """Imports the grader's package in every way there is, and searches the whole import path for it. It is not there;
    the answer that would use it raises and earns nothing.
    """
    book.cell("""
import importlib.util, os, sys
sys.path += ["/sandbox", "/kernel", "/exchange", "/keep/0", "/keep/1", "/"]
print(importlib.util.find_spec("autograder"), [path for path in sys.path if os.path.isdir(path + "/autograder")])
print([name for name in sys.modules if name.startswith("autograder")])
""", prints="None []\n[]")
    book.answer("merge_pair", """
def merge_pair(ids, pair, new_id):
    from autograder.reference.naive_bpe import merge_pair
    return merge_pair(ids, pair, new_id)
""")


@attack("peeking")
def environment_variables(book: Book) -> None:
    """Prints every variable of its environment that has to do with the grader, the user or a session. There is none."""
    book.cell("""
import os
print([name for name in os.environ if any(word in name.upper() for word in
       ("GRADER", "SECRET", "TOKEN", "KEY", "USER", "SSH", "DB_URL", "SUDO", "PYTEST"))
       and name != "TOKENIZERS_PARALLELISM"])
""", prints="[]")


@attack("peeking")
def processes_and_memory(book: Book) -> None:
    """Looks through /proc for other processes, tries to read its parent's memory, command line and open files, and to
    attach to it and read from it by process id. /proc is empty, and nobody but its own children can be seen.
    """
    book.cell("""
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
print(os.listdir("/proc"), os.getpid())
found = []
for pid in (0, 2, 3, 4, 5, 10, 100):
    for name in ("mem", "environ", "cmdline", "fd", "root"):
        found += [name] if os.path.exists(f"/proc/{pid}/{name}") else []
    found += ["attached"] if libc.ptrace(16, pid, None, None) == 0 else []
print(found)
""", prints="[] 1\n[]")


@attack("peeking")
def inherited_descriptors(book: Book) -> None:
    """Goes through every open descriptor for a file, a pipe or a folder that was inherited from the grader: a way to
    `openat` outside, or to speak with the pre-loaded parent. Only sockets, event descriptors and /dev/null are there.
    """
    book.cell("""
import os, stat
kinds = []
for number in range(512):
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        continue
    if stat.S_ISDIR(mode):
        kinds.append("folder")
    if stat.S_ISREG(mode):
        kinds.append("file")
    if stat.S_ISFIFO(mode):
        try:
            os.write(number, b'{"start": 99, "wall": false, "limits": {}}\\n')
            os.read(number, 0)
        except OSError:
            pass
try:
    os.listdir(os.open("..", os.O_RDONLY))
except OSError as error:
    kinds.append(type(error).__name__)
print([kind for kind in kinds if kind in ("folder",)])
""", prints="[]")


@attack("peeking", best_pair=0)
def frames_and_objects(book: Book) -> None:
    """Walks the frames above its function and all objects in memory for an expected value or a check. The snapshot
    knows calls only, so it finds none and answers with the arguments' first key.
    """
    book.answer("best_pair", """
import gc, sys
looked = False
def best_pair(counts):
    global looked
    if looked:
        return "nothing found"
    looked = True
    frame = sys._getframe()
    while frame is not None:
        for name in ("expected", "right", "wanted", "reference", "answer_key"):
            if name in frame.f_locals:
                return frame.f_locals[name]
        frame = frame.f_back
    for thing in gc.get_objects():
        if type(thing).__name__ in ("Check", "Misconception", "Verdict", "Counterexample"):
            return thing.function(counts)
    return "nothing found"
""")


@attack("peeking")
def other_submissions(book: Book) -> None:
    """Lists every folder in which another kernel's sockets, another submission or a leftover could lie, and searches
    the file system for notebooks. It finds its own sockets, its data files, and no notebook.
    """
    book.cell("""
import os, sys
def others(folder):  # the course's Python environment may stand anywhere
    names = [] if os.path.exists(f"{folder}/pyvenv.cfg") else os.listdir(folder)
    return [name for name in names if not f"{sys.prefix}/".startswith(f"{folder}/{name}/")]
print(others("/exchange"), others("/keep/0"), others("/tmp"), others("/dev/shm"))
print([name for folder in ("/scratch", "/tmp", "/kernel", "/srv", "/home", "/mnt", "/var", "/opt", "/run")
       for place, _, names in os.walk(folder) if not f"{place}/".startswith(f"{sys.prefix}/")
       for name in names if name.endswith(".ipynb")])
""", prints="[] [] [] []\n[]")


@attack("peeking")
def hidden_cells_recorded(book: Book) -> None:
    """Registers hooks that record the source of every cell that runs, and prints them at the end. Test cells are not
    run when graded, and hidden lines are in no cell anyway.
    """
    book.cell("""
SEEN = []
shell = get_ipython()
shell.events.register("pre_run_cell", lambda info: SEEN.append(info.raw_cell))
shell.input_transformers_post.append(lambda lines: SEEN.extend(lines) or lines)
""", after="setup_imports")
    book.cell("print(sum('HID' 'DEN' in cell or 'auto' 'grader' in cell for cell in map(str, SEEN[:-1])), "
              "any('got =' ' merge_pair' in cell for cell in SEEN))", after="test_plot_merges", prints="0 False")


SPY = '''
import glob, json, os
def remember(*args):
    with open("/scratch/seen-%d" % len(os.listdir("/scratch")), "w") as file:
        file.write(repr(args))
def recall():
    return [open(path).read() for path in sorted(glob.glob("/scratch/seen-*"))]
'''


@attack("peeking", merge_pair=0)
def secret_inputs_into_feedback(book: Book) -> None:
    """`count_pairs` is right, and writes each input that it gets to a file; `merge_pair` returns what the files hold,
    so that its public counterexample would show the secret inputs of the first. Secret checks run after all public
    ones, so there is nothing to show yet: large ids are in no feedback.
    """
    right = book.answers["count_pairs"].replace("def count_pairs", "def my_count_pairs")
    book.answer("count_pairs", f"{SPY}\n{right}\ndef count_pairs(sequences):\n"
                "    sequences = [list(ids) for ids in sequences]\n"
                "    if any(10_000 in ids for ids in sequences):\n        remember(sequences)\n"
                "    return my_count_pairs(sequences)")
    book.answer("merge_pair", "def merge_pair(ids, pair, new_id):\n    return recall()")
    book.hides("10000")


@attack("peeking", count_pairs=3.5, merge_pair=0)
def secret_inputs_kept_for_a_second_run(book: Book) -> None:
    """`count_pairs` is right in public. Secret inputs it writes to every place that it may, and answers wrongly, so
    that the notebook has to run again; there a cell prints, and `merge_pair` returns, what those places hold. Nothing
    is in them; nor is anything shown that a second run has said.
    """
    right = book.answers["count_pairs"].replace("def count_pairs", "def my_count_pairs")
    book.answer("count_pairs", f"""
import glob, os
PLACES = ("/scratch", "/tmp", "/dev/shm", "/var/tmp", "/kernel", "/exchange", "/run", os.getcwd())
{right}
def count_pairs(sequences):
    sequences = [list(ids) for ids in sequences]
    if not any(10_000 in ids for ids in sequences):
        return my_count_pairs(sequences)
    for place in PLACES:
        try:
            open(f"{{place}}/seen-{{os.getpid()}}", "w").write(str(sequences))
        except OSError:
            pass
    return {{}}
def seen():
    return [open(path).read() for place in PLACES for path in glob.glob(f"{{place}}/seen-*")]
""")
    book.cell("print(seen())", prints="[]", after="test_merge_pair")
    book.answer("merge_pair", "def merge_pair(ids, pair, new_id):\n    return seen()")
    book.hides("10000")


@attack("peeking", merge_pair=0)
def secret_inputs_in_errors_and_prints(book: Book) -> None:
    """`merge_pair` prints, warns, logs and raises with what it was given. Prints of a check go nowhere; an error's text
    is shown for public inputs only, so that secret ones (ids of a million) are in no report.
    """
    book.answer("merge_pair", """
import sys, warnings
def merge_pair(ids, pair, new_id):
    text = f"given {ids} {pair} {new_id}"
    print(text); print(text, file=sys.stderr); warnings.warn(text)
    get_ipython().display_pub.publish({"text/plain": text})
    raise RuntimeError(text)
""")
    book.hides("1000000")
