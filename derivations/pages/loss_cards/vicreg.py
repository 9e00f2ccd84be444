"""VICReg on the cheat sheet."""

from sympy import Integer

from ...symbols import loss
from . import LossCard

CARD = LossCard(
    group="Distances and correlations",
    title="VICReg",
    paper="Bardes et al. 2022",
    year=2022,
    inputs=("z1",),
    of=loss,
    where=("F27 spread", "F27 covariance"),
    when=(
        "Each view is kept spread out by itself, so the two encoders may differ. At exact collapse"
        " the gradient is 0 [R15]."
    ),
    rows="of any rows",
    least=Integer(0),
    calls=("lightly.loss.VICRegLoss",),
)
