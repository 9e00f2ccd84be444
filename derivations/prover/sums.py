"""The normal form of finite sums, and the zero test.

Every rule is an identity of finite sums over real numbers:

    R1  sums are linear, and what does not depend on the index comes out
    R2  (Σ_i f)(Σ_j g) = Σ_ij f g, with fresh names
    R3  the order and the names of indices do not matter: a sum splits into those that share no index
    R4  Σ_y δ(x, y) f(y) = f(x) where x and y have the same range; δ(x, y) f(y) = δ(x, y) f(x)
    R5  Mⁿ = M where M is 0 or 1; [x ≠ y] = 1 − δ(x, y); δ(i, p(i)) = 0 where p has no fixed point
    R6  Σ 1 = N
    R7  exp(a + b) = exp a · exp b; exp and log undo each other; log(ab) = log a + log b
    R8  X · X⁻¹ = 1 and √X · √X = X, also where X is a sum

Two expressions are proved equal when the normal form of their difference, cleared of its denominators, is 0.
The test is sufficient: a difference that does not vanish means "not proved", never "false".
"""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import floor

from sympy import (
    Add,
    E,
    Expr,
    Indexed,
    IndexedBase,
    KroneckerDelta,
    Mul,
    Pow,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
)

from derivations.prover.notation import Differ
from derivations.prover.terms import (
    Atom,
    Index,
    Monomial,
    close,
    components,
    height,
    index_names,
    monomial,
    names,
    order,
    polynomial,
    rename_monomial,
)

Terms = dict[Monomial, Fraction]
Factors = dict[Atom, Fraction]

ONE = Fraction(1)


class NotProved(ValueError):
    """A line does not follow from the one above by the rule that it names, as far as this prover can see."""


@dataclass(frozen=True)
class Facts:
    """What is assumed of the symbols.

    ranges: free index → the size of its range 0 … size − 1. maps: a map between indices → (size of its domain, size
    of its codomain). derangements: the maps p with p(i) ≠ i. masks: the arrays whose entries are 0 or 1.
    """

    ranges: Mapping[Symbol, Expr] = field(default_factory=dict)
    maps: Mapping[IndexedBase, tuple[Expr, Expr]] = field(default_factory=dict)
    derangements: tuple[IndexedBase, ...] = ()
    masks: tuple[IndexedBase, ...] = ()


def is_zero(expression: Expr, facts: Facts | None = None) -> bool:
    """Whether the expression is proved to vanish for every size, by the rules R1-R8 and the facts."""
    return not NormalForm(facts or Facts()).cleared(expression)


