r"""Read the LaTeX of a quotation, and evaluate it at a point.

A person turns a quotation into a relation. This is a second reading, independent of that relation: it reads \frac,
\sum, \log and the like as they are printed, and the letters from a table. It refuses what it does not know. Indices
count from 0; a column times a column is their inner product; exp and log of a matrix are those of its entries.
"""

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product as pairs
from typing import Any, NamedTuple

import mpmath
from sympy import Expr, Indexed, IndexedBase, Integer, Symbol

from .evidence.claims import Claim, split_formulas
from .prover.evaluate import evaluator
from .prover.notation import INDEX, Definition, base_of, is_index, quantities_of, unfold
from .symbols import TABLE
from .symbols import p as positives

_TOKEN = re.compile(r"\\[A-Za-z]+|\\[^A-Za-z]|\d+|\S")
_NO_MEANING = re.compile(r"\\(?:left|right|quad|mathbf|mathrm|operatorname|text)(?![A-Za-z])|\\[,;:! ]")
_RELATIONS = {"=", r"\approx", r"\geq", r"\leftarrow", r"\propto", r"\in", ",", r"\to"}
_OPEN, _CLOSE = {"(": ")", "[": "]", "{": "}", r"\{": r"\}", r"\langle": r"\rangle"}, ")]}"
_SIZES = {"N": 8, "B": 4, "A": 5, "M": 6, "K": 7}  # N = 2B
LEAST_SIZE = 4  # of anything else
CLASSES = (0, 0, 1, 1, 2, 2, 3, 3)  # class labels; each map has them in another order
PARTNERS = (3, 4, 0, 1, 2, 0, 3, 1)  # the positive of each row, an index of A candidates
DIGITS = 30
ALIKE = mpmath.mpf(10) ** -20  # two readings of one formula differ by round-off in 30 digits

Value = Any  # a number or a matrix of mpmath
At = Mapping[Symbol, int]
Node = Callable[["Point", At], Value]


class Unread(ValueError):
    """The LaTeX has something that this reader does not know."""


class Array(NamedTuple):
    """The meaning of a letter that is a column or a matrix: its entry, and the indices of its axes."""

    entry: Expr
    axes: tuple[Symbol, ...]


class Over(NamedTuple):
    r"""The meaning of `\sum_{…}` or of an expectation: a sum over indices of given sizes, each term with a
    weight.
    """

    indices: tuple[tuple[Symbol, Expr], ...]
    weight: Expr = Integer(1)


class Letters(NamedTuple):
    """The meaning of each printed letter.

    names: a symbol, an expression, an `Array` or an `Over`; a letter that is not among them is an index of that
    name. sizes: the range of an index where a sum does not say it. sets: the set of `a \\in A`, as a size and, if
    one of them is left out, this one.
    """

    names: Mapping[str, Any]
    sizes: Mapping[str, Expr]
    sets: Mapping[str, tuple[Expr, Expr | None]] = {}


def sides(claim: Claim) -> list[list[str]]:
    """Return the sides of all formulas of a quotation, as tokens."""
    found: list[list[str]] = []
    for run in split_formulas(claim.printed):
        if run.latex:
            found += _split(_tokens(run.latex))
    return found


def _tokens(latex: str) -> list[str]:
    return _TOKEN.findall(_NO_MEANING.sub(" ", latex.replace(r"\mid", "|").replace(":=", "=")))


def _split(tokens: Iterable[str]) -> list[list[str]]:
    parts, depth = [list[str]()], 0
    for token in tokens:
        depth += (token in _OPEN) - (token in {*_CLOSE, r"\}", r"\rangle"})
        if depth <= 0 and token in _RELATIONS:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]


class Point:
    """Numbers for all symbols: drawn when first needed, or computed from a definition."""

    def __init__(self, names: Sequence[Definition]):
        self.names, self.values = names, dict[Any, Any]()
        self.known: dict[Expr, Callable[[At], tuple[Any, Any]]] = {}

    def number(self, expression: Expr, at: At) -> Any:
        """The value of an expression."""
        if expression not in self.known:
            whole = unfold(expression, self.names)
            for quantity in quantities_of(whole) - self.values.keys():
                if not is_index(quantity):
                    self.values[quantity] = self._draw(quantity)
            self.known[expression] = evaluator(whole, self.values)
        number = self.known[expression](at)[0]
        # a quotient of whole numbers is computed to 30 digits
        return (
            mpmath.mpf(number.numerator) / number.denominator
            if isinstance(number, int | Fraction)
            else number
        )

    def size(self, size: Expr) -> int:
        return int(self.number(size, {}))

    def _draw(self, quantity: Any) -> Any:
        if isinstance(quantity, Symbol):
            if quantity.is_integer:
                return _SIZES.get(quantity.name, LEAST_SIZE)
            return _draw(random.Random(str(quantity)))
        return _Entries(quantity)


