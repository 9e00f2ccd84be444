"""BLAS on one thread, and the restoration of its threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import threadpoolctl

from infonce_ref import losses, streaming, threads
from infonce_ref.threads import count_available, one_thread


def test_a_block_holds_from_the_first_to_the_end_of_the_last(blas_threads):
    for _ in range(2):
        with one_thread():
            with one_thread():
                assert {*blas_threads().values()} == {1}
            assert {*blas_threads().values()} == {1}
            assert count_available() == 2  # also for runs that begin inside the block
        assert {*blas_threads().values()} == {2}


def test_a_block_ends_while_its_thread_lives(blas_threads):
    """While a thread lives, threadpoolctl 3.8 ignores every thread but the one that set the number first."""
    with ThreadPoolExecutor(1) as first, ThreadPoolExecutor(1) as second:
        for each in (first, second):
            block = each.submit(one_thread().__enter__).result()
            assert {*blas_threads().values()} == {1}
            each.submit(block.__exit__).result()
            assert {*blas_threads().values()} == {2}


def test_the_last_of_several_threads_restores_the_number(blas_threads):
    first, second = one_thread(), one_thread()
    first.__enter__()
    with ThreadPoolExecutor(1) as other:
        other.submit(second.__enter__).result()
        first.__exit__()
        assert {*blas_threads().values()} == {1}
        other.submit(second.__exit__).result()
    assert {*blas_threads().values()} == {2}


def test_a_number_set_by_other_code_meanwhile_is_kept(blas_threads):
    limits = threadpoolctl.threadpool_limits(1, user_api="blas")
    with one_thread():
        limits.restore_original_limits()
    assert {*blas_threads().values()} == {2}


@pytest.mark.parametrize("at", ["entered", "ended"])
def test_the_next_block_repairs_a_ctrl_c_between_two_lines(blas_threads, monkeypatch, at):
    plain, when = threads.set_to, 1 if at == "entered" else 2
    calls = []

    def interrupted(wanted, now):
        calls.append(1)
        if len(calls) == when:
            raise KeyboardInterrupt
        plain(wanted, now)

    monkeypatch.setattr(threads, "set_to", interrupted)
    with pytest.raises(KeyboardInterrupt), one_thread():
        pass
    with one_thread():
        assert count_available() == 2
        assert {*blas_threads().values()} == {1}
    assert {*blas_threads().values()} == {2}


def test_streaming_from_eight_threads_gives_the_same_bits_as_from_one(blas_threads):
    """With few rows, and with rows for one and for two workers, while plain passes run at the same time."""
    rng = np.random.default_rng(0)
    w = {rows: rng.standard_normal((rows, 65)).astype(np.float32) for rows in (64, 300, 1100)}

    def of(room, rows):
        value, cache = room.ntxent.forward(w[rows], temperature=0.1)
        return [value, *room.ntxent.backward(cache)]

    asked = [(streaming, 64), (streaming, 300), (streaming, 1100), (losses, 64)]
    alone = [of(*each) for each in asked]
    with ThreadPoolExecutor(8) as pool:
        beside = [pool.map(lambda each: of(*each), asked) for _ in range(8)]
        for results in beside:
            for found, expected in zip(results, alone, strict=True):
                for x, y in zip(found, expected, strict=True):
                    np.testing.assert_array_equal(x, y)
