"""A single pair has no negative; if the loss only needs the sum over negatives, it is log(1 + 0) = 0."""

import numpy as np
import pytest

from infonce_ref import losses, streaming

FIRST, SECOND = np.array([[3.0, -1.0, 0.5]]), np.array([[2.5, 0.3, 0.7]])
PAIR = np.concatenate([FIRST, SECOND])
QUERIES = {"query": PAIR, "positive": PAIR + 1.0}
VIEWS = {"image": FIRST, "text": SECOND, "temperature": 0.3}
WITHOUT_NEGATIVES = {
    "ntxent": {"w": PAIR, "temperature": 0.3},
    "ntxent, interleaved": {"w": PAIR, "temperature": 0.3, "layout": "interleaved"},
    "hard_negative": {"w": PAIR, "temperature": 0.3, "beta": 1.0, "prior": 0.1},
    "hard_negative, debiased": {"w": PAIR, "temperature": 0.3, "beta": 0.0, "prior": 0.5},
    "hard_negative, no prior": {"w": PAIR, "temperature": 1e-3, "beta": 30.0, "prior": 0.0},
    "clip": VIEWS,
    "query_key": {**QUERIES, "negatives": np.ones((0, 3)), "temperature": 0.3},
    "query_key, own": {**QUERIES, "negatives": np.ones((2, 0, 3)), "temperature": 0.3},
    "cpc": {"scores": PAIR[:, :1], "positive": np.array([0, 0])},
    "instance": {"v": PAIR, "bank": FIRST, "index": np.array([0, 0]), "temperature": 0.3},
    "soft_targets": {"scores": PAIR[:, :1], "targets": np.ones((2, 1))},
    "supcon, one class": {"w": PAIR, "labels": np.zeros(2, int), "temperature": 0.1, "form": "pairs"},
}


def loss_of(case, registry=losses.ALL):
    return registry.get(case.partition(",")[0])


CASES = [
    pytest.param(loss, arguments, id=kind + case)
    for kind, registry in (("", losses.ALL), ("streaming.", streaming.ALL))
    for case, arguments in WITHOUT_NEGATIVES.items()
    if (loss := loss_of(case, registry))
]


@pytest.mark.parametrize(("loss", "arguments"), CASES)
def test_a_loss_without_negatives_is_0_and_so_is_each_gradient(loss, arguments, library):
    if not library.streams and loss in streaming.ALL.values():
        return
    for reduction in ("mean", "sum", "none"):
        value, cache = loss.forward(**library.arguments(arguments), reduction=reduction)
        anchors = value.shape[0] if reduction == "none" else 1
        upstream = np.full(anchors, 1.5) if reduction == "none" else 1.5
        gradients = loss.backward(cache, **library.arguments({"upstream": upstream}))
        assert np.all(library.back(value)[0] == 0)
        for name, gradient in zip(loss.differentiable, library.back(*gradients), strict=True):
            assert gradient.shape == np.shape(arguments[name])
            assert np.all(gradient == 0)
