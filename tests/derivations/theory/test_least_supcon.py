"""R19 in plain numbers: the least of the library's SupCon over unit rows of classes of one size."""

import numpy as np
import pytest

from infonce_ref.losses import supcon


def least(classes, members, temperature):
    positives, negatives = members - 1, (classes - 1) * members
    return np.log(positives + negatives * np.exp(-classes / ((classes - 1) * temperature)))


def corners(classes, members):
    return np.repeat(np.eye(classes) - 1 / classes, members, axis=0)


def loss(rows, classes, members, temperature, form):
    labels = np.repeat(np.arange(classes), members)
    return supcon.forward(rows, labels=labels, temperature=temperature, form=form)


@pytest.mark.parametrize("form", ["out", "in"])
@pytest.mark.parametrize(("classes", "members"), [(2, 2), (3, 4), (5, 2)])
@pytest.mark.parametrize("temperature", [0.2, 0.5, 2.0])
def test_a_simplex_attains_the_minimum_and_other_rows_do_not(form, classes, members, temperature):
    bound = least(classes, members, temperature)
    there, cache = loss(corners(classes, members), classes, members, temperature, form)
    assert there == pytest.approx(bound, rel=1e-12, abs=0)
    assert np.abs(supcon.backward(cache).w).max() < 1e-12
    rng = np.random.default_rng(classes)
    for size in (1e-3, 1e-1, 1.0, 10.0):  # from rows near the simplex to any rows
        rows = corners(classes, members) + size * rng.standard_normal((classes * members, classes))
        assert loss(rows, classes, members, temperature, form)[0] > bound


@pytest.mark.parametrize("form", ["out", "in"])
def test_descent_from_random_rows_arrives_there(form):
    rows, classes, members, temperature = np.random.default_rng(0).standard_normal((9, 3)), 3, 3, 0.5
    for _ in range(400):
        _, cache = loss(rows, classes, members, temperature, form)
        rows -= 2 * supcon.backward(cache).w
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    value = loss(rows, classes, members, temperature, form)[0]
    assert value == pytest.approx(least(classes, members, temperature), rel=1e-9, abs=0)
