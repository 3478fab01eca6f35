"""Chapter 4: a reversible byte tokenizer, saved and proved (rule set R1)."""

import dataclasses
import json
import math
import random
from collections.abc import Callable, Iterable, Sequence

from autograder.checks.api import (
    Counterexample,
    Failed,
    agree,
    at_work,
    check,
    fail,
    refuses,
    run_trusted,
    same,
    unchanged,
)
from autograder.checks.ch04_inputs import (
    file_of,
    flipped_bits,
    learnt,
    random_log_probs,
    random_text,
    rule_lists,
    saved,
    small_cases,
    small_ids,
    small_paths,
    splits_of,
    texts,
)
from autograder.checks.figures import answer, arguments_stay, close, labelled, plots
from autograder.checks.outcomes import Outcome, Returned
from autograder.checks.session import Session, StudentFunction
from autograder.checks.show import show, show_outcome, show_pair
from autograder.reference import byte_bpe, saved_bpe
from autograder.reference.byte_bpe import BOS, EOS
from autograder.sandbox.inside import wire

AB_AC = [((97, 98), 258), ((97, 99), 259)]
AB_ABC = [((97, 98), 258), ((258, 99), 259)]
TWICE_AAA = [((97, 97), 258), ((258, 97), 259), ((97, 258), 260)]  # 259 and 260 have the same bytes
AB_TWICE = [((97, 98), 258), ((97, 98), 259)]  # the second rule finds nothing, but is one
AS_JSON = [[[97, 98], 258], [[97, 99], 259]]  # AB_AC with lists for tuples, as a file gives it
HALVES = [((0xC3, 0xA9), 258), ((0xE6, 0xBC), 259), ((0xF0, 0x9F), 260), ((0x98, 0x80), 261)]  # of é, 漢 and 😀


# --- token_table ---------------------------------------------------------------------------------------------------


def without_marks(table: object) -> object:
    """The entries but for BOS and EOS, which have a check of their own."""
    return {k: v for k, v in table.items() if k not in (BOS, EOS)} if isinstance(table, dict) else table


@check("test_token_table", points=0.5)
def bytes_of_every_id(token_table):
    """The 256 bytes stand for themselves, and a rule for the bytes of its left part followed by those of its right."""
    lists = [*rule_lists(2), AB_TWICE, TWICE_AAA]
    agree(token_table, byte_bpe.token_table, [(rules,) for rules in lists], normal=without_marks)


@check("test_token_table", points=0.5, secret=True)
def rules_upon_rules(token_table, seeded):
    """Rules that build on rules that build on rules have all their bytes."""
    agree(token_table, byte_bpe.token_table, [(learnt(seeded),) for _ in range(5)], normal=without_marks)


@check("test_token_table", points=0.5)
def marks_have_no_bytes(token_table):
    """BOS and EOS are in the table, with no bytes."""

    def marks(table: object) -> object:
        return {k: v for k, v in table.items() if k in (BOS, EOS)} if isinstance(table, dict) else table

    agree(token_table, byte_bpe.token_table, [([],), (AB_AC,)], normal=marks)


@check("test_token_table", points=0.5)
def refuses_itself_and_later_rules(token_table):
    """A rule that refers to itself or to a later rule raises ValueError."""
    later = [((259, 97), 258), ((97, 98), 259)]
    refuses(token_table, (AB_AC,),
            [([((258, 97), 258)],), ([((97, 258), 258)],), (later,), ([*AB_AC, ((97, 300), 260)],)])


@check("test_token_table", points=0.5)
def refuses_marks_in_rules(token_table):
    """A rule that refers to BOS or EOS raises ValueError."""
    refuses(token_table, (AB_AC,), [([(pair, 258)],) for mark in (BOS, EOS) for pair in ((mark, 97), (97, mark))])


@check("test_token_table", points=0.5)
def refuses_wrong_numbers(token_table):
    """A rule whose id is not 258 plus its rank raises ValueError."""
    swapped = [((97, 99), 259), ((97, 98), 258)]
    again = [((97, 98), 258), ((97, 99), 258)]
    wrong = [[((97, 98), one)] for one in (259, 257, 256, 97, 0, "258")]
    refuses(token_table, (AB_AC,), [(rules,) for rules in (*wrong, swapped, again, AB_AC[1:])])


@check("test_token_table", points=0.5)
def refuses_what_is_no_id(token_table):
    """A part or a number that is no id at all, such as -1, True or 97.0, raises ValueError that names merges."""
    parts = [-1, True, 97.0, "a", None]
    calls = [([(pair, 258)],) for one in parts for pair in ((one, 98), (98, one))]
    refuses(token_table, (AB_AC,), [*calls, ([((97, 98), 258.0)],)], naming="merges")


@check("test_token_table", points=0.5)
def leaves_merges_alone(token_table):
    """The list of rules stays as it was."""
    unchanged(token_table, [(rules,) for rules in ([], AB_AC, AB_ABC, TWICE_AAA, AS_JSON)], byte_bpe.token_table)


# --- encode --------------------------------------------------------------------------------------------------------


def inner(ids: object) -> object:
    """The ids without BOS in front and EOS behind: a missing mark costs its own check only."""
    if type(ids) is list:
        ids = ids[1:] if same(ids[:1], [BOS]) else ids
        ids = ids[:-1] if same(ids[-1:], [EOS]) else ids
    return ids


