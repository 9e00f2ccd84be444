"""Memory that one call leaves for the next never has two owners, and at most three blocks are idle."""

import pytest

from infonce_ref import memory, streaming


@pytest.fixture(autouse=True)
def nothing_idle():
    memory.IDLE.clear()
    yield
    memory.IDLE.clear()


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
