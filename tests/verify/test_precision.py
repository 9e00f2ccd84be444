"""The fourth check: how many digits it computes with, the definition's value and slopes, and what it reports."""

import mpmath
import numpy as np
import pytest
from flint import arb, ctx

from infonce_ref.losses import ALL
from infonce_ref.verify import precision
from infonce_ref.verify.case import Case

INFONCE = ALL["infonce"]
Z = np.array([[0.6, 0.8], [1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])


def example(loss=INFONCE, **changes):
    return Case(loss, {"z": Z, "temperature": 0.5} | changes, "")


def value(rows, tau):
    """The mean of log Σ_j e^(z_i·z_j/τ) − z_i·z_p(i)/τ, in mpmath; row i + 2 is the positive of row i."""
    s = [[mpmath.fdot(x, y) / tau for y in rows] for x in rows]
    each = [mpmath.log(mpmath.fsum(map(mpmath.exp, s[i]))) - s[i][(i + 2) % 4] for i in range(4)]
    return mpmath.fsum(each) / 4


def read(ball):
    assert isinstance(ball, arb)
    return mpmath.mpf(ball.str(60, radius=False))


def test_value_and_slopes_are_those_of_the_definition_to_50_digits():
    with ctx.workdps(65), mpmath.workdps(65):
        found, size, slopes = precision.oracles(example(), {"z": [(3, 1), (0, 0)], "temperature": [()]})
        rows = [[mpmath.mpf(float(x)) for x in row] for row in Z]

        def by(k, f):
            def at(x):
                changed = [list(row) for row in rows]
                changed[k][f] = x
                return value(changed, 0.5)

            return mpmath.diff(at, rows[k][f])

        right = {"z": [by(3, 1), by(0, 0)], "temperature": [mpmath.diff(lambda x: value(rows, x), 0.5)]}
        assert abs(read(found) - value(rows, 0.5)) < mpmath.mpf(10) ** -50
        assert {name: len(each) for name, each in slopes.items()} == {"z": 2, "temperature": 1}
        for name, each in slopes.items():
            assert (
                max(abs(read(x) - y) for x, y in zip(each, right[name], strict=True)) < mpmath.mpf(10) ** -50
            )
    assert float(found) <= float(size) < 100


@pytest.mark.parametrize("gap", [10.0, 300.0])
def test_they_suffice_for_the_smallest_probability(gap):
    """−log P = log(1 + e^−2x) of two scores of ±x: its first digit is behind 2x/ln 10 zeros."""
    case = Case(ALL["cpc"], {"scores": np.array([[gap, -gap]]), "positive": np.array([0])}, "")
    with ctx.workdps(precision.digits(case)):
        found, _, _ = precision.oracles(case, {})
        assert found.overlaps((-2 * arb(gap)).exp().log1p())
        assert found.rel_accuracy_bits() >= 167  # of 50 digits


def test_a_wrong_value_fails_the_checks_of_the_value():
    def forward(**arguments):
        value, cache = INFONCE.forward(**arguments)
        return value + 1e-9, cache

    checks = list(precision.testify(example(INFONCE._replace(forward=forward))))
    assert [check.compared for check in checks if not check.holds] == [precision.VALUE] * 2
    (worst, _) = [check.worst for check in checks if not check.holds]
    assert worst.got - worst.expected == pytest.approx(1e-9, rel=1e-5, abs=0)  # rounding, 1e-16, of 1e-9
    # relative to the terms: at least the value, at most 100
    assert 1e-11 < worst.error < 1.001e-9 / worst.expected  # the value is wrong by 1e-9 up to rounding
    # a textbook form adds at least 1 nat for each row
    assert worst.textbook < worst.error / 2


@pytest.mark.parametrize(("name", "index"), [("z", (2, 1)), ("z", (0, 0)), ("temperature", ())])
def test_one_wrong_entry_fails_the_check_of_its_gradient(name, index):
    def backward(cache, upstream=1.0):
        found = INFONCE.backward(cache, upstream)
        changed = np.array(getattr(found, name))
        changed[index] += 1e-9
        return found._replace(**{name: changed})

    checks = list(precision.testify(example(INFONCE._replace(backward=backward))))
    (failed,) = [check for check in checks if not check.holds]
    assert (failed.input, failed.compared, failed.worst.entry) == (name, precision.GRADIENT, index)
    # the terms are between 0.1 and 100
    assert 1e-11 < failed.error < 1e-8
    assert failed.worst.textbook < failed.error
    assert failed.worst.plain > 1e-11
