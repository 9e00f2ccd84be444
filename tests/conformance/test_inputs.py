"""How arrays are laid out for a loss, how gradients come back, and the points that are drawn."""

import numpy as np
import pytest

from infonce_ref.conformance import inputs
from infonce_ref.conformance.formula import LABELS
from infonce_ref.conformance.inputs import SPREADS, UNUSUAL, USUAL, WAYS, Record, draw, points, relabel

X = np.array([[1.0, 2.0], [3.0, 4.0]])
Y = -X
TWO = {"x": X, "y": Y}
ONE_NEGATIVE = {**TWO, "negatives": 10 * X[:, None]}
FOUR = {"x": np.arange(8.0).reshape(4, 2), "y": -np.arange(8.0).reshape(4, 2)}
P1, P2 = FOUR["x"][:2], FOUR["x"][2:]
Z2, Z1 = FOUR["y"][:2], FOUR["y"][2:]  # a prediction and the other view's projection are a pair
CLASSES = {"w": np.arange(8.0).reshape(4, 2), "labels": np.array([5, 6, 5, 6])}
SCORES = {"scores": X}
EYE = np.eye(2, dtype=bool)
SAME = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1]], dtype=bool)
LAYOUTS = {
    "two": (TWO, (X, Y)),
    "concatenated": (TWO, ([[1, 2], [3, 4], [-1, -2], [-3, -4]],)),
    "interleaved": (TWO, ([[1, 2], [-1, -2], [3, 4], [-3, -4]],)),
    "stacked": (TWO, ([[[1, 2], [-1, -2]], [[3, 4], [-3, -4]]],)),
    "scores": (SCORES, (X,)),
    "scores, positive first": (SCORES, (X,)),
    "similarities": (TWO, ([[5, 11, -5, -11], [11, 25, -11, -25], [-5, -11, 5, 11], [-11, -25, 11, 25]],)),
    "classes": (CLASSES, (CLASSES["w"], CLASSES["labels"])),
    "pairs with labels": (TWO, ([[1, 2], [3, 4], [-1, -2], [-3, -4]], [0, 1, 0, 1])),
    "scores and labels": ({"scores": X, "positive": [1, 0]}, (X, [1, 0])),
    "queue": ({**TWO, "negatives": 2 * X}, (X, Y, 2 * X)),
    "own negatives": (ONE_NEGATIVE, (X, Y, 10 * X[:, None])),
    "triplets": (ONE_NEGATIVE, (X, Y, 10 * X)),
    "bank": ({"x": X, "bank": Y, "index": [1, 0]}, (X, Y, [1, 0])),
    "predictions and projections": (FOUR, (P1, Z1, P2, Z2)),
    "predictions, then projections": (FOUR, (P1, P2, Z1, Z2)),
    "scores and targets": ({"scores": X, "targets": Y}, (X, Y)),
    "data and noise scores": (
        {"data_scores": X[0], "noise_scores": X, "log_noise_data": Y[0], "log_noise": Y},
        (X[0], X, Y[0], Y),
    ),
    "bank and noise": (
        {"x": X, "bank": Y, "index": [1, 0], "noise_index": [[0], [1]]},
        (X, Y, [1, 0], [[0], [1]]),
    ),
    "views of classes": (CLASSES, ([[[0, 1], [4, 5]], [[2, 3], [6, 7]]], [5, 6])),
    "list": (TWO, ([X, Y],)),
    "views first": (TWO, ([X, Y],)),
    "one sequence": (TWO, ([X], [Y])),
    "sequences of one step": (TWO, ([[[1, 2]], [[3, 4]]], [[[-1, -2]], [[-3, -4]]])),
    "queue of columns": ({**TWO, "negatives": 2 * X}, (X, Y, [[2, 6], [4, 8]])),
    "scores and mask": (SCORES, (X, EYE)),
    "two with labels": (TWO, (X, Y, [0, 1])),
    "classes by mask": (CLASSES, (CLASSES["w"], SAME)),
    "pairs by mask": (TWO, (X, Y, EYE)),
    "two with classes": ({**TWO, "labels": [7, 7]}, (X, Y, [7, 7])),
    "pairs by two masks": (TWO, (X, Y, EYE, ~EYE)),
    "positives with hard negatives": (ONE_NEGATIVE, (X, [[-1, -2], [10, 20], [-3, -4], [30, 40]])),
    "likelihoods": (SCORES, (np.exp(X),)),
    "likelihoods and labels": (SCORES, (np.exp(X), [0, 1])),
    "scores and mask of 0 and 1": (SCORES, (X, EYE)),
    "classes by mask of 0 and 1": (CLASSES, (CLASSES["w"], SAME)),
    "pairs by mask of 0 and 1": (TWO, (X, Y, EYE)),
    "pairs by two masks of 0 and 1": (TWO, (X, Y, EYE, ~EYE)),
}


