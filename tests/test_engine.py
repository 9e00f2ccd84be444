"""How streaming cuts scores into tiles for each library."""

import sys
from types import SimpleNamespace

import array_api_strict
import copying
import numpy as np
import pytest

from infonce_ref import streaming
from infonce_ref.streaming import engine, ranks, tiles


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


@pytest.fixture
def kernels(monkeypatch):
    """Stands for the kernels, which need Triton: it notes what it is asked, and serves everything."""
    asked = []

    def serves(rows, bound):
        asked.append((rows, bound))
        return kernels.willing

    kernels = SimpleNamespace(serves=serves, plan=lambda *given: given, asked=asked, willing=True)
    monkeypatch.setattr(streaming, "kernels", kernels, raising=False)
    monkeypatch.setitem(sys.modules, "infonce_ref.streaming.kernels", kernels)
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    return kernels


def tensors():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    return torch.ones(4, 2, dtype=torch.float64), torch.full((6, 2), 3.0, dtype=torch.float64)


def test_kernels_get_tensors_and_what_is_known_of_the_scores(kernels):
    rows, columns = tensors()
    given = engine.plan(rows, columns, None, print, excluded=max, part="part")
    assert given[0] is rows
    assert given[1] is columns
    bound, no_shift = given[2:4]
    assert bound == pytest.approx(6, rel=1e-14, abs=0)  # ‖(1, 1)‖ ‖(3, 3)‖, and some rounding
    assert no_shift is True
    assert given[4:] == (max, "part", print)
    ((asked, of),) = kernels.asked
    assert asked is rows
    assert of == bound


@pytest.mark.parametrize(
    "reason", ["a given tile", "NumPy", "no interpreter", "another setting", "unwilling"]
)
def test_tiles_are_cut_where_kernels_do_not_serve(kernels, monkeypatch, reason):
    rows, columns = tensors()
    if reason == "NumPy":
        rows, columns = rows.numpy(), columns.numpy()
    elif reason == "no interpreter":
        monkeypatch.delenv("TRITON_INTERPRET")
    elif reason == "another setting":
        monkeypatch.setenv("TRITON_INTERPRET", "0")
    kernels.willing = reason != "unwilling"
    plan = engine.plan(rows, columns, 3 if reason == "a given tile" else None, None)
    assert isinstance(plan, tiles.Scores)
    assert len(kernels.asked) == (reason == "unwilling")


@pytest.mark.parametrize(
    ("kind", "setting", "may"),
    [
        ("cuda", None, True),
        ("cuda", "0", True),
        ("cpu", "1", True),
        ("cpu", "0", False),
        ("cpu", None, False),
    ],
)
def test_kernels_run_on_a_gpu_or_in_an_interpreter(monkeypatch, kind, setting, may):
    monkeypatch.delenv("TRITON_INTERPRET", raising=False)
    if setting:
        monkeypatch.setenv("TRITON_INTERPRET", setting)
    tensor = SimpleNamespace(device=SimpleNamespace(type=kind))
    assert engine.may_run_kernels(tensor) is may


def test_ranks_share_the_tiles_of_a_plan():
    class Alone:
        rank, count = 0, 1

        def exchange(self, parts, counts):
            return list(parts)

    rows, columns, alone = np.ones((4, 2)), np.ones((6, 2)), Alone()
    with ranks.share_tiles(alone):
        plan = engine.plan(rows, columns, 3, None, even=True)
    assert plan.peers is alone
    assert plan.rows is rows
    assert plan.columns is columns
    assert (plan.own.tile, plan.own.share) == (4, (0, 1))


def test_scores_may_have_no_columns():
    plan = engine.plan(np.ones((4, 2)), np.empty((0, 2)), None, None)
    assert plan.columns.shape == (0, 2)
