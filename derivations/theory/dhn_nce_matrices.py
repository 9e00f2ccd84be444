"""DHN-NCE in matrices: the notes' formulas, evaluated as printed, and the two forms that are right (D4).

A, with the entries e^{L_ij}, is the notes' exp(S/γ). Their formulas are written out entry by entry and
evaluated at a hard batch and at a well-separated one.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from mpmath import iv
from sympy import Matrix

from ..evidence.kinds import Counterexample, Empirical, Evidence, Example, Finding, Misprint
from ..evidence.plain import Said, claim, given
from ..evidence.points import Positive, Rows
from ..losses import dhn_nce
from ..prover.inequality import SumOfLogs

RANGES = f"{dhn_nce.RANGES}; Σ_n < B; t A[] real; u > 0"
MATRICES = given(f"{RANGES}; O is 0 or 1", *dhn_nce.DIFFERENTIATED.names)
ENTRY = MATRICES.only().also("A[i,j] := e^(S[i,j]/τ)")
ONES = MATRICES.only().also("𝟏[j] := 1")
AT = given(RANGES, *dhn_nce.at_logits(dhn_nce.DIFFERENTIATED).names)  # at given logits
# a negative is before each positive
CLOSE = {"B": 3, "L": [[1, 2, 1], [0, 1, 3], [2, 0, 1]], "β₁": 1, "β₂": 2}
APART = {"B": 3, "L": [[2, 0, 0], [0, 2, 0], [0, 0, 2]], "β₁": 1, "β₂": 2}

# a matrix is its entry in row i and column j
BY_IMAGE, BY_TEXT = "L[i,j]", "L[j,i]"  # the rows of images, and of texts: T_i · I_j = S_ji [D4.4]
SHIFTED = "(L[i,j] + c)"  # a constant added to all logits
WEIGHT = "W[i,j]"


def at(text: str, **places: str) -> str:
    """The same in another row i, or in another column j."""
    return re.sub(r"\b[ij]\b", lambda found: places.get(found[0], found[0]), text)


def raised(logits: str, power: str) -> str:
    """A^power, entry by entry: e^{power · S/τ} [D4.8, D4.21]."""
    return f"e^({power} {logits})"


def over_negatives(term: str) -> str:
    """Σ over j ≠ i."""
    return f"(Σ_m O[i,m] {at(term, j='m')})"


def stable(logits: str, power: str) -> str:
    """−S_ii/τ + log(B − 1) + LSE_{j≠i}((1 + β)S_ij/τ) − LSE_{j≠i}(βS_ij/τ), the second vectorisation."""
    hardest, soft = (over_negatives(raised(logits, c)) for c in (f"(1 + {power})", power))
    return f"log(B - 1) + log{hardest} - log{soft} - {at(logits, j='i')}"


def inner(weights: str, logits: str = BY_IMAGE) -> str:
    """Σ_j A_ij W_ij."""
    return at(f"(Σ_m e^({logits}) ({weights}))", j="m")


def rows_of_logs(weights: str, logits: str = BY_IMAGE) -> str:
    """Σ_i log Σ_j A_ij W_ij."""
    return f"(Σ_i log{inner(weights, logits)})"


def softmax(logits: str) -> str:
    """The softmax of each row (dim = −1)."""
    return f"(e^({logits})/Σ_n e^({at(logits, j='n')}))"


def product(X: str) -> str:
    """I_B X, read as a matrix product, as printed."""
    return f"(Σ_l 1[i = l] {at(X, i='l')})"


def meant(X: str) -> str:
    """I_B ⊙ X, as "replaces the leading diagonal with zeros" wants it."""
    return f"1[i = j] {X}"


Reading = Callable[[str], str]  # product or meant, of the I_B A^β that the notes subtract from A^β


def masked_by(reading: Reading, logits: str = BY_IMAGE) -> str:
    """softmax(A^β − I_B A^β, dim = −1)."""
    power = raised(logits, "β₁")
    return softmax(f"{power} - {reading(power)}")


def less_one(shares: str, factor: str = "(B - 1)") -> str:
    """factor · shares − I_B."""
    return f"{factor} {shares} - 1[i = j]"


def masked(weights: str) -> str:
    """0 on the diagonal."""
    return f"O[i,j] {weights}"


IMAGES, TEXTS = "Σ_i ℓ[i]", "Σ_i ℓ′[i]"  # the two directions
WEIGHED = over_negatives("e^L[i,j] W[i,j]")  # A ⊙ W [D4.23]
POWER = raised(BY_IMAGE, "β₁")


def wrong(claimed: str, right: str = IMAGES) -> Callable[[], Evidence]:
    """The printed formula gives another number than the loss."""
    return AT.fails(f"{right} = {claimed}", CLOSE, Counterexample)


def no_log(weights: str, batch: Mapping[str, Any]) -> Callable[[], Evidence]:
    """The printed formula takes the log of a number that is not positive, in the first row."""
    return AT.fails(f"{at(inner(weights), i='0')} > 0", batch, Counterexample)


# (B − 1) times the softmax over the negatives
RIGHT_WEIGHT = f"(B - 1) {masked(POWER)}/Σ_l {at(masked(POWER), j='l')}"
# −tr(S)/τ + 1ᵀ log((A ⊙ W) 1): the sums are over all j, for W has 0 on its diagonal [D4.9]
LOSS = MATRICES(f"{IMAGES} = {rows_of_logs(RIGHT_WEIGHT)} - Σ_i L[i,i]")
# two LSE over the negatives: V is ℓ, for their exp are equal and both are real [D4.14]
STABLE = MATRICES.also(f"V[i] := {stable(BY_IMAGE, 'β₁')}")
# the loss of both directions: one function, of A and β₁, then of Aᵀ and β₂
DIRECTIONS: dict[str, Said] = {
    "image": MATRICES(f"e^ℓ[i] = (B - 1) {dhn_nce.RATIO}"),
    "text": MATRICES(dhn_nce.of_text(f"e^ℓ[i] = (B - 1) {dhn_nce.RATIO}")),
}
# as many features as pairs
SQUARE = {"B": 2, "d": 2, "I": [[1, 2], [3, 4]]}
ENTRY_01 = {"i": 0, "j": 1}

claim("D4.6", "corrected", MATRICES)(
    printed=r"We start with matrices $\mathbf{I}, \mathbf{T} \in \mathbb{R}^{B \times n}$ which are the"
    r" matrices of text and image embeddings calculated from the model. These represent 1 batch. We aim to"
    r" find $f(\mathbf{I},"
    r" \mathbf{T}, \gamma, \beta_1, \beta_2)$ which is the loss of matrices $\mathbf{I}, \mathbf{V}$.",
    checked="With the texts in the place of the images the scores are transposed, «swapped», and the loss is"
    " another where the two hardnesses differ: «exchanged» is false.",
    correction="$I$ holds the images and $T$ the texts, one in each row, and $V$ is $T$: «scores».",
    exchanged=AT.fails(
        f"𝓛 = (Σ_i ({stable(BY_TEXT, 'β₁')} + {stable(BY_IMAGE, 'β₂')}))/ν", CLOSE | {"ν": Fraction(1)}
    ),
    swapped="Σ_f T[i,f] I[j,f] = S[j,i]",
    scores="S[i,j]",
)

claim("D4.7", "corrected", MATRICES)(
    printed=r"Define similarity matrix $S = \mathbf{I}^T \mathbf{T}$.",
    checked="With the samples in rows $I^T T$ has an entry for each two features. Its trace is right, «trace»;"
    " and where there are as many features as pairs, its entries are other numbers: «printed» is false.",
    correction="«scores», that is $S$ is $I T^T$.",
    printed_=MATRICES.only("S").fails(
        "S[i,j] = Σ_k I[k,i] T[k,j]", SQUARE | {"T": [[1, 2], [3, 4]]} | ENTRY_01
    ),
    trace="Σ_i S[i,i] = Σ_fk I[k,f] T[k,f]",
    scores="S[i,j]",
)


def _matrix(scores) -> Finding:
    of_matrix = Matrix([[int(x) for x in row] for row in scores]).exp()
    names = ("e^S of the entry", "of the matrix")
    return Finding(iv.exp(int(scores[1][0])), "≠", int(of_matrix[1, 0]), names)


def _overflow(digits, exponent, hundredths) -> Iterator[Finding]:
    below, above = (iv.mpf(number) / 100 for number in (hundredths, hundredths + 1))
    yield Finding(below, "<", iv.log(2**exponent - 2 ** (exponent - digits)), ("", "log of the largest"))
    yield Finding(above, ">", iv.log(2**exponent))


claim("D4.8", "definition", ENTRY)(
    printed=r"and $A = \exp \left(\frac{1}{\gamma} S \right)$",
    checked="The matrix holds the exponentials of the scores over the temperature: «entry», entry by entry, all of"
    " them «positive», so that «inverse»; not the exponential of a matrix, of which one entry here is 0: «matrix»."
    " It leaves the floating numbers early, «single» and «double»: the log-sum-exp form never builds it.",
    entry="A[i,j]",
    positive="e^(S[i,j]/τ) > 0",
    inverse="log(A[i,j]) = S[i,j]/τ",
    matrix=lambda: Example.at("a matrix whose square is 0", _matrix, scores=Rows([[0, 1], [0, 0]])),
    single=lambda: Example.at("float32", _overflow, digits=24, exponent=128, hundredths=8872),
    double=lambda: Example.at("float64", _overflow, digits=53, exponent=1024, hundredths=70978),
)

DIAGONAL_WEIGHT = f"(e^(-L[i,i]) - 1) {WEIGHED} e^(-L[i,i])"

claim("D4.9", "refuted", MATRICES)(
    printed=r"$\mathcal{L}^{v \rightarrow t} = - \sum_{i=1}^B \frac{\mathbf{I}_{p_i}^T"
    r" \mathbf{T}_{p_i}}{\gamma} + \sum_{i=1}^B \log \left(\sum_{j \neq i} \exp"
    r" \left(\frac{\mathbf{I}_{p_i}^T \mathbf{T}_{p_j}}{\gamma} \right) W_{\mathbf{I}_{p_i}"
    r" \mathbf{T}_{p_j}}^{v \rightarrow t} \right) = \sum_{i=1}^B \log \sum_{j=1}^B \exp"
    r" \left(\frac{\mathbf{I}_{p_i}^T \mathbf{T}_{p_j}}{\gamma} \right) W_{\mathbf{I}_{p_i}"
    r" \mathbf{T}_{p_j}}^{v \rightarrow t}$",
    checked="The positive's term does not go inside the logarithm: with the formula of the weights on the"
    " diagonal «formula» is false, and so with -1 there «minus one», and with 0 «zero». The weight that"
    " would do it is «needed», another in each row, for «constant» is false.",
    correction="«loss»: the score of the pair stays outside, and the mask has 0 on the diagonal.",
    formula=wrong(rows_of_logs(WEIGHT)),
    minus_one=wrong(rows_of_logs(less_one(masked(WEIGHT), ""))),
    zero=wrong(rows_of_logs(masked(WEIGHT))),
    needed=f"(e^ℓ[i] - {WEIGHED}) e^(-L[i,i]) = {DIAGONAL_WEIGHT}",
    constant=AT.fails(f"{at(DIAGONAL_WEIGHT, i='0')} = {at(DIAGONAL_WEIGHT, i='1')}", CLOSE, Counterexample),
    loss=LOSS,
)

EARLY = {"B": 3, "L": [[2, Fraction(3, 2), 0]], "β₁": 0}

claim("D4.10", "refuted", MATRICES)(
    printed=r"As mentioned, the summation ignores the case when $j=i$, which is the leading diagonal of"
    r" matrix $A$. So we can add the $A_{ii}$ leading diagonal in, but set its weight to $-1$ to represent"
    r" the coefficient. So $\mathcal{L}^{v \rightarrow t} = \sum_{i=1}^B \log \sum_{j=1}^B A_{ij} W_{ij}^{v"
    r" \rightarrow t}$",
    checked=r"The log is then of a number that need not be positive: «broken» is false of a batch. Its negative"
    r" is «margin», where «share». No term of the sum is negative wherever each $(B - 1) A_{ij}$ is at most"
    r" $A_{ii}$, that is wherever each $S_{ii} - S_{ij}$ is at least $τ \log(B - 1)$: the loss breaks on"
    r" well-separated batches. That margin is enough, not necessary: «early», and yet «smaller».",
    correction="The coefficient -1 belongs to the score of the pair, outside the log, and the diagonal's weight"
    " is 0: «loss».",
    broken=no_log(less_one(masked(WEIGHT), ""), APART),
    margin=f"e^L[i,i] - {WEIGHED} = Σ_m ρ[i,m] (e^L[i,i] - (B - 1) e^L[i,m])",
    share="ρ[i,m] ≥ 0",
    early=AT.holds("the log breaks", f"{at(WEIGHED, i='0')} - e^L[0,0] < 0", EARLY),
    smaller=AT.holds("at a smaller margin", "(B - 1) e^L[0,1] - e^L[0,0] > 0", EARLY),
    loss=LOSS,
)

claim("D4.11", "corrected", MATRICES)(
    printed=r"Then we have $W_{ij}^{v \rightarrow t} = (B-1) \frac{\exp\left(\frac{B, I_{A_i}^T"
    r" T_{Pi}}{\tau}\right)}{\sum_{k \neq i} \exp\left(\frac{B, I_{A_k}^T T_{Pi}}{\tau}\right)} \in"
    r" \mathbb{R}^{B \times B}$",
    checked="Read with $β_1$ for $B,$ and one index $p$ for $A$ and $P$, the numerator is that of the pair"
    " whatever $j$ is, and the sum runs down a column: «printed» is false. $W_{ij}$ is a number; the"
    " matrix of all of them is B by B.",
    correction="«weights», so that «sum».",
    printed_=AT.fails("W[i,j] = (B - 1) e^(β₁ L[i,i])/Σ_k 1[k ≠ i] e^(β₁ L[k,i])", CLOSE | ENTRY_01),
    weights="W[i,j]",
    sum="Σ_m O[i,m] W[i,m] = B - 1",
)

ZERO_LOGIT = softmax("1[i ≠ j] β₁ L[i,j]")
WITH_T = f"(e^t + {over_negatives(POWER)})"
SHARE = "O[i,j] W[i,j] = (B - 1) ρ[i,j]"

claim("D4.12", "refuted", MATRICES)(
    printed=r"The fraction would be a softmax function with the leading diagonal equal to 0. And if $i=j$,"
    r" we will replace it.",
    checked="A logit of 0 has the weight 1, and takes a share from the negatives, which replacing it afterwards"
    " does not give back: «printed» is false. With the logit t on the diagonal the share of a negative is"
    " «share».",
    correction="That is $ρ$ where $e^t$ is 0: the masked logit is $-\\infty$, and «weights».",
    printed_=AT.fails(f"W[i,j] = (B - 1) {ZERO_LOGIT}", CLOSE | ENTRY_01, Counterexample),
    share=f"O[i,j] {POWER}/{WITH_T} = ρ[i,j] (1 - e^t/{WITH_T})",
    weights=SHARE,
)

AS_PRODUCT, AS_MEANT = (less_one(masked_by(reading)) for reading in (product, meant))

claim("D4.13", "refuted", MATRICES)(
    printed=r"And $W_{ii}^{v \rightarrow t} = -1 \quad \forall i \in \{1, \dots, B\}$ anyway. So … we set"
    r" the diagonal to 0, apply softmax and then subtract 1 from the diagonal. $W_{ij}^{v \rightarrow t} ="
    r" (B-1) \cdot \text{softmax}\left(A_{ij}^{B_i} - I_B A_{ij}^{B_i}, \text{dim}=-1\right) - I_B \in"
    r" \mathbb{R}^{B \times B}$; $A_{ij}^{B_i} - I_B A_{ij}^{B_i}$ applies the $B_i$ scaling element-wise"
    r" and then replaces the leading diagonal with zeros.",
    checked="Three faults. $A^β$ is exponentiated already, and softmax exponentiates again: «meant» is false. A"
    " zero on the diagonal keeps a share there, so that with -1 it is not -1: «meant diagonal» is false. And"
    " $I_B A^β$ as a matrix product leaves all logits 0, «logits», so that «uniform»; «product» and"
    " «product diagonal» are false.",
    correction="«weights», the softmax of $β L$ over the negatives alone: «share».",
    brief="Three faults. $A^β$ is exponentiated already, and softmax exponentiates again. A zero on the"
    " diagonal keeps a share there, so that with -1 it is not -1. And $I_B A^β$ as a matrix product is all"
    " of $A^β$, which leaves no logits: «logits». Right is «weights», the softmax of $β L$ over the"
    " negatives alone.",
    product=AT.fails(f"W[0,1] = {at(AS_PRODUCT, i='0', j='1')}", CLOSE, Counterexample),
    meant=AT.fails(f"W[0,1] = {at(AS_MEANT, i='0', j='1')}", CLOSE, Counterexample),
    product_diagonal=AT.fails(f"-1 = {at(AS_PRODUCT, i='0', j='0')}", CLOSE, Counterexample),
    meant_diagonal=AT.fails(f"-1 = {at(AS_MEANT, i='0', j='0')}", CLOSE, Counterexample),
    logits=f"{POWER} - {product(POWER)} = 0",
    uniform=f"{AS_PRODUCT} = (B - 1)/B - 1[i = j]",
    weights="W[i,j]",
    share=SHARE,
)

UNIFORM = inner(less_one("(1/B)"))
MOVED = less_one(masked_by(meant, SHIFTED))

claim("D4.14", "refuted", MATRICES)(
    printed=r"So $\mathcal{L}^{v \rightarrow t} = \sum_{i=1}^B \log \sum_{j=1}^B A_{ij} \otimes \left\{ (B-1)"
    r" \text{softmax}\left(A_{ij}^{B_i} - I_B A_{ij}^{B_i}, \text{dim}=-1\right) - I_B \right\}$.",
    checked="D4.9 and D4.13 together, in both readings of $I_B A^β$. On a hard batch it is a wrong number, as"
    " «product» and «meant» are false; on a well-separated one the log is of a negative number, as"
    " «product log» and «meant log» are false. Unlike the loss it changes when a constant is added to all"
    " scores: read as a matrix product «shifted» where «invariant» is right, and read as it is meant «moved»"
    " is false.",
    correction="«loss», or in the stable form «stable», where «stably».",
    product=wrong(rows_of_logs(AS_PRODUCT)),
    meant=wrong(rows_of_logs(AS_MEANT)),
    product_log=no_log(AS_PRODUCT, APART),
    meant_log=no_log(AS_MEANT, APART),
    shifted=f"Σ_j ∂(log{UNIFORM})/∂L[i,j] = 1",
    invariant="Σ_j ∂ℓ[i]/∂L[i,j] = 0",
    moved=AT.fails(
        f"{rows_of_logs(AS_MEANT)} = {rows_of_logs(MOVED, SHIFTED)}", CLOSE | {"c": 1}, Counterexample
    ),
    loss=LOSS,
    stable=STABLE("V[i]"),
    stably=STABLE("e^ℓ[i] = e^V[i]"),
)

claim("D4.15", "corrected", MATRICES)(
    printed=r"We use the Hadamard product since we apply a linear combination to each image, resulting in"
    r" $B$ total computations. A matrix multiplication will require $B^2$ computations, which is"
    r" inefficient.",
    checked="True of linear combinations, of which the loss needs one for each image: a matrix product"
    " computes all of $A W^T$ and uses its diagonal, «diagonal». But each of them takes $B$ products:"
    " neither «few» nor «many» is true.",
    correction="In products, «hadamard» instead of «matrix». The scores take «scores» before that.",
    few=MATRICES.only().fails("Σ_ij 1 = B", {"B": 2}),
    many=MATRICES.only().fails("Σ_ikj 1 = B^2", {"B": 2}),
    diagonal="Σ_k 1[i = k] (Σ_j e^L[i,j] W[k,j]) = Σ_j e^L[i,j] W[i,j]",
    hadamard="Σ_ij 1 = B^2",
    matrix="Σ_ikj 1 = B^3",
    scores="Σ_ijf 1 = B^2 d",
)

COLUMN = "Σ_j e^L[i,j] W[i,j] 𝟏[j]"  # (A ⊙ W) 1
BY_ONES = f"Σ_i 𝟏[i] log({COLUMN}) = {rows_of_logs(WEIGHT)}"


def _by_products(weighed) -> Finding:
    """1ᵀ log((A ⊙ W) 1), beside the sums of the logarithms of sums."""
    ones = [1] * len(weighed)
    logs = [SumOfLogs.of(sum(x * one for x, one in zip(row, ones, strict=True))) for row in weighed]
    product = sum((row * one for one, row in zip(ones, logs, strict=True)), SumOfLogs())
    sums = sum((SumOfLogs.of(sum(row)) for row in weighed), SumOfLogs())
    return Finding(product, "=", sums, ("by products", "by sums"))


claim("D4.16", "corrected", MATRICES)(
    printed=r"Since there is a log term between the sums, we cannot turn this into a matrix multiplication"
    r" as it is non-linear.",
    checked="The whole map is not linear, that is right: to multiply $A$ by $e^c$ adds to it, «scaled». That"
    " products of matrices cannot compute it does not follow: «by products».",
    correction="Each of the two sums is a product with the vector 1, with the logarithms taken between:"
    " «product».",
    scaled=f"{rows_of_logs(WEIGHT, SHIFTED)} = B c + {rows_of_logs(WEIGHT)}",
    product=ONES(BY_ONES),
    by_products=lambda: Misprint.at("two pairs", _by_products, weighed=Positive([[1, 5], [2, 3]])),
)


def _order(s) -> Iterator[Finding]:
    first, second = s
    yield Finding(sum(first), ">", sum(second), ("the first sum", "the second"))
    logs, others = (sum(map(SumOfLogs.of, row), SumOfLogs()) for row in s)
    yield Finding(logs, "<", others, ("the first sum of logs", "the second"))


claim("D4.17", "refuted", MATRICES)(
    printed=r"As (struck out: log is one-to-one and strictly increasing), removing the log",
    checked="Rightly struck out: a sum of logs does not even order two batches as the sum does, «order».",
    correction="The logs stay: «loss».",
    order=lambda: Counterexample.at(
        "the larger sum has the smaller sum of logs", _order, s=Positive([[1, 5], [2, 3]])
    ),
    loss=LOSS,
)

BETWEEN = CLOSE | {"L": [[1, 1, 0], [0, 1, 1], [1, 0, 1]]}


def without_factor(name: str, reading: Reading) -> dict[str, Said]:
    """The factor B − 1 is lost, in one reading of I_B A^β."""
    kept, lost = less_one(masked_by(reading)), less_one(masked_by(reading), "")
    return {
        f"printed{name} ": wrong(rows_of_logs(lost)),
        f"constant{name}": wrong(f"{rows_of_logs(lost)} + B log(B - 1)", rows_of_logs(kept)),
        f"log{name}": no_log(lost, BETWEEN),
        f"kept{name}": AT.holds("with B − 1", f"{at(inner(kept), i='0')} > 0", BETWEEN),
    }


claim("D4.18", "refuted", MATRICES)(
    printed=r"$L^{v \rightarrow t} = \text{sum}(\log(\text{sum}(A \otimes \{\text{softmax}(A^{\beta_1} - I_B"
    r" A^{\beta_1}, dm=-1) - I_0\})))$",
    checked="$I_0$ is $I_B$, and the factor $B - 1$ is lost: in the two readings of $I_B A^β$ «printed» and"
    " «printed meant» are false. With $I_B$ inside the sum that is no additive constant, as «constant» and"
    " «constant meant» are false, and the log can be that of a negative number, as «log» and «log meant» are"
    " false, where it was of a positive one, «kept» and «kept meant». With 0 on the diagonal it would be the"
    " same constant in each row, «factor».",
    correction="As D4.14: «loss».",
    **without_factor("", product),
    **without_factor(" meant", meant),
    factor=f"{inner(masked(WEIGHT))} = (B - 1) (Σ_m e^L[i,m] ρ[i,m])",
    loss=LOSS,
)

SPREAD = "Σ_jm ρ[i,j] ρ[i,m] (e^L[i,j] - e^L[i,m]) (L[i,j] - L[i,m])"

claim("D4.19", "corrected", MATRICES)(
    printed=r"By inspection if we say $L^{v \rightarrow t} = g(A)$ (and $A = h(I, T)$), $L^{t \rightarrow v}"
    r" = g(A^T)$. and vice versa.",
    checked="Transposing is right, but $g$ depends on the hardness. With the other direction's it is another"
    " number, «printed» being false, unless the two are equal or the negatives of each row are: for «slope»,"
    " and where a logit is u larger than another, «strictly», so that a row whose negatives are not all equal"
    " rises strictly with its hardness, and one whose negatives are all equal, as with two pairs, does not"
    " depend on it.",
    correction="«image» and «text».",
    printed_=AT.fails(f"{TEXTS} = Σ_i ({stable(BY_TEXT, 'β₁')})", CLOSE),
    slope=f"∂ℓ[i]/∂β₁ = ({SPREAD})/(2 (Σ_m ρ[i,m] e^L[i,m]))",
    strictly=MATRICES.only()("u^2 e^L[i,m] ≤ (e^(L[i,m] + u) - e^L[i,m]) u by u e^L[i,m] log(e^u)"),
    **DIRECTIONS,
)

FORTH, BACK = raised(BY_TEXT, "β₁"), raised(BY_IMAGE, "β₂")


def mixed_powers(name: str, reading: Reading) -> dict[str, Said]:
    """The second term mixes two powers, in one reading of I_B A^β."""
    logits = f"{FORTH} - {reading(BACK)}"
    first = rows_of_logs(less_one(masked_by(reading), ""))
    second = rows_of_logs(less_one(softmax(logits), ""), BY_TEXT)
    return {
        f"printed{name} ": wrong(f"{first} + {second}", f"{IMAGES} + {TEXTS}"),
        f"diagonal{name}": MATRICES.only().fails(f"{at(logits, i='0', j='0')} = 0", CLOSE, Counterexample),
    }


claim("D4.20", "refuted", MATRICES)(
    printed=r"$L = \text{sum}(\log(\text{sum}[A \otimes \{\text{softmax}(A^{\beta_1} - I_B A^{\beta_1},"
    r" dm=-1) - I_0\}])) +"
    r' \text{sum}(\text{""} - A^T \text{""} - \{((A^{\beta_1})^T) - I_B A^{\beta_2}, dm=-1\} - I_0\})$',
    checked="Read with the marks of repetition filled in, in the two readings of $I_B A^β$ «printed» and"
    " «printed meant» are false. The second term mixes two powers, «mixed» on the diagonal, which is not even"
    " 0, for «diagonal» and «diagonal meant» are false; and it has the faults of D4.9 to D4.18.",
    correction="The rows of the images and those of the texts, with the power of the transposed matrix"
    " throughout: «image» and «text».",
    **mixed_powers("", product),
    **mixed_powers(" meant", meant),
    mixed=f"{at(FORTH, j='i')} - {at(product(BACK), j='i')} = e^(β₁ L[i,i]) - e^(β₂ L[i,i])",
    **DIRECTIONS,
)

claim("D4.21", "corrected", ENTRY)(
    printed=r"where $A = \exp\left(\frac{I^T T}{\Sigma}\right)$ and $A^{\beta_1}$, $A^{\beta_2}$ are applied"
    r" element-wise.",
    checked="$Σ$ is $γ$, and $I^T T$ is $I T^T$ [D4.7]: «printed» is false. The power of a matrix is another"
    " thing: «squares».",
    correction="«entry», and element-wise «power».",
    printed_=ENTRY.also(MATRICES["S"]).fails(
        "A[i,j] = e^((Σ_k I[k,i] T[k,j])/τ)", SQUARE | {"T": [[1, 0], [0, 1]], "τ": Fraction(1)} | ENTRY_01
    ),
    squares=MATRICES.only().holds(
        "A∘A and AA", "e^(2 L[i,j]) ≠ Σ_k e^L[i,k] e^L[k,j]", {"B": 2, "L": [[1, 0], [0, 1]]} | ENTRY_01
    ),
    entry="A[i,j]",
    power="e^(β₁ log(A[i,j])) = e^(β₁ S[i,j]/τ)",
)

claim("D4.22", "proved", MATRICES)(
    printed=r"As mentioned, the summation ignores the case when $j=i$, which is the leading diagonal of"
    r" matrix $A$.",
    checked="The sum over all texts is the positive's term and the rest, «sum»: what is left out is the"
    " positive's.",
    sum="Σ_m e^L[i,m] = Σ_m 1[m ≠ i] e^L[i,m] + e^L[i,i]",
)


def _shapes(A, W) -> Iterator[Finding]:
    pairs = range(len(A))
    hadamard = [[A[a][b] * W[a][b] for b in pairs] for a in pairs]
    kronecker = [[A[a][b] * W[x][y] for b in pairs for y in pairs] for a in pairs for x in pairs]
    for name, table, size in (("A ⊙ W", hadamard, len(A)), ("A ⊗ W", kronecker, len(A) ** 2)):
        yield Finding([len(table), len(table[0])], "=", [size, size], (f"shape of {name}", ""))


claim("D4.23", "proved", MATRICES)(
    printed=r"For reference, $A \otimes W \in \mathbb{R}^{B \times B}$",
    checked="So it is for the Hadamard product, better written ⊙, which has «entries» entries. The Kronecker"
    " product, for which ⊗ usually stands, has «kronecker»; the Hadamard product is a part of it, «part»."
    " Executed, «shapes».",
    entries="Σ_ij 1 = B^2",
    kronecker="Σ_ijkl 1 = B^4",
    part="Σ_kl 1[i = k] 1[j = l] e^L[i,j] W[k,l] = e^L[i,j] W[i,j]",
    shapes=lambda: Example.at("two pairs", _shapes, A=Rows([[2, 1], [1, 3]]), W=Rows([[0, 1], [1, 0]])),
)

claim("D4.24", "proved", ONES)(
    printed=r"$\text{sum}(A \otimes W) \in \mathbb{R}^{B \times 1}$ as it is applied on 1 axis,"
    r" $\log(\text{sum}(A \otimes W)) \in \mathbb{R}^{B \times 1}$",
    checked="With the sum over the columns (dim -1) it is the product of $A \\odot W$ with the vector 1:"
    " «column». With the right weights the log is of a positive number, from two pairs on [D4.2].",
    column=f"{COLUMN} = Σ_j e^L[i,j] W[i,j]",
)

claim("D4.25", "proved", MATRICES)(
    printed=r"$\text{sum}(\log(\text{sum}(A \otimes W))) \in \mathbb{R}^{1 \times 1}$",
    checked="One number, a row of ones times a column: «product». With 0 on the diagonal of $W$ it is «value».",
    product=ONES(BY_ONES),
    value=f"{rows_of_logs(masked(WEIGHT))} = {IMAGES} + Σ_i L[i,i]",
)

WITH_DIAGONAL = inner("O[i,j] W[i,j] + t 1[i = j]")

claim("D4.26", "proved", MATRICES)(
    printed=r"So calculating $W_{\{p_i\} T_{Pi}}^{v \rightarrow t}$, we set (struck out: $diag(W) = 0$) the"
    r" diagonal to 0, apply softmax and then (struck out: multiply by 1) subtract 1 from the diagonal.",
    checked="What is struck out was right. With t on the diagonal the sum over all j is «diagonal», the sum"
    " over the negatives for a t of 0 only, as «positive». So «loss».",
    diagonal=f"{WITH_DIAGONAL} = {WEIGHED} + t e^L[i,i]",
    positive="e^L[i,i] > 0",
    loss=LOSS,
)


def struck_out(reading: Reading) -> Callable[[], Evidence]:
    shares = softmax(f"{POWER} - {reading(raised(BY_IMAGE, '1'))}")
    return wrong(rows_of_logs(f"(B - 1) {shares}"))


claim("D4.27", "refuted", MATRICES)(
    printed=r"(struck out: so $\mathcal{L}^{v \rightarrow t} = \text{sum}(\log(\text{sum}(A \otimes (B-1)"
    r" \text{softmax}(A^{B_i} - I_B A)))$)",
    checked="Rightly struck out: in the two readings of $I_B A$ «product» and «meant» are false. The power is"
    " lost under $I_B$, softmax exponentiates what is exponentiated, and the positive's score is gone.",
    correction="«loss».",
    product=struck_out(product),
    meant=struck_out(meant),
    loss=LOSS,
)

claim("D4.28", "no theorem", MATRICES)(
    printed="We aim to vectorise these operations which leverage a GPU. … We will leverage the summations"
    " that skip the leading diagonal.",
    checked="An aim: «aim».",
    correction="What can be proved is that the sums over pairs are products of matrices and sums along rows, as a"
    " graphics card computes them at once: «loss». The sums skip the diagonal because $W$ is 0 there.",
    aim=lambda: Empirical("how fast a card runs is measured, not proved"),
    loss=LOSS,
)
