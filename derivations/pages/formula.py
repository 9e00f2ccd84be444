"""Formulas in a lesson's prose: checked when the page is built, and rendered from the checked value.

    {= e^(0.5/0.07) ≈ 1265}               numbers: checked at 50 digits; ≈ says that the right side was rounded
    {= log x ≤ x - 1 for x > 0}           checked at drawn values; also `for u, v`, `for B = 2`
    {= P_ip ≤ 1/2 for unit rows}          checked with the letters of a situation, see `situations.py`
    {= log(N - 1) for equal rows}         without a relation: must be the situation's value
    {given τ = 0.1}                       a premise, which must agree with the table and the lesson's others
    {0.436: 0.07·log 510}                 shows the number alone, which must be the expression, rounded
    {≠ log N for infonce of equal rows}   a wrong answer: shows log N, which must not be the situation's value
    {≠ 0.436: 0.1·log 510}                a wrong answer: shows the number, not the expression, rounded

The notation is the text in which proofs are printed: · and / and ^, √(x), ‖x‖, P_ip or P[i,p(i)] for a subscript,
a // b for a fraction of two storeys. Each rule of the grammar returns LaTeX and value together, so what is
displayed is what was computed.
"""

import operator
import random
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

import mpmath
from sympy import Symbol

from ..evidence.spans import Span
from ..prover.show import LETTERS, SIGNS
from ..symbols import TABLE
from .situations import SITUATIONS

DIGITS = 50
EQUAL = mpmath.mpf(10) ** -20  # relative: situations lose digits in sums of exponentials, but never 30
NOTHING = mpmath.mpf(10) ** -40  # absolute: allowed rounding error of an exact 0
DRAWS = 8  # how often a situation is drawn, which is slow to compute
DRAWS_OF_LETTERS = 100

Letters = Mapping[str, Any]

_FUNCTIONS: dict[str, Callable] = {"log": mpmath.log, "cos": mpmath.cos, "sin": mpmath.sin, "max": max}
_RELATIONS = ("=", "≈", "≤", "≥", "<", ">")
_TOKEN = re.compile(
    rf"\s*(\d+(?:\.\d+)?|(?:{'|'.join((*_FUNCTIONS, 'mod'))})\b"
    r"|[^\W\d_](?:_\w+|\[[^\]]*\])?⁺?|//|[-+·/^(),√‖ᵀ°=≈≤≥<>])"
)


CALL = "a function without brackets may be read with what follows"
MOD = "a sum or product beside mod may be read in two ways"


class Refused(ValueError):
    """Raised for a formula that cannot be parsed or does not hold."""


class Node(NamedTuple):
    """A part of a formula: its LaTeX, and its value at given letters."""

    latex: str
    value: Callable[[Letters], Any]
    stacked: bool = False  # a stacked fraction, which needs no brackets after log
    called: bool = False  # log(x): a following power would be read as a power of x
    open: str = ""  # why the following part could be misread as belonging to this one; empty if it could not


class Formula(NamedTuple):
    """Expressions joined by relation signs."""

    sides: tuple[Node, ...]
    signs: tuple[str, ...]

    @property
    def latex(self) -> str:
        pairs = zip(self.signs, self.sides[1:], strict=True)
        return self.sides[0].latex + "".join(f" {SIGNS[sign]} {side.latex}" for sign, side in pairs)

    def holds(self, letters: Letters) -> bool:
        """Return whether every relation holds at these letters; without a relation, whether it has their value."""
        sides = [side.value(letters) for side in self.sides]
        if not self.signs:
            return _relates(sides[0], "=", letters["value"], "")
        exact = sides[0]
        for left, sign, right, node in zip(sides, self.signs, sides[1:], self.sides[1:]):
            # a ≈ 0.5 < b also states that a is below b
            if not all(_relates(each, sign, right, node.latex) for each in (left, exact)):
                return False
            exact = exact if sign == "≈" else right
        return True


def _relates(left: Any, sign: str, right: Any, written: str) -> bool:
    if sign == "≈":
        return abs(left - right) <= _half_unit(written)
    difference = left - right
    rounding = EQUAL * max(mpmath.norm(left), mpmath.norm(right)) + NOTHING
    if not mpmath.isfinite(rounding):
        return False
    if sign == "=":  # also of matrices, which have no order
        return bool(mpmath.norm(difference) <= rounding)
    edge = rounding if sign in "≤>" else -rounding
    return bool(difference <= edge if sign in "≤<" else difference >= edge)


