"""InfoNCE: edges and bad input."""

import numpy as np

REFUSED = (
    {"temperature": 0.5},
    [
        (
            {"z": np.ones((6, 3)), "keep": np.eye(6, dtype=bool)},
            "keep must leave each row a candidate besides",
        ),
        ({"z": np.ones((7, 3))}, r"even number of rows.*got 7"),
        ({"z": np.ones(3)}, r"shape \(N, d\)"),
    ],
)