@check("test_encode", points=1)
def one_rule(encode):
    """With one rule, its pair is replaced from left to right, each id used once, across spaces and line ends too."""
    spaced = [[((left, right), 258)] for left, right in ((97, 32), (32, 97), (97, 10), (10, 97), (10, 10))]
    cases = [*small_cases(rule_lists(1), 6), *((t, rules) for rules in spaced for t in texts(3, "a \n"))]
    agree(encode, byte_bpe.encode, cases, normal=inner)


@check("test_encode", points=1)
def rules_in_order(encode):
    """Rules are applied in the order of their creation; a later one finds what the earlier ones made."""
    three = [[*AB_ABC, ((98, 99), 260)], [((98, 99), 258), ((97, 98), 259), ((97, 258), 260)]]
    cases = small_cases([rules for rules in rule_lists(2) if len(rules) == 2], 4)
    agree(encode, byte_bpe.encode, [*cases, *((t, rules) for rules in three for t in texts(4, "abc"))], normal=inner)


@check("test_encode", points=0.5)
def begins_and_ends(encode):
    """BOS comes first and EOS last, also for the empty text."""
    agree(encode, byte_bpe.encode, [("", []), ("", AB_AC), ("a", []), ("abac", AB_AC)])


@check("test_encode", points=0.5)
def bytes_not_code_points(encode):
    """Characters beyond ASCII are several bytes, and rules may cut them anywhere."""
    cases = [(t, rules) for rules in ([], HALVES) for t in ("é", "漢", "😀", "aé漢😀", "naïve", "\u0301", "\r\n")]
    agree(encode, byte_bpe.encode, cases, normal=inner)


@check("test_encode", points=0.5)
def refuses_lone_surrogates(encode):
    """A lone surrogate has no UTF-8 and raises UnicodeEncodeError; nothing is replaced or left out."""
    refuses(encode, ("a", []), [("\ud800", []), ("a\udfffb", AB_AC)], error="UnicodeEncodeError")


@check("test_encode", points=0.5, secret=True)
def learnt_rules(encode, seeded):
    """Rules learnt from text, on other text."""
    cases = [(random_text(seeded, 12), learnt(seeded)) for _ in range(12)]
    agree(encode, byte_bpe.encode, cases, normal=inner)


@check("test_encode", points=0.5)
def encode_leaves_merges_alone(encode):
    """The list of rules stays as it was."""
    calls = [("abac", AB_AC), ("abcabc", AB_ABC), ("aaaa", TWICE_AAA), ("abac", AS_JSON)]
    unchanged(encode, calls, byte_bpe.encode)


# --- decode --------------------------------------------------------------------------------------------------------


@check("test_decode", points=1)
def every_short_list(decode):
    """The bytes of all ids in their order, whether `encode` would have chosen these ids or not."""
    agree(decode, byte_bpe.decode, small_paths())


@check("test_decode", points=0.5)
def joins_before_decoding(decode):
    """All bytes are joined before they are decoded: a token may hold a part of a character only."""
    cases = [(list(t.encode()), []) for t in ("é", "漢", "😀", "aé", "漢字", "\ufeffa", " a\n")]
    cases += [([259, 0xA2], HALVES), ([260, 261], HALVES), ([BOS, 97, 260, 0x98, 0x80, EOS], HALVES)]
    agree(decode, byte_bpe.decode, [([BOS, *ids, EOS] if BOS not in ids else ids, rules) for ids, rules in cases])


@check("test_decode", points=0.5)
def marks_anywhere(decode):
    """BOS and EOS add nothing wherever they stand, and need not be there."""
    cases = [([], []), ([97], []), ([97, 98, 97], []), ([BOS], []), ([97, BOS, 98], []), ([EOS, EOS, 258], AB_AC)]
    agree(decode, byte_bpe.decode, [*cases, ([BOS, 258, EOS, BOS, 259, EOS], AB_AC)])


@check("test_decode", points=0.5)
def unknown_ids(decode):
    """An id that the vocabulary does not hold raises ValueError that names ids."""
    refuses(decode, ([BOS, 97, EOS], []), [([BOS, one, EOS], rules) for one, rules in
                     ((258, []), (-1, []), (260, AB_AC), (-3, AB_AC), (10**9, AB_AC))], naming="ids")


@check("test_decode", points=0.5)
def broken_utf8(decode):
    """Bytes that are no UTF-8 raise UnicodeDecodeError; nothing is replaced or left out."""
    refuses(decode, ([BOS, 97, EOS], []),
            [([BOS, 0x80, EOS], []), ([BOS, 0xC3, EOS], []), ([BOS, 259, 97, EOS], HALVES),
             ([BOS, 97, 260, EOS], HALVES)], error="UnicodeDecodeError")


@check("test_decode", points=0.5)
def decode_leaves_its_lists(decode):
    """The list of ids and the list of rules stay as they were."""
    lists = [([BOS, 258, 98, EOS], AB_AC), ([BOS, 99, 259, EOS], AB_ABC), ([BOS, 258, 259, EOS], AS_JSON)]
    unchanged(decode, lists, byte_bpe.decode)


