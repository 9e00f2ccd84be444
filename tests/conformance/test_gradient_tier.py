"""The verdict on a loss's own gradient: right, a part of it held constant, or wrong in a way that has a name."""

import numpy as np
import pytest

from infonce_ref.conformance import gradient_tier
from infonce_ref.conformance.asking import Way, example
from infonce_ref.conformance.formula import Formula
from infonce_ref.conformance.gradient import STEPS, Judgement, differentiate_formula
from infonce_ref.conformance.gradient_tier import (
    Slope,
    approve,
    compare_factors,
    confirm,
    differentiate,
    fail,
    find_constant,
    find_slopes,
    find_target,
    find_tolerances,
    formula_at,
    hold,
    holds_keys,
    holds_target,
    holds_weights,
    ignores_upstream,
    judge,
    judge_another_size,
    judge_arrays,
    judge_dtypes,
    judge_frozen,
    judge_learned,
    judge_numbers,
    measure_factor,
    record_differences,
    somewhere_steep,
)
from infonce_ref.conformance.identification import Nearest
from infonce_ref.conformance.names import Difference, Found, Reduction
from infonce_ref.conformance.question import Question
from infonce_ref.conformance.session import Session
from infonce_ref.conformance.target import target
from infonce_ref.conformance.verdicts import Record, Verdict

ROWS = Formula(("positive", "other view"), "first", "given")  # of scores, whose temperature is the caller's
PULL = Formula(("positive",), "first", "given", head="pull")


def found(formula=ROWS, temperature=1.0, second=None, law="mean", factor=1.0, **more):
    given = {"shift": 0.0, "residual": 1e-15, "tolerance": 1e-9, "candidates": 4, "size": 4} | more
    return Found(formula, temperature, second, Reduction(law, factor), **given)


def value(scores, scale=1.0):
    return scale * (np.log(np.exp(scores).sum(axis=1)) - np.diag(scores)).mean()


def slope(scores, scale=1.0):
    p = np.exp(scores)
    return scale * (p / p.sum(axis=1, keepdims=True) - np.eye(len(scores))) / len(scores)


def nearest(backward=slope, loss=value, held=None, name="scores", precision="float64"):
    held = found() if held is None else held or None
    return Nearest(Way(name, Session(target(loss, {}, backward), "numpy")), None, held, None, precision)


def question(is_=None):
    return Question(target(value, {}), is_)


def judged(backward, loss=value, held=None, is_=None, wrong=False, name="scores"):
    return judge_arrays(question(is_), nearest(backward, loss, held, name), [], wrong)


# --- a gradient by its arrays -----------------------------------------------------------------------------


def test_a_right_gradient():
    result = judged(slope)
    assert result.verdict[:2] == ("right", True)
    assert "the exact gradient of the formula" in result.verdict.sentence
    assert result.live == ("scores",)
    assert [record.check for record in result.records] == [
        "gradient",
        "gradient by differences",
        "gradient at 6",
    ]
    assert all(record.good for record in result.records)
    assert (result.mistakes, result.held) == ([], False)


def test_a_right_gradient_of_no_known_formula():
    result = judged(slope, held=False)
    assert result.verdict[:2] == ("right", True)
    assert "differences of its own value" in result.verdict.sentence
    assert [record.check for record in result.records] == ["gradient"]
    assert result.records[0].tolerance == 1e-4


def test_without_a_gradient_there_is_no_verdict():
    assert judged(None).verdict[:2] == ("none", True)


@pytest.mark.parametrize(
    ("backward", "mistake", "word"),
    [
        (lambda scores, scale=1.0: slope(scores) / 2, "gradient times a constant", "constant factor"),
        (
            lambda scores, scale=1.0: slope(scores) * len(scores),
            "gradient times a number that varies",
            "wrong",
        ),
        (
            lambda scores, scale=1.0: slope(scores) + np.eye(len(scores)) / len(scores),
            "P for P − 1",
            "wrong",
        ),
        (lambda scores, scale=1.0: 0 * scores, "no gradient", "wrong"),
        (lambda scores, scale=1.0: slope(scores) + 1, "gradient wrong", "wrong"),
    ],
)
def test_a_wrong_gradient(backward, mistake, word):
    result = judged(backward)
    assert (result.verdict.word, result.verdict.holds) == (word, False)
    assert [each.mistake for each in result.mistakes] == [mistake]
    assert result.records[0].status == "fails"
    assert result.live == ()


