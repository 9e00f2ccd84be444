"""Fixtures for tests of the proofs: each claim is settled once, and its proofs are cached for the next run."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path

import proof_cache
import pytest

from infonce_ref import derivations
from infonce_ref.derivations.ledger import CLAIMS, Settled, settle
from infonce_ref.derivations.prover import memory


@pytest.fixture(scope="session")
def kept(request: pytest.FixtureRequest) -> Callable[[str], AbstractContextManager]:
    """A context by a name: what is proved in it is kept for the next run.

    Proofs come from pytest's cache if nothing that they depend on has changed. With `-p no:cacheprovider`
    everything is proved anew; .ci/run begins with an empty cache.
    """
    found = getattr(request.config, "cache", None)
    folder = found.mkdir(f"proofs-{proof_cache.digest(Path(derivations.__path__[0]))}") if found else None

    @contextmanager
    def keeping(name: str) -> Iterator[None]:
        path = folder / f"{name}.pickle" if folder else None
        memory.KNOWN.update(known := proof_cache.read(path) if path else {})
        with memory.note() as added:
            yield
        if path and added:
            proof_cache.write(path, known | added)

    return keeping


@pytest.fixture(scope="session")
def settled(kept: Callable[[str], AbstractContextManager]) -> Callable[[str], Settled]:
    """Return the claim with this id and its evidence; fail if it does not hold."""

    @cache
    def found(id: str) -> Settled:
        with kept(id):
            entry = settle(CLAIMS[id])
        assert entry.stands, f"{id}: {entry.failure}"
        return entry

    return found
