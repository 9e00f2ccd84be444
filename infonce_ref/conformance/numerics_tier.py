"""The third tier: where the loss loses its digits, by temperature, alignment and dtype."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from ..targets import describe_error
from . import elsewhere, inputs, names, numerics
from .asking import Way
from .fit import Measured, fit_at, fit_nearest, refine
from .identification import SIZES, TOLERANCES, Nearest
from .names import Found
from .target import Refused
from .temperature import Setting, find_setting, invert
from .verdicts import Verdict

UNFITTED = "its values fit no formula: its digits are lost, or it is another loss"
SAME = 1e-3  # relative: two temperatures that differ by less are the same
INVERSE: dict[Callable[[float], float], Callable[[float], float]] = {float: invert, invert: float}
REASON = f"{numerics.SLACK}·eps·max(1, 1/τ): cosines rounded to eps become logits rounded to eps/τ"


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
    changed: dict[str, list[float]] = {}
    others = elsewhere.find_other_losses(nearest)
    finer = [dtype for dtype in list_finer(nearest.way) if dtype not in others]
    unjudged = {*others, *finer}
    cells = [cell for cell in measure_cells(nearest, live, refused, changed) if cell.dtype not in unjudged]
    asked = (
        judge_cells(cells, found, live) if cells else Verdict("none", True, "it takes no dtype of the grid")
    )
    if asked.holds and changed.keys() - {UNFITTED}:
        asked = asked._replace(word="right, and another loss at other temperatures")
    omitted = (
        describe_omissions(cells, refused),
        describe_changes(changed),
        [f"in {dtype} it is another loss: not judged there" for dtype in others],
        [
            f"{dtype} is not judged by a formula that was found in {nearest.way.session.dtype}"
            for dtype in finer
        ],
    )
    return asked._replace(sentence="; ".join((asked.sentence, *chain(*omitted)))), cells


def list_finer(way: Way) -> list[str]:
    """The dtypes with more digits than the one in which the loss was asked, and its formula found."""
    session = way.session
    known = numerics.EPS[session.dtype]
    return [dtype for dtype in DTYPES[session.library] if numerics.EPS[dtype] < known]


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


def describe_changes(changed: Mapping[str, Sequence[float]]) -> Iterator[str]:
    """Describe what the loss computes at temperatures at which it is not the loss that was found."""
    for what, temperatures in changed.items():
        where = f"given τ = {', '.join(f'{tau:g}' for tau in temperatures)}"
        yield f"{where} {what}" if what is UNFITTED else f"{where} it is {what}: not judged there"


def judge_cells(cells: Sequence[numerics.Cell], found: Found, live: Sequence[str]) -> Verdict:
    """Return the verdict on the grid."""
    what = "" if live else " of the value"
    bad = [c for c in cells if not c.exact]
    advice = filter(None, [numerics.advise(bad, found.formula.head)])
    if not bad:
        return Verdict("exact", True, f"every digit{what} that rounding leaves, at {len(cells)} places")
    own = abs(found.temperature or 1.0)
    broken = [c for c in bad if c.came in numerics.BROKEN]
    if broken:
        at_own = [c for c in broken if c.temperature >= own * 0.999 and c.dtype in ("float64", "float32")]
        word = "breaks" if at_own else "right, and breaks when colder"
        return Verdict(word, not at_own, "; ".join((starts(broken, ""), *advice)))
    return Verdict("right, and loses digits", True, "; ".join((starts(bad, what), *advice)))


def starts(bad: Sequence[numerics.Cell], what: str) -> str:
    """Find the highest temperature with this finding, for each dtype."""
    words = []
    for dtype in dict.fromkeys(c.dtype for c in bad):
        first = max((c for c in bad if c.dtype == dtype), key=lambda c: c.temperature)
        came = first.came or f"digits{what} go"
        words.append(f"{dtype}: {came} from τ = {first.temperature:g}, views {first.alignment}")
    return "; ".join(words)


class Place(NamedTuple):
    """The loss at a temperature · given: the τ passed · ways: to ask it, by dtype · held: its formula there."""

    given: float
    ways: Mapping[str, Way]
    held: Found


def measure_cells(
    nearest: Nearest,
    live: Sequence[str],
    refused: dict[str, dict[float, str]],
    changed: dict[str, list[float]],
) -> Iterator[numerics.Cell]:
    """Measure the grid wherever the loss can be called: other temperatures only if it has a parameter for the
    temperature, or if scores can be divided by one. refused: filled, by dtype, with the temperatures at which it
    raises, and the error · changed: filled with the temperatures at which it is another loss, by what it is there.
    """
    way, setting = nearest.way, find_setting(nearest)
    places = list(find_places(nearest, setting, refused, changed))
    scores = way.world.startswith("scores")  # these are divided by τ, not the loss given it
    if len(places) > 1 and not scores and is_constant(places):
        changed.clear()  # the setting is another number than the temperature
        places = list(find_places(nearest, None, refused, changed))
    scale = find_scale(places)
    for given, ways, held in places:
        tau = abs(held.temperature or 1.0)
        if not scores and not math.isclose(tau, scale * given, rel_tol=SAME):
            changed.setdefault(f"the loss at τ = {tau:.6g}", []).append(given)
            continue
        for dtype in DTYPES[way.session.library]:
            try:
                yield from row(ways[dtype], held, dtype, given, live)
            except Exception as error:  # a dtype, or a temperature in it
                refused.setdefault(dtype, {})[given] = describe_raised(error)


def find_scale(places: Sequence[Place]) -> float:
    """How many times the given temperature the formula has, if this is the same at every temperature; else 1."""
    scales = [abs(place.held.temperature or 1.0) / place.given for place in places]
    return scales[0] if scales and max(scales) <= (1 + SAME) * min(scales) else 1.0


def is_constant(places: Sequence[Place]) -> bool:
    """Whether the formula has the same temperature whatever is given."""
    measured = [abs(place.held.temperature or 1.0) for place in places]
    return max(measured) <= (1 + SAME) * min(measured)


def find_places(
    nearest: Nearest,
    setting: Setting | None,
    refused: dict[str, dict[float, str]],
    changed: dict[str, list[float]],
) -> Iterator[Place]:
    """Fit the formula at every temperature of the grid. refused, changed: as in `measure_cells`."""
    found, way = nearest.found, nearest.way
    assert found is not None
    scores = way.world.startswith("scores")
    own = abs(found.temperature or 1.0)
    settings: dict[float, dict] = {tau: {} for tau in (numerics.TEMPERATURES if scores else (own,))}
    if setting and setting.accepted and not scores:
        own, value = setting.own, setting.value
        inverse = math.isclose(own * abs(found.temperature or 0.0), 1, rel_tol=SAME)
        # a loss that multiplies by its temperature, or divides by its scale
        if inverse and own != 1 and value in INVERSE:
            own, value = 1 / own, INVERSE[value]
        settings = {tau: {setting.name: value(tau)} for tau in numerics.TEMPERATURES}
    scale = (found.temperature or 1.0) / own
    for tau, given in settings.items():
        dtypes = DTYPES[way.session.library]
        try:
            ways = {dtype: way.given(given, dtype) for dtype in (way.session.dtype, *dtypes)}
            if scores or math.isclose(tau, own, rel_tol=1e-9):
                held: Found | None = found
            else:
                held = measure_again(ways[way.session.dtype], nearest, scale * tau)
        except Exception as error:  # the loss refuses this temperature
            for dtype in dtypes:
                refused.setdefault(dtype, {})[tau] = describe_raised(error)
            continue
        if held is None:
            changed.setdefault(UNFITTED, []).append(tau)
            held = found._replace(temperature=scale * tau)
        yield Place(tau, ways, held)


def describe_raised(error: Exception) -> str:
    return str(error) if isinstance(error, Refused) else f"the loss raises {describe_error(error)}"


DTYPES = {
    "torch": ("float64", "float32", "bfloat16", "float16"),
    "jax": ("float64", "float32", "bfloat16"),
    "numpy": ("float64", "float32"),
}


def measure_again(way: Way, nearest: Nearest, tau: float) -> Found | None:
    """Fit temperature and factor again where the temperature should be tau; None if the formula differs there."""
    found = nearest.found
    assert found is not None
    many = inputs.points(way.world, SIZES[0])
    values = np.array([way.value(point) for point in many])
    if not np.all(np.isfinite(values)):
        # it overflows at the fitted points; the grid will show where
        return found._replace(temperature=tau)
    measured = Measured(many, values)
    second, colder = found.second or 0.0, abs(tau / (found.temperature or 1.0))
    # the second number is as it was, or changes with the temperature, or inversely
    meant = [
        fit_at(found.formula, measured, 1 / abs(tau), e) for e in (second, second * colder, second / colder)
    ]
    start = min(meant, key=lambda each: each.residual)
    limit = 1e3 * TOLERANCES[nearest.precision]
    if start.residual <= limit:
        again = refine(found.formula, measured, start.t, start.e)  # τ may be held in float32
    else:
        again = fit_nearest([found.formula], measured)[0]
    if not again.residual <= limit:
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
            found.formula.sign * names.find_inverse(found, arrays),
            found.second or 0.0,
            *names.find_scaling(found, arrays),
        )
