"""The losses as PyTorch functions: what autograd does with them."""

import subprocess
import sys
import weakref
from inspect import signature

import numpy as np
import pytest

from infonce_ref import losses, streaming
from infonce_ref.bridges import find_stopped, find_views

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra [torch])")

from bridges import frameworks  # noqa: E402

import infonce_ref.torch as bridge  # noqa: E402
from infonce_ref.torch.modules import name_of  # noqa: E402


class Module(frameworks.Bridge):
    """A loss's module, called with the arguments of its function."""

    @property
    def function(self):
        plain = losses.ALL[self.loss.name]
        made, both = getattr(bridge.nn, name_of(plain)), find_views(plain)

        def call(**given):
            tiled = {"streaming": True} if self.room.endswith("streaming") else {}
            layout = given.pop("layout", "")
            options = {name: x for name, x in given.items() if name in signature(made).parameters}
            tensors = {name: x for name, x in given.items() if name not in options}
            if both:
                rows = tensors.pop(both)
                z1, z2 = (rows[::2], rows[1::2]) if layout == "interleaved" else rows.chunk(2)
                tensors |= {"z1": z1, "z2": z2}
            return made(**options, **tiled)(**tensors)

        return call


FUNCTIONS = [asked for asked in frameworks.BRIDGES if asked.framework is frameworks.Torch]
ROOMS = {"torch.nn": losses.ALL, "torch.nn.streaming": streaming.ALL}
MODULES = [Module(room, frameworks.Torch, loss) for room, those in ROOMS.items() for loss in those.values()]
EVERY = pytest.mark.parametrize(
    "asked", [*FUNCTIONS, *MODULES], ids=lambda asked: f"{asked.room}.{asked.loss.name}"
)
BOTH = pytest.mark.parametrize("ntxent", [bridge.ntxent, bridge.streaming.ntxent], ids=["plain", "streaming"])


@pytest.fixture
def w():
    return torch.tensor(losses.ALL["ntxent"].example()["w"], requires_grad=True)


@EVERY
def test_each_input_alone_gets_its_gradient(asked):
    """The same gradient as if all inputs require one, NumPy's; none for an input that the loss holds constant."""
    case = next(frameworks.cases(asked.loss))
    value, together = asked.gradients(case)
    assert max(asked.errors(case, (value, together))) <= frameworks.GRADIENT
    for k, name in enumerate(case.inputs):
        inputs = [*asked.given(case.inputs).values()]
        inputs[k].requires_grad_()
        value = asked.of_inputs(case)(*inputs)
        assert value.requires_grad is (name not in find_stopped(asked.loss, case.others))
        if value.requires_grad:
            (3 * value).sum().backward()
            torch.testing.assert_close(inputs[k].grad, together[k], rtol=0, atol=0)
        assert all(x.grad is None for j, x in enumerate(inputs) if j != k)


# --- what autograd requires of a function ---------------------------------------------------------


@BOTH
def test_no_grad_saves_no_tensors_and_others_are_freed_with_the_graph(ntxent, w):
    saved = []
    with torch.autograd.graph.saved_tensors_hooks(lambda x: saved.append(weakref.ref(x)) or x, lambda x: x):
        for mode in (torch.no_grad, torch.inference_mode):
            with mode():
                assert ntxent(w, temperature=0.5).grad_fn is None
        assert not saved
        loss = ntxent(w, temperature=0.5)
    assert any(array() is not w for array in saved)
    del loss
    assert all(array() is None or array() is w for array in saved)


@EVERY
@pytest.mark.parametrize("create_graph", [False, True])
def test_modified_arguments_are_refused_unless_unused(asked, create_graph):
    """If any tensor is modified, or any option given as a NumPy array, under every option, autograd raises or the
    gradients, also the second ones, are those before the change. So no cache holds a view of an argument that
    autograd does not know of.
    """
    named = {p.name for p in signature(asked.loss.forward).parameters.values() if p.kind is p.KEYWORD_ONLY}
    unused = {"materialize_grads": True, "allow_unused": True}
    for case in frameworks.cases(asked.loss):
        options = {name: np.array(x) for name, x in case.others.items() if isinstance(x, float | np.ndarray)}
        tensors = {name for name, x in asked.given(case.others).items() if isinstance(x, torch.Tensor)}
        expected = None
        for changed, as_numpy in [
            *((name, False) for name in (None, *case.inputs, *tensors)),
            *((name, True) for name in options if name in named),
        ]:
            given = {**asked.given(case.inputs), **asked.given(case.others)}
            inputs = [given[name].requires_grad_() for name in case.inputs]
            x = options[changed] if as_numpy else given.get(changed)
            value = 3 * asked.function(**given | ({changed: x} if as_numpy else {})).sum()
            with torch.no_grad():
                if changed:
                    x[...] = ~x if x.dtype in (bool, torch.bool) else x + 1
            refused, found = "", expected
            try:
                found = torch.autograd.grad(value, inputs, create_graph=create_graph, **unused)
                if curved := [x.square().sum() for x in found if x.requires_grad]:
                    found += torch.autograd.grad(sum(curved), inputs, **unused)
            except RuntimeError as error:
                refused = str(error)
            assert not refused or (not as_numpy and "modified by an inplace operation" in refused)
            expected = expected or found  # unchanged
            torch.testing.assert_close(found, expected, rtol=0, atol=0)


