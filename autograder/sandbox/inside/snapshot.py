"""A frozen copy of the student's kernel that answers calls: the student's end of the wire.

`serve` runs in a forked child of the kernel. It takes batches of calls over a socket, runs them against the notebook's
names, and sends back what happened as plain data. It judges nothing and holds no expected value; a student who
rewrites it can only lie about answers, which is what a wrong answer is. Mounted by itself; standard library only.
"""

import functools
import itertools
import math
import os
import pathlib
import select
import shutil
import signal
import sys
import tempfile
import time

try:
    from autograder.sandbox.inside import costs, wire
except ImportError:  # inside the sandbox, where the package does not exist
    import costs
    import wire

__all__ = ["Server", "serve"]

FLUSH_SECONDS = 0.02
FLUSH_ITEMS = 2_000
BLOCK = 2_000  # calls of a `map` request answered in one frame; the grader repeats at most so many after a crash
CALLS = 64  # after which a look is taken at the clock, which costs as much as a short call
LOOK_EVERY = 0.25  # seconds between looks at the time used
ASLEEP_AFTER = 5.0  # seconds of wall time after which a call that used no CPU to speak of counts as asleep
ASLEEP_SHARE = 0.01  # of the wall time; on a busy machine a running call still gets more than that
_MISSING = object()
_DESCRIBED = frozenset({wire.Stream, wire.Endless, wire.File, wire.Double, wire.Counted, wire.Handle})  # to be made
_PLAIN = (int, str, bytes)


class _OutOfTime(BaseException):
    """The CPU time of a batch is used up; raised by the alarm inside the student's function."""


