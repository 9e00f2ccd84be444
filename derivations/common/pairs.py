"""The options of a loss as numbers: the positive of each row, and the divisor of the sum over rows."""

from collections.abc import Sequence
from typing import Any

from ..symbols import p

LAYOUTS = ("concatenated", "interleaved")


def positives(rows: int, layout: str = "concatenated") -> list[int]:
    """p(0), …, p(N − 1), an involution without fixed point.

    concatenated: the rows are [view 1; view 2], p(i) = (i + B) mod N [D1.5].
    interleaved: the two views of each image lie side by side, p(i) = i xor 1 [D3.4].
    """
    if layout not in LAYOUTS:
        raise ValueError(f"layout must be one of {LAYOUTS}, got {layout!r}")
    if layout == "concatenated":
        return [(row + rows // 2) % rows for row in range(rows)]
    return [row ^ 1 for row in range(rows)]


def divisor(rows: int, reduction: str = "mean") -> int:
    """ν: N for the mean over rows, 1 for the sum."""
    if reduction not in ("mean", "sum"):
        raise ValueError(f'reduction must be "mean" or "sum", got {reduction!r}')
    return rows if reduction == "mean" else 1


def pair(
    w: Sequence[Any] = (), *, z: Sequence[Any] = (), layout: str = "concatenated", **_: Any
) -> dict[Any, list[int]]:
    """The positives of raw rows, or of rows z."""
    return {p: positives(len(w or z), layout)}
