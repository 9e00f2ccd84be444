"""Streaming losses whose tiles are shared between ranks, which are threads here."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from infonce_ref import streaming
from infonce_ref.arrays import copy_array
from infonce_ref.streaming import ranks


class Peer:
    """One of the threads that exchange arrays through a table."""

    def __init__(self, rank, count, table, barrier):
        self.rank, self.count, self.table, self.barrier = rank, count, table, barrier

    def exchange(self, parts, counts):
        self.table[self.rank] = parts
        self.barrier.wait(30)
        came = [copy_array(self.table[sender][self.rank]) for sender in range(self.count)]
        self.barrier.wait(30)
        assert [x.shape[0] for x in came] == list(counts)
        return came


def on_threads(count, work):
    table, barrier = {}, Barrier(count)

    def start(rank):
        with ranks.share_tiles(Peer(rank, count, table, barrier)):
            return work()

    with ThreadPoolExecutor(count) as pool:
        return [answer.result() for answer in [pool.submit(start, rank) for rank in range(count)]]


VARIANTS = [
    (loss, variant)
    for loss in streaming.ALL.values()
    for variant in ({}, {"temperature": 0.002}, *loss.variants)
    if "tile" not in variant
]


@pytest.mark.parametrize(("loss", "variant"), VARIANTS, ids=[f"{x.name}-{v}" for x, v in VARIANTS])
def test_the_mean_over_ranks_is_the_gradient(loss, variant):
    """At τ = 0.002 the scores need a shift. The rounding error is 1e-12/τ of the largest entry, because scores are
    divided by τ and the gradient by τ sums terms of both signs.
    """
    given = loss.example(rows=7, features=3, **variant)

    def work():
        value, cache = loss.forward(**given, tile=2)
        return value, loss.backward(cache, np.ones_like(value))

    value, right = work()
    found = on_threads(3, work)
    rounding = 1e-12 / given["temperature"]
    for of_rank, _ in found:
        np.testing.assert_allclose(of_rank, value, rtol=rounding, atol=rounding)
    for expected, *of_ranks in zip(right, *(gradients for _, gradients in found), strict=True):
        size = np.max(np.abs(expected), initial=0)
        np.testing.assert_allclose(sum(of_ranks) / 3, expected, rtol=0, atol=rounding * size)


def test_a_rank_may_have_no_tile_and_no_row():
    """Three rows in one tile, four ranks."""

    def work():
        loss = streaming.ALL["clip"]
        value, cache = loss.forward(np.eye(3), np.eye(3), temperature=1.0)
        return value, loss.backward(cache)

    value, right = work()
    found = on_threads(4, work)
    assert {float(of_rank) for of_rank, _ in found} == {float(value)}
    mean = sum(gradients.image for _, gradients in found) / 4
    np.testing.assert_allclose(mean, right.image, rtol=0, atol=1e-16)
    assert ranks.PEERS.get() is None  # a block that shares tiles ends with the peers before it
