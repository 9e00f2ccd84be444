"""DHN-NCE: images and texts, each pair against its hard negatives, the positive in no denominator (document D4).

The mask O, 0 on the diagonal and 1 off it, writes Σ over j ≠ i as Σ_j O_ij. Most proofs only use that it is 0 or 1;
proofs of a sign take one negative, o(i), out of the sum.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from sympy import Expr, IndexedBase, Integer, Symbol, exp, log

from .. import symbols
from ..common.pairs import divisor
from ..common.statement import Statement, gradient
from ..common.weights import with_weights
from ..evidence.claims import claim
from ..evidence.pieces import Misprint, Piece, Relation, fails, holds
from ..evidence.verdicts import Verdict
from ..prover.inequality import Bound, Use, bound, positive
from ..prover.notation import Definition, Differ, Partial, one_if, substitute, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, Rule, derive
from ..prover.sums import Facts
from ..symbols import (
    B,
    G,
    L,
    Q,
    Q_back,
    S,
    beta1,
    beta2,
    caption,
    caption_held,
    d,
    ell,
    ell_back,
    f,
    g,
    hardness,
    hardness_back,
    i,
    image,
    image_held,
    j,
    k,
    l,
    logits_held,
    loss,
    m,
    nu,
    off_diagonal,
    omega,
    other,
    rho,
    rho_back,
    tau,
    tau_held,
)

RANGES = {i: B, j: B, k: B, l: B, f: d, g: d}
FACTS = Facts(RANGES, masks=(off_diagonal,))
MASK = Definition(off_diagonal[i, j], Differ(i, j))  # for a proof that uses the values of the mask
NEGATIVES = Facts(RANGES, maps={other: (B, B)}, derangements=(other,))  # for the same

c = Symbol("c", real=True)

SCORES = Definition(S[i, j], total(image[i, f] * caption[j, f], (f, d)))  # [D4.7]
LOGITS = Definition(L[i, j], S[i, j] / tau)
# the same numbers, which no derivative sees
HELD = Definition(logits_held[i, j], total(image_held[i, f] * caption_held[j, f], (f, d)) / tau_held)

Entries = Callable[[Expr, Expr], Expr]  # (row, column) → an entry of a matrix
Way = Callable[[IndexedBase], Entries]  # from image to text or from text to image


def by_image(logits: IndexedBase) -> Entries:
    """The row of an image: all texts."""
    return lambda row, column: logits[row, column]


def by_text(logits: IndexedBase) -> Entries:
    """The row of a text: all images, T_i · I_j = S_ji [D4.4]."""
    return lambda row, column: logits[column, row]


def raised(logits: Entries, power: Expr) -> Entries:
    """A^power, entry by entry: e^{power · S/τ} [D4.8, D4.21]."""
    return lambda row, column: exp(power * logits(row, column))


def multiplied(logits: Entries, term: Entries) -> Entries:
    """A ⊙ another matrix."""
    return lambda row, column: exp(logits(row, column)) * term(row, column)


def weighed(logits: Entries, weight: IndexedBase) -> Entries:
    """A ⊙ W [D4.23]."""
    return multiplied(logits, lambda row, column: weight[row, column])


def over_negatives(term: Entries) -> Expr:
    """Σ over j ≠ i."""
    return total(off_diagonal[i, m] * term(i, m), (m, B))


def weights(name: IndexedBase, term: Entries, factor: Expr = B - 1) -> Definition:
    """W_ij = (B − 1) e^{βS_ij/τ} / Σ_{k≠i} e^{βS_ik/τ}, used only for j ≠ i [D4.3, D4.5]."""
    return Definition(name[i, j], factor * term(i, j) / over_negatives(term))


def row_loss(name: IndexedBase, logits: Entries, weight: IndexedBase) -> Definition:
    """ℓ_i = −S_ii/τ + log Σ_{j≠i} e^{S_ij/τ} W_ij [D4.2]."""
    return Definition(name[i], log(over_negatives(weighed(logits, weight))) - logits(i, i))


def share(name: IndexedBase, term: Entries) -> Definition:
    """The share of each negative in its row's sum."""
    return Definition(name[i, j], off_diagonal[i, j] * term(i, j) / over_negatives(term))


