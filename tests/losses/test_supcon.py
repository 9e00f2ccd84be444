"""SupCon: edges and bad input."""

import importlib
import itertools
import math

import numpy as np
import pytest

from infonce_ref import streaming
from infonce_ref.losses import supcon

LOSS = supcon.LOSS
BATCH = LOSS.example(rows=4)  # classes 0 1 0 1, twice, but for the last row
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

    @FORMS
    def test_a_batch_of_one_class_has_no_negatives(self, form):
        same = np.zeros(8, dtype=int)
        value, cache = supcon.forward(BATCH["w"], labels=same, temperature=0.5, form=form)
        if form == "in":  # the positives have all of the probability, however it is shared
            assert value == pytest.approx(math.log(7), rel=EXACT, abs=0)
            np.testing.assert_array_equal(supcon.backward(cache).w, 0)

    @FORMS
    def test_two_rows_of_one_class_have_loss_zero(self, form):
        value, cache = supcon.forward(np.eye(2), labels=np.zeros(2, int), temperature=0.1, form=form)
        assert value == 0
        np.testing.assert_array_equal(supcon.backward(cache).w, 0)

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

    @pytest.mark.parametrize("loss", [LOSS, streaming.supcon.LOSS], ids=["plain", "streaming"])
    def test_a_batch_with_a_positive_has_the_same_loss(self, loss):
        for reduction in ("mean", "none"):
            either = [loss.forward(**BATCH, reduction=reduction, no_positives=x) for x in ("error", "zero")]
            np.testing.assert_array_equal(*(value for value, _ in either))
            weights = either[0][0] * 0 + 1.5
            for one, other in zip(*(loss.backward(cache, weights) for _, cache in either)):
                np.testing.assert_array_equal(one, other)

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

    def test_in_pytorch_too(self):
        torch = pytest.importorskip("torch", reason="torch is not installed")
        bridge = importlib.import_module("infonce_ref.torch")
        w = torch.tensor(BATCH["w"], requires_grad=True)
        for supcon_ in (bridge.supcon, bridge.streaming.supcon):
            loss = supcon_(w, labels=torch.arange(8), temperature=0.5, no_positives="zero")
            (gradient,) = torch.autograd.grad(loss, w)
            assert loss == 0
            assert torch.all(gradient == 0)

    def test_coinciding_rows_give_the_log_of_the_candidates(self):
        value, cache = supcon.forward(np.ones((6, 2)), labels=np.arange(6) // 3, temperature=0.1)
        assert value == pytest.approx(math.log(5), rel=EXACT, abs=0)
        np.testing.assert_allclose(supcon.backward(cache).w, 0, atol=EXACT)

    def test_learned_classes_are_at_the_floor_outside_and_keep_their_digits_inside(self):
        # two classes, opposite: q = 3 e^{−2/τ} / 2, and the loss exceeds log 2 by it
        w = np.array([[1.0, 0.0]] * 3 + [[-1.0, 0.0]] * 3)
        outside, _ = supcon.forward(w, labels=np.arange(6) // 3, temperature=0.05)
        inside, cache = supcon.forward(w, labels=np.arange(6) // 3, temperature=0.05, form="in")
        assert outside == inside == pytest.approx(math.log(2), rel=EXACT, abs=0)
        assert cache.q == pytest.approx(np.full(6, 1.5 * math.exp(-40)), rel=1e-13, abs=0)  # eps/τ

    def test_form_out_repels_a_positive_with_more_than_its_share(self):
        # of two positives one is near the anchor, the other orthogonal to it; there is no other row
        z = np.array([[1.0, 0.0], [math.cos(0.1), math.sin(0.1)], [0.0, -1.0]])
        _, cache = supcon.forward(z, labels=np.zeros(3, int), temperature=0.1, reduction="none")
        step = supcon.backward(cache, np.array([1.0, 0.0, 0.0])).w
        assert step[0] @ (z[1] - z[0]) > 0  # downhill is away from it
        _, cache = supcon.forward(z, labels=np.zeros(3, int), temperature=0.1, form="in", reduction="none")
        assert not np.any(supcon.backward(cache, np.array([1.0, 0.0, 0.0])).w)


REFUSED = (
    BATCH,
    [
        ({"labels": np.arange(8)}, "labels must repeat"),
        ({"labels": BATCH["labels"][:4]}, "must agree in N"),
        ({"labels": BATCH["labels"] * 1.0}, "labels must be int32 or int64"),
        ({"labels": BATCH["labels"][:, None]}, r"labels must have shape \(N\)"),
        ({"w": np.where(np.arange(8)[:, None] == 3, 0.0, BATCH["w"])}, "no zero row"),
    ],
)
