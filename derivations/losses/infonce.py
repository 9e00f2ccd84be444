"""InfoNCE over a batch of pairs, the anchor in its own denominator, and its gradient (document D1).

No line uses ‖z‖ = 1: the gradient is that of free rows, and holds with or without the anchor masked.
"""

from collections.abc import Iterator
from fractions import Fraction

from ..common import rational
from ..common.masks import define_masked_rows
from ..common.pairs import pair, positives
from ..common.softmax import ROW_BY_TEMPERATURE
from ..common.weights import state, weigh_row
from ..evidence.kinds import Empirical, Example, Finding, Misprint
from ..evidence.plain import Given, Said, claim, given
from ..evidence.points import Base, Pairing, UnitRows
from ..symbols import G, P, f, i, j, k, nu, tau

RANGES = "i j k Σ_m < N; f g < d; p: N → N; p(i) ≠ i"
PRINTED = given(
    RANGES,
    "L[i,j] := (Σ_f z[i,f] z[j,f])/τ",  # D1.2
    "P[i,j] := e^L[i,j] / Σ_k e^L[i,k]",  # D1.3
    "ℓ[i] := -log(P[i,p(i)])",  # D1.6
    "𝓛 := (Σ_i ℓ[i])/ν",  # D1.4
    "G[i,j] := P[i,j] - 1[j = p(i)]",  # D1.11
)
LOGITS, SOFTMAX, ROW, LOSS, ERROR = PRINTED.names
MASKED = PRINTED.also("P[i,j] := 1[j ≠ i] e^L[i,j] / Σ_k 1[k ≠ i] e^L[i,k]")  # the anchor masked
# the same G, with 1 − P_ip written as the sum of the other probabilities [S2]
SAFE = PRINTED.also("G[i,j] := 1[j ≠ p(i)] P[i,j] - 1[j = p(i)] (Σ_m 1[m ≠ p(i)] P[i,m])")

LOGIT_BY_ROW = "(1[i = k] z[j,f] + 1[j = k] z[i,f])/τ"
BY_ROW = "(Σ_j (G[k,j] + G[j,k]) z[j,f])/(ν τ)"
IN_TWO_SUMS = f"∂𝓛/∂z[k,f] = Σ_ij (G[i,j]/ν) ({LOGIT_BY_ROW}) = (Σ_j G[k,j] z[j,f] + Σ_i G[i,k] z[i,f])/(ν τ)"
GRADIENT = f"{IN_TWO_SUMS} = {BY_ROW}"
BY_TEMPERATURE = "∂𝓛/∂τ = -(Σ_ij G[i,j] L[i,j])/(ν τ)"

# --- at rows of fractions, e^{1/(25τ)} = b --------------------------------------------------------------


def probabilities(z, b: Fraction, of: Given = PRINTED) -> list[list[Fraction]]:
    """P [D1.3]."""
    return rational.table(P[i, j], (i, j), of.names, z, b)


def errors(z, b: Fraction, partner, of: Given = PRINTED) -> list[list[Fraction]]:
    """G = P − 1[positive] [D1.11]."""
    return rational.table(G[i, j], (i, j), of.names, z, b, partner)


def steepest(z, b: Fraction, partner, of: Given = PRINTED) -> list[list[Fraction]]:
    """(G + Gᵀ) Z, which is ντ times the gradient [D1.13]."""
    return rational.table(nu * tau * of.read(BY_ROW), (k, f), of.names, z, b, partner)


# --- the definitions ------------------------------------------------------------------------------------

VIEWS = PRINTED.only().also("N := 2 B")


def _radial(z, b) -> Finding:
    along = rational.dot(z[0], steepest(z, b, positives(len(z)))[0])
    return Finding(along, "≠", 0, ("Nτ z_0 · ∂𝓛/∂z_0", ""))


claim("D1.1", "definition", VIEWS)(
    printed=r"$N = 2B$, $Z_i \in \mathbb{R}^d$, $\|Z_i\|_2 = 1$",
    checked="A batch has one row for each view of an image: «pairs», two rows for each pair, «views», each of"
    " length 1. The derivation does not use the length: «gradient» is the gradient by free rows, and need not lie"
    " along the sphere, «radial».",
    pairs="N",
    views="N/B = 2",
    gradient=PRINTED(GRADIENT),
    radial=lambda: Example.at("along the radius", _radial, z=UnitRows([[1], [-1]]), b=Base(21, 20)),
)

