"""The line of a stranger's loss that is wrong, and the line that mends it: found by trying.

One expression after the other is written in each of the usual other ways; this mends the loss if its value, and its
gradient, are then the textbook's. The user's functions are compiled anew and run like the loss itself.
"""

import ast
import copy
import inspect
import math
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .gradient import distance, exact
from .laws import measure_error
from .naming import Found, Unknown
from .programs import LOSSES, Program, public_name
from .search import EXACT, list_bases
from .settings import find_setting, read_numbers
from .strangers import Stranger
from .target import SCALES, TEMPERATURES, parameters

SECONDS = 2.0  # of processor time
OTHERS: dict[type[ast.operator], tuple[str, ...]] = {  # of two sides
    ast.Mult: ("{0}", "{1}", "{0} / {1}"),
    ast.Div: ("{0}", "{0} * {1}", "{0} / {1} / len({first})", "{0} / {1} / {tau}"),
    ast.Sub: ("{0}", "{1}"),
    ast.Add: ("{0}",),
    ast.Pow: ("{0}",),
    ast.MatMult: ("{0} @ {1} / {tau}", "{0}.T @ {1}"),
}
SWAPS = {"sum": "mean", "mean": "sum", "zeros": "arange", "amin": "amax", "min": "max"}
MISSING = {  # what may be missing: rows of length 1, a diagonal of this number or 0, an exponential
    "numpy": (
        "{0} = {0} / np.linalg.norm({0}, axis=-1, keepdims=True)",
        "np.fill_diagonal({0}, {1})",
        "-np.inf",
        "np.exp({0})",
    ),
    "torch": (
        "{0} = torch.nn.functional.normalize({0}, dim=-1)",
        "{0} = {0}.masked_fill(torch.eye(len({0}), dtype=torch.bool, device={0}.device), {1})",
        'float("-inf")',
        "{0}.exp()",
    ),
    "jax": (
        "{0} = {0} / jnp.linalg.norm({0}, axis=-1, keepdims=True)",
        "{0} = jnp.where(jnp.eye(len({0}), dtype=bool), {1}, {0})",
        "-jnp.inf",
        "jnp.exp({0})",
    ),
}


class Source(NamedTuple):
    """A function or class of the user: name · text · file and first line · space: the names that it sees."""

    name: str
    text: str
    file: str
    line: int
    space: dict[str, Any]

    def place(self, line: int) -> str:
        """A line of it, the first is 0, as a place in its file, from the folder of the user."""
        return f"{self.file.removeprefix(f'{Path.cwd()}/')}, line {self.line + line}"


class Edit(NamedTuple):
    """A rewritten text · line: where it is, from 0 · added: whether this line is new."""

    text: str
    line: int
    added: bool = False


def mend(found: Found | Unknown, meant: Mapping[str, Any], at_gradient: bool) -> list[str]:
    """The place of the mistake and the line that mends it; the place of the loss if no line is known. at_gradient:
    whether its gradient alone is wrong."""
    way, end = found.way, time.process_time() + SECONDS
    sources, wanted = find_sources(way, at_gradient), list(list_wanted(found, meant))
    for source in sources if wanted and not is_one(way, wanted) else ():
        for edit in list_edits(source, way):
            if time.process_time() > end:
                break
            if is_one(way, wanted, sources, source._replace(text=edit.text)):
                line, after = edit.line - edit.added, ", after it" * edit.added
                return [
                    f"where     {source.place(line)}: {source.text.splitlines()[line].strip()}",
                    f"fix: {edit.text.splitlines()[edit.line].strip()}",
                    f"          (tried{after}: then it is {found.claim or wanted[0].loss})",
                ]
    return [f"where     {source.place(0)}" for source in sources[:1]]


# --- what is right ------------------------------------------------------------------------------------------------


