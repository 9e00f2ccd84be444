"""NCE on the cheat sheet."""

from sympy import Integer

from ...symbols import loss
from . import LossCard

CARD = LossCard(
    group="Against noise",
    title="NCE",
    paper="Gutmann and Hyvärinen 2010",
    year=2010,
    inputs=("data_scores", "noise_scores"),
    of=loss,
    when=(
        "A density without its normaliser, against noise of which the density is known: a score "
        "that is a log-probability [M24]."
    ),
    rows="of any scores",
    least=Integer(0),
)
