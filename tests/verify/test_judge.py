"""`verify` itself: the meaning of a cell, and that right gradients pass in both dtypes."""

import numpy as np
import pytest
from flint import arb, ctx

from infonce_ref.losses import ALL, ntxent
from infonce_ref.verify import matrix, precision, symbolic
from infonce_ref.verify.balls import FUNCTIONS
from infonce_ref.verify.case import Case, Check, Measurement, farthest, relative
from infonce_ref.verify.judge import (
    WITNESSES,
    ask_all,
    ask_fixed_points,
    cells,
    hear,
    holds,
    list_registered,
)

CHECK = Check("ntxent", "w", "symbolic", "here", "a with b", Measurement(1.0, (), 2.0, 1.0), 2.0, "a reason")


def with_error(error, **changes):
    return CHECK._replace(worst=CHECK.worst._replace(error=error), **changes)


class TestCells:
    def test_a_cell_shows_its_worst_check(self):
        worse = with_error(1.9, case="there")
        assert cells([CHECK, worse, CHECK])["ntxent", "w"]["symbolic"] is worse

    def test_the_worst_check_is_relative_to_its_own_tolerance(self):
        loose = with_error(5.0, tolerance=100.0)
        assert cells([loose, CHECK])["ntxent", "w"]["symbolic"] is CHECK

    @pytest.mark.parametrize("order", [1, -1])
    def test_nan_is_worse_than_any_number_and_never_holds(self, order):
        nan = with_error(float("nan"))
        found = cells([with_error(9.0), nan][::order])["ntxent", "w"]["symbolic"]
        assert found is nan
        assert not found.holds

    def test_an_empty_cell_is_a_failure(self):
        full = [
            CHECK._replace(input=name, witness=w) for name in ntxent.LOSS.differentiable for w in WITNESSES
        ]
        assert holds(full, [ntxent.LOSS])
        assert not holds(full[:-1], [ntxent.LOSS])
        assert not holds([], [ntxent.LOSS])


class TestRelative:
    def test_errors_are_relative_to_the_size_of_the_terms(self):
        assert relative([1.5], [1.0], [10.0], np.dtype("f8")).error == pytest.approx(0.05)

    def test_the_worst_entry_and_both_sides_are_reported(self):
        got, expected = np.zeros((2, 3)), np.zeros((2, 3))
        got[1, 2], expected[0, 1] = 4.0, 3.0
        worst = relative(got, expected, np.ones((2, 3)), np.dtype("f8"))
        assert (worst.entry, worst.got, worst.expected) == ((1, 2), 4.0, 0.0)

    def test_the_index_of_a_sampled_entry_is_reported(self):
        worst = relative([1.0, 2.0], [1.0, 1.0], [1.0, 1.0], np.dtype("f8"), [(0, 5), (7, 1)])
        assert worst.entry == (7, 1)

    def test_errors_are_absolute_below_the_smallest_normal_number(self):
        # 64·eps·floor = the smallest normal number, so an error of that size is just allowed
        tiny = float(np.finfo("f4").smallest_normal)
        assert relative([0.0], [tiny], [tiny], np.dtype("f4")).error == pytest.approx(
            64 * 2**-23, rel=1e-4, abs=0
        )

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize("side", [0, 1, 2])
    def test_nan_or_infinity_on_any_side_never_holds(self, side, bad):
        sides = [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]
        sides[side][1] = bad
        worst = relative(*sides, np.dtype("f8"))
        assert np.isnan(worst.error)
        assert worst.entry == (1,)

    def test_the_error_is_the_upper_end_of_a_ball(self):
        worst = relative([1.0], [arb(1, 0.25)], [1.0], np.dtype("f8"), exact=True)
        assert worst.error == worst.plain == pytest.approx(0.25)

    def test_the_size_is_the_lower_end_of_a_ball(self):
        assert relative([1.5], [arb(1)], [arb(10, 5)], np.dtype("f8")).error == pytest.approx(0.1)

    def test_a_ball_around_0_as_size_does_not_excuse_an_error(self):
        assert relative([1.5], [arb(1)], [arb(0, 1)], np.dtype("f8")).error > 1e200

    def test_nan_is_the_largest_error(self):
        found = {
            "a": CHECK.worst,
            "b": CHECK.worst._replace(error=np.nan),
            "c": CHECK.worst._replace(error=9),
        }
        assert farthest(found)[0] == "b"


