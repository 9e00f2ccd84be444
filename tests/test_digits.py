"""The measurement of digits: errors within the tolerance, outside it, and explained by a condition number."""

import digits
import digits_box
import numpy as np
import pytest

from infonce_ref.information import ESTIMATORS
from infonce_ref.losses import ALL
from infonce_ref.verify.case import Case


@pytest.mark.parametrize("cases", ["30", pytest.param("300", marks=pytest.mark.nightly)])
def test_only_declared_ill_conditioned_values_are_outside(cases, tmp_path, capsys):
    path = tmp_path / "digits.md"
    assert digits.main(["--seed", "1", "--cases", cases, "--table", str(path)]) == 0
    words = path.read_text(encoding="utf-8")
    assert words + "\n" == capsys.readouterr().out
    assert all(f"| `{name}" in words for name in (*ALL, "streaming.", "information"))


def test_every_loss_and_every_tie_is_drawn():
    labels = [(case.loss.name, case.label) for case in digits_box.points(0, 16 * len(digits_box.EVERY))]
    assert {name for name, _ in labels} == set(digits_box.EVERY)
    for words in (
        *(f"tie {tie}," for tie in digits_box.TIES),
        "special True",
        "float32",
        "features 300",
        "features 1024",
    ):
        assert any(words in label for _, label in labels), words


def one(loss, what, **changes):
    case = Case.of(loss, loss.example(0, 1e-3, **changes), "here", "float64")
    return next(m for m in digits.measure(case) if m.loss == loss.name and m.what == what)


def test_undeclared_loss_of_digits_is_reported():
    """Make the sum of both partners' pulls inaccurate, as if it did not cancel."""
    loss = ALL["byol"]

    def rounded(cache, upstream=1.0):
        return loss.backward(cache, upstream)._replace(
            prediction=loss.backward(cache, upstream).prediction + 1e-15
        )

    assert not one(loss, "prediction").outside
    found = one(loss._replace(backward=rounded), "prediction")
    assert found.outside
    assert not found.explained


@pytest.mark.parametrize("name", ["ntxent", "dcl", "supcon"])
def test_a_gradient_that_nearly_vanishes_is_outside_and_declared(name):
    """Three images at the corners of a triangle, with equal views: all pulls cancel."""
    angles = 2 * np.pi * np.arange(3) / 3
    corners = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rows = np.concatenate([corners, corners]) + 1e-9 * np.random.default_rng(0).standard_normal((6, 2))
    given = {"w": rows, "temperature": 0.5} | ({"labels": np.arange(6) % 3} if name == "supcon" else {})
    assert is_outside_and_declared(ALL[name], given, "w")


@pytest.mark.parametrize("name", ["ntxent", "supcon"])
def test_a_slope_that_nearly_vanishes_is_outside_and_declared(name):
    """At the temperature that minimises the loss of a batch with misplaced positives."""
    loss, rng = ALL[name], np.random.default_rng(0)
    rows = rng.standard_normal((8, 3))
    rows[4:] = rows[:4] + 0.8 * rng.standard_normal((4, 3))
    given = {"w": rows} | ({"labels": np.arange(8) % 4} if name == "supcon" else {})

    def falls(temperature):
        _, cache = loss.forward(**given, temperature=temperature)
        return loss.backward(cache).temperature < 0

    low, high = 0.05, 50.0
    for _ in range(50):
        middle = np.sqrt(low * high)
        low, high = (middle, high) if falls(middle) else (low, middle)
    case = Case.of(loss, given | {"temperature": float(low) * (1 + 1e-9)}, "here", "float64")
    found = next(m for m in digits.measure(case) if m.loss == name and m.what == "temperature")
    assert found.outside
    assert found.explained


