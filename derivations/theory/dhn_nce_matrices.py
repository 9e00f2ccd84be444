r"""DHN-NCE in matrices: the notes' formulas, evaluated as printed, and the two forms that are right (D4).

A, with the entries e^{L_ij}, is the notes' exp(S/γ). Their formulas are written out entry by entry and
evaluated at a hard batch and at a well-separated one.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction

from mpmath import iv
from sympy import Expr, IndexedBase, Integer, Matrix, Symbol, exp, log

from ..evidence.claims import claim
from ..evidence.pieces import (
    Counterexample,
    Empirical,
    Finding,
    Piece,
    Relation,
    counterexample,
    example,
    fails,
    holds,
    misprint,
)
from ..evidence.points import Positive, Rows
from ..evidence.verdicts import Verdict
from ..losses import dhn_nce
from ..prover.inequality import Logs, Use, bound, nonnegative, positive
from ..prover.notation import Definition, Differ, Partial, one_if, substitute, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, Rule, derive
from ..symbols import (
    B,
    L,
    S,
    beta1,
    beta2,
    caption,
    d,
    ell,
    ell_back,
    f,
    i,
    image,
    j,
    k,
    l,
    loss,
    m,
    n,
    nu,
    off_diagonal,
    ones,
    rho,
    tau,
    vectorised,
)
from ..symbols import hardness as W

c, t = Symbol("c", real=True), Symbol("t", real=True)

DIFFERENTIATED, FACTS = dhn_nce.DIFFERENTIATED.names, dhn_nce.DIFFERENTIATED.facts
SCORES, WEIGHTS = dhn_nce.DIFFERENTIATED["S"], dhn_nce.DIFFERENTIATED["W"]
NAMES = dhn_nce.at_logits(dhn_nce.DIFFERENTIATED).names
CLOSE = {B: 3, L: [[1, 2, 1], [0, 1, 3], [2, 0, 1]], beta1: 1, beta2: 2}  # a negative is before each positive
APART = {B: 3, L: [[2, 0, 0], [0, 2, 0], [0, 0, 2]], beta1: 1, beta2: 2}

Entries = Callable[[Expr, Expr], Expr]  # (row, column) → an entry of a matrix
Way = Callable[[IndexedBase], Entries]  # from image to text or from text to image
Reading = Callable[[Entries], Entries]  # for I_B A^β, which the notes subtract from A^β


def by_image(logits: IndexedBase) -> Entries:
    """The row of an image: all texts."""
    return lambda row, column: logits[row, column]


def by_text(logits: IndexedBase) -> Entries:
    """The row of a text: all images, T_i · I_j = S_ji [D4.4]."""
    return lambda row, column: logits[column, row]


def raised(logits: Entries, power: Expr) -> Entries:
    """A^power, entry by entry: e^{power · S/τ} [D4.8, D4.21]."""
    return lambda row, column: exp(power * logits(row, column))


def over_negatives(term: Entries) -> Expr:
    """Σ over j ≠ i."""
    return total(off_diagonal[i, m] * term(i, m), (m, B))


def prove(first: Expr, *steps: tuple[Rule, Expr], names: tuple[Definition, ...] = DIFFERENTIATED) -> Proof:
    return derive(first, *steps, names=names, facts=FACTS)


def ratio(logits: Entries, power: Expr) -> Expr:
    """Σ_{j≠i} e^{(1+β)L_ij} / (e^{L_ii} Σ_{j≠i} e^{βL_ij}): what B − 1 multiplies in e^{ℓ_i}."""
    return (
        exp(-logits(i, i)) * over_negatives(raised(logits, 1 + power)) / over_negatives(raised(logits, power))
    )


def stable(logits: Entries, power: Expr) -> Expr:
    """−S_ii/τ + log(B − 1) + LSE_{j≠i}((1 + β)S_ij/τ) − LSE_{j≠i}(βS_ij/τ), the second vectorisation."""
    hardest, weight = (log(over_negatives(raised(logits, c))) for c in (1 + power, power))
    return log(B - 1) + hardest - weight - logits(i, i)


IMAGES, TEXTS = total(ell[i], (i, B)), total(ell_back[i], (i, B))  # the two directions
WEIGHT = by_image(W)  # W, by rows


def WEIGHED(row: Expr, column: Expr) -> Expr:
    """A ⊙ W [D4.23]."""
    return exp(L[row, column]) * W[row, column]


def rows_of_logs(weight: Entries, way: Way = by_image) -> Expr:
    """Σ_i log Σ_j A_ij W_ij."""
    return total(log(inner(weight, way)), (i, B))


def inner(weight: Entries, way: Way = by_image) -> Expr:
    """Σ_j A_ij W_ij."""
    return total(exp(way(L)(i, m)) * weight(i, m), (m, B))


def softmax(logits: Entries) -> Entries:
    """The softmax of each row (dim = −1)."""
    return lambda row, column: exp(logits(row, column)) / total(exp(logits(row, n)), (n, B))


def product(X: Entries) -> Entries:
    """I_B X, read as a matrix product, as printed."""
    return lambda row, column: total(one_if(row, l) * X(l, column), (l, B))


def meant(X: Entries) -> Entries:
    """I_B ⊙ X, as "replaces the leading diagonal with zeros" wants it."""
    return lambda row, column: one_if(row, column) * X(row, column)


def less(X: Entries, Y: Entries) -> Entries:
    return lambda row, column: X(row, column) - Y(row, column)


def masked_by(reading: Reading, logits: Entries | None = None) -> Entries:
    """softmax(A^β − I_B A^β, dim = −1)."""
    power = raised(logits or by_image(L), beta1)
    return softmax(less(power, reading(power)))


def less_one(shares: Entries, factor: Expr = B - 1) -> Entries:
    """factor · shares − I_B."""
    return lambda row, column: factor * shares(row, column) - one_if(row, column)


def masked(weight: Entries) -> Entries:
    """0 on the diagonal."""
    return lambda row, column: off_diagonal[row, column] * weight(row, column)


def wrong(claimed: Expr, right: Expr = IMAGES) -> Counterexample:
    """The printed formula gives another number than the loss."""
    return fails(Relation(right, "=", claimed), CLOSE, names=NAMES, kind=Counterexample)


def no_log(weight: Entries, batch: dict) -> Counterexample:
    """The printed formula takes the log of a number that is not positive, in the first row."""
    first = substitute(inner(weight), {i: Integer(0)})
    return fails(Relation(first, ">", Integer(0)), batch, names=NAMES, kind=Counterexample)


def first_vectorisation() -> Proof:
    """−tr(S)/τ + 1ᵀ log((A ⊙ W) 1): the sums are over all j, for W has 0 on its diagonal [D4.9]."""
    K = masked(raised(by_image(L), beta1))

    def right(row: Expr, column: Expr) -> Expr:
        return (B - 1) * K(row, column) / total(K(row, l), (l, B))

    return prove(IMAGES, (DEFINITION, rows_of_logs(right) - total(L[i, i], (i, B))))


def second_vectorisation() -> dict[str, Piece]:
    """Two LSE over the negatives: V is ℓ, for their exp are equal and both are real [D4.14]."""
    stably = Definition(vectorised[i], stable(by_image(L), beta1))
    equal = prove(exp(ell[i]), (DEFINITION, exp(vectorised[i])), names=(*DIFFERENTIATED, stably))
    return {"stable": stably, "stably": equal}


def directions() -> dict[str, Piece]:
    """The loss of both directions: one function, of A and β₁, then of Aᵀ and β₂."""
    return {
        "image": prove(exp(ell[i]), (DEFINITION, (B - 1) * ratio(by_image(L), beta1))),
        "text": prove(exp(ell_back[i]), (DEFINITION, (B - 1) * ratio(by_text(L), beta2))),
    }


@claim(
    "D4.6",
    printed=r"We start with matrices $\mathbf{I}, \mathbf{T} \in \mathbb{R}^{B \times n}$ which are the"
    r" matrices of text and image embeddings calculated from the model. These represent 1 batch. We aim to"
    r" find $f(\mathbf{I},"
    r" \mathbf{T}, \gamma, \beta_1, \beta_2)$ which is the loss of matrices $\mathbf{I}, \mathbf{V}$.",
    verdict=Verdict.CORRECTED,
    says="With the texts in the place of the images the scores are transposed, «swapped», and the loss is"
    " another where the two hardnesses differ: «exchanged» is false.",
    right="$I$ holds the images and $T$ the texts, one in each row, and $V$ is $T$: «scores».",
)
def image_then_text() -> dict[str, Piece]:
    exchanged = total(stable(by_text(L), beta1) + stable(by_image(L), beta2), (i, B)) / nu
    return {
        "exchanged": fails(Relation(loss, "=", exchanged), CLOSE | {nu: Fraction(1)}, names=NAMES),
        "swapped": prove(total(caption[i, f] * image[j, f], (f, d)), (DEFINITION, S[j, i])),
        "scores": SCORES,
    }


@claim(
    "D4.7",
    printed=r"Define similarity matrix $S = \mathbf{I}^T \mathbf{T}$.",
    verdict=Verdict.CORRECTED,
    says="With the samples in rows $I^T T$ has an entry for each two features. Its trace is right, «trace»;"
    " and where there are as many features as pairs, its entries are other numbers: «printed» is false.",
    right="«scores», that is $S$ is $I T^T$.",
)
def similarity_matrix() -> dict[str, Piece]:
    by_features = total(image[k, i] * caption[k, j], (k, B))
    batch = {B: 2, d: 2, image: [[1, 2], [3, 4]], caption: [[1, 2], [3, 4]], i: 0, j: 1}
    return {
        "printed": fails(Relation(S[i, j], "=", by_features), batch, names=(SCORES,)),
        "trace": prove(
            total(S[i, i], (i, B)), (DEFINITION, total(image[k, f] * caption[k, f], (k, B), (f, d)))
        ),
        "scores": SCORES,
    }


@claim(
    "D4.8",
    printed=r"and $A = \exp \left(\frac{1}{\gamma} S \right)$",
    verdict=Verdict.DEFINITION,
    says="«entry», entry by entry, all of them «positive», so that «inverse»; not the exponential of a"
    " matrix, of which one entry here is 0: «matrix». It leaves the floating numbers early, «single» and"
    " «double»: the log-sum-exp form never builds it.",
)
def elementwise_exponential() -> dict[str, Piece]:
    A = IndexedBase("A", real=True)
    entry = Definition(A[i, j], exp(S[i, j] / tau))

    def matrix(scores) -> Finding:
        of_matrix = Matrix([[int(x) for x in row] for row in scores]).exp()
        names = ("e^S of the entry", "of the matrix")
        return Finding(iv.exp(int(scores[1][0])), "≠", int(of_matrix[1, 0]), names)

    def overflow(digits, exponent, hundredths) -> Iterator[Finding]:
        below, above = (iv.mpf(number) / 100 for number in (hundredths, hundredths + 1))
        yield Finding(below, "<", iv.log(2**exponent - 2 ** (exponent - digits)), ("", "log of the largest"))
        yield Finding(above, ">", iv.log(2**exponent))

    return {
        "entry": entry,
        "positive": positive(exp(S[i, j] / tau)),
        "inverse": prove(log(A[i, j]), (DEFINITION, S[i, j] / tau), names=(entry,)),
        "matrix": example("a matrix whose square is 0", matrix, scores=Rows([[0, 1], [0, 0]])),
        "single": example("float32", overflow, digits=24, exponent=128, hundredths=8872),
        "double": example("float64", overflow, digits=53, exponent=1024, hundredths=70978),
    }


@claim(
    "D4.9",
    printed=r"$\mathcal{L}^{v \rightarrow t} = - \sum_{i=1}^B \frac{\mathbf{I}_{p_i}^T"
    r" \mathbf{T}_{p_i}}{\gamma} + \sum_{i=1}^B \log \left(\sum_{j \neq i} \exp"
    r" \left(\frac{\mathbf{I}_{p_i}^T \mathbf{T}_{p_j}}{\gamma} \right) W_{\mathbf{I}_{p_i}"
    r" \mathbf{T}_{p_j}}^{v \rightarrow t} \right) = \sum_{i=1}^B \log \sum_{j=1}^B \exp"
    r" \left(\frac{\mathbf{I}_{p_i}^T \mathbf{T}_{p_j}}{\gamma} \right) W_{\mathbf{I}_{p_i}"
    r" \mathbf{T}_{p_j}}^{v \rightarrow t}$",
    verdict=Verdict.REFUTED,
    says="The positive's term does not go inside the logarithm: with the formula of the weights on the"
    " diagonal «formula» is false, and so with -1 there «minus_one», and with 0 «zero». The weight that"
    " would do it is «needed», another in each row, for «constant» is false.",
    right="«loss»: the score of the pair stays outside, and the mask has 0 on the diagonal.",
)
def positive_inside_the_log() -> dict[str, Piece]:
    X = over_negatives(WEIGHED)
    weight = (exp(-L[i, i]) - 1) * X * exp(-L[i, i])
    first, second = (substitute(weight, {i: Integer(row)}) for row in (0, 1))
    return {
        "formula": wrong(rows_of_logs(WEIGHT)),
        "minus_one": wrong(rows_of_logs(less_one(masked(WEIGHT), Integer(1)))),
        "zero": wrong(rows_of_logs(masked(WEIGHT))),
        "needed": prove((exp(ell[i]) - X) * exp(-L[i, i]), (DEFINITION, weight)),
        "constant": fails(Relation(first, "=", second), CLOSE, names=NAMES, kind=Counterexample),
        "loss": first_vectorisation(),
    }


@claim(
    "D4.10",
    printed=r"As mentioned, the summation ignores the case when $j=i$, which is the leading diagonal of"
    r" matrix $A$. So we can add the $A_{ii}$ leading diagonal in, but set its weight to $-1$ to represent"
    r" the coefficient. So $\mathcal{L}^{v \rightarrow t} = \sum_{i=1}^B \log \sum_{j=1}^B A_{ij} W_{ij}^{v"
    r" \rightarrow t}$",
    verdict=Verdict.REFUTED,
    says=r"The log is then of a number that need not be positive: «broken» is false of a batch. Its negative"
    r" is «margin», where «share». No term of the sum is negative wherever each $(B - 1) A_{ij}$ is at most"
    r" $A_{ii}$, that is wherever each $S_{ii} - S_{ij}$ is at least $τ \log(B - 1)$: the loss breaks on"
    r" well-separated batches. That margin is enough, not necessary: «early», and yet «smaller».",
    right="The coefficient -1 belongs to the score of the pair, outside the log, and the diagonal's weight"
    " is 0: «loss».",
)
def minus_one_on_the_diagonal() -> dict[str, Piece]:
    X = over_negatives(WEIGHED)
    margin = total(rho[i, m] * (exp(L[i, i]) - (B - 1) * exp(L[i, m])), (m, B))
    early = {B: 3, L: [[2, Fraction(3, 2), 0]], beta1: 0}
    argument, smaller = (
        substitute(side, {i: Integer(0)})
        for side in (X - exp(L[i, i]), (B - 1) * exp(L[i, 1]) - exp(L[i, i]))
    )
    return {
        "broken": no_log(less_one(masked(WEIGHT), Integer(1)), APART),
        "margin": prove(exp(L[i, i]) - X, (DEFINITION, margin)),
        "share": nonnegative(rho[i, m], names=DIFFERENTIATED),
        "early": holds("the log breaks", Relation(argument, "<", Integer(0)), early, names=NAMES),
        "smaller": holds("at a smaller margin", Relation(smaller, ">", Integer(0)), early, names=NAMES),
        "loss": first_vectorisation(),
    }


@claim(
    "D4.11",
    printed=r"Then we have $W_{ij}^{v \rightarrow t} = (B-1) \frac{\exp\left(\frac{B, I_{A_i}^T"
    r" T_{Pi}}{\tau}\right)}{\sum_{k \neq i} \exp\left(\frac{B, I_{A_k}^T T_{Pi}}{\tau}\right)} \in"
    r" \mathbb{R}^{B \times B}$",
    verdict=Verdict.CORRECTED,
    says="Read with $β_1$ for $B,$ and one index $p$ for $A$ and $P$, the numerator is that of the pair"
    " whatever $j$ is, and the sum runs down a column: «printed» is false. $W_{ij}$ is a number; the"
    " matrix of all of them is B by B.",
    right="«weights», so that «sum».",
)
def weights_down_the_columns() -> dict[str, Piece]:
    power = raised(by_image(L), beta1)
    down = (B - 1) * power(i, i) / total(Differ(k, i) * power(k, i), (k, B))
    return {
        "printed": fails(Relation(W[i, j], "=", down), CLOSE | {i: 0, j: 1}, names=NAMES),
        "weights": WEIGHTS,
        "sum": prove(over_negatives(WEIGHT), (DEFINITION, B - 1)),
    }


@claim(
    "D4.12",
    printed=r"The fraction would be a softmax function with the leading diagonal equal to 0. And if $i=j$,"
    r" we will replace it.",
    verdict=Verdict.REFUTED,
    says="A logit of 0 has the weight 1, and takes a share from the negatives, which replacing it afterwards"
    " does not give back: «printed» is false. With the logit t on the diagonal the share of a negative is"
    " «share».",
    right="That is $ρ$ where $e^t$ is 0: the masked logit is $-\\infty$, and «weights».",
)
def zero_is_no_mask() -> dict[str, Piece]:
    power = raised(by_image(L), beta1)
    Z = over_negatives(power)
    zero = (B - 1) * softmax(lambda i, j: Differ(i, j) * beta1 * L[i, j])(i, j)
    left = off_diagonal[i, j] * power(i, j) / (exp(t) + Z)
    return {
        "printed": fails(
            Relation(W[i, j], "=", zero), CLOSE | {i: 0, j: 1}, names=NAMES, kind=Counterexample
        ),
        "share": prove(left, (DEFINITION, rho[i, j] * (1 - exp(t) / (exp(t) + Z)))),
        "weights": prove(off_diagonal[i, j] * W[i, j], (DEFINITION, (B - 1) * rho[i, j])),
    }


@claim(
    "D4.13",
    printed=r"And $W_{ii}^{v \rightarrow t} = -1 \quad \forall i \in \{1, \dots, B\}$ anyway. So … we set"
    r" the diagonal to 0, apply softmax and then subtract 1 from the diagonal. $W_{ij}^{v \rightarrow t} ="
    r" (B-1) \cdot \text{softmax}\left(A_{ij}^{B_i} - I_B A_{ij}^{B_i}, \text{dim}=-1\right) - I_B \in"
    r" \mathbb{R}^{B \times B}$; $A_{ij}^{B_i} - I_B A_{ij}^{B_i}$ applies the $B_i$ scaling element-wise"
    r" and then replaces the leading diagonal with zeros.",
    verdict=Verdict.REFUTED,
    says="Three faults. $A^β$ is exponentiated already, and softmax exponentiates again: «meant» is false. A"
    " zero on the diagonal keeps a share there, so that with -1 it is not -1: «meant_diagonal» is false. And"
    " $I_B A^β$ as a matrix product leaves all logits 0, «logits», so that «uniform»; «product» and"
    " «product_diagonal» are false.",
    right="«weights», the softmax of $β L$ over the negatives alone: «share».",
    brief="Three faults. $A^β$ is exponentiated already, and softmax exponentiates again. A zero on the"
    " diagonal keeps a share there, so that with -1 it is not -1. And $I_B A^β$ as a matrix product is all"
    " of $A^β$, which leaves no logits: «logits». Right is «weights», the softmax of $β L$ over the"
    " negatives alone.",
)
def three_faults() -> dict[str, Piece]:
    power = raised(by_image(L), beta1)
    as_product, as_meant = (less_one(masked_by(reading)) for reading in (product, meant))

    def entry(reading: Entries, row: int, column: int, right: Expr) -> Counterexample:
        at = {i: Integer(row), j: Integer(column)}
        sides = (substitute(side, at) for side in (right, reading(i, j)))
        return fails(Relation(next(sides), "=", next(sides)), CLOSE, names=NAMES, kind=Counterexample)

    return {
        "product": entry(as_product, 0, 1, W[i, j]),
        "meant": entry(as_meant, 0, 1, W[i, j]),
        "product_diagonal": entry(as_product, 0, 0, Integer(-1)),
        "meant_diagonal": entry(as_meant, 0, 0, Integer(-1)),
        "logits": prove(power(i, j) - product(power)(i, j), (SUMS, Integer(0))),
        "uniform": prove(as_product(i, j), (SUMS, (B - 1) / B - one_if(i, j))),
        "weights": WEIGHTS,
        "share": prove(off_diagonal[i, j] * W[i, j], (DEFINITION, (B - 1) * rho[i, j])),
    }


@claim(
    "D4.14",
    printed=r"So $\mathcal{L}^{v \rightarrow t} = \sum_{i=1}^B \log \sum_{j=1}^B A_{ij} \otimes \left\{ (B-1)"
    r" \text{softmax}\left(A_{ij}^{B_i} - I_B A_{ij}^{B_i}, \text{dim}=-1\right) - I_B \right\}$.",
    verdict=Verdict.REFUTED,
    says="D4.9 and D4.13 together, in both readings of $I_B A^β$. On a hard batch it is a wrong number, as"
    " «product» and «meant» are false; on a well-separated one the log is of a negative number, as"
    " «product_log» and «meant_log» are false. Unlike the loss it changes when a constant is added to all"
    " scores: read as a matrix product «shifted» where «invariant» is right, and read as it is meant «moved»"
    " is false.",
    right="«loss», or in the stable form «stable», where «stably».",
)
def printed_loss() -> dict[str, Piece]:
    readings = {"product": product, "meant": meant}
    weight = less_one(lambda i, m: 1 / B)
    by_row = total(Partial(log(inner(weight)), L[i, j]), (j, B))
    as_meant = rows_of_logs(less_one(masked_by(meant)))
    moved = rows_of_logs(
        less_one(masked_by(meant, lambda i, j: L[i, j] + c)), lambda L: lambda i, j: L[i, j] + c
    )
    return {
        **{name: wrong(rows_of_logs(less_one(masked_by(reading)))) for name, reading in readings.items()},
        **{f"{name}_log": no_log(less_one(masked_by(reading)), APART) for name, reading in readings.items()},
        "shifted": prove(by_row, (DERIVATIVE, Integer(1))),
        "invariant": prove(total(Partial(ell[i], L[i, j]), (j, B)), (DERIVATIVE, Integer(0))),
        "moved": fails(Relation(as_meant, "=", moved), CLOSE | {c: 1}, names=NAMES, kind=Counterexample),
        "loss": first_vectorisation(),
        **second_vectorisation(),
    }


@claim(
    "D4.15",
    printed=r"We use the Hadamard product since we apply a linear combination to each image, resulting in"
    r" $B$ total computations. A matrix multiplication will require $B^2$ computations, which is"
    r" inefficient.",
    verdict=Verdict.CORRECTED,
    says="True of linear combinations, of which the loss needs one for each image: a matrix product"
    " computes all of $A W^T$ and uses its diagonal, «diagonal». But each of them takes $B$ products:"
    " neither «few» nor «many» is true.",
    right="In products, «hadamard» instead of «matrix». The scores take «scores» before that.",
)
def cost() -> dict[str, Piece]:
    one = Integer(1)
    hadamard, matrix = total(one, (j, B), (i, B)), total(one, (j, B), (k, B), (i, B))
    on_diagonal = total(one_if(i, k) * total(exp(L[i, j]) * W[k, j], (j, B)), (k, B))
    return {
        "few": fails(Relation(hadamard, "=", B), {B: 2}),
        "many": fails(Relation(matrix, "=", B**2), {B: 2}),
        "diagonal": prove(on_diagonal, (SUMS, total(exp(L[i, j]) * W[i, j], (j, B)))),
        "hadamard": prove(hadamard, (SUMS, B**2)),
        "matrix": prove(matrix, (SUMS, B**3)),
        "scores": prove(total(one, (f, d), (j, B), (i, B)), (SUMS, B**2 * d)),
    }


ONES = Definition(ones[j], Integer(1))
COLUMN = total(WEIGHED(i, j) * ones[j], (j, B))  # (A ⊙ W) 1


@claim(
    "D4.16",
    printed=r"Since there is a log term between the sums, we cannot turn this into a matrix multiplication"
    r" as it is non-linear.",
    verdict=Verdict.CORRECTED,
    says="The whole map is not linear, that is right: to multiply $A$ by $e^c$ adds to it, «scaled». That"
    " products of matrices cannot compute it does not follow: «by products».",
    right="Each of the two sums is a product with the vector 1, with the logarithms taken between:"
    " «product».",
)
def sums_are_products_with_one() -> dict[str, Piece]:
    def by_products(weighed) -> Finding:
        """1ᵀ log((A ⊙ W) 1), beside the sums of the logarithms of sums."""
        ones = [1] * len(weighed)
        logs = [Logs.of(sum(x * one for x, one in zip(row, ones, strict=True))) for row in weighed]
        product = sum((row * one for one, row in zip(ones, logs, strict=True)), Logs())
        return Finding(
            product, "=", sum((Logs.of(sum(row)) for row in weighed), Logs()), ("by products", "by sums")
        )

    scaled = rows_of_logs(WEIGHT, lambda L: lambda i, m: L[i, m] + c)
    by_ones = total(ones[i] * log(COLUMN), (i, B))
    return {
        "scaled": prove(scaled, (SUMS, B * c + rows_of_logs(WEIGHT))),
        "product": prove(by_ones, (DEFINITION, rows_of_logs(WEIGHT)), names=(ONES,)),
        "by products": misprint("two pairs", by_products, weighed=Positive([[1, 5], [2, 3]])),
    }


@claim(
    "D4.17",
    printed=r"As (struck out: log is one-to-one and strictly increasing), removing the log",
    verdict=Verdict.REFUTED,
    says="Rightly struck out: a sum of logs does not even order two batches as the sum does, «order».",
    right="The logs stay: «loss».",
)
def removing_the_log() -> dict[str, Piece]:
    def order(s) -> Iterator[Finding]:
        first, second = s
        yield Finding(sum(first), ">", sum(second), ("the first sum", "the second"))
        logs, others = (sum(map(Logs.of, row), Logs()) for row in s)
        yield Finding(logs, "<", others, ("the first sum of logs", "the second"))

    return {
        "order": counterexample(
            "the larger sum has the smaller sum of logs", order, s=Positive([[1, 5], [2, 3]])
        ),
        "loss": first_vectorisation(),
    }


@claim(
    "D4.18",
    printed=r"$L^{v \rightarrow t} = \text{sum}(\log(\text{sum}(A \otimes \{\text{softmax}(A^{\beta_1} - I_B"
    r" A^{\beta_1}, dm=-1) - I_0\})))$",
    verdict=Verdict.REFUTED,
    says="$I_0$ is $I_B$, and the factor $B - 1$ is lost: in the two readings of $I_B A^β$ «printed» and"
    " «printed_meant» are false. With $I_B$ inside the sum that is no additive constant, as «constant» and"
    " «constant_meant» are false, and the log can be that of a negative number, as «log» and «log_meant» are"
    " false, where it was of a positive one, «kept» and «kept_meant». With 0 on the diagonal it would be the"
    " same constant in each row, «factor».",
    right="As D4.14: «loss».",
)
def lost_factor() -> dict[str, Piece]:
    between = CLOSE | {L: [[1, 1, 0], [0, 1, 1], [1, 0, 1]]}
    pieces: dict[str, Piece] = {}
    for name, reading in (("", product), ("_meant", meant)):
        shares = masked_by(reading)
        kept, lost = less_one(shares), less_one(shares, Integer(1))
        argument = substitute(inner(kept), {i: Integer(0)})
        pieces |= {
            f"printed{name}": wrong(rows_of_logs(lost)),
            f"constant{name}": wrong(rows_of_logs(lost) + B * log(B - 1), rows_of_logs(kept)),
            f"log{name}": no_log(lost, between),
            f"kept{name}": holds("with B − 1", Relation(argument, ">", Integer(0)), between, names=NAMES),
        }
    shares = total(exp(L[i, m]) * rho[i, m], (m, B))
    return pieces | {
        "factor": prove(inner(masked(WEIGHT)), (DEFINITION, (B - 1) * shares)),
        "loss": first_vectorisation(),
    }


@claim(
    "D4.19",
    printed=r"By inspection if we say $L^{v \rightarrow t} = g(A)$ (and $A = h(I, T)$), $L^{t \rightarrow v}"
    r" = g(A^T)$. and vice versa.",
    verdict=Verdict.CORRECTED,
    says="Transposing is right, but $g$ depends on the hardness. With the other direction's it is another"
    " number, «printed» being false, unless the two are equal or the negatives of each row are: for «slope»,"
    " and where a logit is u larger than another, «strictly», so that a row whose negatives are not all equal"
    " rises strictly with its hardness, and one whose negatives are all equal, as with two pairs, does not"
    " depend on it.",
    right="«image» and «text».",
)
def transposed_with_its_hardness() -> dict[str, Piece]:
    other_hardness = total(stable(by_text(L), beta1), (i, B))
    spread = rho[i, j] * rho[i, m] * (exp(L[i, j]) - exp(L[i, m])) * (L[i, j] - L[i, m])
    mean = total(rho[i, m] * exp(L[i, m]), (m, B))
    u = Symbol("u", positive=True)
    return {
        "printed": fails(Relation(TEXTS, "=", other_hardness), CLOSE, names=NAMES),
        "slope": prove(Partial(ell[i], beta1), (DERIVATIVE, total(spread, (m, B), (j, B)) / (2 * mean))),
        "strictly": bound(
            u**2 * exp(L[i, m]),
            Use(u * exp(L[i, m]), exp(u)),
            last=(exp(L[i, m] + u) - exp(L[i, m])) * u,
            facts=FACTS,
        ),
        **directions(),
    }


@claim(
    "D4.20",
    printed=r"$L = \text{sum}(\log(\text{sum}[A \otimes \{\text{softmax}(A^{\beta_1} - I_B A^{\beta_1},"
    r" dm=-1) - I_0\}])) +"
    r' \text{sum}(\text{""} - A^T \text{""} - \{((A^{\beta_1})^T) - I_B A^{\beta_2}, dm=-1\} - I_0\})$',
    verdict=Verdict.REFUTED,
    says="Read with the marks of repetition filled in, in the two readings of $I_B A^β$ «printed» and"
    " «printed_meant» are false. The second term mixes two powers, «mixed» on the diagonal, which is not even"
    " 0, for «diagonal» and «diagonal_meant» are false; and it has the faults of D4.9 to D4.18.",
    right="The rows of the images and those of the texts, with the power of the transposed matrix"
    " throughout: «image» and «text».",
)
def mixed_powers() -> dict[str, Piece]:
    forth, back = raised(by_text(L), beta1), raised(by_image(L), beta2)
    pieces: dict[str, Piece] = {}
    for name, reading in (("", product), ("_meant", meant)):
        logits = less(forth, reading(back))
        first = rows_of_logs(less_one(masked_by(reading), Integer(1)))
        diagonal = substitute(logits(i, i), {i: Integer(0)})
        second = rows_of_logs(less_one(softmax(logits), Integer(1)), by_text)
        pieces |= {
            f"printed{name}": wrong(first + second, IMAGES + TEXTS),
            f"diagonal{name}": fails(Relation(diagonal, "=", Integer(0)), CLOSE, kind=Counterexample),
        }
    left = exp(beta1 * L[i, i]) - exp(beta2 * L[i, i])
    mixed = prove(less(forth, product(back))(i, i), (SUMS, left))
    return pieces | {"mixed": mixed} | directions()


@claim(
    "D4.21",
    printed=r"where $A = \exp\left(\frac{I^T T}{\Sigma}\right)$ and $A^{\beta_1}$, $A^{\beta_2}$ are applied"
    r" element-wise.",
    verdict=Verdict.CORRECTED,
    says="$Σ$ is $γ$, and $I^T T$ is $I T^T$ [D4.7]: «printed» is false. The power of a matrix is another"
    " thing: «squares».",
    right="«entry», and element-wise «power».",
)
def elementwise_power() -> dict[str, Piece]:
    A = IndexedBase("A", real=True)
    entry = Definition(A[i, j], exp(S[i, j] / tau))
    by_features = exp(total(image[k, i] * caption[k, j], (k, B)) / tau)
    batch = {B: 2, d: 2, image: [[1, 2], [3, 4]], caption: [[1, 0], [0, 1]], tau: Fraction(1), i: 0, j: 1}
    squares = Relation(exp(2 * L[i, j]), "≠", total(exp(L[i, k]) * exp(L[k, j]), (k, B)))
    return {
        "printed": fails(Relation(A[i, j], "=", by_features), batch, names=(entry, SCORES)),
        "squares": holds("A∘A and AA", squares, {B: 2, L: [[1, 0], [0, 1]], i: 0, j: 1}),
        "entry": entry,
        "power": prove(exp(beta1 * log(A[i, j])), (DEFINITION, exp(beta1 * S[i, j] / tau)), names=(entry,)),
    }


@claim(
    "D4.22",
    printed=r"As mentioned, the summation ignores the case when $j=i$, which is the leading diagonal of"
    r" matrix $A$.",
    verdict=Verdict.PROVED,
    says="«sum»: what is left out is the positive's.",
)
def ignored_diagonal() -> dict[str, Piece]:
    every = total(exp(L[i, m]), (m, B))
    return {"sum": prove(every, (SUMS, total(Differ(m, i) * exp(L[i, m]), (m, B)) + exp(L[i, i])))}


@claim(
    "D4.23",
    printed=r"For reference, $A \otimes W \in \mathbb{R}^{B \times B}$",
    verdict=Verdict.PROVED,
    says="So it is for the Hadamard product, better written ⊙, which has «entries» entries. The Kronecker"
    " product, for which ⊗ usually stands, has «kronecker»; the Hadamard product is a part of it, «part»."
    " Executed, «shapes».",
)
def hadamard_and_kronecker() -> dict[str, Piece]:
    one = Integer(1)
    chosen = one_if(i, k) * one_if(j, l) * exp(L[i, j]) * W[k, l]

    def shapes(A, W) -> Iterator[Finding]:
        pairs = range(len(A))
        hadamard = [[A[a][b] * W[a][b] for b in pairs] for a in pairs]
        kronecker = [[A[a][b] * W[x][y] for b in pairs for y in pairs] for a in pairs for x in pairs]
        for name, table, size in (("A ⊙ W", hadamard, len(A)), ("A ⊗ W", kronecker, len(A) ** 2)):
            yield Finding([len(table), len(table[0])], "=", [size, size], (f"shape of {name}", ""))

    return {
        "entries": prove(total(one, (j, B), (i, B)), (SUMS, B**2)),
        "kronecker": prove(total(one, (l, B), (k, B), (j, B), (i, B)), (SUMS, B**4)),
        "part": prove(total(chosen, (l, B), (k, B)), (SUMS, WEIGHED(i, j))),
        "shapes": example("two pairs", shapes, A=Rows([[2, 1], [1, 3]]), W=Rows([[0, 1], [1, 0]])),
    }


@claim(
    "D4.24",
    printed=r"$\text{sum}(A \otimes W) \in \mathbb{R}^{B \times 1}$ as it is applied on 1 axis,"
    r" $\log(\text{sum}(A \otimes W)) \in \mathbb{R}^{B \times 1}$",
    verdict=Verdict.PROVED,
    says="With the sum over the columns (dim -1) it is the product of $A \\odot W$ with the vector 1:"
    " «column». With the right weights the log is of a positive number, from two pairs on [D4.2].",
)
def row_sums() -> dict[str, Piece]:
    return {"column": prove(COLUMN, (DEFINITION, total(WEIGHED(i, j), (j, B))), names=(ONES,))}


@claim(
    "D4.25",
    printed=r"$\text{sum}(\log(\text{sum}(A \otimes W))) \in \mathbb{R}^{1 \times 1}$",
    verdict=Verdict.PROVED,
    says="One number, a row of ones times a column: «product». With 0 on the diagonal of $W$ it is «value».",
)
def sum_of_logs() -> dict[str, Piece]:
    by_ones = total(ones[i] * log(COLUMN), (i, B))
    return {
        "product": prove(by_ones, (DEFINITION, rows_of_logs(WEIGHT)), names=(ONES,)),
        "value": prove(rows_of_logs(masked(WEIGHT)), (DEFINITION, IMAGES + total(L[i, i], (i, B)))),
    }


@claim(
    "D4.26",
    printed=r"So calculating $W_{\{p_i\} T_{Pi}}^{v \rightarrow t}$, we set (struck out: $diag(W) = 0$) the"
    r" diagonal to 0, apply softmax and then (struck out: multiply by 1) subtract 1 from the diagonal.",
    verdict=Verdict.PROVED,
    says="What is struck out was right. With t on the diagonal the sum over all j is «diagonal», the sum"
    " over the negatives for a t of 0 only, as «positive». So «loss».",
)
def zero_on_the_diagonal() -> dict[str, Piece]:
    every = inner(lambda i, m: off_diagonal[i, m] * W[i, m] + t * one_if(i, m))
    return {
        "diagonal": prove(every, (SUMS, over_negatives(WEIGHED) + t * exp(L[i, i]))),
        "positive": positive(exp(L[i, i])),
        "loss": first_vectorisation(),
    }


@claim(
    "D4.27",
    printed=r"(struck out: so $\mathcal{L}^{v \rightarrow t} = \text{sum}(\log(\text{sum}(A \otimes (B-1)"
    r" \text{softmax}(A^{B_i} - I_B A)))$)",
    verdict=Verdict.REFUTED,
    says="Rightly struck out: in the two readings of $I_B A$ «product» and «meant» are false. The power is"
    " lost under $I_B$, softmax exponentiates what is exponentiated, and the positive's score is gone.",
    right="«loss».",
)
def struck_out_loss() -> dict[str, Piece]:
    power, plain = raised(by_image(L), beta1), raised(by_image(L), Integer(1))

    def claimed(reading: Reading) -> Expr:
        shares = softmax(less(power, reading(plain)))
        return rows_of_logs(lambda i, m: (B - 1) * shares(i, m))

    return {"product": wrong(claimed(product)), "meant": wrong(claimed(meant)), "loss": first_vectorisation()}


@claim(
    "D4.28",
    printed="We aim to vectorise these operations which leverage a GPU. … We will leverage the summations"
    " that skip the leading diagonal.",
    verdict=Verdict.NO_THEOREM,
    says="An aim: «aim».",
    right="What can be proved is that the sums over pairs are products of matrices and sums along rows, as a"
    " graphics card computes them at once: «loss». The sums skip the diagonal because $W$ is 0 there.",
)
def vectorised_aim() -> dict[str, Piece]:
    return {
        "aim": Empirical("how fast a card runs is measured, not proved"),
        "loss": first_vectorisation(),
    }
