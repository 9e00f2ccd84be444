"""The identities by themselves: they hold for right losses, check every input, and detect a small error."""

import inspect
import re

import numpy as np
import pytest

from infonce_ref.derivations.documents import PATTERN
from infonce_ref.floors import least
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


@pytest.mark.parametrize("loss", ALL)
def test_every_identity_of_a_file_is_listed(loss):
    file = file_of(loss)
    written = {
        name
        for name, x in vars(file).items()
        if inspect.isgeneratorfunction(x) and x.__module__ == file.__name__
    }
    assert written <= {identity.__name__ for identity in file.IDENTITIES}


PLANE = np.array([[1.0, 0.0], [-1.0, 0.0]])
REACHED = [
    ("ntxent", "within_its_range", {"w": np.tile(PLANE, (2, 1)), "temperature": 0.5}),
    ("infonce", "floor_of_log_two", {"z": np.tile(PLANE, (2, 1)), "temperature": 0.01}),
]


@pytest.mark.parametrize(("name", "identity", "arguments"), REACHED, ids=[bound for _, bound, _ in REACHED])
def test_a_bound_is_reached(name, identity, arguments):
    """A weaker bound would hold too, and so no case could show it."""
    loss = ALL[name]
    case = Case(loss, loss.example() | arguments, "")
    _, _, bound, _ = next(getattr(file_of(name), identity)(case))
    assert case.value() == pytest.approx(abs(bound), rel=1e-15, abs=0)


def test_the_floor_of_barlow_twins_is_the_least_value_that_is_known():
    """It is told for a loss of 0, which is below the floor; the floor is shown then."""
    loss = ALL["barlow_twins"]
    case = Case(
        loss._replace(forward=lambda **_: (0.0, None)), loss.example(rows=4, features=5) | {"weight": 0.3}, ""
    )
    ((_, shown, value, _),) = file_of("barlow_twins").above_its_floor(case)
    assert value == 0
    assert shown == pytest.approx(least("barlow_twins", pairs=4, features=5, weight=0.3).value, rel=1e-15)
