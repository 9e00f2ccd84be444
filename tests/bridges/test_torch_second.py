"""Second derivatives in PyTorch: each way in which autograd and torch.func take them."""

from functools import partial

import numpy as np
import pytest

from infonce_ref import losses
from infonce_ref.bridges import find_stopped

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra [torch])")

from bridges import frameworks  # noqa: E402

import infonce_ref.torch as bridge  # noqa: E402

# raised with create_graph=True, because a leaf's .grad then makes a reference cycle
pytestmark = pytest.mark.filterwarnings("ignore:Using backward:UserWarning")

BOTH = pytest.mark.parametrize("ntxent", [bridge.ntxent, bridge.streaming.ntxent], ids=["plain", "streaming"])
TAU = torch.tensor(0.3, dtype=torch.float64)
W = torch.tensor(losses.ALL["ntxent"].example()["w"])
V = torch.tensor(np.random.default_rng(1).standard_normal(W.shape))


def by_double_backward(f, w, v):
    (gradient,) = torch.autograd.grad(f(w), w, create_graph=True)
    return torch.autograd.grad((gradient * v).sum(), w)[0]


def by_backward(f, w, v):
    f(w).backward(create_graph=True, inputs=[w])
    gradient, w.grad = w.grad, None
    (gradient * v).sum().backward(inputs=[w])
    return w.grad


def by_dual_numbers(f, w, v):
    """Forward over reverse mode, without torch.func."""
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(w, v)
        (gradient,) = torch.autograd.grad(f(dual), dual)
        return torch.autograd.forward_ad.unpack_dual(gradient).tangent


def by_batched_cotangents(f, w, v):
    (gradient,) = torch.autograd.grad(f(w), w, create_graph=True)
    (rows,) = torch.autograd.grad(gradient, w, torch.stack([v, 2 * v]), is_grads_batched=True)
    return rows[1] / 2


functional, func = torch.autograd.functional, torch.func


def by_checkpoint(f, w, v):
    return by_double_backward(lambda w: torch.utils.checkpoint.checkpoint(f, w, use_reentrant=False), w, v)


WAYS = {
    "double backward": by_double_backward,
    "backward(create_graph, inputs)": by_backward,
    "dual numbers": by_dual_numbers,
    "functional.hessian": lambda f, w, v: torch.tensordot(functional.hessian(f, w), v, 2),
    "functional.hvp": lambda f, w, v: functional.hvp(f, w, v)[1],
    "func.grad of func.grad": lambda f, w, v: func.grad(lambda w: (func.grad(f)(w) * v).sum())(w),
    "func.hessian": lambda f, w, v: torch.tensordot(func.hessian(f)(w), v, 2),
    "func.jvp of grad": lambda f, w, v: func.jvp(func.grad(f), (w,), (v,))[1],
    "func.grad of vmap": lambda f, w, v: func.grad(lambda x: func.vmap(f)(x).sum())(torch.stack([w, v])),
    "func.vmap of hessian": lambda f, w, v: func.vmap(func.hessian(f))(torch.stack([w, v])),
    "three times": lambda f, w, v: func.grad(lambda w: (WAYS["func.grad of func.grad"](f, w, v) * v).sum())(
        w
    ),
    "through a checkpoint": by_checkpoint,
}


@BOTH
@pytest.mark.parametrize("way", WAYS)
def test_each_way_agrees_with_pytorch_differentiating_its_own_operations(ntxent, way):
    ours, theirs = (
        WAYS[way](partial(f, temperature=TAU), W.clone().requires_grad_(), V)
        for f in (ntxent, frameworks.ntxent_by_hand)
    )
    # the rounding of both
    torch.testing.assert_close(ours.detach(), theirs.detach(), rtol=1e-10, atol=1e-12)


@BOTH
@pytest.mark.parametrize(
    "way",
    [
        by_batched_cotangents,
        lambda f, w, v: functional.hessian(f, w, vectorize=True),
        lambda f, w, v: functional.hessian(f, w, vectorize=True, outer_jacobian_strategy="forward-mode"),
        lambda f, w, v: torch.autograd.gradcheck(f, w, check_batched_grad=True),
    ],
)
def test_autograd_vectorization_is_refused(ntxent, way):
    with pytest.raises(RuntimeError, match="omit vectorize=True, is_grads_batched"):
        way(partial(ntxent, temperature=TAU), W.clone().requires_grad_(), V)


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(asked, marks=() if asked.loss.name in ("clip", "triplet") else pytest.mark.slow)
        for asked in frameworks.BRIDGES
        if asked.framework is frameworks.Torch
    ],
    ids=lambda asked: f"{asked.room}.{asked.loss.name}",
)
def test_every_loss_passes_gradgradcheck(asked):
    """Also in forward mode; by every differentiable input except those that the loss holds constant."""
    for case in frameworks.cases(asked.loss):
        if case.others.get("weights") != "constant":  # a difference would move constant weights too
            constant = find_stopped(asked.loss, case.others)
            inputs = [x.requires_grad_(name not in constant) for name, x in asked.given(case.inputs).items()]
            assert torch.autograd.gradcheck(asked.of_inputs(case), inputs, check_forward_ad=True)
            assert torch.autograd.gradgradcheck(asked.of_inputs(case), inputs)


@BOTH
def test_the_tangent_of_upstream_reaches_the_gradient(ntxent):
    x = W.clone().requires_grad_()
    with torch.autograd.forward_ad.dual_level():
        up = torch.autograd.forward_ad.make_dual(torch.ones_like(TAU), 2 * torch.ones_like(TAU))
        (gradient,) = torch.autograd.grad(ntxent(x, temperature=TAU), x, up)
        primal, tangent = torch.autograd.forward_ad.unpack_dual(gradient)
    torch.testing.assert_close(tangent, 2 * primal, rtol=1e-12, atol=0)


@BOTH
def test_twice_where_the_graph_is_retained(ntxent):
    x = W.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(ntxent(x, temperature=TAU), x, create_graph=True)
    first, second = (torch.autograd.grad((gradient * V).sum(), x, retain_graph=True)[0] for _ in range(2))
    torch.testing.assert_close(first, second, rtol=0, atol=0)
    with torch.no_grad():
        x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        torch.autograd.grad((gradient * V).sum(), x)
