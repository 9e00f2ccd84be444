"""InfoNCE of queries against keys: one positive, and negatives that are each query's own or shared by all.

The candidates do not move with the query (documents D2, Eq. 3-5, and D3, MoCo). No line uses unit length.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from sympy import Expr, Integer, Symbol, exp, log

from ..common import sphere
from ..common.masks import bind_mask, is_kept, name_form
from ..common.pairs import divisor
from ..common.statement import Statement, gradient
from ..common.weights import weigh_row, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Piece, Relation, fails
from ..evidence.points import UnitRows
from ..evidence.verdicts import Verdict
from ..prover.inequality import Use, bound, positive
from ..prover.notation import Definition, Differ, Partial, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, derive
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
    kept,
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
from . import infonce

FACTS = Facts(ranges={i: N, k: N, a: M, m: M, f: d})


def everyone(i: Expr, a: Expr) -> Expr:
    return Integer(1)


def definitions(
    negative: Callable[[Expr, Expr, Expr], Expr], stands: Callable[[Expr, Expr], Expr] = everyone
) -> tuple[Definition, ...]:
    """negative(i, a, f) is the feature f of the negative a of query i: its own, or the same for all.
    stands(i, a): 1, or 0 if it is left out."""
    candidates = exp(L_positive[i]) + total(stands(i, m) * exp(L[i, m]), (m, M))
    return (
        Definition(L_positive[i], total(q[i, f] * key[i, f], (f, d)) / tau),
        Definition(L[i, a], total(q[i, f] * negative(i, a, f), (f, d)) / tau),
        Definition(ell[i], -log(exp(L_positive[i]) / candidates)),  # [D2.7, D3.34]
        Definition(loss, total(ell[i], (i, N)) / nu),
        # for a negative: together they are 1 − P_ip [S2]
        Definition(P[i, a], stands(i, a) * exp(L[i, a]) / candidates),
    )


def _statement(
    negative: Callable[[Expr, Expr, Expr], Expr], entry: Expr, by_negative: Expr, *, masked: bool = False
) -> Statement:
    names = definitions(negative, is_kept if masked else everyone)
    facts = replace(FACTS, masks=(kept,)) if masked else FACTS
    by_query = total(P[k, a] * (negative(k, a, f) - key[k, f]), (a, M)) / (nu * tau)  # [D2.9]
    by_positive = -total(P[k, a] * q[k, f], (a, M)) / (nu * tau)
    by_temperature = -total(P[i, a] * (L[i, a] - L_positive[i]), (a, M), (i, N)) / (nu * tau)

    def by(entry: Expr, form: Expr, *claims: str):
        cited = ("M40",) if masked else claims
        return gradient(entry, form, *cited, loss=loss, names=names, facts=facts)

    statement = Statement(
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
    return with_weights(statement, weigh_row(names[4]), facts=facts)


def _bind(query, positive, negatives, *, temperature, keep=None, reduction="mean") -> dict:
    count = len(query)
    shared = not _own(negatives)
    sizes = {N: count, M: len(negatives if shared else negatives[0]), d: len(query[0])}
    arrays = {q: query, key: positive, queue if shared else others: negatives}
    return sizes | bind_mask(keep) | arrays | {tau: temperature, nu: divisor(count, reduction)}


def _own(negatives) -> bool:
    return hasattr(negatives[0][0], "__len__")


FORMS = {
    "": (lambda i, a, f: others[i, a, f], others[k, a, f], P[k, a] * q[k, f]),
    "shared": (lambda i, a, f: queue[a, f], queue[a, f], total(P[i, a] * q[i, f], (i, N))),
}
STATEMENTS = {name: _statement(*form) for name, form in FORMS.items()}
STATEMENTS |= {f"masked {name}".strip(): _statement(*form, masked=True) for name, form in FORMS.items()}
OWN, SHARED = STATEMENTS[""], STATEMENTS["shared"]


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The statement for negatives of this shape, (n, M, d) or (M, d), all of them or those that a mask keeps."""
    masked = name_form(arguments)
    return STATEMENTS[f"{masked} {'' if _own(arguments['negatives']) else 'shared'}".strip()]


# --- document D2: the anchor z_i before the candidates y_a, a in A, that do not move with it ----------------

ANCHORED = (sphere.LOGITS, sphere.SOFTMAX, sphere.ANCHOR)
PULL = (total(P[i, a] * y[a, f], (a, A)) - y[p[i], f]) / tau
NEGATIVES = total(Differ(a, p[i]) * P[i, a] * y[a, f], (a, A))


