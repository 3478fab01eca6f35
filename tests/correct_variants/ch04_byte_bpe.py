"""Chapter 4's answers in other styles; the names that they use are the notebook's own."""

import functools
import hashlib
import itertools
import json
import math
import os
import tempfile
from collections import Counter
from pathlib import Path

from autograder.reference.byte_bpe import BOS, EOS, FIRST_RULE, decode, digest, encode, token_table
from autograder.reference.naive_bpe import fit_merges, merge_pair
from correct_variants import right

# --- token_table ---------------------------------------------------------------------------------------------------


@right("token_table")
def table_from_a_list(merges):
    pieces = [bytes((byte,)) for byte in range(256)] + [b"", b""]
    for (left, right_), new_id in merges:
        for part in (left, right_, new_id):
            if isinstance(part, bool) or not isinstance(part, int):
                raise ValueError(f"merges holds {part!r}, which is no id")
        if new_id != len(pieces):
            raise ValueError(f"merges: {new_id} comes where {len(pieces)} should")
        if any(part in (256, 257) or not -1 < part < new_id for part in (left, right_)):
            raise ValueError("merges: a part is no byte and no earlier rule")
        pieces.append(b"".join([pieces[left], pieces[right_]]))
    return dict(enumerate(pieces))


@right("token_table")
def table_by_recursion(merges):
    """Each piece from its parts' parts; validation first, in a pass of its own."""
    rules = {}
    for rank, (pair, new_id) in enumerate(merges):
        known = [*range(256), *rules]
        if type(new_id) is not int or new_id != 258 + rank:
            raise ValueError("merges: bad number")
        if not all(type(part) is int and part in known for part in pair):
            raise ValueError("merges: bad part")
        rules[new_id] = pair

    def piece(one):
        return bytes([one]) if one < 256 else piece(rules[one][0]) + piece(rules[one][1])

    return {**{one: piece(one) for one in range(256)}, 256: b"", 257: b"", **{one: piece(one) for one in rules}}


@right("token_table")
def table_with_an_error_class(merges):
    class BadRule(ValueError):
        pass

    table = dict(zip(range(256), (bytes([b]) for b in range(256)), strict=True))
    usable = set(table)
    for i in range(len(merges)):
        (a, b), c = merges[i]
        if type(c) is not int or c - i != 258:
            raise BadRule("merges")
        if {type(a), type(b)} != {int} or a not in usable or b not in usable:
            raise BadRule("merges")
        table[c] = table[a] + table[b]
        usable.add(c)
    table.update({256: b"", 257: b""})
    return table


class Growing(dict):
    """A table that takes one rule after the other."""

    def add(self, rule):
        match rule:
            case ((int() as left, int() as right_), int() as new_id) if bool not in map(type, (left, right_, new_id)):
                if new_id == len(self) and self.get(left) and self.get(right_):  # BOS and EOS have no bytes
                    self[new_id] = self[left] + self[right_]
                    return
        raise ValueError(f"merges: {rule!r} cannot be filled in")


@right("token_table", beside=[Growing])
def table_of_a_subclass(merges):
    table = Growing((byte, byte.to_bytes(1, "big")) for byte in range(256))
    table[256] = table[257] = b""
    for rule in merges:
        table.add(rule)
    return table


@right("token_table")
def table_by_reduce(merges):
    import functools

    def with_rule(table, rule):
        (left, right_), new_id = rule
        ids = (left, right_, new_id)
        if any(not isinstance(one, int) or isinstance(one, bool) for one in ids) or new_id != len(table):
            raise ValueError(f"merges: {rule}")
        if not {left, right_} <= table.keys() - {BOS, EOS}:
            raise ValueError(f"merges: {rule}")
        return table | {new_id: table[left] + table[right_]}

    start = {number: bytes([number]) if number < BOS else b"" for number in range(FIRST_RULE)}
    return functools.reduce(with_rule, merges, start)


@right("token_table")
def table_in_latin_1(merges):
    """Bytes as characters of the same number until the end; a generator that remembers what it has given."""
    known = {}

    def entries():
        for byte in range(256):
            known[byte] = chr(byte)
            yield byte
        yield from (256, 257)
        for expected, (pair, new_id) in enumerate(merges, 258):
            if [type(one) for one in (*pair, new_id)] != [int] * 3 or new_id != expected:
                raise ValueError("merges must be numbered 258, 259, …")
            try:
                known[new_id] = "".join(known[part] for part in pair)
            except KeyError as error:
                raise ValueError(f"merges refers to {error}") from error
            yield new_id

    return {number: known.get(number, "").encode("latin-1") for number in entries()}


def check_id(value: object, allowed, *, what: str) -> None:
    if type(value) is not int or not any(value in some for some in allowed):
        raise ValueError(f"{what} in merges may not be {value!r}")


@right("token_table", beside=[check_id])
def table_checked_by_a_helper(merges: list) -> dict[int, bytes]:
    from collections import OrderedDict

    bytes_only, table = range(256), OrderedDict.fromkeys(range(258), b"")
    table.update((byte, b"%c" % byte) for byte in bytes_only)
    for rank in range(len(merges)):
        rule = merges[rank]
        earlier = bytes_only, range(258, 258 + rank)
        check_id(rule[0][0], earlier, what="the left part")
        check_id(rule[0][1], earlier, what="the right part")
        check_id(rule[1], [(258 + rank,)], what="the new id")
        table[rule[1]] = b"".join(map(table.get, rule[0]))
    return table


# --- encode --------------------------------------------------------------------------------------------------------


@right("encode")
def lowest_rank_first(text, merges):
    """As later tokenizers do it: always the pair with the lowest rank, until no pair is a rule."""
    ranks = {tuple(pair): new_id for pair, new_id in merges}
    ids = list(text.encode())
    while True:
        found = [(ranks[pair], i) for i, pair in enumerate(itertools.pairwise(ids)) if pair in ranks]
        if not found:
            return [BOS, *ids, EOS]
        new_id, i = min(found)
        ids[i : i + 2] = [new_id]


