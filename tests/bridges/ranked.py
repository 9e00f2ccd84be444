"""Run `call(rank, *arguments)` in processes of one gloo group, and return each rank's answer."""

import contextlib
import datetime
import multiprocessing
import tempfile
import warnings
from pathlib import Path

import torch
import torch.distributed as dist


def work(call, rank, count, store, pipe, arguments):
    torch.set_num_threads(1)  # other threads are not forked
    limit = datetime.timedelta(seconds=60)
    try:
        dist.init_process_group(
            "gloo", init_method=store.as_uri(), rank=rank, world_size=count, timeout=limit
        )
        pipe.send(call(rank, *arguments))
    except BaseException as error:
        with contextlib.suppress(OSError):
            pipe.send(error)


def on_ranks(call, count, *arguments):
    """Return the answers in the order of the ranks; an exception is an answer."""
    context = multiprocessing.get_context("fork")
    with tempfile.TemporaryDirectory() as folder:
        started = []
        for rank in range(count):
            here, there = context.Pipe()
            given = (call, rank, count, Path(folder, "store"), there, arguments)
            process = context.Process(target=work, args=given, daemon=True)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the warning that forking does not copy threads
                process.start()
            there.close()
            started.append((process, here))
        try:
            assert all(pipe.poll(90) for _, pipe in started), "a rank does not answer"
            return [pipe.recv() for _, pipe in started]
        finally:
            for process, _ in started:
                process.kill()
                process.join()
