"""SigLIP: classifies each image and text as a pair or not, by a sigmoid of its own (document F)."""

from fractions import Fraction

from ..common.weights import state, weigh_row
from ..evidence.plain import claim, given
from ..symbols import B
from . import nce
from .clip import LOGITS

OTHER = "log(1 + e^(L[i,j] + b))"
ROW = f"ℓ[i] := log(1 + e^(-L[i,i] - b)) + Σ_j 1[j ≠ i] {OTHER}"
SIGLIP = given(
    "i j k < B; f g < d; b real",
    LOGITS,
    ROW,
    "𝓛 := (Σ_i ℓ[i])/ν",
    "Σ̂[i,j] := e^(L[i,j] + b)/(1 + e^(L[i,j] + b))",
    # σ̂ − 1[i = j], with 1 − σ̂ of a pair written as a sigmoid [S2]
    "G[i,j] := 1[i ≠ j] Σ̂[i,j] - 1[i = j]/(1 + e^(L[i,j] + b))",
)
LOSS = SIGLIP["𝓛"]


GRADIENTS = {
    "image": "∂𝓛/∂I[k,f] = (Σ_j G[k,j] T[j,f])/(ν τ)",
    "text": "∂𝓛/∂T[k,f] = (Σ_i G[i,k] I[i,f])/(ν τ)",
    "temperature": "∂𝓛/∂τ = -(Σ_ij G[i,j] L[i,j])/(ν τ)",
    "bias": "∂𝓛/∂b = (Σ_ij G[i,j])/ν",
}
STATEMENT = state("siglip", SIGLIP, SIGLIP.gradients(GRADIENTS, "F10"), weigh_row(SIGLIP["G"]), rows=B)

TERM = "log(1 + e^(-yˢ[i,j] (L[i,j] + b)))"
WITHOUT_LOGITS = SIGLIP.without("L")

claim("F9", "corrected", WITHOUT_LOGITS)(
    printed=r"$-\frac{1}{|\mathcal{B}|} \sum_{i=1}^{|\mathcal{B}|} \sum_{j=1}^{|\mathcal{B}|}"
    r" \log \frac{1}{1 + e^{z_{ij}(-t \mathbf{x}_i \cdot \mathbf{y}_j + b)}}$, and in the algorithm"
    r" logits = dot(zimg, ztxt.T) * t + b; l = -sum(log_sigmoid(labels * logits)) / n",
    checked="The two differ in the sign of the bias. If they agreed, the text of another image would add"
    " «printed»; that fails at the bias from which training starts, where the algorithm's term is small and"
    " the formula's is not.",
    correction="The algorithm's: «row» and «loss», so that «whole»: for each pair, where «pair.where yˢ», it adds"
    " «pair», and for each other text, where «other.where yˢ», it adds «other». All terms are positive: within each"
    " logarithm is 1 and «positive».",
    printed_=SIGLIP.only().fails(
        f"{TERM} = log(1 + e^(yˢ[i,j] (-L[i,j] + b)))",
        {"L": [[0, 0]], "yˢ": [[1, -1]], "b": Fraction(-10), "B": 2, "i": 0, "j": 1},
    ),
    row="ℓ[i]",
    loss="𝓛",
    whole=f"𝓛 = (Σ_ij (1[i = j] log(1 + e^(-L[i,j] - b)) + 1[i ≠ j] {OTHER}))/ν",
    pair=WITHOUT_LOGITS.also("yˢ[i,j] := 1")(f"{TERM} = log(1 + e^(-L[i,j] - b))"),
    other=WITHOUT_LOGITS.also("yˢ[i,j] := -1")(f"{TERM} = {OTHER}"),
    positive="e^(L[i,j] + b) > 0",
)

claim("F10", "proved", SIGLIP)(
    checked="The gradients of SigLIP's loss are «image», «text», «temperature» and «bias», where «error.chain»: no"
    " score's part depends on another score. So the bias stands still where the chances sum to the number of pairs,"
    " «stands».",
    **GRADIENTS,
    error="G[i,j] = Σ̂[i,j] - 1[i = j]",
    stands="Σ_ij G[i,j] = Σ_ij Σ̂[i,j] - B",
)

# the probability of the noise is one constant
CONSTANT = given("i k < N; a < M; b real", *nce.NAMES, "λ[i] := -b - log(M)", "λ′[i,a] := -b - log(M)")

claim("F11", "proved", CONSTANT)(
    checked="Noise-contrastive estimation sums the logarithms of «datum» and «sample» (D2.2), if the"
    " probability of its noise is one constant, «datum.where λ»: with an image's own text as the datum and"
    " the M others as the noise, these are the terms of SigLIP.",
    datum="1/h[i] = 1 + e^(-u⁺[i] - b)",
    sample="1/(1 - h′[i,a]) = 1 + e^(u′[i,a] + b)",
)
