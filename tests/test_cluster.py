"""Scores of Dask arrays, block by block in this process, equal those of `tiles`."""

import contextlib
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from infonce_ref import losses, streaming
from infonce_ref.elementary import identity_mask
from infonce_ref.streaming import cluster, engine
from infonce_ref.streaming.classes import Part
from infonce_ref.streaming.sums import Softmax
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


@pytest.mark.parametrize("size", [1.0, 30.0], ids=["no shift", "shifts"])
def test_unrequested_columns_have_no_sums(size):
    blocks, whole = planned("rows and columns", size)
    (found,), (expected,) = (scores.sums(of_columns=False) for scores in (blocks, whole))
    np.testing.assert_allclose(found.total, expected.total, rtol=1e-13)
    softmax = expected.softmax(np.ones(13))
    rows = Softmax(*(da.from_array(x, chunks=5) for x in softmax))
    for x, y in zip(blocks.products(rows, None), whole.products(softmax, None), strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-13 * np.max(np.abs(y)))


@pytest.mark.parametrize("case", CASES)
def test_each_pair_of_blocks_is_computed_once(case):
    blocks, _ = planned(case, 1.0)
    met = [(i, j) for i, j, _ in blocks.tasks()]
    if case == "rows and columns within classes":
        assert met == [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 2)]
    elif CASES[case][0]:
        assert met == [(i, j) for i in range(4) for j in range(4 if "diagonal" in case else 3)]
    elif case == "within classes":
        assert met == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2), (3, 3)]
    else:
        assert met == [
            (i, j) for i in range(4) for j in range(i, 4) if case != "across classes" or (i, j) != (0, 1)
        ]


def test_the_labels_of_a_block_are_sent_once():
    blocks, _ = planned("rows and columns within classes", 1.0)
    parts = [scores[6] for *_, scores in blocks.tasks()]
    assert [
        len({side.key for side in sides}) for sides in zip(*((part.rows, part.columns) for part in parts))
    ] == [4, 3]


def test_with_a_mask_the_columns_have_the_same_blocks_as_the_rows():
    rows, columns = da.ones((6, 4), chunks=(4, 2)), da.ones((6, 4), chunks=(3, 2))
    for excluded, cuts in ((identity_mask, (4, 2)), (None, (3, 3))):
        scores = cluster.plan(rows, columns, None, None, excluded, False, None)
        assert (scores.rows.chunks, scores.columns.chunks) == (((4, 2), (4,)), (cuts, (4,)))
    scores = cluster.plan(rows, rows, None, None, identity_mask, False, None)
    assert scores.rows is scores.columns
    assert scores.rows.chunks == ((4, 2), (4,))


def test_rows_are_computed_once_and_persisted():
    made = []
    rows = da.ones((6, 2), chunks=(3, 2)).map_blocks(
        lambda x: made.append(len(x)) or x, dtype=float, meta=np.ones((0, 0))
    )
    scores = cluster.plan(rows, rows, None, None, None, False, None)
    dask.compute(scores.sums()[0].total)
    assert made == [3, 3]


@pytest.mark.parametrize(
    ("count", "added"),
    [(1, "a"), (2, "(ab)"), (8, "(abcdefgh)"), (9, "((abcdefgh)i)"), (10, "((abcdefgh)(ij))")],
)
def test_a_tree_adds_up_eight_at_a_time_in_order(count, added):
    tree = cluster.add_as_tree(lambda parts: f"({''.join(parts)})", list("abcdefghij"[:count]))
    assert dask.compute(tree) == (added,)


def test_merging_leaves_its_parts_unchanged():
    parts = [
        tuple(np.full(2, x) for x in part) for part in ((1.0, 2.0, 0.25), (3.0, 1.0, 0.0), (2.0, 4.0, -0.5))
    ]
    shift, rounded, lost = cluster.merge_sums(parts)
    np.testing.assert_array_equal(shift, 3)
    np.testing.assert_allclose(rounded + lost, 2.25 * np.exp(-2) + 1 + 3.5 * np.exp(-1), rtol=1e-15)
    assert [part[0][0] for part in parts] == [1, 3, 2]
    assert [part[1][0] for part in parts] == [2, 1, 4]


def unaligned(x):
    """Copy x to an unaligned address, where a block from another worker may be."""
    sent = np.empty(x.nbytes + 1, np.uint8)[1:].view(x.dtype).reshape(x.shape)
    sent[:] = x
    assert not sent.flags.aligned
    return sent


