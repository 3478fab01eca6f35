"""Pools of threads and processes that a notebook has started, in a forked copy of its kernel.

A fork takes a pool along, but not those that work in it: what it is given would wait for ever.

Mounted into the sandbox beside `kernel.py`; standard library only.
"""

import contextlib

__all__ = ["start_anew"]

MADE_WITH = {  # what each kind of pool is made with, beside an initialiser and its arguments
    ("concurrent.futures.thread", "ThreadPoolExecutor"): ("max_workers", "thread_name_prefix"),
    ("concurrent.futures.process", "ProcessPoolExecutor"): ("max_workers", "mp_context"),
    ("multiprocessing.pool", "ThreadPool"): ("processes",),
    ("multiprocessing.pool", "Pool"): ("processes", "maxtasksperchild"),
}


def start_anew(namespace):
    """Give the pools that the notebook's names hold new workers; one that was shut down stays so."""
    for value in list(namespace.values()):
        with contextlib.suppress(Exception):  # a pool of another version of Python, or no pool: it stays as it is
            names = MADE_WITH.get((type(value).__module__, type(value).__name__))
            if names and not getattr(value, "_shutdown", False):
                value.__init__(**{name: getattr(value, f"_{name}") for name in (*names, "initializer", "initargs")})
