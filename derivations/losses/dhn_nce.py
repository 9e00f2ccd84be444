"""DHN-NCE: images and texts, each pair against its hard negatives, the positive in no denominator (document D4).

The mask O, 0 on the diagonal and 1 off it, writes Σ over j ≠ i as Σ_j O_ij. Most proofs only use that it is 0 or 1;
proofs of a sign take one negative, o(i), out of the sum.
"""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from ..common.statement import Statement
from ..common.weights import state
from ..evidence.plain import Given, Said, claim, given
from ..prover.notation import Definition
from ..symbols import B, off_diagonal


def of_text(said: str) -> str:
    """The same of a text: its row is a column of the logits [D4.4]."""
    transposed = re.sub(r"(L°?)\[([^,]*),([^]]*)\]", r"\1[\3,\2]", said)
    return re.sub("([WQρℓ])", r"\1′", transposed).replace("β₁", "β₂")


WEIGHT = "W[i,j] := (B - 1) e^(β₁ L[i,j]) / Σ_m O[i,m] e^(β₁ L[i,m])"  # used only for j ≠ i [D4.3, D4.5]
ROW = "ℓ[i] := log(Σ_m O[i,m] e^L[i,m] W[i,m]) - L[i,i]"  # [D4.2]
# the share of each negative in the weighted sum of its row, and in the weights
SHARE = "Q[i,j] := O[i,j] e^((1 + β₁) L[i,j]) / Σ_m O[i,m] e^((1 + β₁) L[i,m])"
WEIGHT_SHARE = "ρ[i,j] := O[i,j] e^(β₁ L[i,j]) / Σ_m O[i,m] e^(β₁ L[i,m])"
# what the negatives add to ∂ℓ_i/∂L_ij, and to that of a text, the weights differentiated
FORTH = "(1 + β₁) Q[i,j] - β₁ ρ[i,j]"
BACK = "(1 + β₂) Q′[j,i] - β₂ ρ′[j,i]"
RANGES = "i j k l Σ_m < B; f g < d; c real"

DIFFERENTIATED = given(
    f"{RANGES}; O is 0 or 1",
    "S[i,j] := Σ_f I[i,f] T[j,f]",  # [D4.7]
    "L[i,j] := S[i,j]/τ",
    *(WEIGHT, of_text(WEIGHT), ROW, of_text(ROW)),
    "𝓛 := (Σ_i ℓ[i] + Σ_i ℓ′[i])/ν",  # [D4.1]
    *(SHARE, WEIGHT_SHARE, of_text(SHARE), of_text(WEIGHT_SHARE)),
    f"G[i,j] := {FORTH} + {BACK} - 2·1[i = j]",  # ν ∂𝓛/∂L [M20]
)
HELD_WEIGHT = WEIGHT.replace("L", "L°")  # by the same logits, which no derivative sees
HELD_SHARE = "Q[i,j] := O[i,j] e^L[i,j] W[i,j] / Σ_m O[i,m] e^L[i,m] W[i,m]"
CONSTANT = (
    DIFFERENTIATED.without("ρ", "ρ′")
    .also(HELD_WEIGHT, of_text(HELD_WEIGHT), HELD_SHARE, of_text(HELD_SHARE))
    .also("G[i,j] := Q[i,j] + Q′[j,i] - 2·1[i = j]")
    .first("L°[i,j] := (Σ_f I°[i,f] T°[j,f])/τ°")
)
# the same where each pair has a weight, for its image's row and for its text's
WEIGHTED_DIFFERENTIATED = DIFFERENTIATED.define(f"G[i,j] := ω[i] ({FORTH}) + ω[j] ({BACK}) - 2 ω[i] 1[i = j]")
WEIGHTED_CONSTANT = CONSTANT.define("G[i,j] := ω[i] Q[i,j] + ω[j] Q′[j,i] - 2 ω[i] 1[i = j]")
BY_LOGIT = "(1 + β₁) Q[i,l] - β₁ ρ[i,l] - 1[i = l]"  # ∂ℓ_i/∂L_il, the weights differentiated


def use_mask(loss: Given) -> Given:
    """The same with the values of the mask, and a negative o(i)."""
    where = f"{RANGES}; o: B → B; o(i) ≠ i"
    return given(where, *loss.names, "O[i,j] := 1[i ≠ j]")


