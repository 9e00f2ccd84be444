"""Sums of exponentials over rows or columns of scores, added up tile by tile, and the softmax that they give."""

from typing import NamedTuple

from ..arrays import Array, array_namespace, device
from ..elementary import sigmoid, softplus, stable_sum


class Softmax(NamedTuple):
    """A softmax without its scores: P_ij = factor_i e^{S_ij − shift_i}; q_i = Σ_j P_ij.  Each (n,)."""

    q: Array
    shift: Array
    factor: Array


class Logistic(NamedTuple):
    """Sigmoids without their scores: W_ij = factor_i sigmoid(S_ij + shift_i).  Each (n,)."""

    shift: Array
    factor: Array


class Sums(NamedTuple):
    """The shift m (n,) and the total t (n,) = Σ e^{S − m} of each row or column so far: LSE = m + log t; or the sum
    t of other numbers, m = 0.

    `lost` adds up the rounding errors of t, so that the error does not grow with the number of tiles.
    """

    shift: Array
    rounded: Array
    lost: Array

    @classmethod
    def none(cls, x: Array, shift: float) -> "Sums":
        """Start with empty sums over the rows of x."""
        xp = array_namespace(x)
        nothing = xp.zeros((x.shape[0],), dtype=x.dtype, device=device(x))
        return cls(nothing + shift, nothing, xp.zeros_like(nothing))

    @property
    def total(self) -> Array:
        return self.rounded + self.lost

    def plus(self, part: slice, more: Array) -> None:
        """Add to the totals of this part."""
        before = self.rounded[part]
        after = before + more
        added = after - before
        self.lost[part] += (before - (after - added)) + (more - added)
        self.rounded[part] = after

    def add(self, part: slice, s: Array) -> None:
        """Add further scores of these rows, (rows, any number); the largest score so far becomes the shift."""
        xp = array_namespace(s)
        shift = xp.maximum(self.shift[part], xp.max(s, axis=1))
        total = stable_sum(xp.exp(s - shift[:, None]))
        smaller = xp.exp(self.shift[part] - shift)
        self.rounded[part] *= smaller
        self.lost[part] *= smaller
        self.plus(part, total)
        self.shift[part] = shift

    def merge(self, other: "Sums") -> "Sums":
        """Return the sums over these scores and over others of the same rows."""
        xp = array_namespace(self.shift)
        shift = xp.maximum(self.shift, other.shift)
        total = self.total * xp.exp(self.shift - shift) + other.total * xp.exp(other.shift - shift)
        return Sums(shift, total, xp.zeros_like(total))

    def above(self, positive: Array) -> Array:
        """LSE minus a given logit, (n,); −∞ for a row without scores."""
        xp, total = array_namespace(positive), self.total
        none = total == 0
        return xp.where(none, -xp.inf, self.shift + xp.log(xp.where(none, 1.0, total)) - positive)

    def softmax(self, q: Array) -> Softmax:
        """The softmax whose probabilities over these scores sum to q (n,); 0 for a row without scores."""
        total = self.total
        return Softmax(q, self.shift, q / array_namespace(q).where(total == 0, 1.0, total))


def compute_losses(positive: Array, negatives: Sums) -> tuple[Array, Softmax]:
    """ℓ (n,) in nats and the softmax, from the positives' logits (n,) and the sums over the negatives."""
    # ℓ = softplus(LSE − u),  P_j = q r_j with r_j = e^{S_j − m} / t           [D1.6, D1.7, S1, S2]
    margin = negatives.above(positive)
    return softplus(margin), negatives.softmax(sigmoid(margin))


def weight(softmax: Softmax, upstream: Array) -> Softmax:
    """Multiply each row of P, and its q, by that row's upstream (n,)."""
    return softmax._replace(q=upstream * softmax.q, factor=upstream * softmax.factor)
