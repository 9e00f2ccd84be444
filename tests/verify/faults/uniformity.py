"""uniformity wrong on purpose."""

import numpy as np

from infonce_ref.losses import uniformity


def with_the_diagonal(z, *, t):
    """The mean over all N² pairs, including each row with itself."""
    n = len(z)
    value, cache = uniformity.forward(z, t=t)
    others = np.exp(value) * n * (n - 1)
    return np.log((others + n) / n**2), cache._replace(share=cache.share * others / (others + n))


def textbook_forward(z, *, t):
    """Exponentials first, which all underflow at a large t."""
    _, cache = uniformity.forward(z, t=t)
    kernel = np.exp(-t * np.sum((z[:, None] - z) ** 2, axis=2))[~np.eye(len(z), dtype=bool)]
    with np.errstate(divide="ignore"):
        return np.log(np.mean(kernel)), cache


def from_products(z, *, t):
    """‖x‖² + ‖y‖² − 2 x·y, which loses all digits if rows nearly coincide."""
    _, cache = uniformity.forward(z, t=t)
    length = np.sum(z * z, axis=1)
    distances = length[:, None] + length - 2 * z @ z.T
    others = ~np.eye(len(z), dtype=bool)
    nearest = np.min(distances[others])
    return np.log(np.mean(np.exp(-t * (distances[others] - nearest)))) - t * nearest, cache


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
TEXTS = [("each_pair_once", "z"), ("attracting", "z"), ("softmax_of_each_row", "z")]
FAULTS = [
    ({"forward": with_the_diagonal}, "z", DIFFERENCES),
    ({"forward": textbook_forward, "variants": ({"t": 1e4},)}, "z", {"symbolic"}),
    ({"forward": from_products, "variants": ({"t": 0.01},)}, "z", {*DIFFERENCES, "symbolic", "precision"}),
]
