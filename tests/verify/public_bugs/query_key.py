"""InfoNCE of queries against a queue as public libraries have got it wrong."""

import numpy as np

from .bug import bug
from .tape import concat, detach, exp, log, logsumexp, maximum, softmax, softplus


def scores(query, positive, negatives):
    """Similarities of each query with its positive (n, 1), and with its negatives (n, M), a queue or its own."""
    own = negatives.value.ndim == 3
    others = (query[:, None] * negatives).sum(2) if own else query @ negatives.T
    return (query * positive).sum(1, keepdims=True), others


def loss(query, positive, negatives, temperature):
    """ℓ_i of each query, which is right."""
    x = concat(*scores(query, positive, negatives), axis=1) / temperature
    return logsumexp(x, 1) - x[:, 0]


def textbook(query, positive, negatives, temperature):
    return loss(query, positive, negatives, temperature).mean()


@bug("symbolic", of="positive_missing", named=("positive missing from the denominator",))
def positive_missing_from_denominator(query, positive, negatives, temperature):
    """The denominator sums the negatives alone: no probability, and an easy row keeps pulling with full force."""
    p, n = scores(query, positive, negatives)
    return (logsumexp(n / temperature, 1) - p[:, 0] / temperature).mean()


@bug("finite differences", of="one_not_shifted", named=("one not shifted", "gradient wrong"))
def log1p_shifted_without_its_one(query, positive, negatives, temperature):
    """log(1 + Σ e^x) is shifted by the largest x, the 1 is not."""
    p, n = scores(query, positive, negatives)
    x = (n - p) / temperature
    top = detach(maximum(x, 1))
    return (top[:, 0] + log(1 + exp(x - top).sum(1))).mean()


@bug("symbolic", of="double_softmax", named=("double softmax",))
def double_softmax(query, positive, negatives, temperature):
    """The logits pass a softmax, and then a cross-entropy that takes another one."""
    p = softmax(concat(*scores(query, positive, negatives), axis=1) / temperature, 1)
    return (logsumexp(p, 1) - p[:, 0]).mean()


@bug("symbolic", of="logarithm_missing", named=("logarithm missing",))
def nll_of_probabilities_without_log(query, positive, negatives, temperature):
    """The negative log-likelihood receives probabilities instead of their logarithms."""
    return -exp(-loss(query, positive, negatives, temperature)).mean()


@bug("symbolic", of="exponential_of_mean_probability", named=("exponential of mean probability",))
def exponential_of_mean_probability(query, positive, negatives, temperature):
    """Probabilities where logarithms belong, and an exponential on top."""
    return exp(-exp(-loss(query, positive, negatives, temperature)).mean())


@bug("symbolic", of="sigmoids_for_softmax", named=("sigmoids for softmax",))
def sigmoid_bce_in_place_of_softmax(query, positive, negatives, temperature):
    """Every score passes a binary cross-entropy of its own; nothing couples a row."""
    p, n = scores(query, positive, negatives)
    return concat(softplus(-p / temperature), softplus(n / temperature), axis=1).mean()


@bug("symbolic", of="square_of_denominators", named=("square of denominators",))
def positive_and_negative_broadcast_to_square(query, positive, negatives, temperature):
    """A column of positives is added to a row of negative sums: a square of denominators, most of them of two
    different queries."""
    p, n = (x / temperature for x in scores(query, positive, negatives))
    return (log(exp(p) + exp(n).sum(1)) - p).mean()


@bug("symbolic", of="positive_untempered", named=("temperature missing on the positive",))
def temperature_missing_on_the_positive(query, positive, negatives, temperature):
    """Only the negatives' scores are divided by τ."""
    p, n = scores(query, positive, negatives)
    return (logsumexp(concat(p, n / temperature, axis=1), 1) - p[:, 0]).mean()


@bug(
    "symbolic",
    of="positive_untempered_below",
    named=("temperature missing on the positive in the denominator",),
)
def temperature_missing_on_positive_in_denominator(query, positive, negatives, temperature):
    """The positive is divided by τ in the numerator, not in the denominator."""
    p, n = scores(query, positive, negatives)
    return (logsumexp(concat(p, n / temperature, axis=1), 1) - p[:, 0] / temperature).mean()


@bug("symbolic", of="temperature_fixed", named=("temperature fixed",))
def temperature_argument_not_passed(query, positive, negatives):
    """The caller's temperature never arrives: the loss uses its own default."""
    return loss(query, positive, negatives, 0.1).mean()


@bug(
    "finite differences", of="own_key_in_the_queue", named=("positive counted twice", "own key in the queue")
)
def own_key_already_in_the_queue(query, positive, negatives, temperature):
    """The query's own key was enqueued before, and is found among the negatives, held constant there."""
    own = (query * detach(positive)).sum(1, keepdims=True)
    p, n = scores(query, positive, negatives)
    x = concat(p, own, n, axis=1) / temperature
    return (logsumexp(x, 1) - x[:, 0]).mean()


@bug("symbolic", of="positive_for_a_negative", named=("positive for a negative",))
def resampled_hard_negatives_off_by_one(query, positive, negatives, temperature):
    """The index skips the anchor but not the positive, which becomes a negative in the last one's place."""
    p, n = scores(query, positive, negatives)
    x = concat(p, p, n[:, :-1], axis=1) / temperature
    return (logsumexp(x, 1) - x[:, 0]).mean()


@bug("symbolic", of="labels_for_logits", named=("labels for logits",))
def cross_entropy_arguments_swapped(query, positive, negatives, temperature):
    """The logits arrive as labels and the labels as logits: the loss is linear in every score."""
    x = concat(*scores(query, positive, negatives), axis=1) / temperature
    labels = np.eye(x.shape[1])[0]
    return -(x * (labels - np.log(np.exp(labels).sum()))).sum(1).mean()


@bug("finite differences", of="keys_held_constant", named=("keys detached",))
def target_wrongly_detached(query, positive, negatives, temperature):
    """The keys are detached although their encoder learns from this loss alone."""
    return loss(query, detach(positive), detach(negatives), temperature).mean()


@bug("finite differences", of="last_row_alone", named=("last row alone",))
def forgotten_gradients_but_the_last_chunk(query, positive, negatives, temperature):
    """Each chunk overwrites the gradient that was kept, so that the last one's alone remains."""
    losses = loss(query, positive, negatives, temperature)
    last = len(query.value) - 1
    return (detach(losses[:last]).sum() + losses[last:].sum()) / (last + 1)
