"""The bugs of public libraries, written a second time on the tape, get their names."""

import inspect

import numpy as np
import pytest
from verify.public_bugs import BUGS
from verify.public_bugs.bug import planted

from infonce_ref.conformance import check
from infonce_ref.losses import ALL
from infonce_ref.mistakes import ALL as CATALOGUE

NUMBERS = {
    "temperature": 0.15,
    "margin": 0.3,
    "bias": -3.0,
    "beta": 0.5,
    "beta1": 0.5,
    "beta2": 1.0,
    "weight": 0.5,
}
ONE_OF_EACH = {bug.loss: bug for bug in BUGS if bug.named}


def report_on(bug):
    """The report of check, given the claimed loss and the way to pass arrays."""
    loss, entry = planted(bug), CATALOGUE[bug.loss]
    example = ALL[bug.loss].example()
    arrays = [n for n in inspect.signature(ALL[bug.loss].forward).parameters if np.ndim(example.get(n))]
    numbers = {n: NUMBERS.get(n, x) for n, x in example.items() if n not in arrays}

    def forward(*given, **settings):
        with np.errstate(all="ignore"):
            return loss.forward(**dict(zip(arrays, given, strict=True)), **{**numbers, **settings})

    def backward(cache):
        with np.errstate(all="ignore"):
            return loss.backward(cache)

    positional = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in arrays]
    named = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=x) for n, x in numbers.items()]
    forward.__signature__ = inspect.Signature([*positional, *named])
    asked = {"inputs": entry.inputs, "tiers": ("formula", "gradient")}
    return check(forward, is_=bug.loss, backward=backward, **asked, **numbers)


def names(report):
    return tuple(mistake.mistake for mistake in report.mistakes)


@pytest.mark.nightly
@pytest.mark.parametrize("bug", [bug for bug in BUGS if bug.named], ids=lambda bug: bug.name)
def test_a_known_bug_is_named(bug):
    report = report_on(bug)
    assert names(report) == bug.named
    assert not report.holds


@pytest.mark.parametrize(
    "bug",
    list(ONE_OF_EACH.values())[::5],
    ids=lambda bug: bug.name,
)
def test_a_bug_of_several_losses_is_named_in_one_of_them(bug):
    assert names(report_on(bug)) == bug.named
