r"""Correct answers to chapter 1 in many styles; the chapter asks for arithmetic, the checks look at results only."""

from correct_variants import right

# --- code_points and echo ------------------------------------------------------------------------------------------


@right("code_points")
def by_map(text):
    return list(map(ord, text))


@right("code_points")
def by_unpacking(text):
    return [*map(ord, text)]


@right("code_points")
def by_loop(text):
    numbers = []
    for i in range(len(text)):
        numbers.append(ord(text[i]))
    return numbers


@right("code_points")
def by_generator(text):
    def numbers():
        for c in text:
            yield ord(c)

    return list(numbers())


@right("code_points")
def by_utf32(text):
    import struct

    data = text.encode("utf-32-le", "surrogatepass")
    return list(struct.unpack(f"<{len(data) // 4}I", data))


@right("code_points")
def by_numpy(text):
    import numpy as np

    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4").tolist()


@right("echo")
def by_display_hook(value):
    import contextlib
    import io
    import sys

    with contextlib.redirect_stdout(io.StringIO()) as output:
        sys.__displayhook__(value)
    return output.getvalue()


@right("echo")
def by_condition(value):
    return f"{value!r}\n" if value is not None else ""


@right("echo")
def by_parts(value):
    return "".join([repr(value), "\n"] * (value is not None))


@right("echo")
def by_match(value):
    match value:
        case None:
            return ""
        case _:
            return "{!r}\n".format(*[value])


@right("echo")
def by_early_return(value):
    text = ""
    if value is not None:
        text += repr(value)
        text += "\n"
    return text


@right("echo")
def by_type(value):
    return "" if type(value) is type(None) else value.__repr__() + chr(10)


# --- visible -------------------------------------------------------------------------------------------------------


@right("visible")
def by_repr_of_each(text):
    return "".join({'"': '\\"', "'": "'"}.get(c, repr(c)[1:-1]) for c in text)


@right("visible")
def by_repr_of_all(text):
    # A single quote in front makes repr choose double ones, unless there are double ones too: then escape them after.
    return "".join(repr("'" + piece)[2:-1] for piece in [text.replace('"', "")]) if '"' not in text else '\\"'.join(
        repr("'" + piece)[2:-1] for piece in text.split('"')
    )


@right("visible")
def by_translate(text):
    table = {ord(c): "\\" + e for c, e in zip('\\"\n\r\t', '\\"nrt', strict=True)}
    for c in set(text):
        if not c.isprintable() and ord(c) not in table:
            n = ord(c)
            table[n] = f"\\x{n:02x}" if n <= 0xFF else f"\\u{n:04x}" if n <= 0xFFFF else f"\\U{n:08x}"
    return text.translate(table)


@right("visible")
def by_substitution(text):
    import re

    def escaped(match):
        c = match[0]
        return c if c.isprintable() and c not in '\\"' else "\\" + c if c in '\\"' else repr(c)[1:-1]

    return re.sub(r"(?s).", escaped, text)


@right("visible")
def by_codec(text):
    return "".join(
        "\\" + c if c in '\\"' else c if c.isprintable() else c.encode("unicode_escape").decode() for c in text
    )


@right("visible")
def by_match_and_hex(text):
    out = ""
    for c in text:
        match c:
            case "\\" | '"':
                out += "\\" + c
            case "\n":
                out += r"\n"
            case "\r":
                out += r"\r"
            case "\t":
                out += r"\t"
            case _ if c.isprintable():
                out += c
            case _:
                digits = hex(ord(c))[2:]
                width = 2 if len(digits) <= 2 else 4 if len(digits) <= 4 else 8
                out += "\\" + {2: "x", 4: "u", 8: "U"}[width] + digits.zfill(width)
    return out


# --- utf8_encode ---------------------------------------------------------------------------------------------------


@right("utf8_encode")
def by_codec_after_tests(code_point):
    if type(code_point) is not int:
        raise TypeError("code_point: an int, please")
    try:
        return chr(code_point).encode()
    except (ValueError, OverflowError) as error:
        raise ValueError("code_point is not a character's") from error


