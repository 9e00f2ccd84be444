"""NT-Xent, the loss of SimCLR: cosine similarities, no anchor in its own denominator (document D3)."""

from collections.abc import Iterator
from fractions import Fraction
from math import prod

from ..common import rational
from ..common.masks import define_masked_rows
from ..common.pairs import pair, positives
from ..common.sphere import COSINE, NORM, UNIT
from ..common.weights import state, weigh_row
from ..evidence.kinds import Example, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Base, UnitRows
from ..symbols import P, i, j

RANGES = "i j k Σ_lm < N; f g < d; p: N → N; p(i) ≠ i"
NTXENT = given(
    f"{RANGES}; c > 0",
    *(NORM, UNIT, COSINE),
    "L[i,j] := s[i,j]/τ",
    "ℓ[i] := -log(e^L[i,p(i)] / Σ_k 1[k ≠ i] e^L[i,k])",  # D3.2
    "𝓛 := (Σ_i ℓ[i])/ν",  # D3.4
    "P[i,j] := 1[j ≠ i] e^L[i,j] / Σ_k 1[k ≠ i] e^L[i,k]",
    # G = P − 1[positive], with 1 − P_ip written as the sum of the other probabilities [S2]
    "G[i,j] := 1[j ≠ p(i)] P[i,j] - 1[j = p(i)] (Σ_m 1[m ≠ p(i)] P[i,m])",
)
NAMES = NTXENT.names
LOGITS, ROW, LOSS, SOFTMAX, ERROR = NAMES[3:]

BY_ROW = "(Σ_j (G[k,j] + G[j,k]) (z[j,f] - s[k,j] z[k,f]))/(ν τ ‖w[k]‖)"
BY_TEMPERATURE = "-(Σ_ij G[i,j] L[i,j])/(ν τ)"
GRADIENTS = {"w": f"∂𝓛/∂w[k,f] = {BY_ROW}", "temperature": f"∂𝓛/∂τ = {BY_TEMPERATURE}"}


def risk(z, b: Fraction, row: int, positive: int) -> Fraction:
    """e^ℓ of one anchor, as D3.2 is printed; e^{1/(25τ)} = b."""
    return 1 / rational.table(P[i, j], (i, j), NAMES, z, b)[row][positive]


ODDS = "e^((s[i,j] - s[i,p(i)])/τ)"

claim("D3.2", "definition", NTXENT.only("ℓ", "L"))(
    printed=r"$\mathcal{L}_{i,j} = -\log \frac{\exp(\operatorname{sim}(z_i, z_j)/\tau)}{\sum_{k=1}^{2N}"
    r" 1[k \neq i] \exp(\operatorname{sim}(z_i, z_k)/\tau)}$",
    checked="The loss of a row leaves the row itself out of its sum: «loss», where «scores», and N counts rows,"
    " which are 2N in print: «odds». Of the terms of that sum «negatives» are not 0, all of them positive,"
    " «positive»: an image alone has the loss 0, two have one that is positive. It is not symmetric in the two"
    " views: «asymmetry».",
    loss="ℓ[i]",
    scores="L[i,j]",
    odds=f"e^ℓ[i] = 1 + Σ_j 1[j ≠ i] 1[j ≠ p(i)] {ODDS}",
    negatives="Σ_j 1[j ≠ i] 1[j ≠ p(i)] = N - 2",
    positive=f"{ODDS} > 0",
    asymmetry=lambda: Example.at(
        "not symmetric",
        lambda z, b: Finding(risk(z, b, 0, 1), "≠", risk(z, b, 1, 0), ("e^ℓ(0, 1)", "e^ℓ(1, 0)")),
        z=UnitRows(rational.rows((5, 0), (4, 3), (0, 5))),
        b=Base(21, 20),
    ),
)


def _algorithm(first, second, b) -> Iterator[Finding]:
    pairs = [row for both in zip(first, second, strict=True) for row in both]
    images = range(1, len(first) + 1)
    # rows counted from 0: 2k − 1 and 2k are 2k − 2 and 2k − 1
    printed = prod(
        risk(pairs, b, 2 * n - 2, 2 * n - 1) * risk(pairs, b, 2 * n - 1, 2 * n - 2) for n in images
    )
    concatenated, mistaken = (
        prod(risk(rows, b, row, positive) for row, positive in enumerate(positives(len(rows))))
        for rows in ([*first, *second], pairs)
    )
    here = "Π e^ℓ of the algorithm"
    yield Finding(printed, "=", concatenated, (here, "of D1's rows, masked"))
    yield Finding(printed, "≠", mistaken, (here, "of D1's map on interleaved rows"))


ANY_ROWS = given("i k l < N", LOSS)
EXCHANGED = "ℓ[i] + 1[i = k] (ℓ[l] - ℓ[k]) + 1[i = l] (ℓ[k] - ℓ[l])"

