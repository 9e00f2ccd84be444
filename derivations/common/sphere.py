"""Rows on the unit sphere: z = w/‖w‖, its Jacobian, and gradients through it (document D2)."""

from fractions import Fraction

from ..evidence.plain import claim, given
from ..evidence.points import Rows, UnitRows

SPHERE = given(
    "i j k < N; f g h Σ_mn < d; Σ_a < A; p: N → A",
    "‖w[i]‖ := √(Σ_f w[i,f]^2)",
    "z[i,f] := w[i,f]/‖w[i]‖",
    "s[i,j] := Σ_f z[i,f] z[j,f]",  # D3.3
)
NORM, UNIT, COSINE = SPHERE.names
# One anchor, row i, before A candidates that do not move with it [D2.7].
ONE_ANCHOR = given(
    "i j k < N; f g h < d; Σ_am < A; p: N → A",
    *(NORM, UNIT, COSINE),
    "L[i,a] := (Σ_f z[i,f] y[a,f])/τ",
    "P[i,a] := e^L[i,a] / Σ_m e^L[i,m]",
    "ℓ[i] := -log(P[i,p(i)])",
)
NAMES = ONE_ANCHOR.names
LOGITS, SOFTMAX, ANCHOR = NAMES[3:]


PROJECTOR = "(1[f = g] - z[i,f] z[i,g])"

claim("D2.11", "proved", SPHERE)(
    printed=r"$\frac{\partial z_i}{\partial w_i} = \frac{\partial}{\partial w_i} (\frac{w_i}{\|w_i\|})"
    r" = \frac{1}{\|w_i\|} (I - \frac{w_i w_i^T}{\|w_i\|^2})"
    r" = \frac{1}{\|w_i\|} (I - z_i z_i^T)$",
    checked="The derivative of a unit row by its raw row is a projection, over the length: «jacobian.chain». The"
    " matrix is its own square, «idempotent», and sends the raw row to 0: «radial».",
    jacobian="∂z[i,f]/∂w[k,g] = 1[i = k] ((1[f = g] - w[i,f] w[i,g]/‖w[i]‖^2)/‖w[i]‖)"
    f" = 1[i = k] {PROJECTOR}/‖w[i]‖",
    idempotent=f"Σ_h (1[f = h] - z[i,f] z[i,h]) (1[h = g] - z[i,h] z[i,g]) = {PROJECTOR}",
    radial=f"Σ_g {PROJECTOR} w[i,g] = 0",
)

# the brackets of D2.5 and D2.7: z_p (P_ip − 1) + Σ over the negatives of z_n P_in
INSIDE = "(y[p(i),g] (P[i,p(i)] - 1) + Σ_a 1[a ≠ p(i)] P[i,a] y[a,g])"
ANCHOR_GRADIENT = f"(Σ_g {PROJECTOR} {INSIDE})/(τ ‖w[i]‖)"  # ∂ℓ_i/∂w_i at the feature f [D2.12]


claim("D2.12", "proved", ONE_ANCHOR)(
    printed=r"$\frac{\partial \mathcal{L}_i}{\partial w_i} = \frac{\partial z_i}{\partial w_i}"
    r" \frac{\partial \mathcal{L}_i}{\partial z_i} = \frac{1}{\tau \|w_i\|} (I - z_i z_i^T) [z_p (P_{ip} - 1)"
    r" + \sum_{n \in N} z_n P_{in}]$",
    checked="The gradient by the raw anchor is the projected gradient by the unit anchor, over its length:"
    " «gradient.chain», the candidates $y$ held fixed. It is tangent to the sphere: «tangent».",
    gradient=f"∂ℓ[i]/∂w[i,f] = Σ_g ∂z[i,g]/∂w[i,f] ∂ℓ[i]/∂z[i,g] = {ANCHOR_GRADIENT}",
    tangent=f"Σ_f w[i,f] ({ANCHOR_GRADIENT}) = 0",
)

OF_POSITIVE, OF_CANDIDATE = (f"(Σ_g {PROJECTOR} y[{a},g])" for a in ("p(i)", "a"))
PULL = f"(P[i,p(i)] - 1) {OF_POSITIVE}/(τ ‖w[i]‖)"
ONE_ROW = {"w": Rows([[1, 0]]), "y": UnitRows([[0, 1], [1, 0]]), "p": [0], "τ": Fraction(1), "N": 1}

claim("D2.13", "corrected", ONE_ANCHOR)(
    printed=r"the coefficient of the gradient of the positive, $P_{ip}$, is $(I - z_i z_i^T) z_p$",
    checked="The term of the positive would be so: «printed», which fails.",
    correction="In «gradient» the term of the positive is that with $P_{ip} - 1$: the printed vector by this"
    r" number, over $\tau \|w_i\|$.",
    printed_=ONE_ANCHOR.fails(
        f"{PULL} = P[i,p(i)] {OF_POSITIVE}", ONE_ROW | {"i": 0, "f": 1, "A": 2, "d": 2}
    ),
    # as a sum of terms of the positive and of the negatives
    gradient=f"∂ℓ[i]/∂w[i,f] = {PULL} + Σ_a (1[a ≠ p(i)] P[i,a] {OF_CANDIDATE}/(τ ‖w[i]‖))",
)

SQUARE = f"Σ_f (Σ_g {PROJECTOR} z[j,g])^2"
DOUBLED = "(1[f = g] - 2 z[i,f] z[i,g] + z[i,f] (Σ_h z[i,h]^2) z[i,g])"

claim("D2.14", "corrected", SPHERE)(
    printed=r"$\|(I - z_i z_i^T) z_p\|^2 = [(I - z_i z_i^T) z_p]^T [(I - z_i z_i^T) z_p]"
    r" = z_p^T (I - 2 z_i z_i^T + z_i z_i^T z_i z_i^T) z_p = z_p^T (I - z_i z_i^T) z_p"
    r" = z_p^T z_p - z_p^T z_i zi^T z_p = I - (z_i^T z_p)^2$",
    checked="With $j$ for the positive, the last line says «matrix» at each entry of the matrix $I$, which fails"
    " off the diagonal. The line above it has $zi$ for $z_i$.",
    correction="«length.chain»: the number 1.",
    matrix=SPHERE.fails(
        f"{SQUARE} = 1[m = n] - s[i,j]^2",
        {"w": Rows([[5, 0], [3, 4]]), "N": 2, "d": 2, "i": 0, "j": 1, "m": 0, "n": 1},
    ),
    # of any other unit row z_j in place of z_p
    length=f"{SQUARE} = Σ_fg z[j,f] {DOUBLED} z[j,g] = Σ_fg z[j,f] {PROJECTOR} z[j,g]"
    " = Σ_f z[j,f]^2 - (Σ_f z[i,f] z[j,f])^2 = 1 - s[i,j]^2",
)
