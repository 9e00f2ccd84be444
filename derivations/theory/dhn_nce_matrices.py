"""DHN-NCE in matrices: what the notes print, kept and evaluated as printed, and the two forms that are right (D4).

Batches are given by A = e^{S/τ} with whole entries: then e^ℓ is a fraction, and a witness is exact. Where e^A
enters, as in the printed softmax, SymPy compares with as many digits as it takes.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from sympy import (
    E,
    Expr,
    IndexedBase,
    Integer,
    Matrix,
    Rational,
    exp,
    eye,
    kronecker_product,
    log,
    ones,
    oo,
    prod,
    zeros,
)
from sympy.matrices.dense import symarray

from ..claims import claim
from ..losses.dhn_nce import (
    DIFFERENTIATED,
    FACTS,
    by_image,
    double_loop,
    over_negatives,
    prove,
    raised,
    ratio,
    stable,
    t,
    weighed,
)
from ..prover.notation import Definition, Differ, Partial, one_if, total, unfold
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof
from ..symbols import (
    B,
    L,
    S,
    beta1,
    beta2,
    caption,
    ell,
    hardness,
    i,
    image,
    j,
    l,
    loss,
    m,
    off_diagonal,
    rho,
    tau,
)
from ..unbound import Counterexample, counterexample
from ..verdicts import Verdict

__all__ = ["FACTS"]

CLOSE = Matrix([[2, 4, 1], [3, 2, 2], [1, 2, 2]])  # a hard batch: in no row is the positive alone in front
APART = Matrix([[5, 1, 1], [1, 5, 1], [1, 1, 5]])  # a well-separated one


def elementwise(A: Matrix, beta: Expr) -> Matrix:
    """A^{∘β}: each entry to the power β."""
    return A.applyfunc(lambda entry: entry**beta)


def hadamard(X: Matrix, Y: Matrix) -> Matrix:
    return X.multiply_elementwise(Y)


def row_sums(X: Matrix) -> Matrix:
    """X1, a column."""
    return X * ones(X.cols, 1)


def softmax(logits: Matrix) -> Matrix:
    """Of each row (dim = −1)."""
    weights = logits.applyfunc(exp)
    return Matrix(*weights.shape, lambda row, column: weights[row, column] / row_sums(weights)[row])


# "I_B A^β zeroes the diagonal": as the matrix product that is printed, and as the Hadamard product that is meant.
READINGS: dict[str, Callable[[Matrix], Matrix]] = {
    "matrix product": lambda X: eye(X.rows) * X,
    "Hadamard product": lambda X: hadamard(eye(X.rows), X),
}


def printed_weights(A: Matrix, beta: Expr, diagonal: Callable[[Matrix], Matrix]) -> Matrix:
    """(B − 1) softmax(A^β − I_B A^β, dim = −1) − I_B, as printed in D4.13."""
    power = elementwise(A, beta)
    return (A.rows - 1) * softmax(power - diagonal(power)) - eye(A.rows)


def inner_sums(A: Matrix, W: Matrix) -> list[Expr]:
    """sum(A ⊗ W), whose logs the notes add up [D4.14]."""
    return list(row_sums(hadamard(A, W)))


def masked_weights(A: Matrix, beta: Expr) -> Matrix:
    """W = (B − 1) K/(K 11ᵀ) with K = A^{∘β} ⊙ (11ᵀ − I): the first right vectorisation."""
    K = hadamard(elementwise(A, beta), ones(*A.shape) - eye(A.rows))
    return (A.rows - 1) * Matrix(*A.shape, lambda row, column: K[row, column] / row_sums(K)[row])


def both_directions(A: Matrix, beta_image: int, beta_text: int) -> Expr:
    """e^𝓛, by the double loop of D4.1 to D4.5."""
    return prod(double_loop(A, Integer(beta_image)) + double_loop(A.T, Integer(beta_text)))


def readable(value: Expr) -> Expr:
    """A fraction as it is, any other number to ten digits."""
    return value if value.is_Rational else value.evalf(10)


def differ(left: Expr, right: Expr) -> bool:
    """Whether two numbers are certainly not equal: SymPy takes as many digits as it needs to see it."""
    return bool(abs(left - right) > Rational(1, 100))


def first_vectorisation() -> Proof:
    """−S_ii/τ + log Σ_j A_ij W_ij over all j, the weights being those of `masked_weights` [D4.9]."""
    K = raised(by_image(L), beta1)
    W = (B - 1) * off_diagonal[i, m] * K(i, m) / total(off_diagonal[i, l] * K(i, l), (l, B))
    return prove(ell[i], (DEFINITION, log(total(exp(L[i, m]) * W, (m, B))) - L[i, i]))


def second_vectorisation() -> Proof:
    """The stable form V, two LSE over the negatives: equal to ℓ because their exp are, both being real [D4.14]."""
    V = IndexedBase("V", real=True)
    names = (*DIFFERENTIATED, Definition(V[i], stable(by_image(L), beta1)))
    by_ratio = (B - 1) * ratio(by_image(L), beta1)
    return prove(exp(ell[i]), (DEFINITION, by_ratio), (DEFINITION, exp(V[i])), names=names)


@claim(
    "D4.6",
    printed=r"I, T \in R^{B \times n} are the matrices of text and image embeddings; f(I, T, \gamma,"
    r" \beta_1, \beta_2) is the loss of matrices I, V",
    statement="I holds the images and T the texts, one in each row; V is T. The order matters: exchanging I"
    r" and T exchanges \beta_1 and \beta_2.",
    verdict=Verdict.CORRECTED,
    right=r"I, T \in R^{B \times n} are the matrices of image and text embeddings, and f is the loss of I"
    " and T.",
)
def image_then_text() -> Counterexample:
    arrays = unfold(loss, DIFFERENTIATED).atoms(IndexedBase) - {off_diagonal}
    loss_of_pairs = both_directions(CLOSE, 1, 2)
    exchanged, betas_left = both_directions(CLOSE.T, 2, 1), both_directions(CLOSE.T, 1, 2)
    return counterexample(
        "the loss is made of I and T alone, and knows which is which",
        arrays == {image, caption} and loss_of_pairs == exchanged != betas_left,
        {"e^𝓛(I, T; 1, 2)": loss_of_pairs, "e^𝓛(T, I; 2, 1)": exchanged, "e^𝓛(T, I; 1, 2)": betas_left},
    )


@claim(
    "D4.7",
    printed="S = I^T T",
    statement=r"With samples in rows, I^T T is n \times n and compares features; S_{ij} = I_i \cdot T_j is"
    " IT^T.",
    verdict=Verdict.CORRECTED,
    right=r"S = I T^T \in R^{B \times B}; I^T T is right only where the samples are columns.",
)
def similarity_matrix() -> Counterexample:
    rows, columns = (Matrix(symarray(name, (3, 2))) for name in "IT")
    right = rows * columns.T
    dots = all(right[a, b] == rows.row(a).dot(columns.row(b)) for a in range(3) for b in range(3))
    square = Matrix([[1, 2], [3, 4]])
    return counterexample(
        "only I Tᵀ has an entry for every pair, I_i · T_j; where B = n the shapes agree and the numbers do not",
        dots and (rows.T * columns).shape == (2, 2) and square * square.T != square.T * square,
        {"shape of I Tᵀ, B = 3, n = 2": right.shape, "shape of IᵀT": (rows.T * columns).shape},
    )


@claim(
    "D4.8",
    printed=r"A = \exp(S/\gamma)",
    statement=r"A definition, entry by entry, so that A_{ij} > 0 and \log A = S/\tau; not the exponential of"
    r" a matrix. It overflows from S/\tau = 88.73 on in float32 and 709.79 in float64: the log-sum-exp form"
    " never builds it.",
    verdict=Verdict.PROVED,
)
def elementwise_exponential() -> tuple[Proof, Counterexample]:
    A = IndexedBase("A", real=True)
    inverse = prove(
        log(A[i, j]), (DEFINITION, S[i, j] / tau), names=(Definition(A[i, j], exp(S[i, j] / tau)),)
    )
    largest = {"float32": Fraction(2**24 - 1) * 2**104, "float64": Fraction(2**53 - 1) * 2**971}
    bounds = {kind: log(Rational(number.numerator, number.denominator)) for kind, number in largest.items()}
    overflow = bounds["float32"] < Rational("88.73") and bounds["float64"] < Rational("709.79")
    zero = zeros(2, 2)
    return inverse, counterexample(
        "exp of the zero matrix is all ones entry by entry, and I as a matrix; and exp leaves the floats",
        zero.applyfunc(exp) == ones(2, 2) and zero.exp() == eye(2) and bool(overflow),
        {f"log of the largest {kind}": bound.evalf(7) for kind, bound in bounds.items()},
    )


@claim(
    "D4.9",
    printed=r"-\sum_i S_{ii}/\gamma + \sum_i \log \sum_{j \ne i} e^{S_{ij}/\gamma} W_{ij}"
    r" = \sum_i \log \sum_{j=1}^{B} e^{S_{ij}/\gamma} W_{ij}",
    statement=r"The positive's term does not go inside the logarithm: -\log A_{ii} + \log X is"
    r" \log(X/A_{ii}). With a weight w on the diagonal X + w A_{ii} is X/A_{ii} only for w = (1/A_{ii} - 1)"
    " X/A_{ii}, which is not constant.",
    verdict=Verdict.REFUTED,
    right=r"\mathcal{L}^{v \to t} = -\mathrm{tr}(S)/\tau + 1^T \log((A \odot W) 1) with W_{ii} = 0.",
)
def positive_inside_the_log() -> tuple[Proof, Proof, Counterexample]:
    X = over_negatives(weighed(by_image(L), hardness))
    weight = (exp(-L[i, i]) - 1) * X * exp(-L[i, i])
    needed = prove(X + weight * exp(L[i, i]), (DEFINITION, exp(ell[i])))
    W = masked_weights(CLOSE, Integer(1))
    rows, sums = double_loop(CLOSE, Integer(1)), inner_sums(CLOSE, W)
    # W_ij by its own formula, also where j = i
    formula = Matrix(3, 3, lambda a, b: 2 * CLOSE[a, b] / (sum(CLOSE.row(a)) - CLOSE[a, a]))
    printed = {"W_ii = −1": inner_sums(CLOSE, W - eye(3)), "W_ii by the formula": inner_sums(CLOSE, formula)}
    weights = [(1 / a - 1) * x / a for a, x in zip(CLOSE.diagonal(), sums, strict=True)]
    return (
        first_vectorisation(),
        needed,
        counterexample(
            "neither reading of W_ii gives the loss, and the weight that would is another in each row",
            all(prod(found) != prod(rows) for found in printed.values()) and len(set(weights)) > 1,
            {"A": CLOSE.tolist(), "e^𝓛": prod(rows), "the weights needed": weights}
            | {f"as printed, {name}": prod(found) for name, found in printed.items()},
        ),
    )


@claim(
    "D4.10",
    printed=r"add the leading diagonal A_{ii} in, but set its weight to -1 to represent the coefficient",
    statement=r"The log is then of X - A_{ii}, X = \sum_{j \ne i} A_{ij} W_{ij}. As the weights sum to B -"
    r" 1, X \le (B - 1) \max_{j \ne i} A_{ij}: wherever S_{ii} - \max_{j \ne i} S_{ij} \ge \tau \log(B - 1)"
    " it is of no positive number, so that the loss breaks on well-separated batches. That margin is"
    " enough, not necessary.",
    verdict=Verdict.REFUTED,
    right=r"The coefficient -1 belongs to S_{ii}/\tau, outside the log: -\mathrm{tr}(S)/\tau, and W_{ii} ="
    " 0.",
)
def minus_one_on_the_diagonal() -> tuple[Proof, Counterexample, Counterexample]:
    X = over_negatives(weighed(by_image(L), hardness))
    rest = over_negatives(lambda i, m: hardness[i, m] * (t - exp(L[i, m])))  # ≥ 0 for t the largest e^{L_im}
    bound = prove(X - exp(L[i, i]), (DEFINITION, (B - 1) * t - exp(L[i, i]) - rest))
    sums = inner_sums(APART, masked_weights(APART, Integer(1)) - eye(3))
    broken = counterexample(
        "on a well-separated batch the log is of negative numbers: NaN",
        max(sums) <= 0,
        {"A": APART.tolist(), "X − A_ii": sums},
    )
    A = Matrix([[5, 4, 1], [1, 1, 1], [1, 1, 1]])
    first = inner_sums(A, masked_weights(A, Integer(0)) - eye(3))[0]
    early = counterexample(
        "a smaller margin can be enough: A_ii < (B − 1) max A_ij, and yet X ≤ A_ii",
        first <= 0 and A[0, 0] < 2 * max(A[0, 1:]),
        {"row, β = 0": list(A[0, :]), "X − A_ii": first},
    )
    return bound, broken, early


@claim(
    "D4.11",
    printed=r"W_{ij} = (B-1) \exp(B, I_{A_i}^T T_{P_i}/\tau) / \sum_{k \ne i} \exp(B, I_{A_k}^T T_{P_i}/\tau)"
    r" \in R^{B \times B}",
    statement=r"Read with B, = \beta_1 and \tau = \gamma, the numerator is S_{ii} whatever j is, and the sum"
    r" runs down a column. W_{ij} is a number; the matrix W is B \times B.",
    verdict=Verdict.CORRECTED,
    right=r"W_{ij} = (B - 1) e^{\beta_1 S_{ij}/\tau} / \sum_{k \ne i} e^{\beta_1 S_{ik}/\tau}: the rows of"
    r" A^{\circ\beta_1} \odot (11^T - I), each made to sum to B - 1.",
)
def weights_down_the_columns() -> tuple[Proof, Counterexample]:
    power, right = elementwise(CLOSE, Integer(1)), masked_weights(CLOSE, Integer(1))

    def printed(a, b):
        return 2 * power[a, a] / sum(power[c, a] for c in range(3) if c != a)

    sums = [sum(printed(a, b) for b in range(3) if b != a) for a in range(3)]
    normed = prove(over_negatives(lambda i, m: hardness[i, m]), (DEFINITION, B - 1))
    return normed, counterexample(
        "the weights as printed do not depend on j, and those of a row do not sum to B − 1",
        sums != [2, 2, 2] == list(row_sums(right)),
        {"A": CLOSE.tolist(), "as printed, Σ_{j≠i} W_ij": sums, "right W": right.tolist()},
    )


@claim(
    "D4.12",
    printed="the fraction would be a softmax function with the leading diagonal equal to 0; if i = j, we"
    " replace it",
    statement=r"A logit of 0 has the weight e^0 = 1: the diagonal takes 1/(1 + Z), Z = \sum_{j \ne i}"
    r" e^{\beta S_{ij}/\tau}, from the negatives, and replacing it afterwards does not give that back.",
    verdict=Verdict.REFUTED,
    right=r"The masked logit is -\infty: W = (B - 1) softmax of \beta S/\tau with -\infty on the diagonal,"
    " for every B.",
)
def zero_is_no_mask() -> tuple[Proof, Proof, Counterexample, Counterexample]:
    Z = over_negatives(raised(by_image(L), beta1))
    taken = prove(
        off_diagonal[i, j] * exp(beta1 * L[i, j]) / (1 + Z), (DEFINITION, rho[i, j] * (1 - 1 / (1 + Z)))
    )

    def minus_infinity(A):
        return Matrix(*A.shape, lambda a, b: -oo if a == b else 2 * log(A[a, b]))

    batches = [Matrix(size, size, lambda a, b: a + 2 * b + 1) for size in (2, 3, 4)]
    logits = CLOSE.applyfunc(log)
    zeroed = softmax(logits - hadamard(eye(3), logits))
    wrong = counterexample(
        "with 0 on the diagonal the positive has a share, and the negatives of no row sum to 1",
        all(0 < share < 1 for share in zeroed.diagonal()),
        {"A, β = 1": CLOSE.tolist(), "the diagonal's shares": list(zeroed.diagonal())},
    )
    return (
        first_vectorisation(),
        taken,
        wrong,
        counterexample(
            "with −∞ it is W, for B = 2, 3, 4 and β = 2",
            all((A.rows - 1) * softmax(minus_infinity(A)) == masked_weights(A, Integer(2)) for A in batches),
            {f"W for B = {A.rows}": masked_weights(A, Integer(2)).tolist() for A in batches},
        ),
    )


@claim(
    "D4.13",
    printed=r"W = (B-1) \mathrm{softmax}(A^{\beta} - I_B A^{\beta}, \mathrm{dim}=-1) - I_B; I_B A^{\beta}"
    " replaces the leading diagonal with zeros",
    statement=r"Three faults. A^\beta = e^{\beta S/\tau} is exponentiated already, and softmax exponentiates"
    r" again. A zero on the diagonal keeps a share \sigma_{ii} > 0, and -I_B then makes W_{ii} ="
    r" (B-1)\sigma_{ii} - 1, not -1. And I_B A^\beta as a matrix product is A^\beta: all logits are 0 and"
    " every share is 1/B.",
    verdict=Verdict.REFUTED,
    right=r"W = (B - 1) softmax of \beta S/\tau with -\infty on the diagonal.",
)
def three_faults() -> Counterexample:
    product, meant = (printed_weights(CLOSE, Integer(1), diagonal) for diagonal in READINGS.values())
    right = masked_weights(CLOSE, Integer(1))
    odds = (meant[0, 1] / meant[0, 2], right[0, 1] / right[0, 2])
    return counterexample(
        "both readings of the printed weights are wrong, off the diagonal and on it",
        product == Rational(2, 3) * ones(3, 3) - eye(3)
        and bool(odds == (E**3, 4))
        and all(-1 < entry < 0 for entry in meant.diagonal()),
        {
            "A, β = 1": CLOSE.tolist(),
            "odds of two negatives, e^{A_01 − A_02} and A_01/A_02": odds,
            "W_ii, Hadamard product": [readable(entry) for entry in meant.diagonal()],
            "W, matrix product": product.tolist(),
            "right W": right.tolist(),
        },
    )


@claim(
    "D4.14",
    printed=r"\mathcal{L}^{v \to t} = \sum_i \log \sum_j A_{ij} \otimes \{(B-1) \mathrm{softmax}(A^{\beta} -"
    r" I_B A^{\beta}, \mathrm{dim}=-1) - I_B\}",
    statement="D4.9 and D4.13 together. On a hard batch it is a wrong number, on a well-separated one the"
    " log of a negative number (NaN). Unlike the loss it changes when a constant is added to S, so that"
    " the rows of its gradient do not sum to 0: read as a matrix product, each sums to 1, for every B; under the"
    " Hadamard reading a witness shows that the number changes, so that somewhere they do not.",
    verdict=Verdict.REFUTED,
    right=r"-\mathrm{tr}(S)/\tau + 1^T \log((A \odot W) 1), and in the stable form -\mathrm{tr}(S)/\tau + B"
    r" \log(B - 1) + \sum_i [\mathrm{LSE}_{j \ne i}((1 + \beta) S_{ij}/\tau) - \mathrm{LSE}_{j \ne i}(\beta"
    r" S_{ij}/\tau)].",
)
def printed_loss() -> tuple[Proof | Counterexample, ...]:
    weight = (B - 1) / B - one_if(i, m)
    rows = total(Partial(log(total(weight * exp(L[i, m]), (m, B))), L[i, j]), (j, B))
    right = total(Partial(ell[i], L[i, j]), (j, B))
    one = Integer(1)
    loop = {name: prod(double_loop(A, one)) for name, A in (("A", CLOSE), ("2A", 2 * CLOSE))}
    printed = {
        name: [inner_sums(A, printed_weights(A, one, diagonal)) for A in (CLOSE, 2 * CLOSE, APART)]
        for name, diagonal in READINGS.items()
    }
    value = counterexample(
        "as printed it is another number, and another again for 2A, which is S + τ log 2",
        loop["A"] == loop["2A"]
        and all(
            differ(prod(at), loop["A"]) and differ(prod(at_double), prod(at))
            for at, at_double, _ in printed.values()
        ),
        {"A": CLOSE.tolist(), "e^𝓛 of A and of 2A": loop["A"]}
        | {
            f"{name}, A and 2A": [readable(prod(sums)) for sums in found[:2]]
            for name, found in printed.items()
        },
    )
    undefined = counterexample(
        "on a well-separated batch it takes the log of negative numbers: NaN",
        all(max(sums) < 0 for _, _, sums in printed.values()),
        {"A": APART.tolist(), "e^𝓛": prod(double_loop(APART, one))}
        | {f"in its logs, {name}": [readable(x) for x in sums] for name, (_, _, sums) in printed.items()},
    )
    shifted, invariant = prove(rows, (DERIVATIVE, one)), prove(right, (DERIVATIVE, Integer(0)))
    return first_vectorisation(), second_vectorisation(), shifted, invariant, value, undefined


class Counted:
    """A number that counts the products and additions that it takes part in."""

    products = additions = 0

    def __mul__(self, other: "Counted") -> "Counted":
        Counted.products += 1
        return Counted()

    def __add__(self, other: "Counted") -> "Counted":
        Counted.additions += 1
        return Counted()

    def __radd__(self, zero: int) -> "Counted":
        return self  # what sum() starts from is no addition


def counted(operation: Callable[[], object]) -> tuple[int, int]:
    """(products, additions) of an operation on counted numbers."""
    Counted.products = Counted.additions = 0
    operation()
    return Counted.products, Counted.additions


def counts(pairs: int, features: int) -> dict[str, tuple[int, int]]:
    """(products, additions) of the row sums of A ⊙ W, of A Wᵀ and of I Tᵀ."""

    def matrix(width: int) -> list[list[Counted]]:
        return [[Counted() for _ in range(width)] for _ in range(pairs)]

    def dot(row: list[Counted], other: list[Counted]) -> Any:
        return sum(x * y for x, y in zip(row, other, strict=True))

    A, W, images, texts = matrix(pairs), matrix(pairs), matrix(features), matrix(features)
    return {
        "sum(A ⊙ W)": counted(lambda: [dot(row, weight) for row, weight in zip(A, W, strict=True)]),
        "A Wᵀ": counted(lambda: [[dot(row, weight) for weight in W] for row in A]),
        "I Tᵀ": counted(lambda: [[dot(one, other) for other in texts] for one in images]),
    }


@claim(
    "D4.15",
    printed=r"the Hadamard product results in B total computations; a matrix multiplication will require B^2",
    statement=r"A Hadamard product of B \times B takes B^2 products, and the row sums B(B-1) additions; a"
    " matrix product takes B^3 products. S = IT^T alone takes B^2 n.",
    verdict=Verdict.REFUTED,
    right=r"\sum_j A_{ij} W_{ij} is the diagonal of A W^T: a matrix product computes B^2 entries, with B^3"
    " products, of which B are used.",
)
def cost() -> Counterexample:
    table = {size: counts(size, features=3) for size in (2, 3, 4, 5)}
    right = all(
        list(found.values()) == [(n**2, n**2 - n), (n**3, n**3 - n**2), (3 * n**2, 2 * n**2)]
        for n, found in table.items()
    )
    W = masked_weights(CLOSE, Integer(1))
    return counterexample(
        "(products, additions), counted for n = 3, are not B and B²; and the row sums are the diagonal of A Wᵀ",
        right and list((CLOSE * W.T).diagonal()) == inner_sums(CLOSE, W),
        {f"B = {size}": found for size, found in table.items()},
    )


@claim(
    "D4.16",
    printed="since there is a log term between the sums, we cannot turn this into a matrix multiplication",
    statement="True of the whole map, which is not linear. But each of its two sums is a product with the"
    " vector 1.",
    verdict=Verdict.CORRECTED,
    right=r"1^T \log((A \odot W) 1)",
)
def sums_are_products_with_one() -> Counterexample:
    W = masked_weights(CLOSE, Integer(1))
    sums = [sum(CLOSE[a, b] * W[a, b] for b in range(3)) for a in range(3)]
    once, twice = prod(inner_sums(CLOSE, W)), prod(inner_sums(2 * CLOSE, W))
    return counterexample(
        "(A ⊙ W) 1 holds the inner sums; doubling A adds B log 2 to the sum of logs and does not double it",
        list(hadamard(CLOSE, W) * ones(3, 1)) == sums and twice == 8 * once != once**2,
        {"inner sums": sums, "e^{Σ log} of A": once, "of 2A": twice, "if it were linear": once**2},
    )


@claim(
    "D4.17",
    printed="(struck out) log is one-to-one and strictly increasing; removing the log",
    statement=r"Rightly struck out: \sum_i \log s_i is the log of the product of the s_i. It does not even"
    r" order batches as \sum_i s_i does.",
    verdict=Verdict.REFUTED,
    right=r"\sum_i \log s_i = \log \prod_i s_i",
)
def removing_the_log() -> Counterexample:
    first, second = (1, 5), (2, 3)
    return counterexample(
        "one batch has the larger sum, the other the larger sum of logs",
        sum(first) > sum(second) and prod(first) < prod(second),
        {f"s = {s}": f"Σ s = {sum(s)}, Σ log s = log {prod(s)}" for s in (first, second)},
    )


@claim(
    "D4.18",
    printed=r"L^{v \to t} = sum(log(sum(A \otimes \{softmax(A^{\beta_1} - I_B A^{\beta_1}, dm=-1) - I_0\})))",
    statement="The factor B - 1 is lost, and I_0 is I_B. With -I_B inside the sum the lost factor is no"
    " additive constant, and the log can turn into that of a negative number; with W_{ii} = 0 it would be"
    r" the constant B \log(B - 1).",
    verdict=Verdict.REFUTED,
    right="As D4.14.",
)
def lost_factor() -> Counterexample:
    def circulant(row: list[int]) -> Matrix:
        return Matrix(3, 3, lambda a, b: row[(b - a) % 3])

    one, share = Integer(1), Rational(1, 3) * ones(3, 3)  # the printed softmax as a matrix product [D4.13]
    batches = {
        "1, 3, 2": circulant([1, 3, 2]),
        "1, 5, 3": circulant([1, 5, 3]),
        "2, 3, 1": circulant([2, 3, 1]),
    }
    kept = {name: inner_sums(A, 2 * share - eye(3))[0] for name, A in batches.items()}
    lost = {name: inner_sums(A, share - eye(3))[0] for name, A in batches.items()}
    quotients = [kept[name] / lost[name] for name in list(batches)[:2]]
    masked = {double_loop(A, one)[0] / double_loop(A, one, factor=one)[0] for A in batches.values()}
    return counterexample(
        "the lost factor costs another number in each batch, and even the loss itself; with W_ii = 0 it is B − 1",
        quotients[0] != quotients[1] and kept["2, 3, 1"] > 0 >= lost["2, 3, 1"] and masked == {2},
        {f"rows {name}: inner sum, with B − 1 and without": (kept[name], lost[name]) for name in batches},
    )


@claim(
    "D4.19",
    printed=r"if L^{v \to t} = g(A), L^{t \to v} = g(A^T), and vice versa",
    statement=r"Transposing is right, T_i \cdot I_j = S_{ji}; but g depends on \beta: it is"
    r" g_{\beta_2}(A^T), and g_{\beta_1}(A^T) only where \beta_1 = \beta_2, or B = 2, or the negatives of"
    " each row are equal.",
    verdict=Verdict.CORRECTED,
    right=r"L^{v \to t} = g_{\beta_1}(A) and L^{t \to v} = g_{\beta_2}(A^T)",
)
def transposed_with_its_beta() -> tuple[Counterexample, Counterexample]:
    own, other = (prod(double_loop(CLOSE.T, Integer(beta))) for beta in (2, 1))
    another = counterexample(
        "with the other direction's β it is another number",
        own != other,
        {"A": CLOSE.tolist(), "e^{g₂(Aᵀ)}": own, "e^{g₁(Aᵀ)}": other},
    )
    A = Matrix(symarray("a", (2, 2)))
    rows = double_loop(A, beta2)
    pair = counterexample(
        "with B = 2 there is one negative, and no β",
        rows == [A[0, 1] / A[0, 0], A[1, 0] / A[1, 1]],
        {"e^ℓ of each row": rows},
    )
    return another, pair


@claim(
    "D4.20",
    printed=r"L = sum(log(sum[A \otimes \{softmax(A^{\beta_1} - I_B A^{\beta_1}) - I_0\}])) + sum(\ldots A^T"
    r" \ldots \{((A^{\beta_1})^T) - I_B A^{\beta_2}\} - I_0)",
    statement=r"The second term mixes the two powers, so that its diagonal is A_{ii}^{\beta_1} -"
    r" A_{ii}^{\beta_2}, not even 0; and it inherits the faults of D4.9 to D4.18.",
    verdict=Verdict.REFUTED,
    right=r"L = g_{\beta_1}(A) + g_{\beta_2}(A^T), where (A^T)^{\circ\beta_2} = (A^{\circ\beta_2})^T"
    " throughout.",
)
def mixed_powers() -> Counterexample:
    one, two = Integer(1), Integer(2)
    right = inner_sums(CLOSE.T, masked_weights(CLOSE.T, two))
    printed = {}
    for name, diagonal in READINGS.items():
        logits = elementwise(CLOSE, one).T - diagonal(elementwise(CLOSE, two))
        printed[name] = logits, inner_sums(CLOSE.T, softmax(logits) - eye(3))
    A = Matrix(symarray("a", (3, 3)))
    return counterexample(
        "as printed the diagonal of the logits is not 0, and the logs are of other numbers",
        all(min(map(abs, logits.diagonal())) > 0 for logits, _ in printed.values())
        and all(
            bool(wrong < true)
            for _, sums in printed.values()
            for wrong, true in zip(sums, right, strict=True)
        )
        and elementwise(A.T, beta2) == elementwise(A, beta2).T,
        {"A, β = 1, 2": CLOSE.tolist(), "right inner sums": right}
        | {f"diagonal, {name}": list(logits.diagonal()) for name, (logits, _) in printed.items()}
        | {f"inner sums, {name}": [readable(x) for x in sums] for name, (_, sums) in printed.items()},
    )


@claim(
    "D4.21",
    printed=r"A = \exp(I^T T/\Sigma), and A^{\beta_1}, A^{\beta_2} are applied element-wise",
    statement=r"\Sigma is \gamma, and I^T T is IT^T [D4.7]. Entry by entry A^{\circ\beta} = e^{\beta"
    r" S/\tau}; the power of a matrix is another thing.",
    verdict=Verdict.CORRECTED,
    right=r"A = \exp(IT^T/\tau), A^{\circ\beta} = \exp(\beta IT^T/\tau)",
)
def elementwise_power() -> tuple[Proof, Counterexample]:
    A = IndexedBase("A", real=True)
    names = (Definition(A[i, j], exp(S[i, j] / tau)),)
    power = prove(exp(beta1 * log(A[i, j])), (DEFINITION, exp(beta1 * S[i, j] / tau)), names=names)
    square = Matrix([[2, 1], [1, 2]])
    return power, counterexample(
        "A∘A is not AA",
        elementwise(square, Integer(2)) != square**2,
        {"A∘A": elementwise(square, Integer(2)).tolist(), "AA": (square**2).tolist()},
    )


@claim(
    "D4.22",
    printed="the summation ignores the case j = i, which is the leading diagonal of A",
    statement=r"As printed: \sum_j A_{ij} = \sum_{j \ne i} A_{ij} + A_{ii}, and A_{ii} = e^{S_{ii}/\tau} is"
    " the positive's.",
    verdict=Verdict.PROVED,
)
def ignored_diagonal() -> Proof:
    every = total(exp(L[i, m]), (m, B))
    return prove(every, (SUMS, total(Differ(m, i) * exp(L[i, m]), (m, B)) + exp(L[i, i])))


@claim(
    "D4.25",
    printed=r"sum(log(sum(A \otimes W))) \in R^{1 \times 1}",
    statement=r"As printed: one number, no index left, for every B.",
    verdict=Verdict.PROVED,
)
@claim(
    "D4.24",
    printed=r"sum(A \otimes W) \in R^{B \times 1} as it is applied on 1 axis, and so is log(sum(A \otimes"
    " W))",
    statement="As printed, the sum being over the columns (dim = −1): one number for each row, one index"
    " left, for every B.",
    verdict=Verdict.PROVED,
)
@claim(
    "D4.23",
    printed=r"A \otimes W \in R^{B \times B}",
    statement=r"As printed for the Hadamard product, better written A \odot W: two indices left, for every B."
    r" The Kronecker product, for which \otimes usually stands, has four, and is B^2 \times B^2.",
    verdict=Verdict.PROVED,
)
def shapes() -> tuple[Counterexample, Counterexample]:
    product = exp(L[i, j]) * hardness[i, j]
    sums = total(product, (j, B))
    kronecker = exp(L[i, j]) * hardness[m, l]  # row (i, m) and column (j, l)
    left = [
        expression.free_symbols & {i, j, l, m}
        for expression in (product, log(sums), total(log(sums), (i, B)), kronecker)
    ]
    found = {}
    for size in (2, 3, 4):
        A = Matrix(size, size, lambda a, b: a + b + 1)
        column = row_sums(hadamard(A, A)).applyfunc(log)
        found[size] = [
            X.shape for X in (hadamard(A, A), column, ones(1, size) * column, kronecker_product(A, A))
        ]
    return counterexample(
        "for every B: A ⊙ W has two indices, its row sums one, the sum of their logs none, A ⊗ W four",
        left == [{i, j}, {i}, set(), {i, j, l, m}],
        {"indices left": [sorted(map(str, names)) for names in left]},
    ), counterexample(
        "run with matrices",
        all(shape == [(n, n), (n, 1), (1, 1), (n**2, n**2)] for n, shape in found.items()),
        {f"B = {size}: A ⊙ W, log(sum), sum(log(sum)); Kronecker": shape for size, shape in found.items()},
    )
