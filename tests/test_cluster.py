"""Scores of Dask arrays, block by block in this process, equal those of `tiles`."""

import numpy as np
import pytest

from infonce_ref import streaming
from infonce_ref.elementary import identity_mask
from infonce_ref.streaming import cluster, engine
from infonce_ref.streaming.classes import Part
from infonce_ref.streaming.two_views import mask_pairs

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

LABELS = np.array([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 3])  # two blocks contain only one class
OTHERS = np.array([0, 0, 0, 1, 1, 2, 2, 3, 3])
CASES = {
    "symmetric": (None, {}),
    "symmetric, without itself": (None, {"excluded": identity_mask}),
    "symmetric, without itself and its partner": (None, {"excluded": mask_pairs, "even": True}),
    "within classes": (None, {"excluded": identity_mask, "part": Part(LABELS, LABELS, True)}),
    "across classes": (None, {"part": Part(LABELS, LABELS, False)}),
    "rows and columns": (9, {}),
    "rows and columns within classes": (9, {"part": Part(LABELS, OTHERS, True)}),
    "rows and columns, without the diagonal": (13, {"excluded": identity_mask}),
}

IMAGES_AND_TEXTS = [da.ones((23, 6), chunks=((7, 6, 10), (4, 2))) for _ in range(2)]


@pytest.fixture(autouse=True)
def in_this_process():
    with dask.config.set(scheduler="synchronous"):
        yield


def planned(case, size, tile=None):
    """The scores of 13 rows in uneven blocks, and those of the same rows in NumPy arrays."""
    m, options = CASES[case]
    rng = np.random.default_rng(0)
    rows = size * rng.standard_normal((13, 3))
    columns = rows if m is None else size * rng.standard_normal((m, 3))
    blocks = da.from_array(rows, chunks=((4, 2, 6, 1), (2, 1)))
    others = blocks if m is None else da.from_array(columns, chunks=((m - 5, 3, 2), (1, 2)))
    given = {"excluded": None, "even": False, "part": None} | options
    return cluster.plan(blocks, others, tile, None, **given), engine.plan(rows, columns, tile, None, **given)


@pytest.mark.parametrize("size", [1.0, 30.0], ids=["no shift", "shifts"])
@pytest.mark.parametrize("tile", [None, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("case", CASES)
def test_both_passes_give_the_numbers_of_tiles(case, size, tile):
    blocks, whole = planned(case, size, tile)
    assert blocks.no_shift == whole.no_shift == (size == 1)
    kept = []
    for scores, array in ((blocks, lambda x: da.from_array(x, chunks=5)), (whole, np.asarray)):
        sums = scores.sums()
        above = [each.above(array(np.zeros(len(each.shift)))) for each in sums]
        softmax = [each.softmax(array(np.linspace(0, 1, len(each.shift)))) for each in sums]
        kept.append([*above, *(scores.products(softmax[0], softmax[-1]))])
    for x, y in zip(*kept, strict=True):
        assert isinstance(x, da.Array)
        np.testing.assert_allclose(
            x, y, rtol=1e-13, atol=1e-13 * np.max(np.abs(y), where=np.isfinite(y), initial=0)
        )


@pytest.mark.parametrize("tile", [None, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("case", [case for case, (m, _) in CASES.items() if m])
def test_sigmoids_of_scores_are_those_of_tiles(case, tile):
    blocks, whole = planned(case, 3.0, tile)
    shift, factor = np.linspace(-5, 2, 13), np.linspace(-1, 2, 13)
    shift[0] = -np.inf
    kept = []
    for scores, array in ((blocks, lambda x: da.from_array(x, chunks=5)), (whole, np.asarray)):
        each = map(array, (shift, factor))
        kept.append(
            [*scores.logistic_sums(array(shift)), *scores.logistic_products(*each)],
        )
    for x, y in zip(*kept, strict=True):
        assert isinstance(x, da.Array)
        np.testing.assert_allclose(x, y, rtol=1e-13, atol=1e-13 * np.max(np.abs(y)))


def test_no_task_makes_more_than_two_blocks_of_scores(monkeypatch):
    made, plain = [], cluster.cut_block

    def noted(a, b, *how):
        made.append((len(a), len(a if b is None else b)))
        return plain(a, b, *how)

    monkeypatch.setattr(cluster, "cut_block", noted)
    value, cache = streaming.clip.forward(*IMAGES_AND_TEXTS, temperature=0.1)
    dask.compute(value, *streaming.clip.backward(cache))
    blocks = [(n, m) for n in (7, 6, 10) for m in (7, 6, 10)]
    assert sorted(made) == sorted(2 * blocks)


def test_progress_is_refused():
    with pytest.raises(ValueError, match="progress is not called for Dask arrays: drop it"):
        streaming.clip.forward(*IMAGES_AND_TEXTS, temperature=0.1, progress=print)
