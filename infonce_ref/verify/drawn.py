"""Random cases, besides the fixed ones, so that a fault between the fixed points is found too. The tables say what
is drawn. Each quantity takes every value listed, and others at an equal ratio all over its ranges, from a random
start. Its values are shuffled independently of the other quantities', so the seed decides what meets what; float32
and float64 have cases of their own.

`cases` are few, and every law is checked; `brief_cases` are closer together, and only one pass is compared with the
textbook's form; `large_cases` have many rows.

Limitation: a fault that needs one value of one quantity *and* one of another is met with probability 1/20, or 1/60,
by any one seed and dtype. `--seed` draws others.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, combinations, cycle, islice
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from ..losses import Loss
from .case import MEMORY, NUMBERS, Case, list_of_kind, rescale
from .laws import is_scale_free


class Range(NamedTuple):
    """From low to high; integers if both ends are. most: so many values; None for as many as are left."""

    low: float
    high: float
    most: int | None = None


Table = dict[str, list[Any]]  # by quantity, values and ranges, the one of as many as are left last

CASES = 20
CONTENTS = [
    "as they come",
    "all > 0",
    "some 0",
    # of another length than before
    "of length 1",
    "one-hot",
    "of 0.28 and 0.96",
    "integers",
    "of mean 0",
    "of one size",
]
EVERY: Table = {  # and what the loss declares as `drawn`: the second size, or a hardness
    "rows": [Range(2, 128)],  # pairs, anchors or queries
    "features": [Range(2, 96)],
    "temperature": [Range(1e-3, 1e3)],  # of rows that are not normalised in units of their squared length
    "noise": [Range(1e-3, 10.0)],  # of the positives
    "length": [Range(1e-6, 1e6)],  # of rows and of scores
    "above": [Range(1e-8, 1e8)],  # a positive upstream
    "below": [Range(1e-8, 1e8)],  # a negative upstream, by its absolute value
    "calls": [Range(2, 12)],  # of the backward pass, alternating with another loss's
    "ties": ["none", "positives", "none", "twins"],  # the last thing is the same as the first
    "contents": ["as they come", "all > 0", "as they come", "some 0", "as they come"],
    "memory": [*MEMORY],
    "indices": ["int64", "int32"],
}
# most gradients vanish, so these test nothing else
UNUSUAL: tuple[dict[str, Any], ...] = ({"ties": "all"}, {"features": 1})
MANY_ROWS = (310, 400)  # several tiles of `contract.LARGE_TILE`, even for one row a pair

BRIEF_CASES = 60
SMALL = [Range(2, 12)]
WIDE: Table = {  # a half of the brief cases: common widths with their neighbours, primes and odd numbers
    "rows": SMALL,
    "features": [
        *(16, 32, 64, 96, 100, 127, 128, 192, 256, 257, 300, 320, 384, 512, 521, 640, 768, 1000, 1024),
        Range(97, 1024),
    ],
}
TALL: Table = {  # the other half
    "rows": [8, 16, 31, 32, 48, 64, 74, 96, 100, 127, 128, 192, 250, 256, Range(2, 250)],
    "features": SMALL,
}
LOGITS = Range(0.3, 300.0)
BRIEF: Table = {  # and each value that the loss declares as `tried`, and its range
    "temperature": [1.0, 1, 2, 0.07, 0.05, 0.1, 0.2, Range(1e3, 1e6, 5), Range(0.01, 1.0)],
    "noise": EVERY["noise"],
    "contents": CONTENTS,
    "memory": [*MEMORY][:-1],
    "numbers": [*NUMBERS],
    "labels": ["as they come", "all but one", "large", "negative", "two", "32 bits, large"],
    "indices": EVERY["indices"],
}
FLAT = 5  # extra cases with strides of 0, or of one class, some of whose gradients are 0

# large cases: rows, features
LARGE = {"float64": ((512, 3), (300, 128), (1000, 2)), "float32": ((512, 3),)}
# what a case has unless it says otherwise; a label does not say it
USUAL: dict[str, Any] = {"noise": 1.0, "above": 4.0, "below": 4.0, "calls": 2, "ties": "none", "options": {}}
USUAL |= {"contents": CONTENTS[0], "memory": "by rows", "indices": "int64"}
USUAL |= {"numbers": "float", "labels": "as they come"}
# the largest tolerance; with larger scores, checks in a short dtype would accept anything
LARGEST_ERROR = 1e-2


def draw(rng: np.random.Generator, table: Table, count: int) -> list[dict[str, Any]]:
    """Draw the quantities of so many cases."""
    columns = {name: draw_values(rng, values, count) for name, values in table.items()}
    seeds = rng.integers(2**31, size=count)
    return [{name: x[n] for name, x in columns.items()} | {"seed": int(seeds[n])} for n in range(count)]


def draw_values(rng: np.random.Generator, values: list[Any], count: int) -> list[Any]:
    """Return so many values in any order: those listed, repeatedly if there is no range."""
    ranges = [x for x in values if isinstance(x, Range)]
    found = [x for x in values if not isinstance(x, Range)]
    if not ranges:
        found = list(islice(cycle(found), count))
    for each in ranges:
        found += spread(rng, each, count - len(found) if each.most is None else each.most)
    return [found[k] for k in rng.permutation(count)]


def spread(rng: np.random.Generator, ends: Range, count: int) -> list[Any]:
    """Return numbers at an equal ratio all over a range, from a random start; integers also from 0."""
    low, high, shares = ends.low, ends.high, (np.arange(count) + rng.random()) / count
    if isinstance(low, int):
        return [int(x) - 1 for x in (low + 1) * ((high + 2) / (low + 1)) ** shares]
    return [float(x) for x in low * (high / low) ** shares]


def variants(loss: Loss) -> list[dict[str, Any]]:
    """Return the options of the defaults, of each variant, and of all variants combined."""
    together = {name: x for options in loss.variants for name, x in options.items()}
    return [{}, *loss.variants, *([together] if together and together not in loss.variants else [])]


def pairs_of_variants(loss: Loss) -> list[dict[str, Any]]:
    """Return `variants`, and each two of them that set different options: two may be right, and wrong together."""
    alone = variants(loss)
    both = [a | b for a, b in combinations(loss.variants, 2) if not a.keys() & b.keys()]
    return alone + [options for options in both if options not in alone]


def restrict(loss: Loss, table: Table) -> Table:
    """The quantities that the loss has."""
    given = loss.example()
    absent = {"temperature": "temperature" not in given, "labels": not list_of_kind(loss, "label")}
    absent |= {"indices": not any(is_array(x, "i") for x in given.values())}
    return {name: values for name, values in table.items() if not absent.get(name)}


def cases(loss: Loss, dtype: str, seed: int, convert: Callable = np.asarray) -> Iterator[Case]:
    """Yield every drawn case of a loss; another seed draws others."""
    rng = start(loss, dtype, seed, 0)
    own: Table = {name: [Range(*ends)] for name, ends in loss.drawn.items()}
    chosen = draw(rng, restrict(loss, EVERY | own | {"options": variants(loss)}), CASES)
    chosen += vary(rng, chosen, UNUSUAL)
    many = {"rows": count_pairs(loss, int(rng.integers(*MANY_ROWS))), "features": 2, "seed": draw_seed(rng)}
    for here in [*chosen, many]:
        yield make_case(loss, here, dtype, convert)


def brief_cases(loss: Loss, dtype: str, seed: int, convert: Callable = np.asarray) -> Iterator[Case]:
    """Yield closely spaced cases, with every width, kind of call, kind of content, and pair of options."""
    rng = start(loss, dtype, seed, 1)
    own: Table = {name: [Range(*ends)] for name, ends in loss.drawn.items()}
    for name, values in loss.tried.items():
        if name not in own:
            own[name] = [loss.example()[name], *values]
        elif isinstance(own[name][0].low, float):  # else a large number of candidates, tried below
            own[name] = [*values, *own[name]]
    if list_of_kind(loss, "score"):
        low, high = loss.drawn.get("length", LOGITS[:2])
        own["length"] = [Range(max(low, LOGITS.low), min(high, LOGITS.high))]
    table = restrict(loss, BRIEF | own | {"options": pairs_of_variants(loss)})
    halves = (draw(rng, half, BRIEF_CASES // 2) for half in (WIDE, TALL))
    sizes = chain.from_iterable(zip(*halves))
    chosen = [size | rest for size, rest in zip(sizes, draw(rng, table, BRIEF_CASES))]
    if loss.varying:  # all columns of two rows are parallel: with a weight of 0 nothing is left but rounding
        chosen = [here | {"rows": max(3, here["rows"])} for here in chosen]
    plain = {"contents": CONTENTS[0]}
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
        here = {"rows": count_pairs(loss, rows), "features": features, "seed": draw_seed(rng)}
        yield make_case(loss, here, dtype, convert)


def vary(
    rng: np.random.Generator, chosen: list[dict[str, Any]], changes: Iterable[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The first cases with these changes, and other seeds."""
    return [here | change | {"seed": draw_seed(rng)} for here, change in zip(chosen, changes)]


