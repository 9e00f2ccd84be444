"""Uniformity: the logarithm of the mean Gaussian kernel of all pairs of rows (document F)."""

from sympy import Integer, exp, log

from .. import symbols
from ..common import sphere
from ..common.statement import Statement, gradient
from ..evidence.claims import claim
from ..evidence.pieces import Piece
from ..evidence.verdicts import Verdict
from ..prover.inequality import positive
from ..prover.notation import Definition, Differ, total
from ..prover.proof import DEFINITION, SUMS, derive
from ..prover.sums import Facts
from ..symbols import N, closeness, d, f, g, i, j, k, loss, m, n, s, sharpness, squared, z

FACTS = Facts(ranges={i: N, j: N, k: N, f: d, g: d})

SQUARED = Definition(squared[i, j], total((z[i, f] - z[j, f]) ** 2, (f, d)))
KERNELS = total(Differ(m, n) * exp(-sharpness * squared[m, n]), (n, N), (m, N))
LOSS = Definition(loss, log(KERNELS / (N * (N - 1))))
CLOSENESS = Definition(closeness[i, j], Differ(i, j) * exp(-sharpness * squared[i, j]) / KERNELS)
NAMES = (SQUARED, LOSS, CLOSENESS)

BY_ROW = 4 * sharpness * total(closeness[k, j] * (z[j, f] - z[k, f]), (j, N))


def _bind(z, *, t) -> dict:
    return {N: len(z), d: len(z[0]), symbols.z: z, sharpness: t}


STATEMENT = Statement(
    loss="uniformity",
    form=loss,
    names=NAMES,
    gradients={"z": gradient(z[k, f], BY_ROW, "F20", loss=loss, names=NAMES, facts=FACTS)},
    bind=_bind,
)


@claim(
    "F19",
    printed=r"$\mathcal{L}_{uniform}(f; t) = \log \mathbb{E}_{x,y \sim p_{data}}[e^{-t\|f(x)-f(y)\|_2^2}]$,"
    r" $t > 0$",
    verdict=Verdict.DEFINITION,
    says="In a batch «loss», where «squared»: the mean over the «pairs» ordered pairs of rows, none paired"
    " with itself, is of positive numbers, «positive». Each pair is met twice, «mutual», so that the"
    " unordered pairs have the same mean. Of unit rows it is «cosine», what a softmax of their cosines divides by,"
    " at a temperature of half of one over $t_0$.",
)
def definition() -> dict[str, Piece]:
    names = (SQUARED, LOSS, sphere.NORM, sphere.UNIT, sphere.COSINE)
    cosines = total(Differ(m, n) * exp(2 * sharpness * s[m, n]), (n, N), (m, N)) / (N * (N - 1))
    return {
        "loss": LOSS,
        "squared": SQUARED,
        "pairs": derive(total(Differ(i, j), (j, N), (i, N)), (SUMS, N * (N - 1)), facts=FACTS),
        "positive": positive(exp(-sharpness * squared[i, j])),
        "mutual": derive(squared[i, j], (DEFINITION, squared[j, i]), names=NAMES, facts=FACTS),
        "cosine": derive(exp(loss), (DEFINITION, exp(-2 * sharpness) * cosines), names=names, facts=FACTS),
    }


@claim(
    "F20",
    verdict=Verdict.PROVED,
    says="«z», where «z.where κ̂»: every row is pushed from every other, by their share and their distance."
    " The shares sum to 1, «shares», and the batch as a whole is not moved, «together».",
)
def gradients() -> dict[str, Piece]:
    return {
        "z": STATEMENT.gradients["z"].prove(),
        "shares": derive(
            total(closeness[i, j], (j, N), (i, N)), (DEFINITION, Integer(1)), names=NAMES, facts=FACTS
        ),
        "together": derive(total(BY_ROW, (k, N)), (DEFINITION, Integer(0)), names=NAMES, facts=FACTS),
    }
