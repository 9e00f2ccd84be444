"""Which setting is the temperature, and which number is passed for another τ."""

import math

import numpy as np
import pytest

from infonce_ref.conformance import temperature
from infonce_ref.conformance.asking import Way
from infonce_ref.conformance.formula import Formula
from infonce_ref.conformance.heads import KERNEL
from infonce_ref.conformance.identification import Nearest
from infonce_ref.conformance.names import Found, Reduction
from infonce_ref.conformance.session import Session
from infonce_ref.conformance.target import target

ACROSS = ("positive", "other view")


def nearest(loss, tau=0.5, head="cross-entropy", tolerance=1e-10, settings=None):
    """The loss beside a formula with this temperature."""
    formula = Formula(ACROSS, head=head)
    found = Found(formula, tau, None, Reduction("mean", 1.0), 0.0, 1e-15, tolerance, 4, 4)
    return Nearest(Way("two", Session(target(loss, settings or {}), "numpy")), None, found, None, "float64")


HALF, DOUBLE = math.log(0.5), math.log(2)


def products(x, y):
    return np.sum(x * y)


def of_temperature(x, y, temperature=0.5):
    return products(x, y) / temperature


def of_tau(x, y, tau=0.5):
    return products(x, y) / tau


def of_scale(x, y, logit_scale=2.0):
    return products(x, y) + logit_scale


def of_kernel(x, y, t=2.0):
    return products(x, y) + t


def of_negative_logarithm(x, y, temperature=HALF):
    return products(x, y) / math.exp(temperature)


def of_logarithm_of_scale(x, y, logit_scale=DOUBLE):
    return products(x, y) * math.exp(logit_scale)


@pytest.mark.parametrize(
    ("loss", "head", "name", "given", "at_quarter"),
    [
        (of_temperature, "cross-entropy", "temperature", 0.5, 0.25),
        (of_tau, "cross-entropy", "tau", 0.5, 0.25),
        (of_scale, "cross-entropy", "logit_scale", 2.0, 4.0),
        (of_kernel, KERNEL, "t", 2.0, 4.0),
        (of_negative_logarithm, "cross-entropy", "temperature", HALF, math.log(0.25)),
        (of_logarithm_of_scale, "cross-entropy", "logit_scale", DOUBLE, math.log(4)),
    ],
)
def test_the_setting_that_means_the_temperature(loss, head, name, given, at_quarter):
    found = temperature.find_setting(nearest(loss, head=head))
    assert (found.name, found.given) == (name, given)
    assert found.own == pytest.approx(0.5, rel=1e-15, abs=0)
    assert found.value(0.25) == pytest.approx(at_quarter, rel=1e-15, abs=0)
    assert found.accepted


def test_the_sign_of_the_temperature_does_not_matter():
    assert temperature.find_setting(nearest(of_temperature, tau=-0.5)).own == 0.5


def test_of_several_settings_the_one_that_explains_the_temperature():
    def loss(x, y, temperature=0.7, tau=0.5):
        return products(x, y)

    assert temperature.find_setting(nearest(loss)).name == "tau"
    assert temperature.find_setting(nearest(loss, tau=0.3)).name == "temperature"


@pytest.mark.parametrize(
    ("tau", "tolerance", "name"),
    [
        (0.5 * (1 + 9e-7), 1e-10, "tau"),
        (0.5 * (1 + 2e-6), 1e-10, "temperature"),
        (0.5 * (1 + 2e-6), 3e-6, "tau"),
    ],
)
def test_the_temperature_is_explained_to_the_digits_of_float32_or_of_the_fit(tau, tolerance, name):
    def loss(x, y, temperature=0.7, tau=0.5):
        return products(x, y)

    assert temperature.find_setting(nearest(loss, tau, tolerance=tolerance)).name == name


def test_a_loss_without_a_temperature_has_no_such_setting():
    assert temperature.find_setting(nearest(of_temperature, tau=None)) is None
    assert temperature.find_setting(nearest(products)) is None
    assert temperature.find_setting(nearest(of_temperature)._replace(found=None)) is None


