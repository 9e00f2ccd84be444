"""The choices that make up a formula before the loss: rows, similarities, positives, each with the words that a
report prints. The forms of the loss itself are in `heads`.

A choice marked as a mistake is never intended; the report prints the sentence beside it.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from .digits import Numbers, sqrt

Arrays = Mapping[str, Numbers]


class Feature(NamedTuple):
    """A choice: the function · words: what a report says · mistake: its name, or "" · formula: as printed."""

    function: Callable[..., Any]
    words: str
    mistake: str = ""
    formula: str = ""


# --- the rows, before they are compared -------------------------------------------------------------------


def each(function: Callable[[Numbers], Numbers], *only: str) -> Callable[[Arrays], dict[str, Numbers]]:
    """A function of one array, applied to every array of rows, or only to the named ones."""

    def apply(arrays: Arrays) -> dict[str, Numbers]:
        names = [name for name in ("x", "y", "w", "negatives", "bank") if name in arrays]
        return {name: function(arrays[name]) if not only or name in only else arrays[name] for name in names}

    return apply


def length(x: Numbers, axis: Any) -> Numbers:
    return sqrt(np.sum(x * x, axis=axis, keepdims=True))


def jointly(axis: Any) -> Callable[[Arrays], dict[str, Numbers]]:
    """Divide the two views, joined into one array, by their length along some axes."""

    def apply(arrays: Arrays) -> dict[str, Numbers]:
        if "w" in arrays:
            return {"w": arrays["w"] / length(arrays["w"], axis)}
        size = length(np.concatenate([arrays["x"], arrays["y"]], axis=-2), axis)
        return {**arrays, "x": arrays["x"] / size, "y": arrays["y"] / size}

    return apply


def unit(x: Numbers) -> Numbers:
    return x / length(x, -1)


def standardised(x: Numbers) -> Numbers:
    d = x.shape[-1]
    centred = x - np.sum(x, axis=-1, keepdims=True) / d
    return centred / sqrt(np.sum(centred * centred, axis=-1, keepdims=True) / d)


def centred_together(arrays: Arrays) -> dict[str, Numbers]:
    """Subtract from unit rows the mean over both views."""
    views = [name for name in ("x", "y", "w") if name in arrays]
    every = np.concatenate([arrays[name] for name in views], axis=-2)
    mean = np.sum(every, axis=-2, keepdims=True) / every.shape[-2]
    return {name: unit(arrays[name] - mean) if name in views else arrays[name] for name in arrays}


def centred_unit(x: Numbers) -> Numbers:
    return unit(x - np.sum(x, axis=-2, keepdims=True) / x.shape[-2])


def soften(numbers: Mapping[str, float]) -> Callable[[Numbers], Numbers]:
    """Divide rows by their length with ε added, to it or to its square."""

    def of(x: Numbers) -> Numbers:
        size = sqrt(np.sum(x * x, axis=-1, keepdims=True) + numbers.get("root", 0.0))
        return x / (size + numbers.get("length", 0.0))

    return of


def columns(less: int, numbers: Mapping[str, float] = MappingProxyType({})) -> Callable[[Numbers], Numbers]:
    """Turn columns into rows: centred, divided by the deviation over B − less and by √B, so that a product of
    two is a mean over B. ε is added to the variance or to the deviation.
    """

    def of(x: Numbers) -> Numbers:
        n = x.shape[-2]
        centred = x - np.sum(x, axis=-2, keepdims=True) / n
        variance = np.sum(centred * centred, axis=-2, keepdims=True) / (n - less)
        deviation = sqrt(variance + numbers.get("variance", 0.0)) + numbers.get("deviation", 0.0)
        root = sqrt(n + 0 * variance)  # in the arithmetic of x, which may have 50 digits
        return np.swapaxes(centred / (deviation * root), -1, -2)

    return of


ROWS: dict[str, Feature] = {
    "unit": Feature(each(unit), "rows are divided by their length", formula="cos"),
    "given": Feature(each(lambda x: x), "rows are used as they come, whatever their length"),
    "by column": Feature(
        each(lambda x: x / length(x, -2)),
        "each feature is given length 1 over the batch, where each row should be",
        "normalised along the batch",
    ),
    "by column, jointly": Feature(
        jointly(-2),
        "each feature is given length 1 over both views, where each row should be",
        "normalised along the batch",
    ),
    "as a whole": Feature(
        each(lambda x: x / length(x, (-2, -1))),
        "the whole batch is divided by one length, where each row should be by its own",
        "normalised over all axes",
    ),
    "as a whole, jointly": Feature(
        jointly((-2, -1)),
        "both views are divided by one length, where each row should be by its own",
        "normalised over all axes",
    ),
    "standardised": Feature(
        each(standardised),
        "rows are centred and divided by their standard deviation, so that they have length √d, not 1",
        "layer norm for unit norm",
    ),
    "centred": Feature(
        each(centred_unit),
        "the mean over the batch is taken off every row before it is divided by its length",
    ),
    "centred together": Feature(
        centred_together,
        "the mean over both views is taken off every row before it is divided by its length",
    ),
    "columns": Feature(
        each(columns(0)), "features are compared: columns, less their means, over their deviations"
    ),
    "columns over B − 1": Feature(
        each(columns(1)),
        "columns are divided by the deviation over B − 1, their products by B: no correlation reaches 1",
        "deviation over B − 1",
    ),
    "first unit": Feature(
        each(unit, "x"),
        "the first view is divided by its rows' length, the second is not",
        "one side normalised",
    ),
    "second unit": Feature(
        each(unit, "y", "negatives", "bank"),
        "the second view is divided by its rows' length, the first is not",
        "one side normalised",
    ),
}

# --- how two rows are compared ----------------------------------------------------------------------------


def dot(a: Numbers, c: Numbers) -> Numbers:
    return a @ np.swapaxes(c, -1, -2)


def squared_distance(a: Numbers, c: Numbers) -> Numbers:
    gap = a[..., :, None, :] - c[..., None, :, :]
    return np.sum(gap * gap, axis=-1)


def compare(name: str, numbers: Mapping[str, float]) -> Callable[[Numbers, Numbers], Numbers]:
    """Return the similarity of that name; the numbers may add an ε."""
    if "lengths" in numbers:
        return lambda a, c: (
            dot(a, c) / (length(a, -1) * np.swapaxes(length(c, -1), -1, -2) + numbers["lengths"])
        )
    if "gap" in numbers:
        return lambda a, c: -softened_distance(a, c, numbers["gap"], name == "squared distance")
    if "square" in numbers:
        return lambda a, c: -sqrt(squared_distance(a, c) + numbers["square"])
    return SIMILARITIES[name].function


def softened_distance(a: Numbers, c: Numbers, added: float, squared: bool) -> Numbers:
    gap = a[..., :, None, :] - c[..., None, :, :] + added
    squares = np.sum(gap * gap, axis=-1)
    return squares if squared else sqrt(squares)


SIMILARITIES: dict[str, Feature] = {
    "dot": Feature(dot, "compared by their product", formula="a·c"),
    "squared distance": Feature(
        lambda a, c: -squared_distance(a, c), "compared by −‖a − c‖²", formula="−‖a − c‖²"
    ),
    "distance": Feature(
        lambda a, c: -sqrt(squared_distance(a, c)), "compared by −‖a − c‖", formula="−‖a − c‖"
    ),
    "clamped": Feature(
        lambda a, c: np.maximum(dot(a, c), 0 * dot(a, c)),
        "similarities below 0 are clamped to 0: pairs past a right angle exert no force",
        "similarities clamped at 0",
    ),
    "absolute": Feature(
        lambda a, c: abs(dot(a, c)),
        "similarities lose their sign: opposite rows count as equal ones",
        "absolute similarities",
    ),
    "square": Feature(
        lambda a, c: dot(a, c) ** 2,
        "similarities are squared: opposite rows count as equal ones",
        "squared similarities",
    ),
}

# --- who is taken for the positive ------------------------------------------------------------------------

POSITIVES: dict[str, Callable[[np.ndarray, int], np.ndarray]] = {
    "partner": lambda index, k: index,
    "next": lambda index, k: (index + 1) % k,
    "previous": lambda index, k: (index - 1) % k,
    "the first": lambda index, k: 0 * index,
    "itself": lambda index, k: index,
}
WRONG_POSITIVES = {
    "next": ("labels shifted", "the positive of row i is row i + 1: the labels are shifted by one"),
    "previous": ("labels shifted", "the positive of row i is row i − 1: the labels are shifted by one"),
    "the first": ("every label 0", "row 0 is everybody's positive: the labels are all 0"),
    "itself": (
        "positive is the anchor itself",
        "each anchor's positive is itself: the labels point at the diagonal",
    ),
}

# --- where a small ε may stand ---------------------------------------------------------------------------

# numbers of a formula that are a small ε
BESIDE_LOGITS = {
    "logarithm": "inside the logarithm",
    "numerator": "to the numerator",
    "denominator": "to the denominator",
    "shifted": "to the denominator, after the largest logit is subtracted",
    "terms": "to each exponential, after the largest logit is subtracted",
}
BESIDE_ROWS = {
    "length": "to the length of each row",
    "root": "to the squared length of each row",
    "variance": "to the variance of each column",
    "deviation": "to the deviation of each column",
    "lengths": "to the product of two rows' lengths",
    "gap": "to the difference of two rows",
    "square": "to the squared distance, under its root",
}
ADDED = {**BESIDE_LOGITS, **BESIDE_ROWS}