def _of_the_anchor(first: Expr, *steps) -> Proof:
    return derive(first, *steps, names=ANCHORED, facts=sphere.FACTS)


@claim(
    "D2.6",
    printed="positives $P$: the augmentations of the item $i$; negatives $N$: the other items and their"
    " augmentations; $A$: both together",
    verdict=Verdict.CORRECTED,
    says="Eq. 3-9 name one positive, so $P$ has one element; Eq. 5 splits $A$, so $P$ and $N$ have none in"
    " common. Nor may the anchor be in $A$, as it is in D1: then Eq. 4 would say that «printed», which fails.",
    right="With the anchor, row $k$, among its candidates its own logit adds a term: «gradient».",
)
def anchor_among_its_candidates() -> dict[str, Piece]:
    printed = total(P[k, j] * z[j, f], (j, N)) - z[p[k], f]
    gradient = (printed + P[k, k] * z[k, f]) / tau
    point = {z: UnitRows([[1, 0], [0, 1]]), p: [1, 0], tau: Fraction(1), N: 2, d: 2, k: 0, f: 0}
    return {
        "printed": fails(Relation(gradient, "=", printed / tau), point, names=infonce.PRINTED),
        "gradient": infonce.prove(Partial(ell[k], z[k, f]), (DERIVATIVE, gradient)),
    }


@claim(
    "D2.7",
    printed=r"$\mathcal{L}_{InfoNCE} = \sum_i \mathcal{L}_i = -\sum_i \log (\frac{\exp(z_i z_p/\tau)}"
    r"{\sum_{a \in A} \exp(z_i z_a/\tau)})$",
    verdict=Verdict.DEFINITION,
    says="«loss», where ν is 1, and «row», the logit of the positive apart from those of the M negatives; so"
    " «odds». A row of it is positive as soon as there is one negative: «below», where «share».",
)
def row_of_the_anchor() -> dict[str, Piece]:
    names, share = OWN.names, total(P[i, m], (m, M))
    candidates = exp(L_positive[i]) + total(exp(L[i, m]), (m, M))
    odds = total(exp(L[i, m] - L_positive[i]), (m, M))
    ratio = Use(Integer(1), exp(L_positive[i]), bottom=candidates)
    return {
        "loss": names[3],
        "row": names[2],
        "odds": derive(loss, (DEFINITION, total(log(1 + odds), (i, N)) / nu), names=names, facts=FACTS),
        "below": bound(-ell[i], ratio, last=-share, names=names, facts=FACTS),
        "share": positive(share, names=names),
    }


@claim(
    "D2.8",
    printed=r"$\frac{\partial \mathcal{L}_i}{\partial z_i} = -\frac{\partial}{\partial z_i} \log"
    r" (\frac{\exp(z_i z_p/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)}) = \frac{\partial}{\partial z_i} [\log"
    r" \sum_{a \in A} \exp(z_i z_a/\tau) - (z_i z_p/\tau)] = \frac{\sum_{a \in A} (z_a/\tau) \exp(z_i"
    r" z_a/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)} - z_p/\tau = \frac{1}{\tau} [\frac{\sum_{a \in A} z_a"
    r" \exp(z_i z_a/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)} - z_p]$",
    verdict=Verdict.PROVED,
    says="«gradient.chain», the candidates $y$ held fixed, the anchor not among them. It is the anchor's part"
    " only: where the anchor is also a candidate of others, the loss has their terms too (M6).",
)
def gradient_of_the_anchor() -> dict[str, Piece]:
    lse = log(total(exp(L[i, a]), (a, A))) - L[i, p[i]]
    quotient = total(y[a, f] / tau * exp(L[i, a]), (a, A)) / total(exp(L[i, a]), (a, A))
    return {
        "gradient": _of_the_anchor(
            Partial(ell[i], z[i, f]),
            (DERIVATIVE, Partial(lse, z[i, f])),
            (DERIVATIVE, quotient - y[p[i], f] / tau),
            (DEFINITION, PULL),
        )
    }


