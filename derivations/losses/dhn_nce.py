"""DHN-NCE: images and texts, each pair against its hard negatives, the positive in no denominator (document D4).

The mask O, 0 on the diagonal and 1 off it, writes Σ over j ≠ i as Σ_j O_ij. The proofs only use that it is 0 or 1.
No line uses unit length.
"""

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, IndexedBase, Integer, Matrix, Rational, Symbol, exp, log

from .. import symbols
from ..claims import claim
from ..pairs import divisor
from ..prover.inequality import Sign, nonnegative
from ..prover.notation import Definition, Differ, Partial, one_if, total
from ..prover.proof import DEFINITION, DERIVATIVE, SUMS, Proof, Rule, derive
from ..prover.statement import Statement, gradient
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
    rho,
    rho_back,
    tau,
    tau_held,
)
from ..unbound import Counterexample, counterexample
from ..verdicts import Verdict

FACTS = Facts(ranges={i: B, j: B, k: B, l: B, f: d, g: d}, masks=(off_diagonal,))

c, t = Symbol("c", real=True), Symbol("t", real=True)

SCORES = Definition(S[i, j], total(image[i, f] * caption[j, f], (f, d)))  # [D4.7]
LOGITS = Definition(L[i, j], S[i, j] / tau)
HELD = Definition(
    logits_held[i, j], total(image_held[i, f] * caption_held[j, f], (f, d)) / tau_held
)  # the same numbers, which no derivative sees

Entries = Callable[[Expr, Expr], Expr]  # (row, column) → an entry of a matrix


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
    """W_ij = (B − 1) e^{βS_ij/τ} / Σ_{k≠i} e^{βS_ik/τ}, of which only j ≠ i is used [D4.3, D4.5]."""
    return Definition(name[i, j], factor * term(i, j) / over_negatives(term))


def row_loss(name: IndexedBase, logits: Entries, weight: IndexedBase) -> Definition:
    """ℓ_i = −S_ii/τ + log Σ_{j≠i} e^{S_ij/τ} W_ij [D4.2]."""
    return Definition(name[i], log(over_negatives(weighed(logits, weight))) - logits(i, i))


def share(name: IndexedBase, term: Entries) -> Definition:
    """The share of each negative in the sum of its row."""
    return Definition(name[i, j], off_diagonal[i, j] * term(i, j) / over_negatives(term))


def losses(weighed_by: IndexedBase, logits: IndexedBase = L) -> tuple[Definition, ...]:
    """The loss whose weights are made of these logits [D4.1-D4.5]."""
    return (
        SCORES,
        LOGITS,
        weights(hardness, raised(by_image(weighed_by), beta1)),
        weights(hardness_back, raised(by_text(weighed_by), beta2)),
        row_loss(ell, by_image(logits), hardness),
        row_loss(ell_back, by_text(logits), hardness_back),
        Definition(loss, (total(ell[i], (i, B)) + total(ell_back[i], (i, B))) / nu),
    )


SHARES = (
    share(Q, raised(by_image(L), 1 + beta1)),
    share(rho, raised(by_image(L), beta1)),
    share(Q_back, raised(by_text(L), 1 + beta2)),
    share(rho_back, raised(by_text(L), beta2)),
)
# G = ν ∂𝓛/∂L, of the rows of the images and, transposed, of those of the texts [M20]
DIFFERENTIATED = (
    *losses(L),
    *SHARES,
    Definition(
        G[i, j],
        ((1 + beta1) * Q[i, j] - beta1 * rho[i, j])
        + ((1 + beta2) * Q_back[j, i] - beta2 * rho_back[j, i])
        - 2 * one_if(i, j),
    ),
)
CONSTANT = (
    HELD,
    *losses(logits_held),
    share(Q, weighed(by_image(L), hardness)),
    share(Q_back, weighed(by_text(L), hardness_back)),
    Definition(G[i, j], Q[i, j] + Q_back[j, i] - 2 * one_if(i, j)),
)

BY_LOGIT = (1 + beta1) * Q[i, l] - beta1 * rho[i, l] - one_if(i, l)  # ∂ℓ_i/∂L_il, the weights differentiated
BY_INPUT = {  # input → (the variable, the gradient) [M20]
    "image": (image[k, f], total(G[k, j] * caption[j, f], (j, B)) / (nu * tau)),
    "text": (caption[k, f], total(G[i, k] * image[i, f], (i, B)) / (nu * tau)),
    "temperature": (tau, -total(G[i, j] * L[i, j], (j, B), (i, B)) / (nu * tau)),
}