def test_every_layout_is_written_here():
    assert set(WAYS) - set(LAYOUTS) == {"record"}


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_arguments_of_a_loss(name):
    arrays, right = LAYOUTS[name]
    found = WAYS[name].arrange(WAYS[name].pack(arrays))
    assert len(found) == len(right)
    for got, wanted in zip(found, right):
        # e^x and the library's own differ in the last digit
        np.testing.assert_allclose(got, wanted, rtol=1e-15, atol=0)


@pytest.mark.parametrize("name", WAYS)
def test_a_gradient_comes_back_to_the_arrays_that_were_passed(name):
    """Layouts only move numbers, so that ⟨packed, g⟩ = ⟨arrays, unpacked g⟩ for any g."""
    rng = np.random.default_rng(0)
    arrays = points(WAYS[name].world, 4, each=1)[0]
    packed = WAYS[name].pack(arrays)
    g = [rng.standard_normal(x.shape) if x.dtype.kind == "f" else None for x in packed]
    back = WAYS[name].unpack(g)
    assert set(back) == {n for n, x in arrays.items() if n not in LABELS}
    forth = sum(np.sum(x * slope) for x, slope in zip(packed, g) if slope is not None)
    if set(arrays) & {"targets", "log_noise"}:  # floats that are held constant
        forth = sum(np.sum(x * s) for n, x, s in zip(arrays, packed, g) if n not in LABELS)
    assert sum(np.sum(arrays[n] * slope) for n, slope in back.items()) == pytest.approx(
        forth, rel=1e-12, abs=0
    )


def test_a_queue_of_columns_without_a_gradient():
    assert WAYS["queue of columns"].unpack([X, Y, None])["negatives"] is None


def test_the_usual_layouts_come_first():
    assert tuple(WAYS) == USUAL + UNUSUAL
    assert USUAL[-1] == "bank and noise"
    assert UNUSUAL[0] == "views of classes"


@pytest.mark.parametrize("name", [name for name in WAYS if "mask" in WAYS[name].last])
def test_a_mask_is_of_booleans_or_of_the_integers_0_and_1(name):
    masks = [x for x in WAYS[name].pack(LAYOUTS[name][0]) if x.dtype.kind != "f"]
    integers = name.endswith(" of 0 and 1")
    assert {x.dtype.kind for x in masks} == {"i" if integers else "b"}
    assert ("of integers, 1" in WAYS[name].words) is integers
    assert ("that is true" in WAYS[name].words) is not integers


def test_what_the_last_argument_is():
    last = {kind: [name for name in WAYS if WAYS[name].last == kind] for kind in ("labels", "negatives")}
    assert last["labels"] == [
        "classes",
        "pairs with labels",
        "scores and labels",
        "views of classes",
        "two with labels",
        "two with classes",
    ]
    assert last["negatives"] == ["queue", "own negatives", "triplets", "queue of columns"]


def test_a_record_gives_its_arrays_in_the_order_in_which_they_are_asked_for():
    (record,) = WAYS["record"].arrange(WAYS["record"].pack(TWO))
    assert record["logit_scale"] == record["scale_of_temperature"] == 10.0
    assert record["temperature"] == 0.1
    assert record["image"] is X
    assert record["text"] is Y
    assert record["image"] is X
    with pytest.raises(KeyError, match="labels"):
        record["labels"]


def test_a_record_does_not_use_up_the_list_that_it_is_given():
    arrays = [X, Y]
    assert Record(arrays)["image"] is X
    assert len(arrays) == 2


def test_the_labels_of_pairs_begin_at_a_ranks_first_row():
    assert inputs.pair_labels({"x": X, "offset": 4}).tolist() == [4, 5, 4, 5]


def test_views_with_different_labels_are_refused():
    with pytest.raises(ValueError, match="the two views of a row must have the same label"):
        inputs.take_shared_half(np.array([1, 2, 1, 3]))


@pytest.mark.parametrize("world", sorted({way.world for way in WAYS.values()}))
def test_the_batch_size_of_a_point(world):
    assert inputs.count_pairs(draw(world, 6, np.random.default_rng(0), 1.0)) == 6


