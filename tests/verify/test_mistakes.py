"""`verify` refuses every mistake of the catalogue, any multiple of a gradient, and what no text can show.

One table of wrong losses takes the place of a file of faults for each loss and of a second copy of the public bugs.
A check objects if it fails for the text with the mistake, at a point at which it holds for the text without it.
"""

import numpy as np
import pytest

from infonce_ref.losses import ALL
from infonce_ref.mistakes import ALL as CATALOGUE
from infonce_ref.mistakes.entry import convert_to_arrays, edit, order, run_text
from infonce_ref.verify import identities
from infonce_ref.verify.judge import WITNESSES, ask_fixed_points, hear, list_registered

REGISTERED = list_registered()
# what no witness can see: the registry has no gradient by a target that is held
UNSEEN = {("byol", "stop_gradient_missing")}
MISTAKES = [(n, each) for n in ALL for each in CATALOGUE[n].mistakes if (n, each.name) not in UNSEEN]
HELD = (("simsiam", "z1"), ("simsiam", "z2"))  # their gradient is 0: a multiple of it is the same
INPUTS = [
    (name, i) for name, loss in REGISTERED.items() for i in loss.differentiable if (name, i) not in HELD
]
TIMES = {"twice": 2.0, "negative": -1.0, "nan": np.nan, "zero": 0.0, "a millionth more": 1 + 1e-6}
ORDER = ("finite differences", "symbolic", "identities", "precision")  # the cheap ones first


def of_text(loss, edits):
    """The loss with value and gradient of the catalogue's text after these edits."""
    entry = CATALOGUE[loss.name]
    value, gradient = run_text(edit(entry.text, edits), entry.functions)

    def forward(*args, **options):
        _, cache = loss.forward(*args, **options)
        given = order(gradient, dict(zip(loss.example(), args, strict=False)) | options)
        with np.errstate(all="ignore"):
            return np.asarray(value(*given)), (cache, given)

    def backward(cache, upstream=1.0):
        kept, given = cache
        with np.errstate(all="ignore"):
            slopes = dict(zip(entry.by, convert_to_arrays(gradient(*given)), strict=True))
            right = loss.backward(kept, upstream)
        return right._replace(**{n: upstream * x for n, x in slopes.items() if n in right._fields})

    return loss._replace(forward=forward, backward=backward)


def scaled(loss, input, times):
    """The loss with one of its gradients multiplied by a number."""

    def backward(cache, upstream=1.0):
        right = loss.backward(cache, upstream)
        return right._replace(**{input: getattr(right, input) * times})

    return loss._replace(backward=backward)


def warm(loss):
    """The checks at fixed points of high temperature; at low ones a text loses digits."""
    asked = [
        hearing
        for hearing in ask_fixed_points(loss, "float64", np.asarray)
        if hearing.case.label.split(",")[0] == "noise 1"
        if hearing.case.arguments.get("temperature", 0.5) == 0.5
        if hearing.testify is not identities.testify_of_kinds
    ]
    return [hearing for witness in ORDER for hearing in asked if hearing.witness == witness]


def objections(wrong, right):
    """Yield the witnesses that object, point by point."""
    for bad, good in zip(warm(wrong), warm(right), strict=True):
        found = [check for check in hear(bad) if not check.holds]
        if found and all(check.holds for check in hear(good)):
            yield bad.witness


@pytest.mark.slow
@pytest.mark.parametrize(("name", "mistake"), MISTAKES, ids=lambda x: getattr(x, "name", x))
def test_a_mistake_of_the_catalogue_is_refused(name, mistake):
    assert any(objections(of_text(ALL[name], mistake.edits), of_text(ALL[name], ())))


@pytest.mark.slow
@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize(("name", "input"), INPUTS)
def test_a_multiple_of_a_gradient_is_refused(name, input, times):
    assert any(objections(scaled(REGISTERED[name], input, TIMES[times]), REGISTERED[name]))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "input"), INPUTS)
def test_each_witness_alone_refuses_a_gradient(name, input):
    assert {*objections(scaled(REGISTERED[name], input, 1.001), REGISTERED[name])} == {*WITNESSES}


@pytest.mark.slow
@pytest.mark.parametrize("name", REGISTERED)
def test_a_right_loss_holds(name):
    """At every fixed point, in every variant: a witness that refuses it is broken."""
    asked = ask_fixed_points(REGISTERED[name], "float64", np.asarray)
    assert [check for hearing in asked for check in hear(hearing) if not check.holds] == []
