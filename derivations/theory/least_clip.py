"""The least loss of CLIP: as M4's, by log x ≤ x − 1 at equal gaps."""

from sympy import Integer, Symbol, exp, log

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Piece
from ..evidence.verdicts import Verdict
from ..losses import clip
from ..prover.inequality import Use, bound, nonnegative
from ..prover.notation import Definition, Differ, total
from ..prover.proof import DEFINITION, derive
from ..prover.sums import Facts
from ..symbols import B, L, M, caption, d, ell, f, g, i, image, j, k, level, tau

PAIRS = M + 1  # a pair, and M others
FACTS = Facts(ranges={i: PAIRS, j: PAIRS, k: PAIRS, f: d, g: d})
step = Symbol("t", real=True)
LENGTHS = total(image[i, f] ** 2 + caption[i, f] ** 2, (f, d), (i, PAIRS))
STEP = Definition(step, -LENGTHS / (2 * M * tau))
LEVEL = Definition(level, 1 + M * exp(step))
NAMES = tuple(
    Definition(name.head, name.body.xreplace({B: PAIRS})) for name in (*clip.NAMES[:4], STEP, LEVEL)
)


def least_of_clip() -> Chain:
    """log Λ + e^t (Σ gaps − t)/(BΛ) ≤ the mean of ℓ, and the gaps have a mean of at least t."""
    over = ((i, PAIRS),)
    uses = []
    for of in (lambda k: L[i, k], lambda k: L[k, i]):  # the row of a pair, and its column
        whole = total(exp(of(k) - L[i, i]), (k, PAIRS))
        uses.append(Use(1 / (2 * PAIRS * level), level, over, whole))
        weight = Differ(j, i) * exp(step) / (2 * PAIRS * level)
        uses.append(Use(weight, level * exp(of(j) - L[i, i] - step), ((j, PAIRS), *over), whole))
    views = total(
        (image[i, f] - caption[i, f] - image[j, f] + caption[j, f]) ** 2, (f, d), (i, PAIRS), (j, PAIRS)
    )
    centres = total(total(image[i, f], *over) ** 2 + total(caption[i, f], *over) ** 2, (f, d))
    above = exp(step) * (views / 4 + centres / 2) / (PAIRS * tau * level)
    mean = total(ell[i], *over) / PAIRS
    below = bound(log(level) + above - mean, *uses, last=Integer(0), names=NAMES, facts=FACTS)
    return Chain((below, nonnegative(above)), both=mean - above)


@claim(
    "M30",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="No mean loss of CLIP, of B pairs, M being $B - 1$, is below the logarithm of $Λ$: «floor», with"
    " «floor.where Λ» and «floor.where t». For unit rows the sum is 2B, and $t$ is $-B/((B - 1)τ)$. The loss stands"
    " above it by «apart» at least, which is 0 only if each text differs from its image by the same vector and both"
    " views have the mean 0. If every negative's logit is $t$ more than its pair's, both sides are equal:"
    " «reached». So they are where image and text are one row and the images form M4's regular simplex.",
)
def least_loss() -> dict[str, Piece]:
    below = least_of_clip()
    odds = total(Differ(j, i) * exp(step), (j, PAIRS))
    return {
        "floor": below,
        "apart": below.links[1],
        "reached": derive(1 + odds, (DEFINITION, level), names=NAMES, facts=FACTS),
    }