SHAPES = {
    "views": {"x": (6, 5), "y": (6, 5)},
    "queue": {"x": (6, 5), "y": (6, 5), "negatives": (9, 5)},
    "own": {"x": (6, 5), "y": (6, 5), "negatives": (6, 3, 5)},
    "one negative": {"x": (6, 5), "y": (6, 5), "negatives": (6, 1, 5)},
    "classes": {"w": (12, 5), "labels": (12,)},
    "classes of views": {"x": (6, 5), "y": (6, 5), "labels": (6,)},
    "bank": {"x": (6, 5), "bank": (9, 5), "index": (6,)},
    "bank and noise": {"x": (6, 5), "bank": (9, 5), "index": (6,), "noise_index": (6, 4)},
    "scores": {"scores": (6, 6), "positive": (6,)},
    "scores, positive first": {"scores": (6, 8), "positive": (6,)},
    "scores, drawn positive": {"scores": (6, 8), "positive": (6,)},
    "scores and noise": {"scores": (6, 6), "positive": (6,)},
    "scores and targets": {"scores": (6, 8), "targets": (6, 8)},
    "data and noise": {
        "data_scores": (6,),
        "noise_scores": (6, 3),
        "log_noise_data": (6,),
        "log_noise": (6, 3),
    },
}


def test_every_world_is_written_here():
    assert set(SHAPES) == {way.world for way in WAYS.values()}


@pytest.mark.parametrize("world", SHAPES)
def test_the_shapes_of_a_point(world):
    drawn = draw(world, 6, np.random.default_rng(0), 1.0)
    assert {name: x.shape for name, x in drawn.items()} == SHAPES[world]


def test_the_noise_of_a_row_does_not_grow_with_the_batch():
    assert draw("scores and noise", 9, np.random.default_rng(0), 1.0)["scores"].shape == (9, 6)


@pytest.mark.parametrize(
    ("world", "positive"),
    [
        ("scores", [0, 1, 2, 3, 4, 5]),
        ("scores, positive first", [0] * 6),
        ("scores and noise", [0] * 6),
        ("scores, drawn positive", [0, 2, 4, 6, 0, 2]),
    ],
)
def test_the_positives_of_scores(world, positive):
    assert draw(world, 6, np.random.default_rng(0), 1.0)["positive"].tolist() == positive


def test_both_views_of_a_row_are_of_one_class_and_some_classes_have_several_rows():
    labels = draw("classes", 4, np.random.default_rng(0), 1.0)["labels"]
    assert labels.tolist() == [0, 1, 2, 0, 0, 1, 2, 0]
    assert draw("classes of views", 4, np.random.default_rng(0), 1.0)["labels"].tolist() == [0, 1, 2, 0]


def test_each_row_has_its_own_place_in_the_bank_and_noise_from_all_of_it():
    drawn = draw("bank and noise", 6, np.random.default_rng(0), 1.0)
    assert drawn["index"].tolist() == [0, 2, 4, 6, 8, 1]
    assert set(np.ravel(drawn["noise_index"])) <= set(range(9))


def test_targets_are_probabilities_and_none_is_0():
    targets = draw("scores and targets", 6, np.random.default_rng(0), 1.0)["targets"]
    assert targets.sum(axis=1) == pytest.approx(np.ones(6), rel=1e-14, abs=0)
    assert targets.min() > 0


def test_the_probabilities_of_noise_are_below_1():
    drawn = draw("data and noise", 50, np.random.default_rng(0), 1.0)
    for name in ("log_noise_data", "log_noise"):
        assert drawn[name].max() < -0.5
        assert drawn[name].min() > -2


def of_size(x):
    return np.sqrt(np.mean(x**2))


@pytest.mark.parametrize("world", [world for world in SHAPES if "score" in world or "data" in world])
def test_scores_have_three_times_the_spread(world):
    """Of 150 Gaussian numbers or more; the deviation of their root mean square is 6 % or less."""
    drawn = draw(world, 50, np.random.default_rng(0), 0.2)
    for name in {"scores", "data_scores", "noise_scores"} & set(drawn):
        assert of_size(drawn[name]) == pytest.approx(0.6, rel=0.25, abs=0)


@pytest.mark.parametrize("features", [5, 80])
def test_rows_lie_about_one_direction_at_the_spread_whatever_their_features(features):
    """Noise of this spread in each of five features has the length √5 spread; its deviation over 400 rows: 2 %."""
    spread = 0.01
    drawn = draw("views", 400, np.random.default_rng(0), spread, features)
    centre = drawn["x"].mean(axis=0)
    assert np.linalg.norm(centre) == pytest.approx(1 - spread, rel=0.01, abs=0)
    units = drawn["x"] / np.linalg.norm(drawn["x"], axis=1, keepdims=True)
    across = np.linalg.norm(units - centre / np.linalg.norm(centre), axis=1)
    free = (features - 1) / features  # the part of the noise that is not along the centre
    assert of_size(across) == pytest.approx(spread * np.sqrt(5 * free), rel=0.1, abs=0)
    apart = np.linalg.norm(drawn["y"] - drawn["x"], axis=1)
    assert of_size(apart) == pytest.approx(0.7 * spread * np.sqrt(5), rel=0.1, abs=0)


