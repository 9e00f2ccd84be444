"""The normal form of finite sums, and the zero test.

An expression is read from SymPy's tree and rebuilt by the rules R1-R8 of `identities`. Two expressions are proved
equal when the normal form of their difference, cleared of its denominators, is 0. The test is sufficient: a
difference that does not vanish means "not proved", never "false".
"""

from collections.abc import Iterable, Mapping
from functools import cache
from math import floor

from sympy import Add, E, Expr, Indexed, Integer, KroneckerDelta, Mul, Pow, Rational, Sum, Symbol, exp, log

from .identities import Rules
from .language import Facts, Language
from .monomials import (
    Factors,
    Index,
    Monomial,
    Terms,
    combine,
    constant,
    height,
    order,
    plus,
    ratio,
    rename_monomial,
    term,
)
from .notation import Definition, Differ, base_of

Scope = Mapping[Symbol, Index]  # bound names → new names


class NotProved(ValueError):
    """A line does not follow from the one above by the rule that it names, as far as this prover can see."""


def is_zero(expression: Expr, facts: Facts | None = None) -> bool:
    """Whether the expression is proved to vanish for every size, by the rules R1-R8 and the facts."""
    return NormalForm(facts or Facts()).equal(expression, Integer(0))


class NormalForm(Rules):
    """Brings expressions to normal form under the facts, and records those it used in `used`.

    names: the defined names to unfold; any other stays closed.
    """

    def __init__(self, facts: Facts, names: Iterable[Definition] = ()):
        super().__init__(facts)
        names = tuple(names)
        self.language = Language(facts, names)
        self.names = {base_of(name.head): name for name in names}
        self.known: dict = {}
        self.range = {index: self._size(size) for index, size in facts.ranges.items()}

    def equal(self, left: Expr, right: Expr) -> bool:
        """Whether the two are proved equal."""
        try:
            return not self.clear_denominators(plus(self.of(left), self.of(right), -1))
        except RecursionError:  # the rules go in circles: not proved
            return False

    def of(self, node: Expr, scope: Scope | None = None) -> Terms:
        """Return the normal form; `scope` maps the bound names of the sums around the node to new names."""
        if scope is None:
            self.language.check(node)
            scope = {}
        scope = {s: name for s, name in scope.items() if s in _free_symbols(node)}
        key = (node, tuple(sorted(scope.items(), key=order)))
        if key not in self.known:
            self.known[key] = self._of(node, scope)
        return self.known[key]

    def _of(self, node: Expr, scope: Scope) -> Terms:
        if base_of(node) in self.names:
            name = self.names[base_of(node)]
            uses = zip(name.indices, node.indices, strict=True) if name.indices else ()
            return self.of(name.body, {index: self._index(use, scope) for index, use in uses})
        match node:
            case Rational():
                return constant(ratio(int(node.p), int(node.q)))
            case Symbol() if node in scope or node in self.facts.ranges:
                return term(("index", self._index(node, scope)))
            case Symbol():
                return term(("symbol", node))
            case Indexed():
                indices = (self._index(index, scope) for index in node.indices)
                return self.product({("entry", (node.base, *indices)): 1})
            case KroneckerDelta():
                return self.delta(*(self._index(index, scope) for index in node.args))
            case Differ():
                return plus(constant(1), self.delta(*(self._index(index, scope) for index in node.args)), -1)
            case Sum():
                return self._sum(node.function, node.limits, scope)
            case Add():
                return combine((self.of(argument, scope), 1) for argument in node.args)
            case Mul():
                return self.times_all(self.of(argument, scope) for argument in node.args)
            case exp():
                return self.exp(self.of(node.args[0], scope))
            case log():
                return self.log(self.of(node.args[0], scope))
            case Pow(base=base, exp=Rational() as exponent) if base != E:
                return self.power(self.of(base, scope), ratio(int(exponent.p), int(exponent.q)))
        if node == E:
            return self.exp(constant(1))
        raise ValueError(
            f"sums: no rule for {node.func.__name__} in {node}; write it with sums, exp, log and powers"
        )

    def _sum(self, body: Expr, limits, scope: Scope) -> Terms:
        *inner, (index, _, high) = limits
        own = self.fresh(self._size(high + 1))
        within = {**scope, index: own}
        terms = self._sum(body, inner, within) if inner else self.of(body, within)
        return self.sum({own}, terms)

    def _index(self, node: Expr, scope: Scope) -> Index:
        if isinstance(node, Indexed):
            return node.base, *(self._index(index, scope) for index in node.indices)
        if isinstance(node, Symbol):
            return scope.get(node, node)
        raise ValueError(f"sums: {node} is not an index; use a name or a declared map of one")

    def _size(self, size: Expr) -> Expr:
        if size not in self.sizes:
            self.sizes[size] = self.of(size, {})
        return size

    def clear_denominators(self, terms: Terms) -> Terms:
        """The normal form multiplied by its denominators, until none is left: {} proves that it vanishes."""
        for _ in range(20):
            lowest: Factors = {}
            for m in terms:
                for atom, exponent in m:
                    if atom[0] == "power" and exponent < 0:
                        lowest[atom] = min(lowest.get(atom, 0), exponent)
            if not lowest:
                return self._term_by_term(terms) if terms else terms
            atom = max(lowest, key=lambda a: (height(a), order(a)))
            terms = self.times(terms, term(atom, -floor(lowest[atom])))
        raise NotProved("the denominators do not clear in 20 steps")

    def _term_by_term(self, terms: Terms) -> Terms:
        """Write the terms as Σ_i a_i; return {} if a_i vanishes once its denominators are cleared, else the
        terms.
        """
        for size in list(self.sizes):
            index = self.fresh(size)
            each: Terms = {}
            for m, c in terms.items():
                summand = self._factor_sum(m, size, index)
                if summand is None:
                    break
                each = plus(each, summand, c)
            else:
                if not self.clear_denominators(each):
                    return {}
        return terms

    def _factor_sum(self, m: Monomial, size: Expr, index: str) -> Terms | None:
        """Write m as Σ_index of the returned terms; None unless exactly one sum in m has an index of this size."""
        sums = [(atom, exponent) for atom, exponent in m if atom[0] == "sum"]
        held = [atom for atom, _ in sums for _, other in atom[1][0] if other == size]
        if len(held) != 1 or (held[0], 1) not in sums:
            return None
        over, body = held[0][1]
        own = {name: index if other == size else self.fresh(other) for name, other in over}
        rest = {atom: exponent for atom, exponent in m if atom != held[0]}
        summand = self.product(dict(rename_monomial(body, own)))
        return self.times(self.product(rest), self.sum(set(own.values()) - {index}, summand))


@cache
def _free_symbols(node: Expr) -> set:
    return node.free_symbols
