"""The unit sphere by itself, as a training loop combines it with a loss of unnormalised rows."""

import numpy as np
import pytest

from infonce_ref import sphere

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


def test_a_zero_row_is_refused_by_its_name():
    with pytest.raises(ValueError, match="query must have no zero row"):
        sphere.forward(0 * ROWS, "query")


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_nearer_chord_is_that_of_the_sign_of_the_cosine(sign):
    """An entry with different signs in the two rows does not decide, however large the entries' ratio is."""
    w, v = np.array([[1.0, 1e-9]]), np.array([[sign, -sign * 1e-12]])
    chord, found = sphere.nearer_chord(w, v, sphere.forward(w)[1], sphere.forward(v)[1])
    assert found.item() == sign
    # the difference of the rows cancels to 1.001e-9; each entry is rounded once
    np.testing.assert_allclose(chord, [[0.0, 1e-9 + 1e-12]], rtol=1e-15, atol=1e-17)
