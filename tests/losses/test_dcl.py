"""DCL: edges and bad input."""

import numpy as np

REFUSED = (
    {"temperature": 0.5},
    [
        ({"w": np.ones((4, 3)), "sigma": 0.0}, "sigma must be positive and finite; got 0.0"),
        (
            {"w": np.ones((4, 3)), "weights": "held"},
            "weights must be one of 'differentiated', 'constant'; got 'held'",
        ),
        ({"w": np.ones((7, 3))}, r"even number of rows.*got 7"),
        ({"w": np.ones((2, 3))}, "at least two pairs: .* an empty sum is −∞"),
        ({"w": np.ones((8, 1)) * (np.arange(8) != 3)[:, None]}, "no zero row"),
    ],
)