# --- fragment_label ------------------------------------------------------------------------------------------------


def pieces(items: Iterable[bytes]) -> list[tuple[bytes]]:
    return [(item,) for item in items]


@check("test_fragment_label", points=0.5)
def whole_text(fragment_label):
    """Whole UTF-8 is shown as `repr` of its text."""
    words = ["", "a", "the ", "\n", "é", "漢字", "😀", "'", '"', "\\", "e4", "0xe4", "\u0301", "\u200b"]
    agree(fragment_label, byte_bpe.fragment_label, pieces(word.encode() for word in words))


@check("test_fragment_label", points=0.5)
def parts_of_characters(fragment_label):
    """Bytes that are not whole UTF-8 are shown in hexadecimal, two digits each, after 0x."""
    cut = [part for c in ("é", "漢", "😀", "a漢") for i in range(1, len(c.encode()))
           for part in (c.encode()[:i], c.encode()[i:])]
    broken = [piece for piece in cut if byte_bpe.fragment_label(piece).startswith("0x")]
    broken += [b"\xff", b"a\x80", b"\xc3\n", b"\xc0\x80", b"\n\xc3", b"\0\xff", b"\xed\xa0\x80"]
    agree(fragment_label, byte_bpe.fragment_label, pieces(sorted(broken, key=len)))


@check("test_fragment_label", points=0.5)
def a_real_replacement_character(fragment_label):
    """A piece that truly holds U+FFFD is text like any other."""
    agree(fragment_label, byte_bpe.fragment_label, pieces(t.encode() for t in ("\ufffd", "a\ufffd", "\ufffd\ufffd")))


@check("test_fragment_label", points=0.5, secret=True)
def no_two_alike(fragment_label, seeded):
    """Different pieces have different labels: all single bytes, and many pairs and threes."""
    several = [seeded.randbytes(size) for size in (2, 3) for _ in range(400)]
    agree(fragment_label, byte_bpe.fragment_label, pieces([*(bytes([b]) for b in range(256)), *several]))


# --- digest --------------------------------------------------------------------------------------------------------

ASCENDING = [[], [((97, 97), 258)], [((97, 98), 258)], AB_AC, [((97, 98), 258), ((98, 258), 259)], AB_TWICE,
             [*AB_TWICE, ((98, 98), 260)]]


@check("test_digest", points=0.5)
def small_rules(digest):
    """SHA-256 over the serialisation exactly as given, in lower-case hexadecimal."""
    agree(digest, byte_bpe.digest, [(rules,) for rules in ASCENDING])


@check("test_digest", points=0.5)
def order_counts(digest):
    """The order of the rules is part of what is hashed: two rules swapped give another digest."""
    swapped = [[((97, 99), 258), ((97, 98), 259)], AB_AC[::-1], [((98, 98), 258), ((97, 97), 259)]]
    agree(digest, byte_bpe.digest, [(rules,) for rules in swapped])


@check("test_digest", points=0.5)
def lists_like_tuples(digest):
    """Rules and pairs that are lists, as JSON gives them, have the digest of the same rules as tuples."""
    agree(digest, byte_bpe.digest, [([[list(pair), new_id] for pair, new_id in rules],) for rules in (AB_AC, AB_ABC)])


@check("test_digest", points=0.5, secret=True)
def longer_rules(digest, seeded):
    """Longer lists, learnt from text."""
    agree(digest, byte_bpe.digest, [(learnt(seeded),) for _ in range(5)])


@check("test_digest", points=0.5)
def digest_leaves_merges_alone(digest):
    """The list of rules stays as it was, whether they are tuples or lists."""
    unchanged(digest, [(rules,) for rules in (AB_AC, AB_ABC, AB_AC[::-1], AS_JSON)], byte_bpe.digest)


# --- save_tokenizer and load_tokenizer -----------------------------------------------------------------------------

OLD = json.dumps(saved(AB_ABC)).encode()
BAD = [
    [((97, 258), 258)],
    [((97, 98), 258), ((97, frozenset({1})), 259)],
    [((97, 98), 258), ((97, b"c"), 259)],
]


def save_all(student: StudentFunction, cases: Sequence[tuple]) -> list[tuple[tuple, Outcome, list]]:
    """Each case with its outcome and what its arguments hold afterwards; ours goes into the transcript too."""
    done = []
    for args, got in zip(cases, student.outcomes(cases, options={"arguments": True}), strict=True):
        right = run_trusted(saved_bpe.save_tokenizer, args, arguments=True)
        if isinstance(right, Returned):
            right = dataclasses.replace(right, value=None)
        student.note(args, {"\0arguments": True}, right, got)
        after = getattr(got, "arguments", None)
        if not (isinstance(after, list) and len(after) == len(args) and isinstance(after[0], wire.File)):
            fail(call=student.text(args), expected="a saved file", got=show_outcome(got))
        done.append((args, got, after))
    return done


NEW = wire.File("rules.json")


def new_and_old(rules: Iterable) -> list[tuple]:
    return [(file, one) for one in rules for file in (NEW, wire.File("rules.json", OLD))]


AS_PATH = wire.File("rules.json", as_path=True)


