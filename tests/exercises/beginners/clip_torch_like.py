"""A stranger's clip: cross_entropy of logits and labels, as PyTorch has it."""

import numpy as np


def cross_entropy(logits, labels):
    logits = logits - logits.max(1, keepdims=True)
    log_p = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    return -log_p[np.arange(len(labels)), labels].mean()


def loss(image, text, temperature):
    logits = image @ text.T * (1 / temperature)
    #! clip.scale_not_exponentiated | logits = image @ text.T * np.log(1 / temperature)
    #! clip.attention_scaling | logits = image @ text.T / temperature / np.sqrt(image.shape[1])
    labels = np.arange(len(image))
    #! clip.labels_shifted | labels = (np.arange(len(image)) + 1) % len(image)
    return (cross_entropy(logits, labels) + cross_entropy(logits.T, labels)) / 2
    #! clip.rows_alone | return cross_entropy(logits, labels)
    #! clip.columns_alone | return cross_entropy(logits.T, labels)
    #! clip.mean_over_b | return cross_entropy(logits, labels) + cross_entropy(logits.T, labels)
    #! clip.rows_alone | return (cross_entropy(logits, labels) + cross_entropy(logits, labels)) / 2


def d_cross_entropy(logits):
    e = np.exp(logits - logits.max(1, keepdims=True))
    return (e / e.sum(1, keepdims=True) - np.eye(len(logits))) / len(logits)
    #! clip.pull_missing | return (e / e.sum(1, keepdims=True)) / len(logits)
    #! clip.pull_reversed | return (e / e.sum(1, keepdims=True) + np.eye(len(logits))) / len(logits)


def gradient(image, text, temperature):
    logits = image @ text.T / temperature
    d = 0.5 * d_cross_entropy(logits) + 0.5 * d_cross_entropy(logits.T).T
    #! clip.columns_not_transposed | d = 0.5 * d_cross_entropy(logits) + 0.5 * d_cross_entropy(logits.T)
    return d @ text / temperature, d.T @ image / temperature
    #! clip.not_transposed | return d @ text / temperature, d @ image / temperature
    #! clip.text_held_constant | return d @ text / temperature, np.zeros_like(text)
    #! clip.sides_exchanged | return d.T @ image / temperature, d @ text / temperature
