"""Run tiles on every core.

NumPy's matrix products use every core, its exponentials one. So threads work on tiles in parallel (NumPy releases
Python's lock while it computes), and BLAS, which computes the products, uses one core in each thread. It uses one
core with a single worker too, so that the bits do not depend on the number of workers or on what else runs in the
process. On a GPU, or with a BLAS whose threads cannot be set, the tiles run one after another with the library's
own threads.

The thread that calls works too. The others are kept from run to run, because it takes 0.1 ms to start one, and they
only help: a run ends without them if they are busy.
"""

import contextlib
import itertools
import os
from collections.abc import Callable, Generator, Sequence
from contextvars import copy_context
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread, current_thread
from typing import Any
from weakref import ref

from .. import threads

Tile = tuple[int, int]
Work = Callable[[int, int, Any], None]
End = SimpleQueue[None]  # of a tile: never empty again from its end on
Task = tuple[Tile, list[End], End]  # a tile, the ends it waits for, and its own
Job = Callable[[], None]
Ended = Generator[int, None, None]  # yields the number of tiles of each finished round

PATIENCE = 1  # seconds after which a helper without a tile asks whether its run still exists
GONE = RuntimeError("this helper takes no more tiles")


class Helpers:
    """idle: threads without a job, each with the queue of its jobs.

    Not a ThreadPoolExecutor: Ctrl-C in its `submit` may leave a lock held, and a fork may copy it locked.
    """

    idle: "SimpleQueue[tuple[Thread, SimpleQueue[Job | None]]]"

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin without threads, as in a forked child."""
        self.idle = SimpleQueue()

    def submit(self, job: Job) -> None:
        """Have an idle thread, or a new one, do a job."""
        try:
            _, jobs = self.idle.get_nowait()
            jobs.put(job)
        except Empty:
            jobs = SimpleQueue()
            jobs.put(job)
            Thread(target=self.serve, args=(jobs,), name=__name__, daemon=True).start()

    def serve(self, jobs: "SimpleQueue[Job | None]") -> None:
        while job := jobs.get():
            job()
            job = None  # its arrays must not stay alive
            self.idle.put((current_thread(), jobs))

    def dismiss(self) -> None:
        """End the idle threads before a fork, because Python 3.12 warns if there are any."""
        with contextlib.suppress(Empty):
            while True:
                thread, jobs = self.idle.get_nowait()
                jobs.put(None)
                thread.join()


helpers = Helpers()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=helpers.dismiss, after_in_child=helpers.forget)


class Caller:
    """Exists as long as a run."""


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
    with threads.one_thread(), contextlib.closing(execute(rounds, work, spaces)) as ended:
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
    """Run tiles in this thread, and in a helper for each further space. A round is given out while the one before
    it runs, so that no thread waits for its end.

    Threads communicate only by queues, which Ctrl-C cannot leave locked.
    """
    given: SimpleQueue[Task | None] = SimpleQueue()
    ended: SimpleQueue[BaseException | None] = SimpleQueue()
    free: SimpleQueue[Any] = SimpleQueue()
    ends: list[End] = []
    last_at_i: dict[int, End] = {}
    last_at_j: dict[int, End] = {}
    running, process = 0, os.getpid()
    caller = Caller()
    try:
        for space in spaces[1:]:
            free.put(space)
            with contextlib.suppress(RuntimeError):  # no thread can start, as while Python ends
                # NumPy's error settings belong to a context, and a thread has its own
                helpers.submit(
                    partial(copy_context().run, help_until_none, work, free, given, ended, ref(caller))
                )
        for tiles in (*rounds, ()):
            for i, j in tiles:
                end: End = SimpleQueue()
                ends.append(end)
                given.put(((i, j), [x for x in (last_at_i.get(i), last_at_j.get(j)) if x], end))
                last_at_i[i] = last_at_j[j] = end
            for _ in range(running):
                task = None
                with contextlib.suppress(Empty):  # first see whether a helper has met an error
                    task = given.get_nowait() if ended.empty() else None
                if task:
                    perform(work, spaces[0], task)
                elif error := ended.get():
                    raise error
            if running:
                yield running
            running = len(tiles)
    finally:
        drain(given)
        for end in ends:  # a tile whose turn never came must not keep a helper waiting
            end.put(None)
        at_work = len(spaces) - 1 - drain(free)  # a helper that finds no space does nothing
        for _ in range(at_work):
            given.put(None)
        if os.getpid() != process:
            at_work = 0  # a child that `progress` forked has no helpers
        while at_work:
            at_work -= ended.get() is GONE
        # an error's traceback refers to this frame; the frame must not refer to the error, or both stay alive
        error = None


def help_until_none(
    work: Work, free: SimpleQueue, given: SimpleQueue, ended: SimpleQueue, caller: Callable[[], Caller | None]
) -> None:
    """Take a space, and perform the tasks of a queue until it yields None; report the end of each task, or the
    error, to another queue.
    """
    try:
        space = free.get_nowait()
    except Empty:
        return
    try:
        with threads.one_thread():  # a BLAS built on OpenMP has a setting for each thread
            while task := wait_for_task(given, caller):
                perform(work, space, task)
                ended.put(None)
    except BaseException as found:
        ended.put(found)
    del space
    ended.put(GONE)


def wait_for_task(given: "SimpleQueue[Task | None]", caller: Callable[[], Caller | None]) -> Task | None:
    """Return the next task; None too if the caller is gone, because Ctrl-C interrupted the end of its run."""
    while True:
        try:
            return given.get(timeout=PATIENCE)
        except Empty:
            if caller() is None:
                return None


def perform(work: Work, space: Any, task: Task) -> None:
    """Work on a tile when the tiles that it waits for have ended."""
    (i, j), before, end = task
    try:
        for other in before:
            other.put(other.get())
        work(i, j, space)
    finally:
        end.put(None)


def drain(queue: SimpleQueue) -> int:
    """Empty a queue; return how many it held."""
    for count in itertools.count():
        try:
            queue.get_nowait()
        except Empty:
            return count
    raise AssertionError
