"""Second derivatives in PyTorch: each way in which autograd and torch.func take them."""

import numpy as np
import pytest

from infonce_ref import losses
from infonce_ref.bridges import find_stopped

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra [torch])")

import frameworks  # noqa: E402

import infonce_ref.torch as bridge  # noqa: E402

pytestmark = pytest.mark.filterwarnings(  # raised when PyTorch's transforms are first used
    "ignore:The .grad attribute of a Tensor:UserWarning",
    # raised with create_graph=True, because a leaf's .grad then makes a reference cycle
    "ignore:Using backward:UserWarning",
)

BRIDGES = [asked for asked in frameworks.BRIDGES if asked.framework is frameworks.Torch]
EVERY = pytest.mark.parametrize("asked", BRIDGES, ids=lambda asked: f"{asked.room}.{asked.loss.name}")
BOTH = pytest.mark.parametrize("ntxent", [bridge.ntxent, bridge.streaming.ntxent], ids=["plain", "streaming"])
TAU = torch.tensor(0.3, dtype=torch.float64)


def by_hand(w, temperature=TAU, reduction="mean"):
    """NT-Xent in PyTorch's own operations, accurate at high temperatures."""
    z, n = torch.nn.functional.normalize(w), len(w)
    scores = (z @ z.T / temperature).masked_fill(torch.eye(n, dtype=torch.bool), -torch.inf)
    return torch.nn.functional.cross_entropy(scores, torch.arange(n).roll(n // 2), reduction=reduction)


@pytest.fixture
def w():
    return torch.tensor(losses.ALL["ntxent"].example()["w"])


@pytest.fixture
def v(w):
    return torch.tensor(np.random.default_rng(1).standard_normal(w.shape))


def of_rows(ntxent):
    return lambda w: ntxent(w, temperature=TAU)


def assert_close(ours, theirs):
    """Assert equality up to the rounding error of both."""
    torch.testing.assert_close(ours, theirs, rtol=1e-10, atol=1e-12)


# --- each way, against PyTorch's own -----------------------------------------------------------------------


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


def by_penalty(f, w, v):
    """Differentiate a penalty on the gradient's norm."""
    loss = f(w)
    (gradient,) = torch.autograd.grad(loss, w, create_graph=True)
    return torch.autograd.grad(loss + 10 * (gradient.norm() - 1) ** 2, w)[0]


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
    "a gradient penalty": by_penalty,
    "through a checkpoint": by_checkpoint,
}


@BOTH
@pytest.mark.parametrize("way", WAYS)
def test_each_way_agrees_with_pytorch_differentiating_its_own_operations(ntxent, way, w, v):
    ours, theirs = (WAYS[way](of_rows(f), w.clone().requires_grad_(), v) for f in (ntxent, by_hand))
    assert_close(ours.detach(), theirs.detach())


@BOTH
@pytest.mark.parametrize(
    "way",
    [
        by_batched_cotangents,
        lambda f, w, v: functional.hessian(f, w, vectorize=True),
        lambda f, w, v: functional.hessian(f, w, vectorize=True, outer_jacobian_strategy="forward-mode"),
        lambda f, w, v: functional.jacobian(f, w, vectorize=True),
        lambda f, w, v: torch.autograd.gradcheck(f, w, check_batched_grad=True),
    ],
    ids=["is_grads_batched", "hessian", "hessian, forward", "jacobian", "gradcheck"],
)
def test_autograd_vectorization_is_refused(ntxent, way, w, v):
    with pytest.raises(RuntimeError, match="omit vectorize=True, is_grads_batched"):
        way(of_rows(ntxent), w.clone().requires_grad_(), v)


@BOTH
@pytest.mark.parametrize("reduction", ["mean", "none"])
def test_by_the_temperature_and_mixed(ntxent, reduction, w):
    """All four blocks of the Hessian, and with a vector upstream."""

    def blocks(f):
        def of_both(w, tau):
            value = f(w, temperature=tau, reduction=reduction)
            return (value * torch.linspace(1, 2, value.numel()).reshape(value.shape)).sum()

        return functional.hessian(of_both, (w, TAU))

    for ours, theirs in zip(blocks(ntxent), blocks(by_hand)):
        for one, other in zip(ours, theirs):
            assert_close(one, other)


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(asked, marks=() if asked.loss.name in ("clip", "triplet") else pytest.mark.slow)
        for asked in BRIDGES
    ],
    ids=lambda asked: f"{asked.room}.{asked.loss.name}",
)
def test_every_loss_passes_gradgradcheck(asked):
    """Checks every differentiable input except those that the loss holds constant."""
    for case in frameworks.cases(asked.loss):
        constant = find_stopped(asked.loss, case.others)
        inputs = asked.given(case.inputs)
        f, names = asked.of_inputs(case), list(inputs)
        moved = [x.requires_grad_() for name, x in inputs.items() if name not in constant]

        def of_moved(*moved, f=f, names=names, inputs=inputs, constant=constant):
            given = iter(moved)
            return f(*(inputs[name] if name in constant else next(given) for name in names))

        if case.others.get("weights") != "constant":  # a difference would move constant weights too
            assert torch.autograd.gradcheck(of_moved, moved, check_forward_ad=True)
            assert torch.autograd.gradgradcheck(of_moved, moved)


