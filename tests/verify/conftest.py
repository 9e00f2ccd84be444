"""How a wrong gradient is put before the judge."""

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from infonce_ref.losses import Loss
from infonce_ref.verify.case import Check
from infonce_ref.verify.judge import cells, hearings, holds


def planted(module: ModuleType, fault: dict[str, Any]) -> Loss:
    """The loss with some entries exchanged, without variants unless it names them.

    A wrong backward pass takes the cache alone; upstream multiplies what it returns, as it should.
    """
    loss = module.LOSS._replace(**{"variants": ()} | fault)
    if "backward" not in fault:
        return loss

    def backward(cache: Any, upstream: float = 1.0) -> Any:
        gradients = fault["backward"](cache)
        return type(gradients)(*(upstream * x for x in gradients))

    return loss._replace(backward=backward)


def quick(loss: Loss, also: tuple[str, ...]) -> Iterator[Check]:
    """The judge's own questions, but 50 digits only once for each option: the sweep belongs to the command."""
    asked = set()
    for witness, testify, case in hearings(loss, "float64"):
        if witness == "precision":
            warm = case.label.split(",")[0] == "noise 1" and case.arguments.get("temperature", 0.5) == 0.5
            if case.label in asked or not (warm or case.label in also):
                continue
            asked.add(case.label)
        yield from testify(case)


@pytest.fixture
def assert_caught() -> Callable[..., None]:
    """The judge says no, and exactly the named witnesses object to the gradient of the named input."""

    def caught(
        module: ModuleType, fault: dict[str, Any], name: str, seen_by: set[str], also: tuple[str, ...] = ()
    ) -> None:
        loss = planted(module, fault)
        checks = list(quick(loss, also))
        found = cells(checks)[loss.name, name]
        assert {witness for witness, check in found.items() if not check.holds} == seen_by
        assert not holds(checks, [loss])

    return caught


@pytest.fixture
def assert_cleared() -> Callable[..., None]:
    """Planted in the same way, a right gradient stays right: every cell holds."""

    def cleared(module: ModuleType, fault: dict[str, Any], also: tuple[str, ...] = ()) -> None:
        loss = planted(module, fault)
        checks = list(quick(loss, also))
        assert [check for check in checks if not check.holds] == []
        assert holds(checks, [loss])

    return cleared
