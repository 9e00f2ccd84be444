"""The identities by themselves: they hold for right losses, check every input, and detect a small error."""

import re

import numpy as np
import pytest

from infonce_ref.derivations.documents import PATTERN
from infonce_ref.information import ESTIMATORS
from infonce_ref.losses import ALL
from infonce_ref.verify import drawn, identities, judge
from infonce_ref.verify.case import Case
from infonce_ref.verify.identities.identity import file_of


@pytest.mark.parametrize("loss", ALL.values(), ids=ALL)
def test_an_error_of_a_millionth_in_one_entry_is_detected(loss):
    for name in loss.differentiable:

        def nudged(cache, upstream=1.0, name=name):
            gradients = loss.backward(cache, upstream)
            wrong = np.array(getattr(gradients, name))
            wrong.flat[-1] += 1e-6
            return gradients._replace(**{name: wrong})

        case = Case.of(loss._replace(backward=nudged), loss.example(), "", "float64")
        assert not all(check.holds for check in identities.testify(case) if check.input == name), name


@pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=ESTIMATORS)
def test_the_identities_of_an_estimator_hold_at_every_drawn_case(estimator):
    """Laws with nearly empty cells are among them."""
    for case in drawn.cases(estimator, "float64", judge.SEED):
        assert [check for check in identities.testify(case) if not check.holds] == []


@pytest.mark.parametrize("loss", ALL)
def test_every_identity_begins_with_its_claims(loss):
    for identity in identities.list_all(loss):
        claims, colon, _ = identity.__doc__.partition(":")
        assert colon
        for claim in claims.split(", "):
            assert claim == "The contract" or re.fullmatch(PATTERN, claim)


JUDGED = {loss.name: loss for loss in (*ALL.values(), *ESTIMATORS.values())}


POLES = np.tile([[1.0, 0.0], [-1.0, 0.0]], (2, 1))  # each positive is at its anchor, each negative opposite
NO_CORRECTION = {"beta": 0.0, "prior": 0.0}
REACHED = [
    ("ntxent", "within_its_range", {"w": POLES, "temperature": 0.5}, abs),
    ("dcl", "within_its_range", {"w": POLES, "temperature": 0.5}, lambda value: abs(value - np.log(2))),
    ("hard_negative", "no_lower_than_its_floor", {"w": POLES, "temperature": 0.5, **NO_CORRECTION}, abs),
    ("infonce", "floor_of_log_two", {"z": POLES, "temperature": 0.01}, abs),
    (
        "soft_targets",
        "at_least_the_entropy",
        {"scores": np.zeros((3, 2)), "targets": np.full((3, 2), 0.5)},
        abs,
    ),
    ("information.infonce", "at_most_log_n", {"scores": 100 * np.eye(3)}, abs),
]


@pytest.mark.parametrize(
    ("name", "identity", "arguments", "measure"), REACHED, ids=[f"{x[0]} {x[1]}" for x in REACHED]
)
def test_a_bound_is_reached(name, identity, arguments, measure):
    """A weaker bound would hold too, and so no case could show it. The identity of a loss of 0 shows the bound."""
    loss = JUDGED[name]
    reached = measure(Case(loss, loss.example() | arguments, "").value())
    nothing = loss._replace(forward=lambda **_: (0.0, None))
    _, *sides, _ = next(getattr(file_of(name), identity)(Case(nothing, loss.example() | arguments, "")))
    assert any(abs(side) == pytest.approx(reached, rel=1e-15, abs=0) for side in sides)
