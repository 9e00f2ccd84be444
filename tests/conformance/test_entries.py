"""With reduction="none" the entries are those of the anchors in order; two sequences have one known loss."""

import numpy as np
import pytest
from conformance.fitted import CPC, POINT, cpc, each, nearest

from infonce_ref.conformance import entries
from infonce_ref.conformance.names import Reduction

BOTH = CPC._replace(anchors="both")


def list_mistakes(loss, **fields):
    asked = nearest(loss, **fields)
    return [one.mistake for one in entries.judge_entries(asked)]


def test_the_losses_of_the_anchors_are_in_order():
    assert list_mistakes(each) == []
    assert list_mistakes(lambda x, y: each(x, y)[::-1]) == ["entries differ"]


def test_the_entries_are_compared_to_the_digits_of_the_fit():
    def off_by(error):
        return list_mistakes(lambda x, y: each(x, y) + error, residual=1e-6)

    assert list_mistakes(lambda x, y: each(x, y) + 1e-5) == ["entries differ"]
    assert off_by(0.9e-4) == []
    assert off_by(1.1e-4) == ["entries differ"]


def test_the_entries_have_the_factor_and_the_shift():
    fields = {"reduction": Reduction("mean", 2.0), "shift": 0.5}
    assert list_mistakes(lambda x, y: 2 * each(x, y) + 0.5, **fields) == []


def test_another_number_of_entries_is_another_reduction():
    assert list_mistakes(cpc) == ["another reduction"]
    assert list_mistakes(lambda x, y: each(x, y)[1:]) == ["another reduction"]
    assert list_mistakes(lambda x, y: each(x, y)[::2]) == ["another reduction"]
    asked = nearest(lambda x, y: float(cpc(x, y)))
    (found,) = entries.judge_entries(asked)
    assert found.sentence == "with reduction='none' 0 numbers come back, where 4 belong"


def test_the_entries_of_a_sum_are_not_compared():
    assert list_mistakes(cpc, reduction=Reduction("sum", 1.0)) == []
    assert list(entries.judge_entries(nearest(cpc)._replace(found=None))) == []


def test_of_both_views_each_pair_may_have_one_entry():
    assert list_mistakes(lambda x, y: (each(x, y) + each(y, x)) / 2, formula=BOTH) == []
    assert list_mistakes(lambda x, y: np.concatenate([each(x, y), each(y, x)]), formula=BOTH) == []


def test_interleaved_rows_have_interleaved_entries():
    def loss(rows):
        x, y = rows[::2], rows[1::2]
        return np.stack([each(x, y), each(y, x)], axis=1).ravel()

    assert list_mistakes(loss, way="interleaved", formula=BOTH) == []


@pytest.mark.parametrize(
    ("anchors", "right"),
    [
        ("first", each(**POINT)),
        ("second", each(POINT["y"], POINT["x"])),
        ("both", np.concatenate([each(**POINT), each(POINT["y"], POINT["x"])])),
    ],
)
def test_the_losses_of_the_anchors_of_each_view(anchors, right):
    found = entries.list_anchors(nearest(cpc, formula=CPC._replace(anchors=anchors)).found, POINT)
    assert found == pytest.approx(right, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    ("combine", "note"),
    [
        (np.mean, "two sequences have the mean of their losses"),
        (np.sum, "two sequences have the sum of their losses"),
    ],
)
@pytest.mark.parametrize(("way", "axis"), [("one sequence", 0), ("sequences of one step", 1)])
def test_two_sequences_have_the_mean_or_the_sum(way, axis, combine, note):
    def loss(x, y):
        return combine([cpc(*pair) for pair in zip(np.moveaxis(x, axis, 0), np.moveaxis(y, axis, 0))])

    asked = nearest(loss, way)
    assert list(entries.judge_sequences(asked)) == []
    assert list(asked.way.session.notes) == [note]


def test_two_sequences_may_be_one_batch():
    asked = nearest(lambda x, y: cpc(x.reshape(-1, 5), y.reshape(-1, 5)), "one sequence")
    assert list(entries.judge_sequences(asked)) == []
    assert list(asked.way.session.notes) == [
        "two sequences have the loss of all rows in place of their losses"
    ]


@pytest.mark.parametrize("place", [0, -1])
def test_a_sequence_that_is_left_out_is_a_mistake(place):
    asked = nearest(lambda x, y: cpc(x[place], y[place]), "one sequence")
    assert [one.mistake for one in entries.judge_sequences(asked)] == ["sequences left out"]


def test_sequences_that_are_mixed_are_a_mistake():
    asked = nearest(lambda x, y: cpc(x.mean(axis=0), y.mean(axis=0)), "one sequence")
    assert [one.mistake for one in entries.judge_sequences(asked)] == ["sequences mixed"]


def test_a_loss_of_one_sequence_is_noted():
    def loss(x, y):
        (x,), (y,) = x, y
        return cpc(x, y)

    asked = nearest(loss, "one sequence")
    assert list(entries.judge_sequences(asked)) == []
    (note,) = asked.way.session.notes
    assert note.startswith("not asked with two sequences: it raises ValueError")


def test_only_sequences_are_asked_in_two():
    for asked in (nearest(cpc), nearest(cpc, "one sequence")._replace(found=None)):
        assert list(entries.judge_sequences(asked)) == []
        assert not asked.way.session.notes
