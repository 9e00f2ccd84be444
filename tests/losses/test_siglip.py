"""SigLIP: edges and bad input."""

import math

import numpy as np

from infonce_ref.losses import siglip

LOSS = siglip.LOSS
PAIRS = LOSS.example()


REFUSED = (
    PAIRS,
    [
        ({"text": PAIRS["text"][:2]}, "must agree in B"),
        ({"text": PAIRS["text"][:, :2]}, "must agree in d"),
        ({"text": PAIRS["text"].astype(np.float32)}, "must share one dtype"),
        ({"bias": math.nan}, "bias must be finite"),
        ({"bias": np.zeros(4)}, "bias must be a number"),
    ],
)
