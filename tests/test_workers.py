"""Tiles in parallel, with BLAS on one thread."""

import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import pytest

from infonce_ref.streaming import workers

TILES = [(0, 0), (1, 1)]


# --- threads ---------------------------------------------------------------------------------------------


def test_a_run_needs_no_helper(monkeypatch, two_workers):
    """None can start, as while Python ends."""

    def refuse(thread):
        raise RuntimeError("can't create new thread at interpreter shutdown")

    seen = []
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        workers.run([TILES, [(0, 1)]], lambda i, j, space: seen.append((i, j)), [None, None], None)
    assert seen == [*TILES, (0, 1)]


FORKED = """
import os, sys, warnings
import numpy as np
from infonce_ref import streaming
from infonce_ref.threads import numbers

when, children, w = sys.argv[1], [], np.random.default_rng(0).standard_normal((40, 5))
before = numbers()
assert before and min(before) > 1


class Left(Exception):
    pass


def both(progress=None):
    value, cache = streaming.ntxent.forward(w, temperature=0.1, tile=4, progress=progress)
    return value, streaming.ntxent.backward(cache).w.tobytes(), numbers()


def fork(*progress):
    if children:
        return
    if child := os.fork():
        children.append(os.waitpid(child, 0)[1])
    elif when == "in a run that it leaves":
        raise Left
    else:
        os._exit(both() != right)


right = both()
if when == "between runs":
    fork()
else:
    warnings.simplefilter("ignore")  # a fork beside threads is what is tested
    try:
        both(fork)
    except Left:
        os._exit(both() != right)
assert (children, both(), right[2]) == ([0], right, before)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="without fork no child lacks the threads")
@pytest.mark.parametrize("when", ["between runs", "during a run", "in a run that it leaves"])
def test_a_forked_child_runs_tiles_and_forgets_the_blocks_of_blas(when):
    """Between runs no thread is alive, or Python 3.12 would warn."""
    root = Path(workers.__file__).parents[2]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "2", "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", FORKED, when]
    ran = subprocess.run(command, env=environment, timeout=60, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


# --- rounds ----------------------------------------------------------------------------------------------


class Interrupted(Exception):
    """The exception that ends a run."""


@pytest.mark.parametrize("in_caller", [False, True])
def test_an_error_in_a_worker_is_raised_when_no_tile_runs(two_workers, in_caller):
    both, here, ended = threading.Barrier(2), threading.get_ident(), []

    def work(i, j, space):
        both.wait(60)
        if in_caller == (threading.get_ident() == here):
            raise Interrupted
        time.sleep(0.05)
        ended.append((i, j))

    with pytest.raises(Interrupted):
        workers.run([TILES], work, [None, None], None)
    assert len(ended) == 1


@pytest.mark.parametrize("later", [0, 0.05])
def test_an_error_leaves_nothing_in_memory(two_workers, later):
    """Memory that made a worker fail must be freed before Python's next search for cycles, even if another worker
    fails after the error of the first one was raised.
    """

    class Space:
        pass

    spaces = [Space(), Space()]
    alive = [weakref.ref(space) for space in spaces]
    both = threading.Barrier(2)

    def work(i, j, space):
        both.wait(60)
        time.sleep(j * later)
        raise MemoryError

    gc.disable()
    try:
        with pytest.raises(MemoryError):
            workers.run([TILES, [(0, 1)]], work, spaces, None)
        del spaces
        assert [space() for space in alive] == [None, None]
    finally:
        gc.enable()


def test_ctrl_c_leaves_no_lock_held(monkeypatch, two_workers):
    """An interrupt between a Condition's lock and its release would leave a worker waiting, and the run
    waiting for that one.
    """
    here, locked, enter = threading.get_ident(), [], threading.Condition.__enter__

    def noted(condition):
        if threading.get_ident() == here:
            locked.append(condition)
        return enter(condition)

    monkeypatch.setattr(threading.Condition, "__enter__", noted)
    taken = []
    for n in (1, 50):
        workers.run([[(k, k)] for k in range(n)], lambda i, j, space: None, [None, None], None)
        taken.append(len(locked))
        locked.clear()
    assert taken[0] == taken[1]  # the events at the beginning and end of the threads
