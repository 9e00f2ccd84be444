"""The gradients of PyTorch: while an array is frozen, and by the numbers that a module learns."""

import pytest

from infonce_ref.conformance import gradient_tier
from infonce_ref.conformance.asking import Way
from infonce_ref.conformance.gradient_tier import judge_frozen, judge_learned
from infonce_ref.conformance.identification import Nearest
from infonce_ref.conformance.session import Session
from infonce_ref.conformance.target import target

torch = pytest.importorskip("torch")


def of_torch(loss):
    return Nearest(Way("scores", Session(target(loss, {}), "torch")), None, None, None, "float64")


def squares(skip):
    """Σ (x² + y²), with a hand-written backward that skips the gradient by x if y is frozen."""

    class Squares(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return (x**2).sum() + (y**2).sum()

        @staticmethod
        def backward(ctx, upstream):
            x, y = ctx.saved_tensors
            frozen = skip and not all(ctx.needs_input_grad)
            return 2 * x * upstream * (not frozen), 2 * y * upstream

    return lambda x, y: Squares.apply(x, y)


@pytest.mark.parametrize(
    ("skip", "mistakes", "status"), [(False, [], "holds"), (True, ["wrong while frozen"], "fails")]
)
def test_a_backward_may_skip_too_much_while_an_array_is_frozen(skip, mistakes, status):
    way = Way("two", Session(target(squares(skip), {}), "torch"))
    differences, (own,) = judge_frozen(Nearest(way, None, None, None, "float64"))
    assert [each.mistake for each in differences] == mistakes
    assert own[:2] == ("gradient while frozen", status)


def test_the_largest_change_while_something_is_frozen_is_told(monkeypatch):
    errors = {"x": 1e-3, "y": 1e-4, "x and y": 1e-2, "z": 0.0}
    monkeypatch.setattr(gradient_tier, "measure_frozen", lambda nearest: errors)
    (found,), (own,) = judge_frozen(Nearest(None, None, None, None, "float64"))
    assert found.sentence == gradient_tier.FROZEN.format("x and y", 1e-2)
    assert own.error == 1e-2


@pytest.mark.parametrize(
    ("error", "mistakes", "checks"),
    [
        (None, [], []),
        (1e-9, [], [("gradient after another call", "holds")]),
        (0.5, ["wrong after another call"], [("gradient after another call", "fails")]),
    ],
)
def test_a_gradient_may_not_depend_on_later_calls(monkeypatch, error, mistakes, checks):
    monkeypatch.setattr(gradient_tier, "measure_late", lambda nearest: error)
    differences, records = gradient_tier.judge_late(Nearest(None, None, None, None, "float64"))
    assert [each.mistake for each in differences] == mistakes
    assert [each[:2] for each in records] == checks


def module(use):
    """A module that learns a scale, and uses it in its own way."""

    class Loss(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = torch.nn.Parameter(torch.tensor(2.0))

        def forward(self, scores):
            each = torch.logsumexp(scores, 1) - torch.diagonal(scores)
            return each.mean() * use(self.scale)

    return of_torch(Loss())


def wrongly(scale):
    return scale + 0.5 * (scale - scale.detach())


@pytest.mark.parametrize(
    ("use", "mistakes", "records"),
    [
        (lambda scale: scale, [], [("holds", 0.0)]),
        (lambda scale: scale.detach(), ["learned number detached"], [("fails", 1.0)]),
        (lambda scale: scale.clamp(max=1.0), ["learned number without effect"], []),
        (wrongly, ["gradient by numbers wrong"], [("fails", 0.5)]),
        (lambda scale: 1.0, [], []),
    ],
)
def test_a_learned_number_needs_its_gradient(use, mistakes, records):
    """Its error is relative to the differences of the value."""
    asked = module(use)
    differences, found = judge_learned(asked)
    assert [each.mistake for each in differences] == mistakes
    assert [(record.check, record.status) for record in found] == [
        ("gradient by scale", status) for status, _ in records
    ]
    # close enough to tell 0, 1/2 and 1 apart
    assert [record.error for record in found] == pytest.approx(
        [error for _, error in records], rel=0, abs=1e-3
    )
    assert ("scale, which it learns, is not used" in asked.way.session.notes) is (
        not mistakes and not records
    )