claim("D1.2", "definition", PRINTED)(
    printed=r"$L_{ij} = \frac{1}{\tau} Z_i \cdot Z_j$",
    checked="A logit is the scalar product of two rows over the temperature, «logits», symmetric: «symmetric».",
    logits="L[i,j]",
    symmetric="L[i,j] = L[j,i]",
)

claim("D1.3", "definition", PRINTED)(
    printed=r"$P_{ij} = \frac{\exp(L_{ij})}{\sum_{k=1}^{N} \exp(L_{ik})}$",
    checked="The softmax turns the logits of a row into probabilities: «softmax». All are positive, «positive», and"
    " each row of them sums to 1, «sum». The anchor is one of its own candidates, unlike SimCLR's (D3.2).",
    softmax="P[i,j]",
    positive="P[i,j] > 0",
    sum="Σ_j P[i,j] = 1",
)


def rest_of(row: str) -> str:
    """1 − P_ip, a sum of the other probabilities, the anchor's own before it: as p(i) ≠ i, it is > 0."""
    return "P[i,i] + Σ_m 1[m ≠ i] 1[m ≠ p(i)] P[i,m]".replace("i", row)


claim("D1.4", "definition", PRINTED)(
    printed=r"$\mathcal{L} = -\frac{1}{N} \sum_{i=1}^{N} \log P_{i,p(i)}$",
    checked=r"The loss of the batch is the mean of the rows' losses: «loss», where «row», and $\nu$ is the number"
    r" of rows. It is positive: «below», where «rest», and that is «positive».",
    loss="𝓛",
    row="ℓ[i]",
    below="-𝓛 ≤ -(Σ_i Σ_j 1[j ≠ p(i)] P[i,j])/ν by Σ_i 1/ν log(P[i,p(i)])",
    rest=f"Σ_j 1[j ≠ p(i)] P[i,j] = {rest_of('i')}",
    positive=f"{rest_of('i')} > 0",
)


def _none(B) -> Finding:
    return Finding((B + B) % (2 * B), "<", 1, ("p(B)", "the first row"))


