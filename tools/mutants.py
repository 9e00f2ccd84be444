"""Generate the mutants of a file: one change each, of an operator, a comparison, a number, an option, a
statement …
"""

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple


class Mutant(NamedTuple):
    """One change: the function (MODULE for code outside functions), the old and the new text, the changed
    file, and the affected lines of the original.
    """

    function: str
    change: str
    source: str
    lines: range = range(0)


def replace_both_ways(*pairs: tuple[type, type]) -> dict[type, list[type]]:
    return {one: [other] for a, b in pairs for one, other in ((a, b), (b, a))}


OPERATORS = {
    **replace_both_ways((ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.BitAnd, ast.BitOr), (ast.And, ast.Or)),
    **replace_both_ways((ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn)),
    ast.FloorDiv: [ast.Mult],
    ast.Mod: [ast.FloorDiv],
    ast.Pow: [ast.Mult],
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
}
NAMES = {"max": "min", "min": "max", "maximum": "minimum", "minimum": "maximum", "sum": "mean", "mean": "sum"}


def replace_fields(node: ast.expr, **fields: object) -> ast.expr:
    return type(node)(**{name: getattr(node, name, None) for name in node._fields} | fields)


def vary(node: ast.AST) -> Iterator[ast.AST]:
    """Yield replacements of a node: operators or arguments swapped, a sign or a call dropped, another number."""
    match node:
        case ast.BinOp(left, op, right):
            for other in OPERATORS.get(type(op), []):
                yield replace_fields(node, op=other())
            if isinstance(op, ast.Sub | ast.Div | ast.MatMult):
                yield replace_fields(node, left=right, right=left)
        case ast.Compare(left, ops, comparators):
            for place, op in enumerate(ops):
                for other in OPERATORS.get(type(op), []):
                    yield replace_fields(node, ops=[*ops[:place], other(), *ops[place + 1 :]])
            if len(ops) > 1:  # a chained comparison without its first part, and without its last
                yield ast.Compare(comparators[0], ops[1:], comparators[1:])
                yield ast.Compare(left, ops[:-1], comparators[:-1])
        case ast.BoolOp(op, values):
            yield replace_fields(node, op=OPERATORS[type(op)][0]())
            for place in range(len(values)):
                kept = values[:place] + values[place + 1 :]
                yield replace_fields(node, values=kept) if len(kept) > 1 else kept[0]
        case ast.UnaryOp(_, operand):
            yield operand
        case ast.IfExp(test, body, orelse):
            yield replace_fields(node, body=orelse, orelse=body)
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            yield ast.Constant(value + 1)
            if isinstance(value, float) or abs(value) >= 4:
                yield ast.Constant(value // 2 if isinstance(value, int) else value / 2)
        case ast.keyword("axis", ast.Constant(value) | ast.UnaryOp(_, ast.Constant(value))):
            yield ast.keyword(
                "axis", ast.Constant(1 if value == 0 or isinstance(node.value, ast.UnaryOp) else 0)
            )
        case ast.Call(function, positional, _):
            if (
                len(positional) >= 2
                and not isinstance(positional[0], ast.Constant)
                and not commutes(function)
            ):
                yield replace_fields(node, args=[positional[1], positional[0], *positional[2:]])
            values = [x for x in positional if not isinstance(x, ast.Constant)]
            plain = len(values) == 1 and not isinstance(values[0], ast.Starred)
            if plain and getattr(function, "id", "") not in ("bool", "ValueError"):
                yield values[0]
            if isinstance(function, ast.Attribute) and function.attr in NAMES:
                yield replace_fields(node, func=replace_fields(function, attr=NAMES[function.attr]))
            yield from vary_keywords(node)
        case ast.Return(ast.Tuple([first, second])):
            yield ast.Return(ast.Tuple([second, first], ast.Load()))
        case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Raise():
            yield ast.Pass()
        case ast.If(test):
            yield replace_fields(node, test=ast.UnaryOp(ast.Not(), test))


def commutes(function: ast.expr) -> bool:
    """Return whether the order of the arguments does not matter for real numbers."""
    name = getattr(function, "attr", getattr(function, "id", ""))
    return name in ("min", "max", "minimum", "maximum", "vecdot", "suppress")


class Place(NamedTuple):
    """A node that computes something: its function, its parent, and its position in the parent."""

    function: str
    parent: ast.AST
    field: str
    index: int | None

    @property
    def node(self) -> ast.AST:
        held = getattr(self.parent, self.field)
        return held if self.index is None else held[self.index]

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def find_places(tree: ast.Module) -> Iterator[Place]:
    """Find the places in functions, methods, constants and tables; the points at which `verify` asks, examples and
    the contents of POINTS, are not mutated.
    """
    for statement in tree.body:
        of_class = isinstance(statement, ast.ClassDef)
        for inner in statement.body if of_class else [statement]:
            if isinstance(inner, ast.FunctionDef) and "example" not in inner.name:
                yield from find_places_within(
                    inner, f"{statement.name}.{inner.name}" if of_class else inner.name
                )
            elif isinstance(inner, ast.Assign | ast.AnnAssign):
                yield from find_places_within(inner, statement.name if of_class else MODULE)


MODULE = "module"


def find_places_within(node: ast.AST, function: str) -> Iterator[Place]:
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or isinstance(child, NOT_CHANGED):
                continue
            own = f"{function}.{child.name}" if isinstance(child, ast.FunctionDef) else function
            yield Place(own, node, name, index)
            if not (isinstance(child, ast.keyword) and child.arg in ("axis", *POINTS)):
                yield from find_places_within(child, own)


POINTS = ("variants", "tried", "drawn")  # fields of a LOSS entry: other values would do as well
NOT_CHANGED = (ast.JoinedStr, ast.ImportFrom, ast.Import)


def vary_in_place(place: Place) -> Iterator[ast.AST]:
    """Yield replacements that depend on the position: an option's string becomes one that is not an option."""
    match place.parent, place.node:
        case ast.keyword("encoding"), _:
            return
        case ast.Compare() | ast.MatchValue() | ast.keyword() | ast.arguments(), ast.Constant(str(value)):
            yield ast.Constant(f"{value}?")
    yield from vary(copy.deepcopy(place.node))


def find_deletable(tree: ast.Module) -> set[ast.AST]:
    """Find assignments that can be deleted without leaving a name unbound: to attributes and entries, and to
    names that are parameters or are assigned elsewhere in the function.
    """
    found = set[ast.AST]()
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        bound = Counter(x.arg for x in ast.walk(function.args) if isinstance(x, ast.arg))
        bound += Counter(
            x.id for x in ast.walk(function) if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Store)
        )
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and all(
                not isinstance(x, ast.Name) or bound[x.id] > 1
                for target in node.targets
                for x in (target.elts if isinstance(target, ast.Tuple) else [target])
            ):
                found.add(node)
    return found


