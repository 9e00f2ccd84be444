"""How small and how large the loss can be, with the anchor in its own denominator and without; the ends of τ."""

from fractions import Fraction

from sympy import Expr, Integer, Symbol, exp, log

from ..claims import claim
from ..evidence import Verdict
from ..losses import ntxent
from ..prover import rational
from ..prover.inequality import LEMMA, Bound, Sign, Use, bound, lemma, nonnegative
from ..prover.notation import Definition, Differ, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, Proof, derive
from ..prover.sums import Facts
from ..symbols import A, L, M, N, P, a, beta, d, ell, f, i, j, k, m, p, q, s, stretch, tau, u, y, z
from ..unbound import Counterexample, counterexample

FACTS = ntxent.FACTS
EVERYONE = total(exp(L[i, m]), (m, N))  # the anchor in its own denominator [D1.3]


def prove(first: Expr, *steps) -> Proof:
    """About unit rows z = w/‖w‖ and their cosines."""
    return derive(first, *steps, names=ntxent.NAMES, facts=FACTS)


def apart(left, right, sign: int = -1) -> Expr:
    """‖z − z′‖², or with the sign + ‖z + z′‖²."""
    return total((z[left, f] + sign * z[right, f]) ** 2, (f, d))


# --- the anchor in its own denominator ------------------------------------------------------------------


@claim(
    "M1",
    printed="",
    statement=r"D1, unit rows: P_{i,p(i)} \le \frac{1}{2}, so \ell_i \ge \log 2. The anchor's own logit is at least"
    r" the positive's, L_{ii} - L_{i,p(i)} = \|z_i - z_{p(i)}\|^2/(2\tau) \ge 0, and"
    r" (1 - 2P_{i,p(i)}) \sum_k e^{L_{ik}} = e^{L_{ii}} - e^{L_{i,p(i)}} + \sum_{j \ne i, p(i)} e^{L_{ij}}.",
    verdict=Verdict.PROVED_FROM_LEMMA,
    scope="exp is increasing",
)
def never_sure() -> tuple[Proof | Sign, ...]:
    share = exp(L[i, p[i]]) / EVERYONE
    rest = total(Differ(j, i) * Differ(j, p[i]) * exp(L[i, j]), (j, N))
    gap = apart(i, p[i]) / (2 * tau)
    return (
        prove(L[i, i] - L[i, p[i]], (DEFINITION, gap)),
        nonnegative(gap),
        derive((1 - 2 * share) * EVERYONE, (DEFINITION, exp(L[i, i]) - exp(L[i, p[i]]) + rest), facts=FACTS),
        nonnegative(rest),
    )


@claim(
    "M2",
    printed="",
    statement=r"For unit rows e^{\ell_{self}} = e^{\ell_{mask}} + e^{(1 - s_p)/\tau}: with the anchor in its own"
    " denominator, and without.",
    verdict=Verdict.PROVED,
)
def one_more_term() -> Proof:
    return prove(EVERYONE / exp(L[i, p[i]]), (DEFINITION, exp(ell[i]) + exp((1 - s[i, p[i]]) / tau)))


@claim(
    "M3",
    printed="",
    statement=r"For j \ne i, P^{self}_{ij} = (1 - P^{self}_{ii}) P^{mask}_{ij}. The gradients are not parallel, not"
    r" even along the sphere. With s_p = 1 and x = \sum_n e^{(s_n - 1)/\tau} the coefficient of the positive is"
    r" -x/(1 + x) masked and -(1 + x)/(2 + x) with the anchor: as x \to 0 one vanishes, the other goes to"
    r" -\frac{1}{2}.",
    verdict=Verdict.PROVED,
)
def two_softmaxes() -> tuple[Proof | Counterexample, ...]:
    itself = exp(L[i, i]) / EVERYONE
    everyone = Differ(j, i) * exp(L[i, j]) / EVERYONE
    x = total(exp(u[i, m]), (m, M))  # (s_n − 1)/τ of each negative
    facts = Facts(ranges={i: N, m: M})
    b, z = Fraction(21, 20), rational.rows((5, 0, 0), (0, 5, 0), (0, 0, 5))  # anchor, positive, negative
    tangents = []  # the coefficients of z_p and z_n, both across the anchor
    for candidate in (rational.everyone, rational.all_but_itself):
        _, positive, other = rational.probabilities(z, b, candidate)[0]
        tangents.append((positive - 1, other))
    full, masked = tangents
    return (
        derive(everyone, (DEFINITION, (1 - itself) * P[i, j]), names=(ntxent.SOFTMAX,), facts=FACTS),
        derive(1 / (1 + x) - 1, (DEFINITION, -x / (1 + x)), facts=facts),
        derive(1 / (2 + x) - 1, (DEFINITION, -(1 + x) / (2 + x)), facts=facts),
        counterexample(
            "anchor, positive and negative at right angles, e^{1/(25τ)} = 21/20: no multiples of one another",
            full[0] * masked[1] != full[1] * masked[0],
            {
                f"(P_p − 1, P_n) {name}": tuple(map(str, pull))
                for name, pull in (("with the anchor", full), ("masked", masked))
            },
        ),
    )


