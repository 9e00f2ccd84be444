"""A formula: the places of anchors and candidates, their similarities, and the loss of both."""

import numpy as np
import pytest

from infonce_ref.conformance.digits import arb, balls, many_digits
from infonce_ref.conformance.formula import Formula, Places, phi, places, places_of, similarities, total

RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((2, 3, 4))
W = np.concatenate([X, Y])
QUEUE = RNG.standard_normal((2, 4))
OWN = RNG.standard_normal((3, 2, 4))
LABELS = np.array([5, 7, 5])
VIEWS = {"x": X, "y": Y}
CLOSE = {"rtol": 1e-12, "atol": 1e-13}  # a few roundings


def drawn(mask):
    """A mask as text, a row a word."""
    assert np.asarray(mask).dtype == bool
    return " ".join("".join("#" if here else "." for here in row) for row in mask)


def roles(arrays, **choices):
    return {role: drawn(mask) for role, mask in places(arrays, **choices).roles.items()}


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def test_places_of_two_views():
    assert roles(VIEWS) == {
        "self": "#..... .#.... ..#... ...#.. ....#. .....#",
        "positive": "...#.. ....#. .....# #..... .#.... ..#...",
        "same view": ".##... #.#... ##.... ....## ...#.# ...##.",
        "other view": "....## ...#.# ...##. .##... #.#... ##....",
    }
    assert drawn([places(VIEWS).first]) == "###..."


@pytest.mark.parametrize(
    ("positive", "where"),
    [
        ("next", "....#. .....# ...#.. .#.... ..#... #....."),
        ("previous", ".....# ...#.. ....#. ..#... #..... .#...."),
        ("the first", "...#.. ...#.. ...#.. #..... #..... #....."),
    ],
)
def test_another_row_is_the_positive(positive, where):
    found = places(VIEWS, positive).roles
    assert drawn(found["positive"]) == where
    across = places(VIEWS).roles
    assert np.array_equal(
        found["other view"], (across["positive"] | across["other view"]) & ~found["positive"]
    )


def test_the_anchor_itself_is_the_positive():
    across = "...### ...### ...### ###... ###... ###..."
    assert roles(VIEWS, positive="itself") == {
        "self": "...... ...... ...... ...... ...... ......",
        "positive": "#..... .#.... ..#... ...#.. ....#. .....#",
        "same view": ".##... #.#... ##.... ....## ...#.# ...##.",
        "other view": across,
    }


def test_places_of_columns_are_counted_by_features():
    found = places(VIEWS, rows="columns")
    assert drawn([found.first]) == "####...."
    assert drawn(found.roles["positive"][:2]) == "....#... .....#.."
    many = places({name: np.stack([x, x]) for name, x in VIEWS.items()}, rows="columns")
    assert np.array_equal(many.roles["positive"], found.roles["positive"])


def test_places_of_classes():
    assert roles({"w": X, "labels": LABELS}) == {
        "self": "#.. .#. ..#",
        "positive": "..# ... #..",
        "other view": ".#. #.# .#.",
    }
    assert drawn([places({"w": X, "labels": LABELS}).first]) == "###"


def test_places_of_two_views_of_classes():
    arrays = VIEWS | {"labels": LABELS}
    assert roles(arrays) == {
        "self": "#..... .#.... ..#... ...#.. ....#. .....#",
        "positive": "...#.# ....#. ...#.# #.#... .#.... #.#...",
        "same view": ".##... #.#... ##.... ....## ...#.# ...##.",
        "other view": "....#. ...#.# ....#. .#.... #.#... .#....",
    }
    assert drawn([places(arrays).first]) == "###..."


def test_places_of_a_square_of_scores_are_its_rows_and_columns():
    arrays = {"scores": np.zeros((2, 2)), "positive": np.arange(2)}
    assert roles(arrays) == {"positive": "#. .# #. .#", "other view": ".# #. .# #."}
    assert drawn([places(arrays).first]) == "##.."


