"""Explanations of wrong results by mistakes in a text, on a text of two lines."""

import numpy as np
import pytest

from infonce_ref.conformance import templates
from infonce_ref.conformance.factors import FACTORS
from infonce_ref.conformance.templates import FLOOR, RIGHT, attempts, is_multiple, is_right
from infonce_ref.mistakes.entry import Entry, mistake

TEXT = """
import numpy as np

def loss(x, temperature):
    rows = np.sum(x**2, axis=1)
    return np.mean(rows) / temperature

def gradient(x, temperature):
    return 2 * x / len(x) / temperature, -np.mean(np.sum(x**2, axis=1)) / temperature**2
"""


class Own(Entry):
    """An entry with a text of its own."""

    text = TEXT


def right(arguments):
    x, tau = arguments["x"], arguments["temperature"]
    value = np.mean(np.sum(x**2, axis=1)) / tau
    return value, (2 * x / len(x) / tau, -value / tau)


ROOTS = ("rows = np.sum(x**2, axis=1)", "rows = np.sqrt(np.sum(x**2, axis=1))")
MISTAKES = (
    mistake("of_lengths", "lengths, not squares", "F1 loss", *ROOTS, links=("a report",)),
    mistake("same", "no mistake", "F1 loss", "rows = np.sum(x**2, axis=1)", "rows = np.sum(x * x, axis=1)"),
    mistake("not_found", "its part is not there", "F1 loss", "nothing of it", ""),
    mistake("does_not_run", "it raises", "F1 loss", "np.mean(rows)", "np.nothing_such(rows)"),
    mistake("of_medians", "medians, not means", "F1 loss", "np.mean(rows)", "np.median(rows)"),
    mistake("square_kept", "gradient of x⁴ / 4", "F2 x", "2 * x", "x**3"),
    mistake(
        "both", "fourth powers", "F1 loss", *ROOTS[:1], "rows = np.sum(x**4, axis=1)", "2 * x", "4 * x**3"
    ),
)
MISTAKE = {one.name: one for one in MISTAKES}
ENTRY = Own("own", "", ("x", "temperature"), None, MISTAKES, right=right)
BATCHES = [
    {"x": np.random.default_rng(rows).standard_normal((rows, 2)), "temperature": tau}
    for rows, tau in ((3, 0.5), (5, 0.3), (6, 0.25))
]
POINTS = templates.prepare(ENTRY, BATCHES)


def values(f, which=0):
    """The results of f(x, τ) at each batch."""
    return tuple((np.asarray(f(a["x"], a["temperature"])),) for a in BATCHES)


def squares(x, tau):
    return np.mean(np.sum(x**2, axis=1)) / tau


def lengths(x, tau):
    return np.mean(np.linalg.norm(x, axis=1)) / tau


def median_of_lengths(x, tau):
    return np.median(np.linalg.norm(x, axis=1)) / tau


def test_points_have_the_right_values_and_gradients_of_each_batch():
    assert POINTS.entry is ENTRY
    assert POINTS.arguments == tuple(BATCHES)
    assert POINTS.tolerance == RIGHT
    assert templates.prepare(ENTRY, BATCHES, 1e-3).tolerance == 1e-3
    for a, (value,), (dx, dt) in zip(BATCHES, *POINTS.right, strict=True):
        assert value == squares(x=a["x"], tau=a["temperature"])
        assert np.array_equal(dx, 2 * a["x"] / len(a["x"]) / a["temperature"])
        assert dt == -value / a["temperature"]


def test_the_facts_of_the_batches():
    assert POINTS.facts == [
        {"rows": float(len(a["x"])), "features": 2.0, "temperature": a["temperature"]} for a in BATCHES
    ]


def test_scores_have_no_features():
    assert templates.measure_batch({"scores": np.ones((3, 4))}) == {"rows": 3.0}
    assert templates.measure_batch({"data_scores": np.ones(3)}) == {"rows": 3.0}


def test_the_features_are_the_last_axis():
    assert templates.measure_batch({"w": np.ones((3, 2, 5))}) == {"rows": 3, "features": 5}


