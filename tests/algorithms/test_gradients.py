"""Hand-written gradients of whole networks, checked by finite differences."""

import numpy as np
import pytest

from infonce_ref.algorithms import ALL
from infonce_ref.algorithms.parts import networks, tree
from infonce_ref.algorithms.parts.updates import DECAY
from infonce_ref.losses import Loss, ntxent
from infonce_ref.verify import finite_difference
from infonce_ref.verify.case import Case


def assert_holds(forward, backward, arguments):
    """Compare every gradient of a function of named float64 arrays with finite differences."""
    loss = Loss("network", forward, backward, tuple(arguments), lambda **_: arguments, (), ())
    for check in finite_difference.check(Case(loss, arguments, "example")):
        assert check.holds, check


def double(state):
    return tree.map_trees(lambda leaf: np.asarray(leaf, np.float64), state)


def test_network():
    """Two hidden layers and a linear one, under NT-Xent: x, each weight, each bias."""
    rng = np.random.default_rng(0)
    network = (networks.draw_hidden(rng, 5, 7), networks.draw_hidden(rng, 7, 6), networks.linear(rng, 6, 4))
    network = tree.map_trees(lambda leaf: leaf + 0.1 * rng.standard_normal(leaf.shape), network)
    names = [f"{part}{i}" for i in range(3) for part in ("weight", "bias")]

    def forward(x, **leaves):
        w, through = networks.forward(tree.rebuild(network, iter(leaves.values())), x)
        value, cache = ntxent.forward(w, temperature=0.5)
        return value, (through, cache)

    def backward(cache):
        dx, dnetwork = networks.backward(cache[0], ntxent.backward(cache[1]).w)

        class Named:
            @staticmethod
            def _asdict():
                return {"x": dx, **dict(zip(names, tree.leaves(dnetwork)))}

        return Named

    leaves = dict(zip(names, tree.leaves(network)))
    assert_holds(forward, backward, {"x": rng.standard_normal((8, 5)), **leaves})


STEPS = {
    "simclr": [{}],
    "instance_discrimination": [{"loss": "softmax"}, {"loss": "nce"}],
    "moco": [{"queue": 24}],
    "byol": [{}, {"target": "trained"}],
    "simsiam": [
        {"stop_gradient": False}
    ],  # with the stop-gradient the step does not follow the gradient of its loss
    "barlow_twins": [{}],
    "vicreg": [{}],
    "supcon": [{}],
    "clip": [{}],
    "siglip": [{"bias": -2.0}],
    "rotation": [{}],
    "colourisation": [{}],
    "jigsaw": [{}],
    "context_prediction": [{}],
}


def test_no_algorithm_is_left_out():
    assert set(STEPS) == set(ALL)


SLOW = ("context_prediction", "simsiam")
EVERY_STEP = [
    pytest.param(name, options, marks=pytest.mark.slow if name in SLOW else ())
    for name, some in STEPS.items()
    for options in some
]


@pytest.mark.parametrize(("name", "options"), EVERY_STEP)
def test_a_step_follows_the_gradient_of_its_loss(name, options):
    """The first velocity is ∂𝓛/∂θ + decay · θ: for every trained weight of every algorithm."""
    algorithm = ALL[name]
    images, chosen = algorithm.images(), algorithm.options(batch=16, **options)
    state = double(algorithm.start(np.random.default_rng(0), images, chosen))
    count = len(list(tree.leaves(state.velocity)))
    # the trained weights are the first leaves of a state, in the order of the velocities
    first = list(tree.leaves(state))[:count]
    rest = list(tree.leaves(state))[count:]

    def stepped(theta):
        ends = np.cumsum([leaf.size for leaf in first])[:-1]
        parts = [part.reshape(leaf.shape) for part, leaf in zip(np.split(theta, ends), first)]
        return algorithm.step(
            tree.rebuild(state, iter(parts + rest)), images, np.random.default_rng(1), chosen
        )

    def flat(leaves):
        return np.concatenate([leaf.ravel() for leaf in leaves])

    class Slope:
        @staticmethod
        def _asdict():
            return {"theta": flat(tree.leaves(stepped(flat(first))[0].velocity)) - DECAY * flat(first)}

    assert_holds(lambda theta: (stepped(theta)[1], None), lambda _: Slope, {"theta": flat(first)})
