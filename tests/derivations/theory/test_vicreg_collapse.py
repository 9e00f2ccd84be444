"""VICReg's slopes at collapse, by differences."""

import itertools

import pytest


def view_terms(rows):
    """The hinge of the deviations, margin 1, and the squared covariances, as its paper writes them."""
    size, means = len(rows), [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    centred = [[x - mean for x, mean in zip(row, means, strict=True)] for row in rows]

    def covariance(f, g):
        return sum(row[f] * row[g] for row in centred) / (size - 1)

    features = range(len(means))
    hinge = sum(max(0.0, 1 - (covariance(f, f) + 1e-4) ** 0.5) for f in features)
    return hinge, sum(covariance(f, g) ** 2 for f, g in itertools.permutations(features, 2))


def loss(first, second):
    apart = sum((x - y) ** 2 for a, b in zip(first, second, strict=True) for x, y in zip(a, b, strict=True))
    terms = [sum(part) for part in zip(view_terms(first), view_terms(second), strict=True)]
    return 25 * apart + 25 * terms[0] + terms[1]


def slope(first, second, row, feature):
    up, down = ([list(x) for x in first] for _ in range(2))
    up[row][feature] += 1e-6
    down[row][feature] -= 1e-6
    return (loss(up, second) - loss(down, second)) / 2e-6


@pytest.mark.parametrize("row", range(4))
def test_the_slope_is_0_where_all_rows_are_one_and_the_same_for_all_where_the_views_differ(row):
    one, other = [[0.3, -0.7]] * 4, [[0.1, -0.7]] * 4
    assert slope(one, one, row, 0) == pytest.approx(0, abs=1e-6)
    assert slope(one, other, row, 0) == pytest.approx(50 * 0.2, rel=1e-6, abs=0)


def test_a_step_off_collapse_it_pulls():
    near = [[0.3, -0.7], [0.301, -0.7], [0.299, -0.7], [0.3, -0.7]]
    assert slope(near, near, 1, 0) < -0.1
