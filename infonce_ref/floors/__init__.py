"""The least value of each loss that a batch of given sizes can reach, or the best bound that is known.

    floor = least("ntxent", pairs=256, features=128, temperature=0.1)
    floor.value, floor.reached, floor.claims, floor.where

A loss far above its floor can still fall; at its floor the batch teaches nothing more, however good or bad the
representations are. The floor is that of the mean over anchors; with reduction="sum" multiply by their number.
Augmentations, false negatives and the encoder may keep training above it.
"""

from typing import Any

from ..names import find_name
from . import classes, features, scores, simplex
from .floor import Floor as Floor

# each function is called like its loss, and takes the sizes and options that its floor depends on
ALL = {
    function.__name__: function
    for function in (
        *(simplex.infonce, simplex.ntxent, simplex.dcl, simplex.hard_negative, classes.supcon),
        *(scores.query_key, simplex.clip, simplex.siglip, scores.cpc, scores.soft_targets, scores.triplet),
        *(scores.byol, scores.simsiam, scores.alignment, simplex.uniformity),
        *(features.spectral, features.barlow_twins, features.vicreg),
        *(simplex.dhn_nce, scores.instance, scores.nce, scores.instance_nce),
    )
}


def least(loss: str, **sizes: Any) -> Floor:
    """Return the floor of the mean of a loss over all batches of these sizes.

    Raises ValueError for a loss without a known floor, TypeError for sizes that its function does not take.

    >>> from infonce_ref.floors import least
    >>> floor = least("ntxent", pairs=256, features=128, temperature=0.5)
    >>> print(f"{floor.value:.4f} nats, reached: {floor.reached}")
    4.2425 nats, reached: False
    """
    try:
        name = find_name(loss, ALL)
    except ValueError as error:
        raise ValueError(f"this loss has no known floor: {error}") from None
    return ALL[name](**sizes)
