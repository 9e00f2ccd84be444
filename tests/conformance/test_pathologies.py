"""Each mistake is known by its name."""

import pytest
from conformance.pathologies import PATHOLOGIES, value_and_gradients

from infonce_ref.conformance import check


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


def test_there_are_enough():
    assert len(PATHOLOGIES) >= 30
