"""Derive a gradient in closed form and prove it.

The simplification need not be trusted, because the closed form is proved equal to the derivative, like any other
line.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import permutations, product

from sympy import (
    Add,
    Dummy,
    Expr,
    Indexed,
    IndexedBase,
    Integer,
    KroneckerDelta,
    Mul,
    Pow,
    Sum,
    Symbol,
    ceiling,
    exp,
    factor_terms,
)

from .calculus import differentiate
from .language import Facts
from .notation import Definition, Partial, freshen, is_index, rebuild, rename_indices, substitute
from .proof import DERIVATIVE, Proof, derive

ROUNDS = 4  # in each round another name may become applicable: a length, then a unit row, then a cosine

Match = Mapping[Symbol, Expr]


def derive_gradient(loss: Expr, entry: Expr, *, names: Iterable[Definition], facts: Facts) -> Proof:
    """Return a proof whose last line is a closed form of ∂ loss/∂ entry.

    loss: an expression, or a defined name. entry: a symbol, or an entry such as z[k, f] of an array. names: the
    definitions of names in the loss; the closed form uses them if it becomes shorter.
    """
    names = tuple(names)
    form = contract(differentiate(loss, entry, names), facts)
    for _ in range(ROUNDS):
        known = form
        for write, name in product((_fold_definition, _fold_quotient), names):
            form = Add(*(min(term, write(term, name, facts), key=_length) for term in Add.make_args(form)))
        if form == known:
            break
    return derive(Partial(loss, entry), (DERIVATIVE, factor_terms(form)), names=names, facts=facts)


# --- sums -------------------------------------------------------------------------------------------------


def contract(expression: Expr, facts: Facts) -> Expr:
    """Expand, replace Σ_j δ_jk x_j by x_k, and move factors without the index out of the sum."""
    return rename_indices(Add(*_terms(_walk(freshen(expression), dict(facts.ranges), facts))))


def _terms(expression: Expr) -> Iterator[Expr]:
    """Return the terms of the expanded expression; denominators and sums of constants are not expanded."""
    if isinstance(expression, Add):
        for part in expression.args:
            yield from _terms(part)
        return
    factors = Mul.make_args(expression)
    for factor in factors:
        if isinstance(factor, Add) and factor.has(Indexed):
            rest = Mul(*(other for other in factors if other is not factor))
            for part in factor.args:
                yield from _terms(part * rest)
            return
    yield expression


def _walk(node: Expr, ranges: Mapping[Symbol, Expr], facts: Facts) -> Expr:
    if not isinstance(node, Sum):
        return rebuild(node, lambda argument: _walk(argument, ranges, facts))
    body, *limits = node.args
    inside = {**ranges, **{index: high + 1 for index, _, high in limits}}
    body = _walk(body, inside, facts)
    for index, _, high in limits:
        body = Add(*(_sum(term, index, high + 1, inside, facts) for term in _terms(body)))
    return body


def _sum(term: Expr, index: Symbol, size: Expr, ranges: Mapping[Symbol, Expr], facts: Facts) -> Expr:
    """Return Σ_index term, for a product."""
    factors = Mul.make_args(term)
    for delta in factors:
        if isinstance(delta, KroneckerDelta) and index in delta.args:
            other = delta.args[1] if delta.args[0] == index else delta.args[0]
            mapped = isinstance(other, Indexed) and facts.maps.get(other.base, (None, None))[1]
            if not other.has(index) and (mapped or ranges.get(other)) == size:
                return Mul(*(factor for factor in factors if factor is not delta)).xreplace({index: other})
    before = [factor for factor in factors if not factor.has(index)]
    within = Mul(*(factor for factor in factors if factor.has(index)))
    return Mul(*before, size if within == 1 else Sum(within, (index, Integer(0), size - 1)))


# --- replace bodies by names ----------------------------------------------------------------------


def _fold_definition(form: Expr, name: Definition, facts: Facts) -> Expr:
    """Replace the body of a definition by its name."""
    return contract(_replace(form, name.body, name.head), facts)


def _fold_quotient(form: Expr, name: Definition, facts: Facts) -> Expr:
    """For P = a/b, with b depending on the row: replace a by P b, so that b cancels."""
    above, below = name.body.as_numer_denom()
    within = tuple(index for index in name.indices if below.has(index))
    if not within:
        return form
    held = IndexedBase(Dummy("below"))[within]
    by_name = _replace(_replace(form, below, held), above, name.head * held)
    return _replace(contract(by_name, facts), held, below)


def _length(expression: Expr) -> int:
    """Count the names and numbers in it; a power counts as repeated factors."""
    if isinstance(expression, Indexed) or not expression.args:
        return 1
    if isinstance(expression, Pow) and expression.exp.is_Rational:
        return 1 + ceiling(abs(expression.exp)) * _length(expression.base)
    return sum(map(_length, expression.args))


def _replace(expression: Expr, pattern: Expr, head: Expr) -> Expr:
    """Replace each instance of the pattern by the head, with the same free indices."""
    indices = tuple(sorted((x for x in pattern.free_symbols if is_index(x)), key=str))

    def walk(node: Expr) -> Expr:
        (root, power), (base, exponent) = _split_power(pattern), _split_power(node)
        if power != 0 and (exponent / power).is_Integer:
            for match in _matches(root, base, dict.fromkeys(indices)):
                return substitute(head, match) ** (exponent / power)
        if isinstance(node, Mul) and isinstance(pattern, Mul):
            node = _within_product(node)
        return rebuild(node, walk)

    def _within_product(node: Expr) -> Expr:
        wanted = len(pattern.args)
        for chosen in permutations(node.args, wanted) if wanted <= 3 else ():
            for match in _matches_in_order(pattern.args, chosen, dict.fromkeys(indices)):
                rest = Mul(*(factor for factor in node.args if factor not in chosen))
                return substitute(head, match) * rest
        return node

    return walk(freshen(expression))


def _split_power(node: Expr) -> tuple[Expr, Expr]:
    """Split a power into base and exponent: e^{2u} into e^u and 2."""
    if isinstance(node, exp):
        count, inside = node.args[0].as_coeff_Mul()
        return exp(inside), count
    return node.args if isinstance(node, Pow) else (node, Integer(1))


def _matches(pattern: Expr, node: Expr, match: dict) -> Iterator[dict]:
    """Yield every choice of the pattern's free indices that makes it equal to the node."""
    if pattern in match:
        if match[pattern] in (None, node) and (is_index(node) or isinstance(node, Indexed)):
            yield match | {pattern: node}
    elif not pattern.args or pattern.func is not node.func or len(pattern.args) != len(node.args):
        if pattern == node:
            yield match
    elif isinstance(pattern, Sum):
        yield from _matches_sum(pattern, node, match)
    elif isinstance(pattern, (Add, Mul)):
        for order in permutations(node.args):
            yield from _matches_in_order(pattern.args, order, match)
    else:
        yield from _matches_in_order(pattern.args, node.args, match)


def _matches_in_order(patterns, nodes, match: dict) -> Iterator[dict]:
    if not patterns:
        yield match
        return
    for found in _matches(patterns[0], nodes[0], match):
        yield from _matches_in_order(patterns[1:], nodes[1:], found)


def _matches_sum(pattern: Sum, node: Sum, match: dict) -> Iterator[dict]:
    if [limit[1:] for limit in pattern.limits] != [limit[1:] for limit in node.limits]:
        return
    own = {old[0]: new[0] for old, new in zip(pattern.limits, node.limits, strict=True)}
    for found in _matches(pattern.function.xreplace(own), node.function, match):
        if not any(value is not None and value.has(*own.values()) for value in found.values()):
            yield found
