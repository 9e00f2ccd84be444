"""A stranger's nce: a classifier of data against noise."""

import numpy as np


def loss(data_scores, noise_scores, log_noise_data, log_noise):
    k = noise_scores.shape[1]
    a = data_scores - (log_noise_data + np.log(k))
    #! nce.value_wrong | a = data_scores + (log_noise_data + np.log(k))
    b = noise_scores - (log_noise + np.log(k))
    real = -np.logaddexp(0, -a)
    fake = -np.logaddexp(0, b)
    return -(real.mean() + fake.sum(1).mean())
    #! nce.noise_averaged | return -(real.mean() + fake.mean())
    #! nce.noise_missing | return -real.mean()


def gradient(data_scores, noise_scores, log_noise_data, log_noise):
    n, k = noise_scores.shape
    a = data_scores - log_noise_data - np.log(k)
    b = noise_scores - log_noise - np.log(k)
    return -1 / (1 + np.exp(a)) / n, 1 / (1 + np.exp(-b)) / n
    #! nce.h_for_its_rest | return -1 / (1 + np.exp(-a)) / n, 1 / (1 + np.exp(-b)) / n
    #! nce.noise_held_constant | return -1 / (1 + np.exp(a)) / n, 0 * b
