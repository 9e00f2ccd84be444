"""The exact gradient of a formula, its parts, and how a wrong one is named."""

import numpy as np
import pytest

from infonce_ref.conformance import gradient
from infonce_ref.conformance.digits import arb
from infonce_ref.conformance.formula import Formula, phi
from infonce_ref.conformance.gradient import (
    Part,
    Point,
    describe_mixture,
    differentiate_formula,
    differentiate_parts,
    differentiate_values,
    distance,
    find_factor,
    find_worst,
    fit_parts,
    flat,
    judge,
    list_slips,
    locate,
    name_missing,
    name_rows,
    name_wrong,
    wrong_norms,
)

RNG = np.random.default_rng(0)
ARRAYS = {"x": RNG.standard_normal((3, 2)), "y": RNG.standard_normal((3, 2))}
CROSS = Formula(("positive", "other view"))
AT = Point(CROSS, ARRAYS, 2.0, 0.0, 0.5)
RIGHT = differentiate_formula(*AT)
PARTS = differentiate_parts(*AT)
NAMES = ["x", "y"]
ZEROS = {name: np.zeros((3, 2)) for name in NAMES}
FLAT = {part: flat(ZEROS | found, NAMES) for part, found in PARTS.items()}


def summed(*chosen):
    """The gradient that has only the chosen parts."""
    return sum((FLAT[part] for part in chosen), np.zeros(12))


def only(keep):
    return summed(*(part for part in FLAT if keep(part)))


def shaped(slopes):
    return {name: part.reshape(3, 2) for name, part in zip(NAMES, np.split(slopes, 2))}


def slope(function, arrays, name, step=1e-5):
    """By central differences, whose error is step² = 1e-10 of the terms."""
    found = np.empty(arrays[name].shape)
    for i in np.ndindex(found.shape):
        ahead, behind = (arrays[name].copy() for _ in range(2))
        ahead[i] += step
        behind[i] -= step
        found[i] = (function(arrays | {name: ahead}) - function(arrays | {name: behind})) / (2 * step)
    return found


# --- gradients --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_gradient_of_a_formula_is_exact(name):
    expected = 0.5 * slope(lambda arrays: phi(CROSS, arrays, 2.0), ARRAYS, name)
    assert np.allclose(RIGHT[name], expected, rtol=1e-7, atol=1e-9)


def test_it_has_all_digits():
    """Of −x·y by x it is −y, as long as every digit of float64 is there."""
    pull = Formula(("positive",), "first", "given", head="pull")
    found = differentiate_formula(pull, ARRAYS, 1.0, 0.0, 1.0)
    assert np.array_equal(found["x"], -ARRAYS["y"])
    assert np.array_equal(found["y"], -ARRAYS["x"])


def test_the_second_parameter_enters():
    margin = Formula(("positive", "other view"), head="margin on the positive")
    expected = slope(lambda arrays: phi(margin, arrays, 2.0, 0.4), ARRAYS, "x")
    assert np.allclose(
        differentiate_formula(margin, ARRAYS, 2.0, 0.4, 1.0)["x"], expected, rtol=1e-7, atol=1e-9
    )


def test_weights_may_be_held_constant():
    """With weights held, Σ_n W_n e^{t s_n} is differentiated through e^{t s_n} alone."""
    hard = Formula(("other view",), "first", "given", head="hard negatives")
    x, y = ARRAYS["x"], ARRAYS["y"]
    others = ~np.eye(3, dtype=bool)
    weights = np.exp(0.7 * 2 * x @ y.T) * others
    weights = 2 * weights / weights.sum(1, keepdims=True)

    def constant(arrays):
        s = 2 * arrays["x"] @ arrays["y"].T
        return np.sum(np.log(np.sum(weights * np.exp(s), axis=1)) - np.diag(s))

    held = differentiate_formula(hard, ARRAYS, 2.0, 0.7, 1.0, True)
    moving = differentiate_formula(hard, ARRAYS, 2.0, 0.7, 1.0)
    for name in NAMES:
        assert np.allclose(held[name], slope(constant, ARRAYS, name), rtol=1e-7, atol=1e-9)
    assert not np.allclose(held["x"], moving["x"], rtol=1e-3)
    parts = differentiate_parts(hard, ARRAYS, 2.0, 0.7, 1.0, True)
    assert np.allclose(
        sum(found["x"] for part, found in parts.items() if part.array == "x"), held["x"], rtol=1e-12
    )


