"""Each loss as a function of PyTorch or JAX, and its errors against NumPy and 50 digits."""

import contextlib
from collections.abc import Callable, Iterator
from functools import reduce
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from bridges import curvature

from infonce_ref import losses, streaming
from infonce_ref.arrays import array_namespace, to_numpy
from infonce_ref.information import ESTIMATORS
from infonce_ref.registry import Loss

with contextlib.suppress(ImportError):  # the tests run each framework only if it is installed
    import torch
with contextlib.suppress(ImportError):
    import jax

# libraries order their sums differently: a few roundings, more if a sum cancels
VALUE, GRADIENT = (1e-13, 1e-11)


class Case(NamedTuple):
    """A loss at one point: its differentiable inputs and its other arguments, in NumPy."""

    inputs: dict[str, np.ndarray]
    others: dict[str, Any]

    def in_dtype(self, dtype: str) -> "Case":
        def convert(x: Any) -> Any:
            return x.astype(dtype) if isinstance(x, np.ndarray) and x.dtype.kind == "f" else x

        return Case(*({name: convert(x) for name, x in part.items()} for part in self))


def cases(loss: Loss) -> Iterator[Case]:
    """Yield the example of a loss, and one for each of its variants."""
    for options in ({}, *loss.variants):
        example = loss.example(**options)
        yield Case({name: np.asarray(example.pop(name)) for name in loss.differentiable}, example)


def relative_difference(ours: Any, theirs: np.ndarray) -> float:
    """The largest difference, relative to the largest entry."""
    difference = np.max(np.abs(to_numpy(ours) - theirs))
    return float(difference and difference / np.max(np.abs(theirs)))


