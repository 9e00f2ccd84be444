"""NT-Xent: edges and bad input."""

import numpy as np

REFUSED = (
    {"temperature": 0.5},
    [
        (
            {"w": np.ones((6, 3)), "keep": np.zeros((6, 6), bool)},
            "keep must leave each row a candidate besides",
        ),
        ({"w": np.ones((7, 3))}, r"even number of rows.*got 7"),
        ({"w": np.ones((8, 1)) * (np.arange(8) != 3)[:, None]}, "no zero row"),
    ],
)
