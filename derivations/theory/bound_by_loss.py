"""The InfoNCE bound in the settings of the documents: the K of its log K, and the settings in which no K gives a
bound.

Symbols and proofs are those of P1, with more terms in the denominator. One law shows the failures: an image
is a fair bit, and both of its views show it, so that I = log 2. A view is embedded as (1) or (−1): the similarity
of two views is 1 where their bits agree, and −1 where not. The losses of bits are the statements that are proved in
`losses`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from mpmath import iv
from sympy import Expr, Indexed, IndexedBase, Integer, exp, log

from ..common.pairs import positives
from ..common.sphere import COSINE, NORM, UNIT
from ..common.statement import Statement
from ..evidence.claims import claim
from ..evidence.pieces import (
    Chain,
    Counterexample,
    Finding,
    Piece,
    Relation,
    counterexample,
    example,
    fails,
    holds,
)
from ..evidence.points import Batches, Rows
from ..evidence.verdicts import Verdict
from ..losses import dhn_nce, infonce, ntxent, query_key
from ..prover.evaluate import Functions, evaluator
from ..prover.inequality import Use, bound, nonnegative
from ..prover.notation import Definition, base_of, one_if, total
from ..prover.proof import DEFINITION, derive
from ..prover.sums import Facts
from ..symbols import (
    W2,
    A,
    D,
    L_positive,
    M,
    N,
    V,
    W,
    a,
    d,
    density,
    draw_law,
    drawn,
    ell,
    f,
    g,
    i,
    information,
    j,
    k,
    lift,
    loss,
    loss_2,
    loss_both,
    loss_self,
    m,
    margin,
    n,
    nu,
    others_law,
    others_weight,
    p,
    pair,
    rest_2,
    s,
    score,
    scores,
    scores_2,
    second_draw_law,
    second_drawn,
    second_law,
    second_weight,
    tau,
    u,
    w,
    z,
)
from . import information_bound as p1

FACTS = Facts(
    ranges={i: V, k: D, m: W, n: D, a: W2, g: W2}, maps={**p1.DRAWS.maps, second_drawn: ((D, W2), D)}
)

# --- the losses of fair bits, in intervals --------------------------------------------------------------
#
# An interval of `iv` holds the number that it stands for, whatever was rounded: its ends certify a sign.

Bits = tuple[int, ...]  # 1 or −1 for each image
INFORMATION = iv.log(2)


def enclosed(statement: Statement, *rows: list[list[int]], τ: Fraction, **options: Any) -> Any:
    """The mean loss of a statement in an interval."""
    arrays = ([[iv.mpf(x) for x in row] for row in array] for array in rows)
    bound_to = statement.bind(*arrays, temperature=_interval(τ), reduction="mean", **options)
    functions = Functions(iv.exp, iv.log, iv.sqrt)
    return evaluator(statement.form, bound_to | {nu: iv.mpf(bound_to[nu])}, functions, statement.names)({})[0]


def _interval(number: Fraction) -> Any:
    return iv.mpf(number.numerator) / number.denominator


def mean(images: int, of: Callable[[Bits], Any]) -> Any:
    """The mean over all batches of bits, all as likely; the order of the images does not matter to a loss."""
    batches = [tuple(sorted(bits)) for bits in product((1, -1), repeat=images)]
    return sum((of(bits) * batches.count(bits) for bits in set(batches)), iv.mpf(0)) / len(batches)


def rows(bits: Bits) -> list[list[int]]:
    return [[bit] for bit in bits]


def in_each(
    batch: Expr, names: Iterable[Definition], given: IndexedBase, of_batch: Mapping[Expr, IndexedBase]
) -> tuple[Definition, ...]:
    """The definitions for many batches: every given array, and so every name, has the batch as its first index.

    of_batch: the replacement of a name without indices.
    """
    arrays = {given, *(base_of(name.head) for name in names)}

    def of(part: Expr) -> Expr:
        entries = {e: e.base[(batch, *e.indices)] for e in part.atoms(Indexed) if e.base in arrays}
        return part.xreplace(entries | {number: array[batch] for number, array in of_batch.items()})

    return tuple(Definition(of(name.head), of(name.body)) for name in names)


def both_views(statement: Statement, images: int, τ: Fraction) -> Any:
    return mean(images, lambda bits: enclosed(statement, rows(bits + bits), τ=τ))


# --- NT-Xent --------------------------------------------------------------------------------------------

VIEWS = Definition(second_law[n, a], second_weight[n, a] / total(second_weight[n, g], (g, W2)))
OVER = ((a, W2), (n, D))


def view_loss(name: Expr, denominator: Expr) -> Definition:
    """The loss in the mean over all draws and the second views of the negatives."""
    mean_log = total(draw_law[n] * second_law[n, a] * log(score[n] / denominator), *OVER)
    return Definition(name, -mean_log)


ALL_VIEWS = scores[n] + rest_2[n, a]
NTXENT = view_loss(loss_both, ALL_VIEWS)


def ntxent_bound() -> Chain:
    """log N − 𝓛ᵇ − I ≤ E_R Σ φ/(Φ + σ′) − 1 ≤ E_R Σ φ/Φ − 1 ≤ 0: of each other image Φ has one view, drawn from
    p(x), and the views σ′ beside them only add to the denominator."""
    names = (*p1.SETTING, VIEWS, NTXENT)
    weight = others_law[drawn[n]] * second_law[n, a] * score[n]
    views = total(weight / ALL_VIEWS, *OVER) - 1
    dropped = total(weight * rest_2[n, a] / (scores[n] * ALL_VIEWS), *OVER)
    use = Use(draw_law[n] * second_law[n, a], N * score[n] / density[pair[n]], OVER, ALL_VIEWS)
    return Chain(
        (
            bound(log(N) - loss_both - information, use, last=views, names=names, facts=FACTS),
            derive(views, (DEFINITION, p1.SHARES - 1 - dropped), names=(VIEWS,), facts=FACTS),
            *p1.shares(dropped),
            nonnegative(p1.IMPOSSIBLE + dropped, (p1.BY_LIST,)),
        ),
        both=information,
    )


def share_of_twins(images: int, agreeing: int) -> Fraction:
    """(2N − 1) E_Q[φ/Σφ] if all N images are drawn independently of the anchor, each negative one counted twice.

    A view scores `agreeing` where its bit is the anchor's, and 1 where not.
    """
    mean_share = Fraction(0)
    for positive, *others in product((agreeing, 1), repeat=images):
        mean_share += Fraction(positive, (positive + 2 * sum(others)) * 2**images)
    return (2 * images - 1) * mean_share


EACH_LOSS = IndexedBase(str(loss), real=True)  # of a batch
EACH = in_each(m, (NORM, UNIT, COSINE, ntxent.LOGITS, ntxent.ROW, ntxent.LOSS), w, {loss: EACH_LOSS})
IMAGES = 5
BITS = {
    A: 2 * IMAGES - 1,
    N: 2 * IMAGES,
    d: 1,
    nu: Fraction(2 * IMAGES),
    tau: Fraction(1, 10),
    p: positives(2 * IMAGES),
    w: Batches([[bit] for bit in 2 * (set_ * [1] + (IMAGES - set_) * [-1])] for set_ in range(IMAGES + 1)),
    W: IMAGES + 1,
    others_weight: [Fraction(comb(IMAGES, set_)) for set_ in range(IMAGES + 1)],
}


@claim(
    "P2",
    verdict=Verdict.FOLKLORE,
    heard="contrastive-learning.md of research-notes (calwoo) prints the bound with the logarithm of 2N − 1,"
    " for the loss of SimCLR on N images. Representation Learning with Contrastive Predictive Coding (van"
    " den Oord, Li and Vinyals, 2018) puts the number of candidates into the logarithm, of which NT-Xent has"
    " 2N − 1.",
    says="With the number of candidates of NT-Xent in the logarithm the bound fails: «passed» is false,"
    " where $A$ is that number and an image is a fair bit, which both of its views show, so that the"
    " information is log 2. Of the batches of five images (10 rows) the losses depend on how many bits are"
    " set, 0 to 5, and ω says how many batches have so many. The negatives come in pairs that depend on one"
    " another, so that the positive's mean share among candidates drawn apart from the anchor is not 1/(2N −"
    " 1): «twins».",
    right="«bound», where N counts the images, for finitely many values: «bound.where 𝓛ᵇ», one view of"
    " each image in the sum $Φ$ of P1,"
    " and the others' second views in $σ′$.",
)
def ntxent_counts_images() -> dict[str, Piece]:
    def twins(images, agreeing) -> Finding:
        return Finding(share_of_twins(images, agreeing), ">", 1, (f"{2 * images - 1} E_Q[share]", "1"))

    names = (*EACH, p1.LISTS)
    below = log(A) - total(others_law[m] * EACH_LOSS[m], (m, W))
    counted = Relation(below, "≤", log(2))
    shows = "batches of five fair bits, by how many are set, and how many of each there are"
    return {
        "passed": fails(counted, BITS | {A: 9}, names=names, kind=Counterexample, shows=shows),
        "kept": holds("the same batches", counted, BITS | {A: 5}, names=names),
        "twins": counterexample(
            "all bits drawn apart, a score where views agree and 1 where not", twins, images=5, agreeing=10**6
        ),
        "bound": ntxent_bound(),
    }


# --- D1, the anchor in its own denominator --------------------------------------------------------------

SECOND_VIEWS = Definition(scores_2[n, a], score[n] + rest_2[n, a])
WITH_ITSELF = scores[n] + scores_2[n, a] + lift[n]
INFONCE = view_loss(loss_self, WITH_ITSELF)
SECOND = view_loss(loss_2, scores_2[n, a])


def infonce_bound() -> Chain:
    """log 2N − 𝓛ˢ ≤ I + ½(𝓛 − 𝓛′). D1's denominator is Φ + Φ′ + ε: the positive and the first views, the positive
    and the second views, and ε = e^{1/τ} − φ; and log (Φ + Φ′)/2 ≥ ½ log Φ + ½ log Φ′."""
    names = (*p1.SETTING, VIEWS, INFONCE, SECOND)
    least = information + (loss - loss_2) / 2
    lifted = total(draw_law[n] * second_law[n, a] * lift[n] / WITH_ITSELF, *OVER)
    half = draw_law[n] * second_law[n, a] / 2
    uses = (
        Use(half, 2 * scores[n], OVER, WITH_ITSELF),
        Use(half, 2 * scores_2[n, a], OVER, WITH_ITSELF),
        p1.gibbs(),
    )
    below = bound(
        log(2 * N) - loss_self - least, *uses, last=p1.SHARES - 1 - lifted, names=names, facts=FACTS
    )
    sign = nonnegative(p1.IMPOSSIBLE + lifted, (p1.BY_LIST,))
    return Chain((below, *p1.shares(lifted), sign), both=least)


# The positive's share among the second views is what it is in the draw that these make.
OF_SECOND = Definition(scores_2[n, a], score[n] * scores[second_drawn[n, a]] / score[second_drawn[n, a]])
LAW_OF_SECOND = Definition(
    second_draw_law[k], total(one_if(k, second_drawn[n, a]) * draw_law[n] * second_law[n, a], *OVER)
)
OF_SECOND_DRAWS = -total(second_draw_law[k] * log(score[k] / scores[k]), (k, D))


def views_of_one_law() -> dict[str, Piece]:
    """𝓛′ is the loss of the draws that the second views make; so it is 𝓛 if these have the law of the draws."""
    alike = Definition(second_draw_law[k], draw_law[k])
    return {
        "second": derive(
            loss_2, (DEFINITION, OF_SECOND_DRAWS), names=(SECOND, OF_SECOND, LAW_OF_SECOND), facts=FACTS
        ),
        "alike": derive(OF_SECOND_DRAWS, (DEFINITION, loss), names=(alike, p1.LOSS), facts=FACTS),
    }


def at_least_log_2() -> Chain:
    """log 2 − 𝓛ˢ ≤ 0, as both Φ and Φ′ hold the positive."""
    names = (*p1.SETTING, VIEWS, INFONCE)
    weight = draw_law[n] * second_law[n, a]
    left = total(weight * (p1.OTHERS + rest_2[n, a] + lift[n]) / WITH_ITSELF, *OVER)
    share = total(weight * 2 * score[n] / WITH_ITSELF, *OVER)
    use = Use(weight, 2 * score[n], OVER, WITH_ITSELF)
    opened = (*names, p1.SCORES, SECOND_VIEWS)
    return Chain(
        (
            bound(log(2) - loss_self, use, last=share - 1, names=names, facts=FACTS),
            derive(share - 1, (DEFINITION, -left), names=opened, facts=FACTS),
            nonnegative(left),
        ),
        both=log(N),
    )


@claim(
    "P3",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="«bound» for D1 of N images: «bound.where 𝓛ˢ», where $Φ$ holds the positive and the other images'"
    " first views, $Φ′$ the positive and their second views, and $ε$ is what the anchor's own score has more"
    " than the positive's: «lift», and the similarity of unit rows is at most 1, by «distance» and «square»."
    " With the second views only the loss is $𝓛′$, «bound.where 𝓛′», and with the first only $𝓛$,"
    " «bound.where 𝓛». The second views make a draw with the positive, $Λ′$, in which its share is the same,"
    " «second.where Φ′»; with the law of these draws, «second.where Jᵛ», «second». So where both views have"
    " one law, «alike.where Jᵛ», this is 𝓛: «alike», and the difference is gone. The bound"
    " is never above log N: «ceiling», where «ceiling.where Φ′».",
)
def infonce_counts_rows() -> dict[str, Piece]:
    def batches(images, τ) -> Iterator[Finding]:
        below = iv.log(2 * images) - both_views(infonce.STATEMENT, images, τ)
        for name, most in (("I, log 2", INFORMATION), (f"log {images}", iv.log(images))):
            yield Finding(below, "<", most, (f"log {2 * images} − 𝓛", name))

    names, facts = (NORM, UNIT, COSINE), Facts(ranges={i: N, j: N, f: d})
    square = total((z[i, f] - z[j, f]) ** 2, (f, d)) / 2
    apart = (1 - s[i, j]) / tau
    seen = {
        f"{images} images": example(
            f"all batches of {images} fair bits", batches, images=images, τ=Fraction(1, 10)
        )
        for images in (3, 4)
    }
    return {
        "bound": infonce_bound(),
        "lift": bound(apart, Use(Integer(1), exp(apart)), last=exp(apart) - 1, facts=facts),
        "distance": derive(1 - s[i, j], (DEFINITION, square), names=names, facts=facts),
        "square": nonnegative(square),
        **views_of_one_law(),
        "ceiling": at_least_log_2(),
        **seen,
    }


# --- losses whose positive is not in the denominator ----------------------------------------------------


@claim(
    "P4",
    verdict=Verdict.PROVED,
    says="Decoupled losses (DHN-NCE, DCL), whose denominator lacks the positive, bound no information,"
    " whatever number stands in the logarithm. If every negative scores less than the positive by the margin"
    " $μ$, «alike». The margin of the logits grows without limit as the temperature falls. Here «alike.where"
    " ℓ», with any positive weights $ω$ rescaled to sum to M. So with K negatives in the logarithm,"
    " «passed». The question is ours: Decoupled Contrastive Learning (Yeh et al., 2022) takes the positive"
    " out of InfoNCE, whose bound a reader may then keep, and we found nobody who writes it. Of scores that"
    " are the logarithm of the true conditional density, On Variational Bounds of Mutual Information (Poole"
    " et al., 2019) says the opposite: there the value is an upper bound.",
)
def decoupled() -> dict[str, Piece]:
    def one_negative(images, τ, β) -> Finding:
        def both_directions(bits: Bits) -> Any:
            views, hardness = rows(bits), _interval(β)
            statement = dhn_nce.STATEMENTS["differentiated"]
            return enclosed(statement, views, views, τ=τ, beta1=hardness, beta2=hardness)

        loss = mean(images, both_directions) / 2
        return Finding(iv.log(images - 1) - loss, ">", INFORMATION, (f"log {images - 1} − 𝓛", "I, log 2"))

    weights = M * others_weight[a] / total(others_weight[k], (k, M))
    row = Definition(ell[i], log(total(weights * exp(u[i, a]), (a, M))) - L_positive[i])
    alike = Definition(u[i, a], L_positive[i] - margin)
    facts = Facts(ranges={i: N, a: M, k: M})
    return {
        "passed": example(
            "two images, one direction of D4", one_negative, images=2, τ=Fraction(1, 10), β=Fraction(1, 2)
        ),
        "alike": derive(ell[i], (DEFINITION, log(M) - margin), names=(row, alike), facts=facts),
    }


# --- a queue of keys ------------------------------------------------------------------------------------


def key_loss(keys: Rows, τ: Fraction) -> Any:
    """MoCo's loss of the query (1) and its own key against the keys of a queue."""
    own: list[list[int]] = [[1]]
    return enclosed(query_key.STATEMENTS["shared"], own, own, [[int(x) for x in key] for key in keys], τ=τ)


