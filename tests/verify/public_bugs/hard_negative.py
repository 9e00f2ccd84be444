"""Debiased and hard negatives as public libraries have got them wrong. Rows i and i + B are a pair."""

from .bug import bug
from .ntxent import at, masks, scores
from .tape import at_least, exp, log, where


def with_weights(w, temperature, prior, weights):
    """The loss from weights(x, negatives) (N, N); it is right if their mean over the negatives is 1."""
    x = scores(w, temperature)
    n = len(w.value)
    itself, partner = masks(n)
    negatives = ~(itself | partner)
    positive = exp(at(partner, x))
    mean = where(negatives, exp(x) * weights(x, negatives), 0).sum(1) / (n - 2)
    estimate = (mean - prior * positive) / (1 - prior)
    floor = exp(-1 / temperature)
    estimate = floor + at_least(estimate - floor, 0)  # which has the floor's gradient by τ, too
    return log(1 + (n - 2) * estimate / positive).mean()


def sum_over(negatives, x):
    return where(negatives, x, 0).sum(1, keepdims=True)


def textbook(w, temperature, beta, prior):
    def weights(x, negatives):
        return exp(beta * x) / sum_over(negatives, exp(beta * x)) * (len(x.value) - 2)

    return with_weights(w, temperature, prior, weights)


@bug("identities", of="weights_over_the_mean", named=("weights over the mean",))
def weights_over_the_mean_of_the_negatives(w, temperature, beta, prior):
    """The weights e^{βL} are divided by the mean of e^L, as the paper's listing was, so that they do not average to
    1."""

    def weights(x, negatives):
        return exp(beta * x) / sum_over(negatives, exp(x)) * (len(x.value) - 2)

    return with_weights(w, temperature, prior, weights)


@bug("identities", of="hardness_outside", named=("hardness outside",))
def beta_multiplies_the_weights(w, temperature, beta, prior):
    """β e^L over the mean of e^L, as the paper's listing was: β is a factor of all negatives, and no exponent."""

    def weights(x, negatives):
        return beta * exp(x) / sum_over(negatives, exp(x)) * (len(x.value) - 2)

    return with_weights(w, temperature, prior, weights)
