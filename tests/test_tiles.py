"""Tiles: how scores are cut, and which sums are kept."""

import array_api_strict
import numpy as np
import pytest

from infonce_ref.streaming import tiles
from infonce_ref.streaming.classes import Part

EPS = 2.0**-52


# --- how scores are cut ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "m", "symmetric", "side"),
    [
        (255, 255, True, 256),  # one tile
        (2000, 10, False, 256),
        (900, 300, False, 256),  # never below 256 rows
        (4001, 4001, True, 408),  # 10 blocks, because an eighth would leave one row over; a multiple of 8
        (4000, 4000, True, 504),
        (800, 800, False, 400),  # half
        (1100, 9000, False, 280),
        (5000, 9000, False, 504),  # at most as many rows as fit into the cache
    ],
)
def test_a_side_suits_the_cache(monkeypatch, n, m, symmetric, side):
    monkeypatch.setattr(tiles, "count_cached", lambda x: 512**2)
    assert tiles.choose_side(np.ones((2, 2)), n, m, symmetric=symmetric) == side


def test_symmetric_scores_have_smaller_tiles(monkeypatch):
    monkeypatch.setattr(tiles, "count_cached", lambda x: 512**2)
    x, y = np.ones((2, 2048, 1))
    sides = [tiles.cut(x, z, 1.0, True, None, False, None, None).tile for z in (x, y)]
    assert sides == [256, 512]


@pytest.mark.parametrize(
    ("rows", "columns", "workers"), [(1024, 1024, 4), (1023, 9000, 3), (9000, 511, 1), (9000, 2, 1)]
)
def test_threads_start_only_for_enough_rows(rows, columns, workers):
    """256 rows and columns for each thread, unless the tile is given, as in tests; the tile is the same for
    any number.
    """
    x, y = np.ones((rows, 1)), np.ones((columns, 1))
    cut = tiles.cut(x, y, 1.0, True, None, False, None, None, workers=4)
    assert cut.workers == workers
    assert cut.tile == tiles.cut(x, y, 1.0, True, None, False, None, None, workers=1).tile


@pytest.mark.parametrize(("dtype", "numbers"), [("float32", 2**16), ("float64", 2**15)])
def test_a_tile_fills_the_cache(monkeypatch, dtype, numbers):
    monkeypatch.setattr(tiles, "second_level_cache", lambda: 2**18)
    assert tiles.count_cached(np.ones(2, dtype)) == numbers
    assert tiles.count_cached(array_api_strict.ones(2)) == tiles.NUMBERS_ON_A_DEVICE


def test_nearly_all_tiles_of_8192_symmetric_rows_are_kept():
    x = np.ones((8192, 1), np.float32)
    scores = tiles.cut(x, x, 1.0, True, None, False, None, tile=512, room=tiles.KEPT)
    assert 0.9 < scores.room / sum(map(len, tiles.rounds(scores))) < 1


def test_a_tile_on_a_gpu_has_64_megabytes():
    assert 4 * tiles.NUMBERS_ON_A_DEVICE == 64 * 2**20


@pytest.mark.parametrize(("said", "size"), [("1024K\n", 2**20), ("all", 2**19), (None, 2**19)])
def test_an_unknown_cache_size_is_half_a_megabyte(monkeypatch, tmp_path, said, size):
    monkeypatch.setattr(tiles, "SECOND_LEVEL_CACHE", tmp_path / "size")
    if said:
        (tmp_path / "size").write_text(said)
    assert tiles.second_level_cache.__wrapped__() == size


def test_the_bound_on_scores_is_that_of_cauchy_and_schwarz():
    rows, columns = np.array([[3.0, 4.0], [0.0, 1.0]]), np.array([[0.0, 2.0], [1.0, 0.0]])
    assert tiles.bound_scores(rows, columns)[0] == 10 * (1 + 12 * EPS)
    assert tiles.bound_scores(rows, rows)[0] == 25 * (1 + 12 * EPS)
    single = rows.astype("float32")
    assert tiles.bound_scores(single, single)[0] == 25 * (1 + 12 * 2.0**-23)


def test_the_bound_is_right_if_squared_lengths_multiply_beyond_the_dtype():
    rows = np.array([[1e15]], "float32")
    assert tiles.bound_scores(rows, rows)[0] == pytest.approx(1e30, rel=1e-6, abs=0)


