"""SupCon's two losses in floating point, with their floor, and false negatives."""

import math
import random

import pytest


def losses(logits, positives):
    """(mean outside the logarithm, mean within)."""
    weights = [math.exp(x) for x in logits]
    shares = [weights[a] / sum(weights) for a in positives]
    return -sum(map(math.log, shares)) / len(shares), -math.log(sum(shares) / len(shares))


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_the_two_and_their_floor(seed):
    r = random.Random(seed)
    logits, positives = [r.gauss(0, 3) for _ in range(8)], range(1 + seed % 4)
    outside, within = losses(logits, positives)
    assert math.log(len(positives)) <= within <= outside + 1e-12  # a dozen roundings


def test_a_positive_is_repelled_where_its_share_is_above_the_inverse_of_their_number():
    logits, step = [2.0, 0.0, -1.0], 1e-6  # errs by step² and eps/step: 10⁻¹⁰

    def slope(at, which):
        up, down = list(logits), list(logits)
        up[at], down[at] = up[at] + step, down[at] - step
        return (losses(up, (0, 1))[which] - losses(down, (0, 1))[which]) / (2 * step)

    share = math.exp(2) / sum(map(math.exp, logits))
    assert slope(0, 0) == pytest.approx(share - 1 / 2, abs=1e-9)
    assert slope(0, 0) > 0 > slope(0, 1)


@pytest.mark.parametrize("seed", range(4))
def test_an_encoder_that_cannot_know_the_marked_one_stays_above_log_1_plus_k(seed):
    r = random.Random(seed)
    same_class, others = [r.gauss(2, 1) for _ in range(4)], [r.gauss(0, 1) for _ in range(5)]
    outside, _ = losses([*same_class, *others], range(4))  # the mean over which of the four is marked
    assert outside >= math.log(4)
