"""Which number of a loss's result is the loss."""

from types import SimpleNamespace

import numpy as np
import pytest

from infonce_ref.conformance import reading
from infonce_ref.conformance.target import Refused


def read(result, take=None):
    """The number, and the notes."""
    notes = {}
    return reading.read(result, "mine", take, notes), list(notes)


@pytest.mark.parametrize("result", [2.5, np.float64(2.5), np.array(2.5), np.array([2.5]), np.array([[2.5]])])
def test_one_number_is_the_loss_and_needs_no_note(result):
    assert read(result) == (2.5, [])


@pytest.mark.parametrize("shape", [(3,), (1, 3), (3, 1)])
def test_the_mean_of_a_vector_is_the_loss(shape):
    found, notes = read(np.array([1.0, 2.0, 6.0]).reshape(shape))
    assert found == 3.0
    assert notes == ["it returns a number for each row: their mean is judged"]


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (None, "mine returns nothing"),
        (np.ones((2, 3)), r"mine returns an array of shape \(2, 3\)"),
        (np.ones((1, 2, 3)), r"shape \(1, 2, 3\)"),
        ((None, 1), "mine returns nothing"),
    ],
)
def test_what_is_no_number_is_refused(result, words):
    with pytest.raises(Refused, match=words):
        read(result)


def test_a_field_for_the_loss_is_the_loss():
    assert read(SimpleNamespace(loss=1.5, accuracy=0.5)) == (1.5, [])


def test_the_fields_of_an_array_are_not_asked():
    with_field = np.recarray(1, dtype=[("loss", float)])
    assert not reading.has_loss(with_field)
    assert not reading.has_loss(SimpleNamespace(value=1.5))


@pytest.mark.parametrize(
    ("result", "take", "loss"),
    [
        ({"loss": 1.0, "aux_loss": 2.0}, None, 1.0),
        ({"accuracy": 1.0, "nce_loss": 2.0}, None, 2.0),
        ({"a": 1.0, "loss": 2.0}, "a", 1.0),
        ({7: 1.0, "loss_of_both": 2.0}, None, 2.0),
    ],
)
def test_the_key_of_the_loss_in_a_dict(result, take, loss):
    assert read(result, take) == (loss, [])


@pytest.mark.parametrize(
    ("result", "take"),
    [({"one_loss": 1.0, "other_loss": 2.0}, None), ({"a": 1.0}, None), ({"loss": 1.0}, "a")],
)
def test_a_dict_without_a_certain_key_is_refused(result, take):
    with pytest.raises(Refused, match=f"a dict of {', '.join(result)}: say which with --take KEY"):
        read(result, take)


@pytest.mark.parametrize(
    ("result", "take", "loss", "place"),
    [
        ((1.0, 2.0), None, 1.0, 0),
        ([3, 2.0], None, 2.0, 1),
        ((np.ones((2, 2)), np.array([4]), np.array([5.0]), 6.0), None, 5.0, 2),
        ((1, 2), None, 1, 0),
        ((1.0, 2.0), 1, 2.0, 1),
        ((1.0, 2.0, 3.0), -3, 1.0, -3),
        ((1.0, 2.0), 0, 1.0, 0),
    ],
)
def test_the_place_of_the_loss_in_a_tuple(result, take, loss, place):
    found, notes = read(result, take)
    assert found == loss
    assert notes == (
        [f"of the {len(result)} things that it returns, number {place} (from 0) is judged"] if place else []
    )


@pytest.mark.parametrize("take", [2, -3])
def test_a_place_beyond_the_end_is_refused(take):
    with pytest.raises(Refused, match=f"mine returns 2 results; --take {take} names none of them"):
        read((1.0, 2.0), take)


def test_of_several_places_the_sum_is_the_loss():
    assert read((1.0, 5.0, 2.0), (0, 2)) == (3.0, ["it returns 2 losses: their sum is judged"])


def test_an_empty_tuple_is_no_loss():
    assert reading.read((), "mine", None, {}) == ()


# softmax of (0, log 3) is (1/4, 3/4); the second row's label has probability 1/2
LOGITS, LABELS = np.array([[0.0, np.log(3)], [7.0, 7.0]]), np.array([0, 1])
CROSS_ENTROPY = (np.log(4) + np.log(2)) / 2