@check("test_save_tokenizer", points=1)
def what_the_file_holds(save_tokenizer):
    """The file holds one JSON object with version, merges and digest as the docstring says; a Path will do, too."""
    cases = [*new_and_old([AB_AC, [], AB_ABC]), (AS_PATH, AB_AC), (AS_PATH, [])]
    for args, got, (file, *_) in save_all(save_tokenizer, cases):
        call, wanted = save_tokenizer.text(args), json.loads(json.dumps(saved(args[1])))
        if not isinstance(got, Returned) or file.content is None:
            fail(call=call, expected="a file with the rules", got=show_outcome(got))
        try:
            held = json.loads(file.content.decode("utf-8"))
        except (ValueError, RecursionError):
            fail("The file is no JSON in UTF-8.", call=call, expected=wanted, got=file.content)
        if not same(wanted, held):
            fail("The file's content is not what the docstring says.", call=call, expected=wanted, got=held)


@check("test_save_tokenizer", points=1)
def bad_rules_leave_the_file(save_tokenizer):
    """Rules that `token_table` refuses raise ValueError, and the file is what it was before: the old one, or none."""
    save_tokenizer(NEW, AB_AC)
    for args, got, (file, *_) in save_all(save_tokenizer, new_and_old(BAD)):
        if file.content != args[0].content:
            fail("The save failed, and the file is not what it was.", call=save_tokenizer.text(args),
                 expected=f"a file holding {args[0].content!r}", got=f"a file holding {file.content!r}")
        if "ValueError" not in getattr(got, "names", ()):
            fail(call=save_tokenizer.text(args), expected="ValueError", got=show_outcome(got))


@check("test_save_tokenizer", points=0.5)
def put_in_place_at_once(save_tokenizer):
    """The new file takes the old one's place in one step; the old one is not written into, nor removed before."""
    for args, got, (file, *_) in save_all(save_tokenizer, [(wire.File("rules.json", OLD), r) for r in (AB_AC, [])]):
        if file.removed:
            fail("The old file was taken away first: a crash just then leaves neither the old nor the new rules.",
                 call=save_tokenizer.text(args), expected="another file in its place", got="for a while, none")
        if not (isinstance(got, Returned) and file.replaced):
            fail("The old file itself was written to: a crash halfway leaves neither the old nor the new rules.",
                 call=save_tokenizer.text(args), expected="another file in its place", got="the old file, changed")


@check("test_save_tokenizer", points=0.5)
def nothing_left_beside(save_tokenizer):
    """No other file is left in the folder, whether the save succeeds or fails."""
    written = False
    for args, _, (file, *_) in save_all(save_tokenizer, new_and_old([AB_AC, *BAD])):
        written |= file.content is not None and args[0] is NEW
        if file.beside:
            fail(call=save_tokenizer.text(args), expected="no other new file", got=f"left: {', '.join(file.beside)}")
    if not written:
        fail("Nothing was saved, so that leaving nothing else is no merit.")


@check("test_save_tokenizer", points=0.5)
def save_leaves_merges_alone(save_tokenizer):
    """The list of rules stays as it was, whether it is saved or refused."""
    cases, written = [(NEW, rules) for rules in (AB_AC, AB_ABC, AS_JSON, BAD[0])], False
    for args, _, (file, *rules) in save_all(save_tokenizer, cases):
        written |= file.content is not None
        if not same(rules, [args[1]]):
            fail("The call changed the list of rules; build a new one instead.", call=save_tokenizer.text(args),
                 expected=f"rules stay {show(args[1])}", got=show(rules[0]))
    if not written:
        fail("Nothing was saved, so that leaving the rules alone is no merit.")


@check("test_load_tokenizer", points=0.5)
def good_files(load_tokenizer):
    """A good file gives the rules just as `fit_merges` does, whatever its white space and order of keys."""
    cases = [(file_of(saved(rules), **style),) for rules in ([], AB_AC, AB_ABC, TWICE_AAA)
             for style in ({}, {"indent": 2}, {"sort_keys": True}, {"separators": (",", ":")})]
    cases += [(dataclasses.replace(file_of(saved(AB_AC)), as_path=True),)]
    agree(load_tokenizer, saved_bpe.load_tokenizer, cases)


@check("test_load_tokenizer", points=0.5)
def unknown_version(load_tokenizer):
    """Any version but the number 1 raises ValueError that says so, however right or wrong the rest is."""
    cases = [(file_of(saved(AB_AC, version=one)),) for one in (2, 0, "1", True, 1.0, None)]
    cases += [(file_of(saved(rules, version=2, digest="")),) for rules in (AB_AC, [((97, 258), 258)])]
    refuses(load_tokenizer, (file_of(saved(AB_AC)),), cases, naming="version")


@check("test_load_tokenizer", points=0.5)
def impossible_rules(load_tokenizer):
    """Rules that `token_table` refuses raise ValueError that names merges, even where the digest is theirs."""
    lists = [[((97, 258), 258)], [((256, 97), 258)], AB_AC[::-1], [((97, 98), 97)], [((97.0, 98), 258)]]
    cases = [(file_of(saved(rules)),) for rules in lists]
    cases += [(file_of(saved([((1, 98), 258)]) | {"merges": [[[True, 98], 258]]}),)]
    cases += [(file_of(saved([]) | {"merges": wrong}),) for wrong in (None, 3, [3], [[97, 98]], [[[97], 258]])]
    refuses(load_tokenizer, (file_of(saved(AB_AC)),), cases, naming="merges")