def test_a_gradient_that_is_right_at_one_size_alone():
    def of_four(scores, scale=1.0):
        return slope(scores) * len(scores) / 4

    result = judged(of_four)
    assert [each.mistake for each in result.mistakes] == ["right at one batch size"]
    assert not result.verdict.holds
    assert [record.status for record in result.records] == ["holds", "holds", "fails"]


def test_an_error_in_the_gradient_is_told():
    def raises(scores, scale=1.0):
        raise ValueError("not written")

    result = judge(question(), nearest(raises), [], False)
    assert [each.mistake for each in result.mistakes] == ["gradient raises"]
    assert "not written" in result.verdict.sentence


# --- records and words ------------------------------------------------------------------------------------


def test_a_failure_tells_every_mistake():
    mistakes = Difference("a", "one"), Difference("b", "two")
    assert fail(*mistakes) == Slope(Verdict("wrong", False, "one; two"), (), mistakes)
    own = [Record("c", "fails", 1.0, 0.5, "w", "r")]
    assert fail(mistakes[0], word="none", records=own)[:2] == (Verdict("none", False, "one"), own)


def test_what_is_held_constant_is_told_before_the_verdict():
    assert approve("within 1e-9", [], ("x",)) == Slope(Verdict("right", True, "within 1e-9"), [], [], ("x",))
    sentence = approve("within 1e-9", ["y", "negatives"], ()).verdict.sentence
    assert sentence.startswith("y and negatives constant, ")
    assert sentence.endswith("; else within 1e-9")


def test_records_hold_by_the_verdict():
    own = Record("gradient", "fails", 1.0, 0.5, "w", "r")
    verdict = Slope(Verdict("right", True, "because"))
    assert hold([own], verdict) == [own._replace(status="holds", reason="because")]


@pytest.mark.parametrize(("error", "status"), [(1e-5, "holds"), (1e-3, "fails")])
def test_differences_are_recorded(error, status):
    made = record_differences(Judgement("right", 0.0, error, "", ""), 1e-4)
    assert made[:4] == ("gradient by differences", status, error, 1e-4)


@pytest.mark.parametrize(
    ("precision", "exact", "held", "expected"),
    [
        ("float64", True, found(), (1e-8, 1e-4)),
        ("float64", False, found(), (1e-4, 1e-4)),
        ("float32", True, found(), (1e-4, 1e-3)),
        ("float32", True, found(temperature=0.1), (1e-4, 2.5e-3)),
        ("float32", False, found(), (1e-3, 1e-3)),
        ("float64", True, found(residual=1e-7), (1e-5, 1e-4)),
        ("float64", True, found(temperature=0.05), (1e-8, 4e-4)),
        ("float64", True, found(temperature=0.2), (1e-8, 1e-4)),
        ("float64", False, False, (1e-4, 1e-4)),
    ],
)
def test_tolerances_grow_with_rounding_and_cold_temperatures(precision, exact, held, expected):
    assert find_tolerances(nearest(held=held, precision=precision), exact) == pytest.approx(expected)


# --- factors ----------------------------------------------------------------------------------------------


def test_the_factor_is_measured_at_any_batch():
    arrays = example("scores", 6)
    half = nearest(lambda scores, scale=1.0: slope(scores) / 2)
    assert measure_factor(half, arrays, 1e-8) == pytest.approx(0.5)
    assert measure_factor(half._replace(found=None), arrays, 1e-4) == pytest.approx(0.5, rel=1e-4, abs=0)
    assert measure_factor(nearest(lambda scores, scale=1.0: slope(scores) + 1), arrays, 1e-8) is None


def test_the_factor_of_no_gradient_is_zero():
    flat = nearest(lambda scores, scale=1.0: 0 * scores, lambda scores, scale=1.0: 1.0, False)
    assert measure_factor(flat, example("scores", 4), 1e-4) == 0


OUT = Judgement("constant factor", 1.0, 1.0, "gradient times a constant", "the gradient is 2 times")


@pytest.mark.parametrize(
    ("times", "status", "words"),
    [
        (lambda s: 2.0, "constant factor", "the gradient is 2 times"),
        (lambda s: 2.0 * len(s) / 4, "wrong", "at 4 pairs, and 3 times at 6"),
        (lambda s: 2.0 + (s[0, 0] > 0), "wrong", "another multiple or none at others"),
    ],
)
def test_a_factor_may_vary_with_the_batch(times, status, words):
    asked = nearest(lambda scores, scale=1.0: times(scores) * slope(scores))
    result = compare_factors(asked, example("scores", 4), OUT, 1e-8)
    assert result.status == status
    assert words in result.sentence
    assert (result is OUT) is (status == "constant factor")
    assert result.mistake == ("gradient times a number that varies" if status == "wrong" else OUT.mistake)


