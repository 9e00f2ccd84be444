"""A backward pass must multiply by what reaches it: in JAX."""

import pytest

from infonce_ref.check import check

jax = pytest.importorskip("jax")


@pytest.mark.slow
@pytest.mark.parametrize("passes_on", [True, False])
def test_a_backward_must_multiply_by_what_reaches_it(passes_on):
    @jax.custom_vjp
    def loss(scores):
        return -jax.nn.log_softmax(scores, axis=1).diagonal().mean()

    def backward(scores, upstream):
        slope = (jax.nn.softmax(scores, axis=1) - jax.numpy.eye(len(scores))) / len(scores)
        return (slope * (upstream if passes_on else 1),)

    loss.defvjp(lambda scores: (loss(scores), scores), backward)
    report = check(lambda scores: loss(scores), is_="cpc", tiers=("gradient",), inputs="scores")
    assert report.verdicts["gradient"].word == ("right" if passes_on else "wrong")
    assert [m.mistake for m in report.mistakes] == ([] if passes_on else ["upstream ignored"])