@pytest.mark.parametrize(
    ("dtype", "bound", "no_shift"),
    [
        ("float32", 39.2, True),
        ("float32", 39.4, False),
        ("float64", 318.7, True),
        ("float64", 318.9, False),
        ("float64", 1e300, False),
    ],
)
def test_scores_need_no_shift_if_their_exponentials_are_normal_numbers(dtype, bound, no_shift):
    with np.errstate(over="ignore"):
        found, without = tiles.bound_scores(np.array([[1.0]], dtype), np.array([[bound]], dtype))
    assert without == no_shift
    assert type(found) is float
    # the square of 1e300 is infinite
    assert found == (np.finfo(dtype).max if bound == 1e300 else pytest.approx(bound, rel=1e-5, abs=0))


def scored(n, m=None, *, dtype="float64", **options):
    rows = np.random.default_rng(0).standard_normal((n, 2)).astype(dtype)
    columns = rows if m is None else np.random.default_rng(1).standard_normal((m, 2)).astype(dtype)
    given = {
        "bound": 9.0,
        "no_shift": True,
        "excluded": None,
        "even": False,
        "part": None,
        "tile": 2,
    } | options
    return tiles.cut(rows, columns, **given)


@pytest.mark.parametrize(
    ("n", "m", "workers", "used"),
    [(7, None, 2, 2), (6, None, 2, 1), (7, 6, 4, 3), (6, 7, 4, 3), (2, 7, 2, 1)],
)
def test_each_worker_has_a_tile_of_every_round(n, m, workers, used):
    """The last round of symmetric scores may have half as many tiles as there are blocks."""
    scores = scored(n, m, workers=workers)
    assert scores.workers == used
    assert [space.shape for space in scores.allocate(used, 2)] == [(2, 2, 2)] * used


def test_one_worker_is_the_default():
    assert scored(12).workers == 1


@pytest.mark.parametrize(
    ("n", "m", "tile", "even", "side"),
    [
        (7, 7, 3, False, 3),
        (7, 7, 3, True, 4),
        (7, 7, 4, True, 4),
        (7, 3, 6, False, 6),
        (3, 7, 9, False, 7),
        (6, 6, 9, True, 6),
        (7, 3, None, False, 7),
    ],
)
def test_a_side_is_no_longer_than_the_scores(n, m, tile, even, side):
    assert scored(n, m, tile=tile, even=even).tile == side


def test_a_tile_of_three_rows_takes_72_bytes():
    assert scored(7, tile=3, room=200).room == 2


@pytest.mark.parametrize("m", [None, 5])
@pytest.mark.parametrize("no_shift", [True, False])
def test_both_passes_see_each_score_once(m, no_shift):
    scores = scored(7, m, no_shift=no_shift, bound=9.0 if no_shift else 1e4)  # e^{−1e4} is 0
    s = scores.rows @ scores.columns.T
    sums = scores.sums()
    for side, axis in zip(sums, (1, 0) if m else (1,), strict=True):
        found = side.above(np.zeros(s.shape[1 - axis]))
        np.testing.assert_allclose(found, np.logaddexp.reduce(s, axis=axis), rtol=1e-14)
    (alone,) = scored(7, 5, no_shift=no_shift).sums(of_columns=False)
    np.testing.assert_array_equal(alone.total, scored(7, 5, no_shift=no_shift).sums()[0].total)
    q = [np.linspace(0, 1, len(side.shift)) for side in sums]
    softmax = [side.softmax(x) for side, x in zip(sums, q)]
    of_rows, of_columns = (
        x[:, None] * np.exp(t - np.logaddexp.reduce(t, axis=1)[:, None]) for x, t in ((q[0], s), (q[-1], s.T))
    )
    w = of_rows + of_columns.T
    for found, expected in zip(
        scores.products(softmax[0], softmax[-1]), (w @ scores.columns, w.T @ scores.rows), strict=True
    ):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14 * np.max(np.abs(expected)))


@pytest.mark.parametrize("m", [None, 5])
def test_the_second_pass_multiplies_factors_without_copies_of_rows_and_columns(m):
    rng = np.random.default_rng(0)
    scores = scored(7, m)
    a = rng.standard_normal((7, 3))
    b = rng.standard_normal((m, 3)) if m else a
    softmax = [side.softmax(np.ones(len(side.shift))) for side in scores.sums()]
    s = scores.rows @ scores.columns.T
    of_rows, of_columns = (np.exp(s - np.logaddexp.reduce(s, axis=axis, keepdims=True)) for axis in (1, 0))
    w = of_rows + of_columns
    found = scores.products(softmax[0], softmax[-1], (a, b))
    for product, expected in zip(found, (w @ b, w.T @ a), strict=True):
        np.testing.assert_allclose(product, expected, rtol=0, atol=1e-14 * np.max(np.abs(expected)))


