"""R22 in plain numbers: the Hessian of the library's NT-Xent at the simplex, by differences of its gradient."""

import numpy as np
import pytest

from infonce_ref.losses import ntxent

STEP = 1e-5


def simplex(images):
    centred = np.eye(images) - 1 / images
    return centred / np.linalg.norm(centred, axis=1, keepdims=True)


def gradient(w, temperature):
    _, cache = ntxent.forward(w, temperature=temperature)
    return ntxent.backward(cache).w


def curvatures(w, temperature):
    columns = []
    for place in range(w.size):
        step = np.zeros(w.size)
        step[place] = STEP
        step = step.reshape(w.shape)
        columns.append(
            (gradient(w + step, temperature) - gradient(w - step, temperature)).ravel() / (2 * STEP)
        )
    return np.linalg.eigvalsh(np.array(columns))


@pytest.mark.parametrize("images", [3, 5])
@pytest.mark.parametrize("temperature", [0.2, 1.0])
def test_the_hessian_at_the_simplex_has_the_eigenvalues_of_the_claim(images, temperature):
    z = np.concatenate([simplex(images)] * 2)  # B features, one more than the simplex has
    share = 1 / (2 * (images - 1) + np.exp(images / ((images - 1) * temperature)))
    part = (4 * images - 2) / (images * temperature)
    nearer = 2 * (images - 2) / ((images - 1) * temperature)
    nearer += 2 * images * (1 - share * (images - 2)) / ((images - 1) * temperature) ** 2
    nonzero = [part] * images + [part + 2 / ((images - 1) * temperature**2)] * (images * (images - 2))
    nonzero += [2 / temperature] + [4 / ((images - 1) * temperature**2)] * (images * (images - 3) // 2)
    nonzero += [nearer] * (images - 1)
    said = np.sort(np.append(np.zeros(z.size - len(nonzero)), nonzero)) * share
    # the error of the differences: that of rounding over the step, and the square of the step
    np.testing.assert_allclose(curvatures(z, temperature), said, atol=1e-8)
