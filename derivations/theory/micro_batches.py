"""A batch in micro-batches: what accumulating their gradients computes, and what gradient caching does."""

from collections.abc import Iterator
from fractions import Fraction

from sympy import Integer, exp, log

from ..common import rational
from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, counterexample
from ..evidence.points import Base, UnitRows
from ..evidence.verdicts import Verdict
from ..losses import infonce
from ..losses.infonce import BY_ROW
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, derive
from ..prover.sums import Facts
from ..symbols import (
    A,
    L,
    N,
    a,
    d,
    ell,
    ell_group,
    f,
    group,
    groups,
    i,
    j,
    k,
    l,
    loss,
    m,
    negative_here,
    p,
    q,
    z,
)
from .curvature import time, velocity

CANDIDATES = Facts(ranges={i: N, a: A, l: groups}, maps={p: (N, A), group: (A, groups)})
ODDS = exp(L[i, m] - L[i, p[i]])
ALL = Definition(ell[i], log(1 + total(Differ(m, p[i]) * ODDS, (m, A))))
OF_GROUP = Definition(ell_group[i, l], log(1 + total(Differ(m, p[i]) * one_if(group[m], l) * ODDS, (m, A))))
NO_NEGATIVE = Definition(negative_here[i, a], Integer(0))

# The rows move along V as one parameter of the encoder moves.
ROWS = Facts(
    ranges={i: N, j: N, k: N, l: groups, f: d}, maps={p: (N, N), group: (N, groups)}, derangements=(p,)
)
MOVING = (Definition(z[i, f], q[i, f] + time * velocity[i, f]), *infonce.MASKED)


def gradient(z: UnitRows, b: Fraction, pairs: int) -> list[list[Fraction]]:
    """τ times the sum over anchors of NT-Xent's gradients along the sphere, by rows of both views."""
    partner = [(row + pairs) % len(z) for row in range(len(z))]
    full = infonce.steepest(z, b, partner, infonce.MASKED)
    return [rational.tangent(row, step) for row, step in zip(z, full, strict=True)]


def accumulated(z: UnitRows, b: Fraction) -> Iterator[Finding]:
    pairs = len(z) // 2
    micro = [gradient(UnitRows([z[n], z[n + pairs]]), b, 1) for n in range(pairs)]
    sums = [micro[row % pairs][row // pairs] for row in range(len(z))]
    names = ("the squared length of the accumulated gradient", "of that of the batch")
    for name, sign, found in zip(names, "=>", (sums, gradient(z, b, pairs)), strict=True):
        yield Finding(sum(x * x for row in found for x in row), sign, 0, (name, ""))


@claim(
    "R12",
    verdict=Verdict.FOLKLORE,
    heard="That accumulating the gradients of micro-batches is as good as a large batch is said in pull"
    " request 1822 of sentence-transformers, whose maintainer denies it; issue 203 of simclr asks.",
    says="To accumulate the gradients of micro-batches does not make a large batch. With one pair in each, no"
    " row has a negative, and its loss is «alone», whatever the rows are: nothing is learned,"
    " as in «nothing».",
    right="A row adds its negatives inside the logarithm. With «row.where ℓ», and of the group $l$ of its"
    " candidates alone «row.where ℓᵍ», «row»: over disjoint groups the odds add, not the losses, nor their"
    " gradients. Gradient caching is exact: let all rows move along $V$ with one parameter of the encoder,"
    " «cached.where z». The derivative is «cached.chain», by the gradients by the rows, «by row» with «by"
    " row.where ℓ», which need no encoder. So once these are there, the encoder can go through the rows group by"
    " group. Caching was said in Scaling Deep Contrastive Learning Batch Size under Memory Limited Setup (Gao et"
    " al., 2021).",
)
def accumulation() -> dict[str, Piece]:
    by_row = total(BY_ROW * velocity[k, f], (f, d), (k, N))
    by_group = total(total(one_if(group[k], l) * total(BY_ROW * velocity[k, f], (f, d)), (k, N)), (l, groups))
    return {
        "nothing": counterexample(
            "two images, each a micro-batch",
            accumulated,
            z=UnitRows(rational.rows((5, 0), (0, 5), (4, 3), (3, 4))),
            b=Base(21, 20),
        ),
        "alone": derive(
            log(1 + total(negative_here[i, m] * ODDS, (m, A))),
            (DEFINITION, Integer(0)),
            names=(NO_NEGATIVE,),
            facts=CANDIDATES,
        ),
        "row": derive(
            total(exp(ell_group[i, l]) - 1, (l, groups)),
            (DEFINITION, exp(ell[i]) - 1),
            names=(ALL, OF_GROUP),
            facts=CANDIDATES,
        ),
        "cached": derive(
            Partial(loss, time), (DERIVATIVE, by_row), (SUMS, by_group), names=MOVING, facts=ROWS
        ),
        "by row": infonce.by_row(infonce.MASKED),
    }
