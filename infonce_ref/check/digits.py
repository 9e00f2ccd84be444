"""Where a loss loses its digits, by temperature, alignment of the views and dtype.

Its value and gradient are compared with those of this library's own loss in float64, at the inputs as rounded to
the dtype; `verify` has proved that loss. Unavoidable error is not counted: cosines rounded to eps become logits
rounded to eps/τ. A form that the library has not is compared with its textbook program, which may cancel: what this
explains is no error.
"""

import contextlib
import math
from collections.abc import Iterator, Mapping, Sequence
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from ..losses import ALL
from .gradient import HELD_WEIGHTS
from .inputs import Arrays, draw, normalise
from .naming import Found
from .reading import Refused
from .report import ALIGNMENTS, Record, Verdict, record
from .search import EXACT
from .settings import find_setting
from .strangers import Stranger, measure_precision, refusing, send_back

TEMPERATURES = (1.0, 0.3, 0.1, 0.05, 0.02, 0.01, 0.003)
NOISE = {"apart": 1.0, "near": 0.1, "aligned": 0.003}  # of the second view
TINY = {"float64": 2.0**-1022, "float32": 2.0**-126, "float16": 2.0**-14, "bfloat16": 2.0**-126}
EPS = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}
DTYPES = {
    "torch": ("float64", "float32", "bfloat16", "float16"),
    "jax": ("float64", "float32", "bfloat16"),
    "numpy": ("float64", "float32"),
}
BROKEN = ("NaN", "inf", "NaN'")  # NaN': in the gradient
SLACK = 200  # roundings of a sum of ten products and a norm, at most
CANCELS = 1e-13  # of a textbook program in float64, times 1/τ
OTHER = 1e-3  # relative, in float64 and for random rows: a larger error is another loss
MILD = {"float64": 0.05, "float32": 0.1}  # the least τ at which every form keeps digits for random rows
GRADIENT = "its values are right, and its gradient has lost its digits, or is another"
UNFITTED = "its values fit no formula: its digits are lost, or it is another loss"
REASON = f"{SLACK}·eps·max(1, 1/τ): cosines rounded to eps become logits rounded to eps/τ"
SIGMOID = "take softplus(x) for log(1 + e^x): e^x overflows, and e^x below eps is lost beside 1 [S1]"
SQUARE = "take the squared difference of the unit rows: 2 − 2 cos has no digits left near cos = 1"
OF_ROWS = "take the difference of the rows before any square: ‖a‖² + ‖c‖² − 2 a·c has no digits left near 0"
OF_TRIPLET = "‖a − p‖² − ‖a − n‖² is (n − p)·(2a − p − n), which does not cancel as n nears p [M12]"
ADVICE = {"siglip": SIGMOID, "nce": SIGMOID, "instance_nce": SIGMOID, "byol": SQUARE, "simsiam": SQUARE}
ADVICE |= {"alignment": OF_ROWS, "triplet": OF_TRIPLET}
SOFTMAX = ("infonce", "ntxent", "clip", "cpc", "supcon", "query_key", "instance", "soft_targets")
UNDERFLOW = "take logsumexp less the positive's logit: P underflows to 0, and has no logarithm [S1]"
OVERFLOW = (
    "subtract each row's largest logit before the exponential, or take logsumexp: e^{1/τ} overflows [S1]"
)
OF_SOFTMAX = (
    "write each anchor's loss as softplus(logsumexp of the negatives − the positive), and 1 − P as the sum "
    "of the other probabilities: near 0 a difference of two logarithms has no digits left [S1, S2]"
)


NORMALISED = ("rows_normalised", "rows_normalised_but_the_queue")
# forms of a loss that the library has not
FORMS_ALONE = ("simsiam_of_rows", "byol_of_both", "cpc_of_classes", "nce_of_scores")


class Cell(NamedTuple):
    """One place of the grid · error: the larger relative error of value and gradient · came: the result if no digit
    is right ("NaN", "inf", "0") · explained: the tolerance.
    """

    dtype: str
    temperature: float
    alignment: str
    error: float
    came: str
    explained: float

    @property
    def exact(self) -> bool:
        return self.error <= self.explained

    @property
    def shown(self) -> str:
        """The number of correct decimal digits, or what came."""
        digits = min(-math.log10(max(self.error, 1e-300)), -math.log10(EPS[self.dtype]))
        return self.came or f"{max(0.0, digits):.0f}"


# --- what is right ------------------------------------------------------------------------------------------------


Right = tuple[float, Mapping[str, Any], float]  # value, gradient, and the error of both, absolute


