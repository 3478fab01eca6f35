"""Wrong versions of chapter 4's answers, each with the sentence that helps whoever wrote it.

The names that the bodies use (`token_table`, `encode`, `merge_pair` …) are the ones that the notebook defines before.
"""

import hashlib
import itertools
import json
import math
import os
from pathlib import Path

from autograder.misconceptions.api import wrong
from autograder.reference.byte_bpe import BOS, EOS, FIRST_RULE, decode, digest, encode, token_table
from autograder.reference.naive_bpe import fit_merges, merge_pair

# --- token_table ---------------------------------------------------------------------------------------------------


@wrong("token_table", caught_by="refuses_marks_in_rules")
def marks_may_be_merged(merges):
    """Your table takes rules that refer to BOS or EOS, since both have an entry. They have no bytes and no place in
    training: try the rule (256, 97) → 258 by hand, and ask for the two marks before you look into the table."""
    table = {byte: bytes([byte]) for byte in range(256)} | {BOS: b"", EOS: b""}
    for rank, ((left, right), new_id) in enumerate(merges):
        if type(new_id) is not int or new_id != FIRST_RULE + rank:
            raise ValueError("merges: wrong number")
        for part in (left, right):
            if type(part) is not int or part not in table:
                raise ValueError("merges: unknown part")
        table[new_id] = table[left] + table[right]
    return table


@wrong("token_table", caught_by="refuses_what_is_no_id")
def true_is_one(merges):
    """Your table takes True for the id 1 and 97.0 for 97, as they are equal to them in a dict. `type(part) is int`
    tells them apart; `part in table` does not."""
    table = {byte: bytes([byte]) for byte in range(256)} | {BOS: b"", EOS: b""}
    for rank, ((left, right), new_id) in enumerate(merges):
        if new_id != FIRST_RULE + rank:
            raise ValueError("merges: wrong number")
        for part in (left, right):
            if part in (BOS, EOS) or part not in table:
                raise ValueError("merges: unknown part")
        table[new_id] = table[left] + table[right]
    return table


@wrong("token_table", caught_by="refuses_wrong_numbers", also=["refuses_what_is_no_id"])
def numbers_not_looked_at(merges):
    """Your table believes the number that a rule comes with. Rule r must have id 258 + r: try one rule with the id 259,
    or two with the same id, and compare each number with the rule's place in the list."""
    table = {byte: bytes([byte]) for byte in range(256)} | {BOS: b"", EOS: b""}
    for (left, right), new_id in merges:
        for part in (left, right):
            if type(part) is not int or part in (BOS, EOS) or part not in table:
                raise ValueError("merges: unknown part")
        table[new_id] = table[left] + table[right]
    return table


@wrong("token_table", caught_by="refuses_itself_and_later_rules", also=["refuses_what_is_no_id"])
def key_error_for_value_error(merges):
    """An unknown part makes your function stop with KeyError, where the docstring promises ValueError. Ask whether the
    part is in the table first, and raise an error that says which rule is at fault."""
    table = {byte: bytes([byte]) for byte in range(256)} | {BOS: b"", EOS: b""}
    for rank, ((left, right), new_id) in enumerate(merges):
        if type(new_id) is not int or new_id != FIRST_RULE + rank or {left, right} & {BOS, EOS}:
            raise ValueError("merges: wrong number or a mark")
        table[new_id] = table[left] + table[right]
    return table


@wrong("token_table", caught_by="refuses_itself_and_later_rules", also=["refuses_what_is_no_id"])
def any_number_up_to_the_last(merges):
    """You check that a part lies below the size of the whole vocabulary, so a rule may refer to itself or to a later
    one, which has no bytes yet. Compare with the rule's own number: parts must lie below it."""
    table = {byte: bytes([byte]) for byte in range(256)} | {BOS: b"", EOS: b""}
    for rank, ((left, right), new_id) in enumerate(merges):
        if type(new_id) is not int or new_id != FIRST_RULE + rank:
            raise ValueError("merges: wrong number")
        for part in (left, right):
            if not isinstance(part, int) or part in (BOS, EOS) or not 0 <= part < FIRST_RULE + len(merges):
                raise ValueError("merges: unknown part")
        table[new_id] = table.get(left, b"") + table.get(right, b"")
    return table


@wrong("token_table", caught_by="bytes_of_every_id")
def bytes_twice_refused(merges):
    """You refuse a rule whose bytes another id has already. Two ids may stand for the same bytes, as aa and a, or a and
    aa, do: only rules that cannot be filled in are refused."""
    table = {byte: bytes([byte]) for byte in range(256)} | {BOS: b"", EOS: b""}
    for rank, ((left, right), new_id) in enumerate(merges):
        parts = (left, right)
        known = all(type(part) is int and part in table and part not in (BOS, EOS) for part in parts)
        if type(new_id) is not int or new_id != FIRST_RULE + rank or not known:
            raise ValueError("merges: an impossible rule")
        if table[left] + table[right] in table.values():
            raise ValueError("merges: these bytes have an id already")
        table[new_id] = table[left] + table[right]
    return table


@wrong("token_table", caught_by="bytes_of_every_id", also=["rules_upon_rules"])
def right_part_first(merges):
    """Your pieces have the right part's bytes in front. Rule (97, 98) → 258 stands for `ab`: first the bytes of 97,
    then those of 98."""
    table = {byte: bytes([byte]) for byte in range(256)} | {BOS: b"", EOS: b""}
    for rank, ((left, right), new_id) in enumerate(merges):
        if type(new_id) is not int or new_id != FIRST_RULE + rank:
            raise ValueError("merges: wrong number")
        for part in (left, right):
            if type(part) is not int or part in (BOS, EOS) or part not in table:
                raise ValueError("merges: unknown part")
        table[new_id] = table[right] + table[left]
    return table


@wrong("token_table", caught_by="marks_have_no_bytes")
def marks_left_out(merges):
    """Your table lacks BOS and EOS. They are in the vocabulary and have no bytes, so their entry is b"", and the
    table's length is 258 plus the number of rules."""
    table = {byte: bytes([byte]) for byte in range(256)}
    for rank, ((left, right), new_id) in enumerate(merges):
        if type(new_id) is not int or new_id != FIRST_RULE + rank:
            raise ValueError("merges: wrong number")
        for part in (left, right):
            if type(part) is not int or part not in table:
                raise ValueError("merges: unknown part")
        table[new_id] = table[left] + table[right]
    return table


@wrong("token_table", caught_by="marks_have_no_bytes")
def marks_have_names(merges):
    """Your BOS and EOS stand for some text. They mark where a document begins and ends and add nothing to it: decoded,
    their names would appear in the text. Their entry is b""."""
    table = {byte: bytes([byte]) for byte in range(256)} | {BOS: b"<BOS>", EOS: b"<EOS>"}
    for rank, ((left, right), new_id) in enumerate(merges):
        if type(new_id) is not int or new_id != FIRST_RULE + rank:
            raise ValueError("merges: wrong number")
        for part in (left, right):
            if type(part) is not int or part in (BOS, EOS) or part not in table:
                raise ValueError("merges: unknown part")
        table[new_id] = table[left] + table[right]
    return table