def double_loop(A: Matrix, beta: Expr, factor: Expr | None = None, held: Matrix | None = None) -> list[Expr]:
    """e^{ℓ_i} of each row by the sums of D4.2 and D4.3, from A = e^{S/τ}: exact where A is rational.

    factor: B − 1 unless another is given. held: what the weights are made of, A unless they are held constant.
    """
    hard, ratios = (held or A).applyfunc(lambda entry: entry**beta), []
    for row in range(A.rows):
        negatives = [column for column in range(A.rows) if column != row]
        sum_of_hard = sum(hard[row, column] for column in negatives)
        weighted = sum(A[row, column] * hard[row, column] / sum_of_hard for column in negatives)
        ratios.append((A.rows - 1 if factor is None else factor) * weighted / A[row, row])
    return ratios


def prove(first: Expr, *steps: tuple[Rule, Expr], names: tuple[Definition, ...] = DIFFERENTIATED) -> Proof:
    return derive(first, *steps, names=names, facts=FACTS)


def ratio(logits: Entries, power: Expr) -> Expr:
    """Σ_{j≠i} e^{(1+β)L_ij} / (e^{L_ii} Σ_{j≠i} e^{βL_ij}): what B − 1 multiplies in e^{ℓ_i}."""
    return (
        exp(-logits(i, i)) * over_negatives(raised(logits, 1 + power)) / over_negatives(raised(logits, power))
    )


def stable(logits: Entries, power: Expr) -> Expr:
    """−S_ii/τ + log(B − 1) + LSE_{j≠i}((1 + β)S_ij/τ) − LSE_{j≠i}(βS_ij/τ), the second vectorisation."""
    hardest, weight = (log(over_negatives(raised(logits, c))) for c in (1 + power, power))
    return log(B - 1) + hardest - weight - logits(i, i)


@claim(
    "D4.1",
    printed=r"\mathcal{L} = \mathcal{L}^{v \to t} + \mathcal{L}^{t \to v}, given \gamma, \beta_1, \beta_2",
    statement=r"A definition, a sum over the batch and no mean. It needs B \ge 2: a row has B - 1 negatives, and"
    r" without any it is \log 0. The temperature \gamma is \tau here.",
    verdict=Verdict.PROVED,
)
def number_of_negatives() -> Proof:
    return prove(total(Differ(m, i), (m, B)), (SUMS, B - 1))


@claim(
    "D4.2",
    printed=r"\mathcal{L}^{v \to t} = -\sum_i S_{ii}/\gamma + \sum_i \log \sum_{j \ne i} e^{S_{ij}/\gamma} W_{ij}",
    statement=r"A definition: e^{\ell_i} = (B - 1) e^{-S_{ii}/\tau} \sum_{j \ne i} \rho_{ij} e^{S_{ij}/\tau}, where"
    r" \rho = W/(B - 1) is a softmax, so the logarithm is of a positive number. The positive stands in no"
    r" denominator (decoupled): the loss can be negative, and it bounds no mutual information (P4).",
    verdict=Verdict.PROVED,
)
def decoupled() -> tuple[Proof, Proof, Counterexample]:
    mean = total(rho[i, m] * exp(L[i, m]), (m, B))
    normed = prove(over_negatives(lambda i, m: rho[i, m]), (DEFINITION, Integer(1)))
    of_mean = prove(exp(ell[i]), (DEFINITION, (B - 1) * exp(-L[i, i]) * mean))
    A = Matrix([[2, 1], [1, 2]])
    ratios = double_loop(A, Integer(1))
    negative = counterexample(
        "the loss can be negative", max(ratios) < 1, {"A = e^{S/τ}": A.tolist(), "e^ℓ": ratios}
    )
    return normed, of_mean, negative


