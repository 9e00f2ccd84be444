"""DCL, decoupled contrastive learning: NT-Xent with the positive in no denominator (document F)."""

from fractions import Fraction

from sympy import Expr, Integer, exp, log

from .. import symbols
from ..common.pairs import divisor, positives
from ..common.sphere import COSINE, NORM, UNIT
from ..common.statement import Statement, gradient
from ..common.weights import weigh_row, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Piece, Relation, holds
from ..evidence.verdicts import Verdict
from ..prover.inequality import positive
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..symbols import (
    G,
    L,
    N,
    P,
    beta1,
    beta2,
    d,
    ell,
    ell_back,
    ell_decoupled,
    f,
    i,
    j,
    k,
    loss,
    nu,
    p,
    tau,
    w,
)
from . import dhn_nce, ntxent
from .ntxent import BY_ROW, BY_TEMPERATURE, FACTS, LOGITS, LOSS


def negative(row: Expr, other: Expr) -> Expr:
    """1 where the other row is neither the row nor its positive."""
    return Differ(other, row) * Differ(other, p[row])


NEGATIVES = total(negative(i, k) * exp(L[i, k]), (k, N))  # Σ over k ≠ i, p(i)
ROW = Definition(ell[i], -log(exp(L[i, p[i]]) / NEGATIVES))
SOFTMAX = Definition(P[i, j], negative(i, j) * exp(L[i, j]) / NEGATIVES)  # of the negatives
ERROR = Definition(G[i, j], P[i, j] - one_if(j, p[i]))
NAMES = (NORM, UNIT, COSINE, LOGITS, ROW, LOSS, SOFTMAX, ERROR)


def _bind(w, *, temperature, reduction="mean", layout="concatenated") -> dict:
    count = len(w)
    sizes = {N: count, d: len(w[0]), nu: divisor(count, reduction)}
    return sizes | {symbols.w: w, tau: temperature, p: positives(count, layout)}


STATEMENT = with_weights(
    Statement(
        loss="dcl",
        form=loss,
        names=NAMES,
        gradients={
            "w": gradient(w[k, f], BY_ROW, "F2", loss=loss, names=NAMES, facts=FACTS),
            "temperature": gradient(tau, BY_TEMPERATURE, "F2", loss=loss, names=NAMES, facts=FACTS),
        },
        bind=_bind,
    ),
    weigh_row(ERROR),
    facts=FACTS,
)


@claim(
    "F1",
    printed=r"$L_{DC,i}^{(k)} = -\log \frac{\exp(\langle z_i^{(1)}, z_i^{(2)} \rangle/\tau)}"
    r"{\sum_{l \in \{1,2\}, j \in [1,N], j \neq i} \exp(\langle z_i^{(k)}, z_j^{(l)} \rangle/\tau)}$",
    verdict=Verdict.DEFINITION,
    says="«row» and «loss», the rows of both views together, N of them: «odds». Of the terms of that sum"
    " «negatives» are not 0, all of them positive, «positive»; so one pair alone has no negative, and its"
    " loss would be the logarithm of 0. It can be negative: «negative».",
)
def definition() -> dict[str, Piece]:
    odds = total(negative(i, j) * exp(L[i, j] - L[i, p[i]]), (j, N))
    apart = {N: 4, d: 1, w: [[1], [-1], [1], [-1]], p: [2, 3, 0, 1], tau: Fraction(1), nu: Fraction(4)}
    return {
        "row": ROW,
        "loss": LOSS,
        "odds": derive(loss, (DEFINITION, total(log(odds), (i, N)) / nu), names=(ROW, LOSS), facts=FACTS),
        "negatives": derive(total(negative(i, j), (j, N)), (SUMS, N - 2), facts=FACTS),
        "positive": positive(exp(L[i, j] - L[i, p[i]])),
        "negative": holds("two pairs, far apart", Relation(loss, "<", Integer(0)), apart, names=NAMES),
    }


@claim(
    "F2",
    verdict=Verdict.PROVED,
    says="«row» and «temperature», as those of NT-Xent, with another $G$: «row.where G», where «row.where P»"
    " is the softmax of the negatives alone. So the positive is pulled with the whole weight 1, however near"
    " it is; and each row of $G$ sums to 0, «sum».",
)
def gradients() -> dict[str, Piece]:
    return {
        "row": STATEMENT.gradients["w"].prove(),
        "temperature": STATEMENT.gradients["temperature"].prove(),
        "sum": derive(total(G[i, j], (j, N)), (DEFINITION, Integer(0)), names=NAMES, facts=FACTS),
    }


@claim(
    "F3",
    verdict=Verdict.PROVED,
    says="NT-Xent is the softplus of this loss, row by row: «softplus», where «softplus.where ℓᵈ» and"
    " «softplus.where ℓ». Over the other view alone, as for images and texts, it is DHN-NCE with both"
    " hardnesses 0, «image.where ℓ»: «image» and «text», where «image.where O».",
)
def to_other_losses() -> dict[str, Piece]:
    beside = (ntxent.ROW, Definition(ell_decoupled[i], ROW.body))
    soft = (Definition(beta1, Integer(0)), Definition(beta2, Integer(0)))
    flat = (*dhn_nce.DIFFERENTIATED, dhn_nce.MASK, *soft)

    def across(row: Expr, way: dhn_nce.Way) -> Proof:
        logits = way(L)
        candidates = dhn_nce.over_negatives(lambda i, m: exp(logits(i, m)))
        return dhn_nce.prove(row, (DEFINITION, -log(exp(logits(i, i)) / candidates)), names=flat)

    return {
        "softplus": derive(ell[i], (DEFINITION, log(1 + exp(ell_decoupled[i]))), names=beside, facts=FACTS),
        "image": across(ell[i], dhn_nce.by_image),
        "text": across(ell_back[i], dhn_nce.by_text),
    }