def _half_unit(written: str) -> Any:
    """Return half a unit in the last place of a number such as 4.30 or 2.06 · 10^{-9}."""
    found = re.fullmatch(r"-?\d+(?:\.(\d+))?(?: \\cdot 10\^\{(-?\d+)\})?", written)
    if not found or not re.search("[1-9]", written.partition(" ")[0]):
        raise Refused(f"≈ takes a number other than 0 on its right, got {written}")
    return mpmath.mpf(10) ** (int(found[2] or 0) - len(found[1] or "")) / 2


class _Reader:
    """A recursive-descent parser: sums of products of powers."""

    def __init__(self, text: str):
        self.text, self.tokens, place = text, list[str](), 0
        while text[place:].strip():
            found = _TOKEN.match(text, place)
            if not found:
                raise Refused(f"{text!r}: no token begins at {text[place:]!r}")
            self.tokens.append(found[1])
            place = found.end()

    def next(self, *wanted: str) -> str:
        """Take the next token if it is one of these."""
        return self.tokens.pop(0) if self.tokens and self.tokens[0] in wanted else ""

    def expect(self, token: str) -> None:
        if not self.next(token):
            raise Refused(f"{self.text!r}: expected {token!r} before {''.join(self.tokens)!r}")

    def formula(self) -> Formula:
        sides, signs = [self.sum()], list[str]()
        while sign := self.next(*_RELATIONS):
            signs.append(sign)
            sides.append(self.sum())
        if self.tokens:
            raise Refused(f"{self.text!r}: {''.join(self.tokens)!r} does not belong to the formula")
        return Formula(tuple(sides), tuple(signs))

    def sum(self) -> Node:
        node = _negate(self.require_closed(self.product(), MOD)) if self.next("-") else self.product()
        while sign := self.next("+", "-"):
            apply = operator.add if sign == "+" else operator.sub
            other = self.require_closed(self.product(), MOD)
            node = _join(self.require_closed(node, MOD), f" {sign} ", other, apply)
        return node

    def require_closed(self, node: Node, *reasons: str) -> Node:
        """Return the node. Raises Refused, with one of these reasons, if the following part could be read as
        belonging to it.
        """
        if node.open in (reasons or (CALL, MOD)):
            raise Refused(f"{self.text!r}: {node.open}; use brackets, or // for a fraction")
        return node

    def product(self) -> Node:
        node, divided = self.power(), False
        while sign := self.next("·", "/", "//", "mod"):
            if divided:
                raise Refused(
                    f"{self.text!r}: a factor after a division may be read as part of the denominator; use brackets"
                )
            node = node if sign == "//" else self.require_closed(node)
            other, divided = self.power(), sign == "/"
            match sign:
                case "·":
                    between = r" \cdot " if other.latex[0].isdigit() else " "
                    node = _join(node, between, other, operator.mul)._replace(open=other.open)
                case "/":
                    node = _join(node, "/", other, operator.truediv)._replace(open=other.open)
                case "//":
                    stacked = rf"\frac{{{_strip_brackets(node.latex)}}}{{{_strip_brackets(other.latex)}}}"
                    node = _join(node, "", other, operator.truediv)._replace(latex=stacked, stacked=True)
                case "mod":
                    node = _join(node, r" \bmod ", other, operator.mod)._replace(open=MOD)
        return node

    def power(self) -> Node:
        node = self.atom()
        if self.tokens[:1] == ["^"] and (node.open or node.called):
            raise Refused(f"{self.text!r}: {CALL}; use brackets")
        if self.next("^"):
            exponent = _negate(self.atom()) if self.next("-") else self.atom()
            raised = f"{node.latex}^{{{_strip_brackets(exponent.latex)}}}"
            return _join(node, "", exponent, operator.pow)._replace(latex=raised)
        if self.next("ᵀ"):
            return _apply(lambda matrix: matrix.T, node, f"{node.latex}^T")
        return _apply(mpmath.radians, node, f"{node.latex}°") if self.next("°") else node

    def atom(self) -> Node:
        if self.next("("):
            inside = self.sum()
            self.expect(")")
            return Node(f"({inside.latex})", inside.value)
        if self.next("√"):
            under = self.atom()
            return _apply(mpmath.sqrt, under, rf"\sqrt{{{_strip_brackets(under.latex)}}}")
        if self.next("‖"):
            inside = self.sum()
            self.expect("‖")
            return _apply(mpmath.norm, inside, rf"\lVert {inside.latex} \rVert")
        if not self.tokens:
            raise Refused(f"{self.text!r} ends where an expression is expected")
        token = self.tokens.pop(0)
        if token[0].isdigit():
            return Node(token, lambda letters: mpmath.mpf(token))
        if token in _FUNCTIONS:
            return self.call(rf"\{token}", lambda letters: _FUNCTIONS[token])
        if not token[0].isalpha():
            raise Refused(f"{self.text!r}: {token!r} does not begin an expression")
        letter = Node(_letter(token), lambda letters: _look_up(token, letters))
        return self.call(letter.latex, letter.value) if self.tokens[:1] == ["("] else letter

    def call(self, latex: str, function: Callable[[Letters], Callable]) -> Node:
        """Parse the arguments of log(x), max(x, y), p(i), or of a function without brackets: log 510, cos θ."""
        if not self.next("("):
            argument = self.power()
            return Node(
                f"{latex} {argument.latex}",
                lambda letters: function(letters)(argument.value(letters)),
                open=CALL,
            )
        arguments = [self.sum()]
        while self.next(","):
            arguments.append(self.sum())
        self.expect(")")
        inside = ", ".join(argument.latex for argument in arguments)
        bare = len(arguments) == 1 and arguments[0].stacked
        return Node(
            f"{latex} {inside}" if bare else f"{latex}({inside})",
            lambda letters: function(letters)(*(argument.value(letters) for argument in arguments)),
            called=True,
            open=CALL if bare else "",
        )


