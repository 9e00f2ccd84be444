"""Random cases, besides the fixed ones, so that a fault between the fixed points is found too. Each quantity is
drawn once from each of its strata, and the strata are shuffled independently: every range is always covered, and
the seed decides the value within a stratum.

    temperature   20 strata of equal ratio between 10⁻³ and 10³
    rows          2 … 128 pairs, anchors or queries
    features      2 … 96
    others …      what the loss declares as `drawn`: the second size, or a hardness
    length        of rows and of scores, 10⁻⁶ … 10⁶; the temperature of rows that are not normalised has that unit
    noise         of the positives, 10⁻³ … 10
    ties          none · positives that coincide · the last thing the same as the first
    entries       as they come · all > 0 · some exactly 0
    memory        by rows · by columns · strided
    indices       64 bits · 32 bits
    upstream      0, and one of each sign from each of 20 strata between 10⁻⁸ and 10⁸
    calls         2 … 12 backward passes, alternating with another loss's

Three more cases are unusual in one respect: all rows equal; a single feature; so many rows that streaming needs
several tiles. In the first two most gradients vanish, so they test nothing else.

The 60 brief cases, and some more, are checked once each, one pass against the textbook's form,
and so can be close together:

    temperature   48 places at a ratio of 1.101 from 10⁻² to 1; 5 from 10³ to 10⁶; and `TEMPERATURES`
    sizes         30 of few rows: features `FEATURES`, and 11 strata of 97 … 1024; 30 of few features: rows
                  `ROWS`, and 16 strata of 2 … 250
    others …      what the loss declares as `drawn`, in 60 places, and each value that it declares as `tried`
    contents      `CONTENTS`: of length 1, one-hot, of 0.28 and 0.96, integers, of mean 0, of one size …
    memory        `MEMORY`: also backwards, read-only, cut out of a larger array, unaligned, mapped, with strides 0
    numbers       `NUMBERS`: float, int (by `TEMPERATURES` and `tried`), NumPy's scalars, 0-d arrays
    labels        `LABELS`: one class, two, large, negative, of 32 bits

The large cases are `LARGE`: up to 1,000 rows, and in float64 many rows and features at once.

Limitation: a fault that needs one stratum of one quantity *and* one of another is met with probability 1/20, or
1/60, by any one seed. `--seed` draws others.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, cycle, islice
from typing import Any
from zlib import crc32

import numpy as np

from ..losses import Loss
from .case import MEMORY, Case, list_of_kind, rescale
from .case import NUMBERS as OF_NUMBERS
from .laws import is_scale_free

STRATA = 20
NUMBERS = {
    "rows": (2, 128),
    "features": (2, 96),
    "noise": (1e-3, 10.0),
    "length": (1e-6, 1e6),
    "above": (1e-8, 1e8),  # a positive upstream
    "below": (1e-8, 1e8),  # below: a negative upstream, by its absolute value
    "calls": (2, 12),
}
TEMPERATURE = (1e-3, 1e3)
KINDS = {
    "ties": ("none", "positives", "none", "twins"),
    "entries": ("as they come", "all > 0", "as they come", "some 0", "as they come"),
    "memory": tuple(MEMORY),
    "indices": ("int64", "int32"),
}
MANY_ROWS = (310, 420)  # several tiles of `contract.LARGE_TILE`, even for one row a pair
# --- brief cases ---
PLACES = 60
COLD, HOT = 48, 5  # temperatures in 0.01 … 1, and in 1e3 … 1e6
TEMPERATURES = (1.0, 1, 2, 0.07, 0.05, 0.1, 0.2)  # for the remaining cases
# common widths with their neighbours, primes and odd numbers
FEATURES = (16, 32, 64, 96, 100, 127, 128, 192, 256, 257, 300, 320, 384, 512, 521, 640, 768, 1000, 1024)
ROWS = (8, 16, 31, 32, 48, 64, 74, 96, 100, 127, 128, 192, 250, 256)
SMALL = (2, 12)  # the range of the other size
FLAT = 5  # extra cases with strides of 0 or one class, some of whose gradients are 0
WIDE, TALL = (97, 1024), (2, 250)
LOGITS = (0.3, 300.0)  # size of scores
CONTENTS = (
    "as they come",
    "of length 1",
    "one-hot",
    "of 0.28 and 0.96",
    "integers",
    "of mean 0",
    "of one size",
    "all > 0",
)
LABELS = ("as they come", "all but one", "large", "negative", "two", "32 bits, large")
# --- large cases: rows, features ---
LARGE = {"float64": ((512, 3), (300, 128), (1000, 2)), "float32": ((512, 3),)}
# what a case has unless it says otherwise; a label does not say it
USUAL: dict[str, Any] = {name: kinds[0] for name, kinds in KINDS.items()}
USUAL |= {"contents": CONTENTS[0], "numbers": "float", "labels": LABELS[0]}
# the largest tolerance; with larger scores, checks in a short dtype would accept anything
LARGEST_ERROR = 1e-2


def draw_strata(rng: np.random.Generator, low: float, high: float) -> list[Any]:
    """Draw one number from each of the strata of equal ratio between low and high, in any order, and two from
    anywhere between.
    """
    return place(np.append((rng.permutation(STRATA) + rng.random(STRATA)) / STRATA, rng.random(2)), low, high)


def space_evenly(rng: np.random.Generator, low: float, high: float, count: int) -> list[Any]:
    """Return numbers from low to high at an equal ratio, shuffled, with a random start."""
    return place((rng.permutation(count) + rng.random()) / count, low, high)


def place(shares: np.ndarray, low: float, high: float) -> list[Any]:
    """Return the numbers at these shares of the way from low to high, at an equal ratio; integers if both ends are,
    then also from 0.
    """
    if isinstance(low, int):
        low, high = low + 1, high + 2
        return [int(x) - 1 for x in low * (high / low) ** shares]
    return [float(x) for x in low * (high / low) ** shares]


def shuffle(rng: np.random.Generator, kinds: tuple[str, ...]) -> list[str]:
    """Draw one kind for each number of `strata`, in any order, each as often as it is named."""
    return [str(kind) for kind in rng.permutation(list(islice(cycle(kinds), STRATA + 2)))]


def variants(loss: Loss) -> list[dict[str, Any]]:
    """Return the options of the defaults, of each variant, and of all variants combined."""
    together = {name: x for options in loss.variants for name, x in options.items()}
    return [{}, *loss.variants, *([together] if together and together not in loss.variants else [])]


def pairs_of_variants(loss: Loss) -> list[dict[str, Any]]:
    """Return `variants`, and each two of them that set different options: two may be right, and wrong together."""
    alone = variants(loss)
    both = [a | b for a, b in combinations(loss.variants, 2) if not a.keys() & b.keys()]
    return alone + [options for options in both if options not in alone]


def cases(loss: Loss, dtype: str, seed: int, convert: Callable = np.asarray) -> Iterator[Case]:
    """Yield every drawn case of a loss; another seed draws others."""
    rng = np.random.default_rng([seed, crc32(loss.name.encode())])
    options, drawn = variants(loss), draw_quantities(loss, rng)
    for number in range(STRATA + 2):
        here = {name: x[number] for name, x in drawn.items()}
        yield make_case(loss, here, options[number % len(options)], dtype, convert)
    yield make_large_case(loss, rng, dtype, convert, rows=int(rng.integers(*MANY_ROWS)), features=2)


def make_large_case(
    loss: Loss, rng: np.random.Generator, dtype: str, convert: Callable, *, rows: int, features: int
) -> Case:
    """Make a case of about this many rows: half as many pairs, if both rows of a pair are in one array."""
    first = loss.differentiable[0]
    size = {"rows": rows * 3 // len(loss.example(rows=3)[first]), "features": features}
    draw = int(rng.integers(2**31))
    label = describe({"seed": draw, **size})
    return Case.of(loss, loss.example(draw, **size), label, dtype, convert, work=2 * rows**2)


def draw_quantities(loss: Loss, rng: np.random.Generator) -> dict[str, list[Any]]:
    """Draw the quantities of a loss: by name, one value for each case."""
    tempered = {"temperature": TEMPERATURE} if "temperature" in loss.example() else {}
    numbers = {name: draw_strata(rng, *ends) for name, ends in {**NUMBERS, **tempered, **loss.drawn}.items()}
    kinds = {name: shuffle(rng, named) for name, named in KINDS.items()}
    kinds["ties"][STRATA], numbers["features"][STRATA + 1] = "all", 1
    return {**numbers, **kinds, "seed": [int(x) for x in rng.integers(2**31, size=STRATA + 2)]}


def make_case(
    loss: Loss, here: dict[str, Any], options: dict[str, Any], dtype: str, convert: Callable
) -> Case:
    """Make one case of these quantities; what is not given is as usual."""
    here = USUAL | {"length": 1.0, "above": 1.0, "below": 1.0, "calls": 2} | here
    # options of the example, by name
    own = {"rows", "features", "temperature", *loss.drawn} - {"noise", "length"}
    point = options | {name: x for name, x in here.items() if name in own}
    noise = 0.0 if here["ties"] == "positives" else here["noise"]
    example = loss.example(here["seed"], noise, **point)
    arguments = set_signs(tie_rows(loss, example, here["ties"]), here["entries"], here["seed"])
    arguments |= mend(loss, arguments, example)
    arguments, unit = stretch(loss, arguments, here["length"], dtype)
    indices = cast_indices(arguments, here["indices"])
    arguments |= indices
    words = {"noise": f"{noise:.2g}", "seed": here["seed"], **point, "length": f"{here['length']:.1g}"}
    words |= {name: here[name] for name in KINDS if name != "indices" or indices}
    sizes = [x + 1 for x in point.values() if isinstance(x, int)]
    return Case.of(
        loss,
        arguments,
        describe(words),
        dtype,
        convert,
        # the zeros of the two views differ
        noise={"all": 0.0}.get(here["ties"], 1.0 if here["entries"] == "some 0" else noise),
        length=unit,
        upstreams=(0.0, here["above"], -here["below"]),
        calls=here["calls"],
        memory=here["memory"],
        # examples avoid kinks, except a hinge on a column with two equal rows
        smooth=here["entries"] == KINDS["entries"][0]
        and not (here["ties"] == "twins" and list_of_kind(loss, "length")),
        work=point["rows"] * math.prod(sizes),
    )


# --- brief and large cases ----------------------------------------------------------------------------------------


def large_cases(loss: Loss, dtype: str, seed: int, convert: Callable = np.asarray) -> Iterator[Case]:
    """Yield cases of many rows, with the defaults."""
    rng = np.random.default_rng([seed, crc32(loss.name.encode()), 2])
    for rows, features in LARGE[dtype]:
        yield make_large_case(loss, rng, dtype, convert, rows=rows, features=features)


def brief_cases(loss: Loss, dtype: str, seed: int, convert: Callable = np.asarray) -> Iterator[Case]:
    """Yield closely spaced cases, with every width, kind of call, kind of content, and pair of options."""
    rng = np.random.default_rng([seed, crc32(loss.name.encode()), 1])
    options, drawn = pairs_of_variants(loss), draw_places(loss, rng)
    chosen = [{name: x[number] for name, x in drawn.items()} for number in range(PLACES)]
    # combine a large number of candidates with small other sizes
    few = {"rows": SMALL[0] + 1, "features": SMALL[0] + 1, "contents": CONTENTS[0]}
    flat = [{"memory": "broadcast"}] + [{"labels": "one class"}] * bool(list_of_kind(loss, "label"))
    chosen += [here | change for change in flat for here in chosen[:FLAT]]
    chosen += [chosen[number] | few | {name: x} for number, (name, x) in enumerate(list_tried_sizes(loss))]
    for number, here in enumerate(chosen):
        here["seed"] = int(rng.integers(2**31))
        yield make_brief_case(loss, here, options[number % len(options)], dtype, convert)


def list_tried_sizes(loss: Loss) -> list[tuple[str, Any]]:
    """The sizes that a loss declares to be tried, by name."""
    return [(name, x) for name, values in loss.tried.items() if is_size(loss, name) for x in values]


def is_size(loss: Loss, name: str) -> bool:
    """Whether an option of the example is a count."""
    return isinstance(loss.drawn.get(name, (0.0,))[0], int)


def draw_places(loss: Loss, rng: np.random.Generator) -> dict[str, list[Any]]:
    """Draw the quantities of the brief cases: by name, one value for each case."""

    def shuffle(values: list[Any]) -> list[Any]:
        return [values[k] for k in rng.permutation(len(values))]

    def kinds(names: tuple[Any, ...]) -> list[Any]:
        return shuffle(list(islice(cycle(names), PLACES)))

    def add_tried(name: str, ends: tuple[float, float]) -> list[Any]:
        tried = () if is_size(loss, name) else loss.tried.get(name, ())
        return shuffle([*tried, *space_evenly(rng, *ends, PLACES - len(tried))])

    wide = [*FEATURES, *space_evenly(rng, *WIDE, PLACES // 2 - len(FEATURES))]
    tall = [*ROWS, *space_evenly(rng, *TALL, PLACES // 2 - len(ROWS))]
    small = space_evenly(rng, *SMALL, PLACES)
    sizes = shuffle([*zip(small, wide), *zip(tall, small[len(wide) :])])
    found = {"rows": [rows for rows, _ in sizes], "features": [features for _, features in sizes]}
    found |= {name: add_tried(name, ends) for name, ends in {"noise": NUMBERS["noise"], **loss.drawn}.items()}
    if "temperature" in loss.example():
        cold, hot = space_evenly(rng, 0.01, 1.0, COLD), space_evenly(rng, 1e3, 1e6, HOT)
        found["temperature"] = shuffle([*cold, *hot, *TEMPERATURES])
    fixed = {name: loss.example()[name] for name in loss.tried if name not in loss.drawn}
    found |= {name: kinds((x, *loss.tried[name])) for name, x in fixed.items()}
    low, high = loss.drawn.get("length", LOGITS)
    found["length"] = space_evenly(rng, max(low, LOGITS[0]), min(high, LOGITS[1]), PLACES)
    of_kinds = {
        "contents": CONTENTS,
        "memory": tuple(MEMORY)[:-1],
        "numbers": tuple(OF_NUMBERS),
        "labels": LABELS,
    }
    of_kinds |= {"indices": KINDS["indices"]}
    return found | {name: kinds(values) for name, values in of_kinds.items()}


def make_brief_case(
    loss: Loss, here: dict[str, Any], options: dict[str, Any], dtype: str, convert: Callable
) -> Case:
    """Make one brief case; what is not given is as usual."""
    here = USUAL | {"length": 1.0} | here
    own = {"rows", "features", "temperature", *loss.drawn, *loss.tried} - {"noise", "length"}
    point = options | {name: x for name, x in here.items() if name in own}
    example = loss.example(here["seed"], here["noise"], **point)
    contents = "alike" if here["memory"] == "broadcast" else here["contents"]
    arguments, length = fill(loss, example, contents), 1.0
    if contents == "as they come" and list_of_kind(loss, "score"):
        arguments, _ = stretch(loss, arguments, here["length"], dtype)
    elif contents != "as they come":
        length = max(1.0, *(float(np.max(row_lengths(x))) for x in arguments.values() if is_rows(x)))
    labels = list_of_kind(loss, "label")
    arguments |= {name: relabel(arguments[name], here["labels"]) for name in labels}
    arguments |= cast_indices(arguments, here["indices"], labels)
    words = {"noise": f"{here['noise']:.2g}", "seed": here["seed"], **point, "contents": contents}
    words |= {name: here[name] for name in ("memory", "numbers")}
    words |= {"labels": here["labels"]} if labels else {}
    return Case.of(
        loss,
        arguments,
        describe(words),
        dtype,
        convert,
        noise=here["noise"] if contents == "as they come" else 1.0,
        length=1.0 if is_scale_free(loss.name) else length,
        memory=here["memory"],
        numbers=here["numbers"],
    )


def row_lengths(x: np.ndarray) -> np.ndarray:
    """The length of each row."""
    return np.linalg.norm(x, axis=-1)


def fill(loss: Loss, example: dict[str, Any], contents: str) -> dict[str, Any]:
    """Replace each array of rows or scores by contents of a kind."""
    arrays = {name: x for name, x in example.items() if is_rows(x)}
    if contents == "alike":
        arguments = example | make_rows_equal(loss, arrays)
    else:
        arguments = example | {name: make_content(x, contents) for name, x in arrays.items()}
    return arguments | mend(loss, arguments, example)


def mend(loss: Loss, arguments: dict[str, Any], example: dict[str, Any]) -> dict[str, Any]:
    """The arguments that must keep a property: columns that vary, rows or an array that sum to 1."""
    columns = {name: restore_constant(arguments[name], example[name]) for name in loss.varying}
    rows = {name: normalise(arguments[name]) for name in list_of_kind(loss, "distribution")}
    return (
        columns | rows | {name: normalise(arguments[name], axis=None) for name in list_of_kind(loss, "law")}
    )


def make_rows_equal(loss: Loss, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Make all rows of the first array equal; if it is the only array, all its columns instead, since with equal
    rows every gradient would be 0. Change nothing if no column may be constant.
    """
    if loss.varying:
        return {}
    (name, x), *others = arrays.items()
    axis = 0 if others or list_of_kind(loss, "score") else -1
    return {**arrays, name: np.repeat(np.take(x, [0], axis=axis), x.shape[axis], axis=axis)}


