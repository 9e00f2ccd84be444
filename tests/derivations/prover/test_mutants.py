"""False variants of every proved closed form are refused.

The mutants come from the expression's tree: a term, a factor or a mask is dropped, a sign changed, an index
replaced by another of its range. If a mutant is proved, it must be equal, which its numbers must confirm. One of
each kind is drawn for each closed form; ALL_MUTANTS=1 in the environment tries them all. The slow cases are the
first claim of each file and the first gradient of each statement; `.ci/run -s fuzz` tries all.
"""

import os
import random
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pytest
from sympy import Add, Expr, Indexed, Integer, KroneckerDelta, Mul, Sum, Symbol

from infonce_ref.derivations.evidence.pieces import Chain
from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.derivations.losses import list_statements
from infonce_ref.derivations.prover.calculus import carry_out
from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.prover.inequality import Bound
from infonce_ref.derivations.prover.notation import Definition, Differ, Partial, unfold
from infonce_ref.derivations.prover.proof import Proof, find_used_names
from infonce_ref.derivations.prover.sums import NormalForm
from infonce_ref.derivations.prover.terms import plus
from infonce_ref.derivations.symbols import M, N, d, f, g, h, i, j, k, l, m, n

pytestmark = pytest.mark.slow

STATEMENTS = list_statements()

ROWS, FEATURES = {i, j, k, l, m, n}, {f, g, h}
EVERY = bool(os.environ.get("ALL_MUTANTS"))


class Mutant(NamedTuple):
    kind: str
    place: str
    expression: Expr
    names: tuple[Definition, ...]


def mutants(node: Expr, scope: frozenset[Symbol]) -> Iterator[tuple[str, str, Expr]]:
    """Yield (kind, place, result) for each place of the tree and each kind of change."""
    if isinstance(node, Partial):
        return
    if isinstance(node, (KroneckerDelta, Differ)):
        yield "mask lost", str(node), Integer(1)
    elif isinstance(node, Indexed):
        yield from swap_indices(node, scope)
    elif isinstance(node, Sum):
        for kind, place, body in mutants(node.function, scope | {limit[0] for limit in node.limits}):
            yield kind, place, Sum(body, *node.limits)
    else:
        for at, argument in enumerate(node.args):
            before, after = node.args[:at], node.args[at + 1 :]
            if isinstance(node, (Add, Mul)):
                kind = "term dropped" if isinstance(node, Add) else "factor dropped"
                yield kind, str(argument), node.func(*before, *after)
            if isinstance(node, Add):
                yield "sign changed", str(argument), node.func(*before, -argument, *after)
            for kind, place, mutant in mutants(argument, scope):
                yield kind, place, node.func(*before, mutant, *after)


def swap_indices(node: Indexed, scope: frozenset[Symbol]) -> Iterator[tuple[str, str, Expr]]:
    """Permute the indices of an entry, and replace each by another one that is in scope."""
    kinds = [next((pool for pool in (ROWS, FEATURES) if index in pool), None) for index in node.indices]
    if len(kinds) == 2 and kinds[0] is kinds[1] and kinds[0]:
        yield "index swapped", f"{node} transposed", node.base[node.indices[::-1]]
    for place, (index, kind) in enumerate(zip(node.indices, kinds, strict=True)):
        for other in sorted((kind or set()) & scope - {index}, key=str)[:2]:
            indices = (*node.indices[:place], other, *node.indices[place + 1 :])
            yield "index swapped", f"{index} of {node} for {other}", node.base[indices]


def draw_one_of_each_kind(everything: Iterable[Mutant], name: str) -> list[Mutant]:
    """Draw one mutant of each kind, the same on every run."""
    by_kind: dict[str, list[Mutant]] = {}
    for mutant in everything:
        by_kind.setdefault(mutant.kind, []).append(mutant)
    r = random.Random(name)
    return [one for kind in by_kind.values() for one in (kind if EVERY else r.sample(kind, 1))]


def environment(proof: Proof, expressions: Iterable[Expr]) -> dict:
    """Random numbers for every symbol: N = M + 2, d and the other sizes distinct, larger arrays, maps and masks. M
    is not 2, because then a changed sign would make a size M − 2, and with it a denominator, zero.
    """
    r = random.Random(5)
    numbers: dict = {}
    free = set().union(*(expression.free_symbols for expression in expressions))
    for node in sorted(free.union(*(expression.atoms(Indexed) for expression in expressions)), key=str):
        if isinstance(node, Symbol) and node.is_integer and node.is_positive:
            numbers[node] = {N: 5, M: 3, d: 2}.get(node, 4)
        elif isinstance(node, Symbol) and not is_index(node):
            numbers[node] = r.uniform(0.5, 1.5)
        elif isinstance(node, Indexed) and node.base.is_integer:
            numbers[node.base] = [2, 0, 3, 4, 1, 2]  # without fixed point, and within the first 5
        elif isinstance(node, Indexed) and node.base in proof.facts.masks:
            numbers[node.base] = array(len(node.indices), lambda *at: int(sum(at) % 3 > 0))
        elif isinstance(node, Indexed):
            numbers[node.base] = array(len(node.indices), lambda *at: r.uniform(0.5, 1.5))
    return numbers


