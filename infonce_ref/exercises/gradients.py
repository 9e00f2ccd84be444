"""The gradient of each exercise's loss: half of its solution, whose other half is the loss in the textbook.

A function has the name of its exercise, and takes what its two functions take; its docstring tells the learner what
that is. The other functions are words, as those of the textbook.
"""

import numpy as np
from numpy import arange, concatenate, exp, eye, log, ones, sqrt, where

from ..textbook import larger, logsumexp, pick, places, softplus, unit


def sigmoid(x):
    """e^x / (1 + e^x), without an exponential of a positive number."""
    return exp(-softplus(-x))


def probabilities(s, over):
    """The softmax of each row over the chosen entries, 0 elsewhere. s, over: (n, m) → (n, m)."""
    return exp(where(over, s - logsumexp(s, over)[:, None], -np.inf))


def softmax(scores, positive):
    """scores (n, K): row i a context, column j a candidate · positive (n,): the column of each row's positive"""
    partner = positive[:, None] == arange(scores.shape[1])
    return (probabilities(scores, ones(scores.shape, bool)) - partner) / len(scores)


def odds(scores, partner):
    """The log-odds of "not the positive" (n, 1): log Σ e^x of the others, minus the positive's score."""
    return (logsumexp(scores, ~partner) - pick(scores, partner))[:, None]


def stable(scores, positive):
    """scores (n, K): as large as 1000 · positive (n,): the column of each row's positive"""
    partner = positive[:, None] == arange(scores.shape[1])
    q = sigmoid(odds(scores, partner))
    return where(partner, -q, q * probabilities(scores, ~partner)) / len(scores)


def infonce(z, temperature):
    """z (N, d): rows as they come, N = 2B; row i + B is the other view of row i · temperature: a number"""
    _, partner, everything = places(len(z))
    g = probabilities(z @ z.T / temperature, everything) - partner
    return (g + g.T) @ z / (len(z) * temperature)


def sphere(w, dz):
    """w (n, d): rows, none of them 0 · dz (n, d): the gradient of a loss by these rows, divided by their lengths"""
    z = unit(w)
    radial = (z * dz).sum(axis=1, keepdims=True) * z
    return (dz - radial) / sqrt((w * w).sum(axis=1, keepdims=True))


def ntxent(w, temperature):
    """w (N, d): rows of any length, N = 2B; row i + B is the other view of row i · temperature: a number"""
    z = unit(w)
    itself, partner, _ = places(len(z))
    g = probabilities(z @ z.T / temperature, ~itself) - partner
    return sphere(w, (g + g.T) @ z / (len(z) * temperature))


find_the_mistake = ntxent


def temperature(w, temperature):
    """w (N, d): rows of any length, N = 2B; row i + B is the other view of row i · temperature: a number"""
    z = unit(w)
    s = z @ z.T / temperature
    itself, partner, _ = places(len(z))
    g = probabilities(s, ~itself) - partner
    return -(g * s).sum() / (len(z) * temperature)


def nce(data_scores, noise_scores, log_noise_data, log_noise):
    """data_scores (n,), noise_scores (n, m): unnormalised log-probabilities of each datum and of its noise samples
    · log_noise_data (n,), log_noise (n, m): the logarithm of the noise's probability of each of these"""
    n, m = noise_scores.shape
    data, noise = data_scores - log_noise_data - log(m), noise_scores - log_noise - log(m)
    return -sigmoid(-data) / n, sigmoid(noise) / n


def instance(v, bank, index, temperature):
    """v (n, d): rows as they come · bank (K, d): one row for each sample of the data · index (n,): the row of the
    bank that is each one's own · temperature: a number"""
    s = v @ bank.T / temperature
    g = probabilities(s, ones(s.shape, bool)) - (index[:, None] == arange(len(bank)))
    return g @ bank / temperature, g.T @ v / temperature


def instance_nce(v, bank, index, noise_index, temperature):
    """v (n, d): rows as they come · bank (K, d): one row for each sample of the data · index (n,): the row of the
    bank that is each one's own · noise_index (n, m): rows of the bank drawn uniformly · temperature: a number"""
    drawn = concatenate([index[:, None], noise_index], axis=1)
    s = (v[:, None] * bank[drawn]).sum(axis=2) / temperature
    over = ones(noise_index.shape, bool)
    h = sigmoid(s - logsumexp(s[:, 1:], over)[:, None])
    h[:, 0] -= 1
    h[:, 1:] -= h.sum(axis=1, keepdims=True) * probabilities(s[:, 1:], over)  # the normaliser's
    g = h / (len(v) * temperature)
    dbank = np.zeros_like(bank)
    np.add.at(dbank, drawn, g[:, :, None] * v[:, None])
    return (g[:, :, None] * bank[drawn]).sum(axis=1), dbank


def bound(scores):
    """scores (N, N): log φ, row i a context, column j a candidate; the pairs are on the diagonal"""
    itself, _, everything = places(len(scores))
    return (itself - probabilities(scores, everything)) / len(scores)