def test_labels_have_no_gradient():
    arrays = {"w": np.concatenate([ARRAYS["x"], ARRAYS["y"]]), "labels": np.array([0, 1, 0, 0, 1, 1])}
    assert gradient.floats(arrays) == ["w"]
    assert gradient.exact(arrays)["labels"] is arrays["labels"]
    assert isinstance(gradient.exact(arrays)["w"][0, 0], arb)
    classes = Formula(("positive", "other view"), "first")
    assert differentiate_formula(classes, arrays, 2.0, 0.0, 1.0).keys() == {"w"}


def test_differences_are_central_or_ahead():
    def cube(arrays):
        return np.sum(arrays["x"] ** 3)

    x = {"x": np.array([1.0, 2.0])}
    assert np.allclose(gradient.differences(cube, x, "x", 0.5, 0.5), 3 * x["x"] ** 2 + 0.25)
    assert np.allclose(gradient.differences(cube, x, "x", 0.5), ((x["x"] + 0.5) ** 3 - x["x"] ** 3) / 0.5)
    assert np.allclose(
        gradient.differences(cube, x, "x", 0.5, 0.25), ((x["x"] + 0.5) ** 3 - (x["x"] - 0.25) ** 3) / 0.75
    )
    assert np.array_equal(x["x"], [1, 2])


@pytest.mark.parametrize(
    ("precision", "step"), [("float64", 1e-5), ("float32", 1e-2), ("float16", 5e-2), ("bfloat16", 1e-1)]
)
def test_a_value_is_differentiated_over_a_step_for_its_precision(precision, step):
    """Of x³ a central difference is 3x² + step²."""
    found = differentiate_values(
        lambda a: np.sum(a["x"] ** 3), {"x": np.zeros(2), "labels": np.zeros(2)}, precision
    )
    assert found.keys() == {"x"}
    assert found["x"] == pytest.approx([step**2] * 2, rel=1e-9, abs=0)


# --- parts ------------------------------------------------------------------------------------------------


def test_the_parts_add_up_to_the_gradient():
    assert np.allclose(summed(*FLAT), flat(RIGHT, NAMES), rtol=1e-12, atol=1e-14)


def test_every_part_of_a_symmetric_loss_exists():
    assert set(PARTS) == {
        Part(side, end, view, array)
        for side in ("anchor", "candidate")
        for end in ("pull", "push")
        for view, array in (("first", "x"), ("second", "y"))
        if side == "anchor"
    } | {
        Part("candidate", end, view, array)
        for end in ("pull", "push")
        for view, array in (("first", "y"), ("second", "x"))
    }


def test_a_loss_of_one_direction_has_parts_of_that_alone():
    parts = differentiate_parts(CROSS._replace(anchors="first"), ARRAYS, 2.0, 0.0, 0.5)
    assert {part.view for part in parts} == {"first"}


def test_a_part_is_the_gradient_by_one_copy_of_the_rows():
    """The push on anchors of the first view, of log Σ_c e^{t a·c} by a: t Σ_{c≠p} P_c c, of rows as they come."""
    given = CROSS._replace(rows="given")
    part = differentiate_parts(given, ARRAYS, 2.0, 0.0, 0.5)[Part("anchor", "push", "first", "x")]["x"]
    e = np.exp(2 * ARRAYS["x"] @ ARRAYS["y"].T)
    shares = e / e.sum(1, keepdims=True) * ~np.eye(3, dtype=bool)
    assert np.allclose(part, 0.5 * 2 * shares @ ARRAYS["y"], rtol=1e-10)


def test_factors_of_parts_are_fitted():
    own = 2 * summed(*FLAT) - FLAT[Part("anchor", "push", "first", "x")]
    factors = fit_parts(own, FLAT, 1e-9)
    assert flat_of(factors) == pytest.approx(own, rel=1e-9, abs=1e-12)
    assert (
        fit_parts(own + np.arange(12), {Part("anchor", "push", "first", "x"): FLAT[next(iter(FLAT))]}, 1e-9)
        is None
    )


def flat_of(factors):
    return sum(factor * FLAT[part] for part, factor in factors.items())


@pytest.mark.parametrize(
    ("keep", "name"),
    [
        (lambda p: p.array != "x", "one view detached"),
        (lambda p: p.array != "y", "one view detached"),
        (lambda p: p.side != "candidate", "candidates detached"),
        (lambda p: p.side != "anchor", "anchors detached"),
        (lambda p: p.end != "pull", "pull missing"),
        (lambda p: p.end != "push", "push missing"),
        (lambda p: not (p.end == "push" and p.side == "candidate"), "negatives detached"),
        (lambda p: not (p.end == "pull" and p.side == "candidate"), "positives detached"),
        (lambda p: p.view != "first", "one direction detached"),
        (lambda p: p.view != "second", "one direction detached"),
    ],
)
def test_missing_parts_are_named(keep, name):
    assert name_missing(only(keep), FLAT, 1e-9)[0] == name
    assert name_missing(only(keep) + 1e-6, FLAT, 1e-9) is None


