"""The spectral loss factors a matrix: the frequencies of pairs of samples."""

from sympy import sqrt

from ..evidence.claims import claim
from ..evidence.pieces import Piece
from ..evidence.verdicts import Verdict
from ..prover.notation import Definition, total
from ..prover.proof import DEFINITION, SUMS, derive
from ..prover.sums import Facts
from ..symbols import X2, X, a, d, f, g, i, j, joint_x, joint_y, k, loss, pair_chance, z1, z2

FACTS = Facts(ranges={i: X, j: X2, a: X2, k: X, f: d})

SIMILARITY = total(z1[i, f] * z2[j, f], (f, d))
POSITIVES = total(pair_chance[i, j] * SIMILARITY, (j, X2), (i, X))
NEGATIVES = total(joint_x[i] * joint_y[j] * SIMILARITY**2, (j, X2), (i, X))
LOSS = Definition(loss, NEGATIVES - 2 * POSITIVES)


@claim(
    "R11",
    verdict=Verdict.PROVED,
    says=r"With the chance $J^+$ of a pair of samples, and $J^x$ and $J^y$ of each sample by itself, «loss.where"
    r" 𝓛» is the loss of a batch in the mean over all batches of pairs drawn apart: its positives are drawn"
    r" together, and of two pairs the one's first view and the other's second have «apart», whose two sums are"
    r" $J^x$ and $J^y$. It is «loss»: the distance of a matrix from what d features can make, rows $\sqrt{J^x_i}"
    r" z_i$ of one view times rows $\sqrt{J^y_j} z'_j$ of the other, and a number that no encoder changes. So the"
    r" best encoder of d features is the best approximation of rank d. That was said, of one encoder, in Provable"
    r" Guarantees for Self-Supervised Deep Learning with Spectral Contrastive Loss (HaoChen et al., 2021).",
)
def factorisation() -> dict[str, Piece]:
    root = sqrt(joint_x[i] * joint_y[j])
    made = total(sqrt(joint_x[i]) * z1[i, g] * sqrt(joint_y[j]) * z2[j, g], (g, d))
    distance = total((pair_chance[i, j] / root - made) ** 2, (j, X2), (i, X))
    constant = total((pair_chance[i, j] / root) ** 2, (j, X2), (i, X))
    both = total(pair_chance[i, a] * pair_chance[k, j] * SIMILARITY**2, (k, X), (a, X2), (j, X2), (i, X))
    first, second = total(pair_chance[i, a], (a, X2)), total(pair_chance[k, j], (k, X))
    return {
        "loss": derive(loss, (DEFINITION, distance - constant), names=(LOSS,), facts=FACTS),
        "apart": derive(both, (SUMS, total(first * second * SIMILARITY**2, (j, X2), (i, X))), facts=FACTS),
    }
