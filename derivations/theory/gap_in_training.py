"""The modality gap under gradient descent: where it closes, where it opens, and its invariants."""

from collections.abc import Iterator
from fractions import Fraction

from ..evidence.kinds import Example, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Numbers, Rows
from ..losses import clip

# the softmax's expected score minus the pair's score: by its row, by its column
BY_ROW = "Σ_j P[i,j] s[i,j] - s[i,i]"
BY_COLUMN = "Σ_j Pᶜ[j,i] s[j,i] - s[i,i]"
GAPPED = given(
    "i j k < B; γ real",
    "L[i,j] := β ((1 - γ^2) s[i,j] - γ^2)",  # R10's rows: each cosine shrinks by 1 − γ² and falls by γ²
    *(clip.ROWS, clip.COLUMNS, clip.PAIR, clip.LOSS),
    f"𝓛ᵝ := (Σ_i ({BY_ROW} + {BY_COLUMN}))/(2 B)",
)
LEARNED = GAPPED.also("β := e^υ")
# the pair's own score minus the other scores, averaged under a softmax
SHORT_OF_ROW, SHORT_OF_COLUMN = (f"Σ_j 1[j ≠ i] {share} δ[i,j]" for share in ("P[i,j]", "Pᶜ[j,i]"))


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


claim("R20", "proved", GAPPED)(
    checked=r"Give images and texts R10's gap and keep the temperature: «gap.where L», so the scale that"
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
    gap="∂𝓛/∂γ = -2 γ β 𝓛ᵝ",
    scale=LEARNED("∂𝓛/∂υ = (1 - γ^2) β 𝓛ᵝ"),
    # no candidate of the row, or of the column, scores more than the pair's own
    row=GAPPED.also("s[i,j] := s⁺[i] - 1[j ≠ i] δ[i,j]")(f"{BY_ROW} = -{SHORT_OF_ROW}"),
    column=GAPPED.also("s[j,i] := s⁺[i] - 1[j ≠ i] δ[i,j]")(f"{BY_COLUMN} = -{SHORT_OF_COLUMN}"),
    row_sign=f"{SHORT_OF_ROW} ≥ 0",
    column_sign=f"{SHORT_OF_COLUMN} ≥ 0",
    # d/dt = 0 where γ moves by −∂𝓛/∂γ, or its angle so, and υ by −∂𝓛/∂υ
    flow=LEARNED("-(∂(γ e^(2 υ - γ^2/2))/∂γ ∂𝓛/∂γ + ∂(γ e^(2 υ - γ^2/2))/∂υ ∂𝓛/∂υ) = 0"),
    turning=LEARNED("-(∂(γ e^(2 υ))/∂γ (1 - γ^2) ∂𝓛/∂γ + ∂(γ e^(2 υ))/∂υ ∂𝓛/∂υ) = 0"),
    mistake=lambda: Example.at(
        "three images and texts, the third image nearer to the first text than to its own",
        one_mistake,
        scores=Rows([[1, 0, 0], [0, 1, 0], [Fraction(1, 2), 0, 0]]),
        bases=Numbers([2, 10]),
    ),
)
