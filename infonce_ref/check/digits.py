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
from ..targets import describe_error
from .inputs import draw, normalise
from .naming import Found, find_setting
from .reading import Refused
from .report import ALIGNMENTS, Record, Verdict
from .strangers import Stranger, send_back

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
UNFITTED = "its values fit no formula: its digits are lost, or it is another loss"
REASON = f"{SLACK}·eps·max(1, 1/τ): cosines rounded to eps become logits rounded to eps/τ"
# the arguments of losses by the textbook's names; where it has the name itself, it is that
NAMES = {"image": "x", "prediction": "x", "query": "x", "anchor": "x", "v": "x", "z1": "x"}
NAMES |= {"text": "y", "target": "y", "positive": "y", "z2": "y"}


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
        return not self.came and self.error <= self.explained

    @property
    def shown(self) -> str:
        """The number of correct decimal digits, or what came."""
        digits = min(-math.log10(max(self.error, 1e-300)), -math.log10(EPS[self.dtype]))
        return self.came or f"{max(0.0, digits):.0f}"


class Right(NamedTuple):
    """What is right at a point · doubt: the error of it, absolute."""

    value: float
    slopes: Mapping[str, Any]
    doubt: float = 0.0


def compute_right(found: Found, arrays: Mapping[str, Any], numbers: Mapping[str, float]) -> Right:
    """By the library's own loss, or by the program if the library has no such form, or refuses."""
    with contextlib.suppress(ValueError):
        if (own := compute_own(found, arrays, numbers)) is not None:
            return own
    value, slopes = found.program.value(arrays, numbers), found.program.slopes(arrays, numbers)
    return Right(value, slopes, CANCELS * max(1.0, 1 / abs(numbers.get("temperature", 1.0))))


