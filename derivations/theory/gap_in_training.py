"""The modality gap under gradient descent: where it closes, where it opens, and its invariants."""

from collections.abc import Iterator
from fractions import Fraction

from sympy import Expr, Integer, exp

from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, example
from ..evidence.points import Numbers, Rows
from ..evidence.verdicts import Verdict
from ..losses import clip
from ..prover.inequality import nonnegative
from ..prover.notation import Definition, Differ, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, Proof, derive
from ..symbols import B, L, P, beta, columns, i, j, log_scale, loss, own_score, s, short
from ..symbols import slope_of_clip as slope
from .modality_gap import apart

# R10's rows: each cosine shrinks by 1 − γ² and falls by γ².
GAPPED = Definition(L[i, j], beta * ((1 - apart**2) * s[i, j] - apart**2))
SCALE = Definition(beta, exp(log_scale))

# the softmax's expected score minus the pair's score: by its row, by its column
BY_ROW = total(P[i, j] * s[i, j], (j, B)) - s[i, i]
BY_COLUMN = total(columns[j, i] * s[j, i], (j, B)) - s[i, i]
SLOPE = Definition(slope, total(BY_ROW + BY_COLUMN, (i, B)) / (2 * B))
NAMES = (GAPPED, clip.ROWS, clip.COLUMNS, clip.PAIR, clip.LOSS, SLOPE)
LEARNED = (*NAMES, SCALE)


def prove(first: Expr, last: Expr, names: tuple[Definition, ...] = NAMES) -> Proof:
    return derive(first, (DERIVATIVE, last), names=names, facts=clip.FACTS)


def short_of(share: Expr) -> Expr:
    """The pair's own score minus the other scores, averaged under a softmax."""
    return total(Differ(j, i) * share * short[i, j], (j, B))


def ahead(part: Expr, share: Expr, score: Expr) -> Proof:
    """The part of 𝓛ᵝ from a row or column in which no candidate scores more than the pair's own."""
    scored = Definition(score, own_score[i] - Differ(j, i) * short[i, j])
    return derive(part, (DEFINITION, -short_of(share)), names=(*NAMES, scored), facts=clip.FACTS)


def along_the_flow(constant: Expr, by_gap: Expr) -> Proof:
    """d(constant)/dt = 0 where γ moves by −`by_gap` and υ by −∂𝓛/∂υ."""
    moved = Partial(constant, apart) * by_gap + Partial(constant, log_scale) * Partial(loss, log_scale)
    return prove(-moved, Integer(0), LEARNED)


def one_mistake(scores: Rows, bases: Numbers) -> Iterator[Finding]:
    """The slope of 2B 𝓛ᵝ at scales β = 2 log b, so that e^{βs} = b^{2s}."""
    square = [[int(2 * score) for score in row] for row in scores]
    for b, sign in zip(bases, "<>", strict=True):
        slope = Fraction(0)
        for table in (square, list(zip(*square, strict=True))):
            for n, row in enumerate(table):
                weights = [b**score for score in row]
                expected = sum(w * score for w, score in zip(weights, row, strict=True)) / sum(weights)
                slope += (expected - row[n]) / 2
        yield Finding(slope, sign, 0, (f"2B 𝓛ᵝ where e^(β(1 − γ²)/2) is {b}", ""))


@claim(
    "R20",
    verdict=Verdict.PROVED,
    says=r"Give images and texts R10's gap and keep the temperature: «gap.where L», so the scale that"
    r" the logits have in effect is $β(1 - γ^2)$. With «gap.where P», «gap.where Pᶜ» and "
    r"«gap.where 𝓛ᵝ», the slope of CLIP's loss by the scale in effect (R1), the slope by the gap is «gap»"
    r": descent closes the gap where the slope 𝓛ᵝ is negative, and opens it where it is positive. Let"
    r" no other text of a row and no other image of a column score more than the pair, «row.where s» in"
    r" the row and «column.where s» in the column. Then the row's part of 𝓛ᵝ is «row», the column's"
    r" «column», and neither is positive, «row sign» and «column sign». So a batch without mistakes never"
    r" opens the gap, and closes it unless all its scores tie. A batch with mistakes opens it while the"
    r" scale in effect is above the one at which 𝓛ᵝ is 0: «mistake». By the logarithm $υ$ of the scale the"
    r" slope is «scale». If $γ$ and $υ$ both descend by their slopes, «flow»: $γe^{2υ - γ^2/2}$ stays"
    r" constant. If the rows turn and the angle descends of which $γ$ is the sine, «turning»: then it is"
    r" $γe^{2υ}$, and the gap shrinks as the square of the temperature. That a learned temperature lets the"
    r" gap close no faster than one over the square of the logarithm of time was shown in Explaining and"
    r" Mitigating the Modality Gap (Yaras et al., 2024); of the two constants we know no source.",
    brief=r"Give images and texts R10's gap $γ$ and keep the temperature: the scale that the logits have in effect"
    r" is $β(1 - γ^2)$. With 𝓛ᵝ for the slope of CLIP's loss by it (R1), the slope by the gap is «gap»: descent"
    r" closes the gap where 𝓛ᵝ is negative, which it is without mistakes unless all scores tie, and opens it"
    r" where a batch with mistakes has too large a scale. If the logarithm of the scale is learned as well, and"
    r" the rows turn by an angle of which $γ$ is the sine, the gap shrinks as the square of the temperature.",
)
def gap_in_training() -> dict[str, Piece]:
    by_gap, turning = Partial(loss, apart), (1 - apart**2) * Partial(loss, apart)
    return {
        "gap": prove(by_gap, -2 * apart * beta * slope),
        "scale": prove(Partial(loss, log_scale), (1 - apart**2) * beta * slope, LEARNED),
        "row": ahead(BY_ROW, P[i, j], s[i, j]),
        "column": ahead(BY_COLUMN, columns[j, i], s[j, i]),
        "row sign": nonnegative(short_of(P[i, j]), names=NAMES),
        "column sign": nonnegative(short_of(columns[j, i]), names=NAMES),
        "flow": along_the_flow(apart * exp(2 * log_scale - apart**2 / 2), by_gap),
        "turning": along_the_flow(apart * exp(2 * log_scale), turning),
        "mistake": example(
            "three images and texts, the third image nearer to the first text than to its own",
            one_mistake,
            scores=Rows([[1, 0, 0], [0, 1, 0], [Fraction(1, 2), 0, 0]]),
            bases=Numbers([2, 10]),
        ),
    }
