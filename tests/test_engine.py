"""How streaming cuts scores into tiles for each library."""

import sys

import array_api_strict
import copying
import numpy as np
import pytest

from infonce_ref.streaming import engine, tiles


def test_a_given_side_must_be_an_integer_and_the_library_writable():
    assert engine.check_tile(None, np) is None
    assert type(engine.check_tile(np.int64(3), np)) is int
    assert engine.check_tile(3, pytest.importorskip("dask.array")) == 3
    with pytest.raises(ValueError, match="streaming writes its sums in place, which arrays of copying"):
        engine.check_tile(3, copying)


def test_a_side_is_made_even_only_on_request():
    x = np.ones((5, 1))
    assert engine.plan(x, x, 3, None).tile == 3
    assert engine.plan(x, x, 3, None, even=True).tile == 4


def test_a_plan_distinguishes_rows_and_columns():
    scores = engine.plan(np.ones((4, 2)), np.ones((6, 2)), 3, None)
    assert (scores.rows.shape, scores.columns.shape) == ((4, 2), (6, 2))


def test_a_plan_keeps_dasks_blocks():
    da = pytest.importorskip("dask.array")
    scores = engine.plan(da.ones((4, 2), chunks=2), da.ones((6, 2), chunks=2), 3, None)
    assert (scores.rows.chunks[0], scores.columns.chunks[0]) == ((2, 2), (2, 2, 2))


def test_only_numpy_gets_several_workers(monkeypatch):
    monkeypatch.setattr(engine, "count_available", lambda: 3)
    for xp, workers in ((np, 3), (array_api_strict, 1)):
        x = xp.ones((12, 1))
        assert engine.plan(x, x, 2, None).workers == workers


def test_tensors_have_tiles_where_triton_is_missing(monkeypatch):
    torch = pytest.importorskip("torch", reason="torch is not installed")
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    monkeypatch.delitem(sys.modules, "infonce_ref.streaming.kernels", raising=False)
    monkeypatch.setitem(sys.modules, "triton", None)  # its import raises ModuleNotFoundError
    rows = torch.zeros(4, 2)
    assert isinstance(engine.plan(rows, rows, None, None), tiles.Scores)
