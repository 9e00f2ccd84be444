"""What the tests of the proofs share: each claim settled once, and its proofs kept from one run to the next."""

import hashlib
import pickle
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest

from infonce_ref import derivations
from infonce_ref.derivations.ledger import CLAIMS, Settled, settle
from infonce_ref.derivations.prover import memory


@cache
def sources() -> str:
    """A digest of all that a proof depends on: the files of derivations/ and the versions of what they import."""
    digest = hashlib.sha256(sys.version.encode())
    for name in ("sympy", "mpmath", "python-flint"):
        digest.update(f"{name} {version(name)}".encode())
    folder = Path(derivations.__path__[0])
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder)} {hashlib.sha256(path.read_bytes()).hexdigest()}".encode())
    return digest.hexdigest()


def read(path: Path) -> dict:
    """The proofs in a file, none if it is missing or not as it was written."""
    try:
        digest, proofs = path.read_bytes().split(b"\n", 1)
        return pickle.loads(proofs) if hashlib.sha256(proofs).hexdigest().encode() == digest else {}
    except (OSError, ValueError):
        return {}


def write(path: Path, proofs: dict) -> None:
    pickled = pickle.dumps(proofs)
    own = path.with_suffix(f".{id(proofs)}")
    own.write_bytes(hashlib.sha256(pickled).hexdigest().encode() + b"\n" + pickled)
    own.replace(path)


@pytest.fixture(scope="session")
def settled(request: pytest.FixtureRequest) -> Callable[[str], Settled]:
    """A claim by its id, with its evidence; fails where it does not stand.

    Its proofs come from pytest's cache if nothing that they depend on has changed. `-p no:cacheprovider` proves
    everything anew; .ci/run begins with an empty cache.
    """
    kept = getattr(request.config, "cache", None)
    folder = kept.mkdir(f"proofs-{sources()}") if kept else None

    @cache
    def found(id: str) -> Settled:
        path = folder / f"{id}.pickle" if folder else None
        memory.KNOWN.update(known := read(path) if path else {})
        before = set(memory.KNOWN)
        entry = settle(CLAIMS[id])
        assert entry.stands, f"{id}: {entry.failure}"
        if path and (new := {key: memory.KNOWN[key] for key in memory.KNOWN.keys() - before}):
            write(path, known | new)
        return entry

    return found
