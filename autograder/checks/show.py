"""Values and calls as text for people: as one would type them, invisible characters made visible, long ones cut."""

from collections.abc import Sequence

from autograder.sandbox.inside import wire

__all__ = ["show", "show_call", "show_outcome"]

LONGEST = 240  # characters of one shown value; the middle is cut visibly


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
        case wire.File(name, content):
            text = repr(name) if content is None else f"<file holding {_bounded(content, longest)}>"
        case wire.Array(items):
            text = f"array({_bounded(items, longest)})"
        case wire.Frame(columns, _, index):
            text = f"<DataFrame with columns {list(columns)!r} and {len(index)} rows>"
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
    text = cut(text, longest)  # before its characters are looked at, of which there may be millions
    return cut("".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text), longest)


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


def show_outcome(outcome: object) -> str:
    """What a call gave, in words: the value, or `ValueError: message`, or what stopped it."""
    from autograder.checks import session

    match outcome:
        case session.Returned(value):
            return show(value)
        case session.Raised(names, message):
            name = names[0] if names else "an error"
            return f"{name}: {show(message)[1:-1]}" if message else name
        case session.TimedOut(limit):
            return f"no answer within {limit:g} seconds"
        case session.Died():
            return "the Python process ended (a crash, an exit, or no memory left)"
        case session.Unreadable(why):
            return f"something that is not plain data: {why}"
        case session.Missing(name):
            return f"no {name} is defined"
    return repr(outcome)
