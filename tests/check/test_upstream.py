"""A backward pass must multiply by what reaches it, and be right where the gradient is long: in PyTorch."""

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
        (lambda g: g.mean(), ["upstream mixed"]),
    ],
    ids=["right", "ignored", "without its sign", "clipped", "averaged"],
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