def _join(left: Node, between: str, right: Node, apply: Callable[[Any, Any], Any]) -> Node:
    return Node(
        f"{left.latex}{between}{right.latex}",
        lambda letters: apply(left.value(letters), right.value(letters)),
    )


def _apply(function: Callable[[Any], Any], node: Node, latex: str) -> Node:
    return Node(latex, lambda letters: function(node.value(letters)))


def _negate(node: Node) -> Node:
    return _apply(operator.neg, node, f"-{node.latex}")


def _strip_brackets(latex: str) -> str:
    """Remove brackets around the whole."""
    inner = latex[1:-1] if latex[0] == "(" and latex[-1] == ")" else latex
    depth = 0
    for sign in inner:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return latex
    return inner


def _letter(token: str) -> str:
    """Return the LaTeX of a letter: P_ip and P[i,p(i)] get a subscript, n⁺ is one letter."""
    base, below = token[0] + "⁺" * token.endswith("⁺"), token[1:].strip("_[]⁺")
    latex = LETTERS.get(base, base)
    return f"{latex}_{{{below}}}" if below else latex


def _look_up(token: str, letters: Letters) -> Any:
    if token in letters:
        return mpmath.mpf(letters[token]) if isinstance(letters[token], int) else letters[token]
    if token == "e":
        return mpmath.e
    raise Refused(f"{token} is unknown; known are {', '.join(letters) or 'no letters'}")


# --- what a lesson writes in braces -----------------------------------------------------------------------

WRITTEN = re.compile(r"\{((?:=|≠|given|-?[\d,]*\.?\d+:) [^{}]+)\}")


def read(text: str) -> Formula:
    """Parse the formula without checking it."""
    return _Reader(text).formula()


@cache
def check(written: str) -> Span:
    """Return the rendering of `= relation for letters`, `given relation` or `number: expression`. Raises Refused if
    it is false; if it begins with ≠, if it is true at any drawn case.
    """
    wrong, said = written.startswith("≠ "), written.removeprefix("≠ ")
    if wrong and not WRITTEN.fullmatch(f"{{{said}}}"):
        said = f"= {said}"
    kind, text, letters = _parts(said)
    formula, number = read(text), kind != "="
    if kind == "given":
        if letters or wrong:
            raise Refused(f"{{{written}}} is no premise: {PREMISE}")
        _check_premise(text)
        return Span(text, formula.latex)
    if wrong and (formula.signs or not (number or letters in SITUATIONS)):
        raise Refused(
            f"{{{written}}} is no value; write ≠ before a number and its expression, or name a situation"
        )
    if not (number or formula.signs or letters in SITUATIONS):
        raise Refused(f"{{{written}}} states no relation, so it must name a situation that has its value")
    if number:
        formula = Formula((*formula.sides, read(kind.replace(",", "")).sides[0]), ("≈",))
    _check(formula, written, letters, holds=not wrong)
    return Span(kind.replace("-", "−")) if number else Span(text.replace("//", "/"), formula.latex)