@pytest.mark.parametrize("shape", [(29, 6), (29, 64)])
def test_a_block_from_another_worker_gives_the_same_bits(shape):
    """Some products are computed differently at an unaligned address: of a block with itself, or with another
    one on its right.
    """
    x = np.random.default_rng(0).normal(size=shape) / np.sqrt(shape[1])
    sent = unaligned(x)
    for blocks, same in (((sent, None), (x, None)), ((sent, x), (x, x.copy())), ((x, sent), (x, x.copy()))):
        found, wanted = (
            cluster.cut_block(*each, 9.0, False, None, False, None, None) for each in (blocks, same)
        )
        # on some processors only, the bits would differ
        assert [x.flags.aligned for x in (found.rows, found.columns)] == [True, True]
        for side, expected in zip(found.sums(), wanted.sums(), strict=True):
            np.testing.assert_array_equal(side.total, expected.total)


def test_factors_from_another_worker_are_aligned(monkeypatch):
    given = []
    monkeypatch.setattr(cluster.tiles.Scores, "products", lambda *asked: given.extend(asked[-1]))
    x = np.eye(3)
    scores = x, None, 9.0, False, None, False, None, None
    cluster.multiply_block(scores, (None, (unaligned(x),)), (None, (unaligned(2 * x),)))
    assert [factor.flags.aligned for factor in given] == [True, True]
    np.testing.assert_array_equal(given, [x, 2 * x])


FAR = 100 * np.eye(3)  # scores of 10,000 and 0: e^(0 − 10,000) underflows
FAR_SCORES = FAR, None, 1e4, False, None, False, None, None
ONE = Softmax(np.ones(3), np.full(3, 1e4), np.ones(3))


@pytest.mark.parametrize(
    ("task", "given"),
    [
        (cluster.multiply_block, ((ONE, None), (ONE, None))),
        (cluster.add_logistic, ((np.full(3, -1e3),), None)),
        (cluster.multiply_logistic, ((np.full(3, -1e3), np.ones(3)), None)),
    ],
)
def test_a_task_underflows_in_silence_whatever_its_worker_raises(task, given):
    with np.errstate(all="raise"):
        made = task(FAR_SCORES, *given)
    assert np.all(np.isfinite(made[0]))


def test_a_task_adds_up_no_columns_that_nobody_asked_for():
    scores = np.eye(3), np.eye(2, 3), 1.0, True, None, False, None, None
    of_rows, of_columns = cluster.sum_block(scores, of_columns=True)
    assert (len(of_rows[0]), len(of_columns[0])) == (3, 2)
    of_rows, _ = alone = cluster.sum_block(scores, of_columns=False)
    assert alone == (of_rows, of_rows)


@pytest.mark.parametrize("lost", [True, False])
def test_rows_that_the_scheduler_lost_are_refused(lost, monkeypatch):
    future = SimpleNamespace(cancelled=lambda: lost)
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(futures_of=lambda arrays: [future]))
    refused = pytest.raises(ValueError, match="call forward again") if lost else contextlib.nullcontext()
    with refused:
        cluster.check_kept(IMAGES_AND_TEXTS[0])


def test_without_a_scheduler_nothing_is_lost(monkeypatch):
    monkeypatch.delitem(sys.modules, "distributed", raising=False)
    cluster.check_kept(IMAGES_AND_TEXTS[0])


def test_a_block_has_whole_rows_of_each_array():
    x, y = (da.ones((5, 4), chunks=chunks) for chunks in ((2, 4), (5, 1)))
    blocks = dask.compute(*(block for (block,) in cluster.split_like(x, (y,))))
    assert [block.shape for block in blocks] == [(2, 4), (2, 4), (1, 4)]


def test_a_block_without_alignment_flags_is_not_copied():
    block = SimpleNamespace(flags=SimpleNamespace(c_contiguous=True))  # CuPy's
    assert cluster.align(block) is block


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


@pytest.mark.parametrize("room", [losses, streaming])
def test_blocks_of_an_undeclared_dtype_are_refused(room):
    w = da.ones((8, 3), chunks=(4, 3)).map_blocks(lambda block: block.astype("float32"), dtype="float64")
    with pytest.raises(ValueError, match=r"w must have the dtype that it declares; .* has blocks of float32"):
        room.ntxent.forward(w, temperature=0.5)
    labels = da.ones(8, chunks=4, dtype="int64").map_blocks(
        lambda block: block.astype("int32"), dtype="int64"
    )
    with pytest.raises(ValueError, match="labels must have the dtype that it declares"):
        room.supcon.forward(da.ones((8, 3), chunks=(4, 3)), labels=labels, temperature=0.5)
