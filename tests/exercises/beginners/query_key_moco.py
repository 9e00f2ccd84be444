"""A stranger's query_key: l_pos and l_neg, as MoCo's code names them."""

import numpy as np


def all_logits(query, positive, negatives, temperature):
    l_pos = np.einsum("nc,nc->n", query, positive)[:, None]
    l_neg = np.einsum("nc,kc->nk", query, negatives)
    return np.hstack([l_pos, l_neg]) / temperature
    #! query_key.positive_untempered | return np.hstack([l_pos, l_neg / temperature])
    #! query_key.negatives_untempered | return np.hstack([l_pos / temperature, l_neg])


def softmax(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def loss(query, positive, negatives, temperature):
    x = all_logits(query, positive, negatives, temperature)
    top = x.max(axis=1)
    return np.mean(top + np.log(np.sum(np.exp(x - top[:, None]), axis=1)) - x[:, 0])
    #! query_key.positive_missing | return np.mean(np.log(np.sum(np.exp(x[:, 1:]), axis=1)) - x[:, 0])
    #! query_key.double_softmax | s = softmax(x); return np.mean(np.log(np.sum(np.exp(s), axis=1)) - s[:, 0])
    #! query_key.logarithm_missing | return -np.mean(softmax(x)[:, 0])
    #! query_key.positive_twice | return np.mean(np.log(np.sum(np.exp(x), axis=1) + np.exp(x[:, 0])) - x[:, 0])


def gradient(query, positive, negatives, temperature):
    g = softmax(all_logits(query, positive, negatives, temperature))
    g[:, 0] -= 1
    #! query_key.pull_missing | pass
    g /= len(query) * temperature
    d_query = g[:, :1] * positive + g[:, 1:] @ negatives
    #! query_key.push_on_the_query_missing | d_query = g[:, :1] * positive
    return d_query, g[:, :1] * query, g[:, 1:].T @ query
    #! query_key.queue_held_constant | return d_query, g[:, :1] * query, np.zeros_like(negatives)
    #! query_key.keys_held_constant | return d_query, np.zeros_like(positive), np.zeros_like(negatives)
