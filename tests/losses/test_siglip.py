"""SigLIP: edges and bad input."""

import math

import numpy as np

from infonce_ref.losses import siglip

LOSS = siglip.LOSS
PAIRS = LOSS.example()


REFUSED = (
    PAIRS,
    [({"bias": math.nan}, "bias must be finite"), ({"bias": np.zeros(4)}, "bias must be a number")],
)
