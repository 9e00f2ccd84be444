"""DHN-NCE on the cheat sheet."""

from sympy import log

from ...symbols import B, tau
from . import Card

CARD = Card(
    group="Images and texts",
    title="DHN-NCE",
    paper="Koleilat et al. 2024",
    year=2024,
    inputs=("image", "text"),
    option="differentiated",
    when=(
        "Few pairs, near negatives (medical images): decoupled, hard negatives weighed. An easy "
        "negative may be pulled [M21]."
    ),
    rows="of unit rows",
    least=log(B - 1) - 2 / tau,
    most=log(B - 1) + 2 / tau,
    bound="none: it may be negative [P4]",
)
