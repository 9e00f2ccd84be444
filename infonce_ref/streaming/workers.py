"""Run tiles on every core.

NumPy's matrix products use every core, its exponentials one. So threads work on tiles in parallel (NumPy releases
Python's lock while it computes), and BLAS, which computes the products, uses one core in each thread. It uses one
core with a single worker too, so that the bits do not depend on the number of workers or on what else runs in the
process. On a GPU, or with a BLAS whose threads cannot be set, the tiles run one after another with the library's
own threads.
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
Task = tuple[Tile, list[Event], Event]  # a tile, the events it waits for, and the event of its own end
Ended = Generator[int, None, None]  # yields the number of tiles of each finished round


def run(
    rounds: Sequence[Sequence[Tile]],
    work: Work,
    spaces: Sequence[Any],
    progress: Callable[[int, int], None] | None,
) -> None:
    """Call work(i, j, space) for each tile of each round. A tile starts when the earlier tiles with its i or its j
    have ended, so that sums over i or j are added in the order of the rounds.

    rounds: within a round no i and no j may occur twice, or tiles would wait for each other. spaces: one array for
    each worker. progress(done, to_do): called when the tiles of all rounds so far have ended.
    """
    done, to_do = 0, sum(map(len, rounds))
    execute = run_in_order if len(spaces) == 1 else run_in_threads
    with one_thread(), contextlib.closing(execute(rounds, work, spaces)) as ended:
        for tiles in ended:
            done += tiles
            if progress:
                progress(done, to_do)


def run_in_order(rounds: Sequence[Sequence[Tile]], work: Work, spaces: Sequence[Any]) -> Ended:
    """Run each tile in this thread."""
    for tiles in rounds:
        for i, j in tiles:
            work(i, j, spaces[0])
        yield len(tiles)


def run_in_threads(rounds: Sequence[Sequence[Tile]], work: Work, spaces: Sequence[Any]) -> Ended:
    """Run tiles in threads, which receive the next round while the current one runs, so that no thread waits for
    its end.

    Threads communicate only by two queues that Ctrl-C cannot leave locked.
    """
    given: SimpleQueue[Task | None] = SimpleQueue()
    ended: SimpleQueue[BaseException | None] = SimpleQueue()
    with ThreadPoolExecutor(len(spaces)) as pool:
        try:
            for space in spaces:
                # NumPy's error settings belong to a context, and a thread starts in a new one
                pool.submit(copy_context().run, work_until_none, work, space, given, ended)
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
            empty(given)
            for _ in spaces:
                given.put(None)
            pool.shutdown()  # a thread that still ran could put its error after `ended` is emptied
            # an error's traceback refers to this frame; the frame must not refer to the error, or both stay alive
            empty(ended)
            error = None


def work_until_none(work: Work, space: Any, given: SimpleQueue, ended: SimpleQueue) -> None:
    """Work on the tasks of a queue until it yields None; report the end of each task, or the error, to the other
    queue.
    """
    try:
        with one_thread():  # a BLAS built on OpenMP has a setting for each thread
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


def empty(queue: SimpleQueue) -> None:
    with contextlib.suppress(Empty):
        while True:
            queue.get_nowait()
