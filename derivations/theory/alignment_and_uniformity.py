"""Alignment and uniformity: how NT-Xent is related to each, and whether a batch can attain the best value of
both."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from ..common.sphere import NORM, UNIT
from ..evidence.kinds import Example, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Rate, UnitRows
from ..losses.ntxent import NTXENT
from ..prover.inequality import nonnegative

SQUARE = "(Σ_f (z[i,f] - z[j,f])^2)"
PAIR = "(1[i ≠ j]/((M + 1) M))"  # mean over ordered pairs
UNIFORM = given(  # a row, and M others
    "i j < M + 1; f < d; t > 0",
    *(NORM, UNIT),
    f"Ξ := Σ_ij {PAIR} e^(-t {SQUARE})",
    "Ξ₀ := e^(-2 t (M + 1)/M)",
)
AHEAD = f"t ((2 M + 2)/M - {SQUARE})/2"
UNEQUAL = f"Ξ₀ (Σ_ij {PAIR} (e^({AHEAD}) - 1)^2)"
CENTRE = "(Σ_f (Σ_i z[i,f])^2)"
NUMBERS = given("i < N")
MEAN = "log((Σ_i Ẑ[i])/N)"


def _on_a_line(z: UnitRows, factor: Rate) -> Iterator[Finding]:
    """e^{−4t} is the factor: of two opposite rows."""

    def kernel_of(rows: Sequence[int]) -> Fraction:
        pairs = [(x, y) for m, x in enumerate(rows) for n, y in enumerate(rows) if m != n]
        return sum((factor if x != y else Fraction(1) for x, y in pairs), Fraction(0)) / len(pairs)

    signs = [int(x) for (x,) in z]
    half = len(signs) // 2
    yield Finding(signs[:half], "=", signs[half:], ("rows", "their positives"))
    least = min(kernel_of(rows) for rows in product((1, -1), repeat=len(signs)))
    yield Finding(kernel_of(signs), "=", least, ("Ξ", "the least Ξ of all rows on a line"))


claim("R16", "proved from LEMMA", UNIFORM)(
    checked="For unit rows NT-Xent is «split.chain»: the mean similarity of the positives and the rows' logarithms"
    " of sums; or their alignment, with the exponent 2, and for each row what uniformity, with $1/(2τ)$ for its"
    " $t$, sums over all. Uniformity takes the logarithm after the mean, which is no less: «jensen», for any"
    " positive numbers. Of «uniform.where Ξ», whose logarithm it is, and with «uniform.where Ξ₀», M + 1 rows have"
    " «uniform», where no square is negative, «unequal» and «centre». So uniformity is best, if the rows have room"
    " for a regular simplex, in one and only there, which M4 says takes M features: then all pairs are equally far"
    " apart, positives too, by a distance that is not 0, and alignment is not at its best. Both cannot be had at"
    " once where there is that room; where there is not, they may: «line». Of the rows of one view alone, as its"
    " authors take uniformity, both always can, for the other view may be a copy. Alignment and uniformity are of"
    " Wang and Isola (2020), with the split in the limit of many negatives.",
    split=NTXENT(
        "𝓛 = -(Σ_i s[i,p(i)])/(ν τ) + (Σ_i log(Σ_j 1[j ≠ i] e^(s[i,j]/τ)))/ν"
        " = (Σ_i Σ_f (z[i,f] - z[p(i),f])^2)/(2 ν τ)"
        f" + (Σ_i log(Σ_j 1[j ≠ i] e^(-{SQUARE}/(2 τ))))/ν"
    ),
    jensen=NUMBERS(f"(Σ_i log(Ẑ[i]))/N ≤ {MEAN} by Σ_i 1/N log(Ẑ[i] : (Σ_i Ẑ[i])/N)"),
    # with Ξ₀ r² for each e^{−t‖z_i − z_j‖²}, log r² ≤ 2 (r − 1), and that is r² − 1 − (r − 1)²
    uniform=UNIFORM.chain(
        f"2 t Ξ₀ {CENTRE}/((M + 1) M) ≤ Ξ - Ξ₀ - {UNEQUAL} by Σ_ij 2 Ξ₀ {PAIR} log(e^({AHEAD}))",
        both=f"Ξ₀ + {UNEQUAL}",
    ),
    unequal=lambda: nonnegative(UNIFORM.read(UNEQUAL), UNIFORM.only("Ξ₀").names),
    centre=f"{CENTRE} ≥ 0",
    line=lambda: Example.at(
        "four rows on a line, by e^(−4t)", _on_a_line, z=UnitRows([[1], [-1], [1], [-1]]), factor=Rate(1, 2)
    ),
)
