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

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import reduce
from itertools import pairwise
from typing import Any, Protocol

from ..arrays import Array, array_namespace, device
from . import tiles
from .sums import Sums


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


class Scores(tiles.Scores):
    """S = A Bᵀ, as `tiles.Scores`; this rank computes its share of the tiles."""

    def sums(self, *, of_columns: bool = True, shift: Array | None = None) -> tuple[Sums, ...]:
        """The first pass: see `tiles.Scores.sums`."""
        return tuple(merge(self.peers, side) for side in super().sums(of_columns=of_columns, shift=shift))

    def products(self, *weights: Any, **factors: Any) -> tuple[Array, Array]:
        """The second pass; returns this rank's contribution times the number of ranks: see
        `tiles.Scores.products`.
        """
        of_a, of_b = super().products(*weights, **factors)
        of_a *= self.peers.count
        if of_b is not of_a:
            of_b *= self.peers.count
        return of_a, of_b


def cut(scores: tiles.Scores, peers: Peers, workers: int) -> Scores:
    """Cut the scores as rank 0 does, because other machines may have other caches and round differently, and
    take this rank's tiles.
    """
    chosen = scores.cut(workers)
    here = array_namespace(scores.rows).asarray([[chosen.tile, scores.no_shift]], device=device(scores.rows))
    first = peers.exchange([here] * peers.count, [1] * peers.count)[0]
    same = scores._replace(tile=int(first[0, 0]), no_shift=bool(first[0, 1]), peers=peers)
    return Scores(*same.cut(chosen.workers, tiles.KEPT))


def merge(peers: Peers, own: Sums) -> Sums:
    """Add up the sums of all ranks: each rank adds those of some rows, and sends them to all."""
    xp = array_namespace(own.shift)
    numbers = xp.stack((own.shift, own.total), axis=1)
    ends = [own.shift.shape[0] * k // peers.count for k in range(peers.count + 1)]
    cuts = [slice(*both) for both in pairwise(ends)]
    sizes = [cut.stop - cut.start for cut in cuts]
    came = peers.exchange([numbers[cut, :] for cut in cuts], [sizes[peers.rank]] * peers.count)
    first = reduce(Sums.merge, map(unpack, came))
    added = xp.stack((first.shift, first.total), axis=1)
    return unpack(xp.concat(peers.exchange([added] * peers.count, sizes)))


def unpack(numbers: Array) -> Sums:
    shift, total = numbers[:, 0], numbers[:, 1]
    return Sums(shift, total, array_namespace(total).zeros_like(total))