class Server:
    """Answers requests about one namespace; objects that may not cross stay here behind numbered handles."""

    def __init__(self, namespace, scratch="."):
        self.namespace = namespace
        self.scratch = scratch
        self.handles = []
        self.folders = []  # of files that were made as arguments, until the next call that needs some
        self.end = 0.0  # the CPU time at which the time for all calls of the request is over
        self.calls = 0  # made so far
        self.calling = False  # one is being made
        self.looked_at, self.began, self.since = 0, 0.0, 0.0  # a call; CPU and wall time at the first look at it
        self.last = None, None  # what the last call with the option `arguments` returned, and its plain data

    def answers(self, request):
        """Yield the outcome of each call of one request, in order, packed for the wire.

        A request is `["batch", heads, calls, flush, CPU seconds]` (the other kind, `["map", target, items, CPU
        seconds]`, has `mapped`). A call is `[number, args]`, or `[number, args, kwargs]`; the number is that of its
        head, `[target, options]`, which many calls have in common. A target is a global's name as `[name]`, or an
        attribute of a global or of a handle as `[name or number, attribute]`. An outcome is
        `["returned", value]`, with options `["returned", value, arguments or None, cost]`,
        `["raised", [class names from the error's class up], message, arguments or None, cost]`,
        `["unreadable", why]` for a value that cannot cross, `["missing"]` for a name that does not exist, or `["slow"]`
        when the CPU time of the batch was used up. The cost is `None` unless the call's options ask for it: equal
        answers so are equal bytes. With `seconds` it is CPU time, with `steps` the number of lines and calls of Python,
        which is the same on a busy machine.
        """
        verb, heads, calls, _, seconds = request
        if verb != "batch":
            raise wire.WireError(f"unknown request {verb!r}")
        self.end = time.process_time() + seconds  # of CPU time, which does not depend on how busy the machine is
        for number, args, *kwargs in calls:
            target, options = heads[number]
            self.calls += 1
            if self.calls % CALLS == 0 and time.process_time() > self.end:
                self.end = -math.inf
            answer = ["slow"]
            if self.end > -math.inf:
                try:
                    self.calling = True
                    answer = self.call(target, args, kwargs[0] if kwargs else {}, options)
                    self.calling = False
                except _OutOfTime:
                    self.calling = False
                    self.end = -math.inf
            yield answer

    def look(self):
        """Called by the alarm: end a call that has used up its CPU time or sleeps; again, if it swallows that."""
        if not self.calling:
            return
        now = time.process_time()
        if self.calls != self.looked_at:
            self.looked_at, self.began, self.since = self.calls, now, time.monotonic()
        used, passed = now - self.began, time.monotonic() - self.since
        if now > self.end or (passed > ASLEEP_AFTER and used < ASLEEP_SHARE * passed):
            raise _OutOfTime

    def mapped(self, target, items, seconds):
        """Yield the outcomes of `function(item)` for every item, joined block by block: for a million small calls.

        A block is `[places, values, errors, CPU seconds]`. Each call has a number in `places`: -1 if it returned the
        next of `values`, else the place of its outcome in `errors`, where equal ones are written once. All calls share
        one limit of CPU time.
        """
        function = self.find(target)
        self.end = time.process_time() + seconds
        for start in range(0, len(items), BLOCK):
            waiting = iter(items[start : start + BLOCK])
            while (block := self.block(function, waiting))[0]:
                yield block

    def block(self, function, items):
        """The outcomes of the next items, as many as `FLUSH_SECONDS` have room for."""
        places, values, errors = [], [], {}
        began, since = time.process_time(), time.monotonic()
        self.calls += 1  # to whoever looks, a block is one
        over = began >= self.end
        for item in items:
            key = None
            try:
                self.calling = True
                if function is _MISSING:
                    key = ("missing",)
                elif over:
                    key = ("slow",)
                else:
                    value = function(item)
                    value = value if type(value) in _PLAIN else wire.reduce(value)
            except wire.WireError as error:
                key = ("unreadable", str(error))
            except _OutOfTime:
                key, over, self.end = ("slow",), True, -math.inf
            except BaseException as error:
                key = ("raised", *_describe(error))
            self.calling = False
            if key is None:
                places.append(-1)
                values.append(value)
            else:
                places.append(errors.setdefault(repr(key), (len(errors), key))[0])
            if time.monotonic() - since > FLUSH_SECONDS:
                break
        used = time.process_time() - began
        outcomes = [[*key, None, None] if key[0] == "raised" else list(key) for _, key in errors.values()]
        return [places, values, outcomes, used]

    def call(self, target, args, kwargs, options):
        """The outcome of one call, packed."""
        function = self.find(target)
        try:
            if not options and not kwargs and function is not _MISSING and _DESCRIBED.isdisjoint(map(type, args)):
                return ["returned", wire.pack_any(function(*args))]  # most calls
            return wire.pack(self.outcome(function, args, kwargs, options))
        except wire.WireError as error:
            return wire.pack(["unreadable", str(error)])
        except _OutOfTime:
            raise
        except BaseException as error:
            return wire.pack(["raised", *_describe(error), None, None])

    def outcome(self, function, args, kwargs, options):
        """The same for all that may be asked; raises `WireError` for a value that cannot cross."""
        if function is _MISSING:
            return ["missing"]
        if options.get("value"):  # a global's value instead of a call
            try:
                return ["returned", wire.reduce(function)]
            except Exception as error:
                return ["unreadable", str(error)[:500]]
        if wire.File in set(map(type, args)):
            self.clear()
        made = [self.make(arg) for arg in args]
        kwargs = {key: self.make(arg)[0] for key, arg in kwargs.items()}
        args = [arg for arg, _ in made]
        cost = costs.measure(options)
        try:
            take = options.get("take")
            with cost:
                result = function(*args, **kwargs)
                if take is not None:
                    result = list(itertools.islice(iter(result), take))
                elif not options.get("keep"):
                    value = wire.reduce(result)  # it draws what the function has left to do
            if options.get("keep"):
                self.handles.append(result)
                value = wire.Handle(len(self.handles) - 1, type(result).__name__[:200])
            elif take is not None:
                value = wire.reduce(result)  # drawn already: making it ready to cross is no work of the function's
            if options.get("arguments") and self.overwritten(result, value):
                return ["unreadable", wire.OVERWRITTEN]
        except (wire.WireError, _OutOfTime):
            raise
        except BaseException as error:
            return ["raised", *_describe(error), self.after(made, options), cost.taken]
        return ["returned", value, self.after(made, options), cost.taken] if options else ["returned", value]

    def find(self, target):
        if len(target) == 1:
            return self.namespace.get(target[0], _MISSING)
        owner, attribute = target
        owner = self.namespace.get(owner) if type(owner) is str else self.handles[owner]
        return getattr(owner, attribute, _MISSING)

    def make(self, arg):
        """The object for one argument, and a function that says what it holds after the call."""
        if type(arg) not in _DESCRIBED:
            return arg, lambda: wire.reduce(arg)
        if isinstance(arg, wire.Stream | wire.Endless):
            counter = _Counter(itertools.cycle(arg.items) if isinstance(arg, wire.Endless) else iter(arg.items))
            return counter, lambda: type(arg)((), counter.taken)
        if isinstance(arg, wire.File):
            folder = tempfile.mkdtemp(dir=self.scratch)  # of its own: nothing that an earlier call left is beside it
            self.folders.append(folder)
            path = os.path.join(folder, os.path.basename(arg.name))
            if arg.content is not None:
                pathlib.Path(path).write_bytes(arg.content)
            identity = _identity(path)
            _listen()
            _gone.clear()
            return (pathlib.Path(path) if arg.as_path else path), lambda: _file_after(arg, path, identity)
        if isinstance(arg, wire.Double):
            return wire.stand_in(arg)
        if isinstance(arg, wire.Counted):
            return wire.CountedInt(arg.value), lambda: arg
        return self.handles[arg.number], lambda: arg

    def overwritten(self, result, value):
        """Whether a list, dict or set that the call before returned comes again with other contents."""
        (before, held), self.last = self.last, (result, value)
        pairs = zip(before, result) if type(before) is type(result) is tuple else [(before, result)]  # noqa: B905
        return any(one is other and isinstance(one, list | dict | set) for one, other in pairs) and held != value

    def clear(self):
        """Remove the files of earlier calls."""
        while self.folders:
            shutil.rmtree(self.folders.pop(), ignore_errors=True)

    @staticmethod
    def after(made, options):
        if not options.get("arguments"):
            return None
        try:
            return [look() for _, look in made]
        except Exception as error:
            return [wire.Opaque(f"unreadable after the call: {error}"[:200])]


