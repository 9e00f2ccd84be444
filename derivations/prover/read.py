"""Read an expression from text, in the notation in which `show.text` prints it.

    P[i, j], p(i), ‖w[i]‖               an entry, a map of an index, a length
    e^L[i,j] / Σ_k e^L[i,k]             a sum reaches to the end of its product
    1[i = k], 1[j ≠ p(i)]               1 where this holds, else 0
    ∂ℓ[i]/∂L[k,j], ∂(a b)/∂τ            unevaluated
    log(x), √(x), e^(x + y)             of one factor, brackets may be left out
    a·b, a b                            products

What may be read in two ways is refused: a/b c, Σ_i a/b, log x y, a^b^c.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from sympy import Add, E, Expr, IndexedBase, Integer, Mul, Pow, Symbol, exp, log, sqrt

from .hypotheses import WellDefined, find_needs
from .notation import INDEX, Differ, Partial, delta, is_index, sum_over

SIGNS = (":=", "=", "≠", "<", "≤", ">", "≥")
_NUMBER = r"[0-9]+"
_INDEX = r"[a-z]′*"
_WORD = r"[^\W\d_]\w+"  # the name of no letter, which is not read as a product of its letters
_LENGTH = r"‖[^‖\s\d()\[\]·/+-]+(?=\[)"


class Unread(ValueError):
    """The text is no expression, or may be read in two ways."""


class Notation(NamedTuple):
    """letters: name → symbol, array or map. sizes: index → the size of the range of a sum over it."""

    letters: Mapping[str, Any]
    sizes: Mapping[Symbol, Expr]

    def read(self, text: str) -> Expr:
        """Read one expression. Raises Unread."""
        expressions, signs = self.read_chain(text)
        if signs:
            raise Unread(f"{text!r} states a relation, where one expression is expected")
        return expressions[0]

    def read_chain(self, text: str) -> tuple[list[Expr], list[str]]:
        """Read expressions with the signs between them: a = b ≤ c. Raises Unread."""
        reader = _Reader(text, self)
        expressions, signs = [reader.sum()], []
        while sign := reader.next(*SIGNS):
            signs.append(sign)
            expressions.append(reader.sum())
        if reader.tokens:
            raise reader.unread("does not belong to it")
        reader.refuse_cancelled(expressions)
        return expressions, signs


def index(name: str) -> Symbol:
    """The index with this name."""
    return Symbol(name, **INDEX)


class _Reader:
    """Reads from the left: sums of products of powers of factors."""

    def __init__(self, text: str, notation: Notation):
        self.text, self.letters, self.sizes = text, notation.letters, notation.sizes
        self.needs: list[WellDefined] = []  # of what is read, before SymPy cancels
        names = "|".join(map(re.escape, sorted(self.letters, key=len, reverse=True)))
        known = rf"(?:{names})(?!\w)|" if names else ""
        self.tokens = re.findall(
            rf"{_NUMBER}|:=|Σ_(?:{_INDEX})+|log(?!\w)|{_LENGTH}|{known}{_WORD}|{_INDEX}|\S", text
        )

    def next(self, *wanted: str) -> str:
        """Take the next token if it is one of these; else return ""."""
        return self.tokens.pop(0) if self.tokens and self.tokens[0] in wanted else ""

    def expect(self, token: str) -> None:
        if not self.next(token):
            raise self.unread(f"where {token} is expected")

    def unread(self, why: str) -> Unread:
        return Unread(f"{self.text!r}: {' '.join(self.tokens[:5]) or 'the end'} {why}")

    def refuse(self, token: str, kind: str) -> None:
        """Raise Unread if the next token makes the text ambiguous."""
        if self.tokens and self.tokens[0] == token:
            raise self.unread(f"after {kind} may be read in two ways; use brackets")

    def defined(self, node: Expr) -> Expr:
        """A quotient, power, root or logarithm just read; keep what it needs to be defined."""
        self.needs.extend(find_needs(node))
        return node

    def refuse_cancelled(self, expressions: list[Expr]) -> None:
        """Raise Unread if SymPy cancelled a need, as α[i] ≠ 0 in α[i]/α[i]: no proof would assume it."""
        kept = {need for one in expressions for need in find_needs(one)}
        for need in self.needs:
            opposite = replace(need, expression=-need.expression) if need.relation == "≠" else need
            if kept.isdisjoint((need, opposite, replace(need, relation=">"))):
                raise Unread(
                    f"{self.text!r} is defined only if {need}, and SymPy cancels what needs it;"
                    " write the text without it, or declare its letters > 0"
                )

    def sum(self) -> Expr:
        terms = [-self.product() if self.next("-") else self.product()]
        while sign := self.next("+", "-"):
            terms.append(self.product() if sign == "+" else -self.product())
        return Add(*terms)

    def at_end_of_product(self) -> bool:
        return not self.tokens or self.tokens[0] in ("+", "-", ")", "]", ",", ":", *SIGNS)

    def product(self, kind: str = "") -> Expr:
        """kind: what reaches to the end of this product, so that no division may follow."""
        factors, divided = [self.power()], False
        while not self.at_end_of_product():
            if kind:
                self.refuse("/", kind)
            if self.next("/"):
                factors.append(self.defined(Pow(self.power(), -1)))
                divided = True
                continue
            if divided:
                raise self.unread("after a division may be read in two ways; use brackets")
            self.next("·")
            factors.append(self.power())
        return Mul(*factors)

    def power(self) -> Expr:
        derived = self.tokens[:1] == ["∂"]
        base = self.factor()
        if derived:
            self.refuse("^", "∂")
        return self.defined(Pow(base, self.exponent())) if self.next("^") else base

    def exponent(self) -> Expr:
        found = -self.factor() if self.next("-") else self.factor()
        self.refuse("^", "^")
        return found

    def bracket(self) -> Expr:
        inside = self.sum()
        self.expect(")")
        return inside

    def factor(self) -> Expr:
        if self.at_end_of_product():
            raise self.unread("where a factor is expected")
        token = self.tokens.pop(0)
        match token:
            case "(":
                return self.bracket()
            case "1" if self.next("["):
                return self.condition()
            case "e" if self.tokens[:1] == ["^"] and isinstance(self.letters.get("e"), Symbol):
                raise self.unread("after e, which is declared a letter; name it otherwise")
            case "e" if self.next("^"):
                return exp(self.exponent())
            case "E" if "E" not in self.letters:
                return E
            case "e" if self.tokens[:1] != ["["] and not isinstance(self.letters.get("e"), Symbol):
                return E
            case "log":
                return self.logarithm()
            case "√":
                root = self.defined(sqrt(self.factor()))
                self.refuse("^", "√")
                return root
            case "∂":
                return self.derivative()
        if re.fullmatch(_NUMBER, token):  # 𝟏 is a letter
            return Integer(token)
        if token.startswith("‖") and token not in self.letters:
            return self.length(token)
        if token.startswith("Σ_"):
            return self.sum_over(re.findall(_INDEX, token))
        return self.quantity(token)

    def sum_over(self, names: list[str]) -> Expr:
        indices = [index(name) for name in reversed(names)]
        if unknown := [one for one in indices if one not in self.sizes]:
            raise Unread(f"{self.text!r}: the range of {unknown[0]} is not given")
        return sum_over(self.product("Σ"), *((one, self.sizes[one]) for one in indices))

    def logarithm(self) -> Expr:
        bracketed = self.tokens[:1] == ["("]
        found = self.defined(log(self.factor()))
        if not bracketed and not self.at_end_of_product():
            raise self.unread("after log without brackets may be read in two ways; use brackets")
        return found

    def condition(self) -> Expr:
        left, sign = self.index(), self.next("=", "≠")
        if not sign:
            raise self.unread("where = or ≠ is expected")
        right = self.index()
        self.expect("]")
        return delta(left, right) if sign == "=" else Differ(left, right)

    def derivative(self) -> Expr:
        inside = self.bracket() if self.next("(") else self.factor()
        self.expect("/")
        self.expect("∂")
        return Partial(inside, self.factor())

    def length(self, token: str) -> Expr:
        """‖w[i]‖, an entry of the array with the name ‖w‖."""
        base = self.letters.get(f"{token}‖")
        if base is None:
            raise Unread(f"{self.text!r}: there is no letter {token}‖")
        self.expect("[")
        entry = base[self.indices("]")]
        self.expect("‖")
        return entry

    def quantity(self, token: str) -> Expr:
        """A letter, an entry, a map of an index, or an index."""
        meant = self.letters.get(token)
        if meant is None:
            if not re.fullmatch(_INDEX, token):
                what = "function" if self.tokens[:1] == ["("] else "letter" if token[0].isalpha() else "sign"
                raise Unread(
                    f"{self.text!r}: there is no {what} {token}; write + - · / ^ √ log e^ Σ_i ∂ 1[i = j], a number"
                    " as 1/2, and declare letters with the ranges, as x real or c[] real"
                )
            meant = index(token)
        if isinstance(meant, IndexedBase):
            opening = "(" if meant.is_integer else "["
            self.expect(opening)
            return meant[self.indices(")" if opening == "(" else "]")]
        if self.tokens[:1] == ["["] or (self.tokens[:1] == ["("] and is_index(meant)):
            raise self.unread(f"after {token}, which is no array and no map")
        return meant

    def indices(self, closing: str) -> tuple[Expr, ...]:
        found = [self.index()]
        while self.next(","):
            found.append(self.index())
        self.expect(closing)
        return tuple(found)

    def index(self) -> Expr:
        """An index, a number, or a map of an index."""
        token = self.tokens.pop(0) if self.tokens else ""
        if re.fullmatch(_NUMBER, token):
            return Integer(token)
        if isinstance(self.letters.get(token), IndexedBase) and self.tokens[:1] == ["("]:
            return self.quantity(token)
        if not re.fullmatch(_INDEX, token):
            raise Unread(f"{self.text!r}: {token or 'the end'} where an index is expected, such as k or k′")
        return index(token)
