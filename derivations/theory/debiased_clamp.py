"""The clamp of the debiased loss: the loss is continuous there, its gradient jumps."""

from sympy import Expr, Integer, exp, log

from ..evidence.claims import claim
from ..evidence.pieces import Piece
from ..evidence.verdicts import Verdict
from ..prover.inequality import positive
from ..prover.notation import Definition, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, Proof, derive
from ..prover.sums import Facts
from ..symbols import (
    L,
    L_positive,
    M,
    N,
    a,
    ell,
    i,
    m,
    mean_negative,
    own_score,
    tau,
    true_negative,
)
from ..symbols import odds_of_class as class_odds
from ..symbols import prior_of_class as class_prior

FACTS = Facts(ranges={i: N, a: M})

OWN = exp(L_positive[i])
ROW = Definition(ell[i], log(OWN + M * true_negative[i]) - L_positive[i])
FREE = Definition(true_negative[i], (mean_negative[i] - class_prior * OWN) / (1 - class_prior))
CLAMPED = Definition(true_negative[i], exp(-1 / tau))
PLAIN = Definition(mean_negative[i], total(exp(L[i, m]), (m, M)) / M)
BETWEEN = Definition(class_prior, class_odds / (1 + class_odds))  # any number between 0 and 1
WHOLE = OWN + M * true_negative[i]
LIFT = class_odds * OWN
PULL, CLAMPED_PULL = -M * (true_negative[i] + LIFT) / WHOLE, -M * true_negative[i] / WHOLE
PUSH = exp(L[i, a]) * (1 + class_odds) / WHOLE


def slope(variable: Expr, value: Expr, *names: Definition) -> Proof:
    return derive(Partial(ell[i], variable), (DERIVATIVE, value), names=(ROW, *names, BETWEEN), facts=FACTS)


@claim(
    "R5",
    verdict=Verdict.PROVED,
    says="The debiased loss of a row before M negatives is «pull.where ℓ» with «pull.where g⁻», clamped from"
    " below at «clamped.where g⁻», which is as little as $e^L$ can be for unit rows. The prior is «pull.where"
    " τ⁺», any number between 0 and 1. The slope by the logit of the positive is «pull», and under the clamp"
    " «clamped». Where the one gives way to the other, $g^-$ is the same, so is the loss, and the pull drops"
    " by the factor «cliff», where «cliff.where L⁺» with the positive's cosine $s^+$: whatever the number of"
    " negatives, above 1 as «above». Nothing of it depends on how $U$ weighs the negatives, and so it holds of"
    " the loss for hard negatives too. With the plain mean, «push.where U», the push is «push», and under the"
    " clamp «no push». We know of no source.",
)
def cliff() -> dict[str, Piece]:
    at_the_clamp = (CLAMPED, Definition(L_positive[i], own_score[i] / tau))
    drop = class_odds * exp((1 + own_score[i]) / tau)
    return {
        "pull": slope(L_positive[i], PULL, FREE),
        "clamped": slope(L_positive[i], CLAMPED_PULL, CLAMPED),
        "cliff": derive(
            (true_negative[i] + LIFT) / true_negative[i],
            (DEFINITION, 1 + drop),
            names=at_the_clamp,
            facts=FACTS,
        ),
        "above": positive(drop),
        "push": slope(L[i, a], PUSH, FREE, PLAIN),
        "no push": slope(L[i, a], Integer(0), CLAMPED),
    }
