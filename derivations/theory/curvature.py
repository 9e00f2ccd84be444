"""Bounds on the gradient and the second derivatives of the loss: by its logits, by one anchor, by all rows."""

from collections.abc import Iterator
from fractions import Fraction
from math import prod

from sympy import Expr, IndexedBase, Symbol, exp

from ..common import rational, softmax
from ..common.pairs import positives
from ..common.sphere import NORM, UNIT
from ..evidence.claims import claim
from ..evidence.pieces import Finding, Piece, example
from ..evidence.points import Base, Law, Numbers, Rows, UnitRows
from ..evidence.verdicts import Verdict
from ..losses import infonce
from ..losses.infonce import ERROR, LOSS, ROW
from ..prover.inequality import nonnegative
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import A, G, L, N, P, a, d, ell, f, g, h, i, j, k, loss, m, n, nu, p, q, tau, u, z

# --- one row of logits ----------------------------------------------------------------------------------


def spread(value: Expr, mean: Expr) -> Expr:
    """Var_P of a value in the index j, with other bound names in its mean."""
    return total(P[i, j] * (value - mean) ** 2, (j, N))


def variance(weights, values) -> Fraction:
    mean = rational.dot(weights, values)
    return rational.dot(weights, [(value - mean) ** 2 for value in values])


@claim(
    "M9",
    verdict=Verdict.PROVED,
    says="«hessian». Along $u$ it is a variance, «form», «convex», so the loss is convex in the logits of its"
    " row. Its slope changes by no more than half the way, as «gap», «half»; and by half at «reached».",
)
def in_the_logits() -> dict[str, Piece]:
    def prove(first: Expr, *steps) -> Proof:
        return derive(first, *steps, names=softmax.SOFTMAX.names, facts=softmax.SOFTMAX.facts)

    def half_the_way(law, u) -> Finding:
        found = variance([law[(j,)] for j in range(len(u))], u)
        return Finding(found, "=", rational.dot(u, u) / 2, ("Var_P(u)", "½ ‖u‖²"))

    hessian = one_if(j, k) * P[i, j] - P[i, j] * P[i, k]
    form = total(u[i, j] * hessian * u[i, k], (k, N), (j, N))
    along = spread(u[i, j], total(P[i, m] * u[i, m], (m, N)))
    pairs = total(Differ(j, k) * P[i, j] * P[i, k] * (u[i, j] + u[i, k]) ** 2, (k, N), (j, N))
    squares = (total((1 - 2 * P[i, j]) ** 2 * u[i, j] ** 2, (j, N)) + pairs) / 2
    return {
        "hessian": prove(Partial(Partial(ell[i], L[i, j]), L[i, k]), (DERIVATIVE, hessian)),
        "form": prove(form, (DEFINITION, along)),
        "convex": nonnegative(along, names=softmax.SOFTMAX.names),
        "gap": prove(total(u[i, j] ** 2, (j, N)) / 2 - along, (DEFINITION, squares)),
        "half": nonnegative(squares, names=softmax.SOFTMAX.names),
        "reached": example(
            "two logits that are equal",
            half_the_way,
            law=Law({(0,): Fraction(1, 2), (1,): Fraction(1, 2)}),
            u=Numbers([1, -1]),
        ),
    }


# --- one anchor before unit keys z_a that do not move with it -------------------------------------------

FACTS = Facts(ranges={i: N, k: N, a: A, m: A, n: A, f: d, g: d, h: d}, maps={p: (N, A)})
ANCHORED = (
    NORM,
    UNIT,
    Definition(L[i, a], total(q[i, f] * z[a, f], (f, d)) / tau),
    Definition(P[i, a], exp(L[i, a]) / total(exp(L[i, m]), (m, A))),
    ROW,
)
way = IndexedBase("t", real=True)  # a direction


def before_keys(first: Expr, *steps) -> Proof:
    return derive(first, *steps, names=ANCHORED, facts=FACTS)


