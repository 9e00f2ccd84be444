"""Every loss with planted faults: `verify` must fail, in the expected checks.

faults/LOSS.py, found by the loss's name, has

    TEXTS     mistakes of the catalogue, each with the input whose gradient is judged. If it changes the value, the
              gradient changes too: finite differences agree
    FAULTS    the replaced fields of the loss's entry; the input whose gradient is checked; the checks that miss it
    RIGHT     the loss's own gradient planted in the same way: every cell must hold. Missing if the faults change
              what the loss's own functions return
    ALSO      labels of further cases that are compared with 50 digits; missing if there are none

A fault's backward pass takes only the cache; its result is multiplied by upstream.
"""

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from few import few
from verify.plants import arguments_of

from infonce_ref.conformance import templates
from infonce_ref.losses import Loss
from infonce_ref.mistakes import ALL as CATALOGUE
from infonce_ref.mistakes import Mistake
from infonce_ref.mistakes.entry import convert_to_arrays, edit, order, run_text
from infonce_ref.verify import identities
from infonce_ref.verify.case import Check
from infonce_ref.verify.judge import WITNESSES, ask_fixed_points, cells, holds, list_registered

ALL = list_registered()
FOLDER = Path(__file__).parent / "faults"
FILES = {name: runpy.run_path(str(FOLDER / f"{name}.py")) for name in ALL}


def planted(loss: Loss, fault: dict[str, Any]) -> Loss:
    """The loss with some fields replaced, without variants unless the fault names them."""
    loss = loss._replace(**{"variants": ()} | fault)
    if "backward" not in fault:
        return loss

    def backward(cache: Any, upstream: float = 1.0) -> Any:
        gradients = fault["backward"](cache)
        return type(gradients)(*(upstream * x for x in gradients))

    return loss._replace(backward=backward)


def with_text(loss: Loss, mistakes: tuple[Mistake, ...] = ()) -> Loss:
    """The loss with value and gradient of the catalogue's text, with mistakes in it."""
    entry = CATALOGUE[loss.name]
    text = edit(entry.text, [each for mistake in mistakes for each in mistake.edits])
    value, gradient = run_text(text, entry.functions)

    def forward(*args: Any, **options: Any) -> tuple[Any, Any]:
        _, cache = loss.forward(*args, **options)
        given = order(gradient, arguments_of(loss, args, options))
        with np.errstate(all="ignore"):
            return np.asarray(value(*given)), (cache, given)

    def backward(cache: Any, upstream: float = 1.0) -> Any:
        kept, given = cache
        right = loss.backward(kept, upstream)
        with np.errstate(all="ignore"):
            slopes = dict(zip(entry.by, convert_to_arrays(gradient(*given)), strict=True))
        return right._replace(**{n: upstream * x for n, x in slopes.items() if n in right._fields})

    return loss._replace(forward=forward, backward=backward, variants=())


def warm(loss: Loss) -> Iterator[Check]:
    """The checks at fixed points of high temperature; at low ones a right text loses digits too."""
    for witness, testify, case in ask_fixed_points(loss, "float64", np.asarray):
        is_warm = case.label.startswith("noise 1") and case.arguments.get("temperature", 0.5) == 0.5
        if is_warm and witness in WITNESSES and testify is not identities.testify_of_kinds:
            yield from testify(case)


def quick(loss: Loss) -> Iterator[Check]:
    """The checks at fixed points, with 50 digits only once for each option, because the command has the sweep.
    Without other kinds of arrays, because a fault's functions do not check their input.
    """
    asked, also = set(), FILES[loss.name].get("ALSO", ())
    for witness, testify, case in ask_fixed_points(loss, "float64", np.asarray):
        if testify is identities.testify_of_kinds:
            continue
        if witness == "precision":
            warm = case.label.split(",")[0] == "noise 1" and case.arguments.get("temperature", 0.5) == 0.5
            if case.label in asked or not (warm or case.label in also):
                continue
            asked.add(case.label)
        yield from testify(case)


SOME = ("ntxent", "triplet")


def first_faults(kind: str) -> list[Any]:
    """The first fault of each kind for a few losses by default, for each loss if slow, all in .ci/nightly."""
    cases = [
        (number, name, *fault)
        for name, file in FILES.items()
        for number, fault in enumerate(file.get(kind, ()))
    ]
    return few(cases, lambda case: case[0] == 0 and case[1] in SOME, rare=lambda case: case[0] > 0)


@pytest.mark.parametrize(("number", "name", "fault", "input", "missed_by"), first_faults("FAULTS"))
def test_verify_fails_in_the_expected_checks(number, name, fault, input, missed_by):
    loss = planted(ALL[name], fault)
    checks = list(quick(loss))
    found = cells(checks)[name, input]
    assert {witness for witness, check in found.items() if check.holds} == missed_by
    assert set(found) == set(WITNESSES)
    assert not holds(checks, [loss])


@pytest.mark.parametrize(("number", "name", "mistake", "input"), first_faults("TEXTS"))
def test_every_expected_check_fails_for_a_mistake_of_the_catalogue(number, name, mistake, input):
    """Each of these checks passes for the text without the mistake."""
    (known,) = (each for each in CATALOGUE[name].mistakes if each.name == mistake)
    asked = zip(warm(with_text(ALL[name], (known,))), warm(with_text(ALL[name])), strict=True)
    points = templates.prepare(CATALOGUE[name], [ALL[name].example()])
    same_value = templates.is_right(points, 0, templates.compute(points, 0, (known,)))
    objected = {
        wrong.witness for wrong, right in asked if wrong.input == input and not wrong.holds and right.holds
    }
    assert objected == set(WITNESSES) - (set() if same_value else {"finite differences"})


@pytest.mark.parametrize("name", few(ALL, ("ntxent", "clip", "triplet").__contains__))
def test_a_right_gradient_planted_in_the_same_way_holds(name):
    loss = planted(ALL[name], FILES[name].get("RIGHT", {"backward": ALL[name].backward}))
    checks = list(quick(loss))
    assert [check for check in checks if not check.holds] == []
    assert holds(checks, [loss])


def test_every_file_of_faults_belongs_to_a_loss():
    assert {path.stem for path in FOLDER.glob("*.py")} == set(ALL)
