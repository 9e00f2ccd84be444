"""The floor of SupCon: a convex program over the cosines of the classes.

Each term of "out" is convex in the Gram matrix of the rows, so averaging the matrix over all permutations within
classes does not raise the mean: rows of a class then have one cosine a_k, and rows of classes k and l one cosine
b_kl. Raising a_k to 1, so that a class is one point, lowers the loss, and the matrix stays a Gram matrix. For "in"
the positives' LSE is at most log|P_i| + 1/τ, and the rest is convex too. So no batch of either form is below the
minimum of

    f = (1/n⁺) Σ_k n_k log(n_k − 1 + Σ_{l≠k} n_l e^{(b_kl − 1)/τ}),   k over the classes with n_k ≥ 2

over Gram matrices b of unit vectors, and a batch of collapsed classes attains it. For "pairs" each term is convex
too, and falls as its own cosine rises, so the same holds with 1 in place of n_k − 1 and n_k (n_k − 1) pairs in
place of n_k anchors.

Classes of one size are exchangeable, and rows that are alone in their class, which are no anchors, share one
point. With a vector c_g, the mean of the m_g classes of a size, ‖c_g‖ ≤ 1 (= 1 if m_g = 1), their cosines among
each other are (m_g ‖c_g‖² − 1)/(m_g − 1), and with classes of other sizes c_g·c_h. Classes of one size are R19's
simplex. At the minimum the matrix is singular, because at full rank all slopes by b_kl would vanish, but they are
positive: so C − 1 features suffice.

Descent finds the c_g. The returned value is not f at these, but a lower bound of its minimum, from duality: f is
convex, so for the slopes Γ by c_g·c_h, with any y_g, which must be ≤ 0 if m_g > 1, every R of the constraints has
⟨Γ, R⟩ ≥ Σ y_g + G min(0, λ_min(Γ − diag y)).
"""

import math
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from ..checks import check_choice, check_count, check_positive
from .floor import Floor

STEPS = 5000
GAP = 1e-8  # nats between the value at the best vectors and the bound: a smaller difference counts as reached


class Sizes(NamedTuple):
    """Groups of classes of one size: n rows each, m classes, whether they are anchors (G,) · pairs: whether each
    pair of an anchor and a positive is a term."""

    n: np.ndarray
    m: np.ndarray
    anchors: np.ndarray
    pairs: bool = False

    @property
    def kept(self) -> np.ndarray:
        """The terms in the logarithm of a collapsed class beside its negatives (G,)."""
        return np.ones_like(self.n) if self.pairs else self.n - 1

    @property
    def weights(self) -> np.ndarray:
        """The share of each group's terms in the mean (G,)."""
        terms = self.m * self.n * (self.n - 1 if self.pairs else 1)
        return np.where(self.anchors, terms, 0) / np.sum(terms[self.anchors])


def supcon(*, labels: Any, features: int, temperature: float, form: str = "out") -> Floor:
    """The least of f above; log(K + M (K + 1) e^{t/τ}) with t = −C/(C − 1) if all C = M + 1 classes have K + 1
    rows [R19], and of the form "pairs" the same with 1 in place of K. "out" and "in" have one floor."""
    tau, features = check_positive("temperature", temperature), check_count("features", features)
    check_choice("form", form, ("out", "in", "pairs"))
    pairs = form == "pairs"
    sizes = group(labels)._replace(pairs=pairs)
    classes = int(sizes.m.sum())
    kept = float(sizes.kept[0])
    if classes == 1:
        claim = "F32" if pairs else "R6"
        return Floor(math.log(kept), True, (claim,), "rows that all coincide reach it")
    if len(sizes.n) == 1:
        n = float(sizes.n[0])
        claims: tuple[str, ...] = () if pairs else ("R19",)
        value = math.log1p(kept - 1 + (classes - 1) * n * math.exp(-classes / (classes - 1) / tau))
        form = "form a regular simplex, reach it"
    else:
        value, left = minimise(sizes, tau)
        claims, form = (), f"are as far apart as their sizes ask, reach it to {GAP:.0e} nats"
        if left > GAP:
            return Floor(
                value, False, (), f"only a bound: the best classes found are {left:.1e} nats above it"
            )
    if features >= classes - 1:
        return Floor(value, True, claims, f"classes that are one point each, and {form}")
    reason = f"only a bound: {classes} classes so far apart may take {classes - 1} features, not {features}"
    return Floor(value, False, claims, reason)


