"""What holds of every loss: gradients scale with what multiplies the loss."""

from collections.abc import Iterator

from ...losses import ALL
from ..case import Case
from .identity import Sides, of


@of(*ALL)
def upstream(case: Case) -> Iterator[Sides]:
    """The contract: upstream multiplies every gradient (by 4, which rounds nothing)."""
    here, there = case.gradients(), case.gradients(upstream=4.0)
    for name, x in here.items():
        yield name, there[name], 4 * x, abs(x)
