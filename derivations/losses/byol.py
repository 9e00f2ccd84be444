"""BYOL: two views without negatives, one of them held constant (document D3)."""

from sympy import Integer

from .. import symbols
from ..common.cosine import FACTS, cosine_by, definitions, square
from ..common.moving_average import smoothed
from ..common.pairs import divisor
from ..common.statement import Statement, gradient
from ..common.weights import with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Piece
from ..evidence.verdicts import Verdict
from ..prover.notation import Definition, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, derive
from ..symbols import LENGTHS, N, cos, d, ell, f, i, k, loss, nu, prediction, stretch, target

ROW = Definition(ell[i], square(prediction, target))  # [D3.43]
NAMES = (*definitions(prediction, target, cos), ROW, Definition(loss, total(ell[i], (i, N)) / nu))
BY_PREDICTION = gradient(
    prediction[k, f],
    -2 * cosine_by(prediction, target, cos, k, f) / nu,
    *("M18", "D3.43"),
    loss=loss,
    names=NAMES,
    facts=FACTS,
)


def _bind(prediction, target, *, reduction="mean") -> dict:
    count = len(prediction)
    sizes = {N: count, d: len(prediction[0]), nu: divisor(count, reduction)}
    return sizes | {symbols.prediction: prediction, symbols.target: target}


STATEMENT = with_weights(
    Statement(
        loss="byol",
        form=loss,
        names=NAMES,
        gradients={"prediction": BY_PREDICTION},
        bind=_bind,
    ),
    facts=FACTS,
)


@claim(
    "D3.43",
    printed=r"$\mathcal{L}_{\theta,\xi} := \| \bar{q}_{\theta}(z_{\theta}) - \bar{z}_{\xi}' \|_{2}^{2} = 2 - 2"
    r" \cdot \frac{\langle q_{\theta}(z_{\theta}), z_{\xi}' \rangle}{\| q_{\theta}(z_{\theta}) \|_{2} \cdot \|"
    r" z_{\xi}' \|_{2}}$",
    verdict=Verdict.PROVED,
    says="The squared distance of two unit rows is twice what their cosine is short of 1, in any number of"
    " features, where neither row is 0: «distance».",
)
def distance_is_cosine() -> dict[str, Piece]:
    return {
        "distance": derive(square(prediction, target), (DEFINITION, 2 - 2 * cos[i]), names=NAMES, facts=FACTS)
    }


@claim(
    "M18",
    verdict=Verdict.PROVED,
    says="«gradient». It stands across the prediction, «across», and for one row its square is four times"
    " «length», the square of the sine over that of the length. So it vanishes where the target points along"
    " the prediction, «along.where z′» gives «along», and also where it points the other way, «against.where"
    " z′».",
)
def gradient_by_prediction() -> dict[str, Piece]:
    across = cosine_by(prediction, target, cos, k, f)
    sine = (1 - cos[k] ** 2) / LENGTHS[prediction][k] ** 2

    def of_multiple(factor):
        """The same where the target is a multiple of the prediction."""
        multiple = Definition(target[i, f], factor * prediction[i, f])
        return derive(across, (DEFINITION, Integer(0)), names=(*NAMES, multiple), facts=FACTS)

    def proved(first, last):
        return derive(first, (DEFINITION, last), names=NAMES, facts=FACTS)

    return {
        "gradient": BY_PREDICTION.prove(),
        "across": proved(total(prediction[k, f] * across, (f, d)), Integer(0)),
        "length": proved(total(across**2, (f, d)), sine),
        "along": of_multiple(stretch),
        "against": of_multiple(-stretch),
    }


@claim(
    "D3.42",
    printed="Online network: it is trained actively in each step of the optimisation. Target network: it is"
    " not trained directly, but is a smoothed version of the online network, updated with an exponential"
    " moving average",
    verdict=Verdict.PROVED,
    says="The target is a mean of its start and of all earlier online networks (D3.41): «step.where ξ»"
    " becomes «step», and «weights», so that the weights always sum to 1. That it is not trained is a"
    " choice: training follows «followed», which moves the online network, and leaves out «left_out».",
)
def not_trained_directly() -> dict[str, Piece]:
    by_target = -2 * cosine_by(target, prediction, cos, k, f) / nu
    return {
        **smoothed(),
        "followed": BY_PREDICTION.prove(),
        "left_out": derive(Partial(loss, target[k, f]), (DERIVATIVE, by_target), names=NAMES, facts=FACTS),
    }
