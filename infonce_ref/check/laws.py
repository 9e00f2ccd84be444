"""By which factor a value may differ from the right one, and by which constant: functions of the batch and of τ."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .. import catalogue
from ..catalogue import Factor
from .programs import Program, public_name

# an anchor's candidates are the rows of both views
OF_BOTH = ("infonce", "ntxent", "dcl", "dclw", "hard_negative")
DOUBLED = (*OF_BOTH, "clip", "dhn_nce")  # the rows of both views are anchors
TOTALS = ("instance", "dhn_nce")  # their reduction is a sum
WHOLE = ("uniformity", "barlow_twins", "vicreg")  # not a mean over anchors
NAMES = {"mean_over_b": "mean over B", "times_2_temperature": "times 2τ"}  # as reports have them
FACTORS = tuple(f._replace(name=NAMES.get(f.name, f.name.replace("_", " "))) for f in catalogue.FACTORS)
MEANS = ("sum for mean", "mean over 2b minus 2", "another reduction", "mean twice", "undivided")
MULTIPLES = (  # a factor may be a multiple of one of these
    Factor("constant factor", "the loss", "1"),
    Factor("constant factor", "the sum over the anchors, where the mean belongs", "N"),
    Factor("another reduction", "the mean over all compared pairs", "1 / K"),
    Factor("constant factor", "the mean over the features, where their sum belongs", "1 / d"),
)
MULTIPLES_OF_TOTALS = (
    MULTIPLES[0],
    Factor("constant factor", "the mean over the pairs, where the sum belongs", "1 / B"),
)
CONSTANTS = {  # a constant may be a multiple of one of these; those without a name are shown in digits
    "log B": "log(B)",
    "log 2B": "log(2 * B)",
    "log(B − 1)": "log(B - 1)",
    "log(2B − 1)": "log(2 * B - 1)",
    "log(2B − 2)": "log(2 * B - 2)",
    "log B(B − 1)": "log(B * (B - 1))",
    "log 2B(2B − 1)": "log(2 * B * (2 * B - 1))",
    "c": "log(K)",
    "c + 1": "log(K + 1)",
    "1/B": "1 / B",
    "log τ": "log(temperature)",
}
# of a batch: B pairs, N anchors with K candidates each, d features, the temperature
Facts = Mapping[str, float]


def measure_facts(loss: str, arguments: Mapping[str, Any]) -> Facts:
    """The facts of a batch, given as the arguments of the textbook's function."""
    first = next(iter(arguments.values()))
    pairs = len(first) // (2 if "w" in arguments else 1)
    rows = pairs if loss == "cpc_of_classes" else len(first)
    rows *= 2 if loss.partition("_of_")[0] in DOUBLED else 1
    if "scores" in arguments:
        candidates = first.shape[1]
    elif "negatives" in arguments:
        candidates = 1 + arguments["negatives"].shape[-2]
    elif "bank" in arguments:
        candidates = len(arguments["bank"])
    elif loss in OF_BOTH or "w" in arguments:
        candidates = rows - (loss != "infonce")
    else:
        candidates = len(first)
    tau = arguments.get("temperature", math.nan)
    return {"B": pairs, "N": rows, "K": candidates, "d": first.shape[-1], "temperature": tau}


def show(factor: float) -> str:
    """A factor with six digits; one that rounds to 1, by its difference from 1."""
    shown = f"{factor:.6g}"
    return f"1 {'+' if factor > 1 else '−'} {abs(factor - 1):.2g}" if shown == "1" and factor != 1 else shown


def is_near(a: float, b: float, tolerance: float) -> bool:
    return abs(a - b) <= tolerance * max(abs(a), abs(b)) < math.inf


def measure_error(value: float, right: float) -> float:
    """How far a value is from the right one, relative to one more than its size."""
    return abs(value - right) / (abs(right) + 1)


def match(
    laws: Iterable[Factor], scales: Sequence[float], facts: Sequence[Facts], tolerance: float
) -> Factor | None:
    """The first law that gives the factor at each batch."""
    for law in laws:
        if all(is_near(scale, law.times(**f), tolerance) for scale, f in zip(scales, facts)):
            return law
    return None


def multiply(law: Factor, times: float, sentence: str) -> Factor:
    """The law, multiplied by a number."""
    return Factor(law.name, sentence, f"{float(times)!r} * ({law.formula})")


def find_factor(
    program: Program, scales: Sequence[float], facts: Sequence[Facts], tolerance: float
) -> Factor | None:
    """The law that gives the factor at each batch; None for a factor of 1."""
    if all(abs(s - 1) <= tolerance for s in scales):
        return None
    loss = public_name(program.loss)
    unfit = MEANS if loss in (*WHOLE, *TOTALS) else ("mean for sum",)
    law = match((law for law in FACTORS if law.name not in unfit), scales, facts, tolerance)
    if law is not None:
        plain = law.name in (*MEANS, "sign flipped", "mean for sum", "mean over B")
        return law if plain else law._replace(sentence=f"{show(scales[0])} times the loss: {law.sentence}")
    laws = dict[Factor, float]()
    for one in MULTIPLES_OF_TOTALS if loss in TOTALS else MULTIPLES:
        times = scales[0] / one.times(**facts[0])
        words = one.sentence if is_near(times, 1, 1e-12) else f"{show(times)} times {one.sentence}"
        law = multiply(one, times, words)
        if match([law], scales, facts, tolerance):
            laws[law] = times
    if laws:  # 1/14 of 7 features is 1/(2 d)
        return min(laws, key=lambda law: not is_near(laws[law], float(f"{laws[law]:.3g}"), tolerance))
    words = f"{show(scales[0])} times the loss, and {show(scales[-1])} times at another batch size"
    return Factor("unknown factor", words, "nan")


def find_constant(shifts: Sequence[float], facts: Sequence[Facts], tolerance: float) -> Factor | None:
    """The law that gives the constant at each batch; None for a constant of 0."""
    if all(abs(s) <= tolerance for s in shifts):
        return None
    shown, formula = f"{shifts[0]:+.6g} at B = {facts[0]['B']}", "nan"
    for name, one in {"": "1", **CONSTANTS}.items():
        law = Factor("constant added", name, one)
        sizes = [law.times(**f) for f in facts]
        times = shifts[0] / (sizes[0] or math.nan)
        if all(abs(x) > 1e-12 and abs(s - times * x) <= 2 * tolerance for s, x in zip(shifts, sizes)):
            shown, formula = show_constant(name, times, shifts[0], facts[0]), multiply(law, times, "").formula
            break
    return Factor("constant added", f"differs by a constant, {shown}, which has no gradient", formula)


def show_constant(name: str, times: float, shift: float, facts: Facts) -> str:
    """A constant in words, if it is one or two logarithms; else in digits."""
    sign, count = "−" if times < 0 else "+", round(abs(shift) / math.log(2))
    if not name:
        known = count in (1, 2) and is_near(abs(shift), count * math.log(2), 1e-6)
        return f"{sign}{'2 ' * (count - 1)}log 2" if known else f"{shift:+.6g}"
    if is_near(abs(times), 1, 1e-5) and name.startswith("log"):
        return f"{sign}{name}" + f" (B = {facts['B']})" * ("B" in name)
    return f"{shift:+.6g} at B = {facts['B']}"
