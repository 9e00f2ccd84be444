"""The InfoNCE bound in the settings of the documents: the K of its log K, and the settings in which no K gives a
bound.

Symbols and proofs are those of P1, with more terms in the denominator. One law shows the failures: an image
is a fair bit, and both of its views show it, so that I = log 2. A view is embedded as (1) or (−1): the similarity
of two views is 1 where their bits agree, and −1 where not. The losses of bits are the statements that are proved in
`losses`.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb
from typing import Any

from mpmath import iv

from ..common.pairs import positives
from ..common.sphere import COSINE, NORM, UNIT
from ..common.statement import Statement
from ..evidence.kinds import Counterexample, Example, Finding, interval
from ..evidence.plain import claim, given
from ..evidence.points import Batches, Rows
from ..losses import dhn_nce, infonce, query_key
from ..prover.evaluate import Functions, evaluator
from ..symbols import nu
from . import information_bound as p1

# --- the losses of fair bits, in intervals --------------------------------------------------------------
#
# An interval of `iv` holds the number that it stands for, whatever was rounded: its ends certify a sign.

Bits = tuple[int, ...]  # 1 or −1 for each image
INFORMATION = iv.log(2)


def enclosed(statement: Statement, τ: Fraction, hardness: Any = None, **rows: list[list[int]]) -> Any:
    """The mean loss of a statement in an interval."""
    arrays = {name: [[iv.mpf(x) for x in row] for row in array] for name, array in rows.items()}
    options = {"temperature": interval(τ), "beta1": hardness, "beta2": hardness, "reduction": "mean"}
    bound_to = statement.environment(**arrays, **options)
    functions = Functions(iv.exp, iv.log, iv.sqrt)
    return evaluator(statement.form, bound_to | {nu: iv.mpf(bound_to[nu])}, functions, statement.names)({})[0]


def mean(images: int, of: Callable[[Bits], Any]) -> Any:
    """The mean over all batches of bits, all as likely; the order of the images does not matter to a loss."""
    batches = [tuple(sorted(bits)) for bits in product((1, -1), repeat=images)]
    return sum((of(bits) * batches.count(bits) for bits in set(batches)), iv.mpf(0)) / len(batches)


def rows(bits: Bits) -> list[list[int]]:
    return [[bit] for bit in bits]


# --- NT-Xent --------------------------------------------------------------------------------------------

WITH_VIEWS = "Φ[n] + σ′[n,a]"
WITH_ITSELF = "Φ[n] + Φ′[n,a] + ε[n]"  # the anchor among its own candidates
SECOND_LOSS = "𝓛′ := -Σ_na J′[n] R′[n,a] log(φ[n]/Φ′[n,a])"
# the losses in the mean over all draws and the second views of the negatives
VIEWS = given(
    f"{p1.DRAWS}; a g < Ω′; Λ′: D × Ω′ → D",
    *p1.DRAWN.names,
    "R′[n,a] := ω′[n,a] / Σ_g ω′[n,g]",
    f"𝓛ᵇ := -Σ_na J′[n] R′[n,a] log(φ[n]/({WITH_VIEWS}))",
    f"𝓛ˢ := -Σ_na J′[n] R′[n,a] log(φ[n]/({WITH_ITSELF}))",
    SECOND_LOSS,
)
DROPPED = f"Σ_na (R[Λ(n)] R′[n,a] φ[n] σ′[n,a]/(Φ[n] ({WITH_VIEWS})))"
SHARES_OF_VIEWS = f"Σ_na (R[Λ(n)] R′[n,a] φ[n]/({WITH_VIEWS})) - 1"
BY_LIST = p1.BY_LISTS.only("Ψ")
# log N − 𝓛ᵇ − I ≤ E_R Σ φ/(Φ + σ′) − 1 ≤ E_R Σ φ/Φ − 1 ≤ 0: of each other image Φ has one view, drawn from p(x),
# and the views σ′ beside them only add to the denominator
NTXENT_BOUND = VIEWS.chain(
    f"log(N) - 𝓛ᵇ - ℐ ≤ {SHARES_OF_VIEWS} by Σ_na J′[n] R′[n,a] log(N φ[n]/ϱ[ι(n)] : {WITH_VIEWS})",
    VIEWS.only("R′")(f"{SHARES_OF_VIEWS} = {p1.SHARES} - 1 - {DROPPED}"),
    *p1.shares(DROPPED),
    BY_LIST(f"{p1.IMPOSSIBLE} + {DROPPED} ≥ 0"),
    both="ℐ",
)


def _twins(images: int, agreeing: int) -> Finding:
    """(2N − 1) E_Q[φ/Σφ] if all N images are drawn independently of the anchor, each negative one counted twice.

    A view scores `agreeing` where its bit is the anchor's, and 1 where not.
    """
    draws = product((agreeing, 1), repeat=images)
    shares = sum(Fraction(positive, positive + 2 * sum(others)) for positive, *others in draws)
    count = 2 * images - 1
    return Finding(count * shares / 2**images, ">", 1, (f"{count} E_Q[share]", "1"))


# NT-Xent of many batches m
BATCHES = given(
    "i j k < N; f < d; Σ_m < Ω; ω[] > 0; 𝓛[] real",
    "‖w[m,i]‖ := √(Σ_f w[m,i,f]^2)",
    "z[m,i,f] := w[m,i,f]/‖w[m,i]‖",
    "s[m,i,j] := Σ_f z[m,i,f] z[m,j,f]",
    "L[m,i,j] := s[m,i,j]/τ",
    "ℓ[m,i] := -log(e^L[m,i,p(i)] / Σ_k 1[k ≠ i] e^L[m,i,k])",
    "𝓛[m] := (Σ_i ℓ[m,i])/ν",
    p1.LISTS,
)
COUNTED = "log(A) - Σ_m R[m] 𝓛[m] ≤ log(2)"
IMAGES = 5
BITS = {
    "A": 2 * IMAGES - 1,
    "N": 2 * IMAGES,
    "d": 1,
    "ν": Fraction(2 * IMAGES),
    "τ": Fraction(1, 10),
    "p": positives(2 * IMAGES),
    "w": Batches([[bit] for bit in 2 * (set_ * [1] + (IMAGES - set_) * [-1])] for set_ in range(IMAGES + 1)),
    "Ω": IMAGES + 1,
    "ω": [Fraction(comb(IMAGES, set_)) for set_ in range(IMAGES + 1)],
}

claim("P2", "folklore", BATCHES)(
    said_by="contrastive-learning.md of research-notes (calwoo) prints the bound with the logarithm of 2N − 1,"
    " for the loss of SimCLR on N images. Representation Learning with Contrastive Predictive Coding (van"
    " den Oord, Li and Vinyals, 2018) puts the number of candidates into the logarithm, of which NT-Xent has"
    " 2N − 1.",
    checked="With the number of candidates of NT-Xent in the logarithm the bound fails: «passed» is false,"
    " where $A$ is that number and an image is a fair bit, which both of its views show, so that the"
    " information is log 2. Of the batches of five images (10 rows) the losses depend on how many bits are"
    " set, 0 to 5, and ω says how many batches have so many. The negatives come in pairs that depend on one"
    " another, so that the positive's mean share among candidates drawn apart from the anchor is not 1/(2N −"
    " 1): «twins».",
    correction="«bound», where N counts the images, for finitely many values: «bound.where 𝓛ᵇ», one view of"
    " each image in the sum $Φ$ of P1,"
    " and the others' second views in $σ′$.",
    passed=BATCHES.fails(
        COUNTED,
        BITS,
        Counterexample,
        "batches of five fair bits, by how many are set, and how many of each there are",
    ),
    kept=BATCHES.holds("the same batches", COUNTED, BITS | {"A": IMAGES}),
    twins=lambda: Counterexample.at(
        "all bits drawn apart, a score where views agree and 1 where not", _twins, images=5, agreeing=10**6
    ),
    bound=NTXENT_BOUND,
)

# --- D1, the anchor in its own denominator --------------------------------------------------------------

LEAST = "ℐ + (𝓛 - 𝓛′)/2"
LIFTED = f"Σ_na (J′[n] R′[n,a] ε[n]/({WITH_ITSELF}))"
# log 2N − 𝓛ˢ ≤ I + ½(𝓛 − 𝓛′). D1's denominator is Φ + Φ′ + ε: the positive and the first views, the positive and
# the second views, and ε = e^{1/τ} − φ; and log (Φ + Φ′)/2 ≥ ½ log Φ + ½ log Φ′
INFONCE_BOUND = VIEWS.chain(
    f"log(2 N) - 𝓛ˢ - ({LEAST}) ≤ {p1.SHARES} - 1 - {LIFTED}"
    f" by Σ_na J′[n] R′[n,a]/2 log(2 Φ[n] : {WITH_ITSELF})"
    f" and Σ_na J′[n] R′[n,a]/2 log(2 Φ′[n,a] : {WITH_ITSELF}) and {p1.GIBBS}",
    *p1.shares(LIFTED),
    BY_LIST(f"{p1.IMPOSSIBLE} + {LIFTED} ≥ 0"),
    both=LEAST,
)

# The positive's share among the second views is what it is in the draw that these make.
SECOND_DRAWS = VIEWS.only("𝓛′").also(
    "Φ′[n,a] := φ[n] Φ[Λ′(n,a)]/φ[Λ′(n,a)]", "Jᵛ[k] := Σ_na 1[k = Λ′(n,a)] J′[n] R′[n,a]"
)
OF_SECOND_DRAWS = "-Σ_k Jᵛ[k] log(φ[k]/Φ[k])"

LEFT = f"Σ_na (J′[n] R′[n,a] ({p1.OTHER_SCORES} + σ′[n,a] + ε[n])/({WITH_ITSELF}))"
OWN_SHARE = f"Σ_na (2 J′[n] R′[n,a] φ[n]/({WITH_ITSELF}))"
# log 2 − 𝓛ˢ ≤ 0, as both Φ and Φ′ hold the positive
CEILING = VIEWS.chain(
    f"log(2) - 𝓛ˢ ≤ {OWN_SHARE} - 1 by Σ_na J′[n] R′[n,a] log(2 φ[n] : {WITH_ITSELF})",
    VIEWS.also(p1.SCORED_DRAWS["Φ"], "Φ′[n,a] := φ[n] + σ′[n,a]")(f"{OWN_SHARE} - 1 = -{LEFT}"),
    f"{LEFT} ≥ 0",
    both="log(N)",
)


def _batches(images, τ) -> Iterator[Finding]:
    loss = mean(images, lambda bits: enclosed(infonce.STATEMENT, τ, z=rows(bits + bits)))
    below = iv.log(2 * images) - loss
    for name, most in (("I, log 2", INFORMATION), (f"log {images}", iv.log(images))):
        yield Finding(below, "<", most, (f"log {2 * images} − 𝓛", name))


UNIT_ROWS = given("i j < N; f < d", NORM, UNIT, COSINE)
SQUARE = "(Σ_f (z[i,f] - z[j,f])^2)/2"

claim("P3", "proved from LEMMA", VIEWS)(
    checked="The loss with both views among its candidates bounds the information, up to half the difference of two"
    " other losses, «bound» for D1 of N images: «bound.where 𝓛ˢ», where $Φ$ holds the positive and the other"
    " images' first views, $Φ′$ the positive and their second views, and $ε$ is what the anchor's own score has"
    " more than the positive's: «lift», and the similarity of unit rows is at most 1, by «distance» and «square»."
    " With the second views only the loss is $𝓛′$, «bound.where 𝓛′», and with the first only $𝓛$, «bound.where 𝓛»."
    " The second views make a draw with the positive, $Λ′$, in which its share is the same, «second.where Φ′»; with"
    " the law of these draws, «second.where Jᵛ», «second». So where both views have one law, «alike.where Jᵛ», this"
    " is 𝓛: «alike», and the difference is gone. The bound is never above log N: «ceiling», where «ceiling.where"
    " Φ′».",
    bound=INFONCE_BOUND,
    lift=UNIT_ROWS.only()("(1 - s[i,j])/τ ≤ e^((1 - s[i,j])/τ) - 1 by log(e^((1 - s[i,j])/τ))"),
    distance=UNIT_ROWS(f"1 - s[i,j] = {SQUARE}"),
    square=UNIT_ROWS(f"{SQUARE} ≥ 0"),
    # 𝓛′ is the loss of the draws that the second views make; so it is 𝓛 if these have the law of the draws
    second=SECOND_DRAWS(f"𝓛′ = {OF_SECOND_DRAWS}"),
    alike=VIEWS.only("𝓛").first("Jᵛ[k] := J′[k]")(f"{OF_SECOND_DRAWS} = 𝓛"),
    ceiling=CEILING,
    **{
        f"{images} images": partial(
            Example.at, f"all batches of {images} fair bits", _batches, images=images, τ=Fraction(1, 10)
        )
        for images in (3, 4)
    },
)

# --- losses whose positive is not in the denominator ----------------------------------------------------


def _one_negative(images, τ, β) -> Finding:
    def both_directions(bits: Bits) -> Any:
        views, hardness = rows(bits), interval(β)
        statement = dhn_nce.STATEMENTS["differentiated"]
        return enclosed(statement, τ, hardness, image=views, text=views)

    loss = mean(images, both_directions) / 2
    return Finding(iv.log(images - 1) - loss, ">", INFORMATION, (f"log {images - 1} − 𝓛", "I, log 2"))


DECOUPLED = given(
    "i < N; a k < M; ω[] > 0",
    "ℓ[i] := log(Σ_a (M ω[a]/Σ_k ω[k]) e^u[i,a]) - L⁺[i]",
    "u[i,a] := L⁺[i] - μ",
)

claim("P4", "proved", DECOUPLED)(
    checked="Decoupled losses (DHN-NCE, DCL), whose denominator lacks the positive, bound no information,"
    " whatever number stands in the logarithm. If every negative scores less than the positive by the margin"
    " $μ$, «alike». The margin of the logits grows without limit as the temperature falls. Here «alike.where"
    " ℓ», with any positive weights $ω$ rescaled to sum to M. So with K negatives in the logarithm,"
    " «passed». The question is ours: Decoupled Contrastive Learning (Yeh et al., 2022) takes the positive"
    " out of InfoNCE, whose bound a reader may then keep, and we found nobody who writes it. Of scores that"
    " are the logarithm of the true conditional density, On Variational Bounds of Mutual Information (Poole"
    " et al., 2019) says the opposite: there the value is an upper bound.",
    passed=lambda: Example.at(
        "two images, one direction of D4", _one_negative, images=2, τ=Fraction(1, 10), β=Fraction(1, 2)
    ),
    alike="ℓ[i] = log(M) - μ",
)

# --- a queue of keys ------------------------------------------------------------------------------------


def key_loss(keys: Rows, τ: Fraction) -> Any:
    """MoCo's loss of the query (1) and its own key against the keys of a queue."""
    own: list[list[int]] = [[1]]
    negatives = [[int(x) for x in key] for key in keys]
    return enclosed(query_key.STATEMENTS["shared"], τ, query=own, positive=own, negatives=negatives)


