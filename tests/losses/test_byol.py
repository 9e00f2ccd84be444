import mpmath
import numpy as np
import pytest

from infonce_ref.losses import byol

LOSS = byol.LOSS
ROWS = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


def gradient(**arguments):
    return byol.backward(byol.forward(**arguments)[1]).prediction


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("noise", [1.0, 0.1, 1e-3, 1e-6])
def test_keeps_its_digits_as_the_rows_align(noise, dtype):
    """Value and gradient relative to themselves, where 2 − 2 cos would keep noise²/eps of the value's digits."""
    rows = {name: x.astype(dtype) for name, x in LOSS.example(noise=noise).items()}
    with mpmath.workdps(50):
        value, exact = mpmath.mpf(0), []
        for q, z in zip(*(rows[name].astype(float) for name in ("prediction", "target"))):
            q, z = mpmath.matrix(q), mpmath.matrix(z)
            q_unit, z_unit = q / mpmath.norm(q), z / mpmath.norm(z)
            cosine = (q_unit.T * z_unit)[0]
            value += (2 - 2 * cosine) / 4
            exact.append(-(z_unit - cosine * q_unit) / (2 * mpmath.norm(q)))
        value, exact = float(value), np.array([[float(x) for x in row] for row in exact])
    tolerance = 16 * float(np.finfo(dtype).eps)  # norms, one division and one projection of three entries
    assert byol.forward(**rows)[0] == pytest.approx(value, rel=tolerance, abs=0)
    error = np.linalg.norm(gradient(**rows) - exact, axis=1)
    assert np.all(error <= tolerance * np.linalg.norm(exact, axis=1))


class TestEdges:
    def test_equal_rows_cost_nothing_and_are_stationary(self):
        value, cache = byol.forward(ROWS["target"], ROWS["target"])
        assert value == 0
        assert not np.any(byol.backward(cache).prediction)

    def test_parallel_rows_of_other_lengths_cost_nothing_to_rounding(self):
        value, _ = byol.forward(3 * ROWS["target"], ROWS["target"])
        assert value < EXACT**2

    def test_opposite_rows_cost_four_and_are_stationary_too(self):
        value, cache = byol.forward(-ROWS["target"], ROWS["target"])
        assert value == pytest.approx(4, rel=EXACT, abs=0)
        assert not np.any(byol.backward(cache).prediction)

    def test_very_different_lengths(self):
        value, _ = byol.forward(1e-150 * ROWS["prediction"], 1e150 * ROWS["target"])
        assert value == pytest.approx(byol.forward(**ROWS)[0], rel=EXACT, abs=0)

    def test_one_feature_leaves_a_sign(self):
        value, cache = byol.forward(np.array([[2.0], [-3.0]]), np.array([[5.0], [1.0]]))
        assert value == 2
        assert not np.any(byol.backward(cache).prediction)

    def test_a_length_that_overflows_has_a_direction_all_the_same(self):
        huge = np.full((1, 3), np.finfo(float).max)
        target = np.array([[1.0, 1.0, 2.0]])
        expected, cache = byol.forward(np.ones((1, 3)), target)
        value, of_huge = byol.forward(huge, target)
        assert value == pytest.approx(expected, rel=EXACT, abs=0)
        slopes = byol.backward(cache).prediction / np.finfo(float).max
        np.testing.assert_allclose(byol.backward(of_huge).prediction, slopes, rtol=EXACT)

    @pytest.mark.parametrize("factor", [1.0, 3.0, 1e-200, 1e200, -1.0, -3.0, -1e200])
    @pytest.mark.parametrize("angle", [1e-3, 1e-9, 1e-15])
    def test_a_target_along_the_prediction_or_against_it_keeps_its_digits(self, factor, angle):
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
        ({"target": ROWS["target"][:2]}, "must agree in n"),
        ({"target": ROWS["target"][:, :2]}, "must agree in d"),
        ({"prediction": ROWS["prediction"][0]}, "prediction must have shape"),
        ({"target": ROWS["target"].astype(np.float32)}, "must share one dtype"),
    ],
)
