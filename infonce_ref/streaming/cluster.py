"""Scores of Dask arrays: one task for each pair of a row block and a column block, on as many machines as Dask has.

A task computes the scores of its two blocks tile by tile, as `tiles.py` does, and never holds more than one tile.
It returns three numbers per row, or its contributions to the gradients of both blocks. If the scores are symmetric,
only the blocks on and above the diagonal are computed. Sums and contributions are added as trees in a fixed order,
so the result is the same to the last bit for any number of workers, even if some are lost and Dask repeats their
work.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import dask
import dask.array as da

from ..arrays import Array
from ..isolation import ignore_float_errors
from . import tiles
from .classes import Part
from .sums import Softmax, Sums

PARTS = 8  # number of parts that one task of a tree adds


class Scores(NamedTuple):
    """S = A Bᵀ, as `tiles.Scores`, of Dask arrays. even: whether blocks and tiles have an even side · part: as in
    `tiles.Scores`, with labels on this machine · tile: the side of a tile within a task, or None.
    """

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
        """Yield (i, j) and the arguments of `cut_block` for block i of the rows and block j of the columns."""
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
                excluded = self.excluded if i == j else None
                both = a[i], None if self.symmetric and i == j else b[j]
                yield i, j, (*both, self.bound, self.no_shift, excluded, self.even, part, self.tile)

    def reduce_tasks(
        self, task: Callable, total: Callable, *softmax: Any, sides: int = 2
    ) -> tuple[list[Any], ...]:
        """Compute total(parts) for each block of the rows and of the columns, where each task contributes one part,
        and leave the totals with the workers. Only for the rows if sides is 1 or the scores are symmetric.
        """
        of_rows: list[list[Any]] = [[] for _ in split_blocks(self.rows)]
        of_columns = of_rows if self.symmetric else [[] for _ in split_blocks(self.columns)]
        for i, j, scores in self.tasks():
            here = [None if each is None else each[k] for each, k in zip(softmax, (i, j))]
            of_row, of_column = dask.delayed(task, nout=2)(scores, *here)
            of_rows[i].append(of_row)
            if sides == 2 and not (self.symmetric and i == j):
                of_columns[j].append(of_column)
        wanted = (of_rows,) if self.symmetric or sides == 1 else (of_rows, of_columns)
        return dask.persist(*([add_as_tree(total, parts) for parts in side] for side in wanted))

    def sums(self, *, of_columns: bool = True) -> tuple[Sums, ...]:
        """The first pass: see `tiles.Scores.sums`."""
        sides = self.reduce_tasks(partial(sum_block, of_columns=of_columns), merge_sums, sides=1 + of_columns)
        return tuple(
            Sums(*(join_blocks([part[k] for part in parts], x, ()) for k in range(3)))
            for parts, x in zip(sides, (self.rows, self.columns))
        )

    def products(
        self,
        rows: Softmax,
        columns: Softmax | None,
        factors: tuple[da.Array, da.Array] | None = None,
    ) -> tuple[da.Array, da.Array]:
        """The second pass: see `tiles.Scores.products`. Raises ValueError if Dask has lost the rows."""
        own = self.rows, self.columns
        check_kept(*own)
        kept = [
            list(zip(split_like(x, softmax), split_like(x, factor)))
            for x, softmax, factor in zip(own, (rows, columns), zip(factors) if factors else (None, None))
        ]
        sides = self.reduce_tasks(multiply_block, add_up, *kept)
        both = [join_blocks(parts, x, y.shape[1:]) for parts, x, y in zip(sides, own, factors or own)]
        return both[0], both[-1]

    def logistic_sums(self, shift: da.Array) -> tuple[da.Array, da.Array]:
        """See `tiles.Scores.logistic_sums`."""
        ((parts),) = self.reduce_tasks(
            add_logistic, add_pairs, split_like(self.rows, (shift,)), None, sides=1
        )
        losses, slopes = (join_blocks([part[k] for part in parts], self.rows, ()) for k in range(2))
        return losses, slopes

    def logistic_products(self, shift: da.Array, factor: da.Array) -> tuple[da.Array, da.Array]:
        """See `tiles.Scores.logistic_products`. Raises ValueError if Dask has lost the rows."""
        check_kept(self.rows, self.columns)
        sides = self.reduce_tasks(multiply_logistic, add_up, split_like(self.rows, (shift, factor)), None)
        of_rows, of_columns = (
            join_blocks(parts, x, x.shape[1:]) for parts, x in zip(sides, (self.rows, self.columns))
        )
        return of_rows, of_columns


def plan(
    rows: da.Array,
    columns: da.Array,
    tile: int | None,
    progress: tiles.Progress | None,
    excluded: Callable[[Array, int], Array] | None,
    even: bool,
    part: Part | None,
) -> Scores:
    """Compute the blocks of rows and columns, leave them with the workers, and return their scores. If something is
    excluded, the columns get the same blocks as the rows.

    Raises ValueError for a progress callback, which other machines could not call.
    """
    if progress is not None:
        raise ValueError(
            "progress is not called for Dask arrays: drop it, and open the dashboard of dask.distributed"
        )
    if columns is rows:
        rows = columns = dask.persist(rows.rechunk({1: -1}))[0]
    else:
        cuts = rows.chunks[0] if excluded else columns.chunks[0]
        rows, columns = dask.persist(rows.rechunk({1: -1}), columns.rechunk((cuts, -1)))
    return Scores(rows, columns, *tiles.bound_scores(rows, columns), excluded, even, part, tile)


# --- the tasks -------------------------------------------------------------------------------------------


def cut_block(a: Array, b: Array | None, *how: Any) -> tiles.Scores:
    a = align(a)
    return tiles.cut(a, a if b is None else align(b), *how)


def align(x: Array) -> Array:
    """Copy a block that is not aligned in memory: alignment changes the last bits of NumPy's products."""
    return x if getattr(x.flags, "aligned", True) else x.copy()  # CuPy's arrays are always aligned