@right("utf8_encode")
def by_bit_texts(code_point):
    if type(code_point) is not int:
        raise TypeError("code_point must be int")
    if code_point < 0 or code_point > 0x10FFFF or code_point in range(0xD800, 0xE000):
        raise ValueError("bad code_point")
    if code_point < 128:
        return bytes([code_point])
    lead, width = ("110", 11) if code_point < 0x800 else ("1110", 16) if code_point < 0x10000 else ("11110", 21)
    bits = f"{code_point:0{width}b}"
    head = 8 - len(lead)
    groups = [lead + bits[:head]] + ["10" + bits[i : i + 6] for i in range(head, width, 6)]
    return bytes(int(group, 2) for group in groups)


@right("utf8_encode")
def by_divmod(code_point):
    if isinstance(code_point, bool) or not isinstance(code_point, int):
        raise TypeError(f"code_point: {code_point!r}")
    if not (0 <= code_point < 0xD800 or 0xE000 <= code_point < 0x110000):
        raise ValueError(f"code_point: {code_point!r}")
    if code_point < 128:
        return bytes((code_point,))
    tail = []
    room = 32
    while code_point >= room * 2 or not tail:
        code_point, low = divmod(code_point, 64)
        tail.insert(0, 128 + low)
        if code_point < room:
            break
        room //= 2
    return bytes([(0xFF00 >> len(tail) + 1 & 0xFF) + code_point, *tail])


@right("utf8_encode")
def by_recursion(code_point):
    if isinstance(code_point, bool) or not isinstance(code_point, int):
        raise TypeError("code_point is not an int")
    if not 0 <= code_point <= 0x10FFFF or code_point >> 11 == 0x1B:
        raise ValueError("code_point is not a scalar value")

    def tail(n, count):
        return tail(n >> 6, count - 1) + bytes([0x80 | n & 0x3F]) if count else b""

    if code_point < 0x80:
        return bytes([code_point])
    count = 1 if code_point < 0x800 else 2 if code_point < 0x10000 else 3
    return bytes([(0, 0xC0, 0xE0, 0xF0)[count] | code_point >> 6 * count]) + tail(code_point, count)


@right("utf8_encode")
def by_table(code_point):
    if not isinstance(code_point, int) or isinstance(code_point, bool):
        raise TypeError("code_point")
    if 0xD800 <= code_point <= 0xDFFF:
        raise ValueError("code_point is a surrogate")
    for limit, marks in ((0x80, (0,)), (0x800, (0xC0, 0x80)), (0x10000, (0xE0, 0x80, 0x80)),
                         (0x110000, (0xF0, 0x80, 0x80, 0x80))):  # fmt: skip
        if 0 <= code_point < limit:
            shifts = range(6 * (len(marks) - 1), -1, -6)
            parts = [code_point >> s & (0x3F if m == 0x80 else 0x7F) for m, s in zip(marks, shifts, strict=True)]
            return bytes(m | part for m, part in zip(marks, parts, strict=True))
    raise ValueError("code_point is out of range")


