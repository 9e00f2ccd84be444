"""The textbook: every loss and every estimator as one reads it on a slide, one short NumPy function each.

The losses in `losses/` keep every digit; these are short. `verify` holds the two against each other, `check`
compares a stranger's loss with these, and a mistake is a rewrite of one of their lines.

    x, y       two views, row i of each a pair; w: rows with labels                 (n, d)
    scores     row i an anchor, column j a candidate                                (n, m)
    s          what the softmax is taken of: similarities over τ                    (n, m)
    itself     whether the candidate is the anchor                                  (n, m)
    partner    whether the candidate is the anchor's positive                       (n, m)
    among      whether the candidate is in the denominator                          (n, m)
    keep       an option: whether a candidate stays there; the positive always does (n, m)
    constant   an option: whether weights are held constant

Arguments without a default are inputs, the others are options. CLIP, SigLIP, MoCo and instance discrimination are
given rows of length 1. reduction="sum" gives `mean` and `total` another meaning. NAME_of_rows and NAME_of_scores
are NAME of other inputs.

All arrays may be complex, for an exact slope: the imaginary part of f(x + ih)/h, with an h of 1e-30. There `stop`
drops the derivative, and comparisons look at the real part.
"""

import numpy as np
from numpy import arange, concatenate, exp, eye, log, ones, sqrt, where

# --- the words ----------------------------------------------------------------------------------------------------


def stop(x):
    """The same numbers, held constant: without their derivative."""
    return np.real(x)


def larger(x, y):
    """The larger of two numbers; x if they are equal."""
    return where(stop(x) >= stop(y), x, y)


def unit(x):
    """Rows divided by their length. x: (n, d)."""
    return x / sqrt((x * x).sum(axis=1, keepdims=True))


def softplus(x):
    """log(1 + e^x), without an exponential of a positive number."""
    return larger(x, 0) + log(1 + exp(-larger(x, -x)))


def logsumexp(x, over):
    """log Σ e^x of each row, over the chosen entries. x, over: (n, m) → (n,)."""
    top = where(over, stop(x), -np.inf).max(axis=1, keepdims=True)
    return (top + log((over * exp(where(over, x - top, 0))).sum(axis=1, keepdims=True)))[:, 0]


def logmeanexp(x, over):
    """The logarithm of the mean of e^x over all chosen entries. x, over: (n, m) → a number."""
    return logsumexp(x.reshape(1, -1), over.reshape(1, -1))[0] - log(over.sum())


def pick(x, chosen):
    """The sum of the chosen entries of each row: of its positive, if one is chosen. x, chosen: (n, m) → (n,)."""
    return where(chosen, x, 0).sum(axis=1)


