"""D4's vectorisations, the printed and the right ones, against plain loops that share nothing with the lesson."""

import math
import random

import pytest
from sympy import Integer, Matrix

from infonce_ref.derivations.losses.dhn_nce import FACTS, by_image, stable
from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.symbols import B, L, beta1, i, off_diagonal
from infonce_ref.derivations.theory.dhn_nce_matrices import (
    APART,
    CLOSE,
    READINGS,
    Counted,
    counted,
    inner_sums,
    masked_weights,
    printed_weights,
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
    return [[source.randint(1, 9) for _ in range(size)] for _ in range(size)]


def logs(A):
    return [[math.log(x) for x in row] for row in A]


@pytest.mark.parametrize("size", [2, 3, 5])
def test_the_first_vectorisation_is_the_double_loop(size):
    A = batch(size)
    sums = inner_sums(Matrix(A), masked_weights(Matrix(A), Integer(2)))
    for row, (loss, inner) in enumerate(zip(double_loop(logs(A), 2), sums, strict=True)):
        assert math.log(inner) - math.log(A[row][row]) == pytest.approx(loss, abs=ROUNDING)


@pytest.mark.parametrize("beta", [0.0, 0.15, 3.0])
@pytest.mark.parametrize("size", [2, 3, 5])
def test_the_second_vectorisation_is_the_double_loop(size, beta):
    logits = logs(batch(size))
    mask = [[int(row != column) for column in range(size)] for row in range(size)]
    at = evaluator(stable(by_image(L), beta1), {B: size, L: logits, off_diagonal: mask, beta1: beta})
    for row, loss in enumerate(double_loop(logits, beta)):
        assert at({i: row})[0] == pytest.approx(loss, abs=ROUNDING)


def printed_sums(A, beta, meant):
    """The numbers in the logs of D4.14, by loops: I_B A^β as a matrix product, or as it is meant."""
    sums = []
    for place, row in enumerate(A):
        logits = [x**beta * (place != column) if meant else 0 for column, x in enumerate(row)]
        total = sum(map(math.exp, logits))
        weights = [(len(A) - 1) * math.exp(x) / total - (place == column) for column, x in enumerate(logits)]
        sums.append(sum(x * weight for x, weight in zip(row, weights, strict=True)))
    return sums


@pytest.mark.parametrize("A", [CLOSE, APART], ids=["hard", "well-separated"])
@pytest.mark.parametrize("reading", list(READINGS))
def test_the_printed_vectorisation_is_kept_as_printed(reading, A):
    kept = [float(x) for x in inner_sums(A, printed_weights(A, Integer(2), READINGS[reading]))]
    assert kept == pytest.approx(printed_sums(A.tolist(), 2, reading == "Hadamard product"), abs=ROUNDING)


@pytest.mark.parametrize("meant", [False, True])
def test_the_printed_vectorisation_breaks_on_a_well_separated_batch(meant):
    assert max(printed_sums(APART.tolist(), 1, meant)) < 0  # whose log is NaN


@pytest.mark.parametrize("meant", [False, True])
def test_the_printed_vectorisation_is_another_number_on_a_hard_batch(meant):
    A = CLOSE.tolist()
    printed = sum(math.log(x) for x in printed_sums(A, 1, meant))
    assert abs(printed - sum(double_loop(logs(A), 1))) > 0.1


def test_counted_numbers_count_what_is_done_to_them():
    x = Counted()
    assert counted(lambda: sum([x * x, x * x, x])) == (2, 2)


def test_the_proofs_rest_on_the_mask_alone():
    assert FACTS.masks == (off_diagonal,)
    assert not FACTS.maps