@right("utf8_encode")
def by_bytearray(code_point):
    if type(code_point) is not int:
        raise TypeError("code_point has the wrong type")
    if code_point < 0 or 0xD7FF < code_point < 0xE000 or code_point > 1114111:
        raise ValueError("code_point has the wrong value")
    out = bytearray()
    if code_point <= 0x7F:
        out.append(code_point)
    elif code_point <= 0x7FF:
        out.append(192 + code_point // 64)
        out.append(128 + code_point % 64)
    elif code_point <= 0xFFFF:
        out.append(224 + code_point // 4096)
        out.append(128 + code_point // 64 % 64)
        out.append(128 + code_point % 64)
    else:
        out.append(240 + code_point // 262144)
        out.append(128 + code_point // 4096 % 64)
        out.append(128 + code_point // 64 % 64)
        out.append(128 + code_point % 64)
    return bytes(out)


# --- utf8_decode ---------------------------------------------------------------------------------------------------


@right("utf8_decode")
def by_pattern(data):
    import re

    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    one = re.compile(
        rb"[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}"
        rb"|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}"
    )
    out, place = [], 0
    while place < len(data):
        found = one.match(data, place)
        if found is None:
            raise ValueError(f"invalid at offset {place}.")
        first, *rest = found[0]
        for byte in rest:
            first = (first << 6) + (byte & 63)
        out.append(first & (0x7F, 0x7FF, 0xFFFF, 0x1FFFFF)[len(rest)])
        place = found.end()
    return out


@right("utf8_decode")
def by_states(data):
    if type(data) is not bytes:
        raise TypeError("data: bytes only")
    out, value, left, low, start = [], 0, 0, 0, 0
    for place, byte in enumerate(data):
        if left:
            if byte & 0xC0 != 0x80:
                raise ValueError(f"offset {start}: interrupted")
            value, left = value << 6 | byte & 0x3F, left - 1
            if not left:
                if value < low or value > 0x10FFFF or 0xD800 <= value < 0xE000:
                    raise ValueError(f"offset {start}: no character")
                out.append(value)
            continue
        start = place
        if byte < 0x80:
            out.append(byte)
        elif 0xC0 <= byte < 0xE0:
            value, left, low = byte & 0x1F, 1, 0x80
        elif 0xE0 <= byte < 0xF0:
            value, left, low = byte & 0x0F, 2, 0x800
        elif 0xF0 <= byte < 0xF8:
            value, left, low = byte & 0x07, 3, 0x10000
        else:
            raise ValueError(f"offset {start}: cannot begin a character")
    if left:
        raise ValueError(f"offset {start}: truncated")
    return out


@right("utf8_decode")
def by_round_trip(data):
    if not isinstance(data, bytes):
        raise TypeError("data is not bytes")
    out, i = [], 0
    while i < len(data):
        for n in (1, 2, 3, 4):
            piece = data[i : i + n]
            value = int.from_bytes(bytes(0), "big")
            for k, b in enumerate(piece):
                value = value << 6 | (b & 0x3F) if k else b & (0x7F, 0x1F, 0x0F, 0x07)[n - 1]
            try:
                good = chr(value).encode() == piece
            except (UnicodeEncodeError, ValueError):
                good = False
            if good:
                break
        else:
            raise ValueError(f"no character at offset {i}")
        out.append(value)
        i += n
    return out


@right("utf8_decode")
def by_helper_and_iterator(data):
    if not isinstance(data, bytes):
        raise TypeError("data must be a bytes object")

    def characters():
        place = 0
        while place < len(data):
            limits = ((1, 0x80), (0, 0xC2), (2, 0xE0), (3, 0xF0), (4, 0xF5))
            length = next((n for n, limit in limits if data[place] < limit), 0)
            piece = data[place : place + length]
            value = piece[0] & (0x7F, 0x7F, 0x1F, 0xF, 7)[length] if piece else -1
            for byte in piece[1:]:
                value = value * 64 + byte - 0x80 if 0x80 <= byte < 0xC0 and value >= 0 else -1
            smallest = (0, 0, 0x80, 0x800, 0x10000)[length]
            if len(piece) < max(length, 1) or not smallest <= value < 0x110000 or value >> 11 == 27:
                raise ValueError("bad bytes at offset " + str(place))
            yield value
            place += length

    return list(characters())


@right("utf8_decode")
def by_codec_with_own_message(data):
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    try:
        return list(map(ord, data.decode()))
    except UnicodeDecodeError as error:
        raise ValueError(f"offset {error.start}") from None


@right("utf8_decode")
def by_recursion_over_the_rest(data, place=0):
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    if not data:
        return []
    lead = data[0]
    size = next((n for n, end in ((1, 0x80), (0, 0xC2), (2, 0xE0), (3, 0xF0), (4, 0xF5)) if lead < end), 0)
    rest = data[1:size]
    value = lead if size == 1 else lead & (0x7F >> size)
    for byte in rest:
        value = value * 64 + byte % 64
    smallest = (0, 0, 0x80, 0x800, 0x10000)[size]
    if (
        size == 0 or len(rest) < size - 1 or any(byte // 64 != 2 for byte in rest)
        or value < smallest or value > 0x10FFFF or 0xD800 <= value < 0xE000
    ):
        raise ValueError(f"bad sequence at offset {place}")
    return [value, *by_recursion_over_the_rest(data[size:], place + size)]


@right("utf8_decode")
def by_codec_telling_the_offset_twice(data):
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    try:
        return [ord(c) for c in data.decode("utf-8")]
    except UnicodeDecodeError as error:
        start = error.start
        raise ValueError(f"byte 0x{data[start]:02x} at offset {start}: no character begins at offset {start}") from None


@right("utf8_decode")
def by_second_byte_ranges(data):
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    ranges = {0xE0: (0xA0, 0xBF), 0xED: (0x80, 0x9F), 0xF0: (0x90, 0xBF), 0xF4: (0x80, 0x8F)}
    out, i = [], 0
    while i < len(data):
        lead = data[i]
        if lead < 0x80:
            out.append(lead)
            i += 1
            continue
        count = 1 if 0xC2 <= lead <= 0xDF else 2 if 0xE0 <= lead <= 0xEF else 3 if 0xF0 <= lead <= 0xF4 else 0
        rest = data[i + 1 : i + 1 + count]
        low, high = ranges.get(lead, (0x80, 0xBF))
        if not count or len(rest) != count or not low <= rest[0] <= high or any(b >> 6 != 2 for b in rest):
            raise ValueError(f"malformed sequence, offset {i}")
        value = lead & (0x3F >> count)
        for b in rest:
            value = value << 6 | b & 63
        out.append(value)
        i += count + 1
    return out


# --- values and counts ---------------------------------------------------------------------------------------------


@right("wrong_decoder_counterexample")
def one_emoji():
    return b"\xf0\x9f\x98\x80"


@right("wrong_decoder_counterexample")
def mixed_text():
    return "naïve 漢字".encode()


@right("undecodable_pair")
def stray_continuations():
    return b"\x80\x80"


@right("undecodable_pair")
def overlong_zero():
    return b"\xc0\x80"


@right("undecodable_pair")
def letter_then_lead():
    return b"A\xc3"


@right("count_decodable_pairs")
def by_trying_all(*_):
    count = 0
    for a in range(256):
        for b in range(256):
            try:
                bytes([a, b]).decode()
            except UnicodeDecodeError:
                continue
            count += 1
    return count


@right("count_decodable_pairs")
def by_product(*_):
    from itertools import product

    def valid(a, b):
        return (a < 128 and b < 128) or (0xC2 <= a <= 0xDF and 0x80 <= b <= 0xBF)

    return sum(valid(a, b) for a, b in product(range(256), repeat=2))


@right("count_decodable_pairs")
def by_encoding(*_):
    two = {chr(n).encode() for n in range(0x800)}
    one = [data for data in two if len(data) == 1]
    return len({a + b for a in one for b in one} | {data for data in two if len(data) == 2})


@right("count_decodable_pairs")
def by_ignoring_errors(*_):
    pairs = [bytes([a, b]) for a in range(256) for b in range(256)]
    return len([pair for pair in pairs if pair.decode("utf-8", "ignore").encode() == pair])


@right("count_decodable_pairs")
def by_replacement(*_):
    return sum("\ufffd" not in bytes(divmod(n, 256)).decode("utf-8", "replace") for n in range(65_536))


@right("count_decodable_pairs")
def by_code_points(*_):
    return 0x80**2 + len(range(0x80, 0x800))


# --- encoding_sizes and plot_encoding_sizes --------------------------------------------------------------------------


@right("encoding_sizes")
def by_comprehension(text):
    codecs = {"utf-8": "utf-8", "utf-16": "utf-16-be", "utf-32": "utf-32-be"}
    return {name: len(text.encode(codec)) for name, codec in codecs.items()}


@right("encoding_sizes")
def by_taking_the_mark_off(text):
    marks = {"utf-8": 0, "utf-16": 2, "utf-32": 4}
    return {name: len(text.encode(name)) - mark for name, mark in marks.items()}


@right("encoding_sizes")
def by_counting(text):
    sizes = {"utf-32": 0, "utf-16": 0, "utf-8": 0}
    for n in map(ord, text):
        if 0xD800 <= n < 0xE000:
            raise ValueError("a lone surrogate")
        sizes["utf-8"] += 1 + (n > 0x7F) + (n > 0x7FF) + (n > 0xFFFF)
        sizes["utf-16"] += 2 + 2 * (n > 0xFFFF)
        sizes["utf-32"] += 4
    return sizes


@right("encoding_sizes")
def by_sums(text):
    return dict(
        zip(
            ("utf-8", "utf-16", "utf-32"),
            (sum(len(c.encode(e)) for c in text) for e in ("utf-8", "utf-16-le", "utf-32-le")),
            strict=True,
        )
    )


@right("encoding_sizes")
def by_default_dict(text):
    from collections import defaultdict

    sizes = defaultdict(int)
    for name in ("utf-8", "utf-16", "utf-32"):
        sizes[name] += len(text.encode(name if name == "utf-8" else name + "-le"))
    return sizes


@right("encoding_sizes")
def by_counter(text):
    from collections import Counter

    big = Counter(c > "\uffff" for c in text)
    return {"utf-32": 4 * len(text), "utf-8": len(text.encode()), "utf-16": 2 * big[False] + 4 * big[True]}


@right("plot_encoding_sizes")
def as_grouped_bars(texts):
    import matplotlib.pyplot as plt
    import pandas as pd

    if not texts or not all(texts.values()):
        raise ValueError("texts: nothing to measure")
    frame = pd.DataFrame(
        {
            "language": list(texts),
            "utf-8": [len(t.encode()) / len(t) for t in texts.values()],
            "utf-16": [len(t.encode("utf-16-le")) / len(t) for t in texts.values()],
            "utf-32": [4.0 for _ in texts],
        }
    ).sort_values("utf-8", kind="mergesort")
    figure, ax = plt.subplots()
    for i, name in enumerate(["utf-8", "utf-16", "utf-32"]):
        ax.bar([n + 0.25 * i for n in range(len(frame))], frame[name], width=0.25, label=name)
    ax.set_xticks(range(len(frame)), frame["language"], rotation=90)
    ax.set_title("Sizes")
    ax.set_xlabel("language")
    ax.set_ylabel("size (bytes per character)")
    ax.legend()
    return frame, figure


@right("plot_encoding_sizes")
def as_horizontal_bars(texts):
    import pandas as pd

    if len(texts) == 0 or min(map(len, texts.values())) == 0:
        raise ValueError("texts is empty")
    rows = sorted(
        ({"language": name, **{k: v / len(t) for k, v in encoding_sizes(t).items()}} for name, t in texts.items()),  # noqa: F821
        key=lambda row: row["utf-8"],
    )
    frame = pd.DataFrame(rows)
    ax = frame.plot.barh(x="language", title="Bytes per character", xlabel="bytes", ylabel="language")
    return frame, ax.figure


@right("plot_encoding_sizes")
def as_scatter(texts):
    import matplotlib.pyplot as plt
    import pandas as pd

    frame = pd.DataFrame(columns=["language", "utf-8", "utf-16", "utf-32", "characters"])
    for name in texts:
        if not texts[name]:
            raise ValueError(f"texts has an empty text for {name}")
        n = len(texts[name])
        sizes = [len(texts[name].encode(e)) / n for e in ("utf-8", "utf-16-le", "utf-32-le")]
        frame.loc[len(frame)] = [name, *sizes, n]
    if frame.empty:
        raise ValueError("texts has no text")
    frame = frame.sort_values("utf-8", kind="stable").reset_index(drop=True)
    figure = plt.figure()
    ax = figure.add_subplot()
    for name in ("utf-8", "utf-16", "utf-32"):
        ax.scatter(frame[name], range(len(frame)), label=name)
    figure.suptitle("Bytes per character by language")
    ax.set(xlabel="bytes per character", ylabel="language")
    ax.set_yticks(range(len(frame)), frame["language"])
    ax.legend()
    return frame, figure
