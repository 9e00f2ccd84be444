"""Embeddings from files: .npy is memory-mapped, .npz is read."""

import csv
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .rows import Loaded

WANTED = "a .npy or .npz file: one array of 2B rows, or two arrays of B rows"
# lines of Python that convert a file which NumPy does not read; PATH and NEW stand for the two paths
TENSORS = """import numpy, torch; x = torch.load(PATH, map_location="cpu"); \
x = x if isinstance(x, dict) else dict(enumerate(x if isinstance(x, (list, tuple)) else [x])); \
numpy.savez(NEW, **{f"{k}": (v.float() if v.dtype == torch.bfloat16 else v).numpy(force=True) \
for k, v in x.items() if torch.is_tensor(v)})"""
OBJECT = """import numpy, json, pathlib; x = json.loads(pathlib.Path(PATH).read_bytes()); \
numpy.savez(NEW, **(x if isinstance(x, dict) else dict(x=x)))"""
NAMED = "numpy.savez(NEW, **{{k: v[:].squeeze() for k, v in {}.items() if hasattr(v, 'shape')}})"
FRAME = 'numpy.savez(NEW, x=pandas.read_{}(PATH).select_dtypes("number").to_numpy())'
OTHER_FORMATS = {
    **dict.fromkeys((".pt", ".pth", ".bin", ".ckpt"), TENSORS),
    ".safetensors": "import numpy, safetensors.numpy; numpy.savez(NEW, **safetensors.numpy.load_file(PATH))",
    **{f".{name}": f"import numpy, pandas; {FRAME.format(name)}" for name in ("parquet", "feather")},
    **dict.fromkeys((".h5", ".hdf5"), f"import numpy, h5py; {NAMED.format('h5py.File(PATH)')}"),
    **dict.fromkeys((".pkl", ".pickle"), OBJECT.replace("json", "pickle")),
    ".mat": f"import numpy, scipy.io; {NAMED.format('scipy.io.loadmat(PATH)')}",
    ".json": OBJECT,
}
NUMBER = r"(?i)\s*([+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?inf|nan)?\s*"


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
    rows = {name: array for name, array in arrays.items() if array.ndim >= 2}
    if labels is not None:
        own = {"": _read_lines(labels)} if labels.suffix == ".txt" and labels.is_file() else _arrays(labels)
        arrays |= {f"--labels {name or labels.name}": array for name, array in own.items()}
    marks = [array for name, array in arrays.items() if name not in rows]
    if len(rows) not in (1, 2) or len(marks) > 1 or any(array.ndim != 1 for array in marks):
        each = [f"{name} {array.shape} {array.dtype}" for name, array in arrays.items()]
        said = ", ".join(each[:8]) + (f" and {len(each) - 8} more" if each[8:] else "")
        raise ValueError(
            f"{' and '.join(map(str, paths))}: expected one array (2B, features) or two (B, features), and at most "
            f"one of labels (B,) or (2B,); found {said or 'nothing'}: save only those, with numpy.savez"
        )
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


def _convert_table(path: Path) -> str:
    """Return Python that reads the numbers of a table, as its first two lines show them: no line of headings, no
    column of words, and none that lacks a heading, as a saved index does.
    """
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        lines = [file.readline().strip("#\r\n") for _ in range(2)]
    cut = next((mark for mark in "\t;," if mark in lines[0]), None)
    heads, cells = (next(csv.reader([line], delimiter=cut)) if cut else line.split() for line in lines)
    cells = cells or heads
    heads = [""] * (len(cells) - len(heads)) + heads
    # a missing number counts as one, and loadtxt will complain
    numbers = [k for k, cell in enumerate(cells) if re.fullmatch(NUMBER, cell)]
    headed = not all(re.fullmatch(NUMBER, heads[k]) for k in numbers)
    taken = [k for k in numbers if heads[k] or not headed]
    if not taken:
        raise ValueError(f"{path}: no number in the second line; give {WANTED}")
    left_out = [k for k in range(len(cells)) if k not in taken]
    which = f", usecols=[k for k in range({len(cells)}) if k not in {left_out}]" if left_out else ""
    named = f"  # columns {heads[taken[0]]} … {heads[taken[-1]]}" if headed else ""
    return (
        f"import numpy; numpy.savez(NEW, x=numpy.loadtxt(PATH, delimiter={cut!r}, quotechar='\"', "
        f'encoding="utf-8-sig", skiprows={headed:d}{which})){named}'
    )


def _arrays(path: Path) -> dict[str, np.ndarray]:
    """Read the arrays of a file by name; the array of a .npy file has the name ''."""
    form = path.suffix.lower()
    if form in (*OTHER_FORMATS, ".csv", ".tsv", ".txt") and path.is_file():
        line = OTHER_FORMATS.get(form) or _convert_table(path)
        line = line.replace("PATH", repr(str(path))).replace("NEW", repr(str(path.with_suffix(".npz"))))
        raise ValueError(f"{path}: {path.suffix} files are not supported; convert it once: {line}")
    try:
        with path.open("rb") as file:  # which NumPy would leave open if it is a damaged .npz
            if file.read(2) == b"PK":
                file.seek(0)
                return dict(np.load(file, allow_pickle=False))
        return {"": np.load(path, mmap_mode="r", allow_pickle=False)}
    except (FileNotFoundError, IsADirectoryError) as error:
        raise ValueError(f"{path}: {error.strerror}; give {WANTED}") from None
    except Exception as error:  # a damaged file makes NumPy raise almost anything
        pickled = "pickle" in str(error) or "Python objects" in str(error)
        why = "no plain array of numbers, and pickled objects are never loaded" if pickled else error
        raise ValueError(f"{path}: cannot be read as .npy or .npz ({why}); give {WANTED}") from None
