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


def test_one_input_is_evaluated_as_several_are():
    with ctx.workdps(60):
        found = precision.oracle(example(), "z", [(1, 0), (2, 1)])
        value, size, slopes = precision.oracles(example(), {"z": [(1, 0), (2, 1)]})
    assert [float(x) for x in (*found[:2], *found[2])] == [float(x) for x in (value, size, *slopes["z"])]
    assert len(found[2]) == 2


def test_value_and_slopes_of_inactive_hinges_are_zero():
    """The value is then no function of the inputs."""
    rows = {"anchor": [[0.0, 0.0]], "positive": [[0.0, 0.0]], "negative": [[3.0, 0.0]]}
    case = Case(ALL["triplet"], {name: np.array(x) for name, x in rows.items()} | {"margin": 1.0}, "")
    found, size, slopes = precision.oracles(case, {"anchor": [(0, 0), (0, 1)], "negative": [(0, 0)]})
    assert found == 0
    assert slopes == {"anchor": [0, 0], "negative": [0]}
    assert all(isinstance(x, arb) for x in (found, size, *slopes["anchor"], *slopes["negative"]))


# 50 and 15 digits, and those of 4 (1 + x) / ln 10, rounded down, by hand
@pytest.mark.parametrize(
    ("name", "arguments", "digits"),
    [
        # of scores: x is the largest
        (
            "cpc",
            {"scores": np.array([[0.5, -0.25]]), "positive": np.array([0])},
            65 + 3,
        ),  # 3.47, of 1 at least
        ("cpc", {"scores": np.array([[2.0, -7.0]]), "positive": np.array([0])}, 65 + 13),  # 13.9
        ("cpc", {"scores": np.array([[1e6, 0.0]]), "positive": np.array([0])}, 65 + 1737179),
        # of rows: x is the number of features times the square of the largest entry; the factor is 1/τ
        (
            "infonce",
            {"z": np.array([[0.5, 0.5], [0.5, -1.0]]), "temperature": 0.5},
            65 + 10,
        ),  # 3·2·4/ln 10 = 10.4
        ("infonce", {"z": np.array([[1.0] * 4] * 2), "temperature": 0.5}, 65 + 17),  # 5·2·4/ln 10 = 17.4
        # as many as β steepens
        ("hard_negative", {"w": np.eye(2), "temperature": 1.0, "beta": 2.0}, 65 + 15),  # 3·3·4/ln 10 = 15.6
        # integers are no rows
        (
            "infonce",
            {"z": np.eye(2), "temperature": 1.0, "labels": np.array([[9, 9]])},
            65 + 5,
        ),  # 3·4/ln 10 = 5.2
        # a vector is one row: 13·4/ln 10 = 22.6
        ("infonce", {"z": np.eye(2), "temperature": 1.0, "weights": np.array([2.0, 0.0, 0.0])}, 65 + 22),
        # at most as many as the dtype's smallest normal number has zeros, and 20: 307.65 + 20
        ("infonce", {"z": np.array([[30.0, 1.0]] * 2), "temperature": 0.5}, 65 + 327),
        # and for float32 37.93 + 20
        ("infonce", {"z": np.array([[30.0, 1.0]] * 2, dtype=np.float32), "temperature": 0.5}, 65 + 57),
    ],
)
def test_the_digits_are_50_some_for_rounding_and_the_zeros_of_one_minus_p(name, arguments, digits):
    assert precision.digits(Case(ALL[name], arguments, "")) == digits


@pytest.mark.parametrize("gap", [10.0, 300.0])
def test_they_suffice_for_the_smallest_probability(gap):
    """−log P = log(1 + e^−2x) of two scores of ±x: its first digit is behind 2x/ln 10 zeros."""
    case = Case(ALL["cpc"], {"scores": np.array([[gap, -gap]]), "positive": np.array([0])}, "")
    with ctx.workdps(precision.digits(case)):
        found, _, _ = precision.oracles(case, {})
        assert found.overlaps((-2 * arb(gap)).exp().log1p())
        assert found.rel_accuracy_bits() >= 167  # of 50 digits


def test_two_checks_of_each_input_hold():
    checks = list(precision.testify(example()))
    assert [(check.input, check.compared) for check in checks] == [
        (name, compared)
        for name in ("z", "temperature")
        for compared in (precision.VALUE, precision.GRADIENT)
    ]
    assert all(check.holds and check.witness == "precision" for check in checks)
    # both sides are exact, so that the error relative to the largest entry is measured too
    assert all(check.worst.plain < 1e-14 for check in checks)


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
