"""Fixtures for tests of the proofs: each claim is settled once."""

from collections.abc import Callable
from functools import cache

import pytest

from infonce_ref.derivations import record
from infonce_ref.derivations.ledger import CLAIMS, CheckedClaim
from infonce_ref.derivations.pages import claim_card


@pytest.fixture(scope="session")
def settled() -> Callable[[str], CheckedClaim]:
    """Return the claim with this id and its evidence; fail if it does not hold. `ledger --prove` proves what is
    recorded anew."""
    known = record.read()

    @cache
    def found(id: str) -> CheckedClaim:
        entry = claim_card.settle(CLAIMS[id], known.get(id))
        assert entry.stands, f"{id}: {entry.failure}"
        return entry

    return found