@wrong("token_table", caught_by="leaves_merges_alone")
def takes_the_rules_away(merges):
    """Your function takes the rules out of the caller's list to fill the table; afterwards no rule is left to encode
    with. Go through the list with `for`."""
    table = {byte: bytes([byte]) for byte in range(256)} | {BOS: b"", EOS: b""}
    number = FIRST_RULE
    while merges:
        (left, right), new_id = merges.pop(0)
        if type(new_id) is not int or new_id != number:
            raise ValueError("merges: wrong number")
        for part in (left, right):
            if type(part) is not int or part in (BOS, EOS) or part not in table:
                raise ValueError("merges: unknown part")
        table[new_id] = table[left] + table[right]
        number += 1
    return table


# --- encode --------------------------------------------------------------------------------------------------------


@wrong("encode", caught_by="rules_in_order")
def longest_piece_first(text, merges):
    """Your function takes the longest piece that fits at each place. The tokenizer repeats what training did: rule by
    rule, in the order of creation. With bc, ab, abc learnt in this order, `abc` is [97, 258]: when ab's turn comes, b
    is gone."""
    data, ids = text.encode("utf-8"), []
    pieces = {bytes([byte]): byte for byte in range(256)}
    for (left, right), new_id in merges:
        table = {number: piece for piece, number in pieces.items()}
        pieces[table.get(left, b"") + table.get(right, b"")] = new_id
    while data:
        size = max(size for size in range(1, len(data) + 1) if data[:size] in pieces)
        ids.append(pieces[data[:size]])
        data = data[size:]
    return [BOS, *ids, EOS]


@wrong("encode", caught_by="rules_in_order", also=["learnt_rules"])
def newest_rule_first(text, merges):
    """Your function begins with the newest rule. A rule may need what an older one makes: with ab → 258 and (258, c) →
    259, nothing becomes 259 before 258 is there. Go through the list from the front."""
    ids = list(text.encode("utf-8"))
    for pair, new_id in reversed(merges):
        ids = merge_pair(ids, pair, new_id)
    return [BOS, *ids, EOS]


@wrong("encode", caught_by="one_rule", also=["rules_in_order"])
def from_right_to_left(text, merges):
    """Your function replaces from the right end. `aaa` with the rule aa is [258, 97]: from left to right the first two
    a are used, and the third is left."""
    ids = list(text.encode("utf-8"))
    for pair, new_id in merges:
        ids = merge_pair(ids[::-1], tuple(pair)[::-1], new_id)[::-1]
    return [BOS, *ids, EOS]


@wrong("encode", caught_by="one_rule", also=["rules_in_order", "learnt_rules"])
def first_place_only(text, merges):
    """Each rule replaces one place only in your function. `abab` with the rule ab is [258, 258]: go on behind the place
    that you have replaced, to the end of the list."""
    ids = list(text.encode("utf-8"))
    for pair, new_id in merges:
        for i in range(len(ids) - 1):
            if (ids[i], ids[i + 1]) == tuple(pair):
                ids[i : i + 2] = [new_id]
                break
    return [BOS, *ids, EOS]


@wrong("encode", caught_by="bytes_not_code_points", also=["refuses_lone_surrogates", "learnt_rules"])
def code_points_for_bytes(text, merges):
    """Your ids start from code points. `é` is one code point and two bytes, [195, 169]; the ids 0 to 255 are bytes, so
    start from `text.encode("utf-8")`."""
    ids = list(map(ord, text))
    for pair, new_id in merges:
        ids = merge_pair(ids, pair, new_id)
    return [BOS, *ids, EOS]


@wrong("encode", caught_by="one_rule", also=["learnt_rules"])
def words_by_themselves(text, merges):
    """You cut the text at white space before you apply the rules. In this chapter a text is one sequence, and a rule
    may join a letter with a space or a line end."""
    import re

    ids = []
    for word in re.findall(r"\s+|\S+", text):
        tokens = list(word.encode("utf-8"))
        for pair, new_id in merges:
            tokens = merge_pair(tokens, pair, new_id)
        ids += tokens
    return [BOS, *ids, EOS]


@wrong("encode", caught_by="begins_and_ends")
def no_end(text, merges):
    """Your lists lack EOS. The empty text is [256, 257]: a model must also learn, and pay for, where a text ends."""
    ids = list(text.encode("utf-8"))
    for pair, new_id in merges:
        ids = merge_pair(ids, pair, new_id)
    return [BOS, *ids]


@wrong("encode", caught_by="begins_and_ends")
def no_marks(text, merges):
    """Your lists lack BOS and EOS. The empty text is [256, 257], one mark on each side of nothing."""
    ids = list(text.encode("utf-8"))
    for pair, new_id in merges:
        ids = merge_pair(ids, pair, new_id)
    return ids


@wrong("encode", caught_by="begins_and_ends")
def nothing_for_nothing(text, merges):
    """Your function gives an empty list for the empty text. It has no token, but both marks: [256, 257]."""
    if not text:
        return []
    ids = list(text.encode("utf-8"))
    for pair, new_id in merges:
        ids = merge_pair(ids, pair, new_id)
    return [BOS, *ids, EOS]


@wrong("encode", caught_by="refuses_lone_surrogates")
def surrogates_replaced(text, merges):
    """Your function turns a lone surrogate into a question mark, so the text does not come back. Leave `encode` strict:
    it raises UnicodeEncodeError by itself."""
    ids = list(text.encode("utf-8", errors="replace"))
    for pair, new_id in merges:
        ids = merge_pair(ids, pair, new_id)
    return [BOS, *ids, EOS]


@wrong("encode", caught_by="encode_leaves_merges_alone")
def uses_up_the_rules(text, merges):
    """Your function takes the rules out of the caller's list, so that the next text finds none. Go through the list
    with `for`, and leave it as it is."""
    ids = list(text.encode("utf-8"))
    while merges:
        pair, new_id = merges.pop(0)
        ids = merge_pair(ids, pair, new_id)
    return [BOS, *ids, EOS]


# --- decode --------------------------------------------------------------------------------------------------------


@wrong("decode", caught_by="joins_before_decoding")
def each_piece_by_itself(ids, merges):
    """You decode each token and join the texts. A token may hold half a character: `é` without rules is 195 and 169,
    and neither is UTF-8 by itself. Join the bytes first, and decode once."""
    table = token_table(merges)
    if not all(one in table for one in ids):
        raise ValueError("ids: unknown")
    return "".join(table[one].decode("utf-8") for one in ids)


