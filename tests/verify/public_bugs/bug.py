"""One bug of a public library, and how it is planted as a loss of the registry."""

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import NamedTuple

import numpy as np

from infonce_ref.losses import ALL
from infonce_ref.verify.case import Check
from infonce_ref.verify.judge import Loss, ask_fixed_points, hear

from . import tape

ORDER = ("finite differences", "symbolic", "identities", "precision")  # the cheap checks first


class Bug(NamedTuple):
    """value: the wrong loss, a scalar node of the loss's inputs, by its default options; its docstring says what is
    wrong. links: where it was reported. witness: the first check of `ORDER` that fails. grade: the loss's grade,
    wrong or inexact. Both are "" for a control, where no check may fail. named: the names that `infonce-ref check`
    gives; () if none, or if the bug does not show at its batches.
    """

    loss: str
    value: Callable
    links: tuple[str, ...]
    witness: str
    grade: str
    named: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.value.__name__

    @property
    def mistake(self) -> str:
        return " ".join(self.value.__doc__.split())


def bug(witness, *links, grade="wrong", named=()):
    """Register a function as a bug of the loss that the file is named after."""

    def mark(value):
        value.bug = Bug(value.__module__.rpartition(".")[2], value, links, witness, grade, named)
        return value

    return mark


def bugs_of(module):
    """The mistakes in a file, in its order."""
    return [x.bug for x in vars(module).values() if hasattr(x, "bug")]


def planted(bug: Bug) -> Loss:
    """Return the loss with the bug's value and its gradient by autograd."""
    loss = ALL[bug.loss]
    signature, wanted = inspect.signature(loss.forward), inspect.signature(bug.value).parameters
    gradients = inspect.get_annotations(loss.backward)["return"]

    def forward(*positional, **named):
        bound = signature.bind(*positional, **named)
        bound.apply_defaults()
        arguments = dict(bound.arguments)
        first = next(iter(arguments.values()))
        # a temperature has the arrays' dtype, like a parameter of a model
        leaves = {name: tape.Node(np.asarray(arguments[name], first.dtype)) for name in loss.differentiable}
        inputs = arguments | leaves
        if arguments.get("layout") == "interleaved":
            rows = np.arange(len(first))
            inputs["w"] = leaves["w"][np.concatenate([rows[::2], rows[1::2]])]
        with np.errstate(all="ignore"):
            output = bug.value(**{name: inputs[name] for name in wanted})
        default = signature.parameters["reduction"].default if "reduction" in arguments else None
        factor = 1.0
        if default != arguments.get("reduction"):
            factor = float(len(first)) if default == "mean" else 1 / len(first)
        output = output * factor
        return output.value, (output, list(leaves.values()))

    def backward(cache, upstream=1.0):
        with np.errstate(all="ignore"):
            slopes = tape.gradients(*cache)
            return gradients(*(np.asarray(upstream * slope, slope.dtype) for slope in slopes))

    def held(**here):
        fixed = {name: here[name] for name in ("z1", "z2")}
        return lambda **moved: forward(**(moved | fixed))[0]

    return loss._replace(
        forward=forward, backward=backward, variants=(), held=held if bug.loss == "simsiam" else None
    )


def textbook(loss: str) -> Bug:
    """Return the right textbook form of the same file, on the same tape; it loses digits at low temperatures."""
    return Bug(loss, import_module(f".{loss}", __package__).textbook, (), "", "")


def measure_or_fail(hearing):
    """Run a check; an overflow on the way counts as a failure."""
    with np.errstate(all="ignore"):
        return hear(hearing)


def fixed(loss):
    """List the checks at fixed points only, because random points assume a right loss."""
    return ask_fixed_points(loss, "float64", np.asarray)


class Objection(NamedTuple):
    """A failed check and its grade: "wrong" if the error exceeds a textbook form's, else "inexact"."""

    check: Check
    grade: str


def objection(bug: Bug) -> Objection | None:
    """Return the first check, in the order of `ORDER`, that makes the loss wrong or, if there is none, inexact.

    A check counts only if the textbook form, planted too, has an error below a thousandth of this one.
    """
    asked = list(zip(fixed(planted(bug)), fixed(planted(textbook(bug.loss)))))
    inexact = None
    for wrong, right in (pair for witness in ORDER for pair in asked if pair[0].witness == witness):
        checks = measure_or_fail(wrong)
        if all(check.holds for check in checks):
            continue
        for check, plain in zip(checks, measure_or_fail(right), strict=True):
            stands = np.isfinite(plain.error) and not check.error <= 1000 * plain.error
            if not check.holds and stands:
                if not check.textbook_holds:
                    return Objection(check, "wrong")
                inexact = inexact or Objection(check, "inexact")
    return inexact
