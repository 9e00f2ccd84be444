"""Rows dealt to ranks, and what their mean tells: the ranks are functions of this process."""

from typing import NamedTuple

import numpy as np
import pytest

from infonce_ref.conformance import asking, ranks
from infonce_ref.conformance.asking import Way
from infonce_ref.conformance.formula import Formula
from infonce_ref.conformance.identification import Nearest
from infonce_ref.conformance.names import Found, Reduction
from infonce_ref.conformance.ranks import Answers, Axis, find_factor, join, judge, pair_blocks, split, start
from infonce_ref.conformance.session import Session
from infonce_ref.conformance.target import Refused, target


def clip(x, y):
    """The sum over pairs would be additive over ranks; this mean over columns and rows is not."""
    logits = x @ y.T
    by_rows = np.log(np.exp(logits).sum(axis=1)) - np.diag(logits)
    by_columns = np.log(np.exp(logits).sum(axis=0)) - np.diag(logits)
    return (by_rows + by_columns).mean() / 2


def distance(x, y):
    return ((x - y) ** 2).sum() / len(x)


def slopes_of_distance(x, y):
    return 2 * (x - y) / len(x), 2 * (y - x) / len(x)


def nearest(loss, backward=slopes_of_distance, name="two"):
    return Nearest(Way(name, Session(target(loss, {}, backward), "numpy")), None, None, None, "float64")


class Dealt(NamedTuple):
    """Ranks that answer by a function of the whole batch, all shards and the own rank's number, whose gradients
    are multiplied by a number."""

    answer: object
    times: float = 1.0
    count: int = 2

    def ask(self, way, arrays, gradient=False):
        shards = split(arrays, self.count)
        values = [self.answer(arrays, shards, rank) for rank in range(self.count)]
        slopes = [
            dict(zip("xy", (self.times * x for x in slopes_of_distance(s["x"], s["y"])))) for s in shards
        ]
        return Answers(np.array(values), slopes)


def by_own_rows(loss):
    return lambda arrays, shards, rank: loss(shards[rank]["x"], shards[rank]["y"])


def whole(loss):
    return lambda arrays, shards, rank: loss(arrays["x"], arrays["y"])


# --- rows -------------------------------------------------------------------------------------------------

FOUR = np.arange(8.0).reshape(4, 2)


def test_each_rank_has_its_part_of_the_rows_and_knows_where_it_begins():
    first, second = split({"x": FOUR, "y": -FOUR, "labels": np.arange(4)}, 2)
    assert np.array_equal(first["x"], FOUR[:2])
    assert np.array_equal(second["y"], -FOUR[2:])
    assert second["labels"].tolist() == [2, 3]
    assert (first["offset"], second["offset"]) == (0, 2)


def test_both_views_of_an_item_go_to_one_rank():
    first, second = split({"w": FOUR, "labels": np.array([7, 8, 7, 8])}, 2)
    assert np.array_equal(first["w"], FOUR[[0, 2]])
    assert np.array_equal(second["w"], FOUR[[1, 3]])
    assert second["labels"].tolist() == [8, 8]
    assert (first["offset"], second["offset"]) == (0, 1)


@pytest.mark.parametrize(("name", "array"), [("bank", FOUR), ("negatives", FOUR)])
def test_every_rank_has_the_whole_bank_and_the_whole_queue(name, array):
    assert all(shard[name] is array for shard in split({"x": FOUR, "y": FOUR, name: array}, 2))


def test_negatives_of_a_query_go_with_it():
    own = np.arange(24.0).reshape(4, 3, 2)
    assert np.array_equal(split({"x": FOUR, "y": FOUR, "negatives": own}, 2)[1]["negatives"], own[2:])


def test_gradients_are_joined_as_the_rows_were_dealt():
    bank = np.ones((3, 2))
    for name, arrays in (("x", {"x": FOUR, "y": FOUR}), ("w", {"w": FOUR})):
        slopes = [
            {name: shard[name], "bank": bank * (1 + rank)} for rank, shard in enumerate(split(arrays, 2))
        ]
        joined = join(slopes, arrays | {"bank": bank})
        assert np.array_equal(joined[name], FOUR)
        assert np.array_equal(joined["bank"], 3 * bank)


def test_the_halves_of_gathered_rows_are_other_pairs():
    made = pair_blocks({"x": FOUR, "y": -FOUR}, 2)  # gathered: x0 x1 −x0 −x1 x2 x3 −x2 −x3
    assert np.array_equal(made["x"], np.concatenate([FOUR[:2], -FOUR[:2]]))
    assert np.array_equal(made["y"], np.concatenate([FOUR[2:], -FOUR[2:]]))


@pytest.mark.parametrize(
    ("got", "factor"),
    [([1.0, 2.0], 1.0), ([2.0, 4.0], 2.0), ([0.5, 1.0], 0.5), ([1.0, 2.1], None), ([2.0, 2.0], None)],
)
def test_the_factor_between_values(got, factor):
    assert find_factor(np.array(got), np.array([1.0, 2.0]), 1e-6) == factor


# --- verdicts ---------------------------------------------------------------------------------------------


def test_a_sum_over_pairs_is_right_without_gathering():
    verdict, (of_value, of_slope), mistakes = judge(
        {"numpy": Dealt(by_own_rows(distance))}, nearest(distance)
    )
    assert (verdict.word, verdict.holds, mistakes) == ("right", True, [])
    assert verdict.sentence == "on 2 ranks the mean of the gradients is that of the whole batch"
    assert (of_value.check, of_value.good, of_slope.check, of_slope.good) == (
        "ranks value",
        True,
        "ranks gradient",
        True,
    )


