"""Scores of Dask arrays: a block of rows against a block of columns a task, on as many machines as Dask has.

A task makes the scores of its two blocks tile by tile, as `tiles.py` does, and never holds more than one; what it
returns is three numbers a row, or the two blocks' shares of the gradient. Where the scores are symmetric, only the
blocks on and above the diagonal are made. Sums and shares are added up as trees, always in the same order: the
result is the same to the last bit however many workers there are, and if some are lost on the way, for Dask then
makes again what they held.
"""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import dask
import dask.array as da

from ..arrays import Array
from ..isolation import ignore_float_errors
from . import tiles
from .classes import Part

PARTS = 8  # how many a task of a tree adds up


class Scores(NamedTuple):
    """S = A Bᵀ, as `tiles.Scores`, but the rows and columns are Dask arrays. even: whether blocks and tiles have an
    even side · part: as there, its labels on this machine · tile: the side of a tile within a task, or None."""

    rows: da.Array
    columns: da.Array
    bound: float
    no_shift: bool
    excluded: Callable[[Array, int], Array] | None
    even: bool
    part: Part | None
    tile: int | None

    @property
    def symmetric(self) -> bool:
        return self.columns is self.rows

    def tasks(self) -> Iterator[tuple[int, int, tuple[Any, ...]]]:
        """(i, j), and from what the scores of block i of the rows and block j of the columns are made."""
        a, b = blocks(self.rows), blocks(self.columns)
        of_rows, of_columns = slices(self.rows), slices(self.columns)
        labels = [
            [dask.delayed(label[rows]) for rows in cut]
            for label, cut in zip(self.part or (), (of_rows, of_columns))
        ]
        for i in range(len(a)):
            for j in range(i if self.symmetric else 0, len(b)):
                part = None
                if self.part:
                    if i != j and self.part.has(of_rows[i], of_columns[j]) is False:
                        continue
                    part = Part(labels[0][i], labels[1][j], self.part.within)
                excluded = self.excluded if i == j else None
                both = a[i], None if self.symmetric and i == j else b[j]
                yield i, j, (*both, self.bound, self.no_shift, excluded, self.even, part, self.tile)

    def added_up(
        self, task: Callable, total: Callable, *softmax: Any, sides: int = 2
    ) -> tuple[list[Any], ...]:
        """total(parts) of each block of the rows and of the columns, a part from each task that met it: computed
        now, and left where it is. The rows' alone if sides is 1 or the scores are symmetric."""
        of_rows: list[list[Any]] = [[] for _ in blocks(self.rows)]
        of_columns = of_rows if self.symmetric else [[] for _ in blocks(self.columns)]
        for i, j, scores in self.tasks():
            here = [None if each is None else each[k] for each, k in zip(softmax, (i, j))]
            of_row, of_column = dask.delayed(task, nout=2)(scores, *here)
            of_rows[i].append(of_row)
            if sides == 2 and not (self.symmetric and i == j):
                of_columns[j].append(of_column)
        wanted = (of_rows,) if self.symmetric or sides == 1 else (of_rows, of_columns)
        return dask.persist(*([tree(total, parts) for parts in side] for side in wanted))

    def sums(self, *, of_columns: bool = True) -> tuple[tiles.Sums, ...]:
        """The first pass, as `tiles.Scores.sums`."""
        sides = self.added_up(partial(sums_of, of_columns=of_columns), merged, sides=1 + of_columns)
        return tuple(
            tiles.Sums(*(whole([part[k] for part in parts], x, ()) for k in range(3)))
            for parts, x in zip(sides, (self.rows, self.columns))
        )

    def products(
        self,
        rows: tiles.Softmax,
        columns: tiles.Softmax | None,
        factors: tuple[da.Array, da.Array] | None = None,
    ) -> tuple[da.Array, da.Array]:
        """The second pass, as `tiles.Scores.products`.

        Raises ValueError if Dask has forgotten the rows.
        """
        own = self.rows, self.columns
        remembered(*own)
        kept = [
            list(zip(blocks_as(x, softmax), blocks_as(x, factor)))
            for x, softmax, factor in zip(own, (rows, columns), zip(factors) if factors else (None, None))
        ]
        sides = self.added_up(products_of, added, *kept)
        both = [whole(parts, x, y.shape[1:]) for parts, x, y in zip(sides, own, factors or own)]
        return both[0], both[-1]


