"""Tests of the statement of every loss."""

import pytest

from infonce_ref.derivations.losses import NAMES, list_statements
from infonce_ref.losses import ALL

STATEMENTS = list_statements()


def test_every_loss_has_a_statement():
    assert set(NAMES) == set(ALL)


GRADIENTS = [(loss, name) for loss, statement in STATEMENTS.items() for name in statement.gradients]


@pytest.mark.slow
@pytest.mark.parametrize(("loss", "name"), GRADIENTS)
def test_the_evaluated_gradient_is_the_proved_one(loss, name):
    gradient = STATEMENTS[loss].gradients[name]
    proof = gradient.prove()
    assert proof.lines[-1].expression == gradient.form
    assert set(proof.definitions) <= set(gradient.names)