@check("test_load_tokenizer", points=0.5)
def another_digest(load_tokenizer):
    """A digest that is not that of the rules raises ValueError that says so: rules swapped, added or left out."""
    right = byte_bpe.digest(AB_AC)
    lists = [AB_AC[:1], [], AB_ABC, [((97, 99), 258), ((97, 98), 259)], [*AB_AC, ((98, 98), 260)]]
    cases = [(file_of(saved(rules, digest=right)),) for rules in lists]
    cases += [(file_of(saved(AB_AC, digest=wrong)),) for wrong in (right[:-1], right[::-1], "", None, 0)]
    refuses(load_tokenizer, (file_of(saved(AB_AC)),), cases, naming="digest")


@check("test_load_tokenizer", points=0.5)
def no_tokenizer_at_all(load_tokenizer):
    """A file that is no JSON object, or lacks one of the three keys, raises ValueError."""
    contents = [b"", b"{", b"[]", b"null", b"3", b'"version merges digest"', b"\xff\xfe", OLD[:-1], OLD[:50]]
    cases = [(wire.File("rules.json", content),) for content in contents]
    cases += [(file_of(saved(AB_AC, **{key: ...})),) for key in ("version", "merges", "digest")]
    refuses(load_tokenizer, (file_of(saved(AB_AC)),), cases)


@check("test_load_tokenizer", points=1)
def every_bit_counts(load_tokenizer):
    """A saved file is refused with ValueError after any change of a single bit that alters what it says."""
    refuses(load_tokenizer, (file_of(saved(AB_AC)),),
            [(wire.File("rules.json", content),) for content in flipped_bits(OLD)])


@check("test_load_tokenizer", points=0.5)
def load_leaves_the_file(load_tokenizer):
    """Reading leaves the file as it was, byte for byte, and puts no other beside it."""
    unchanged(load_tokenizer, [(file_of(saved(rules), indent=2),) for rules in (AB_AC, AB_ABC, [])],
              saved_bpe.load_tokenizer)


# --- fit_splits and duplicate_example ------------------------------------------------------------------------------


def only(*keys: str) -> Callable[[object], object]:
    """Of the answer, these keys."""

    def pick(answer: object) -> object:
        return {key: answer[key] for key in keys if key in answer} if isinstance(answer, dict) else answer

    return pick


def agree_afresh(session: Session, student: StudentFunction, inputs: Iterable[tuple], normal: Callable) -> None:
    """`agree`, each call in a copy of its own: what a call leaves behind is another check's business."""
    failed: Failed | None = None
    for args in inputs:
        session.close()
        try:
            agree(student, byte_bpe.fit_splits, [args], normal=normal)
        except Failed as error:
            failed = failed or error
    if failed is not None:
        raise failed


SMALL_SPLITS = [
    ({"train": ["abab"], "validation": ["x"], "test": ["y"]}, 1),
    ({"train": ["abab"], "validation": ["xyxyxy"], "test": ["y"]}, 1),
    ({"train": ["abab"], "validation": ["x"], "test": ["xyxyxy"]}, 1),
    ({"train": ["ab"], "validation": ["ab "], "test": ["ab\n"]}, 3),
    ({"train": ["ab"], "validation": ["AB"], "test": ["a"]}, 3),
    ({"test": ["acac", "ac"], "train": ["abab", "acac!"], "validation": ["acacac"]}, 32),
]


@check("test_fit_splits", points=1)
def learns_from_train_only(fit_splits, session):
    """Rules and digest depend on train alone: other texts in validation and test leave them as they are."""
    agree_afresh(session, fit_splits, SMALL_SPLITS, only("merges", "digest"))


@check("test_fit_splits", points=0.5)
def encodes_every_split(fit_splits, session):
    """All three splits are encoded with the rules learnt, each text by itself and in its place."""
    cases = [({"train": ["abab"], "validation": ["ab", "ba", ""], "test": ["é"]}, 1), SMALL_SPLITS[0]]
    agree_afresh(session, fit_splits, cases, only("encoded"))


@check("test_fit_splits", points=0.5, secret=True)
def keeps_nothing(fit_splits, encode, seeded):
    """One call leaves nothing behind for the next: the same splits give the same answer after any other calls."""
    one, other = splits_of(seeded), splits_of(seeded)
    moved = {**one, "validation": other["test"], "test": other["validation"]}
    agree(fit_splits, byte_bpe.fit_splits, [(one, 9), (other, 9), (one, 9), (moved, 9), (one, 4), (one, 9)])
    encode.outcomes([(random_text(seeded, 9) * 20, AB_AC)] * 5)
    agree(fit_splits, byte_bpe.fit_splits, [(one, 9)])


@check("test_fit_splits", points=0.5)
def refuses_a_text_in_two_splits(fit_splits):
    """A text that stands in two splits raises ValueError that names splits."""
    base = {"train": ["abab", "c"], "validation": ["d", "e"], "test": ["f", "g"]}
    shared = [{"validation": ["abab"]}, {"test": ["f", "c"]}, {"validation": ["d", "g"]}, {"test": ["d"]}]
    shared += [{"train": ["abab", ""], "test": [""]}]
    refuses(fit_splits, (base, 3), [({**base, **change}, 3) for change in shared], naming="splits")


