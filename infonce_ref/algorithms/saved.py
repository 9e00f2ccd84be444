"""A run as a file: a line with the format, a line with the SHA-256 of the rest, and the arrays as .npz.

The file is written under a temporary name and then moved, so that the previous file stays intact until the new one
is complete. The checksum is read first: a damaged file is never parsed, and nothing in a file is executed.
"""

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from .. import output
from ..arrays import leaves, map_leaves
from . import ALL
from .train import Run, begin

FORMAT = b"infonce_ref run 1\n"


def save(path: Path, run: Run) -> None:
    """Write the run, replacing the file at that path."""
    header = {"algorithm": run.algorithm.name, "seed": run.seed, "options": run.options._asdict()}
    state: dict[str, Any] = {f"leaf{i}": leaf for i, leaf in enumerate(leaves(run.state))}
    arrays = io.BytesIO()
    np.savez(arrays, header=np.array(json.dumps(header)), losses=np.array(run.losses), **state)
    content = arrays.getvalue()
    output.replace(path, FORMAT + checksum(content) + content)


def load(path: Path) -> Run:
    """Load a run. Raises ValueError if the file is not a run, is damaged, or has another version."""
    refusal = ValueError(f"{path} is not a state file of this version, or it is damaged: train again")
    whole = path.read_bytes()
    start = len(FORMAT) + len(checksum(b""))
    content = whole[start:]
    if whole[:start] != FORMAT + checksum(content):
        raise refusal
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        header, losses = json.loads(str(arrays["header"])), tuple(arrays["losses"].tolist())
        state = [arrays[f"leaf{i}"] for i in range(len(arrays.files) - 2)]
    if header["algorithm"] not in ALL:
        raise refusal
    run = begin(ALL[header["algorithm"]], seed=header["seed"], **header["options"])
    if [leaf.shape for leaf in state] != [leaf.shape for leaf in leaves(run.state)]:
        raise refusal
    found = iter(state)
    return run._replace(state=map_leaves(lambda _: next(found), run.state), losses=losses)


def checksum(content: bytes) -> bytes:
    """Return the SHA-256 of the content as a line of text."""
    return hashlib.sha256(content).hexdigest().encode() + b"\n"
