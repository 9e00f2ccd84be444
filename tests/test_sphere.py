"""The unit sphere by itself, as a training loop combines it with a loss of unnormalised rows."""

import numpy as np
import pytest

from infonce_ref import sphere
from infonce_ref.checks import NotFinite

ROWS = np.array([[3.0, 4.0], [0.0, 2.0]])


@pytest.mark.parametrize(
    ("dz", "message"),
    [
        (np.ones((1, 2)), r"dz must have shape \(2, 2\), as z has; got \(1, 2\)"),
        (np.array([[1.0, 2.0], [np.nan, 0.0]]), "the gradient of sphere by w overflows float64"),
    ],
)
def test_backward_refuses_a_gradient_that_is_not_finite(dz, message):
    _, cache = sphere.forward(ROWS)
    with pytest.raises(ValueError, match=message):
        sphere.backward(cache, dz)


@pytest.mark.parametrize("unit", [sphere.forward, sphere.project])
def test_a_zero_row_is_refused_by_its_name(unit):
    with pytest.raises(ValueError, match="query must have no zero row"):
        unit(0 * ROWS, "query")
    with pytest.raises(ValueError, match=r"^w must have no zero row"):
        unit(0 * ROWS)


@pytest.mark.parametrize("length", [1.0, 2.0**-1060, 1e-300, 3e-5, 7e307])
def test_rows_of_any_length_have_the_direction_of_the_row(length):
    w = np.array([[0.6, -0.8], [1.0, 0.0]]) * length
    z, cache = sphere.forward(w)
    assert z is not cache.z
    # a subnormal row has only 14 binary digits
    np.testing.assert_allclose(
        z, [[0.6, -0.8], [1.0, 0.0]], rtol=2.0**-13 if length < 1e-310 else 1e-15, atol=0
    )
    np.testing.assert_array_equal(z, cache.z)
    np.testing.assert_allclose(
        cache.norm[:, 0], [length] * 2, rtol=2.0**-13 if length < 1e-310 else 1e-15, atol=0
    )


def test_unit_rows_share_no_memory_with_the_rows_or_the_cache():
    w = np.eye(2)
    z, cache = sphere.forward(w)
    z[:] = 7
    assert cache.z.tolist() == w.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("bad", [[[1.0, np.inf]], [[np.nan, 1.0]]])
def test_rows_that_are_not_finite_are_refused(bad):
    with pytest.raises(ValueError, match="w must be finite"):
        sphere.forward(np.array(bad))


def test_backward_is_the_jacobian_of_unit_rows():
    """(I − z zᵀ) dz/‖w‖, row by row; z = (0.6, 0.8) and (0, 1)."""
    _, cache = sphere.forward(ROWS)
    found = sphere.backward(cache, np.array([[1.0, 2.0], [3.0, 4.0]]))
    # ⟨z, dz⟩ is 2.2 and 4; the lengths are 5 and 2
    np.testing.assert_allclose(found, [[-0.064, 0.048], [1.5, 0]], rtol=1e-14, atol=0)  # 2 − 1.76 cancels


def test_a_gradient_of_rows_that_are_too_short_overflows():
    _, cache = sphere.forward(np.array([[1e-310, 0.0]]))
    message = r"the gradient of sphere by w overflows float64: .* or use float64"
    with np.errstate(over="ignore"), pytest.raises(NotFinite, match=message):
        sphere.backward(cache, np.ones((1, 2)))
