"""DCL as public libraries have got it wrong. Rows i and i + B are a pair."""

import numpy as np

from .bug import bug
from .ntxent import at, masks, scores
from .tape import logsumexp, where


def textbook(w, temperature):
    x = scores(w, temperature)
    itself, positive = masks(len(w.value))
    return (logsumexp(where(~(itself | positive), x, -np.inf), 1) - at(positive, x)).mean()


@bug("identities", "https://github.com/raminnakhli/Decoupled-Contrastive-Learning/issues/14")
def log_of_a_small_number_for_minus_infinity(w, temperature):
    """log 10⁻⁴⁵ = −103.6 is added to the logits of the anchor and its positive, which reappear at a cold
    temperature."""
    x = scores(w, temperature)
    itself, positive = masks(len(w.value))
    return (logsumexp(x + np.log(1e-45) * (itself | positive), 1) - at(positive, x)).mean()
