"""InfoNCE of queries against keys: one positive, and negatives that are each query's own or shared by all.

The candidates do not move with the query (documents D2, Eq. 3-5, and D3, MoCo). No line uses unit length.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..common.masks import name_form
from ..common.sphere import ONE_ANCHOR
from ..common.statement import Statement
from ..common.weights import state, weigh_row
from ..evidence.plain import Given, claim, given
from ..evidence.points import UnitRows
from . import infonce

RANGES = "i k < N; a m < M; f < d"
POSITIVE_LOGIT = "L⁺[i] := (Σ_f q[i,f] k⁺[i,f])/τ"
CANDIDATES = "(e^L⁺[i] + Σ_m e^L[i,m])"
LOSS = (f"ℓ[i] := -log(e^L⁺[i]/{CANDIDATES})", "𝓛 := (Σ_i ℓ[i])/ν")  # [D2.7, D3.34]
SHARE = f"P[i,a] := e^L[i,a]/{CANDIDATES}"  # of a negative: together they are 1 − P_ip [S2]
OWN_NEGATIVES = given(RANGES, POSITIVE_LOGIT, "L[i,a] := (Σ_f q[i,f] k⁻[i,a,f])/τ", *LOSS, SHARE)
SHARED_NEGATIVES = OWN_NEGATIVES.also("L[i,a] := (Σ_f q[i,f] k′[a,f])/τ")
# with a mask, a negative that is left out is in no sum
CANDIDATES_KEPT = "(e^L⁺[i] + Σ_m Yᵏ[i,m] e^L[i,m])"
KEPT = given(f"{RANGES}; Yᵏ is 0 or 1", *OWN_NEGATIVES.names).also(
    f"ℓ[i] := -log(e^L⁺[i]/{CANDIDATES_KEPT})", f"P[i,a] := Yᵏ[i,a] e^L[i,a]/{CANDIDATES_KEPT}"
)
FORMS = {
    "": OWN_NEGATIVES,
    "shared": SHARED_NEGATIVES,
    "masked": KEPT,
    "masked shared": KEPT.also(SHARED_NEGATIVES["L"]),
}


def _state(form: str, here: Given) -> Statement:
    negative, by_negative = "k⁻[k,a,f]", "∂𝓛/∂k⁻[k,a,f] = P[k,a] q[k,f]/(ν τ)"
    if form.endswith("shared"):
        negative, by_negative = "k′[a,f]", "∂𝓛/∂k′[a,f] = (Σ_i P[i,a] q[i,f])/(ν τ)"
    said = {
        "query": f"∂𝓛/∂q[k,f] = (Σ_a P[k,a] ({negative} - k⁺[k,f]))/(ν τ)",
        "positive": "∂𝓛/∂k⁺[k,f] = -(Σ_a P[k,a] q[k,f])/(ν τ)",
        "negatives": by_negative,
        "temperature": "∂𝓛/∂τ = -(Σ_ia P[i,a] (L[i,a] - L⁺[i]))/(ν τ)",
    }
    cited = {} if form.startswith("masked") else {"query": "D2.8 D2.9", "temperature": "M7"}
    gradients = here.gradients(said, "M16" if cited else "M40", **cited)
    return state("query_key", here, gradients, weigh_row(here["P"]))


STATEMENTS = {form: _state(form, here) for form, here in FORMS.items()}
SHARED = STATEMENTS["shared"]


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The statement for negatives of this shape, (n, M, d) or (M, d), all of them or those that a mask keeps."""
    own = hasattr(arguments["negatives"][0][0], "__len__")
    return STATEMENTS[f"{name_form(arguments)} {'' if own else 'shared'}".strip()]


# --- document D2: the anchor z_i before the candidates y_a, a in A, that do not move with it ----------------

PRINTED_PULL = "Σ_j P[k,j] z[j,f] - z[p(k),f]"
PULL = f"({PRINTED_PULL} + P[k,k] z[k,f])/τ"

