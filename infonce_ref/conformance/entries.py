"""Check how the losses of a batch's parts come back: the entries with reduction="none", and of two sequences."""

from collections.abc import Iterable, Iterator

import numpy as np

from . import inputs, reading
from .elsewhere import noting_refusal, predict
from .formula import Places, places_of, similarities, total
from .identification import SIZES, TOLERANCES, Nearest
from .names import Difference, Found


def judge_entries(nearest: Nearest) -> Iterator[Difference]:
    """Check that a loss with reduction="none" returns the loss of each anchor, or of each pair, in their
    order.
    """
    found, way = nearest.found, nearest.way
    if found is None or found.reduction.law != "mean":
        return
    arrays = inputs.points(way.world, SIZES[0])[0]
    way.value(arrays)
    things = reading.split(way.session.last)
    take = way.session.target.take
    own = np.ravel(
        [*map(reading.detach, reading.pick(things or {0: way.session.last}, way.session.name, take))]
    )
    right = found.reduction.factor * list_anchors(found, arrays) + found.shift
    if way.name == "interleaved":
        right = right.reshape(2, -1).T.ravel()
    elif found.formula.anchors == "both" and 2 * len(own) == len(right):
        right = right.reshape(2, -1).mean(axis=0)
    if own.shape != right.shape:
        words = f"with reduction='none' {own.size} numbers come back, where {right.size} belong"
        yield Difference("another reduction", words)
    elif not np.allclose(
        own, right, rtol=1e-6, atol=100 * max(found.residual, TOLERANCES[nearest.precision])
    ):
        yield Difference(
            "entries differ",
            "the mean is right, and the entries are not the losses of the anchors in order",
        )


def list_anchors(found: Found, arrays: inputs.Arrays) -> np.ndarray:
    """The formula's loss of each anchor."""
    formula, where, s = (
        found.formula,
        places_of(found.formula, arrays),
        similarities(found.formula, arrays, arrays),
    )
    chosen = {"first": where.first, "second": ~where.first, "both": where.first | True}[formula.anchors]

    def one(a: int) -> float:
        alone = Places({role: mask[[a]] for role, mask in where.roles.items()}, where.first[[a]])
        return float(total(formula, s[[a]], alone, found.inverse, found.second or 0.0))

    return np.array([one(int(a)) for a in np.flatnonzero(chosen)])


def judge_mask(nearest: Nearest) -> Iterator[Difference]:
    """Check what becomes of a pair that a mask (B,) leaves out."""
    way, found = nearest.way, nearest.found
    if (
        not way.name.startswith("pairs of a mask")
        or found is None
        or found.reduction.law not in ("mean", "sum")
    ):
        return
    arrays = inputs.points(way.world, SIZES[0])[0]
    x, y, mask = way.pack(arrays)
    kept = np.arange(len(mask)) != 1
    with noting_refusal(way, "a mask that leaves a pair out"):
        own = way.session([x, y, mask * kept], size=SIZES[0]).value
        each = list_anchors(found, arrays).reshape(-1, len(mask))
        count = 1 if found.reduction.law == "sum" else each.size
        known = {
            "is left out altogether": predict(found, {name: rows[kept] for name, rows in arrays.items()}),
            "is no anchor, and stays among the others' candidates": found.reduction.factor
            * (each[:, kept].sum() / (count if count == 1 else each[:, kept].size))
            + found.shift,
            "adds 0 to the mean over all pairs": found.reduction.factor * each[:, kept].sum() / count
            + found.shift,
            "is in the loss all the same": predict(found, arrays),
        }
        told = next((words for words, value in known.items() if np.isclose(own, value, rtol=1e-6)), None)
        if told is None:
            yield Difference("mask mixed", "with a pair that the mask leaves out it is another formula")
        else:
            way.session.notes[f"a pair that the mask leaves out {told}"] = None


def judge_sequences(nearest: Nearest) -> Iterator[Difference]:
    """Check whether the loss of two sequences is the mean or the sum of their losses, or the loss of all
    their rows.
    """
    way = nearest.way
    if "sequence" not in way.name or nearest.found is None:
        return
    axis = 1 if way.name == "sequences of one step" else 0
    many = [(a["x"], a["y"]) for a in inputs.points(way.world, SIZES[0])[:2]]

    def value(*pairs: Iterable[np.ndarray]) -> float:
        views = [np.stack(view, axis=axis) for view in zip(*pairs)]
        return way.session(views, size=SIZES[0]).value

    with noting_refusal(way, "two sequences"):  # it takes only one
        own, alone = value(*many), sum(value(pair) for pair in many)
        every = value(map(np.concatenate, zip(*many)))
        used = [value(many[0], many[0]), value(many[1], many[1])]
        known = {"the mean of": alone / 2, "the sum of": alone, "the loss of all rows in place of": every}
        told = next((words for words, x in known.items() if np.isclose(own, x, rtol=1e-6)), None)
        if told is None and own in used:
            yield Difference("sequences left out", "of two sequences one does not enter the loss")
        elif told is None:
            yield Difference(
                "sequences mixed",
                "two sequences have neither the mean of their losses nor that of all rows",
            )
        else:
            way.session.notes[f"two sequences have {told} their losses"] = None
