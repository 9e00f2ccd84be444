"""The weights of a moving average: the induction begins somewhere, and proves no other sum."""

from fractions import Fraction

import pytest
from sympy import Integer, Sum

from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.derivations.prover.proof import DEFINITION, Proof, derive
from infonce_ref.derivations.prover.sums import NotProved
from infonce_ref.derivations.symbols import share
from infonce_ref.derivations.theory.moving_average import after_updates


def test_the_weights_are_proved_from_their_start():
    """D3.41: the base case κ = 1 stands beside the step, and the hypothesis proves no other sum of weights."""
    proofs = [part for part in CLAIMS["D3.41"].evidence() if isinstance(part, Proof)]
    assert any(name.head == share and name.body == 1 for p in proofs for name in p.definitions)
    (step,) = (p for p in proofs if p.definitions and p.definitions[0].body.atoms(Sum))
    with pytest.raises(NotProved):
        derive(step.lines[0].expression, (DEFINITION, Integer(2)), names=step.definitions, facts=step.facts)


def test_a_moving_average_of_one_value_stays_there():
    assert after_updates(7, [7] * 5, Fraction(9, 10)) == 7
