"""Scores of Dask arrays: one task for each pair of a row block and a column block, on as many machines as Dask has.

A task computes the scores of its two blocks tile by tile, as `tiles.py` does, and never holds more than one tile.
It returns three numbers per row, or its contributions to the gradients of both blocks. If the scores are symmetric,
only the blocks on and above the diagonal are computed. Sums and contributions are added as trees in a fixed order,
so the result is the same to the last bit for any number of workers, even if some are lost and Dask repeats their
work.
"""

import operator
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from itertools import accumulate, pairwise
from typing import Any

import dask
import dask.array as da

from ..arrays import Array
from ..isolation import ignore_float_errors
from . import tiles
from .classes import Part
from .sums import Logistic, Softmax, Sums

PARTS = 8  # number of parts that one task of a tree adds


class Scores(tiles.Scores):
    """S = A Bᵀ, as `tiles.Scores`, of Dask arrays, with the part's labels on this machine; each task cuts its own
    scores.
    """

    def tasks(self) -> Iterator[tuple[int, int, tiles.Scores]]:
        """Yield (i, j) and the scores of block i of the rows and block j of the columns; no columns if they are
        the rows.
        """
        a, b = split_blocks(self.rows), split_blocks(self.columns)
        of_rows, of_columns = block_slices(self.rows), block_slices(self.columns)
        labels = [
            [dask.delayed(label[rows]) for rows in cut]
            for label, cut in zip(self.part or (), (of_rows, of_columns))
        ]
        for i in range(len(a)):
            for j in range(i if self.symmetric else 0, len(b)):
                part = None
                if self.part:
                    if i != j and self.part.contains(of_rows[i], of_columns[j]) is False:
                        continue
                    part = Part(labels[0][i], labels[1][j], self.part.within)
                of_both = a[i], None if self.symmetric and i == j else b[j]
                excluded = self.excluded if i == j else None
                bounds = self.bound, self.no_shift
                yield i, j, tiles.Scores(*of_both, *bounds, excluded, self.even, part, self.tile)

    def reduce_tasks(
        self, task: Callable, add: Callable, sides: Sequence[int], *given: Any
    ) -> tuple[list[Any], ...]:
        """Add up the parts of each block, where each task contributes one to its block of every side, and leave the
        totals with the workers. add: of two parts · sides: 0 for rows, 1 for columns; only the rows if the scores
        are symmetric · given: what the tasks need of the blocks of rows and of columns.
        """
        own = self.rows, self.columns
        found: list[list[list[Any]]] = [[[] for _ in split_blocks(own[k])] for k in sides]
        if self.symmetric:
            found = found[:1] * len(sides)
        for i, j, scores in self.tasks():
            here = [(of_rows[i], of_columns[j]) for of_rows, of_columns in given]
            parts = dask.delayed(task, nout=len(sides))(scores, *here)
            for k, blocks, part in zip(sides, found, parts):
                if not (k and self.symmetric and i == j):
                    blocks[(i, j)[k]].append(part)
        wanted = found[:1] if self.symmetric else found
        return dask.persist(*([add_as_tree(add, parts) for parts in blocks] for blocks in wanted))

    def sums(self, *, of_columns: bool = True, shift: da.Array | None = None) -> tuple[Sums, ...]:
        """The first pass: see `tiles.Scores.sums`."""
        own = self.rows, self.columns
        sides = (0, 1)[: 1 + of_columns] if shift is None else (0, 0)
        given = split_like(self.rows, shift), split_like(self.columns, None)
        found = self.reduce_tasks(partial(sum_block, of_columns=of_columns), Sums.merge, sides, given)
        return tuple(
            Sums(*(join_blocks([part[k] for part in parts], own[side], ()) for k in range(3)))
            for parts, side in zip(found, sides)
        )

    def products(
        self,
        rows: Softmax | Logistic,
        columns: Softmax | None = None,
        factors: tuple[da.Array, da.Array] | None = None,
    ) -> tuple[da.Array, da.Array]:
        """The second pass: see `tiles.Scores.products`. Raises ValueError if Dask has lost the rows."""
        own = self.rows, self.columns
        check_kept(*own)
        given = [
            [split_like(x, each) for x, each in zip(own, both)]
            for both in ((rows, columns), factors or (None, None))
        ]
        found = self.reduce_tasks(multiply_block, operator.add, (0, 1), *given)
        both = [join_blocks(parts, x, y.shape[1:]) for parts, x, y in zip(found, own, factors or own)]
        return both[0], both[-1]


