"""Asks the bridges to PyTorch and JAX about each loss, and writes what it found into docs/frameworks.md.

python tests/frameworks.py

Needs the extras `[torch]` and `[jax]`, and a C++ compiler for what `torch.compile` compiles around a loss.
"""

import platform
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import jax
import jax.test_util
import numpy as np
import torch

import infonce_ref.jax
import infonce_ref.torch
from infonce_ref import losses, streaming
from infonce_ref.arrays import to_numpy
from infonce_ref.progress import each
from infonce_ref.registry import Loss

PAGE = Path(__file__).parent.parent / "docs" / "frameworks.md"
VALUE, GRADIENT = (
    1e-13,
    1e-11,
)  # libraries order their sums differently: a few roundings, more where a sum cancels


class Case(NamedTuple):
    """A loss at one point: the inputs by which it is differentiable, and its other arguments, in NumPy."""

    inputs: dict[str, np.ndarray]
    others: dict[str, Any]

    def in_dtype(self, dtype: str) -> "Case":
        def converted(x: Any) -> Any:
            return x.astype(dtype) if isinstance(x, np.ndarray) and x.dtype.kind == "f" else x

        return Case(*({name: converted(x) for name, x in part.items()} for part in self))


def cases(loss: Loss) -> Iterator[Case]:
    """The example of a loss, and one for each of its variants."""
    for options in ({}, *loss.variants):
        example = loss.example(**options)
        yield Case({name: np.asarray(example.pop(name)) for name in loss.differentiable}, example)


def apart(ours: Any, theirs: np.ndarray) -> float:
    """The largest difference, relative to the largest entry."""
    difference = np.max(np.abs(to_numpy(ours) - theirs))
    return float(difference and difference / np.max(np.abs(theirs)))


class Torch:
    """PyTorch: how to ask it."""

    array = staticmethod(torch.as_tensor)
    stop = staticmethod(torch.Tensor.detach)
    mapped = staticmethod(torch.func.vmap)

    @staticmethod
    def gradients(f: Callable, inputs: list) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """The value, and the gradients of thrice its sum: 0 where none comes."""
        inputs = [x.requires_grad_() for x in inputs]
        value = f(*inputs)
        (3 * value).sum().backward()
        return value.detach(), [torch.zeros_like(x) if x.grad is None else x.grad for x in inputs]

    @staticmethod
    def check(f: Callable, inputs: list) -> None:
        assert torch.autograd.gradcheck(f, [x.requires_grad_() for x in inputs])

    @staticmethod
    def compiled(f: Callable, backend: str = "inductor") -> Callable:
        """In the midst of what is compiled."""
        torch.compiler.reset()
        return torch.compile(lambda *inputs: f(*(2 * x / 2 for x in inputs)) * 1, backend=backend)


class Jax:
    """JAX, in its x64 mode: how to ask it the same."""

    array = staticmethod(jax.numpy.asarray)
    stop = staticmethod(jax.lax.stop_gradient)
    compiled = staticmethod(jax.jit)

    @staticmethod
    def mapped(f: Callable) -> Callable:
        return jax.jit(jax.vmap(f))

    @staticmethod
    def gradients(f: Callable, inputs: list) -> tuple[jax.Array, list[jax.Array]]:
        """The value, and the gradients of thrice its sum."""
        value, pull = jax.vjp(f, *inputs)
        return value, list(pull(3 * jax.numpy.ones_like(value)))

    @staticmethod
    def check(f: Callable, inputs: list) -> None:
        jax.test_util.check_grads(jax.jit(f), inputs, order=1, modes=["rev"])


