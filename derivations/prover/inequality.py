"""Prove inequalities: for every size by the signs of terms and by one lemma, log x ≤ x − 1; for numbers by exact
signs of sums of logarithms of fractions.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import lcm
from typing import ClassVar, NamedTuple

import mpmath
from sympy import Add, Expr, Integer, Symbol, log

from . import second_look
from .hypotheses import Hypothesis
from .language import Facts, Language, refuse_ambiguity
from .notation import Definition, Partial, sides_of, sum_over, unfold
from .proof import DEFINITION, DERIVATIVE, Derivation, Proof, Step, derive, find_assumptions, find_used_names
from .show import text
from .signs import is_nonnegative, is_positive
from .zero_test import NotProved

LEMMA = "log x ≤ x − 1"
BY_SIGNS = "signs"  # the rule of a line that follows by signs


def lemma() -> tuple[Proof, Proof]:
    """log x ≤ x − 1 for x > 0, with equality only at x = 1: x − 1 − log x is 0 at 1 and increases in both
    directions.

    At x = 1 + t its slope in t is t/(1 + t), and at x = 1/(1 + t) it is t/(1 + t)²: positive for t > 0.
    """
    t = Symbol("t", positive=True)
    after = derive(Partial(t - log(1 + t), t), (DERIVATIVE, t / (1 + t)), facts=Facts())
    inverse = 1 / (1 + t)
    before = derive(Partial(inverse - 1 - log(inverse), t), (DERIVATIVE, t / (1 + t) ** 2), facts=Facts())
    for slope in (after, before):
        if not is_positive(slope.lines[-1].expression):
            raise NotProved(f"{LEMMA}: the slope {text(slope.lines[-1].expression)} is not known to be > 0")
    return after, before


class LemmaUse(NamedTuple):
    """One use of the lemma: Σ weight · (log top − log bottom) ≤ Σ weight · (top/bottom − 1).

    limits: the sum's limits, as in `sum_over`; None for a single term.
    """

    weight: Expr
    top: Expr
    limits: tuple[tuple[Symbol, Expr], ...] = ()
    bottom: Expr = Integer(1)

    def sum(self, of: Expr) -> Expr:
        return sum_over(self.weight * of, *self.limits) if self.limits else self.weight * of


@dataclass(frozen=True)
class Bound(Derivation):
    """first = Σ weight · log(top/bottom) ≤ Σ weight · (top/bottom − 1) = last: two proofs with the lemma between
    them.

    Constructing one checks it: NotProved if a weight is not known to be ≥ 0, if a top or bottom is not known to be
    > 0, or if one of the two equalities does not follow.
    """

    first: Expr
    uses: tuple[LemmaUse, ...]
    last: Expr
    names: tuple[Definition, ...] = field(repr=False)
    facts: Facts = field(repr=False)
    before_lemma: Proof = field(init=False)
    after_lemma: Proof = field(init=False)
    relation: ClassVar[str] = "≤"

    def __post_init__(self) -> None:
        before, after = _prove_both_sides(self.first, tuple(self.uses), self.last, self.names, self.facts)
        self.keep(before_lemma=before, after_lemma=after)
        self.keep_from((before, after))

    @property
    def steps(self) -> list[Step]:
        """The lines of both proofs; the lemma leads from the one to the other."""
        first, *rest = self.after_lemma.steps
        return [*self.before_lemma.steps, Step(first.expression, "≤", LEMMA), *rest]

    def proofs(self) -> Iterable[Proof]:
        return (self.before_lemma, self.after_lemma)


@cache
def _prove_both_sides(
    first: Expr, uses: tuple[LemmaUse, ...], last: Expr, names: tuple[Definition, ...], facts: Facts
) -> tuple[Proof, Proof]:
    """Prove the steps above and below the lemma."""
    for use in uses:
        if not is_nonnegative(unfold(use.weight, names)):
            raise NotProved(f"{LEMMA}: the weight {text(use.weight)} is not known to be ≥ 0")
        for part in (use.top, use.bottom):
            if not is_positive(unfold(part, names)):
                raise NotProved(f"{LEMMA}: {text(part)} is not known to be > 0")

    def equal(one: Expr, other: Expr) -> Proof:
        steps = () if one == other else ((DEFINITION, other),)  # a proof may not be circular
        return derive(one, *steps, names=names, facts=facts)

    logs = Add(*(use.sum(log(use.top) - log(use.bottom)) for use in uses))
    lines = Add(*(use.sum(use.top / use.bottom - 1) for use in uses))
    above, below = equal(first, logs), equal(lines, last)
    definitions = dict.fromkeys([*above.definitions, *below.definitions])
    hypotheses = dict.fromkeys([*above.hypotheses, *below.hypotheses])
    refuse_ambiguity([first, logs, lines, last, *(name.body for name in definitions)], facts.ranges.items())
    second_look.require_ordered((first, last), definitions, hypotheses, facts.ranges)
    return above, below


def bound(first: Expr, *uses: LemmaUse, last: Expr, names: Iterable[Definition] = (), facts: Facts) -> Bound:
    """Prove first ≤ last by the lemma, or raise NotProved."""
    return Bound(first, uses, last, tuple(names), facts)


@dataclass(frozen=True)
class Sign(Derivation):
    """An expression that is ≥ 0, or > 0 if strict, by the signs of its parts.

    Constructing one checks it: NotProved if the sign does not follow.
    """

    expression: Expr
    strict: bool = False
    names: tuple[Definition, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        definitions, hypotheses = _check_sign(self.expression, self.strict, self.names)
        self.keep(definitions=definitions, hypotheses=hypotheses)

    @property
    def steps(self) -> list[Step]:
        return [Step(self.expression)]

    @property
    def relation(self) -> str:
        """The relation of the expression to 0."""
        return ">" if self.strict else "≥"


@cache
def _check_sign(
    expression: Expr, strict: bool, names: tuple[Definition, ...]
) -> tuple[tuple[Definition, ...], tuple[Hypothesis, ...]]:
    """The definitions and hypotheses of a sign."""
    Language(Facts(), names).check(expression)
    if not (is_positive if strict else is_nonnegative)(unfold(expression, names)):
        raise NotProved(f"{text(expression)} is not known to be {'>' if strict else '≥'} 0")
    definitions = find_used_names(names, [expression])
    parts = [expression, *sides_of(definitions)]
    refuse_ambiguity(parts)
    hypotheses = find_assumptions(parts, names)
    second_look.require_ordered((Integer(0), expression), definitions, hypotheses, {}, strict=strict)
    return definitions, hypotheses


def nonnegative(expression: Expr, names: Iterable[Definition] = ()) -> Sign:
    """Prove expression ≥ 0 from the signs of its parts, or raise NotProved."""
    return Sign(expression, names=tuple(names))


def positive(expression: Expr, names: Iterable[Definition] = ()) -> Sign:
    """Prove expression > 0 from the signs of its parts, or raise NotProved."""
    return Sign(expression, strict=True, names=tuple(names))


class SumOfLogs:
    """Σ weight · log(argument), weights and arguments fractions: an exact number with a sign."""

    def __init__(self, weights: Mapping[Fraction, Fraction] | None = None):
        self.weights = {a: w for a, w in (weights or {}).items() if w and a != 1}

    @classmethod
    def of(cls, argument, weight=1) -> "SumOfLogs":
        return cls({Fraction(argument): Fraction(weight)})

    def __add__(self, other: "SumOfLogs") -> "SumOfLogs":
        weights = dict(self.weights)
        for argument, weight in other.weights.items():
            weights[argument] = weights.get(argument, Fraction(0)) + weight
        return SumOfLogs(weights)

    def __neg__(self) -> "SumOfLogs":
        return self * -1

    def __sub__(self, other: "SumOfLogs") -> "SumOfLogs":
        return self + -other

    def __mul__(self, scale) -> "SumOfLogs":
        return SumOfLogs({argument: weight * scale for argument, weight in self.weights.items()})

    @property
    def common(self) -> int:
        """The least common denominator of the weights."""
        return lcm(*(weight.denominator for weight in self.weights.values()))

    def sides(self) -> tuple[int, int]:
        """Return two whole numbers that compare as the sum and 0 do."""
        left = right = 1
        for argument, weight in self.weights.items():
            times = int(abs(weight) * self.common)
            above, under = argument.numerator**times, argument.denominator**times
            left, right = (left * above, right * under) if weight > 0 else (left * under, right * above)
        return left, right

    @property
    def sign(self) -> int:
        left, right = self.sides()
        return (left > right) - (left < right)

    def __float__(self) -> float:
        return float(
            sum((decimal(w) * mpmath.log(decimal(a)) for a, w in self.weights.items()), mpmath.mpf(0))
        )

    def simplify(self) -> tuple[Fraction, int | Fraction]:
        """(weight, argument) of one logarithm: −½ log(1/8) is 3/2 log 2. Arguments are > 1, or 1 for the
        number 0."""
        left, right = self.sides()
        argument, weight = Fraction(max(left, right), min(left, right)), Fraction(self.sign, self.common)
        for power in range(argument.numerator.bit_length(), 1, -1):
            above, below = (round(part ** (1 / power)) for part in argument.as_integer_ratio())
            if Fraction(above, below) ** power == argument:
                return weight * power, Fraction(above, below)
        return weight, argument

    def __str__(self) -> str:
        signs = {Fraction(1): "", Fraction(-1): "-"}
        terms: list[tuple] = sorted((a, w) if a > 1 else (1 / a, -w) for a, w in self.weights.items())
        figures = (abs(w) * max(a.as_integer_ratio()).bit_length() for a, w in terms)
        if sum(figures) * self.common < 50:  # if longer, several short logarithms are easier to read
            terms = [self.simplify()[::-1]] if self.sign else []
        parts = [f"{signs.get(w, f'{w}·')}log({a})" for a, w in terms]
        return f"{' + '.join(parts).replace('+ -', '- ') or '0'} ≈ {float(self):.6f}"


def decimal(number: Fraction) -> mpmath.mpf:
    return mpmath.mpf(number.numerator) / number.denominator
