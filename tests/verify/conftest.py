"""How a wrong gradient is put before the judge."""

from collections.abc import Callable

import pytest

from infonce_ref.losses import Loss
from infonce_ref.verify.case import Check
from infonce_ref.verify.judge import cells, hear, hearings, holds

POINTS = (
    "noise 1",
    "noise 1, temperature 0.5",
    "noise 0.001, weights constant",
    "noise 0.001, stop_gradient False",
)


def quick(loss: Loss, points: tuple[str, ...]) -> list[Check]:
    """The judge's own questions, at a few of the precision witness's points: the sweep belongs to the command."""
    return [
        check
        for hearing in hearings(loss, "float64")
        if hearing.witness != "precision" or hearing.case.label in points
        for check in hear(hearing)
    ]


@pytest.fixture
def assert_caught() -> Callable[..., None]:
    """The judge says no, and exactly the named witnesses object to the gradient of the named input."""

    def caught(loss: Loss, name: str, seen_by: set[str], points: tuple[str, ...] = POINTS) -> None:
        checks = quick(loss, points)
        found = cells(checks)[loss.name, name]
        assert {witness for witness, check in found.items() if not check.holds} == seen_by
        assert not holds(checks, [loss])

    return caught


@pytest.fixture
def assert_cleared() -> Callable[..., None]:
    """Every cell holds."""

    def cleared(loss: Loss, points: tuple[str, ...] = POINTS) -> None:
        checks = quick(loss, points)
        assert [check for check in checks if not check.holds] == []
        assert holds(checks, [loss])

    return cleared
