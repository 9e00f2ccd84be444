"""Softmax cross-entropy over scores that are never held whole.

The scores S = A Bᵀ (n, m) of rows A (n, d) and columns B (m, d) are made tile by tile, twice:

1. `sums` keeps, of each row and each column, a shift m and the total t = Σ e^{S − m}, so LSE = m + log t;
2. `products` makes the tiles again, and of each the probabilities W_ij = P_ij (softmax of row i) + P_ji
   (softmax of column j), for the products W B and Wᵀ A that the gradient consists of.         [M6, M17]

That is O(n + m) numbers kept between the passes, O((n + m) d) for the gradients, O(tile²) at work and up to `KEPT`
bytes of tiles, where the plain forms hold all n·m numbers and masks of them. The positives stay apart, as in
`cross_entropy`: they are left out of the sums, and enter through q = 1 − P_p, so nothing cancels as the loss goes
to 0.         [S1, S2]

**One tile serves its rows and its columns.** Where A is B the scores are symmetric, and only the tiles on and
above the diagonal are made: half of the matrix products.

**One exponential serves both as well**, if it can. By Cauchy and Schwarz every score lies within ±`bound`. If
e^{−2·bound} is a normal number, with a tenth of the exponents to spare for sums and factors, no e^S and no sum of
them overflows or vanishes, and the scores need no shift at all. If not (for unit rows: below τ = 0.0254 in float32,
0.00314 in float64), each row and column has its own
running maximum for a shift: two exponentials a tile instead of one, none of a positive number.   [S1]

**Tiles are kept** for the second pass, which then need not make them again, as many as fit in `KEPT` bytes: nearly
all those of 8,192 rows of symmetric scores in float32. It takes each out of `kept` as it goes: another second pass
makes them all.

**All work on a tile is a product, or entry by entry in place**, for NumPy is slower at all else. Its sums are
products with ones, and all f_i + g_j are the product of (f_i, 1) and (1, g_j).

**Rounds.** The tiles come in rounds in which no two share a block of rows or a block of columns. Those of one
round may run side by side and in any order, and one of the next beside them as soon as nobody adds to its rows and
its columns any more: the result is the same to the last bit.
"""

import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from array_api_compat import array_namespace, is_dask_namespace, is_numpy_namespace

from ..arrays import Array, device, writes_in_place
from ..checks import check_count
from ..elementary import exp_in_place, mask_in_place, multiply_into, sigmoid, softplus, stable_sum
from ..threads import available
from .classes import Part
from .workers import Tile, run

if TYPE_CHECKING:
    from . import cluster

    Plan: TypeAlias = "Scores | cluster.Scores"
Progress = Callable[[int, int], None]  # called with the tiles done and the tiles to do, of one pass