LOSS = Definition(loss, (total(ell[i], (i, B)) + total(ell_back[i], (i, B))) / nu)  # [D4.1]


def losses(weighed_by: IndexedBase, logits: IndexedBase = L) -> tuple[Definition, ...]:
    """The loss with weights computed from these logits [D4.1-D4.5]."""
    return (
        SCORES,
        LOGITS,
        weights(hardness, raised(by_image(weighed_by), beta1)),
        weights(hardness_back, raised(by_text(weighed_by), beta2)),
        row_loss(ell, by_image(logits), hardness),
        row_loss(ell_back, by_text(logits), hardness_back),
        LOSS,
    )


SHARES = (
    share(Q, raised(by_image(L), 1 + beta1)),
    share(rho, raised(by_image(L), beta1)),
    share(Q_back, raised(by_text(L), 1 + beta2)),
    share(rho_back, raised(by_text(L), beta2)),
)


def forth(i, j) -> Expr:
    """The negatives' contribution to ∂ℓ_i/∂L_ij for image i, the weights differentiated."""
    return (1 + beta1) * Q[i, j] - beta1 * rho[i, j]


def back(j, i) -> Expr:
    """The same of text j."""
    return (1 + beta2) * Q_back[j, i] - beta2 * rho_back[j, i]


# G = ν ∂𝓛/∂L, of the rows of the images and, transposed, of the rows of the texts [M20]
DIFFERENTIATED = (
    *losses(L),
    *SHARES,
    Definition(G[i, j], forth(i, j) + back(j, i) - 2 * one_if(i, j)),
)
CONSTANT = (
    HELD,
    *losses(logits_held),
    share(Q, weighed(by_image(L), hardness)),
    share(Q_back, weighed(by_text(L), hardness_back)),
    Definition(G[i, j], Q[i, j] + Q_back[j, i] - 2 * one_if(i, j)),
)

# the same where each pair has a weight, for its image's row and for its text's
WEIGHTED_DIFFERENTIATED, WEIGHTED_CONSTANT = (
    Definition(G[i, j], omega[i] * of_image + omega[j] * of_text - 2 * omega[i] * one_if(i, j))
    for of_image, of_text in ((forth(i, j), back(j, i)), (Q[i, j], Q_back[j, i]))
)

BY_LOGIT = (1 + beta1) * Q[i, l] - beta1 * rho[i, l] - one_if(i, l)  # ∂ℓ_i/∂L_il, the weights differentiated
BY_INPUT = {  # input → (the variable, the gradient) [M20]
    "image": (image[k, f], total(G[k, j] * caption[j, f], (j, B)) / (nu * tau)),
    "text": (caption[k, f], total(G[i, k] * image[i, f], (i, B)) / (nu * tau)),
    "temperature": (tau, -total(G[i, j] * L[i, j], (j, B), (i, B)) / (nu * tau)),
}


def of_logits(names: tuple[Definition, ...]) -> tuple[Definition, ...]:
    """The definitions without those of the logits, and with that of the mask: to evaluate them at given"
    " logits."""
    return (*(name for name in names if name not in (SCORES, LOGITS, HELD)), MASK)


def prove(first: Expr, *steps: tuple[Rule, Expr], names: tuple[Definition, ...] = DIFFERENTIATED) -> Proof:
    return derive(first, *steps, names=names, facts=NEGATIVES if MASK in names else FACTS)


def ratio(logits: Entries, power: Expr) -> Expr:
    """Σ_{j≠i} e^{(1+β)L_ij} / (e^{L_ii} Σ_{j≠i} e^{βL_ij}): what B − 1 multiplies in e^{ℓ_i}."""
    return (
        exp(-logits(i, i)) * over_negatives(raised(logits, 1 + power)) / over_negatives(raised(logits, power))
    )


