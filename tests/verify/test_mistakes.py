"""`verify` refuses every mistake of the catalogue, any multiple of a gradient, and what no rewritten line can show.

A mistake is planted as plain callables: value and gradient of the rewritten textbook function. A check objects if
it fails for it, at a point at which it holds for the function as it stands.
"""

from functools import cache

import numpy as np
import pytest
from verify.plants import REGISTERED, find_loss, plant
from verify.public_bugs import ORDER

from infonce_ref.catalogue import LOSSES, MISTAKES, build, rewrite
from infonce_ref.verify import laws
from infonce_ref.verify.definition import name_of
from infonce_ref.verify.judge import METHODS, answer, ask_fixed_points

pytestmark = pytest.mark.slow

# what no method can see: the registry has no gradient by a target that is held, and scores of pairs are square
# the third is right for rows of one length, as all fixed points of infonce are; drawn ones show it
UNSEEN = {
    ("byol", "stop_gradient_missing"),
    ("estimate_infonce", "rows_counted"),
    ("infonce", "gradient_along_two_axes"),
}
PLANTED = [
    (mistake, book)
    for mistake in MISTAKES
    for book in LOSSES
    if "_of_" not in book and rewrite(book, (mistake,)) and (book, mistake.name) not in UNSEEN
]
HELD = (("simsiam", "z1"), ("simsiam", "z2"))  # their gradient is 0: a multiple of it is the same
INPUTS = [
    (name, i) for name, loss in REGISTERED.items() for i in loss.differentiable if (name, i) not in HELD
]
TIMES = {"twice": 2.0, "negative": -1.0, "nan": np.nan, "zero": 0.0, "a millionth more": 1 + 1e-6}


def plant_mistake(book, mistake=None):
    """The loss of the textbook's function after a rewrite; if only the gradient is wrong, with the right value."""
    right, wrong = build(book), build(book, (mistake,) if mistake else ())
    return plant(book, wrong, right if mistake and mistake.kind == "∂" else wrong)


def scaled(loss, input, times):
    """The loss with one of its gradients multiplied by a number."""

    def backward(cache, upstream=1.0):
        right = loss.backward(cache, upstream)
        return right._replace(**{input: getattr(right, input) * times})

    return loss._replace(backward=backward)


def warm(loss):
    """The checks at fixed points of high temperature; at low ones a text loses digits."""
    asked = [
        question
        for question in ask_fixed_points(loss, "float64", np.asarray)
        if question.case.label.split(",")[0] == "noise 1"
        if question.case.arguments.get("temperature", 0.5) == 0.5
        if question.check is not laws.check_kinds_of_arrays
    ]
    return [question for method in ORDER for question in asked if question.method == method]


@cache
def holds(make, name, number):
    """Whether a check holds for the loss without the mistake."""
    return all(check.holds for check in answer(warm(make(name))[number]))


def objections(wrong, make, name, asked=lambda case: True):
    """Yield the methods that object, point by point. make(name): the loss without the mistake."""
    for number, bad in enumerate(warm(wrong)):
        if asked(bad.case) and not all(check.holds for check in answer(bad)) and holds(make, name, number):
            yield bad.method


@pytest.mark.parametrize(("mistake", "book"), PLANTED, ids=lambda x: getattr(x, "name", x))
def test_a_mistake_of_the_catalogue_is_refused(mistake, book):
    def asked(case):  # the textbook's function is the loss with its default options, view after view
        options = case.arguments.get("layout") == "interleaved" or {"reduction", "keep"} & {*case.arguments}
        return not options and name_of(case) == book

    assert any(objections(plant_mistake(book, mistake), plant_mistake, book, asked))


@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize(("name", "input"), INPUTS)
def test_a_multiple_of_a_gradient_is_refused(name, input, times):
    assert any(objections(scaled(REGISTERED[name], input, TIMES[times]), find_loss, name))


@pytest.mark.parametrize(("name", "input"), INPUTS)
def test_each_method_alone_refuses_a_gradient(name, input):
    assert {*objections(scaled(REGISTERED[name], input, 1.001), find_loss, name)} == {*METHODS}
