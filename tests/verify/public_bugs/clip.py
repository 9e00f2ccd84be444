"""CLIP's loss as public libraries have got it wrong."""

import numpy as np

from .bug import bug
from .tape import at_most, logsumexp


def directions(s):
    """The mean of the cross-entropies over rows and over columns, which is right."""
    here = np.arange(len(s.value))
    return (logsumexp(s, 1) + logsumexp(s, 0) - 2 * s[here, here]).mean() / 2


def textbook(image, text, temperature):
    return directions(image @ text.T / temperature)


@bug("precision", "https://github.com/openai/CLIP/issues/46", "https://github.com/openai/CLIP/pull/530")
def clamp_of_scale_in_the_graph_kills_its_gradient(image, text, temperature):
    """1/τ is cut at 100 inside the forward pass: past it the temperature has no gradient and never comes back."""
    return directions(image @ text.T * at_most(1 / temperature, 100.0))