def ntxent_by_hand(w: Any, temperature: Any) -> Any:
    """NT-Xent in the framework's own operations, at temperatures that need no shift."""
    xp, n = array_namespace(w), len(w)
    z = w / xp.sqrt(xp.sum(w * w, axis=1, keepdims=True))
    total = xp.sum(xp.exp(z @ z.T / temperature) * (1 - xp.eye(n, dtype=w.dtype)), axis=1)
    return xp.mean(xp.log(total) - xp.sum(z * xp.roll(z, n // 2, axis=0), axis=1) / temperature)


class Torch:
    """How to call a loss in PyTorch."""

    @staticmethod
    def array(x: Any) -> Any:
        return torch.as_tensor(x)

    @staticmethod
    def gradients(f: Callable, inputs: list) -> tuple[Any, list]:
        """The value, and the gradients of three times its sum; 0 for an input without one."""
        inputs = [x.requires_grad_() for x in inputs]
        value = f(*inputs)
        (3 * value).sum().backward()
        return value.detach(), [torch.zeros_like(x) if x.grad is None else x.grad for x in inputs]

    @staticmethod
    def second(f: Callable, inputs: list, along: list) -> list:
        """H v of the value's sum, by double backward."""
        inputs = [x.requires_grad_() for x in inputs]
        gradients = torch.autograd.grad(f(*inputs).sum(), inputs, create_graph=True)
        return list(torch.autograd.grad(gradients, inputs, along, materialize_grads=True))

    @staticmethod
    def compiled(f: Callable) -> Callable:
        """Run the function inside a compiled one, by the backend that needs no C++ compiler."""
        torch.compiler.reset()
        return torch.compile(lambda *inputs: f(*(2 * x / 2 for x in inputs)) * 1, backend="aot_eager")

    @staticmethod
    def mapped(f: Callable) -> Callable:
        return torch.func.vmap(f)


class Jax:
    """How to call a loss in JAX, in its x64 mode."""

    @staticmethod
    def array(x: Any) -> Any:
        return jax.numpy.asarray(x)

    @staticmethod
    def gradients(f: Callable, inputs: list) -> tuple[Any, list]:
        """The value, and the gradients of three times its sum."""
        value, pull = jax.vjp(f, *inputs)
        return value, list(pull(3 * jax.numpy.ones_like(value)))

    @staticmethod
    def second(f: Callable, inputs: list, along: list) -> list:
        """H v of the value's sum, forward over reverse."""
        slopes = jax.grad(lambda *x: f(*x).sum(), argnums=tuple(range(len(inputs))))
        return list(jax.jvp(slopes, tuple(inputs), tuple(along))[1])

    @staticmethod
    def compiled(f: Callable) -> Callable:
        return jax.jit(f)

    @staticmethod
    def mapped(f: Callable) -> Callable:
        return jax.jit(jax.vmap(f))


class Bridge(NamedTuple):
    """A loss as a function of a framework. room: its module in infonce_ref."""

    room: str
    framework: Any
    loss: Loss

    @property
    def function(self) -> Callable:
        module, *within = self.room.split(".")
        # the name of an estimator contains its subpackage
        name = self.loss.name.rpartition(".")[2]
        return reduce(getattr, [*within, name], import_module(f"infonce_ref.{module}"))

    def given(self, part: dict[str, Any]) -> dict[str, Any]:
        """Convert arguments to the framework's own arrays."""
        array = self.framework.array
        return {name: array(x.copy()) if isinstance(x, np.ndarray) else x for name, x in part.items()}

    def of_inputs(self, case: Case) -> Callable:
        """Return the bridge's function, of the inputs only."""
        function, others = self.function, self.given(case.others)
        return lambda *inputs: function(**dict(zip(case.inputs, inputs)), **others)

    def gradients(self, case: Case, transform: Callable = lambda f: f) -> tuple[Any, list]:
        """The value and the gradients of three times its sum, by the bridge's function under a
        transformation.
        """
        f = transform(self.of_inputs(case))
        return self.framework.gradients(f, [*self.given(case.inputs).values()])

    def errors(self, case: Case, found: tuple[Any, list]) -> tuple[float, float]:
        """Return the errors of a value, and of the gradients of three times its sum, against NumPy."""
        value, gradients = found
        theirs, cache = self.loss.forward(**case.inputs, **case.others)
        their_gradients = self.loss.backward(cache, 3 * np.ones_like(theirs))
        return relative_difference(value, theirs), max(map(relative_difference, gradients, their_gradients))

    def mapped(self, case: Case) -> tuple[Any, list] | None:
        """The result of `gradients` at the second of two points; None if vmap is refused."""
        twice = Case({name: np.stack([2 * x, x]) for name, x in case.inputs.items()}, case.others)
        f = self.framework.mapped(self.of_inputs(case))
        try:
            value, gradients = self.framework.gradients(f, [*self.given(twice.inputs).values()])
        except RuntimeError:
            return None
        return value[1], [x[1] for x in gradients]

    def second(self, dtype: str) -> tuple[float, float]:
        """Return the error of H v against 50 digits, and its tolerance, at the worst of three points."""

        def product(case: curvature.Case, along: dict[str, np.ndarray]) -> list:
            others = self.given({name: x for name, x in case.arguments.items() if name not in along})
            inputs = {name: np.asarray(case.arguments[name], case.dtype) for name in along}
            v = [*self.given({name: np.asarray(x) for name, x in along.items()}).values()]

            def f(*moved: Any) -> Any:
                return self.function(**dict(zip(along, moved)), **others)

            return [to_numpy(x) for x in self.framework.second(f, [*self.given(inputs).values()], v)]

        errors = [curvature.error(case, product) for case in curvature.points(self.loss, dtype)]
        return max(errors, key=lambda pair: pair[0] / pair[1])


BRIDGES = [
    *(Bridge("torch", Torch, loss) for loss in losses.ALL.values()),
    *(Bridge("torch.streaming", Torch, loss) for loss in streaming.ALL.values()),
    *(Bridge("torch.information", Torch, loss) for loss in ESTIMATORS.values()),
    *(Bridge("jax", Jax, loss) for loss in losses.ALL.values()),
    *(Bridge("jax.information", Jax, loss) for loss in ESTIMATORS.values()),
]
