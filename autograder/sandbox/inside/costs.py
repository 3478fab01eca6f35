"""What a call of a student's function costs: contexts that measure what runs inside them.

Mounted into the sandbox beside `snapshot.py`; standard library only.
"""

import itertools
import sys
import time

__all__ = ["measure"]


def measure(options):
    """A context that takes what a call's options ask for: `seconds`, `steps`, or neither. It is then in `taken`."""
    return Steps() if options.get("steps") else Seconds() if options.get("seconds") else Nothing()


class Nothing:
    """Takes no measure of what runs inside the context."""

    taken = None

    def __enter__(self):
        pass

    def __exit__(self, *_):
        pass


class Seconds(Nothing):
    """Takes the CPU time of what runs inside the context."""

    def __enter__(self):
        self.start = time.process_time()

    def __exit__(self, *_):
        self.taken = time.process_time() - self.start


class Steps(Nothing):
    """Counts the lines and calls of Python that run inside the context, in whatever module."""

    def __enter__(self):
        ticks = itertools.count()

        def trace(frame, event, argument):
            next(ticks)
            return trace

        self.ticks, self.before = ticks, sys.gettrace()
        sys.settrace(trace)

    def __exit__(self, *_):
        sys.settrace(self.before)
        self.taken = next(self.ticks)