def make_content(x: np.ndarray, kind: str) -> np.ndarray:
    """Turn these numbers into numbers of a given kind."""
    largest = np.arange(x.shape[-1]) == np.argmax(np.abs(x), axis=-1)[..., None]  # of each row
    signs = np.where(x < 0, -1.0, 1.0)
    match kind:
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
        case "all > 0":
            return np.abs(x)
    return x


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


def cast_indices(
    arguments: Mapping[str, Any], dtype: str, apart: Iterable[str] = ()
) -> dict[str, np.ndarray]:
    """Cast the arrays of indices to this dtype, except those named."""
    return {
        name: x.astype(dtype)
        for name, x in arguments.items()
        if isinstance(x, np.ndarray) and x.dtype.kind == "i" and name not in apart
    }


def describe(words: Mapping[str, Any]) -> str:
    """Return the label of a case, without the usual values."""
    shown = {name: x for name, x in words.items() if x != USUAL.get(name)}
    return "drawn: " + ", ".join(
        f"{k} {x:.3g}" if isinstance(x, float) else f"{k} {x}" for k, x in shown.items()
    )


def is_rows(x: Any) -> bool:
    """Whether an argument is an array of real numbers."""
    return isinstance(x, np.ndarray) and x.dtype.kind == "f"


def tie_rows(loss: Loss, arguments: dict[str, Any], tie: str) -> dict[str, Any]:
    """Make rows coincide."""
    arrays = {name: np.array(x) for name, x in arguments.items() if is_rows(x)}
    for x in arrays.values():
        if tie == "twins":
            x[-1] = x[0]
        elif tie == "all":
            x[:] = (
                arrays[loss.differentiable[0]][0] if x.ndim == arrays[loss.differentiable[0]].ndim else x[:1]
            )
    return arguments | arrays


def set_signs(arguments: dict[str, Any], entries: str, seed: int) -> dict[str, Any]:
    """Make all entries positive, or some of them exactly 0: the same ones in arrays of one shape."""
    arrays = {name: x for name, x in arguments.items() if is_rows(x)}
    if entries == "all > 0":
        return arguments | {name: np.abs(x) for name, x in arrays.items()}
    if entries == "some 0":
        return arguments | {name: np.where(draw_kept(x.shape, seed), x, 0) for name, x in arrays.items()}
    return arguments


def restore_constant(x: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Keep the columns that are not constant, and restore the others."""
    return np.where(np.ptp(x, axis=0) > 0, x, before)


def normalise(x: np.ndarray, axis: int | None = -1) -> np.ndarray:
    """|x| divided by the sum of its row, or of all; equal shares if all are 0."""
    total = np.sum(np.abs(x), axis=axis, keepdims=True)
    equal = np.full(x.shape, total.size / x.size)
    return np.divide(np.abs(x), total, out=equal, where=total > 0)


def draw_kept(shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Draw a mask of the entries to keep: three of five, and at least one in each row."""
    chance = np.random.default_rng(seed).random(shape)
    return (chance > 0.4) | (chance == np.max(chance, axis=-1, keepdims=True))


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
