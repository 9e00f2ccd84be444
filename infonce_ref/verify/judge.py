"""Check each gradient of each loss in four independent ways, and collect the measurements.

`ask_all` lists the questions about a loss, `answer` answers one. A loss is plain callables (a `Loss` is a forward
and a backward pass with an example), so a wrong gradient can be checked too: `Loss._replace(backward=...)`.
"""

import math
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import cycle, product
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from ..arrays import converter
from ..losses import Loss
from ..output import escape_controls
from ..streaming import ALL as STREAMING
from ..threads import one_thread
from . import drawn, finite_difference, laws, precision, proofs
from .case import Case, Check, Measurement, in_units, list_registered

METHODS = (proofs.METHOD, finite_difference.METHOD, laws.METHOD, precision.METHOD)
DTYPES = ("float64", "float32")
TEMPERATURES = (1000.0, 10.0, 1.0, 0.5, 0.07, 0.01, 0.001)
NOISES = (1.0, 0.1, 1e-3)  # noise of the second view: random, aligned, nearly equal
SINGLE = {"rows": 1, "features": 3}  # a single pair or anchor
Point = tuple[Callable, float, int, dict[str, Any]]  # a check, noise, seed and options
IN_EVERY_VARIANT: list[Point] = [
    (proofs.check, 1.0, 1, {}),
    (proofs.check, 0.1, 4, {"temperature": 0.07}),
    (finite_difference.check, 1.0, 2, {}),
    (laws.check, 1.0, 3, {}),
    (laws.check, 0.1, 5, {"temperature": 0.001}),
    (laws.check, 1.0, 6, {"rows": 17, "features": 9}),  # larger than the example
    (laws.check, 1.0, 6, {"rows": 2, "features": 1}),
    (laws.check, 1.0, 6, SINGLE),
]
BY_DEFAULT: list[Point] = [  # the 50 digits are relative to the value, which may be 0 for a single pair
    (proofs.check, 1.0, 7, SINGLE),
    (finite_difference.check, 1.0, 7, SINGLE),
    (laws.check_kinds_of_arrays, 1.0, 8, {}),
    *((precision.check, noise, 0, {"temperature": t}) for noise, t in product(NOISES, TEMPERATURES)),
]
IN_OTHERS = [(precision.check, noise, 0, {"temperature": t}) for noise, t in zip(cycle(NOISES), TEMPERATURES)]
# other laws do not show whether each anchor has its own upstream
OF_EACH_ANCHOR: Point = finite_difference.check_one_direction, 1.0, 9, {"rows": 40, "reduction": "none"}
SEED = 0  # for the drawn cases
# Limits for random cases; laws run at all. Finite differences have a rounding error of eps^(2/3)/τ², and need
# a point without a kink and a derivative that is not nearly 0, as at coinciding positives; 50 digits are slow.
MAX_SHARPNESS, MIN_NOISE, MAX_WORK, MAX_WORK_50_DIGITS = 20.0, 0.1, 500_000, 500


class Question(NamedTuple):
    """A function of one of the four methods, and the case to check."""

    check: Callable[[Case], Iterable[Check]]
    case: Case

    @property
    def method(self) -> str:
        """Return the name of the method."""
        return sys.modules[self.check.__module__].METHOD


def ask_all(loss: Loss, dtype: str, convert: Callable = np.asarray, seed: int = SEED) -> Iterator[Question]:
    """Yield all checks of a loss, with its default options, in each variant, and with all variants combined:
    at fixed points, then at drawn ones.
    """
    yield from ask_fixed_points(loss, dtype, convert)
    for case in drawn.cases(loss, dtype, seed, convert):
        yield Question(laws.check, case)
        if (
            case.sharpness <= MAX_SHARPNESS
            and case.noise >= MIN_NOISE
            and case.smooth
            and case.work <= MAX_WORK
        ):
            yield Question(finite_difference.check_one_direction, case)
        if case.sharpness <= MAX_SHARPNESS and case.work <= MAX_WORK_50_DIGITS:
            yield Question(proofs.check, case)
    for draw in (drawn.brief_cases, drawn.large_cases):
        for case in draw(loss, dtype, seed, convert):
            yield Question(laws.check_quickly, case)


