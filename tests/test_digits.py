"""The measurement of digits: errors within the tolerance, outside it, and explained by a condition number."""

import digits
import digits_box
import numpy as np
import pytest

from infonce_ref.losses import ALL
from infonce_ref.verify.case import Case

RNG = np.random.default_rng


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "count"), [(1, 30), pytest.param(0, 3000, marks=pytest.mark.nightly)])
def test_only_declared_ill_conditioned_values_are_outside(seed, count):
    found = [m for case in digits_box.points(seed, count) for m in digits.measure(case)]
    found += digits.measure_information(seed, count // len(ALL))
    assert [m for m in found if m.wrong] == []
    assert {*ALL, "streaming.ntxent", "information"} <= {m.loss for m in found}


def measured(loss, given, what):
    case = Case.of(loss, given, "here", "float64")
    return next(m for m in digits.measure(case) if m.loss == loss.name and m.what == what)


def test_undeclared_loss_of_digits_is_reported():
    """Make the sum of both partners' pulls inaccurate, as if it did not cancel."""
    loss = ALL["byol"]

    def rounded(cache, upstream=1.0):
        return loss.backward(cache, upstream)._replace(
            prediction=loss.backward(cache, upstream).prediction + 1e-15
        )

    given = loss.example(0, 1e-3)
    assert not measured(loss, given, "prediction").wrong
    assert measured(loss._replace(backward=rounded), given, "prediction").wrong


def corners():
    """Three images at the corners of a triangle, with equal views: all pulls cancel."""
    angles = 2 * np.pi * np.arange(3) / 3
    rows = np.tile(np.stack([np.cos(angles), np.sin(angles)], axis=1), (2, 1))
    return {"w": rows + 1e-9 * RNG(0).standard_normal((6, 2)), "temperature": 0.5}


def texts(count):
    """They nearly coincide, at a bias at which the slopes of an image sum to 0; hot, so that its scores are 0."""
    rows = RNG(0).standard_normal(3) + 1e-6 * RNG(1).standard_normal((count, 3))
    image = RNG(2).standard_normal((count, 3))
    return {"image": image, "text": rows, "temperature": 1e3, "bias": -float(np.log(count - 1))}


# independent things and nearly equal scores: the estimate is half the variance of scores of order 10⁻⁶
APART = {"scores": 1e-6 * RNG(0).standard_normal((2, 3)), "joint": np.outer([0.25, 0.75], [0.2, 0.3, 0.5])}
JOINT = np.array([[0.375, 0.125], [0.125, 0.375]]) * [[1.0, 0.6], [0.6, 1.4]] / 1.05
BEST = np.log(JOINT / np.outer(JOINT.sum(axis=1), JOINT.sum(axis=0)))


@pytest.mark.parametrize(
    ("name", "given", "what"),
    [
        *((name, corners(), "w") for name in ("ntxent", "dcl")),
        ("supcon", corners() | {"labels": np.arange(6) % 3}, "w"),
        *(("siglip", texts(count), "image") for count in (2, 5)),
        ("information.donsker_varadhan", APART, "value"),
        ("information.donsker_varadhan", {"scores": BEST, "joint": JOINT}, "scores"),
    ],
)
def test_what_nearly_vanishes_is_outside_and_declared(name, given, what):
    found = measured(digits_box.EVERY[name], given, what)
    assert 1 < found.error <= found.allowed


@pytest.mark.parametrize("name", ["ntxent", "supcon"])
def test_a_slope_that_nearly_vanishes_is_outside_and_declared(name):
    """At the temperature that minimises the loss of a batch with misplaced positives."""
    loss, rng = ALL[name], RNG(0)
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
    found = measured(loss, given | {"temperature": float(low) * (1 + 1e-9)}, "temperature")
    assert 1 < found.error <= found.allowed


@pytest.mark.parametrize("name", ["information.nwj", "information.smile", "information.infonce", "simsiam"])
def test_a_value_that_crosses_0_is_outside_and_declared(name):
    """Some of 16 draws come closer to 0 than half of the digits."""
    loss, options = digits_box.EVERY[name], {"clip": 2.0} if name.endswith("smile") else {}
    drawn = (digits_box.cross(loss, loss.example(seed, **options), RNG(seed)) for seed in range(16))
    outside = [m for given in drawn if (m := measured(loss, given, "value")).error > 1]
    assert outside
    assert not any(m.wrong for m in outside)


def test_the_slope_of_one_collapsed_class_keeps_the_digits_of_its_logits():
    """The rounding of P − 1/|P_i| alone would be 10⁹ times the tolerance, which its condition number allows."""
    w = 1 + 1e-3 * RNG(0).standard_normal((8, 3))
    given = {"w": w, "labels": np.zeros(8, int), "temperature": 0.5}
    assert measured(ALL["supcon"], given, "temperature").error < 1e5
