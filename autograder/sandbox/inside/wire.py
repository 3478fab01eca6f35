"""The data-only wire between the grader and a snapshot of the student's kernel.

Values travel as JSON in length-prefixed frames. Nothing is ever pickled or evaluated: each side rebuilds plain data, so
an object with a lying `__eq__` cannot cross. `reduce` runs on the student's side and turns what a function returned
into plain data (subclasses to their exact base type, arrays, DataFrames and Figures to their numbers); what arrives is
judged on the other side.

This module is mounted into the sandbox by itself, so it uses the standard library only and imports nothing of the
project. It does not decide what is right.
"""

import dataclasses
import itertools
import json
import marshal
import math
import re
import struct
import sys
import time
import types
from collections import Counter, deque

__all__ = [
    "BIG_INT",
    "MAX_DEPTH",
    "MAX_FRAME",
    "OVERWRITTEN",
    "Array",
    "Counted",
    "Double",
    "Endless",
    "Figure",
    "File",
    "Frame",
    "Handle",
    "NobodyAnswers",
    "Opaque",
    "Stream",
    "TooLarge",
    "WireError",
    "decode",
    "decode_request",
    "encode",
    "encode_request",
    "pack",
    "pack_any",
    "receive",
    "receive_bytes",
    "reduce",
    "send",
    "stand_in",
    "written",
]

# Why an answer was not taken: with it an earlier one, which the caller may still need, has become another.
OVERWRITTEN = "the very list or dict that the call before returned, with other contents: make a new one in each call"
MAX_FRAME = 16 * 1024 * 1024  # bytes; a reply above this is refused before it is parsed
MAX_DEPTH = 60  # levels of nesting
MAX_ITEMS = 2_000_000  # items in all that one returned value may hold
MAX_PARSED = 1_000_000  # lists and objects in the JSON of one frame; a small text can make very many of them
COLLIDING = 64  # keys or set items that may share a hash; a table of more was built to take for ever
LOOK_EVERY = 1.0  # seconds between looks at whether the other side still works on an answer
BIG_INT = 1 << 63  # ints beyond travel as hexadecimal: Python refuses decimal text of over 4,300 digits


class WireError(ValueError):
    """A frame or value that the wire cannot carry; the message says what is wrong with it."""


class TooLarge(WireError):
    """A frame is larger than whoever reads it has room for."""


class NobodyAnswers(TimeoutError):
    """The other side does nothing any more, long before the end of its time."""


# Arguments that only the student's side can make: plain descriptions here, real objects there.
@dataclasses.dataclass(frozen=True)
class Stream:
    """A one-shot iterator over `items`; after the call it reports how many were taken."""

    items: tuple
    taken: int | None = None


@dataclasses.dataclass(frozen=True)
class Endless:
    """An iterator that repeats `items` for ever; after the call it reports how many were taken."""

    items: tuple
    taken: int | None = None


@dataclasses.dataclass(frozen=True)
class File:
    """A file in the student's scratch folder, passed as its path; `content=None` means that it does not exist yet.

    The path is a `str`, or a `Path` where `as_path` says so. After the call it reports what the file holds then,
    whether another file has taken the place of the one given (`os.replace` does that, writing in place does not), the
    names of new files beside it, and whether the file given was removed or moved away, so that for a while none was
    there.
    """

    name: str
    content: bytes | None = None
    replaced: bool = False
    beside: tuple = ()
    as_path: bool = False
    removed: bool = False


@dataclasses.dataclass(frozen=True)
class Double:
    """A test double: an object with these attributes, whose methods know the answers to some calls.

    `answers` maps a method's name to a list of (arguments, answer). So a function that takes an object is checked
    without the student's own class behind it. After the call it reports the attributes that the object has then.
    """

    attributes: dict
    answers: dict


@dataclasses.dataclass(frozen=True)
class Counted:
    """An int whose comparing, hashing and adding are Python code.

    So the option `steps` of a call sees also what C code does with it: a list that looks through its items takes a few
    steps for each of them, a dict a few in all.
    """

    value: int


