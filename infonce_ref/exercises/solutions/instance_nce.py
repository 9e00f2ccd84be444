"""Instance discrimination by noise contrast, its normaliser estimated from the noise; and its gradient."""

import numpy as np


def scores(v, bank, index, noise_index, temperature):
    """The logits of each row's own (n,) and of its noise samples (n, m), and the rows of the bank (n, 1 + m)."""
    drawn = np.concatenate([index[:, None], noise_index], axis=1)
    x = np.einsum("nd,nkd->nk", v, bank[drawn]) / temperature
    return x[:, 0], x[:, 1:], drawn


def log_sum(x):
    """log Σ_k eˣ, row by row (n, 1)."""
    top = x.max(axis=1, keepdims=True)
    return top + np.log(np.exp(x - top).sum(axis=1, keepdims=True))


def log_odds(own, noise):
    """The log-odds of "data", of each row's own (n,) and of its noise samples (n, m)."""
    total = log_sum(noise)
    return own - total[:, 0], noise - total


def softplus(x):
    """log(1 + eˣ)"""
    return np.logaddexp(0, x)


def sigmoid(x):
    """eˣ / (1 + eˣ)"""
    return np.exp(-np.logaddexp(0, -x))


def loss(v, bank, index, noise_index, temperature):
    """The mean over the batch of −log h of its own row and −log(1 − h) of each noise sample: a number.

    v (n, d): rows as they come · bank (K, d): one row for each sample of the data · index (n,): the row of the bank
    that is each one's own · noise_index (n, m): rows of the bank drawn uniformly · temperature: a number
    """
    own, noise, _ = scores(v, bank, index, noise_index, temperature)
    data, others = log_odds(own, noise)
    return (softplus(-data) + softplus(others).sum(axis=1)).mean()


def gradient(v, bank, index, noise_index, temperature):
    """The gradients of the loss by v (n, d) and by bank (K, d): two arrays. The normaliser is differentiated."""
    own, noise, drawn = scores(v, bank, index, noise_index, temperature)
    data, others = log_odds(own, noise)
    of_own, of_noise = -sigmoid(-data)[:, None], sigmoid(others)
    share = np.exp(others)
    through = -(of_own + of_noise.sum(axis=1, keepdims=True)) * share
    g = np.concatenate([of_own, of_noise + through], axis=1) / (len(v) * temperature)
    dbank = np.zeros_like(bank)
    np.add.at(dbank, drawn, g[:, :, None] * v[:, None, :])
    return np.einsum("nk,nkd->nd", g, bank[drawn]), dbank