@pytest.mark.parametrize("there", [2.25, 1.75])
def test_a_factor_may_vary_by_the_tolerance(there, monkeypatch):
    """An eighth of 2 is a quarter."""
    factors = {4: 2.0, 6: there}
    monkeypatch.setattr(gradient_tier, "measure_factor", lambda _, arrays, __: factors[len(arrays["scores"])])
    assert compare_factors(nearest(), example("scores", 4), OUT, 0.125) is OUT


def test_slopes_are_exact_or_differences():
    arrays = example("scores", 4)
    exact, measured = find_slopes(nearest(), arrays), find_slopes(nearest(held=False), arrays)
    assert np.allclose(exact["scores"], slope(arrays["scores"]), rtol=1e-12, atol=1e-15)
    assert np.allclose(measured["scores"], slope(arrays["scores"]), rtol=1e-6, atol=1e-9)
    assert not np.array_equal(measured["scores"], exact["scores"])


def test_the_gradient_is_compared_at_another_size():
    right = judge_another_size(nearest(), ("scores",), 1e-8)
    assert right[:2] == ("gradient at 6", "holds")
    assert (right.reason, right.witness) == (gradient_tier.REASON, "the exact gradient of the formula")
    wrong = judge_another_size(
        nearest(lambda scores, scale=1.0: slope(scores) * len(scores) / 4), ("scores",), 1e-8
    )
    assert (wrong.status, wrong.error) == ("fails", pytest.approx(0.5))
    assert wrong.reason.startswith(
        "the gradient is right at 4 pairs, and off by 0.5 of its largest entry at 6"
    )
    unknown = judge_another_size(nearest(held=False), ("scores",), 1e-4)
    assert unknown.witness == "differences of its own value"


def test_an_array_that_is_not_reached_should_have_none():
    asked = nearest(lambda scores, scale=1.0: 0 * scores)
    assert judge_another_size(asked, (), 1e-8).status == "holds"
    assert judge_another_size(asked, ("scores",), 1e-8).status == "fails"


def test_a_formula_at_a_point_has_its_factor_and_temperature():
    arrays = example("scores", 4)
    point = formula_at(found(ROWS._replace(sign=-1), -0.25, 0.5, factor=3.0, held=True), arrays)
    assert point == (ROWS, arrays, -4, 0.5, 0.75, True)
    assert formula_at(found(law="sum"), arrays)[2:] == (1, 0.0, 1, False)


def test_a_finding_is_confirmed_at_another_size():
    arrays = example("scores", 4)
    detached = Judgement("wrong", 1.0, 1.0, "pull missing", "the pull is missing")
    pushed = nearest(lambda scores, scale=1.0: slope(scores) * (1 - np.eye(len(scores))))
    assert confirm(detached, question(), pushed.way, found(), 1e-8) is detached
    at_one = confirm(detached, question(), nearest().way, found(), 1e-8)
    assert at_one.mistake == "gradient wrong"
    assert at_one.sentence == "at 4 pairs the pull is missing; at 6 it is right"
    vague = detached._replace(mistake="gradient wrong")
    assert confirm(vague, question(), nearest().way, found(), 1e-8) is vague
    assert arrays["scores"].shape == (4, 4)


# --- arrays that are held constant ------------------------------------------------------------------------


def constant(own, by_value, held=False, is_=None, tolerance=1e-4):
    own, by_value = ({n: np.array(x, float) for n, x in each.items()} for each in (own, by_value))
    return find_constant(question(is_), nearest(held=held), own, by_value, tolerance)


@pytest.mark.parametrize(
    ("own", "by_value", "still"),
    [
        ({"x": [1, 2], "y": [0, 0]}, {"x": [1, 2], "y": [3, 4]}, ["y"]),
        ({"x": [1, 2], "y": [3, 4]}, {"x": [1, 2], "y": [3, 4]}, []),
        ({"x": [1, 2], "y": [0, 4]}, {"x": [1, 2], "y": [3, 4]}, []),
        ({"x": [1, 2], "negatives": [0, 4]}, {"x": [1, 2], "negatives": [3, 4]}, ["negatives"]),
        ({"x": [1, 2], "bank": [0, 4]}, {"x": [1, 2], "bank": [3, 4]}, ["bank"]),
        ({"x": [0, 0], "y": [0, 0]}, {"x": [1, 2], "y": [3, 4]}, []),
    ],
)
def test_a_teacher_or_a_memory_may_be_constant(own, by_value, still):
    assert constant(own, by_value) == still