def start(loss: Loss, dtype: str, *numbers: int) -> np.random.Generator:
    return np.random.default_rng([crc32(f"{loss.name} {dtype}".encode()), *numbers])


def draw_seed(rng: np.random.Generator) -> int:
    return int(rng.integers(2**31))


def count_pairs(loss: Loss, rows: int) -> int:
    """How many things have about this many rows: half as many, if both rows of a pair are in one array."""
    return rows * 3 // len(loss.example(rows=3)[loss.differentiable[0]])


# --- making a case ------------------------------------------------------------------------------------------------


def make_case(loss: Loss, here: dict[str, Any], dtype: str, convert: Callable) -> Case:
    """Make the case of these quantities; what is not given is as usual."""
    here = USUAL | here
    of_example = {"rows", "features", "temperature", *loss.drawn, *loss.tried} - {"noise", "length"}
    point = here["options"] | {name: x for name, x in here.items() if name in of_example}
    ties, contents, labels = here["ties"], here["contents"], here["labels"]
    noise, length = 0.0 if ties == "positives" else here["noise"], 1.0
    example = loss.example(here["seed"], noise, **point)
    arguments = tie_rows(loss, example, ties)
    arguments |= {name: fill(x, contents, here["seed"]) for name, x in arguments.items() if is_rows(x)}
    arguments |= mend(loss, arguments, example)
    if contents in CONTENTS[3:]:
        longest = max(float(np.max(np.linalg.norm(x, axis=-1))) for x in arguments.values() if is_rows(x))
        length = 1.0 if is_scale_free(loss.name) else max(1.0, longest)
    elif "length" in here:
        arguments, length = stretch(loss, arguments, here["length"], dtype)
    indices = {name: x.astype(here["indices"]) for name, x in arguments.items() if is_array(x, "i")}
    arguments |= indices | {
        name: relabel(example[name], labels) for name in list_of_kind(loss, "label") if labels != CONTENTS[0]
    }
    shown = ("length", "ties", "contents", "memory", "indices", "numbers", "labels")
    words = {"noise": noise, "seed": here["seed"], **point}
    words |= {name: here[name] for name in shown if name in here}
    lost = contents not in CONTENTS[:2] or ties == "one input"  # what the positives had in common
    sizes = [x + 1 for x in point.values() if isinstance(x, int)]
    return Case.of(
        loss,
        arguments,
        describe(words),
        dtype,
        convert,
        noise={"all": 0.0}.get(ties, 1.0 if lost else noise),
        length=length,
        upstreams=(0.0, here["above"], -here["below"]),
        calls=here["calls"],
        memory=here["memory"],
        numbers=here["numbers"],
        # examples avoid kinks, except a hinge on a column with two equal rows
        smooth=contents == CONTENTS[0] and not (ties == "twins" and list_of_kind(loss, "length")),
        work=point["rows"] * math.prod(sizes),
    )