def query_key(query, positive, negatives, temperature):
    """query (n, d), positive (n, d): rows as they come, row i of each a pair · negatives (M, d): the queue, for all
    queries the same · temperature: a number"""
    s = (
        concatenate([(query * positive).sum(axis=1, keepdims=True), query @ negatives.T], axis=1)
        / temperature
    )
    p = probabilities(s, ones(s.shape, bool)) / (len(s) * temperature)
    pull, push = p[:, :1] - 1 / (len(s) * temperature), p[:, 1:]
    return pull * positive + push @ negatives, pull * query, push.T @ query


def byol(prediction, target):
    """prediction (n, d), target (n, d): rows of any length but 0"""
    return sphere(prediction, -2 * unit(target) / len(target)), np.zeros_like(target)


def simsiam(p1, z1, p2, z2):
    """p1, p2 (n, d): predictions of the two views · z1, z2 (n, d): projections of the two views"""
    by_p1, by_p2 = sphere(p1, -unit(z2) / (2 * len(z2))), sphere(p2, -unit(z1) / (2 * len(z1)))
    return by_p1, np.zeros_like(z1), by_p2, np.zeros_like(z2)


def clip(image, text, temperature):
    """image (B, d), text (B, d): rows as they come, row i of each a pair · temperature: a number"""
    s = image @ text.T / temperature
    itself, _, everything = places(len(s))
    g = probabilities(s, everything) + probabilities(s.T, everything).T - 2 * itself
    scale = 2 * len(s) * temperature
    return g @ text / scale, g.T @ image / scale


def dhn_nce(image, text, temperature, beta1, beta2):
    """image (B, d), text (B, d): rows as they come, row i of each a pair · temperature, beta1, beta2: numbers; the
    weights are differentiated"""
    s = image @ text.T / temperature
    itself, _, _ = places(len(s))

    def one_way(s, beta):
        pushed, weights = probabilities((1 + beta) * s, ~itself), probabilities(beta * s, ~itself)
        return (1 + beta) * pushed - beta * weights - itself

    g = one_way(s, beta1) + one_way(s.T, beta2).T
    return g @ text / temperature, g.T @ image / temperature


def dcl(w, temperature):
    """w (N, d): rows of any length, N = 2B; row i + B is the other view of row i · temperature: a number"""
    z = unit(w)
    itself, partner, _ = places(len(z))
    g = probabilities(z @ z.T / temperature, ~itself & ~partner) - partner
    return sphere(w, (g + g.T) @ z / (len(z) * temperature))


def soft_targets(scores, targets):
    """scores (n, K): row i a context, column a a candidate · targets (n, K): each row a distribution"""
    return (probabilities(scores, ones(scores.shape, bool)) - targets) / len(scores)


def supcon(w, labels, temperature):
    """w (N, d): rows of any length · labels (N,): the class of each row; a row without another one of its class
    does not count · temperature: a number"""
    z = unit(w)
    itself, _, _ = places(len(z))
    partner = (labels[:, None] == labels) & ~itself
    count = partner.sum(axis=1, keepdims=True)
    g = (count > 0) * probabilities(z @ z.T / temperature, ~itself) - partner / larger(count, 1)
    return sphere(w, (g + g.T) @ z / ((count > 0).sum() * temperature))


def siglip(image, text, temperature, bias):
    """image, text (B, d): row i of each a pair · temperature, bias: numbers, both learned"""
    s = image @ text.T / temperature
    sign = 2 * eye(len(s)) - 1
    g = -sign * sigmoid(-sign * (s + bias)) / len(s)
    return g @ text / temperature, g.T @ image / temperature, -(g * s).sum() / temperature, g.sum()


def triplet(anchor, positive, negative, margin):
    """anchor, positive, negative (n, d): row i of each a triplet · margin: a number"""
    near, far = anchor - positive, anchor - negative
    is_open = (near * near).sum(axis=1, keepdims=True) - (far * far).sum(axis=1, keepdims=True) + margin > 0
    scale = 2 * is_open / len(anchor)
    return scale * (negative - positive), -scale * near, scale * far


def barlow_twins(z1, z2, weight):
    """z1, z2 (B, d): row i of each a pair, no column constant · weight: a number"""

    def standard(z):
        return (z - z.mean(axis=0)) / z.std(axis=0)

    def through(z, dz):
        return (dz - (standard(z) * dz).mean(axis=0) * standard(z)) / (len(z) * z.std(axis=0))

    c = standard(z1).T @ standard(z2) / len(z1)
    g = where(eye(len(c), dtype=bool), -2 * (1 - c), 2 * weight * c)
    return through(z1, standard(z2) @ g.T), through(z2, standard(z1) @ g)


def vicreg(z1, z2, invariance, variance, covariance, margin, epsilon):
    """z1, z2 (B, d): row i of each a pair · invariance, variance, covariance: the weights · margin: the least
    deviation that costs nothing · epsilon: added to each variance"""
    n, d = z1.shape

    def of_one(z):
        z = z - z.mean(axis=0)
        deviation = sqrt((z * z).sum(axis=0) / (n - 1) + epsilon)
        c = where(eye(d, dtype=bool), 0, z.T @ z / (n - 1))
        spread = -variance * (deviation < margin) * z / deviation
        return (spread + 4 * covariance * z @ c) / (d * (n - 1))

    towards = 2 * invariance * (z1 - z2) / n
    return of_one(z1) + towards, of_one(z2) - towards
