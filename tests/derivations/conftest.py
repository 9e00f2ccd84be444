"""What the tests of the proofs share: each claim settled once, and its proofs kept from one run to the next."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import proof_cache
import pytest

from infonce_ref import derivations
from infonce_ref.derivations.ledger import CLAIMS, Settled, settle
from infonce_ref.derivations.prover import memory


@pytest.fixture(scope="session")
def settled(request: pytest.FixtureRequest) -> Callable[[str], Settled]:
    """A claim by its id, with its evidence; fails where it does not stand.

    Its proofs come from pytest's cache if nothing that they depend on has changed. With `-p no:cacheprovider`
    everything is proved anew; .ci/run begins with an empty cache.
    """
    kept = getattr(request.config, "cache", None)
    folder = kept.mkdir(f"proofs-{proof_cache.digest(Path(derivations.__path__[0]))}") if kept else None

    @cache
    def found(id: str) -> Settled:
        path = folder / f"{id}.pickle" if folder else None
        memory.KNOWN.update(known := proof_cache.read(path) if path else {})
        before = set(memory.KNOWN)
        entry = settle(CLAIMS[id])
        assert entry.stands, f"{id}: {entry.failure}"
        if path and (new := {key: memory.KNOWN[key] for key in memory.KNOWN.keys() - before}):
            proof_cache.write(path, known | new)
        return entry

    return found
