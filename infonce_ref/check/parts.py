"""What becomes of a part of a batch: a row alone in its class, pairs that share a label, a masked pair, a sequence.

Each time the loss is asked where the ways to treat that part have different values, to recognise which it takes.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from inspect import signature
from typing import Any

import numpy as np

from ..catalogue import load
from . import reading
from .inputs import OF_TWO_VIEWS, leave_alone
from .laws import OF_BOTH, measure_error
from .naming import Found
from .programs import Program
from .report import Difference
from .strangers import Stranger
from .target import find_missing

Meaning = Difference | str | None  # of a value: what is wrong, a note for the report, or nothing
# labels of 64 bits, no two alike; none above 0, as a loss may make room for all labels up to the largest
FAR = (0, -(2**8), -(2**16), -(2**32), -(2**32) - 1)
NARROW = ("int8", "int16", "int32", "float16", "float32")  # dtypes in which some of these are alike
# what pairs that share a label may be to each other
NEGATIVES, LEFT_OUT = "are negatives of each other", "are left out of each other's candidates"
POSITIVES = "are positives of each other, in the mean"


def recognise(
    way: Stranger, value: float, known: Mapping[Any, float], otherwise: Meaning, tolerance: float = 1e-6
) -> Iterator[Difference]:
    """Note or yield what a value means. known: values by their meaning, the likeliest first."""
    meanings = (meaning for meaning, x in known.items() if measure_error(value, x) <= tolerance)
    meaning = next(meanings, otherwise)
    if isinstance(meaning, str):
        way.note(meaning)
    elif meaning:
        yield meaning


def judge_labels(found: Found) -> Iterator[Difference]:
    """Compare the loss with the program where a row is alone in its class, which has no positive and is left out,
    where all rows are of one class, and where labels are far apart.

    A loss of 0 of one class is only noted: without negatives pytorch-metric-learning leaves the batch out; so is
    another value of far labels that no coarser dtype explains: rows whose label is negative may be left out.
    """
    way, tolerance = found.way, found.slack
    if way.world != "classes":
        return
    arrays = way.points(10)[0]
    own = arrays["labels"]
    if way.way not in OF_TWO_VIEWS:
        where = "an ordinary batch that has a row alone in its class"
        with way.noting_refusal(f"with {where}"):
            at = leave_alone(arrays)
            value, right = way.value(at), found.value(at)
            counted = Difference("mean over all rows", "rows without a positive are counted in the divisor")
            other = Difference(
                "rows alone not left out", "rows without a positive are not left out of the loss"
            )
            if not np.isfinite(value):
                other = Difference("value not finite", f"it returns no finite number at {where}")
            if np.isfinite(right):
                known = {None: right, counted: right * (1 - 1 / len(own))}
                yield from recognise(way, value, known, other, tolerance)
    with way.noting_refusal(f"with {(where := 'a batch of one class')}"):
        at = {**arrays, "labels": 0 * own}
        value, right = way.value(at), found.value(at)
        if np.isfinite(value * right):  # a denominator of negatives alone is empty
            note = f"at {where} it returns 0, where the formula returns {right:.3g}"
            other = found.differ(f"at {where}: off by {measure_error(value, right):.1e}")
            yield from recognise(way, value, {None: right, note: 0.0}, other, tolerance)
    if way.target.device != "cpu":
        return  # on a GPU a label that is taken for an index, and out of range, would stop all later calls
    far = np.tile(np.resize(FAR[:3] if way.library == "jax" else FAR, len(own) // 2), 2)
    where = "labels that are negative and far apart"
    with way.noting_refusal(f"with {where}"), np.errstate(over="ignore"):
        at = {**arrays, "labels": far}
        value, right = way.value(at), found.value(at)
        coarse = {dtype: found.value({**arrays, "labels": far.astype(dtype)}) for dtype in NARROW}
        only = f"at {where}, which it tells apart only as"
        wrong = {found.differ(f"{only} {dtype}"): x for dtype, x in coarse.items()}
        note = f"at {where} it returns another value"
        yield from recognise(way, value, {None: right, **wrong}, note, tolerance)


def judge_shared(found: Found) -> Found:
    """Ask a loss of pairs with labels where two pairs share one: they are positives, left out, or negatives."""
    way, labels = found.way, np.array([0, 1, 0, 2])
    if way.way != "two with labels":
        return found
    many = way.points(4, each=1)
    many += [{**at, "y": -at["y"]} for at in many]  # where a mask that leaves something shows
    known = [compute_shared(found, at, labels) for at in many]
    asked = way.replace(how=way.how._replace(pack=lambda at: (*way.how.pack(at)[:2], labels)))
    with way.noting_refusal("with pairs that share a label"):
        values = [asked.value(at) for at in many]
        for words in known[0]:
            right = [found.scale(at) * one[words] + found.shift(at) for at, one in zip(many, known)]
            if max(map(measure_error, values, right)) <= found.slack:
                return found._replace(of_pairs=False, shared=words)
    return found


def compute_shared(found: Found, at: Mapping[str, Any], labels: np.ndarray) -> dict[str, float]:
    """The program's values at pairs with these labels, by what pairs that share one are to each other."""
    (loss, rewrites), numbers, twice = found.program, found.at(at), np.tile(labels, 2)
    values = {NEGATIVES: found.program.value(at, numbers)}
    function, space = load(*found.program)
    if "keep" in signature(function).parameters:
        own = twice if loss in OF_BOTH else labels
        apart = partial(function, keep=own[:, None] != own)
        values[LEFT_OUT] = found.program.call((apart, space), at, numbers)
    views = [np.concatenate(both) for both in ((at["x"], at["y"]), (at["y"], at["x"]))]
    of_classes = Program("cpc_of_classes", rewrites)
    each = [of_classes.value({"w": w, "labels": twice}, numbers) for w in views[: 1 + (loss == "clip")]]
    values[POSITIVES] = float(np.mean(each))  # in one direction, or both
    return values


