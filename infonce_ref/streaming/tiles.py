"""Softmax cross-entropy over a matrix of scores that is never stored whole.

The scores S = A Bᵀ (n, m) of rows A (n, d) and columns B (m, d) are computed tile by tile, twice:

1. `sums` keeps, for each row and each column, a shift m and the total t = Σ e^{S − m}, so LSE = m + log t;
2. `products` computes the tiles again, and from each the probabilities W_ij = P_ij (softmax of row i) + P_ji
   (softmax of column j), for the products W B and Wᵀ A that the gradient consists of.         [M6, M17]

That takes O(n + m) numbers between the passes, O((n + m) d) for the gradients, O(tile²) of work space and up to
`KEPT` bytes of tiles; the plain forms hold all n·m numbers and masks of them. The positives are left out of the
sums, as in `cross_entropy`, and enter through q = 1 − P_p, so nothing cancels as the loss goes to 0.    [S1, S2]

**One tile serves its rows and its columns.** If A is B the scores are symmetric, and only the tiles on and above
the diagonal are computed: half of the matrix products.

**One exponential serves both as well**, if possible. By Cauchy and Schwarz every score lies within ±`bound`. If
e^{−2·bound} is a normal number, with a tenth of the exponents to spare for sums and factors, no e^S and no sum of
them overflows or vanishes, and the scores need no shift at all. If not (for unit rows: below τ = 0.0254 in float32,
0.00314 in float64), each row and column has its running maximum for a shift: two exponentials a tile
instead of one, none of a positive number.   [S1]

**Tiles are kept** for the second pass, as many as fit in `KEPT` bytes: nearly all those of 8,192 rows of symmetric
scores in float32. The second pass removes each from `kept`; a further second pass computes them all again. Their
memory, and the work space, are kept for the next call: `memory.py`.

**All work on a tile is a product, or entry by entry in place**, because NumPy is slower at everything else. Its
sums are products with ones, and all f_i + g_j are the product of (f_i, 1) and (1, g_j).

**A sigmoid of each score**, for losses without a softmax, uses the same two passes over the same tiles.

**Rounds.** The tiles come in rounds in which no two share a block of rows or a block of columns. Those of one
round may run in parallel and in any order, and one of the next round as soon as no running tile adds to its rows or
columns: the result is the same to the last bit.
"""

import contextlib
import math
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, cycle
from pathlib import Path
from typing import Any, NamedTuple, Self

from array_api_compat import is_numpy_namespace

from ..arrays import Array, array_namespace, device
from ..elementary import compute_into, mask_in_place, stable_sum
from ..memory import borrow
from .classes import Part
from .sums import Logistic, Softmax, Sums
from .workers import run

Progress = Callable[[int, int], None]  # called with the tiles done and the tiles to do, of one pass
Weigh = Callable[[int, int, Array], Array]

KEPT = 2**27  # bytes of tiles
SMALLEST = 256  # rows of a tile, if there are several
# rows of a tile that make a thread worthwhile: with fewer, the hand-over costs more than it saves
FOR_A_WORKER = 256
SECOND_LEVEL_CACHE = Path("/sys/devices/system/cpu/cpu0/cache/index2/size")  # such as "1024K"
NUMBERS_ON_A_DEVICE = 4096**2  # a tile of 64 MB in float32: on a GPU, few large kernels are faster