claim("D2.6", "corrected", infonce.PRINTED)(
    printed="positives $P$: the augmentations of the item $i$; negatives $N$: the other items and their"
    " augmentations; $A$: both together",
    checked="Eq. 3-9 name one positive, so $P$ has one element; Eq. 5 splits $A$, so $P$ and $N$ have none in"
    " common. Nor may the anchor be in $A$, as it is in D1: then Eq. 4 would say that «printed», which fails.",
    correction="With the anchor, row $k$, among its candidates its own logit adds a term: «gradient».",
    printed_=infonce.PRINTED.fails(
        f"{PULL} = ({PRINTED_PULL})/τ",
        {"z": UnitRows([[1, 0], [0, 1]]), "p": [1, 0], "τ": Fraction(1), "N": 2, "d": 2, "k": 0, "f": 0},
    ),
    gradient=f"∂ℓ[k]/∂z[k,f] = {PULL}",
)

claim("D2.7", "definition", OWN_NEGATIVES)(
    printed=r"$\mathcal{L}_{InfoNCE} = \sum_i \mathcal{L}_i = -\sum_i \log (\frac{\exp(z_i z_p/\tau)}"
    r"{\sum_{a \in A} \exp(z_i z_a/\tau)})$",
    checked="InfoNCE is minus the logarithm of the positive's share of the exponentials: «loss», where ν is 1, and"
    " «row», the logit of the positive apart from those of the M negatives; so «odds». A row of it is positive as"
    " soon as there is one negative: «below», where «share».",
    loss="𝓛",
    row="ℓ[i]",
    odds="𝓛 = (Σ_i log(1 + Σ_m e^(L[i,m] - L⁺[i])))/ν",
    below=f"-ℓ[i] ≤ -Σ_m P[i,m] by log(e^L⁺[i] : {CANDIDATES})",
    share="Σ_m P[i,m] > 0",
)

ANCHORED = ONE_ANCHOR.only("L", "P", "ℓ")
ALL = "(Σ_a e^L[i,a])"
WEIGHED = "Σ_a y[a,f] e^L[i,a]"

claim("D2.8", "proved", ANCHORED)(
    printed=r"$\frac{\partial \mathcal{L}_i}{\partial z_i} = -\frac{\partial}{\partial z_i} \log"
    r" (\frac{\exp(z_i z_p/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)}) = \frac{\partial}{\partial z_i} [\log"
    r" \sum_{a \in A} \exp(z_i z_a/\tau) - (z_i z_p/\tau)] = \frac{\sum_{a \in A} (z_a/\tau) \exp(z_i"
    r" z_a/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)} - z_p/\tau = \frac{1}{\tau} [\frac{\sum_{a \in A} z_a"
    r" \exp(z_i z_a/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)} - z_p]$",
    checked="The anchor's gradient is the candidates' mean by their probabilities, less the positive, over the"
    " temperature: «gradient.chain», the candidates $y$ held fixed, the anchor not among them. It is the anchor's"
    " part only: where the anchor is also a candidate of others, the loss has their terms too (M6).",
    gradient=f"∂ℓ[i]/∂z[i,f] = ∂(log{ALL} - L[i,p(i)])/∂z[i,f]"
    f" = (Σ_a (y[a,f]/τ) e^L[i,a])/{ALL} - y[p(i),f]/τ = (Σ_a P[i,a] y[a,f] - y[p(i),f])/τ",
)