def list_wanted(found: Found | Unknown, meant: Mapping[str, Any]) -> Iterator[Found]:
    """What the mended loss may be: the claimed one, or what was found, without its mistakes."""
    if isinstance(found, Unknown):
        way, numbers = found.way, read_numbers(found.way, meant)[0]
        for program in (p for n in LOSSES if public_name(n) == found.claim for p in list_bases(n)):
            if program.arrays == way.arrays and set(program.numbers) <= set(numbers):
                yield Found(way, program, numbers, None, None, 0.0, found.tolerance)
        return
    exchanged = any("axis" in d.mistake for d in found.differences)  # by which the anchors are others
    kept = [r for r in found.program.rewrites if r.kind == "=" and not (exchanged and "anchors" in r.name)]
    numbers, setting = dict(found.numbers), find_setting(found.way, None, found.tolerance)
    if "temperature" in numbers and (tau := meant.get("temperature") or (setting and setting.own)):
        numbers["temperature"] = float(tau)
    if found.has("scale not exponentiated"):
        numbers["temperature"] = math.exp(-1 / numbers["temperature"])
    right = found._replace(program=Program(found.program.loss, tuple(kept)), numbers=numbers, by_features=0.0)
    yield right._replace(factor=None, constant=None)
    if found.factor and found.factor.name == "sum for mean":
        yield right._replace(constant=None)


def is_one(
    way: Stranger, wanted: Sequence[Found], sources: Sequence[Source] = (), changed: Source | None = None
) -> bool:
    """Whether a loss, with a changed source, computes one of these and its gradient, at two batch sizes."""
    points = [*way.points(4, each=1)[:2], way.points(6, each=1)[0]]
    try:
        way = rebuild(way, sources, changed) if changed else way
        first = way.value(points[0])
        near = [one for one in wanted if fits(one, points[0], first, None)]
        return any(all(fits(one, at, *way.ask(at, gradient=True)[:2]) for at in points) for one in near)
    except (Exception, SystemExit):  # most rewrites make no sense
        return False


def fits(wanted: Found, at: Mapping[str, Any], value: float, slopes: Any) -> bool:
    tolerance = 1e3 * max(wanted.tolerance, EXACT["float64"])
    if not measure_error(value, wanted.value(at)) <= tolerance:
        return False
    return slopes is None or distance([slopes], [exact(wanted, wanted.program, at)]) <= 10 * tolerance


# --- the user's functions -----------------------------------------------------------------------------------------


def define(made: Any) -> Any:
    """The function or the class in which a loss is defined."""
    return made if inspect.isroutine(made) or inspect.isclass(made) else type(made)


def find_sources(way: Stranger, at_gradient: bool) -> list[Source]:
    """The loss and its backward, which comes first if it alone is wrong, and the functions of that file that they
    may call, if their text is at hand."""
    found: list[Source] = []
    loss, backward = define(way.target.make), way.target.backward
    todo: list[Any] = [backward, loss] if at_gradient else [loss, backward]
    for one in todo:
        try:
            lines, first = inspect.getsourcelines(one)
            file = inspect.getsourcefile(one) or ""
            # the line of a lambda may do more, and is not run again
            text = textwrap.dedent("".join(lines)) if one.__name__ != "<lambda>" else ""
            names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        except (OSError, TypeError, SyntaxError):
            continue
        if getattr(one, "__closure__", None) or (found and file != found[0].file):
            continue
        space = getattr(one, "__globals__", None) or vars(sys.modules[one.__module__])
        found.append(Source(one.__name__, text, file, first, space))
        own = (space.get(name) for name in sorted(names))
        todo += [f for f in own if inspect.isfunction(f) or inspect.isclass(f) if f not in todo][:8]
    return found


def rebuild(way: Stranger, sources: Sequence[Source], changed: Source) -> Stranger:
    """The loss with one of its functions changed, which the others call then."""
    space, made, backward = dict(changed.space), way.target.make, way.target.backward
    for source in (changed, *(one for one in sources if one.name != changed.name)):
        exec(compile(source.text, source.file, "exec"), space)
    new = space.get(define(made).__name__, made)
    if backward is not None:  # a method, or a function
        backward = getattr(new, backward.__name__, None) or space.get(backward.__name__, backward)
    if define(made) is type(made):
        kind, new = new, copy.copy(made)
        new.__class__ = kind
    return way.again(make=new, backward=backward)