@pytest.mark.parametrize(
    ("array", "words"), [("x", "the first view is detached"), ("y", "the second view is detached")]
)
def test_the_detached_view_is_named(array, words):
    assert name_missing(only(lambda p: p.array != array), FLAT, 1e-9)[1].startswith(words)


@pytest.mark.parametrize(
    ("gone", "name"), [(("negatives",), "negatives detached"), (("y", "negatives"), "keys detached")]
)
def test_given_negatives_may_be_detached(gone, name):
    arrays = {**ARRAYS, "negatives": RNG.standard_normal((2, 2))}
    queue = Formula(("positive", "negatives"), "first")
    names, zeros = list(arrays), {name: np.zeros(x.shape) for name, x in arrays.items()}
    parts = {p: flat(zeros | d, names) for p, d in differentiate_parts(queue, arrays, 2.0, 0.0, 0.5).items()}
    own = sum(x for part, x in parts.items() if part.array not in gone)
    assert name_missing(own, parts, 1e-9)[0] == name


def test_a_pattern_of_no_part_or_of_all_names_nothing():
    """All parts are of one view here: that the other's are missing is no mistake."""
    first = {part: x for part, x in FLAT.items() if part.view == "first" and part.side == "anchor"}
    assert name_missing(sum(first.values()), first, 1e-9) is None
    assert name_missing(np.zeros(12), first, 1e-9) is None


def test_twice_the_anchors_is_a_gradient_taken_for_symmetric():
    assert name_missing(2 * only(lambda p: p.side == "anchor"), FLAT, 1e-9) == gradient.SYMMETRIC
    assert name_missing(2 * only(lambda p: p.side == "candidate"), FLAT, 1e-9) is None


PUSHED = Part("anchor", "push", "first", "x")
OTHER = Part("anchor", "push", "second", "y")
INDEPENDENT = {part: np.eye(12)[k] * (k + 1) for k, part in enumerate(FLAT)}


def test_a_mixture_without_some_parts_is_described():
    own = sum(x for part, x in INDEPENDENT.items() if part != PUSHED)
    assert describe_mixture(own, INDEPENDENT, 1e-9) == (
        "parts missing",
        "the push through the anchors on the first view is missing: held constant",
    )
    own = own - INDEPENDENT[OTHER]
    name, sentence = describe_mixture(own, INDEPENDENT, 1e-9)
    assert (name, sentence.endswith("are missing: held constant")) == ("parts missing", True)
    assert "the push through the anchors on the second view" in sentence


def test_a_mixture_with_other_factors_is_described():
    own = sum(INDEPENDENT.values()) + 1.5 * INDEPENDENT[PUSHED] - INDEPENDENT[OTHER]
    name, sentence = describe_mixture(own, INDEPENDENT, 1e-9)
    assert name == "parts weighed otherwise"
    assert "2.5 × the push through the anchors on the first view" in sentence
    assert "0 × the push through the anchors on the second view" in sentence
    assert sentence.count("×") == 2
    assert describe_mixture(3 * sum(INDEPENDENT.values()), INDEPENDENT, 1e-9)[1].count("×") == 4


def test_what_is_no_mixture_is_not_described():
    assert describe_mixture(np.eye(12)[11], INDEPENDENT, 1e-9) is None


def test_a_mixture_without_a_missing_part_is_not_described():
    assert describe_mixture((1 + 1e-4) * sum(INDEPENDENT.values()), INDEPENDENT, 1e-9) is None


def test_a_gradient_rounded_to_float32_is_not_a_mixture_of_parts():
    rounded = {name: x.astype(np.float32).astype(np.float64) for name, x in RIGHT.items()}
    found = status(rounded)
    assert found.status == "wrong"
    assert found.sentence.endswith("e-08 of its largest entry: is a part of it computed in float32?")


# --- slips ------------------------------------------------------------------------------------------------


