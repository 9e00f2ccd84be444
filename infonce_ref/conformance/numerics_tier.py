"""The third tier: where the loss loses its digits, by temperature, alignment and dtype."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..targets import describe_error
from . import inputs, names, numerics
from .asking import Way
from .fit import Measured, fit_nearest
from .identification import SIZES, TOLERANCES, Nearest
from .names import Found
from .session import Session
from .target import SCALES, TEMPERATURES, Refused, collect_settings
from .verdicts import Verdict

REASON = f"{numerics.SLACK}·eps·max(1, 1/τ): cosines rounded to eps become logits rounded to eps/τ"


def find_temperature_name(nearest: Nearest) -> str | None:
    """Return the name of the loss's parameter for the temperature or its inverse."""
    found = collect_settings(nearest.way.session.target, nearest.way.session.function)
    return next((name for name in (*TEMPERATURES, *SCALES) if isinstance(found.get(name), int | float)), None)


def judge(nearest: Nearest, live: Sequence[str]) -> tuple[Verdict, list[numerics.Cell]]:
    found = nearest.found
    if (
        found is None
        or found.reduction.law == "unknown"
        or (found.second is not None and found.formula.head == "epsilon")
    ):
        return Verdict("none", True, "no formula to hold the digits against"), []
    if nearest.way.world == "scores and noise":
        return Verdict("none", True, "it takes likelihoods, whose temperature is its caller's"), []
    refused: dict[str, dict[float, str]] = {}
    cells = list(measure_cells(nearest, live, refused))
    asked = (
        judge_cells(cells, found, live) if cells else Verdict("none", True, "it takes no dtype of the grid")
    )
    return asked._replace(sentence="; ".join((asked.sentence, *describe_omissions(cells, refused)))), cells


def describe_omissions(
    cells: Sequence[numerics.Cell], refused: Mapping[str, Mapping[float, str]]
) -> Iterator[str]:
    """Describe the dtypes or temperatures at which the loss raises, and its error."""
    known = {c.dtype for c in cells}
    dtypes: dict[str, list[str]] = {}
    for dtype, reasons in refused.items():
        where = f" at τ = {', '.join(f'{tau:g}' for tau in reasons)}" if dtype in known else ""
        dtypes.setdefault(f"{where}: {next(iter(reasons.values()))}", []).append(dtype)
    yield from (f"it takes no {' and no '.join(of)}{words}" for words, of in dtypes.items())


def judge_cells(cells: Sequence[numerics.Cell], found: Found, live: Sequence[str]) -> Verdict:
    """Return the verdict on the grid."""
    what = "" if live else " of the value"
    bad = [c for c in cells if not c.exact]
    if not bad:
        return Verdict("exact", True, f"every digit{what} that rounding leaves, at {len(cells)} places")
    own = abs(found.temperature or 1.0)
    broken = [c for c in bad if c.came in numerics.BROKEN]
    if broken:
        at_own = [c for c in broken if c.temperature >= own * 0.999 and c.dtype in ("float64", "float32")]
        word = "breaks" if at_own else "right, and breaks when colder"
        return Verdict(word, not at_own, f"{starts(broken, '')}; {numerics.advise(bad, found.formula.head)}")
    return Verdict(
        "right, and loses digits", True, f"{starts(bad, what)}; {numerics.advise(bad, found.formula.head)}"
    )


def starts(bad: Sequence[numerics.Cell], what: str) -> str:
    """Find the highest temperature with this finding, for each dtype."""
    words = []
    for dtype in dict.fromkeys(c.dtype for c in bad):
        first = max((c for c in bad if c.dtype == dtype), key=lambda c: c.temperature)
        came = first.came or f"digits{what} go"
        words.append(f"{dtype}: {came} from τ = {first.temperature:g}, views {first.alignment}")
    return "; ".join(words)


def invert(nearest: Nearest, name: str, tau: float) -> float:
    """Convert τ to the value to pass to the loss, and back: 1/τ if the loss takes a scale or multiplies by
    its temperature.
    """
    found, asked = (
        nearest.found,
        collect_settings(nearest.way.session.target, nearest.way.session.function)[name],
    )
    assert found is not None
    multiplied = asked != 1 and math.isclose(abs(found.temperature or 0.0) * asked, 1, rel_tol=1e-3)
    return 1 / tau if name in SCALES or multiplied else tau


