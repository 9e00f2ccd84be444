"""The bound by the loss with several positives, by independently written enumeration."""

import itertools
import math

import pytest

from infonce_ref.derivations.theory import several_positives_bound as lesson

RIGHT, COUNT = 0.75, 6  # a fair bit that a positive shows with this probability; the number of candidates


def within(positives, score):
    """log N − 𝓛ⁱⁿ averaged over every list of bits, where the context is 1 and its positives come first."""
    value = 0.0
    for bits in itertools.product((0, 1), repeat=COUNT):
        chance = math.prod(
            (RIGHT if bit else 1 - RIGHT) if a < positives else 0.5 for a, bit in enumerate(bits)
        )
        scores = [score[bit] for bit in bits]
        value += chance * math.log(COUNT * sum(scores[:positives]) / (positives * sum(scores)))
    return value


def test_the_counterexample_is_this_enumeration():
    value, _ = lesson.noisy_channel(lesson.Rate(3, 4), 2, COUNT, 2)
    assert float(value.mid) == pytest.approx(within(2, (0.5, 1.5)), rel=1e-12, abs=0)