class Scores(NamedTuple):
    """S = A Bᵀ. rows: A (n, d) · columns: B (m, d), the same object as A if S is symmetric · bound: upper bound on
    |S_ij| · no_shift: whether exp(S) needs no shift · excluded(x, n): None, or the mask of the scores that a tile
    of n rows on the diagonal leaves out, (n, n), on x's device · even: whether tiles have an even side · part:
    None, or the part of the scores that counts · tile: the side of a tile, 0 until `cut` chooses it · progress:
    None, or called after each round.

    What `cut` adds · left_out: None, or the mask of a tile on the diagonal, (tile, tile) · workers: number of tiles
    at a time · room: number of tiles that may be kept · kept: a dict of tiles that the first pass computed for the
    second · peers: None, or the `ranks.Peers` that share the tiles; the passes compute only this rank's.
    """

    rows: Array
    columns: Array
    bound: float
    no_shift: bool
    excluded: Callable[[Array, int], Array] | None = None
    even: bool = False
    part: Part | None = None
    tile: int = 0
    progress: Progress | None = None
    left_out: Array | None = None
    workers: int = 1
    room: int = 0
    kept: Any = None
    peers: Any = None

    @property
    def symmetric(self) -> bool:
        return self.columns is self.rows

    def cut(self, workers: int = 1, room: int = 0) -> Self:
        """Cut into tiles. workers: the most tiles at a time · room: bytes of tiles that may be kept."""
        rows, tile = self.rows, self.tile
        n, m = rows.shape[0], self.columns.shape[0]
        if not tile:
            workers = min(workers, min(n, m) // FOR_A_WORKER)
            # independent of the number of workers, so that the bits are the same
            tile = choose_side(rows, n, m, symmetric=self.symmetric)
        tile = min(tile, max(n, m))
        if self.even:
            tile += tile % 2
        # a round has as many tiles as there are blocks, but the last of symmetric scores perhaps half as many,
        # which must be enough for every worker
        blocks = -(-min(n, m) // tile)
        workers = max(1, min(workers, blocks // 2 if self.symmetric else blocks))
        left_out = None if self.excluded is None else self.excluded(rows, tile)
        room //= tile**2 * array_namespace(rows).finfo(rows.dtype).bits // 8
        return self._replace(tile=tile, left_out=left_out, workers=workers, room=room, kept={})

    def block_of_rows(self, i: int) -> slice:
        return slice(i * self.tile, min((i + 1) * self.tile, self.rows.shape[0]))

    def block_of_columns(self, j: int) -> slice:
        return slice(j * self.tile, min((j + 1) * self.tile, self.columns.shape[0]))

    def allocate(self, *count: int) -> list[Array]:
        """Allocate memory for tiles, (count …, tile, tile), one array for each index of the first axis: one block,
        which on this machine's cores an earlier call may have left.
        """
        shape, x = (*count, self.tile, self.tile), self.rows
        xp = array_namespace(x)
        own = is_numpy_namespace(xp)
        whole = borrow(shape, x.dtype) if own else xp.empty(shape, dtype=x.dtype, device=device(x))
        return [whole[k, ...] for k in range(count[0])]

    def is_counted(self, i: int, j: int) -> bool | None:
        """Whether the scores of tile (i, j) count; None if only some do."""
        return self.part is None or self.part.contains(self.block_of_rows(i), self.block_of_columns(j))

    def compute(self, i: int, j: int, space: Array) -> Array:
        """Compute tile (i, j) of e^S or, if the rows need shifts, of S, with −∞ where excluded; write it into
        `space`.
        """
        s = self.compute_scores(i, j, space)
        return compute_into(s, array_namespace(s).exp, s) if self.no_shift else s

    def compute_scores(self, i: int, j: int, space: Array) -> Array:
        """Compute tile (i, j) of S, with −∞ where excluded; write it into `space`."""
        a, b = self.rows[self.block_of_rows(i), :], self.columns[self.block_of_columns(j), :]
        xp = array_namespace(a)
        s = compute_into(space[: a.shape[0], : b.shape[0]], xp.matmul, a, xp.matrix_transpose(b))
        if self.left_out is not None and i == j:
            s = mask_in_place(s, self.left_out[: a.shape[0], : b.shape[0]])
        if self.part is not None and self.is_counted(i, j) is None:
            s = mask_in_place(s, self.part.mask_rest(self.block_of_rows(i), self.block_of_columns(j)))
        return s

    def sums(self, *, of_columns: bool = True, shift: Array | None = None) -> tuple[Sums, ...]:
        """The first pass: the sums of the rows and, if asked, of the columns; one for both if S is symmetric.

        shift: (n,), for scores that are not symmetric: the sums of softplus(S_ij + shift_i), and of
        sigmoid(S_ij + shift_i), over each row instead.
        """
        if shift is not None:
            return self.logistic_sums(shift)
        # a lower bound of every score
        xp, start = array_namespace(self.rows), 0.0 if self.no_shift else -self.bound
        rows = Sums.none(self.rows, start)
        columns = Sums.none(self.columns, start) if of_columns else None
        ones = xp.ones((self.tile,), dtype=self.rows.dtype, device=device(self.rows))

        def add(i: int, j: int, space: Array, _: Array) -> Array:
            made = self.compute(i, j, space)
            sides = [(rows, self.block_of_rows(i), made)]
            # a symmetric tile on the diagonal contains each of its pairs twice: the sums of its rows are
            # enough
            if columns and not (self.symmetric and i == j):
                sides.append((columns, self.block_of_columns(j), xp.matrix_transpose(made)))
            for side, part, tile in sides:
                if self.no_shift:
                    side.plus(part, tile @ ones[: tile.shape[1]])
                else:
                    side.add(part, tile)
            return made

        self.compute_and_keep(add)
        if columns is None:
            return (rows,)
        return (rows.merge(columns),) if self.symmetric else (rows, columns)

    def logistic_sums(self, shift: Array) -> tuple[Sums, Sums]:
        losses, slopes = (Sums.none(self.rows, 0.0) for _ in range(2))
        exponentials = self.capped_exponentials(shift)

        def add(i: int, j: int, space: Array, other: Array) -> Array:
            rows = self.block_of_rows(i)
            u, above_cap = exponentials(i, j, space)
            other = other[: u.shape[0], : u.shape[1]]
            # softplus(x) = log1p(eˣ), sigmoid(x) = eˣ/(1 + eˣ)
            losses.plus(rows, stable_sum(compute_into(other, array_namespace(u).log1p, u)) + above_cap)
            u = divide_by_one_more(u, other)
            slopes.plus(rows, stable_sum(u))
            return u

        self.compute_and_keep(add)
        return losses, slopes

    def compute_and_keep(self, add: Callable[[int, int, Array, Array], Array]) -> None:
        """Call add(i, j, space, other space) for each tile, and keep the first tiles that it returns."""
        order = list(rounds(self))
        first = list(chain.from_iterable(order))[: self.room]
        room = dict(zip(first, self.allocate(len(first)))) if first else {}

        def work(i: int, j: int, spaces: Array) -> None:
            made = add(i, j, room.get((i, j), spaces[0, ...]), spaces[1, ...])
            if (i, j) in room:
                self.kept[i, j] = made

        run(order, work, self.allocate(self.workers, 2), self.progress)

    def products(
        self,
        rows: Softmax | Logistic,
        columns: Softmax | None = None,
        factors: tuple[Array, Array] | None = None,
    ) -> tuple[Array, Array]:
        """The second pass: W B (n, d) and Wᵀ A (m, d), which are equal if the scores are symmetric. W is the sum of
        both softmax, or logistic with the shift of the first pass.

        factors: (n, k) and (m, k), which W multiplies instead of A and B.
        """
        xp = array_namespace(self.rows)
        a, b = factors or (self.rows, self.columns)
        of_a, of_b = (
            xp.zeros(x.shape, dtype=x.dtype, device=device(x))  # not like x, which may be memory-mapped
            for x in (a, b)
        )
        weigh = self.sigmoids(rows) if isinstance(rows, Logistic) else self.probabilities(rows, columns)

        def work(i: int, j: int, spaces: Array) -> None:
            w = weigh(i, j, spaces)
            of_rows, of_columns = self.block_of_rows(i), self.block_of_columns(j)
            of_a[of_rows, :] += w @ b[of_columns, :]
            if not (self.symmetric and i == j):
                of_b[of_columns, :] += xp.matrix_transpose(w) @ a[of_rows, :]

        run(list(rounds(self)), work, self.allocate(self.workers, 2), self.progress)
        if self.symmetric:
            of_a += of_b
            of_b = of_a
        return of_a, of_b

    def probabilities(self, rows: Softmax, columns: Softmax | None) -> Weigh:
        """Return the function of a tile (i, j) and two spaces that computes its W, from each softmax."""
        xp, f = array_namespace(self.rows), rows.factor
        m = self.columns.shape[0]
        g = xp.zeros((m,), dtype=f.dtype, device=device(f)) if columns is None else columns.factor
        # (f_i, 1) and (1, g_j), whose scalar product is f_i + g_j
        f_and_one = xp.stack((f, xp.ones_like(f)), axis=1)
        one_and_g = xp.stack((xp.ones_like(g), g), axis=1)

        def weigh(i: int, j: int, spaces: Array) -> Array:
            made = self.kept.pop((i, j), None)
            if made is None:
                made = self.compute(i, j, spaces[0, ...])
            of_rows, of_columns = self.block_of_rows(i), self.block_of_columns(j)
            if self.no_shift:
                space = spaces[1, : made.shape[0], : made.shape[1]]
                g_and_ones = xp.matrix_transpose(one_and_g[of_columns, :])
                w = compute_into(space, xp.matmul, f_and_one[of_rows, :], g_and_ones)
                w *= made
                return w
            w = xp.exp(made - rows.shift[of_rows][:, None]) * f[of_rows][:, None]
            if columns is not None:
                w += xp.exp(made - columns.shift[of_columns]) * g[of_columns]
            return w

        return weigh

    def sigmoids(self, rows: Logistic) -> Weigh:
        """The same for W_ij = factor_i sigmoid(S_ij + shift_i)."""
        exponentials = self.capped_exponentials(rows.shift)

        def weigh(i: int, j: int, spaces: Array) -> Array:
            w = self.kept.pop((i, j), None)
            if w is None:
                u, _ = exponentials(i, j, spaces[0, ...])
                w = divide_by_one_more(u, spaces[1, : u.shape[0], : u.shape[1]])
            w *= rows.factor[self.block_of_rows(i)][:, None]
            return w

        return weigh

    def capped_exponentials(self, shift: Array) -> Callable[[int, int, Array], tuple[Array, Array | float]]:
        """Return the function of a tile (i, j) and a space that computes e^min(x, cap), x = S_ij + shift_i, and
        for each row Σ_j max(x − cap, 0). The cap is so large that sigmoid(cap) is 1 and
        softplus(x) = softplus(cap) + x − cap above it, and so small that nothing overflows.
        """
        xp = array_namespace(shift)
        cap = 0.9 * math.log(xp.finfo(shift.dtype).max)
        overflows = self.bound + float(xp.max(shift)) > cap

        def compute(i: int, j: int, space: Array) -> tuple[Array, Array | float]:
            x = self.compute_scores(i, j, space)
            x += shift[self.block_of_rows(i)][:, None]
            above_cap: Array | float = 0.0
            if overflows:
                above_cap = stable_sum(xp.where(x > cap, x - cap, xp.zeros_like(x)))
                x[x > cap] = cap
            return compute_into(x, xp.exp, x), above_cap

        return compute


def divide_by_one_more(u: Array, space: Array) -> Array:
    """u/(1 + u), written over u; 1 + u is written into `space` if the library allows."""
    u /= compute_into(space, array_namespace(u).add, u, 1)
    return u


def bound_scores(rows: Array, columns: Array, times: int) -> tuple[float, bool]:
    """Upper bound on |S_ij|, and whether exp(S) needs no shift: e^{−times·bound} is normal, with room to spare."""
    xp = array_namespace(rows)
    sides = (rows,) if columns is rows or not columns.shape[0] else (rows, columns)
    lengths = [float(xp.max(xp.linalg.vecdot(x, x))) for x in sides]
    # |S_ij| ≤ ‖a_i‖ ‖b_j‖, and the rounding error of a scalar product is at most d eps times that
    numbers = xp.finfo(rows.dtype)
    slack = 1 + 4 * (rows.shape[1] + 1) * float(numbers.eps)
    bound = min(math.sqrt(lengths[0] * lengths[-1]) * slack, float(numbers.max))
    return bound, times * bound < -0.9 * math.log(numbers.smallest_normal)


def count_cached(x: Array) -> int:
    """Count the numbers of x's dtype that fill a core's second-level cache, or a suitable number on a GPU."""
    if not is_numpy_namespace(array_namespace(x)):
        return NUMBERS_ON_A_DEVICE
    return second_level_cache() // x.dtype.itemsize


@cache
def second_level_cache() -> int:
    """Bytes of one core's second-level cache, as Linux reports it; half a megabyte if it does not."""
    with contextlib.suppress(OSError, ValueError):
        return 2**10 * int(SECOND_LEVEL_CACHE.read_text().strip().removesuffix("K"))
    return 2**19


def choose_side(x: Array, n: int, m: int, *, symmetric: bool) -> int:
    """Choose the side of a tile: half of min(n, m), of symmetric scores an eighth, but at least 256 and at most
    what fills the cache, so that the blocks are equal, and even in number.

    Measured: with fewer blocks, a larger part of symmetric scores is in tiles on the diagonal, half of which is
    computed twice; smaller tiles cost more calls than they save.
    """
    fewer = max(1, min(n, m))
    part = fewer // 8 if symmetric else fewer // 2
    largest = min(math.isqrt(count_cached(x)), max(SMALLEST, part))
    blocks = 2 * math.ceil(fewer / (2 * largest))
    return max(SMALLEST, 8 * math.ceil(fewer / blocks / 8))


def rounds(scores: Scores) -> Iterator[list[tuple[int, int]]]:
    """Yield this share's tiles (i, j) with scores that count, one of each pair (i, j), (j, i) of symmetric scores,
    in rounds; no i and no j occurs twice in a round. The shares take tiles in turn.
    """
    n, m = (-(-x.shape[0] // scores.tile) for x in (scores.rows, scores.columns))
    share, shares = (scores.peers.rank, scores.peers.count) if scores.peers else (0, 1)
    turns = cycle(range(shares))
    for k in range(n // 2 + 1 if scores.symmetric else max(n, m)):
        if scores.symmetric:
            tiles = [(i, (i + k) % n) for i in range(n // 2 if 2 * k == n else n)]
        else:
            tiles = [(i, (i + k) % m) for i in range(n)] if n <= m else [((j + k) % n, j) for j in range(m)]
        counted = [tile for tile in tiles if scores.is_counted(*tile) is not False]
        if own := [tile for tile in counted if next(turns) == share]:
            yield own
