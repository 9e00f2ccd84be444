"""The choices that make up a formula: how rows are prepared and compared, who is the positive."""

import numpy as np
import pytest

from infonce_ref.conformance import features
from infonce_ref.conformance.digits import balls, many_digits
from infonce_ref.conformance.features import POSITIVES, ROWS, SIMILARITIES, columns, compare, each, soften

X = np.array([[3.0, 4.0], [0.0, 2.0], [-6.0, 3.0]])
Y = np.array([[1.0, 0.0], [5.0, 12.0], [8.0, -6.0]])
QUEUE = np.array([[0.0, -7.0]])
VIEWS = {"x": X, "y": Y}
CLOSE = {"rtol": 1e-12, "atol": 1e-14}  # a few roundings


def prepare(name, **arrays):
    return ROWS[name].function(arrays)


def norms(x, axis=None):
    return np.linalg.norm(x, axis=axis, keepdims=axis is not None)


def test_a_function_is_applied_to_every_array_of_rows():
    arrays = {
        name: np.array([k]) for k, name in enumerate(("x", "y", "w", "negatives", "bank", "labels", "index"))
    }
    found = each(lambda x: x + 10)(arrays)
    assert {name: int(x[0]) for name, x in found.items()} == {
        "x": 10,
        "y": 11,
        "w": 12,
        "negatives": 13,
        "bank": 14,
    }


def test_or_to_the_named_arrays_alone():
    assert each(lambda x: x + 10, "y", "w")({"x": 0, "y": 1, "bank": 2}) == {"x": 0, "y": 11, "bank": 2}


@pytest.mark.parametrize("name", ["x", "y", "w", "negatives", "bank"])
def test_unit_rows_have_length_one(name):
    expected = [[0.6, 0.8], [0, 1], [-6 / np.sqrt(45), 3 / np.sqrt(45)]]
    assert np.allclose(prepare("unit", **{name: X})[name], expected, **CLOSE)


def test_given_rows_are_used_as_they_come():
    assert prepare("given", x=X, y=Y) == VIEWS


def test_columns_may_be_given_length_one():
    found = prepare("by column", x=X, y=Y)
    assert np.allclose(found["x"], X / np.sqrt([45, 29]), **CLOSE)
    assert np.allclose(found["y"], Y / np.sqrt([90, 180]), **CLOSE)


def test_columns_may_be_given_length_one_over_both_views():
    found = prepare("by column, jointly", x=X, y=Y, negatives=QUEUE)
    lengths = np.sqrt([45 + 90, 29 + 180])
    assert np.allclose(found["x"], X / lengths, **CLOSE)
    assert np.allclose(found["y"], Y / lengths, **CLOSE)
    assert found["negatives"] is QUEUE
    assert np.allclose(prepare("by column, jointly", w=X)["w"], X / np.sqrt([45, 29]), **CLOSE)


def test_a_batch_may_be_divided_by_one_length():
    found = prepare("as a whole", x=X, y=Y)
    assert np.allclose(found["x"], X / np.sqrt(74), **CLOSE)
    assert np.allclose(found["y"], Y / np.sqrt(270), **CLOSE)


def test_both_views_may_be_divided_by_one_length():
    found = prepare("as a whole, jointly", x=X, y=Y)
    assert np.allclose(found["x"], X / np.sqrt(344), **CLOSE)
    assert np.allclose(found["y"], Y / np.sqrt(344), **CLOSE)
    assert np.allclose(prepare("as a whole, jointly", w=X)["w"], X / np.sqrt(74), **CLOSE)


@pytest.mark.parametrize("name", ["by column, jointly", "as a whole, jointly", "as a whole", "by column"])
def test_each_of_many_points_has_its_own_lengths(name):
    many = {array: np.stack([x, x[::-1] + 1]) for array, x in VIEWS.items()}
    found, one = prepare(name, **many), prepare(name, **{array: x[1] for array, x in many.items()})
    assert all(np.allclose(found[array][1], one[array], **CLOSE) for array in VIEWS)


def test_rows_may_be_standardised():
    x = np.array([[1.0, 2.0, 6.0]])
    assert np.allclose(prepare("standardised", x=x)["x"], (x - 3) / np.std(x), **CLOSE)


def test_rows_may_be_centred_over_their_own_view():
    found = prepare("centred", x=X, y=Y)
    for name, x in VIEWS.items():
        centred = x - x.mean(axis=0)
        assert np.allclose(found[name], centred / norms(centred, 1), **CLOSE)


def test_rows_may_be_centred_over_both_views():
    found = prepare("centred together", x=X, y=Y, negatives=QUEUE)
    for name, x in VIEWS.items():
        centred = x - (X + Y).mean(axis=0) / 2
        assert np.allclose(found[name], centred / norms(centred, 1), **CLOSE)
    assert found["negatives"] is QUEUE
    of_one = X - X.mean(axis=0)
    assert np.allclose(prepare("centred together", w=X)["w"], of_one / norms(of_one, 1), **CLOSE)


def test_centring_is_over_the_rows_of_each_of_many_points():
    many = {name: np.stack([x, x[::-1] * 2 + 1]) for name, x in VIEWS.items()}
    for choice in ("centred", "centred together", "standardised", "columns"):
        found, one = prepare(choice, **many), prepare(choice, **{name: x[1] for name, x in many.items()})
        assert all(np.allclose(found[name][1], one[name], **CLOSE) for name in VIEWS)