# --- the least loss -------------------------------------------------------------------------------------

least, own = stretch, Symbol("c", positive=True)
height, lift = Symbol("t", real=True), Symbol("ε", nonnegative=True)


def tangent() -> Bound:
    """log(c + M e^t) + e^t/(c + M e^t) Σ (x_n − t) ≤ log(c + ε + Σ e^{x_n}): a line below a convex function."""
    flat, whole = own + M * exp(height), own + lift + total(exp(u[i, m]), (m, M))
    line = exp(height) / flat * total(u[i, m] - height, (m, M))
    uses = (
        Use(own / flat, flat, bottom=whole),
        Use(exp(height) / flat, exp(u[i, m] - height) * flat, ((m, M),), bottom=whole),
    )
    facts = Facts(ranges={i: N, m: M})
    return bound(log(flat) + line - log(whole), *uses, last=-lift / whole, facts=facts)


def mean_gap() -> tuple[Proof, Sign, Sign]:
    """Σ_i Σ_n (s_in − s_ip) + N² = ‖Σ z‖² + (N − 1)/2 Σ ‖z_i − z_p(i)‖² ≥ 0 for unit rows, n ≠ i, p(i)."""
    gaps = total(Differ(j, i) * Differ(j, p[i]) * (s[i, j] - s[i, p[i]]), (j, N), (i, N))
    whole = total(total(z[i, f], (i, N)) ** 2, (f, d))
    pairs = total(apart(i, p[i]), (i, N))
    identity = prove(gaps + N**2, (DEFINITION, whole + (N - 1) * pairs / 2))
    return identity, nonnegative(whole), nonnegative(pairs)


@claim(
    "M4",
    printed="",
    statement=r"N = 2B unit rows, M = N - 2 negatives each: masked \mathcal{L} \ge \log(1 + M e^t) and D1's"
    r" \mathcal{L} \ge \log(2 + M e^t), t = -B/((B - 1)\tau). A tangent line (c = 1; c = 2 and"
    r" 2 + \varepsilon = 1 + e^{(1 - s_p)/\tau}) at x_n = (s_n - s_p)/\tau bounds each row; in the mean over all"
    r" rows x_n \ge t, as \sum_{in} (s_{in} - s_{ip}) = -N^2 + \|\sum_i z_i\|^2 + \frac{N-1}{2} \sum_i"
    r" \|z_i - z_{p(i)}\|^2. Equality iff pairs coincide and the B classes form a regular simplex, d \ge B - 1.",
    verdict=Verdict.PROVED_FROM_LEMMA,
    scope=LEMMA,
)
def least_loss() -> tuple[Proof | Bound | Sign | Counterexample, ...]:
    pairs = Symbol("B", integer=True, positive=True)
    size = 2 * pairs
    mean = -(size**2) / (size * (size - 2))  # of all N M gaps, at least
    where = derive(mean, (DEFINITION, -pairs / (pairs - 1)), facts=Facts())
    # Two images, opposite: a regular simplex in one feature; e^{1/τ} = (21/20)²⁵.
    b = Fraction(21, 20)
    z = rational.rows((5,), (-5,), (5,), (-5,))
    masked, full = (
        1 / rational.probabilities(z, b, c)[0][2] for c in (rational.all_but_itself, rational.everyone)
    )
    drop = 2 * b**-50  # M e^t: M = 2, t = −2/τ
    return (
        *lemma(),
        tangent(),
        *mean_gap(),
        where,
        counterexample(
            "B = 2, z = (1), (−1), twice: both losses are at their bounds",
            (masked, full) == (1 + drop, 2 + drop),
            {"e^ℓ masked": float(masked), "e^ℓ of D1": float(full), "M e^t": float(drop)},
        ),
    )


