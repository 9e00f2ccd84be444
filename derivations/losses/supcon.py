"""SupCon, supervised contrastive learning: every other row of the anchor's class is a positive (document F).

An anchor that is alone in its class is left out: its ψ⁺ and its loss are 0, and the mean's ν counts the others.
"""

from collections.abc import Mapping
from typing import Any

from ..common.sphere import COSINE, NORM, UNIT
from ..common.statement import Statement
from ..common.weights import state, weigh_row
from ..evidence.plain import Given, Said, claim, given
from ..symbols import counted, nu, one_class
from . import cpc
from .ntxent import GRADIENTS, LOGITS, LOSS, SOFTMAX

ROWS = "i j k Σ_m < N; f g < d; Yᶜ[] ≥ 0"
OTHERS = "(Σ_k 1[k ≠ i] e^L[i,k])"
POSITIVES = "Yᶜ[i,j] := 1[j ≠ i] 𝒴[i,j]"
NUMBER = "nᶜ[i] := Σ_j Yᶜ[i,j] + 1 - ψ⁺[i]"
OUT = f"ℓ[i] := -ψ⁺[i] (Σ_j Yᶜ[i,j] log(e^L[i,j]/{OTHERS}))/nᶜ[i]"
# if ψ⁺ is 0 the log is of 1, not of an empty sum
IN = f"ℓ[i] := -ψ⁺[i] log((Σ_j Yᶜ[i,j] e^L[i,j] + 1 - ψ⁺[i])/(nᶜ[i] {OTHERS}))"
# each pair of an anchor and a positive is a term, before the negatives alone
NEGATIVE = "1[k ≠ i] (1 - Yᶜ[i,k])"
BEFORE = f"(e^L[i,j] + Σ_k {NEGATIVE} e^L[i,k])"
PAIRS = f"ℓ[i] := -(Σ_j Yᶜ[i,j] log(e^L[i,j]/{BEFORE}))"
ODDS = f"Σ_k {NEGATIVE} e^(L[i,k] - L[i,j])"
PUSHES = "1[j ≠ i] (1 - Yᶜ[i,j]) (Σ_m P[i,m] e^(L[i,j] - L[i,m]))"

ANCHORS = given(f"{ROWS}; 𝒴 is 0 or 1; ψ⁺ is 0 or 1")
CLASSES = given(f"{ROWS}; 𝒴 is 0 or 1", POSITIVES, NUMBER)
LABELS = given(f"{ROWS}; c̃: N → C", "𝒴[i,j] := 1[c̃(i) = c̃(j)]", POSITIVES)
SHARED = ANCHORS.also(NORM, UNIT, COSINE, LOGITS, SOFTMAX, POSITIVES, NUMBER, LOSS)
FORMS = {
    # ψ⁺_i (P_ij − Yᶜ_ij/|Yᶜ_i|), both over the same sums: no cancellation at low loss [S2]
    "out": SHARED.also(OUT, "G[i,j] := ψ⁺[i] (Σ_m 1[m ≠ j] (Yᶜ[i,m] P[i,j] - Yᶜ[i,j] P[i,m]))/nᶜ[i]"),
    # ψ⁺_i (P_ij − Rᶜ_ij), with 1 − Σ_m Yᶜ_im P_im written as the sum of the negatives' probabilities [S2]
    "in": SHARED.also(
        "Rᶜ[i,j] := Yᶜ[i,j] e^L[i,j]/(Σ_k Yᶜ[i,k] e^L[i,k] + 1 - ψ⁺[i])",
        IN,
        "G[i,j] := ψ⁺[i] ((1 - Yᶜ[i,j]) P[i,j] - Rᶜ[i,j] (Σ_m (1 - Yᶜ[i,m]) P[i,m]))",
    ),
    # −(1 − P) at a positive, 1 − P written as the sum of the negatives' shares [S2]; at a negative its shares
    # together
    "pairs": ANCHORS.also(NORM, UNIT, COSINE, LOGITS, f"P[i,j] := Yᶜ[i,j] e^L[i,j]/{BEFORE}", POSITIVES).also(
        LOSS, PAIRS, f"G[i,j] := {PUSHES} - P[i,j] ({ODDS})"
    ),
}


def _bind(labels, *, form="out", reduction="mean", **_) -> dict:
    alike = [[int(one == other) for other in labels] for one in labels]
    anchors = [int(sum(row) > 1) for row in alike]
    terms = sum(map(sum, alike)) - len(labels) if form == "pairs" else sum(anchors)
    return {one_class: alike, counted: anchors, nu: 1 if reduction == "sum" else terms or 1}


def _statement(form: Given, cited: str = "F23") -> Statement:
    return state("supcon", form, form.gradients(GRADIENTS, cited), weigh_row(form["G"]), bind=_bind)


