"""A derivation: a chain of lines, each proved from the one above by the rule that it names."""

from collections.abc import Iterable
from dataclasses import dataclass

from sympy import Expr, Indexed, Pow, Rational, log

from .calculus import carry_out, held_constant
from .notation import Definition, Partial, base_of
from .show import latex, text
from .sums import Facts, NormalForm, NotProved


@dataclass(frozen=True)
class Rule:
    """How a line follows from the one above: what may be done to both before they must agree as finite sums."""

    name: str
    unfolds: bool = False
    differentiates: bool = False


SUMS = Rule("finite sums")  # the names P, G, … stay closed: the identity holds whatever they stand for
DEFINITION = Rule("definition", unfolds=True)
DERIVATIVE = Rule("derivative", unfolds=True, differentiates=True)
CHAIN = Rule("chain rule", unfolds=True, differentiates=True)


@dataclass(frozen=True)
class Line:
    """One line of a derivation; the first has no rule."""

    expression: Expr
    rule: Rule | None = None


@dataclass(frozen=True)
class Proof:
    """A checked chain of lines, the definitions of its names, the facts given to it, and all that it assumes."""

    lines: tuple[Line, ...]
    definitions: tuple[Definition, ...]
    facts: Facts
    assumptions: tuple[str, ...]

    def __str__(self) -> str:
        where = [f"  where {text(name.head)} = {text(name.body)}" for name in self.definitions]
        marks = [
            f"  = {text(line.expression)}   [{line.rule.name} ✓]"
            if line.rule
            else f"    {text(line.expression)}"
            for line in self.lines
        ]
        assuming = ["  assuming " + "; ".join(self.assumptions)] if self.assumptions else []
        return "\n".join([*marks, *where, *assuming])

    def latex(self) -> list[tuple[str, str]]:
        """(the line in LaTeX, the name of its rule) for each line; the first has the rule ""."""
        return [(latex(line.expression), line.rule.name if line.rule else "") for line in self.lines]


def derive(first: Expr, *steps: tuple[Rule, Expr], names: Iterable[Definition] = (), facts: Facts) -> Proof:
    """Checks each line against the one above, and returns the proof. Raises NotProved where a line does not follow.

    first: the first line. steps: (rule, next line). names: what the defined names stand for.
    """
    names = tuple(names)
    closed, unfolding = NormalForm(facts), NormalForm(facts, names)
    lines = [Line(first)]
    for rule, expression in steps:
        above = lines[-1].expression
        if expression == above:
            raise NotProved(f"nothing to prove, SymPy writes both lines alike: {text(expression)}")
        prover = unfolding if rule.unfolds else closed
        left, right = (
            carry_out(side, names) if rule.differentiates else side for side in (above, expression)
        )
        if not prover.equal(left, right):
            raise NotProved(f"not proved by {rule.name}:\n    {text(above)}\n  = {text(expression)}")
        lines.append(Line(expression, rule))
    used = used_names(names, [line.expression for line in lines])
    shown = [*(line.expression for line in lines), *(name.body for name in used)]
    conditions = [c for part in shown for c in (*needed(part), *_independent(part, names))]
    assumptions = dict.fromkeys([*conditions, *closed.used, *unfolding.used])
    return Proof(tuple(lines), used, facts, tuple(assumptions))


def used_names(names: tuple[Definition, ...], expressions: list[Expr]) -> tuple[Definition, ...]:
    """The definitions that the expressions need, directly or through one another."""
    found: list[Definition] = []
    waiting = list(expressions)
    while waiting:
        present = {
            base_of(node)
            for node in waiting.pop().atoms(Indexed, *{type(base_of(name.head)) for name in names})
        }
        for name in names:
            if base_of(name.head) in present and name not in found:
                found.append(name)
                waiting.append(name.body)
    return tuple(name for name in names if name in found)


def _independent(expression: Expr, names: tuple[Definition, ...]) -> list[str]:
    """What the derivatives in the expression take as independent of their variables."""
    independent = []
    for inside, variable in sorted((partial.args for partial in expression.atoms(Partial)), key=str):
        own, constants = base_of(variable), held_constant(inside, variable, names)
        if any(base_of(name.head) == own for name in names):
            entries = (
                f"the entries of {own}" if isinstance(variable, Indexed) else f"{own} and what it stands for"
            )
            independent.append(f"{entries} are independent variables")
        if constants:
            independent.append(f"∂/∂{own} holds {', '.join(sorted(map(str, constants)))} constant")
    return independent


def needed(expression: Expr) -> list[str]:
    """What must hold for the expression to mean something, where it does not hold by itself, as exp > 0 does."""
    needs = []
    for node in sorted(expression.atoms(Pow, log), key=str):
        if isinstance(node, log) and not node.args[0].is_positive:
            needs.append(f"{text(node.args[0])} > 0")
        elif isinstance(node, Pow) and isinstance(node.exp, Rational) and not node.base.is_number:
            if node.base.is_Symbol and node.base.is_positive:
                needs.append(f"{text(node.base)} > 0")
            elif node.exp < 0 and not node.base.is_positive:
                needs.append(f"{text(node.base)} ≠ 0")
            elif node.exp.q != 1 and not node.base.is_nonnegative:
                needs.append(f"{text(node.base)} ≥ 0")
    return needs
