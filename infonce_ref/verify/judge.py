"""The judge: asks the four witnesses about each gradient of each loss, and gathers what they measured.

It takes plain callables (a `Loss` is a forward and a backward pass with an example), so it can be pointed at a
wrong gradient as well as at a right one: `Loss._replace(backward=...)`.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from ..arrays import converter
from ..losses import ALL, Loss
from . import finite_difference, identities, precision, symbolic
from .case import Case, Check

WITNESSES = (symbolic.WITNESS, finite_difference.WITNESS, identities.WITNESS, precision.WITNESS)
TEMPERATURES = (10.0, 1.0, 0.5, 0.07, 0.01, 0.001)
NOISES = (1.0, 0.1, 1e-3)  # of the second view: random, aligned, nearly equal

Testimony = Callable[[Case], Iterable[Check]]


class Hearing(NamedTuple):
    """One witness asked about one case."""

    witness: str
    testify: Testimony
    case: Case


def hearings(loss: Loss, dtype: str, convert: Callable = np.asarray) -> Iterator[Hearing]:
    """Every question that is asked about a loss.

    The symbolic, the difference and the identity witness see the example as it stands and in each variant, the
    symbolic one at a low temperature too; the precision witness sees every temperature at every alignment.
    """

    def case(noise: float = 1.0, seed: int = 0, **options: Any) -> Case:
        arguments = loss.example(seed, noise, **options)
        label = ", ".join([f"noise {noise:g}", *(f"{k} {v}" for k, v in options.items())])
        return Case.of(loss, arguments, label, dtype, convert)

    tempered = "temperature" in loss.example()
    for options in ({}, *loss.variants):
        yield Hearing(symbolic.WITNESS, symbolic.testify, case(seed=1, **options))
        yield Hearing(finite_difference.WITNESS, finite_difference.testify, case(seed=2, **options))
        yield Hearing(identities.WITNESS, identities.testify, case(seed=3, **options))
        if tempered:
            yield Hearing(symbolic.WITNESS, symbolic.testify, case(0.1, 4, temperature=0.07, **options))
        if options:
            yield Hearing(precision.WITNESS, precision.testify, case(1e-3, **options))
    for noise in NOISES:
        for temperature in TEMPERATURES if tempered else (None,):
            options = {"temperature": temperature} if tempered else {}
            yield Hearing(precision.WITNESS, precision.testify, case(noise, **options))


def hear(hearing: Hearing) -> list[Check]:
    """What one witness measured."""
    return list(hearing.testify(hearing.case))


class Numbered(NamedTuple):
    """A hearing of a loss of the registry, by name and number: what can be sent to another process."""

    loss: str
    dtype: str
    library: str
    number: int


def numbered(loss: str, dtype: str, library: str) -> list[Numbered]:
    """Every question that is asked about a loss of the registry."""
    count = sum(1 for _ in hearings(ALL[loss], dtype))
    return [Numbered(loss, dtype, library, number) for number in range(count)]


def hear_numbered(which: Numbered) -> list[Check]:
    """What one witness measured, where only its number is known."""
    questions = hearings(ALL[which.loss], which.dtype, converter(which.library))
    return hear(next(islice(questions, which.number, None)))


def cells(checks: Iterable[Check]) -> dict[tuple[str, str], dict[str, Check]]:
    """The matrix: for each loss and input, what each witness found at worst. A NaN is worse than any number."""
    matrix: dict[tuple[str, str], dict[str, Check]] = {}
    for check in checks:
        row = matrix.setdefault((check.loss, check.input), {})
        known = row.get(check.witness)
        if known is None or not _milder(check, known):
            row[check.witness] = check
    return matrix


def _milder(check: Check, known: Check) -> bool:
    return known.error != known.error or check.error / check.tolerance <= known.error / known.tolerance


def holds(checks: Iterable[Check], losses: Iterable[Loss]) -> bool:
    """Whether every cell of the matrix is there and holds. An empty cell is a failure."""
    matrix = cells(checks)
    return all(
        witness in matrix.get((loss.name, name), {}) and matrix[loss.name, name][witness].holds
        for loss in losses
        for name in loss.differentiable
        for witness in WITNESSES
    )
