"""Instance NCE on the cheat sheet."""

from sympy import log

from ...symbols import loss
from . import LossCard

CARD = LossCard(
    group="Against noise",
    title="Instance NCE",
    paper="Wu et al. 2018",
    year=2018,
    inputs=("v",),
    of=loss,
    when=(
        "A memory too large for a softmax: m noise rows estimate its normaliser. It is InfoNCE"
        " against them, plus a nearly constant term [D3.17]."
    ),
    rows="of any rows",
    least=log(2),
)