@wrong("decode", caught_by="broken_utf8")
def broken_bytes_replaced(ids, merges):
    """Bytes that are no UTF-8 become a replacement character in your function, and nobody learns that the ids were
    wrong. Leave `decode` strict: it raises UnicodeDecodeError."""
    table = token_table(merges)
    if not all(one in table for one in ids):
        raise ValueError("ids: unknown")
    return b"".join(table[one] for one in ids).decode("utf-8", errors="replace")


@wrong("decode", caught_by="broken_utf8")
def broken_bytes_dropped(ids, merges):
    """Bytes that are no UTF-8 vanish in your function. Leave `decode` strict: it raises UnicodeDecodeError."""
    table = token_table(merges)
    if not all(one in table for one in ids):
        raise ValueError("ids: unknown")
    return b"".join(table[one] for one in ids).decode("utf-8", errors="ignore")


@wrong("decode", caught_by="marks_anywhere")
def cuts_off_both_ends(ids, merges):
    """Your function cuts off the first and the last id whatever they are. A list without marks, as a model may give,
    then loses two tokens: [97] is `a`. BOS and EOS have no bytes, so they need no cutting."""
    table = token_table(merges)
    if not all(one in table for one in ids):
        raise ValueError("ids: unknown")
    return b"".join(table[one] for one in ids[1:-1]).decode("utf-8")


@wrong("decode", caught_by="unknown_ids")
def unknown_ids_skipped(ids, merges):
    """Your function leaves out ids that the vocabulary does not hold. Then a wrong list of rules gives a wrong text and
    no error: ask for each id, and raise ValueError."""
    table = token_table(merges)
    return b"".join(table.get(one, b"") for one in ids).decode("utf-8")


@wrong("decode", caught_by="unknown_ids")
def unknown_id_is_a_key_error(ids, merges):
    """An unknown id makes your function stop with KeyError; the docstring promises ValueError that names ids."""
    table = token_table(merges)
    return b"".join(table[one] for one in ids).decode("utf-8")


@wrong("decode", caught_by="unknown_ids")
def counts_from_the_end(ids, merges):
    """Your table is a list, and in a list -1 is the last entry. No id is negative: use the dict, or ask for 0 or
    more."""
    pieces = list(token_table(merges).values())
    try:
        return b"".join(pieces[one] for one in ids).decode("utf-8")
    except IndexError:
        raise ValueError("ids: unknown") from None


@wrong("decode", caught_by="decode_leaves_its_lists")
def marks_deleted_from_the_list(ids, merges):
    """Your function deletes BOS and EOS from the caller's list, which then is another encoding. They have no bytes, so
    nothing needs to be deleted; or make a new list without them."""
    for mark in (BOS, EOS):
        while mark in ids:
            ids.remove(mark)
    table = token_table(merges)
    if not all(one in table for one in ids):
        raise ValueError("ids: unknown")
    return b"".join(table[one] for one in ids).decode("utf-8")


# --- fragment_label ------------------------------------------------------------------------------------------------


@wrong("fragment_label", caught_by="parts_of_characters", also=["no_two_alike"])
def torn_bytes_replaced(piece):
    """You show torn bytes with a replacement character: then 0xe4 and 0xe5 look alike, and nobody can tell them apart.
    Show bytes that are no UTF-8 in hexadecimal."""
    return repr(piece.decode("utf-8", errors="replace"))


@wrong("fragment_label", caught_by="whole_text", also=["a_real_replacement_character", "no_two_alike"])
def no_quotes(piece):
    """Your labels lack the quotes of `repr`. Then the text `0xe4`, four letters, and the byte 0xe4 have the same label,
    and a line feed breaks the line."""
    try:
        return piece.decode("utf-8")
    except UnicodeDecodeError:
        return "0x" + piece.hex()


@wrong("fragment_label", caught_by="a_real_replacement_character")
def replacement_means_broken(piece):
    """You decode with replacement and look for U+FFFD to find broken bytes. A text may really hold that character,
    which is whole UTF-8: EF BF BD. Let the strict decoder judge."""
    text = piece.decode("utf-8", errors="replace")
    return "0x" + piece.hex() if "\ufffd" in text else repr(text)


@wrong(
    "fragment_label", caught_by="whole_text",
    also=["parts_of_characters", "a_real_replacement_character", "no_two_alike"],
)
def as_python_shows_bytes(piece):
    """You show the bytes as Python does, b'…'. No byte is lost, but `é` is unreadable; show whole UTF-8 as text."""
    return repr(piece)


@wrong("fragment_label", caught_by="parts_of_characters", also=["no_two_alike"])
def latin_letters(piece):
    """Your labels show torn bytes as Latin-1 letters: the byte 0xe4 then looks like the letter ä, which is C3 A4."""
    try:
        return repr(piece.decode("utf-8"))
    except UnicodeDecodeError:
        return repr(piece.decode("latin-1"))


# --- digest --------------------------------------------------------------------------------------------------------


@wrong("fragment_label", caught_by="parts_of_characters", also=["no_two_alike"])
def zeros_in_front_lost(piece):
    """You make one number of the bytes, and a number shows no zeros in front: 00 ff and ff then have one label. Write
    two digits for each byte, as bytes.hex does."""
    try:
        return repr(piece.decode("utf-8"))
    except UnicodeDecodeError:
        return hex(int.from_bytes(piece, "big"))


@wrong("digest", caught_by="order_counts", also=["longer_rules"])
def rules_sorted(merges):
    """You sort the rules before you hash them, so two rules that change places are not noticed. Their order decides
    how a text is encoded: hash them as they come."""
    rules = sorted(tuple(pair) for pair, _ in merges)
    numbers = sorted(new_id for _, new_id in merges)
    lines = ["byte-bpe 1"] + [f"{a} {b} {c}" for (a, b), c in zip(rules, numbers, strict=True)]
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


@wrong("digest", caught_by="small_rules")
def each_pair_once(merges):
    """You put the rules into a dict first. A dict holds each pair once, so a rule whose pair was there before is lost:
    hash the rules as they come."""
    rules = {tuple(pair): new_id for pair, new_id in merges}
    lines = ["byte-bpe 1", *(f"{left} {right} {new_id}" for (left, right), new_id in rules.items())]
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


@wrong("digest", caught_by="small_rules", also=["order_counts", "lists_like_tuples", "longer_rules"])
def last_line_feed_missing(merges):
    """Your last line does not end in a line feed: joining with it puts one between the lines, and each line, also the
    last, must have its own."""
    lines = ["byte-bpe 1"] + [f"{a} {b} {c}" for (a, b), c in merges]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


@wrong("digest", caught_by="small_rules", also=["order_counts", "lists_like_tuples", "longer_rules"])
def format_line_missing(merges):
    """Your bytes begin with the first rule. The first line names the format and its version, so that another format
    cannot have the same digest."""
    lines = [f"{a} {b} {c}" for (a, b), c in merges]
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()


