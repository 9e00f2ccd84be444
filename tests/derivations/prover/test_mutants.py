"""False variants of every proved closed form are refused.

The mutants come from the expression's tree: a term, a factor or a mask is dropped, a sign changed, an index
replaced by another of its range. A mutant that is proved must be equal: the numbers of the second interpreter
confirm it. One of each kind is drawn for each closed form; ALL_MUTANTS=1 in the environment tries them all, as does
`.ci/run -s fuzz`.
"""

import os
import random
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pytest
from sympy import Add, Expr, Indexed, Integer, KroneckerDelta, Mul, Sum, Symbol

from infonce_ref.derivations.evidence.kinds import Chain
from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.derivations.losses import list_statements
from infonce_ref.derivations.prover.inequality import Bound
from infonce_ref.derivations.prover.notation import Definition, Differ, Partial, unfold
from infonce_ref.derivations.prover.proof import DERIVATIVE, Proof, derive, find_used_names
from infonce_ref.derivations.prover.second_look import Refused
from infonce_ref.derivations.symbols import f, g, h, i, j, k, l, m, n

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


def is_index(name: Expr) -> bool:
    return bool(name.is_Symbol and name.is_integer and not name.is_positive)


def free_indices(expression: Expr) -> frozenset[Symbol]:
    return frozenset(filter(is_index, expression.free_symbols))


def refuse(proof: Proof, closed: Mutant, other: Expr, mutated: list[Mutant]) -> None:
    """Assert that the closed form is proved, and no mutant in its place unless it is equal."""

    def prove(form: Mutant) -> None:
        own = form.names == closed.names
        line = form.expression if own else unfold(form.expression, form.names)
        if line != other:
            derive(other, (DERIVATIVE, line), names=proof.names, facts=proof.facts)

    prove(closed)
    proved = []
    for mutant in mutated:
        try:
            prove(mutant)
        except Refused as refused:  # by the second interpreter, after the prover has accepted the line
            proved += [(mutant.kind, mutant.place)] * ("two lines differ" in str(refused))
        except (ValueError, RecursionError):  # not proved, a denominator is 0, or the rules loop
            pass
    assert proved == []


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
        honest = Mutant("", "", closed, proof.definitions)
        refuse(proof, honest, other, draw_one_of_each_kind(mutated, id))


GRADIENTS = [(loss, name) for loss, s in STATEMENTS.items() for name in s.gradients]


@pytest.mark.parametrize(("loss", "variable"), GRADIENTS)
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
    honest = Mutant("", "", gradient.form, names)
    refuse(proof, honest, proof.lines[0].expression, draw_one_of_each_kind(mutated, loss + variable))
