"""The language of a line: check an expression, or raise ValueError with the rule that it breaks."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from string import ascii_letters, digits

from sympy import (
    Add,
    Dummy,
    E,
    Expr,
    Indexed,
    IndexedBase,
    KroneckerDelta,
    Mul,
    Pow,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
)

from .calculus import check_variable
from .notation import Definition, Differ, Partial, base_of, is_index, refuse_circles, sides
from .show import LETTERS
from .signs import is_nonnegative, is_positive, is_real


@dataclass(frozen=True)
class Facts:
    """Assumptions about the symbols.

    ranges: free index → the size of its range 0 … size − 1. maps: a map between indices → (size of its domain, or
    the sizes for each of several indices, size of its codomain). derangements: the maps p with p(i) ≠ i. masks: the
    arrays whose entries are 0 or 1.
    """

    ranges: Mapping[Symbol, Expr] = field(default_factory=dict)
    maps: Mapping[IndexedBase, tuple[Expr | tuple[Expr, ...], Expr]] = field(default_factory=dict)
    derangements: tuple[IndexedBase, ...] = ()
    masks: tuple[IndexedBase, ...] = ()

    def __hash__(self) -> int:
        return hash(
            (*(frozenset(table.items()) for table in (self.ranges, self.maps)), self.derangements, self.masks)
        )


class Language:
    """Checks expressions under facts and definitions; an array has the same number of indices everywhere."""

    def __init__(self, facts: Facts, names: Iterable[Definition] = ()):
        self.facts, self.names = facts, tuple(names)
        refuse_circles(self.names)
        self.defined = {base_of(name.head) for name in self.names}
        self.ranks: dict[Expr, int] = {}
        self._check_facts()
        for name in self.names:
            self._check_definition(name)

    def check(self, *expressions: Expr) -> None:
        """Raise ValueError if an expression is not in the language."""
        for expression in expressions:
            self._walk(expression, dict(self.facts.ranges))

    def _check_facts(self) -> None:
        facts = self.facts
        for index, size in facts.ranges.items():
            if not is_index(index):
                raise ValueError(f"facts: {index} has a range, but is not an index; {_AN_INDEX}")
            self._check_size(size, index)
        for mapping, (domain, codomain) in facts.maps.items():
            for size in (*sides(domain), codomain):
                self._check_size(size, mapping)
            if isinstance(domain, tuple) and mapping in facts.derangements:
                raise ValueError(f"facts: {mapping} has several indices, so it cannot be a derangement")
        for mapping in (*facts.maps, *facts.derangements):
            if not mapping.is_integer:
                raise ValueError(f"facts: {mapping} maps indices to indices; declare it integer=True")
        for array in (*facts.maps, *facts.derangements, *facts.masks):
            if array in self.defined:
                raise ValueError(
                    f"facts: {array} is defined, so nothing can be assumed of it; prove it instead"
                )

    def _check_definition(self, name: Definition) -> None:
        head, body = name.head, name.body
        if isinstance(head, Indexed):
            self._check_rank(head)
        known = {index: size for index, size in self.facts.ranges.items() if index not in name.indices}
        self._walk(body, known)
        if base_of(head).is_integer and isinstance(head, Indexed):
            raise ValueError(
                f"definition of {head}: a map between indices cannot be defined; state facts about it"
            )
        for word, promised, kept in (
            ("an integer", head.is_integer, body.is_integer),
            ("> 0", head.is_positive, is_positive(body)),
            ("≥ 0", head.is_nonnegative, is_nonnegative(body)),
            ("real", head.is_real, is_real(body)),
        ):
            if promised and not kept:
                raise ValueError(
                    f"definition of {head}: the name is declared {word}, and {body} is not known to be"
                )

    def _walk(self, node: Expr, ranges: dict[Symbol, Expr]) -> None:
        match node:
            case Rational():
                pass
            case Symbol():
                self._check_symbol(node, ranges)
            case Indexed():
                self._check_entry(node, ranges)
            case KroneckerDelta() if len(node.args) > 2:
                raise ValueError(
                    f"sums: {node} has a range of its own; write δ without one, and the range in the sum"
                )
            case KroneckerDelta() | Differ():
                for index in node.args:
                    self._check_index(index, ranges)
            case Sum():
                self._check_sum(node, ranges)
            case Pow(base=base, exp=Rational()) if base != E:
                _check_power(node)
                self._walk(base, ranges)
            case Partial() | Add() | Mul() | exp() | log():
                if isinstance(node, Partial):
                    check_variable(node.args[1])
                    if base_of(node.args[1]) in self.facts.masks:
                        raise ValueError(f"facts: {node.args[1]} is 0 or 1, where it cannot vary")
                for argument in node.args:
                    self._walk(argument, ranges)
            case _ if node != E:
                raise ValueError(
                    f"sums: no rule for {type(node).__name__} in {node}; write it with real symbols, fractions,"
                    " sums, exp, log and powers by fractions"
                )

    def _check_symbol(self, symbol: Symbol, ranges: Mapping[Symbol, Expr]) -> None:
        if isinstance(symbol, Dummy) and symbol not in ranges:
            raise ValueError(f"sums: {symbol} is a Dummy that no sum binds; use a symbol")
        if not symbol.is_real:
            raise ValueError(
                f"sums: {symbol} is not declared real, and every rule is one of real numbers; say real=True"
            )

    def _check_entry(self, entry: Indexed, ranges: Mapping[Symbol, Expr]) -> None:
        self._check_rank(entry)
        if not entry.base.label.is_real:
            raise ValueError(
                f"sums: {entry.base} is not declared real, and every rule is one of real numbers; say real=True"
            )
        for index in entry.indices:
            self._check_index(index, ranges)
        if entry.base in self.facts.maps:
            self._range_of(entry, ranges)

    def _check_rank(self, entry: Indexed) -> None:
        rank = self.ranks.setdefault(entry.base, len(entry.indices))
        if rank != len(entry.indices):
            raise ValueError(f"sums: {entry.base} has {rank} indices elsewhere, unlike in {entry}")

    def _check_index(self, index: Expr, ranges: Mapping[Symbol, Expr]) -> None:
        if isinstance(index, Indexed) and index.base.is_integer:
            self._check_rank(index)
            for argument in index.indices:
                self._check_index(argument, ranges)
            self._range_of(index, ranges)
        elif isinstance(index, Dummy) and index not in ranges:
            raise ValueError(f"sums: {index} is a Dummy that no sum binds; use a symbol")
        elif not is_index(index):
            raise ValueError(f"sums: {index} is not an index; {_AN_INDEX}, or a map of one")

    def _range_of(self, index: Expr, ranges: Mapping[Symbol, Expr]) -> Expr | None:
        """The size of an index's range, if known."""
        if isinstance(index, Symbol):
            return ranges.get(index)
        domain, codomain = self.facts.maps.get(index.base, (None, None))
        found = [self._range_of(argument, ranges) for argument in index.indices]
        if domain is None:
            return codomain
        if len(found) != len(sides(domain)):
            raise ValueError(
                f"sums: {index.base} is a map of {len(sides(domain))} indices, unlike in {index}"
            )
        for size, side in zip(found, sides(domain), strict=True):
            if size is not None and size != side:
                raise ValueError(
                    f"sums: {index.base} is a map of 0 … {side} − 1, but in {index} its argument runs to {size} − 1"
                )
        return codomain

    def _check_sum(self, node: Sum, ranges: dict[Symbol, Expr]) -> None:
        within = dict(ranges)
        for limit in reversed(node.limits):  # the outermost first
            if len(limit) != 3:
                raise ValueError(f"sums: {limit[0]} has no range; let it run from 0 to a size − 1")
            index, low, high = limit
            if index in self.defined:
                raise ValueError(
                    f"sums: {index} is a defined name, so no sum may run over it; rename one of the two"
                )
            if not is_index(index):
                raise ValueError(f"sums: {index} is not an index, so no sum may run over it; {_AN_INDEX}")
            if low != 0:
                raise ValueError(f"sums: {index} runs from {low} to {high}; let it run from 0 to a size − 1")
            self._check_size(high + 1, index)
            within[index] = high + 1
        self._walk(node.function, within)

    def _check_size(self, size: Expr, whose: Expr) -> None:
        if size.has(Indexed) or any(map(is_index, size.free_symbols)):
            raise ValueError(
                f"sums: {whose} runs to {size} − 1, which is not a size − 1: it depends on an index"
            )
        if not (size.is_integer and size.is_positive):
            raise ValueError(
                f"sums: a range of size {size} may be empty; use a size that is a whole number and positive"
            )