def nudged(cache, upstream=1.0):
    gradients = ntxent.backward(cache, upstream)
    wrong = gradients.w.copy()
    wrong[-1, -1] += 0.5
    return gradients._replace(w=wrong)


@pytest.fixture(scope="module")
def nudged_checks():
    loss = ntxent.LOSS._replace(backward=nudged)
    asked = [
        h
        for h in ask_fixed_points(loss, "float64", np.asarray)
        if h.witness != precision.WITNESS or h.case.label in HARDEST
    ]
    return [check for hearing in asked for check in hear(hearing)]


class TestFailures:
    def test_each_failing_cell_is_reported_once(self, nudged_checks):
        told = matrix.failures(nudged_checks)
        assert [words.partition(":")[0] for words in told] == [
            f"ntxent, w, {witness}" for witness in WITNESSES
        ]
        asked = sum(check[:3] == ("ntxent", "w", symbolic.WITNESS) for check in nudged_checks)
        assert f"{asked} of {asked} checks fail" in told[0]

    def test_a_failure_has_case_entry_and_both_values(self, nudged_checks):
        check = next(c for c in nudged_checks if c.witness == "symbolic" and not c.holds)
        assert check.case == "noise 1, seed 1"
        assert check.compared == "the gradient with the proved one"
        right = ntxent.backward(ntxent.forward(**ntxent.LOSS.example(1))[1]).w
        assert check.worst.entry == (5, 2)
        assert check.worst.got - check.worst.expected == pytest.approx(0.5)
        assert check.worst.expected == pytest.approx(right[5, 2])
        (told,) = matrix.failures([check])
        for fact in (check.case, check.compared, "[5, 2]", repr(check.worst.got), repr(check.worst.expected)):
            assert fact in told

    def test_tile_sides_are_reported_separately(self, nudged_checks):
        tiled = {c.compared for c in nudged_checks if "tile by tile" in c.compared}
        assert len(tiled) == 3

    def test_a_right_gradient_has_no_failure(self):
        assert matrix.failures([CHECK]) == []

    def test_nan_is_null_in_json(self):
        nothing = CHECK._replace(worst=Measurement(np.nan, (0,), np.inf, np.nan))
        record = matrix.record(nothing)
        assert [record[name] for name in ("error", "got", "expected", "holds")] == [None, None, None, False]
        assert record["entry"] == (0,)


@pytest.mark.parametrize("loss", ALL.values(), ids=ALL)
def test_cases_of_one_kind_of_check_have_different_labels(loss):
    asked = [(h.witness, h.case.label) for h in ask_all(loss, "float64")]
    assert len(set(asked)) == len(asked)


def with_one_moved(numbers, index, step):
    """Nested lists, or a number for the empty index, with one entry changed by a step."""
    if not index:
        return numbers + step
    return [with_one_moved(x, index[1:], step) if i == index[0] else x for i, x in enumerate(numbers)]