def describe(words: Mapping[str, Any]) -> str:
    """Return the label of a case, without the usual values."""
    shown = {name: x for name, x in words.items() if x != USUAL.get(name)}
    return "drawn: " + ", ".join(
        f"{k} {x:.3g}" if isinstance(x, float) else f"{k} {x}" for k, x in shown.items()
    )


def is_rows(x: Any) -> bool:
    """Whether an argument is an array of real numbers."""
    return is_array(x, "f")


def is_array(x: Any, kind: str) -> bool:
    """Whether an argument is an array of this kind of numbers: f or i."""
    return isinstance(x, np.ndarray) and x.dtype.kind == kind


def tie_rows(loss: Loss, arguments: dict[str, Any], tie: str) -> dict[str, Any]:
    """Make rows coincide: the last and the first, or all, of every array or of the first that has rows."""
    arrays = {name: np.array(x) for name, x in arguments.items() if is_rows(x)}
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


def fill(x: np.ndarray, kind: str, seed: int) -> np.ndarray:
    """Turn these numbers into numbers of a given kind."""
    if kind == CONTENTS[0]:
        return x
    largest = np.arange(x.shape[-1]) == np.argmax(np.abs(x), axis=-1)[..., None]  # of each row
    signs = np.where(x < 0, -1.0, 1.0)
    match kind:
        case "all > 0":
            return np.abs(x)
        case "some 0":  # the same ones in arrays of one shape: two of five, and not a whole row
            chance = np.random.default_rng(seed).random(x.shape)
            return np.where((chance > 0.4) | (chance == np.max(chance, axis=-1, keepdims=True)), x, 0)
        case "of length 1":
            return x / np.linalg.norm(x, axis=-1, keepdims=True)
        case "one-hot":
            return np.where(largest, signs, 0.0)
        case "of 0.28 and 0.96":  # of length 1, exactly
            return np.where(largest, 0.96, np.where(np.roll(largest, 1, axis=-1), 0.28, 0.0)) * signs
        case "integers":
            whole = np.round(2 * x / np.std(x)) if np.std(x) else signs
            return np.where(largest & (whole == 0), signs, whole)  # no row is 0
        case "of mean 0":
            return x - np.mean(x, axis=max(0, x.ndim - 2), keepdims=True)
        case "of one size":
            return signs / math.sqrt(x.shape[-1])
    return x