@ignore_float_errors()
def sum_block(scores: tuple[Any, ...], *, of_columns: bool) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    """Return shift, rounded and lost of the rows' sums, and if requested of the columns'."""
    sums = [(x.shift, x.rounded, x.lost) for x in cut_block(*scores).sums(of_columns=of_columns)]
    return sums[0], sums[-1]


@ignore_float_errors()
def multiply_block(scores: tuple[Any, ...], rows: Any, columns: Any) -> tuple[Array, Array]:
    """Return W B and Wᵀ A from the softmax of the rows and columns; if `factors` is given, use it in place of
    A and B.
    """
    softmax, factors = zip(rows, columns)
    of_rows, of_columns = (kept and Softmax(*kept) for kept in softmax)
    others = None if factors[0] is None else tuple(align(factor) for (factor,) in factors)
    return cut_block(*scores).products(of_rows, of_columns, others)


@ignore_float_errors()
def add_logistic(scores: tuple[Any, ...], rows: Any, _: None) -> tuple[tuple[Array, ...], None]:
    return cut_block(*scores).logistic_sums(*rows), None


@ignore_float_errors()
def multiply_logistic(scores: tuple[Any, ...], rows: Any, _: None) -> tuple[Array, Array]:
    return cut_block(*scores).logistic_products(*rows)


@ignore_float_errors()
def merge_sums(parts: list[tuple[Array, ...]]) -> tuple[Array, ...]:
    first, *others = (Sums(*(x.copy() for x in part)) for part in parts)
    for other in others:
        first.merge(other)
    return first.shift, first.rounded, first.lost


def add_up(parts: Sequence[Array]) -> Array:
    return sum(parts[1:], parts[0])


def add_pairs(parts: list[tuple[Array, Array]]) -> tuple[Array, Array]:
    first, second = map(add_up, zip(*parts))
    return first, second


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


def split_like(x: da.Array, arrays: tuple[da.Array, ...] | None) -> list[Any]:
    """The rows of the arrays for each block of x; None for each block if there are no arrays."""
    if arrays is None:
        return [None] * x.numblocks[0]
    return list(zip(*(split_blocks(each.rechunk((x.chunks[0], *each.shape[1:]))) for each in arrays)))


def block_slices(x: da.Array) -> list[slice]:
    """The slice of rows of each block."""
    ends = [0, *accumulate(x.chunks[0])]
    return [slice(start, end) for start, end in pairwise(ends)]


def join_blocks(parts: list[Any], x: da.Array, shape: tuple[int, ...]) -> da.Array:
    """Join blocks whose sizes are those of x's row blocks."""
    shares = [da.from_delayed(part, (n, *shape), dtype=x.dtype) for part, n in zip(parts, x.chunks[0])]
    return da.concatenate(shares)


def add_as_tree(total: Callable, parts: list[Any]) -> Any:
    """Compute total(parts), PARTS at a time."""
    while len(parts) > 1:
        groups = [parts[k : k + PARTS] for k in range(0, len(parts), PARTS)]
        parts = [dask.delayed(total)(group) if len(group) > 1 else group[0] for group in groups]
    return parts[0]