@claim(
    "D2.9",
    printed=r"$\frac{\partial \mathcal{L}_i}{\partial z_i} = \frac{1}{\tau} [\frac{\sum_{a \in A} z_a"
    r" \exp(z_i z_a/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)} - z_p] = \frac{1}{\tau} [\frac{\sum_{n \in N} z_n"
    r" \exp(z_i z_n/\tau) + z_p \exp(z_i z_p/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)} - z_p]"
    r" = \frac{1}{\tau} [z_p (\frac{\exp(z_i z_p/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)} - 1)"
    r" + \sum_{n \in N} z_n \frac{\exp(z_i z_n/\tau)}{\sum_{a \in A} \exp(z_i z_a/\tau)}]"
    r" = \frac{1}{\tau} [z_p (P_{ip} - 1) + \sum_{n \in N} z_n P_{in}]$",
    verdict=Verdict.PROVED,
    says="Line by line «gradient.chain», $A$ being the positive and the negatives, each once.",
    brief="The gradient by the anchor has a term of the positive and one of each negative, «gradient», $A$"
    " being the positive and the negatives, each once.",
)
def positive_apart() -> dict[str, Piece]:
    own, everyone = exp(L[i, p[i]]), total(exp(L[i, a]), (a, A))
    weighed = total(y[a, f] * exp(L[i, a]), (a, A))
    negatives = total(Differ(a, p[i]) * y[a, f] * exp(L[i, a]), (a, A))
    by_negative = total(Differ(a, p[i]) * y[a, f] * (exp(L[i, a]) / everyone), (a, A))
    return {
        "gradient": _of_the_anchor(
            Partial(ell[i], z[i, f]),
            (DERIVATIVE, (weighed / everyone - y[p[i], f]) / tau),
            (SUMS, ((negatives + y[p[i], f] * own) / everyone - y[p[i], f]) / tau),
            (SUMS, (y[p[i], f] * (own / everyone - 1) + by_negative) / tau),
            (DEFINITION, (y[p[i], f] * (P[i, p[i]] - 1) + NEGATIVES) / tau),
        )
    }


@claim(
    "D2.10",
    printed=r"$P_{ip}$ and $P_{in}$: the probability of the positive, and that of a negative, in the set $A$",
    verdict=Verdict.DEFINITION,
    says="«softmax». All are positive, «positive», and together they are 1: «sum».",
)
def probabilities() -> dict[str, Piece]:
    everyone = P[i, p[i]] + total(Differ(a, p[i]) * P[i, a], (a, A))
    return {
        "softmax": sphere.SOFTMAX,
        "positive": positive(P[i, a], names=ANCHORED),
        "sum": _of_the_anchor(everyone, (SUMS, total(P[i, a], (a, A))), (DEFINITION, Integer(1))),
    }


@claim(
    "M13",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says=r"With one negative, «softplus», the softplus of its logit less the positive's. Take this loss times"
    r" $\tau$, the scores being $x$ apart. «ahead»: where the negative is ahead, it exceeds $x$ by the right"
    r" side, and where the negative is behind, that is all of it. It is positive, for «below» and «positive»,"
    r" and it goes to 0 with $\tau$, for «above». So the limit is $x$ or 0: a triplet loss without margin.",
)
def one_negative() -> dict[str, Piece]:
    x = Symbol("x", nonnegative=True)
    single = -log(exp(L[i, j]) / (exp(L[i, j]) + exp(L[i, k])))  # j the positive, k the negative
    behind, odds = tau * log(1 + exp(-x / tau)), exp(-x / tau)
    least = tau * odds / (1 + odds)
    return {
        "softplus": derive(single, (SUMS, log(1 + exp(L[i, k] - L[i, j]))), facts=FACTS),
        "ahead": derive(tau * log(1 + exp(x / tau)) - x, (SUMS, behind), facts=FACTS),
        "below": bound(-behind, Use(tau, Integer(1), bottom=1 + odds), last=-least, facts=FACTS),
        "positive": positive(least),
        "above": bound(behind, Use(tau, 1 + odds), last=tau * odds, facts=FACTS),
    }


@claim(
    "M40",
    verdict=Verdict.PROVED,
    says="With a mask, $Y^k$ being 1 where a negative is kept (M36), a row's loss is «query.where ℓ», and the"
    " gradients are the same as without, with «query.where P»: where each query has its own negatives,"
    " «query.where L», «query», «positive», «negatives» and «temperature»; where all share a queue, «queue:"
    " query.where L», «queue: query», «queue: positive», «queue: negatives» and «queue: temperature».",
    brief="With a mask, $Y^k$ being 1 where a negative is kept, a row's loss is «query.where ℓ», and the gradients"
    " are the same as without: «query», where «query.where P».",
)
def masked() -> dict[str, Piece]:
    of = {"": STATEMENTS["masked"], "queue: ": STATEMENTS["masked shared"]}
    return {f"{form}{name}": by.prove() for form, one in of.items() for name, by in one.gradients.items()}