@check("test_fit_splits", points=0.5)
def repeats_inside_train_count(fit_splits, session):
    """A text repeated inside one split is allowed, and in train it counts as often as it stands there."""
    cases = [
        ({"train": ["ab", "ab"], "validation": ["x"], "test": ["y"]}, 3),
        ({"train": ["abab", "xyxy", "xyxy"], "validation": ["b", "b"], "test": ["y", "y"]}, 1),
    ]
    agree_afresh(session, fit_splits, cases, only("merges"))


@check("test_fit_splits", points=0.5)
def refuses_other_keys(fit_splits):
    """Splits without exactly the keys train, validation and test raise ValueError that names splits."""
    whole = {"train": ["abab"], "validation": ["x"], "test": ["y"]}
    lacking = [{k: v for k, v in whole.items() if k != key} for key in whole]
    refuses(fit_splits, (whole, 3), [(one, 3) for one in [*lacking, {}, {**whole, "extra": ["z"]}]], naming="splits")


@check("test_fit_splits", points=0.5)
def leaves_splits_alone(fit_splits):
    """The splits stay as they were."""
    splits = {"train": ["abab", "ab", "abab"], "validation": ["b", "a"], "test": []}
    unchanged(fit_splits, [(splits, 3), ({**splits, "train": ["xx", "abab", "ab"]}, 1)], byte_bpe.fit_splits)


@check("test_duplicate_example", points=1)
def duplicates_decide(session):
    """With its repeats and without them, the documents teach one first rule each, and not the same one."""
    value = session.value("duplicate_example")
    function = session.function("duplicate_example")
    good = Returned(["abab", "xyxy", "xyxy"])
    message = judge_duplicates(value)
    function.note((), {}, good if message else Returned(value), Returned(value))
    if message:
        fail(message)


def judge_duplicates(value: object) -> str:
    """What is wrong with the example; nothing if it is right."""
    if type(value) is not list or not all(type(text) is str for text in value):
        return "It must be a list of texts."
    if sum(map(len, value)) > 10_000:
        return "A few short texts are enough."
    try:
        with_repeats, without = (byte_bpe.fit_merges(texts, 1) for texts in (value, list(dict.fromkeys(value))))
    except UnicodeEncodeError:
        return "One of the texts has no UTF-8."
    if with_repeats == without:
        return f"Both teach the same: {with_repeats}."
    return "" if without else "Without the repeats nothing is learnt at all: both lists must teach a rule."


# --- is_canonical and count_encodings ------------------------------------------------------------------------------


@check("test_is_canonical", points=1)
def all_short_paths(is_canonical):
    """True for just those ids that `encode` gives for their text."""
    longer = [([BOS, *ids, EOS], AB_ABC) for ids in small_ids(AB_ABC, 3)]
    agree(is_canonical, byte_bpe.is_canonical, [*small_paths(), *longer])


@check("test_is_canonical", points=0.5)
def marks_where_they_belong(is_canonical):
    """BOS once in front and EOS once behind belong to it."""
    cases = [(ids, rules) for rules in ([], [((97, 98), 258)]) for ids in small_ids(rules, 4, marks=True)]
    agree(is_canonical, byte_bpe.is_canonical, [case for case in cases if case[0][:1] != [BOS] or case[0][-1:] != [EOS]
                                                or {BOS, EOS} & set(case[0][1:-1])])
    at_work(is_canonical, [([BOS, 258, EOS], AB_AC), ([BOS, 97, 98, EOS], AB_AC)], byte_bpe.is_canonical)


@check("test_is_canonical", points=0.5)
def false_not_an_error(is_canonical):
    """Ids that decode to nothing, unknown ones or broken UTF-8, are not canonical: False, and no error."""
    cases = [([BOS, one, EOS], AB_AC) for one in (260, -1, 0x80, 0xC3)] + [([BOS, 97, 260, EOS], HALVES)]
    agree(is_canonical, byte_bpe.is_canonical, cases)
    at_work(is_canonical, [([BOS, 97, EOS], AB_AC), cases[0]], byte_bpe.is_canonical)


@check("test_is_canonical", points=0.5)
def is_canonical_leaves_its_lists(is_canonical):
    """The list of ids and the list of rules stay as they were."""
    lists = [([BOS, 258, 259, EOS], AB_AC), ([BOS, 98, 97, EOS], AB_ABC), ([BOS, 260, EOS], AS_JSON)]
    unchanged(is_canonical, lists, byte_bpe.is_canonical)


@check("test_count_encodings", points=0.5)
def all_short_texts(count_encodings):
    """Every sequence of ids that decodes to the text counts once; the empty text has one."""
    agree(count_encodings, byte_bpe.count_encodings, small_cases(rule_lists(2), 4), seconds=3.0)


@check("test_count_encodings", points=0.5)
def equal_bytes_count_apart(count_encodings):
    """Two ids with the same bytes make two sequences."""
    agree(count_encodings, byte_bpe.count_encodings, [(t, TWICE_AAA) for t in ("aaa", "aaaa", "baaab")])


