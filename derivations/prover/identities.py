"""The identities of finite sums, as steps on monomials and polynomials.

R1  sums are linear, and what does not depend on the index comes out
R2  (Σ_i f)(Σ_j g) = Σ_ij f g, with fresh names
R3  the order and the names of indices do not matter: a sum splits into those that share no index
R4  Σ_y δ(x, y) f(y) = f(x) where x and y have the same range; δ(x, y) f(y) = δ(x, y) f(x)
R5  Mⁿ = M where M is 0 or 1; [x ≠ y] = 1 − δ(x, y); δ(i, p(i)) = 0 where p has no fixed point
R6  Σ 1 = N
R7  exp(a + b) = exp a · exp b; exp and log undo each other; log(ab) = log a + log b
R8  X · X⁻¹ = 1 and √X · √X = X, also where X is a sum
"""

from collections.abc import Iterable, Mapping, Set
from functools import reduce
from itertools import starmap
from math import floor

from sympy import Expr, Symbol

from .hypotheses import Hypothesis, InRange, MapsInto, Mask, NoFixedPoint
from .language import Facts
from .monomials import (
    Atom,
    Factors,
    Index,
    Monomial,
    Name,
    Number,
    Terms,
    close,
    combine,
    components,
    constant,
    index_names,
    monomial,
    names,
    occurs,
    order,
    plus,
    polynomial,
    rank,
    ratio,
    remove,
    rename_monomial,
    replace_index,
    simplicity,
    split_content,
    term,
)
from .notation import sides


def is_positive(atom: Atom) -> bool:
    """Whether an atom is > 0 wherever it is defined, by the signs of its parts; no range is empty."""
    kind, content = atom
    match kind:
        case "exp":
            return True
        case "symbol":
            return bool(content.is_positive)
        case "entry":
            return bool(content[0].is_positive)
        case "sum":
            return _all_positive(content[1])
        case "power":
            return all(c > 0 and _all_positive(m) for m, c in content)
    return False


def _all_positive(m: Monomial) -> bool:
    return all(is_positive(atom) for atom, _ in m)


DEEPEST = 40  # limit of nesting of products; the ledger's proofs need at most 6


