"""A loss whose numbers overflow is an error in every loss, and no NaN."""

import numpy as np
import pytest

from infonce_ref import losses, streaming

COLD = {
    **{name: loss for name, loss in losses.ALL.items() if "temperature" in loss.example()},
    **{f"streaming.{name}": loss for name, loss in streaming.ALL.items()},
}


@pytest.mark.parametrize("loss", COLD.values(), ids=COLD)
def test_a_temperature_at_which_the_logits_overflow_is_refused(loss):
    example = loss.example() | {"temperature": 1e-310}  # 1/τ is above the largest float64
    with pytest.raises(ValueError, match=f"{loss.name} overflows float64"):
        loss.forward(**example)


@pytest.mark.parametrize("name", ["cpc", "nce"])
def test_scores_whose_difference_overflows_are_refused(name):
    loss = losses.ALL[name]
    largest = np.finfo(float).max
    example = {
        key: np.where(np.arange(x.size).reshape(x.shape) % 2, largest, -largest)
        if key.endswith("scores")
        else x
        for key, x in loss.example().items()
    }
    with pytest.raises(ValueError, match=f"{name} overflows float64"):
        loss.forward(**example)
