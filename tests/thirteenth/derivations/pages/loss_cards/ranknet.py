"""RankNet on the cheat sheet."""

from . import LossCard

CARD = LossCard(
    group="A query and its candidates",
    title="RankNet",
    paper="Burges et al. 2005",
    year=2005,
    when="Each negative against the positive alone: no negative meets another.",
    inputs=("scores",),
)