class NormalForm:
    """Brings expressions to normal form under the facts, and keeps in `used` those that it needed."""

    def __init__(self, facts: Facts):
        self.facts = facts
        self.used: dict[str, None] = {}
        self.sizes: dict[str, Expr] = {}
        self.range = {index.name: self._size(size) for index, size in facts.ranges.items()}
        self.positive: set[Atom] = set()
        self.known: dict = {}
        self.count = 0

    # From SymPy's trees

    def of(self, node: Expr, scope: Mapping[Symbol, str] | None = None) -> Terms:
        """The normal form; `scope` maps the bound names of the sums around the node to names of our own."""
        scope = {s: name for s, name in (scope or {}).items() if s in _free_symbols(node)}
        key = (node, tuple(sorted(scope.items(), key=order)))
        if key not in self.known:
            self.known[key] = self._of(node, scope)
        return self.known[key]

    def _of(self, node: Expr, scope: Mapping[Symbol, str]) -> Terms:
        match node:
            case Rational():
                return _constant(Fraction(int(node.p), int(node.q)))
            case Symbol() if node in scope or node in self.facts.ranges:
                return _term(("index", self._index(node, scope)))
            case Symbol():
                if node.is_positive:
                    self.positive.add(("symbol", node.name))
                return _term(("symbol", node.name))
            case Indexed():
                indices = (self._index(index, scope) for index in node.indices)
                return self.product({("entry", (node.base.name, *indices)): ONE})
            case KroneckerDelta():
                return self.delta(*(self._index(index, scope) for index in node.args[:2]))
            case Differ():
                return _plus(
                    _constant(1), self.delta(*(self._index(index, scope) for index in node.args)), -1
                )
            case Sum():
                return self._sum(node.function, node.limits, scope)
            case Add():
                terms: Terms = {}
                for argument in node.args:
                    terms = _plus(terms, self.of(argument, scope))
                return terms
            case Mul():
                terms = _constant(1)
                for argument in node.args:
                    terms = self.times(terms, self.of(argument, scope))
                return terms
            case exp():
                return self.exp(self.of(node.args[0], scope))
            case log():
                return self.log(self.of(node.args[0], scope))
            case Pow(base=base, exp=Rational() as exponent) if base != E:
                return self.power(self.of(base, scope), Fraction(int(exponent.p), int(exponent.q)))
        if node == E:
            return self.exp(_constant(1))
        raise ValueError(
            f"sums: no rule for {node.func.__name__} in {node}; write it with sums, exp, log and powers"
        )

    def _sum(self, body: Expr, limits, scope: Mapping[Symbol, str]) -> Terms:
        *inner, (index, low, high) = limits
        if low != 0:
            raise ValueError(f"sums: {index} starts at {low}; let every index start at 0")
        own = self._fresh(self._size(high + 1))
        within = {**scope, index: own}
        terms = self._sum(body, inner, within) if inner else self.of(body, within)
        return self.sum({own}, terms)

    def _index(self, node: Expr, scope: Mapping[Symbol, str]) -> Index:
        if isinstance(node, Indexed) and len(node.indices) == 1:
            return node.base.name, self._index(node.indices[0], scope)
        if isinstance(node, Symbol):
            return scope.get(node, node.name)
        raise ValueError(f"sums: {node} is not an index; use a name or a declared map of one")

    def _fresh(self, size: str) -> str:
        self.count += 1
        name = f"%{self.count}"
        self.range[name] = size
        return name

    def _size(self, size: Expr) -> str:
        self.sizes[str(size)] = size
        return str(size)

    # Products

    def times(self, left: Terms, right: Terms) -> Terms:
        terms: Terms = {}
        for m, c in left.items():
            for n, e in right.items():
                factors = dict(m)
                for atom, exponent in n:
                    factors[atom] = factors.get(atom, Fraction(0)) + exponent
                terms = _plus(terms, self.product(factors), c * e)
        return terms

    def product(self, factors: Factors) -> Terms:
        """One product in normal form: a polynomial, as a factor may fall apart into several terms."""
        factors = {atom: exponent for atom, exponent in factors.items() if exponent}
        for atom, exponent in factors.items():
            kind, content = atom
            rest = {a: e for a, e in factors.items() if a != atom}
            if kind == "power" and exponent >= 1:  # X³ᐟ² = X √X [R8]
                whole = floor(exponent)
                terms = self.product(rest | {atom: exponent - whole})
                for _ in range(whole):
                    terms = self.times(terms, dict(content))
                return terms
            if exponent != 1 and self._is_mask(atom):  # [R5]
                if exponent < 0:
                    raise ValueError(f"sums: a power {exponent} of {atom}, which may be 0")
                return self.product(rest | {atom: ONE})
            if kind == "delta":  # δ(x, y) f(y) = δ(x, y) f(x) [R4]
                keep, gone = content
                if any(_occurs(gone, a) for a in rest):
                    return self.times(_term(atom), self.substitute(rest, gone, keep))
        for atom, exponent in factors.items():
            if atom[0] == "power" and exponent < 0:
                quotient = self._divide(factors, atom)
                if quotient is not None:
                    return quotient
        return {monomial(factors): ONE}

    def _divide(self, factors: Factors, atom: Atom) -> Terms | None:
        """lead(X) · X⁻¹ = 1 − (the rest of X) · X⁻¹, if the leading term of X divides the product [R8]."""
        content = dict(atom[1])
        lead = max(content, key=_rank)
        if any(e > 0 and factors.get(a, 0) < e for a, e in lead):
            return None
        quotient = dict(factors)
        for a, e in lead:
            quotient[a] = quotient.get(a, Fraction(0)) - e
        scale = 1 / content.pop(lead)
        raised = quotient | {atom: factors[atom] + 1}
        terms = {m: scale * c for m, c in self.product(raised).items()}
        return _plus(terms, self.times(self.product(quotient), content), -scale)

    def _is_mask(self, atom: Atom) -> bool:
        if atom[0] == "delta":
            return True
        mask = atom[0] == "entry" and any(mask.name == atom[1][0] for mask in self.facts.masks)
        if mask:
            self.used[f"{atom[1][0]} is 0 or 1"] = None
        return mask

    def delta(self, left: Index, right: Index) -> Terms:
        if left == right:
            return _constant(1)
        for mapping in self.facts.derangements:
            if (mapping.name, left) == right or (mapping.name, right) == left:
                self.used[f"{mapping.name}(i) ≠ i"] = None
                return {}
        # The simpler index is kept: a name before p(i), a free name before a bound one.
        return _term(("delta", tuple(sorted((left, right), key=_simplicity))))

    def exp(self, terms: Terms) -> Terms:
        """exp of a sum, as the product of the exp of its terms [R7]."""
        result = _constant(1)
        for m, c in terms.items():
            if len(m) == 1 and m[0][0][0] == "log" and m[0][1] == 1:
                factor = self.power(dict(m[0][0][1]), c)
            else:
                factor = self.product({("exp", m): c})
            result = self.times(result, factor)
        return result

    def log(self, terms: Terms) -> Terms:
        """log of a product, as the sum of the log of its factors [R7]; of a sum, an atom."""
        product = len(terms) == 1 and min(terms.values()) > 0
        content, rest = _content(terms, lambda atom: product or atom[0] == "exp")
        if any(atom[0] != "exp" for atom in content):
            self.used["log(ab) = log a + log b is used of positive a, b only"] = None
        result: Terms = {} if rest == _constant(1) else _term(("log", polynomial(rest)))
        for atom, exponent in content.items():
            match atom:
                case ("exp", of):
                    result = _plus(result, {of: ONE}, exponent)
                case ("power", of):
                    result = _plus(result, self.log(dict(of)), exponent)
                case _:
                    result = _plus(result, _term(("log", polynomial(_term(atom)))), exponent)
        return result

    def power(self, terms: Terms, exponent: Fraction) -> Terms:
        if exponent.denominator == 1 and exponent >= 0:
            result = _constant(1)
            for _ in range(int(exponent)):
                result = self.times(result, terms)
            return result
        if not terms:
            raise ValueError("sums: a denominator or a root of an expression that is 0")
        whole = exponent.denominator == 1
        content, rest = _content(terms, lambda atom: whole or atom[0] == "exp" or atom in self.positive)
        result = _constant(1)
        if whole:  # 2x + 2y and x + y are one denominator
            scale = rest[max(rest, key=_rank)]
            rest = {m: c / scale for m, c in rest.items()}
            result = _constant(scale ** int(exponent))
        if rest != _constant(1):
            result = self.times(result, _term(("power", polynomial(rest)), exponent))
        for atom, power in content.items():
            inverted = ("power", polynomial(_term(atom))) if atom[0] == "sum" else atom
            result = self.times(result, self.product({inverted: power * exponent}))
        return result

    # Sums

    def sum(self, bound: Set[str], terms: Terms) -> Terms:
        result: Terms = {}
        for m, c in terms.items():
            result = _plus(result, self._sum_product(bound, dict(m)), c)
        return result

    def _sum_product(self, bound: Set[str], factors: Factors) -> Terms:
        """Σ over the bound indices of one product."""
        factors, bound = dict(factors), set(bound)
        for atom in [a for a in factors if a[0] == "sum" and names(a) & bound]:  # Σ_i f Σ_j g = Σ_ij f g [R2]
            for _ in range(int(factors.pop(atom))):
                over, body = atom[1]
                own = {name: self._fresh(size) for name, size in over}
                bound |= set(own.values())
                for a, e in rename_monomial(body, own):
                    factors[a] = factors.get(a, Fraction(0)) + e
        for atom in factors:
            if atom[0] == "delta":
                for gone, kept in (atom[1], atom[1][::-1]):
                    if gone in bound - index_names(kept) and self._same_range(gone, kept):  # [R4]
                        rest = {a: e for a, e in factors.items() if a != atom}
                        return self.sum(bound - {gone}, self.substitute(rest, gone, kept))
        again = self.product(factors)
        if again != {monomial(factors): ONE}:
            return self.sum(bound, again)
        return self._assemble(bound, factors)

    def _assemble(self, bound: Set[str], factors: Factors) -> Terms:
        """The product of the closed sums into which Σ over the bound indices splits [R1, R3, R6]."""
        result, unused = _constant(1), set(bound)
        for held, members in components(bound, factors):
            unused -= held
            result = self.times(result, self._connected(held, members) if held else self.product(members))
        for name in unused:
            result = self.times(result, self.of(self.sizes[self.range[name]]))
        return result

    def _connected(self, held: Set[str], factors: Factors) -> Terms:
        """Σ over indices that one product holds together, after what its denominators divide is divided [R8]."""
        for atom, exponent in factors.items():
            free = names(atom) & held
            if atom[0] == "power" and exponent < 0 and free and free != held:
                rest = self._assemble(held - free, {a: e for a, e in factors.items() if a != atom})
                inner = self.times(rest, _term(atom, exponent))
                if len(rest) != 1 or inner != {monomial({**dict(next(iter(rest))), atom: exponent}): ONE}:
                    return self.sum(free, inner)
        return _term(close(tuple(sorted((name, self.range[name]) for name in held)), monomial(factors)))

    def _same_range(self, bound: str, index: Index) -> bool:
        size = self._range_of(index)
        if size == self.range[bound] and isinstance(index, str) and not index.startswith("%"):
            self.used[f"{index} runs from 0 to {size} − 1"] = None
        return size == self.range[bound]

    def _range_of(self, index: Index) -> str | None:
        if isinstance(index, str):
            return self.range.get(index)
        for mapping, (domain, codomain) in self.facts.maps.items():
            if mapping.name == index[0] and self._range_of(index[1]) == str(domain):
                self.used[f"{index[0]} maps 0 … {domain} − 1 into 0 … {codomain} − 1"] = None
                return str(codomain)
        return None

    # Substitution of one index for another, which may make terms cancel: everything is built again

    def substitute(self, factors: Mapping[Atom, Fraction], gone: Index, kept: Index) -> Terms:
        result = _constant(1)
        for atom, exponent in factors.items():
            if not _occurs(gone, atom):
                replaced = self.product({atom: exponent})
            else:
                replaced = self.power(self._replace(atom, gone, kept), exponent)
            result = self.times(result, replaced)
        return result

    def _replace(self, atom: Atom, gone: Index, kept: Index) -> Terms:
        kind, content = atom
        match kind:
            case "index":
                return _term((kind, _replace_index(content, gone, kept)))
            case "entry":
                base, *indices = content
                replaced = (_replace_index(index, gone, kept) for index in indices)
                return self.product({(kind, (base, *replaced)): ONE})
            case "delta":
                return self.delta(*(_replace_index(index, gone, kept) for index in content))
            case "exp":
                return self.exp(self.substitute(dict(content), gone, kept))
            case "log" | "power":
                inside: Terms = {}
                for m, c in content:
                    inside = _plus(inside, self.substitute(dict(m), gone, kept), c)
                return self.log(inside) if kind == "log" else inside
        over, body = content
        own = {name: self._fresh(size) for name, size in over}
        return self.sum(set(own.values()), self.substitute(dict(rename_monomial(body, own)), gone, kept))

    # The zero test

    def cleared(self, expression: Expr) -> Terms:
        """The normal form multiplied by its denominators, until none is left: {} proves that it vanishes."""
        terms = self.of(expression)
        for _ in range(20):
            lowest: Factors = {}
            for m in terms:
                for atom, exponent in m:
                    if atom[0] == "power" and exponent < 0:
                        lowest[atom] = min(lowest.get(atom, Fraction(0)), exponent)
            if not lowest:
                return terms
            atom = max(lowest, key=lambda a: (height(a), order(a)))
            terms = self.times(terms, _term(atom, Fraction(-floor(lowest[atom]))))
        raise NotProved(f"the denominators of {expression} do not clear")


