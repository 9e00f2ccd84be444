"""Random cases, besides the fixed ones, so that a fault between the fixed points is found too. The tables say what
is drawn. Each quantity takes every value listed, and others at an equal ratio all over its range, from a random
start. Its values are shuffled independently of the other quantities' (a Latin hypercube), so the seed decides what
meets what; float32 and float64 have cases of their own.

`cases` are few, and every law is checked; `brief_cases` are closer together, and only one pass is compared with the
textbook's form; `large_cases` have many rows.

Limitation: a fault that needs one value of one quantity *and* one of another is met with probability 1/20, or 1/60,
by any one seed and dtype. `--seed` draws others.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, combinations
from typing import Any
from zlib import crc32

import numpy as np

from ..losses import Loss
from .case import MEMORY, NUMBERS, Case, list_of_kind, rescale
from .laws import is_scale_free

# --- what an array is filled with ---------------------------------------------------------------------------------


def largest(x: np.ndarray) -> np.ndarray:
    """Mask the largest entry of each row."""
    return np.arange(x.shape[-1]) == np.argmax(np.abs(x), axis=-1)[..., None]


def signs(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0, -1.0, 1.0)


def some_zero(x: np.ndarray) -> np.ndarray:
    """Set two of five entries to 0, the same ones in arrays of one shape, and not a whole row."""
    chance = np.random.default_rng(x.shape).random(x.shape)
    return np.where((chance > 0.4) | (chance == np.max(chance, axis=-1, keepdims=True)), x, 0)


def integers(x: np.ndarray) -> np.ndarray:
    whole = np.round(2 * x / np.std(x)) if np.std(x) else signs(x)
    return np.where(largest(x) & (whole == 0), signs(x), whole)  # no row is 0


Kinds = dict[str, Callable[[np.ndarray], np.ndarray]]
USUALLY = "as they come"
CONTENTS: Kinds = {
    USUALLY: np.array,
    "all > 0": np.abs,
    "some 0": some_zero,
    # of another length than before
    "of length 1": lambda x: x / np.linalg.norm(x, axis=-1, keepdims=True),
    "one-hot": lambda x: np.where(largest(x), signs(x), 0.0),
    "of 0.28 and 0.96": lambda x: (  # of length 1, exactly
        signs(x) * np.where(largest(x), 0.96, np.where(np.roll(largest(x), 1, axis=-1), 0.28, 0.0))
    ),
    "integers": integers,
    "of mean 0": lambda x: x - np.mean(x, axis=max(0, x.ndim - 2), keepdims=True),
    "of one size": lambda x: signs(x) / math.sqrt(x.shape[-1]),
}
LABELS: Kinds = {
    USUALLY: np.array,
    "all but one": lambda y: np.where(np.arange(len(y)) < len(y) - 1, 3, 5),
    "large": lambda y: 2**62 + 3 * y,
    "negative": lambda y: -(2**62) - 3 * y,
    "two": lambda y: np.arange(len(y)) % 2,
    "32 bits, large": lambda y: (2**31 - 2 - y).astype(np.int32),
    "one class": lambda y: np.full_like(y, 7),
}

# --- what is drawn ------------------------------------------------------------------------------------------------

# by quantity, values; the last may be a range, from low to high, of integers if both ends are
Table = dict[str, list[Any]]

CASES = 20
EVERY: Table = {  # and what the loss declares as `drawn`: the second size, or a hardness
    "rows": [(2, 128)],  # pairs, anchors or queries
    "features": [(2, 96)],
    "temperature": [(1e-3, 1e3)],  # of rows that are not normalised in units of their squared length
    "noise": [(1e-3, 10.0)],  # of the positives
    "length": [(1e-6, 1e6)],  # of rows and of scores
    "above": [(1e-8, 1e8)],  # a positive upstream
    "below": [(1e-8, 1e8)],  # a negative upstream, by its absolute value
    "calls": [(2, 12)],  # of the backward pass, alternating with another loss's
    "ties": ["none", "positives", "none", "twins"],  # the last thing is the same as the first
    "contents": [USUALLY, "all > 0", USUALLY, "some 0", USUALLY],
    "memory": [*MEMORY],
    "indices": ["int64", "int32"],
}
# most gradients vanish, so these test nothing else
UNUSUAL: tuple[dict[str, Any], ...] = ({"ties": "all"}, {"ties": "none", "features": 1})

BRIEF_CASES = 60
SMALL = (2, 12)
WIDE: Table = {  # a half of the brief cases: common widths with their neighbours, primes and odd numbers
    "rows": [SMALL],
    "features": [
        *(16, 32, 64, 96, 100, 127, 128, 192, 256, 257, 300, 320, 384, 512, 521, 640, 768, 1000, 1024),
        (97, 1024),
    ],
}
TALL: Table = {  # the other half
    "rows": [8, 16, 31, 32, 48, 64, 74, 96, 100, 127, 128, 192, 250, 256, (2, 250)],
    "features": [SMALL],
}
LOGITS = (0.3, 300.0)
BRIEF: Table = {  # and each value that the loss declares as `tried`, and its range
    "temperature": [1.0, 1, 2, 0.07, 0.05, 0.1, 0.2, 2e3, 9e3, 4e4, 2e5, 8e5, (0.01, 1.0)],
    "noise": EVERY["noise"],
    "contents": [*CONTENTS],
    "memory": [*MEMORY][:-1],
    "numbers": [*NUMBERS],
    "labels": [*LABELS][:-1],
    "indices": EVERY["indices"],
}
FLAT = 5  # extra cases with strides of 0, or of one class, some of whose gradients are 0

# large cases: rows, features; several tiles of `contract.LARGE_TILE`
LARGE: dict[str, list[tuple[Any, int]]] = {"float32": [((310, 400), 2), (512, 3)]}
LARGE["float64"] = [*LARGE["float32"], (300, 128), (1000, 2)]
# what a case has unless it says otherwise; a label does not say it
USUAL: dict[str, Any] = {"noise": 1.0, "above": 4.0, "below": 4.0, "calls": 2, "ties": "none", "options": {}}
USUAL |= {"contents": USUALLY, "memory": "by rows", "indices": "int64", "numbers": "float", "labels": USUALLY}
# the largest tolerance; with larger scores, checks in a short dtype would accept anything
LARGEST_ERROR = 1e-2


def draw(rng: np.random.Generator, table: Table, count: int) -> list[dict[str, Any]]:
    """Draw the quantities of so many cases, a Latin hypercube."""
    strata = rng.permuted(np.tile(np.arange(count), (len(table), 1)), axis=1) + rng.random((len(table), 1))
    return [
        {name: choose(table[name], place, count) for name, place in zip(table, places)} | draw_seed(rng)
        for places in strata.T
    ]


def choose(values: list[Any], place: float, count: int) -> Any:
    """Return the value at a place of 0 … count: those listed come first, then the range, or they come again."""
    *listed, last = values
    if not isinstance(last, tuple):
        return values[int(place) % len(values)]
    if place < len(listed):
        return listed[int(place)]
    (low, high), share = last, (place - len(listed)) / (count - len(listed))
    if isinstance(low, int):  # also from 0
        return int((low + 1) * ((high + 2) / (low + 1)) ** share) - 1
    return float(low * (high / low) ** share)


def draw_seed(rng: np.random.Generator) -> dict[str, int]:
    return {"seed": int(rng.integers(2**31))}


NOTHING = "no_positives"  # not with all others: all is 0 then


def variants(loss: Loss) -> list[dict[str, Any]]:
    """Return the options of the defaults, of each variant, and of all variants combined."""
    together = {name: x for options in loss.variants for name, x in options.items() if name != NOTHING}
    return [{}, *loss.variants, *([together] if together and together not in loss.variants else [])]


def pairs_of_variants(loss: Loss) -> list[dict[str, Any]]:
    """Return `variants`, and each two of them that set different options: two may be right, and wrong together."""
    alone = variants(loss)
    both = [a | b for a, b in combinations(loss.variants, 2) if not a.keys() & b.keys()]
    return alone + [options for options in both if options not in alone]


def restrict(loss: Loss, table: Table) -> Table:
    """Keep the quantities that the loss has."""
    given = loss.example()
    absent = {"temperature": "temperature" not in given, "labels": not list_of_kind(loss, "label")}
    absent |= {"indices": not any(is_array(x, "i") for x in given.values())}
    return {name: values for name, values in table.items() if not absent.get(name)}


def start(loss: Loss, dtype: str, *numbers: int) -> np.random.Generator:
    return np.random.default_rng([crc32(f"{loss.name} {dtype}".encode()), *numbers])


def cases(loss: Loss, dtype: str, seed: int, convert: Callable = np.asarray) -> Iterator[Case]:
    """Yield every drawn case of a loss; another seed draws others."""
    rng = start(loss, dtype, seed, 0)
    own: Table = {name: [ends] for name, ends in loss.drawn.items()}
    chosen = draw(rng, restrict(loss, EVERY | own | {"options": variants(loss)}), CASES)
    for here in chosen + vary(rng, chosen, UNUSUAL):
        yield make_case(loss, here, dtype, convert)


def brief_cases(loss: Loss, dtype: str, seed: int, convert: Callable = np.asarray) -> Iterator[Case]:
    """Yield closely spaced cases, with every width, kind of call, kind of content, and pair of options."""
    rng = start(loss, dtype, seed, 1)
    own: Table = {name: [ends] for name, ends in loss.drawn.items()}
    for name, values in loss.tried.items():
        if isinstance(loss.drawn.get(name, (0.0,))[0], float):  # else a number of candidates, tried below
            own[name] = [*values, *own.get(name, [loss.example()[name]])]
    if list_of_kind(loss, "score"):
        low, high = loss.drawn.get("length", LOGITS)
        own["length"] = [(max(low, LOGITS[0]), min(high, LOGITS[1]))]
    table = restrict(loss, BRIEF | own | {"options": pairs_of_variants(loss)})
    halves = (draw(rng, half, BRIEF_CASES // 2) for half in (WIDE, TALL))
    sizes = chain.from_iterable(zip(*halves))
    chosen = [size | rest for size, rest in zip(sizes, draw(rng, table, BRIEF_CASES))]
    if loss.varying:  # all columns of two rows are parallel: with a weight of 0 nothing is left but rounding
        chosen = [here | {"rows": max(3, here["rows"])} for here in chosen]
    plain = {"contents": USUALLY}
    changes: list[dict[str, Any]] = [plain | {"memory": "broadcast", "ties": "one input"}] * FLAT
    changes += [{"labels": "one class"}] * FLAT * ("labels" in table)
    few = plain | {"rows": 3, "features": 3, "noise": 1.0}
    changes += [few | {name: x} for name, values in loss.tried.items() for x in values]
    # options that are tried at the same values, at the same one
    same = {values: [n for n, x in loss.tried.items() if x == values] for values in loss.tried.values()}
    changes += [few | dict.fromkeys(n, x) for values, n in same.items() if len(n) > 1 for x in values]
    for here in chosen + vary(rng, chosen, changes):
        yield make_case(loss, here, dtype, convert)


def large_cases(loss: Loss, dtype: str, seed: int, convert: Callable = np.asarray) -> Iterator[Case]:
    """Yield cases of many rows, with the defaults."""
    rng = start(loss, dtype, seed, 2)
    for rows, features in LARGE[dtype]:
        pairs = count_pairs(loss, choose([rows], rng.random(), 1))
        yield make_case(loss, {"rows": pairs, "features": features} | draw_seed(rng), dtype, convert)


def vary(
    rng: np.random.Generator, chosen: list[dict[str, Any]], changes: Iterable[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Apply these changes to the first cases, with other seeds."""
    return [here | change | draw_seed(rng) for here, change in zip(chosen, changes)]


