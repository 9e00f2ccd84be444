"""A floor: the least value of a loss, and whether a batch reaches it."""

from typing import NamedTuple

from ..checks import check_count


class Floor(NamedTuple):
    """The least value of a loss (the mean over anchors) that any batch of these sizes can have.

    value: a lower bound of the loss of any such batch · reached: whether a known batch has this value · claims:
    those of the ledger that prove the value; none if only the function's docstring argues for it · where: for which
    rows it holds, and which batch reaches it or why none may.
    """

    value: float
    reached: bool
    claims: tuple[str, ...]
    where: str


def check_several(name: str, x: int) -> int:
    """Return an integer of at least 2, for a loss that is undefined without negatives."""
    if check_count(name, x) < 2:
        raise ValueError(f"{name} must be at least 2, or there is no negative; got {x}")
    return x
