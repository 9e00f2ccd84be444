"""The smallest and largest value of the loss, with the anchor in its own denominator and without; the least of DCL;
the limits of τ."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from sympy import Add, Expr, IndexedBase, Integer, Rational, Symbol, exp, log, sqrt

from ..common import rational
from ..common.pairs import positives
from ..evidence.claims import claim
from ..evidence.pieces import Chain, Finding, Piece, example
from ..evidence.points import Base, Integers, Numbers, UnitRows
from ..evidence.verdicts import Verdict
from ..losses import dcl, infonce, ntxent
from ..prover.inequality import Bound, Sign, Use, bound, nonnegative
from ..prover.notation import Definition, Differ, Partial, one_if, total, unfold
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import (
    A,
    B,
    L,
    M,
    N,
    P,
    P_self,
    a,
    beta,
    d,
    ell,
    ell_self,
    f,
    i,
    j,
    k,
    l,
    level,
    level_self,
    m,
    p,
    q,
    s,
    tau,
    u,
    y,
    z,
)

FACTS = ntxent.FACTS
EVERYONE = total(exp(L[i, m]), (m, N))  # with the anchor in its own denominator [D1.3]
SHARE = Definition(P_self[i, j], exp(L[i, j]) / EVERYONE)
OWN = Definition(ell_self[i], -log(P_self[i, p[i]]))
NAMES = (*ntxent.NAMES, SHARE, OWN)
NEGATIVE = Differ(j, i) * Differ(j, p[i])  # 1 at each negative j of row i, else 0


def prove(first: Expr, *steps) -> Proof:
    """About unit rows z = w/‖w‖ and their cosines."""
    return derive(first, *steps, names=NAMES, facts=FACTS)


def below(first: Expr, *uses: Use, last: Expr) -> Bound:
    return bound(first, *uses, last=last, names=NAMES, facts=FACTS)


def apart(left, right, sign: int = -1) -> Expr:
    """‖z − z′‖², or with the sign + ‖z + z′‖²."""
    return total((z[left, f] + sign * z[right, f]) ** 2, (f, d))


# --- the anchor in its own denominator ------------------------------------------------------------------


@claim(
    "M1",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says=r"With the anchor in its own denominator, as in D1, «bound.where ℓˢ» and «bound.where Pˢ», and unit"
    r" rows, «bound». There «gap», and «sign», and the right side is not positive either, «rest»: the loss of"
    r" a row is at least $\log 2$, the probability of a positive at most one half.",
)
def never_sure() -> dict[str, Piece]:
    ahead = L[i, i] - L[i, p[i]]
    gap = apart(i, p[i]) / (2 * tau)
    rest = total(NEGATIVE * P_self[i, j], (j, N))
    uses = (Use(Integer(1), 2 * exp(L[i, p[i]]), bottom=EVERYONE), Use(P_self[i, p[i]], exp(ahead)))
    return {
        "bound": below(log(2) + P_self[i, p[i]] * ahead - ell_self[i], *uses, last=-rest),
        "gap": prove(ahead, (DEFINITION, gap)),
        "sign": nonnegative(gap),
        "rest": nonnegative(rest, names=NAMES),
    }


@claim(
    "M2",
    verdict=Verdict.PROVED,
    says="For unit rows «one more»: with the anchor in its own denominator, and without.",
)
def one_more_term() -> dict[str, Piece]:
    both = exp(ell[i]) + exp((1 - s[i, p[i]]) / tau)
    return {"one more": prove(exp(ell_self[i]), (DEFINITION, both))}


def _pulls(z: UnitRows, b: Fraction) -> Iterator[Finding]:
    """Row 0 before its positive, row 1, and a negative, row 2: P_p − 1 and P_n, the coefficients of z_p and z_n."""
    full, masked = (
        (positive - 1, negative)
        for names in (infonce.PRINTED, infonce.MASKED)
        for _, positive, negative in (infonce.probabilities(z, b, names)[0],)
    )
    for row in z[1:]:
        yield Finding(rational.dot(z[0], row), "=", 0, ("cosine of the anchor with another row", ""))
    names = ("(P_p − 1)/P_n with the anchor", "masked")
    yield Finding(full[0] / full[1], "≠", masked[0] / masked[1], names)


@claim(
    "M3",
    verdict=Verdict.PROVED,
    says="Of the others the two softmaxes keep the proportions: «shares». But the gradients are not"
    " parallel, not even along the sphere. With $x$ for the sum of $e^{(s_n - s_p)/τ}$ over the negatives,"
    " the coefficient of the positive is «masked» without the anchor and «own» with it, which for coinciding"
    " views is «aligned»: as $x$ goes to 0 the former vanishes, and the latter goes to $-1/2$.",
)
def two_softmaxes() -> dict[str, Piece]:
    odds, itself = total(NEGATIVE * exp(L[i, j] - L[i, p[i]]), (j, N)), exp(L[i, i] - L[i, p[i]])
    x = Symbol("x", positive=True)
    return {
        "shares": prove(Differ(j, i) * P_self[i, j], (DEFINITION, (1 - P_self[i, i]) * P[i, j])),
        "masked": prove(P[i, p[i]] - 1, (DEFINITION, -odds / (1 + odds))),
        "own": prove(P_self[i, p[i]] - 1, (DEFINITION, -(itself + odds) / (1 + itself + odds))),
        "aligned": prove(-(1 + x) / (2 + x), (SUMS, Rational(-1, 2) - x / (2 * (2 + x)))),
        "not parallel": example(
            "anchor, positive and negative at right angles",
            _pulls,
            z=UnitRows([[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
            b=Base(21, 20),
        ),
    }


# --- the least loss -------------------------------------------------------------------------------------

ROWS = M + 2  # an anchor, its positive, and M negatives
COUNTED = tuple(Definition(name.head, name.body.xreplace({N: ROWS})) for name in NAMES)
COUNTED_FACTS = Facts(
    ranges={index: size.xreplace({N: ROWS}) for index, size in FACTS.ranges.items()},
    maps={p: (ROWS, ROWS)},
    derangements=(p,),
)
step = Symbol("t", real=True)  # (s_n − s_p)/τ of each negative
SIMPLEX = (
    Definition(step, -ROWS / (M * tau)),
    Definition(level, 1 + M * exp(step)),
    Definition(level_self, 2 + M * exp(step)),
)
CENTRE, PAIRS = total(total(z[i, f], (i, ROWS)) ** 2, (f, d)), total(apart(i, p[i]), (i, ROWS))


def counted(first: Expr, *steps) -> Proof:
    return derive(first, *steps, names=COUNTED, facts=COUNTED_FACTS)


def counted_below(first: Expr, *uses: Use, last: Expr) -> Bound:
    return bound(first, *uses, last=last, names=COUNTED, facts=COUNTED_FACTS)


def odds(index: Symbol) -> Expr:
    """Σ e^{(s_n − s_p)/τ} over the negatives."""
    return total(Differ(index, i) * Differ(index, p[i]) * exp(L[i, index] - L[i, p[i]]), (index, ROWS))


def tangent(t: Expr, own: Sequence[Expr]) -> tuple[Expr, Expr, list[tuple[Expr, Expr, tuple]]]:
    """e^ℓ = Σ_own e^h + Σ_n e^x, its value where h = 0 and x = t, and (e^t, x − t, limits) of a batch's terms."""
    whole, flat = Add(*map(exp, own), odds(m)), len(own) + total(NEGATIVE * exp(t), (j, ROWS))
    terms = [(Integer(1), h, ((i, ROWS),)) for h in own]
    return whole, flat, [*terms, (NEGATIVE * exp(t), L[i, j] - L[i, p[i]] - t, ((j, ROWS), (i, ROWS)))]


