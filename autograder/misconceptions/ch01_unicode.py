r"""Wrong versions of chapter 1: code points, escapes, UTF-8.

The usual causes: bytes or 16-bit units taken for characters, `print` taken for the echo, one rule of UTF-8 left out.
"""

from autograder.misconceptions.api import wrong

# --- code_points ---------------------------------------------------------------------------------------------------


@wrong(
    "code_points", caught_by="one_number_for_each_character",
    also=("beyond_sixteen_bits", "combining_marks_stay", "lone_surrogates_are_numbers_too"),
)
def utf8_bytes_instead(text):
    """You seem to list the bytes of the UTF-8 encoding. A str holds code points and knows nothing of bytes: for "é"
    the answer is one number, 233, where UTF-8 has two bytes. How do you ask a single character for its number?"""
    return list(text.encode("utf-8"))


@wrong("code_points", caught_by="beyond_sixteen_bits", also=("lone_surrogates_are_numbers_too",))
def sixteen_bit_units(text):
    """You seem to count in 16-bit units, as JavaScript and Java do. There "😀" is a pair of surrogates; in Python it is
    one character with one number above 65,535. Try len("😀")."""
    data = text.encode("utf-16-le")
    return [int.from_bytes(data[i : i + 2], "little") for i in range(0, len(data), 2)]


@wrong("code_points", caught_by="combining_marks_stay")
def composes_first(text):
    """You seem to normalise the text first, so a letter and its combining mark become one character. What was asked is
    what the text holds: "e" followed by U+0301 is two code points. Compare len() of the text before and after."""
    import unicodedata

    return [ord(c) for c in unicodedata.normalize("NFC", text)]


@wrong("code_points", caught_by="lone_surrogates_are_numbers_too")
def leaves_surrogates_out(text):
    """You seem to leave lone surrogates out, perhaps by encoding with errors="ignore". They are code points that a
    Python text may hold, even though no encoding takes them: nothing should get lost here."""
    return [ord(c) for c in text if not 0xD800 <= ord(c) <= 0xDFFF]


# --- echo ----------------------------------------------------------------------------------------------------------


@wrong("echo", caught_by="the_repr_and_a_line_break", also=("empty_values_are_written",))
def as_print_does(value):
    r"""You seem to use str(), which is what print writes. The prompt shows the form that Python could read again:
    for "a" that has quotes. Compare print("a") with "a" alone on the last line of a cell."""
    return "" if value is None else str(value) + "\n"


@wrong("echo", caught_by="none_is_silent")
def none_is_written(value):
    """You seem to treat None like any other value. A call of print() has the value None too, and nothing appears after
    it at the prompt: this one value is left out."""
    return repr(value) + "\n"


@wrong("echo", caught_by="empty_values_are_written")
def empty_is_none(value):
    """You seem to ask whether the value is true. Zero and the empty text are false too, and yet the prompt shows them:
    only one value is silent. How do you ask whether something is None itself?"""
    return repr(value) + "\n" if value else ""


@wrong(
    "echo", caught_by="the_repr_and_a_line_break", also=("empty_values_are_written",)
)
def no_line_break(value):
    """The text is right but for its end: the prompt starts a new line after the value, so a line break belongs to what
    it writes."""
    return "" if value is None else repr(value)


# --- visible -------------------------------------------------------------------------------------------------------


@wrong(
    "visible", caught_by="backslash_and_double_quote", also=("printable_characters_stay", "python_reads_it_back")
)
def repr_without_its_quotes(text):
    """You seem to cut the quotes off repr(text). But repr chooses its quotes by what is inside: for a text that holds a
    double quote it takes single ones and leaves the double quote bare. Look at repr of one such quote."""
    return repr(text)[1:-1]


@wrong("visible", caught_by="printable_characters_stay")
def double_quotes_escaped_after_repr(text):
    r"""You seem to take repr(text) without its quotes and to escape the double quotes in it. Where a text holds both
    kinds of quotes, repr has put a backslash before each single one as well. Look at repr of the two side by side."""
    return repr(text)[1:-1].replace('"', '\\"')


