"""Bounds on the gradient and the second derivatives of the loss: by its logits, by one anchor, by all rows."""

from collections.abc import Iterator
from fractions import Fraction
from math import prod

from ..common import rational
from ..common.pairs import positives
from ..common.softmax import SOFTMAX
from ..common.sphere import NORM, UNIT
from ..evidence.kinds import Example, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Base, Law, Numbers, Rows, UnitRows
from ..losses import infonce

# --- one row of logits ----------------------------------------------------------------------------------


def variance(weights, values) -> Fraction:
    mean = rational.dot(weights, values)
    return rational.dot(weights, [(value - mean) ** 2 for value in values])


def _half_the_way(law, u) -> Finding:
    found = variance([law[(j,)] for j in range(len(u))], u)
    return Finding(found, "=", rational.dot(u, u) / 2, ("Var_P(u)", "½ ‖u‖²"))


HESSIAN = "(1[j = k] P[i,j] - P[i,j] P[i,k])"
ALONG = "Σ_j P[i,j] (u[i,j] - Σ_m P[i,m] u[i,m])^2"
PAIRS = "Σ_jk 1[j ≠ k] P[i,j] P[i,k] (u[i,j] + u[i,k])^2"
SQUARES = f"(Σ_j (1 - 2 P[i,j])^2 u[i,j]^2 + {PAIRS})/2"

claim("M9", "proved", SOFTMAX)(
    checked="The second derivative by the logits of a row is the covariance of the softmax: «hessian». Along $u$ it"
    " is a variance, «form», «convex», so the loss is convex in the logits of its row. Its slope changes by no more"
    " than half the way, as «gap», «half»; and by half at «reached».",
    hessian=f"∂(∂ℓ[i]/∂L[i,j])/∂L[i,k] = {HESSIAN}",
    form=f"Σ_jk u[i,j] {HESSIAN} u[i,k] = {ALONG}",
    convex=f"{ALONG} ≥ 0",
    gap=f"(Σ_j u[i,j]^2)/2 - {ALONG} = {SQUARES}",
    half=f"{SQUARES} ≥ 0",
    reached=lambda: Example.at(
        "two logits that are equal",
        _half_the_way,
        law=Law({(0,): Fraction(1, 2), (1,): Fraction(1, 2)}),
        u=Numbers([1, -1]),
    ),
)

# --- one anchor before unit keys z_a that do not move with it -------------------------------------------

ANCHOR = given(
    "i k < N; a m n < A; f g h < d; p: N → A; t[] real",  # t: a direction
    *(NORM, UNIT),
    "L[i,a] := (Σ_f q[i,f] z[a,f])/τ",
    "P[i,a] := e^L[i,a] / Σ_m e^L[i,m]",
    infonce.ROW,
)
COVARIANCE = "(Σ_a P[i,a] z[a,f] z[a,g] - (Σ_n P[i,n] z[n,f]) (Σ_n P[i,n] z[n,g]))"
WAY, MEAN_WAY = "(Σ_h t[h] z[a,h])", "(Σ_nh P[i,n] t[h] z[n,h])"
ALONG_WAY = f"Σ_a P[i,a] ({WAY} - {MEAN_WAY})^2"
SQUARES_OF_WAY = f"Σ_a P[i,a] (Σ_f (t[f] - {WAY} z[a,f])^2) + {MEAN_WAY}^2"


def _all_of_the_way(anchor, keys, way, b) -> Finding:
    weights = [rational.exp(rational.dot(anchor[0], key), b) for key in keys]
    law = [weight / sum(weights) for weight in weights]
    found = variance(law, [rational.dot(way[0], key) for key in keys])
    return Finding(found, "=", rational.dot(way[0], way[0]), ("Var_P(t · z_a)", "‖t‖²"))


claim("M10", "proved", ANCHOR)(
    checked="The second derivative by a query is the covariance of the keys under the softmax, over the squared"
    " temperature: «hessian», the keys held fixed and the anchor not among them. Along a way $t$ it is a variance,"
    " «form», «convex»; and by unit keys no more than the square of the way's length, both over the square of τ, as"
    " «gap», «bounded». That is reached: «reached».",
    hessian=f"∂(∂ℓ[i]/∂q[i,f])/∂q[i,g] = {COVARIANCE}/τ^2",
    form=f"Σ_fg t[f] {COVARIANCE} t[g] = {ALONG_WAY}",
    convex=f"{ALONG_WAY} ≥ 0",
    gap=f"Σ_f t[f]^2 - {ALONG_WAY} = {SQUARES_OF_WAY}",
    bounded=f"{SQUARES_OF_WAY} ≥ 0",
    reached=lambda: Example.at(
        "two opposite keys, the anchor across them, the way along them",
        _all_of_the_way,
        anchor=UnitRows([[0, 1]]),
        keys=UnitRows([[1, 0], [-1, 0]]),
        way=UnitRows([[1, 0]]),
        b=Base(21, 20),
    ),
)

PULL = "(Σ_n 1[n ≠ p(i)] P[i,n] (z[n,f] - z[p(i),f]))"
FURTHEST = "4 (1 - P[i,p(i)])^2"
SIDES = "Σ_f ((z[n,f] + z[p(i),f])^2 + (z[m,f] + z[p(i),f])^2 + (z[n,f] - z[m,f])^2)"
SQUARES_OF_SIDES = f"(Σ_nm 1[n ≠ p(i)] 1[m ≠ p(i)] P[i,n] P[i,m] ({SIDES}))/2"

