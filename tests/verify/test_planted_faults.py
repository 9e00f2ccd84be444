"""infonce and ntxent wrong on purpose: the judge must say no, and the right witnesses must object."""

from typing import NamedTuple

import numpy as np
import pytest

from infonce_ref import sphere
from infonce_ref.losses import infonce, ntxent
from infonce_ref.pairs import partner
from infonce_ref.verify.judge import WITNESSES


class Parts(NamedTuple):
    """The pieces of the pair losses' backward pass, before they are put together."""

    z: np.ndarray
    q: np.ndarray
    r: np.ndarray
    tau: float
    weight: float
    layout: str


def parts(cache) -> Parts:
    raw = hasattr(cache, "sphere")
    return Parts(
        cache.sphere.z if raw else cache.z,
        cache.rows.q[:, None],
        cache.rows.r,
        cache.temperature,
        cache.weight,
        cache.layout if raw else "concatenated",
    )


def grads(cache, dz, temperature=None):
    """The gradients in the loss's own tuple, by the right way from dz on unless told otherwise."""
    p = parts(cache)
    dtau = -np.sum(p.z * dz) / (2 * p.tau) if temperature is None else temperature
    if hasattr(cache, "sphere"):
        return ntxent.Gradients(sphere.backward(cache.sphere, dz), dtau)
    return infonce.Gradients(dz, dtau)


def right(cache):
    p = parts(cache)
    other = partner(p.z, p.layout)
    pull = (p.q + partner(p.q, p.layout)) * other
    return p.weight / p.tau * (p.q * (p.r @ p.z) + p.r.T @ (p.q * p.z) - pull)


def without_transpose(cache):
    p = parts(cache)
    return grads(cache, p.weight / p.tau * p.q * (p.r @ p.z - partner(p.z, p.layout)))


def temperature_forgotten(cache):
    return grads(cache, parts(cache).tau * right(cache))


def temperature_twice(cache):
    return grads(cache, right(cache) / parts(cache).tau)


def mean_over_pairs(cache):
    return grads(cache, 2 * right(cache))


def projection_missing(cache):
    dz = right(cache)
    return ntxent.Gradients(dz / cache.sphere.norm, grads(cache, dz).temperature)


def norm_missing(cache):
    dz = right(cache)
    return ntxent.Gradients(
        sphere.backward(cache.sphere, dz) * cache.sphere.norm, grads(cache, dz).temperature
    )


def wrong_layout(cache):
    """Positives of the concatenated layout, whatever the layout is."""
    p = parts(cache)
    pull = (p.q + partner(p.q)) * partner(p.z)
    return grads(cache, p.weight / p.tau * (p.q * (p.r @ p.z) + p.r.T @ (p.q * p.z) - pull))


def one_minus_p(cache):
    """The same formula with q = 1 − P_p by subtraction."""
    p = parts(cache)
    q = 1 - (1 - p.q)
    pull = (q + partner(q, p.layout)) * partner(p.z, p.layout)
    return grads(cache, p.weight / p.tau * (q * (p.r @ p.z) + p.r.T @ (q * p.z) - pull))


def temperature_sign(cache):
    g = grads(cache, right(cache))
    return g._replace(temperature=-g.temperature)


def diagonal_once(cache):
    """InfoNCE's own diagonal counted once, though L_ii depends on z_i twice."""
    p = parts(cache)
    diagonal = p.q * np.diag(p.r)[:, None] * p.z
    return grads(cache, right(cache) - p.weight / p.tau * diagonal)


def self_not_masked(w, *, temperature, reduction="mean", layout="concatenated"):
    """NT-Xent with the anchor in its own denominator: a consistent gradient of another loss."""
    z, to_sphere = sphere.forward(w)
    value, cache = infonce.forward(z, temperature=temperature, reduction=reduction)
    return value, ntxent.Cache(to_sphere, cache.rows, cache.temperature, "concatenated", cache.weight)


def textbook_forward(w, **options):
    """ℓ = LSE over everything − s_p, which cancels as the loss goes to 0."""
    value, cache = ntxent.forward(w, **options)
    return (value + 1) - 1, cache


def nan_gradient(cache):
    g = grads(cache, right(cache))
    return g._replace(w=np.where(np.arange(len(g.w))[:, None] == 0, np.nan, g.w))


EVERYONE = set(WITNESSES)
FAULTS = [
    (ntxent, {"backward": without_transpose}, "w", EVERYONE),
    (infonce, {"backward": without_transpose}, "z", EVERYONE),
    (ntxent, {"backward": temperature_forgotten}, "w", EVERYONE),
    (infonce, {"backward": temperature_twice}, "z", EVERYONE),
    (ntxent, {"backward": mean_over_pairs}, "w", EVERYONE),
    (ntxent, {"backward": projection_missing}, "w", EVERYONE),
    (ntxent, {"backward": norm_missing}, "w", EVERYONE),
    (ntxent, {"backward": wrong_layout, "variants": ({"layout": "interleaved"},)}, "w", EVERYONE),
    (ntxent, {"backward": temperature_sign}, "temperature", EVERYONE),
    (infonce, {"backward": diagonal_once}, "z", EVERYONE),
    (ntxent, {"backward": nan_gradient}, "w", EVERYONE),
    # what finite differences cannot see: a right gradient of another loss, and digits lost where all is small
    (ntxent, {"forward": self_not_masked}, "w", EVERYONE - {"finite differences"}),
    (ntxent, {"backward": one_minus_p}, "w", EVERYONE - {"finite differences"}),
    (ntxent, {"forward": textbook_forward}, "w", {"identities", "precision"}),
]

# digits lost near 0 are seen where the positives nearly coincide
COLD = ("noise 0.001, temperature 0.01",)


@pytest.mark.parametrize(("module", "fault", "name", "seen_by"), FAULTS)
def test_the_judge_says_no_and_names_the_witness(assert_caught, module, fault, name, seen_by):
    assert_caught(module, fault, name, seen_by, COLD)


@pytest.mark.parametrize("module", [infonce, ntxent])
def test_the_same_way_of_planting_leaves_a_right_gradient_right(assert_cleared, module):
    assert_cleared(module, {"backward": lambda cache: grads(cache, right(cache))}, COLD)
