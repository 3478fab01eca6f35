"""Is the work of a merge in proportion to what it changes? Texts for that question, and two ways to measure.

Steps: the same merges are learnt from a short and from a long text, which differ only in what no merge touches. Lines
and calls of Python are counted, so load and machine play no part, and as a version is compared with itself, style does
not either. Work that follows the changes takes as many steps in both; reading everything again takes ten times as many.

Time: what C code does within one line is no step. So many merges are also compared with few, in CPU time and in one
copy of the snapshot: reading everything in each round takes dozens of times as long, following the changes once or
twice. Whoever is slower than that, but still far quicker than the naive version beside it, passes all the same.
"""

import random
from collections.abc import Callable, Sequence

from autograder.checks.api import fail
from autograder.checks.outcomes import Returned
from autograder.checks.session import StudentFunction
from autograder.checks.show import show_outcome

__all__ = ["steps_in_long_text", "text_for_ids", "text_for_pretokens", "time_of_many"]

UPPER, LOWER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
SIGNS = "!\"#$%&'()*+,-./:;<=>?@"
SECONDS = 60.0  # CPU time, for slow machines: the slowest good designs need two on a present one
# Times; below 1.3 when work follows the changes, about 10 (as the length) when all is read again, and 2.5 when counts
# are kept but every pre-token is looked at.
MORE_STEPS = 1.5
MORE_TIME = 16.0  # times; up to 7 when work follows the changes, 50 and more (as the merges) when all is read again
NAIVE_TIME = 6.0  # times the naive version's time for few merges; what takes less harms nobody

# Number of words, copies of each, and how much else there is: in a short and a long text, and in one with many words.
# By chance, another pair stands there as often as a word under one secret in a million.
IDS = (13, 70, 1), (13, 70, 30), (130, 45, 40)
PRETOKENS = (10, 100, 0), (10, 100, 6_400), (130, 110, 5_000)

Call = Callable[[int], tuple]  # the arguments that ask for so many merges


def two_letter_words(seeded: random.Random, number: int) -> list[str]:
    """Different words of two capitals, in which every letter is about as often the first one and the second one."""
    letters = seeded.sample(UPPER, len(UPPER))
    return [letters[i % 26] + letters[(i + 1 + i // 26) % 26] for i in range(number)]


def every_pair_once(letters: Sequence[str]) -> str:
    """A text that, repeated, has each pair of the letters once in each repetition.

    >>> every_pair_once("abc")
    'aabacbbcc'
    """
    return "".join(
        first + "".join(first + second for second in letters[place:])
        for place, first in enumerate(letters, start=1)
    )


def text_for_ids(seeded: random.Random, number: int, copies: int, blocks: int) -> tuple[str, list[str]]:
    """One text, and the words that stand in it `copies` times each; every other pair stands there less often.

    `blocks`, fewer than `copies`, is the number of times that each pair of small letters and digits stands there.
    """
    words = two_letter_words(seeded, number)
    shuffled = seeded.sample(words * copies, number * copies)
    letters = LOWER + "0123456789"
    rest = every_pair_once(seeded.sample(letters, len(letters))) * blocks
    return rest + "".join(word + seeded.choice(SIGNS) for word in shuffled), words


def text_for_pretokens(seeded: random.Random, number: int, copies: int, others: int) -> tuple[str, list[str]]:
    """Different words, one a line: `copies` begin with each of the two-letter words; every other pair counts less.

    `others` is the number of words of six small letters between them.
    """
    endings = [a + b for a in LOWER for b in LOWER]
    words = two_letter_words(seeded, number)
    lines = [word + ending for word in words for ending in seeded.sample(endings, copies)]
    lines += dict.fromkeys("".join(seeded.choices(LOWER, k=6)) for _ in range(others))
    return "\n".join(seeded.sample(lines, len(lines))), words


def answer(function: StudentFunction, args: tuple, cost: str) -> Returned:
    """What one call gave, with its cost in "steps" or "seconds"; fails when it gave nothing."""
    (outcome,) = function.outcomes([args], options={cost: True}, seconds=SECONDS)
    if not isinstance(outcome, Returned):
        fail("It must come back, and soon.", call=f"{function.name} on a long text", expected="a value",
             got=show_outcome(outcome))
    assert isinstance(outcome, Returned)
    return outcome


def steps_in_long_text(student: StudentFunction, short: Call, long: Call, few: int, many: int, symbols: int) -> None:
    """Fails when the merges between `few` and `many` take several times as many steps in the long text.

    Reading all of its `symbols` once more than in the short text is allowed, as tidying up from time to time may do.
    """

    def steps(call: Call) -> float:
        first, last = (answer(student, call(merges), "steps").steps or 0 for merges in (few, many))
        return max(last - first, 1.0)

    here, there = steps(short), steps(long)
    if there > MORE_STEPS * here + symbols:
        fail("Each round seems to look at everything again.",
             call=f"{student.name}: {many - few} merges in a text with about ten times as much around them",
             expected="about as many steps as in the short text", got=f"{there / here:.1f} times as many")


def time_of_many(student: StudentFunction, naive: StudentFunction, call: Call, few: int, many: int) -> object:
    """The answer for `many` merges; fails when they take far longer than `few`, and than `few` of the naive version.

    Each is taken once, or where that would not do, as the best of three.
    """
    best: dict[tuple[str, int], float] = {}
    for _ in range(3):
        for function, merges in ((naive, few), (student, few), (student, many)):
            outcome = answer(function, call(merges), "seconds")
            best[function.name, merges] = min(outcome.seconds or 0, best.get((function.name, merges), SECONDS))
        more = best[student.name, many] / max(best[student.name, few], 1e-6)
        share = best[student.name, many] / max(best[naive.name, few], 1e-6)
        if more <= MORE_TIME or share <= NAIVE_TIME:
            return outcome.value
    fail("Each round seems to look at everything again.",
         call=f"{student.name}: {many} merges on a long text",
         expected=f"at most {MORE_TIME:g} times the time for {few} merges", got=f"{more:.0f} times")
    return None
