"""Tiles on every core.

A matrix product of NumPy's runs on every core, its exponentials on one. So a few threads take tiles side by side
(NumPy releases Python's lock while it computes), and BLAS, which computes the products, keeps to one core in each.
It does so with one worker too, so that the bits are the same however many workers there are, and whatever else runs
in the process. On a GPU, and with a BLAS whose threads cannot be set, the tiles come one after another and the
library's own threads do what they do.
"""

import contextlib
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Event
from typing import Any

from ..threads import one_thread

Tile = tuple[int, int]
Work = Callable[[int, int, Any], None]
Task = tuple[Tile, list[Event], Event]  # a tile, the ends that it waits for, and its own
Ended = Generator[int, None, None]  # of each round that has ended, how many tiles it had


def run(
    rounds: Sequence[Sequence[Tile]],
    work: Work,
    spaces: Sequence[Any],
    progress: Callable[[int, int], None] | None,
) -> None:
    """work(i, j, space) for each tile of each round: one begins when those of the rounds before with its i, and
    those with its j, have ended, so that what is added up at either is added in the order of the rounds.

    rounds: in one no i occurs twice, and no j: such tiles would wait for one another. spaces: one for each worker,
    an array that no other writes to. progress(done, to_do): called when as many tiles have ended as all rounds so
    far hold.
    """
    done, to_do = 0, sum(map(len, rounds))
    worked = one_after_another if len(spaces) == 1 else handed_out
    with one_thread(), contextlib.closing(worked(rounds, work, spaces)) as ended:
        for tiles in ended:
            done += tiles
            if progress:
                progress(done, to_do)


def one_after_another(rounds: Sequence[Sequence[Tile]], work: Work, spaces: Sequence[Any]) -> Ended:
    """Each tile in this thread."""
    for tiles in rounds:
        for i, j in tiles:
            work(i, j, spaces[0])
        yield len(tiles)


def handed_out(rounds: Sequence[Sequence[Tile]], work: Work, spaces: Sequence[Any]) -> Ended:
    """In threads, which are given a round while the one before is at work: none waits for the whole of it.

    This thread meets them at two queues only, neither of which a Ctrl-C can leave locked.
    """
    given: SimpleQueue[Task | None] = SimpleQueue()
    ended: SimpleQueue[BaseException | None] = SimpleQueue()
    error = None

    def until_none_is_left(space: Any) -> None:
        try:
            with one_thread():  # a BLAS built on OpenMP keeps the number for each thread
                while task := given.get():
                    (i, j), before, over = task
                    try:
                        for tile in before:
                            tile.wait()
                        work(i, j, space)
                    finally:
                        over.set()
                    ended.put(None)
        except BaseException as found:
            ended.put(found)

    with ThreadPoolExecutor(len(spaces)) as pool:
        try:
            for space in spaces:
                # NumPy keeps what it does about an overflow for each context, and a thread begins in a new one
                pool.submit(copy_context().run, until_none_is_left, space)
            last_at_i: dict[int, Event] = {}
            last_at_j: dict[int, Event] = {}
            at_work = 0
            for tiles in (*rounds, ()):
                for i, j in tiles:
                    over = Event()
                    given.put(((i, j), [x for x in (last_at_i.get(i), last_at_j.get(j)) if x], over))
                    last_at_i[i] = last_at_j[j] = over
                for _ in range(at_work):
                    error = ended.get()
                    if error is not None:
                        raise error
                if at_work:
                    yield at_work
                at_work = len(tiles)
        finally:
            emptied(given)
            for _ in spaces:
                given.put(None)
            pool.shutdown()
            # an error's traceback holds this frame, which must not hold the error: what it holds would stay with it
            emptied(ended)
            error = None


def emptied(queue: SimpleQueue) -> None:
    with contextlib.suppress(Empty):
        while True:
            queue.get_nowait()
