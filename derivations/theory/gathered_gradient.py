"""A batch over several ranks: the gradient if gathered features carry theirs, and what is left if they do not."""

from collections.abc import Iterator
from fractions import Fraction

from ..common import rational
from ..common.pairs import positives
from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, counterexample
from ..evidence.points import Base, Integers, UnitRows
from ..evidence.verdicts import Verdict
from ..losses import infonce
from ..losses.infonce import BY_ROW
from ..prover.notation import Definition, Partial, one_if, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, derive
from ..prover.sums import Facts
from ..symbols import (
    G,
    L,
    N,
    d,
    ell,
    f,
    g,
    group,
    groups,
    i,
    j,
    k,
    l,
    loss,
    m,
    mine,
    nu,
    p,
    rank_loss,
    same_rank,
    tau,
    y,
    z,
)
from .curvature import velocity

FACTS = Facts(
    ranges={i: N, j: N, k: N, l: groups, m: groups, f: d},
    maps={p: (N, N), group: (N, groups)},
    derangements=(p,),
    masks=(mine,),
)


def seen(row, other, feature):
    """The other row as the row's rank sees it: the constant y, unless it lies on the same rank."""
    return same_rank[row, other] * z[other, feature] + (1 - same_rank[row, other]) * y[other, feature]


def as_anchor(other):
    return total(G[k, j] * other, (j, N))


AS_CANDIDATE = total(same_rank[i, k] * G[i, k] * z[i, f], (i, N))
LOGITS = total(z[i, g] * seen(i, j, g), (g, d)) / tau
LOCAL = (Definition(L[i, j], LOGITS), *infonce.MASKED[1:])
HELD = Definition(y[j, f], z[j, f])  # the numbers that the ranks sent to one another
BY_LOCAL = (as_anchor(z[j, f]) + AS_CANDIDATE) / (nu * tau)


# Every rank computes the whole loss from its own rows and the received ones.
def on_one_rank(row, feature):
    return mine[row] * z[row, feature] + (1 - mine[row]) * y[row, feature]


WHOLE = (
    Definition(L[i, j], total(on_one_rank(i, g) * on_one_rank(j, g), (g, d)) / tau),
    *infonce.MASKED[1:],
)
BY_WHOLE = mine[k] * total((G[k, j] + G[j, k]) * on_one_rank(j, f), (j, N)) / (nu * tau)


def steps(z: UnitRows, b: Fraction, ranks: Integers) -> Iterator[Finding]:
    """Along the sphere: ντ times the gradient of NT-Xent, and the corresponding sum over the local losses."""
    partner = positives(len(z))
    G = infonce.errors(z, b, partner, infonce.MASKED)
    local = [[Fraction(0)] * len(z) for _ in z]
    for row, errors in enumerate(G):
        for other, error in enumerate(errors):
            local[row][other] += error
            local[other][row] += error * (ranks[row] == ranks[other])
    pulls = [[rational.dot(weights, column) for column in zip(*z, strict=True)] for weights in local]
    full, pulls = (
        [rational.tangent(row, step) for row, step in zip(z, gradient, strict=True)]
        for gradient in (infonce.steepest(z, b, partner, infonce.MASKED), pulls)
    )
    along = sum(rational.dot(x, y) for x, y in zip(full, pulls, strict=True))
    yield Finding(along, "<", 0, ("(ντ)² times the product of the two gradients", ""))