@wrong("digest", caught_by="small_rules", also=["order_counts", "lists_like_tuples", "longer_rules"])
def hashes_json(merges):
    """You hash JSON text. Its spaces depend on the library that writes it, so another program gets another digest; hash
    the lines that are given."""
    return hashlib.sha256(json.dumps(merges).encode()).hexdigest()


@wrong("digest", caught_by="small_rules", also=["order_counts", "lists_like_tuples", "longer_rules"])
def hashes_repr(merges):
    """You hash the rules as Python shows them. Then lists and tuples have different digests, and no other language can
    compute them; hash the lines that are given."""
    return hashlib.sha256(repr(merges).encode()).hexdigest()


@wrong("digest", caught_by="digest_leaves_merges_alone")
def hashes_the_rules_away(merges):
    """Your function takes the rules out of the caller's list while it hashes them: a second call gives the digest of no
    rules at all. Go through the list with `for`."""
    hashed = hashlib.sha256(b"byte-bpe 1\n")
    while merges:
        (left, right), new_id = merges.pop(0)
        hashed.update(f"{left} {right} {new_id}\n".encode())
    return hashed.hexdigest()


# --- save_tokenizer ------------------------------------------------------------------------------------------------


@wrong("save_tokenizer", caught_by="put_in_place_at_once")
def written_in_place(path, merges):
    """You open the file itself for writing, which empties it first. If the program stops before the end, the old rules
    are gone and the new ones are not there: write another file in the same folder, then `os.replace`."""
    token_table(merges)
    text = json.dumps({"version": 1, "merges": merges, "digest": digest(merges)})
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


@wrong("save_tokenizer", caught_by="put_in_place_at_once")
def removed_first(path, merges):
    """You remove the old file and then give the new one its name. If the program stops in between, neither is there:
    `os.replace` puts one in the other's place in a single step."""
    token_table(merges)
    temporary = f"{path}.tmp"
    Path(temporary).write_text(json.dumps({"version": 1, "merges": merges, "digest": digest(merges)}))
    Path(path).unlink(missing_ok=True)
    os.rename(temporary, path)


@wrong("save_tokenizer", caught_by="what_the_file_holds")
def path_must_be_a_text(path, merges):
    """You add to the path with +, which a Path does not allow. The path may be a str or a Path: an f-string takes
    both."""
    token_table(merges)
    temporary = path + ".tmp"
    Path(temporary).write_text(json.dumps({"version": 1, "merges": merges, "digest": digest(merges)}))
    os.replace(temporary, path)


@wrong("save_tokenizer", caught_by="bad_rules_leave_the_file", also=["put_in_place_at_once"])
def opened_before_checked(path, merges):
    """You open the file before the rules are checked. When they are refused, the good old file has been emptied
    already: check first, and write another file that takes its place at the end."""
    with open(path, "w", encoding="utf-8") as file:
        token_table(merges)
        file.write(json.dumps({"version": 1, "merges": merges, "digest": digest(merges)}))


@wrong("save_tokenizer", caught_by="bad_rules_leave_the_file")
def rules_not_checked(path, merges):
    """You save rules that cannot be: a file that `load_tokenizer` will refuse takes a good one's place. Call
    `token_table(merges)` before anything is written."""
    text = json.dumps({"version": 1, "merges": merges, "digest": digest(merges)})
    temporary = f"{path}.tmp"
    Path(temporary).write_text(text, encoding="utf-8")
    os.replace(temporary, path)


@wrong("save_tokenizer", caught_by="nothing_left_beside")
def leaves_the_other_file(path, merges):
    """When the rules are refused, your half-made file stays in the folder. Check before you open it, and remove it in
    an `except` when anything goes wrong later."""
    temporary = f"{path}.tmp"
    with open(temporary, "w", encoding="utf-8") as file:
        token_table(merges)
        file.write(json.dumps({"version": 1, "merges": merges, "digest": digest(merges)}))
    os.replace(temporary, path)


@wrong("save_tokenizer", caught_by="nothing_left_beside", also=["put_in_place_at_once"])
def keeps_a_backup(path, merges):
    """You keep the old file under another name. Nobody asked for it, and nobody will remove it: at the end only the
    new file is there."""
    token_table(merges)
    temporary = f"{path}.tmp"
    Path(temporary).write_text(json.dumps({"version": 1, "merges": merges, "digest": digest(merges)}))
    if os.path.exists(path):
        os.replace(path, f"{path}.bak")
    os.replace(temporary, path)


@wrong("save_tokenizer", caught_by="what_the_file_holds")
def version_is_a_text(path, merges):
    """Your version is the text "1"; it must be the number 1."""
    token_table(merges)
    temporary = f"{path}.tmp"
    Path(temporary).write_text(json.dumps({"version": "1", "merges": merges, "digest": digest(merges)}))
    os.replace(temporary, path)


@wrong("save_tokenizer", caught_by="what_the_file_holds")
def pairs_without_numbers(path, merges):
    """Your file holds the pairs without their numbers. They could be counted again, but the format has them:
    [[97, 98], 258]."""
    token_table(merges)
    temporary = f"{path}.tmp"
    pairs = [pair for pair, _ in merges]
    Path(temporary).write_text(json.dumps({"version": 1, "merges": pairs, "digest": digest(merges)}))
    os.replace(temporary, path)


@wrong("save_tokenizer", caught_by="save_leaves_merges_alone")
def rules_made_lists_in_place(path, merges):
    """Your function writes lists in the place of the caller's tuples, to suit JSON. `json.dumps` takes tuples as they
    are; and what must be changed is changed in a new list."""
    token_table(merges)
    for rank, (pair, new_id) in enumerate(merges):
        merges[rank] = [list(pair), new_id]
    temporary = Path(f"{path}.tmp")
    temporary.write_text(json.dumps({"version": 1, "merges": merges, "digest": digest(merges)}))
    os.replace(temporary, path)


# --- load_tokenizer ------------------------------------------------------------------------------------------------


@wrong("load_tokenizer", caught_by="another_digest", also=["every_bit_counts"])
def digest_not_compared(path):
    """You read the digest and do not compare it: two rules swapped in the file go unnoticed. Compute `digest(merges)`
    and compare."""
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or not {"version", "merges", "digest"} <= set(found):
        raise ValueError("version, merges or digest is missing")
    if type(found["version"]) is not int or found["version"] != 1:
        raise ValueError("version")
    try:
        merges = [((left, right), new_id) for (left, right), new_id in found["merges"]]
    except (TypeError, ValueError):
        raise ValueError("merges") from None
    token_table(merges)
    return merges