def compute_right(found: Found, arrays: Arrays, numbers: Mapping[str, float]) -> Right:
    """By the library's own loss; by the program if the library has no such form, or refuses."""
    loss, options = found.program.loss, {r.name for r in found.program.rewrites}
    odd = loss in FORMS_ALONE or (loss == "cpc" and options)
    if found.loss in ALL and not odd and options <= {*NORMALISED, "anchors_second", HELD_WEIGHTS}:
        with contextlib.suppress(ValueError):
            return compute_own(found, arrays, numbers, options)
    found.way.note("digits beside the textbook's form, whose own rounding is not counted")
    value, slopes = found.program.value(arrays, numbers), found.program.slopes(arrays, numbers)
    return value, slopes, CANCELS * max(1.0, 1 / abs(numbers.get("temperature", 1.0)))


def compute_own(found: Found, arrays: Arrays, numbers: Mapping[str, float], options: set[str]) -> Right:
    """By the library's own loss: its arrays have the textbook's order, or are both views in one."""
    (loss, _), names = found.program, found.program.arrays
    own = ALL["clip" if loss == "cpc_of_rows" else found.loss]
    at = normalise(arrays) if options & {*NORMALISED} else arrays
    if NORMALISED[1] in options:
        at = {**at, "negatives": arrays["negatives"]}
    if "anchors_second" in options:
        names = names[::-1]
    held = {"weights": "constant"} if HELD_WEIGHTS in options else {}
    known = {**numbers, **held, "no_positives": "zero", "form": loss.partition("_")[2] or "out"}
    known["symmetric"] = loss != "cpc_of_rows"  # which is one direction of clip
    given = [at[n] for n in names]
    if own.batch:
        given = [np.concatenate(given)]
    elif loss.endswith("_of_scores"):  # they are products with unit vectors
        given = [at["scores"], np.eye(len(at["scores"]))]
        known |= {"temperature": 1.0, "bias": 0.0}
    parameters = list(signature(own.forward).parameters)
    known |= zip(parameters, given)
    value, cache = own.forward(**{n: known[n] for n in parameters if n in known})
    by = dict(zip(own.differentiable, own.backward(cache)))
    slopes = {n: by[own_name] for n, own_name in zip(names, parameters) if own_name in by}
    if own.batch:
        slopes = dict(zip(names, np.split(by[parameters[0]], 2)))
    slopes |= send_back(arrays, {n: g for n, g in slopes.items() if at[n] is not arrays[n]})
    return float(value), slopes, 0.0


# --- one place of the grid ----------------------------------------------------------------------------------------


def example(world: str, noise: float, dtype: str, tau: float) -> dict[str, Any]:
    """Pairs of unit rows in three dimensions, the views at that distance from each other, rounded to the dtype."""
    rng = np.random.default_rng(7)
    at = normalise(draw(world, 3, rng, 1.0, 3))
    x, order = normalise({"x": rng.standard_normal((3, 3))})["x"], np.arange(3)
    y = normalise({"y": x + noise * rng.standard_normal(x.shape)})["y"]
    if world == "classes":
        at |= {"w": np.concatenate([x, y]), "labels": np.tile(order, 2)}
    elif world.startswith("scores"):
        cosines = rng.uniform(-1, 0.5, at["scores"].shape)
        if "positive" in at:
            cosines[order, at["positive"]] = (x * y).sum(axis=1)
        at["scores"] = cosines / tau
    elif "bank" in at:
        at["x"], at["bank"][at["index"]] = x, y
    else:
        at |= {n: v for n, v in (("x", x), ("y", y), ("p1", x), ("z2", y), ("p2", y), ("z1", x)) if n in at}
    return {name: round_to(v, dtype) for name, v in at.items()}