@wrong(
    "visible", caught_by="printable_characters_stay", also=("backslash_and_double_quote", "python_reads_it_back")
)
def everything_to_ascii(text):
    """You seem to use the codec unicode_escape (or ascii()), which escapes every character beyond ASCII. Here "é" and
    "漢" stay as they are; only what is unprintable is escaped. And the codec leaves a double quote bare."""
    return text.encode("unicode_escape").decode("ascii")


@wrong(
    "visible", caught_by="two_digits",
    also=("printable_characters_stay", "eight_digits", "python_reads_it_back"),
)
def as_json_does(text):
    r"""You seem to use JSON's escapes. JSON writes every escape with \u and four digits, and two of them for one
    character above U+FFFF; Python writes \x00 for chr(0) and has \U with eight digits for the large ones."""
    import json

    return json.dumps(text)[1:-1]


@wrong("visible", caught_by="backslash_and_double_quote", also=("python_reads_it_back",))
def backslash_left_bare(text):
    r"""You seem to leave backslashes as they are. Then a text that holds a backslash and an n cannot be told from one
    that holds a line break: both come out as \n. What must stand for a single backslash?"""
    names = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"'}

    def one(c):
        n = ord(c)
        if c in names:
            return names[c]
        if c.isprintable():
            return c
        return f"\\x{n:02x}" if n < 256 else f"\\u{n:04x}" if n < 65536 else f"\\U{n:08x}"

    return "".join(map(one, text))


@wrong(
    "visible", caught_by="line_breaks_and_tabs", also=("backslash_and_double_quote", "python_reads_it_back"),
)
def backslashes_doubled_last(text):
    r"""You seem to double the backslashes after you have put in your own, so those are doubled too: a line break comes
    out as two backslashes and an n. Which replacement has to come first?"""
    out = ""
    for c in text:
        n = ord(c)
        if c.isprintable() or c in "\n\r\t":
            out += c
        else:
            out += "\0" + (f"x{n:02x}" if n < 256 else f"u{n:04x}" if n < 65536 else f"U{n:08x}")
    out = out.replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
    return out.replace("\\", "\\\\").replace("\0", "\\")


@wrong("visible", caught_by="four_digits", also=("two_digits", "eight_digits", "python_reads_it_back"))
def only_old_control_characters(text):
    r"""You seem to take only the characters below 32 for unprintable. There are more: chr(127), the line separator
    U+2028, lone surrogates. A str method tells you for every character; which one?"""
    names = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "".join(names.get(c) or (c if ord(c) >= 32 else f"\\x{ord(c):02x}") for c in text)


@wrong("visible", caught_by="four_digits", also=("eight_digits", "python_reads_it_back"))
def always_x(text):
    r"""You seem to write \x for every unprintable character. Python reads exactly two digits after \x, so \x2028 is a
    space followed by "28". Characters from U+0100 need another letter and more digits."""
    names = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "".join(names.get(c) or (c if c.isprintable() else f"\\x{ord(c):02x}") for c in text)


@wrong("visible", caught_by="eight_digits")
def five_digits_after_u(text):
    r"""You seem to write \u for every large character. Python reads exactly four digits after \u, so a fifth becomes a
    character of its own. Above U+FFFF the letter is a capital one, and the digits are eight."""
    names = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}

    def one(c):
        n = ord(c)
        return names.get(c) or (c if c.isprintable() else f"\\x{n:02x}" if n < 256 else f"\\u{n:04x}")

    return "".join(map(one, text))


