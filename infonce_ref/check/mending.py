"""The line of a stranger's loss that is wrong, and the line that mends it: found by trying.

One line after the other is rewritten in each of the usual ways; a rewrite mends the loss if its value, and its
gradient, are then the textbook's. The user's functions are compiled anew and run like the loss itself.
"""

import ast
import copy
import inspect
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .naming import EXACT, Found, Unknown, find_setting, list_bases, read_numbers
from .programs import LOSSES, Program, public_name
from .reading import Refused
from .strangers import Stranger
from .target import TEMPERATURES, parameters

SECONDS = 2.0  # of processor time
MANY = 600  # rewrites
SWAPS = {"sum": "mean", "mean": "sum", "zeros": "arange", "amin": "amax", "min": "max"}
DIAGONAL = {
    "np": "np.fill_diagonal({0}, {1}np.inf)",
    "torch": '{0} = {0}.masked_fill(torch.eye(len({0}), dtype=torch.bool, device={0}.device), float("{1}inf"))',
    "jnp": "{0} = jnp.where(jnp.eye(len({0}), dtype=bool), {1}jnp.inf, {0})",
}
UNIT = {
    "np": "{0} = {0} / np.linalg.norm({0}, axis=-1, keepdims=True)",
    "torch": "{0} = torch.nn.functional.normalize({0}, dim=-1)",
    "jnp": "{0} = {0} / jnp.linalg.norm({0}, axis=-1, keepdims=True)",
}


class Source(NamedTuple):
    """A function or class of the user: name · text · file and first line · space: the names that it sees."""

    name: str
    text: str
    file: str
    line: int
    space: dict[str, Any]

    @property
    def shown(self) -> str:
        """Its file, from the folder of the user."""
        return self.file.removeprefix(f"{Path.cwd()}/")


class Edit(NamedTuple):
    """A rewrite of a text: start, end: offsets that are replaced · new: what stands there then · line: of the
    start, from 0 · added: whether it is a new line."""

    start: int
    end: int
    new: str
    line: int
    added: bool = False

    def apply(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]


def mend(found: Found | Unknown, meant: Mapping[str, Any]) -> list[str]:
    """The place of the mistake and the line that mends it; the place of the loss if no line is known."""
    sources = find_sources(found.way)
    if not sources:
        return []
    end, want = time.process_time() + SECONDS, Wanted(found, meant)
    for source in () if want.is_met_by(sources[0], sources[0].text) else sources:
        for count, edit in enumerate(list_edits(source, found)):
            if time.process_time() > end or count > MANY:
                break
            if want.is_met_by(source, edit.apply(source.text)):
                return describe(source, edit, found)
    return [f"where     {sources[0].shown}, line {sources[0].line}"]


def describe(source: Source, edit: Edit, found: Found | Unknown) -> list[str]:
    old, new = source.text.splitlines(), edit.apply(source.text).splitlines()
    line = edit.line - edit.added
    mended = new[edit.line].strip()
    after = ", after it" if edit.added else ""
    return [
        f"where     {source.shown}, line {source.line + line}: {old[line].strip()}",
        f"fix: {mended}",
        f"          (tried{after}: then it is {found.claim or getattr(found, 'loss', '')})",
    ]


class Wanted:
    """What the mended loss must compute: the textbook's values at some points, and its gradient."""

    def __init__(self, found: Found | Unknown, meant: Mapping[str, Any]):
        self.way = found.way
        self.points = [*found.way.points(4, each=1)[:2], found.way.points(6, each=1)[0]]
        self.right = []
        of_sum = [1.0] * 3
        if isinstance(found, Unknown):  # then it is the claimed loss, with the numbers that it was given
            losses = [
                n for n in LOSSES if Program(n).arrays == found.way.arrays and public_name(n) == found.claim
            ]
            plains, numbers = [p for n in losses for p in list_bases(n)], read_numbers(found.way, meant)[0]
        else:
            kept = (r for r in found.program.rewrites if r.kind == "=")
            exchanged = any("axis" in d.mistake for d in found.differences)  # by which the anchors are others
            plains = [
                Program(found.program.loss, tuple(r for r in kept if not (exchanged and "anchors" in r.name)))
            ]
            setting = find_setting(found.way, None, found.tolerance)
            tau = meant.get("temperature") or (setting and setting.own) or found.temperature
            has_tau = bool(tau) and "temperature" in found.numbers
            numbers = {**found.numbers, **({"temperature": float(tau)} if has_tau and tau else {})}
            if found.factor and "sum" in found.factor.name:
                of_sum = [float(found.facts(at).rows) for at in self.points]
        for plain, times in product(plains, ([1.0] * 3, of_sum)):
            if set(plain.numbers) <= set(numbers):
                values = [t * plain.value(at, numbers) for t, at in zip(times, self.points)]
                slopes = plain.slopes(self.points[0], numbers)
                self.right.append((values, {n: times[0] * g for n, g in slopes.items()}))
        self.tolerance = 1e3 * max(found.tolerance, EXACT["float64"])

    def is_met_by(self, source: Source, text: str) -> bool:
        try:
            way = rebuild(self.way, source, text)
            first = way.value(self.points[0])
            for values, slopes in self.right:
                if not self.same(first, values[0]):
                    continue
                if all(self.same(way.value(at), v) for at, v in zip(self.points[1:], values[1:])):
                    own = way.ask(self.points[0], gradient=True)[1]
                    return own is None or all(
                        np.abs(own[n] - slopes[n]).max()
                        <= 10 * self.tolerance * (1 + np.abs(slopes[n]).max())
                        for n in own
                    )
        except (Exception, Refused, SystemExit):  # most rewrites make no sense
            return False
        return False

    def same(self, value: float, right: float) -> bool:
        return bool(abs(value - right) <= self.tolerance * (1 + abs(right)))