@dataclasses.dataclass(frozen=True)
class Handle:
    """An object that stays in the snapshot, by its number there; `type_name` is for messages only."""

    number: int
    type_name: str = ""


def stand_in(double):
    """The object that a `Double` describes, and a function that says what it holds after a call."""

    def method(name, table):
        def answer(*args, **kwargs):
            given = (*args, *kwargs.values())
            for known, value in table:
                if known == given:
                    return list(value) if type(value) is list else value
            raise LookupError(f"this object knows {name} only for {[known for known, _ in table]!r}, not {given!r}")

        return answer

    methods = {name: method(name, table) for name, table in double.answers.items()}
    made = types.SimpleNamespace(**double.attributes, **methods)

    def look():
        attributes = {name: value for name, value in vars(made).items() if name not in methods}
        return Double(reduce(attributes), double.answers)

    return made, look


class CountedInt(int):
    """The int that a `Counted` describes."""


def _in_python(name):
    plain = getattr(int, name)
    return lambda *numbers: plain(*numbers)


for _name in ("eq", "ne", "lt", "le", "gt", "ge", "hash", "add", "radd", "sub", "rsub"):
    setattr(CountedInt, f"__{_name}__", _in_python(f"__{_name}__"))


# What returned objects are reduced to.
@dataclasses.dataclass(frozen=True)
class Array:
    """A NumPy array, as nested lists."""

    items: list


@dataclasses.dataclass(frozen=True)
class Frame:
    """A pandas DataFrame: column names in order, each column's values, the index's values."""

    columns: tuple
    data: dict
    index: list

    def __len__(self):
        return len(self.index)


@dataclasses.dataclass(frozen=True)
class Figure:
    """A Matplotlib figure: a dict per axes with texts (title, xlabel …), ticks, and what it shows (lines, bars …)."""

    axes: tuple


@dataclasses.dataclass(frozen=True)
class Opaque:
    """A value of a type that the wire does not carry; only the type's name crosses."""

    type_name: str


# --- plain data <-> JSON -------------------------------------------------------------------------------------------

_RECORDS = {cls.__name__: cls for cls in (Stream, Endless, File, Double, Counted, Handle, Array, Frame, Figure, Opaque)}


_SCALARS = frozenset({type(None), bool, int, float, str, bytes})
_INTS = {int}

# Two surrogates side by side in a Python text are two code points; JSON would read their escapes as one.
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
MARSHALLED = b"\0"  # no JSON begins so
JOIN = 16  # from so many items on, bytes in a list or dict travel as lengths and one hexadecimal text


def pack(value, depth=0):
    """Plain data as what `json` can write; lists of scalars pass through untouched. `WireError` for anything else."""
    kind = type(value)
    if kind is str:
        return {"u": list(map(ord, value))} if _PAIR.search(value) else value
    if kind is int:
        return value if -BIG_INT < value < BIG_INT else {"i": hex(value)}
    if value is None or kind is bool:
        return value
    if kind is float:
        return value if math.isfinite(value) else {"f": repr(value)}
    if depth > MAX_DEPTH:
        raise WireError(f"nested deeper than {MAX_DEPTH} levels")
    if kind is list:
        if len(value) >= JOIN and set(map(type, value)) == {bytes}:
            return {"j": [list(map(len, value)), b"".join(value).hex()]}
        return _pack_items(value, depth)
    if kind is tuple:
        return {"t": _pack_items(value, depth)}
    if kind is bytes:
        return {"b": value.hex()}
    if kind is bytearray:
        return {"B": value.hex()}
    if kind is dict:
        keys, values = _pack_items(list(value), depth), list(value.values())
        if len(value) >= JOIN and set(map(type, values)) == {bytes}:  # a vocabulary
            return {"m": [keys, list(map(len, values)), b"".join(values).hex()]}
        return {"d": list(zip(keys, _pack_items(values, depth), strict=True))}
    if kind is set:
        return {"s": _pack_items(list(value), depth)}
    if kind is frozenset:
        return {"z": _pack_items(list(value), depth)}
    if kind is complex:
        return {"c": [pack(value.real), pack(value.imag)]}
    if kind.__name__ in _RECORDS and kind is _RECORDS[kind.__name__]:
        fields = [getattr(value, field.name) for field in dataclasses.fields(kind)]
        return {"r": kind.__name__, "v": _pack_items(fields, depth)}
    raise WireError(f"a {kind.__name__} cannot cross the wire")


