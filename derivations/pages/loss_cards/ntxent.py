"""NT-Xent on the cheat sheet."""

from sympy import exp, log

from ...symbols import N, tau
from ..points import Points, list_shares, list_slopes, one_set
from . import LossCard

CARD = LossCard(
    group="Two views of one batch",
    title="NT-Xent",
    paper="Chen et al. 2020, SimCLR",
    year=2020,
    inputs=("w",),
    when=(
        "Two views of each image and no labels. How low it can go is set by the temperature and "
        "the number of negatives [M4]."
    ),
    rows="of unit rows",
    least=log(1 + (N - 2) * exp(-2 / tau)),
    most=log(1 + (N - 2) * exp(2 / tau)),
    floor=log(1 + (N - 2) * exp(-N / (N - 2) / tau)),
    reached="a regular simplex, both views in one corner [M4]",
    bound="log of the number of images, less it, is at most the information [M25]",
    calls=(
        "lightly.loss.NTXentLoss",
        "monai.losses.ContrastiveLoss",
        "optax.losses.ntxent",
        "pytorch_metric_learning.losses.NTXentLoss",
        "pytorch_metric_learning.losses.SelfSupervisedLoss",
    ),
)

POINTS = Points("NT-Xent", one_set("w"), shares=list_shares, slopes=list_slopes)
