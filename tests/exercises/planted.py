"""Every mistake that the project's other tests plant, as a learner's file: the exercise where it would be made, and
how it is asked."""

import importlib
import inspect
import runpy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from conformance.pathologies import PATHOLOGIES, TAU, value_and_gradients
from verify.public_bugs.bug import bugs_of
from verify.public_bugs.bug import planted as planted_bug

from infonce_ref.exercises import ALL, Exercise
from infonce_ref.exercises.exercise import Draw
from infonce_ref.losses import ALL as LOSSES
from infonce_ref.losses import Loss

RAW = ("one_side", "layer_norm", "one_norm_for_all")  # in which it matters that a row has another length
TESTS = Path(__file__).parent.parent
# of a gradient by the temperature
BY = dict.fromkeys(["self_pair_subtracted_as_constant"], "temperature")
EXERCISES = {"cpc": "softmax"}  # the others are called after the loss


class Planted(NamedTuple):
    """origin: the file it is planted in · name: of the function · exercise · ask, as a learner's file is asked."""

    origin: str
    name: str
    exercise: str
    ask: Callable[[str, list], list]
    asked: Exercise | None = None  # the exercise, where it is another than ALL's

    @property
    def id(self) -> str:
        return f"{self.origin}: {self.name}"


def exercise_of(loss: str, input: str = "") -> str:
    """Where a learner would make it."""
    return "temperature" if input == "temperature" and loss == "ntxent" else EXERCISES.get(loss, loss)


def of_loss(loss: Loss, exercise: str) -> Callable[[str, list], list]:
    """A wrong loss of the registry, asked as a learner's file is."""
    by = ALL[exercise].by
    names = list(inspect.signature(LOSSES[loss.name].forward).parameters)

    def ask(function: str, arguments: list) -> list:
        given = dict(zip(names, arguments))
        with np.errstate(all="ignore"):
            value, cache = loss.forward(**given)
            if function == ALL[exercise].functions[0]:
                return [np.asarray(value, float)]
            slopes = loss.backward(cache)
        return [np.asarray(getattr(slopes, n, np.zeros_like(given.get(n, 0.0))), float) for n in by]

    return ask


def of_scalar(pathology: Any, exercise: str) -> Callable[[str, list], list]:
    """A scalar of the tape. Where the exercise has scores for views, they stand for the views' products."""
    loss, space = pathology.loss, pathology.loss.__globals__
    if exercise == "softmax":

        def loss(scores: Any, _: Any) -> Any:
            with patched(space, across=lambda x, y, tau=TAU: x):
                return pathology.loss(scores, scores)

    elif (
        exercise in ("clip", "query_key", "siglip") and loss.__name__ not in RAW
    ):  # which take rows as they come

        def loss(*arrays: Any) -> Any:
            with patched(space, unit=lambda x: x):
                return pathology.loss(*arrays)

    forward, backward = value_and_gradients(loss)
    names = list(inspect.signature(LOSSES[ALL[exercise].loss].forward).parameters)

    def ask(function: str, arguments: list) -> list:
        given = zip(names, arguments)
        value, cache = forward(*(x for n, x in given if n not in ("temperature", "margin", "bias")))
        if function == ALL[exercise].functions[0]:
            return [np.asarray(value, float)]
        return [np.asarray(g, float) for g in backward(cache)]

    return ask


@contextmanager
def patched(space: dict[str, Any], **names: Any) -> Iterator[None]:
    """A module's names, for a while, as others."""
    kept = {name: space[name] for name in names}
    space.update(names)
    try:
        yield
    finally:
        space.update(kept)


def faults() -> Iterator[Planted]:
    for path in sorted((TESTS / "verify" / "faults").glob("*.py")):
        if path.stem not in LOSSES:
            continue
        file = runpy.run_path(str(path))
        for number, (fault, input, _) in enumerate(file["FAULTS"]):
            made = next(x for x in (fault.get("backward"), fault.get("forward")) if x is not None)
            if fault.get("backward") is file.get("wrong_layout", 0):  # here the rows lie in the other layout
                fault = {"backward": lambda c, f=file: f["grads"](c, f["right"](c, layout="interleaved"))}
            loss = LOSSES[path.stem]._replace(**{"variants": ()} | fault)
            exercise = exercise_of(path.stem, input)
            name = f"{number} {made.__name__} ({input})"
            if exercise in ALL:
                yield Planted(f"faults/{path.stem}", name, exercise, of_loss(loss, exercise))


def public_bugs() -> Iterator[Planted]:
    for path in sorted((TESTS / "verify" / "public_bugs").glob("*.py")):
        if path.stem not in LOSSES:
            continue
        for bug in bugs_of(importlib.import_module(f"verify.public_bugs.{path.stem}")):
            exercise = exercise_of(path.stem, BY.get(bug.name, ""))
            if exercise not in ALL:
                continue
            yield Planted(f"public_bugs/{path.stem}", bug.name, exercise, of_loss(planted_bug(bug), exercise))


def pathologies() -> Iterator[Planted]:
    for pathology in PATHOLOGIES:
        exercise = exercise_of(pathology.is_)
        if exercise in ALL:
            asked = at_its_temperature(exercise)
            yield Planted(
                "pathologies", pathology.loss.__name__, exercise, of_scalar(pathology, exercise), asked
            )


@cache
def at_its_temperature(name: str) -> Exercise:
    """The exercise at the one temperature, or margin, that a pathology has."""
    exercise = ALL[name]

    def batch(pairs: int, features: int, draw: Draw) -> dict[str, Any]:
        arguments = exercise.batch(pairs, features, draw)
        if name == "softmax":  # scores of views, the pairs on the diagonal
            return {"scores": draw.numbers(pairs, pairs), "positive": np.arange(pairs)}
        if name == "supcon":  # two classes, so that no row is without a positive
            arguments["labels"] = np.arange(2 * pairs) // pairs
        return arguments | {k: v for k, v in {"temperature": TAU, "margin": 0.3}.items() if k in arguments}

    return exercise._replace(batch=batch)


def planted() -> list[Planted]:
    """All of them for which there is an exercise."""
    return [*faults(), *public_bugs(), *pathologies()]