def find_sources(way: Stranger) -> list[Source]:
    """The loss, and the functions of its file that it may call, if their text is at hand."""
    made: Any = way.target.make
    top = made if inspect.isroutine(made) or inspect.isclass(made) else type(made)
    found: list[Source] = []
    todo = [top]
    for one in todo:
        try:
            lines, first = inspect.getsourcelines(one)
            file = inspect.getsourcefile(one) or ""
        except (OSError, TypeError):
            continue
        if getattr(one, "__closure__", None) or way.target.per_batch or (found and file != found[0].file):
            continue
        space = getattr(one, "__globals__", None) or vars(sys.modules[one.__module__])
        text = textwrap.dedent("".join(lines))
        found.append(Source(one.__name__, text, file, first, space))
        names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
        own = (space.get(name) for name in sorted(names))
        todo += [f for f in own if inspect.isfunction(f) or inspect.isclass(f) if f not in todo][:8]
    return found


def rebuild(way: Stranger, source: Source, text: str) -> Stranger:
    """The loss with one of its functions replaced."""
    space = dict(source.space)
    made: Any = way.target.make
    exec(compile(text, source.file, "exec"), space)
    for other in find_sources(way):  # the others call the new one
        if other.name != source.name:
            exec(compile(other.text, other.file, "exec"), space)
    top = made if inspect.isroutine(made) or inspect.isclass(made) else type(made)
    new = space[top.__name__]
    if top is not made:
        new, kind = copy.copy(made), new
        new.__class__ = kind
    return way._replace(session=way.session.again(make=new))


def list_edits(source: Source, found: Found | Unknown) -> Iterator[Edit]:
    """Each rewrite of an expression, then each line that may be missing."""
    text = source.text
    tree, starts = ast.parse(text), [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    raw = text.encode()

    def place(node: ast.AST) -> tuple[int, int]:
        at = starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return len(raw[: at[0]].decode()), len(raw[: at[1]].decode())

    def said(node: ast.AST) -> str:
        start, end = place(node)
        return text[start:end]

    def edit(node: ast.AST, new: str) -> Edit:
        return Edit(*place(node), new, node.lineno - 1)  # type: ignore[attr-defined]

    for node in ast.walk(tree):
        for new in reword(node, said, found):
            yield edit(node, new)
    every = text.splitlines(keepends=True)
    library = {"torch": "torch", "jax": "jnp"}.get(found.way.library, "np")
    at = np.cumsum([0, *map(len, every)])
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for function in functions:
        names = [a.arg for a in function.args.args if a.arg not in ("self", *TEMPERATURES, "labels")]
        body = function.body[1:] if ast.get_docstring(function) else function.body
        if not body or body[0].lineno == function.lineno:
            continue
        first, indent = body[0].lineno - 1, " " * body[0].col_offset
        inserted = [UNIT[library].format(name) for name in names[:3]]
        for new in dict.fromkeys(("; ".join(inserted[:2]), *inserted)):
            yield Edit(at[first], at[first], f"{indent}{new}\n", first, True)
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            end, indent = node.end_lineno or node.lineno, " " * node.col_offset
            for sign in ("-", ""):
                new = DIAGONAL[library].format(node.targets[0].id, sign)
                new = (
                    new
                    if sign
                    else new.replace("np.inf", "0").replace('float("inf")', "0").replace("jnp.inf", "0")
                )
                yield Edit(at[end], at[end], f"{indent}{new}\n", end, True)


def reword(node: ast.AST, said: Any, found: Found | Unknown) -> Iterator[str]:
    """The usual other ways to write an expression."""
    tau = next((n for n in parameters(found.way.session.function) if n in TEMPERATURES), "temperature")
    if isinstance(node, ast.BinOp):
        left, right = said(node.left), said(node.right)
        if isinstance(node.op, ast.Pow | ast.Div | ast.Mult | ast.Add | ast.Sub):
            yield left
        if isinstance(node.op, ast.Mult | ast.Sub):
            yield right
        if isinstance(node.op, ast.Mult):
            yield f"{left} / {right}"
        if isinstance(node.op, ast.Div):
            yield f"{left} * {right}"
        if isinstance(node.op, ast.MatMult):
            yield f"{left} @ {right} / {tau}"
    elif isinstance(node, ast.UnaryOp):
        yield said(node.operand)
    elif isinstance(node, ast.keyword) and node.arg in ("axis", "dim") and said(node.value) in ("0", "1"):
        yield f"{node.arg}={1 - int(said(node.value))}"
    elif (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    ):
        if node.value in (0, 1):
            yield str(1 - node.value)
        elif isinstance(node.value, float):
            yield tau
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        base, name = said(node.func.value), node.func.attr
        rest = said(node)[len(said(node.func)) :]
        if name in SWAPS:
            yield f"{base}.{SWAPS[name]}{rest}"
        if name == "zeros":
            yield f"{base}.arange({said(node.args[0])})" if node.args else said(node)
        if name in ("detach", "log", "exp", "clamp", "clip", "abs"):
            yield base
        if name in ("stop_gradient", "clip", "maximum") and node.args:
            yield said(node.args[0])
    elif isinstance(node, ast.Return) and node.value is not None:
        value = said(node.value)
        for new in ("-({})", "({}) / 2", "2 * ({})", "({}).mean()", f"({{}}) / {tau}", f"({{}}) * {tau}"):
            yield f"return {new.format(value)}"
