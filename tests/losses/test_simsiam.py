import numpy as np
import pytest

from infonce_ref.losses import simsiam

LOSS = simsiam.LOSS
VIEWS = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


def gradients(**arguments):
    return simsiam.backward(simsiam.forward(**arguments)[1])


def test_the_stop_gradient_changes_no_value_and_only_the_gradients_of_the_projections():
    stopped, through = gradients(**VIEWS), gradients(**VIEWS, stop_gradient=False)
    assert simsiam.forward(**VIEWS)[0] == simsiam.forward(**VIEWS, stop_gradient=False)[0]
    np.testing.assert_array_equal(stopped.p1, through.p1)
    np.testing.assert_array_equal(stopped.p2, through.p2)
    assert not np.any(stopped.z1)
    assert not np.any(stopped.z2)
    assert np.all(np.any(through.z1, axis=1))


class TestEdges:
    def test_a_collapsed_output_attains_the_minimum(self):
        """D3.46: any constant p = z has the loss −1 and no gradient, with the stop-gradient or without."""
        same = np.full((4, 3), 0.7)
        value, cache = simsiam.forward(same, same, same, same, stop_gradient=False)
        assert value == pytest.approx(-1, rel=EXACT, abs=0)
        assert all(not np.any(g) for g in simsiam.backward(cache))

    def test_opposite_rows_attain_the_maximum_and_have_no_gradient(self):
        z = VIEWS["z1"]
        value, cache = simsiam.forward(-z, z, -z, z, stop_gradient=False)
        assert value == pytest.approx(1, rel=EXACT, abs=0)
        assert all(not np.any(g) for g in simsiam.backward(cache))

    @pytest.mark.parametrize("angle", [1e-3, 1e-9, 1e-15])
    def test_rows_nearly_opposite_keep_the_digits_of_those_nearly_equal(self, angle):
        """−(p/‖p‖)·(−z/‖z‖) = −D(p, z): the gradient by p changes sign with z, the one by z does not."""
        p = VIEWS["p1"]
        z = p + angle * VIEWS["z1"]
        near, opposite = (gradients(p1=p, z1=y, p2=p, z2=y, stop_gradient=False) for y in (z, -z))
        np.testing.assert_array_equal(opposite.p1, -near.p1)
        np.testing.assert_array_equal(opposite.z1, near.z1)

    def test_a_batch_of_one(self):
        one = {name: x[:1] for name, x in VIEWS.items()}
        parts = [simsiam.forward(**{name: x[i : i + 1] for name, x in VIEWS.items()})[0] for i in range(4)]
        assert simsiam.forward(**one)[0] == parts[0]
        assert simsiam.forward(**VIEWS)[0] == pytest.approx(np.mean(parts), rel=EXACT, abs=0)


REFUSED = (
    VIEWS,
    [
        ({"p1": np.zeros((4, 3))}, "p1 must have no zero row"),
        ({"z1": np.zeros((4, 3))}, "z1 must have no zero row"),
        ({"z2": VIEWS["z2"][:2]}, "must agree in n"),
        ({"p2": VIEWS["p2"][:, :2]}, "must agree in d"),
        ({"p1": VIEWS["p1"][0]}, "p1 must have shape"),
        ({"p2": np.full((4, 3), np.nan)}, "p2 must be finite"),
        ({"stop_gradient": "yes"}, "stop_gradient must be one of"),
    ],
)
