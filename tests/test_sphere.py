"""The unit sphere by itself, as a training loop combines it with a loss of unnormalised rows."""

import mpmath
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


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_nearer_chord_is_that_of_the_sign_of_the_cosine(sign):
    """An entry with different signs in the two rows does not decide, however large the entries' ratio is."""
    w, v = np.array([[1.0, 1e-9]]), np.array([[sign, -sign * 1e-12]])
    chord, found = sphere.nearer_chord(w, v, sphere.forward(w)[1], sphere.forward(v)[1])
    assert found.item() == sign
    # the difference of the rows cancels to 1.001e-9; each entry is rounded once
    np.testing.assert_allclose(chord, [[0.0, 1e-9 + 1e-12]], rtol=1e-15, atol=1e-17)


def test_the_chord_to_the_opposite_row_is_the_chord_to_the_row():
    """The rows of v are −7 those of w, but for 2⁻⁴⁰ of one entry; a rounding makes the stretched ones longer."""
    w = np.array([[3.0, 1.0], [0.1, 0.7], [1.0, -2.0]])
    v = -7 * w * (1 + np.array([0.0, 2.0**-40]))
    of_w, of_v, of_opposite = (sphere.project(x) for x in (w, v, -v))
    chord, sign = sphere.nearer_chord(w, v, of_w, of_v)
    np.testing.assert_array_equal(chord, sphere.chord(w, -v, of_w, of_opposite))
    assert sign.tolist() == [[-1]] * 3


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
    mantissa, _ = np.frexp(cache.scale)
    assert np.all(mantissa == 0.5)
    assert np.all((cache.length >= 1) & (cache.length <= 2 * np.sqrt(2)))
    np.testing.assert_allclose(
        cache.norm[:, 0], [length] * 2, rtol=2.0**-13 if length < 1e-310 else 1e-15, atol=0
    )


def test_unit_rows_share_no_memory_with_the_rows_or_the_cache():
    w = np.eye(2)
    z, cache = sphere.forward(w)
    z[:] = 7
    assert cache.z.tolist() == w.tolist() == [[1, 0], [0, 1]]


def test_the_projection_is_what_forward_keeps():
    for kept, x in zip(sphere.forward(ROWS)[1], sphere.project(ROWS), strict=True):
        np.testing.assert_array_equal(kept, x)


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
    message = r"the gradient of a loss by w overflows float64, .* or use float64"
    with np.errstate(over="ignore"), pytest.raises(NotFinite, match=message):
        sphere.backward(cache, np.ones((1, 2)), "a loss by w")


@pytest.mark.parametrize(
    ("w", "v"),
    [
        ([3.0, 1.0], [9.0, 3.0 + 2.0**-50]),
        ([3.0, 4.0], [0.0, 2.0]),
        ([3.0, 4.0], [-3.0, -4.0]),
        ([1e-200, 2e-200], [1e200, 2e200 * (1 + 2.0**-40)]),
        ([0.1, 0.7], [0.1 * (1 + 2.0**-30), 0.7]),
    ],
)
def test_a_chord_has_all_its_digits(w, v):
    def direction(row):
        exact = [mpmath.mpf(x) for x in row]
        return [x / mpmath.sqrt(mpmath.fdot(exact, exact)) for x in exact]

    with mpmath.workdps(60):
        expected = np.array([float(x - y) for x, y in zip(direction(w), direction(v), strict=True)])
    w, v = np.array([w]), np.array([v])
    found = sphere.chord(w, v, sphere.project(w), sphere.project(v))[0]
    # the error is a few eps of the chord's length
    assert np.max(abs(found - expected)) <= 8 * 2.0**-52 * np.linalg.norm(expected)


def test_the_chord_from_directions_drops_the_difference_of_lengths():
    """δ = (w − v')/‖w‖ of w = (1, 0), v' = (0, 1)(1 + x): its part along the mean of both is that of x."""
    of_w, of_v = sphere.project(np.array([[1.0, 0.0]])), sphere.project(np.array([[0.0, 1.0]]))
    # ⟨(1, −1 − x), (½, ½)⟩ (½, ½) = −(x/4, x/4)
    x = 2.0**-20
    found = sphere.subtract_directions(np.array([[1.0, -1.0 - x]]), of_w, of_v)
    assert found.tolist() == [[1 + x / 4, -1 - 3 * x / 4]]


def test_rows_are_treated_one_by_one():
    """The first rows point the same way, the second ones apart, and the third ones are at an angle of 60°."""
    w = np.array([[3.0, 4.0], [0.0, 2.0], [1.0, 0.0]])
    v = np.array([[6.0, 8.0], [0.0, -7.0], [1.0, np.sqrt(3)]])
    of_w, of_v = sphere.project(w), sphere.project(v)
    chord, sign = sphere.nearer_chord(w, v, of_w, of_v)
    assert sign.tolist() == [[1], [-1], [1]]
    # the unit rows are rounded twice
    np.testing.assert_allclose(chord, [[0, 0], [0, 0], [0.5, -np.sqrt(0.75)]], rtol=0, atol=4e-16)
    found = sphere.subtract_directions(np.array([[0.5, 0.0], [0.0, 2.0], [1.0, 0.0]]), of_w, of_v)
    # δ − ⟨δ, m⟩ m with the means m = (0.6, 0.8), (0, 0) and (¾, √¾/2)
    expected = [[0.32, -0.24], [0, 2], [1 - 9 / 16, -3 * np.sqrt(0.75) / 8]]
    np.testing.assert_allclose(found, expected, rtol=2e-15, atol=0)