def test_a_logarithm_that_does_not_explain_the_temperature_is_none():
    assert temperature.find_setting(nearest(of_negative_logarithm, tau=0.3)) is None


def test_a_scale_that_multiplies_the_loss_is_a_weight():
    def weighted(x, y, scale=3.0):
        return scale * products(x, y)

    def added(x, y, scale=3.0):
        return scale + products(x, y)

    assert temperature.find_setting(nearest(weighted)) is None
    assert temperature.find_setting(nearest(added)).name == "scale"


@pytest.mark.parametrize(("power", "weight"), [(1, True), (1.0000001, True), (1.00001, False), (-1, False)])
def test_a_weight_multiplies_the_loss_to_the_digits_of_float32(power, weight):
    """Twice the setting multiplies the loss by 2^power, which differs from 2 relatively by (power − 1) log 2."""

    def loss(x, y, t=3.0):
        return t**power * products(x, y)

    asked = nearest(loss)
    assert temperature.is_weight(asked, next(temperature.list_settings(asked, asked.found))) is weight


def test_a_small_loss_is_compared_with_its_own_size():
    def loss(x, y, t=3.0):
        return 1e-12 * (t + products(x, y))

    asked = nearest(loss)
    assert not temperature.is_weight(asked, next(temperature.list_settings(asked, asked.found)))


def test_a_loss_that_is_a_multiple_of_its_temperature_does_not_make_it_a_weight():
    """Only t and scale are also names of weights."""

    def loss(x, y, temperature=3.0):
        return temperature * products(x, y)

    assert temperature.find_setting(nearest(loss)).name == "temperature"


class Stored:
    def __init__(self):
        self.scale = 3.0

    def __call__(self, x, y):
        return self.scale * products(x, y)


def test_a_number_that_is_only_stored_is_not_accepted():
    """Nor is it asked whether it is a weight: it cannot be doubled."""
    for one in temperature.list_settings(nearest(Stored()), nearest(Stored()).found):
        assert (one.name, one.accepted) == ("scale", False)
        assert not temperature.is_weight(nearest(Stored()), one)


def list_settings(given, name="temperature", head="cross-entropy"):
    loss = {"temperature": of_temperature, "logit_scale": of_scale, "t": of_kernel}[name]
    asked = nearest(loss, head=head, settings={name: given})
    return [(one.own, one.logarithmic) for one in temperature.list_settings(asked, asked.found)]


E, INVERSE = pytest.approx(math.e, rel=1e-15, abs=0), pytest.approx(1 / math.e, rel=1e-15, abs=0)


@pytest.mark.parametrize(
    ("name", "head", "given", "listed"),
    [
        ("temperature", "cross-entropy", 1, [(1, False), (INVERSE, True), (E, True)]),
        ("temperature", "cross-entropy", -1, [(E, True), (INVERSE, True)]),
        ("temperature", "cross-entropy", 0, [(1, True), (1, True)]),
        ("temperature", "cross-entropy", 60.0, [(60.0, False)]),
        ("temperature", "cross-entropy", 50, [(50, False)]),
        ("temperature", "cross-entropy", -60.0, []),
        ("temperature", "cross-entropy", "0.1", []),
        ("logit_scale", "cross-entropy", 60.0, [(1 / 60, False)]),
        ("t", "cross-entropy", 60.0, [(60.0, False)]),
        ("t", KERNEL, 60.0, [(1 / 60, False)]),
        ("temperature", KERNEL, 60.0, [(60.0, False)]),
    ],
)
def test_a_number_is_listed_as_what_it_can_mean(name, head, given, listed):
    assert list_settings(given, name, head) == listed


def test_each_way_of_meaning_a_temperature_passes_it_back():
    asked = nearest(of_scale)
    for one in temperature.list_settings(asked, asked.found):
        assert one.value(one.own) == pytest.approx(one.given, rel=1e-15, abs=0)
