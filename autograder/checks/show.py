"""Values and calls as text for people: as one would type them, invisible characters made visible, long ones cut."""

from collections.abc import Sequence

from autograder.checks.outcomes import Died, Missing, Raised, Returned, TimedOut, Unreadable
from autograder.sandbox.inside import wire

__all__ = ["common", "readable", "show", "show_call", "show_outcome", "show_pair", "type_name"]

LONGEST = 240  # characters of one shown value; the middle is cut visibly
WHOLE = 100_000  # characters in which two values are searched for their first difference
MARK = 20  # characters that the mark of a cut takes, about


def show(value: object, longest: int = LONGEST) -> str:
    """`value` as Python would write it, at most about `longest` characters, escapes for everything invisible.

    >>> show([97, 98])
    '[97, 98]'
    >>> show("a\\u202eb")
    "'a\\\\u202eb'"
    >>> show([1] * 1000, longest=40)
    '[1, 1, 1, 1, 1, 1, … 2,976 more …  1, 1]'
    """
    match value:
        case wire.Stream(items):
            text = f"iter({_bounded(list(items), longest)})"
        case wire.Endless(items):
            text = f"itertools.cycle({_bounded(list(items), longest)})"
        case wire.File(name, content, as_path=as_path):
            text = f"Path({name!r})" if as_path else repr(name)
            if content is not None:
                text = f"<{'Path of a ' if as_path else ''}file holding {_bounded(content, longest)}>"
        case wire.Array(items):
            text = f"array({_bounded(items, longest)})"
        case wire.Frame(columns, data, _):
            text = f"DataFrame({_bounded({column: data.get(column) for column in columns}, longest)})"
        case wire.Figure():
            text = "<Figure>"
        case wire.Double(attributes, answers):
            calls = [f"{show_call(n, args)} = {show(v)}" for n, table in answers.items() for args, v in table]
            known = [f"{name}={show(item)}" for name, item in attributes.items()]
            text = f"<object with {', '.join(known + calls)}>"
        case wire.Opaque(type_name):
            text = f"<{type_name} object>"
        case wire.Handle(_, type_name):
            text = f"<{type_name} object>"
        case _:
            text = _bounded(value, longest)
    return cut(readable(cut(text, longest)), longest)  # cut before its characters are looked at: there may be millions


def readable(text: str) -> str:
    """`text` with escapes for everything that has no visible form of its own, so that it cannot disturb its page.

    >>> readable("a\\tb\\u202e\\ud800 é")
    'a\\\\tb\\\\u202e\\\\ud800 é'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _bounded(value: object, longest: int) -> str:
    """`repr`, but of very long containers only as much as will be shown: a reply may hold millions of items."""
    if isinstance(value, int) and value.bit_length() > 4 * longest:
        return f"<an integer of {value.bit_length():,} bits>"
    try:
        bytes_alone = {byte: bytes([byte]) for byte in range(256)}.items()
        if isinstance(value, dict) and len(value) > 255 and all(value.get(byte) == one for byte, one in bytes_alone):
            rest = repr({key: item for key, item in value.items() if key not in range(256)})[1:]
            return "{**{b: bytes([b]) for b in range(256)}" + (", " if rest != "}" else "") + rest  # a vocabulary
        return repr(value)
    except ValueError:  # Python prints no integer of over 4,300 digits
        return f"<a {type(value).__name__} with an integer too long to print>"


def cut(text: str, longest: int) -> str:
    """`text`, its middle replaced by a count when it is longer than `longest`."""
    if len(text) <= longest:
        return text
    room = max(longest - 16, 10)  # the mark takes about 16
    tail = room // 4
    return f"{text[: room - tail]} … {len(text) - room:,} more … {text[-tail:]}"


def show_call(name: str, args: Sequence, kwargs: dict | None = None, made_with: tuple | None = None) -> str:
    """A call as one would type it.

    >>> show_call("merge_pair", ([1, 1], (1, 1), 9))
    'merge_pair([1, 1], (1, 1), 9)'
    >>> show_call("WordTokenizer.encode", ("a",), {}, ((["a b"], 3), {}))
    "WordTokenizer(['a b'], 3).encode('a')"
    """
    if made_with is not None:
        owner, _, method = name.rpartition(".")
        return f"{show_call(owner, *made_with)}.{show_call(method, args, kwargs)}"
    shown = [show(arg) for arg in args] + [f"{key}={show(value)}" for key, value in (kwargs or {}).items()]
    return f"{name}({', '.join(shown)})"


def show_pair(right: object, got: object, longest: int = LONGEST) -> tuple[str, str]:
    """Two outcomes as text; where they are long, both are cut so that their first difference stays.

    >>> show_pair(Returned("a" * 300 + "b" + "a" * 300), Returned("a" * 601), longest=70)[0]
    "'aaaaaaaaaaa … 285 more … aaaabaaaaaaaaaaa … 286 more … aaa'"
    """
    whole = [show_outcome(outcome, WHOLE) for outcome in (right, got)]
    place = common(*whole)
    return cut_around(whole[0], place, longest), cut_around(whole[1], place, longest)


def common(left: Sequence, right: Sequence) -> int:
    """How many items two sequences have in common at their beginning.

    >>> common("abc", "abd"), common([1], [1, 2])
    (2, 1)
    """
    return next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


def cut_around(text: str, place: int, longest: int) -> str:
    """`text` with its beginning, its end and what stands around `place`; what is cut in between is counted."""
    if len(text) <= longest or place < longest // 2:
        return cut(text, longest)
    part = max(longest - 2 * MARK, 7) // 7
    kept = [(0, 3 * part), (place - part, place + 3 * part), (len(text) - part, len(text))]
    pieces, end = [], 0
    for first, last in kept:
        first = max(first, end)
        if first > end:
            pieces.append(f" … {first - end:,} more … ")
        pieces.append(text[first:last])
        end = max(end, last)
    return "".join(pieces)


def show_outcome(outcome: object, longest: int = LONGEST) -> str:
    """What a call gave, in words: the value, or `ValueError: message`, or what stopped it."""
    match outcome:
        case Returned(value):
            return show(value, longest)
        case Raised(names, message):
            name = readable(names[0]) if names else "an error"
            return f"{name}: {show(message)[1:-1]}" if message else name
        case TimedOut(limit):
            return f"no answer within {limit:g} seconds"
        case Died():
            return "the Python process ended (a crash, an exit, or no memory left)"
        case Unreadable(why):
            return why if why == wire.OVERWRITTEN else f"something that is not plain data: {readable(why)}"
        case Missing(name):
            return f"no {name} is defined"
    return repr(outcome)


def type_name(value: object) -> str:
    """The name of a type as the student knows it.

    >>> type_name(None), type_name(wire.Array([1])), type_name(wire.Stream((1,)))
    ('None', 'numpy array', 'iterator')
    """
    if value is None:
        return "None"
    if isinstance(value, wire.Opaque):
        return readable(value.type_name)
    own = {wire.Array: "numpy array", wire.Stream: "iterator", wire.Frame: "DataFrame"}
    return own.get(type(value), type(value).__name__)
