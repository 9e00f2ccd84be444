"""Inequalities. For every size: the signs of terms, and one lemma, log x ≤ x − 1. For numbers: exact signs of
sums of logarithms of fractions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import mpmath
from sympy import Add, Expr, Indexed, Integer, KroneckerDelta, Mul, Pow, Rational, Sum, Symbol, exp, log

from .notation import Definition, Differ, Partial, total, unfold
from .proof import DEFINITION, DERIVATIVE, Proof, derive, needed
from .show import latex, text
from .sums import Facts, NotProved

LEMMA = "log x ≤ x − 1"


def is_positive(node: Expr) -> bool:
    """Whether the expression is seen to be > 0 from the signs of its parts."""
    match node:
        case exp():
            return True
        case Sum():
            return is_positive(node.function) and all((high + 1).is_positive for _, _, high in node.limits)
        case Add():
            return all(map(is_nonnegative, node.args)) and any(map(is_positive, node.args))
        case Mul():
            return all(map(is_positive, node.args))
        case Pow():
            return is_positive(node.base)
    return isinstance(node, (Rational, Symbol, Indexed)) and bool(node.is_positive)


def is_nonnegative(node: Expr) -> bool:
    """Whether the expression is seen to be ≥ 0 from the signs of its parts; squares are of real numbers."""
    match node:
        case _ if is_positive(node):
            return True
        case KroneckerDelta() | Differ():
            return True
        case Sum():
            return is_nonnegative(node.function)
        case Add() | Mul():
            return all(map(is_nonnegative, node.args))
        case Pow():
            even = node.exp.is_integer and node.exp % 2 == 0 and node.exp > 0
            return bool(even) or (is_nonnegative(node.base) and bool(node.exp.is_real))  # 1/0 is no number
    return isinstance(node, (Rational, Symbol, Indexed)) and bool(node.is_nonnegative)


def lemma() -> tuple[Proof, Proof]:
    """log x ≤ x − 1 for x > 0, with equality at x = 1 only: x − 1 − log x is 0 at 1 and rises to both sides.

    At x = 1 + t its slope in t is t/(1 + t), and at x = 1/(1 + t) it is t/(1 + t)²: positive for t > 0.
    """
    t = Symbol("t", positive=True)
    after = derive(Partial(t - log(1 + t), t), (DERIVATIVE, t / (1 + t)), facts=Facts())
    inverse = 1 / (1 + t)
    before = derive(Partial(inverse - 1 - log(inverse), t), (DERIVATIVE, t / (1 + t) ** 2), facts=Facts())
    for slope in (after, before):
        if not is_positive(slope.lines[-1].expression):
            raise NotProved(f"{LEMMA}: the slope {text(slope.lines[-1].expression)} is not seen to be > 0")
    return after, before


class Use(NamedTuple):
    """One use of the lemma: Σ weight · (log top − log bottom) ≤ Σ weight · (top/bottom − 1).

    limits: those of the sum, as in `total`; without them the use is of one term.
    """

    weight: Expr
    top: Expr
    limits: tuple[tuple[Symbol, Expr], ...] = ()
    bottom: Expr = Integer(1)

    def sum(self, of: Expr) -> Expr:
        return total(self.weight * of, *self.limits) if self.limits else self.weight * of


@dataclass(frozen=True)
class Bound:
    """first = Σ weight · log(top/bottom) ≤ Σ weight · (top/bottom − 1) = last: two proofs, the lemma between."""

    above: Proof
    below: Proof

    def __str__(self) -> str:
        head, *rest = str(self.below).splitlines()
        return "\n".join([str(self.above), f"  ≤ {head.strip()}   [{LEMMA} ✓]", *rest])

    def latex(self) -> list[tuple[str, str]]:
        """As `Proof.latex`; the line that carries the lemma's name is ≤, not =."""
        (first, _), *rest = self.below.latex()
        return [*self.above.latex(), (first, LEMMA), *rest]