@pytest.mark.parametrize(
    ("shape", "positive", "where"),
    [((2, 3), [2, 0], "..# #.."), ((2, 2), [1, 0], ".# #."), ((2, 2), [0, 0], "#. #.")],
)
def test_places_of_other_scores_are_its_rows(shape, positive, where):
    arrays = {"scores": np.zeros(shape), "positive": np.array(positive)}
    assert roles(arrays)["positive"] == where
    assert drawn([places(arrays).first]) == "##"


def test_the_positive_of_a_score_may_be_another():
    arrays = {"scores": np.zeros((2, 3)), "positive": np.array([2, 0])}
    assert roles(arrays, positive="next") == {"positive": "#.. .#.", "other view": ".## #.#"}


def test_places_of_a_bank():
    arrays = {"x": X[:2], "bank": QUEUE.repeat(2, axis=0), "index": np.array([3, 1])}
    assert roles(arrays) == {"positive": "...# .#..", "other view": "###. #.##"}
    assert roles(arrays, positive="next") == {"positive": "#... ..#.", "other view": ".### ##.#"}
    assert drawn([places(arrays).first]) == "##"


def test_a_queue_adds_the_same_negatives_to_every_anchor():
    assert roles({"x": X[:2], "y": Y[:2], "negatives": np.zeros((3, 4))}) == {
        "self": "#...... .#..... ..#.... ...#...",
        "positive": "..#.... ...#... #...... .#.....",
        "same view": ".#..... #...... ...#... ..#....",
        "other view": "...#... ..#.... .#..... #......",
        "negatives": "....### ....### ....### ....###",
        "queries' negatives": "....### ....### ....... .......",
    }


def test_a_row_without_a_positive_is_no_anchor():
    arrays, formula = {"w": W, "labels": np.array([0, 0, 1, 1, 1, 2])}, Formula(("positive", "other view"))
    s, where = similarities(formula, arrays, arrays), places_of(formula, arrays)
    anchors = Places({role: mask[:5] for role, mask in where.roles.items()}, where.first[:5])
    assert phi(formula, arrays, 2.0) == pytest.approx(total(formula, s[:5], anchors, 2.0), rel=1e-12, abs=0)


def test_own_negatives_stand_at_their_pair_alone():
    found = roles({"x": X[:2], "y": Y[:2], "negatives": OWN[:2]})
    assert found["negatives"] == "....##.. ......## ....##.. ......##"
    assert found["others' negatives"] == "......## ....##.. ......## ....##.."
    assert found["queries' negatives"] == "....#### ....#### ........ ........"
    assert found["positive"] == "..#..... ...#.... #....... .#......"


@pytest.mark.parametrize(
    ("arrays", "anchors", "candidates"),
    [
        (VIEWS, W, W),
        ({"w": W, "labels": np.arange(6)}, W, W),
        (VIEWS | {"negatives": QUEUE}, W, np.concatenate([W, QUEUE])),
        (VIEWS | {"negatives": OWN}, W, np.concatenate([W, OWN[0], OWN[1], OWN[2]])),
        ({"x": X, "bank": W, "index": np.arange(3)}, X, W),
    ],
)
def test_every_anchor_is_compared_with_every_candidate(arrays, anchors, candidates):
    given, cosine = Formula(("positive",), rows="given"), Formula(("positive",))
    assert np.allclose(similarities(given, arrays, arrays), anchors @ candidates.T, **CLOSE)
    assert np.allclose(similarities(cosine, arrays, arrays), unit(anchors) @ unit(candidates).T, **CLOSE)


def test_anchors_and_candidates_may_be_of_different_arrays():
    other = {"x": 2 * X, "y": 3 * Y, "negatives": OWN}
    s = similarities(Formula(("positive",), rows="given"), VIEWS | {"negatives": 0 * OWN}, other)
    assert np.allclose(s, W @ np.concatenate([2 * X, 3 * Y, OWN.reshape(-1, 4)]).T, **CLOSE)


def test_many_points_have_a_leading_axis():
    arrays = {name: np.stack([x, 2 * x]) for name, x in (VIEWS | {"negatives": OWN}).items()}
    s = similarities(Formula(("positive",), rows="given"), arrays, arrays)
    one = similarities(
        Formula(("positive",), rows="given"), VIEWS | {"negatives": OWN}, VIEWS | {"negatives": OWN}
    )
    assert np.allclose(s, [one, 4 * one], **CLOSE)


