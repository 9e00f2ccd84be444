"""Fixtures for tests of the proofs: each claim is settled once."""

from collections.abc import Callable
from functools import cache

import pytest

from infonce_ref.derivations.ledger import CLAIMS, CheckedClaim, check_claim


@pytest.fixture(scope="session")
def settled() -> Callable[[str], CheckedClaim]:
    """Return the claim with this id and its evidence; fail if it does not hold."""

    @cache
    def found(id: str) -> CheckedClaim:
        entry = check_claim(CLAIMS[id])
        assert entry.stands, f"{id}: {entry.failure}"
        return entry

    return found