@check("test_count_encodings", points=0.5)
def paths_through_bytes(count_encodings):
    """A character of several bytes may be cut inside."""
    agree(count_encodings, byte_bpe.count_encodings, [(t, r) for r in ([], HALVES) for t in ("é", "漢", "😀", "é😀é")])


@check("test_count_encodings", points=1)
def long_texts(count_encodings):
    """The number is exact for texts of some hundred bytes, where it has dozens of digits."""
    long = [("ab" * 20, AB_ABC), ("a" * 60, TWICE_AAA), ("abc" * 60, AB_ABC), ("a" * 300, TWICE_AAA)]
    agree(count_encodings, byte_bpe.count_encodings, long, seconds=3.0)


@check("test_count_encodings", points=0.5)
def count_encodings_leaves_merges_alone(count_encodings):
    """The list of rules stays as it was."""
    calls = [("abac", AB_AC), ("aaaa", TWICE_AAA), ("abac", AS_JSON)]
    unchanged(count_encodings, calls, byte_bpe.count_encodings)


# --- path_bits_per_byte, embedding_parameters, context_bytes ---------------------------------------------------------


def agree_closely(student: StudentFunction, expected: Callable, calls: Sequence[tuple]) -> None:
    """`agree` for floats: nine digits are enough, whichever way they were added up."""
    failed: Failed | None = None
    for args, got in zip(calls, student.outcomes(calls), strict=True):
        right = run_trusted(expected, args)
        assert isinstance(right, Returned)
        near = isinstance(got, Returned) and type(got.value) is float and math.isclose(got.value, right.value)
        student.note(args, {}, got if near else right, got)
        if not near and failed is None:
            failed = Failed("", Counterexample(student.text(args), *show_pair(right, got)))
    if failed is not None:
        raise failed


@check("test_path_bits_per_byte", points=0.5)
def of_ascii_text(path_bits_per_byte):
    """The bits of all log probabilities, that of EOS too, divided by the number of bytes."""
    half, eighth = math.log(1 / 2), math.log(1 / 8)
    cases = [([half, half], "a"), ([half, eighth], "ab"), ([eighth, half, half], "abcd"), ([0.0, 0.0], "a")]
    cases += [([half, -math.inf], "ab")]
    cases += [([one] * 2_000, "a" * 500) for one in (half, eighth)]  # the probability itself is 0 as a float
    rng = random.Random(4)
    cases += [(random_log_probs(rng, size), "a" * (2 * size)) for size in range(1, 20)]
    agree_closely(path_bits_per_byte, byte_bpe.path_bits_per_byte, cases)


@check("test_path_bits_per_byte", points=0.5, secret=True)
def of_other_text(path_bits_per_byte, seeded):
    """Characters of several bytes count with all their bytes."""
    cases = [(random_log_probs(seeded, 3), text) for text in ("é", "漢字", "a😀", "naïve", "ราชา")]
    agree_closely(path_bits_per_byte, byte_bpe.path_bits_per_byte, cases)


@check("test_path_bits_per_byte", points=0.5)
def refuses_an_empty_text(path_bits_per_byte):
    """An empty text raises ValueError that names text."""
    refuses(path_bits_per_byte, ([-0.5], "a"), [([-0.5], ""), ([-0.5, -1.0], "")], naming="text")


@check("test_path_bits_per_byte", points=0.5)
def refuses_no_log_probs(path_bits_per_byte):
    """No log probability at all, one above 0, or one that is no number raises ValueError that names log_probs."""
    refuses(path_bits_per_byte, ([-0.5], "a"),
            [([], "a"), ([0.5], "a"), ([-1.0, 0.25], "ab"), ([math.nan], "a")], naming="log_probs")


@check("test_path_bits_per_byte", points=0.5)
def leaves_log_probs_alone(path_bits_per_byte):
    """The list of logarithms stays as it was."""
    calls = [([-1.0, -0.5], "a"), ([-0.25, -2.0, -1.0], "ab"), ([-3.0, 0.0, -0.5], "é")]
    unchanged(path_bits_per_byte, calls, byte_bpe.path_bits_per_byte)


@check("test_embedding_parameters", points=0.5)
def both_tables(embedding_parameters):
    """A row of d_model weights for each id, in two tables, or in one if they are tied."""
    cases = [(v, d, tied) for v in (1, 2, 258, 290, 50_257) for d in (1, 3, 64, 768) for tied in (False, True)]
    agree(embedding_parameters, byte_bpe.embedding_parameters, cases)


@check("test_embedding_parameters", points=0.5)
def refuses_vocab_size(embedding_parameters):
    """A vocab_size that is not an int of 1 or more (True is none) raises ValueError that names it."""
    refuses(embedding_parameters, (258, 64, False),
            [(bad, 64, False) for bad in (0, -1, True, 2.0, "258")], naming="vocab_size")


@check("test_embedding_parameters", points=0.5)
def refuses_d_model(embedding_parameters):
    """A d_model that is not an int of 1 or more (True is none) raises ValueError that names it."""
    refuses(embedding_parameters, (258, 64, False),
            [(258, bad, True) for bad in (0, -64, True, 64.0, None)], naming="d_model")


