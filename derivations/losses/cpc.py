"""InfoNCE over rows of scores, as in contrastive predictive coding: which candidate is the one? (D2, Eq. 2; D3)"""

from fractions import Fraction

from ..common.masks import define_masked_rows
from ..common.statement import Statement
from ..common.weights import state, weigh_row
from ..evidence.plain import Given, claim, given

SCORES = given(
    "i k < N; a m < A; p: N → A",
    "P[i,a] := e^u[i,a] / Σ_m e^u[i,m]",
    "ℓ[i] := -log(e^u[i,p(i)] / Σ_m e^u[i,m])",  # D3.30
    "𝓛 := (Σ_i ℓ[i])/ν",
    # G = P − 1[positive], with 1 − P_ip written as the sum of the other probabilities [S2]
    "G[i,a] := 1[a ≠ p(i)] P[i,a] - 1[a = p(i)] (Σ_m 1[m ≠ p(i)] P[i,m])",
)
NAMES = SOFTMAX, ROW, LOSS, ERROR = SCORES.names
# some candidates left out: the positive always stands in the denominator
MASKED = given(
    "i k < N; a m < A; p: N → A; Yᵏ is 0 or 1",
    *define_masked_rows("u[i,a]", "Yᵏ[i,a]", column="a"),
    *(LOSS, ERROR),
)


def _statement(scores: Given, cited: str) -> Statement:
    by_scores = scores.gradients({"scores": "∂𝓛/∂u[k,a] = G[k,a]/ν"}, cited)
    return state("cpc", scores, by_scores, weigh_row(ERROR))


STATEMENT = _statement(SCORES, "D1.7")
MASKED_STATEMENT = _statement(MASKED, "M36")
STATEMENTS = {"": STATEMENT, "masked": MASKED_STATEMENT}


PRINTED = "(Σ_i log(e^u[i,p(i)] / Σ_m e^u[i,m]))"  # Eq. 2
OF_CONTEXTS = "-(Σ_i log(e^u[i,p(i)] / Σ_k e^u[k,p(i)]))/ν"  # over the x of one context
ODDS = "e^(u[i,a] - u[i,p(i)])"
TWO = [[Fraction(0), Fraction(0)], [Fraction(1), Fraction(2)]]
POINT = {"N": 2, "A": 2, "ν": Fraction(1), "p": [0, 1], "u": TWO}

claim("D2.3", "corrected", SCORES)(
    printed=r"$\mathcal J_{InfoNCE}=\sum_{t=1}^{N}\left[\log\frac{\exp(u_\theta(x_t,c_t))}"
    r"{\sum_{t'\in N}\exp(u_\theta(x_t,c_{t'}))}\right]$",
    checked="The minus sign that the text announces is missing (Eq. 3 has it): «missing» is false of the loss. N is"
    " a number, so that t' runs from 1 to N. The softmax is one over the contexts of one x; that of CPC, over"
    " the x of one context, makes another loss: «contexts».",
    correction="«right», where ν is 1 for the sum over the batch. Each row is «odds»: of the terms of that sum"
    " «negatives» are not 0, and they are positive, «positive». So with two candidates or more the loss is"
    " positive.",
    missing=SCORES.fails(f"𝓛 = {PRINTED}", POINT),
    contexts=SCORES.holds("two samples", f"𝓛 ≠ {OF_CONTEXTS}", POINT),
    right=f"𝓛 = -{PRINTED}/ν",
    odds=f"ℓ[i] = log(1 + Σ_a 1[a ≠ p(i)] {ODDS})",
    negatives="Σ_a 1[a ≠ p(i)] = A - 1",
    positive=f"{ODDS} > 0",
)

claim("M36", "proved", MASKED)(
    checked="A mask leaves candidates out of the denominator, such as false negatives, or a positive among the keys"
    " of a queue. The loss of a row is then «scores.where ℓ», $Y^k$ being 1 for a candidate that is kept; the"
    " positive always stands in it. So it is «odds», and all terms of that sum are positive, «positive». The"
    " gradient is «scores», where «scores.where G» and «scores.where P»: a candidate that is left out is not"
    " pushed, «left», and each row of $G$ sums to 0, «sum». If all are kept, «all.where Yᵏ», it is InfoNCE over"
    " scores: «all».",
    brief="A mask leaves candidates out of the denominator, such as false negatives: «scores.where ℓ», $Y^k$"
    " being 1 for a candidate that is kept. One that is left out is not pushed: «left».",
    scores=MASKED_STATEMENT.gradients["scores"].prove,
    odds=f"ℓ[i] = log(1 + Σ_a 1[a ≠ p(i)] Yᵏ[i,a] {ODDS})",
    positive=f"{ODDS} > 0",
    left="(1 - Yᵏ[i,a]) 1[a ≠ p(i)] G[i,a] = 0",
    sum="Σ_a G[i,a] = 0",
    all=SCORES.only().also("Yᵏ[i,a] := 1", *MASKED.names)("ℓ[i] = -log(e^u[i,p(i)] / Σ_m e^u[i,m])"),
)