def measure_cells(
    nearest: Nearest, live: Sequence[str], refused: dict[str, dict[float, str]]
) -> Iterator[numerics.Cell]:
    """Measure the grid wherever the loss can be called: other temperatures only if it has a parameter for the
    temperature, or if scores can be divided by one. refused: filled, by dtype, with the temperatures at which it
    raises, and the error.
    """
    found, way = nearest.found, nearest.way
    assert found is not None
    target, library = way.session.target, way.session.library
    own = abs(found.temperature or 1.0)
    scores = way.world.startswith("scores")
    settings = {tau: dict(target.settings) for tau in (numerics.TEMPERATURES if scores else (own,))}
    name = find_temperature_name(nearest)
    if name and found.temperature and not scores:
        settings = {
            tau: {**target.settings, name: invert(nearest, name, tau)} for tau in numerics.TEMPERATURES
        }
    for tau, given in settings.items():
        there = target._replace(settings=given)
        dtypes = DTYPES[library]
        try:
            sessions = {dtype: Session(there, library, dtype) for dtype in (way.session.dtype, *dtypes)}
            held = (
                found
                if scores or tau == own
                else measure_again(way._replace(session=sessions[way.session.dtype]), nearest)
            )
        except Exception as error:  # the loss refuses this temperature
            for dtype in dtypes:
                refused.setdefault(dtype, {})[tau] = describe_raised(error)
            continue
        if held is None:
            continue
        for dtype in dtypes:
            try:
                yield from row(way._replace(session=sessions[dtype]), held, dtype, tau, live)
            except Exception as error:  # a dtype, or a temperature in it
                refused.setdefault(dtype, {})[tau] = describe_raised(error)


def describe_raised(error: Exception) -> str:
    return str(error) if isinstance(error, Refused) else f"the loss raises {describe_error(error)}"


DTYPES = {
    "torch": ("float64", "float32", "bfloat16", "float16"),
    "jax": ("float64", "float32", "bfloat16"),
    "numpy": ("float64", "float32"),
}


def measure_again(way: Way, nearest: Nearest) -> Found | None:
    """Fit temperature and factor again at another temperature; None if the formula differs there, as with a
    clamped scale.
    """
    found = nearest.found
    assert found is not None
    many = inputs.points(way.world, SIZES[0])
    values = np.array([way.value(point) for point in many])
    if not np.all(np.isfinite(values)):
        # it overflows at the fitted points; the grid will show where
        given = collect_settings(way.session.target, way.session.function)
        name = find_temperature_name(nearest) or ""
        tau = invert(nearest, name, given[name])
        return found._replace(temperature=tau * math.copysign(1, found.temperature or 1))
    measured = Measured(many, values)
    again = fit_nearest([found.formula], measured)[0]
    if again.residual > 1e3 * TOLERANCES[nearest.precision]:
        return None
    count = names.counts(found.formula, measured.places(found.formula))
    factor = again.scale * count.get(found.reduction.law, 1.0)
    return found._replace(
        reduction=found.reduction._replace(factor=factor),
        temperature=found.formula.sign / again.t,
        second=again.e,
    )


def row(way: Way, found: Found, dtype: str, tau: float, live: Sequence[str]) -> Iterator[numerics.Cell]:
    """The cells of one temperature and dtype, for the value and the named gradients."""

    def ask(point: Mapping[str, Any]) -> numerics.Asked:
        if not live:
            return numerics.Asked(way.value(point), {})
        answer = way.answer(point)
        slopes = inputs.WAYS[way.name].unpack(answer.gradients or ())
        return numerics.Asked(answer.value, {name: slopes[name] for name in live})

    size = 4 if way.name.startswith("predictions") else 3
    for alignment, noise in numerics.ALIGNMENTS.items():
        arrays = numerics.example(way.world, noise, dtype, found.formula.rows == "unit", size)
        if way.world.startswith("scores"):
            arrays = {**arrays, "scores": numerics.round_to(arrays["scores"] / tau, dtype)}
        yield numerics.cell(
            ask,
            found.formula,
            arrays,
            dtype,
            tau,
            alignment,
            found.formula.sign * found.inverse,
            found.second or 0.0,
            *names.find_scaling(found, arrays),
        )
