"""BYOL: two views without negatives, one of them held constant (document D3)."""

from sympy import Integer

from .. import symbols
from ..claims import claim
from ..evidence import Verdict
from ..pairs import divisor
from ..prover.notation import Definition, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.statement import Statement, gradient
from ..sphere import FACTS_OF_TWO as FACTS
from ..sphere import cosine, cosine_by, length, unit
from ..symbols import N, d, ell, f, i, k, loss, nu, prediction, stretch, target
from ..theory.moving_average import moving_average
from ..unbound import Counterexample

DISTANCE = total((unit(prediction, i, f) - unit(target, i, f)) ** 2, (f, d))
NAMES = (Definition(ell[i], DISTANCE), Definition(loss, total(ell[i], (i, N)) / nu))  # [D3.43]
BY_PREDICTION = gradient(
    prediction[k, f],
    -2 * cosine_by(prediction, target, k, f) / nu,
    *("M18", "D3.43"),
    loss=loss,
    names=NAMES,
    facts=FACTS,
)


def _bind(prediction, target, *, reduction="mean") -> dict:
    count = len(prediction)
    sizes = {N: count, d: len(prediction[0]), nu: divisor(count, reduction)}
    return sizes | {symbols.prediction: prediction, symbols.target: target}


STATEMENT = Statement(
    loss="byol",
    form=loss,
    names=NAMES,
    gradients={"prediction": BY_PREDICTION},
    bind=_bind,
)


@claim(
    "D3.43",
    printed=r"\mathcal{L} = \|\bar q - \bar z'\|_2^2 = 2 - 2 \frac{\langle q, z' \rangle}{\|q\|_2 \|z'\|_2}",
    statement="As printed, for every d and q, z' ≠ 0: the squared distance of two unit rows.",
    verdict=Verdict.PROVED,
)
def distance_is_cosine() -> Proof:
    return derive(DISTANCE, (SUMS, 2 - 2 * cosine(prediction, target, i)), facts=FACTS)


@claim(
    "M18",
    printed="",
    statement=r"\partial \mathcal{L} / \partial q = -\frac{2}{\|q\|} (\bar z' - \cos\theta\, \bar q), across q, of"
    r" length 2 \sin\theta / \|q\|: it vanishes where q points along z', and where it points the other way.",
    verdict=Verdict.PROVED,
)
def gradient_by_prediction() -> tuple[Proof, ...]:
    across = cosine_by(prediction, target, k, f)
    sine = (1 - cosine(prediction, target, k) ** 2) / length(prediction, k) ** 2
    opposite = Definition(target[i, f], -stretch * prediction[i, f])
    return (
        BY_PREDICTION.prove(),
        derive(total(prediction[k, f] * across, (f, d)), (SUMS, Integer(0)), facts=FACTS),
        derive(total(across**2, (f, d)), (SUMS, sine), facts=FACTS),
        derive(across, (DEFINITION, Integer(0)), names=(opposite,), facts=FACTS),
    )


@claim(
    "D3.42",
    printed="the target network is not trained directly: it is a smoothed version of the online network",
    statement=r"The target is the mean of its start and of all earlier online networks, with weights \tau^t and"
    r" (1 - \tau)\tau^{t-1-s} that sum to 1 (D3.41). That it is not trained is a choice: training follows the"
    " gradient by the prediction (M18), and leaves out the one by the target, the same formula with the two"
    " exchanged.",
    verdict=Verdict.PROVED,
)
def not_trained_directly() -> tuple[Proof | Counterexample, ...]:
    by_target = -2 * cosine_by(target, prediction, k, f) / nu
    left_out = derive(Partial(loss, target[k, f]), (DERIVATIVE, by_target), names=NAMES, facts=FACTS)
    return *moving_average(), BY_PREDICTION.prove(), left_out
