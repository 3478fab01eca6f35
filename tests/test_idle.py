"""Whoever does nothing has answered nothing: no line that fits every question earns a point anywhere."""

import ast
import re

import pytest
from inprocess import grade
from test_catalogue import present, solution_cells

from autograder.checks.runner import chapter_checks

# The message holds all words of the answer, so that none that an error has to name is missing.
REFUSED = """
class Refused(UnicodeEncodeError, TypeError):  # a ValueError, too
    def __init__(self):
        super().__init__("utf-8", "", 0, 1, {words!r})

"""
BODIES = {
    "refuses": "raise Refused",
    "hands on": "return next(iter([*args, *named.values()]), None)",
    "always the same": "return constant",
}
CONSTANT = {"list": "[97]", "dict": "{1: b'a'}", "str": "'a'", "bytes": "b'a'", "bool": "True", "int": "1",
            "float": "1.0", "tuple": "({1: b'a'}, [])", "Iterator": "iter([97])"}  # fmt: skip


def idle(node: ast.FunctionDef | ast.ClassDef, body: str) -> str:
    """The function, or each method that the class has, with this body; an object can always be made."""
    if isinstance(node, ast.FunctionDef):
        kind = ast.unparse(node.returns or ast.Constant(None)).partition("[")[0]
        body = "pass" if node.name == "__init__" else body.replace("constant", CONSTANT.get(kind, "None"))
        marks = [f"@{ast.unparse(mark)}" for mark in node.decorator_list]
        return "\n".join([*marks, f"def {node.name}(*args, **named): {body}"])
    methods = [idle(one, body) for one in node.body if isinstance(one, ast.FunctionDef)]
    return f"class {node.name}:\n    " + "\n".join(methods).replace("\n", "\n    ")


def exercises() -> list:
    """Every function and class that is asked for: chapter, and its definition in the solution."""
    return [
        pytest.param(chapter, node, id=f"{chapter}-{node.name}")
        for chapter in present() for source in solution_cells(chapter).values() for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and f"test_{node.name}" in chapter_checks(chapter)
    ]


@pytest.mark.parametrize(("chapter", "node"), exercises())
def test_doing_nothing_earns_nothing(chapter, node):
    words = " ".join(re.findall(r"\w+", ast.unparse(node)))
    earned = {}
    for kind, body in BODIES.items():
        results, _ = grade(chapter, f"test_{node.name}", REFUSED.format(words=words) + idle(node, body))
        earned |= {(kind, result.name): result.points for result in results if result.points}
        assert [result.message for result in results if result.needs_person] == [], kind
    assert earned == {}