def least(loss: IndexedBase, level: Symbol, own: Sequence[Expr]) -> tuple[Bound, Sign]:
    """log Λ + … ≤ the mean of ℓ − the squares that are returned beside it.

    The lemma at the roots r of Λ e^{h − ℓ} and Λ e^{x − t − ℓ}: log r² ≤ 2 (r − 1) = r² − 1 − (r − 1)².
    """
    t = unfold(step, SIMPLEX)
    whole, flat, terms = tangent(t, own)
    uses = [
        Use(2 * w / (ROWS * flat), exp(h / 2) * sqrt(flat), limits, sqrt(whole)) for w, h, limits in terms
    ]
    _, _, terms = tangent(step, own)
    squares = Add(*(total(w * (sqrt(level) * exp((h - loss[i]) / 2) - 1) ** 2, *x) for w, h, x in terms))
    squares = squares / (ROWS * level)
    # Σ_i Σ_n (s_in − s_ip) + N² = ‖Σ z‖² + (N − 1)/2 Σ ‖z_i − z_p(i)‖²
    above = exp(step) * (CENTRE + (ROWS - 1) * PAIRS / 2) + (len(own) - 1) * PAIRS / 2
    first = log(level) + above / (ROWS * tau * level) - total(loss[i], (i, ROWS)) / ROWS
    names = (*COUNTED, *SIMPLEX)
    return bound(first, *uses, last=-squares, names=names, facts=COUNTED_FACTS), nonnegative(squares)


