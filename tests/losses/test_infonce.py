"""InfoNCE: edges and bad input."""

import numpy as np

REFUSED = (
    {"temperature": 0.5},
    [
        ({"z": np.ones((7, 3))}, r"even number of rows.*got 7"),
        ({"z": np.ones(3)}, r"shape \(N, d\)"),
    ],
)