claim("M14", "proved", ANCHOR)(
    checked="The gradient by a query is the mean difference of negatives and positive by their probabilities, over"
    " the temperature: «gradient». With unit keys there is a bound on its length, for «gap», «bounded». Where every"
    " negative is opposite to the positive, it is reached: «opposite».",
    gradient=f"∂ℓ[i]/∂q[i,f] = {PULL}/τ",
    gap=f"{FURTHEST} - Σ_f {PULL}^2 = {SQUARES_OF_SIDES}",
    bounded=f"{SQUARES_OF_SIDES} ≥ 0",
    # every negative −z_p: z_n − z_p = −2 z_p
    opposite=f"Σ_f (Σ_n 1[n ≠ p(i)] P[i,n] (-2 z[p(i),f]))^2 = {FURTHEST}",
)

# --- all rows at once -----------------------------------------------------------------------------------

MOVING = given(
    "i j k Σ_m < N; f Σ_g < d; p: N → N; t real; V[] c[] real",
    "z[i,f] := q[i,f] + t V[i,f]",  # q: where the rows start
    "L[i,j] := (Σ_f z[i,f] z[j,f])/τ",
    *(SOFTMAX["P"], infonce.ROW, infonce.LOSS, infonce.ERROR),
)
CHANGE, CHANGE_M = (f"(Σ_f (V[i,f] z[{j},f] + z[i,f] V[{j},f]))/τ" for j in "jm")
VARIANCES = f"Σ_i Σ_j P[i,j] ({CHANGE} - Σ_m P[i,m] ({CHANGE_M}))^2"
SECOND = f"({VARIANCES} + (2/τ) (Σ_ij G[i,j] (Σ_f V[i,f] V[j,f])))/ν"


def higher_in_the_middle(start, end, b) -> Iterator[Finding]:
    """On the line from one batch to another."""
    p = positives(len(start))
    pairs = [list(zip(*rows, strict=True)) for rows in zip(start, end, strict=True)]
    middle, half = ([[(y + s * x) / 2 for x, y in row] for row in pairs] for s in (1, -1))

    def odds(rows):
        """e^{N𝓛}"""
        return 1 / prod(row[p[i]] for i, row in enumerate(infonce.probabilities(rows, b)))

    G = infonce.errors(middle, b, p)
    bend = sum(x * rational.dot(half[i], half[j]) for i, row in enumerate(G) for j, x in enumerate(row))
    yield Finding(bend, "<", 0, ("Σ_ij G_ij V_i · V_j in the middle", ""))
    yield Finding(
        odds(middle) ** 2, ">", odds(start) * odds(end), ("e^(2N𝓛) there", "e^(N𝓛) e^(N𝓛) of the ends")
    )


claim("M11", "proved", MOVING)(
    checked="All rows move at once, «second.where z»: «second». The second sum may be negative, and the"
    " loss, though convex in its logits, is not convex in its rows: «bent».",
    second=f"∂(∂𝓛/∂t)/∂t = {SECOND}",
    bent=lambda: Example.at(
        "two images, both views of each alike",
        higher_in_the_middle,
        start=Rows(rational.rows((5, 1), (5, -1), (5, 1), (5, -1))),
        end=Rows(rational.rows((5, -1), (5, 1), (5, -1), (5, 1))),
        b=Base(21, 20),
    ),
)

# all rows coincide at the point c
COLLAPSED = MOVING.also("z[i,f] := c[f]").without("ℓ", "𝓛")
RADIAL = "(Σ_j (Σ_f c[f] V[j,f] - (Σ_mf c[f] V[m,f])/N)^2)/τ^2"
WHOLE, PARTNERS = "(Σ_f (Σ_i V[i,f])^2)/N", "Σ_if V[i,f] V[p(i),f]"
APART = "(Σ_ijf (V[i,f] - V[j,f])^2)/(2 N)"

claim("M35", "proved", COLLAPSED)(
    checked="All rows are one point, «second.where z»: a collapsed batch. Its gradient (D1.13) is «still»,"
    " which is 0, as each row is the positive of one. Let it move as in M11. The second derivative is"
    " then «second». Along the sphere no $V$ has a part along $c$, and the sum over τ squared is 0. If"
    " partners move alike, the difference in brackets is «together», and «sign»: the loss falls, unless"
    " all rows move alike. If partners move against one another, all $V$ cancel, and the difference is"
    " the sum of their squares: the loss rises. So the point is a saddle of the loss on the sphere, if"
    " there are two pairs and two features.",
    brief="On the sphere a collapsed batch is a saddle of InfoNCE: its gradient is 0. If partners move"
    " alike, the second derivative is $2/(ντ)$ times «together», below 0 unless all rows move alike. If"
    " partners part it is above 0.",
    still="(Σ_j (G[k,j] + G[j,k]) z[j,f])/(ν τ) = c[f] (1 - Σ_j 1[k = p(j)])/(ν τ)",
    second=f"{SECOND} = ({RADIAL} + (2/τ) ({WHOLE} - {PARTNERS}))/ν",
    together=f"{WHOLE} - Σ_if V[i,f]^2 = -{APART}",
    sign=f"{APART} ≥ 0",
)