def bound(first: Expr, *uses: Use, last: Expr, names: Iterable[Definition] = (), facts: Facts) -> Bound:
    """Proves first ≤ last by the lemma, or raises NotProved: a weight is not ≥ 0, or a top or bottom not > 0."""
    names = tuple(names)
    for use in uses:
        if not is_nonnegative(unfold(use.weight, names)):
            raise NotProved(f"{LEMMA}: the weight {text(use.weight)} is not seen to be ≥ 0")
        for part in (use.top, use.bottom):
            if not is_positive(unfold(part, names)):
                raise NotProved(f"{LEMMA}: {text(part)} is not seen to be > 0")
    logs = Add(*(use.sum(log(use.top) - log(use.bottom)) for use in uses))
    lines = Add(*(use.sum(use.top / use.bottom - 1) for use in uses))

    def equal(one: Expr, other: Expr) -> Proof:
        steps = () if one == other else ((DEFINITION, other),)  # a line is not proved from itself
        return derive(one, *steps, names=names, facts=facts)

    return Bound(equal(first, logs), equal(lines, last))


@dataclass(frozen=True)
class Sign:
    """An expression whose sign is seen from the signs of its parts: ≥ 0, or > 0 where it is strict."""

    expression: Expr
    strict: bool = False

    def __str__(self) -> str:
        assuming = (
            ["  assuming " + "; ".join(dict.fromkeys(needs))] if (needs := needed(self.expression)) else []
        )
        return "\n".join(
            [f"    {text(self.expression)} {'>' if self.strict else '≥'} 0   [signs ✓]", *assuming]
        )

    def latex(self) -> list[tuple[str, str]]:
        relation = ">" if self.strict else r"\ge"
        return [(f"{latex(self.expression)} {relation} 0", "signs")]


def nonnegative(expression: Expr, names: Iterable[Definition] = ()) -> Sign:
    """Proves expression ≥ 0 from the signs of its parts, or raises NotProved."""
    if not is_nonnegative(unfold(expression, tuple(names))):
        raise NotProved(f"{text(expression)} is not seen to be ≥ 0")
    return Sign(expression)


def positive(expression: Expr, names: Iterable[Definition] = ()) -> Sign:
    """Proves expression > 0 from the signs of its parts, or raises NotProved."""
    if not is_positive(unfold(expression, tuple(names))):
        raise NotProved(f"{text(expression)} is not seen to be > 0")
    return Sign(expression, strict=True)


class Logs:
    """Σ weight · log(argument), weights and arguments fractions: an exact number with a sign."""

    def __init__(self, weights: Mapping[Fraction, Fraction] | None = None):
        self.weights = {a: w for a, w in (weights or {}).items() if w and a != 1}

    @classmethod
    def of(cls, argument, weight=1) -> "Logs":
        return cls({Fraction(argument): Fraction(weight)})

    def __add__(self, other: "Logs") -> "Logs":
        weights = dict(self.weights)
        for argument, weight in other.weights.items():
            weights[argument] = weights.get(argument, Fraction(0)) + weight
        return Logs(weights)

    def __neg__(self) -> "Logs":
        return self * -1

    def __sub__(self, other: "Logs") -> "Logs":
        return self + -other

    def __mul__(self, scale) -> "Logs":
        return Logs({argument: weight * scale for argument, weight in self.weights.items()})

    def sides(self) -> tuple[int, int]:
        """Two whole numbers of which the first is the larger, equal or smaller as the sum is > 0, = 0 or < 0."""
        common = lcm(*(weight.denominator for weight in self.weights.values()))
        left = right = 1
        for argument, weight in self.weights.items():
            times = int(abs(weight) * common)
            above, under = argument.numerator**times, argument.denominator**times
            left, right = (left * above, right * under) if weight > 0 else (left * under, right * above)
        return left, right

    @property
    def sign(self) -> int:
        left, right = self.sides()
        return (left > right) - (left < right)

    def __float__(self) -> float:
        return float(sum((_mpf(w) * mpmath.log(_mpf(a)) for a, w in self.weights.items()), mpmath.mpf(0)))

    def __str__(self) -> str:
        signs = {Fraction(1): "", Fraction(-1): "-"}
        parts = [f"{signs.get(w, f'{w}·')}log({a})" for a, w in sorted(self.weights.items())]
        return f"{' + '.join(parts) or '0'} ≈ {float(self):.6f}"


def _mpf(number: Fraction) -> mpmath.mpf:
    return mpmath.mpf(number.numerator) / number.denominator
