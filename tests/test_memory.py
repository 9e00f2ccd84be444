"""Memory that one call leaves for the next never has two owners, and at most three blocks are idle."""

import threading

import numpy as np
import pytest

from infonce_ref import memory, streaming
from infonce_ref.streaming import tiles

F32, F64 = np.dtype(np.float32), np.dtype(np.float64)


@pytest.fixture(autouse=True)
def nothing_idle():
    memory.IDLE.clear()
    yield
    memory.IDLE.clear()


def address(x):
    return x.__array_interface__["data"][0]


def test_the_next_call_gets_the_same_memory_in_its_own_dtype_and_shape():
    first = memory.borrow((4, 8, 8), F64)
    where = address(first)
    del first
    second = memory.borrow((3, 8, 16), F32)
    assert address(second) == where
    assert (second.shape, second.dtype, second.flags.writeable) == ((3, 8, 16), F32, True)


def test_memory_in_use_is_not_lent_again():
    """A view of one tile is enough to keep the block in use."""
    tile = memory.borrow((4, 8, 8), F64)[2]
    assert not memory.IDLE
    assert not np.shares_memory(tile, memory.borrow((4, 8, 8), F64))
    del tile
    assert len(memory.IDLE) == 2


@pytest.mark.parametrize(("rows", "same"), [(65, False), (64, True), (32, True), (31, False), (0, False)])
def test_a_block_serves_arrays_of_half_its_size_and_more(rows, same):
    """The idle block has 64 rows of 8 bytes."""
    idle = memory.borrow((64,), F64)
    where = address(idle)
    del idle
    assert (address(memory.borrow((rows,), F64)) == where) is same


def test_the_last_three_blocks_used_are_the_idle_ones():
    blocks = [memory.borrow((rows,), F64) for rows in (32, 64, 8, 16)]
    while blocks:
        del blocks[0]
    assert [block.nbytes for block in memory.IDLE] == [512, 64, 128]
    unfit = memory.borrow((1000,), F64)
    assert [block.nbytes for block in memory.IDLE] == [512, 64, 128]
    del unfit
    assert [block.nbytes for block in memory.IDLE] == [64, 128, 8000]


def test_the_smallest_block_that_is_large_enough_is_taken():
    blocks = [memory.borrow((rows,), F64) for rows in (7, 12, 8)]
    where = [address(block) for block in blocks]
    del blocks[1:]
    assert address(memory.borrow((7,), F64)) == where[2]


def test_either_of_two_idle_blocks_is_found():
    large, small = memory.borrow((64,), F64), memory.borrow((8,), F64)
    where = {64: address(large), 8: address(small)}
    del large, small
    for rows in (64, 8, 64):
        assert address(memory.borrow((rows,), F64)) == where[rows]
        assert sorted(block.nbytes for block in memory.IDLE) == [64, 512]


def test_a_pass_that_keeps_no_tile_borrows_its_work_space_alone(monkeypatch):
    asked = []
    monkeypatch.setattr(tiles, "borrow", lambda *given: asked.append(given) or memory.borrow(*given))
    tiles.cut(*[np.ones((6, 2))] * 2, 1.0, True, None, False, None, 2, room=0).sums()
    assert asked == [((1, 2, 2), F64)]


@pytest.mark.parametrize("name", streaming.ALL)
def test_a_step_reuses_the_last_steps_memory(name):
    """After backward, and after a forward whose cache is dropped."""
    entry = streaming.ALL[name]
    given = entry.example(rows=40, features=5)
    _, cache = entry.forward(**given)
    before = [x.tobytes() for x in entry.backward(cache)]
    del cache
    idle = {id(block): block for block in memory.IDLE}
    for block in idle.values():
        block[:] = 255  # no cache may read it any more
    _, cache = entry.forward(**given)
    del cache
    assert {id(block) for block in memory.IDLE} == set(idle)
    _, cache = entry.forward(**given)
    assert [x.tobytes() for x in entry.backward(cache)] == before


@pytest.mark.parametrize("name", streaming.ALL)
def test_results_and_caches_outlive_later_calls(name):
    """Two graphs at once, as in gradient accumulation; and gradients that are read after the next step."""
    entry = streaming.ALL[name]
    first, second = (entry.example(seed, rows=40, features=5) for seed in range(2))
    alone = [x.tobytes() for x in entry.backward(entry.forward(**first)[1])]
    of_first, of_second = entry.forward(**first)[1], entry.forward(**second)[1]
    gradients = entry.backward(of_first)
    entry.backward(of_second)
    entry.backward(entry.forward(**second)[1])
    assert [x.tobytes() for x in gradients] == alone


def test_threads_share_no_memory():
    """Each thread writes its own number into the borrowed memory, and reads it back."""
    wrong = []

    def work(number):
        for _ in range(300):
            x = memory.borrow((64,), F64)
            x[:] = number
            if not np.all(x == number):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(memory.IDLE) <= 3


def test_an_error_returns_the_memory(monkeypatch):
    def fail(*_):
        raise MemoryError

    scores = tiles.cut(*[np.ones((600, 2))] * 2, 1.0, True, None, False, None, 256, room=tiles.KEPT)
    monkeypatch.setattr(tiles.Scores, "compute", fail)
    with pytest.raises(MemoryError):
        scores.sums()
    assert len(memory.IDLE) == 2