def round_to(x: np.ndarray, dtype: str) -> np.ndarray:
    """Round to a dtype, and return float64."""
    if x.dtype.kind != "f":
        return x
    if dtype == "bfloat16":  # the upper half of a float32, rounded
        bits = x.astype(np.float32).view(np.uint32)
        return ((bits + 0x8000) & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(np.float64)
    return x.astype(dtype).astype(np.float64)


def measure_cell(
    way: Stranger, found: Found, dtype: str, tau: float, alignment: str, live: Sequence[str]
) -> Cell:
    """Compare the loss with what is right at one place of the grid. found: its numbers are those for this τ."""
    divides = way.world.startswith("scores") and found.temperature  # the loss itself divides its scores by τ
    arrays = example(way.world, NOISE[alignment], dtype, 1.0 if divides else tau)
    numbers, scale = found.at(arrays), found.scale(arrays)
    explained = SLACK * EPS[dtype] * max(1.0, 1 / abs(numbers.get("temperature", tau)), 1 / tau)

    def cell(error: float, came: str = "") -> Cell:
        return Cell(dtype, tau, alignment, error, came, explained)

    with refusing("the loss"):
        value, slopes, _ = way.ask(arrays, gradient=bool(live))
    if not math.isfinite(value):
        return cell(math.inf, "NaN" if math.isnan(value) else "inf")
    right, exact, doubt = compute_right(found, arrays, numbers)
    exact = way.through_lengths(arrays, exact)
    right, doubt = scale * right + found.shift(arrays), abs(scale) * doubt
    error = max(0.0, abs(value - right) - doubt) / abs(right) if right else 0.0
    if abs(right) < 1e3 * TINY[dtype]:
        error = 0.0  # not a normal number of that dtype, or a sum of subnormal numbers
    elif value == 0 and error > explained:
        return cell(1.0, "0")
    for name in live:
        got, wanted = (slopes or {})[name], scale * exact[name]
        if not np.all(np.isfinite(got)):
            return cell(math.inf, "NaN'")
        size = float(np.max(np.abs(wanted)))
        if size > TINY[dtype]:
            error = max(error, (float(np.max(np.abs(got - wanted))) - doubt) / size)
    return cell(error)


# --- the grid -----------------------------------------------------------------------------------------------------


def list_temperatures(found: Found) -> Iterator[tuple[float, dict[str, float], Found]]:
    """Each τ of the grid at which the loss can be asked, the settings for it, and what is right there: other
    temperatures only if a setting is its temperature, or if scores can be divided by one.
    """
    own = abs(found.temperature or 1.0)
    setting = find_setting(found.way, found.temperature, found.tolerance)
    if found.way.world.startswith("scores") and found.temperature is None:
        yield from ((tau, {}, found) for tau in TEMPERATURES)
        return
    meant = [setting.own, 1 / setting.own] if setting and setting.accepted else []
    near = [k for k, tau in enumerate(meant) if math.isclose(tau, own, rel_tol=1e-5)]
    if not setting or not near:  # no setting is the temperature, or multiplies where it should divide
        yield own, {}, found
        return
    for tau in TEMPERATURES:
        numbers = {**found.numbers, found.tau_name: 1 / tau if found.tau_name == "t" else tau}
        yield tau, {setting.name: setting.value(1 / tau if near[0] else tau)}, found._replace(numbers=numbers)


def asks_one(found: Found) -> bool:
    """Whether no setting is its temperature, so that it is asked at one alone."""
    return len(list(list_temperatures(found))) == 1


def judge(found: Found, live: Sequence[str]) -> tuple[Verdict, list[Cell]]:
    """The verdict, and the grid. live: the arrays whose gradient is right."""
    way = found.way
    if way.way.startswith("likelihoods"):
        return Verdict("none", True, "it takes likelihoods, whose temperature is its caller's"), []
    if found.factor is not None and not found.factor.known:
        return Verdict("none", True, "no formula to hold the digits against"), []
    cells: list[Cell] = []
    raised: dict[tuple[str, str], list[str]] = {}  # the temperatures, by error and dtype
    changed: dict[str, list[str]] = {}  # the temperatures, by what it is there
    for tau, settings, at in list_temperatures(found):
        here = list[Cell]()
        for dtype in DTYPES[way.library]:
            if EPS[dtype] < EPS[way.dtype]:
                continue
            try:
                with refusing("the loss"):
                    asked = way.again(settings, dtype=dtype)
                here += [measure_cell(asked, at, dtype, tau, alignment, live) for alignment in NOISE]
            except Refused as error:  # a dtype, or a temperature in it
                raised.setdefault((str(error), dtype), []).append(f"{tau:g}")
        if here and here[0].dtype == "float64" and settings and OTHER < here[0].error < math.inf:
            floor = find_floor(found, tau, way.again(settings))
            changed.setdefault(floor or UNFITTED, []).append(f"{tau:g}")
            here = [] if floor not in ("", GRADIENT) else here
        cells += here
    verdict = judge_cells(cells, found, live)
    unfit = changed.get(UNFITTED, ())
    lost = [c for c in cells if f"{c.temperature:g}" not in unfit and is_lost(c, found.tolerance)]
    lost = [c for c in lost if measure_precision(way.again(dtype=c.dtype)) in MILD]  # not under autocast
    if lost:
        by_dtype = {c.dtype: [f"{one.temperature:g}" for one in lost if one.dtype == c.dtype] for c in lost}
        where = " and in ".join(f"{dtype} at τ = {', '.join(those)}" for dtype, those in by_dtype.items())
        words = f"another value or gradient in {where}: off by up to {max(c.error for c in lost):.1g}"
        verdict = Verdict("wrong", False, f"{words} for random rows, where every form keeps digits")
    if verdict.holds and changed.keys() - {UNFITTED, GRADIENT}:
        verdict = verdict._replace(word="right, and another loss at other temperatures")
    refused: dict[str, list[str]] = {}
    for (said, dtype), taus in raised.items():
        where = f" at τ = {', '.join(taus)}" if any(c.dtype == dtype for c in cells) else ""
        refused.setdefault(f"{where}: {said}", []).append(dtype)
    told = [verdict.sentence, *(f"it takes no {' and no '.join(of)}{said}" for said, of in refused.items())]
    told += [f"given τ = {', '.join(taus)} {what}" for what, taus in changed.items()]
    return verdict._replace(sentence="; ".join(told)), cells


def is_lost(cell: Cell, tolerance: float) -> bool:
    """Whether more digits are lost than any form of these losses loses there: it has another value or gradient.
    tolerance: of the values; a larger one if a part of the loss is computed in float32."""
    part = cell.dtype if tolerance <= EXACT["float64"] else "float32"
    if cell.came or cell.dtype not in MILD or tolerance > EXACT["float32"]:  # as float16, of too few digits
        return False
    mild = cell.alignment == "apart" and cell.temperature >= 0.999 * MILD[part]
    # a textbook form that cancels loses two digits more than cosines in one rounding explain
    return mild and cell.error > max(OTHER, 100 * cell.explained * EPS[part] / EPS[cell.dtype])


def find_floor(found: Found, tau: float, way: Stranger) -> str:
    """What a loss is that is not the one of this temperature: that of another, as of a floor; "" if it is not."""
    for other, _, at in list_temperatures(found):
        if measure_cell(way, at, "float64", other, "apart", ()).error <= 1e-9:
            return GRADIENT if other == tau else f"it is the loss at τ = {other:g}: not judged there"
    return ""


def judge_cells(cells: Sequence[Cell], found: Found, live: Sequence[str]) -> Verdict:
    """The verdict on the grid; advice only if digits are lost at the loss's own temperature, or warmer."""
    if not cells:
        return Verdict("none", True, "it takes no dtype of the grid")
    own, taus = abs(found.temperature or 1.0), {c.temperature for c in cells}
    what = "" if live else " of the value"
    bad = [c for c in cells if not c.exact]
    if not bad:
        alone = ", asked at its own temperature alone" * bool(found.temperature and len(taus) == 1)
        words = f"every digit{what} that rounding leaves, at {len(cells)} places{alone}"
        return Verdict("exact", True, words)
    nearest = min(taus, key=lambda tau: abs(math.log(tau / own)))
    at_own = [c for c in bad if c.temperature >= min(own, nearest) * 0.999]
    broken = [c for c in bad if c.came in BROKEN]
    told = list[str]()
    for dtype in dict.fromkeys(c.dtype for c in broken or bad):
        first = max((c for c in broken or bad if c.dtype == dtype), key=lambda c: c.temperature)
        came = first.came or f"digits{what} go"
        told.append(f"{dtype}: {came} from τ = {first.temperature:g}, {ALIGNMENTS[first.alignment]}")
    sentence = "; ".join(filter(None, [*told, advise(at_own, found.loss)]))
    if not broken:
        return Verdict("right, and loses digits", True, sentence)
    usual = [c for c in broken if c.temperature >= own * 0.999 and c.dtype in ("float64", "float32")]
    word = "breaks" if usual else "right, and overflows at small temperatures"
    return Verdict(word, not usual, sentence)


def advise(bad: Sequence[Cell], loss: str) -> str:
    """Say in a sentence what to change; "" if nothing."""
    broken = [c.alignment for c in bad if c.came in BROKEN]
    if not bad or loss in ADVICE:
        return ADVICE[loss] if bad else ""
    if broken:  # of aligned views the positive's logit is the largest
        return OVERFLOW if "aligned" in broken else UNDERFLOW
    # for random rows no form loses digits there: it is another small number, or a part in float32
    mild = any(c.alignment == "apart" and c.temperature >= MILD.get(c.dtype, math.inf) for c in bad)
    return OF_SOFTMAX if loss in SOFTMAX and not mild else ""


def describe(cell: Cell) -> Record:
    name = f"numerics {cell.dtype} τ={cell.temperature:g} {cell.alignment}"
    beside = "this library's own loss, or the textbook's form where it has none, in float64"
    return record(name, cell.error, cell.explained, beside, REASON)
