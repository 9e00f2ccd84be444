"""The modality gap: images and texts can be far apart on the sphere at the same loss."""

from sympy import Expr, Integer, Symbol, exp, log, sqrt

from ..common.sphere import NORM, UNIT
from ..evidence.claims import claim
from ..evidence.pieces import Piece
from ..evidence.verdicts import Verdict
from ..losses import clip
from ..prover.inequality import nonnegative
from ..prover.notation import Definition, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import B, L, caption, colder, d, ell, f, g, i, image, j, k, tau, z
from ..symbols import siglip_bias as bias
from ..symbols import siglip_bias_gapped as bias_gapped

FACTS = Facts(ranges={i: B, j: B, k: B, f: d})

# Each image gets one more feature, γ, each text −γ, and the others become shorter by this factor.
apart, added = Symbol("γ", real=True), Symbol("x", real=True)
FACTOR = sqrt(1 - apart**2)
LOGIT = (total(FACTOR * image[i, g] * FACTOR * caption[j, g], (g, d)) - apart**2) / colder
BEFORE = clip.LOGITS.body
COLDER = Definition(colder, (1 - apart**2) * tau)
ADDED = apart**2 / colder


def prove(first: Expr, last: Expr, *names: Definition) -> Proof:
    return derive(first, (DEFINITION if names else SUMS, last), names=names, facts=FACTS)


@claim(
    "R10",
    verdict=Verdict.PROVED,
    says=r"Shorten all unit rows by the factor $\sqrt{1 - γ^2}$, $γ$ between -1 and 1, and give each image one"
    r" more feature $γ$ and each text $-γ$: the rows are unit again, «unit». The two modalities now lie apart,"
    r" with the squared distance «distance» between their means, the sum on the right being «distance sign». At"
    r" the temperature «logit.where τ′» the logits are «logit», with the same number off all, and the loss of a"
    r" pair, «loss.where ℓ», is what it was: «loss». So no loss of CLIP says how far apart the two modalities"
    r" are, but by its temperature. SigLIP's loss stays too, with the bias «bias.where b′»: «bias». That trained"
    r" models have such a gap was said in Mind the Gap (Liang et al., 2022); of this identity we know no source.",
)
def gap() -> dict[str, Piece]:
    row, column = (exp(L[i, i] - added) / total(exp(logit - added), (k, B)) for logit in (L[i, k], L[k, i]))
    means = (total(FACTOR * rows[i, f], (i, B)) / B for rows in (image, caption))
    across = total((next(means) - next(means)) ** 2, (f, d))
    one_more = total(apart, (i, B)) / B - total(-apart, (i, B)) / B
    shifted = Definition(bias_gapped, bias + ADDED)
    return {
        "unit": derive(
            total((FACTOR * z[i, f]) ** 2, (f, d)) + apart**2,
            (DEFINITION, Integer(1)),
            names=(NORM, UNIT),
            facts=FACTS,
        ),
        "distance": prove(across + one_more**2, across + 4 * apart**2),
        "distance sign": nonnegative(across),
        "logit": prove(LOGIT, BEFORE - ADDED, COLDER),
        "loss": prove(-(log(row) + log(column)) / 2, ell[i], clip.ROWS, clip.COLUMNS, clip.PAIR),
        "bias": prove(LOGIT + bias_gapped, BEFORE + bias, COLDER, shifted),
    }