@claim(
    "D4.5",
    printed=r"W^{t \to v}_{ij} = (\beta_2 - 1) e^{\beta_2 T_i \cdot I_j/\gamma} /"
    r" \sum_{k \ne i} e^{\beta_2 T_i \cdot I_k/\gamma}",
    statement=r"As D4.3: the weights of a row sum to the factor in front, which must be the number of negatives.",
    verdict=Verdict.CORRECTED,
    right=r"W^{t \to v}_{ij} = (B - 1) e^{\beta_2 S_{ji}/\tau} / \sum_{k \ne i} e^{\beta_2 S_{ki}/\tau}",
)
@claim(
    "D4.3",
    printed=r"W_{ij} = (\beta_1 - 1) e^{\beta_1 S_{ij}/\gamma} / \sum_{k \ne i} e^{\beta_1 S_{ik}/\gamma}",
    statement=r"The weights of a row sum to the factor in front. Printed, that is \beta_1 - 1: for \beta_1 < 1 the"
    r" loss is the log of a negative number, for \beta_1 = 1 it is \log 0, and for \beta_1 > 1 it is a constant"
    r" off, \log\frac{\beta_1 - 1}{B - 1} for each row, with the right gradient.",
    verdict=Verdict.CORRECTED,
    right=r"W_{ij} = (B - 1) e^{\beta_1 S_{ij}/\tau} / \sum_{k \ne i} e^{\beta_1 S_{ik}/\tau}, as the notes print"
    r" further on: \sum_{j \ne i} W_{ij} = B - 1, and \beta_1 = 0 makes every weight 1.",
)
def factor_of_the_weights() -> tuple[Proof | Counterexample, ...]:
    term = raised(by_image(L), beta1)
    printed = (weights(hardness, term, beta1 - 1), row_loss(ell, by_image(L), hardness), *SHARES)
    A = Matrix([[3, 1, 2], [1, 4, 1], [2, 1, 5]])
    ratios = {beta: double_loop(A, Integer(beta), factor=Integer(beta - 1)) for beta in (0, 1)}
    return (
        prove(over_negatives(lambda i, m: hardness[i, m]), (DEFINITION, B - 1)),
        prove(over_negatives(lambda i, m: hardness_back[i, m]), (DEFINITION, B - 1)),
        prove(
            (B - 1) * exp(0 * L[i, j]) / total(Differ(m, i) * exp(0 * L[i, m]), (m, B)), (SUMS, Integer(1))
        ),
        prove(exp(ell[i]), (DEFINITION, (B - 1) * ratio(by_image(L), beta1))),
        prove(exp(ell[i]), (DEFINITION, (beta1 - 1) * ratio(by_image(L), beta1)), names=printed),
        prove(Partial(ell[i], L[k, l]), (DERIVATIVE, one_if(i, k) * BY_LOGIT), names=printed),
        counterexample(
            "the factor as printed takes the log of a negative number, or of 0",
            max(ratios[0]) < 0 and ratios[1] == [0, 0, 0],
            {"A = e^{S/τ}": A.tolist()} | {f"e^ℓ for β = {beta}": rows for beta, rows in ratios.items()},
        ),
    )


@claim(
    "D4.4",
    printed=r"\mathcal{L}^{t \to v} = -\sum_i T_i \cdot I_i/\gamma"
    r" + \sum_i \log \sum_{j \ne i} e^{T_i \cdot I_j/\gamma} W_{ij}",
    statement=r"A definition: T_i \cdot I_j = S_{ji}, so it is D4.2 of the transposed scores, with \beta_2.",
    verdict=Verdict.PROVED,
)
def from_text_to_image() -> tuple[Proof, Proof]:
    swapped = prove(total(caption[i, f] * image[j, f], (f, d)), (DEFINITION, S[j, i]))
    return swapped, prove(exp(ell_back[i]), (DEFINITION, (B - 1) * ratio(by_text(L), beta2)))


@claim(
    "M20",
    printed="",
    statement=r"With r^{(c)}_{ij} the softmax of c S_{ij}/\tau over j \ne i:"
    r" \tau \partial \mathcal{L}^{v \to t}/\partial S = (1 + \beta) r^{(1+\beta)} - \beta r^{(\beta)} - I where the"
    r" weights are differentiated, r^{(1+\beta)} - I where they are held constant. Each row sums to 0."
    r" Both directions: M = \partial_{\beta_1}(S) + \partial_{\beta_2}(S^T)^T,"
    r" \partial \mathcal{L}/\partial I = MT and \partial \mathcal{L}/\partial T = M^T I.",
    verdict=Verdict.PROVED,
)
def gradient_by_scores() -> tuple[Proof, ...]:
    held = one_if(i, k) * (Q[i, l] - one_if(i, l))
    live = (*losses(L), share(Q, weighed(by_image(L), hardness)))
    hardest = raised(by_image(L), 1 + beta1)
    by_images = total(G[i, j] * Partial(S[i, j], image[k, f]), (j, B), (i, B))
    by_texts = total(G[i, j] * Partial(S[i, j], caption[k, f]), (j, B), (i, B))
    return (
        prove(Partial(ell[i], L[k, l]), (DERIVATIVE, one_if(i, k) * BY_LOGIT)),
        prove(Partial(ell[i], L[k, l]), (DERIVATIVE, held), names=CONSTANT),
        prove(
            Q[i, j], (DEFINITION, off_diagonal[i, j] * hardest(i, j) / over_negatives(hardest)), names=live
        ),
        prove(total(BY_LOGIT, (l, B)), (DEFINITION, Integer(0))),
        prove(Partial(loss, L[k, l]), (DERIVATIVE, G[k, l] / nu)),
        prove(by_images, (DERIVATIVE, total(G[k, j] * caption[j, f], (j, B))), names=(SCORES,)),
        prove(by_texts, (DERIVATIVE, total(G[i, k] * image[i, f], (i, B))), names=(SCORES,)),
    )