def test_some_gradients_are_kept():
    kept = templates.restrict(POINTS, (1,))
    assert kept.kept == (1,)
    assert kept.right[0] is POINTS.right[0]
    assert kept.right[1] == tuple((dt,) for _, dt in POINTS.right[1])


def compute(which, *names, points=POINTS):
    return templates.compute(points, which, [MISTAKE[name] for name in names])


def test_a_text_with_mistakes_is_evaluated():
    assert is_multiple(compute(0), values(squares), 1e-14)
    assert is_multiple(compute(0, "of_lengths"), values(lengths), 1e-14)
    assert is_multiple(compute(0, "of_lengths", "of_medians"), values(median_of_lengths), 1e-14)


def test_the_gradient_of_a_text_with_a_mistake_is_evaluated():
    found = compute(1, "square_kept")
    for a, (dx, dt), (_, right_dt) in zip(BATCHES, found, POINTS.right[1], strict=True):
        assert dx == pytest.approx(a["x"] ** 3 / len(a["x"]) / a["temperature"], rel=1e-14, abs=0)
        assert dt == pytest.approx(right_dt, rel=1e-14, abs=0)


def test_of_a_gradient_only_what_is_kept_is_evaluated():
    kept = templates.restrict(POINTS, (1,))
    assert [len(one) for one in compute(1, "square_kept", points=kept)] == [1, 1, 1]
    assert is_multiple(compute(1, "square_kept", points=kept), kept.right[1], 1e-14)
    assert is_multiple(compute(0, points=kept), values(squares), 1e-14)


@pytest.mark.parametrize("name", ["not_found", "does_not_run"])
def test_a_text_that_does_not_run_has_no_results(name):
    assert compute(0, name) is None


def test_a_text_may_overflow():
    infinite = mistake("infinite", "", "", "np.mean(rows)", "np.log(0 * np.mean(rows))")
    assert [float(value) for (value,) in templates.compute(POINTS, 0, [infinite])] == [-np.inf] * 3


ONE = ((np.array([3.0, -4.0]),), (np.array([10.0]),))


def test_results_are_equal_within_the_tolerance_of_the_largest_entry():
    for off, equal in ((0.99, True), (1.01, False)):
        got = ((np.array([3.0 + off * 1e-3 * (4 + FLOOR), -4.0]),), ONE[1])
        assert is_multiple(got, ONE, 1e-3) is equal


def test_the_scale_is_that_of_the_multiple():
    for off, equal in ((0.99, True), (1.01, False)):
        got = ((np.array([6.0, -8.0 - off * 1e-3 * (8 + FLOOR)]),), (np.array([5.0]),))
        assert is_multiple(got, ONE, 1e-3, (2.0, 0.5)) is equal


def test_near_0_the_scale_is_that_of_a_small_loss():
    assert is_multiple([(np.array(0.9e-6),)], [(np.array(0.0),)], 1e-3)
    assert not is_multiple([(np.array(1.1e-6),)], [(np.array(0.0),)], 1e-3)


def test_a_result_that_is_wrong_at_any_place_is_wrong():
    for got in (((np.array([3.0, 4.0]),), ONE[1]), (ONE[0], (np.array([11.0]),))):
        assert not is_multiple(got, ONE, 1e-3)


@pytest.mark.parametrize(
    ("got", "wanted", "times"),
    [
        (np.ones(2), np.ones(3), ()),
        (np.ones(1), np.ones(2), ()),  # although it would broadcast
        (np.array(np.inf), np.array(np.inf), ()),
        (np.array(1.0), np.array(np.inf), ()),
        (np.array(np.nan), np.array(1.0), ()),
        (np.array(1.0), np.array(1.0), (np.nan,)),
    ],
)
def test_what_is_never_a_multiple(got, wanted, times):
    with np.errstate(all="ignore"):
        assert not is_multiple([(got,)], [(wanted,)], 1e-3, times)


def test_another_number_of_arrays_is_no_multiple():
    assert not is_multiple([(np.ones(1), np.ones(1))], [(np.ones(1),)], 1e-3)


def test_an_empty_array_is_a_multiple_of_an_empty_one():
    assert is_multiple([(np.ones(0),)], [(np.ones(0),)], 1e-3)


