"""Noise-contrastive estimation, and its gradient."""

import numpy as np


def log_odds(scores, log_noise, m):
    """a: the log-odds of "data", given m noise samples for each datum."""
    return scores - log_noise - np.log(m)


def softplus(x):
    """log(1 + eˣ)"""
    return np.logaddexp(0, x)


def sigmoid(x):
    """eˣ / (1 + eˣ)"""
    return np.exp(-np.logaddexp(0, -x))


def loss(data_scores, noise_scores, log_noise_data, log_noise):
    """The mean over the data of −log h − Σ_k log(1 − h_k): a number.

    data_scores (n,), noise_scores (n, m): unnormalised log-probabilities of each datum and of its noise samples ·
    log_noise_data (n,), log_noise (n, m): the logarithm of the noise's probability of each of these
    """
    m = noise_scores.shape[1]
    data, noise = log_odds(data_scores, log_noise_data, m), log_odds(noise_scores, log_noise, m)
    return (softplus(-data) + softplus(noise).sum(axis=1)).mean()


def gradient(data_scores, noise_scores, log_noise_data, log_noise):
    """The gradients of the loss by data_scores and by noise_scores: two arrays, (n,) and (n, m)."""
    n, m = noise_scores.shape
    data, noise = log_odds(data_scores, log_noise_data, m), log_odds(noise_scores, log_noise, m)
    return -sigmoid(-data) / n, sigmoid(noise) / n