def _within(numbers):
    return min(numbers) > -BIG_INT and max(numbers) < BIG_INT


def _pack_items(items, depth):
    """The items of a list; a list of plain numbers or texts is passed through in one step, as most of the data is."""
    kinds = set(map(type, items))
    if not items or (kinds == _INTS and _within(items)):
        return list(items)
    if kinds == {str} and not _PAIR.search("".join(items)):
        return list(items)
    return [None if item is None else pack(item, depth + 1) for item in items]


def _unpack(tagged):
    """The value of one JSON object, whose parts have been unpacked; `json` calls it from the inside out."""
    try:
        return _unpack_tagged(tagged)
    except WireError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
        raise WireError(f"not a wire value: {type(error).__name__}") from None


def _unpack_tagged(tagged):
    if "r" in tagged:
        return _checked(_RECORDS[tagged["r"]](*tagged["v"]))
    ((tag, body),) = tagged.items()
    if tag == "t" and type(body) is list:
        return tuple(body)
    if tag == "b":
        return bytes.fromhex(body)
    if tag == "d":
        return dict(zip(_spread([k for k, _ in body]), [v for _, v in body], strict=True))
    if tag == "i":
        return int(body, 16)
    if tag == "f":
        return {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}[body]
    if tag == "B":
        return bytearray.fromhex(body)
    if tag == "c":
        return complex(*body)
    if tag == "u":
        return "".join(map(chr, body))
    if tag == "m":
        keys, lengths, data = body
        return dict(zip(_spread(keys), _split(lengths, bytes.fromhex(data)), strict=True))
    if tag == "j":
        return _split(body[0], bytes.fromhex(body[1]))
    if type(body) is not list:
        raise WireError(f"not a wire value: {tag!r}")
    return {"s": set, "z": frozenset}[tag](_spread(body))


_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_SQUARE = bytes.maketrans(b"{}", b"[]")


def _deep(data):
    """Are lists and objects nested deeper in this JSON than whatever `encode` writes?"""
    brackets = _STRING.sub(b"", data).translate(_SQUARE, _NO_BRACKETS)
    if brackets.count(b"[") != brackets.count(b"]"):
        raise WireError("lists and objects that do not end")
    for _ in range(3 * MAX_DEPTH):
        without = brackets.replace(b"[]", b"")
        if len(without) == len(brackets):
            break
        brackets = without
    return bool(brackets)


def _spread(keys):
    """The keys, unless so many share a hash that a table of them would take hours, in one step that nothing ends."""
    if len(keys) > COLLIDING and max(Counter(map(hash, keys)).values()) > COLLIDING:
        raise WireError("keys that were made to collide")
    return keys


def _split(lengths, data):
    if set(map(type, lengths)) != {int} or min(lengths) < 0 or sum(lengths) != len(data):
        raise WireError("lengths that do not fit their bytes")
    ends = itertools.accumulate(lengths)
    return [data[end - length : end] for length, end in zip(lengths, ends, strict=True)]