@right("encode")
def with_a_stack(text, merges):
    ids = [*bytearray(text, "utf-8")]
    for (left, right_), new_id in merges:
        stack, free = [], False  # `free`: the last id of the stack may still be used
        for one in ids:
            if free and stack[-1] == left and one == right_:
                stack[-1], free = new_id, False
            else:
                stack.append(one)
                free = True
        ids = stack
    return [256, *ids, 257]


@right("encode")
def by_recursion(text, merges):
    def apply(ids, rules):
        if not rules:
            return ids
        (pair, new_id), *rest = rules
        return apply(merge_pair(ids, pair, new_id), rest)

    return [BOS, *apply(list(text.encode("utf-8")), list(merges)), EOS]


@right("encode")
def replacing_in_a_string(text, merges):
    """Ids as private code points, so that `str.replace` does the left-to-right work."""
    shift = 0xF0000
    ids = "".join(chr(shift + byte) for byte in text.encode())
    for (left, right_), new_id in merges:
        ids = ids.replace(chr(shift + left) + chr(shift + right_), chr(shift + new_id))
    return [BOS, *(ord(letter) - shift for letter in ids), EOS]


@right("encode")
def linked_list(text, merges):
    data = list(text.encode())
    after = [*range(1, len(data)), None] if data else []
    for (left, right_), new_id in merges:
        here = 0 if data else None
        while here is not None and after[here] is not None:
            if data[here] == left and data[after[here]] == right_:
                data[here] = new_id
                after[here] = after[after[here]]
            here = after[here]
    ids, here = [], 0 if data else None
    while here is not None:
        ids.append(data[here])
        here = after[here]
    return [BOS, *ids, EOS]


@right("encode")
def with_numpy(text, merges):
    import numpy as np

    ids = np.frombuffer(text.encode(), dtype=np.uint8).astype(np.int64)
    for (left, right_), new_id in merges:
        i = 0
        places = set(np.flatnonzero((ids[:-1] == left) & (ids[1:] == right_)).tolist())
        out = []
        while i < len(ids):
            out.append(new_id if i in places else int(ids[i]))
            i += 2 if i in places else 1
        ids = np.array(out, dtype=np.int64)
    return [BOS, *ids.tolist(), EOS]


@right("encode", beside=["KNOWN = {}"])
def kept_in_a_global(text, merges):
    """What was encoded once is looked up; the list that is given away is a copy."""
    global KNOWN
    key = text, repr(merges)
    if key not in KNOWN:
        ids = list(text.encode())
        for pair, new_id in merges:
            ids = merge_pair(ids, pair, new_id)
        KNOWN = {**KNOWN, key: ids} if len(KNOWN) < 99 else {key: ids}
    return [BOS] + KNOWN[key] + [EOS]


# --- decode --------------------------------------------------------------------------------------------------------


@right("decode")
def into_a_bytearray(ids, merges):
    table, data = token_table(merges), bytearray()
    for one in ids:
        try:
            data += table[one]
        except KeyError:
            raise ValueError(f"ids holds {one}") from None
    return str(data, "utf-8")


@right("decode")
def from_a_list_of_pieces(ids, merges):
    table = token_table(merges)
    pieces = [table[one] for one in range(FIRST_RULE + len(merges))]
    if any(not 0 <= one < len(pieces) for one in ids):
        raise ValueError("unknown ids")
    return b"".join(map(pieces.__getitem__, ids)).decode()


@right("decode")
def undoing_the_rules(ids, merges):
    ids = [one for one in ids if one not in (BOS, EOS)]
    for pair, new_id in reversed(merges):
        ids = [part for one in ids for part in (pair if one == new_id else [one])]
    try:
        return bytes(ids).decode("utf-8")
    except UnicodeDecodeError:
        raise
    except ValueError:
        raise ValueError("ids are not all in the vocabulary") from None


@right("decode")
def incremental_decoder(ids, merges):
    import codecs

    table = token_table(merges)
    if not set(ids) <= table.keys():
        raise ValueError("ids")
    decoder = codecs.getincrementaldecoder("utf-8")()
    return "".join(decoder.decode(table[one]) for one in ids) + decoder.decode(b"", final=True)


class UnknownId(KeyError, ValueError):
    """For whoever looks up and for whoever reads the docstring."""


@right("decode", beside=[UnknownId])
def with_an_error_of_two_kinds(ids, merges):
    class Table(dict):
        def __missing__(self, one):
            raise UnknownId(f"no such ids: {one}")

    table = Table(token_table(merges))
    return b"".join(table[one] for one in ids).decode(encoding="utf-8", errors="strict")


@right("decode")
def expanding_each_id(ids, merges):
    rules = {new_id: pair for pair, new_id in merges}

    def parts(one):
        if one in rules:
            left, right_ = rules[one]
            yield from parts(left)
            yield from parts(right_)
        elif one not in (BOS, EOS):
            if one not in range(256):
                raise ValueError(f"{one} is none of the ids")
            yield one

    return bytes(itertools.chain.from_iterable(map(parts, ids))).decode()


@right("decode")
def written_into_a_file(ids, merges):
    import io

    table = token_table(merges)
    with io.BytesIO() as file:
        for place, one in enumerate(ids):
            if (piece := table.get(one)) is None:
                raise ValueError(f"ids[{place}] = {one}")
            file.write(piece)
        file.seek(0)
        return io.TextIOWrapper(file, encoding="utf-8", newline="").read()


# --- fragment_label ------------------------------------------------------------------------------------------------


@right("fragment_label")
def label_by_round_trip(piece):
    text = piece.decode("utf-8", errors="surrogateescape")
    if any("\udc80" <= letter <= "\udcff" for letter in text):
        return "0x" + "".join(f"{byte:02x}" for byte in piece)
    return f"{text!r}"


@right("fragment_label")
def label_with_replacement_compared(piece):
    text = piece.decode("utf-8", errors="replace")
    return repr(text) if text.encode("utf-8") == piece else "0x" + bytes.hex(piece)


@right("fragment_label")
def label_bit_by_bit(piece):
    import codecs

    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    label = ""
    try:
        for i in range(len(piece)):
            label += decoder.decode(piece[i : i + 1])
        label += decoder.decode(b"", True)
    except UnicodeError:
        return f"0x{int.from_bytes(piece, 'big'):0{2 * len(piece)}x}"
    else:
        return repr(label)


