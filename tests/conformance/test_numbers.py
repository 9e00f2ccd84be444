"""Numbers that are measured from values alone: VICReg's weights, and a temperature."""

import numpy as np
import pytest

from infonce_ref.conformance.asking import Way
from infonce_ref.conformance.numbers import (
    TEMPERATURES,
    measure_numbers,
    measure_temperature,
    measure_weights,
)
from infonce_ref.conformance.session import Session
from infonce_ref.conformance.target import target
from infonce_ref.losses import ALL
from infonce_ref.mistakes import ALL as CATALOGUE

RNG = np.random.default_rng(0)
INVARIANCE, VARIANCE, COVARIANCE, ROOTS = RNG.uniform(0.5, 2, (4, 8))


def weigh(numbers):
    """Three terms; one depends on ε, as VICReg's deviation does, and on the margin."""
    spread = numbers["margin"] * VARIANCE - np.sqrt(ROOTS + 1e3 * numbers["epsilon"])
    return (
        numbers["invariance"] * INVARIANCE + numbers["variance"] * spread + numbers["covariance"] * COVARIANCE
    )


@pytest.mark.parametrize("epsilon", [1e-3, 1e-4, 1e-5, 1e-6, 1e-8])
def test_three_weights_and_epsilon_are_measured(epsilon):
    numbers = {
        "invariance": 25.0,
        "variance": 1 / 3,
        "covariance": 0.0,
        "margin": 1.0,
        "epsilon": epsilon,
    }
    assert measure_weights(weigh, weigh(numbers)) == pytest.approx(numbers, rel=1e-15, abs=0)


def test_a_weight_of_zero_of_vicreg_is_measured():
    """By least squares it is -5e-16, by rounding."""
    numbers = {"invariance": 3.0, "variance": 25.0, "covariance": 0.0, "margin": 1.0, "epsilon": 1e-5}

    def loss(x, y):
        return ALL["vicreg"].forward(x, y, **numbers)[0]

    assert measure_numbers(CATALOGUE["vicreg"], way(loss, "two"), ["z1", "z2"]) == numbers


def test_a_negative_weight_is_not_measured():
    numbers = {"invariance": 2.0, "variance": 3.0, "covariance": -1.0, "margin": 1.0, "epsilon": 1e-4}
    assert measure_weights(weigh, weigh(numbers)) == {}


def test_without_a_fit_the_nearest_is_taken():
    """The three terms at the nearest ε leave the least error; an added constant is none of them."""
    numbers = {"invariance": 2.0, "variance": 3.0, "covariance": 1.0, "margin": 1.0, "epsilon": 1e-3}
    found = measure_weights(weigh, weigh(numbers) + 1e-7 * RNG.standard_normal(8))
    assert found["epsilon"] == 1e-3
    # the terms are alike up to 1e-7 times their condition, which is 4
    assert found == pytest.approx(numbers, rel=1e-6, abs=0)
    assert found["invariance"] != 2.0


SCORES = RNG.uniform(-1, 1, (8, 4))


def tempered(numbers):
    logits = SCORES / numbers["temperature"]
    top = logits.max(axis=1)
    return np.log(np.exp(logits - top[:, None]).sum(axis=1)) + top - logits[:, 0]


@pytest.mark.parametrize("tau", [0.01, 0.0137, 0.07, 0.1, 0.5, 1.0, 2 / 3, 3.3, 10.0])
def test_a_temperature_is_measured(tau):
    assert measure_temperature(tempered, tempered({"temperature": tau}))["temperature"] == pytest.approx(
        tau, rel=1e-11, abs=0
    )


@pytest.mark.parametrize("tau", [0.07, 0.5, 2.0])
def test_a_temperature_is_rounded_to_what_was_meant(tau):
    assert measure_temperature(tempered, tempered({"temperature": tau})) == {"temperature": tau}


def test_two_steps_of_a_tenth_lead_from_each_temperature_to_the_next():
    assert np.diff(np.log(TEMPERATURES)) == pytest.approx(0.2, abs=0.01)


@pytest.mark.parametrize(("value", "nearest", "step"), [(5.0, 10.0, 0.1), (-5.0, 0.01, -0.1)])
def test_where_no_temperature_fits_one_step_is_taken_from_the_nearest(value, nearest, step):
    """A millionth of log τ never reaches these values: Gauss-Newton would step by millions."""

    def flat(numbers):
        return 1e-6 * np.log(np.full(3, numbers["temperature"]))

    found = measure_temperature(flat, np.full(3, value))["temperature"]
    assert found == pytest.approx(nearest * np.exp(step), rel=1e-14, abs=0)
    assert type(found) is float


def way(loss, name, library="numpy"):
    return Way(name, Session(target(loss, {}), library))


def test_the_weights_of_vicreg_are_measured():
    numbers = {"invariance": 2.0, "variance": 3.0, "covariance": 0.5, "margin": 1.0, "epsilon": 1e-5}

    def loss(x, y):
        return ALL["vicreg"].forward(x, y, **numbers)[0]

    found = measure_numbers(CATALOGUE["vicreg"], way(loss, "two"), ["z1", "z2"])
    assert found == pytest.approx(numbers, rel=1e-6, abs=0)  # rounding of a hinge of small deviations


@pytest.mark.parametrize(
    ("name", "inputs", "names"),
    [("clip", "two", ["image", "text"]), ("ntxent", "concatenated", ["w"])],
)
def test_a_temperature_of_the_catalogue_is_measured(name, inputs, names):
    def loss(*arrays):
        return ALL[name].forward(*arrays, temperature=0.3)[0]

    assert measure_numbers(CATALOGUE[name], way(loss, inputs), names) == {"temperature": 0.3}


def test_the_arrays_are_passed_as_the_catalogue_takes_them():
    """A loss of two views is compared with an entry of concatenated rows."""

    def loss(x, y):
        return ALL["ntxent"].forward(np.concatenate([x, y]), temperature=0.3)[0]

    assert measure_numbers(CATALOGUE["ntxent"], way(loss, "two"), ["w"]) == {"temperature": 0.3}


@pytest.mark.parametrize("name", ["siglip", "alignment", "spectral"])
def test_other_numbers_are_not_measured(name):
    names = CATALOGUE[name].parameters[:2]
    assert measure_numbers(CATALOGUE[name], way(lambda x, y: np.sum(x * y), "two"), names) == {}