@wrong("load_tokenizer", caught_by="unknown_version", also=["every_bit_counts"])
def any_version(path):
    """You do not look at the version. A later version may mean something else by the same rules: refuse any but 1."""
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or not {"version", "merges", "digest"} <= set(found):
        raise ValueError("version, merges or digest is missing")
    try:
        merges = [((left, right), new_id) for (left, right), new_id in found["merges"]]
    except (TypeError, ValueError):
        raise ValueError("merges") from None
    token_table(merges)
    if found["digest"] != digest(merges):
        raise ValueError("digest")
    return merges


@wrong("load_tokenizer", caught_by="unknown_version")
def version_true_is_one(path):
    """You compare the version with ==, and True == 1 == 1.0. `type(version) is int` tells them apart."""
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or not {"version", "merges", "digest"} <= set(found):
        raise ValueError("version, merges or digest is missing")
    if found["version"] != 1:
        raise ValueError("version")
    try:
        merges = [((left, right), new_id) for (left, right), new_id in found["merges"]]
    except (TypeError, ValueError):
        raise ValueError("merges") from None
    token_table(merges)
    if found["digest"] != digest(merges):
        raise ValueError("digest")
    return merges


@wrong("load_tokenizer", caught_by="impossible_rules")
def right_digest_is_enough(path):
    """You believe rules whose digest is right. It says that they are what was saved, not that they are rules: one that
    refers to itself has a digest too. Let `token_table` judge them."""
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or not {"version", "merges", "digest"} <= set(found):
        raise ValueError("version, merges or digest is missing")
    if type(found["version"]) is not int or found["version"] != 1:
        raise ValueError("version")
    try:
        merges = [((left, right), new_id) for (left, right), new_id in found["merges"]]
    except (TypeError, ValueError):
        raise ValueError("merges") from None
    if found["digest"] != digest(merges):
        raise ValueError("digest")
    return merges


@wrong("load_tokenizer", caught_by="good_files")
def lists_stay_lists(path):
    """Your rules come back as lists, since JSON has no tuples. `fit_merges` gives ((97, 98), 258): build tuples again,
    or pairs from a file will never equal pairs from training."""
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or not {"version", "merges", "digest"} <= set(found):
        raise ValueError("version, merges or digest is missing")
    if type(found["version"]) is not int or found["version"] != 1:
        raise ValueError("version")
    try:
        merges = [((left, right), new_id) for (left, right), new_id in found["merges"]]
    except (TypeError, ValueError):
        raise ValueError("merges") from None
    token_table(merges)
    if found["digest"] != digest(merges):
        raise ValueError("digest")
    return found["merges"]


@wrong("load_tokenizer", caught_by="no_tokenizer_at_all", also=["every_bit_counts"])
def missing_key_is_a_key_error(path):
    """A file without one of the keys makes your function stop with KeyError, and one that is no object with TypeError.
    The docstring promises ValueError: ask for the keys first."""
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    if type(found["version"]) is not int or found["version"] != 1:
        raise ValueError("version")
    try:
        merges = [((left, right), new_id) for (left, right), new_id in found["merges"]]
    except (TypeError, ValueError):
        raise ValueError("merges") from None
    token_table(merges)
    if found["digest"] != digest(merges):
        raise ValueError("digest")
    return merges


@wrong("load_tokenizer", caught_by="every_bit_counts")
def capitals_do_not_count(path):
    """You compare the digest without regard to capitals. One bit turns an `a` into an `A`: the file was changed, and
    must be refused. Compare the texts as they are."""
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or not {"version", "merges", "digest"} <= set(found):
        raise ValueError("version, merges or digest is missing")
    if type(found["version"]) is not int or found["version"] != 1:
        raise ValueError("version")
    try:
        merges = [((left, right), new_id) for (left, right), new_id in found["merges"]]
    except (TypeError, ValueError):
        raise ValueError("merges") from None
    token_table(merges)
    if str(found["digest"]).lower() != digest(merges):
        raise ValueError("digest")
    return merges


@wrong("load_tokenizer", caught_by="load_leaves_the_file")
def written_again_when_read(path):
    """Your function writes the file again when it has read it. Whoever loads a tokenizer may not be allowed to write,
    or may compare the file's bytes: reading leaves it alone."""
    found = json.loads(Path(path).read_text(encoding="utf-8"))
    if not isinstance(found, dict) or not {"version", "merges", "digest"} <= set(found):
        raise ValueError("a key is missing")
    if type(found["version"]) is not int or found["version"] != 1:
        raise ValueError("version")
    try:
        merges = [((left, right), new_id) for (left, right), new_id in found["merges"]]
    except (TypeError, ValueError):
        raise ValueError("merges") from None
    token_table(merges)
    if found["digest"] != digest(merges):
        raise ValueError("digest")
    Path(path).write_text(json.dumps(found), encoding="utf-8")
    return merges


# --- fit_splits and duplicate_example ------------------------------------------------------------------------------


@wrong("fit_splits", caught_by="learns_from_train_only", also=["keeps_nothing"])
def learns_from_everything(splits, max_merges):
    """Your rules are learnt from all three splits. With `abab` in train and `xyxyxy` in test, the test's pair gets an
    id: the test has shaped the tokenizer. Give `fit_merges` the training texts only."""
    names = ("train", "validation", "test")
    if set(splits) != set(names):
        raise ValueError("splits: wrong keys")
    for one, other in itertools.combinations(names, 2):
        if set(splits[one]) & set(splits[other]):
            raise ValueError("splits share a text")
    merges = fit_merges([text for name in names for text in splits[name]], max_merges)
    encoded = {name: [encode(text, merges) for text in splits[name]] for name in names}
    return {"merges": merges, "digest": digest(merges), "encoded": encoded}


@wrong("fit_splits", caught_by="learns_from_train_only", also=["keeps_nothing"])
def learns_from_validation_too(splits, max_merges):
    """Your rules are learnt from train and validation. Choosing with the help of the validation split is its purpose,
    learning from it is not: what it then says about unseen text is too good."""
    names = ("train", "validation", "test")
    if set(splits) != set(names):
        raise ValueError("splits: wrong keys")
    for one, other in itertools.combinations(names, 2):
        if set(splits[one]) & set(splits[other]):
            raise ValueError("splits share a text")
    merges = fit_merges([*splits["train"], *splits["validation"]], max_merges)
    encoded = {name: [encode(text, merges) for text in splits[name]] for name in names}
    return {"merges": merges, "digest": digest(merges), "encoded": encoded}


@wrong("fit_splits", caught_by="repeats_inside_train_count")
def repeats_dropped(splits, max_merges):
    """You drop repeated texts from train. That may be wise, but it is another training set: `ab` twice teaches ab, `ab`
    once teaches nothing. Whoever drops repeats must do so on purpose and say so."""
    names = ("train", "validation", "test")
    if set(splits) != set(names):
        raise ValueError("splits: wrong keys")
    for one, other in itertools.combinations(names, 2):
        if set(splits[one]) & set(splits[other]):
            raise ValueError("splits share a text")
    merges = fit_merges(list(dict.fromkeys(splits["train"])), max_merges)
    encoded = {name: [encode(text, merges) for text in splits[name]] for name in names}
    return {"merges": merges, "digest": digest(merges), "encoded": encoded}