def at_logits(loss: Given) -> Given:
    """The same with the values of the mask, at given logits."""
    return use_mask(loss.without("S", "L", "L°"))


MASKED, HELD = use_mask(DIFFERENTIATED), use_mask(CONSTANT)

# Σ_{j≠i} e^{(1+β)L_ij} / (e^{L_ii} Σ_{j≠i} e^{βL_ij}): what B − 1 multiplies in e^{ℓ_i}
RATIO = "e^(-L[i,i]) (Σ_m O[i,m] e^((1 + β₁) L[i,m])) / Σ_m O[i,m] e^(β₁ L[i,m])"
OTHERS = "1[m ≠ i] 1[m ≠ o(i)]"  # the negatives but o(i)
SPLIT = f"e^(c L[i,o(i)]) + Σ_m {OTHERS} e^(c L[i,m])"

claim("D4.1", "definition", DIFFERENTIATED)(
    printed=r"We are given the loss $\mathcal{L} = \mathcal{L}^{v \rightarrow t} + \mathcal{L}^{t"
    r" \rightarrow v}$, with hyperparameters $\gamma$, $\beta_1$, $\beta_2$",
    checked="Both directions are added, «loss», a sum over the batch, «rows»: $ν$ is 1, and no mean. A row has"
    " «negatives» negatives, so that one pair alone has the log of an empty sum. $γ$ is $τ$ here.",
    loss="𝓛",
    rows=DIFFERENTIATED.without("ℓ", "ℓ′")("𝓛 = (Σ_i (ℓ[i] + ℓ′[i]))/ν"),
    negatives="Σ_m 1[m ≠ i] = B - 1",
)

claim("D4.2", "definition", DIFFERENTIATED)(
    printed=r"$\mathcal{L}^{v \rightarrow t} = - \sum_{i=1}^B \frac{\mathbf{I}_{p_i}^T"
    r" \mathbf{T}_{p_i}}{\gamma} + \sum_{i=1}^B \log \left(\sum_{j \neq i} \exp"
    r" \left(\frac{\mathbf{I}_{p_i}^T \mathbf{T}_{p_j}}{\gamma} \right) W_{\mathbf{I}_{p_i}"
    r" \mathbf{T}_{p_j}}^{v \rightarrow t} \right)$",
    checked="The loss of an image leaves its own text out of the sum, whose other terms have weights, «row» with"
    " the weights of D4.3: «ratio». From two pairs on that is the log of a positive number, for with $o(i)$ any"
    " negative «sum», and «positive». The positive stands in no denominator (decoupled), so that the loss can be"
    " negative: «negative».",
    row="ℓ[i]",
    ratio=f"e^ℓ[i] = (B - 1) {RATIO}",
    sum=MASKED.without("L")(f"Σ_m O[i,m] e^(c L[i,m]) = {SPLIT}"),
    positive=f"{SPLIT} > 0",
    negative=at_logits(DIFFERENTIATED).holds(
        "the loss can be negative",
        "𝓛 < 0",
        {"B": 2, "L": [[1, 0], [0, 1]], "β₁": 1, "β₂": 1, "ν": Fraction(1)},
    ),
)


def factor(of: Callable[[str], str]) -> dict[str, Said]:
    """The factor before the weights of a row, of an image or of a text."""
    weight, term = of("W[i,j]"), of("e^(β₁ L[i,j]) / Σ_m O[i,m] e^(β₁ L[i,m])")
    beta = of("β₁")
    printed = DIFFERENTIATED.without("L").also(f"{weight} := ({beta} - 1) {term}")
    right, wrong = at_logits(DIFFERENTIATED), at_logits(printed)
    soft = of("Σ_m O[i,m] e^L[i,m] W[i,m] > 0")
    total = of("Σ_m O[i,m] W[i,m]")
    at = {"B": 3, "L": [[2, 1, 0], [0, 1, 1], [1, 0, 2]], "i": 0}
    return {
        "printed_": right.fails(f"{weight} = ({beta} - 1) {term}", at | {beta: 2, "j": 1}),
        "printed sum": printed(f"{total} = {beta} - 1"),
        "soft": wrong.fails(soft, at | {beta: 0}),
        "one": wrong.fails(soft, at | {beta: 1}),
        "printed row": printed(of(f"e^ℓ[i] = (β₁ - 1) {RATIO}")),
        "row": of(f"e^ℓ[i] = (B - 1) {RATIO}"),
        "weights": weight,
        "sum": f"{total} = B - 1",
        "flat": use_mask(DIFFERENTIATED.without("L").also(f"{beta} := 0"))(f"{weight} = 1"),
    }