PREMISE = "`given` takes a letter, a sign and a value"


def _split_premise(text: str) -> tuple[str, str, list[str]]:
    """Split a premise into its letter, its sign, and the tokens of its value."""
    match _Reader(text).tokens:
        case [letter, ("=" | "<" | ">" | "≥" | "≤") as sign, *value] if letter[0].isalpha():
            if value and not set(value) & set(_RELATIONS):
                return letter, sign, value
    raise Refused(f"{{given {text}}} is no premise: {PREMISE}")


def _letters_of(tokens: Iterable[str]) -> set[str]:
    return {token for token in tokens if token[0].isalpha() and token not in (*_FUNCTIONS, "mod", "e")}


def _check_premise(text: str) -> None:
    """Raise Refused for a premise that redefines the notation's own letter e, defines a letter by itself, or
    gives it a value that the table of symbols excludes.
    """
    letter, sign, value = _split_premise(text)
    if letter == "e":
        raise Refused(f"{{given {text}}}: e is the base of the natural logarithm; take another letter")
    if letter in value:
        raise Refused(f"{{given {text}}} defines {letter} by {letter} itself")
    named = [entry for entry in TABLE if entry.name == letter]
    if named and not _letters_of(value):
        number = read(" ".join(value)).sides[0].value({})
        if not any(_may_be(entry.symbol, sign, number) for entry in named):
            raise Refused(f"{{given {text}}}: {letter} is the {named[0].meaning} and cannot have that value")


def _may_be(symbol: Any, sign: str, number: Any) -> bool:
    """Return whether a symbol of the table may be in that relation to a number, by its assumptions."""
    # lessons may use an array's letter for one entry, or for something else
    if not isinstance(symbol, Symbol):
        return True
    if sign == "=" and symbol.is_integer and number != mpmath.floor(number):
        return False
    return bool(number > 0 or sign in ">≥" or not symbol.is_positive)


def check_premises(lesson: Iterable[str]) -> None:
    """Raise Refused if texts of one lesson define a letter of the table by other letters in two ways; values may
    differ between examples."""
    known, defined = {entry.name for entry in TABLE}, dict[str, str]()
    for text in lesson:
        for written in WRITTEN.findall(text):
            kind, premise, _ = _parts(written)
            if kind != "given":
                continue
            letter, sign, value = _split_premise(premise)
            if sign != "=" or letter not in known or not _letters_of(value):
                continue
            if defined.setdefault(letter, premise) != premise:
                raise Refused(
                    f"{{given {premise}}} contradicts {{given {defined[letter]}}} of the same lesson"
                )


def _check(formula: Formula, written: str, letters: str, *, holds: bool = True) -> None:
    rng = random.Random(0)
    with mpmath.workdps(DIGITS):
        for _ in range(DRAWS if letters in SITUATIONS else DRAWS_OF_LETTERS):
            before = rng.getstate()
            drawn = _draw(letters, rng)
            if formula.holds(drawn) != holds:
                raise Refused(f"{{{written}}} does not hold" + (f" at {drawn}" if drawn else ""))
            if rng.getstate() == before:
                return  # no letter was drawn, so one case is enough


def _parts(written: str) -> tuple[str, str, str]:
    """Split into kind (=, given, or the shown number), formula, and letters."""
    kind, _, rest = written.partition(" ")
    text, _, letters = rest.partition(" for ")
    return kind.removesuffix(":"), text.strip(), letters.strip()


def _draw(letters: str, rng: random.Random) -> Letters:
    """Return the letters of a situation, or random values for `u, v` and `x > 0`."""
    if letters in SITUATIONS:
        return SITUATIONS[letters](rng)
    found = {}
    for part in filter(None, letters.split(",")):
        said = re.fullmatch(r"(\w)(?: (?:(>) 0|= (\d+)))?", part.strip())
        if not said:
            raise Refused(
                f"unknown letters {letters!r}: write `x > 0`, `u, v`, `B = 2`, or one of {', '.join(SITUATIONS)}"
            )
        name, positive, fixed = said.groups()
        found[name] = mpmath.mpf(fixed or (_number(rng) if positive else rng.choice((-1, 1)) * _number(rng)))
    return found


def _number(rng: random.Random) -> Any:
    """Return a random positive number between 1/1,000 and 1,000."""
    return mpmath.mpf(10) ** rng.uniform(-3, 3)
