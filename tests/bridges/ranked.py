"""Run `call(rank, *arguments)` in processes of one gloo group, and return each rank's answer."""

import datetime
import multiprocessing
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import torch
import torch.distributed as dist


def work(call, rank, count, store, arguments):
    torch.set_num_threads(1)  # other threads are not forked
    limit = datetime.timedelta(seconds=60)
    dist.init_process_group("gloo", init_method=store.as_uri(), rank=rank, world_size=count, timeout=limit)
    return call(rank, *arguments)


def on_ranks(call, count, *arguments):
    """Return the answers in the order of the ranks; raise the first rank's exception."""
    fork = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(count, fork) as pool:
        store = Path(folder, "store")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the warning that forking does not copy threads
            # no rank ends before all have joined, so that each has a process of its own
            asked = [pool.submit(work, call, rank, count, store, arguments) for rank in range(count)]
        return [rank.result() for rank in asked]
