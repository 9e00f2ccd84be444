"""SigLIP's loss as public libraries have got it wrong."""

import numpy as np

from .bug import bug
from .tape import softplus


def signs(image):
    """1 at a pair, else −1 (B, B)."""
    return 2 * np.eye(len(image.value)) - 1


def logits(image, text, temperature):
    return image @ text.T / temperature


def textbook(image, text, temperature, bias):
    return softplus(-signs(image) * (logits(image, text, temperature) + bias)).sum() / len(image.value)


@bug("symbolic", of="cross_entropy_without_bias", named=("cross entropy without bias",))
def binary_cross_entropy_without_bias(image, text, temperature):
    """Binary cross-entropy over all B² scores with no bias, so that B − 1 negatives of each image weigh as they
    come."""
    return softplus(-signs(image) * logits(image, text, temperature)).mean()


@bug("symbolic", of="mean_over_all_pairs_and_images", named=("mean over all pairs and images",))
def mean_over_all_scores_and_the_batch(image, text, temperature, bias):
    """The mean over all B² scores, divided by B once more, where their sum is."""
    each = softplus(-signs(image) * (logits(image, text, temperature) + bias))
    return each.mean() / len(image.value)


@bug("symbolic", of="scores_with_the_sign_in_print", named=("scores with the sign in print",))
def product_with_the_sign_of_the_printed_formula(image, text, temperature, bias):
    """−t x·y + b, as the paper's formula has it: a pair is pushed apart."""
    return softplus(-signs(image) * (-logits(image, text, temperature) + bias)).sum() / len(image.value)