def test_rows_have_different_lengths():
    """By a factor e^{0.4 spread g}, beside which the noise along the centre is small."""
    x = draw("views", 400, np.random.default_rng(0), 1e-3)["x"]
    lengths = np.log(np.linalg.norm(x, axis=1))
    assert lengths.std() == pytest.approx(1e-3 * np.hypot(0.4, 1), rel=0.1, abs=0)


def test_the_spread_never_removes_the_centre():
    """At a spread of 1 a tenth of it remains; the mean of 10⁵ rows has an error of 0.005 in each feature."""
    x = draw("views", 100_000, np.random.default_rng(0), 1.0)["x"]
    mean_of_lengths = np.exp(0.4**2 / 2)
    assert np.linalg.norm(x.mean(axis=0)) == pytest.approx(0.1 * mean_of_lengths, abs=0.03)


def test_rows_of_two_views_of_classes_are_pairs():
    drawn = draw("classes of views", 400, np.random.default_rng(0), 0.1)
    apart = np.linalg.norm(drawn["y"] - drawn["x"], axis=1)
    assert of_size(apart) == pytest.approx(0.07 * np.sqrt(5), rel=0.1, abs=0)


@pytest.mark.parametrize(
    ("world", "labelled"),
    [
        ("classes", True),
        ("classes of views", True),
        ("bank", True),
        ("bank and noise", True),
        ("scores, drawn positive", True),
        ("scores", False),
        ("views", False),
    ],
)
def test_which_points_have_labels(world, labelled):
    assert inputs.are_labelled(world) is labelled


@pytest.mark.parametrize(
    ("world", "name", "moved"),
    [
        ("classes", "labels", [0, 0, 1, 2, 0, 0, 1, 2]),
        ("classes of views", "labels", [0, 0, 1, 2]),
        ("bank", "index", [6, 0, 2, 4]),
        ("scores, drawn positive", "positive", [0, 0, 2, 4]),
    ],
)
def test_other_labels_are_those_of_the_row_before(world, name, moved):
    drawn = draw(world, 4, np.random.default_rng(0), 1.0)
    before = drawn[name].copy()
    found = relabel(world, drawn)
    assert found[name].tolist() == moved
    assert np.array_equal(drawn[name], before)
    assert all(found[other] is drawn[other] for other in drawn if other != name)


def test_points_without_labels_are_left():
    drawn = draw("scores", 4, np.random.default_rng(0), 1.0)
    assert relabel("scores", drawn) is drawn


def test_one_row_alone_in_its_class_has_a_label_of_its_own():
    drawn = draw("classes", 4, np.random.default_rng(0), 1.0)
    found = inputs.leave_alone(drawn)
    assert found["labels"].tolist() == [0, 1, 2, 0, 0, 1, 2, 3]
    assert found["w"] is drawn["w"]


def test_points_are_drawn_at_every_spread_from_a_seed_and_a_size():
    found = points("scores", 4, each=3, seed=2)
    rng = np.random.default_rng([2, 4])
    right = [draw("scores", 4, rng, spread)["scores"] for spread in SPREADS for _ in range(3)]
    assert len(found) == len(right)
    assert all(np.array_equal(a["scores"], b) for a, b in zip(found, right))


def test_points_are_four_of_each_spread_if_nothing_else_is_asked_for():
    assert len(points("scores", 4)) == 4 * len(SPREADS)
    assert points("views", 4)[0]["x"].shape == (4, 5)
    assert points("views", 4, features=9)[0]["x"].shape == (4, 9)
    assert np.array_equal(points("scores", 4)[0]["scores"], points("scores", 4, seed=0)[0]["scores"])


def test_stacked_points_share_their_integers():
    many = points("classes", 4, each=1)
    found = inputs.stack(many)
    assert found["w"].shape == (4, 8, 5)
    assert np.array_equal(found["w"][2], many[2]["w"])
    assert found["labels"] is many[0]["labels"]


def test_every_array_needs_its_gradient():
    with pytest.raises(ValueError, match="zip"):
        WAYS["two"].unpack([X])