@claim(
    "R2",
    verdict=Verdict.FOLKLORE,
    heard="That with local losses the features of other ranks need no gradient is said and agreed to in issue 4 of"
    " LIFT; issue 616 of open_clip has it that the two ways of gathering differ by the number of GPUs.",
    says="Gathering features from other ranks without their gradient does more than scale the gradient. For"
    " local losses, where each rank has the loss of its own anchors, a step against the remaining gradient can"
    " raise the loss, «raises».",
    right="$Y^s$ is 1 for two rows of one rank. A rank sees its own rows as variables and those of other ranks as"
    " numbers $y$: «local.where L». Summed over ranks the gradient is «local»; if $y$ has the numbers of"
    " $z$, «logits» as in the whole loss, it is «numbers». The gradient of the whole loss is «full», with"
    " «full.where L». The difference is «missing»: the terms of a row as a candidate of anchors on other"
    " ranks. Of $(G + G^T)Z$ only $GZ$ is left if nothing that is gathered has a gradient (M6). If every"
    " rank computes the whole loss instead, «whole.where L» with $Y^r$ at its own rows, its gradient is"
    " «whole»: the whole gradient for its own rows, nothing for others. The mean over $Γ$ ranks is «mean»,"
    " where $ψ(k)$ is the rank of row $k$: exactly this part of the gradient. Users have met the second"
    " case: issue 616 of open_clip, 30 of tevatron. We know no source for a step that raises the loss.",
)
def gathering_without_gradient() -> dict[str, Piece]:
    by_local = (as_anchor(seen(k, j, f)) + AS_CANDIDATE) / (nu * tau)
    missing = total((1 - same_rank[i, k]) * G[i, k] * z[i, f], (i, N)) / (nu * tau)
    of_rank = one_if(group[k], l) * BY_ROW
    return {
        "local": derive(Partial(loss, z[k, f]), (DERIVATIVE, by_local), names=LOCAL, facts=FACTS),
        "logits": derive(LOGITS, (DEFINITION, infonce.LOGITS.body), names=(HELD,), facts=FACTS),
        "numbers": derive(by_local, (DEFINITION, BY_LOCAL), names=(HELD,), facts=FACTS),
        "full": infonce.by_row(infonce.MASKED),
        "missing": derive(BY_ROW - BY_LOCAL, (SUMS, missing), facts=FACTS),
        "whole": derive(Partial(loss, z[k, f]), (DERIVATIVE, BY_WHOLE), names=WHOLE, facts=FACTS),
        "mean": derive(total(of_rank, (l, groups)) / groups, (SUMS, BY_ROW / groups), facts=FACTS),
        "raises": counterexample(
            "two ranks, on each the two views of an image",
            steps,
            z=UnitRows(rational.rows((20, 15), (-15, 20), (20, 15), (24, -7), by=25)),
            b=Base(21, 20),
            ranks=Integers([0, 1, 0, 1]),
        ),
    }


# A rank's part of the sum over anchors, times Γ: the mean over its own rows, if all ranks have equally many.
SHARE = Definition(rank_loss[l], groups * total(one_if(group[i], l) * ell[i], (i, N)) / nu)
BY_SHARE = total((one_if(group[k], l) * G[k, j] + one_if(group[j], l) * G[j, k]) * z[j, f], (j, N))


@claim(
    "R27",
    verdict=Verdict.PROVED,
    says="A batch that $Γ$ ranks gather with its gradient has the gradient of one process, however the rows lie on"
    " the ranks. The backward pass of the gather adds up over the ranks what each wants of a row, and the ranks"
    " take the mean of their gradients. If every rank computes the whole loss, this leaves «whole» for every"
    " row. If each computes its share of the anchors, «share.where 𝓛ʳ», where $ψ(i)$ is the rank of row $i$, it"
    " wants of row $k$ «share», with «share.where L», and the mean leaves «shares». The mean of the shares is"
    " «losses», so a learned temperature has its gradient too. For one parameter of the encoder, along which"
    " all rows move by $V$, each rank goes back through its own rows alone, and the mean of what arrives is"
    " «encoder», the derivative of R12. Without the gradient of what was gathered, $1/Γ$ of the gradient is left"
    " in the first case, and in the second so little that a step can raise the loss: R2.",
)
def gathering_with_gradient() -> dict[str, Piece]:
    by_share = groups * BY_SHARE / (nu * tau)
    summed = total(BY_ROW, (m, groups))
    each = total(one_if(group[k], l) * total(summed * velocity[k, f], (f, d)), (k, N))
    by_row = total(BY_ROW * velocity[k, f], (f, d), (k, N))
    named = (*infonce.MASKED, SHARE)
    return {
        "whole": derive(total(BY_ROW, (l, groups)) / groups, (SUMS, BY_ROW), facts=FACTS),
        "share": derive(Partial(rank_loss[l], z[k, f]), (DERIVATIVE, by_share), names=named, facts=FACTS),
        "shares": derive(total(by_share, (l, groups)) / groups, (SUMS, BY_ROW), facts=FACTS),
        "losses": derive(
            total(rank_loss[l], (l, groups)) / groups, (DEFINITION, loss), names=named, facts=FACTS
        ),
        "encoder": derive(total(each, (l, groups)) / groups, (SUMS, by_row), facts=FACTS),
    }
