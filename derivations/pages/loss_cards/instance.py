"""Instance discrimination on the cheat sheet."""

from sympy import exp, log

from ...symbols import K, tau
from . import LossCard

CARD = LossCard(
    group="A query and its candidates",
    title="Instance discrimination",
    paper="Wu et al. 2018",
    year=2018,
    inputs=("v", "bank"),
    when="Each image its own class, against a memory of all: K products for every query [D3.7].",
    rows="of unit rows",
    least=log(1 + (K - 1) * exp(-2 / tau)),
    most=log(1 + (K - 1) * exp(2 / tau)),
)
