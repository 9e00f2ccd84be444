"""The decoupled loss with hardness weights as public libraries have got it wrong."""

import numpy as np

from .bug import bug
from .tape import exp, log, logsumexp, where


def both(image, text, temperature, beta1, beta2, one_way):
    """Both directions, L with one hardness and Lᵀ with the other."""
    x = image @ text.T / temperature
    return one_way(x, beta1) + one_way(x.T, beta2)


def off(x):
    return ~np.eye(len(x.value), dtype=bool)


def diagonal(x):
    here = np.arange(len(x.value))
    return x[here, here]


def weighted(x, weights):
    """Σ_i −L_ii + log Σ_{j≠i} e^{L_ij} W_ij, which is right if the weights are."""
    return (log(where(off(x), exp(x) * weights, 0).sum(1)) - diagonal(x)).sum()


def masked_sum(x, axis=1, keepdims=True):
    return where(off(x), exp(x), 0).sum(axis, keepdims=keepdims)


def textbook(image, text, temperature, beta1, beta2):
    def one_way(x, beta):
        hard, plain = (logsumexp(where(off(x), slope * x, -np.inf), 1) for slope in (1 + beta, beta))
        return (hard - plain - diagonal(x)).sum() + len(x.value) * np.log(len(x.value) - 1)

    return both(image, text, temperature, beta1, beta2, one_way)


@bug("symbolic", of="normaliser_transposed", named=("normaliser transposed",))
def missing_keepdim_transposes_the_row_normaliser(image, text, temperature, beta1, beta2):
    """The weights of the rows are divided by a vector of row sums that lies along the columns: row j's normaliser
    meets column j."""
    x = image @ text.T / temperature
    n = len(x.value) - 1
    rows = exp(beta1 * x) / masked_sum(beta1 * x, keepdims=False) * n
    columns = exp(beta2 * x.T) / masked_sum(beta2 * x.T) * n
    return weighted(x, rows) + weighted(x.T, columns)


@bug("symbolic", of="negatives_never_summed", named=("negatives never summed",))
def negatives_never_summed(image, text, temperature, beta1, beta2):
    """The weighted negatives stay a matrix: the logarithm is taken entry by entry, so that easy and hard negatives
    pull equally."""

    def one_way(x, beta):
        kept = where(off(x), x, 0)
        norm = exp(beta * kept).sum(1)
        log_weights = np.log(len(x.value) - 1) + beta * kept - log(norm)
        return (log_weights + kept - where(~off(x), x, 0)).mean()

    return both(image, text, temperature, beta1, beta2, one_way)


@bug("symbolic", of="zero_for_infinity", named=("zero for infinity",))
def mask_multiplied_into_the_exponent(image, text, temperature, beta1, beta2):
    """Masked entries are multiplied by 0 inside the exponential, and count as e⁰ = 1 in the normaliser."""

    def one_way(x, beta):
        return weighted(x, exp(beta * x) / (1 + masked_sum(beta * x)) * (len(x.value) - 1))

    return both(image, text, temperature, beta1, beta2, one_way)


@bug("symbolic", of="hardness_missing_below", named=("hardness missing below",))
def hardness_missing_from_the_weight_normaliser(image, text, temperature, beta1, beta2):
    """The weights have β above the line and not below, so that their mean is not 1."""

    def one_way(x, beta):
        return weighted(x, exp(beta * x) / masked_sum(x) * (len(x.value) - 1))

    return both(image, text, temperature, beta1, beta2, one_way)


@bug("symbolic", of="hardness_outside", named=("hardness outside",))
def hardness_outside_the_exponent(image, text, temperature, beta1, beta2):
    """The printed weights are multiplied by β, not raised to it."""

    def one_way(x, beta):
        return weighted(x, beta * exp(x) / masked_sum(x) * (len(x.value) - 1))

    return both(image, text, temperature, beta1, beta2, one_way)


@bug("symbolic", of="hardness_sign_flipped", named=("hardness sign flipped",))
def hardness_sign_flipped(image, text, temperature, beta1, beta2):
    """The exponent is −β times the similarity: the nearest negatives weigh least."""

    def one_way(x, beta):
        return weighted(x, exp(-beta * x) / masked_sum(-beta * x) * (len(x.value) - 1))

    return both(image, text, temperature, beta1, beta2, one_way)


@bug(
    "identities",
    "https://github.com/raminnakhli/Decoupled-Contrastive-Learning/issues/14",
    "https://github.com/taesungp/contrastive-unpaired-translation/issues/47",
    "https://github.com/zju3dv/LoFTR/issues/285",
)
def additive_finite_mask(image, text, temperature, beta1, beta2):
    """log 10⁻⁴⁵ = −103.6 is added to masked logits instead of −∞: at a cold temperature the pair reappears."""

    def one_way(x, beta):
        mask = np.log(1e-45) * ~off(x)
        hard, plain = (1 + beta) * x + mask, beta * x + mask
        losses = logsumexp(hard, 1) - logsumexp(plain, 1) - diagonal(x)
        return losses.sum() + len(x.value) * np.log(len(x.value) - 1)

    return both(image, text, temperature, beta1, beta2, one_way)