@check("test_context_bytes", points=1)
def every_window(context_bytes):
    """The bytes of each run of so many tokens, one run for each place where one can start."""
    cases = [(*case, window) for case in small_cases([[], AB_AC[:1], AB_ABC], 5) for window in (1, 2, 3)]
    cases += [(text, rules, window) for text in ("é", "aé😀") for rules in ([], HALVES) for window in (1, 2)]
    agree(context_bytes, byte_bpe.context_bytes, cases)


@check("test_context_bytes", points=0.5, secret=True)
def windows_over_text(context_bytes, seeded):
    """Text in several scripts, windows of many tokens."""
    cases = [(random_text(seeded, 30), learnt(seeded), seeded.randint(4, 24)) for _ in range(8)]
    agree(context_bytes, byte_bpe.context_bytes, cases)


@check("test_context_bytes", points=0.5)
def refuses_windows(context_bytes):
    """A window that is not an int of 1 or more (True is none) raises ValueError that names it."""
    cases = [(text, AB_AC, bad) for bad in (0, -1, True, 1.0, None) for text in ("a", "abc")]
    refuses(context_bytes, ("abc", AB_AC, 1), cases, naming="window")


@check("test_context_bytes", points=0.5)
def context_bytes_leaves_merges_alone(context_bytes):
    """The list of rules stays as it was."""
    calls = [("abac", AB_AC, 1), ("aaaa", TWICE_AAA, 2), ("abac", AS_JSON, 2)]
    unchanged(context_bytes, calls, byte_bpe.context_bytes)


# --- figures -------------------------------------------------------------------------------------------------------

PLOT_SPLITS = {
    "train": ["the cat and the hat and the bat", "the rat and the cat"],
    "validation": ["the bat and the rat", "a hat"], "test": ["quite another"],
}
STEPS = [0, 1, 2, 4, 8, 64]
HELD_OUT = [
    (PLOT_SPLITS, STEPS),
    ({**PLOT_SPLITS, "train": ["naïve 漢字漢字 naïve"]}, [0, 3, 5]),
]
PLOT_TEXT = "the cat and the hat and the bat, the rat and the cat" * 3
WINDOWS = [
    (PLOT_TEXT, {"bytes": [], "8 rules": byte_bpe.fit_merges([PLOT_TEXT], 8)}, 6),
    ("漢字 abc abc", {"abc": AB_ABC}, 2),
]


def framed(student: StudentFunction, args: tuple, wanted: dict[str, list]) -> tuple[wire.Figure, wire.Frame]:
    """The answer's figure and frame, when the frame's columns hold what they should."""
    frame, figure, call = answer(student, args, wanted)
    for name, values in wanted.items():
        if not close(frame.data[name], values):
            fail(f"The column {name!r} is wrong.", call=call, expected=values, got=frame.data[name])
    return figure, frame


@check("test_plot_held_out_ratio", points=0.5)
def ratio_data(plot_held_out_ratio):
    """The DataFrame holds the rules really used, and bytes per token on train and validation."""
    for args in HELD_OUT:
        framed(plot_held_out_ratio, args, byte_bpe.held_out_ratios(*args))


@check("test_plot_held_out_ratio", points=0.5, needs=["ratio_data"])
def ratio_figure(plot_held_out_ratio):
    """The figure has title, axis labels and legend, and shows both columns over the number of rules."""
    args = HELD_OUT[0]
    figure, frame = framed(plot_held_out_ratio, args, byte_bpe.held_out_ratios(*args))
    call = plot_held_out_ratio.text(args)
    labelled(figure, call)
    for name in ("train", "validation"):
        plots(figure, call, frame.data["rules"], frame.data[name], f"the column {name!r}")


@check("test_plot_held_out_ratio", points=0.5)
def ratio_arguments_stay(plot_held_out_ratio):
    """The splits and the list of steps stay as they were."""
    arguments_stay(plot_held_out_ratio, HELD_OUT, ("rules", "train", "validation"))


@check("test_plot_context_bytes", points=0.5)
def window_data(plot_context_bytes):
    """The DataFrame holds, for each tokenizer, how many windows cover how many bytes, fewest bytes first."""
    for args in WINDOWS:
        framed(plot_context_bytes, args, byte_bpe.window_counts(*args))


@check("test_plot_context_bytes", points=0.5, needs=["window_data"])
def window_figure(plot_context_bytes):
    """The figure has title, axis labels and legend, and one series of windows over bytes for each tokenizer."""
    args = WINDOWS[0]
    figure, frame = framed(plot_context_bytes, args, byte_bpe.window_counts(*args))
    call = plot_context_bytes.text(args)
    labelled(figure, call)
    for name in args[1]:
        rows = [i for i, one in enumerate(frame.data["tokenizer"]) if one == name]
        x, y = ([frame.data[column][i] for i in rows] for column in ("bytes", "windows"))
        plots(figure, call, x, y, f"the windows of {name!r}", counts=True)


@check("test_plot_context_bytes", points=0.5)
def window_arguments_stay(plot_context_bytes):
    """The dictionary and the lists of rules in it stay as they were."""
    arguments_stay(plot_context_bytes, WINDOWS, ("tokenizer", "bytes", "windows"))
