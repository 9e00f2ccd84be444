"""The floor of Barlow Twins: a batch of B rows cannot make more than B − 1 features uncorrelated."""

from collections.abc import Iterator
from fractions import Fraction

from sympy import IndexedBase, Symbol

from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, example
from ..evidence.points import Rows, root
from ..evidence.verdicts import Verdict
from ..prover.inequality import nonnegative
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, Proof, derive
from ..prover.sums import Facts
from ..symbols import B, M, basis, coordinates, d, f, g, gram, i, j, k, loss, z1, z2
from ..symbols import cross_correlation as correlation
from ..symbols import share as kappa

FACTS = Facts(ranges={f: d, g: d, i: M, j: M, k: B})

weight, mean = Symbol("λ", real=True), Symbol("c", real=True)
within, between = IndexedBase("t", real=True), IndexedBase("r", real=True)

DIAGONAL, SQUARES = total(correlation[f, f], (f, d)), total(correlation[f, g] ** 2, (g, d), (f, d))
OFF_DIAGONAL = total(Differ(f, g) * correlation[f, g] ** 2, (g, d), (f, d))
LOSS = Definition(loss, total((1 - correlation[f, f]) ** 2, (f, d)) + weight * OFF_DIAGONAL)
KAPPA = Definition(kappa, d / M - 1)
MEAN = Definition(mean, DIAGONAL / d)
NAMES = (LOSS, KAPPA, MEAN)
EXCESS = M * SQUARES - DIAGONAL**2  # ≥ 0, as C has no more than M dimensions

# C in the M orthonormal vectors e_i in which the rows of view 1 lie.
FACTORS = Definition(correlation[f, g], total(basis[i, f] * coordinates[i, g], (i, M)))
GRAM = Definition(gram[i, j], total(basis[i, f] * basis[j, f], (f, d)))
ORTHONORMAL = Definition(gram[i, j], one_if(i, j))
BY_GRAM = total(gram[i, j] * total(coordinates[i, g] * coordinates[j, g], (g, d)), (j, M), (i, M))
ALL = total(coordinates[i, g] ** 2, (g, d), (i, M))
CROSSED = (
    total(
        (basis[i, f] * coordinates[j, g] - basis[j, g] * coordinates[i, f]) ** 2,
        (g, d),
        (f, d),
        (j, M),
        (i, M),
    )
    / 2
)


def prove(first, last, *names: Definition) -> Proof:
    return derive(first, (DEFINITION, last), names=names, facts=FACTS)


def of_two_views(rows: Rows, others: Rows, weight: Fraction) -> tuple[list[Fraction], Fraction]:
    """The diagonal of C, and the loss: only the squares off the diagonal are needed."""

    def centred(view: Rows) -> list[list[Fraction]]:
        return [[x - sum(column) / len(column) for x in column] for column in zip(*view, strict=True)]

    def product(left: list[Fraction], right: list[Fraction]) -> Fraction:
        return sum((x * y for x, y in zip(left, right, strict=True)), Fraction(0))

    first, second = centred(rows), centred(others)
    lengths = [[product(x, x) * product(y, y) for y in second] for x in first]
    diagonal = [
        product(x, y) / root(lengths[n][n]) for n, (x, y) in enumerate(zip(first, second, strict=True))
    ]
    off = (
        product(x, y) ** 2 / lengths[m][n]
        for m, x in enumerate(first)
        for n, y in enumerate(second)
        if m != n
    )
    return diagonal, sum((1 - c) ** 2 for c in diagonal) + weight * sum(off)


def floor(size: int, features: int, weight: Fraction) -> tuple[Fraction, Fraction]:
    """dλκ/(1 + λκ), and 1/(1 + λκ)."""
    factor = 1 + weight * (Fraction(features, size - 1) - 1)
    return features * (1 - 1 / factor), 1 / factor


def reached(rows: Rows, others: Rows, λ: Fraction) -> Iterator[Finding]:
    least, level = floor(len(rows), len(rows[0]), λ)
    diagonal, value = of_two_views(rows, others, λ)
    yield Finding(value, "=", least, ("𝓛", "dλκ/(1 + λκ)"))
    yield Finding(diagonal, "=", [level] * len(diagonal), ("the diagonal of C", "1/(1 + λκ)"))
    for number, view in enumerate((rows, others), 1):
        alone = of_two_views(view, view, λ)[1]
        yield Finding(alone, ">", least, (f"𝓛 of view {number} with itself", "the floor"))


