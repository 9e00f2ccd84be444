"""Wrong on purpose: triplet, byol and simsiam."""

import numpy as np
import pytest

from infonce_ref.losses import byol, simsiam, triplet
from infonce_ref.verify.judge import WITNESSES

EVERYONE = set(WITNESSES)
# a right gradient of another loss: differences of its own forward pass agree with it
CONSISTENT = EVERYONE - {"finite differences"}


def margin_subtracted(anchor, positive, negative, *, margin, reduction="mean"):
    """max(0, ‖a − p‖² − ‖a − n‖² − m)."""
    apart = np.sum((anchor - positive) ** 2, axis=1) - np.sum((anchor - negative) ** 2, axis=1) - margin
    _, cache = triplet.forward(anchor, positive, negative, margin=margin, reduction=reduction)
    return np.mean(np.maximum(apart, 0)), cache._replace(active=apart > 0)


def violated(seed=0, noise=1.0, **options):
    """The example with positives and negatives exchanged: h = 3m/2 and 3m, of which −2m leaves some active."""
    triplets = triplet.example(seed, noise, **options)
    return triplets | {"positive": triplets["negative"], "negative": triplets["positive"]}


def inactive_pulls_too(cache):
    """The hinge forgotten on the way back."""
    return triplet.backward(cache._replace(active=np.ones_like(cache.active)))


def sides_confused(cache):
    """∂_p = 2(a − p) and ∂_n = 2(n − a): pushes what should be pulled."""
    g = triplet.backward(cache)
    return g._replace(positive=-g.positive, negative=-g.negative)


def projection_missing(cache):
    """−(2/‖q‖) z̄', the radial part left in [M18]."""
    z = cache.prediction.z - cache.chord
    return byol.Gradients(-2 * cache.weight * z / cache.prediction.norm)


def norm_missing(cache):
    g = byol.backward(cache)
    return byol.Gradients(g.prediction * cache.prediction.norm)


def not_normalised(prediction, target, *, reduction="mean"):
    """‖q − z'‖², as if the rows had length 1 [D3.43]."""
    difference = prediction - target
    return np.sum(difference**2) / len(prediction), 2 * difference / len(prediction)


def of_not_normalised(cache):
    return byol.Gradients(cache)


def stop_gradient_forgotten(cache):
    return simsiam.backward(cache._replace(stop_gradient=False))


def stop_gradient_everywhere(cache):
    return simsiam.backward(cache._replace(stop_gradient=True))


def same_view(p1, z1, p2, z2, *, stop_gradient=True):
    """Each prediction compared to its own view's projection [D3.45]."""
    return simsiam.forward(p1, z2, p2, z1, stop_gradient=stop_gradient)


FREE = ({"stop_gradient": False},)
FAULTS = [
    (triplet, {"forward": margin_subtracted, "example": violated}, "anchor", CONSISTENT),
    (triplet, {"backward": inactive_pulls_too}, "anchor", EVERYONE),
    (triplet, {"backward": sides_confused}, "negative", EVERYONE),
    (byol, {"backward": projection_missing}, "prediction", EVERYONE),
    (byol, {"backward": norm_missing}, "prediction", EVERYONE),
    (byol, {"forward": not_normalised, "backward": of_not_normalised}, "prediction", CONSISTENT),
    (simsiam, {"backward": stop_gradient_forgotten}, "z1", EVERYONE),
    (simsiam, {"backward": stop_gradient_everywhere, "variants": FREE}, "z2", EVERYONE),
    (simsiam, {"forward": same_view}, "p1", EVERYONE),
]


@pytest.mark.parametrize(("module", "fault", "name", "seen_by"), FAULTS)
def test_the_judge_says_no_and_names_the_witness(assert_caught, module, fault, name, seen_by):
    assert_caught(module, fault, name, seen_by)


@pytest.mark.parametrize("module", [triplet, byol, simsiam])
def test_a_right_gradient_stays_right(assert_cleared, module):
    assert_cleared(module, {"backward": module.backward})