def list_anchors(found: Found, arrays: Mapping[str, Any]) -> np.ndarray:
    """The program's loss of each anchor."""
    return found.program.entries(arrays, found.at(arrays))


def judge_entries(found: Found) -> Iterator[Difference]:
    """Check that a loss with reduction="none" returns the loss of each anchor, or of each pair, in their order."""
    way, arrays = found.way, found.way.points(4)[0]
    if found.factor is not None:
        return
    way.value(arrays)
    things = reading.split(way.last) or {0: way.last}
    own = np.ravel([*map(reading.detach, reading.pick(things, way.name, way.target.take))])
    right = list_anchors(found, arrays) + found.shift(arrays)
    if way.way == "interleaved":
        right = right.reshape(2, -1).T.ravel()
    elif len(own) * 2 == len(right):
        right = right.reshape(2, -1).mean(axis=0)
    if own.shape != right.shape:
        words = f"with reduction='none' {own.size} numbers come back, where {right.size} belong"
        yield Difference("another reduction", words)
    elif not np.allclose(own, right, rtol=1e-6, atol=100 * max(found.residual, found.tolerance)):
        words = "the mean is right, and the entries are not the losses of the anchors in order"
        yield Difference("entries differ", words)


def judge_mask(found: Found) -> Iterator[Difference]:
    """Check what becomes of a pair that a mask (B,) leaves out."""
    way = found.way
    if not way.way.startswith("pairs of a mask") or found.factor is not None:
        return
    arrays = way.points(4)[0]
    kept = np.arange(len(arrays["x"])) != 1
    words = "with a pair that the mask leaves out it is another formula"
    for name in (*find_missing(way.function, way.given)[2:],):
        words += f"; if {name} is a number, pass {reading.option('with', f'{name}=0.1')}"
    with way.noting_refusal("with a mask that leaves a pair out"):
        each, shift = list_anchors(found, arrays).reshape(-1, len(kept)), found.shift(arrays)
        known = {
            "is left out altogether": found.value({n: rows[kept] for n, rows in arrays.items()}),
            "is no anchor, and stays among the others' candidates": each[:, kept].mean() + shift,
            "adds 0 to the mean over all pairs": each[:, kept].sum() / each.size + shift,
            "is in the loss all the same": found.value(arrays),
        }
        notes = {f"a pair that the mask leaves out {what}": x for what, x in known.items()}
        value = way.value({**arrays, "mask": kept})
        yield from recognise(way, value, notes, Difference("mask mixed", words))


def judge_sequences(found: Found) -> Iterator[Difference]:
    """Check whether the loss of two sequences is the mean or the sum of their losses, or the loss of all rows."""
    way = found.way
    if "sequence" not in way.way:
        return
    axis, (one, other) = 1 if way.way == "sequences of one step" else 0, way.points(4)[:2]

    def value(count: int, *points: Mapping[str, Any]) -> float:
        """The loss of the rows of these points, as so many sequences."""
        rows = {n: np.concatenate([at[n] for at in points]) for n in ("x", "y")}
        how = way.how._replace(pack=lambda at: tuple(np.stack(np.split(at[n], count), axis) for n in "xy"))
        return way.replace(how=how).value(rows)

    with way.noting_refusal("with two sequences"):  # it takes only one
        own, each = value(2, one, other), value(1, one) + value(1, other)
        known = {
            "the mean of": each / 2,
            "the sum of": each,
            "the loss of all rows in place of": value(1, one, other),
        }
        notes = {f"two sequences have {what} their losses": x for what, x in known.items()}
        words = "two sequences have neither the mean of their losses nor that of all rows"
        wrong = Difference("sequences mixed", words)
        if own in (value(2, one, one), value(2, other, other)):
            wrong = Difference("sequences left out", "of two sequences one does not enter the loss")
        yield from recognise(way, own, notes, wrong)