def ask_fixed_points(loss: Loss, dtype: str, convert: Callable) -> Iterator[Question]:
    """Yield the checks at fixed points, each once, and without a temperature if the loss has none."""

    def case(noise: float, seed: int, **options: Any) -> Case:
        arguments = loss.example(seed, noise, **options)
        seeded = {"seed": seed} if seed else {}
        label = ", ".join([f"noise {noise:g}", *(f"{k} {v}" for k, v in (seeded | options).items())])
        return Case.of(loss, arguments, label, dtype, convert, noise=noise)

    variants = drawn.variants(loss)
    points: list[tuple[dict[str, Any], Point]] = [({}, point) for point in IN_EVERY_VARIANT + BY_DEFAULT]
    points += product(variants[1:], IN_EVERY_VARIANT + IN_OTHERS)
    if any(options.get("reduction") == "none" for options in loss.variants):
        points.append(({}, OF_EACH_ANCHOR))
    if loss.name in STREAMING:  # laws compare it with the plain form, in each two options
        points += [(options, (laws.check, 1.0, 3, {})) for options in drawn.pairs_of_variants(loss)]
    asked = set()
    for options, (check, noise, seed, more) in points:
        given = options | more
        if "temperature" not in loss.example():
            given.pop("temperature", None)
        if given.get("rows", loss.fewest) >= loss.fewest:
            here = case(noise, seed, **given)
            if (check, here.label) not in asked:
                asked.add((check, here.label))
                yield Question(check, here)
    if laws.is_scale_free(loss.name):
        for options in variants:
            here = case(NOISES[-1], 0, **options)
            first = loss.differentiable[0]
            # if rows of equal length nearly coincide, their difference is exact, which hides rounding errors
            shorter = here.at(**{first: here.dtype.type(0.3) * here.arguments[first]})
            label = f"{here.label}, {first} 0.3 times as long"
            yield Question(precision.check, replace(shorter, label=label))


def answer(question: Question) -> list[Check]:
    """Answer a question. If the loss raises, return a failed check for each input."""
    case = question.case
    try:
        return list(question.check(case))
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        raised = escape_controls(
            f"{type(error).__name__}: {error} ({Path(at.filename).name}, line {at.lineno})"
        )
        none = Measurement(math.nan, (), math.nan, math.nan)
        return [
            case.check(name, question.method, none, "whether it answers")._replace(raised=raised)
            for name in case.loss.differentiable
        ]


def answer_part(part: tuple[str, str, str, int]) -> list[Check]:
    """Answer the questions about a registered loss in one dtype, with arrays of this library, drawn by this seed;
    with one thread of BLAS, because each processor answers its own part.
    """
    name, dtype, library, seed = part
    asked = ask_all(list_registered()[name], dtype, converter(library), seed)
    with one_thread():
        return [check for question in asked for check in answer(question)]


def cells(checks: Iterable[Check]) -> dict[tuple[str, str], dict[str, Check]]:
    """Find the worst check of each loss, input and kind of check; NaN is worse than any number."""
    matrix: dict[tuple[str, str], dict[str, Check]] = {}
    for check in checks:
        row = matrix.setdefault((check.loss, check.input), {})
        known = row.get(check.method)
        if known is None or check.excess > known.excess:
            row[check.method] = check
    return matrix


def holds(checks: Iterable[Check], losses: Iterable[Loss]) -> bool:
    """Whether every cell of the matrix exists and holds. An empty cell is a failure."""
    matrix = cells(checks)
    return all(
        method in matrix.get((loss.name, name), {}) and matrix[loss.name, name][method].holds
        for loss in losses
        for name in loss.differentiable
        for method in METHODS
    )


# --- grades -------------------------------------------------------------------------------------------------------


class Grade(NamedTuple):
    """The grade of a loss.

    exact: every check holds. inexact: every check holds within the error of a correct textbook form, which loses
    digits as 1 − P vanishes. wrong: some check fails that a textbook form passes, or the loss raises. starts: the
    check that decides: for an inexact loss the failed one with the warmest, least aligned case, where it begins to
    lose digits; for a wrong loss the worst one; None for an exact loss.
    """

    verdict: Literal["exact", "inexact", "wrong"]
    starts: Check | None

    def __str__(self) -> str:
        if self.starts is None:
            return self.verdict
        before = "loses digits from" if self.verdict == "inexact" else "at"
        place = f"{self.starts.input}, {self.starts.method}, {before} {self.starts.place}"
        return f"{self.verdict}: {place}{', ' * bool(self.starts.raised)}{self.starts.raised}"


def grade(checks: Iterable[Check], loss: Loss) -> Grade:
    """Grade one loss from all checks of it.

    Raises ValueError if a kind of check is missing for an input.
    """
    own = [check for check in checks if check.loss == loss.name]
    asked = {(check.input, check.method) for check in own}
    missing = [pair for pair in product(loss.differentiable, METHODS) if pair not in asked]
    if missing:
        raise ValueError(f"{loss.name} cannot be graded: missing checks {', '.join(map(' '.join, missing))}")
    failed = [check for check in own if not check.holds]
    wrong = [check for check in failed if not check.textbook_holds]
    if wrong:
        return Grade("wrong", max(wrong, key=lambda c: in_units(c.worst.textbook, c.tolerance)))
    if failed:
        return Grade("inexact", min(failed, key=lambda c: (c.sharpness, -c.noise)))
    return Grade("exact", None)
