"""Wrong on purpose: nce and instance_nce."""

import numpy as np
import pytest
from scipy.special import logsumexp, softmax

from infonce_ref.losses import instance_nce, nce
from infonce_ref.verify.judge import WITNESSES

EVERYONE = set(WITNESSES)
# a right gradient of another loss: differences of its own forward pass agree with it
CONSISTENT = EVERYONE - {"finite differences"}


def m_forgotten(data_scores, noise_scores, *, log_noise_data, log_noise):
    """h = e^u/(e^u + p_n), as if data and noise came as 1 : 1 [D3.9]."""
    log_m = np.log(noise_scores.shape[1])
    once = {"log_noise_data": log_noise_data - log_m, "log_noise": log_noise - log_m}
    return nce.forward(data_scores, noise_scores, **once)


def objective_for_loss(*scores, **noise):
    """Eq. 1 as D2 prints it, without the minus sign [D2.2]."""
    value, cache = nce.forward(*scores, **noise)
    return -value, cache


def of_the_objective(cache):
    return nce.Gradients(*(-g for g in nce.backward(cache)))


def noise_averaged(cache):
    """The mean over the noise samples, where m E_{P_n} is their sum [D3.18]."""
    g = nce.backward(cache)
    return g._replace(noise_scores=g.noise_scores / cache.noise.shape[1])


class Estimated:
    """instance_nce by way of nce, with Ẑ = factor · (1/m) Σ_k e_{j_k}, held constant or not."""

    def __init__(self, factor=None, held=False):
        self.factor, self.held = factor, held

    def forward(self, v, bank, *, index, noise_index, temperature):
        drawn = np.column_stack([index, noise_index])
        logits = np.einsum("nd,nkd->nk", v, bank[drawn]) / temperature
        m, k = noise_index.shape[1], len(bank)
        u = logits - np.log((self.factor or k) / m) - logsumexp(logits[:, 1:], axis=1, keepdims=True)
        uniform = np.full(u.shape, -np.log(k))
        value, cache = nce.forward(u[:, 0], u[:, 1:], log_noise_data=uniform[:, 0], log_noise=uniform[:, 1:])
        g = np.column_stack(nce.backward(cache))
        if not self.held:
            g[:, 1:] -= softmax(logits[:, 1:], axis=1) * g.sum(axis=1, keepdims=True)
        return value, (v, bank, drawn, g / temperature, temperature)

    @staticmethod
    def backward(cache):
        v, bank, drawn, g, tau = cache
        dv, dbank = np.einsum("nk,nkd->nd", g, bank[drawn]), np.zeros_like(bank)
        np.add.at(dbank, drawn, g[..., None] * v[:, None])
        return instance_nce.Gradients(dv, dbank, -np.sum(v * dv) / tau)

    def planted(self):
        return {"forward": self.forward, "backward": self.backward}


def drawn_once(cache):
    """A bank row that is drawn twice gets the gradient of one draw, as bank[drawn] += … would have it."""
    g = instance_nce.backward(cache)
    counts = np.array([np.sum(cache.drawn == j) for j in range(len(cache.bank))])
    return g._replace(bank=g.bank / np.maximum(counts, 1)[:, None])


FAULTS = [
    (nce, {"forward": m_forgotten}, "noise_scores", CONSISTENT),
    (nce, {"forward": objective_for_loss, "backward": of_the_objective}, "data_scores", CONSISTENT),
    (nce, {"backward": noise_averaged}, "noise_scores", EVERYONE),
    # Ẑ = mean of e_{j_k}, not scaled by K [D3.13]
    (instance_nce, Estimated(factor=1).planted(), "v", CONSISTENT),
    # Ẑ as a constant of the backward pass
    (instance_nce, Estimated(held=True).planted(), "v", EVERYONE),
    (instance_nce, {"backward": drawn_once}, "bank", EVERYONE),
]


@pytest.mark.parametrize(("module", "fault", "name", "seen_by"), FAULTS)
def test_the_judge_says_no_and_names_the_witness(assert_caught, module, fault, name, seen_by):
    assert_caught(module, fault, name, seen_by)


@pytest.mark.parametrize(
    ("module", "fault"), [(nce, {"backward": nce.backward}), (instance_nce, Estimated().planted())]
)
def test_a_right_gradient_stays_right(assert_cleared, module, fault):
    assert_cleared(module, fault)