@wrong("visible", caught_by="printable_characters_stay")
def single_quote_too(text):
    r"""You seem to escape the single quote as well. Between double quotes it needs no backslash, and the rule was that
    every printable character but the backslash and the double quote stays."""
    names = {"\\": "\\\\", '"': '\\"', "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

    def one(c):
        n = ord(c)
        if c in names or c.isprintable():
            return names.get(c, c)
        return f"\\x{n:02x}" if n < 256 else f"\\u{n:04x}" if n < 65536 else f"\\U{n:08x}"

    return "".join(map(one, text))


@wrong("visible", caught_by="line_breaks_and_tabs")
def numbers_for_line_breaks(text):
    r"""You seem to escape line breaks and tabs by number (\x0a). Python would read that back, but these three have
    short forms of their own, as in repr: \n, \r and \t."""

    def one(c):
        n = ord(c)
        if c in '"\\':
            return "\\" + c
        if c.isprintable():
            return c
        return f"\\x{n:02x}" if n < 256 else f"\\u{n:04x}" if n < 65536 else f"\\U{n:08x}"

    return "".join(map(one, text))


# --- utf8_encode ---------------------------------------------------------------------------------------------------


@wrong("utf8_encode", caught_by="two_bytes")
def latin_1_up_to_255(code_point):
    """You seem to write one byte for every number up to 255. One byte has only seven bits of payload, since its first
    bit must be 0: from 128 on, two bytes are needed. Work out U+00E9 by hand: 11 bits, five and six."""
    if isinstance(code_point, bool) or not isinstance(code_point, int):
        raise TypeError("code_point must be an int")
    if not 0 <= code_point <= 0x10FFFF or 0xD800 <= code_point <= 0xDFFF:
        raise ValueError("code_point is no scalar value")
    return bytes([code_point]) if code_point < 256 else chr(code_point).encode()


@wrong("utf8_encode", caught_by="two_bytes", also=("one_byte", "three_bytes"))
def limits_off_by_one(code_point):
    """You seem to be off by one at the limits: U+007F, U+07FF and U+FFFF are the last ones that fit into one, two and
    three bytes. How many values do 7, 11 and 16 bits have, and which is the largest?"""
    if isinstance(code_point, bool) or not isinstance(code_point, int):
        raise TypeError("code_point must be an int")
    if not 0 <= code_point <= 0x10FFFF or 0xD800 <= code_point <= 0xDFFF:
        raise ValueError("code_point is no scalar value")
    if code_point < 0x7F:
        return bytes([code_point])
    if code_point < 0x7FF:
        return bytes([0xC0 | code_point >> 6, 0x80 | code_point & 63])
    if code_point < 0xFFFF:
        return bytes([0xE0 | code_point >> 12, 0x80 | code_point >> 6 & 63, 0x80 | code_point & 63])
    return bytes(
        [0xF0 | code_point >> 18, 0x80 | code_point >> 12 & 63, 0x80 | code_point >> 6 & 63, 0x80 | code_point & 63]
    )


@wrong("utf8_encode", caught_by="two_bytes", also=("three_bytes", "four_bytes"))
def continuation_without_mark(code_point):
    """Your continuation bytes seem to lack their mark. Each byte after the first begins with the bits 10, which is what
    lets a reader in the middle of a text see that it is in the middle: the payload goes below 0x80."""
    if isinstance(code_point, bool) or not isinstance(code_point, int):
        raise TypeError("code_point must be an int")
    if not 0 <= code_point <= 0x10FFFF or 0xD800 <= code_point <= 0xDFFF:
        raise ValueError("code_point is no scalar value")
    data = chr(code_point).encode()
    return data[:1] + bytes(b & 0x3F for b in data[1:])


@wrong("utf8_encode", caught_by="three_bytes", also=("four_bytes",))
def middle_not_masked(code_point):
    """You seem to shift for the middle bytes without keeping only six bits: the higher bits, which the first byte holds
    already, come along. Which mask leaves six bits? Work out U+20AC by hand: 0010, 000010, 101100."""
    if isinstance(code_point, bool) or not isinstance(code_point, int):
        raise TypeError("code_point must be an int")
    if not 0 <= code_point <= 0x10FFFF or 0xD800 <= code_point <= 0xDFFF:
        raise ValueError("code_point is no scalar value")
    if code_point < 0x80:
        return bytes([code_point])
    if code_point < 0x800:
        return bytes([0xC0 | code_point >> 6, 0x80 | code_point & 63])
    if code_point < 0x10000:
        return bytes([0xE0 | code_point >> 12, (0x80 | code_point >> 6) & 255, 0x80 | code_point & 63])
    return bytes(
        [0xF0 | code_point >> 18, (0x80 | code_point >> 12) & 255, (0x80 | code_point >> 6) & 255,
         0x80 | code_point & 63]
    )  # fmt: skip


@wrong("utf8_encode", caught_by="two_bytes", also=("three_bytes", "four_bytes"))
def last_byte_first(code_point):
    """Your bytes seem to be right but in reverse order. UTF-8 has one order on every machine: the byte that tells the
    length comes first, then the payload from its highest bits to its lowest."""
    if isinstance(code_point, bool) or not isinstance(code_point, int):
        raise TypeError("code_point must be an int")
    if not 0 <= code_point <= 0x10FFFF or 0xD800 <= code_point <= 0xDFFF:
        raise ValueError("code_point is no scalar value")
    return chr(code_point).encode()[::-1]


@wrong("utf8_encode", caught_by="four_bytes")
def through_surrogates(code_point):
    """You seem to split large numbers into two surrogates first and to encode these, three bytes each. That is UTF-16's
    device (the mixture has a name of its own, CESU-8); UTF-8 needs no surrogates and takes four bytes."""
    if isinstance(code_point, bool) or not isinstance(code_point, int):
        raise TypeError("code_point must be an int")
    if not 0 <= code_point <= 0x10FFFF or 0xD800 <= code_point <= 0xDFFF:
        raise ValueError("code_point is no scalar value")
    if code_point < 0x10000:
        return chr(code_point).encode()
    rest = code_point - 0x10000
    return (chr(0xD800 + (rest >> 10)) + chr(0xDC00 + (rest & 0x3FF))).encode("utf-8", "surrogatepass")


@wrong("utf8_encode", caught_by="surrogates_are_refused")
def surrogates_encoded(code_point):
    """Your function encodes surrogates (U+D800 to U+DFFF). They are no characters but halves that UTF-16 needs, and
    UTF-8 has no form for them: refuse them before you look at sizes."""
    if isinstance(code_point, bool) or not isinstance(code_point, int):
        raise TypeError("code_point must be an int")
    if not 0 <= code_point <= 0x10FFFF:
        raise ValueError("code_point is out of range")
    return chr(code_point).encode("utf-8", "surrogatepass")


@wrong("utf8_encode", caught_by="out_of_range_is_refused")
def no_upper_limit(code_point):
    """Your function takes numbers above 0x10FFFF. Four bytes have room for 21 bits, but Unicode ends earlier, where
    UTF-16 can reach no further; what is the first number that must be refused?"""
    if isinstance(code_point, bool) or not isinstance(code_point, int):
        raise TypeError("code_point must be an int")
    if code_point < 0 or 0xD800 <= code_point <= 0xDFFF:
        raise ValueError("code_point is no scalar value")
    if code_point < 0x110000:
        return chr(code_point).encode()
    return bytes(
        [(0xF0 | code_point >> 18) & 255, 0x80 | code_point >> 12 & 63, 0x80 | code_point >> 6 & 63,
         0x80 | code_point & 63]
    )  # fmt: skip


@wrong("utf8_encode", caught_by="only_int_is_taken")
def true_is_one(code_point):
    """Your function takes True for 1. In Python bool is a kind of int, so isinstance(True, int) holds; here a truth
    value is a mistake of the caller's, and has to be asked for by itself."""
    if not isinstance(code_point, int):
        raise TypeError("code_point must be an int")
    if not 0 <= code_point <= 0x10FFFF or 0xD800 <= code_point <= 0xDFFF:
        raise ValueError("code_point is no scalar value")
    return chr(code_point).encode()


@wrong("utf8_encode", caught_by="three_bytes", also=("four_bytes",))
def noncharacters_refused(code_point):
    """Your function refuses noncharacters such as U+FFFE. Their name misleads: they are set apart for internal use, but
    every encoding form must carry them. Only surrogates are refused."""
    if isinstance(code_point, bool) or not isinstance(code_point, int):
        raise TypeError("code_point must be an int")
    if not 0 <= code_point <= 0x10FFFF or 0xD800 <= code_point <= 0xDFFF or code_point & 0xFFFE == 0xFFFE:
        raise ValueError("code_point is no scalar value")
    return chr(code_point).encode()


# --- utf8_decode: each of these leaves one rule out ----------------------------------------------------------------


@wrong("utf8_decode", caught_by="stray_continuation_is_refused", also=("damaged_texts",))
def stray_bytes_pass(data):
    """Your decoder takes a continuation byte that follows nothing for a character. A byte 10xxxxxx never begins one:
    what does your first test say of 0x80, and of 0xBF?"""
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    out, i = [], 0
    while i < len(data):
        if 0x80 <= data[i] < 0xC0:
            out.append(data[i])
            i += 1
            continue
        n = 1 if data[i] < 0x80 else 2 if data[i] < 0xE0 else 3 if data[i] < 0xF0 else 4
        try:
            out.append(ord(data[i : i + n].decode()))
        except UnicodeDecodeError:
            raise ValueError(f"invalid sequence at offset {i}") from None
        i += n
    return out


@wrong("utf8_decode", caught_by="truncation_is_refused", also=("damaged_texts",))
def end_ignored(data):
    """Your decoder does not notice that the data end inside a character: a slice beyond the end is silently shorter.
    For b"\\xe2\\x82" there is one byte too few; where do you count the bytes that you got?"""
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    out, i = [], 0
    while i < len(data):
        b = data[i]
        n = 1 if b < 0x80 else 2 if 0xC0 <= b < 0xE0 else 3 if 0xE0 <= b < 0xF0 else 4 if 0xF0 <= b < 0xF8 else 0
        if n == 0:
            raise ValueError(f"impossible byte at offset {i}")
        value = b if n == 1 else b & (0x7F >> n)
        rest = data[i + 1 : i + n]
        for c in rest:
            if c & 0xC0 != 0x80:
                raise ValueError(f"interrupted at offset {i}")
            value = value << 6 | c & 63
        whole = len(rest) == n - 1
        if whole and n > 1 and value < (0, 0, 0x80, 0x800, 0x10000)[n]:
            raise ValueError(f"overlong at offset {i}")
        if whole and (0xD800 <= value < 0xE000 or value > 0x10FFFF):
            raise ValueError(f"no scalar value at offset {i}")
        out.append(value)
        i += n
    return out


@wrong("utf8_decode", caught_by="truncation_is_refused", also=("damaged_texts",))
def index_error_at_the_end(data):
    """When the data end inside a character, your decoder runs into an IndexError. Whoever calls it was promised a
    ValueError with the offset: compare the bytes that are left with the bytes that are needed before you read them."""
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    out, i = [], 0
    while i < len(data):
        b = data[i]
        n = 1 if b < 0x80 else 2 if 0xC0 <= b < 0xE0 else 3 if 0xE0 <= b < 0xF0 else 4 if 0xF0 <= b < 0xF8 else 0
        if n == 0:
            raise ValueError(f"impossible byte at offset {i}")
        value = b if n == 1 else b & (0x7F >> n)
        for k in range(1, n):
            if data[i + k] & 0xC0 != 0x80:
                raise ValueError(f"interrupted at offset {i}")
            value = value << 6 | data[i + k] & 63
        if (n > 1 and value < (0, 0, 0x80, 0x800, 0x10000)[n]) or 0xD800 <= value < 0xE000 or value > 0x10FFFF:
            raise ValueError(f"no scalar value at offset {i}")
        out.append(value)
        i += n
    return out


@wrong("utf8_decode", caught_by="interruption_is_refused", also=("damaged_texts",))
def any_byte_continues(data):
    """Your decoder takes the low six bits of whatever follows the first byte, without looking at its mark. In b"\\xc3A"
    the second byte is the letter A and no continuation: which two bits tell?"""
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    out, i = [], 0
    while i < len(data):
        b = data[i]
        n = 1 if b < 0x80 else 2 if 0xC0 <= b < 0xE0 else 3 if 0xE0 <= b < 0xF0 else 4 if 0xF0 <= b < 0xF8 else 0
        if n == 0 or i + n > len(data):
            raise ValueError(f"impossible or truncated at offset {i}")
        value = b if n == 1 else b & (0x7F >> n)
        for c in data[i + 1 : i + n]:
            value = value << 6 | c & 63
        if (n > 1 and value < (0, 0, 0x80, 0x800, 0x10000)[n]) or 0xD800 <= value < 0xE000 or value > 0x10FFFF:
            raise ValueError(f"no scalar value at offset {i}")
        out.append(value)
        i += n
    return out


@wrong("utf8_decode", caught_by="overlong_forms_are_refused", also=("damaged_texts",))
def overlong_forms_pass(data):
    """Your decoder takes forms that are longer than needed, such as b"\\xc0\\x80" for chr(0). Then one text has several
    encodings, and a filter that looks for the byte of "/" can be passed by. Compare the value with the smallest that
    needs so many bytes."""
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    out, i = [], 0
    while i < len(data):
        b = data[i]
        n = 1 if b < 0x80 else 2 if 0xC0 <= b < 0xE0 else 3 if 0xE0 <= b < 0xF0 else 4 if 0xF0 <= b < 0xF8 else 0
        rest = data[i + 1 : i + n]
        if n == 0 or i + n > len(data) or any(c & 0xC0 != 0x80 for c in rest):
            raise ValueError(f"impossible, truncated or interrupted at offset {i}")
        value = b if n == 1 else b & (0x7F >> n)
        for c in rest:
            value = value << 6 | c & 63
        if 0xD800 <= value < 0xE000 or value > 0x10FFFF:
            raise ValueError(f"no scalar value at offset {i}")
        out.append(value)
        i += n
    return out


@wrong("utf8_decode", caught_by="encoded_surrogates_are_refused", also=("damaged_texts",))
def surrogates_pass(data):
    """Your decoder gives surrogates (U+D800 to U+DFFF), which valid UTF-8 never holds: b"\\xed\\xa0\\x80" must be
    refused. After putting the bits together, ask whether the number is a character at all."""
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    try:
        return [ord(c) for c in data.decode("utf-8", "surrogatepass")]
    except UnicodeDecodeError as error:
        raise ValueError(f"invalid sequence at offset {error.start}") from None


@wrong("utf8_decode", caught_by="too_large_is_refused", also=("damaged_texts",))
def too_large_passes(data):
    """Your decoder gives numbers above 0x10FFFF: four bytes have room for them, Unicode has not. The first that must be
    refused is b"\\xf4\\x90\\x80\\x80"."""
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    out, i = [], 0
    while i < len(data):
        b = data[i]
        n = 1 if b < 0x80 else 2 if 0xC0 <= b < 0xE0 else 3 if 0xE0 <= b < 0xF0 else 4 if 0xF0 <= b < 0xF8 else 0
        rest = data[i + 1 : i + n]
        if n == 0 or i + n > len(data) or any(c & 0xC0 != 0x80 for c in rest):
            raise ValueError(f"impossible, truncated or interrupted at offset {i}")
        value = b if n == 1 else b & (0x7F >> n)
        for c in rest:
            value = value << 6 | c & 63
        if (n > 1 and value < (0, 0, 0x80, 0x800, 0x10000)[n]) or 0xD800 <= value < 0xE000:
            raise ValueError(f"no scalar value at offset {i}")
        out.append(value)
        i += n
    return out


@wrong("utf8_decode", caught_by="impossible_bytes_are_refused", also=("damaged_texts",))
def every_high_byte_leads_four(data):
    """Your decoder takes every byte from 0xF0 on for the first of four. Only 11110xxx is; 0xF8 to 0xFF never occur in
    UTF-8. Which bits does your last test look at?"""
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    out, i = [], 0
    while i < len(data):
        b = data[i]
        n = 1 if b < 0x80 else 2 if 0xC0 <= b < 0xE0 else 3 if 0xE0 <= b < 0xF0 else 4 if b >= 0xF0 else 0
        rest = data[i + 1 : i + n]
        if n == 0 or i + n > len(data) or any(c & 0xC0 != 0x80 for c in rest):
            raise ValueError(f"impossible, truncated or interrupted at offset {i}")
        value = b if n == 1 else b & (0x7F >> n)
        for c in rest:
            value = value << 6 | c & 63
        if (n > 1 and value < (0, 0, 0x80, 0x800, 0x10000)[n]) or 0xD800 <= value < 0xE000 or value > 0x10FFFF:
            raise ValueError(f"no scalar value at offset {i}")
        out.append(value)
        i += n
    return out


@wrong("utf8_decode", caught_by="impossible_bytes_are_refused")
def five_and_six_bytes_pass(data):
    """Your decoder takes characters of five or six bytes, which UTF-8 had before 2003. Four bytes reach U+10FFFF, where
    Unicode ends: no byte from 0xF8 on leads anything."""
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    out, i = [], 0
    while i < len(data):
        b = data[i]
        n = next((size for size, lead in enumerate((0x80, 0xC0, 0xE0, 0xF0, 0xF8, 0xFC, 0xFE)) if b < lead), -1)
        n = (1, 0, 2, 3, 4, 5, 6, 0)[n]
        rest = data[i + 1 : i + n]
        if n == 0 or i + n > len(data) or any(c & 0xC0 != 0x80 for c in rest):
            raise ValueError(f"impossible, truncated or interrupted at offset {i}")
        value = b if n == 1 else b & (0x7F >> n)
        for c in rest:
            value = value << 6 | c & 63
        low, high = ((0, 0), (0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0x10000, 0x10FFFF),
                     (0x200000, 0x3FFFFFF), (0x4000000, 0x7FFFFFFF))[n]  # fmt: skip
        if not low <= value <= high or 0xD800 <= value < 0xE000:
            raise ValueError(f"no scalar value at offset {i}")
        out.append(value)
        i += n
    return out


@wrong("utf8_decode", caught_by="encoded_surrogates_are_refused")
def pairs_of_surrogates_joined(data):
    """Your decoder takes two surrogates of three bytes each for the one character that they stand for in UTF-16. That
    mixture is another encoding, CESU-8; in UTF-8 such a character has four bytes, and no surrogate is ever valid."""
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    try:
        units = data.decode("utf-8", "surrogatepass").encode("utf-16-le", "surrogatepass")
        return [ord(c) for c in units.decode("utf-16-le")]
    except UnicodeDecodeError:
        pass
    try:
        return [ord(c) for c in data.decode("utf-8")]
    except UnicodeDecodeError as error:
        raise ValueError(f"invalid sequence at offset {error.start}") from None


@wrong("utf8_decode", caught_by="short_valid_strings")
def byte_order_mark_dropped(data):
    r"""Your decoder leaves out U+FEFF at the start, as the codec utf-8-sig does. Some programs put it in front of a
    text as a mark, but in UTF-8 it is a character like any other: b"\xef\xbb\xbf" is [65279]."""
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    try:
        decoded = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"invalid sequence at offset {error.start}") from None
    return [ord(c) for c in decoded.removeprefix("\ufeff")]