def compute_own(found: Found, arrays: Mapping[str, Any], numbers: Mapping[str, float]) -> Right | None:
    loss, options = found.program.loss, {r.name.replace("_", " ") for r in found.program.rewrites}
    own = ALL.get(found.loss)
    if own is None or loss == "simsiam_of_rows" or options - {"rows normalised", "anchors second"}:
        return None
    at = normalise(arrays) if "rows normalised" in options else arrays
    x, y = ("y", "x") if "anchors second" in options else ("x", "y")
    tau, known = numbers.get("temperature", 1.0), {**numbers, "no_positives": "zero"}
    if loss == "cpc_of_rows":
        known |= {"scores": at[x] @ at[y].T / tau, "positive": np.arange(len(at[x]))}
    elif loss in ("clip_of_scores", "siglip_of_scores"):
        known |= {"image": at["scores"], "text": np.eye(len(at["scores"])), "temperature": 1.0, "bias": 0.0}
    elif "x" in at:
        known |= {n: at[meant] for n, meant in NAMES.items() if meant in at}
    views = own.differentiable[0] if own.differentiable[0] not in {*known, *at} else ""  # both in one array
    if views:
        known[views] = np.concatenate([at["x"], at["y"]])
    known |= {**at, "form": loss.partition("_")[2] or "out"}
    taken = {n: known[n] for n in signature(own.forward).parameters if known.get(n) is not None}
    value, cache = own.forward(**taken)
    by = dict(zip(own.differentiable, own.backward(cache)))
    slopes = {NAMES.get(n, n) if n not in at else n: g for n, g in by.items() if n not in numbers}
    if loss == "cpc_of_rows":
        slopes = {x: by["scores"] @ at[y] / tau, y: by["scores"].T @ at[x] / tau}
    elif loss.endswith("_of_scores"):
        slopes = {"scores": by["image"]}
    elif views:
        g = by[views]
        slopes = {"x": g[: len(g) // 2], "y": g[len(g) // 2 :]}
    if at is not arrays:
        slopes = {n: send_back(n, arrays[n], g) for n, g in slopes.items()}
    return Right(float(value), slopes)


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
    numbers, place = found.at(arrays), (dtype, tau, alignment)
    explained = SLACK * EPS[dtype] * max(1.0, 1 / abs(numbers.get("temperature", tau)), 1 / tau)
    value, slopes, _ = way.ask(arrays, gradient=bool(live))
    if not math.isfinite(value):
        return Cell(*place, math.inf, "NaN" if math.isnan(value) else "inf", explained)
    scale = found.scale(arrays)
    here = compute_right(found, arrays, numbers)
    right = scale * here.value + found.shift(arrays)
    error = max(0.0, abs(value - right) - abs(scale) * here.doubt) / abs(right) if right else 0.0
    if abs(right) < 1e3 * TINY[dtype]:
        error = 0.0  # not a normal number of that dtype, or a sum of subnormal numbers
    elif value == 0 and error > explained:
        return Cell(*place, 1.0, "0", explained)
    for name in live if slopes else ():
        got, exact = (slopes or {})[name], scale * here.slopes[name]
        if not np.all(np.isfinite(got)):
            return Cell(*place, math.inf, "NaN'", explained)
        size = float(np.max(np.abs(exact)))
        if size > TINY[dtype]:
            off = float(np.max(np.abs(got - exact))) - abs(scale) * here.doubt
            error = max(error, off / size)
    return Cell(*place, error, "", explained)


def judge(found: Found, live: Sequence[str]) -> tuple[Verdict, list[Cell]]:
    """The verdict, and the grid. live: the arrays whose gradient is right."""
    way = found.way
    if way.way.startswith("likelihoods"):
        return Verdict("none", True, "it takes likelihoods, whose temperature is its caller's"), []
    if found.factor is not None and found.factor.name == "unknown factor":
        return Verdict("none", True, "no formula to hold the digits against"), []
    cells: list[Cell] = []
    raised: dict[str, dict[str, list[str]]] = {}  # the error, the dtype, and the temperatures
    changed: dict[str, list[str]] = {}  # what it is at other temperatures
    for tau, settings, at in list_temperatures(found):
        here = list[Cell]()
        for dtype in DTYPES[way.library]:
            if EPS[dtype] < EPS[way.dtype]:
                continue
            try:
                asked = way.given(settings, dtype)
                here += [measure_cell(asked, at, dtype, tau, alignment, live) for alignment in NOISE]
            except Exception as error:  # a dtype, or a temperature in it
                refused = isinstance(error, Refused)
                said = str(error) if refused else f"the loss raises {describe_error(error)}"
                raised.setdefault(said, {}).setdefault(dtype, []).append(f"{tau:g}")
        first = here[0] if here else None
        if first and first.dtype == "float64" and settings and OTHER < first.error < math.inf:
            floor = find_floor(found, tau, way.given(settings))
            changed.setdefault(floor or UNFITTED, []).append(f"{tau:g}")
            here = [] if floor else here
        cells += here
    verdict = judge_cells(cells, found, live)
    if verdict.holds and changed.keys() - {UNFITTED}:
        verdict = verdict._replace(word="right, and another loss at other temperatures")
    told, known = [verdict.sentence], {c.dtype for c in cells}
    for said, dtypes in raised.items():
        places: dict[str, list[str]] = {}
        for dtype, taus in dtypes.items():
            where = f" at τ = {', '.join(taus)}" if dtype in known else ""
            places.setdefault(where, []).append(dtype)
        told += [f"it takes no {' and no '.join(of)}{where}: {said}" for where, of in places.items()]
    told += [f"given τ = {', '.join(taus)} {what}" for what, taus in changed.items()]
    return verdict._replace(sentence="; ".join(told)), cells


def find_floor(found: Found, tau: float, way: Stranger) -> str:
    """What a loss is that is not the one of this temperature: that of another, as of a floor; "" if it is not."""
    for other, _, at in list_temperatures(found):
        if other != tau and measure_cell(way, at, "float64", other, "apart", ()).error <= 1e-9:
            return f"it is the loss at τ = {other:g}: not judged there"
    return ""


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
    name = "temperature" if "temperature" in found.numbers else "t"
    for tau in TEMPERATURES:
        numbers = {**found.numbers, name: tau if name == "temperature" else 1 / tau}
        yield tau, {setting.name: setting.value(1 / tau if near[0] else tau)}, found._replace(numbers=numbers)


def asks_one(found: Found) -> bool:
    """Whether no setting is its temperature, so that it is asked at one alone."""
    return len(list(list_temperatures(found))) == 1


def judge_cells(cells: Sequence[Cell], found: Found, live: Sequence[str]) -> Verdict:
    """The verdict on the grid; advice only if digits are lost at the loss's own temperature, or warmer."""
    if not cells:
        return Verdict("none", True, "it takes no dtype of the grid")
    what = "" if live else " of the value"
    bad = [c for c in cells if not c.exact]
    if not bad:
        one = found.temperature and len({c.temperature for c in cells}) == 1
        alone = ", asked at its own temperature alone" * bool(one)
        return Verdict(
            "exact", True, f"every digit{what} that rounding leaves, at {len(cells)} places{alone}"
        )
    own = abs(found.temperature or 1.0)
    nearest = min({c.temperature for c in cells}, key=lambda tau: abs(math.log(tau / own)))
    at_own = [c for c in bad if c.temperature >= min(own, nearest) * 0.999]
    advice = [told] if (told := advise(at_own, found.loss)) else []
    broken = [c for c in bad if c.came in BROKEN]
    if broken:
        breaks = [c for c in at_own if c in broken and c.dtype in ("float64", "float32")]
        breaks = [c for c in breaks if c.temperature >= own * 0.999]
        word = "breaks" if breaks else "right, and overflows at small temperatures"
        return Verdict(word, not breaks, "; ".join((*starts(broken, ""), *advice)))
    return Verdict("right, and loses digits", True, "; ".join((*starts(bad, what), *advice)))


def starts(bad: Sequence[Cell], what: str) -> Iterator[str]:
    """The highest temperature with this finding, for each dtype."""
    for dtype in dict.fromkeys(c.dtype for c in bad):
        first = max((c for c in bad if c.dtype == dtype), key=lambda c: c.temperature)
        came = first.came or f"digits{what} go"
        yield f"{dtype}: {came} from τ = {first.temperature:g}, {ALIGNMENTS[first.alignment]}"


def advise(bad: Sequence[Cell], loss: str) -> str:
    """Say in a sentence what to change; "" if nothing."""
    broken = [c for c in bad if c.came in BROKEN]
    if not bad:
        return ""
    if loss in ("siglip", "nce", "instance_nce"):
        return "take softplus(x) for log(1 + e^x): e^x overflows, and e^x below eps is lost beside 1 [S1]"
    if broken and not any(
        c.alignment == "aligned" for c in broken
    ):  # there the positive's logit is the largest
        return "take logsumexp less the positive's logit: P underflows to 0, and has no logarithm [S1]"
    if broken:
        return "subtract each row's largest logit before the exponential, or take logsumexp: e^{1/τ} overflows [S1]"
    if loss in ("byol", "simsiam"):
        return "take the squared difference of the unit rows: 2 − 2 cos has no digits left near cos = 1"
    if loss == "alignment":
        return (
            "take the difference of the rows before any square: ‖a‖² + ‖c‖² − 2 a·c has no digits left near 0"
        )
    if loss == "triplet":
        return "‖a − p‖² − ‖a − n‖² is (n − p)·(2a − p − n), which does not cancel as n nears p [M12]"
    if loss in ("infonce", "ntxent", "clip", "cpc", "supcon", "query_key", "instance", "soft_targets"):
        return (
            "write each anchor's loss as softplus(logsumexp of the negatives − the positive), and 1 − P as the sum "
            "of the other probabilities: near 0 a difference of two logarithms has no digits left [S1, S2]"
        )
    return ""


def describe(cell: Cell) -> Record:
    return Record(
        f"numerics {cell.dtype} τ={cell.temperature:g} {cell.alignment}",
        "holds" if cell.exact else "fails",
        cell.error,
        cell.explained,
        "this library's own loss in float64",
        REASON,
    )