def _against(number: int, value: Any, sign: str) -> Finding:
    return Finding(iv.log(number) - value, sign, INFORMATION, (f"log {number} − 𝓛", "I, log 2"))


def _drawn_apart(keys, τ) -> Finding:
    return _against(keys + 1, mean(keys, lambda bits: key_loss(Rows(rows(bits)), τ)), "<")


def _stale(queue, τ) -> Finding:
    return _against(len(queue) + 1, key_loss(queue, τ), ">")


def _repeated(keys, τ) -> Finding:
    return _against(keys + 1, mean(1, lambda bits: key_loss(Rows(rows(bits * keys)), τ)), ">")


claim("P5", "proved from LEMMA", p1.DRAWN)(
    checked="MoCo with K keys in the queue is P1 with K + 1 for N, «bound», if these keys are independent draws"
    " from the law of the present encoder's (D3.32), apart from the query: «fresh». Without that it may fail: with"
    " keys of another encoder, «stale», and with one image many times, «repeated».",
    bound=p1.THE_BOUND,
    fresh=lambda: Example.at("keys of fair bits", _drawn_apart, keys=2, τ=Fraction(1, 10)),
    stale=lambda: Example.at("keys across every query", _stale, queue=Rows([[0], [0]]), τ=Fraction(1, 2)),
    repeated=lambda: Example.at("one image's key over and over", _repeated, keys=4, τ=Fraction(1, 10)),
)

claim("M25", "proved from LEMMA", p1.DRAWN)(
    checked="The bound proved anew, for finitely many values: «bound» by P1 instead of the printed steps, and D3.32"
    " for independent draws; the printed step that holds in the mean, «step»; for NT-Xent «ntxent», and for D1"
    " «infonce», each with the number of images for N; in the last the two losses are the same where both views"
    " have one law (P3).",
    bound=p1.THE_BOUND,
    step=p1.STEP_DOWN,
    ntxent=NTXENT_BOUND,
    infonce=INFONCE_BOUND,
)
