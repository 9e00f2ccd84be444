"""The spectral contrastive loss: products of pairs, and squared products of all non-pairs (document F)."""

from sympy import Expr, Integer

from ..common.pairs import divisor
from ..common.statement import Statement, gradient
from ..common.weights import weigh_row, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Piece
from ..evidence.verdicts import Verdict
from ..prover.inequality import nonnegative
from ..prover.notation import Definition, Differ, one_if, total, unfold
from ..prover.proof import DEFINITION, SUMS, derive
from ..prover.sums import Facts
from ..symbols import B, G, S, d, ell, f, g, i, j, k, loss, nu, view1, view2

FACTS = Facts(ranges={i: B, j: B, k: B, f: d, g: d})

SCORES = Definition(S[i, j], total(view1[i, f] * view2[j, f], (f, d)))
ROW = Definition(ell[i], total(Differ(i, j) * S[i, j] ** 2, (j, B)) / (B - 1) - 2 * S[i, i])
LOSS = Definition(loss, total(ell[i], (i, B)) / nu)
ERROR = Definition(G[i, j], 2 * Differ(i, j) * S[i, j] / (B - 1) - 2 * one_if(i, j))
NAMES = (SCORES, ROW, LOSS, ERROR)


def _by(own: Expr, form: Expr):
    return gradient(own, form / nu, "F8", loss=loss, names=NAMES, facts=FACTS)


def _bind(z1, z2, *, reduction="mean") -> dict:
    return {B: len(z1), d: len(z1[0]), nu: divisor(len(z1), reduction), view1: z1, view2: z2}


STATEMENT = with_weights(
    Statement(
        loss="spectral",
        form=loss,
        names=NAMES,
        gradients={
            "z1": _by(view1[k, f], total(G[k, j] * view2[j, f], (j, B))),
            "z2": _by(view2[k, f], total(G[j, k] * view1[j, f], (j, B))),
        },
        bind=_bind,
    ),
    weigh_row(ERROR),
    facts=FACTS,
    rows=B,
)


@claim(
    "F7",
    printed=r"$\mathcal{L}(f) = -2 \cdot \mathbb{E}_{x, x^+}[f(x)^\top f(x^+)]"
    r" + \mathbb{E}_{x, x^-}[(f(x)^\top f(x^-))^2]$",
    verdict=Verdict.DEFINITION,
    says="In a batch «row» and «loss», where «scores». In the mean over the pairs that is «batch»: of a"
    " row and its partner, and of the «pairs» ordered pairs of rows that are none. Of one pair alone there"
    " is no such pair, and their mean would be 0 over 0. The views may be exchanged, «exchange»; no square"
    " is negative, «square»; there is no exponential and no temperature.",
)
def definition() -> dict[str, Piece]:
    mean = (*NAMES, Definition(nu, B))
    squares = total(Differ(i, j) * S[i, j] ** 2, (j, B), (i, B))
    batch = squares / (B * (B - 1)) - 2 * total(S[i, i], (i, B)) / B
    exchanged = unfold(loss, NAMES).xreplace({view1: view2, view2: view1})
    return {
        "row": ROW,
        "loss": LOSS,
        "scores": SCORES,
        "batch": derive(loss, (DEFINITION, batch), names=mean, facts=FACTS),
        "pairs": derive(total(Differ(i, j), (j, B), (i, B)), (SUMS, B * (B - 1)), facts=FACTS),
        "exchange": derive(loss, (DEFINITION, exchanged), names=NAMES, facts=FACTS),
        "square": nonnegative(S[i, j] ** 2),
    }


@claim(
    "F8",
    verdict=Verdict.PROVED,
    says="«z1» and «z2», where «z1.where G»: the pull on a positive is the same however near it is,"
    " «pull», the push on a negative grows with its score, and a negative with a score below 0 is pulled.",
)
def gradients() -> dict[str, Piece]:
    return {
        **{name: by.prove() for name, by in STATEMENT.gradients.items()},
        "pull": derive(G[i, i], (DEFINITION, Integer(-2)), names=NAMES, facts=FACTS),
    }