def _check_power(node: Pow) -> None:
    if node.base.is_number and node.exp.q != 1 and not is_positive(node.base):
        raise ValueError(
            f"sums: {node} is a root of a number that is not known to be > 0; all numbers must be real"
        )
    if node.base == 0 or node.exp == 0:
        raise ValueError(f"sums: {node} is a power of 0, or to the 0; write the number that is meant")


_AN_INDEX = "an index is a symbol that is declared integer=True, nonnegative=True and no more"


def refuse_ambiguity(expressions: Iterable[Expr], ranges: Iterable[tuple[Symbol, Expr]] = ()) -> None:
    """Raise ValueError if two different things would be printed alike, such as two names, or two sums over one
    index with different ranges.

    Also refuse a name with letters that may be mistaken for others, and a sum that binds an index twice. ranges:
    those of the free indices.
    """
    objects: dict[str, Expr] = {}
    sizes: dict[Symbol, Expr] = {}
    ranges = tuple(ranges)

    def run(index: Symbol, size: Expr) -> None:
        if sizes.setdefault(index, size) != size:
            raise ValueError(
                f"names: {index} runs to {sizes[index]} − 1 and to {size} − 1; give one of them another letter"
            )

    for index, size in ranges:
        run(index, size)
    for expression in (*expressions, *(part for both in ranges for part in both)):
        for node in _parts(expression):
            if isinstance(node, Sum) and len({limit[0] for limit in node.limits}) < len(node.limits):
                raise ValueError(f"names: {node} binds an index twice; give each sum an index of its own")
            for index, _, last in node.limits if isinstance(node, Sum) else ():
                run(index, last + 1)
            quantity = base_of(node)
            if quantity == E:
                spellings = {"E"}
            elif isinstance(quantity, (Symbol, IndexedBase)):
                spellings = {_plain(quantity.name), LETTERS.get(quantity.name, quantity.name)}
            else:
                continue
            for written in spellings:
                if objects.setdefault(written, quantity) != quantity:
                    raise ValueError(
                        f"names: two different things are written {written}: {_about(objects[written])} and"
                        f" {_about(quantity)}; give one of them another name"
                    )


