"""What the tests of the proofs share: each claim settled once in a process."""

from collections.abc import Callable
from functools import cache

import pytest

from infonce_ref.derivations.ledger import CLAIMS, Settled, settle


@cache
def _settled(id: str) -> Settled:
    entry = settle(CLAIMS[id])
    assert entry.stands, f"{id}: {entry.failure}"
    return entry


@pytest.fixture(scope="session")
def settled() -> Callable[[str], Settled]:
    """A claim by its id, with its evidence; fails where it does not stand."""
    return _settled
