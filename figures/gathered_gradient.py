"""If features are gathered without gradient, the remaining gradient points elsewhere.

Each rank computes the loss of its own anchors and treats the rows that it received as constants, so that in (G +
Gᵀ) Z it has Gᵀ only for its own rows. Left: the angle between what is left and the gradient, all rows together
and along the sphere, at τ = 0.1, for rows that are drawn apart, for pairs whose views are near each other, and
for rows that have nearly collapsed. In such batches a step against it still lowers the loss, if by less. It need
not: the star is the refutation's batch, two pairs on two ranks, beyond 90°, where such a step raises the loss.
Right: the same angle on 64 ranks against the temperature. Where every rank computes the whole loss instead, the
angle is 0.

NT-Xent of 64 pairs, spread over ranks, both views of a pair on one. Lines and the dots in the markers are (G + Gᵀ
⊙ same rank) Z; markers are made of the library's slopes of one query against its keys, those by rows of other
ranks left out.
"""

import numpy as np
from matplotlib.figure import Figure
from scipy.special import softmax

from infonce_ref.losses import ntxent, query_key

from . import style

CLAIMS = ("R2", "M6")

PAIRS, FEATURES = 64, 16
RANKS = (1, 2, 4, 8, 16, 32, 64)
TEMPERATURE = 0.1
TEMPERATURES = np.geomspace(0.02, 2, 13)
BATCHES = ("drawn apart", "pairs near", "nearly collapsed")
# the counterexample of R2: on each rank the two views of an image, at τ = 1/(25 log 21/20)
WITNESS = np.array([(20, 15), (-15, 20), (20, 15), (24, -7)]) / 25
WITNESS_TEMPERATURE = 1 / (25 * np.log(21 / 20))


def batch(name: str) -> np.ndarray:
    """Unit rows, views concatenated."""
    rng = np.random.default_rng(1)
    first, second = rng.standard_normal((2, PAIRS, FEATURES))
    if name != "drawn apart":
        centre = np.eye(FEATURES)[0] * (6 if name == "nearly collapsed" else 0)
        first = centre + first
        second = first + 0.2 * second
    rows = np.concatenate([first, second])
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def rank_of(rows: int, ranks: int) -> np.ndarray:
    """The rank of each row, both views of a pair on one."""
    return np.tile(np.arange(rows // 2) * ranks // (rows // 2), 2)


def project(z: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    return gradient - z * np.sum(z * gradient, axis=1, keepdims=True)


def library(z: np.ndarray, tau: float, ranks: int) -> np.ndarray:
    """The sum over ranks: the derivative of each anchor's loss by itself and by the rows of its own rank."""
    n, rank = len(z), rank_of(len(z), ranks)
    partner = (np.arange(n) + n // 2) % n
    others = np.array([np.delete(np.arange(n), [i, partner[i]]) for i in range(n)])
    _, cache = query_key.forward(z, z[partner], z[others], temperature=tau)
    by_anchor, by_positive, by_negatives, _ = query_key.backward(cache)
    whole = np.array(by_anchor)
    np.add.at(whole, partner, np.where((rank == rank[partner])[:, None], by_positive, 0))
    np.add.at(whole, others, np.where((rank[:, None] == rank[others])[..., None], by_negatives, 0))
    return project(z, whole)


def closed_form(z: np.ndarray, tau: float, ranks: int) -> np.ndarray:
    """(G + Gᵀ ⊙ same rank) Z/(N τ), along the sphere.                                       [R2, M6]"""
    n, rank = len(z), rank_of(len(z), ranks)
    logits = np.where(np.eye(n, dtype=bool), -np.inf, z @ z.T / tau)
    g = softmax(logits, axis=1)
    g[np.arange(n), (np.arange(n) + n // 2) % n] -= 1
    return project(z, (g + g.T * (rank[:, None] == rank)) @ z) / (n * tau)


def angle(z: np.ndarray, tau: float, left: np.ndarray) -> float:
    """The angle between that sum and the gradient, in degrees."""
    _, cache = ntxent.forward(z, temperature=tau)
    full = ntxent.backward(cache).w
    cosine = np.sum(full * left) / (np.linalg.norm(full) * np.linalg.norm(left))
    return float(np.degrees(np.arccos(min(cosine, 1.0))))


def draw() -> Figure:
    figure, (of_ranks, of_temperature) = style.panels(2, height=4.0)
    for i, name in enumerate(BATCHES):
        z = batch(name)
        for axis, at, settings in (
            (of_ranks, RANKS, [(TEMPERATURE, ranks) for ranks in RANKS]),
            (of_temperature, TEMPERATURES, [(tau, RANKS[-1]) for tau in TEMPERATURES]),
        ):
            angles = []
            for tau, ranks in settings:
                found, closed = library(z, tau, ranks), closed_form(z, tau, ranks)
                # sums of 128 terms of size 1/(N τ); the logits' error is eps/τ [S3]
                style.require_close(found, closed, 0, 64 * style.EPS * np.max(np.abs(closed)) / tau)
                angles.append((angle(z, tau, found), angle(z, tau, closed)))
            measured, written = zip(*angles)
            axis.plot(at, measured, **style.line(i), label=name)
            axis.plot(at, measured, **style.marker(i))
            axis.plot(at, written, ".", color=style.BLACK, markersize=2.5, zorder=5)
    away = angle(WITNESS, WITNESS_TEMPERATURE, library(WITNESS, WITNESS_TEMPERATURE, 2))
    of_ranks.plot(2, away, color=style.BLACK, **style.PEAK)
    of_ranks.axhline(90, **style.RULE)
    of_ranks.set(title="Angle to the gradient (degrees)", xlabel="ranks", ylim=(-4, 180))
    of_ranks.set(yticks=(0, 45, 90, 135, 180))
    style.logarithmic(of_ranks, x=RANKS)
    of_ranks.legend(loc="upper right")
    of_temperature.set(title="The same on 64 ranks", xlabel="temperature τ", ylim=(-1, 30))
    style.logarithmic(of_temperature, x=(0.02, 0.1, 0.5, 2))
    return figure
