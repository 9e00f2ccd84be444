"""CLIP on the cheat sheet."""

from sympy import Expr, exp, log

from ...prover.notation import one_if
from ...symbols import B, P, columns, i, j, tau
from ..points import Points, Settings, two_views
from . import LossCard

CARD = LossCard(
    group="Images and texts",
    title="CLIP",
    paper="Radford et al. 2021",
    year=2021,
    inputs=("image", "text"),
    where=("M17 logits.where G",),
    when=(
        "Images with their texts, large batches: a softmax over the batch finds each image's text,"
        " and each text's image."
    ),
    rows="of unit rows",
    least=log(1 + (B - 1) * exp(-2 / tau)),
    most=log(1 + (B - 1) * exp(2 / tau)),
    floor=log(1 + (B - 1) * exp(-B / (B - 1) / tau)),
    reached="a regular simplex, image and text in one corner [M30]",
    bound="each direction is a cross-entropy over B candidates, as InfoNCE's over scores [P1]",
    calls=("open_clip.loss.ClipLoss", "sentence_transformers.losses.MultipleNegativesSymmetricRankingLoss"),
)


def _slopes(settings: Settings) -> tuple[Expr, ...]:
    return tuple((share - one_if(i, j)) / (2 * B * tau) for share in (P[i, j], columns[j, i]))


POINTS = Points(
    "CLIP: each view asks the other",
    two_views("image", "text"),
    sees="otherView",
    shares=lambda settings: (P[i, j], columns[j, i]),
    slopes=_slopes,
)