@wrong("fit_splits", caught_by="repeats_inside_train_count")
def repeats_refused(splits, max_merges):
    """You refuse a text that is twice in one split. Only a text in two splits lets the test leak into training; inside
    one, repeats are allowed and count."""
    names = ("train", "validation", "test")
    if set(splits) != set(names):
        raise ValueError("splits: wrong keys")
    texts = [text for name in names for text in splits[name]]
    if len(set(texts)) < len(texts):
        raise ValueError("splits share a text")
    merges = fit_merges(splits["train"], max_merges)
    encoded = {name: [encode(text, merges) for text in splits[name]] for name in names}
    return {"merges": merges, "digest": digest(merges), "encoded": encoded}


@wrong("fit_splits", caught_by="refuses_a_text_in_two_splits")
def only_train_compared(splits, max_merges):
    """You compare train with the other two, and not these with each other. A text in validation and test ties the test
    to every choice made on validation: there are three pairs of splits."""
    names = ("train", "validation", "test")
    if set(splits) != set(names):
        raise ValueError("splits: wrong keys")
    if set(splits["train"]) & {*splits["validation"], *splits["test"]}:
        raise ValueError("splits share a text")
    merges = fit_merges(splits["train"], max_merges)
    encoded = {name: [encode(text, merges) for text in splits[name]] for name in names}
    return {"merges": merges, "digest": digest(merges), "encoded": encoded}


@wrong("fit_splits", caught_by="refuses_a_text_in_two_splits")
def shared_texts_left_out(splits, max_merges):
    """You leave out shared texts without a word. Then the splits are not what their maker thinks, and numbers reported
    for them are for others: refuse with ValueError."""
    names = ("train", "validation", "test")
    if set(splits) != set(names):
        raise ValueError("splits: wrong keys")
    train = set(splits["train"])
    kept = {name: [text for text in splits[name] if name == "train" or text not in train] for name in names}
    merges = fit_merges(kept["train"], max_merges)
    encoded = {name: [encode(text, merges) for text in kept[name]] for name in names}
    return {"merges": merges, "digest": digest(merges), "encoded": encoded}


@wrong("fit_splits", caught_by="encodes_every_split", also=["keeps_nothing"])
def texts_of_a_split_joined(splits, max_merges):
    """You join the texts of a split and encode them as one. Each text is a document with its own BOS and EOS, and no
    rule reaches from one into the next: encode each by itself."""
    names = ("train", "validation", "test")
    if set(splits) != set(names):
        raise ValueError("splits: wrong keys")
    for one, other in itertools.combinations(names, 2):
        if set(splits[one]) & set(splits[other]):
            raise ValueError("splits share a text")
    merges = fit_merges(splits["train"], max_merges)
    encoded = {name: encode("".join(splits[name]), merges) for name in names}
    return {"merges": merges, "digest": digest(merges), "encoded": encoded}


@wrong("fit_splits", caught_by="refuses_other_keys")
def other_keys_ignored(splits, max_merges):
    """You ask for the three splits and ignore what else is there; a missing one stops with KeyError. The keys must be
    exactly train, validation and test, else ValueError: a misspelt `validate` should not pass."""
    names = ("train", "validation", "test")
    for one, other in itertools.combinations(names, 2):
        if set(splits[one]) & set(splits[other]):
            raise ValueError("splits share a text")
    merges = fit_merges(splits["train"], max_merges)
    encoded = {name: [encode(text, merges) for text in splits[name]] for name in names}
    return {"merges": merges, "digest": digest(merges), "encoded": encoded}


@wrong("fit_splits", caught_by="leaves_splits_alone")
def ids_in_place_of_texts(splits, max_merges):
    """Your function writes the ids over the caller's texts: after the call there is no text left. Make a new dictionary
    for what is encoded."""
    names = ("train", "validation", "test")
    if set(splits) != set(names):
        raise ValueError("splits must have exactly three keys")
    for one, other in itertools.combinations(names, 2):
        if set(splits[one]) & set(splits[other]):
            raise ValueError("splits share a text")
    merges = fit_merges(splits["train"], max_merges)
    for name in names:
        splits[name] = [encode(text, merges) for text in splits[name]]
    return {"merges": merges, "digest": digest(merges), "encoded": splits}


@wrong("duplicate_example", caught_by="duplicates_decide")
def nothing_learnt_without():
    """Without the repeat, your example teaches no rule at all, so there is no other rule to compare with. Let each text
    hold its pair twice."""
    return ["ab", "ab"]


@wrong("duplicate_example", caught_by="duplicates_decide")
def the_same_rule_twice():
    """With and without the repeat your example teaches the same rule: doubling everything changes no order. Two pairs
    must compete, and the repeat must let the other one win."""
    return ["abab", "abab"]


# --- is_canonical and count_encodings ------------------------------------------------------------------------------


@wrong("is_canonical", caught_by="all_short_paths", also=["marks_where_they_belong"])
def decodable_is_enough(ids, merges):
    """You ask whether the ids decode. [97, 98] decodes to `ab` even where a rule makes 258 of it; canonical is only
    what `encode` gives for that text, so encode it again and compare."""
    try:
        decode(ids, merges)
    except ValueError:
        return False
    return True


@wrong("is_canonical", caught_by="marks_where_they_belong")
def marks_do_not_matter(ids, merges):
    """You leave BOS and EOS out of the comparison. `encode` gives them once each, at the ends: a list without them, or
    with one inside, is not what it gives."""
    try:
        text = decode(ids, merges)
    except ValueError:
        return False
    return encode(text, merges)[1:-1] == [one for one in ids if one not in (BOS, EOS)]


@wrong("is_canonical", caught_by="false_not_an_error")
def wrong_ids_raise(ids, merges):
    """Ids that do not decode make your function stop with an error. The question has an answer, and it is no: return
    False."""
    return encode(decode(ids, merges), merges) == ids


@wrong("is_canonical", caught_by="is_canonical_leaves_its_lists")
def marks_taken_off_in_place(ids, merges):
    """Your function takes BOS and EOS off the caller's list before it compares. A question must not change what it asks
    about: compare `ids[1:-1]`, which is a new list."""
    if len(ids) < 2 or ids.pop(0) != BOS or ids.pop() != EOS:
        return False
    try:
        return encode(decode(ids, merges), merges)[1:-1] == ids
    except ValueError:
        return False