def stable(logits: Entries, power: Expr) -> Expr:
    """−S_ii/τ + log(B − 1) + LSE_{j≠i}((1 + β)S_ij/τ) − LSE_{j≠i}(βS_ij/τ), the second vectorisation."""
    hardest, weight = (log(over_negatives(raised(logits, c))) for c in (1 + power, power))
    return log(B - 1) + hardest - weight - logits(i, i)


def beside_one(term: Entries) -> Expr:
    """Σ over the negatives but o(i)."""
    return total(Differ(m, i) * Differ(m, other[i]) * term(i, m), (m, B))


MEAN = total(rho[i, m] * exp(L[i, m]), (m, B))  # weighted mean of e^L over the negatives


@claim(
    "D4.1",
    printed=r"We are given the loss $\mathcal{L} = \mathcal{L}^{v \rightarrow t} + \mathcal{L}^{t"
    r" \rightarrow v}$, with hyperparameters $\gamma$, $\beta_1$, $\beta_2$",
    verdict=Verdict.DEFINITION,
    says="«loss», a sum over the batch, «rows»: $ν$ is 1, and no mean. A row has «negatives» negatives, so"
    " that one pair alone has the log of an empty sum. $γ$ is $τ$ here.",
)
def both_directions() -> dict[str, Piece]:
    by_row = total(ell[i] + ell_back[i], (i, B)) / nu
    return {
        "loss": LOSS,
        "rows": prove(loss, (DEFINITION, by_row), names=(LOSS,)),
        "negatives": prove(total(Differ(m, i), (m, B)), (SUMS, B - 1)),
    }


@claim(
    "D4.2",
    printed=r"$\mathcal{L}^{v \rightarrow t} = - \sum_{i=1}^B \frac{\mathbf{I}_{p_i}^T"
    r" \mathbf{T}_{p_i}}{\gamma} + \sum_{i=1}^B \log \left(\sum_{j \neq i} \exp"
    r" \left(\frac{\mathbf{I}_{p_i}^T \mathbf{T}_{p_j}}{\gamma} \right) W_{\mathbf{I}_{p_i}"
    r" \mathbf{T}_{p_j}}^{v \rightarrow t} \right)$",
    verdict=Verdict.DEFINITION,
    says="«row» with the weights of D4.3: «ratio». From two pairs on that is the log of a positive number,"
    " for with $o(i)$ any negative «sum», and «positive». The positive stands in no denominator (decoupled),"
    " so that the loss can be negative: «negative».",
)
def decoupled() -> dict[str, Piece]:
    term = raised(by_image(L), c)
    split = term(i, other[i]) + beside_one(term)
    below = Relation(loss, "<", Integer(0))
    at = {B: 2, L: [[1, 0], [0, 1]], symbols.beta1: 1, symbols.beta2: 1, nu: Fraction(1)}
    return {
        "row": row_loss(ell, by_image(L), hardness),
        "ratio": prove(exp(ell[i]), (DEFINITION, (B - 1) * ratio(by_image(L), beta1))),
        "sum": prove(over_negatives(term), (DEFINITION, split), names=(MASK,)),
        "positive": positive(split),
        "negative": holds("the loss can be negative", below, at, names=of_logits(DIFFERENTIATED)),
    }