class _Counter:
    """An iterator that counts what is taken from it."""

    def __init__(self, items):
        self.items = items
        self.taken = 0

    def __iter__(self):
        return self

    def __next__(self):
        item = next(self.items)
        self.taken += 1
        return item


def _read(path):
    try:
        with open(path, "rb") as file:
            return file.read(wire.MAX_FRAME // 4)
    except OSError:
        return None


def _file_after(given, path, identity):
    """What became of a file that was an argument; `identity` is what it was before the call."""
    replaced = identity is not None and _identity(path) not in (identity, None)
    folder, own = os.path.split(path)
    beside = tuple(sorted(set(os.listdir(folder)) - {own})[:20])
    return wire.File(given.name, _read(path), replaced, beside, given.as_path, path in _gone)


_gone = set()  # paths that were removed or moved away since the last files were made


@functools.cache
def _listen():
    """From now on Python tells of every path that is removed or moved; a hook stays for good, so one is enough."""

    def hear(event, args):
        if event in ("os.remove", "os.rename") and isinstance(args[0], str | os.PathLike):
            _gone.add(os.fspath(args[0]))

    sys.addaudithook(hear)


def _identity(path):
    """Which file stands at `path`, or `None`; it stays the same when a file is written in place."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _describe(error):
    """Class names from the error's own up to `BaseException`, and its message cut to 500 characters."""
    names = [cls.__name__[:200] for cls in type(error).__mro__ if issubclass(cls, BaseException)]
    try:
        message = str.__str__(str(error))[:500]
    except BaseException:
        message = ""
    return names, message


def serve(connection, namespace, scratch="."):
    """Answer requests on `connection` until it closes; prints of the student's functions go nowhere.

    Answers leave as soon as `FLUSH_SECONDS` have passed or `FLUSH_ITEMS` wait, or one by one when the request asks for
    it: so the grader knows which call hangs or crashes, without one message per call in the usual case.
    """
    silence()
    server = Server(namespace, scratch)
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, lambda *_: os._exit(0) if left_alone(connection) else server.look())
        signal.setitimer(signal.ITIMER_REAL, LOOK_EVERY, LOOK_EVERY)
    while True:
        try:
            request = wire.decode_request(wire.receive_bytes(connection))
        except EOFError:
            return
        if request[0] == "new":  # another check begins, for which nothing has been asked yet
            server.clear()
            server = Server(namespace, scratch)
            continue
        if request[0] == "map":
            for block in server.mapped(*request[1:]):
                send_answers(connection, [wire.pack(block)])
            continue
        waiting, since = [], time.monotonic()
        for answer in server.answers(request):
            waiting.append(answer)
            if request[-2] or len(waiting) >= FLUSH_ITEMS or time.monotonic() - since > FLUSH_SECONDS:
                send_answers(connection, waiting)
                waiting, since = [], time.monotonic()
        if waiting:
            send_answers(connection, waiting)


def left_alone(connection):
    """Has the grader closed its end? Then nobody waits for the call being made."""
    poll = select.poll()
    poll.register(connection, 0)  # a hang-up is always told
    return any(event & (select.POLLHUP | select.POLLERR) for _, event in poll.poll(0))


def send_answers(connection, answers):
    """Send packed answers in one frame, or those that do not fit as `unreadable`."""
    try:
        frame = wire.written(answers)
        if len(frame) > wire.MAX_FRAME:
            raise wire.WireError(f"the answer takes {len(frame):,} bytes, more than {wire.MAX_FRAME:,}")
    except wire.WireError as error:
        if len(answers) > 1:
            for answer in answers:
                send_answers(connection, [answer])
            return
        frame = wire.encode([["unreadable", str(error)]])
    wire.send_bytes(connection, frame)


def silence():
    """Standard streams to /dev/null: a snapshot has no cell to print into, and prints must not cost anything."""
    source, sink = nowhere()
    os.dup2(source.fileno(), 0)
    for descriptor in (1, 2):
        os.dup2(sink.fileno(), descriptor)
    sys.stdin = source
    sys.stdout = sys.stderr = sink


@functools.cache
def nowhere():
    """Streams from and to /dev/null, which live as long as the process; made once, before the forks."""
    return open(os.devnull), open(os.devnull, "w")
