"""A second look at a proof: evaluate its lines with 50 digits at random points that the hypotheses allow.

It shares no code with the normal form, the calculus or the evaluator. It differentiates with dual numbers, ε² = 0.
It knows only the proof's hypotheses: an index is drawn from its range, and a map's value from its codomain, only if
they say so. The points begin with the smallest sizes and include equal rows, zeros and equal indices. The
hypotheses must hold at some points, also with every size above 1: a proof from contradictory hypotheses would be
empty.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from itertools import pairwise
from math import factorial, prod
from operator import add, mul
from random import Random
from typing import Any, NamedTuple

import mpmath
from mpmath import mpf
from sympy import (
    Add,
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
    Tuple,
    exp,
    log,
)

from .hypotheses import (
    HasSign,
    Hypothesis,
    Independent,
    InRange,
    MapsInto,
    Mask,
    NoFixedPoint,
    Size,
    WellDefined,
)
from .notation import Definition, Differ, Partial, base_of, is_index, quantities_of, sides
from .show import text

DIGITS = 50
NOTHING = mpf(10) ** -25  # smaller numbers count as 0: half of the digits may cancel
# Two values agree to this relative tolerance; a quotient may lose more digits than a difference.
ALIKE = mpf(10) ** -20
# The size of everything in the first draws; in later draws each size is drawn separately.
SIZES = (1, 1, 2, 3)
DRAWS, TRIES = 9, 64  # at least 9 draws that the hypotheses allow, at most 64 in all
TURNS = 6  # sets of values of the free indices at each draw
Places = Mapping[Symbol, int]  # index → its value


class Seed(NamedTuple):
    """The variable of a derivative: an array or a symbol, the entry, and the number of its ε."""

    epsilon: int
    variable: Expr
    place: tuple[int, ...]


class Refused(ValueError):
    """The lines disagree at a point that the hypotheses allow."""


class Outside(Exception):
    """The hypotheses exclude the point."""


class Jet:
    """a + b ε₁ + c ε₂ + d ε₁ε₂ + …, each ε with square 0: a value and its derivatives."""

    def __init__(self, parts: Mapping[frozenset[int], mpf]):
        self.parts = parts

    @property
    def real(self) -> mpf:
        return self.parts.get(frozenset(), mpf(0))

    def __add__(self, other: "Number") -> "Jet":
        parts = dict(self.parts)
        for which, part in _parts(other).items():
            parts[which] = parts.get(which, mpf(0)) + part
        return Jet(parts)

    def __mul__(self, other: "Number") -> "Jet":
        parts: dict[frozenset[int], mpf] = {}
        for which, part in self.parts.items():
            for other_which, other_part in _parts(other).items():
                if not which & other_which:
                    both = which | other_which
                    parts[both] = parts.get(both, mpf(0)) + part * other_part
        return Jet(parts)

    __radd__, __rmul__ = __add__, __mul__


Number = Any  # mpf or Jet


def _parts(number: Number) -> Mapping[frozenset[int], mpf]:
    return number.parts if isinstance(number, Jet) else {frozenset(): number}


def _real(number: Number) -> mpf:
    return number.real if isinstance(number, Jet) else number


def _function(number: Number, coefficient: Callable[[mpf, int], mpf]) -> Number:
    """f(a + n) = Σ f⁽ᵏ⁾(a)/k! nᵏ, a finite sum because n is nilpotent; `coefficient` gives f⁽ᵏ⁾(a)/k! from a
    and k.
    """
    if not isinstance(number, Jet):
        return coefficient(number, 0)
    real = number.real
    rest = Jet({which: part for which, part in number.parts.items() if which})
    result, power = Jet({frozenset(): coefficient(real, 0)}), Jet({frozenset(): mpf(1)})
    for order in range(1, len(frozenset().union(*rest.parts)) + 1):
        power = power * rest
        result = result + power * coefficient(real, order)
    return result


def _power(number: Number, exponent: Rational) -> Number:
    if exponent.q == 1 and exponent >= 0:
        result: Number = mpf(1)
        for _ in range(int(exponent)):
            result = result * number
        return result
    r = mpf(int(exponent.p)) / int(exponent.q)
    return _function(
        number, lambda a, k: prod(((r - n) / (n + 1) for n in range(k)), start=mpmath.power(a, r - k))
    )


class Draw:
    """A number for each symbol, entry and map, drawn when first needed, independent of the order in which they are
    needed."""

    STYLES = ("apart", "tied", "small", "zeros")

    def __init__(self, seed: int, hypotheses: Iterable[Hypothesis], ranges: Mapping[Symbol, Expr]):
        self.declared = ranges
        self.seed, self.style = seed, self.STYLES[seed % len(self.STYLES)]
        hypotheses = tuple(hypotheses)
        self.signs = {one.quantity: one.relation for one in hypotheses if isinstance(one, HasSign)}
        self.masks = {one.array for one in hypotheses if isinstance(one, Mask)}
        self.deranged = {one.map for one in hypotheses if isinstance(one, NoFixedPoint)}
        self.into = {one.map: (one.domain, one.codomain) for one in hypotheses if isinstance(one, MapsInto)}
        self.ranges = {one.index: one.size for one in hypotheses if isinstance(one, InRange)}
        self.whole = {one.symbol for one in hypotheses if isinstance(one, Size)}
        self.sizes: dict[Expr, int] = {}

    def random(self, *what: object) -> Random:
        return Random("|".join(map(str, (self.seed, *what))))

    def whole_number(self, size: Expr) -> int:
        """Return the value of a size, a polynomial in symbols for whole numbers."""
        if size not in self.sizes:
            values = {symbol: Rational(self.size(symbol)) for symbol in size.free_symbols}
            self.sizes[size] = int(size.xreplace(values))
        return self.sizes[size]

    def size(self, symbol: Symbol) -> int:
        return SIZES[self.seed] if self.seed < len(SIZES) else self.random(symbol).choice((1, 2, 3, 3, 4))

    def place(self, index: Symbol, turn: int) -> int:
        """Return the value of a free index: in the first turn equal for all indices of a range; in the last turn
        outside its range, unless a hypothesis forbids it.
        """
        ranges = {**self.declared, **self.ranges} if turn < TURNS - 1 else self.ranges
        end = self.whole_number(ranges[index]) if index in ranges else 5
        return self.random(turn, index if turn else "").randrange(end)

    def image(self, mapping: IndexedBase, place: tuple[int, ...]) -> int:
        domain, codomain = self.into.get(mapping, (None, None))
        inside = domain is not None and all(
            one < self.whole_number(side) for one, side in zip(place, sides(domain), strict=True)
        )
        images = list(range(self.whole_number(codomain) if inside else 5))
        if mapping in self.deranged:
            images = [image for image in images if (image,) != place]
        if not images:
            raise Outside
        return self.random(mapping, *place).choice(images)

    def number(self, quantity: Expr, place: tuple[int, ...] = ()) -> mpf:
        """Return the number of a symbol, or of an entry of an array, drawn when first needed."""
        if quantity in self.whole:
            return mpf(self.size(quantity))
        if quantity in self.masks:
            return mpf(self.random(quantity, *place).randrange(2))
        r = self.random(quantity, *(place[-1:] if self.style == "tied" else place))
        if self.style == "zeros":
            number = mpf(r.choice((0, 0, 1, -1)))
        else:
            number = mpf(r.choice([n for n in range(-12, 13) if n])) / (64 if self.style == "small" else 8)
        relation = self.signs.get(quantity)
        if relation == ">" and not number:
            return mpf(1) / 2
        return abs(number) if relation else number


class Interpreter:
    """Evaluates expressions at one point."""

    def __init__(self, draw: Draw, definitions: Iterable[Definition], needs: frozenset[WellDefined]):
        self.draw, self.needs = draw, needs
        self.definitions = {base_of(name.head): name for name in definitions}
        self.known: dict[Any, Number] = {}
        self.drawn: dict[Any, mpf] = {}
        self.images: dict[Any, int] = {}
        self.moving: dict[Expr, set[Expr]] = {}

    def value(self, node: Expr, at: Places) -> Number:
        """The value of an expression."""
        return self.of(read(node), at, ())

    def of(self, term: "Term", at: Places, seeds: tuple[Seed, ...]) -> Number:
        """Return the value of a term, with an ε for each variable in `seeds` on which it depends."""
        if seeds:
            seeds = tuple(
                seed for seed in seeds if not self.find_dependents(seed.variable).isdisjoint(term.quantities)
            )
        key = (term, *map(at.get, term.indices), seeds)
        if key not in self.known:
            self.known[key] = term.number(self, at, seeds)
        return self.known[key]

    def find_dependents(self, variable: Expr) -> set[Expr]:
        """Return the variable and all names whose definition depends on it."""
        if variable not in self.moving:
            moved, before = {variable}, 0
            while len(moved) > before:
                before = len(moved)
                moved |= {
                    head for head, name in self.definitions.items() if moved & read(name.body).quantities
                }
            self.moving[variable] = moved
        return self.moving[variable]

    def place(self, index: Expr, at: Places) -> int:
        """The value of an index, or of its image under a map."""
        if not isinstance(index, Indexed):
            return at[index]
        which = index.base, tuple(self.place(argument, at) for argument in index.indices)
        if which not in self.images:
            self.images[which] = self.draw.image(*which)
        return self.images[which]

    def quantity(self, quantity: Expr, place: tuple[int, ...], seeds: tuple[Seed, ...]) -> Number:
        """Return the value of a symbol or an entry: drawn, or from its definition, plus its own ε if it is a
        variable.
        """
        own = [number for number, seed in enumerate(seeds) if seed.variable == quantity]
        if quantity in self.definitions:
            name = self.definitions[quantity]
            outside = seeds[: own[0]] if own else seeds
            number = self.of(read(name.body), dict(zip(name.indices, place, strict=True)), outside)
            if quantity in self.draw.masks and _real(number) not in (0, 1):
                raise Outside
        else:
            which = quantity, place
            if which not in self.drawn:
                self.drawn[which] = self.draw.number(*which)
            number = self.drawn[which]
        for seed in (seeds[number] for number in own):
            if seed.place == place:
                number = Jet({frozenset({seed.epsilon}): mpf(1)}) + number
        return number

    def partial(self, inside: "Term", variable: Expr, at: Places, seeds: tuple[Seed, ...]) -> Number:
        """The derivative of a term by a symbol or an entry."""
        indices = variable.indices if isinstance(variable, Indexed) else ()
        epsilon = seeds[-1].epsilon + 1 if seeds else 0
        seed = Seed(epsilon, base_of(variable), tuple(self.place(index, at) for index in indices))
        parts = _parts(self.of(inside, at, (*seeds, seed)))
        slope = {which - {epsilon}: part for which, part in parts.items() if epsilon in which}
        return Jet(slope) if seeds else slope.get(frozenset(), mpf(0))

    def meaning(self, term: "Term", relation: str, at: Places, seeds: tuple[Seed, ...]) -> Number:
        """Return the value of the argument of a log, a root or a denominator. Raises Refused if its sign is
        not allowed.
        """
        number = self.of(term, at, seeds)
        real = _real(number)
        if abs(real) < NOTHING:
            real = mpf(0)
        if relation == "≥" and not real:
            if not isinstance(number, Jet):
                return mpf(0)
            relation = ">"  # a root has no derivative at 0
        if {"": True, "≠": real != 0, "≥": real >= 0, ">": real > 0}[relation]:
            return number
        stronger = {"≠": "≠>", "≥": "≥>", ">": ">"}[relation]
        if any(WellDefined(term.node, assumed) in self.needs for assumed in stronger):
            raise Outside
        raise Refused(
            f"second look: {text(term.node)} is {mpmath.nstr(real, 6)}, but {relation} 0 is not assumed"
        )


@dataclass(frozen=True, eq=False)
class Term:
    """An expression compiled to its value at a point, and the indices and quantities in it."""

    node: Expr
    number: Callable[[Interpreter, Places, tuple[Seed, ...]], Number]
    indices: tuple[Symbol, ...]
    quantities: frozenset[Expr]


@cache  # SymPy's tree is slow to walk, and a line is evaluated at some fifty points
def read(node: Expr) -> Term:
    """Compile an expression."""
    return Term(node, _number(node), tuple(filter(is_index, node.free_symbols)), quantities_of(node))


def _number(node: Expr) -> Callable[[Interpreter, Places, tuple[Seed, ...]], Number]:
    match node:
        case Rational():
            return lambda point, at, seeds: mpf(int(node.p)) / int(node.q)
        case Symbol() if is_index(node):
            return lambda point, at, seeds: mpf(at[node])
        case Symbol():
            return lambda point, at, seeds: point.quantity(node, (), seeds)
        case Indexed(base=base) if base.is_integer:
            return lambda point, at, seeds: mpf(point.place(node, at))
        case Indexed(base=base, indices=indices):
            return lambda point, at, seeds: point.quantity(
                base, tuple(point.place(index, at) for index in indices), seeds
            )
        case KroneckerDelta(args=(left, right)):
            return lambda point, at, seeds: mpf(point.place(left, at) == point.place(right, at))
        case Differ(args=(left, right)):
            return lambda point, at, seeds: mpf(point.place(left, at) != point.place(right, at))
        case Sum():
            return _sum(read(node.function), *node.limits)
        case Partial(args=(inside, variable)):
            whole = read(inside)
            return lambda point, at, seeds: point.partial(whole, variable, at, seeds)
        case Add() | Mul():
            combine, terms = (add if isinstance(node, Add) else mul), tuple(map(read, node.args))
            return lambda point, at, seeds: reduce(combine, (point.of(term, at, seeds) for term in terms))
        case exp(args=(exponent,)):
            inner = read(exponent)
            return lambda point, at, seeds: _function(
                point.of(inner, at, seeds), lambda a, k: mpmath.exp(a) / factorial(k)
            )
        case log(args=(argument,)):
            inner = read(argument)
            return lambda point, at, seeds: _function(
                point.meaning(inner, ">", at, seeds),
                lambda a, k: -((-1 / a) ** k) / k if k else mpmath.log(a),
            )
        case Pow(base=base, exp=Rational() as exponent) if exponent.q == 1:
            below, relation = read(base), "≠" if exponent < 0 else ""
            return lambda point, at, seeds: _power(point.meaning(below, relation, at, seeds), exponent)
        case Pow(base=base, exp=Rational() as exponent) if base != E:
            return _root(read(base), exponent)
    if node == E:
        return lambda point, at, seeds: mpmath.exp(1)
    raise Refused(f"second look: {node} has no numerical value")


def _sum(body: Term, *limits: Tuple) -> Callable[[Interpreter, Places, tuple[Seed, ...]], Number]:
    *inner, (index, low, high) = limits

    def total(point: Interpreter, at: Places, seeds: tuple[Seed, ...]) -> Number:
        within = dict(at)
        result: Number = mpf(0)
        for place in range(int(low), point.draw.whole_number(high) + 1):
            within[index] = place
            result = result + of(point, within, seeds)
        return result

    of = _sum(body, *inner) if inner else lambda point, at, seeds: point.of(body, at, seeds)
    return total


def _root(base: Term, exponent: Rational) -> Callable[[Interpreter, Places, tuple[Seed, ...]], Number]:
    def root(point: Interpreter, at: Places, seeds: tuple[Seed, ...]) -> Number:
        number = point.meaning(base, ">" if exponent < 0 else "≥", at, seeds)
        return _power(number, exponent) if number else number

    return root


class Point(NamedTuple):
    """The point at which the expressions were evaluated, in words, and their values."""

    where: str
    values: tuple[mpf, ...]


def points(
    expressions: Sequence[Expr],
    definitions: Iterable[Definition],
    hypotheses: Iterable[Hypothesis],
    ranges: Mapping[Symbol, Expr],
) -> Iterator[Point]:
    """Yield the values of the expressions at several points that the hypotheses allow.

    Raises Refused if there are none. ranges: the ranges of the free indices, even of those that no step uses.
    """
    hypotheses = tuple(hypotheses)
    sizes = {one.symbol for one in hypotheses if isinstance(one, Size)}
    opened = _drop_independent(expressions, tuple(definitions), hypotheses)
    needs = frozenset(one for one in hypotheses if isinstance(one, WellDefined))
    free = sorted({index for expression in expressions for index in read(expression).indices}, key=str)
    allowed = 0
    unseen = set(sizes)  # sizes that have not yet been above 1
    with mpmath.workdps(DIGITS):
        for seed in range(TRIES):
            draw = Draw(seed, hypotheses, ranges)
            interpreter, seen, fits = Interpreter(draw, opened, needs), set(), False
            for turn in range(TURNS if free else 1):
                at = {index: draw.place(index, turn) for index in free}
                if tuple(at.values()) in seen:
                    continue
                seen.add(tuple(at.values()))
                try:
                    values = tuple(interpreter.value(expression, at) for expression in expressions)
                except Outside:
                    continue
                if turn < TURNS - 1:
                    unseen = {symbol for symbol in unseen if draw.size(symbol) == 1}
                    fits = True
                drawn = {symbol: draw.size(symbol) for symbol in draw.whole} | at
                where = (f"{name} = {value}" for name, value in sorted(drawn.items(), key=str))
                yield Point(", ".join(where), values)
            allowed += fits
            if allowed >= DRAWS and not unseen:
                return
    if not allowed or unseen:
        large = "".join(f" and {symbol} > 1" for symbol in sorted(unseen, key=str)) if allowed else ""
        assumed = "; ".join(map(str, sorted(needs, key=str)))
        raise Refused(f"second look: no point satisfies the assumptions{large}: {assumed}")


def _drop_independent(
    expressions: Sequence[Expr], definitions: tuple[Definition, ...], hypotheses: Iterable[Hypothesis]
) -> list[Definition]:
    """Drop the definitions of variables that occur only in derivatives, whose values are free."""
    independent = {one.quantity for one in hypotheses if isinstance(one, Independent)}
    opened = []
    for name in definitions:
        others = [other.body for other in definitions if other is not name]
        beside = set().union(*map(_numbers, (*expressions, *others)))
        if base_of(name.head) not in independent or _numbers(name.body) & beside:
            opened.append(name)
    return opened


@cache
def _numbers(expression: Expr) -> set[Expr]:
    return {quantity for quantity in quantities_of(expression) if not quantity.is_integer}


def agree(left: mpf, right: mpf) -> bool:
    return abs(left - right) <= ALIKE * max(1, abs(left), abs(right))


def require_equal(
    lines: Sequence[Expr],
    definitions: Iterable[Definition],
    hypotheses: Iterable[Hypothesis],
    ranges: Mapping[Symbol, Expr],
) -> None:
    """Raise Refused if two of the lines differ at a point that the hypotheses allow."""
    for where, (first, *others) in points(lines, definitions, hypotheses, ranges):
        for line, value in zip(lines[1:], others, strict=True):
            if not agree(first, value):
                raise Refused(
                    f"second look: two lines differ at {where or 'a point'}:\n    {text(lines[0])} is"
                    f" {mpmath.nstr(first, 12)}\n    {text(line)} is {mpmath.nstr(value, 12)}"
                )


def require_ordered(
    lines: Sequence[Expr],
    definitions: Iterable[Definition],
    hypotheses: Iterable[Hypothesis],
    ranges: Mapping[Symbol, Expr],
    strict: bool = False,
) -> None:
    """Raise Refused unless each line is ≤ the next (< if strict) at every drawn point."""
    for where, values in points(lines, definitions, hypotheses, ranges):
        for (small, below), (large, above) in pairwise(zip(lines, values, strict=True)):
            if below > above + ALIKE * max(1, abs(below), abs(above)) or (strict and not below < above):
                raise Refused(
                    f"second look: at {where or 'a point'} it is false that {text(small)}, which is"
                    f" {mpmath.nstr(below, 12)}, is {'<' if strict else '≤'} {text(large)},"
                    f" {mpmath.nstr(above, 12)}"
                )