def _factor(weight: str) -> str:
    return (
        f"The weights of a row sum to the factor in front, as printed, «printed sum.where {weight}», «printed sum»,"
        " which must be the number of negatives. Printed, «printed row», instead of «row». So for a hardness below"
        " 1 the log is of a negative number, for 1 of 0, while it needs «soft»; above, the loss of each row is a"
        " constant off, and has the right gradient."
    )


_RIGHT_FACTOR = "«weights», as the notes print further on: «sum», and for a hardness of 0 «flat»."
_FACTOR_IN_BRIEF = (
    "The weights of a row must sum to the number of its negatives, «sum»; the printed factor makes that"
    " «printed sum». For a hardness below 1 the logarithm would be of a negative number, for 1 of 0; above, the"
    " loss of each row is a constant off, and has the right gradient."
)


claim("D4.3", "corrected", DIFFERENTIATED)(
    printed=r"$W_{\mathbf{I}_{p_i} \mathbf{T}_{p_j}}^{v \rightarrow t} = (\beta_1 - 1) \cdot \frac{\exp \left("
    r"\frac{\beta_1 \mathbf{I}_{p_i}^T \mathbf{T}_{p_j}}{\gamma} \right)}{\sum_{k \neq i} \exp \left("
    r"\frac{\beta_1 \mathbf{I}_{p_i}^T \mathbf{T}_{p_k}}{\gamma} \right)}$",
    checked=_factor("W"),
    correction=_RIGHT_FACTOR,
    brief=_FACTOR_IN_BRIEF,
    **factor(str),
)

claim("D4.5", "corrected", DIFFERENTIATED)(
    printed=r"$W_{\mathbf{T}_{p_i} \mathbf{I}_{p_j}}^{t \rightarrow v} = (\beta_2 - 1) \cdot \frac{\exp \left("
    r"\frac{\beta_2 \mathbf{T}_{p_i}^T \mathbf{I}_{p_j}}{\gamma} \right)}{\sum_{k \neq i} \exp \left("
    r"\frac{\beta_2 \mathbf{T}_{p_i}^T \mathbf{I}_{p_k}}{\gamma} \right)}$",
    checked=_factor("W′"),
    correction=_RIGHT_FACTOR,
    brief=_FACTOR_IN_BRIEF,
    **factor(of_text),
)

claim("D4.4", "definition", DIFFERENTIATED)(
    printed=r"$\mathcal{L}^{t \rightarrow v} = - \sum_{i=1}^B \frac{\mathbf{T}_{p_i}^T"
    r" \mathbf{I}_{p_i}}{\gamma} + \sum_{i=1}^B \log \left(\sum_{j \neq i} \exp"
    r" \left(\frac{\mathbf{T}_{p_i}^T \mathbf{I}_{p_j}}{\gamma} \right) W_{\mathbf{T}_{p_i}"
    r" \mathbf{I}_{p_j}}^{t \rightarrow v} \right)$",
    checked="The loss of a text is that of an image with both exchanged, «row»: as «swapped», it is D4.2 of the"
    " transposed scores, with the other hardness, «ratio».",
    row="ℓ′[i]",
    swapped="Σ_f T[i,f] I[j,f] = S[j,i]",
    ratio=of_text(f"e^ℓ[i] = (B - 1) {RATIO}"),
)

BY_IMAGE = "∂𝓛/∂I[k,f] = (Σ_j G[k,j] T[j,f])/(ν τ)"
BY_TEXT = "∂𝓛/∂T[k,f] = (Σ_i G[i,k] I[i,f])/(ν τ)"
BY_TEMPERATURE = "∂𝓛/∂τ = -(Σ_ij G[i,j] L[i,j])/(ν τ)"

