"""Softmax cross-entropy over scores that are never held whole.

The scores S = A Bᵀ (n, m) of rows A (n, d) and columns B (m, d) are made tile by tile, twice:

1. `sums` keeps, of each row and each column, a shift m and the total t = Σ e^{S − m}, so LSE = m + log t;
2. `products` makes the tiles again, and of each the probabilities W_ij = P_ij (softmax of row i) + P_ji
   (softmax of column j), for the products W B and Wᵀ A that the gradient consists of.         [M6, M17]

That is O(n + m) numbers kept between the passes, O((n + m) d) for the gradients and O(tile²) at work, where the
plain forms hold n·m numbers several times over. The positives stay apart, as in `cross_entropy`: they are left out
of the sums, and enter through q = 1 − P_p, so nothing cancels as the loss goes to 0.         [S1, S2]

**One tile serves its rows and its columns.** Where A is B the scores are symmetric, and only the tiles on and
above the diagonal are made: half of the matrix products.

**One exponential serves both as well**, if it can. By Cauchy and Schwarz every score lies within ±`bound`. If
e^{−2·bound} is a normal number, no e^S and no sum of them overflows or vanishes, and the scores need no shift at
all. If not (for unit rows: below τ = 0.026 in float32, 0.0032 in float64), each row and column has its own
running maximum for a shift: two exponentials a tile instead of one, none of a positive number.   [S1]

**A lone tile is kept**, so that the second pass need not make it again: then this is the plain form.

**Rounds.** The tiles come in rounds in which no two share a block of rows or a block of columns. Those of one
round may run side by side and in any order, and the result is the same to the last bit.
"""

import contextlib
import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from array_api_compat import array_namespace, is_dask_namespace, is_numpy_namespace

from ..arrays import (
    Array,
    device,
    exp_of_own,
    masked,
    positive_integer,
    product_into,
    sigmoid,
    softplus,
    stable_sum,
    written_in_place,
)
from .classes import Part
from .workers import available, run

if TYPE_CHECKING:
    from . import cluster

    Plan: TypeAlias = "Scores | cluster.Scores"
Progress = Callable[[int, int], None]  # called with the tiles done and the tiles to do, of one pass

NUMBERS_ON_A_DEVICE = 4096**2  # a tile of 64 MB in float32: on a GPU fewer, larger launches win


class Softmax(NamedTuple):
    """What is kept of a softmax: P_ij = factor_i e^{S_ij − shift_i}, and q_i, the sum of these.  Each (n,)."""

    q: Array
    shift: Array
    factor: Array


@dataclass
class Sums:
    """Of each row (or column) the shift m (n,) and the total t (n,) = Σ e^{S − m} so far: LSE = m + log t.

    What rounding takes off t at each tile is kept beside it, so that many tiles err no more than one.
    """

    shift: Array
    rounded: Array
    lost: Array

    @classmethod
    def none(cls, x: Array, shift: float) -> "Sums":
        """Of the rows of x nothing so far."""
        nothing = array_namespace(x).zeros((x.shape[0],), dtype=x.dtype, device=device(x))
        return cls(nothing + shift, nothing, nothing + 0)

    @property
    def total(self) -> Array:
        return self.rounded + self.lost

    def plus(self, part: slice, more: Array) -> None:
        """Add to the totals of this part."""
        before = self.rounded[part]
        after = before + more
        added = after - before
        self.lost[part] += (before - (after - added)) + (more - added)
        self.rounded[part] = after

    def add(self, part: slice, s: Array, axis: int) -> None:
        """Take in the scores of a tile, the largest so far as the new shift."""
        xp = array_namespace(s)
        shift = xp.maximum(self.shift[part], xp.max(s, axis=axis))
        total = stable_sum(xp.exp(s - xp.expand_dims(shift, axis=axis)), axis)
        smaller = xp.exp(self.shift[part] - shift)
        self.rounded[part] *= smaller
        self.lost[part] *= smaller
        self.plus(part, total)
        self.shift[part] = shift

    def merge(self, other: "Sums") -> None:
        """Take in what another has seen of the same rows."""
        xp = array_namespace(self.shift)
        shift = xp.maximum(self.shift, other.shift)
        self.rounded = self.total * xp.exp(self.shift - shift) + other.total * xp.exp(other.shift - shift)
        self.lost = xp.zeros_like(self.rounded)
        self.shift = shift

    def above(self, positive: Array) -> Array:
        """How far LSE is above another logit, (n,); −∞ for a row that has met no score."""
        xp, total = array_namespace(positive), self.total
        none = total == 0
        return xp.where(none, -xp.inf, self.shift + xp.log(xp.where(none, 1.0, total)) - positive)

    def softmax(self, q: Array) -> Softmax:
        """The softmax whose probabilities of these scores add to q (n,); 0 of a row that has met none."""
        total = self.total
        return Softmax(q, self.shift, q / array_namespace(q).where(total == 0, 1.0, total))


