"""SimSiam on the cheat sheet."""

from sympy import Integer

from . import LossCard

CARD = LossCard(
    group="Distances and correlations",
    title="SimSiam",
    paper="Chen and He 2021",
    year=2021,
    inputs=("p1", "z1"),
    when=(
        "The same without the slow copy, under a stop-gradient. A constant output has the least loss [D3.46]."
    ),
    rows="of any rows",
    least=-Integer(1),
    most=Integer(1),
    calls=("lightly.loss.NegativeCosineSimilarity", "solo.losses.simsiam.simsiam_loss_func"),
)
