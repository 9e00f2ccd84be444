"""A run as a file: every array, the options, the losses, and a checksum over all of them.

The file is written beside its place and then moved there, so that what was saved before is whole until the new
one is. It is read as plain arrays; nothing in it is executed.
"""

import hashlib
import json
import os
import zipfile
import zlib
from pathlib import Path

import numpy as np

from . import ALL, tree
from .train import Run, begin

FORMAT = "infonce_ref run 1"


def save(path: Path, run: Run) -> None:
    """Write the run; what stood at that path is replaced."""
    header = {
        "format": FORMAT,
        "algorithm": run.algorithm.name,
        "seed": run.seed,
        "options": run.options._asdict(),
    }
    content = {f"leaf{i}": np.asarray(leaf) for i, leaf in enumerate(tree.leaves(run.state))}
    content |= {"header": np.array(json.dumps(header)), "losses": np.array(run.losses, dtype=np.float64)}
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            np.savez(file, checksum=np.array(checksum(content)), **content)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def load(path: Path) -> Run:
    """The run of that file. Raises ValueError if it is no such file, or damaged, or of another version."""
    refusal = ValueError(f"{path} is not a state file of this version, or it is damaged: train again")
    try:
        with np.load(path, allow_pickle=False) as file:
            content = dict(file)
        if str(content.pop("checksum")) != checksum(content):
            raise refusal
        header = json.loads(str(content.pop("header")))
        if header["format"] != FORMAT:
            raise refusal
        losses = tuple(content.pop("losses").tolist())
        run = begin(ALL[header["algorithm"]], seed=header["seed"], **header["options"])
    # a damaged archive fails in any of these ways, by where the damage is
    except (ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile, zlib.error):
        raise refusal from None
    expected = [(leaf.shape, leaf.dtype) for leaf in map(np.asarray, tree.leaves(run.state))]
    arrays = [content.get(f"leaf{i}", np.array(None)) for i in range(len(content))]
    if [(array.shape, array.dtype) for array in arrays] != expected:
        raise refusal
    return run._replace(state=tree.rebuilt(run.state, iter(arrays)), losses=losses)


def checksum(content: dict[str, np.ndarray]) -> str:
    """SHA-256 over names, dtypes, shapes and bytes."""
    digest = hashlib.sha256()
    for name in sorted(content):
        array = content[name]
        digest.update(f"{name} {array.dtype} {array.shape} ".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