class Bridge(NamedTuple):
    """A loss as a function of a framework."""

    name: str
    framework: Any
    functions: ModuleType | SimpleNamespace
    loss: Loss

    def given(self, part: dict[str, Any]) -> dict[str, Any]:
        """Arguments as the framework's own arrays."""
        array = self.framework.array
        return {name: array(x.copy()) if isinstance(x, np.ndarray) else x for name, x in part.items()}

    def of_inputs(self, case: Case) -> Callable:
        """The bridge's function, of the inputs alone."""
        function, others = getattr(self.functions, self.loss.name), self.given(case.others)
        return lambda *inputs: function(**dict(zip(case.inputs, inputs)), **others)

    def gradients(self, case: Case, transform: Callable = lambda f: f) -> tuple[Any, list]:
        """The value and the gradients of thrice its sum, by the bridge's function transformed."""
        f = transform(self.of_inputs(case))
        return self.framework.gradients(f, [*self.given(case.inputs).values()])

    def errors(self, case: Case, found: tuple[Any, list]) -> tuple[float, float]:
        """How far a value and the gradients of thrice its sum are from NumPy's."""
        value, gradients = found
        theirs, cache = self.loss.forward(**case.inputs, **case.others)
        their_gradients = self.loss.backward(cache, 3 * np.ones_like(theirs))
        return apart(value, theirs), max(map(apart, gradients, their_gradients))

    def gradcheck(self, case: Case) -> None:
        """The framework's own check against differences: where a loss has a stop-gradient, of the value with that
        held, for its gradient is no slope of the loss itself."""
        f, (array, stop) = self.of_inputs(case), (self.framework.array, self.framework.stop)
        inputs, others = self.given(case.inputs), self.given(case.others)
        held = self.loss.held and self.loss.held(**inputs, **others)

        def with_that_held(*moved: Any) -> Any:
            value, here = f(*moved), [stop(array(x)) for x in moved]
            return value + stop(held(**dict(zip(case.inputs, here)), **others) - value)

        self.framework.check(with_that_held if held else f, [*self.given(case.inputs).values()])

    def mapped(self, case: Case) -> tuple[Any, list] | None:
        """What `gradients` gives, at the second of two copies of the point; None where vmap is refused."""
        twice = Case({name: np.stack([x, x]) for name, x in case.inputs.items()}, case.others)
        f = self.framework.mapped(self.of_inputs(case))
        try:
            value, gradients = self.framework.gradients(f, [*self.given(twice.inputs).values()])
        except RuntimeError:
            return None
        return value[1], [x[1] for x in gradients]

    def keeps(self, dtype: str, transform: Callable = lambda f: f) -> bool:
        value, gradients = self.gradients(next(cases(self.loss)).in_dtype(dtype), transform)
        return all(str(x.dtype).endswith(dtype) for x in (value, *gradients))


# --- a small encoder that trains ------------------------------------------------------------------------

RATE = 0.3


def start() -> tuple[np.ndarray, ...]:
    """Two noisy views of 8 things (16, 5), the weights of two layers, and the logarithm of the temperature."""
    rng = np.random.default_rng(0)
    things = rng.standard_normal((8, 5))
    views = np.concatenate([things, things]) + 0.1 * rng.standard_normal((16, 5))
    return views, rng.standard_normal((5, 6)), rng.standard_normal((6, 3)), np.array(-1.0)


def training() -> Iterator[float]:
    """The loss at each step of gradient descent, its gradients taken through tanh(x A) B by hand, in NumPy."""
    x, a, b, log_temperature = start()
    while True:
        hidden, tau = np.tanh(x @ a), np.exp(log_temperature)
        loss, cache = losses.ntxent.forward(hidden @ b, temperature=tau)
        yield float(loss)
        gradients = losses.ntxent.backward(cache)
        before_tanh = gradients.w @ b.T * (1 - hidden**2)
        a, b = a - RATE * x.T @ before_tanh, b - RATE * hidden.T @ gradients.w
        log_temperature = log_temperature - RATE * tau * gradients.temperature


BRIDGES = [
    *(Bridge("torch", Torch, infonce_ref.torch, loss) for loss in losses.ALL.values()),
    *(Bridge("torch.streaming", Torch, infonce_ref.torch.streaming, loss) for loss in streaming.ALL.values()),
    *(Bridge("jax", Jax, infonce_ref.jax, loss) for loss in losses.ALL.values()),
]


def row(bridge: Bridge) -> str:
    """A line of the table; an answer that does not hold is an error."""
    points = list(cases(bridge.loss))
    of_values, of_gradients = zip(*(bridge.errors(case, bridge.gradients(case)) for case in points))
    for case in points:
        bridge.gradcheck(case)
    compiled = bridge.errors(points[0], bridge.gradients(points[0], bridge.framework.compiled))
    mapped = bridge.mapped(points[0])
    cells = [
        within(max(of_values), VALUE),
        within(max(of_gradients), GRADIENT),
        f"holds at {len(points)}",
        within(max(compiled), GRADIENT),
        " ".join(dtype for dtype in ("float32", "float64") if bridge.keeps(dtype)),
        "refused" if mapped is None else within(max(bridge.errors(points[0], mapped)), GRADIENT),
    ]
    return f"| `{bridge.name}` | `{bridge.loss.name}` | {' | '.join(cells)} |"


def within(error: float, tolerance: float) -> str:
    assert error <= tolerance, (error, tolerance)
    return f"{error:.0e}≤{tolerance:.0e}"


ABOUT = """\
# In PyTorch and in JAX, measured

Written by `python tests/frameworks.py`; do not edit. {libraries}; float64 on a CPU.
"""


def main() -> None:
    jax.config.update("jax_enable_x64", True)
    rows = each(row, BRIDGES, lambda bridge: f"{bridge.name} {bridge.loss.name}")
    libraries = f"torch {version('torch')}, jax {version('jax')}, Python {platform.python_version()}"
    PAGE.write_text(ABOUT.format(libraries=libraries, rows="\n".join(rows)), encoding="utf-8")


if __name__ == "__main__":
    main()
