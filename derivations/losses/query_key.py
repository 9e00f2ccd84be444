"""InfoNCE of queries against keys: one positive, and negatives that are each query's own or shared by all.

The candidates do not move with the query (documents D2, Eq. 3-5, and D3, MoCo). No line uses unit length.
"""

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, Integer, Symbol, exp, log

from .. import sphere
from ..claims import claim
from ..pairs import divisor
from ..prover.inequality import Sign, nonnegative
from ..prover.notation import Definition, Differ, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, derive
from ..prover.statement import Statement, gradient
from ..prover.sums import Facts
from ..symbols import (
    A,
    L,
    L_positive,
    M,
    N,
    P,
    a,
    d,
    ell,
    f,
    i,
    j,
    k,
    key,
    loss,
    m,
    nu,
    others,
    p,
    q,
    queue,
    tau,
    y,
    z,
)
from ..verdicts import Verdict
from . import infonce

FACTS = Facts(ranges={i: N, k: N, a: M, m: M, f: d})


def definitions(negative: Callable[[Expr, Expr, Expr], Expr]) -> tuple[Definition, ...]:
    """negative(i, a, f) is the feature f of the negative a of query i: its own, or the same for all."""
    candidates = exp(L_positive[i]) + total(exp(L[i, m]), (m, M))
    return (
        Definition(L_positive[i], total(q[i, f] * key[i, f], (f, d)) / tau),
        Definition(L[i, a], total(q[i, f] * negative(i, a, f), (f, d)) / tau),
        Definition(ell[i], -log(exp(L_positive[i]) / candidates)),  # [D2.7, D3.34]
        Definition(loss, total(ell[i], (i, N)) / nu),
        Definition(P[i, a], exp(L[i, a]) / candidates),  # of a negative: together they are 1 − P_ip [S2]
    )


def _statement(negative: Callable[[Expr, Expr, Expr], Expr], entry: Expr, by_negative: Expr) -> Statement:
    names = definitions(negative)
    by_query = total(P[k, a] * (negative(k, a, f) - key[k, f]), (a, M)) / (nu * tau)  # [D2.9]
    by_positive = -total(P[k, a] * q[k, f], (a, M)) / (nu * tau)
    by_temperature = -total(P[i, a] * (L[i, a] - L_positive[i]), (a, M), (i, N)) / (nu * tau)

    def by(entry: Expr, form: Expr, *claims: str):
        return gradient(entry, form, *claims, loss=loss, names=names, facts=FACTS)

    return Statement(
        loss="query_key",
        form=loss,
        names=names,
        gradients={
            "query": by(q[k, f], by_query, "D2.8", "D2.9"),
            "positive": by(key[k, f], by_positive, "M16"),
            "negatives": by(entry, by_negative / (nu * tau), "M16"),
            "temperature": by(tau, by_temperature, "M7"),
        },
        bind=_bind,
    )


def _bind(query, positive, negatives, *, temperature, reduction="mean") -> dict:
    count = len(query)
    shared = not _own(negatives)
    sizes = {N: count, M: len(negatives if shared else negatives[0]), d: len(query[0])}
    arrays = {q: query, key: positive, queue if shared else others: negatives}
    return sizes | arrays | {tau: temperature, nu: divisor(count, reduction)}


def _own(negatives) -> bool:
    return hasattr(negatives[0][0], "__len__")


OWN = _statement(lambda i, a, f: others[i, a, f], others[k, a, f], P[k, a] * q[k, f])
SHARED = _statement(lambda i, a, f: queue[a, f], queue[a, f], total(P[i, a] * q[i, f], (i, N)))


