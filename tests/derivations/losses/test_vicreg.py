"""VICReg, written again term by term, on both sides of the hinge."""

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses.vicreg import STATEMENT
from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.symbols import below1

WEIGHTS = {"invariance": mpf(25), "variance": mpf(25), "covariance": mpf(1)}
HINGE = {"margin": mpf(1), "epsilon": mpf("0.0001")}


def covariances(view):
    columns = [[x - sum(column) / len(column) for x in column] for column in zip(*view, strict=True)]
    return [[mpmath.fdot(x, y) / (len(view) - 1) for y in columns] for x in columns]


def raw(z1, z2, invariance, variance, covariance, margin, epsilon):
    features = len(z1[0])
    pairs = zip(z1, z2, strict=True)
    loss = invariance * sum((x - y) ** 2 for row, other in pairs for x, y in zip(row, other, strict=True))
    loss /= len(z1)
    for matrix in map(covariances, (z1, z2)):
        for a in range(features):
            loss += variance * max(mpf(0), margin - mpmath.sqrt(matrix[a][a] + epsilon)) / features
            loss += covariance * sum(matrix[a][b] ** 2 for b in range(features) if a != b) / features
    return loss


@pytest.mark.parametrize("alone", [None, "invariance", "variance", "covariance"])
def test_the_statement_is_of_the_raw_loss(assert_states, array, alone):
    weights = {name: weight if alone in (None, name) else mpf(0) for name, weight in WEIGHTS.items()}

    def weighed(z1, z2):
        return raw(z1, z2, **weights, **HINGE)

    z1, z2 = ([[row[0] / 4, *row[1:]] for row in array(4, 3)] for _ in range(2))
    z1 = [[*row[:2], 3 * row[2]] for row in z1]
    assert_states("vicreg", weighed, {"z1": z1, "z2": z2}, **weights, **HINGE)
    # open and shut hinges are both there
    assert set(STATEMENT.bind(z1, z2, **weights, **HINGE)[below1]) == {0, 1}


def test_at_the_tie_the_hinge_is_shut():
    column, weights = [[mpf(-1)], [mpf(0)], [mpf(1)]], dict.fromkeys(WEIGHTS, mpf(1))
    gradient = STATEMENT.gradients["z1"]
    bound = STATEMENT.bind(column, column, **weights, margin=mpf(1), epsilon=mpf(0))
    at = evaluator(gradient.form, bound, names=gradient.names)
    assert at(dict(zip(gradient.indices, (0, 0), strict=True)))[0] == 0