@wrong("count_encodings", caught_by="equal_bytes_count_apart", also=["long_texts"])
def equal_pieces_once(text, merges):
    """You count each piece of bytes once. Two rules may make the same bytes, as (aa, a) and (a, aa) do; they are two
    ids, and give two lists."""
    data, pieces = text.encode("utf-8"), set(token_table(merges).values()) - {b""}
    ways = [1]
    for end in range(1, len(data) + 1):
        ways.append(sum(ways[end - len(piece)] for piece in pieces if data[:end].endswith(piece)))
    return ways[-1]


@wrong("count_encodings", caught_by="long_texts")
def counted_in_floats(text, merges):
    """You count in floats, which hold about 16 digits. Python's ints are exact at any size: keep them whole."""
    data, pieces = text.encode("utf-8"), [piece for piece in token_table(merges).values() if piece]
    ways = [1.0]
    for end in range(1, len(data) + 1):
        ways.append(sum(ways[end - len(piece)] for piece in pieces if data[:end].endswith(piece)))
    return int(ways[-1])


@wrong("count_encodings", caught_by="all_short_texts")
def no_way_to_say_nothing(text, merges):
    """Your function gives 0 for the empty text. The empty list decodes to it, and that is one way; the counting of
    every other text starts from it."""
    if not text:
        return 0
    data, pieces = text.encode("utf-8"), [piece for piece in token_table(merges).values() if piece]
    ways = [1]
    for end in range(1, len(data) + 1):
        ways.append(sum(ways[end - len(piece)] for piece in pieces if data[:end].endswith(piece)))
    return ways[-1]


@wrong("count_encodings", caught_by="paths_through_bytes")
def characters_stay_whole(text, merges):
    """You count ways through characters. A token may end inside a character: `é` is two bytes and, with a rule for
    both, has two encodings."""
    pieces = [piece for piece in token_table(merges).values() if piece]
    ways = {0: 1}
    data = text.encode("utf-8")
    ends = list(itertools.accumulate(len(letter.encode("utf-8")) for letter in text))
    for end in ends:
        ways[end] = sum(ways.get(end - len(piece), 0) for piece in pieces if data[:end].endswith(piece))
    return ways[len(data)]


@wrong("count_encodings", caught_by="all_short_texts", also=["equal_bytes_count_apart", "long_texts"])
def places_to_merge_doubled(text, merges):
    """You double the number for every place where a rule fits. Places that overlap exclude each other: `aaa` with the
    rule aa has 3 encodings, not 4."""
    data = text.encode("utf-8")
    pieces = [piece for piece in token_table(merges).values() if len(piece) > 1]
    places = sum(data.startswith(piece, start) for piece in pieces for start in range(len(data)))
    return 2**places


@wrong("count_encodings", caught_by="count_encodings_leaves_merges_alone")
def bytes_in_place_of_rules(text, merges):
    """Your function puts bytes in the place of the caller's rules: after the call no text can be encoded with them.
    Build a list of your own."""
    table = token_table(merges)
    for rank, (_, new_id) in enumerate(merges):
        merges[rank] = table[new_id]
    data, pieces = text.encode("utf-8"), [bytes([byte]) for byte in range(256)] + merges
    ways = [1]
    for end in range(1, len(data) + 1):
        ways.append(sum(ways[end - len(piece)] for piece in pieces if data[:end].endswith(piece)))
    return ways[-1]


# --- path_bits_per_byte, embedding_parameters, context_bytes ---------------------------------------------------------


@wrong("path_bits_per_byte", caught_by="of_ascii_text", also=["of_other_text"])
def end_for_free(log_probs, text):
    """You leave out the last value, that of EOS. A model that need not say where the text ends pays too little; the
    path includes EOS."""
    if not text:
        raise ValueError("text is empty")
    if not log_probs or not all(value <= 0 for value in log_probs):
        raise ValueError("log_probs")
    return -math.fsum(log_probs[:-1]) / math.log(2) / len(text.encode("utf-8"))


@wrong("path_bits_per_byte", caught_by="of_ascii_text", also=["of_other_text"])
def bits_per_token(log_probs, text):
    """You divide by the number of tokens. That number depends on the tokenizer, so two tokenizers could not be
    compared; divide by the text's bytes."""
    if not text:
        raise ValueError("text is empty")
    if not log_probs or not all(value <= 0 for value in log_probs):
        raise ValueError("log_probs")
    return -math.fsum(log_probs) / math.log(2) / len(log_probs)


@wrong("path_bits_per_byte", caught_by="of_other_text")
def bits_per_character(log_probs, text):
    """You divide by the number of characters. `é` is one character and two bytes: encode the text before you count."""
    if not text:
        raise ValueError("text is empty")
    if not log_probs or not all(value <= 0 for value in log_probs):
        raise ValueError("log_probs")
    return -math.fsum(log_probs) / math.log(2) / len(text)


@wrong("path_bits_per_byte", caught_by="of_ascii_text", also=["of_other_text"])
def nats_not_bits(log_probs, text):
    """Your number is in nats: natural logarithms give bits only after division by ln 2. One half is one bit."""
    if not text:
        raise ValueError("text is empty")
    if not log_probs or not all(value <= 0 for value in log_probs):
        raise ValueError("log_probs")
    return -math.fsum(log_probs) / len(text.encode("utf-8"))


@wrong("path_bits_per_byte", caught_by="of_ascii_text")
def multiplies_the_probabilities(log_probs, text):
    """You multiply the probabilities and take the logarithm at the end. A long path's product is too small for a float
    and becomes 0, its logarithm infinite: add the logarithms."""
    if not text:
        raise ValueError("text is empty")
    if not log_probs or not all(value <= 0 for value in log_probs):
        raise ValueError("log_probs must hold logarithms of probabilities")
    product = math.prod(map(math.exp, log_probs))
    return (-math.log2(product) if product else math.inf) / len(text.encode("utf-8"))


@wrong("path_bits_per_byte", caught_by="refuses_no_log_probs")
def no_list_is_no_cost(log_probs, text):
    """You take an empty list for a path that costs nothing. Each path has at least EOS: an empty list is a mistake of
    the caller's, and so is a value above 0 or NaN, which no comparison holds for."""
    if not text:
        raise ValueError("text is empty")
    if any(value > 0 for value in log_probs):
        raise ValueError("log_probs")
    return -math.fsum(log_probs) / math.log(2) / len(text.encode("utf-8"))


@wrong("path_bits_per_byte", caught_by="refuses_an_empty_text")
def nothing_costs_nothing(log_probs, text):
    """You give 0 for an empty text. There is no byte to divide by, and EOS has a cost even there: refuse it."""
    if not log_probs or not all(value <= 0 for value in log_probs):
        raise ValueError("log_probs")
    return -math.fsum(log_probs) / math.log(2) / len(text.encode("utf-8")) if text else 0.0


