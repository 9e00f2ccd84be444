"""instance wrong on purpose."""

import numpy as np

from infonce_ref.losses import instance


def mean_for_sum(v, bank, **options):
    return instance.forward(v, bank, **options | {"reduction": "mean"})


def own_row_alone(cache):
    """The bank's rows pulled as positives, never pushed as negatives."""
    own = np.where(cache.is_own, -cache.rows.q[:, None], 0)
    return instance.backward(cache)._replace(bank=own.T @ cache.v / cache.temperature)


DIFFERENCES = {"finite differences"}  # of a right gradient of another loss: they agree with its forward pass
FAULTS = [
    ({"forward": mean_for_sum}, "v", DIFFERENCES),
    ({"backward": own_row_alone}, "bank", set()),
]