@claim(
    "M10",
    verdict=Verdict.PROVED,
    says="«hessian», the keys held fixed and the anchor not among them. Along a way $t$ it is a variance,"
    " «form», «convex»; and by unit keys no more than the square of the way's length, both over the"
    " square of τ, as «gap», «bounded». That is reached: «reached».",
)
def in_one_anchor() -> dict[str, Piece]:
    def all_of_the_way(anchor, keys, way, b) -> Finding:
        weights = [rational.exp(rational.dot(anchor[0], key), b) for key in keys]
        law = [weight / sum(weights) for weight in weights]
        found = variance(law, [rational.dot(way[0], key) for key in keys])
        return Finding(found, "=", rational.dot(way[0], way[0]), ("Var_P(t · z_a)", "‖t‖²"))

    mean = total(P[i, n] * z[n, g], (n, A))
    covariance = total(P[i, a] * z[a, f] * z[a, g], (a, A)) - total(P[i, n] * z[n, f], (n, A)) * mean
    along = total(way[h] * z[a, h], (h, d))
    along_mean = total(P[i, n] * way[h] * z[n, h], (h, d), (n, A))
    spread_along = total(P[i, a] * (along - along_mean) ** 2, (a, A))
    form = total(way[f] * covariance * way[g], (g, d), (f, d))
    squares = total(P[i, a] * total((way[f] - along * z[a, f]) ** 2, (f, d)), (a, A)) + along_mean**2
    return {
        "hessian": before_keys(Partial(Partial(ell[i], q[i, f]), q[i, g]), (DERIVATIVE, covariance / tau**2)),
        "form": before_keys(form, (DEFINITION, spread_along)),
        "convex": nonnegative(spread_along, names=ANCHORED),
        "gap": before_keys(total(way[f] ** 2, (f, d)) - spread_along, (DEFINITION, squares)),
        "bounded": nonnegative(squares, names=ANCHORED),
        "reached": example(
            "two opposite keys, the anchor across them, the way along them",
            all_of_the_way,
            anchor=UnitRows([[0, 1]]),
            keys=UnitRows([[1, 0], [-1, 0]]),
            way=UnitRows([[1, 0]]),
            b=Base(21, 20),
        ),
    }


@claim(
    "M14",
    verdict=Verdict.PROVED,
    says="«gradient». With unit keys there is a bound on its length, for «gap», «bounded». Where every"
    " negative is opposite to the positive, it is reached: «opposite».",
)
def steepest() -> dict[str, Piece]:
    def pull(feature):
        return total(Differ(n, p[i]) * P[i, n] * (z[n, feature] - z[p[i], feature]), (n, A))

    furthest = 4 * (1 - P[i, p[i]]) ** 2
    pair = Differ(n, p[i]) * Differ(m, p[i]) * P[i, n] * P[i, m]
    sides = (z[n, f] + z[p[i], f]) ** 2 + (z[m, f] + z[p[i], f]) ** 2 + (z[n, f] - z[m, f]) ** 2
    squares = total(pair * total(sides, (f, d)), (m, A), (n, A)) / 2
    # every negative −z_p: z_n − z_p = −2 z_p
    opposite = total(Differ(n, p[i]) * P[i, n] * (-2 * z[p[i], f]), (n, A))
    return {
        "gradient": before_keys(Partial(ell[i], q[i, f]), (DERIVATIVE, pull(f) / tau)),
        "gap": before_keys(furthest - total(pull(f) ** 2, (f, d)), (DEFINITION, squares)),
        "bounded": nonnegative(squares, names=ANCHORED),
        "opposite": before_keys(total(opposite**2, (f, d)), (DEFINITION, furthest)),
    }


# --- all rows at once -----------------------------------------------------------------------------------

