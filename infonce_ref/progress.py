"""Progress on standard error: a bar that disappears at the end, or a line every few seconds without a terminal."""

import multiprocessing
import os
import signal
import sys
import threading
import time
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
    with _bar(console, words) if console.is_interactive else _lines(words) as told:
        yield told


@contextmanager
def _bar(console: Console, words: str) -> Iterator[Told]:
    columns = (*Progress.get_default_columns(), TextColumn("left after"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(words, total=None)
        yield lambda words, done, total: progress.update(task, description=words, completed=done, total=total)


@contextmanager
def _lines(words: str) -> Iterator[Told]:
    state: tuple[str, int, int | None] = (words, 0, None)
    over, began = threading.Event(), time.monotonic()
    stage = began, 0  # when it began, and how much was done

    def tell(words: str, done: int, total: int | None) -> None:
        nonlocal state, stage
        if total != state[2]:
            stage = time.monotonic(), done
        state = words, done, total

    def write() -> None:
        while not over.wait(EVERY):
            words, done, total = state
            so_far = f"{done} of {total}, " if total else ""
            now, (since, before), left = time.monotonic(), stage, ""
            if total and before < done < total:
                left = f", about {(now - since) * (total - done) / (done - before):.0f} s left"
            print(f"{words}: {so_far}{now - began:.0f} s{left}", file=sys.stderr, flush=True)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    try:
        yield tell
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
    pool = ProcessPoolExecutor(
        processes, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_parent
    )
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
    """Delay Ctrl-C until the end of the block. Processes that start in it never receive one; their parent
    ends them.
    """
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
