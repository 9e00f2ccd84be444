"""What a floor is: the least value of a loss, and whether a batch reaches it."""

from typing import NamedTuple

from ..checks import check_count


class Floor(NamedTuple):
    """The least value of a loss (the mean over anchors) that any batch of these sizes can have.

    value: no batch is below it · reached: whether a batch is known that has this value; if not, it is a bound ·
    claims: of the ledger, which prove the value; none if it is argued beside the function, and proved by no
    machine · where: which rows it is about, and which batch reaches it or why none may.
    """

    value: float
    reached: bool
    claims: tuple[str, ...]
    where: str


def check_several(name: str, x: int) -> int:
    """Return an integer of at least 2, as a loss needs that is undefined without negatives."""
    if check_count(name, x) < 2:
        raise ValueError(f"{name} must be at least 2, or there is no negative; got {x}")
    return x
