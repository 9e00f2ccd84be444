"""Cases that are drawn, beside the fixed ones: so that no fault can hide between the points that are always tried.

Each quantity is drawn once from each of its strata, and the strata of all are shuffled against one another: that a
range is covered is sure, and where in it the case lies is the seed's.

    temperature   20 strata of equal ratio between 10⁻³ and 10³
    rows          2 … 128 pairs, anchors or queries, and once so many that a loss that streams needs several tiles
    features      1 … 96, a single feature once
    length        of rows and of scores, 10⁻⁶ … 10⁶; rows used as they come have a temperature in that unit
    ties          none · positives that coincide · the last thing the same as the first · all rows the same
    upstream      one negative, one tiny, one large for each case
"""

from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any
from zlib import crc32

import numpy as np

from ..losses import Loss
from .case import SQUARES, Case
from .identities import scale_free_losses

STRATA = 20
TEMPERATURE, ROWS, FEATURES, LENGTH = (1e-3, 1e3), (2, 129), (1, 97), (1e-6, 1e6)
MANY_ROWS = 700  # several tiles of `identities.LARGE_TILE`
TIES = ("none", "positives", "twins", "none", "all")
LARGEST_ERROR = (
    1e-2  # that rounding may explain: scores larger than that allows teach nothing in a short dtype
)


def strata(rng: np.random.Generator, low: float, high: float) -> np.ndarray:
    """One number from each of the strata of equal ratio between low and high, in any order."""
    return low * (high / low) ** ((rng.permutation(STRATA) + rng.random(STRATA)) / STRATA)


def variants(loss: Loss) -> list[dict[str, Any]]:
    """The defaults, each variant, and all at once."""
    together = {name: x for options in loss.variants for name, x in options.items()}
    return [{}, *loss.variants, *([together] if together and together not in loss.variants else [])]


def cases(loss: Loss, dtype: str, seed: int, convert: Callable = np.asarray) -> Iterator[Case]:
    """Every drawn case of a loss; another seed draws others."""
    rng = np.random.default_rng([seed, crc32(loss.name.encode())])
    ties = rng.permutation([tie for tie, _ in zip(cycle(TIES), range(STRATA))])
    rows = [*strata(rng, *ROWS).astype(int), MANY_ROWS]
    features = [*strata(rng, *FEATURES).astype(int), 2]
    temperatures, lengths = ([*strata(rng, *ends), 1.0] for ends in (TEMPERATURE, LENGTH))
    for number, tie in enumerate([*ties, "none"]):
        point = {"rows": int(rows[number]), "features": int(features[number])}
        options = variants(loss)[number % len(variants(loss))]
        draw = int(rng.integers(2**31))
        noise = 0.0 if tie == "positives" else float(10 ** rng.uniform(-3, 0))
        tempered = {"temperature": float(temperatures[number])} if "temperature" in loss.example() else {}
        arguments = tied(loss, loss.example(draw, noise, **point, **options, **tempered), tie)
        arguments, length = stretched(loss, arguments, float(lengths[number]), dtype)
        words = {"noise": f"{noise:.2g}", "seed": draw, **point, **options}
        words |= {"temperature": f"{arguments['temperature']:.3g}"} if tempered else {}
        words |= {"length": f"{lengths[number]:.1g}"} | ({} if tie == "none" else {"ties": tie})
        label = "drawn: " + ", ".join(f"{k} {v}" for k, v in words.items())
        factors = rng.uniform(1, 10, 3) * (-1, 1e-5, 1e3)
        more = {
            "noise": 0.0 if tie == "all" else noise,
            "length": length,
            "upstreams": tuple(map(float, factors)),
        }
        yield Case.of(loss, arguments, label, dtype, convert, **more)


def is_rows(x: Any) -> bool:
    """Whether an argument is an array of numbers that the loss compares."""
    return isinstance(x, np.ndarray) and x.dtype.kind == "f"


def tied(loss: Loss, arguments: dict[str, Any], tie: str) -> dict[str, Any]:
    """The arguments with rows that coincide."""
    arrays = {name: np.array(x) for name, x in arguments.items() if is_rows(x)}
    for x in arrays.values():
        if tie == "twins":
            x[-1] = x[0]
        elif tie == "all":
            x[:] = (
                arrays[loss.differentiable[0]][0] if x.ndim == arrays[loss.differentiable[0]].ndim else x[:1]
            )
    return arguments | arrays


def stretched(
    loss: Loss, arguments: dict[str, Any], length: float, dtype: str
) -> tuple[dict[str, Any], float]:
    """The arguments with rows of another length, and what that length means to the logits: nothing where the loss
    takes directions alone, a unit where rows count as they come; scores are the logits themselves."""
    scores = [name for name in arguments if name.endswith("scores")]
    if scores:
        most = max(float(np.max(np.abs(arguments[name]))) for name in scores)
        allowed = LARGEST_ERROR / (64 * float(np.finfo(dtype).eps))
        factor = min(length, allowed) / most
        return arguments | {name: factor * arguments[name] for name in scores}, 1.0
    changed = {name: length * x for name, x in arguments.items() if is_rows(x)}
    if loss.name in scale_free_losses():
        return arguments | changed, 1.0
    squares = {name: length**2 * arguments[name] for name in SQUARES if name in arguments}
    return arguments | changed | squares, length