def places(n):
    """Of n rows, view after view: which candidate is the anchor itself, which its partner; and all. (n, n) each."""
    itself = eye(n, dtype=bool)
    return itself, np.roll(itself, n // 2, axis=0), ones((n, n), bool)


def mean(losses, counted=None):
    """The mean of the anchors' losses, 0 of none: reduction="mean". counted: how often each counts, if not once."""
    return losses.mean() if counted is None else losses.sum() / larger(counted.sum(), 1)


def total(losses):
    """The sum of the anchors' losses: reduction="sum"."""
    return losses.sum()


# --- two views, row i of each a pair ------------------------------------------------------------------------------


def infonce(x, y, temperature, keep=True):
    """InfoNCE as D1 has it: −log softmax at the partner, among all rows, the anchor too [D1.4, D1.6]."""
    z = concatenate([x, y])
    s = z @ z.T / temperature
    itself, partner, everything = places(len(z))
    among = everything & (keep | partner | itself)
    return mean(logsumexp(s, among) - pick(s, partner))


def ntxent(x, y, temperature, keep=True):
    """NT-Xent, the loss of SimCLR: cosines, the anchor not among its candidates [D3.2, D3.4]."""
    z = unit(concatenate([x, y]))
    s = z @ z.T / temperature
    itself, partner, everything = places(len(z))
    among = everything & ~itself & (keep | partner)
    return mean(logsumexp(s, among) - pick(s, partner))


def dcl(x, y, temperature):
    """Decoupled: NT-Xent without the positive in the denominator [F1]."""
    z = unit(concatenate([x, y]))
    s = z @ z.T / temperature
    itself, partner, everything = places(len(z))
    among = everything & ~itself & ~partner
    return mean(logsumexp(s, among) - pick(s, partner))


def dclw(x, y, temperature, sigma, constant=False):
    """Decoupled and weighted: a pair is pulled the more, the farther apart it is [F34]."""
    z = unit(concatenate([x, y]))
    s = z @ z.T / temperature
    itself, partner, everything = places(len(z))
    among = everything & ~itself & ~partner
    near = exp(pick(z @ z.T, partner) / sigma)
    weights = 2 - near / near.mean()
    weights = stop(weights) if constant else weights
    return mean(logsumexp(s, among) - weights * pick(s, partner))


def hard_negative(x, y, temperature, beta, prior):
    """Debiased, with hard negatives: their weighted mean of e^s, minus that of false negatives [F29]."""
    z = unit(concatenate([x, y]))
    s = z @ z.T / temperature
    itself, partner, everything = places(len(z))
    among = everything & ~itself & ~partner
    count = among.sum(axis=1)
    weights = beta * s
    average = exp(logsumexp(s + weights, among) - logsumexp(weights, among))
    positive = exp(pick(s, partner))
    g = larger(exp(-1 / temperature), (average - prior * positive) / (1 - prior))
    return mean(log(1 + count * g / positive))


def clip(x, y, temperature, keep=True):
    """CLIP: half a cross-entropy over the texts of an image, half one over the images of a text [M17]."""
    s = x @ y.T / temperature
    itself, _, everything = places(len(x))
    partner = itself
    among = everything & (keep | partner)
    rows = logsumexp(s, among) - pick(s, partner)
    columns = logsumexp(s.T, among.T) - pick(s.T, partner)
    return mean(rows + columns) / 2


def siglip(x, y, temperature, bias):
    """SigLIP: is this combination a pair? One sigmoid each, no softmax [F9]."""
    s = x @ y.T / temperature + bias
    itself, _, _ = places(len(x))
    partner = itself
    return mean(softplus(where(partner, -s, s)).sum(axis=1))


def dhn_nce(x, y, temperature, beta1, beta2, constant=False):
    """DHN-NCE: decoupled, a negative weighs the more, the nearer it is; summed over the pairs [D4.1, D4.9]."""
    s = x @ y.T / temperature
    itself, _, everything = places(len(x))
    partner = itself
    among = everything & ~partner
    count = log(among.sum(axis=1))

    def one_way(s, beta):
        weights = beta * (stop(s) if constant else s)
        return count + logsumexp(s + weights, among) - logsumexp(weights, among) - pick(s, partner)

    return total(one_way(s, beta1) + one_way(s.T, beta2))


def spectral(x, y):
    """Spectral: −2 products of pairs, plus the mean squared product of all others [F7]."""
    s = x @ y.T
    itself, _, _ = places(len(x))
    partner = itself
    return mean(where(partner, 0, s * s).sum(axis=1) / (len(x) - 1) - 2 * pick(s, partner))


def alignment(x, y, exponent):
    """Alignment: the distance of the two views, to a power [F12]."""
    return mean(((x - y) * (x - y)).sum(axis=1) ** (exponent / 2))


def uniformity(x, y, t):
    """Uniformity: the logarithm of the mean Gaussian kernel of all pairs of rows [F19]."""
    z = concatenate([x, y])
    itself, _, everything = places(len(z))
    among = everything & ~itself
    gaps = z[:, None] - z
    return logmeanexp(-t * (gaps * gaps).sum(axis=2), among)


def byol(x, y):
    """BYOL: 2 − 2 cos of a prediction x and its target y, which is held constant [D3.43]."""
    return mean(2 - 2 * (unit(x) * unit(stop(y))).sum(axis=1))


def simsiam(p1, z1, p2, z2):
    """SimSiam: −cos of each view's prediction p and the other's projection z, held constant [D3.44, D3.45]."""
    return mean(-((unit(p1) * unit(stop(z2))).sum(axis=1) + (unit(p2) * unit(stop(z1))).sum(axis=1)) / 2)


def barlow_twins(x, y, weight):
    """Barlow Twins: each feature correlates with itself in the other view, and with no other [F25]."""

    def standard(x):
        x = x - x.mean(axis=0)
        return x / sqrt((x * x).sum(axis=0) / len(x))

    c = standard(x).T @ standard(y) / len(x)
    diagonal = eye(len(c), dtype=bool)
    return where(diagonal, (1 - c) ** 2, weight * c * c).sum()


def vicreg(x, y, invariance, variance, covariance, margin, epsilon):
    """VICReg: views agree, columns deviate by the margin at least, and do not covary [F27]."""
    d = x.shape[1]

    def centred(x):
        return x - x.mean(axis=0)

    def hinge(x):
        return larger(0, margin - sqrt((centred(x) ** 2).sum(axis=0) / (len(x) - 1) + epsilon)).sum() / d

    def redundancy(x):
        c = centred(x).T @ centred(x) / (len(x) - 1)
        return where(eye(d, dtype=bool), 0, c * c).sum() / d

    apart = ((x - y) ** 2).sum(axis=1).mean()
    spread, redundant = hinge(x) + hinge(y), redundancy(x) + redundancy(y)
    return invariance * apart + variance * spread + covariance * redundant


# --- rows with labels ---------------------------------------------------------------------------------------------


def supcon(w, labels, temperature):
    """SupCon, the mean outside the logarithm: every other row of the anchor's class is a positive [F21]."""
    z = unit(w)
    s = z @ z.T / temperature
    itself, _, everything = places(len(z))
    partner = (labels[:, None] == labels) & ~itself
    among = everything & ~itself
    count = partner.sum(axis=1)
    losses = logsumexp(s, among) - pick(s, partner) / larger(count, 1)
    return mean(where(count > 0, losses, 0), count > 0)


def supcon_in(w, labels, temperature):
    """SupCon, the mean inside the logarithm: form="in" [F22]."""
    z = unit(w)
    s = z @ z.T / temperature
    itself, _, everything = places(len(z))
    partner = (labels[:, None] == labels) & ~itself
    among = everything & ~itself
    count = partner.sum(axis=1)
    losses = logsumexp(s, among) - (logsumexp(s, partner) - log(larger(count, 1)))
    return mean(where(count > 0, losses, 0), count > 0)


def supcon_pairs(w, labels, temperature):
    """SupCon, each positive against the negatives alone, the mean over all such pairs: form="pairs" [F32]."""
    z = unit(w)
    s = z @ z.T / temperature
    itself, _, everything = places(len(z))
    partner = (labels[:, None] == labels) & ~itself
    among = everything & ~itself & ~partner
    count = partner.sum(axis=1)
    losses = pick(softplus(logsumexp(s, among)[:, None] - s), partner)
    return mean(losses, count)


# --- scores, queues and banks -------------------------------------------------------------------------------------


def cpc(scores, positive, keep=True):
    """CPC: which candidate is the positive? positive: its column in each row (n,) [D3.30]."""
    s = scores
    partner = positive[:, None] == arange(s.shape[1])
    among = keep | partner
    return mean(logsumexp(s, among) - pick(s, partner))


def soft_targets(scores, targets):
    """Cross-entropy against a distribution, each row of targets (n, m) [F4]."""
    s = scores
    among = ones(s.shape, bool)
    return mean((targets * (logsumexp(s, among)[:, None] - s)).sum(axis=1))


def query_key(x, y, negatives, temperature, keep=True):
    """Queries x, keys y, and negatives: a queue (m, d) for all, as in MoCo, or own ones (n, m, d) [D2.7, D3.34]."""
    positive, others = (x * y).sum(axis=1)[:, None], (x[:, None] * negatives).sum(axis=2)
    s = concatenate([positive / temperature, others / temperature], axis=1)
    partner = ones((len(s), 1), bool) & (arange(s.shape[1]) == 0)
    among = ones(s.shape, bool)
    among[:, 1:] = keep
    return mean(logsumexp(s, among) - pick(s, partner))


def triplet(x, y, negative, margin):
    """Triplet: the positive y is nearer to the anchor x than the negative, by a margin [D3.1]."""
    near, far = x - y, x - negative
    hinge = (near * near).sum(axis=1) - (far * far).sum(axis=1) + margin
    return mean(larger(0, hinge))


def instance(x, bank, index, temperature):
    """Instance discrimination: which row of the bank (m, d) is the sample's own? Summed [D3.5, D3.6]."""
    s = x @ bank.T / temperature
    partner = index[:, None] == arange(len(bank))
    among = ones(s.shape, bool)
    return total(logsumexp(s, among) - pick(s, partner))


def nce(data_scores, noise_scores, log_noise_data, log_noise):
    """NCE: tell each datum (n,) from its m noise samples (n, m); log_noise: how likely each is [D2.2, D3.18]."""
    count = noise_scores.shape[1]
    data, noise = data_scores - log_noise_data - log(count), noise_scores - log_noise - log(count)
    return mean(softplus(-data) + softplus(noise).sum(axis=1))


def instance_nce(x, bank, index, noise_index, temperature):
    """Instance discrimination by noise contrast: m noise rows (n, m) estimate the normaliser [D3.13, D3.18]."""
    own = (x * bank[index]).sum(axis=1) / temperature
    noise = (x[:, None] * bank[noise_index]).sum(axis=2) / temperature
    normaliser = logsumexp(noise, ones(noise.shape, bool))
    data, others = own - normaliser, noise - normaliser[:, None]
    return mean(softplus(-data) + softplus(others).sum(axis=1))


# --- the same losses, of other inputs -----------------------------------------------------------------------------


def cpc_of_rows(x, y, temperature, keep=True):
    """CPC of the scores of two views, the pairs on the diagonal: of unit rows, what others call InfoNCE [M41]."""
    s = x @ y.T / temperature
    itself, _, everything = places(len(x))
    partner = itself
    among = everything & (keep | partner)
    return mean(logsumexp(s, among) - pick(s, partner))


def cpc_of_both(p1, z1, p2, z2, temperature):
    """CPC of both views, as MoCo v3 adds them: of each prediction p and the other's key z."""
    return cpc_of_rows(p1, z2, temperature) + cpc_of_rows(p2, z1, temperature)


def cpc_of_classes(w, labels, temperature):
    """CPC of two views, whose positives are all rows of the other view with the anchor's label, as in UniCL."""
    x, y = w[: len(w) // 2], w[len(w) // 2 :]
    s = x @ y.T / temperature
    partner = labels[: len(x), None] == labels[len(x) :]
    among = ones(s.shape, bool)
    return mean(logsumexp(s, among) - pick(s, partner) / partner.sum(axis=1))


def clip_of_scores(scores, positive):
    """CLIP of a square of scores, with the pairs on its diagonal."""
    s = scores
    itself, _, everything = places(len(s))
    partner = itself
    among = everything
    rows = logsumexp(s, among) - pick(s, partner)
    columns = logsumexp(s.T, among) - pick(s.T, partner)
    return mean(rows + columns) / 2


def siglip_of_scores(scores, positive):
    """SigLIP of scores, the bias already added."""
    s = scores
    partner = positive[:, None] == arange(s.shape[1])
    return mean(softplus(where(partner, -s, s)).sum(axis=1))


def nce_of_scores(scores, positive, noise):
    """NCE of scores, in each row a datum's and its noise samples'; noise: how likely each sample is [D2.2]."""
    s = scores - log(noise * (scores.shape[1] - 1))
    partner = positive[:, None] == arange(s.shape[1])
    return mean(softplus(where(partner, -s, s)).sum(axis=1))


def simsiam_of_rows(x, y):
    """One term of SimSiam: −cos of a prediction x and a projection y, held constant."""
    return mean(-(unit(x) * unit(stop(y))).sum(axis=1))


def byol_of_both(p1, z1, p2, z2):
    """BYOL of both views, as its paper sums them: of each prediction p and the other's z, held constant [D3.43]."""
    return mean(4 - 2 * ((unit(p1) * unit(stop(z2))).sum(axis=1) + (unit(p2) * unit(stop(z1))).sum(axis=1)))


# --- estimates of mutual information, in nats ---------------------------------------------------------------------


def estimate_donsker_varadhan(scores, joint):
    """The mean score under the joint law, minus the log of the mean e^score if both were independent [F14]."""
    p = joint / joint.sum()
    independent = p.sum(axis=1, keepdims=True) * p.sum(axis=0)
    top = stop(scores).max()
    return (p * scores).sum() - top - log((independent * exp(scores - top)).sum())


def estimate_nwj(scores):
    """The mean score of the pairs, minus the mean e^(score − 1) of all others [F15]."""
    itself, _, everything = places(len(scores))
    among = everything & ~itself
    return pick(scores, itself).mean() - exp(logmeanexp(scores - 1, among))


def estimate_infonce(scores):
    """log n, minus the loss of finding each row's pair, on the diagonal [F16]."""
    return log(len(scores)) - cpc(scores, arange(len(scores)))


def estimate_mine(scores):
    """The mean score of the pairs, minus the log of the mean e^score of all others [F17]."""
    itself, _, everything = places(len(scores))
    among = everything & ~itself
    return pick(scores, itself).mean() - logmeanexp(scores, among)


def estimate_smile(scores, clip):
    """MINE's estimate, where the second mean is of scores clipped to ±clip [F18]."""
    itself, _, everything = places(len(scores))
    among = everything & ~itself
    clipped = larger(-larger(-scores, -clip), -clip)
    return pick(scores, itself).mean() - logmeanexp(clipped, among)


# --- the same estimates, the scores being products of two views ---------------------------------------------------


def estimate_nwj_of_rows(x, y, temperature):
    """NWJ's estimate, the scores being products of two views."""
    return estimate_nwj(x @ y.T / temperature)


def estimate_infonce_of_rows(x, y, temperature):
    """InfoNCE's estimate, the scores being products of two views."""
    return estimate_infonce(x @ y.T / temperature)


def estimate_mine_of_rows(x, y, temperature):
    """MINE's estimate, the scores being products of two views."""
    return estimate_mine(x @ y.T / temperature)


def estimate_smile_of_rows(x, y, temperature, clip):
    """SMILE's estimate, the scores being products of two views."""
    return estimate_smile(x @ y.T / temperature, clip)
