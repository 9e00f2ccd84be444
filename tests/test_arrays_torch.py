"""Every loss inside PyTorch: neither autograd nor autocast nor a transform silently changes its numbers."""

import warnings

import numpy as np
import pytest

from infonce_ref import arrays, cross_entropy, double_length, elementary, losses, streaming

torch = pytest.importorskip("torch")
LOSSES = pytest.mark.parametrize(
    ("loss", "bridge"),
    [
        *((loss, f"infonce_ref.torch.{name}") for name, loss in losses.ALL.items()),
        *((loss, f"infonce_ref.torch.streaming.{name}") for name, loss in streaming.ALL.items()),
    ],
    ids=[*losses.ALL, *(f"streaming.{name}" for name in streaming.ALL)],
)


def tensors(example, dtype=torch.float64):
    """The arrays, and the temperature, as tensors."""
    return {
        k: torch.tensor(x, dtype=dtype if np.asarray(x).dtype.kind == "f" else None)
        if isinstance(x, np.ndarray | float)
        else x
        for k, x in example.items()
    }


def differentiable(example):
    return [name for name, x in example.items() if torch.is_tensor(x) and x.is_floating_point()]


@LOSSES
def test_a_tensor_that_requires_a_gradient_is_refused_and_the_bridge_is_named(loss, bridge):
    example = tensors(loss.example())
    for name in differentiable(example):  # constants too
        asking = {**example, name: example[name].clone().requires_grad_()}
        with pytest.raises(
            ValueError, match=rf"^{name} requires a gradient.* {bridge}, or pass {name}.detach\(\)"
        ):
            loss.forward(**asking)
        loss.forward(**example | {name: asking[name].detach()})
        for nobody in (torch.no_grad, torch.inference_mode):
            with nobody():
                loss.forward(**asking)


@LOSSES
def test_a_tensor_under_a_transform_is_refused(loss, bridge):
    example = tensors(loss.example())
    name = loss.differentiable[0]

    def value(x):
        return loss.forward(**example | {name: x})[0]

    with pytest.raises(ValueError, match=f"{bridge},"):
        torch.func.grad(value)(example[name])
    with pytest.raises(ValueError, match=f"{bridge},"), warnings.catch_warnings(action="ignore"):
        torch.func.jvp(value, (example[name],), (example[name],))
    with pytest.raises(ValueError, match="must hold numbers that can be read"):
        torch.func.vmap(value)(example[name][None])


@LOSSES
def test_an_upstream_that_requires_a_gradient_is_refused(loss, bridge):
    _, cache = loss.forward(**tensors(loss.example()))
    upstream = torch.tensor(2.0, requires_grad=True)
    with pytest.raises(ValueError, match=rf"^upstream requires a gradient.* {bridge}, "):
        loss.backward(cache, upstream)


@LOSSES
def test_autograd_records_nothing_even_if_an_input_requires_a_gradient_after_the_forward_pass(loss, bridge):
    example = tensors(loss.example())
    _, cache = loss.forward(**example)
    for name in differentiable(example):
        example[name].requires_grad_()
    assert not any(x.requires_grad for x in loss.backward(cache))


@LOSSES
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_autocast_changes_no_bit(loss, bridge, dtype):
    example = tensors(loss.example(), dtype)
    value, cache = loss.forward(**example)
    alone = (value, *loss.backward(cache))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        value, cache = loss.forward(**example)
        within = (value, *loss.backward(cache))
    for x, y in zip(within, alone):
        assert x.dtype == y.dtype == dtype
        assert torch.equal(x, y)


@LOSSES
def test_a_meta_sparse_or_fake_tensor_is_refused(loss, bridge):
    example = tensors(loss.example())
    name = loss.differentiable[0]
    for x, rule in (
        (example[name].to("meta"), "must hold numbers"),
        (example[name].to_sparse(), "must be dense"),
        (torch.nested.nested_tensor([example[name]], layout=torch.jagged), "must be dense"),
    ):
        with pytest.raises(ValueError, match=f"^{name} {rule}"):
            loss.forward(**example | {name: x})
    with (
        torch._subclasses.FakeTensorMode() as fake,
        pytest.raises(ValueError, match="numbers that can be read"),
    ):
        loss.forward(**{k: fake.from_tensor(x) if torch.is_tensor(x) else x for k, x in example.items()})