def test_constant_weights_of_dhn_nce_stay_constant():
    """The Hessian of the loss with constant weights; autograd derives it from the value alone."""
    loss = losses.ALL["dhn_nce"]
    example = loss.example(weights="constant")
    arguments = {k: torch.tensor(x) if isinstance(x, np.ndarray) else x for k, x in example.items()}
    rows = arguments.pop("image")
    held = loss.held(image=rows, **arguments)
    assert_close(
        func.hessian(lambda image: bridge.dhn_nce(image, **arguments))(rows),
        functional.hessian(lambda image: held(image=image, **arguments), rows),
    )


@EVERY
@pytest.mark.parametrize("dtype", ["float64", pytest.param("float32", marks=pytest.mark.slow)])
def test_every_loss_is_right_to_50_digits(asked, dtype):
    """At the example, at a low temperature with nearly coinciding views, and at ties."""
    error, tolerance = asked.second(dtype)
    assert error <= tolerance


# --- common uses ------------------------------------------------------------------------------


@BOTH
def test_the_tangent_of_upstream_reaches_the_gradient(ntxent, w):
    x = w.clone().requires_grad_()
    with torch.autograd.forward_ad.dual_level():
        up = torch.autograd.forward_ad.make_dual(torch.ones_like(TAU), 2 * torch.ones_like(TAU))
        (gradient,) = torch.autograd.grad(of_rows(ntxent)(x), x, up)
        primal, tangent = torch.autograd.forward_ad.unpack_dual(gradient)
    torch.testing.assert_close(tangent, 2 * primal, rtol=1e-12, atol=0)


@BOTH
def test_twice_where_the_graph_is_retained(ntxent, w, v):
    x = w.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(of_rows(ntxent)(x), x, create_graph=True)
    first, second = (torch.autograd.grad((gradient * v).sum(), x, retain_graph=True)[0] for _ in range(2))
    torch.testing.assert_close(first, second, rtol=0, atol=0)
    with torch.no_grad():
        x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        torch.autograd.grad((gradient * v).sum(), x)


@pytest.mark.parametrize("transform", [func.grad, func.jacfwd, func.jacrev, func.hessian])
def test_an_option_without_a_gradient_is_refused_under_a_transform_too(transform):
    image = torch.eye(3)
    with pytest.raises(ValueError, match="beta1 requires a gradient, and dhn_nce has none by it"):
        transform(lambda beta: bridge.dhn_nce(image, image, temperature=0.5, beta1=beta, beta2=1.0))(
            torch.tensor(1.0)
        )


# --- ties --------------------------------------------------------------------------------------------------


def test_logits_of_siglip_that_are_0_have_curvature():
    image = text = torch.zeros(2, 1, dtype=torch.float64)
    curvature = func.hessian(lambda b: bridge.siglip(image, text, temperature=1.0, bias=b))(TAU * 0)
    assert_close(curvature, 2 * torch.tensor(0.25, dtype=torch.float64))


# forward-over-reverse, and reverse-over-reverse
HESSIANS = (func.hessian, lambda f: lambda x: functional.hessian(f, x))


@pytest.mark.parametrize("take", HESSIANS, ids=["forward", "reverse"])
def test_pairs_of_alignment_that_coincide_have_the_curvature_of_a_square(take):
    z = torch.eye(2, dtype=torch.float64)
    found = take(lambda x: bridge.alignment(x, z, exponent=2.0, reduction="sum"))(z)
    assert_close(found.reshape(4, 4), 2 * torch.eye(4, dtype=torch.float64))


def test_pairs_of_alignment_that_coincide_have_no_curvature_of_a_distance():
    z = torch.eye(2, dtype=torch.float64)
    other = z + torch.tensor([[0.0, 0.0], [3.0, 4.0]], dtype=torch.float64)
    for take in HESSIANS:
        with pytest.raises(ValueError, match="no second derivative where a row of z1 is that of z2"):
            take(lambda x: bridge.alignment(x, other, exponent=1.0))(z)
    found = func.hessian(lambda x: bridge.alignment(x, other[1:], exponent=1.0))(z[1:])
    expected = torch.tensor([[16.0, -12.0], [-12.0, 9.0]], dtype=torch.float64) / 125
    assert_close(found[0, :, 0], expected)