def test_a_norm_differentiated_wrongly():
    x, y = ARRAYS["x"], ARRAYS["y"]
    norms = {name: np.linalg.norm(v, axis=1, keepdims=True) for name, v in ARRAYS.items()}
    z = {name: v / norms[name] for name, v in ARRAYS.items()}
    dz = {name: 0.5 * slope(lambda a: phi(CROSS._replace(rows="given"), a, 2.0), z, name) for name in NAMES}

    def project(name, along):
        return dz[name] - np.sum(along * dz[name], axis=1, keepdims=True) * along

    slips = {slip.name: slip.gradients for slip in wrong_norms(CROSS, ARRAYS, 2.0, 0.0, 0.5)}
    expected = {
        "norm missing": lambda name: project(name, z[name]),
        "projection missing": lambda name: dz[name] / norms[name],
        "sphere forgotten": lambda name: dz[name],
        "projected by raw rows": lambda name: project(name, {"x": x, "y": y}[name]) / norms[name],
    }
    assert list(slips) == list(expected)
    for slip, of in expected.items():
        for name in NAMES:
            assert np.allclose(slips[slip][name], of(name), rtol=1e-6, atol=1e-8)
    assert all(np.allclose(project(name, z[name]) / norms[name], RIGHT[name], atol=1e-8) for name in NAMES)


def test_a_wrong_one_in_the_softmax():
    """Of rows as they come: P − 1[positive] with another number in place of 1, in both directions."""
    given = CROSS._replace(rows="given")
    x, y = ARRAYS["x"], ARRAYS["y"]
    e = np.exp(2 * x @ y.T)
    p = e / e.sum(1, keepdims=True) + e / e.sum(0, keepdims=True)
    slips = {slip.name: slip.gradients for slip in list_slips(given, ARRAYS, 2.0, 0.0, 0.5)}
    assert list(slips) == ["P for P − 1", "P − 2 for P − 1", "−1 for P − 1"]
    for name, g in zip(slips, (p, p - 4 * np.eye(3), -2 * np.eye(3))):
        assert np.allclose(slips[name]["x"], 0.5 * 2 * g @ y, rtol=1e-9, atol=1e-12)
        assert np.allclose(slips[name]["y"], 0.5 * 2 * g.T @ x, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("formula", "count"),
    [
        (CROSS, 4 + 3),
        (CROSS._replace(head="pull"), 4),
        (CROSS._replace(head="sigmoid", rows="given"), 3),
        (CROSS._replace(head="pull", rows="given"), 0),
    ],
)
def test_slips_are_of_what_the_formula_has(formula, count):
    assert len(list(list_slips(formula, ARRAYS, 2.0, 0.0, 0.5))) == count


def test_rows_of_a_bank_have_one_positive_each():
    arrays = {"x": ARRAYS["x"], "bank": RNG.standard_normal((5, 2)), "index": np.array([4, 0, 1])}
    found = list_slips(Formula(("positive", "other view"), "first", "given"), arrays, 2.0, 0.0, 0.5)
    assert [slip.gradients.keys() for slip in found] == [{"x", "bank"}] * 3


def test_labels_are_no_part_of_a_gradient():
    arrays = {"w": np.concatenate([ARRAYS["x"], ARRAYS["y"]]), "labels": np.array([0, 1, 0, 0, 1, 1])}
    parts = differentiate_parts(Formula(("positive", "other view"), "first"), arrays, 2.0, 0.0, 0.5)
    assert {part.array for part in parts} == {"w"}


def test_several_positives_have_no_one_in_the_softmax():
    arrays = {"w": np.concatenate([ARRAYS["x"], ARRAYS["y"]]), "labels": np.array([0, 1, 0, 0, 1, 1])}
    assert not list(list_slips(Formula(("positive", "other view"), "first", "given"), arrays, 2.0, 0.0, 0.5))


# --- the verdict ------------------------------------------------------------------------------------------


def test_without_a_gradient_there_is_no_verdict():
    assert judge(None, RIGHT, AT, RIGHT, 1e-8)[:4] == ("none", 0, 0, "")


def status(own, right=RIGHT, at=AT, by_value=RIGHT, tolerance=1e-8):
    return judge(own, right, at, by_value, tolerance)


def test_a_right_gradient():
    largest = max(np.max(abs(x)) for x in RIGHT.values())
    near = {name: x.copy() for name, x in RIGHT.items()}
    near["y"][1, 1] += 0.5e-8 * largest
    found = status(near, by_value={name: 2 * x for name, x in RIGHT.items()})
    assert (found.status, found.error) == ("right", pytest.approx(0.5e-8, rel=1e-5, abs=0))
    assert found.of_differences == pytest.approx(0.5, rel=1e-6, abs=0)
    near["y"][1, 1] += 1e-8 * largest
    assert status(near).status == "wrong"


def test_without_a_formula_it_is_compared_with_differences():
    assert status(RIGHT, None, None).status == "right"
    assert status(RIGHT, {name: 2 * x for name, x in RIGHT.items()}, None).status == "constant factor"
    assert status({name: x + 1 for name, x in RIGHT.items()}, None, None).mistake == "gradient wrong"


