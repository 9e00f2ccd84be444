"""DHN-NCE on the cheat sheet."""

from typing import Any

from sympy import Expr, log

from ...losses import dhn_nce
from ...prover.notation import one_if
from ...symbols import B, Q, Q_back, i, j, nu, tau
from ..points import Points, Settings, two_views
from . import LossCard

CARD = LossCard(
    group="Images and texts",
    title="DHN-NCE",
    paper="Koleilat et al. 2024",
    year=2024,
    inputs=("image", "text"),
    option="differentiated",
    when=(
        "Few pairs, near negatives (medical images): decoupled, hard negatives weighed. An easy "
        "negative may be pulled [M21]."
    ),
    rows="of unit rows",
    least=log(B - 1) - 2 / tau,
    most=log(B - 1) + 2 / tau,
    floor=2 * (log(B - 1) - B / (B - 1) / tau),
    reached="a regular simplex, image and text in one corner [M34]",
    bound="none: it may be negative [P4]",
)


_forth, _back = map(dhn_nce.DIFFERENTIATED.read, (dhn_nce.FORTH, dhn_nce.BACK))
DIFFERENTIATED = _forth, _back.xreplace({i: j, j: i})  # each text's row, as each image's


def _slopes(settings: Settings) -> tuple[Expr, ...]:
    """Return the gradient with the weights held constant, or differentiated."""
    shares = (Q[i, j], Q_back[i, j]) if settings["held"] else DIFFERENTIATED
    return tuple((share - one_if(i, j)) / (nu * tau) for share in shares)


def _options(count: int, settings: Settings) -> dict[str, Any]:
    beta, weights = settings["beta"], "constant" if settings["held"] else "differentiated"
    return {
        "temperature": settings["temperature"],
        "beta1": beta,
        "beta2": beta,
        "weights": weights,
        "reduction": "mean",
    }


POINTS = Points(
    "DHN-NCE",
    two_views("image", "text"),
    uses=("temperature", "beta", "held"),
    compared=(
        {"temperature": 0.5, "beta": 1.5, "held": False},
        {"temperature": 0.2, "beta": 0.5, "held": True},
    ),
    row="weighed",
    sees="otherView",
    matrix="P: each negative's share",
    per_pair=True,
    shares=lambda settings: (Q[i, j], Q_back[i, j]),
    slopes=_slopes,
    options=_options,
)
