"""Run tiles on every core.

NumPy's matrix products use every core, its exponentials one. So threads work on tiles in parallel (NumPy releases
Python's lock while it computes), and BLAS, which computes the products, uses one core in each thread. It uses one
core with a single worker too, so that the bits do not depend on the number of workers or on what else runs in the
process. On a GPU, or with a BLAS whose threads cannot be set, the tiles run one after another with the library's
own threads.

The thread that calls works too, and needs none of the others. They communicate by queues alone: Ctrl-C in a call of
a ThreadPoolExecutor may leave a lock held, for which the others would wait.
"""

import contextlib
from collections.abc import Callable, Sequence
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from .. import threads

Tile = tuple[int, int]
Work = Callable[[int, int, Any], None]
End = SimpleQueue[None]  # of a tile: never empty again from its end on
Task = tuple[Tile, list[End], End]  # a tile, the ends it waits for, and its own


def run(
    rounds: Sequence[Sequence[Tile]],
    work: Work,
    spaces: Sequence[Any],
    progress: Callable[[int, int], None] | None,
) -> None:
    """Call work(i, j, space) for each tile of each round, in this thread and in a helper for each further space. A
    tile starts when the earlier tiles with its i or its j have ended, so that sums over i or j are added in the
    order of the rounds. A round is given out while the one before it runs, so that no thread waits for its end.

    rounds: within a round no i and no j may occur twice, or tiles would wait for each other. spaces: one array for
    each worker. progress(done, to_do): called when the tiles of all rounds so far have ended.
    """
    given: SimpleQueue[Task | None] = SimpleQueue()
    ended: SimpleQueue[BaseException | None] = SimpleQueue()
    ends: list[End] = []
    last: dict[tuple[str, int], End] = {}
    done, running, to_do = 0, 0, sum(map(len, rounds))
    # NumPy's error settings belong to a context, and a thread has its own
    helpers = [
        Thread(target=copy_context().run, args=(help_until_none, work, space, given, ended), daemon=True)
        for space in spaces[1:]
    ]
    with threads.one_thread():
        try:
            for helper in helpers:
                with contextlib.suppress(RuntimeError):  # no thread can start, as while Python ends
                    helper.start()
            for tiles in (*rounds, ()):
                for i, j in tiles:
                    own = ("row", i), ("column", j)
                    ends.append(SimpleQueue())
                    given.put(((i, j), [last[side] for side in own if side in last], ends[-1]))
                    last |= dict.fromkeys(own, ends[-1])
                for _ in range(running):
                    task = None
                    with contextlib.suppress(Empty):  # first see whether a helper has met an error
                        task = given.get_nowait() if ended.empty() else None
                    if task:
                        perform(work, spaces[0], task)
                    elif error := ended.get():
                        raise error
                done += running
                if running and progress:
                    progress(done, to_do)
                running = len(tiles)
        finally:
            empty(given)
            for end in ends:  # a tile whose turn never came must not keep a helper waiting
                end.put(None)
            for _ in helpers:
                given.put(None)
            for helper in filter(Thread.is_alive, helpers):
                helper.join()
            # an error's traceback refers to frames; they must not refer to the error, or both stay alive
            empty(ended)
            error = None


def help_until_none(work: Work, space: Any, given: SimpleQueue, ended: SimpleQueue) -> None:
    """Perform the tasks of a queue until it yields None; report the end of each task, or the error, to another
    queue.
    """
    try:
        with threads.one_thread():  # a BLAS built on OpenMP has a setting for each thread
            while task := given.get():
                perform(work, space, task)
                ended.put(None)
    except BaseException as found:
        ended.put(found)
    del space


def perform(work: Work, space: Any, task: Task) -> None:
    """Work on a tile when the tiles that it waits for have ended."""
    (i, j), before, end = task
    try:
        for other in before:
            other.put(other.get())
        work(i, j, space)
    finally:
        end.put(None)


def empty(queue: SimpleQueue) -> None:
    with contextlib.suppress(Empty):
        while True:
            queue.get_nowait()
