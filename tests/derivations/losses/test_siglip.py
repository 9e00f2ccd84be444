"""SigLIP, written again as its algorithm: a label 1 or −1 for each image and each text."""

import mpmath
import pytest
from mpmath import mpf


def rows(image, text, temperature, bias):
    for i, row in enumerate(image):
        loss = mpf(0)
        for j, other in enumerate(text):
            label = 1 if i == j else -1
            logit = mpmath.fdot(row, other) / temperature + bias
            loss -= mpmath.log(1 / (1 + mpmath.exp(-label * logit)))
        yield loss


def raw(image, text, temperature, bias):
    return sum(rows(image, text, temperature, bias)) / len(image)


@pytest.mark.parametrize(("reduction", "times"), [("mean", 1), ("sum", 3)])
def test_the_statement_is_of_the_raw_loss(assert_states, array, reduction, times):
    def reduced(image, text, temperature, bias):
        return times * raw(image, text, temperature, bias)

    point = {"image": array(3, 2), "text": array(3, 2), "temperature": mpf("0.6"), "bias": mpf("-1.5")}
    assert_states("siglip", reduced, point, reduction=reduction)


def test_each_image_with_a_weight_of_its_own(assert_states, array):
    weights = array(3)

    def weighted(**point):
        return mpmath.fdot(weights, rows(**point))

    point = {"image": array(3, 2), "text": array(3, 2), "temperature": mpf(1), "bias": mpf("0.5")}
    assert_states("siglip", weighted, point, reduction="none", upstream=weights)