def factor_of_the_weights(way: Way, name: IndexedBase, row: IndexedBase, power: Symbol) -> dict[str, Piece]:
    term = raised(way(L), power)
    right, printed = (weights(name, term, factor) for factor in (B - 1, power - 1))
    inner = over_negatives(weighed(way(L), name))

    def at(beta: int) -> dict[Any, Any]:
        return {B: 3, L: [[2, 1, 0], [0, 1, 1], [1, 0, 2]], power: beta, i: 0}

    def breaks(beta: int) -> Misprint:
        return fails(Relation(inner, ">", Integer(0)), at(beta), names=(printed, MASK))

    return {
        "printed": fails(Relation(name[i, j], "=", printed.body), at(2) | {j: 1}, names=(right, MASK)),
        "printed_sum": prove(
            over_negatives(lambda i, m: name[i, m]), (DEFINITION, power - 1), names=(printed,)
        ),
        "soft": breaks(0),
        "one": breaks(1),
        "printed_row": prove(
            exp(row[i]),
            (DEFINITION, (power - 1) * ratio(way(L), power)),
            names=(printed, row_loss(row, way(L), name)),
        ),
        "row": prove(exp(row[i]), (DEFINITION, (B - 1) * ratio(way(L), power))),
        "weights": right,
        "sum": prove(over_negatives(lambda i, m: name[i, m]), (DEFINITION, B - 1)),
        "flat": prove(
            name[i, j], (DEFINITION, Integer(1)), names=(right, Definition(power, Integer(0)), MASK)
        ),
    }


def _factor(weight: str) -> str:
    return (
        f"The weights of a row sum to the factor in front, as printed, «printed_sum.where {weight}», «printed_sum»,"
        " which must be the number of negatives. Printed, «printed_row», instead of «row». So for a hardness below"
        " 1 the log is of a negative number, for 1 of 0, while it needs «soft»; above, the loss of each row is a"
        " constant off, and has the right gradient."
    )


_RIGHT_FACTOR = "«weights», as the notes print further on: «sum», and for a hardness of 0 «flat»."
_FACTOR_IN_BRIEF = (
    "The weights of a row must sum to the number of its negatives, «sum»; the printed factor makes that"
    " «printed_sum». For a hardness below 1 the logarithm would be of a negative number, for 1 of 0; above, the"
    " loss of each row is a constant off, and has the right gradient."
)


@claim(
    "D4.3",
    printed=r"$W_{\mathbf{I}_{p_i} \mathbf{T}_{p_j}}^{v \rightarrow t} = (\beta_1 - 1) \cdot \frac{\exp \left("
    r"\frac{\beta_1 \mathbf{I}_{p_i}^T \mathbf{T}_{p_j}}{\gamma} \right)}{\sum_{k \neq i} \exp \left("
    r"\frac{\beta_1 \mathbf{I}_{p_i}^T \mathbf{T}_{p_k}}{\gamma} \right)}$",
    verdict=Verdict.CORRECTED,
    says=_factor("W"),
    right=_RIGHT_FACTOR,
    brief=_FACTOR_IN_BRIEF,
)
def weights_of_texts() -> dict[str, Piece]:
    return factor_of_the_weights(by_image, hardness, ell, beta1)


@claim(
    "D4.5",
    printed=r"$W_{\mathbf{T}_{p_i} \mathbf{I}_{p_j}}^{t \rightarrow v} = (\beta_2 - 1) \cdot \frac{\exp \left("
    r"\frac{\beta_2 \mathbf{T}_{p_i}^T \mathbf{I}_{p_j}}{\gamma} \right)}{\sum_{k \neq i} \exp \left("
    r"\frac{\beta_2 \mathbf{T}_{p_i}^T \mathbf{I}_{p_k}}{\gamma} \right)}$",
    verdict=Verdict.CORRECTED,
    says=_factor("W′"),
    right=_RIGHT_FACTOR,
    brief=_FACTOR_IN_BRIEF,
)
def weights_of_images() -> dict[str, Piece]:
    return factor_of_the_weights(by_text, hardness_back, ell_back, beta2)