def floor(below: Bound, squares: Sign) -> Chain:
    """log Λ ≤ the mean of ℓ: no square is negative."""
    mean = total(ell[i], (i, ROWS)) / ROWS
    above = exp(step) * (CENTRE + (ROWS - 1) * PAIRS / 2) / (ROWS * tau * level)
    return Chain((below, squares, nonnegative(above)), both=mean - above)


def _at_the_bounds(z: UnitRows, b: Fraction) -> Iterator[Finding]:
    for names, own in ((infonce.MASKED, 1), (infonce.PRINTED, 2)):
        P = infonce.probabilities(z, b, names)
        for row, positive in enumerate(positives(len(z))):
            yield Finding(
                1 / P[row][positive], "=", own + 2 / b**50, (f"e^ℓ of row {row}", f"{own} + 2 e^(−2/τ)")
            )


@claim(
    "M4",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="For unit rows, two of each image. With «masked.where Λ» and «masked.where t» NT-Xent has «masked»."
    " With the anchor in its own denominator, «own.where Λˢ», it is «own». No square is negative: «pairs»,"
    " «centre», and those on the right. So no mean loss is below the logarithm in its bound, «floor», with"
    " equality only if all the squares vanish. Then pairs coincide, and every negative has the gap $t$, that"
    " is the cosine «cosine»; for B images «images»: the images form a regular simplex. There equality"
    " holds: such gaps turn «odds» into «attained», and coinciding views add 1 to it for the anchor (M2). A"
    " regular simplex has rows with the products «rows». Their features sum to 0, «hyperplane»; and by"
    " «independent» a combination of its rows vanishes only if all its weights are equal. So it needs $B -"
    " 1$ features, and no more.",
    brief="Let unit rows be two views of each of some images, so that an anchor has M negatives. No mean"
    " loss of NT-Xent is below the logarithm of $Λ$, «floor», with «masked.where Λ» and «masked.where t». It"
    " is reached just where both views of an image are one row and the images form a regular simplex. With"
    " the anchor in its own denominator «own.where Λˢ» takes the place of $Λ$.",
)
def least_loss() -> dict[str, Piece]:
    masked, squares = least(ell, level, (Integer(0),))
    own, own_squares = least(ell_self, level_self, (Integer(0), L[i, i] - L[i, p[i]]))
    facts = Facts(ranges={k: B, l: B, f: B})
    corners = B / (B - 1) * (one_if(k, f) - 1 / B) * (one_if(l, f) - 1 / B)
    product = one_if(k, l) - Differ(k, l) / (B - 1)
    c = IndexedBase("c", real=True)
    spread = B / (B - 1) * total((c[k] - total(c[l], (l, B)) / B) ** 2, (k, B))
    return {
        "masked": masked,
        "squares": squares,
        "floor": floor(masked, squares),
        "own": own,
        "own squares": own_squares,
        "pairs": nonnegative(PAIRS),
        "centre": nonnegative(CENTRE),
        "cosine": derive(1 + tau * step, (DEFINITION, -2 / M), names=SIMPLEX, facts=COUNTED_FACTS),
        "images": derive(-2 / (2 * B - 2), (SUMS, -1 / (B - 1)), facts=facts),
        "odds": counted(exp(ell[i]), (DEFINITION, 1 + odds(j))),
        "attained": counted(1 + total(NEGATIVE * exp(step), (j, ROWS)), (SUMS, 1 + M * exp(step))),
        "rows": derive(total(corners, (f, B)), (SUMS, product), facts=facts),
        "hyperplane": derive(total(one_if(k, f) - 1 / B, (f, B)), (SUMS, Integer(0)), facts=facts),
        "independent": derive(total(c[k] * c[l] * product, (l, B), (k, B)), (SUMS, spread), facts=facts),
        "two images": example(
            "two images, opposite: both losses are at their bounds",
            _at_the_bounds,
            z=UnitRows([[1], [-1], [1], [-1]]),
            b=Base(21, 20),
        ),
    }


