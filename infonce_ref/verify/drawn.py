"""Cases that are drawn, beside the fixed ones: so that no fault can hide between the points that are always tried.

Each quantity is drawn once from each of its strata, and the strata of all are shuffled against one another: that a
range is covered is sure, and where in it the case lies is the seed's.

    temperature   20 strata of equal ratio between 10⁻³ and 10³
    rows          2 … 128 pairs, anchors or queries
    features      2 … 96
    others …      what else the loss's entry says that is to be drawn: the second size, or a hardness
    length        of rows and of scores, 10⁻⁶ … 10⁶; rows used as they come have a temperature in that unit
    noise         of the positives, 10⁻³ … 10
    ties          none · positives that coincide · the last thing the same as the first
    entries       as they come · all > 0 · some exactly 0
    memory        by rows · by columns · strided
    indices       of 64 bits · of 32
    upstream      0, and one of either sign from each of 20 strata between 10⁻⁸ and 10⁸
    calls         of a backward pass, 2 … 12, by turns with another's

Three cases more are out of the way in one thing: all rows the same; a single feature; so many rows that a loss that
streams needs several tiles. In the first two most gradients vanish, so that nothing else could be seen there.

What 23 cases cannot see is a conjunction: a fault that needs one stratum of one quantity *and* one of another is
met with probability 1/20 by any one seed. `--seed` draws others.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle, islice
from typing import Any
from zlib import crc32

import numpy as np

from ..losses import Loss
from .case import MEMORY, Case, of_kind, rescaled
from .identities import scale_free_losses

STRATA = 20
NUMBERS = {
    "rows": (2, 128),
    "features": (2, 96),
    "noise": (1e-3, 10.0),
    "length": (1e-6, 1e6),
    "above": (1e-8, 1e8),  # an upstream > 0
    "below": (1e-8, 1e8),  # and the negative of one
    "calls": (2, 12),
}
TEMPERATURE = (1e-3, 1e3)
KINDS = {
    "ties": ("none", "positives", "none", "twins"),
    "entries": ("as they come", "all > 0", "as they come", "some 0", "as they come"),
    "memory": tuple(MEMORY),
    "indices": ("int64", "int32"),
}
MANY_ROWS = 700  # several tiles of `identities.LARGE_TILE`
# that rounding may explain: scores larger than that allows teach nothing in a short dtype
LARGEST_ERROR = 1e-2


def strata(rng: np.random.Generator, low: float, high: float) -> list[Any]:
    """One number from each of the strata of equal ratio between low and high, in any order, and two from anywhere
    between; whole where both are, from 0 too."""
    places = np.append((rng.permutation(STRATA) + rng.random(STRATA)) / STRATA, rng.random(2))
    if isinstance(low, int):
        low, high = low + 1, high + 2
        return [int(x) - 1 for x in low * (high / low) ** places]
    return [float(x) for x in low * (high / low) ** places]


def shuffled(rng: np.random.Generator, kinds: tuple[str, ...]) -> list[str]:
    """One kind for each number of `strata`, in any order, each as often as it is named."""
    return [str(kind) for kind in rng.permutation(list(islice(cycle(kinds), STRATA + 2)))]


def variants(loss: Loss) -> list[dict[str, Any]]:
    """The defaults, each variant, and all at once."""
    together = {name: x for options in loss.variants for name, x in options.items()}
    return [{}, *loss.variants, *([together] if together and together not in loss.variants else [])]


def cases(loss: Loss, dtype: str, seed: int, convert: Callable = np.asarray) -> Iterator[Case]:
    """Every drawn case of a loss; another seed draws others."""
    rng = np.random.default_rng([seed, crc32(loss.name.encode())])
    options, drawn = variants(loss), quantities(loss, rng)
    for number in range(STRATA + 2):
        here = {name: x[number] for name, x in drawn.items()}
        yield case(loss, here, options[number % len(options)], dtype, convert)
    many = {"rows": MANY_ROWS, "features": 2}
    draw = int(rng.integers(2**31))
    label = told({"seed": draw, **many})
    yield Case.of(loss, loss.example(draw, **many), label, dtype, convert, work=2 * MANY_ROWS**2)


def quantities(loss: Loss, rng: np.random.Generator) -> dict[str, list[Any]]:
    """What is drawn of a loss, by name: of each quantity one for each case."""
    tempered = {"temperature": TEMPERATURE} if "temperature" in loss.example() else {}
    numbers = {name: strata(rng, *ends) for name, ends in {**NUMBERS, **tempered, **loss.drawn}.items()}
    kinds = {name: shuffled(rng, named) for name, named in KINDS.items()}
    kinds["ties"][STRATA], numbers["features"][STRATA + 1] = "all", 1
    return {**numbers, **kinds, "seed": [int(x) for x in rng.integers(2**31, size=STRATA + 2)]}


def case(loss: Loss, here: dict[str, Any], options: dict[str, Any], dtype: str, convert: Callable) -> Case:
    """One case, of these quantities."""
    own = {"rows", "features", "temperature", *loss.drawn} - {"noise", "length"}  # of the example, by name
    point = options | {name: x for name, x in here.items() if name in own}
    noise = 0.0 if here["ties"] == "positives" else here["noise"]
    example = loss.example(here["seed"], noise, **point)
    arguments = signed(tied(loss, example, here["ties"]), here["entries"], here["seed"])
    arguments |= {name: varied(arguments[name], example[name]) for name in loss.varying}
    arguments |= {name: distributed(arguments[name]) for name in of_kind(loss, "distribution")}
    arguments |= {name: distributed(arguments[name], axis=None) for name in of_kind(loss, "law")}
    arguments, unit = stretched(loss, arguments, here["length"], dtype)
    indexed = [name for name, x in arguments.items() if isinstance(x, np.ndarray) and not is_rows(x)]
    arguments |= {name: arguments[name].astype(here["indices"]) for name in indexed}
    words = {"noise": f"{noise:.2g}", "seed": here["seed"], **point, "length": f"{here['length']:.1g}"}
    words |= {name: here[name] for name in KINDS if name != "indices" or indexed}
    sizes = [x + 1 for x in point.values() if isinstance(x, int)]
    return Case.of(
        loss,
        arguments,
        told(words),
        dtype,
        convert,
        # zeros of one view are not the other's
        noise={"all": 0.0}.get(here["ties"], 1.0 if here["entries"] == "some 0" else noise),
        length=unit,
        upstreams=(0.0, here["above"], -here["below"]),
        calls=here["calls"],
        memory=here["memory"],
        # an example stands away from a kink, but where a hinge is on a column, of which two rows are made the same
        smooth=here["entries"] == KINDS["entries"][0]
        and not (here["ties"] == "twins" and of_kind(loss, "length")),
        work=point["rows"] * math.prod(sizes),
    )


def told(words: Mapping[str, Any]) -> str:
    """The label of a case: what is not told is as usual."""
    usual = {name: kinds[0] for name, kinds in KINDS.items()}
    said = (
        f"{k} {x:.3g}" if isinstance(x, float) else f"{k} {x}" for k, x in words.items() if x != usual.get(k)
    )
    return "drawn: " + ", ".join(said)


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


def signed(arguments: dict[str, Any], entries: str, seed: int) -> dict[str, Any]:
    """The arguments with entries all > 0, or some of them exactly 0: the same ones in arrays of one shape."""
    arrays = {name: x for name, x in arguments.items() if is_rows(x)}
    if entries == "all > 0":
        return arguments | {name: np.abs(x) for name, x in arrays.items()}
    if entries == "some 0":
        return arguments | {name: np.where(kept(x.shape, seed), x, 0) for name, x in arrays.items()}
    return arguments


def varied(x: np.ndarray, before: np.ndarray) -> np.ndarray:
    """The columns that are not constant, and the others as they were before."""
    return np.where(np.ptp(x, axis=0) > 0, x, before)


def distributed(x: np.ndarray, axis: int | None = -1) -> np.ndarray:
    """The sizes of the entries as shares of their row, or of all; equal ones where all are 0."""
    total = np.sum(np.abs(x), axis=axis, keepdims=True)
    equal = np.full(x.shape, total.size / x.size)
    return np.divide(np.abs(x), total, out=equal, where=total > 0)


def kept(shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Which entries stay: three of five, and at least one of each row."""
    chance = np.random.default_rng(seed).random(shape)
    return (chance > 0.4) | (chance == np.max(chance, axis=-1, keepdims=True))


def stretched(
    loss: Loss, arguments: dict[str, Any], length: float, dtype: str
) -> tuple[dict[str, Any], float]:
    """The arguments with rows of another length, and what that length means to the logits: nothing where the loss
    takes directions alone, a unit where rows count as they come; scores are the logits themselves."""
    scores = of_kind(loss, "score")
    if scores:
        most = max(float(np.max(np.abs(arguments[name]))) for name in scores)
        allowed = LARGEST_ERROR / (64 * float(np.finfo(dtype).eps))
        factor = min(length, allowed) / most
        return arguments | {name: factor * arguments[name] for name in scores}, 1.0
    changed = {name: length * x for name, x in arguments.items() if is_rows(x)}
    if loss.name in scale_free_losses():
        return arguments | changed, 1.0
    return arguments | changed | rescaled(loss, arguments, length), length
