"""The floor of Barlow Twins: a batch of B rows cannot make more than B − 1 features uncorrelated."""

from collections.abc import Iterator
from fractions import Fraction

from ..evidence.kinds import Example, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Rows, root

DIAGONAL, SQUARES = "(Σ_f C[f,f])", "(Σ_fg C[f,g]^2)"
FEATURES = given(
    "f g < d; i j < M; k < B; λ c real; C[] R[] t[] r[] real",
    "𝓛 := Σ_f (1 - C[f,f])^2 + λ (Σ_fg 1[f ≠ g] C[f,g]^2)",
    "κ := d/M - 1",
    f"c := {DIAGONAL}/d",
)
EXCESS = f"(λ/M) (M {SQUARES} - {DIAGONAL}^2)"  # ≥ 0, as C has no more than M dimensions
LEAST = "d λ κ/(1 + λ κ)"

# C in the M orthonormal vectors e_i in which the rows of view 1 lie
FACTORED = FEATURES.only().also("C[f,g] := Σ_i e[i,f] R[i,g]", "Γᵉ[i,j] := Σ_f e[i,f] e[j,f]")
ORTHONORMAL = FEATURES.only().also("Γᵉ[i,j] := 1[i = j]")
OF_VIEWS = FEATURES.only().also("z₁[k,f] := Σ_i t[k,i] e[i,f]", "R[i,g] := (Σ_k t[k,i] z₂[k,g])/B")
BY_GRAM = "Σ_ij Γᵉ[i,j] (Σ_g R[i,g] R[j,g])"
ALL = "Σ_ig R[i,g]^2"
CROSSED = "(Σ_ijfg (e[i,f] R[j,g] - e[j,g] R[i,f])^2)/2"


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


def _reached(rows: Rows, others: Rows, λ: Fraction) -> Iterator[Finding]:
    least, level = floor(len(rows), len(rows[0]), λ)
    diagonal, value = of_two_views(rows, others, λ)
    yield Finding(value, "=", least, ("𝓛", "dλκ/(1 + λκ)"))
    yield Finding(diagonal, "=", [level] * len(diagonal), ("the diagonal of C", "1/(1 + λκ)"))
    for number, view in enumerate((rows, others), 1):
        alone = of_two_views(view, view, λ)[1]
        yield Finding(alone, ">", least, (f"𝓛 of view {number} with itself", "the floor"))


def _in_practice(B: int, d: int, λ: Fraction) -> Finding:
    return Finding(floor(B, d, λ)[0], ">", 121, ("dλκ/(1 + λκ)", ""))


claim("R4", "proved", FEATURES)(
    checked="Barlow Twins of B rows, «rows.where B», with the weight $λ$: «floor.where 𝓛». With «floor.where κ» and"
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
    rows=FEATURES.only().also("B := M + 1")("B - 1 = M"),
    floor=f"𝓛 - {LEAST} = {EXCESS} + (1 - λ) (Σ_f (C[f,f] - c)^2) + d (1 + λ κ) (c - 1/(1 + λ κ))^2",
    correlation=OF_VIEWS("(Σ_k z₁[k,f] z₂[k,g])/B = Σ_i e[i,f] R[i,g]"),
    squares=FACTORED(f"{SQUARES} = {BY_GRAM}"),
    all=ORTHONORMAL(f"{BY_GRAM} = {ALL}"),
    dimensions=ORTHONORMAL("Σ_i Γᵉ[i,i] = M"),
    crossed=FACTORED(f"(Σ_i Γᵉ[i,i]) ({ALL}) - {DIAGONAL}^2 = {CROSSED}"),
    crossed_sign=f"{CROSSED} ≥ 0",
    aligned=FEATURES.without("c").also("C[f,g] := 1[f = g] + 1[f ≠ g] r[f,g]")(f"𝓛 = d λ κ + {EXCESS}"),
    reached=lambda: Example.at(
        "three rows",
        _reached,
        rows=Rows([[1, 1, 2, 2], [-1, -1, 11, 11], [0, 0, -13, -13]]),
        others=Rows([[8, 8, 1, 1], [-5, -5, 1, 1], [-3, -3, -2, -2]]),
        λ=Fraction(1, 13),
    ),
    practice=lambda: Example.at("2048 rows", _in_practice, B=2048, d=8192, λ=Fraction(1, 200)),
)
