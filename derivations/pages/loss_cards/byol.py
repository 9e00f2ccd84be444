"""BYOL on the cheat sheet."""

from sympy import Integer

from . import LossCard

CARD = LossCard(
    group="Distances and correlations",
    title="BYOL",
    paper="Grill et al. 2020",
    year=2020,
    inputs=("prediction",),
    when="No negatives: a predictor follows a slow copy of its own network, held constant [D3.42].",
    rows="of any rows",
    least=Integer(0),
    most=Integer(4),
    calls=("byol_pytorch.byol_pytorch.cosine_loss_fn", "solo.losses.byol.byol_loss_func"),
)
