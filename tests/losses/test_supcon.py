"""SupCon: edges and bad input."""

import importlib
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
        for form, reduction in itertools.product(("out", "in"), ("mean", "sum", "none")):
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

    @pytest.mark.jax
    @pytest.mark.slow
    def test_under_jit_an_error_is_nan_and_a_zero_is_0(self):
        jax = pytest.importorskip("jax", reason="jax is not installed")
        bridge = importlib.import_module("infonce_ref.jax")

        def slope(w, labels, no_positives):
            def loss(w):
                return bridge.supcon(w, labels=labels, temperature=0.5, no_positives=no_positives)

            return jax.value_and_grad(loss)(w)

        w, labels = jax.numpy.asarray(BATCH["w"][:3], "float32"), jax.numpy.arange(3)
        value, gradient = jax.jit(slope, static_argnums=2)(w, labels, "zero")
        assert value == 0
        assert np.all(np.asarray(gradient) == 0)
        value, gradient = jax.jit(slope, static_argnums=2)(w, labels, "error")
        assert np.isnan(value)
        assert np.all(np.isnan(gradient))

    @pytest.mark.torch
    def test_pytorch_gives_0_without_positives(self):
        torch = pytest.importorskip("torch", reason="torch is not installed")
        bridge = importlib.import_module("infonce_ref.torch")
        w = torch.tensor(BATCH["w"], requires_grad=True)
        for supcon_ in (bridge.supcon, bridge.streaming.supcon):
            loss = supcon_(w, labels=torch.arange(8), temperature=0.5, no_positives="zero")
            (gradient,) = torch.autograd.grad(loss, w)
            assert loss == 0
            assert torch.all(gradient == 0)


class TestPairs:
    """form="pairs": each positive against the negatives alone, averaged over pairs."""

    @pytest.mark.parametrize("loss", [supcon, streaming.supcon], ids=["plain", "streaming"])
    def test_without_a_negative_loss_and_gradient_are_0(self, loss):
        value, cache = loss.forward(np.eye(4), labels=np.zeros(4, int), temperature=0.1, form="pairs")
        assert value == 0
        assert not np.any(loss.backward(cache).w)

    @pytest.mark.parametrize("loss", [supcon, streaming.supcon], ids=["plain", "streaming"])
    def test_without_a_positive_loss_and_gradient_are_0(self, loss):
        given = {"labels": np.arange(4), "temperature": 0.1, "form": "pairs", "no_positives": "zero"}
        value, cache = loss.forward(np.eye(4), **given)
        assert value == 0
        assert not np.any(loss.backward(cache).w)


REFUSED = (
    BATCH,
    [
        ({"labels": np.arange(8)}, "labels must repeat"),
        ({"labels": BATCH["labels"] * 1.0}, "labels must be int32 or int64"),
        ({"w": np.where(np.arange(8)[:, None] == 3, 0.0, BATCH["w"])}, "no zero row"),
    ],
)