def _checked(record):
    """A record whose fields have the types that the code behind relies on; the student's side may send anything."""
    ok = {
        Stream: lambda r: type(r.items) is tuple and type(r.taken) in (int, type(None)),
        Endless: lambda r: type(r.items) is tuple and type(r.taken) in (int, type(None)),
        File: lambda r: (
            type(r.name) is str and type(r.content) in (bytes, type(None))
            and type(r.beside) is tuple and all(type(name) is str for name in r.beside)
            and {type(r.replaced), type(r.as_path), type(r.removed)} == {bool}
        ),
        Double: lambda r: type(r.attributes) is dict and type(r.answers) is dict,
        Counted: lambda r: type(r.value) is int,
        Handle: lambda r: type(r.number) is int and type(r.type_name) is str,
        Array: lambda r: type(r.items) is list,
        Frame: lambda r: (
            type(r.columns) is tuple and type(r.data) is dict and type(r.index) is list
            and set(r.data) == set(_spread(r.columns))
            and all(type(v) is list and len(v) == len(r.index) for v in r.data.values())
        ),
        Figure: lambda r: type(r.axes) is tuple and all(_is_axes(axes) for axes in r.axes),
        Opaque: lambda r: type(r.type_name) is str and len(r.type_name) <= 200,
    }[type(record)]
    if not ok(record):
        raise WireError(f"a malformed {type(record).__name__}")
    return record


_AXES_TEXTS = ("title", "xlabel", "ylabel", "xscale", "yscale")
_AXES_LABELS = ("legend", "xticklabels", "yticklabels", "texts")
_AXES_TICKS = ("xticks", "yticks")
_AXES_SERIES = ("lines", "bars", "points")


def _is_axes(axes):
    return (
        type(axes) is dict and set(axes) == {*_AXES_TEXTS, *_AXES_LABELS, *_AXES_TICKS, *_AXES_SERIES}
        and all(type(axes[key]) is str for key in _AXES_TEXTS)
        and all(type(axes[key]) is list for key in (*_AXES_LABELS, *_AXES_TICKS, *_AXES_SERIES))
        and all(type(label) is str for key in _AXES_LABELS for label in axes[key])
        and all(
            type(place) is float or (type(place) is int and abs(place) < BIG_INT)  # larger ones may share a hash
            for key in _AXES_TICKS for place in axes[key]
        )
        and all(_is_series(series) for key in _AXES_SERIES for series in axes[key])
    )


def _is_series(series):
    return (
        type(series) is dict and set(series) == {"label", "x", "y"} and type(series["label"]) is str
        and type(series["x"]) is list and type(series["y"]) is list and len(series["x"]) == len(series["y"])
    )


def encode(value):
    """Plain data as bytes of JSON (surrogates escaped); raises `WireError` for anything else."""
    try:
        return written(pack(value))
    except RecursionError:
        raise WireError("nested too deep") from None


