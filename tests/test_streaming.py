"""The streaming losses against the plain ones, at sizes that tiles do not divide."""

import threading
from itertools import groupby

import numpy as np
import pytest

from infonce_ref import losses, streaming
from infonce_ref.streaming import engine, ntxent, rows, tiles

LOSSES = pytest.mark.parametrize("name", streaming.ALL)
RNG = np.random.default_rng


def batch(name, n, features=5, noise=1.0):
    """Return the arrays of the named loss for n rows, or pairs of rows, and SigLIP's bias; every other size
    is n + 3.
    """
    loss = losses.ALL[name]
    arguments = loss.example(n, noise, rows=n, features=features, **dict.fromkeys(loss.drawn, n + 3))
    return {k: x for k, x in arguments.items() if isinstance(x, np.ndarray) or k == "bias"}


def both_passes(loss, arguments):
    value, cache = loss.forward(**arguments)
    return value, *loss.backward(cache)


# --- comparison with the plain form: `verify` compares them in many cases ------------------------------------


@LOSSES
def test_rows_in_several_blocks_agree(name, monkeypatch):
    arguments = {**batch(name, 9), "temperature": 0.5}
    whole = both_passes(streaming.ALL[name], arguments)
    monkeypatch.setattr(rows, "BLOCK", 4)
    for x, y in zip(both_passes(streaming.ALL[name], arguments), whole, strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-14 * np.max(np.abs(y)))  # sums in another order


def test_rows_of_very_different_length_agree():
    # scores from −800 to 800, with a bound of 1,000: each row needs its own shift
    lengths = np.geomspace(0.01, 30, 12)[:, None]
    image, text = batch("clip", 12).values()
    arguments = {"image": image * lengths, "text": text * lengths[::-1], "temperature": 0.5}
    plain = both_passes(losses.clip, arguments)
    for x, y in zip(both_passes(streaming.clip, arguments | {"tile": 5}), plain, strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=128 * 2.0**-52 * np.max(np.abs(y)))  # 64 eps/τ [S3]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_tiny_loss_keeps_its_digits(dtype):
    # orthogonal pairs: ℓ = log(1 + (N − 2) e^{−1/τ}) = 2e-21                  [S1]
    w = np.concatenate([np.eye(6), np.eye(6)]).astype(dtype)
    value, _ = ntxent.forward(w, temperature=0.02, tile=4)
    assert value == pytest.approx(10 * np.exp(-50), rel=float(64 * np.finfo(dtype).eps * 50), abs=0)


def test_the_pull_within_a_class_keeps_its_digits_if_the_loss_is_tiny():
    rows = np.array([[1, 0], [-1, 0.1], [1, 1e-3], [-1, 0.1]])
    asked = {"w": rows, "labels": np.array([0, 1, 0, 1]), "temperature": 0.0035}
    own, right = (one.supcon.backward(one.supcon.forward(**asked)[1]).w for one in (streaming, losses))
    np.testing.assert_allclose(own, right, rtol=1e-9, atol=0)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_partners_that_nearly_coincide_keep_their_digits(dtype):
    """infonce's anchor and positive nearly cancel in the gradient; only their difference remains."""
    arguments = {"z": batch("infonce", 6, noise=1e-3)["z"].astype(dtype), "temperature": 0.03}
    z, tau = arguments["z"].astype("longdouble"), arguments["temperature"]
    p = np.roll(np.eye(12), 6, axis=0).astype(z.dtype)
    e = np.exp((z @ z.T - 1) / tau)
    g = e / e.sum(1, keepdims=True) - p
    expected = {"z": (g + g.T) @ z / (12 * tau), "temperature": -np.sum(g * (z @ z.T)) / (12 * tau**2)}
    for entry in (losses.infonce, streaming.infonce):
        gradients = entry.backward(entry.forward(**arguments)[1])
        for field, x in expected.items():
            tolerance = float(64 * np.finfo(dtype).eps / tau * np.max(np.abs(x), initial=0))
            np.testing.assert_allclose(getattr(gradients, field), x.astype(float), rtol=0, atol=tolerance)


@pytest.mark.parametrize("tile", [2, None])
@pytest.mark.parametrize("closeness", [1e-3, 1e-6, 2e-9])
def test_collapsed_classes_keep_the_digits_of_supcon(closeness, tile):
    """The mean over a class pulls almost as its softmax pushes: only differences of rows remain."""
    rng = RNG(0)
    labels = np.repeat([0, 1], [5, 4])
    w = rng.standard_normal((2, 8))[labels] + closeness * rng.standard_normal((9, 8))
    w, others = w.astype("float32"), {"labels": labels, "temperature": 0.1}
    gradient = streaming.supcon.backward(streaming.supcon.forward(w, **others, tile=tile)[1])
    exact = losses.supcon.backward(losses.supcon.forward(w.astype("float64"), **others)[1])
    for found, expected in zip(gradient, exact):
        size = np.max(np.abs(expected))
        np.testing.assert_allclose(found, expected, rtol=0, atol=64 * 2.0**-23 / 0.1 * size)


@pytest.mark.parametrize("tau", [1.0, 0.001])
def test_supcon_of_a_fully_collapsed_class_has_no_gradient(tau):
    w = np.tile(RNG(0).standard_normal((1, 7)), (10, 1))
    gradients = streaming.supcon.backward(
        streaming.supcon.forward(w, labels=np.zeros(10, int), temperature=tau, tile=4)[1]
    )
    assert all(np.all(gradient == 0) for gradient in gradients)


