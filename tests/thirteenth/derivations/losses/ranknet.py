"""The pairwise logistic loss over rows of scores: the positive against each other candidate (document T)."""

from sympy import exp, log

from .. import symbols
from ..common.pairs import divisor
from ..common.statement import Statement, gradient
from ..common.weights import with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Piece
from ..evidence.verdicts import Verdict
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.sums import Facts
from ..symbols import A, N, a, ell, i, k, loss, m, nu, p, u

FACTS = Facts(ranges={i: N, k: N, a: A, m: A}, maps={p: (N, A)})

ROW = Definition(ell[i], total(Differ(a, p[i]) * log(1 + exp(u[i, a] - u[i, p[i]])), (a, A)))
LOSS = Definition(loss, total(ell[i], (i, N)) / nu)


def chance(row, candidate):
    """σ(u_j − u_p), the probability that the candidate is mistaken for the positive."""
    return exp(u[row, candidate]) / (exp(u[row, candidate]) + exp(u[row, p[row]]))


SLOPE = Differ(a, p[k]) * chance(k, a) - one_if(a, p[k]) * total(Differ(m, p[k]) * chance(k, m), (m, A))
GRADIENT = gradient(u[k, a], SLOPE / nu, "T1", loss=loss, names=(ROW, LOSS), facts=FACTS)


@claim(
    "T1",
    printed=r"$C_{ij} = -o_{ij} + \log(1 + e^{o_{ij}})$",
    says="Summed over the negatives, «gradient»: a negative is pushed by the chance that it is taken for the"
    " positive, and the positive is pulled by their sum.",
    verdict=Verdict.PROVED,
)
def the_gradient() -> dict[str, Piece]:
    return {"gradient": GRADIENT.prove()}


def _bind(scores, *, positive, reduction="mean") -> dict:
    sizes = {N: len(scores), A: len(scores[0]), nu: divisor(len(scores), reduction)}
    return sizes | {u: scores, symbols.p: positive}


STATEMENT = with_weights(
    Statement(loss="ranknet", form=loss, names=(ROW, LOSS), gradients={"scores": GRADIENT}, bind=_bind),
    facts=FACTS,
)
