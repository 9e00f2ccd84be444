"""Two views of B items as N = 2B rows: their partners, their labels, and the types of options."""

from typing import Literal

from . import double_length
from .arrays import Array, array_namespace
from .checks import is_broken

Layout = Literal["concatenated", "interleaved"]  # one view after the other, or one pair after the other
# whether weights that are computed from the rows are differentiated
WeightMode = Literal["differentiated", "constant"]
NoPositives = Literal["error", "zero"]  # for a batch in which no anchor has a positive
EMPTY_LOGARITHM = "the logarithm of an empty sum is −∞"


def count_pairs(name: str, rows: int) -> int:
    """Return B, given N = 2B rows.

    name: the array, for an error message. Raises ValueError for an odd N.
    """
    if rows % 2:
        raise ValueError(f"{name} must have an even number of rows, two views of each; got {rows}")
    return rows // 2


def check_some_negative(name: str, pairs: int, without: str = EMPTY_LOGARITHM) -> None:
    """Raise ValueError for a single pair, which has no negative. without: the consequence, for the message."""
    if pairs < 2:
        raise ValueError(
            f"{name} must hold at least two pairs: a single one has no negative, and {without}; got one: add pairs"
        )


def check_labels_repeat(repeated: Array, no_positives: NoPositives) -> None:
    """Raise ValueError unless some label repeats, or no_positives is "zero"; without a repeated label no anchor has
    a positive. repeated: for each row or pair, whether another has its label.
    """
    if no_positives == "error" and is_broken(array_namespace(repeated).any(repeated)):
        raise ValueError(
            "labels must repeat, or no anchor has a positive; got each once: add rows of these classes, or "
            'pass no_positives="zero" for a loss of 0'
        )


def partner(x: Array, layout: Layout = "concatenated") -> Array:
    """Row p(i) of x at row i: p(i) = (i + B) mod 2B, or, interleaved, 2k ↔ 2k + 1.    [D1.5, D3.4]

    x: (2B, …) or, interleaved, (2B, d). Returns an array of the same shape.

    >>> import numpy as np
    >>> from infonce_ref.pairs import partner
    >>> partner(np.arange(4)).tolist(), partner(np.arange(4)[:, None], "interleaved")[:, 0].tolist()
    ([2, 3, 0, 1], [1, 0, 3, 2])
    """
    xp = array_namespace(x)
    n = x.shape[0]
    if layout == "concatenated":
        return xp.roll(x, n // 2, axis=0)
    return xp.reshape(xp.flip(xp.reshape(x, (n // 2, 2, -1)), axis=1), x.shape)


def lead(z: Array, positive: Array) -> Array:
    """⟨z_i, z_i − z_p(i)⟩ (N,) of rows z and their partners (N, d), accurate if they nearly coincide."""
    return double_length.dot(z, *double_length.difference(z, positive))


def add_anchor_pulls(z: Array, positive: Array, own: Array, twice: Array, twice_of_positive: Array) -> Array:
    """2 a_i z_i − (a_i + a_p) z_p (N, d), given a_i (N, 1) and 2 a_i with full accuracy.      [D1.11]

    It is τ times Σ_i a_i ∂(L_ii − L_ip)/∂z_i. In this form nothing cancels if z_i and z_p coincide.
    """
    return 2 * own * (z - positive) + (twice - twice_of_positive) / 2 * positive
