"""The least loss of CLIP: as M4's, by log x ≤ x − 1 at equal gaps."""

from sympy import Symbol

from ..evidence.plain import claim, given

LENGTHS = "(Σ_if (I[i,f]^2 + T[i,f]^2))"
PAIRS = given(  # a pair, and M others
    "i j k < M + 1; f g < d",
    "L[i,j] := (Σ_g I[i,g] T[j,g])/τ",
    "P[i,j] := e^L[i,j] / Σ_k e^L[i,k]",
    "Pᶜ[i,j] := e^L[i,j] / Σ_k e^L[k,j]",
    "ℓ[i] := -(log(P[i,i]) + log(Pᶜ[i,i]))/2",
    f"t := -{LENGTHS}/(2 M τ)",
    "Λ := 1 + M e^t",
    letters=[Symbol("t", real=True)],
)
VIEWS = "(Σ_jif (I[i,f] - T[i,f] - I[j,f] + T[j,f])^2)"
CENTRES = "(Σ_f ((Σ_i I[i,f])^2 + (Σ_i T[i,f])^2))"
ABOVE = f"e^t ({VIEWS}/4 + {CENTRES}/2)/((M + 1) τ Λ)"
MEAN = "(Σ_i ℓ[i])/(M + 1)"
USES = " and ".join(  # in the row of a pair, and in its column
    f"Σ_i 1/(2 (M + 1) Λ) log(Λ : Σ_k e^({others} - L[i,i]))"
    f" and Σ_ij 1[j ≠ i] e^t/(2 (M + 1) Λ) log(Λ e^({own} - L[i,i] - t) : Σ_k e^({others} - L[i,i]))"
    for own, others in (("L[i,j]", "L[i,k]"), ("L[j,i]", "L[k,i]"))
)

claim("M30", "proved from LEMMA", PAIRS)(
    checked="No mean loss of CLIP, of B pairs, M being $B - 1$, is below the logarithm of $Λ$: «floor», with"
    " «floor.where Λ» and «floor.where t». For unit rows the sum is 2B, and $t$ is $-B/((B - 1)τ)$. The loss stands"
    " above it by «apart» at least, which is 0 only if each text differs from its image by the same vector and both"
    " views have the mean 0. If every negative's logit is $t$ more than its pair's, both sides are equal:"
    " «reached». So they are where image and text are one row and the images form M4's regular simplex.",
    # log Λ + e^t (Σ gaps − t)/(BΛ) ≤ the mean of ℓ, and the gaps have a mean of at least t
    floor=PAIRS.chain(f"log(Λ) + {ABOVE} - {MEAN} ≤ 0 by {USES}", f"{ABOVE} ≥ 0", both=f"{MEAN} - {ABOVE}"),
    apart=f"{ABOVE} ≥ 0",
    reached="1 + Σ_j 1[j ≠ i] e^t = Λ",
)