def test_constants_are_looked_for_without_claim_and_formula():
    own, by_value = {"x": [1], "y": [0]}, {"x": [1], "y": [3]}
    assert constant(own, by_value, is_="clip") == []
    assert constant(own, by_value, held=found()) == []
    assert find_constant(question(), nearest(held=False), None, {}, 1e-4) == []


HARD = Formula(("other view",), "first", "given", head="hard negatives")


def hard(scores, beta=0.5):
    others = ~np.eye(len(scores), dtype=bool)
    weights = np.exp(beta * scores) * others
    weights *= (len(scores) - 1) / weights.sum(axis=1, keepdims=True)
    return np.mean(np.log(np.sum(weights * np.exp(scores), axis=1)) - np.diag(scores))


def with_weights(held, moved=0.0):
    def backward(scores, beta=0.5):
        arrays = {"scores": scores, "positive": np.arange(len(scores))}
        return differentiate_formula(HARD, arrays, 1.0, 0.5, 1 / len(scores), held)["scores"] + moved

    return nearest(backward, hard, found(HARD, second=0.5))


def holds(asked, is_=None, tolerance=1e-8):
    arrays = somewhere_steep(asked)[0]
    right = differentiate_formula(*formula_at(asked.found, arrays)) if asked.found else None
    return holds_weights(question(is_), asked, asked.way.gradient(arrays), right, tolerance)


def test_weights_may_be_held_constant():
    assert holds(with_weights(True))
    assert not holds(with_weights(False))
    assert not holds(with_weights(True, 1e-3))
    assert not holds(with_weights(True), is_="dhn_nce")
    assert not holds(with_weights(True), tolerance=10.0)  # by which both would be right
    assert not holds(nearest())
    asked = with_weights(True)
    assert not holds(asked._replace(found=asked.found._replace(held=True)))
    assert not holds_weights(question(), asked, None, None, 1e-8)


def test_held_weights_are_told_and_kept():
    result = judge_arrays(question(), with_weights(True), [], False)
    assert result.verdict[:2] == ("right", True)
    assert result.verdict.sentence.startswith("the weights are held constant")
    assert result.held
    assert not judge_arrays(question(), with_weights(False), [], False).held


@pytest.mark.parametrize(
    ("anchors", "live", "candidates", "head", "expected"),
    [
        ("first", ("x",), ("positive", "other view"), "cross-entropy", True),
        ("first", ("y",), ("positive", "other view"), "cross-entropy", False),
        ("second", ("y",), ("positive", "other view"), "cross-entropy", True),
        ("both", ("x",), ("positive", "other view"), "cross-entropy", False),
        ("first", ("x",), ("positive", "same view"), "cross-entropy", False),
        ("first", ("x",), ("positive", "other view"), "sigmoid", False),
    ],
)
def test_keys_are_held_by_a_loss_of_one_direction(anchors, live, candidates, head, expected):
    assert holds_keys(Formula(candidates, anchors, head=head), live) is expected


def predictor(*names):
    """A function of arrays with these names."""
    made = {}
    exec(f"def loss({', '.join(names)}): return 0.0", made)
    return made["loss"]


@pytest.mark.parametrize(
    ("names", "way", "expected"),
    [
        (("p", "z"), "two", "y"),
        (("target", "online"), "two", "x"),
        (("x", "y"), "two", ""),
        (("p", "y"), "two", ""),
        (("student_rows", "teacher_rows"), "two", "y"),
        (("p1", "z2", "p2", "z1"), "predictions and projections", "y"),
        (("p1", "p2", "z1", "z2"), "predictions, then projections", "y"),
        (("z1", "z2", "p1", "p2"), "predictions, then projections", "x"),
        (("p", "z"), "concatenated", ""),
        (("*views",), "two", ""),
    ],
)
def test_names_tell_which_array_is_the_target(names, way, expected):
    assert find_target(Way(way, Session(target(predictor(*names), {}), "numpy"))) == expected


DETACHED = Judgement("wrong", 1.0, 1.0, "one view detached", "the second view is detached: no gradient")


