"""SupCon, supervised contrastive learning: every other row of the anchor's class is a positive (document F).

An anchor that is alone in its class is left out: its ψ⁺ and its loss are 0, and the mean's ν counts the others.
"""

from collections.abc import Mapping
from typing import Any

from sympy import Expr, IndexedBase, Integer, exp, log

from .. import symbols
from ..common.pairs import divisor
from ..common.sphere import COSINE, NORM, UNIT
from ..common.statement import Statement, gradient
from ..common.weights import weigh_row, with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Piece
from ..evidence.verdicts import Verdict
from ..prover.inequality import nonnegative, positive
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.proof import DEFINITION, SUMS, Proof, derive
from ..prover.sums import Facts
from ..symbols import (
    A,
    B,
    C,
    G,
    L,
    N,
    P,
    a,
    counted,
    d,
    ell,
    f,
    g,
    i,
    j,
    k,
    label,
    loss,
    m,
    n,
    nu,
    number,
    one_class,
    p,
    selected,
    share_selected,
    tau,
    u,
    w,
)
from . import cpc, ntxent
from .ntxent import BY_ROW, BY_TEMPERATURE, LOGITS, LOSS, OTHERS, SOFTMAX

RANGES = {i: N, j: N, k: N, f: d, g: d}
FACTS = Facts(RANGES, masks=(one_class, counted))
FACTS_OF_CLASSES = Facts(RANGES, masks=(one_class,))

LABELS = Definition(one_class[i, j], one_if(label[i], label[j]))
POSITIVES = Definition(selected[i, j], Differ(j, i) * one_class[i, j])
NUMBER = Definition(number[i], total(selected[i, j], (j, N)) + 1 - counted[i])


OUT = Definition(ell[i], -counted[i] / number[i] * total(selected[i, j] * log(exp(L[i, j]) / OTHERS), (j, N)))
# if ψ⁺ is 0 the log is of 1, not of an empty sum
IN = Definition(
    ell[i],
    -counted[i] * log((total(selected[i, j] * exp(L[i, j]), (j, N)) + 1 - counted[i]) / (number[i] * OTHERS)),
)
SHARE = Definition(
    share_selected[i, j],
    selected[i, j] * exp(L[i, j]) / (total(selected[i, k] * exp(L[i, k]), (k, N)) + 1 - counted[i]),
)
# ψ⁺_i (P_ij − Yᶜ_ij/|Yᶜ_i|), both over the same sums: no cancellation at low loss [S2]
CHANCES = selected[i, m] * P[i, j] - selected[i, j] * P[i, m]
ERROR_OUT = Definition(G[i, j], counted[i] / number[i] * total(Differ(m, j) * CHANCES, (m, N)))
# ψ⁺_i (P_ij − Rᶜ_ij), with 1 − Σ_m Yᶜ_im P_im written as the sum of the negatives' probabilities [S2]
NEGATIVES = total((1 - selected[i, m]) * P[i, m], (m, N))
ERROR_IN = Definition(
    G[i, j], counted[i] * ((1 - selected[i, j]) * P[i, j] - share_selected[i, j] * NEGATIVES)
)
SHARED = (NORM, UNIT, COSINE, LOGITS, SOFTMAX, POSITIVES, NUMBER, LOSS)


def negative(row: Expr, other: Expr) -> Expr:
    """1 where the other row is of another class."""
    return Differ(other, row) * (1 - selected[row, other])


def before_negatives(positive: Expr) -> Expr:
    """e^L of a positive of row i, and of the negatives of that row."""
    return exp(L[i, positive]) + total(negative(i, k) * exp(L[i, k]), (k, N))


# each pair of an anchor and a positive is a term, before the negatives alone
PAIRS = Definition(ell[i], -total(selected[i, j] * log(exp(L[i, j]) / before_negatives(j)), (j, N)))
ALONE = Definition(P[i, j], selected[i, j] * exp(L[i, j]) / before_negatives(j))
# −(1 − P) at a positive, 1 − P written as the sum of the negatives' shares [S2]; at a negative its shares together
ERROR_PAIRS = Definition(
    G[i, j],
    negative(i, j) * total(P[i, m] * exp(L[i, j] - L[i, m]), (m, N))
    - P[i, j] * total(negative(i, k) * exp(L[i, k] - L[i, j]), (k, N)),
)
OF_PAIRS = (NORM, UNIT, COSINE, LOGITS, ALONE, POSITIVES, LOSS, PAIRS, ERROR_PAIRS)
NAMES = {"out": (*SHARED, OUT, ERROR_OUT), "in": (*SHARED, SHARE, IN, ERROR_IN)}


