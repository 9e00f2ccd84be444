"""Losses of Dask arrays, block by block in this process, equal those of NumPy arrays."""

import dask
import dask.array as da
import numpy as np
import pytest

from infonce_ref import streaming
from infonce_ref.streaming import cluster

pytestmark = pytest.mark.usefixtures("dask_in_this_thread")
IMAGES_AND_TEXTS = [da.ones((23, 6), chunks=((7, 6, 10), (4, 2))) for _ in range(2)]


def cut(x):
    """The same array in uneven blocks, one of a single row."""
    rows = np.diff(sorted({0, *(min(end, len(x)) for end in (4, 5, len(x)))})).tolist()
    return da.from_array(x, chunks=(tuple(rows), *((2, size - 2) for size in x.shape[1:])))


LONG = ("infonce", "supcon")  # which Dask takes seconds for


@pytest.mark.parametrize(
    ("name", "temperature", "tile"),
    [
        *(
            pytest.param(name, 0.01, None, marks=[pytest.mark.slow] * (name in LONG))
            for name in streaming.ALL
        ),
        ("ntxent", 1.0, None),  # scores that need no shift
        *(pytest.param(name, 0.5, 2, marks=pytest.mark.slow) for name in streaming.ALL),
    ],
)
def test_both_passes_give_the_numbers_of_numpy(name, temperature, tile):
    loss = streaming.ALL[name]
    given = loss.example(0, 1.0, rows=9, features=3, temperature=temperature)
    blocks = {field: cut(x) if isinstance(x, np.ndarray) else x for field, x in given.items()}
    kept = []
    for arguments in (blocks, given):
        value, cache = loss.forward(**arguments, tile=tile)
        kept.append(dask.compute(value, *loss.backward(cache)))
    for x, y in zip(*kept, strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-13 / temperature * np.max(np.abs(y)))


def test_no_task_makes_more_than_two_blocks_of_scores(monkeypatch):
    made, plain = [], cluster.cut_block

    def noted(scores):
        made.append((len(scores.rows), len(scores.rows if scores.columns is None else scores.columns)))
        return plain(scores)

    monkeypatch.setattr(cluster, "cut_block", noted)
    value, cache = streaming.clip.forward(*IMAGES_AND_TEXTS, temperature=0.1)
    dask.compute(value, *streaming.clip.backward(cache))
    blocks = [(n, m) for n in (7, 6, 10) for m in (7, 6, 10)]
    assert sorted(made) == sorted(2 * blocks)


def test_progress_is_refused():
    with pytest.raises(ValueError, match="progress is not called for Dask arrays: drop it"):
        streaming.clip.forward(*IMAGES_AND_TEXTS, temperature=0.1, progress=print)
