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
from ..prover.inequality import positive
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
NAMES = {"out": (*SHARED, OUT, ERROR_OUT), "in": (*SHARED, SHARE, IN, ERROR_IN)}


def _bind(w, *, labels, temperature, form="out", reduction="mean") -> dict:
    rows = range(len(w))
    alike = [[int(labels[row] == labels[other]) for other in rows] for row in rows]
    anchors = [int(sum(row) > 1) for row in alike]
    sizes = {N: len(w), d: len(w[0]), nu: divisor(sum(anchors), reduction)}
    return sizes | {symbols.w: w, tau: temperature, one_class: alike, counted: anchors}


def _statement(names: tuple[Definition, ...], error: Definition) -> Statement:
    statement = Statement(
        loss="supcon",
        form=loss,
        names=names,
        gradients={
            "w": gradient(w[k, f], BY_ROW, "F23", loss=loss, names=names, facts=FACTS),
            "temperature": gradient(tau, BY_TEMPERATURE, "F23", loss=loss, names=names, facts=FACTS),
        },
        bind=_bind,
    )
    return with_weights(statement, weigh_row(error), facts=FACTS)


STATEMENTS = {form: _statement(NAMES[form], error) for form, error in (("out", ERROR_OUT), ("in", ERROR_IN))}


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The form that the arguments name: the mean over the positives outside the logarithm, or inside."""
    return STATEMENTS[arguments.get("form", "out")]


def _row(row: Definition, each: Expr) -> dict[str, Piece]:
    alone = (POSITIVES, NUMBER, row, Definition(counted[i], Integer(0)))
    return {
        "row": row,
        "loss": LOSS,
        "whole": derive(loss, (DEFINITION, total(each, (i, N)) / nu), names=(row, LOSS), facts=FACTS),
        "number": NUMBER,
        "positives": POSITIVES,
        "labels": LABELS,
        "mutual": derive(
            selected[i, j],
            (DEFINITION, selected[j, i]),
            names=(LABELS, POSITIVES),
            facts=Facts(RANGES, maps={label: (N, C)}),
        ),
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