def test_scores_of_many_points_have_a_leading_axis():
    scores = RNG.standard_normal((2, 3, 3))
    formula = Formula(("positive", "other view"), rows="given")
    many, one = ({"scores": x, "positive": np.arange(3)} for x in (scores, scores[1]))
    assert np.array_equal(similarities(formula, many, many)[1], similarities(formula, one, one))
    assert np.array_equal(places(many).roles["positive"], places(one).roles["positive"])


def test_scores_are_compared_as_they_come_and_a_square_also_turned():
    wide, square = RNG.standard_normal((2, 3)), RNG.standard_normal((2, 2))
    formula = Formula(("positive",), rows="given")
    of_rows = {"scores": wide, "positive": np.array([1, 0])}
    both = {"scores": square, "positive": np.arange(2)}
    assert np.array_equal(similarities(formula, of_rows, of_rows), wide)
    assert np.array_equal(similarities(formula, both, both), np.concatenate([square, square.T]))


def compared(rows="unit", similarity="dot", **numbers):
    formula = Formula(("positive",), rows=rows, similarity=similarity, numbers=tuple(numbers.items()))
    return similarities(formula, VIEWS, VIEWS)


NORMS = np.linalg.norm(W, axis=1, keepdims=True)


def test_an_epsilon_is_added_to_the_lengths_of_rows():
    z = W / (NORMS + 0.5)
    assert np.allclose(compared(length=0.5), z @ z.T, **CLOSE)


def test_an_epsilon_is_added_to_the_squared_lengths_of_rows():
    z = W / np.sqrt(NORMS**2 + 0.5)
    assert np.allclose(compared(root=0.5), z @ z.T, **CLOSE)


def test_an_epsilon_is_added_to_the_product_of_lengths():
    assert np.allclose(compared(lengths=0.5), W @ W.T / (NORMS * NORMS.T + 0.5), **CLOSE)


def test_an_epsilon_is_added_to_the_difference_of_unit_rows():
    z = unit(W)
    expected = -np.linalg.norm(z[:, None] - z + 0.5, axis=-1)
    assert np.allclose(compared(similarity="distance", gap=0.5), expected, **CLOSE)


@pytest.mark.parametrize(("rows", "less"), [("columns", 0), ("columns over B − 1", 1)])
def test_an_epsilon_is_added_to_the_variance_or_deviation_of_columns(rows, less):
    def correlations(scale):
        z = [((v - v.mean(0)) / scale(v)).T for v in (X, Y)]
        z = np.concatenate(z)
        return z @ z.T / 3

    deviation = {"ddof": less, "axis": 0}
    assert np.allclose(compared(rows), correlations(lambda v: np.std(v, **deviation)), **CLOSE)
    of_variance = correlations(lambda v: np.sqrt(np.var(v, **deviation) + 0.5))
    assert np.allclose(compared(rows, variance=0.5), of_variance, **CLOSE)
    of_deviation = correlations(lambda v: np.std(v, **deviation) + 0.5)
    assert np.allclose(compared(rows, deviation=0.5), of_deviation, **CLOSE)


def row_losses(x, y, t):
    logits = t * unit(x) @ unit(y).T
    return np.log(np.exp(logits).sum(1)) - np.diag(logits)


@pytest.mark.parametrize(
    ("anchors", "expected"),
    [
        ("first", row_losses(X, Y, 5).sum()),
        ("second", row_losses(Y, X, 5).sum()),
        ("both", row_losses(X, Y, 5).sum() + row_losses(Y, X, 5).sum()),
    ],
)
def test_phi_is_the_sum_over_the_anchors(anchors, expected):
    assert phi(Formula(("positive", "other view"), anchors), VIEWS, 5.0) == pytest.approx(
        expected, rel=1e-12, abs=0
    )


