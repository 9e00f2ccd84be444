"""Progress on standard error: a bar that disappears at the end, or a line every few seconds without a terminal."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn

EVERY = 5.0  # seconds, from one line to the next

Told = Callable[[str, int, int | None], None]  # the stage, how much of it is done, of what total


@contextmanager
def show_bar(words: str = "") -> Iterator[Told]:
    """Yield a function that reports the progress."""
    console = Console(stderr=True)
    columns = (*Progress.get_default_columns(), TextColumn("left after"), TimeElapsedColumn())
    # the time left is estimated from the whole stage
    bar = Progress(*columns, console=console, transient=True, speed_estimate_period=float("inf"))
    task = bar.add_task(words, total=None)
    with bar if console.is_interactive else _write_lines(bar):
        yield lambda words, done, total: bar.update(task, description=words, completed=done, total=total)


@contextmanager
def _write_lines(bar: Progress) -> Iterator[None]:
    """Write a line about the bar's task every few seconds."""
    over = threading.Event()

    def write() -> None:
        while not over.wait(EVERY):
            task = bar.tasks[0]
            so_far = f"{task.completed} of {task.total}, " if task.total else ""
            left = f", about {task.time_remaining:.0f} s left" if task.time_remaining else ""
            print(f"{task.description}: {so_far}{task.elapsed or 0:.0f} s{left}", file=sys.stderr, flush=True)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    try:
        yield
    finally:
        over.set()
        writer.join()


def work_through(
    work: Callable, items: Sequence, label: Callable[[Any], str], parallel: bool = False
) -> Iterator[Any]:
    """Yield work(item) for each item, in order, and show the bar; parallel: use one process for each processor.

    For this, work must be a function of a module, and the items picklable. If the caller is interrupted, it keeps
    the results so far, and no process is left.
    """
    processes = min(os.cpu_count() or 1, len(items)) if parallel else 1
    with show_bar(label(items[0]) if items else "") as told, _open_map(work, items, processes) as results:
        for done, (item, result) in enumerate(zip(items, results), 1):
            told(label(item), done, len(items))
            yield result


@contextmanager
def _open_map(work: Callable, items: Sequence, processes: int) -> Iterator[Iterator[Any]]:
    if processes <= 1:
        yield map(work, items)
        return
    before = set(multiprocessing.active_children())
    # not forked: a copy of a process with threads (BLAS, the bar) may wait for them for ever
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _end_with_parent)
    try:
        with _hold_interrupts():
            results = pool.map(work, items)
        yield results
    except BaseException:
        # the results of these are no longer needed, and may take long
        for process in set(multiprocessing.active_children()) - before:
            process.kill()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _hold_interrupts() -> Iterator[None]:
    """Delay Ctrl-C to the end of the block. Processes started in it never receive one; their parent ends them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    """Have a process end when its parent ends, even if the parent is killed."""

    def wait() -> None:
        parent = multiprocessing.parent_process()
        assert parent is not None
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
