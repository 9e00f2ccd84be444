"""SupCon: edges and bad input."""

import itertools

import numpy as np
import pytest

from infonce_ref import streaming
from infonce_ref.losses import supcon

LOSS = supcon.LOSS
BATCH = LOSS.example(rows=4)  # classes 0 1 0 1, twice, except for the last row
EXACT = 1e-14  # a few dozen roundings of numbers of order 1
FORMS = pytest.mark.parametrize("form", ["out", "in"])


class TestEdges:
    @FORMS
    def test_an_anchor_without_a_positive_has_no_loss_but_is_a_negative(self, form):
        each, cache = supcon.forward(**BATCH, form=form, reduction="none")
        np.testing.assert_array_equal(each > 0, np.arange(8) != 7)
        alone = np.zeros(8)
        alone[-1] = 1.0
        assert not np.any(supcon.backward(cache, alone).w)
        others = supcon.backward(cache, 1 - alone).w
        assert np.linalg.norm(others[-1]) > 0.01
        whole, of_mean = supcon.forward(**BATCH, form=form)
        assert whole == pytest.approx(np.sum(each) / 7, rel=EXACT, abs=0)
        np.testing.assert_allclose(supcon.backward(of_mean).w, others / 7, atol=EXACT)

    @pytest.mark.parametrize("loss", [LOSS, streaming.supcon.LOSS], ids=["plain", "streaming"])
    @pytest.mark.parametrize("rows", [1, 2, 7])
    def test_a_batch_without_positives_may_be_a_loss_of_0(self, loss, rows, library):
        if not library.streams and loss is not LOSS:
            return
        w, labels = BATCH["w"][:rows], np.arange(rows)
        for form, reduction in itertools.product(("out", "in", "pairs"), ("mean", "sum", "none")):
            given = library.arguments({"w": w, "labels": labels})
            value, cache = loss.forward(
                **given, temperature=0.01, form=form, reduction=reduction, no_positives="zero"
            )
            upstream = np.full(rows, 1.5) if reduction == "none" else 1.5
            gradients = loss.backward(cache, **library.arguments({"upstream": upstream}))
            value, *gradients = library.back(value, *gradients)
            assert value.shape == ((rows,) if reduction == "none" else ())
            assert gradients[0].shape == w.shape
            assert all(np.all(x == 0) for x in (value, *gradients))


REFUSED = (
    BATCH,
    [
        ({"labels": np.arange(8)}, "labels must repeat"),
        ({"labels": BATCH["labels"] * 1.0}, "labels must be int32 or int64"),
        ({"w": np.where(np.arange(8)[:, None] == 3, 0.0, BATCH["w"])}, "no zero row"),
    ],
)
