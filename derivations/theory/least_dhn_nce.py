"""The least loss of DHN-NCE, for every hardness: at hardness 0 as M31's, and no hardness lowers a row."""

from sympy import Integer, exp, log

from ..evidence.claims import claim
from ..evidence.pieces import Chain, Piece
from ..evidence.verdicts import Verdict
from ..losses import clip
from ..prover.inequality import Use, bound, nonnegative
from ..prover.notation import Definition, Differ, total
from ..prover.proof import DEFINITION, derive
from ..symbols import B, L, M, caption, d, ell, ell_back, f, i, image, j, tau
from .least_clip import FACTS, LENGTHS, PAIRS, STEP, step

LOGITS = Definition(clip.LOGITS.head, clip.LOGITS.body.xreplace({B: PAIRS}))


def other(term):
    """Σ over the other pairs."""
    return total(Differ(j, i) * term, (j, PAIRS))


ROW = Definition(ell[i], log(other(exp(L[i, j]))) - L[i, i])
BACK = Definition(ell_back[i], log(other(exp(L[j, i]))) - L[i, i])


@claim(
    "M34",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="DHN-NCE of B pairs, M being $B - 1$, with both hardnesses 0 has «floor.where ℓ» and"
    " «floor.where ℓ′» for a pair (M22). No mean of these is below twice $t + \\log M$: «floor», with"
    " «floor.where t», which for unit rows is $-B/((B - 1)τ)$. The loss stands above that by «above» at"
    " least, which is 0 only if image and text are one row and both views have the mean 0. No hardness"
    " lowers the loss of a row (M22), so the floor is that of every hardness. It is reached at M4's"
    " regular simplex, image and text in one corner: there every negative's logit is $t$ more than its"
    " pair's, all weights are 1 whatever the hardness, and each way costs «reached». That"
    " losses of this kind, DCL among them, are least at a simplex is shown in Bridging Mini-Batch and"
    " Asymptotic Analysis in Contrastive Learning (Koromilas et al., 2024); of this floor we know no source.",
    brief="No mean loss of DHN-NCE of B pairs, M being $B - 1$, is below twice $t + \\log M$, whatever"
    " the hardness: «floor», with «floor.where t», which for unit rows is $-B/((B - 1)τ)$. A regular"
    " simplex with image and text in one corner reaches it.",
)
def least_dhn_nce() -> dict[str, Piece]:
    """log M + the mean gap ≤ ℓ, by the lemma at M e^{x − ℓ}, which are 1 in the mean."""
    pairs = (i, PAIRS)
    mean = total(ell[i] + ell_back[i], pairs) / PAIRS
    gaps = L[i, j] - L[i, i] - ell[i], L[j, i] - L[i, i] - ell_back[i]
    views = total(
        (image[i, f] - caption[i, f] - image[j, f] + caption[j, f]) ** 2, (f, d), (i, PAIRS), (j, PAIRS)
    )
    centres = total(total(image[i, f], pairs) ** 2 + total(caption[i, f], pairs) ** 2, (f, d))
    above = (views / 2 + centres) / (M * PAIRS * tau)
    left = sum(total(other(exp(gap)) - 1, pairs) for gap in gaps) / PAIRS
    uses = [Use(Differ(j, i) / (PAIRS * M), M * exp(gap), ((j, PAIRS), pairs)) for gap in gaps]
    below = bound(2 * (log(M) + step) + above - mean, *uses, last=left, names=(LOGITS, STEP), facts=FACTS)
    nothing = derive(left, (DEFINITION, Integer(0)), names=(ROW, BACK), facts=FACTS)
    alike = derive(
        log(other(exp(step))), (DEFINITION, log(M) - LENGTHS / (2 * M * tau)), names=(STEP,), facts=FACTS
    )
    return {
        "floor": Chain((below, nothing, nonnegative(above)), both=mean - above),
        "above": nonnegative(above),
        "reached": alike,
    }