def in_practice(B: int, d: int, λ: Fraction) -> Finding:
    return Finding(floor(B, d, λ)[0], ">", 121, ("dλκ/(1 + λκ)", ""))


@claim(
    "R4",
    verdict=Verdict.PROVED,
    says="Barlow Twins of B rows, «rows.where B», with the weight $λ$: «floor.where 𝓛». With «floor.where κ» and"
    " the mean «floor.where c» of the diagonal, «floor». Of the three terms none is negative where $λ$ is between"
    " 0 and 1 and d at least M, so that $κ$ is not negative: the loss has a floor that is not 0 as soon as neither"
    " is 0. Why the term by $λ$ alone is not negative: standardised features have the mean 0, so the B rows of"
    " view 1 lie in M dimensions; let M orthonormal vectors $e$ span them, «correlation.where z₁». Then $C$"
    " is «correlation», that is «squares.where C», and with «squares.where Γᵉ» it has «squares», where orthonormal"
    " means «all.where Γᵉ»: the sum is «all», and «dimensions». So the bracket of that term is «crossed»,"
    " «crossed sign». The floor is reached only where all three terms vanish, and so, for $λ$ strictly between, by"
    " equal diagonal entries, all of them $1/(1 + λκ)$: if $κ$ is not 0, by views that are not aligned. Such"
    " batches exist: «reached». Aligned views,"
    " «aligned.where C», cost at least $1 + λκ$ times the floor: «aligned». With the size, features and weight of"
    " the paper that introduced the loss the floor is far from 0: «practice». We know of no source.",
    brief="Barlow Twins of B rows, «rows.where B», with the weight $λ$, C the correlations of the d features of"
    " the two views, «floor.where κ» and the mean «floor.where c» of the diagonal: «floor». If $λ$ is between 0"
    " and 1 and d at least M, no term on the right is negative: the loss has a floor, and it is not 0 as soon as"
    " neither $λ$ nor $κ$ is. With $λ$ below 1 only views reach it of which every diagonal entry is"
    " $1/(1 + λκ)$.",
)
def floor_of_barlow_twins() -> dict[str, Piece]:
    factor = 1 + weight * kappa
    excess = (
        weight / M * EXCESS
        + (1 - weight) * total((correlation[f, f] - mean) ** 2, (f, d))
        + d * factor * (mean - 1 / factor) ** 2
    )
    rows = Definition(z1[k, f], total(within[k, i] * basis[i, f], (i, M)))
    inner = Definition(coordinates[i, g], total(within[k, i] * z2[k, g], (k, B)) / B)
    aligned = Definition(correlation[f, g], one_if(f, g) + Differ(f, g) * between[f, g])
    first = Rows([[1, 1, 2, 2], [-1, -1, 11, 11], [0, 0, -13, -13]])
    second = Rows([[8, 8, 1, 1], [-5, -5, 1, 1], [-3, -3, -2, -2]])
    return {
        "rows": prove(B - 1, M, Definition(B, M + 1)),
        "floor": prove(loss - d * weight * kappa / factor, excess, *NAMES),
        "correlation": prove(
            total(z1[k, f] * z2[k, g], (k, B)) / B,
            total(basis[i, f] * coordinates[i, g], (i, M)),
            rows,
            inner,
        ),
        "squares": prove(SQUARES, BY_GRAM, FACTORS, GRAM),
        "all": prove(BY_GRAM, ALL, ORTHONORMAL),
        "dimensions": prove(total(gram[i, i], (i, M)), M, ORTHONORMAL),
        "crossed": prove(total(gram[i, i], (i, M)) * ALL - DIAGONAL**2, CROSSED, FACTORS, GRAM),
        "crossed sign": nonnegative(CROSSED),
        "aligned": prove(loss, d * weight * kappa + weight / M * EXCESS, LOSS, KAPPA, aligned),
        "reached": example("three rows", reached, rows=first, others=second, λ=Fraction(1, 13)),
        "practice": example("2048 rows", in_practice, B=2048, d=8192, λ=Fraction(1, 200)),
    }
