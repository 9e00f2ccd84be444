"""Scores of float32 tensors on an NVIDIA GPU: each pass is one Triton kernel, and no tile leaves the processor.

The passes are those of `tiles.Scores`. A program takes a block of rows and goes over all columns: it computes a
tile of S = A Bᵀ, and either adds its exponentials to the sums of its rows, or multiplies its probabilities by the
rows of B. For the columns the same kernels run with A and B exchanged, so that nothing is added atomically, and a
second run gives the same bits. Symmetric scores need one side only.
"""

import contextlib
import functools
import warnings
from typing import Any, NamedTuple

import torch
import triton
import triton.language as tl
from triton.runtime.errors import OutOfResources

from ..arrays import Array
from . import tiles
from .engine import INTERPRETED
from .sums import Logistic, Softmax, Sums

FEATURES = 256  # most features of a row, which a program holds at once
# The largest |score|. Rows and columns compute a score in another order, so that it differs by its rounding error,
# and e^score by eps·|score|. The passes over tiles see the same scores, and so lose nothing.
BOUND = 1024.0
LEAST = (8, 0)  # the compute capability of the oldest GPU with such products
# a factor as the sum of three bfloat16 or two TF32 numbers, for tensor cores; the error is as in float32
SPLIT = "bf16x6" if tuple(map(int, triton.__version__.split(".")[:2])) >= (3, 5) else "tf32x3"
PRECISION = "ieee" if INTERPRETED else SPLIT
# rows and columns of a tile, and warps of its program: the first that fits into the GPU's shared memory is taken.
# On an H200 with 128 features the first was the fastest of ten; with more features it does not fit.
SHAPES = ((128, 64, 8), (64, 64, 4), (64, 32, 4), (32, 32, 4), (16, 16, 4))
fitting: dict[Any, tuple[int, int, int]] = {}  # the shape of each kernel that has run


@triton.jit
def load_rows(X, i, k, n, d):
    """Rows i of X (n, d), features k; 0 beyond its ends."""
    return tl.load(X + i.to(tl.int64)[:, None] * d + k[None, :], (i[:, None] < n) & (k[None, :] < d), 0.0)


