import math

import numpy as np
import pytest

from infonce_ref.losses import instance

LOSS = instance.LOSS
BATCH = LOSS.example()
EXACT = 1e-14  # a few dozen roundings of numbers of order 1


def test_renumbering_the_bank_changes_nothing():
    order = np.array([4, 2, 0, 1, 3])
    renumbered = BATCH | {"bank": BATCH["bank"][order], "index": np.argsort(order)[BATCH["index"]]}
    value, cache = instance.forward(**BATCH)
    other, other_cache = instance.forward(**renumbered)
    assert other == pytest.approx(value, rel=EXACT, abs=0)
    gradients, others = instance.backward(cache), instance.backward(other_cache)
    np.testing.assert_allclose(others.bank, gradients.bank[order], rtol=0, atol=EXACT)


class TestEdges:
    def test_a_bank_far_from_0_keeps_its_digits(self):
        bank = np.round(BATCH["bank"] * 2**10) / 2**10  # so that the sum is exact
        near, _ = instance.forward(**BATCH | {"bank": bank})
        far, _ = instance.forward(**BATCH | {"bank": bank + 2.0**30})
        assert far == pytest.approx(near, rel=EXACT, abs=0)

    def test_a_bank_of_equal_rows_gives_log_K_each(self):
        value, cache = instance.forward(
            BATCH["v"], np.ones((5, 3)), index=BATCH["index"], temperature=BATCH["temperature"]
        )
        assert value == pytest.approx(3 * math.log(5), rel=EXACT, abs=0)
        np.testing.assert_allclose(instance.backward(cache).v, 0, atol=EXACT)

    def test_two_features_may_own_one_row(self, assert_slopes):
        assert_slopes(LOSS, **BATCH | {"index": np.array([2, 2, 1])})

    def test_zero_rows_are_allowed(self):
        value, _ = instance.forward(np.zeros((1, 2)), np.zeros((3, 2)), index=np.array([1]), temperature=0.1)
        assert value == pytest.approx(math.log(3), rel=EXACT, abs=0)

    def test_the_loss_keeps_its_digits_as_it_goes_to_zero(self):
        bank = np.array([[1.0, 0.0], [-1.0, 0.0]])
        value, cache = instance.forward(bank[:1], bank, index=np.array([0]), temperature=0.01)
        assert value == pytest.approx(math.exp(-200), rel=1e-12, abs=0)  # eps/τ times a few
        assert instance.backward(cache).bank[1, 0] == pytest.approx(100 * math.exp(-200), rel=1e-12, abs=0)


REFUSED = (
    BATCH,
    [
        ({"index": np.array([0, 1, 5])}, r"index must lie in 0 … 4; got 0 … 5"),
        ({"index": np.array([0.0, 1.0, 2.0])}, "index must be int32 or int64"),
        ({"index": np.array([0, 1])}, "must agree in n"),
        ({"bank": np.ones((5, 2))}, "must agree in d"),
    ],
)
