"""Every loss inside PyTorch: neither autograd nor autocast nor a transform silently changes its numbers."""

import warnings

import numpy as np
import pytest

from infonce_ref import arrays, losses, streaming

torch = pytest.importorskip("torch")
EVERY = losses.ALL | {f"streaming.{name}": loss for name, loss in streaming.ALL.items()}
LOSSES = pytest.mark.parametrize(
    ("loss", "bridge"), [(loss, f"infonce_ref.torch.{name}") for name, loss in EVERY.items()], ids=EVERY
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
    with pytest.raises(RuntimeError, match="vmap"):
        torch.func.vmap(value)(example[name][None])


@LOSSES
def test_a_backward_pass_refuses_an_upstream_that_requires_a_gradient_and_records_nothing(loss, bridge):
    """Even if an input requires a gradient after the forward pass."""
    example = tensors(loss.example())
    _, cache = loss.forward(**example)
    with pytest.raises(ValueError, match=rf"^upstream requires a gradient.* {bridge}, "):
        loss.backward(cache, torch.tensor(2.0, requires_grad=True))
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
def test_a_sparse_or_nested_tensor_is_refused(loss, bridge):
    example = tensors(loss.example())
    name = loss.differentiable[0]
    for x in (example[name].to_sparse(), torch.nested.nested_tensor([example[name]], layout=torch.jagged)):
        with pytest.raises(ValueError, match=f"^{name} must be dense"):
            loss.forward(**example | {name: x})


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