def test_many_tiles_are_as_accurate_as_one():
    """A queue of 40,000 equal scores in tiles of 2: sequential additions would have an error of 2e-4."""
    rng = RNG(0)
    query, positive = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in rng.standard_normal((2, 2, 3)))
    given = [x.astype("float32") for x in (query, positive, np.repeat(positive[:1], 40000, axis=0))]
    value, _ = streaming.query_key.forward(*given, temperature=0.5, tile=2)
    exact, _ = losses.query_key.forward(*(x.astype("float64") for x in given), temperature=0.5)
    np.testing.assert_allclose(value, exact, rtol=16 * np.finfo("float32").eps)


# --- tiles and workers -----------------------------------------------------------------------------------


@LOSSES
def test_two_workers_give_the_same_bits_as_one(name, two_workers, monkeypatch):
    arguments = {**batch(name, 40), "temperature": 0.1, "tile": 4}
    together = both_passes(streaming.ALL[name], arguments)
    monkeypatch.setattr(engine, "count_available", lambda: 1)
    for x, y in zip(both_passes(streaming.ALL[name], arguments), together, strict=True):
        np.testing.assert_array_equal(x, y)


def test_interrupted_runs_leave_no_thread_at_work(two_workers):
    options = {"temperature": 0.1, "tile": 4, "progress": lambda done, to_do: 1 / 0}
    threads = threading.active_count()
    for _ in range(5):
        with pytest.raises(ZeroDivisionError):
            ntxent.forward(batch("ntxent", 40)["w"], **options)
    assert threading.active_count() == threads


def in_time(work, seconds=60):
    """Return the result of work(), run on a thread, because a deadlock would otherwise block the tests."""
    results = []
    thread = threading.Thread(target=lambda: results.append(work()), daemon=True)
    thread.start()
    thread.join(seconds)
    assert results, f"it hangs, or failed: nothing after {seconds} s"
    return results[0]


@pytest.mark.parametrize("elsewhere", [False, True], ids=["on its thread", "on another thread"])
def test_a_progress_callback_may_start_another_run(two_workers, blas_threads, elsewhere):
    """In both passes, with a run inside either pass, and tiles shared by two workers. BLAS uses one thread, also
    after the inner run; the fixture checks that it has its threads afterwards.
    """
    arguments = {**batch("ntxent", 40), "temperature": 0.1, "tile": 4}
    value, cache = ntxent.forward(**arguments)
    expected = ntxent.backward(cache)
    inner = []

    def stream():
        return ntxent.forward(**arguments)[0], ntxent.backward(cache)

    def again(done, to_do):
        if not inner:
            inner.append(in_time(stream) if elsewhere else stream())
        assert set(blas_threads().values()) == {1}

    def outer():
        value, cache = ntxent.forward(**arguments, progress=again)
        seen = inner.pop()
        return seen, (value, ntxent.backward(cache)), inner.pop()

    for streamed, gradients in in_time(outer):
        assert streamed == value
        np.testing.assert_array_equal(gradients.w, expected.w)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        *((name, batch(name, 10)) for name in streaming.ALL),
        ("query_key", {**batch("query_key", 10), "negatives": RNG(0).standard_normal((10, 3, 5))}),
    ],
)
def test_progress_counts_to_the_end_of_each_pass(name, arguments):
    entry, seen = streaming.ALL[name], []
    _, cache = entry.forward(
        **arguments, temperature=0.1, tile=4, progress=lambda done, to_do: seen.append((done, to_do))
    )
    forward = len(seen)
    entry.backward(cache)
    for calls in (seen[:forward], seen[forward:]):
        passes = [list(one) for _, one in groupby(calls, lambda call: call[1])]
        assert len(passes) == 1 + (name == "supcon")  # one pass over positives and one over negatives
        for one in passes:
            done, to_do = zip(*one)
            assert list(done) == sorted(set(done))
            assert done[-1] == to_do[-1]


@LOSSES
def test_never_holds_more_than_a_few_tiles(name, monkeypatch):
    made = []
    plain = tiles.Scores.compute_scores

    def noted(self, i, j, space):
        s = plain(self, i, j, space)
        made.append(s.size)
        return s

    monkeypatch.setattr(tiles.Scores, "compute_scores", noted)
    entry = streaming.ALL[name]
    entry.backward(entry.forward(**batch(name, 50), temperature=0.1, tile=8)[1])
    assert max(made) == 64


# --- what comes in ---------------------------------------------------------------------------------------


@LOSSES
@pytest.mark.parametrize(
    "tile", [0, -1, 2.5, "all", True, np.float64(2), np.timedelta64(2, "s"), np.array([2])]
)
def test_refuses_a_tile_that_is_not_a_positive_integer(name, tile):
    with pytest.raises(ValueError, match="tile must be a positive integer"):
        streaming.ALL[name].forward(**batch(name, 4), temperature=0.1, tile=tile)


@pytest.mark.parametrize("name", [x for x, loss in streaming.ALL.items() if loss.differentiable[0] == "w"])
@pytest.mark.parametrize("temperature", [0.05, 0.3, 7.0])
def test_directions_of_a_single_feature_have_no_gradient(name, temperature):
    """A unit row is then 1 or −1, however √τ is rounded."""
    loss = streaming.ALL[name]
    arguments = loss.example(0, rows=5, features=1, temperature=temperature) | {"tile": 2}
    _, cache = loss.forward(**arguments)
    assert not np.any(loss.backward(cache).w)
