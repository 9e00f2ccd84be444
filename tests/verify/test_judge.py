"""`verify` itself: the meaning of a cell, the words of a failure, and that right losses hold in float32."""

import numpy as np
import pytest
from flint import arb

from infonce_ref.losses import ALL, ntxent
from infonce_ref.verify import matrix, precision
from infonce_ref.verify.case import Case, Check, Measurement, relative
from infonce_ref.verify.judge import METHODS, answer, ask_all, cells, holds, list_registered

CHECK = Check(
    "ntxent", "w", "proved formula", "here", "a with b", Measurement(1.0, (), 2.0, 1.0), 2.0, "a reason"
)
NAN = float("nan")


def with_error(error, **changes):
    return CHECK._replace(worst=CHECK.worst._replace(error=error), **changes)


@pytest.mark.parametrize(("checks", "worst"), [([1.0, 1.9, 1.0], 1.9), ([9.0, NAN], NAN), ([NAN, 9.0], NAN)])
def test_a_cell_shows_its_worst_check_and_nan_never_holds(checks, worst):
    found = cells(map(with_error, checks))["ntxent", "w"]["proved formula"]
    assert found.error == pytest.approx(worst, nan_ok=True)
    assert found.holds == (worst < 2)


def test_the_worst_check_is_relative_to_its_own_tolerance():
    loose = with_error(5.0, tolerance=100.0)
    assert cells([loose, CHECK])["ntxent", "w"]["proved formula"] is CHECK


def test_an_empty_cell_is_a_failure():
    full = [CHECK._replace(input=name, method=w) for name in ntxent.LOSS.differentiable for w in METHODS]
    assert holds(full, [ntxent.LOSS])
    assert not holds(full[:-1], [ntxent.LOSS])
    assert not holds([], [ntxent.LOSS])


TINY = float(np.finfo("f4").smallest_normal)


@pytest.mark.parametrize(
    ("got", "expected", "size", "error"),
    [
        ([1.5], [1.0], [10.0], 0.05),
        ([[1.0, 2.0]], [[1.0, 2.5]], 2.0, 0.25),
        ([0.0], [TINY], [TINY], 64 * 2.0**-23),  # absolute below the smallest normal number
        ([1.5], [arb(1)], [arb(10, 5)], 0.1),  # the lower end of the size's ball
        ([1.5], [arb(1)], [arb(0, 1)], np.inf),  # a ball around 0 excuses no error
        ([[1.0, 2.0]], [[1.0], [2.0]], 1.0, NAN),
        *(
            ([[x, 1.0]], [[y, 1.0]], [[z, 1.0]], NAN)
            for bad in (NAN, np.inf, -np.inf)
            for x, y, z in ((bad, 1.0, 1.0), (1.0, bad, 1.0), (1.0, 1.0, bad), (bad, bad, 1.0))
        ),
    ],
)
def test_an_error_is_relative_to_the_terms_and_never_hidden(got, expected, size, error):
    dtype = np.dtype("f4" if expected == [TINY] else "f8")
    found = relative(got, expected, size, dtype).error
    assert min(found, 1e200) == pytest.approx(min(error, 1e200), rel=1e-4, nan_ok=True)


def test_the_error_is_the_upper_end_of_a_ball():
    worst = relative([1.0], [arb(1, 0.25)], [1.0], np.dtype("f8"), exact=True)
    assert worst.error == worst.plain == pytest.approx(0.25)


def of_infonce(**changes):
    loss = ALL["infonce"]
    return Case.of(loss._replace(**changes), loss.example(0, 1e-3), "", "float64")


def test_a_wrong_value_fails_only_the_checks_of_the_value():
    def forward(**arguments):
        value, cache = ALL["infonce"].forward(**arguments)
        return value * (1 + 1e-9), cache

    failed = [check for check in precision.check(of_infonce(forward=forward)) if not check.holds]
    assert [check.compared for check in failed] == [precision.VALUE] * 2
    worst = failed[0].worst
    assert worst.got / worst.expected - 1 == pytest.approx(1e-9, rel=1e-5, abs=0)  # up to rounding, 1e-16
    assert worst.textbook < worst.error / 2  # a textbook form adds at least 1 nat for each row


def test_with_too_few_digits_no_check_holds(monkeypatch):
    monkeypatch.setattr(precision, "digits", lambda case: 12)
    assert [check for check in precision.check(of_infonce()) if check.holds] == []


def test_a_loss_of_exactly_zero_is_right():
    """Uniformity of coinciding rows: the logarithm of a mean of ones."""
    case = Case(ALL["uniformity"], {"z": np.array([[0.6, 0.8]] * 3), "t": 2.0}, "")
    assert all(check.holds for check in precision.check(case))


@pytest.mark.parametrize("loss", ALL.values(), ids=ALL)
def test_cases_of_one_kind_of_check_have_different_labels(loss):
    asked = [(h.method, h.case.label) for h in ask_all(loss, "float64")]
    assert len(set(asked)) == len(asked)


def test_nan_is_null_in_json():
    nothing = CHECK._replace(worst=Measurement(NAN, (0,), np.inf, NAN))
    record = matrix.record(nothing)
    assert [record[name] for name in ("error", "got", "expected", "holds")] == [None, None, None, False]
    assert record["entry"] == (0,)


@pytest.mark.torch
def test_numbers_that_a_library_flushes_to_zero_are_no_error(monkeypatch):
    """CuPy replaces float32 numbers below the smallest normal one by 0; PyTorch can make this thread do so."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    # some have a gradient of 1e-35 from a term of 1e-39
    asked = [h for h in ask_all(list_registered()["information.mine"], "float32") if h.method == METHODS[2]]
    if not torch.set_flush_denormal(True):
        pytest.skip("this processor cannot flush subnormal numbers to 0")
    try:
        assert all(check.holds for question in asked for check in answer(question))
        monkeypatch.setattr(Case, "pairs", 1)
        assert not all(check.holds for question in asked for check in answer(question))
    finally:
        torch.set_flush_denormal(False)
    assert not next(ask_all(ntxent.LOSS, "float32")).case.flushes