claim("M20", "proved", DIFFERENTIATED)(
    checked="The loss of an image by the logits, where the weights are differentiated, «row.where W»: «row». $ρ$"
    " is the share of each negative in the weights, «weight», and $Q$ that in the weighted sum, «share.where Q»:"
    " so «share», which «row.where Q» takes for its definition. Where the weights are held constant,"
    " «held.where W» and «held.where Q»: «held». Each row sums to 0: «sum», «held sum». With both directions"
    " «both», the texts' part in $G$ transposed, and so"
    " «image» and «text».",
    row=f"∂ℓ[i]/∂L[k,l] = 1[i = k] ({BY_LOGIT})",
    weight="O[i,j] W[i,j] = (B - 1) ρ[i,j]",
    share=DIFFERENTIATED.also(HELD_SHARE)(SHARE.replace(":=", "=")),
    held=CONSTANT("∂ℓ[i]/∂L[k,l] = 1[i = k] (Q[i,l] - 1[i = l])"),
    sum=f"Σ_l ({BY_LOGIT}) = 0",
    held_sum=CONSTANT("Σ_l (Q[i,l] - 1[i = l]) = 0"),
    both="∂𝓛/∂L[k,l] = G[k,l]/ν",
    image=BY_IMAGE,
    text=BY_TEXT,
)

# 1 over the share of the negative o(i): a sum of positive numbers
BY_WEIGHT = f"1 + Σ_m {OTHERS} (e^(β₁ L[i,m])/e^(β₁ L[i,o(i)]))"
BY_HELD = f"1 + Σ_m {OTHERS} (e^L[i,m] e^(β₁ L°[i,m])/(e^L[i,o(i)] e^(β₁ L°[i,o(i)])))"

claim("M21", "proved", MASKED)(
    checked="Of a negative $o(i)$ of image i: «slope», where «slope.where W» and «slope.where Q», and $ρ$ as in"
    " M20. What is before the bracket is positive, as «share» is. So a step against the gradient of this row"
    " pulls the two together, though they are no pair, iff the bracket is negative; and that happens, «easy»."
    " In the whole loss the pulls of both directions add up, «both», where «both.where W′» and «both.where"
    " Q′». With constant weights every negative is repelled, in each direction: where «push.where W» and"
    " «push.where Q», «push», positive as «push share» is, and where «push back.where W′» and «push back.where"
    " Q′», «push back», positive as «push back share» is.",
    slope="∂ℓ[i]/∂L[i,o(i)] = (1 + β₁) ρ[i,o(i)] (Q[i,o(i)]/ρ[i,o(i)] - β₁/(1 + β₁))",
    share=f"1/ρ[i,o(i)] = {BY_WEIGHT}",
    positive=f"{BY_WEIGHT} > 0",
    easy=at_logits(DIFFERENTIATED).holds(
        "an easy negative",
        "(1 + β₁) Q[0,2] - β₁ ρ[0,2] < 0",
        {"B": 3, "L": [[2, 2, 0], [0, 1, 1], [1, 0, 2]], "β₁": 1},  # negatives with the logits 2 and 0
    ),
    both=DIFFERENTIATED("∂𝓛/∂L[k,l] = G[k,l]/ν"),
    push=HELD("∂ℓ[i]/∂L[i,o(i)] = Q[i,o(i)]"),
    push_share=HELD(f"1/Q[i,o(i)] = {BY_HELD}"),
    push_positive=f"{BY_HELD} > 0",
    push_back=HELD("∂ℓ′[i]/∂L[o(i),i] = Q′[i,o(i)]"),
    push_back_share=HELD(of_text(f"1/Q[i,o(i)] = {BY_HELD}")),
    push_back_positive=of_text(f"{BY_HELD} > 0"),
)

BY_SHARES = "Σ_j (Q[i,j] - ρ[i,j]) L[i,j]"
PAIR = "ρ[i,j] ρ[i,m]/(2 (Σ_m ρ[i,m] e^L[i,m]))"
# x^β (1 + β(1 − x)) ≤ 1 is the lemma twice, at x^−β and at x
X = "e^(L[i,m] - L[i,o(i)])"
GAP = "(1 - e^(ℓ[i] + L[i,i] - L[i,o(i)])/(B - 1))"
FROM_ONE = f"Σ_m ρ[i,o(i)] {OTHERS}"
Y = "e^(L[i,m] - L[i,i])"  # between e^(−2/τ) and e^(2/τ)