# --- the least loss with the positive in no denominator ---------------------------------------------------

DECOUPLED = Definition(dcl.ROW.head, dcl.ROW.body.xreplace({N: ROWS}))


@claim(
    "M31",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="For unit rows, two of each image, no mean loss of DCL is below $t + \\log M$: «floor», with"
    " «reached.where t»; for B images M is $2B - 2$. The loss stands above it by «above» at least, which is 0 only"
    " if the two views of each image coincide and the rows sum to 0. The floor is below 0 as soon as $τ$ is less"
    " than $(M + 2)/(M \\log M)$, and falls without end as $τ$ goes to 0. It is reached just where also every"
    " negative's logit is $t$ more than the positive's, at M4's regular simplex: there the loss of a row is"
    " «reached», and the two sides of the lemma are equal only if all negatives of a row have one logit.",
)
def least_decoupled_loss() -> dict[str, Piece]:
    """log M + the mean gap ≤ ℓ, by the lemma at M e^{x − ℓ}, which are 1 in the mean."""
    all_negatives, mean = ((j, ROWS), (i, ROWS)), total(ell[i], (i, ROWS)) / ROWS
    gap = L[i, j] - L[i, p[i]] - ell[i]
    above = (CENTRE + (ROWS - 1) * PAIRS / 2) / (ROWS * M * tau)
    left = total(total(NEGATIVE * exp(gap), (j, ROWS)) - 1, (i, ROWS)) / ROWS
    names = (*COUNTED[:4], SIMPLEX[0])  # ℓ may be any number here, and is DCL's below
    use = Use(NEGATIVE / (ROWS * M), M * exp(gap), all_negatives)
    below = bound(log(M) + step + above - mean, use, last=left, names=names, facts=COUNTED_FACTS)
    nothing = derive(left, (DEFINITION, Integer(0)), names=(DECOUPLED,), facts=COUNTED_FACTS)
    alike = log(total(NEGATIVE * exp(step), (j, ROWS)))
    return {
        "floor": Chain((below, nothing, nonnegative(above)), both=mean - above),
        "above": nonnegative(above),
        "reached": derive(
            alike, (DEFINITION, log(M) - ROWS / (M * tau)), names=SIMPLEX[:1], facts=COUNTED_FACTS
        ),
    }


# --- between two bounds ---------------------------------------------------------------------------------


@claim(
    "M23",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="For unit rows and the negatives of NT-Xent, «negatives» (2N - 2 for N images): «least», and"
    " «most». Each gap lies between $-2/τ$ and $2/τ$, by «above» and «below», sums of squares. So the loss"
    " lies between the two logarithms.",
)
def between() -> dict[str, Piece]:
    gap = L[i, j] - L[i, p[i]]
    whole, flat, terms = tangent(-2 / tau, (Integer(0),))
    low, high = (1 + M * exp(end / tau) for end in (-2, 2))
    up = 1 + total(NEGATIVE * exp(2 / tau), (j, ROWS))
    lean, room = (total(NEGATIVE * x, (j, ROWS)) for x in (gap + 2 / tau, exp(gap) * (2 / tau - gap)))
    farther, nearer = (apart(i, j, sign) / 2 + apart(i, p[i], -sign) / 2 for sign in (1, -1))
    return {
        "negatives": counted(total(NEGATIVE, (j, ROWS)), (SUMS, M)),
        "least": counted_below(
            log(low) + exp(-2 / tau) / low * lean - ell[i],
            *(Use(w / flat, exp(h) * flat, limits[:-1], whole) for w, h, limits in terms),
            last=Integer(0),
        ),
        "most": counted_below(
            ell[i] - log(high) + room / high,
            Use(Integer(1), whole, bottom=up),
            Use(NEGATIVE * exp(gap) / up, exp(2 / tau - gap), ((j, ROWS),)),
            last=Integer(0),
        ),
        "above": counted(2 + (s[i, j] - s[i, p[i]]), (DEFINITION, farther)),
        "below": counted(2 - (s[i, j] - s[i, p[i]]), (DEFINITION, nearer)),
        "above sign": nonnegative(farther),
        "below sign": nonnegative(nearer),
    }


