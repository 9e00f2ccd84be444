"""The spectral loss: edges and bad input."""

import numpy as np

from infonce_ref.losses import spectral

LOSS = spectral.LOSS
EXAMPLE = LOSS.example()


REFUSED = (
    EXAMPLE,
    [
        ({"z1": EXAMPLE["z1"][:1], "z2": EXAMPLE["z2"][:1]}, "at least two pairs: .* a mean over none"),
        ({"z1": np.full((4, 3), 1e200)}, "spectral overflows float64"),
    ],
)