def test_the_denominator_has_the_candidates_of_the_formula():
    s = unit(W) @ unit(W).T
    where = places(VIEWS)
    below = where.roles["same view"] | where.roles["self"]
    positive = s[where.roles["positive"]]
    expected = np.sum(np.log(np.sum(np.exp(s) * below, axis=1)) - positive)
    assert phi(Formula(("self", "same view")), VIEWS, 1.0) == pytest.approx(expected, rel=1e-12, abs=0)
    with_it = np.sum(np.log(np.sum(np.exp(s) * below, axis=1) + np.exp(positive)) - positive)
    assert phi(Formula(("self", "positive", "same view")), VIEWS, 1.0) == pytest.approx(
        with_it, rel=1e-12, abs=0
    )


def test_a_negative_sign_turns_the_temperature():
    flipped = Formula(("positive", "other view"), sign=-1)
    assert phi(flipped, VIEWS, 5.0) == pytest.approx(
        phi(flipped._replace(sign=1), VIEWS, -5.0), rel=1e-12, abs=0
    )


def test_phi_has_the_positives_and_rows_of_the_formula():
    shifted = Formula(("positive", "other view"), "first", positive="next")
    rolled = row_losses(X, np.roll(Y, -1, axis=0), 2.0).sum()
    assert phi(shifted, VIEWS, 2.0) == pytest.approx(rolled, rel=1e-12, abs=0)
    assert (
        places_of(shifted, VIEWS).roles["positive"].tolist()
        == places(VIEWS, "next").roles["positive"].tolist()
    )
    assert len(places_of(Formula(("positive",), rows="columns"), VIEWS).first) == 8


def test_the_second_parameter_and_the_numbers_reach_the_head():
    margin = Formula(("positive", "other view"), "first", head="margin on the positive")
    s = unit(X) @ unit(Y).T - 0.3 * np.eye(3)
    expected = np.sum(np.log(np.exp(2 * s).sum(1)) - 2 * np.diag(s))
    assert phi(margin, VIEWS, 2.0, 0.3) == pytest.approx(expected, rel=1e-12, abs=0)
    added = Formula(("positive", "other view"), "first", numbers=(("logarithm", 0.3),))
    expected = -np.sum(np.log(np.exp(-row_losses(X, Y, 2.0)) + 0.3))
    assert phi(added, VIEWS, 2.0) == pytest.approx(expected, rel=1e-12, abs=0)


def test_weights_are_of_the_held_similarities():
    """With all held similarities alike, the weights are 1: the loss is the denominator of the negatives alone."""
    hard = Formula(("other view",), "second", head="hard negatives")
    s, where = similarities(hard, VIEWS, VIEWS), places(VIEWS)
    plain = phi(Formula(("other view",), "second"), VIEWS, 2.0)
    assert total(hard, s, where, 2.0, 1.0, np.zeros_like(s)) == pytest.approx(plain, rel=1e-12, abs=0)
    held = np.concatenate(
        [np.full((3, 6), np.nan), np.zeros((3, 6))]
    )  # those of the other anchors do not enter
    assert total(hard, s, where, 2.0, 1.0, held) == pytest.approx(plain, rel=1e-12, abs=0)


def test_an_anchor_itself_may_be_the_largest_logit():
    """After the largest logit, of the anchor itself, is subtracted, ε weighs e^t times as much."""
    formula = Formula(("positive", "other view"), "second", numbers=(("shifted", 0.1),))
    logits = unit(Y) @ unit(X).T * 2
    expected = np.sum(np.log(np.exp(logits).sum(1) + 0.1 * np.exp(2)) - np.diag(logits))
    assert phi(formula, VIEWS, 2.0) == pytest.approx(expected, rel=1e-12, abs=0)


def test_balls_of_many_digits_contain_phi():
    formula = Formula(("positive", "same view", "other view"))
    with many_digits():
        found = phi(formula, {name: balls(x) for name, x in VIEWS.items()}, arb(5.0))
    assert float(found) == pytest.approx(phi(formula, VIEWS, 5.0), rel=1e-12, abs=0)
    assert found.rel_accuracy_bits() > 100


def test_the_head_tells_the_second_parameter_and_the_temperature():
    assert (Formula((), head="hinge").second, Formula((), head="hinge").tempered) == ("margin", False)
    assert (Formula(()).second, Formula(()).tempered) == (None, True)
