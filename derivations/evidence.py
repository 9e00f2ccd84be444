"""What may stand as evidence for a claim, and which verdict each kind of it carries.

    Definition            head := body, with a proof that it is well posed     definition
    Proof, Sign           lines that follow from one another, a sign           proved
    Bound, Chain          ≤ by one named lemma; such links one after another   proved from LEMMA
    Example               an instance at which something is seen to hold       beside any other
    Measured              numbers that agree within a tolerance                checked
    Misprint              what is printed fails at an instance; a slip         corrected
    Counterexample        what is printed fails at an instance; it is false    refuted
    Empirical             why no theorem is meant                              no theorem

Each checks itself when it is made, and renders itself: nothing that a reader sees of it is typed beside it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import mpmath
from mpmath import iv
from sympy import Expr, Integer, S

from .prover.evaluate import Functions, evaluator
from .prover.inequality import LEMMA, Bound, Logs, Sign
from .prover.notation import Definition, base_of, fresh, unfold
from .prover.proof import Proof, used_names
from .prover.show import latex, text
from .verdicts import Verdict

Piece = Any  # one of the kinds above


class NotShown(ValueError):
    """The evidence does not show what it should."""


# --- relations ------------------------------------------------------------------------------------------

_LATEX_SIGNS = {"≤": r"\le", "≥": r"\ge", "≠": r"\ne", ":=": ":=", "≈": r"\approx"}
_CONTRARY = {"=": "≠", "≠": "=", "<": "≥", "≥": "<", ">": "≤", "≤": ">"}


class Relation(NamedTuple):
    """left sign right, of two expressions."""

    left: Expr
    sign: str
    right: Expr

    def text(self) -> str:
        return f"{text(self.left)} {self.sign} {text(self.right)}"

    def latex(self) -> str:
        return f"{latex(self.left)} {_LATEX_SIGNS.get(self.sign, self.sign)} {latex(self.right)}"


def relation(piece: Any) -> Relation:
    """What a piece of evidence says: the first line of a proof and its last, an inequality, a definition."""
    match piece:
        case Proof():
            return Relation(piece.lines[0].expression, "=", piece.lines[-1].expression)
        case Bound():
            return Relation(piece.above.lines[0].expression, "≤", piece.below.lines[-1].expression)
        case Chain():
            first, last = (piece.lines[place].expression + piece.both for place in (0, -1))
            return Relation(first, "≤", last)
        case Sign():
            return Relation(piece.expression, ">" if piece.strict else "≥", Integer(0))
        case Definition():
            return Relation(piece.head, ":=", piece.body)
        case Instance() if piece.printed is not None:
            return piece.printed
    raise NotShown(f"{type(piece).__name__} states no relation")


# --- chains ---------------------------------------------------------------------------------------------

SIGNS = "signs"  # the rule of a line that follows by the sign of what is dropped


class Step(NamedTuple):
    """A line of a chain, its sign and its rule; the first has neither."""

    expression: Expr
    sign: str
    rule: str


@dataclass(frozen=True)
class Chain:
    """first ≤ … ≤ last. Each link begins with the line where the one before ends: a proof is =, a bound ≤, and the
    sign of an x ≥ 0 leads from y to y + x. both: what is added on both sides where the chain is stated, as
    log N − 𝓛 ≤ I says more clearly that log N − 𝓛 − I ≤ 0."""

    links: tuple[Proof | Bound | Sign, ...]
    both: Expr = S.Zero

    def __post_init__(self) -> None:
        if not any(isinstance(link, Bound) for link in self.links) or isinstance(self.links[0], Sign):
            raise NotShown("a chain of ≤ begins with a proof or a bound, and one of its links is a bound")
        _ = self.lines  # raises where a link is broken

    @property
    def lines(self) -> list[Step]:
        steps: list[Step] = []
        for link in self.links:
            if isinstance(link, Sign):
                steps.append(Step(steps[-1].expression + link.expression, "≤", SIGNS))
                continue
            start = relation(link).left
            if not steps:
                steps.append(Step(start, "", ""))
            elif start != steps[-1].expression:
                raise NotShown(f"a chain that is broken: {text(steps[-1].expression)}, then {text(start)}")
            if isinstance(link, Bound):
                steps += _equal(link.above)
                steps.append(Step(link.below.lines[0].expression, "≤", LEMMA))
            steps += _equal(link.below if isinstance(link, Bound) else link)
        return steps

    @property
    def definitions(self) -> tuple[Definition, ...]:
        return tuple(dict.fromkeys(name for part in self._parts() for name in part.definitions))

    @property
    def assumptions(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(need for part in self._parts() for need in part.assumptions))

    def _parts(self) -> Iterator[Proof | Sign]:
        """All that the chain rests on: its proofs, and its signs."""
        yield from self.proofs()
        yield from (link for link in self.links if isinstance(link, Sign))

    def proofs(self) -> Iterator[Proof]:
        """The proofs of its links, both sides of each bound."""
        for link in self.links:
            yield from (link.above, link.below) if isinstance(link, Bound) else ()
            yield from (link,) if isinstance(link, Proof) else ()

    def __str__(self) -> str:
        first, *rest = self.lines
        marks = [f"  {step.sign} {text(step.expression)}   [{step.rule} ✓]" for step in rest]
        where = [f"  where {text(name.head)} = {text(name.body)}" for name in self.definitions]
        assuming = ["  assuming " + "; ".join(self.assumptions)] if self.assumptions else []
        return "\n".join([f"    {text(first.expression)}", *marks, *where, *assuming])

    def latex(self) -> list[tuple[str, str]]:
        """As `Proof.latex`; a line by the lemma or by signs is ≤, not =."""
        return [(latex(step.expression), step.rule) for step in self.lines]


def _equal(proof: Proof) -> list[Step]:
    return [Step(line.expression, "=", line.rule.name) for line in proof.lines if line.rule]


# --- numbers --------------------------------------------------------------------------------------------


class Finding(NamedTuple):
    """left sign right, of two numbers that were computed; named, where the number alone says too little.

    Numbers are whole, fractions, sums of logarithms of fractions (`Logs`), or intervals (mpmath's iv); lists of
    them may be = or ≠. ≈ takes a tolerance, and floating numbers.
    """

    left: Any
    sign: str
    right: Any
    names: tuple[str, str] = ("", "")
    tolerance: Any = 0

    @property
    def holds(self) -> bool:
        left, right = self.left, self.right
        for number in (left, right):
            _admitted(number, approximate=self.sign == "≈")
        match self.sign:
            case "≈":
                return bool(abs(left - right) <= self.tolerance < mpmath.inf)
            case "=" | "≠" if isinstance(left, list | tuple):
                same = _listed(left) == _listed(right)
                return same == (self.sign == "=")
            case "=" | "≠" if isinstance(left, iv.mpf) or isinstance(right, iv.mpf):
                # two intervals that meet may or may not hold the same number: neither is shown
                return self.sign == "≠" and bool(left < right or left > right)
        if isinstance(left, Logs):
            left, right = (left - right).sign, 0
        # of two intervals that meet a comparison is None: nothing is shown
        shown = {
            "=": lambda: left == right,
            "≠": lambda: left != right,
            "<": lambda: left < right,
            ">": lambda: left > right,
            "≤": lambda: left <= right,
            "≥": lambda: left >= right,
        }
        return shown[self.sign]() is True

    def text(self) -> str:
        left, right = (
            f"{name} = {_written(x)}" if name else _written(x)
            for name, x in zip(self.names, (self.left, self.right), strict=True)
        )
        within = f" within {_written(self.tolerance)}" if self.sign == "≈" else ""
        if all(self.names):
            values = f"{_written(self.left)} and {_written(self.right)}"
            return f"{self.names[0]} {self.sign} {self.names[1]}{within}: {values}"
        return f"{left} {self.sign} {right}{within}"


def _admitted(number: Any, approximate: bool) -> None:
    if isinstance(number, list | tuple):
        for part in number:
            _admitted(part, approximate)
        return
    exact = isinstance(number, int | Fraction | Logs | iv.mpf) and not isinstance(number, bool)
    if not exact and not (approximate and isinstance(number, float | mpmath.mpf)):
        raise NotShown(f"a finding compares numbers; got {type(number).__name__}: {number!r}")


def _listed(number: Any) -> Any:
    return [_listed(part) for part in number] if isinstance(number, list | tuple) else number


def _written(number: Any) -> str:
    """Exact where that is short."""
    match number:
        case list() | tuple():
            return f"({', '.join(map(_written, number))})"
        case Fraction() if len(str(number)) > 15:
            return f"{mpmath.nstr(mpmath.mpf(number.numerator) / number.denominator, 7)}…"
        case float() | mpmath.mpf():
            return mpmath.nstr(number, 7)
        case _ if isinstance(number, iv.mpf):
            return f"{mpmath.nstr(mpmath.mpf(number.mid), 7)}…"
    return str(number)


# --- instances ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Instance:
    """What was seen at one point. given: the point, each number or object under its name. findings: what was seen
    there. printed: the printed relation that fails there, where it is a formula."""

    shows: str
    given: Mapping[str, Any]
    findings: tuple[Finding, ...]
    printed: Relation | None = None

    def __post_init__(self) -> None:
        if not self.findings or type(self.findings) is not tuple:
            raise NotShown(f"{self.shows}: nothing was compared")
        for finding in self.findings:
            if type(finding) is not Finding or finding.holds is not True:
                said = finding.text() if type(finding) is Finding else repr(finding)
                raise NotShown(f"{self.shows}: it is not so that {said}")
        if self.printed is not None:
            contrary = self.printed._replace(sign=_CONTRARY[self.printed.sign])
            compared = (text(contrary.left), text(contrary.right)), contrary.sign
            if compared not in [(finding.names, finding.sign) for finding in self.findings]:
                raise NotShown(f"{self.shows}: the two sides of {self.printed.text()} were not compared")

    def rows(self) -> list[tuple[str, str]]:
        """The point, each thing under its name, and what was seen there."""
        point = [(name, _given(value)) for name, value in self.given.items()]
        return [*point, *(("", finding.text()) for finding in self.findings)]

    def __str__(self) -> str:
        lines = [f"    {name}: {said}" if name else f"    {said}" for name, said in self.rows()]
        return "\n".join([f"  {self.shows}", *lines])


class Example(Instance):
    """An instance at which what is claimed is seen to hold."""


class Measured(Instance):
    """An instance at which numbers agree within a tolerance."""


class Counterexample(Instance):
    """An instance of the printed claim at which it is false."""


class Misprint(Instance):
    """An instance at which the printed form fails, and the right one, a slip away, holds."""


def _given(value: Any) -> str:
    return value.text() if hasattr(value, "text") else _written(value)


def _seen(kind: type, shows: str, find: Callable[..., Any], given: Mapping[str, Any]) -> Any:
    found = find(**given)
    return kind(shows, given, (found,) if isinstance(found, Finding) else tuple(found))


def example(shows: str, find: Callable[..., Finding | Iterable[Finding]], /, **given: Any) -> Example:
    """find(**given) compares numbers; raises NotShown if one comparison is false."""
    return _seen(Example, shows, find, given)


def measured(shows: str, find: Callable[..., Finding | Iterable[Finding]], /, **given: Any) -> Measured:
    """As `example`, for numbers that agree within a tolerance."""
    return _seen(Measured, shows, find, given)


def counterexample(
    shows: str, find: Callable[..., Finding | Iterable[Finding]], /, **given: Any
) -> Counterexample:
    """As `example`, of a point at which what is printed is false."""
    return _seen(Counterexample, shows, find, given)


def misprint(shows: str, find: Callable[..., Finding | Iterable[Finding]], /, **given: Any) -> Misprint:
    """As `example`, of a point at which what is printed fails and what is right holds."""
    return _seen(Misprint, shows, find, given)


def fails(
    printed: Relation, at: Mapping[Any, Any], *, names: Iterable[Definition] = (), kind: type = Misprint
) -> Any:
    """The printed relation evaluated at a point, in intervals: both sides, and that it is false there.

    at: Symbol → number, IndexedBase → nested lists of numbers. kind: Misprint or Counterexample.
    """
    contrary = printed._replace(sign=_CONTRARY[printed.sign])
    finding = _compared(contrary, at, names)
    return kind("as printed", _named(at) | _where(printed, names), (finding,), printed)


def holds(
    shows: str, claimed: Relation, at: Mapping[Any, Any], *, names: Iterable[Definition] = ()
) -> Example:
    """The relation evaluated at a point as in `fails`, and that it is true there."""
    return Example(shows, _named(at) | _where(claimed, names), (_compared(claimed, at, names),))


def _where(claimed: Relation, names: Iterable[Definition]) -> dict[str, str]:
    """What the names in the relation stood for."""
    used = used_names(tuple(names), [claimed.left, claimed.right])
    return {text(name.head): text(name.body) for name in used}


def _compared(claimed: Relation, at: Mapping[Any, Any], names: Iterable[Definition]) -> Finding:
    names, functions = tuple(names), Functions(iv.exp, iv.log, iv.sqrt)
    for symbol, value in at.items():
        if symbol in {base_of(name.head) for name in names}:
            raise NotShown(f"{symbol} is defined, and so cannot be given a value: {value}")
        for number in _leaves(value):
            if (symbol.is_positive and number <= 0) or (symbol.is_nonnegative and number < 0):
                raise NotShown(f"{symbol} was declared {'>' if symbol.is_positive else '≥'} 0; got {number}")
    inside = {symbol: _interval(value) for symbol, value in at.items()}
    # fresh: a sum may run over a name that the point binds
    sides = (fresh(unfold(side, names)) for side in (claimed.left, claimed.right))
    left, right = (_fraction(evaluator(side, inside, functions)({})[0]) for side in sides)
    return Finding(left, claimed.sign, right, (text(claimed.left), text(claimed.right)))


def _named(at: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(symbol): value for symbol, value in at.items()}


def _leaves(value: Any) -> Iterator[Any]:
    for part in value if isinstance(value, list | tuple) else ():
        yield from _leaves(part)
    if not isinstance(value, list | tuple):
        yield value


def _interval(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_interval(part) for part in value]
    return value if isinstance(value, int) else iv.mpf(value.numerator) / value.denominator


def _fraction(value: Any) -> Any:
    return value if isinstance(value, int | Fraction) else iv.mpf(value)


@dataclass(frozen=True)
class Empirical:
    """Why no theorem is meant: the words that have no mathematical content."""

    words: str

    def __str__(self) -> str:
        return f"  no theorem: {self.words}"


# --- verdicts -------------------------------------------------------------------------------------------

# The first kind in this order that is among the evidence settles the verdict.
DEMANDS: tuple[tuple[Verdict, tuple[type, ...]], ...] = (
    (Verdict.NO_THEOREM, (Empirical,)),
    (Verdict.CORRECTED, (Misprint,)),
    (Verdict.REFUTED, (Counterexample,)),
    (Verdict.CHECKED, (Measured,)),
    (Verdict.DEFINITION, (Definition,)),
    (Verdict.PROVED_FROM_LEMMA, (Bound, Chain)),
    (Verdict.PROVED, (Proof, Sign)),
)
PROVING = (Proof, Sign, Bound, Chain)
KINDS = (Definition, Proof, Sign, Bound, Chain, Example, Measured, Misprint, Counterexample, Empirical)


def verdict_of(pieces: Iterable[Any]) -> Verdict:
    """The verdict that these pieces of evidence carry. Raises NotShown where they carry none."""
    pieces = tuple(pieces)
    for piece in pieces:
        if type(piece) not in KINDS:
            raise NotShown(f"{type(piece).__name__} is no evidence; it must be one of {_kinds()}")
        if isinstance(piece, Proof) and len(piece.lines) < 2:
            raise NotShown(f"a proof of one line shows nothing: {text(piece.lines[0].expression)}")
    carried = [verdict for verdict, kinds in DEMANDS if any(isinstance(piece, kinds) for piece in pieces)]
    if not carried:
        raise NotShown(f"nothing was shown; evidence is one of {_kinds()}")
    if carried[0] is Verdict.DEFINITION and not any(isinstance(piece, PROVING) for piece in pieces):
        raise NotShown("a definition needs a proof or a sign that shows it well posed")
    return carried[0]


def _kinds() -> str:
    return ", ".join(kind.__name__ for kind in KINDS)
