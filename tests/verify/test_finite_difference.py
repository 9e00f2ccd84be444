"""The steps of the finite differences, and which of them decides."""

import numpy as np
import pytest

from infonce_ref.losses import ALL
from infonce_ref.verify.case import Case
from infonce_ref.verify.finite_difference import (
    FIRST_STEP,
    SHRINKS,
    find_deciding,
    find_shortest,
    measure_ladder,
)


@pytest.mark.parametrize(
    ("x", "length"),
    [
        (np.array([[3.0, 4.0], [0.0, 2.0]]), 2.0),  # its shortest row
        (np.array([1.0, 7.0]), 5.0),  # the root mean square of weights
        (np.array(0.5), 0.5),
    ],
)
def test_the_length_on_which_a_loss_changes(x, length):
    assert find_shortest(x) == length


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(
    ("name", "input", "scale"),
    [("ntxent", "w", 0.1), ("ntxent", "temperature", 0.01), ("cpc", "scores", 1.0)],
)
def test_steps_go_from_a_sixteenth_to_where_rounding_dominates(name, input, scale, dtype):
    """scale: 1/16 of a row's length times τ, of τ² for τ itself, and of 1 for scores, however large they are."""
    loss = ALL[name]
    changes = (
        {"w": np.eye(4), "temperature": 0.1}
        if name == "ntxent"
        else {"scores": 50 * np.eye(4), "positive": np.arange(4)}
    )
    case = Case.of(loss, loss.example(rows=4) | changes, "", dtype)
    steps = measure_ladder(case, np.zeros_like(case.arguments[input]), input).steps
    assert steps[0] == pytest.approx(scale * FIRST_STEP, rel=1e-6, abs=0)  # of float32
    assert np.allclose(steps[:-1] / steps[1:], SHRINKS, rtol=1e-12, atol=0)
    best = scale * np.finfo(dtype).eps ** (1 / 3)
    assert steps[-1] <= best < steps[-3]


@pytest.mark.parametrize(
    ("errors", "step"),
    [
        ([1.0, 0.0625, 0.0039, 0.0002, 0.0009], 3),  # they fall to rounding: the least
        ([1.0, 0.5, 0.45, 0.44, 0.44], 0),  # they do not: the largest
        ([1e-9, 3e-9, 2e-9, 1e-9, 4e-9], 0),  # rounding from the first: the least
    ],
)
def test_the_least_error_decides_only_if_errors_fall(errors, step):
    assert find_deciding(np.array(errors), 1e-4) == step


def test_the_error_falls_with_the_square_of_the_step():
    case = Case.of(ALL["ntxent"], ALL["ntxent"].example(), "example", "float64")
    ladder = measure_ladder(case, case.gradients()["w"], "w")
    # a factor of 16 for a quarter of the step; at these steps the h⁴ terms are below a tenth of that
    np.testing.assert_allclose(ladder.errors[:2] / ladder.errors[1:3], 16, rtol=0.1)
    assert ladder.falls_as_square(1e-9)


def test_with_a_wrong_gradient_the_error_stops_falling():
    case = Case.of(ALL["ntxent"], ALL["ntxent"].example(), "example", "float64")
    ladder = measure_ladder(case, 1.01 * case.gradients()["w"], "w")
    assert not ladder.falls_as_square(1e-9)