@claim(
    "D4.4",
    printed=r"$\mathcal{L}^{t \rightarrow v} = - \sum_{i=1}^B \frac{\mathbf{T}_{p_i}^T"
    r" \mathbf{I}_{p_i}}{\gamma} + \sum_{i=1}^B \log \left(\sum_{j \neq i} \exp"
    r" \left(\frac{\mathbf{T}_{p_i}^T \mathbf{I}_{p_j}}{\gamma} \right) W_{\mathbf{T}_{p_i}"
    r" \mathbf{I}_{p_j}}^{t \rightarrow v} \right)$",
    verdict=Verdict.DEFINITION,
    says="«row»: as «swapped», it is D4.2 of the transposed scores, with the other hardness, «ratio».",
)
def from_text_to_image() -> dict[str, Piece]:
    return {
        "row": row_loss(ell_back, by_text(L), hardness_back),
        "swapped": prove(total(caption[i, f] * image[j, f], (f, d)), (DEFINITION, S[j, i])),
        "ratio": prove(exp(ell_back[i]), (DEFINITION, (B - 1) * ratio(by_text(L), beta2))),
    }


@claim(
    "M20",
    verdict=Verdict.PROVED,
    says="The loss of an image by the logits, where the weights are differentiated, «row.where W»: «row». $ρ$"
    " is the share of each negative in the weights, «weight», and $Q$ that in the weighted sum, «share.where Q»:"
    " so «share», which «row.where Q» takes for its definition. Where the weights are held constant,"
    " «held.where W» and «held.where Q»: «held». Each row sums to 0: «sum», «held_sum». With both directions"
    " «both», the texts' part in $G$ transposed, and so"
    " «image» and «text».",
)
def gradient_by_scores() -> dict[str, Piece]:
    held = Q[i, l] - one_if(i, l)
    hardest = raised(by_image(L), 1 + beta1)
    by_negatives = off_diagonal[i, j] * hardest(i, j) / over_negatives(hardest)
    weighed_sum = (*losses(L), share(Q, weighed(by_image(L), hardness)))
    slope = Partial(ell[i], L[k, l])
    return {
        "row": prove(slope, (DERIVATIVE, one_if(i, k) * BY_LOGIT)),
        "weight": prove(off_diagonal[i, j] * hardness[i, j], (DEFINITION, (B - 1) * rho[i, j])),
        "share": prove(Q[i, j], (DEFINITION, by_negatives), names=weighed_sum),
        "held": prove(slope, (DERIVATIVE, one_if(i, k) * held), names=CONSTANT),
        "sum": prove(total(BY_LOGIT, (l, B)), (DEFINITION, Integer(0))),
        "held_sum": prove(total(held, (l, B)), (DEFINITION, Integer(0)), names=CONSTANT),
        "both": prove(Partial(loss, L[k, l]), (DERIVATIVE, G[k, l] / nu)),
        "image": STATEMENTS["differentiated"].gradients["image"].prove(),
        "text": STATEMENTS["differentiated"].gradients["text"].prove(),
    }


