"""Vectors: value and gradients of a loss to 50 digits at given points, to check an implementation in any language.

Points and digits are those of `verify`: the definition of the proofs in Arb's balls, differentiated by the chain
rule (`precision`). No code of `losses` computes a digit of them.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from flint import arb, ctx

from .. import __version__
from ..losses import Loss
from . import drawn, judge, precision
from .case import ROUNDING_REASON, Case, list_of_kind, rounding_floor
from .proofs import DIGITS, VALUE, closed_forms

VERSION = 1
READERS = Path(__file__).parent / "readers"
BITS = 167  # of 50 digits
MOST_DIGITS = 20_000  # of a step: without a value or a gradient no number suffices
TOLERANCE_REASON = (
    f"{ROUNDING_REASON}; times the size of the summed terms, which is what rounding is relative to; below the "
    "smallest normal number of the dtype, absolute"
)
# further points: equal rows, zeros, lengths, unusual sizes
ORDINARY = {"noise": 0.3, "rows": 3, "features": 3, "length": 1.0}
UNUSUAL: tuple[dict[str, Any], ...] = (
    {"ties": "positives"},
    {"ties": "twins"},
    {"ties": "all"},
    {"contents": "some 0"},
    {"length": 1e6},
    {"length": 1e-6},
    {"rows": 2, "features": 1},
    {"rows": 5, "features": 4},
)
OPPOSITE = {"rows": 5, "features": 2, "noise": 1.0, "contents": "of one size"}


def readers() -> dict[str, str]:
    """Read the schema and the readers, by file name."""
    return {
        path.name: path.read_text(encoding="utf-8") for path in sorted(READERS.iterdir()) if path.is_file()
    }


def cases(loss: Loss, dtype: str) -> Iterator[Case]:
    """Yield the points of a loss. Options that are numbers are rounded to the dtype too, so that a reader reads
    them exactly.
    """
    asked = judge.ask_fixed_points(loss, dtype, np.asarray)
    points = [question.case for question in asked if question.method == precision.METHOD]
    tempered = {"temperature": 0.1} if "temperature" in loss.example() else {}
    for seed, change in enumerate(UNUSUAL):
        here: dict[str, Any] = {**ORDINARY, **tempered, **change, "seed": seed}
        if list_of_kind(loss, "score"):  # 1 − P of scores of 10⁶ would need a million digits
            here["length"] = min(here["length"], drawn.LOGITS[1])
        # two equal rows, or many zeros, may put a hinge exactly at its kink
        if not (list_of_kind(loss, "length") and {"twins", "some 0"} & {*change.values()}):
            points.append(drawn.make_case(loss, here, dtype, np.asarray))
    points.append(drawn.make_case(loss, {**OPPOSITE, **tempered, "seed": 0}, dtype, np.asarray))
    for case in points:
        numbers = "numpy.float32" if dtype == "float32" else "float"
        more: dict[str, Any] = {"noise": case.noise, "length": case.length, "numbers": numbers}
        yield Case.of(loss, case.arguments, case.label, dtype, **more)


def write_case(case: Case) -> dict[str, Any]:
    """Write a point with its value, its gradients, and the tolerance of each."""
    names = case.loss.differentiable
    value, slopes, sizes = _settle(case)
    options = {n: x for n, x in case.arguments.items() if x is None or type(x) in (str, bool, int)}
    inputs = {name: x for name, x in case.arguments.items() if name not in options}
    if isinstance(case.upstream, np.ndarray):
        inputs["upstream"] = case.upstream
    return {
        "label": case.label,
        "dtype": str(case.dtype),
        "hard": case.sharpness > judge.MAX_SHARPNESS or case.noise < judge.MIN_NOISE,
        "options": options,
        "inputs": {name: _write_input(x) for name, x in inputs.items()},
        "value": _write_output(case, value, sizes[VALUE]),
        "gradients": {name: _write_output(case, slopes[name], sizes[name]) for name in names},
    }


def _settle(case: Case) -> tuple[list, dict[str, list], dict[str, list]]:
    """Compute the value, each gradient, and the sizes of their terms (the value's under VALUE), with enough
    digits. Raises ValueError if there are none, as where a row is 0.
    """
    every = {name: list(np.ndindex(np.shape(case.arguments[name]))) for name in case.loss.differentiable}
    digits = precision.digits(case)
    while digits <= MOST_DIGITS:
        with ctx.workdps(digits):
            slopes = {name: x.ravel().tolist() for name, x in precision.slopes_of(case).items()}
            proved = closed_forms(case, {VALUE: [()]} | every)
            sizes = {name: terms for name, (_, terms) in proved.items()}
            value, _ = proved[VALUE]
            found = {VALUE: value, **slopes}
            balls = [ball for name in found for ball in zip(found[name], sizes[name], strict=True)]
            if all(x.rel_accuracy_bits() >= BITS or _vanishes(x, size) for x, size in balls):
                return value, slopes, sizes
        digits *= 2
    raise ValueError(
        f"{case.loss.name} has no value or no gradient at {case.label}: with {MOST_DIGITS} digits in each step "
        "there are no 50 in the result; choose a point where no row is 0 and nothing is at a kink"
    )


def _vanishes(x: arb, size: arb) -> bool:
    """Return whether a ball is 0 to 50 digits relative to its terms."""
    return bool(abs(x) <= abs(size) * arb(10) ** -DIGITS)


def _write_input(x: Any) -> dict[str, Any]:
    numbers = np.asarray(x)
    name, write = ("hex", lambda x: float(x).hex()) if numbers.dtype.kind == "f" else ("integers", int)
    return {"shape": list(numbers.shape), name: [write(number) for number in numbers.ravel()]}


def _write_output(case: Case, numbers: list, sizes: list) -> dict[str, Any]:
    with ctx.workdps(4 * DIGITS):
        exact = [
            "0" if _vanishes(x, s) else x.str(DIGITS, radius=False)
            for x, s in zip(numbers, sizes, strict=True)
        ]
    floor = rounding_floor(case.dtype)
    within = [case.tolerance * (float(abs(size).upper()) + floor) for size in sizes]
    return {"exact": exact, "within": [float(f"{x:.3g}") for x in within]}


def write_loss(which: tuple[str, tuple[str, ...]]) -> tuple[str, int]:
    """Return the file of a loss, for these dtypes, and its number of points. Each point is one line."""
    name, dtypes = which
    loss = judge.list_registered()[name]
    points = [write_case(case) for dtype in dtypes for case in cases(loss, dtype)]
    head = {
        "schema": "vectors.schema.json",
        "version": VERSION,
        "written_by": f"infonce_ref {__version__}",
        "loss": name,
        "definition": sys.modules[loss.forward.__module__].__doc__,
        "differentiable": list(loss.differentiable),
        "tolerance": TOLERANCE_REASON,
    }
    first, *lines = (json.dumps(x, ensure_ascii=False, allow_nan=False) for x in (head, *points))
    text = ",\n".join(lines)
    return f'{first[:-1]}, "cases": [\n{text}\n]}}\n', len(points)