def test_what_is_right():
    assert is_right(POINTS, 0, values(squares))
    assert not is_right(POINTS, 0, values(lengths))
    assert not is_right(POINTS, 0, values(squares)[:2])
    assert is_right(POINTS, 1, POINTS.right[1])
    assert not is_right(POINTS, 1, POINTS.right[0])


def listed(which):
    return [
        ("+".join(m.name for m in one.mistakes), one.factor and one.factor.name)
        for one in attempts(POINTS, which)
    ]


FIT = [factor.name for factor in FACTORS if factor.name != "mean for sum"]  # of a mean over rows


def test_the_order_of_the_explanations_of_a_value():
    """Mistakes that change nothing, do not apply or do not run are left out."""
    alone = ["of_lengths", "of_medians", "both"]
    right_order = [(name, None) for name in alone] + [("", name) for name in FIT]
    right_order += [(name, factor) for name in alone for factor in FIT if factor != "zero"]
    # the two edits of one line do not go together
    right_order += [("of_lengths+of_medians", None), ("of_medians+both", None)]
    assert listed(0) == right_order


def test_mistakes_of_the_gradient_alone_come_first():
    assert listed(1)[:2] == [("square_kept", None), ("both", None)]
    entry = ENTRY._replace(mistakes=MISTAKES[::-1])
    first = next(attempts(templates.prepare(entry, BATCHES), 1))
    assert first.mistakes == (MISTAKE["square_kept"],)


def test_a_mistake_with_which_the_loss_does_not_run_may_explain_a_gradient():
    broken = mistake("broken", "", "", "np.mean(rows)", "np.nothing_such(rows)", "2 * x", "x")
    entry = ENTRY._replace(mistakes=(broken, MISTAKE["square_kept"]))
    found = [one.mistakes[0].name for one in attempts(templates.prepare(entry, BATCHES), 1) if one.mistakes]
    assert found[:2] == ["square_kept", "broken"]


def test_two_mistakes_that_cancel_explain_nothing():
    twice = mistake("twice", "", "", "np.mean(rows)", "np.mean(2 * rows)")
    half = mistake("half", "", "", ") / temperature\n", ") / 2 / temperature\n")
    entry = ENTRY._replace(mistakes=(twice, half))
    pairs = [one for one in attempts(templates.prepare(entry, BATCHES), 0) if len(one.mistakes) == 2]
    assert pairs == []


def name(f, **more):
    return [one.mistake for one in templates.name(POINTS, 0, values(f), **more)]


@pytest.mark.parametrize(
    ("f", "named"),
    [
        (lengths, ["of lengths"]),
        (lambda x, tau: 2 * squares(x, tau), ["twice"]),
        (lambda x, tau: 0.0, ["zero"]),
        (lambda x, tau: len(x) * squares(x, tau), ["sum for mean"]),
        (lambda x, tau: squares(x, tau) / tau, ["over temperature"]),
        (lambda x, tau: 2 * lengths(x, tau), ["of lengths", "twice"]),
        (median_of_lengths, ["of lengths", "of medians"]),
        (lambda x, tau: 3 * squares(x, tau), []),
        (lambda x, tau: lengths(x, tau) * (1 + 1e-6 * len(x)), []),
    ],
)
def test_the_fewest_mistakes_that_explain_a_value(f, named):
    assert name(f) == named


def test_alone_a_mistake_has_no_factor_and_no_other_mistake():
    assert name(lengths, alone=True) == ["of lengths"]
    assert name(lambda x, tau: 2 * squares(x, tau), alone=True) == []
    assert name(median_of_lengths, alone=True) == []


def test_a_name_comes_with_its_sentence_and_claim():
    (found,) = templates.name(POINTS, 0, values(lengths))
    assert found == ("of lengths", "lengths, not squares", "of_lengths", "F1 loss", ("a report",))


def test_the_factor_of_a_gradient_is_named_as_such():
    twice = tuple(tuple(2 * g for g in slopes) for slopes in POINTS.right[1])
    (found,) = templates.name(POINTS, 1, twice)
    assert (found.mistake, found.sentence) == ("gradient twice", "the gradient: twice what is right")
    (found,) = templates.name(POINTS, 0, values(lambda x, tau: 2 * squares(x, tau)))
    assert (found.mistake, found.sentence) == ("twice", "twice what is right")