claim("D3.4", "definition", ANY_ROWS)(
    printed=r"$\mathcal{L} = \frac{1}{2N} \sum_{k=1}^N [\ell(2k-1, 2k) + \ell(2k, 2k-1)]$",
    checked="The loss of the batch is the mean over its rows, «mean», ν the number of rows: each row before its"
    " positive, as in D1, with the mask, and the rows in another order. It stays as it is when two of its terms"
    " change places, «exchange», and such exchanges make every order. D1's map on interleaved rows is another loss:"
    " «run».",
    mean="𝓛",
    exchange=f"𝓛 = (Σ_i ({EXCHANGED}))/ν",
    run=lambda: Example.at(
        "three images, SimCLR's algorithm executed",
        _algorithm,
        first=UnitRows(rational.rows((5, 0), (0, 5), (4, 3))),
        second=UnitRows(rational.rows((4, 3), (3, 4), (0, 5))),
        b=Base(21, 20),
    ),
)

claim("D3.3", "definition", NTXENT)(
    printed=r"where $sim(z_i, z_j) = \frac{z_i \cdot z_j}{|z_i||z_j|}$",
    checked="The similarity of two rows is the cosine of the angle between them: «cosine», where «unit» and"
    " «length». It lies between -1 and 1: «bounded», «square». The lengths do not enter: «scale».",
    cosine="s[i,j]",
    unit="z[i,f]",
    length="‖w[i]‖",
    bounded="1 - s[i,j]^2 = Σ_f (z[j,f] - s[i,j] z[i,f])^2",
    square="Σ_f (z[j,f] - s[i,j] z[i,f])^2 ≥ 0",
    scale="c w[i,f]/√(Σ_f (c w[i,f])^2) = w[i,f]/√(Σ_f w[i,f]^2)",
)

claim("M5", "proved", NTXENT)(
    checked="The gradient by the raw rows is «gradient.chain»: by the unit rows, then projected, over the length of"
    " the row. So it is tangent to the sphere: «tangent».",
    gradient="∂𝓛/∂w[k,f] = Σ_g ∂𝓛/∂z[k,g] ∂z[k,g]/∂w[k,f]"
    " = (Σ_g (1[f = g] - z[k,f] z[k,g]) ((Σ_j (G[k,j] + G[j,k]) z[j,g])/(ν τ)))/‖w[k]‖"
    f" = {BY_ROW}",
    tangent=f"Σ_f w[k,f] ({BY_ROW}) = 0",
)

EXCESS = "2 e^(1/τ) {}/((Σ_l 1[l ≠ k] e^L[k,l]) ν τ)"

claim("S4", "proved", NTXENT)(
    checked="To sum over all rows and take off the anchor's own term, instead of masking it, changes the gradient"
    " by the unit rows by «excess», which is radial, and is gone after the projection: «projection».",
    excess="∂((Σ_i (-log(e^L[i,p(i)] / (Σ_l e^L[i,l] - e^(1/τ)))))/ν - 𝓛)/∂z[k,f] = "
    + EXCESS.format("z[k,f]"),
    projection=f"Σ_g (1[f = g] - z[k,f] z[k,g]) ({EXCESS.format('z[k,g]')}) = 0",
)


STATEMENT = state(
    "ntxent", NTXENT, NTXENT.gradients(GRADIENTS, w="M5", temperature="M7"), weigh_row(ERROR), bind=pair
)

# with a mask, whose candidates are not the anchor
MASKED = given(
    f"{RANGES}; Yᵏ is 0 or 1",
    *(NORM, UNIT, COSINE, LOGITS),
    *define_masked_rows("L[i,j]", "1[j ≠ i] Yᵏ[i,j]"),
    *(LOSS, ERROR),
)
STATEMENTS = {
    "": STATEMENT,
    "masked": state("ntxent", MASKED, MASKED.gradients(GRADIENTS, "M37"), weigh_row(ERROR), bind=pair),
}


claim("M37", "proved", MASKED)(
    checked="With a mask, $Y^k$ being 1 where a row is kept among the candidates of another (M36), a row's loss is"
    " «w.where ℓ», in which the positive always stands and the anchor never. The gradients are the same as"
    " without: «w» and «temperature», where «w.where P» and «w.where G». An entry of $G$ is 0 where the anchor"
    " leaves the other row out, «left»; if the other does not leave the anchor out, the mirrored entry pushes"
    " both apart.",
    brief="With a mask, $Y^k$ being 1 where a row is kept, a row's loss is «w.where ℓ», and the gradients are the"
    " same as without: «w», where «w.where P».",
    **GRADIENTS,
    left="(1 - Yᵏ[i,j]) 1[j ≠ p(i)] G[i,j] = 0",
)
