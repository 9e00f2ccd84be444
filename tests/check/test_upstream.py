"""A backward pass must multiply by what reaches it, and be right where the gradient is long: in PyTorch."""

import math

import pytest

from infonce_ref.check import check

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("passes_on", "mistakes"),
    [
        (lambda g: g[:, None], []),
        (lambda g: 1 / len(g), ["upstream ignored"]),
        (lambda g: g.abs()[:, None], ["upstream ignored"]),
        (lambda g: g.clamp(max=1)[:, None], ["upstream ignored"]),
        (lambda g: (g.sign() * g.abs().clamp(min=1))[:, None], ["gradient sum for mean"]),
        (lambda g: g.clamp(-1000, 1000)[:, None], ["upstream ignored"]),
        (lambda g: 0 * g[:, None], ["no gradient"]),
        (lambda g: g.mean(), ["upstream mixed"]),
        (lambda g: g[0], ["upstream mixed"]),
        (lambda g: g[:, None] * (math.nan if len(g) > 32 else 1), ["right at one batch size"]),
    ],
    ids=[
        "right",
        "ignored",
        "without its sign",
        "clipped",
        "raised to 1",
        "clipped far up",
        "no gradient",
        "averaged",
        "first",
        "NaN",
    ],
)
def test_a_backward_must_multiply_by_what_reaches_each_row(passes_on, mistakes):
    class Loss(torch.autograd.Function):
        @staticmethod
        def forward(ctx, scores):
            ctx.save_for_backward(scores)
            return -scores.log_softmax(dim=1).diag()

        @staticmethod
        def backward(ctx, upstream):
            (scores,) = ctx.saved_tensors
            return (scores.softmax(dim=1) - torch.eye(len(scores))) * passes_on(upstream)

    report = check(lambda scores: Loss.apply(scores), is_="cpc", tiers=("gradient",), inputs="scores")
    assert report.verdicts["gradient"].word == ("wrong" if mistakes else "right")
    assert [m.mistake for m in report.mistakes] == mistakes


def test_a_backward_must_use_the_arrays_of_its_own_call():
    latest = []

    class Loss(torch.autograd.Function):
        @staticmethod
        def forward(ctx, scores):
            latest[:] = [scores]
            return -scores.log_softmax(dim=1).diag().mean()

        @staticmethod
        def backward(ctx, upstream):
            (scores,) = latest
            return upstream * (scores.softmax(dim=1) - torch.eye(len(scores))) / len(scores)

    report = check(lambda scores: Loss.apply(scores), is_="cpc", tiers=("gradient",), inputs="scores")
    assert [m.mistake for m in report.mistakes] == ["wrong after another call"]


def test_a_gradient_that_is_cut_where_it_is_long_is_wrong():
    def loss(x, y):
        x = x.clone()
        if x.requires_grad:
            x.register_hook(lambda slope: slope.clamp(-0.4, 0.4))
        rows = torch.nn.functional.normalize(torch.cat([x, y]), dim=1)
        scores = (rows @ rows.T / 0.5).fill_diagonal_(-torch.inf)
        return torch.nn.functional.cross_entropy(scores, torch.arange(len(rows)).roll(len(x)))

    report = check(loss, is_="ntxent", tiers=("gradient",))
    assert [m.mistake for m in report.mistakes] == ["gradient wrong"]


class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, scale):
        ctx.save_for_backward(scores, scale)
        return -(scale * scores).log_softmax(dim=1).diag()

    @staticmethod
    def backward(ctx, upstream):
        scores, scale = ctx.saved_tensors
        slope = (scale * scores).softmax(dim=1) - torch.eye(len(scores))
        return upstream[:, None] * slope * scale, ctx.by(upstream) @ (slope * scores).sum(dim=1)


@pytest.mark.parametrize(
    ("by", "mistakes"),
    [
        (lambda g: g, []),
        (lambda g: g.mean().expand(len(g)), ["upstream mixed"]),
        (lambda g: g * math.nan, ["gradient by numbers wrong"]),
    ],
    ids=["right", "averaged", "NaN"],
)
def test_the_gradient_by_a_learned_number_must_multiply_by_what_reaches_each_row(by, mistakes):
    class Own(Scaled):
        @staticmethod
        def forward(ctx, scores, scale):
            ctx.by = by
            return Scaled.forward(ctx, scores, scale)

    class Loss(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = torch.nn.Parameter(torch.tensor(2.0))

        def forward(self, scores):
            return Own.apply(scores, self.scale)

    report = check(Loss, is_="cpc", tiers=("gradient",), inputs="scores")
    assert [m.mistake for m in report.mistakes] == mistakes
