"""R23 in plain numbers: CLIP's two losses, and the masses of the joint softmax."""

import numpy as np
import pytest

from infonce_ref.losses import cpc


def divergence(masses):
    return np.mean(np.log(1 / len(masses) / masses))


@pytest.mark.parametrize("scale", [1, 30])
@pytest.mark.parametrize("hub", [0.0, 2.0])
def test_the_difference_of_the_losses_is_that_of_the_divergences(scale, hub):
    logits = scale * np.random.default_rng(0).uniform(-1, 1, (5, 5))
    logits[:, 1] += hub
    by_image, by_text = (cpc.forward(x, positive=np.arange(5))[0] for x in (logits, logits.T.copy()))
    joint = np.exp(logits - logits.max())
    joint /= joint.sum()
    difference = divergence(joint.sum(0)) - divergence(joint.sum(1))
    assert by_image - by_text == pytest.approx(difference, rel=1e-12, abs=1e-12)  # of numbers near 30