@cache
def _free_symbols(node: Expr) -> set:
    return node.free_symbols


def _term(atom: Atom, exponent: Fraction = ONE) -> Terms:
    return {((atom, exponent),): ONE}


def _constant(number) -> Terms:
    return {(): Fraction(number)} if number else {}


def _plus(left: Terms, right: Terms, scale=1) -> Terms:
    terms = dict(left)
    for m, c in right.items():
        total = terms.pop(m, Fraction(0)) + scale * c
        if total:
            terms[m] = total
    return terms


def _content(terms: Terms, takes) -> tuple[Factors, Terms]:
    """terms = content · rest: the powers that all terms share, of the atoms that `takes` allows."""
    lowest: Factors = {}
    for atom in {atom for m in terms for atom, _ in m if takes(atom)}:
        lowest[atom] = min(dict(m).get(atom, Fraction(0)) for m in terms)
    lowest = {atom: exponent for atom, exponent in lowest.items() if exponent}
    rest: Terms = {}
    for m, c in terms.items():
        factors = dict(m)
        for atom, exponent in lowest.items():
            factors[atom] = factors.get(atom, Fraction(0)) - exponent
        rest[monomial(factors)] = c
    return lowest, rest


def _rank(m: Monomial) -> list:
    """The order that decides which term of a denominator leads: by its highest atom, sums above all others."""
    return sorted(((height(atom), order(atom), exponent) for atom, exponent in m), reverse=True)


def _simplicity(index: Index) -> tuple:
    return (not isinstance(index, str), isinstance(index, str) and index[0] in "%#", order(index))


def _replace_index(index: Index, gone: Index, kept: Index) -> Index:
    if index == gone:
        return kept
    return index if isinstance(index, str) else (index[0], _replace_index(index[1], gone, kept))


def _occurs(index: Index, atom: Atom) -> bool:
    """Whether an index, a name or p of a name, occurs free in an atom."""
    if isinstance(index, str):
        return index in names(atom)
    return order(index) in order(atom) and names(("index", index)) <= names(atom)