@pytest.mark.parametrize("name", ["information.nwj", "information.smile", "information.infonce", "simsiam"])
def test_a_value_that_crosses_0_is_outside_and_declared(name):
    """Some of 16 draws come closer to 0 than half of the digits."""
    loss, options = digits_box.EVERY[name], {"clip": 2.0} if name.endswith("smile") else {}
    given = [
        digits_box.cross(loss, loss.example(seed, **options), np.random.default_rng(seed))
        for seed in range(16)
    ]
    cases = [Case.of(loss, each, "here", "float64") for each in given]
    outside = [m for case in cases for m in digits.measure(case) if m.what == "value" and m.outside]
    assert outside
    assert all(m.explained for m in outside)


@pytest.mark.parametrize("count", [2, 5])
def test_pulls_of_texts_that_nearly_coincide_are_outside_and_declared(count):
    """At a bias at which the slopes of an image sum to 0; hot, so that its scores are 0."""
    rng = np.random.default_rng(0)
    texts = rng.standard_normal(3) + 1e-6 * rng.standard_normal((count, 3))
    given = {"image": rng.standard_normal((count, 3)), "text": texts, "temperature": 1e3}
    assert is_outside_and_declared(ALL["siglip"], given | {"bias": -float(np.log(count - 1))}, "image")


@pytest.mark.torch
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_second_derivatives_are_within_or_declared(dtype):
    """Hard negatives of hardness 30, rows far off centre, and supcon's classes: one collapsed; and single positives
    beside which negatives are as good as absent, whose pushes are then tiny.
    """
    pytest.importorskip("torch", reason="PyTorch is not installed (extra [torch])")
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((8, 3))
    twins = np.concatenate([np.eye(4), np.eye(4) + 1e-3 * rng.standard_normal((4, 4))])
    hard = {"beta": 30.0, "prior": 0.1, "temperature": 0.1}
    for name, w, options in (
        ("hard_negative", rows, hard),
        ("hard_negative", rows + 100, hard),
        ("supcon", rows + 100, {"labels": np.zeros(8, int), "temperature": 0.5}),
        ("supcon", twins, {"labels": np.arange(8) % 4, "temperature": 0.025}),
    ):
        found = [*digits.measure_second(Case.of(ALL[name], {"w": w, **options}, "here", dtype))]
        assert len(found) == 2
        assert all(not m.outside or m.explained for m in found), found


def test_the_slope_of_one_collapsed_class_keeps_the_digits_of_its_logits():
    """The rounding of P − 1/|P_i| alone would be 10⁹ times the tolerance, which its condition number allows."""
    w = 1 + 1e-3 * np.random.default_rng(0).standard_normal((8, 3))
    given = {"w": w, "labels": np.zeros(8, int), "temperature": 0.5}
    (found,) = [
        m
        for m in digits.measure(Case.of(ALL["supcon"], given, "here", "float64"))
        if (m.loss, m.what) == ("supcon", "temperature")
    ]
    assert found.error < 1e5


def test_an_estimate_of_a_law_that_crosses_0_is_outside_and_declared():
    """Of independent things and nearly equal scores, it is half the variance of scores of order 10⁻⁶."""
    scores = 1e-6 * np.random.default_rng(0).standard_normal((2, 3))
    given = {"scores": scores, "joint": np.outer([0.25, 0.75], [0.2, 0.3, 0.5])}
    assert is_outside_and_declared(ESTIMATORS["donsker_varadhan"], given, "value")


def test_the_gradient_at_the_best_scores_of_a_law_is_outside_and_declared():
    joint = np.array([[0.375, 0.125], [0.125, 0.375]]) * [[1.0, 0.6], [0.6, 1.4]]
    joint /= np.sum(joint)
    best = np.log(joint / np.outer(joint.sum(axis=1), joint.sum(axis=0)))
    assert is_outside_and_declared(ESTIMATORS["donsker_varadhan"], {"scores": best, "joint": joint}, "scores")


def is_outside_and_declared(loss, given, what):
    case = Case.of(loss, given, "here", "float64")
    (found,) = [m for m in digits.measure(case) if (m.loss, m.what) == (loss.name, what)]
    return found.outside and found.explained