STATEMENTS = {form: _statement(FORMS[form]) for form in ("out", "in")}
STATEMENTS["pairs"] = _statement(FORMS["pairs"], cited="F33")


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The form that the arguments name: the mean over the positives outside the logarithm, or inside."""
    return STATEMENTS[arguments.get("form", "out")]


def _row(row: str, each: str) -> dict[str, Said]:
    return {
        "row": "ℓ[i]",
        "loss": "𝓛",
        "whole": ANCHORS.also(row, LOSS)(f"𝓛 = (Σ_i ({each}))/ν"),
        "number": "nᶜ[i]",
        "positives": "Yᶜ[i,j]",
        "labels": LABELS("𝒴[i,j]"),
        "mutual": LABELS("Yᶜ[i,j] = Yᶜ[j,i]"),
        "alone": CLASSES.also(row, "ψ⁺[i] := 0")("ℓ[i] = 0"),
        "positive": "e^L[i,j] > 0",
    }


_WORDS = (
    "The losses of an anchor and of the batch are «row» and «loss», so that «whole», where «positives» and"
    " «labels»: to be a positive is mutual, «mutual». $ψ^+$ is 1 for an anchor that has a positive; so «number»"
    " counts them, and all that is summed is positive, «positive». Where $ψ^+$ is 0 the anchor is left out,"
    " «alone»; then $ν$, that of the mean, does not count it either."
)
_BRIEF = (
    "loss of an anchor is «row»: $Y^c$ is 1 for its positives, the other rows of its class, and $n^c$"
    " counts them. An anchor without a positive, $ψ^+$ being 0, is left out, and $ν$ does not count it."
)

claim("F21", "definition", FORMS["out"])(
    printed=r"$\mathcal{L}_{out}^{sup} = \sum_{i \in I} \frac{-1}{|P(i)|} \sum_{p \in P(i)} \log"
    r" \frac{\exp(z_i \cdot z_p/\tau)}{\sum_{a \in A(i)} \exp(z_i \cdot z_a/\tau)}$",
    checked=_WORDS,
    brief=f"With the mean over its positives outside the logarithm the {_BRIEF}",
    **_row(OUT, "ψ⁺[i] (Σ_j Yᶜ[i,j] log(Σ_k 1[k ≠ i] e^(L[i,k] - L[i,j])))/nᶜ[i]"),
)

claim("F22", "definition", FORMS["in"])(
    printed=r"$\mathcal{L}_{in}^{sup} = \sum_{i \in I} -\log \{\frac{1}{|P(i)|} \sum_{p \in P(i)}"
    r" \frac{\exp(z_i \cdot z_p/\tau)}{\sum_{a \in A(i)} \exp(z_i \cdot z_a/\tau)}\}$",
    checked=_WORDS,
    brief=f"With the mean over its positives inside the logarithm the {_BRIEF}",
    **_row(IN, f"-ψ⁺[i] log((Σ_j (Yᶜ[i,j] e^L[i,j]/{OTHERS}) + (1 - ψ⁺[i])/{OTHERS})/nᶜ[i])"),
)

claim("F23", "proved", FORMS["out"])(
    checked="The gradients of SupCon are «w» and «temperature», as those of NT-Xent, in both forms. With the mean"
    " outside the logarithm, «w.where ℓ», the error is «w.where G», which is «out»: each positive has the same"
    " share. With the mean inside, «in: w.where ℓ», it is «in: w.where G», which is «in»: the nearest has the"
    " largest, «in.where Rᶜ». Each row of $G$ sums to 0: «sum out» and «sum in».",
    **{name: by.prove for name, by in STATEMENTS["out"].gradients.items()},
    out="G[i,j] = ψ⁺[i] (P[i,j] - Yᶜ[i,j]/nᶜ[i])",
    sum_out="Σ_j G[i,j] = 0",
    in_=FORMS["in"]("G[i,j] = ψ⁺[i] (P[i,j] - Rᶜ[i,j])"),
    sum_in=FORMS["in"]("Σ_j G[i,j] = 0"),
    **{f"in: {name}": by.prove for name, by in STATEMENTS["in"].gradients.items()},
)

# each anchor has one positive, p(i)
ONE = given(f"{ROWS}; p: N → N; p(i) ≠ i", POSITIVES, NUMBER, "𝒴[i,j] := 1[j = p(i)]")
NTXENT = f"-log(e^L[i,p(i)]/{OTHERS})"
# the pairs of an anchor r and a positive q in a list
LISTED = given(
    f"{ROWS}; Σ_n < B; r: B → N; q: B → N",
    "Yᶜ[i,j] := Σ_n 1[i = r(n)] 1[j = q(n)]",
    *(OUT, "ψ⁺[i] := 1"),
)
OF_ONE = "log(e^L[r(n),q(n)]/(Σ_k 1[k ≠ r(n)] e^L[r(n),k]))"

claim("F24", "proved", ONE)(
    checked="With one positive, «one.where 𝒴» and «one.where Yᶜ», both forms, «one.where ℓ» and «one, in.where"
    " ℓ», are NT-Xent's: «one» and «one, in». With more, take each pair of an anchor $r$ and a positive $q$"
    " for a row of scores, «pairs.where Yᶜ». The losses of the anchors sum to «pairs», the mean being"
    " outside. Each logarithm is NT-Xent's, which is «row»; and a row of InfoNCE over scores, «cpc.where ℓ»,"
    " is «cpc», its candidates being the other rows. There are «count» pairs; so where all anchors have as"
    " many positives, both means are the same.",
    brief="If each anchor has one positive, both forms of SupCon are NT-Xent: «one». If it has more, then with the"
    " mean outside the losses of the anchors are those of NT-Xent over all pairs of an anchor $r$ and a positive"
    " $q$: they sum to «pairs».",
    one=ONE.also("ψ⁺[i] := 1", OUT)(f"ℓ[i] = {NTXENT}"),
    **{"one, in": ONE.also("ψ⁺[i] := 1", IN)(f"ℓ[i] = {NTXENT}")},
    pairs=LISTED(f"Σ_i ℓ[i] = -(Σ_n ({OF_ONE}/nᶜ[r(n)]))"),
    row=f"{NTXENT} = log(1 + Σ_j 1[j ≠ i] 1[j ≠ p(i)] e^(L[i,j] - L[i,p(i)]))",
    cpc=cpc.SCORES("ℓ[i] = log(1 + Σ_a 1[a ≠ p(i)] e^(u[i,a] - u[i,p(i)]))"),
    count=LISTED.also(NUMBER)("Σ_i nᶜ[i] = B"),
)

claim("F32", "definition", FORMS["pairs"])(
    checked="In a third form each pair of an anchor and a positive is a term, and stands before the negatives"
    " alone: «row» and «loss», so that «whole», where «positives» and «labels»: to be a positive is mutual,"
    " «mutual». For the mean $ν$ is the number of pairs. All that is summed is positive, «positive». An anchor"
    " without a positive, «alone.where Yᶜ», adds nothing, «alone»; neither does one without a negative, all others"
    " being positives, «one class.where Yᶜ»: «one class». NTXentLoss of pytorch-metric-learning (Musgrave et al.,"
    " 2020) computes this if it is given labels. SINCERE (Feeney and Hughes, 2023) has the same terms, and takes"
    " their mean over the positives of each anchor, then over the anchors.",
    brief="In a third form each pair of an anchor and a positive is a term, and stands before the negatives alone:"
    " «row», $Y^c$ being 1 for a positive. The mean is over the pairs.",
    row="ℓ[i]",
    loss="𝓛",
    whole=ANCHORS.also(PAIRS, LOSS)(f"𝓛 = (Σ_ij Yᶜ[i,j] log(1 + {ODDS}))/ν"),
    positives="Yᶜ[i,j]",
    labels=LABELS("𝒴[i,j]"),
    mutual=LABELS("Yᶜ[i,j] = Yᶜ[j,i]"),
    positive="e^(L[i,k] - L[i,j]) > 0",
    alone=ANCHORS.also(PAIRS, "Yᶜ[i,j] := 0")("ℓ[i] = 0"),
    one_class=ANCHORS.also(PAIRS, "Yᶜ[i,j] := 1[j ≠ i]")("ℓ[i] = 0"),
)

OF_NEGATIVES = "Σ_k 1[k ≠ i] (1 - Yᶜ[i,k])^2 e^(L[i,k] - L[i,j])"
OTHER_ODDS = "Σ_k 1[k ≠ i] 1[k ≠ j] e^(L[i,k] - L[i,j])"
MORE = "Yᶜ[i,j] (Σ_k 1[k ≠ i] 1[k ≠ j] Yᶜ[i,k] e^(L[i,k] - L[i,j]))"

claim("F33", "proved", FORMS["pairs"])(
    checked="The gradients of the form over pairs are «w» and «temperature», as those of the other forms, with the"
    " error «w.where G», which is «error», where «w.where P» is the probability of a positive before the negatives"
    " alone. Each row of $G$ sums to 0, «sum». No positive is repelled: at a positive $G$ is «own», and «pulled»."
    " With one positive for each anchor, «one.where 𝒴» and «one.where Yᶜ», it is NT-Xent's loss: «one». The form"
    " with the mean outside the logarithm has the odds of the other positives in addition, «more», and «least»:"
    " there the term of each pair is larger or the same.",
    brief="If each pair is a term, «w», with the error «error», P being the probability of a positive before the"
    " negatives alone. No positive is repelled. With one positive for each anchor the loss is NT-Xent's.",
    **{name: by.prove for name, by in STATEMENTS["pairs"].gradients.items()},
    error=f"G[i,j] = {PUSHES} - Yᶜ[i,j] + P[i,j]",
    sum="Σ_j G[i,j] = 0",
    own=f"Yᶜ[i,j] G[i,j] = -P[i,j] ({OF_NEGATIVES})",
    pulled=f"{OF_NEGATIVES} ≥ 0",
    one=ONE.first(POSITIVES, PAIRS)(f"ℓ[i] = {NTXENT}"),
    more=ANCHORS.also(POSITIVES)(f"Yᶜ[i,j] ({OTHER_ODDS} - {ODDS}) = {MORE}"),
    least=f"{MORE} ≥ 0",
)
