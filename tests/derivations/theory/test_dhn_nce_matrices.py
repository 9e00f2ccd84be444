"""D4's vectorisations, printed and corrected, against independent loops."""

import math
import random

import pytest

from infonce_ref.derivations.losses.dhn_nce import by_image, stable
from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.symbols import B, L, beta1, i, off_diagonal
from infonce_ref.derivations.theory.dhn_nce_matrices import (
    APART,
    CLOSE,
    first_vectorisation,
    inner,
    less_one,
    masked_by,
    meant,
    product,
)

ROUNDING = 1e-12  # some dozen roundings of numbers of size 1 to 100


def double_loop(L, beta):
    """ℓ_i of each row, from the logits."""
    losses = []
    for row, logits in enumerate(L):
        negatives = [x for column, x in enumerate(logits) if column != row]
        hard = sum(math.exp(beta * x) for x in negatives)
        weighted = sum(math.exp(x) * len(negatives) * math.exp(beta * x) / hard for x in negatives)
        losses.append(math.log(weighted) - logits[row])
    return losses


def batch(size):
    source = random.Random(size)
    return [[source.uniform(0, 2) for _ in range(size)] for _ in range(size)]


def at(expression, logits, beta):
    """Return the expression as a function of the row."""
    mask = [[int(row != column) for column in range(len(logits))] for row in range(len(logits))]
    return evaluator(expression, {B: len(logits), L: logits, off_diagonal: mask, beta1: beta})


@pytest.mark.parametrize("beta", [0.0, 0.15, 3.0])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_both_vectorisations_are_the_double_loop(size, beta):
    logits = batch(size)
    value, _ = at(first_vectorisation().lines[-1].expression, logits, beta)({})
    assert value == pytest.approx(sum(double_loop(logits, beta)), abs=ROUNDING)
    row_loss = at(stable(by_image(L), beta1), logits, beta)
    for row, loss in enumerate(double_loop(logits, beta)):
        assert row_loss({i: row})[0] == pytest.approx(loss, abs=ROUNDING)


def printed_sums(logits, beta, hadamard):
    """The numbers in the logs of D4.14, by loops: I_B A^β as a matrix product, or as intended."""
    sums = []
    for place, row in enumerate(logits):
        powers = [math.exp(x * beta) * (place != column) if hadamard else 0 for column, x in enumerate(row)]
        total = sum(map(math.exp, powers))
        size = len(logits)
        weights = [(size - 1) * math.exp(x) / total - (place == column) for column, x in enumerate(powers)]
        sums.append(sum(math.exp(x) * weight for x, weight in zip(row, weights, strict=True)))
    return sums


@pytest.mark.parametrize("logits", [CLOSE[L], APART[L]], ids=["hard", "well-separated"])
@pytest.mark.parametrize("reading", [product, meant])
def test_the_printed_vectorisation_is_kept_as_printed(reading, logits):
    kept = at(inner(less_one(masked_by(reading))), logits, 0.5)
    assert [kept({i: row})[0] for row in range(3)] == pytest.approx(
        printed_sums(logits, 0.5, reading is meant), abs=ROUNDING
    )
