"""A backward pass must multiply by what reaches it: in JAX."""

import pytest

from infonce_ref.check import check

jax = pytest.importorskip("jax")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("passes_on", "mistakes"),
    [
        (lambda g: g[:, None], []),
        (lambda g: 1 / len(g), ["upstream ignored"]),
        (lambda g: g.mean(), ["upstream mixed"]),
    ],
    ids=["right", "ignored", "averaged"],
)
def test_a_backward_must_multiply_by_what_reaches_each_row(passes_on, mistakes):
    @jax.custom_vjp
    def loss(scores):
        return -jax.nn.log_softmax(scores, axis=1).diagonal()

    def backward(scores, upstream):
        return ((jax.nn.softmax(scores, axis=1) - jax.numpy.eye(len(scores))) * passes_on(upstream),)

    loss.defvjp(lambda scores: (loss(scores), scores), backward)
    report = check(lambda scores: loss(scores), is_="cpc", tiers=("gradient",), inputs="scores")
    assert report.verdicts["gradient"].word == ("wrong" if mistakes else "right")
    assert [m.mistake for m in report.mistakes] == mistakes
