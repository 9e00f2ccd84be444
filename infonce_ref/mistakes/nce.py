"""Mistakes in nce."""

import numpy as np

from .entry import ACROSS, Arguments, Draw, Entry, Form, mistake


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    n, m = pairs, features + 1
    share = np.array([1.0]) if draw.small else np.linspace(0.5, 1, 7)
    return {
        "data_scores": draw.numbers(n),
        "noise_scores": draw.numbers(n, m),
        "log_noise_data": -draw.rng.integers(1, 3, size=n) * draw.rng.choice(share, n),
        "log_noise": -draw.rng.integers(1, 3, size=(n, m)) * draw.rng.choice(share, (n, m)),
    }


ODDS = "return scores - log_noise - np.log(m)"
LOSS = "return (softplus(-data) + softplus(noise).sum(axis=1)).mean()"
GRADIENT = "return -sigmoid(-data) / n, sigmoid(noise) / n"
ENTRY = Entry(
    name="nce",
    loss="nce",
    by=("data_scores", "noise_scores"),
    batch=batch,
    # if the noise samples all have one probability, bias = −log(m p)
    forms=(Form(ACROSS, ("scores and noise",), ("given",), ("first",), head="sigmoid"),),
    mistakes=(
        mistake(
            "m_forgotten",
            "the number of noise samples is missing in h: there are m noise samples for each datum",
            "D3.10 posterior",
            ODDS,
            "return scores - log_noise",
        ),
        mistake(
            "noise_probability_missing",
            "the scores are used as they are: the noise's probability is forgotten",
            "D3.18 datum",
            ODDS,
            "return scores - np.log(m)",
        ),
        mistake(
            "noise_probability_added",
            "log m p_n is added, not subtracted: frequent samples are penalised twice",
            "D3.18 datum",
            ODDS,
            "return scores + log_noise + np.log(m)",
            links=(
                "https://github.com/tensorflow/recommenders/issues/219",
                "https://github.com/tensorflow/recommenders/issues/278",
            ),
        ),
        mistake(
            "scores_as_odds",
            "the scores are used as log-odds: probability and number of the noise samples are ignored",
            "D3.18 datum",
            ODDS,
            "return scores",
            links=(
                "https://github.com/NVIDIA-Merlin/models/issues/161",
                "https://github.com/NVIDIA-Merlin/models/pull/457",
                "https://github.com/meereeum/lda2vec-tf/issues/5",
            ),
        ),
        mistake(
            "noise_averaged",
            "the noise samples of a datum are averaged, not summed",
            "D3.18 loss",
            "softplus(noise).sum(axis=1)",
            "softplus(noise).mean(axis=1)",
        ),
        mistake(
            "noise_missing",
            "only the data's term is there: the sum over the noise samples is missing",
            "D3.18 loss",
            " + softplus(noise).sum(axis=1)",
            "",
        ),
        mistake(
            "noise_taken_for_data",
            "noise samples are classified as data: −log h, where −log(1 − h) belongs",
            "D3.18 loss",
            "softplus(noise).sum(axis=1)",
            "softplus(-noise).sum(axis=1)",
        ),
        mistake(
            "noise_summed_before_the_logarithm",
            "the noise's scores are summed before one log-sigmoid, so that those of opposite sign cancel",
            "D3.18 loss",
            "softplus(noise).sum(axis=1)",
            "softplus(noise.sum(axis=1))",
            links="https://github.com/DSKSD/DeepNLP-models-Pytorch/issues/15",
        ),
        mistake(
            "logarithm_missing",
            "a sum of sigmoids without their logarithm: no force where a score is badly wrong",
            "D3.18 loss",
            LOSS,
            "return (sigmoid(-data) + sigmoid(noise).sum(axis=1)).mean()",
        ),
        mistake(
            "probabilities_for_losses",
            "−h and h stand where their logarithms belong",
            "D3.18 loss",
            LOSS,
            "return (-sigmoid(data) - sigmoid(-noise).sum(axis=1)).mean()",
            links="https://github.com/RUCAIBox/RecBole/issues/1505",
        ),
        mistake(
            "sigmoid_twice",
            "scores pass a sigmoid, and then a cross-entropy that expects logits",
            "D3.18 loss",
            LOSS,
            "return (softplus(-sigmoid(data)) + softplus(sigmoid(noise)).sum(axis=1)).mean()",
            links="https://github.com/yudi-mars/daisyRec/pull/15",
        ),
        mistake(
            "gradient_noise_averaged",
            "the gradient of the noise samples is divided by their number too",
            "D3.18 noise short",
            GRADIENT,
            "return -sigmoid(-data) / n, sigmoid(noise) / (n * m)",
        ),
        mistake(
            "h_for_its_rest",
            "by a datum's score the slope is −(1 − h), not −h",
            "D3.18 short",
            GRADIENT,
            "return -sigmoid(data) / n, sigmoid(noise) / n",
        ),
        mistake(
            "noise_rest_for_h",
            "by a noise sample's score the slope is h, not 1 − h",
            "D3.18 noise short",
            GRADIENT,
            "return -sigmoid(-data) / n, sigmoid(-noise) / n",
        ),
        mistake(
            "noise_held_constant",
            "the noise samples have no gradient",
            "D3.18 noise short",
            GRADIENT,
            "return -sigmoid(-data) / n, 0 * noise",
        ),
    ),
    inputs="data and noise scores",
)