class _Entries:
    """The entries of an array of any size, or the images of a map, drawn when needed."""

    def __init__(self, quantity: IndexedBase, place: tuple[int, ...] = ()):
        self.quantity, self.place = quantity, place

    def __getitem__(self, index: int) -> Any:
        place = (*self.place, index)
        if self.quantity.is_integer:
            images = random.Random(str(self.quantity))
            return (
                PARTNERS[index] if self.quantity == positives else images.sample(CLASSES, len(CLASSES))[index]
            )
        if len(place) < len(_axes(self.quantity)):
            return _Entries(self.quantity, place)
        return _draw(random.Random(f"{self.quantity} {place}"))


def _draw(drawn: random.Random) -> Any:
    """Draw a number x between 0 and 1, so that 1 − x has a logarithm too."""
    return mpmath.mpf(drawn.randint(64, 448)) / 512


@cache
def _axes(quantity: IndexedBase) -> list[Expr]:
    """Return the sizes of an array, by the table of symbols."""
    shape = next(entry.shape for entry in TABLE if entry.symbol == quantity)
    names = re.findall(r"[^(), ]+", shape.replace("'", "′"))
    known = {str(entry.symbol): entry.symbol for entry in TABLE if isinstance(entry.symbol, Symbol)}
    return [known[name] for name in names]


def read(tokens: Sequence[str], letters: Letters) -> Node:
    """Compile one side of a formula. Raises Unread for what is not known."""
    reader = _Reader(list(tokens), letters)
    node = reader.sum()
    if reader.tokens:
        raise Unread(f"{' '.join(tokens)}: {reader.tokens[0]} cannot be read")
    return node


