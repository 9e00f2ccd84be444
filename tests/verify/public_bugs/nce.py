"""Noise-contrastive estimation as public libraries have got it wrong."""

import math

from .bug import bug
from .tape import sigmoid, softplus


def binary(data, noise):
    """The mean over the data and the sum over the noise of each, which is right if the arguments are the
    log-odds.
    """
    return (softplus(-data) + softplus(noise).sum(1)).mean()


def log_odds(data_scores, noise_scores, log_noise_data, log_noise):
    log_m = math.log(noise_scores.shape[1])
    return data_scores - (log_noise_data + log_m), noise_scores - (log_noise + log_m)


def textbook(data_scores, noise_scores, log_noise_data, log_noise):
    return binary(*log_odds(data_scores, noise_scores, log_noise_data, log_noise))


@bug("symbolic", of="noise_probability_added", named=("noise probability added",))
def log_q_correction_added_instead_of_subtracted(data_scores, noise_scores, log_noise_data, log_noise):
    """The logarithm of the noise's probability is added: frequent samples are penalised twice."""
    log_m = math.log(noise_scores.shape[1])
    return binary(data_scores + (log_noise_data + log_m), noise_scores + (log_noise + log_m))


@bug("symbolic", of="scores_as_odds", named=("scores as odds",))
def log_q_correction_missing(data_scores, noise_scores):
    """The noise is drawn by popularity and the scores are used as they are: its probability is forgotten."""
    return binary(data_scores, noise_scores)


@bug("symbolic", of="noise_summed_before_the_logarithm", named=("noise summed before the logarithm",))
def log_sigmoid_of_summed_negative_scores(data_scores, noise_scores, log_noise_data, log_noise):
    """The noise's scores are summed before one log-sigmoid, so that those of opposite sign cancel."""
    data, noise = log_odds(data_scores, noise_scores, log_noise_data, log_noise)
    return (softplus(-data) + softplus(noise.sum(1))).mean()


@bug("symbolic", of="probabilities_for_losses", named=("probabilities for losses",))
def sigmoid_without_log(data_scores, noise_scores, log_noise_data, log_noise):
    """A mean of sigmoids whose logarithm was never taken: no force where the score is badly wrong."""
    data, noise = log_odds(data_scores, noise_scores, log_noise_data, log_noise)
    return -(sigmoid(data) + sigmoid(-noise).sum(1)).mean()


@bug("symbolic", of="sigmoid_twice", named=("sigmoid twice",))
def sigmoid_applied_twice(data_scores, noise_scores, log_noise_data, log_noise):
    """Scores pass a sigmoid, and then a binary cross-entropy that expects logits."""
    data, noise = log_odds(data_scores, noise_scores, log_noise_data, log_noise)
    return binary(sigmoid(data), sigmoid(noise))
