"""By which factor a value may differ from the right one, and by which constant: functions of the batch and of τ."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from .. import catalogue
from ..catalogue import Factor
from .programs import Program, public_name

DOUBLED = (
    "infonce",
    "ntxent",
    "dcl",
    "dclw",
    "hard_negative",
    "clip",
    "dhn_nce",
)  # rows of both views are anchors
TOTALS = ("instance", "dhn_nce")  # their reduction is a sum
WHOLE = ("uniformity", "barlow_twins", "vicreg")  # not a mean over anchors


class Facts(NamedTuple):
    """Of a batch: the pairs · the anchors · the candidates of each · the features · the temperature."""

    pairs: int
    rows: int
    candidates: int
    features: int
    tau: float


class Law(NamedTuple):
    """A factor or a constant: name · sentence · at: its value for a batch."""

    name: str
    sentence: str
    at: Callable[[Facts], float]


def measure_facts(program: Program, pairs: int, arrays: Mapping[str, Any], tau: float) -> Facts:
    first = next(iter(arrays.values()))
    rows = len(first) * (2 if program.loss.partition("_of_")[0] in DOUBLED else 1)
    rows //= 2 if program.loss == "cpc_of_classes" else 1
    if "scores" in arrays:
        candidates = first.shape[1]
    elif "negatives" in arrays:
        candidates = 1 + arrays["negatives"].shape[-2]
    elif "bank" in arrays:
        candidates = len(arrays["bank"])
    else:
        doubled = program.loss in ("infonce", "ntxent", "dcl", "dclw", "hard_negative")
        candidates = rows - (program.loss != "infonce") if doubled or "w" in arrays else len(first)
    return Facts(pairs, rows, candidates, first.shape[-1], tau)


def make_law(factor: Factor) -> Law:
    def at(f: Facts) -> float:
        return factor.times(B=f.pairs, N=f.rows, K=f.candidates, d=f.features, temperature=f.tau)

    return Law(NAMES.get(factor.name, factor.name.replace("_", " ")), factor.sentence, at)


NAMES = {"mean_over_b": "mean over B", "times_2_temperature": "times 2τ"}  # as reports have them
FACTORS = tuple(map(make_law, catalogue.FACTORS))
MEANS = ("sum for mean", "mean over 2b minus 2", "another reduction", "mean twice", "undivided")
CONSTANTS: Mapping[str, Callable[[Facts], float]] = {  # a constant may be a multiple of one of these
    "": lambda f: 1.0,
    "log B": lambda f: math.log(f.pairs),
    "log 2B": lambda f: math.log(2 * f.pairs),
    "log(B − 1)": lambda f: math.log(f.pairs - 1),
    "log(2B − 1)": lambda f: math.log(2 * f.pairs - 1),
    "log(2B − 2)": lambda f: math.log(2 * f.pairs - 2),
    "log B²": lambda f: 2 * math.log(f.pairs),
    "log B(B − 1)": lambda f: math.log(f.pairs * (f.pairs - 1)),
    "log 2B(2B − 1)": lambda f: math.log(2 * f.pairs * (2 * f.pairs - 1)),
    "log c": lambda f: math.log(f.candidates),
    "log(c + 1)": lambda f: math.log(f.candidates + 1),
    "1/B": lambda f: 1 / f.pairs,
    "log τ": lambda f: math.log(f.tau) if f.tau == f.tau else math.nan,
}


def show(factor: float) -> str:
    """A factor with six digits; one that rounds to 1, by its difference from 1."""
    shown = f"{factor:.6g}"
    return f"1 {'+' if factor > 1 else '−'} {abs(factor - 1):.2g}" if shown == "1" and factor != 1 else shown


def find_factor(
    program: Program, scales: Sequence[float], facts: Sequence[Facts], tolerance: float
) -> Law | None:
    """The law that gives the factor at each batch; None for a factor of 1."""
    if all(abs(s - 1) <= tolerance for s in scales):
        return None
    whole, total = public_name(program.loss) in WHOLE, public_name(program.loss) in TOTALS
    for law in FACTORS:
        unfit = law.name in MEANS if total or whole else law.name == "mean for sum"
        if not unfit and all(is_near(s, law.at(f), tolerance) for s, f in zip(scales, facts)):
            factor = scales[0]
            words = law.sentence
            if law.name not in (*MEANS, "sign flipped", "mean for sum", "mean over B"):
                words = f"{show(factor)} times the loss: {words}"
            return law._replace(sentence=words)
    if all(is_near(s, scales[0], tolerance) for s in scales):
        factor = scales[0]
        return Law("constant factor", f"{show(factor)} times the loss", lambda f: factor)
    share = scales[0] / facts[0].rows  # a constant times a law
    if not total and all(is_near(s, share * f.rows, tolerance) for s, f in zip(scales, facts)):
        words = f"{show(share)} times the sum over the anchors, where the mean belongs"
        return Law("constant factor", words, lambda f: share * f.rows)
    share = scales[0] * facts[0].candidates
    if not total and all(is_near(s, share / f.candidates, tolerance) for s, f in zip(scales, facts)):
        words = f"{show(share)} times the mean over all compared pairs"
        return Law("another reduction", words, lambda f: share / f.candidates)
    return Law(
        "unknown factor",
        f"{show(scales[0])} times the loss, and {show(scales[-1])} times at another batch size",
        lambda f: math.nan,
    )


def find_constant(shifts: Sequence[float], facts: Sequence[Facts], tolerance: float) -> Law | None:
    """The law that gives the constant at each batch; None for a constant of 0."""
    if all(abs(s) <= tolerance for s in shifts):
        return None
    for name, law in CONSTANTS.items():
        if not all(abs(law(f)) > 1e-12 for f in facts):
            continue
        times = shifts[0] / law(facts[0])
        if all(abs(s - times * law(f)) <= 2 * tolerance for s, f in zip(shifts, facts)):
            shown = show_constant(name, times, shifts[0], facts[0])
            return make_constant(shown, partial(multiply, times, law))
    return make_constant(f"{shifts[0]:+.6g} at B = {facts[0].pairs}", lambda f: math.nan)


def multiply(times: float, law: Callable[[Facts], float], facts: Facts) -> float:
    return times * law(facts)


def make_constant(shown: str, at: Callable[[Facts], float]) -> Law:
    return Law("constant added", f"differs by a constant, {shown}, which has no gradient", at)


def show_constant(name: str, times: float, shift: float, facts: Facts) -> str:
    sign = "−" if times < 0 else "+"
    if not name:
        k = abs(shift) / math.log(2)
        known = next((n for n in (1, 2) if abs(k - n) < 2e-6), 0)
        return f"{sign}{'2 ' * (known - 1)}log 2" if known else f"{shift:+.6g}"
    if abs(abs(times) - 1) < 1e-5 and name.startswith("log") and "c" not in name:
        return f"{sign}{name}" + f" (B = {facts.pairs})" * ("B" in name)
    return f"{shift:+.6g} at B = {facts.pairs}"


def is_near(a: float, b: float, tolerance: float) -> bool:
    return abs(a - b) <= tolerance * max(abs(a), abs(b))