STATEMENTS = {"": OWN, "shared": SHARED}


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The one whose negatives have the shape of these: (n, M, d) or (M, d)."""
    return OWN if _own(arguments["negatives"]) else SHARED


# --- document D2: the anchor z_i before the candidates y_a, a in A, that do not move with it ----------------

ANCHORED = (sphere.LOGITS, sphere.SOFTMAX, sphere.ANCHOR)
PULL = (total(P[i, a] * y[a, f], (a, A)) - y[p[i], f]) / tau
NEGATIVES = total(Differ(a, p[i]) * P[i, a] * y[a, f], (a, A))


def _of_the_anchor(first: Expr, *steps) -> Proof:
    return derive(first, *steps, names=ANCHORED, facts=sphere.FACTS)


@claim(
    "D2.6",
    printed="P: the augmentations of i; N: the other items and theirs; A = P and N together",
    statement="Eq. 3-9 name one positive, so P has one element; Eq. 5 splits A, so P and N have none in common."
    " The anchor i must not be in A: where it is, as in D1, its own logit adds a term to Eq. 4.",
    verdict=Verdict.CORRECTED,
    right=r"With i in A,"
    r" \partial \mathcal{L}_i / \partial z_i = \frac{1}{\tau} [\sum_a P_{ia} z_a - z_p + P_{ii} z_i].",
)
def anchor_among_its_candidates() -> Proof:
    printed = total(P[k, j] * z[j, f], (j, N)) - z[p[k], f]
    return derive(
        Partial(ell[k], z[k, f]),
        (DERIVATIVE, (printed + P[k, k] * z[k, f]) / tau),
        names=infonce.PRINTED,
        facts=infonce.FACTS,
    )


@claim(
    "D2.7",
    printed=r"\mathcal{L} = \sum_i \mathcal{L}_i = -\sum_i \log \frac{\exp(z_i z_p / \tau)}"
    r"{\sum_{a \in A} \exp(z_i z_a / \tau)}",
    statement=r"A definition; \mathcal{L}_i = \log(1 + \sum_{n \ne p} e^{(z_i z_n - z_i z_p)/\tau}), the"
    " logarithm of 1 and terms > 0, so it is positive as soon as there is one negative.",
    verdict=Verdict.PROVED,
)
def row_of_the_anchor() -> tuple[Proof, Sign]:
    odds = total(Differ(a, p[i]) * exp(L[i, a] - L[i, p[i]]), (a, A))
    return _of_the_anchor(ell[i], (DEFINITION, log(1 + odds))), nonnegative(odds)


@claim(
    "D2.8",
    printed=r"\frac{\partial \mathcal{L}_i}{\partial z_i} = \frac{1}{\tau} [\frac{\sum_{a \in A} z_a"
    r" \exp(z_i z_a/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)} - z_p]",
    statement="As printed, line by line, the candidates held fixed and i not in A. It is the anchor's part only:"
    " where i is also a candidate of others, the loss has their terms too (M6).",
    verdict=Verdict.PROVED,
)
def gradient_of_the_anchor() -> Proof:
    lse = log(total(exp(L[i, a]), (a, A))) - L[i, p[i]]
    quotient = total(y[a, f] / tau * exp(L[i, a]), (a, A)) / total(exp(L[i, a]), (a, A))
    return _of_the_anchor(
        Partial(ell[i], z[i, f]),
        (DERIVATIVE, Partial(lse, z[i, f])),
        (DERIVATIVE, quotient - y[p[i], f] / tau),
        (DEFINITION, PULL),
    )


@claim(
    "D2.9",
    printed=r"\frac{\partial \mathcal{L}_i}{\partial z_i}"
    r" = \frac{1}{\tau} [z_p (P_{ip} - 1) + \sum_{n \in N} z_n P_{in}]",
    statement="As printed, A being the positive and the negatives, each once.",
    verdict=Verdict.PROVED,
)
def positive_apart() -> Proof:
    apart = (y[p[i], f] * (P[i, p[i]] - 1) + NEGATIVES) / tau
    return _of_the_anchor(Partial(ell[i], z[i, f]), (DERIVATIVE, PULL), (SUMS, apart))


@claim(
    "D2.10",
    printed=r"P_{ip}, P_{in}: the probabilities of the positive and of the negatives in A",
    statement=r"A definition; they are positive, and P_{ip} + \sum_{n \in N} P_{in} = 1.",
    verdict=Verdict.PROVED,
)
def probabilities() -> tuple[Proof, Sign]:
    everyone = P[i, p[i]] + total(Differ(a, p[i]) * P[i, a], (a, A))
    sums_to_one = _of_the_anchor(everyone, (SUMS, total(P[i, a], (a, A))), (DEFINITION, Integer(1)))
    return sums_to_one, nonnegative(P[i, a], names=ANCHORED)


@claim(
    "M13",
    printed="",
    statement=r"With one negative, \ell = \log(1 + e^x), the softplus of x = (s_n - s_p)/\tau. For x \ge 0,"
    r" \tau\ell - (s_n - s_p) = \tau \log(1 + e^{-x}); for x \le 0, \tau\ell = \tau \log(1 + e^x). Both lie between"
    r" 0 and \tau \log 2, so \tau\ell \to \max(0, s_n - s_p): a triplet loss without margin.",
    verdict=Verdict.PROVED,
)
def one_negative() -> tuple[Proof | Sign, ...]:
    x, gap = L[i, k] - L[i, j], Symbol("x", positive=True)  # j the positive, k the negative
    single = -log(exp(L[i, j]) / (exp(L[i, j]) + exp(L[i, k])))
    above = log(1 + exp(x)) - x
    slope = -exp(-gap) / (1 + exp(-gap))  # of log(1 + e^(−x)), so that it falls from log 2 at x = 0
    return (
        derive(single, (SUMS, log(1 + exp(x))), facts=FACTS),
        derive(above, (SUMS, log(1 + exp(-x))), facts=FACTS),
        derive(Partial(log(1 + exp(-gap)), gap), (DERIVATIVE, slope), facts=FACTS),
        nonnegative(-slope),
    )