# --- the limits of the temperature ------------------------------------------------------------------------


def _colder(scores: Numbers, powers: Integers) -> Iterator[Finding]:
    """The positive comes first; e^{1/τ} = 2^n."""
    for n in powers:
        risk = sum(Fraction(2) ** int(n * (score - scores[0])) for score in scores)
        ties = sum(score == max(scores) for score in scores)
        yield Finding(risk - ties, "=", Fraction(1, 2**n), (f"e^ℓ less the ties, e^(1/τ) being 2^{n}", ""))


@claim(
    "M8",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says=r"Hot: with $β$ for $1/τ$, «slope.where L», «slope», smooth in $β$; where it is 0, «hot.where L»,"
    r" «hot», and the mean of the candidates takes the place of their weighed mean, «mean». Cold: in terms of"
    r" any candidate $k$, «cold». Let its score be the largest. Then the logarithm on the right is not"
    r" negative, «least», and with $δ$ for what each score is short of it, «most», it is at most $\log A$. So"
    r" times $τ$ the loss goes to the largest score less that of the positive. And as «decay», each $e^{-x}$"
    r" is at most $1/(1 + x)$, and for a score that is short of the largest it goes to 0 with $τ$: what"
    r" remains in the logarithm is the number of ties. The loss goes to its logarithm if the positive is one"
    r" of them, else to infinity.",
    brief=r"As $τ$ grows without end the loss goes to that of equal scores, «hot», A the number of candidates,"
    r" and the gradient times $τ$ to the mean of the candidates less the positive. As $τ$ goes to 0, $τ$ times"
    r" the loss goes to the largest score less that of the positive: take for $k$ a candidate of the largest"
    r" score in «cold», whose logarithm on the right lies between 0 and $\log A$. The loss itself goes to the"
    r" logarithm of the number of ties if the positive is one of them, else to infinity.",
)
def ends_of_the_temperature() -> dict[str, Piece]:
    facts = Facts(ranges={i: N, a: A, k: A, f: d}, maps={p: (N, A)})
    dot = total(q[i, f] * y[a, f], (f, d))

    def anchored(inverse):
        return (
            Definition(L[i, a], inverse * dot),
            Definition(P[i, a], exp(L[i, a]) / total(exp(L[i, m]), (m, A))),
            Definition(ell[i], -log(P[i, p[i]])),
        )

    weighed = total(P[i, a] * y[a, f], (a, A)) - y[p[i], f]
    flat = total(y[a, f], (a, A)) / A - y[p[i], f]
    hot = anchored(Integer(0))
    loss = log(total(exp(u[i, a] / tau), (a, A)) / exp(u[i, p[i]] / tau))
    others = total(Differ(a, k) * exp((u[i, a] - u[i, k]) / tau), (a, A))
    short, x = IndexedBase("δ", nonnegative=True), Symbol("x", nonnegative=True)
    falls, whole = exp(-short[a] / tau), total(exp(-short[m] / tau), (m, A))
    return {
        "slope": derive(
            Partial(ell[i], q[i, f]), (DERIVATIVE, beta * weighed), names=anchored(beta), facts=facts
        ),
        "hot": derive(ell[i], (DEFINITION, log(A)), names=hot, facts=facts),
        "mean": derive(weighed, (DEFINITION, flat), names=hot, facts=facts),
        "cold": derive(loss, (SUMS, (u[i, k] - u[i, p[i]]) / tau + log(1 + others)), facts=facts),
        "least": bound(-log(1 + x), Use(Integer(1), 1 / (1 + x)), last=-x / (1 + x), facts=facts),
        "most": bound(
            log(whole) - log(A) + total(falls * short[a] / tau, (a, A)) / A,
            Use(Integer(1), whole, bottom=A),
            Use(falls / A, exp(short[a] / tau), ((a, A),)),
            last=Integer(0),
            facts=facts,
        ),
        "decay": bound(x * exp(-x), Use(exp(-x), exp(x)), last=1 - exp(-x), facts=facts),
        "colder": example(
            "two ties, the positive one of them",
            _colder,
            scores=Numbers([1, 1, 0]),
            powers=Integers([1, 10, 100]),
        ),
    }
