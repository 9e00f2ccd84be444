"""triplet wrong on purpose."""

import numpy as np

from infonce_ref.examples import triplet_example
from infonce_ref.losses import triplet


def margin_subtracted(anchor, positive, negative, *, margin, reduction="mean"):
    """max(0, ‖a − p‖² − ‖a − n‖² − m)."""
    apart = np.sum((anchor - positive) ** 2, axis=1) - np.sum((anchor - negative) ** 2, axis=1) - margin
    _, cache = triplet.forward(anchor, positive, negative, margin=margin, reduction=reduction)
    return np.mean(np.maximum(apart, 0)), cache._replace(active=apart > 0)


def violated(seed=0, noise=1.0, **options):
    """The example with positives and negatives exchanged. Then h is 3m/2 or 3m; after subtracting 2m some
    triplets are still active.
    """
    triplets = triplet_example(seed, noise, **options)
    return triplets | {"positive": triplets["negative"], "negative": triplets["positive"]}


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
TEXTS = [("hinge_ignored_in_gradient", "anchor"), ("sides_confused", "negative")]
FAULTS = [
    ({"forward": margin_subtracted, "example": violated}, "anchor", DIFFERENCES),
]
