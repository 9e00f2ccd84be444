"""A stranger's byol: 2 − 2 cos, as in the paper."""

import numpy as np


def cos(a, b):
    return np.sum(a * b, axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)


def loss(prediction, target):
    return np.mean(2 - 2 * cos(prediction, target))
    #! byol.constant_two_missing | return np.mean(-2 * cos(prediction, target))
    #! byol.half | return np.mean(1 - cos(prediction, target))
    #! byol.not_normalised | return np.mean(np.sum((prediction - target) ** 2, axis=1))
    #! byol.sum_for_mean | return np.sum(2 - 2 * cos(prediction, target))


def gradient(prediction, target):
    norm = np.linalg.norm(prediction, axis=1, keepdims=True)
    q = prediction / norm
    t = target / np.linalg.norm(target, axis=1, keepdims=True)
    dq = -2 * t / len(q)
    dp = (dq - q * np.sum(q * dq, axis=1, keepdims=True)) / norm
    #! byol.projection_missing | dp = dq / norm
    #! byol.norm_missing | dp = dq - q * np.sum(q * dq, axis=1, keepdims=True)
    dt = np.zeros(target.shape)
    #! byol.stop_gradient_missing | dt = (-2 * q / len(q) - t * np.sum(t * -2 * q / len(q), axis=1, keepdims=True)) / np.linalg.norm(target, axis=1, keepdims=True)
    return dp, dt