class _Reader:
    def __init__(self, tokens: list[str], letters: Letters):
        self.tokens, self.letters, self.bars = tokens, letters, list[str]()
        spelled = ((_tokens(name), meant) for name, meant in letters.names.items())
        self.names = sorted(spelled, key=lambda name: -len(name[0]))

    def next(self, *tokens: str) -> bool:
        """Consume these tokens if they are next."""
        if tuple(self.tokens[: len(tokens)]) != tokens:
            return False
        del self.tokens[: len(tokens)]
        return True

    def group(self) -> list[str]:
        """Consume the group in braces that is next, or one token."""
        if not self.tokens:
            raise Unread("the formula ends where an argument is expected")
        if not self.next("{"):
            return [self.tokens.pop(0)]
        depth, inside = 1, list[str]()
        while self.tokens:
            token = self.tokens.pop(0)
            depth += (token == "{") - (token == "}")
            if not depth:
                return inside
            inside.append(token)
        raise Unread("a brace is not closed")

    def within(self, tokens: list[str]) -> Node:
        return read(tokens, self.letters)

    def find(self) -> Any:
        """Consume the longest name of the table that is next, and return its meaning."""
        for spelled, meant in self.names:
            if self.next(*spelled):
                return meant
        return None

    # --- sums, products, powers ---

    def sum(self) -> Node:
        node = self.term()
        while self.tokens[:1] in (["+"], ["-"]):
            minus, other = self.tokens.pop(0) == "-", self.product()
            node = _apply(_add, node, _negate(other) if minus else other)
        return node

    def term(self) -> Node:
        return _negate(self.product()) if self.next("-") else self.product()

    def product(self) -> Node:
        node = self.power()
        while self.tokens and self.tokens[0] not in {*"+-,)]}", r"\}", r"\rangle", *self.bars[-1:]}:
            if self.next("/"):
                node = _apply(lambda a, b: a / b, node, self.power())
            elif self.next(r"\otimes"):
                node = _apply(_multiply_entries, node, self.product())
            else:
                self.next(r"\cdot")
                node = _apply(_multiply, node, self.power())
        return node

    def power(self) -> Node:
        node = self.atom()
        while self.tokens[:1] == ["^"]:
            self.tokens.pop(0)
            raised = self.group()
            if raised in (["T"], [r"\top"]):
                node = _apply(lambda matrix: matrix.T, node)
            else:
                node = _apply(lambda base, exponent: base**exponent, node, self.within(raised))
        return node

    # --- atoms ---

    def atom(self) -> Node:
        if not self.tokens:
            raise Unread("the formula ends where a factor is expected")
        if self.tokens[0] == r"\sum" or self.tokens[0] == r"\prod":
            return self.series()
        if self.tokens[:2] in (["1", "["], ["1", "_"]) or self.tokens[:4] == [r"\mathbb", "{", "1", "}"]:
            return self.indicator()
        meant = self.find()
        if meant is not None:
            return self.named(meant)
        token = self.tokens.pop(0)
        if token.isdigit():
            return lambda point, at: mpmath.mpf(token)
        if token in _OPEN and token != r"\langle":
            inside = self.sum()
            self.close(_OPEN[token])
            return inside
        if token in ("|", r"\|"):
            self.bars.append(token)
            inside = self.sum()
            self.bars.pop()
            self.close(token)
            if self.next("_"):
                self.group()  # ‖x‖₂ is the length
            return _apply(_length, inside)
        match token:
            case r"\frac":
                above, below = self.within(self.group()), self.within(self.group())
                return _apply(lambda a, b: a / b, above, below)
            case r"\sqrt":
                return _apply(mpmath.sqrt, self.within(self.group()))
            case r"\exp":
                return _apply(_each(mpmath.exp), self.atom())
            case "e" if self.next("^"):
                return _apply(_each(mpmath.exp), self.within(self.group()))
            case r"\log":
                bracket = self.tokens and self.tokens[0] in _OPEN
                return _apply(_each(mpmath.log), self.power() if bracket else self.product())
            case r"\langle":
                left = self.sum()
                self.close(",")
                right = self.sum()
                self.close(r"\rangle")
                return _apply(lambda a, b: _multiply(a.T, b), left, right)
            case r"\delta" if self.next("_"):
                row, column = self.indices(self.group())
                return lambda point, at: mpmath.mpf(point.number(row, at) == point.number(column, at))
        raise Unread(f"nothing is known of {token} {' '.join(self.tokens[:6])}")

    def close(self, token: str) -> None:
        # a bracket may stay open at the end, as in D4
        if not self.next(token) and (self.tokens or token != ")"):
            raise Unread(f"{token} is expected before {' '.join(self.tokens[:6]) or 'the end'}")

    def named(self, meant: Any) -> Node:
        if isinstance(meant, Over):
            return _sum_over(meant, self.term())
        if isinstance(meant, IndexedBase):
            indices = self.indices(self.group()) if self.next("_") else []
            axes = tuple(
                Symbol(f"axis{number}", **INDEX) for number in range(len(_axes(meant)) - len(indices))
            )
            entry = meant[(*indices, *axes)]
            meant = Array(entry, axes) if axes else entry
        if isinstance(meant, Array):
            return lambda point, at: _fill(meant, point, at)
        if isinstance(meant, Expr):
            return lambda point, at: point.number(meant, at)
        return self.call(meant)

    def call(self, function: Callable[[Value], Value]) -> Node:
        """Read f(x), f(x, dim=-1), or f before a term."""
        if not self.next("("):
            return _apply(function, self.term())
        argument = self.sum()
        if self.next(","):
            while self.tokens and self.tokens[0] != ")":
                self.tokens.pop(0)
        self.close(")")
        return _apply(function, argument)

    # --- indices ---

    def indices(self, tokens: list[str]) -> list[Expr]:
        reader = _Reader(list(tokens), self.letters)
        found = []
        while reader.tokens:
            if not reader.next(","):
                found.append(reader.index())
        return found

    def index(self) -> Expr:
        meant = self.find()
        if isinstance(meant, IndexedBase) and meant.is_integer and self.next("("):
            inside = self.index()
            self.close(")")
            return meant[inside]
        if meant is None and self.tokens and re.fullmatch("[a-z]", self.tokens[0]):
            return Symbol(self.tokens.pop(0), **INDEX)
        if is_index(meant) or (isinstance(meant, Indexed) and meant.base.is_integer):
            return meant
        raise Unread(f"{meant or ' '.join(self.tokens)} is no index")

    def indicator(self) -> Node:
        self.next(r"\mathbb", "{", "1", "}") or self.next("1")
        inside = self.group() if self.next("_") else self.bracket()
        inside = inside[1:-1] if inside[:1] == ["["] else inside
        sign = next((sign for sign in ("=", r"\neq") if sign in inside), "")
        if not sign:
            raise Unread(f"{' '.join(inside)} compares no indices")
        at = inside.index(sign)
        (row,), (column,) = self.indices(inside[:at]), self.indices(inside[at + 1 :])
        equal = sign == "="
        return lambda point, at: mpmath.mpf((point.number(row, at) == point.number(column, at)) == equal)

    def bracket(self) -> list[str]:
        end = self.tokens.index("]") + 1
        inside, self.tokens[:end] = self.tokens[:end], []
        return inside

    def series(self) -> Node:
        meant = self.find()
        if meant is not None:
            return self.named(meant)
        times = self.tokens.pop(0) == r"\prod"
        below = self.group() if self.next("_") else []
        above = self.within(self.group()) if self.next("^") else None
        spelled, *said = _split_at(below, "=", r"\neq", r"\in")
        indices = self.indices(spelled)
        if (times or said or above) and len(indices) != 1:
            raise Unread(f"a sum over {' '.join(below)}")
        without: Expr | None = None
        sizes = [self.letters.sizes.get(_spell(part)) for part in _split_at_commas(spelled)]
        if r"\neq" in below:
            (without,) = self.indices(said[0])
        elif r"\in" in below:
            size, without = self.letters.sets.get(_spell(said[0]), (None, None))
            sizes = [size]
        elif said and (said[0] != ["1"] or above is None):
            raise Unread(f"a sum that does not begin at 1: {' '.join(below)}")
        if above is None and not all(sizes):
            raise Unread(f"the sum over {' '.join(below)} has no known end")
        body = self.term()

        def value(point: Point, at: At) -> Value:
            ends = [int(above(point, at))] if above else [point.size(size) for size in sizes if size]
            terms = []
            for places in pairs(*map(range, ends)):
                within = {**at, **dict(zip(indices, places, strict=True))}
                if without is None or places[0] != point.number(without, within):
                    terms.append(body(point, within))
            result = terms[0]
            for term in terms[1:]:
                result = result * term if times else result + term
            return result

        return value