@claim(
    "M21",
    verdict=Verdict.PROVED,
    says="Of a negative $o(i)$ of image i: «slope», where «slope.where W» and «slope.where Q», and $ρ$ as in"
    " M20. What is before the bracket is positive, as «share» is. So a step against the gradient of this row"
    " pulls the two together, though they are no pair, iff the bracket is negative; and that happens, «easy»."
    " In the whole loss the pulls of both directions add up, «both», where «both.where W′» and «both.where"
    " Q′». With constant weights every negative is repelled, in each direction: where «push.where W» and"
    " «push.where Q», «push», positive as «push_share» is, and where «push_back.where W′» and «push_back.where"
    " Q′», «push_back», positive as «push_back_share» is.",
)
def attraction() -> dict[str, Piece]:
    one, masked = other[i], (*DIFFERENTIATED, MASK)
    bracket = Q[i, one] / rho[i, one] - beta1 / (1 + beta1)

    def share_of_one(way: Way, term: Entries) -> Expr:
        """1 over the share of the negative o(i): a sum of positive numbers."""
        return 1 + beside_one(lambda i, m: term(i, m) / term(i, one))

    by_weight = share_of_one(by_image, raised(by_image(L), beta1))
    # negatives with the logits 2 and 0
    at = {B: 3, L: [[2, 2, 0], [0, 1, 1], [1, 0, 2]], symbols.beta1: 1}
    easy = Relation(substitute(BY_LOGIT, {i: Integer(0), l: Integer(2)}), "<", Integer(0))
    pieces = {
        "slope": prove(
            Partial(ell[i], L[i, one]), (DERIVATIVE, (1 + beta1) * rho[i, one] * bracket), names=masked
        ),
        "share": prove(1 / rho[i, one], (DEFINITION, by_weight), names=masked),
        "positive": positive(by_weight),
        "easy": holds("an easy negative", easy, at, names=of_logits(DIFFERENTIATED)),
        "both": prove(Partial(loss, L[k, l]), (DERIVATIVE, G[k, l] / nu)),
    }
    for name, row, way, power, part in (
        ("push", ell, by_image, beta1, Q),
        ("push_back", ell_back, by_text, beta2, Q_back),
    ):
        by_sum = share_of_one(way, multiplied(way(L), raised(way(logits_held), power)))
        slope = Partial(row[i], way(L)(i, one))
        pieces[name] = prove(slope, (DERIVATIVE, part[i, one]), names=(*CONSTANT, MASK))
        pieces[f"{name}_share"] = prove(1 / part[i, one], (DEFINITION, by_sum), names=(*CONSTANT, MASK))
        pieces[f"{name}_positive"] = positive(by_sum)
    return pieces


@claim(
    "M22",
    verdict=Verdict.PROVED_FROM_LEMMA,
    says="The loss of a row never falls as its hardness grows: «slope», and «rising». For a hardness of 0 it"
    " is the decoupled contrastive loss, «flat». As it grows, the hardest negative $o(i)$ alone is left:"
    " «gap», of which no term is negative, and «limit», so that the gap is at most $(B - 2)/(1 + β_1)$. For"
    " unit rows the loss is not further than $2/τ$ from $\\log(B - 1)$: «above» and «below», where the score"
    " of two unit rows is between -1 and 1, «near» and «far».",
)
def growing_with_hardness() -> dict[str, Piece]:
    pair = rho[i, j] * rho[i, m] / (2 * MEAN)
    limits = (m, B), (j, B)
    by_share = total((Q[i, j] - rho[i, j]) * L[i, j], (j, B))
    plain = over_negatives(raised(by_image(L), Integer(1))) * exp(-L[i, i])
    no_hardness = Definition(beta1, Integer(0))
    return {
        "slope": prove(Partial(ell[i], beta1), (DERIVATIVE, by_share)),
        "rising": at_most(
            Integer(0),
            -by_share,
            Use(pair * exp(L[i, j]), exp(L[i, m]), limits, exp(L[i, j])),
            Use(pair * exp(L[i, m]), exp(L[i, j]), limits, exp(L[i, m])),
        ),
        "flat": prove(exp(ell[i]), (DEFINITION, plain), names=(*DIFFERENTIATED, no_hardness, MASK)),
        **gap_to_the_hardest(),
        **distance_from_equal_negatives(),
    }


def gap_to_the_hardest() -> dict[str, Piece]:
    """x^β (1 + β(1 − x)) ≤ 1 is the lemma twice, at x^−β and at x."""
    limits, one = ((m, B),), other[i]
    x = exp(L[i, m] - L[i, one])
    gap = 1 - exp(ell[i] + L[i, i] - L[i, one]) / (B - 1)
    others = Differ(m, i) * Differ(m, one)
    by_one = rho[i, one] * others
    within = (B - 2) * rho[i, one] - (1 + beta1) * gap - total(others * rho[i, m] * x, *limits)
    to_the_hardest = total(rho[i, m] * x * (L[i, one] - L[i, m]), *limits)
    return {
        "gap": at_most(gap, to_the_hardest, Use(rho[i, m] * x, Integer(1), limits, x)),
        "limit": bound(
            Integer(0),
            Use(by_one * x**beta1, x**-beta1, limits),
            Use(by_one * beta1 * x**beta1, x, limits),
            last=within,
            names=(*DIFFERENTIATED, MASK),
            facts=NEGATIVES,
        ),
    }


