"""The InfoNCE bound in floating point, by enumeration written apart from the lesson; false variants are refused."""

import itertools
import math
import random
from fractions import Fraction

import pytest
from sympy import Integer

from infonce_ref.derivations.prover.inequality import Use, bound
from infonce_ref.derivations.prover.proof import SUMS, derive
from infonce_ref.derivations.prover.sums import NotProved
from infonce_ref.derivations.theory import information_bound as lesson

ROUNDING = 1e-12  # a few hundred terms of order 1


def law(seed):
    r = random.Random(seed)
    cells = [[r.random() ** 3 for _ in range(2)] for _ in range(3)]
    whole = sum(map(sum, cells))
    return [[cell / whole for cell in row] for row in cells]


def marginals(cells):
    return [sum(row) for row in cells], [sum(column) for column in zip(*cells, strict=True)]


def information(cells):
    x, c = marginals(cells)
    return sum(cells[a][b] * math.log(cells[a][b] / x[a] / c[b]) for a in range(3) for b in range(2))


def loss(cells, f, size):
    x, _ = marginals(cells)
    mean = 0.0
    for a, b in itertools.product(range(3), range(2)):
        for others in itertools.product(range(3), repeat=size - 1):
            chance = cells[a][b] * math.prod(x[other] for other in others)
            mean -= chance * math.log(f[a][b] / (f[a][b] + sum(f[other][b] for other in others)))
    return mean


def best(cells):
    x, c = marginals(cells)
    return [[cells[a][b] / x[a] / c[b] for b in range(2)] for a in range(3)]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [2, 3, 4])
def test_the_bound_holds_for_any_score_and_is_highest_for_the_density_ratio(seed, size):
    cells, r = law(seed), random.Random(seed)
    some = [[10 * r.random() + 0.01 for _ in range(2)] for _ in range(3)]
    below_some, below_best = (math.log(size) - loss(cells, f, size) for f in (some, best(cells)))
    assert below_some <= below_best + ROUNDING
    assert below_best <= min(information(cells), math.log(size)) + ROUNDING


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [2, 3, 10])
def test_the_step_down_holds_in_expectation(seed, size):
    cells, ratios = law(seed), best(law(seed))
    places = [(cells[a][b], 1 / ratios[a][b]) for a in range(3) for b in range(2)]
    gain = sum(p * math.log((1 + u * (size - 1)) / (u * size)) for p, u in places)
    assert gain >= information(cells) / size - ROUNDING


def test_the_surrogate_lies_above_the_optimal_loss():
    cells, size = law(0), 3
    ratios = best(cells)
    surrogate = sum(cells[a][b] * math.log(1 + (size - 1) / ratios[a][b]) for a in range(3) for b in range(2))
    assert surrogate > loss(cells, ratios, size)


def test_the_witness_of_the_fair_bit_by_hand():
    # N = 3: the two negatives agree with c in 0, 1, 2 cases with chances 1/4, 1/2, 1/4
    by_hand = math.log(2) / 2 + math.log(3) / 4
    exact = lesson.loss_of(lesson.FAIR_BIT, lesson.density_ratio(lesson.FAIR_BIT), 3)
    assert float(exact) == pytest.approx(by_hand, rel=1e-15)
    assert by_hand < math.log(3) - 2 / 3 * math.log(2)


def test_without_the_positive_in_the_sum_the_shares_are_not_probabilities():
    i, k, N = lesson.i, lesson.k, lesson.N
    wrong = lesson.total(
        lesson.candidate[i] / lesson.total(lesson.Differ(k, i) * lesson.candidate[k], (k, N)), (i, N)
    )
    with pytest.raises(NotProved):
        derive(wrong, (SUMS, Integer(1)), facts=lesson.POSITIONS)


def test_a_larger_number_in_the_logarithm_is_not_proved():
    use = Use(
        lesson.joint[lesson.i, lesson.j] * lesson.others_law[lesson.m],
        lesson.N
        * lesson.score[lesson.i, lesson.j]
        / lesson.scores[lesson.i, lesson.j, lesson.m]
        * (lesson.joint_x[lesson.i] * lesson.joint_y[lesson.j] / lesson.joint[lesson.i, lesson.j]),
        lesson.OUTCOMES,
    )
    names, first = (*lesson.NAMES, lesson.LOSS), lesson.log(lesson.N + 1) - lesson.loss - lesson.information
    with pytest.raises(NotProved):
        bound(first, use, last=lesson.N * lesson.SHARE - 1, names=names, facts=lesson.FACTS)


def test_an_exchange_that_changes_the_denominator_is_refused():
    i, j, k = lesson.i, lesson.j, lesson.k
    law = lesson.joint_x[i] * lesson.joint_x[k] * lesson.joint_y[j]
    over = ((j, lesson.C), (k, lesson.X), (i, lesson.X))
    uneven = lesson.score[i, j] + 2 * lesson.score[k, j]  # two views of one image count twice
    first, other = (lesson.total(law * lesson.any_score[x, j] / uneven, *over) for x in (i, k))
    with pytest.raises(NotProved):
        derive(first, (SUMS, other), facts=lesson.FACTS)


def test_the_enumerated_share_is_one_in_n():
    assert lesson.mean_share(lesson.JOINT, lambda x, c: Fraction(1 + x, 2 + c), 3) == Fraction(1, 3)