def count_pairs(loss: Loss, rows: int) -> int:
    """Return how many pairs have about this many rows: half as many if both rows of a pair are in one array."""
    return rows * 3 // len(loss.example(rows=3)[loss.differentiable[0]])


# --- making a case ------------------------------------------------------------------------------------------------


def make_case(loss: Loss, here: dict[str, Any], dtype: str, convert: Callable) -> Case:
    """Make the case of these quantities; what is not given is as usual."""
    here = USUAL | here
    of_example = {"rows", "features", "temperature", *loss.drawn, *loss.tried} - {"noise", "length"}
    point = here["options"] | {name: x for name, x in here.items() if name in of_example}
    ties, contents = here["ties"], here["contents"]
    noise = 0.0 if ties == "positives" else here["noise"]
    example = loss.example(here["seed"], noise, **point)
    arguments = tie_rows(loss, example, ties)
    arguments |= {name: CONTENTS[contents](arguments[name]) for name in list_rows(loss, example)}
    for name in loss.varying:  # no column is constant
        x = arguments[name]
        arguments[name] = np.where(np.ptp(x, axis=0) > 0, x, example[name])
    if contents in [*CONTENTS][:3] and "length" in here:
        arguments = stretch(loss, arguments, here["length"], dtype)
    arguments |= {name: x.astype(here["indices"]) for name, x in arguments.items() if is_array(x, "i")}
    if here["labels"] != USUALLY:
        arguments |= {name: LABELS[here["labels"]](example[name]) for name in list_of_kind(loss, "label")}
    shown = ("length", "ties", "contents", "memory", "indices", "numbers", "labels")
    words = {"noise": noise, "seed": here["seed"], **point}
    words |= {name: here[name] for name in shown if name in here}
    lost = contents not in [*CONTENTS][:2] or ties == "one input"  # what the positives had in common
    sizes = [x + 1 for x in point.values() if isinstance(x, int)]
    return Case.of(
        loss,
        arguments,
        describe(words),
        dtype,
        convert,
        noise={"all": 0.0}.get(ties, 1.0 if lost else noise),
        length=measure_length(loss, arguments),
        upstreams=(0.0, here["above"], -here["below"]),
        calls=here["calls"],
        memory=here["memory"],
        numbers=here["numbers"],
        # examples avoid kinks; two equal rows may put a hinge on one, or make every slope 0, as may scores near 0
        smooth=contents == USUALLY
        and ties in ("none", "positives")
        and not (list_of_kind(loss, "score") and here.get("length", 1.0) < 0.01),
        work=point["rows"] * math.prod(sizes),
    )