@pytest.mark.parametrize("n", range(1, 12))
@pytest.mark.parametrize("m", [None, 1, 4, 9])
def test_rounds_have_each_pair_once_and_no_row_or_column_twice(n, m):
    rows = np.zeros((n, 1))
    columns = rows if m is None else np.zeros((m, 1))
    scores = tiles.Scores(rows, columns, 0.0, True, None, 1, 1, None, None, 0, {})
    met = []
    for tiles_of_round in tiles.rounds(scores):
        for axis in (0, 1):
            taken = [tile[axis] for tile in tiles_of_round]
            assert len(set(taken)) == len(taken)
        met += tiles_of_round
    if m is None:
        met = [tuple(sorted(tile)) for tile in met]
        assert sorted(met) == [(i, j) for i in range(n) for j in range(i, n)]
    else:
        assert sorted(met) == [(i, j) for i in range(n) for j in range(m)]


@pytest.mark.parametrize(("bytes_kept", "count"), [(0, 0), (31, 0), (64, 2), (1000, 6)])
@pytest.mark.parametrize("no_shift", [True, False])
def test_the_second_pass_reuses_kept_tiles(monkeypatch, bytes_kept, count, no_shift):
    scores, made = scored(6, room=bytes_kept, no_shift=no_shift), []
    plain = tiles.Scores.compute
    monkeypatch.setattr(
        tiles.Scores, "compute", lambda self, i, j, space: made.append((i, j)) or plain(self, i, j, space)
    )
    (sums,) = scores.sums()
    assert len(scores.kept) == count
    softmax, first = sums.softmax(np.ones(6)), made.copy()
    products = []
    for taken in (first[:count], []):  # only the first of two second passes uses kept tiles
        made.clear()
        products.append(scores.products(softmax, softmax))
        assert sorted(made + taken) == sorted(first)
    np.testing.assert_array_equal(*products)


@pytest.mark.parametrize("no_shift", [True, False])
def test_the_mask_applies_to_tiles_on_the_diagonal_alone(no_shift):
    scores = scored(5, excluded=lambda x, n: np.eye(n, dtype=bool), no_shift=no_shift)
    plain = scores.rows @ scores.columns.T
    of = np.exp if no_shift else np.asarray
    (space,) = scores.allocate(1)
    np.testing.assert_allclose(scores.compute(0, 1, space), of(plain[:2, 2:4]), rtol=1e-14)
    np.testing.assert_allclose(
        scores.compute(1, 1, space), of(np.where(np.eye(2), -np.inf, plain[2:4, 2:4])), rtol=1e-14
    )
    np.testing.assert_allclose(scores.compute(2, 2, space), of([[-np.inf]]))
    np.testing.assert_allclose(scores.compute(2, 0, space), of(plain[4:, :2]), rtol=1e-14)


@pytest.mark.parametrize("no_shift", [True, False])
@pytest.mark.parametrize("within", [True, False])
def test_only_tiles_with_scores_of_the_part_are_computed(monkeypatch, within, no_shift):
    """Rows and columns sorted by class, with different class sizes, and one more column at the end."""
    rows, columns = np.array([0, 0, 0, 1, 2, 2]), np.array([0, 1, 1, 1, 1, 2, 2])
    scores, met = scored(6, 7, part=Part(rows, columns, within), no_shift=no_shift), []
    counts = (rows[:, None] == columns) == within
    made = tiles.Scores.compute
    monkeypatch.setattr(
        tiles.Scores, "compute", lambda self, i, j, space: met.append((i, j)) or made(self, i, j, space)
    )
    sums = scores.sums()
    assert sorted(met) == [
        (i, j) for i in range(3) for j in range(4) if counts[2 * i : 2 * i + 2, 2 * j : 2 * j + 2].any()
    ]
    logits = np.where(counts, scores.rows @ scores.columns.T, -np.inf)
    for side, axis in zip(sums, (1, 0)):
        found = side.above(np.zeros(logits.shape[1 - axis]))
        np.testing.assert_allclose(found, np.logaddexp.reduce(logits, axis=axis), rtol=1e-14)


def test_a_worker_holds_one_tile_and_two_in_the_second_pass(monkeypatch):
    """Without kept tiles."""
    scores, asked, spaces = scored(7, workers=2), [], tiles.Scores.allocate
    monkeypatch.setattr(
        tiles.Scores, "allocate", lambda self, *count: asked.append(count) or spaces(self, *count)
    )
    (sums,) = scores.sums()
    softmax = sums.softmax(np.ones(7))
    scores.products(softmax, softmax)
    assert asked == [(2,), (2, 2)]


