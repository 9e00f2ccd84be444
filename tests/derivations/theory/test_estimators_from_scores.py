"""The statements of the estimators, rewritten in plain loops."""

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.theory.estimators_from_scores import STATEMENTS

SCORES = [[mpf(x) / 8 for x in row] for row in ([9, -4, 3], [1, 7, -20], [16, 0, -2])]
JOINT = [[mpf(x) / 16 for x in row] for row in ([4, 1, 0], [2, 3, 1], [0, 0, 5])]
CLIP = mpf(3) / 2


def means(function):
    """The means over the pairs, and of a function over all others."""
    others = [function(SCORES[i][j]) for i in range(3) for j in range(3) if i != j]
    return sum(SCORES[i][i] for i in range(3)) / 3, sum(others) / 6


def mine():
    together, apart = means(mpmath.exp)
    return together - mpmath.log(apart)


def smile():
    together, apart = means(lambda u: mpmath.exp(min(max(u, -CLIP), CLIP)))
    return together - mpmath.log(apart)


def nwj():
    together, apart = means(lambda u: mpmath.exp(u - 1))
    return together - apart


def infonce():
    rows = [mpmath.exp(row[i]) / sum(map(mpmath.exp, row)) for i, row in enumerate(SCORES)]
    return mpmath.log(3) + sum(map(mpmath.log, rows)) / 3


def donsker_varadhan():
    rows, columns = [sum(row) for row in JOINT], [sum(column) for column in zip(*JOINT)]
    cells = [(i, j) for i in range(3) for j in range(3)]
    together = sum(JOINT[i][j] * SCORES[i][j] for i, j in cells)
    return together - mpmath.log(sum(rows[i] * columns[j] * mpmath.exp(SCORES[i][j]) for i, j in cells))


@pytest.mark.parametrize("raw", [mine, smile, nwj, infonce, donsker_varadhan], ids=lambda f: f.__name__)
def test_the_statement_concerns_the_raw_estimate(raw):
    statement = STATEMENTS[f"information.{raw.__name__}"]
    options = {"smile": {"clip": CLIP}, "donsker_varadhan": {"joint": JOINT}}.get(raw.__name__, {})
    with mpmath.workdps(50):
        value, _ = evaluator(statement.form, statement.bind(SCORES, **options), names=statement.names)({})
        assert abs(value - raw()) < mpf(10) ** -45


def test_a_law_is_divided_by_its_sum():
    statement = STATEMENTS["information.donsker_varadhan"]
    with mpmath.workdps(50):
        once, twice = (
            evaluator(
                statement.form,
                statement.bind(SCORES, joint=[[k * p for p in row] for row in JOINT]),
                names=statement.names,
            )({})
            for k in (1, 2)
        )
        assert abs(once[0] - twice[0]) < mpf(10) ** -45
