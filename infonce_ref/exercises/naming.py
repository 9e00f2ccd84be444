"""Name what is wrong: a submission is given to `check`'s engine, as a stranger's loss whose name is known."""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import catalogue
from ..check import elsewhere, finding, gradient, naming
from ..check.laws import FACTORS, match, measure_facts
from ..check.programs import Program, public_name
from ..check.report import Difference
from ..check.strangers import keep_random_state
from ..check.target import Target
from .exercise import Arrays, Exercise, compute, probes
from .report import Comment

# the numbers with which it is asked; of the margin some rows of a batch stay within, and some do not
WEIGHTS = {"weight": 0.4, "invariance": 2.5, "variance": 1.5, "covariance": 0.8, "beta1": 0.6, "beta2": 0.4}
NUMBERS = {"temperature": 0.3, "bias": -1.3, "margin": 0.3, "epsilon": 1e-4, **WEIGHTS}
# the rest of a loss, if its first step is asked
NOT_NORMALISED = next(one for one in catalogue.MISTAKES if one.name == "not_normalised")
OF_ROWS = Program("ntxent", (NOT_NORMALISED,))
NAMES = {shown.name: own.name for shown, own in zip(FACTORS, catalogue.FACTORS)}
UNNAMED = {"no formula fits": "value_wrong", "gradient wrong": "gradient_wrong"}
# the loss (0) or the gradient (1), with arguments by name
Call = Callable[[int, Mapping[str, Any]], Arrays]


def explain(exercise: Exercise, call: Call) -> tuple[list[Comment], list[Comment]]:
    """What is wrong with the loss, and with the gradient; nothing with one that is the gradient of this loss."""
    settings = {name: NUMBERS[name] for name in exercise.takes(0) if name in NUMBERS}
    names = [name for name in exercise.takes(0) if name not in settings]
    loss, backward = (define(exercise, which, call) for which in (0, 1))
    program = OF_ROWS if exercise.returns_rows else Program(exercise.loss)
    reduction = "sum" if "total(" in catalogue.SOURCES[exercise.loss] else "mean"
    meant = {"temperature": NUMBERS["temperature"], **settings, "reduction": reduction, "form": "out"}
    target = Target(loss, settings, exercise.name, backward)
    with keep_random_state():
        inputs = finding.find_usual(program, len(names))
        ways, claim = finding.list_ways(target, inputs), public_name(program.loss)
        found = elsewhere.examine(naming.find(ways, inputs, claim, meant), meant)
        of_gradient = list_wrong(exercise, found)
    of_value = [comment(exercise, each) for each in found.differences]
    return of_value, [comment(exercise, each) for each in of_gradient]


def define(exercise: Exercise, which: int, call: Call) -> Callable[..., Any]:
    """One of the two, of the loss's arguments. Rows that it returns are put into the rest of a loss."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature([inspect.Parameter(name, kind) for name in exercise.takes(0)])

    def function(*arrays: Any, **numbers: Any) -> Any:
        at = signature.bind(*arrays, **numbers).arguments
        if exercise.returns_rows:
            views = dict(zip("xy", np.split(call(0, at)[0], 2)))
            if not which:
                return OF_ROWS.value(views, NUMBERS)
            at["dz"] = np.concatenate([*OF_ROWS.slopes(views, NUMBERS).values()])
        found = call(which, at)
        return dict(zip(exercise.by, found)) if which else found[0]

    vars(function)["__signature__"] = signature
    return function


def list_wrong(exercise: Exercise, found: naming.Found | naming.Unknown) -> Sequence[Difference]:
    """What is wrong with the gradient by arrays, none of them held constant; if nothing, with that by numbers."""
    way = found.way
    points = [*way.points(4, each=1)[:3], way.points(6, each=1)[0]]
    own = [way.slopes(at) for at in points]
    if isinstance(found, naming.Unknown):
        return gradient.compare_with_differences(found, points, own).differences
    asked = gradient.Asked(found, points, own)
    if not set(exercise.by) <= {*NUMBERS} and not asked.fits(found.program):
        right = [gradient.exact(found, found.program, at) for at in points]
        return gradient.name_wrong(asked, right).differences
    return list(gradient.judge_numbers(found))


def find_factor(exercise: Exercise, told: Sequence[Arrays]) -> Comment | None:
    """The factor by which the rows are wrong at every probe, which changes a loss of them in other ways."""
    facts = [measure_facts(OF_ROWS.loss, at) for at in probes(exercise)]
    right = (compute(exercise, 0, at)[0].ravel() for at in probes(exercise))
    factors = [gradient.find_multiple(x.ravel(), y, 1e-8) or math.nan for (x,), y in zip(told, right)]
    law = match(FACTORS, factors, facts, 1e-8)
    return law and comment(exercise, Difference(law.name, law.sentence))


def comment(exercise: Exercise, told: Difference) -> Comment:
    """A mistake under its name in the catalogue."""
    of_gradient = "gradient " if told.mistake.startswith("gradient ") else ""
    name = told.mistake.removeprefix(of_gradient)
    name = UNNAMED.get(told.mistake) or (of_gradient + NAMES.get(name, name)).replace(" ", "_")
    claim = "" if exercise.returns_rows else told.claim  # that of the loss in its place
    return Comment(f"{exercise.name}.{name}", told.sentence, (), claim, "", told.links)
