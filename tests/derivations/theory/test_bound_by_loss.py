"""The bound's settings in floating point, with independently written losses."""

import itertools
import math
from fractions import Fraction

import pytest
from mpmath import iv

from infonce_ref.derivations.evidence.claims import CLAIMS
from infonce_ref.derivations.losses import dhn_nce, infonce, ntxent
from infonce_ref.derivations.theory import bound_by_loss as lesson

BIT = ((1.0,), (-1.0,))


def dot(left, right):
    return sum(x * y for x, y in zip(left, right, strict=True))


def batch_loss(first, second, temperature, own):
    """Mean over all anchors of −log softmax; own: whether the anchor is among its candidates."""
    rows, pairs = [*first, *second], len(first)
    total = 0.0
    for i, anchor in enumerate(rows):
        weights = [math.exp(dot(anchor, row) / temperature) for row in rows]
        total -= math.log(weights[(i + pairs) % len(rows)] / (sum(weights) - (0 if own else weights[i])))
    return total / len(rows)


def expected_loss(joint, codes, images, temperature, own):
    """joint[x][y]: the law of the two views of one image."""
    cells = [(x, y, joint[x][y]) for x in range(len(codes)) for y in range(len(codes))]
    mean = 0.0
    for draw in itertools.product(cells, repeat=images):
        chance = math.prod(p for _, _, p in draw)
        if chance:
            first, second = [codes[x] for x, _, _ in draw], [codes[y] for _, y, _ in draw]
            mean += chance * batch_loss(first, second, temperature, own)
    return mean


FAIR_BIT = [[0.5, 0.0], [0.0, 0.5]]


def test_the_finding_has_all_batches():
    """Counted by the number of set bits, because the loss does not depend on which are set."""
    (passed,) = CLAIMS["P2"].evidence()["passed"].findings
    loss = expected_loss(FAIR_BIT, BIT, 5, 0.1, own=False)
    # interval and floats agree to a few dozen roundings of numbers of size 1
    assert float(passed.left.mid) == pytest.approx(math.log(9) - loss, rel=0, abs=1e-13)
    assert float(passed.right.mid) == pytest.approx(math.log(2), rel=0, abs=1e-15)


@pytest.mark.parametrize("own", [False, True])
def test_the_statements_are_those_of_the_losses(own):
    statement, word = (infonce.STATEMENT, "z") if own else (ntxent.STATEMENT, "w")
    expected = expected_loss(FAIR_BIT, BIT, 3, 0.5, own=own)

    def of(bits):
        return lesson.enclosed(statement, Fraction(1, 2), **{word: lesson.rows(bits + bits)})

    enclosed = lesson.mean(3, of)
    assert enclosed.a <= enclosed.b < enclosed.a + 1e-13  # a few dozen roundings
    assert float(enclosed.mid) == pytest.approx(expected, rel=1e-14, abs=0)


def test_a_decoupled_loss_of_two_bits_by_hand():
    """One negative: e^{−1/τ} multiplied by the score of an equal or a different bit, in both directions."""
    statement = dhn_nce.STATEMENTS["differentiated"]

    def of(bits):
        views = lesson.rows(bits)
        return lesson.enclosed(statement, Fraction(1, 4), iv.mpf(2), image=views, text=views)

    assert float(lesson.mean(2, of).mid) == pytest.approx(-2 * 4, rel=1e-14, abs=0)


def test_equal_images_counted_by_hand():
    # one image besides the positive: shares f/(f + 2g) with f, g in {3, 1}
    by_hand = Fraction(3, 4) * sum(Fraction(f, f + 2 * g) for f in (3, 1) for g in (3, 1))
    assert lesson.share_of_twins(2, 3) == by_hand
