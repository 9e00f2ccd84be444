"""The factor of InfoNCE that DCL drops: it couples the positive with the negatives."""

from sympy import exp, log

from ..common.sphere import LOGITS, SOFTMAX
from ..evidence.claims import claim
from ..evidence.pieces import Piece
from ..evidence.verdicts import Verdict
from ..prover.inequality import positive
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import DEFINITION, DERIVATIVE, Proof, Rule, derive
from ..prover.sums import Facts
from ..symbols import A, L, N, P, a, d, ell, ell_decoupled, f, i, k, m, n, p, tau, y, z

FACTS = Facts(ranges={i: N, k: N, a: A, f: d}, maps={p: (N, A)})
COUPLED = Definition(ell[i], -log(P[i, p[i]]))
NEGATIVES = total(Differ(m, p[i]) * exp(L[i, m]), (m, A))
DECOUPLED = Definition(ell_decoupled[i], log(NEGATIVES) - L[i, p[i]])
NAMES = (LOGITS, SOFTMAX, COUPLED, DECOUPLED)

UNSURE = total(Differ(n, p[i]) * P[i, n], (n, A))  # 1 − P_p


def prove(first, *steps: tuple[Rule, object]) -> Proof:
    return derive(first, *steps, names=NAMES, facts=FACTS)


@claim(
    "R7",
    verdict=Verdict.PROVED,
    says="InfoNCE is the softplus of DCL, row by row and for any candidates: «softplus», where «softplus.where"
    " ℓ» and «softplus.where ℓᵈ». So whatever the loss is differentiated by, the two derivatives differ by one"
    " factor of the row, its sigmoid «factor», which is what P of the positive is short of 1: «unsure». It is"
    " positive, «positive», and below 1. «logit», «row», «candidate», «temperature». DCL alone has «alone»: it"
    " pulls on the positive with the weight 1 however near that is, and pushes each negative by its share"
    " among the negatives. InfoNCE multiplies both by the factor, which couples them: a near positive takes"
    " the push off the negatives, easy negatives the pull off the positive. That the factor is there was said"
    " in Decoupled Contrastive Learning (Yeh et al., 2022).",
)
def softplus_of_decoupled() -> dict[str, Piece]:
    def coupled(variable) -> Proof:
        steps = ((DERIVATIVE, UNSURE * Partial(ell_decoupled[i], variable)),)
        return prove(Partial(ell[i], variable), *steps)

    share = Differ(a, p[i]) * exp(L[i, a]) / NEGATIVES
    odds = exp(ell_decoupled[i])
    return {
        "softplus": prove(ell[i], (DEFINITION, log(1 + odds))),
        "factor": prove(UNSURE, (DEFINITION, odds / (1 + odds))),
        "unsure": prove(1 - P[i, p[i]], (DEFINITION, UNSURE)),
        "positive": positive(odds / (1 + odds)),
        "logit": coupled(L[k, a]),
        "row": coupled(z[k, f]),
        "candidate": coupled(y[a, f]),
        "temperature": coupled(tau),
        "alone": prove(Partial(ell_decoupled[i], L[i, a]), (DERIVATIVE, share - one_if(a, p[i]))),
    }
