"""What the unit sphere refuses, called by itself; its numbers are checked with the losses that use it."""

import numpy as np
import pytest

from infonce_ref import sphere

ROWS = np.array([[3.0, 4.0], [0.0, 2.0]])


@pytest.mark.parametrize("unit", [sphere.forward, sphere.project])
def test_a_zero_row_is_refused_by_its_name(unit):
    with pytest.raises(ValueError, match="query must have no zero row"):
        unit(0 * ROWS, "query")


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_rows_that_are_not_finite_are_refused(bad):
    with pytest.raises(ValueError, match=r"^w must be finite"):
        sphere.forward(np.array([[1.0, bad]]))


@pytest.mark.parametrize(
    ("rows", "dz", "message"),
    [
        (ROWS, np.ones((1, 2)), r"dz must have shape \(2, 2\), as z has; got \(1, 2\)"),
        (ROWS, np.array([[1.0, 2.0], [np.nan, 0.0]]), "the gradient of sphere by w overflows float64"),
        ([[1e-310, 0.0]], np.ones((1, 2)), "gradient of sphere by w overflows float64: .* or use float64"),
    ],
)
def test_a_gradient_that_is_not_finite_is_refused(rows, dz, message):
    _, cache = sphere.forward(np.array(rows))
    with np.errstate(over="ignore"), pytest.raises(ValueError, match=message):
        sphere.backward(cache, dz)


def test_subnormal_rows_have_the_direction_of_the_row():
    """They have only 14 binary digits. The results share no memory with the cache."""
    length = 2.0**-1060
    z, cache = sphere.forward(np.array([[0.6, -0.8], [1.0, 0.0]]) * length)
    np.testing.assert_allclose(z, [[0.6, -0.8], [1.0, 0.0]], rtol=2.0**-13)
    np.testing.assert_allclose(cache.norm[:, 0], [length] * 2, rtol=2.0**-13)
    z[:] = 7
    assert np.all(cache.z <= 1)