class Scores(NamedTuple):
    """S = A Bᵀ. rows: A (n, d) · columns: B (m, d), the very array A where S is symmetric · bound: no |S_ij| is
    above it · no_shift: whether every e^S can be taken as it is · excluded: None, or −∞ at what the tiles on the
    diagonal leave out and 0 elsewhere (tile, tile) · tile: their side · workers: how many tiles at a time ·
    progress: None, or what to call after each round · kept: the tile, where there is only one · part: None, or
    the part of the scores that counts."""

    rows: Array
    columns: Array
    bound: float
    no_shift: bool
    excluded: Array | None
    tile: int
    workers: int
    progress: Progress | None
    kept: Array | None = None
    part: Part | None = None

    @property
    def symmetric(self) -> bool:
        return self.columns is self.rows

    def block_of_rows(self, i: int) -> slice:
        return slice(i * self.tile, min((i + 1) * self.tile, self.rows.shape[0]))

    def block_of_columns(self, j: int) -> slice:
        return slice(j * self.tile, min((j + 1) * self.tile, self.columns.shape[0]))

    def spaces(self) -> list[Array]:
        """An array for each worker to make its tiles in: allocated once, for the system clears new memory first."""
        if self.kept is not None:
            return [self.kept]
        xp, shape = array_namespace(self.rows), (self.tile, self.tile)
        return [xp.empty(shape, dtype=self.rows.dtype, device=device(self.rows)) for _ in range(self.workers)]

    def counts(self, i: int, j: int) -> bool | None:
        """Whether the scores of tile (i, j) count; None where some do and some do not."""
        return self.part is None or self.part.has(self.block_of_rows(i), self.block_of_columns(j))

    def made(self, i: int, j: int, space: Array) -> Array:
        """Tile (i, j) of e^S or, if the rows need shifts, of S, with −∞ at what is excluded. In this space."""
        if self.kept is not None:
            return self.kept
        a, b = self.rows[self.block_of_rows(i), :], self.columns[self.block_of_columns(j), :]
        s = product_into(space[: a.shape[0], : b.shape[0]], a, array_namespace(b).matrix_transpose(b))
        if self.excluded is not None and i == j:
            s += self.excluded[: a.shape[0], : b.shape[0]]
        if self.part is not None and self.counts(i, j) is None:
            left_out = self.part.left_out(self.block_of_rows(i), self.block_of_columns(j))
            s += masked(array_namespace(s).zeros_like(s), left_out)
        return exp_of_own(s) if self.no_shift else s

    def sums(self, *, of_columns: bool = True) -> tuple[Sums, ...]:
        """The first pass: the sums of the rows and, if asked, of the columns. Symmetric scores have one of both."""
        start = 0.0 if self.no_shift else -self.bound  # below every score
        rows = Sums.none(self.rows, start)
        # a symmetric tile on the diagonal holds each of its pairs twice, so that its rows are enough
        diagonal_only = self.symmetric and self.kept is not None
        columns = Sums.none(self.columns, start) if of_columns and not diagonal_only else None

        def work(i: int, j: int, space: Array) -> None:
            made = self.made(i, j, space)
            sides = [(rows, self.block_of_rows(i), 1)]
            if columns and not (self.symmetric and i == j):
                sides.append((columns, self.block_of_columns(j), 0))
            for side, part, axis in sides:
                if self.no_shift:
                    side.plus(part, stable_sum(made, axis))
                else:
                    side.add(part, made, axis)

        run(list(rounds(self)), work, self.spaces(), self.progress)
        if columns is None:
            return (rows,)
        if self.symmetric:
            rows.merge(columns)
            return (rows,)
        return rows, columns

    def products(self, rows: Softmax, columns: Softmax | None) -> tuple[Array, Array]:
        """W B (n, d) and Wᵀ A (m, d), one and the same where the scores are symmetric: the second pass."""
        xp = array_namespace(self.rows)
        of_a, of_b = (
            xp.zeros(x.shape, dtype=x.dtype, device=device(x))  # not like x, which may be memory-mapped
            for x in (self.rows, self.columns)
        )

        def probabilities(i: int, j: int, space: Array) -> Array:
            made = self.made(i, j, space)
            of_rows, of_columns = self.block_of_rows(i), self.block_of_columns(j)
            factor = rows.factor[of_rows][:, None]
            if self.no_shift:
                return (factor if columns is None else factor + columns.factor[of_columns]) * made
            w = xp.exp(made - rows.shift[of_rows][:, None]) * factor
            if columns is not None:
                w += xp.exp(made - columns.shift[of_columns]) * columns.factor[of_columns]
            return w

        def work(i: int, j: int, space: Array) -> None:
            w = probabilities(i, j, space)
            of_rows, of_columns = self.block_of_rows(i), self.block_of_columns(j)
            of_a[of_rows, :] += w @ self.columns[of_columns, :]
            if not (self.symmetric and i == j):
                of_b[of_columns, :] += xp.matrix_transpose(w) @ self.rows[of_rows, :]

        run(list(rounds(self)), work, self.spaces(), self.progress)
        if self.symmetric:
            of_a += of_b
            of_b = of_a
        return of_a, of_b


