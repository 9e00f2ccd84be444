"""The bound's settings in floating point, from losses written apart from the lesson; false variants are refused."""

import itertools
import math
import random

import pytest
from mpmath import iv
from sympy import Integer, log

from infonce_ref.derivations.prover.inequality import Use, bound
from infonce_ref.derivations.prover.sums import NotProved
from infonce_ref.derivations.theory import bound_by_loss as lesson

BIT = ((1.0,), (-1.0,))
PLANE = ((1.0, 0.0), (0.6, 0.8), (-0.8, 0.6))  # unit rows


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


def information(joint):
    x, y = [sum(row) for row in joint], [sum(column) for column in zip(*joint, strict=True)]
    cells = [(joint[a][b], x[a] * y[b]) for a in range(len(x)) for b in range(len(y))]
    return sum(p * math.log(p / q) for p, q in cells if p)


def symmetric_law(seed, count):
    """Both views have one law."""
    r = random.Random(seed)
    table = [[r.random() ** 4 for _ in range(count)] for _ in range(count)]
    table = [[table[a][b] + table[b][a] for b in range(count)] for a in range(count)]
    whole = sum(map(sum, table))
    return [[cell / whole for cell in row] for row in table]


FAIR_BIT = [[0.5, 0.0], [0.0, 0.5]]


def test_ntxent_passes_the_information_of_a_fair_bit_with_five_images():
    loss = expected_loss(FAIR_BIT, BIT, 5, 0.1, own=False)
    assert math.log(5) - loss < math.log(2) < math.log(9) - loss


@pytest.mark.parametrize("images", [2, 3, 4])
@pytest.mark.parametrize("temperature", [0.02, 0.1, 0.5, 2.0])
def test_no_smaller_batch_does(images, temperature):
    assert math.log(2 * images - 1) - expected_loss(FAIR_BIT, BIT, images, temperature, own=False) < math.log(
        2
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("temperature", [0.2, 1.0])
def test_the_right_bounds_hold(seed, temperature):
    joint = symmetric_law(seed, 3)
    for images in (2, 3):
        masked = expected_loss(joint, PLANE, images, temperature, own=False)
        with_own = expected_loss(joint, PLANE, images, temperature, own=True)
        assert math.log(images) - masked <= information(joint)
        assert math.log(2 * images) - with_own <= min(information(joint), math.log(images))


def test_the_lesson_runs_the_losses_that_are_written_here():
    batch, temperature = (1, -1, 1), iv.mpf(1) / 2
    views = [(float(z),) for z in batch]
    assert float(lesson.ntxent(batch, temperature).mid) == pytest.approx(
        batch_loss(views, views, 0.5, own=False)
    )
    assert float(lesson.infonce(batch, temperature).mid) == pytest.approx(
        batch_loss(views, views, 0.5, own=True)
    )


def test_the_decoupled_loss_by_hand():
    # β = 1, τ = 1, one alike and one unlike: weights 2e/(e + 1/e), 2/e/(e + 1/e)
    up, down = math.e, 1 / math.e
    alike = math.log(2 * (up * up + down * down) / (up + down)) - 1
    alone = math.log(2 * (down * down + down * down) / (2 * down)) - 1
    loss = lesson.dhn_nce((1, 1, -1), iv.mpf(1), iv.mpf(1))
    assert float(loss.mid) == pytest.approx((2 * alike + alone) / 3, rel=1e-14)


def test_two_losses_in_one_is_sharp():
    """With log 3 for log 2 the lemma's last line is another one."""
    score, rest, rest_2, lift = lesson.score, lesson.rest, lesson.rest_2, lesson.lift
    i, j, m = lesson.i, lesson.j, lesson.m
    whole = rest[j, m] + rest_2[j, m] + lift[j]
    change = log(3) + (log(rest[j, m]) + log(rest_2[j, m])) / 2 - log(whole) + 0 * score[i, j]
    uses = (Use(Integer(1) / 2, 2 * half, bottom=whole) for half in (rest[j, m], rest_2[j, m]))
    with pytest.raises(NotProved):
        bound(change, *uses, last=-lift[j] / whole, facts=lesson.FACTS)
