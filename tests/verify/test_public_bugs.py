"""The bugs of public libraries, planted as wrong losses: `verify` rejects each, and `check` names it."""

import inspect

import numpy as np
import pytest
from verify.plants import plant
from verify.public_bugs import BUGS, ORDER

from infonce_ref import textbook
from infonce_ref.catalogue import differentiate
from infonce_ref.check import check
from infonce_ref.verify.judge import answer, ask_fixed_points


def planted(loss, function):
    """Without variants, because these functions have no options."""
    return plant(loss, function)._replace(variants=())


def object_to(bug):
    """The first method, in the order of `ORDER`, that shows more than a lack of digits, and "wrong"; if there is
    none, the first that fails, and "inexact".

    A check counts only if the textbook's function, planted too, has an error below a thousandth of this one.
    """
    pairs = [
        ask_fixed_points(planted(bug.loss, function), "float64", np.asarray)
        for function in (bug.value, getattr(textbook, bug.loss))
    ]
    inexact = ("", "")
    for wrong, right in sorted(zip(*pairs, strict=True), key=lambda pair: ORDER.index(pair[0].method)):
        with np.errstate(all="ignore"):
            checks = answer(wrong)
            if all(check.holds for check in checks):
                continue
            for check, plain in zip(checks, answer(right), strict=True):
                stands = np.isfinite(plain.error) and not check.error <= 1000 * plain.error
                if not check.holds and stands:
                    if not check.textbook_holds:
                        return wrong.method, "wrong"
                    inexact = inexact if any(inexact) else (wrong.method, "inexact")
    return inexact


@pytest.mark.parametrize(
    "bug",
    [
        pytest.param(
            bug,
            # these need most of the checks
            marks=pytest.mark.slow if bug.method in ("", "laws", "50 digits") else (),
            id=f"{bug.loss}-{bug.name}",
        )
        for bug in BUGS
    ],
)
def test_this_check_is_the_first_that_fails(bug):
    assert object_to(bug) == (bug.method, bug.grade)


NUMBERS = {"temperature": 0.15, "margin": 0.3, "weight": 0.5}
OF_SLOPES = ("self subtracted as constant", "gradient half", "no gradient")  # their value is right


@pytest.mark.parametrize(
    "bug",
    [
        pytest.param(bug, marks=pytest.mark.nightly if {*bug.named} & {*OF_SLOPES} else (), id=bug.name)
        for bug in BUGS
        if bug.named
    ],
)
def test_check_gives_it_this_name(bug):
    known = inspect.signature(bug.value).parameters
    numbers = {name: x for name, x in NUMBERS.items() if name in known}
    inputs = [name for name in known if name not in ("margin", "weight", "labels")]

    def backward(*args, **options):
        if len(args[0]) > 20:
            raise ValueError("too large for a step an entry")
        given = dict(zip([n for n in known if n not in numbers], args, strict=False)) | numbers | options
        return {name: differentiate(bug.value, given, name) for name in inputs}

    asked = {"tiers": ("gradient",), "backward": backward} if {*bug.named} & {*OF_SLOPES} else {}
    with np.errstate(all="ignore"):
        report = check(bug.value, is_=bug.loss, **({"tiers": ("formula",)} | asked), **numbers)
    assert (tuple(each.mistake for each in report.mistakes), report.holds) == (bug.named, False)