@wrong(
    "utf8_decode", caught_by="characters_of_every_size",
    also=("short_valid_strings", "the_offset_is_told", "damaged_texts"),
)
def one_byte_at_a_time(data):
    """Your decoder takes every byte for a character. UTF-8 spends one to four bytes on one: b"\\xc3\\xa9" is the single
    character "é". The first byte tells how many belong together."""
    if not isinstance(data, bytes):
        raise TypeError("data must be bytes")
    for i, byte in enumerate(data):
        if byte > 127:
            raise ValueError(f"invalid sequence at offset {i}")
    return list(data)


# --- values and counts ---------------------------------------------------------------------------------------------


@wrong("wrong_decoder_counterexample", caught_by="valid_but_not_byte_by_byte")
def not_utf8_at_all():
    """A lone byte 0xFF is not valid UTF-8, so the right decoder refuses it as well. Look for bytes that are fine
    together and fail apart: encode a character beyond ASCII."""
    return b"\xff"


@wrong("wrong_decoder_counterexample", caught_by="valid_but_not_byte_by_byte")
def plain_ascii():
    """For ASCII text every byte is a character, and going byte by byte works: the mistake stays hidden, which is why it
    is made so often. Take a text with a character that needs more than one byte."""
    return b"hello"


@wrong("undecodable_pair", caught_by="two_bytes_and_no_text")
def two_ascii_characters():
    """Two ASCII bytes such as b"AB" are valid UTF-8: two characters. That a pair is not one two-byte character is not
    enough; no reading of it may exist."""
    return b"AB"