@pytest.mark.parametrize(("name", "less"), [("columns", 0), ("columns over B − 1", 1)])
def test_columns_become_rows_of_which_a_product_is_a_correlation(name, less):
    found = prepare(name, x=X, y=Y)
    products = found["x"] @ found["y"].T
    correlations = np.corrcoef(X.T, Y.T)[:2, 2:]
    assert np.allclose(products, correlations * (3 - less) / 3, **CLOSE)


def test_an_epsilon_is_added_to_variance_and_deviation():
    x = np.array([[0.0], [2.0], [4.0]])  # variance 8/3
    found = columns(0, {"variance": 1 / 3, "deviation": 0.5})(x)
    assert np.allclose(found, np.array([[-2, 0, 2]]) / (np.sqrt(3) + 0.5) / np.sqrt(3), **CLOSE)
    assert np.allclose(columns(1, {"variance": 5.0})(x), np.array([[-2, 0, 2]]) / 3 / np.sqrt(3), **CLOSE)


def test_columns_have_many_digits_in_balls():
    with many_digits():
        found = columns(1)(balls(X))
    assert np.allclose(found.astype(float), columns(1)(X), **CLOSE)
    assert found[0, 0].rel_accuracy_bits() > 100


def test_an_epsilon_is_added_to_lengths():
    x = np.array([[3.0, 4.0]])
    assert np.allclose(soften({"length": 5.0})(x), x / 10, **CLOSE)
    assert np.allclose(soften({"root": 11.0})(x), x / 6, **CLOSE)
    assert np.allclose(soften({"root": 11.0, "length": 4.0})(x), x / 10, **CLOSE)


def test_one_side_may_be_normalised():
    arrays = {"x": X, "y": Y, "negatives": QUEUE, "bank": X}
    first, second = (ROWS[name].function(arrays) for name in ("first unit", "second unit"))
    assert np.allclose(first["x"], X / norms(X, 1), **CLOSE)
    assert all(first[name] is arrays[name] for name in ("y", "negatives", "bank"))
    assert second["x"] is X
    assert np.allclose(second["y"], Y / norms(Y, 1), **CLOSE)
    assert np.allclose(second["negatives"], [[0, -1]], **CLOSE)
    assert np.allclose(second["bank"], X / norms(X, 1), **CLOSE)


A, C = np.array([[1.0, 2.0], [0.0, -1.0]]), np.array([[3.0, 0.0], [1.0, 1.0], [0.0, -2.0]])
PRODUCTS = np.array([[3, 3, -4], [0, -1, 2]])
GAPS = np.array([[8, 1, 17], [10, 5, 1]])  # (1, 2) to (3, 0): 4 + 4 …


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("dot", PRODUCTS),
        ("squared distance", -GAPS),
        ("distance", -np.sqrt(GAPS)),
        ("clamped", [[3, 3, 0], [0, 0, 2]]),
        ("absolute", [[3, 3, 4], [0, 1, 2]]),
        ("square", [[9, 9, 16], [0, 1, 4]]),
    ],
)
def test_rows_are_compared(name, expected):
    assert np.allclose(compare(name, {})(A, C), expected, **CLOSE)
    many = compare(name, {})(np.stack([0 * A, A]), np.stack([C, C]))
    assert np.allclose(many[1], expected, **CLOSE)


def test_an_epsilon_is_added_to_the_product_of_lengths():
    lengths = np.sqrt([[5], [1]]) * np.sqrt([9, 2, 4])
    found = compare("dot", {"lengths": 0.5})
    assert np.allclose(found(A, C), PRODUCTS / (lengths + 0.5), **CLOSE)
    assert np.allclose(
        found(np.stack([C[:2], A]), np.stack([A, C[:2]]))[1], (PRODUCTS / (lengths + 0.5))[:, :2], **CLOSE
    )


@pytest.mark.parametrize(("name", "power"), [("distance", 1), ("squared distance", 2)])
def test_an_epsilon_is_added_to_the_difference_anchor_minus_candidate(name, power):
    """As in torch.nn.functional.pairwise_distance."""
    expected = [[-(norms(a - c + 0.25) ** power) for c in C] for a in A]
    assert np.allclose(compare(name, {"gap": 0.25})(A, C), expected, **CLOSE)
    assert np.allclose(compare(name, {"gap": 0.25})(np.stack([A, A]), np.stack([C, C]))[1], expected, **CLOSE)


def test_other_numbers_do_not_change_the_comparison():
    assert compare("dot", {"logarithm": 1.0, "length": 1.0}) is SIMILARITIES["dot"].function


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("partner", [0, 3, 1]),
        ("next", [1, 0, 2]),
        ("previous", [3, 2, 0]),
        ("the first", [0, 0, 0]),
        ("itself", [0, 3, 1]),
    ],
)
def test_who_is_taken_for_the_positive(name, index):
    assert POSITIVES[name](np.array([0, 3, 1]), 4).tolist() == index


def test_a_wrong_positive_is_one_that_can_be_chosen():
    assert features.WRONG_POSITIVES.keys() == POSITIVES.keys() - {"partner"}


def test_what_nobody_intends_is_a_mistake():
    intended = {
        "unit",
        "given",
        "centred",
        "centred together",
        "columns",
        "dot",
        "squared distance",
        "distance",
    }
    assert {name for name, feature in (ROWS | SIMILARITIES).items() if not feature.mistake} == intended


def test_every_small_number_has_words():
    beside = {*features.BESIDE_LOGITS, *features.BESIDE_ROWS}
    assert features.ADDED.keys() == beside
    assert all(words.startswith(("to ", "inside ")) for words in features.ADDED.values())