def targeted(out, live, names=("p", "z"), is_=None, formula=PULL):
    asked = nearest(None, predictor(*names), found(formula, None), "two")
    return holds_target(question(is_), asked, out, live, {"x": 1, "y": 1})


def test_a_loss_of_pulls_may_hold_its_target():
    result = targeted(DETACHED, ("x",))
    assert result.verdict[:2] == ("right", True)
    assert (
        result.verdict.sentence
        == "the second view is detached, as a target is; else it is the exact gradient"
    )
    assert result.live == ("x",)


@pytest.mark.parametrize("is_", [None, "byol", "simsiam"])
def test_the_wrong_side_may_be_held(is_):
    result = targeted(DETACHED, ("y",), is_=is_)
    assert [each.mistake for each in result.mistakes] == ["stop gradient on the wrong side"]


def test_the_side_is_unknown_if_the_names_do_not_tell():
    unknown = targeted(DETACHED, ("y",), ("x", "y"))
    assert unknown.verdict.holds
    assert unknown.verdict.sentence.endswith("the stop-gradient would be on the wrong side")
    assert "wrong side" not in targeted(DETACHED, ("x",), ("x", "y")).verdict.sentence
    assert "wrong side" not in targeted(DETACHED, ("y",), ("target", "online")).verdict.sentence
    assert not targeted(DETACHED, ("y",), ("x", "y"), "byol").verdict.holds


def test_a_missing_stop_gradient_is_named_for_a_claimed_loss_alone():
    right = Judgement("right", 0.0, 0.0, "", "")
    missing = targeted(right, ("x", "y"), is_="byol")
    assert [each.mistake for each in missing.mistakes] == ["stop-gradient missing"]
    assert targeted(right, ("x", "y")) is None
    assert targeted(right, ("x", "y"), is_="clip") is None
    assert targeted(DETACHED, ("x",), is_="clip") is None


def test_keys_may_be_held_constant_without_a_claim():
    keys = DETACHED._replace(mistake="keys detached")
    result = targeted(keys, ("x",), formula=ROWS)
    assert result.verdict == Verdict("right", True, gradient_tier.KEYS_HELD)
    assert targeted(keys, ("x",), formula=ROWS, is_="query_key") is None
    assert targeted(keys, ("x",), formula=ROWS._replace(anchors="both")) is None
    assert targeted(DETACHED._replace(mistake="gradient wrong"), ("x",), formula=ROWS) is None


def test_without_formula_or_gradient_nothing_is_a_target():
    asked = nearest(None, predictor("p", "z"), found(PULL, None), "two")
    assert holds_target(question(), asked, DETACHED, ("x",), None) is None
    assert holds_target(question(), asked._replace(found=None), DETACHED, ("x",), {}) is None


# --- numbers, steps, points -------------------------------------------------------------------------------


def scaled(scores, scale=2.0):
    return value(scores, scale)


def with_number(times):
    """The gradient by the scale is the value at scale 1."""

    def backward(scores, scale=2.0):
        return {"scores": slope(scores, scale), "scale": times * value(scores)}

    return nearest(backward, scaled, found(factor=2.0))


def test_a_gradient_by_a_number_is_compared_with_differences():
    mistakes, (own,) = judge_numbers(with_number(1.0), [])
    assert mistakes == []
    assert own[:2] == ("gradient by scale", "holds")
    assert own.tolerance == 1e-5


@pytest.mark.parametrize("times", [1.01, 0.0, -1.0])
def test_a_wrong_gradient_by_a_number_is_told(times):
    (mistake,), (own,) = judge_numbers(with_number(times), [])
    assert mistake.mistake == "gradient by numbers wrong"
    assert own.status == "fails"
    assert own.error == pytest.approx(abs(times - 1), rel=1e-6, abs=0)


def test_a_kink_in_a_number_is_not_judged():
    def kinked(scores, scale=2.0):
        return value(scores) * (1 + max(scale - 2.0, 0))

    def backward(scores, scale=2.0):
        return {"scores": slope(scores), "scale": 0.0}

    def jumps(scores, scale=2.0):
        return value(scores) * (scale + 1e-3 * (scale > 2.0))

    assert judge_numbers(nearest(backward, jumps), []) == ([], [])
    assert len(judge_numbers(nearest(backward, kinked), [])[1]) == 1  # both steps see the same half


