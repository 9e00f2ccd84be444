"""DCL: edges and bad input."""

import numpy as np
import pytest

from infonce_ref.losses import dcl

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
        ({"w": np.ones(3)}, r"shape \(N, d\)"),
        ({"w": np.ones((8, 1)) * (np.arange(8) != 3)[:, None]}, "no zero row"),
    ],
)

COSINES = np.array([0.5, -0.25, 0.5, -0.25])


def test_without_sigma_every_weight_is_1():
    weights = dcl.weigh(COSINES, None, "differentiated")
    assert weights.share.tolist() == [0.0] * 4
    assert weights.pull.tolist() == [1.0] * 4


@pytest.mark.torch
@pytest.mark.parametrize(("mode", "moves"), [("differentiated", True), ("constant", False)])
def test_constant_weights_are_constants_of_autograd(mode, moves):
    torch = pytest.importorskip("torch")
    weights = dcl.weigh(torch.tensor(COSINES, requires_grad=True), 0.5, mode)
    assert weights.pull.requires_grad is moves


def test_nothing_is_held_without_constant_weights_of_a_width():
    example = dcl.LOSS.example()
    assert dcl.held(**example, weights="constant") is None
    assert dcl.held(**example | {"sigma": 0.5}) is None
    assert dcl.held(**example | {"sigma": 0.5, "weights": "constant"}) is not None
