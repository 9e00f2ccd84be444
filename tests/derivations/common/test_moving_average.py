"""The weights of a moving average: the induction has a base case, and no other sum can be proved."""

from fractions import Fraction

import pytest

from infonce_ref.derivations.common.moving_average import after_updates
from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.derivations.prover.proof import SUMS, derive
from infonce_ref.derivations.prover.sums import NotProved
from infonce_ref.derivations.symbols import rate


def test_the_weights_sum_to_one():
    """D3.41: an update multiplies their sum minus 1 by ζ, but not their sum minus 2."""
    step = CLAIMS["D3.41"].evidence()["weights"]
    first, last = (line.expression for line in step.lines)
    with pytest.raises(NotProved):
        derive(first - 1, (SUMS, last - rate), facts=step.facts)


def test_a_moving_average_of_a_constant_is_constant():
    assert after_updates(7, [7] * 5, Fraction(9, 10)) == 7
