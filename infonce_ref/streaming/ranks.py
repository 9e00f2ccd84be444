"""Scores of rows that several processes, the ranks, all hold: each computes its share of the tiles.

The ranks take tiles in turn, so that their numbers of tiles differ by at most one, whatever the ranks' batch sizes,
also for symmetric scores and for classes.

1. `sums`: each rank adds up its own tiles, and the ranks exchange these O(n + m) numbers, so that all have the same
sums.
2. `products`: each rank multiplies its own tiles, and returns R times its contribution to W B and Wᵀ A, where R is
the number of ranks. The gradient of a loss is affine in these products, so the mean of the ranks' gradients is the
gradient of all tiles. The caller takes that mean; so the rows' gradients are sent once. Sums are added in the order
of the ranks, each by one rank, so that the result does not depend on the order of arrival.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import pairwise
from typing import NamedTuple, Protocol

from ..arrays import Array, array_namespace, device
from . import tiles
from .classes import Part
from .sums import Softmax, Sums


class Peers(Protocol):
    """A group of `count` ranks; `rank` is the number of this process."""

    rank: int
    count: int

    def exchange(self, parts: Sequence[Array], counts: Sequence[int]) -> list[Array]:
        """Send part s to rank s, and return the parts received from the ranks. counts: the number of rows from
        each. All ranks must call it, in the same order."""


PEERS: ContextVar[Peers | None] = ContextVar("PEERS", default=None)


@contextmanager
def share_tiles(peers: Peers | None) -> Iterator[None]:
    """Inside this block, the process computes only its share of the tiles of streaming losses. All ranks must call
    the same losses with the same arrays, and average the gradients over ranks. peers=None: compute all tiles.
    """
    before = PEERS.set(peers)
    try:
        yield
    finally:
        PEERS.reset(before)


class Scores(NamedTuple):
    """S = A Bᵀ, as `tiles.Scores`. own: this rank's tiles."""

    own: tiles.Scores
    peers: Peers

    @property
    def rows(self) -> Array:
        return self.own.rows

    @property
    def columns(self) -> Array:
        return self.own.columns

    def sums(self, *, of_columns: bool = True) -> tuple[Sums, ...]:
        """The first pass: see `tiles.Scores.sums`."""
        return tuple(merge(self.peers, side) for side in self.own.sums(of_columns=of_columns))

    def products(
        self, rows: Softmax, columns: Softmax | None, factors: tuple[Array, Array] | None = None
    ) -> tuple[Array, Array]:
        """The second pass; returns this rank's contribution times the number of ranks: see
        `tiles.Scores.products`.
        """
        return self.scale(*self.own.products(rows, columns, factors))

    def logistic_sums(self, shift: Array) -> tuple[Array, Array]:
        """See `tiles.Scores.logistic_sums`."""
        nothing = array_namespace(shift).zeros_like(shift)
        losses, slopes = (
            merge(self.peers, Sums(nothing, own, nothing)).total for own in self.own.logistic_sums(shift)
        )
        return losses, slopes

    def logistic_products(self, shift: Array, factor: Array) -> tuple[Array, Array]:
        """This rank's contribution times the number of ranks: see `tiles.Scores.logistic_products`."""
        return self.scale(*self.own.logistic_products(shift, factor))

    def scale(self, of_a: Array, of_b: Array) -> tuple[Array, Array]:
        of_a *= self.peers.count
        if of_b is not of_a:
            of_b *= self.peers.count
        return of_a, of_b


def plan(
    peers: Peers,
    rows: Array,
    columns: Array,
    tile: int | None,
    progress: tiles.Progress | None,
    excluded: Callable[[Array, int], Array] | None,
    even: bool,
    part: Part | None,
    workers: int,
) -> Scores:
    """Cut the scores as rank 0 does, because other machines may have other caches and round differently, and
    take this rank's tiles.
    """
    bound, no_shift = tiles.bound_scores(rows, columns)
    chosen = tiles.cut(rows, columns, bound, no_shift, None, even, part, tile, progress, workers)
    here = array_namespace(rows).asarray([[chosen.tile, no_shift]], device=device(rows))
    first = peers.exchange([here] * peers.count, [1] * peers.count)[0]
    side, no_shift = int(first[0, 0]), bool(first[0, 1])
    how = no_shift, excluded, even, part, side, progress, chosen.workers, tiles.KEPT
    own = tiles.cut(rows, columns, bound, *how)
    return Scores(own._replace(share=(peers.rank, peers.count)), peers)


def merge(peers: Peers, own: Sums) -> Sums:
    """Add up the sums of all ranks: each rank adds those of some rows, and sends them to all."""
    xp = array_namespace(own.shift)
    numbers = xp.stack((own.shift, own.total), axis=1)
    ends = [own.shift.shape[0] * k // peers.count for k in range(peers.count + 1)]
    cuts = [slice(*both) for both in pairwise(ends)]
    sizes = [cut.stop - cut.start for cut in cuts]
    came = peers.exchange([numbers[cut, :] for cut in cuts], [sizes[peers.rank]] * peers.count)
    first, *others = map(unpack, came)
    for other in others:
        first.merge(other)
    added = xp.stack((first.shift, first.total), axis=1)
    return unpack(xp.concat(peers.exchange([added] * peers.count, sizes)))


def unpack(numbers: Array) -> Sums:
    shift, total = numbers[:, 0], numbers[:, 1]
    return Sums(shift, total, array_namespace(total).zeros_like(total))
