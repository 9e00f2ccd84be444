"""Centred columns: the difference of two nearly equal views has full accuracy."""

import mpmath
import numpy as np
import pytest

from infonce_ref import sphere
from infonce_ref.columns import center_columns, chord, find_common


def exact(z1, z2):
    """The difference of the two views' centred columns of length 1, at 50 digits, without rounding the input."""
    directions = []
    for column in (z1, z2):
        numbers = [mpmath.mpf(float(x)) for x in column]
        apart = [x - mpmath.fsum(numbers) / len(numbers) for x in numbers]
        length = mpmath.sqrt(mpmath.fsum(x * x for x in apart))
        directions.append([x / length for x in apart])
    return [float(x - y) for x, y in zip(*directions, strict=True)]


@pytest.mark.parametrize("near", [1.0, 1e-6, 1e-12])
@pytest.mark.parametrize("mean", [0.0, 3.0, 1e6])
def test_the_chord_keeps_its_digits_for_nearly_equal_views(near, mean):
    rng = np.random.default_rng(0)
    z1 = mean + rng.standard_normal((6, 4))
    z2 = 1.25 * z1 + near * rng.standard_normal((6, 4))
    found = chord(z1, z2, *(sphere.forward(center_columns(z).T)[1] for z in (z1, z2)))
    with mpmath.workdps(50):
        expected = np.array([exact(z1[:, f], z2[:, f]) for f in range(4)])
    # a dozen roundings, relative to the chord's own size
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-15 * np.abs(expected).max())


def test_subtracting_the_common_part_makes_no_entry_larger():
    rng = np.random.default_rng(0)
    far, across = 1e6 + rng.standard_normal((2, 5, 3)), rng.standard_normal((2, 5, 3))
    for first, second in ((far, far - 1), (-far, -far - 1), (across, across), (far, across)):
        shift = find_common(first, second)
        assert shift.shape == (2, 1, 3)
        for x in (first, second):
            assert np.all(np.abs(x - shift) <= np.abs(x))
    np.testing.assert_array_equal(find_common(far[:, :1], far[:, :1]), far[:, :1])
    np.testing.assert_array_equal(find_common(far, far[:, :0]), find_common(far))