def test_a_multiple_of_the_value_is_told():
    ranks_ = Dealt(by_own_rows(lambda x, y: 2 * distance(x, y)))
    verdict, records, _ = judge({"numpy": ranks_}, nearest(distance))
    assert verdict.holds
    assert verdict.sentence.endswith("; the mean of the values is 2 times its value")
    assert records[0].status == "holds"


@pytest.mark.parametrize(
    ("times", "mistake", "words"),
    [
        (0.5, "divided by the ranks", "is 0.5 of that of the whole batch"),
        (2.0, "multiplied by ranks", "is 2 times that of the whole batch"),
    ],
)
def test_a_multiple_of_the_gradient_is_a_mistake(times, mistake, words):
    verdict, _, (found,) = judge({"numpy": Dealt(by_own_rows(distance), times)}, nearest(distance))
    assert (verdict.word, found.mistake) == ("wrong", mistake)
    assert words in found.sentence


def test_a_gradient_that_is_not_the_derivative_of_the_value_is_told():
    twice = nearest(lambda x, y: 2 * distance(x, y))
    verdict, _, _ = judge({"numpy": Dealt(by_own_rows(lambda x, y: 2 * distance(x, y)))}, twice)
    assert verdict.word == "as one rank"
    assert "which is not the derivative of the value" in verdict.sentence


def with_labels_from_0(arrays, shards, rank):
    """CLIP whose labels of every rank are those of the first rank."""
    logits = arrays["x"] @ arrays["y"].T
    own = np.arange(len(logits))
    label = own % (len(logits) // len(shards))
    by_rows = np.log(np.exp(logits).sum(axis=1)) - logits[own, label]
    by_columns = np.log(np.exp(logits).sum(axis=0)) - logits[label, own]
    return (by_rows + by_columns).mean() / 2


def of_blocks(arrays, shards, rank):
    made = pair_blocks(arrays, len(shards))
    return clip(made["x"], made["y"])


@pytest.mark.parametrize(
    ("answer", "mistake", "words"),
    [
        (by_own_rows(clip), "each rank alone", "the negatives of its own rows alone, B/2 − 1"),
        (of_blocks, "wrong partners after gathering", "both views of a rank lie one after the other"),
        (with_labels_from_0, "wrong partners after gathering", "every rank counts its labels from 0"),
        (
            lambda arrays, shards, rank: 1 + whole(clip)(arrays, shards, rank) ** 2,
            "another loss on ranks",
            "on 2 ranks the mean of the values differs from the value of the whole batch by",
        ),
    ],
)
def test_another_value_on_ranks_is_named(answer, mistake, words):
    formula = Formula(("positive", "other view"), rows="given")
    measured = Found(formula, 1.0, None, Reduction("mean", 1.0), 0.0, 1e-15, 1e-9, 4, 4)
    verdict, (own,), (found,) = judge({"numpy": Dealt(answer)}, nearest(clip)._replace(found=measured))
    assert (verdict.word, verdict.holds) == ("wrong", False)
    assert (own.check, own.good, found.mistake) == ("ranks value", False, mistake)
    assert words in found.sentence == verdict.sentence


@pytest.mark.parametrize(("off", "holds"), [(0.9, True), (1.1, False)])
def test_values_may_differ_by_a_hundred_tolerances(off, holds):
    """Relative to 1 + value, up at one point and down at another, so that no factor explains it."""
    tolerance = 100 * ranks.TOLERANCES["float64"]
    signs = {}

    def answer(arrays, shards, rank):
        value = distance(arrays["x"], arrays["y"])
        sign = signs.setdefault(value, (-1) ** len(signs))
        return value + sign * off * tolerance * (1 + value)

    verdict, _, _ = judge({"numpy": Dealt(answer)}, nearest(distance))
    assert verdict.holds is holds


# --- refusals ---------------------------------------------------------------------------------------------


def test_a_loss_without_ranks_or_without_rows_is_refused():
    with pytest.raises(Refused, match=r"needs a loss of PyTorch or JAX.* takes two arrays of B rows"):
        judge({"torch": Dealt(by_own_rows(clip))}, nearest(clip))
    of_scores = nearest(np.trace, lambda scores: np.eye(len(scores)), "scores")
    with pytest.raises(Refused, match="rows that can be split among ranks; trace takes a square matrix"):
        judge({"numpy": Dealt(by_own_rows(clip))}, of_scores)


def test_no_rank_is_refused_and_one_needs_no_processes():
    with pytest.raises(Refused, match="--ranks 0 must be 1 or more"), start(target(clip, {}), 0):
        pass
    with start(target(clip, {}), 1) as started:
        assert started == {}


class Raises:
    """A way whose loss raises on ranks."""

    def __init__(self, error):
        self.error = error

    def ask_ranks(self, shards, gradient):
        raise self.error


def test_what_a_loss_raises_on_an_axis_is_refused_with_its_words():
    axis, arrays = Axis(target(clip, {}), 2), asking.example("views", 4)
    with pytest.raises(Refused, match=r"^clip on 2 ranks raises KeyError: 'rows'"):
        axis.ask(Raises(KeyError("rows")), arrays)
    with pytest.raises(Refused, match=r"^as it was$"):
        axis.ask(Raises(Refused("as it was")), arrays)