def plan(
    rows: Array,
    columns: Array,
    tile: int | None,
    progress: Progress | None,
    *,
    excluded: Callable[[Array, int], Array] | None = None,
    even: bool = False,
    part: Part | None = None,
) -> "Plan":
    """The scores of rows and columns, cut into tiles that suit the machine unless their side is given.

    excluded(x, n): what a tile of n rows on the diagonal leaves out, (n, n), on x's device.
    even: the side is made even, so that two rows side by side stay together.
    part: which scores count, where not all do; tiles in which none does are not made.
    """
    xp = array_namespace(rows)
    if is_dask_namespace(xp):
        from . import cluster  # Dask is there, as its array is

        return cluster.plan(rows, columns, tile, progress, excluded, even, part)
    workers = available() if is_numpy_namespace(xp) else 1
    return cut(rows, columns, *bounded(rows, columns), excluded, even, part, tile, progress, workers)


def bounded(rows: Array, columns: Array) -> tuple[float, bool]:
    """What no |S_ij| is above, and whether every e^S can be taken as it is."""
    xp = array_namespace(rows)
    lengths = [float(xp.max(xp.vecdot(x, x))) for x in ((rows,) if columns is rows else (rows, columns))]
    # |S_ij| ≤ ‖a_i‖ ‖b_j‖, and a computed scalar product errs by at most d eps of that
    numbers = xp.finfo(rows.dtype)
    slack = 1 + 4 * (rows.shape[1] + 1) * float(numbers.eps)
    bound = min(math.sqrt(lengths[0] * lengths[-1]) * slack, float(numbers.max))
    return bound, 2 * bound < -0.9 * math.log(float(numbers.smallest_normal))


