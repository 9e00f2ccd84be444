import math

import numpy as np
import pytest

from infonce_ref.losses import dhn_nce

LOSS = dhn_nce.LOSS
PAIRS = LOSS.example()
EXACT = 1e-13  # a few dozen roundings of numbers of order 10


class TestEdges:
    def test_zero_rows_are_allowed(self):
        zero = np.zeros((3, 2))
        value, _ = dhn_nce.forward(**PAIRS | {"image": zero, "text": zero})
        assert value == pytest.approx(6 * math.log(2), rel=EXACT, abs=0)

    def test_the_hardest_weight_does_not_lose_the_digits_of_beta_times_its_logit(self):
        # βL is near 1e8: log W as a difference of such numbers would be wrong in its 8th digit
        logits = np.array([[0.0, 3.3, 1.0], [1.0, 0.0, 2.3], [7.1, 6.0, 0.0]])
        value, _ = dhn_nce.forward(logits, np.eye(3), temperature=1.0, beta1=1e7, beta2=1e7)
        hardest = (3.3 + 2.3 + 7.1) + (7.1 + 6.0 + 2.3)  # of each row, and of each column; the others weigh 0
        assert value == pytest.approx(hardest + 6 * math.log(2), rel=EXACT, abs=0)


REFUSED = (
    PAIRS,
    [
        (
            {"image": PAIRS["image"][:1], "text": PAIRS["text"][:1]},
            "at least two pairs: .* an empty sum is −∞",
        ),
        ({"beta2": np.inf}, "beta2 must be finite"),
        ({"beta1": -0.1}, "beta1 must be finite and not negative"),
    ],
)