def test_a_gradient_with_nan_is_wrong():
    own = {name: x.copy() for name, x in RIGHT.items()}
    own["x"][0, 0] = np.nan
    assert status(own)[:2] == ("wrong", np.inf)
    assert status(own).mistake == "gradient not finite"


def test_no_gradient_at_all_is_named():
    assert status(ZEROS)[3] == "no gradient"
    assert status(ZEROS).status == "wrong"


def test_a_multiple_is_a_constant_factor():
    found = status({name: 2.5 * x for name, x in RIGHT.items()})
    assert (found.status, found.mistake) == ("constant factor", "gradient times a constant")
    assert found.sentence == "the gradient is 2.5 times the exact one"


def test_a_missing_part_is_named():
    found = status(shaped(only(lambda p: p.end != "push")))
    assert (found.status, found.mistake) == ("wrong", "push missing")


def test_a_slip_is_named():
    slips = {slip.name: slip.gradients for slip in list_slips(*AT)}
    for name in ("norm missing", "P − 2 for P − 1"):
        assert status(slips[name]).mistake == name


def test_a_slip_is_compared_only_where_a_gradient_is_needed():
    (slip, *_) = wrong_norms(CROSS, ARRAYS, 2.0, 0.0, 0.5)
    own = slip.gradients | {"y": ZEROS["y"]}
    assert name_wrong(own, ["x"], NAMES, AT, 1e-7)[0] == "norm missing"
    assert (name_wrong(own, NAMES, NAMES, AT, 1e-7) or ("",))[0] != "norm missing"


def test_rows_without_gradient_are_named():
    own = {name: x.copy() for name, x in RIGHT.items()}
    own["x"][1] = 0
    own["y"][2] = 0
    found = name_rows(own, NAMES, AT, 1e-8)
    assert found == ("rows detached", "no gradient reaches x[1], y[2]; every other row's is right")
    assert status(own).mistake == "rows detached"
    own["x"][0] *= 1.01
    assert name_rows(own, NAMES, AT, 1e-8) is None
    assert name_rows(RIGHT, NAMES, AT, 1e-8) is None


def test_no_more_than_four_rows_are_named():
    own = {"x": ZEROS["x"], "y": ZEROS["y"]}
    assert name_rows(own, NAMES, AT, 1e-8)[1].count("[") == 4


def test_the_entry_furthest_off_is_told():
    own = {name: x.copy() for name, x in RIGHT.items()}
    own["y"][2, 1] += 7
    own["x"][0, 1] -= 3
    mine, expected = flat(own, NAMES), flat(RIGHT, NAMES)
    name, sentence = find_worst(mine, expected, own, NAMES)
    assert name == "gradient wrong"
    assert sentence.endswith(f"furthest off at y[2, 1]: {own['y'][2, 1]:.6g} for {RIGHT['y'][2, 1]:.6g}")


# --- arithmetic -------------------------------------------------------------------------------------------


def test_gradients_are_flattened_in_the_order_of_the_names():
    found = flat({"x": np.array([[1, 2], [3, 4]]), "y": np.array([5])}, ["y", "x"])
    assert found.tolist() == [5, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("a", "b", "apart"), [([1.0, 2.0], [1.0, -4.0], 1.5), ([1.0, -7.0], [0.0, 0.0], 7.0), ([4.0], [8.0], 0.5)]
)
def test_the_distance_is_relative_to_the_largest_entry(a, b, apart):
    assert distance(np.array(a), np.array(b)) == apart


def test_a_factor_is_that_of_every_entry():
    expected = np.array([1.0, -2.0, 4.0])
    assert find_factor(-3 * expected, expected, 1e-9) == pytest.approx(-3)
    assert find_factor(expected + np.array([0, 0, 1e-3]), expected, 1e-9) is None
    assert find_factor(expected + np.array([0, 0, 1e-3]), expected, 1e-2) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("place", "words"), [(0, "x[0, 0]"), (3, "x[1, 1]"), (5, "x[2, 1]"), (6, "y[0]"), (7, "y[1]")]
)
def test_an_entry_is_located(place, words):
    assert locate(place, {"x": np.zeros((3, 2)), "y": np.zeros(2)}, NAMES) == words


def test_an_entry_beyond_the_last_is_an_error():
    with pytest.raises(IndexError):
        locate(8, {"x": np.zeros((3, 2)), "y": np.zeros(2)}, NAMES)


def test_the_factor_of_equal_gradients_is_1_without_a_tolerance():
    x = np.array([1.0, 2.0])
    assert find_factor(x, x, 0.0) == 1
