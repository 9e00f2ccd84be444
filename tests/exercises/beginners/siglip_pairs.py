"""A stranger's siglip: every pair by itself, with the logistic function written out."""

import numpy as np


def sigmoid(x):
    return np.where(x >= 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))))


def loss(image, text, temperature, bias):
    n = len(image)
    total = 0.0
    for i in range(n):
        for j in range(n):
            logit = image[i] @ text[j] / temperature + bias
            #! siglip.bias_forgotten | logit = image[i] @ text[j] / temperature
            #! siglip.bias_subtracted | logit = image[i] @ text[j] / temperature - bias
            label = 1 if i == j else -1
            #! siglip.signs_flipped | label = -1 if i == j else 1
            total += np.logaddexp(0, -label * logit)
    return total / n
    #! siglip.mean_over_all_pairs | return total / n**2


def gradient(image, text, temperature, bias):
    n = len(image)
    s = image @ text.T / temperature
    label = 2 * np.eye(n) - 1
    d = -label * sigmoid(-label * (s + bias)) / n
    #! siglip.pairs_left_out | d = np.where(label > 0, 0, -label * sigmoid(-label * (s + bias)) / n)
    return d @ text / temperature, d.T @ image / temperature, -np.sum(d * s) / temperature, np.sum(d)
    #! siglip.bias_divided_too | return d @ text / temperature, d.T @ image / temperature, -np.sum(d * (s + bias)) / temperature, np.sum(d)
    #! siglip.text_held_constant | return d @ text / temperature, 0 * text, -np.sum(d * s) / temperature, np.sum(d)