def leave_with_workers(
    rows: da.Array, columns: da.Array, same_blocks: bool, progress: tiles.Progress | None
) -> tuple[da.Array, da.Array]:
    """Compute the blocks of rows and columns, and leave them with the workers. same_blocks: whether the columns get
    the blocks of the rows.

    Raises ValueError for a progress callback, which other machines could not call.
    """
    if progress is not None:
        raise ValueError(
            "progress is not called for Dask arrays: drop it, and open the dashboard of dask.distributed"
        )
    if columns is rows:
        (rows,) = dask.persist(rows.rechunk({1: -1}))
        return rows, rows
    cuts = rows.chunks[0] if same_blocks else columns.chunks[0]
    return dask.persist(rows.rechunk({1: -1}), columns.rechunk((cuts, -1)))


# --- the tasks -------------------------------------------------------------------------------------------


def cut_block(scores: tiles.Scores) -> tiles.Scores:
    a = align(scores.rows)
    return scores._replace(rows=a, columns=a if scores.columns is None else align(scores.columns)).cut()


def align(x: Array) -> Array:
    """Copy a block that is not aligned in memory: alignment changes the last bits of NumPy's products."""
    return x if getattr(x.flags, "aligned", True) else x.copy()  # CuPy's arrays are always aligned


@ignore_float_errors()
def sum_block(scores: tiles.Scores, shift: Any, *, of_columns: bool) -> tuple[Sums, ...]:
    return cut_block(scores).sums(of_columns=of_columns, shift=shift[0])


@ignore_float_errors()
def multiply_block(scores: tiles.Scores, weights: Any, factors: Any) -> tuple[Array, Array]:
    (rows, columns), (a, b) = weights, factors
    return cut_block(scores).products(rows, columns, None if a is None else (align(a), align(b)))


@ignore_float_errors()
def add_parts(add: Callable, parts: Sequence[Any]) -> Any:
    return reduce(add, parts)


# --- Dask arrays and their blocks ------------------------------------------------------------------------


def check_kept(*arrays: da.Array) -> None:
    """Raise ValueError if the scheduler has lost these arrays; computing them would raise CancelledError."""
    distributed = sys.modules.get("distributed")
    if distributed and any(future.cancelled() for future in distributed.futures_of(arrays)):
        raise ValueError(
            "backward needs the rows that forward left with Dask's workers; their scheduler was restarted or its "
            "client closed since, and they are gone: call forward again"
        )


def split_blocks(x: da.Array) -> list[Any]:
    """Return the blocks of rows; each is computed where it is needed."""
    return x.to_delayed().ravel().tolist()


def split_like(x: da.Array, given: Any) -> list[Any]:
    """The rows of an array, or of each of a NamedTuple of arrays, for each block of x; None for each if there are
    none.
    """
    if given is None:
        return [None] * x.numblocks[0]
    if isinstance(given, tuple):
        return [type(given)(*parts) for parts in zip(*(split_like(x, each) for each in given))]
    return split_blocks(given.rechunk((x.chunks[0], *given.shape[1:])))


def block_slices(x: da.Array) -> list[slice]:
    """The slice of rows of each block."""
    ends = [0, *accumulate(x.chunks[0])]
    return [slice(start, end) for start, end in pairwise(ends)]


def join_blocks(parts: list[Any], x: da.Array, shape: tuple[int, ...]) -> da.Array:
    """Join blocks whose sizes are those of x's row blocks."""
    shares = [da.from_delayed(part, (n, *shape), dtype=x.dtype) for part, n in zip(parts, x.chunks[0])]
    return da.concatenate(shares)


def add_as_tree(add: Callable, parts: list[Any]) -> Any:
    """Add up the parts, PARTS at a time."""
    while len(parts) > 1:
        groups = [parts[k : k + PARTS] for k in range(0, len(parts), PARTS)]
        parts = [dask.delayed(add_parts)(add, group) if len(group) > 1 else group[0] for group in groups]
    return parts[0]
