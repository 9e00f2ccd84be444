"""Progress on standard error: a bar that disappears at the end, or a line every few seconds without a terminal."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from time import monotonic
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
    bar.add_task(words, total=None)
    (task,), last = bar.tasks, monotonic()

    def tell(words: str, done: int, total: int | None) -> None:
        nonlocal last
        bar.update(task.id, description=words, completed=done, total=total)
        if not console.is_interactive and monotonic() - last >= EVERY:
            last = monotonic()
            left = f", about {task.time_remaining:.0f} s left" if task.time_remaining else ""
            print(f"{words}: {done} of {total}, {task.elapsed:.0f} s{left}", file=sys.stderr, flush=True)

    with bar if console.is_interactive else nullcontext():
        yield tell


def work_through(
    work: Callable, items: Sequence, label: Callable[[Any], str], parallel: bool = False
) -> Iterator[Any]:
    """Yield work(item) for each item, in order, and show the bar; parallel: use one process for each processor.

    For this, work must be a function of a module, and the items picklable. If the caller is interrupted, it keeps
    the results so far, and no process is left.
    """
    processes = min(os.cpu_count() or 1, len(items)) if parallel else 1
    with show_bar(label(items[0]) if items else "") as tell, _open_map(work, items, processes) as results:
        for done, (item, result) in enumerate(zip(items, results), 1):
            tell(label(item), done, len(items))
            yield result


@contextmanager
def _open_map(work: Callable, items: Sequence, processes: int) -> Iterator[Iterator[Any]]:
    if processes <= 1:
        yield map(work, items)
        return
    # not forked: a copy of a process with threads (BLAS, the bar) may wait for them for ever
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _end_with_parent) as pool:
        # processes that are started while Ctrl-C is ignored ignore it too; their parent ends them
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            results = pool.map(work, items)
        finally:
            signal.signal(signal.SIGINT, before)
        try:
            yield results
        except BaseException:
            for process in multiprocessing.active_children():  # do not wait for results that are not used
                process.kill()
            raise


def _end_with_parent() -> None:
    """Have a process end when its parent ends, even if the parent is killed."""
    parent: Any = multiprocessing.parent_process()
    threading.Thread(target=lambda: (parent.join(), os._exit(1)), daemon=True).start()