claim("M22", "proved from LEMMA", DIFFERENTIATED)(
    checked="The loss of a row never falls as its hardness grows: «slope», and «rising». For a hardness of 0 it"
    " is the decoupled contrastive loss, «flat». As it grows, the hardest negative $o(i)$ alone is left:"
    " «gap», of which no term is negative, and «limit», so that the gap is at most $(B - 2)/(1 + β_1)$. For"
    " unit rows the loss is not further than $2/τ$ from $\\log(B - 1)$: «above» and «below», where the score"
    " of two unit rows is between -1 and 1, «near» and «far».",
    slope=f"∂ℓ[i]/∂β₁ = {BY_SHARES}",
    rising=f"-({BY_SHARES}) ≤ 0 by Σ_jm e^L[i,j] {PAIR} log(e^L[i,m] : e^L[i,j])"
    f" and Σ_jm e^L[i,m] {PAIR} log(e^L[i,j] : e^L[i,m])",
    flat=use_mask(DIFFERENTIATED.also("β₁ := 0"))("e^ℓ[i] = (Σ_m O[i,m] e^L[i,m]) e^(-L[i,i])"),
    gap=f"Σ_m ρ[i,m] {X} (L[i,o(i)] - L[i,m]) ≤ {GAP} by Σ_m ρ[i,m] {X} log(1 : {X})",
    limit=MASKED(
        f"0 ≤ (B - 2) ρ[i,o(i)] - (1 + β₁) {GAP} - Σ_m {OTHERS} ρ[i,m] {X}"
        f" by {FROM_ONE} ({X})^β₁ log(({X})^-β₁) and {FROM_ONE} β₁ ({X})^β₁ log({X})"
    ),
    above=f"Σ_m (ρ[i,m] {Y} ((1 - S[i,m]) + (1 + S[i,i]))/τ) ≤ e^(2/τ) - e^ℓ[i]/(B - 1)"
    f" by Σ_m ρ[i,m] {Y} log(e^(2/τ) : {Y})",
    below="Σ_m (ρ[i,m] e^(-2/τ) ((1 + S[i,m]) + (1 - S[i,i]))/τ) ≤ e^ℓ[i]/(B - 1) - e^(-2/τ)"
    f" by Σ_m ρ[i,m] e^(-2/τ) log({Y} : e^(-2/τ))",
    near="Σ_f (I[i,f] - T[j,f])^2 = Σ_f I[i,f]^2 + Σ_f T[j,f]^2 - 2 S[i,j]",
    far="Σ_f (I[i,f] + T[j,f])^2 = Σ_f I[i,f]^2 + Σ_f T[j,f]^2 + 2 S[i,j]",
)

SHIFTED = re.sub(r"L\[.*?\]", r"(\g<0> + c)", RATIO)

claim("M26", "proved", DIFFERENTIATED)(
    checked="A constant added to all logits changes nothing, in each direction row by row: «image» and «text».",
    image=f"e^ℓ[i] = (B - 1) {SHIFTED}",
    text=of_text(f"e^ℓ[i] = (B - 1) {SHIFTED}"),
)


def _bind(image, *, weights="differentiated", **_) -> dict:
    if weights not in STATEMENTS:
        raise ValueError(f"weights must be one of {tuple(STATEMENTS)}, got {weights!r}")
    pairs = range(len(image))
    return {off_diagonal: [[int(row != column) for column in pairs] for row in pairs]}


def _statement(here: Given, weighted_error: Definition) -> Statement:
    by = {"image": BY_IMAGE, "text": BY_TEXT, "temperature": BY_TEMPERATURE}
    row = here.read("ℓ[i] + ℓ′[i]")
    gradients = here.gradients(by, "M20")
    return state("dhn_nce", here, gradients, weighted_error, bind=_bind, reduction="sum", row=row, rows=B)


# The weights, and the temperature in them, are differentiated or held constant.
STATEMENTS = {
    "differentiated": _statement(DIFFERENTIATED, WEIGHTED_DIFFERENTIATED),
    "constant": _statement(CONSTANT, WEIGHTED_CONSTANT),
}


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The statement with weights differentiated or constant, as the arguments say."""
    return STATEMENTS[arguments.get("weights", "differentiated")]