def test_numbers_are_read_from_a_copy_in_main_memory():
    """NumPy cannot read a GPU's tensor."""

    class OnGpu(torch.Tensor):
        def cpu(self):
            return torch.zeros(2)

    np.testing.assert_array_equal(arrays.to_numpy(torch.ones(2).as_subclass(OnGpu)), [0, 0])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Dynamo detected a call")
def test_torch_compile_gives_the_same_number():
    w = torch.eye(4, dtype=torch.float64)
    compiled = torch.compile(lambda w: losses.ntxent.forward(w, temperature=0.5)[0], backend="eager")
    assert compiled(w) == losses.ntxent.forward(w, temperature=0.5)[0]


# --- what PyTorch differentiates for a second derivative ---------------------------------------------------


def slopes(f, x, order=1):
    """The derivatives of f at each number of x, by autograd."""
    x = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    y = f(x)
    for _ in range(order):
        (y,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    return y.tolist()


def test_the_derivatives_of_a_sigmoid_are_right_at_0_too():
    assert slopes(elementary.sigmoid, [0.0, -0.0]) == [0.25, 0.25]
    assert slopes(elementary.sigmoid, [0.0], order=3) == [-0.125]
    assert slopes(elementary.sigmoid, [-np.inf, np.inf]) == [0.0, 0.0]
    assert slopes(elementary.sigmoid, [-700.0]) == [pytest.approx(np.exp(-700.0), rel=1e-13, abs=0)]


def test_shifts_and_scales_are_constants_of_autograd():
    x = torch.ones((2, 3), requires_grad=True)
    for constant in (elementary.find_largest(x), elementary.power_of_two(x)):
        assert not constant.requires_grad


def test_the_derivatives_of_softplus_are_right_at_0_too():
    assert slopes(elementary.softplus, [0.0, -0.0, -np.inf]) == [0.5, 0.5, 0.0]
    assert slopes(elementary.softplus, [0.0], order=2) == [0.25]


@pytest.mark.parametrize("x", [[1.0, 1.0], [2.0, -np.inf, 2.0]], ids=["tied", "masked"])
def test_the_derivatives_of_a_softmax_are_right_at_ties(x):
    """p (g − ⟨p, g⟩), and p for log-sum-exp, whichever entry is the shift."""
    x = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    p, above = elementary.softmax_in_place(1 * x)
    g = torch.arange(len(x), dtype=torch.float64)
    (by_p,) = torch.autograd.grad(p @ g, x, retain_graph=True)
    (by_log,) = torch.autograd.grad(above, x)
    torch.testing.assert_close(by_p, p * (g - p @ g))
    torch.testing.assert_close(by_log, p.detach())


def test_a_rounding_error_has_derivative_0():
    """A product or difference in two parts has, as a sum, the derivative of the product or difference."""
    a, b = (torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in (1 + 2.0**-30, 1 - 2.0**-31))
    slopes_of_sums = ((double_length.product, [b.item(), a.item()]), (double_length.difference, [1.0, -1.0]))
    for f, expected in slopes_of_sums:
        found = torch.autograd.grad(sum(f(a, b)), (a, b))
        assert [x.item() for x in found] == expected


def test_an_anchor_that_coincides_with_its_positive_has_a_derivative():
    """∂(P_a − P_p)/∂(a − u) = P_p at a = u, where P_a = P_p."""
    lead = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    _, rows = cross_entropy.with_anchor(lead, torch.tensor([0.3], dtype=torch.float64))
    (slope,) = torch.autograd.grad(rows.ahead.sum(), lead)
    torch.testing.assert_close(slope, rows.own.detach(), rtol=1e-15, atol=0)
