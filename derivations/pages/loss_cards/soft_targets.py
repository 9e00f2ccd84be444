"""Soft targets on the cheat sheet."""

from sympy import log

from ...prover.notation import total
from ...symbols import A, a, i, target_share
from . import LossCard

CARD = LossCard(
    group="A query and its candidates",
    title="Soft targets",
    paper="Hinton et al. 2015; Szegedy et al. 2016",
    year=2015,
    inputs=("scores",),
    where=("F5 error",),
    when="Several right candidates, label smoothing, or a teacher's probabilities for targets [F6, R14].",
    rows="of any scores",
    least=-total(target_share[i, a] * log(target_share[i, a]), (a, A)),
)
