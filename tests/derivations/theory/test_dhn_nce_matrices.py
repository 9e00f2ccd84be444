"""D4's printed vectorisation against independent loops; the corrected ones are proved of the loss."""

import math

import pytest

from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.symbols import B, L, beta1, i, off_diagonal
from infonce_ref.derivations.theory.dhn_nce_matrices import (
    APART,
    AT,
    CLOSE,
    inner,
    less_one,
    masked_by,
    meant,
    product,
)

ROUNDING = 1e-12  # some dozen roundings of numbers of size 1 to 100


def at(expression, logits, beta):
    """Return the expression as a function of the row."""
    mask = [[int(row != column) for column in range(len(logits))] for row in range(len(logits))]
    return evaluator(expression, {B: len(logits), L: logits, off_diagonal: mask, beta1: beta})


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


@pytest.mark.parametrize("logits", [CLOSE["L"], APART["L"]], ids=["hard", "well-separated"])
@pytest.mark.parametrize("reading", [product, meant])
def test_the_printed_vectorisation_is_kept_as_printed(reading, logits):
    kept = at(AT.read(inner(less_one(masked_by(reading)))), logits, 0.5)
    assert [kept({i: row})[0] for row in range(3)] == pytest.approx(
        printed_sums(logits, 0.5, reading is meant), abs=ROUNDING
    )
