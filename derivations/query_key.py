"""InfoNCE of queries against keys: one positive, and negatives that are each query's own or shared by all.

The candidates do not move with the query (documents D2, Eq. 3-5, and D3, MoCo). No line uses unit length.
"""

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, exp, log

from derivations.pairs import divisor
from derivations.prover.notation import Definition, total
from derivations.prover.statement import Statement, gradient
from derivations.prover.sums import Facts
from derivations.symbols import (
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
    k,
    key,
    loss,
    m,
    nu,
    others,
    q,
    queue,
    tau,
)

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


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The one whose negatives have the shape of these: (n, M, d) or (M, d)."""
    return OWN if _own(arguments["negatives"]) else SHARED
