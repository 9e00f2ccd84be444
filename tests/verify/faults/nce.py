"""nce wrong on purpose."""

import numpy as np

from infonce_ref.losses import nce


def m_forgotten(data_scores, noise_scores, *, log_noise_data, log_noise):
    """h = e^u/(e^u + p_n), as if data and noise occurred as 1 : 1 [D3.9]."""
    log_m = np.log(noise_scores.shape[1])
    once = {"log_noise_data": log_noise_data - log_m, "log_noise": log_noise - log_m}
    return nce.forward(data_scores, noise_scores, **once)


def objective_for_loss(*scores, **noise):
    """Eq. 1 as D2 prints it, without the minus sign [D2.2]."""
    value, cache = nce.forward(*scores, **noise)
    return -value, cache


def of_the_objective(cache):
    return nce.Gradients(*(-g for g in nce.backward(cache)))


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
TEXTS = [("gradient_noise_averaged", "noise_scores")]
FAULTS = [
    ({"forward": m_forgotten}, "noise_scores", DIFFERENCES),
    ({"forward": objective_for_loss, "backward": of_the_objective}, "data_scores", DIFFERENCES),
]