def test_the_cross_entropy_of_logits_and_labels_is_the_loss():
    found, notes = read((LOGITS, LABELS, "more"))
    assert found == pytest.approx(CROSS_ENTROPY, rel=1e-14, abs=0)
    assert notes == ["it returns (logits, labels): their cross-entropy is judged"]


def test_of_logits_and_labels_one_can_be_taken():
    with pytest.raises(Refused, match=r"shape \(2, 2\)"):
        read((LOGITS, LABELS), 0)


def test_large_logits_do_not_overflow():
    with np.errstate(all="raise"):
        found = reading.cross_entropy(LOGITS + np.array([[2000.0], [1000.0]]), LABELS)
    assert found == pytest.approx(CROSS_ENTROPY, rel=1e-12, abs=0)  # 2000 has an error of 2e-13


def test_logits_far_apart_do_not_overflow():
    with np.errstate(over="raise"):
        assert reading.cross_entropy(np.array([[0.0, 2000.0]]), np.array([0])) == 2000.0


def test_the_cross_entropy_of_a_label_beyond_the_square():
    """Three columns, all logits alike but one: log(2 + e) less the label's logit."""
    found = reading.cross_entropy(np.array([[0.0, 0.0, 1.0]]), np.array([2]))
    assert found == pytest.approx(np.log(2 + np.e) - 1, rel=1e-14, abs=0)


@pytest.mark.parametrize("library", ["torch", "jax.numpy"])
def test_the_cross_entropy_in_another_library(library):
    numpy = pytest.importorskip(library)
    found = reading.cross_entropy(numpy.asarray(LOGITS), numpy.asarray(LABELS))
    assert type(found).__module__.partition(".")[0] in ("torch", "jaxlib")
    assert float(found) == pytest.approx(CROSS_ENTROPY, rel=1e-6, abs=0)  # JAX computes in float32


@pytest.mark.parametrize(
    "result",
    [
        (LOGITS, LABELS.astype(float)),
        (LOGITS, np.array([0, 1, 1])),
        (LABELS, LOGITS),
        (LOGITS, LOGITS),
        (LOGITS,),
        (1.0, LABELS),
    ],
)
def test_what_are_no_logits_and_labels(result):
    assert not reading.is_logits(result)


def test_logits_may_have_more_columns_than_rows():
    assert reading.is_logits((np.ones((2, 3)), LABELS))


@pytest.mark.parametrize(
    ("x", "floating"),
    [
        (1.0, True),
        (1, False),
        (np.float32(1), True),
        (np.arange(3), False),
        (np.ones(3), True),
        ("float", False),
    ],
)
def test_what_is_floating(x, floating):
    assert reading.is_floating(x) is floating


def test_the_floating_numbers_of_a_result():
    result = [1, 2.0, np.array([3.0]), np.ones(2), np.float32(4), None]
    assert reading.scalars(result) == [1, 2, 4]


@pytest.mark.parametrize(
    ("result", "several"),
    [((1.0, 2.0), True), ([1.0, 2.0], True), ((1.0, 2), False), (np.ones(2), False), (1.0, False)],
)
def test_whether_a_result_has_several_numbers(result, several):
    assert reading.has_several(result) is several


@pytest.mark.parametrize(
    ("result", "moved", "take"),
    [
        ((1.0, 2.0), (1.0, 2.0), None),  # nothing moves
        ((1.0, 0.1), (1.5, 0.1), None),  # the first is the loss, without having to be named
        ((0.1, 1.0), (0.1, 1.5), 1),
        ((3.0, 1.0, 2.0), (4.0, 1.5, 2.5), 0),  # the sum of the others
        ((1.5, 1.0, 2.0), (2.0, 1.5, 2.5), 0),  # their mean
        ((0.1, 3.0, 1.0, 2.0), (0.1, 4.0, 1.5, 2.5), 1),
        ((1.0, 2.0), (1.5, 2.5), (0, 1)),
        ((3.01, 1.0, 2.0), (4.0, 1.5, 2.5), (0, 1, 2)),  # nearly the sum, and not to the digits of float32
        ((3.00001, 1.0, 2.0), (4.0, 1.5, 2.5), 0),  # the sum to the digits of float32
        ((-3.0, -1.0, -2.0), (4.0, 1.5, 2.5), 0),
        ((1.0, 2.0), (1.5,), (0, 1)),  # the second is there no more
    ],
)
def test_which_of_several_numbers_are_losses(result, moved, take):
    assert reading.choose_losses(result, moved) == take
