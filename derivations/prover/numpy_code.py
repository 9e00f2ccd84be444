"""Write a proved closed form as a NumPy function, one line for each name and one axis for each index. The code is
meant to be read, not to be fast.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from keyword import kwlist
from typing import NamedTuple

from sympy import Expr, Indexed, Sum, Symbol
from sympy.printing.numpy import NumPyPrinter

from .language import Facts
from .notation import Definition, base_of, is_index, order_definitions, quantities_of, rename_indices, sides

_SPELLED = {"′": "_prime", "⁺": "_plus", "⁻": "_minus", "°": "_held", "‖": "norm_", "\u0304": "_bar"}


class Code(NamedTuple):
    """The source of a function. arguments: for each, its quantity and its shape. indices: those of the
    returned array."""

    source: str
    arguments: Mapping[str, tuple[Expr, tuple[Expr, ...]]]
    indices: tuple[Symbol, ...]


def write_numpy(
    function: str, form: Expr, indices: Sequence[Symbol], *, names: Iterable[Definition], facts: Facts
) -> Code:
    """Write a function of keyword arguments (arrays, numbers, sizes) that returns the form as an array
    with one axis for each index."""
    needed = order_definitions({base_of(name.head): name for name in names}, [form])
    parts = [form, *(name.body for name in needed)]
    sizes = {size for part in parts for size in _sizes(part, indices, facts).values()}
    defined = {base_of(name.head) for name in needed}
    given = {
        each for part in (*parts, *sizes) for each in quantities_of(part) if not is_index(each)
    } - defined
    axes = {index for part in map(rename_indices, parts) for index in _sizes(part, indices, facts)}
    axes.update(*(name.indices for name in needed))
    reserved = {"numpy", *kwlist}
    spelled = _spell(axes, reserved)
    spelled |= _spell(given | defined, reserved | {*spelled.values()})
    arguments = {spelled[each]: (each, _shape(each, parts, facts)) for each in given}
    inputs = ", ".join(["*", *sorted(arguments)] if arguments else [])
    lines = ["import numpy", "", "", f"def {function}({inputs}):"]
    for name in needed:
        grid, value = _array(name.body, name.indices, spelled, facts)
        lines += [*grid, f"    {spelled[base_of(name.head)]} = {value}"]
    grid, value = _array(form, indices, spelled, facts)
    return Code("\n".join([*lines, *grid, f"    return {value}", ""]), arguments, tuple(indices))


def _array(
    body: Expr, indices: Sequence[Symbol], spelled: Mapping[Expr, str], facts: Facts
) -> tuple[list[str], str]:
    """Write the line that gives each index an axis, and the expression of the array, summed over all other
    indices.
    """
    body = rename_indices(body)
    sizes = _sizes(body, indices, facts)
    axes = [*indices, *sorted(sizes.keys() - indices, key=str)]
    printer = _Printer(axes, spelled)
    value = printer.doprint(body)
    if not axes:
        return [], value
    shape = [printer.doprint(sizes[index]) for index in axes]
    grid = f"    {', '.join(spelled[index] for index in axes)} = numpy.ogrid[{', '.join(f':{n}' for n in shape)}]"
    kept, summed = shape[: len(indices)], ["1"] * (len(axes) - len(indices))
    if not all(body.has(index) for index in indices):
        value = f"numpy.broadcast_to({value}, ({', '.join([*kept, *summed])},))"
    return [grid], f"numpy.reshape({value}, ({', '.join(kept)}))" if summed else value


class _Printer(NumPyPrinter):
    def __init__(self, axes: Sequence[Symbol], spelled: Mapping[Expr, str]):
        super().__init__()
        self.axes, self.spelled = list(axes), spelled

    def _print_Symbol(self, node):
        return self.spelled[node]

    def _print_Indexed(self, node):
        return f"{self.spelled[node.base]}[{', '.join(map(self._print, node.indices))}]"

    def _print_Sum(self, node):
        body, factor = self._print(node.function), ""
        axes = [self.axes.index(index) for index, _, _ in node.limits if node.function.has(index)]
        for index, _, high in node.limits:
            if not node.function.has(index):
                factor += f"({self._print(high + 1)})*"
        value = f"numpy.sum({body}, axis={tuple(axes)}, keepdims=True)" if axes else f"({body})"
        return f"({factor}{value})" if factor else value

    def _print_KroneckerDelta(self, node):
        return f"1*({' == '.join(map(self._print, node.args))})"

    def _print_Differ(self, node):
        return f"1*({' != '.join(map(self._print, node.args))})"


def _sizes(expression: Expr, indices: Iterable[Symbol], facts: Facts) -> dict[Symbol, Expr]:
    """Every index, and the size of its range."""
    bound = {index: high + 1 for each in expression.atoms(Sum) for index, _, high in each.limits}
    free = {*indices, *(index for index in expression.free_symbols if is_index(index))}
    return bound | {index: facts.ranges[index] for index in free}


def _shape(quantity: Expr, parts: Iterable[Expr], facts: Facts) -> tuple[Expr, ...]:
    """The sizes of an array's axes, taken from its first entry; () for a number."""
    if quantity in facts.maps:
        return sides(facts.maps[quantity][0])
    for part in map(rename_indices, parts):
        for entry in part.atoms(Indexed):
            if entry.base == quantity:
                sizes = _sizes(part, (), facts)
                return tuple(
                    facts.maps[index.base][1] if isinstance(index, Indexed) else sizes[index]
                    for index in entry.indices
                )
    return ()


def _spell(quantities: Iterable[Expr], taken: Set[str]) -> dict[Expr, str]:
    """Choose a Python identifier for each name, all different and none of those taken."""
    spelled: dict[Expr, str] = {}
    for each in sorted(quantities, key=str):
        word = _identifier(str(each))
        while word in taken or word in spelled.values():
            word += "_"
        spelled[each] = word
    return spelled


def _identifier(name: str) -> str:
    for sign, word in _SPELLED.items():
        name = name.replace(sign, word, 1).replace(sign, "")
    return re.sub(r"\W", "_", unicodedata.normalize("NFKC", name))