class Rules:
    """The rules under some facts; `used` collects the facts that were applied."""

    def __init__(self, facts: Facts):
        self.facts = facts
        self.used: dict[Hypothesis, None] = {}
        self.range: dict[Name, Expr] = {}  # index → the size of its range
        self.sizes: dict[Expr, Terms] = {}  # the size → its polynomial
        self.count = 0
        self.depth = 0

    def fresh(self, size: Expr) -> str:
        self.count += 1
        name = f"%{self.count}"
        self.range[name] = size
        return name

    # Products

    def times(self, left: Terms, right: Terms) -> Terms:
        terms: Terms = {}
        for m, c in left.items():
            for n, e in right.items():
                factors = dict(m)
                for atom, exponent in n:
                    factors[atom] = factors.get(atom, 0) + exponent
                terms = plus(terms, self.product(factors), c * e)
        return terms

    def times_all(self, parts: Iterable[Terms]) -> Terms:
        return reduce(self.times, parts, constant(1))

    def product(self, factors: Factors) -> Terms:
        """One product in normal form: a polynomial, because a factor may expand into several terms.

        Raises RecursionError if the rules loop.
        """
        if self.depth == DEEPEST:
            raise RecursionError(f"a product is nested in {DEEPEST} others: the rules loop")
        self.depth += 1
        try:
            return self._product(factors)
        finally:
            self.depth -= 1

    def _product(self, factors: Factors) -> Terms:
        factors = {atom: exponent for atom, exponent in factors.items() if exponent}
        for atom, exponent in factors.items():
            kind, content = atom
            if kind == "power" and exponent >= 1:  # X³ᐟ² = X √X [R8]
                whole = floor(exponent)
                return self.times_all(
                    [self.product(factors | {atom: exponent - whole}), *[dict(content)] * whole]
                )
            if exponent != 1 and self._is_mask(atom):  # [R5]
                if exponent < 0:
                    what = "1[x = y]" if kind == "delta" else f"an entry of {content[0]}"
                    raise ValueError(f"sums: {what} is 0 for some indices, and a denominator may not be 0")
                return self.product(factors | {atom: 1})
            if kind == "delta":  # δ(x, y) f(y) = δ(x, y) f(x) [R4]
                keep, gone = content
                rest = remove(factors, atom)
                if any(occurs(gone, a) for a in rest):
                    return self.times(term(atom), self.substitute(rest, gone, keep))
        for atom, exponent in factors.items():
            if atom[0] == "power" and exponent < 0:
                quotient = self._divide(factors, atom)
                if quotient is not None:
                    return quotient
            if atom[0] == "sum" and exponent > 0:
                quotient = self._divide_inside(factors, atom)
                if quotient is not None:
                    return quotient
        return {monomial(factors): 1}

    def _divide(self, factors: Factors, atom: Atom) -> Terms | None:
        """lead(X) · X⁻¹ = 1 − (the rest of X) · X⁻¹, if the leading term of X divides the product [R8]."""
        content = dict(atom[1])
        lead = max(content, key=rank)
        if any(e > 0 and factors.get(a, 0) < e for a, e in lead):
            return None
        quotient = dict(factors)
        for a, e in lead:
            quotient[a] = quotient.get(a, 0) - e
        scale = ratio(1, content.pop(lead))
        raised = quotient | {atom: factors[atom] + 1}
        terms = {m: scale * c for m, c in self.product(raised).items()}
        if not content:  # X is its leading term, if it is a number under a root: 1/√3 = √3/3
            return terms
        return plus(terms, self.times(self.product(quotient), content), -scale)

    def _divide_inside(self, factors: Factors, atom: Atom) -> Terms | None:
        """y Σ_i f_i/(x_i + y) = Σ_i f_i y/(x_i + y): a factor that is the leading term of a denominator moves into
        that sum [R2, R8]."""
        over, body = atom[1]
        for inverse, exponent in body:
            if inverse[0] != "power" or exponent > 0:
                continue
            lead = max((m for m, _ in inverse[1]), key=rank)
            if not any(e > 0 for _, e in lead) or any(e > 0 and factors.get(a, 0) < e for a, e in lead):
                continue
            outside = factors | {atom: factors[atom] - 1} | {a: factors.get(a, 0) - e for a, e in lead}
            own = {name: self.fresh(size) for name, size in over}
            inside = self.product(dict(rename_monomial(body, own)) | dict(lead))
            return self.times(self.product(outside), self.sum(set(own.values()), inside))
        return None

    def _is_mask(self, atom: Atom) -> bool:
        if atom[0] == "delta":
            return True
        mask = atom[0] == "entry" and atom[1][0] in self.facts.masks
        if mask:
            self.used[Mask(atom[1][0])] = None
        return mask

    def delta(self, left: Index, right: Index) -> Terms:
        if left == right:
            return constant(1)
        for mapping in self.facts.derangements:
            if (mapping, left) == right or (mapping, right) == left:
                self.used[NoFixedPoint(mapping)] = None
                return {}
        # Keep the simpler index: a name is simpler than p(i), a free name than a bound one.
        return term(("delta", tuple(sorted((left, right), key=simplicity))))

    def exp(self, terms: Terms) -> Terms:
        """exp of a sum, as the product of the exp of its terms [R7]."""

        def factor(m: Monomial, c: Number) -> Terms:
            if len(m) == 1 and m[0][0][0] == "log" and m[0][1] == 1:
                return self.power(dict(m[0][0][1]), c)
            return self.product({("exp", m): c})

        return self.times_all(starmap(factor, terms.items()))

    def log(self, terms: Terms) -> Terms:
        """log of a product, as the sum of the log of its factors [R7]; of a sum, an atom.

        The argument of a log is > 0. Each factor that is known to be > 0 comes out; if the sign of only one factor
        is unknown, it must be > 0 too, provided its exponent is odd or it is under a root: log x² is not 2 log x
        for x < 0, but √x requires x ≥ 0.
        """
        product = len(terms) == 1 and min(terms.values()) > 0
        unseen = [(a, e) for m in terms for a, e in m if not is_positive(a)] if product else []
        only = unseen[0][1] if len(unseen) == 1 else 0
        whole = product and (not unseen or only % 2 == 1 or only.denominator % 2 == 0)
        content, rest = split_content(terms, lambda atom: whole or is_positive(atom))
        result: Terms = {} if rest == constant(1) else term(("log", polynomial(rest)))
        for atom, exponent in content.items():
            match atom:
                case ("exp", of):
                    result = plus(result, {of: 1}, exponent)
                case ("power", of):
                    result = plus(result, self.log(dict(of)), exponent)
                case _:
                    result = plus(result, term(("log", polynomial(term(atom)))), exponent)
        return result

    def power(self, terms: Terms, exponent: Number) -> Terms:
        if exponent.denominator == 1 and exponent >= 0:
            return self.times_all([terms] * int(exponent))
        if not terms:
            raise ValueError("sums: a denominator or a root of an expression that is 0")
        whole = exponent.denominator == 1
        content, rest = split_content(
            terms, lambda atom: whole or (atom[0] in ("exp", "symbol", "entry") and is_positive(atom))
        )
        result = constant(1)
        for atom, power in content.items():
            inverted = ("power", polynomial(term(atom))) if atom[0] == "sum" else atom
            result = self.times(result, self.product({inverted: power * exponent}))
        opened = combine((self.product(dict(m)), c) for m, c in rest.items())
        if opened != rest:  # 1/(1 − y/(x + y)) = (x + y)/x
            return self.times(result, self.power(opened, exponent))
        if whole:  # 2x + 2y and x + y are the same denominator
            scale = rest[max(rest, key=rank)]
            rest = {m: ratio(c, scale) for m, c in rest.items()}
            result = self.times(result, constant(ratio(1, scale) ** -int(exponent)))
        if rest != constant(1):
            result = self.times(result, term(("power", polynomial(rest)), exponent))
        return result

    # Sums

    def sum(self, bound: Set[Name], terms: Terms) -> Terms:
        return combine((self._sum_product(bound, dict(m)), c) for m, c in terms.items())

    def _sum_product(self, bound: Set[Name], factors: Factors) -> Terms:
        """Σ over the bound indices of one product."""
        factors, bound = dict(factors), set(bound)
        for atom in [a for a in factors if a[0] == "sum" and names(a) & bound]:  # Σ_i f Σ_j g = Σ_ij f g [R2]
            for _ in range(int(factors.pop(atom))):
                over, body = atom[1]
                own = {name: self.fresh(size) for name, size in over}
                bound |= set(own.values())
                for a, e in rename_monomial(body, own):
                    factors[a] = factors.get(a, 0) + e
        for atom in factors:
            if atom[0] == "delta":
                for gone, kept in (atom[1], atom[1][::-1]):
                    if gone in bound - index_names(kept) and self._same_range(gone, kept):  # [R4]
                        rest = remove(factors, atom)
                        return self.sum(bound - {gone}, self.substitute(rest, gone, kept))
        again = self.product(factors)
        if again != {monomial(factors): 1}:
            return self.sum(bound, again)
        return self._assemble(bound, factors)

    def _assemble(self, bound: Set[Name], factors: Factors) -> Terms:
        """The product of the closed sums into which Σ over the bound indices splits [R1, R3, R6]."""
        groups = components(bound, factors)
        sums = [self._sum_connected(held, own) if held else self.product(own) for held, own in groups]
        unused = bound - set().union(*(held for held, _ in groups))
        return self.times_all([*sums, *(self.sizes[self.range[name]] for name in unused)])

    def _sum_connected(self, held: Set[Name], factors: Factors) -> Terms:
        """Σ over indices that are connected by one product, after division by its denominators [R8]."""
        for atom, exponent in factors.items():
            free = names(atom) & held
            if atom[0] == "power" and exponent < 0 and free and free != held:
                rest = self._assemble(held - free, remove(factors, atom))
                inner = self.times(rest, term(atom, exponent))
                if len(rest) != 1 or inner != {monomial({**dict(next(iter(rest))), atom: exponent}): 1}:
                    return self.sum(free, inner)
        return term(
            close(tuple((name, self.range[name]) for name in sorted(held, key=order)), monomial(factors))
        )

    def _same_range(self, bound: Name, index: Index) -> bool:
        """Return whether both indices have the same range; if so, record the facts used."""
        size, rests_on = self._range_of(index)
        if size != self.range[bound]:
            return False
        self.used.update(dict.fromkeys(rests_on))
        return True

    def _range_of(self, index: Index) -> tuple[Expr | None, list[Hypothesis]]:
        if isinstance(index, tuple):
            mapping, *arguments = index
            found = [self._range_of(argument) for argument in arguments]
            domain, codomain = self.facts.maps.get(mapping, (None, None))
            if domain is None or tuple(size for size, _ in found) != sides(domain):
                return None, []
            return codomain, [
                *(one for _, rests_on in found for one in rests_on),
                MapsInto(mapping, domain, codomain),
            ]
        size = self.range.get(index)
        declared = size is not None and isinstance(index, Symbol)
        return size, [InRange(index, size)] if declared else []

    # Replace one index by another. Terms may then cancel, so everything is rebuilt.

    def substitute(self, factors: Mapping[Atom, Number], gone: Index, kept: Index) -> Terms:
        return self.times_all(
            self.power(self._replace(atom, gone, kept), exponent)
            if occurs(gone, atom)
            else self.product({atom: exponent})
            for atom, exponent in factors.items()
        )

    def _replace(self, atom: Atom, gone: Index, kept: Index) -> Terms:
        kind, content = atom
        match kind:
            case "index":
                return term((kind, replace_index(content, gone, kept)))
            case "entry":
                base, *indices = content
                replaced = (replace_index(index, gone, kept) for index in indices)
                return self.product({(kind, (base, *replaced)): 1})
            case "delta":
                return self.delta(*(replace_index(index, gone, kept) for index in content))
            case "exp":
                return self.exp(self.substitute(dict(content), gone, kept))
            case "log" | "power":
                inside = combine((self.substitute(dict(m), gone, kept), c) for m, c in content)
                return self.log(inside) if kind == "log" else inside
        over, body = content
        own = {name: self.fresh(size) for name, size in over}
        return self.sum(set(own.values()), self.substitute(dict(rename_monomial(body, own)), gone, kept))