KEPT = 2**27  # bytes of tiles
SMALLEST = 256  # rows of a tile that is one of several
FOR_A_WORKER = 512  # rows that are worth a thread: with fewer, handing over costs more than is shared
SECOND_LEVEL_CACHE = Path("/sys/devices/system/cpu/cpu0/cache/index2/size")  # such as "1024K"
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
        xp = array_namespace(x)
        nothing = xp.zeros((x.shape[0],), dtype=x.dtype, device=device(x))
        return cls(nothing + shift, nothing, xp.zeros_like(nothing))

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

    def add(self, part: slice, s: Array) -> None:
        """Take in further scores of these rows, (rows, any), the largest so far as the new shift."""
        xp = array_namespace(s)
        shift = xp.maximum(self.shift[part], xp.max(s, axis=1))
        total = stable_sum(xp.exp(s - shift[:, None]))
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
    above it · no_shift: whether every e^S can be taken as it is · excluded: None, or what the tiles on the
    diagonal leave out, booleans (tile, tile) · tile: their side · workers: how many tiles at a time ·
    progress: None, or what to call after each round · part: None, or the part of the scores that counts · room: how
    many tiles may be kept · kept: those that the first pass made and the second takes."""

    rows: Array
    columns: Array
    bound: float
    no_shift: bool
    excluded: Array | None
    tile: int
    workers: int
    progress: Progress | None
    part: Part | None
    room: int
    kept: dict[Tile, Array]

    @property
    def symmetric(self) -> bool:
        return self.columns is self.rows

    def block_of_rows(self, i: int) -> slice:
        return slice(i * self.tile, min((i + 1) * self.tile, self.rows.shape[0]))

    def block_of_columns(self, j: int) -> slice:
        return slice(j * self.tile, min((j + 1) * self.tile, self.columns.shape[0]))

    def spaces(self, *count: int) -> list[Array]:
        """Memory for tiles, (count …, tile, tile): an array of each of the first axis. In one piece, for the system
        clears new memory first, which takes least time for a large piece."""
        shape, x = (*count, self.tile, self.tile), self.rows
        whole = array_namespace(x).empty(shape, dtype=x.dtype, device=device(x))
        return [whole[k, ...] for k in range(count[0])]

    def counts(self, i: int, j: int) -> bool | None:
        """Whether the scores of tile (i, j) count; None where some do and some do not."""
        return self.part is None or self.part.has(self.block_of_rows(i), self.block_of_columns(j))

    def made(self, i: int, j: int, space: Array) -> Array:
        """Tile (i, j) of e^S or, if the rows need shifts, of S, with −∞ at what is excluded. In this space."""
        a, b = self.rows[self.block_of_rows(i), :], self.columns[self.block_of_columns(j), :]
        s = multiply_into(space[: a.shape[0], : b.shape[0]], a, array_namespace(b).matrix_transpose(b))
        if self.excluded is not None and i == j:
            s = mask_in_place(s, self.excluded[: a.shape[0], : b.shape[0]])
        if self.part is not None and self.counts(i, j) is None:
            s = mask_in_place(s, self.part.left_out(self.block_of_rows(i), self.block_of_columns(j)))
        return exp_in_place(s) if self.no_shift else s

    def sums(self, *, of_columns: bool = True) -> tuple[Sums, ...]:
        """The first pass: the sums of the rows and, if asked, of the columns. Symmetric scores have one of both."""
        xp, start = array_namespace(self.rows), 0.0 if self.no_shift else -self.bound  # below every score
        rows = Sums.none(self.rows, start)
        columns = Sums.none(self.columns, start) if of_columns else None
        ones = xp.ones((self.tile,), dtype=self.rows.dtype, device=device(self.rows))
        order = list(rounds(self))
        to_keep = list(chain.from_iterable(order))[: self.room]
        room = dict(zip(to_keep, self.spaces(len(to_keep))))

        def work(i: int, j: int, space: Array) -> None:
            made = self.made(i, j, room.get((i, j), space))
            if (i, j) in room:
                self.kept[i, j] = made
            sides = [(rows, self.block_of_rows(i), made)]
            # a symmetric tile on the diagonal holds each of its pairs twice: its rows are enough
            if columns and not (self.symmetric and i == j):
                sides.append((columns, self.block_of_columns(j), xp.matrix_transpose(made)))
            for side, part, tile in sides:
                if self.no_shift:
                    side.plus(part, tile @ ones[: tile.shape[1]])
                else:
                    side.add(part, tile)

        run(order, work, self.spaces(self.workers), self.progress)
        if columns is None:
            return (rows,)
        if self.symmetric:
            rows.merge(columns)
            return (rows,)
        return rows, columns

    def products(
        self, rows: Softmax, columns: Softmax | None, factors: tuple[Array, Array] | None = None
    ) -> tuple[Array, Array]:
        """W B (n, d) and Wᵀ A (m, d), one and the same where the scores are symmetric: the second pass.

        factors: (n, k) and (m, k), which W multiplies in place of A and B.
        """
        xp = array_namespace(self.rows)
        a, b = factors or (self.rows, self.columns)
        of_a, of_b = (
            xp.zeros(x.shape, dtype=x.dtype, device=device(x))  # not like x, which may be memory-mapped
            for x in (a, b)
        )
        f = rows.factor
        g = xp.zeros_like(of_b[:, 0]) if columns is None else columns.factor
        # (f_i, 1) and (1, g_j), of which the scalar product is f_i + g_j
        f_and_one = xp.stack((f, xp.ones_like(f)), axis=1)
        one_and_g = xp.stack((xp.ones_like(g), g), axis=1)

        def probabilities(i: int, j: int, spaces: Array) -> Array:
            made = self.kept.pop((i, j), None)
            if made is None:
                made = self.made(i, j, spaces[0, ...])
            of_rows, of_columns = self.block_of_rows(i), self.block_of_columns(j)
            if self.no_shift:
                space = spaces[1, : made.shape[0], : made.shape[1]]
                w = multiply_into(space, f_and_one[of_rows, :], xp.matrix_transpose(one_and_g[of_columns, :]))
                w *= made
                return w
            w = xp.exp(made - rows.shift[of_rows][:, None]) * f[of_rows][:, None]
            if columns is not None:
                w += xp.exp(made - columns.shift[of_columns]) * g[of_columns]
            return w

        def work(i: int, j: int, spaces: Array) -> None:
            w = probabilities(i, j, spaces)
            of_rows, of_columns = self.block_of_rows(i), self.block_of_columns(j)
            of_a[of_rows, :] += w @ b[of_columns, :]
            if not (self.symmetric and i == j):
                of_b[of_columns, :] += xp.matrix_transpose(w) @ a[of_rows, :]

        run(list(rounds(self)), work, self.spaces(self.workers, 2), self.progress)
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
    return cut(rows, columns, *bounded(rows, columns), excluded, even, part, tile, progress, workers, KEPT)


def bounded(rows: Array, columns: Array) -> tuple[float, bool]:
    """What no |S_ij| is above, and whether every e^S can be taken as it is."""
    xp = array_namespace(rows)
    sides = (rows,) if columns is rows or not columns.shape[0] else (rows, columns)
    lengths = [float(xp.max(xp.vecdot(x, x))) for x in sides]
    # |S_ij| ≤ ‖a_i‖ ‖b_j‖, and a computed scalar product errs by at most d eps of that
    numbers = xp.finfo(rows.dtype)
    slack = 1 + 4 * (rows.shape[1] + 1) * float(numbers.eps)
    bound = min(math.sqrt(lengths[0] * lengths[-1]) * slack, float(numbers.max))
    return bound, 2 * bound < -0.9 * math.log(numbers.smallest_normal)


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
    room: int = 0,
) -> Scores:
    """`plan`, of scores whose bound is known. room: bytes of tiles that may be kept."""
    xp = array_namespace(rows)
    n, m = rows.shape[0], columns.shape[0]
    if tile is None:
        workers = max(1, min(workers, min(n, m) // FOR_A_WORKER))
        tile = side(rows, n, m)  # whatever the workers, so that the bits are the same
    tile = min(tile, max(n, m))
    if even:
        tile += tile % 2
    # the last round of symmetric scores may have half as many tiles as there are blocks: enough for every worker
    workers = max(1, min(workers, -(-min(n, m) // tile) // 2))
    left_out = None if excluded is None else excluded(rows, tile)
    room //= tile**2 * xp.finfo(rows.dtype).bits // 8
    return Scores(rows, columns, bound, no_shift, left_out, tile, workers, progress, part, room, {})


def given(tile: int | None, xp: Any) -> int | None:
    """The side that the caller gave, as an int.

    Raises ValueError for one that is not a positive integer, and for a library whose arrays cannot be written in
    place, before any is, but for Dask's, whose blocks can.
    """
    if not (writes_in_place(xp) or is_dask_namespace(xp)):
        raise ValueError(
            f"streaming writes its sums in place, which the arrays of {xp.__name__} refuse or do not keep: "
            "use infonce_ref.losses, or pass NumPy arrays"
        )
    return None if tile is None else check_count("tile", tile)


def cached(x: Array) -> int:
    """How many numbers of x's kind fill the second-level cache of a core, or suit a device."""
    if not is_numpy_namespace(array_namespace(x)):
        return NUMBERS_ON_A_DEVICE
    return second_level_cache() // x.dtype.itemsize


@cache
def second_level_cache() -> int:
    """In bytes, of one core, as Linux says it; half a megabyte where the system does not."""
    with contextlib.suppress(OSError, ValueError):
        return 2**10 * int(SECOND_LEVEL_CACHE.read_text().strip().removesuffix("K"))
    return 2**19


def side(x: Array, n: int, m: int) -> int:
    """The side of a tile: an eighth of n rows or m columns, the fewer, but at least 256 and at most what fills the
    cache, such that the blocks are equal, and even in number.

    Measured: with fewer blocks more of symmetric scores lies in tiles on the diagonal, of which half is made twice;
    smaller tiles cost more calls than they save.
    """
    fewer = max(1, min(n, m))
    largest = min(math.isqrt(cached(x)), max(SMALLEST, fewer // 8))
    blocks = 2 * math.ceil(fewer / (2 * largest))
    return max(SMALLEST, 8 * math.ceil(fewer / blocks / 8))


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
            yield [(i, (i + k) % n) for i in range(n // 2 if 2 * k == n else n)]
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