def cut(
    rows: Array,
    columns: Array,
    bound: float,
    no_shift: bool,
    excluded: Callable[[Array, int], Array] | None,
    even: bool,
    part: Part | None,
    tile: int | None,
    progress: Progress | None = None,
    workers: int = 1,
) -> Scores:
    """`plan`, of scores whose bound is known."""
    xp = array_namespace(rows)
    n, m = rows.shape[0], columns.shape[0]
    tile = min(tile or side(rows, n, m, workers), max(n, m))
    if even:
        tile += tile % 2
    # the last round of symmetric scores may have half as many tiles as there are blocks: enough for every worker
    if -(-min(n, m) // tile) < 2 * workers:
        workers = 1
    scores = Scores(rows, columns, bound, no_shift, None, tile, workers, progress, part=part)
    if excluded is not None:
        nothing = xp.zeros((tile, tile), dtype=rows.dtype, device=device(rows))
        scores = scores._replace(excluded=masked(nothing, excluded(rows, tile)))
    if max(n, m) <= tile:
        scores = scores._replace(kept=scores.made(0, 0, scores.spaces()[0]))
    return scores


def given(tile: int | None, xp: Any) -> int | None:
    """The side that the caller gave, as an int.

    Raises ValueError for one that is not a positive integer, and for a library whose arrays cannot be written in
    place, before any is, but for Dask's, whose blocks can.
    """
    if not (written_in_place(xp) or is_dask_namespace(xp)):
        raise ValueError(
            f"streaming writes its sums in place, which the arrays of {xp.__name__} refuse or do not keep: "
            "use infonce_ref.losses, or pass NumPy arrays"
        )
    return None if tile is None else positive_integer("tile", tile)


def cached(x: Array) -> int:
    """How many numbers of x's kind to work on at a time: as many as fill the second-level cache twice.

    Measured: products are slower on smaller tiles, what is done entry by entry on larger ones.
    """
    if not is_numpy_namespace(array_namespace(x)):
        return NUMBERS_ON_A_DEVICE
    return 2 * second_level_cache() // x.dtype.itemsize


@cache
def second_level_cache() -> int:
    """In bytes, of one core; half a megabyte where the system does not say."""
    with contextlib.suppress(AttributeError, OSError, ValueError):
        return os.sysconf("SC_LEVEL2_CACHE_SIZE") or 2**19
    return 2**19


def side(x: Array, n: int, m: int, workers: int) -> int:
    """The side of a tile that fills the cache, such that n rows or m columns, the fewer, make equal blocks, as
    many for each worker.

    Measured: where neither n nor m is above twice the side that fills the cache, one tile is quicker, for a lone
    tile is kept for the second pass. Up to four times that side, four blocks are quicker than fewer, for a larger
    part of symmetric scores then lies in tiles below the diagonal, which are never made. Blocks of fewer than 256
    rows are slower: between NumPy's calls a thread holds Python's lock, and the others wait for it.
    """
    largest, fewer = math.isqrt(cached(x)), min(n, m)
    if max(n, m) <= 2 * largest:
        return max(n, m)
    if fewer <= 4 * largest:
        return min(fewer, max(256, 8 * math.ceil(fewer / 32)))
    blocks = workers * math.ceil(fewer / (largest * workers))
    return 8 * math.ceil(fewer / blocks / 8)


def rounds(scores: Scores) -> Iterator[list[tuple[int, int]]]:
    """The tiles in which some score counts, in rounds: in one no i occurs twice, and no j."""
    for tiles in every_round(scores):
        if counted := [tile for tile in tiles if scores.counts(*tile) is not False]:
            yield counted


def every_round(scores: Scores) -> Iterator[list[tuple[int, int]]]:
    """All tiles (i, j), or those on and above the diagonal where the scores are symmetric: one of each pair
    (i, j), (j, i)."""
    n, m = (-(-x.shape[0] // scores.tile) for x in (scores.rows, scores.columns))
    if scores.symmetric:
        for k in range(n // 2 + 1):
            yield [(i, (i + k) % n) for i in range(n // 2 if 0 < 2 * k == n else n)]
    elif n <= m:
        for k in range(m):
            yield [(i, (i + k) % m) for i in range(n)]
    else:
        for k in range(n):
            yield [((j + k) % n, j) for j in range(m)]


def cross_entropy(positive: Array, negatives: Sums) -> tuple[Array, Softmax]:
    """ℓ (n,) in nats of each row, from its positive's logit (n,) and the sums over its negatives."""
    # ℓ = softplus(LSE − u),  P_j = q r_j with r_j = e^{S_j − m} / t           [D1.6, D1.7, S1, S2]
    margin = negatives.above(positive)
    return softplus(margin), negatives.softmax(sigmoid(margin))


def weighted(softmax: Softmax, upstream: Array) -> Softmax:
    """What is kept of a softmax, each row of P and its q times that row's upstream (n,)."""
    return softmax._replace(q=upstream * softmax.q, factor=upstream * softmax.factor)
