"""Expected: instance_nce.drawn_last."""

import numpy as np


def odds(v, bank, index, noise_index, temperature):
    own = np.exp((v * bank[index]).sum(1) / temperature)
    noise = np.exp((v[:, None] * bank[noise_index]).sum(2) / temperature)
    return own / noise.sum(1), noise / noise.sum(1, keepdims=True)


def loss(v, bank, index, noise_index, temperature):
    own, noise = odds(v, bank, index, noise_index, temperature)
    return (np.log(1 + 1 / own) + np.log(1 + noise).sum(1)).mean()


def gradient(v, bank, index, noise_index, temperature):
    own, noise = odds(v, bank, index, noise_index, temperature)
    of_own, of_noise = -1 / (1 + own), noise / (1 + noise)
    of_noise = of_noise - noise * (of_own + of_noise.sum(1))[:, None]
    drawn = np.hstack([index[:, None], noise_index])
    g = np.hstack([of_own[:, None], of_noise]) / (len(v) * temperature)
    dbank = np.zeros_like(bank)
    dbank[drawn] += g[:, :, None] * v[:, None]
    return (g[:, :, None] * bank[drawn]).sum(1), dbank
