"""Temperature, second parameter, scale and shift are fitted to the values of a loss."""

import numpy as np
import pytest

from infonce_ref.conformance import fit
from infonce_ref.conformance.fit import INVERSE_TEMPERATURES, Fit, Measured, Start, solve
from infonce_ref.conformance.formula import Formula, phi
from infonce_ref.conformance.inputs import points

ACROSS = Formula(("positive", "other view"))
PULL = Formula(("positive", "other view"), head="pull")
POWER = Formula(("positive",), "first", similarity="distance", head="power")
HARD = Formula(("other view",), head="hard negatives")
SIGMOID = Formula(("positive", "other view"), "first", head="sigmoid")
POINTS = points("views", 4)
EXACT = 1e-9  # relative: a minimum where the residual is rounding error
STEP = np.log(INVERSE_TEMPERATURES[1] / INVERSE_TEMPERATURES[0])


def measured(formula, t, e=0.0, scale=1.0, shift=0.0):
    return Measured(POINTS, np.array([scale * phi(formula, point, t, e) + shift for point in POINTS]))


def softened(**numbers):
    return ACROSS._replace(numbers=tuple(numbers.items()))


def test_scale_and_shift_of_each_row_are_found():
    rows = np.random.default_rng(0).standard_normal((2, 7))
    weights = np.random.default_rng(1).uniform(0.1, 2, (2, 7))
    scale, shift, residual = solve(rows, 2 * rows[0] + 3, weights)
    assert (scale[0], shift[0]) == pytest.approx((2, 3), rel=1e-12, abs=0)  # a few roundings
    assert residual[0] < 1e-12 < residual[1]


def test_they_are_those_of_weighted_least_squares():
    rng = np.random.default_rng(2)
    row, values, w = rng.standard_normal((3, 9))
    best = np.linalg.lstsq(np.stack([w * row, w], axis=1), w * values, rcond=None)[0]
    scale, shift, _ = solve(row[None], values, w[None])
    assert (scale[0], shift[0]) == pytest.approx(
        best, rel=1e-10, abs=0
    )  # roundings, times the condition number


def test_the_residual_is_relative_to_how_much_the_values_vary():
    """Of values ±2 and a row that is orthogonal to them, nothing is explained; of (1, 1) + (1, −1) a half is."""
    row = np.array([1.0, -1.0, 1.0, -1.0])
    across = np.array([2.0, 2.0, -2.0, -2.0])
    even = np.ones((1, 4))
    assert solve(row[None], across + 5, even)[2][0] == pytest.approx(1, rel=1e-12, abs=0)
    assert solve(row[None], across / 2 + row, even)[2][0] == pytest.approx(np.sqrt(0.5), rel=1e-12, abs=0)


def test_the_residual_weighs_squares_by_squared_weights():
    """Point 3 is off the line through points 1 and 2, weighed 0: the fit is exact. Swapped weights are not."""
    row, values = np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 0.0])
    assert solve(row[None], values, np.array([[1.0, 2.0, 0.0]]))[2][0] < 1e-12
    # with w² = (1, 4, 1): mean of the row 1, of the values 13/6; scale = −1/2, by hand
    scale, _, residual = solve(row[None], values, np.array([[1.0, 2.0, 1.0]]))
    left = np.array([1, 3, 0]) - 13 / 6 + 0.5 * (row - 1)
    spread = np.array([1, 3, 0]) - 13 / 6
    w = np.array([1, 4, 1])
    assert scale[0] == pytest.approx(-0.5)
    assert residual[0] == pytest.approx(np.sqrt(w @ left**2 / (w @ spread**2)), rel=1e-12, abs=0)


@pytest.mark.parametrize("row", [[2.0, 2.0, 2.0], [0.0, np.inf, 1.0], [0.0, np.nan, 1.0]])
def test_a_row_that_is_constant_or_not_finite_does_not_fit(row):
    assert solve(np.array([row]), np.array([1.0, 2.0, 4.0]), np.ones((1, 3)))[2][0] == np.inf


def test_constant_values_are_fitted_by_a_scale_of_zero():
    scale, shift, residual = solve(np.array([[1.0, 2.0]]), np.full(2, 7.0), np.ones((1, 2)))
    assert (scale[0], shift[0], residual[0]) == (0, 7, 0)


def test_phi_of_many_temperatures_is_that_of_each():
    data, t, e = measured(HARD, 1.0, 1.0), np.array([0.5, 3.0]), np.array([1.0, 0.2])
    expected = [[phi(HARD, point, *te) for point in POINTS] for te in zip(t, e)]
    assert np.allclose(data.phi(HARD, t, e), expected, rtol=1e-12, atol=0)
    assert np.allclose(data.phi(HARD, t, e, 4), np.array(expected)[:, ::4], rtol=1e-12, atol=0)