def test_a_wrong_number_makes_the_verdict_wrong():
    right = judge(question(), with_number(1.0), [], False)
    assert right.verdict.holds
    assert [record.check for record in right.records[-2:]] == ["gradient by scale", "gradient in float32"]
    wrong = judge(question(), with_number(1.01), [], False)
    assert wrong.verdict[:2] == ("wrong", False)
    assert [record.check for record in wrong.records] == [record.check for record in right.records]


# --- in another dtype -------------------------------------------------------------------------------------


def in_float32(times):
    return lambda scores, scale=1.0: slope(scores) * (times if scores.dtype == np.float32 else 1)


def test_a_gradient_that_is_right_in_float64_alone_is_wrong():
    verdict = judge(question(), nearest(in_float32(1.5)), [], False).verdict
    assert verdict[:2] == ("wrong", False)
    assert verdict.sentence == (
        "right in float64, and not in float32: it is off by 0.5 of its largest entry there"
    )


def test_a_gradient_may_be_rounded_to_a_half_in_part():
    (own,) = judge_dtypes(nearest(in_float32(1.05)))[1]
    assert own[:2] == ("gradient in float32", "holds")
    assert own.error == pytest.approx(0.05, rel=1e-5, abs=0)


def test_a_gradient_of_another_loss_in_float32_is_not_judged_there():
    def other(scores, scale=1.0):
        return value(scores) * (2 if scores.dtype == np.float32 else 1)

    assert judge_dtypes(nearest(in_float32(2), other)) == ([], [])
    assert judge_dtypes(nearest(in_float32(2), held=False)) == ([], [])


def test_a_wrong_gradient_is_not_compared_in_another_dtype():
    slope_twice = judge(question(), nearest(lambda scores, scale=1.0: 2 * slope(scores)), [], False)
    assert "gradient in float32" not in [record.check for record in slope_twice.records]


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_differences_over_long_steps_are_less_accurate_at_a_cold_temperature(precision):
    """The third derivative of a loss of s/τ: a relative error of (h/τ)²/6."""
    held = found(temperature=0.1)
    truncation = (10 * STEPS[precision]) ** 2 / 6
    assert find_tolerances(nearest(held=held, precision=precision), True)[1] > truncation


# --- numbers ----------------------------------------------------------------------------------------------


def test_a_derivative_is_of_the_fourth_order():
    """Of x⁴ differences of the fourth order are exact; of x⁵ they are off by −4 h⁴ · 5!/5! = 4h⁴ in size."""
    assert differentiate(lambda x: x**4, 2.0, 0.1) == pytest.approx(32, rel=1e-12, abs=0)
    assert differentiate(lambda x: x**5, 2.0, 0.1) == pytest.approx(80 - 4 * 0.2**4, rel=1e-10, abs=0)
    assert differentiate(lambda x: x**5, 0.0, 0.1) == pytest.approx(-4 * 1e-3**4, rel=1e-6, abs=0)
    assert differentiate(lambda x: x**5, -2.0, 0.1) == pytest.approx(80 - 4 * 0.2**4, rel=1e-10, abs=0)


def test_without_numbers_nothing_is_judged():
    assert judge_numbers(nearest(), []) == ([], [])


def test_a_point_is_sought_where_the_value_is_not_flat():
    first = example("scores", 4)["scores"]

    def flat_there(scores):
        return 0.0 if np.allclose(scores, first, atol=1e-3) else value(scores)

    arrays, slopes = somewhere_steep(nearest(loss=flat_there))
    assert not np.array_equal(arrays["scores"], first)
    assert np.allclose(slopes["scores"], slope(arrays["scores"]), atol=1e-6)
    arrays, _ = somewhere_steep(nearest())
    assert np.array_equal(arrays["scores"], first)
    _, slopes = somewhere_steep(nearest(loss=lambda scores: 1.0))
    assert not np.any(slopes["scores"])


def test_a_backward_of_numpy_takes_no_upstream():
    asked = nearest()
    arrays = example("scores", 4)
    right = {"scores": slope(arrays["scores"])}
    before = asked.way.session.upstream
    assert ignores_upstream(asked.way, arrays, right, 1e-8)
    assert not ignores_upstream(asked.way, arrays, {"scores": 2 * right["scores"]}, 1e-8)
    assert asked.way.session.upstream == before


def test_nothing_of_numpy_is_frozen_or_learned():
    assert judge_frozen(nearest()) == ([], [])
    assert judge_learned(nearest()) == ([], [])
