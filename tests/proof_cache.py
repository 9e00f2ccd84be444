"""Keep proofs from one run of pytest to the next, in files that are read only if nothing has changed."""

import hashlib
import os
import pickle
import sys
from importlib.metadata import version
from pathlib import Path

DEPENDENCIES = ("sympy", "mpmath", "python-flint")
ABOVE = ("kernel", "pages")  # folders that no proof imports; tests/test_walls.py checks this


def digest(folder: Path) -> str:
    """Return a digest of everything that a proof depends on: the files of a folder, Python, and the
    DEPENDENCIES.
    """
    found = hashlib.sha256(sys.version.encode())
    for name in DEPENDENCIES:
        found.update(f"{name} {version(name)}".encode())
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(folder)
        if place.parts[0] not in ABOVE:
            found.update(f"{place} {hashlib.sha256(path.read_bytes()).hexdigest()}".encode())
    return found.hexdigest()


def read(path: Path) -> dict:
    """Return the proofs in a file; none if it is missing or was changed."""
    try:
        own, proofs = path.read_bytes().split(b"\n", 1)
        return pickle.loads(proofs) if hashlib.sha256(proofs).hexdigest().encode() == own else {}
    except (OSError, ValueError):
        return {}


def write(path: Path, proofs: dict) -> None:
    """Write a file in one step, because two processes may write it at the same time."""
    pickled = pickle.dumps(proofs)
    own = path.with_suffix(f".{os.getpid()}")
    own.write_bytes(hashlib.sha256(pickled).hexdigest().encode() + b"\n" + pickled)
    own.replace(path)
