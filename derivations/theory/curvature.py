"""How steep the loss is, and how it curves: in its logits, in one anchor, in all rows at once."""

from fractions import Fraction

from sympy import Expr, IndexedBase, Rational, Symbol, exp

from .. import softmax
from ..claims import claim
from ..losses import infonce
from ..losses.infonce import ERROR, LOSS, ROW
from ..prover.inequality import Sign, nonnegative
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import DEFINITION, DERIVATIVE, Proof, derive
from ..prover.sums import Facts
from ..softmax import SOFTMAX
from ..sphere import NORM, UNIT
from ..symbols import A, G, L, N, P, a, d, ell, f, g, h, i, j, k, loss, m, n, nu, p, q, tau, u, z
from ..unbound import Counterexample, counterexample
from ..verdicts import Verdict

# --- one row of logits ----------------------------------------------------------------------------------


def spread(value: Expr, mean: Expr) -> Expr:
    """Var_P of a value in the index j, its mean in other names."""
    return total(P[i, j] * (value - mean) ** 2, (j, N))


@claim(
    "M9",
    printed="",
    statement=r"\partial^2 \ell / \partial L^2 = diag(P) - P P^T, and u^T (diag(P) - P P^T) u = Var_P(u) \ge 0, so"
    r" \ell is convex. \frac{1}{2} \|u\|^2 - Var_P(u) = \frac{1}{2} \sum_j (1 - 2P_j)^2 u_j^2"
    r" + \frac{1}{2} \sum_{j \ne k} P_j P_k (u_j + u_k)^2 \ge 0, so its slope changes no faster than"
    r" by \frac{1}{2}: reached at P = (½, ½).",
    verdict=Verdict.PROVED,
)
def in_the_logits() -> tuple[Proof | Sign | Counterexample, ...]:
    def prove(first: Expr, *steps) -> Proof:
        return derive(first, *steps, names=softmax.NAMES, facts=softmax.FACTS)

    hessian = one_if(j, k) * P[i, j] - P[i, j] * P[i, k]
    form = total(u[i, j] * hessian * u[i, k], (k, N), (j, N))
    variance = spread(u[i, j], total(P[i, m] * u[i, m], (m, N)))
    pairs = total(Differ(j, k) * P[i, j] * P[i, k] * (u[i, j] + u[i, k]) ** 2, (k, N), (j, N))
    squares = (total((1 - 2 * P[i, j]) ** 2 * u[i, j] ** 2, (j, N)) + pairs) / 2
    half, ends = Fraction(1, 2), (1, -1)
    mean = sum(half * x for x in ends)
    steepest = sum(half * (x - mean) ** 2 for x in ends)
    return (
        prove(Partial(Partial(ell[i], L[i, j]), L[i, k]), (DERIVATIVE, hessian)),
        prove(form, (DEFINITION, variance)),
        nonnegative(variance, names=softmax.NAMES),
        prove(total(u[i, j] ** 2, (j, N)) / 2 - variance, (DEFINITION, squares)),
        nonnegative(squares, names=softmax.NAMES),
        counterexample(
            "two logits, P = (½, ½), u = (1, −1): Var_P(u) is ½ ‖u‖²",
            steepest == half * sum(x * x for x in ends),
            {"Var_P(u)": steepest, "½ ‖u‖²": half * 2},
        ),
    )


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
    printed="",
    statement=r"\partial^2 \ell_i / \partial z_i^2 = Cov_P(z_a)/\tau^2, the keys held fixed and i not among them;"
    r" along t it is Var_P(t \cdot z_a)/\tau^2 \ge 0. For unit keys it is at most \|t\|^2/\tau^2, since"
    r" \|t\|^2 - (t \cdot z_a)^2 = \|t - (t \cdot z_a) z_a\|^2: reached with keys u and -u and an anchor across u.",
    verdict=Verdict.PROVED,
)
def in_one_anchor() -> tuple[Proof | Sign | Counterexample, ...]:
    mean = total(P[i, n] * z[n, g], (n, A))
    covariance = total(P[i, a] * z[a, f] * z[a, g], (a, A)) - total(P[i, n] * z[n, f], (n, A)) * mean
    along = total(way[h] * z[a, h], (h, d))
    along_mean = total(P[i, n] * way[h] * z[n, h], (h, d), (n, A))
    variance = total(P[i, a] * (along - along_mean) ** 2, (a, A))
    form = total(way[f] * covariance * way[g], (g, d), (f, d))
    squares = total(P[i, a] * total((way[f] - along * z[a, f]) ** 2, (f, d)), (a, A)) + along_mean**2
    keys, half = (1, -1), Fraction(1, 2)
    return (
        before_keys(Partial(Partial(ell[i], q[i, f]), q[i, g]), (DERIVATIVE, covariance / tau**2)),
        before_keys(form, (DEFINITION, variance)),
        nonnegative(variance, names=ANCHORED),
        before_keys(total(way[f] ** 2, (f, d)) - variance, (DEFINITION, squares)),
        nonnegative(squares, names=ANCHORED),
        counterexample(
            "keys u and −u, the anchor across u, so that P = (½, ½): along t = u the variance is 1",
            sum(half * key**2 for key in keys) - sum(half * key for key in keys) ** 2 == 1,
            {"t · z_a": keys, "Var_P": 1},
        ),
    )


