"""soft_targets wrong on purpose."""

import numpy as np
from scipy.special import logsumexp

from infonce_ref.losses import cpc, soft_targets


def hardened(scores, *, targets, reduction="mean"):
    """Treat the largest target as 1, which is InfoNCE."""
    return cpc.forward(scores, positive=np.argmax(targets, axis=1), reduction=reduction)


def of_cpc(cache):
    return soft_targets.Gradients(*cpc.backward(cache))


def by_subtraction(cache):
    """P − t by subtraction, which loses all digits if both are near 1."""
    n = len(cache.p) if cache.reduction == "mean" else 1
    return soft_targets.Gradients((cache.p - cache.targets) / n)


def mean_over_candidates(cache):
    """Divide by the number of entries, as the mean of an array does."""
    g = soft_targets.backward(cache).scores
    return soft_targets.Gradients(g / g.shape[1])


def textbook_forward(scores, *, targets, reduction="mean"):
    """LSE − Σ t u, which cancels as the loss goes to 0."""
    _, cache = soft_targets.forward(scores, targets=targets, reduction=reduction)
    rows = logsumexp(scores, axis=1) - np.sum(targets * scores, axis=1)
    return np.mean(rows) if reduction == "mean" else rows if reduction == "none" else np.sum(rows), cache


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
COLD = ({"scale": 300.0, "spread": 0.0},)
FAULTS = [
    ({"forward": hardened, "backward": of_cpc}, "scores", DIFFERENCES),
    ({"backward": mean_over_candidates}, "scores", set()),
    ({"backward": by_subtraction, "variants": COLD}, "scores", DIFFERENCES),
    ({"forward": textbook_forward, "variants": COLD}, "scores", {"symbolic", "finite differences"}),
]
ALSO = ("noise 0.001, scale 300.0, spread 0.0",)  # points at which losing digits near 0 shows
