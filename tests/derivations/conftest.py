"""Fixtures for tests of the proofs: each claim is settled once, or its recorded card is read."""

from collections.abc import Callable
from functools import cache

import pytest

from infonce_ref.derivations import record
from infonce_ref.derivations.ledger import CLAIMS, CheckedClaim, check_claim
from infonce_ref.derivations.record import ClaimCard


@pytest.fixture(scope="session")
def settled() -> Callable[[str], CheckedClaim]:
    """Prove the claim with this id and return it with its evidence; fail if it does not hold."""

    @cache
    def found(id: str) -> CheckedClaim:
        entry = check_claim(CLAIMS[id])
        assert entry.stands, f"{id}: {entry.failure}"
        return entry

    return found


@pytest.fixture(scope="session")
def find_card() -> Callable[[str], ClaimCard]:
    """Return the recorded card of the claim with this id, or prove the claim; `ledger --prove` proves all anew."""

    @cache
    def found(id: str) -> ClaimCard:
        made = record.settle([id])[id]
        assert made.stands, f"{id}: {made.failure}"
        return made

    return found
