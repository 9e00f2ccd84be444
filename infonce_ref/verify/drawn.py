"""Cases that are drawn, beside the fixed ones: so that no fault can hide between the points that are always tried.

Each quantity is drawn once from each of its strata, and the strata of all are shuffled against one another: that a
range is covered is sure, and where in it the case lies is the seed's.

    temperature   20 strata of equal ratio between 10⁻³ and 10³
    rows          2 … 128 pairs, anchors or queries
    features      2 … 96
    others …      what else the loss's entry says that is to be drawn: the second size, or a hardness
    length        of rows and of scores, 10⁻⁶ … 10⁶; rows used as they come have a temperature in that unit
    ties          none · positives that coincide · the last thing the same as the first
    entries       as they come · all > 0 · some exactly 0
    memory        by rows · by columns · strided
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
from .case import MEMORY, Case, of_kind, squared_lengths
from .identities import scale_free_losses

STRATA = 20
TEMPERATURE, ROWS, FEATURES, LENGTH = (1e-3, 1e3), (2, 128), (2, 96), (1e-6, 1e6)
UPSTREAM, CALLS = (1e-8, 1e8), (2, 12)
MANY_ROWS = 700  # several tiles of `identities.LARGE_TILE`
TIES = ("none", "positives", "none", "twins")
ENTRIES = ("as they come", "all > 0", "as they come", "some 0", "as they come")
LARGEST_ERROR = (
    1e-2  # that rounding may explain: scores larger than that allows teach nothing in a short dtype
)


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
    known = loss.example()
    ranges = {"rows": ROWS, "features": FEATURES, **loss.drawn}
    ranges |= {"temperature": TEMPERATURE} if "temperature" in known else {}
    drawn: dict[str, list[Any]] = {name: strata(rng, *ends) for name, ends in ranges.items()}
    lengths, calls = strata(rng, *LENGTH), strata(rng, *CALLS)
    upstreams = [[sign * x for x in strata(rng, *UPSTREAM)] for sign in (1, -1)]
    ties, entries, memory = (shuffled(rng, kinds) for kinds in (TIES, ENTRIES, tuple(MEMORY)))
    ties[STRATA], drawn["features"][STRATA + 1] = "all", 1
    for number in range(STRATA + 2):
        options = variants(loss)[number % len(variants(loss))]
        draw, noise = int(rng.integers(2**31)), float(10 ** rng.uniform(-3, 0))
        point = options | {name: x[number] for name, x in drawn.items()}
        tie, kind = ties[number], entries[number]
        noise = 0.0 if tie == "positives" else noise
        words = {"noise": f"{noise:.2g}", "seed": draw, **point, "length": f"{lengths[number]:.1g}"}
        words |= {"ties": tie, "entries": kind, "memory": memory[number]}
        arguments = signed(tied(loss, loss.example(draw, noise, **point), tie), kind, draw)
        arguments, unit = stretched(loss, arguments, lengths[number], dtype)
        sizes = [x[number] + 1 for x in drawn.values() if isinstance(x[number], int)]
        yield Case.of(
            loss,
            arguments,
            told(words),
            dtype,
            convert,
            # zeros of one view are not the other's
            noise={"all": 0.0}.get(tie, 1.0 if kind == "some 0" else noise),
            length=unit,
            upstreams=(0.0, *(x[number] for x in upstreams)),
            calls=calls[number],
            memory=memory[number],
            smooth=kind == ENTRIES[0],  # an example stands away from a kink
            work=point["rows"] * math.prod(sizes),
        )
    draw, noise = int(rng.integers(2**31)), float(10 ** rng.uniform(-3, 0))
    point = {"rows": MANY_ROWS, "features": 2}
    label = told({"noise": f"{noise:.2g}", "seed": draw, **point})
    arguments = loss.example(draw, noise, **point)
    yield Case.of(loss, arguments, label, dtype, convert, noise=noise, work=2 * MANY_ROWS**2)


def told(words: Mapping[str, Any]) -> str:
    """The label of a case: what is not told is as usual."""
    usual = {"ties": "none", "entries": ENTRIES[0], "memory": next(iter(MEMORY))}
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
    """The arguments with entries all > 0, or some of them exactly 0, the largest of each row kept."""
    arrays = {name: x for name, x in arguments.items() if is_rows(x)}
    if entries == "all > 0":
        arrays = {name: np.abs(x) for name, x in arrays.items()}
    if entries == "some 0":
        rng = np.random.default_rng(seed)
        sizes = {name: np.abs(x) for name, x in arrays.items()}
        spared = {name: x == np.max(x, axis=-1, keepdims=True) for name, x in sizes.items()}
        arrays = {
            name: np.where(spared[name] | (rng.random(x.shape) > 0.4), x, 0) for name, x in arrays.items()
        }
    return arguments | arrays


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
    squares = {name: length**2 * arguments[name] for name in squared_lengths(loss, arguments)}
    return arguments | changed | squares, length
