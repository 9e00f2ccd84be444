"""The laws by themselves: they hold for right losses, check every input, and detect a small error."""

import re

import numpy as np
import pytest

from infonce_ref.derivations.documents import PATTERN
from infonce_ref.losses import ALL
from infonce_ref.verify import laws
from infonce_ref.verify.case import Case, list_registered
from infonce_ref.verify.contract import EVERY_LOSS, STREAMED
from infonce_ref.verify.definition import form_of


@pytest.mark.parametrize("loss", ALL.values(), ids=ALL)
def test_an_error_of_a_millionth_in_one_entry_is_detected(loss):
    for name in loss.differentiable:

        def nudged(cache, upstream=1.0, name=name):
            gradients = loss.backward(cache, upstream)
            wrong = np.array(getattr(gradients, name))
            wrong.flat[-1] += 1e-6
            return gradients._replace(**{name: wrong})

        case = Case.of(loss._replace(backward=nudged), loss.example(), "", "float64")
        assert not all(check.holds for check in laws.check(case) if check.input == name), name


JUDGED = list_registered()


@pytest.mark.parametrize("loss", JUDGED)
def test_every_law_begins_with_its_claims(loss):
    for identity in (*EVERY_LOSS, *STREAMED, *laws.list_laws(loss)):
        claims, colon, _ = identity.__doc__.partition(":")
        assert colon
        for claim in claims.split(", "):
            assert claim == "The contract" or re.fullmatch(PATTERN, claim)


def test_every_law_is_of_losses_that_exist():
    assert {name for losses, _ in laws.LAWS for name in losses.split()} <= JUDGED.keys()


POLES = np.tile([[1.0, 0.0], [-1.0, 0.0]], (2, 1))  # each positive is at its anchor, each negative opposite
REACHED = [
    ("ntxent", "M23", {"w": POLES, "temperature": 0.5}),
    ("dcl", "F1", {"w": POLES, "temperature": 0.5}),
    ("infonce", "M1", {"z": POLES, "temperature": 0.01}),
    ("soft_targets", "F4", {"scores": np.zeros((3, 2)), "targets": np.full((3, 2), 0.5)}),
    ("information.infonce", "P1", {"scores": 100 * np.eye(3)}),
]


@pytest.mark.parametrize(("name", "claim", "arguments"), REACHED, ids=[f"{x[0]} {x[1]}" for x in REACHED])
def test_a_bound_is_reached(name, claim, arguments):
    """A weaker bound would hold too, and so no case could show it."""
    loss = JUDGED[name]
    (bound,) = (each for each in laws.list_laws(name) if re.match(claim, each.__doc__))
    case = Case(loss, loss.example() | arguments, "")
    sides = [(left, right) for _, left, right, _ in bound(case, form_of(case))]
    assert any(abs(case.value()) == pytest.approx(abs(right), rel=1e-15, abs=0) for _, right in sides)
