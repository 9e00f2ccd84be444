"""Check a loss of labels where a row is alone in its class, all are of one class, or labels are far apart."""

from collections.abc import Iterator

import numpy as np

from . import inputs, names
from .asking import Way
from .elsewhere import REASON, measure_error, noting_refusal, predict, tolerance_of
from .identification import Nearest
from .names import Difference, Found
from .target import is_of_tensorflow
from .verdicts import Record, record

# labels of 64 bits, no two alike; none above 0, as a loss may make room for all labels up to the largest
FAR = (0, -(2**8), -(2**16), -(2**32), -(2**32) - 1)
TOLD_APART = {  # by labels of each dtype: in all but the first some of these are alike
    "int64": "",
    "int8": ", which it tells apart only up to multiples of 2⁸",
    "int16": ", which it tells apart only up to multiples of 2¹⁶",
    "int32": ", which it tells apart only up to multiples of 2³²",
    "float16": ", which it tells apart only as float16",
    "float32": ", which it tells apart only as float32",
}
NOT_LEFT_OUT = {"value not finite", "mean over all rows", "rows alone not left out"}


def draw_classes(nearest: Nearest) -> tuple[Found, inputs.Arrays] | None:
    """The formula of a loss that is a form of SupCon, and rows and labels for it; None for another loss."""
    found = nearest.found
    if found is None or found.reduction.law == "unknown" or found.formula.head not in names.SUPCON:
        return None
    arrays = inputs.points(nearest.way.world, 2 * len(FAR))[0]
    return (found, arrays) if "labels" in arrays else None


def judge_rows_alone(nearest: Nearest) -> Iterator[Difference]:
    """Check that a row alone in its class, which has no positive, is left out. A loss may refuse such a row."""
    way, drawn = nearest.way, draw_classes(nearest)
    if drawn is None or way.world != "classes" or way.name == "views of classes":
        return  # of two views no row is alone
    found, arrays = drawn
    lonely, where = inputs.leave_alone(arrays), "an ordinary batch that has a row alone in its class"
    with noting_refusal(way, where):
        lonely = way.keep_finite(lonely)
        got, right, tolerance = way.value(lonely), predict(found, lonely), tolerance_of(nearest)
        counted = 1 - 1 / len(lonely["labels"])
        if not np.isfinite(got):
            yield Difference("value not finite", f"it returns no finite number at {where}")
        elif measure_error(got, right * counted) <= tolerance:
            yield Difference("mean over all rows", "rows without a positive are counted in the divisor")
        elif measure_error(got, right) > tolerance:
            yield Difference(
                "rows alone not left out", "rows without a positive are not left out of the loss"
            )


def judge_one_class(nearest: Nearest) -> Iterator[Record]:
    """Compare the loss with the formula where all rows are of one class. A loss of 0 is only noted: without
    negatives pytorch-metric-learning leaves the batch out.
    """
    way, drawn = nearest.way, draw_classes(nearest)
    if drawn is None:
        return
    found, arrays = drawn
    one, where = {**arrays, "labels": 0 * arrays["labels"]}, "a batch of one class"
    with noting_refusal(way, where), np.errstate(invalid="ignore"):
        asked = way.keep_finite(one)
        value, right, tolerance = way.value(asked), predict(found, asked), tolerance_of(nearest)
        error = measure_error(value, right)
        if not np.isfinite(right):
            return  # a denominator of negatives alone is empty
        if error > tolerance and value == 0:
            way.session.notes[f"at {where} it returns 0, where the formula returns {right:.3g}"] = None
        else:
            yield record("formula of one class", error, tolerance, f"the same formula at {where}", REASON)


def judge_far_labels(nearest: Nearest) -> Iterator[Record]:
    """Compare the loss with the formula where labels are far apart. Another value that no coarser dtype explains is
    only noted: a loss may leave out rows whose label is negative.
    """
    way, drawn = nearest.way, draw_classes(nearest)
    if drawn is None or way.session.target.device != "cpu":
        return  # on a GPU a label that is taken for an index, and out of range, would stop all later calls
    found, arrays = drawn
    # JAX is given integers of 32 bits, and TensorFlow computes in float32
    narrow = way.session.library == "jax" or is_of_tensorflow(way.session.function)
    known = FAR[:3] if narrow else FAR
    labels = np.tile(np.resize(known, len(arrays["labels"]) // 2), 2)
    far, where = {**arrays, "labels": labels}, "labels that are negative and far apart"
    tolerance = tolerance_of(nearest)
    with noting_refusal(way, where), np.errstate(over="ignore"):
        far = {**way.keep_finite(far)}
        value, right = way.value(far), predict(found, far)
        for dtype, words in TOLD_APART.items():
            if measure_error(value, predict(found, {**far, "labels": labels.astype(dtype)})) <= tolerance:
                error, told = measure_error(value, right), f"the same formula at {where}{words}"
                yield record("formula at far labels", error, tolerance, told, REASON)
                return
        way.session.notes[f"at {where} it returns another value"] = None


def takes_classes(way: Way) -> bool:
    """Return whether a loss that was asked with the labels of pairs accepts class labels too."""
    if way.name != "pairs with labels":
        return False
    try:
        return bool(np.isfinite(way._replace(name="classes").value(inputs.points("classes", 4)[0])))
    except Exception:
        return False