def test_phi_without_a_temperature_has_a_row_for_each_all_the_same():
    found = measured(PULL, 1.0).phi(PULL, np.array([0.5, 3.0]), np.zeros(2))
    assert found.shape == (2, len(POINTS))
    assert np.array_equal(found[0], found[1])


def test_similarities_are_of_the_formula_in_any_order():
    data = measured(ACROSS, 1.0)
    plain = data.similarities(ACROSS)
    long = data.similarities(softened(length=1.0))
    given = data.similarities(ACROSS._replace(rows="given"))
    apart = data.similarities(ACROSS._replace(similarity="distance"))
    assert np.all(abs(long) < abs(plain))
    assert np.array_equal(data.similarities(ACROSS), plain)
    assert not np.allclose(given, plain)
    assert not np.allclose(apart, plain)
    assert data.similarities(softened(logarithm=1.0)) is plain


def test_places_are_of_the_formula_in_any_order():
    data = measured(ACROSS, 1.0)
    own = data.places(ACROSS)
    shifted = data.places(ACROSS._replace(positive="next"))
    assert np.argmax(own.roles["positive"][0]) == 4
    assert np.argmax(shifted.roles["positive"][0]) == 5
    assert data.places(ACROSS) is own
    assert len(data.places(ACROSS._replace(rows="columns")).first) == 10


def test_a_weight_is_one_over_one_plus_t_times_the_range():
    data = Measured([{"scores": np.array([[0.0, 3.0], [1.0, 2.0]]), "positive": np.arange(2)}], np.ones(1))
    formula = Formula(("positive", "other view"), rows="given")
    assert data.weights(formula, np.array([0.5, 2.0])).tolist() == [[1 / 2.5], [1 / 7]]
    assert data.weights(formula._replace(head="pull"), np.array([0.5, 2.0])).tolist() == [[1 / 4], [1 / 4]]


def test_every_second_point_is_compared_on_the_grid():
    data = measured(ACROSS, 5.0)
    assert fit.residuals(ACROSS, data, np.array([5.0]), np.zeros(1))[0] < EXACT
    data.values[1::2] += 1
    assert fit.residuals(ACROSS, data, np.array([5.0]), np.zeros(1))[0] < EXACT
    data.values[2] += 1
    assert fit.residuals(ACROSS, data, np.array([5.0]), np.zeros(1))[0] > 1e-3


def test_the_search_starts_at_the_best_temperature_of_the_grid():
    t = INVERSE_TEMPERATURES[25]
    (start,) = fit.starts(7, ACROSS, measured(ACROSS, t))
    assert start == Start(start.residual, 7, ACROSS, t, 0.0)
    assert start.residual < EXACT


def test_it_starts_once_for_each_second_parameter_tried():
    t = INVERSE_TEMPERATURES[25]
    found = fit.starts(0, HARD, measured(HARD, t, 0.5))
    assert [start.e for start in found] == [0.1, 0.5, 1.0, 2.0]
    best = min(found)
    assert (best.t, best.e) == (t, 0.5)
    assert best.residual < EXACT


def test_without_a_temperature_it_starts_once_at_the_best_second_parameter():
    (start,) = fit.starts(0, POWER, measured(POWER, 1.0, 1.5))
    assert start == Start(start.residual, 0, POWER, 1.0, 1.5)
    assert start.residual < EXACT


@pytest.mark.parametrize("k", [25, 26])
def test_a_start_is_refined_to_64ths_of_a_step_of_the_grid(k):
    t = INVERSE_TEMPERATURES[25] * np.exp(37 / 64 * STEP)
    refined = fit.refine_start(Start(1.0, 3, HARD, INVERSE_TEMPERATURES[k], 0.5), measured(HARD, t, 0.5))
    assert refined == Start(refined.residual, 3, HARD, pytest.approx(t, rel=1e-12, abs=0), 0.5)
    assert refined.residual < EXACT


def test_a_start_without_a_temperature_is_left():
    start = Start(0.5, 0, POWER, 1.0, 1.5)
    assert fit.refine_start(start, measured(POWER, 1.0, 1.5)) is start


def test_numbers_are_replaced_by_their_logarithms_within_bounds():
    formula = softened(logarithm=1.0, length=2.0, root=3.0)
    found = dict(fit.replace_numbers(formula, np.array([np.log(0.5), -100, 9])).numbers)
    assert found == {
        "logarithm": pytest.approx(0.5),
        "length": pytest.approx(np.exp(-60)),
        "root": pytest.approx(np.exp(3)),
    }


