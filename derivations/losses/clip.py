"""CLIP: images and their texts, each classified among all the others (named in document D3)."""

from collections.abc import Mapping
from typing import Any

from ..common.masks import name_form
from ..common.statement import Statement
from ..common.weights import choose, state
from ..evidence.kinds import Empirical
from ..evidence.plain import claim, given
from ..prover.notation import unfold
from ..prover.proof import DEFINITION, Proof, derive
from ..symbols import B, caption, image, loss

RANGES = "i j k Σ_m < B; f g < d"
CLIP = given(
    RANGES,
    "L[i,j] := (Σ_g I[i,g] T[j,g])/τ",
    "P[i,j] := e^L[i,j] / Σ_k e^L[i,k]",
    "Pᶜ[i,j] := e^L[i,j] / Σ_k e^L[k,j]",
    "ℓ[i] := -(log(P[i,i]) + log(Pᶜ[i,i]))/2",
    "𝓛 := (Σ_i ℓ[i])/B",
    "G[i,j] := P[i,j] + Pᶜ[i,j] - 2 1[i = j]",
)
FACTS, NAMES = CLIP.facts, CLIP.names
LOGITS, ROWS, COLUMNS, PAIR, LOSS, ERROR = NAMES
# the same G, with 2 − P_ii − Pᶜ_ii written as the sum of the other probabilities [S2]
OTHERS = "(Σ_m 1[m ≠ i] (P[i,m] + Pᶜ[m,i]))"
SAFE = CLIP.also(f"G[i,j] := 1[i ≠ j] (P[i,j] + Pᶜ[i,j]) - 1[i = j] {OTHERS}")
# the row of a pair and its column with its weight
WEIGHTED_ERROR = CLIP.define(f"G[i,j] := 1[i ≠ j] (ω[i] P[i,j] + ω[j] Pᶜ[i,j]) - 1[i = j] ω[i] {OTHERS}")
GRADIENTS = {  # M17
    "image": "∂𝓛/∂I[k,f] = (Σ_j G[k,j] T[j,f])/(2 B τ)",
    "text": "∂𝓛/∂T[k,f] = (Σ_i G[i,k] I[i,f])/(2 B τ)",
    "temperature": "∂𝓛/∂τ = -(Σ_ij G[i,j] L[i,j])/(2 B τ)",
}

claim("M17", "proved", CLIP)(
    checked="The loss is the mean of the cross-entropies of the rows and of the columns of the logits."
    " «logits.chain», where «rows» and «columns». So «image» and «text»; and «scale», the temperature being"
    " $e^{-υ}$.",
    logits="∂𝓛/∂L[i,j] = (P[i,j] + Pᶜ[i,j] - 2 1[i = j])/(2 B) = G[i,j]/(2 B)",
    rows="Σ_j P[i,j] = 1",
    columns="Σ_i Pᶜ[i,j] = 1",
    image=GRADIENTS["image"],
    text=GRADIENTS["text"],
    scale=CLIP.also("τ := e^-υ")("∂𝓛/∂υ = (Σ_ij G[i,j] L[i,j])/(2 B)"),
)


def _exchange() -> Proof:
    exchanged = unfold(loss, NAMES).xreplace({image: caption, caption: image})
    return derive(loss, (DEFINITION, exchanged), names=NAMES, facts=FACTS)


claim("D3.47", "no theorem", CLIP)(
    printed="Rotation; Image Colorization; Jigsaw Puzzles; Context Prediction; (2) Create dataset classifier from"
    " label text",
    checked="«title»; the last is from the paper on CLIP.",
    correction="What can be proved is the gradient of that paper's loss (M17), and that in it images and texts may"
    " be exchanged: «exchange».",
    title=lambda: Empirical("Titles of slides, without a formula"),
    exchange=_exchange,
)


STATEMENT = state("clip", SAFE, SAFE.gradients(GRADIENTS, "M17"), WEIGHTED_ERROR, rows=B, divisor=B)

# with a mask: a score that is left out is missing from its row and from its column
KEPT = given(f"{RANGES}; Yᵏ is 0 or 1", *SAFE.names).also(
    "P[i,j] := (1[i = j] + 1[i ≠ j] Yᵏ[i,j]) e^L[i,j]/(e^L[i,i] + Σ_k 1[k ≠ i] Yᵏ[i,k] e^L[i,k])",
    "Pᶜ[i,j] := (1[i = j] + 1[i ≠ j] Yᵏ[i,j]) e^L[i,j]/(e^L[j,j] + Σ_k 1[k ≠ j] Yᵏ[k,j] e^L[k,j])",
)
STATEMENTS = {
    "": STATEMENT,
    "masked": state("clip", KEPT, KEPT.gradients(GRADIENTS, "M39"), WEIGHTED_ERROR, rows=B, divisor=B),
}


# the rows alone: what most libraries call InfoNCE
ROWS_ALONE = CLIP.without("Pᶜ").also("ℓ[i] := -log(P[i,i])", "G[i,j] := P[i,j] - 1[i = j]")
REST = "(Σ_m 1[m ≠ i] P[i,m])"
SAFE_ROWS = ROWS_ALONE.also(f"G[i,j] := 1[i ≠ j] P[i,j] - 1[i = j] {REST}")  # [S2]
WEIGHTED_ROW = CLIP.define(f"G[i,j] := ω[i] (1[i ≠ j] P[i,j] - 1[i = j] {REST})")
GRADIENTS_OF_ROWS = {name: said.replace("/(2 B", "/(B") for name, said in GRADIENTS.items()}
ROW_FORMS = {"rows alone": SAFE_ROWS, "masked rows alone": KEPT.only().also(*SAFE_ROWS.also(KEPT["P"]).names)}
STATEMENTS |= {
    form: state("clip", here, here.gradients(GRADIENTS_OF_ROWS, "M41"), WEIGHTED_ROW, rows=B, divisor=B)
    for form, here in ROW_FORMS.items()
}


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The mean, as printed, over all candidates or those that a mask keeps; the sum has weights 1."""
    rows_alone = "" if arguments.get("symmetric", True) else "rows alone"
    of = STATEMENTS[f"{name_form(arguments)} {rows_alone}".strip()]
    return choose(of, arguments, printed=("mean",))


claim("M39", "proved", KEPT)(
    checked="With a mask, $Y^k$ being 1 where a score is kept (M36), one that is left out is missing from its row"
    " and from its column: «image.where P» and «image.where Pᶜ», where pairs always stay. The gradients are the"
    " same as without: «image», «text» and «temperature», where «image.where G».",
    brief="With a mask, $Y^k$ being 1 where a score is kept, one that is left out is missing from its row and from"
    " its column, «image.where P», and the gradients are the same as without: «image».",
    **GRADIENTS,
)

claim("M41", "proved", ROWS_ALONE)(
    checked="The rows alone, «logits.where ℓ», are what most libraries call InfoNCE, of unit rows: which of all"
    " texts belongs to the image? «logits.chain», where «rows»; so «image», «text» and «temperature», where"
    " «image.where G».",
    brief="The rows alone, «logits.where ℓ», are what most libraries call InfoNCE, of unit rows: «image» and"
    " «text», where «image.where G».",
    logits="∂𝓛/∂L[i,j] = (P[i,j] - 1[i = j])/B = G[i,j]/B",
    rows="Σ_j P[i,j] = 1",
    **GRADIENTS_OF_ROWS,
)