@claim(
    "M21",
    printed="",
    statement=r"A step against the gradient of the loss of image i pulls it and text j \ne i together, though"
    r" they are no pair, iff r^{(1+\beta)}_{ij} / r^{(\beta)}_{ij} < \beta/(1 + \beta), for \beta \ge"
    " 0: an easy negative is attracted, because a larger share of the weights for it lowers the loss."
    " In the whole loss the pulls of both directions add up. With constant weights every negative is"
    " repelled, in each direction.",
    verdict=Verdict.PROVED,
)
def attraction() -> tuple[Proof | Sign | Counterexample, ...]:
    mean = total(rho[i, m] * exp(L[i, m]), (m, B))
    pull = (1 + beta1) * Q[i, j] - beta1 * rho[i, j]
    sign = prove(pull, (DEFINITION, rho[i, j] * ((1 + beta1) * exp(L[i, j]) / mean - beta1)))
    quotient = prove(Q[i, j], (DEFINITION, rho[i, j] * exp(L[i, j]) / mean))
    slope = prove(Partial(ell[i], L[i, j]), (DERIVATIVE, pull - one_if(i, j)))
    both = prove(Partial(loss, L[k, l]), (DERIVATIVE, G[k, l] / nu))
    pushes: list[Proof | Sign] = []
    # ∂ℓ/∂L of a row of the images, and of one of the texts, with constant weights: ≥ 0 at j ≠ i
    for row, way, power in ((ell, by_image, beta1), (ell_back, by_text, beta2)):
        term = multiplied(way(L), raised(way(logits_held), power))
        push = off_diagonal[i, j] * term(i, j) / over_negatives(term)
        by_logit = Partial(row[i], way(L)(i, j))
        pushes += [prove(by_logit, (DERIVATIVE, push - one_if(i, j)), names=CONSTANT), nonnegative(push)]
    # Negatives e^{S/τ} = 9 and 1, β = 1: r⁽²⁾ = 1/82 and r⁽¹⁾ = 1/10 of the easy one.
    A = Matrix([[9, 9, 1], [9, 9, 1], [9, 1, 9]])
    nearer = A.copy()
    nearer[0, 2] *= Rational(101, 100)
    before, live, held = (
        rows[0] for rows in (double_loop(A, 1), double_loop(nearer, 1), double_loop(nearer, 1, held=A))
    )
    easy = 2 * Rational(1, 82) - Rational(1, 10)
    return (
        slope,
        sign,
        quotient,
        both,
        *pushes,
        counterexample(
            "nearer to an easy negative the loss is lower with differentiated weights, higher with constant ones",
            easy < 0 and live < before < held,
            {
                "A = e^{S/τ}, β": (A.tolist(), 1),
                "2 r⁽²⁾ − r⁽¹⁾ of the easy negative": easy,
                "e^ℓ": before,
                "e^ℓ with A[0, 2] 1% larger": live,
                "the same, weights constant": held,
            },
        ),
    )