def group(labels: Any) -> Sizes:
    """Group the classes by size; all rows that are alone in their class are one class without anchors."""
    counts = Counter(Counter(np.asarray(labels).ravel().tolist()).values())
    alone = counts.pop(1, 0)
    if not counts:
        raise ValueError("labels must repeat, or no anchor has a positive; each of them occurs once")
    last = [alone] if alone else []
    n, m = [*counts, *last], [*counts.values(), *(1 for _ in last)]
    anchors = np.array([True] * len(counts) + [False] * len(last))
    return Sizes(np.array(n, dtype=np.float64), np.array(m, dtype=np.float64), anchors)


def minimise(sizes: Sizes, tau: float) -> tuple[float, float]:
    """Return a lower bound of f's minimum, and its distance from f at the best vectors: at most GAP unless the
    steps run out.
    """
    c = keep(np.eye(len(sizes.n)) - 1 / sizes.m.sum(), sizes)
    value, slopes = f(c @ c.T, sizes, tau)
    best = float(np.sum(sizes.weights * np.log(np.maximum(sizes.kept, 1))))  # f without negatives
    least = value
    if least - best <= GAP:  # τ is so small that the slopes may underflow
        return best, max(0.0, least - best)
    step = tau / (2 * np.abs(slopes).max())
    before = None
    for k in range(STEPS):
        descent = 2 * slopes @ c
        if k % 10 == 0:
            best = max(best, bound(c, value, slopes, sizes))
            least = min(least, value)
            if least - best <= GAP:
                break
        # the step of Barzilai and Borwein, alternating its longer and its shorter form
        if before is not None:
            moved, turned = c - before[0], descent - before[1]
            both = float(np.sum(moved * turned))
            if both > 0:
                step = float(np.sum(moved**2)) / both if k % 2 else both / float(np.sum(turned**2))
        before = c, descent
        c = keep(c - step * descent, sizes)
        value, slopes = f(c @ c.T, sizes, tau)
    return best, max(0.0, least - best)


def keep(c: np.ndarray, sizes: Sizes) -> np.ndarray:
    """Project onto vectors of length 1, or of at most 1 if they stand for several classes."""
    length = np.linalg.norm(c, axis=1, keepdims=True)
    several = (sizes.m > 1)[:, None]
    return c / np.where(several, np.maximum(length, 1), np.maximum(length, 1e-300))


def f(r: np.ndarray, sizes: Sizes, tau: float) -> tuple[float, np.ndarray]:
    """f as a function of the products c_g·c_h, and its symmetric slopes Γ by them (G, G)."""
    n, m, anchors, _ = sizes
    among = np.maximum(m - 1, 1)
    own = (m * np.diag(r) - 1) / among
    cosine = r - np.diag(np.diag(r) - own)
    # others[g, h]: how many rows in classes of size h are negatives of an anchor in a class of size g
    others = m * n - np.diag(n)
    terms = others * np.exp((cosine - 1) / tau)
    total, weights = sizes.kept + terms.sum(axis=1), sizes.weights
    value = float(np.sum(weights[anchors] * np.log(total[anchors])))
    slopes = np.where(anchors, weights / np.maximum(total, 1e-300), 0)[:, None] * terms / tau
    slopes *= 1 + np.diag(m / among - 1)
    return value, (slopes + slopes.T) / 2


def bound(c: np.ndarray, value: float, slopes: np.ndarray, sizes: Sizes) -> float:
    """A lower bound on f, from its slopes at c."""
    r = c @ c.T
    y = np.sum((slopes @ c) * c, axis=1) / np.maximum(np.diag(r), 1e-300)
    y = np.where(sizes.m > 1, np.minimum(y, 0), y)
    lowest = float(np.linalg.eigvalsh(slopes - np.diag(y))[0])
    return value - float(np.sum(slopes * r)) + float(y.sum()) + len(y) * min(0.0, lowest)
