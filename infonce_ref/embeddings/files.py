"""Embeddings from files: .npy is mapped into memory and never read whole, .npz is read."""

import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .rows import Loaded

WANTED = "a .npy or .npz file: one array of 2B rows, or two arrays of B rows"
OTHER_FORMATS = {  # what to do about a file that NumPy does not read
    **dict.fromkeys(
        (".pt", ".pth", ".bin", ".ckpt"), 'numpy.save("x.npy", torch.load("{path}").float().cpu().numpy())'
    ),
    ".safetensors": 'numpy.savez("x.npz", **safetensors.numpy.load_file("{path}"))',
    ".csv": 'numpy.save("x.npy", numpy.loadtxt("{path}", delimiter=","))',
    ".tsv": 'numpy.save("x.npy", numpy.loadtxt("{path}", delimiter="\\t"))',
    ".txt": 'numpy.save("x.npy", numpy.loadtxt("{path}"))',
    ".parquet": 'numpy.save("x.npy", pandas.read_parquet("{path}").to_numpy())',
    ".feather": 'numpy.save("x.npy", pandas.read_feather("{path}").to_numpy())',
    **dict.fromkeys((".h5", ".hdf5"), 'numpy.save("x.npy", h5py.File("{path}")["NAME"][:])'),
    **dict.fromkeys((".pkl", ".pickle"), 'numpy.save("x.npy", numpy.asarray(pickle.load(open("{path}", "rb"))))'),
    ".mat": 'numpy.save("x.npy", scipy.io.loadmat("{path}")["NAME"])',
    ".json": 'numpy.save("x.npy", numpy.array(json.load(open("{path}"))))',
}  # fmt: skip


def load(paths: Sequence[Path], labels: Path | None = None) -> Loaded:
    """One or two arrays of rows from one or two files, and their labels: an array of one axis beside them, or in a
    file of its own.

    Raises ValueError with the rule that a file breaks, and what to do.
    """
    if len(paths) > 2:
        raise ValueError(f"{WANTED}, in one file or in two; got {len(paths)} files")
    arrays = {
        f"{path.stem}.{name}" if name and len(paths) > 1 else name or path.stem: array
        for path in paths
        for name, array in _arrays(path).items()
    }
    said = ", ".join(f"{name} {array.shape} {array.dtype}" for name, array in arrays.items())
    where = " and ".join(map(str, paths))
    rows = {name: array for name, array in arrays.items() if array.ndim == 2}
    marks = [array for array in arrays.values() if array.ndim == 1]
    if len(rows) not in (1, 2) or len(rows) + len(marks) < len(arrays):
        raise ValueError(
            f"{where}: wanted are one array (2B, features) or two (B, features), and labels (B,) or (2B,) if there "
            f"are any; it holds {said or 'nothing'}: save those alone, with numpy.savez"
        )
    if len(marks) + (labels is not None) > 1:
        raise ValueError(f"{where}: of labels one array is wanted; there are more: {said}")
    if labels is not None:
        found = list(_arrays(labels).values())
        if len(found) != 1 or found[0].ndim != 1:
            raise ValueError(
                f"--labels {labels}: one array of one axis is wanted, a label for each pair or for each row; "
                f"it holds {' and '.join(str(x.shape) for x in found) or 'nothing'}"
            )
        marks = found
    a, *b = rows.values()
    return Loaded(a, b[0] if b else None, marks[0] if marks else None, tuple(rows))


def _arrays(path: Path) -> dict[str, np.ndarray]:
    """What a file holds, by name; that of .npy has none."""
    todo = OTHER_FORMATS.get(path.suffix.lower())
    if todo and path.is_file():
        raise ValueError(f"{path}: {path.suffix} is not read here; convert it once: {todo.format(path=path)}")
    try:
        with path.open("rb") as file:
            if file.read(2) == b"PK":  # a zip file, which .npz is
                file.seek(0)
                with np.load(file, allow_pickle=False) as loaded:
                    return {name: loaded[name] for name in loaded.files}
        return {"": np.load(path, mmap_mode="r", allow_pickle=False)}
    except FileNotFoundError:
        raise ValueError(f"{path}: no such file; give {WANTED}") from None
    except IsADirectoryError:
        raise ValueError(f"{path}: is a folder; give {WANTED}") from None
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        if "allow_pickle" in str(error) or "Python objects" in str(error):
            raise ValueError(
                f"{path}: no plain array of numbers, and pickled objects are never read; "
                "save it with numpy.save or numpy.savez"
            ) from None
        raise ValueError(f"{path}: cannot be read as .npy or .npz ({error}); give {WANTED}") from None
