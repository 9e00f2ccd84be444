"""SigLIP on the cheat sheet."""

from sympy import exp, log

from ...symbols import B, chance, i, j, siglip_bias, tau
from ..points import Points, list_slopes, two_views
from . import LossCard

CARD = LossCard(
    group="Images and texts",
    title="SigLIP",
    paper="Zhai et al. 2023",
    year=2023,
    inputs=("image", "text", "bias"),
    where=("F10 error",),
    when=(
        "The same without a softmax: no score meets another, so that a batch is cut over machines "
        "at will [F10]."
    ),
    rows="of unit rows",
    least=log(1 + exp(-1 / tau - siglip_bias)) + (B - 1) * log(1 + exp(siglip_bias - 1 / tau)),
    most=log(1 + exp(1 / tau - siglip_bias)) + (B - 1) * log(1 + exp(siglip_bias + 1 / tau)),
    calls=("open_clip.loss.SigLipLoss",),
)

POINTS = Points(
    "SigLIP",
    two_views("image", "text"),
    uses=("temperature", "bias"),
    compared=({"temperature": 0.1, "bias": -2.0},),
    row="sigmoids",
    sees="otherView",
    anchors="firstView",
    keys=("text",),
    matrix="P: the chance of a pair",
    shares=lambda settings: (chance[i, j],),
    slopes=list_slopes,
)
