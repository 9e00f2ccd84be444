"""Two views of B items: the raw arrays, and the unit rows computed from them."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import sphere
from ..checks import check_choice
from ..pairs import Layout, check_some_negative, count_pairs

BLOCK = 4096  # pairs read at a time
FLOATS = {"float16": np.float32, "float32": np.float32, "float64": np.float64}


class Loaded(NamedTuple):
    """The first array · the second, or None · labels, or None · the names of the arrays."""

    a: Any
    b: Any
    labels: Any
    names: tuple[str, ...]


class Views(NamedTuple):
    """first, second: the two views (B, d), row k of each shows the same thing, possibly memory-mapped · labels: an
    integer for each row, row k of view v at 2k + v, or None · classes: what these integers stand for · names:
    of the one or two arrays · layout: of a single array."""

    first: np.ndarray
    second: np.ndarray
    labels: np.ndarray | None
    classes: Sequence[Any]
    names: tuple[str, ...]
    layout: Layout

    @property
    def dtype(self) -> np.dtype:
        """Return the dtype in which to compute with both."""
        return np.result_type(*(FLOATS[str(x.dtype)] for x in (self.first, self.second)))

    @property
    def pairs(self) -> int:
        return self.first.shape[0]

    def place(self, row: int) -> int:
        """Return the index of row 2k + v (row k of view v) in a single array, or in both concatenated."""
        pair, view = divmod(int(row), 2)
        return 2 * pair + view if self.layout == "interleaved" else pair + view * self.pairs

    def called(self, row: int) -> str:
        """Return the user's name for the row."""
        if len(self.names) == 1:
            return str(self.place(row))
        return f"{self.names[row % 2]}[{row // 2}]"


def views(loaded: Loaded, layout: Layout = "concatenated") -> Views:
    """Return the two views in two arrays of B rows or one of 2B.

    Raises ValueError for another shape or dtype, fewer than two pairs, or labels of another length.
    """
    a, b, labels, names = loaded
    check_choice("layout", layout, ("concatenated", "interleaved"))
    given = [_array(name, x) for name, x in zip(names, (a,) if b is None else (a, b))]
    if b is None and given[0].ndim == 3:
        shape = given[0].shape
        if 2 not in shape[:2]:
            raise ValueError(
                f"{names[0]} must have shape (2B, features), (2, B, features) or (B, 2, features); got "
                f"{shape}: flatten each row with reshape(len(x), -1)"
            )
        layout = "interleaved" if shape[1] == 2 else "concatenated"
        given = [given[0].reshape(-1, shape[2])]
    given = [x.reshape(len(x), -1) for x in given]
    if b is None:
        (rows,) = given
        count = count_pairs(names[0], len(rows))
        first, second = (rows[:count], rows[count:]) if layout == "concatenated" else (rows[::2], rows[1::2])
    else:
        first, second = given
        if layout != "concatenated":
            raise ValueError("layout applies to one array of 2B rows; got two arrays of B rows: omit it")
        if first.shape != second.shape:
            raise ValueError(
                f"row k of {names[0]} and row k of {names[1]} must be two views of one thing; their shapes are "
                f"{first.shape} and {second.shape}: give both the same shape"
            )
    check_some_negative(" and ".join(names), len(first), "its loss says nothing about it")
    marks, classes = _labels(labels, len(first), layout)
    return Views(first, second, marks, classes, names, layout)


def _array(name: str, x: Any) -> np.ndarray:
    """Return x as a NumPy array of rows of floating-point numbers. Integers become float64, bfloat16 float32."""
    x = x.float() if str(getattr(x, "dtype", "")) == "torch.bfloat16" else x
    x = x.numpy(force=True) if hasattr(x, "numpy") and not isinstance(x, np.ndarray) else np.asarray(x)
    x = x.astype(np.float64) if x.dtype.kind in "iu" else x
    if str(x.dtype) not in FLOATS:
        raise ValueError(
            f"{name} must be float16, float32 or float64; got {x.dtype}: convert it with astype('float32')"
        )
    if x.ndim < 2 or 0 in x.shape:
        raise ValueError(f"{name} must have shape (rows, features), both positive; got {x.shape}")
    return x


