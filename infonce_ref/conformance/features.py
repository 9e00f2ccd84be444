"""The choices that make up a formula, each with the words that a report prints.

A choice marked as a mistake is never intended; the report prints the sentence beside it.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from .digits import Numbers, exp, log, log_sum_exp, softplus, sqrt

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

# --- from similarities to a loss --------------------------------------------------------------------------


class Masks(NamedTuple):
    """(anchors, candidates): the positives · the others in the denominator · whether the denominator contains the
    positives · each anchor itself, if it is a candidate · which anchors are of the first view · further numbers of
    the formula, by name · held: the similarities from which weights are computed, if they are constant."""

    positive: np.ndarray
    others: np.ndarray
    with_positive: bool
    itself: np.ndarray | None
    first: np.ndarray
    numbers: Mapping[str, float] = MappingProxyType({})
    held: Numbers = None

    def weights_of(self, s: Numbers) -> Numbers:
        """The similarities from which weights are computed."""
        return s if self.held is None else self.held


class Head(NamedTuple):
    """How similarities become a loss.

    function(s, masks, t, e): the sum of the loss over the anchors · formula: of one anchor, as printed, D its
    denominator ·
    words: for a form that no loss of the registry has · mistake: its name, or "" · second: the name of e, tried at
    `grid` · tempered: whether t enters · whole: whether the batch is one term, instead of one for each anchor ·
    third, thirds: the name of a third number, and its starting values · base: the head of which this is a variant.
    """

    function: Callable[..., Numbers]
    formula: str
    words: str = ""
    mistake: str = ""
    second: str | None = None
    grid: tuple[float, ...] = ()
    tempered: bool = True
    whole: bool = False
    third: str | None = None
    thirds: tuple[float, ...] = ()
    base: str = "cross-entropy"


def at_positive(x: Numbers, masks: Masks) -> Numbers:
    """Average x over each anchor's positives."""
    return np.sum(x * masks.positive, axis=-1) / np.maximum(masks.positive.sum(-1), 1)


def denominator(x: Numbers, masks: Masks) -> Numbers:
    """log Σ_D eˣ."""
    return log_sum_exp(x, masks.others | masks.positive if masks.with_positive else masks.others)


def log_plus(weight: Any, x: Numbers) -> Numbers:
    """log(weight + eˣ)."""
    largest = np.maximum(x, 0 * x)
    return largest + log(weight * exp(-largest) + exp(x - largest))


def above(x: Numbers, masks: Masks) -> Numbers:
    """log Σ eˣ over the others, minus x_p."""
    return log_sum_exp(x, masks.others) - at_positive(x, masks)


def rows(x: Numbers, masks: Masks) -> Numbers:
    """log Σ_D eˣ − x_p of each anchor, averaged over its positives."""
    if masks.numbers.keys() & BESIDE_LOGITS:
        return softened(x, masks)
    if masks.with_positive and np.all(masks.positive.sum(-1) == 1):
        return softplus(above(x, masks))  # [S1]
    return denominator(x, masks) - at_positive(x, masks)


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
}
ADDED = {**BESIDE_LOGITS, **BESIDE_ROWS}


def find_largest(x: Numbers, masks: Masks) -> Numbers:
    """Return the largest logit of each anchor's candidates, including the anchor itself if the loss does not
    mask it.
    """
    seen = masks.others | masks.positive | (False if masks.itself is None else masks.itself)
    return np.max(np.where(seen, x, np.min(x, axis=-1, keepdims=True)), axis=-1)


def softened(x: Numbers, masks: Masks) -> Numbers:
    """−log((eˣ_p + ε″) / (Σ_D eˣ + ε) + ε′) of each anchor, averaged over its positives."""
    numbers, below = masks.numbers, denominator(x, masks)
    if "denominator" in numbers:
        below = log_plus(numbers["denominator"], below)
    if "shifted" in numbers:
        largest = find_largest(x, masks)
        below = largest + log_plus(numbers["shifted"], below - largest)
    above_it = log(exp(x) + numbers["numerator"]) if "numerator" in numbers else x
    if "terms" in numbers:
        largest = find_largest(x, masks)
        count = (masks.others | masks.positive if masks.with_positive else masks.others).sum(-1)
        above_it = largest[..., None] + log(exp(x - largest[..., None]) + numbers["terms"])
        below = largest + log_plus(numbers["terms"] * count, below - largest)
    chosen = above_it - below[..., None]
    if "logarithm" in numbers:
        chosen = log(exp(chosen) + numbers["logarithm"])
    return -at_positive(chosen, masks)


