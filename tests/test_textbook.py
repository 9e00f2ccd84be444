"""Each loss and each estimator is its textbook form, in value and in every slope."""

import numpy as np
import pytest

from infonce_ref.verify.case import Case
from infonce_ref.verify.definition import define
from infonce_ref.verify.drawn import variants
from infonce_ref.verify.judge import list_registered

LOSSES = list_registered()
STEP = 1e-160  # so small that its square is 0


@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_its_textbook_form(name):
    loss = LOSSES[name]
    for seed, options in enumerate(variants(loss)):
        case = Case.of(loss, loss.example(seed, **options), "", "float64")
        value, slopes = define(case), case.gradients()
        with np.errstate(divide="ignore"):
            assert float(value(case.arguments)) == pytest.approx(case.value(), rel=1e-9, abs=1e-9)
            for by, slope in slopes.items():
                v = np.random.default_rng(seed).standard_normal(np.shape(slope))
                along = value({**case.arguments, by: case.arguments[by] + STEP * 1j * v})
                assert np.imag(along) / STEP == pytest.approx(np.sum(slope * v), rel=1e-9, abs=1e-9), (
                    options,
                    by,
                )
