"""The judge on a user's own embeddings: two views of each thing, from a NumPy file.

The loss, the gradient's size and the similarities come from all rows. The witnesses are asked about the first
pairs, and say how many: 50 digits for thousands of rows would take days, and a gradient that is wrong is wrong
on a few pairs too.
"""

import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..losses import ALL, Loss
from . import finite_difference, identities, precision, symbolic
from .case import Case
from .identities.identity import float64, unit
from .judge import Hearing

PAIRS = {symbolic: 3, finite_difference: 64, identities: 128, precision: 3}


def load(path: Path) -> np.ndarray:
    """The rows of a .npy or .npz file, both views concatenated: one array of 2B rows, or two of B rows each.

    Raises ValueError with the rule that the file breaks.
    """
    try:
        with path.open("rb") as file:
            loaded = np.load(file, allow_pickle=False)
            views = [loaded] if isinstance(loaded, np.ndarray) else [loaded[name] for name in loaded.files]
    except FileNotFoundError:
        raise ValueError(f"{path}: no such file; give a .npy or .npz file of embeddings") from None
    except IsADirectoryError:
        raise ValueError(f"{path}: is a folder; give a .npy or .npz file of embeddings") from None
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        if "allow_pickle" in str(error):
            raise ValueError(
                f"{path}: no plain array of numbers, and pickled objects are never read; "
                "save it with numpy.save or numpy.savez"
            ) from None
        raise ValueError(f"{path}: cannot be read as .npy or .npz ({error})") from None
    if len(views) not in (1, 2):
        raise ValueError(
            f"{path}: one array of 2B rows or two of B rows each are wanted; it holds {len(views)} arrays"
        )
    if any(view.ndim != 2 for view in views):
        shapes = " and ".join(str(view.shape) for view in views)
        raise ValueError(f"{path}: embeddings have shape (rows, features); it holds {shapes}")
    if len({(view.shape, view.dtype) for view in views}) != 1:
        raise ValueError(
            f"{path}: the two views must have one shape and dtype; they are "
            + " and ".join(f"{view.shape} {view.dtype}" for view in views)
        )
    return np.concatenate(views)


class Summary(NamedTuple):
    """What the rows give: the loss in nats, the gradient's Euclidean norm, and mean cosine similarities."""

    loss: float
    gradient_norm: float
    positive_similarity: float
    negative_similarity: float


def rows_name(loss: Loss) -> str:
    """The argument of a loss over one batch of pairs."""
    if loss.batch is None:
        known = ", ".join(name for name, other in ALL.items() if other.batch)
        raise ValueError(f"--input judges a loss over one batch of pairs: {known}; got {loss.name}")
    return loss.batch


def case(loss: Loss, rows: np.ndarray, temperature: float, convert: Callable) -> Case:
    """The loss on all rows. A loss that calls its rows z takes unit rows: and is given them."""
    name = rows_name(loss)
    with np.errstate(all="ignore"):  # the library's own checks, before anything is computed
        ALL["ntxent"].forward(rows, temperature=temperature)
    largest = np.max(np.abs(rows), axis=1)
    if np.min(largest) < 1e-12 or np.max(largest) > 1e12:
        raise ValueError(
            "to take differences, the largest entry of each row must lie between 1e-12 and 1e12; "
            f"they go from {np.min(largest):.0e} to {np.max(largest):.0e}: scale the rows, which changes no cosine"
        )
    if name == "z":
        rows = ALL["ntxent"].forward(rows, temperature=temperature)[1].sphere.z
    label = f"{len(rows) // 2} pairs"
    return Case(loss, {name: rows, "temperature": temperature}, label, convert)


def hearings(case: Case) -> Iterator[Hearing]:
    """Every question that is asked about the rows."""
    name = rows_name(case.loss)
    rows = case.arguments[name]
    for witness, most in PAIRS.items():
        pairs = np.arange(min(most, len(rows) // 2))
        some = rows[np.concatenate([pairs, pairs + len(rows) // 2])]
        part = Case(case.loss, case.arguments | {name: some}, f"the first {len(pairs)} pairs", case.convert)
        yield Hearing(witness.WITNESS, witness.testify, part)


def summary(case: Case) -> Summary:
    """The figures of the whole file."""
    name = rows_name(case.loss)
    z = unit(*float64(case, name))
    half, rows = len(z) // 2, len(z)
    positive = float(np.mean(np.sum(z[:half] * z[half:], axis=1)))
    everything = float(np.sum(np.sum(z, axis=0) ** 2))  # Σ_ij s_ij
    negative = (everything - rows - rows * positive) / (rows * (rows - 2))
    return Summary(case.value(), float(np.linalg.norm(case.gradients()[name])), positive, negative)
