"""Constant factors by which a wrong value or gradient may differ from the right one."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

Facts = Mapping[str, float]  # the number of rows and of features of a batch, and its temperature


class Factor(NamedTuple):
    """A multiple of the right value: name · sentence · times, a function of the batch's facts that returns
    it.
    """

    name: str
    sentence: str
    times: Callable[[Facts], float]


FACTORS = (
    Factor("sign flipped", "the sign is flipped", lambda f: -1.0),
    Factor("zero", "it is 0 everywhere: nothing is trained", lambda f: 0.0),
    Factor("sum for mean", "the sum over the rows, where the mean belongs", lambda f: f["rows"]),
    Factor("mean for sum", "the mean over the rows, where the sum belongs", lambda f: 1 / f["rows"]),
    Factor("twice", "twice what is right", lambda f: 2.0),
    Factor("half", "half of what is right", lambda f: 0.5),
    Factor("times temperature", "multiplied by the temperature", lambda f: f["temperature"]),
    Factor("over temperature", "divided by the temperature once more", lambda f: 1 / f["temperature"]),
    Factor(
        "undivided",
        "neither divided by the number of rows nor by the temperature",
        lambda f: f["rows"] * f["temperature"],
    ),
    Factor(
        "base temperature",
        "multiplied by τ over a temperature that stays at 0.07",
        lambda f: f["temperature"] / 0.07,
    ),
    Factor(
        "mean over 2b minus 2",
        "the sum over 2B rows is divided by 2(B − 1)",
        lambda f: f["rows"] / (f["rows"] - 2) if f["rows"] > 2 else math.nan,
    ),
    Factor("mean twice", "divided by the number of rows twice", lambda f: 1 / f["rows"]),
    Factor("bits", "in bits, where nats belong: the logarithm is to base 2", lambda f: 1 / math.log(2)),
    Factor("base 10", "the logarithm is to base 10, where nats belong", lambda f: 1 / math.log(10)),
    Factor(
        "mean over features",
        "the mean over the features, where their sum belongs",
        lambda f: 1 / f["features"],
    ),
)
UNFIT = {  # key: the reduction of the right loss
    "mean": ("mean for sum",),
    "sum": ("sum for mean", "undivided", "mean twice", "mean over 2b minus 2"),
    "none": ("sum for mean", "mean for sum", "mean twice"),
}
OF_TEMPERATURE = ("times temperature", "over temperature", "base temperature", "undivided")


def show(factor: float) -> str:
    """Format a factor with six digits; one that rounds to 1, by its difference from 1."""
    shown = f"{factor:.6g}"
    return f"1 {'+' if factor > 1 else '−'} {abs(factor - 1):.2g}" if shown == "1" and factor != 1 else shown


def list_factors(reduction: str, batches: Sequence[Facts]) -> list[Factor]:
    """The factors that can be a mistake of a loss with that reduction: those of the temperature only if it has one,
    those of the features only if it takes rows."""
    unfit = set(UNFIT[reduction])
    if any("temperature" not in facts for facts in batches):
        unfit |= set(OF_TEMPERATURE)
    if any("features" not in facts for facts in batches):
        unfit |= {"mean over features"}
    return [factor for factor in FACTORS if factor.name not in unfit]
