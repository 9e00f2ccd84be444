"""Evaluate expressions in any arithmetic: floats, fractions, mpmath, intervals, Arb balls, tapes.

Each value comes with its *magnitude*, the same expression with the absolute value of every summand: the
scale of the rounding error of a sum that cancels.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache, reduce
from operator import itemgetter
from typing import Any, NamedTuple

import mpmath
from sympy import Add, Expr, Indexed, Integer, KroneckerDelta, Mul, Pow, Rational, Sum, Symbol, exp, log
from sympy.core.numbers import Exp1
from sympy.utilities.iterables import flatten

from .notation import Definition, Differ, base_of, refuse_circles

Number = Any  # mpf, Fraction, int or float: the walk only adds, multiplies, divides and compares
Indices = Mapping[Symbol, int]
Pair = tuple[Number, Number]  # a value and its magnitude: the same object if no term is negative
Evaluator = Callable[[Indices], Pair]
# a pair as a function of a list: the memories of all rules, then the values of symbols and indices
Rule = Callable[[list[Any]], Pair]

NOTHING, ONE = (0, 0), (1, 1)


class Functions(NamedTuple):
    """The functions of an arithmetic, besides its +, ×, ÷ and abs.

    ratio: the exact quotient of two whole numbers. power: a number to a whole power ≥ 1.
    """

    exp: Callable[[Number], Number]
    log: Callable[[Number], Number]
    sqrt: Callable[[Number], Number]
    ratio: Callable[[int, int], Number] = Fraction
    power: Callable[[Number, int], Number] = pow


def evaluator(
    expression: Expr,
    environment: Mapping[Any, Any],
    functions: Functions | None = None,
    names: Iterable[Definition] = (),
) -> Evaluator:
    """Return a function from the values of the free indices to (value, magnitude).

    environment: Symbol → number, IndexedBase → nested lists of numbers; sizes are plain int.
    functions: exp, log and sqrt of the arithmetic; by default `math` where floats came, mpmath otherwise.
    names: the definitions of names that the environment does not hold.

    The magnitude, mag, is |x| for numbers, symbols and indexed symbols, and then
    mag(a + b) = mag a + mag b, mag(ab) = mag a · mag b, mag(Σ f) = Σ mag f, mag(exp u) = exp u,
    mag(log u) = |log u|, mag(uⁿ) = (mag u)ⁿ, mag(u⁻ⁿ) = 1/|u|ⁿ, mag(√u) = √|u|.

    The function memoises each node by the values of its free indices, across calls: make a new evaluator
    if the working precision changes.
    """
    return evaluators((expression,), environment, functions, names)[0]


def evaluators(
    expressions: Iterable[Expr],
    environment: Mapping[Any, Any],
    functions: Functions | None = None,
    names: Iterable[Definition] = (),
) -> list[Evaluator]:
    """Return an `evaluator` of each expression; what they share is evaluated once."""
    of = functions or _functions_of(environment)
    compiler, rules = _compile(tuple(expressions), frozenset(environment), of, tuple(names))
    values: list[Any] = [None] * (1 + len(compiler.places))
    values[0] = [{} for _ in range(compiler.memories)]
    for name, value in environment.items():
        values[compiler.places[name]] = value
    return [_evaluate(compiler, values, *rule) for rule in rules]


@lru_cache(maxsize=64)
def _compile(
    expressions: tuple[Expr, ...], given: frozenset[Any], functions: Functions, names: tuple[Definition, ...]
) -> tuple["_Compiler", list[tuple[Rule, frozenset[Symbol]]]]:
    """Compile expressions, whatever the numbers are; the judge evaluates a statement at many points."""
    compiler = _Compiler(given, functions, names)
    return compiler, [compiler.compile(expression) for expression in expressions]


def _evaluate(compiler: "_Compiler", values: list[Any], rule: Rule, free: frozenset[Symbol]) -> Evaluator:
    """Return a rule as a function of the values of its free indices."""

    def at(indices: Indices) -> Pair:
        here = values.copy()
        for name in free:
            if name not in indices:
                raise ValueError(
                    f"evaluator: {name} has no value; bind it in the environment or pass it as an index"
                )
            here[compiler.places[name]] = indices[name]
        return rule(here)

    return at


def _functions_of(environment: Mapping[Any, Any]) -> Functions:
    kinds = set(map(type, flatten(environment.values(), cls=(list, tuple))))
    if mpmath.mpf not in kinds and any(issubclass(kind, float) for kind in kinds):
        return Functions(math.exp, math.log, math.sqrt)
    return Functions(mpmath.exp, mpmath.log, mpmath.sqrt)


class _Compiler:
    """Compiles each node once into a closure that memoises its values. given: what the environment holds."""

    def __init__(self, given: frozenset[Any], functions: Functions, definitions: tuple[Definition, ...]):
        refuse_circles(definitions)
        self.given = given
        self.functions = functions
        self.named = {base_of(each.head): each for each in definitions if base_of(each.head) not in given}
        for each in self.named.values():
            if taken := given & set(each.indices):
                raise ValueError(
                    f"evaluator: {', '.join(sorted(map(str, taken)))} is an index of {each.head}, and has a value"
                    " in the environment; pass the value of a free index to the call"
                )
        self.known: dict[Expr, tuple[Rule, frozenset[Symbol]]] = {}
        # values stand in a list, which is faster than a dictionary of symbols
        self.places: dict[Any, int] = {}
        self.memories = 0
        for name in given:
            self.place(name)

    def compile(self, node: Expr) -> tuple[Rule, frozenset[Symbol]]:
        """The node's closure and its free indices."""
        if node not in self.known:
            rule, free = self._rule(node)
            if not isinstance(node, Integer | Symbol):
                rule = _memoise(rule, [self.place(name) for name in free], self.memories)
                self.memories += 1
            self.known[node] = rule, free
        return self.known[node]

    def place(self, name: Any) -> int:
        return self.places.setdefault(name, 1 + len(self.places))

    def _rule(self, node: Expr) -> tuple[Rule, frozenset[Symbol]]:
        match node:
            case Integer():
                pair = _pair_with_size(int(node))
                return (lambda at: pair), frozenset()
            case Rational():
                ratio, p, q = self.functions.ratio, int(node.p), int(node.q)
                return (lambda at: _pair_with_size(ratio(p, q))), frozenset()
            case Symbol() | Indexed() if base_of(node) in self.named:
                return self._compile_name(node, self.named[base_of(node)])
            case Symbol():
                place = self.place(node)
                return (lambda at: _pair_with_size(at[place])), frozenset({node}) - self.given
            case Exp1():
                return (lambda at: (self.functions.exp(1),) * 2), frozenset()
            case Indexed():
                return self._compile_indexed(node)
            case KroneckerDelta() | Differ():
                return self._indicator(node)
            case Sum():
                return self._sum(node.function, node.limits)
            case Pow(base=base, exp=exponent):
                return self._power(base, exponent)
        if node.func not in (Add, Mul, exp, log):
            raise ValueError(
                f"evaluator: no rule for {node.func.__name__} in {node}; write it with sums and exp"
            )
        # Indicators first: if one is 0, the other factors are not evaluated.
        arguments = sorted(node.args, key=lambda part: not isinstance(part, (KroneckerDelta, Differ)))
        parts = [self.compile(argument) for argument in arguments]
        rules, free = [part for part, _ in parts], frozenset().union(*(free for _, free in parts))
        if node.func is Add:
            return (lambda at: reduce(_plus, (rule(at) for rule in rules))), free
        if node.func is Mul:
            return (lambda at: _multiply(rules, at)), free
        function = self.functions.exp if node.func is exp else self.functions.log
        return (lambda at: _pair_with_size(function(rules[0](at)[0]))), free

    def _compile_indexed(self, node: Indexed) -> tuple[Rule, frozenset[Symbol]]:
        if node.base not in self.given:
            raise ValueError(
                f"evaluator: {node.base} is not in the environment; bind it to nested lists of numbers"
            )
        place, parts = self.place(node.base), [self.compile(index) for index in node.indices]

        def rule(at):
            entry = at[place]
            for part, _ in parts:
                entry = entry[part(at)[0]]
            return _pair_with_size(entry)

        return rule, frozenset().union(*(free for _, free in parts))

    def _compile_name(self, use: Expr, definition: Definition) -> tuple[Rule, frozenset[Symbol]]:
        body, free = self.compile(definition.body)
        if not definition.indices:
            return body, free
        places = [self.place(index) for index in definition.indices]
        parts = [self.compile(index) for index in use.indices]

        def rule(at):
            within = at.copy()
            for place, (part, _) in zip(places, parts, strict=True):
                within[place] = part(at)[0]
            return body(within)

        return rule, (free - set(definition.indices)).union(*(outer for _, outer in parts))

    def _indicator(self, node: Expr) -> tuple[Rule, frozenset[Symbol]]:
        (left, left_free), (right, right_free) = (self.compile(argument) for argument in node.args[:2])
        when_equal = int(isinstance(node, KroneckerDelta))

        def rule(at):
            bit = when_equal if left(at)[0] == right(at)[0] else 1 - when_equal
            return bit, bit

        return rule, left_free | right_free

    def _sum(self, body: Expr, limits) -> tuple[Rule, frozenset[Symbol]]:
        *inner, (index, low, high) = limits
        term, free = self._sum(body, inner) if inner else self.compile(body)
        (start, start_free), (stop, stop_free) = self.compile(low), self.compile(high)
        place = self.place(index)

        def rule(at):
            within, total = at.copy(), NOTHING
            for within[place] in range(start(at)[0], stop(at)[0] + 1):
                part = term(within)
                total = part if total is NOTHING else _plus(total, part)
            return total

        return rule, (free - {index}) | start_free | stop_free

    def _power(self, base: Expr, exponent: Expr) -> tuple[Rule, frozenset[Symbol]]:
        if not isinstance(exponent, Rational) or exponent.q not in (1, 2):
            raise ValueError(
                f"evaluator: the exponent {exponent} is neither whole nor half; write it with exp and log"
            )
        run, free = self.compile(base)
        power, below = abs(int(exponent.p)), bool(exponent < 0)

        def raised(number: Number) -> Number:
            number = self.functions.sqrt(number) if exponent.q == 2 else number
            if below:  # so that 1/3 of whole numbers stays exact
                number = self.functions.ratio(1, number) if isinstance(number, int) else 1 / number
            return number if power == 1 else self.functions.power(number, power)

        def rule(at):
            value, size = run(at)
            if below or exponent.q == 2:
                value, size = _pair_with_size(value)
            new = raised(value)
            return new, new if value is size else raised(size)

        return rule, free


def _memoise(rule: Rule, places: list[int], number: int) -> Rule:
    key_of = itemgetter(*places) if places else lambda at: None

    def recall(at):
        key, memory = key_of(at), at[0][number]
        if key not in memory:
            memory[key] = rule(at)
        return memory[key]

    return recall


def _pair_with_size(value: Number) -> Pair:
    size = abs(value)
    return value, value if size == value else size


def _plus(a: Pair, b: Pair) -> Pair:
    value = a[0] + b[0]
    return value, value if a[0] is a[1] and b[0] is b[1] else a[1] + b[1]


def _times(a: Pair, b: Pair) -> Pair:
    value = a[0] * b[0]
    return value, value if a[0] is a[1] and b[0] is b[1] else a[1] * b[1]


def _multiply(rules: Iterable[Rule], at: list[Any]) -> Pair:
    product = ONE
    for rule in rules:
        factor = rule(at)
        if isinstance(factor[0], int):
            if factor[0] == 0:
                return NOTHING
            if factor == ONE:
                continue
        product = factor if product is ONE else _times(product, factor)
    return product
