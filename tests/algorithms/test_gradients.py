"""Hand-written gradients of whole networks, checked by finite differences."""

from collections import namedtuple

import numpy as np
import pytest

from infonce_ref.algorithms import ALL
from infonce_ref.algorithms.parts.updates import DECAY
from infonce_ref.arrays import leaves, map_leaves
from infonce_ref.losses import Loss
from infonce_ref.verify import finite_difference
from infonce_ref.verify.case import Case

OPTIONS = {  # besides the defaults
    "instance_discrimination": [{"loss": "softmax"}, {"loss": "nce"}],
    "moco": [{"queue": 24}],
    "byol": [{}, {"target": "trained"}],
    "simsiam": [{"stop_gradient": False}],  # else the step does not follow the gradient of its loss
    "siglip": [{"bias": -2.0}],
}
SLOW = ("context_prediction", "simsiam")
EVERY_STEP = [
    pytest.param(name, options, marks=pytest.mark.slow if name in SLOW else ())
    for name in ALL
    for options in OPTIONS.get(name, [{}])
]
Slope = namedtuple("Slope", "theta")


def flat(arrays):
    return np.concatenate([x.ravel() for x in arrays])


@pytest.mark.parametrize(("name", "options"), EVERY_STEP)
def test_a_step_follows_the_gradient_of_its_loss(name, options):
    """The first velocity is ∂𝓛/∂θ + decay · θ: for every trained weight of every algorithm."""
    algorithm = ALL[name]
    images, chosen = algorithm.images(), algorithm.options(batch=16, **options)
    single = algorithm.start(np.random.default_rng(0), images, chosen)
    state = map_leaves(lambda leaf: np.asarray(leaf, np.float64), single)
    # the trained weights are the first leaves of a state, in the order of the velocities
    weights, count = leaves(state), len(leaves(state.velocity))
    noise = np.random.default_rng(2)  # biases begin at 0
    first, rest = (
        [leaf + 0.05 * noise.standard_normal(leaf.shape) for leaf in weights[:count]],
        weights[count:],
    )

    def stepped(theta):
        ends = np.cumsum([leaf.size for leaf in first])[:-1]
        parts = [part.reshape(leaf.shape) for part, leaf in zip(np.split(theta, ends), first)]
        moved = iter(parts + rest)
        state_there = map_leaves(lambda _: next(moved), state)
        return algorithm.step(state_there, images, np.random.default_rng(1), chosen)

    def backward(_):
        return Slope(flat(leaves(stepped(flat(first))[0].velocity)) - DECAY * flat(first))

    arguments = {"theta": flat(first)}
    loss = Loss(
        f"a step of {name}",
        lambda theta: (stepped(theta)[1], None),
        backward,
        ("theta",),
        lambda **_: arguments,
        (),
    )
    for check in finite_difference.check(Case(loss, arguments, "example")):
        assert check.holds, check