@wrong("path_bits_per_byte", caught_by="leaves_log_probs_alone")
def end_taken_from_the_list(log_probs, text):
    """Your function takes the value of EOS out of the caller's list with `pop`. `log_probs[-1]` looks at the last value
    and leaves it there; the sum needs neither."""
    if not text:
        raise ValueError("text is empty")
    if not log_probs or not all(value <= 0 for value in log_probs):
        raise ValueError("log_probs")
    end = log_probs.pop()
    return -(math.fsum(log_probs) + end) / math.log(2) / len(text.encode("utf-8"))


@wrong("embedding_parameters", caught_by="both_tables")
def input_table_only(vocab_size, d_model, tied):
    """You count the input table only. An untied model has an output head of the same size: each id costs two rows."""
    for name, value in (("vocab_size", vocab_size), ("d_model", d_model)):
        if type(value) is not int or value < 1:
            raise ValueError(name)
    return vocab_size * d_model


@wrong("embedding_parameters", caught_by="both_tables")
def tied_means_two(vocab_size, d_model, tied):
    """You have tied and untied the wrong way round: tied tables are one table, shared."""
    for name, value in (("vocab_size", vocab_size), ("d_model", d_model)):
        if type(value) is not int or value < 1:
            raise ValueError(name)
    return (2 if tied else 1) * vocab_size * d_model


@wrong("embedding_parameters", caught_by="refuses_vocab_size", also=["refuses_d_model"])
def true_is_a_size(vocab_size, d_model, tied):
    """Your function takes True for 1, since a bool is an int to `isinstance`. `type(value) is int` tells them apart."""
    for name, value in (("vocab_size", vocab_size), ("d_model", d_model)):
        if not isinstance(value, int) or value < 1:
            raise ValueError(name)
    return (1 if tied else 2) * vocab_size * d_model


@wrong("context_bytes", caught_by="every_window", also=["windows_over_text"])
def windows_side_by_side(text, merges, window):
    """Your windows lie side by side. One can start at every token: with sizes 2, 2, 1 a window of two starts at two
    places and covers 4, then 3 bytes."""
    if type(window) is not int or window < 1:
        raise ValueError("window")
    sizes = [len(token_table(merges)[one]) for one in encode(text, merges)[1:-1]]
    return [sum(sizes[start : start + window]) for start in range(0, len(sizes) - window + 1, window)]


@wrong("context_bytes", caught_by="every_window", also=["windows_over_text"])
def marks_take_places(text, merges, window):
    """Your windows hold BOS and EOS, which are no text: leave both out before you cut."""
    if type(window) is not int or window < 1:
        raise ValueError("window")
    sizes = [len(token_table(merges)[one]) for one in encode(text, merges)]
    return [sum(sizes[start : start + window]) for start in range(len(sizes) - window + 1)]


@wrong("context_bytes", caught_by="every_window", also=["windows_over_text"])
def short_windows_at_the_end(text, merges, window):
    """Your last windows run out of tokens and cover less. Only full windows count: there are as many as tokens, less
    the window, plus one, or none."""
    if type(window) is not int or window < 1:
        raise ValueError("window")
    sizes = [len(token_table(merges)[one]) for one in encode(text, merges)[1:-1]]
    return [sum(sizes[start : start + window]) for start in range(len(sizes))]


@wrong("context_bytes", caught_by="every_window", also=["windows_over_text"])
def characters_in_the_window(text, merges, window):
    """You count the characters of each token. A token may hold a part of one only: asked for are bytes, of which é has
    two, in one token or in two."""
    if type(window) is not int or window < 1:
        raise ValueError("window")
    table = token_table(merges)
    sizes = [len(table[one].decode("utf-8", errors="replace")) for one in encode(text, merges)[1:-1]]
    return [sum(sizes[start : start + window]) for start in range(len(sizes) - window + 1)]


@wrong("context_bytes", caught_by="refuses_windows")
def true_is_a_window(text, merges, window):
    """Your function takes True for a window of 1, since a bool is an int to `isinstance`; `type(window) is int` tells
    them apart."""
    if not isinstance(window, int) or window < 1:
        raise ValueError("window")
    sizes = [len(token_table(merges)[one]) for one in encode(text, merges)[1:-1]]
    return [sum(sizes[start : start + window]) for start in range(len(sizes) - window + 1)]


@wrong("context_bytes", caught_by="context_bytes_leaves_merges_alone")
def window_uses_up_the_rules(text, merges, window):
    """Your function takes the rules out of the caller's list, so that the next text is cut into bytes. Go through the
    list with `for`, or call `encode`."""
    if type(window) is not int or window < 1:
        raise ValueError("window")
    table, ids = token_table(merges), list(text.encode("utf-8"))
    while merges:
        pair, new_id = merges.pop(0)
        ids = merge_pair(ids, pair, new_id)
    sizes = [len(table[one]) for one in ids]
    return [sum(sizes[start : start + window]) for start in range(len(sizes) - window + 1)]


# --- figures -------------------------------------------------------------------------------------------------------


@wrong("plot_held_out_ratio", caught_by="ratio_arguments_stay")
def deletes_the_test_split(splits, steps):
    """Your function deletes the split that it does not draw from the caller's dictionary; whoever wants to test finds
    no texts. Read the two splits that you need, and leave the third alone."""
    import pandas as pd
    from matplotlib.figure import Figure

    del splits["test"]
    merges = fit_merges(splits["train"], max(steps))
    frame = pd.DataFrame({"rules": [min(step, len(merges)) for step in steps]})
    figure = Figure()
    axes = figure.subplots()
    for name, texts in splits.items():
        size = sum(len(text.encode("utf-8")) for text in texts)
        tokens = [sum(len(encode(text, merges[:n])) - 2 for text in texts) for n in frame["rules"]]
        frame[name] = [size / number for number in tokens]
        axes.plot(frame["rules"], frame[name], label=name)
    axes.set(title="Ratio", xlabel="rules", ylabel="bytes per token")
    axes.legend()
    return frame, figure


@wrong("plot_context_bytes", caught_by="window_arguments_stay")
def counts_in_place_of_rules(text, rule_lists, window):
    """Your function writes its counts over the rules in the caller's dictionary. The next call needs the rules: keep
    the counts in a dictionary of your own."""
    from collections import Counter

    import pandas as pd
    from matplotlib.figure import Figure

    figure = Figure()
    axes = figure.subplots()
    for name, merges in rule_lists.items():
        table = token_table(merges)
        sizes = [len(table[one]) for one in encode(text, merges)[1:-1]]
        windows = [sum(sizes[start : start + window]) for start in range(len(sizes) - window + 1)]
        rule_lists[name] = sorted(Counter(windows).items())
        axes.plot(*zip(*rule_lists[name], strict=True), label=name)
    axes.set(title="Windows", xlabel="bytes in the window", ylabel="number of windows")
    axes.legend()
    rows = [(name, size, number) for name, found in rule_lists.items() for size, number in found]
    return pd.DataFrame(rows, columns=["tokenizer", "bytes", "windows"]), figure