def test_without_a_graph_any_option_may_require_a_gradient():
    beta, eye = torch.tensor(1.0, requires_grad=True), torch.eye(3)
    with torch.no_grad():
        assert bridge.dhn_nce(eye, eye, temperature=0.5, beta1=beta, beta2=1.0).isfinite()


@pytest.mark.slow
def test_importing_the_bridge_does_not_import_the_compiler():
    """It takes a second and 90 MB."""
    code = """
import sys, torch
from infonce_ref.torch import ntxent
ntxent(torch.eye(4, requires_grad=True), temperature=0.5).backward()
assert "torch._dynamo" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


# --- half precision ----------------------------------------------------------------------------------------

HALVES = pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])


@HALVES
@EVERY
def test_half_precision_is_computed_in_float32(asked, dtype):
    """Under autocast; the gradients come back in the dtype of their inputs, and an infinity gives NaN."""
    case = next(frameworks.cases(asked.loss)).in_dtype("float32")
    others = asked.given(case.others)  # a law in half precision does not sum to 1
    halves = {k: x.to(dtype).requires_grad_() for k, x in asked.given(case.inputs).items()}
    singles = {k: x.detach().float().requires_grad_() for k, x in halves.items()}
    broken = {k: x.detach().clone() for k, x in halves.items()}
    first = next(iter(broken.values())).requires_grad_()
    first.data.flatten()[0] = torch.inf
    without = asked.function(**singles, **others)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        values = [asked.function(**given, **others) for given in (halves, singles, broken)]
    assert values[0].dtype == torch.float32
    torch.testing.assert_close(values[1], without, rtol=0, atol=0)
    torch.testing.assert_close(*values[:2], rtol=0, atol=0)
    for value in values:
        if value.requires_grad:
            value.sum().backward()
    for half, single in zip(halves.values(), singles.values()):
        if single.grad is not None:
            assert half.grad.dtype == dtype
            assert torch.equal(half.grad, single.grad.to(dtype))
    assert values[2].isnan().all()
    assert first.grad.isnan().all()


@pytest.mark.parametrize(
    ("dtypes", "computed"),
    [
        ((torch.bfloat16, torch.float32), torch.float32),
        ((torch.float16, torch.bfloat16), torch.float32),
        ((torch.float64, torch.float16), torch.float64),
    ],
)
def test_mixed_dtypes_are_promoted(dtypes, computed):
    image, text = (torch.eye(3, dtype=dtype, requires_grad=True) for dtype in dtypes)
    tau = torch.tensor(0.5, dtype=dtypes[0], requires_grad=True)
    loss = bridge.clip(image, text, temperature=tau)
    loss.backward()
    assert loss.dtype == computed
    assert (image.grad.dtype, text.grad.dtype, tau.grad.dtype) == (*dtypes, dtypes[0])
    with pytest.raises(ValueError, match="all arrays must share one dtype"):
        bridge.clip(torch.eye(3), torch.eye(3).double(), temperature=0.5)


@BOTH
@pytest.mark.parametrize("upstream", [torch.inf, torch.nan])
@pytest.mark.parametrize("create_graph", [False, True])
def test_an_upstream_that_is_not_finite_gives_nan(ntxent, upstream, create_graph, w):
    for reduction in ("mean", "none"):
        value = ntxent(w, temperature=0.5, reduction=reduction)
        up = torch.full_like(value, upstream)
        (gradient,) = torch.autograd.grad(value, w, up, create_graph=create_graph)
        assert gradient.isnan().all()


@BOTH
def test_non_finite_rows_are_refused_without_half_precision(ntxent, w):
    with pytest.raises(ValueError, match="w must be finite; it holds NaN or infinity"):
        ntxent(w.detach() * torch.inf, temperature=0.5)
    with torch.autocast("cpu", dtype=torch.float16):
        value = ntxent(w.detach() * torch.inf, temperature=0.5, reduction="none")
    assert value.isnan().tolist() == [True] * len(w)
