"""No exercise may change its arguments: checked for each one that can be changed, and for what it holds.

The solution is spoiled: it answers as before, and then changes one argument. One check must see it, and no other.
"""

import ast

import pytest
from inprocess import failing, grade
from test_catalogue import ROOT, present, solution_cells

from autograder.checks.runner import chapter_checks

SPOILER = '''
import functools, inspect, types

def change(value):
    if isinstance(value, list):
        value.append(None)
    elif isinstance(value, dict):
        value[None] = None
    elif isinstance(value, types.SimpleNamespace):
        value.spoiled = True

def spoil(function, name, inside):
    signature = inspect.signature(function)

    def change_argument(args, kwargs):
        value = signature.bind(*args, **kwargs).arguments.get(name)
        holder = vars(value) if isinstance(value, types.SimpleNamespace) else value
        parts = holder.values() if isinstance(holder, dict) else holder if isinstance(holder, list) else ()
        for one in list(parts) if inside else [value]:
            change(one)

    @functools.wraps(function)
    def plain(*args, **kwargs):
        result = function(*args, **kwargs)
        change_argument(args, kwargs)
        return result

    @functools.wraps(function)
    def generator(*args, **kwargs):
        yield from function(*args, **kwargs)
        change_argument(args, kwargs)

    return generator if inspect.isgeneratorfunction(function) else plain
'''
# Arguments without a type in their exercise, and those that hold what can be changed: rules may be lists, as in a file.
UNTYPED = {"documents", "iterable", "sequences", "tokenizer", "pair of merge_pair"}
WITH_PARTS = {"sequences", "tokenizer of to_tiktoken", "tokenizer of to_huggingface", "merges of 04_byte_bpe"}


def depths(chapter: str, function: str, argument: ast.arg) -> list[bool]:
    """Whether the argument itself can be changed, and whether what it holds can (`True`)."""
    name, kind = argument.arg, ast.unparse(argument.annotation or ast.Constant(None))
    names, inner = {name, f"{name} of {function}", f"{name} of {chapter}"}, kind.partition("[")[2]
    itself = kind.startswith(("list", "dict")) or bool(names & UNTYPED)
    parts = "list" in inner or "dict" in inner or bool(names & WITH_PARTS)
    return [False] * itself + [True] * parts


def changeable() -> list:
    """Every argument of every exercise that can be changed: chapter, exercise, method, argument, depth."""
    found = []
    for chapter in present():
        for exercise, source in solution_cells(chapter).items():
            if f"test_{exercise}" not in chapter_checks(chapter):
                continue
            for node in ast.parse(source).body:
                functions = node.body if isinstance(node, ast.ClassDef) else [node]
                for function in functions:
                    if isinstance(function, ast.FunctionDef):
                        method = function.name if isinstance(node, ast.ClassDef) else ""
                        found += [
                            pytest.param(chapter, exercise, method, argument.arg, inside,
                                         id="-".join([chapter, exercise, method, argument.arg, "inside" * inside]))
                            for argument in function.args.args for inside in depths(chapter, function.name, argument)
                        ]
    return found


@pytest.mark.parametrize(("chapter", "exercise", "method", "argument", "inside"), changeable())
def test_one_check_sees_that_an_argument_was_changed(chapter, exercise, method, argument, inside, monkeypatch):
    monkeypatch.chdir(ROOT / "solutions" / chapter)
    spoiled = f"{exercise} = spoil({exercise}, {argument!r}, {inside})"
    if method:
        own = f"vars({exercise})[{method!r}]"
        spoiled = f"""
if isinstance({own}, classmethod):
    {exercise}.{method} = classmethod(spoil({own}.__func__, {argument!r}, {inside}))
else:
    {exercise}.{method} = spoil({own}, {argument!r}, {inside})
"""
    results, _ = grade(chapter, f"test_{exercise}", "\n".join([*solution_cells(chapter).values(), SPOILER, spoiled]))
    assert len(failing(results)) == 1, [(r.name, r.message, r.counterexample) for r in results]