@wrong("undecodable_pair", caught_by="two_bytes_and_no_text")
def a_two_byte_character():
    """These two bytes are the encoding of one character: the first has the form 110xxxxx and the second 10xxxxxx. Break
    this pattern."""
    return b"\xc3\xa9"


@wrong("undecodable_pair", caught_by="two_bytes_and_no_text")
def three_bytes_of_a_surrogate():
    """These three bytes are indeed undecodable, but a pair was asked for: exactly two bytes."""
    return b"\xed\xa0\x80"


@wrong("count_decodable_pairs", caught_by="the_exact_number")
def only_two_byte_characters(*_):
    """You seem to count only the pairs that are one character of two bytes, 1,920 of them. A pair is also valid when it
    is two characters of one byte each."""
    return 30 * 64


@wrong("count_decodable_pairs", caught_by="the_exact_number")
def only_ascii_pairs(*_):
    """You seem to count only pairs of ASCII characters. There are pairs that are a single character, such as the two
    bytes of "é"."""
    return 128 * 128


@wrong("count_decodable_pairs", caught_by="the_exact_number")
def overlong_leads_counted(*_):
    """You seem to count 32 first bytes for two-byte characters, all of the form 110xxxxx. Two of these can only begin
    overlong forms: which code point would b"\\xc0\\x80" be?"""
    return 128 * 128 + 32 * 64