def _labels(labels: Any, pairs: int, layout: Layout) -> tuple[np.ndarray | None, Sequence[Any]]:
    if labels is None:
        return None, ()
    labels = np.asarray(labels)
    if labels.dtype.kind == "O" and all(isinstance(label, str) for label in labels.flat):
        labels = labels.astype(str)
    if labels.ndim != 1 or len(labels) not in (pairs, 2 * pairs):
        raise ValueError(
            f"labels must have shape ({pairs},), one for each pair, or ({2 * pairs},), one for each row; "
            f"got {labels.shape}"
        )
    whole = labels.dtype.kind == "f" and np.all(labels == np.floor(labels))
    if labels.dtype.kind not in "biuUS" and not whole:
        raise ValueError(f"labels must be whole numbers or words; got {labels.dtype}: convert or omit them")
    classes, marks = np.unique(labels, return_inverse=True)
    if len(marks) == pairs:
        marks = np.repeat(marks, 2)
    elif layout == "concatenated":
        marks = marks.reshape(2, pairs).T.reshape(-1)
    return marks.astype(np.int32), classes.tolist()


class Unit(NamedTuple):
    """z: unit rows (N, d), row k of view v at 2k + v · length: of the raw rows (N,) · labels (N,), or None ·
    rows: the index of each in the views."""

    z: np.ndarray
    length: np.ndarray
    labels: np.ndarray | None
    rows: np.ndarray

    @property
    def size(self) -> int:
        return self.z.shape[0]


def unit(views: Views, pairs: np.ndarray | None = None) -> Unit:
    """Return the unit rows of the pairs that `blocks` yields."""
    which = np.arange(views.pairs) if pairs is None else pairs
    z = np.empty((2 * len(which), views.first.shape[1]), dtype=views.dtype)
    length = np.empty(len(z))
    done = 0
    for some, both in blocks(views, pairs):
        here = slice(done, done + 2 * len(some))
        z[here], cache = sphere.forward(both.reshape(-1, z.shape[1]))
        length[here] = cache.norm[:, 0]
        done += 2 * len(some)
    rows = (2 * which[:, None] + [0, 1]).reshape(-1)
    return Unit(z, length, None if views.labels is None else views.labels[rows], rows)


def blocks(views: Views, pairs: np.ndarray | None = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the indices of some pairs, or of all, and their views (pairs, 2, d). float16 becomes float32.

    Raises ValueError for rows with NaN or infinity and for zero rows, with their indices.
    """
    which = np.arange(views.pairs) if pairs is None else pairs
    todo = "leave out these pairs, both views"
    if "float16" in (str(views.first.dtype), str(views.second.dtype)):
        todo = f"float16 overflows above 65504 and ends at 6e-08: save the encoder's output in float32, or {todo}"
    for k in range(0, len(which), BLOCK):
        some = which[k : k + BLOCK]
        # slicing a memory-mapped file reads it in one go
        place = slice(k, k + BLOCK) if pairs is None else some
        both = np.stack([np.asarray(x[place], views.dtype) for x in (views.first, views.second)], axis=1)
        refuse(views, some, ~np.isfinite(both).all(axis=2), "NaN or infinity, so no cosine is defined", todo)
        refuse(views, some, np.max(np.abs(both), axis=2) == 0, "only zeros, so they have no direction", todo)
        yield some, both


def refuse(views: Views, pairs: np.ndarray, wrong: np.ndarray, words: str, todo: str) -> None:
    """Raise ValueError, with some indices, if a row of these pairs is wrong: (pairs, 2), a column for each view."""
    rows = sorted((2 * pairs[:, None] + [0, 1])[wrong], key=views.place)
    if rows:
        shown = ", ".join(views.called(row) for row in rows[:5]) + (" …" if len(rows) > 5 else "")
        subject = f"row {shown} holds" if len(rows) == 1 else f"rows {shown} hold"
        raise ValueError(f"{subject} {words}; {todo}")