time, velocity = Symbol("t", real=True), IndexedBase("V", real=True)
point = IndexedBase("c", real=True)  # the point at which all rows coincide
LOGITS = Definition(L[i, j], total(z[i, f] * z[j, f], (f, d)) / tau)


@claim(
    "M11",
    verdict=Verdict.PROVED,
    says="All rows move at once, «second.where z»: «second». The second sum may be negative, and the"
    " loss, though convex in its logits, is not convex in its rows: «bent».",
)
def in_all_rows() -> dict[str, Piece]:
    rows = Definition(z[i, f], q[i, f] + time * velocity[i, f])  # q: where the rows start
    names = (rows, LOGITS, softmax.SOFTMAX["P"], ROW, LOSS, ERROR)
    steps = ((DERIVATIVE, second()),)
    return {
        "second": derive(Partial(Partial(loss, time), time), *steps, names=names, facts=infonce.FACTS),
        "bent": example(
            "two images, both views of each alike",
            higher_in_the_middle,
            start=Rows(rational.rows((5, 1), (5, -1), (5, 1), (5, -1))),
            end=Rows(rational.rows((5, -1), (5, 1), (5, -1), (5, 1))),
            b=Base(21, 20),
        ),
    }


def second() -> Expr:
    """The second derivative of the loss as the rows move by t·V."""

    def change(other):
        return total(velocity[i, f] * z[other, f] + z[i, f] * velocity[other, f], (f, d)) / tau

    variances = total(spread(change(j), total(P[i, m] * change(m), (m, N))), (i, N))
    bend = total(G[i, j] * total(velocity[i, f] * velocity[j, f], (f, d)), (j, N), (i, N))
    return (variances + 2 / tau * bend) / nu


@claim(
    "M35",
    verdict=Verdict.PROVED,
    says="All rows are one point, «second.where z»: a collapsed batch. Its gradient (D1.13) is «still»,"
    " which is 0, as each row is the positive of one. Let it move as in M11. The second derivative is"
    " then «second». Along the sphere no $V$ has a part along $c$, and the sum over τ squared is 0. If"
    " partners move alike, the difference in brackets is «together», and «sign»: the loss falls, unless"
    " all rows move alike. If partners move against one another, all $V$ cancel, and the difference is"
    " the sum of their squares: the loss rises. So the point is a saddle of the loss on the sphere, if"
    " there are two pairs and two features.",
    brief="On the sphere a collapsed batch is a saddle of InfoNCE: its gradient is 0. If partners move"
    " alike, the second derivative is $2/(ντ)$ times «together», below 0 unless all rows move alike. If"
    " partners part it is above 0.",
)
def collapsed() -> dict[str, Piece]:
    names = (Definition(z[i, f], point[f]), LOGITS, softmax.SOFTMAX["P"], ERROR)

    def prove(first: Expr, last: Expr) -> Proof:
        return derive(first, (DEFINITION, last), names=names, facts=infonce.FACTS)

    lengths = total(velocity[i, f] ** 2, (f, d), (i, N))
    whole = total(total(velocity[i, f], (i, N)) ** 2, (f, d)) / N
    along = total(point[f] * velocity[j, f], (f, d))
    radial = total((along - total(point[f] * velocity[m, f], (f, d), (m, N)) / N) ** 2, (j, N)) / tau**2
    partners = total(velocity[i, f] * velocity[p[i], f], (f, d), (i, N))
    apart = total((velocity[i, f] - velocity[j, f]) ** 2, (f, d), (j, N), (i, N)) / (2 * N)
    pulled = point[f] * (1 - total(one_if(k, p[j]), (j, N))) / (nu * tau)
    return {
        "still": prove(total((G[k, j] + G[j, k]) * z[j, f], (j, N)) / (nu * tau), pulled),
        "second": prove(second(), (radial + 2 / tau * (whole - partners)) / nu),
        "together": derive(whole - lengths, (SUMS, -apart), facts=infonce.FACTS),
        "sign": nonnegative(apart),
    }


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
