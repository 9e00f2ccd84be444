"""How far a gradient changes while other arrays, or a module's parameters, are frozen."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from infonce_ref.conformance.asking import Way  # noqa: E402
from infonce_ref.conformance.frozen import freeze_parameters, measure_frozen, measure_late  # noqa: E402
from infonce_ref.conformance.identification import Nearest  # noqa: E402
from infonce_ref.conformance.inputs import points  # noqa: E402
from infonce_ref.conformance.session import Session  # noqa: E402
from infonce_ref.conformance.target import target  # noqa: E402


def nearest(loss, way="two", library="torch"):
    return Nearest(Way(way, Session(target(loss, {}), library)), None, None, None, "float64")


def product(x, y):
    return torch.sum(x * y)


class Lazy(torch.autograd.Function):
    """Σ x·y, whose gradient by y is three times the right one if x is frozen."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return torch.sum(x * y)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * y, g * x * (1 if ctx.needs_input_grad[0] else 3)


def test_a_right_gradient_does_not_change():
    assert measure_frozen(nearest(product)) == {"x": 0.0, "y": 0.0}


def test_the_change_is_relative_to_the_gradient_without_frozen_arrays():
    """Three times is a change by twice, of the gradient by y alone."""
    assert measure_frozen(nearest(lambda x, y: Lazy.apply(x, y))) == {"x": 2.0, "y": 0.0}


def test_of_three_arrays_each_one_and_each_two_are_frozen():
    def loss(x, y, negatives):
        return Lazy.apply(x, y) + torch.sum(negatives**2)

    found = measure_frozen(nearest(loss, "queue"))
    assert found == {
        "x": 2.0,
        "y": 0.0,
        "negatives": 0.0,
        "x and y": 0.0,
        "x and negatives": 2.0,
        "y and negatives": 0.0,
    }


def test_labels_are_not_frozen():
    def loss(rows, labels):
        return torch.sum(rows * labels[:, None])

    assert measure_frozen(nearest(loss, "classes")) == {}


def test_arrays_without_names_are_numbered():
    assert list(measure_frozen(nearest(lambda *arrays: product(*arrays)))) == ["array 1", "array 2"]


def test_a_loss_that_raises_then_is_noted_and_asked_on():
    def loss(x, y):
        x.register_hook(lambda g: g)
        return product(x, y)

    asked = nearest(loss)
    asked.way.session.notes.clear()
    asked.way.session.frozen = frozenset()
    assert measure_frozen(asked) == {"y": 0.0}
    (note,) = asked.way.session.notes
    assert note.startswith("with x frozen it raises RuntimeError: ")
    assert asked.way.session.frozen == frozenset()


def test_afterwards_nothing_is_frozen():
    asked = nearest(product)
    measure_frozen(asked)
    assert asked.way.session.frozen == frozenset()


def test_a_loss_of_another_library_is_not_asked():
    assert measure_frozen(nearest(lambda x, y: np.sum(x * y), library="numpy")) == {}


def latest(shared):
    """Σ x·y, whose backward uses the arrays of its own call, or those that the latest call left on the class."""

    class Kept(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            keeper = Kept if shared else ctx
            keeper.arrays = x, y
            return torch.sum(x * y)

        @staticmethod
        def backward(ctx, g):
            x, y = (Kept if shared else ctx).arrays
            return g * y, g * x

    return lambda x, y: Kept.apply(x, y)


def test_a_backward_uses_the_arrays_of_its_own_call():
    here, other = points("views", 4, each=1)[:2]
    change = max(np.abs(here[n] - other[n]).max() / np.abs(here[n]).max() for n in "xy")
    assert measure_late(nearest(latest(shared=True))) == pytest.approx(change)
    assert measure_late(nearest(latest(shared=False))) == 0.0


def test_labels_have_no_gradient_after_another_call():
    assert measure_late(nearest(lambda w, labels: torch.sum(w**2 * labels[:, None]), "classes")) == 0.0


def test_a_loss_that_raises_after_another_call_is_noted():
    class Bank(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.bank = torch.zeros(4, 5, dtype=torch.float64)

        def forward(self, x, y):
            self.bank.copy_(y.detach())
            return torch.sum(x * self.bank) + torch.sum(y)

    asked = nearest(Bank())
    assert measure_late(asked) is None
    (note,) = asked.way.session.notes
    assert note.startswith("called twice before its backward it raises RuntimeError: ")
    assert asked.way.session.between == ()


def test_another_library_keeps_no_graph():
    assert measure_late(nearest(lambda x, y: np.sum(x * y), library="numpy")) is None


class Weighted(torch.nn.Module):
    """w Σ x·y, whose gradient is doubled while w is frozen."""

    def __init__(self, learns=True):
        super().__init__()
        self.w = torch.nn.Parameter(torch.tensor(2.0), requires_grad=learns)
        self.fixed = torch.nn.Parameter(torch.tensor(1.0), requires_grad=False)

    def forward(self, x, y):
        z = product(x, y)
        return self.w * (z if self.w.requires_grad else 2 * z)


def test_the_parameters_of_a_module_are_frozen_last():
    found = measure_frozen(nearest(Weighted()))
    assert list(found.items()) == [("x", 0.0), ("y", 0.0), ("the module's parameters", 1.0)]


def test_a_module_that_learns_nothing_has_no_parameters_to_freeze():
    assert list(measure_frozen(nearest(Weighted(learns=False)))) == ["x", "y"]


def test_within_the_block_no_parameter_requires_a_gradient():
    module = Weighted()
    with freeze_parameters(module) as are_any:
        assert are_any is True
        assert not module.w.requires_grad
    assert module.w.requires_grad
    assert not module.fixed.requires_grad


def test_after_an_error_parameters_require_a_gradient_again():
    module = Weighted()

    def fail():
        with freeze_parameters(module):
            raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        fail()
    assert module.w.requires_grad


@pytest.mark.parametrize("function", [product, Weighted(learns=False)])
def test_without_learned_parameters_there_are_none(function):
    with freeze_parameters(function) as are_any:
        assert are_any is False