def mend(loss: Loss, arguments: dict[str, Any], example: dict[str, Any]) -> dict[str, Any]:
    """The arguments that must keep a property: columns that vary, rows or an array that sum to 1."""
    columns = {
        name: np.where(np.ptp(arguments[name], axis=0) > 0, arguments[name], example[name])
        for name in loss.varying
    }
    rows = {name: normalise(arguments[name]) for name in list_of_kind(loss, "distribution")}
    laws = {name: normalise(arguments[name], axis=None) for name in list_of_kind(loss, "law")}
    return columns | rows | laws


def relabel(labels: np.ndarray, kind: str) -> np.ndarray:
    """Turn these labels into labels of a given kind."""
    match kind:
        case "one class":
            return np.full_like(labels, 7)
        case "all but one":
            return np.where(np.arange(len(labels)) < len(labels) - 1, 3, 5)
        case "two":
            return np.arange(len(labels)) % 2
        case "large":
            return 2**62 + 3 * labels
        case "negative":
            return -(2**62) - 3 * labels
        case "32 bits, large":
            return (2**31 - 2 - labels).astype(np.int32)
    return labels


def normalise(x: np.ndarray, axis: int | None = -1) -> np.ndarray:
    """|x| divided by the sum of its row, or of all; equal shares if all are 0."""
    total = np.sum(np.abs(x), axis=axis, keepdims=True)
    equal = np.full(x.shape, total.size / x.size)
    return np.divide(np.abs(x), total, out=equal, where=total > 0)


def stretch(loss: Loss, arguments: dict[str, Any], length: float, dtype: str) -> tuple[dict[str, Any], float]:
    """Rescale the rows; return the arguments and the length in units of the logits: 1 if the loss normalises
    rows, or if its arguments are scores."""
    scores = list_of_kind(loss, "score")
    if scores:
        most = max(float(np.max(np.abs(arguments[name]))) for name in scores)
        allowed = LARGEST_ERROR / (64 * float(np.finfo(dtype).eps))
        factor = min(length, allowed) / most
        return arguments | {name: factor * arguments[name] for name in scores}, 1.0
    changed = {name: length * x for name, x in arguments.items() if is_rows(x)}
    if is_scale_free(loss.name):
        return arguments | changed, 1.0
    return arguments | changed | rescale(loss, arguments, length), length