@claim(
    "M22",
    printed="",
    statement=r"\ell_i never falls as \beta grows: d\ell_i/d\beta is a mean of (e^x - e^y)(x - y) \ge 0 over pairs"
    r" of negatives. At \beta = 0 it is the decoupled contrastive loss; as \beta \to \infty the hardest negative"
    r" alone is left, -S_{ii}/\tau + \max_{j \ne i} S_{ij}/\tau + \log(B - 1). For unit rows"
    r" -2/\tau + \log(B - 1) \le \ell_i \le 2/\tau + \log(B - 1).",
    verdict=Verdict.PROVED_FROM_LEMMA,
    scope="exp is increasing",
)
def growing_with_beta() -> tuple[Proof | Counterexample, ...]:
    mean = total(rho[i, m] * exp(L[i, m]), (m, B))
    spread = rho[i, j] * rho[i, m] * (exp(L[i, j]) - exp(L[i, m])) * (L[i, j] - L[i, m])
    slope = prove(
        Partial(ell[i], beta1),
        (DERIVATIVE, total((Q[i, j] - rho[i, j]) * L[i, j], (j, B))),
        (DEFINITION, total(spread, (m, B), (j, B)) / (2 * mean)),
    )
    dcl = log(over_negatives(raised(by_image(L), Integer(1)))) - L[i, i]
    flat = (Definition(hardness[i, j], Integer(1)), row_loss(ell, by_image(L), hardness))  # D4.3 at β = 0
    # Σ ρ e^L = t − Σ ρ (t − e^L) for every t: for t the largest or least e^L, the last sum has a sign.
    gap = t - total(rho[i, m] * (t - exp(L[i, m])), (m, B))
    bounds = prove(exp(ell[i]), (DEFINITION, (B - 1) * exp(-L[i, i]) * gap))
    # For t the largest, ρ_im ≤ (e^{L_im}/t)^β, which goes to 0 unless m attains it.
    A = Matrix([[1, 4, 2, 1], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]])
    rows = {beta: double_loop(A, Integer(beta))[0] for beta in (0, 1, 4, 16)}
    rest = {beta: 3 * sum((e / 4) ** beta * (4 - e) for e in (Integer(2), Integer(1))) for beta in rows}
    limit = counterexample(
        "e^ℓ climbs to (B − 1) max A_ij/A_ii = 12, and is no further from it than 3 Σ (A_ij/4)^β (4 − A_ij)",
        list(rows.values()) == sorted(rows.values())
        and all(0 <= 12 - rows[beta] <= rest[beta] for beta in rows),
        {f"e^ℓ for β = {beta}": row for beta, row in rows.items()},
    )
    return slope, prove(ell[i], (DEFINITION, dcl), names=flat), bounds, limit


@claim(
    "M26",
    printed="",
    statement=r"A constant added to all scores changes nothing: \mathcal{L}(S + c 11^T) = \mathcal{L}(S), in each"
    " direction row by row.",
    verdict=Verdict.PROVED,
)
def shift() -> tuple[Proof, Proof]:
    shifted = IndexedBase("L′", real=True)
    names = (Definition(shifted[i, j], L[i, j] + c), *losses(weighed_by=shifted, logits=shifted))
    unshifted = (ratio(by_image(L), beta1), ratio(by_text(L), beta2))  # e^ℓ, without its factor [D4.3, D4.4]
    return (
        prove(exp(ell[i]), (DEFINITION, (B - 1) * unshifted[0]), names=names),
        prove(exp(ell_back[i]), (DEFINITION, (B - 1) * unshifted[1]), names=names),
    )


def _bind(image, text, *, temperature, beta1, beta2, weights="differentiated", reduction="sum") -> dict:
    if weights not in STATEMENTS:
        raise ValueError(f"weights must be one of {tuple(STATEMENTS)}, got {weights!r}")
    pairs = range(len(image))
    live = {symbols.image: image, caption: text, tau: temperature}
    held = {image_held: image, caption_held: text, tau_held: temperature}
    sizes = {B: len(image), d: len(image[0]), nu: divisor(len(image), reduction)}
    mask = {off_diagonal: [[int(row != column) for column in pairs] for row in pairs]}
    return sizes | live | held | mask | {symbols.beta1: beta1, symbols.beta2: beta2}


def _statement(names: tuple[Definition, ...]) -> Statement:
    return Statement(
        loss="dhn_nce",
        form=loss,
        names=names,
        gradients={
            name: gradient(entry, form, "M20", loss=loss, names=names, facts=FACTS)
            for name, (entry, form) in BY_INPUT.items()
        },
        bind=_bind,
    )


# The weights are differentiated with the rest, or held constant, and with them the temperature in them.
STATEMENTS = {"differentiated": _statement(DIFFERENTIATED), "constant": _statement(CONSTANT)}


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The one that treats the weights as the arguments say."""
    return STATEMENTS[arguments.get("weights", "differentiated")]