def _partners(p) -> Finding:
    N = len(p)
    return Finding([*p], "=", [(i + N // 2) % N for i in range(N)], ("p(i) of six rows", "(i + B) mod N"))


claim("D1.5", "corrected", VIEWS)(
    printed=r"$p(i) = (i + B) \mod N$, of the rows $Z_1, Z_2, \ldots, Z_N$",
    checked="Of rows counted from 1, the positive of row B is none of them: «none».",
    correction="Rows are counted from 0: «partners», in order. In general, two steps of B end at"
    " «twice», which modulo N is $i$: each row is the positive of its own positive. No row is its own, as the step"
    " is B or «back», and «step».",
    none=lambda: Misprint.at("counted from 1", _none, B=3),
    twice="i + 2 B = i + N",
    back="B - N = -B",
    step="B > 0",
    partners=lambda: Example.at("counted from 0", _partners, p=Pairing(positives(6))),
)

# --- the gradient ---------------------------------------------------------------------------------------

claim("D1.9", "proved", PRINTED)(
    printed=r"$\frac{\partial L_{ij}}{\partial Z_k} = \frac{1}{\tau} (\delta_{ik} Z_j + \delta_{jk} Z_i)$",
    checked="A logit depends on the two rows that it compares: «derivative», for the feature $f$ of row $k$. It"
    " holds where the rows are one, too: «diagonal».",
    derivative=f"∂L[i,j]/∂z[k,f] = {LOGIT_BY_ROW}",
    diagonal="∂L[k,k]/∂z[k,f] = 2 z[k,f]/τ",
)

claim("D1.10", "proved", PRINTED)(
    printed=r"$\frac{\partial \mathcal{L}}{\partial Z_k} = \sum_{i,j} \frac{\partial \mathcal{L}}{\partial"
    r" L_{ij}} \frac{\partial L_{ij}}{\partial Z_k}$",
    checked="The chain rule goes through every logit: «chain rule», over all N² logits.",
    chain_rule="∂𝓛/∂z[k,f] = Σ_ij ∂𝓛/∂L[i,j] ∂L[i,j]/∂z[k,f]",
)

claim("D1.12", "proved", PRINTED)(
    printed=r"$\frac{\partial \mathcal{L}}{\partial Z_k} = \frac{1}{N\tau} (\sum_j G_{kj} Z_j + \sum_i G_{ik}"
    " Z_i)$",
    checked="The gradient of a row has two sums, over its row of the error and over its column: «gradient». Row $k$"
    " itself is in both sums: «diagonal».",
    gradient=IN_TWO_SUMS,
    diagonal="2 G[k,k] z[k,f] = 2 P[k,k] z[k,f]",
)

claim("D1.14", "proved", PRINTED)(
    printed="the InfoNCE loss gradient is obtained from the combination of softmax probabilities corrected by"
    " positive markers, multiplied by the feature matrix",
    checked="D1.13 in words. The combination is «gradient.where G»; what multiplies the features is it and its"
    " transpose: «gradient», where «gradient.where P» or, with the anchor masked, «masked.where P».",
    gradient=GRADIENT,
    masked=MASKED(GRADIENT),
)

claim("D1.13", "proved", PRINTED)(
    printed=r"$\nabla_Z \mathcal{L} = \frac{1}{N\tau} (G + G^T) Z$",
    checked="Together the two sums are the error and its transpose, times the rows: «gradient», where"
    " «gradient.where P»; and with the anchor masked, «masked.where P», it is the same: «masked». The English text"
    " is quoted; in the Italian one the backslashes of this line are lost, each with the letter after it.",
    gradient=GRADIENT,
    masked=MASKED(GRADIENT),
)

# the same rows, held constant as candidates
HELD = PRINTED.also("L[i,j] := (Σ_f z[i,f] y[j,f])/τ")
AS_ANCHOR, AS_CANDIDATE = "(Σ_j G[k,j] {}[j,f])/τ", "(Σ_i G[i,k] z[i,f])/τ"

claim("M6", "proved", PRINTED)(
    checked="A row moves as the anchor, and as a candidate of the other rows: «sum», where «sum.where L». The first"
    " sum is what row $k$ wants as the anchor: with $y$ for the same rows, held constant as candidates,"
    " «anchor.where L», it is «anchor», the gradient of D2.8. The second is what all anchors want of it as their"
    " candidate: «candidate».",
    sum=f"Σ_i ∂ℓ[i]/∂z[k,f] = {AS_ANCHOR.format('z')} + {AS_CANDIDATE}",
    anchor=HELD(f"∂ℓ[k]/∂z[k,f] = {AS_ANCHOR.format('y')}"),
    candidate=HELD(f"Σ_i ∂ℓ[i]/∂y[k,f] = {AS_CANDIDATE}"),
)

# --- what a step against the gradient does --------------------------------------------------------------

# The two views of an image are far apart, and both views of the other image lie between them.
BATCH, COLDNESS = UnitRows(rational.rows((25, 0), (0, 25), (-24, 7), (0, 25), by=25)), Base(21, 20)

# The coefficient of z_j in Nτ ∂𝓛/∂z_k, and its sign; for partners, j = p(k) and k = p(j), 1 − P_kj and 1 − P_jk.
COEFFICIENTS: dict[str, Said] = {
    "gradient": GRADIENT,
    "coefficient": "G[k,j] + G[j,k] = P[k,j] + P[j,k] - 1[j = p(k)] - 1[k = p(j)]",
    "strangers": "P[k,j] + P[j,k] > 0",
    "partners": f"-(G[k,p(k)] + G[j,p(j)]) = {rest_of('k')} + {rest_of('j')}",
    "attracts": f"{rest_of('k')} + {rest_of('j')} > 0",
}


def steps_of_a_pair(z, b) -> Iterator[Finding]:
    """All rows step against the gradient, times Nτ: what becomes of z_0 and its positive."""
    p = positives(len(z))
    printed = [[-x for x in row] for row in steepest(z, b, p)]
    along = [rational.tangent(row, step) for row, step in zip(z, printed, strict=True)]
    product = rational.dot(z[0], z[p[0]])

    def rate(step):
        return rational.dot(step[0], z[p[0]]) + rational.dot(z[0], step[p[0]])

    lengths = rational.dot(z[0], printed[0]) + rational.dot(z[p[0]], printed[p[0]])
    pair = f"z_0 · z_{p[0]}"
    yield Finding(product, "<", 0, (pair, ""))
    yield Finding(rate(along), "<", 0, (f"Nτ d({pair})/dt along the sphere", ""))
    yield Finding(rate(printed), ">", 0, (f"Nτ d({pair})/dt against the printed gradient", ""))
    yield Finding(lengths, "<", 0, (f"there Nτ d(‖z_0‖ + ‖z_{p[0]}‖)/dt", ""))
    yield Finding(rate(printed) - product * lengths, "<", 0, ("there Nτ d(cosine)/dt", ""))


claim("D1.0", "no theorem", PRINTED)(
    printed='to bring "positive" example pairs closer together and push "negative" examples apart',
    checked="The sentence says what the loss is for: «empirical».",
    correction="What can be proved is the coefficient of $z_j$ in «gradient»: «coefficient». Where $j$ is neither"
    " $k$ nor its partner, «strangers»: a step against the gradient repels. For partners, $j$ the positive of"
    " $k$ and $k$ that of $j$, the coefficient with the other sign is «partners», and «attracts»: it attracts."
    " But what becomes of a pair depends on the other rows too, as in a batch of four: «apart». There the"
    " printed gradient, that of free rows, raises a negative product by making the rows shorter, and the"
    " cosine falls.",
    empirical=lambda: Empirical("a purpose is neither true nor false"),
    **COEFFICIENTS,
    apart=lambda: Example.at(
        "two views driven apart by the views between them", steps_of_a_pair, z=BATCH, b=COLDNESS
    ),
)


def _not_reciprocal(z, b) -> Iterator[Finding]:
    partner = positives(len(z))
    numbers = errors(z, b, partner)
    forces = [sum(column) for column in zip(*steepest(z, b, partner), strict=True)]
    yield Finding(numbers[0][1], "≠", numbers[1][0], ("G_01", "G_10"))
    yield Finding(forces, "≠", [0] * len(forces), ("Nτ Σ_k ∂𝓛/∂z_k", ""))
    yield from steps_of_a_pair(z, b)


claim("D1.15", "corrected", PRINTED)(
    printed=r"The symmetric term $(G+G^T)$ ensures that each feature pair contributes reciprocally to pushing"
    " toward positives and away from negatives",
    checked="$G$ is not symmetric, the gradients of the rows do not cancel, as action and reaction would, and a"
    " pair of positives may be driven apart: «fails».",
    correction="In «gradient», $z_j$ has the coefficient that $z_k$ has in the gradient by row $j$:"
    " «coefficient». For strangers «strangers», and it repels; for partners the same with the other sign is"
    " «partners», «attracts», and it attracts. The diagonal, «diagonal», belongs to no pair. Together the"
    " gradients are «forces».",
    brief="A pair of rows has one coefficient in both gradients, «coefficient»: partners attract, others"
    " repel. But the gradients of a batch do not cancel, «forces», and a step of all rows may drive partners"
    " apart.",
    fails=lambda: Misprint.at(
        "two views driven apart by the views between them", _not_reciprocal, z=BATCH, b=COLDNESS
    ),
    **COEFFICIENTS,
    diagonal="2 G[k,k] = 2 P[k,k]",
    forces=f"Σ_k ({BY_ROW}) = (Σ_j (Σ_i G[i,j]) z[j,f])/(ν τ)",
)

claim("M7", "proved", PRINTED)(
    checked=r"Where «by temperature.where L», «by temperature». With $\beta$ for the inverse of $\tau$,"
    r" «slope.where L», the slope is «slope», and the curvature a variance, «curvature», «convex». For the"
    r" whole loss, where «batch.where L», «batch.chain», from what the rows have along their gradients.",
    **ROW_BY_TEMPERATURE,
    batch=f"{BY_TEMPERATURE} = -(Σ_kf z[k,f] ({BY_ROW}))/(2 τ)",
)


GRADIENTS = {"z": f"∂𝓛/∂z[k,f] = {BY_ROW}", "temperature": BY_TEMPERATURE}
STATEMENT = state(
    "infonce",
    SAFE,
    SAFE.gradients(GRADIENTS, z="D1.12 D1.13 M6", temperature="M7"),
    weigh_row(SAFE["G"]),
    bind=pair,
)

# with a mask, before which the anchor stays among its own candidates
KEPT = given(
    f"{RANGES}; Yᵏ is 0 or 1",
    LOGITS,
    *define_masked_rows("L[i,j]", "(1[j = i] + 1[j ≠ i] Yᵏ[i,j])"),
    *(LOSS, SAFE["G"]),
)
STATEMENTS = {
    "": STATEMENT,
    "masked": state("infonce", KEPT, KEPT.gradients(GRADIENTS, "M38"), weigh_row(SAFE["G"]), bind=pair),
}


claim("M38", "proved", KEPT)(
    checked="With a mask, $Y^k$ being 1 where a row is kept among the candidates of another (M36), a row's loss is"
    " «z.where ℓ», in which the anchor and its positive always stand. The gradients are the same as without:"
    " «z» and «temperature», where «z.where P» and «z.where G».",
    brief="With a mask, $Y^k$ being 1 where a row is kept, a row's loss is «z.where ℓ», and the gradients are the"
    " same as without: «z», where «z.where P».",
    **GRADIENTS,
)