def written(packed):
    """What `pack` gave, as bytes of JSON."""
    return json.dumps(packed, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def encode_request(value):
    """As `encode`, for whoever trusts the writer: in the form that Python reads fastest, where that can carry it."""
    if _is_bare(value):
        return MARSHALLED + marshal.dumps(value, 2)  # the last version in which nothing that was apart becomes one
    return encode(value)


def _is_bare(value):
    """Does it hold nothing but scalars and containers of Python's own? `marshal` takes a bytearray for bytes."""
    kind = type(value)
    if kind is dict:
        return _is_bare(list(value)) and _is_bare(list(value.values()))
    if kind in (list, tuple, set, frozenset):
        return _SCALARS.issuperset(map(type, value)) or all(map(_is_bare, value))
    return kind in _SCALARS


def decode_request(data):
    """What `encode_request` wrote; never for bytes that the student's side sent."""
    return marshal.loads(data[len(MARSHALLED):]) if data.startswith(MARSHALLED) else _parsed(data)


def decode(data):
    """The plain data that `encode` wrote; raises `WireError` for bytes that it cannot have written."""
    if data.count(b"[") + data.count(b"{") > MAX_PARSED:
        raise WireError(f"more than {MAX_PARSED:,} lists and objects")
    if _deep(data):
        raise WireError("nested too deep")
    return _parsed(data)


def _parsed(data):
    try:
        return json.loads(data, object_hook=_unpack)
    except RecursionError:
        raise WireError("nested too deep") from None
    except UnicodeDecodeError:
        raise WireError("not text") from None
    except json.JSONDecodeError as error:
        raise WireError(f"not JSON at offset {error.pos}") from None
    except ValueError as error:  # WireError, and integers of over 4,300 decimal digits
        raise WireError(str(error)) from None


# --- frames over a socket ------------------------------------------------------------------------------------------


def send(connection, value):
    """Write one frame: four bytes of length, then the value."""
    send_bytes(connection, encode(value))


def send_bytes(connection, data):
    """Write one frame whose body is encoded already."""
    if len(data) > MAX_FRAME:
        raise WireError(f"a message of {len(data)} bytes is over the limit of {MAX_FRAME}")
    connection.sendall(struct.pack(">I", len(data)) + data)


def receive(connection, max_bytes=MAX_FRAME, deadline=None):
    """Read one frame; raises `EOFError` at the end of the stream and `WireError` for a frame above `max_bytes`.

    With `deadline` (in `time.monotonic` seconds) the whole frame must be there by then, however slowly it drips in;
    else `TimeoutError`.
    """
    return decode(receive_bytes(connection, max_bytes, deadline))


def receive_bytes(connection, max_bytes=MAX_FRAME, deadline=None, idle=None):
    """The body of one frame, not decoded; raises as `receive` does.

    `idle` is asked about once a second whether the other side has stopped working on an answer; if so, `NobodyAnswers`.
    """
    (length,) = struct.unpack(">I", _exactly(connection, 4, deadline, idle))
    if length > max_bytes:
        raise TooLarge(f"a message of {length} bytes is over the limit of {max_bytes}")
    return _exactly(connection, length, deadline, idle)


def _exactly(connection, length, deadline, idle):
    parts = []
    while length:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError("no whole answer in time")
            connection.settimeout(left if idle is None else min(left, LOOK_EVERY))
        try:
            part = connection.recv(min(length, 1 << 20))
        except TimeoutError:
            part = None
        if part == b"":
            raise EOFError("the other side closed the connection")
        if part:
            parts.append(part)
            length -= len(part)
        if length and idle is not None and idle():
            raise NobodyAnswers("nobody works on an answer")
    return b"".join(parts)


# --- the student's side: any object -> plain data ------------------------------------------------------------------


def reduce(value, take=100_000):
    """What `value` holds, as plain data; at most `take` items of an iterator are drawn.

    Only exact base-type methods are used on subclasses, so an overridden method is not even called. Raises `WireError`
    when the value is too deep or too large. Exceptions of a student's generator pass through.
    """
    return value if type(value) in _SCALARS else _Reducer(take).reduce(value, 0)


def pack_any(value):
    """`pack(reduce(value))`; in one step for most answers: lists and tuples of numbers, and counts of pairs."""
    kind = type(value)
    if kind is list or kind is tuple:
        if len(value) <= MAX_ITEMS and set(map(type, value)) == _INTS and _within(value):
            return list(value) if kind is list else {"t": list(value)}
    elif kind is dict and set(map(type, value)) == {tuple}:
        parts = list(itertools.chain.from_iterable(value))
        fits = len(parts) + 2 * len(value) <= MAX_ITEMS and set(map(type, [*parts, *value.values()])) == _INTS
        if fits and parts and _within(parts) and _within(value.values()):
            return {"d": [({"t": list(key)}, number) for key, number in value.items()]}
    return pack(reduce(value))


class _Reducer:
    def __init__(self, take):
        self.take = take
        self.left = MAX_ITEMS

    def reduce(self, value, depth):
        kind = type(value)
        if kind in _SCALARS:
            return value
        if depth > MAX_DEPTH:
            raise WireError(f"nested deeper than {MAX_DEPTH} levels, or a list that holds itself")
        method = _EXACT.get(kind) or next((method for base, method in _BASES if issubclass(kind, base)), None)
        return method(self, value, depth) if method else self.reduce_other(value, depth)

    def count(self, items):
        self.left -= len(items)
        if self.left < 0:
            raise WireError(f"more than {MAX_ITEMS:,} items")

    def several(self, items, depth):
        items = list(items)
        self.count(items)
        if _SCALARS.issuperset(map(type, items)):  # as most of the data is
            return items
        return [self.reduce(item, depth + 1) for item in items]

    def reduce_dict(self, value, depth):
        keys, values = list(dict.keys(value)), list(dict.values(value))
        return dict(zip(self.several(keys, depth), self.several(values, depth), strict=True))

    def reduce_other(self, value, depth):
        module = sys.modules
        numpy, pandas, figure = module.get("numpy"), module.get("pandas"), module.get("matplotlib.figure")
        tokenizers = module.get("tokenizers")
        if numpy is not None:
            if isinstance(value, numpy.generic):
                return self.reduce(numpy.generic.item(value), depth + 1)
            if isinstance(value, numpy.ndarray):
                return Array(self.reduce(numpy.ndarray.tolist(value), depth + 1))
        if pandas is not None and isinstance(value, pandas.DataFrame):
            columns = tuple(self.reduce(name, depth + 1) for name in value.columns)
            data = {name: self.several(value.iloc[:, i].tolist(), depth) for i, name in enumerate(columns)}
            return Frame(columns, data, self.several(value.index.tolist(), depth))
        if pandas is not None and isinstance(value, (pandas.Series, pandas.Index)):
            return Array(self.several(value.tolist(), depth))
        if figure is not None and isinstance(value, figure.Figure):
            return _figure(value)
        if tokenizers is not None and isinstance(value, tokenizers.Encoding):
            return self.several(value.ids, depth)  # what that library's `encode` gives
        if isinstance(value, memoryview):
            return bytes(value)
        if isinstance(value, range | deque) or hasattr(type(value), "__next__"):
            # One by one: what is drawn next may end what was drawn before, as in `itertools.groupby`.
            drawn = tuple(self.reduce(item, depth + 1) for item in itertools.islice(iter(value), self.take))
            self.count(drawn)
            return Stream(drawn)
        if isinstance(value, _VIEWS):
            return self.several(value, depth)
        return Opaque(type(value).__name__[:200])


_VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
_BASES = [
    (bool, lambda self, v, d: bool(v)),
    (int, lambda self, v, d: int.__add__(v, 0)),
    (float, lambda self, v, d: float.__add__(v, 0.0)),
    (complex, lambda self, v, d: complex.__add__(v, 0j)),
    (str, lambda self, v, d: str.__getitem__(v, slice(None)) if type(v) is str else str.__str__(v)),
    (bytes, lambda self, v, d: bytes.__getitem__(v, slice(None)) if type(v) is bytes else bytes(memoryview(v))),
    (bytearray, lambda self, v, d: bytearray(memoryview(v))),
    (list, lambda self, v, d: self.several(list.__iter__(v), d)),
    (tuple, lambda self, v, d: tuple(self.several(tuple.__iter__(v), d))),
    (dict, _Reducer.reduce_dict),
    (set, lambda self, v, d: set(self.several(set.__iter__(v), d))),
    (frozenset, lambda self, v, d: frozenset(self.several(frozenset.__iter__(v), d))),
]
_EXACT = dict(_BASES)


def _figure(figure):
    """Texts and plotted numbers of each axes that shows something; lines with their data, bars with their height."""
    axes = []
    for ax in figure.axes:
        if not ax.has_data():  # a place of the grid that nothing was drawn into
            continue
        axes.append({
            **_words(ax, figure),
            "xscale": ax.get_xscale(), "yscale": ax.get_yscale(),
            "legend": _legend(ax.get_legend()),
            **_ticks(ax.xaxis), **_ticks(ax.yaxis),
            "texts": [text.get_text() for text in ax.texts],
            "lines": [
                _series(str(line.get_label()), line.get_xdata(), line.get_ydata()) for line in ax.get_lines()
            ],
            "bars": [_bars(container) for container in ax.containers if hasattr(container, "patches")],
            "points": [
                _series(str(c.get_label()), c.get_offsets()[:, 0], c.get_offsets()[:, 1])
                for c in ax.collections if hasattr(c, "get_offsets") and len(c.get_offsets())
            ],
        })
    if axes:
        parts = dict.fromkeys([figure, *(ax.figure for ax in figure.axes)])  # with the figures inside this one
        axes[0]["legend"] += [text for part in parts for legend in part.legends for text in _legend(legend)]
    return Figure(tuple(axes))


def _words(ax, figure):
    """Title and axis labels as a reader finds them.

    A title may stand in the middle, left or right, or over the whole figure. An axis may be labelled once for the axes
    of a column or row that share it, or for the whole figure. Two axes in one place (`twinx`) have their title and
    their shared axis in common.
    """

    def first(texts):
        return next((text for text in texts if text.strip()), "")

    def edges(other, axis):
        return getattr(other.get_position(), f"interval{axis}").tolist()

    def aligned(axis):
        shared = getattr(ax, f"get_shared_{axis}_axes")().get_siblings(ax)
        return [ax, *(other for other in shared if edges(other, axis) == edges(ax, axis))]

    def of_figure(name):
        return [_text(getattr(part, name, None)) for part in (ax.figure, figure)]

    column, row = aligned("x"), aligned("y")
    twins = [other for other in column + row if all(edges(other, axis) == edges(ax, axis) for axis in "xy")]
    titles = [other.get_title(loc) for other in twins for loc in ("center", "left", "right")]
    return {
        "title": first([*titles, *of_figure("_suptitle")]),
        "xlabel": first([*(other.get_xlabel() for other in column), *of_figure("_supxlabel")]),
        "ylabel": first([*(other.get_ylabel() for other in row), *of_figure("_supylabel")]),
    }


def _ticks(axis):
    """Places and labels of the ticks that somebody chose; where Matplotlib puts its own depends on the figure's size.

    The formatter says what `get_ticklabels` would, without making ticks: they cost more than the rest of the figure.
    """
    places, labels = [], []
    if not (axis.isDefault_majloc and axis.isDefault_majfmt) or axis.have_units():  # names have units
        places = axis.get_majorticklocs()
        labels = axis.get_major_formatter().format_ticks(places)
    name = axis.axis_name
    return {
        f"{name}ticks": _numbers(places),
        f"{name}ticklabels": ["" if label is None else str(label) for label in labels],
    }


def _text(artist):
    return artist.get_text() if artist else ""


def _legend(legend):
    return [text.get_text() for text in legend.get_texts()] if legend else []


def _series(label, x, y):
    return {"label": label, "x": _numbers(x), "y": _numbers(y)}


def _numbers(values):
    """Numbers and names as plain data, anything else as text; what a masked array masks becomes NaN."""
    if hasattr(values, "filled"):
        values = values.astype(float).filled(math.nan)
    plain = [value.item() if hasattr(value, "item") else value for value in values]
    return [value if isinstance(value, int | float | str) else str(value) for value in plain]


def _bars(container):
    """Bars as (middle, length); horizontal bars give their width."""
    horizontal = getattr(container, "orientation", "vertical") == "horizontal"
    x, y = [], []
    for patch in container.patches:
        if horizontal:
            x.append(float(patch.get_y() + patch.get_height() / 2))
            y.append(float(patch.get_width()))
        else:
            x.append(float(patch.get_x() + patch.get_width() / 2))
            y.append(float(patch.get_height()))
    return {"label": str(container.get_label()), "x": x, "y": y}