def vary_decorators(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the change and the changed file for each removed decorator, and each removed option of one."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or "example" in node.name:
            continue
        given = node.decorator_list
        for place, decorator in enumerate(given):
            for kept in [None, *(vary_keywords(decorator) if isinstance(decorator, ast.Call) else ())]:
                node.decorator_list = [*given[:place], *([kept] if kept else []), *given[place + 1 :]]
                new = f"@{describe(kept)}" if kept else "no decorator"
                yield f"@{describe(decorator)} of {node.name} → {new}", ast.unparse(tree)
        node.decorator_list = given


def vary_keywords(call: ast.Call) -> Iterator[ast.Call]:
    """Yield the call without each of its keyword arguments, except `encoding` and `strict`, whose absence
    matters only for errors.
    """
    for place, keyword in enumerate(call.keywords):
        if keyword.arg not in ("encoding", "strict"):
            yield replace_fields(call, keywords=call.keywords[:place] + call.keywords[place + 1 :])


def describe(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0]


def generate_mutants(source: str) -> Iterator[Mutant]:
    """Every change of a file, one at a time."""
    tree, named = ast.parse(source), Counter[tuple[str, str]]()
    deletable = find_deletable(tree)
    for place in list(find_places(tree)):
        node = place.node
        # describe a changed number or axis together with its context
        small = isinstance(node, ast.Constant | ast.keyword) and isinstance(
            place.parent,
            (ast.expr, ast.keyword, ast.pattern, *([ast.Assign] if place.function == MODULE else [])),
        )
        news = [*vary_in_place(place), *([ast.Pass()] if node in deletable else [])]
        before = describe(place.parent if small else node) if news else ""
        lines = range(getattr(node, "lineno", 0), getattr(node, "end_lineno", -1) + 1)
        for new in news:
            place.put(new)
            change = f"{before} → {describe(place.parent if small else new)}"
            named[place.function, change] += 1
            again = named[place.function, change]
            text = ast.unparse(ast.fix_missing_locations(tree))
            yield Mutant(place.function, change if again == 1 else f"{change} ({again})", text, lines)
            place.put(node)
    for change, text in vary_decorators(tree):
        yield Mutant(MODULE, change, text)


def print_plainly(source: str) -> str:
    """Print the file as its mutants are printed: by Python, without comments."""
    return ast.unparse(ast.parse(source))


def print_code(source: str) -> str:
    """Print the file without comments, docstrings and its imports: where a name comes from, not what is done."""
    tree = ast.parse(source)
    tree.body = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node, clean=False
        ):
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)