@claim(
    "M23",
    printed="",
    statement=r"\log(1 + M e^{-2/\tau}) \le \ell_i \le \log(1 + M e^{2/\tau}) for NT-Xent's M = N - 2 negatives"
    r" (2N - 2 for N images): e^{\ell_i} = 1 + \sum_n e^{(s_n - s_p)/\tau}, and -2 \le s_n - s_p \le 2, since"
    r" 2 \pm (s_n - s_p) = \frac{1}{2} (\|z_i \pm z_n\|^2 + \|z_i \mp z_p\|^2).",
    verdict=Verdict.PROVED_FROM_LEMMA,
    scope="exp is increasing",
)
def between() -> tuple[Proof | Sign, ...]:
    negative = Differ(j, i) * Differ(j, p[i])
    odds = total(negative * exp(L[i, j] - L[i, p[i]]), (j, N))
    above, below = (apart(i, j, sign) / 2 + apart(i, p[i], -sign) / 2 for sign in (1, -1))
    return (
        prove(exp(ell[i]), (DEFINITION, 1 + odds)),
        prove(total(negative, (j, N)), (DEFINITION, N - 2)),
        prove(2 + (s[i, j] - s[i, p[i]]), (DEFINITION, above)),
        prove(2 - (s[i, j] - s[i, p[i]]), (DEFINITION, below)),
        nonnegative(above),
        nonnegative(below),
    )


# --- the ends of the temperature ------------------------------------------------------------------------


@claim(
    "M8",
    printed="",
    statement=r"At \beta = 1/\tau = 0, which \ell reaches smoothly: \ell = \log |A| and \tau \partial \ell /"
    r" \partial z_i = mean(z_a) - z_p. As \tau \to 0: e^\ell = e^{(s_b - s_p)/\tau} \sum_a e^{(s_a - s_b)/\tau};"
    r" with s_b the largest, the sum lies between the number of ties and |A| and goes to the former, so"
    r" \tau\ell \to s_b - s_p; and \ell \to \log(ties) if s_p = s_b, else \infty.",
    verdict=Verdict.PROVED_FROM_LEMMA,
    scope="exp is increasing and continuous, and exp(-x) falls to 0",
)
def ends_of_the_temperature() -> tuple[Proof | Counterexample, ...]:
    facts = Facts(ranges={i: N, a: A, k: A, f: d}, maps={p: (N, A)})
    dot = total(q[i, f] * y[a, f], (f, d))

    def anchored(inverse):
        return (
            Definition(L[i, a], inverse * dot),
            Definition(P[i, a], exp(L[i, a]) / total(exp(L[i, m]), (m, A))),
            Definition(ell[i], -log(P[i, p[i]])),
        )

    pull = beta * (total(P[i, a] * y[a, f], (a, A)) - y[p[i], f])
    flat = total(y[a, f], (a, A)) / A - y[p[i], f]
    hot = anchored(Integer(0))
    scores = total(exp(u[i, a] / tau), (a, A)) / exp(u[i, p[i]] / tau)
    apart_from = exp((u[i, k] - u[i, p[i]]) / tau) * total(exp((u[i, a] - u[i, k]) / tau), (a, A))
    colder = {k: sum(Fraction(2) ** (k * (s - 1)) for s in (1, 1, 0)) for k in (1, 10, 100)}  # e^{1/τ} = 2^k
    return (
        derive(ell[i], (DEFINITION, log(A)), names=hot, facts=facts),
        derive(Partial(ell[i], q[i, f]), (DERIVATIVE, pull), names=anchored(beta), facts=facts),
        derive(total(P[i, a] * y[a, f], (a, A)) - y[p[i], f], (DEFINITION, flat), names=hot, facts=facts),
        derive(scores, (DEFINITION, apart_from), facts=facts),
        counterexample(
            "s = (1, 1, 0), the positive first: e^ℓ falls to the number of ties, 2, as e^{−1/τ} goes to 0",
            all(0 < value - 2 <= Fraction(2) ** -k for k, value in colder.items()),
            {f"e^ℓ at e^(1/τ) = 2^{k}": float(value) for k, value in colder.items()},
        ),
    )
