"""A derivation: a chain of lines, each proved from the one above by the rule that it names."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from sympy import Expr

from . import second_look
from .calculus import carry_out, find_constants
from .hypotheses import (
    Constant,
    Hypothesis,
    Independent,
    InRange,
    Summed,
    WellDefined,
    find_needs,
    find_signs,
    find_sums,
)
from .language import Facts, Language, refuse_ambiguity
from .notation import Definition, Partial, base_of, order_definitions, rename_indices, sides_of
from .show import text
from .zero_test import NormalForm, NotProved


@dataclass(frozen=True)
class Rule:
    """The rule of a line: the operation applied to it and the line above before they are compared as finite
    sums."""

    name: str
    unfolds: bool = False
    differentiates: bool = False


SUMS = Rule("finite sums")  # the names P, G, … are not unfolded: the identity holds for any values of them
DEFINITION = Rule("definition", unfolds=True)
DERIVATIVE = Rule("derivative", unfolds=True, differentiates=True)
CHAIN = Rule("chain rule", unfolds=True, differentiates=True)
RULES = (SUMS, DEFINITION, DERIVATIVE, CHAIN)


@dataclass(frozen=True)
class Line:
    """One line of a derivation; the first has no rule."""

    expression: Expr
    rule: Rule | None = None


class Step(NamedTuple):
    """A line as it is shown: after its sign, with the name of its rule; the first has neither."""

    expression: Expr
    sign: str = ""
    rule: str = ""


@dataclass(frozen=True)
class Derivation:
    """What a proof, a bound, a sign and a chain have in common.

    definitions: those in its lines. hypotheses: those that it uses, as objects; `assumptions` has them as text.
    """

    definitions: tuple[Definition, ...] = field(init=False, repr=False)
    hypotheses: tuple[Hypothesis, ...] = field(init=False, repr=False)

    def keep(self, **found: Any) -> None:
        """Set what was found when it was checked."""
        for name, value in found.items():
            object.__setattr__(self, name, value)

    @property
    def steps(self) -> list[Step]:
        """Its lines."""
        raise NotImplementedError

    @property
    def assumptions(self) -> tuple[str, ...]:
        """The hypotheses, as text."""
        return tuple(map(str, self.hypotheses))

    def proofs(self) -> Iterable["Proof"]:
        """The proofs of its equations."""
        return ()

    def keep_from(self, parts: Iterable["Derivation"]) -> None:
        """Set the definitions and the hypotheses to those of its parts."""
        parts = tuple(parts)
        for name in ("definitions", "hypotheses"):
            found = (one for part in parts for one in getattr(part, name))
            self.keep(**{name: tuple(dict.fromkeys(found))})


@dataclass(frozen=True)
class Proof(Derivation):
    """A chain of lines, each proved from the one above. Constructing one checks it.

    lines: the first line, and each next one with its rule. names: the definitions that may be used. facts:
    what may be assumed of the symbols.

    Raises NotProved if a line does not follow, Refused if two lines differ numerically even if the prover accepts
    them, and ValueError if a line is not in the language.
    """

    lines: tuple[Line, ...]
    names: tuple[Definition, ...] = field(repr=False)
    facts: Facts = field(repr=False)

    def __post_init__(self) -> None:
        lines, definitions, hypotheses = check(tuple(self.lines), self.names, self.facts)
        self.keep(lines=lines, definitions=definitions, hypotheses=hypotheses)

    @property
    def steps(self) -> list[Step]:
        first, *rest = self.lines
        return [
            Step(first.expression),
            *(Step(line.expression, "=", line.rule.name) for line in rest if line.rule),
        ]

    def proofs(self) -> Iterable["Proof"]:
        return (self,)


def derive(first: Expr, *steps: tuple[Rule, Expr], names: Iterable[Definition] = (), facts: Facts) -> Proof:
    """Check each line against the one above and return the proof. Raises NotProved if a line does not follow.

    first: the first line. steps: (rule, next line). names: the definitions.
    """
    return Proof((Line(first), *(Line(line, rule) for rule, line in steps)), tuple(names), facts)


@cache
def check(
    given: tuple[Line, ...], names: tuple[Definition, ...], facts: Facts
) -> tuple[tuple[Line, ...], tuple[Definition, ...], tuple[Hypothesis, ...]]:
    """Check a proof: return its lines with plain indices, the definitions and the hypotheses that they use."""
    lines = tuple(Line(rename_indices(line.expression), line.rule) for line in given)
    expressions = [line.expression for line in lines]
    Language(facts, names).check(*expressions)
    definitions = find_used_names(names, expressions)
    parts = [*expressions, *sides_of(definitions)]
    refuse_ambiguity(parts, facts.ranges.items())
    hypotheses = find_assumptions(parts, names, _check_steps(lines, names, facts))
    second_look.require_equal(expressions, definitions, hypotheses, facts.ranges)
    return lines, definitions, hypotheses


def _check_steps(lines: tuple[Line, ...], names: tuple[Definition, ...], facts: Facts) -> list[Hypothesis]:
    """Prove each line from the one above; return the facts that were used."""
    closed, unfolding = NormalForm(facts), NormalForm(facts, names)
    if not lines or lines[0].rule:
        raise NotProved("the first line of a proof has no rule")
    for line, above in zip(lines[1:], lines, strict=False):
        rule, expression = line.rule, line.expression
        if rule is None:
            raise NotProved(f"every line after the first needs a rule: {text(expression)}")
        if rule not in RULES:
            raise NotProved(f"{rule!r} is no rule; there are {', '.join(known.name for known in RULES)}")
        if expression == above.expression:
            raise NotProved(
                f"nothing to prove: SymPy simplifies both lines to the same expression: {text(expression)}"
            )
        left, right = (
            carry_out(side, names) if rule.differentiates else side for side in (above.expression, expression)
        )
        if not (unfolding if rule.unfolds else closed).equal(left, right):
            raise NotProved(
                f"not proved by {rule.name}:\n    {text(above.expression)}\n  = {text(expression)}"
            )
    return [*closed.used, *unfolding.used]


def find_assumptions(
    parts: Iterable[Expr], names: tuple[Definition, ...], used: Iterable[Hypothesis] = ()
) -> tuple[Hypothesis, ...]:
    """Find the hypotheses of expressions: that they are defined, the declared signs, and the facts that
    were used."""
    parts = tuple(parts)
    differentiated = any(part.has(Partial) for part in parts)
    found: dict[Hypothesis, None] = {}
    for part in parts:
        found.update(dict.fromkeys((*find_needs(part, differentiated), *_independent(part, names))))
    for part in parts:
        found.update(dict.fromkeys(find_signs(part)))
    found.update(dict.fromkeys(used))
    for part in parts:
        found.update(dict.fromkeys(find_sums(part)))
    above = {one.expression for one in found if isinstance(one, WellDefined) and one.relation == ">"}

    def is_implied(one: Hypothesis) -> bool:
        """Return whether another hypothesis in the list implies it."""
        if isinstance(one, WellDefined):
            return one.relation != ">" and one.expression in above
        return isinstance(one, Summed) and InRange(one.index, one.size) in found

    return tuple(one for one in found if not is_implied(one))


def find_used_names(names: tuple[Definition, ...], expressions: list[Expr]) -> tuple[Definition, ...]:
    """Find the definitions that the expressions use, directly or through one another."""
    needed = order_definitions({base_of(name.head): name for name in names}, expressions)
    return tuple(name for name in names if name in needed)


def _independent(expression: Expr, names: tuple[Definition, ...]) -> Iterator[Independent | Constant]:
    """Find the names that the derivatives in the expression treat as independent or constant."""
    for inside, variable in sorted((partial.args for partial in expression.atoms(Partial)), key=str):
        own, constants = base_of(variable), find_constants(inside, variable, names)
        if any(base_of(name.head) == own for name in names):
            yield Independent(own)
        if constants:
            yield Constant(own, tuple(sorted(constants, key=str)))