def of_rows(e: Any) -> Any:
    """Reshape a parameter that broadcasts against matrices, so that it broadcasts against their rows."""
    return e[..., 0] if np.ndim(e) else e


def cross_entropy(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(rows(t * s, masks), axis=-1)


def inside(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """SupCon's other form: the positives' probabilities are averaged before the logarithm."""
    count = np.maximum(masks.positive.sum(-1), 1)
    x = t * s
    shift = log(count * (1 + 0 * x[..., 0]))
    return np.sum(denominator(x, masks) - log_sum_exp(x, masks.positive) + shift, axis=-1)


def summed_inside(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """The positives' probabilities are added before the logarithm."""
    return np.sum(denominator(t * s, masks) - log_sum_exp(t * s, masks.positive), axis=-1)


def rows_and_columns(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """MIL-NCE: the candidates of a row and of a column share one denominator."""
    n, below = int(masks.first.sum()), denominator(t * s, masks)
    both = log_sum_exp(np.stack([below[..., :n], below[..., n:]], axis=-1), np.ones((n, 2), bool))
    return 2 * np.sum(both, axis=-1) - np.sum(at_positive(t * s, masks), axis=-1)


def positive_once(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Like `rows_and_columns`, with one term for each positive."""
    n, x = int(masks.first.sum()), t * s
    both = [
        log_sum_exp(x[..., :n, :], (masks.others | masks.positive)[:n]),
        log_sum_exp(x, masks.others)[..., n:],
    ]
    below = log_sum_exp(np.stack(both, axis=-1), np.ones((n, 2), bool))
    return 2 * np.sum(below, axis=-1) - np.sum(at_positive(x, masks), axis=-1)


def by_direction(of_first: Any, of_second: Any, masks: Masks) -> Any:
    """One number for the anchors of the first view, one for those of the second."""
    return np.where(masks.first, of_rows(of_first), of_rows(of_second))


def directions_weighed(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(2 * by_direction(e, 1 - e, masks) * rows(t * s, masks), axis=-1)


def tempered_by_direction(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(rows(t * s * by_direction(1 + 0 * e, 1 / e, masks)[..., None], masks), axis=-1)


def two_temperatures(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    weight = masks.numbers["weight"]
    return np.sum(rows(t * s, masks) + weight * rows(t * s / e, masks), axis=-1)


def margin_of(first: bool) -> Callable[..., Numbers]:
    """A margin for the anchors of one view alone."""

    def of(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
        side = masks.first if first else ~masks.first
        return np.sum(rows(t * (s - e * (masks.positive & side[:, None])), masks), axis=-1)

    return of


def uniform_views(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """The uniformity of each view, averaged."""
    each = denominator(t * s, masks)
    sides = [side for side in (masks.first, ~masks.first) if side.any()]
    sums = [log_sum_exp(each, side) - log(masks.others[side].sum() + 0 * each[..., 0]) for side in sides]
    return sum(sums) / len(sides)


def aligned_and_uniform(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    apart = -np.sum(at_positive(s, masks), axis=-1) / len(masks.positive)
    return apart + (e[..., 0, 0] if np.ndim(e) else e) * uniform_views(s, masks, t, e)


def weighed_positives(times_batch: bool) -> Callable[..., Numbers]:
    """DCLW: the pull on each positive is weighed by 2 − softmax(s_p/σ) over the batch, possibly times B."""

    def of(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
        x, own = t * s, at_positive(masks.weights_of(s), masks)
        sides = [side for side in (masks.first, ~masks.first) if side.any()]
        share: Any = 0.0
        for side in sides:
            scaled = own / of_rows(e)
            part = exp(np.where(side, scaled - log_sum_exp(scaled, side)[..., None], 0 * scaled)) * side
            share = share + part * (side.sum() if times_batch else 1)
        return np.sum(denominator(x, masks) - (2 - share) * at_positive(x, masks), axis=-1)

    return of


def soft_targets(of_first: bool) -> Callable[..., Numbers]:
    """Cross-entropy in both directions against softmax(e (x·x′ + y·y′)/2), computed within the views."""

    def of(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
        n, by = int(masks.first.sum()), masks.weights_of(s)
        alike = (by[..., :n, :n] + by[..., n:, n:]) / 2 * e
        targets = exp(alike - log_sum_exp(alike, np.ones((n, n), bool))[..., None])
        turned = np.swapaxes(targets, -1, -2)
        ours, theirs = (targets, turned) if of_first else (turned, targets)
        x, below = t * s, denominator(t * s, masks)[..., None]
        first = np.sum(ours * (below[..., :n, :] - x[..., :n, n:]), axis=(-1, -2))
        return first + np.sum(theirs * (below[..., n:, :] - x[..., n:, :n]), axis=(-1, -2))

    return of


def every_positive(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Sum over the positives; usual is the mean over each anchor's positives."""
    return np.sum(rows(t * s, masks) * masks.positive.sum(-1), axis=-1)


def alone(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Each positive against the others only, without the other positives in the denominator; summed over the
    positives.
    """
    x = t * s
    negatives = log_sum_exp(x, masks.others)[..., None]
    return np.sum(softplus(negatives - x) * masks.positive, axis=(-1, -2))


def alone_mean(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Like `above`, averaged over each anchor's positives."""
    x = t * s
    negatives = log_sum_exp(x, masks.others)[..., None]
    return np.sum(at_positive(softplus(negatives - x), masks), axis=-1)


def sigmoid(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Σ softplus(−y (x + e)), y = 1 at the positives and −1 at the others."""
    x = t * s + e
    return np.sum(softplus(-x) * masks.positive + softplus(x) * masks.others, axis=(-1, -2))


def unbiased_sigmoid(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return sigmoid(s, masks, t, 0)


def margin_on_positive(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(rows(t * (s - e * masks.positive), masks), axis=-1)


def hinge(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    gap = s - np.sum(s * masks.positive, axis=-1, keepdims=True) + e
    return np.sum(np.maximum(gap, 0 * gap) * masks.others, axis=(-1, -2))


def hardest_hinge(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    gap = hardest(s, masks) - at_positive(s, masks) + of_rows(e)
    return np.sum(np.maximum(gap, 0 * gap), axis=-1)


def hinge_of_mean(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    mean = np.sum(s * masks.others, axis=-1) / np.maximum(masks.others.sum(-1), 1)
    gap = mean - at_positive(s, masks) + of_rows(e)
    return np.sum(np.maximum(gap, 0 * gap), axis=-1)


def late_hinge(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    gap = np.sum((s - np.sum(s * masks.positive, axis=-1, keepdims=True) + e) * masks.others, axis=(-1, -2))
    return np.maximum(gap, 0 * gap)


def backward_hinge(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    gap = np.sum(s * masks.positive, axis=-1, keepdims=True) - s + e
    return np.sum(np.maximum(gap, 0 * gap) * masks.others, axis=(-1, -2))


def pairwise(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    return np.sum(
        softplus(x - np.sum(x * masks.positive, axis=-1, keepdims=True)) * masks.others, axis=(-1, -2)
    )


def pull(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return -np.sum(s * masks.positive, axis=(-1, -2))


def power(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Alignment: the distance of each pair to the power e."""
    apart = np.sum(-s * masks.positive, axis=-1)
    differ = apart > 0
    return np.sum(exp(of_rows(e) * log(apart + ~differ)) * differ, axis=-1)


def log_of_mean_kernel(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Uniformity: the log of the mean of e^{ts} over all compared pairs."""
    each = denominator(t * s, masks)
    pairs = masks.others.sum() + masks.with_positive * masks.positive.sum()
    return log_sum_exp(each, np.ones(len(masks.others), bool)) - log(pairs + 0 * each[..., 0])


def pull_and_squares(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """The spectral loss: the mean square of the others, less twice the positive."""
    squares = np.sum(s * s * masks.others, axis=-1) / np.maximum(masks.others.sum(-1), 1)
    return np.sum(squares - 2 * at_positive(s, masks), axis=-1)


def decorrelated(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Barlow Twins: (1 − positive)², and the squares of the others."""
    short = 1 - at_positive(s, masks)
    return np.sum(short * short + of_rows(e) * np.sum(s * s * masks.others, axis=-1), axis=-1)


def hardest(x: Numbers, masks: Masks) -> Numbers:
    least = np.min(x, axis=-1, keepdims=True)
    return np.max(np.where(masks.others, x, least), axis=-1)


def hardest_only(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(softplus(hardest(t * s, masks) - at_positive(t * s, masks)), axis=-1)


def weighed(x: Numbers, by: Numbers, masks: Masks, e: Any) -> Numbers:
    """log of the negatives' sum, each weighed by W = count e^{e b} / Σ e^{e b}.    [D4.9]"""
    power = e * by
    weights = log_sum_exp(x + power, masks.others) - log_sum_exp(power, masks.others)
    return weights + log(masks.others.sum(-1) * (1 + 0 * x[..., 0])) - at_positive(x, masks)


def hard_negatives(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(weighed(t * s, t * masks.weights_of(s), masks, e), axis=-1)


def hard_by_direction(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    beta = by_direction(e, masks.numbers["beta2"] + 0 * e, masks)[..., None]
    return np.sum(weighed(x, t * masks.weights_of(s), masks, beta), axis=-1)


def less_prior(s: Numbers, masks: Masks, t: Any, beta: Any, prior: Any) -> Numbers:
    """log(1 + m g e^{−x_p}), g = the mean of the weighed negatives minus the prior's share of e^{x_p}.  [F29]"""
    x = t * s
    above_it = exp(weighed(x, t * masks.weights_of(s), masks, beta))
    count = masks.others.sum(-1)
    floor = count * exp(-of_rows(t) - at_positive(x, masks))
    return log(1 + np.maximum((above_it - count * prior) / (1 - prior), floor))


def debiased(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(less_prior(s, masks, t, 0.0, of_rows(e)), axis=-1)


def hard_against_positive(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(softplus(weighed(t * s, t * masks.weights_of(s), masks, e)), axis=-1)


def hard_and_debiased(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    prior = masks.numbers["prior"]
    if not prior:
        return hard_against_positive(s, masks, t, e)
    return np.sum(less_prior(s, masks, t, e, prior), axis=-1)


def sigmoid_of_means(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """log(1 + e^{−s_p}) + mean_n log(1 + e^{s_n}): positives and negatives are averaged separately."""
    x = t * s
    apart = np.sum(softplus(x) * masks.others, axis=-1) / np.maximum(masks.others.sum(-1), 1)
    return np.sum(at_positive(softplus(-x), masks) + apart, axis=-1)


def logits_clamped(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    return np.sum(rows(np.minimum(np.maximum(x, -e + 0 * x), e + 0 * x), masks), axis=-1)


def logits_cut(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(rows(np.minimum(t * s, e + 0 * s), masks), axis=-1)


def below_threshold(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Leave out the negatives whose similarity exceeds e."""
    x = t * s
    gone = masks.others & (s > e)
    far = np.min(x, axis=-1, keepdims=True) - 1e4
    return np.sum(rows(np.where(gone, far, x), masks), axis=-1)


def hardest_few(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    """Keep only the e hardest negatives."""
    x = t * s
    far = np.min(x, axis=-1, keepdims=True) - 1e4
    of_others = np.where(masks.others, x, far)
    ranked = np.sort(of_others, axis=-1)[..., ::-1]
    count = np.vectorize(lambda k: round(float(k)), otypes=[int])(e + 0 * x[..., :1])
    last = np.take_along_axis(ranked, np.clip(count, 1, x.shape[-1]) - 1, -1)
    return np.sum(rows(np.where(masks.others & (x < last), far, x), masks), axis=-1)


def probabilities(x: Numbers, masks: Masks) -> Numbers:
    return exp(x - denominator(x, masks)[..., None])


def double_softmax(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(rows(probabilities(t * s, masks), masks), axis=-1)


def no_logarithm(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return -np.sum(at_positive(probabilities(t * s, masks), masks), axis=-1)


def smoothed(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x, all_ = t * s, masks.others | masks.positive
    mean = np.sum(x * all_, axis=-1) / all_.sum(-1)
    share = of_rows(e)
    return np.sum(denominator(x, masks) - (1 - share) * at_positive(x, masks) - share * mean, axis=-1)


def log_of_mean(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    chosen = log_sum_exp(at_positive(x, masks) - denominator(x, masks), np.ones(len(masks.others), bool))
    return log(len(masks.others) * (1 + 0 * chosen)) - chosen


def positive_twice(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(log_plus(2, above(t * s, masks)), axis=-1)


def mean_of_others(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = above(t * s, masks)
    count = masks.others.sum(-1)
    return np.sum(softplus(x - log(count * (1 + 0 * x))), axis=-1)


def one_more(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    return np.sum(log_plus(1, denominator(x, masks)) - at_positive(x, masks), axis=-1)


def epsilon(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    return np.sum(log_plus(of_rows(e), denominator(x, masks)) - at_positive(x, masks), axis=-1)


def epsilon_inside(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    inside = probabilities(x, masks) * masks.positive + (1 - masks.positive) + e
    return -np.sum(masks.positive * log(inside), axis=(-1, -2))


def less_e(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    top = denominator(x, masks)
    return np.sum(top + log(np.maximum(1 - exp(1 - top), 1e-300)) - at_positive(x, masks), axis=-1)


def positive_untempered(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(rows(np.where(masks.positive, s, t * s), masks), axis=-1)


def positive_untempered_below(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    below = np.where(masks.positive, s, t * s)
    return np.sum(denominator(below, masks) - at_positive(t * s, masks), axis=-1)


def others_untempered(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(rows(np.where(masks.positive, t * s, s), masks), axis=-1)


def whole_matrix(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x = t * s
    every = log_sum_exp(denominator(x, masks), np.ones(len(masks.others), bool))
    return len(masks.others) * every - np.sum(at_positive(x, masks), axis=-1)


def linear(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    return np.sum(s * (e * masks.others - (1 * masks.positive)), axis=(-1, -2))


def clamped(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    loss = rows(t * s, masks)
    return np.sum(np.maximum(loss, 0 * loss), axis=-1)


def transposed(s: Numbers, masks: Masks, t: Any, e: Any) -> Numbers:
    x, inside = t * s, masks.others | masks.positive if masks.with_positive else masks.others
    inside = inside | ~inside.any(0)  # a column that is in no denominator is no anchor's positive
    columns = log_sum_exp(x, inside, axis=-2)
    return np.sum(at_positive(columns[..., None, :] - x, masks), axis=-1)


BIAS = tuple(float(b) for b in range(-14, 15, 2))
MARGIN = (0.0, *(float(10 ** (k / 24)) for k in range(-60, 36)))  # the kinks of a hinge leave narrow basins
SMALL = tuple(float(10.0**k) for k in range(-9, 2))
SHARE = (0.02, 0.1, 0.2, 0.4, 0.7)
TIMES = (0.1, 0.25, 0.5, 2.0, 4.0, 10.0)

KERNEL = "log of the mean kernel"
HEADS: dict[str, Head] = {
    "cross-entropy": Head(cross_entropy, "log Σ_{c∈D} e^{s_c/τ} − s_p/τ"),
    "cross-entropy, mean inside": Head(
        inside,
        "log Σ_{c∈D} e^{s_c/τ} − log mean_p e^{s_p/τ}",
        "the positives' probabilities are averaged before the logarithm",
    ),
    "cross-entropy, every positive": Head(
        every_positive,
        "Σ_p [log Σ_{c∈D} e^{s_c/τ} − s_p/τ]",
        "each pair is a term of its own, not a share of its anchor's",
    ),
    "each positive alone": Head(
        alone_mean,
        "mean_p log(1 + Σ_{n∈D} e^{(s_n − s_p)/τ})",
        "each positive stands against the negatives alone, never against another positive",
    ),
    "each positive alone, every positive": Head(
        alone,
        "Σ_p log(1 + Σ_{n∈D} e^{(s_n − s_p)/τ})",
        "each pair is a term of its own: the positive against the negatives alone, never another positive",
    ),
    "pull": Head(pull, "−s_p", tempered=False, base="pull"),
    "power": Head(
        power,
        "(−s_p)^α",
        second="exponent",
        grid=(0.3, 0.5, 1.0, 1.5, 2.0, 3.0),
        tempered=False,
        base="power",
    ),
    "log of the mean kernel": Head(
        log_of_mean_kernel, "log mean_{a,c} e^{s_ac/τ}", whole=True, base="log of the mean kernel"
    ),
    "pull and squares": Head(
        pull_and_squares, "mean_n s_n² − 2 s_p", tempered=False, base="pull and squares"
    ),
    "decorrelated": Head(
        decorrelated,
        "(1 − s_p)² + weight Σ_n s_n²",
        second="weight",
        grid=(0.005, 0.05, 0.5, 2.0),
        tempered=False,
        whole=True,
        base="decorrelated",
    ),
    "margin on the positive": Head(
        margin_on_positive,
        "log Σ_{c∈D} e^{s_c/τ} − s_p/τ, s_p less the margin",
        "a margin is taken off the positive's similarity",
        second="margin",
        grid=(0.05, 0.2, 0.5),
    ),
    "pairwise": Head(
        pairwise,
        "Σ_n log(1 + e^{(s_n − s_p)/τ})",
        "each negative against the positive alone, not all in one sum",
    ),
    "hinge": Head(
        hinge, "Σ_n max(0, s_n − s_p + margin)", second="margin", grid=MARGIN, tempered=False, base="hinge"
    ),
    "hardest hinge": Head(
        hardest_hinge,
        "max(0, max_n s_n − s_p + margin)",
        "only the hardest negative counts",
        second="margin",
        grid=MARGIN,
        tempered=False,
        base="hinge",
    ),
    "hinge of the mean": Head(
        hinge_of_mean,
        "max(0, mean_n s_n − s_p + margin)",
        "the negatives of an anchor are averaged, not compared with the positive one by one",
        second="margin",
        grid=MARGIN,
        tempered=False,
        base="hinge",
    ),
    "hardest only": Head(
        hardest_only, "log(1 + e^{(max_n s_n − s_p)/τ})", "only the hardest negative counts"
    ),
    "negatives averaged": Head(
        mean_of_others,
        "log(1 + mean_n e^{(s_n − s_p)/τ})",
        "the negatives are averaged, not summed",
    ),
    "sigmoid without bias": Head(unbiased_sigmoid, "Σ_c log(1 + e^{−y_c s_c/τ}), y = ±1", base="sigmoid"),
    "sigmoid": Head(
        sigmoid, "Σ_c log(1 + e^{−y_c (s_c/τ + bias)}), y = ±1", second="bias", grid=BIAS, base="sigmoid"
    ),
    "sigmoid of means": Head(
        sigmoid_of_means,
        "log(1 + e^{−s_p/τ}) + mean_n log(1 + e^{s_n/τ})",
        "each score passes a sigmoid of its own; positives and negatives are averaged separately (Jensen–Shannon)",
        base="sigmoid",
    ),
    "hard negatives": Head(
        hard_negatives,
        "log Σ_n W_n e^{s_n/τ} − s_p/τ,  W_n = m e^{βs_n/τ} / Σ_k e^{βs_k/τ} over its m negatives",
        second="beta",
        grid=(0.1, 0.5, 1.0, 2.0),
    ),
    "hard negatives by direction": Head(
        hard_by_direction,
        "log Σ_n W_n e^{s_n/τ} − s_p/τ,  W_n = m e^{βs_n/τ} / Σ_k e^{βs_k/τ}, "
        "β = beta1 of the first view's anchors, beta2 of the second's",
        second="beta1",
        grid=(0.1, 0.5, 1.0, 2.0),
        third="beta2",
        thirds=(0.2, 1.0),
    ),
    "hard and debiased": Head(
        hard_and_debiased,
        "log(1 + m g e^{−s_p/τ}), g = max((U − τ⁺ e^{s_p/τ})/(1 − τ⁺), e^{−1/τ}), "
        "U = Σ_n e^{(1+β)s_n/τ} / Σ_n e^{βs_n/τ}",
        "negatives are weighed by hardness, and less the prior's share of the positive",
        second="beta",
        grid=(0.3, 1.0, 2.0),
        third="prior",
        thirds=(0.03, 0.15),
    ),
    "debiased": Head(
        debiased,
        "log(1 + m g e^{−s_p/τ}), g = max((mean_n e^{s_n/τ} − τ⁺ e^{s_p/τ})/(1 − τ⁺), e^{−1/τ})",
        "the prior's share of the positive is taken off the negatives",
        second="prior",
        grid=(0.01, 0.05, 0.1, 0.3),
    ),
    "hard against the positive": Head(
        hard_against_positive,
        "log(1 + m U e^{−s_p/τ}), U = Σ_n e^{(1+β)s_n/τ} / Σ_n e^{βs_n/τ}",
        "negatives are weighed by hardness",
        second="beta",
        grid=(0.1, 0.5, 1.0, 2.0),
    ),
    "positives weighed": Head(
        weighed_positives(True),
        "log Σ_{c∈D} e^{s_c/τ} − w s_p/τ,  w = 2 − B softmax(s_p/σ) over the batch",
        "the positives are weighed by 2 − B softmax(s_p/σ) over the batch, as in DCLW",
        second="sigma",
        grid=(0.1, 0.3, 0.5, 1.0),
    ),
    "positives weighed, without B": Head(
        weighed_positives(False),
        "log Σ_{c∈D} e^{s_c/τ} − w s_p/τ,  w = 2 − softmax(s_p/σ) over the batch",
        "the positives are weighed by 2 − softmax(s_p/σ) over the batch, where DCLW has 2 − B softmax",
        second="sigma",
        grid=(0.1, 0.3, 0.5, 1.0),
    ),
    "rows and columns together": Head(
        rows_and_columns,
        "log(Σ_c e^{s_ac/τ} + Σ_c e^{s_ca/τ}) − s_p/τ",
        "the candidates of both directions stand in one denominator, as in MIL-NCE",
    ),
    "rows and columns together, positive once": Head(
        positive_once,
        "log(Σ_c e^{s_ac/τ} + Σ_{c≠p} e^{s_ca/τ}) − s_p/τ",
        "the candidates of both directions stand in one denominator, as in MIL-NCE, the positive once",
    ),
    "cross-entropy, sum inside": Head(
        summed_inside,
        "log Σ_{c∈D} e^{s_c/τ} − log Σ_p e^{s_p/τ}",
        "the positives' probabilities are added before the logarithm",
    ),
    "directions weighed": Head(
        directions_weighed,
        "2 share [log Σ_{c∈D} e^{s_c/τ} − s_p/τ], 1 − share for the second view's anchors",
        "the two directions are weighed, the first by its share",
        second="share",
        grid=(0.25, 0.75),
    ),
    "a temperature by direction": Head(
        tempered_by_direction,
        "log Σ_{c∈D} e^{s_c/τ} − s_p/τ, τ × ratio for the second view's anchors",
        "each direction has a temperature of its own",
        second="ratio",
        grid=TIMES,
    ),
    "two temperatures": Head(
        two_temperatures,
        "the sum over τ, and by weight over τ × ratio, of log Σ_{c∈D} e^{s_c/τ} − s_p/τ",
        "the sum of the loss at two temperatures",
        second="ratio",
        grid=(2.0, 4.0, 10.0),
        third="weight",
        thirds=(1.0,),
    ),
    "margin of the first view": Head(
        margin_of(True),
        "log Σ_{c∈D} e^{s_c/τ} − s_p/τ, s_p less the margin if the anchor is of the first view",
        "a margin is taken off the positive's similarity in one direction, of the first view's anchors",
        second="margin",
        grid=(0.05, 0.2, 0.5),
    ),
    "margin of the second view": Head(
        margin_of(False),
        "log Σ_{c∈D} e^{s_c/τ} − s_p/τ, s_p less the margin if the anchor is of the second view",
        "a margin is taken off the positive's similarity in one direction, of the second view's anchors",
        second="margin",
        grid=(0.05, 0.2, 0.5),
    ),
    "uniformity of each view": Head(
        uniform_views,
        "log mean_{a,c} e^{s_ac/τ} of each view, averaged",
        "each view has a uniformity of its own, and these are averaged",
        whole=True,
        base="log of the mean kernel",
    ),
    "alignment and uniformity": Head(
        aligned_and_uniform,
        "mean_p (−s_p) + weight × log mean_{a,c} e^{s_ac/τ} of each view, averaged",
        "it is alignment, and by weight the uniformity of each view, averaged",
        second="weight",
        grid=(0.2, 1.0, 3.0),
        whole=True,
        base="log of the mean kernel",
    ),
    "soft targets": Head(
        soft_targets(True),
        "−Σ_c q_c log P_c, q the softmax of (x·x′ + y·y′) × sharpness/2 over the rows of the first view",
        "the targets are a softmax of both views' own similarities, not 1 at the partner",
        second="sharpness",
        grid=(0.05, 0.5, 1.0, 5.0, 20.0),
    ),
    "soft targets of the second view": Head(
        soft_targets(False),
        "−Σ_c q_c log P_c, q the softmax of (x·x′ + y·y′) × sharpness/2 over the rows of the second view",
        "the targets are a softmax of both views' own similarities, not 1 at the partner",
        second="sharpness",
        grid=(0.05, 0.5, 1.0, 5.0, 20.0),
    ),
    # --- mistakes
    "logits clamped": Head(
        logits_clamped,
        "log Σ_{c∈D} e^{s_c/τ} − s_p/τ, s/τ clamped to ± bound",
        "the logits are clamped: pairs beyond the bound exert no force",
        "logits clamped",
        "bound",
        (1.0, 3.0, 5.0, 10.0, 20.0, 50.0),
    ),
    "logits cut": Head(
        logits_cut,
        "log Σ_{c∈D} e^{s_c/τ} − s_p/τ, no s/τ above the bound",
        "the logits are clamped from above: pairs beyond the bound exert no force",
        "logits clamped",
        "bound",
        (1.0, 3.0, 5.0, 10.0, 20.0, 50.0),
    ),
    "negatives below a threshold": Head(
        below_threshold,
        "log Σ_{c∈D} e^{s_c/τ} − s_p/τ, only negatives with s_n ≤ threshold",
        "negatives whose similarity exceeds a threshold are dropped, as false ones",
        second="threshold",
        grid=(0.5, 0.7, 0.8, 0.9, 0.95, 0.99),
    ),
    "hardest few": Head(
        hardest_few,
        "log(1 + Σ_n e^{(s_n − s_p)/τ}) over the k negatives nearest to the anchor",
        "only the k hardest negatives count",
        second="k",
        grid=(2.0, 3.0),
    ),
    "double softmax": Head(
        double_softmax,
        "log Σ_c e^{P_c} − P_p, P the softmax of s/τ",
        "the logits pass a softmax, and then a cross-entropy that takes another one",
        "double softmax",
    ),
    "no logarithm": Head(
        no_logarithm,
        "−P_p, P the softmax of s/τ",
        "the probability of the positive, without its logarithm",
        "logarithm missing",
    ),
    "label smoothing": Head(
        smoothed,
        "log Σ_{c∈D} e^{s_c/τ} − (1 − ε) s_p/τ − ε mean_c s_c/τ",
        "a share of each target is spread over all candidates, negatives among them",
        "label smoothing",
        "ε",
        SHARE,
    ),
    "log of mean": Head(
        log_of_mean,
        "−log mean_i P_ip",
        "the probabilities are averaged over the batch before the logarithm",
        "log of the mean for mean of the log",
        whole=True,
    ),
    "positive twice": Head(
        positive_twice,
        "log(2 + Σ_n e^{(s_n − s_p)/τ})",
        "the positive enters the denominator twice: a perfect row still costs log 2",
        "positive counted twice",
    ),
    "one more": Head(
        one_more,
        "log(1 + Σ_{c∈D} e^{s_c/τ}) − s_p/τ",
        "a logit of 0 stays in the denominator and counts as e⁰ = 1: masked by 0 where −∞ belongs",
        "masked with 0 for −∞",
    ),
    "positive untempered": Head(
        positive_untempered,
        "log(e^{s_p} + Σ_n e^{s_n/τ}) − s_p",
        "only the negatives are divided by the temperature",
        "temperature missing on the positive",
    ),
    "positive untempered below": Head(
        positive_untempered_below,
        "log(e^{s_p} + Σ_n e^{s_n/τ}) − s_p/τ",
        "the positive is divided by the temperature above the line and not below",
        "temperature missing on the positive in the denominator",
    ),
    "others untempered": Head(
        others_untempered,
        "log(e^{s_p/τ} + Σ_n e^{s_n}) − s_p/τ",
        "only the positive is divided by the temperature",
        "temperature missing on the negatives",
    ),
    "less e": Head(
        less_e,
        "log(Σ_{c∈D} e^{s_c/τ} − e) − s_p/τ",
        "e is subtracted from the row sum for the anchor itself, but its term is e^{1/τ}",
        "self term subtracted without temperature",
    ),
    "whole matrix": Head(
        whole_matrix,
        "log Σ_{a,c} e^{s_ac/τ} − s_p/τ",
        "one softmax over the whole matrix, where each anchor should have its own",
        "softmax over the whole matrix",
    ),
    "transposed": Head(
        transposed,
        "log Σ_a e^{s_ac/τ} − s_p/τ",
        "the softmax runs over the anchors, where the candidates belong",
        "softmax over the wrong axis",
    ),
    "clamped loss": Head(
        clamped,
        "max(0, log Σ_{c∈D} e^{s_c/τ} − s_p/τ)",
        "the loss of each anchor is clamped at 0",
        "loss clamped at 0",
    ),
    "linear": Head(
        linear,
        "−s_p + ε Σ_n s_n",
        "linear in every similarity: no softmax is left (arguments of the cross-entropy swapped?)",
        "linear in the scores",
        "ε",
        (-3.0, -1.0, -0.3, 0.02, 0.1, 0.5, 2.0),
        tempered=False,
        base="linear",
    ),
    "late hinge": Head(
        late_hinge,
        "max(0, Σ_a Σ_n (s_n − s_p + margin))",
        "the sum over the batch is cut at 0, not each triplet: easy ones pay for those that are violated",
        "hinge after the mean",
        "margin",
        MARGIN,
        tempered=False,
        whole=True,
        base="hinge",
    ),
    "backward hinge": Head(
        backward_hinge,
        "Σ_n max(0, s_p − s_n + margin)",
        "the sign is flipped: positives are pushed away and negatives pulled near",
        "sign flipped",
        "margin",
        MARGIN,
        tempered=False,
        base="hinge",
    ),
    "epsilon": Head(
        epsilon,
        "log(ε + Σ_{c∈D} e^{s_c/τ}) − s_p/τ",
        "a number is added to the denominator",
        "number added to the denominator",
        "ε",
        SMALL,
    ),
    "epsilon inside the logarithm": Head(
        epsilon_inside,
        "−log(P_p + ε), P the softmax of s/τ",
        "a number is added inside the logarithm: a row that is badly wrong exerts no force",
        "number added inside the logarithm",
        "ε",
        SMALL,
    ),
}