class TestPrecision:
    @pytest.mark.parametrize("loss", ALL.values(), ids=ALL)
    def test_derivatives_of_the_tape_agree_with_differences(self, loss):
        """With a step of 10⁻⁶⁰ and as many additional digits, differences give 50 digits without a rule of
        differentiation.
        """
        from infonce_ref.derivations.prover.evaluate import evaluator

        case = Case.of(loss, loss.example(), "", "float64")
        statement = symbolic.statement_of(case)
        with ctx.workdps(precision.digits(case) + 120):
            for name in loss.differentiable:
                index = symbolic.sample(np.shape(case.arguments[name]))[-1]
                value, size, (slope,) = precision.oracle(case, name, [index])
                environment, step = symbolic.bind(case), 1 / arb(10) ** 60
                variable = statement.gradients[name].variable
                moved = environment | {variable: with_one_moved(environment[variable], index, step)}
                there, _ = evaluator(statement.form, moved, FUNCTIONS, statement.names)({})
                difference = (there - value) / step
                assert abs(difference - slope) <= 1e-50 * max(1, abs(size))

    @pytest.mark.parametrize("temperature", [0.5, 0.01])
    def test_the_oracle_has_fifty_digits(self, temperature):
        """With twice the digits the first fifty stay the same."""
        case = Case.of(ntxent.LOSS, ntxent.LOSS.example(0, 1e-3, temperature=temperature), "", "float64")
        with ctx.workdps(precision.digits(case)):
            value, _, (slope,) = precision.oracle(case, "temperature", [()])
        with ctx.workdps(2 * precision.digits(case)):
            finer, _, (finer_slope,) = precision.oracle(case, "temperature", [()])
            assert abs(value / finer - 1) < 1e-50
            assert abs(slope / finer_slope - 1) < 1e-50

    def test_with_too_few_digits_no_check_holds(self, monkeypatch):
        monkeypatch.setattr(precision, "digits", lambda case: 12)
        checks = list(precision.testify(Case.of(ntxent.LOSS, ntxent.LOSS.example(0, 1e-3), "", "float64")))
        assert [check for check in checks if check.holds] == []

    @pytest.mark.parametrize("rows", [2, 3, 7])
    def test_a_loss_of_exactly_zero_is_right(self, rows):
        """Uniformity of coinciding rows: the logarithm of a mean of ones."""
        z = np.array([[0.6, 0.8]] * rows)
        assert all(x.holds for x in precision.testify(Case(ALL["uniformity"], {"z": z, "t": 2.0}, "")))

    def test_a_loss_of_1e_26_is_checked_where_the_usual_forms_return_zero(self):
        w = np.array([[1, 0], [np.cos(2), np.sin(2)], [1, 0], [np.cos(2), np.sin(2)]])
        tau = (1 - np.cos(2)) / (26 * np.log(10))
        value, _ = ntxent.forward(w, temperature=tau)
        logits = w @ w.T / tau - np.diag([np.inf] * 4)
        usual = np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1)) + logits.max(1) - 1 / tau
        assert 1e-26 < value < 3e-26
        # the usual form has no correct digit: it is 0 or a multiple of the logits' rounding error
        assert np.all((usual == 0) | (np.abs(usual) > 1e-16))


HARDEST = ("noise 0.1, temperature 0.07", "noise 0.001, temperature 0.01", "noise 0.001")


@pytest.mark.parametrize("name", ALL)
def test_every_cell_of_every_loss_holds_in_float32(name):
    """At the hardest points for the 50 digits; `infonce-ref verify`, which .ci/run runs, checks all points,
    and random ones.
    """
    loss = ALL[name]
    asked = [
        h
        for h in ask_fixed_points(loss, "float32", np.asarray)
        if h.witness != precision.WITNESS or h.case.label in HARDEST
    ]
    checks = [check for hearing in asked for check in hear(hearing)]
    assert [check for check in checks if not check.holds] == []
    assert holds(checks, [loss])


@pytest.mark.torch
def test_numbers_that_a_library_flushes_to_zero_are_no_error(monkeypatch):
    """CuPy replaces float32 numbers below the smallest normal one by 0; PyTorch can make this thread do so."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    # a gradient of 1e-35 from a term of 1e-39
    hearing = [*ask_all(list_registered()["information.mine"], "float32")][39]
    if not torch.set_flush_denormal(True):
        pytest.skip("this processor cannot flush subnormal numbers to 0")
    try:
        assert all(check.holds for check in hear(hearing))
        monkeypatch.setattr(Case, "pairs", 1)
        assert not all(check.holds for check in hear(hearing))
    finally:
        torch.set_flush_denormal(False)
    assert not next(ask_all(ntxent.LOSS, "float32")).case.flushes