# --- encoding_sizes ------------------------------------------------------------------------------------------------


@wrong("encoding_sizes", caught_by="size_in_utf16", also=("size_in_utf32",))
def with_byte_order_mark(text):
    """Your sizes for UTF-16 and UTF-32 are too large by a byte order mark, which Python puts in front when the name of
    the encoding does not tell the order. Names that end in -le or -be do."""
    return {name: len(text.encode(name)) for name in ("utf-8", "utf-16", "utf-32")}


@wrong("encoding_sizes", caught_by="size_in_utf16")
def two_bytes_for_each(text):
    """You seem to count two bytes for every character in UTF-16. That holds up to U+FFFF; beyond it a character takes a
    pair of surrogates. Try "😀"."""
    text.encode("utf-8")
    return {"utf-8": len(text.encode()), "utf-16": 2 * len(text), "utf-32": 4 * len(text)}


@wrong("encoding_sizes", caught_by="size_in_utf8")
def characters_for_bytes(text):
    """Your size in UTF-8 is the number of characters. The two agree for ASCII text only: "é" is one character and two
    bytes. Measure the encoded bytes, not the text."""
    text.encode("utf-8")
    return {"utf-8": len(text), "utf-16": len(text.encode("utf-16-le")), "utf-32": 4 * len(text)}


