"""The same program in another style: for tests that a mistake is recognised by what it answers, not by how it looks.

Changes made by rule, each keeping what the program does. They are no substitute for another person's hand: the test of
precision has some versions written by hand, too.
"""

import ast
import copy

__all__ = ["STYLES", "mutant", "mutants", "restyled"]


class LongHand(ast.NodeTransformer):
    """Locals renamed, `for` as `while` with `next`, branches the other way round, the work done in a helper."""

    def __init__(self):
        self.count = 0

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        arguments = {argument.arg for argument in ast.walk(node.args) if isinstance(argument, ast.arg)}
        bound = {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}
        outer = {
            name for one in ast.walk(node) if isinstance(one, ast.Nonlocal | ast.Global) for name in one.names
        }
        inner = {
            argument.arg for one in ast.walk(node) if isinstance(one, ast.FunctionDef | ast.Lambda) and one is not node
            for argument in ast.walk(one.args) if isinstance(argument, ast.arg)
        }
        for name in ast.walk(node):
            if isinstance(name, ast.Name) and name.id in bound - arguments - outer - inner:
                name.id = f"my_{name.id}"
        return node

    def visit_For(self, node):
        self.generic_visit(node)
        if node.orelse:
            return node
        self.count += 1
        name = f"walk_{self.count}"
        start = ast.parse(f"{name} = iter(None)").body[0]
        start.value.args = [node.iter]
        step = ast.parse(f"try:\n    _ = next({name})\nexcept StopIteration:\n    break").body[0]
        step.body[0].targets = [node.target]
        return [start, ast.While(ast.Constant(True), [step, *node.body], [])]

    def visit_If(self, node):
        self.generic_visit(node)
        test = ast.UnaryOp(ast.Not(), node.test)
        return ast.If(test, node.orelse or [ast.Pass()], node.body)


class SmallPieces(ast.NodeTransformer):
    """Comprehensions as generators of their own, results named before they are returned, no `+=` and no ternary."""

    def __init__(self):
        self.count = 0
        self.before: list[ast.stmt] = []

    def visit_Lambda(self, node):
        return node  # what stands in it may need its parameters

    def visit_ClassDef(self, node):
        node.body = [self.visit(one) if isinstance(one, ast.FunctionDef) else one for one in node.body]
        return node

    def comprehension(self, node, made: str, element: ast.expr):
        if any(isinstance(one, ast.NamedExpr | ast.Lambda) for one in ast.walk(node)):
            return node
        self.count += 1
        name = f"pieces_{self.count}"
        body: list[ast.stmt] = [ast.Expr(ast.Yield(element))]
        for part in reversed(node.generators):
            for test in reversed(part.ifs):
                body = [ast.If(test, body, [])]
            body = [ast.For(part.target, part.iter, body, [])]
        function = ast.parse(f"def {name}():\n    pass").body[0]
        function.body = body
        self.before.append(self.visit_FunctionDef(function))
        call = ast.parse(f"{made}({name}())" if made else f"{name}()", mode="eval").body
        return call

    def visit_ListComp(self, node):
        return self.comprehension(node, "list", node.elt)

    def visit_SetComp(self, node):
        return self.comprehension(node, "set", node.elt)

    def visit_GeneratorExp(self, node):
        return self.comprehension(node, "", node.elt)

    def visit_DictComp(self, node):
        return self.comprehension(node, "dict", ast.Tuple([node.key, node.value], ast.Load()))

    def visit_IfExp(self, node):
        self.generic_visit(node)
        first, second = (ast.List([part], ast.Load()) for part in (node.body, node.orelse))
        chosen = ast.BoolOp(ast.Or(), [ast.BoolOp(ast.And(), [node.test, first]), second])
        return ast.Subscript(chosen, ast.Constant(0), ast.Load())

    def visit_FunctionDef(self, node):
        node.body = self.block(node.body)
        return node

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        made = []
        for statement in statements:
            outside, self.before = self.before, []
            for field in ("body", "orelse", "finalbody"):
                if isinstance(inner := getattr(statement, field, None), list) and not isinstance(
                    statement, ast.FunctionDef | ast.ClassDef
                ):
                    setattr(statement, field, self.block(inner))
            for handler in getattr(statement, "handlers", ()):
                handler.body = self.block(handler.body)
            made += self.statement(statement)
            self.before = outside
        return made

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            return [self.visit(node)]
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, field, self.visit(value))
            elif isinstance(value, list) and value and isinstance(value[0], ast.expr):
                setattr(node, field, [self.visit(one) for one in value])
        after: list[ast.stmt] = [node]
        match node:
            case ast.AugAssign(target=ast.Name() as target, value=ast.Constant(value=int())):
                read = ast.Name(target.id, ast.Load())
                after = [ast.Assign([target], ast.BinOp(read, node.op, node.value), lineno=0)]
            case ast.Return(value=ast.expr() as value):
                self.count += 1
                name = f"answer_{self.count}"
                after = [
                    ast.Assign([ast.Name(name, ast.Store())], value, lineno=0), ast.Return(ast.Name(name, ast.Load()))
                ]
        return [*self.before, *after]


STYLES = ("long_hand", "small_pieces")


def restyled(source: str, style: str) -> str:
    """`source` in another style: the same answers from other code."""
    tree = ast.parse(source)
    if style == "small_pieces":
        tree.body = SmallPieces().block(tree.body)
    else:
        tree = with_helper(LongHand().visit(tree))
    return ast.unparse(ast.fix_missing_locations(tree))


def with_helper(tree: ast.Module) -> ast.Module:
    """A module of one function does its work in another one; other modules stay as they are."""
    (function, *others) = tree.body
    if others or not isinstance(function, ast.FunctionDef) or function.args.kwonlyargs or function.args.vararg:
        return tree
    outer = copy.deepcopy(function)
    function.name = f"work_of_{outer.name}"
    names = ", ".join(argument.arg for argument in outer.args.args)
    outer.body = ast.parse(f"return {function.name}({names})").body
    tree.body.append(outer)
    return tree


SWAPS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Lt: ast.LtE, ast.LtE: ast.Lt,
    ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.And: ast.Or, ast.Or: ast.And,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}


def changes(node: ast.AST) -> bool:
    """Can this node be changed? Operators that have a neighbour, and whole numbers (indices, too)."""
    match node:
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.Compare(ops=[op, *_]):
            return type(op) in SWAPS
        case ast.Constant(value=value):
            return type(value) is int
    return False


def mutants(source: str) -> list[int]:
    """The places at which `source` has a mutant."""
    return [place for place, node in enumerate(ast.walk(ast.parse(source))) if changes(node)]


def mutant(source: str, place: int) -> str:
    """`source` with one operator exchanged or one number one larger."""
    tree = ast.parse(source)
    node = list(ast.walk(tree))[place]
    if isinstance(node, ast.Constant):
        node.value += 1
    elif isinstance(node, ast.Compare):
        node.ops[0] = SWAPS[type(node.ops[0])]()
    else:
        node.op = SWAPS[type(node.op)]()
    return ast.unparse(tree)
