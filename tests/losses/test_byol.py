import mpmath
import numpy as np
import pytest

from infonce_ref.losses import byol

LOSS = byol.LOSS
ROWS = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


class TestEdges:
    def test_very_different_lengths(self):
        value, _ = byol.forward(1e-150 * ROWS["prediction"], 1e150 * ROWS["target"])
        assert value == pytest.approx(byol.forward(**ROWS)[0], rel=EXACT, abs=0)

    def test_a_row_whose_length_overflows_still_has_a_direction(self):
        huge = np.full((1, 3), np.finfo(float).max)
        target = np.array([[1.0, 1.0, 2.0]])
        expected, cache = byol.forward(np.ones((1, 3)), target)
        value, of_huge = byol.forward(huge, target)
        assert value == pytest.approx(expected, rel=EXACT, abs=0)
        slopes = byol.backward(cache).prediction / np.finfo(float).max
        np.testing.assert_allclose(byol.backward(of_huge).prediction, slopes, rtol=EXACT)

    @pytest.mark.parametrize("factor", [1.0, 3.0, 1e-200, 1e200, -1.0, -3.0, -1e200])
    @pytest.mark.parametrize("angle", [1e-3, 1e-9, 1e-15])
    def test_a_target_parallel_or_opposite_to_the_prediction_loses_no_digits(self, factor, angle):
        q = np.array([[3.0, 4.0, 1.0]])
        z = factor * (q + angle * np.array([[4.0, -3.0, 0.5]]))
        value, cache = byol.forward(q, z)
        with mpmath.workdps(60):
            exact = [[mpmath.mpf(float(x)) for x in rows[0]] for rows in (q, z)]
            q_unit, z_unit = ([x / mpmath.norm(row) for x in row] for row in exact)
            apart = [a - b for a, b in zip(q_unit, z_unit)]
            expected = sum(x**2 for x in apart)
            cosine = sum(a * b for a, b in zip(q_unit, z_unit))
            slopes = [-2 * (b - cosine * a) / mpmath.norm(exact[0]) for a, b in zip(q_unit, z_unit)]
            assert abs(value / expected - 1) < EXACT
            errors = [abs(x - y) for x, y in zip(byol.backward(cache).prediction[0], slopes)]
            assert max(errors) / max(map(abs, slopes)) < EXACT


REFUSED = (
    ROWS,
    [
        ({"prediction": np.zeros((4, 3))}, "prediction must have no zero row"),
        ({"target": np.zeros((4, 3))}, "target must have no zero row"),
    ],
)