claim("D2.9", "proved", ANCHORED)(
    printed=r"$\frac{\partial \mathcal{L}_i}{\partial z_i} = \frac{1}{\tau} [\frac{\sum_{a \in A} z_a"
    r" \exp(z_i z_a/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)} - z_p] = \frac{1}{\tau} [\frac{\sum_{n \in N} z_n"
    r" \exp(z_i z_n/\tau) + z_p \exp(z_i z_p/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)} - z_p]"
    r" = \frac{1}{\tau} [z_p (\frac{\exp(z_i z_p/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)} - 1)"
    r" + \sum_{n \in N} z_n \frac{\exp(z_i z_n/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)}]"
    r" = \frac{1}{\tau} [z_p (P_{ip} - 1) + \sum_{n \in N} z_n P_{in}]$",
    checked="Line by line «gradient.chain», $A$ being the positive and the negatives, each once.",
    brief="The gradient by the anchor has a term of the positive and one of each negative, «gradient», $A$"
    " being the positive and the negatives, each once.",
    gradient=f"∂ℓ[i]/∂z[i,f] = (({WEIGHED})/{ALL} - y[p(i),f])/τ"
    f" = ((Σ_a 1[a ≠ p(i)] y[a,f] e^L[i,a] + y[p(i),f] e^L[i,p(i)])/{ALL} - y[p(i),f])/τ"
    f" = (y[p(i),f] (e^L[i,p(i)]/{ALL} - 1) + Σ_a 1[a ≠ p(i)] y[a,f] (e^L[i,a]/{ALL}))/τ"
    " = (y[p(i),f] (P[i,p(i)] - 1) + Σ_a 1[a ≠ p(i)] P[i,a] y[a,f])/τ",
)

claim("D2.10", "definition", ANCHORED)(
    printed=r"$P_{ip}$ and $P_{in}$: the probability of the positive, and that of a negative, in the set $A$",
    checked="The probabilities are the softmax of an anchor's logits: «softmax». All are positive, «positive», and"
    " together they are 1: «sum».",
    softmax="P[i,a]",
    positive="P[i,a] > 0",
    sum="P[i,p(i)] + Σ_a 1[a ≠ p(i)] P[i,a] = Σ_a P[i,a] = 1",
)

BEHIND, LEAST = "τ log(1 + e^(-x/τ))", "τ e^(-x/τ)/(1 + e^(-x/τ))"

claim("M13", "proved from LEMMA", given(f"{RANGES}; x ≥ 0"))(
    checked=r"With one negative, «softplus», the softplus of its logit less the positive's. Take this loss times"
    r" $\tau$, the scores being $x$ apart. «ahead»: where the negative is ahead, it exceeds $x$ by the right"
    r" side, and where the negative is behind, that is all of it. It is positive, for «below» and «positive»,"
    r" and it goes to 0 with $\tau$, for «above». So the limit is $x$ or 0: a triplet loss without margin.",
    # j the positive, k the negative
    softplus="-log(e^L[i,j]/(e^L[i,j] + e^L[i,k])) = log(1 + e^(L[i,k] - L[i,j]))",
    ahead=f"τ log(1 + e^(x/τ)) - x = {BEHIND}",
    below=f"-{BEHIND} ≤ -{LEAST} by τ log(1 : 1 + e^(-x/τ))",
    positive=f"{LEAST} > 0",
    above=f"{BEHIND} ≤ τ e^(-x/τ) by τ log(1 + e^(-x/τ))",
)

claim("M40", "proved", KEPT)(
    checked="With a mask, $Y^k$ being 1 where a negative is kept (M36), a row's loss is «query.where ℓ», and the"
    " gradients are the same as without, with «query.where P»: where each query has its own negatives,"
    " «query.where L», «query», «positive», «negatives» and «temperature»; where all share a queue, «queue:"
    " query.where L», «queue: query», «queue: positive», «queue: negatives» and «queue: temperature».",
    brief="With a mask, $Y^k$ being 1 where a negative is kept, a row's loss is «query.where ℓ», and the gradients"
    " are the same as without: «query», where «query.where P».",
    **{name: by.prove for name, by in STATEMENTS["masked"].gradients.items()},
    **{f"queue: {name}": by.prove for name, by in STATEMENTS["masked shared"].gradients.items()},
)