@pytest.mark.parametrize(
    ("formula", "at", "start"),
    [
        (ACROSS, (5.0, 0.0), (4.2, 0.0)),
        (ACROSS, (5.0, 0.0), (0.5, 0.0)),  # more than one step of a factor √e away
        (POWER, (1.0, 1.7), (1.0, 1.5)),
        (HARD, (6.0, 0.4), (4.5, 0.5)),
        (SIGMOID, (6.0, -4.3), (5.0, -4.0)),
        (SIGMOID, (6.0, 0.001), (5.0, 0.0)),  # a bias near 0
        (PULL, (1.0, 0.0), (1.0, 0.0)),
    ],
)
def test_a_fit_is_refined_to_rounding(formula, at, start):
    found = fit.refine(formula, measured(formula, *at, scale=-1.5, shift=0.25), *start)
    assert found.residual < EXACT
    # t and e as accurately as the residual allows, where they enter
    expected = Fit(formula, *at, -1.5, 0.25, found.residual)
    assert found[1:5] == pytest.approx(expected[1:5], rel=1e-5, abs=1e-6)


def test_a_further_number_is_refined_with_the_temperature():
    formula = softened(logarithm=0.02)
    data = Measured(POINTS, np.array([phi(formula, point, 5.0) for point in POINTS]))
    found = fit.refine(softened(logarithm=0.003), data, 4.5, 0.0)
    assert found.residual < EXACT
    assert found.t == pytest.approx(5, rel=1e-6, abs=0)
    assert found.formula.numbers == (("logarithm", pytest.approx(0.02, rel=1e-5, abs=0)),)


def test_a_temperature_is_not_refined_beyond_its_bound():
    """At a large t a log Σ eˣ is t times the largest similarity: every larger t fits as well."""
    data = measured(ACROSS, 1e5)
    assert fit.refine(ACROSS, data, 4000.0, 0.0).t <= 5e3 * (1 + 1e-12)
    small = measured(ACROSS, 1e-6)
    assert fit.refine(ACROSS, small, 3e-4, 0.0).t >= 1e-4 * (1 - 1e-12)


def test_a_fit_at_a_given_temperature_uses_all_points():
    data = measured(ACROSS, 5.0, scale=2.0, shift=1.0)
    assert fit.fit_at(ACROSS, data, 5.0, 0.0)[:5] == (
        ACROSS,
        5.0,
        0.0,
        pytest.approx(2, rel=1e-9, abs=0),
        pytest.approx(1, rel=1e-9, abs=0),
    )
    data.values[1] += 1
    assert fit.fit_at(ACROSS, data, 5.0, 0.0).residual > 1e-3


def test_the_right_formula_is_among_the_nearest():
    formulas = [PULL, ACROSS._replace(anchors="first"), ACROSS]
    found = fit.fit_nearest(formulas, measured(ACROSS, 5.0))
    assert found[0].formula == ACROSS
    assert [each.residual < EXACT for each in found] == [True, False, False]
    assert found[0].t == pytest.approx(5, rel=1e-6, abs=0)


def test_a_large_bias_at_a_low_temperature_is_found():
    data = measured(SIGMOID, 20.0, -13.0)
    nearest = min(fit.fit_nearest([ACROSS, SIGMOID], data), key=lambda found: found.residual)
    assert nearest.residual < EXACT
    assert (nearest.formula, nearest.t, nearest.e) == (
        SIGMOID,
        pytest.approx(20, rel=1e-5, abs=0),
        pytest.approx(-13, rel=1e-5, abs=0),
    )


def test_more_biases_are_tried_only_if_nothing_fits():
    fits, strange = measured(SIGMOID, 20.0, -13.0), measured(ACROSS, 1.0)
    tried = len(fit.starts(0, SIGMOID, fits))
    assert len(fit.fit_nearest([SIGMOID], fits)) == tried
    assert len(fit.fit_nearest([SIGMOID], strange)) == tried + len(fit.basins(SIGMOID, strange)) > tried
    assert len(fit.fit_nearest([ACROSS], measured(SIGMOID, 20.0, -13.0))) == 1


def test_basins_are_the_lowest_points_of_a_grid_over_temperature_and_bias():
    t = np.geomspace(1e-2, 2e2, 61)[45]
    data = measured(SIGMOID, t, -9.0)
    found = fit.basins(SIGMOID, data)
    assert found[0] == (t, -9.0)
    at = [fit.residuals(SIGMOID, data, np.array([t]), np.array([e]))[0] for t, e in found]
    assert at == sorted(at)
    assert len(found) <= 6
