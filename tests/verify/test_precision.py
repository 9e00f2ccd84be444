"""Proved formula and 50 digits: which entry is wrong, and by how much."""

import numpy as np
import pytest
from flint import arb, ctx

from infonce_ref.losses import ALL
from infonce_ref.verify import precision, proofs
from infonce_ref.verify.case import Case

INFONCE = ALL["infonce"]
Z = np.array([[0.6, 0.8], [1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])


def example(loss=INFONCE, **changes):
    return Case(loss, {"z": Z, "temperature": 0.5} | changes, "")


def wrong(name, index):
    """InfoNCE with a gradient that is wrong by 1e-9 at one entry."""

    def backward(cache, upstream=1.0):
        found = INFONCE.backward(cache, upstream)
        changed = np.array(getattr(found, name))
        changed[index] += 1e-9
        return found._replace(**{name: changed})

    return INFONCE._replace(backward=backward)


@pytest.mark.parametrize("method", [proofs, precision], ids=lambda module: module.METHOD)
@pytest.mark.parametrize(("name", "index"), [("z", (2, 1)), ("z", (0, 0)), ("temperature", ())])
def test_one_wrong_entry_is_found(method, name, index):
    (failed,) = (check for check in method.check(example(wrong(name, index))) if not check.holds)
    assert (failed.input, failed.worst.entry) == (name, index)
    # the error is relative to terms of a size between 0.1 and 100
    assert 1e-11 < failed.error < 1e-8
    assert failed.worst.textbook <= failed.error


def test_the_error_is_relative_to_the_summed_terms():
    """Of equal rows every slope is 0, and only its terms have a size."""
    (check, _) = proofs.check(example(wrong("z", (1, 0)), z=np.tile([0.6, 0.8], (4, 1))))
    assert check.worst.expected == 0
    assert 1e-11 < check.worst.textbook <= check.error < 1e-8


def test_a_wrong_value_fails_the_checks_of_the_value():
    def forward(**arguments):
        value, cache = INFONCE.forward(**arguments)
        return value + 1e-9, cache

    checks = list(precision.check(example(INFONCE._replace(forward=forward))))
    failed = [check for check in checks if not check.holds]
    assert [check.compared for check in failed] == [precision.VALUE] * 2
    worst = failed[0].worst
    assert worst.got - worst.expected == pytest.approx(1e-9, rel=1e-5, abs=0)  # rounding, 1e-16, of 1e-9
    # relative to the terms: at least the value, at most 100
    assert 1e-11 < worst.error < 1.001e-9 / worst.expected  # the value is wrong by 1e-9 up to rounding
    # a textbook form adds at least 1 nat for each row
    assert worst.textbook < worst.error / 2


def test_with_too_few_digits_no_check_holds(monkeypatch):
    monkeypatch.setattr(precision, "digits", lambda case: 12)
    ntxent = ALL["ntxent"]
    checks = list(precision.check(Case.of(ntxent, ntxent.example(0, 1e-3), "", "float64")))
    assert [check for check in checks if check.holds] == []


@pytest.mark.parametrize("gap", [10.0, 300.0])
def test_they_suffice_for_the_smallest_probability(gap):
    """−log P = log(1 + e^−2x) of two scores of ±x: its first digit is behind 2x/ln 10 zeros."""
    case = Case(ALL["cpc"], {"scores": np.array([[gap, -gap]]), "positive": np.array([0])}, "")
    with ctx.workdps(precision.digits(case)):
        (found,), _ = proofs.closed_forms(case, {proofs.VALUE: [()]})[proofs.VALUE]
        assert found.overlaps((-2 * arb(gap)).exp().log1p())
        assert found.rel_accuracy_bits() >= 167  # of 50 digits


@pytest.mark.parametrize("rows", [2, 3, 7])
def test_a_loss_of_exactly_zero_is_right(rows):
    """Uniformity of coinciding rows: the logarithm of a mean of ones."""
    z = np.array([[0.6, 0.8]] * rows)
    assert all(x.holds for x in precision.check(Case(ALL["uniformity"], {"z": z, "t": 2.0}, "")))