# Greek letters that do not look like Latin ones
_LETTERS = set(ascii_letters + digits + "_ΓΔΘΛΞΠΣΦΨΩαβγδεζηθικλμνξπρςστυφχψωϑϖϰϱ′″°‖ᐟ⁺⁻")
_FONT, _RAISED = "<font>", ("<super>", "<sub>")


def _plain(name: str) -> str:
    """The name in a spelling shared by all that look like it. Raises ValueError for other signs than
    letters and marks."""
    spelt = ""
    for sign in unicodedata.normalize("NFD", name).replace("″", "′′"):
        kind, _, code = unicodedata.decomposition(sign).partition(" ")
        if kind == _FONT:  # ℒ and 𝓛 are one
            spelt += f"{_FONT}{chr(int(code, 16))}"
            continue
        if not (sign in _LETTERS or kind in _RAISED or unicodedata.category(sign) == "Mn"):
            raise ValueError(
                f"names: {name!r} holds {sign!r}, which may look like something else; write names in Latin letters,"
                " figures, marks, and the Greek letters that Latin lacks"
            )
        spelt += sign
    return spelt


def _parts(node: Expr) -> Iterator[Expr]:
    """The node and its parts, without the labels of arrays."""
    yield node
    inside = () if isinstance(node, IndexedBase) else node.indices if isinstance(node, Indexed) else node.args
    for part in inside:
        yield from _parts(part)


def _about(quantity: Expr) -> str:
    if quantity == E:
        return "the number e"
    kind = (
        "an array" if isinstance(quantity, IndexedBase) else "an index" if is_index(quantity) else "a symbol"
    )
    words = ("integer", "positive", "nonnegative", "real")
    declared = [word for word in words if getattr(quantity, f"is_{word}")]
    return f"{kind} ({', '.join(declared) or 'no assumptions'})"