@right("fragment_label")
def label_by_well_formed_bytes(piece):
    import re

    whole = rb"""(?xs)(?: [\x00-\x7f] | [\xc2-\xdf][\x80-\xbf] | \xe0[\xa0-\xbf][\x80-\xbf]
        | [\xe1-\xec\xee\xef][\x80-\xbf]{2} | \xed[\x80-\x9f][\x80-\xbf] | \xf0[\x90-\xbf][\x80-\xbf]{2}
        | [\xf1-\xf3][\x80-\xbf]{3} | \xf4[\x80-\x8f][\x80-\xbf]{2} )*"""
    return repr(piece.decode()) if re.fullmatch(whole, piece) else "0x%s" % piece.hex()  # noqa: UP031


@right("fragment_label")
def label_by_suppressing(piece):
    import binascii
    import contextlib

    label = "0x" + binascii.hexlify(piece).decode("ascii")
    with contextlib.suppress(UnicodeDecodeError):
        label = str(piece, "utf-8").__repr__()
    return label


@right("fragment_label", beside=[functools])
@functools.cache
def label_that_is_kept(piece):
    try:
        text = piece.decode("utf-8")
    except UnicodeDecodeError:
        return f"0x{piece.hex()}"
    return repr(text)


@right("fragment_label")
def label_as_a_sum_of_digits(piece: bytes) -> str:
    try:
        return f"{bytearray(piece).decode()!r}"
    except ValueError:
        digits = "0123456789abcdef"
        return "".join(["0x", *(digits[byte >> 4] + digits[byte & 15] for byte in piece)])


# --- digest --------------------------------------------------------------------------------------------------------


@right("digest")
def updated_line_by_line(merges):
    found = hashlib.sha256(b"byte-bpe 1\n")
    for (left, right_), new_id in merges:
        found.update(b"%d %d %d\n" % (left, right_, new_id))
    return found.digest().hex()


@right("digest")
def joined_with_print(merges):
    import io

    out = io.StringIO()
    print("byte-bpe 1", file=out)
    for pair, new_id in merges:
        print(*pair, new_id, file=out)
    return hashlib.new("sha256", out.getvalue().encode()).hexdigest().lower()


@right("digest")
def with_a_template(merges):
    flat = tuple(one for (left, right_), new_id in merges for one in (left, right_, new_id))
    text = "byte-bpe 1\n" + "%s %s %s\n" * len(merges) % flat
    return hashlib.sha256(bytes(text, "ascii"), usedforsecurity=False).hexdigest()


@right("digest")
def saved_by_numpy(merges):
    import io

    import numpy as np

    rows = np.array([[left, right_, new_id] for (left, right_), new_id in merges], dtype=int).reshape(-1, 3)
    file = io.BytesIO()
    np.savetxt(file, rows, fmt="%d", header="byte-bpe 1", comments="")
    return hashlib.sha256(file.getvalue()).hexdigest()


@right("digest")
def digest_of_a_file(merges):
    with tempfile.TemporaryFile("w+b") as file:
        file.write(b"byte-bpe 1\n")
        file.writelines(f"{pair[0]} {pair[1]} {new_id}\n".encode() for pair, new_id in merges)
        file.seek(0)
        return hashlib.file_digest(file, "sha256").hexdigest()


@right("digest")
def line_after_line_by_recursion(merges):
    def hashed(so_far, rules):
        if not rules:
            return so_far
        (pair, new_id), *others = rules
        so_far.update(" ".join(map(str, [*pair, new_id])).encode() + b"\n")
        return hashed(so_far, others)

    return "".join(f"{byte:02x}" for byte in hashed(hashlib.sha256(b"byte-bpe 1\n"), merges).digest())


# --- save_tokenizer and load_tokenizer -----------------------------------------------------------------------------


@right("save_tokenizer")
def with_a_named_temporary_file(path, merges):
    token_table(merges)
    text = json.dumps({"merges": merges, "digest": digest(merges), "version": 1}, indent=2, sort_keys=True)
    with tempfile.NamedTemporaryFile("w", dir=os.path.dirname(path) or ".", delete=False) as file:
        file.write(text)
    os.replace(file.name, path)


@right("save_tokenizer")
def cleaned_up_in_the_end(path, merges):
    path = Path(path)
    other = path.with_name(path.name + ".new")
    try:
        with other.open("w", encoding="utf-8", newline="\n") as file:
            token_table(merges)
            rules = [[list(pair), new_id] for pair, new_id in merges]
            json.dump({"version": 1, "digest": digest(merges), "merges": rules}, file, separators=(",", ":"))
        other.replace(path)
    finally:
        other.unlink(missing_ok=True)


@right("save_tokenizer")
def with_mkstemp(path, merges):
    token_table(merges)
    folder, name = os.path.split(os.path.abspath(path))
    descriptor, other = tempfile.mkstemp(prefix=f".{name}-", dir=folder, text=False)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(json.dumps(dict(version=1, merges=merges, digest=digest(merges))).encode())  # noqa: C408
        os.rename(other, path)
    except BaseException:
        os.remove(other)
        raise


@right("save_tokenizer")
def out_of_a_folder(path, merges):
    """The temporary file has a temporary folder of its own, beside the file."""
    with tempfile.TemporaryDirectory(dir=Path(path).parent) as folder:
        new = Path(folder, "new.json")
        if token_table(merges):
            new.write_text(json.dumps({"version": 1, "merges": merges, "digest": digest(merges)}), encoding="utf-8")
        new.replace(path)


def atomic(path):
    import contextlib

    @contextlib.contextmanager
    def opened():
        temporary = Path(f"{path}~")
        try:
            with temporary.open("x", encoding="utf-8") as file:
                yield file
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)

    return opened()


@right("save_tokenizer", beside=[atomic])
def with_a_context_manager(path, merges):
    with atomic(path) as file:
        token_table(merges)
        for text in json.JSONEncoder().iterencode({"digest": digest(merges), "merges": merges, "version": 1}):
            file.write(text)


