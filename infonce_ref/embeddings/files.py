"""Embeddings from files: .npy is memory-mapped, .npz is read."""

import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .rows import Loaded

WANTED = "a .npy or .npz file: one array of 2B rows, or two arrays of B rows"
OTHER_FORMATS = {  # how to convert a file that NumPy does not read
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
    """Load one or two arrays of rows from one or two files, with labels from the same files or from their own.

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
    rows = {name: array for name, array in arrays.items() if array.ndim >= 2}
    marks = [array for array in arrays.values() if array.ndim == 1]
    if len(rows) not in (1, 2) or len(rows) + len(marks) < len(arrays):
        raise ValueError(
            f"{where}: expected one array (2B, features) or two (B, features), and optionally labels (B,) "
            f"or (2B,); found {said or 'nothing'}: save only those, with numpy.savez"
        )
    if len(marks) + (labels is not None) > 1:
        raise ValueError(f"{where}: expected one array of labels; found more: {said}")
    if labels is not None:
        written = labels.suffix == ".txt" and labels.is_file()
        found = [_read_lines(labels)] if written else list(_arrays(labels).values())
        if len(found) != 1 or found[0].ndim != 1:
            raise ValueError(
                f"--labels {labels}: expected one 1-d array, a label for each pair or for each row; "
                f"found {' and '.join(str(x.shape) for x in found) or 'nothing'}"
            )
        marks = found
    a, *b = rows.values()
    return Loaded(a, b[0] if b else None, marks[0] if marks else None, tuple(rows))


def _read_lines(labels: Path) -> np.ndarray:
    """Read the lines of a text; a mark of the byte order, which some editors write, belongs to none."""
    try:
        return np.array(labels.read_text(encoding="utf-8-sig").splitlines())
    except UnicodeDecodeError as error:
        raise ValueError(
            f"--labels {labels}: expected text in UTF-8; byte {error.start} is not: save it in UTF-8"
        ) from None


def _arrays(path: Path) -> dict[str, np.ndarray]:
    """Read the arrays of a file by name; the array of a .npy file has the name ''."""
    todo = OTHER_FORMATS.get(path.suffix.lower())
    if todo and path.is_file():
        raise ValueError(
            f"{path}: {path.suffix} files are not supported; convert it once: {todo.format(path=path)}"
        )
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
                f"{path}: not a plain array of numbers, and pickled objects are never loaded; "
                "save it with numpy.save or numpy.savez"
            ) from None
        raise ValueError(f"{path}: cannot be read as .npy or .npz ({error}); give {WANTED}") from None
