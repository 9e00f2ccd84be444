"""The judge itself: what a cell means, and that right gradients pass in both dtypes."""

import numpy as np
import pytest

from infonce_ref.losses import ALL, ntxent
from infonce_ref.verify import finite_difference, precision, symbolic
from infonce_ref.verify.case import Case, Check, relative
from infonce_ref.verify.judge import WITNESSES, cells, hear, hearings, holds

CHECK = Check("ntxent", "w", "symbolic", "here", 1.0, 2.0, "a reason")


class TestCells:
    def test_the_worst_check_stands_in_the_cell(self):
        worse = CHECK._replace(error=1.9, case="there")
        assert cells([CHECK, worse, CHECK])["ntxent", "w"]["symbolic"] is worse

    def test_worst_is_against_its_own_tolerance(self):
        loose = CHECK._replace(error=5.0, tolerance=100.0)
        assert cells([loose, CHECK])["ntxent", "w"]["symbolic"] is CHECK

    @pytest.mark.parametrize("order", [1, -1])
    def test_nan_is_worse_than_any_number_and_never_holds(self, order):
        nan = CHECK._replace(error=float("nan"))
        found = cells([CHECK._replace(error=9.0), nan][::order])["ntxent", "w"]["symbolic"]
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
    def test_measures_against_the_size_of_the_terms(self):
        assert relative([1.5], [1.0], [10.0], np.dtype("f8")) == pytest.approx(0.05)

    def test_is_absolute_below_the_smallest_normal_number(self):
        # 64·eps·floor = the smallest normal number, so an error of that size is just allowed
        tiny = float(np.finfo("f4").smallest_normal)
        assert relative([0.0], [tiny], [tiny], np.dtype("f4")) == pytest.approx(64 * 2**-23, rel=1e-4)

    @pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize("side", [0, 1, 2])
    def test_what_is_no_number_holds_nothing_on_whichever_side(self, side, bad):
        sides = [[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]
        sides[side][1] = bad
        assert np.isnan(relative(*sides, np.dtype("f8")))


class TestFiniteDifferences:
    def test_the_error_falls_with_the_square_of_the_step(self):
        case = Case.of(ntxent.LOSS, ntxent.LOSS.example(), "example", "float64")
        ladder = finite_difference.ladder(case, case.gradients()["w"], "w")
        # 4 for each halving; h⁴ terms are below a tenth of that at these steps
        np.testing.assert_allclose(ladder.errors[:4] / ladder.errors[1:5], 4, rtol=0.1)
        assert ladder.falls_as_square(1e-9)

    def test_a_wrong_gradient_leaves_the_error_standing(self):
        case = Case.of(ntxent.LOSS, ntxent.LOSS.example(), "example", "float64")
        ladder = finite_difference.ladder(case, 1.01 * case.gradients()["w"], "w")
        assert not ladder.falls_as_square(1e-9)


def with_one_moved(numbers, index, step):
    """Nested lists, or a number for the empty index, with one entry moved by a step."""
    if not index:
        return numbers + step
    return [with_one_moved(x, index[1:], step) if i == index[0] else x for i, x in enumerate(numbers)]


class TestPrecision:
    @pytest.mark.parametrize("loss", ALL.values(), ids=ALL)
    def test_its_slopes_are_those_of_a_difference(self, loss):
        """A step of 10⁻⁶⁰ with as many digits to spare: no rule of differentiation, and 50 digits all the same."""
        import mpmath

        from infonce_ref.derivations.prover.evaluate import evaluator

        case = Case.of(loss, loss.example(), "", "float64")
        statement = symbolic.statement_of(case)
        with mpmath.workdps(precision.digits(case) + 120):
            for name in loss.differentiable:
                index = symbolic.sample(np.shape(case.arguments[name]))[-1]
                value, size, (slope,) = precision.oracle(case, name, [index])
                environment, step = symbolic.bind(case), mpmath.mpf(10) ** -60
                variable = statement.gradients[name].variable
                moved = environment | {variable: with_one_moved(environment[variable], index, step)}
                difference = (evaluator(statement.definition, moved)({})[0] - value) / step
                assert abs(difference - slope) <= 1e-50 * max(1, abs(size))

    @pytest.mark.parametrize("temperature", [0.5, 0.01])
    def test_the_oracle_has_fifty_digits(self, temperature):
        """Twice the digits change nothing in the first fifty."""
        import mpmath

        case = Case.of(ntxent.LOSS, ntxent.LOSS.example(0, 1e-3, temperature=temperature), "", "float64")
        with mpmath.workdps(precision.digits(case)):
            value, _, (slope,) = precision.oracle(case, "temperature", [()])
        with mpmath.workdps(2 * precision.digits(case)):
            finer, _, (finer_slope,) = precision.oracle(case, "temperature", [()])
            assert abs(value / finer - 1) < 1e-50
            assert abs(slope / finer_slope - 1) < 1e-50

    def test_a_loss_of_1e_26_is_seen_where_the_usual_forms_return_zero(self):
        w = np.array([[1, 0], [np.cos(2), np.sin(2)], [1, 0], [np.cos(2), np.sin(2)]])
        tau = (1 - np.cos(2)) / (26 * np.log(10))
        value, _ = ntxent.forward(w, temperature=tau)
        logits = w @ w.T / tau - np.diag([np.inf] * 4)
        usual = np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1)) + logits.max(1) - 1 / tau
        assert 1e-26 < value < 3e-26
        # the usual form has lost every digit: it is 0 or a multiple of the logits' rounding error
        assert np.all((usual == 0) | (np.abs(usual) > 1e-16))


HARDEST = ("noise 0.1, temperature 0.07", "noise 0.001, temperature 0.01", "noise 0.001")


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("loss", ALL.values(), ids=ALL)
def test_every_cell_of_every_loss_holds(loss, dtype):
    """At the precision witness's hardest points; the command sweeps all of them."""
    asked = [h for h in hearings(loss, dtype) if h.witness != precision.WITNESS or h.case.label in HARDEST]
    checks = [check for hearing in asked for check in hear(hearing)]
    assert [check for check in checks if not check.holds] == []
    assert holds(checks, [loss])