ENTRIES = 6  # entries of an array: a sum may run over N + 1 rows, and N is 5


def array(dimensions: int, entry, at: tuple[int, ...] = ()):
    if len(at) == dimensions:
        return entry(*at)
    return [array(dimensions, entry, (*at, place)) for place in range(ENTRIES)]


def is_index(name: Expr) -> bool:
    return bool(name.is_Symbol and name.is_integer and not name.is_positive)


def free_indices(expression: Expr) -> frozenset[Symbol]:
    return frozenset(filter(is_index, expression.free_symbols))


def same_numbers(proof: Proof, left: Expr, right: Expr) -> bool:
    free = free_indices(left) | free_indices(right)
    ranges = {name: size for name, size in sorted(proof.facts.ranges.items(), key=str) if name in free}
    numbers = environment(proof, (left, right, *ranges.values()))
    sizes = [min(3, evaluator(size, numbers)({})[0]) for size in ranges.values()]
    for shift in range(3):
        at = {name: (place + shift) % sizes[place] for place, name in enumerate(ranges)}
        (one, size), (other, _) = (evaluator(side, numbers)(at) for side in (left, right))
        if abs(one - other) > 1e-9 * size:  # in double precision: some hundred roundings of eps = 2e-16
            return False
    return True


def refuse(proof: Proof, closed: Expr, other: Expr, mutated: list[Mutant]) -> None:
    """Assert that each mutant, in the place of the closed form, is refused, or has the numbers of the closed
    form.
    """
    names = proof.definitions
    prover = NormalForm(proof.facts, names)
    closed, target = carry_out(closed, names), prover.of(carry_out(other, names))
    assert not prover.clear_denominators(plus(target, prover.of(closed), -1))
    for mutant in mutated:
        false = carry_out(mutant.expression, mutant.names)
        try:
            own = prover if mutant.names == names else NormalForm(proof.facts, mutant.names)
            proved = not own.clear_denominators(plus(target, own.of(false), -1))
        except (ValueError, RecursionError):  # a denominator is 0, a mask has a power, or the rules loop
            proved = False
        same = proved and same_numbers(proof, unfold(closed, names), unfold(false, mutant.names))
        assert same or not proved, f"proved: {mutant.kind}, {mutant.place}"


def proofs(evidence) -> list[Proof]:
    """List the proofs among the pieces, including both sides of a bound and the links of a chain."""
    pieces = evidence.values()
    sides = [
        getattr(piece, side) for piece in pieces if isinstance(piece, Bound) for side in ("above", "below")
    ]
    links = [proof for piece in pieces if isinstance(piece, Chain) for proof in piece.proofs()]
    return [part for part in (*pieces, *sides, *links) if isinstance(part, Proof) and len(part.lines) > 1]


@pytest.mark.parametrize("id", CLAIMS)
def test_a_claim_made_false_is_refused(id):
    for proof in proofs(CLAIMS[id].evidence()):
        first, last = proof.lines[0].expression, proof.lines[-1].expression
        closed, other = (first, last) if last == 0 else (last, first)
        mutated = [
            Mutant(kind, place, expression, proof.definitions)
            for kind, place, expression in mutants(closed, free_indices(closed))
        ]
        refuse(proof, closed, other, draw_one_of_each_kind(mutated, id))


GRADIENTS = [(loss, name) for loss, s in STATEMENTS.items() for name in s.gradients]


@pytest.mark.parametrize(
    ("loss", "variable"),
    GRADIENTS,
)
def test_a_gradient_made_false_is_refused(loss, variable):
    """Also if the mistake is in one of its names: P, G, the norm."""
    gradient = STATEMENTS[loss].gradients[variable]
    names = gradient.names
    mutated = [
        Mutant(kind, place, form, names)
        for kind, place, form in mutants(gradient.form, frozenset(gradient.indices))
    ]
    for at, name in enumerate(names):
        if name not in find_used_names(names, [gradient.form]):
            continue
        for kind, place, body in mutants(name.body, free_indices(name.head)):
            changed = (*names[:at], Definition(name.head, body), *names[at + 1 :])
            mutated.append(Mutant(kind, f"{place} in {name.head}", gradient.form, changed))
    proof = gradient.prove()
    refuse(proof, gradient.form, proof.lines[0].expression, draw_one_of_each_kind(mutated, loss + variable))