@claim(
    "M14",
    printed="",
    statement=r"\|\partial \ell_i / \partial z_i\| \le 2(1 - P_{ip})/\tau for unit keys:"
    r" \tau \partial \ell_i / \partial z_i = \sum_n P_{in} (z_n - z_p), and 4(1 - P_{ip})^2 - \|\cdot\|^2 ="
    r" \frac{1}{2} \sum_{nm} P_{in} P_{im} (\|z_n + z_p\|^2 + \|z_m + z_p\|^2 + \|z_n - z_m\|^2). Reached where"
    r" every negative is -z_p. With M equal negatives 1 - P_{ip} = M/(M + e^{(s_p - s_n)/\tau}) (D2.17).",
    verdict=Verdict.PROVED,
)
def steepest() -> tuple[Proof | Sign, ...]:
    def pull(feature):
        return total(Differ(n, p[i]) * P[i, n] * (z[n, feature] - z[p[i], feature]), (n, A))

    others = total(Differ(n, p[i]) * P[i, n], (n, A))
    pair = Differ(n, p[i]) * Differ(m, p[i]) * P[i, n] * P[i, m]
    sides = (z[n, f] + z[p[i], f]) ** 2 + (z[m, f] + z[p[i], f]) ** 2 + (z[n, f] - z[m, f]) ** 2
    squares = total(pair * total(sides, (f, d)), (m, A), (n, A)) / 2
    # every negative −z_p: z_n − z_p = −2 z_p
    opposite = total(Differ(n, p[i]) * P[i, n] * (-2 * z[p[i], f]), (n, A))
    return (
        before_keys(Partial(ell[i], q[i, f]), (DERIVATIVE, pull(f) / tau)),
        before_keys(4 * others**2 - total(pull(f) ** 2, (f, d)), (DEFINITION, squares)),
        nonnegative(squares, names=ANCHORED),
        before_keys(total(opposite**2, (f, d)), (DEFINITION, 4 * others**2)),
    )


# --- all rows at once -----------------------------------------------------------------------------------

time, velocity = Symbol("t", real=True), IndexedBase("V", real=True)


@claim(
    "M11",
    printed="",
    statement=r"With \dot S = (V Z^T + Z V^T)/\tau: \frac{d^2}{dt^2} \mathcal{L}(Z + tV) = \frac{1}{N} [\sum_i"
    r" Var_{P_i}(\dot S_i) + \frac{2}{\tau} \sum_{ij} G_{ij} V_i \cdot V_j]. The second sum may be negative:"
    r" \mathcal{L} is not convex in Z, though it is in L.",
    verdict=Verdict.PROVED,
)
def in_all_rows() -> tuple[Proof, Counterexample]:
    rows = Definition(z[i, f], q[i, f] + time * velocity[i, f])  # q: where the rows start
    logits = Definition(L[i, j], total(z[i, f] * z[j, f], (f, d)) / tau)
    names = (rows, logits, SOFTMAX, ROW, LOSS, ERROR)

    def change(other):
        return total(velocity[i, f] * z[other, f] + z[i, f] * velocity[other, f], (f, d)) / tau

    variance = spread(change(j), total(P[i, m] * change(m), (m, N)))
    bend = total(G[i, j] * total(velocity[i, f] * velocity[j, f], (f, d)), (j, N), (i, N))
    second = (total(variance, (i, N)) + 2 / tau * bend) / nu
    # Rows (1, ±t), each beside its positive: L = (1 ± t²)/τ, and e^𝓛 = 2 + 2 e^{−2t²/τ}.
    middle, end = 2 + 2 * Rational(1), 2 + 2 * Rational(1, 4)
    return (
        derive(Partial(Partial(loss, time), time), (DERIVATIVE, second), names=names, facts=infonce.FACTS),
        counterexample(
            "rows (1, t), (1, −t), (1, t), (1, −t): at t = 0 the loss is above its mean at ±t, t² = τ log 2",
            middle > end,
            {"e^𝓛 at t = 0": middle, "e^𝓛 at ±t": end},
        ),
    )