# --- what may be wrong --------------------------------------------------------------------------------------------


def list_edits(source: Source, way: Stranger) -> Iterator[Edit]:
    """Each rewrite of an expression, then each line that may be missing."""
    lines = source.text.encode().splitlines(keepends=True)  # columns are counted in bytes
    names = [*parameters(way.function)]
    unit, diagonal, hidden, exponential = MISSING[way.library]
    tau = next((n for n in names if n in TEMPERATURES), "temperature")
    words = {"tau": tau, "exponential": exponential, "first": names[0]}
    added: list[tuple[int, int, str]] = []  # line, indent, text

    def quote(node: ast.AST) -> str:
        text = ast.get_source_segment(source.text, node) or ""
        return f"({text})" if isinstance(node, ast.BinOp) else text

    node: Any
    for node in ast.walk(ast.parse(source.text)):
        for new in reword(node, quote, words):
            first, last = node.lineno - 1, node.end_lineno - 1
            before = b"".join(lines[:first]) + lines[first][: node.col_offset]
            after = lines[last][node.end_col_offset :] + b"".join(lines[last + 1 :])
            yield Edit(before.decode() + new + after.decode(), first)
        if isinstance(node, ast.FunctionDef):
            body = node.body[bool(ast.get_docstring(node) and node.body[1:])]
            rows = [a.arg for a in node.args.args if a.arg not in ("self", *TEMPERATURES, "labels")]
            each = [unit.format(name) for name in rows[:3]]
            added += [(body.lineno - 1, body.col_offset, new) for new in ("; ".join(each[:2]), *each)]
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            masked = [diagonal.format(node.targets[0].id, number) for number in (hidden, "0")]
            added += [(node.end_lineno or 0, node.col_offset, new) for new in masked]
    for line, indent, new in added:
        text = b"".join(lines[:line]).decode(), f"{' ' * indent}{new}\n", b"".join(lines[line:]).decode()
        yield Edit("".join(text), line, True)


def reword(node: ast.AST, quote: Callable[[ast.AST], str], words: Mapping[str, str]) -> Iterator[str]:
    """The usual other ways to write an expression. words: the names of the temperature and the first argument, and
    how an exponential is written."""
    tau = words["tau"]
    match node:
        case ast.BinOp(left, operator, right):
            for new in OTHERS.get(type(operator), ()):
                yield new.format(quote(left), quote(right), **words)
        case ast.UnaryOp(operand=operand):
            yield quote(operand)
        case ast.Name(name, ast.Load()) | ast.Attribute(_, name, ast.Load()) if name in SCALES:
            yield words["exponential"].format(quote(node))
        case ast.keyword(arg="axis" | "dim", value=ast.Constant(value=0 | 1 as axis)):
            yield f"{node.arg}={1 - axis}"
        case ast.Constant(value=bool()):
            return
        case ast.Constant(value=0 | 1 as number):
            yield str(1 - number)
        case ast.Constant(value=float()):
            yield tau
        case ast.Call(func=ast.Attribute(value=base, attr=name) as function, args=arguments):
            if name in SWAPS:
                yield f"{quote(base)}.{SWAPS[name]}{quote(node).removeprefix(quote(function))}"
            if name in ("detach", "log", "exp", "clamp", "clip", "abs"):
                yield quote(base)
            if name in ("stop_gradient", "clip", "maximum") and arguments:
                yield quote(arguments[0])
        case ast.Return(value=ast.expr() as value):
            for new in ("-({})", "({}) / 2", "2 * ({})", "({}).mean()", f"({{}}) / {tau}", f"({{}}) * {tau}"):
                yield f"return {new.format(quote(value))}"
