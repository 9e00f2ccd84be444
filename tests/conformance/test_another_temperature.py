"""A loss that is right only at its own temperature fails."""

import numpy as np
import pytest
from conformance.fitted import cpc, log_sums, nearest, unit
from few import few

from infonce_ref.conformance import check, elsewhere, fit, inputs, temperature
from infonce_ref.conformance.formula import Formula
from infonce_ref.conformance.numerics import TEMPERATURES


def twice(x, y, temperature=1.0):
    return cpc(x, y, temperature**2)


def one_sided(x, y, temperature=1.0):
    return cpc(x, y, temperature, positive=temperature**2)


def dead(x, y, temperature=0.3):
    return cpc(x, y, 0.3)


def dead_and_bounded(x, y, temperature=0.3):
    if temperature < 0.25:
        raise ValueError("too cold")
    return cpc(x, y, 0.3)


def factor_alone(x, y, temperature=1.0):
    return temperature * cpc(x, y, 1.0)


@pytest.mark.parametrize(
    ("loss", "words"),
    few(
        [
            (twice, "the temperature is applied twice: τ grows as the square of temperature"),
            (one_sided, "at temperature = 1.5 it is another formula"),
            (dead, "temperature does not reach the loss: it is the same at 0.3 and at 0.45"),
            (dead_and_bounded, "temperature does not reach the loss: it is the same at 0.3 and at 0.45"),
            (factor_alone, "temperature changes the loss by a factor alone"),
        ],
        kept=lambda case: case[0] is dead,
    ),
)
def test_a_loss_that_is_wrong_at_another_temperature_is_wrong(loss, words):
    for claim in (None, "cpc"):
        verdict = check(loss, is_=claim, inputs="two", tiers=("formula",)).verdicts["formula"]
        assert not verdict.holds
        assert words in verdict.sentence


def floor(x, y, temperature=0.3):
    return cpc(x, y, max(temperature, 0.05))


def leaking_mask(x, y, temperature=0.3):
    """NT-Xent whose diagonal is lowered by 45, which no longer hides e^{1/τ} when τ is small."""
    rows = unit(np.concatenate([x, y]))
    logits = rows @ rows.T / temperature
    n = len(rows)
    return (log_sums(logits - 45 * np.eye(n)) - logits[np.arange(n), (np.arange(n) + n // 2) % n]).mean()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loss", "word", "words"),
    [
        (
            floor,
            "another loss at other temperatures",
            "given τ = 0.02, 0.01, 0.003 it is the loss at τ = 0.05",
        ),
        (leaking_mask, "loses digits", "given τ = 0.01, 0.003 its values fit no formula"),
    ],
)
def test_a_loss_that_changes_at_another_temperature_is_noted(loss, word, words):
    verdict = check(loss).verdicts["numerics"]
    assert verdict.word == f"right, and {word}"
    assert words in verdict.sentence


def scale_in_logarithms(x, y, logit_scale=0.0):
    return cpc(x, y, np.exp(-logit_scale))


def temperature_in_logarithms(x, y, temperature=-2.0):
    return cpc(x, y, np.exp(temperature))


def momentum_and_temperature(x, y, tau=0.99, T=0.3):
    return cpc(x, y, T)


def weighted(x, y, scale=3.0):
    return scale * cpc(x, y, 0.3)


def test_a_scale_that_multiplies_the_loss_is_no_temperature():
    assert check(weighted).verdicts["formula"].sentence == "nearest to cpc: 3 times the loss"


def bounded(x, y, t=0.7):
    if t > 1:
        raise ValueError(f"t must be at most 1; got {t}")
    return cpc(x, y, t**2)


def test_a_temperature_that_the_loss_refuses_twice_as_large_is_one():
    assert "applied twice" in check(bounded, tiers=("formula",)).verdicts["formula"].sentence


@pytest.mark.slow
@pytest.mark.parametrize(
    "loss",
    [scale_in_logarithms, temperature_in_logarithms, momentum_and_temperature],
    ids=lambda f: f.__name__,
)
def test_the_temperature_is_found_among_the_settings_and_asked_at_every_temperature(loss):
    report = check(loss)
    assert report.verdicts["formula"].word == "right"
    assert {cell.temperature for cell in report.cells} == set(TEMPERATURES)
    assert "another" not in report.verdicts["numerics"].word


def warm(x, y, temperature=0.3):
    return cpc(x, y, temperature)


@pytest.mark.parametrize(
    ("loss", "tau", "mistakes"),
    [
        (warm, 0.3, []),
        (twice, 1.0, ["temperature twice"]),
        (lambda x, y, temperature=1.0: cpc(x, y, temperature**0.5), 1.0, ["root of the temperature"]),
        (lambda x, y, temperature=1.0: cpc(x, y, 1 / temperature), 1.0, []),
        (one_sided, 1.0, ["temperature on one side"]),
        (dead, 0.3, ["temperature not used"]),
        (dead_and_bounded, 0.3, ["temperature not used"]),
        (factor_alone, 1.0, ["temperature not used"]),
        (lambda x, y, temperature=0.3: cpc(x, y, min(temperature, 0.3)), 0.3, []),  # clamped
        (lambda x, y, temperature=0.3: cpc(x, y) if temperature == 0.3 else np.nan, 0.3, []),
        (lambda x, y, temperature=0.3: cpc(x, y) if temperature == 0.3 else 1 / 0, 0.3, []),  # refused
        (cpc, None, []),
        (lambda x, y: cpc(x, y), 0.3, []),
    ],
)
def test_the_loss_at_another_temperature(loss, tau, mistakes):
    assert [one.mistake for one in temperature.judge_temperature(nearest(loss, tau=tau))] == mistakes


def test_the_numbers_that_were_passed_are_told():
    """A scale is passed, not its inverse."""

    def dead_scale(x, y, logit_scale=2.0):
        return cpc(x, y, 0.5)

    (found,) = temperature.judge_temperature(nearest(dead_scale, tau=0.5))
    assert found.sentence == "logit_scale does not reach the loss: it is the same at 2 and at 1.33333"


def test_without_a_formula_no_other_temperature_is_asked():
    assert list(temperature.judge_temperature(nearest(dead)._replace(found=None))) == []


def test_a_temperature_that_is_only_stored_is_not_asked():
    class Stored:
        tau = 0.3

        def __init__(self):
            self.temperature = 0.3

        def __call__(self, x, y):
            return cpc(x, y)

    assert list(temperature.judge_temperature(nearest(Stored()))) == []


@pytest.mark.parametrize("power", [-1, 1])
def test_a_second_number_may_grow_or_fall_with_the_temperature(power):
    """Given τ from 0.3 to 0.45, β from 1 to 1.5 or its inverse."""
    formula = Formula(("other view",), anchors="first", head="hard negatives")
    many = inputs.points("views", 4)
    before = nearest(cpc, formula=formula, second=1.0).found
    after = before._replace(temperature=0.45, second=1.5**power)
    values = np.array([elsewhere.predict(after, arrays) for arrays in many])
    found = temperature.refit(before, fit.Measured(many, values))
    assert (1 / found.t, found.e) == pytest.approx((0.45, 1.5**power), rel=1e-6, abs=0)
    assert found.residual < 1e-10