@wrong("encoding_sizes", caught_by="no_size_for_surrogates")
def surrogates_ignored(text):
    """Your function gives a size for a text with a lone surrogate, perhaps with errors="ignore" or "replace". No
    encoding has a form for it, so any size would be that of another text: let the error out."""
    return {name: len(text.encode(name + end, "ignore")) for name, end in
            (("utf-8", ""), ("utf-16", "-le"), ("utf-32", "-le"))}  # fmt: skip


@wrong(
    "encoding_sizes", caught_by="three_keys", also=("size_in_utf16", "size_in_utf32"),
)
def keys_with_byte_order(text):
    """The keys are the names of the codecs that you used, such as utf-16-le. Asked for are utf-8, utf-16 and utf-32;
    the order of the bytes does not change a size."""
    return {name: len(text.encode(name)) for name in ("utf-8", "utf-16-le", "utf-32-le")}


# --- plot_encoding_sizes -------------------------------------------------------------------------------------------


@wrong("plot_encoding_sizes", caught_by="texts_stay_as_they_were")
def takes_the_texts_away(texts):
    """Your function takes each text out of the caller's dictionary with `pop`, and leaves it empty. Go through
    `texts.items()`, which only looks."""
    import pandas as pd
    from matplotlib.figure import Figure

    if not texts or "" in texts.values():
        raise ValueError("texts")
    rows = []
    for language in list(texts):
        text = texts.pop(language)
        sizes = {name: len(text.encode(name + end)) / len(text) for name, end in
                 (("utf-8", ""), ("utf-16", "-le"), ("utf-32", "-le"))}
        rows.append({"language": language, **sizes})
    frame = pd.DataFrame(rows).sort_values("utf-8", kind="stable", ignore_index=True)
    figure = Figure()
    axes = figure.subplots()
    for name in ("utf-8", "utf-16", "utf-32"):
        axes.plot(frame[name], frame["language"], "o", label=name)
    axes.set(title="What a character costs", xlabel="bytes per code point", ylabel="language")
    axes.legend()
    return frame, figure