def describe(words: Mapping[str, Any]) -> str:
    """Return the label of a case, without the usual values."""
    shown = {name: x for name, x in words.items() if x != USUAL.get(name)}
    return "drawn: " + ", ".join(
        f"{k} {x:.3g}" if isinstance(x, float) else f"{k} {x}" for k, x in shown.items()
    )


def is_array(x: Any, kind: str) -> bool:
    """Whether an argument is an array of this kind of numbers: f or i."""
    return isinstance(x, np.ndarray) and x.dtype.kind == kind


def list_rows(loss: Loss, arguments: Mapping[str, Any]) -> list[str]:
    """List the arrays of rows or scores by which the loss is differentiated, whose contents are drawn."""
    return [name for name in loss.differentiable if is_array(arguments[name], "f")]


def tie_rows(loss: Loss, arguments: dict[str, Any], tie: str) -> dict[str, Any]:
    """Make rows coincide: the last and the first, or all, of every array or of the first that has rows."""
    arrays = {name: np.array(arguments[name]) for name in list_rows(loss, arguments)}
    first, *others = sorted(arrays.values(), key=lambda x: x.ndim < 2)
    if tie == "twins":
        for x in arrays.values():
            x[-1] = x[0]
    elif tie == "all":
        for x in arrays.values():
            x[:] = first[0] if x.ndim == first.ndim else x[:1]
    elif tie == "one input" and not loss.varying:
        # if it is the only array, all its columns instead, since with equal rows every gradient would be 0
        first[:] = first[:1] if others or list_of_kind(loss, "score") else first[..., :1]
    return arguments | arrays


def stretch(loss: Loss, arguments: dict[str, Any], length: float, dtype: str) -> dict[str, Any]:
    """Multiply the rows by a length, or the scores so that this is the largest."""
    scores = list_of_kind(loss, "score")
    if scores:
        allowed = LARGEST_ERROR / (64 * float(np.finfo(dtype).eps))
        factor = min(length, allowed) / max(float(np.max(np.abs(arguments[name]))) for name in scores)
        return arguments | {name: factor * arguments[name] for name in scores}
    changed = {name: length * arguments[name] for name in list_rows(loss, arguments)}
    return arguments | changed | ({} if is_scale_free(loss.name) else rescale(loss, arguments, length))


def measure_length(loss: Loss, arguments: dict[str, Any]) -> float:
    """Return the length of the longest row; 1 if the loss normalises its rows, or takes scores."""
    if is_scale_free(loss.name) or list_of_kind(loss, "score"):
        return 1.0
    lengths = [np.linalg.norm(arguments[name], axis=-1) for name in list_rows(loss, arguments)]
    return max(float(np.max(each)) for each in lengths)