def plan(
    rows: da.Array,
    columns: da.Array,
    tile: int | None,
    progress: tiles.Progress | None,
    excluded: Callable[[Array, int], Array] | None,
    even: bool,
    part: Part | None,
) -> Scores:
    """The scores of rows and columns in the blocks that Dask cut them into, which are computed now and left where
    they are. Where something is excluded, the columns are cut as the rows are.

    Raises ValueError for a progress callback, which workers elsewhere could not call.
    """
    if progress is not None:
        raise ValueError(
            "progress is not called for Dask arrays: drop it, and open the dashboard of dask.distributed"
        )
    if columns is rows:
        rows = columns = held(rows.rechunk({1: -1}))[0]
    else:
        cuts = rows.chunks[0] if excluded else columns.chunks[0]
        rows, columns = held(rows.rechunk({1: -1}), columns.rechunk((cuts, -1)))
    return Scores(rows, columns, *tiles.bounded(rows, columns), excluded, even, part, tile)


# --- what a task does ------------------------------------------------------------------------------------


def scores_of(a: Array, b: Array | None, *how: Any) -> tiles.Scores:
    a = aligned(a)
    return tiles.cut(a, a if b is None else aligned(b), *how)


def aligned(x: Array) -> Array:
    """A block at an address that suits its numbers: one from another worker may begin at any byte, and NumPy then
    takes products of it in another way, with other last bits."""
    return x if getattr(x.flags, "aligned", True) else x.copy()  # CuPy's always are


@ignore_float_errors()
def sums_of(scores: tuple[Any, ...], *, of_columns: bool) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    """Shift, rounded and lost, of the rows and, if asked, of the columns."""
    sums = [(x.shift, x.rounded, x.lost) for x in scores_of(*scores).sums(of_columns=of_columns)]
    return sums[0], sums[-1]


@ignore_float_errors()
def products_of(scores: tuple[Any, ...], rows: Any, columns: Any) -> tuple[Array, Array]:
    """W B and Wᵀ A, from what is kept of the softmax of either side; `factors` in place of A and B if given."""
    softmax, factors = zip(rows, columns)
    of_rows, of_columns = (kept and tiles.Softmax(*kept) for kept in softmax)
    others = None if factors[0] is None else tuple(aligned(factor) for (factor,) in factors)
    return scores_of(*scores).products(of_rows, of_columns, others)


@ignore_float_errors()
def merged(parts: list[tuple[Array, ...]]) -> tuple[Array, ...]:
    first, *others = (tiles.Sums(*(x.copy() for x in part)) for part in parts)
    for other in others:
        first.merge(other)
    return first.shift, first.rounded, first.lost


def added(parts: list[Array]) -> Array:
    return sum(parts[1:], parts[0])


# --- Dask arrays and their blocks ------------------------------------------------------------------------


def held(*arrays: da.Array) -> tuple[da.Array, ...]:
    """Computed now, and left where they are."""
    return dask.persist(*arrays)


def remembered(*arrays: da.Array) -> None:
    """Raise ValueError if the scheduler that held these arrays has forgotten them: only their names are left, and
    computing them would end in a CancelledError."""
    distributed = sys.modules.get("distributed")
    if distributed and any(future.cancelled() for future in distributed.futures_of(arrays)):
        raise ValueError(
            "backward needs the rows that forward left with Dask's workers; their scheduler was restarted or its "
            "client closed since, and they are gone: call forward again"
        )


def blocks(x: da.Array) -> list[Any]:
    """The blocks of rows, each to be computed where it is wanted."""
    return x.to_delayed().ravel().tolist()


def blocks_as(x: da.Array, arrays: tuple[da.Array, ...] | None) -> list[Any]:
    """Of each block of x's rows these rows of the arrays; None of each if there are no arrays."""
    if arrays is None:
        return [None] * x.numblocks[0]
    return list(zip(*(blocks(each.rechunk((x.chunks[0], *each.shape[1:]))) for each in arrays)))


def slices(x: da.Array) -> list[slice]:
    """Of each block its rows."""
    ends = [0, *accumulate(x.chunks[0])]
    return [slice(start, end) for start, end in pairwise(ends)]


def whole(parts: list[Any], x: da.Array, shape: tuple[int, ...]) -> da.Array:
    """One array of blocks that are cut as x's rows are."""
    shares = [da.from_delayed(part, (n, *shape), dtype=x.dtype) for part, n in zip(parts, x.chunks[0])]
    return da.concatenate(shares)


def tree(total: Callable, parts: list[Any]) -> Any:
    """total(parts), PARTS at a time."""
    while len(parts) > 1:
        groups = [parts[k : k + PARTS] for k in range(0, len(parts), PARTS)]
        parts = [dask.delayed(total)(group) if len(group) > 1 else group[0] for group in groups]
    return parts[0]
