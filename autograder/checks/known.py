"""Answers that are known to pass a check: the next right submission is judged by comparing bytes.

A check asks, looks at the answers, asks on, and ends. With the same secret, what it asks first is always the same, and
what comes next depends on the answers alone: a tree. The paths of this tree that led to a pass are kept here, for
the life of the process. Answers along such a path pass again, and need neither be decoded nor compared with freshly
made inputs; any other answer is judged by the check itself. Answers that tell the seconds they took are never the same
twice, so checks of cost always run.
"""

import dataclasses

from autograder.checks.api import Check
from autograder.checks.exchange import Exchange, joined
from autograder.checks.session import Session

__all__ = ["learn", "passes"]

MOST_PATHS = 16  # kept for one check: correct answers come in few forms
MOST_BYTES = 64 * 1024 * 1024  # of all paths together


@dataclasses.dataclass
class Step:
    """What the check asks next, and by the answers the step after; no exchange: it has passed."""

    exchange: Exchange | None = None
    after: dict[bytes, "Step"] = dataclasses.field(default_factory=dict)
    paths: int = 0  # kept below, and their bytes; counted at the root
    size: int = 0


_ROOTS: dict[tuple[Check, bytes, float], Step] = {}


def passes(one: Check, secret: bytes, session: Session) -> bool:
    """Does the student's code give answers that are known to pass? What was asked for that is not asked again."""
    step = _ROOTS.get((one, secret, session.seconds))
    while step is not None and step.exchange is not None:
        answers = session.line.ask_ahead(step.exchange, step.after)
        step = step.after[answers] if answers is not None else None
    return step is not None


def learn(one: Check, secret: bytes, session: Session) -> None:
    """The session's answers have passed."""
    made = session.line.made
    texts = [joined(exchange.frames) for exchange in made]
    size = sum(len(exchange.request) + len(text or b"") for exchange, text in zip(made, texts, strict=True))
    held = sum(root.size for root in _ROOTS.values())
    if not session.line.whole or not made or None in texts or held + size > MOST_BYTES:
        return
    root = _ROOTS.setdefault((one, secret, session.seconds), Step())
    if root.paths >= MOST_PATHS:
        return
    root.paths, root.size = root.paths + 1, root.size + size
    step = root
    for exchange, text in zip(made, texts, strict=True):
        assert text is not None
        if step.exchange is None:
            step.exchange = dataclasses.replace(exchange, frames=[])
        if step.exchange.request != exchange.request:
            return  # the check does not ask the same twice: its answers cannot be foretold
        step = step.after.setdefault(text, Step())