@right("save_tokenizer")
def with_an_exit_stack(path, merges):
    import contextlib
    import uuid

    document = {"version": 1, "merges": merges}
    if token_table(merges):
        document["digest"] = digest(merges)
    content = memoryview(json.dumps(document, indent="\t").encode("ascii"))
    temporary = Path(path).with_suffix(f".{uuid.uuid4().hex}")
    with contextlib.ExitStack() as stack:
        stack.callback(temporary.unlink, missing_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        try:
            while content:
                content = content[os.write(descriptor, content) :]
        finally:
            os.close(descriptor)
        temporary.rename(path)


@right("load_tokenizer")
def from_bytes(path):
    with open(path, "rb") as file:
        data = json.loads(file.read().decode("utf-8"))
    match data:
        case {"version": version, "merges": list(rules), "digest": str(own)}:
            pass
        case dict():
            missing = [key for key in ("version", "merges", "digest") if key not in data]
            if not missing and (type(data["version"]) is not int or data["version"] != 1):
                missing = ["version"]
            elif not missing and not isinstance(data["merges"], list):
                missing = ["merges"]
            raise ValueError(f"wrong: {missing or 'digest'}")
        case _:
            raise ValueError("no object")
    if repr(version) != "1":
        raise ValueError(f"unknown version {version}")
    merges = []
    for rule in rules:
        match rule:
            case [[left, right_], new_id]:
                merges.append(((left, right_), new_id))
            case _:
                raise ValueError("merges holds no rule")
    token_table(merges)
    if own != digest(merges):
        raise ValueError("digest differs")
    return merges


@right("load_tokenizer")
def step_by_step(path):
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        version, rules, own = found["version"], found["merges"], found["digest"]
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a saved tokenizer: {error}") from error
    if (version, type(version)) != (1, int):
        raise ValueError("version")
    try:
        merges = [(tuple(pair), new_id) for pair, new_id in rules]
        token_table(merges)
    except (ValueError, TypeError, LookupError) as error:
        raise ValueError(f"merges: {error}") from error
    if not (isinstance(own, str) and own == digest(merges)):
        raise ValueError("digest")
    return list(merges)


@right("load_tokenizer")
def one_question_after_the_other(path: "str | Path") -> list:
    """A generator of complaints, of which the first is raised."""
    data = json.loads(Path(path).read_bytes())

    def complaints():
        if type(data) is not dict:
            yield "not an object"
        for key in ("version", "merges", "digest"):
            if key not in data:
                yield f"{key} is missing"
        if data["version"] is True or not isinstance(data["version"], int) or data["version"] != 1:
            yield f"version: {data['version']}"
        if not isinstance(data["merges"], list):
            yield "merges: no list"
        for rule in data["merges"]:
            if not (isinstance(rule, list) and len(rule) == 2 and isinstance(rule[0], list) and len(rule[0]) == 2):
                yield f"merges: {rule}"

    for complaint in complaints():
        raise ValueError(complaint)
    merges = [((a, b), c) for (a, b), c in data["merges"]]
    token_table(merges)
    if digest(merges) != data["digest"]:
        raise ValueError("digest: not that of the rules")
    return merges


@right("load_tokenizer")
def with_a_dataclass(path):
    import dataclasses
    import hmac

    @dataclasses.dataclass(frozen=True, slots=True)
    class Saved:
        version: int
        merges: list
        digest: str

        def __post_init__(self):
            if f"{self.version!r}" != "1":
                raise ValueError(f"version {self.version}")

        def rules(self):
            try:
                found = [((left, right_), new_id) for [[left, right_], new_id] in self.merges]
                token_table(found)
            except TypeError as error:
                raise ValueError("merges: wrong form") from error
            except ValueError as error:
                raise ValueError(f"merges: {error}") from error
            if not (isinstance(self.digest, str) and hmac.compare_digest(self.digest.encode(), digest(found).encode())):
                raise ValueError("digest: another one")
            return found

    with open(path, encoding="utf-8") as file:
        try:
            return Saved(**json.load(file)).rules()
        except TypeError as error:
            raise ValueError("not the three keys") from error


@right("load_tokenizer")
def tuples_from_the_parser(path):
    """What should be tuples is made so before anything is asked; the errors are of a class of their own."""
    class Refused(ValueError):
        pass

    def frozen(value):
        return tuple(map(frozen, value)) if isinstance(value, list) else value

    def ask(good, word):
        if not good:
            raise Refused(word)

    text = Path(path).read_bytes().decode("utf-8")
    found = json.loads(text, object_hook=lambda pairs: {key: frozen(value) for key, value in pairs.items()})
    ask(isinstance(found, dict) and found.keys() >= {"version", "merges", "digest"}, "keys")
    ask((found["version"], found["version"].__class__) == (1, int), "version")
    try:
        rules = [*found["merges"]]
        token_table(rules)
    except (ValueError, TypeError) as error:
        raise Refused("merges") from error
    ask(found["digest"] == digest(rules), "digest")
    return rules


@right("load_tokenizer")
def file_read_in_binary(path):
    import operator

    with open(path, "rb", buffering=0) as file:
        raw = file.readall()
    found = json.loads(raw)
    try:
        version, merges, own = operator.itemgetter("version", "merges", "digest")(found)
    except (LookupError, TypeError):
        raise ValueError("no saved tokenizer") from None
    if type(version) is not int:
        raise ValueError("the version is no int")
    if version ^ 1:
        raise ValueError("the version is unknown")
    result = []
    try:
        for i in range(len(merges)):
            pair, new_id = merges[i][0], merges[i][1]
            result.append(((pair[0], pair[1]), new_id))
            if len(pair) > 2 or len(merges[i]) > 2:
                raise IndexError("too much")
    except (TypeError, LookupError) as error:
        raise ValueError("merges has another form") from error
    token_table(result)
    if digest(result) == own:
        return result
    raise ValueError("the digest is another one")


# --- fit_splits and duplicate_example ------------------------------------------------------------------------------


@right("fit_splits")
def with_a_count_of_splits(splits, max_merges):
    if sorted(splits) != ["test", "train", "validation"]:
        raise ValueError("splits has the wrong keys")
    seen = Counter(text for texts in splits.values() for text in set(texts))
    if any(number > 1 for number in seen.values()):
        raise ValueError("splits share a text")
    merges = fit_merges(splits["train"], max_merges)
    found = {"encoded": {}, "digest": digest(merges), "merges": merges}
    for name, texts in splits.items():
        found["encoded"][name] = [encode(text, merges) for text in texts]
    return found


@right("fit_splits")
def with_a_dict_of_owners(splits, max_merges):
    names = {"train", "validation", "test"}
    if names ^ set(splits):
        raise ValueError("splits: keys")
    owner = {}
    for name, texts in splits.items():
        for text in texts:
            if owner.setdefault(text, name) != name:
                raise ValueError(f"splits: {text!r} twice")
    merges = fit_merges(iter(splits["train"]), max_merges)
    found = dict.fromkeys(("merges", "digest", "encoded"))
    found |= {"merges": merges, "digest": digest(merges)}
    found["encoded"] = {name: [encode(text, merges) for text in splits[name]] for name in names}
    return found


@right("fit_splits")
def with_pandas_duplicates(splits, max_merges):
    import pandas as pd

    if not isinstance(splits, dict) or splits.keys() != {"train", "validation", "test"}:
        raise ValueError("splits needs its three keys")
    rows = pd.DataFrame([(name, text) for name, texts in splits.items() for text in texts], columns=["name", "text"])
    if rows.drop_duplicates()["text"].duplicated().any():
        raise ValueError("splits have texts in common")
    merges = fit_merges(splits["train"], max_merges)
    rows["ids"] = [encode(text, merges) for text in rows["text"]]
    encoded = {name: rows.loc[rows["name"] == name, "ids"].tolist() for name in splits}
    return {"merges": merges, "digest": digest(merges), "encoded": encoded}


@right("fit_splits")
def with_sizes_of_sets(splits, max_merges):
    class SplitError(ValueError):
        def __str__(self):
            return f"splits: {self.args[0]}"

    try:
        train, validation, test = map(splits.__getitem__, ("train", "validation", "test"))
    except KeyError as error:
        raise SplitError(f"no {error}") from None
    if len(splits) > 3:
        raise SplitError("too many")
    sets = [frozenset(texts) for texts in (train, validation, test)]
    if len(frozenset().union(*sets)) != sum(map(len, sets)):
        raise SplitError("a text stands in two")
    merges = fit_merges(train, max_merges)

    def ids(texts, *, rules=merges):
        return list(map(lambda text: encode(text, rules), texts))  # noqa: C417

    return dict(merges=merges, digest=digest(merges), encoded={  # noqa: C408
        "train": ids(train), "validation": ids(validation), "test": ids(test),
    })


@right("fit_splits")
def with_a_dataclass_of_splits(splits, max_merges):
    import dataclasses

    @dataclasses.dataclass
    class Splits:
        train: list
        validation: list
        test: list

    try:
        given = Splits(**splits)
    except TypeError as error:
        raise ValueError(f"splits: {error}") from error
    for one, other in itertools.permutations(dataclasses.astuple(given), 2):
        if not set(one).isdisjoint(other):
            raise ValueError("the same text in two splits")
    merges = fit_merges(tuple(given.train), max_merges)
    encoded = {name: [encode(text, merges) for text in texts] for name, texts in vars(given).items()}
    return {"merges": merges, "digest": digest(merges), "encoded": dataclasses.asdict(Splits(**encoded))}


@right("fit_splits")
def by_sorting_and_grouping(splits, max_merges):
    if sorted(splits.keys()) != sorted(("train", "validation", "test")):
        raise ValueError("the keys of splits")
    pairs = sorted((text, name) for name in splits for text in splits[name])
    for text, group in itertools.groupby(pairs, key=lambda pair: pair[0]):
        if len({name for _, name in group}) > 1:
            raise ValueError(f"splits: {text!r} is not in one alone")
    known = {}

    def encoded(text):
        if text not in known:
            known[text] = encode(text, merges)
        return known[text]

    merges = fit_merges(splits["train"], max_merges)
    return {
        "encoded": {name: [encoded(text) for text in splits[name]] for name in sorted(splits)},
        "digest": digest(merges),
        "merges": merges,
    }


@right("duplicate_example")
def by_one_more():
    return ["xyxy", "ababab", "xyxy"]


@right("duplicate_example")
def inside_one_text():
    return ["zz zz", "aaa", "zz zz"]


@right("duplicate_example")
def in_another_script():
    return ["漢漢字字漢漢"] * 3 + ["abcbabcb"] * 2 + ["xyzxyzxyzxyz"]


# --- is_canonical and count_encodings ------------------------------------------------------------------------------


@right("is_canonical")
def from_the_bytes(ids, merges):
    table = token_table(merges)
    if ids[:1] != [BOS] or ids[-1:] != [EOS] or len(ids) < 2 or any(one not in table for one in ids):
        return False
    try:
        text = b"".join(table[one] for one in ids).decode()
    except UnicodeDecodeError:
        return False
    return encode(text, merges) == ids


@right("is_canonical")
def with_an_early_answer(ids, merges):
    try:
        text = decode(ids, merges)
    except (ValueError, KeyError):
        return False
    wanted = encode(text, merges)
    return len(wanted) == len(ids) and all(a == b for a, b in zip(wanted, ids, strict=True))


@right("is_canonical")
def compared_by_numpy(ids, merges):
    import contextlib

    import numpy as np

    with contextlib.suppress(ValueError):
        return np.array_equal(np.array(encode(decode(ids, merges), merges)), np.array(ids))
    return np.False_


@right("is_canonical")
def matched_and_merged_again(ids, merges):
    """The pattern asks for the marks; the rules are then applied to the bytes without going through text."""
    match ids:
        case [256, *inner, 257] if not {256, 257} & {*inner}:
            table = token_table(merges)
            try:
                data = b"".join(map(table.__getitem__, inner))
                data.decode()
            except (KeyError, UnicodeDecodeError):
                return False
            again = list(data)
            for pair, new_id in merges:
                again = merge_pair(again, pair, new_id)
            return again == inner
        case _:
            return False


@right("is_canonical")
def by_pairs_of_ids(ids, merges):
    import operator

    try:
        text = decode(ids, merges)
    except UnicodeDecodeError:
        return False
    except ValueError:
        return False
    else:
        return all(itertools.starmap(operator.eq, itertools.zip_longest(encode(text, merges), ids)))


class Canonical:
    """The canonical lists of ids under some rules, as a collection that can be asked."""

    __slots__ = ("merges",)

    def __init__(self, merges):
        self.merges = merges

    def __contains__(self, ids):
        try:
            return not encode(decode(ids, self.merges), self.merges) != ids  # noqa: SIM202
        except ValueError:
            return False


@right("is_canonical", beside=[Canonical])
def asked_of_a_collection(ids, merges):
    return ids in Canonical(merges)


@right("count_encodings")
def from_the_front(text, merges):
    data, pieces = text.encode(), token_table(merges).values()
    ways = [1] + [0] * len(data)
    for start in range(len(data)):
        for piece in pieces:
            if piece and data.startswith(piece, start):
                ways[start + len(piece)] += ways[start]
    return ways[len(data)]


@right("count_encodings")
def with_a_memory(text, merges):
    import functools

    data = text.encode()
    pieces = [piece for piece in token_table(merges).values() if piece]

    @functools.cache
    def ways(start):
        if start == len(data):
            return 1
        return sum(ways(start + len(piece)) for piece in pieces if data.startswith(piece, start))

    return ways(0)


@right("count_encodings")
def with_a_trie(text, merges):
    data, root = text.encode(), {}
    for piece in token_table(merges).values():
        node = root
        for byte in piece:
            node = node.setdefault(byte, {})
        if piece:
            node["ends"] = node.get("ends", 0) + 1
    ways = [0] * len(data) + [1]
    for start in reversed(range(len(data))):
        node, place = root, start
        while place < len(data) and data[place] in node:
            node = node[data[place]]
            place += 1
            ways[start] += node.get("ends", 0) * ways[place]
    return ways[0]


@right("count_encodings")
def with_numpy_objects(text, merges):
    import numpy as np

    data, pieces = text.encode(), list(filter(None, token_table(merges).values()))
    ways = np.zeros(len(data) + 1, dtype=object)
    ways[0] = 1
    for end in range(1, len(ways)):
        sizes = [len(piece) for piece in pieces if data[max(0, end - len(piece)) : end] == piece]
        ways[end] = ways[np.subtract(end, sizes, dtype=int)].sum()
    return ways[-1]


@right("count_encodings")
def with_multiplicities(text, merges):
    """How many ids have these bytes, asked once for each size; only the last few numbers are kept."""
    from collections import deque

    times = Counter(token_table(merges).values())
    del times[b""]
    longest, data = max(map(len, times)), text.encode("utf-8")
    last = deque([1], maxlen=longest)
    for end in range(1, len(data) + 1):
        last.append(sum(ways * times[data[end - size : end]] for size, ways in enumerate(reversed(last), start=1)))
    return last.pop()


@right("count_encodings")
def over_edges_found_first(text, merges):
    import re

    data = bytearray(text, "utf8")
    edges = {}
    for piece in token_table(merges).values():
        if piece:
            for found in re.finditer(b"(?=" + re.escape(piece) + b")", data):
                edges.setdefault(found.start() + len(piece), []).append(found.start())
    ways = {0: 1}
    for end in sorted(edges):
        ways[end] = sum(ways.get(start, 0) for start in edges[end])
    return ways[len(data)]


class Ways(dict):
    """Numbers of lists for the first so many bytes, computed when first asked for, without deep recursion."""

    def __init__(self, data, pieces):
        super().__init__({0: 1})
        self.data, self.pieces = data, pieces

    def __missing__(self, end):
        for done in range(len(self), end + 1):
            self[done] = 0
            for piece in self.pieces:
                if self.data.endswith(piece, 0, done):
                    self[done] += self[done - len(piece)]
        return self[end]


@right("count_encodings", beside=[Ways])
def with_a_dict_that_fills_itself(text, merges):
    return Ways(text.encode(), [piece for piece in token_table(merges).values() if piece != b""])[len(text.encode())]


# --- path_bits_per_byte, embedding_parameters, context_bytes ---------------------------------------------------------


@right("path_bits_per_byte")
def summed_plainly(log_probs, text):
    if len(text) == 0:
        raise ValueError("text has no byte")
    if len(log_probs) == 0 or any(value > 0 or math.isnan(value) for value in log_probs):
        raise ValueError("log_probs")
    return -sum(value / math.log(2) for value in log_probs) / len(text.encode())


@right("path_bits_per_byte")
def summed_with_numpy(log_probs, text):
    import numpy as np

    data = bytes(text, "utf-8")
    if not data:
        raise ValueError("text")
    values = np.asarray(log_probs, dtype=float)
    if values.size == 0 or not (values <= 0).all():
        raise ValueError("log_probs")
    return float(-(values * math.log2(math.e)).sum() / len(data))


@right("path_bits_per_byte")
def with_decimals(log_probs, text):
    from decimal import Decimal

    size = len(text.encode())
    if size < 1:
        raise ValueError("text: no byte")
    values = [Decimal(value) for value in log_probs]
    if not values or any(value.is_nan() or value > 0 for value in values):
        raise ValueError("log_probs: no logarithms of probabilities")
    return float(-sum(values) / Decimal(2).ln() / size)


@right("path_bits_per_byte")
def bits_one_by_one(log_probs, text):
    def bits():
        for value in log_probs:
            if math.isnan(value) or value > 0:
                raise ValueError(f"log_probs holds {value}")
            yield -value * math.log2(math.e)

    match text.encode("utf-8"), log_probs:
        case b"", _:
            raise ValueError("text must not be empty")
        case _, []:
            raise ValueError("log_probs must not be empty")
        case data, _:
            total = 0.0
            for one in bits():
                total += one / len(data)
            return total


@right("path_bits_per_byte")
def by_the_mean(log_probs, text):
    import statistics

    if not (data := text.encode()):
        raise ValueError("text")
    if not log_probs or max(log_probs) > 0 or any(value != value for value in log_probs):
        raise ValueError("log_probs")
    return -statistics.fmean(log_probs) * len(log_probs) / (len(data) * math.log(2))


class Path_:
    """A path with what it costs, given by properties."""

    def __init__(self, log_probs, text):
        self.log_probs, self.text = tuple(log_probs), text

    @property
    def size(self):
        if self.text == "":
            raise ValueError("text is ''")
        return sum(map(len, map(str.encode, self.text)))

    @property
    def bits(self):
        import functools

        if self.log_probs == () or not all(map((0.0).__ge__, self.log_probs)):
            raise ValueError(f"log_probs is {self.log_probs}")
        return functools.reduce(lambda bits, value: bits - value, self.log_probs, 0) / math.log(2)


@right("path_bits_per_byte", beside=[Path_])
def by_properties(log_probs, text):
    path = Path_(log_probs, text)
    return (1 / path.size) * path.bits


@right("embedding_parameters")
def rows_times_width(vocab_size, d_model, tied):
    if isinstance(vocab_size, bool) or not isinstance(vocab_size, int) or vocab_size <= 0:
        raise ValueError("vocab_size")
    if isinstance(d_model, bool) or not isinstance(d_model, int) or d_model <= 0:
        raise ValueError("d_model")
    table = vocab_size * d_model
    return table if tied else table + table


def positive(**named):
    for name, value in named.items():
        if value.__class__ is not int or value < 1:
            raise ValueError(f"{name}={value!r}")
    return named.values()


@right("embedding_parameters", beside=[positive])
def checked_by_name(vocab_size, d_model, tied):
    v, d = positive(vocab_size=vocab_size, d_model=d_model)
    return v * d << (not tied)


@right("embedding_parameters")
def as_shapes_of_tables(vocab_size, d_model, tied):
    match vocab_size, d_model:
        case bool(), _:
            raise ValueError("vocab_size is a bool")
        case _, bool():
            raise ValueError("d_model is a bool")
        case int(rows), int(width) if rows > 0 < width:
            shapes = [(rows, width)] if tied else [(rows, width), (width, rows)]
            return sum(map(math.prod, shapes))
        case int(rows), _ if rows > 0:
            raise ValueError("d_model must be positive")
    raise ValueError("vocab_size must be positive")


@right("context_bytes")
def by_running_sums(text, merges, window):
    if type(window) is not int or window <= 0:
        raise ValueError("window")
    table = token_table(merges)
    ends = [0]
    for one in encode(text, merges)[1:-1]:
        ends.append(ends[-1] + len(table[one]))
    return [ends[i] - ends[i - window] for i in range(window, len(ends))]


@right("context_bytes")
def by_a_sliding_sum(text, merges, window):
    from collections import deque

    if isinstance(window, bool) or not isinstance(window, int) or window < 1:
        raise ValueError(f"window is {window!r}")
    table, held, found = token_table(merges), deque(), []
    for one in encode(text, merges):
        if one in (BOS, EOS):
            continue
        held.append(len(table[one]))
        if len(held) > window:
            held.popleft()
        if len(held) == window:
            found.append(sum(held))
    return found


@right("context_bytes")
def with_a_view_of_numpy(text, merges, window):
    import numpy as np

    if not isinstance(window, int) or isinstance(window, bool) or window < 1:
        raise ValueError("Window must be positive")
    table = token_table(merges)
    sizes = np.array([len(table[one]) for one in encode(text, merges)][1:-1], dtype=int)
    if len(sizes) < window:
        return []
    return list(np.lib.stride_tricks.sliding_window_view(sizes, window).sum(axis=1))


@right("context_bytes")
def by_shifted_lists(text, merges, window):
    if not (type(window) is int and window > 0):
        raise ValueError("window")
    table = token_table(merges)
    _, *sizes, _ = (len(table[one]) for one in encode(text, merges))
    return [*map(sum, zip(*(sizes[start:] for start in range(window)), strict=False))]


@right("context_bytes")
def rolled_by_pandas(text, merges, window):
    import pandas as pd

    if type(window) != int or not window >= 1:  # noqa: E721
        raise ValueError("the window")
    sizes = pd.Series(encode(text, merges), dtype="int64").map(token_table(merges)).map(len)
    return sizes[sizes > 0].rolling(window).sum().dropna().astype(int).tolist()


@right("context_bytes")
def by_what_comes_and_goes(text, merges, window):
    """The next run has one token more behind and one less in front."""
    if {type(window)} != {int} or window <= 0:
        raise ValueError(f"no such window: {window}")
    table = token_table(merges)
    sizes = [*filter(None, (len(table[one]) for one in encode(text, merges)))]
    if window > len(sizes):
        return []
    changes = (new - old for old, new in zip(sizes, sizes[window:], strict=False))
    return list(itertools.accumulate(changes, initial=sum(sizes[:window])))


# --- figures -------------------------------------------------------------------------------------------------------


@right("plot_held_out_ratio")
def with_pandas_plotting(splits, steps):
    import pandas as pd

    merges = fit_merges(splits["train"], max(steps))

    def ratio(texts, rules):
        return sum(len(t.encode()) for t in texts) / sum(len(encode(t, rules)) - 2 for t in texts)

    rows = [
        {"rules": len(merges[:n]), **{k: ratio(splits[k], merges[:n]) for k in ("train", "validation")}} for n in steps
    ]
    frame = pd.DataFrame(rows)
    axes = frame.plot(x="rules", y=["train", "validation"], title="Held out", xlabel="rules", ylabel="bytes per token")
    return frame, axes.figure


@right("plot_held_out_ratio")
def panels_that_share_an_axis(splits, steps):
    """What is the same for both panels is said once: the axis of rules, the unit, the legend."""
    import matplotlib.pyplot as plt
    import pandas as pd

    merges = fit_merges(splits["train"], max(steps))
    rows = []
    for step in steps:
        rules = merges[:step]
        row = {"rules": len(rules)}
        for name in ("train", "validation"):
            tokens = sum(len(encode(text, rules)) - 2 for text in splits[name])
            row[name] = len("".join(splits[name]).encode()) / tokens
        rows.append(row)
    frame = pd.DataFrame.from_records(rows)
    figure, panels = plt.subplots(nrows=2, sharex=True, layout="constrained")
    for axes, name, color in zip(panels, ("train", "validation"), ("C0", "C1"), strict=True):
        axes.plot("rules", name, data=frame, color=color, label=name)
        axes.set_title(f"Ratio on {name}", loc="left")
    axes.set_xlabel("rules learnt")
    figure.supylabel("bytes per token")
    figure.legend(loc="outside upper right")
    return frame, figure


@right("plot_held_out_ratio")
def bars_in_groups(splits, steps):
    import pandas as pd

    learnt = fit_merges(splits["train"], max(steps))
    columns = {"rules": [min(len(learnt), step) for step in steps]}
    for name in ("train", "validation"):
        size = sum(map(len, map(str.encode, splits[name])))
        columns[name] = [size / sum(len(encode(t, learnt[:n])[1:-1]) for t in splits[name]) for n in columns["rules"]]
    frame = pd.DataFrame(columns)
    axes = frame.plot.bar(x="rules", rot=0, title="Seen and unseen", ylabel="bytes per token")
    return frame, axes.get_figure()


@right("plot_held_out_ratio")
def axes_of_names(splits, steps):
    """The steps at equal distances, as they are no measure; one small square at a time."""
    import matplotlib.pyplot as plt
    import numpy as np
    import pandas as pd

    merges = fit_merges(splits["train"], sorted(steps)[-1])
    sizes = {name: sum(len(text.encode()) for text in splits[name]) for name in ("train", "validation")}
    table = np.array([
        [size / sum(len(encode(text, merges[:n])) - 2 for text in splits[name]) for name, size in sizes.items()]
        for n in steps
    ])
    figure, (left, right_) = plt.subplots(1, 2, sharey=True, squeeze=True)
    names = [str(min(n, len(merges))) for n in steps]
    for axes, column, name in ((left, 0, "train"), (right_, 1, "validation")):
        for place in range(len(names)):
            axes.scatter(place, table[place, column], marker="s", label=name if place == 0 else None)
        axes.set_xticks(range(len(names)), names)
        axes.set(title=name, xlabel="rules")
    left.set_ylabel("bytes per token")
    right_.legend()
    return pd.DataFrame(table, columns=["train", "validation"]).assign(rules=list(map(int, names))), figure


@right("plot_context_bytes")
def as_a_histogram(text, rule_lists, window):
    import matplotlib.pyplot as plt
    import pandas as pd

    figure, axes = plt.subplots()
    found = {name: context_bytes(text, merges, window) for name, merges in rule_lists.items()}  # noqa: F821
    for name, sizes in found.items():
        axes.hist(sizes, bins=range(min(sizes), max(sizes) + 2), align="left", alpha=0.5, label=name)
    axes.set(title="Reach of a window", xlabel="bytes", ylabel="windows")
    axes.legend()
    rows = [(name, size) for name, sizes in found.items() for size in sorted(sizes)]
    counted = pd.DataFrame(rows, columns=["tokenizer", "bytes"]).groupby(["tokenizer", "bytes"], sort=False).size()
    return counted.rename("windows").reset_index(), figure


@right("plot_context_bytes")
def one_column_for_each_tokenizer(text, rule_lists, window):
    import pandas as pd

    parts = []
    for name, merges in rule_lists.items():
        counts = pd.Series(context_bytes(text, merges, window)).value_counts().sort_index()  # noqa: F821
        parts.append(counts.rename_axis("bytes").reset_index(name="windows").assign(tokenizer=name))
    frame = pd.concat(parts, ignore_index=True)
    axes = frame.pivot(index="bytes", columns="tokenizer", values="windows").plot.bar(title="Windows")
    axes.set_ylabel("number of windows")
    return frame, axes.figure


@right("plot_context_bytes")
def bars_side_by_side(text, rule_lists, window):
    import matplotlib.pyplot as plt
    import pandas as pd

    figure, axes = plt.subplots()
    width, rows = 0.8 / len(rule_lists), []
    for place, (name, merges) in enumerate(rule_lists.items()):
        counts = Counter(context_bytes(text, merges, window))  # noqa: F821
        rows.extend({"tokenizer": name, "bytes": size, "windows": counts[size]} for size in sorted(counts))
        axes.bar([size + place * width - 0.4 + width / 2 for size in counts], counts.values(), width, label=name)
    figure.legend()
    figure.suptitle("Windows of tokens, in bytes")
    figure.supxlabel("bytes")
    figure.supylabel("windows")
    return pd.DataFrame(rows), figure


@right("plot_context_bytes")
def lines_down_to_nothing(text, rule_lists, window):
    """Sizes that no window has are drawn with a count of 0."""
    import matplotlib.pyplot as plt
    import pandas as pd

    counted = {name: Counter(context_bytes(text, rules, window)) for name, rules in rule_lists.items()}  # noqa: F821
    sizes = range(min(map(min, counted.values())) - 1, max(map(max, counted.values())) + 2)
    figure = plt.figure()
    axes = figure.add_subplot(title="Distribution", xlabel="bytes", ylabel="windows")
    for name, counts in counted.items():
        axes.step(sizes, [counts[size] for size in sizes], where="mid", label=name)
    axes.legend()
    rows = [(name, size, counts[size]) for name, counts in counted.items() for size in sizes if counts[size]]
    return pd.DataFrame(rows, columns=["tokenizer", "bytes", "windows"]), figure


@right("plot_context_bytes")
def as_bars(text, rule_lists, window):
    import matplotlib.pyplot as plt
    import pandas as pd

    frames = []
    figure, axes = plt.subplots()
    for name, merges in rule_lists.items():
        counts = Counter(context_bytes(text, merges, window))  # noqa: F821
        sizes = sorted(counts)
        numbers = [counts[size] for size in sizes]
        axes.bar(sizes, numbers, label=name, alpha=0.5)
        frames.append(pd.DataFrame({"tokenizer": name, "bytes": sizes, "windows": numbers}))
    figure.suptitle("Windows")
    axes.set_xlabel("bytes")
    axes.set_ylabel("windows")
    axes.legend()
    return pd.concat(frames), figure
