"""uniformity wrong on purpose."""

import numpy as np

from infonce_ref.losses import uniformity


def with_the_diagonal(z, *, t):
    """The mean over all N² pairs, each row with itself among them."""
    n = len(z)
    value, cache = uniformity.forward(z, t=t)
    others = np.exp(value) * n * (n - 1)
    return np.log((others + n) / n**2), cache._replace(share=cache.share * others / (others + n))


def each_pair_once(cache):
    """2t for 4t: each pair is met twice, and each time both its rows move."""
    return uniformity.Gradients(uniformity.backward(cache).z / 2)


def attracting(cache):
    """The sign of the exponent forgotten."""
    return uniformity.Gradients(-uniformity.backward(cache).z)


def by_rows(cache):
    """A softmax of each row, as InfoNCE has it, for one of all pairs."""
    share = cache.share / np.sum(cache.share, axis=1, keepdims=True) / len(cache.z)
    symmetric = (share + share.T) / 2
    return uniformity.backward(cache._replace(share=symmetric))


def textbook_forward(z, *, t):
    """Exponentials first, of which nothing is left at a large t."""
    _, cache = uniformity.forward(z, t=t)
    kernel = np.exp(-t * np.sum((z[:, None] - z) ** 2, axis=2))[~np.eye(len(z), dtype=bool)]
    with np.errstate(divide="ignore"):
        return np.log(np.mean(kernel)), cache


def from_products(z, *, t):
    """‖x‖² + ‖y‖² − 2 x·y, of which no digit is left where rows nearly coincide."""
    _, cache = uniformity.forward(z, t=t)
    length = np.sum(z * z, axis=1)
    distances = length[:, None] + length - 2 * z @ z.T
    others = ~np.eye(len(z), dtype=bool)
    nearest = np.min(distances[others])
    return np.log(np.mean(np.exp(-t * (distances[others] - nearest)))) - t * nearest, cache


DIFFERENCES = {"finite differences"}  # of a right gradient of another loss: they agree with its forward pass
FAULTS = [
    ({"forward": with_the_diagonal}, "z", DIFFERENCES),
    ({"backward": each_pair_once}, "z", set()),
    ({"backward": attracting}, "z", set()),
    ({"backward": by_rows}, "z", set()),
    ({"forward": textbook_forward, "variants": ({"t": 1e4},)}, "z", {"symbolic"}),
    ({"forward": from_products, "variants": ({"t": 0.01},)}, "z", {*DIFFERENCES, "symbolic", "precision"}),
]
