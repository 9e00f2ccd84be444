"""Mistakes in sphere."""

import numpy as np

from .. import sphere
from .entry import Arguments, Draw, Entry, mistake


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    return {"w": draw.rows(pairs, features), "dz": draw.numbers(pairs, features)}


def right(arguments: Arguments) -> tuple[np.ndarray, tuple[np.ndarray]]:
    z, cache = sphere.forward(arguments["w"])
    return z, (sphere.backward(cache, arguments["dz"]),)


ENTRY = Entry(
    name="sphere",
    loss="",
    by=("w",),
    batch=batch,
    mistakes=(
        mistake(
            "normalised_along_batch",
            "each feature has length 1 over the batch, not each row: the wrong axis",
            "D3.3 unit length",
            "return w / np.linalg.norm(w, axis=1, keepdims=True)",
            "return w / np.linalg.norm(w, axis=0, keepdims=True)",
        ),
        mistake(
            "normalised_over_all_axes",
            "the whole batch is divided by one length, where each row should be by its own",
            "D3.3 unit length",
            "return w / np.linalg.norm(w, axis=1, keepdims=True)",
            "return w / np.linalg.norm(w)",
        ),
        mistake(
            "not_normalised",
            "rows are not divided by their length",
            "D3.3 unit length",
            "return w / np.linalg.norm(w, axis=1, keepdims=True)",
            "return w",
        ),
        *(
            mistake(
                f"number_added_to_the_{where}",
                f"a thousandth is added to {what} of each row, so that none has length 1",
                "D3.3 unit length",
                "return w / np.linalg.norm(w, axis=1, keepdims=True)",
                f"return w / {divisor}",
            )
            for where, what, divisor in (
                ("lengths", "the length", "(np.linalg.norm(w, axis=1, keepdims=True) + 1e-3)"),
                (
                    "squared_lengths",
                    "the squared length",
                    "np.sqrt((w**2).sum(axis=1, keepdims=True) + 1e-3)",
                ),
            )
        ),
        mistake(
            "squared_length",
            "rows are divided by the square of their length",
            "D3.3 unit length",
            "return w / np.linalg.norm(w, axis=1, keepdims=True)",
            "return w / (w**2).sum(axis=1, keepdims=True)",
        ),
        mistake(
            "sum_of_absolutes",
            "rows are divided by the sum of their absolute entries, where the root of the sum of squares belongs",
            "D3.3 unit length",
            "return w / np.linalg.norm(w, axis=1, keepdims=True)",
            "return w / abs(w).sum(axis=1, keepdims=True)",
        ),
        mistake(
            "layer_norm",
            "rows are centred and divided by their standard deviation, so that they have length √d, not 1",
            "D3.3 unit length",
            "return w / np.linalg.norm(w, axis=1, keepdims=True)",
            "return (w - w.mean(axis=1, keepdims=True)) / w.std(axis=1, keepdims=True)",
        ),
        mistake(
            "projection_missing",
            "the part of dz along each row is still there: project it away",
            "D2.11 jacobian",
            "return (dz - radial) / length",
            "return dz / length",
        ),
        mistake(
            "norm_missing",
            "the projected gradient is not divided by the row's length",
            "D2.11 jacobian",
            "return (dz - radial) / length",
            "return dz - radial",
        ),
        mistake(
            "nothing_done",
            "dz is returned unchanged",
            "D2.11 jacobian",
            "return (dz - radial) / length",
            "return dz",
        ),
        mistake(
            "projected_by_raw_rows",
            "the projection is made with the rows as they came, not with the unit rows",
            "D2.11 jacobian",
            "radial = (z * dz).sum(axis=1, keepdims=True) * z",
            "radial = (w * dz).sum(axis=1, keepdims=True) * w",
        ),
        mistake(
            "radial_alone",
            "the part along the row is kept, and the rest is dropped: it must be the reverse",
            "D2.11 jacobian",
            "return (dz - radial) / length",
            "return radial / length",
        ),
        mistake(
            "projected_over_the_batch",
            "the product z · dz is summed over the whole batch, where each row has its own",
            "D2.11 jacobian",
            "(z * dz).sum(axis=1, keepdims=True) * z",
            "(z * dz).sum() * z",
        ),
    ),
    reduction="none",
    functions=("forward", "backward"),
    right=right,
)
