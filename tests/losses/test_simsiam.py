import numpy as np
import pytest

from infonce_ref.losses import simsiam

LOSS = simsiam.LOSS
VIEWS = LOSS.example()


def gradients(**arguments):
    return simsiam.backward(simsiam.forward(**arguments)[1])


class TestEdges:
    @pytest.mark.parametrize("angle", [1e-3, 1e-9, 1e-15])
    def test_nearly_opposite_rows_are_as_accurate_as_nearly_equal_ones(self, angle):
        """−(p/‖p‖)·(−z/‖z‖) = −D(p, z): the gradient by p changes sign with z, the one by z does not."""
        p = VIEWS["p1"]
        z = p + angle * VIEWS["z1"]
        near, opposite = (gradients(p1=p, z1=y, p2=p, z2=y, stop_gradient=False) for y in (z, -z))
        np.testing.assert_array_equal(opposite.p1, -near.p1)
        np.testing.assert_array_equal(opposite.z1, near.z1)


REFUSED = (
    VIEWS,
    [
        ({"p1": np.zeros((4, 3))}, "p1 must have no zero row"),
        ({"z1": np.zeros((4, 3))}, "z1 must have no zero row"),
        ({"stop_gradient": "yes"}, "stop_gradient must be one of"),
    ],
)
