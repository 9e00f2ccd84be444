"""Alignment and uniformity: how NT-Xent is related to each, and whether a batch can attain the best value of
both."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from sympy import Expr, Integer, Symbol, exp, log

from ..common.sphere import NORM, UNIT
from ..evidence.claims import claim
from ..evidence.pieces import Chain, Finding, Piece, example
from ..evidence.points import Rate, UnitRows
from ..evidence.verdicts import Verdict
from ..losses import ntxent
from ..prover.inequality import Use, bound, nonnegative
from ..prover.notation import Definition, Differ, total
from ..prover.proof import DEFINITION, derive
from ..prover.sums import Facts
from ..symbols import M, N, d, estimate, f, i, j, kernel, least_kernel, loss, nu, p, s, tau, z

ROWS = M + 1  # a row, and M others
FACTS = Facts(ranges={i: ROWS, j: ROWS, f: d})
t = Symbol("t", positive=True)


def square(row: Expr, other: Expr) -> Expr:
    """‖z_i − z_j‖²."""
    return total((z[row, f] - z[other, f]) ** 2, (f, d))


PAIR, LIMITS = Differ(i, j) / (ROWS * M), ((j, ROWS), (i, ROWS))  # mean over ordered pairs
KERNEL = Definition(kernel, total(PAIR * exp(-t * square(i, j)), *LIMITS))
LEAST = Definition(least_kernel, exp(-2 * t * ROWS / M))


def most_uniform() -> tuple[Chain, Expr, Expr]:
    """Ξ₀ and sums of squares are at most Ξ: with Ξ₀ r² for each e^{−t‖z_i − z_j‖²}, log r² ≤ 2 (r − 1), and that is
    r² − 1 − (r − 1)²."""
    ahead = t * (2 * ROWS / M - square(i, j))
    unequal = least_kernel * total(PAIR * (exp(ahead / 2) - 1) ** 2, *LIMITS)
    centre = total(total(z[i, f], (i, ROWS)) ** 2, (f, d))
    below = bound(
        2 * t * least_kernel * centre / (ROWS * M),
        Use(2 * least_kernel * PAIR, exp(ahead / 2), LIMITS),
        last=kernel - least_kernel - unequal,
        names=(NORM, UNIT, KERNEL, LEAST),
        facts=FACTS,
    )
    return Chain((below,), both=least_kernel + unequal), unequal, centre


def on_a_line(z: UnitRows, factor: Rate) -> Iterator[Finding]:
    """e^{−4t} is the factor: of two opposite rows."""

    def kernel_of(rows: Sequence[int]) -> Fraction:
        pairs = [(x, y) for m, x in enumerate(rows) for n, y in enumerate(rows) if m != n]
        return sum((factor if x != y else Fraction(1) for x, y in pairs), Fraction(0)) / len(pairs)

    signs = [int(x) for (x,) in z]
    half = len(signs) // 2
    yield Finding(signs[:half], "=", signs[half:], ("rows", "their positives"))
    least = min(kernel_of(rows) for rows in product((1, -1), repeat=len(signs)))
    yield Finding(kernel_of(signs), "=", least, ("Ξ", "the least Ξ of all rows on a line"))


@claim(
    "R16",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="For unit rows NT-Xent is «split.chain»: the mean similarity of the positives and the rows' logarithms of"
    " sums; or their alignment, with the exponent 2, and for each row what uniformity, with $1/(2τ)$ for its $t$,"
    " sums over all. Uniformity takes the logarithm after the mean, which is no less: «jensen», for any positive"
    " numbers. Of «uniform.where Ξ», whose logarithm it is, and with «uniform.where Ξ₀», M + 1 rows have"
    " «uniform», where no square is negative, «unequal» and «centre». So uniformity is best, if the rows have room"
    " for a regular simplex, in one and only there, which M4 says takes M features: then all pairs are equally far"
    " apart, positives too, by a distance that is not 0, and alignment is not at its best. Both cannot be had at"
    " once where there is that room; where there is not, they may: «line». Of the rows of one view alone, as its"
    " authors take uniformity, both always can, for the other view may be a copy. Alignment and uniformity are of"
    " Wang and Isola (2020), with the split in the limit of many negatives.",
)
def alignment_and_uniformity() -> dict[str, Piece]:
    def parts(own: Expr, others: Expr) -> Expr:
        return own / (nu * tau) + total(log(total(Differ(j, i) * exp(others / tau), (j, N))), (i, N)) / nu

    similar = parts(-total(s[i, p[i]], (i, N)), s[i, j])
    near = parts(total(square(i, p[i]), (i, N)) / 2, -square(i, j) / 2)
    mean = total(estimate[i], (i, N)) / N
    uniform, unequal, centre = most_uniform()
    return {
        "split": derive(
            loss, (DEFINITION, similar), (DEFINITION, near), names=ntxent.NAMES, facts=ntxent.FACTS
        ),
        "jensen": Chain(
            (
                bound(
                    total(log(estimate[i]), (i, N)) / N - log(mean),
                    Use(1 / N, estimate[i], ((i, N),), mean),
                    last=Integer(0),
                    facts=Facts(ranges={i: N}),
                ),
            ),
            both=log(mean),
        ),
        "uniform": uniform,
        "unequal": nonnegative(unequal, names=(LEAST,)),
        "centre": nonnegative(centre),
        "line": example(
            "four rows on a line, by e^(−4t)",
            on_a_line,
            z=UnitRows([[1], [-1], [1], [-1]]),
            factor=Rate(1, 2),
        ),
    }
