"""Expected: nce.m_forgotten."""

import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def loss(data_scores, noise_scores, log_noise_data, log_noise):
    own = np.log(sigmoid(data_scores - log_noise_data))
    noise = np.log(1 - sigmoid(noise_scores - log_noise))
    return -(own + noise.sum(1)).mean()


def gradient(data_scores, noise_scores, log_noise_data, log_noise):
    n = len(data_scores)
    return (sigmoid(data_scores - log_noise_data) - 1) / n, sigmoid(noise_scores - log_noise) / n