def _split_at(tokens: list[str], *signs: str) -> list[list[str]]:
    for place, token in enumerate(tokens):
        if token in signs:
            return [tokens[:place], tokens[place + 1 :]]
    return [tokens]


def _split_at_commas(tokens: list[str]) -> list[list[str]]:
    parts = [list[str]()]
    for token in tokens:
        if token == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _spell(tokens: list[str]) -> str:
    return "".join(tokens)


def _sum_over(meant: Over, body: Node) -> Node:
    def value(point: Point, at: At) -> Value:
        total = mpmath.mpf(0)
        for places in pairs(*(range(point.size(size)) for _, size in meant.indices)):
            within = {**at, **dict(zip((index for index, _ in meant.indices), places, strict=True))}
            total = total + point.number(meant.weight, within) * body(point, within)
        return total

    return value


def _fill(array: Array, point: Point, at: At) -> Value:
    """Return the matrix of an array; an array with one axis is a column."""
    names = [base_of(array.entry)] if isinstance(array.entry, Indexed) else []
    sizes = [
        _axes(names[0])[array.entry.indices.index(axis)] if names else _SIDES[axis.name]
        for axis in array.axes
    ]
    ends = [point.size(size) for size in sizes] + [1] * (len(array.axes) == 1)
    matrix = mpmath.matrix(*ends)
    for places in pairs(*map(range, ends)):
        matrix[places] = point.number(array.entry, {**at, **dict(zip(array.axes, places, strict=False))})
    return matrix


# the sizes of the axes of an array whose entry is not an entry of a symbol
_SIDES = {name: next(entry.symbol for entry in TABLE if entry.name == size) for name, size in
          (("f", "d"), ("g", "d"), ("i", "B"), ("j", "B"))}  # fmt: skip


def _apply(function: Callable[..., Value], *nodes: Node) -> Node:
    return lambda point, at: _scalar(function(*(node(point, at) for node in nodes)))


def _scalar(value: Value) -> Value:
    """Return the entry of a 1 × 1 matrix as a number."""
    return value[0] if isinstance(value, mpmath.matrix) and (value.rows, value.cols) == (1, 1) else value


def _negate(node: Node) -> Node:
    return _apply(lambda value: -value, node)


def _add(left: Value, right: Value) -> Value:
    return left + right


def _multiply(left: Value, right: Value) -> Value:
    if isinstance(left, mpmath.matrix) and isinstance(right, mpmath.matrix) and left.cols == right.cols == 1:
        left = left.T  # z_i z_p and Z_i · Z_j are inner products
    return left * right


def _multiply_entries(left: Value, right: Value) -> Value:
    if not (isinstance(left, mpmath.matrix) and isinstance(right, mpmath.matrix)):
        raise Unread("⊗ needs two matrices")
    return mpmath.matrix([[left[i, j] * right[i, j] for j in range(left.cols)] for i in range(left.rows)])


def _each(function: Callable[[Any], Any]) -> Callable[[Value], Value]:
    return lambda value: value.apply(function) if isinstance(value, mpmath.matrix) else function(value)


def _length(value: Value) -> Value:
    return mpmath.norm(value) if isinstance(value, mpmath.matrix) else abs(value)


def add_rows(value: Value) -> Value:
    """sum(…): the sums of a matrix's rows, or the sum of a column."""
    if value.cols == 1:
        return mpmath.fsum(value)
    return mpmath.matrix([mpmath.fsum(value[i, j] for j in range(value.cols)) for i in range(value.rows)])


def softmax(value: Value) -> Value:
    """softmax of each row of a matrix."""
    return mpmath.matrix(
        [
            [
                1 / mpmath.fsum(mpmath.exp(value[i, m] - value[i, j]) for m in range(value.cols))
                for j in range(value.cols)
            ]
            for i in range(value.rows)
        ]
    )
