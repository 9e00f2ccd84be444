"""The least value of each loss: attained where the library says so, and never undercut."""

import numpy as np
import pytest

from infonce_ref.floors import ALL, least
from infonce_ref.losses import ALL as LOSSES


def simplex(count, features):
    """Rows of a regular simplex in this many features."""
    centred = np.eye(count) - 1 / count
    rows = centred @ np.linalg.svd(centred)[2][: count - 1].T
    return np.pad(rows / np.linalg.norm(rows, axis=1, keepdims=True), ((0, 0), (0, features - count + 1)))


def harmonic(pairs, features, weight):
    """Views at the floor of R4: columns of orthonormal rows in two blocks, with different scales."""
    rank = pairs - 1
    angles = 2 * np.pi * np.arange(features) / features
    blocks = [np.ones((1, features)) / np.sqrt(features)] if rank % 2 else []
    for k in range(1, 1 + rank // 2):
        blocks.append(np.sqrt(2 / features) * np.stack([np.cos(k * angles), np.sin(k * angles)]))
    e, first = np.concatenate(blocks), len(blocks[0])
    diagonal = 1 / (1 + weight * (features / rank - 1))
    # (a x + b)(a/x + b) = (M/c)² for the scale x, with a rows in the first block and b in the others
    a, b = first, rank - first
    middle = ((rank / diagonal) ** 2 - a * a - b * b) / (a * b)
    stretch = np.where(np.arange(rank) < first, np.sqrt((middle + np.sqrt(middle**2 - 4)) / 2), 1.0)[:, None]
    basis = np.linalg.qr(np.eye(pairs)[:, :rank] - 1 / pairs)[0]
    return basis @ (stretch * e), basis @ (e / stretch)


def twice(rows):
    return np.concatenate([rows, rows])


def views(first, second=None):
    return {"z1": first, "z2": first if second is None else second}


S = simplex(4, 5)
AT = {"temperature": 0.5}
SIZES = {"pairs": 4, "features": 5}
FRAME = np.stack([np.cos(np.arange(5) * 0.4 * np.pi), np.sin(np.arange(5) * 0.4 * np.pi)], axis=1)
CIRCLE, CLAMPED = (
    np.array([[1.0, 0], [0, 1], [-1, 0], [0, -1]]),
    {"temperature": 0.1, "beta": 0.0, "prior": 0.01},
)
ONE = {"pairs": 1, "features": 5}
CLASS = {"w": np.ones((3, 1))}
WEIGHTS = {"invariance": 25.0, "variance": 25.0, "covariance": 1.0, "margin": 1.0, "epsilon": 1e-4}


def images(rows, texts):
    return {"image": rows, "text": texts}


# the loss, the sizes of its floor, the rows of a batch with this value, and options of both
REACHED = [
    ("ntxent", SIZES, {"w": twice(S)}, AT),
    ("ntxent", ONE, {"w": twice(S[:1])}, AT),
    ("infonce", SIZES, {"z": twice(S)}, AT),
    ("dcl", SIZES, {"w": twice(S)}, AT),
    ("dcl", SIZES, {"w": twice(S)}, {**AT, "sigma": 0.5}),
    ("hard_negative", SIZES, {"w": twice(S)}, {**AT, "beta": 1.0, "prior": 0.0}),
    ("hard_negative", SIZES, {"w": twice(S)}, {**AT, "beta": 0.5, "prior": 0.02}),
    ("hard_negative", SIZES, {"w": twice(S)}, {**AT, "beta": 1.0, "prior": 0.3}),
    # four points on a circle are no simplex, but every estimate is clamped [F29]
    ("hard_negative", {"pairs": 4, "features": 2}, {"w": twice(CIRCLE)}, CLAMPED),
    ("clip", SIZES, images(S, S), AT),
    ("dhn_nce", SIZES, images(S, S), {**AT, "beta1": 1.0, "beta2": 0.5}),
    ("siglip", SIZES, images(S, S), {**AT, "bias": -5.0}),
    ("siglip", SIZES, images(S[[0] * 4], -S[[0] * 4]), {**AT, "bias": 9.0}),
    ("siglip", ONE, images(S[:1], S[:1]), {**AT, "bias": 1.0}),
    ("supcon", {"features": 1}, CLASS, {"labels": np.array([7, 7, 7]), **AT}),
    ("supcon", {"features": 1}, CLASS, {"labels": np.array([7, 7, 7]), **AT, "form": "pairs"}),
    (
        "query_key",
        {"negatives": 3},
        {"query": S[[0, 0]], "positive": S[[0, 0]], "negatives": -S[[0] * 3]},
        AT,
    ),
    ("query_key", {"negatives": 0}, {"query": S, "positive": S, "negatives": S[:0]}, AT),
    ("cpc", {"candidates": 1}, {"scores": S[:, :1], "positive": np.zeros(4, dtype=int)}, {}),
    ("soft_targets", {}, {"scores": np.log([[5.0, 2, 3]])}, {"targets": np.array([[0.5, 0.2, 0.3]])}),
    ("triplet", {}, {"anchor": S, "positive": S, "negative": S + 1, "margin": 0.5}, {}),
    ("byol", {}, {"prediction": S, "target": 2 * S}, {}),
    ("simsiam", {}, {"p1": S, "z2": S, "p2": 2 * S, "z1": S}, {}),
    ("alignment", {}, {**views(S), "exponent": 2.0}, {}),
    ("uniformity", {"rows": 4, "features": 3}, {"z": S}, {"t": 2.0}),
    ("spectral", {"pairs": 3, "features": 4}, views(np.eye(3, 4)), {}),
    ("spectral", {"pairs": 5, "features": 2}, views(FRAME), {}),
    ("barlow_twins", {"pairs": 5, "features": 4}, views(simplex(5, 4)), {"weight": 0.5}),
    *(
        ("barlow_twins", {"pairs": b, "features": d}, views(*harmonic(b, d, w)), {"weight": w})
        for b, d, w in ((4, 5, 0.5), (5, 7, 0.05), (6, 8, 1.0))
    ),
    ("barlow_twins", {"pairs": 2, "features": 3}, views(np.eye(2)[:, [0, 1, 1]]), {"weight": 2.0}),
    ("vicreg", {"pairs": 5, "features": 4}, {**views(9 * simplex(5, 4)), **WEIGHTS}, {}),
]


def value(loss, arguments):
    options = {"reduction": "mean"} if loss == "dhn_nce" else {}
    return float(LOSSES[loss].forward(**arguments, **options)[0])


@pytest.mark.parametrize(("loss", "sizes", "rows", "options"), REACHED)
def test_a_floor_that_is_reached_is_the_loss_of_a_batch(loss, sizes, rows, options):
    floor = least(loss, **sizes, **options)
    assert floor.reached or "may be clamped as well" in floor.where
    # both sides are sums of a few dozen terms of size 10 or less, in float64
    assert value(loss, {**rows, **options}) == pytest.approx(floor.value, rel=1e-12, abs=1e-12)


def test_equal_classes_reach_the_floor_of_supcon():
    floor = least("supcon", labels=[0, 1, 2, 3] * 3, features=3, **AT)
    batch = {"w": np.concatenate([S] * 3), "labels": np.arange(12) % 4, **AT}
    assert floor.claims == ("R19",)
    assert floor.reached
    for form in ("out", "in", "pairs"):
        of_form = least("supcon", labels=[0, 1, 2, 3] * 3, features=3, **AT, form=form)
        assert value("supcon", {**batch, "form": form}) == pytest.approx(of_form.value, rel=1e-12, abs=0)
    assert of_form.value < floor.value


ROWS = {"ntxent": "w", "infonce": "z", "dcl": "w", "hard_negative": "w", "supcon": "w", "uniformity": "z"}
VIEWS = dict.fromkeys(("clip", "siglip", "dhn_nce"), ("image", "text"))
DESCENTS = [  # the loss, rows, features, arguments of its floor besides sizes, other arguments
    ("ntxent", 12, 3, {"temperature": 0.3}),
    ("infonce", 12, 3, {"temperature": 0.3}),
    ("dcl", 12, 3, {"temperature": 0.3}),
    ("dcl", 12, 3, {"temperature": 0.3, "sigma": 0.2}),
    ("hard_negative", 12, 3, {"temperature": 0.5, "beta": 1.0, "prior": 0.0}),
    ("hard_negative", 12, 3, {"temperature": 0.5, "beta": 1.0, "prior": 0.05}),
    ("hard_negative", 12, 3, {"temperature": 0.5, "beta": 1.0, "prior": 0.3}),
    ("clip", 6, 3, {"temperature": 0.3}),
    ("dhn_nce", 6, 3, {"temperature": 0.3, "beta1": 0.5, "beta2": 1.0}),
    ("siglip", 4, 3, {"temperature": 0.5, "bias": 0.0}),
    ("uniformity", 6, 3, {"t": 2.0}),
]


def descend(loss, count, features, options, steps):
    """The losses along a gradient descent over unit rows; each step is halved until the loss falls."""
    names, rng, rate = VIEWS.get(loss) or (ROWS[loss],), np.random.default_rng(0), 1.0
    rows = {name: unit(rng.standard_normal((count, features))) for name in names}
    mean = {"reduction": "mean"} if loss == "dhn_nce" else {}
    now, cache = LOSSES[loss].forward(**rows, **options, **mean)
    for _ in range(steps):
        yield float(now)
        slopes = LOSSES[loss].backward(cache)
        while rate > 1e-6:
            moved = {name: unit(x - rate * getattr(slopes, name)) for name, x in rows.items()}
            later, after = LOSSES[loss].forward(**moved, **options, **mean)
            if later < now:
                rows, now, cache, rate = moved, later, after, 1.5 * rate
                break
            rate /= 2


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True).clip(1e-9)


