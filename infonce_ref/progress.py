"""One progress bar for every command: on standard error, and gone when it is done."""

import multiprocessing
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


def bar() -> Progress:
    """A bar that says what is being done, how much is done, and for how long; where nobody looks on, none."""
    console = Console(stderr=True)
    console.quiet = not console.is_interactive
    columns = (TextColumn("{task.description:<34}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True)


def each(work: Callable, items: Sequence, label: Callable[[Any], str], parallel: bool = False) -> list:
    """work(item) for each item, in order, behind the bar; parallel: in one process for each processor.

    Work that is to run in parallel is a function of a module, and its items can be pickled.
    """
    processes = (os.cpu_count() or 1) if parallel else 1
    if processes == 1:
        return _behind_bar(map(work, items), items, label)
    # not forked: a copy of a process that has started threads (BLAS, the bar) may wait for them for ever
    pool = ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn"))
    try:
        return _behind_bar(pool.map(work, items), items, label)
    finally:
        pool.shutdown(cancel_futures=True)


def _behind_bar(results: Iterable, items: Sequence, label: Callable[[Any], str]) -> list:
    done = []
    with bar() as progress:
        task = progress.add_task(label(items[0]) if items else "", total=len(items))
        for item, result in zip(items, results):
            done.append(result)
            progress.update(task, description=label(item), advance=1)
    return done
