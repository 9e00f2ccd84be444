"""Numbers that a claim shows, computed again in floating point by independently written enumerations."""

import math
from itertools import product

import pytest

from infonce_ref.derivations.evidence.claims import CLAIMS

LOG2 = math.log(2)


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def gap(images, own):
    """Log of the number of candidates, the anchor among them if own, less the loss of fair bits in both views."""

    def loss(bits):
        rows = [*bits, *bits]
        for i, anchor in enumerate(rows):
            weights = [math.exp(anchor * row / 0.1) for row in rows]
            yield -math.log(weights[(i + images) % len(rows)] / (sum(weights) - (0 if own else weights[i])))

    return math.log(2 * images - (not own)) - mean(
        mean(loss(bits)) for bits in product((1, -1), repeat=images)
    )


def share_of_twins(images, agreeing):
    """Of a positive among views that score `agreeing` or 1, each negative with its twin; times their number."""
    draws = product((agreeing, 1), repeat=images)
    return (2 * images - 1) * mean(positive / (positive + 2 * sum(others)) for positive, *others in draws)


def printed_sums(logits, hadamard):
    """The numbers in the logs of D4.14, by loops: I_B A^β as a matrix product, or as intended."""
    size = len(logits)
    for place, row in enumerate(logits):
        powers = [math.exp(x) * (place != column) if hadamard else 0 for column, x in enumerate(row)]
        total = sum(map(math.exp, powers))
        weights = [(size - 1) * math.exp(x) / total - (place == column) for column, x in enumerate(powers)]
        yield sum(math.exp(x) * weight for x, weight in zip(row, weights, strict=True))


KEYS = list(product((0, -20), repeat=2))
CLOSE, APART = [[1, 2, 1], [0, 1, 3], [2, 0, 1]], [[2, 0, 0], [0, 2, 0], [0, 0, 2]]


def within(right, count):
    """log N − 𝓛ⁱⁿ over every list of bits where the context is 1; two positives show it with this probability."""
    value = 0.0
    for bits in product((0, 1), repeat=count):
        chance = math.prod((right if bit else 1 - right) if a < 2 else 0.5 for a, bit in enumerate(bits))
        scores = [2 * right if bit else 2 * (1 - right) for bit in bits]
        value += chance * math.log(count * sum(scores[:2]) / (2 * sum(scores)))
    return value


@pytest.mark.parametrize(
    ("id", "piece", "left", "right"),
    [
        ("P2", "passed", lambda: gap(5, own=False), LOG2),
        ("P2", "twins", lambda: share_of_twins(5, 10**6), 1),
        ("P3", "3 images", lambda: gap(3, own=True), LOG2),
        # one negative, whose score is the positive's where the bits agree, and 20 less where not
        ("P4", "passed", lambda: mean((0, 20)), LOG2),
        # two keys, each the query's own or opposite to it
        (
            "P5",
            "fresh",
            lambda: math.log(3) - mean(math.log(1 + math.exp(a) + math.exp(b)) for a, b in KEYS),
            LOG2,
        ),
        # the two negatives agree with c in 0, 1, 2 cases with chances 1/4, 1/2, 1/4
        ("D3.33b", "above", lambda: LOG2 / 2 + math.log(3) / 4, LOG2),
        ("R3", "above", lambda: within(0.75, 16), 0.75 * math.log(1.5) + 0.25 * math.log(0.5)),
        *(
            ("D4.14", f"{name} log", lambda hadamard=hadamard: next(printed_sums(APART, hadamard)), 0)
            for name, hadamard in (("product", False), ("meant", True))
        ),
    ],
)
def test_a_finding_is_this_enumeration(id, piece, left, right):
    found = CLAIMS[id].evidence()[piece].findings[0]
    for number, known in ((found.left, left()), (found.right, right)):
        assert float(getattr(number, "mid", number)) == pytest.approx(known, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize(("piece", "hadamard"), [("product", False), ("meant", True)])
def test_the_printed_vectorisation_is_this_loop(piece, hadamard):
    (found,) = CLAIMS["D4.14"].evidence()[piece].findings
    assert float(found.right.mid) == pytest.approx(
        sum(map(math.log, printed_sums(CLOSE, hadamard))), rel=1e-12
    )