@pytest.mark.parametrize("room", [0, 64, 1000])
@pytest.mark.parametrize("workers", [1, 2])
def test_both_passes_of_sigmoids_see_each_score_once(room, workers):
    """Σ_j log(1 + e^x), Σ_j 1/(1 + e^−x) of x = S + shift, and the products with 1/(1 + e^−x) times a factor."""
    scores = scored(7, 5, room=room, workers=workers)
    shift, factor = np.linspace(-3, 3, 7), np.linspace(-1, 2, 7)
    x = scores.rows @ scores.columns.T + shift[:, None]
    losses, slopes = scores.logistic_sums(shift)
    # a few roundings of numbers up to 30
    np.testing.assert_allclose(losses, np.logaddexp(0, x).sum(axis=1), rtol=1e-14, atol=0)
    np.testing.assert_allclose(slopes, (1 / (1 + np.exp(-x))).sum(axis=1), rtol=1e-14, atol=0)
    assert len(scores.kept) == min(12, room // 32)
    w = factor[:, None] / (1 + np.exp(-x))
    for _ in range(2):  # only the first of two second passes uses kept tiles
        of_rows, of_columns = scores.logistic_products(shift, factor)
        assert not scores.kept
        np.testing.assert_allclose(of_rows, w @ scores.columns, rtol=0, atol=1e-13)
        np.testing.assert_allclose(of_columns, w.T @ scores.rows, rtol=0, atol=1e-13)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("room", [0, 1000])
def test_sigmoids_of_scores_whose_exponential_overflows(dtype, room):
    """Row i's scores are up to 2 away from the shift: far below, near and above the largest exponent."""
    largest = np.log(np.finfo(dtype).max)
    shift = np.array([-np.inf, -largest, 0, 0.9 * largest, largest, 1e4, 1e6], dtype=dtype)
    scores = scored(7, 5, room=room, dtype=dtype)
    s, eps = (scores.rows @ scores.columns.T).astype("float64"), np.finfo(dtype).eps
    x = s + shift.astype("float64")[:, None]
    losses, slopes = scores.logistic_sums(shift)
    # a score, and its sum with the shift, are rounded; then e^x is wrong by as much as x
    tolerance = 4 * eps * (1 + np.where(np.abs(shift) < largest + 1, np.abs(shift), 0))
    expected = np.logaddexp(0, x).sum(axis=1), np.exp(-np.logaddexp(0, -x)).sum(axis=1)
    for found, right in zip((losses, slopes), expected):
        assert np.all((found == right) | (np.abs(found - right) <= tolerance * right))
    of_rows, _ = scores.logistic_products(shift, np.ones_like(shift))
    # five numbers of order 1 are added
    np.testing.assert_allclose(of_rows[-3:], np.ones((3, 5)) @ scores.columns, rtol=0, atol=20 * eps)


def test_a_sigmoid_is_written_over_the_exponentials():
    u, space = np.array([[1.0, 3.0]]), np.empty((1, 2))
    assert tiles.divide_by_one_more(u, space) is u
    assert (u.tolist(), space.tolist()) == ([[0.5, 0.75]], [[2, 4]])


def test_the_second_pass_of_sigmoids_reuses_kept_tiles(monkeypatch):
    scores, made = scored(6, 4, room=64), []
    plain = tiles.Scores.compute_scores
    monkeypatch.setattr(
        tiles.Scores,
        "compute_scores",
        lambda self, i, j, space: made.append((i, j)) or plain(self, i, j, space),
    )
    scores.logistic_sums(np.zeros(6))
    first, kept = made.copy(), list(scores.kept)
    made.clear()
    scores.logistic_products(np.zeros(6), np.ones(6))
    assert len(kept) == 2
    assert sorted(made + kept) == sorted(first)


def test_scores_without_columns_are_bounded_by_the_rows():
    bound, no_shift = tiles.bound_scores(np.array([[3.0, 4.0]]), np.empty((0, 2)))
    assert bound == 25 * (1 + 12 * EPS)
    assert no_shift


def test_sums_and_products_are_on_the_device_of_the_rows():
    xp = array_api_strict
    device = xp.Device("device1")
    rows, columns = xp.ones((5, 2), device=device), xp.ones((3, 2), device=device)
    scores = tiles.cut(rows, columns, 2.1, True, None, False, None, 2)
    ones = xp.ones((5,), device=device)
    sums = scores.sums()
    softmax = [side.softmax(xp.ones(side.shift.shape, device=device)) for side in sums]
    found = (
        *(side.total for side in sums),
        *scores.products(*softmax),
        *scores.logistic_sums(ones),
        *scores.logistic_products(ones, ones),
    )
    assert {x.device for x in found} == {device}
