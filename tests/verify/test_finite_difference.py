"""The steps of the finite differences, and which of them decides."""

import numpy as np

from infonce_ref.losses import ALL
from infonce_ref.verify.case import Case
from infonce_ref.verify.finite_difference import (
    measure_ladder,
)


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
