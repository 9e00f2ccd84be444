"""A loss trains its prediction and holds its target constant; its argument names say which is which."""

import inspect

import numpy as np
import pytest
from check.plain import unit

from infonce_ref.check import check


def of_names(first, second, trained):
    """Minus the mean cosine as a function of two arrays with these names, and its gradient by one of them."""

    def cosine(a, b):
        return -(unit(a) * unit(b)).sum(1).mean()

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    cosine.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in (first, second)])

    def backward(*views):
        a, b = views[trained], views[1 - trained]
        slope = unit(b) - (unit(a) * unit(b)).sum(1, keepdims=True) * unit(a)
        slopes = [np.zeros_like(x) for x in views]
        slopes[trained] = -slope / np.linalg.norm(a, axis=1, keepdims=True) / len(a)
        return tuple(slopes)

    return cosine, backward


@pytest.mark.parametrize(
    ("names", "trained", "is_", "word"),
    [
        (("p", "z"), 1, None, "wrong"),
        (("p", "z"), 0, None, "right"),
        (("online_1", "target_2"), 1, None, "wrong"),
        (("target", "prediction"), 1, None, "right"),
        (("target", "prediction"), 1, "simsiam", "right"),
        (("target", "prediction"), 0, "simsiam", "wrong"),
        (("x", "y"), 1, "simsiam", "wrong"),
    ],
)
def test_a_stop_gradient_on_the_wrong_side_is_named(names, trained, is_, word):
    loss, backward = of_names(*names, trained)
    report = check(loss, is_=is_, inputs="two", backward=backward, tiers=("gradient",))
    assert report.verdicts["gradient"].word == word
    assert ["stop gradient on the wrong side"] * (word == "wrong") == [m.mistake for m in report.mistakes]


@pytest.mark.parametrize(("is_", "word"), [("alignment", "wrong"), ("byol", "right")])
def test_a_detached_view_is_right_if_the_claimed_loss_has_a_target(is_, word):
    """The mean squared distance of unit rows has the same value as both claimed losses."""
    cosine, of_cosine = of_names("x", "y", 0)

    def square(x, y):
        return 2 + 2 * cosine(x, y)

    def backward(x, y):
        return tuple(2 * slope for slope in of_cosine(x, y))

    report = check(square, is_=is_, inputs="two", backward=backward, tiers=("gradient",))
    assert report.verdicts["gradient"].word == word
    assert ["one view detached"] * (word == "wrong") == [m.mistake for m in report.mistakes]


def test_a_prediction_and_its_target_may_both_be_trained():
    (cosine, first), (_, second) = (of_names("x", "y", trained) for trained in (0, 1))

    def backward(x, y):
        return 2 * first(x, y)[0], 2 * second(x, y)[1]

    report = check(lambda x, y: 2 + 2 * cosine(x, y), inputs="two", backward=backward)
    assert report.holds, report
    assert (report.loss, report.verdicts["numerics"].word) == ("byol", "right, and loses digits")


def test_names_that_say_nothing_leave_the_side_open():
    loss, backward = of_names("x", "y", 1)
    sentence = check(loss, backward=backward, tiers=("gradient",)).verdicts["gradient"].sentence
    assert sentence.endswith("were it the prediction, the stop-gradient would be on the wrong side")
