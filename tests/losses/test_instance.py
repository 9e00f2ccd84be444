import math

import numpy as np
import pytest

from infonce_ref.losses import instance

LOSS = instance.LOSS
BATCH = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


class TestEdges:
    def test_a_bank_far_from_0_keeps_its_digits(self):
        bank = np.round(BATCH["bank"] * 2**10) / 2**10  # so that the sum is exact
        near, _ = instance.forward(**BATCH | {"bank": bank})
        far, _ = instance.forward(**BATCH | {"bank": bank + 2.0**30})
        assert far == pytest.approx(near, rel=EXACT, abs=0)

    def test_zero_rows_are_allowed(self):
        value, _ = instance.forward(np.zeros((1, 2)), np.zeros((3, 2)), index=np.array([1]), temperature=0.1)
        assert value == pytest.approx(math.log(3), rel=EXACT, abs=0)


REFUSED = (
    BATCH,
    [
        ({"index": np.array([0, 1, 5])}, r"index must lie in 0 … 4; got 0 … 5"),
        ({"index": np.array([0.0, 1.0, 2.0])}, "index must be int32 or int64"),
    ],
)