def _bind(w, *, labels, temperature, form="out", reduction="mean") -> dict:
    rows = range(len(w))
    alike = [[int(labels[row] == labels[other]) for other in rows] for row in rows]
    anchors = [int(sum(row) > 1) for row in alike]
    terms = sum(map(sum, alike)) - len(w) if form == "pairs" else sum(anchors)
    sizes = {N: len(w), d: len(w[0]), nu: divisor(terms, reduction)}
    return sizes | {symbols.w: w, tau: temperature, one_class: alike, counted: anchors}


def _statement(names: tuple[Definition, ...], error: Definition, cited: str = "F23") -> Statement:
    statement = Statement(
        loss="supcon",
        form=loss,
        names=names,
        gradients={
            "w": gradient(w[k, f], BY_ROW, cited, loss=loss, names=names, facts=FACTS),
            "temperature": gradient(tau, BY_TEMPERATURE, cited, loss=loss, names=names, facts=FACTS),
        },
        bind=_bind,
    )
    return with_weights(statement, weigh_row(error), facts=FACTS)


STATEMENTS = {form: _statement(NAMES[form], error) for form, error in (("out", ERROR_OUT), ("in", ERROR_IN))}
STATEMENTS["pairs"] = _statement(OF_PAIRS, ERROR_PAIRS, cited="F33")


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The form that the arguments name: the mean over the positives outside the logarithm, or inside."""
    return STATEMENTS[arguments.get("form", "out")]


def _mutual() -> Proof:
    facts = Facts(RANGES, maps={label: (N, C)})
    return derive(selected[i, j], (DEFINITION, selected[j, i]), names=(LABELS, POSITIVES), facts=facts)


def _row(row: Definition, each: Expr) -> dict[str, Piece]:
    alone = (POSITIVES, NUMBER, row, Definition(counted[i], Integer(0)))
    return {
        "row": row,
        "loss": LOSS,
        "whole": derive(loss, (DEFINITION, total(each, (i, N)) / nu), names=(row, LOSS), facts=FACTS),
        "number": NUMBER,
        "positives": POSITIVES,
        "labels": LABELS,
        "mutual": _mutual(),
        "alone": derive(ell[i], (DEFINITION, Integer(0)), names=alone, facts=FACTS_OF_CLASSES),
        "positive": positive(exp(L[i, j])),
    }


_WORDS = (
    "«row» and «loss», so that «whole», where «positives» and «labels»: to be a positive is mutual,"
    " «mutual». $ψ^+$ is 1 for an anchor that has a positive; so «number» counts them, and all that is"
    " summed is positive, «positive». Where $ψ^+$ is 0 the anchor is left out, «alone»; then $ν$, that of"
    " the mean, does not count it either."
)
_BRIEF = (
    "The loss of an anchor is «row»: $Y^c$ is 1 for its positives, the other rows of its class, and $n^c$"
    " counts them. An anchor without a positive, $ψ^+$ being 0, is left out, and $ν$ does not count it."
)


@claim(
    "F21",
    printed=r"$\mathcal{L}_{out}^{sup} = \sum_{i \in I} \frac{-1}{|P(i)|} \sum_{p \in P(i)} \log"
    r" \frac{\exp(z_i \cdot z_p/\tau)}{\sum_{a \in A(i)} \exp(z_i \cdot z_a/\tau)}$",
    verdict=Verdict.DEFINITION,
    says=_WORDS,
    brief=_BRIEF,
)
def mean_outside() -> dict[str, Piece]:
    odds = total(Differ(k, i) * exp(L[i, k] - L[i, j]), (k, N))
    return _row(OUT, counted[i] / number[i] * total(selected[i, j] * log(odds), (j, N)))


@claim(
    "F22",
    printed=r"$\mathcal{L}_{in}^{sup} = \sum_{i \in I} -\log \{\frac{1}{|P(i)|} \sum_{p \in P(i)}"
    r" \frac{\exp(z_i \cdot z_p/\tau)}{\sum_{a \in A(i)} \exp(z_i \cdot z_a/\tau)}\}$",
    verdict=Verdict.DEFINITION,
    says=_WORDS,
    brief=_BRIEF,
)
def mean_inside() -> dict[str, Piece]:
    chances = total(selected[i, j] * exp(L[i, j]) / OTHERS, (j, N)) + (1 - counted[i]) / OTHERS
    return _row(IN, -counted[i] * log(chances / number[i]))


@claim(
    "F23",
    verdict=Verdict.PROVED,
    says="«w» and «temperature», as those of NT-Xent, in both forms. With the mean outside the logarithm,"
    " «w.where ℓ», the error is «w.where G», which is «out»: each positive has the same share. With the mean"
    " inside, «in: w.where ℓ», it is «in: w.where G», which is «in»: the nearest has the largest, «in.where"
    " Rᶜ». Each row of $G$ sums to 0: «sum out» and «sum in».",
)
def gradients() -> dict[str, Piece]:
    error = {
        "out": counted[i] * (P[i, j] - selected[i, j] / number[i]),
        "in": counted[i] * (P[i, j] - share_selected[i, j]),
    }
    pieces: dict[str, Piece] = {name: by.prove() for name, by in STATEMENTS["out"].gradients.items()}
    for form, names in NAMES.items():
        pieces[form] = derive(G[i, j], (DEFINITION, error[form]), names=names, facts=FACTS)
        row = total(G[i, j], (j, N))
        pieces[f"sum {form}"] = derive(row, (DEFINITION, Integer(0)), names=names, facts=FACTS)
    return pieces | {f"in: {name}": by.prove() for name, by in STATEMENTS["in"].gradients.items()}


@claim(
    "F24",
    verdict=Verdict.PROVED,
    says="With one positive, «one.where 𝒴» and «one.where Yᶜ», both forms, «one.where ℓ» and «one, in.where"
    " ℓ», are NT-Xent's: «one» and «one, in». With more, take each pair of an anchor $r$ and a positive $q$"
    " for a row of scores, «pairs.where Yᶜ». The losses of the anchors sum to «pairs», the mean being"
    " outside. Each logarithm is NT-Xent's, which is «row»; and a row of InfoNCE over scores, «cpc.where ℓ»,"
    " is «cpc», its candidates being the other rows. There are «count» pairs; so where all anchors have as"
    " many positives, both means are the same.",
    brief="If each anchor has one positive, both forms of SupCon are NT-Xent: «one». If it has more, then with the"
    " mean outside the losses of the anchors are those of NT-Xent over all pairs of an anchor $r$ and a positive"
    " $q$: they sum to «pairs».",
)
def to_other_losses() -> dict[str, Piece]:
    everyone = Definition(counted[i], Integer(1))
    partner = (POSITIVES, NUMBER, Definition(one_class[i, j], one_if(j, p[i])), everyone)
    r, q = (IndexedBase(name, integer=True) for name in "rq")
    listed = total(one_if(i, r[n]) * one_if(j, q[n]), (n, B))
    pairs = (Definition(selected[i, j], listed), OUT, everyone)
    of_pairs = Facts(RANGES, maps={r: (B, N), q: (B, N)})
    chance = exp(L[r[n], q[n]]) / total(Differ(k, r[n]) * exp(L[r[n], k]), (k, N))
    odds = total(Differ(j, i) * Differ(j, p[i]) * exp(L[i, j] - L[i, p[i]]), (j, N))
    of_scores = total(Differ(a, p[i]) * exp(u[i, a] - u[i, p[i]]), (a, A))

    def ntxent_row(row: Definition) -> Proof:
        steps = (DEFINITION, ntxent.ROW.body)
        return derive(ell[i], steps, names=(*partner, row), facts=ntxent.FACTS)

    return {
        "one": ntxent_row(OUT),
        "one, in": ntxent_row(IN),
        "pairs": derive(
            total(ell[i], (i, N)),
            (DEFINITION, -total(log(chance) / number[r[n]], (n, B))),
            names=pairs,
            facts=of_pairs,
        ),
        "row": derive(ntxent.ROW.body, (SUMS, log(1 + odds)), facts=ntxent.FACTS),
        "cpc": derive(ell[i], (DEFINITION, log(1 + of_scores)), names=cpc.NAMES, facts=cpc.FACTS),
        "count": derive(total(number[i], (i, N)), (DEFINITION, B), names=(*pairs, NUMBER), facts=of_pairs),
    }


@claim(
    "F32",
    verdict=Verdict.DEFINITION,
    says="In a third form each pair of an anchor and a positive is a term, and stands before the negatives alone:"
    " «row» and «loss», so that «whole», where «positives» and «labels»: to be a positive is mutual, «mutual». For"
    " the mean $ν$ is the number of pairs. All that is summed is positive, «positive». An anchor without a"
    " positive, «alone.where Yᶜ», adds nothing, «alone»; neither does one without a negative, all others being"
    " positives, «one class.where Yᶜ»: «one class». NTXentLoss of pytorch-metric-learning (Musgrave et al.,"
    " 2020) computes this if it is given labels. SINCERE (Feeney and Hughes, 2023) has the same terms, and takes"
    " their mean over the positives of each anchor, then over the anchors.",
    brief="In a third form each pair of an anchor and a positive is a term, and stands before the negatives alone:"
    " «row», $Y^c$ being 1 for a positive. The mean is over the pairs.",
)
def over_pairs() -> dict[str, Piece]:
    odds = total(negative(i, k) * exp(L[i, k] - L[i, j]), (k, N))
    terms = total(selected[i, j] * log(1 + odds), (j, N), (i, N))

    def without(mask: Expr) -> Proof:
        names = (PAIRS, Definition(selected[i, j], mask))
        return derive(ell[i], (DEFINITION, Integer(0)), names=names, facts=FACTS)

    return {
        "row": PAIRS,
        "loss": LOSS,
        "whole": derive(loss, (DEFINITION, terms / nu), names=(PAIRS, LOSS), facts=FACTS),
        "positives": POSITIVES,
        "labels": LABELS,
        "mutual": _mutual(),
        "positive": positive(exp(L[i, k] - L[i, j])),
        "alone": without(Integer(0)),
        "one class": without(Differ(j, i)),
    }


@claim(
    "F33",
    verdict=Verdict.PROVED,
    says="«w» and «temperature», as those of the other forms, with the error «w.where G», which is «error», where"
    " «w.where P» is the probability of a positive before the negatives alone. Each row of $G$ sums to 0, «sum». No"
    " positive is repelled: at a positive $G$ is «own», and «pulled». With one positive for each anchor, «one.where"
    " 𝒴» and «one.where Yᶜ», it is NT-Xent's loss: «one». The form with the mean outside the logarithm has the odds"
    " of the other positives in addition, «more», and «least»: there the term of each pair is larger or the same.",
    brief="If each pair is a term, «w», with the error «error», P being the probability of a positive before the"
    " negatives alone. No positive is repelled. With one positive for each anchor the loss is NT-Xent's.",
)
def gradients_over_pairs() -> dict[str, Piece]:
    def odds(of: Expr) -> Expr:
        """Σ_k of · e^{L_ik − L_ij}."""
        return total(of * exp(L[i, k] - L[i, j]), (k, N))

    def prove(first: Expr, last: Expr, *names: Definition, facts: Facts = FACTS) -> Proof:
        return derive(first, (DEFINITION, last), names=names or OF_PAIRS, facts=facts)

    pushes = negative(i, j) * total(P[i, m] * exp(L[i, j] - L[i, m]), (m, N))
    of_negatives = odds(Differ(k, i) * (1 - selected[i, k]) ** 2)
    others = Differ(k, i) * Differ(k, j)
    more = selected[i, j] * odds(others * selected[i, k])
    return {
        **{name: by.prove() for name, by in STATEMENTS["pairs"].gradients.items()},
        "error": prove(G[i, j], pushes - selected[i, j] + P[i, j]),
        "sum": prove(total(G[i, j], (j, N)), Integer(0)),
        "own": prove(selected[i, j] * G[i, j], -P[i, j] * of_negatives),
        "pulled": nonnegative(of_negatives),
        "one": prove(
            ell[i],
            ntxent.ROW.body,
            *(POSITIVES, PAIRS, Definition(one_class[i, j], one_if(j, p[i]))),
            facts=ntxent.FACTS,
        ),
        "more": prove(selected[i, j] * (odds(others) - odds(negative(i, k))), more, POSITIVES),
        "least": nonnegative(more),
    }