@triton.jit
def compute_tile(
    a, b, i, j, m, first, last, EXCLUDED: tl.constexpr, PART: tl.constexpr, PRECISION: tl.constexpr
):
    """Rows a and b's scores; −∞ where they do not count."""
    s = tl.dot(a, tl.trans(b), input_precision=PRECISION, out_dtype=a.dtype)
    counts = (j < m)[None, :]
    if EXCLUDED > 0:
        counts = counts & (i[:, None] // EXCLUDED != j[None, :] // EXCLUDED)
    within = (j[None, :] >= first[:, None]) & (j[None, :] < last[:, None])
    if PART == "within":
        counts = counts & within
    if PART == "across":
        counts = counts & (within == 0)
    return tl.where(counts, s, float("-inf"))


@triton.jit
def log_one_plus(x):
    """log(1 + x), 0 ≤ x ≤ 1, with a relative error of a few units in the last place."""
    y = 1 + x
    return tl.where(y == 1, x, tl.log(y) * x / (y - 1))


@triton.jit
def sigmoid(x):
    e = tl.exp(-tl.abs(x))
    return tl.where(x < 0, e, 1.0) / (1 + e)


@triton.jit
def add(total, lost, more):
    """One step of compensated sums: add `more` to the totals, and the rounding errors to `lost`."""
    after = total + more
    added = after - total
    return after, lost + ((total - (after - added)) + (more - added))


@triton.jit
def sum_kernel(
    A, B, SHIFT, FIRST, LAST, M, T, LOST, U, n, m, d, least,
    KIND: tl.constexpr, EXCLUDED: tl.constexpr, PART: tl.constexpr, PRECISION: tl.constexpr,
    D: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    """The sums of each row over its columns. KIND "exp": T + LOST = Σ e^S · "shifted": the largest score M, and
    Σ e^{S − M} · "logistic": Σ softplus(S + SHIFT), and U = Σ sigmoid(S + SHIFT)."""
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    k = tl.arange(0, D)
    a = load_rows(A, i, k, n, d)
    first, last = tl.load(FIRST + i, i < n, 0), tl.load(LAST + i, i < n, 0)
    low, high = 0, m
    if PART == "within":
        low, high = tl.min(tl.where(i < n, first, m), 0), tl.max(last, 0)
    total = tl.zeros((ROWS,), dtype=a.dtype)
    lost, other, other_lost, shift = total, total, total, total + least
    if KIND == "logistic":
        shift = tl.load(SHIFT + i, i < n, 0.0)
    for start in range(low, high, COLUMNS):
        j = start + tl.arange(0, COLUMNS)
        s = compute_tile(a, load_rows(B, j, k, m, d), i, j, m, first, last, EXCLUDED, PART, PRECISION)
        if KIND == "exp":
            total, lost = add(total, lost, tl.sum(tl.exp(s), 1))
        if KIND == "shifted":
            larger = tl.maximum(shift, tl.max(s, 1))
            smaller = tl.exp(shift - larger)
            total, lost = add(total * smaller, lost * smaller, tl.sum(tl.exp(s - larger[:, None]), 1))
            shift = larger
        if KIND == "logistic":
            s += shift[:, None]
            softplus = tl.maximum(s, 0.0) + log_one_plus(tl.exp(-tl.abs(s)))
            total, lost = add(total, lost, tl.sum(softplus, 1))
            other, other_lost = add(other, other_lost, tl.sum(sigmoid(s), 1))
    tl.store(M + i, shift, i < n)
    tl.store(T + i, total, i < n)
    tl.store(LOST + i, lost, i < n)
    tl.store(U + i, other + other_lost, i < n)


@triton.jit
def product_kernel(
    A, B, F, SHIFT, FACTOR, OTHER_SHIFT, OTHER_FACTOR, FIRST, LAST, OUT, n, m, d, f,
    KIND: tl.constexpr, OF_ROWS: tl.constexpr, OF_COLUMNS: tl.constexpr, EXCLUDED: tl.constexpr,
    PART: tl.constexpr, PRECISION: tl.constexpr, D: tl.constexpr, K: tl.constexpr,
    ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    """OUT = W F, F (m, f): W_ij = FACTOR_i e^{S_ij − SHIFT_i} + OTHER_FACTOR_j e^{S_ij − OTHER_SHIFT_j}, the first
    term if OF_ROWS, the second if OF_COLUMNS. KIND "exp": without shifts · "logistic": sigmoid(S + SHIFT) in place
    of the exponential."""
    i = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    k, wide = tl.arange(0, D), tl.arange(0, K)
    a = load_rows(A, i, k, n, d)
    first, last = tl.load(FIRST + i, i < n, 0), tl.load(LAST + i, i < n, 0)
    low, high = 0, m
    if PART == "within":
        low, high = tl.min(tl.where(i < n, first, m), 0), tl.max(last, 0)
    if OF_ROWS:
        shift, factor = tl.load(SHIFT + i, i < n, 0.0)[:, None], tl.load(FACTOR + i, i < n, 0.0)[:, None]
    out = tl.zeros((ROWS, K), dtype=a.dtype)
    for start in range(low, high, COLUMNS):
        j = start + tl.arange(0, COLUMNS)
        s = compute_tile(a, load_rows(B, j, k, m, d), i, j, m, first, last, EXCLUDED, PART, PRECISION)
        w = tl.zeros((ROWS, COLUMNS), dtype=a.dtype)
        if OF_COLUMNS:
            other_shift = tl.load(OTHER_SHIFT + j, j < m, 0.0)[None, :]
            other_factor = tl.load(OTHER_FACTOR + j, j < m, 0.0)[None, :]
        if KIND == "exp":
            if OF_ROWS:
                w += factor
            if OF_COLUMNS:
                w += other_factor
            w *= tl.exp(s)
        if KIND == "shifted":
            if OF_ROWS:
                # a score may exceed its row's largest by rounding
                w += tl.exp(tl.minimum(s - shift, 0.0)) * factor
            if OF_COLUMNS:
                w += tl.exp(tl.minimum(s - other_shift, 0.0)) * other_factor
        if KIND == "logistic":
            if OF_ROWS:
                w += sigmoid(s + shift) * factor
            if OF_COLUMNS:
                w += sigmoid(s + other_shift) * other_factor
        out = tl.dot(w, load_rows(F, j, wide, m, f), out, input_precision=PRECISION, out_dtype=a.dtype)
    tl.store(OUT + i.to(tl.int64)[:, None] * f + wide[None, :], out, (i[:, None] < n) & (wide[None, :] < f))


class Side(NamedTuple):
    """The scores seen from their rows or from their columns: a (n, d) against b (m, d) · first, last (n,): where
    the columns of each row's class begin and end; zeros, which nothing uses, if all scores count."""

    a: Array
    b: Array
    first: Array
    last: Array


class Scores(NamedTuple):
    """S = A Bᵀ, as `tiles.Scores`. excluded: 1 if a row leaves out its score with itself, 2 with its pair, or 0 ·
    part: the scores that count, "within" or "across" classes, or "" for all."""

    of_rows: Side
    of_columns: Side
    bound: float
    no_shift: bool
    excluded: int
    part: str
    progress: tiles.Progress | None

    @property
    def rows(self) -> Array:
        return self.of_rows.a

    @property
    def columns(self) -> Array:
        return self.of_rows.b

    @property
    def symmetric(self) -> bool:
        return self.columns is self.rows

    def sums(self, *, of_columns: bool = True, shift: Array | None = None) -> tuple[Sums, ...]:
        """The first pass: see `tiles.Scores.sums`."""
        both = of_columns and not self.symmetric and shift is None
        least = 0.0 if self.no_shift or shift is not None else -self.bound
        found = [self.add_up(side, least, shift) for side in (self.of_rows, self.of_columns)[: 1 + both]]
        self.report()
        if shift is None:
            return tuple(Sums(*each[:3]) for each in found)
        nothing = torch.zeros_like(shift)
        _, total, lost, slopes = found[0]
        return Sums(nothing, total, lost), Sums(nothing, slopes, nothing)

    def products(
        self,
        rows: Softmax | Logistic,
        columns: Softmax | None = None,
        factors: tuple[Array, Array] | None = None,
    ) -> tuple[Array, Array]:
        """The second pass: see `tiles.Scores.products`."""
        a, b = factors or (self.rows, self.columns)
        own, other = (None if side is None else (side.shift, side.factor) for side in (rows, columns))
        kind = "logistic" if isinstance(rows, Logistic) else self.kind
        of_a = self.multiply(self.of_rows, b, own, other, kind)
        same = self.symmetric and a is b and rows is columns
        of_b = of_a if same else self.multiply(self.of_columns, a, other, own, kind)
        self.report()
        return of_a, of_b

    def report(self) -> None:
        if self.progress:
            self.progress(1, 1)

    @property
    def kind(self) -> str:
        return "exp" if self.no_shift else "shifted"

    def add_up(self, side: Side, least: float, shift: Array | None = None) -> list[Array]:
        """Run `sum_kernel`; with a shift, of logistic functions."""
        made = [torch.empty_like(side.a[:, 0]) for _ in range(4)]
        kind = self.kind if shift is None else "logistic"
        given = made[0] if shift is None else shift.contiguous()
        self.launch(sum_kernel, side, (side.a, side.b, given, side.first, side.last, *made), (least,), kind)
        return made

    def multiply(self, side: Side, f: Array, own: Any, other: Any, kind: str) -> Array:
        """Run `product_kernel`. own, other: shift and factor of the rows and of the columns, or None."""
        if f.shape[1] > FEATURES:
            parts = f.split(FEATURES, dim=1)
            return torch.cat([self.multiply(side, part, own, other, kind) for part in parts], dim=1)
        out = torch.empty((side.a.shape[0], f.shape[1]), dtype=f.dtype, device=f.device)
        sides = [x.contiguous() for x in (*(own or other), *(other or own))]
        arrays = side.a, side.b, f.contiguous(), *sides, side.first, side.last, out
        which = {"OF_ROWS": own is not None, "OF_COLUMNS": other is not None, "K": width(f)}
        self.launch(product_kernel, side, arrays, (f.shape[1],), kind, **which)
        return out

    def launch(
        self, kernel: Any, side: Side, arrays: tuple, numbers: tuple, kind: str, **options: Any
    ) -> None:
        """Run a kernel with the first shape that fits into the GPU's shared memory."""
        n, d = side.a.shape
        if not n:
            return
        options |= {"KIND": kind, "EXCLUDED": self.excluded, "PART": self.part, "D": width(side.a)}
        key = kernel, side.a.device, *sorted(options.items())
        first = fitting.get(key, SHAPES[1] if options["D"] > 128 else SHAPES[0])
        for shape in SHAPES[SHAPES.index(first) :]:
            rows, columns, warps = shape
            how = {
                "ROWS": rows,
                "COLUMNS": columns,
                "PRECISION": PRECISION,
                "num_warps": warps,
                "num_stages": 1,
            }
            with contextlib.suppress(OutOfResources), torch.cuda.device_of(side.a):
                kernel[(triton.cdiv(n, rows),)](*arrays, n, side.b.shape[0], d, *numbers, **options, **how)
                fitting[key] = shape
                return
        raise RuntimeError(f"no tile of {d} features fits into this GPU's shared memory: pass tile=1024")


def width(x: Array) -> int:
    """Return the power of two that holds the features of x, at least 16, the least of a Triton product."""
    return max(16, triton.next_power_of_2(x.shape[1]))


def serves(rows: Array, bound: float) -> bool:
    """Whether the kernels take these rows, whose scores lie within ±bound: on a GPU, or by Triton's interpreter."""
    if rows.dtype != torch.float32 or rows.shape[1] > FEATURES or bound > BOUND:
        return False
    if INTERPRETED:
        return True
    nvidia = rows.device.type == "cuda" and torch.version.hip is None
    return nvidia and torch.cuda.get_device_capability(rows.device) >= LEAST and compiles(rows.device)


@triton.jit
def write_one(X):
    tl.store(X, 1.0)


@functools.cache
def compiles(device: torch.device) -> bool:
    """Whether Triton can compile and run a kernel on this GPU; it needs a C compiler. If not, warn."""
    x = torch.zeros(1, device=device)
    try:
        with torch.cuda.device_of(x):
            write_one[(1,)](x)
        return bool(x[0] == 1)
    except Exception as error:  # whatever its compilers raise
        why = f"{type(error).__name__}: {error}".splitlines()[0]
        warnings.warn(
            f"infonce_ref.streaming computes tiles, because Triton does not run here ({why})", stacklevel=2
        )
        return False


def plan(scores: tiles.Scores) -> Scores:
    """These scores, which no tile is cut from."""
    part, excluded = scores.part, scores.excluded
    a = scores.rows.contiguous()
    b = a if scores.symmetric else scores.columns.contiguous()
    if part is None:
        none = torch.zeros(max(a.shape[0], b.shape[0]), dtype=torch.int64, device=a.device)
        of_rows, of_columns = (none, none), (none, none)
    else:
        of_rows = of_columns = find_classes(part.rows, part.columns)
        if part.columns is not part.rows:
            of_columns = find_classes(part.columns, part.rows)
    group = 0 if excluded is None else int(excluded(torch.empty(0), 2)[0, :].sum())  # on the CPU
    kind = "" if part is None else "within" if part.within else "across"
    sides = Side(a, b, *of_rows), Side(b, a, *of_columns)
    return Scores(*sides, scores.bound, scores.no_shift, group, kind, scores.progress)


def find_classes(labels: Array, among: Array) -> tuple[Array, Array]:
    """Return where each label's class begins and ends among other labels, both sorted."""
    first, last = (torch.searchsorted(among, labels, right=right) for right in (False, True))
    return first, last
