"""The kinds of evidence for a claim, and the verdict that each supports.

    Definition            head := body, with a proof that it is well posed     definition
    Proof, Sign           lines, each proved from the one above; a sign        proved
    Bound, Chain          ≤ by one named lemma; such links in a row   proved from LEMMA
    Example               an instance at which something holds                 only with another piece
    Measured              numbers that agree within a tolerance                checked
    Misprint              what is printed fails at an instance, by a slip      corrected
    Counterexample        what is printed fails at an instance, being false    refuted; if only said, folklore
    Empirical             why no theorem is meant                              no theorem

Each checks itself on construction and renders itself: no displayed statement is typed by hand.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from math import inf
from operator import eq, ge, gt, le, lt, ne
from typing import Any, NamedTuple, Self

import mpmath
from mpmath import iv
from sympy import Expr, Indexed, IndexedBase, Integer, S, Sum
from sympy.utilities.iterables import flatten

from ..prover import second_look
from ..prover.evaluate import Functions, evaluator
from ..prover.inequality import BY_SIGNS, Bound, Sign, SumOfLogs, decimal
from ..prover.language import Facts, refuse_ambiguity
from ..prover.notation import (
    Definition,
    base_of,
    freshen,
    refuse_circles,
    rename_indices,
    sides,
    sides_of,
    unfold,
)
from ..prover.proof import Derivation, Proof, Step, find_used_names
from ..prover.show import SIGNS, latex, text
from ..symbols import find_symbols
from . import points
from .spans import Piece, Span
from .verdicts import NotShown, Verdict
from .words import refuse_relations

Evidence = Any  # one of the kinds above


# --- relations ------------------------------------------------------------------------------------------

CONTRARY = {"=": "≠", "≠": "=", "<": "≥", "≥": "<", ">": "≤", "≤": ">"}


class Relation(NamedTuple):
    """left sign right, of two expressions."""

    left: Expr
    sign: str
    right: Expr

    def contrary(self) -> "Relation":
        return self._replace(sign=CONTRARY[self.sign])


def relation(piece: Any) -> Relation:
    """Return the statement of a piece of evidence: first line = last line of a proof, an inequality, a definition,
    or the negation of the printed statement.
    """
    match piece:
        case Sign():
            return Relation(piece.expression, piece.relation, Integer(0))
        case Derivation():
            both = piece.both if isinstance(piece, Chain) else 0
            sign = "≤" if any(step.sign == "≤" for step in piece.steps) else "="
            return Relation(piece.steps[0].expression + both, sign, piece.steps[-1].expression + both)
        case Definition():
            return Relation(piece.head, ":=", piece.body)
        case Misprint(find=Evaluated() as seen) | Counterexample(find=Evaluated() as seen):
            return seen.claimed.contrary()
    raise NotShown(f"{type(piece).__name__} states no relation")


def write(*parts: Expr | str) -> Span:
    """Write expressions with the signs between them."""
    said = [
        (part, SIGNS.get(part, "")) if isinstance(part, str) else (text(part), latex(part)) for part in parts
    ]
    symbols = set().union(*(find_symbols(part) for part in parts if not isinstance(part, str)))
    texts, formulas = (" ".join(column).strip() for column in zip(*said, strict=True))
    return Span(texts, formulas, symbols=tuple(sorted(symbols)))


def display(piece: Any) -> Piece:
    """Return a piece as it is shown."""
    kind, said = type(piece).__name__.lower(), write(*relation(piece)) if states(piece) else Span("")
    match piece:
        case Empirical(words):
            return Piece(kind, f"no theorem: {words}", Span(words))
        case Instance():
            numbers = Span(", ".join(finding.text() for finding in piece.findings))
            rows = tuple(Span(shown, name=name) for name, shown in piece.rows())
            return Piece(kind, piece.shows, said if said.text else numbers, rows)
        case Definition():
            return Piece(kind, "", said, (said,))
    lines = [write(step.sign, step.expression)._replace(mark=step.rule) for step in piece.steps]
    where = [
        write(name.head, "=", name.body)._replace(name=str(base_of(name.head))) for name in piece.definitions
    ]
    if isinstance(piece, Sign):
        lines = [said._replace(mark=BY_SIGNS)]
    return Piece(kind, "", said, tuple(lines), tuple(where), piece.assumptions)


def states(piece: Any) -> bool:
    """Whether a piece states a relation, and not words, or numbers that a program computed."""
    return not isinstance(piece, Instance | Empirical) or (
        isinstance(piece, Misprint | Counterexample) and isinstance(piece.find, Evaluated)
    )


# --- chains ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chain(Derivation):
    """first ≤ … ≤ last. Each link begins with the last line of the previous one: a proof is =, a bound ≤, and the
    sign x ≥ 0 leads from y to y + x. both: a term added on both sides of the statement: log N − 𝓛 ≤ I is clearer
    than log N − 𝓛 − I ≤ 0.
    """

    links: tuple[Proof | Bound | Sign, ...]
    both: Expr = S.Zero

    def __post_init__(self) -> None:
        if not all(type(link) in (Proof, Bound, Sign) for link in self.links):
            raise NotShown(f"the links of a chain are proofs, bounds and signs; got {self.links}")
        if not any(isinstance(link, Bound) for link in self.links) or isinstance(self.links[0], Sign):
            raise NotShown("a chain of ≤ begins with a proof or a bound, and one of its links is a bound")
        self.keep_from(self.links)
        _look(self)

    @property
    def steps(self) -> list[Step]:
        steps: list[Step] = []
        for link in self.links:
            first, *rest = link.steps
            if isinstance(link, Sign):
                rest = [Step(steps[-1].expression + link.expression, "≤", BY_SIGNS)]
            elif steps and first.expression != steps[-1].expression:
                raise NotShown(
                    f"the chain is broken: {text(steps[-1].expression)}, then {text(first.expression)}"
                )
            steps += rest if steps else link.steps
        return steps

    def proofs(self) -> Iterator[Proof]:
        for link in self.links:
            yield from link.proofs()


@cache
def _look(chain: Chain) -> None:
    """Check a chain as a whole, because the hypotheses of two links might contradict each other: each name must
    have one meaning in all links, and each line must be ≤ the next at points that all links allow.
    """
    lines = [step.expression for step in chain.steps]
    refuse_circles(chain.definitions)
    ranges = [limits for proof in chain.proofs() for limits in proof.facts.ranges.items()]
    refuse_ambiguity([*lines, *sides_of(chain.definitions)], ranges)
    second_look.require_ordered(lines, chain.definitions, chain.hypotheses, dict(ranges))


# --- numbers --------------------------------------------------------------------------------------------

# no subclasses, which might print themselves differently
_EXACT = (int, Fraction, SumOfLogs, type(iv.mpf(0)))
_APPROXIMATE = (*_EXACT, float, mpmath.mpf)
_COMPARE = {"=": eq, "≠": ne, "<": lt, ">": gt, "≤": le, "≥": ge}


class Finding(NamedTuple):
    """A comparison of two computed numbers, with names if the numbers alone say too little.

    Numbers are whole, fractions, sums of logarithms of fractions (`SumOfLogs`), or intervals (mpmath's iv); lists
    of them may be = or ≠. ≈ takes a tolerance, and floating numbers. A name is an expression, or words.
    """

    left: Any
    sign: str
    right: Any
    names: tuple[str | Expr, str | Expr] = ("", "")
    tolerance: Any = 0

    @property
    def holds(self) -> bool:
        left, right = self.left, self.right
        for number in (left, right):
            _require_kinds(number, _APPROXIMATE if self.sign == "≈" else _EXACT)
        for name in self.names:
            refuse_relations(name if isinstance(name, str) else "")
        match self.sign:
            case "≈":
                return bool(abs(left - right) <= self.tolerance < mpmath.inf)
            case "=" | "≠" if isinstance(left, list | tuple):
                same = _to_lists(left) == _to_lists(right)
                return same == (self.sign == "=")
            case "=" | "≠" if isinstance(left, iv.mpf) or isinstance(right, iv.mpf):
                # two intervals that overlap may or may not hold the same number
                return self.sign == "≠" and bool(left < right or left > right)
        if isinstance(left, SumOfLogs):
            left, right = (left - right).sign, 0
        # the comparison of two overlapping intervals is None: nothing is shown
        return _COMPARE[self.sign](left, right) is True

    def text(self) -> str:
        names = [name if isinstance(name, str) else text(name) for name in self.names]
        values = [_write(self.left), _write(self.right)]
        within = f" within {_write(self.tolerance)}" if self.sign == "≈" else ""
        if self.sign == "=" and values[0] == values[1] and any(names):  # print the value once
            return " = ".join([*filter(None, names), values[0]])
        if all(names):
            return f"{names[0]} {self.sign} {names[1]}{within}: {values[0]} {self.sign} {values[1]}"
        sides = [f"{name} = {value}" if name else value for name, value in zip(names, values, strict=True)]
        return f"{sides[0]} {self.sign} {sides[1]}{within}"


def _require_kinds(number: Any, kinds: tuple[type, ...]) -> None:
    for part in _leaves(number):
        if type(part) not in kinds:
            raise NotShown(f"a finding compares numbers; got {type(part).__name__}: {part!r}")


def _leaves(value: Any) -> Iterator[Any]:
    if type(value) not in (list, tuple):
        yield value
        return
    for part in value:
        yield from _leaves(part)


def _to_lists(number: Any) -> Any:
    return [_to_lists(part) for part in number] if isinstance(number, list | tuple) else number


def _write(number: Any) -> str:
    """A number as text, exact if that is short."""
    match number:
        case list() | tuple():
            return f"({', '.join(map(_write, number))})"
        case Fraction() if len(str(number)) > 15:
            return f"{mpmath.nstr(decimal(number), 7)}…"
        case float() | mpmath.mpf():
            return mpmath.nstr(mpmath.mpf(number), 7)
        case _ if isinstance(number, iv.mpf):
            return f"{mpmath.nstr(mpmath.mpf(number.mid), 7)}…"
    return str(number)


# --- instances ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Instance:
    """Findings at one point. find: computes them from the point. given: the point, each number or object
    by its name. findings: computed on construction; they cannot be passed in."""

    shows: str
    find: Callable[..., Finding | Iterable[Finding]]
    given: Mapping[str, Any]
    findings: tuple[Finding, ...] = field(init=False)

    def __post_init__(self) -> None:
        refuse_relations(self.shows)
        for name, value in self.given.items():
            refuse_relations(name)
            _point(value)
        found = self.find(**deepcopy(self.given))  # a copy: `find` cannot change the point that is printed
        findings = (found,) if isinstance(found, Finding) else tuple(found)
        if not findings:
            raise NotShown(f"{self.shows}: nothing was compared; let find yield at least one Finding")
        for finding in findings:
            if type(finding) is not Finding or finding.holds is not True:
                said = finding.text() if type(finding) is Finding else repr(finding)
                raise NotShown(f"{self.shows}: it is false that {said}")
        object.__setattr__(self, "findings", findings)

    @classmethod
    def at(cls, shows: str, find: Callable[..., Finding | Iterable[Finding]], /, **given: Any) -> Self:
        """Compare the numbers of find(**given). Raises NotShown if one comparison is false."""
        return cls(shows, find, given)

    def rows(self) -> list[tuple[str, str]]:
        """The point, the definitions, and the findings, as (name, text)."""
        point = [(name, _point(value)) for name, value in self.given.items()]
        where = self.find.where() if isinstance(self.find, Evaluated) else []
        return [*point, *where, *(("", finding.text()) for finding in self.findings)]


def _point(value: Any) -> str:
    """A part of a point as text."""
    if type(value) in points.KINDS:
        return value.text()
    _require_kinds(value, (int, Fraction))
    return _write(value)


class Example(Instance):
    """An instance at which the claim holds."""


class Approximate(Instance):
    """An instance at which numbers agree within a tolerance."""


class Counterexample(Instance):
    """An instance of the printed claim at which it is false."""


class Misprint(Instance):
    """An instance at which the printed form fails and the corrected one holds."""


@dataclass(frozen=True)
class Evaluated:
    """Evaluates both sides of a relation at a point, in intervals. symbols: the symbols that have a value at the
    point. facts: what is declared of them.
    """

    claimed: Relation
    symbols: tuple[Expr, ...]
    names: tuple[Definition, ...]
    facts: Facts

    def __post_init__(self) -> None:
        both = [rename_indices(side) for side in (self.claimed.left, self.claimed.right)]
        object.__setattr__(self, "claimed", Relation(both[0], self.claimed.sign, both[1]))
        names = find_used_names(self.names, both)
        for symbol in {base_of(name.head) for name in names} & {*self.symbols}:
            raise NotShown(
                f"{symbol} has a definition, so it cannot be given a value; leave it out of the point"
            )
        refuse_ambiguity([*both, *self.symbols, *sides_of(names)])

    def __call__(self, **given: Any) -> Finding:
        at = {symbol: given[str(symbol)] for symbol in self.symbols}
        for symbol in self.symbols:
            _refuse_undeclared(symbol, at, self.facts)
        inside = {symbol: interval(value) for symbol, value in at.items()}
        functions = Functions(iv.exp, iv.log, iv.sqrt)
        both = [unfold(side, self.names) for side in (self.claimed.left, self.claimed.right)]
        if any(index in inside for side in both for node in side.atoms(Sum) for index in node.variables):
            # in case a sum runs over a name that has a value at the point
            both = [freshen(side) for side in both]
        for side in both:
            _refuse_misfits(side, inside)
        left, right = (evaluator(side, inside, functions)({})[0] for side in both)
        return Finding(left, self.claimed.sign, right, (self.claimed.left, self.claimed.right))

    def where(self) -> list[tuple[str, str]]:
        """The definitions of names in the relation."""
        used = find_used_names(self.names, [self.claimed.left, self.claimed.right])
        return [(text(name.head), text(name.body)) for name in used]


def _refuse_undeclared(symbol: Expr, at: Mapping[Expr, Any], facts: Facts) -> None:
    """Raise NotShown if the value of a symbol is not what was declared of it."""
    value = at[symbol]
    if isinstance(symbol, IndexedBase) != isinstance(value, list | tuple):
        raise NotShown(f"an array has a list as its value, and a letter a number; got {value} for {symbol}")
    *lengths, end = [evaluator(size, at)({})[0] for size in find_sizes(symbol, facts)] or [inf]
    parts = [value]
    for length in lengths:
        if any(len(part) != length for part in parts):
            raise NotShown(f"{symbol} was declared a map of {length} indices; got {value}")
        parts = [one for part in parts for one in part]
    if symbol in facts.derangements and any(i == j for i, j in enumerate(value)):
        raise NotShown(f"{symbol} was declared to have no fixed point; got {value}")
    for number in flatten([value], cls=(list, tuple)):
        for declared, kept in (
            ("> 0", number > 0 or not symbol.is_positive),
            ("≥ 0", number >= 0 or not (symbol.is_nonnegative or symbol.is_integer)),
            ("a whole number", number.denominator == 1 or not symbol.is_integer),
            ("0 or 1", number in (0, 1) or symbol not in facts.masks),
            (f"< {end}", number < end),
        ):
            if not kept:
                raise NotShown(f"{symbol} was declared {declared}; got {number}")


def find_sizes(symbol: Expr, facts: Facts) -> list[Expr]:
    """The sizes of the domain and of the codomain of a map, or the size of the range of an index."""
    if symbol in facts.maps:
        domain, codomain = facts.maps[symbol]
        return [*sides(domain), codomain]
    return [facts.ranges[symbol]] if symbol in facts.ranges else []


def _refuse_misfits(expression: Expr, inside: Mapping[Any, Any]) -> None:
    """Raise NotShown if an array is longer or shorter than the sums over its entries, because every printed
    number must be used.
    """
    size = {index: high + 1 for node in expression.atoms(Sum) for index, _, high in node.limits}
    for entry in expression.atoms(Indexed):
        parts = [inside[entry.base]] if entry.base in inside else []
        if parts and _rank(parts) != 1 + len(entry.indices):
            raise NotShown(f"{text(entry)}: its array has {_rank(parts) - 1} indices at this point")
        for index in entry.indices:
            if index in size:
                runs = evaluator(size[index], inside)({})[0]
                for part in parts:
                    if len(part) != runs:
                        raise NotShown(
                            f"{entry.base}: {index.name} runs over {runs}, but there are {len(part)}"
                        )
            parts = [entry for part in parts for entry in part]


def _rank(value: Any) -> int:
    return 1 + max(map(_rank, value), default=0) if isinstance(value, list) else 0


def interval(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [interval(part) for part in value]
    return value if isinstance(value, int) else iv.mpf(value.numerator) / value.denominator


@dataclass(frozen=True)
class Empirical:
    """Why there is no theorem: the words have no mathematical content."""

    words: str

    def __post_init__(self) -> None:
        refuse_relations(self.words)


# --- verdicts -------------------------------------------------------------------------------------------

# The verdict is that of the first of these kinds that occurs in the evidence.
DEMANDS: tuple[tuple[Verdict, tuple[type, ...]], ...] = (
    (Verdict.NO_THEOREM, (Empirical,)),
    (Verdict.CORRECTED, (Misprint,)),
    (Verdict.REFUTED, (Counterexample,)),
    (Verdict.CHECKED, (Approximate,)),
    (Verdict.DEFINITION, (Definition,)),
    (Verdict.PROVED_FROM_LEMMA, (Bound, Chain)),
    (Verdict.PROVED, (Proof, Sign)),
)
PROVING = (Proof, Sign, Bound, Chain)
KINDS = (Definition, Proof, Sign, Bound, Chain, Example, Approximate, Misprint, Counterexample, Empirical)
KIND_NAMES = ", ".join(kind.__name__ for kind in KINDS)


def check_again(piece: Any) -> Evidence:
    """Construct the piece again from its arguments, so that it is checked again even if it was modified."""
    if type(piece) not in KINDS:
        raise NotShown(f"{type(piece).__name__} is no evidence; it must be one of {KIND_NAMES}")
    if isinstance(piece, Chain):
        return replace(piece, links=tuple(map(check_again, piece.links)))
    return replace(piece)


def verdict_of(pieces: Iterable[Any]) -> Verdict:
    """The verdict that this evidence supports. Raises NotShown if there is none."""
    pieces = tuple(pieces)
    for piece in pieces:
        if isinstance(piece, Proof) and len(piece.lines) < 2:
            raise NotShown(f"a proof with a single line proves nothing: {text(piece.lines[0].expression)}")
    carried = [verdict for verdict, kinds in DEMANDS if any(isinstance(piece, kinds) for piece in pieces)]
    if not carried:
        raise NotShown(f"there is no evidence that supports a verdict; add one of {KIND_NAMES}")
    if carried[0] is Verdict.DEFINITION and not any(isinstance(piece, PROVING) for piece in pieces):
        raise NotShown("a definition needs a proof or a sign that shows it well posed")
    return carried[0]