@pytest.mark.parametrize(("loss", "count", "features", "options"), DESCENTS)
def test_no_descent_falls_below_a_floor(loss, count, features, options):
    """Sizes at which no batch reaches the floor; others are in REACHED."""
    counted = {"rows": count} if loss == "uniformity" else {"pairs": count if loss in VIEWS else count // 2}
    floor = least(loss, **counted, features=features, **options)
    seen = [*descend(loss, count, features, options, steps=150)]
    assert min(seen) >= floor.value - 1e-12 * max(1, abs(floor.value))  # rounding of a float64 loss


@pytest.mark.parametrize("form", ["out", "in", "pairs"])
@pytest.mark.parametrize(
    "labels", [[0, 0, 1], [0, 0, 0, 1, 1, 2], [0] * 5 + [1] * 3 + [2] * 2 + [3] * 2 + [4, 5]]
)
def test_classes_of_unequal_sizes_descend_to_their_floor(labels, form):
    floor = least("supcon", labels=labels, features=5, temperature=1.0, form=form)
    options = {"labels": np.array(labels), "temperature": 1.0, "form": form}
    last = min(descend("supcon", len(labels), 5, options, steps=400))
    # the bound is at most 1e-8 below the least value, and the descent ends within 1e-5 of it
    assert floor.reached
    assert floor.value - 1e-12 <= last <= floor.value + 1e-5


def test_at_low_temperature_unequal_classes_have_the_floor_of_unbounded_scores():
    """At τ = 1e-5 every e^{s/τ} of a negative underflows, and so do the slopes of the program."""
    floor = least("supcon", labels=[0, 0, 1, 1, 1], features=3, temperature=1e-5)
    assert floor.value == pytest.approx(0.6 * np.log(2), rel=1e-14, abs=0)
    assert floor.reached


@pytest.mark.parametrize(
    ("loss", "sizes"),
    [
        ("ntxent", {"pairs": 6, "features": 4, **AT}),
        ("siglip", {"pairs": 6, "features": 4, **AT, "bias": -9.0}),
        ("siglip", {"pairs": 4, "features": 3, **AT, "bias": 0.0}),
        ("hard_negative", {"pairs": 256, "features": 512, **AT, "beta": 0.0, "prior": 0.01}),
        ("supcon", {"labels": [0, 0, 1, 1, 2, 2], "features": 1, **AT}),
        ("uniformity", {"rows": 6, "features": 4, "t": 2.0}),
        ("barlow_twins", {"pairs": 3, "features": 5, "weight": 0.5}),
        ("barlow_twins", {"pairs": 4, "features": 5, "weight": 2.0}),
        ("vicreg", {"pairs": 4, "features": 4}),
        ("cpc", {"candidates": 2}),
        ("soft_targets", {"targets": [[1.0, 0.0]]}),
        ("instance", {"rows": 9}),
        ("nce", {}),
        ("instance_nce", {}),
    ],
)
def test_a_floor_that_is_only_a_bound_says_so(loss, sizes):
    assert not least(loss, **sizes).reached


@pytest.mark.parametrize(
    ("loss", "sizes", "message"),
    [
        ("unknown", {}, "this loss has no known floor: unknown 'unknown'"),
        ("ntxent", {"pairs": 0, "features": 2, **AT}, "pairs must be a positive integer"),
        ("dcl", {"pairs": 1, "features": 2, **AT}, "pairs must be at least 2"),
        ("ntxent", {"pairs": 2, "features": 2, "temperature": 0}, "temperature must be positive"),
        ("supcon", {"labels": [0, 1, 2], "features": 2, **AT}, "labels must repeat"),
        ("soft_targets", {"targets": [[0.5, 0.4]]}, "targets must be rows"),
        ("soft_targets", {"targets": np.zeros((0, 3))}, "targets must be rows"),
        ("siglip", {"pairs": 4, "features": 0, **AT, "bias": 50.0}, "features must be a positive integer"),
    ],
)
def test_bad_arguments_are_refused(loss, sizes, message):
    with pytest.raises(ValueError, match=message):
        least(loss, **sizes)


def test_every_floor_belongs_to_a_loss():
    assert set(ALL) == set(LOSSES)