@claim(
    "P5",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="MoCo with K keys in the queue is P1 with K + 1 for N, «bound», if these keys are independent draws from"
    " the law of the present encoder's (D3.32), apart from the query: «fresh». Without that it may fail: with keys"
    " of another encoder, «stale», and with one image many times, «repeated».",
)
def queue_bound() -> dict[str, Piece]:
    def against(number: int, value: Any, sign: str) -> Finding:
        return Finding(iv.log(number) - value, sign, INFORMATION, (f"log {number} − 𝓛", "I, log 2"))

    def drawn_apart(keys, τ) -> Finding:
        value = mean(keys, lambda bits: key_loss(Rows(rows(bits)), τ))
        return against(keys + 1, value, "<")

    def stale(queue, τ) -> Finding:
        return against(len(queue) + 1, key_loss(queue, τ), ">")

    def repeated(keys, τ) -> Finding:
        value = mean(1, lambda bits: key_loss(Rows(rows(bits * keys)), τ))
        return against(keys + 1, value, ">")

    return {
        "bound": p1.the_bound(),
        "fresh": example("keys of fair bits", drawn_apart, keys=2, τ=Fraction(1, 10)),
        "stale": example("keys across every query", stale, queue=Rows([[0], [0]]), τ=Fraction(1, 2)),
        "repeated": example("one image's key over and over", repeated, keys=4, τ=Fraction(1, 10)),
    }


@claim(
    "M25",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="The bound proved anew, for finitely many values: «bound» by P1 instead of the printed steps, and D3.32"
    " for independent draws; the printed step that holds in the mean, «step»; for NT-Xent «ntxent», and for D1"
    " «infonce», each with the number of images for N; in the last the two losses are the same where both views"
    " have one law (P3).",
)
def the_whole_proof() -> dict[str, Piece]:
    return {
        "bound": p1.the_bound(),
        "step": p1.step_down_in_expectation(),
        "ntxent": ntxent_bound(),
        "infonce": infonce_bound(),
    }
