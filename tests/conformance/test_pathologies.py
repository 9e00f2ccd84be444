"""Each mistake is known by its name."""

import numpy as np
import pytest
from conformance.pathologies import PATHOLOGIES, value_and_gradients

from infonce_ref.conformance import check


@pytest.mark.slow
@pytest.mark.parametrize("pathology", PATHOLOGIES, ids=lambda p: p.loss.__name__)
def test_it_is_named(pathology):
    forward, backward = value_and_gradients(pathology.loss)
    report = check(
        forward,
        is_=pathology.is_,
        inputs=pathology.inputs,
        backward=backward,
        tiers=("formula", "gradient"),
        **pathology.settings,
    )
    assert pathology.name in [mistake.mistake for mistake in report.mistakes], report
    assert not report.holds


def test_a_deviation_that_no_product_is_over_is_named():
    """Columns over their deviation over B − 1, products over B: of another number of rows another factor."""

    def of_sample(z1, z2):
        a, b = ((z - z.mean(axis=0)) / z.std(axis=0, ddof=1) for z in (z1, z2))
        c = a.T @ b / len(z1)
        return ((np.eye(len(c)) - c) ** 2 * np.where(np.eye(len(c)), 1, 0.005)).sum()

    report = check(of_sample, is_="barlow_twins", inputs="two", tiers=("formula",))
    assert [mistake.mistake for mistake in report.mistakes] == ["deviation over B − 1"], report
    assert not report.holds


def test_there_are_enough():
    assert len(PATHOLOGIES) >= 30