def distance_from_equal_negatives() -> dict[str, Piece]:
    """With x = L_im − L_ii between −2/τ and 2/τ."""
    limits = ((m, B),)
    x, top = exp(L[i, m] - L[i, i]), exp(2 / tau)
    per_negative = exp(ell[i]) / (B - 1)
    lengths = total(image[i, f] ** 2, (f, d)) + total(caption[j, f] ** 2, (f, d))
    above = total(rho[i, m] * x * ((1 - S[i, m]) + (1 + S[i, i])) / tau, *limits)
    below = total(rho[i, m] / top * ((1 + S[i, m]) + (1 - S[i, i])) / tau, *limits)
    return {
        "above": at_most(top - per_negative, above, Use(rho[i, m] * x, top, limits, x)),
        "below": at_most(per_negative - 1 / top, below, Use(rho[i, m] / top, x, limits, 1 / top)),
        "near": prove(total((image[i, f] - caption[j, f]) ** 2, (f, d)), (DEFINITION, lengths - 2 * S[i, j])),
        "far": prove(total((image[i, f] + caption[j, f]) ** 2, (f, d)), (DEFINITION, lengths + 2 * S[i, j])),
    }


def at_most(last: Expr, first: Expr, *uses: Use) -> Bound:
    """first ≤ last, by the lemma."""
    return bound(first, *uses, last=last, names=DIFFERENTIATED, facts=FACTS)


@claim(
    "M26",
    verdict=Verdict.PROVED,
    says="A constant added to all logits changes nothing, in each direction row by row: «image» and «text».",
)
def shift() -> dict[str, Piece]:
    def unchanged(row: IndexedBase, way: Way, power: Expr) -> Proof:
        shifted = ratio(lambda i, j: way(L)(i, j) + c, power)
        return prove(exp(row[i]), (DEFINITION, (B - 1) * shifted))

    return {"image": unchanged(ell, by_image, beta1), "text": unchanged(ell_back, by_text, beta2)}


def _bind(image, text, *, temperature, beta1, beta2, weights="differentiated", reduction="sum") -> dict:
    if weights not in STATEMENTS:
        raise ValueError(f"weights must be one of {tuple(STATEMENTS)}, got {weights!r}")
    pairs = range(len(image))
    live = {symbols.image: image, caption: text, tau: temperature}
    held = {image_held: image, caption_held: text, tau_held: temperature}
    sizes = {B: len(image), d: len(image[0]), nu: divisor(len(image), reduction)}
    mask = {off_diagonal: [[int(row != column) for column in pairs] for row in pairs]}
    return sizes | live | held | mask | {symbols.beta1: beta1, symbols.beta2: beta2}


def _statement(names: tuple[Definition, ...], weighted_error: Definition) -> Statement:
    statement = Statement(
        loss="dhn_nce",
        form=loss,
        names=names,
        gradients={
            name: gradient(entry, form, "M20", loss=loss, names=names, facts=FACTS)
            for name, (entry, form) in BY_INPUT.items()
        },
        bind=_bind,
    )
    return with_weights(statement, weighted_error, facts=FACTS, row=ell[i] + ell_back[i], rows=B)


# The weights, and the temperature in them, are differentiated or held constant.
STATEMENTS = {
    "differentiated": _statement(DIFFERENTIATED, WEIGHTED_DIFFERENTIATED),
    "constant": _statement(CONSTANT, WEIGHTED_CONSTANT),
}


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The statement with weights differentiated or constant, as the arguments say."""
    return STATEMENTS[arguments.get("weights", "differentiated")]
